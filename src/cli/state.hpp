/** \file
 *  \brief From the text of a STATE to numbers in model order, or to one sentence that says what is wrong with it.
 *
 *  A STATE is a JSON object:
 *  - `q`, `qd` and, where wanted, `qdd`, `tau`: each an array in model order or an object by joint name;
 *  - with a floating base `base` with `position` and `quaternion_xyzw`. `q` holds the joints only; arrays of `qd`,
 *    `qdd` and `tau` start with the base's six; with an object these stand in `base`, as `twist`, `acceleration`,
 *    `wrench`;
 *  - where wanted `gravity`, three numbers, and `external_wrenches`, six numbers by link name, in the link's frame;
 *  - where wanted `prescribed`, the names of joints whose accelerations hybrid dynamics is given (`base` for the floating
 *    base): it then needs `qdd` and `tau`, and reads of each what is given.
 *
 *  A free joint within the tree has seven numbers in `q` and six elsewhere, in an object as an array.
 */
#pragma once
#include <optional>
#include <span>
#include <string>
#include <articulate/model/model.hpp>

namespace articulate::cli {

/// \brief A state, in the order and in the frames of a model.
struct State {
  VectorX<double> q, qd;
  std::optional<VectorX<double>> qdd, tau;
  std::optional<std::vector<bool>> prescribed;  ///< by rate, for hybrid dynamics
  Vector3<double> gravity;                      ///< the model's own unless the state gives it
  ExternalWrenches<double> external_wrenches;   ///< one for each body, in body frames
};

/// \brief The joints of a model in order, without the free joint of a floating base.
std::span<const JointSlot> joints_without_base(const Model<double>& model);

/** \brief Read a state.
 *  \param text    one JSON object
 *  \param source  what messages call it: a file, or a line of standard input
 *  \throws StateError in one sentence that names the source, the element, what it is and what would be right
 */
State read_state(const std::string& text, const std::string& source, const Model<double>& model);

}  // namespace articulate::cli
