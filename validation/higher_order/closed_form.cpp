// Chapter higher_order: the closed forms of Ali, Gabellieri and Franchi, (10) to (21) and (31) to (43).
#include <ledger/registry.hpp>

namespace articulate::validation {

template <typename S>
void closed_form_identities(Registry<S>&)
{
}

template void closed_form_identities(Registry<ARTICULATE_PROOF_SCALAR>&);

}  // namespace articulate::validation
