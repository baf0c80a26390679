/** \file
 *  \brief The laws of force elements, apart from any mechanism: force, potential, and how the force changes.
 *
 *  - Chapter: \ref motion
 */
#pragma once
#include <algorithm>
#include <articulate/group/vector3.hpp>
#include <articulate/motion/force_element.hpp>

namespace articulate {

/// \brief \f$|a|\f$, by its square, without conjugation.
template <typename Scalar>
Scalar norm(const Vector3<Scalar>& a)
{
  using std::sqrt;
  return sqrt(inner(a, a));
}

/** \brief A spring and a damper in line.
 *
 *  With the vector d from the first end to the second, its length L and its direction n, the force on the second end is
 *  \f$f = -(k(L - L_0) + c\dot L)n = -kd + sn\f$, where \f$s = kL_0 - cn^{\mathsf T}\dot d\f$; a spring of no length at
 *  rest, without a damper, needs no direction.
 */
template <typename Scalar>
struct SpringLaw {
  Scalar k, c, L0;
  bool has_direction;

  explicit SpringLaw(const SpringDamper& spring)
      : k(spring.stiffness),
        c(spring.damping),
        L0(spring.rest_length),
        has_direction(spring.rest_length != 0 || spring.damping != 0)
  {
  }

  // [spring]
  Vector3<Scalar> force(const Vector3<Scalar>& d, const Vector3<Scalar>& ddot) const
  {
    if (!has_direction) return -k * d;
    const Vector3<Scalar> n = Scalar(1) / norm(d) * d;
    return -k * d + (k * L0 - c * inner(n, ddot)) * n;
  }

  Scalar potential(const Vector3<Scalar>& d) const
  {
    if (!has_direction) return k / Scalar(2) * inner(d, d);
    const Scalar stretch = norm(d) - L0;
    return k / Scalar(2) * stretch * stretch;
  }

  /// What the damper supplies (W), which is not positive: \f$-c\dot L^2\f$.
  Scalar supplied(const Vector3<Scalar>& d, const Vector3<Scalar>& ddot) const
  {
    if (!has_direction) return Scalar(0);
    const Scalar Ldot = inner(d, ddot) / norm(d);
    return -c * Ldot * Ldot;
  }

  /// How the force changes with d and its rate.
  Vector3<Scalar> derivative(const Vector3<Scalar>& d, const Vector3<Scalar>& ddot, const Vector3<Scalar>& delta_d,
                             const Vector3<Scalar>& delta_ddot) const
  {
    if (!has_direction) return -k * delta_d;
    const Scalar L = norm(d);
    const Vector3<Scalar> n = Scalar(1) / L * d;
    const Vector3<Scalar> delta_n = Scalar(1) / L * (delta_d - inner(n, delta_d) * n);
    const Scalar s = k * L0 - c * inner(n, ddot), delta_s = -c * (inner(delta_n, ddot) + inner(n, delta_ddot));
    return -k * delta_d + delta_s * n + s * delta_n;
  }
  // [spring]
};

/// \brief Spring, damper and friction of one degree: a force of its coordinate x and of its rate v.
template <typename Scalar>
struct JointLaw {
  Scalar k{0}, c{0}, x0{0}, coulomb{0}, width{0};
  bool is_spring, slides;

  explicit JointLaw(const JointSpring& spring)
      : k(spring.stiffness), c(spring.damping), x0(spring.rest), is_spring(spring.stiffness != 0), slides(false)
  {
  }
  explicit JointLaw(const JointFriction& friction)
      : c(friction.viscous),
        coulomb(friction.coulomb),
        width(friction.width),
        is_spring(false),
        slides(friction.coulomb != 0)
  {
  }

  // [joint-law]
  /// What stands against the motion, and how it changes with the rate.
  Scalar loss(const Scalar& v) const { return slides ? -c * v - coulomb * v / smoothed(v) : -c * v; }
  Scalar loss_by_rate(const Scalar& v) const
  {
    if (!slides) return -c;
    const Scalar root = smoothed(v);
    return -c - coulomb * width * width / (root * root * root);
  }
  Scalar pull(const Scalar& x) const { return -k * (x - x0); }
  Scalar potential(const Scalar& x) const { return k / Scalar(2) * (x - x0) * (x - x0); }
  Scalar smoothed(const Scalar& v) const
  {
    using std::sqrt;
    return sqrt(v * v + width * width);
  }
  // [joint-law]
};

/// \brief The gravity of a point: the force on a mass m at the place r, seen from it.
template <typename Scalar>
struct FieldLaw {
  Scalar strength;

  // [field]
  Vector3<Scalar> force(const Scalar& m, const Vector3<Scalar>& r) const
  {
    const Scalar R = norm(r);
    return -strength * m / (R * R * R) * r;
  }
  Scalar potential(const Scalar& m, const Vector3<Scalar>& r) const { return -strength * m / norm(r); }
  Vector3<Scalar> derivative(const Scalar& m, const Vector3<Scalar>& r, const Vector3<Scalar>& delta_r) const
  {
    const Scalar R = norm(r);
    return -strength * m / (R * R * R) * (delta_r - Scalar(3) * inner(r, delta_r) / (R * R) * r);
  }
  // [field]
};

/// \brief The numbers of a table at a time.
template <typename Scalar, std::size_t n>
std::array<Scalar, n> value_at(const TimeTable<n>& table, const Scalar& t)
{
  const auto later = [](const auto& time, double entry) { return time < entry; };
  const auto next = std::upper_bound(table.times.begin(), table.times.end(), comparable(t), later);
  std::array<Scalar, n> x;
  if (next == table.times.begin() || next == table.times.end()) {
    const auto& held = next == table.times.end() ? table.values.back() : table.values.front();
    std::copy(held.begin(), held.end(), x.begin());
    return x;
  }
  const std::size_t k = static_cast<std::size_t>(next - table.times.begin());
  const Scalar before(table.times[k - 1]), part = (t - before) / (Scalar(table.times[k]) - before);
  for (std::size_t i = 0; i < n; ++i) {
    const Scalar from(table.values[k - 1][i]);
    x[i] = from + part * (Scalar(table.values[k][i]) - from);
  }
  return x;
}

}  // namespace articulate
