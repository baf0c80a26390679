/** \file
 *  \brief Hybrid dynamics by hand, and what bad input is told.
 */
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <articulate/articulate.hpp>
#include <articulate/hybrid/hybrid_dynamics.hpp>
#include <says.hpp>

using namespace articulate;
using articulate::validation::says;

namespace {

constexpr double M = 3, m = 1.7, l = 0.6, J = 0.05, g = 9.81;

/// A cart that slides along x, with a pendulum about y: mass m at distance l below the hinge.
Mechanism cart_with_pendulum()
{
  Mechanism mechanism;
  mechanism.name = mechanism.source = "crane";
  mechanism.links = {{"rail"},
                     {"cart", M, {}, {0, 0, 0, 1}, {1, 0, 0, 1, 0, 1}},
                     {"load", m, {0, 0, -l}, {0, 0, 0, 1}, {J, 0, 0, J, 0, J}}};
  mechanism.joints = {{"slide", JointType::prismatic, "rail", "cart", {}, {0, 0, 0, 1}, {1, 0, 0}, 0},
                      {"hinge", JointType::revolute, "cart", "load", {}, {0, 0, 0, 1}, {0, 1, 0}, 0}};
  return mechanism;
}

VectorX<double> pair(double first, double second)
{
  VectorX<double> x(2);
  x << first, second;
  return x;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(hybrid)

BOOST_AUTO_TEST_CASE(a_load_swings_as_its_cart_is_driven)
{
  const Model<double> model(cart_with_pendulum());
  const double q = 0.8, qd = -1.3, drive = 2.1, torque = 0.4;
  const double swing = (torque + m * l * std::cos(q) * drive - m * g * l * std::sin(q)) / (J + m * l * l);
  const double force = (M + m) * drive - m * l * (std::cos(q) * swing - std::sin(q) * qd * qd);

  HybridDynamics<double> driven(model, {true, false});
  driven(pair(0.3, q), pair(0.5, qd), pair(drive, 99), pair(99, torque));
  BOOST_TEST(std::abs(driven.qdd()(1) - swing) < 1e-14);
  BOOST_TEST(std::abs(driven.tau()(0) - force) < 1e-13);
  BOOST_TEST(driven.qdd()(0) == drive);
  BOOST_TEST(driven.tau()(1) == torque);

  HybridDynamics<double> swung(model, {false, true});
  swung(pair(0.3, q), pair(0.5, qd), pair(99, swing), pair(force, 99));
  BOOST_TEST(std::abs(swung.qdd()(0) - drive) < 1e-13);
  BOOST_TEST(std::abs(swung.tau()(1) - torque) < 1e-13);
}

BOOST_AUTO_TEST_CASE(a_prescribed_degree_feels_no_force_of_the_elimination)
{
  const Model<double> model(cart_with_pendulum());
  HybridDynamics<double> driven(model, {true, false});
  driven(pair(0.3, 0.8), pair(0.5, -1.3), pair(2.1, 0), pair(0, 0.4));
  VectorX<double> felt = pair(99, 99), answered = pair(99, 99);
  driven.reduce(pair(2.5, 0.7), felt, answered);
  BOOST_TEST(felt(0) == 0);
  BOOST_TEST(answered(0) == 0);
  BOOST_TEST(felt(1) == 0.7);
  BOOST_TEST(std::abs(answered(1) - 0.7 / (J + m * l * l)) < 1e-15);
}

BOOST_AUTO_TEST_CASE(a_joint_that_moves_no_mass_may_be_driven_but_not_left_alone)
{
  Mechanism mechanism = cart_with_pendulum();
  mechanism.links[2] = {"load"};
  const Model<double> model(mechanism);
  BOOST_CHECK_EXCEPTION(HybridDynamics<double>(model, {true, false}), ModelError, [](const auto& e) {
    return says(e.what(), {"crane", "'hinge'", "without moving any mass"});
  });
  HybridDynamics<double> driven(model, {false, true});
  driven(pair(0.1, 0.2), pair(0.3, 0.4), pair(0, 5), pair(6, 0));
  BOOST_TEST(std::abs(driven.qdd()(0) - 6 / M) < 1e-15);
  BOOST_TEST(driven.tau()(1) == 0);
}

BOOST_AUTO_TEST_CASE(a_state_that_is_singular_for_forces_may_be_prescribed)
{
  Mechanism gimbal;
  gimbal.name = gimbal.source = "gimbal";
  gimbal.links = {{"shaft"}, {"ring"}, {"cage"}, {"rotor", 1, {0, 0, 0}, {0, 0, 0, 1}, {0.1, 0, 0, 0.2, 0, 0.25}}};
  gimbal.joints = {{"first", JointType::revolute, "shaft", "ring", {}, {0, 0, 0, 1}, {0, 0, 1}, 0},
                   {"second", JointType::revolute, "ring", "cage", {}, {0, 0, 0, 1}, {1, 0, 0}, 0},
                   {"third", JointType::revolute, "cage", "rotor", {}, {0, 0, 0, 1}, {0, 0, 1}, 0}};
  const Model<double> model(gimbal);
  const VectorX<double> zero = VectorX<double>::Zero(3);  // first and third axis coincide
  HybridDynamics<double> all_by_force(model, {false, false, false}), first_driven(model, {true, false, false});
  BOOST_CHECK_EXCEPTION(all_by_force(zero, zero, zero, zero), StateError, [](const auto& e) {
    return says(e.what(), {"gimbal", "'first'", "without moving any mass"});
  });
  // What is refused is no run.
  VectorX<double> x = zero, y = zero;
  BOOST_CHECK_THROW(all_by_force.qdd(), StateError);
  BOOST_CHECK_THROW(all_by_force.respond(x, y), StateError);
  BOOST_CHECK_THROW(HybridDynamicsJacobians<double>{model}(all_by_force, zero, zero, zero), StateError);
  x(1) = 0.5;
  all_by_force(x, zero, zero, zero);
  BOOST_CHECK_NO_THROW(all_by_force.qdd());
  VectorX<double> spin = zero;
  spin(0) = 2;
  first_driven(zero, zero, spin, zero);
  BOOST_TEST(std::abs(first_driven.qdd()(2) + 2) < 1e-14);  // the free rotor stays behind
  BOOST_TEST(std::abs(first_driven.tau()(0)) < 1e-14);
}

BOOST_AUTO_TEST_CASE(what_has_the_wrong_length_is_named)
{
  const Model<double> model(cart_with_pendulum());
  HybridDynamics<double> hybrid(model, {true, false});
  const VectorX<double> good = VectorX<double>::Zero(2), bad = VectorX<double>::Zero(3);
  VectorX<double> answer = good, long_answer = bad;
  const ExternalWrenches<double> few(2);
  const auto names = [](const char* argument) {
    return [argument](const SizeError& e) { return says(e.what(), {argument, "where the model needs"}); };
  };
  BOOST_CHECK_EXCEPTION(HybridDynamics<double>(model, {true}), SizeError, names("prescribed has 1"));
  BOOST_CHECK_EXCEPTION(hybrid(bad, good, good, good), SizeError, names("q has 3"));
  BOOST_CHECK_EXCEPTION(hybrid(good, bad, good, good), SizeError, names("qd has 3"));
  BOOST_CHECK_EXCEPTION(hybrid(good, good, bad, good), SizeError, names("qdd has 3"));
  BOOST_CHECK_EXCEPTION(hybrid(good, good, good, bad), SizeError, names("tau has 3"));
  BOOST_CHECK_EXCEPTION(hybrid(good, good, good, good, few), SizeError, names("Fext has 2"));
  BOOST_CHECK_EXCEPTION(hybrid.respond(long_answer, answer), SizeError, names("tau has 3"));
  BOOST_CHECK_EXCEPTION(hybrid.respond(answer, long_answer), SizeError, names("qdd has 3"));
}

BOOST_AUTO_TEST_SUITE_END()
