// The PUMA 560, from its table of Denavit and Hartenberg.
//
// Numbers: the table in the repository petercorke/robotics-toolbox-matlab, file models/mdl_puma560.m, which names as its
// source Corke and Armstrong-Helouvry, A search for consensus among model parameters reported for the PUMA 560 robot,
// IEEE Conf. Robotics and Automation, 1994, and goes back to Armstrong, Khatib and Burdick, The explicit dynamic model and
// inertial parameters of the PUMA 560 arm, same conference, 1986. The papers themselves we have not seen.
// What we had to do:
// - Rotors, gears and friction are left out; the base frame is at the shoulder.
// - Link 3: the table has 0.086 kg m^2 about the axis of joint 3, more than the other two moments (0.066 and 0.0125)
//   together, which no body has. The table after the paper of 1986, models/mdl_puma560akb.m, has 0.066, and so have we.
// - Link 1 only turns about the vertical, so that the table knows but one moment of it, 0.35 kg m^2. Its mass, its two
//   other moments and the pedestal are ours; on a fixed base they play no part.
#include <models/models.hpp>
#include <models/unit.hpp>

namespace articulate::validation {

namespace {

/// A row of the standard convention: turn by q about z, go d along z and a along the new x, twist about this x. Behind
/// the twist is the frame in which the centre of mass and the principal moments of the link are given.
struct Row {
  double d, a;                           // m
  int twist;                             // quarter turns
  double mass;                           // kg
  std::array<double, 3> center_of_mass;  // m
  std::array<double, 3> moments;         // kg m^2, about the centre of mass
};

// clang-format off
constexpr Row rows[] = {
    // d        a       twist  mass   centre of mass              moments
    {0,        0,       1,     12.0, {0, 0, 0},                  {0.25, 0.35, 0.20}},
    {0,        0.4318,  0,     17.4, {-0.3638, 0.006, 0.2275},   {0.13, 0.524, 0.539}},
    {0.15005,  0.0203,  -1,    4.8,  {-0.0203, -0.0141, 0.070},  {0.066, 0.066, 0.0125}},
    {0.4318,   0,       1,     0.82, {0, 0.019, 0},              {1.8e-3, 1.3e-3, 1.8e-3}},
    {0,        0,       -1,    0.34, {0, 0, 0},                  {0.3e-3, 0.4e-3, 0.3e-3}},
    {0,        0,       0,     0.09, {0, 0, 0.032},              {0.15e-3, 0.15e-3, 0.04e-3}},
};
// clang-format on

}  // namespace

Mechanism puma560()
{
  Mechanism mechanism;
  mechanism.name = mechanism.source = "puma560";
  mechanism.links = {{"pedestal", 30.0, {0.01, -0.02, -0.33}, unit({1, 2, -1, 9}), {1.6, 0.1, -0.2, 1.5, 0.1, 0.7}}};

  // Our link frame sits at the joint, before the row's d, a and twist; these place the inertia, and the next joint.
  Joint next;
  next.type = JointType::revolute;
  for (const Row& row : rows) {
    const std::string number = std::to_string(mechanism.links.size());
    next.name = "joint_" + number;
    next.parent = mechanism.links.back().name;
    next.child = "link_" + number;
    mechanism.joints.push_back(next);

    const double cosine = row.twist == 0, sine = row.twist;
    const auto& [x, y, z] = row.center_of_mass;
    next.position = {row.a, 0, row.d};
    next.quaternion = unit({sine, 0, 0, 1});
    mechanism.links.push_back({.name = next.child,
                               .mass = row.mass,
                               .center_of_mass = {row.a + x, cosine * y - sine * z, row.d + sine * y + cosine * z},
                               .inertial_quaternion = next.quaternion,
                               .inertia = {row.moments[0], 0, 0, row.moments[1], 0, row.moments[2]}});
  }
  return mechanism;
}

}  // namespace articulate::validation
