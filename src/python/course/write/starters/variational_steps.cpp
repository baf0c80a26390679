// Variational steps of a body that turns about a point; I and w are in its own frame.
#include "course.hpp"

// The transpose of dexp^-1 of x, times p.
static Vector3 dexp_inverse_transposed(const Vector3& x, const Vector3& p)
{
  return Vector3::Zero();
}

Vector3 variational_steps(const Matrix3& I, const Vector3& w, double h, int steps)
{
  Vector3 now = Vector3::Zero();
  for (int k = 0; k < steps; ++k) {
    // Solve for xi by Newton's method, then find the angular velocity at the end.
  }
  return now;
}
