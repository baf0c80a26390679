/// A loop file: its loops, forces and stops, and what is written of them, which must be read again.
#include <cli/forces.hpp>
#include <cli/loops.hpp>
#include "fuzz.hpp"

void articulate::fuzz::read(const std::string& text)
{
  const Model<double>& model = machine(false);
  const std::string path = file_of(text, ".json");
  cli::Json all = cli::written(cli::read_loops(path, model), model);
  for (const ForceElement& element : cli::read_forces(path, model))
    all["forces"].push_back(cli::written(element, model));
  for (const Stop& stop : cli::read_stops(path, model)) all["stops"].push_back(cli::written(stop, model));
  const std::string written = file_of(all.dump(), ".json");
  [&]() noexcept {
    cli::read_loops(written, model, false);
    cli::read_forces(written, model);
    cli::read_stops(written, model);
  }();
}
