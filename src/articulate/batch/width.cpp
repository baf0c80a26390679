/** \file
 *  \brief The algorithms in packs of one width; compiled once for each, with the flags that it needs.
 */
#include <articulate/batch/lanes.hpp>

namespace articulate::detail {

extern template std::unique_ptr<PackedAlgorithm> make_packed_higher_order<Pack<native_lanes>>(const BatchQuestion&,
                                                                                              const Model<double>&);

template <>
std::unique_ptr<PackedAlgorithm> make_in_lanes<native_lanes>(const BatchQuestion& asked, const Model<double>& model)
{
  return make_packed<Pack<native_lanes>>(asked, model);
}

}  // namespace articulate::detail
