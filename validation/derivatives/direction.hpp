/** \file
 *  \brief Directions in the space of all parameters, and a case that moves along one in an arithmetic that carries
 *  derivatives.
 *
 *  The library's tables are given seeds; here everything that a parameter moves is moved itself, model and state, and
 *  the undifferentiated algorithms run on it.
 */
#pragma once
#include <algorithm>
#include <articulate/derivatives/hybrid_derivative.hpp>
#include <hybrid/partition.hpp>
#include <ledger/calculus.hpp>
#include <ledger/registry.hpp>

namespace articulate::validation {

/// \brief What a parameter may be: all that Parameter has, and the motion of the base.
enum class Kind {
  coordinate,
  rate,
  acceleration,
  force,
  inertia,
  placement_before,
  placement_after,
  screw_axis,
  wrench_on_body,
  wrench_in_space,
  gravity,
  base_velocity,
  base_acceleration
};

/// \brief Every kind with its name in the plural.
inline const std::vector<std::pair<Kind, std::string>>& kinds()
{
  static const std::vector<std::pair<Kind, std::string>> list{
      {Kind::coordinate, "coordinates"},
      {Kind::rate, "rates"},
      {Kind::acceleration, "accelerations"},
      {Kind::force, "forces"},
      {Kind::inertia, "inertias"},
      {Kind::placement_before, "joint_placements"},
      {Kind::placement_after, "body_placements"},
      {Kind::screw_axis, "screw_axes"},
      {Kind::wrench_on_body, "wrenches_on_bodies"},
      {Kind::wrench_in_space, "wrenches_in_space"},
      {Kind::gravity, "gravity"},
      {Kind::base_velocity, "the_velocity_of_the_base"},
      {Kind::base_acceleration, "the_acceleration_of_the_base"}};
  return list;
}

/// \brief One parameter and how far it moves.
template <typename S>
struct Step {
  Kind kind;
  int index, component;
  S size;
};
template <typename S>
using Direction = std::vector<Step<S>>;

/// \brief How many numbers a body, or the base, has of a kind; none where the numbers are counted by rate.
inline int components(Kind kind)
{
  switch (kind) {
    case Kind::coordinate:
    case Kind::rate:
    case Kind::acceleration:
    case Kind::force:
      return 0;
    case Kind::inertia:
      return 10;
    case Kind::gravity:
      return 3;
    default:
      return 6;
  }
}

/** \brief A direction of one kind, of sizes drawn with the case.
 *
 *  All rates or the base take part; of the bodies two that are drawn, for in 50 digits all would take minutes.
 */
template <typename S>
Direction<S> drawn_direction(const Specimen<S>& x, Kind kind)
{
  Direction<S> direction;
  int next = 11 * static_cast<int>(kind);
  const auto size = [&] { return x.number(next++ % 128); };
  const auto body = [&] {
    return 1 + static_cast<int>(x.bodies() * (static_cast<double>(x.inputs.free_numbers[next++ % 128]) + 1) / 2);
  };
  if (components(kind) == 0) {
    for (int k = 0; k < x.model.nv(); ++k) direction.push_back({kind, k, 0, size()});
    return direction;
  }
  const bool of_bodies = kind < Kind::gravity;
  for (const int i : of_bodies ? std::vector<int>{body(), body()} : std::vector<int>{0})
    for (int k = 0; k < components(kind); ++k) direction.push_back({kind, i, k, size()});
  return direction;
}

/// \brief Several kinds at once: what they move adds.
template <typename S>
Direction<S> drawn_direction(const Specimen<S>& x, const std::vector<Kind>& several)
{
  Direction<S> all;
  for (const Kind kind : several)
    for (const Step<S>& step : drawn_direction(x, kind)) all.push_back(step);
  return all;
}

/// \brief All kinds at once.
template <typename S>
Direction<S> drawn_direction(const Specimen<S>& x)
{
  std::vector<Kind> all;
  for (const auto& [kind, name] : kinds()) all.push_back(kind);
  return drawn_direction(x, all);
}

/// \brief The sizes of the steps of some kinds, by rate.
template <typename S>
VectorX<S> sizes(const Model<S>& model, const Direction<S>& direction, const std::vector<Kind>& of)
{
  VectorX<S> size = VectorX<S>::Zero(model.nv());
  for (const Step<S>& step : direction)
    if (std::find(of.begin(), of.end(), step.kind) != of.end()) size(step.index) = step.size;
  return size;
}

/// \brief Those of the drawn direction of one kind.
template <typename S>
VectorX<S> steps_of(const Specimen<S>& x, Kind kind)
{
  return sizes(x.model, drawn_direction(x, kind), {kind});
}

/// \brief The library's parameter of a step; the motion of the base has none.
template <typename S>
Parameter parameter(const Step<S>& step)
{
  const int i = step.index, k = step.component;
  switch (step.kind) {
    case Kind::coordinate:
      return Parameter::coordinate(i);
    case Kind::rate:
      return Parameter::rate(i);
    case Kind::acceleration:
      return Parameter::acceleration(i);
    case Kind::force:
      return Parameter::force(i);
    case Kind::inertia:
      return Parameter::inertia(i, k);
    case Kind::placement_before:
      return Parameter::placement_before(i, k);
    case Kind::placement_after:
      return Parameter::placement_after(i, k);
    case Kind::screw_axis:
      return Parameter::screw_axis(i, k);
    case Kind::wrench_on_body:
      return Parameter::wrench_on_body(i, k);
    case Kind::wrench_in_space:
      return Parameter::wrench_in_space(i, k);
    default:
      return Parameter::gravity(k);
  }
}

/// \brief \f$s\,\mathcal I\f$.
template <typename S>
Inertia<S> scaled(const S& s, const Inertia<S>& I)
{
  const Symmetric3<S>& J = I.second_moment;
  return {s * I.mass, s * I.first_moment, {s * J.xx, s * J.xy, s * J.xz, s * J.yy, s * J.yz, s * J.zz}};
}

/// \brief Seeds add: the sum over the steps, each by its size.
template <typename P, typename S>
Seeds<P> seeds_along(const Direction<S>& direction, const Recursion<P>& r, const VectorX<P>& qd)
{
  Seeds<P> all(r.model());
  const auto add = [](auto& sum, const P& size, const auto& terms) {
    for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += size * terms[k];
  };
  for (const Step<S>& step : direction) {
    const P size(step.size);
    const auto basis = [&] { return size * to_twist(Vector6<P>(Vector6<P>::Unit(step.component))); };
    if (step.kind == Kind::base_velocity) {
      all.dV0 += basis();
    } else if (step.kind == Kind::base_acceleration) {
      all.dVdot0 += basis();
    } else {
      Seeds<P> one(r.model());
      parameter(step).template add_to<P>(one, r, qd);
      add(all.dh, size, one.dh), add(all.dS, size, one.dS), add(all.dSdot, size, one.dSdot);
      add(all.dFext, size, one.dFext);
      for (std::size_t i = 0; i < all.dI.size(); ++i) all.dI[i] = all.dI[i] + scaled(size, one.dI[i]);
      all.dV0 += size * one.dV0, all.dVdot0 += size * one.dVdot0;
      all.dqd += size * one.dqd, all.dqdd += size * one.dqdd, all.dtau += size * one.dtau;
    }
  }
  return all;
}

template <typename P, typename S>
Twist<P> in_arithmetic(const Twist<S>& V)
{
  return {Vector3<P>(V.w), Vector3<P>(V.v)};
}
template <typename P, typename S>
Wrench<P> in_arithmetic(const Wrench<S>& F)
{
  return {Vector3<P>(F.m), Vector3<P>(F.f)};
}

/// \brief The model of a case in another arithmetic.
template <typename P>
struct ModelIn {
  Model<P> model;

  template <typename S>
  explicit ModelIn(const Specimen<S>& x) : model(x.model)
  {
  }
};

/** \brief A case moved by p along a direction, in the arithmetic of p.
 *
 *  A body displaced on its joint takes its mass, its wrench and the joints of its children with it, and keeps the frame
 *  in which its own joint's screws are constant; `displaced_by` says where the frame of the paper is.
 */
template <typename P>
class Moved {
public:
  Model<P> model;
  VectorX<P> q, qd, qdd, tau;
  ExternalWrenches<P> Fext;
  Twist<P> V0, Vdot0;
  std::vector<SE3<P>> displaced_by;  ///< by body

  /// \brief \param in_space  whether the given wrenches stand still in space while the bodies move
  template <typename S>
  Moved(const Specimen<S>& x, const Direction<S>& direction, const P& p, bool in_space = false)
      : model(x.template once<ModelIn<P>>().model),
        q(x.q.template cast<P>()),
        qd(x.qd.template cast<P>()),
        qdd(x.qdd.template cast<P>()),
        tau(x.tau.template cast<P>()),
        Vdot0{{}, -Vector3<P>(x.gravity)},
        displaced_by(x.bodies() + 1),
        before_(displaced_by),
        dI_(displaced_by.size()),
        on_body_(displaced_by.size()),
        in_space_(displaced_by.size())
  {
    VectorX<P> step = VectorX<P>::Zero(model.nv());
    for (const Step<S>& one : direction) take(one, p, step);
    q = displaced<P>(model, q, step);
    std::vector<Body<P>> moved;
    for (Body<P> body : model.outward()) {
      const int i = body.index;
      body.M = displaced_by[body.parent] * body.M * before_[i];
      body.I = coAd(inverse(displaced_by[i]), body.I + dI_[i]);
      moved.push_back(body);
    }
    model = model.with(moved);
    put_wrenches(x, in_space);
  }
  Moved(const Moved&) = delete;

  VectorX<P> inverse_dynamics() const
  {
    InverseDynamics<P> rnea(model);
    return inverse_dynamics(rnea);
  }
  /// \brief The same, where the motion and the wrenches are read afterwards.
  VectorX<P> inverse_dynamics(InverseDynamics<P>& rnea) const
  {
    set_base(rnea);
    return rnea(q, qd, qdd, Fext);
  }
  VectorX<P> forward_dynamics() const
  {
    ForwardDynamics<P> aba(model);
    set_base(aba);
    return aba(q, qd, tau, Fext);
  }
  HybridDynamics<P> hybrid_dynamics(const Partition& prescribed) const
  {
    HybridDynamics<P> hybrid(model, prescribed);
    set_base(hybrid);
    hybrid(q, qd, qdd, tau, Fext);
    return hybrid;
  }

private:
  /// Collect what one step moves.
  template <typename S>
  void take(const Step<S>& one, const P& p, VectorX<P>& step)
  {
    const int i = one.index, k = one.component;
    const P size = p * one.size;
    const auto basis = [&] { return Vector6<P>(size * Vector6<P>::Unit(k)); };
    switch (one.kind) {
      case Kind::coordinate:
        step(i) += size;
        break;
      case Kind::rate:
        qd(i) += size;
        break;
      case Kind::acceleration:
        qdd(i) += size;
        break;
      case Kind::force:
        tau(i) += size;
        break;
      case Kind::inertia:
        dI_[i] = dI_[i] + scaled(size, Inertia<P>::basis(k));
        break;
      case Kind::placement_before:
        before_[i] = before_[i] * exp(to_twist(basis()));
        break;
      case Kind::placement_after:
        displaced_by[i] = displaced_by[i] * exp(to_twist(basis()));
        break;
      case Kind::screw_axis:
        before_[i] = before_[i] * exp(to_twist(basis()));
        displaced_by[i] = exp(-to_twist(basis())) * displaced_by[i];
        break;
      case Kind::wrench_on_body:
        on_body_[i] += to_wrench(basis());
        break;
      case Kind::wrench_in_space:
        in_space_[i] += to_wrench(basis());
        break;
      case Kind::gravity:
        Vdot0.v[k] -= size;
        break;
      case Kind::base_velocity:
        V0 += to_twist(basis());
        break;
      case Kind::base_acceleration:
        Vdot0 += to_twist(basis());
        break;
    }
  }

  template <typename S>
  void put_wrenches(const Specimen<S>& x, bool in_space)
  {
    ForwardKinematics<P> kinematics(model);
    kinematics(q, qd);
    Fext.resize(model.bodies() + 1);
    for (int i = 1; i <= model.bodies(); ++i) {
      const Wrench<P> given = in_arithmetic<P>(x.Fext[i]) + on_body_[i];
      const SE3<P>& pose = kinematics.pose[i];
      Fext[i] = coAd(pose, in_space_[i]);
      Fext[i] += in_space ? coAd(pose, in_arithmetic<P>(coAdInv(x.kinematics.pose[i], x.Fext[i])))
                          : coAdInv(displaced_by[i], given);
    }
  }

  void set_base(Recursion<P>& r) const
  {
    r.V[0] = V0;
    r.Vdot[0] = Vdot0;
  }

  std::vector<SE3<P>> before_;
  std::vector<Inertia<P>> dI_;
  std::vector<Wrench<P>> on_body_, in_space_;
};

/// \brief The k-th derivative of every entry.
template <typename S, std::size_t Order, int Rows, int Columns>
Eigen::Matrix<S, Rows, Columns> derivative(const Eigen::Matrix<Truncated<S, Order>, Rows, Columns>& M, int k)
{
  Eigen::Matrix<S, Rows, Columns> d(M.rows(), M.cols());
  for (Eigen::Index i = 0; i < M.rows(); ++i)
    for (Eigen::Index j = 0; j < M.cols(); ++j) d(i, j) = derivative(M(i, j), k);
  return d;
}

/// \brief Table 5 along seeds.
template <typename S>
VectorX<S> table_five(const Specimen<S>& x, const Seeds<S>& seeds)
{
  return InverseDynamicsDerivative<S>(x.model)(x.inverse, x.qd, x.qdd, seeds);
}

/// \brief Table 7 along seeds, after a run of hybrid dynamics.
template <typename S>
HybridDynamicsDerivative<S> table_seven(const Specimen<S>& x, const HybridDynamics<S>& hybrid, const Seeds<S>& seeds)
{
  HybridDynamicsDerivative<S> seven(x.model);
  seven(hybrid, x.qd, hybrid.qdd(), seeds);
  return seven;
}

/// \brief Table 6 along seeds.
template <typename S>
HybridDynamicsDerivative<S> table_six(const Specimen<S>& x, const Seeds<S>& seeds)
{
  HybridDynamicsDerivative<S> six(x.model);
  six(x.forward, x.qd, x.forward_qdd, seeds);
  return six;
}

/// \brief The blocks of a map from twists to wrenches have different units; where they vanish they are beside the map.
template <typename S>
void add_blocks(Sides<S>& sides, const Matrix6<S>& left, const Matrix6<S>& right, const Matrix6<S>& beside)
{
  for (int i = 0; i < 6; i += 3)
    for (int j = 0; j < 6; j += 3)
      sides.add(left.template block<3, 3>(i, j), right.template block<3, 3>(i, j), beside.cwiseAbs().maxCoeff());
}

/// \brief Derivatives of the forces in u and of the accelerations in v, beside all forces and accelerations.
template <typename S>
void add_answers(Sides<S>& sides, const Model<S>& model, const Partition& prescribed,
                 const HybridDynamicsDerivative<S>& seven, const VectorX<S>& dtau, const VectorX<S>& dqdd,
                 const VectorX<S>& tau, const VectorX<S>& qdd)
{
  sides.add_by_unit(model, part(seven.dtau(), prescribed, true), part(dtau, prescribed, true), tau);
  sides.add_by_unit(model, part(seven.dqdd(), prescribed, false), part(dqdd, prescribed, false), qdd);
}

}  // namespace articulate::validation
