/** \file
 *  \brief Fifty digits with every operation rounded up or down at random: what its steps cost a computation.
 */
#pragma once
#include <cstdint>

namespace articulate::validation {

/** \brief While it lives, operations of its thread in Fifty are rounded up or down as is drawn, and no longer to nearest.
 *
 *  What needs no rounding stays. How far the results lie from those without it is what rounding does to them, whatever
 *  the formula loses of what its inputs allow (Vignes's CESTAC).
 */
class RandomRounding {
public:
  explicit RandomRounding(std::uint64_t seed);
  ~RandomRounding();
  RandomRounding(const RandomRounding&) = delete;
};

}  // namespace articulate::validation
