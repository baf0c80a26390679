/** \file
 *  \brief Derivatives in time of any order in packs of one width; all else is in `width.cpp`.
 */
#include <articulate/batch/packed.hpp>

namespace articulate::detail {

template std::unique_ptr<PackedAlgorithm> make_packed_higher_order<Pack<native_lanes>>(const BatchQuestion&,
                                                                                       const Model<double>&);

}  // namespace articulate::detail
