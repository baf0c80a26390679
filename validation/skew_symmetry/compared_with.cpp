#include <skew_symmetry/compared_with.hpp>

namespace articulate::validation {

using ProofScalar = ARTICULATE_PROOF_SCALAR;

}  // namespace articulate::validation

namespace articulate {

template struct GlobalMatrices<validation::ProofScalar>;
template class CompositeBodies<validation::ProofScalar>;
template class CoriolisMatrix<validation::ProofScalar>;
template class ReferenceDynamics<validation::ProofScalar>;

}  // namespace articulate

namespace articulate::validation {

template <typename S>
MassAlong<S>::MassAlong(const Model<S>& model, const VectorX<S>& q, const VectorX<S>& direction)
    : M(model.nv(), model.nv()), rate(M.rows(), M.cols())
{
  using D = Dual<S>;
  const Model<D> moving(model);
  const D t = dual_parameter<S>();
  VectorX<D> step(model.nv());
  for (int k = 0; k < step.size(); ++k) step(k) = t * direction(k);
  CompositeBodies<D> bodies(moving);
  const MatrixX<D>& M_t = bodies(displaced<D>(moving, q.template cast<D>(), step));
  for (int j = 0; j < M.rows(); ++j)
    for (int k = 0; k < M.cols(); ++k) M(j, k) = derivative(M_t(j, k), 0), rate(j, k) = derivative(M_t(j, k), 1);
}

template struct MassAlong<ProofScalar>;

}  // namespace articulate::validation
