/** \file
 *  \brief Every identity and every erratum on every built-in model, on random trees and on the shared robots; and
 *  the ledger's own order.
 */
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <limits>
#include <map>
#include <set>
#include <articulate/model/urdf.hpp>
#include <ledger/ledger.hpp>
#include <ledger/long_robots.hpp>
#include <ledger/proof.hpp>
#include <ledger/random_rounding.hpp>
#include <models/models.hpp>

using namespace articulate;
using namespace articulate::validation;
namespace data = boost::unit_test::data;

namespace {

std::vector<std::string> model_names()
{
  std::vector<std::string> names;
  for (const BuiltIn& entry : built_in_models()) names.push_back(entry.name);
  return names;
}

void require_all(const Proof& proof)
{
  for (const Outcome& o : proof.outcomes)
    BOOST_TEST(o.passed, o.name << ": residual " << o.residual_double << " of at most " << o.tolerance_double
                                << " in double, " << o.residual_50 << " of at most " << o.tolerance_50
                                << " in 50 digits, kappa " << o.kappa);
  for (const ErratumOutcome& e : proof.errata) {
    BOOST_TEST(e.corrected.passed, e.id << " corrected: residual " << e.corrected.residual_double);
    BOOST_TEST(e.printed_fails(), e.id << " printed: residual " << e.printed_residual << " is below the margin");
  }
}

std::vector<std::string> shared_robots()
{
  const char* folder = std::getenv("ARTICULATE_ROBOTS");
  std::vector<std::string> files;
  if (folder && std::filesystem::is_directory(folder))
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      if (entry.path().extension() == ".urdf") files.push_back(entry.path().string());
  if (files.empty()) {
    std::cout << "SKIPPED 1 test: there are no shared robots in ARTICULATE_ROBOTS\n";
    files.push_back("");
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(proofs)

BOOST_DATA_TEST_CASE(every_identity_holds_and_every_printed_slip_fails_on, data::make(model_names()), name)
{
  for (const BuiltIn& entry : built_in_models())
    if (entry.name == name)
      require_all(
          prove(built_in_model(name), {.floating_base = entry.floating_base}, 1, 1, {}, {.every_kappa = false}));
}

/// The growth of the largest numbers of a result when all inputs move by one unit in the last place, at least 1.
double growth(const VectorX<Fifty>& at, const VectorX<Fifty>& moved)
{
  const Fifty change = (at - moved).cwiseAbs().maxCoeff() / at.cwiseAbs().maxCoeff();
  return std::max(1.0, static_cast<double>(change) / unit_roundoff<double>());
}

/// Witnesses (b) and (c) in double, where they are too slow for 50 digits, with a kappa that the library measures.
void require_witnesses(const Mechanism& mechanism, const ModelOptions& options, std::uint64_t seed)
{
  const Inputs inputs = Inputs::draw(mechanism, options, seed);
  const Specimen<double> x(inputs);
  const Specimen<Fifty> at(inputs), moved(inputs.nudged(seed));
  const double unit = 100 * x.model.nv() * unit_roundoff<double>();
  const double tau = x.inverse_tau.cwiseAbs().maxCoeff(), qdd = x.forward_qdd.cwiseAbs().maxCoeff();
  BOOST_TEST((x.inverse_tau - x.lagrange_tau()).cwiseAbs().maxCoeff() <=
             unit * growth(at.inverse_tau, moved.inverse_tau) * tau);
  BOOST_TEST((x.forward_qdd - x.maximal_qdd()).cwiseAbs().maxCoeff() <=
             unit * growth(at.witness_qdd(), moved.witness_qdd()) * qdd);
}

BOOST_DATA_TEST_CASE(all_witnesses_agree_on_the_large_model, data::make(model_names()), name)
{
  for (const BuiltIn& entry : built_in_models()) {
    const Model<double> model(built_in_model(entry.name), {.floating_base = entry.floating_base});
    if (entry.name != name || is_small(model)) continue;
    for (const std::uint64_t seed : {11, 12})
      require_witnesses(model.mechanism(), {.floating_base = entry.floating_base}, seed);
  }
  BOOST_TEST(!name.empty());
}

bool long_tests()
{
  const char* said = std::getenv("ARTICULATE_LONG_TESTS");
  return said && std::string(said) == "ON";
}

/// All chapters, or those of the dynamics on which all else is built.
std::set<std::string> chapters(bool all)
{
  return all ? std::set<std::string>{} : std::set<std::string>{"group", "body", "model", "rnea", "aba"};
}

// Every random tree has the first chapters proved on it, a fourth of them all; of the shared robots the half. In the
// long run all have all.

BOOST_DATA_TEST_CASE(every_identity_holds_on_the_random_tree, data::xrange(200), seed)
{
  const int joints = 1 + seed % 10;
  const bool inner_free_joint = seed % 4 == 1, floating_base = seed % 4 == 3;
  const Mechanism tree = random_tree(1000 + seed, joints, inner_free_joint);
  const bool whole = seed / 10 % 4 == 0 || long_tests();
  require_all(prove(tree, {.floating_base = floating_base}, 1, 77 + seed, {},
                    {.chapters = chapters(whole), .errata = false, .every_kappa = false}));
  if (!is_small(Model<double>(tree, {.floating_base = floating_base})))
    require_witnesses(tree, {.floating_base = floating_base}, 77 + seed);
}

constexpr char on_a_free_base[] = " on a free base";

/// Each shared robot, fixed or on a free base in turn; in the long run both.
std::vector<std::string> shared_robots_on_bases()
{
  std::vector<std::string> cases;
  bool floating = false;
  for (const std::string& file : shared_robots()) {
    if (!floating || long_tests()) cases.push_back(file);
    if (!file.empty() && (floating || long_tests())) cases.push_back(file + on_a_free_base);
    floating = !floating;
  }
  return cases;
}

BOOST_DATA_TEST_CASE(every_identity_holds_on_the_shared_robot, data::make(shared_robots_on_bases()), name)
{
  if (name.empty()) {
    BOOST_TEST(true);
    return;
  }
  const std::vector<std::string> all = shared_robots_on_bases();
  const auto place = std::find(all.begin(), all.end(), name) - all.begin();
  const bool floating = name.ends_with(on_a_free_base), whole = place / 2 % 2 == 0 || long_tests();
  const std::string file = floating ? name.substr(0, name.size() - std::strlen(on_a_free_base)) : name;
  // On a free base iCub's 'base_link' counts, and its six moments of 1e-6 belong to no body.
  const bool unphysical = floating && std::filesystem::path(file).stem() == "icub_reduced";
  require_all(prove(read_urdf(file), {floating, unphysical}, 1, 5, {},
                    {.chapters = chapters(whole), .errata = false, .every_kappa = false}));
}

BOOST_AUTO_TEST_CASE(the_ledger_holds_every_numbered_equation_once)
{
  const auto rows = ledger_rows();
  BOOST_TEST(rows.size() == 516);
  std::set<std::string> keys;
  for (const validation::Row& row : rows) {
    BOOST_TEST(keys.insert(row.key).second, row.key << " stands twice");
    BOOST_TEST(row.key.substr(0, row.key.find(':')) == row.paper);
  }
  for (const ErratumRow& erratum : errata_rows())
    for (const std::string& key : erratum.keys) BOOST_TEST(keys.count(key) == 1, erratum.id << " names " << key);
}

BOOST_AUTO_TEST_CASE(the_registry_names_only_clauses_and_errata_that_exist)
{
  std::set<std::string> keys, ids, names;
  for (const validation::Row& row : ledger_rows())
    for (const Clause& clause : row.clauses) keys.insert(clause.key);
  for (const ErratumRow& erratum : errata_rows()) ids.insert(erratum.id);
  const auto& in_double = Registry<double>::instance();
  const auto& in_fifty = Registry<Fifty>::instance();
  BOOST_TEST(in_double.identities.size() == in_fifty.identities.size());
  for (std::size_t k = 0; k < in_double.identities.size(); ++k) {
    const auto& identity = in_double.identities[k].identity;
    BOOST_TEST(identity.name == in_fifty.identities[k].identity.name);
    BOOST_TEST(names.insert(identity.name).second, identity.name << " is registered twice");
    BOOST_TEST(!identity.symbols.empty());
    for (const std::string& key : identity.keys) BOOST_TEST(keys.count(key) == 1, identity.name << " names " << key);
  }
  for (const auto& erratum : in_double.errata) BOOST_TEST(ids.count(erratum.id) == 1, erratum.id);
}

/// Whether a row has the word that it claims; a published number may be missed, and then the row says so.
void require_word(const validation::Row& row, const Proof& proof)
{
  const std::map<Claim, std::set<Status>> words{{Claim::statement, {Status::verified}},
                                                {Claim::definition, {Status::definition}},
                                                {Claim::setting, {Status::setting}},
                                                {Claim::published, {Status::reproduced, Status::not_reproduced}},
                                                {Claim::lost, {Status::unrecoverable}}};
  BOOST_TEST(words.at(row.claim).count(status_of(row, proof)) == 1,
             row.key << ", a " << name(row.claim) << ", is " << name(status_of(row, proof)));
}

BOOST_AUTO_TEST_CASE(the_rows_of_the_first_chapters_have_earned_their_word)
{
  const Proof proof = combined({prove(built_in_model("forked_arm"), {}, 1, 3),
                                prove(built_in_model("aerial_manipulator"), {.floating_base = true}, 1, 3)});
  std::vector<std::string> expected{"kim:L1", "kim:L2", "kim:L3", "kim:C1", "kim:C2", "kim:S_i", "kim:fn6"};
  for (int k = 1; k <= 92; ++k)
    if (k <= 53 || k >= 81) expected.push_back("kim:" + std::to_string(k));
  for (int k = 1; k <= 7; ++k) expected.push_back("kim:T" + std::to_string(k));
  const auto all = [&](const std::string& paper, int first, int last) {
    for (int k = first; k <= last; ++k) expected.push_back(paper + ":" + std::to_string(k));
  };
  all("park", 1, 83), all("ploen", 1, 38), all("ma", 1, 35);
  all("ali", 1, 23), all("ali", 27, 40), all("ali", 44, 70);
  for (const char* key : {"park:D1", "park:D2", "park:P1", "park:P2", "park:I_i", "park:ex2R"}) expected.push_back(key);
  for (const char* key : {"ploen:G", "ploen:P1", "ploen:P2"}) expected.push_back(key);
  for (const char* key : {"A1", "A2", "A3", "A4", "P1", "L1", "L2", "F1", "F3", "F4", "T2", "T3", "T4", "T5"})
    expected.push_back(std::string("ali:") + key);
  for (const validation::Row& row : ledger_rows())
    if (std::find(expected.begin(), expected.end(), row.key) != expected.end()) require_word(row, proof);
}

BOOST_AUTO_TEST_CASE(the_rows_of_mechanisms_have_their_statuses_on_the_manipulator)
{
  const Proof proof = prove(built_in_model("hydraulic_manipulator"), {}, 1, 3, {}, {.chapters = {"mechanisms"}});
  const std::map<std::string, Status> others{
      {"ma:60", Status::unrecoverable},  {"ma:N1", Status::reproduced},     {"ma:N2", Status::not_reproduced},
      {"ma:N3", Status::reproduced},     {"ma:N4", Status::not_reproduced}, {"ma:N5", Status::not_reproduced},
      {"ma:N6", Status::unrecoverable},  {"ma:N7", Status::not_reproduced}, {"ma:N8", Status::reproduced},
      {"ma:N9", Status::not_reproduced}, {"ma:N10", Status::reproduced}};
  for (const validation::Row& row : ledger_rows())
    if (row.chapter == "mechanisms") {
      const Status status = status_of(row, proof);
      BOOST_TEST((status == (others.count(row.key) ? others.at(row.key) : Status::verified)),
                 row.key << " is " << name(status));
    }
}

BOOST_AUTO_TEST_CASE(the_tolerance_is_derived_and_capped)
{
  BOOST_TEST(tolerance(6, 1e-16, 1, 1e-11) == 100 * 6 * 1e-16);
  BOOST_TEST(tolerance(6, 1e-16, 999, 1e-11) == 1e-11);
  BOOST_TEST(tolerance(6, 1e-16, 1e6, 1e-11) == 100 * 6 * 1e-16 * 1e6);
}

BOOST_AUTO_TEST_CASE(where_kappa_leaves_no_digit_nothing_is_measured)
{
  BOOST_TEST(std::isfinite(tolerance(10, 1e-16, 0.9e12, 1e-11)));
  BOOST_TEST(std::isinf(tolerance(10, 1e-16, 1.1e12, 1e-11)));
  BOOST_TEST(std::isinf(tolerance(1, 1e-16, std::nan(""), 1e-11)));
}

BOOST_AUTO_TEST_CASE(every_column_is_asked_of_robots_of_sixty_rates_and_not_of_longer_ones)
{
  const auto is_asked = [](int links) {
    const Proof proof = prove(planar_arm(links), {}, 1, 1, {}, {.chapters = {"model"}, .errata = false});
    const std::string columns = "the_columns_of_the_jacobians_are_the_motions_by_one_rate_alone";
    return std::ranges::find(proof.outcomes, columns, &Outcome::name)->applied;
  };
  BOOST_TEST(is_asked(most_rates_in_full));
  BOOST_TEST(!is_asked(most_rates_in_full + 1));
}

BOOST_AUTO_TEST_CASE(a_case_is_moved_twice_and_again_while_a_comparison_fails)
{
  const auto asked = [&](const auto& is_enough) {
    std::uint64_t moves = 0;
    std::vector<double> largest;
    const auto growth = [&](std::uint64_t k) {
      BOOST_TEST(k == moves++);
      return std::vector<double>{k == 1 ? 10. : k == 6 ? 2000. : 6.};
    };
    measure_growth(1, growth, largest, [&] { return is_enough(largest.at(0)); });
    return std::pair(moves, largest.at(0));
  };
  BOOST_TEST((asked([](double) { return true; }) == std::pair<std::uint64_t, double>(2, 10)));
  BOOST_TEST((asked([](double kappa) { return kappa > 100; }) == std::pair<std::uint64_t, double>(7, 2000)));
  BOOST_TEST((asked([](double) { return false; }) == std::pair<std::uint64_t, double>(16, 2000)));
}

BOOST_AUTO_TEST_CASE(kappa_is_measured_where_a_comparison_does_not_hold_with_one)
{
  // A base 1 km away, where much cancels.
  Mechanism away = planar_arm(3);
  away.joints.front().position = {1000, -1000, 0};
  const Proof whole = prove(away, {}, 2, 4, {}, {.errata = false});
  const Proof quick = prove(away, {}, 2, 4, {}, {.errata = false, .every_kappa = false});
  int spared = 0, measured = 0;
  for (std::size_t k = 0; k < whole.outcomes.size(); ++k) {
    const Outcome &all = whole.outcomes[k], &some = quick.outcomes[k];
    BOOST_TEST(all.passed, all.name);
    BOOST_TEST(some.passed, some.name << ": " << some.residual_double << " of at most " << some.tolerance_double);
    BOOST_TEST(some.applied == all.applied, all.name);
    spared += some.applied && some.kappa == 1 && all.kappa > 1;
    measured += some.kappa > 1;
  }
  BOOST_TEST(spared > 100);
  BOOST_TEST(measured > 0);
}

BOOST_AUTO_TEST_CASE(growth_is_told_in_units_of_what_was_moved)
{
  Sides<Fifty> at, moved;
  at.add(Fifty(2), Fifty(2)), at.add(Fifty(1), Fifty(1));
  moved.add(Fifty(2) + Fifty(12) * unit_roundoff<double>(), Fifty(2)), moved.add(Fifty(1), Fifty(1));
  BOOST_TEST((growth(at, moved) == std::vector<double>{6, 1}));
  BOOST_TEST((growth(at, moved, 2 * unit_roundoff<double>()) == std::vector<double>{3, 1}));
}

BOOST_AUTO_TEST_CASE(random_rounding_takes_either_neighbour_and_leaves_what_is_exact)
{
  const Fifty third = Fifty(1) / Fifty(3), unit = ldexp(Fifty(1), -2 - 168 + 1);  // of numbers between 1/4 and 1/2
  int above = 0, below = 0;
  {
    const RandomRounding rounding(7);
    for (int k = 0; k < 100; ++k) {
      const Fifty drawn = Fifty(1) / Fifty(3);
      BOOST_TEST((Fifty(3) / Fifty(4) == Fifty(0.75)));
      above += drawn > third, below += drawn < third;
      BOOST_TEST((drawn == third || abs(drawn - third) == unit));
    }
  }
  BOOST_TEST((above == 0) != (below == 0));  // the nearest is one of the two
  BOOST_TEST(above + below > 30);
  BOOST_TEST(above + below < 70);
  BOOST_TEST((Fifty(1) / Fifty(3) == third));
}

/// A row of two clauses, and what an identity of theirs may say.
struct TwoClauses {
  validation::Row row{"p:1",
                      "p",
                      "1",
                      "result",
                      Claim::statement,
                      "a = b, c = d",
                      "group",
                      "-",
                      "legible",
                      "-",
                      {},
                      {{"p:1/ab", ""}, {"p:1/cd", ""}}};
  Proof proof;

  TwoClauses()
  {
    proof.outcomes.push_back({"group", "a_is_b_and_c_is_d", "cross-check", "Ad", {"p:1/ab", "p:1/cd"}});
    proof.outcomes[0].applied = true;
    proof.outcomes[0].note("p:1/ab", Verdict::held);
  }
  Status status() const { return status_of(row, proof); }
};

BOOST_FIXTURE_TEST_CASE(a_row_is_verified_only_when_each_of_its_clauses_is, TwoClauses)
{
  BOOST_TEST((status() == Status::not_applicable));
  proof.outcomes[0].note("p:1/cd", Verdict::not_measurable);
  BOOST_TEST((status() == Status::not_measurable));
  proof.outcomes[0].note("p:1/cd", Verdict::held);
  BOOST_TEST((status() == Status::verified));
  proof.outcomes[0].note("p:1/cd", Verdict::missed);
  BOOST_TEST((status() == Status::not_reproduced));
  proof.outcomes[0].note("p:1/cd", Verdict::failed);
  proof.outcomes[0].note("p:1/cd", Verdict::held);
  BOOST_TEST((status() == Status::failed));
  proof.outcomes[0].keys.pop_back(), proof.outcomes[0].clauses.erase("p:1/cd");
  BOOST_TEST((status() == Status::open));
}

BOOST_FIXTURE_TEST_CASE(what_a_row_claims_decides_its_word, TwoClauses)
{
  proof.outcomes[0].note("p:1/cd", Verdict::held);
  for (const auto& [claim, word] : {std::pair{Claim::setting, Status::setting},
                                    {Claim::published, Status::reproduced},
                                    {Claim::definition, Status::definition},
                                    {Claim::lost, Status::unrecoverable}}) {
    row.claim = claim;
    BOOST_TEST((status() == word), name(claim));
  }
}

BOOST_FIXTURE_TEST_CASE(a_clause_without_a_rival_that_misses_is_a_gap, TwoClauses)
{
  const auto said = [&](const std::string& part) {
    const auto all = gaps({row}, proof);
    return std::any_of(all.begin(), all.end(), [&](const auto& gap) { return gap.find(part) != std::string::npos; });
  };
  BOOST_TEST(said("p:1/ab: no rival of it misses"));
  BOOST_TEST(said("p:1/cd: its identities compare nothing for it"));
  BOOST_TEST(said("'a_is_b_and_c_is_d' has no rival"));
  proof.outcomes[0].note("p:1/cd", Verdict::held);
  proof.outcomes[0].note({"the sign", {"p:1/ab"}, 1e8});
  BOOST_TEST(said("misses by no more than"));
  BOOST_TEST(said("p:1/ab: no rival of it misses"));
  proof.outcomes[0].note({"the sign", {"p:1/ab"}, 1e10});
  BOOST_TEST(!said("p:1/ab"));
  BOOST_TEST(said("p:1/cd: no rival of it misses"));
  proof.outcomes[0].note({"the order", {}, 1e12});
  BOOST_TEST(gaps({row}, proof).empty());
  proof.outcomes[0].keys.push_back("p:2");
  BOOST_TEST(said("names p:2, which is no clause"));
}

BOOST_AUTO_TEST_CASE(fifty_digits_know_zeros_and_infinities_as_double_does)
{
  const double infinity = std::numeric_limits<double>::infinity(), none = std::numeric_limits<double>::quiet_NaN();
  const auto same = [](const Fifty& fifty, double expected) {
    const auto number = static_cast<double>(fifty);
    return std::isnan(expected) ? std::isnan(number)
                                : number == expected && std::signbit(number) == std::signbit(expected);
  };
  for (const double x : {0.0, -0.0, 1.5, -1.5, infinity, -infinity, none})
    for (const double y : {0.0, -0.0, 1.5, -1.5, infinity, -infinity, none}) {
      BOOST_TEST_INFO(x << " and " << y);
      BOOST_TEST((same(Fifty(x) + Fifty(y), x + y) && same(Fifty(x) - Fifty(y), x - y) &&
                  same(Fifty(x) * Fifty(y), x * y) && same(Fifty(x) / Fifty(y), x / y)));
      Fifty sum(x), difference(x), product(x);
      sum += Fifty(y), difference -= Fifty(y), product *= Fifty(y);
      BOOST_TEST((same(sum, x + y) && same(difference, x - y) && same(product, x * y)));
    }
  BOOST_TEST(same(Fifty(0), 0.0));
}

BOOST_AUTO_TEST_CASE(a_group_proves_its_own_clause_or_all_that_no_group_names)
{
  const std::vector<std::string> keys{"p:1/ab", "p:1/cd", "q:7"};
  Sides<double> sides;
  sides.add(1.0, 1.0);
  sides.clause("p:1/cd");
  sides.add(2.0, 2.0);
  sides.rival("doubled", [](auto& wrong) { wrong.add(2.0, 4.0); });
  BOOST_TEST((sides.clauses_of(sides.groups()[0], keys) == std::vector<std::string>{"p:1/ab", "q:7"}));
  BOOST_TEST((sides.clauses_of(sides.groups()[1], keys) == std::vector<std::string>{"p:1/cd"}));
  BOOST_TEST(sides.rivals().at(0).clauses.at(0) == "p:1/cd");
  BOOST_TEST(residuals(sides.rivals()[0].groups).at(0) == 0.5);
  Sides<double> outer;
  outer.clause({"q:7", "p:1/ab"});
  outer.append(sides);
  BOOST_TEST((outer.groups()[0].clauses == std::vector<std::string>{"q:7", "p:1/ab"}));
  BOOST_TEST((outer.groups()[1].clauses == std::vector<std::string>{"p:1/cd"}));
}

BOOST_AUTO_TEST_CASE(a_rival_is_measured_in_the_tolerance_of_what_stands_before_it)
{
  Sides<double> sides;
  sides.add(1.0, 1.0);
  sides.rival("doubled", [](auto& wrong) { wrong.add(2.0, 4.0); });
  sides.add(3.0, 3.0);
  Outcome alone, behind;
  alone.note_rivals(sides, {0x1p-40, 0x1p-10});
  BOOST_TEST(alone.rivals.at(0).missed_by == 0x1p39);
  Sides<double> outer;
  outer.add(0.0, 0.0);
  outer.append(sides);
  behind.note_rivals(outer, {0x1p-30, 0x1p-40, 0x1p-10});
  BOOST_TEST(behind.rivals.at(0).missed_by == 0x1p29);
  Sides<double> first;
  first.rival("doubled", [](auto& wrong) { wrong.add(2.0, 4.0); });
  first.add(1.0, 1.0);
  Outcome of_all;
  of_all.note_rivals(first, {0x1p-20});
  BOOST_TEST(of_all.rivals.at(0).missed_by == 0x1p19);
}

BOOST_AUTO_TEST_CASE(a_printed_number_is_met_within_the_rounding_of_its_print)
{
  Sides<double> sides;
  sides.add_printed(16.84, 16.8, 0.05);
  BOOST_TEST(sides.groups()[0].within == 0.05);
  BOOST_TEST(residuals(sides)[0] * scale_of(sides.groups()[0]) <= 0.05);
}

BOOST_AUTO_TEST_CASE(what_is_counted_or_printed_has_no_condition_and_a_wrong_count_is_a_residual)
{
  Sides<double> sides;
  sides.add_counts(3, 3);
  sides.add_counts(3, 4);
  sides.add_printed(16.84, 16.8, 0.05);
  sides.add(1.0, 1.0);
  const auto& groups = sides.groups();
  BOOST_TEST((!groups[0].has_condition() && !groups[1].has_condition() && !groups[2].has_condition()));
  BOOST_TEST(groups[3].has_condition());
  BOOST_TEST(residuals(sides)[0] == 0.0);
  BOOST_TEST(residuals(sides)[1] == 0.25);
}

BOOST_AUTO_TEST_CASE(a_nan_or_a_wrong_side_is_a_residual)
{
  Sides<double> sides;
  sides.add(1.0, std::nan(""));
  sides.add(1.0, 1.5);
  sides.add(0.0, 0.0);
  const auto r = residuals(sides);
  BOOST_TEST(!(r[0] <= 1e300));
  BOOST_TEST(r[1] == 0.5 / 1.5);
  BOOST_TEST(r[2] == 0.0);
}

BOOST_AUTO_TEST_SUITE_END()
