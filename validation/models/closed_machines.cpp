// Machines with loops. What is not said to be published is ours; nothing is aligned but what the loop needs to move.
//
// A loop that moves although the count says that it should not does so only if its numbers are exact. So places along
// parallel hinges, and all of Bricard's, are sums of a few powers of two: they are added up without rounding.
#include <models/closed_machines.hpp>
#include <models/unit.hpp>

namespace articulate::validation {

namespace {

/// A floor, and a ground that is tilted against it.
Mechanism on_tilted_ground(const std::string& name)
{
  Mechanism machine;
  machine.name = machine.source = name;
  machine.links = {
      {"floor", 6.3, {0.02, 0.05, -0.07}, unit({1, 0, 2, 9}), {0.21, 0.01, -0.02, 0.24, 0.01, 0.33}},
      {"ground", 2.7, {0.03, -0.02, 0.04}, unit({1, -2, 1, 8}), {0.034, 0.002, 0.004, 0.041, -0.003, 0.063}}};
  machine.joints = {{"tilt", JointType::fixed, "floor", "ground", {-0.11, 0.06, 0.23}, unit({3, -1, 2, 7})}};
  machine.gravity = {-1.9, 2.4, -9.2};
  return machine;
}

/// Four bars: ground d along x of `ground`, crank a, coupler b, rocker c (m). The angles of crank and rocker are those of
/// the textbooks, from the ground's line; that of the coupler is relative to the crank.
ClosedMachine linkage(const std::string& name, const std::string& summary, double d, double a, double b, double c)
{
  ClosedMachine machine{name, summary, on_tilted_ground(name), {}, {0.7, -0.3, 1}, {"crank"}, {"crank"}};
  // clang-format off
  machine.tree.links.insert(machine.tree.links.end(),
                  {{"crank", 0.6, {0.4 * a, 0.004, 0.01}, unit({1, 2, -1, 7}), {0.00031, 0.00004, -0.00002, 0.00047, 0.00003, 0.00052}},
                   {"coupler", 1.3, {0.6 * b, -0.011, 0.02}, unit({-2, 1, 2, 8}), {0.0012, 0.0003, 0.0001, 0.0031, -0.0002, 0.0034}},
                   {"rocker", 0.8, {0.5 * c, 0.007, -0.01}, unit({2, 1, 3, 7}), {0.0006, -0.0001, 0.0001, 0.0011, 0.0002, 0.0013}}});
  machine.tree.joints.insert(machine.tree.joints.end(),
                  {{"crank", JointType::revolute, "ground", "crank", {0, 0, 0.03125}},
                   {"elbow", JointType::revolute, "crank", "coupler", {a, 0, 0.0625}},
                   {"rocker", JointType::revolute, "ground", "rocker", {d, 0, 0.125}}});
  // clang-format on
  machine.loops = {
      cut_joint("pin", JointType::revolute, {"coupler", {b, 0, -0.015625}}, {"rocker", {c, 0, -0.046875}})};
  return machine;
}

}  // namespace

ClosedMachine five_bar_with_pin()
{
  // Both tips are 0.08 m above the ground's plane, but as binary numbers 0.03 + 0.04 + 0.01 is so much less than
  // 0.05 - 0.02 + 0.05; whoever computes in 50 digits would see the pin open.
  const double lack = 0x1.8p-58;
  return {"five_bar",
          "plane five-bar cut at its pin: four joints, five rows of rank two; ours",
          five_bar(),
          {cut_joint("pin", JointType::revolute, {"left_tip", {0, 0, lack}}, {"right_tip"})},
          {0.3, 0.6, 0.9, 1.2},
          {"left_drive", "right_drive"},
          {"left_drive", "right_drive"}};
}

ClosedMachine five_bar_halved()
{
  ClosedMachine machine = five_bar_with_pin();
  machine.name = machine.tree.name = machine.tree.source = "five_bar_halved";
  machine.summary = "the same cut through a rod, as Kim counts it: five joints, six rows of rank three; ours";
  Joint end = machine.tree.joints.back();  // right_end: from here on a cut joint
  machine.tree.joints.back() = {"pin", JointType::revolute, "left_tip", "right_tip", machine.loops[0].first.position};
  machine.tree.links.back() = {
      "right_tip", 0.5, {-0.07, 0.03, 0.02}, unit({1, 2, 2, 9}), {0.0013, 0.0002, 0.0001, 0.0021, -0.0003, 0.0024}};
  machine.loops = {cut_joint("rod", JointType::fixed, {end.parent, end.position, end.quaternion}, {end.child})};
  machine.guess = {0.3, -1.9, 0.4, 0.9, 0.7};
  return machine;
}

ClosedMachine four_bar()
{
  return linkage("four_bar", "crank and rocker after Norton, Design of Machinery, example 4-1; masses ours", 0.1, 0.04,
                 0.12, 0.08);
}

ClosedMachine hoeken()
{
  ClosedMachine machine = linkage("hoeken", "Hoeken's straight-line linkage, 2 : 1 : 2.5 : 2.5; masses ours", 0.125,
                                  0.0625, 0.15625, 0.15625);
  machine.tree.links.push_back({"pen"});
  machine.tree.joints.push_back({"holder", JointType::fixed, "coupler", "pen", {0.3125, 0, -0.015625}});
  return machine;
}

ClosedMachine bricard()
{
  // With all angles zero the bars are stretched along x and the hinges turn about z and -y in turn. The joint frames are
  // shifted along the hinges.
  const double a = 0.25, s1 = 0.0625, s2 = -0.03125, s3 = -0.0625, s4 = 0.125, s5 = 0.03125, s6 = 0.0625;
  ClosedMachine machine{
      "bricard",
      "Bricard's orthogonal linkage of equal bars, cut through one: six joints, six rows of rank five; masses ours",
      on_tilted_ground("bricard"),
      {cut_joint("bar", JointType::fixed, {"ground"}, {"bar_6", {a, -s6, 0}})},
      {1.2, 1.8, 1.2, 1.8, 1.2, 1.8},
      {"hinge_1"},
      {"hinge_1"}};
  // clang-format off
  machine.tree.links.insert(machine.tree.links.end(),
                  {{"bar_1", 0.9, {0.11, 0.03, -0.02}, unit({1, 2, -1, 7}), {0.0021, 0.0003, -0.0002, 0.0046, 0.0004, 0.0053}},
                   {"bar_2", 1.2, {0.14, -0.02, 0.03}, unit({-2, 1, 2, 8}), {0.0037, 0.0008, 0.0006, 0.0071, -0.0009, 0.0084}},
                   {"bar_3", 0.7, {0.09, 0.01, 0.04}, unit({2, 1, 3, 7}), {0.0014, -0.0004, 0.0003, 0.0038, 0.0002, 0.0041}},
                   {"bar_4", 1.1, {0.12, 0.04, -0.01}, unit({1, -3, 1, 9}), {0.0031, -0.0008, 0.0005, 0.0062, 0.0007, 0.0068}},
                   {"bar_5", 0.8, {0.13, -0.03, 0.02}, unit({3, 2, -1, 6}), {0.0019, 0.0002, 0.0004, 0.0043, -0.0003, 0.0047}},
                   {"bar_6", 1.4, {0.1, -0.04, -0.03}, unit({1, 1, -2, 5}), {0.0042, 0.0006, -0.0007, 0.0079, 0.0005, 0.0092}}});
  machine.tree.joints.insert(machine.tree.joints.end(),
                  {{"hinge_1", JointType::revolute, "ground", "bar_1", {0, 0, s1}, {0, 0, 0, 1}, {0, 0, 1}},
                   {"hinge_2", JointType::revolute, "bar_1", "bar_2", {a, s2, -s1}, {0, 0, 0, 1}, {0, -1, 0}},
                   {"hinge_3", JointType::revolute, "bar_2", "bar_3", {a, -s2, s3}, {0, 0, 0, 1}, {0, 0, 1}},
                   {"hinge_4", JointType::revolute, "bar_3", "bar_4", {a, s4, -s3}, {0, 0, 0, 1}, {0, -1, 0}},
                   {"hinge_5", JointType::revolute, "bar_4", "bar_5", {a, -s4, s5}, {0, 0, 0, 1}, {0, 0, 1}},
                   {"hinge_6", JointType::revolute, "bar_5", "bar_6", {a, s6, -s5}, {0, 0, 0, 1}, {0, -1, 0}}});
  // clang-format on
  return machine;
}

ClosedMachine bricard_at_a_hinge()
{
  ClosedMachine machine = bricard();
  machine.name = machine.tree.name = machine.tree.source = "bricard_at_a_hinge";
  machine.summary = "the same, cut at a hinge: five joints, five rows of rank four";
  // The last bar is the ground itself.
  const Joint hinge = machine.tree.joints.back();
  const auto& [a, minus_s6, zero] = machine.loops[0].second.position;
  machine.loops = {cut_joint(hinge.name, JointType::revolute, {hinge.parent, hinge.position},
                             {"ground", {-a, -minus_s6, -zero}}, hinge.axis)};
  machine.tree.joints.pop_back(), machine.tree.links.pop_back(), machine.guess.pop_back();
  return machine;
}

ClosedMachine stewart_platform()
{
  ClosedMachine machine{"stewart_platform",
                        "platform on six legs of universal joint, slide and ball: 21 joints, 15 rows; ours",
                        on_tilted_ground("stewart_platform"),
                        {},
                        {},
                        {},
                        {}};
  struct Leg {
    std::array<double, 3> foot;        // in the ground's frame, m
    std::array<double, 4> turn;        // of the universal joint
    std::array<double, 3> head;        // in the platform's frame, whose origin is the first, m
    double lean_x, lean_y, extension;  // roughly closed
  };
  // clang-format off
  const std::vector<Leg> legs{{{0.52, 0.09, 0.02}, unit({1, -1, 2, 40}), {0, 0, 0}, -0.1, -0.4, 0.1},
                              {{-0.17, 0.5, -0.01}, unit({-1, 2, 1, 35}), {-0.14, 0.09, 0.01}, 0.3, 0.3, 0.1},
                              {{-0.34, 0.41, 0.03}, unit({2, 1, 5, 30}), {-0.51, -0.13, -0.01}, 0.4, 0.1, 0.1},
                              {{-0.36, -0.39, 0.01}, unit({1, 1, -4, 35}), {-0.5, -0.28, 0.01}, -0.4, 0.1, 0.1},
                              {{-0.19, -0.49, 0.02}, unit({2, -2, 3, 40}), {-0.16, -0.5, 0}, -0.3, 0.3, 0.1},
                              {{0.5, -0.11, -0.02}, unit({-2, 1, -3, 30}), {0.01, -0.39, 0.02}, 0.1, -0.3, 0.1}};
  for (std::size_t k = 0; k < legs.size(); ++k) {
    const std::string leg = "leg_" + std::to_string(k + 1);
    const double heavier = 1 + 0.1 * k;
    machine.tree.links.insert(machine.tree.links.end(),
                  {{leg + "_tube", 1.9 * heavier, {0.02, -0.01, 0.16}, unit({1, 2, -1, 9}), {0.0221, 0.0004, -0.0003, 0.0228, 0.0002, 0.0039}},
                   {leg + "_rod", 0.8 * heavier, {-0.01, 0.02, 0.19}, unit({2, -1, 1, 8}), {0.0115, 0.0003, 0.0002, 0.0118, -0.0001, 0.0021}}});
    machine.tree.joints.insert(machine.tree.joints.end(),
                  {{leg + "_foot", JointType::universal, "ground", leg + "_tube", legs[k].foot, legs[k].turn},
                   {leg + "_drive", JointType::prismatic, leg + "_tube", leg + "_rod", {0.02, -0.03, 0.31}, unit({1, -2, 1, 50}), {0.04, 0.02, 1}}});
    const Loop::End head{leg + "_rod", {0.01, 0.02, 0.42}};
    if (k == 0) {
      machine.tree.links.push_back({"platform", 7.4, {-0.19, -0.22, 0.03}, unit({1, 3, 2, 9}), {0.31, 0.02, -0.03, 0.34, 0.01, 0.58}});
      machine.tree.joints.push_back({"leg_1_head", JointType::ball, head.link, "platform", head.position, unit({1, 2, -1, 20})});
    } else {
      machine.loops.push_back(cut_joint(leg + "_head", JointType::ball, head, {"platform", legs[k].head}));
    }
    machine.guess.insert(machine.guess.end(), {legs[k].lean_x, legs[k].lean_y, legs[k].extension});
    if (k == 0) machine.guess.insert(machine.guess.end(), {0, 0, 0, 1});
    machine.motors.push_back(leg + "_drive");
  }
  // clang-format on
  machine.leaders = machine.motors;
  return machine;
}

ClosedMachine two_loops()
{
  return {
      "two_loops",
      "the built-in mixed_tree with a universal joint and a ball put between its links: ten joints, seven rows; ours",
      mixed_tree(),
      {cut_joint("cross", JointType::universal, {"body_3", {0.17, -0.08, 0.11}, unit({1, 2, -1, 5})},
                 {"body_6", {0.12, 0.09, -0.14}, unit({2, -1, 3, 6})}),
       cut_joint("socket", JointType::ball, {"root", {0.3, 0.4, 0.5}}, {"body_4", {0.09, 0.21, -0.16}})},
      {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.1, 0.8, 0.9, 1.0},
      {"joint_1", "joint_5", "joint_6"},
      {"joint_1", "joint_6"}};
}

ClosedMachine standing_quadruped()
{
  ClosedMachine machine{"standing_quadruped",
                        "the built-in quadruped on the ground, its feet on balls: 18 joints, 12 rows; ours",
                        quadruped(),
                        {},
                        {0, 0, 0.5, 0, 0, 0, 1},
                        {},
                        {"stance"}};
  machine.tree.name = machine.tree.source = machine.name;
  machine.tree.links.insert(machine.tree.links.begin(), Link{"ground"});
  machine.tree.joints.push_back(
      {"stance", JointType::floating, "ground", "trunk", {0.3, -0.2, 0.1}, unit({1, -2, 3, 20})});
  const auto stand = [&](const std::string& leg, const std::array<double, 3>& place) {
    machine.loops.push_back(
        cut_joint(leg + "_print", JointType::ball, {"ground", place}, {leg + "_foot", {0.004, 0.003, -0.021}}));
    for (const char* joint : {"_spread", "_swing", "_knee"}) machine.motors.push_back(leg + joint);
    machine.guess.insert(machine.guess.end(), {0, 0.4, -0.8});
  };
  stand("front_left", {0.5, 0.1, 0.1});
  stand("front_right", {0.5, -0.3, 0.12});
  stand("hind_left", {0.1, 0.1, 0.07});
  stand("hind_right", {0.1, -0.3, 0.09});
  return machine;
}

std::vector<ClosedMachine> closed_machines()
{
  return {five_bar_with_pin(), five_bar_halved(), four_bar(),          hoeken(), bricard(), bricard_at_a_hinge(),
          stewart_platform(),  two_loops(),       standing_quadruped()};
}

}  // namespace articulate::validation
