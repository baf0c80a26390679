/** \file
 *  \brief The two witnesses that are heavy to compile, for one scalar.
 */
#include <ledger/specimen.hpp>
#include <witnesses/lagrange.hpp>
#include <witnesses/maximal_coordinates.hpp>

namespace articulate::validation {

template <typename S>
VectorX<S> Specimen<S>::lagrange_tau() const
{
  return witness::Lagrange<S>(inputs.mechanism, inputs.options.floating_base)
      .inverse_dynamics(q, qd, qdd, gravity.eigen(), witness_wrenches());
}

template <typename S>
VectorX<S> Specimen<S>::maximal_qdd() const
{
  return witness::MaximalCoordinates<S>(inputs.mechanism, inputs.options.floating_base)
      .forward_dynamics(q, qd, tau, gravity.eigen(), witness_wrenches());
}

template VectorX<ARTICULATE_PROOF_SCALAR> Specimen<ARTICULATE_PROOF_SCALAR>::lagrange_tau() const;
template VectorX<ARTICULATE_PROOF_SCALAR> Specimen<ARTICULATE_PROOF_SCALAR>::maximal_qdd() const;

}  // namespace articulate::validation
