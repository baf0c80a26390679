// By the place: the momentum at the end is that at the start, seen from the turned body.
#include "course.hpp"

static Vector3 to_start(const Matrix3& I, const Vector3& xi, double h)
{
  const double angle = h * xi.norm();
  const double c = angle < 1e-4 ? 1.0 / 12 : (1 - angle / 2 / std::tan(angle / 2)) / (angle * angle);
  const Vector3 p = I * xi, once = h * xi.cross(p), twice = h * xi.cross(once);
  return p + once / 2 + c * twice;
}

Vector3 variational_steps(const Matrix3& I, const Vector3& w, double h, int steps)
{
  Vector3 now = w;
  for (int k = 0; k < steps; ++k) {
    const Vector3 p = I * now;
    Vector3 xi = now;
    for (int round = 0; round < 50; ++round) {
      Matrix3 slope;
      const Vector3 open = to_start(I, xi, h) - p;
      for (int j = 0; j < 3; ++j) slope.col(j) = (to_start(I, xi + 1e-7 * Vector3::Unit(j), h) - to_start(I, xi, h)) / 1e-7;
      xi -= slope.inverse() * open;
    }
    const Matrix3 turned = Eigen::AngleAxisd(h * xi.norm(), xi.normalized()).toRotationMatrix();
    now = I.inverse() * (turned.transpose() * p);
  }
  return now;
}
