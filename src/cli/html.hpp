/** \file
 *  \brief The ledger as one page to look at: what `verify --html` writes.
 */
#pragma once
#include <string>
#include "output.hpp"  // Json

namespace articulate::cli {

/** \brief A page without scripts and without anything from elsewhere.
 *  \param ledger what `verify --json` writes
 */
std::string html_page(const Json& ledger);

}  // namespace articulate::cli
