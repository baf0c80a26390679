// Walking machines of our own. Every part is a homogeneous solid: size and density give its mass and its inertia.
//
// x points forward, y to the left, z up. A left limb is a table, the right one is its mirror image. No joint is quite
// aligned with another, and each machine carries something on one side only.
#include <models/models.hpp>
#include <models/unit.hpp>
#include <articulate/body/solids.hpp>  // solid_box, solid_cylinder, solid_ellipsoid
#include <numbers>

namespace articulate::validation {

namespace {

using Triple = std::array<double, 3>;
using Quadruple = std::array<double, 4>;

constexpr double drive = 2800, bone = 900,
                 shell = 600;  // kg/m^3: copper and iron; hollow light metal; a cover full of air

Inertia<double> box(double density, double a, double b, double c) { return solid_box(density * a * b * c, a, b, c); }

Inertia<double> cylinder(double density, double radius, double length)
{
  return solid_cylinder(density * std::numbers::pi * radius * radius * length, radius, length);
}

Inertia<double> ellipsoid(double density, double a, double b, double c)
{
  return solid_ellipsoid(density * 4 / 3 * std::numbers::pi * a * b * c, a, b, c);
}

/// A joint and the link behind it.
struct Part {
  std::string joint, link;
  Triple position;        ///< of the joint in the frame of the part before, m
  Quadruple rotation;     ///< the same
  Triple axis;            ///< of the joint; zero if it is fixed
  Inertia<double> solid;  ///< about its centre
  Triple center;          ///< of the solid in the frame of the joint, m
  Quadruple turn;         ///< of the solid, likewise
};

Link link(const std::string& name, const Inertia<double>& solid, const Triple& center, const Quadruple& turn)
{
  const auto& I = solid.second_moment;
  return {name, solid.mass, center, turn, {I.xx, I.xy, I.xz, I.yy, I.yz, I.zz}};
}

/// Seen in the mirror y = 0, a place changes the sign of y, and what turns changes that of x and z.
Triple mirrored_place(const Triple& p) { return {p[0], -p[1], p[2]}; }
Triple mirrored_axis(const Triple& a) { return {-a[0], a[1], -a[2]}; }
Quadruple mirrored_turn(const Quadruple& q) { return {-q[0], q[1], -q[2], q[3]}; }

std::vector<Part> mirrored(std::vector<Part> limb)
{
  for (Part& part : limb) {
    part.position = mirrored_place(part.position), part.center = mirrored_place(part.center);
    part.rotation = mirrored_turn(part.rotation), part.turn = mirrored_turn(part.turn);
    part.axis = mirrored_axis(part.axis);
  }
  return limb;
}

/// Hang one part on the other, the first on a link that is there; all names get a prefix.
void attach(Mechanism& walker, const std::string& root, const std::string& prefix, const std::vector<Part>& limb)
{
  std::string parent = root;
  for (const Part& part : limb) {
    const JointType type = part.axis == Triple{} ? JointType::fixed : JointType::revolute;
    const std::string child = prefix + part.link;
    walker.joints.push_back({prefix + part.joint, type, parent, child, part.position, part.rotation, part.axis});
    walker.links.push_back(link(child, part.solid, part.center, part.turn));
    parent = child;
  }
}

// Columns of parts: joint, link, position (m), rotation, axis, solid, its centre (m), its rotation.

// clang-format off
std::vector<Part> leg_of_four(double x, double thigh, double shank)
{
  return {{"spread", "hip", {x, 0.08, -0.02}, unit({1, 1, -2, 30}), {0.98, 0.1, 0.05}, cylinder(drive, 0.04, 0.06), {0.02, 0.03, -0.01}, unit({1, 9, 0, 9})},
          {"swing", "thigh", {0.03, 0.07, -0.01}, unit({2, -1, 1, 25}), {0.05, 0.99, -0.1}, cylinder(bone, 0.035, thigh), {0.01, 0.02, -thigh / 2}, unit({1, -2, 0, 20})},
          {"knee", "shank", {0.01, 0.03, -thigh}, unit({-1, 2, 1, 25}), {-0.08, 0.99, 0.06}, cylinder(bone, 0.02, shank), {-0.01, 0.01, -shank / 2}, unit({-1, 1, 0, 20})},
          {"sole", "foot", {-0.005, 0.01, -shank}, unit({1, 3, -1, 20}), {}, ellipsoid(bone, 0.024, 0.022, 0.02), {0.003, 0.002, -0.004}, unit({1, 2, 1, 9})}};
}

std::vector<Part> leg_of_two()
{
  return {{"hip_yaw", "hip_1", {-0.01, 0.1, -0.06}, unit({2, -1, 1, 20}), {0.08, -0.05, 0.99}, cylinder(drive, 0.045, 0.07), {-0.01, 0.01, -0.03}, unit({1, -1, 0, 15})},
          {"hip_roll", "hip_2", {-0.03, 0.01, -0.07}, unit({-1, 2, 1, 25}), {0.99, 0.06, -0.09}, cylinder(drive, 0.042, 0.08), {0.02, 0.01, 0.005}, unit({1, 9, 1, 9})},
          {"hip_pitch", "thigh", {0.03, 0.02, -0.01}, unit({1, 1, -2, 25}), {-0.07, 0.99, 0.05}, cylinder(bone, 0.065, 0.36), {0.01, 0.012, -0.18}, unit({1, 2, 0, 30})},
          {"knee", "shank", {0.012, -0.006, -0.37}, unit({2, 1, 1, 30}), {0.06, 0.99, 0.08}, cylinder(bone, 0.05, 0.34), {-0.015, 0.008, -0.17}, unit({-1, 2, 0, 25})},
          {"ankle_pitch", "ankle", {-0.006, 0.005, -0.36}, unit({-1, -2, 1, 25}), {0.09, 0.99, -0.04}, cylinder(drive, 0.035, 0.06), {0.004, -0.003, -0.01}, unit({9, 1, 1, 9})},
          {"ankle_roll", "foot", {0.008, -0.004, -0.03}, unit({1, -1, 1, 20}), {0.98, -0.07, 0.1}, box(bone, 0.24, 0.1, 0.04), {0.05, 0.008, -0.04}, unit({1, -1, 2, 30})}};
}

std::vector<Part> arm()
{
  return {{"shoulder_pitch", "shoulder_1", {0.01, 0.18, 0.33}, unit({2, 1, -1, 15}), {0.1, 0.98, -0.06}, cylinder(drive, 0.04, 0.07), {0.005, 0.02, -0.01}, unit({9, 1, 0, 9})},
          {"shoulder_roll", "shoulder_2", {0.015, 0.05, -0.01}, unit({-1, 2, 2, 20}), {0.99, -0.08, 0.05}, cylinder(drive, 0.036, 0.06), {0.01, 0.01, -0.015}, unit({1, 8, 0, 9})},
          {"shoulder_yaw", "upper_arm", {-0.01, 0.03, -0.05}, unit({1, -2, 1, 25}), {-0.06, 0.07, 0.99}, cylinder(bone, 0.045, 0.25), {0.006, 0.009, -0.12}, unit({2, -1, 0, 30})},
          {"elbow", "forearm", {0.015, -0.008, -0.25}, unit({2, 2, -1, 25}), {0.08, 0.99, 0.07}, cylinder(bone, 0.04, 0.23), {0.01, -0.007, -0.11}, unit({1, 1, 0, 20})},
          {"wrist_yaw", "wrist", {-0.01, 0.005, -0.22}, unit({-1, 1, 2, 25}), {0.05, -0.1, 0.98}, cylinder(drive, 0.03, 0.05), {0.003, 0.004, -0.015}, unit({1, -2, 0, 20})},
          {"wrist_pitch", "hand", {0.006, -0.003, -0.05}, unit({1, -1, -2, 20}), {-0.09, 0.98, 0.06}, ellipsoid(bone, 0.05, 0.02, 0.09), {0.012, 0.006, -0.07}, unit({1, 2, -1, 20})}};
}

std::vector<Part> spine()
{
  return {{"waist_yaw", "waist_1", {-0.01, 0.004, 0.11}, unit({1, 2, -1, 30}), {0.05, 0.08, 0.99}, cylinder(drive, 0.06, 0.06), {0.005, -0.003, 0.02}, unit({1, -1, 0, 20})},
          {"waist_roll", "waist_2", {0.012, -0.003, 0.06}, unit({-2, 1, 1, 30}), {0.99, -0.06, 0.04}, cylinder(drive, 0.055, 0.07), {0.01, 0.004, 0.01}, unit({1, 9, -1, 9})},
          {"waist_pitch", "torso", {0.006, 0.002, 0.07}, unit({1, -1, 2, 30}), {-0.05, 0.99, 0.07}, box(shell, 0.18, 0.3, 0.38), {0.01, 0.005, 0.19}, unit({1, -2, 1, 40})},
          {"neck_yaw", "neck", {0.012, 0.003, 0.4}, unit({1, 1, 1, 25}), {-0.08, 0.04, 0.99}, cylinder(bone, 0.045, 0.08), {0.004, -0.002, 0.04}, unit({1, 2, 0, 25})},
          {"neck_pitch", "head", {0.01, 0.003, 0.09}, unit({-1, 2, -1, 25}), {0.06, 0.99, -0.05}, ellipsoid(shell, 0.1, 0.08, 0.13), {0.02, -0.004, 0.1}, unit({1, -1, 1, 20})}};
}

std::vector<Part> mast()
{
  return {{"socket", "mast", {0.18, 0.05, 0.07}, unit({1, -1, 2, 12}), {}, cylinder(shell, 0.03, 0.3), {0.005, -0.003, 0.15}, unit({1, 1, 0, 30})}};
}

std::vector<Part> mallet()
{
  return {{"grip", "mallet", {0.03, 0.01, -0.09}, unit({2, 9, 1, 10}), {}, cylinder(bone, 0.04, 0.14), {0.02, 0.01, 0.17}, unit({9, 1, 1, 9})}};
}
// clang-format on

}  // namespace

Mechanism quadruped()
{
  Mechanism walker;
  walker.name = walker.source = "quadruped";
  walker.gravity = {-2.1, 0.9, -9.5};  // it walks uphill
  walker.links = {link("trunk", box(shell, 0.56, 0.22, 0.13), {0.015, -0.006, 0.01}, unit({1, 2, -1, 40}))};
  const std::vector<Part> front = leg_of_four(0.23, 0.24, 0.25), hind = leg_of_four(-0.22, 0.27, 0.28);
  attach(walker, "trunk", "front_left_", front);
  attach(walker, "trunk", "front_right_", mirrored(front));
  attach(walker, "trunk", "hind_left_", hind);
  attach(walker, "trunk", "hind_right_", mirrored(hind));
  attach(walker, "trunk", "", mast());
  return walker;
}

Mechanism humanoid()
{
  Mechanism walker;
  walker.name = walker.source = "humanoid";
  walker.gravity = {1.2, -1.6, -9.6};  // it walks downhill, along a slope
  walker.links = {link("pelvis", box(bone, 0.18, 0.26, 0.14), {0.01, -0.004, 0.03}, unit({1, -1, 1, 30}))};
  attach(walker, "pelvis", "", spine());
  attach(walker, "pelvis", "left_", leg_of_two());
  attach(walker, "pelvis", "right_", mirrored(leg_of_two()));
  attach(walker, "torso", "left_", arm());
  attach(walker, "torso", "right_", mirrored(arm()));
  attach(walker, "right_hand", "", mallet());
  return walker;
}

}  // namespace articulate::validation
