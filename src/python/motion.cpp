/** \file
 *  \brief Steps in time in Python: the chapter on motion.
 */
#include <pybind11/functional.h>
#include <articulate/motion/closed_motion.hpp>
#include <articulate/motion/energy_balance.hpp>
#include <articulate/motion/force_elements.hpp>
#include <articulate/motion/runge_kutta.hpp>
#include <articulate/motion/variational.hpp>
#include "force_elements.hpp"
#include "recursion.hpp"

namespace articulate::python {
namespace {

using ModelD = Model<double>;
using State = std::tuple<Array, Array>;
using Accelerations = std::function<Numbers(Array, Array, double)>;
using Settle = std::function<std::pair<Numbers, Numbers>(Array, Array)>;

/// An integrator and the model that it moves.
struct RungeKutta {
  ModelD model;
  RungeKuttaMuntheKaas<double> integrator;
};
struct Variational {
  ForceElements<double> elements;
  ModelD model;  ///< with the rotors among them
  VariationalIntegrator<double> integrator;
  bool calls_python;

  Variational(const ModelD& of, const std::vector<Loop>& loops, const std::vector<Element>& acting)
      : elements(of, plain(acting)),
        model(of.with_rotors(elements.armature)),
        integrator(model, loops),
        calls_python(call_python(acting))
  {
    integrator.set_armature(elements.armature);
  }
};

struct Closed {
  ModelD model;
  ClosedMotion<double> motion;
};

State runge_kutta_step(RungeKutta& method, const Numbers& q, const Numbers& qd, Number h, const Accelerations& qdd,
                       Number t, const std::optional<Settle>& settle)
{
  const ModelD& model = method.model;
  VectorX<double> next_q = configuration(model, q), next_qd = vector(qd, "qd", model.nv()), acceleration;
  method.integrator.step(
      next_q, next_qd, t.value, h.value,
      [&](const VectorX<double>& q, const VectorX<double>& qd, double t) -> const VectorX<double>& {
        return acceleration = vector(qdd(array(q), array(qd), t), "qdd(q, qd, t)", model.nv());
      },
      [&](VectorX<double>& q, VectorX<double>& qd) {
        if (!settle) return;
        const auto [settled_q, settled_qd] = (*settle)(array(q), array(qd));
        q = configuration(model, settled_q);
        qd = vector(settled_qd, "rates of settle(q, qd)", model.nv());
      });
  return {finite_array(next_q, "q"), finite_array(next_qd, "qd")};
}

State variational_step(Variational& method, const Numbers& q, const Numbers& qd, Number h,
                       const std::optional<Numbers>& tau0, const std::optional<Numbers>& tau1,
                       const GivenWrenches& Fext, Number t)
{
  const ModelD& model = method.model;
  const auto forces = [&](const std::optional<Numbers>& tau, const char* name) -> VectorX<double> {
    return tau ? VectorX<double>(vector(*tau, name, model.nv())) : VectorX<double>::Zero(model.nv());
  };
  VectorX<double> next_q = configuration(model, q), next_qd = vector(qd, "qd", model.nv());
  const VectorX<double> at_start = forces(tau0, "tau0"), at_end = forces(tau1, "tau1");
  const ExternalWrenches<double> wrenches = on_bodies(model, Fext);
  VectorX<double> all;
  unlocked(method.calls_python ? Work{0} : any_length(), &method, [&] {
    method.integrator.step_under(
        next_q, next_qd, t.value, h.value,
        [&](const Recursion<double>& moved, const VectorX<double>& at, const VectorX<double>& rates,
            double time) -> const VectorX<double>& {
          method.elements(moved, at, rates, time);
          return all = (time == t.value ? at_start : at_end) + method.elements.joint_forces(moved);
        },
        wrenches);
  });
  return {finite_array(next_q, "q"), finite_array(next_qd, "qd")};
}

}  // namespace

void bind_force_elements(py::module_& m);
void bind_loop_file(py::module_& m);
void bind_simulation(py::module_& m);

void bind_motion(py::module_& m)
{
  bind_force_elements(m);
  bind_loop_file(m);
  using namespace py::literals;
  py::class_<RungeKutta>(m, "RungeKuttaMuntheKaas", "Steps of order 4 for any accelerations, on the group.")
      .def(py::init([](const ModelD& model) {
             return RungeKutta{model, RungeKuttaMuntheKaas<double>(model)};
           }),
           "model"_a, OthersRun(), "Make the workspace.")
      .def("step", &runge_kutta_step, "q"_a, "qd"_a, "h"_a, "qdd"_a, "t"_a = 0.0, "settle"_a = py::none(),
           "From q (nq,) and qd (nv,) at the time t to those at t + h. qdd(q, qd, t) returns the accelerations (nv,). "
           "settle(q, qd), where given, returns the state (q, qd) to which each stage and the end are brought back.");
  py::class_<Closed>(m, "ClosedMotion",
                     "A machine with loops in motion: its rank is held, and singular positions are passed.")
      .def(py::init([](const ModelD& model, const std::vector<Loop>& loops) {
             return Closed{model, ClosedMotion<double>(model, loops)};
           }),
           "model"_a, "loops"_a, OthersRun(), "Make the workspace.")
      .def(
          "set_gravity", [](Closed& closed, const Vector3<double>& gravity) { closed.motion.set_gravity(gravity); },
          "gravity"_a, "Gravity (3,), m/s^2, in place of the model's own.")
      .def(
          "begin",
          [](Closed& closed, const Numbers& q, const Numbers& qd, Number h) {
            const VectorX<double> at = configuration(closed.model, q), rates = vector(qd, "qd", closed.model.nv());
            unlocked(any_length(), &closed, [&] { closed.motion.begin(at, rates, h.value); });
          },
          "q"_a, "qd"_a, "h"_a,
          "Decide the rank where a motion begins, with steps of h (s). Raises StateError at rest in a singular "
          "position.")
      .def(
          "settle",
          [](Closed& closed, const Numbers& q, const Numbers& qd) -> State {
            VectorX<double> at = configuration(closed.model, q), rates = vector(qd, "qd", closed.model.nv());
            unlocked(any_length(), &closed, [&] { closed.motion.settle(at, rates); });
            return {finite_array(at, "q"), finite_array(rates, "qd")};
          },
          "q"_a, "qd"_a,
          "The nearest state (q, qd) at which the loops are closed and no rate opens them, in the metric of the "
          "masses.")
      .def(
          "project",
          [](Closed& closed, const Numbers& q, const Numbers& qd) {
            const VectorX<double> at = configuration(closed.model, q);
            VectorX<double> rates = vector(qd, "qd", closed.model.nv());
            unlocked(any_length(), &closed, [&] { closed.motion.project(at, rates); });
            return finite_array(rates, "qd");
          },
          "q"_a, "qd"_a, "The nearest rates (nv,) that open no loop, in the metric of the masses.")
      .def(
          "accelerations",
          [](Closed& closed, const Numbers& q, const Numbers& qd, const Numbers& tau, const GivenWrenches& Fext) {
            const ModelD& model = closed.model;
            const VectorX<double> at = configuration(model, q), rates = vector(qd, "qd", model.nv()),
                                  forces = vector(tau, "tau", model.nv());
            const ExternalWrenches<double> wrenches = on_bodies(model, Fext);
            VectorX<double> qdd;
            unlocked(any_length(), &closed, [&] { qdd = closed.motion.accelerations(at, rates, forces, wrenches); });
            return finite_array(qdd, "qdd");
          },
          "q"_a, "qd"_a, "tau"_a, "Fext"_a = py::none(),
          "Accelerations (nv,) that keep the loops closed, under joint forces tau (nv,) and wrenches on bodies.")
      .def_property_readonly(
          "rank", [](const Closed& closed) { return closed.motion.rank(); },
          "The rank of A that is held; negative before begin().")
      .def_property_readonly(
          "singular_positions", [](const Closed& closed) { return closed.motion.singular_positions(); },
          "How many singular positions were met.");
  py::class_<EnergyBalance>(m, "EnergyBalance", "What the energy of a motion has gained, and what work explains of it.")
      .def(py::init<>(), "Begin with nothing.")
      .def(
          "look",
          [](EnergyBalance& balance, Number t, Number energy, Number power) {
            balance.look(t.value, energy.value, power.value);
          },
          "t"_a, "energy"_a, "power"_a,
          "The next state: time (s), energy (J), and the power (W) of all forces that are no part of it.")
      .def_property_readonly("work", &EnergyBalance::work, "Done so far, J.")
      .def_property_readonly("imbalance", &EnergyBalance::imbalance, "What the energy has gained without it, J.")
      .def_property_readonly("doubt", &EnergyBalance::doubt, "By how much the work may be wrong, J.");
  m.def(
      "power",
      [](const ModelD& model, const Numbers& q, const Numbers& qd, const Numbers& tau, const GivenWrenches& Fext) {
        const VectorX<double> at = configuration(model, q), rates = vector(qd, "qd", model.nv()),
                              forces = vector(tau, "tau", model.nv());
        ForwardKinematics<double> motion(model);
        motion(at, rates);
        return finite(power<double>(motion, rates, forces, on_bodies(model, Fext)), "power");
      },
      "model"_a, "q"_a, "qd"_a, "tau"_a, "Fext"_a = py::none(),
      "The power (W) of joint forces tau (nv,) and of wrenches on bodies at q (nq,), qd (nv,).");
  py::class_<Variational>(m, "VariationalIntegrator",
                          "Symplectic steps of order 2, which keep loops closed and a free robot's momentum.")
      .def(py::init<const ModelD&, const std::vector<Loop>&, const std::vector<Element>&>(), "model"_a,
           "loops"_a = std::vector<Loop>{}, "force_elements"_a = std::vector<Element>{}, OthersRun(),
           "Make the workspace. Loops stay closed, force elements act in every state.")
      .def(
          "set_gravity",
          [](Variational& method, const Vector3<double>& gravity) { method.integrator.set_gravity(gravity); },
          "gravity"_a, "Gravity (3,), m/s^2, in place of the model's own.")
      .def(
          "step", &variational_step, "q"_a, "qd"_a, "h"_a, "tau0"_a = py::none(), "tau1"_a = py::none(),
          "Fext"_a = py::none(), "t"_a = 0.0,
          "From q (nq,) and qd (nv,), which meet the loops, to those a time h later. tau0, tau1 (nv,): joint forces at "
          "the start, which is at the time t, and at the end, none by default; force elements act beside them. Raises "
          "StateError when the step is too long to be solved.");
  bind_simulation(m);
}

}  // namespace articulate::python
