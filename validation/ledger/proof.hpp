/** \file
 *  \brief Evaluate every identity on a mechanism, in double and in 50 digits, against a tolerance that is derived.
 *
 *  The tolerance is 100 n eps kappa: n the degrees of freedom, eps the rounding unit of the scalar, kappa the measured
 *  growth of a change of all inputs by one unit in the last place, found in 50 digits (zeros stay; kappa is at least 1,
 *  for the result itself is rounded). Where kappa is below 1e3 it is never looser than 1e-11 in double and 1e-44 in 50
 *  digits. Where n eps kappa exceeds 1e-3 a comparison in that precision could not fail, and measures nothing.
 */
#pragma once
#include <functional>
#include <map>
#include <set>
#include <ledger/registry.hpp>

namespace articulate::validation {

/** \brief What a comparison said, from the weakest word to the strongest: of several the last counts.
 *
 *  not_measurable: so ill-conditioned that double could not tell right from wrong, while 50 digits held; missed: a number
 *  that the paper prints is not what we compute.
 */
enum class Verdict { not_measurable, held, missed, failed };

/// \brief How far a tempting wrong form missed, in tolerances of the right one: the most over all states.
struct RivalOutcome {
  std::string name;
  std::vector<std::string> clauses;  ///< that it rivals; none: those that no rival of the identity names
  double missed_by = 0;
  /// Rounding alone, or a change that a state hides, does not come so far.
  static constexpr double enough = 1e9;
  bool misses() const { return missed_by >= enough; }
};

/// \brief What became of one identity on one mechanism, over all states: the figures of the worst group of numbers.
struct Outcome {
  std::string chapter, name, method, symbols;
  std::vector<std::string> keys;
  bool applied = false;  ///< whether there was anything to compare on this mechanism
  bool passed = true;    ///< no clause failed
  double residual_double = 0, tolerance_double = 0, residual_50 = 0, tolerance_50 = 0, kappa = 0;
  std::map<std::string, Verdict> clauses;  ///< of keys, those for which something was compared
  std::vector<RivalOutcome> rivals;
};

/// \brief What became of one erratum: the least residual of the printed form, the worst of the corrected one.
struct ErratumOutcome {
  std::string id;
  std::vector<std::string> keys;
  double margin = 0, printed_residual = 0;
  Outcome corrected;
  bool printed_fails() const { return printed_residual >= margin; }
};

struct Proof {
  std::vector<Outcome> outcomes;
  std::vector<ErratumOutcome> errata;
};

/// \brief 100 n eps kappa under its cap; infinite where n eps kappa exceeds 1e-3 and nothing can be measured.
double tolerance(int n, double eps, double kappa, double cap);

/** \brief Proofs on several states or mechanisms seen as one: the worst figures of each identity, applied where any applied.
 *
 *  An erratum is proved when on every one of them the printed form misses by its margin and the corrected one holds.
 */
Proof combined(const std::vector<Proof>& proofs);

/// \brief Called after each state with the number done and the number to do.
using Progress = std::function<void(int, int)>;

/// \brief What is to be proved.
struct Scope {
  std::set<std::string> chapters;  ///< empty for all
  bool errata = true;              ///< they belong to the built-in models: another robot may hide a slip
};

/** \brief Prove all identities on a mechanism in randomly drawn states, as many at a time as there are processors.
 *  \param states  how many   \param seed  from which they are drawn
 *  \param scope   chapters and errata. Nothing moves, or not all chapters: no errata
 */
Proof prove(const Mechanism& mechanism, const ModelOptions& options, int states, std::uint64_t seed,
            const Progress& progress = {}, const Scope& scope = {});

/// \brief kappa of each group: how far it moved between two cases, over its size and over the rounding unit of double; at
/// least 1.
std::vector<double> growth(const Sides<Fifty>& at, const Sides<Fifty>& moved);

/// \brief The largest number of a group, or its given scale.
template <typename Group>
auto scale_of(const Group& group)
{
  auto scale = group.scale;
  for (const auto* side : {&group.left, &group.right})
    for (const auto& number : *side)
      if (magnitude(number) > scale) scale = magnitude(number);
  return scale;
}

/// \brief The largest difference of each group over its scale.
template <typename Group>
auto residuals(const std::vector<Group>& groups)
{
  using S = std::remove_const_t<decltype(Group::scale)>;
  std::vector<S> worst;
  for (const Group& group : groups) {
    S difference(0);
    for (std::size_t k = 0; k < group.left.size(); ++k) {
      const S gap = magnitude(S(group.left[k] - group.right[k]));
      if (!(gap <= difference)) difference = gap;  // a NaN is the worst of all
    }
    worst.push_back(difference == S(0) ? S(0) : S(difference / scale_of(group)));
  }
  return worst;
}
template <typename S>
std::vector<S> residuals(const Sides<S>& sides)
{
  return residuals(sides.groups());
}

}  // namespace articulate::validation
