/** \file
 *  \brief How the momentum of the whole, and the rate of this momentum, change with coordinates and rates.
 *
 *  - Chapter: \ref derivatives, \eq{ours,57}.
 */
#pragma once
#include <articulate/derivatives/subtree_changes.hpp>
#include <articulate/lagrange/centroidal_momentum.hpp>
#include <articulate/rnea/inverse_dynamics.hpp>

namespace articulate {

/** \brief The derivatives of \f$h\f$ and \f$\dot h\f$ of CentroidalMomentum, 6 x nv each, in O(n).
 *
 *  About the centre of mass, which is displaced as well, in the axes of the world, moment first. The derivatives of
 *  \f$h\f$ with respect to the rates, and of \f$\dot h\f$ with respect to the accelerations, are A. The lower half of
 *  `dh_dq` divided by the mass is the derivative of the velocity of the centre of mass, that of `dhdot_dq` the one of its
 *  acceleration.
 *
 *  Pinocchio: computeCentroidalDynamicsDerivatives, getCenterOfMassVelocityDerivatives. Derivatives with respect to q are
 *  along joint displacements: of a ball or free joint to \f$T e^{[\delta]}\f$ with its rate, the body twist, held.
 */
template <typename Scalar>
class CentroidalDerivatives : SubtreeChanges<Scalar> {
  using Base = SubtreeChanges<Scalar>;
  using Base::poses_, Base::subtree_, Base::column_;

public:
  CentroidalMomentum<Scalar> whole;  ///< at the state of the latest call
  MatrixX<Scalar> dh_dq;             ///< of the momentum
  MatrixX<Scalar> dhdot_dq;          ///< of its rate
  MatrixX<Scalar> dhdot_dqd;

  /** \brief Make the workspace.
   *  \throws ModelError when no body that moves has mass
   */
  explicit CentroidalDerivatives(const Model<Scalar>& model)
      : Base(model),
        whole(model),
        dh_dq(MatrixX<Scalar>::Zero(6, model.nv())),
        dhdot_dq(dh_dq),
        dhdot_dqd(dh_dq),
        rnea_(model),
        L_(model.bodies() + 1)
  {
  }

  /** \brief Fill the matrices.
   *  \param q    nq coordinates (rad, m; free joint: position, quaternion x y z w)
   *  \param qd   nv joint rates (rad/s, m/s; free joint: body twist)
   *  \param qdd  nv joint accelerations
   *  \throws SizeError naming the argument, the length given and the length expected
   */
  void operator()(const VectorRef<Scalar>& q, const VectorRef<Scalar>& qd, const VectorRef<Scalar>& qdd)
  {
    const Model<Scalar>& model = rnea_.model();
    detail::require_size("qdd", qdd, model.nv());
    whole(q, qd);
    Vector3<Scalar> force = whole.bias.f;
    for (int k = 0; k < model.nv(); ++k) force += qdd(k) * Vector3<Scalar>(whole.A.col(k).template tail<3>());
    // [centroidal-derivatives]
    // Seen from a frame that moves along with the centre of mass: there the whole has no linear momentum, and no force.
    rnea_.V[0] = {{}, -whole.velocity};
    rnea_.Vdot[0] = {{}, -(Scalar(1) / whole.mass * force)};
    rnea_(q, qd, qdd);
    poses_.X = whole.places();
    this->change_all(rnea_, qd, qdd);
    this->gather(model, rnea_.F);

    for (const Body<Scalar>& body : model.outward())
      L_[body.index] = coAdInv(poses_.X[body.index], body.I * rnea_.V[body.index]);
    for (const Body<Scalar>& body : model.inward()) {
      const int i = body.index;
      for (int k = body.v; k < body.v + body.nv; ++k) {
        const auto C = subtree_(k);
        const auto x = column_(k);
        dh_dq.col(k) = coordinates(C.I * x.c_q - coad(x.J, L_[i]));
        dhdot_dq.col(k) = coordinates(C.needs(x.c_q, x.g_q) - coad(x.J, x.F));
        dhdot_dqd.col(k) = coordinates(C.needs(x.J, x.g_qd));
      }
      if (body.parent != 0) L_[body.parent] += L_[i];
    }
    // [centroidal-derivatives]
  }

private:
  InverseDynamics<Scalar> rnea_;
  Indexed<Wrench<Scalar>> L_;  // by body: the momentum of everything behind its joint
};

/// \brief What CentroidalDerivatives finds, 6 x nv each.
template <typename Scalar>
struct CentroidalJacobians {
  MatrixX<Scalar> momentum_by_q, rate_by_q, rate_by_qd;
};

/// \brief The derivatives of the momentum about the centre of mass and of its rate in one line; see CentroidalDerivatives.
template <typename Scalar>
CentroidalJacobians<Scalar> centroidal_jacobians(const Model<Scalar>& model, VectorArgument<Scalar> q,
                                                 VectorArgument<Scalar> qd, VectorArgument<Scalar> qdd)
{
  CentroidalDerivatives<Scalar> of(model);
  of(q, qd, qdd);
  return {of.dh_dq, of.dhdot_dq, of.dhdot_dqd};
}

}  // namespace articulate
