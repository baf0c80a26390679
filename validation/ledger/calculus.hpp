/** \file
 *  \brief Derivatives at t = 0 of what moves along a series.
 */
#pragma once
#include <ledger/specimen.hpp>

namespace articulate::validation {

/// \brief A series of order 2, or a dual number.
template <typename S, std::size_t Order>
using Truncated = boost::math::differentiation::autodiff_v1::detail::fvar<S, Order>;

template <typename S, std::size_t Order>
Vector3<S> derivative(const Vector3<Truncated<S, Order>>& x, int k)
{
  return {derivative(x[0], k), derivative(x[1], k), derivative(x[2], k)};
}
template <typename S, std::size_t Order>
Twist<S> derivative(const Twist<Truncated<S, Order>>& V, int k)
{
  return {derivative(V.w, k), derivative(V.v, k)};
}
template <typename S, std::size_t Order>
Wrench<S> derivative(const Wrench<Truncated<S, Order>>& F, int k)
{
  return {derivative(F.m, k), derivative(F.f, k)};
}
/// \brief The k-th derivative of the homogeneous matrix of a moving frame.
template <typename S, std::size_t Order>
Matrix4<S> derivative(const SE3<Truncated<S, Order>>& T, int k)
{
  Matrix4<S> H = Matrix4<S>::Zero();
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) H(i, j) = derivative(T.R.matrix(i, j), k);
    H(i, 3) = derivative(T.p[i], k);
  }
  if (k == 0) H(3, 3) = S(1);
  return H;
}

/// \brief \f$\dot S_i\dot q_i\f$ from the columns of S along the motion.
template <typename S>
Twist<S> S_dot_qd(const Specimen<S>& x, int i)
{
  Twist<S> sum;
  for (int k = 0; k < x.model.body(i).nv; ++k)
    sum += x.qd(x.model.body(i).v + k) * derivative(x.along_motion().S[i].column(k), 1);
  return sum;
}

template <typename S>
Vector3<Series<S>> constant(const Vector3<S>& x)
{
  return Vector3<Series<S>>(x);
}
template <typename S>
Twist<Series<S>> constant(const Twist<S>& V)
{
  return {constant(V.w), constant(V.v)};
}
template <typename S>
Wrench<Series<S>> constant(const Wrench<S>& F)
{
  return {constant(F.m), constant(F.f)};
}

}  // namespace articulate::validation
