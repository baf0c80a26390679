// The mass matrix of a tree. parent(i) is the body that carries body i, or -1; parents come first.
#include "course.hpp"

static Matrix3 skew(const Vector3& a)
{
  Matrix3 A;
  A << 0, -a(2), a(1), a(2), 0, -a(0), -a(1), a(0), 0;
  return A;
}

MatrixX mass_matrix(const VectorX& parent, const std::vector<Matrix4>& T, const std::vector<Vector6>& S,
                    const std::vector<Matrix6>& I)
{
  const int n = static_cast<int>(T.size());
  std::vector<Matrix6> composite = I;
  MatrixX M = MatrixX::Zero(n, n);
  // From the tips inward: what hangs on a body is added to its inertia.
  // Then each joint alone: its wrench, and all joints between it and the world.
  return M;
}
