/** \file
 *  \brief Steps in time of any machine by any method, and how their orders are seen.
 */
#pragma once
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <functional>
#include <tuple>
#include <articulate/model/displacement.hpp>
#include <articulate/motion/dormand_prince.hpp>
#include <articulate/motion/force_elements.hpp>
#include <articulate/motion/radau.hpp>
#include <articulate/motion/runge_kutta.hpp>
#include <articulate/motion/variational.hpp>
#include <ledger/scalars.hpp>
#include <models/unit.hpp>

namespace articulate::validation::steps {

/// \brief Accelerations, nv, at coordinates, rates and a time: of one type, so that a step is compiled once for all laws.
template <typename S>
using Law = std::function<VectorX<S>(const VectorX<S>& q, const VectorX<S>& qd, const S& t)>;

/// \brief Brings a state back to those that are possible.
template <typename S>
using Settle = std::function<void(VectorX<S>& q, VectorX<S>& qd)>;

/// \brief Every state of a tree is possible.
template <typename S>
void stay(VectorX<S>&, VectorX<S>&)
{
}

/// \brief Where a machine is, and how it moves: nq coordinates and nv rates.
template <typename S>
struct State {
  VectorX<S> q, qd;
};

/// \brief A state in no special place, with numbers below the given sizes; balls and free joints turned too.
template <typename S>
State<S> drawn_state(const Model<S>& model, double place, double speed)
{
  VectorX<S> delta(model.nv()), qd(model.nv());
  for (int k = 0; k < model.nv(); ++k) {
    delta(k) = S(place * std::sin(1 + 2.3 * k));
    qd(k) = S(speed * std::sin(0.4 + 1.7 * k));
  }
  return {displaced(model, model.zero_coordinates(), delta), qd};
}

/// \brief The methods that estimate their errors.
template <typename S>
using Pairs = std::tuple<DormandPrinceMuntheKaas<S>, RadauMuntheKaas<S>>;

enum class Method { runge_kutta, variational, dormand_prince, radau };
inline int order_of(Method method) { return method == Method::runge_kutta ? 4 : method == Method::variational ? 2 : 5; }
constexpr auto all_methods = {Method::runge_kutta, Method::variational, Method::dormand_prince, Method::radau};

/// \brief A machine on its way, by any method; constant joint forces and wrenches on the bodies, and force elements.
template <typename S>
struct Motion {
  const Model<S>& model;
  VectorX<S> tau = VectorX<S>::Zero(model.nv());
  ExternalWrenches<S> Fext;
  Vector3<S> gravity = model.gravity();
  std::vector<Loop> loops;
  std::vector<ForceElement> elements;

  /// \brief The state after so many steps of length h.
  State<S> operator()(Method method, State<S> x, S h, int steps) const
  {
    after_each(method, x, h, steps, [](const State<S>&) {});
    return x;
  }

  /// \brief The same, with a look at the state after each step.
  void after_each(Method method, State<S>& x, S h, int steps, const std::function<void(const State<S>&)>& look) const
  {
    ForceElements<S> forces(model, elements);
    if (method == Method::variational) {
      VariationalIntegrator<S> integrator(model, loops);
      integrator.set_gravity(gravity);
      integrator.set_armature(forces.armature);
      for (int k = 0; k < steps; ++k) {
        if (elements.empty())
          integrator.step(x.q, x.qd, h, tau, tau, Fext);
        else
          integrator.step_under(
              x.q, x.qd, S(k) * h, h,
              [&](const Recursion<S>& moved, const VectorX<S>& q, const VectorX<S>& qd, const S& t) {
                forces(moved, q, qd, t);
                return VectorX<S>(tau + forces.joint_forces(moved));
              },
              Fext);
        look(x);
      }
      return;
    }
    Loops<S> closed(model, loops);
    ConstrainedDynamics<S> system(model, std::vector<bool>(model.nv(), false), closed.rows());
    system.tree.set_gravity(gravity);
    system.tree.set_armature(forces.armature);
    const Law<S> accelerations = [&](const VectorX<S>& q, const VectorX<S>& qd, const S& t) {
      closed(q, qd);
      forces(closed, q, qd, t);
      const VectorX<S> all = tau + forces.joint_forces(closed);
      system(q, qd, tau, all, closed.A, closed.Adot_qd, Fext);
      return system.qdd();
    };
    RungeKuttaMuntheKaas<S> integrator(model);
    DormandPrinceMuntheKaas<S> pair(model);
    RadauMuntheKaas<S> radau(model);
    const Settle<S> nothing = stay<S>;
    for (int k = 0; k < steps; ++k) {
      if (method == Method::dormand_prince) {
        pair.attempt(x.q, x.qd, S(k) * h, h, accelerations, nothing);
        pair.at(S(1), x.q, x.qd);
      } else if (method == Method::radau) {
        radau.step(x.q, x.qd, S(k) * h, h, accelerations, nothing);
      } else {
        integrator.step(x.q, x.qd, S(k) * h, h, accelerations);
      }
      look(x);
    }
  }
};

/** The order is the whole number to which log2 of the ratios of the errors tends: the nearest one to the last, and the
 *  distances to it shrink. Of halved steps they are halved, or quartered by a symmetric method; three quarters is the
 *  middle between being halved and not shrinking.
 */
inline void require_order(const std::vector<double>& errors, int order)
{
  std::vector<double> distance;
  for (std::size_t k = 0; k + 1 < errors.size(); ++k) {
    const double ratio = std::log2(errors[k] / errors[k + 1]);
    BOOST_TEST_MESSAGE("error " << errors[k + 1] << ", log2 of the ratio " << ratio);
    distance.push_back(std::abs(ratio - order));
  }
  for (std::size_t k = 0; k + 1 < distance.size(); ++k) BOOST_TEST(distance[k + 1] <= 0.75 * distance[k]);
  BOOST_TEST(distance.back() < 0.5);
}

/// The same of the order 5, where errors of the next order may have the other sign, or rounding is near, so that the
/// ratios pass the order on their way: each is nearer to it than to the orders beside it.
inline void require_order(const std::vector<double>& errors, Method method)
{
  if (order_of(method) != 5) return require_order(errors, order_of(method));
  for (std::size_t k = 0; k + 1 < errors.size(); ++k) {
    BOOST_TEST_MESSAGE("error " << errors[k + 1] << ", log2 of the ratio " << std::log2(errors[k] / errors[k + 1]));
    BOOST_TEST(std::abs(std::log2(errors[k] / errors[k + 1]) - order_of(method)) < 0.5);
  }
}

/// One body on a free joint, with a centre of mass off its origin and two equal moments of inertia.
struct SymmetricTop {
  static constexpr double mass = 1.7, across = 0.3, along = 0.5;  // kg, kg m^2
  Mechanism mechanism;
  Vector3<Fifty> center{Fifty(0.2), Fifty(-0.1), Fifty(0.3)};
  SO3<Fifty> axes;  // of the inertia in the body

  SymmetricTop()
  {
    const auto turn = unit({1, -2, 1, 6});
    mechanism.name = mechanism.source = "top";
    mechanism.links = {{"ground"}, {"top", mass, {0.2, -0.1, 0.3}, turn, {across, 0, 0, across, 0, along}}};
    mechanism.joints = {{"flight", JointType::floating, "ground", "top"}};
    mechanism.gravity = {1.7, -2.9, -9.2};
    axes = SO3<Fifty>(Quaternion<Fifty>{{Fifty(turn[0]), Fifty(turn[1]), Fifty(turn[2])}, Fifty(turn[3])});
  }

  /// The pose after a time: the axis goes round the angular momentum, the body round its axis, the centre falls.
  SE3<Fifty> pose(const SE3<Fifty>& start, const Twist<Fifty>& V, const Vector3<Fifty>& g, const Fifty& t) const
  {
    const Vector3<Fifty> w = inverse(axes) * V.w;
    const Fifty A(across), C(along), slip = (C - A) / A * w[2];
    const Vector3<Fifty> precession = start.R * (axes * Vector3<Fifty>{w[0], w[1], C / A * w[2]});
    const SO3<Fifty> own = axes * exp(Vector3<Fifty>{Fifty(0), Fifty(0), -t * slip}) * inverse(axes);
    const SO3<Fifty> R = exp(t * precession) * start.R * own;
    const Vector3<Fifty> velocity = start.R * (V.v + cross(V.w, center));
    return {R, start * center + t * velocity + t * t / Fifty(2) * g - R * center};
  }
};

/// A thing that flies, with a ball joint and a universal joint: both groups, and coordinates that bend.
inline Mechanism kite()
{
  Mechanism machine = SymmetricTop().mechanism;
  machine.name = machine.source = "kite";
  machine.links.push_back(
      {"arm", 0.8, {0.1, 0.05, -0.3}, unit({2, 1, -1, 5}), {0.03, 0.002, -0.001, 0.04, 0.003, 0.02}});
  machine.links.push_back(
      {"tail", 0.5, {-0.07, 0.2, 0.06}, unit({-1, 3, 1, 4}), {0.01, 0.001, 0.002, 0.008, -0.001, 0.012}});
  machine.joints.push_back({"shoulder", JointType::ball, "top", "arm", {0.1, 0.2, -0.1}, unit({1, 2, -3, 6})});
  machine.joints.push_back({"wrist", JointType::universal, "arm", "tail", {0.05, 0, -0.4}, unit({3, -1, 2, 5})});
  return machine;
}

/// What pulls at the kite and has a potential.
inline std::vector<ForceElement> springs()
{
  return {SpringDamper{"line", {"", {1, -0.5, 0.3}}, {"tail", {0.1, 0, 0.2}}, 40, 0, 0.7},
          SpringDamper{"strut", {"top", {0.2, 0.1, 0}}, {"tail", {}}, 25, 0, 0.2},
          JointSpring{"hinge", "wrist", 0, 3, 0, 0.2}, GravityField{"planet", 5, {3, 2, -4}}};
}

}  // namespace articulate::validation::steps
