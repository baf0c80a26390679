/** \file
 *  \brief `check --laws`: an engine is asked in many drawn cases whether its answers keep the laws of laws.hpp.
 */
#pragma once
#include "check.hpp"

namespace articulate::cli {

/// \brief Which laws are asked of whom.
struct LawOptions {
  ModelChoice choice;             ///< whose model is empty if machines are to be drawn, too
  std::string engine;             ///< a command, see words_of()
  std::vector<std::string> only;  ///< laws, quantities, or both; of either all if none is named
  std::int64_t draws = 100;       ///< of each law
  std::uint64_t seed = 1;
  EngineLimits limits;
  std::string json;  ///< where the report goes; empty for nowhere
};

/** \brief Ask, and print a line for each law.
 *  \return 0 if those that can be asked hold, 1 if one does not or none can be asked
 *  \throws Error for bad input, in one sentence
 */
int check_laws(const LawOptions& options);

}  // namespace articulate::cli
