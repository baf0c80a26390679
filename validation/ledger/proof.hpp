/** \file
 *  \brief Evaluate every identity on a mechanism, in double and in 50 digits, against a tolerance that is derived.
 *
 *  The tolerance is 100 n eps kappa: n the degrees of freedom, eps the rounding unit of the scalar, kappa the measured
 *  growth of a change of all inputs by one unit in the last place, found in 50 digits (zeros stay; kappa is at least 1,
 *  for the result itself is rounded). Where kappa is below 1e3 it is
 *  never looser than 1e-11 in double and 1e-44 in 50 digits.
 */
#pragma once
#include <functional>
#include <set>
#include <ledger/registry.hpp>

namespace articulate::validation {

/// \brief What became of one identity on one mechanism, over all states: the figures of the worst group of numbers.
struct Outcome {
  std::string chapter, name, method, symbols;
  std::vector<std::string> keys;
  bool applied = false;  ///< whether there was anything to compare on this mechanism
  bool passed = true;
  double residual_double = 0, tolerance_double = 0, residual_50 = 0, tolerance_50 = 0, kappa = 0;
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

/// \brief 100 n eps kappa under its cap.
double tolerance(int n, double eps, double kappa, double cap);

/** \brief Proofs on several states or mechanisms seen as one: the worst figures of each identity, applied where any applied.
 *
 *  An erratum is proved when on every one of them the printed form misses by its margin and the corrected one holds.
 */
Proof combined(const std::vector<Proof>& proofs);

/// \brief Called after each state with the number done and the number to do.
using Progress = std::function<void(int, int)>;

/** \brief Prove all identities on a mechanism in randomly drawn states, as many at a time as there are processors.
 *  \param states  how many   \param seed  from which they are drawn
 *  \param only    chapters: their identities alone, and no errata; empty for all. Nothing moves: no errata either
 */
Proof prove(const Mechanism& mechanism, const ModelOptions& options, int states, std::uint64_t seed,
            const Progress& progress = {}, const std::set<std::string>& only = {});

/// \brief kappa of each group: how far it moved between two cases, over its size and over the rounding unit of double; at
/// least 1.
std::vector<double> growth(const Sides<Fifty>& at, const Sides<Fifty>& moved);

/// \brief Worst residual of a comparison, group by group.
template <typename S>
std::vector<S> residuals(const Sides<S>& sides)
{
  std::vector<S> worst;
  for (const auto& group : sides.groups()) {
    S difference(0), scale = group.scale;
    for (std::size_t k = 0; k < group.left.size(); ++k) {
      const S left = magnitude(group.left[k]), right = magnitude(group.right[k]);
      const S gap = magnitude(S(group.left[k] - group.right[k]));
      if (!(gap <= difference)) difference = gap;  // a NaN is the worst of all
      if (left > scale) scale = left;
      if (right > scale) scale = right;
    }
    worst.push_back(difference == S(0) ? S(0) : S(difference / scale));
  }
  return worst;
}

}  // namespace articulate::validation
