/** \file
 *  \brief Proofs of chapter mechanisms: Ma et al. 2021, sections 5 to 7, \eq{ma,41} to \eq{ma,94}.
 */
#include <mechanisms/components.hpp>

namespace articulate::validation {

template <typename S>
void mechanisms_identities(Registry<S>& r)
{
  main_chain_identities(r);
  branch_identities(r);
  machine_dynamics_identities(r);
  published_identities(r);
}

template void mechanisms_identities(Registry<ARTICULATE_PROOF_SCALAR>&);

}  // namespace articulate::validation
