/** \file
 *  \brief Thirteen points that weigh, balance and turn like a link.
 *
 *  The second moment of a link about its centre of mass is written as a sum of squares along six fixed directions, each
 *  carried by a pair of points. The weights may be negative: the sums over the points are the link's all the same, also
 *  where a published inertia is that of no body. Nothing of the library is used but the plain description.
 */
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>
#include <articulate/model/mechanism.hpp>

namespace articulate::witness {

template <class S>
struct PointMass {
  S mass;
  std::array<S, 3> position;  ///< in the link frame
};

/// \brief Points with the mass, the centre of mass and the inertia of a link.
template <class S>
std::vector<PointMass<S>> mass_points(const Link& link)
{
  // The axes of the inertia in the link frame, from the quaternion by the classical table.
  const auto& h = link.inertial_quaternion;
  const S x(h[0]), y(h[1]), z(h[2]), w(h[3]), norm = x * x + y * y + z * z + w * w;
  const S axes[3][3] = {
      {(w * w + x * x - y * y - z * z) / norm, S(2) * (x * y - w * z) / norm, S(2) * (x * z + w * y) / norm},
      {S(2) * (x * y + w * z) / norm, (w * w - x * x + y * y - z * z) / norm, S(2) * (y * z - w * x) / norm},
      {S(2) * (x * z - w * y) / norm, S(2) * (y * z + w * x) / norm, (w * w - x * x - y * y + z * z) / norm}};
  // Second moments: half the trace minus the inertia; a product of inertia is minus the mixed moment.
  const auto& I = link.inertia;
  const S half = (S(I[0]) + S(I[3]) + S(I[5])) / S(2);
  const S xy = -S(I[1]), xz = -S(I[2]), yz = -S(I[4]);
  const S xx = half - S(I[0]), yy = half - S(I[3]), zz = half - S(I[5]);
  // a a^T sums to the second moment for a = e_x, e_y, e_z, e_x + e_y, e_x + e_z, e_y + e_z with these weights.
  const S weight[6] = {xx - xy - xz, yy - xy - yz, zz - xz - yz, xy, xz, yz};
  // At a distance of about the radius of gyration the points weigh about as much as the link. A power of two: it rounds
  // nothing.
  const double largest = std::max({std::abs(I[0]), std::abs(I[3]), std::abs(I[5])});
  const S distance(link.mass > 0 && largest > 0 ? std::ldexp(1, (std::ilogb(largest) - std::ilogb(link.mass)) / 2) : 1);
  const int direction[6][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}, {1, 0, 1}, {0, 1, 1}};

  std::vector<PointMass<S>> points;
  S rest(link.mass);
  for (int k = 0; k < 6; ++k)
    for (const int side : {1, -1}) {
      const S mass = weight[k] / (S(2) * distance * distance);
      PointMass<S> point{mass, {}};
      for (int i = 0; i < 3; ++i) {
        S offset(0);
        for (int j = 0; j < 3; ++j) offset += axes[i][j] * S(side * direction[k][j]);
        offset *= distance;
        point.position[i] = S(link.center_of_mass[i]) + offset;
      }
      points.push_back(point);
      rest -= mass;
    }
  points.push_back({rest, {S(link.center_of_mass[0]), S(link.center_of_mass[1]), S(link.center_of_mass[2])}});
  return points;
}

}  // namespace articulate::witness
