// Which rate of the exponent S makes the body twist X? dexp is that of chapter 01, for body twists.
#include "course.hpp"

static Matrix3 skew(const Vector3& a)
{
  Matrix3 A;
  A << 0, -a(2), a(1), a(2), 0, -a(0), -a(1), a(0), 0;
  return A;
}

// [S, X] = ad(S) X
static Matrix6 ad(const Vector6& S)
{
  Matrix6 A = Matrix6::Zero();
  // Four blocks, of which one is zero.
  return A;
}

Vector6 dexp_inverse(const Vector6& S, const Vector6& X)
{
  const Matrix6 A = ad(S);
  Vector6 rate = Vector6::Zero();
  // Sum the series of dexp and solve, or use a polynomial in A.
  return rate;
}
