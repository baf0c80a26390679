/** \file
 *  \brief exp, log and dexp to the last digits at every angle; the rule at a half turn; twists are not wrenches.
 */
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <boost/multiprecision/eigen.hpp>
#include <boost/test/unit_test.hpp>
#include <random>
#include <articulate/group/matrices.hpp>
#include <ledger/scalars.hpp>

using namespace articulate;
using validation::Fifty;

namespace {

using Hundred = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<100>, boost::multiprecision::et_off>;

template <typename S>
struct Reference;
template <>
struct Reference<double> {
  using type = Fifty;
};
template <>
struct Reference<Fifty> {
  using type = Hundred;
};

/// The largest difference in units of the last place of the largest entry.
template <typename S, typename Ref>
double ulps(const std::vector<S>& computed, const std::vector<Ref>& exact)
{
  Ref difference(0), largest(0);
  for (std::size_t k = 0; k < computed.size(); ++k) {
    difference = std::max<Ref>(difference, magnitude(Ref(Ref(computed[k]) - exact[k])));
    largest = std::max<Ref>(largest, magnitude(exact[k]));
  }
  if (difference == 0) return 0;
  return static_cast<double>(difference / largest) / static_cast<double>(std::numeric_limits<S>::epsilon());
}

template <typename S>
std::vector<S> numbers(const Vector3<S>& x)
{
  return {x[0], x[1], x[2]};
}
template <typename S>
std::vector<S> numbers(const SO3<S>& R)
{
  return {R.matrix.e, R.matrix.e + 9};
}

template <typename Ref, typename S>
SO3<Ref> widened(const SO3<S>& R)
{
  SO3<Ref> wide;
  for (int k = 0; k < 9; ++k) wide.matrix.e[k] = Ref(R.matrix.e[k]);
  return wide;
}

/// Rotation vectors of every length that matters in seven directions, some of them along an axis.
template <typename S>
std::vector<Vector3<S>> rotation_vectors()
{
  const S half_turn = pi<S>();
  const std::vector<S> lengths{S(0),
                               S(1e-300),
                               S(1e-20),
                               S(1e-8),
                               S(1e-4),
                               S(0.5),
                               S(1.5),
                               S(2.9),
                               half_turn - S(1e-4),
                               half_turn - S(1e-8),
                               half_turn,
                               S(3.5),
                               S(6.0)};
  std::vector<Vector3<S>> directions{{S(1), S(0), S(0)}, {S(0), S(-1), S(0)}, {S(0), S(0), S(1)}};
  std::mt19937_64 engine(7);
  std::uniform_real_distribution<double> number(-1, 1);
  while (directions.size() < 7) {
    const Vector3<S> x{S(number(engine)), S(number(engine)), S(number(engine))};
    directions.push_back(S(1) / S(sqrt(inner(x, x))) * x);
  }
  std::vector<Vector3<S>> vectors;
  for (const S& length : lengths)
    for (const auto& direction : directions) vectors.push_back(length * direction);
  return vectors;
}

using Scalars = std::tuple<double, Fifty>;

}  // namespace

BOOST_AUTO_TEST_SUITE(group)

BOOST_AUTO_TEST_CASE_TEMPLATE(exp_is_right_to_eight_ulp_at_every_angle, S, Scalars)
{
  using Ref = typename Reference<S>::type;
  const Vector3<S> v{S(0.3), S(-0.7), S(0.2)};
  for (const auto& w : rotation_vectors<S>()) {
    const SE3<S> T = exp(Twist<S>{w, v});
    const SE3<Ref> exact = exp(Twist<Ref>{Vector3<Ref>(w), Vector3<Ref>(v)});
    BOOST_TEST(ulps(numbers(T.R), numbers(exact.R)) <= 8);
    BOOST_TEST(ulps(numbers(T.p), numbers(exact.p)) <= 8);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(log_is_right_to_eight_ulp_at_every_angle, S, Scalars)
{
  using Ref = typename Reference<S>::type;
  const Vector3<S> p{S(0.3), S(-0.7), S(0.2)};
  for (const auto& w : rotation_vectors<S>()) {
    const SO3<S> R = exp(w);
    BOOST_TEST(ulps(numbers(log(R)), numbers(log(widened<Ref>(R)))) <= 8);
    const Twist<S> xi = log(SE3<S>{R, p});
    const Twist<Ref> exact = log(SE3<Ref>{widened<Ref>(R), Vector3<Ref>(p)});
    BOOST_TEST(ulps(numbers(xi.v), numbers(exact.v)) <= 8);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(log_returns_what_exp_was_given, S, Scalars)
{
  for (const auto& w : rotation_vectors<S>()) {
    if (inner(w, w) > S(9.86)) continue;  // beyond a half turn another vector is shorter
    BOOST_TEST(ulps(numbers(log(exp(w))), numbers(w)) <= 8);
  }
}

/// The columns of the map, and its angular block alone.
template <typename S>
std::vector<S> dexp_matrix(const Twist<S>& xi)
{
  std::vector<S> entries;
  for (int k = 0; k < 6; ++k) {
    const Vector6<S> column = coordinates(dexp(xi, to_twist(Vector6<S>::Unit(k))));
    entries.insert(entries.end(), column.data(), column.data() + 6);
  }
  return entries;
}
template <typename S>
std::vector<S> dexp_matrix(const Vector3<S>& w)
{
  std::vector<S> entries;
  for (int k = 0; k < 3; ++k) {
    const Vector3<S> column = dexp(w, Vector3<S>(Eigen::Matrix<S, 3, 1>::Unit(k)));
    entries.insert(entries.end(), column.e, column.e + 3);
  }
  return entries;
}

BOOST_AUTO_TEST_CASE_TEMPLATE(dexp_is_right_to_eight_ulp_at_every_angle, S, Scalars)
{
  using Ref = typename Reference<S>::type;
  const Vector3<S> v{S(0.3), S(-0.7), S(0.2)};
  for (const auto& w : rotation_vectors<S>()) {
    const std::vector<S> six = dexp_matrix(Twist<S>{w, v});
    BOOST_TEST(ulps(six, dexp_matrix(Twist<Ref>{Vector3<Ref>(w), Vector3<Ref>(v)})) <= 8);
    BOOST_TEST(ulps(dexp_matrix(w), dexp_matrix(Vector3<Ref>(w))) <= 8);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(exp_of_a_screw_is_right_to_eight_ulp_at_every_angle, S, Scalars)
{
  using Ref = typename Reference<S>::type;
  const Twist<S> screw{{S(0.6), S(0), S(0.8)}, {S(300), S(-700), S(200)}};  // its axis passes a kilometre away
  const Twist<Ref> exact_screw{Vector3<Ref>(screw.w), Vector3<Ref>(screw.v)};
  for (const S& q : {S(1e-8), S(1e-4), S(0.5), S(2), S(3.1), pi<S>()}) {
    const SE3<S> T = exp(screw, q);
    const SE3<Ref> exact = exp(exact_screw, Ref(q));
    BOOST_TEST(ulps(numbers(T.R), numbers(exact.R)) <= 8);
    BOOST_TEST(ulps(numbers(T.p), numbers(exact.p)) <= 8);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(the_largest_component_of_the_log_of_a_half_turn_is_positive, S, Scalars)
{
  const std::vector<Vector3<S>> axes{{S(-1), S(0), S(0)},
                                     {S(0), S(-3) / S(5), S(4) / S(5)},
                                     {S(0), S(-4) / S(5), S(-3) / S(5)},
                                     {S(-2) / S(3), S(-1) / S(3), S(2) / S(3)}};
  for (const auto& u : axes) {
    // The matrix of a half turn about u: exactly symmetric.
    const SO3<S> R(S(2) * outer(u, u) - Matrix3<S>::identity());
    const Vector3<S> w = log(R);
    int largest = 0;
    for (int k = 1; k < 3; ++k)
      if (magnitude(u[k]) > magnitude(u[largest])) largest = k;
    BOOST_TEST(w[largest] > 0);
    const S sign = u[largest] > 0 ? S(1) : S(-1);
    BOOST_TEST(ulps(numbers(w), numbers(sign * pi<S>() * u)) <= 8);
  }
}

BOOST_AUTO_TEST_CASE(the_largest_entry_is_found_and_what_is_no_number_is_not_passed_over)
{
  const Eigen::Vector3d x(1, -4, 2);
  BOOST_TEST(largest(x) == 4);
  BOOST_TEST(largest(x * x.transpose()) == 16);
  BOOST_TEST(largest(Eigen::VectorXd()) == 0);
  BOOST_TEST(largest(Eigen::Vector2cd(std::complex<double>(-3, 1e-30), 1)) == 3);
  for (int k = 0; k < 3; ++k) {
    Eigen::Vector3d y = x;
    y(k) = std::nan("");
    BOOST_TEST(std::isnan(largest(y)));
  }
}

BOOST_AUTO_TEST_CASE(complex_steps_pass_through_every_map)
{
  using Complex = std::complex<double>;
  const double h = 1e-200;
  const Twist<double> xi{{0.3, -0.8, 0.5}, {0.2, 0.9, -0.4}}, rate{{0.7, 0.1, -0.6}, {-0.3, 0.8, 0.5}};
  Twist<Complex> moved;
  for (int k = 0; k < 3; ++k) {
    moved.w[k] = Complex(xi.w[k], h * rate.w[k]);
    moved.v[k] = Complex(xi.v[k], h * rate.v[k]);
  }
  const SE3<Complex> T = exp(moved);
  Matrix4<double> Tdot = matrix(T).imag() / h;
  const Twist<double> V = vee(Matrix4<double>(matrix(inverse(exp(xi))) * Tdot)), expected = dexp(xi, rate);
  const Twist<Complex> back = log(T);
  for (int k = 0; k < 3; ++k) {
    BOOST_TEST(std::abs(V.w[k] - expected.w[k]) <= 1e-15);
    BOOST_TEST(std::abs(V.v[k] - expected.v[k]) <= 1e-15);
    BOOST_TEST(std::abs(back.w[k].imag() / h - rate.w[k]) <= 1e-14);
    BOOST_TEST(std::abs(back.v[k].imag() / h - rate.v[k]) <= 1e-14);
  }
}

/// A number that has an arc sine and no arc tangent.
struct Sine {
  double x;

  explicit Sine(double number) : x(number) {}
  friend Sine operator-(Sine a) { return Sine(-a.x); }
  friend Sine operator+(Sine a, Sine b) { return Sine(a.x + b.x); }
  friend Sine operator-(Sine a, Sine b) { return Sine(a.x - b.x); }
  friend Sine operator*(Sine a, Sine b) { return Sine(a.x * b.x); }
  friend Sine operator/(Sine a, Sine b) { return Sine(a.x / b.x); }
  friend Sine sqrt(Sine a) { return Sine(std::sqrt(a.x)); }
  friend Sine asin(Sine a) { return Sine(std::asin(a.x)); }
};

BOOST_AUTO_TEST_CASE(a_scalar_without_arc_tangent_gets_it_from_its_arc_sine)
{
  for (const double x : {-40.0, -1.3, 0.0, 0.2, 7.0}) {
    const double most = 4 * std::numeric_limits<double>::epsilon() * (1 + std::abs(x));  // near one it loses as many
    BOOST_TEST(std::abs((arc_tangent(Sine(x)) - Sine(std::atan(x))).x) <= most);
    BOOST_TEST(std::abs((-arc_tangent(-Sine(x)) - Sine(std::atan(x))).x) <= most);
  }
}

BOOST_AUTO_TEST_CASE(the_log_can_be_differentiated_at_a_half_turn)
{
  using Dual = validation::Dual<double>;
  const Dual t = validation::dual_parameter<double>();
  SO3<Dual> turn;  // about x, by pi + t
  turn.matrix(1, 1) = turn.matrix(2, 2) = Dual(-1);
  turn.matrix(1, 2) = t;
  turn.matrix(2, 1) = -t;
  const Dual angle = log(turn)[0];
  BOOST_TEST(std::abs(validation::derivative(angle, 0) - pi<double>()) <= 4 * std::numeric_limits<double>::epsilon());
  BOOST_TEST(std::abs(validation::derivative(angle, 1) - 1) <= 4 * std::numeric_limits<double>::epsilon());
}

BOOST_AUTO_TEST_CASE(a_quaternion_without_numbers_is_one)
{
  const Quaternion<double> q{{0.1, -0.7, 0.5}, 0.5}, same = q * Quaternion<double>{};
  BOOST_TEST((same.w == q.w && same.v[0] == q.v[0] && same.v[1] == q.v[1] && same.v[2] == q.v[2]));
}

template <typename A>
concept moves_by_Ad = requires(SE3<double> T, A a)
{
  Ad(T, a);
};
template <typename A>
concept moves_by_coAd = requires(SE3<double> T, A a)
{
  coAd(T, a);
};

/// All numbers between two, of which only the ends are kept here.
struct Between {
  double low, high;
  explicit Between(double x) : Between{x, x} {}
  Between(double a, double b) : low(a), high(b) {}
  static Between between(double a, double b) { return {a, b}; }
  friend Between operator-(const Between& x) { return {-x.high, -x.low}; }
};

BOOST_AUTO_TEST_CASE(what_a_series_leaves_out_is_between_nothing_and_its_first_term)
{
  BOOST_TEST(part_left_out<double>() == 0);
  BOOST_TEST(part_left_out<Between>().low == 0);
  BOOST_TEST(part_left_out<Between>().high == 1);
}

BOOST_AUTO_TEST_CASE(a_wrench_does_not_move_by_Ad_nor_a_twist_by_coAd)
{
  BOOST_TEST(moves_by_Ad<Twist<double>>);
  BOOST_TEST(!moves_by_Ad<Wrench<double>>);
  BOOST_TEST(moves_by_coAd<Wrench<double>>);
  BOOST_TEST(!moves_by_coAd<Twist<double>>);
}

BOOST_AUTO_TEST_SUITE_END()
