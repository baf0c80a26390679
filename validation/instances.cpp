#define ARTICULATE_INSTANCE
#include <instances.hpp>
