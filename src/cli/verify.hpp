/** \file
 *  \brief `verify`: prove every identity on a robot, or on all built-in models, and fill the ledger.
 */
#pragma once
#include <cstdint>
#include "load.hpp"

namespace articulate::cli {

struct VerifyOptions {
  ModelChoice choice;  ///< without a model: all built-in ones
  int states = 10;
  std::uint64_t seed = 1;
  std::string json;     ///< path, or empty
  std::string html;     ///< path, or empty
  bool strict = false;  ///< open rows count as failures
};

/** \brief Prove, print one line per chapter and a summary, write the ledger as JSON or as a page when asked.
 *  \return the exit code: 0 when nothing failed
 *  \throws Error for a model that cannot be meant
 */
int verify(const VerifyOptions& options);

}  // namespace articulate::cli
