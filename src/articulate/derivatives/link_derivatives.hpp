/** \file
 *  \brief How the twist and the acceleration of a link change with coordinates and rates.
 *
 *  - Chapter: \ref derivatives, \eq{ours,56}.
 */
#pragma once
#include <articulate/derivatives/subtree_changes.hpp>
#include <articulate/model/space_motion.hpp>

namespace articulate {

/** \brief First derivatives of the motion of a link, 6 x nv each.
 *
 *  Those of its twist with respect to the rates, and of its acceleration with respect to the accelerations, are its
 *  Jacobian.
 */
template <typename Scalar>
struct LinkMotionJacobians {
  MatrixX<Scalar> twist_by_q, acceleration_by_q, acceleration_by_qd;
};

/** \brief The derivatives of `link_twist` and `link_acceleration` of any link, in any of the three frames.
 *
 *  Pinocchio: computeForwardKinematicsDerivatives, getFrameVelocityDerivatives, getFrameAccelerationDerivatives.
 *  Derivatives with respect to q are along joint displacements: of a ball or free joint to \f$T e^{[\delta]}\f$ with its
 *  rate, the body twist, held.
 */
template <typename Scalar>
class LinkDerivatives : SubtreeChanges<Scalar> {
  using Base = SubtreeChanges<Scalar>;
  using Base::poses_, Base::motion_, Base::column_;

public:
  explicit LinkDerivatives(const Model<Scalar>& model) : Base(model) {}

  /** \brief Find what every degree of freedom changes.
   *  \param motion   run at the state, with or without gravity   \param qd, qdd  the nv rates and accelerations of that run
   *  \throws SizeError naming the argument, the length given and the length expected
   *  \throws StateError when the motion has not run
   */
  void operator()(const SpaceMotion<Scalar>& motion, const VectorRef<Scalar>& qd, const VectorRef<Scalar>& qdd)
  {
    this->carry_out(motion, qd, qdd);
    first_run_.done();
  }

  /** \brief The derivatives for a link, or a frame that it carries, at the motion of the latest call.
   *  \throws StateError before the first run
   */
  LinkMotionJacobians<Scalar> of(const SpaceMotion<Scalar>& motion, const LinkFrame<Scalar>& link,
                                 JacobianFrame frame = JacobianFrame::link) const
  {
    first_run_.require("derivative of a motion");
    const Model<Scalar>& model = motion.model();
    const MatrixX<Scalar> none = MatrixX<Scalar>::Zero(6, model.nv());
    LinkMotionJacobians<Scalar> by{none, none, none};
    // [link-derivatives]
    const int i = link.body;
    const SE3<Scalar> X = poses_.X[i] * link.X, X_frame = motion.seen_from(link, frame);
    const Twist<Scalar> V_i = i == 0 ? Twist<Scalar>{} : motion_(model.body(i).v).V;
    const Twist<Scalar> V = motion.link_twist(link), A = motion.link_acceleration(link);
    for (const Body<Scalar>& body : model.way_to_base(i))
      for (int k = body.v; k < body.v + body.nv; ++k) {
        const auto x = column_(k);
        const Twist<Scalar> J = AdInv(X, x.J), Y = against(frame, J);
        by.twist_by_q.col(k) = coordinates(Ad(X_frame, AdInv(X, x.c_q) + ad(Y, V)));
        by.acceleration_by_q.col(k) = coordinates(Ad(X_frame, AdInv(X, x.g_q - ad(V_i, x.c_q)) + ad(Y, A)));
        by.acceleration_by_qd.col(k) = coordinates(Ad(X_frame, AdInv(X, x.g_qd - ad(V_i, x.J))));
      }
    // [link-derivatives]
    return by;
  }

private:
  detail::FirstRun first_run_;
};

/// \brief The derivatives of twist and acceleration of a link in one line; see LinkDerivatives.
template <typename Scalar>
LinkMotionJacobians<Scalar> link_motion_jacobians(const Model<Scalar>& model, const LinkFrame<Scalar>& link,
                                                  VectorArgument<Scalar> q, VectorArgument<Scalar> qd,
                                                  VectorArgument<Scalar> qdd, JacobianFrame frame = JacobianFrame::link)
{
  SpaceMotion<Scalar> motion(model);
  motion(q, qd, qdd);
  LinkDerivatives<Scalar> derivatives(model);
  derivatives(motion, qd, qdd);
  return derivatives.of(motion, link, frame);
}

}  // namespace articulate
