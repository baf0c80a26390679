/** \file
 *  \brief Stops as a person describes them: ends of a joint's range, and planes that points do not pass; plain numbers.
 *
 *  - Chapter: \ref motion
 */
#pragma once
#include <cmath>
#include <limits>
#include <variant>
#include <articulate/model/mechanism.hpp>
#include <articulate/motion/force_element.hpp>  // Attachment

namespace articulate {

/// \brief The ends of the range of one degree of a joint.
struct JointStop {
  std::string name, joint;
  int degree = 0;                                           ///< which of the joint's coordinates, from 0
  double lower = -std::numeric_limits<double>::infinity();  ///< rad, m; infinite for none
  double upper = std::numeric_limits<double>::infinity();   ///< the same
  double restitution = 0;                                   ///< from 0, plastic, to 1, elastic
};

/// \brief A plane in one link, or in the world, that a point of another link does not pass; without friction.
struct PlaneStop {
  std::string name;
  Attachment point;                       ///< stays on the side of the normal
  Attachment plane;                       ///< any point of the plane
  std::array<double, 3> normal{0, 0, 1};  ///< in the axes of the plane's link; any length but zero
  double restitution = 0;                 ///< from 0, plastic, to 1, elastic
};

/// \brief Anything that a motion can run into.
using Stop = std::variant<JointStop, PlaneStop>;

/// \brief What the stop is called.
inline const std::string& name_of(const Stop& stop)
{
  return std::visit([](const auto& one) -> const std::string& { return one.name; }, stop);
}

/** \brief Stops at the limits that a description gives to its joints, each called after its joint.
 *  \param restitution  of all of them
 */
inline std::vector<Stop> joint_stops(const Mechanism& mechanism, double restitution)
{
  std::vector<Stop> stops;
  for (const Joint& joint : mechanism.joints)
    if (has_axis(joint.type) && (std::isfinite(joint.lower) || std::isfinite(joint.upper)))
      stops.push_back(JointStop{joint.name, joint.name, 0, joint.lower, joint.upper, restitution});
  return stops;
}

}  // namespace articulate
