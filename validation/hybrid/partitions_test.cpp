/** \file
 *  \brief Hybrid dynamics with a hundred partitions of a tree with joints of one, two and three degrees.
 */
#include <boost/test/unit_test.hpp>
#include <ledger/proof.hpp>
#include <models/models.hpp>

using namespace articulate;
using namespace articulate::validation;

BOOST_AUTO_TEST_SUITE(partitions)

BOOST_AUTO_TEST_CASE(hybrid_dynamics_holds_for_a_hundred_partitions)
{
  const Mechanism tree = built_in_model("mixed_tree");
  const Proof proof = prove(tree, {}, 100, 9, {}, {.chapters = {"hybrid"}});
  int applied = 0;
  for (const Outcome& o : proof.outcomes) {
    applied += o.applied;
    BOOST_TEST(o.passed, o.name << ": residual " << o.residual_double << " of at most " << o.tolerance_double
                                << " in double, " << o.residual_50 << " of at most " << o.tolerance_50
                                << " in 50 digits, kappa " << o.kappa);
  }
  BOOST_TEST(applied == 8);
}

BOOST_AUTO_TEST_SUITE_END()
