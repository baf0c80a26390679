#include <boost/test/unit_test.hpp>
#include <cmath>
#include <random>
#include <articulate/group/se3.hpp>
#include <reference/enclosure.hpp>
#include <reference/verified.hpp>

using namespace articulate;
using namespace articulate::reference;

namespace {

/// Doubles of all signs and sizes from 1e-6 to 1e6.
std::vector<double> drawn(int count)
{
  std::mt19937_64 engine(7);
  std::vector<double> x;
  for (int k = 0; k < count; ++k) {
    const double size = std::ldexp(static_cast<double>(engine() >> 11) + 1, -53 + static_cast<int>(engine() % 40) - 20);
    x.push_back(engine() % 2 ? size : -size);
  }
  return x;
}

template <typename I>
void arithmetic_encloses_fractions()
{
  const std::vector<double> x = drawn(200), y = drawn(400);
  for (std::size_t k = 0; k < x.size(); ++k) {
    const mpq_class a(x[k]), b(y[k + 200]);
    const I p(x[k]), q(y[k + 200]);
    BOOST_TEST(enclosure(p + q).holds(a + b));
    BOOST_TEST(enclosure(p - q).holds(a - b));
    BOOST_TEST(enclosure(p * q).holds(a * b));
    BOOST_TEST(enclosure(p / q).holds(a / b));
    BOOST_TEST(enclosure(-p).holds(-a));
    BOOST_TEST(enclosure(abs(p)).holds(abs(a)));
    BOOST_TEST((p < q) == (a < b));
    BOOST_TEST(enclosure(sqrt(abs(p)) * sqrt(abs(p))).holds(abs(a)));
    BOOST_TEST(enclosure(sin(p) * sin(p) + cos(p) * cos(p)).holds(1));
    BOOST_TEST(enclosure(atan(abs(p)) + atan(I(1) / abs(p)) - pi<I>() / I(2)).holds(0));
  }
}

template <typename I>
void functions_of_an_interval_hold_those_of_its_numbers()
{
  const std::vector<double> ends = drawn(200);
  for (std::size_t k = 0; k + 1 < ends.size(); k += 2) {
    const double a = std::min(ends[k], ends[k + 1]), b = std::max(ends[k], ends[k + 1]);
    const I x = I::between(a, b);
    for (const double part : {0.0, 0.3, 0.5, 0.8, 1.0}) {
      const double number = std::clamp(a + part * (b - a), a, b);
      const I one(number);
      BOOST_TEST(lies_within(one, x));
      for (const auto& f : {+[](const I& z) { return sin(z); }, +[](const I& z) { return cos(z); },
                            +[](const I& z) { return atan(z); }, +[](const I& z) { return abs(z); },
                            +[](const I& z) { return z * z; }, +[](const I& z) { return ball(z); }}) {
        const Enclosure wide = enclosure(f(x)), narrow = enclosure(f(one));
        BOOST_TEST((wide.lower <= narrow.upper && narrow.lower <= wide.upper));
      }
    }
  }
}

template <typename I>
void what_is_undecided_is_refused()
{
  const I x = I::between(-1, 2), y = I::between(1, 3), z = I::between(4, 5);
  BOOST_TEST((x < z && z > y && x != z && y > 0 && y >= 0.9 && I(2) == I(2)));
  BOOST_CHECK_THROW((void)(x < y), Undecided);
  BOOST_CHECK_THROW((void)(x > 0), Undecided);
  BOOST_CHECK_THROW((void)(y == y), Undecided);
  BOOST_CHECK_THROW(y / x, Undecided);
  BOOST_CHECK_THROW(sqrt(x), Undecided);
}

/// The series of Phi leaves out what its terms allow; beyond ten it is sine and cosine. Both must hold the same numbers.
template <typename I>
void series_hold_what_they_leave_out()
{
  for (const double angle : {0.0, 1e-9, 0.1, 1.5, 3.1, 3.2, 7.0}) {
    const Phi<I> phi(I(angle) * I(angle));
    const I x(angle), sine = sin(x), cosine = cos(x);
    using Pair = std::pair<I, I>;
    for (const auto& [mine, theirs] : {Pair(phi[0], cosine), Pair(phi[1] * x, sine),
                                       Pair(phi[2] * x * x, I(1) - cosine), Pair(phi[3] * x * x * x, x - sine)}) {
      const Enclosure difference = enclosure(mine - theirs);
      BOOST_TEST(difference.holds(0));
      BOOST_TEST((difference.width() < power_of_ten(-100)));
    }
  }
}

template <typename I>
void pi_has_its_digits()
{
  BOOST_TEST(enclosure(sin(pi<I>() / I(6))).holds(mpq_class(1, 2)));
  BOOST_TEST(enclosure(cos(pi<I>() / I(3))).holds(mpq_class(1, 2)));
  BOOST_TEST(decimal(enclosure(pi<I>()), -60) == "3.141592653589793238462643383279502884197169399375105820974945e0");
}

/// The inverse of Hilbert's matrix has whole numbers.
template <typename I>
void a_solution_is_proved_or_refused()
{
  const int n = 12;
  IntervalMatrix<I> hilbert(n, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) hilbert(i, j) = I(1) / I(i + j + 1);
  const IntervalVector<I> column = VerifiedSystem<I>(hilbert).solution_of(IntervalVector<I>::Unit(n, 0));
  for (int i = 0; i < n; ++i) {
    // (-1)^i n (n + i)! / (i!^2 (n - 1 - i)! (i + 1))
    mpz_class above, below, other;
    mpz_fac_ui(above.get_mpz_t(), n + i), mpz_fac_ui(below.get_mpz_t(), i), mpz_fac_ui(other.get_mpz_t(), n - 1 - i);
    mpq_class exact(above * (i % 2 ? -n : n), below * below * other * (i + 1));
    exact.canonicalize();
    const Enclosure x = enclosure(column(i));
    BOOST_TEST(x.holds(exact));
    BOOST_TEST((x.width() < power_of_ten(-80) * abs(exact)));
  }

  // A right side that leaves a part at rest: its solution is zero, and known to be.
  IntervalMatrix<I> blocks = IntervalMatrix<I>::Zero(3, 3);
  blocks(0, 0) = I(3), blocks(1, 1) = I(1) / I(3), blocks(1, 2) = blocks(2, 1) = I(1) / I(7), blocks(2, 2) = I(1);
  const IntervalVector<I> x = VerifiedSystem<I>(blocks).solution_of(IntervalVector<I>::Unit(3, 1));
  BOOST_TEST((enclosure(x(0)).is_point() && enclosure(x(0)).holds(0)));
  BOOST_TEST(enclosure(x(1)).holds(mpq_class(147, 46)));

  IntervalMatrix<I> wide(2, 2);  // 4 in its last place makes it singular
  wide << I(1), I(2), I(2), I::between(3.5, 4.7);
  BOOST_CHECK_THROW(VerifiedSystem<I>{wide}, Unverified);
  wide(1, 1) = I(4);
  BOOST_CHECK_THROW(VerifiedSystem<I>{wide}, Unverified);
  wide(1, 1) = I::between(4.6, 4.7);
  BOOST_CHECK_NO_THROW(VerifiedSystem<I>{wide});
}

/// Where a circle meets a line. On the line that touches the circle no root is proved, and far from it none is found.
template <typename I>
void a_root_is_proved_or_refused()
{
  const auto meeting = [](double height) {
    return [height](const IntervalVector<I>& x) -> Equations<I> {
      IntervalVector<I> f(2);
      IntervalMatrix<I> J(2, 2);
      f << x(0) * x(0) + x(1) * x(1) - I(1), x(1) - I(height);
      J << I(2) * x(0), I(2) * x(1), I(0), I(1);
      return {f, J};
    };
  };
  IntervalVector<I> near(2);
  near << I(0.9), I(0.5);
  const IntervalVector<I> root = verified_root<I>(meeting(0.6), near);
  BOOST_TEST(enclosure(root(0) * root(0) + I(0.6) * I(0.6)).holds(1));
  BOOST_TEST((enclosure(root(0)).width() < power_of_ten(-100) && double(root(0)) > 0));
  BOOST_CHECK_THROW(verified_root<I>(meeting(1), near), Unverified);
  BOOST_CHECK_THROW(verified_root<I>(meeting(1.1), near), Unverified);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(intervals)

#define IN_BOTH(law)           \
  BOOST_AUTO_TEST_CASE(law##_) \
  {                            \
    law<Interval<mpfi>>();     \
    law<Interval<arb>>();      \
  }
IN_BOTH(arithmetic_encloses_fractions)
IN_BOTH(functions_of_an_interval_hold_those_of_its_numbers)
IN_BOTH(what_is_undecided_is_refused)
IN_BOTH(series_hold_what_they_leave_out)
IN_BOTH(pi_has_its_digits)
IN_BOTH(a_solution_is_proved_or_refused)
IN_BOTH(a_root_is_proved_or_refused)

BOOST_AUTO_TEST_CASE(digits_are_those_of_the_number)
{
  const auto point = [](const char* x) { return Enclosure{fraction(x), fraction(x)}; };
  BOOST_TEST(decimal(point("1.2345"), -2) == "1.23e0");
  BOOST_TEST(decimal(point("-0.00128"), -4) == "-1.3e-3");
  BOOST_TEST(decimal(point("99.96"), -1) == "1.000e2");
  BOOST_TEST(decimal(point("0.004"), -2) == "0");
  // Half a step goes to the even digit, and so does an enclosure of it, on either side.
  BOOST_TEST(decimal(point("0.25"), -1) == "2e-1");
  BOOST_TEST(decimal(point("0.35"), -1) == "4e-1");
  BOOST_TEST(decimal({fraction("0.2499"), fraction("0.2501")}, -1) == "2e-1");
  BOOST_TEST(decimal({fraction("0.3499"), fraction("0.3501")}, -1) == "4e-1");
  BOOST_TEST(decimal({fraction("-0.2501"), fraction("-0.2499")}, -1) == "-2e-1");
  BOOST_CHECK_THROW(decimal({fraction("0.1"), fraction("0.2")}, -1), Error);
  for (const char* wrong : {"", "-", "1.2.3", "e5", "1e", "1e2x", "0x1p3", "nan", "1,5"})
    BOOST_CHECK_THROW(fraction(wrong), Error);
}

BOOST_AUTO_TEST_SUITE_END()
