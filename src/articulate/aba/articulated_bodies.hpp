/** \file
 *  \brief The three sweeps of a tree in which some accelerations are prescribed, and forces everywhere else.
 *
 *  - Paper: Kim 2012, sections 2.2 and 2.3, \eq{kim,43} to \eq{kim,53}. With no acceleration prescribed this is Table 3,
 *    in general Table 4.
 *  - Chapters: \ref aba, \ref hybrid
 *  - Two lines of both printed tables are corrected: errata E-kim-3 and E-kim-4.
 */
#pragma once
#include <algorithm>
#include <articulate/aba/articulated_inertia.hpp>
#include <articulate/aba/pivot.hpp>        // Pivot: the factors of S^T I S
#include <articulate/model/recursion.hpp>  // place, carry_velocity, carry_acceleration

namespace articulate {

/** \brief Articulated bodies: what forward and hybrid dynamics share.
 *
 *  The degrees of freedom fall into two sets: in u the acceleration is prescribed, in v the force. A degree in v gives
 *  way to what hangs on it, one in u does not.
 */
template <typename Scalar>
class ArticulatedBodies : public Recursion<Scalar> {
public:
  std::vector<ArticulatedInertia<Scalar>> I_hat;  ///< \f$\hat{\mathcal I}_i\f$
  std::vector<Wrench<Scalar>> B_hat;              ///< \f$\hat{\mathcal B}_i\f$
  std::vector<Pivot<Scalar>>
      pivot;  ///< \f$S_i^{\mathsf T}\hat{\mathcal I}_i S_i\f$ of the degrees in v, factored: \f$\Psi_i\f$ is its inverse
  std::vector<Wrench<Scalar>> F;  ///< \f$F_i = \hat{\mathcal I}_i\dot V_i + \hat{\mathcal B}_i\f$
  std::vector<Wrench<Scalar>>
      U;  ///< by rate: the columns of \f$\hat{\mathcal I}_iS_iL^{-\mathsf T}\f$ in v, with L of `pivot`
  std::vector<Scalar>
      u;  ///< by rate: \f$L^{-1}(\tau - S_i^{\mathsf T}(\hat{\mathcal I}_i\eta_i + \hat{\mathcal B}_i))\f$

  bool is_prescribed(int k) const { return prescribed_[k]; }  ///< whether the k-th rate is in u

  /** \brief What forces and accelerations would do alone: at rest, without gravity, at the q of the last run.
   *
   *  Solves \f$M\ddot q = \tau\f$ for the accelerations of v and the forces of u, with the articulated inertias that are
   *  there already: two short sweeps, O(n).
   *  \param tau  nv forces: given in v, found in u   \param qdd  nv accelerations: given in u, found in v
   */
  void respond(Eigen::Ref<VectorX<Scalar>> tau, Eigen::Ref<VectorX<Scalar>> qdd);

protected:
  /** \brief Make the workspace.
   *  \param prescribed  nv flags: is the degree in u?
   *  \throws ModelError when a joint in v could move without moving any mass: its acceleration would be undefined
   */
  ArticulatedBodies(const Model<Scalar>& model, const std::vector<bool>& prescribed)
      : ArticulatedBodies(model, prescribed, Unchecked{})
  {
    smallest_ = ArticulatedBodies<double>::smallest_pivots(Model<double>(model), prescribed);
  }

  /** \brief The three sweeps.
   *  \param tau  nv forces, read in v   \param qdd  nv accelerations: read in u, written in v
   */
  void sweep(const VectorRef<Scalar>& q, const VectorRef<Scalar>& qd, const Scalar* tau, Scalar* qdd,
             const ExternalWrenches<Scalar>& Fext);

private:
  void articulate_and_release(const VectorRef<Scalar>& q, const VectorRef<Scalar>& qd, const Scalar* tau, Scalar* qdd,
                              const ExternalWrenches<Scalar>& Fext)
  {
    const Model<Scalar>& model = this->model();
    // [aba-outward]
    // Carry the velocity out; each body starts from its own inertia and its own bias.
    for (int i = 1; i <= model.bodies(); ++i) {
      const Body<Scalar>& body = model.body(i);
      this->place(body, q.data());
      this->carry_velocity(body, qd.data());
      I_hat[i] = body.I;
      B_hat[i] = -coad(this->V[i], body.I * this->V[i]);
      if (!Fext.empty()) B_hat[i] = B_hat[i] - Fext[i];
    }
    // [aba-outward]
    // [aba-inward]
    // Articulate: each joint gives way along S, and hands the rest of its inertia and bias to its parent.
    for (int i = model.bodies(); i >= 1; --i) {
      const Body<Scalar>& body = model.body(i);
      articulate(body);
      const Wrench<Scalar> held = I_hat[i] * prescribed_part(body, this->eta[i], qdd) + B_hat[i];
      gather(body, held, tau, u.data(), B_hat);
    }
    check_pivots();
    // [aba-inward]
    // [aba-release]
    // Release: the parent's acceleration is known, so the joint's is.
    for (int i = 1; i <= model.bodies(); ++i) {
      const Body<Scalar>& body = model.body(i);
      release(body, AdInv(this->T[i], this->Vdot[body.parent]), u.data(), qdd);
      this->carry_acceleration(body, qdd);         // (41)
      F[i] = I_hat[i] * this->Vdot[i] + B_hat[i];  // (43), (51)
    }
    // [aba-release]
  }

  // [articulate]
  /// The joint of body i gives way, and its parent has to move the rest.
  void articulate(const Body<Scalar>& body)
  {
    const int i = body.index;
    pivot[i].eliminate(this->S[i], I_hat[i], &U[body.v]);
    if (body.parent != 0) I_hat[body.parent] += coAdInv(this->T[i], pivot[i].give_way(I_hat[i], &U[body.v]));  // (49)
  }

  /// The wrench of body i, `held` while the degrees in v do not accelerate, is passed on to B of the parent.
  void gather(const Body<Scalar>& body, const Wrench<Scalar>& held, const Scalar* tau, Scalar* u,
              std::vector<Wrench<Scalar>>& B)
  {
    const int i = body.index;
    u += body.v;
    this->S[i].project(held, u);
    for (int k = 0; k < body.nv; ++k) u[k] = tau[body.v + k] - u[k];  // tau - S^T (I_hat eta + B_hat)
    const Wrench<Scalar> beta = pivot[i].pass_on(held, &U[body.v], u);
    if (body.parent != 0) B[body.parent] += coAdInv(this->T[i], beta);  // (50), (53)
  }
  // [articulate]

  // [release]
  /// The accelerations in v of the joint of body i, whose parent carries it with the given acceleration.
  void release(const Body<Scalar>& body, const Twist<Scalar>& carried, const Scalar* u, Scalar* qdd)
  {
    const int i = body.index;
    for (int k = body.v; k < body.v + body.nv; ++k)
      if (!prescribed_[k]) qdd[k] = u[k] - pairing(U[k], carried);
    pivot[i].solve(qdd + body.v);  // (45)
  }
  // [release]

protected:
  // [prescribed]
  /// The forces in u of the joint of body i, which transmits F.
  void forces_of_prescribed(const Body<Scalar>& body, const Wrench<Scalar>& F, Scalar* tau) const
  {
    for (int k = 0; k < body.nv; ++k)
      if (prescribed_[body.v + k]) tau[body.v + k] = pairing(F, this->S[body.index].column(k));
  }

private:
  /// The acceleration A and what the joint adds to it in u.
  Twist<Scalar> prescribed_part(const Body<Scalar>& body, Twist<Scalar> A, const Scalar* qdd) const
  {
    if (prescribes_[body.index])
      for (int k = 0; k < body.nv; ++k)
        if (prescribed_[body.v + k]) A += qdd[body.v + k] * this->S[body.index].column(k);
    return A;
  }
  // [prescribed]

  template <typename>
  friend class ArticulatedBodies;

  struct Unchecked {};
  ArticulatedBodies(const Model<Scalar>& model, const std::vector<bool>& prescribed, Unchecked)
      : Recursion<Scalar>(model),
        I_hat(this->T.size()),
        B_hat(this->T.size()),
        pivot(this->T.size()),
        F(this->T.size()),
        U(model.nv()),
        u(model.nv(), Scalar(0)),
        prescribed_(prescribed.begin(), prescribed.end()),
        prescribes_(this->T.size()),
        u_(model.nv(), Scalar(0)),
        A_(this->T.size()),
        B_(this->T.size()),
        smallest_(model.nv(), 0)
  {
    detail::require_size("prescribed", prescribed, model.nv());
    for (int i = 1; i <= model.bodies(); ++i)
      for (int k = 0; k < model.body(i).nv; ++k)
        if (prescribed_[model.body(i).v + k]) prescribes_[i] = pivot[i].prescribed[k] = true;
  }

  static std::vector<double> smallest_pivots(const Model<double>& model, const std::vector<bool>& prescribed);
  const JointSlot* joint_without_pivot() const;
  void check_pivots() const;

  std::vector<char> prescribed_;   // by rate: is it in u?
  std::vector<char> prescribes_;   // by body: is any of its rates?
  std::vector<Scalar> u_;          // of `respond`: in place of u,
  std::vector<Twist<Scalar>> A_;   // of Vdot,
  std::vector<Wrench<Scalar>> B_;  // of B_hat
  std::vector<double> smallest_;   // a pivot below this is a singularity
};

template <typename Scalar>
void ArticulatedBodies<Scalar>::sweep(const VectorRef<Scalar>& q, const VectorRef<Scalar>& qd, const Scalar* tau,
                                      Scalar* qdd, const ExternalWrenches<Scalar>& Fext)
{
  const Model<Scalar>& model = this->model();
  if (!Fext.empty()) detail::require_size("Fext", Fext, model.bodies() + 1);
  run_sweep<Scalar>([&] { articulate_and_release(q, qd, tau, qdd, Fext); });
}

template <typename Scalar>
void ArticulatedBodies<Scalar>::respond(Eigen::Ref<VectorX<Scalar>> tau, Eigen::Ref<VectorX<Scalar>> qdd)
{
  const Model<Scalar>& model = this->model();
  detail::require_size("tau", tau, model.nv());
  detail::require_size("qdd", qdd, model.nv());
  // [respond]
  std::fill(B_.begin(), B_.end(), Wrench<Scalar>{});
  for (int i = model.bodies(); i >= 1; --i) {
    const Body<Scalar>& body = model.body(i);
    const Wrench<Scalar> held = prescribes_[i] ? I_hat[i] * prescribed_part(body, {}, qdd.data()) + B_[i] : B_[i];
    gather(body, held, tau.data(), u_.data(), B_);
  }
  for (int i = 1; i <= model.bodies(); ++i) {
    const Body<Scalar>& body = model.body(i);
    const Twist<Scalar> carried = AdInv(this->T[i], A_[body.parent]);
    release(body, carried, u_.data(), qdd.data());
    A_[i] = this->S[i].add(carried, qdd.data() + body.v);
    if (prescribes_[i]) forces_of_prescribed(body, I_hat[i] * A_[i] + B_[i], tau.data());
  }
  // [respond]
}

/** What a pivot must exceed: 1e-12 of what the joint would move if all joints behind it were locked, seen at a
 *  configuration of no symmetry, where the pivots themselves must pass.
 */
template <typename Scalar>
std::vector<double> ArticulatedBodies<Scalar>::smallest_pivots(const Model<double>& model,
                                                               const std::vector<bool>& prescribed)
{
  ArticulatedBodies<double> probe(model, prescribed, ArticulatedBodies<double>::Unchecked{});
  VectorX<double> q = model.zero_coordinates();
  for (int k = 0; k < model.nq(); ++k) q(k) += std::sin(1.0 + 2.3 * k);
  const VectorX<double> none = VectorX<double>::Zero(model.nv());
  std::vector<Inertia<double>> composite(model.bodies() + 1);
  for (int i = 1; i <= model.bodies(); ++i) {
    const Body<double>& body = model.body(i);
    probe.place(body, q.data());
    probe.carry_velocity(body, none.data());
    probe.I_hat[i] = composite[i] = body.I;
  }
  for (int i = model.bodies(); i >= 1; --i) {
    const Body<double>& body = model.body(i);
    probe.articulate(body);
    composite[body.parent] = composite[body.parent] + coAd(inverse(probe.T[i]), composite[i]);
    for (int k = 0; k < body.nv; ++k) {
      const Twist<double> column = probe.S[i].column(k);
      probe.smallest_[body.v + k] = 1e-12 * pairing(composite[i] * column, column);
    }
  }
  if (const JointSlot* joint = probe.joint_without_pivot())
    throw ModelError(model.mechanism().source + ": joint '" + joint->name +
                     "' can move without moving any mass, so its acceleration is undefined; the links that it "
                     "carries need mass or inertia against it.");
  return probe.smallest_;
}

/// The joint nearest to the tips whose pivot is too small or no number, or none.
template <typename Scalar>
const JointSlot* ArticulatedBodies<Scalar>::joint_without_pivot() const
{
  // From the tips: a joint that moves nothing spoils the pivots of all joints before it.
  const auto& joints = this->model().joints();
  for (auto joint = joints.rbegin(); joint != joints.rend(); ++joint)
    for (int k = 0; k < joint->nv; ++k)
      if (!prescribed_[joint->v + k] && !(comparable(pivot[joint->body].d[k]) > smallest_[joint->v + k]))
        return &*joint;
  return nullptr;
}

template <typename Scalar>
void ArticulatedBodies<Scalar>::check_pivots() const
{
  const JointSlot* joint = joint_without_pivot();
  if (!joint) return;
  const std::string where = this->model().mechanism().source + ": joint '" + joint->name + "' ";
  for (int k = 0; k < joint->nv; ++k) {
    if (prescribed_[joint->v + k]) continue;
    const auto rest = comparable(pivot[joint->body].d[k]) - comparable(pivot[joint->body].d[k]);
    if (!(rest == 0))
      throw StateError(where +
                       "has an articulated inertia that is not a finite number in this state; its coordinates "
                       "are too large for the scalar.");
  }
  if (this->model().body(joint->body).kind == JointKind::chart)
    throw StateError(where +
                     "is at a singularity of its coordinates, where two of its axes coincide and its "
                     "accelerations are undefined; turn the middle angle away from 90 degrees or use a joint "
                     "with a quaternion.");
  throw StateError(where +
                   "can move without moving any mass in this state, so its acceleration is undefined; choose "
                   "another state or give the links that it carries inertia against it.");
}

}  // namespace articulate
