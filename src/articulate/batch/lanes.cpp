/** \file
 *  \brief Which of the compiled widths does this processor run?
 */
#include <articulate/batch/lanes.hpp>

namespace articulate {

std::vector<BatchLanes> lanes_of_this_processor()
{
  std::vector<BatchLanes> lanes{detail::compiled_lanes<2>()};
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) lanes.push_back(detail::compiled_lanes<4>());
  if (lanes.size() > 1 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq"))
    lanes.push_back(detail::compiled_lanes<8>());
#endif
  return lanes;
}

BatchLanes widest_lanes()
{
  static const BatchLanes widest = lanes_of_this_processor().back();
  return widest;
}

}  // namespace articulate
