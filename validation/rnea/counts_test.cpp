/** \file
 *  \brief The operations that chapters 01, 02, 04 to 07 and the appendix on the momentum of a whole state, counted; and what
 *         the rows that double is computed by cost in digits.
 */
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <ostream>
#include <articulate/aba/forward_dynamics.hpp>
#include <articulate/aba/inverse_mass_matrix.hpp>
#include <articulate/aba/mobility.hpp>
#include <articulate/constrained/constrained_dynamics.hpp>
#include <articulate/constrained/loops.hpp>
#include <articulate/hybrid/hybrid_dynamics.hpp>
#include <articulate/lagrange/centroidal_momentum.hpp>
#include <articulate/rnea/inverse_dynamics.hpp>
#include <higher_order/counted.hpp>
#include <models/models.hpp>

using namespace articulate;
using articulate::validation::built_in_model;
using articulate::validation::count;
using articulate::validation::Counted;
using articulate::validation::Operations;
using articulate::validation::operations;
using articulate::validation::some_coordinates;

namespace articulate::validation {

std::ostream& operator<<(std::ostream& out, const Operations& all)
{
  return out << all.products << " products, " << all.divisions << " divisions, " << all.sums << " sums";
}

}  // namespace articulate::validation

namespace {

using Vector = VectorX<Counted>;

/// A chain of n parallel hinges, where it stands and how it moves.
struct Arm {
  const long n;
  const Model<Counted> model{Model<double>(built_in_model("planar_arm:" + std::to_string(n)))};
  const Vector q = some_coordinates(model), ones = Vector::Ones(n);

  /// Every k-th joint is prescribed, the first of them the given one.
  std::vector<bool> every(int k, int first) const
  {
    std::vector<bool> prescribed(n, false);
    for (long i = first; i < n; i += k) prescribed[i] = true;
    return prescribed;
  }
  Operations run(const std::vector<bool>& prescribed) const
  {
    HybridDynamics<Counted> dynamics(model, prescribed);
    return operations([&] { dynamics(q, ones, ones, ones); });
  }
  Operations response(const std::vector<bool>& prescribed) const
  {
    HybridDynamics<Counted> dynamics(model, prescribed);
    dynamics(q, ones, ones, ones);
    Vector tau = ones, qdd = ones;
    return operations([&] { dynamics.respond(tau, qdd); });
  }
  /// With m rows of which each feels every joint, as the rows of a loop that is cut at the tip do.
  Operations constrained(int m) const
  {
    ConstrainedDynamics<Counted> dynamics(model, std::vector<bool>(n, false), m);
    const MatrixX<Counted> A = MatrixX<Counted>::NullaryExpr(
        m, n, [](Eigen::Index i, Eigen::Index j) { return std::sin(1 + 7 * i + (i + 1) * 3.1 * j); });
    return operations([&] { dynamics(q, ones, ones, ones, A, Vector::Ones(m)); });
  }
  Operations loop_to_ground(JointType type) const
  {
    Loops<Counted> loops(model, {cut_joint("cut", type, {""}, {model.links().back().name})});
    return operations([&] { loops(q, ones); });
  }
};

/// Chains as long as the chapters say; nine is where an answer to all prescribed joints becomes cheaper than a third of a run.
constexpr long lengths[] = {8, 9, 10, 20, 50};

}  // namespace

BOOST_AUTO_TEST_SUITE(counts)

BOOST_AUTO_TEST_CASE(actions_and_the_law_of_motion_take_what_chapters_01_and_02_state)
{
  const Arm arm{8};
  InverseDynamics<Counted> rnea(arm.model);
  rnea(arm.q, arm.ones, arm.ones);
  const SE3<Counted>& T = rnea.T[1];
  const Twist<Counted>&V = rnea.V[1], &Vdot = rnea.Vdot[1];
  const Wrench<Counted>& F = rnea.F[1];
  const Inertia<Counted>& I = arm.model.body(1).I;
  BOOST_TEST(count([&] { Ad(T, V); }) == 24);
  BOOST_TEST(count([&] { AdInv(T, V); }) == 24);
  BOOST_TEST(count([&] { coAd(T, F); }) == 24);
  BOOST_TEST(count([&] { coAdInv(T, F); }) == 24);
  BOOST_TEST(count([&] { ad(V, Vdot); }) == 18);
  BOOST_TEST(count([&] { coad(V, F); }) == 18);
  BOOST_TEST(count([&] { return I * V; }) == 24);
  BOOST_TEST(count([&] { newton_euler(I, V, Vdot); }) == 66);
}

BOOST_AUTO_TEST_CASE(inverse_dynamics_takes_what_chapter_04_states)
{
  for (const long n : lengths) {
    const Arm arm{n};
    InverseDynamics<Counted> rnea(arm.model);
    BOOST_TEST(operations([&] { rnea(arm.q, arm.ones, arm.ones); }) == (Operations{169 * n, 0, 136 * n}));
    BOOST_TEST(count([&] { EquationsOfMotion<Counted>(rnea, arm.q, arm.ones); }) == 169 * n * (n + 3));
  }
}

BOOST_AUTO_TEST_CASE(forward_dynamics_takes_what_chapter_05_states)
{
  for (const long n : lengths) {
    const Arm arm{n};
    ForwardDynamics<Counted> aba(arm.model);
    Mobility<Counted> mobility(arm.model);
    InverseMassMatrix<Counted> inverse(arm.model);
    BOOST_TEST(operations([&] { aba(arm.q, arm.ones, arm.ones); }) == (Operations{476 * n - 255, n, 394 * n - 213}));
    const Operations inertias = operations([&] { mobility(arm.q); });
    BOOST_TEST(inertias.products == 262 * n - 231);
    BOOST_TEST(operations([&] { inverse(arm.q); }).products - inertias.products == 33 * n * (n + 1));
    const MatrixX<Counted> six_rows = MatrixX<Counted>::Constant(6, n, Counted(1));
    BOOST_TEST(count([&] { mobility.of(six_rows); }) == 240 * n - 106);
  }
}

BOOST_AUTO_TEST_CASE(rows_in_double_have_the_digits_of_six_numbers_for_a_symmetric_block)
{
  // Each link has four times the mass of the one before it. With blocks that rounding has made unsymmetric, two digits are
  // missing.
  Mechanism rising = built_in_model("planar_arm:12");
  double mass = 1;
  for (auto& link : rising.links) {
    link.mass *= mass;
    for (double& entry : link.inertia) entry *= mass;
    mass *= 4;
  }
  const Model<double> model(rising);
  const Model<long double> exact(model);
  const Model<Counted> six(model);
  ForwardDynamics<double> in_rows(model);
  ForwardDynamics<long double> truth(exact);
  ForwardDynamics<Counted> in_six(six);
  double lost = 0;
  const int states = 50, n = model.nv();
  for (int s = 0; s < states; ++s) {
    const auto drawn = [&](double size, double from) {
      return VectorX<double>::NullaryExpr(
                 n, [&](Eigen::Index k) { return size * std::sin(from + 7 * s + 3.1 * (s + 1) * k); })
          .eval();
    };
    const VectorX<double> q = drawn(3, 1), qd = drawn(1, 2), tau = drawn(10, 3);
    const VectorX<long double> right = truth(q.cast<long double>(), qd.cast<long double>(), tau.cast<long double>());
    const VectorX<double> rows = in_rows(q, qd, tau);
    const Vector numbers = in_six(q.cast<Counted>(), qd.cast<Counted>(), tau.cast<Counted>());
    long double error = 0, usual = 0;
    for (int k = 0; k < n; ++k) {
      error = std::max(error, std::abs(rows(k) - right(k)));
      usual = std::max(usual, std::abs(numbers(k).value - right(k)));
    }
    lost += static_cast<double>(std::log10(error / usual));
  }
  BOOST_TEST(std::abs(lost / states) <= 0.5);
}

/// What is stored was made by the formula. A processor that fuses a product with a sum rounds the two differently: each number
/// is a sum of nine products of three numbers that are at most one. In a sum of three products two terms are rounded three
/// times and one twice; in two such sums the nine are rounded 48 times, and roundings of roundings are less than once more.
BOOST_AUTO_TEST_CASE(an_inertia_turned_by_rows_has_the_bits_of_the_formula_for_six_numbers)
{
#ifdef __FMA__
  const double bound = 2 * 49 * std::numeric_limits<double>::epsilon() / 2;
#else
  const double bound = 0;
#endif
  double difference = 0;
  for (int s = 0; s < 1000; ++s) {
    const auto drawn = [&](int k) { return std::sin(1 + 7.0 * s + 3.1 * (s + 1) * k); };
    const SO3<double> R = exp(Vector3<double>{3 * drawn(0), 3 * drawn(1), 3 * drawn(2)});
    const Symmetric3<double> a{drawn(3), drawn(4), drawn(5), drawn(6), drawn(7), drawn(8)};
    const Matrix3<double> by_rows = turned(R, a).matrix(), by_six = turned<double>(R, a).matrix();
    for (int k = 0; k < 9; ++k) difference = std::max(difference, std::abs(by_rows.e[k] - by_six.e[k]));
  }
  BOOST_TEST(difference <= bound);
}

BOOST_AUTO_TEST_CASE(hybrid_dynamics_takes_what_chapter_06_states)
{
  for (const long n : lengths) {
    const Arm arm{n};
    const auto none = arm.every(1, static_cast<int>(n)), other = arm.every(2, 0), all = arm.every(1, 0);
    BOOST_TEST(arm.run(none).products == 476 * n - 255);
    if (n % 2 == 0) BOOST_TEST(arm.run(other).products == 452 * n - 222);
    BOOST_TEST(arm.run(all).products == 428 * n - 222);
    BOOST_TEST(arm.response(none).products == 66 * n - 24);
    if (n % 2 == 0) BOOST_TEST(2 * arm.response(other).products == 203 * n - 48);
    BOOST_TEST(arm.response(all).products == 137 * n - 24);
    if (n % 2 == 0) BOOST_TEST(arm.run(arm.every(2, 1)).products == 452 * n - 255);  // the first joint is free
    BOOST_TEST((n < 9 || 7 * arm.response(none).products < arm.run(none).products));
    BOOST_TEST((n < 9 || 3 * arm.response(all).products < arm.run(all).products));
  }
}

BOOST_AUTO_TEST_CASE(constrained_dynamics_takes_what_chapter_07_states)
{
  for (const long n : lengths) {
    const Arm arm{n};
    for (long m = 1; m <= 6; ++m) {
      const long less = (1086 + 75 * m + m * m) * n / 2 - arm.constrained(static_cast<int>(m)).products;
      BOOST_TEST(less >= 291);
      BOOST_TEST(less <= 311);
    }
    BOOST_TEST(arm.loop_to_ground(JointType::ball).products == 191 * n + 570);
    BOOST_TEST(arm.loop_to_ground(JointType::revolute).products == 243 * n + 812);
  }
  const Arm arm{50};
  const Operations run = arm.run(arm.every(1, 50)), response = arm.response(arm.every(1, 50));
  const auto ratio = [](long a, long b) {
    return std::round(10.0 * static_cast<double>(a) / static_cast<double>(b)) / 10;
  };
  BOOST_TEST(response.products == 3276);
  BOOST_TEST(run.products == 23545);
  BOOST_TEST(ratio(run.products, response.products) == 7.2);
  BOOST_TEST(ratio(run.products + run.sums, response.products + response.sums) == 7.0);
  BOOST_TEST(arm.constrained(5).products == 36845);
}

BOOST_AUTO_TEST_CASE(the_momentum_of_a_whole_takes_what_its_appendix_states)
{
  for (const long n : lengths) {
    const Arm arm{n};
    CentroidalMomentum<Counted> whole(arm.model);
    BOOST_TEST(operations([&] { whole(arm.q, arm.ones); }).products == 568 * n + 60);
  }
}

BOOST_AUTO_TEST_SUITE_END()
