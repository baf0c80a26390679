/** \file
 *  \brief A 3x3 matrix of doubles, each row of which is computed as a whole; the formulas are those of Matrix3.
 *
 *  - Chapter: \ref aba
 */
#pragma once
#include <articulate/group/matrices.hpp>  // SO3
#include <articulate/group/pack.hpp>      // Four

namespace articulate {

/// \brief Three numbers in one register, whose fourth repeats the third: it is computed and never read.
class Row3 {
public:
  Row3() = default;
  Row3(const Four& x) : x_(x) {}
  Row3(const Vector3<double>& x) : x_(x[0], x[1], x[2], x[2]) {}
  operator Vector3<double>() const { return {x_[0], x_[1], x_[2]}; }

  double operator[](int k) const { return x_[k]; }
  const Four& four() const { return x_; }

  friend Row3 operator+(const Row3& a, const Row3& b) { return a.x_ + b.x_; }
  friend Row3 operator-(const Row3& a, const Row3& b) { return a.x_ - b.x_; }
  friend Row3 operator*(double s, const Row3& a) { return Four(s) * a.x_; }

private:
  Four x_;
};

/** \brief Three rows. A row of a product is a sum of the rows of its right side.
 *
 *  \tparam symmetric  what stands below the diagonal is computed, too, but where a number is asked for, the one above answers:
 *                     that the two differ by rounding would act like an inertia that no body has, carried on from body to body
 */
template <bool symmetric>
class Rows3 {
public:
  Rows3() : Rows3(Four(0.0), Four(0.0), Four(0.0)) {}
  Rows3(const Row3& x, const Row3& y, const Row3& z) : x_(x), y_(y), z_(z) {}
  Rows3(const Matrix3<double>& a) : Rows3(a.row(0), a.row(1), a.row(2)) {}
  Rows3(const Symmetric3<double>& a) : Rows3(a.row(0), a.row(1), a.row(2)) {}
  operator Matrix3<double>() const
  {
    const Rows3& a = *this;
    return {{a(0, 0), a(0, 1), a(0, 2), a(1, 0), a(1, 1), a(1, 2), a(2, 0), a(2, 1), a(2, 2)}};
  }

  double operator()(int i, int j) const { return symmetric && j < i ? whole_row(j)[i] : whole_row(i)[j]; }
  Vector3<double> row(int i) const { return {(*this)(i, 0), (*this)(i, 1), (*this)(i, 2)}; }
  Vector3<double> column(int j) const { return {(*this)(0, j), (*this)(1, j), (*this)(2, j)}; }
  const Row3& whole_row(int i) const { return i == 0 ? x_ : i == 1 ? y_ : z_; }

  operator Symmetric3<double>() const { return Symmetric3<double>::upper(*this); }
  /// \brief The same rows, not taken as symmetric.
  Rows3<false> matrix() const { return {x_, y_, z_}; }
  static Rows3 upper(const Rows3<false>& a) { return {a.whole_row(0), a.whole_row(1), a.whole_row(2)}; }

  friend Rows3 operator+(const Rows3& a, const Rows3& b) { return {a.x_ + b.x_, a.y_ + b.y_, a.z_ + b.z_}; }
  friend Rows3 operator-(const Rows3& a, const Rows3& b) { return {a.x_ - b.x_, a.y_ - b.y_, a.z_ - b.z_}; }
  /// \brief \f$x^{\mathsf T}A\f$.
  friend Row3 operator*(const Vector3<double>& x, const Rows3& a) { return a.sum(x[0], x[1], x[2]); }

  /// \brief The sum of the rows, each times a number.
  Row3 sum(double a, double b, double c) const { return a * x_ + b * y_ + c * z_; }

private:
  Row3 x_, y_, z_;  // not a list: compilers copy one as a block, through memory
};
using RowMatrix3 = Rows3<false>;
using SymmetricRows3 = Rows3<true>;

// [product-by-rows]
/// \brief The product of any 3x3 matrix and rows.
template <typename Left>
requires requires(const Left& a) { static_cast<double>(a(0, 0)); }
RowMatrix3 operator*(const Left& a, const RowMatrix3& b)
{
  return {b.sum(a(0, 0), a(0, 1), a(0, 2)), b.sum(a(1, 0), a(1, 1), a(1, 2)), b.sum(a(2, 0), a(2, 1), a(2, 2))};
}
// [product-by-rows]

inline RowMatrix3 transpose(const RowMatrix3& a)
{
  const Four last = a.whole_row(2).four();
  const auto [x, y, z, again] = transposed(a.whole_row(0).four(), a.whole_row(1).four(), last, last);
  return {x, y, z};
}
/// \brief \f$[p]A\f$: the columns of A, each crossed.
inline RowMatrix3 cross(const Vector3<double>& p, const RowMatrix3& a)
{
  const Row3 &x = a.whole_row(0), &y = a.whole_row(1), &z = a.whole_row(2);
  return {p[1] * z - p[2] * y, p[2] * x - p[0] * z, p[0] * y - p[1] * x};
}
/// \brief \f$a\,b^{\mathsf T}\f$.
inline RowMatrix3 outer(const Vector3<double>& a, const Row3& b) { return {a[0] * b, a[1] * b, a[2] * b}; }
/// \brief \f$RAR^{\mathsf T}\f$.
template <bool symmetric>
Rows3<symmetric> turned(const SO3<double>& R, const Rows3<symmetric>& a)
{
  const RowMatrix3 Rt(transpose(R.matrix)), turned = R.matrix * (a * Rt);
  return {turned.whole_row(0), turned.whole_row(1), turned.whole_row(2)};
}
/** \brief The same for six numbers.
 *
 *  Below the diagonal stand those that the formula for six gives, to the last bit where no product is fused with a sum.
 */
inline Symmetric3<double> turned(const SO3<double>& R, const Symmetric3<double>& a)
{
  const RowMatrix3 b = turned(R, RowMatrix3(a.matrix()));
  return {b(0, 0), b(1, 0), b(2, 0), b(1, 1), b(2, 1), b(2, 2)};
}

}  // namespace articulate
