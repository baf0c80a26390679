#define ARTICULATE_INSTANCE
#include <ledger/fifty_instances.hpp>
