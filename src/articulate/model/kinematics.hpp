/** \file
 *  \brief Where the bodies are and how they move: poses, body twists, Jacobians, energy, momentum.
 *
 *  - Papers: Kim 2012, section 2.1, \eq{kim,35}, \eq{kim,37}, \eq{kim,15}; Park 1995, \eq{park,67}.
 *  - Chapter: \ref model
 */
#pragma once
#include <articulate/model/recursion.hpp>

namespace articulate {

/// \brief The frame in which the twist of a link is expressed.
enum class JacobianFrame {
  link,   ///< the link's own: its body twist
  world,  ///< the world's: its spatial twist, with the velocity of the point at the world's origin
  mixed   ///< the world's axes, and the velocity of the link's own origin
};

/// \brief The part of a link's twist V by which it moves relative to that frame: none, all, or its turning.
template <typename Scalar>
Twist<Scalar> against(JacobianFrame frame, const Twist<Scalar>& V)
{
  if (frame == JacobianFrame::link) return {};
  return frame == JacobianFrame::world ? V : Twist<Scalar>{V.w, {}};
}

/** \brief Forward kinematics of a tree in one sweep outward.
 *
 *  Body quantities are in body frames; those of a link are in the link's frame, the user's. Sums over the mechanism
 *  (energy, momentum, centre of mass) are over the moving bodies: a link fixed to the world does not count.
 */
template <typename Scalar>
class ForwardKinematics : public Recursion<Scalar> {
  using Base = Recursion<Scalar>;

protected:
  using Base::model_;

public:
  using Base::T, Base::S, Base::V, Base::eta, Base::place, Base::carry_velocity;

  Indexed<SE3<Scalar>> pose;  ///< \f$T_i\f$: the body in the world \eq{park,67}

  explicit ForwardKinematics(const Model<Scalar>& model) : Recursion<Scalar>(model), pose(T.size()) {}

  /** \brief Place and move every body.
   *  \param q   nq coordinates (rad, m; free joint: position, quaternion x y z w)
   *  \param qd  nv joint rates (rad/s, m/s; free joint: body twist)
   *  \throws SizeError naming the argument, the length given and the length expected
   */
  void operator()(const VectorRef<Scalar>& q, const VectorRef<Scalar>& qd)
  {
    detail::require_size("q", q, model_.nq());
    detail::require_size("qd", qd, model_.nv());
    place(q);
    for (const Body<Scalar>& body : model_.outward()) {
      const int i = body.index, parent = body.parent;
      carry_velocity(body, qd);
      pose[i] = pose[parent] * T[i];
    }
  }

  /// \brief The pose of a link in the world.
  SE3<Scalar> link_pose(const LinkFrame<Scalar>& link) const
  {
    this->require_run("pose of a link");
    return pose[link.body] * link.X;
  }

  /// \brief The twist of a link: its body twist \eq{kim,11}, or the same seen from the world or mixed.
  Twist<Scalar> link_twist(const LinkFrame<Scalar>& link, JacobianFrame frame = JacobianFrame::link) const
  {
    this->require_run("twist of a link");
    return Ad(seen_from(link, frame), AdInv(link.X, V[link.body]));
  }

  /// \brief The frame of a link, seen from the frame in which its twist is wanted.
  SE3<Scalar> seen_from(const LinkFrame<Scalar>& link, JacobianFrame frame) const
  {
    if (frame == JacobianFrame::link) return {};
    const SE3<Scalar> X = link_pose(link);
    return frame == JacobianFrame::world ? X : SE3<Scalar>{X.R, {}};
  }

  // [link-jacobian]
  /// \brief The 6 x nv matrix J with (twist of the link, in the frame asked for) = J qd.
  MatrixX<Scalar> link_jacobian(const LinkFrame<Scalar>& link, JacobianFrame frame = JacobianFrame::link) const
  {
    this->require_run("Jacobian of a link");
    MatrixX<Scalar> J = MatrixX<Scalar>::Zero(6, model_.nv());
    for_each_column(link, [&](const SE3<Scalar>& X, const Body<Scalar>& body, int k) {
      J.col(body.v + k) = coordinates(Ad(seen_from(link, frame), AdInv(X, S[body.index].column(k))));
    });
    return J;
  }

  /** \brief The rate of `link_jacobian` as its frame moves with the link, 6 x nv.
   *  \param qd  the nv rates of the latest run
   *  \throws SizeError naming the argument, the length given and the length expected
   */
  MatrixX<Scalar> link_jacobian_rate(const LinkFrame<Scalar>& link, const VectorRef<Scalar>& qd,
                                     JacobianFrame frame = JacobianFrame::link) const
  {
    detail::require_size("qd", qd, model_.nv());
    MatrixX<Scalar> Jdot = MatrixX<Scalar>::Zero(6, model_.nv());
    const SE3<Scalar> X_frame = seen_from(link, frame);
    const Twist<Scalar> V_link = link_twist(link), turned = against(frame, V_link);
    const Rates<Scalar> rates(qd);
    for_each_column(link, [&](const SE3<Scalar>& X, const Body<Scalar>& body, int k) {
      const int i = body.index;
      const Twist<Scalar> J = AdInv(X, S[i].column(k));
      const Twist<Scalar> Sdot = AdInv(X, S[i].rate(k, rates(body)));
      const Twist<Scalar> before = V_link - AdInv(X, V[i]);  // of the link relative to body i
      Jdot.col(body.v + k) = coordinates(Ad(X_frame, Sdot + ad(J, before) + ad(turned, J)));
    });
    return Jdot;
  }
  // [link-jacobian]

  // [link-bias]
  /** \brief \f$\dot J\dot q\f$ of `link_jacobian`: how its twist changes while no joint accelerates \eq{ours,42}.
   *
   *  In O(d), without the matrix. Drake: CalcBiasSpatialAcceleration; Orocos: JntToJacDot.
   */
  Twist<Scalar> link_bias_acceleration(const LinkFrame<Scalar>& link, JacobianFrame frame = JacobianFrame::link) const
  {
    this->require_run("bias acceleration of a link");
    Twist<Scalar> sum;
    for_each_body(link, [&](const SE3<Scalar>& X, const Body<Scalar>& body) { sum += AdInv(X, eta[body.index]); });
    return rate_of_twist(link, sum, frame);
  }
  // [link-bias]

  // [energies]
  /// \brief \f$\sum_i \tfrac12 V_i^{\mathsf T}\mathcal I_i V_i\f$ (J).
  Scalar kinetic_energy() const
  {
    this->require_run("kinetic energy");
    Scalar sum(0);
    for (const Body<Scalar>& body : model_.outward()) sum += articulate::kinetic_energy(body.I, V[body.index]);
    return sum;
  }

  /// \brief \f$-\sum_i m_i\, g^{\mathsf T} c_i\f$ (J): zero when the centre of mass is at the world's origin.
  Scalar potential_energy(const Vector3<Scalar>& gravity) const { return -inner(gravity, mass_moment()); }

  /// \brief The mass (kg) of the moving bodies.
  Scalar mass() const
  {
    Scalar sum(0);
    for (const Body<Scalar>& body : model_.outward()) sum += body.I.mass;
    return sum;
  }

  /// \brief \f$\sum_i m_i c_i\f$ (kg m) in the world frame.
  Vector3<Scalar> mass_moment() const
  {
    this->require_run("moment of mass");
    Vector3<Scalar> sum;
    for (const Body<Scalar>& body : model_.outward()) sum += articulate::mass_moment(pose[body.index], body.I);
    return sum;
  }
  // [energies]

  /// \brief The momentum of the whole mechanism about the world's origin, in world axes (moment first).
  Wrench<Scalar> momentum() const
  {
    this->require_run("momentum");
    Wrench<Scalar> sum;
    for (const Body<Scalar>& body : model_.outward()) sum += coAdInv(pose[body.index], body.I * V[body.index]);
    return sum;
  }

protected:
  // [rate-of-twist]
  /// The rate of `link_twist` as six numbers in a frame, from that of the body twist: the frame may turn and move.
  Twist<Scalar> rate_of_twist(const LinkFrame<Scalar>& link, const Twist<Scalar>& rate, JacobianFrame frame) const
  {
    const Twist<Scalar> V_link = link_twist(link);
    return Ad(seen_from(link, frame), rate + ad(against(frame, V_link), V_link));
  }
  // [rate-of-twist]

private:
  /// Call f(X, body) for each body that carries the link, whose pose in that body is X.
  template <typename Function>
  void for_each_body(const LinkFrame<Scalar>& link, const Function& f) const
  {
    SE3<Scalar> X = link.X;
    for (const Body<Scalar>& body : model_.way_to_base(link.body)) {
      f(X, body);
      X = T[body.index] * X;
    }
  }
  /// Call f(X, body, k) for every degree of freedom k of these.
  template <typename Function>
  void for_each_column(const LinkFrame<Scalar>& link, const Function& f) const
  {
    for_each_body(link, [&](const SE3<Scalar>& X, const Body<Scalar>& body) {
      for (int k = 0; k < body.nv; ++k) f(X, body, k);
    });
  }
};

/// \brief The kinetic energy (J) of a motion in one line; see ForwardKinematics.
template <typename Scalar>
Scalar kinetic_energy(const Model<Scalar>& model, VectorArgument<Scalar> q, VectorArgument<Scalar> qd)
{
  ForwardKinematics<Scalar> kinematics(model);
  kinematics(q, qd);
  return kinematics.kinetic_energy();
}

/// \brief The potential energy (J) at a configuration in the model's own gravity, in one line; see ForwardKinematics.
template <typename Scalar>
Scalar potential_energy(const Model<Scalar>& model, VectorArgument<Scalar> q)
{
  ForwardKinematics<Scalar> kinematics(model);
  kinematics(q, VectorX<Scalar>::Zero(model.nv()));
  return kinematics.potential_energy(model.gravity());
}

/// \brief Kinetic and potential energy (J) of a motion in the model's own gravity, in one line; see ForwardKinematics.
template <typename Scalar>
Scalar mechanical_energy(const Model<Scalar>& model, VectorArgument<Scalar> q, VectorArgument<Scalar> qd)
{
  ForwardKinematics<Scalar> kinematics(model);
  kinematics(q, qd);
  return kinematics.kinetic_energy() + kinematics.potential_energy(model.gravity());
}

/// \brief The pose of a link in the world in one line; see ForwardKinematics.
template <typename Scalar>
SE3<Scalar> link_pose(const Model<Scalar>& model, const LinkFrame<Scalar>& link, VectorArgument<Scalar> q)
{
  ForwardKinematics<Scalar> kinematics(model);
  kinematics(q, VectorX<Scalar>::Zero(model.nv()));
  return kinematics.link_pose(link);
}

/// \brief The Jacobian of a link in one line; see ForwardKinematics.
template <typename Scalar>
MatrixX<Scalar> link_jacobian(const Model<Scalar>& model, const LinkFrame<Scalar>& link, VectorArgument<Scalar> q,
                              JacobianFrame frame = JacobianFrame::link)
{
  ForwardKinematics<Scalar> kinematics(model);
  kinematics(q, VectorX<Scalar>::Zero(model.nv()));
  return kinematics.link_jacobian(link, frame);
}

/// \brief The twist of a link in one line; see ForwardKinematics.
template <typename Scalar>
Twist<Scalar> link_twist(const Model<Scalar>& model, const LinkFrame<Scalar>& link, VectorArgument<Scalar> q,
                         VectorArgument<Scalar> qd, JacobianFrame frame = JacobianFrame::link)
{
  ForwardKinematics<Scalar> kinematics(model);
  kinematics(q, qd);
  return kinematics.link_twist(link, frame);
}

/// \brief The rate of the Jacobian of a link in one line; see ForwardKinematics.
template <typename Scalar>
MatrixX<Scalar> link_jacobian_rate(const Model<Scalar>& model, const LinkFrame<Scalar>& link, VectorArgument<Scalar> q,
                                   VectorArgument<Scalar> qd, JacobianFrame frame = JacobianFrame::link)
{
  ForwardKinematics<Scalar> kinematics(model);
  kinematics(q, qd);
  return kinematics.link_jacobian_rate(link, qd, frame);
}

/// \brief \f$\dot J\dot q\f$ of a link in one line; see ForwardKinematics.
template <typename Scalar>
Twist<Scalar> link_bias_acceleration(const Model<Scalar>& model, const LinkFrame<Scalar>& link,
                                     VectorArgument<Scalar> q, VectorArgument<Scalar> qd,
                                     JacobianFrame frame = JacobianFrame::link)
{
  ForwardKinematics<Scalar> kinematics(model);
  kinematics(q, qd);
  return kinematics.link_bias_acceleration(link, frame);
}

}  // namespace articulate
