/** \file
 *  \brief Two numbers side by side: of the angular and of the linear half of a twist or wrench.
 *
 *  A rotation does the same to both halves, and so does every term of a product of series. In double the two share a
 *  register, and one instruction serves both; a number that multiplies both, and a map of both, stand there as the
 *  instruction wants them. Of other scalars each of these numbers stands once, and a constant of the model once for all
 *  lanes of a Pack.
 *  - Chapter: \ref higher_order
 */
#pragma once
#include <articulate/aba/articulated_inertia.hpp>

namespace articulate {

/// \brief Two numbers: of one axis, that of the angular half and that of the linear; or one number twice, a factor of both.
/// Of a Pack the two stand in one line of the cache where they can.
template <typename Scalar>
class alignas(std::is_same_v<Constant<Scalar>, Scalar> ? alignof(Scalar) : 2 * sizeof(Scalar)) Pair {
public:
  Pair() = default;
  Pair(const Scalar& first, const Scalar& second) : a_(first), b_(second) {}
  explicit Pair(const Scalar& both) : a_(both), b_(both) {}

  const Scalar& first() const { return a_; }
  const Scalar& second() const { return b_; }

  Pair& operator+=(const Pair& y) { return a_ += y.a_, b_ += y.b_, *this; }
  Pair& operator-=(const Pair& y) { return a_ -= y.a_, b_ -= y.b_, *this; }
  friend Pair operator+(Pair x, const Pair& y) { return x += y; }
  friend Pair operator-(Pair x, const Pair& y) { return x -= y; }
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
  Pair(double first, double second) : x_{first, second} {}
  explicit Pair(double both) : x_{both, both} {}

  double first() const { return x_[0]; }
  double second() const { return x_[1]; }

  Pair& operator+=(Pair y) { return x_ += y.x_, *this; }
  Pair& operator-=(Pair y) { return x_ -= y.x_, *this; }
  friend Pair operator+(Pair x, Pair y) { return Pair(x.x_ + y.x_); }
  friend Pair operator-(Pair x, Pair y) { return Pair(x.x_ - y.x_); }
  friend Pair operator*(double s, Pair x) { return Pair(s * x.x_); }
  friend Pair operator*(Pair x, Pair y) { return Pair(x.x_ * y.x_); }

private:
  using Two [[gnu::vector_size(16)]] = double;
  explicit Pair(Two x) : x_(x) {}
  Two x_{};
};

/// \brief A factor of both numbers of a pair: one number; in double a register that holds it twice.
/// \tparam Number  what it is in other scalars
template <typename Scalar, typename Number = Scalar>
using Both = std::conditional_t<std::is_same_v<Scalar, double>, Pair<double>, Number>;
/// \brief The number that such a factor is.
template <typename Scalar>
inline const Scalar& number(const Scalar& factor)
{
  return factor;
}
inline double number(Pair<double> factor) { return factor.first(); }

/// \brief A quantity with an angular and a linear half as three pairs, one for each axis: a twist (w, v), a wrench (m, f).
template <typename Quantity>
class Halves;

template <template <typename> class Quantity, typename Scalar>
class Halves<Quantity<Scalar>> {
public:
  Halves() = default;
  Halves(const Pair<Scalar>& x, const Pair<Scalar>& y, const Pair<Scalar>& z) : e_{x, y, z} {}
  Halves(const Vector3<Scalar>& angular, const Vector3<Scalar>& linear)
      : e_{{angular[0], linear[0]}, {angular[1], linear[1]}, {angular[2], linear[2]}}
  {
  }
  explicit Halves(const Quantity<Scalar>& X)
  {
    const auto& [angular, linear] = X;
    *this = {angular, linear};
  }

  const Pair<Scalar>& operator[](int axis) const { return e_[axis]; }
  Pair<Scalar>& operator[](int axis) { return e_[axis]; }
  Vector3<Scalar> angular() const { return {e_[0].first(), e_[1].first(), e_[2].first()}; }
  Vector3<Scalar> linear() const { return {e_[0].second(), e_[1].second(), e_[2].second()}; }
  Quantity<Scalar> whole() const { return {angular(), linear()}; }

  Halves& operator+=(const Halves& y)
  {
    e_[0] += y[0], e_[1] += y[1], e_[2] += y[2];
    return *this;
  }
  friend Halves operator+(Halves x, const Halves& y) { return x += y; }
  friend Halves operator*(const Scalar& s, const Halves& x) { return {s * x[0], s * x[1], s * x[2]}; }
  /// \brief Both halves turned.
  friend Halves operator*(const Matrix3<Scalar>& R, const Halves& x)
  {
    const auto row = [&](int i) { return R(i, 0) * x[0] + R(i, 1) * x[1] + R(i, 2) * x[2]; };
    return {row(0), row(1), row(2)};
  }

private:
  Pair<Scalar> e_[3];
};

template <typename Scalar>
using TwistHalves = Halves<Twist<Scalar>>;
template <typename Scalar>
using WrenchHalves = Halves<Wrench<Scalar>>;

/// \brief A constant pose T, the entries of its rotation as factors of both halves.
template <typename Scalar>
class HalvesPose {
public:
  HalvesPose() = default;
  explicit HalvesPose(const SE3<Scalar>& T) : p_(T.p)
  {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) R_[i][j] = Factor(Constant<Scalar>(T.R.matrix(i, j)));
  }
  /// \brief \f$\Ad_T^{-1}V\f$: move the origin by p, turn the axes.
  friend TwistHalves<Scalar> AdInv(const HalvesPose& T, const TwistHalves<Scalar>& V)
  {
    const TwistHalves<Scalar> moved = V + TwistHalves<Scalar>({}, cross(V.angular(), T.p()));
    const auto axis = [&](int j) { return T.R_[0][j] * moved[0] + T.R_[1][j] * moved[1] + T.R_[2][j] * moved[2]; };
    return {axis(0), axis(1), axis(2)};
  }
  /// \brief \f$\Ad_T^{-*}F\f$: the same wrench seen from the frame in which T is given.
  friend WrenchHalves<Scalar> coAdInv(const HalvesPose& T, const WrenchHalves<Scalar>& F)
  {
    const auto axis = [&](int i) { return T.R_[i][0] * F[0] + T.R_[i][1] * F[1] + T.R_[i][2] * F[2]; };
    const WrenchHalves<Scalar> turned(axis(0), axis(1), axis(2));
    return turned + WrenchHalves<Scalar>(cross(T.p(), turned.linear()), {});
  }

private:
  using Factor = Both<Scalar, Constant<Scalar>>;
  Vector3<Scalar> p() const { return Vector3<Scalar>(p_); }

  Factor R_[3][3];
  Vector3<Constant<Scalar>> p_;
};

/// \brief The pairing of a wrench and a twist.
template <typename Scalar>
inline Scalar pairing(const WrenchHalves<Scalar>& F, const TwistHalves<Scalar>& V)
{
  const Pair<Scalar> sum = F[0] * V[0] + F[1] * V[1] + F[2] * V[2];
  return sum.first() + sum.second();
}

/// \brief Column k of the 6x6 matrix of I: what wrench one component of a twist needs.
template <typename Scalar>
inline WrenchHalves<Scalar> column(const ArticulatedInertia<Scalar>& I, int k)
{
  if (k < 3) return {I.A.row(k), I.B.row(k)};
  return {I.B.column(k - 3), I.C.row(k - 3)};
}

/// \brief A symmetric map from twists to wrenches. Products are added by columns: no sum waits in a register for another.
template <typename Scalar>
class HalvesMap {
public:
  HalvesMap() = default;
  explicit HalvesMap(const ArticulatedInertia<Scalar>& I) : I_(I) {}
  friend WrenchHalves<Scalar> operator*(const HalvesMap& A, const TwistHalves<Scalar>& V)
  {
    const Vector3<Scalar> w = V.angular(), v = V.linear();
    WrenchHalves<Scalar> F;
    for (int k = 0; k < 3; ++k) F += w[k] * column(A.I_, k), F += v[k] * column(A.I_, k + 3);
    return F;
  }

private:
  ArticulatedInertia<Scalar> I_;
};

/// \brief In double: its columns as halves, so that a product is eighteen of pairs.
template <>
class HalvesMap<double> {
public:
  HalvesMap() = default;
  explicit HalvesMap(const ArticulatedInertia<double>& I)
  {
    for (int k = 0; k < 6; ++k) column_[k] = column(I, k);
  }
  friend WrenchHalves<double> operator*(const HalvesMap& A, const TwistHalves<double>& V)
  {
    const Vector3<double> w = V.angular(), v = V.linear();
    return (w[0] * A.column_[0] + w[1] * A.column_[1] + w[2] * A.column_[2]) +
           (v[0] * A.column_[3] + v[1] * A.column_[4] + v[2] * A.column_[5]);
  }

private:
  WrenchHalves<double> column_[6];
};

}  // namespace articulate
