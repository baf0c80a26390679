/** \file
 *  \brief Rotations in the tables are written as quaternions of round numbers and any length.
 */
#pragma once
#include <array>
#include <cmath>

namespace articulate::validation {

/// \brief The unit quaternion in the direction of q.
inline std::array<double, 4> unit(const std::array<double, 4>& q)
{
  const double length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  return {q[0] / length, q[1] / length, q[2] / length, q[3] / length};
}

}  // namespace articulate::validation
