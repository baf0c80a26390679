/** \file
 *  \brief Closed forms of planar linkages: a triangle, and two bars between two pins.
 *
 *  - Paper: Ma et al. 2021, section 5.2, \eq{ma,65} to \eq{ma,80}.
 *  - Chapter: \ref mechanisms
 */
#pragma once
#include <articulate/group/scalar.hpp>
#include <articulate/model/error.hpp>

namespace articulate::planar {

/// \brief A point or a direction of the plane in which a linkage moves (m).
template <typename S>
struct Point {
  S x, y;
};

template <typename S>
Point<S> operator+(const Point<S>& a, const Point<S>& b)
{
  return {a.x + b.x, a.y + b.y};
}
template <typename S>
Point<S> operator-(const Point<S>& a, const Point<S>& b)
{
  return {a.x - b.x, a.y - b.y};
}
template <typename S>
Point<S> operator*(const S& s, const Point<S>& a)
{
  return {s * a.x, s * a.y};
}

/// \brief \f$a\times b\f$, of which only the part normal to the plane is left.
template <typename S>
S cross(const Point<S>& a, const Point<S>& b)
{
  return a.x * b.y - a.y * b.x;
}

/// \brief The distance from the origin.
template <typename S>
S length(const Point<S>& a)
{
  using std::sqrt;
  return sqrt(S(a.x * a.x + a.y * a.y));
}

/// \brief The direction of a point seen from the origin, from \f$-\pi\f$ to \f$\pi\f$ (rad).
template <typename S>
S direction(const Point<S>& a)
{
  const S r = length(a);
  // Half the angle at the rim; of its two forms the one that does not cancel.
  if (comparable(a.x) > 0) return S(2) * arc_tangent(S(a.y / (r + a.x)));
  const S half = S(2) * arc_tangent(S((r - a.x) / magnitude(a.y)));
  return comparable(a.y) < 0 ? S(-half) : half;
}

/// \brief A point turned about the origin.
template <typename S>
Point<S> turned(const Point<S>& a, const S& angle)
{
  using std::cos, std::sin;
  const S c = cos(angle), s = sin(angle);
  return {c * a.x - s * a.y, s * a.x + c * a.y};
}

// [two-bars]
/** \brief Where a bar on pin N and a bar on pin M meet.
 *  \param side  +1 if the pin is to the left of the way from N to M, -1 if to the right
 *  \throws StateError where they do not
 */
template <typename S>
Point<S> pin_of_two_bars(const Point<S>& N, const S& bar_N, const Point<S>& M, const S& bar_M, int side)
{
  using std::sqrt;
  const Point<S> way = M - N;
  const S d = length(way);
  const S along = (d * d + bar_N * bar_N - bar_M * bar_M) / (S(2) * d);
  const S square = (bar_N - along) * (bar_N + along);
  if (!(comparable(square) >= 0))
    throw StateError(
        "two bars do not meet: their pins are farther apart than both are long, or nearer than their difference; "
        "choose a pose in which the linkage closes.");
  const S across = S(side) * sqrt(square);
  return N + S(S(1) / d) * (along * way + across * Point<S>{-way.y, way.x});
}
// [two-bars]

}  // namespace articulate::planar
