/** \file
 *  \brief Systems with closed loops in Python.
 */
#include <articulate/constrained/assembly.hpp>
#include <articulate/constrained/constrained_dynamics.hpp>
#include <constrained/compiled.hpp>
#include "mechanism.hpp"
#include "recursion.hpp"

namespace articulate::python {
namespace {

using ModelD = Model<double>;
using LoopsD = Loops<double>;
using AssemblyD = Assembly<double>;
using Constrained = ConstrainedDynamics<double>;
using Forces = ConstrainedForces<double>;

/// A matrix of constraints, m x nv.
MatrixX<double> constraints(const Numbers& A, int columns)
{
  const std::vector<py::ssize_t> shape = A.shape();
  if (shape.size() != 2 || shape[1] != columns)
    throw StateError("A has the shape " + text(shape) + " where (m, " + std::to_string(columns) + ") is needed.");
  require_finite(A, "A");
  return Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(A.begin(), shape[0],
                                                                                                  shape[1]);
}

std::tuple<Array, Array, Array> complete(Constrained& system, const Numbers& q, const Numbers& qd, const Numbers& qdd,
                                         const Numbers& tau, const Numbers& A, const Numbers& Adot_qd,
                                         const GivenWrenches& Fext)
{
  const ModelD& model = system.tree.model();
  const MatrixX<double> rows = constraints(A, model.nv());
  system(vector(q, "q", model.nq()), vector(qd, "qd", model.nv()), vector(qdd, "qdd", model.nv()),
         vector(tau, "tau", model.nv()), rows, vector(Adot_qd, "Adot_qd", static_cast<int>(rows.rows())),
         on_bodies(model, Fext));
  return {finite_array(system.qdd(), "qdd"), finite_array(system.tau(), "tau"),
          finite_array(system.lambda(), "lambda")};
}

Forces inverse(const Numbers& tau_r, const Numbers& tau, const Numbers& A, const std::vector<bool>& actuated,
               bool least_constraint_force)
{
  const int n = static_cast<int>(tau_r.size());
  return constrained_inverse_dynamics<double>(vector(tau_r, "tau_r", n), vector(tau, "tau", n), constraints(A, n),
                                              actuated,
                                              least_constraint_force ? Least::constraint_force : Least::actuator_force);
}

void bind_loops(py::module_& m)
{
  using namespace py::literals;
  py::class_<Loop::End>(m, "LoopEnd", "A frame of a cut joint on a link.")
      .def(py::init([](const std::string& link, const Numbers& position, const Numbers& quaternion) {
             return Loop::End{link, numbers<3>(position), numbers<4>(quaternion)};
           }),
           "link"_a, "position"_a = py::make_tuple(0.0, 0.0, 0.0), "quaternion"_a = py::make_tuple(0.0, 0.0, 0.0, 1.0),
           "Place (3,), m, and quaternion x y z w of the frame in the link's.");
  py::enum_<Turning>(m, "Turning", "How the second frame of a cut joint may turn in the first.")
      .value("none", Turning::none)
      .value("about_z", Turning::about_z)
      .value("universal", Turning::universal)
      .value("free", Turning::free);
  py::class_<Loop>(m, "Loop", "A joint that closes a loop, between frames of two links.")
      .def(py::init([](const std::string& name, const Loop::End& first, const Loop::End& second,
                       const std::tuple<bool, bool, bool>& slides, Turning turning, const Numbers& axis, Number pitch) {
             const auto& [x, y, z] = slides;
             return Loop{name, first, second, numbers<3>(axis), {x, y, z}, turning, pitch};
           }),
           "name"_a, "first"_a, "second"_a, "slides"_a, "turning"_a, "axis"_a = py::make_tuple(0.0, 0.0, 1.0),
           "pitch"_a = 0.0,
           "Say by hand what is free: slides along x, y, z (three bools), and turns, both seen from frames whose z is "
           "turned to the axis (3,). With turns about z and no slide along z, pitch (m/rad) is the slide that goes "
           "with the turn.")
      .def_readonly("name", &Loop::name, "Its name.");
  m.def(
      "cut_joint",
      [](const std::string& name, const std::variant<JointType, std::string>& type, const Loop::End& first,
         const Loop::End& second, const Numbers& axis,
         Number pitch) { return cut_joint(name, joint_type(type), first, second, numbers<3>(axis), pitch); },
      "name"_a, "type"_a, "first"_a, "second"_a, "axis"_a = py::make_tuple(0.0, 0.0, 1.0), "pitch"_a = 0.0,
      "The loop that a joint of a type (its name or a JointType) closes between two frames, with the axis (3,) in both "
      "and a helical joint's pitch (m/rad). Raises ModelError for a free joint, which constrains nothing.");
  py::class_<LoopsD, Recursion<double>>(
      m, "Loops", "The constraints of some loops at a state: A qd = 0, A qdd + Adot qd = 0 (Kim 55).")
      .def(py::init<const ModelD&, const std::vector<Loop>&>(), "model"_a, "loops"_a, py::keep_alive<1, 2>(),
           "Find the frames. Raises ModelError for a loop that closes on one body or constrains nothing.")
      .def(
          "__call__",
          [](LoopsD& loops, const Numbers& q, const Numbers& qd) {
            loops(vector(q, "q", loops.model().nq()), vector(qd, "qd", loops.model().nv()));
          },
          "q"_a, "qd"_a, "Everything at q (nq,), qd (nv,).")
      .def_property_readonly(
          "A", [](const LoopsD& loops) { return array(loops.A); }, "(m, nv).")
      .def_property_readonly(
          "Adot_qd", [](const LoopsD& loops) { return array(loops.Adot_qd); }, "(m,).")
      .def_property_readonly(
          "violation", [](const LoopsD& loops) { return array(loops.violation); },
          "(m,): how far each constraint is from being met, m or rad.")
      .def_property_readonly("rows", &LoopsD::rows, "m, the number of constraints.");
  py::class_<AssemblyD>(m, "Assembly", "Closing loops: coordinates and rates that meet the constraints.")
      .def(py::init<const ModelD&, const std::vector<Loop>&, std::vector<bool>>(), "model"_a, "loops"_a,
           "held"_a = std::vector<bool>{}, py::keep_alive<1, 2>(),
           "held (nv,): degrees that must stay as they are; empty for none.")
      .def(
          "close",
          [](AssemblyD& assembly, const Numbers& q) {
            return array(assembly.close(vector(q, "q", assembly.loops().model().nq())));
          },
          "q"_a, "Coordinates near q (nq,) at which all loops close. Raises StateError with the size of what is open.")
      .def(
          "project",
          [](AssemblyD& assembly, const Numbers& q, const Numbers& qd) {
            const ModelD& model = assembly.loops().model();
            return array(assembly.project(vector(q, "q", model.nq()), vector(qd, "qd", model.nv())));
          },
          "q"_a, "qd"_a, "The rates nearest to qd (nv,) that keep the loops closed at q (nq,).");
}

}  // namespace

void bind_constrained(py::module_& m)
{
  using namespace py::literals;
  bind_loops(m);
  py::class_<Constrained>(
      m, "ConstrainedDynamics",
      "M qdd + b = tau + A^T lambda, A qdd + Adot qd = 0 (Kim 54, 55, 70, 71): forward dynamics, or "
      "hybrid dynamics where accelerations are prescribed.")
      .def(py::init<const ModelD&, const std::vector<bool>&, int>(), "model"_a, "prescribed"_a, "rows"_a,
           py::keep_alive<1, 2>(), "prescribed (nv,): is the acceleration given? rows: m, the number of constraints.")
      .def("__call__", &complete, "q"_a, "qd"_a, "qdd"_a, "tau"_a, "A"_a, "Adot_qd"_a, "Fext"_a = py::none(),
           "q (nq,), qd (nv,), qdd (nv,) read where prescribed, tau (nv,) read elsewhere, A (m, nv), Adot_qd (m,). "
           "Returns qdd (nv,), tau (nv,), lambda (m,): the shortest multipliers where they are not unique.")
      .def_property_readonly("rank", &Constrained::rank, "How many rows of A are independent in the degrees in v.")
      .def_property_readonly(
          "contradiction", [](const Constrained& system) { return array(system.contradiction()); },
          "(m,): what is left of A qdd + Adot qd; not zero when constraints contradict what is prescribed.");
  py::class_<Forces>(m, "ConstrainedForces", "Forces that make a constrained system move as prescribed.")
      .def_property_readonly(
          "tau", [](const Forces& f) { return array(f.tau); }, "(nv,) joint forces, N m or N.")
      .def_property_readonly(
          "lambda_", [](const Forces& f) { return array(f.lambda); }, "(m,) multipliers.")
      .def_readonly("rank_passive", &Forces::rank_passive, "The rank of the columns of passive joints.")
      .def_readonly("unique", &Forces::unique, "Whether the actuator forces are the only ones.");
  m.def(
      "constrained_inverse_dynamics", &inverse, "tau_r"_a, "tau"_a, "A"_a, "actuated"_a,
      "least_constraint_force"_a = false,
      "Solve tau_r = tau + A^T lambda (Kim 56) for the forces of the actuated joints and the multipliers. tau_r (nv,): "
      "inverse dynamics of the tree. tau (nv,) is read at passive joints. Raises StateError when no forces do.");
}

}  // namespace articulate::python
