/** \file
 *  \brief All second derivatives of forward and of hybrid dynamics, from those of inverse dynamics.
 *
 *  - Chapter: \ref derivatives, \eq{ours,55}.
 */
#pragma once
#include <articulate/derivatives/hybrid_jacobians.hpp>
#include <articulate/derivatives/second_derivatives.hpp>

namespace articulate {

/** \brief Hessians of \f$(\tau_u, \ddot q_v)\f$ with respect to \f$q, \dot q\f$ and what is given; with nothing prescribed these
 *  are the Hessians of forward dynamics.
 *
 *  The equation of motion holds along every change, and along every change of a change. What inverse dynamics gains to second
 *  order while the unknowns change to first order must be compensated by the unknowns.
 *
 *  Rows of u are forces, rows of v accelerations; what is given are accelerations in u and forces in v. All others vanish:
 *  the answer is linear in what is given, with factors that do not depend on rates. Derivatives with respect to q
 *  are along joint displacements, as in InverseDynamicsSecondDerivatives. The cost is O(n^4), in products of matrices.
 */
template <typename Scalar>
class HybridDynamicsSecondDerivatives {
public:
  Hessians<Scalar> dq_dq;      ///< [i](j, k): of answer i with respect to \f$q_j\f$ and \f$q_k\f$
  Hessians<Scalar> dq_dqd;     ///< [i](j, k): with respect to \f$q_j\f$ and \f$\dot q_k\f$
  Hessians<Scalar> dqd_dqd;    ///< [i](j, k): with respect to \f$\dot q_j\f$ and \f$\dot q_k\f$
  Hessians<Scalar> dq_dgiven;  ///< [i](j, k): with respect to \f$q_j\f$ and what is given of degree k

  explicit HybridDynamicsSecondDerivatives(const Model<Scalar>& model)
      : dq_dq(model.nv(), MatrixX<Scalar>::Zero(model.nv(), model.nv())),
        dq_dqd(dq_dq),
        dqd_dqd(dq_dq),
        dq_dgiven(dq_dq),
        rnea_(model),
        inverse_(model),
        first_(model),
        gain_(dq_dq)
  {
  }

  /** \brief Fill the Hessians.
   *  \param dynamics    forward or hybrid dynamics, run at the state; its articulated inertias are used
   *  \param q, qd, qdd  the nq coordinates and nv rates of that run, and all nv accelerations after it
   *  \param Fext        the external wrenches of that run, constant in body frames
   *  \throws StateError when the dynamics has not run
   */
  void operator()(ArticulatedBodies<Scalar>& dynamics, const VectorRef<Scalar>& q, const VectorRef<Scalar>& qd,
                  const VectorRef<Scalar>& qdd, const ExternalWrenches<Scalar>& Fext = {})
  {
    first_(dynamics, q, qd, qdd);
    rnea_.V[0] = dynamics.V[0];
    rnea_.Vdot[0] = dynamics.Vdot[0];
    rnea_(q, qd, qdd, Fext);
    inverse_(rnea_, qd, qdd);
    // [hybrid-second-derivatives]
    // How all accelerations change to first order: those in u are given.
    const MatrixX<Scalar> by_q = accelerations(dynamics, first_.by_q, false),
                          by_qd = accelerations(dynamics, first_.by_qd, false),
                          by_given = accelerations(dynamics, first_.by_given, true);
    // What inverse dynamics gains: M changes with q alone, and multiplies the changes of the accelerations.
    const Hessians<Scalar>& dM = inverse_.dq_dqdd;
    gain(dq_dq, dynamics, [&](int i, MatrixX<Scalar>& G) {
      const MatrixX<Scalar> once = dM[i] * by_q;
      G = inverse_.dq_dq[i] + once + once.transpose();
    });
    gain(dq_dqd, dynamics, [&](int i, MatrixX<Scalar>& G) { G = inverse_.dq_dqd[i] + dM[i] * by_qd; });
    gain(dqd_dqd, dynamics, [&](int i, MatrixX<Scalar>& G) { G = inverse_.dqd_dqd[i]; });
    gain(dq_dgiven, dynamics, [&](int i, MatrixX<Scalar>& G) { G = dM[i] * by_given; });
    // [hybrid-second-derivatives]
  }

private:
  /// The first derivatives of all accelerations, from those of the answers.
  static MatrixX<Scalar> accelerations(const ArticulatedBodies<Scalar>& dynamics, MatrixX<Scalar> by, bool by_given)
  {
    for (int i = 0; i < by.rows(); ++i)
      if (dynamics.is_prescribed(i)) {
        by.row(i).setZero();
        if (by_given) by(i, i) = Scalar(1);
      }
    return by;
  }

  // [chain-second]
  /// As in HybridDynamicsJacobians: a gain stays in the forces in u; in v it is an excess force.
  template <typename Gain>
  void gain(Hessians<Scalar>& H, const ArticulatedBodies<Scalar>& dynamics, const Gain& of_inverse_dynamics)
  {
    const int n = static_cast<int>(H.size());
    for (int i = 0; i < n; ++i) of_inverse_dynamics(i, gain_[i]);
    for (int i = 0; i < n; ++i) {
      H[i].setZero();
      if (dynamics.is_prescribed(i)) H[i] = gain_[i];
      for (int l = 0; l < n; ++l)
        if (!dynamics.is_prescribed(l)) H[i] -= first_.by_given(i, l) * gain_[l];
    }
  }
  // [chain-second]

  InverseDynamics<Scalar> rnea_;
  InverseDynamicsSecondDerivatives<Scalar> inverse_;
  HybridDynamicsJacobians<Scalar> first_;
  Hessians<Scalar> gain_;
};

/** \brief \f$\partial^2\ddot q/\partial q\partial q,\ \partial q\partial\dot q,\ \partial\dot q\partial\dot q\f$ and
 *  \f$\partial q\partial\tau\f$, which is \f$\partial M^{-1}/\partial q\f$, in one line; see HybridDynamicsSecondDerivatives.
 *
 *  The arguments are those of forward_dynamics().
 */
template <typename Scalar>
DynamicsHessians<Scalar> forward_dynamics_hessians(const Model<Scalar>& model, VectorArgument<Scalar> q,
                                                   VectorArgument<Scalar> qd, VectorArgument<Scalar> tau,
                                                   const ExternalWrenches<Scalar>& Fext = {})
{
  ForwardDynamics<Scalar> aba(model);
  const VectorX<Scalar> qdd = aba(q, qd, tau, Fext);
  HybridDynamicsSecondDerivatives<Scalar> of(model);
  of(aba, q, qd, qdd, Fext);
  return {of.dq_dq, of.dq_dqd, of.dqd_dqd, of.dq_dgiven};
}

/** \brief Second derivatives of what hybrid dynamics finds in one line: of forces in u, of accelerations in v.
 *
 *  The arguments are those of hybrid_dynamics(); see HybridDynamicsSecondDerivatives.
 */
template <typename Scalar>
DynamicsHessians<Scalar> hybrid_dynamics_hessians(const Model<Scalar>& model, const std::vector<bool>& prescribed,
                                                  VectorArgument<Scalar> q, VectorArgument<Scalar> qd,
                                                  VectorArgument<Scalar> qdd, VectorArgument<Scalar> tau,
                                                  const ExternalWrenches<Scalar>& Fext = {})
{
  HybridDynamics<Scalar> dynamics(model, prescribed);
  dynamics(q, qd, qdd, tau, Fext);
  HybridDynamicsSecondDerivatives<Scalar> of(model);
  of(dynamics, q, qd, dynamics.qdd(), Fext);
  return {of.dq_dq, of.dq_dqd, of.dqd_dqd, of.dq_dgiven};
}

}  // namespace articulate
