/** \file
 *  \brief Evaluate every identity on a mechanism, in double and in 50 digits, against a tolerance that is derived.
 *
 *  The tolerance is 100 n eps kappa: n the degrees of freedom, eps the rounding unit of the scalar, kappa the measured
 *  growth, found in 50 digits, of a change of all inputs by one unit in the last place of a double (zeros stay) and of the
 *  rounding of every step up or down; at least 1, for the result itself is rounded. It is the largest over all ways to do
 *  either; a random one comes near it as a rule, so that each is done once, and seven times more before a comparison is said
 *  to fail. What is small enough for kappa = 1 is so for any. Where kappa is below 1e3 it is never looser than 1e-11 in double and
 *  1e-44 in 50 digits. Where n eps kappa exceeds 1e-3 a comparison in that precision could not fail, and measures nothing.
 */
#pragma once
#include <functional>
#include <set>
#include <ledger/outcome.hpp>
#include <ledger/registry.hpp>

namespace articulate::validation {

/// \brief 100 n eps kappa under its cap; infinite where n eps kappa exceeds 1e-3 and nothing can be measured.
double tolerance(int n, double eps, double kappa, double cap);

/// \brief Called after each state with the number done and the number to do.
using Progress = std::function<void(int, int)>;

/// \brief What is to be proved.
struct Scope {
  std::set<std::string> chapters;  ///< empty for all
  bool errata = true;              ///< they belong to the built-in models: another robot may hide a slip
  bool every_kappa = true;         ///< measure kappa also where a comparison holds with kappa = 1
};

/** \brief Prove all identities on a mechanism in randomly drawn states, as many at a time as there are processors.
 *  \param states  how many   \param seed  from which they are drawn
 *  \param scope   chapters and errata. Nothing moves, or not all chapters: no errata
 */
Proof prove(const Mechanism& mechanism, const ModelOptions& options, int states, std::uint64_t seed,
            const Progress& progress = {}, const Scope& scope = {});

/// \brief kappa of each group: how far it moved between two cases, over its size and over the unit by which inputs or steps
/// were moved; at least 1.
std::vector<double> growth(const Sides<Fifty>& at, const Sides<Fifty>& moved, double unit = unit_roundoff<double>());

/// \brief How often a case is moved at random, inputs and steps in turn: as a rule, and before a comparison is said to fail.
constexpr std::uint64_t least_moves = 2, most_moves = 16;

/** \brief The largest growth of each group over several moves.
 *  \param groups     how many there are
 *  \param growth     of each group in the k-th move
 *  \param largest    the result, as far as it is known whenever is_enough is asked
 *  \param is_enough  asked after the first two moves, and after each of the others
 */
void measure_growth(std::size_t groups, const std::function<std::vector<double>(std::uint64_t k)>& growth,
                    std::vector<double>& largest, const std::function<bool()>& is_enough);

}  // namespace articulate::validation
