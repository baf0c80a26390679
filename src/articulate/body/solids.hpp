/** \file
 *  \brief Inertias of simple homogeneous solids about their centres, by the integral \eq{kim,20}.
 *
 *  - Chapter: \ref body
 */
#pragma once
#include <articulate/body/inertia.hpp>

namespace articulate {

/// \brief A box with edges a, b, c (m) along x, y, z.
template <typename Scalar>
Inertia<Scalar> solid_box(const Scalar& mass, const Scalar& a, const Scalar& b, const Scalar& c)
{
  const Scalar k = mass / Scalar(12), zero(0);
  return {mass, {}, {k * (b * b + c * c), zero, zero, k * (a * a + c * c), zero, k * (a * a + b * b)}};
}

/// \brief An ellipsoid with semi-axes a, b, c (m) along x, y, z; a sphere when they are equal.
template <typename Scalar>
Inertia<Scalar> solid_ellipsoid(const Scalar& mass, const Scalar& a, const Scalar& b, const Scalar& c)
{
  const Scalar k = mass / Scalar(5), zero(0);
  return {mass, {}, {k * (b * b + c * c), zero, zero, k * (a * a + c * c), zero, k * (a * a + b * b)}};
}

/// \brief A cylinder of the given radius and length (m) about z.
template <typename Scalar>
Inertia<Scalar> solid_cylinder(const Scalar& mass, const Scalar& radius, const Scalar& length)
{
  const Scalar across = mass / Scalar(12) * (Scalar(3) * radius * radius + length * length), zero(0);
  return {mass, {}, {across, zero, zero, across, zero, mass / Scalar(2) * radius * radius}};
}

/// \brief A thin rod of the given length (m) along z.
template <typename Scalar>
Inertia<Scalar> thin_rod(const Scalar& mass, const Scalar& length)
{
  return solid_cylinder(mass, Scalar(0), length);
}

}  // namespace articulate
