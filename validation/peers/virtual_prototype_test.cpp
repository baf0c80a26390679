/** \file
 *  \brief Virtual prototypes: machines with loops in Simbody, and the manipulator of Ma et al. along its working process.
 *
 *  - Paper: Ma 2021, section 7, where the other engine is ADAMS.
 *  - Chapter: \ref mechanisms
 */
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdio>
#include <map>
#include <memory>
#include <articulate/mechanisms/hydraulic_manipulator.hpp>
#include <articulate/mechanisms/working_process.hpp>
#include <peers/closed_state.hpp>
#include <peers/simbody.hpp>

using namespace articulate;
using namespace articulate::validation;

namespace {

// Relative; what is left below them are steps and roundings, and no term of mechanics.
constexpr double bar_of_motion = 1e-6, bar_of_forces = 1e-4;

/// 100 n eps kappa, to which comes how far the engine leaves loops open.
double tolerance(int n, double kappa)
{
  return (100 * n * std::numeric_limits<double>::epsilon() + SimbodyMachine::closure) * kappa;
}

/// Machines for comparisons in single states: chapter 07's, and the manipulator in the middle of each of its phases.
std::vector<ClosedMachine> machines()
{
  std::vector<ClosedMachine> machines{four_bar(), hoeken(), five_bar_with_pin()};
  const ProcessData data = working_process();
  const WorkingProcess<double> process(data);
  double begin = 0;
  for (const Phase& phase : data.phases) {
    machines.push_back(hydraulic_manipulator(begin < data.load_from ? 0 : data.load));
    const Model<double> model(machines.back().tree);
    machines.back().guess = plain(HydraulicManipulator<double>(model).close(process((begin + phase.until) / 2).q));
    begin = phase.until;
  }
  return machines;
}
bool is_small(const ClosedMachine& machine) { return machine.guess.size() < 20; }

SimbodyMachine engine_of(const ClosedState& x) { return {x.machine.tree, x.machine.loops, x.joints, x.machine.motors}; }

/// The manipulator in its process: closed forms for its coordinates, chapter 07 for all else.
class Manipulator {
public:
  const ClosedState state;
  const HydraulicManipulator<double> closed_form;

  explicit Manipulator(double load)
      : state(hydraulic_manipulator(load), 1, 0, 0),
        closed_form(state.model),
        leading_(state.model.nv(), false),
        bodies_(state.model)
  {
    for (const char* leader : closed_form.leaders) leading_[slot(leader)] = true;
  }
  Manipulator(const Manipulator&) = delete;  // its parts refer to each other

  int slot(const std::string& joint) const { return closed_form.slot(joint); }
  std::vector<int> slots(const std::vector<std::string>& names) const
  {
    std::vector<int> slots;
    for (const std::string& name : names) slots.push_back(slot(name));
    return slots;
  }

  /// How the main chain moves all joints.
  Motion move(const MainMotion<double>& main) const
  {
    Vector rates = Vector::Zero(state.model.nv()), accelerations = rates;
    for (int k = 0; k < 6; ++k) {
      const int leader = slot(closed_form.leaders[k]);
      rates(leader) = main.qd[k], accelerations(leader) = main.qdd[k];
    }
    return state.follow(leading_, closed_form.close(main.q), rates, accelerations);
  }
  /// The same, with the forces of the motors in place of those of the leaders.
  Motion operator()(const MainMotion<double>& main) const
  {
    Motion x = move(main);
    x.tau = state.follow(state.motors, x.q, x.qd, x.qdd).tau;
    return x;
  }

  /// Where the tongs are and how they move, in the world frame.
  std::array<Vector, 3> tongs(const Motion& x)
  {
    bodies_(x.q, x.qd);
    const LinkFrame<double>& load = state.model.link("load");
    const Vector3<double> p = bodies_.link_pose(load).p;
    const MatrixX<double> J = bodies_.link_jacobian(load, JacobianFrame::mixed),
                          Jdot = bodies_.link_jacobian_rate(load, x.qd, JacobianFrame::mixed);
    return {Vector{{p[0], p[1], p[2]}}, (J * x.qd).tail(3), (J * x.qdd + Jdot * x.qd).tail(3)};
  }

private:
  std::vector<bool> leading_;
  ForwardKinematics<double> bodies_;
};

/// One side of a comparison along the process: q, qd, qdd, forces; place, velocity and acceleration of the tongs.
using Side = std::array<Vector, 7>;

Side side_of(Manipulator& machine, const MainMotion<double>& main)
{
  const Motion x = machine(main);
  const auto [p, v, a] = machine.tongs(x);
  return {x.q, x.qd, x.qdd, x.tau, p, v, a};
}
Side side_of(const SimbodyMachine& engine)
{
  const PointMotion tongs = engine.point("load", {0, 0, 0});
  const auto vector = [](const std::array<double, 3>& x) { return Vector{{x[0], x[1], x[2]}}; };
  return {to_vector(engine.q()), to_vector(engine.qd()), to_vector(engine.qdd()), to_vector(engine.motor_forces()),
          vector(tongs.p),       vector(tongs.v),        vector(tongs.a)};
}

/// What is compared: some entries of one part of a side. Differences count beside the largest number of ours.
struct Quantity {
  const char* name;
  std::size_t part;
  std::vector<int> entries;
  double size = 0;
  std::map<std::string, double> difference{};  ///< the largest, by where it was

  void compare(const Side& ours, const Side& theirs, const std::string& where)
  {
    for (const int k : entries) {
      size = std::max(size, std::abs(ours[part](k)));
      difference[where] = std::max(difference[where], std::abs(ours[part](k) - theirs[part](k)));
    }
  }
  double relative(const std::string& where) const { return difference.at(where) / size; }
};

/// The motion of the motors in one phase, as functions of time that are told by their values alone: rates and
/// accelerations are differences of order eight, so that none of our formulas for them has a part in the engine's side.
std::vector<Drive> drives_of(const Manipulator& machine, const WorkingProcess<double>& process, int phase)
{
  struct Instant {
    double t = -1;
    Vector q, qd, qdd;
  };
  const auto now = std::make_shared<Instant>();  // which all motors ask for, one after the other
  const auto find = [&machine, &process, phase, now](double t) {
    const auto at = [&](double time) { return machine.closed_form.close(process.in_phase(phase, time).q); };
    const double h = 0.02;
    const std::array<double, 4> first{4. / 5, -1. / 5, 4. / 105, -1. / 280},
        second{8. / 5, -1. / 5, 8. / 315, -1. / 560};
    now->t = t, now->q = at(t), now->qd = Vector::Zero(now->q.size()), now->qdd = -205. / 72 * now->q;
    for (int k = 0; k < 4; ++k) {
      const Vector before = at(t - (k + 1) * h), after = at(t + (k + 1) * h);
      now->qd += first[k] * (after - before), now->qdd += second[k] * (after + before);
    }
    now->qd /= h, now->qdd /= h * h;
  };
  std::vector<Drive> drives;
  for (const int k : machine.slots(machine.state.machine.motors))
    drives.push_back([now, find, k](double t) -> std::array<double, 3> {
      if (now->t != t) find(t);
      return {now->q(k), now->qd(k), now->qdd(k)};
    });
  return drives;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(virtual_prototype)

BOOST_AUTO_TEST_CASE(forces_move_both_alike)
{
  for (const ClosedMachine& machine : machines())
    for (const int seed : {1, 2}) {
      const ClosedState x(machine, seed, 1, is_small(machine) ? 3 : 1000);
      const int n = x.model.nv();
      const auto ours = x.move(x.q, x.qd, x.tau);
      SimbodyMachine engine = engine_of(x);
      engine.apply_forces(plain(x.q), plain(x.qd), plain(x.tau));

      Vector inputs(3 * n);
      inputs << x.q, x.qd, x.tau;
      const auto answer = [&](const Vector& y) { return x.move(y.head(n), y.segment(n, n), y.tail(n)).qdd; };
      const double kappa = growth(inputs, answer, ours.size);
      BOOST_TEST(largest(to_vector(engine.qdd()) - ours.qdd) / ours.size <= tolerance(n, kappa),
                 machine.name << ", kappa " << kappa);
    }
}

BOOST_AUTO_TEST_CASE(motors_need_the_same_forces)
{
  for (const ClosedMachine& machine : machines())
    for (const int seed : {1, 2}) {
      const ClosedState x(machine, seed, 1, 1);
      const int n = x.model.nv(), m = static_cast<int>(machine.motors.size());
      Vector inputs(3 * m);
      for (int k = 0, at = 0; k < n; ++k)
        if (x.motors[k]) inputs(at) = x.q(k), inputs(m + at) = x.qd(k), inputs(2 * m + at) = x.tau(k), ++at;
      const Motion ours = x.drive(inputs);

      // The engine has to close the loops itself, from a guess, and to find the rates.
      std::map<std::string, Drive> drive_of;
      for (int k = 0, at = 0; k < n; ++k)
        if (x.motors[k]) {
          const double q = inputs(at), qd = inputs(m + at), qdd = inputs(2 * m + at);
          drive_of[x.joints[k]] = [=](double t) -> std::array<double, 3> {
            return {q + qd * t + qdd * t * t / 2, qd + qdd * t, qdd};
          };
          ++at;
        }
      std::vector<Drive> drives;
      for (const std::string& motor : machine.motors) drives.push_back(drive_of.at(motor));
      SimbodyMachine engine = engine_of(x);
      engine.drive(drives, 0, plain(x.q + 0.001 * Vector::Ones(n)));

      const std::array<Vector Motion::*, 4> parts{&Motion::q, &Motion::qd, &Motion::qdd, &Motion::tau};
      const std::array<std::vector<double>, 4> theirs{engine.q(), engine.qd(), engine.qdd(), engine.motor_forces()};
      for (int part = 0; part < 4; ++part) {
        const auto answer = [&](const Vector& y) { return x.drive(y).*parts[part]; };
        const double size = largest(ours.*parts[part]), kappa = growth(inputs, answer, size);
        // The engine lets the tree fall first: what it corrects is far larger than what is left.
        const std::array<double, 4> allowed{tolerance(n, kappa), tolerance(n, kappa), bar_of_motion, bar_of_forces};
        BOOST_TEST(largest(to_vector(theirs[part]) - ours.*parts[part]) / size <= allowed[part],
                   machine.name << ", part " << part << ", kappa " << kappa);
      }
    }
}

BOOST_AUTO_TEST_CASE(the_working_process_comes_out_alike)
{
  const ProcessData data = working_process();
  const WorkingProcess<double> process(data);
  Manipulator empty(0), loaded(data.load);
  const std::vector<int> angles = empty.slots({"theta_1", "theta_2", "theta_3", "theta_4", "theta_6", "theta_7",
                                               "theta_8", "theta_9", "theta_10", "theta_11", "theta_12", "theta_13",
                                               "theta_14", "theta_15", "theta_16"}),
                         lengths = empty.slots({"L_1", "L_2", "L_3", "d_5", "L_5"});
  std::vector<Quantity> motion{
      {"angles of all joints (rad)", 0, angles},    {"lengths of cylinders, telescope (m)", 0, lengths},
      {"their rates (rad/s)", 1, angles},           {"their rates (m/s)", 1, lengths},
      {"their accelerations (rad/s^2)", 2, angles}, {"their accelerations (m/s^2)", 2, lengths},
      {"place of the tongs (m)", 4, {0, 1, 2}},     {"their velocity (m/s)", 5, {0, 1, 2}},
      {"their acceleration (m/s^2)", 6, {0, 1, 2}}},
      answers{{"accelerations by our forces (rad/s^2)", 2, angles},
              {"accelerations by our forces (m/s^2)", 2, lengths}},
      forces{{"moment of the slewing motor (N m)", 3, empty.slots({"theta_1"})},
             {"force of cylinder 1 (N)", 3, empty.slots({"L_1"})},
             {"force of cylinder 2 (N)", 3, empty.slots({"L_2"})},
             {"force of cylinder 3 (N)", 3, empty.slots({"L_3"})},
             {"force of the telescope (N)", 3, empty.slots({"d_5"})},
             {"force of cylinder 5 (N)", 3, empty.slots({"L_5"})}};

  double begin = 0;
  for (int phase = 0; phase < static_cast<int>(data.phases.size()); ++phase) {
    Manipulator& machine = begin < data.load_from ? empty : loaded;
    const double end = data.phases[phase].until;
    SimbodyMachine engine = engine_of(machine.state), pushed = engine_of(machine.state);
    std::vector<double> guess = plain(machine.move(process.in_phase(phase, begin)).q);
    for (double& x : guess) x = std::round(100 * x) / 100;
    engine.drive(drives_of(machine, process, phase), begin, guess);
    for (int k = 0; k <= 20; ++k) {
      const double t = begin + (end - begin) * k / 20;
      engine.advance(t);
      const Side ours = side_of(machine, process.in_phase(phase, t)), theirs = side_of(engine);
      pushed.apply_forces(plain(ours[0]), plain(ours[1]), plain(ours[3]));
      const Side under_our_forces = side_of(pushed);
      for (Quantity& one : answers) one.compare(ours, under_our_forces, "");
      for (Quantity& one : motion) one.compare(ours, theirs, "");
      for (Quantity& one : forces) one.compare(ours, theirs, "");
    }
    begin = end;
  }
  std::printf("%-38s %10s %12s %10s\n", "along the process, ours and Simbody's", "largest", "difference", "relative");
  for (const auto* group : {&motion, &answers, &forces})
    for (const Quantity& one : *group) {
      std::printf("%-38s %10.4g %12.1e %10.1e\n", one.name, one.size, one.difference.at(""), one.relative(""));
      BOOST_TEST(one.relative("") <= (group == &forces ? bar_of_forces : bar_of_motion), one.name);
    }
}

BOOST_AUTO_TEST_CASE(samples_every_half_second_explain_gaps_near_jumps_and_not_elsewhere)
{
  // The authors computed every 0.5 s and handed these lengths to ADAMS as driving functions. So do we, by splines.
  const ProcessData data = working_process();
  const WorkingProcess<double> process(data);
  Manipulator empty(0), loaded(data.load);
  const auto machine_at = [&](double t) -> Manipulator& { return t <= data.load_from ? empty : loaded; };
  const double step = 0.5;
  std::vector<double> times;
  std::vector<Motion> samples;
  for (int k = 0; k * step <= process.duration(); ++k) {
    times.push_back(k * step);
    samples.push_back(machine_at(k * step).move(process(k * step)));
  }
  std::vector<Drive> drives;
  for (const int k : empty.slots(empty.state.machine.motors)) {
    std::vector<double> values;
    for (const Motion& sample : samples) values.push_back(sample.q(k));
    drives.push_back(cubic_spline(times, values));
  }

  struct Row {
    Quantity by_spline, by_differences;
    double published;  ///< away from the jumps
  };
  const auto row = [&](const char* name, std::size_t part, const std::vector<int>& entries, double published) -> Row {
    return {{name, part, entries}, {name, part, entries}, published};
  };
  const std::vector<std::string> arms{"theta_1", "theta_2", "theta_3", "theta_4", "theta_6"},
      cylinders{"L_1", "L_2", "L_3", "L_5"};
  std::vector<Row> rows{
      row("place of the tongs", 4, {0, 1, 2}, 0.006),
      row("their velocity", 5, {0, 1, 2}, 0.05),
      row("angles of the joints", 0, empty.slots(arms), 0.006),
      row("angles of the cylinders", 0, empty.slots({"theta_7", "theta_8", "theta_11", "theta_16"}), 0.0009),
      row("lengths of the cylinders", 0, empty.slots(cylinders), 0.00003),
      row("forces of the cylinders", 3, empty.slots(cylinders), 0.055)};
  const auto where = [](double t) -> std::string {
    double distance = 1e3;
    for (const double jump : {30., 40., 50., 60., 70., 75.}) distance = std::min(distance, std::abs(t - jump));
    return distance < 0.5 ? "0.5 s" : distance < 1 ? "1 s" : distance < 2 ? "2 s" : "elsewhere";
  };

  SimbodyMachine without_load = engine_of(empty.state), with_load = engine_of(loaded.state);
  for (double t = 0.05; t < process.duration(); t += 0.1) {
    const Side ours = side_of(machine_at(t), process(t));
    SimbodyMachine& engine = t <= data.load_from ? without_load : with_load;
    engine.drive(drives, t, plain(ours[0]));
    const Side theirs = side_of(engine);
    for (Row& one : rows) one.by_spline.compare(ours, theirs, where(t));
  }

  // The other way to lose what happens within a step: rates and accelerations by central differences of the samples.
  for (std::size_t k = 1; k + 1 < times.size(); ++k) {
    const double t = times[k];
    Manipulator& machine = machine_at(t);
    const MainMotion<double> before = process(t - step), now = process(t), after = process(t + step);
    MainMotion<double> differenced{now.q, {}, {}};
    for (int j = 0; j < 6; ++j) {
      differenced.qd[j] = (after.q[j] - before.q[j]) / (2 * step);
      differenced.qdd[j] = (after.q[j] - 2 * now.q[j] + before.q[j]) / (step * step);
    }
    const Side ours = side_of(machine, now), theirs = side_of(machine, differenced);
    for (Row& one : rows) one.by_differences.compare(ours, theirs, where(t));
  }

  std::printf("gaps in percent, by the distance from a jump; splines, differences, published\n%-24s", "");
  for (const char* head : {"< 0.5 s", "< 1 s", "< 2 s", "elsewhere", "< 0.5 s", "elsewhere", "published"})
    std::printf(" %9s", head);
  for (const Row& one : rows) {
    std::printf("\n%-24s", one.by_spline.name);
    for (const char* place : {"0.5 s", "1 s", "2 s", "elsewhere"})
      std::printf(" %9.4f", 100 * one.by_spline.relative(place));
    for (const char* place : {"0.5 s", "elsewhere"}) std::printf(" %9.4f", 100 * one.by_differences.relative(place));
    std::printf(" %9.4f", 100 * one.published);
  }
  // Samples make gaps as large as the published ones where a jump is near, and nothing like them two seconds off.
  const Quantity &velocity = rows[1].by_spline, &force = rows[5].by_spline;
  BOOST_TEST(velocity.relative("1 s") > rows[1].published);
  BOOST_TEST(velocity.relative("elsewhere") < rows[1].published / 10);
  BOOST_TEST(force.relative("0.5 s") > rows[5].published);
  BOOST_TEST(force.relative("elsewhere") < rows[5].published / 10);

  // "The velocity change completes within 0.5 s": 670 mm/s in half a second are the published 1300 mm/s^2 at 75 s.
  const Side running = side_of(loaded, process.in_phase(7, 75)), stopped = side_of(loaded, process.in_phase(8, 75));
  const double surge = largest(stopped[5] - running[5]) / step;
  std::printf("\nchange of the tongs' velocity at 75 s in 0.5 s: %.0f mm/s^2\n", 1000 * surge);
  BOOST_TEST(std::abs(surge - 1.3) < 0.05);  // two digits are printed
}

BOOST_AUTO_TEST_CASE(without_pressure_in_a_cylinder_it_falls_alike)
{
  // At 55 s cylinder 3 fails; the other motors push on as they did.
  const ProcessData data = working_process();
  Manipulator machine(data.load);
  const Motion start = machine(WorkingProcess<double>(data)(55));
  ClosedState x(machine.state.machine, 1, 0, 0);
  x.q = start.q, x.qd = start.qd, x.tau = start.tau;
  x.tau(machine.slot("L_3")) = 0;
  const double duration = 0.5;
  const Motion end = x.fall(duration, 400), coarse = x.fall(duration, 200);
  SimbodyMachine engine = engine_of(x);
  engine.apply_forces(plain(x.q), plain(x.qd), plain(x.tau));
  engine.advance(duration);
  const double moved = largest(end.q - start.q), q = largest(to_vector(engine.q()) - end.q) / largest(end.q),
               qd = largest(to_vector(engine.qd()) - end.qd) / largest(end.qd);
  std::printf(
      "half a second without cylinder 3: a joint moves by %.2g; difference %.1e in place, %.1e in rate; twice "
      "our step %.1e, %.1e\n",
      moved, q, qd, largest(coarse.q - end.q) / largest(end.q), largest(coarse.qd - end.qd) / largest(end.qd));
  BOOST_TEST(moved > 0.1);
  BOOST_TEST(q <= bar_of_motion);
  BOOST_TEST(qd <= bar_of_motion);
}

BOOST_AUTO_TEST_CASE(what_it_cannot_hold_is_refused)
{
  const auto build = [](const ClosedMachine& machine, std::vector<std::string> joints) {
    return SimbodyMachine(machine.tree, machine.loops, joints, {});
  };
  const auto told = [](const std::string& words) {
    return [words](const ModelError& error) {
      BOOST_TEST_MESSAGE(error.what());
      return std::string(error.what()).find(words) != std::string::npos;
    };
  };
  ClosedMachine machine = four_bar();
  const std::vector<std::string> joints{"crank", "elbow", "rocker"};
  BOOST_CHECK_EXCEPTION(build(bricard_at_a_hinge(), {}), ModelError, told("is not a hinge in a plane loop"));
  BOOST_CHECK_EXCEPTION(build(stewart_platform(), {}), ModelError, told("is no hinge, no slide and not fixed"));
  BOOST_CHECK_EXCEPTION(build(machine, {"crank", "elbow"}), ModelError, told("must name every moving joint once"));
  BOOST_CHECK_EXCEPTION(build(machine, {"crank", "elbow", "tilt"}), ModelError, told("no moving joint 'tilt'"));
  SimbodyMachine sound = build(machine, joints);
  BOOST_CHECK_THROW(sound.apply_forces({0, 0}, {0, 0, 0}, {0, 0, 0}), SizeError);
  BOOST_CHECK_THROW(sound.drive({}, 0, {0, 0}), SizeError);
  machine.loops[0].second.position[2] += 0.001;
  BOOST_CHECK_EXCEPTION(build(machine, joints), ModelError, told("is not a hinge in a plane loop"));
  machine.loops[0].second.link = "piston";
  BOOST_CHECK_EXCEPTION(build(machine, joints), ModelError, told("no link 'piston'"));
}

BOOST_AUTO_TEST_SUITE_END()
