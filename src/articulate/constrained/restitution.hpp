/** \file
 *  \brief Restitutions: what part of a rate comes back from an impact, \eq{ours,2}.
 *
 *  - Chapter: \ref motion
 */
#pragma once
#include <articulate/group/scalar.hpp>  // comparable
#include <articulate/model/error.hpp>

namespace articulate::detail {

template <typename Scalar>
void require_restitution(const Scalar& e)
{
  if (!(comparable(e) >= 0 && comparable(e) <= 1)) throw StateError("a restitution is from 0, plastic, to 1, elastic.");
}

}  // namespace articulate::detail
