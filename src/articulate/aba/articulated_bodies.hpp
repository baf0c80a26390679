/** \file
 *  \brief The three sweeps of a tree in which some accelerations are prescribed and all other forces are.
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
#include <articulate/aba/singularity.hpp>  // refuse a pivot that is zero
#include <articulate/model/recursion.hpp>  // place, carry_velocity

namespace articulate {

/** \brief Articulated bodies (ABA): what forward and hybrid dynamics share.
 *
 *  The degrees of freedom form two sets: in u the acceleration is prescribed, in v the force. A degree in v gives
 *  way, one in u does not.
 */
template <typename Scalar>
class ArticulatedBodies : public Recursion<Scalar> {
  using Base = Recursion<Scalar>;

protected:
  using Base::model_;

public:
  using Base::T, Base::S, Base::V, Base::eta, Base::Vdot, Base::place, Base::carry_velocity;

  Indexed<ArticulatedInertia<Scalar>> I_hat;  ///< \f$\hat{\mathcal I}_i\f$
  Indexed<Wrench<Scalar>> B_hat;              ///< \f$\hat{\mathcal B}_i\f$
  Indexed<Pivot<Scalar>>
      pivot;  ///< \f$S_i^{\mathsf T}\hat{\mathcal I}_i S_i\f$ of the degrees in v, factored: \f$\Psi_i\f$ is its inverse
  Indexed<Wrench<Scalar>> F;  ///< \f$F_i = \hat{\mathcal I}_i\dot V_i + \hat{\mathcal B}_i\f$
  Indexed<Wrench<Scalar>>
      U;              ///< by rate: the columns of \f$\hat{\mathcal I}_iS_iL^{-\mathsf T}\f$ in v, with L of `pivot`
  Indexed<Scalar> u;  ///< by rate: \f$L^{-1}(\tau - S_i^{\mathsf T}(\hat{\mathcal I}_i\eta_i + \hat{\mathcal B}_i))\f$

  bool is_prescribed(int k) const { return prescribed_[k]; }  ///< whether the k-th rate is in u
  bool prescribes() const { return prescribes_[0]; }          ///< whether any is

  /** \brief Add inertias of rotors (nv, kg m^2 or kg) to the diagonal of the mass matrix, for all runs from now on.
   *
   *  Where a joint moves nothing but its rotor, the model has to know of it: see Model::with_rotors().
   *  \throws SizeError for the wrong number of them
   */
  void set_armature(const VectorRef<Scalar>& armature)
  {
    detail::require_size("armature", armature, model_.nv());
    for (const Body<Scalar>& body : model_.outward())
      for (int k = 0; k < body.nv; ++k) pivot[body.index].armature[k] = armature(body.v + k);
  }

  /** \brief The effect of forces and accelerations alone: at rest, without gravity, at the q of the last run.
   *
   *  Solves \f$M\ddot q = \tau\f$ for the accelerations of v and the forces of u, with the articulated inertias that
   *  exist already: two short sweeps, O(n).
   *  \param tau  nv forces: given in v, found in u   \param qdd  nv accelerations: given in u, found in v
   */
  void respond(Eigen::Ref<VectorX<Scalar>> tau, Eigen::Ref<VectorX<Scalar>> qdd);

  /** \brief Half a response, the inward half, to forces in v alone: what each joint feels of them, over its pivots.
   *
   *  Two halves make a whole: the answer of forces \f$\tau\f$ along others is
   *  \f$\tau'^{\mathsf T}M_{vv}^{-1}\tau = x'^{\mathsf T}D^{-1}x\f$, a sum over the joints that both have passed \eq{ours,21}.
   *  \param tau  nv forces, read in v   \param x, x_over_d  nv numbers x and \f$D^{-1}x\f$; zero in u
   */
  void reduce(const VectorRef<Scalar>& tau, Eigen::Ref<VectorX<Scalar>> x, Eigen::Ref<VectorX<Scalar>> x_over_d);

  /** \brief One step of half a response: what the joint of a body feels of a wrench that the body holds.
   *
   *  \tparam Number  Scalar, or several of them side by side
   *  \param given    the nv forces of this joint, read in v
   *  \param x        its numbers, written: in v as `reduce` finds them, in u minus the force that holds the degree
   *  \return         the wrench that the joint passes on, in the frame of the body
   */
  template <typename Number>
  Wrench<Number> feel(const Body<Scalar>& body, const Wrench<Number>& held, const Number* given, Number* x) const
  {
    return yield<Number>(body, held, given, x);
  }

protected:
  /** \brief Make the workspace.
   *  \param prescribed  nv flags: is the degree in u?
   *  \throws ModelError when a joint in v could move without moving any mass: its acceleration would be undefined
   */
  ArticulatedBodies(const Model<Scalar>& model, const std::vector<bool>& prescribed)
      : Base(model),
        I_hat(T.size()),
        B_hat(T.size()),
        pivot(T.size()),
        F(T.size()),
        U(model.nv()),
        u(model.nv()),
        prescribed_(prescribed.begin(), prescribed.end()),
        prescribes_(T.size()),
        u_(model.nv()),
        A_(T.size()),
        B_(T.size()),
        singular_(Model<double>(model), prescribed)
  {
    for (const Body<Scalar>& body : model.outward())
      for (int k = 0; k < body.nv; ++k)
        if (prescribed_[body.v + k]) prescribes_[0] = prescribes_[body.index] = pivot[body.index].prescribed[k] = true;
  }

  /// \brief The articulated inertias alone, at nq coordinates q: no motion, no forces.   \throws StateError as the sweeps do
  void articulate_at(const VectorRef<Scalar>& q);

  /** \brief The three sweeps.
   *  \param tau  nv forces, read in v   \param qdd  nv accelerations: read in u, written in v
   */
  void sweep(const VectorRef<Scalar>& q, const VectorRef<Scalar>& qd, Rates<Scalar> tau, JointVector<Scalar> qdd,
             const ExternalWrenches<Scalar>& Fext);

private:
  void articulate_and_release(const VectorRef<Scalar>& q, Rates<Scalar> qd, Rates<Scalar> tau, JointVector<Scalar> qdd,
                              const ExternalWrenches<Scalar>& Fext)
  {
    // [aba-outward]
    // Carry the velocity out; each body starts from its own inertia and its own bias.
    place(q);
    this->outward([&](const Body<Scalar>& body) {
      const int i = body.index;
      carry_velocity(body, qd);
      I_hat[i] = body.I;
      B_hat[i] = -coad(V[i], body.I * V[i]);
      if (!Fext.empty()) B_hat[i] = B_hat[i] - Fext[i];
    });
    // [aba-outward]
    // [aba-inward]
    // Articulate: each joint gives way along S, and passes the rest of its inertia and bias to its parent.
    this->inward([&](const Body<Scalar>& body) {
      const int i = body.index;
      articulate(body);
      const Wrench<Scalar> held = I_hat[i] * prescribed_part(body, eta[i], qdd) + B_hat[i];
      gather(body, held, tau, u, B_hat);
    });
    refuse_singular();
    // [aba-inward]
    // [aba-release]
    // Release: the parent's acceleration is known, so the joint's is.
    this->outward([&](const Body<Scalar>& body) {
      const int i = body.index, parent = body.parent;
      Vdot[i] = release(body, AdInv(T[i], Vdot[parent]), u, qdd) + eta[i];  // (41)
      F[i] = I_hat[i] * Vdot[i] + B_hat[i];                                 // (43), (51)
    });
    // [aba-release]
  }

protected:
  /// No run remains of a position that is refused.
  void refuse_singular()
  {
    try {
      singular_.refuse_in(model_, pivot);
    } catch (const StateError&) {
      this->forget_run();
      throw;
    }
  }

  // [articulate]
  /// The joint of body i gives way, and its parent has to move the rest.
  void articulate(const Body<Scalar>& body)
  {
    const int i = body.index, parent = body.parent;
    pivot[i].eliminate(S[i], I_hat[i], &U[body.v]);
    if (parent != 0) I_hat[parent] += coAdInv(T[i], pivot[i].give_way(I_hat[i], &U[body.v]));  // (49)
  }

  /// The wrench of body i, `held` while the degrees in v do not accelerate, is passed on to B of the parent.
  void gather(const Body<Scalar>& body, const Wrench<Scalar>& held, Rates<Scalar> tau, JointVector<Scalar> rest,
              Indexed<Wrench<Scalar>>& B)
  {
    const int i = body.index, parent = body.parent;
    const Wrench<Scalar> beta = yield<Scalar>(body, held, tau(body), rest(body));
    if (parent != 0) B[parent] += coAdInv(T[i], beta);  // (50), (53)
  }

  /// What the joint of body i passes on of a wrench that it held so far, now that it yields to the rest of its forces.
  template <typename Number>
  Wrench<Number> yield(const Body<Scalar>& body, const Wrench<Number>& held, JointSegment<const Number> tau,
                       JointSegment<Number> rest) const
  {
    const int i = body.index;
    rest = tau - transpose(S[i]) * held;  // tau - S^T (I_hat eta + B_hat)
    return pivot[i].template pass_on<Number>(held, &U[body.v], rest);
  }
  /// The same all the way to the base, for a wrench that one body holds: what its joint and those before it feel.
  void pass_to_base(const Body<Scalar>& body, Wrench<Scalar> held, Rates<Scalar> tau, JointVector<Scalar> rest) const
  {
    for (const Body<Scalar>& a : model_.way_to_base(body.index))
      held = coAdInv(T[a.index], yield<Scalar>(a, held, tau(a), rest(a)));
  }
  // [articulate]

  // [release]
  /// The accelerations in v of the joint of body i, whose parent carries it with the given acceleration; and what the two
  /// give the body, which is all of its acceleration but eta.
  Twist<Scalar> release(const Body<Scalar>& body, const Twist<Scalar>& carried, Rates<Scalar> rest,
                        JointVector<Scalar> qdd)
  {
    const int i = body.index;
    for (int k = body.v; k < body.v + S[i].columns(); ++k)
      if (!prescribed_[k]) qdd(k) = rest(k) - pairing(U[k], carried);
    pivot[i].solve(qdd(body), S[i].columns());  // (45)
    return carried + S[i] * qdd(body);
  }
  // [release]

  // [prescribed]
  /// The forces in u of the joint of body i, which transmits a wrench.
  void forces_of_prescribed(const Body<Scalar>& body, const Wrench<Scalar>& transmitted, Rates<Scalar> qdd,
                            JointVector<Scalar> tau) const
  {
    const int i = body.index;
    for (int k = 0; k < body.nv; ++k)
      if (prescribed_[body.v + k])
        tau(body.v + k) = pairing(transmitted, S[i].column(k)) + pivot[i].armature[k] * qdd(body.v + k);
  }

private:
  /// The acceleration A and what the joint adds to it in u.
  Twist<Scalar> prescribed_part(const Body<Scalar>& body, Twist<Scalar> A, Rates<Scalar> qdd) const
  {
    if (prescribes_[body.index])
      for (int k = 0; k < body.nv; ++k)
        if (prescribed_[body.v + k]) A += qdd(body.v + k) * S[body.index].column(k);
    return A;
  }
  // [prescribed]

  // [respond]
  /// The two short sweeps.
  void respond_to_all(JointVector<Scalar> tau, JointVector<Scalar> qdd)
  {
    std::fill(B_.begin(), B_.end(), Wrench<Scalar>{});
    for (const Body<Scalar>& body : model_.inward()) {
      const int i = body.index;
      const Wrench<Scalar> held = prescribes_[i] ? I_hat[i] * prescribed_part(body, {}, qdd) + B_[i] : B_[i];
      gather(body, held, tau, u_, B_);
    }
    for (const Body<Scalar>& body : model_.outward()) {
      const int i = body.index, parent = body.parent;
      A_[i] = release(body, AdInv(T[i], A_[parent]), u_, qdd);
      if (prescribes_[i]) forces_of_prescribed(body, I_hat[i] * A_[i] + B_[i], qdd, tau);
    }
  }
  // [respond]

  Indexed<char> prescribed_;   // by rate: is it in u?
  Indexed<char> prescribes_;   // by body: is any of its rates? In place of the world: any at all?
  Indexed<Scalar> u_;          // of `respond`: in place of u,
  Indexed<Twist<Scalar>> A_;   // of Vdot,
  Indexed<Wrench<Scalar>> B_;  // of B_hat
  SingularPivots singular_;
};

template <typename Scalar>
void ArticulatedBodies<Scalar>::articulate_at(const VectorRef<Scalar>& q)
{
  detail::require_size("q", q, model_.nq());
  run_sweep<Scalar>([&] {
    place(q);
    for (const Body<Scalar>& body : model_.outward()) I_hat[body.index] = body.I;
    for (const Body<Scalar>& body : model_.inward()) articulate(body);
    refuse_singular();
  });
}

template <typename Scalar>
void ArticulatedBodies<Scalar>::sweep(const VectorRef<Scalar>& q, const VectorRef<Scalar>& qd, Rates<Scalar> tau,
                                      JointVector<Scalar> qdd, const ExternalWrenches<Scalar>& Fext)
{
  if (!Fext.empty()) detail::require_size("Fext", Fext, model_.bodies() + 1);
  run_sweep<Scalar>([&] { articulate_and_release(q, qd, tau, qdd, Fext); });
}

template <typename Scalar>
void ArticulatedBodies<Scalar>::respond(Eigen::Ref<VectorX<Scalar>> tau, Eigen::Ref<VectorX<Scalar>> qdd)
{
  detail::require_size("tau", tau, model_.nv());
  detail::require_size("qdd", qdd, model_.nv());
  this->require_run("response");
  run_sweep<Scalar>([&] { respond_to_all(tau, qdd); });
}

template <typename Scalar>
void ArticulatedBodies<Scalar>::reduce(const VectorRef<Scalar>& tau, Eigen::Ref<VectorX<Scalar>> x,
                                       Eigen::Ref<VectorX<Scalar>> x_over_d)
{
  detail::require_size("tau", tau, model_.nv());
  detail::require_size("x", x, model_.nv());
  detail::require_size("x_over_d", x_over_d, model_.nv());
  this->require_run("reduced force");
  // [reduce]
  std::fill(B_.begin(), B_.end(), Wrench<Scalar>{});
  for (const Body<Scalar>& body : model_.inward()) {
    const int i = body.index;
    gather(body, B_[i], tau, x, B_);
    for (int k = 0; k < body.nv; ++k) {
      Scalar& felt = x(body.v + k);
      if (prescribed_[body.v + k]) felt = Scalar(0);
      x_over_d(body.v + k) = prescribed_[body.v + k] ? Scalar(0) : Scalar(pivot[i].inverse(k) * felt);
    }
  }
  // [reduce]
}

}  // namespace articulate
