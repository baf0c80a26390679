/** \file
 *  \brief Is the vector Newton-Euler witness itself right? Closed forms, and laws that need velocities only.
 */
#include <boost/test/unit_test.hpp>
#include <boost/test/data/test_case.hpp>
#include <Eigen/Geometry>
#include <algorithm>
#include <vector>
#include <ledger/scalars.hpp>
#include <witnesses/newton_euler.hpp>
#include <witnesses/random_tree.hpp>

namespace {

using articulate::Joint, articulate::JointType, articulate::Link, articulate::Mechanism;
namespace witness = articulate::witness;
using witness::body, witness::joint;
using Real = articulate::validation::Fifty;
using Witness = witness::VectorNewtonEuler<Real>;
using Vector3 = Witness::Vector3;
using Vector6 = Witness::Vector6;
using VectorX = Witness::VectorX;

const Real exact("1e-46"), step("1e-16"), differenced("1e-28");  // differences leave about step^2

constexpr std::array<double, 4> third_turn{0.5, 0.5, 0.5, 0.5};  // x -> y -> z -> x, in exact numbers

VectorX list(std::initializer_list<double> values)
{
  VectorX v(values.size());
  std::transform(values.begin(), values.end(), v.begin(), [](double x) { return Real(x); });
  return v;
}

template <class A, class B>
void check_close(const A& a, const B& b, const Real& tolerance)
{
  BOOST_REQUIRE_EQUAL(a.size(), b.size());
  for (Eigen::Index k = 0; k < a.size(); ++k)
    BOOST_CHECK_MESSAGE(abs(a(k) - b(k)) <= tolerance * (1 + abs(a(k)) + abs(b(k))),
                        "entry " << k << ": " << a(k) << " and " << b(k) << " differ by " << a(k) - b(k));
}
void check_close(const Real& a, const Real& b, const Real& tolerance)
{
  check_close(VectorX::Constant(1, a), VectorX::Constant(1, b), tolerance);
}

struct Random : witness::RandomNumbers {
  using RandomNumbers::RandomNumbers;
  VectorX vector(Eigen::Index n)
  {
    return VectorX::NullaryExpr(n, [&](Eigen::Index) { return Real((*this)()); });
  }
};

Mechanism random_tree(Random& random) { return witness::random_tree(random, 12); }

/// \brief Rates of the coordinates: R v for a position, half the quaternion times (w, 0) for a quaternion, else qd.
VectorX coordinate_rates(const Witness& robot, const VectorX& q, const VectorX& qd)
{
  VectorX out(robot.coordinates);
  for (const auto& link : robot.links) {
    const auto c = link.first_coordinate, r = link.first_rate;
    if (link.joint != JointType::ball && link.joint != JointType::floating) {
      out.segment(c, link.chain.size()) = qd.segment(r, link.chain.size());
      continue;
    }
    const auto turn = link.joint == JointType::ball ? c : c + 3;
    const Eigen::Quaternion<Real> given(q[turn + 3], q[turn], q[turn + 1], q[turn + 2]);
    const Eigen::Quaternion<Real> w(Real(0), qd[r], qd[r + 1], qd[r + 2]);
    out.segment<4>(turn) = (given * w).coeffs() / Real(2);
    if (turn > c) out.segment<3>(c) = given.normalized().toRotationMatrix() * qd.segment<3>(r + 3);
  }
  return out;
}

VectorX unit(Eigen::Index n, Eigen::Index k) { return VectorX::Unit(n, k); }

}  // namespace

BOOST_AUTO_TEST_CASE(a_pendulum_with_an_offset_mass_obeys_its_closed_form)
{
  // The joint frame is turned so that its z is the world's x, and the inertia's y is the link's z.
  Mechanism m;
  m.links = {body("ground", 7, {1, 2, 3}, {}), body("bob", 1.75, {0.5, -0.25, 0.375}, {3, 0.25, -0.5, 4, 0.125, 5})};
  m.links[1].inertial_quaternion = third_turn;
  m.joints = {joint("hinge", JointType::continuous, "ground", "bob")};
  m.joints[0].position = {0.3, -0.7, 0.2}, m.joints[0].quaternion = third_turn, m.joints[0].axis = {0, 0, 2};
  Witness robot(m, false);

  const Vector3 g = list({1.5, -2.25, -9.5});
  const Real q(0.7), qd(1.3), qdd(-2.1);
  const VectorX tau = robot.inverse_dynamics(list({0.7}), list({1.3}), list({-2.1}), g);
  const Real y = cos(q) * Real(0.5) + sin(q) * Real(0.25), z = sin(q) * Real(0.5) - cos(q) * Real(0.25), mass(1.75);
  const Real about_axis = 4 + mass * (y * y + z * z);
  check_close(tau[0], about_axis * qdd - mass * (y * g[2] - z * g[1]), exact);
  check_close(robot.kinetic_energy(), about_axis * qd * qd / 2, exact);
  const Vector3 center(Real(0.3) + Real(0.375), Real(-0.7) + y, Real(0.2) + z);
  check_close(robot.center_of_mass(), center, exact);
  const Real height = center[0] * g[0] + center[1] * g[1] + center[2] * g[2];
  check_close(robot.potential_energy(g), -mass * height, exact);
  check_close(robot.linear_momentum(), Vector3(Real(0), -mass * z * qd, mass * y * qd), exact);
}

BOOST_AUTO_TEST_CASE(a_planar_arm_of_two_links_obeys_the_textbook_equations)
{
  Mechanism m;
  m.links = {body("tip", 1.25, {0.375, 0, 0}, {0, 0, 0, 0, 0, 0.1875}), body("base", 1, {}, {}),
             body("first", 2.5, {0.25, 0, 0}, {0, 0, 0, 0, 0, 0.3125})};
  m.joints = {joint("shoulder", JointType::revolute, "base", "first"),
              joint("elbow", JointType::revolute, "first", "tip")};
  m.joints[1].position = {0.75, 0, 0};
  Witness robot(m, false);

  const Real q1(0.4), q2(-1.1), u1(0.9), u2(-0.6), a1(1.7), a2(0.8), g(9.81);
  const Real m1(2.5), m2(1.25), c1(0.25), c2(0.375), l(0.75), I1(0.3125), I2(0.1875), s = sin(q2), c = cos(q2);
  const Real d11 = I1 + I2 + m1 * c1 * c1 + m2 * (l * l + c2 * c2 + 2 * l * c2 * c);
  const Real d12 = I2 + m2 * (c2 * c2 + l * c2 * c), d22 = I2 + m2 * c2 * c2, h = m2 * l * c2 * s;
  const Real fall = m2 * c2 * g * cos(q1 + q2);
  VectorX expected(2);
  expected << d11 * a1 + d12 * a2 - h * (2 * u1 * u2 + u2 * u2) + (m1 * c1 + m2 * l) * g * cos(q1) + fall,
      d12 * a1 + d22 * a2 + h * u1 * u1 + fall;
  check_close(robot.inverse_dynamics(list({0.4, -1.1}), list({0.9, -0.6}), list({1.7, 0.8}), list({0, -9.81, 0})),
              expected, exact);
}

BOOST_AUTO_TEST_CASE(a_screw_moves_mass_and_inertia_along_and_about_its_axis)
{
  Mechanism m;
  m.links = {body("nut", 1, {}, {}), body("screw", 1.5, {0.25, -0.5, 2}, {1, 0.5, 0.25, 2, 0.125, 3})};
  m.joints = {joint("thread", JointType::helical, "nut", "screw")};
  m.joints[0].pitch = -0.375;
  Witness robot(m, false);

  const Real q(-2.2), qdd(1.9), mass(1.5), h(-0.375);
  const Real x = cos(q) / 4 + sin(q) / 2, y = sin(q) / 4 - cos(q) / 2, d2 = x * x + y * y;
  const Vector3 g = list({2, -3, -9});
  const VectorX tau = robot.inverse_dynamics(list({-2.2}), list({0.6}), list({1.9}), g);
  check_close(tau[0], (3 + mass * d2 + mass * h * h) * qdd - mass * (x * g[1] - y * g[0] + h * g[2]), exact);
  check_close(robot.links[1].position, Vector3(Real(0), Real(0), h * q), exact);
  check_close(robot.links[1].velocity, Vector3(Real(0), Real(0), h * Real(0.6)), exact);
}

BOOST_AUTO_TEST_CASE(a_free_body_obeys_euler_in_its_axes_and_flies_a_parabola)
{
  Mechanism m;
  m.links = {body("stone", 1.5, {}, {2, 0, 0, 3, 0, 4.5})};
  const VectorX q = list({0.3, -0.8, 1.1, 0.5, 0.5, 0.5, 0.5});
  const Vector3 g = list({1, -2, -9});
  {
    // Centre of mass at the origin: Euler's three equations, and Newton's law in turning axes.
    Witness stone(m, true);
    const VectorX V = list({0.5, -0.7, 1.1, 2, -3, 1}), Vdot = list({1.2, 0.4, -0.9, -1, 0.5, 2.5});
    VectorX expected(6);
    expected << 2 * Vdot[0] + (Real(4.5) - 3) * V[1] * V[2], 3 * Vdot[1] + (2 - Real(4.5)) * V[2] * V[0],
        Real(4.5) * Vdot[2] + (3 - 2) * V[0] * V[1],
        Real(1.5) * (Vdot[3] + V[1] * V[5] - V[2] * V[4] - g[1]),  // the body's x is the world's y
        Real(1.5) * (Vdot[4] + V[2] * V[3] - V[0] * V[5] - g[2]),
        Real(1.5) * (Vdot[5] + V[0] * V[4] - V[1] * V[3] - g[0]);
    check_close(stone.inverse_dynamics(q, V, Vdot, g), expected, exact);
    check_close(stone.links[0].velocity, Vector3(V[5], V[3], V[4]), exact);
  }
  {
    // Turning steadily about a principal axis (z) with the centre of mass at (a, b, 0), it needs no wrench to fall:
    // the origin has the acceleration g + w^2 (a, b, 0), of which w x v = w (-vy, vx, 0) is due to the turning axes.
    m.links[0].center_of_mass = {0.25, -0.5, 0};
    Witness stone(m, true);
    const Real w(2), a(0.25), b(-0.5), vx(3), vy(-1), vz(0.5);
    VectorX V(6), Vdot(6);
    V << 0, 0, w, vx, vy, vz;
    Vdot << 0, 0, 0, g[1] + w * w * a + w * vy, g[2] + w * w * b - w * vx, g[0];
    check_close(stone.inverse_dynamics(q, V, Vdot, g), VectorX::Zero(6), exact);
  }
}

// Kinetic energy needs velocities only; what Lagrange makes of it must be what Newton and Euler say. On a ball or
// floating joint the rates are quasi-velocities: momenta given in turning axes gain w x p, and moments also v x p.
BOOST_DATA_TEST_CASE(lagrange_equations_hold_for_every_rate, boost::unit_test::data::xrange(1u, 9u), seed)
{
  Random random(seed);
  const Mechanism m = random_tree(random);
  Witness robot(m, seed % 2);
  const auto n = robot.rates;
  const VectorX q = random.vector(robot.coordinates), qd = random.vector(n), qdd = random.vector(n);
  const Vector3 g = 10 * random.vector(3);
  std::vector<Vector6> external(robot.links.size());
  for (auto& wrench : external) wrench = random.vector(6);
  const VectorX tau = robot.inverse_dynamics(q, qd, qdd, g, external);

  const auto kinetic = [&](const VectorX& x, const VectorX& xd) {
    robot.bias(x, xd, g);
    return robot.kinetic_energy();
  };
  const auto lagrangian = [&](const VectorX& x) {
    const Real T = kinetic(x, qd);
    return T - robot.potential_energy(g);
  };
  const auto momentum = [&](const VectorX& x, const VectorX& xd, Eigen::Index k) {  // T is quadratic in the rates
    return (kinetic(x, xd + unit(n, k)) - kinetic(x, xd - unit(n, k))) / Real(2);
  };
  const VectorX dq = step * coordinate_rates(robot, q, qd), dqd = step * qdd;
  VectorX p(n), expected(n);
  for (Eigen::Index k = 0; k < n; ++k) {
    const VectorX shift = step * coordinate_rates(robot, q, unit(n, k));
    p[k] = momentum(q, qd, k);
    expected[k] = (momentum(q + dq, qd + dqd, k) - momentum(q - dq, qd - dqd, k)) / (2 * step) -
                  (lagrangian(q + shift) - lagrangian(q - shift)) / (2 * step);
    // Virtual power of the external wrenches at unit rate.
    robot.bias(q, unit(n, k), g);
    for (std::size_t i = 0; i < robot.links.size(); ++i) {
      const auto& link = robot.links[i];
      const Vector3 w = link.rotation.transpose() * link.angular_velocity,
                    v = link.rotation.transpose() * link.velocity;
      expected[k] -= w.cwiseProduct(external[i].head<3>()).sum() + v.cwiseProduct(external[i].tail<3>()).sum();
    }
  }
  for (const auto& link : robot.links) {
    const auto r = link.first_rate;
    if (link.joint != JointType::ball && link.joint != JointType::floating) continue;
    const Vector3 w = qd.segment<3>(r), pw = p.segment<3>(r);
    expected.segment<3>(r) += w.cross(pw);
    if (link.joint == JointType::ball) continue;
    const Vector3 v = qd.segment<3>(r + 3), pv = p.segment<3>(r + 3);
    expected.segment<3>(r) += v.cross(pv);
    expected.segment<3>(r + 3) += w.cross(pv);
  }
  check_close(tau, expected, differenced);

  // Joint forces are linear in qdd, with the mass matrix of the kinetic energy.
  const Witness::MatrixX M = robot.mass_matrix(q);
  check_close(M, M.transpose().eval(), exact);
  check_close(tau, VectorX(M * qdd + robot.bias(q, qd, g, external)), exact);
  check_close(p, VectorX(M * qd), exact);
}

BOOST_DATA_TEST_CASE(power_is_the_rate_of_energy_and_velocity_that_of_position,
                     boost::unit_test::data::xrange(11u, 17u), seed)
{
  Random random(seed);
  const Mechanism m = random_tree(random);
  Witness robot(m, seed % 2);
  const auto n = robot.rates;
  const VectorX q = random.vector(robot.coordinates), qd = random.vector(n), qdd = random.vector(n);
  const Vector3 g = 10 * random.vector(3);
  const auto at = [&](const Real& t) {
    Witness copy = robot;
    copy.inverse_dynamics(q + t * coordinate_rates(robot, q, qd), qd + t * qdd, qdd, g);
    return copy;
  };
  const Witness before = at(-step), after = at(step);
  const VectorX tau = robot.inverse_dynamics(q, qd, qdd, g);
  const auto energy = [&](const Witness& w) { return w.kinetic_energy() + w.potential_energy(g); };
  check_close(tau.cwiseProduct(qd).sum(), (energy(after) - energy(before)) / (2 * step), differenced);
  check_close(robot.linear_momentum(),
              Vector3((after.center_of_mass() - before.center_of_mass()) * robot.mass() / (2 * step)), differenced);
  for (std::size_t i = 0; i < robot.links.size(); ++i) {
    const auto &link = robot.links[i], &a = before.links[i], &b = after.links[i];
    check_close(link.velocity, Vector3((b.position - a.position) / (2 * step)), differenced);
    check_close(link.acceleration, Vector3((b.velocity - a.velocity) / (2 * step)), differenced);
    check_close(link.angular_acceleration, Vector3((b.angular_velocity - a.angular_velocity) / (2 * step)),
                differenced);
    for (int k = 0; k < 3; ++k)
      check_close(Vector3(link.angular_velocity.cross(link.rotation.col(k))),
                  Vector3((b.rotation.col(k) - a.rotation.col(k)) / (2 * step)), differenced);
  }
  if (seed % 2 == 0) return;
  // A floating system: its momentum changes by its weight and by the wrench on its base.
  const auto& base = *std::find_if(robot.links.begin(), robot.links.end(),
                                   [](const auto& link) { return link.parent == witness::world; });
  const Vector3 force = base.rotation * tau.segment<3>(3), weight = robot.mass() * g;
  const Vector3 moment =
      base.rotation * tau.head<3>() + base.position.cross(force) + robot.center_of_mass().cross(weight);
  check_close(Vector3((after.linear_momentum() - before.linear_momentum()) / (2 * step)), Vector3(force + weight),
              differenced);
  check_close(Vector3((after.angular_momentum() - before.angular_momentum()) / (2 * step)), moment, differenced);
}

BOOST_AUTO_TEST_CASE(a_link_split_by_a_fixed_joint_moves_as_before)
{
  // Small binary fractions, so that the link in one piece, computed by hand, is exact too.
  Mechanism split;
  split.links = {body("base", 1, {}, {}), body("arm", 1, {0.5, -0.25, 1}, {2, 0.25, 0.125, 3, -0.5, 4}),
                 body("tool", 3, {0.25, 0.75, -0.5}, {3, 0.5, -0.25, 2, 0.125, 2.5}),
                 body("hand", 2, {0.375, 0.5, 0.25}, {1, 0.125, 0.25, 2, 0.0625, 1.5})};
  split.joints = {joint("a", JointType::helical, "base", "arm"), joint("b", JointType::fixed, "arm", "tool"),
                  joint("c", JointType::revolute, "tool", "hand")};
  split.joints[0].axis = {1, 2, -2}, split.joints[0].position = {0.5, 1, 2}, split.joints[0].pitch = 0.25;
  split.joints[1].position = {-0.5, 1.5, 0.25}, split.joints[1].quaternion = third_turn;
  split.joints[2].position = {1, -0.5, 0.25}, split.joints[2].axis = {1, -1, 0.5};

  // A tool vector (x, y, z) is (z, x, y) in the arm's axes, which moves centre of mass and joint, and permutes inertia.
  Mechanism whole = split;
  const std::array<double, 3> tool{-0.5 - 0.5, 1.5 + 0.25, 0.25 + 0.75}, arm = split.links[1].center_of_mass;
  std::array<double, 3> center, d;
  for (int k = 0; k < 3; ++k) center[k] = (arm[k] + 3 * tool[k]) / 4, d[k] = tool[k] - arm[k];
  const double reduced = 1. * 3. / 4., square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
  const std::array<double, 6> a = split.links[1].inertia, t{2.5, -0.25, 0.125, 3, 0.5, 2};
  const std::array<double, 6> parallel{square - d[0] * d[0], -d[0] * d[1], -d[0] * d[2],
                                       square - d[1] * d[1], -d[1] * d[2], square - d[2] * d[2]};
  std::array<double, 6> inertia;
  for (int k = 0; k < 6; ++k) inertia[k] = a[k] + t[k] + reduced * parallel[k];
  whole.links = {split.links[0], body("arm", 4, center, inertia), split.links[3]};
  whole.joints = {split.joints[0], split.joints[2]};
  whole.joints[1].parent = "arm";
  whole.joints[1].position = {-0.5 + 0.25, 1.5 + 1, 0.25 - 0.5}, whole.joints[1].quaternion = third_turn;

  for (const bool floating : {false, true}) {
    Random random(23);
    Witness two(split, floating), one(whole, floating);
    BOOST_REQUIRE_EQUAL(two.coordinates, one.coordinates);
    const VectorX q = random.vector(one.coordinates), qd = random.vector(one.rates), qdd = random.vector(one.rates);
    const Vector3 g = random.vector(3);
    check_close(two.inverse_dynamics(q, qd, qdd, g), one.inverse_dynamics(q, qd, qdd, g), exact);
    check_close(two.kinetic_energy(), one.kinetic_energy(), exact);
    check_close(two.potential_energy(g), one.potential_energy(g), exact);
    check_close(two.center_of_mass(), one.center_of_mass(), exact);
    check_close(two.linear_momentum(), one.linear_momentum(), exact);
    check_close(two.angular_momentum(), one.angular_momentum(), exact);
  }
}

BOOST_AUTO_TEST_CASE(joints_are_counted_depth_first_by_name_through_fixed_ones)
{
  Mechanism m;
  for (const auto name : {"root", "b child", "B child", "pad", "on pad", "tip"})
    m.links.push_back(body(name, 1, {}, {}));
  m.joints = {joint("b", JointType::revolute, "root", "b child"), joint("B", JointType::floating, "root", "B child"),
              joint("a", JointType::fixed, "root", "pad"), joint("z", JointType::prismatic, "pad", "on pad"),
              joint("y", JointType::revolute, "B child", "tip")};
  const Witness robot(m, true);
  const std::vector<Eigen::Index> first{0, 14, 6, 13, 13, 12};  // base, then B, y, (a), z, b
  for (std::size_t i = 0; i < first.size(); ++i) BOOST_TEST(robot.links[i].first_rate == first[i]);
  BOOST_TEST(robot.rates == 15);
  BOOST_TEST(robot.coordinates == 17);
}

BOOST_AUTO_TEST_CASE(double_agrees_with_fifty_digits)
{
  Random random(31);
  const Mechanism m = random_tree(random);
  Witness many(m, true);
  witness::VectorNewtonEuler<double> few(m, true);
  const VectorX q = random.vector(many.coordinates), qd = random.vector(many.rates), qdd = random.vector(many.rates);
  const Vector3 g = random.vector(3);
  const auto rounded = [](const auto& v) { return v.template cast<double>().eval(); };
  const Eigen::VectorXd tau = few.inverse_dynamics(rounded(q), rounded(qd), rounded(qdd), rounded(g));
  check_close(many.inverse_dynamics(q, qd, qdd, g), VectorX(tau.cast<Real>()), Real(1e-12));
}

BOOST_AUTO_TEST_CASE(what_is_no_tree_or_has_a_wrong_length_is_refused)
{
  Mechanism m;
  m.links = {body("a", 1, {}, {}), body("b", 1, {}, {}), body("c", 1, {}, {})};
  const auto refused = [&] { BOOST_CHECK_THROW(Witness(m, false), std::invalid_argument); };
  m.joints = {joint("1", JointType::revolute, "a", "b"), joint("2", JointType::revolute, "a", "nobody")};
  refused();
  m.joints[1] = joint("2", JointType::revolute, "nobody", "c");
  refused();
  m.joints[1] = joint("2", JointType::revolute, "c", "b");
  refused();
  m.joints = {joint("1", JointType::revolute, "c", "b"), joint("2", JointType::revolute, "b", "c")};
  refused();
  m.joints = {joint("1", JointType::revolute, "a", "b"), joint("2", JointType::revolute, "b", "c")};
  Witness arm(m, false);
  const VectorX two = VectorX::Zero(2), three = VectorX::Zero(3);
  const Vector3 g = three;
  BOOST_CHECK_THROW(arm.inverse_dynamics(two, three, two, g), std::invalid_argument);
  BOOST_CHECK_THROW(arm.inverse_dynamics(two, two, two, g, std::vector<Vector6>(2)), std::invalid_argument);
}
