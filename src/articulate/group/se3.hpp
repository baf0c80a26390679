/** \file
 *  \brief Poses, twists and wrenches: SE(3), se(3), its dual, and the four actions between them.
 *
 *  - Papers: Kim 2012, sections 1.1, 1.2 and 1.4, \eq{kim,3} to \eq{kim,13} and \eq{kim,26} to \eq{kim,29};
 *    Park 1995, section 2, \eq{park,1} to \eq{park,17}.
 *  - Chapter: \ref group
 *  - A twist is (w, v), a wrench (m, f): angular part first. They are different types: a twist moves by `Ad`, a wrench
 *    by `coAd`, and the wrong one does not compile.
 */
#pragma once
#include <articulate/group/so3.hpp>

namespace articulate {

/// \brief A pose (R, p): rotation and origin of one frame seen from another \eq{kim,3}. Metres.
template <typename Scalar>
struct SE3 {
  SO3<Scalar> R;
  Vector3<Scalar> p;

  /// \brief The same numbers in another scalar.
  template <typename Other>
  explicit operator SE3<Other>() const
  {
    return {SO3<Other>(Matrix3<Other>(R.matrix)), Vector3<Other>(p)};
  }
  friend SE3 operator*(const SE3& a, const SE3& b) { return {a.R * b.R, a.R * b.p + a.p}; }
  /// \brief The coordinates in the outer frame of a point given in the inner one.
  friend Vector3<Scalar> operator*(const SE3& a, const Vector3<Scalar>& r) { return a.R * r + a.p; }
};

/// \brief \f$T^{-1} = (R^{\mathsf T}, -R^{\mathsf T}p)\f$ \eq{kim,4}.
template <typename Scalar>
inline SE3<Scalar> inverse(const SE3<Scalar>& T)
{
  const SO3<Scalar> Rt = inverse(T.R);
  return {Rt, -(Rt * T.p)};
}

/// \brief An element (w, v) of se(3): angular velocity (rad/s), velocity of the frame's origin (m/s) \eq{kim,10}.
template <typename Scalar>
struct Twist {
  Vector3<Scalar> w, v;

  /// \brief The same numbers in another scalar.
  template <typename Other>
  explicit operator Twist<Other>() const
  {
    return {Vector3<Other>(w), Vector3<Other>(v)};
  }

  Twist& operator+=(const Twist& b)
  {
    w += b.w;
    v += b.v;
    return *this;
  }
  friend Twist operator+(const Twist& a, const Twist& b) { return {a.w + b.w, a.v + b.v}; }
  friend Twist operator-(const Twist& a, const Twist& b) { return {a.w - b.w, a.v - b.v}; }
  friend Twist operator-(const Twist& a) { return {-a.w, -a.v}; }
  friend Twist operator*(const Scalar& s, const Twist& a) { return {s * a.w, s * a.v}; }
};

/// \brief An element (m, f) of se(3)*: moment about the frame's origin (N m), force (N) \eq{kim,12}; or a momentum.
template <typename Scalar>
struct Wrench {
  Vector3<Scalar> m, f;

  /// \brief The same numbers in another scalar.
  template <typename Other>
  explicit operator Wrench<Other>() const
  {
    return {Vector3<Other>(m), Vector3<Other>(f)};
  }

  Wrench& operator+=(const Wrench& b)
  {
    m += b.m;
    f += b.f;
    return *this;
  }
  friend Wrench operator+(const Wrench& a, const Wrench& b) { return {a.m + b.m, a.f + b.f}; }
  friend Wrench operator-(const Wrench& a, const Wrench& b) { return {a.m - b.m, a.f - b.f}; }
  friend Wrench operator-(const Wrench& a) { return {-a.m, -a.f}; }
  friend Wrench operator*(const Scalar& s, const Wrench& a) { return {s * a.m, s * a.f}; }
};

/// \brief The wrench of a force f (N) that acts at the point r (m): its moment about the origin is r x f \eq{kim,12}.
template <typename Scalar>
inline Wrench<Scalar> wrench_of_force(const Vector3<Scalar>& r, const Vector3<Scalar>& f)
{
  return {cross(r, f), f};
}

/// \brief The power \f$F^{\mathsf T}V\f$ (W) of a wrench on a twist: the pairing of the two spaces.
template <typename Scalar>
inline Scalar pairing(const Wrench<Scalar>& F, const Twist<Scalar>& V)
{
  return inner(F.m, V.w) + inner(F.f, V.v);
}

// [adjoints]
/// \brief \f$\Ad_T V\f$: the twist seen from the frame in which T is given \eq{kim,7}.
template <typename Scalar>
inline Twist<Scalar> Ad(const SE3<Scalar>& T, const Twist<Scalar>& V)
{
  const Vector3<Scalar> w = T.R * V.w;
  return {w, cross(T.p, w) + T.R * V.v};
}

/// \brief \f$\Ad_{T^{-1}} V\f$ \eq{kim,11}.
template <typename Scalar>
inline Twist<Scalar> AdInv(const SE3<Scalar>& T, const Twist<Scalar>& V)
{
  const SO3<Scalar> Rt = inverse(T.R);
  return {Rt * V.w, Rt * (V.v - cross(T.p, V.w))};
}

/// \brief \f$\Ad^*_T F = \Ad_T^{\mathsf T} F\f$ \eq{kim,8}, \eq{kim,13}.
template <typename Scalar>
inline Wrench<Scalar> coAd(const SE3<Scalar>& T, const Wrench<Scalar>& F)
{
  const SO3<Scalar> Rt = inverse(T.R);
  return {Rt * (F.m - cross(T.p, F.f)), Rt * F.f};
}

/// \brief \f$\Ad^*_{T^{-1}} F\f$: a wrench of the inner frame seen from the outer one.
template <typename Scalar>
inline Wrench<Scalar> coAdInv(const SE3<Scalar>& T, const Wrench<Scalar>& F)
{
  const Vector3<Scalar> f = T.R * F.f;
  return {T.R * F.m + cross(T.p, f), f};
}

/// \brief \f$\ad_V X = [V, X]\f$, the Lie bracket \eq{kim,27}.
template <typename Scalar>
inline Twist<Scalar> ad(const Twist<Scalar>& V, const Twist<Scalar>& X)
{
  return {cross(V.w, X.w), cross(V.v, X.w) + cross(V.w, X.v)};
}

/// \brief \f$\ad^*_V F = \ad_V^{\mathsf T} F\f$ \eq{kim,29}.
template <typename Scalar>
inline Wrench<Scalar> coad(const Twist<Scalar>& V, const Wrench<Scalar>& F)
{
  return {-(cross(V.w, F.m) + cross(V.v, F.f)), -cross(V.w, F.f)};
}
// [adjoints]

// [twist-exp]
/// \brief \f$e^{[\xi]}\f$ of any twist: \f$(e^{[w]}, (1 + \varphi_2[w] + \varphi_3[w]^2)v)\f$ \eq{park,15}.
template <typename Scalar>
SE3<Scalar> exp(const Twist<Scalar>& xi)
{
  const Phi<Scalar> phi(inner(xi.w, xi.w));
  const Vector3<Scalar> once = cross(xi.w, xi.v);
  return {exp(xi.w), xi.v + phi[2] * once + phi[3] * cross(xi.w, once)};
}

/** \brief \f$e^{[\xi] q}\f$ of a screw: \f$|w| = 1\f$ (rotation or helix) or \f$w = 0\f$ (translation).
 *
 *  \eq{park,15} to \eq{park,17}: two sines, no division; it holds for both kinds without a branch.
 */
template <typename Scalar>
SE3<Scalar> exp(const Twist<Scalar>& screw, const Scalar& q)
{
  using std::sin;
  const Scalar half = sin(q / Scalar(2)), s = sin(q), c = Scalar(2) * half * half;  // 1 - cos q, without cancelling
  const Matrix3<Scalar> W = skew(screw.w), W2 = W * W;
  return {SO3<Scalar>(Matrix3<Scalar>::identity() + s * W + c * W2),
          q * screw.v + c * (W * screw.v) + (q - s) * (W2 * screw.v)};
}
// [twist-exp]

// [twist-log]
/** \brief The twist with \f$e^{[\xi]} = T\f$ and \f$|w| \le \pi\f$; at \f$\pi\f$ the rule of the rotation's log.
 *
 *  \f$v = p - \tfrac12 w \times p + \gamma\, w \times (w \times p)\f$ with
 *  \f$\gamma = (\varphi_3 - 2\varphi_4)/(2\varphi_2)\f$, which is smooth at zero.
 */
template <typename Scalar>
Twist<Scalar> log(const SE3<Scalar>& T)
{
  const Vector3<Scalar> w = log(T.R);
  const Phi<Scalar> phi(inner(w, w));
  const Scalar gamma = (phi[3] - Scalar(2) * phi[4]) / (Scalar(2) * phi[2]);
  const Vector3<Scalar> once = cross(w, T.p);
  return {w, T.p - Scalar(1) / Scalar(2) * once + gamma * cross(w, once)};
}
// [twist-log]

// [twist-dexp]
/** \brief The body velocity \f$T^{-1}\dot T\f$ of \f$T = e^{[\xi(t)]}\f$: the differential of the exponential.
 *
 *  se(3) is so(3) over the dual numbers \f$w + \varepsilon v\f$, so the formula of the rotation is expanded to first
 *  order in \f$\varepsilon\f$; the derivatives of \f$\varphi_2, \varphi_3\f$ follow from their recurrence.
 */
template <typename Scalar>
Twist<Scalar> dexp(const Twist<Scalar>& xi, const Twist<Scalar>& xidot)
{
  const Phi<Scalar> phi(inner(xi.w, xi.w));
  const Scalar wv = inner(xi.w, xi.v);
  const Twist<Scalar> once = ad(xi, xidot), twice = ad(xi, once);
  const Vector3<Scalar> stretch = -wv * phi.twice_derivative(2) * once.w + wv * phi.twice_derivative(3) * twice.w;
  return {xidot.w - phi[2] * once.w + phi[3] * twice.w, xidot.v - phi[2] * once.v + phi[3] * twice.v + stretch};
}
// [twist-dexp]

}  // namespace articulate
