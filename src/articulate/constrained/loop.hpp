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
  free        ///< in every way
};

/** \brief A joint that closes a loop, between frames of two links.
 *
 *  The origin of the second frame may slide along axes of the first; the second frame may turn. All of that is seen from
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
  double pitch = 0;  ///< m/rad: with Turning::about_z and no slide along z, the slide that goes with the turn
};

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
