/** \file
 *  \brief The matrices of the formulas: 4x4 of poses and twists, 6x6 of the adjoints.
 *
 *  The recursions never use these; global factorizations and proofs do.
 *  - Papers: Kim 2012, \eq{kim,3}, \eq{kim,5}, \eq{kim,7}, \eq{kim,8}, \eq{kim,27}, \eq{kim,29}.
 *  - Chapter: \ref group
 */
#pragma once
#include <articulate/group/se3.hpp>

namespace articulate {

template <typename Scalar>
using Matrix4 = Eigen::Matrix<Scalar, 4, 4>;
template <typename Scalar>
using Vector6 = Eigen::Matrix<Scalar, 6, 1>;
template <typename Scalar>
using Matrix6 = Eigen::Matrix<Scalar, 6, 6>;

/// \brief The six numbers (angular, linear).
template <typename Scalar>
Vector6<Scalar> coordinates(const Twist<Scalar>& V)
{
  Vector6<Scalar> x;
  for (int k = 0; k < 3; ++k) x(k) = V.w[k], x(k + 3) = V.v[k];
  return x;
}
template <typename Scalar>
Vector6<Scalar> coordinates(const Wrench<Scalar>& F)
{
  Vector6<Scalar> x;
  for (int k = 0; k < 3; ++k) x(k) = F.m[k], x(k + 3) = F.f[k];
  return x;
}

/// \brief The twist with the given six numbers, angular first.
template <typename Derived>
auto to_twist(const Eigen::MatrixBase<Derived>& x)
{
  using Scalar = typename Derived::Scalar;
  return Twist<Scalar>{{x(0), x(1), x(2)}, {x(3), x(4), x(5)}};
}
/// \brief The wrench with the given six numbers, moment first.
template <typename Derived>
auto to_wrench(const Eigen::MatrixBase<Derived>& x)
{
  using Scalar = typename Derived::Scalar;
  return Wrench<Scalar>{{x(0), x(1), x(2)}, {x(3), x(4), x(5)}};
}

/// \brief The homogeneous 4x4 matrix of a pose \eq{kim,3}.
template <typename Scalar>
Matrix4<Scalar> matrix(const SE3<Scalar>& T)
{
  Matrix4<Scalar> H = Matrix4<Scalar>::Zero();
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) H(i, j) = T.R.matrix(i, j);
    H(i, 3) = T.p[i];
  }
  H(3, 3) = Scalar(1);
  return H;
}

/// \brief The 4x4 matrix of a twist \eq{kim,5}.
template <typename Scalar>
Matrix4<Scalar> hat(const Twist<Scalar>& V)
{
  const Matrix3<Scalar> W = skew(V.w);
  Matrix4<Scalar> H = Matrix4<Scalar>::Zero();
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) H(i, j) = W(i, j);
    H(i, 3) = V.v[i];
  }
  return H;
}

/// \brief The twist of a 4x4 matrix in se(3), the inverse of `hat`.
template <typename Scalar>
Twist<Scalar> vee(const Matrix4<Scalar>& H)
{
  return {{H(2, 1), H(0, 2), H(1, 0)}, {H(0, 3), H(1, 3), H(2, 3)}};
}

/// \brief The 6x6 matrix of \f$\Ad_T\f$ \eq{kim,7}; that of \f$\Ad^*_T\f$ is its transpose.
template <typename Scalar>
Matrix6<Scalar> Ad_matrix(const SE3<Scalar>& T)
{
  const Matrix3<Scalar> pR = skew(T.p) * T.R.matrix;
  Matrix6<Scalar> A = Matrix6<Scalar>::Zero();
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) A(i, j) = A(i + 3, j + 3) = T.R.matrix(i, j), A(i + 3, j) = pR(i, j);
  return A;
}

/// \brief The 6x6 matrix of \f$\ad_V\f$ \eq{kim,27}; that of \f$\ad^*_V\f$ is its transpose.
template <typename Scalar>
Matrix6<Scalar> ad_matrix(const Twist<Scalar>& V)
{
  const Matrix3<Scalar> W = skew(V.w), U = skew(V.v);
  Matrix6<Scalar> A = Matrix6<Scalar>::Zero();
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) A(i, j) = A(i + 3, j + 3) = W(i, j), A(i + 3, j) = U(i, j);
  return A;
}

}  // namespace articulate
