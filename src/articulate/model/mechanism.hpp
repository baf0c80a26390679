/** \file
 *  \brief A mechanism as a file or a person describes it: links and joints, plain numbers, nothing derived.
 *
 *  URDF files and built-in models become a Mechanism; a Model is made from it. Independent witnesses read it too: it is
 *  the only thing that they share with the library.
 *  - Chapter: \ref model
 */
#pragma once
#include <array>
#include <string>
#include <vector>

namespace articulate {

/// \brief What a joint lets its child do. Axes are given in the joint frame, which is the child's frame at q = 0.
enum class JointType {
  fixed,       ///< nothing: the links are one body
  revolute,    ///< turn about the axis (rad)
  continuous,  ///< the same without limits
  prismatic,   ///< slide along the axis (m)
  helical,     ///< turn by q and slide by pitch * q (rad; pitch in m/rad)
  floating     ///< move freely: position (m) and quaternion x y z w
};

/// \brief A rigid link in its own frame.
struct Link {
  std::string name;
  double mass = 0;                                        ///< kg
  std::array<double, 3> center_of_mass{};                 ///< m, in the link frame
  std::array<double, 4> inertial_quaternion{0, 0, 0, 1};  ///< x y z w: axes of the inertia in the link frame
  std::array<double, 6> inertia{};                        ///< ixx ixy ixz iyy iyz izz about the centre of mass, kg m^2
};

/// \brief A joint between two links. At q = 0 the child's frame is the joint frame.
struct Joint {
  std::string name;
  JointType type = JointType::revolute;
  std::string parent, child;
  std::array<double, 3> position{};              ///< of the joint frame in the parent's frame, m
  std::array<double, 4> quaternion{0, 0, 0, 1};  ///< x y z w of the joint frame in the parent's frame
  std::array<double, 3> axis{0, 0, 1};           ///< in the joint frame; any length but zero
  double pitch = 0;                              ///< m/rad, of a helical joint
};

/// \brief Links and joints of a tree, as described.
struct Mechanism {
  std::string name;
  std::string source;  ///< the file or the built-in name, for messages
  std::vector<Link> links;
  std::vector<Joint> joints;
  std::array<double, 3> gravity{0, 0, -9.81};  ///< gravitational acceleration in the world frame, m/s^2
  std::vector<std::string> warnings;           ///< what the description said and the model ignores
};

}  // namespace articulate
