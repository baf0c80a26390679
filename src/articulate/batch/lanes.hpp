/** \file
 *  \brief The lanes of the processor on which a program runs: one binary serves all machines.
 *
 *  Compiled in the library articulate-batch, once for each width. Programs that have only the headers use the lanes of
 *  their own flags, `lanes_of_this_unit()`.
 *  - Chapter: \ref rnea
 */
#pragma once
#include <articulate/batch/packed.hpp>

namespace articulate {

/// \brief The widths that this processor can run, the widest last: 2, and on x86-64 with AVX2 and FMA 4, with AVX-512 8.
std::vector<BatchLanes> lanes_of_this_processor();

/// \brief The widest of them: `Batch batch(model, threads, widest_lanes())`.
BatchLanes widest_lanes();

namespace detail {

/// What was compiled for a width.
template <int lanes>
BatchLanes compiled_lanes();

}  // namespace detail

}  // namespace articulate
