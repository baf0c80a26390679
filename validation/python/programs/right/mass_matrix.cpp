// By momenta: a body that moves gives what is inward of it its momentum. One column for each joint that moves alone.
#include "course.hpp"

static Vector6 outward(const Matrix4& T, const Vector6& V)
{
  const Matrix3 R = T.topLeftCorner<3, 3>();
  const Vector3 p = T.topRightCorner<3, 1>(), w = V.head<3>(), v = V.tail<3>();
  Vector6 X;
  X << R.transpose() * w, R.transpose() * (v + w.cross(p));
  return X;
}

static Vector6 inward(const Matrix4& T, const Vector6& F)
{
  const Matrix3 R = T.topLeftCorner<3, 3>();
  const Vector3 p = T.topRightCorner<3, 1>(), m = R * F.head<3>(), f = R * F.tail<3>();
  Vector6 X;
  X << m + p.cross(f), f;
  return X;
}

MatrixX mass_matrix(const VectorX& parent, const std::vector<Matrix4>& T, const std::vector<Vector6>& S,
                    const std::vector<Matrix6>& I)
{
  const int n = static_cast<int>(T.size());
  MatrixX M(n, n);
  for (int joint = 0; joint < n; ++joint) {
    std::vector<Vector6> V(n, Vector6::Zero()), P(n);
    for (int i = 0; i < n; ++i) {
      const int p = static_cast<int>(parent(i));
      if (p >= 0) V[i] = outward(T[i], V[p]);
      if (i == joint) V[i] += S[i];
      P[i] = I[i] * V[i];
    }
    for (int i = n - 1; i >= 0; --i) {
      const int p = static_cast<int>(parent(i));
      M(i, joint) = S[i].dot(P[i]);
      if (p >= 0) P[p] += inward(T[i], P[i]);
    }
  }
  return M;
}
