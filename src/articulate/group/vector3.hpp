/** \file
 *  \brief Three numbers and nine numbers, with products that mean the same for every scalar.
 *
 *  Eigen does the large linear algebra of this project. These two small types exist beside it for two measured reasons:
 *  Eigen's `cross` and `dot` conjugate complex scalars, which breaks the complex step, and its packed loads of freshly
 *  stored 3-vectors stall the processor in the recursions. They convert to and from Eigen where a user wants it.
 */
#pragma once
#include <Eigen/Core>

namespace articulate {

/// \brief A vector of three components in some frame.
template <typename Scalar>
struct Vector3 {
  Scalar e[3]{};

  Vector3() = default;
  Vector3(const Scalar& x, const Scalar& y, const Scalar& z) : e{x, y, z} {}
  template <typename Derived>
  explicit Vector3(const Eigen::MatrixBase<Derived>& x) : e{x(0), x(1), x(2)}
  {
  }
  /// \brief The same numbers in another scalar; binary64 numbers convert exactly.
  template <typename Other>
  explicit Vector3(const Vector3<Other>& x) : e{Scalar(x[0]), Scalar(x[1]), Scalar(x[2])}
  {
  }

  const Scalar& operator[](int k) const { return e[k]; }
  Scalar& operator[](int k) { return e[k]; }
  Eigen::Matrix<Scalar, 3, 1> eigen() const { return {e[0], e[1], e[2]}; }

  Vector3& operator+=(const Vector3& b)
  {
    for (int k = 0; k < 3; ++k) e[k] += b[k];
    return *this;
  }
  friend Vector3 operator+(const Vector3& a, const Vector3& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
  friend Vector3 operator-(const Vector3& a, const Vector3& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
  friend Vector3 operator-(const Vector3& a) { return {-a[0], -a[1], -a[2]}; }
  friend Vector3 operator*(const Scalar& s, const Vector3& a) { return {s * a[0], s * a[1], s * a[2]}; }
};

/// \brief \f$a \times b\f$.
template <typename Scalar>
Vector3<Scalar> cross(const Vector3<Scalar>& a, const Vector3<Scalar>& b)
{
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// \brief \f$a^{\mathsf T} b\f$, without conjugation.
template <typename Scalar>
Scalar inner(const Vector3<Scalar>& a, const Vector3<Scalar>& b)
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// \brief A 3x3 matrix, by rows.
template <typename Scalar>
struct Matrix3 {
  Scalar e[9]{};

  const Scalar& operator()(int i, int j) const { return e[3 * i + j]; }
  Scalar& operator()(int i, int j) { return e[3 * i + j]; }

  static Matrix3 identity()
  {
    Matrix3 one;
    for (int k = 0; k < 3; ++k) one(k, k) = Scalar(1);
    return one;
  }
  Vector3<Scalar> column(int j) const { return {e[j], e[3 + j], e[6 + j]}; }
  Eigen::Matrix<Scalar, 3, 3> eigen() const
  {
    Eigen::Matrix<Scalar, 3, 3> a;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) a(i, j) = (*this)(i, j);
    return a;
  }

  friend Matrix3 operator+(Matrix3 a, const Matrix3& b)
  {
    for (int k = 0; k < 9; ++k) a.e[k] += b.e[k];
    return a;
  }
  friend Matrix3 operator-(Matrix3 a, const Matrix3& b)
  {
    for (int k = 0; k < 9; ++k) a.e[k] -= b.e[k];
    return a;
  }
  friend Matrix3 operator*(const Scalar& s, Matrix3 a)
  {
    for (int k = 0; k < 9; ++k) a.e[k] *= s;
    return a;
  }
  friend Vector3<Scalar> operator*(const Matrix3& a, const Vector3<Scalar>& x)
  {
    return {a.e[0] * x[0] + a.e[1] * x[1] + a.e[2] * x[2], a.e[3] * x[0] + a.e[4] * x[1] + a.e[5] * x[2],
            a.e[6] * x[0] + a.e[7] * x[1] + a.e[8] * x[2]};
  }
  friend Matrix3 operator*(const Matrix3& a, const Matrix3& b)
  {
    Matrix3 c;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) c(i, j) = a(i, 0) * b(0, j) + a(i, 1) * b(1, j) + a(i, 2) * b(2, j);
    return c;
  }
};

/// \brief \f$A^{\mathsf T}\f$, without conjugation.
template <typename Scalar>
Matrix3<Scalar> transpose(const Matrix3<Scalar>& a)
{
  return {{a.e[0], a.e[3], a.e[6], a.e[1], a.e[4], a.e[7], a.e[2], a.e[5], a.e[8]}};
}

/// \brief \f$[w]\f$, the skew-symmetric matrix with \f$[w]x = w \times x\f$ \eq{kim,5}.
template <typename Scalar>
Matrix3<Scalar> skew(const Vector3<Scalar>& w)
{
  return {{Scalar(0), -w[2], w[1], w[2], Scalar(0), -w[0], -w[1], w[0], Scalar(0)}};
}

/// \brief \f$a\, b^{\mathsf T}\f$.
template <typename Scalar>
Matrix3<Scalar> outer(const Vector3<Scalar>& a, const Vector3<Scalar>& b)
{
  Matrix3<Scalar> c;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) c(i, j) = a[i] * b[j];
  return c;
}

}  // namespace articulate
