/** \file
 *  \brief The whole library on a user's scalars: Eigen's automatic differentiation, complex numbers, single precision.
 *
 *  All algorithms run on one small tree of several kinds of joint, along a direction in state space: their values are
 *  those of double, and their derivatives agree with each other and with the library's own.
 */
#include <boost/test/unit_test.hpp>
#include <model/scalars.hpp>

using namespace articulate;
using articulate::scalars::all_answers, articulate::scalars::Dual;

namespace {

/// The largest difference of two sets of numbers, over the largest number.
template <typename A, typename B>
double miss(const std::vector<A>& a, const std::vector<B>& b)
{
  BOOST_REQUIRE(a.size() == b.size());
  double difference = 0, size = 1;
  for (std::size_t k = 0; k < a.size(); ++k) {
    const double here = std::abs(static_cast<double>(a[k]) - static_cast<double>(b[k]));
    if (!(here <= difference)) difference = here;
    size = std::max(size, std::abs(static_cast<double>(b[k])));
  }
  return difference / size;
}

template <typename Scalar, typename Part>
std::vector<double> parts(const std::vector<Scalar>& x, const Part& part)
{
  std::vector<double> numbers;
  for (const Scalar& one : x) numbers.push_back(part(one));
  return numbers;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(any_scalar)

BOOST_AUTO_TEST_CASE(automatic_differentiation_and_the_complex_step_agree_in_every_algorithm)
{
  constexpr double h = 1e-30;
  const auto in_double = all_answers(0.0).sets;
  const auto dual = all_answers(Dual(0, 1, 0)).sets;
  const auto complex = all_answers(std::complex<double>(0, h)).sets;
  for (std::size_t k = 0; k < in_double.size(); ++k) {
    BOOST_TEST_CONTEXT(in_double[k].first)
    {
      const auto& truth = in_double[k].second;
      BOOST_TEST(miss(parts(dual[k].second, [](const Dual& x) { return x.value(); }), truth) < 1e-12);
      BOOST_TEST(miss(parts(complex[k].second, [](const auto& x) { return x.real(); }), truth) < 1e-12);
      const auto rate = parts(dual[k].second, [](const Dual& x) { return x.derivatives()(0); });
      BOOST_TEST(miss(rate, parts(complex[k].second, [](const auto& x) { return x.imag() / h; })) < 1e-11);
    }
  }
}

BOOST_AUTO_TEST_CASE(single_precision_gives_the_first_digits_in_every_algorithm)
{
  const auto in_double = all_answers(0.0).sets;
  const auto in_float = all_answers(0.0f).sets;
  for (std::size_t k = 0; k < in_double.size(); ++k)
    BOOST_TEST_CONTEXT(in_double[k].first) BOOST_TEST(miss(in_float[k].second, in_double[k].second) < 1e-4);
}

BOOST_AUTO_TEST_CASE(automatic_differentiation_finds_the_librarys_own_derivative)
{
  const Model<double> model(scalars::tree_of_joints(scalars::all_kinds));
  const scalars::State<double> x(model, 0);
  InverseDynamics<double> rnea(model);
  rnea(x.q, x.qd, x.qdd);
  InverseDynamicsJacobians<double> jacobians(model);
  jacobians(rnea, x.qd, x.qdd);
  const int n = model.nv();
  const VectorX<double> own = jacobians.dtau_dq * scalars::ramp<double>(n, 1.1, 0.6) +
                              jacobians.dtau_dqd * scalars::ramp<double>(n, 2.1, 0.7) +
                              jacobians.dtau_dqdd * scalars::ramp<double>(n, 0.9, 0.8);

  const Model<Dual> dual_model(model);
  const scalars::State<Dual> moved(dual_model, Dual(0, 1, 0));
  const VectorX<Dual> tau = InverseDynamics<Dual>(dual_model)(moved.q, moved.qd, moved.qdd);
  for (int k = 0; k < n; ++k) BOOST_TEST(std::abs(tau(k).derivatives()(0) - own(k)) < 1e-12 * own.norm());
}

BOOST_AUTO_TEST_SUITE_END()
