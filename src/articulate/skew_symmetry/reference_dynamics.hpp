/** \file
 *  \brief Newton-Euler with a reference rate: \f$M\ddot q_r + C(q,\dot q)\dot q_r + \phi\f$ in two sweeps, without C.
 *
 *  - Paper: Ploen, section 5: the recursion \eq{ploen,13} to \eq{ploen,18} with \f$\bar C_i\f$ in place of \f$C_i\f$,
 *    which gives \eq{ploen,35}.
 *  - Chapter: \ref skew_symmetry
 */
#pragma once
#include <articulate/model/recursion.hpp>
#include <articulate/skew_symmetry/coriolis.hpp>

namespace articulate {

/** \brief Twists of a reference motion beside those of the true one.
 *
 *  \f$V_r\f$ is made of the reference rates, and \f$\dot V_r\f$ is its derivative in time along the *true* motion.
 */
template <typename Scalar>
class ReferenceMotion : public Recursion<Scalar> {
public:
  std::vector<Twist<Scalar>> V_r;     ///< \f$V_{r,i} = \Ad V_{r,\lambda(i)} + S_i\dot q_r\f$
  std::vector<Twist<Scalar>> Vdot_r;  ///< its component-wise derivative, the base's gravity included

  explicit ReferenceMotion(const Model<Scalar>& model)
      : Recursion<Scalar>(model), V_r(this->T.size()), Vdot_r(this->T.size())
  {
  }

protected:
  // [reference-out]
  /// Place the body, carry its true twist, its reference twist and the rate of that.
  void carry(const Body<Scalar>& body, const Scalar* q, const Scalar* qd, const Scalar* qd_r, const Scalar* qdd_r)
  {
    const int i = body.index;
    const JointJacobian<Scalar>& S = this->S[i];
    this->place(body, q);
    this->carry_velocity(body, qd);
    const Twist<Scalar> carried = AdInv(this->T[i], V_r[body.parent]);
    V_r[i] = S.add(carried, qd_r + body.v);
    const Twist<Scalar> Vdot_parent = body.parent == 0 ? this->Vdot[0] : Vdot_r[body.parent];
    Vdot_r[i] = S.add(AdInv(this->T[i], Vdot_parent) + S.bracket(carried, qd + body.v), qdd_r + body.v);
    if (S.is_constant()) return;
    for (int k = 0; k < body.nv; ++k) Vdot_r[i] += qd_r[body.v + k] * S.rate(k, qd + body.v);
  }
  // [reference-out]

  void require_sizes(const VectorRef<Scalar>& q, const VectorRef<Scalar>& qd, const VectorRef<Scalar>& qd_r,
                     const VectorRef<Scalar>& qdd_r) const
  {
    detail::require_size("q", q, this->model().nq());
    detail::require_size("qd", qd, this->model().nv());
    detail::require_size("qd_r", qd_r, this->model().nv());
    detail::require_size("qdd_r", qdd_r, this->model().nv());
  }
};

/** \brief \f$\tau = M(q)\ddot q_r + C(q,\dot q)\dot q_r + \phi(q)\f$: what a controller based on passivity needs, in O(n).
 *
 *  With \f$\dot q_r = \dot q\f$ it is inverse dynamics, in every family. Otherwise the family matters.
 */
template <typename Scalar>
class ReferenceDynamics : public ReferenceMotion<Scalar> {
public:
  explicit ReferenceDynamics(const Model<Scalar>& model, CoriolisFamily family = CoriolisFamily::christoffel)
      : ReferenceMotion<Scalar>(model), family_(family), F_(this->T.size()), tau_(VectorX<Scalar>::Zero(model.nv()))
  {
  }

  /** \brief Joint forces for a reference rate and its derivative.
   *  \param q      nq coordinates (rad, m; free joint: position, quaternion x y z w)
   *  \param qd     nv joint rates (rad/s, m/s; free joint: body twist)
   *  \param qd_r   nv reference rates, in the units of qd
   *  \param qdd_r  nv, the derivative of qd_r in time
   *  \return       nv joint forces (N m, N; free joint: wrench in the body frame)
   *  \throws SizeError naming the argument, the length given and the length expected
   */
  const VectorX<Scalar>& operator()(const VectorRef<Scalar>& q, const VectorRef<Scalar>& qd,
                                    const VectorRef<Scalar>& qd_r, const VectorRef<Scalar>& qdd_r)
  {
    const Model<Scalar>& model = this->model();
    this->require_sizes(q, qd, qd_r, qdd_r);
    // [reference-dynamics]
    for (int i = 1; i <= model.bodies(); ++i) {
      const Body<Scalar>& body = model.body(i);
      this->carry(body, q.data(), qd.data(), qd_r.data(), qdd_r.data());
      F_[i] = body.I * this->Vdot_r[i] + coriolis_wrench(family_, body.I, this->V[i], this->V_r[i]);
    }
    F_[0] = {};
    for (int i = model.bodies(); i >= 1; --i) {
      const Body<Scalar>& body = model.body(i);
      this->S[i].project(F_[i], tau_.data() + body.v);
      F_[body.parent] += coAdInv(this->T[i], F_[i]);
    }
    // [reference-dynamics]
    return tau_;
  }

  /// \brief \f$C(q,\dot q)\dot q_r\f$ alone; sizes and units as above.
  VectorX<Scalar> coriolis_product(const VectorRef<Scalar>& q, const VectorRef<Scalar>& qd,
                                   const VectorRef<Scalar>& qd_r)
  {
    const Twist<Scalar> base = this->Vdot[0];
    this->Vdot[0] = {};
    const VectorX<Scalar> product = (*this)(q, qd, qd_r, VectorX<Scalar>::Zero(this->model().nv()));
    this->Vdot[0] = base;
    return product;
  }

private:
  CoriolisFamily family_;
  std::vector<Wrench<Scalar>> F_;
  VectorX<Scalar> tau_;
};

}  // namespace articulate
