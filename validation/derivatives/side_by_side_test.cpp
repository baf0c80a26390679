/** \file
 *  \brief Several degrees of freedom at once and one by one, compiled with the registers of four doubles that other tests
 *  do without.
 *
 *  A long double is never put beside another, so that it takes the same formulas one by one, and with more digits.
 */
#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <boost/test/unit_test.hpp>
#include <articulate/derivatives/hybrid_jacobians.hpp>
#include <models/models.hpp>

using namespace articulate;
using articulate::validation::built_in_model;

namespace {

template <typename Scalar>
struct State {
  VectorX<Scalar> q, qd, qdd, tau;
};

/// All matrices of a state: of inverse dynamics, and of forward or hybrid dynamics.
template <typename Scalar>
std::array<MatrixX<Scalar>, 6> all_jacobians(const Model<Scalar>& model, const std::vector<bool>& prescribed,
                                             const State<Scalar>& s)
{
  const auto inverse = inverse_dynamics_jacobians<Scalar>(model, s.q, s.qd, s.qdd);
  if (model.joint_that_moves_no_mass()) return {inverse.by_q, inverse.by_qd, inverse.by_given, {}, {}, {}};
  const auto hybrid = hybrid_dynamics_jacobians<Scalar>(model, prescribed, s.q, s.qd, s.qdd, s.tau);
  return {inverse.by_q, inverse.by_qd, inverse.by_given, hybrid.by_q, hybrid.by_qd, hybrid.by_given};
}

template <typename Scalar>
double largest(const MatrixX<Scalar>& x)
{
  return x.size() == 0 ? 0 : static_cast<double>(x.cwiseAbs().maxCoeff());
}

/// The inputs, each a little more or less: by 2^-30 of itself, where neither truncation nor the digits of a long double matter.
State<long double> moved(State<long double> s, unsigned seed)
{
  std::mt19937_64 engine(seed);
  for (auto* x : {&s.q, &s.qd, &s.qdd, &s.tau})
    for (long double& entry : *x) entry *= 1 + (engine() >> 63 ? 0x1p-30L : -0x1p-30L);
  return s;
}

void compare(const Model<double>& model, const std::vector<bool>& prescribed, unsigned seed)
{
  std::mt19937_64 engine(seed);
  std::uniform_real_distribution<double> number(-1, 1);
  const auto draw = [&](int n) {
    return VectorX<double>(VectorX<double>::NullaryExpr(n, [&] { return number(engine); }));
  };
  const State<double> s{draw(model.nq()), draw(model.nv()), draw(model.nv()), draw(model.nv())};
  const Model<long double> precise(model);
  const State<long double> same{s.q.cast<long double>(), s.qd.cast<long double>(), s.qdd.cast<long double>(),
                                s.tau.cast<long double>()};
  const auto several = all_jacobians(model, prescribed, s);
  const auto one_by_one = all_jacobians(precise, prescribed, same);
  std::array<double, 6> kappa{1, 1, 1, 1, 1, 1};
  for (unsigned move = 1; move <= 4; ++move) {
    const auto then = all_jacobians(precise, prescribed, moved(same, move));
    for (std::size_t k = 0; k < kappa.size(); ++k)
      kappa[k] = std::max(kappa[k], largest<long double>(then[k] - one_by_one[k]) / largest(one_by_one[k]) * 0x1p30);
  }
  for (std::size_t k = 0; k < kappa.size(); ++k) {
    const double size = largest(one_by_one[k]),
                 difference = largest<long double>(several[k].cast<long double>() - one_by_one[k]);
    BOOST_TEST(difference <= 100 * model.nv() * 0x1p-52 * kappa[k] * size,
               "matrix " << k << " is off by " << difference << " of " << size << ", kappa " << kappa[k]);
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(side_by_side)

BOOST_AUTO_TEST_CASE(jacobians_of_several_degrees_at_once_are_those_of_one_by_one)
{
  for (const auto& built_in : validation::built_in_models())
    for (const bool floating : {false, true}) {
      const Model<double> model(built_in_model(built_in.name), {.floating_base = floating});
      BOOST_TEST_CONTEXT(built_in.name << (floating ? " floating" : " as it stands"))
      {
        std::vector<bool> prescribed(model.nv());
        compare(model, prescribed, 1);
        for (int k = 0; k < model.nv(); ++k) prescribed[k] = k % 3 == 1;
        compare(model, prescribed, 2);
        prescribed.flip();
        compare(model, prescribed, 3);
      }
    }
}

BOOST_AUTO_TEST_CASE(chains_of_every_length_fill_their_lanes_in_every_way)
{
  for (int n = 1; n <= 18; ++n)
    for (const bool floating : {false, true}) {
      const Model<double> model(built_in_model("planar_arm:" + std::to_string(n)), {.floating_base = floating});
      BOOST_TEST_CONTEXT(n << (floating ? " bodies, floating" : " bodies"))
      compare(model, std::vector<bool>(model.nv()), 4);
    }
}

BOOST_AUTO_TEST_CASE(what_is_set_is_read_and_nothing_beside_it_changes)
{
  SideBySide<Twist, double> list(6);
  BOOST_TEST(list.size() == (6 + SeveralOf<double>::count - 1) / SeveralOf<double>::count);
  const auto twist = [](int k) {
    return Twist<double>{{1. + 10 * k, 2. + 10 * k, 3. + 10 * k}, {4. + 10 * k, 5. + 10 * k, 6. + 10 * k}};
  };
  for (int k = 0; k < 6; ++k) list.set(k, twist(k));
  list.add(2, 5);
  for (int k = 0; k < 6; ++k) {
    const Twist<double> right = k == 2 ? twist(2) + twist(5) : twist(k);
    BOOST_TEST((coordinates(list(k)) == coordinates(right)), k);
    const Twist<Several<double>>& lanes = list[k / 4];
    BOOST_TEST(SeveralOf<double>::lane(lanes.v[1], k % 4) == right.v[1]);
  }
}

BOOST_AUTO_TEST_CASE(lanes_are_chosen_and_blocks_transposed)
{
  using At = SeveralOf<double>;
  for (int first = -5; first <= 5; ++first) {
    const Several<double> unit = At::unit(first);
    for (int l = 0; l < 4; ++l) BOOST_TEST(At::lane(unit, l) == (l == first));
    for (int end = first; end <= 6; ++end) {
      const Several<double> between = At::between(first, end);
      for (int l = 0; l < 4; ++l) BOOST_TEST(At::lane(between, l) == (first <= l && l < end));
    }
  }
  const MatrixX<double> A = MatrixX<double>::NullaryExpr(5, 7, [](auto j, auto k) { return 1. + j + 10. * k; });
  MatrixX<double> B = MatrixX<double>::Zero(7, 5);
  At::transpose(&A(0, 1), A.rows(), &B(1, 0), B.rows());  // columns of A, which are the rows of a block
  MatrixX<double> right = MatrixX<double>::Zero(7, 5);
  right.block<4, 4>(1, 0) = A.block<4, 4>(0, 1).transpose();
  BOOST_TEST((B == right));
  MatrixX<double> places = MatrixX<double>::Zero(3, 4);
  At::scatter(At::from(&A(0, 2)), &places(1, 0), 3);
  BOOST_TEST((places.row(1) == A.col(2).head(4).transpose()));
  BOOST_TEST(places.cwiseAbs().sum() == A.col(2).head(4).sum());
}

BOOST_AUTO_TEST_SUITE_END()
