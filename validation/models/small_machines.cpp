// Small machines of our own: every number is ours, and nothing is aligned with anything, except the hinges of the
// five-bar.
// A child's frame is the joint's: the offset behind a joint is in its child's centre of mass and in the places of the
// joints that this carries.
#include <models/models.hpp>
#include <models/unit.hpp>

namespace articulate::validation {

// Columns of links:  name, mass (kg), centre of mass (m), axes of the inertia, ixx ixy ixz iyy iyz izz (kg m^2).
// Columns of joints: name, type, parent, child, position (m), rotation, axis, pitch (m/rad).

// clang-format off
Mechanism park_2r()
{
  Mechanism machine;
  machine.name = machine.source = "park_2r";
  machine.links = {{"base", 5.2, {0.03, -0.02, 0.11}, unit({1, 0, 2, 7}), {0.061, 0.004, -0.007, 0.074, 0.009, 0.052}},
                   {"link_1", 3.7, {0.14, -0.05, 0.22}, unit({2, -1, 1, 5}), {0.093, -0.011, 0.018, 0.121, 0.013, 0.068}},
                   {"link_2", 1.9, {-0.06, 0.17, 0.12}, unit({-1, 3, 2, 4}), {0.034, 0.007, -0.004, 0.029, 0.006, 0.041}}};
  machine.joints = {{"joint_1", JointType::revolute, "base", "link_1", {0.12, -0.07, 0.31}, unit({1, -2, 1, 6}), {0.3, -0.5, 0.8}},
                    {"joint_2", JointType::revolute, "link_1", "link_2", {0.26, 0.09, 0.37}, unit({-3, 1, 2, 5}), {-0.6, 0.7, 0.2}}};
  machine.gravity = {1.7, -2.9, -9.2};
  return machine;
}

Mechanism screw_arm()
{
  Mechanism machine;
  machine.name = machine.source = "screw_arm";
  machine.links = {{"stand", 7.1, {0.02, 0.05, 0.18}, unit({0, 1, 2, 9}), {0.21, -0.02, 0.01, 0.18, 0.03, 0.12}},
                   {"nut", 2.4, {0.05, -0.03, 0.07}, unit({1, 1, -2, 5}), {0.022, 0.003, -0.002, 0.019, 0.004, 0.025}},
                   {"ram", 1.6, {0.09, 0.04, -0.11}, unit({-2, 1, 3, 4}), {0.031, -0.005, 0.003, 0.012, 0.002, 0.027}},
                   {"hand", 1.1, {-0.07, 0.12, 0.05}, unit({3, 2, -1, 3}), {0.009, 0.001, 0.002, 0.013, -0.001, 0.011}},
                   {"drill", 0.7, {0.03, 0.02, 0.14}, unit({1, 4, -2, 5}), {0.0052, 0.0004, -0.0007, 0.0047, 0.0006, 0.0031}}};
  machine.joints = {{"lift", JointType::helical, "stand", "nut", {0.1, 0.04, 0.42}, unit({1, 2, 0, 8}), {0.2, 0.1, 0.9}, 0.037},
                    {"reach", JointType::prismatic, "nut", "ram", {0.13, -0.06, 0.08}, unit({2, -1, 1, 4}), {0.8, 0.3, -0.4}},
                    {"bend", JointType::revolute, "ram", "hand", {0.24, 0.05, -0.03}, unit({-1, 2, 3, 6}), {0.1, -0.9, 0.5}},
                    {"bore", JointType::helical, "hand", "drill", {-0.04, 0.19, 0.06}, unit({2, 2, -3, 5}), {-0.5, 0.3, 0.7}, -0.012}};
  machine.gravity = {-2.2, 1.4, -9.4};
  return machine;
}

Mechanism cart_pendulum()
{
  Mechanism machine;
  machine.name = machine.source = "cart_pendulum";
  machine.links = {{"rail", 4.3, {0.4, 0.01, -0.02}, unit({1, 0, 1, 9}), {0.011, 0.006, -0.004, 0.43, 0.002, 0.44}},
                   {"cart", 2.8, {0.02, -0.01, 0.06}, unit({1, -1, 3, 7}), {0.014, 0.002, 0.001, 0.021, -0.003, 0.026}},
                   {"pendulum", 1.3, {0.03, 0.05, -0.34}, unit({2, 1, 1, 6}), {0.052, 0.004, -0.006, 0.057, 0.005, 0.013}}};
  machine.joints = {{"slide", JointType::prismatic, "rail", "cart", {0.1, 0.03, 0.05}, unit({1, 3, 2, 9}), {0.9, 0.2, -0.1}},
                    {"swing", JointType::continuous, "cart", "pendulum", {0.04, -0.08, 0.09}, unit({2, -1, 2, 8}), {0.2, 0.9, 0.3}}};
  return machine;
}

// The hinges turn about the z axis of the ground, which a fixed joint tilts, and their frames differ by turns about it:
// all axes are parallel. The bar is closed by what is not said here: left_tip and right_tip coincide. Both are 0.08 m
// above the ground's plane. In it the elbows are 0.09 to 0.91 m apart, whatever the cranks do, and the rods reach from
// 0.02 to 0.96 m: the bar closes, away from its dead points, for all angles of the two cranks.
Mechanism five_bar()
{
  Mechanism machine;
  machine.name = machine.source = "five_bar";
  machine.links = {{"floor", 9.2, {0.04, -0.03, -0.06}, unit({1, 1, 0, 8}), {0.34, 0.02, -0.01, 0.29, 0.03, 0.51}},
                   {"ground", 3.1, {0.02, 0.05, -0.04}, unit({2, -1, 1, 9}), {0.042, 0.003, -0.005, 0.087, 0.002, 0.11}},
                   {"left_crank", 0.9, {0.09, 0.03, 0.02}, unit({1, 2, -1, 7}), {0.0021, 0.0003, -0.0002, 0.0046, 0.0004, 0.0053}},
                   {"left_rod", 1.4, {0.21, -0.06, 0.01}, unit({-2, 1, 2, 8}), {0.0047, 0.0012, 0.0006, 0.027, -0.0009, 0.029}},
                   {"left_tip"},
                   {"right_crank", 1.1, {0.11, -0.02, -0.03}, unit({2, 1, 3, 7}), {0.0024, -0.0004, 0.0003, 0.0058, 0.0002, 0.0064}},
                   {"right_rod", 1.7, {0.26, 0.04, 0.03}, unit({1, -3, 1, 9}), {0.0061, -0.0008, 0.0011, 0.036, 0.0014, 0.038}},
                   {"right_tip"}};
  machine.joints = {{"tilt", JointType::fixed, "floor", "ground", {0.12, -0.08, 0.21}, unit({2, -1, 1, 6})},
                    {"left_drive", JointType::revolute, "ground", "left_crank", {-0.24, 0.05, 0.03}, unit({0, 0, 2, 3})},
                    {"left_elbow", JointType::revolute, "left_crank", "left_rod", {0.19, 0.06, 0.04}, unit({0, 0, -1, 4})},
                    {"left_end", JointType::fixed, "left_rod", "left_tip", {0.45, -0.12, 0.01}, unit({0, 0, 1, 5})},
                    {"right_drive", JointType::revolute, "ground", "right_crank", {0.25, -0.03, 0.05}, unit({0, 0, 3, 4})},
                    {"right_elbow", JointType::revolute, "right_crank", "right_rod", {0.2, -0.07, -0.02}, unit({0, 0, 1, 2})},
                    {"right_end", JointType::fixed, "right_rod", "right_tip", {0.48, 0.1, 0.05}, unit({0, 0, -2, 7})}};
  machine.gravity = {2.3, -1.6, -9.4};
  return machine;
}

Mechanism mixed_tree()
{
  Mechanism machine;
  machine.name = machine.source = "mixed_tree";
  machine.links = {{"root", 6.6, {0.05, -0.04, 0.09}, unit({1, -1, 2, 8}), {0.17, 0.02, -0.03, 0.15, 0.01, 0.21}},
                   {"body_1", 4.2, {0.08, 0.05, 0.14}, unit({2, 1, -1, 6}), {0.061, 0.007, -0.012, 0.074, 0.009, 0.049}},
                   {"body_2", 2.9, {-0.06, 0.11, 0.07}, unit({-1, 3, 1, 5}), {0.038, -0.006, 0.004, 0.027, 0.008, 0.043}},
                   {"body_3", 1.8, {0.12, -0.04, 0.06}, unit({3, -2, 1, 4}), {0.0084, 0.0017, -0.0012, 0.019, 0.0023, 0.017}},
                   {"body_4", 2.3, {0.03, 0.07, -0.13}, unit({1, 2, 3, 7}), {0.031, 0.003, 0.005, 0.026, -0.004, 0.014}},
                   {"body_5", 3.4, {-0.09, -0.06, 0.12}, unit({2, 2, -1, 5}), {0.052, -0.008, 0.011, 0.047, 0.006, 0.033}},
                   {"body_6", 1.3, {0.07, 0.08, -0.05}, unit({-3, 1, 2, 6}), {0.0073, 0.0011, 0.0009, 0.0058, -0.0014, 0.0081}}};
  machine.joints = {{"joint_1", JointType::revolute, "root", "body_1", {0.11, -0.06, 0.24}, unit({1, 2, -1, 7}), {0.4, -0.3, 0.8}},
                    {"joint_2", JointType::universal, "body_1", "body_2", {0.19, 0.08, 0.26}, unit({-2, 1, 3, 5})},
                    {"joint_3", JointType::euler_ball, "body_2", "body_3", {-0.13, 0.21, 0.09}, unit({1, -3, 2, 4})},
                    {"joint_4", JointType::prismatic, "body_2", "body_4", {0.06, 0.17, -0.14}, unit({3, 1, 1, 6}), {-0.7, 0.2, 0.5}},
                    {"joint_5", JointType::revolute, "body_1", "body_5", {-0.15, 0.12, 0.18}, unit({2, 3, -1, 8}), {0.1, 0.8, -0.6}},
                    {"joint_6", JointType::universal, "body_5", "body_6", {-0.17, -0.09, 0.22}, unit({1, 1, -2, 3})}};
  machine.gravity = {2.6, 1.9, -9.1};
  return machine;
}

// A joint is called by its type, and its child by what carries it.
Mechanism every_joint()
{
  Mechanism machine;
  machine.name = machine.source = "every_joint";
  machine.links = {{"root", 8.7, {0.03, 0.06, 0.12}, unit({2, 1, 1, 9}), {0.24, -0.02, 0.03, 0.19, 0.04, 0.27}},
                   {"on_revolute", 5.3, {0.09, -0.07, 0.15}, unit({1, -2, 2, 7}), {0.094, 0.013, -0.008, 0.11, 0.017, 0.076}},
                   {"on_universal", 3.6, {0.11, 0.06, -0.08}, unit({-1, 1, 3, 6}), {0.047, -0.009, 0.006, 0.039, 0.007, 0.058}},
                   {"on_fixed", 0.8, {0.04, -0.05, 0.06}, unit({3, 1, -2, 5}), {0.0023, 0.0004, 0.0003, 0.0019, -0.0005, 0.0028}},
                   {"on_cylindrical", 2.1, {-0.07, 0.09, 0.13}, unit({2, -1, 1, 4}), {0.026, 0.003, -0.004, 0.031, 0.005, 0.019}},
                   {"on_euler_ball", 1.4, {0.08, 0.03, 0.11}, unit({1, 3, -1, 5}), {0.0094, -0.0013, 0.0008, 0.011, 0.0017, 0.0072}},
                   {"on_floating", 4.4, {-0.05, 0.08, 0.07}, unit({-2, 2, 1, 7}), {0.073, 0.011, 0.009, 0.058, -0.012, 0.082}},
                   {"on_planar", 2.7, {0.1, 0.04, -0.09}, unit({1, 2, 2, 5}), {0.034, -0.005, 0.007, 0.041, 0.003, 0.029}},
                   {"on_continuous", 1.2, {-0.06, -0.1, 0.05}, unit({3, -1, 2, 6}), {0.0088, 0.0012, -0.0009, 0.0067, 0.0014, 0.0101}},
                   {"on_prismatic", 3.2, {0.07, -0.03, 0.12}, unit({2, 3, 1, 8}), {0.044, 0.006, -0.005, 0.051, -0.008, 0.036}},
                   {"on_ball", 2.5, {0.04, 0.12, -0.06}, unit({-1, 2, -3, 6}), {0.037, -0.004, 0.006, 0.024, 0.005, 0.042}},
                   {"on_helical", 1.6, {-0.09, 0.05, 0.08}, unit({1, 1, 4, 7}), {0.013, 0.002, 0.001, 0.017, -0.003, 0.015}},
                   {"on_euler_free", 1.9, {0.06, -0.08, -0.1}, unit({2, -3, 1, 5}), {0.022, 0.003, -0.002, 0.025, 0.004, 0.018}}};
  machine.joints = {{"revolute", JointType::revolute, "root", "on_revolute", {0.09, 0.13, 0.27}, unit({1, -1, 2, 6}), {-0.3, 0.5, 0.7}},
                    {"universal", JointType::universal, "on_revolute", "on_universal", {0.21, -0.08, 0.16}, unit({2, 3, -1, 6})},
                    {"fixed", JointType::fixed, "on_universal", "on_fixed", {0.16, 0.05, -0.12}, unit({-2, 1, 1, 4})},
                    {"cylindrical", JointType::cylindrical, "on_fixed", "on_cylindrical", {0.07, -0.11, 0.14}, unit({1, 2, 3, 5}), {0.6, 0.2, -0.7}},
                    {"euler_ball", JointType::euler_ball, "on_cylindrical", "on_euler_ball", {-0.14, 0.17, 0.12}, unit({3, -1, 1, 4})},
                    {"floating", JointType::floating, "on_revolute", "on_floating", {-0.18, 0.15, 0.2}, unit({1, 3, 1, 7})},
                    {"planar", JointType::planar, "on_floating", "on_planar", {0.12, -0.19, 0.08}, unit({-1, 2, 2, 5}), {-0.5, 0.4, 0.6}},
                    {"continuous", JointType::continuous, "on_planar", "on_continuous", {0.15, 0.09, -0.16}, unit({2, 1, -3, 6}), {0.8, -0.3, 0.2}},
                    {"prismatic", JointType::prismatic, "on_revolute", "on_prismatic", {0.13, 0.18, -0.07}, unit({-3, 2, 1, 5}), {0.3, 0.9, -0.2}},
                    {"ball", JointType::ball, "on_prismatic", "on_ball", {0.17, -0.12, 0.19}, unit({1, 1, -2, 4})},
                    {"helical", JointType::helical, "on_ball", "on_helical", {0.08, 0.22, -0.11}, unit({2, -2, 1, 7}), {-0.4, -0.6, 0.5}, 0.043},
                    {"euler_free", JointType::euler_free, "on_ball", "on_euler_free", {-0.16, 0.1, 0.14}, unit({3, 2, -1, 5})}};
  machine.gravity = {-1.8, 2.7, -9.3};
  return machine;
}
// clang-format on

}  // namespace articulate::validation
