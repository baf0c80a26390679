/** \file
 *  \brief Dynamics of any order by hand, what bad input is told, and how many multiplications each form makes.
 */
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <array>
#include <complex>
#include <iostream>
#include <map>
#include <articulate/articulate.hpp>
#include <articulate/higher_order/higher_order_dynamics.hpp>
#include <higher_order/counts.hpp>
#include <higher_order/with_rate.hpp>
#include <models/models.hpp>
#include <says.hpp>

using namespace articulate;
using namespace articulate::validation;
namespace data = boost::unit_test::data;

namespace {

using Table = MatrixX<double>;

template <typename A, typename B>
concept multiplies = requires(const A& a, const B& b)
{
  a* b;
};

// An inertia applies to twists only, what carries wrenches to wrenches only.
static_assert(multiplies<InertiaMap<double>, Twist<double>> && !multiplies<InertiaMap<double>, Wrench<double>>);
static_assert(multiplies<HalvesMap<double>, TwistHalves<double>> &&
              !multiplies<HalvesMap<double>, WrenchHalves<double>>);
static_assert(multiplies<WrenchMap<Wrench<double>>, Wrench<double>> &&
              !multiplies<WrenchMap<Wrench<double>>, Twist<double>>);

/// What one form makes of a question; both forms are asked every question.
struct Answers {
  Table qdd, tau;
};

template <typename Form>
Answers ask(const Model<double>& model, const std::vector<bool>& prescribed, const VectorX<double>& q,
            const VectorX<double>& qd, const Table& qdd, const Table& tau, const WrenchDerivatives<double>& Fext = {})
{
  HigherOrderDynamics<double, Form> dynamics(model, static_cast<int>(qdd.cols()) - 1, prescribed);
  dynamics(q, qd, qdd, tau, Fext);
  return {dynamics.qdd(), dynamics.tau()};
}

std::vector<Answers> ask_both(const Model<double>& model, bool prescribed, const VectorX<double>& q,
                              const VectorX<double>& qd, const Table& given)
{
  const std::vector<bool> all(model.nv(), prescribed);
  return {ask<BodyForm<double>>(model, all, q, qd, given, given),
          ask<SpatialForm<double>>(model, all, q, qd, given, given)};
}

/** Each derivative to 100 n eps of the largest number in its column, or of a size that its terms have: 2^k such terms stand
 *  in the product rule of order k. The cases move slowly, so that terms of higher order are not larger.
 */
void require_equal(const Table& left, const Table& right, double size)
{
  BOOST_REQUIRE(left.cols() == right.cols());
  for (int k = 0; k < left.cols(); ++k) {
    const double scale = std::max(size, right.col(k).cwiseAbs().maxCoeff());
    const double gap = (left.col(k) - right.col(k)).cwiseAbs().maxCoeff();
    const double most = 100 * static_cast<double>(left.rows()) * 0x1p-53 * std::ldexp(scale, k);
    BOOST_TEST(gap <= most, "order " << k << ": " << left.col(k).transpose() << " where " << right.col(k).transpose()
                                     << " is right, gap " << gap << " of at most " << most);
  }
}

VectorX<double> vector(std::initializer_list<double> numbers)
{
  VectorX<double> x(numbers.size());
  std::copy(numbers.begin(), numbers.end(), x.begin());
  return x;
}

Link link(const std::string& name, double mass, std::array<double, 3> center, std::array<double, 3> principal)
{
  return {name, mass, center, {0, 0, 0, 1}, {principal[0], 0, 0, principal[1], 0, principal[2]}};
}

Mechanism mechanism(const std::string& name, std::vector<Link> links, std::vector<Joint> joints)
{
  Mechanism m;
  m.name = m.source = name;
  m.links = std::move(links), m.joints = std::move(joints);
  return m;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(higher_order_by_hand)

constexpr int order = 6;

// A pendulum about y at a constant rate w: tau = m g l sin(a + w t), whose k-th derivative is turned by k quarter turns.
BOOST_AUTO_TEST_CASE(a_pendulum_at_a_constant_rate_needs_the_derivatives_of_a_sine)
{
  const double m = 1.7, l = 0.6, g = 9.81, a = 0.8, w = -1.3;
  const Model<double> model(
      mechanism("pendulum", {{"world"}, link("bob", m, {0, 0, -l}, {0.05, 0.05, 0.05})},
                {{"hinge", JointType::revolute, "world", "bob", {}, {0, 0, 0, 1}, {0, 1, 0}, 0}}));
  Table tau(1, order + 1);
  for (int k = 0; k <= order; ++k) tau(0, k) = m * g * l * std::pow(w, k) * std::sin(a + k * pi<double>() / 2);
  for (const Answers& answer : ask_both(model, true, vector({a}), vector({w}), Table::Zero(1, order + 1)))
    require_equal(answer.tau, tau, m * g * l);
  // And under these torques the rate stays constant.
  for (const Answers& answer : ask_both(model, false, vector({a}), vector({w}), tau))
    require_equal(answer.qdd, Table::Zero(1, order + 1), g / l);
}

// A bead on a level bar that turns: r = R e^{ct}, angle = wt, force m (r'' - r w^2), torque m (r^2 w)'.
BOOST_AUTO_TEST_CASE(a_bead_flung_out_along_a_turning_bar_needs_powers_of_its_growth)
{
  const double m = 1.5, R = 0.7, c = 0.5, w = 0.8;
  Mechanism turning = mechanism("bar", {{"world"}, {"bar"}, link("bead", m, {}, {0, 0, 0})},
                                {{"a_pivot", JointType::revolute, "world", "bar", {}, {0, 0, 0, 1}, {0, 0, 1}, 0},
                                 {"b_slide", JointType::prismatic, "bar", "bead", {}, {0, 0, 0, 1}, {1, 0, 0}, 0}});
  const Model<double> model(turning);
  Table qdd = Table::Zero(2, order + 1), tau = qdd;
  for (int k = 0; k <= order; ++k) {
    qdd(1, k) = R * std::pow(c, k + 2);
    tau(0, k) = m * w * R * R * std::pow(2 * c, k + 1);
    tau(1, k) = m * R * (c * c - w * w) * std::pow(c, k);
  }
  const VectorX<double> q = vector({0.4, R}), qd = vector({w, R * c});
  for (const Answers& answer : ask_both(model, true, q, qd, qdd)) require_equal(answer.tau, tau, m * R);
  for (const Answers& answer : ask_both(model, false, q, qd, tau)) require_equal(answer.qdd, qdd, w * w * R);
}

// A nut on an upright thread of h metres a radian: tau = (J + m h^2) q'' + m g h.
BOOST_AUTO_TEST_CASE(a_nut_on_a_thread_is_turned_against_its_inertia_both_ways_and_its_weight)
{
  const double m = 1.7, J = 0.05, h = 0.3, g = 9.81, inertia = J + m * h * h;
  const Model<double> model(
      mechanism("nut", {{"world"}, link("nut", m, {0, 0, 0.2}, {0.04, 0.03, J})},
                {{"thread", JointType::helical, "world", "nut", {}, {0, 0, 0, 1}, {0, 0, 1}, h}}));
  Table qdd(1, order + 1), tau(1, order + 1);
  for (int k = 0; k <= order; ++k) {
    qdd(0, k) = std::pow(0.8, k);
    tau(0, k) = inertia * qdd(0, k) + (k == 0 ? m * g * h : 0);
  }
  for (const Answers& answer : ask_both(model, true, vector({0.4}), vector({1.3}), qdd))
    require_equal(answer.tau, tau, m * g * h);
  for (const Answers& answer : ask_both(model, false, vector({0.4}), vector({1.3}), tau))
    require_equal(answer.qdd, qdd, m * g * h / inertia);
}

// A body that falls and spins about its axis at the rate s: with u = v_x + i v_y, u' = -i s u + e^{-i s t} g_0.
BOOST_AUTO_TEST_CASE(a_falling_stone_that_spins_sees_its_fall_turn)
{
  const double s = 0.7;
  Mechanism stone = mechanism("stone", {link("stone", 3, {}, {0.2, 0.3, 0.4})}, {});
  stone.gravity = {0.2, -0.3, -0.9};
  const Model<double> model(stone, {.floating_base = true});
  const std::complex<double> u0{0.5, -0.4}, g0{0.2, -0.3}, turn{0, -s};
  Table qdd = Table::Zero(6, order + 1);
  for (int k = 0; k <= order; ++k) {
    // u = e^{-ist}(u_0 + g_0 t): derivative k + 1
    const std::complex<double> u = std::pow(turn, k + 1) * u0 + double(k + 1) * std::pow(turn, k) * g0;
    qdd(3, k) = u.real(), qdd(4, k) = u.imag();
  }
  qdd(5, 0) = -0.9;
  const VectorX<double> q = model.zero_coordinates(), qd = vector({0, 0, s, u0.real(), u0.imag(), 0.3});
  for (const Answers& answer : ask_both(model, false, q, qd, Table::Zero(6, order + 1)))
    require_equal(answer.qdd, qdd, 1);
  for (const Answers& answer : ask_both(model, true, q, qd, qdd))
    require_equal(answer.tau, Table::Zero(6, order + 1), 3);
}

// Euler's top with two equal moments A, and C: w_x + i w_y turns at the rate n = (C - A)/A w_z.
BOOST_AUTO_TEST_CASE(a_free_symmetric_top_precesses_at_the_rate_of_euler)
{
  const double A = 0.5, C = 0.8, wz = 0.9, n = (C - A) / A * wz;
  Mechanism top = mechanism("top", {{"world"}, link("top", 1, {}, {A, A, C})},
                            {{"socket", JointType::ball, "world", "top", {}, {0, 0, 0, 1}, {0, 0, 1}, 0}});
  const Model<double> model(top);
  const std::complex<double> w{0.5, -0.4};
  Table qdd = Table::Zero(3, order + 1);
  for (int k = 0; k <= order; ++k) {
    const std::complex<double> rate = std::pow(std::complex<double>(0, n), k + 1) * w;
    qdd(0, k) = rate.real(), qdd(1, k) = rate.imag();
  }
  const VectorX<double> q = vector({0.1, -0.5, 0.3, 0.8}), qd = vector({w.real(), w.imag(), wz});
  for (const Answers& answer : ask_both(model, false, q, qd, Table::Zero(3, order + 1)))
    require_equal(answer.qdd, qdd, 1);
}

namespace {

/// A state of a floating machine with all joints, and tables of which a third of the degrees reads motion.
struct AllJoints {
  Model<double> model{built_in_model("every_joint"), {.floating_base = true}};
  VectorX<double> q = model.zero_coordinates(), qd{model.nv()};
  Table qdd{model.nv(), order + 1}, tau{model.nv(), order + 1};
  WrenchDerivatives<double> Fext{order + 1, ExternalWrenches<double>(model.bodies() + 1)};
  std::vector<bool> every_third = std::vector<bool>(model.nv());

  AllJoints()
  {
    for (int i = 0; i < model.nq(); ++i) q(i) += 0.3 * std::sin(2.0 * i);
    for (int i = 0; i < model.nv(); ++i) {
      qd(i) = std::cos(3.0 * i), every_third[i] = i % 3 == 0;
      for (int k = 0; k <= order; ++k) qdd(i, k) = std::sin(1 + i + 7 * k), tau(i, k) = 5 * std::cos(2 + 3 * i - k);
    }
    for (int k = 0; k <= order; ++k)
      for (int i = 1; i <= model.bodies(); ++i) Fext[k][i] = {{1.0 + k, -2, 0.1 * i}, {3, 0.2 * k, -1.0 * i}};
  }
  std::vector<std::vector<bool>> partitions() const
  {
    return {every_third, std::vector<bool>(model.nv(), true), std::vector<bool>(model.nv(), false)};
  }
  template <typename Form>
  Answers first_orders(const std::vector<bool>& prescribed, int r) const
  {
    return ask<Form>(model, prescribed, q, qd, qdd.leftCols(r + 1), tau.leftCols(r + 1), Fext);
  }
};

template <typename Form>
void require_leading_columns(int lower)
{
  const AllJoints x;
  for (const std::vector<bool>& prescribed : x.partitions()) {
    const Answers all = x.first_orders<Form>(prescribed, order), few = x.first_orders<Form>(prescribed, lower);
    BOOST_TEST((few.qdd == all.qdd.leftCols(lower + 1)));
    BOOST_TEST((few.tau == all.tau.leftCols(lower + 1)));
  }
}

template <typename Form>
void require_plain_dynamics_at_order_zero()
{
  const AllJoints x;
  const auto near = [](const auto& left, const auto& right) {
    return (left - right).cwiseAbs().maxCoeff() <= 1e-11 * right.cwiseAbs().maxCoeff();
  };
  for (const std::vector<bool>& prescribed : x.partitions()) {
    const Answers zero = x.first_orders<Form>(prescribed, 0);
    HybridDynamics<double> plain(x.model, prescribed);
    plain(x.q, x.qd, x.qdd.col(0), x.tau.col(0), x.Fext[0]);
    BOOST_TEST((near(zero.qdd, plain.qdd()) && near(zero.tau, plain.tau())));
  }
  const Answers inverse = x.first_orders<Form>(x.partitions()[1], 0),
                forward = x.first_orders<Form>(x.partitions()[2], 0);
  BOOST_TEST(near(inverse.tau, InverseDynamics<double>(x.model)(x.q, x.qd, x.qdd.col(0), x.Fext[0])));
  BOOST_TEST(near(forward.qdd, ForwardDynamics<double>(x.model)(x.q, x.qd, x.tau.col(0), x.Fext[0])));
}

/// A workspace that has been used, with wrenches, answers as a new one; so do wrenches that are not given and zeros.
template <typename Form>
void require_no_memory()
{
  const AllJoints x;
  WrenchDerivatives<double> two{x.Fext[0], x.Fext[1]}, padded = two;
  padded.resize(order + 1, ExternalWrenches<double>(x.model.bodies() + 1));
  for (const std::vector<bool>& prescribed : x.partitions()) {
    HigherOrderDynamics<double, Form> used(x.model, order, prescribed);
    used(x.q, x.qd, x.qdd, x.tau, x.Fext);
    used(x.model.zero_coordinates(), 2 * x.qd, -x.qdd, 3 * x.tau, two);
    const Answers fresh =
        ask<Form>(x.model, prescribed, x.model.zero_coordinates(), 2 * x.qd, -x.qdd, 3 * x.tau, padded);
    BOOST_TEST((used.qdd() == fresh.qdd && used.tau() == fresh.tau));
    used(x.q, x.qd, x.qdd, x.tau);
    const Answers alone = ask<Form>(x.model, prescribed, x.q, x.qd, x.qdd, x.tau);
    BOOST_TEST((used.qdd() == alone.qdd && used.tau() == alone.tau));
  }
}

}  // namespace

BOOST_DATA_TEST_CASE(a_lower_order_is_the_beginning_of_a_higher_one, data::xrange(1, order), lower)
{
  require_leading_columns<BodyForm<double>>(lower);
  require_leading_columns<SpatialForm<double>>(lower);
}

BOOST_AUTO_TEST_CASE(order_zero_is_inverse_forward_and_hybrid_dynamics)
{
  require_plain_dynamics_at_order_zero<BodyForm<double>>();
  require_plain_dynamics_at_order_zero<SpatialForm<double>>();
}

BOOST_AUTO_TEST_CASE(a_run_leaves_nothing_to_the_next)
{
  require_no_memory<BodyForm<double>>();
  require_no_memory<SpatialForm<double>>();
}

BOOST_AUTO_TEST_CASE(the_world_bears_what_hangs_on_it_in_the_latest_run)
{
  const Model<double> model(built_in_model("screw_arm"));
  const VectorX<double> x = VectorX<double>::Constant(4, 0.3);
  for (const bool prescribed : {true, false}) {
    BodyForm<double> form(model, order, std::vector<bool>(4, prescribed));
    form.rates.setConstant(0.5);
    form.run(x, {});
    const TaylorRecursion<double>& series = form.series();
    const auto numbers = [](const WrenchHalves<double>& F) { return coordinates(F.whole()); };
    MatrixX<double> borne(6, order + 1);
    for (int k = 0; k <= order; ++k) borne.col(k) = numbers(series.F(0, k));
    const VectorX<double> first_body = numbers(series.on_parent(1, series.F(1, 0)));
    BOOST_TEST((borne.col(0) - first_body).norm() <= 100 * 4 * 0x1p-52 * first_body.norm());
    form.run(x, {});
    for (int k = 0; k <= order; ++k) BOOST_TEST((numbers(series.F(0, k)) == borne.col(k)));
  }
}

BOOST_AUTO_TEST_CASE(one_line_gives_the_numbers_of_the_class_bit_for_bit)
{
  const Model<double> model(built_in_model("screw_arm"));  // four degrees
  const VectorX<double> q = vector({0.3, -0.5, 0.2, 0.7}), qd = vector({1, 0.4, -0.6, 0.2});
  Table given(4, 3);
  given << 1, 2, 3, -1, 0.5, 2, 0.3, -0.2, 1, 0.6, 0.1, -2;
  const std::vector<bool> all(4, true), none(4, false), some{true, false, false, true};
  const WrenchDerivatives<double> Fext(
      2, ExternalWrenches<double>(model.bodies() + 1, Wrench<double>{{1, 2, 3}, {4, 5, 6}}));
  using Form = BodyForm<double>;
  // As arguments expressions of the same numbers: a half doubled is exact.
  BOOST_TEST((higher_order_inverse_dynamics(model, q, 2 * (qd / 2), 2 * (given / 2), Fext) ==
              ask<Form>(model, all, q, qd, given, given, Fext).tau));
  BOOST_TEST((higher_order_forward_dynamics(model, q, qd, 2 * (given / 2), Fext) ==
              ask<Form>(model, none, q, qd, given, given, Fext).qdd));
  const auto both = higher_order_dynamics(model, some, q, qd, given, 3 * given, Fext);
  const Answers answers = ask<Form>(model, some, q, qd, given, 3 * given, Fext);
  BOOST_TEST((both.qdd == answers.qdd));
  BOOST_TEST((both.tau == answers.tau));
  BOOST_CHECK_EXCEPTION(higher_order_inverse_dynamics(model, q, qd, Table(4, 0)), StateError,
                        [](const StateError& e) { return says(e.what(), {"order is -1 where 0 or more is needed."}); });
  BOOST_CHECK_EXCEPTION(higher_order_dynamics(model, some, q, qd, given, given.leftCols(2)), SizeError,
                        [](const SizeError& e) { return says(e.what(), {"tau (columns) has 2"}); });
}

bool has_not_run(const StateError& error)
{
  return says(error.what(), {"there is no ", " before the first run; call the algorithm with a state first."});
}

template <typename Form>
void require_a_run()
{
  const Model<double> model(built_in_model("screw_arm"));
  auto dynamics = HigherOrderDynamics<double, Form>::forward(model, 2);
  BOOST_CHECK_EXCEPTION(dynamics.qdd(), StateError, has_not_run);
  BOOST_CHECK_EXCEPTION(dynamics.tau(), StateError, has_not_run);
  BOOST_CHECK_EXCEPTION(dynamics.form(), StateError, has_not_run);
  const VectorX<double> x = VectorX<double>::Constant(4, 0.3);
  dynamics(x, x, Table::Zero(4, 3), Table::Zero(4, 3));
  BOOST_TEST((dynamics.form().tau == dynamics.tau()));
}

BOOST_AUTO_TEST_CASE(numbers_with_rates_are_differentiated_as_by_hand)
{
  using Number = WithRate<double>;
  const Number x(0.5, 3), y(-2, 0.25);
  const auto require = [](const Number& got, double value, double rate) {
    BOOST_TEST(std::abs(got.value - value) < 1e-15);
    BOOST_TEST(std::abs(got.rate - rate) < 1e-14);
  };
  require(Number(0.5), 0.5, 0);
  require(x + y, -1.5, 3.25);
  require(x - y, 2.5, 2.75);
  require(-x, -0.5, -3);
  require(x * y, -1, 3 * -2 + 0.5 * 0.25);
  require(x / y, -0.25, 3 / -2.0 - 0.5 * 0.25 / 4);
  Number z = x;
  require(z += y, -1.5, 3.25);
  require(z -= y, 0.5, 3);
  require(z *= y, -1, -5.875);
  require(z /= y, 0.5, 3);
  require(sin(x), std::sin(0.5), 3 * std::cos(0.5));
  require(cos(x), std::cos(0.5), -3 * std::sin(0.5));
  require(sqrt(x), std::sqrt(0.5), 3 / (2 * std::sqrt(0.5)));
  require(atan(x), std::atan(0.5), 3 / 1.25);
}

BOOST_AUTO_TEST_CASE(what_has_not_run_says_so)
{
  require_a_run<BodyForm<double>>();
  require_a_run<SpatialForm<double>>();

  const Model<double> model(built_in_model("screw_arm"));
  const std::vector<bool> all(4, true);
  const VectorX<double> x = VectorX<double>::Constant(4, 0.3);
  SpatialForm<double> spatial(model, 1, all);
  BOOST_CHECK_EXCEPTION(StackedMatrices<double>{spatial}, StateError, has_not_run);
  BOOST_CHECK_EXCEPTION(coriolis_matrix(spatial), StateError, has_not_run);
  spatial.run(x, {});
  BOOST_CHECK_NO_THROW(StackedMatrices<double>{spatial});
  BOOST_CHECK_NO_THROW(coriolis_matrix(spatial));

  BodyForm<double> body(model, 1, all), of_order_zero(model, 0, all);
  BOOST_CHECK_EXCEPTION(body.series(), StateError, has_not_run);
  body.rates.setConstant(0.5);
  body.run(x, {});
  BOOST_TEST(body.series().tau(0, 0) == body.tau(0, 0));
  of_order_zero.run(x, {});
  BOOST_CHECK_EXCEPTION(of_order_zero.series(), StateError, [](const StateError& e) {
    return says(e.what(), {"order 0 makes no series; ask for order 1 or more."});
  });
}

template <typename Form>
void require_refusals()
{
  using Dynamics = HigherOrderDynamics<double, Form>;
  const Model<double> model(built_in_model("screw_arm"));  // four degrees
  const auto size = [](const char* sentence) {
    return [sentence](const SizeError& e) { return says(e.what(), {sentence}); };
  };
  BOOST_CHECK_EXCEPTION(Dynamics(model, -1, std::vector<bool>(4)), StateError,
                        [](const StateError& e) { return says(e.what(), {"order is -1 where 0 or more is needed."}); });
  BOOST_CHECK_EXCEPTION(Dynamics::inverse(model, -2), StateError,
                        [](const StateError& e) { return says(e.what(), {"order is -2"}); });
  BOOST_CHECK_EXCEPTION(Dynamics(model, 2, std::vector<bool>(3)), SizeError,
                        size("prescribed has 3 entries where the model needs 4."));

  Dynamics dynamics = Dynamics::forward(model, 2);
  const VectorX<double> x = VectorX<double>::Zero(4), bad = VectorX<double>::Zero(5);
  const Table table = Table::Zero(4, 3);
  BOOST_CHECK_EXCEPTION(dynamics(bad, x, table, table), SizeError, size("q has 5 entries where the model needs 4."));
  BOOST_CHECK_EXCEPTION(dynamics(x, bad, table, table), SizeError, size("qd has 5 entries where the model needs 4."));
  BOOST_CHECK_EXCEPTION(dynamics(x, x, Table::Zero(5, 3), table), SizeError, size("qdd (rows) has 5"));
  BOOST_CHECK_EXCEPTION(dynamics(x, x, Table::Zero(4, 4), table), SizeError, size("qdd (columns) has 4"));
  BOOST_CHECK_EXCEPTION(dynamics(x, x, table, Table::Zero(3, 3)), SizeError, size("tau (rows) has 3"));
  BOOST_CHECK_EXCEPTION(dynamics(x, x, table, Table::Zero(4, 2)), SizeError, size("tau (columns) has 2"));
  WrenchDerivatives<double> Fext(3, ExternalWrenches<double>(model.bodies() + 1));
  Fext[1].pop_back();
  BOOST_CHECK_EXCEPTION(dynamics(x, x, table, table, Fext), SizeError, size("Fext has 4 entries"));
  BOOST_CHECK_NO_THROW(dynamics(x, x, table, table));
}

BOOST_AUTO_TEST_CASE(what_has_the_wrong_size_is_named)
{
  require_refusals<BodyForm<double>>();
  require_refusals<SpatialForm<double>>();
}

// shaft -[yaw]- ring -[pitch]- cage -[roll]- rotor, all without mass but the rotor: first and third axis may coincide.
BOOST_AUTO_TEST_CASE(a_degree_that_moves_no_mass_in_a_state_is_refused_there)
{
  const Model<double> model(
      mechanism("gimbal", {{"shaft"}, {"ring"}, {"cage"}, link("rotor", 1, {}, {0.1, 0.2, 0.25})},
                {{"first", JointType::revolute, "shaft", "ring", {}, {0, 0, 0, 1}, {0, 0, 1}, 0},
                 {"second", JointType::revolute, "ring", "cage", {}, {0, 0, 0, 1}, {1, 0, 0}, 0},
                 {"third", JointType::revolute, "cage", "rotor", {}, {0, 0, 0, 1}, {0, 0, 1}, 0}}));
  const Table none = Table::Zero(3, 3);
  const VectorX<double> rest = VectorX<double>::Zero(3);
  BOOST_CHECK_NO_THROW(ask_both(model, false, vector({0.4, 0.7, 1.0}), rest, none));
  const auto named = [](const StateError& e) { return says(e.what(), {"gimbal"}); };
  const std::vector<bool> free(3, false);
  const VectorX<double> meeting = vector({0.4, 0, 1.0});
  BOOST_CHECK_EXCEPTION(ask<BodyForm<double>>(model, free, meeting, rest, none, none), StateError, named);
  BOOST_CHECK_EXCEPTION(ask<SpatialForm<double>>(model, free, meeting, rest, none, none), StateError, named);
}

namespace {

/// Multiplications and divisions that one more revolute body costs, in the tree of five branches.
double per_body(Method method, bool prescribed, int r)
{
  const auto in_tree = [&](int bodies_per_branch) {
    return multiplications(Model<double>(branching_tree(5, bodies_per_branch)), method, prescribed, r);
  };
  return static_cast<double>(in_tree(4) - in_tree(2)) / 10;
}

}  // namespace

BOOST_AUTO_TEST_CASE(one_more_hinge_takes_what_the_chapter_states)
{
  const auto hinge = [](Method method, bool prescribed, int r) {
    const auto in_chain = [&](int n) {
      return multiplications(Model<double>(built_in_model("planar_arm:" + std::to_string(n))), method, prescribed, r);
    };
    return in_chain(9) - in_chain(8);
  };
  const std::map<std::pair<bool, Method>, std::array<long, 4>> stated{
      {{true, Method::body}, {169, 326, 722, 1238}},       {{true, Method::spatial}, {538, 1010, 2536, 4838}},
      {{true, Method::dense}, {910, 2126, 6256, 12650}},   {{false, Method::body}, {477, 968, 1566, 2284}},
      {{false, Method::spatial}, {666, 1181, 2793, 5181}}, {{false, Method::dense}, {1038, 2297, 6513, 12993}}};
  for (const auto& [form, by_order] : stated)
    for (const int k : {0, 1, 2, 3}) BOOST_TEST(hinge(form.second, form.first, k == 0 ? 0 : 2 * k - 1) == by_order[k]);
}

BOOST_AUTO_TEST_CASE(the_body_form_multiplies_several_times_less_than_the_spatial_form)
{
  std::cout << "products per revolute body: inverse (body, spatial), forward (body, spatial)\n";
  const auto count = [](int r) {
    return std::array<double, 4>{per_body(Method::body, true, r), per_body(Method::spatial, true, r),
                                 per_body(Method::body, false, r), per_body(Method::spatial, false, r)};
  };
  std::array<std::array<double, 4>, 9> at;
  for (int r = 0; r <= 8; ++r) {
    at[r] = count(r);
    std::cout << "order " << r << ": " << at[r][0] << ' ' << at[r][1] << ' ' << at[r][2] << ' ' << at[r][3] << '\n';
  }
  // The coefficient of r^2: second differences, by steps of two, for an even order may cost a middle term.
  std::array<double, 4> square;
  for (int c = 0; c < 4; ++c) square[c] = (at[8][c] - 2 * at[6][c] + at[4][c]) / 8;
  std::cout << "r^2: " << square[0] << ' ' << square[1] << ' ' << square[2] << ' ' << square[3] << '\n';
  for (int c = 0; c < 4; ++c)
    BOOST_TEST(at[6][c] - 2 * at[4][c] + at[2][c] == 8 * square[c]);  // and of no higher power
  BOOST_TEST(square[1] >= 5 * square[0]);
  BOOST_TEST(square[3] >= 5 * square[2]);
}

BOOST_AUTO_TEST_SUITE_END()
