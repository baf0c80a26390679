// To the axis, the screw there, and back.
#include "course.hpp"

std::pair<Matrix4, Vector6> helical_joint(const Matrix4& M, const Vector3& axis, const Vector3& point, double pitch, double q)
{
  Eigen::Affine3d motion = Eigen::Translation3d(point) * Eigen::Translation3d(pitch * q * axis) * Eigen::AngleAxisd(q, axis)
                           * Eigen::Translation3d(-point);
  Vector6 S;
  S << axis, point.cross(axis) + pitch * axis;
  return {M * motion.matrix(), S};
}
