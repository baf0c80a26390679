/** \file
 *  \brief What became of identities and errata when they were evaluated.
 */
#pragma once
#include <map>
#include <string>
#include <vector>
#include <ledger/sides.hpp>

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
  std::map<std::string, Verdict> clauses{};  ///< of keys, those for which something was compared
  std::vector<RivalOutcome> rivals{};

  /// \brief Keep the last word on a clause.
  void note(const std::string& clause, Verdict verdict);
  /** \brief Keep how far each rival of a comparison missed, in tolerances of the right form.
   *  \param tolerances  of each group; the widest counts of those before the rival that prove what it denies, or of all
   *                     that do where none stands before it
   */
  void note_rivals(const Sides<double>& sides, const std::vector<double>& tolerances);
  void note(const RivalOutcome& rival);
  /// \brief How near it is to failing: above 1 it fails, a number that is none is beyond all others.
  double nearness() const;
  /// \brief Take over the figures of the worse of two outcomes, and what either says of clauses and rivals.
  void join(const Outcome& other);
};

/// \brief How near a residual is to failing.
double nearness(double residual_double, double tolerance_double, double residual_50, double tolerance_50);

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

/** \brief Proofs on several states or mechanisms seen as one: the worst figures of each identity, applied where any applied.
 *
 *  An erratum is proved when on every one of them the printed form misses by its margin and the corrected one holds.
 */
Proof combined(const std::vector<Proof>& proofs);

}  // namespace articulate::validation
