/** \file
 *  \brief Boost.Odeint and SUNDIALS beside our steps: the same where a space is flat, and not on the group.
 *
 *  - Chapter: \ref motion
 */
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <articulate/aba/forward_dynamics.hpp>
#include <articulate/model/urdf.hpp>
#include <articulate/motion/dormand_prince.hpp>
#include <articulate/motion/force_elements.hpp>
#include <articulate/motion/radau.hpp>
#include <peers/flat.hpp>

using namespace articulate;
using namespace articulate::validation;

namespace {

using Numbers = std::vector<double>;

const std::array<double, 4> unturned{0, 0, 0, 1};
const auto nothing = [](VectorX<double>&, VectorX<double>&) {};
const auto all_of_it = [](const VectorX<double>&, const VectorX<double>&, VectorX<double>&) {};

/// A tree under force elements, to be moved by either.
struct Machine {
  Model<double> model;
  ForceElements<double> forces;
  ForwardDynamics<double> dynamics;
  VectorX<double> q, qd;
  long evaluations = 0;

  Machine(const Mechanism& mechanism, const VectorX<double>& at, const VectorX<double>& rates,
          const std::vector<ForceElement>& elements = {})
      : model(mechanism), forces(model, elements), dynamics(model), q(at), qd(rates)
  {
  }

  const VectorX<double>& accelerations(const VectorX<double>& at, const VectorX<double>& rates, double t)
  {
    ++evaluations;
    forces(at, rates, t);
    return dynamics(at, rates, forces.tau, forces.Fext);
  }

  /// The end (q, qd) by our steps.
  template <typename Pair>
  VectorX<double> end(double tolerance, double duration)
  {
    AdaptiveMotion<double, Pair> motion(model, q, qd, tolerance, duration);
    const auto law = [this](const VectorX<double>& at, const VectorX<double>& rates, double t) {
      return accelerations(at, rates, t);
    };
    while (motion.t < duration) motion.step(law, nothing, all_of_it);
    VectorX<double> both(q.size() + qd.size());
    both << motion.q, motion.qd;
    return both;
  }

  /// How much an error of the start has grown at the end, at most of those in single numbers.
  template <typename Pair>
  double growth(double tolerance, double duration)
  {
    const double moved = 1e-5;  // its square is below what is asked of the answer
    const VectorX<double> unmoved = end<Pair>(tolerance, duration);
    double worst = 1;
    for (VectorX<double>* part : {&q, &qd})
      for (double& x : *part) {
        x += moved;
        worst = std::max(worst, largest(end<Pair>(tolerance, duration) - unmoved) / moved);
        x -= moved;
      }
    return worst;
  }

  /// As lists of numbers; the rates of coordinates are `rates_of(q, qd)`.
  template <typename RatesOf>
  FlatProblem flat(double duration, const RatesOf& rates_of)
  {
    VectorX<double> start(q.size() + qd.size());
    start << q, qd;
    return {[this, rates_of](const Numbers& y, Numbers& rates, double t) {
              const Eigen::Map<const VectorX<double>> all(y.data(), static_cast<Eigen::Index>(y.size()));
              const VectorX<double> at = all.head(q.size()), speed = all.tail(qd.size());
              VectorX<double> change(all.size());
              change << rates_of(at, speed), accelerations(at, speed, t);
              rates.assign(change.begin(), change.end());
            },
            {},
            {start.begin(), start.end()},
            duration};
  }
};

VectorX<double> to_vector(const Numbers& y)
{
  return Eigen::Map<const VectorX<double>>(y.data(), static_cast<Eigen::Index>(y.size()));
}

const auto the_same = [](const VectorX<double>&, const VectorX<double>& qd) { return qd; };

/// Two links whose axes are not parallel, and nothing about them is equal.
Machine arm()
{
  Mechanism mechanism;
  mechanism.name = mechanism.source = "arm";
  mechanism.gravity = {1, -9, -3};
  mechanism.links = {{"ground"},
                     {"upper", 3, {0.1, 0.4, 0.05}, unturned, {0.3, 0.02, 0.01, 0.1, 0.03, 0.25}},
                     {"lower", 2, {0.3, -0.1, 0.2}, unturned, {0.1, 0.01, 0.02, 0.2, 0.01, 0.15}}};
  mechanism.joints = {{"shoulder", JointType::revolute, "ground", "upper", {0, 0, 1}, unturned, {0, 0.6, 0.8}},
                      {"elbow", JointType::revolute, "upper", "lower", {0, 0.8, 0}, unturned, {0.8, 0, 0.6}}};
  return {mechanism, Eigen::Vector2d(0.3, -0.2), Eigen::Vector2d(1, 0.5)};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(flat_solvers)

BOOST_AUTO_TEST_CASE(an_arm_moves_as_by_odeint)
{
  Machine machine = arm();
  const double duration = 2, tolerance = 1e-10;
  using Pair = DormandPrinceMuntheKaas<double>;
  const VectorX<double> ours = machine.end<Pair>(tolerance, duration);
  const double growth = machine.growth<Pair>(tolerance, duration);
  machine.evaluations = 0;
  const VectorX<double> theirs = to_vector(by_odeint(machine.flat(duration, the_same), tolerance));
  // Ours holds the error of the whole duration, beside the largest rate; theirs that of each step, of which one takes six
  // evaluations at least, absolute and relative together.
  const double size = std::max(1.0, largest(ours));
  const double steps = static_cast<double>(machine.evaluations) / 6;
  BOOST_TEST_MESSAGE("apart " << largest(ours - theirs) << ", growth " << growth << ", steps " << steps);
  BOOST_TEST(largest(ours - theirs) <= growth * tolerance * (10 * size + steps * (1 + size)));
  BOOST_TEST(largest(ours.head(2) - machine.q) > 0.1);
}

BOOST_AUTO_TEST_CASE(a_quaternion_as_four_numbers_is_no_rotation_after_a_while)
{
  // A box that tumbles in free fall. To a solver for flat spaces its orientation is four numbers like any others.
  Mechanism mechanism;
  mechanism.name = mechanism.source = "box";
  mechanism.links = {{"ground"}, {"box", 1, {}, unturned, {1, 0, 0, 2, 0, 2.5}}};
  mechanism.joints = {{"free", JointType::floating, "ground", "box"}};
  VectorX<double> qd(6);
  qd << 0.1, 5, 0.2, 0, 0, 0;
  const Model<double> model(mechanism);
  Machine box(mechanism, model.zero_coordinates(), qd);
  const double duration = 10, tolerance = 1e-6;
  const auto rates_of = [](const VectorX<double>& q, const VectorX<double>& V) {
    const Eigen::Quaterniond at(q(6), q(3), q(4), q(5)), spin(0, V(0), V(1), V(2));
    VectorX<double> rates(7);
    rates << at.normalized() * Eigen::Vector3d(V(3), V(4), V(5)), (at * spin).coeffs() / 2;
    return rates;
  };
  const VectorX<double> theirs = to_vector(by_odeint(box.flat(duration, rates_of), tolerance));
  const long before = box.evaluations;
  const VectorX<double> ours = box.end<DormandPrinceMuntheKaas<double>>(tolerance, duration);
  const double steps = static_cast<double>(box.evaluations - before) / 7;
  const auto off = [](const VectorX<double>& y) { return std::abs(y.segment(3, 4).norm() - 1); };
  BOOST_TEST_MESSAGE("the length of the quaternion is off by " << off(theirs) << " and by " << off(ours));
  const double of_rounding = rounding<double>(1) * steps;
  BOOST_TEST(off(ours) <= of_rounding);
  BOOST_TEST(off(theirs) > 1000 * of_rounding);
}

BOOST_AUTO_TEST_CASE(a_stiff_governor_moves_as_by_cvode)
{
  const Mechanism mechanism = read_urdf(ARTICULATE_MACHINES "/a05.urdf");
  VectorX<double> q(4), qd(4);
  const Model<double> model(mechanism);
  for (const JointSlot& joint : model.joints()) {
    q(joint.q) = joint.name == "left" || joint.name == "right" ? pi<double>() / 3 : 0;
    qd(joint.v) = joint.name == "turn" ? 2 * pi<double>() : 0;
  }
  std::vector<ForceElement> springs;
  for (const double side : {-1., 1.})
    springs.push_back(SpringDamper{side < 0 ? "left_spring" : "right_spring",
                                   {"slider", {side * 0.05, 0, 0}},
                                   {side < 0 ? "left_rod" : "right_rod", {0, 0, -0.5}},
                                   8e5,
                                   4e4,
                                   0.5});
  Machine machine(mechanism, q, qd, springs);
  const double duration = 2, tolerance = 1e-7;
  using Pair = RadauMuntheKaas<double>;
  const VectorX<double> ours = machine.end<Pair>(tolerance, duration);
  const double growth = machine.growth<Pair>(tolerance, duration);
  machine.evaluations = 0;
  const VectorX<double> theirs = to_vector(by_cvode(machine.flat(duration, the_same), tolerance));
  // No step of CVODE takes less than an evaluation.
  const double size = std::max(1.0, largest(ours)), steps = static_cast<double>(machine.evaluations);
  BOOST_TEST_MESSAGE("apart " << largest(ours - theirs) << ", growth " << growth << ", evaluations " << steps);
  BOOST_TEST(largest(ours - theirs) <= growth * tolerance * (10 * size + steps * (1 + size)));
  // Explicit steps are held by the damper, whatever the tolerance.
  machine.evaluations = 0;
  by_odeint(machine.flat(duration, the_same), 1e-3);
  BOOST_TEST_MESSAGE("Odeint takes " << machine.evaluations);
  BOOST_TEST(static_cast<double>(machine.evaluations) > 10 * steps);
}

BOOST_AUTO_TEST_SUITE_END()
