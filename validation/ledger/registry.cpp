#include <ledger/registry.hpp>

namespace articulate::validation {

template <typename S>
const Registry<S>& Registry<S>::instance()
{
  static const Registry<S> registry = [] {
    Registry<S> r;
    r.chapter = "group";
    group_identities(r);
    park_group_identities(r);
    ma_group_identities(r);
    r.chapter = "body";
    body_identities(r);
    r.chapter = "model";
    model_identities(r);
    park_model_identities(r);
    ma_model_identities(r);
    r.chapter = "rnea";
    rnea_identities(r);
    park_rnea_identities(r);
    ploen_identities(r);
    r.chapter = "aba";
    aba_identities(r);
    r.chapter = "hybrid";
    hybrid_identities(r);
    r.chapter = "constrained";
    constrained_identities(r);
    r.chapter = "derivatives";
    derivatives_identities(r);
    r.chapter = "skew_symmetry";
    skew_symmetry_identities(r);
    r.chapter = "higher_order";
    higher_order_identities(r);
    r.chapter = "lagrange";
    lagrange_identities(r);
    r.chapter = "mechanisms";
    mechanisms_identities(r);
    return r;
  }();
  return registry;
}

template const Registry<ARTICULATE_PROOF_SCALAR>& Registry<ARTICULATE_PROOF_SCALAR>::instance();

}  // namespace articulate::validation
