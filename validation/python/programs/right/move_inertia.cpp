// From the pseudo-inertia of 4 x 4, which a pose changes as T P T^t.
#include "course.hpp"

Matrix6 move_inertia(const Matrix4& T, double mass, const Vector3& center, const Matrix3& about_center)
{
  Matrix4 P = Matrix4::Zero();
  P.topLeftCorner<3, 3>() = 0.5 * about_center.trace() * Matrix3::Identity() - about_center + mass * center * center.transpose();
  P.topRightCorner<3, 1>() = mass * center;
  P.bottomLeftCorner<1, 3>() = mass * center.transpose();
  P(3, 3) = mass;
  const Matrix4 Q = T * P * T.transpose();
  const Matrix3 second = Q.topLeftCorner<3, 3>();
  const Vector3 h = Q.topRightCorner<3, 1>();
  Matrix6 I = Matrix6::Zero();
  I.topLeftCorner<3, 3>() = second.trace() * Matrix3::Identity() - second;
  for (int k = 0; k < 3; ++k) {
    I.block<3, 1>(0, 3 + k) = h.cross(Vector3::Unit(k));
    I(3 + k, 3 + k) = mass;
  }
  I.bottomLeftCorner<3, 3>() = I.topRightCorner<3, 3>().transpose();
  return I;
}
