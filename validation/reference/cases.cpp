#include <reference/cases.hpp>
#include <algorithm>
#include <cmath>
#include <random>
#include <articulate/model/model.hpp>
#include <models/closed_machines.hpp>
#include <models/models.hpp>
#include <models/unit.hpp>

namespace articulate::reference {
namespace {

using validation::unit;

// clang-format off
/// A body on a hinge: its centre of mass hangs below, at rest where q = 0.
Mechanism pendulum()
{
  Mechanism machine;
  machine.name = machine.source = "pendulum";
  machine.links = {{"ground"},
                   {"bob", 1.7, {0, 0, -0.6}, {0, 0, 0, 1}, {0.11, 0, 0, 0.13, 0, 0.05}}};
  machine.joints = {{"hinge", JointType::revolute, "ground", "bob", {0, 0, 0}, {0, 0, 0, 1}, {0, 1, 0}}};
  return machine;
}

/// Two bars in a vertical plane, along x where q = 0; weight acts along -y.
Mechanism planar_2r()
{
  Mechanism machine;
  machine.name = machine.source = "planar_2r";
  machine.links = {{"ground"},
                   {"upper", 3.1, {0.35, 0, 0}, {0, 0, 0, 1}, {0.02, 0, 0, 0.09, 0, 0.1}},
                   {"fore", 1.9, {0.25, 0, 0}, {0, 0, 0, 1}, {0.01, 0, 0, 0.05, 0, 0.06}}};
  machine.joints = {{"shoulder", JointType::revolute, "ground", "upper", {0, 0, 0}, {0, 0, 0, 1}, {0, 0, 1}},
                    {"elbow", JointType::revolute, "upper", "fore", {0.8, 0, 0}, {0, 0, 0, 1}, {0, 0, 1}}};
  machine.gravity = {0, -9.81, 0};
  return machine;
}

/// One body that nothing holds; its frame is its principal one.
Mechanism free_body()
{
  Mechanism machine;
  machine.name = machine.source = "free_body";
  machine.links = {{"body", 2.3, {0, 0, 0}, {0, 0, 0, 1}, {0.11, 0, 0, 0.17, 0, 0.23}}};
  return machine;
}

/// An arm of six hinges in no special places.
Mechanism six_joint_arm()
{
  Mechanism machine;
  machine.name = machine.source = "six_joint_arm";
  machine.links = {{"foot", 8.3, {0.02, -0.03, 0.07}, unit({1, -1, 2, 9}), {0.12, 0.01, -0.02, 0.11, 0.01, 0.09}},
                   {"waist", 6.1, {0.04, 0.02, 0.13}, unit({2, 1, -1, 8}), {0.071, 0.005, -0.008, 0.066, 0.007, 0.043}},
                   {"upper_arm", 5.2, {0.21, -0.03, 0.05}, unit({-1, 2, 1, 7}), {0.032, -0.006, 0.011, 0.19, 0.004, 0.21}},
                   {"forearm", 3.4, {0.17, 0.04, -0.06}, unit({1, 3, -2, 9}), {0.017, 0.003, -0.005, 0.092, 0.002, 0.098}},
                   {"wrist", 1.3, {0.02, 0.05, 0.03}, unit({3, -1, 1, 6}), {0.0031, 0.0004, -0.0003, 0.0027, 0.0005, 0.0022}},
                   {"hand", 0.9, {-0.03, 0.01, 0.04}, unit({1, 2, 2, 5}), {0.0014, -0.0002, 0.0001, 0.0017, 0.0003, 0.0011}},
                   {"flange", 0.4, {0.01, -0.02, 0.05}, unit({2, -3, 1, 7}), {0.00061, 0.00004, -0.00007, 0.00058, 0.00005, 0.00042}}};
  machine.joints = {{"joint_1", JointType::revolute, "foot", "waist", {0.03, 0.01, 0.19}, unit({1, 0, -1, 9}), {0.1, -0.2, 0.9}},
                    {"joint_2", JointType::revolute, "waist", "upper_arm", {0.08, 0.05, 0.21}, unit({-2, 1, 1, 5}), {0.2, 0.9, -0.1}},
                    {"joint_3", JointType::revolute, "upper_arm", "forearm", {0.43, -0.02, 0.06}, unit({1, 1, 2, 8}), {-0.1, 0.8, 0.3}},
                    {"joint_4", JointType::revolute, "forearm", "wrist", {0.36, 0.03, -0.05}, unit({0, 2, 1, 3}), {0.9, 0.1, 0.2}},
                    {"joint_5", JointType::revolute, "wrist", "hand", {0.06, 0.02, 0.04}, unit({3, 1, -1, 6}), {-0.3, 0.7, 0.4}},
                    {"joint_6", JointType::revolute, "hand", "flange", {-0.02, 0.05, 0.07}, unit({1, -2, 3, 7}), {0.2, 0.3, -0.8}}};
  return machine;
}
// clang-format on

/// Whole numbers from -size to size, divided by a power of ten: the same on every machine, and short when printed.
class Draw {
public:
  explicit Draw(std::uint64_t seed) : engine_(seed) {}
  double operator()(int size, double divisor)
  {
    return (static_cast<int>(engine_() % static_cast<unsigned>(2 * size + 1)) - size) / divisor;
  }
  std::vector<double> many(int count, int size, double divisor)
  {
    std::vector<double> x(static_cast<std::size_t>(count));
    for (double& number : x) number = (*this)(size, divisor);
    return x;
  }

private:
  std::mt19937_64 engine_;
};

/// A state in no special place: turns up to 3 rad, slides up to 0.3 m, rates up to 2, accelerations up to 5, forces up to
/// 20, on every link a wrench of up to 3 N m and 3 N.
Problem drawn(const Mechanism& mechanism, bool floating_base, std::uint64_t seed)
{
  Draw draw(seed);
  Inputs in{mechanism, {floating_base, true}, {}, {}, {}, {}, {}, {}, 0};
  const Model<double> model(mechanism, in.options);
  for (const Body<double>& body : model.outward()) {
    const bool has_quaternion = body.nq > body.nv;
    for (int k = 0; k < (has_quaternion ? body.nq - 4 : body.nq); ++k)
      in.q.push_back(draw(!has_quaternion && model.rate_is_angular(body.v + k) ? 3000 : 300, 1000));
    if (has_quaternion)
      for (const double x : unit({draw(9, 1), draw(9, 1), draw(9, 1), 5 + draw(4, 1)})) in.q.push_back(x);
  }
  in.qd = draw.many(model.nv(), 2000, 1000);
  in.qdd = draw.many(model.nv(), 5000, 1000);
  in.tau = draw.many(model.nv(), 20000, 1000);
  for (std::size_t l = 0; l < mechanism.links.size(); ++l) {
    std::array<double, 6> wrench;
    for (double& x : wrench) x = draw(3000, 1000);
    in.link_wrenches.push_back(wrench);
  }
  return {in, {}, {}};
}

/// The same without external wrenches, for equations that fill a line.
Problem undisturbed(const Mechanism& mechanism, bool floating_base, std::uint64_t seed)
{
  Problem problem = drawn(mechanism, floating_base, seed);
  problem.in.link_wrenches.clear();
  return problem;
}

/// A machine with loops near where it closes.
Problem closed(const validation::ClosedMachine& machine, std::uint64_t seed)
{
  Problem problem = drawn(machine.tree, false, seed);
  problem.loops = machine.loops;
  problem.in.q = machine.guess;
  const Model<double> model(machine.tree);
  for (const JointSlot& joint : model.joints())
    if (std::find(machine.leaders.begin(), machine.leaders.end(), joint.name) != machine.leaders.end())
      for (int k = 0; k < joint.nv; ++k) problem.independent.push_back(joint.v + k);
  return problem;
}

/// Two cranks and two rods. In a plane the pin is a point on a line.
validation::ClosedMachine five_bar_on_a_line()
{
  validation::ClosedMachine machine = validation::five_bar_with_pin();
  machine.loops[0].turning = Turning::free;
  machine.loops[0].slides = {false, false, true};
  return machine;
}

/// Six legs and a platform, whose head turns by three angles: where it closes they are near zero.
validation::ClosedMachine platform_by_angles()
{
  validation::ClosedMachine machine = validation::stewart_platform();
  for (Joint& joint : machine.tree.joints)
    if (joint.type == JointType::ball) joint.type = JointType::euler_ball;
  machine.guess.erase(machine.guess.begin() + 6);  // of the quaternion 0 0 0 1 behind three coordinates
  return machine;
}

// clang-format off
/// Hinges in a row; of one link to the next all lengths are halved and the mass is a quarter.
Problem falling_masses(std::uint64_t seed)
{
  Mechanism machine;
  machine.name = machine.source = "falling_masses";
  machine.links = {{"link_0"}};
  for (int k = 1; k <= 12; ++k) {
    const double mass = std::ldexp(8, -2 * k), length = std::ldexp(1, -k), moment = mass * length * length;
    const std::string parent = machine.links.back().name, name = "link_" + std::to_string(k);
    machine.links.push_back({name, mass, {0.4 * length, 0.1 * length, -0.2 * length}, unit({1, -2, 1, 7}),
                             {0.05 * moment, 0.003 * moment, -0.004 * moment, 0.11 * moment, 0.002 * moment, 0.12 * moment}});
    machine.joints.push_back({"joint_" + std::string(k < 10 ? "0" : "") + std::to_string(k), JointType::revolute, parent, name,
                              {2 * length, 0.1 * length, 0}, unit({1, 2, -1, 5}), {0.2, 0.3, 0.9}});
  }
  return drawn(machine, false, seed);
}
// clang-format on

Problem far_away(std::uint64_t seed)
{
  Mechanism machine = six_joint_arm();
  machine.joints[0].position = {1000, -700, 400};
  return drawn(machine, false, seed);
}

Problem half_turns(std::uint64_t seed)
{
  Problem problem = drawn(six_joint_arm(), false, seed);
  for (double& q : problem.in.q) q = 3.141592652589793;
  return problem;
}

Problem fast(std::uint64_t seed)
{
  Problem problem = drawn(six_joint_arm(), false, seed);
  for (double& qd : problem.in.qd) qd *= 5000;
  return problem;
}

}  // namespace

std::vector<Case> cases()
{
  using namespace validation;
  return {{"pendulum", "lower", "a body on a hinge", undisturbed(pendulum(), false, 1)},
          {"planar_2r", "lower", "two bars in a vertical plane", undisturbed(planar_2r(), false, 2)},
          {"free_body", "lower", "a body in free flight, driven by a wrench", undisturbed(free_body(), true, 3)},
          {"puma560", "average", "the PUMA 560", drawn(puma560(), false, 4)},
          {"six_joint_arm", "average", "an arm of six hinges in no special places", drawn(six_joint_arm(), false, 5)},
          {"five_bar", "average", "a plane machine of two cranks and two rods", closed(five_bar_on_a_line(), 6)},
          {"stewart_platform", "average", "a platform on six legs", closed(platform_by_angles(), 7)},
          {"screw_arm", "average", "two screws, a slide and a hinge in a row", drawn(screw_arm(), false, 8)},
          {"mixed_tree", "average", "hinges, universal joints, a slide and a ball by angles",
           drawn(mixed_tree(), false, 9)},
          {"every_joint", "average", "one joint of every type on a free base", drawn(every_joint(), true, 10)},
          {"quadruped", "average", "a walker on four legs of three hinges", drawn(quadruped(), true, 11)},
          {"humanoid", "average", "a walker on two legs, with arms and a mallet", drawn(humanoid(), true, 12)},
          {"aerial_manipulator", "average", "a multirotor with two arms", drawn(aerial_manipulator(), true, 13)},
          {"chain_of_48", "higher", "forty-eight joints in a row: hinges, slides and screws",
           drawn(random_chain(14, 48), false, 14)},
          {"falling_masses", "higher", "twelve hinges, each link a quarter of the one before", falling_masses(15)},
          {"far_away", "higher", "six hinges, 1000 m from the origin", far_away(16)},
          {"half_turns", "higher", "six hinges, each 1e-9 rad before half a turn", half_turns(17)},
          {"fast", "higher", "six hinges at up to 1e4 rad/s", fast(18)}};
}

Case case_of(const std::string& name)
{
  std::string known;
  for (const Case& one : cases()) {
    if (one.name == name) return one;
    known += (known.empty() ? "" : ", ") + one.name;
  }
  throw Error("there is no case '" + name + "'; the cases are " + known + ".");
}

}  // namespace articulate::reference
