/** \file
 *  \brief Derivatives of a pendulum by hand, and what bad input is told.
 */
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <articulate/articulate.hpp>
#include <articulate/derivatives/hybrid_derivative.hpp>
#include <articulate/derivatives/hybrid_jacobians.hpp>

using namespace articulate;

namespace {

constexpr double m = 1.7, l = 0.6, J = 0.05, g = 9.81, angle = 0.8, torque = 0.9, swing = -1.3;

/// About y: mass m at distance l below the hinge. The body's z axis is the hinge, its moment points along -z of the link.
Mechanism pendulum()
{
  Mechanism mechanism;
  mechanism.name = mechanism.source = "pendulum";
  mechanism.links = {{"world"}, {"bob", m, {0, 0, -l}, {0, 0, 0, 1}, {J, 0, 0, J, 0, J}}};
  mechanism.joints = {{"hinge", JointType::revolute, "world", "bob", {}, {0, 0, 0, 1}, {0, 1, 0}, 0}};
  return mechanism;
}

VectorX<double> one(double x) { return VectorX<double>::Constant(1, x); }

/// What p moves at this angle, and what that does to the torque at the acceleration `swing`.
double torque_per(const Model<double>& model, const Parameter& p)
{
  InverseDynamics<double> rnea(model);
  const VectorX<double> qd = one(0.7), qdd = one(swing);
  rnea(one(angle), qd, qdd);
  Seeds<double> seeds(model);
  p.add_to<double>(seeds, rnea, qd);
  return InverseDynamicsDerivative<double>(model)(rnea, qd, qdd, seeds)(0);
}

bool says(const std::string& sentence, std::initializer_list<const char*> pieces)
{
  for (const char* piece : pieces)
    if (sentence.find(piece) == std::string::npos) return false;
  return true;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(derivatives)

BOOST_AUTO_TEST_CASE(the_torque_of_a_pendulum_changes_as_its_formula_does)
{
  // tau = (J + m l^2) qdd + m g l sin q
  const Model<double> model(pendulum());
  BOOST_TEST(std::abs(torque_per(model, Parameter::coordinate(0)) - m * g * l * std::cos(angle)) < 1e-14);
  BOOST_TEST(std::abs(torque_per(model, Parameter::rate(0))) < 1e-15);
  BOOST_TEST(std::abs(torque_per(model, Parameter::acceleration(0)) - (J + m * l * l)) < 1e-15);
  BOOST_TEST(std::abs(torque_per(model, Parameter::gravity(2)) + m * l * std::sin(angle)) < 1e-15);
  BOOST_TEST(std::abs(torque_per(model, Parameter::inertia(1, 9)) - swing) < 1e-15);      // about the hinge
  BOOST_TEST(std::abs(torque_per(model, Parameter::wrench_on_body(1, 2)) + 1) < 1e-15);   // a moment about the hinge
  BOOST_TEST(std::abs(torque_per(model, Parameter::wrench_in_space(1, 1)) + 1) < 1e-15);  // the same, in space
  BOOST_TEST(std::abs(torque_per(model, Parameter::placement_before(1, 5))) < 1e-14);     // slid along its own axis
  BOOST_TEST(std::abs(torque_per(model, Parameter::placement_after(1, 2)) - m * g * l * std::cos(angle)) < 1e-14);
}

BOOST_AUTO_TEST_CASE(the_acceleration_of_a_pendulum_changes_as_its_formula_does)
{
  // qdd = (tau - m g l sin q) / (J + m l^2)
  const Model<double> model(pendulum());
  ForwardDynamics<double> aba(model);
  const VectorX<double> q = one(angle), qd = one(0.7), qdd = aba(q, qd, one(torque));
  const double I = J + m * l * l;
  HybridDynamicsJacobians<double> by(model);
  by(aba, q, qd, qdd);
  BOOST_TEST(std::abs(by.by_q(0, 0) + m * g * l * std::cos(angle) / I) < 1e-13);
  BOOST_TEST(std::abs(by.by_qd(0, 0)) < 1e-14);
  BOOST_TEST(std::abs(by.by_given(0, 0) - 1 / I) < 1e-14);

  HybridDynamicsDerivative<double> derivative(model);
  Seeds<double> seeds(model);
  Parameter::inertia(1, 9).add_to<double>(seeds, aba, qd);
  derivative(aba, qd, qdd, seeds);
  BOOST_TEST(std::abs(derivative.dqdd()(0) + qdd(0) / I) < 1e-13);
}

BOOST_AUTO_TEST_CASE(seeds_add)
{
  const Model<double> model(pendulum());
  InverseDynamics<double> rnea(model);
  const VectorX<double> qd = one(0.7), qdd = one(swing);
  rnea(one(angle), qd, qdd);
  Seeds<double> seeds(model);
  for (const Parameter& p : {Parameter::coordinate(0), Parameter::gravity(2), Parameter::coordinate(0)})
    p.add_to<double>(seeds, rnea, qd);
  const double sum = 2 * m * g * l * std::cos(angle) - m * l * std::sin(angle);
  BOOST_TEST(std::abs(InverseDynamicsDerivative<double>(model)(rnea, qd, qdd, seeds)(0) - sum) < 1e-13);
}

BOOST_AUTO_TEST_CASE(what_has_the_wrong_length_is_named)
{
  const Model<double> model(pendulum());
  const VectorX<double> good = one(0), bad = VectorX<double>::Zero(2);
  InverseDynamics<double> rnea(model);
  ForwardDynamics<double> aba(model);
  rnea(good, good, good);
  aba(good, good, good);
  const Seeds<double> seeds(model);
  InverseDynamicsDerivative<double> five(model);
  HybridDynamicsDerivative<double> seven(model);
  InverseDynamicsJacobians<double> inverse(model);
  HybridDynamicsJacobians<double> hybrid(model);
  const auto names = [](const char* argument) {
    return [argument](const SizeError& e) { return says(e.what(), {argument, "entries where the model needs"}); };
  };
  BOOST_CHECK_EXCEPTION(five(rnea, bad, good, seeds), SizeError, names("qd has 2"));
  BOOST_CHECK_EXCEPTION(five(rnea, good, bad, seeds), SizeError, names("qdd has 2"));
  BOOST_CHECK_EXCEPTION(seven(aba, bad, good, seeds), SizeError, names("qd has 2"));
  BOOST_CHECK_EXCEPTION(seven(aba, good, bad, seeds), SizeError, names("qdd has 2"));
  BOOST_CHECK_EXCEPTION(inverse(rnea, bad, good), SizeError, names("qd has 2"));
  BOOST_CHECK_EXCEPTION(inverse(rnea, good, bad), SizeError, names("qdd has 2"));
  BOOST_CHECK_EXCEPTION(hybrid(aba, bad, good, good), SizeError, names("q has 2"));
  BOOST_CHECK_EXCEPTION(hybrid(aba, good, bad, good), SizeError, names("qd has 2"));
  BOOST_CHECK_EXCEPTION(hybrid(aba, good, good, bad), SizeError, names("qdd has 2"));
}

BOOST_AUTO_TEST_SUITE_END()
