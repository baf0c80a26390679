#include <articulate/oracle/possible_numbers.hpp>
#include <articulate/constrained/semidefinite.hpp>
#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <cmath>
#include <numbers>

namespace articulate::oracle {
namespace {

using Ten = Eigen::Matrix<double, 10, 1>;

/// The pseudo-inertia: the second moments of mass, the first ones, and the mass, in lengths of some size.
Eigen::Matrix4d pseudo_inertia(const Ten& pi, double length)
{
  Eigen::Matrix3d I;
  I << pi(4), pi(5), pi(6), pi(5), pi(7), pi(8), pi(6), pi(8), pi(9);
  Eigen::Matrix4d J;
  J.topLeftCorner<3, 3>() = (0.5 * I.trace() * Eigen::Matrix3d::Identity() - I) / (length * length);
  J.topRightCorner<3, 1>() = pi.segment<3>(1) / length;
  J.bottomLeftCorner<1, 3>() = J.topRightCorner<3, 1>().transpose();
  J(3, 3) = pi(0);
  return J;
}

/// Ten numbers of a symmetric matrix whose length is that of the matrix.
Ten coordinates_of(const Eigen::Matrix4d& J)
{
  Ten s;
  int k = 0;
  for (int i = 0; i < 4; ++i)
    for (int j = i; j < 4; ++j) s(k++) = (i == j ? 1 : std::numbers::sqrt2) * J(i, j);
  return s;
}
Eigen::Matrix4d matrix_of(const Ten& s)
{
  Eigen::Matrix4d J;
  int k = 0;
  for (int i = 0; i < 4; ++i)
    for (int j = i; j < 4; ++j) J(i, j) = J(j, i) = s(k++) / (i == j ? 1 : std::numbers::sqrt2);
  return J;
}

/// The nearest matrix without negative eigenvalues.
Eigen::Matrix4d nearest_semidefinite(const Eigen::Matrix4d& J)
{
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix4d> solver(J);
  return solver.eigenvectors() * solver.eigenvalues().cwiseMax(0).asDiagonal() * solver.eigenvectors().transpose();
}

/** What no solution comes nearer by is impossible.
 *
 *  A solution that is possible nevertheless would be a thousand times as large as what lies between: the condition by which
 *  ranks are decided here, see rank_tolerance().
 */
constexpr double least_approach = 1e-3;

/// Steps after which unknowns count as possible that are not shown to be otherwise.
constexpr int most_steps = 2000;

}  // namespace

PossibleChanges any_change(Eigen::Index count)
{
  return {MatrixX<double>::Identity(count, count), [](const VectorX<double>& s) { return s; }};
}

PossibleChanges changes_of_a_body(const Ten& own)
{
  const double moment = 0.5 * (own(4) + own(7) + own(9));
  const double length = own(0) > 0 && moment > 0 ? std::sqrt(moment / own(0)) : 1;
  Eigen::Matrix<double, 10, 10> to_s;
  for (int p = 0; p < 10; ++p) to_s.col(p) = coordinates_of(pseudo_inertia(Ten::Unit(p), length));
  const Eigen::Matrix4d J = pseudo_inertia(own, length);
  if ((nearest_semidefinite(J) - J).norm() > rank_tolerance<double>(4) * J.norm()) return any_change(10);
  return {to_s.inverse(), [now = coordinates_of(J)](const VectorX<double>& s) -> VectorX<double> {
            return coordinates_of(nearest_semidefinite(matrix_of(now + s))) - now;
          }};
}

PossibleChanges changes_of_rotors(const VectorX<double>& own)
{
  return {MatrixX<double>::Identity(own.size(), own.size()),
          [own](const VectorX<double>& s) -> VectorX<double> { return s.cwiseMax(-own); }};
}

PossibleChanges of_both(const PossibleChanges& a, const PossibleChanges& b)
{
  const Eigen::Index first = a.units.cols(), second = b.units.cols();
  MatrixX<double> units = MatrixX<double>::Zero(first + second, first + second);
  units.topLeftCorner(first, first) = a.units;
  units.bottomRightCorner(second, second) = b.units;
  return {units, [=](const VectorX<double>& s) {
            VectorX<double> both(s.size());
            both << a.nearest(s.head(first)), b.nearest(s.tail(second));
            return both;
          }};
}

MatrixX<double> left_open(const MatrixX<double>& A)
{
  Eigen::ColPivHouseholderQR<MatrixX<double>> qr(A.transpose());
  qr.setThreshold(rank_tolerance<double>(static_cast<int>(A.cols())));
  const MatrixX<double> Q = qr.householderQ();
  return Q.rightCols(A.cols() - qr.rank());
}

// [impossible]
bool is_impossible(const VectorX<double>& x, const MatrixX<double>& A, const PossibleChanges& changes,
                   const std::function<bool(const VectorX<double>&)>& is_seen)
{
  const MatrixX<double> by_s = A * changes.units, open = left_open(by_s);
  VectorX<double> before = changes.units.partialPivLu().solve(x), s = before;
  for (int step = 0; step < most_steps; ++step) {
    const VectorX<double> apart = changes.nearest(s) - s;
    if (!is_seen(by_s * apart)) return false;
    const VectorX<double> nearer = open * (open.transpose() * apart);
    if (nearer.norm() <= least_approach * apart.norm()) return true;
    // Nesterov's: with the momentum of the step before, since the nearest solutions are often far.
    const VectorX<double> next = s + nearer;
    s = next + step / (step + 3.0) * (next - before);
    before = next;
  }
  return false;
}
// [impossible]

}  // namespace articulate::oracle
