// A type of joint: the screw. The axis and its point are in the body's frame, the pitch is in metres per radian.
#include "course.hpp"

std::pair<Matrix4, Vector6> helical_joint(const Matrix4& M, const Vector3& axis, const Vector3& point, double pitch, double q)
{
  Vector6 S = Vector6::Zero();
  Matrix4 T = Matrix4::Zero();
  // The screw first: it does not depend on q. Then the pose, in which M comes first.
  return {T, S};
}
