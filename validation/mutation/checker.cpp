/** \file
 *  \brief Does the registry still hold? A quick judge of broken sources, in double alone.
 *
 *  Runs every identity, and the corrected form of every erratum, on a few mechanisms in a few states that never change.
 *  Prints the first that fails and exits 1; prints how many comparisons held and exits 0. An exception or a number that
 *  is not finite is a failure too. With --gaps it prints what the rows of its chapters still miss: see gaps().
 *
 *  `verify` derives a tolerance for each comparison from its condition, measured in 50 digits. Here there are none, and
 *  none are needed: on these cases, all of moderate condition, sound sources err by less than a tenth of the
 *  bound of the chapter, and a wrong sign or a missing term changes a result by a part that is seen at a glance.
 */
#include <cstdio>
#include <cstring>
#include <set>
#include <ledger/ledger.hpp>
#include <ledger/registry.hpp>
#include <mutation/cases.hpp>

namespace articulate::validation {

extern const double bound;  // of the chapter, in bound.cpp

namespace {

class Checker {
public:
  int comparisons = 0;
  double largest = 0;

  /// Whether all groups of a comparison agree; says so if not.
  bool holds(const std::string& name, const Case& on, int state, const Sides<double>& sides)
  {
    const std::vector<double> all = residuals(sides);
    for (std::size_t g = 0; g < all.size(); ++g) {
      if (sides.groups()[g].within > 0) continue;  // a rounded print may be missed by sound sources
      const double residual = all[g];
      ++comparisons;
      if (!(residual <= bound)) {
        std::printf("%s: residual %.1e on %s, state %d\n", name.c_str(), residual, on.name.c_str(), state);
        return false;
      }
      largest = std::max(largest, residual);
    }
    return true;
  }
};

bool check(Checker& checker)
{
  const auto& registry = Registry<double>::instance();
  for (const Case& on : cases())
    for (int state = 0; state < states; ++state) {
      std::string doing = "the state of the robot";
      try {
        const Specimen<double> specimen(Inputs::draw(on.mechanism, {on.floating_base}, state));
        for (const auto& [chapter, identity] : registry.identities) {
          doing = identity.name;
          if (identity.applies(specimen.model) && !checker.holds(doing, on, state, identity.sides.of(specimen)))
            return false;
        }
        for (const auto& erratum : registry.errata) {
          doing = "the corrected form of " + erratum.id;
          if (!checker.holds(doing, on, state, erratum.corrected.of(specimen))) return false;
        }
      } catch (const std::exception& refusal) {
        std::printf("%s: %s\n", doing.c_str(), refusal.what());
        return false;
      }
    }
  return true;
}

/// What is compared and what rivals there are, in double on the cases of the checker: quicker than a proof, and no proof.
Proof seen_in_double()
{
  constexpr double right_form_holds_to = 1e-13;
  const auto& registry = Registry<double>::instance();
  Proof proof;
  for (const auto& [chapter, identity] : registry.identities)
    proof.outcomes.push_back({chapter, identity.name, identity.method, identity.symbols, identity.keys});
  for (const Case& on : cases())
    for (int state = 0; state < states; ++state) {
      const Specimen<double> specimen(Inputs::draw(on.mechanism, {on.floating_base}, state));
      for (std::size_t k = 0; k < proof.outcomes.size(); ++k) {
        const auto& identity = registry.identities[k].identity;
        if (!identity.applies(specimen.model)) continue;
        const Sides<double> sides = identity.sides.of(specimen);
        for (const auto& group : sides.groups())
          for (const std::string& clause : sides.clauses_of(group, identity.keys))
            proof.outcomes[k].note(clause, Verdict::held);
        proof.outcomes[k].applied = proof.outcomes[k].applied || !sides.groups().empty();
        proof.outcomes[k].note_rivals(sides, std::vector<double>(sides.groups().size(), right_form_holds_to));
      }
    }
  return proof;
}

int print_gaps()
{
  const Proof proof = seen_in_double();
  std::set<std::string> chapters;
  for (const Outcome& outcome : proof.outcomes) chapters.insert(outcome.chapter);
  for (const std::string& gap : gaps(ledger_rows(), proof, chapters)) std::printf("%s\n", gap.c_str());
  return 0;
}

}  // namespace
}  // namespace articulate::validation

int main(int argc, char** argv)
{
  if (argc == 2 && std::strcmp(argv[1], "--gaps") == 0) return articulate::validation::print_gaps();
  articulate::validation::Checker checker;
  if (!articulate::validation::check(checker)) return 1;
  std::printf("%d comparisons hold, the worst by %.1e.\n", checker.comparisons, checker.largest);
}
