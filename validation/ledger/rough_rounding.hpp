/** \file
 *  \brief Fifty digits that are rounded as those of a double: what the steps of a computation cost it.
 */
#pragma once
#include <cstdint>

namespace articulate::validation {

/** \brief While it lives, each operation of its thread in Fifty ends in one of the two neighbours among the 53-bit numbers.
 *
 *  Which of them is drawn; a result that has no more than 53 bits stays (Vignes's CESTAC). So an algorithm answers as it
 *  might in double.
 */
class RoughRounding {
public:
  explicit RoughRounding(std::uint64_t seed);
  ~RoughRounding();
  RoughRounding(const RoughRounding&) = delete;
};

}  // namespace articulate::validation
