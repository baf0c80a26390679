/** \file
 *  \brief A loop as a person describes it: a joint that was cut to leave a tree, plain numbers.
 *
 *  - Paper: Kim 2012, section 3.
 *  - Chapter: \ref constrained
 */
#pragma once
#include <articulate/model/error.hpp>
#include <articulate/model/mechanism.hpp>

namespace articulate {

/// \brief How the second frame of a cut joint may turn in the first.
enum class Turning {
  none,       ///< not at all
  about_z,    ///< the z axes stay parallel
  universal,  ///< the x axis of the first stays normal to the y axis of the second
  free        ///< freely
};

/// \brief Two one-DoF joints whose coordinates are coupled: that of `joint` follows another.
struct Coupling {
  std::string joint;
  Mimic follows;
};

/** \brief A joint that closes a loop, between frames of two links; or two coupled joints, as a pair of gears couples them.
 *
 *  The origin of the second frame may slide along axes of the first; the second frame may turn. Both are described in
 *  frames whose z axes are turned to `axis`.
 */
struct Loop {
  struct End {
    std::string link;                              ///< empty for the world
    std::array<double, 3> position{};              ///< of the frame in the link's, m
    std::array<double, 4> quaternion{0, 0, 0, 1};  ///< x y z w of the frame in the link's
  };
  std::string name;
  End first, second;
  std::array<double, 3> axis{0, 0, 1};  ///< in either frame
  std::array<bool, 3> slides{};         ///< along x, y, z
  Turning turning = Turning::none;
  double pitch = 0;  ///< m/rad: with Turning::about_z and no slide along z, the travel that goes with the turn, however often
  std::optional<Coupling> coupling{};  ///< instead of frames and their freedoms
};

/** \brief The constraint that couples two joints.
 *
 *  Its one row is \f$q_i - c\,q_j - o = 0\f$; its multiplier is the force (N m, N) that it adds to joint i.
 */
inline Loop coupled_joints(const std::string& name, const std::string& joint, const Mimic& follows)
{
  Loop loop;
  loop.name = name;
  loop.coupling = {joint, follows};
  return loop;
}

/** \brief The constraints of a mechanism's mimic joints, each named after its joint, in their order; fixed ones have none.
 *  \throws ModelError for joints that follow each other in a circle
 */
inline std::vector<Loop> mimic_loops(const Mechanism& mechanism)
{
  std::vector<Loop> loops;
  const auto leader = [&](const std::string& name) {
    for (const Joint& joint : mechanism.joints)
      if (joint.name == name && follows(joint)) return joint.mimic->joint;
    return std::string();
  };
  for (const Joint& joint : mechanism.joints) {
    if (!follows(joint)) continue;
    std::string way = "'" + joint.name + "'", next = joint.mimic->joint;
    for (std::size_t k = 0; k < mechanism.joints.size() && !next.empty(); ++k, next = leader(next)) {
      way += " mimics '" + next + "'";
      if (next == joint.name)
        throw ModelError(mechanism.source + ": joint " + way + ", in a circle; one joint must lead and mimic none.");
    }
    loops.push_back(coupled_joints(joint.name, joint.name, *joint.mimic));
  }
  return loops;
}

/** \brief The loop that a joint of a known type closes.
 *  \throws ModelError for a floating joint, which constrains nothing
 */
inline Loop cut_joint(const std::string& name, JointType type, const Loop::End& first, const Loop::End& second,
                      const std::array<double, 3>& axis = {0, 0, 1}, double pitch = 0)
{
  Loop loop{name, first, second};
  if (has_axis(type)) loop.axis = axis;
  switch (type) {
    case JointType::fixed:
      break;
    case JointType::revolute:
    case JointType::continuous:
      loop.turning = Turning::about_z;
      break;
    case JointType::prismatic:
      loop.slides = {false, false, true};
      break;
    case JointType::helical:
      loop.turning = Turning::about_z, loop.pitch = pitch;
      break;
    case JointType::universal:
      loop.turning = Turning::universal;
      break;
    case JointType::cylindrical:
      loop.turning = Turning::about_z, loop.slides = {false, false, true};
      break;
    case JointType::planar:
      loop.turning = Turning::about_z, loop.slides = {true, true, false};
      break;
    case JointType::euler_ball:
    case JointType::ball:
      loop.turning = Turning::free;
      break;
    case JointType::euler_free:
    case JointType::floating:
      throw ModelError("loop '" + name + "' is a free joint, which constrains nothing; leave it out.");
  }
  return loop;
}

}  // namespace articulate
