#include <constrained/compiled.hpp>

namespace articulate::validation {

using ProofScalar = ARTICULATE_PROOF_SCALAR;

}  // namespace articulate::validation

namespace articulate {

template class Loops<validation::ProofScalar>;
template class ConstrainedDynamics<validation::ProofScalar>;
template ConstrainedForces<validation::ProofScalar> constrained_inverse_dynamics(
    const VectorX<validation::ProofScalar>&, const VectorX<validation::ProofScalar>&,
    const MatrixX<validation::ProofScalar>&, const std::vector<bool>&, Least);

}  // namespace articulate
