// The aerial manipulator of Ali, Gabellieri and Franchi 2026: a multirotor that carries two arms of three hinges.
//
// Theirs: the tree 1-2-3-4, 1-5-6-7, a base frame at the base's centre of mass, home frames that are parallel to the
// world, six fixed tilted rotors. The numbers of the paper are lost to us, so all numbers here are ours. The rotors are
// no bodies: what they do is a wrench on the base.
#include <models/models.hpp>
#include <utility>

namespace articulate::validation {

Mechanism aerial_manipulator()
{
  Mechanism machine;
  machine.name = machine.source = "aerial_manipulator";
  machine.links = {{.name = "base", .mass = 2.5, .inertia = {0.03, 0, 0, 0.03, 0, 0.05}}};

  // Each arm hangs straight down at home; the centre of mass of a link is halfway to its end.
  struct Part {
    const char *joint, *link;
    std::array<double, 3> axis;
    double length;  // m
  };
  constexpr Part parts[] = {{"roll", "shoulder", {1, 0, 0}, 0.05},
                            {"pitch", "upper_arm", {0, 1, 0}, 0.25},
                            {"elbow", "forearm", {0, 1, 0}, 0.25}};
  for (const auto& [arm, y] : {std::pair("left_", 0.2), std::pair("right_", -0.2)}) {
    std::string parent = "base";
    std::array<double, 3> end{0, y, -0.1};
    for (const Part& part : parts) {
      const std::string child = std::string(arm) + part.link;
      machine.joints.push_back({.name = std::string(arm) + part.joint,
                                .type = JointType::revolute,
                                .parent = parent,
                                .child = child,
                                .position = end,
                                .axis = part.axis});
      machine.links.push_back({.name = child,
                               .mass = 0.3,
                               .center_of_mass = {0, 0, -part.length / 2},
                               .inertia = {2e-3, 0, 0, 2e-3, 0, 3e-4}});
      parent = child;
      end = {0, 0, -part.length};
    }
  }
  return machine;
}

}  // namespace articulate::validation
