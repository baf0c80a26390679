/** \file
 *  \brief What the templates ask of a scalar: arithmetic, sin, cos, sqrt, atan, and a value that can be compared.
 *
 *  The same formulas run on double, complex (complex step), truncated series, dual numbers and many-digit floats.
 *  One thing differs between them and lives here: how to compare. A complex number is compared by its real part, which
 *  is the value that a complex step perturbs.
 */
#pragma once
#include <cmath>
#include <complex>
#include <limits>
#include <type_traits>

namespace articulate {

/// \brief The part of a scalar that an inequality may look at: the number itself, or the real part of a complex one.
template <typename Scalar>
const Scalar& comparable(const Scalar& x)
{
  return x;
}
template <typename Real>
Real comparable(const std::complex<Real>& x)
{
  return x.real();
}

namespace detail {

template <typename Scalar>
struct ConstantOf {
  using Type = Scalar;
};

}  // namespace detail

/// \brief What may be kept of a number that is constant: itself, or of a Pack, if all lanes have the same, that one double.
template <typename Scalar>
using Constant = typename detail::ConstantOf<Scalar>::Type;

/// \brief The arc tangent, also of scalars that have only an arc sine, such as Eigen's for automatic differentiation.
template <typename Scalar>
Scalar arc_tangent(const Scalar& x)
{
  using std::atan;
  if constexpr (requires { atan(x); })
    return atan(x);
  else
    return asin(Scalar(x / sqrt(Scalar(Scalar(1) + x * x))));
}

/// \brief \f$\pi\f$ to all digits of the scalar.
template <typename Scalar>
Scalar pi()
{
  return Scalar(4) * arc_tangent(Scalar(1));
}

/// \brief A scalar that stands for all numbers between two bounds.
template <typename Scalar>
concept Encloses = requires
{
  Scalar::between(0, 1);
};

/// \brief A number near x, to choose by where every choice is right, such as the largest of several to divide by.
template <typename Scalar>
decltype(auto) nearly(const Scalar& x)
{
  return comparable(x);
}

/** \brief The remainder of an alternating series with falling terms, as a fraction of the first term left out.
 *
 *  It lies between 0 and 1, and Horner's scheme begins with it. A number ignores it, since that term is below its
 *  rounding; a scalar that encloses what it stands for must contain every value that it may have.
 */
template <typename Scalar>
Scalar part_left_out()
{
  if constexpr (Encloses<Scalar>)
    return Scalar::between(0, 1);
  else
    return Scalar(0);
}

/// \brief The absolute value as a sign flip, which keeps derivatives and imaginary parts.
template <typename Scalar>
Scalar magnitude(const Scalar& x)
{
  return comparable(x) < 0 ? Scalar(-x) : x;
}

/// \brief The largest magnitude of an entry of a matrix, 0 if there is none; NaN if one is not a number.
template <typename Matrix>
double largest(const Matrix& x)
{
  double size = 0;
  const auto& entries = x.eval();
  for (const auto& entry : entries.reshaped()) {
    const double here = static_cast<double>(comparable(magnitude(entry)));
    if (here > size || here != here) size = here;
  }
  return size;
}

namespace detail {

template <typename Function>
#if defined(__GNUC__) && !defined(__clang__)
// It would pack neighbouring numbers in pairs to store them, and take the pairs apart for the next product.
[[gnu::flatten, gnu::optimize("no-tree-slp-vectorize")]]
#else
[[gnu::flatten]]
#endif
void with_all_inlined(const Function& f)
{
  f();
}

}  // namespace detail

/** \brief Run a sweep over bodies: for the processor's own numbers as one piece of code, without calls.
 *
 *  At -O2 the compiler leaves small functions as calls, and then hands three numbers at a time through memory: forward
 *  dynamics takes twice the time. For other scalars, whose products are long, one piece would only take long to compile.
 */
template <typename Scalar, typename Function>
void run_sweep(const Function& f)
{
  if constexpr (std::is_arithmetic_v<Scalar>)
    detail::with_all_inlined(f);
  else
    f();
}

}  // namespace articulate
