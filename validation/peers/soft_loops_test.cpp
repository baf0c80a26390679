/** \file
 *  \brief Machines with loops in MuJoCo: what is left of a difference when soft loops are taken to their rigid limit.
 *
 *  - Chapter: \ref mechanisms
 */
#include <boost/test/unit_test.hpp>
#include <cstdio>
#include <vector>
#include <peers/closed_state.hpp>
#include <peers/mujoco.hpp>

using namespace articulate;
using namespace articulate::validation;

namespace {

/// R is proportional to (1 - d) / d, and the answer analytic in it: by Neville's scheme to R = 0.
template <typename Answer>
Vector rigid_limit(const Answer& at_impedance)
{
  std::vector<double> R;
  std::vector<Vector> x;
  for (const double d : {0.9992, 0.9996, 0.9998, 0.9999}) {
    R.push_back((1 - d) / d);
    x.push_back(at_impedance(d));
    for (std::size_t k = x.size() - 1; k > 0; --k)
      x[k - 1] = x[k] + R.back() / (R[k - 1] - R.back()) * (x[k] - x[k - 1]);
  }
  return x.front();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(soft_loops)

BOOST_AUTO_TEST_CASE(softness_and_a_missing_term_are_all_that_differs)
{
  std::printf("%-24s %6s %10s %10s %10s %10s\n", "relative to ours", "speed", "soft", "softer", "rigid", "no Adot qd");
  for (const ClosedMachine& machine :
       {four_bar(), hoeken(), five_bar_with_pin(), hydraulic_manipulator(working_process().load)})
    for (const double speed : {0., 1.}) {
      const ClosedState x(machine, 1, speed, machine.guess.size() < 20 ? 3 : 1000);
      const auto ours = x.move(x.q, x.qd, x.tau), without = x.move(x.q, x.qd, x.tau, false);
      const auto theirs = [&](double impedance) {
        return to_vector(MujocoMachine(machine.tree, machine.loops, x.joints, impedance)
                             .accelerations(plain(x.q), plain(x.qd), plain(x.tau)));
      };
      const Vector soft = theirs(0.9999), softer = theirs(0.9998), rigid = rigid_limit(theirs);

      const auto gap = [&](const Vector& qdd, const Vector& from) { return largest(qdd - from) / largest(from); };
      std::printf("%-24s %6g %10.1e %10.1e %10.1e %10.1e\n", machine.name.c_str(), speed, gap(soft, ours.qdd),
                  gap(softer, ours.qdd), gap(rigid, ours.qdd), gap(rigid, without.qdd));
      BOOST_TEST(gap(rigid, without.qdd) <= 1e-6, machine.name);
      if (speed > 0) BOOST_TEST(gap(rigid, ours.qdd) > 10 * gap(rigid, without.qdd), machine.name);
    }
}

BOOST_AUTO_TEST_CASE(what_it_cannot_hold_is_refused)
{
  const auto build = [](const ClosedMachine& machine, const std::vector<std::string>& joints) {
    return MujocoMachine(machine.tree, machine.loops, joints, 0.9999);
  };
  const auto told = [](const std::string& words) {
    return [words](const ModelError& error) { return std::string(error.what()).find(words) != std::string::npos; };
  };
  BOOST_CHECK_EXCEPTION(build(bricard(), {}), ModelError, told("loop 'bar' is no hinge"));
  BOOST_CHECK_EXCEPTION(build(stewart_platform(), {}), ModelError, told("'leg_1_foot' is no hinge, no slide"));
  BOOST_CHECK_EXCEPTION(build(four_bar(), {"crank"}), ModelError, told("must name every moving joint once"));
  BOOST_CHECK_EXCEPTION(build(four_bar(), {"crank", "elbow", "tilt"}), ModelError, told("no moving joint 'tilt'"));
  BOOST_CHECK_THROW(build(four_bar(), {"crank", "elbow", "rocker"}).accelerations({0}, {0}, {0}), SizeError);
  ClosedMachine light = four_bar();
  light.tree.links.back().mass = 0;
  BOOST_CHECK_EXCEPTION(build(light, {}), ModelError, told("MuJoCo refuses the machine"));
}

BOOST_AUTO_TEST_SUITE_END()
