#include <reference/cases.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <articulate/model/model.hpp>
#include <models/closed_machines.hpp>
#include <models/models.hpp>
#include <models/unit.hpp>
#include <reference/certified.hpp>

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

/// A top whose tip is held: a body of revolution on a ball.
Mechanism lagrange_top()
{
  Mechanism machine;
  machine.name = machine.source = "lagrange_top";
  machine.links = {{"ground"},
                   {"top", 1.3, {0, 0, 0.21}, {0, 0, 0, 1}, {0.011, 0, 0, 0.011, 0, 0.004}}};
  machine.joints = {{"tip", JointType::ball, "ground", "top"}};
  return machine;
}

/// A crank and a rod whose end stays on the x axis; weight acts along -y.
validation::ClosedMachine slider_crank()
{
  Mechanism tree = planar_2r();
  tree.name = tree.source = "slider_crank";
  tree.joints[1].position = {0.25, 0, 0};
  Loop slider{"slider", {"ground"}, {"fore", {0.75, 0, 0}}};
  slider.turning = Turning::free, slider.slides = {true, false, true};
  return {tree.name, "", tree, {slider}, {0.7, -0.92}, {}, {"shoulder"}};
}

/// A rod whose foot slides along x while its head leans on the wall x = 0.
validation::ClosedMachine ladder()
{
  Mechanism tree;
  tree.name = tree.source = "ladder";
  tree.links = {{"floor"},
                {"foot", 0.7},
                {"rod", 2.9, {0.4375, 0, 0}, {0, 0, 0, 1}, {0.02, 0, 0, 0.19, 0, 0.2}}};
  tree.joints = {{"slide", JointType::prismatic, "floor", "foot", {0, 0, 0}, {0, 0, 0, 1}, {1, 0, 0}},
                 {"tilt", JointType::revolute, "foot", "rod", {0, 0, 0}, {0, 0, 0, 1}, {0, 0, 1}}};
  tree.gravity = {0, -9.81, 0};
  Loop wall{"wall", {"floor"}, {"rod", {0.875, 0, 0}}};
  wall.turning = Turning::free, wall.slides = {false, true, true};
  return {tree.name, "", tree, {wall}, {-0.47, 1}, {}, {"tilt"}};
}

/// A crank, a coupler and a rocker on the x axis; weight acts along -y.
validation::ClosedMachine four_bar()
{
  Mechanism tree;
  tree.name = tree.source = "four_bar";
  tree.links = {{"ground"},
                {"crank", 1.1, {0.125, 0, 0}, {0, 0, 0, 1}, {0.002, 0, 0, 0.007, 0, 0.008}},
                {"coupler", 2.3, {0.375, 0, 0}, {0, 0, 0, 1}, {0.014, 0, 0, 0.11, 0, 0.12}},
                {"rocker", 1.7, {0.25, 0, 0}, {0, 0, 0, 1}, {0.013, 0, 0, 0.04, 0, 0.05}}};
  tree.joints = {{"drive", JointType::revolute, "ground", "crank"},
                 {"elbow", JointType::revolute, "crank", "coupler", {0.25, 0, 0}},
                 {"rest", JointType::revolute, "ground", "rocker", {0.625, 0, 0}}};
  tree.gravity = {0, -9.81, 0};
  Loop pin{"pin", {"rocker", {0.5, 0, 0}}, {"coupler", {0.75, 0, 0}}};
  pin.turning = Turning::free, pin.slides = {false, false, true};
  return {tree.name, "", tree, {pin}, {0.7, -0.31, 1}, {}, {"drive"}};
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
/// An arm of seven hinges, each across the one before; its links become shorter and lighter.
Mechanism seven_joint_arm()
{
  Mechanism machine;
  machine.name = machine.source = "seven_joint_arm";
  machine.links = {{"foot", 9.1, {0.01, 0.02, 0.08}, unit({1, 2, -1, 9}), {0.13, 0.01, 0.02, 0.12, -0.01, 0.1}}};
  for (int k = 1; k <= 7; ++k) {
    const double mass = (9.0 - k) / 2, length = (10.0 - k) / 25, moment = mass * length * length;
    const std::string parent = machine.links.back().name, name = "link_" + std::to_string(k);
    machine.links.push_back({name, mass, {0.02, 0.1 * length, 0.45 * length}, unit({1, -1, 2, 8}),
                             {0.09 * moment, 0.004 * moment, -0.003 * moment, 0.1 * moment, 0.005 * moment, 0.03 * moment}});
    machine.joints.push_back({"joint_" + std::to_string(k), JointType::revolute, parent, name, {0.01, -0.02, 0.9 * length},
                              k % 2 ? unit({30, 1, 2, 31}) : unit({-30, 2, 1, 29}), {0.02, 0.05, 1}});
  }
  machine.gravity = {0.9, -1.6, -9.6};
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

/// A machine with loops near where it closes; what leads it is drawn, or stays where it is.
Problem closed(const validation::ClosedMachine& machine, std::uint64_t seed, bool leaders_stay = false)
{
  Problem problem = drawn(machine.tree, false, seed);
  problem.loops = machine.loops;
  problem.in.q = machine.guess;
  const Model<double> model(machine.tree);
  Draw draw(seed);
  for (const JointSlot& joint : model.joints())
    if (std::find(machine.leaders.begin(), machine.leaders.end(), joint.name) != machine.leaders.end())
      for (int k = joint.v; k < joint.v + joint.nv; ++k) {
        problem.independent.push_back(k);
        if (!leaders_stay) problem.in.q[static_cast<std::size_t>(k)] += draw(50, 1000);
      }
  return problem;
}

/// The same without external wrenches.
Problem closed_undisturbed(const validation::ClosedMachine& machine, std::uint64_t seed)
{
  Problem problem = closed(machine, seed);
  problem.in.link_wrenches.clear();
  return problem;
}

/// In a plane a pin is a point on a line.
validation::ClosedMachine pinned_on_a_line(validation::ClosedMachine machine)
{
  machine.loops[0].turning = Turning::free;
  machine.loops[0].slides = {false, false, true};
  return machine;
}

/// Two cranks and two rods, nearer to where they close.
validation::ClosedMachine five_bar_on_a_line()
{
  validation::ClosedMachine machine = pinned_on_a_line(validation::five_bar_with_pin());
  machine.guess = {0.3, -1.98, 0.9, 0.66};
  return machine;
}

/// Six hinges in space, the sixth of them cut. Of its five rows four are independent: the point, and one of the two that
/// keep the axes parallel, as the row of a universal joint is.
validation::ClosedMachine bricard_by_four_rows()
{
  validation::ClosedMachine machine = validation::bricard_at_a_hinge();
  machine.loops[0].turning = Turning::universal;
  machine.loops[0].axis = {0, 0, 1};  // the hinge is about y
  return machine;
}

/// Two loops that share joints, near where they close.
validation::ClosedMachine two_closed_loops()
{
  validation::ClosedMachine machine = validation::two_loops();
  machine.guess = {-0.224, 0.755, -0.034, -0.123, 2.443, 1.494, -0.14, 1.201, 0.004, 0.912};
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
/// Hinges in a row; of one link to the next all lengths are halved and the mass is a quarter, or four times as much.
Mechanism halved_lengths(bool masses_fall)
{
  Mechanism machine;
  machine.name = machine.source = masses_fall ? "falling_masses" : "rising_masses";
  machine.links = {{"link_0"}};
  for (int k = 1; k <= 12; ++k) {
    const double mass = std::ldexp(8, masses_fall ? -2 * k : 2 * k - 26), length = std::ldexp(1, -k), moment = mass * length * length;
    const std::string parent = machine.links.back().name, name = "link_" + std::to_string(k);
    machine.links.push_back({name, mass, {0.4 * length, 0.1 * length, -0.2 * length}, unit({1, -2, 1, 7}),
                             {0.05 * moment, 0.003 * moment, -0.004 * moment, 0.11 * moment, 0.002 * moment, 0.12 * moment}});
    machine.joints.push_back({"joint_" + std::string(k < 10 ? "0" : "") + std::to_string(k), JointType::revolute, parent, name,
                              {2 * length, 0.1 * length, 0}, unit({1, 2, -1, 5}), {0.2, 0.3, 0.9}});
  }
  return machine;
}
// clang-format on

constexpr std::array<double, 3> far{1000, -700, 400};

Problem far_away(Mechanism machine, std::uint64_t seed)
{
  machine.joints[0].position = far;
  return drawn(machine, false, seed);
}

validation::ClosedMachine far_away(validation::ClosedMachine machine)
{
  machine.tree.joints[0].position = far;
  return machine;
}

/// A floating base far away.
Problem adrift(Mechanism machine, std::uint64_t seed)
{
  Problem problem = drawn(machine, true, seed);
  for (std::size_t k = 0; k < 3; ++k) problem.in.q[k] += far[k];
  return problem;
}

Problem half_turns(const Mechanism& machine, std::uint64_t seed)
{
  Problem problem = drawn(machine, false, seed);
  for (double& q : problem.in.q) q = 3.141592652589793;
  return problem;
}

/// Up to 1e4 rad/s.
Problem fast(Problem problem)
{
  for (double& qd : problem.in.qd) qd *= 5000;
  return problem;
}

/// The last link 2^26 times as heavy.
Problem heavy_tip(Mechanism machine, std::uint64_t seed)
{
  Link& tip = machine.links.back();
  tip.mass = std::ldexp(tip.mass, 26);
  for (double& moment : tip.inertia) moment = std::ldexp(moment, 26);
  return drawn(machine, false, seed);
}

/// A ball by three angles, the second 1e-6 rad from where the axes of the other two coincide.
Problem nearly_aligned_axes(std::uint64_t seed)
{
  Mechanism machine = six_joint_arm();
  machine.name = machine.source = "nearly_aligned_axes";
  machine.joints[2].type = JointType::euler_ball;
  Problem problem = drawn(machine, false, seed);
  problem.in.q[3] = 1.5707953267948966;
  return problem;
}

/// The foot leads, 8e-13 m from where the ladder lies flat.
validation::ClosedMachine flat_ladder()
{
  validation::ClosedMachine machine = ladder();
  machine.guess = {-0.875 * (1 - 0x1p-40), 1.3487e-6};
  machine.leaders = {"slide"};
  return machine;
}

/// The rocker leads, 1e-10 rad from the end of its swing, where crank and coupler are in line.
validation::ClosedMachine dead_point()
{
  validation::ClosedMachine machine = four_bar();
  machine.guess = {0.42142961595234824, 1.6514144244361706e-05, 0.9581921788462742};
  machine.leaders = {"rest"};
  return machine;
}

/// A machine, how many states of it are cases, and the seed of the first. A seed that has been used is never another's.
struct Family {
  const char *name, *tier, *title;
  int states;
  std::uint64_t seed;
  Problem (*problem)(std::uint64_t seed);
};

using Seed = std::uint64_t;
using namespace validation;

constexpr Family families[] = {
    {"pendulum", "lower", "a body on a hinge", 3, 1, [](Seed seed) { return undisturbed(pendulum(), false, seed); }},
    {"planar_2r", "lower", "two bars in a vertical plane", 3, 4,
     [](Seed seed) { return undisturbed(reference::planar_2r(), false, seed); }},
    {"free_body", "lower", "a body in free flight, driven by a wrench", 3, 7,
     [](Seed seed) { return undisturbed(free_body(), true, seed); }},
    {"lagrange_top", "lower", "a top whose tip is held", 3, 10,
     [](Seed seed) { return undisturbed(lagrange_top(), false, seed); }},
    {"slider_crank", "lower", "a crank and a rod that ends on a line", 2, 13,
     [](Seed seed) { return closed_undisturbed(slider_crank(), seed); }},
    {"ladder", "lower", "a rod between a wall and the floor", 2, 15,
     [](Seed seed) { return closed_undisturbed(ladder(), seed); }},
    {"four_bar", "lower", "a crank, a coupler and a rocker in a vertical plane", 2, 17,
     [](Seed seed) { return closed_undisturbed(reference::four_bar(), seed); }},

    {"puma560", "average", "the PUMA 560", 3, 19, [](Seed seed) { return drawn(puma560(), false, seed); }},
    {"six_joint_arm", "average", "an arm of six hinges in no special places", 3, 22,
     [](Seed seed) { return drawn(six_joint_arm(), false, seed); }},
    {"seven_joint_arm", "average", "an arm of seven hinges, each across the one before", 3, 25,
     [](Seed seed) { return drawn(seven_joint_arm(), false, seed); }},
    {"cart_pendulum", "average", "a pendulum on a cart on an inclined rail", 2, 28,
     [](Seed seed) { return drawn(cart_pendulum(), false, seed); }},
    {"screw_arm", "average", "two screws, a slide and a hinge in a row", 2, 30,
     [](Seed seed) { return drawn(screw_arm(), false, seed); }},
    {"planar_arm", "average", "five hinges with parallel axes", 2, 32,
     [](Seed seed) { return drawn(planar_arm(5), false, seed); }},
    {"branching_tree", "average", "three branches of three hinges", 2, 34,
     [](Seed seed) { return drawn(branching_tree(3, 3), false, seed); }},
    {"mixed_tree", "average", "hinges, universal joints, a slide and a ball by angles", 2, 36,
     [](Seed seed) { return drawn(mixed_tree(), false, seed); }},
    {"every_joint", "average", "one joint of every type on a free base", 2, 38,
     [](Seed seed) { return drawn(every_joint(), true, seed); }},
    {"quadruped", "average", "a walker on four legs of three hinges", 2, 40,
     [](Seed seed) { return drawn(quadruped(), true, seed); }},
    {"humanoid", "average", "a walker on two legs, with arms and a mallet", 2, 42,
     [](Seed seed) { return drawn(humanoid(), true, seed); }},
    {"aerial_manipulator", "average", "a multirotor with two arms", 2, 44,
     [](Seed seed) { return drawn(aerial_manipulator(), true, seed); }},
    {"five_bar", "average", "a plane machine of two cranks and two rods", 3, 46,
     [](Seed seed) { return closed(five_bar_on_a_line(), seed); }},
    {"hoeken", "average", "a four-bar that draws a straight line", 2, 49,
     [](Seed seed) { return closed(pinned_on_a_line(hoeken()), seed); }},
    {"two_loops", "average", "a tree with a universal joint and a ball between its links", 2, 51,
     [](Seed seed) { return closed(two_closed_loops(), seed); }},
    {"stewart_platform", "average", "a platform on six legs", 2, 53,
     [](Seed seed) { return closed(platform_by_angles(), seed); }},
    {"bricard", "average", "Bricard's linkage: six hinges in space, each at right angles to the next", 3, 83,
     [](Seed seed) { return closed(bricard_by_four_rows(), seed); }},

    {"chain_of_48", "higher", "forty-eight joints in a row: hinges, slides and screws", 1, 55,
     [](Seed seed) { return drawn(random_chain(14, 48), false, seed); }},
    {"falling_masses", "higher", "twelve hinges, each link a quarter of the one before", 2, 56,
     [](Seed seed) { return drawn(halved_lengths(true), false, seed); }},
    {"rising_masses", "higher", "twelve hinges, each link half as long and four times as heavy as the one before", 2,
     58, [](Seed seed) { return drawn(halved_lengths(false), false, seed); }},
    {"heavy_tip", "higher", "six hinges, the last link 2^26 times as heavy", 2, 60,
     [](Seed seed) { return heavy_tip(six_joint_arm(), seed); }},
    {"far_away", "higher", "six hinges, 1000 m from the origin", 3, 62,
     [](Seed seed) { return far_away(six_joint_arm(), seed); }},
    {"adrift", "higher", "a quadruped on a free base, 1000 m from the origin", 2, 65,
     [](Seed seed) { return adrift(quadruped(), seed); }},
    {"half_turns", "higher", "six hinges, each 1e-9 rad before half a turn", 2, 67,
     [](Seed seed) { return half_turns(six_joint_arm(), seed); }},
    {"half_turns_of_seven", "higher", "seven hinges, each 1e-9 rad before half a turn", 2, 69,
     [](Seed seed) { return half_turns(seven_joint_arm(), seed); }},
    {"fast", "higher", "six hinges at up to 1e4 rad/s", 3, 71,
     [](Seed seed) { return fast(drawn(six_joint_arm(), false, seed)); }},
    {"nearly_aligned_axes", "higher", "a ball by three angles, 1e-6 rad from its singular place", 2, 74,
     [](Seed seed) { return nearly_aligned_axes(seed); }},
    {"far_five_bar", "higher", "the five-bar, 1000 m from the origin", 2, 76,
     [](Seed seed) { return closed(far_away(five_bar_on_a_line()), seed); }},
    {"fast_stewart_platform", "higher", "the platform on six legs at up to 1e4 m/s", 1, 78,
     [](Seed seed) { return fast(closed(platform_by_angles(), seed)); }},
    {"flat_ladder", "higher", "the ladder, all but lying on the floor", 2, 79,
     [](Seed seed) { return closed(flat_ladder(), seed, true); }},
    {"dead_point", "higher", "the four-bar, all but at the end of its swing", 2, 81,
     [](Seed seed) { return closed(dead_point(), seed, true); }}};

}  // namespace

std::vector<Case> cases()
{
  std::vector<Case> all;
  for (const Family& family : families)
    for (int state = 1; state <= family.states; ++state)
      all.push_back({family.name + (state == 1 ? "" : "_" + std::to_string(state)), family.tier, family.title,
                     family.problem(family.seed + static_cast<Seed>(state - 1))});
  return all;
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

std::vector<Coverage> coverage()
{
  const std::vector<Case> all = cases();
  std::vector<Coverage> table;
  for (const std::string& quantity : all_quantities()) {
    Coverage row{quantity};
    for (std::size_t t = 0; t < tiers.size(); ++t)
      row.cases[t] = static_cast<int>(std::count_if(all.begin(), all.end(), [&](const Case& one) {
        return one.tier == tiers[t] && is_asked(quantity, one.problem);
      }));
    table.push_back(row);
  }
  return table;
}

}  // namespace articulate::reference
