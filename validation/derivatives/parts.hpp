/** \file
 *  \brief The proofs of chapter derivatives come in three files, each with its share of the identities.
 */
#pragma once
#include <ledger/registry.hpp>

namespace articulate::validation {

template <typename S>
void derivative_tables_identities(Registry<S>&);
template <typename S>
void derivative_jacobians_identities(Registry<S>&);

}  // namespace articulate::validation
