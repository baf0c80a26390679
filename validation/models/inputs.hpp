/** \file
 *  \brief The numbers of a case, drawn from a seed: what proofs and Python's `random_state` have in common.
 */
#pragma once
#include <cstdint>
#include <articulate/model/mechanism.hpp>
#include <articulate/model/tree.hpp>  // ModelOptions

namespace articulate::validation {

/** \brief The binary64 numbers of one case: all that is drawn, and all that may be moved by one unit in the last place. */
struct Inputs {
  Mechanism mechanism;  ///< its gravity is drawn too: never along an axis
  ModelOptions options;
  std::vector<double> q, qd, qdd, tau;
  std::vector<std::array<double, 6>> link_wrenches;  ///< on each link of the mechanism, in its frame
  std::vector<double> free_numbers;                  ///< in (-1, 1), for what the robot does not supply
  std::uint64_t nudge = 0;                           ///< the seed by which the numbers were moved, 0 if they were not

  /// \brief Draw a case of a mechanism: the same numbers for the same seed on every machine.
  static Inputs draw(const Mechanism& mechanism, const ModelOptions& options, std::uint64_t seed);

  /// \brief The same case with every number, the mechanism's included, moved by one ulp up or down.
  Inputs nudged(std::uint64_t seed) const;
};

}  // namespace articulate::validation
