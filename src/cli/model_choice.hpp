/** \file
 *  \brief Which model, as the options say it.
 */
#pragma once
#include <algorithm>
#include <string>
#include <vector>
#include <articulate/motion/force_element.hpp>  // JointDynamics, JointFriction

namespace articulate::cli {

/// \brief The model as the user names it.
struct ModelChoice {
  std::string model;               ///< a URDF or MJCF file, - for standard input, or the name of a built-in model
  bool floating_base = false;      ///< free the root link; a built-in model may ask for it by itself
  bool accept_unphysical = false;  ///< warn of an impossible inertia instead of refusing it
  std::vector<std::string> with;   ///< which of the joints' own damping, friction, armature and mimics are used
  double friction_width = JointFriction{}.width;  ///< of their Coulomb friction, rad/s or m/s

  JointDynamics dynamics() const
  {
    const auto has = [this](const char* what) { return std::find(with.begin(), with.end(), what) != with.end(); };
    return {has("damping"), has("friction"), has("armature"), has("mimic")};
  }
};

}  // namespace articulate::cli
