/** \file
 *  \brief Two numbers side by side: of the angular and of the linear half of a twist or wrench.
 *
 *  A rotation does the same to both halves, and so does every term of a product of series. In double the two share a
 *  register, and one instruction serves both.
 *  - Chapter: \ref higher_order
 */
#pragma once
#include <articulate/aba/articulated_inertia.hpp>

namespace articulate {

/// \brief The pair (angular, linear) of one axis.
template <typename Scalar>
class Pair {
public:
  Pair() = default;
  Pair(const Scalar& angular, const Scalar& linear) : a_(angular), b_(linear) {}

  const Scalar& angular() const { return a_; }
  const Scalar& linear() const { return b_; }

  Pair& operator+=(const Pair& y) { return a_ += y.a_, b_ += y.b_, *this; }
  friend Pair operator+(const Pair& x, const Pair& y) { return {x.a_ + y.a_, x.b_ + y.b_}; }
  friend Pair operator-(const Pair& x, const Pair& y) { return {x.a_ - y.a_, x.b_ - y.b_}; }
  friend Pair operator*(const Scalar& s, const Pair& x) { return {s * x.a_, s * x.b_}; }
  friend Pair operator*(const Pair& x, const Pair& y) { return {x.a_ * y.a_, x.b_ * y.b_}; }

private:
  Scalar a_ = Scalar(0), b_ = Scalar(0);
};

/// \brief In double: one register of the compiler's vector extension.
template <>
class Pair<double> {
public:
  Pair() = default;
  Pair(double angular, double linear) : x_{angular, linear} {}

  double angular() const { return x_[0]; }
  double linear() const { return x_[1]; }

  Pair& operator+=(Pair y) { return x_ += y.x_, *this; }
  friend Pair operator+(Pair x, Pair y) { return Pair(x.x_ + y.x_); }
  friend Pair operator-(Pair x, Pair y) { return Pair(x.x_ - y.x_); }
  friend Pair operator*(double s, Pair x) { return Pair(s * x.x_); }
  friend Pair operator*(Pair x, Pair y) { return Pair(x.x_ * y.x_); }

private:
  using Two [[gnu::vector_size(16)]] = double;
  explicit Pair(Two x) : x_(x) {}
  Two x_{};
};

/// \brief A twist (w, v) or a wrench (m, f) as three pairs, one for each axis.
template <typename Scalar>
struct Halves {
  Pair<Scalar> e[3];

  Halves() = default;
  Halves(const Pair<Scalar>& x, const Pair<Scalar>& y, const Pair<Scalar>& z) : e{x, y, z} {}
  Halves(const Vector3<Scalar>& angular, const Vector3<Scalar>& linear)
      : e{{angular[0], linear[0]}, {angular[1], linear[1]}, {angular[2], linear[2]}}
  {
  }
  explicit Halves(const Wrench<Scalar>& F) : Halves(F.m, F.f) {}

  Vector3<Scalar> angular() const { return {e[0].angular(), e[1].angular(), e[2].angular()}; }
  Vector3<Scalar> linear() const { return {e[0].linear(), e[1].linear(), e[2].linear()}; }
  Twist<Scalar> twist() const { return {angular(), linear()}; }
  Wrench<Scalar> wrench() const { return {angular(), linear()}; }

  Halves& operator+=(const Halves& y)
  {
    e[0] += y.e[0], e[1] += y.e[1], e[2] += y.e[2];
    return *this;
  }
  friend Halves operator+(const Halves& x, const Halves& y)
  {
    return {x.e[0] + y.e[0], x.e[1] + y.e[1], x.e[2] + y.e[2]};
  }
  friend Halves operator*(const Scalar& s, const Halves& x) { return {s * x.e[0], s * x.e[1], s * x.e[2]}; }
  /// \brief Both halves turned.
  friend Halves operator*(const Matrix3<Scalar>& R, const Halves& x)
  {
    const auto row = [&](int i) { return R(i, 0) * x.e[0] + R(i, 1) * x.e[1] + R(i, 2) * x.e[2]; };
    return {row(0), row(1), row(2)};
  }
};

/// \brief \f$w \times\f$ both halves.
template <typename Scalar>
inline Halves<Scalar> cross(const Vector3<Scalar>& w, const Halves<Scalar>& x)
{
  return {w[1] * x.e[2] - w[2] * x.e[1], w[2] * x.e[0] - w[0] * x.e[2], w[0] * x.e[1] - w[1] * x.e[0]};
}

/// \brief The pairing of a wrench and a twist.
template <typename Scalar>
inline Scalar pairing(const Halves<Scalar>& F, const Halves<Scalar>& V)
{
  const Pair<Scalar> sum = F.e[0] * V.e[0] + F.e[1] * V.e[1] + F.e[2] * V.e[2];
  return sum.angular() + sum.linear();
}

/// \brief A symmetric map from twists to wrenches, its columns as halves: a product is eighteen of pairs.
template <typename Scalar>
struct HalvesMap {
  Halves<Scalar> column[6];

  HalvesMap& operator=(const ArticulatedInertia<Scalar>& I)
  {
    const Symmetric3<Scalar>&A = I.A, &C = I.C;
    const Matrix3<Scalar>& B = I.B;
    column[0] = {{A.xx, B(0, 0)}, {A.xy, B(0, 1)}, {A.xz, B(0, 2)}};
    column[1] = {{A.xy, B(1, 0)}, {A.yy, B(1, 1)}, {A.yz, B(1, 2)}};
    column[2] = {{A.xz, B(2, 0)}, {A.yz, B(2, 1)}, {A.zz, B(2, 2)}};
    column[3] = {{B(0, 0), C.xx}, {B(1, 0), C.xy}, {B(2, 0), C.xz}};
    column[4] = {{B(0, 1), C.xy}, {B(1, 1), C.yy}, {B(2, 1), C.yz}};
    column[5] = {{B(0, 2), C.xz}, {B(1, 2), C.yz}, {B(2, 2), C.zz}};
    return *this;
  }
  friend Halves<Scalar> operator*(const HalvesMap& A, const Halves<Scalar>& V)
  {
    return (V.e[0].angular() * A.column[0] + V.e[1].angular() * A.column[1] + V.e[2].angular() * A.column[2]) +
           (V.e[0].linear() * A.column[3] + V.e[1].linear() * A.column[4] + V.e[2].linear() * A.column[5]);
  }
};

}  // namespace articulate
