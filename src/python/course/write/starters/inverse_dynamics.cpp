// Inverse dynamics of a chain. Body i has the pose T[i] in the body before it, the first one in the world.
#include "course.hpp"

static Matrix3 skew(const Vector3& a)
{
  Matrix3 A;
  A << 0, -a(2), a(1), a(2), 0, -a(0), -a(1), a(0), 0;
  return A;
}

VectorX inverse_dynamics(const std::vector<Matrix4>& T, const std::vector<Vector6>& S, const std::vector<Matrix6>& I,
                         const VectorX& qd, const VectorX& qdd, const Vector3& gravity)
{
  const int n = static_cast<int>(T.size());
  std::vector<Vector6> F(n);
  VectorX tau = VectorX::Zero(n);
  // Outward: twist and its rate, and what each body alone needs.
  for (int i = 0; i < n; ++i) {
  }
  // Inward: what each joint transmits, and what its motor feels of it.
  for (int i = n - 1; i >= 0; --i) {
  }
  return tau;
}
