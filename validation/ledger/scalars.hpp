/** \file
 *  \brief The scalars in which an identity is proved: 50 digits, and series in time over any of them.
 */
#pragma once
#include <boost/math/differentiation/autodiff.hpp>
#include <Eigen/Core>
#include <ledger/eager_matrices.hpp>
#include <ledger/fifty.hpp>

namespace articulate::validation {

/// \brief \f$x(0) + \dot x(0)t + \tfrac12\ddot x(0)t^2\f$: exact first and second derivatives, by Boost's autodiff.
template <typename Scalar>
using Series = boost::math::differentiation::autodiff_v1::detail::fvar<Scalar, 2>;

/// \brief \f$x(0) + \dot x(0)t\f$: where the first derivative is enough, at half the cost.
template <typename Scalar>
using Dual = boost::math::differentiation::autodiff_v1::detail::fvar<Scalar, 1>;

/// \brief The time t itself as a series.
template <typename Scalar>
Series<Scalar> time_series()
{
  return boost::math::differentiation::make_fvar<Scalar, 2>(Scalar(0));
}

/// \brief A parameter p at p = 0, as a dual number.
template <typename Scalar>
Dual<Scalar> dual_parameter()
{
  return boost::math::differentiation::make_fvar<Scalar, 1>(Scalar(0));
}

/// \brief The k-th derivative of a series or a dual number at t = 0.
template <typename Scalar, std::size_t Order>
Scalar derivative(const boost::math::differentiation::autodiff_v1::detail::fvar<Scalar, Order>& x, int k)
{
  return x.derivative(k);
}

/// \brief The rounding unit 2^-53 or 2^-168, from which tolerances are derived.
template <typename Scalar>
Scalar unit_roundoff()
{
  return std::numeric_limits<Scalar>::epsilon() / 2;
}

// Compiled once, in eager_matrices.cpp.
extern template struct MatrixLoops<double>;
extern template struct MatrixLoops<Fifty>;
extern template struct MatrixLoops<Series<double>>;
extern template struct MatrixLoops<Series<Fifty>>;
extern template struct MatrixLoops<Dual<double>>;
extern template struct MatrixLoops<Dual<Fifty>>;

}  // namespace articulate::validation

namespace boost::math::differentiation::inline autodiff_v1::detail {

/// What proofs do with such a number, compiled once and optimised, in eager_matrices.cpp, too.
#define ARTICULATE_OPERATIONS(instance, Number)                    \
  instance template Number Number::operator+(const Number&) const; \
  instance template Number Number::operator-(const Number&) const; \
  instance template Number Number::operator*(const Number&) const; \
  instance template Number Number::operator/(const Number&) const; \
  instance template Number& Number::operator+=(const Number&);     \
  instance template Number& Number::operator-=(const Number&);     \
  instance template Number& Number::operator*=(const Number&);
ARTICULATE_OPERATIONS(extern, articulate::validation::Series<double>)
ARTICULATE_OPERATIONS(extern, articulate::validation::Series<articulate::validation::Fifty>)
ARTICULATE_OPERATIONS(extern, articulate::validation::Dual<double>)
ARTICULATE_OPERATIONS(extern, articulate::validation::Dual<articulate::validation::Fifty>)

}  // namespace boost::math::differentiation::inline autodiff_v1::detail

namespace Eigen {

template <typename Root, std::size_t Order>
struct NumTraits<boost::math::differentiation::autodiff_v1::detail::fvar<Root, Order>> : GenericNumTraits<Root> {
  using Real = boost::math::differentiation::autodiff_v1::detail::fvar<Root, Order>;
  using NonInteger = Real;
  using Nested = Real;
  enum { RequireInitialization = 1, ReadCost = 1, AddCost = 3, MulCost = 6 };
};

// Boost's numbers claim to be made of anything, matrices too, so that a product of matrices could be one by a number.
namespace internal {
template <typename Root, std::size_t Order, typename Matrix>
requires requires(const Matrix& M) { M.derived(); }
struct promote_scalar_arg<boost::math::differentiation::autodiff_v1::detail::fvar<Root, Order>, Matrix, false> {};
}  // namespace internal

}  // namespace Eigen
