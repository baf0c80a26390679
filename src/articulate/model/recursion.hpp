/** \file
 *  \brief The steps outward that all recursions share: place a body, carry velocity, carry acceleration.
 *
 *  - Papers: Kim 2012, section 2.1, \eq{kim,35} to \eq{kim,41}; Park 1995, \eq{park,70}, \eq{park,73}.
 *  - Chapter: \ref model
 */
#pragma once
#include <articulate/model/model.hpp>

namespace articulate {

/// \brief \f$S_i\f$ of a body: the Jacobian of its joint's pose, a map from joint rates to twists.
template <typename Scalar>
class JointJacobian {
public:
  explicit JointJacobian(const Body<Scalar>& body) : kind_(body.kind), turn_(body.turn), slide_(body.slide) {}

  int columns() const { return kind_ == JointKind::screw ? 1 : 6; }

  /// \brief \f$S_i x\f$ for the nv numbers at x.
  Twist<Scalar> operator*(const Scalar* x) const
  {
    if (kind_ == JointKind::screw) return {{Scalar(0), Scalar(0), turn_ * x[0]}, {Scalar(0), Scalar(0), slide_ * x[0]}};
    return {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
  }

  /// \brief \f$V + S_i x\f$.
  Twist<Scalar> add(Twist<Scalar> V, const Scalar* x) const
  {
    if (kind_ == JointKind::screw) {
      V.w[2] += turn_ * x[0];
      V.v[2] += slide_ * x[0];
      return V;
    }
    return V + *this * x;
  }

  /// \brief \f$\ad_V S_i x\f$.
  Twist<Scalar> bracket(const Twist<Scalar>& V, const Scalar* x) const
  {
    if (kind_ == JointKind::screw) {
      const Scalar a = turn_ * x[0], b = slide_ * x[0];
      return {{V.w[1] * a, -(V.w[0] * a), Scalar(0)}, {V.v[1] * a + V.w[1] * b, -(V.v[0] * a + V.w[0] * b), Scalar(0)}};
    }
    return ad(V, *this * x);
  }

  /// \brief \f$S_i^{\mathsf T} F\f$, written to the nv numbers at tau.
  void project(const Wrench<Scalar>& F, Scalar* tau) const
  {
    if (kind_ == JointKind::screw) {
      tau[0] = turn_ * F.m[2] + slide_ * F.f[2];
      return;
    }
    for (int k = 0; k < 3; ++k) tau[k] = F.m[k], tau[k + 3] = F.f[k];
  }

  /// \brief The k-th column.
  Twist<Scalar> column(int k) const
  {
    Scalar unit[6]{};
    unit[k] = Scalar(1);
    return *this * unit;
  }

private:
  JointKind kind_;
  Scalar turn_, slide_;
};

/** \brief \f$T_{\lambda(i),i}(q)\f$: the pose of a body in its parent's frame, from the nq numbers at q \eq{park,23}. */
template <typename Scalar>
SE3<Scalar> joint_pose(const Body<Scalar>& body, const Scalar* q)
{
  // [joint-pose]
  const SE3<Scalar>& M = body.M;
  if (body.kind == JointKind::free)
    return M * SE3<Scalar>{SO3<Scalar>(Quaternion<Scalar>{{q[3], q[4], q[5]}, q[6]}), {q[0], q[1], q[2]}};
  using std::cos, std::sin;
  const Scalar angle = body.turn * q[0], s = sin(angle), c = cos(angle);
  const Vector3<Scalar> x = M.R.R.column(0), y = M.R.R.column(1), z = M.R.R.column(2);
  const Vector3<Scalar> x_turned = c * x + s * y, y_turned = c * y - s * x;
  const Matrix3<Scalar> R{
      {x_turned[0], y_turned[0], z[0], x_turned[1], y_turned[1], z[1], x_turned[2], y_turned[2], z[2]}};
  return {SO3<Scalar>(R), M.p + body.slide * q[0] * z};
  // [joint-pose]
}

/** \brief What a recursion knows of each body on its way out, and the steps that find it.
 *
 *  All quantities of body i are in its own frame. They can be read after a run; index 0 is the world.
 */
template <typename Scalar>
class Recursion {
public:
  std::vector<SE3<Scalar>> T;            ///< \f$T_{\lambda(i),i}\f$
  std::vector<JointJacobian<Scalar>> S;  ///< \f$S_i\f$
  std::vector<Twist<Scalar>> V;          ///< \f$V_i\f$
  std::vector<Twist<Scalar>> eta;        ///< \f$\eta_i = \ad_{V_i} S_i\dot q_i + \dot S_i \dot q_i\f$
  std::vector<Twist<Scalar>> Vdot;       ///< \f$\dot V_i\f$, the base's gravity included

  explicit Recursion(const Model<Scalar>& model)
      : T(model.bodies() + 1), V(T.size()), eta(T.size()), Vdot(T.size()), model_(&model)
  {
    for (int i = 0; i <= model.bodies(); ++i) S.emplace_back(model.body(i));
    set_gravity(model.gravity());
  }

  const Model<Scalar>& model() const { return *model_; }

  /// \brief Gravity (m/s^2, world frame) enters as the base's acceleration \f$\dot V_0 = (0, -g)\f$ \eq{kim,fn6}.
  void set_gravity(const Vector3<Scalar>& g) { Vdot[0] = {{}, -g}; }

  // [steps-out]
  /// \brief \f$T_{\lambda(i),i}\f$ at q.
  void place(const Body<Scalar>& body, const Scalar* q) { T[body.index] = joint_pose(body, q + body.q); }

  /// \brief \f$V_i\f$ and \f$\eta_i\f$; both kinds of joint have \f$\dot S_i = 0\f$.
  void carry_velocity(const Body<Scalar>& body, const Scalar* qd)
  {
    const int i = body.index;
    V[i] = S[i].add(AdInv(T[i], V[body.parent]), qd + body.v);  // (37)
    eta[i] = S[i].bracket(V[i], qd + body.v);
  }

  /// \brief \f$\dot V_i\f$.
  void carry_acceleration(const Body<Scalar>& body, const Scalar* qdd)
  {
    const int i = body.index;
    Vdot[i] = S[i].add(AdInv(T[i], Vdot[body.parent]) + eta[i], qdd + body.v);  // (41)
  }
  // [steps-out]

private:
  const Model<Scalar>* model_;
};

namespace detail {

/// \brief Refuse an argument of the wrong length.
template <typename Vector>
void require_size(const char* argument, const Vector& x, int expected)
{
  if (x.size() != expected) throw SizeError(argument, x.size(), expected);
}

}  // namespace detail

}  // namespace articulate
