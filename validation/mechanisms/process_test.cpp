/** \file
 *  \brief The hydraulic manipulator through its eighty seconds: loops, forces three ways, published numbers.
 *
 *  - Paper: Ma et al. 2021, section 7. Chapter: \ref mechanisms
 */
#include <boost/test/unit_test.hpp>
#include <iomanip>
#include <iostream>
#include <set>
#include <articulate/articulate.hpp>
#include <articulate/constrained/assembly.hpp>
#include <articulate/constrained/constrained_inverse.hpp>
#include <mechanisms/driven.hpp>

using namespace articulate;
using namespace articulate::validation;

namespace {

constexpr double degree = 3.14159265358979323846 / 180;

}  // namespace

BOOST_AUTO_TEST_SUITE(mechanisms)

BOOST_AUTO_TEST_CASE(the_loops_stay_closed_through_all_eighty_seconds)
{
  Driven<double> machine;
  double position = 0, rate = 0, acceleration = 0;
  for (const auto& [t, phase] : instants(0.02)) {
    machine.at(t, phase);
    const Loops<double>& loops = machine.motion.loops();
    position = std::max(position, largest(loops.violation));
    rate = std::max(rate, largest(loops.A * machine.motion.qd));
    acceleration = std::max(acceleration, largest(loops.A * machine.motion.qdd + loops.Adot_qd));
  }
  std::cout << "  loops open by " << position << " m or rad, " << rate << " per second, " << acceleration
            << " per second squared\n";
  BOOST_TEST(position <= 1e-12);
  BOOST_TEST(rate <= 1e-12);
  BOOST_TEST(acceleration <= 1e-11);
}

BOOST_AUTO_TEST_CASE(every_branch_has_its_own_side)
{
  const Model<double> model(built_in_model("hydraulic_manipulator"));
  for (const std::array<int, 3>& sides : {std::array{1, -1, -1}, std::array{-1, 1, -1}, std::array{-1, -1, 1}}) {
    const HydraulicManipulator<double> machine(model, sides);
    BOOST_TEST((std::array{machine.two.side, machine.three.side, machine.five.side} == sides));
  }
}

BOOST_AUTO_TEST_CASE(newtons_method_finds_what_the_closed_forms_find)
{
  Driven<double> machine;
  Assembly<double> assembly(machine.model, machine.described.loops,
                            machine.flags({machine.machine.leaders.begin(), machine.machine.leaders.end()}));
  double gap = 0;
  for (double t = 0; t <= 80; t += 2.5) {
    machine.at(t);
    VectorX<double> guess = machine.q;
    for (std::size_t k = 0; k < machine.motion.followers().size(); ++k)
      guess(machine.motion.followers()[k]) += k % 2 ? 0.02 : -0.02;
    gap = std::max(gap, largest(assembly.close(guess) - machine.q));
  }
  BOOST_TEST(gap <= 1e-12, "Newton's method and closed forms differ by " << gap);
}

BOOST_AUTO_TEST_CASE(three_ways_to_the_forces_of_the_cylinders_agree)
{
  Driven<double> empty, full(working_process().load);
  double work = 0, constrained = 0;
  std::array<double, 4> peak{};
  for (const auto& [t, phase] : instants(0.1)) {
    Driven<double>& machine = is_loaded(phase) ? full : empty;
    machine.at(t, phase);
    InverseDynamics<double> inverse(machine.model);
    const VectorX<double> tau = inverse(machine.q, machine.motion.qd, machine.motion.qdd);
    const VectorX<double> along = machine.motion.G.transpose() * tau;
    std::array<double, 4> moments;
    for (int k = 0; k < 4; ++k) moments[k] = along(machine.column(k < 3 ? k + 1 : 5));
    const std::array<double, 4> pushes = machine.machine.pushes(machine.main.q, moments);
    const VectorX<double> motors =
        constrained_inverse_dynamics<double>(tau, VectorX<double>::Zero(machine.model.nv()), machine.motion.loops().A,
                                             machine.flags(machine.described.motors))
            .tau;
    double size = 0;  // some pushes pass through zero
    for (const double push : pushes) size = std::max(size, std::abs(push));
    for (int k = 0; k < 4; ++k) {
      const int cylinder = machine.machine.slot(machine.machine.cylinders[k]);
      const double by_work = moments[k] / machine.motion.G(cylinder, machine.column(k < 3 ? k + 1 : 5));
      work = std::max(work, std::abs(by_work - pushes[k]) / size);
      constrained = std::max(constrained, std::abs(motors(cylinder) - pushes[k]) / size);
      peak[k] = std::max(peak[k], std::abs(pushes[k]));
    }
  }
  std::cout << "  forces by balance of pins and by virtual work differ by " << work << ", by constrained dynamics "
            << constrained << "; peaks " << std::fixed << std::setprecision(0) << peak[0] << ", " << peak[1] << ", "
            << peak[2] << ", " << peak[3] << " N\n"
            << std::defaultfloat;
  BOOST_TEST(work <= 1e-9);
  BOOST_TEST(constrained <= 1e-9);
}

BOOST_AUTO_TEST_CASE(cylinders_push_and_pull_when_the_paper_says)
{
  // As printed, but the last of cylinder 5, at 74.5 s: it cannot be had together with that of cylinder 3 (chapter).
  const std::array<std::vector<double>, 4> published{{{4}, {}, {15, 77.5}, {16}}};
  Driven<double> empty, full(working_process().load);
  std::array<std::vector<double>, 4> changes;
  std::array<double, 4> before{1, 1, 1, 1};  // all push at first
  for (double t = 0; t <= 80; t += 0.01) {
    Driven<double>& machine = t > working_process().load_from ? full : empty;
    machine.at(t);
    InverseDynamics<double> inverse(machine.model);
    const VectorX<double> along =
        machine.motion.G.transpose() * inverse(machine.q, machine.motion.qd, machine.motion.qdd);
    for (int k = 0; k < 4; ++k) {
      const double push =
          along(machine.column(k < 3 ? k + 1 : 5)) /
          machine.motion.G(machine.machine.slot(machine.machine.cylinders[k]), machine.column(k < 3 ? k + 1 : 5));
      if (push * before[k] < 0) changes[k].push_back(t);
      before[k] = push;
    }
  }
  for (int k = 0; k < 4; ++k) {
    BOOST_REQUIRE_MESSAGE(changes[k].size() == published[k].size(), HydraulicManipulator<double>::cylinders[k]
                                                                        << " changes its sign " << changes[k].size()
                                                                        << " times");
    for (std::size_t l = 0; l < published[k].size(); ++l)
      BOOST_TEST(std::abs(changes[k][l] - published[k][l]) <= 0.5,  // the paper's step in time
                 HydraulicManipulator<double>::cylinders[k] << " changes its sign at " << changes[k][l] << " s");
  }
}

BOOST_AUTO_TEST_CASE(published_ranges_are_met)
{
  Driven<double> machine;
  struct Range {
    const char* joint;
    double first, last, unit, allowed;  // as printed; where the paper prints a size, from 0 on
  };
  const double mm = 1e-3;
  const std::vector<Range> ranges{{"theta_1", 0, 45, degree, 0.1},
                                  {"theta_2", 0, 74.8, degree, 0.1},
                                  {"theta_3", 0, 84.3, degree, 0.1},
                                  {"theta_4", 0, 159.4, degree, 0.1},
                                  {"theta_6", 0, 180, degree, 0.1},
                                  {"theta_7", 0, 69.7, degree, 0.1},
                                  {"theta_8", 0, 3.4, degree, 0.1},
                                  {"theta_11", 0, 5.8, degree, 0.1},
                                  {"theta_16", 0, 61.4, degree, 0.1},
                                  {"L_1", 1199, 1609, mm, 1},
                                  {"L_2", 981, 1262, mm, 1},
                                  {"L_3", 999, 1362, mm, 1},
                                  {"L_5", 426, 537, mm, 1}};
  std::vector<double> low(ranges.size(), 1e9), high(ranges.size(), -1e9);
  for (const auto& [t, phase] : instants(0.01)) {
    machine.main = machine.process.in_phase(phase, t);
    const VectorX<double> q = machine.machine.close(machine.main.q);
    for (std::size_t k = 0; k < ranges.size(); ++k) {
      const double x = q(machine.machine.slot(ranges[k].joint)) / ranges[k].unit;
      low[k] = std::min(low[k], x), high[k] = std::max(high[k], x);
    }
  }
  for (std::size_t k = 0; k < ranges.size(); ++k) {
    const Range& range = ranges[k];
    std::cout << std::fixed << std::setprecision(2) << "  " << std::setw(8) << range.joint << ": published "
              << range.first << " to " << range.last << ", ours " << low[k] << " to " << high[k] << "\n";
    const bool only_size = range.first == 0;
    BOOST_TEST(std::abs(high[k] - low[k] - (range.last - range.first)) <= (only_size ? 1 : 2) * range.allowed,
               range.joint << " spans " << high[k] - low[k]);
    if (only_size) continue;
    BOOST_TEST(std::abs(low[k] - range.first) <= range.allowed, range.joint << " begins at " << low[k]);
    BOOST_TEST(std::abs(high[k] - range.last) <= range.allowed, range.joint << " ends at " << high[k]);
  }
  // Three stages on one slide: the telescope goes three times as far as cylinder 4.
  const auto extension = [&](double t) { return machine.process(t).q[4] / mm / 3; };
  std::cout << "       L_4: published 1643 to 2759, ours longer by " << extension(75) << "\n" << std::defaultfloat;
  BOOST_TEST(std::abs(extension(75) - (2759 - 1643)) <= 1);
}

BOOST_AUTO_TEST_CASE(velocities_jump_where_the_paper_says_and_nowhere_else)
{
  const WorkingProcess<double> process(working_process());
  std::set<double> jumps;
  for (std::size_t k = 1; k < process.data().phases.size(); ++k) {
    const double t = process.data().phases[k - 1].until;
    const MainMotion<double> before = process.in_phase(k - 1, t), after = process.in_phase(k, t);
    for (int j = 0; j < leaders; ++j) {
      BOOST_TEST(std::abs(after.q[j] - before.q[j]) <= 1e-14, "joint " << j << " jumps at " << t << " s");
      if (std::abs(after.qd[j] - before.qd[j]) > 1e-12) jumps.insert(t);
    }
  }
  const std::set<double> published{30, 40, 50, 60, 70, 75};
  BOOST_TEST(jumps == published, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(the_tongs_go_straight_down_the_pipe)
{
  Driven<double> machine;
  ForwardKinematics<double> bodies(machine.model);
  const auto tongs = [&](double t) {
    machine.at(t, machine.process.phase(65));
    bodies(machine.q, machine.motion.qd);
    return bodies.link_pose(machine.model.link("load"));
  };
  const SE3<double> begin = tongs(60);
  for (double t = 60; t <= 70; t += 0.5) {
    const SE3<double> now = tongs(t);
    const Vector3<double> right = begin.p + Vector3<double>{0, 0, -0.3655 * (t - 60)}, gap = now.p - right;
    BOOST_TEST(std::sqrt(inner(gap, gap)) <= 1e-13, "the tongs are off their line by " << std::sqrt(inner(gap, gap)));
    const Vector3<double> along = now.R * Vector3<double>{1, 0, 0};  // arm 4
    BOOST_TEST(std::abs(along[2] + 1) <= 1e-14, "arm 4 leans at " << t << " s");
    const Vector3<double> v = now.R * bodies.link_twist(machine.model.link("load")).v;
    BOOST_TEST(std::abs(v[2] + 0.3655) <= 1e-13, "the tongs go at " << v[2] << " m/s");
  }
}

BOOST_AUTO_TEST_CASE(one_line_gives_the_motion_of_the_class_bit_for_bit)
{
  Driven<double> machine;
  machine.at(45);
  const auto leads = machine.flags({machine.machine.leaders.begin(), machine.machine.leaders.end()});
  const VectorX<double> rates = VectorX<double>::LinSpaced(leaders, 0.1, 0.6), zero = VectorX<double>::Zero(leaders);
  machine.motion(machine.q, rates, 3 * rates);
  // As arguments expressions of the same numbers.
  const auto [G, qd, qdd] =
      loop_motion(machine.model, machine.described.loops, leads, 2 * (machine.q / 2), rates + zero, 3 * rates);
  BOOST_TEST((G == machine.motion.G));
  BOOST_TEST(qd == machine.motion.qd);
  BOOST_TEST(qdd == machine.motion.qdd);
  BOOST_TEST(qdd.norm() > 0);
}

BOOST_AUTO_TEST_CASE(what_cannot_be_meant_is_refused)
{
  const auto says = [](const std::string& part) {
    return [part](const Error& error) { return std::string(error.what()).find(part) != std::string::npos; };
  };
  ProcessData data = working_process();
  data.phases[3].until = 20;
  BOOST_CHECK_EXCEPTION(WorkingProcess<double>{data}, StateError, says("the times of phases must rise"));
  data = working_process();
  data.descent_x = 4;
  BOOST_CHECK_EXCEPTION(WorkingProcess<double>{data}, StateError, says("leaves the reach"));
  data = working_process();
  data.phases[2].pose[4] = std::nan("");
  BOOST_CHECK_EXCEPTION(WorkingProcess<double>{data}, StateError, says("coordinate 5 of the pose of phase"));
  data = working_process();
  data.start[0] = std::numeric_limits<double>::infinity();
  BOOST_CHECK_EXCEPTION(WorkingProcess<double>{data}, StateError, says("coordinate 1 of the pose of phase 'start'"));
  const WorkingProcess<double> process(working_process());
  for (const double t : {-1e-9, 80.1, std::nan("")})
    BOOST_CHECK_EXCEPTION(process(t), StateError, says("outside of the process"));
  BOOST_CHECK_EXCEPTION(process.in_phase(0, std::nan("")), StateError, says("t is not a finite number"));
  const Model<double> other(built_in_model("puma560"));
  BOOST_CHECK_EXCEPTION(HydraulicManipulator<double>{other}, StateError, says("arm_1"));

  Driven<double> machine;
  std::array<double, 6> torn = machine.process(45).q;
  torn[2] = 1.5;
  BOOST_CHECK_EXCEPTION(machine.machine.close(torn), StateError, says("two bars do not meet"));
  std::array<double, 6> dead = machine.process(45).q;
  dead[1] =
      direction(machine.machine.I) - direction(machine.machine.J);  // both pins of cylinder 1 in line with the joint
  BOOST_CHECK_EXCEPTION(machine.machine.pushes(dead, {1, 1, 1, 1}), StateError, says("cylinder 1 is at a dead point"));
  HydraulicManipulator<double> folded = machine.machine;
  folded.five.K = folded.five.N;  // the cylinder pushes along its rocker
  BOOST_CHECK_EXCEPTION(folded.pushes(machine.process(45).q, {1, 1, 1, 1}), StateError, says("cylinder 5 is at"));
  BOOST_CHECK_EXCEPTION(LoopMotion<double>(machine.model, machine.described.loops, {true}), SizeError, says("leads"));
  std::vector<bool> too_few = machine.flags({"theta_1", "theta_2", "theta_3", "theta_4", "d_5"});
  LoopMotion<double> loose(machine.model, machine.described.loops, too_few);
  machine.at(45);
  BOOST_CHECK_EXCEPTION(loose(machine.q, VectorX<double>::Zero(5), VectorX<double>::Zero(5)), StateError,
                        says("1 of the joints that do not lead free to move"));
}

BOOST_AUTO_TEST_SUITE_END()
