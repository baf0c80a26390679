// Chapter higher_order: Algorithms 1 to 4 of Ali, Gabellieri and Franchi, and the appendices behind them.
#include <articulate/higher_order/higher_order_dynamics.hpp>
#include <ledger/registry.hpp>

namespace articulate::validation {

template <typename S>
void flight_identities(Registry<S>&);

template <typename S>
void higher_order_identities(Registry<S>& r)
{
  closed_form_identities(r);
  flight_identities(r);
}

template void higher_order_identities(Registry<ARTICULATE_PROOF_SCALAR>&);

}  // namespace articulate::validation
