#include <articulate/batch/packed.hpp>

namespace articulate::validation {

// Compiled apart, since it takes as long as all that uses it.
BatchLanes lanes_of_headers() { return lanes_of_this_unit(); }

}  // namespace articulate::validation
