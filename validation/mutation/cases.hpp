/** \file
 *  \brief The cases on which broken sources are judged, which never change.
 */
#pragma once
#include <models/models.hpp>

namespace articulate::validation {

inline constexpr int states = 2;

struct Case {
  std::string name;
  Mechanism mechanism;
  bool floating_base;
};

/// All kinds of joint in all places: a free one at the base, between two moving bodies, and on a link of the world.
inline std::vector<Case> cases()
{
  std::vector<Case> list;
  for (const char* name :
       {"park_2r", "screw_arm", "cart_pendulum", "forked_arm", "mixed_tree", "tree:2x2", "hydraulic_manipulator"})
    list.push_back({name, built_in_model(name), false});
  list.push_back({"drone_arm on a free base", built_in_model("drone_arm"), true});
  list.push_back({"aerial_manipulator", built_in_model("aerial_manipulator"), true});
  list.push_back({"a random tree", random_tree(1, 6, false), false});
  list.push_back({"a random tree on a free joint", random_tree(2, 3, true), false});
  list.push_back({"a random tree on a free joint on a free base", random_tree(3, 3, true), true});
  return list;
}

}  // namespace articulate::validation
