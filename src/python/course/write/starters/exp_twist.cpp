// The exponential of a twist: the pose e^([S] q) after the time q.
#include "course.hpp"

static Matrix3 skew(const Vector3& a)
{
  Matrix3 A;
  A << 0, -a(2), a(1), a(2), 0, -a(0), -a(1), a(0), 0;
  return A;
}

Matrix4 exp_twist(const Vector6& S, double q)
{
  const Vector3 w = S.head<3>() * q, v = S.tail<3>() * q;
  const Matrix3 W = skew(w);
  const double angle = w.norm();
  // Three coefficients, each with its series near zero; then R, and the matrix before v.
  Matrix4 T = Matrix4::Zero();
  return T;
}
