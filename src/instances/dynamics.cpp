#define ARTICULATE_INSTANCE
#include <instances/dynamics.hpp>
