/** \file
 *  \brief Proofs of chapter mechanisms: the numbers that the paper prints of its working process, and its slips in them.
 *
 *  A print is met within its rounding, or missed: 70 s means 69.5 to 70.5, and 77.5 s means 77.45 to 77.55.
 */
#include <mechanisms/components.hpp>
#include <mechanisms/driven.hpp>

namespace articulate::validation {
namespace {

template <typename S>
S degrees(const S& radians)
{
  return radians * S(180) / pi<S>();
}

/// The phases of the process by number.
enum Phases { arms_1_and_2_unfold, arm_3_unfolds, arm_4_unfolds, to_load, pause, to_pipe, descent, telescope, last };

/// The machine at a time, by the law of a phase: what the paper's figures 9 to 15 show.
template <typename S>
struct Snapshot {
  int phase;
  S t;
  MainMotion<S> main;
  VectorX<S> q;
  std::array<Vector3<S>, 4> center_velocity, angular_velocity;  ///< of arms 1 to 4, in the base's axes
  Vector3<S> tongs_velocity;                                    ///< of H
  Vector3<S> up;  ///< in the plane of the arms, which the model file's right angle makes vertical but for its rounding

  /// Followers stand still in these kinematics: no arm is carried by one.
  Snapshot(const HydraulicManipulator<S>& machine, int in_phase, const S& at)
      : phase(in_phase), t(at), main(WorkingProcess<S>(working_process()).in_phase(phase, t)), q(machine.close(main.q))
  {
    VectorX<S> qd = VectorX<S>::Zero(q.size());
    for (int k = 0; k < 6; ++k) qd(machine.slot(machine.leaders[k])) = main.qd[k];
    const Model<S>& model = machine.model();
    ForwardKinematics<S> bodies(model);
    bodies(q, qd);
    const auto velocity = [&](const LinkFrame<S>& link, const Vector3<S>& point) {
      const Twist<S> V = bodies.link_twist(link);
      return bodies.link_pose(link).R * (V.v + cross(V.w, point));
    };
    for (int arm = 0; arm < 4; ++arm) {
      const LinkFrame<S>& link = model.link("arm_" + std::to_string(arm + 1));
      for (const Link& described : model.mechanism().links)
        if (described.name == link.name) {
          const auto& c = described.center_of_mass;
          center_velocity[arm] = velocity(link, {S(c[0]), S(c[1]), S(c[2])});
        }
      angular_velocity[arm] = bodies.link_pose(link).R * bodies.link_twist(link).w;
    }
    tongs_velocity = velocity(model.link("load"), {});
    up = bodies.link_pose(model.link("plane")).R.matrix.column(1);
  }

  S rate(int joint) const { return degrees(magnitude(main.qd[joint])); }
  S turning(int arm) const { return degrees(norm(angular_velocity[arm - 1])); }
  S speed(int arm) const { return S(1000) * norm(center_velocity[arm - 1]); }  ///< mm/s
};

/// The built-in machine, for what is asked on any robot.
template <typename S>
const HydraulicManipulator<S>& built_in_machine()
{
  static const HydraulicManipulator<S> machine{Model<S>(Model<double>(hydraulic_manipulator().tree))};
  return machine;
}
template <typename S>
Snapshot<S> snapshot(double t, int phase)
{
  return {built_in_machine<S>(), phase, S(t)};
}

/// The eighty seconds by the twentieth of a second, the ends of phases as seen from either side: where to look.
const std::vector<Snapshot<double>>& eighty_seconds()
{
  static const std::vector<Snapshot<double>> all = [] {
    std::vector<Snapshot<double>> snapshots;
    double begin = 0;
    int phase = 0;
    for (const Phase& one : working_process().phases) {
      for (int k = 0; k <= 20 * (one.until - begin); ++k) snapshots.push_back(snapshot<double>(begin + k / 20., phase));
      begin = one.until, ++phase;
    }
    return snapshots;
  }();
  return all;
}

/// The first of all at which a number is the largest.
template <typename Number>
const Snapshot<double>& most(const std::vector<Snapshot<double>>& all, const Number& number)
{
  return *std::max_element(all.begin(), all.end(),
                           [&](const auto& one, const auto& other) { return number(one) < number(other); });
}

/// The process of a case's machine, seen where something is the largest.
template <typename S>
class Process {
public:
  explicit Process(const Specimen<S>& x) : machine_(x.model) {}

  Snapshot<S> at(int phase, double t) const { return {machine_, phase, S(t)}; }

  /// Where a number is the largest along the process, for the first time.
  template <typename Number>
  Snapshot<S> largest(const Number& number) const
  {
    const Snapshot<double>& found = most(eighty_seconds(), number);
    return at(found.phase, found.t);
  }
  template <typename Number>
  Snapshot<S> least(const Number& number) const
  {
    return largest([&](const auto& now) { return -number(now); });
  }
  template <typename Number>
  S range(const Number& number) const
  {
    return number(largest(number)) - number(least(number));
  }

  auto coordinate(const char* joint) const
  {
    return [k = machine_.slot(joint)](const auto& now) { return now.q(k); };
  }

private:
  HydraulicManipulator<S> machine_;
};

template <typename S>
void published_motion(Registry<S>& r)
{
  r.identity({.name = "joints_turn_through_the_printed_angles",
              .keys = {"ma:N1/ranges", "ma:N1/slewing"},
              .symbols = "WorkingProcess",
              .method = "published numbers",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const Process<S>& process = x.template once<Process<S>>();
                    constexpr std::array<double, 6> printed{45, 74.8, 84.3, 159.4, 0, 180};
                    constexpr std::array<double, 6> rounding{0.5, 0.05, 0.05, 0.05, 0, 0.5};
                    sides.clause("ma:N1/ranges");
                    for (int k = 0; k < 6; ++k)
                      if (k != 4) {
                        const auto angle = process.coordinate(HydraulicManipulator<S>::leaders[k]);
                        sides.add_printed(degrees(process.range(angle)), printed[k], rounding[k]);
                      }
                    // The mean of the rate that N2 has.
                    const auto& phases = working_process().phases;
                    const S seconds(phases[to_load].until - phases[to_load - 1].until);
                    sides.clause("ma:N1/slewing");
                    sides.add_printed(S(degrees(process.range(process.coordinate("theta_1"))) / seconds), 4.5, 0.05);
                  },
              .applies = is_the_manipulator});

  r.identity({.name = "joints_turn_as_fast_as_printed",
              .keys = {"ma:N2/slewing", "ma:N2/joint-two", "ma:N2/joint-three", "ma:N2/joint-four", "ma:N2/joint-six"},
              .symbols = "WorkingProcess",
              .method = "published numbers",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const Process<S>& process = x.template once<Process<S>>();
                    const auto fastest = [&](const char* key, int k, double printed, double rounding) {
                      const auto rate = [k](const auto& now) { return now.rate(k); };
                      sides.clause(key);
                      sides.add_printed(rate(process.largest(rate)), printed, rounding);
                    };
                    fastest("ma:N2/slewing", 0, 4.5, 0.05);
                    fastest("ma:N2/joint-two", 1, 22, 0.5), fastest("ma:N2/joint-three", 2, 20, 0.5);
                    fastest("ma:N2/joint-four", 3, 15, 0.5), fastest("ma:N2/joint-six", 5, 29, 0.5);
                  },
              .applies = is_the_manipulator});

  r.identity(
      {.name = "cylinders_lengthen_and_swing_as_printed",
       .keys = {"ma:N3/lengths", "ma:N3/swings", "ma:N3/stroke", "ma:N3/speed", "ma:N3/triangle"},
       .symbols = "HydraulicManipulator::close HydraulicManipulator::place",
       .method = "published numbers",
       .sides =
           [](const Specimen<S>& x, Sides<S>& sides) {
             using std::cos, std::sqrt;
             const Process<S>& process = x.template once<Process<S>>();
             const S mm(1000);
             const auto ends = [&](const char* joint) -> std::array<S, 2> {
               const auto q = process.coordinate(joint);
               return {q(process.least(q)), q(process.largest(q))};
             };
             const auto lengths = [&](const char* cylinder, double least, double largest) {
               sides.add_printed(S(mm * ends(cylinder)[0]), least, 0.5);
               sides.add_printed(S(mm * ends(cylinder)[1]), largest, 0.5);
             };
             sides.clause("ma:N3/lengths");
             lengths("L_1", 1199, 1609), lengths("L_2", 981, 1262), lengths("L_3", 999, 1362);
             lengths("L_5", 426, 537);
             const auto swing = [&](const char* joint, double printed) {
               sides.add_printed(degrees(S(ends(joint)[1] - ends(joint)[0])), printed, 0.05);
             };
             sides.clause("ma:N3/swings");
             swing("theta_7", 69.7), swing("theta_8", 3.4), swing("theta_11", 5.8), swing("theta_16", 61.4);

             // Three stages make of cylinder 4 the telescope.
             const S stages(3), stroke(2759 - 1643), seconds(5);
             sides.clause("ma:N3/stroke");
             sides.add_printed(S(mm * (ends("d_5")[1] - ends("d_5")[0]) / stages), 2759 - 1643, 0.5);
             sides.add_printed(S(stroke / seconds), 223, 0.5);
             sides.clause("ma:N3/speed");
             const auto rate = [](const auto& now) { return now.main.qd[4]; };
             sides.add_printed(S(mm * rate(process.largest(rate)) / stages), 223, 0.5);
             sides.add_printed(S(stages * stroke / seconds), 670, 0.5);

             // One triangle, of the pins that the file has, has the printed ends of cylinder 1 and its swing.
             const Described<S> file(x);
             const Vector3<S> I = file.place("theta_7"), J = file.place("pin_arm_1_J");
             const auto cylinder = process.coordinate("L_1");
             const std::array<S, 2> theta{process.least(cylinder).main.q[1], process.largest(cylinder).main.q[1]};
             std::array<S, 2> L, at_I;
             for (int end = 0; end < 2; ++end) {
               const planar::Point<S> IJ =
                   turned(planar::Point<S>{J[0], J[1]}, theta[end]) - planar::Point<S>{I[0], I[1]};
               L[end] = mm * length(IJ), at_I[end] = direction(IJ);
             }
             sides.clause("ma:N3/triangle");
             sides.add_printed(L[0], 1199, 0.5), sides.add_printed(L[1], 1609, 0.5);
             sides.add_printed(degrees(magnitude(S(at_I[1] - at_I[0]))), 69.7, 0.05);
             sides.add_printed(degrees(magnitude(S(theta[1] - theta[0]))), 74.8, 0.05);
           },
       .applies = is_the_manipulator});

  r.identity({.name = "cylinders_are_first_at_the_end_that_is_printed_first",
              .keys = {"ma:N7/cylinder-one", "ma:N7/cylinder-two", "ma:N7/cylinder-three", "ma:N7/cylinder-four",
                       "ma:N7/cylinder-five"},
              .symbols = "HydraulicManipulator::close WorkingProcess",
              .method = "published numbers",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const Process<S>& process = x.template once<Process<S>>();
                    const auto lengthens = [&](const char* key, const char* joint, bool as_printed) {
                      const auto q = process.coordinate(joint);
                      const bool ours = process.least(q).t < process.largest(q).t;
                      sides.clause(key);
                      sides.add_printed(S(ours ? 1 : -1), as_printed ? 1 : -1, 0.5);
                    };
                    lengthens("ma:N7/cylinder-one", "L_1", true), lengthens("ma:N7/cylinder-two", "L_2", false);
                    lengthens("ma:N7/cylinder-three", "L_3", false), lengthens("ma:N7/cylinder-four", "d_5", true);
                    lengthens("ma:N7/cylinder-five", "L_5", false);
                  },
              .applies = is_the_manipulator});

  r.identity(
      {.name = "arms_are_fastest_when_and_as_fast_as_printed_and_the_last_two_go_straight_down",
       .keys = {"ma:N4/speed-one", "ma:N4/speed-two", "ma:N4/speed-three", "ma:N4/speed-four", "ma:N4/turning-one",
                "ma:N4/turning-two", "ma:N4/turning-three", "ma:N4/turning-four", "ma:N4/descent"},
       .symbols = "WorkingProcess",
       .method = "published numbers",
       .sides =
           [](const Specimen<S>& x, Sides<S>& sides) {
             const Process<S>& process = x.template once<Process<S>>();
             const auto fastest = [&](const char* key, int arm, double printed, double rounding, double t,
                                      double about) {
               const auto speed = [arm](const auto& now) { return now.speed(arm); };
               const Snapshot<S> when = process.largest(speed);
               sides.clause(key);
               sides.add_printed(speed(when), printed, rounding), sides.add_printed(when.t, t, about);
             };
             const auto turns_fastest = [&](const char* key, int arm, double printed, double rounding, double t) {
               const auto turning = [arm](const auto& now) { return now.turning(arm); };
               const Snapshot<S> when = process.largest(turning);
               sides.clause(key);
               sides.add_printed(turning(when), printed, rounding), sides.add_printed(when.t, t, 0.5);
             };
             fastest("ma:N4/speed-one", 1, 250, 0.5, 70, 0.5);
             fastest("ma:N4/speed-two", 2, 350, 0.5, 70, 0.5);
             // Arm 3 goes as arm 4 does, of which 365.5 is printed; this and the next belong to all of a phase.
             fastest("ma:N4/speed-three", 3, 365.5, 0.05, 65, 5);
             fastest("ma:N4/speed-four", 4, 670, 0.5, 72.5, 2.5);
             turns_fastest("ma:N4/turning-one", 1, 23, 0.5, 70);
             turns_fastest("ma:N4/turning-two", 2, 16.8, 0.05, 68);
             turns_fastest("ma:N4/turning-three", 3, 13, 0.5, 15);
             turns_fastest("ma:N4/turning-four", 4, 30, 0.5, 25);
             sides.clause("ma:N4/descent");
             const S down(working_process().descent_speed);
             for (double t = 60; t <= 70; t += 0.5)
               for (int arm : {2, 3}) {
                 const Snapshot<S> now = process.at(descent, t);
                 sides.add_printed(S(S(1000) * now.center_velocity[arm][2]), -365.5, 0.05);
                 sides.add(now.center_velocity[arm], -down * now.up);
               }
           },
       .applies = is_the_manipulator});

  r.identity({.name = "the_telescope_stops_within_one_step_as_fast_as_printed",
              .keys = {"ma:N10/ours", "ma:N10/printed"},
              .symbols = "WorkingProcess",
              .method = "published numbers",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const Process<S>& process = x.template once<Process<S>>();
                    const S before = process.at(telescope, 75).tongs_velocity[2];
                    const S after = process.at(last, 75).tongs_velocity[2], step(0.5);
                    sides.clause("ma:N10/ours");
                    sides.add_printed(S(S(1000) * (after - before) / step), 1300, 50);
                    sides.clause("ma:N10/printed");
                    sides.add_printed(S(S(670) / step), 1300, 50);
                  },
              .applies = is_the_manipulator});
}

/// The pushes of the four cylinders, in double: where to look.
class Pushes {
public:
  struct Instant {
    double t;
    int phase;
    std::array<double, 4> push;
  };
  std::vector<Instant> instants;               ///< by the half second, the ends of phases from either side
  std::array<std::vector<double>, 4> changes;  ///< when a push turns into a pull or a pull into a push (s)

  static const Pushes& of_the_process()
  {
    static const Pushes once;
    return once;
  }

  const Instant& hardest(int cylinder) const
  {
    return *std::max_element(instants.begin(), instants.end(), [=](const Instant& a, const Instant& b) {
      return std::abs(a.push[cylinder]) < std::abs(b.push[cylinder]);
    });
  }
  bool pushes_first(int cylinder) const { return instants.front().push[cylinder] > 0; }

private:
  Pushes()
  {
    auto times = validation::instants(0.5);
    std::sort(times.begin(), times.end());
    for (const auto& [t, phase] : times) instants.push_back(at(t, phase));
    for (int k = 0; k < 4; ++k)
      for (std::size_t n = 1; n < instants.size(); ++n)
        if (instants[n - 1].push[k] * instants[n].push[k] < 0) changes[k].push_back(between(n, k));
  }

  Instant at(double t, int phase)
  {
    Driven<double>& machine = is_loaded(phase) ? full_ : empty_;
    machine.at(t, phase);
    return {t, phase, machine.pushes()};
  }
  /// By halving the step that ends with the n-th instant.
  double between(std::size_t n, int k)
  {
    double begin = instants[n - 1].t, end = instants[n].t;
    while (end - begin > 1e-3) {
      const double middle = (begin + end) / 2;
      (at(middle, instants[n].phase).push[k] * instants[n].push[k] < 0 ? begin : end) = middle;
    }
    return end;
  }

  Driven<double> empty_, full_{working_process().load};
};

template <typename S>
void published_forces(Registry<S>& r)
{
  r.identity({.name = "cylinders_push_as_hard_as_printed",
              .keys = {"ma:N5/cylinder-one", "ma:N5/cylinder-two", "ma:N5/cylinder-three", "ma:N5/cylinder-five",
                       "ma:N5/inertia"},
              .symbols = "HydraulicManipulator::pushes LoopMotion WorkingProcess",
              .method = "published numbers",
              .sides =
                  [](const Specimen<S>&, Sides<S>& sides) {
                    constexpr std::array<const char*, 4> keys{"ma:N5/cylinder-one", "ma:N5/cylinder-two",
                                                              "ma:N5/cylinder-three", "ma:N5/cylinder-five"};
                    constexpr std::array<double, 4> printed{19843, 25874, 6428, 2928};
                    for (int k = 0; k < 4; ++k) {
                      const Pushes::Instant& when = Pushes::of_the_process().hardest(k);
                      Driven<S> machine(is_loaded(when.phase) ? working_process().load : 0);
                      machine.at(S(when.t), when.phase);
                      sides.clause(keys[k]);
                      sides.add_printed(magnitude(machine.pushes()[k]), printed[k], 0.5);
                    }
                    S mass(working_process().load);
                    for (const Link& link : hydraulic_manipulator().tree.links)
                      if (link.name == "arm_4") mass += S(link.mass);
                    sides.clause("ma:N5/inertia");
                    sides.add_printed(S(mass * S(13) / S(10)), 113, 0.5);
                  },
              .applies = is_the_manipulator});

  r.identity(
      {.name = "cylinders_change_between_push_and_pull_when_the_paper_says",
       .keys = {"ma:N8/cylinder-one", "ma:N8/cylinder-two", "ma:N8/cylinder-three", "ma:N8/cylinder-five", "ma:N9"},
       .symbols = "HydraulicManipulator::pushes LoopMotion InverseDynamics WorkingProcess",
       .method = "published numbers",
       .sides =
           [](const Specimen<S>&, Sides<S>& sides) {
             const Pushes& pushes = Pushes::of_the_process();
             const auto first_pushes = [&](int k) { sides.add_printed(S(pushes.pushes_first(k) ? 1 : -1), 1, 0.5); };
             struct Printed {
               double t, rounding;
             };
             const auto change_at = [&](int k, const std::vector<Printed>& printed) {
               const std::vector<double> times = pushes.changes[k];
               first_pushes(k);
               for (std::size_t l = 0; l < printed.size(); ++l)
                 sides.add_printed(S(l < times.size() ? times[l] : 0), printed[l].t, printed[l].rounding);
             };
             const auto and_no_more = [&](int k, std::size_t printed) {
               sides.add_printed(S(1 + pushes.changes[k].size()), 1 + printed, 0.5);
             };
             sides.clause("ma:N8/cylinder-one");
             change_at(0, {{4, 0.5}}), and_no_more(0, 1);
             sides.clause("ma:N8/cylinder-two");
             change_at(1, {}), and_no_more(1, 0);
             sides.clause("ma:N8/cylinder-three");
             change_at(2, {{15, 0.5}, {77.5, 0.05}}), and_no_more(2, 2);
             sides.clause("ma:N8/cylinder-five");
             change_at(3, {{16, 0.5}});
             const std::vector<double> times = pushes.changes[3];
             const auto before = std::count_if(times.begin(), times.end(), [](double t) { return t < 74.45; });
             sides.add_printed(S(static_cast<int>(before)), 1, 0.5);
             sides.clause("ma:N9");
             sides.add_printed(S(times.empty() ? 0 : times.back()), 74.5, 0.05);
             sides.add_printed(S(pushes.instants.back().push[3] > 0 ? 1 : -1), 1, 0.5);
           },
       .applies = is_the_manipulator});
}

/// Sentences against each other, and against the motion of which they speak.
template <typename S>
void slips_in_numbers(Registry<S>& r)
{
  // At 25 s joint 6 alone moves. Which arm turns as fast as it does?
  const auto turns_with_joint_6 = [](int arm) {
    return [=](const Specimen<S>&, Sides<S>& sides) {
      const Snapshot<S> now = snapshot<S>(25, arm_4_unfolds);
      sides.add(now.turning(arm), now.rate(5));
    };
  };
  r.erratum({.id = "E-ma-2",
             .keys = {"ma:N4"},
             .margin = 0.5,
             .printed = {turns_with_joint_6(3)},
             .corrected = turns_with_joint_6(4)});

  // The stroke lasts as long as the telescope extends; three stages make the speed of arm 4.
  const S stroke(2759 - 1643);
  const auto extends = [=](double begin, double end) {
    return [=](const Specimen<S>&, Sides<S>& sides) { sides.add_printed(S(stroke / S(end - begin)), 223, 0.5); };
  };
  const auto carries_arm_4 = [=](double begin, double end) {
    return [=](const Specimen<S>&, Sides<S>& sides) { sides.add_printed(S(S(3) * stroke / S(end - begin)), 670, 0.5); };
  };
  r.erratum(
      {.id = "E-ma-3", .keys = {"ma:N3"}, .margin = 0.4, .printed = {extends(70, 80)}, .corrected = extends(70, 75)});
  r.erratum({.id = "E-ma-9",
             .keys = {"ma:N3", "ma:N4"},
             .margin = 0.4,
             .printed = {extends(60, 70), carries_arm_4(60, 70)},
             .corrected = [=](const Specimen<S>& x, Sides<S>& sides) {
               extends(70, 75)(x, sides), carries_arm_4(70, 75)(x, sides);
             }});

  // Arm 3 keeps its direction if the joint that holds it turns back what arm 2 turns, at whatever rates this does. The
  // two are printed apart.
  r.erratum({.id = "E-ma-4",
             .keys = {"ma:N2", "ma:N4"},
             .margin = 0.1,
             .printed = {[](const Specimen<S>&, Sides<S>& sides) { sides.add(S(15), S(168) / S(10)); }},
             .corrected = [](const Specimen<S>& x, Sides<S>& sides) {
               const HydraulicManipulator<S>& machine = built_in_machine<S>();
               const VectorX<S> q = snapshot<S>(68, descent).q;
               const auto spin = [&](int arm, const std::array<S, 3>& rates) {  // of joints 2 to 4
                 VectorX<S> qd = VectorX<S>::Zero(q.size());
                 for (int k = 0; k < 3; ++k) qd(machine.slot(machine.leaders[k + 1])) = rates[k];
                 ForwardKinematics<S> bodies(machine.model());
                 bodies(q, qd);
                 const LinkFrame<S>& link = machine.model().link("arm_" + std::to_string(arm));
                 return bodies.link_pose(link).R * bodies.link_twist(link).w;
               };
               std::array<S, 3> rates{x.number(0), x.number(1), S(0)};
               const Vector3<S> axis = spin(3, {S(0), S(0), S(1)});
               rates[2] = -inner(axis, spin(3, rates)) / inner(axis, axis);
               sides.add(norm(spin(3, rates)), S(0), norm(spin(2, rates)));
               sides.add(magnitude(rates[2]), norm(spin(2, rates)));
             }});

  // An arm whose own joint alone moves turns as fast as the joint.
  const auto printed_twice = [](int joint_rate, int arm_rate) {
    return [=](const Specimen<S>&, Sides<S>& sides) { sides.add(S(joint_rate), S(arm_rate)); };
  };
  r.erratum({.id = "E-ma-5",
             .keys = {"ma:N2", "ma:N4"},
             .margin = 0.03,
             .printed = {printed_twice(22, 23), printed_twice(29, 30)},
             .corrected = [](const Specimen<S>&, Sides<S>& sides) {
               const Snapshot<S> at_70 = snapshot<S>(70, descent), at_25 = snapshot<S>(25, arm_4_unfolds);
               sides.add(at_70.rate(1), at_70.turning(1));
               sides.add(at_25.rate(5), at_25.turning(4));
             }});
}

}  // namespace

template <typename S>
void mechanisms_published(Registry<S>& r)
{
  published_motion(r);
  published_forces(r);
  slips_in_numbers(r);
}

template void mechanisms_published(Registry<ARTICULATE_PROOF_SCALAR>&);

}  // namespace articulate::validation
