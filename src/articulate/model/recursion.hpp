/** \file
 *  \brief The steps outward that all recursions share: place a body, carry velocity, carry acceleration.
 *
 *  - Papers: Kim 2012, section 2.1, \eq{kim,35} to \eq{kim,41}; Park 1995, \eq{park,70}, \eq{park,73}.
 *  - Chapter: \ref model
 */
#pragma once
#include <articulate/model/joint.hpp>  // JointJacobian: S_i

namespace articulate {

/** \brief What a recursion knows of each body on its way out, and the steps that find it.
 *
 *  All quantities of body i are in its own frame. They can be read after a run; index 0 is the world. Numbers that are
 *  not finite go in and come out unseen: who reads them from a file refuses them there.
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
      : T(model.bodies() + 1), V(T.size()), eta(T.size()), Vdot(T.size()), model_(model)
  {
    for (int i = 0; i <= model.bodies(); ++i) S.emplace_back(model.body(i));
    set_gravity(model.gravity());
  }

  const Model<Scalar>& model() const { return model_; }

  /// \brief Gravity (m/s^2, world frame) enters as the base's acceleration \f$\dot V_0 = (0, -g)\f$ \eq{kim,fn6}.
  void set_gravity(const Vector3<Scalar>& g) { Vdot[0] = {{}, -g}; }

  // [steps-out]
  /// \brief \f$T_{\lambda(i),i}\f$ and \f$S_i\f$ at q.
  void place(const Body<Scalar>& body, const Scalar* q) { T[body.index] = S[body.index].place(body, q + body.q); }

  /// \brief \f$V_i\f$ and \f$\eta_i\f$.
  void carry_velocity(const Body<Scalar>& body, const Scalar* qd)
  {
    const int i = body.index;
    V[i] = S[i].add(AdInv(T[i], V[body.parent]), qd + body.v);  // (37)
    eta[i] = S[i].bracket(V[i], qd + body.v);
    if (!S[i].is_constant()) eta[i] += S[i].rate_times(qd + body.v);
  }

  /// \brief \f$\dot V_i\f$.
  void carry_acceleration(const Body<Scalar>& body, const Scalar* qdd)
  {
    const int i = body.index;
    Vdot[i] = S[i].add(AdInv(T[i], Vdot[body.parent]) + eta[i], qdd + body.v);  // (41)
  }
  // [steps-out]

private:
  Model<Scalar> model_;
};

namespace detail {

/// \brief Refuse an argument of the wrong length.
template <typename Vector>
void require_size(const char* argument, const Vector& x, int expected)
{
  if (static_cast<long>(x.size()) != expected) throw SizeError(argument, x.size(), expected);
}

}  // namespace detail

}  // namespace articulate
