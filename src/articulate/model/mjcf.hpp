/** \file
 *  \brief MJCF, the format of MuJoCo: writes a mechanism so that MuJoCo computes the same, and reads what is so written.
 *
 *  - Chapter: \ref model
 *  - A link is a `<body>` in that of its parent, a fixed joint a body without a joint. A joint is a `<joint>` of the type
 *    hinge, slide, ball or free. One with several degrees, universal to euler_free, is as many in one body, called
 *    NAME/1, NAME/2 and so on, since MuJoCo moves by one after the other. Joints so named and turned are read as one
 *    again; other joints in one body become a chain with massless links in between, called BODY/JOINT.
 *  - The names of fixed joints, for which MJCF has no place, stand in `<custom>` as texts called fixed/BODY; where there
 *    is none the joint is called BODY/fixed.
 *  - A link `world` without mass at the root is the ground of MJCF. Where a file has anything but one body fixed at the
 *    origin, its ground becomes such a link.
 *  - A free joint counts from the origin of the world, wherever its body is. Its coordinates and rates are those of
 *    JointType::floating, not MuJoCo's, which has the quaternion w x y z and linear before angular in the world's axes.
 *  - Inertias are written by their principal moments and axes, which MuJoCo would find to fewer digits of `fullinertia`.
 *    Both are read.
 *  - Damping, armature and frictionloss are those of a Joint, and so is what it mimics, a `<joint>` of `<equality>` with a
 *    polynomial of the first degree. In MuJoCo all of these act, here only if asked for. Joints that `<equality>` names
 *    stay joints of their own, whatever they are called.
 *  - A range has two ends; the largest double stands for a limit that there is not.
 *  - MuJoCo itself accepts no moving body without mass, no point and no thin rod. Moments that only rounding makes
 *    negative, or larger than the sum of the other two, are written as it takes them; of others the writer warns.
 *  - Whatever would change the motion and is not read is refused by name: defaults, includes, tendons, springs in joints,
 *    actuators other than motors, joints beside the origin of their body, rotations that are no `quat`, inertias from
 *    geoms, flags that disable what is read, and whatever this page does not name. Motors are ignored and said in Mechanism::warnings. Geoms beside an
 *    `<inertial>`, sites, lights, cameras, assets, contacts, sensors, key frames and what steers MuJoCo's own steps are
 *    ignored.
 */
#pragma once
#include <string>
#include <vector>
#include <articulate/model/mechanism.hpp>

namespace articulate {

/** \brief The mechanism in an MJCF file.
 *  \throws ModelError in one sentence that names the file, the body or joint, the reason and what would be right
 */
Mechanism read_mjcf(const std::string& path);

/** \brief The mechanism in an MJCF text.
 *  \param xml_text     the text
 *  \param source_name  what messages call it
 *  \throws ModelError as read_mjcf() does
 */
Mechanism parse_mjcf(const std::string& xml_text, const std::string& source_name);

/** \brief The MJCF text of a mechanism, from which parse_mjcf() makes one of the same numbers, to rounding.
 *  \param floating_base  let the root link move freely, by a joint called floating_base
 *  \param warnings       takes a sentence for each limit and mimic that MJCF cannot say and that is left out, and for each
 *                         inertia that MuJoCo will refuse, unless it is null
 *  \throws ModelError for what is not a tree of sound links and joints, and for what MJCF cannot say: a helical joint, a
 *          floating one that does not begin at the origin of the world, the dynamics of a joint of several degrees, a link
 *          `world` with mass, a moving joint whose mimic is not between one-DoF joints, a chain of more links than a reader of XML takes
 */
std::string mjcf_text(const Mechanism& mechanism, bool floating_base = false,
                      std::vector<std::string>* warnings = nullptr);

}  // namespace articulate
