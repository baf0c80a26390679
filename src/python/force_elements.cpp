/** \file
 *  \brief Force elements in Python.
 */
#include <pybind11/functional.h>
#include <articulate/motion/force_jacobians.hpp>
#include <articulate/motion/joint_dynamics.hpp>
#include "force_elements.hpp"
#include "mechanism.hpp"
#include "recursion.hpp"

namespace articulate::python {
namespace {

using namespace py::literals;
using ModelD = Model<double>;
using Law = std::function<Numbers(Array, Array, double)>;
using Point = std::tuple<std::string, Numbers>;

/// The elements with the model on which they act.
struct ElementsOfModel {
  ModelD model;
  ForceElements<double> elements;
  ForceElementsJacobians<double> jacobians;
};

Attachment attachment(const Point& point) { return {std::get<0>(point), numbers<3>(std::get<1>(point))}; }

/// Rows of a table, or one that is constant.
template <std::size_t n>
TimeTable<n> table(const Numbers& values, const std::optional<Numbers>& times)
{
  if (!times) return TimeTable<n>(numbers<n>(values));
  const py::ssize_t rows = times->size(), columns = static_cast<py::ssize_t>(n);
  require(values, {rows, columns});
  TimeTable<n> all;
  for (py::ssize_t k = 0; k < rows; ++k) {
    all.times.push_back((*times)[k]);
    std::copy_n(values.begin() + k * columns, n, all.values.emplace_back().begin());
  }
  return all;
}

void bind_elements(py::module_& m)
{
  py::class_<Element>(m, "ForceElement", "Something that acts on a mechanism, depending on its state and on time.")
      .def_property_readonly(
          "name", [](const Element& one) { return name_of(one.value); }, "What it is called.")
      .def("__repr__", [](const Element& one) { return py::str("ForceElement({!r})").format(name_of(one.value)); });
  m.def(
      "spring_damper",
      [](const std::string& name, const Point& first, const Point& second, Number stiffness, Number damping,
         Number rest_length) -> Element {
        return {SpringDamper{name, attachment(first), attachment(second), stiffness, damping, rest_length}};
      },
      "name"_a, "first"_a, "second"_a, "stiffness"_a = 0.0, "damping"_a = 0.0, "rest_length"_a = 0.0,
      "A spring (N/m) and a damper (N s/m) in line between two points, with a length at rest (m). An end is a link's "
      "name, "
      "empty for the world, and a place (3,), m, in its frame.");
  m.def(
      "joint_spring",
      [](const std::string& name, const std::string& joint, Number stiffness, Number damping, Number rest,
         int degree) -> Element {
        return {JointSpring{name, joint, degree, stiffness, damping, rest}};
      },
      "name"_a, "joint"_a, "stiffness"_a = 0.0, "damping"_a = 0.0, "rest"_a = 0.0, "degree"_a = 0,
      "A spring (N m/rad, N/m) and a damper of one degree of a joint; at rest (rad, m) the spring is slack.");
  m.def(
      "joint_friction",
      [](const std::string& name, const std::string& joint, Number viscous, Number coulomb, Number width,
         int degree) -> Element {
        return {JointFriction{name, joint, degree, viscous, coulomb, width}};
      },
      "name"_a, "joint"_a, "viscous"_a = 0.0, "coulomb"_a = 0.0, "width"_a = JointFriction{}.width, "degree"_a = 0,
      "Viscous friction (N m s/rad, N s/m), and Coulomb's (N m, N), of which 71 % are there at the rate `width`.");
  m.def(
      "applied_force",
      [](const std::string& name, const Point& at, const Numbers& force, const std::optional<Numbers>& times,
         bool in_link) -> Element {
        return {AppliedForce{name, attachment(at), table<3>(force, times), in_link}};
      },
      "name"_a, "at"_a, "force"_a, "times"_a = py::none(), "in_link"_a = false,
      "A force (3,), N, at a point, in axes of the world or of the link; or (rows, 3) at times (rows,), s.");
  m.def(
      "applied_joint_force",
      [](const std::string& name, const std::string& joint, const Numbers& force, const std::optional<Numbers>& times,
         int degree) -> Element {
        return {AppliedJointForce{name, joint, degree, table<1>(force, times)}};
      },
      "name"_a, "joint"_a, "force"_a, "times"_a = py::none(), "degree"_a = 0,
      "A force (1,), N m or N, in one degree of a joint; or (rows, 1) at times (rows,), s.");
  m.def(
      "rotor_inertia",
      [](const std::string& name, const std::string& joint, Number inertia, int degree) -> Element {
        return {RotorInertia{name, joint, degree, inertia}};
      },
      "name"_a, "joint"_a, "inertia"_a, "degree"_a = 0,
      "What a geared rotor adds to one degree of a joint (kg m^2, kg): its own inertia times the square of the ratio.");
  m.def(
      "gravity_field",
      [](const std::string& name, Number strength, const Numbers& center) -> Element {
        return {GravityField{name, strength, numbers<3>(center)}};
      },
      "name"_a, "strength"_a, "center"_a = py::make_tuple(0.0, 0.0, 0.0),
      "The gravity of a point at `center` (3,), m, with GM (m^3/s^2), on every body at its centre of mass.");
  m.def(
      "user_law",
      [](const std::string& name, const Law& force) -> Element {
        return {UserLaw{name, [force](const VectorX<double>& q, const VectorX<double>& qd, double t) {
                          return VectorX<double>(
                              vector(force(array(q), array(qd), t), "force(q, qd, t)", static_cast<int>(qd.size())));
                        }}};
      },
      "name"_a, "force"_a,
      "A law of your own: force(q, qd, t) returns joint forces (nv,). Called at every evaluation, about a microsecond "
      "and "
      "what it takes itself; it has no Jacobian.");
  m.def(
      "joint_dynamics",
      [](const ModelD& model, bool damping, bool friction, bool armature, Number width) {
        std::vector<Element> elements;
        for (const ForceElement& one : joint_dynamics(model.mechanism(), {damping, friction, armature}, width))
          elements.push_back({one});
        return elements;
      },
      "model"_a, "damping"_a = false, "friction"_a = false, "armature"_a = false, "width"_a = JointFriction{}.width,
      "The force elements of what the description says of its joints. Raises ModelError for a joint of several "
      "degrees.");
}

void bind_stops(py::module_& m)
{
  py::class_<StopElement>(m, "Stop", "What a motion runs into: the ends of a joint's range, or a plane.")
      .def_property_readonly(
          "name", [](const StopElement& one) { return name_of(one.value); }, "What it is called.")
      .def("__repr__", [](const StopElement& one) { return py::str("Stop({!r})").format(name_of(one.value)); });
  m.def(
      "joint_stop",
      [](const std::string& name, const std::string& joint, std::optional<Number> lower, std::optional<Number> upper,
         Number restitution, int degree) -> StopElement {
        JointStop stop{name, joint, degree};
        if (lower) stop.lower = *lower;
        if (upper) stop.upper = *upper;
        stop.restitution = restitution;
        return {stop};
      },
      "name"_a, "joint"_a, "lower"_a = py::none(), "upper"_a = py::none(), "restitution"_a = 0.0, "degree"_a = 0,
      "The ends of the range of one degree of a joint (rad, m), None for no end; the restitution is from 0, plastic, "
      "to "
      "1, elastic.");
  m.def(
      "plane_stop",
      [](const std::string& name, const Point& point, const Point& plane, const Numbers& normal,
         Number restitution) -> StopElement {
        return {PlaneStop{name, attachment(point), attachment(plane), numbers<3>(normal), restitution}};
      },
      "name"_a, "point"_a, "plane"_a, "normal"_a = py::make_tuple(0.0, 0.0, 1.0), "restitution"_a = 0.0,
      "A plane without friction, of which `plane` is any point, and which `point` does not pass: it stays on the side "
      "of the normal (3,), in the axes of the plane's link. Both are a link's name, empty for the world, and a place "
      "(3,), m, in its frame.");
  m.def(
      "joint_stops",
      [](const ModelD& model, Number restitution) {
        std::vector<StopElement> stops;
        for (const Stop& one : joint_stops(model.mechanism(), restitution)) stops.push_back({one});
        return stops;
      },
      "model"_a, "restitution"_a = 0.0,
      "Stops at the limits that the description gives to its joints, each called after its joint: --stops of the "
      "command line.");
}

}  // namespace

void bind_force_elements(py::module_& m)
{
  bind_elements(m);
  bind_stops(m);
  const auto run = [](ElementsOfModel& forces, const Numbers& q, const Numbers& qd, Number t) {
    const VectorX<double> at = configuration(forces.model, q), rates = vector(qd, "qd", forces.model.nv());
    forces.elements(at, rates, t);
    return rates;
  };
  py::class_<ElementsOfModel>(m, "ForceElements", "All force elements of a model.")
      .def(py::init([](const ModelD& model, const std::vector<Element>& elements) {
             return ElementsOfModel{model, ForceElements<double>(model, plain(elements)),
                                    ForceElementsJacobians<double>(model)};
           }),
           "model"_a, "elements"_a, "Find their places. Raises ModelError for a link or joint that does not exist.")
      .def(
          "__call__",
          [run](ElementsOfModel& forces, const Numbers& q, const Numbers& qd, Number t) {
            run(forces, q, qd, t);
            return finite_array(forces.elements.joint_forces(), "joint force");
          },
          "q"_a, "qd"_a, "t"_a = 0.0, "All of them as joint forces (nv,), to be added to those that are given.")
      .def(
          "jacobians",
          [run](ElementsOfModel& forces, const Numbers& q, const Numbers& qd, Number t) {
            const VectorX<double> rates = run(forces, q, qd, t);
            forces.jacobians(forces.elements, forces.elements.motion, rates, t.value);
            return std::make_tuple(finite_array(forces.jacobians.dQ_dq, "dQ_dq"),
                                   finite_array(forces.jacobians.dQ_dqd, "dQ_dqd"));
          },
          "q"_a, "qd"_a, "t"_a = 0.0,
          "How they change with q, along joint displacements, and with qd, (nv, nv) each. Raises StateError for a "
          "user's law.")
      .def_property_readonly(
          "armature", [](const ElementsOfModel& forces) { return array(forces.elements.armature); },
          "Inertias of rotors (nv,), to be added to the diagonal of the mass matrix.")
      .def_property_readonly(
          "potential", [](const ElementsOfModel& forces) { return finite(forces.elements.potential(), "potential"); },
          "J, at the latest state.")
      .def_property_readonly(
          "power", [](const ElementsOfModel& forces) { return finite(forces.elements.power(), "power"); },
          "W, at the latest state.")
      .def_property_readonly(
          "supplied", [](const ElementsOfModel& forces) { return finite(forces.elements.supplied(), "supplied"); },
          "W, of all forces without a potential: the power is this less the rate of the potential.");
}

}  // namespace articulate::python
