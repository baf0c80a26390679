/** \file
 *  \brief Loop files in Python: what the command line reads, read and written.
 */
#include <articulate/motion/stops.hpp>
#include <cli/forces.hpp>
#include <cli/loops.hpp>
#include "choice.hpp"
#include "force_elements.hpp"
#include "path.hpp"
#include "recursion.hpp"

namespace articulate::python {
namespace {

using namespace py::literals;
using ModelD = Model<double>;

/// All that a loop file holds.
struct WholeFile {
  cli::LoopFile closing;
  std::vector<Element> force_elements;
  std::vector<StopElement> stops;
};

WholeFile read_file(const Path& path, const ModelD& model)
{
  const std::string name = text(path);
  return unlocked(any_length(), nullptr, [&] {
    WholeFile file{cli::read_loops(name, model), {}, {}};
    for (const ForceElement& element : cli::read_forces(name, model)) file.force_elements.push_back({element});
    for (const Stop& stop : cli::read_stops(name, model)) file.stops.push_back({stop});
    return file;
  });
}

void write_file(const Path& path, const ModelD& model, const WholeFile& file)
{
  const std::string name = text(path);
  unlocked(any_length(), nullptr, [&] {
    const Loops<double> closing(model, file.closing.loops);
    const ForceElements<double> acting(model, plain(file.force_elements));
    const std::vector<Stop> stops = plain(file.stops);
    const Stops<double> met(model, stops);
    cli::Json document = cli::written(file.closing, model);
    for (const Element& one : file.force_elements) document["forces"].push_back(cli::written(one.value, model));
    for (const Stop& one : stops) document["stops"].push_back(cli::written(one, model));
    if (document.empty()) throw StateError(name + ": a loop file holds loops, forces or stops, and here are none.");
    cli::write_json(document, name);
  });
}

}  // namespace

void bind_loop_file(py::module_& m)
{
  py::class_<WholeFile>(m, "LoopFile", "What a loop file of the command line holds.")
      .def(py::init([](const std::vector<Loop>& loops, const std::vector<Element>& force_elements,
                       const std::vector<StopElement>& stops, const std::optional<std::vector<bool>>& actuated,
                       Choice<Least> least, const std::vector<bool>& held) {
             return WholeFile{{loops, actuated, least, held}, force_elements, stops};
           }),
           "loops"_a = std::vector<Loop>{}, "force_elements"_a = std::vector<Element>{},
           "stops"_a = std::vector<StopElement>{}, "actuated"_a = py::none(), "least"_a = "actuator_force",
           "held"_a = std::vector<bool>{},
           "actuated (nv,): which degrees have motors, for inverse dynamics, and least, a Least or its name, what to "
           "keep small where there are more than needed. held (nv,): degrees that stay while the loops are closed; "
           "empty for none.")
      .def_property_readonly(
          "loops", [](const WholeFile& file) { return file.closing.loops; }, "The joints that close loops.")
      .def_readonly("force_elements", &WholeFile::force_elements, "What acts on the mechanism.")
      .def_readonly("stops", &WholeFile::stops, "What it runs into.")
      .def_property_readonly(
          "actuated", [](const WholeFile& file) { return file.closing.actuated; }, "Motors (nv,), or None.")
      .def_property_readonly(
          "least", [](const WholeFile& file) { return file.closing.least; }, "What inverse dynamics keeps small.")
      .def_property_readonly(
          "held", [](const WholeFile& file) { return file.closing.held; }, "What stays (nv,); empty for none.")
      .def("__repr__", [](const WholeFile& file) {
        return py::str("LoopFile({} loops, {} force elements, {} stops)")
            .format(file.closing.loops.size(), file.force_elements.size(), file.stops.size());
      });
  m.def("read_loops", &read_file, "path"_a, "model"_a,
        "What the loop file of a model holds, as --loops of the command line reads it. Raises StateError naming the "
        "element that cannot be meant.");
  m.def("write_loops", &write_file, "path"_a, "model"_a, "file"_a,
        "Write a LoopFile, so that read_loops reads the same numbers; complete, or not at all. Raises ModelError for "
        "what does not fit the model, StateError for what a loop file cannot say, such as a user's law.");
}

}  // namespace articulate::python
