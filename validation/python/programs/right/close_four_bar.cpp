// Newton's method on the squared length of the coupler, for the rocker alone; the coupler follows.
#include "course.hpp"

Vector2 close_four_bar(const Vector4& lengths, double q1, const Vector2& guess)
{
  const double a = lengths(0), b = lengths(1), c = lengths(2), d = lengths(3);
  const Vector2 pin = a * Vector2(std::cos(q1), std::sin(q1));
  double q3 = guess(1);
  Vector2 along;
  for (int k = 0; k < 40; ++k) {
    along = Vector2(d, 0) + c * Vector2(std::cos(q3), std::sin(q3)) - pin;
    const Vector2 moves = c * Vector2(-std::sin(q3), std::cos(q3));
    q3 -= (along.squaredNorm() - b * b) / (2 * along.dot(moves));
  }
  along = Vector2(d, 0) + c * Vector2(std::cos(q3), std::sin(q3)) - pin;
  const double q2 = std::atan2(along(1), along(0)) - q1, round = 2 * std::acos(-1.0);
  return {q2 + round * std::round((guess(0) - q2) / round), q3};
}
