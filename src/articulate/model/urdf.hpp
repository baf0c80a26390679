/** \file
 *  \brief The URDF reader: a robot file becomes a Mechanism, number by number, or is refused in one sentence.
 *
 *  - Chapter: \ref model
 *  - Numbers stay as they are written, in binary64: axes are not normalised, inertial frames keep their rotation, links
 *    and joints keep the order of the file. The quaternions are those that urdfdom makes of roll, pitch and yaw.
 *  - `type` of a `<joint>` may also be helical, universal, cylindrical, ball, euler_ball or euler_free, as JointType has
 *    them; a helical joint has `<axis xyz="..." pitch="...">`, in m/rad. No other reader of URDF knows these types.
 *  - A joint without `<axis>` turns about or slides along x; a link without `<inertial>` has no mass.
 *  - `<mimic>` and `<dynamics>` are those of the joint, and not in the dynamics unless that is asked for. What a fixed
 *    joint mimics is ignored, too. `<visual>`, `<collision>`, transmissions and whatever else a file holds are ignored,
 *    except elements of another namespace where a link or joint is read: these are refused, and so is xacro in the robot.
 *  - `lower` and `upper` of `<limit>` are those of the joint, a missing one of the two is 0, and the largest double stands
 *    for none; they are not in the dynamics. `effort` and `velocity` are ignored.
 *  - Zero axes, negative masses and impossible inertias are left to the Model, which refuses them from any source.
 *  - The text must be complete: a declared document type, an entity beside XML's own five, an `<include>` of the robot or
 *    where a link or joint is read, more than 99 elements within each other, more than 100 attributes of one and more than 100 MB are
 *    refused; no path is followed.
 *  - urdfdom's messages are caught by replacing the console that a whole program shares: read one file at a time.
 */
#pragma once
#include <string>
#include <articulate/model/mechanism.hpp>

namespace articulate {

/** \brief The mechanism in a URDF file.
 *  \throws ModelError in one sentence that names the file, the link or joint, the reason and what would be right
 */
Mechanism read_urdf(const std::string& path);

/** \brief The mechanism in a URDF text.
 *  \param xml_text     the text
 *  \param source_name  what messages call it
 *  \throws ModelError as read_urdf() does
 */
Mechanism parse_urdf(const std::string& xml_text, const std::string& source_name);

/** \brief The URDF text of a mechanism, from which parse_urdf() makes it again: rotations to rounding, the rest exactly.
 *
 *  urdfdom reads it, too, where all types are its own. It asks for more than a Joint says: a hinge without limits is
 *  written as continuous and one with limits as revolute, whichever it was; a slide always has limits; and the largest
 *  double stands for a limit that there is not, also for the `effort` and `velocity` that limits must have there.
 *  Gravity is not part of URDF; a state gives it.
 *  \param floating_base  write a link `world` and the joint floating_base too, as take_floating_base() reads them
 *  \throws ModelError for what is not a tree of sound links and joints, and for names that the base takes
 */
std::string urdf_text(const Mechanism& mechanism, bool floating_base = false);

}  // namespace articulate
