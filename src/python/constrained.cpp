/** \file
 *  \brief Systems with closed loops in Python.
 */
#include <articulate/constrained/assembly.hpp>
#include <articulate/constrained/constrained_dynamics.hpp>
#include <articulate/constrained/loop_impulse.hpp>
#include <articulate/constrained/operational_inertia.hpp>
#include <cli/constrained_inverse.hpp>
#include "choice.hpp"
#include "mechanism.hpp"
#include "pickle.hpp"
#include "recursion.hpp"

namespace articulate::python {
namespace {

using ModelD = Model<double>;
using LoopsD = Loops<double>;
using AssemblyD = Assembly<double>;
using Constrained = ConstrainedDynamics<double>;
using Forces = ConstrainedForces<double>;

std::tuple<Array, Array, Array> complete(Constrained& system, const Numbers& q, const Numbers& qd, const Numbers& qdd,
                                         const Numbers& tau, const Numbers& A, const Numbers& Adot_qd,
                                         const GivenWrenches& Fext)
{
  const ModelD& model = system.tree.model();
  const MatrixX<double> rows = rows_of(A, "A", model.nv());
  const auto at = configuration(model, q), rates = vector(qd, "qd", model.nv()),
             given_qdd = vector(qdd, "qdd", model.nv()), given_tau = vector(tau, "tau", model.nv()),
             drift = vector(Adot_qd, "Adot_qd", static_cast<int>(rows.rows()));
  const ExternalWrenches<double> wrenches = on_bodies(model, Fext);
  VectorX<double> accelerations, forces, lambda;
  unlocked(quadratic(model), &system, [&] {
    system(at, rates, given_qdd, given_tau, rows, drift, wrenches);
    accelerations = system.qdd(), forces = system.tau(), lambda = system.lambda();
  });
  return {finite_array(accelerations, "qdd"), finite_array(forces, "tau"), finite_array(lambda, "lambda")};
}

Forces inverse(const Numbers& tau_r, const Numbers& tau, const Numbers& A, const std::vector<bool>& actuated,
               Choice<Least> least)
{
  const int n = static_cast<int>(tau_r.size());
  const VectorX<double> needed = vector(tau_r, "tau_r", n), passive = vector(tau, "tau", n);
  const MatrixX<double> rows = rows_of(A, "A", n);
  return unlocked(any_length(), nullptr,
                  [&] { return constrained_inverse_dynamics<double>(needed, passive, rows, actuated, least); });
}

std::pair<Array, Array> impulse_of_loops(const ModelD& model, const std::vector<Loop>& loops, const Numbers& q,
                                         const Numbers& before, Number restitution)
{
  const auto at = configuration(model, q), rates = vector(before, "before", model.nv());
  const auto [after, Lambda] =
      unlocked(quadratic(model), nullptr, [&] { return loop_impulse(model, loops, at, rates, restitution); });
  return {finite_array(after, "qd"), finite_array(Lambda, "Lambda")};
}

void bind_loops(py::module_& m)
{
  using namespace py::literals;
  py::class_<Loop::End> end(m, "LoopEnd", "A frame of a cut joint on a link.");
  pickle_by_arguments(end, {"link", "position", "quaternion"});
  end.def(py::init([](const std::string& link, const Numbers& position, const Numbers& quaternion) {
            return Loop::End{link, numbers<3>(position), numbers<4>(quaternion)};
          }),
          "link"_a, "position"_a = py::make_tuple(0.0, 0.0, 0.0), "quaternion"_a = py::make_tuple(0.0, 0.0, 0.0, 1.0),
          "Place (3,), m, and quaternion x y z w of the frame in the link's.")
      .def_readonly("link", &Loop::End::link, "The name of the link.")
      .def_property_readonly(
          "position", [](const Loop::End& end) { return Array(3, end.position.data()); },
          "The origin in the link's frame, (3,), m; a copy.")
      .def_property_readonly(
          "quaternion", [](const Loop::End& end) { return Array(4, end.quaternion.data()); },
          "The axes in the link's frame, x y z w, (4,); a copy.");
  py::enum_<Turning>(m, "Turning", "How the second frame of a cut joint may turn in the first.")
      .value("none", Turning::none)
      .value("about_z", Turning::about_z)
      .value("universal", Turning::universal)
      .value("free", Turning::free);
  py::class_<Coupling> coupling(m, "Coupling", "Two joints of one degree whose coordinates go together.");
  pickle_by_arguments(coupling, {"joint", "follows"});
  coupling
      .def(py::init([](const std::string& joint, const Mimic& follows) {
             return Coupling{joint, follows};
           }),
           "joint"_a, "follows"_a, "The name of the joint that follows, and the Mimic that says which leads and how.")
      .def_readonly("joint", &Coupling::joint, "The joint that follows.")
      .def_readonly("follows", &Coupling::follows, "Which joint leads, and how.");
  py::class_<Loop> loop(m, "Loop", "A joint that closes a loop, between frames of two links; or two coupled joints.");
  pickle_by_arguments(loop, {"name", "first", "second", "slides", "turning", "axis", "pitch", "coupling"});
  loop.def(py::init([](const std::string& name, const Loop::End& first, const Loop::End& second,
                       const std::tuple<bool, bool, bool>& slides, Choice<Turning> turning, const Numbers& axis,
                       Number pitch, const std::optional<Coupling>& coupled) {
             const auto& [x, y, z] = slides;
             return Loop{name, first, second, numbers<3>(axis), {x, y, z}, turning, pitch, coupled};
           }),
           "name"_a, "first"_a, "second"_a, "slides"_a, "turning"_a, "axis"_a = py::make_tuple(0.0, 0.0, 1.0),
           "pitch"_a = 0.0, "coupling"_a = py::none(),
           "Say by hand what is free: slides along x, y, z (three bools), and turns, both seen from frames whose z is "
           "turned to the axis (3,). With turns about z and no slide along z, pitch (m/rad) is the slide that goes "
           "with the turn. A coupling stands instead of all that; coupled_joints makes a Loop of one.")
      .def_readonly("name", &Loop::name, "Its name.")
      .def_readonly("first", &Loop::first, "Its frame on the first link.")
      .def_readonly("second", &Loop::second, "Its frame on the second link.")
      .def_property_readonly(
          "slides", [](const Loop& loop) { return std::make_tuple(loop.slides[0], loop.slides[1], loop.slides[2]); },
          "Whether it slides along x, y, z.")
      .def_readonly("turning", &Loop::turning, "How the second frame may turn in the first.")
      .def_property_readonly(
          "axis", [](const Loop& loop) { return Array(3, loop.axis.data()); },
          "To where z of both frames is turned, (3,); a copy.")
      .def_readonly("pitch", &Loop::pitch, "Of a helical joint, m/rad.")
      .def_property_readonly(
          "coupling", [](const Loop& loop) { return loop.coupling; }, "The joints that it couples, or None.");
  m.def(
      "cut_joint",
      [](const std::string& name, Choice<JointType> type, const Loop::End& first, const Loop::End& second,
         const Numbers& axis, Number pitch) { return cut_joint(name, type, first, second, numbers<3>(axis), pitch); },
      "name"_a, "type"_a, "first"_a, "second"_a, "axis"_a = py::make_tuple(0.0, 0.0, 1.0), "pitch"_a = 0.0,
      "The loop that a joint of a type (its name or a JointType) closes between two frames, with the axis (3,) in both "
      "and a helical joint's pitch (m/rad). Raises ModelError for a free joint, which constrains nothing.");
  m.def("coupled_joints", &coupled_joints, "name"_a, "joint"_a, "follows"_a,
        "The Loop that two coupled joints of one degree are: the joint of that name follows as a Mimic says. Its one "
        "multiplier is the force that this adds to the joint.");
  m.def(
      "mimic_loops", [](const Description& description) { return mimic_loops(description.mechanism()); }, "mechanism"_a,
      "The Loops that the mimicking joints of a mechanism are, each called by its joint. Raises ModelError for joints "
      "that follow each other in a circle.");
  py::class_<LoopsD, Recursion<double>>(
      m, "Loops", "The constraints of some loops at a state: A qd = 0, A qdd + Adot qd = 0 (Kim 55).")
      .def(py::init<const ModelD&, const std::vector<Loop>&>(), "model"_a, "loops"_a, OthersRun(),
           "Find the frames. Raises ModelError for a loop that closes on one body or constrains nothing.")
      .def(
          "__call__",
          [](LoopsD& loops, const Numbers& q, const Numbers& qd) {
            const auto at = configuration(loops.model(), q), rates = vector(qd, "qd", loops.model().nv());
            unlocked(quadratic(loops.model()), &loops, [&] { loops(at, rates); });
          },
          "q"_a, "qd"_a, "Everything at q (nq,), qd (nv,).")
      .def(
          "reactions",
          [](const LoopsD& loops, const Numbers& lambda) {
            return loops.reactions(vector(lambda, "lambda_", loops.rows()));
          },
          "lambda_"_a,
          "What multipliers (m,) put on the second link of each loop, a Wrench in the second frame; the first gets the "
          "opposite. Of coupled joints it is on the link that the follower carries, in the frame of that link. Raises "
          "StateError before the first call.")
      .def_property_readonly(
          "A", [](const LoopsD& loops) { return array(ran(loops, "A").A); },
          "(m, nv). Loop by loop, the turns that are forbidden, then the slides along x, y, z. A revolute joint keeps "
          "z of the first frame normal to x of the second, then to y; three slides follow.")
      .def_property_readonly(
          "Adot_qd", [](const LoopsD& loops) { return array(ran(loops, "Adot_qd").Adot_qd); }, "(m,).")
      .def_property_readonly(
          "violation", [](const LoopsD& loops) { return array(ran(loops, "violation").violation); },
          "(m,): how far each constraint is from being met, m or rad.")
      .def_property_readonly("rows", &LoopsD::rows, "m, the number of constraints.");
  m.def(
      "loop_impulse", &impulse_of_loops, "model"_a, "loops"_a, "q"_a, "before"_a, "restitution"_a = 0.0,
      "Rates (nv,) and impulses (m,), the shortest where they are not unique, when loops close at once at q (nq,) and "
      "the rates before (nv,): M (qd - before) = A^T Lambda, A (qd + restitution before) = 0. The restitution is from "
      "0, plastic, to 1, elastic. Rows may pull; those of stops in simulate() only push.");
  py::class_<AssemblyD>(m, "Assembly", "Closing loops: coordinates and rates that meet the constraints.")
      .def(py::init<const ModelD&, const std::vector<Loop>&, std::vector<bool>>(), "model"_a, "loops"_a,
           "held"_a = std::vector<bool>{}, OthersRun(),
           "held (nv,): degrees that must stay as they are; empty for none.")
      .def(
          "close",
          [](AssemblyD& assembly, const Numbers& q) {
            const auto at = configuration(assembly.loops().model(), q);
            return array(unlocked(any_length(), &assembly, [&] { return VectorX<double>(assembly.close(at)); }));
          },
          "q"_a, "Coordinates near q (nq,) at which all loops close. Raises StateError with the size of what is open.")
      .def(
          "project",
          [](AssemblyD& assembly, const Numbers& q, const Numbers& qd) {
            const ModelD& model = assembly.loops().model();
            const auto at = configuration(model, q), rates = vector(qd, "qd", model.nv());
            return array(
                unlocked(any_length(), &assembly, [&] { return VectorX<double>(assembly.project(at, rates)); }));
          },
          "q"_a, "qd"_a, "The rates nearest to qd (nv,) that keep the loops closed at q (nq,).");
}

void bind_operational_inertias(py::module_& m)
{
  using namespace py::literals;
  m.def(
      "operational_inertia",
      [](const ModelD& model, const std::string& name, const Numbers& q, Choice<JacobianFrame> frame) {
        const auto at = configuration(model, q);
        return finite_array(unlocked(quadratic(model), nullptr,
                                     [&] { return operational_inertia(model, model.link(name), at, frame); }),
                            "Lambda");
      },
      "model"_a, "name"_a, "q"_a, py::arg_v("frame", JacobianFrame::link, "JacobianFrame.link"),
      "Khatib's operational-space inertia of a link, (6, 6), (J M^-1 J^T)^-1: times an acceleration it is the wrench, "
      "moment first, that gives it to the link from rest and without gravity, while the joints follow. Raises "
      "StateError where the link cannot be moved in all six directions; mobility(model, q, J) is always finite.");
  m.def(
      "delassus_matrix",
      [](const ModelD& model, const std::vector<Loop>& loops, const Numbers& q) {
        const auto at = configuration(model, q);
        return finite_array(unlocked(quadratic(model), nullptr, [&] { return delassus_matrix(model, loops, at); }),
                            "A M^-1 A^T");
      },
      "model"_a, "loops"_a, "q"_a,
      "The Delassus matrix A M^-1 A^T (m, m) of loops: how fast each row begins to open when a unit of each multiplier "
      "acts; rows as those of Loops.A.");
  m.def(
      "constrained_mobility",
      [](const ModelD& model, const Numbers& q, const Numbers& J, const Numbers& A) {
        const auto where = configuration(model, q);
        const MatrixX<double> rows = rows_of(J, "J", model.nv()), kept = rows_of(A, "A", model.nv());
        return finite_array(unlocked(quadratic(model), nullptr,
                                     [&] {
                                       Mobility<double> at(model);
                                       at(where);
                                       return constrained_mobility(at, rows, kept);
                                     }),
                            "J M_A^-1 J^T");
      },
      "model"_a, "q"_a, "J"_a, "A"_a,
      "The mobility (m, m) of rows J (m, nv) while the constraints A (rows, nv) hold; rows of A may depend on each "
      "other.");
}

}  // namespace

void bind_constrained(py::module_& m)
{
  using namespace py::literals;
  bind_loops(m);
  bind_operational_inertias(m);
  py::class_<Constrained>(
      m, "ConstrainedDynamics",
      "M qdd + b = tau + A^T lambda, A qdd + Adot qd = 0 (Kim 54, 55, 70, 71): forward dynamics, or "
      "hybrid dynamics where accelerations are prescribed.")
      .def(py::init<const ModelD&, const std::vector<bool>&, int>(), "model"_a, "prescribed"_a, "rows"_a, OthersRun(),
           "prescribed (nv,): is the acceleration given? rows: m, the number of constraints.")
      .def("__call__", &complete, "q"_a, "qd"_a, "qdd"_a, "tau"_a, "A"_a, "Adot_qd"_a, "Fext"_a = py::none(),
           "q (nq,), qd (nv,), qdd (nv,) read where prescribed, tau (nv,) read elsewhere, A (m, nv), Adot_qd (m,). "
           "Returns qdd (nv,), tau (nv,), lambda (m,): the shortest multipliers where they are not unique.")
      .def(
          "set_gravity", [](Constrained& system, const Vector3<double>& g) { system.tree.set_gravity(g); }, "g"_a,
          "Set the gravitational acceleration (3,), m/s^2, in the world, for the calls that follow.")
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
  py::enum_<Least>(m, "Least", "Which of many forces constrained_inverse_dynamics takes.")
      .value("actuator_force", Least::actuator_force, "The shortest vector of actuator forces.")
      .value("constraint_force", Least::constraint_force, "The shortest vector of multipliers.");
  m.def(
      "constrained_inverse_dynamics", &inverse, "tau_r"_a, "tau"_a, "A"_a, "actuated"_a, "least"_a = "actuator_force",
      "Solve tau_r = tau + A^T lambda (Kim 56) for the forces of the actuated joints and the multipliers. tau_r (nv,): "
      "inverse dynamics of the tree. tau (nv,) is read at passive joints. least: a Least or its name, which of the "
      "actuator forces is taken where they are not unique. Raises StateError when no forces do.");
}

}  // namespace articulate::python
