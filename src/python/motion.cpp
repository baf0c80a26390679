/** \file
 *  \brief Steps in time in Python: the chapter on motion.
 */
#include <pybind11/functional.h>
#include <articulate/motion/runge_kutta.hpp>
#include <articulate/motion/variational.hpp>
#include "recursion.hpp"

namespace articulate::python {
namespace {

using ModelD = Model<double>;
using State = std::tuple<Array, Array>;
using Accelerations = std::function<Numbers(Array, Array, double)>;

/// An integrator and the model that it moves.
struct RungeKutta {
  ModelD model;
  RungeKuttaMuntheKaas<double> integrator;
};
struct Variational {
  ModelD model;
  VariationalIntegrator<double> integrator;
};

State runge_kutta_step(RungeKutta& method, const Numbers& q, const Numbers& qd, Number h, const Accelerations& qdd,
                       Number t)
{
  const ModelD& model = method.model;
  VectorX<double> next_q = configuration(model, q), next_qd = vector(qd, "qd", model.nv()), acceleration;
  method.integrator.step(next_q, next_qd, t.value, h.value,
                         [&](const VectorX<double>& q, const VectorX<double>& qd, double t) -> const VectorX<double>& {
                           return acceleration = vector(qdd(array(q), array(qd), t), "qdd(q, qd, t)", model.nv());
                         });
  return {finite_array(next_q, "q"), finite_array(next_qd, "qd")};
}

State variational_step(Variational& method, const Numbers& q, const Numbers& qd, Number h,
                       const std::optional<Numbers>& tau0, const std::optional<Numbers>& tau1,
                       const GivenWrenches& Fext)
{
  const ModelD& model = method.model;
  const auto forces = [&](const std::optional<Numbers>& tau, const char* name) -> VectorX<double> {
    return tau ? VectorX<double>(vector(*tau, name, model.nv())) : VectorX<double>::Zero(model.nv());
  };
  VectorX<double> next_q = configuration(model, q), next_qd = vector(qd, "qd", model.nv());
  const VectorX<double> at_start = forces(tau0, "tau0"), at_end = forces(tau1, "tau1");
  const ExternalWrenches<double> wrenches = on_bodies(model, Fext);
  unlocked(any_length(), &method,
           [&] { method.integrator.step(next_q, next_qd, h.value, at_start, at_end, wrenches); });
  return {finite_array(next_q, "q"), finite_array(next_qd, "qd")};
}

}  // namespace

void bind_motion(py::module_& m)
{
  using namespace py::literals;
  py::class_<RungeKutta>(m, "RungeKuttaMuntheKaas", "Steps of order 4 for any accelerations, on the group.")
      .def(py::init([](const ModelD& model) {
             return RungeKutta{model, RungeKuttaMuntheKaas<double>(model)};
           }),
           "model"_a, OthersRun(), "Make the workspace.")
      .def("step", &runge_kutta_step, "q"_a, "qd"_a, "h"_a, "qdd"_a, "t"_a = 0.0,
           "From q (nq,) and qd (nv,) at the time t to those at t + h. qdd(q, qd, t) returns the accelerations (nv,).");
  py::class_<Variational>(m, "VariationalIntegrator",
                          "Symplectic steps of order 2, which keep loops closed and a free robot's momentum.")
      .def(py::init([](const ModelD& model, const std::vector<Loop>& loops) {
             return Variational{model, VariationalIntegrator<double>(model, loops)};
           }),
           "model"_a, "loops"_a = std::vector<Loop>{}, OthersRun(), "Make the workspace.")
      .def(
          "set_gravity",
          [](Variational& method, const Vector3<double>& gravity) { method.integrator.set_gravity(gravity); },
          "gravity"_a, "Gravity (3,), m/s^2, in place of the model's own.")
      .def(
          "step", &variational_step, "q"_a, "qd"_a, "h"_a, "tau0"_a = py::none(), "tau1"_a = py::none(),
          "Fext"_a = py::none(),
          "From q (nq,) and qd (nv,), which meet the loops, to those a time h later. tau0, tau1 (nv,): joint forces at "
          "the start and at the end, none by default. Raises StateError when the step is too long to be solved.");
}

}  // namespace articulate::python
