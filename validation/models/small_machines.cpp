// Small machines of our own: every number is ours, and nothing is aligned with anything.
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
// clang-format on

}  // namespace articulate::validation
