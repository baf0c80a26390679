/** \file
 *  \brief How the Jacobian of a link changes with the coordinates.
 *
 *  - Chapter: \ref derivatives, \eq{ours,58}.
 */
#pragma once
#include <articulate/model/kinematics.hpp>  // ForwardKinematics: S, T, link_jacobian

namespace articulate {

/** \brief \f$\partial J/\partial q_j\f$ of `link_jacobian` for all j: by coordinate, 6 x nv each, in O(d^2) for a path of d.
 *
 *  Known as the kinematic Hessian (Pinocchio: getJointKinematicHessian). Derivatives with respect to q are along joint
 *  displacements: of a ball or free joint to \f$T e^{[\delta]}\f$.
 *  \throws StateError when the kinematics has not run
 */
template <typename Scalar>
Indexed<MatrixX<Scalar>> link_jacobian_derivatives(const ForwardKinematics<Scalar>& at, const LinkFrame<Scalar>& link,
                                                   JacobianFrame frame = JacobianFrame::link)
{
  at.require_run("Jacobian of a link");
  const Model<Scalar>& model = at.model();
  const SE3<Scalar> X_frame = at.seen_from(link, frame);
  Indexed<MatrixX<Scalar>> H(model.nv(), MatrixX<Scalar>::Zero(6, model.nv()));
  // [kinematic-hessian]
  // The columns of the link, in its own frame.
  Indexed<Twist<Scalar>> J(model.nv());
  SE3<Scalar> X = link.X;
  for (const Body<Scalar>& body : model.way_to_base(link.body)) {
    for (int k = body.v; k < body.v + body.nv; ++k) J[k] = AdInv(X, at.S[body.index].column(k - body.v));
    X = at.T[body.index] * X;
  }
  // Coordinate j displaces the link relative to the frame, and relative to the joints before its own.
  for (const Body<Scalar>& displaced : model.way_to_base(link.body))
    for (const Body<Scalar>& body : model.way_to_base(link.body)) {
      const bool side_by_side =
          body.index == displaced.index && (body.kind == JointKind::ball || body.kind == JointKind::free);
      for (int j = displaced.v; j < displaced.v + displaced.nv; ++j)
        for (int k = body.v; k < body.v + body.nv; ++k) {
          Twist<Scalar> change = ad(against(frame, J[j]), J[k]);
          if (k < j && !side_by_side) change += ad(J[k], J[j]);
          H[j].col(k) = coordinates(Ad(X_frame, change));
        }
    }
  // [kinematic-hessian]
  return H;
}

/// \brief The derivatives of the Jacobian of a link with respect to q in one line; see above.
template <typename Scalar>
Indexed<MatrixX<Scalar>> link_jacobian_derivatives(const Model<Scalar>& model, const LinkFrame<Scalar>& link,
                                                   VectorArgument<Scalar> q, JacobianFrame frame = JacobianFrame::link)
{
  ForwardKinematics<Scalar> kinematics(model);
  kinematics(q, VectorX<Scalar>::Zero(model.nv()));
  return link_jacobian_derivatives(kinematics, link, frame);
}

}  // namespace articulate
