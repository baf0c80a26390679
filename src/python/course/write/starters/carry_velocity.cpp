// Carry a twist from parent to child: T is the pose of the body in its parent.
#include "course.hpp"

Vector6 carry_velocity(const Matrix4& T, const Vector6& V_parent, const Vector6& S, double qd)
{
  const Matrix3 R = T.topLeftCorner<3, 3>();
  const Vector3 p = T.topRightCorner<3, 1>();
  const Vector3 w = V_parent.head<3>(), v = V_parent.tail<3>();
  Vector6 V = Vector6::Zero();
  // Here goes what you derived. The body has its own motion, too.
  return V;
}
