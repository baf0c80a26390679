/** \file
 *  \brief Proofs of chapter mechanisms: the numbers that the paper prints of its working process, and its slips in them.
 */
#include <mechanisms/components.hpp>

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
  Vector3<S> tongs, tongs_velocity;                             ///< of H
  Vector3<S> up;  ///< in the plane of the arms, which the model file's right angle makes vertical but for its rounding
};

/** The eighty seconds by the half second, the ends of phases as seen from either side.
 *
 *  Followers stand still in these kinematics: no arm is carried by one.
 */
template <typename S>
class Process {
public:
  std::vector<Snapshot<S>> snapshots;

  explicit Process(const Specimen<S>& x) : file_(x), machine_(x.model), process_(working_process())
  {
    double begin = 0;
    for (std::size_t p = 0; p < process_.data().phases.size(); ++p) {
      const double end = process_.data().phases[p].until;
      for (double t = begin; t <= end; t += 0.5) snapshots.push_back(at(static_cast<int>(p), S(t)));
      begin = end;
    }
  }

  /// The machine at the end of a phase or within it.
  Snapshot<S> at(int phase, const S& t) const
  {
    Snapshot<S> now{phase, t, process_.in_phase(phase, t), {}, {}, {}, {}, {}, {}};
    now.q = machine_.close(now.main.q);
    VectorX<S> qd = VectorX<S>::Zero(now.q.size());
    for (int k = 0; k < 6; ++k) qd(machine_.slot(machine_.leaders[k])) = now.main.qd[k];
    const Model<S>& model = machine_.model();
    ForwardKinematics<S> bodies(model);
    bodies(now.q, qd);
    const auto velocity = [&](const LinkFrame<S>& link, const Vector3<S>& point) {
      const Twist<S> V = bodies.link_twist(link);
      return bodies.link_pose(link).R * (V.v + cross(V.w, point));
    };
    for (int arm = 0; arm < 4; ++arm) {
      const LinkFrame<S>& link = model.link("arm_" + std::to_string(arm + 1));
      now.center_velocity[arm] = velocity(link, file_.center(link.name));
      now.angular_velocity[arm] = bodies.link_pose(link).R * bodies.link_twist(link).w;
    }
    now.tongs = bodies.link_pose(model.link("load")).p;
    now.tongs_velocity = velocity(model.link("load"), {});
    now.up = bodies.link_pose(model.link("plane")).R.matrix.column(1);
    return now;
  }
  Snapshot<S> at(double t) const { return at(process_.phase(S(t)), S(t)); }

  /// The least and the largest of a number along the process.
  template <typename Number>
  std::array<S, 2> extremes(const Number& number) const
  {
    std::array<S, 2> found{number(snapshots[0]), number(snapshots[0])};
    for (const Snapshot<S>& now : snapshots) {
      const S value = number(now);
      if (value < found[0]) found[0] = value;
      if (found[1] < value) found[1] = value;
    }
    return found;
  }
  template <typename Number>
  S range(const Number& number) const
  {
    const auto [least, largest] = extremes(number);
    return largest - least;
  }

  /// What a leader of the chain turns through, by the twentieth of a second: some turn back between half seconds.
  S range_of_leader(int k) const
  {
    S least = process_(S(0)).q[k], largest = least;
    for (int step = 1; step <= 20 * process_.duration(); ++step) {
      const S value = process_(S(step) / S(20)).q[k];
      if (value < least) least = value;
      if (largest < value) largest = value;
    }
    return largest - least;
  }

  const HydraulicManipulator<S>& machine() const { return machine_; }

private:
  Described<S> file_;
  HydraulicManipulator<S> machine_;
  WorkingProcess<S> process_;
};

template <typename S>
void published_motion(Registry<S>& r)
{
  // The paper prints the same maxima of rates one or two degrees per second apart: E-ma-5. Speeds it calls "about".
  constexpr double spread = 2, about = 0.05;

  r.identity({.name = "joints_turn_through_the_printed_angles",
              .keys = {"ma:N1"},
              .symbols = "WorkingProcess",
              .method = "published numbers",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const Process<S>& process = x.template once<Process<S>>();
                    const std::array<double, 6> printed{45, 74.8, 84.3, 159.4, 0, 180};
                    for (int k = 0; k < 6; ++k)
                      if (k != 4) sides.add_printed(degrees(process.range_of_leader(k)), printed[k], 0.1);
                  },
              .applies = is_the_manipulator});

  r.identity({.name = "joints_turn_as_fast_as_printed_and_the_third_arms_at_least_as_fast_as_the_second_arm",
              .keys = {"ma:N2"},
              .symbols = "WorkingProcess",
              .method = "published numbers",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const Process<S>& process = x.template once<Process<S>>();
                    const auto fastest = [&](int k) {
                      return degrees(process.extremes([k](const auto& now) { return magnitude(now.main.qd[k]); })[1]);
                    };
                    sides.add_printed(fastest(0), 4.5, 0.05);
                    sides.add_printed(fastest(1), 22, spread);
                    sides.add_printed(fastest(2), 20, spread);
                    sides.add_printed(fastest(5), 29, spread);
                    const S second_arm = process.extremes(
                        [](const auto& now) { return now.phase == descent ? norm(now.angular_velocity[1]) : S(0); })[1];
                    sides.add_printed(degrees(second_arm), 16.8, spread);
                    const S least = degrees(second_arm), rate = fastest(3);
                    sides.add(rate, rate < least ? least : rate);
                  },
              .applies = is_the_manipulator});

  r.identity({.name = "cylinders_lengthen_and_swing_as_printed",
              .keys = {"ma:N3", "ma:65"},
              .symbols = "HydraulicManipulator::close HydraulicManipulator::place",
              .method = "published numbers",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const Process<S>& process = x.template once<Process<S>>();
                    const auto of = [&](const char* joint) {
                      return [k = process.machine().slot(joint)](const auto& now) { return now.q(k); };
                    };
                    const auto lengths = [&](const char* cylinder, double least, double largest) {
                      const auto found = process.extremes(of(cylinder));
                      sides.add_printed(S(S(1000) * found[0]), least, 1);
                      sides.add_printed(S(S(1000) * found[1]), largest, 1);
                    };
                    lengths("L_1", 1199, 1609), lengths("L_2", 981, 1262), lengths("L_3", 999, 1362);
                    lengths("L_5", 426, 537);
                    const auto swing = [&](const char* joint, double printed) {
                      sides.add_printed(degrees(process.range(of(joint))), printed, 0.1);
                    };
                    swing("theta_7", 69.7), swing("theta_8", 3.4), swing("theta_11", 5.8), swing("theta_16", 61.4);

                    // Three stages make of cylinder 4 the telescope.
                    const S stages(3), mm(1000);
                    sides.add_printed(S(mm * process.range(of("d_5")) / stages), 2759 - 1643, 1);
                    const auto rates = process.extremes([](const auto& now) { return now.main.qd[4]; });
                    sides.add_printed(S(mm * rates[1] / stages), 223, 0.5);

                    // These numbers have fixed the triangle BIJ.
                    const HydraulicManipulator<S>& machine = process.machine();
                    sides.add_printed(S(mm * length(machine.I)), 352.5, 0.1);
                    sides.add_printed(S(mm * length(machine.J)), 1349.6, 0.1);
                    const auto angle = process.extremes([&](const auto& now) {
                      return magnitude(direction(turned(machine.J, S(now.main.q[1] - direction(machine.I)))));
                    });
                    sides.add_printed(degrees(angle[0]), 57.72, 0.1);
                    sides.add_printed(degrees(angle[1]), 132.52, 0.1);
                  },
              .applies = is_the_manipulator});

  r.identity({.name = "arms_are_as_fast_as_printed_and_the_last_two_go_straight_down_at_constant_speed",
              .keys = {"ma:N4"},
              .symbols = "WorkingProcess ForwardKinematics::link_twist",
              .method = "published numbers",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const Process<S>& process = x.template once<Process<S>>();
                    const auto speed = [&](const Snapshot<S>& now, int arm) {
                      return S(S(1000) * norm(now.center_velocity[arm - 1]));
                    };
                    const auto turning = [&](double t, int arm) {
                      return degrees(norm(process.at(t).angular_velocity[arm - 1]));
                    };
                    sides.add_printed(speed(process.at(70), 1), 250, about * 250);
                    sides.add_printed(speed(process.at(70), 2), 350, about * 350);
                    sides.add_printed(speed(process.at(65), 3), 365, about * 365);
                    sides.add_printed(speed(process.at(72), 4), 670, about * 670);
                    sides.add_printed(turning(70, 1), 23, spread);
                    sides.add_printed(turning(68, 2), 16.8, spread);
                    sides.add_printed(turning(15, 3), 13, spread);
                    sides.add_printed(turning(25, 4), 30, spread);
                    const S down(working_process().descent_speed);
                    for (const Snapshot<S>& now : process.snapshots)
                      if (now.phase == descent)
                        for (int arm : {2, 3}) {
                          sides.add_printed(S(S(1000) * now.center_velocity[arm][2]), -365.5, 0.01);
                          sides.add(now.center_velocity[arm], -down * now.up);
                        }
                  },
              .applies = is_the_manipulator});

  r.identity({.name = "steps_of_half_a_second_miss_the_speed_of_the_tongs_by_percents_and_small_steps_do_not",
              .keys = {"ma:N6"},
              .symbols = "WorkingProcess",
              .method = "difference quotients",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const Process<S>& process = x.template once<Process<S>>();
                    const S largest = process.extremes([](const auto& now) { return norm(now.tongs_velocity); })[1];
                    // By how many percent the step since an earlier instant misses the speed.
                    const auto gap = [&](const Snapshot<S>& before, const Snapshot<S>& now) {
                      const Vector3<S> mean = S(S(1) / (now.t - before.t)) * (now.tongs - before.tongs);
                      return S(S(100) * norm(mean - now.tongs_velocity) / largest);
                    };
                    S worst(0), worst_of_small_steps(0);
                    for (std::size_t k = 1; k < process.snapshots.size(); ++k) {
                      const Snapshot<S>&before = process.snapshots[k - 1], &now = process.snapshots[k];
                      if (before.phase != now.phase || gap(before, now) < worst) continue;
                      worst = gap(before, now);
                      worst_of_small_steps = gap(process.at(now.phase, S(now.t - S(1) / S(100))), now);
                    }
                    sides.add_printed(worst, 5, 2.5);
                    sides.add_printed(worst_of_small_steps, 0, 0.25);

                    // At 75 s the telescope stops: "the velocity change completes within 0.5 s".
                    const S before = process.at(telescope, S(75)).tongs_velocity[2];
                    const S after = process.at(last, S(75)).tongs_velocity[2];
                    sides.add_printed(S(S(1000) * (after - before) / S(0.5)), 1300, 50);
                  },
              .applies = is_the_manipulator});
}

/// How fast arm 1, 2, 3 or 4 turns in space: about the vertical with the slewing body and about the joints' common axis.
template <typename S>
S turning_of_arm(const MainMotion<S>& now, int arm)
{
  using std::sqrt;
  const std::array<int, 4> joints{1, 2, 3, 5};
  S sum(0);
  for (int k = 0; k < arm; ++k) sum += now.qd[joints[k]];
  return degrees(S(sqrt(S(now.qd[0] * now.qd[0] + sum * sum))));
}

/// Numbers of the text against each other and against the process, of whose motion all of them speak.
template <typename S>
void slips_in_numbers(Registry<S>& r)
{
  const auto phase_at = [](double t, int phase) { return WorkingProcess<S>(working_process()).in_phase(phase, S(t)); };

  // At 25 s the fourth arm turns about the third, which is at rest.
  const auto turns_by_thirty = [=](int arm) {
    return [=](const Specimen<S>&, Sides<S>& sides) {
      sides.add_printed(turning_of_arm(phase_at(25, arm_4_unfolds), arm), 30, 2);
    };
  };
  r.erratum({.id = "E-ma-2",
             .keys = {"ma:N4"},
             .margin = 0.5,
             .printed = {turns_by_thirty(3)},
             .corrected = turns_by_thirty(4)});

  // The stroke lasts as long as the telescope extends.
  const auto extends_until = [=](double end) {
    return [=](const Specimen<S>&, Sides<S>& sides) { sides.add(S(2759 - 1643) / (S(2232) / S(10)), S(end - 70)); };
  };
  r.erratum({.id = "E-ma-3",
             .keys = {"ma:N3"},
             .margin = 0.4,
             .printed = {extends_until(80)},
             .corrected = [=](const Specimen<S>& x, Sides<S>& sides) {
               extends_until(75)(x, sides);
               sides.add(phase_at(77, last).qd[4], S(0), phase_at(72, telescope).qd[4]);
             }});

  // While arm 3 hangs vertically, the joint that holds it turns back what arm 2 turns.
  r.erratum({.id = "E-ma-4",
             .keys = {"ma:N2", "ma:N4"},
             .margin = 0.1,
             .printed = {[=](const Specimen<S>&, Sides<S>& sides) { sides.add(S(15), S(168) / S(10)); }},
             .corrected = [=](const Specimen<S>&, Sides<S>& sides) {
               const MainMotion<S> now = phase_at(68, descent);
               sides.add(degrees(magnitude(now.qd[3])), turning_of_arm(now, 2));
             }});

  // An arm whose own joint alone moves turns as fast as the joint.
  const auto printed_twice = [=](int joint_rate, int arm_rate) {
    return [=](const Specimen<S>&, Sides<S>& sides) { sides.add(S(joint_rate), S(arm_rate)); };
  };
  r.erratum({.id = "E-ma-5",
             .keys = {"ma:N2", "ma:N4"},
             .margin = 0.03,
             .printed = {printed_twice(22, 23), printed_twice(15, 13), printed_twice(29, 30)},
             .corrected = [=](const Specimen<S>&, Sides<S>& sides) {
               const auto same = [&](const MainMotion<S>& now, int joint, int arm) {
                 sides.add(degrees(magnitude(now.qd[joint])), turning_of_arm(now, arm));
               };
               same(phase_at(70, descent), 1, 1);
               same(phase_at(15, arm_3_unfolds), 3, 3);
               same(phase_at(25, arm_4_unfolds), 5, 4);
             }});

  // theta_6 at rest begins to turn by 6 degrees per second; the slewing body that turns by 4.5 stops.
  const auto jump = [=](double t, int before, int joint, double printed) {
    return [=](const Specimen<S>&, Sides<S>& sides) {
      sides.add(degrees(magnitude(S(phase_at(t, before + 1).qd[joint] - phase_at(t, before).qd[joint]))), S(printed));
    };
  };
  r.erratum({.id = "E-ma-6",
             .keys = {"ma:N1", "ma:N2"},
             .margin = 0.9,
             .printed = {jump(70, descent, 5, 6), jump(40, to_load, 0, 0)},
             .corrected = [=](const Specimen<S>& x, Sides<S>& sides) {
               jump(75, telescope, 5, 6)(x, sides);
               jump(40, to_load, 0, 4.5)(x, sides);
             }});
}

}  // namespace

template <typename S>
void mechanisms_published(Registry<S>& r)
{
  published_motion(r);
  slips_in_numbers(r);
}

template void mechanisms_published(Registry<ARTICULATE_PROOF_SCALAR>&);

}  // namespace articulate::validation
