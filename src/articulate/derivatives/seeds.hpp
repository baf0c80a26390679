/** \file
 *  \brief What a parameter moves: the list from which every derivative starts.
 *
 *  - Paper: Kim 2012, section 4.2, \eq{kim,92}, completed: erratum E-kim-11.
 *  - Chapter: \ref derivatives
 */
#pragma once
#include <articulate/model/recursion.hpp>

namespace articulate {

/** \brief The derivatives of everything that the recursions are given, along one direction of change p.
 *
 *  Joint by joint and body by body, in body frames. Seeds add: the derivative along a direction is the sum of those
 *  along its parts.
 */
template <typename Scalar>
struct Seeds {
  Indexed<Twist<Scalar>> dh;         ///< \f$\partial h_i = T^{-1}\partial T_{\lambda(i),i}\f$ \eq{kim,89}, by body
  Indexed<Twist<Scalar>> dS, dSdot;  ///< of the columns of S and of its rate, by joint rate
  Indexed<Inertia<Scalar>> dI;       ///< by body
  ExternalWrenches<Scalar> dFext;    ///< by body
  Twist<Scalar> dV0, dVdot0;         ///< of the base
  VectorX<Scalar> dqd, dqdd, dtau;   ///< nv each

  explicit Seeds(const Model<Scalar>& model)
      : dh(model.bodies() + 1),
        dS(model.nv()),
        dSdot(model.nv()),
        dI(dh.size()),
        dFext(dh.size()),
        dqd(VectorX<Scalar>::Zero(model.nv())),
        dqdd(dqd),
        dtau(dqd)
  {
  }
};

/** \brief One number on which the dynamics depends, and what it moves.
 *
 *  Every parameter is counted from its present value: a coordinate is displaced by p, a mass grows by p.
 */
class Parameter {
public:
  /// \brief The k-th joint displacement: of a ball or free joint along the tangent, to \f$T e^{[S p]}\f$, rates held.
  static Parameter coordinate(int k) { return {Kind::coordinate, k}; }
  static Parameter rate(int k) { return {Kind::rate, k}; }                  ///< the k-th joint rate
  static Parameter acceleration(int k) { return {Kind::acceleration, k}; }  ///< the k-th joint acceleration
  static Parameter force(int k) { return {Kind::force, k}; }                ///< the k-th joint force

  /// \brief Of body i: component 0 is the mass, 1 to 3 the first moment, 4 to 9 xx xy xz yy yz zz about the frame's origin.
  static Parameter inertia(int body, int component) { return {Kind::inertia, body, component}; }
  /// \brief The joint of body i is displaced in the parent: \f$M e^{[e_k p]}\f$, k = 0 to 5.
  static Parameter placement_before(int body, int direction) { return {Kind::before, body, direction}; }
  /// \brief Body i is displaced on its joint, its mass with it: \f$T e^{[e_k p]}\f$.
  static Parameter placement_after(int body, int direction) { return {Kind::after, body, direction}; }
  /// \brief The screws of joint i are displaced while the body at q = 0 stays: \f$M e^{[e_k p]}e^{[S q]}e^{-[e_k p]}\f$.
  static Parameter screw_axis(int body, int direction) { return {Kind::axis, body, direction}; }
  /// \brief A wrench on body i, along component k in the body's frame, or in the world's, about the world's origin.
  static Parameter wrench_on_body(int body, int component) { return {Kind::body_wrench, body, component}; }
  static Parameter wrench_in_space(int body, int component) { return {Kind::space_wrench, body, component}; }
  static Parameter gravity(int axis) { return {Kind::gravity, 0, axis}; }  ///< along an axis of the world (m/s^2)

  /** \brief Add what this parameter moves, per unit of it.
   *  \param r   a recursion placed at q and moving at qd   \param qd  nv joint rates
   *  \throws StateError for a joint rate, a body or a component that does not exist; when the recursion has not run
   */
  template <typename Scalar>
  void add_to(Seeds<Scalar>& seeds, const Recursion<Scalar>& r, const VectorRef<Scalar>& qd) const;

private:
  enum class Kind {
    coordinate,
    rate,
    acceleration,
    force,
    inertia,
    before,
    after,
    axis,
    body_wrench,
    space_wrench,
    gravity
  };
  Parameter(Kind kind, int index, int component = 0) : kind_(kind), index_(index), component_(component) {}

  void check(int bodies, int nv) const
  {
    const auto require = [](const std::string& what, int given, int first, int last) {
      if (given < first || given > last)
        throw StateError("a parameter names the " + what + " " + std::to_string(given) + "; there are " +
                         std::to_string(first) + " to " + std::to_string(last) + ".");
    };
    const bool of_joint_rate = kind_ <= Kind::force;
    if (of_joint_rate) require("joint rate", index_, 0, nv - 1);
    if (!of_joint_rate && kind_ != Kind::gravity) require("body", index_, 1, bodies);
    require("component", component_, 0, kind_ == Kind::inertia ? 9 : kind_ == Kind::gravity ? 2 : 5);
  }

  /// The frame of body i is displaced by xi; its joint's screws are seen from there.
  template <typename Scalar>
  static void displace(Seeds<Scalar>& seeds, const Recursion<Scalar>& r, const VectorRef<Scalar>& qd, int i,
                       const Twist<Scalar>& xi);

  Kind kind_;
  int index_, component_;
};

// [seeds]
template <typename Scalar>
void Parameter::displace(Seeds<Scalar>& seeds, const Recursion<Scalar>& r, const VectorRef<Scalar>& qd, int i,
                         const Twist<Scalar>& xi)
{
  const Body<Scalar>& body = r.model().body(i);
  seeds.dh[i] += xi;
  for (int k = 0; k < body.nv; ++k) {
    seeds.dS[body.v + k] += -ad(xi, r.S[i].column(k));
    seeds.dSdot[body.v + k] += -ad(xi, r.S[i].rate(k, Rates<Scalar>(qd)(body)));
  }
}

template <typename Scalar>
void Parameter::add_to(Seeds<Scalar>& seeds, const Recursion<Scalar>& r, const VectorRef<Scalar>& qd) const
{
  const Model<Scalar>& model = r.model();
  check(model.bodies(), model.nv());
  r.require_run("motion to differentiate");
  const auto basis = [&] { return Vector6<Scalar>(Vector6<Scalar>::Unit(component_)); };
  switch (kind_) {
    case Kind::coordinate: {
      const Body<Scalar>& body = model.body_of_rate(index_);
      const int i = body.index;
      const int k = index_ - body.v;
      seeds.dh[i] += r.S[i].column(k);  // (90)
      for (int j = 0; j < body.nv; ++j) {
        seeds.dS[body.v + j] += r.S[i].derivative(j, k);
        seeds.dSdot[body.v + j] += r.S[i].rate_derivative(j, k, Rates<Scalar>(qd)(body));
      }
      break;
    }
    case Kind::rate: {
      const Body<Scalar>& body = model.body_of_rate(index_);
      const int i = body.index;
      seeds.dqd(index_) += Scalar(1);
      for (int j = 0; j < body.nv; ++j) seeds.dSdot[body.v + j] += r.S[i].derivative(j, index_ - body.v);
      break;
    }
    case Kind::acceleration:
      seeds.dqdd(index_) += Scalar(1);
      break;
    case Kind::force:
      seeds.dtau(index_) += Scalar(1);
      break;
    case Kind::inertia:
      seeds.dI[index_] = seeds.dI[index_] + Inertia<Scalar>::basis(component_);
      break;
    case Kind::before:
      seeds.dh[index_] += AdInv(inverse(model.body(index_).M) * r.T[index_], to_twist(basis()));
      break;
    case Kind::after:
      displace(seeds, r, qd, index_, to_twist(basis()));
      break;
    case Kind::axis:
      seeds.dh[index_] += AdInv(inverse(model.body(index_).M) * r.T[index_], to_twist(basis()));
      displace(seeds, r, qd, index_, -to_twist(basis()));
      break;
    case Kind::body_wrench:
      seeds.dFext[index_] += to_wrench(basis());
      break;
    case Kind::space_wrench: {
      SE3<Scalar> pose;
      for (const Body<Scalar>& body : model.way_to_base(index_)) pose = r.T[body.index] * pose;
      seeds.dFext[index_] += coAd(pose, to_wrench(basis()));
      break;
    }
    case Kind::gravity:
      seeds.dVdot0.v[component_] -= Scalar(1);
      break;
  }
}
// [seeds]

/** \brief Hold the given wrenches fixed in space while the bodies are displaced by the seeds.
 *
 *  Adds \f$\partial F_i^{\text{ext}} = \ad^*_{\zeta_i}F_i^{\text{ext}}\f$, where \f$\zeta_i\f$ is the displacement of body i.
 *  \param Fext  wrenches on the bodies, in body frames; empty for none
 *  \throws SizeError for the wrong number of them; StateError when the recursion has not run
 */
template <typename Scalar>
void hold_in_space(Seeds<Scalar>& seeds, const Recursion<Scalar>& r, WrenchesArgument<Scalar> Fext)
{
  r.require_run("motion to differentiate");
  if (Fext.empty()) return;
  detail::require_size("Fext", Fext, r.model().bodies() + 1);
  Indexed<Twist<Scalar>> displacement(seeds.dh.size());
  for (const Body<Scalar>& body : r.model().outward()) {
    const int i = body.index;
    displacement[i] = AdInv(r.T[i], displacement[body.parent]) + seeds.dh[i];
    seeds.dFext[i] += coad(displacement[i], Fext[i]);
  }
}

/// \brief What one parameter moves, alone; see Parameter::add_to.
template <typename Scalar>
Seeds<Scalar> seeds_of(const Parameter& parameter, const Recursion<Scalar>& r, VectorArgument<Scalar> qd)
{
  Seeds<Scalar> seeds(r.model());
  parameter.add_to<Scalar>(seeds, r, qd);
  return seeds;
}

}  // namespace articulate
