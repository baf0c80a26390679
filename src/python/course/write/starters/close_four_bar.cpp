// Close a four-bar linkage: the angles of coupler (to the crank) and rocker (to the x axis), from a guess.
#include "course.hpp"

Vector2 close_four_bar(const Vector4& lengths, double q1, const Vector2& guess)
{
  const double a = lengths(0), b = lengths(1), c = lengths(2), d = lengths(3);
  Vector2 q = Vector2::Zero();
  // The gap between the tips, its derivatives with respect to both angles, and a step; again, until it is closed.
  return q;
}
