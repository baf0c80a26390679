/** \file
 *  \brief Which of the compiled widths does this processor run?
 */
#include <articulate/batch/lanes.hpp>

namespace articulate {

std::vector<BatchLanes> lanes_of_this_processor()
{
  const BatchLanes::Maker single = make_packed<double>;
  std::vector<BatchLanes> lanes{{1, single, single}};
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    lanes.push_back({4, detail::make_in_lanes<4>, single});
  if (lanes.size() > 1 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq"))
    lanes.push_back({8, detail::make_in_lanes<8>, single});
#else
  lanes.push_back({2, detail::make_in_lanes<2>, single});
#endif
  return lanes;
}

BatchLanes widest_lanes()
{
  static const BatchLanes widest = lanes_of_this_processor().back();
  return widest;
}

}  // namespace articulate
