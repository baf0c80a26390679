/** \file
 *  \brief What is slow to compile of chapter constrained is compiled once: with all algorithms, or by compiled.cpp where
 *  lines are broken.
 */
#pragma once
#include <articulate/constrained/constrained_dynamics.hpp>
#include <articulate/constrained/constrained_inverse.hpp>
#include <articulate/constrained/loops.hpp>
#include <ledger/scalars.hpp>

namespace articulate {

extern template class Loops<double>;
extern template class Loops<validation::Fifty>;
extern template class ConstrainedDynamics<double>;
extern template class ConstrainedDynamics<validation::Fifty>;
extern template ConstrainedForces<double> constrained_inverse_dynamics(const VectorX<double>&, const VectorX<double>&,
                                                                       const MatrixX<double>&, const std::vector<bool>&,
                                                                       Least);
extern template ConstrainedForces<validation::Fifty> constrained_inverse_dynamics(const VectorX<validation::Fifty>&,
                                                                                  const VectorX<validation::Fifty>&,
                                                                                  const MatrixX<validation::Fifty>&,
                                                                                  const std::vector<bool>&, Least);

}  // namespace articulate
