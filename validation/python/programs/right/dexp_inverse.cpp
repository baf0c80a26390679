// By the series of dexp, summed as a matrix, and a linear system.
#include "course.hpp"

static Matrix3 skew(const Vector3& a)
{
  Matrix3 A;
  A << 0, -a(2), a(1), a(2), 0, -a(0), -a(1), a(0), 0;
  return A;
}

Vector6 dexp_inverse(const Vector6& S, const Vector6& X)
{
  Matrix6 A = Matrix6::Zero();
  A.topLeftCorner<3, 3>() = A.bottomRightCorner<3, 3>() = skew(S.head<3>());
  A.bottomLeftCorner<3, 3>() = skew(S.tail<3>());
  Matrix6 sum = Matrix6::Identity(), term = sum;
  for (int k = 1; k < 50; ++k) {
    term = (term * A / -(k + 1.0)).eval();
    sum += term;
  }
  return sum.partialPivLu().solve(X);
}
