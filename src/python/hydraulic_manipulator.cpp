/** \file
 *  \brief The hydraulic manipulator in Python: its loops in closed form, how followers move, its working process.
 */
#include <pybind11/pybind11.h>
#include <articulate/mechanisms/hydraulic_manipulator.hpp>
#include <articulate/mechanisms/loop_motion.hpp>
#include <articulate/mechanisms/working_process.hpp>
#include <models/closed_machines.hpp>
#include "choice.hpp"
#include "mechanism.hpp"
#include "pickle.hpp"
#include "recursion.hpp"

namespace articulate::python {
namespace {

using namespace py::literals;
using ModelD = Model<double>;
using Manipulator = HydraulicManipulator<double>;
using Motion = LoopMotion<double>;
using Process = WorkingProcess<double>;
using validation::ClosedMachine;

/// What the stubs can say of a Phase::Pose.
using GivenPose = std::vector<std::optional<Number>>;

Phase::Pose pose(const GivenPose& given, const char* name)
{
  Phase::Pose numbers;
  if (given.empty()) return {};
  detail::require_size(name, given, static_cast<int>(numbers.size()));
  for (std::size_t k = 0; k < numbers.size(); ++k)
    if (given[k]) numbers[k] = given[k]->value;
  return numbers;
}

std::vector<std::optional<double>> as_list(const Phase::Pose& pose) { return {pose.begin(), pose.end()}; }

Array six_numbers(const std::array<double, 6>& x) { return array(Eigen::Map<const Vector6<double>>(x.data())); }

template <std::size_t n>
std::array<double, n> some(const Numbers& x, const char* name)
{
  const auto given = vector(x, name, n);
  std::array<double, n> copy;
  std::copy(given.begin(), given.end(), copy.begin());
  return copy;
}

std::tuple<Array, Array, Array> in_phase(const Process& process, int phase, double t)
{
  const MainMotion<double> motion = process.in_phase(phase, t);
  return {six_numbers(motion.q), six_numbers(motion.qd), six_numbers(motion.qdd)};
}

VectorX<double> closed(const Manipulator& machine, const std::array<double, 6>& main)
{
  VectorX<double> q = machine.close(main);
  if (!q.allFinite())
    throw StateError("no pins meet at these angles: the two bars of a linkage are too short, or too different.");
  return q;
}

void bind_machine(py::module_& m)
{
  py::class_<ClosedMachine>(m, "ClosedMachine", "A tree, the joints that were cut to leave it, and where it closes.")
      .def_readonly("name", &ClosedMachine::name, "Its name.")
      .def_readonly("summary", &ClosedMachine::summary, "One line: what it is, where its numbers come from.")
      .def_property_readonly(
          "tree", [](const ClosedMachine& machine) { return Description(machine.tree); }, "The tree; a copy.")
      .def_readonly("loops", &ClosedMachine::loops, "The joints that were cut.")
      .def_readonly("guess", &ClosedMachine::guess, "Coordinates, nq of them, roughly closed: for Assembly.")
      .def_readonly("motors", &ClosedMachine::motors, "The joints that have a motor or a cylinder.")
      .def_readonly("leaders", &ClosedMachine::leaders, "Joints that all others follow, as many as degrees are left.");
  m.def("closed_machines", &validation::closed_machines, "The machines with loops of the book.");
  m.def("hydraulic_manipulator", &validation::hydraulic_manipulator, "load"_a = 0.0,
        "The manipulator of Ma et al. 2021 with its seven loops, and a load (kg) on the end of arm 4. The paper prints "
        "no length and no mass: the numbers are ours.");
  py::class_<Manipulator>(m, "HydraulicManipulator",
                          "Closed forms of the seven loops, for any machine whose joints and pins have the names of "
                          "the built-in one. Main coordinates are theta_1 to theta_4 (rad), d_5 (m), theta_6 (rad).")
      .def(py::init([](const ModelD& model, const std::tuple<int, int, int>& sides) {
             const auto [L, P, T] = sides;
             for (const int side : {L, P, T})
               if (side != 1 && side != -1)
                 throw StateError("a side is " + std::to_string(side) + "; it must be 1 (left) or -1 (right).");
             return Manipulator(model, {L, P, T});
           }),
           "model"_a, "sides"_a = std::make_tuple(-1, -1, 1), OthersRun(),
           "Read the places of the pins. sides: on which side of the way from rocker to coupler the pins L, P and T "
           "are, "
           "1 for left, -1 for right. Raises StateError when a link or a joint has not the name that it needs.")
      .def(
          "close",
          [](const Manipulator& machine, const Numbers& main) { return array(closed(machine, some<6>(main, "main"))); },
          "main"_a,
          "All coordinates (nq,) from the main ones (6,), all loops closed (Ma 65 to 80). Raises StateError where two "
          "bars do not meet.")
      .def(
          "pushes",
          [](const Manipulator& machine, const Numbers& main, const Numbers& moments) {
            const std::array<double, 6> pose = some<6>(main, "main");
            closed(machine, pose);
            return finite_array(Eigen::Vector4d(machine.pushes(pose, some<4>(moments, "moments")).data()), "pushes");
          },
          "main"_a, "moments"_a,
          "Pushes of cylinders 1, 2, 3, 5 (4,), N, that make given moments (4,), N m, of theta_2, theta_3, theta_4, "
          "theta_6 at main (6,): by the balance of the pins, rods carrying force along themselves only (Ma 92 to 94). "
          "Raises StateError where two bars do not meet, or a cylinder has no lever.")
      .def("slot", &Manipulator::slot, "joint"_a,
           "The column of a joint in coordinates and rates. Raises StateError when there is none of that name.")
      .def_property_readonly(
          "leaders",
          [](const Manipulator&) {
            return std::vector<std::string>(Manipulator::leaders.begin(), Manipulator::leaders.end());
          },
          "The joints of the main chain, that lead, in the order of main coordinates.")
      .def_property_readonly(
          "driven",
          [](const Manipulator&) {
            return std::vector<std::string>(Manipulator::driven.begin(), Manipulator::driven.end());
          },
          "The joints that cylinders 1, 2, 3, 5 push.")
      .def_property_readonly(
          "cylinders",
          [](const Manipulator&) {
            return std::vector<std::string>(Manipulator::cylinders.begin(), Manipulator::cylinders.end());
          },
          "The joints along cylinders 1, 2, 3, 5; their coordinates are the lengths.");
}

void bind_loop_motion(py::module_& m)
{
  py::class_<Motion>(m, "LoopMotion",
                     "How all joints move when some lead: qd = G rates, qdd = G accelerations + h. The loops' rows may "
                     "be dependent; the followers must not be free.")
      .def(py::init<const ModelD&, const std::vector<Loop>&, const std::vector<bool>&>(), "model"_a, "loops"_a,
           "leads"_a, OthersRun(),
           "leads (nv,): does the degree lead? Raises SizeError; ModelError for a loop that closes on one body or "
           "constrains nothing.")
      .def(
          "__call__",
          [](Motion& motion, const Numbers& q, const Numbers& rates, const Numbers& accelerations) {
            const int leaders = static_cast<int>(motion.leaders().size());
            const auto at = configuration(motion.loops().model(), q), leading = vector(rates, "rates", leaders),
                       changing = vector(accelerations, "accelerations", leaders);
            VectorX<double> qd, qdd;
            unlocked(any_length(), &motion, [&] {
              motion(at, leading, changing);
              qd = motion.qd, qdd = motion.qdd;
            });
            return std::make_tuple(finite_array(qd, "qd"), finite_array(qdd, "qdd"));
          },
          "q"_a, "rates"_a, "accelerations"_a,
          "Rates and accelerations of all joints, (nv,) each, at closed coordinates q (nq,) from those of the leaders, "
          "in the order of their columns. Raises StateError where followers can move although the leaders stand still.")
      .def_property_readonly(
          "G", [](const Motion& motion) { return ran(motion.loops(), "G"), array(motion.G); },
          "(nv, leaders): rates of all joints per rate of a leader, at the latest q; a copy.")
      .def_property_readonly("loops", &Motion::loops, py::return_value_policy::reference_internal,
                             "The loops at the state of the latest call.")
      .def_property_readonly("leaders", &Motion::leaders, "The columns of the leaders, rising.")
      .def_property_readonly("followers", &Motion::followers, "Those of all others, rising.");
}

void bind_process(py::module_& m)
{
  py::enum_<Phase::Law>(m, "PhaseLaw", "How joints move in a phase.")
      .value("quintic", Phase::Law::quintic)
      .value("even", Phase::Law::even)
      .value("descent", Phase::Law::descent);
  py::class_<Phase>(m, "Phase", "A phase of a working process; it begins where the one before ended.")
      .def(py::init([](const std::string& about, Number until, Choice<Phase::Law> law, const GivenPose& end) {
             return Phase{about, until, law, pose(end, "pose")};
           }),
           "about"_a, "until"_a, "law"_a, "pose"_a = py::list(),
           "about: what happens; until: its end, s; pose: theta_1 to theta_4 (degrees), d_5 (mm), theta_6 (degrees) at "
           "its end, None for what stays as it was.")
      .def_readonly("about", &Phase::about, "What happens.")
      .def_readonly("until", &Phase::until, "Its end, s.")
      .def_readonly("law", &Phase::law, "How joints move.")
      .def_property_readonly(
          "pose", [](const Phase& phase) { return as_list(phase.pose); },
          "Six numbers, degrees and mm, or None for what stays as it was.");
  py::class_<ProcessData>(m, "ProcessData", "A working process as plain data.")
      .def(py::init([](const GivenPose& start, const std::vector<Phase>& phases, Number arm_1, Number arm_2,
                       Number descent_x, Number descent_z, Number descent_speed, Number load, Number load_from) {
             return ProcessData{pose(start, "start"), phases, arm_1,    arm_2, descent_x, descent_z,
                                descent_speed,        load,   load_from};
           }),
           "start"_a, "phases"_a, "arm_1"_a, "arm_2"_a, "descent_x"_a = 0.0, "descent_z"_a = 0.0,
           "descent_speed"_a = 0.0, "load"_a = 0.0, "load_from"_a = 0.0,
           "start: the first pose as in Phase, None for zero; arm_1, arm_2: lengths, m; a descent begins with the end "
           "of arm 2 at descent_x, descent_z (m), seen from the joint of arm 1, and goes down with descent_speed, m/s; "
           "load (kg) hangs on arm 4 from the time load_from (s) on.")
      .def_property_readonly(
          "start", [](const ProcessData& data) { return as_list(data.start); }, "The first pose, degrees and mm.")
      .def_readonly("phases", &ProcessData::phases, "Phase after phase.")
      .def_readonly("arm_1", &ProcessData::arm_1, "The length of arm 1, m.")
      .def_readonly("arm_2", &ProcessData::arm_2, "The length of arm 2, m.")
      .def_readonly("descent_x", &ProcessData::descent_x, "Where a descent begins, m.")
      .def_readonly("descent_z", &ProcessData::descent_z, "Where a descent begins, m.")
      .def_readonly("descent_speed", &ProcessData::descent_speed, "How fast it goes, m/s.")
      .def_readonly("load", &ProcessData::load, "The mass on the end of arm 4, kg.")
      .def_readonly("load_from", &ProcessData::load_from, "From which time on, s.");
  m.def("working_process", &validation::working_process,
        "The eighty seconds of Ma et al. 2021, section 7; which numbers are published and which are ours stands in "
        "validation/models/hydraulic_manipulator.cpp.");
  py::class_<Process>(m, "WorkingProcess", "The motion of the main chain in time.")
      .def(py::init<const ProcessData&>(), "data"_a,
           "Place the phases. Raises StateError when times do not rise, a pose is no number, or the line leaves the "
           "reach of the arms.")
      .def(
          "__call__", [](const Process& process, Number t) { return in_phase(process, process.phase(t), t); }, "t"_a,
          "Main coordinates, rates and accelerations, (6,) each, at a time (s); at a change of phases those of the one "
          "that ends. Raises StateError for a time outside.")
      .def(
          "in_phase",
          [](const Process& process, int phase, Number t) {
            const int phases = static_cast<int>(process.data().phases.size());
            if (phase < 0 || phase >= phases)
              throw py::index_error("There is no phase " + std::to_string(phase) + "; there are 0 to " +
                                    std::to_string(phases - 1) + ".");
            process.require_within(t);
            return in_phase(process, phase, t);
          },
          "phase"_a, "t"_a,
          "The same, (6,) each, by the law of one phase, which is meant for its ends. Raises IndexError, StateError.")
      .def(
          "phase", [](const Process& process, Number t) { return process.phase(t); }, "t"_a,
          "The phase of a time (s), the first being 0; at a change the one that ends. Raises StateError for a time "
          "outside.")
      .def_property_readonly("duration", &Process::duration, "The end of the last phase, s.");
}

}  // namespace

void bind_hydraulic_manipulator(py::module_& m)
{
  bind_machine(m);
  bind_loop_motion(m);
  bind_process(m);
  pickle_by_arguments(m.attr("Phase"), {"about", "until", "law", "pose"});
  pickle_by_arguments(m.attr("ProcessData"), {"start", "phases", "arm_1", "arm_2", "descent_x", "descent_z",
                                              "descent_speed", "load", "load_from"});
}

}  // namespace articulate::python
