/** \file
 *  \brief From the text of a loop file to the cut joints that close the loops of a model.
 *
 *  A loop file is a JSON object:
 *  - `loops`: one object or more, each with a `name` of its own, its ends `first` and `second`, and what it leaves free.
 *    That is either `joint`, a type: fixed, revolute, continuous, prismatic, helical (with `pitch`, m/rad), universal,
 *    cylindrical, planar or ball; or, by hand, `slides`, a list of "x", "y", "z", and `turns`, one of "none", "about_z",
 *    "universal", "free". What is said of z means the `axis`, three numbers in either frame, z unless given. Instead of
 *    ends, `coupling` couples two joints of one degree: the coordinate of its `joint` is `multiplier`, 1 unless given,
 *    times that of the joint that it `follows`, and `offset`, 0 unless given.
 *  - An end has a `link` and, where its frame is not that of the link, `position` (m) and `quaternion_xyzw`.
 *  - where wanted `forces`, the force elements of the model, see forces.hpp;
 *  - where wanted `stops`, what `simulate` runs into, see forces.hpp; a file that has one of these needs no `loops`, nor
 *    does one for a model whose mimics `--with mimic` makes loops of; an empty list is as good as none;
 *  - where wanted `actuated`, the names of joints with motors, for inverse dynamics; with more motors than the motion
 *    needs `least` says what to keep small: "actuator_force" unless given, or "constraint_force";
 *  - where wanted `held`, the names of joints that stay as they are while the loops are closed.
 *
 *  As in a state, `base` is the name of a floating base.
 */
#pragma once
#include <optional>
#include <articulate/constrained/loops.hpp>
#include "constrained_inverse.hpp"  // Least
#include "loop_options.hpp"
#include "model_choice.hpp"
#include "output.hpp"  // Json

namespace articulate::cli {

/// \brief What a loop file says.
struct LoopFile {
  std::vector<Loop> loops;                    ///< one or more; none where the file has forces alone
  std::optional<std::vector<bool>> actuated;  ///< nv flags: which degrees have motors, for inverse dynamics
  Least least = Least::actuator_force;        ///< what inverse dynamics keeps small
  std::vector<bool> held;                     ///< nv flags for Assembly: empty for none
};

/** \brief Read a loop file.
 *  \param loops_needed  refuse a file without loops, forces and stops
 *  \throws StateError in one sentence that names the file, the element, what it is and what would be right
 */
LoopFile read_loops(const std::string& path, const Model<double>& model, bool loops_needed = true);

/** \brief The loops of the file that the options name, none without one, and after them those that the mimics of the model
 *  are, where the choice asks for them.
 *  \throws ModelError, StateError for what cannot be meant, or two loops of one name
 */
LoopFile all_loops(const Model<double>& model, const ModelChoice& choice, const LoopOptions& options);

/** \brief What read_loops() reads back to the same numbers: the keys `loops`, `actuated`, `least` and `held`.
 *
 *  A loop that some type of joint closes says that joint; any other says what is free.
 *  \throws StateError naming what a loop file cannot say: a part of a joint, or a pitch beside slides
 */
Json written(const LoopFile& file, const Model<double>& model);

}  // namespace articulate::cli
