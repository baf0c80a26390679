/** \file
 *  \brief The URDF files of this folder, as text inside the program.
 */
#pragma once
#include <string>

namespace articulate::validation {

/// \brief The text of the file `name`.urdf of this folder, empty if there was none when the program was built.
std::string urdf_text(const std::string& name);

}  // namespace articulate::validation
