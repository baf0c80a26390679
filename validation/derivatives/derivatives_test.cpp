/** \file
 *  \brief Derivatives of a pendulum by hand, and what bad input is told.
 */
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <random>
#include <articulate/articulate.hpp>
#include <articulate/derivatives/hybrid_derivative.hpp>
#include <articulate/derivatives/hybrid_jacobians.hpp>
#include <articulate/derivatives/hybrid_second_derivatives.hpp>
#include <articulate/derivatives/centroidal_derivatives.hpp>
#include <articulate/derivatives/kinematic_hessian.hpp>
#include <articulate/derivatives/link_derivatives.hpp>
#include <models/models.hpp>
#include <rounding.hpp>
#include <says.hpp>

using namespace articulate;
using articulate::validation::copies_agree;
using articulate::validation::says;
using validation::built_in_model;

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

/// A pendulum about y whose bob carries another about x; on the world, or on a table that turns about z.
Mechanism crossed_hinges(bool table)
{
  Mechanism mechanism = pendulum();
  mechanism.links.push_back({"second", 0.8, {0, 0.1, -0.3}, {0, 0, 0, 1}, {J, 0, 0, 2 * J, 0, J}});
  mechanism.joints.push_back({"crossed", JointType::revolute, "bob", "second", {0, 0, -l}, {0, 0, 0, 1}, {1, 0, 0}, 0});
  if (table) {
    mechanism.links.push_back({"table", 1, {}, {0, 0, 0, 1}, {1, 0, 0, 1, 0, 1}});
    mechanism.joints[0].parent = "table";
    mechanism.joints.insert(mechanism.joints.begin(),
                            {"turntable", JointType::revolute, "world", "table", {}, {0, 0, 0, 1}, {0, 0, 1}, 0});
  }
  return mechanism;
}

VectorX<double> one(double x) { return VectorX<double>::Constant(1, x); }

VectorX<double> ramp(int n, double start, double step)
{
  VectorX<double> x(n);
  for (int k = 0; k < n; ++k) x(k) = start + step * k;
  return x;
}

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

BOOST_AUTO_TEST_CASE(derivatives_are_of_a_run_whose_base_spins_in_its_gravity)
{
  // The base turns about z at the rate w: qdd = (tau - m g l sin q + m l^2 w^2 sin q cos q) / (J + m l^2).
  const Model<double> model(pendulum());
  ForwardDynamics<double> aba(model);
  const double w = 1.9, moon = 1.7, I = J + m * l * l, weight = m * moon * l, fling = m * l * l * w * w;
  const double bound = 100 * 0x1p-53 * (torque + weight + fling) / I;
  aba.V[0] = {{0, 0, w}, {}};
  aba.set_gravity({0, 0, -moon});
  const VectorX<double> q = one(angle), qd = one(0.7), qdd = aba(q, qd, one(torque));
  BOOST_TEST(std::abs(qdd(0) - (torque - weight * std::sin(angle) + fling * std::sin(2 * angle) / 2) / I) < bound);
  HybridDynamicsJacobians<double> by(model);
  by(aba, q, qd, qdd);
  BOOST_TEST(std::abs(by.by_q(0, 0) - (fling * std::cos(2 * angle) - weight * std::cos(angle)) / I) < bound);
  HybridDynamicsSecondDerivatives<double> twice(model);
  twice(aba, q, qd, qdd);
  const double bend = (weight * std::sin(angle) - 2 * fling * std::sin(2 * angle)) / I;
  BOOST_TEST(std::abs(twice.dq_dq[0](0, 0) - bend) < bound);
}

BOOST_AUTO_TEST_CASE(derivatives_on_a_base_that_spins_are_those_on_a_table_that_is_turned)
{
  // Two hinges that cross: what a spin does to one rate is odd in the spin.
  const Mechanism on_base = crossed_hinges(false), on_table = crossed_hinges(true);
  const double w = 1.9;
  VectorX<double> q(2), qd(2), tau(2), zero = VectorX<double>::Zero(3);
  q << angle, -0.4, qd << 0.7, 1.6, tau << torque, -0.2;
  const auto behind = [](double first, const VectorX<double>& rest) {
    VectorX<double> x(3);
    x << first, rest;
    return x;
  };

  const Model<double> model(on_base), turned(on_table);
  ForwardDynamics<double> aba(model);
  aba.V[0] = {{0, 0, w}, {}};
  const VectorX<double> qdd = aba(q, qd, tau);
  HybridDynamicsJacobians<double> by(model), by_turned(turned);
  by(aba, q, qd, qdd);

  HybridDynamics<double> hybrid(turned, {true, false, false});
  const VectorX<double> q_turned = behind(0, q), qd_turned = behind(w, qd);
  hybrid(q_turned, qd_turned, zero, behind(0, tau));
  by_turned(hybrid, q_turned, qd_turned, hybrid.qdd());
  const auto near = [](const auto& a, const auto& b) {
    return (a - b).cwiseAbs().maxCoeff() <= 300 * 0x1p-53 * b.cwiseAbs().maxCoeff();
  };
  BOOST_TEST(near(qdd, hybrid.qdd().tail(2)));
  BOOST_TEST(near(by.by_q, by_turned.by_q.bottomRightCorner(2, 2)));
  BOOST_TEST(near(by.by_qd, by_turned.by_qd.bottomRightCorner(2, 2)));

  HybridDynamicsSecondDerivatives<double> twice(model), twice_turned(turned);
  twice(aba, q, qd, qdd);
  twice_turned(hybrid, q_turned, qd_turned, hybrid.qdd());
  for (int i = 0; i < 2; ++i) {
    BOOST_TEST(near(twice.dq_dq[i], twice_turned.dq_dq[i + 1].bottomRightCorner(2, 2)));
    BOOST_TEST(near(twice.dq_dqd[i], twice_turned.dq_dqd[i + 1].bottomRightCorner(2, 2)));
    BOOST_TEST(near(twice.dqd_dqd[i], twice_turned.dqd_dqd[i + 1].bottomRightCorner(2, 2)));
  }
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

  Seeds<double> heavier(model);  // in two of the ten numbers of one body
  for (const int component : {1, 9}) Parameter::inertia(1, component).add_to<double>(heavier, rnea, qd);
  const double both = torque_per(model, Parameter::inertia(1, 1)) + torque_per(model, Parameter::inertia(1, 9));
  BOOST_TEST(std::abs(torque_per(model, Parameter::inertia(1, 1))) > 1);
  BOOST_TEST(std::abs(InverseDynamicsDerivative<double>(model)(rnea, qd, qdd, heavier)(0) - both) < 1e-13);
}

BOOST_AUTO_TEST_CASE(one_line_gives_the_numbers_of_the_class_bit_for_bit)
{
  const Model<double> model(built_in_model("mixed_tree"));
  const int n = model.nv();
  const VectorX<double> q = ramp(model.nq(), 0.3, 0.05), qd = ramp(n, 1, -0.1), x = ramp(n, -0.4, 0.2);
  const ExternalWrenches<double> Fext(model.bodies() + 1, Wrench<double>{{1, 2, 3}, {4, 5, 6}});
  std::vector<bool> every_third(n);
  for (int k = 0; k < n; k += 3) every_third[k] = true;
  InverseDynamics<double> rnea(model);
  ForwardDynamics<double> aba(model);
  HybridDynamics<double> hybrid(model, every_third);
  rnea(q, qd, x, Fext);
  const VectorX<double> qdd = aba(q, qd, x, Fext);
  hybrid(q, qd, 2 * x, x, Fext);

  // As arguments expressions of the same numbers: a half doubled is exact.
  InverseDynamicsDerivative<double> five(model);
  HybridDynamicsDerivative<double> six(model), seven(model);
  for (const Parameter& p : {Parameter::coordinate(2), Parameter::inertia(4, 1), Parameter::wrench_in_space(5, 1)}) {
    six(aba, qd, qdd, seeds_of(p, aba, qd));
    seven(hybrid, qd, hybrid.qdd(), seeds_of(p, hybrid, qd));
    const auto both = hybrid_dynamics_derivative(model, every_third, p, q, 2 * (qd / 2), 2 * x, x, Fext);
    BOOST_TEST(inverse_dynamics_derivative(model, p, q, 2 * (qd / 2), x, Fext) ==
               five(rnea, qd, x, seeds_of(p, rnea, qd)));
    BOOST_TEST(forward_dynamics_derivative(model, p, q, qd, 2 * (x / 2), Fext) == six.dqdd());
    BOOST_TEST(both.qdd == seven.dqdd());
    BOOST_TEST(both.tau == seven.dtau());
    BOOST_TEST(six.dqdd().norm() > 0);
    BOOST_TEST(seven.dtau().norm() > 0);
  }

  InverseDynamicsJacobians<double> inverse(model);
  inverse(rnea, qd, x);
  const auto [dtau_dq, dtau_dqd, dtau_dqdd] = inverse_dynamics_jacobians(model, 2 * (q / 2), qd, x, Fext);
  BOOST_TEST(copies_agree(dtau_dq, inverse.dtau_dq));
  BOOST_TEST(copies_agree(dtau_dqd, inverse.dtau_dqd));
  BOOST_TEST(copies_agree(dtau_dqdd, inverse.dtau_dqdd));
  const auto require_same = [](const DynamicsJacobians<double>& one_line, const HybridDynamicsJacobians<double>& of) {
    BOOST_TEST(copies_agree(one_line.by_q, of.by_q));
    BOOST_TEST(copies_agree(one_line.by_qd, of.by_qd));
    BOOST_TEST(copies_agree(one_line.by_given, of.by_given));
  };
  HybridDynamicsJacobians<double> of(model);
  of(aba, q, qd, qdd);
  require_same(forward_dynamics_jacobians(model, q, qd, 2 * (x / 2), Fext), of);
  of(hybrid, q, qd, hybrid.qdd());
  require_same(hybrid_dynamics_jacobians(model, every_third, q, qd, 2 * x, 2 * (x / 2), Fext), of);

  const auto require_same_twice = [](const DynamicsHessians<double>& one_line, const auto& class_of) {
    BOOST_TEST((one_line.q_q == class_of.dq_dq));
    BOOST_TEST((one_line.q_qd == class_of.dq_dqd));
    BOOST_TEST((one_line.qd_qd == class_of.dqd_dqd));
  };
  InverseDynamicsSecondDerivatives<double> inverse_twice(model);
  inverse_twice(rnea, qd, x);
  const DynamicsHessians<double> by_forces = inverse_dynamics_hessians(model, 2 * (q / 2), qd, x, Fext);
  require_same_twice(by_forces, inverse_twice);
  BOOST_TEST((by_forces.q_given == inverse_twice.dq_dqdd));
  HybridDynamicsSecondDerivatives<double> twice(model);
  twice(hybrid, q, qd, hybrid.qdd(), Fext);
  const auto of_both = hybrid_dynamics_hessians(model, every_third, q, qd, 2 * x, 2 * (x / 2), Fext);
  require_same_twice(of_both, twice);
  BOOST_TEST((of_both.q_given == twice.dq_dgiven));
  twice(aba, q, qd, qdd, Fext);
  const DynamicsHessians<double> of_motion = forward_dynamics_hessians(model, q, qd, 2 * (x / 2), Fext);
  require_same_twice(of_motion, twice);
  BOOST_TEST((of_motion.q_given == twice.dq_dgiven));

  const LinkFrame<double> tip = model.links().back();
  SpaceMotion<double> motion(model);
  motion(q, qd, x);
  LinkDerivatives<double> links(model);
  links(motion, qd, x);
  const LinkMotionJacobians<double> by_class = links.of(motion, tip, JacobianFrame::mixed),
                                    at_once = link_motion_jacobians(model, tip, 2 * (q / 2), qd, 2 * (x / 2),
                                                                    JacobianFrame::mixed);
  BOOST_TEST((at_once.twist_by_q == by_class.twist_by_q));
  BOOST_TEST((at_once.acceleration_by_q == by_class.acceleration_by_q));
  BOOST_TEST((at_once.acceleration_by_qd == by_class.acceleration_by_qd));
  BOOST_TEST(at_once.acceleration_by_q.norm() > 0);
  const Indexed<MatrixX<double>> of_jacobian = link_jacobian_derivatives(motion, tip, JacobianFrame::mixed);
  BOOST_TEST((link_jacobian_derivatives(model, tip, 2 * (q / 2), JacobianFrame::mixed) == of_jacobian));
  BOOST_TEST(std::ranges::any_of(of_jacobian, [](const MatrixX<double>& by_q) { return by_q.norm() > 0; }));

  CentroidalDerivatives<double> whole(model);
  whole(q, qd, qdd), whole(q, qd, x);  // nothing of the first call is left
  const CentroidalJacobians<double> momentum = centroidal_jacobians(model, 2 * (q / 2), qd, 2 * (x / 2));
  BOOST_TEST((momentum.momentum_by_q == whole.dh_dq));
  BOOST_TEST((momentum.rate_by_q == whole.dhdot_dq));
  BOOST_TEST((momentum.rate_by_qd == whole.dhdot_dqd));
  BOOST_TEST(momentum.rate_by_qd.norm() > 0);
}

BOOST_AUTO_TEST_CASE(nothing_is_differentiated_before_it_has_run)
{
  const Model<double> model(pendulum());
  const VectorX<double> x = one(0.3);
  const InverseDynamics<double> rnea(model);
  ForwardDynamics<double> aba(model);
  Seeds<double> seeds(model);
  const auto says_so = [](const char* what, const auto& ask) {
    try {
      ask();
    } catch (const StateError& error) {
      return says(error.what(), {"there is no", what, "before the first run; call the algorithm with a state first."});
    }
    return false;
  };
  const char* const motion = "motion to differentiate";
  HybridDynamicsDerivative<double> seven(model);
  BOOST_TEST(says_so(motion, [&] { InverseDynamicsDerivative<double>{model}(rnea, x, x, seeds); }));
  BOOST_TEST(says_so(motion, [&] { seven(aba, x, x, seeds); }));
  BOOST_TEST(says_so(motion, [&] { InverseDynamicsJacobians<double>{model}(rnea, x, x); }));
  BOOST_TEST(says_so(motion, [&] { HybridDynamicsJacobians<double>{model}(aba, x, x, x); }));
  BOOST_TEST(says_so(motion, [&] { Parameter::coordinate(0).add_to<double>(seeds, rnea, x); }));
  BOOST_TEST(says_so(motion, [&] { hold_in_space(seeds, rnea, ExternalWrenches<double>(2)); }));
  SpaceMotion<double> moving(model);
  moving(x, x, x);
  BOOST_TEST(
      says_so("derivative of a motion", [&] { LinkDerivatives<double>{model}.of(moving, model.links().back()); }));
  BOOST_TEST(says_so("derivative of the accelerations", [&] { seven.dqdd(); }));
  BOOST_TEST(says_so("derivative of the joint forces", [&] { seven.dtau(); }));
  const VectorX<double> qdd = aba(x, x, x);
  seven(aba, x, qdd, seeds);
  BOOST_TEST(seven.dqdd()(0) == 0);
  BOOST_TEST(seven.dtau()(0) == 0);
}

BOOST_AUTO_TEST_CASE(what_the_base_bears_is_that_of_the_last_call_and_wrenches_are_as_many_as_bodies)
{
  const Model<double> model(pendulum());
  const VectorX<double> x = one(0.3);
  InverseDynamics<double> rnea(model);
  rnea(x, x, x);
  InverseDynamicsDerivative<double> five(model);
  Seeds<double> seeds = seeds_of(Parameter::gravity(2), rnea, x);
  five(rnea, x, x, seeds);
  const double once = five.dF[0].f[2];
  five(rnea, x, x, seeds);
  BOOST_TEST(once != 0);
  BOOST_TEST(five.dF[0].f[2] == once);
  BOOST_CHECK_NO_THROW(hold_in_space(seeds, rnea, {}));
  BOOST_CHECK_THROW(hold_in_space(seeds, rnea, ExternalWrenches<double>(1)), SizeError);
}

BOOST_AUTO_TEST_CASE(half_a_response_is_completed_by_symmetry)
{
  const Model<double> model(built_in_model("mixed_tree"));
  const int n = model.nv();
  std::vector<bool> prescribed;
  for (int k = 0; k < n; ++k) prescribed.push_back(k % 3 == 0);
  HybridDynamics<double> dynamics(model, prescribed);
  dynamics.set_armature(ramp(n, 0.1, 0.05));
  const VectorX<double> q = ramp(model.nq(), 0.1, 0.1), x = ramp(n, -0.4, 0.2);
  dynamics(q, x, x, x);
  HybridDynamicsJacobians<double> by(model);
  by(dynamics, q, x, dynamics.qdd());
  const auto whole = [&](const VectorX<double>& at, int k) {
    dynamics(at, x, x, x);
    VectorX<double> tau = VectorX<double>::Zero(n), qdd = tau, all = tau;
    (prescribed[k] ? qdd : tau)(k) = 1;
    dynamics.respond(tau, qdd);
    for (int j = 0; j < n; ++j) all(j) = (prescribed[j] ? tau : qdd)(j);
    return all;
  };
  const auto largest = [](const VectorX<double>& y) { return y.cwiseAbs().maxCoeff(); };
  std::mt19937_64 engine(1);
  for (int k = 0; k < n; ++k) {
    // 100 n eps kappa; for kappa q is moved by 2^-26 of itself, where truncation and rounding weigh alike.
    const VectorX<double> response = whole(q, k);
    double kappa = 1;
    for (int trial = 0; trial < 4; ++trial) {
      VectorX<double> moved = q;
      for (double& entry : moved) entry *= 1 + (engine() >> 63 ? 0x1p-26 : -0x1p-26);
      kappa = std::max(kappa, largest(whole(moved, k) - response) / largest(response) * 0x1p26);
    }
    BOOST_TEST(largest(by.by_given.col(k) - response) <=
               100 * n * std::numeric_limits<double>::epsilon() * kappa * largest(response));
  }
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
