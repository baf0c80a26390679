/** \file
 *  \brief The algorithms in packs of one width; compiled once for each, with the flags that it needs.
 */
#include <articulate/batch/lanes.hpp>

namespace articulate::detail {

template <>
BatchLanes compiled_lanes<native_lanes>()
{
  return lanes_of_this_unit();
}

}  // namespace articulate::detail
