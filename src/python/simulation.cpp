/** \file
 *  \brief Motions in time in Python: each moment becomes a row of arrays.
 */
#include <pybind11/functional.h>
#include <chrono>
#include <simulation/simulation.hpp>
#include "force_elements.hpp"
#include "recursion.hpp"

namespace articulate::python {
namespace {

using ForcesInTime = std::variant<std::function<Numbers(double)>, Numbers>;

/// Keeps what is told, and lets Python's signals interrupt.
class Collector : public Onlooker {
public:
  void row(const Moment& now) override
  {
    ++rows_;
    const auto keep = [](std::vector<double>& column, const auto& numbers) {
      column.insert(column.end(), std::begin(numbers), std::end(numbers));
    };
    const auto one = [&](const char* name, double x) { scalars_[name].push_back(x); };
    one("t", now.t);
    keep(vectors_["q"], now.q);
    keep(vectors_["qd"], now.qd);
    one("kinetic_energy", now.kinetic_energy);
    one("potential_energy", now.potential_energy);
    one("work", now.work);
    one("imbalance", now.imbalance);
    keep(vectors_["angular_momentum"], now.momentum.m.e);
    keep(vectors_["linear_momentum"], now.momentum.f.e);
    one("violation", now.violation);
    one("violation_rate", now.violation_rate);
  }

  void event(const SimulationEvent& one) override { events_.push_back(one); }

  void step(const Moment&, double) override
  {
    const auto now = std::chrono::steady_clock::now();
    if (now < next_look_) return;
    next_look_ = now + std::chrono::milliseconds(100);
    const py::gil_scoped_acquire python;
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  }

  bool empty() const { return rows_ == 0; }

  /// Those that were told, in the order of the fields of an Event.
  py::list events() const
  {
    py::list all;
    for (const SimulationEvent& one : events_)
      all.append(py::make_tuple(one.t, one.stop, one.what, one.impulse, one.before, one.after));
    return all;
  }

  /// The columns by their names: (rows,) or (rows, n).
  py::dict columns() const
  {
    py::dict all;
    for (const auto& [name, column] : scalars_) all[name.c_str()] = Array(rows_, column.data());
    for (const auto& [name, column] : vectors_)
      all[name.c_str()] = Array({rows_, static_cast<py::ssize_t>(column.size()) / rows_}, column.data());
    return all;
  }

private:
  py::ssize_t rows_ = 0;
  std::map<std::string, std::vector<double>> scalars_, vectors_;
  std::vector<SimulationEvent> events_;
  std::chrono::steady_clock::time_point next_look_ = std::chrono::steady_clock::now();
};

py::list limits(const SimulationAccount& account)
{
  py::list all;
  for (const PassedLimit& one : account.limits) all.append(py::make_tuple(one.joint, one.which, one.limit, one.t));
  return all;
}

py::dict simulate(const Model<double>& model, const Numbers& q, const Numbers& qd, const Numbers& gravity,
                  const GivenWrenches& Fext, const ForcesInTime& tau, const std::vector<Loop>& loops,
                  const std::vector<Element>& elements, const std::vector<StopElement>& stops,
                  const SimulationOptions& options)
{
  const VectorX<double> at = configuration(model, q), rates = vector(qd, "qd", model.nv());
  VectorX<double> forces;
  const auto take = [&](const Numbers& given) -> const VectorX<double>& {
    return forces = vector(given, "tau", model.nv());
  };
  SimulatedMachine machine{model, loops, plain(elements), {}, on_bodies(model, Fext), {}, plain(stops)};
  read(gravity, machine.gravity);
  const auto* in_time = std::get_if<0>(&tau);
  if (in_time) {
    machine.forces = [&](double t) -> const VectorX<double>& { return take((*in_time)(t)); };
  } else {
    take(std::get<1>(tau));
    machine.forces = [&](double) -> const VectorX<double>& { return forces; };
  }
  // Who calls Python at each step keeps it.
  const bool calls_python = in_time || call_python(elements);
  Collector collector;
  std::string stopped;
  const SimulationAccount account = unlocked(calls_python ? Work{0} : any_length(), nullptr, [&] {
    try {
      return articulate::simulate(machine, options, at, rates, collector);
    } catch (const SimulationStopped& early) {
      if (collector.empty()) throw;
      stopped = early.what();
      return early.account;
    }
  });
  py::dict trajectory = collector.columns();
  trajectory["stopped"] = stopped;
  trajectory["bound"] = account.bound;
  trajectory["lost"] = account.lost;
  trajectory["evaluations"] = account.evaluations;
  trajectory["events"] = collector.events();
  trajectory["singular_positions"] =
      Array(static_cast<py::ssize_t>(account.singular_positions.size()), account.singular_positions.data());
  trajectory["limits"] = limits(account);
  trajectory["warning"] = account.warning;
  return trajectory;
}

}  // namespace

void bind_simulation(py::module_& m)
{
  using namespace py::literals;
  m.def(
      "_simulate",
      [](const Model<double>& model, const Numbers& q, const Numbers& qd, const Numbers& gravity,
         const GivenWrenches& Fext, const ForcesInTime& tau, const std::vector<Loop>& loops,
         const std::vector<Element>& elements, const std::vector<StopElement>& stops, double duration, double step,
         double tolerance, long every, const std::string& integrator, const std::string& stabilisation,
         bool ignore_imbalance) {
        return simulate(
            model, q, qd, gravity, Fext, tau, loops, elements, stops,
            {duration, step, tolerance, every, integrator, stabilisation, ignore_imbalance, Speech::python});
      },
      "model"_a, "q"_a, "qd"_a, "gravity"_a, "Fext"_a, "tau"_a, "loops"_a, "elements"_a, "stops"_a, py::kw_only(),
      "duration"_a, "step"_a, "tolerance"_a, "every"_a, "integrator"_a, "stabilisation"_a, "ignore_imbalance"_a,
      "The fields of a Trajectory, the warning, and why it stopped early.");
}

}  // namespace articulate::python
