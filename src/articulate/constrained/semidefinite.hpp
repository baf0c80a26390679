/** \file
 *  \brief Symmetric positive semidefinite equations of any rank, for every scalar.
 *
 *  - Papers: Kim 2012, \eq{kim,67}, \eq{kim,74}; the remark on full rank after \eq{kim,55} is not relied upon.
 *  - Chapter: \ref constrained
 */
#pragma once
#include <algorithm>
#include <limits>
#include <articulate/group/scalar.hpp>
#include <articulate/model/indexed.hpp>
#include <articulate/model/model.hpp>

namespace articulate {

/// \brief 100 n eps, the tolerance of the proofs: below this part of the terms that cancel, the remainder is rounding.
template <typename Scalar>
double rounding(int n)
{
  const int digits = std::numeric_limits<Scalar>::digits;
  return 100.0 * n * std::ldexp(1.0, -(digits > 0 ? digits : 53));
}

/** \brief Below which part of itself a quantity counts as zero: \f$10^3\f$ times the tolerance 100 n eps of the proofs.
 *
 *  A rank is decided by the digits that remain in a problem of condition \f$10^3\f$.
 */
template <typename Scalar>
double rank_tolerance(int n)
{
  return 1e3 * rounding<Scalar>(n);
}

/** \brief A with only some of its columns, the others zero.
 *
 *  A row in which only rounding is left becomes zero: if all rows were like that, no pivot could tell.
 *  \param chosen  flags by column   \param part  the result
 */
template <typename Scalar>
void choose_columns(const MatrixX<Scalar>& A, const Indexed<bool>& chosen, MatrixX<Scalar>& part)
{
  part = A;
  const int n = static_cast<int>(A.cols());
  for (int k = 0; k < n; ++k)
    if (!chosen[k]) part.col(k).setZero();
  for (int i = 0; i < A.rows(); ++i) {
    Scalar largest(0), left(0);
    for (int k = 0; k < n; ++k) {
      if (comparable(A(i, k)) == 0) continue;
      const Scalar size = magnitude(A(i, k));
      if (comparable(size) > comparable(largest)) largest = size;
      if (chosen[k] && comparable(size) > comparable(left)) left = size;
    }
    if (!(comparable(left) > rounding<Scalar>(n) * comparable(largest))) part.row(i).setZero();
  }
}
template <typename Scalar>
MatrixX<Scalar> chosen_columns(const MatrixX<Scalar>& A, const Indexed<bool>& chosen)
{
  MatrixX<Scalar> part;
  choose_columns(A, chosen, part);
  return part;
}

/** \brief \f$K x = b\f$ with \f$K = K^{\mathsf T} \ge 0\f$: by \f$LDL^{\mathsf T}\f$, the largest pivot first.
 *
 *  Eigen's own decompositions conjugate, or do not reveal the rank; this one takes complex steps and dual numbers too.
 *  A pivot counts as zero when what is left of a diagonal entry is below rank_tolerance() of it, so that rows may
 *  have their own units; or when the entry itself is below the square of it times the largest: K is made of products.
 *  A singular system has many solutions; the shortest is returned.
 */
template <typename Scalar>
class SemidefiniteSolver {
public:
  explicit SemidefiniteSolver(int size)
      : L_(MatrixX<Scalar>::Zero(size, size)), N_(L_), order_(size), x_(VectorX<Scalar>::Zero(size)), z_(x_)
  {
  }

  int rank() const { return rank_; }

  /// \brief The least pivot, as a part of what is usual in its row.   \param usual  as many positive numbers as rows
  double margin(const VectorX<double>& usual) const
  {
    double least = std::numeric_limits<double>::infinity();
    for (int k = 0; k < rank_; ++k)
      least = std::min(least, static_cast<double>(comparable(L_(k, k))) / usual(order_[k]));
    return least;
  }

  /// \brief Factor a matrix of the size given at construction; only its lower triangle is read.
  void factor(const MatrixX<Scalar>& K)
  {
    const double part = rank_tolerance<Scalar>(static_cast<int>(K.rows()));
    Scalar largest(0);
    for (int k = 0; k < K.rows(); ++k)
      if (comparable(K(k, k)) > comparable(largest)) largest = K(k, k);
    factor_while(K, [&](int k, int row) {
      return comparable(L_(k, k)) > part * comparable(K(row, row)) &&
             comparable(K(row, row)) > part * part * comparable(largest);
    });
  }

  /** \brief The same with a known rank: this many pivots are taken, however small they are.
   *
   *  Only if nothing is left is rank() smaller.
   */
  void factor(const MatrixX<Scalar>& K, int rank)
  {
    factor_while(K, [&](int k, int) { return k < rank && comparable(L_(k, k)) > 0; });
  }

  /// \brief The shortest solution x of K x = b, or of the part of it that has one.
  const VectorX<Scalar>& solve(const VectorX<Scalar>& b)
  {
    for (int k = 0; k < size_; ++k) z_(k) = k < rank_ ? b(order_[k]) : Scalar(0);
    substitute(L_, rank_, z_);
    if (rank_ < size_) remove_null_space();
    x_.setZero();
    for (int k = 0; k < size_; ++k) x_(order_[k]) = z_(k);
    return x_;
  }

private:
  template <typename Passes>
  void factor_while(const MatrixX<Scalar>& K, const Passes& passes)
  {
    // Rows of zeros are left out.
    order_.clear();
    for (int k = 0; k < K.rows(); ++k)
      if (comparable(K(k, k)) != 0) order_.push_back(k);
    size_ = static_cast<int>(order_.size());
    L_.resize(size_, size_);
    for (int j = 0; j < size_; ++j)
      for (int i = j; i < size_; ++i) L_(i, j) = K(order_[i], order_[j]);
    rank_ = eliminate(L_, passes);
    if (rank_ < size_) factor_null_space();
  }

  // [pivots]
  /// L D L^T in place, rows and columns exchanged as order_ says; returns the number of pivots that pass.
  template <typename Passes>
  int eliminate(MatrixX<Scalar>& L, const Passes& passes)
  {
    for (int k = 0; k < size_; ++k) {
      int best = k;
      for (int i = k + 1; i < size_; ++i)
        if (comparable(L(i, i)) > comparable(L(best, best))) best = i;
      exchange(L, k, best);
      if (!passes(k, order_[k])) return k;
      reduce(L, k, size_);
    }
    return size_;
  }
  static void reduce(MatrixX<Scalar>& L, int k, int n)
  {
    for (int j = k + 1; j < n; ++j) {
      const Scalar l = L(j, k) / L(k, k);
      L.col(j).segment(j, n - j) -= l * L.col(k).segment(j, n - j);
    }
    L.col(k).segment(k + 1, n - k - 1) /= L(k, k);
  }
  // [pivots]
  void exchange(MatrixX<Scalar>& L, int k, int best)
  {
    if (best == k) return;
    const auto at = [&L](int i, int j) -> Scalar& { return i >= j ? L(i, j) : L(j, i); };
    std::swap(order_[k], order_[best]);
    for (int j = 0; j < L.cols(); ++j)
      if (j != k && j != best) std::swap(at(k, j), at(best, j));
    std::swap(L(k, k), L(best, best));
  }
  /// z := (L D L^T)^{-1} z with the leading r rows.
  static void substitute(const MatrixX<Scalar>& L, int r, VectorX<Scalar>& z)
  {
    for (int j = 0; j < r; ++j) z.segment(j + 1, r - j - 1) -= z(j) * L.col(j).segment(j + 1, r - j - 1);
    for (int i = r; i-- > 0;) {
      z(i) /= L(i, i);
      for (int j = i + 1; j < r; ++j) z(i) -= L(j, i) * z(j);
    }
  }

  // [null-space]
  /// The null space is spanned by the columns of (N; 1), N = -L11^{-T} L21^T; factor 1 + N^T N.
  void factor_null_space()
  {
    const int free = size_ - rank_;
    N_.resize(rank_, free);
    for (int c = 0; c < free; ++c)
      for (int i = rank_; i-- > 0;) {
        N_(i, c) = -L_(rank_ + c, i);
        for (int j = i + 1; j < rank_; ++j) N_(i, c) -= L_(j, i) * N_(j, c);
      }
    G_ = N_.transpose() * N_ + MatrixX<Scalar>::Identity(free, free);
    for (int k = 0; k < free; ++k) reduce(G_, k, free);
  }
  /// z - (N; 1)(1 + N^T N)^{-1} N^T z for a z whose last entries are zero.
  void remove_null_space()
  {
    const int free = static_cast<int>(N_.cols());
    y_ = N_.transpose() * z_.head(rank_);
    substitute(G_, free, y_);
    z_.head(rank_) -= N_ * y_;
    z_.segment(rank_, free) = -y_;
  }
  // [null-space]

  MatrixX<Scalar> L_, N_, G_;
  Indexed<int> order_;
  VectorX<Scalar> x_, z_, y_;
  int size_ = 0, rank_ = 0;  ///< of the part without rows of zeros
};

}  // namespace articulate
