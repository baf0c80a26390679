/** \file
 *  \brief The inverse of the differential of the exponential, on twists and on momenta.
 *
 *  - Chapters: \ref group, \ref motion
 */
#pragma once
#include <articulate/group/se3.hpp>

namespace articulate {

/** \brief \f$1 + \tfrac12 a + c_2 a^2 + c_4 a^4\f$, the inverse of \f$(1 - e^{-a})/a\f$ for \f$a = \ad_\xi\f$.
 *
 *  On se(3) \f$a\,(a^2 + y)^2 = 0\f$ with \f$y = |w|^2\f$, so the series ends with \f$a^4\f$. With
 *  \f$\gamma(y) = (1 - \tfrac\theta2\cot\tfrac\theta2)/\theta^2\f$ the coefficients are \f$c_2 = \gamma - y\gamma'\f$
 *  and \f$c_4 = -\gamma'\f$. It has a pole at a full turn, \f$|w| = 2\pi\f$.
 *  \param bracket  a, or its transpose
 */
template <typename Scalar, typename Element, typename Bracket>
Element inverse_of_dexp(const Twist<Scalar>& xi, const Element& X, const Bracket& bracket)
{
  // [dexp-inverse]
  const Scalar y = inner(xi.w, xi.w);
  const Phi<Scalar> phi(y / Scalar(4));
  const Scalar gamma = (phi[2] - phi[3]) / (Scalar(4) * phi[1]);
  const Scalar rate =
      (phi.twice_derivative(2) - phi.twice_derivative(3) - Scalar(4) * gamma * phi.twice_derivative(1)) /
      (Scalar(32) * phi[1]);  // gamma'
  const Element once = bracket(X), twice = bracket(once), fourth = bracket(bracket(twice));
  return X + Scalar(1) / Scalar(2) * once + (gamma - y * rate) * twice + -rate * fourth;
  // [dexp-inverse]
}

/// \brief \f$\dot\xi\f$ of \f$T = e^{[\xi(t)]}\f$ with the body velocity V: the inverse of dexp().
template <typename Scalar>
Twist<Scalar> dexp_inverse(const Twist<Scalar>& xi, const Twist<Scalar>& V)
{
  return inverse_of_dexp(xi, V, [&](const Twist<Scalar>& X) { return ad(xi, X); });
}

/// \brief The transpose of dexp_inverse(): \f$F \mapsto \text{dexp}_\xi^{-\mathsf T}F\f$ on momenta and wrenches.
template <typename Scalar>
Wrench<Scalar> codexp_inverse(const Twist<Scalar>& xi, const Wrench<Scalar>& F)
{
  return inverse_of_dexp(xi, F, [&](const Wrench<Scalar>& X) { return coad(xi, X); });
}

}  // namespace articulate
