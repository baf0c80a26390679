/** \file
 *  \brief The steps that all recursions share: place all bodies, carry velocity and acceleration out, pass wrenches inward.
 *
 *  - Papers: Kim 2012, section 2.1, \eq{kim,35} to \eq{kim,41}; Park 1995, \eq{park,70}, \eq{park,73}.
 *  - Chapter: \ref model
 */
#pragma once
#include <articulate/model/joint.hpp>        // JointJacobian: S_i
#include <articulate/model/model.hpp>        // Model: bodies outward and inward
#include <articulate/model/screw_poses.hpp>  // the poses of bodies on screws, several at once

namespace articulate {

/** \brief What a recursion knows of each body on its way out, and the steps that compute it.
 *
 *  All quantities of body i are in its own frame. They can be read after a run; index 0 is the world. Numbers that are
 *  not finite go in and come out unchecked: the readers of files refuse them.
 */
template <typename Scalar>
class Recursion {
public:
  Indexed<SE3<Scalar>> T;            ///< \f$T_{\lambda(i),i}\f$
  Indexed<JointJacobian<Scalar>> S;  ///< \f$S_i\f$
  Indexed<Twist<Scalar>> V;          ///< \f$V_i\f$
  Indexed<Twist<Scalar>> eta;        ///< \f$\eta_i = \ad_{V_i} S_i\dot q_i + \dot S_i \dot q_i\f$
  Indexed<Twist<Scalar>> Vdot;       ///< \f$\dot V_i\f$, the base's gravity included

  explicit Recursion(const Model<Scalar>& model)
      : T(model.bodies() + 1), V(T.size()), eta(T.size()), Vdot(T.size()), model_(model), screws_(model)
  {
    for (int i = 0; i <= model.bodies(); ++i) S.emplace_back(model.body(i));
    for (const Body<Scalar>& body : model.outward())
      if (!S[body.index].is_screw()) others_.push_back(body.index);
    set_gravity(model.gravity());
    if (model.bodies() == 0) first_run_.done();  // there is nothing to place
  }

  const Model<Scalar>& model() const { return model_; }

  /// \brief Gravity (m/s^2, world frame) enters as the base's acceleration \f$\dot V_0 = (0, -g)\f$ \eq{kim,fn6}.
  void set_gravity(const Vector3<Scalar>& g) { Vdot[0] = {{}, -g}; }

  // [steps-out]
  /// \brief \f$T_{\lambda(i),i}\f$ and \f$S_i\f$ of all bodies at the nq coordinates q.
  void place(const VectorRef<Scalar>& q)
  {
    screws_.place(q, T);
    for (const int i : others_) T[i] = S[i].place(model_.body(i), q.data() + model_.body(i).q);
    first_run_.done();
  }
  /// \brief What began with place() was refused: as before the first run, there is nothing to read.
  void forget_run() { first_run_.undone(); }

  /// \brief \f$V_i\f$ and \f$\eta_i\f$.
  void carry_velocity(const Body<Scalar>& body, Rates<Scalar> qd)
  {
    const int i = body.index, parent = body.parent;
    V[i] = AdInv(T[i], V[parent]) + S[i] * qd(body);  // (37)
    eta[i] = ad(V[i], S[i] * qd(body));
    if (!S[i].is_constant()) eta[i] += S[i].rate_times(qd(body));
  }

  /// \brief \f$\dot V_i\f$.
  void carry_acceleration(const Body<Scalar>& body, Rates<Scalar> qdd)
  {
    const int i = body.index, parent = body.parent;
    Vdot[i] = AdInv(T[i], Vdot[parent]) + eta[i] + S[i] * qdd(body);  // (41)
  }
  // [steps-out]

  // [step-in]
  /// \brief \f$F_i\f$ goes through the joint, whose motor bears \f$\tau_i\f$; the parent carries all of it.
  void gather_force(const Body<Scalar>& body, Indexed<Wrench<Scalar>>& F, JointVector<Scalar> tau) const
  {
    const int i = body.index, parent = body.parent;
    tau(body) = transpose(S[i]) * F[i];  // Table 2
    F[parent] += coAdInv(T[i], F[i]);    // (42), its children
  }
  // [step-in]

  /// \brief Refuse an answer from a recursion that has not run yet.   \throws StateError
  void require_run(const char* what) const { first_run_.require(what); }

protected:
  /// Take a step for every body from the base to the tips: `step(body)`.
  template <typename Step>
  void outward(const Step& step) const
  {
    for (const Body<Scalar>& body : model_.outward()) take(step, body);
  }
  /// The same from the tips to the base.
  template <typename Step>
  void inward(const Step& step) const
  {
    for (const Body<Scalar>& body : model_.inward()) take(step, body);
  }
  /// One step, compiled twice where it is inlined: for a joint with a single axis, whose S is two numbers, and for others.
  template <typename Step>
  void take(const Step& step, const Body<Scalar>& body) const
  {
    if (S[body.index].is_screw())
      step(body);
    else
      step(body);
  }

  Model<Scalar> model_;

private:
  ScrewPoses<Scalar> screws_;
  Indexed<int> others_;  // bodies whose joints are no screws
  detail::FirstRun first_run_;
};

}  // namespace articulate
