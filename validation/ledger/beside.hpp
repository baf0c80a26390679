/** \file
 *  \brief Twists that are sums of larger terms, measured beside these.
 */
#pragma once
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

}  // namespace articulate::validation
