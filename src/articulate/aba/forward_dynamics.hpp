/** \file
 *  \brief Recursive forward dynamics: which accelerations do these joint forces produce?
 *
 *  - Paper: Kim 2012, section 2.2, Table 3, from \eq{kim,43} to \eq{kim,50}.
 *  - Chapter: \ref aba
 *  - Two lines of the printed table are corrected: errata E-kim-3 and E-kim-4.
 */
#pragma once
#include <articulate/aba/articulated_inertia.hpp>
#include <articulate/aba/pivot.hpp>        // Pivot: the factors of S^T I S
#include <articulate/model/recursion.hpp>  // place, carry_velocity, carry_acceleration

namespace articulate {

/** \brief Kim's Table 3: joint accelerations of a tree under given joint forces, in three sweeps and O(n).
 *
 *  Owns its workspace: a call allocates nothing. What the recursion saw can be read afterwards.
 */
template <typename Scalar>
class ForwardDynamics : public Recursion<Scalar> {
public:
  std::vector<ArticulatedInertia<Scalar>> I_hat;  ///< \f$\hat{\mathcal I}_i\f$
  std::vector<Wrench<Scalar>> B_hat;              ///< \f$\hat{\mathcal B}_i\f$
  std::vector<Pivot<Scalar>>
      pivot;  ///< \f$S_i^{\mathsf T}\hat{\mathcal I}_i S_i\f$, factored: \f$\Psi_i\f$ is its inverse
  std::vector<Wrench<Scalar>> F;  ///< \f$F_i = \hat{\mathcal I}_i\dot V_i + \hat{\mathcal B}_i\f$

  /** \brief Make the workspace.
   *  \throws ModelError when a joint could move without moving any mass: its acceleration would be undefined
   */
  explicit ForwardDynamics(const Model<Scalar>& model);
  explicit ForwardDynamics(Model<Scalar>&&) = delete;  // the model must outlive the recursion

  /** \brief Joint accelerations for the given forces.
   *  \param q    nq coordinates (rad, m; free joint: position, quaternion x y z w)
   *  \param qd   nv joint rates (rad/s, m/s; free joint: body twist)
   *  \param tau  nv joint forces (N m, N; free joint: wrench in the body frame)
   *  \param Fext wrenches that act on the bodies, in body frames (N m, N); empty for none
   *  \return     nv joint accelerations, the component-wise derivative of qd
   *  \throws SizeError naming the argument, the length given and the length expected
   *  \throws StateError when a joint's articulated inertia vanishes at this q: its angles are singular, or numbers overflow
   */
  const VectorX<Scalar>& operator()(const VectorRef<Scalar>& q, const VectorRef<Scalar>& qd,
                                    const VectorRef<Scalar>& tau, const ExternalWrenches<Scalar>& Fext = {})
  {
    const Model<Scalar>& model = this->model();
    detail::require_size("q", q, model.nq());
    detail::require_size("qd", qd, model.nv());
    detail::require_size("tau", tau, model.nv());
    if (!Fext.empty()) detail::require_size("Fext", Fext, model.bodies() + 1);
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
    for (int i = model.bodies(); i >= 1; --i) articulate(model.body(i), tau.data());
    check_pivots();
    // [aba-inward]
    // [aba-release]
    // Release: the parent's acceleration is known, so the joint's is.
    for (int i = 1; i <= model.bodies(); ++i) release(model.body(i));
    // [aba-release]
    return qdd_;
  }

private:
  // [articulate]
  void articulate(const Body<Scalar>& body, const Scalar* tau)
  {
    const int i = body.index;
    const JointJacobian<Scalar>& Si = this->S[i];
    Wrench<Scalar>* const U = &U_[body.v];
    Scalar* const u = &u_[body.v];
    const Wrench<Scalar> held = I_hat[i] * this->eta[i] + B_hat[i];  // F_i if the joint did not accelerate
    Si.project(held, u);
    for (int k = 0; k < body.nv; ++k) {
      U[k] = Si.column(I_hat[i], k);
      u[k] = tau[body.v + k] - u[k];  // tau - S^T (I_hat eta + B_hat)
    }
    pivot[i].eliminate(Si, U, u);
    if (body.parent == 0) return;
    ArticulatedInertia<Scalar> Pi = I_hat[i];
    Wrench<Scalar> beta = held;
    pivot[i].give_way(U, u, Pi, beta);
    I_hat[body.parent] += coAdInv(this->T[i], Pi);    // (49)
    B_hat[body.parent] += coAdInv(this->T[i], beta);  // (50)
  }
  // [articulate]

  // [release]
  void release(const Body<Scalar>& body)
  {
    const int i = body.index;
    const Twist<Scalar> carried = AdInv(this->T[i], this->Vdot[body.parent]);
    Scalar* const qdd = qdd_.data() + body.v;
    for (int k = 0; k < body.nv; ++k) qdd[k] = u_[body.v + k] - power(U_[body.v + k], carried);
    pivot[i].solve(qdd);                          // (45)
    this->carry_acceleration(body, qdd_.data());  // (41)
    F[i] = I_hat[i] * this->Vdot[i] + B_hat[i];   // (43)
  }
  // [release]

  template <typename>
  friend class ForwardDynamics;

  struct Unchecked {};
  ForwardDynamics(const Model<Scalar>& model, Unchecked)
      : Recursion<Scalar>(model),
        I_hat(this->T.size()),
        B_hat(this->T.size()),
        pivot(this->T.size()),
        F(this->T.size()),
        U_(model.nv()),
        u_(model.nv()),
        smallest_(model.nv(), 0),
        qdd_(VectorX<Scalar>::Zero(model.nv()))
  {
  }

  static std::vector<double> smallest_pivots(const Model<double>& model);
  const JointSlot* joint_without_pivot() const;
  void check_pivots() const;

  std::vector<Wrench<Scalar>> U_;  // columns of I_hat S
  std::vector<Scalar> u_;          // tau - S^T (I_hat eta + B_hat)
  std::vector<double> smallest_;   // a pivot below this is a singularity
  VectorX<Scalar> qdd_;
};

template <typename Scalar>
ForwardDynamics<Scalar>::ForwardDynamics(const Model<Scalar>& model) : ForwardDynamics(model, Unchecked{})
{
  smallest_ = ForwardDynamics<double>::smallest_pivots(Model<double>(model));
}

/** What a pivot must exceed: 1e-12 of what the joint would move if all joints behind it were locked, seen at a
 *  configuration of no symmetry, where the pivots themselves must pass.
 */
template <typename Scalar>
std::vector<double> ForwardDynamics<Scalar>::smallest_pivots(const Model<double>& model)
{
  ForwardDynamics<double> probe(model, ForwardDynamics<double>::Unchecked{});
  VectorX<double> q = model.zero_coordinates();
  for (int k = 0; k < model.nq(); ++k) q(k) += std::sin(1.0 + 2.3 * k);
  const VectorX<double> none = VectorX<double>::Zero(model.nv());
  std::vector<Inertia<double>> composite(model.bodies() + 1);
  for (int i = 1; i <= model.bodies(); ++i) composite[i] = model.body(i).I;
  for (int i = 1; i <= model.bodies(); ++i) {
    const Body<double>& body = model.body(i);
    probe.place(body, q.data());
    probe.carry_velocity(body, none.data());
    probe.I_hat[i] = body.I;
  }
  for (int i = model.bodies(); i >= 1; --i) {
    const Body<double>& body = model.body(i);
    probe.articulate(body, none.data());
    composite[body.parent] = composite[body.parent] + coAd(inverse(probe.T[i]), composite[i]);
    for (int k = 0; k < body.nv; ++k) {
      const Twist<double> column = probe.S[i].column(k);
      probe.smallest_[body.v + k] = 1e-12 * power(composite[i] * column, column);
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
const JointSlot* ForwardDynamics<Scalar>::joint_without_pivot() const
{
  // From the tips: a joint that moves nothing spoils the pivots of all joints before it.
  const auto& joints = this->model().joints();
  for (auto joint = joints.rbegin(); joint != joints.rend(); ++joint)
    for (int k = 0; k < joint->nv; ++k)
      if (!(comparable(pivot[joint->body].d[k]) > smallest_[joint->v + k])) return &*joint;
  return nullptr;
}

template <typename Scalar>
void ForwardDynamics<Scalar>::check_pivots() const
{
  const JointSlot* joint = joint_without_pivot();
  if (!joint) return;
  const std::string where = this->model().mechanism().source + ": joint '" + joint->name + "' ";
  for (int k = 0; k < joint->nv; ++k) {
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
