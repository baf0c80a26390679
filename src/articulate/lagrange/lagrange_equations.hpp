/** \file
 *  \brief Lagrange's equations in their plain form: the energies of the bodies, differentiated by brackets of twists.
 *
 *  - Paper: Ma 2021, section 4, \eq{ma,36} to \eq{ma,40}.
 *  - Chapter: \ref lagrange
 */
#pragma once
#include <articulate/model/kinematics.hpp>  // ForwardKinematics: pose, V, potential_energy

namespace articulate {

// [koenig]
/** \brief Koenig's kinetic energy of a body: that of its centre of mass, and that of its rotation about it (J) \eq{ma,37}.
 *
 *  The same number as `kinetic_energy`, by the two terms that the paper adds. A body without mass has no centre; its r
 *  is 0.
 */
template <typename Scalar>
Scalar koenig_energy(const Inertia<Scalar>& I, const Twist<Scalar>& V)
{
  const Vector3<Scalar> r = comparable(I.mass) == 0 ? Vector3<Scalar>{} : Scalar(1) / I.mass * I.first_moment;
  const Symmetric3<Scalar> I_c = I.second_moment - skew_products(I.mass / Scalar(2) * r, r);
  const Vector3<Scalar>& w = V.w;                 // (40)
  const Vector3<Scalar> v_c = V.v + cross(w, r);  // (39)
  return (I.mass * inner(v_c, v_c) + inner(w, I_c * w)) / Scalar(2);
}
// [koenig]

/** \brief Which joint forces does a motion need, by \f$\frac{d}{dt}\frac{\partial E}{\partial\dot q_k} -
 *  \frac{\partial E}{\partial q_k} + \frac{\partial U}{\partial q_k} = Q_k\f$? \eq{ma,36}
 *
 *  No sine is ever differentiated. A rate \f$\dot q_k\f$ moves body i by the partial twist
 *  \f$J_{ik} = \partial V_i/\partial\dot q_k\f$, and both other derivatives are brackets with it. Let \f$W_{ik}\f$ be the
 *  part of \f$V_i\f$ that is due to the coordinates before k. Then
 *  \f$\partial V_i/\partial q_k = \ad_{W_{ik}}J_{ik}\f$, since a change of \f$q_k\f$ changes how body i sees what comes before,
 *  and \f$\dot J_{ik} = \ad_{J_{ik}}(V_i - W_{ik})\f$, since what comes behind carries body i away from the screw.
 *
 *  It takes O(n d) for a tree of depth d: one walk to the base for each body. The rates of joints without a chart are
 *  not derivatives of coordinates. For them \f$\partial/\partial q_k\f$ is the derivative along the motion that the rate
 *  alone makes, and Hamel's term is added; with coordinates it is zero.
 */
template <typename Scalar>
class LagrangeEquations : public ForwardKinematics<Scalar> {
  using Base = ForwardKinematics<Scalar>;
  using Base::model_;

public:
  using Base::T, Base::S, Base::V, Base::Vdot, Base::pose, Base::carry_acceleration, Base::potential_energy;

  Scalar E = Scalar(0);          ///< kinetic energy (J) \eq{ma,37}
  Scalar U = Scalar(0);          ///< potential energy (J), zero with the centre of mass at the origin \eq{ma,38}
  VectorX<Scalar> dE_dqd;        ///< \f$\partial E/\partial\dot q_k\f$, the momentum of each coordinate
  VectorX<Scalar> dE_dqd_rate;   ///< \f$\frac{d}{dt}\,\partial E/\partial\dot q_k\f$
  VectorX<Scalar> dE_dq, dU_dq;  ///< \f$\partial E/\partial q_k\f$, \f$\partial U/\partial q_k\f$
  VectorX<Scalar> hamel;         ///< the term to add where rates are not derivatives of coordinates

  explicit LagrangeEquations(const Model<Scalar>& model) : Base(model), gravity_(model.gravity())
  {
    Base::set_gravity({});  // the accelerations are true ones: weight is in U
  }

  /// \brief Gravitational acceleration in the world frame (m/s^2).
  void set_gravity(const Vector3<Scalar>& g) { gravity_ = g; }

  /** \brief Joint forces of a motion.
   *  \param q    nq coordinates (rad, m; free joint: position, quaternion x y z w)
   *  \param qd   nv joint rates (rad/s, m/s; free joint: body twist)
   *  \param qdd  nv joint accelerations: the component-wise derivative of qd
   *  \return     nv joint forces (N m, N; free joint: wrench in the body frame)
   *  \throws SizeError naming the argument, the length given and the length expected
   */
  VectorX<Scalar> operator()(const VectorRef<Scalar>& q, const VectorRef<Scalar>& qd, const VectorRef<Scalar>& qdd)
  {
    detail::require_size("qdd", qdd, model_.nv());
    Base::operator()(q, qd);
    E = Scalar(0), U = potential_energy(gravity_);  // (38)
    for (VectorX<Scalar>* x : {&dE_dqd, &dE_dqd_rate, &dE_dq, &dU_dq, &hamel}) *x = VectorX<Scalar>::Zero(model_.nv());
    for (const Body<Scalar>& body : model_.outward()) {
      carry_acceleration(body, qdd);
      E += koenig_energy(body.I, V[body.index]);  // (37)
      differentiate(body.index, qd);
    }
    return dE_dqd_rate - dE_dq + hamel + dU_dq;  // (36)
  }

private:
  // [lagrange-derivatives]
  /// Add the contribution of body i to the derivatives, coordinate by coordinate on the path from the body to the base.
  void differentiate(int i, const VectorRef<Scalar>& qd)
  {
    const Inertia<Scalar>& I = model_.body(i).I;
    const Wrench<Scalar> P = I * V[i], P_rate = I * Vdot[i];
    const Vector3<Scalar> g = inverse(pose[i].R) * gravity_;
    SE3<Scalar> X;  // body i in the frame of body j
    for (const Body<Scalar>& body : model_.way_to_base(i)) {
      const int j = body.index;
      const bool chart = body.nq == body.nv;
      const Twist<Scalar> before = AdInv(X, AdInv(T[j], V[body.parent])), behind = AdInv(X, V[j]);
      Twist<Scalar> W = before;
      for (int k = body.v; k < body.v + body.nv; ++k) {
        const Twist<Scalar> J = AdInv(X, S[j].column(k - body.v));  // dV_i/dqd_k
        dE_dqd(k) += pairing(P, J);
        dE_dqd_rate(k) += pairing(P_rate, J) + pairing(P, ad(J, V[i] - (chart ? W : behind)));
        dE_dq(k) += pairing(P, ad(W, J));
        dU_dq(k) -= inner(g, I.mass * J.v + cross(J.w, I.first_moment));  // the centre of mass moves as (39) says
        if (chart)
          W += qd(k) * J;
        else
          hamel(k) += pairing(P, ad(J, behind - before));
      }
      X = T[j] * X;
    }
  }
  // [lagrange-derivatives]

  Vector3<Scalar> gravity_;
};

}  // namespace articulate
