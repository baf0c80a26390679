#include "constrained_inverse.hpp"

namespace articulate {

template ConstrainedForces<double> constrained_inverse_dynamics(const VectorX<double>&, const VectorX<double>&,
                                                                const MatrixX<double>&, const std::vector<bool>&,
                                                                Least);

}  // namespace articulate
