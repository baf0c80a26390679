/** \file
 *  \brief Force elements: from a loop file and from what a model says of its joints, to what they do in a state.
 *
 *  The key `forces` of a loop file is a list of objects, each with a `name` of its own, a `type` and the keys of that type:
 *  - `spring`: its ends `first` and `second`, `stiffness` (N/m), `damping` (N s/m), `rest_length` (m);
 *  - `joint_spring`: `joint`, `degree` (from 0), `stiffness`, `damping`, `rest` (the coordinate at which it is slack);
 *  - `friction`: `joint`, `degree`, `viscous`, `coulomb`, `width` (rad/s, m/s) of the smoothed Coulomb friction;
 *  - `force`: `at`, an end; `axes`, "world" unless it is "link"; `force`, three numbers (N), or `table`, a list of t, x, y, z;
 *  - `joint_force`: `joint`, `degree`; `force`, one number, or `table`, a list of t and force;
 *  - `rotor`: `joint`, `degree`, `inertia` (kg m^2, kg): the rotor's own times the square of the gear ratio;
 *  - `gravity_field`: `strength` (m^3/s^2), the gravitational constant times a mass, and `center` (m, in the world).
 *
 *  An end has either a `link`, with `position` (m, in its frame) where that is not its origin, or `world`, three numbers.
 *  Numbers that are left out are zero, and the width is that of JointFriction.
 *
 *  The key `stops`, which only `simulate` obeys, while `compute` tells how far away they are, is a list of objects, each with a `name` of its own, a `type` and the
 *  `restitution` from 0, plastic, to 1, elastic:
 *  - `joint`: `joint`, `degree` (from 0), `lower` and `upper` (rad, m), of which one may be left out;
 *  - `plane`: `point`, an end, which stays on that side of the `plane`, another end, to which the `normal` points: three
 *    numbers in the axes of the plane's link, z unless given.
 */
#pragma once
#include <articulate/motion/force_jacobians.hpp>
#include <articulate/motion/stop.hpp>
#include "loop_options.hpp"
#include "model_choice.hpp"
#include "output.hpp"

namespace articulate::cli {

/** \brief The force elements of a loop file; none where it has no `forces`.
 *  \throws StateError in one sentence that names the file, the element, what it is and what would be right
 */
std::vector<ForceElement> read_forces(const std::string& path, const Model<double>& model);

/** \brief The stops of a loop file; none where it has no `stops`.
 *  \throws StateError in one sentence that names the file, the element, what it is and what would be right
 */
std::vector<Stop> read_stops(const std::string& path, const Model<double>& model);

/** \brief What read_forces() and read_stops() read back to the same numbers: one object of a list.
 *  \throws StateError naming a user's law, which no file holds
 */
Json written(const ForceElement& element, const Model<double>& model);
Json written(const Stop& stop, const Model<double>& model);

/** \brief All force elements that the options ask for: those of `--with`, then those of the file of `--loops`.
 *  \throws Error in one sentence
 */
std::vector<ForceElement> force_elements(const Model<double>& model, const ModelChoice& choice,
                                         const LoopOptions& loops);

/// \brief What the force elements of a model do in one state at t = 0, as joint forces.
class ForcesInState {
public:
  VectorX<double> joint_forces;  ///< nv, zero without elements

  ForcesInState(const Model<double>& model, const std::vector<ForceElement>& elements);

  bool empty() const { return forces_.size() == 0; }
  const VectorX<double>& armature() const { return forces_.armature; }  ///< nv, of rotors
  /// \brief Evaluate.   \throws StateError as ForceElements does
  void operator()(const VectorX<double>& q, const VectorX<double>& qd);
  /// \brief Their Jacobians at the state.
  const ForceElementsJacobians<double>& jacobians();
  /// \brief All that there is to say of them.
  Json report() const;
  /// \brief Whether one of them is the gravity of a point.
  bool has_field() const;

private:
  std::vector<ForceElement> elements_;
  ForceElements<double> forces_;
  ForceElementsJacobians<double> jacobians_;
  VectorX<double> qd_;
};

}  // namespace articulate::cli
