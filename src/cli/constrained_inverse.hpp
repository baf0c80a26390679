/** \file
 *  \brief Inverse dynamics with loops, compiled once for the command line and Python: its singular values take the
 *  compiler seconds.
 */
#pragma once
#include <articulate/constrained/constrained_inverse.hpp>

namespace articulate {

extern template ConstrainedForces<double> constrained_inverse_dynamics(const VectorX<double>&, const VectorX<double>&,
                                                                       const MatrixX<double>&, const std::vector<bool>&,
                                                                       Least);

}  // namespace articulate
