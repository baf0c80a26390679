/** \file
 *  \brief Where the bodies are and how they move: poses, body twists, Jacobians, energy, momentum.
 *
 *  - Papers: Kim 2012, section 2.1, \eq{kim,35}, \eq{kim,37}, \eq{kim,15}; Park 1995, \eq{park,67}.
 *  - Chapter: \ref model
 */
#pragma once
#include <articulate/model/recursion.hpp>

namespace articulate {

/// \brief From where the twist of a link is seen.
enum class JacobianFrame {
  link,   ///< the link's own: its body twist
  world,  ///< the world's: its spatial twist, with the velocity of the point at the world's origin
  mixed   ///< the world's axes, and the velocity of the link's own origin
};

/** \brief Forward kinematics of a tree in one sweep outward.
 *
 *  Body quantities are in body frames; those asked by link are in the link's frame, the user's. Sums over the mechanism
 *  (energy, momentum, centre of mass) are over the moving bodies: a link fixed to the world does not count.
 */
template <typename Scalar>
class ForwardKinematics : public Recursion<Scalar> {
public:
  std::vector<SE3<Scalar>> pose;  ///< \f$T_i\f$: the body in the world \eq{park,67}

  explicit ForwardKinematics(const Model<Scalar>& model) : Recursion<Scalar>(model), pose(this->T.size()) {}

  /** \brief Place and move every body.
   *  \param q   nq coordinates (rad, m; free joint: position, quaternion x y z w)
   *  \param qd  nv joint rates (rad/s, m/s; free joint: body twist)
   *  \throws SizeError naming the argument, the length given and the length expected
   */
  void operator()(const VectorRef<Scalar>& q, const VectorRef<Scalar>& qd)
  {
    const Model<Scalar>& model = this->model();
    detail::require_size("q", q, model.nq());
    detail::require_size("qd", qd, model.nv());
    for (int i = 1; i <= model.bodies(); ++i) {
      const Body<Scalar>& body = model.body(i);
      this->place(body, q.data());
      this->carry_velocity(body, qd.data());
      pose[i] = pose[body.parent] * this->T[i];
    }
  }

  /// \brief The pose of a link in the world.
  SE3<Scalar> link_pose(const LinkFrame<Scalar>& link) const { return pose[link.body] * link.X; }

  /// \brief The body twist of a link, in its own frame \eq{kim,11}.
  Twist<Scalar> link_twist(const LinkFrame<Scalar>& link) const { return AdInv(link.X, this->V[link.body]); }

  // [link-jacobian]
  /// \brief The 6 x nv matrix J with (twist of the link, in the frame asked for) = J qd.
  MatrixX<Scalar> link_jacobian(const LinkFrame<Scalar>& link, JacobianFrame frame = JacobianFrame::link) const
  {
    MatrixX<Scalar> J = MatrixX<Scalar>::Zero(6, this->model().nv());
    for_each_column(link, [&](int column, const SE3<Scalar>& X, int i, int k) {
      J.col(column) = coordinates(Ad(seen_from(link, frame), AdInv(X, this->S[i].column(k))));
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
    detail::require_size("qd", qd, this->model().nv());
    MatrixX<Scalar> Jdot = MatrixX<Scalar>::Zero(6, this->model().nv());
    const SE3<Scalar> X_frame = seen_from(link, frame);
    const Twist<Scalar> V = link_twist(link);
    // The link against the frame asked for: not at all, as against the world, or turning only.
    const Twist<Scalar> turned = frame == JacobianFrame::link    ? Twist<Scalar>{}
                                 : frame == JacobianFrame::world ? V
                                                                 : Twist<Scalar>{V.w, {}};
    for_each_column(link, [&](int column, const SE3<Scalar>& X, int i, int k) {
      const Twist<Scalar> J = AdInv(X, this->S[i].column(k));
      const Twist<Scalar> Sdot = AdInv(X, this->S[i].rate(k, qd.data() + this->model().body(i).v));
      const Twist<Scalar> before = V - AdInv(X, this->V[i]);  // of the link against body i
      Jdot.col(column) = coordinates(Ad(X_frame, Sdot + ad(J, before) + ad(turned, J)));
    });
    return Jdot;
  }
  // [link-jacobian]

  /// \brief \f$\sum_i \tfrac12 V_i^{\mathsf T}\mathcal I_i V_i\f$ (J).
  Scalar kinetic_energy() const
  {
    Scalar sum(0);
    for (int i = 1; i <= this->model().bodies(); ++i)
      sum += articulate::kinetic_energy(this->model().body(i).I, this->V[i]);
    return sum;
  }

  /// \brief \f$-\sum_i m_i\, g^{\mathsf T} c_i\f$ (J): zero when the centre of mass is at the world's origin.
  Scalar potential_energy(const Vector3<Scalar>& gravity) const { return -inner(gravity, mass_moment()); }

  /// \brief The mass (kg) of the moving bodies.
  Scalar mass() const
  {
    Scalar sum(0);
    for (int i = 1; i <= this->model().bodies(); ++i) sum += this->model().body(i).I.mass;
    return sum;
  }

  /// \brief \f$\sum_i m_i c_i\f$ (kg m) in the world frame.
  Vector3<Scalar> mass_moment() const
  {
    Vector3<Scalar> sum;
    for (int i = 1; i <= this->model().bodies(); ++i) {
      const Inertia<Scalar>& I = this->model().body(i).I;
      sum += pose[i].R * I.first_moment + I.mass * pose[i].p;
    }
    return sum;
  }

  /// \brief The momentum of the whole mechanism about the world's origin, in world axes (moment first).
  Wrench<Scalar> momentum() const
  {
    Wrench<Scalar> sum;
    for (int i = 1; i <= this->model().bodies(); ++i) sum += coAdInv(pose[i], this->model().body(i).I * this->V[i]);
    return sum;
  }

private:
  /// The frame of the link, seen from the one in which its twist is wanted.
  SE3<Scalar> seen_from(const LinkFrame<Scalar>& link, JacobianFrame frame) const
  {
    if (frame == JacobianFrame::link) return {};
    const SE3<Scalar> X = link_pose(link);
    return frame == JacobianFrame::world ? X : SE3<Scalar>{X.R, {}};
  }

  /// Call f(column, X, i, k) for every degree k of each body i that carries the link, whose pose in body i is X.
  template <typename Function>
  void for_each_column(const LinkFrame<Scalar>& link, const Function& f) const
  {
    SE3<Scalar> X = link.X;
    for (int i = link.body; i > 0; i = this->model().body(i).parent) {
      for (int k = 0; k < this->model().body(i).nv; ++k) f(this->model().body(i).v + k, X, i, k);
      X = this->T[i] * X;
    }
  }
};

}  // namespace articulate
