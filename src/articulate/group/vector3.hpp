/** \file
 *  \brief Three numbers, nine, and the six of a symmetric matrix, with products that mean the same for every scalar.
 *
 *  Eigen does the large linear algebra of this project. These small types exist beside it for two measured reasons:
 *  Eigen's `cross` and `dot` conjugate complex scalars, which breaks the complex step, and its packed loads of freshly
 *  stored 3-vectors stall the processor in the recursions. They convert to and from Eigen on request.
 */
#pragma once
#include <type_traits>
#include <utility>
#include <Eigen/Core>

namespace articulate {

/// \brief Whether numbers of a type, such as Pack, are copied one by one: compilers would make a loop of it, through memory.
template <typename Scalar>
inline constexpr bool copied_one_by_one = false;

namespace detail {

/// n numbers, zero at first.
template <typename Scalar, int n, bool one_by_one = copied_one_by_one<Scalar>>
struct Elements {
  Scalar e[n];

  Elements() : Elements(std::make_integer_sequence<int, n>()) {}
  template <typename... Number, typename = std::enable_if_t<sizeof...(Number) == n>>
  Elements(const Number&... x) : e{x...}
  {
  }

private:
  template <int... k>
  explicit Elements(std::integer_sequence<int, k...>) : e{((void)k, Scalar(0))...}
  {
  }
};
template <typename Scalar, int n>
struct Elements<Scalar, n, true> : Elements<Scalar, n, false> {
  using Base = Elements<Scalar, n, false>;
  using Base::Base, Base::e;

  Elements() = default;
  Elements(const Elements& a) : Elements(a, std::make_integer_sequence<int, n>()) {}
  Elements& operator=(const Elements& a) { return assign(a, std::make_integer_sequence<int, n>()); }

private:
  template <int... k>
  Elements(const Elements& a, std::integer_sequence<int, k...>) : Base(a.e[k]...)
  {
  }
  template <int... k>
  Elements& assign(const Elements& a, std::integer_sequence<int, k...>)
  {
    ((e[k] = a.e[k]), ...);
    return *this;
  }
};

}  // namespace detail

/// \brief A vector of three components in some frame.
template <typename Scalar>
struct Vector3 : detail::Elements<Scalar, 3> {
  using Base = detail::Elements<Scalar, 3>;
  using Base::e;

  Vector3() = default;
  Vector3(const Scalar& x, const Scalar& y, const Scalar& z) : Base(x, y, z) {}
  template <typename Derived>
  explicit Vector3(const Eigen::MatrixBase<Derived>& x) : Base(Scalar(x(0)), Scalar(x(1)), Scalar(x(2)))
  {
  }
  /// \brief The same numbers in another scalar; binary64 numbers convert exactly.
  template <typename Other>
  explicit Vector3(const Vector3<Other>& x) : Base(Scalar(x[0]), Scalar(x[1]), Scalar(x[2]))
  {
  }

  const Scalar& operator[](int k) const { return e[k]; }
  Scalar& operator[](int k) { return e[k]; }
  Eigen::Matrix<Scalar, 3, 1> eigen() const { return {e[0], e[1], e[2]}; }

  Vector3& operator+=(const Vector3& b)
  {
    e[0] += b[0];
    e[1] += b[1];
    e[2] += b[2];
    return *this;
  }
  friend Vector3 operator+(const Vector3& a, const Vector3& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
  friend Vector3 operator-(const Vector3& a, const Vector3& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
  friend Vector3 operator-(const Vector3& a) { return {-a[0], -a[1], -a[2]}; }
  friend Vector3 operator*(const Scalar& s, const Vector3& a) { return {s * a[0], s * a[1], s * a[2]}; }
};

/// \brief \f$a \times b\f$.
template <typename Scalar>
inline Vector3<Scalar> cross(const Vector3<Scalar>& a, const Vector3<Scalar>& b)
{
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// \brief \f$a^{\mathsf T} b\f$, without conjugation.
template <typename Scalar>
inline Scalar inner(const Vector3<Scalar>& a, const Vector3<Scalar>& b)
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// \brief A 3x3 matrix, by rows.
template <typename Scalar>
struct Matrix3 : detail::Elements<Scalar, 9> {
  using detail::Elements<Scalar, 9>::e;

  /// \brief The same numbers in another scalar.
  template <typename Other>
  explicit operator Matrix3<Other>() const
  {
    return {{Other(e[0]), Other(e[1]), Other(e[2]), Other(e[3]), Other(e[4]), Other(e[5]), Other(e[6]), Other(e[7]),
             Other(e[8])}};
  }

  const Scalar& operator()(int i, int j) const { return e[3 * i + j]; }
  Scalar& operator()(int i, int j) { return e[3 * i + j]; }

  static Matrix3 identity()
  {
    Matrix3 one;
    for (int k = 0; k < 3; ++k) one(k, k) = Scalar(1);
    return one;
  }
  Vector3<Scalar> row(int i) const { return {e[3 * i], e[3 * i + 1], e[3 * i + 2]}; }
  Vector3<Scalar> column(int j) const { return {e[j], e[3 + j], e[6 + j]}; }
  Eigen::Matrix<Scalar, 3, 3> eigen() const
  {
    Eigen::Matrix<Scalar, 3, 3> a;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) a(i, j) = (*this)(i, j);
    return a;
  }

  static Matrix3 of_columns(const Vector3<Scalar>& x, const Vector3<Scalar>& y, const Vector3<Scalar>& z)
  {
    return {{x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]}};
  }
  friend Matrix3 operator+(const Matrix3& a, const Matrix3& b)
  {
    return of_columns(a.column(0) + b.column(0), a.column(1) + b.column(1), a.column(2) + b.column(2));
  }
  friend Matrix3 operator-(const Matrix3& a, const Matrix3& b)
  {
    return of_columns(a.column(0) - b.column(0), a.column(1) - b.column(1), a.column(2) - b.column(2));
  }
  friend Matrix3 operator-(const Matrix3& a) { return of_columns(-a.column(0), -a.column(1), -a.column(2)); }
  friend Matrix3 operator*(const Scalar& s, const Matrix3& a)
  {
    return of_columns(s * a.column(0), s * a.column(1), s * a.column(2));
  }
  friend Vector3<Scalar> operator*(const Matrix3& a, const Vector3<Scalar>& x)
  {
    return {a.e[0] * x[0] + a.e[1] * x[1] + a.e[2] * x[2], a.e[3] * x[0] + a.e[4] * x[1] + a.e[5] * x[2],
            a.e[6] * x[0] + a.e[7] * x[1] + a.e[8] * x[2]};
  }
  friend Matrix3 operator*(const Matrix3& a, const Matrix3& b)
  {
    return of_columns(a * b.column(0), a * b.column(1), a * b.column(2));
  }
  /// \brief \f$x^{\mathsf T}A\f$.
  friend Vector3<Scalar> operator*(const Vector3<Scalar>& x, const Matrix3& a)
  {
    return {x[0] * a.e[0] + x[1] * a.e[3] + x[2] * a.e[6], x[0] * a.e[1] + x[1] * a.e[4] + x[2] * a.e[7],
            x[0] * a.e[2] + x[1] * a.e[5] + x[2] * a.e[8]};
  }
};

/// \brief \f$A^{\mathsf T}\f$, without conjugation.
template <typename Scalar>
inline Matrix3<Scalar> transpose(const Matrix3<Scalar>& a)
{
  return {{a.e[0], a.e[3], a.e[6], a.e[1], a.e[4], a.e[7], a.e[2], a.e[5], a.e[8]}};
}

/// \brief \f$[w]\f$, the skew-symmetric matrix with \f$[w]x = w \times x\f$ \eq{kim,5}.
template <typename Scalar>
inline Matrix3<Scalar> skew(const Vector3<Scalar>& w)
{
  return {{Scalar(0), -w[2], w[1], w[2], Scalar(0), -w[0], -w[1], w[0], Scalar(0)}};
}

/// \brief \f$[a] B\f$: the columns of B, each crossed.
template <typename Scalar>
inline Matrix3<Scalar> cross(const Vector3<Scalar>& a, const Matrix3<Scalar>& b)
{
  return Matrix3<Scalar>::of_columns(cross(a, b.column(0)), cross(a, b.column(1)), cross(a, b.column(2)));
}

/// \brief \f$a\, b^{\mathsf T}\f$.
template <typename Scalar>
inline Matrix3<Scalar> outer(const Vector3<Scalar>& a, const Vector3<Scalar>& b)
{
  return Matrix3<Scalar>::of_columns(b[0] * a, b[1] * a, b[2] * a);
}

/// \brief A symmetric 3x3 matrix, stored as its six numbers xx, xy, xz, yy, yz, zz.
template <typename Scalar>
struct Symmetric3 {
  Scalar xx = Scalar(0), xy = Scalar(0), xz = Scalar(0), yy = Scalar(0), yz = Scalar(0), zz = Scalar(0);

  /// \brief The same numbers in another scalar.
  template <typename Other>
  explicit operator Symmetric3<Other>() const
  {
    return {Other(xx), Other(xy), Other(xz), Other(yy), Other(yz), Other(zz)};
  }

  Matrix3<Scalar> matrix() const { return {{xx, xy, xz, xy, yy, yz, xz, yz, zz}}; }
  /// \brief The identity, times a number.
  static Symmetric3 diagonal(const Scalar& d) { return {d, Scalar(0), Scalar(0), d, Scalar(0), d}; }
  Vector3<Scalar> row(int i) const
  {
    return i == 0 ? Vector3<Scalar>{xx, xy, xz} : i == 1 ? Vector3<Scalar>{xy, yy, yz} : Vector3<Scalar>{xz, yz, zz};
  }
  /// \brief The symmetric matrix whose upper triangle is that of a.
  static Symmetric3 upper(const Matrix3<Scalar>& a) { return {a(0, 0), a(0, 1), a(0, 2), a(1, 1), a(1, 2), a(2, 2)}; }

  friend Symmetric3 operator+(const Symmetric3& a, const Symmetric3& b)
  {
    return {a.xx + b.xx, a.xy + b.xy, a.xz + b.xz, a.yy + b.yy, a.yz + b.yz, a.zz + b.zz};
  }
  friend Symmetric3 operator-(const Symmetric3& a, const Symmetric3& b)
  {
    return {a.xx - b.xx, a.xy - b.xy, a.xz - b.xz, a.yy - b.yy, a.yz - b.yz, a.zz - b.zz};
  }
  friend Vector3<Scalar> operator*(const Symmetric3& a, const Vector3<Scalar>& x)
  {
    return {a.xx * x[0] + a.xy * x[1] + a.xz * x[2], a.xy * x[0] + a.yy * x[1] + a.yz * x[2],
            a.xz * x[0] + a.yz * x[1] + a.zz * x[2]};
  }
  friend Vector3<Scalar> operator*(const Vector3<Scalar>& x, const Symmetric3& a) { return a * x; }
};

}  // namespace articulate
