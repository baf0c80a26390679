/** \file
 *  \brief Force elements of what a description says of its joints, such as URDF's `<dynamics>`.
 *
 *  - Chapter: \ref motion
 */
#pragma once
#include <articulate/model/tree.hpp>  // detail::refuse
#include <articulate/motion/force_element.hpp>

namespace articulate {

/** \brief The damping, the friction and the rotors of the joints, each where it is asked for and not zero.
 *
 *  An element is called after its joint: `JOINT.damping`, `JOINT.friction`, `JOINT.armature`. Make the model with the same
 *  `ModelOptions::dynamics`, so that it does not say that they are ignored.
 *  \param width  of Coulomb friction, rad/s or m/s, see JointFriction
 *  \throws ModelError for a joint with several degrees, of which a description does not say which one is meant
 */
inline std::vector<ForceElement> joint_dynamics(const Mechanism& mechanism, const JointDynamics& used,
                                                double width = JointFriction{}.width)
{
  std::vector<ForceElement> elements;
  for (const Joint& joint : mechanism.joints) {
    const bool damping = used.damping && joint.damping != 0, friction = used.friction && joint.friction != 0,
               armature = used.armature && joint.armature != 0;
    if (joint.type == JointType::fixed || !(damping || friction || armature)) continue;
    if (!has_axis(joint.type) || joint.type == JointType::cylindrical || joint.type == JointType::planar)
      detail::refuse(
          mechanism,
          "joint '" + joint.name +
              "' has several degrees, and its damping, friction or armature does not say which one is meant; "
              "describe each by a force element of its own.");
    if (damping) elements.push_back(JointSpring{joint.name + ".damping", joint.name, 0, 0, joint.damping, 0});
    if (friction) elements.push_back(JointFriction{joint.name + ".friction", joint.name, 0, 0, joint.friction, width});
    if (armature) elements.push_back(RotorInertia{joint.name + ".armature", joint.name, 0, joint.armature});
  }
  return elements;
}

}  // namespace articulate
