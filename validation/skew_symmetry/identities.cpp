/** \file
 *  \brief Proofs of chapter skew_symmetry: Ploen, section 5.
 */
#include <ledger/registry.hpp>

namespace articulate::validation {

template <typename S>
void skew_symmetry_identities(Registry<S>&)
{
}

template void skew_symmetry_identities(Registry<ARTICULATE_PROOF_SCALAR>&);

}  // namespace articulate::validation
