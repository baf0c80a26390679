// Inverse dynamics of a UR5 with nothing but the standard library: the recursive Newton-Euler algorithm, line by line.
// usage: rnea_from_nothing [q1 .. q6 qd1 .. qd6 qdd1 .. qdd6]    (rad, rad/s, rad/s^2); prints six torques (N m)
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>

// [vectors]
using Vector = std::array<double, 3>;
using Matrix = std::array<Vector, 3>;  // three rows

Vector operator+(const Vector& a, const Vector& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
Vector operator*(double s, const Vector& a) { return {s * a[0], s * a[1], s * a[2]}; }
double dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Vector cross(const Vector& a, const Vector& b)
{
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
Vector operator*(const Matrix& A, const Vector& x) { return {dot(A[0], x), dot(A[1], x), dot(A[2], x)}; }
Matrix transpose(const Matrix& A)
{
  return {{{A[0][0], A[1][0], A[2][0]}, {A[0][1], A[1][1], A[2][1]}, {A[0][2], A[1][2], A[2][2]}}};
}
// [vectors]

// [rotation]
// A turn about y, as two of the joint frames need it.
Matrix about_y(double angle)
{
  const double c = std::cos(angle), s = std::sin(angle);
  return {{{c, 0, s}, {0, 1, 0}, {-s, 0, c}}};
}

// A turn about a unit axis n: R x = cos x + sin (n cross x) + (1 - cos) n (n . x), column by column.
Matrix about(const Vector& n, double angle)
{
  Matrix columns;
  for (int k = 0; k < 3; ++k) {
    Vector e{};
    e[k] = 1;
    columns[k] = std::cos(angle) * e + std::sin(angle) * cross(n, e) + (1 - std::cos(angle)) * n[k] * n;
  }
  return transpose(columns);
}

Matrix operator*(const Matrix& A, const Matrix& B)
{
  const Matrix columns = transpose(B);
  return transpose({A * columns[0], A * columns[1], A * columns[2]});
}
// [rotation]

// [arm]
struct Link {
  Vector place;    // of the joint in the parent's frame, m
  double pitch;    // how the joint's frame is turned there about y, rad
  Vector axis;     // of the hinge, in the link's frame
  double mass;     // kg
  Vector center;   // of mass, in the link's frame, m
  Vector moments;  // of inertia about the centre of mass, along the link's axes, kg m^2
};

constexpr double quarter = 1.57079632679;  // a quarter turn as the robot's maker prints it
const std::array<Link, 6> ur5{{
    {{0, 0, 0.089159}, 0, {0, 0, 1}, 3.7, {0, 0, 0}, {0.010267495893, 0.010267495893, 0.00666}},
    {{0, 0.13585, 0}, quarter, {0, 1, 0}, 8.393, {0, 0, 0.28}, {0.22689067591, 0.22689067591, 0.0151074}},
    {{0, -0.1197, 0.425}, 0, {0, 1, 0}, 2.275, {0, 0, 0.25}, {0.049443313556, 0.049443313556, 0.004095}},
    {{0, 0, 0.39225}, quarter, {0, 1, 0}, 1.219, {0, 0, 0}, {0.111172755531, 0.111172755531, 0.21942}},
    {{0, 0.093, 0}, 0, {0, 0, 1}, 1.219, {0, 0, 0}, {0.111172755531, 0.111172755531, 0.21942}},
    {{0, 0, 0.09465}, 0, {0, 1, 0}, 0.1879, {0, 0, 0}, {0.0171364731454, 0.0171364731454, 0.033822}},
}};
// [arm]

std::array<double, 6> inverse_dynamics(const double* q, const double* qd, const double* qdd)
{
  // [outward]
  std::array<Matrix, 6> R;     // from link i's axes to its parent's
  std::array<Vector, 6> m, f;  // moment about link i's origin and force that its joint has to transmit
  Vector w{}, dw{};            // angular velocity and acceleration, of the parent first
  Vector a{0, 0, 9.81};        // acceleration of the origin: gravity is a base that accelerates upwards
  for (int i = 0; i < 6; ++i) {
    const Link& link = ur5[i];
    R[i] = about_y(link.pitch) * about(link.axis, q[i]);
    const Matrix back = transpose(R[i]);
    a = back * (a + cross(dw, link.place) + cross(w, cross(w, link.place)));  // the joint rides on the parent
    const Vector turn = qd[i] * link.axis;
    w = back * w;
    dw = back * dw + cross(w, turn) + qdd[i] * link.axis;
    w = w + turn;

    const Vector a_center = a + cross(dw, link.center) + cross(w, cross(w, link.center));
    const Vector spin{link.moments[0] * w[0], link.moments[1] * w[1], link.moments[2] * w[2]};
    const Vector gain{link.moments[0] * dw[0], link.moments[1] * dw[1], link.moments[2] * dw[2]};
    f[i] = link.mass * a_center;                              // Newton
    m[i] = gain + cross(w, spin) + cross(link.center, f[i]);  // Euler, moved to the link's origin
  }
  // [outward]

  // [inward]
  std::array<double, 6> tau;
  for (int i = 5; i >= 0; --i) {
    tau[i] = dot(ur5[i].axis, m[i]);  // what the motor holds; the bearing holds the rest
    if (i == 0) break;
    const Vector force = R[i] * f[i];
    f[i - 1] = f[i - 1] + force;
    m[i - 1] = m[i - 1] + R[i] * m[i] + cross(ur5[i].place, force);
  }
  return tau;
  // [inward]
}

int main(int count, char** words)
{
  double x[18] = {0.3, -1.2, 1.5, -0.4, 0.8, 0.1, 0.5, -0.2, 0.4, 0.1, -0.3, 0.6, 1.0, 0.5, -0.7, 0.2, 0.4, -0.1};
  if (count != 1 && count != 19) {
    std::fputs("give no number or eighteen: six angles, six rates, six accelerations\n", stderr);
    return 2;
  }
  for (int k = 1; k < count; ++k) {
    char* end;
    x[k - 1] = std::strtod(words[k], &end);
    if (end == words[k] || *end || !std::isfinite(x[k - 1])) {
      std::fprintf(stderr,
                   "'%s' is not a finite number; give angles in rad, rates in rad/s, accelerations in rad/s^2\n",
                   words[k]);
      return 2;
    }
  }
  for (const double torque : inverse_dynamics(x, x + 6, x + 12)) std::printf("%.17g\n", torque);
}
