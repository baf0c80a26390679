/** \file
 *  \brief Recursive inverse dynamics: which joint forces produce these accelerations?
 *
 *  - Papers: Kim 2012, section 2.1, Table 2, from \eq{kim,37}, \eq{kim,41}, \eq{kim,42}; Park 1995, \eq{park,24} to
 *    \eq{park,27}.
 *  - Chapter: \ref rnea
 */
#pragma once
#include <articulate/model/recursion.hpp>  // place, carry_velocity, carry_acceleration

namespace articulate {

/** \brief RNEA, Kim's Table 2: joint forces of a tree in prescribed motion, in two sweeps and O(n).
 *
 *  Owns its workspace: a call allocates nothing. What the recursion saw (T, V, eta, Vdot, F) can be read afterwards.
 */
template <typename Scalar>
class InverseDynamics : public Recursion<Scalar> {
  using Base = Recursion<Scalar>;
  using Base::model_;

public:
  using Base::T, Base::V, Base::Vdot, Base::place, Base::carry_velocity, Base::carry_acceleration, Base::gather_force;
  Indexed<Wrench<Scalar>> F;  ///< \f$F_i\f$, from parent to body i through its joint; F[0] is what the world carries

  explicit InverseDynamics(const Model<Scalar>& model)
      : Recursion<Scalar>(model), F(T.size()), tau_(VectorX<Scalar>::Zero(model.nv()))
  {
  }

  /** \brief Joint forces for the given motion.
   *  \param q    nq coordinates (rad, m; free joint: position, quaternion x y z w)
   *  \param qd   nv joint rates (rad/s, m/s; free joint: body twist)
   *  \param qdd  nv joint accelerations: the component-wise derivative of qd
   *  \param Fext external wrenches on the bodies, in body frames (N m, N); empty for none
   *  \return     nv joint forces (N m, N; free joint: wrench in the body frame)
   *  \throws SizeError naming the argument, the length given and the length expected
   */
  const VectorX<Scalar>& operator()(const VectorRef<Scalar>& q, const VectorRef<Scalar>& qd,
                                    const VectorRef<Scalar>& qdd, const ExternalWrenches<Scalar>& Fext = {})
  {
    detail::require_size("q", q, model_.nq());
    detail::require_size("qd", qd, model_.nv());
    detail::require_size("qdd", qdd, model_.nv());
    if (!Fext.empty()) detail::require_size("Fext", Fext, model_.bodies() + 1);
    run_sweep<Scalar>([&] { carry_and_gather(q, qd, qdd, Fext); });
    return tau_;
  }

private:
  void carry_and_gather(const VectorRef<Scalar>& q, Rates<Scalar> qd, Rates<Scalar> qdd,
                        const ExternalWrenches<Scalar>& Fext)
  {
    // [rnea-outward]
    // Carry velocity and acceleration from the base to the tips; what each body alone needs follows at once.
    place(q);
    this->outward([&](const Body<Scalar>& body) {
      const int i = body.index;
      carry_velocity(body, qd);
      carry_acceleration(body, qdd);
      F[i] = newton_euler(body.I, V[i], Vdot[i]);  // (31)
      if (!Fext.empty()) F[i] = F[i] - Fext[i];
    });
    // [rnea-outward]
    // [rnea-inward]
    // Collect from the tips to the base what each joint must transmit.
    F[0] = {};
    this->inward([&](const Body<Scalar>& body) { gather_force(body, F, tau_); });
    // [rnea-inward]
  }

  VectorX<Scalar> tau_;
};

/// \brief Inverse dynamics in one line; see InverseDynamics.
template <typename Scalar>
VectorX<Scalar> inverse_dynamics(const Model<Scalar>& model, VectorArgument<Scalar> q, VectorArgument<Scalar> qd,
                                 VectorArgument<Scalar> qdd, WrenchesArgument<Scalar> Fext = {})
{
  return InverseDynamics<Scalar>(model)(q, qd, qdd, Fext);
}

/// \brief \f$b(q, \dot q)\f$: the joint forces of a motion without acceleration, gravity included.
template <typename Scalar>
VectorX<Scalar> bias_force(const Model<Scalar>& model, VectorArgument<Scalar> q, VectorArgument<Scalar> qd,
                           WrenchesArgument<Scalar> Fext = {})
{
  return inverse_dynamics(model, q, qd, VectorX<Scalar>::Zero(model.nv()), Fext);
}

/// \brief \f$\phi(q)\f$: the joint forces that hold the mechanism at rest against its weight.
template <typename Scalar>
VectorX<Scalar> gravity_force(const Model<Scalar>& model, VectorArgument<Scalar> q)
{
  return bias_force(model, q, VectorX<Scalar>::Zero(model.nv()));
}

/// \brief \f$C(q, \dot q)\dot q\f$: the joint forces that Coriolis and centrifugal effects need, without gravity.
template <typename Scalar>
VectorX<Scalar> coriolis_force(const Model<Scalar>& model, VectorArgument<Scalar> q, VectorArgument<Scalar> qd)
{
  InverseDynamics<Scalar> rnea(model);
  rnea.set_gravity({});
  return rnea(q, qd, VectorX<Scalar>::Zero(model.nv()));
}

// [equations-of-motion]
/// \brief The terms of \f$M(q)\ddot q + b(q,\dot q) = \tau\f$ \eq{kim,32}, read off inverse dynamics column by column.
template <typename Scalar>
struct EquationsOfMotion {
  MatrixX<Scalar> M;         ///< nv x nv mass matrix
  VectorX<Scalar> b;         ///< bias: inverse dynamics at zero acceleration, gravity and external wrenches included
  VectorX<Scalar> gravity;   ///< the part of b that a body at rest needs, without external wrenches
  VectorX<Scalar> coriolis;  ///< the part of b that the rates need, without gravity and external wrenches

  EquationsOfMotion(InverseDynamics<Scalar>& rnea, const VectorX<Scalar>& q, const VectorX<Scalar>& qd,
                    const ExternalWrenches<Scalar>& Fext = {})
  {
    const int n = rnea.model().nv();
    const VectorX<Scalar> none = VectorX<Scalar>::Zero(n);
    b = rnea(q, qd, none, Fext);
    gravity = rnea(q, none, none);
    const Twist<Scalar> base = rnea.Vdot[0];
    rnea.Vdot[0] = {};
    coriolis = rnea(q, qd, none);
    M.resize(n, n);
    for (int k = 0; k < n; ++k) M.col(k) = rnea(q, none, VectorX<Scalar>::Unit(n, k));
    rnea.Vdot[0] = base;
  }
};
// [equations-of-motion]

/// \brief The terms of \f$M\ddot q + b = \tau\f$ \eq{kim,32} in one line; see EquationsOfMotion.
template <typename Scalar>
EquationsOfMotion<Scalar> equations_of_motion(const Model<Scalar>& model, VectorArgument<Scalar> q,
                                              VectorArgument<Scalar> qd, const ExternalWrenches<Scalar>& Fext = {})
{
  InverseDynamics<Scalar> rnea(model);
  return {rnea, q, qd, Fext};
}

}  // namespace articulate
