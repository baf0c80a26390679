// As a turn about an axis that does not pass through the origin, and a slide along it.
#include "course.hpp"

Matrix4 exp_twist(const Vector6& S, double q)
{
  const Vector3 w = S.head<3>(), v = S.tail<3>();
  Matrix4 T = Matrix4::Identity();
  if (w.norm() == 0.0) {
    T.topRightCorner<3, 1>() = q * v;
    return T;
  }
  const double angle = w.norm() * q;
  const Vector3 axis = w.normalized();
  const Matrix3 R = Eigen::AngleAxisd(angle, axis).toRotationMatrix();
  const Vector3 along = axis * axis.dot(v), across = v - along, turned = axis.cross(across);
  // Halves of angles lose no digits: 1 - cos a = 2 sin^2(a/2).
  const double s = std::sin(angle), versine = 2 * std::sin(angle / 2) * std::sin(angle / 2);
  T.topLeftCorner<3, 3>() = R;
  T.topRightCorner<3, 1>() = q * along + (s * across + versine * turned) / w.norm();
  return T;
}
