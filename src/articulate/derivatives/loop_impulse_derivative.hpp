/** \file
 *  \brief How rates and impulses change, when loops close at once, with the state before.
 *
 *  - Chapter: \ref derivatives, \eq{ours,59}.
 */
#pragma once
#include <articulate/constrained/loop_impulse.hpp>
#include <articulate/derivatives/constrained_derivative.hpp>
#include <articulate/derivatives/jacobians.hpp>

namespace articulate {

/** \brief \f$\partial(\dot q^+, \Lambda)/\partial(q, \dot q^-)\f$ of LoopImpulse, O(n) for each column.
 *
 *  Derivatives with respect to q are along joint displacements: of a ball or free joint to \f$T e^{[\delta]}\f$ with its
 *  rate before, the body twist, held. Where rows depend on each other the shortest change of the impulses is taken.
 *  Pinocchio: computeImpulseDynamicsDerivatives.
 */
template <typename Scalar>
class LoopImpulseDerivative {
public:
  LoopImpulse<Scalar> impulse;      ///< of the latest call
  MatrixX<Scalar> dqd_dq;           ///< nv x nv
  MatrixX<Scalar> dqd_dbefore;      ///< nv x nv
  MatrixX<Scalar> dLambda_dq;       ///< m x nv
  MatrixX<Scalar> dLambda_dbefore;  ///< m x nv
  MatrixX<Scalar> contradiction;    ///< m x nv: what of the rows' change with q no rates could meet

  /** \brief Make the workspace.
   *  \throws ModelError as LoopImpulse
   */
  LoopImpulseDerivative(const Model<Scalar>& model, const std::vector<Loop>& loops)
      : impulse(model, loops),
        dqd_dq(MatrixX<Scalar>::Zero(model.nv(), model.nv())),
        dqd_dbefore(dqd_dq),
        dLambda_dq(MatrixX<Scalar>::Zero(impulse.loops.rows(), model.nv())),
        dLambda_dbefore(dLambda_dq),
        contradiction(dLambda_dq),
        rnea_(model),
        momentum_(model),
        constrained_(model)
  {
    rnea_.set_gravity({});
  }

  /** \brief Let the loops close, and fill the matrices.
   *
   *  Arguments and refusals are those of LoopImpulse.
   */
  void operator()(const VectorRef<Scalar>& q, const VectorRef<Scalar>& before, const Scalar& restitution = Scalar(0))
  {
    impulse(q, before, restitution);
    const int n = impulse.loops.model().nv();
    const VectorX<Scalar> none = VectorX<Scalar>::Zero(n);
    // [loop-impulse-derivative]
    // A machine at rest, whose accelerations are a sum of rates, and whose joint forces are momenta.
    VectorX<Scalar> sum = before;
    sum *= restitution;
    sum += impulse.qd;
    rnea_(q, none, before);
    momentum_(rnea_, none, before);
    for (int k = 0; k < n; ++k) {
      Seeds<Scalar> seeds = seeds_of<Scalar>(Parameter::coordinate(k), impulse.system.tree, none);
      seeds.dtau = momentum_.dtau_dq.col(k);
      seeds.dtau *= Scalar(1) + restitution;
      constrained_(impulse.system, impulse.loops, q, none, sum, impulse.Lambda, {}, seeds);
      dqd_dq.col(k) = constrained_.dqdd;
      dLambda_dq.col(k) = constrained_.dlambda;
      contradiction.col(k) = constrained_.contradiction;

      // The rows lack more where a rate was larger.
      VectorX<Scalar> tau = none, jump = none, lacking = impulse.loops.A.col(k), Lambda(lacking.size());
      lacking *= Scalar(1) + restitution;
      impulse.system.respond(tau, jump, lacking, Lambda);
      dqd_dbefore.col(k) = jump;
      dqd_dbefore(k, k) += Scalar(1);
      dLambda_dbefore.col(k) = Lambda;
    }
    // [loop-impulse-derivative]
  }

private:
  InverseDynamics<Scalar> rnea_;
  InverseDynamicsJacobians<Scalar> momentum_;
  ConstrainedDynamicsDerivative<Scalar> constrained_;
};

/// \brief What LoopImpulseDerivative finds: nv x nv, and m x nv.
template <typename Scalar>
struct LoopImpulseJacobians {
  MatrixX<Scalar> qd_by_q, qd_by_before, Lambda_by_q, Lambda_by_before;
};

/// \brief The derivatives of rates and impulses when loops close at once, in one line; see LoopImpulseDerivative.
template <typename Scalar>
LoopImpulseJacobians<Scalar> loop_impulse_jacobians(const Model<Scalar>& model, const std::vector<Loop>& loops,
                                                    VectorArgument<Scalar> q, VectorArgument<Scalar> before,
                                                    const std::type_identity_t<Scalar>& restitution = Scalar(0))
{
  LoopImpulseDerivative<Scalar> of(model, loops);
  of(q, before, restitution);
  return {of.dqd_dq, of.dqd_dbefore, of.dLambda_dq, of.dLambda_dbefore};
}

}  // namespace articulate
