#include <instances/dynamics.hpp>
#define ARTICULATE_INSTANCE
#include <instances/motion.hpp>
