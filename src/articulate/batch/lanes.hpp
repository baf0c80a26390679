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

/// \brief The widths that this processor can run, the widest last: 1, on x86-64 with AVX2 and FMA 4, with AVX-512 8, and 2
/// on others.
std::vector<BatchLanes> lanes_of_this_processor();

/// \brief The widest of them: `Batch batch(model, threads, widest_lanes())`.
BatchLanes widest_lanes();

namespace detail {

/// The algorithm of a problem in packs, as it was compiled for their width.
template <int lanes>
std::unique_ptr<PackedAlgorithm> make_in_lanes(const BatchQuestion& asked, const Model<double>& model);

}  // namespace detail

}  // namespace articulate
