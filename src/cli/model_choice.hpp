/** \file
 *  \brief Which model, as the options say it.
 */
#pragma once
#include <string>

namespace articulate::cli {

/// \brief The model as the user names it.
struct ModelChoice {
  std::string model;               ///< a URDF file or the name of a built-in model
  bool floating_base = false;      ///< free the root link; a built-in model may ask for it by itself
  bool accept_unphysical = false;  ///< warn of an impossible inertia instead of refusing it
};

}  // namespace articulate::cli
