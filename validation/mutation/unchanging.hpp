/** \file
 *  \brief What every proof includes and no mutation touches: compiled once, beforehand.
 */
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <ledger/scalars.hpp>

namespace articulate::validation {

/// The proofs' dense solvers: a compiler that keeps instantiations in its precompiled headers makes them only here.
inline void instantiate(Eigen::MatrixXd& A, Eigen::VectorXd& b, Eigen::Matrix<double, -1, -1, 0, 6, 6>& B)
{
  b = A.ldlt().solve(b);
  B = B.inverse();
}

}  // namespace articulate::validation
