// With the transpose in blocks, and no matrix of 6 x 6.
#include "course.hpp"

Vector6 carry_velocity(const Matrix4& T, const Vector6& V_parent, const Vector6& S, double qd)
{
  const Matrix3 Rt = T.topLeftCorner<3, 3>().transpose();
  const Vector3 p = T.topRightCorner<3, 1>();
  const Vector3 w = V_parent.head<3>();
  Vector6 V = qd * S;
  V.head<3>() += Rt * w;
  V.tail<3>() += Rt * (V_parent.tail<3>() + w.cross(p));
  return V;
}
