// By 3-vectors: angular velocity, acceleration of the origin, force and moment, body by body.
#include "course.hpp"

VectorX inverse_dynamics(const std::vector<Matrix4>& T, const std::vector<Vector6>& S, const std::vector<Matrix6>& I,
                         const VectorX& qd, const VectorX& qdd, const Vector3& gravity)
{
  const int n = static_cast<int>(T.size());
  std::vector<Vector6> F(n);
  Vector3 w = Vector3::Zero(), v = w, wd = w, vd = -gravity;
  for (int i = 0; i < n; ++i) {
    const Matrix3 R = T[i].topLeftCorner<3, 3>();
    const Vector3 p = T[i].topRightCorner<3, 1>(), s = S[i].head<3>(), m = S[i].tail<3>();
    vd = (R.transpose() * (vd + wd.cross(p))).eval();
    v = (R.transpose() * (v + w.cross(p))).eval();
    w = (R.transpose() * w + s * qd(i)).eval();
    wd = (R.transpose() * wd + w.cross(s * qd(i)) + s * qdd(i)).eval();
    v += m * qd(i);
    vd += w.cross(m * qd(i)) + v.cross(s * qd(i)) + m * qdd(i);
    Vector6 V, Vdot;
    V << w, v;
    Vdot << wd, vd;
    const Vector6 P = I[i] * V;
    const Vector3 l = P.head<3>(), k = P.tail<3>();
    F[i] = I[i] * Vdot;
    F[i].head<3>() += w.cross(l) + v.cross(k);
    F[i].tail<3>() += w.cross(k);
  }
  VectorX tau(n);
  for (int i = n - 1; i >= 0; --i) {
    tau(i) = S[i].dot(F[i]);
    if (i == 0) break;
    const Matrix3 R = T[i].topLeftCorner<3, 3>();
    const Vector3 p = T[i].topRightCorner<3, 1>(), f = R * F[i].tail<3>();
    F[i - 1].head<3>() += R * F[i].head<3>() + p.cross(f);
    F[i - 1].tail<3>() += f;
  }
  return tau;
}
