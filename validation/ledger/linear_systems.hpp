/** \file
 *  \brief Dense systems solved by Eigen, compiled once for each scalar.
 *
 *  Factorizations in 50 digits are among the slowest things to compile, and every chapter's proofs need them.
 */
#pragma once
#include <Eigen/Core>

namespace articulate::validation {

// The library's own matrices, named without its headers: what is compiled here has no part in what is proved.
template <typename S>
using DenseVector = Eigen::Matrix<S, Eigen::Dynamic, 1>;
template <typename S>
using DenseMatrix = Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic>;

/// \brief As large as a joint has degrees of freedom.
template <typename S>
using SmallMatrix = Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic, 0, 6, 6>;

/// \brief The solution of A X = B, by LU with row exchanges.
template <typename S>
DenseMatrix<S> solution(const DenseMatrix<S>& A, const DenseMatrix<S>& B);
template <typename S>
DenseVector<S> solution(const DenseMatrix<S>& A, const DenseVector<S>& b);

/// \brief The solution of A X = B for a positive definite A, by LDLT.
template <typename S>
DenseMatrix<S> definite_solution(const DenseMatrix<S>& A, const DenseMatrix<S>& B);
template <typename S>
DenseVector<S> definite_solution(const DenseMatrix<S>& A, const DenseVector<S>& b);

/// \brief Inverses: of 4x4 and 6x6 matrices, and of those that fit a joint.
template <typename S>
Eigen::Matrix<S, 4, 4> inverted(const Eigen::Matrix<S, 4, 4>& A);
template <typename S>
Eigen::Matrix<S, 6, 6> inverted(const Eigen::Matrix<S, 6, 6>& A);
template <typename S>
SmallMatrix<S> inverted(const SmallMatrix<S>& A);

}  // namespace articulate::validation
