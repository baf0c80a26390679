/** \file
 *  \brief A mechanism as a file or a person describes it: links and joints, plain numbers, nothing derived.
 *
 *  URDF files and built-in models become a Mechanism; a Model is made from it. Independent witnesses read it too: it is
 *  the only thing that they share with the library.
 *  - Chapter: \ref model
 */
#pragma once
#include <array>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>
#include <articulate/model/indexed.hpp>

namespace articulate {

/** \brief The motions that a joint allows its child. Axes are given in the joint frame, the child's frame at q = 0.
 *
 *  The directions of a planar joint are x and y of the joint frame, turned by the shortest rotation of z to the axis.
 *  If the axis points down, they make a half turn about x first, and then the shortest rotation from there.
 */
enum class JointType {
  fixed,        ///< nothing: the links are one body
  revolute,     ///< turn about the axis (rad)
  continuous,   ///< the same without limits
  prismatic,    ///< slide along the axis (m)
  helical,      ///< turn by q and slide by pitch * q (rad; pitch in m/rad)
  universal,    ///< turn about x, then about the y so turned (rad, rad)
  cylindrical,  ///< turn about the axis, and slide along it (rad, m)
  planar,       ///< slide along two directions of the plane normal to the axis, then turn about it (m, m, rad)
  euler_ball,   ///< turn about z, then the new y, then the newest x (rad, rad, rad)
  euler_free,   ///< slide along x, y, z, then as euler_ball (m, m, m, rad, rad, rad)
  ball,         ///< turn freely: quaternion x y z w; its rate is the angular velocity in the child's axes
  floating      ///< move freely: position (m) and quaternion x y z w; its rate is the body twist
};

/// \brief The names of the types, in files and in Python.
inline constexpr std::pair<const char*, JointType> joint_types[] = {{"fixed", JointType::fixed},
                                                                    {"revolute", JointType::revolute},
                                                                    {"continuous", JointType::continuous},
                                                                    {"prismatic", JointType::prismatic},
                                                                    {"helical", JointType::helical},
                                                                    {"universal", JointType::universal},
                                                                    {"cylindrical", JointType::cylindrical},
                                                                    {"planar", JointType::planar},
                                                                    {"euler_ball", JointType::euler_ball},
                                                                    {"euler_free", JointType::euler_free},
                                                                    {"ball", JointType::ball},
                                                                    {"floating", JointType::floating}};

/// \brief Whether a joint has the one axis that `Joint::axis` gives.
inline bool has_axis(JointType type)
{
  switch (type) {
    case JointType::revolute:
    case JointType::continuous:
    case JointType::prismatic:
    case JointType::helical:
    case JointType::cylindrical:
    case JointType::planar:
      return true;
    default:
      return false;
  }
}

/// \brief A rigid link in its own frame.
struct Link {
  std::string name;
  double mass = 0;                                        ///< kg
  std::array<double, 3> center_of_mass{};                 ///< m, in the link frame
  std::array<double, 4> inertial_quaternion{0, 0, 0, 1};  ///< x y z w: axes of the inertia in the link frame
  std::array<double, 6> inertia{};                        ///< ixx ixy ixz iyy iyz izz about the centre of mass, kg m^2
};

/// \brief What a coordinate follows: q = multiplier q_joint + offset, as gears, belts and tendons make it.
struct Mimic {
  std::string joint;      ///< the one that leads
  double multiplier = 1;  ///< in the unit of the one per unit of the other
  double offset = 0;      ///< rad, m
};

/// \brief A joint between two links. At q = 0 the child's frame is the joint frame.
struct Joint {
  std::string name;
  JointType type = JointType::revolute;
  std::string parent, child;
  std::array<double, 3> position{};              ///< of the joint frame in the parent's frame, m
  std::array<double, 4> quaternion{0, 0, 0, 1};  ///< x y z w of the joint frame in the parent's frame
  std::array<double, 3> axis{0, 0, 1};           ///< in the joint frame; any length except zero; see has_axis
  double pitch = 0;                              ///< m/rad, of a helical joint
  double damping = 0;                            ///< N m s/rad, N s/m: not in the dynamics; see JointDynamics
  double friction = 0;                           ///< N m, N: the same
  double armature = 0;                           ///< kg m^2, kg: what a geared rotor adds to its inertia; the same
  /// rad, m: the stated limits of its coordinate, infinite if there are none; not in the dynamics, see joint_stops()
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  std::optional<Mimic> mimic{};  ///< not in the dynamics: a constraint, see mimic_loops()
};

/// \brief Whether the coordinate of a joint follows another; a fixed joint has none, whatever it is said to mimic.
inline bool follows(const Joint& joint) { return joint.mimic && joint.type != JointType::fixed; }

/** \brief What is used of the joints beside their motion: numbers that joint_dynamics() makes force elements of, and
 *  the mimics that mimic_loops() makes loops of.
 *
 *  Whatever is not used is ignored, and the warnings of a model say so.
 */
struct JointDynamics {
  bool damping = false, friction = false, armature = false, mimic = false;
};

/// \brief Links and joints of a tree, as described.
struct Mechanism {
  std::string name;
  std::string source;  ///< the file or the built-in name, for messages
  Indexed<Link> links;
  Indexed<Joint> joints;
  std::array<double, 3> gravity{0, 0, -9.81};  ///< gravitational acceleration in the world frame, m/s^2
  std::vector<std::string> warnings;           ///< what the description said and the model ignores
};

}  // namespace articulate
