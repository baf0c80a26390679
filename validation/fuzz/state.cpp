/// A state, about a machine whose base is fixed, and about one whose base floats where it says a base.
#include <cli/state.hpp>
#include "fuzz.hpp"

void articulate::fuzz::read(const std::string& text)
{
  cli::read_state(text, "the state", machine(text.find("\"base\"") != std::string::npos));
}
