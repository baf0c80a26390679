#include <ledger/linear_systems.hpp>
#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <ledger/scalars.hpp>

namespace articulate::validation {

template <typename S>
DenseMatrix<S> solution(const DenseMatrix<S>& A, const DenseMatrix<S>& B)
{
  return A.partialPivLu().solve(B);
}
template <typename S>
DenseVector<S> solution(const DenseMatrix<S>& A, const DenseVector<S>& b)
{
  return A.partialPivLu().solve(b);
}
template <typename S>
DenseMatrix<S> definite_solution(const DenseMatrix<S>& A, const DenseMatrix<S>& B)
{
  return A.ldlt().solve(B);
}
template <typename S>
DenseVector<S> definite_solution(const DenseMatrix<S>& A, const DenseVector<S>& b)
{
  return A.ldlt().solve(b);
}
template <typename S>
Eigen::Matrix<S, 4, 4> inverted(const Eigen::Matrix<S, 4, 4>& A)
{
  return A.inverse();
}
template <typename S>
Eigen::Matrix<S, 6, 6> inverted(const Eigen::Matrix<S, 6, 6>& A)
{
  return A.inverse();
}
template <typename S>
SmallMatrix<S> inverted(const SmallMatrix<S>& A)
{
  return A.size() == 0 ? A : SmallMatrix<S>(A.inverse());
}

using S = ARTICULATE_PROOF_SCALAR;
template DenseMatrix<S> solution(const DenseMatrix<S>&, const DenseMatrix<S>&);
template DenseVector<S> solution(const DenseMatrix<S>&, const DenseVector<S>&);
template DenseMatrix<S> definite_solution(const DenseMatrix<S>&, const DenseMatrix<S>&);
template DenseVector<S> definite_solution(const DenseMatrix<S>&, const DenseVector<S>&);
template Eigen::Matrix<S, 4, 4> inverted(const Eigen::Matrix<S, 4, 4>&);
template Eigen::Matrix<S, 6, 6> inverted(const Eigen::Matrix<S, 6, 6>&);
template SmallMatrix<S> inverted(const SmallMatrix<S>&);

}  // namespace articulate::validation
