#include "solvers.hpp"

namespace Eigen {
EACH_SOLVER()
}
