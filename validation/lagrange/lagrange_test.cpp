/** \file
 *  \brief The geometry of the mass matrix by hand: curvature, symbols and geodesics; what bad input is told.
 */
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <articulate/articulate.hpp>
#include <articulate/motion/runge_kutta.hpp>
#include <articulate/lagrange/centroidal_momentum.hpp>
#include <articulate/lagrange/composite_body.hpp>
#include <articulate/lagrange/global_matrices.hpp>
#include <articulate/lagrange/inertia_metric.hpp>
#include <articulate/lagrange/product_of_exponentials.hpp>
#include <ledger/scalars.hpp>
#include <models/models.hpp>
#include <says.hpp>

using namespace articulate;
using namespace articulate::validation;
namespace data = boost::unit_test::data;

namespace {

VectorX<double> numbers(std::initializer_list<double> values)
{
  return Eigen::Map<const VectorX<double>>(values.begin(), static_cast<Eigen::Index>(values.size()));
}

/// One joint on the ground.
Mechanism one_joint(JointType type, const Link& link)
{
  Mechanism mechanism;
  mechanism.name = mechanism.source = "machine";
  mechanism.links = {{"ground"}, link};
  mechanism.joints = {{"joint", type, "ground", link.name}};
  return mechanism;
}

/// The largest component of the curvature.
double largest_curvature(const Curvature<double>& R, int n)
{
  double largest = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k)
        for (int l = 0; l < n; ++l) largest = std::max(largest, std::abs(R(i, j, k, l)));
  return largest;
}

// A planar arm of two hinges: m11 = a + 2b cos x2, m12 = d + b cos x2, m22 = d.
constexpr double m1 = 2.3, m2 = 1.4, l1 = 0.7, c1 = 0.3, c2 = 0.25, J1 = 0.11, J2 = 0.06;
constexpr double a = J1 + J2 + m1 * c1 * c1 + m2 * (l1 * l1 + c2 * c2), b = m2 * l1 * c2, d = J2 + m2 * c2 * c2;

Mechanism planar_2r()
{
  Mechanism mechanism;
  mechanism.name = mechanism.source = "planar_2r";
  mechanism.links = {{"ground"},
                     {"upper", m1, {c1, 0, 0}, {0, 0, 0, 1}, {J1, 0, 0, J1, 0, J1}},
                     {"lower", m2, {c2, 0, 0}, {0, 0, 0, 1}, {J2, 0, 0, J2, 0, J2}}};
  mechanism.joints = {{"shoulder", JointType::revolute, "ground", "upper"},
                      {"elbow", JointType::revolute, "upper", "lower", {l1, 0, 0}}};
  return mechanism;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(lagrange)

BOOST_AUTO_TEST_CASE(a_planar_arm_has_three_symbols_made_of_one_sine)
{
  const Model<double> model(planar_2r());
  InertiaMetric<double> metric(model);
  const double x2 = 0.8;
  metric(numbers({0.4, x2}));
  const double h = -b * std::sin(x2);  // half the slope of m11, and the slope of m12
  const double expected[2][2][2] = {{{0, -h}, {h, 0}}, {{h, 0}, {h, 0}}};
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) {
      for (int k = 0; k < 2; ++k) BOOST_TEST(std::abs(metric.christoffel(i, j, k) - expected[i][j][k]) < 1e-15);
      BOOST_TEST(std::abs(metric.dm(i, j, 0)) < 1e-15);
    }
  BOOST_TEST(std::abs(metric.m(0, 0) - (a + 2 * b * std::cos(x2))) < 1e-15);
  BOOST_TEST(std::abs(metric.dm(0, 0, 1) - 2 * h) < 1e-15);
  BOOST_TEST(std::abs(metric.ddm(0, 0, 1, 1) + 2 * b * std::cos(x2)) < 1e-15);
  BOOST_TEST(std::abs(metric.dchristoffel(1, 1, 0, 1) + b * std::cos(x2)) < 1e-15);
}

/// Two bodies turn about their common centre of mass as one of their reduced mass does about the other.
BOOST_AUTO_TEST_CASE(a_planar_arm_spins_as_two_bodies_about_their_centre_of_mass)
{
  const double x1 = 0.4, x2 = 0.8, u1 = 1.3, u2 = -0.7, mass = m1 + m2, reduced = m1 * m2 / mass;
  using Plane = Eigen::Vector2d;
  const auto along = [](double length, double angle) {
    return Plane(length * std::cos(angle), length * std::sin(angle));
  };
  const auto turned = [](const Plane& x) { return Plane(-x[1], x[0]); };
  const auto spin = [](const Plane& x, const Plane& y) { return x[0] * y[1] - x[1] * y[0]; };
  const Plane upper = along(c1, x1), forearm = along(c2, x1 + x2), lower = along(l1, x1) + forearm;
  const Plane apart = lower - upper, apart_rate = turned(apart) * u1 + turned(forearm) * u2;
  const Plane forearm_rate = turned(forearm) * (u1 + u2);

  CentroidalMomentum<double> whole(Model<double>{planar_2r()});
  whole(numbers({x1, x2}), numbers({u1, u2}));
  const Plane center = (m1 * upper + m2 * lower) / mass, J1c = turned(center), J2c = turned(m2 / mass * forearm);
  for (int k = 0; k < 2; ++k) {
    BOOST_TEST(std::abs(whole.center[k] - center[k]) < 1e-15);
    BOOST_TEST(std::abs(whole.J()(k, 0) - J1c[k]) < 1e-15);
    BOOST_TEST(std::abs(whole.J()(k, 1) - J2c[k]) < 1e-15);
    BOOST_TEST(std::abs(whole.Jdot()(k, 1) - turned(m2 / mass * forearm_rate)[k]) < 1e-14);
  }
  BOOST_TEST(std::abs(whole.A(2, 0) - (reduced * apart.squaredNorm() + J1 + J2)) < 1e-15);
  BOOST_TEST(std::abs(whole.A(2, 1) - (reduced * spin(apart, turned(forearm)) + J2)) < 1e-15);
  BOOST_TEST(std::abs(whole.Adot(2, 0) - 2 * reduced * apart.dot(apart_rate)) < 1e-14);
  const double rate = spin(apart_rate, turned(forearm)) + spin(apart, turned(forearm_rate));
  BOOST_TEST(std::abs(whole.Adot(2, 1) - reduced * rate) < 1e-14);
  BOOST_TEST(std::abs(whole.I.second_moment.zz - (reduced * apart.squaredNorm() + J1 + J2)) < 1e-15);
}

/** For a metric E(v) du^2 + 2 F(v) du dv + G dv^2 with constant G Gauss' formula (in Brioschi's form) is
 *  K (EG - F^2)^2 = -E''(EG - F^2)/2 - E'F'F/2 + E'^2 G/4, here b cos v (ad - d^2 - b^2).
 */
BOOST_AUTO_TEST_CASE(a_planar_arm_is_curved_as_gauss_says)
{
  const Model<double> model(planar_2r());
  InertiaMetric<double> metric(model);
  for (const double x2 : {-2.9, -1.1, 0.0, 0.7, 1.5, 3.0}) {
    metric(numbers({-0.6, x2}));
    const Curvature<double> R(metric);
    const double E = a + 2 * b * std::cos(x2), F = d + b * std::cos(x2), area = E * d - F * F;
    const double E1 = -2 * b * std::sin(x2), E2 = -2 * b * std::cos(x2), F1 = -b * std::sin(x2);
    const double K = (-E2 * area / 2 - E1 * F1 * F / 2 + E1 * E1 * d / 4) / (area * area);
    BOOST_TEST(std::abs(K - b * std::cos(x2) * (a * d - d * d - b * b) / (area * area)) < 1e-13);
    BOOST_TEST(std::abs(R(0, 1, 0, 1) - K * area) < 1e-14);
    BOOST_TEST(std::abs(R.sectional(numbers({1, 0}), numbers({0, 1})) - K) < 1e-12);
    BOOST_TEST(std::abs(R.sectional(numbers({0.3, -2}), numbers({1.7, 0.4})) - K) < 1e-12);
  }
}

BOOST_AUTO_TEST_CASE(pendulums_that_do_not_know_of_each_other_are_flat)
{
  Mechanism mechanism;
  mechanism.name = mechanism.source = "two_pendulums";
  mechanism.links = {{"ground"},
                     {"left", 1.3, {0.2, -0.1, 0.4}, {0, 0, 0, 1}, {0.03, 0.002, -0.001, 0.04, 0.003, 0.02}},
                     {"right", 0.8, {-0.3, 0.2, 0.1}, {0, 0, 0, 1}, {0.01, -0.001, 0.002, 0.02, 0.001, 0.02}}};
  mechanism.joints = {
      {"left", JointType::revolute, "ground", "left", {0.5, 0, 0.1}, {0, 0, 0, 1}, {0.3, 0.8, -0.2}},
      {"right", JointType::revolute, "ground", "right", {-0.4, 0.2, 0}, {0.2, 0.1, 0, 1}, {-0.5, 0.1, 0.7}}};
  const Model<double> model(mechanism);
  InertiaMetric<double> metric(model);
  metric(numbers({0.9, -1.7}));
  BOOST_TEST(largest_curvature(Curvature<double>(metric), 2) == 0);
}

BOOST_AUTO_TEST_CASE(a_point_on_a_universal_joint_lives_on_a_sphere)
{
  const double m = 1.6, l = 0.45;
  const Model<double> model(one_joint(JointType::universal, {"bob", m, {0, 0, l}}));
  InertiaMetric<double> metric(model);
  for (const double second : {-1.2, 0.0, 0.9}) {
    metric(numbers({0.5, second}));
    const Curvature<double> R(metric);
    BOOST_TEST(std::abs(R.sectional(numbers({1, 0.2}), numbers({-0.4, 1})) - 1 / (m * l * l)) < 1e-12);
    const double cosine = std::cos(second);  // m11 = m l^2 cos^2, so that R_1212 = m l^2 cos^2
    BOOST_TEST(std::abs(R(0, 1, 0, 1) - m * l * l * cosine * cosine) < 1e-14);
  }
}

BOOST_AUTO_TEST_CASE(an_isotropic_body_on_a_ball_joint_is_a_sphere_of_three_dimensions)
{
  const double J = 0.37;
  const Model<double> model(one_joint(JointType::euler_ball, {"ball", 2, {}, {0, 0, 0, 1}, {J, 0, 0, J, 0, J}}));
  InertiaMetric<double> metric(model);
  for (const auto& x : {numbers({0.3, 0.8, -1.4}), numbers({2.1, -1.1, 0.6}), numbers({0, 0, 0})}) {
    metric(x);
    const Curvature<double> R(metric);
    for (const auto& u : {numbers({1, 0, 0}), numbers({0.3, -1.2, 0.7})})
      for (const auto& v : {numbers({0, 0, 1}), numbers({0.9, 0.4, 0.8})})
        BOOST_TEST(std::abs(R.sectional(u, v) - 1 / (4 * J)) < 1e-12);
  }
}

BOOST_AUTO_TEST_CASE(a_body_in_a_plane_and_one_on_three_slides_are_flat)
{
  const std::array<double, 6> I{0.05, 0.002, -0.003, 0.04, 0.001, 0.07};
  for (const std::array<double, 3>& center : {std::array<double, 3>{0, 0, 0}, std::array<double, 3>{0.3, -0.2, 0.1}}) {
    const Model<double> model(one_joint(JointType::planar, {"puck", 1.9, center, {0, 0, 0, 1}, I}));
    InertiaMetric<double> metric(model);
    metric(numbers({0.4, -0.3, 1.1}));
    // With its centre off the axis the puck has symbols, and is as flat as without.
    BOOST_TEST((std::abs(metric.christoffel(2, 2, 0)) > 0.1) == (center[0] != 0));
    BOOST_TEST(largest_curvature(Curvature<double>(metric), 3) < 1e-15);
  }
  Mechanism slides;
  slides.name = slides.source = "slides";
  slides.links = {{"ground"}};
  for (const char* name : {"x", "y", "z"}) {
    Joint joint{name, JointType::prismatic, slides.links.back().name, name};
    joint.axis = {1.0 * (name[0] == 'x'), 1.0 * (name[0] == 'y'), 1.0 * (name[0] == 'z')};
    slides.links.push_back({name, 1.1, {0.1, 0.2, 0.3}, {0, 0, 0, 1}, I});
    slides.joints.push_back(joint);
  }
  const Model<double> model(slides);
  InertiaMetric<double> metric(model);
  metric(numbers({0.2, -0.7, 0.5}));
  BOOST_TEST(largest_curvature(Curvature<double>(metric), 3) == 0);
  for (int k = 0; k < 3; ++k) BOOST_TEST(std::abs(metric.m(k, k) - 1.1 * (3 - k)) < 1e-15);
}

namespace {

/// Where a second of force-free motion leads, in equal steps.
struct Arrival {
  VectorX<double> q, qd;
  double energy;

  template <typename Acceleration>
  Arrival(const Model<double>& model, const VectorX<double>& q0, const VectorX<double>& qd0, int steps,
          const Acceleration& acceleration)
      : q(q0), qd(qd0)
  {
    RungeKuttaMuntheKaas<double> method(model);
    for (int s = 0; s < steps; ++s) method.step(q, qd, double(s) / steps, 1.0 / steps, acceleration);
    ForwardKinematics<double> kinematics(model);
    kinematics(q, qd);
    energy = kinematics.kinetic_energy();
  }
  double away_from(const Arrival& other) const
  {
    return std::max((q - other.q).cwiseAbs().maxCoeff(), (qd - other.qd).cwiseAbs().maxCoeff());
  }
};

}  // namespace

BOOST_DATA_TEST_CASE(force_free_motions_are_geodesics_on,
                     data::make({"park_2r", "screw_arm", "cardan_mast", "puma560"}), name)
{
  const Model<double> model(built_in_model(name));
  const int n = model.nv();
  VectorX<double> q0(n), qd0(n);
  for (int k = 0; k < n; ++k) q0(k) = 0.3 * std::sin(k + 1), qd0(k) = 0.8 * std::cos(2 * k);
  InertiaMetric<double> metric(model);
  const auto geodesic = [&](const VectorX<double>& q, const VectorX<double>& qd, double) {
    metric(q);
    const Curvature<double> symbols(metric);
    VectorX<double> qdd = VectorX<double>::Zero(n);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) qdd -= symbols.christoffel(i, j) * qd(i) * qd(j);
    return qdd;
  };
  ForwardDynamics<double> forward(model);
  forward.set_gravity({});
  const VectorX<double> none = VectorX<double>::Zero(n);
  const auto free = [&](const VectorX<double>& q, const VectorX<double>& qd, double) {
    return VectorX<double>(forward(q, qd, none));
  };
  constexpr int steps = 100;
  const Arrival along(model, q0, qd0, steps, geodesic), moved(model, q0, qd0, steps, free);
  const double shift = 1e-7;  // how far a change of the start has grown at the end
  const VectorX<double> all = VectorX<double>::Constant(n, shift);
  const double growth = std::max(1.0, Arrival(model, q0 + all, qd0 + all, steps, free).away_from(moved) / shift);
  BOOST_TEST(along.away_from(moved) <= 100 * n * steps * unit_roundoff<double>() * growth);
  BOOST_TEST(along.away_from(Arrival(model, q0, qd0, 0, free)) > 0.1);

  // The energy stays, up to the error of the method, whose order is four.
  ForwardKinematics<double> start(model);
  start(q0, qd0);
  const double drift = std::abs(moved.energy / start.kinetic_energy() - 1);
  const double halved = std::abs(Arrival(model, q0, qd0, 2 * steps, free).energy / start.kinetic_energy() - 1);
  BOOST_TEST(drift < 1e-4);
  BOOST_TEST(halved < drift / 8 + 1e-13);
}

BOOST_AUTO_TEST_CASE(one_line_gives_the_curvature_of_the_class_bit_for_bit)
{
  const Model<double> model(planar_2r());
  InertiaMetric<double> metric(model);
  metric(numbers({0.1, 0.9}));
  const VectorX<double> u = numbers({1, 2}), v = numbers({-1, 0.5});
  const double curvature = Curvature<double>(metric).sectional(u, v);
  BOOST_TEST(sectional_curvature(model, numbers({0.1, 0.9}), 2 * (u / 2), 2 * (v / 2)) == curvature);
  BOOST_TEST(curvature != 0);
}

BOOST_AUTO_TEST_CASE(what_has_no_coordinates_is_told_so)
{
  const Link body{"body", 1, {}, {0, 0, 0, 1}, {0.1, 0, 0, 0.1, 0, 0.1}};
  for (const JointType type : {JointType::ball, JointType::floating}) {
    const Model<double> model(one_joint(type, body));
    const auto names_the_joint = [](const auto& e) {
      return says(e.what(), {"machine", "'joint'", "no coordinates", "give it three angles"});
    };
    BOOST_CHECK_EXCEPTION(InertiaMetric<double>{model}, ModelError, names_the_joint);
    BOOST_CHECK_EXCEPTION(ScrewSystem<double>{model}, ModelError, names_the_joint);
    CompositeBodies<double> composite(model);  // which has no need of them
    BOOST_TEST(composite(model.zero_coordinates())(0, 0) == 0.1);
  }
}

BOOST_AUTO_TEST_CASE(lengths_and_directions_that_cannot_be_meant_are_refused)
{
  const Model<double> model(planar_2r());
  InertiaMetric<double> metric(model);
  BOOST_CHECK_THROW(metric(numbers({1})), SizeError);
  metric(numbers({0.1, 0.2}));
  BOOST_CHECK_THROW(metric.C(numbers({1, 2, 3})), SizeError);
  const Curvature<double> R(metric);
  BOOST_CHECK_THROW(R.sectional(numbers({1}), numbers({1, 0})), SizeError);
  BOOST_CHECK_THROW(R.sectional(numbers({1, 0}), numbers({1, 0, 0})), SizeError);
  for (const auto& v : {numbers({-2, 1}), numbers({0, 0})})
    BOOST_CHECK_EXCEPTION(R.sectional(numbers({1, -0.5}), v), StateError, [](const auto& e) {
      return says(e.what(), {"sectional curvature", "span no plane"});
    });
  CompositeBodies<double> composite(model);
  BOOST_CHECK_THROW(composite(numbers({1, 2, 3})), SizeError);
  ForwardKinematics<double> at(model);
  at(numbers({0.1, 0.2}), numbers({0, 0}));
  BOOST_CHECK_THROW(GlobalMatrices<double>(at, numbers({1})), SizeError);
  BOOST_CHECK_THROW(at.link_jacobian_rate(model.links().back(), numbers({1})), SizeError);
}

BOOST_AUTO_TEST_SUITE_END()
