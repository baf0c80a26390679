/** \file
 *  \brief Do three formulations of mechanics that share no formula agree, and with closed forms?
 *
 *  The tolerance is that of the ledger: 100 n eps kappa, where kappa is the growth of a change of all inputs by one
 *  unit in the last place, measured in 50 digits. Where kappa is below 1e3, it is never looser than 1e-11 in double and
 *  1e-44 in 50 digits.
 */
#include <boost/test/unit_test.hpp>
#include <boost/test/data/test_case.hpp>
#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>
#include <ledger/scalars.hpp>
#include <witnesses/compiled.hpp>
#include <witnesses/newton_euler.hpp>
#include <witnesses/random_tree.hpp>

namespace {

using namespace articulate;
using witness::body, witness::joint;
using Real = articulate::validation::Fifty;

template <class S>
using Matrix = Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic>;
template <class S>
using Vector = Eigen::Matrix<S, Eigen::Dynamic, 1>;
template <class S>
using Wrenches = std::vector<Eigen::Matrix<S, 6, 1>>;

Eigen::VectorXd list(const std::vector<double>& x) { return Eigen::VectorXd::Map(x.data(), x.size()); }

/// \brief The numbers of one question, all of them in double.
struct Question {
  Mechanism mechanism;
  bool floating_base;
  Eigen::VectorXd q, qd, qdd, tau;
  Eigen::Vector3d gravity;
  Wrenches<double> external;
};

/// \brief A tree of some types of joints and a state, with nothing special about them.
Question random_question(unsigned seed, std::size_t types)
{
  witness::RandomNumbers random(seed);
  Question x{witness::random_tree(random, types), seed % 2 == 1, {}, {}, {}, {}, {}, {}};
  const witness::JointOrder order(x.mechanism, x.floating_base);
  const auto vector = [&](Eigen::Index n, double size) {
    return Eigen::VectorXd::NullaryExpr(n, [&](Eigen::Index) { return size * random(); }).eval();
  };
  x.q = vector(order.coordinates, 1), x.qd = vector(order.rates, 2), x.qdd = vector(order.rates, 5);
  x.tau = vector(order.rates, 20), x.gravity = vector(3, 10);
  for (std::size_t i = 0; i < x.mechanism.links.size(); ++i) x.external.push_back(vector(6, 3));
  return x;
}

/// \brief The same question with every number moved by one unit in the last place; zeros stay.
Question nudged(Question x, witness::RandomNumbers& random)
{
  const auto nudge = [&](auto&& numbers) {
    for (double& number : numbers)
      if (number != 0) number = std::nextafter(number, random() < 0 ? -INFINITY : INFINITY);
  };
  for (Link& link : x.mechanism.links) {
    nudge(std::array{std::ref(link.mass)});
    nudge(link.center_of_mass), nudge(link.inertial_quaternion), nudge(link.inertia);
  }
  for (Joint& j : x.mechanism.joints) {
    nudge(std::array{std::ref(j.pitch)});
    nudge(j.position), nudge(j.quaternion), nudge(j.axis);
  }
  for (auto* v : {&x.q, &x.qd, &x.qdd, &x.tau}) nudge(v->reshaped());
  nudge(x.gravity.reshaped());
  for (auto& wrench : x.external) nudge(wrench.reshaped());
  return x;
}

/// \brief The same quantity by witness (a) and by another one.
template <class S>
struct Pair {
  const char* name;
  Matrix<S> left, right;
  S scale() const { return std::max<S>(left.cwiseAbs().maxCoeff(), right.cwiseAbs().maxCoeff()); }
};

/// \brief What the witnesses answer. Witness (a) has no forward dynamics: its mass matrix and its bias give it, by a
/// dense solve whose inputs are moved, too, when random numbers are given.
template <class S>
std::vector<Pair<S>> answers(const Question& x, witness::RandomNumbers* random = nullptr)
{
  witness::VectorNewtonEuler<S> a(x.mechanism, x.floating_base);
  const Mechanism& m = x.mechanism;
  const bool floating = x.floating_base;
  const auto cast = [](const auto& v) { return v.template cast<S>().eval(); };
  const Vector<S> q = cast(x.q), qd = cast(x.qd), qdd = cast(x.qdd), tau = cast(x.tau);
  const Eigen::Matrix<S, 3, 1> g = cast(x.gravity);
  Wrenches<S> external;
  for (const auto& wrench : x.external) external.push_back(cast(wrench));

  const Matrix<S> M = a.mass_matrix(q);
  const Vector<S> bias = a.bias(q, qd, g, external);
  Matrix<S> given_M = M;
  Vector<S> given_bias = bias;
  if (random) {
    const auto nudge = [&](S& number) { number *= S(1 + std::copysign(std::ldexp(1, -53), (*random)())); };
    for (S& number : given_M.reshaped()) nudge(number);
    for (S& number : given_bias.reshaped()) nudge(number);
  }
  std::vector<Pair<S>> pairs{
      {"inverse dynamics by (c)", a.inverse_dynamics(q, qd, qdd, g, external),
       witness::lagrange_tau<S>(m, floating, q, qd, qdd, g, external)},
      {"bias by (c)", bias, witness::lagrange_tau<S>(m, floating, q, qd, Vector<S>::Zero(qd.size()), g, external)},
      {"forward dynamics by (b)", given_M.ldlt().solve(tau - given_bias),
       witness::maximal_qdd<S>(m, floating, q, qd, tau, g, external)}};
  // Lagrange's mass matrix costs n^2 energies, which 50 digits can afford for small trees only.
  if (a.rates <= 12 || std::is_same_v<S, double>)
    pairs.push_back({"mass matrix by (c)", M, witness::lagrange_mass_matrix<S>(m, floating, q)});
  return pairs;
}

template <class S>
S gap(const Matrix<S>& a, const Matrix<S>& b)
{
  return (a - b).cwiseAbs().maxCoeff();
}

void check_close(const Matrix<Real>& a, const Matrix<Real>& b)
{
  BOOST_REQUIRE_EQUAL(a.size(), b.size());
  const Real scale = std::max<Real>(1, a.cwiseAbs().maxCoeff());
  BOOST_CHECK_MESSAGE(gap(a, b) <= Real("1e-46") * scale, a.transpose() << "\nand\n" << b.transpose());
}

/// \brief All three witnesses must say of a motion what a closed form says.
void check_closed_form(const Mechanism& m, const Eigen::VectorXd& q, const Eigen::VectorXd& qd,
                       const Eigen::VectorXd& qdd, const Eigen::Vector3d& gravity, const Vector<Real>& expected)
{
  const auto cast = [](const auto& v) { return v.template cast<Real>().eval(); };
  const Eigen::Matrix<Real, 3, 1> g = cast(gravity);
  check_close(witness::VectorNewtonEuler<Real>(m, false).inverse_dynamics(cast(q), cast(qd), cast(qdd), g), expected);
  check_close(witness::lagrange_tau<Real>(m, false, cast(q), cast(qd), cast(qdd), g, {}), expected);
  check_close(witness::maximal_qdd<Real>(m, false, cast(q), cast(qd), expected, g, {}), cast(qdd));
}

}  // namespace

BOOST_DATA_TEST_CASE(three_formulations_agree_on_every_tree, boost::unit_test::data::xrange(1u, 13u), seed)
{
  const Question question = random_question(seed, seed);
  const int n = question.qd.size();
  BOOST_TEST_MESSAGE(n << " degrees of freedom");
  witness::RandomNumbers random(seed + 100);
  const auto in_double = answers<double>(question);
  const auto in_fifty = answers<Real>(question);
  std::vector<double> kappa(in_double.size(), 1);
  for (int again = 0; again < 2; ++again) {
    const auto moved = answers<Real>(nudged(question, random), &random);
    for (std::size_t k = 0; k < moved.size(); ++k)
      for (const Real& change : {gap(in_fifty[k].left, moved[k].left), gap(in_fifty[k].right, moved[k].right)})
        kappa[k] = std::max(kappa[k], double(change / in_fifty[k].scale()) * std::ldexp(1, 53));
  }
  const auto check = [&](const auto& pair, double eps, double cap, double growth) {
    const double residual(gap(pair.left, pair.right) / pair.scale());
    const double tolerance = std::min(100 * n * eps * growth, growth < 1e3 ? cap : INFINITY);
    BOOST_CHECK_MESSAGE(residual <= tolerance, pair.name << ": " << residual << " is above " << tolerance
                                                         << ", kappa being " << growth << "\n"
                                                         << pair.left << "\nand\n"
                                                         << pair.right);
  };
  for (std::size_t k = 0; k < in_double.size(); ++k) check(in_double[k], std::ldexp(1, -53), 1e-11, kappa[k]);
  for (std::size_t k = 0; k < in_fifty.size(); ++k) check(in_fifty[k], std::ldexp(1, -168), 1e-44, kappa[k]);
}

BOOST_AUTO_TEST_CASE(a_top_on_a_universal_joint_obeys_its_closed_form)
{
  // Principal axes along the link's, the centre of mass on z at the height h above the cross.
  Mechanism m;
  m.links = {body("ground", 1, {}, {}), body("top", 1.5, {0, 0, 0.5}, {2, 0, 0, 3, 0, 4.5})};
  m.joints = {joint("cross", JointType::universal, "ground", "top")};
  const Real a(0.75), b(-1.125), ad(1.5), bd(-0.625), add(2.25), bdd(-1.75), mass(1.5), h(0.5);
  const Real A = 2 + mass * h * h, B = 3 + mass * h * h, C(4.5), s = sin(b), c = cos(b);
  const Eigen::Vector3d g(1.5, -2, -9);

  // L = (A c^2 + C s^2) ad^2 / 2 + B bd^2 / 2 + m h (gx s - gy c sin a + gz c cos a), as w = (c ad, bd, s ad).
  Vector<Real> tau(2);
  tau << (A * c * c + C * s * s) * add + 2 * (C - A) * s * c * ad * bd + mass * h * c * (g[1] * cos(a) + g[2] * sin(a)),
      B * bdd - (C - A) * s * c * ad * ad - mass * h * (g[0] * c + g[1] * s * sin(a) - g[2] * s * cos(a));
  check_closed_form(m, list({0.75, -1.125}), list({1.5, -0.625}), list({2.25, -1.75}), g, tau);
}

BOOST_AUTO_TEST_CASE(a_heavy_top_on_a_ball_joint_obeys_eulers_equations)
{
  // The joint turns x to y to z to x, and the ball once more: the top's x is the world's z, its y the world's x.
  Mechanism m;
  m.links = {body("ground", 1, {}, {}), body("top", 1.5, {0, 0, 0.5}, {2, 0, 0, 3, 0, 4.5})};
  m.joints = {joint("socket", JointType::ball, "ground", "top")};
  m.joints[0].position = {0.25, -3, 2}, m.joints[0].quaternion = {0.5, 0.5, 0.5, 0.5};
  const Real A = 2 + Real(1.5) / 4, B = 3 + Real(1.5) / 4, C(4.5), pull(0.75);  // mass times height
  const Eigen::Vector3d w(0.5, -0.75, 1.25), wd(1.5, 0.25, -2), g(1.5, -2, -9);

  // I w-dot + w x I w - m c x g: in the top's axes gravity is (gz, gx, gy), and c is along z.
  Vector<Real> tau(3);
  tau << A * wd[0] + (C - B) * w[1] * w[2] + pull * g[0], B * wd[1] + (A - C) * w[2] * w[0] - pull * g[2],
      C * wd[2] + (B - A) * w[0] * w[1];
  check_closed_form(m, list({2, 2, 2, 2}), w, wd, g, tau);
}

BOOST_AUTO_TEST_CASE(a_disc_on_a_tilted_table_obeys_its_closed_form)
{
  // The shortest turn from z to the axis (2, 2, 1) has the columns (2, -1, -2)/3, (-1, 2, -2)/3 and (2, 2, 1)/3; for
  // the opposite axis half a turn about x comes first, which turns the other two columns round.
  const Real p(0.25), r(-0.75), mass(1.5), turn(0.875), td(-1.25), tdd(2), c = cos(turn), s = sin(turn);
  const Eigen::Vector3d g(1.5, -2, -9), qdd(-0.5, 3, 2);
  for (const int up : {1, -1}) {
    Mechanism m;
    // The centre of mass is at p and r along the two directions: 3 (p, r) has whole multiples of thirds.
    m.links = {body("table", 1, {}, {}), body("disc", 1.5, {}, {2, 0, 0, 2, 0, 2})};
    const double second = up * -0.75;
    m.links[1].center_of_mass = {2 * 0.25 - second, -0.25 + 2 * second, -2 * 0.25 - 2 * second};
    m.joints = {joint("plane", JointType::planar, "table", "disc")};
    m.joints[0].axis = {2. * up, 2. * up, 1. * up};
    const Real P = 3 * p, R = 3 * r, gx = (2 * g[0] - g[1] - 2 * g[2]) / Real(3),
               gy = Real(up) * (-g[0] + 2 * g[1] - 2 * g[2]) / Real(3);
    const Real arm_x = P * c - R * s, arm_y = P * s + R * c;
    const Real fx = mass * (qdd[0] - arm_y * tdd - arm_x * td * td - gx);
    const Real fy = mass * (qdd[1] + arm_x * tdd - arm_y * td * td - gy);
    Vector<Real> tau(3);
    tau << fx, fy, 2 * tdd + arm_x * fy - arm_y * fx;
    check_closed_form(m, list({0.5, -2, 0.875}), list({3, 1.5, -1.25}), qdd, g, tau);
  }
}

BOOST_AUTO_TEST_CASE(wrong_lengths_are_refused)
{
  Mechanism m;
  m.links = {body("a", 1, {}, {}), body("b", 1, {}, {1, 0, 0, 1, 0, 1})};
  m.joints = {joint("1", JointType::ball, "a", "b")};
  const Eigen::VectorXd three = Eigen::VectorXd::Zero(3), four = Eigen::VectorXd::Unit(4, 3);
  const Eigen::Vector3d g = three;
  const Wrenches<double> one(1, Eigen::Matrix<double, 6, 1>::Zero());
  const auto accelerations = [&](const Eigen::VectorXd& q, const Eigen::VectorXd& tau,
                                 const Wrenches<double>& external) {
    return witness::maximal_qdd<double>(m, false, q, three, tau, g, external);
  };
  const auto forces = [&](const Eigen::VectorXd& q, const Eigen::VectorXd& qd, const Wrenches<double>& external) {
    return witness::lagrange_tau<double>(m, false, q, qd, three, g, external);
  };
  BOOST_CHECK_THROW(accelerations(three, three, {}), std::invalid_argument);
  BOOST_CHECK_THROW(accelerations(four, four, {}), std::invalid_argument);
  BOOST_CHECK_THROW(accelerations(four, three, one), std::invalid_argument);
  BOOST_CHECK_THROW(forces(three, three, {}), std::invalid_argument);
  BOOST_CHECK_THROW(forces(four, four, {}), std::invalid_argument);
  BOOST_CHECK_THROW(forces(four, three, one), std::invalid_argument);
  BOOST_CHECK_SMALL(accelerations(four, three, {}).norm(), 1e-15);
}
