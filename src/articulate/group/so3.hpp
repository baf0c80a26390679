/** \file
 *  \brief Rotations: SO(3), its exponential and its logarithm, accurate at every angle.
 *
 *  - Papers: Kim 2012, section 1.1, \eq{kim,1}, \eq{kim,2}; Park 1995, section 2.4, \eq{park,16}.
 *  - Chapter: \ref group
 *  - Everything that depends on an angle is built from one family of entire functions, \ref articulate::Phi "Phi",
 *    so that nothing is divided by a small angle.
 */
#pragma once
#include <cmath>
#include <articulate/group/scalar.hpp>   // comparable, nearly, pi
#include <articulate/group/vector3.hpp>  // Vector3, Matrix3, cross, skew

namespace articulate {

/** \brief The functions \f$\varphi_k(x) = \sum_j (-x)^j / (2j+k)!\f$ at \f$x = \theta^2\f$.
 *
 *  \f$\varphi_0 = \cos\theta,\ \varphi_1 = \sin\theta/\theta,\ \varphi_2 = (1-\cos\theta)/\theta^2,\
 *  \varphi_3 = (\theta-\sin\theta)/\theta^3\f$ and so on. They are entire, satisfy
 *  \f$\varphi_k = 1/k! - x\,\varphi_{k+2}\f$ and \f$2\varphi_k' = k\,\varphi_{k+2} - \varphi_{k+1}\f$.
 *  Below \f$x = 10\f$, a little beyond a half turn, the two highest come from their series and the others downward by the
 *  recurrence; beyond, the two lowest come from sine and cosine and the others upward. Absolute errors stay at the rounding
 *  unit; relative to values near a zero of \f$\varphi_0, \varphi_1, \varphi_2\f$ they are larger.
 */
template <typename Scalar>
struct Phi {
  Scalar at[6];

  // [phi]
  explicit Phi(const Scalar& x)
  {
    using std::cos, std::sin, std::sqrt;
    static constexpr int factorial[] = {1, 1, 2, 6, 24, 120};
    if (nearly(x) < 10) {
      at[4] = at[5] = part_left_out<Scalar>();
      for (int j = terms(); j-- > 0;) {  // Horner: phi_k = (1/k!) (1 - x/((k+1)(k+2)) (1 - ...))
        at[4] = Scalar(1) - x * at[4] / Scalar((2 * j + 5) * (2 * j + 6));
        at[5] = Scalar(1) - x * at[5] / Scalar((2 * j + 6) * (2 * j + 7));
      }
      at[4] /= Scalar(factorial[4]);
      at[5] /= Scalar(factorial[5]);
      for (int k = 3; k >= 0; --k) at[k] = Scalar(1) / Scalar(factorial[k]) - x * at[k + 2];
    } else {
      const Scalar theta = sqrt(x);
      at[0] = cos(theta);
      at[1] = sin(theta) / theta;
      for (int k = 0; k < 4; ++k) at[k + 2] = (Scalar(1) / Scalar(factorial[k]) - at[k]) / x;
    }
  }
  // [phi]

  const Scalar& operator[](int k) const { return at[k]; }
  /// \brief \f$2\,\varphi_k'(x)\f$, for k up to 3.
  Scalar twice_derivative(int k) const { return Scalar(k) * at[k + 2] - at[k + 1]; }

private:
  /// The first j with \f$4!\,10^j/(2j+4)!\f$ below the rounding unit: 12 for double, 28 for 50 digits.
  static int terms()
  {
    double term = 1;
    int j = 0;
    for (; term > unit(); ++j) term *= 10.0 / ((2 * j + 5) * (2 * j + 6));
    return j;
  }
  static double unit()
  {
    const int digits = std::numeric_limits<Scalar>::digits;
    return std::ldexp(1.0, digits > 0 ? -digits : -220);
  }
};

/// \brief A unit quaternion \f$(x, y, z, w)\f$, the coordinates of a rotation, which has no chart.
template <typename Scalar>
struct Quaternion {
  Vector3<Scalar> v;
  Scalar w = Scalar(1);

  /// \brief Hamilton's product, the composition of rotations.
  friend Quaternion operator*(const Quaternion& a, const Quaternion& b)
  {
    return {a.w * b.v + b.w * a.v + cross(a.v, b.v), a.w * b.w - inner(a.v, b.v)};
  }
};

/** \brief A rotation: the columns of its matrix are the axes of the turned frame seen from the fixed one \eq{kim,1}. */
template <typename Scalar>
struct SO3 {
  Matrix3<Scalar> matrix = Matrix3<Scalar>::identity();

  SO3() = default;
  explicit SO3(const Matrix3<Scalar>& R) : matrix(R) {}

  /// \brief The rotation of a quaternion of any length except zero: the length is divided out.
  explicit SO3(const Quaternion<Scalar>& q)
  {
    const Scalar two_over_norm = Scalar(2) / (inner(q.v, q.v) + q.w * q.w);
    const Matrix3<Scalar> v = skew(q.v);
    matrix = Matrix3<Scalar>::identity() + two_over_norm * (q.w * v + v * v);
  }

  friend SO3 operator*(const SO3& a, const SO3& b) { return SO3(a.matrix * b.matrix); }
  friend Vector3<Scalar> operator*(const SO3& a, const Vector3<Scalar>& x) { return a.matrix * x; }
};

/// \brief \f$R^{-1} = R^{\mathsf T}\f$ \eq{kim,2}.
template <typename Scalar>
inline SO3<Scalar> inverse(const SO3<Scalar>& rotation)
{
  return SO3<Scalar>(transpose(rotation.matrix));
}

// [rotation-exp]
/// \brief \f$e^{[w]} = 1 + \varphi_1[w] + \varphi_2[w]^2\f$ for any rotation vector w (rad) \eq{park,16}.
template <typename Scalar>
SO3<Scalar> exp(const Vector3<Scalar>& w)
{
  const Phi<Scalar> phi(inner(w, w));
  const Matrix3<Scalar> W = skew(w);
  return SO3<Scalar>(Matrix3<Scalar>::identity() + phi[1] * W + phi[2] * (W * W));
}

/// \brief The quaternion of \f$e^{[w]}\f$: \f$(\tfrac12\varphi_1(\theta^2/4)\,w,\ \varphi_0(\theta^2/4))\f$.
template <typename Scalar>
Quaternion<Scalar> quaternion_exp(const Vector3<Scalar>& w)
{
  const Phi<Scalar> phi(inner(w, w) / Scalar(4));
  return {phi[1] / Scalar(2) * w, phi[0]};
}
// [rotation-exp]

// [quaternion]
/** \brief The unit quaternion of a rotation with \f$w \ge 0\f$.
 *
 *  The largest of the four components is taken from the diagonal, the others are divided by it, so that no digit is
 *  lost at any angle. At \f$w = 0\f$ (a half turn) the largest component of the axis, or the first of equals, is
 *  positive.
 */
template <typename Scalar>
Quaternion<Scalar> quaternion(const SO3<Scalar>& rotation)
{
  using std::sqrt;
  const Matrix3<Scalar>& R = rotation.matrix;
  const Scalar trace = R(0, 0) + R(1, 1) + R(2, 2);
  int i = 0;
  for (int k = 1; k < 3; ++k)
    if (nearly(R(k, k)) > nearly(R(i, i))) i = k;
  Quaternion<Scalar> q;
  if (nearly(trace) > nearly(R(i, i))) {
    q.w = sqrt(Scalar(1) + trace) / Scalar(2);
    q.v = Scalar(1) / (Scalar(4) * q.w) * Vector3<Scalar>(R(2, 1) - R(1, 2), R(0, 2) - R(2, 0), R(1, 0) - R(0, 1));
  } else {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    q.v[i] = sqrt(Scalar(1) + R(i, i) - R(j, j) - R(k, k)) / Scalar(2);
    const Scalar quarter = Scalar(1) / (Scalar(4) * q.v[i]);
    q.v[j] = quarter * (R(i, j) + R(j, i));
    q.v[k] = quarter * (R(i, k) + R(k, i));
    q.w = quarter * (R(k, j) - R(j, k));
    if (comparable(q.w) < 0) q = {-q.v, -q.w};
  }
  return q;
}
// [quaternion]

// [rotation-log]
/** \brief The rotation vector w (rad, \f$|w| \le \pi\f$) with \f$e^{[w]} = R\f$.
 *
 *  At \f$|w| = \pi\f$ both w and -w are right: the one whose largest component (the first of equals) is positive is
 *  returned.
 */
template <typename Scalar>
Vector3<Scalar> log(const SO3<Scalar>& rotation)
{
  using std::sqrt;
  const Quaternion<Scalar> q = quaternion(rotation);
  const Scalar norm2 = inner(q.v, q.v);  // sin^2(theta/2)
  // theta / sin(theta/2): by the series of the arc tangent while the tangent is small, else by the function.
  if (nearly(norm2) * 100 < nearly(q.w) * nearly(q.w)) {
    const Scalar tangent2 = norm2 / (q.w * q.w);
    Scalar series = part_left_out<Scalar>();
    for (int k = 40; k >= 0; --k) series = Scalar(1) / Scalar(2 * k + 1) - tangent2 * series;
    return Scalar(2) / q.w * series * q.v;
  }
  const Scalar norm = sqrt(norm2);
  const Scalar half = nearly(norm) < nearly(q.w) ? arc_tangent(Scalar(norm / q.w))
                                                 : Scalar(pi<Scalar>() / Scalar(2) - arc_tangent(Scalar(q.w / norm)));
  return Scalar(2) * half / norm * q.v;
}
// [rotation-log]

/** \brief The angular velocity in the turned frame, \f$(R^{\mathsf T}\dot R)^\vee\f$ of \f$R = e^{[w(t)]}\f$.
 *
 *  \f$(1 - \varphi_2[w] + \varphi_3[w]^2)\,\dot w\f$.
 */
template <typename Scalar>
Vector3<Scalar> dexp(const Vector3<Scalar>& w, const Vector3<Scalar>& wdot)
{
  const Phi<Scalar> phi(inner(w, w));
  const Vector3<Scalar> once = cross(w, wdot);
  return wdot - phi[2] * once + phi[3] * cross(w, once);
}

}  // namespace articulate
