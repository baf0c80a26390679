/** \file
 *  \brief Inverse dynamics in Python.
 */
#include "recursion.hpp"
#include <articulate/rnea/inverse_dynamics.hpp>

namespace articulate::python {
namespace {

using ModelD = Model<double>;
using Rnea = InverseDynamics<double>;
using Equations = EquationsOfMotion<double>;

Array joint_forces(Rnea& rnea, const Numbers& q, const Numbers& qd, const Numbers& qdd, const GivenWrenches& Fext)
{
  const ModelD& model = rnea.model();
  return finite_array(rnea(vector(q, "q", model.nq()), vector(qd, "qd", model.nv()), vector(qdd, "qdd", model.nv()),
                           on_bodies(model, Fext)),
                      "tau");
}

Equations equations_of_motion(const ModelD& model, const Numbers& q, const Numbers& qd, const GivenWrenches& Fext)
{
  Rnea rnea(model);
  const Equations equations(rnea, vector(q, "q", model.nq()), vector(qd, "qd", model.nv()), on_bodies(model, Fext));
  require_finite_result(equations.M, "M");
  require_finite_result(equations.b, "b");
  return equations;
}

}  // namespace

void bind_rnea(py::module_& m)
{
  using namespace py::literals;
  const char* const arguments =
      "q (nq,): coordinates (rad, m; free joint: position, quaternion x y z w). qd (nv,): rates (rad/s, m/s; free "
      "joint: body twist). qdd (nv,): accelerations, the component-wise derivative of qd. Fext: external wrenches, "
      "{link: (6,) in the link's frame} or (N + 1, 6) in body frames. Returns tau (nv,) (N m, N; free joint: wrench in "
      "the body frame). Raises SizeError, StateError.";
  py::class_<Rnea, Recursion<double>>(m, "InverseDynamics",
                                      "Kim's Table 2: joint forces of a tree in prescribed motion, in two sweeps and "
                                      "O(n). What the recursion saw can be read after a call.")
      .def(py::init<const ModelD&>(), "model"_a, py::keep_alive<1, 2>(), "Make the workspace for a model.")
      .def("__call__", &joint_forces, "q"_a, "qd"_a, "qdd"_a, "Fext"_a = py::none(), arguments)
      .def_property_readonly("F", seen(&Rnea::F),
                             "F_i (N + 1, 6): from parent to body i through its joint, in the frame of body i, N m and "
                             "N; F[0] is what the world carries (Kim 42). A read-only view.");
  m.def(
      "inverse_dynamics",
      [](const ModelD& model, const Numbers& q, const Numbers& qd, const Numbers& qdd, const GivenWrenches& Fext) {
        Rnea rnea(model);
        return joint_forces(rnea, q, qd, qdd, Fext);
      },
      "model"_a, "q"_a, "qd"_a, "qdd"_a, "Fext"_a = py::none(), arguments);

  py::class_<Equations>(m, "EquationsOfMotion", "The terms of M qdd + b = tau (Kim 32); unpacks as M, b, gravity.")
      .def_property_readonly(
          "M", [](const Equations& e) { return array(e.M); }, "The mass matrix, (nv, nv).")
      .def_property_readonly(
          "b", [](const Equations& e) { return array(e.b); },
          "The bias (nv,): inverse dynamics at zero acceleration, with gravity and external wrenches.")
      .def_property_readonly(
          "gravity", [](const Equations& e) { return array(e.gravity); },
          "The part of b (nv,) that a body at rest needs, without external wrenches.")
      .def("__iter__", [](const Equations& e) {
        return IteratorOf<Array>(py::make_tuple(array(e.M), array(e.b), array(e.gravity)));
      });
  m.def("equations_of_motion", &equations_of_motion, "model"_a, "q"_a, "qd"_a, "Fext"_a = py::none(),
        "The terms of M qdd + b = tau at q (nq,), qd (nv,), read off inverse dynamics column by column (Kim 32).");
  m.def(
      "mass_matrix",
      [](const ModelD& model, const Numbers& q) {
        const VectorX<double> rest = VectorX<double>::Zero(model.nv());
        Rnea rnea(model);
        const Equations equations(rnea, vector(q, "q", model.nq()), rest);
        return finite_array(equations.M, "M");
      },
      "model"_a, "q"_a, "The mass matrix M(q), (nv, nv), of the coordinates q (nq,).");
}

}  // namespace articulate::python
