/** \file
 *  \brief `verify`: prove every identity on a robot, or on all built-in models, and fill the ledger.
 */
#pragma once
#include "verify_options.hpp"

namespace articulate::cli {

/** \brief Prove, print one line per chapter and a summary, write the ledger as JSON or as a page when asked.
 *  \return the exit code: 0 when nothing failed
 *  \throws Error for a model that cannot be meant
 */
int verify(const VerifyOptions& options);

}  // namespace articulate::cli
