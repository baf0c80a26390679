/** \file
 *  \brief What is a sum of larger terms is measured beside these.
 */
#pragma once
#include <articulate/higher_order/leibniz.hpp>
#include <ledger/sides.hpp>

namespace articulate::validation {

/// Twists that may vanish beside those of which they are sums.
template <typename S>
void add_beside(Sides<S>& sides, const std::vector<Twist<S>>& left, const std::vector<Twist<S>>& right,
                const std::vector<Twist<S>>& beside)
{
  if (left.empty()) return;
  MatrixX<S> l(6, left.size()), r(l);
  Twist<S> size;
  for (std::size_t i = 0; i < left.size(); ++i) l.col(i) = coordinates(left[i]), r.col(i) = coordinates(right[i]);
  for (const Twist<S>& V : beside)
    for (int k = 0; k < 3; ++k) {
      size.w[0] = std::max(size.w[0], magnitude(V.w[k]));
      size.v[0] = std::max(size.v[0], magnitude(V.v[k]));
    }
  sides.add(l.topRows(3), r.topRows(3), size.w[0]);
  sides.add(l.bottomRows(3), r.bottomRows(3), size.v[0]);
}

/** \brief Of what size the terms are of the r-th derivative of a joint force, along the axes of space about a point.
 *
 *  A joint feels nothing of what its body transmits across its axis. That may be most of the wrench, and in space it is
 *  left out by differences.
 *  \param W, s  by order, the wrench that the body transmits and the screw of the joint, in space
 */
template <typename S, typename Wrenches, typename Screws>
S force_terms_about(const Vector3<S>& point, int r, const Wrenches& W, const Screws& s)
{
  const SE3<S> C{{}, point};
  const Binomials<S> binomial(r);
  S terms(0);
  for (int k = 0; k <= r; ++k)
    terms += binomial(r, k) * inner_product<S>(VectorX<S>(coordinates(coAd(C, Wrench<S>(W(k)))).cwiseAbs()),
                                               VectorX<S>(coordinates(AdInv(C, Twist<S>(s(r - k)))).cwiseAbs()));
  return terms;
}

}  // namespace articulate::validation
