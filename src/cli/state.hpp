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
 *    base): it then needs `qdd` and `tau`, and reads of each what is given;
 *  - where derivatives of the dynamics in time are wanted, `order`, a whole number r, with `q_derivatives` and
 *    `tau_derivatives`, or one of them, and `wrench_derivatives`: lists of r entries that continue `qdd`, `tau` and
 *    `external_wrenches`. Entry k, counted from 0, is the (k + 1)-th derivative in time and is written as these are. Where
 *    an entry is an object, the six of a floating base stand in the same entry of `base_twist_derivatives` or
 *    `base_wrench_derivatives`. Twists and wrenches are differentiated component by component, in the frame of their body.
 *
 *  A free joint within the tree has seven numbers in `q` and six elsewhere, in an object as an array.
 */
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>
#include <articulate/model/model.hpp>
#include "output.hpp"  // Json

namespace articulate::cli {

/// \brief What a state gives of derivatives in time.
struct StateDerivatives {
  int order;                                                ///< r
  std::optional<MatrixX<double>> qdd, tau;                  ///< nv x r, column k the (k + 1)-th derivative
  std::vector<ExternalWrenches<double>> external_wrenches;  ///< none, or r: entry k the (k + 1)-th derivative
};

/// \brief A state, in the order and in the frames of a model.
struct State {
  VectorX<double> q, qd;
  std::optional<VectorX<double>> qdd, tau;
  std::optional<std::vector<bool>> prescribed;  ///< by rate, for hybrid dynamics
  Vector3<double> gravity;                      ///< the model's own unless the state gives it
  ExternalWrenches<double> external_wrenches;   ///< one for each body, in body frames
  std::optional<StateDerivatives> derivatives;  ///< where derivatives of the dynamics are wanted
};

/// \brief The joints of a model in order, without the free joint of a floating base.
std::span<const JointSlot> joints_without_base(const Model<double>& model);

/** \brief Read a state.
 *  \param text    one JSON object
 *  \param source  what messages call it: a file, or a line of standard input
 *  \throws StateError in one sentence that names the source, the element, what it is and what would be right
 */
State read_state(const std::string& text, const std::string& source, const Model<double>& model);
/// \brief The same of an object that is parsed already.
State state_from(const Json& object, const std::string& source, const Model<double>& model);

}  // namespace articulate::cli
