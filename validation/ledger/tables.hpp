/** \file
 *  \brief The tables of this folder, as text inside the program.
 */
#pragma once
#include <string>

namespace articulate::validation {

/// \brief The text of a table such as `kim.tsv`, null if there was none when the program was built.
const char* table_text(const std::string& name);

}  // namespace articulate::validation
