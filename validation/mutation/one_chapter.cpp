/** \file
 *  \brief The registry with the identities of a single chapter, so that a broken source need not meet them all.
 */
#include <ledger/registry.hpp>

namespace articulate::validation {

extern const double bound = ARTICULATE_CHAPTER_BOUND;  // of residuals on the checker's cases

template <>
const Registry<double>& Registry<double>::instance()
{
  static const Registry<double> registry = [] {
    Registry<double> r;
    ARTICULATE_CHAPTER_IDENTITIES(r);
    return r;
  }();
  return registry;
}

}  // namespace articulate::validation
