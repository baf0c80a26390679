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

/** \brief The twists of a reference motion, beside those of the true one.
 *
 *  \f$V_r\f$ is made of the reference rates, and \f$\dot V_r\f$ is its derivative in time along the *true* motion.
 */
template <typename Scalar>
class ReferenceMotion : public Recursion<Scalar> {
  using Base = Recursion<Scalar>;

protected:
  using Base::model_;

public:
  using Base::T, Base::S, Base::V, Base::Vdot, Base::place, Base::carry_velocity;

  Indexed<Twist<Scalar>> V_r;     ///< \f$V_{r,i} = \Ad V_{r,\lambda(i)} + S_i\dot q_r\f$
  Indexed<Twist<Scalar>> Vdot_r;  ///< its component-wise derivative, the base's gravity included

  explicit ReferenceMotion(const Model<Scalar>& model) : Base(model), V_r(T.size()), Vdot_r(T.size()) {}

protected:
  // [reference-out]
  /// Carry the true twist of a body, its reference twist and the rate of the latter.
  void carry(const Body<Scalar>& body, Rates<Scalar> qd, Rates<Scalar> qd_r, Rates<Scalar> qdd_r)
  {
    const int i = body.index, parent = body.parent;
    carry_velocity(body, qd);
    const Twist<Scalar> carried = AdInv(T[i], V_r[parent]);
    V_r[i] = carried + S[i] * qd_r(body);
    const Twist<Scalar>& Vdot_parent = parent == 0 ? Vdot[0] : Vdot_r[parent];
    Vdot_r[i] = AdInv(T[i], Vdot_parent) + ad(carried, S[i] * qd(body)) + S[i] * qdd_r(body);
    if (S[i].is_constant()) return;
    for (int k = 0; k < body.nv; ++k) Vdot_r[i] += qd_r(body)[k] * S[i].rate(k, qd(body));
  }
  // [reference-out]

  void require_sizes(const VectorRef<Scalar>& q, const VectorRef<Scalar>& qd, const VectorRef<Scalar>& qd_r,
                     const VectorRef<Scalar>& qdd_r) const
  {
    detail::require_size("q", q, model_.nq());
    detail::require_size("qd", qd, model_.nv());
    detail::require_size("qd_r", qd_r, model_.nv());
    detail::require_size("qdd_r", qdd_r, model_.nv());
  }
};

/** \brief \f$\tau = M(q)\ddot q_r + C(q,\dot q)\dot q_r + \phi(q)\f$: what a passivity-based controller needs, in O(n).
 *
 *  With \f$\dot q_r = \dot q\f$ it is inverse dynamics, in every family. Otherwise the family matters.
 */
template <typename Scalar>
class ReferenceDynamics : public ReferenceMotion<Scalar> {
  using Base = ReferenceMotion<Scalar>;
  using Base::model_;

public:
  using Base::T, Base::V, Base::Vdot, Base::V_r, Base::Vdot_r, Base::gather_force, Base::place;

  explicit ReferenceDynamics(const Model<Scalar>& model, CoriolisFamily family = CoriolisFamily::christoffel)
      : Base(model), family_(family), F_(T.size()), tau_(VectorX<Scalar>::Zero(model.nv()))
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
    this->require_sizes(q, qd, qd_r, qdd_r);
    run_sweep<Scalar>([&] {
      // [reference-dynamics]
      place(q);
      for (const Body<Scalar>& body : model_.outward()) {
        const int i = body.index;
        this->carry(body, qd, qd_r, qdd_r);
        F_[i] = body.I * Vdot_r[i] + coriolis_wrench(family_, body.I, V[i], V_r[i]);
      }
      F_[0] = {};
      for (const Body<Scalar>& body : model_.inward()) gather_force(body, F_, tau_);
      // [reference-dynamics]
    });
    return tau_;
  }

  /// \brief \f$C(q,\dot q)\dot q_r\f$ alone; sizes and units as above.
  VectorX<Scalar> coriolis_product(const VectorRef<Scalar>& q, const VectorRef<Scalar>& qd,
                                   const VectorRef<Scalar>& qd_r)
  {
    const VectorX<Scalar> none = VectorX<Scalar>::Zero(model_.nv());
    this->require_sizes(q, qd, qd_r, none);
    const Twist<Scalar> base = Vdot[0];
    Vdot[0] = {};
    const VectorX<Scalar> product = (*this)(q, qd, qd_r, none);
    Vdot[0] = base;
    return product;
  }

private:
  CoriolisFamily family_;
  Indexed<Wrench<Scalar>> F_;
  VectorX<Scalar> tau_;
};

/// \brief Reference dynamics in one line; see ReferenceDynamics.
template <typename Scalar>
VectorX<Scalar> reference_dynamics(const Model<Scalar>& model, VectorArgument<Scalar> q, VectorArgument<Scalar> qd,
                                   VectorArgument<Scalar> qd_r, VectorArgument<Scalar> qdd_r,
                                   CoriolisFamily family = CoriolisFamily::christoffel)
{
  return ReferenceDynamics<Scalar>(model, family)(q, qd, qd_r, qdd_r);
}

/// \brief \f$C(q,\dot q)\dot q_r\f$ in one line, nv joint forces \eq{ploen,35}; see ReferenceDynamics.
template <typename Scalar>
VectorX<Scalar> coriolis_product(const Model<Scalar>& model, VectorArgument<Scalar> q, VectorArgument<Scalar> qd,
                                 VectorArgument<Scalar> qd_r, CoriolisFamily family = CoriolisFamily::christoffel)
{
  return ReferenceDynamics<Scalar>(model, family).coriolis_product(q, qd, qd_r);
}

}  // namespace articulate
