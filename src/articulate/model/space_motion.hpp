/** \file
 *  \brief Bodies in motion as they are seen from the world: rotation, and velocity and acceleration of any point.
 *
 *  - Paper: Ma 2021, section 3.2, \eq{ma,26} to \eq{ma,35}.
 *  - Chapter: \ref rnea
 */
#pragma once
#include <articulate/model/kinematics.hpp>  // ForwardKinematics: pose, V

namespace articulate {

// [point-jacobian]
/** \brief \f$J_v\f$, 3 x nv: the velocity of a point of a link, in world axes, is J qd \eq{ma,32}.
 *  \param point  in the link's frame (m)
 */
template <typename Scalar>
MatrixX<Scalar> point_jacobian(const ForwardKinematics<Scalar>& at, const LinkFrame<Scalar>& link,
                               const Vector3<Scalar>& point)
{
  const MatrixX<Scalar> J = at.link_jacobian(link, JacobianFrame::mixed);  // of the origin of the link
  const Vector3<Scalar> p = at.link_pose(link).R * point;
  return J.template bottomRows<3>() - skew(p).eigen() * J.template topRows<3>();  // v + w x p
}

/// \brief \f$J_\omega\f$, 3 x nv: the angular velocity of a link, in world axes, is J qd \eq{ma,35}.
template <typename Scalar>
MatrixX<Scalar> angular_jacobian(const ForwardKinematics<Scalar>& at, const LinkFrame<Scalar>& link)
{
  return at.link_jacobian(link, JacobianFrame::world).template topRows<3>();
}
// [point-jacobian]

/** \brief The motion of a tree with its accelerations, seen from the world.
 *
 *  Accelerations are true ones: gravity does not enter. Points are given in the frame of their link, which carries them.
 */
template <typename Scalar>
class SpaceMotion : public ForwardKinematics<Scalar> {
  using Base = ForwardKinematics<Scalar>;
  using Base::model_;

public:
  using Base::V, Base::Vdot, Base::pose, Base::carry_acceleration, Base::set_gravity, Base::link_pose, Base::link_twist;

  explicit SpaceMotion(const Model<Scalar>& model) : Base(model) { set_gravity({}); }

  /** \brief Place, move and accelerate every body.
   *  \param q    nq coordinates (rad, m; free joint: position, quaternion x y z w)
   *  \param qd   nv joint rates (rad/s, m/s; free joint: body twist)
   *  \param qdd  nv joint accelerations: the component-wise derivative of qd
   *  \throws SizeError naming the argument, the length given and the length expected
   */
  void operator()(const VectorRef<Scalar>& q, const VectorRef<Scalar>& qd, const VectorRef<Scalar>& qdd)
  {
    detail::require_size("qdd", qdd, model_.nv());
    Base::operator()(q, qd);
    for (const Body<Scalar>& body : model_.outward()) carry_acceleration(body, qdd);
  }

  // [link-acceleration]
  /** \brief The spatial acceleration of a link (rad/s^2, m/s^2): the rate of its body twist, number by number, expressed
   *  as the twist is \eq{ours,43}. Its linear half is not the acceleration of a point.
   *
   *  Pinocchio: getFrameAcceleration.
   */
  Twist<Scalar> link_acceleration(const LinkFrame<Scalar>& link, JacobianFrame frame = JacobianFrame::link) const
  {
    this->require_run("acceleration of a link");
    return Ad(this->seen_from(link, frame), AdInv(link.X, Vdot[link.body]));
  }

  /** \brief The classical acceleration of a link (rad/s^2, m/s^2): the angular one, and that of the point of the link which
   *  is at the origin of the frame asked for \eq{ours,44}.
   *
   *  Pinocchio: getFrameClassicalAcceleration; RBDL: CalcPointAcceleration6D; Drake: spatial acceleration; MuJoCo:
   *  mj_objectAcceleration.
   */
  Twist<Scalar> link_classical_acceleration(const LinkFrame<Scalar>& link,
                                            JacobianFrame frame = JacobianFrame::link) const
  {
    const Twist<Scalar> A = link_acceleration(link, frame), V_seen = link_twist(link, frame);
    return {A.w, A.v + cross(V_seen.w, V_seen.v)};
  }

  /// \brief \f$J\ddot q + \dot J\dot q\f$: the rate of the six numbers of `link_twist` in the same frame \eq{ours,45}.
  Twist<Scalar> link_twist_rate(const LinkFrame<Scalar>& link, JacobianFrame frame = JacobianFrame::link) const
  {
    return this->rate_of_twist(link, link_acceleration(link), frame);
  }
  // [link-acceleration]

  // [space-motion]
  /// \brief \f$V^s = \Ad_T V^b\f$ \eq{ma,26}.
  Twist<Scalar> space_velocity(const LinkFrame<Scalar>& link) const
  {
    this->require_run("twist of a link");
    return Ad(pose[link.body], V[link.body]);
  }
  /// \brief \f$\dot V^s = \Ad_T\dot V^b\f$, since \f$\ad_VV = 0\f$.
  Twist<Scalar> space_acceleration(const LinkFrame<Scalar>& link) const
  {
    this->require_run("acceleration of a link");
    return Ad(pose[link.body], Vdot[link.body]);
  }

  /// \brief The angular velocity of a link (rad/s) \eq{ma,27}.
  Vector3<Scalar> angular_velocity(const LinkFrame<Scalar>& link) const { return space_velocity(link).w; }
  /// \brief Its angular acceleration (rad/s^2), the moving axes included \eq{ma,28}.
  Vector3<Scalar> angular_acceleration(const LinkFrame<Scalar>& link) const { return space_acceleration(link).w; }

  /// \brief The velocity of a point of a link (m/s), \eq{ma,29} as its body sees it: far from the world's origin no digit
  /// is lost.
  Vector3<Scalar> velocity(const LinkFrame<Scalar>& link, const Vector3<Scalar>& point) const
  {
    this->require_run("velocity of a point");
    return pose[link.body].R * moved(V[link.body], link.X * point);
  }
  /// \brief The acceleration of a point of a link (m/s^2), \eq{ma,30} as its body sees it.
  Vector3<Scalar> acceleration(const LinkFrame<Scalar>& link, const Vector3<Scalar>& point) const
  {
    this->require_run("acceleration of a point");
    const Twist<Scalar>& V_b = V[link.body];
    const Vector3<Scalar> p = link.X * point;
    // V twice: a velocity is only turned.
    return pose[link.body].R * (moved(Vdot[link.body], p) + cross(V_b.w, moved(V_b, p)));
  }

private:
  /// \f$\hat\xi\bar p\f$.
  static Vector3<Scalar> moved(const Twist<Scalar>& xi, const Vector3<Scalar>& p) { return xi.v + cross(xi.w, p); }
  // [space-motion]
};

/// \brief The spatial acceleration of a link in one line; see SpaceMotion.
template <typename Scalar>
Twist<Scalar> link_acceleration(const Model<Scalar>& model, const LinkFrame<Scalar>& link, VectorArgument<Scalar> q,
                                VectorArgument<Scalar> qd, VectorArgument<Scalar> qdd,
                                JacobianFrame frame = JacobianFrame::link)
{
  SpaceMotion<Scalar> motion(model);
  motion(q, qd, qdd);
  return motion.link_acceleration(link, frame);
}

/// \brief The classical acceleration of a link in one line; see SpaceMotion.
template <typename Scalar>
Twist<Scalar> link_classical_acceleration(const Model<Scalar>& model, const LinkFrame<Scalar>& link,
                                          VectorArgument<Scalar> q, VectorArgument<Scalar> qd,
                                          VectorArgument<Scalar> qdd, JacobianFrame frame = JacobianFrame::link)
{
  SpaceMotion<Scalar> motion(model);
  motion(q, qd, qdd);
  return motion.link_classical_acceleration(link, frame);
}

}  // namespace articulate
