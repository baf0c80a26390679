/** \file
 *  \brief Solutions that are proved: of linear systems by Rump's method, of equations by Krawczyk's.
 *
 *  Elimination in intervals widens with every step. Here elimination only guesses: an inverse R and a solution x, single
 *  numbers of which nothing is claimed. Intervals then bound what the guess has left,
 *  \f[ A(x + e) = b \iff e = z + Ce, \qquad z = R(b - Ax), \quad C = 1 - RA, \f]
 *  for all matrices and right sides between their bounds. Where the row sums of \f$|C|\f$ are at most a half, A is regular and
 *  e is unique, and a box that \f$z + C\,\cdot\f$ maps into itself holds it, by Brouwer's theorem.
 *
 *  - S. M. Rump, Solving algebraic problems with high accuracy, in Kulisch and Miranker (eds.), A New Approach to
 *    Scientific Computation, Academic Press, 1983.
 *  - R. Krawczyk, Newton-Algorithmen zur Bestimmung von Nullstellen mit Fehlerschranken, Computing 4, 1969.
 */
#pragma once
#include <algorithm>
#include <cmath>
#include <Eigen/Core>
#include <ledger/eager_matrices.hpp>  // products and sums computed at once
#include <reference/interval.hpp>

namespace articulate::reference {

using namespace validation::eager;

/// \brief What the proof of a solution needs and does not find.
struct Unverified : Error {
  using Error::Error;
};

template <typename I>
using IntervalMatrix = Eigen::Matrix<I, Eigen::Dynamic, Eigen::Dynamic>;
template <typename I>
using IntervalVector = Eigen::Matrix<I, Eigen::Dynamic, 1>;

/// \brief Numbers near the inverse of the middle of a matrix, by elimination; none of them is proved.
template <typename I>
IntervalMatrix<I> approximate_inverse(const IntervalMatrix<I>& A)
{
  const Eigen::Index n = A.rows();
  IntervalMatrix<I> left(n, n), right = IntervalMatrix<I>::Identity(n, n);
  for (Eigen::Index k = 0; k < A.size(); ++k) left(k) = middle(A(k));
  const auto size = [](const I& x) { return std::abs(static_cast<double>(x)); };
  for (Eigen::Index k = 0; k < n; ++k) {
    Eigen::Index pivot = k;
    for (Eigen::Index i = k + 1; i < n; ++i)
      if (size(left(i, k)) > size(left(pivot, k))) pivot = i;
    if (size(left(pivot, k)) == 0) throw Unverified("the matrix of a linear system looks singular.");
    left.row(k).swap(left.row(pivot));
    right.row(k).swap(right.row(pivot));
    const I one_over_pivot = middle(I(1) / left(k, k));
    const auto for_row = [&](Eigen::Index i, const auto& f) {
      for (Eigen::Index j = 0; j < n; ++j) left(i, j) = middle(f(left, j)), right(i, j) = middle(f(right, j));
    };
    for_row(k, [&](const auto& half, Eigen::Index j) { return half(k, j) * one_over_pivot; });
    for (Eigen::Index i = 0; i < n; ++i) {
      const I factor = left(i, k);
      if (i != k) for_row(i, [&](const auto& half, Eigen::Index j) { return half(i, j) - factor * half(k, j); });
    }
  }
  return right;
}

/// \brief Whether no row of |C| has a sum above a half.
template <typename I>
bool contracts(const IntervalMatrix<I>& C)
{
  for (Eigen::Index i = 0; i < C.rows(); ++i) {
    I sum(0);
    for (Eigen::Index j = 0; j < C.cols(); ++j) sum += ball(C(i, j));
    if (!lies_within(sum, ball(I(1) / I(2)))) return false;
  }
  return true;
}

// [verified-box]
/** \brief A box that \f$z + C\,\cdot\f$ maps into itself, mapped once.
 *  \param C  the matrix for all e in a box; a contraction there
 *  \throws Unverified when none is found
 */
template <typename I, typename Contraction>
IntervalVector<I> box_of_the_error(const IntervalVector<I>& z, const Contraction& C)
{
  IntervalVector<I> box = z;
  for (int step = 0; step < 5; ++step) {
    for (I& e : box) e = I(2) * ball(e);
    const IntervalMatrix<I> here = C(box);
    const IntervalVector<I> mapped = z + here * box;
    if (contracts(here) &&
        std::equal(mapped.begin(), mapped.end(), box.begin(), [](const I& x, const I& y) { return lies_within(x, y); }))
      return mapped;
    box = mapped;
  }
  throw Unverified("no box is found that holds the solution.");
}
// [verified-box]

/// \brief The numbers near the middles of some intervals, alone.
template <typename I>
IntervalVector<I> middles(IntervalVector<I> x)
{
  for (I& one : x) one = middle(one);
  return x;
}

/// \brief A matrix with what proves solutions of its systems.
template <typename I>
class VerifiedSystem {
public:
  using Vector = IntervalVector<I>;
  using Matrix = IntervalMatrix<I>;

  /// \throws Unverified when A cannot be proved to be regular
  explicit VerifiedSystem(const Matrix& A)
      : A_(A), R_(approximate_inverse(A)), C_(Matrix::Identity(A.rows(), A.rows()) - R_ * A)
  {
    if (!contracts(C_)) throw Unverified("the matrix of a linear system cannot be proved to be regular.");
  }

  // [verified-solution]
  /** \brief Numbers that hold the solution of A x = b.
   *  \param residual  encloses b - A x for numbers x
   *  \throws Unverified when no box is found that holds it
   */
  template <typename Residual>
  Vector solution(const Residual& residual) const
  {
    Vector x = Vector::Zero(A_.rows());
    for (int step = 0; step < 2; ++step) x = middles<I>(x + R_ * residual(x));
    return x + box_of_the_error<I>(R_ * residual(x), [&](const Vector&) -> const Matrix& { return C_; });
  }
  // [verified-solution]

  Vector solution_of(const Vector& b) const
  {
    return solution([&](const Vector& x) -> Vector { return b - A_ * x; });
  }

  Matrix inverse() const
  {
    const Eigen::Index n = A_.rows();
    Matrix all(n, n);
    for (Eigen::Index k = 0; k < n; ++k) all.col(k) = solution_of(Vector::Unit(n, k));
    return all;
  }

private:
  Matrix A_, R_, C_;
};

/// \brief Equations f = 0 at some numbers, or for all numbers of a box.
template <typename I>
struct Equations {
  IntervalVector<I> f;
  IntervalMatrix<I> J;  ///< the derivatives of f
};

/** \brief Numbers that hold a root of f near y, and near it no other: Krawczyk's test.
 *
 *  With e the way from y to the root, \f$e = -Rf(y) + (1 - RJ)e\f$ for a J between the bounds of the derivatives on the
 *  box of e.
 *  \param at  takes a vector to Equations
 *  \throws Unverified when Newton's method finds no root there, or no box is found that holds it
 */
template <typename I, typename At>
IntervalVector<I> verified_root(const At& at, IntervalVector<I> y)
{
  using Vector = IntervalVector<I>;
  using Matrix = IntervalMatrix<I>;
  // Each step doubles the digits: once a correction is below half of them, all are there.
  double correction = 1;
  for (int step = 0; correction > std::ldexp(1.0, -interval_bits / 2); ++step) {
    if (step == 30) throw Unverified("Newton's method finds no root near the numbers given.");
    const Equations<I> here = at(y);
    const Vector change = middles<I>(approximate_inverse<I>(here.J) * here.f);
    y = middles<I>(y - change);
    correction = 0;
    for (const I& one : change) correction = std::max(correction, std::abs(static_cast<double>(one)));
  }
  // [verified-root]
  const Equations<I> here = at(y);
  const Matrix R = approximate_inverse<I>(here.J);
  return y + box_of_the_error<I>(-(R * here.f), [&](const Vector& e) -> Matrix {
           return Matrix::Identity(y.size(), y.size()) - R * at(y + e).J;
         });
  // [verified-root]
}

/** \brief What a machine under constraints does.
 *
 *  The forces \f$A^{\mathsf T}\lambda\f$ do not depend on how the constraints are written down, as the multipliers do.
 */
template <typename I>
struct ClosedMotion {
  IntervalVector<I> qdd, multipliers, constraint_forces;
};

/// \brief A machine under constraints: \f$M\ddot q = f + A^{\mathsf T}\lambda\f$, \f$A\ddot q = c\f$.
template <typename I>
class ClosedSystem {
public:
  using Vector = IntervalVector<I>;
  using Matrix = IntervalMatrix<I>;

  ClosedSystem(const Matrix& M, const Matrix& A) : A_(A), system_(bordered(M, A)) {}

  ClosedMotion<I> motion(const Vector& f, const Vector& c) const
  {
    Vector right(f.size() + c.size());
    right << f, c;
    const Vector x = system_.solution_of(right);
    return {x.head(f.size()), x.tail(c.size()), A_.transpose() * x.tail(c.size())};
  }

  /// \brief The accelerations that a unit of each force makes from rest.
  Matrix mobility() const
  {
    const Eigen::Index n = A_.cols();
    const Vector none = Vector::Zero(A_.rows());
    Matrix all(n, n);
    for (Eigen::Index k = 0; k < n; ++k) all.col(k) = motion(Vector::Unit(n, k), none).qdd;
    return all;
  }

private:
  static Matrix bordered(const Matrix& M, const Matrix& A)
  {
    const Eigen::Index n = M.rows(), m = A.rows();
    Matrix system = Matrix::Zero(n + m, n + m);
    system.topLeftCorner(n, n) = M;
    system.topRightCorner(n, m) = -A.transpose();
    system.bottomLeftCorner(m, n) = A;
    return system;
  }

  Matrix A_;
  VerifiedSystem<I> system_;
};

}  // namespace articulate::reference
