/** \file
 *  \brief Derivatives of inverse, forward and hybrid dynamics against arithmetic that knows no recursion of order r.
 *
 *  The truth is a series in time of 50 digits, put through the plain recursions of their own chapters. The bound is the
 *  ledger's, 100 n eps kappa, with kappa measured in 50 digits for each order.
 */
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <complex>
#include <iostream>
#include <higher_order/truth.hpp>
#include <hybrid/partition.hpp>
#include <ledger/proof.hpp>
#include <models/models.hpp>
#include <witnesses/random_tree.hpp>  // RandomNumbers

using namespace articulate;
using namespace articulate::validation;
namespace data = boost::unit_test::data;

namespace {

using Complex = std::complex<double>;

constexpr int order = 6;

/// A series in time that ends with the power r.
template <typename S>
using Taylor = boost::math::differentiation::autodiff_v1::detail::fvar<S, order>;

/// The numbers of a case: a floating tree in a state, and in `free_numbers` its tables of derivatives.
Inputs drawn(int seed)
{
  const Mechanism tree = validation::random_tree(3000 + seed, 1 + seed % 10, seed % 4 == 1);
  Inputs in = Inputs::draw(tree, {.floating_base = true}, seed);
  const Model<double> model(tree, in.options);
  in.free_numbers.resize((order + 1) * (2 * model.nv() + 6 * (model.bodies() + 1)) + model.nv());
  witness::RandomNumbers random(seed);
  for (double& x : in.free_numbers) x = random();
  return in;
}

/// A case in a scalar. A table has a column for every derivative.
template <typename S>
struct Question {
  Model<S> model;
  VectorX<S> q, qd;
  MatrixX<S> qdd, tau;
  WrenchDerivatives<S> Fext;
  Partition prescribed;

  explicit Question(const Inputs& in)
      : model(in.mechanism, in.options), q(to_vector<S>(in.q)), qd(to_vector<S>(in.qd)), qdd(model.nv(), order + 1)
  {
    auto next = in.free_numbers.begin();
    const auto number = [&](int size) { return S(size) * S(*next++); };
    tau = qdd;
    for (S& x : qdd.reshaped()) x = number(5);
    for (S& x : tau.reshaped()) x = number(20);
    for (int k = 0; k <= order; ++k) {
      Fext.emplace_back(model.bodies() + 1);
      for (Wrench<S>& F : Fext.back())
        for (int j = 0; j < 3; ++j) F.m[j] = number(3), F.f[j] = number(3);
    }
    for (int i = 0; i < model.nv(); ++i) prescribed.push_back(*next++ > 0);
  }

  /// The same seen from a world whose origin is where the base is; accelerations and forces do not change.
  Question from_the_base() const
  {
    Question other = *this;
    other.q.head(3).setZero();
    return other;
  }
};

constexpr const char* table_names[] = {"inverse tau", "forward qdd", "hybrid qdd", "hybrid tau"};
constexpr std::size_t groups_per_order = 8;  // angles and lengths apart

/// What is found by three runs: of all motion given, of all forces given, and of a mixture.
template <typename S>
struct Answer {
  MatrixX<S> inverse_tau, forward_qdd, hybrid_qdd, hybrid_tau;

  Sides<S> against(const Answer& other, const Model<S>& model) const
  {
    Sides<S> sides;
    for (int k = 0; k <= order; ++k)
      for (const auto table : {&Answer::inverse_tau, &Answer::forward_qdd, &Answer::hybrid_qdd, &Answer::hybrid_tau})
        sides.add_by_unit(model, VectorX<S>((this->*table).col(k)), VectorX<S>((other.*table).col(k)));
    return sides;
  }
};

Answer<double> rounded(const Answer<Fifty>& a)
{
  return {a.inverse_tau.cast<double>(), a.forward_qdd.cast<double>(), a.hybrid_qdd.cast<double>(),
          a.hybrid_tau.cast<double>()};
}

template <typename Form, typename S>
Answer<S> by_form(const Question<S>& x)
{
  const auto run = [&](const Partition& prescribed) {
    HigherOrderDynamics<S, Form> dynamics(x.model, order, prescribed);
    dynamics(x.q, x.qd, x.qdd, x.tau, x.Fext);
    return dynamics;
  };
  const auto hybrid = run(x.prescribed);
  return {run(Partition(x.model.nv(), true)).tau(), run(Partition(x.model.nv(), false)).qdd(), hybrid.qdd(),
          hybrid.tau()};
}

/// By columns the derivatives of what are series.
template <typename S>
MatrixX<S> derivatives(const VectorX<Taylor<S>>& x)
{
  MatrixX<S> table(x.size(), order + 1);
  for (int i = 0; i < x.size(); ++i)
    for (int k = 0; k <= order; ++k) table(i, k) = derivative(x(i), k);
  return table;
}

/** What plain dynamics says of series.
 *
 *  Where accelerations are to be found, the motion is the one that the answer has: the k-th derivative of the
 *  acceleration rests on those before it alone. If all come out as they went in, they are right, one after the other.
 */
template <typename S>
Answer<S> by_series(const Question<S>& x, const Answer<S>& found)
{
  using T = Taylor<S>;
  const T t = boost::math::differentiation::make_fvar<S, order>(S(0));
  const Model<T> model(x.model);
  const auto along = [&](const MatrixX<S>& qdd) {
    return Moment<T>(Course<S>(order + 1, x.model, x.q, x.qd, qdd, x.tau, x.Fext), t);
  };
  const Moment<T> given = along(x.qdd), driven = along(found.forward_qdd), mixed = along(found.hybrid_qdd);
  InverseDynamics<T> rnea(model);
  ForwardDynamics<T> aba(model);
  HybridDynamics<T> hybrid(model, x.prescribed);
  hybrid(mixed.q, mixed.qd, mixed.qdd, mixed.tau, mixed.Fext);
  return {derivatives<S>(rnea(given.q, given.qd, given.qdd, given.Fext)),
          derivatives<S>(aba(driven.q, driven.qd, driven.tau, driven.Fext)), derivatives<S>(hybrid.qdd()),
          derivatives<S>(hybrid.tau())};
}

/// kappa of each group: the worse of two nudges.
std::vector<double> measured_growth(const Inputs& inputs, const Question<Fifty>& at, const Answer<Fifty>& answer)
{
  std::vector<double> worst;
  for (const std::uint64_t nudge : {1, 2}) {
    const Answer<Fifty> moved = by_form<BodyForm<Fifty>>(Question<Fifty>(inputs.nudged(nudge)));
    const std::vector<double> kappa = growth(answer.against(answer, at.model), moved.against(moved, at.model));
    worst.resize(kappa.size(), 0);
    for (std::size_t g = 0; g < kappa.size(); ++g) worst[g] = std::max(worst[g], kappa[g]);
  }
  return worst;
}

/// What the trees have shown together.
struct Seen {
  std::vector<double> kappa[order + 1];  // by order
  std::set<JointType> joints;
  double worst_in_fifty = 0;
} seen;

/// Both forms in both precisions against the truth, group by group.
void require_truth(int seed)
{
  const Inputs inputs = drawn(seed);
  const Question<double> x(inputs);
  const Question<Fifty> at(inputs);
  const Answer<Fifty> found = by_form<BodyForm<Fifty>>(at), truth = by_series(at, found);
  const std::vector<double> kappa = measured_growth(inputs, at, found);
  BOOST_REQUIRE(kappa.size() == groups_per_order * (order + 1));

  const auto judge = [&](const char* form, const auto& answer, const auto& right, const auto& model, double cap) {
    const auto residual = residuals(answer.against(right, model));
    using S = typename std::decay_t<decltype(residual)>::value_type;
    const double eps = static_cast<double>(unit_roundoff<S>());
    for (std::size_t g = 0; g < kappa.size(); ++g) {
      const double r = static_cast<double>(residual[g]), most = tolerance(model.nv(), eps, kappa[g], cap);
      BOOST_TEST(r <= most, "seed " << seed << ", " << table_names[g % groups_per_order / 2] << " of order "
                                    << g / groups_per_order << ", " << form << ": residual " << r << " of at most "
                                    << most);
      if (std::is_same_v<S, Fifty>) seen.worst_in_fifty = std::max(seen.worst_in_fifty, r);
    }
  };
  // The paper's form is asked with the origin at the base; what a far origin costs it is another case.
  const Answer<double> truth_in_double = rounded(truth);
  judge("body form in double", by_form<BodyForm<double>>(x), truth_in_double, x.model, 1e-11);
  judge("spatial form in double", by_form<SpatialForm<double>>(x.from_the_base()), truth_in_double, x.model, 1e-11);
  judge("body form in 50 digits", found, truth, at.model, 1e-44);
  judge("spatial form in 50 digits", by_form<SpatialForm<Fifty>>(at.from_the_base()), truth, at.model, 1e-44);

  for (std::size_t g = 0; g < kappa.size(); ++g) seen.kappa[g / groups_per_order].push_back(kappa[g]);
  for (const JointSlot& joint : x.model.joints()) seen.joints.insert(joint.type);
}

/// Inverse dynamics on circles of complex time.
struct Circle {
  static constexpr int points = 64;
  std::vector<VectorX<Complex>> tau;
  double largest = 0;

  Circle(const Question<double>& x, double radius)
  {
    const Course<double> course(50, x.model, x.q, x.qd, x.qdd, x.tau, x.Fext);
    const Model<Complex> model(x.model);
    InverseDynamics<Complex> rnea(model);
    for (int j = 0; j < points; ++j) {
      const Moment<Complex> at(course, std::polar(radius, 2 * pi<double>() * j / points));
      tau.push_back(rnea(at.q, at.qd, at.qdd, at.Fext));
      largest = std::max(largest, tau.back().cwiseAbs().maxCoeff());
    }
  }

  /// The k-th coefficient, \f$\frac1N\sum_j f(\rho e^{i\theta_j})e^{-ik\theta_j}\f$, times \f$\rho^k\f$.
  VectorX<Complex> mean(int k) const
  {
    VectorX<Complex> sum = VectorX<Complex>::Zero(tau[0].size());
    for (int j = 0; j < points; ++j) sum += std::polar(1.0, -2 * pi<double>() * (j * k % points) / points) * tau[j];
    return sum / points;
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(higher_order_truth)

BOOST_DATA_TEST_CASE(both_forms_give_the_derivatives_of_series_on_the_floating_tree, data::xrange(50), seed)
{
  require_truth(seed);
}

BOOST_AUTO_TEST_CASE(
    the_trees_leave_out_no_joint_and_no_order_is_ill_conditioned,
    *boost::unit_test::depends_on("higher_order_truth/both_forms_give_the_derivatives_of_series_on_the_floating_tree"))
{
  BOOST_TEST(seen.joints.size() == 11);
  BOOST_TEST(seen.worst_in_fifty < 1e-30);
  std::cout << "In 50 digits both forms agree with series to " << seen.worst_in_fifty << '\n';
  for (int k = 0; k <= order; ++k) {
    std::vector<double>& kappa = seen.kappa[k];
    std::sort(kappa.begin(), kappa.end());
    std::cout << "order " << k << ": kappa " << kappa[kappa.size() / 2] << " (median), " << kappa.back()
              << " (worst)\n";
    BOOST_TEST(kappa.back() < 1e3);  // else the bound would be looser than 1e-11
  }
}

/** The rule of N points finds of coefficient k also those of k + N, k + 2N, ...: with M' the largest value on the circle of
 *  twice the radius these are at most \f$M'(2\rho)^{-k}(2^{-N} + 2^{-2N} + \ldots)\f$. And it carries the rounding of its
 *  samples, which are of the size M of the largest, by \f$\rho^{-k}\f$.
 */
BOOST_DATA_TEST_CASE(inverse_dynamics_has_the_derivatives_of_a_cauchy_integral_on_the_floating_tree, data::xrange(10),
                     seed)
{
  const double radius = 0.25, eps = unit_roundoff<double>();
  const Inputs inputs = drawn(seed);
  const Question<double> x(inputs);
  const Question<Fifty> at(inputs);
  const std::vector<double> kappa = measured_growth(inputs, at, by_form<BodyForm<Fifty>>(at));
  const Circle circle(x, radius), wider(x, 2 * radius);
  const MatrixX<double> body = by_form<BodyForm<double>>(x).inverse_tau;
  const MatrixX<double> spatial = by_form<SpatialForm<double>>(x.from_the_base()).inverse_tau;
  double factorial = 1, power = 1;
  for (int k = 0; k <= order; ++k) {
    if (k > 0) factorial *= k, power *= radius;
    const VectorX<double> exact = factorial / power * circle.mean(k).real();
    const double aliases =
        wider.largest * std::ldexp(1.0, -k - Circle::points) / (1 - std::ldexp(1.0, -Circle::points));
    const double of_samples = std::max(kappa[0], kappa[1]) * circle.largest;
    const double of_result =
        std::max(kappa[groups_per_order * k], kappa[groups_per_order * k + 1]) * body.col(k).cwiseAbs().maxCoeff();
    const double most =
        100 * x.model.nv() * eps * (of_samples * factorial / power + of_result) + aliases * factorial / power;
    for (const MatrixX<double>* tau : {&body, &spatial}) {
      const double error = (tau->col(k) - exact).cwiseAbs().maxCoeff();
      BOOST_TEST(error <= most, "seed " << seed << ", order " << k << ": error " << error << " of at most " << most);
    }
  }
}

// Inertia about an origin at the distance d holds m d^2 beside the machine's own m l^2: that many digits are rounded off.
BOOST_AUTO_TEST_CASE(a_far_origin_costs_the_spatial_form_the_square_of_its_distance_and_the_body_form_nothing)
{
  const std::vector<double> distances{1e1, 1e3, 1e5};
  std::vector<double> digits_lost(distances.size(), 0);  // mean over trees and orders
  const int trees = 5;
  for (int seed = 0; seed < trees; ++seed) {
    const Inputs inputs = drawn(seed);
    Question<double> x = Question<double>(inputs).from_the_base();
    const Answer<double> exact = rounded(by_form<BodyForm<Fifty>>(Question<Fifty>(inputs)));
    const Answer<double> from_base = by_form<BodyForm<double>>(x);
    const auto worst_by_order = [&](const Answer<double>& answer) {
      const std::vector<double> r = residuals(answer.against(exact, x.model));
      std::vector<double> worst;
      for (auto first = r.begin(); first != r.end(); first += groups_per_order)
        worst.push_back(*std::max_element(first, first + groups_per_order));
      return worst;
    };
    const std::vector<double> body = worst_by_order(from_base);
    for (std::size_t d = 0; d < distances.size(); ++d) {
      x.q.head(3) << 0.6 * distances[d], -0.48 * distances[d], 0.64 * distances[d];
      const Answer<double> from_afar = by_form<BodyForm<double>>(x);
      BOOST_TEST((from_afar.inverse_tau == from_base.inverse_tau && from_afar.forward_qdd == from_base.forward_qdd));
      const std::vector<double> spatial = worst_by_order(by_form<SpatialForm<double>>(x));
      for (int k = 0; k <= order; ++k) digits_lost[d] += std::log10(spatial[k] / body[k]) / (trees * (order + 1));
    }
  }
  for (std::size_t d = 0; d < distances.size(); ++d)
    std::cout << "origin at " << distances[d] << " m: the spatial form loses " << digits_lost[d] << " digits\n";
  BOOST_TEST(digits_lost[1] > 5);
  for (std::size_t d = 1; d < distances.size(); ++d)
    BOOST_TEST(std::abs((digits_lost[d] - digits_lost[d - 1]) / 2 - 2) < 0.25);  // the power of the distance
}

BOOST_AUTO_TEST_SUITE_END()
