/** \file
 *  \brief The multiplications that chapter 08 states, counted.
 */
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <articulate/derivatives/hybrid_derivative.hpp>
#include <articulate/derivatives/hybrid_jacobians.hpp>
#include <articulate/derivatives/inverse_derivative.hpp>
#include <articulate/derivatives/jacobians.hpp>
#include <higher_order/counted.hpp>
#include <models/models.hpp>

using namespace articulate;
using articulate::validation::built_in_model;
using articulate::validation::count;
using articulate::validation::Counted;
using articulate::validation::some_coordinates;

namespace {

using Vector = VectorX<Counted>;

/// What is told of one model.
struct Counts {
  long inverse, forward;                      ///< a run
  long table_five, table_six, table_seven;    ///< one direction, after a run
  long inverse_jacobians, forward_jacobians;  ///< all of them; the second with its run
};

Counts count_all(const std::string& name, bool floating_base)
{
  const Model<Counted> model(Model<double>(built_in_model(name), {.floating_base = floating_base}));
  const int n = model.nv();
  const Vector q = some_coordinates(model), x = Vector::Ones(n);
  InverseDynamics<Counted> rnea(model);
  ForwardDynamics<Counted> aba(model);
  HybridDynamics<Counted> prescribed(model, std::vector<bool>(n, true));
  InverseDynamicsDerivative<Counted> five(model);
  HybridDynamicsDerivative<Counted> seven(model);
  InverseDynamicsJacobians<Counted> inverse(model);
  HybridDynamicsJacobians<Counted> forward(model);
  Seeds<Counted> along_q(model);
  Counts c{};
  c.inverse = count([&] { rnea(q, x, x); });
  c.forward = count([&] { aba(q, x, x); });
  prescribed(q, x, x, x);
  for (const Body<Counted>& body : model.outward())
    for (int k = body.v; k < body.v + body.nv; ++k) Parameter::coordinate(k).add_to<Counted>(along_q, rnea, x);
  c.table_five = count([&] { five(rnea, x, x, along_q); });
  c.table_six = count([&] { seven(aba, x, x, along_q); });
  c.table_seven = count([&] { seven(prescribed, x, x, along_q); });
  c.inverse_jacobians = count([&] { inverse(rnea, x, x); });
  c.forward_jacobians = count([&] {
    const Vector qdd = aba(q, x, x);
    forward(aba, q, x, qdd);
  });
  return c;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(derivative_counts)

BOOST_AUTO_TEST_CASE(derivatives_of_a_chain_take_what_the_chapter_states)
{
  for (const long n : {2, 3, 10, 20}) {
    const Counts c = count_all("planar_arm:" + std::to_string(n), false);
    BOOST_TEST_CONTEXT(n << " bodies")
    {
      BOOST_TEST(c.inverse == 169 * n);
      BOOST_TEST(c.forward == 476 * n - 255 + n);  // the last of them are divisions
      BOOST_TEST(c.table_five == 392 * n);
      BOOST_TEST(c.table_six == 1155 * n - 728);
      BOOST_TEST(c.table_seven == 991 * n - 600);
      BOOST_TEST(c.inverse_jacobians == 18 * n * n + 499 * n + 60);
    }
  }
}

BOOST_AUTO_TEST_CASE(jacobians_of_robots_take_what_the_chapter_states)
{
  const Counts ur5 = count_all("ur5", false), humanoid = count_all("humanoid", true);
  BOOST_TEST(ur5.inverse_jacobians == 3702);
  BOOST_TEST(ur5.forward_jacobians == 7899);
  BOOST_TEST(humanoid.inverse_jacobians == 28595);
  BOOST_TEST(humanoid.forward_jacobians == 116866);
  const auto in_runs = [](long all, long run) {
    return std::round(10.0 * static_cast<double>(all) / static_cast<double>(run)) / 10;
  };
  BOOST_TEST(in_runs(ur5.inverse + ur5.inverse_jacobians, ur5.inverse) == 4.7);
  BOOST_TEST(in_runs(humanoid.inverse + humanoid.inverse_jacobians, humanoid.inverse) == 6.6);
  BOOST_TEST(in_runs(ur5.forward_jacobians, ur5.forward) == 3.0);
  BOOST_TEST(in_runs(humanoid.forward_jacobians, humanoid.forward) == 8.0);
}

BOOST_AUTO_TEST_SUITE_END()
