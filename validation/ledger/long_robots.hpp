/** \file
 *  \brief What is too much for a robot of very many joints.
 */
#pragma once
#include <articulate/model/model.hpp>

namespace articulate::validation {

/// \brief How many joint rates a model may have that is compared in full.
constexpr int most_rates_in_full = 60;

/** \brief Whether a model is small enough for matrices with six rows and columns for each body, for a number of each triple
 *  of rates, and for what asks for every body behind every other.
 *
 *  In 50 digits these take minutes and gigabytes on a chain of 300 links, and say nothing of it that they do not say of a
 *  shorter one.
 */
inline bool is_compared_in_full(const Model<double>& model)
{
  return model.bodies() > 0 && model.nv() <= most_rates_in_full;
}

}  // namespace articulate::validation
