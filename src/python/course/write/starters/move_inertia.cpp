// The inertia of a body in another frame: T is the pose of the body's own frame there.
#include "course.hpp"

static Matrix3 skew(const Vector3& a)
{
  Matrix3 A;
  A << 0, -a(2), a(1), a(2), 0, -a(0), -a(1), a(0), 0;
  return A;
}

Matrix6 move_inertia(const Matrix4& T, double mass, const Vector3& center, const Matrix3& about_center)
{
  const Matrix3 R = T.topLeftCorner<3, 3>();
  const Vector3 p = T.topRightCorner<3, 1>();
  Matrix6 I = Matrix6::Zero();
  // Where is the centre of mass? Then fill four blocks of 3 x 3.
  return I;
}
