/** \file
 *  \brief What the families of Coriolis matrices are called.
 *
 *  - Chapter: \ref skew_symmetry
 */
#pragma once
#include <articulate/model/error.hpp>
#include <articulate/skew_symmetry/coriolis_matrix.hpp>
#include <string>
#include <utility>
#include <vector>

namespace articulate {

inline const std::vector<std::pair<std::string, CoriolisFamily>> coriolis_families{
    {"newton_euler", CoriolisFamily::newton_euler},
    {"ploen", CoriolisFamily::ploen},
    {"bracket", CoriolisFamily::bracket},
    {"momentum", CoriolisFamily::momentum},
    {"christoffel", CoriolisFamily::christoffel}};

/// \brief The family of a name.   \throws Error naming those that there are
inline CoriolisFamily coriolis_family(const std::string& name)
{
  std::string known;
  for (const auto& [one, family] : coriolis_families) {
    if (one == name) return family;
    known += (known.empty() ? "" : ", ") + one;
  }
  throw Error("'" + name + "' is no family of Coriolis matrices; there are " + known + ".");
}

}  // namespace articulate
