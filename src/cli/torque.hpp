/** \file
 *  \brief Joint forces that change with time, from a table.
 *
 *  A torque file is one of two:
 *  - CSV: a line of names, `t` and then one for each joint force in model order, `tau.JOINT` (see columns.hpp), or, for
 *    all in this order, their number, `t,tau[7]`; below it lines of numbers, separated by commas;
 *  - JSON lines: an object a line, with `t` and `tau`, an array in model order, as in a state.
 *
 *  Times (s) increase, from 0 or before until the end of the simulation or later. Between two lines the forces are
 *  interpolated linearly.
 */
#pragma once
#include <string>
#include <vector>
#include <articulate/model/model.hpp>

namespace articulate::cli {

/// \brief Joint forces as a function of time.
class JointForces {
public:
  /// \brief The same at all times: nv forces.
  explicit JointForces(const VectorX<double>& constant) : now_(constant) {}

  /** \brief Read a torque file that must cover the times from 0 to `duration`.
   *  \throws StateError in one sentence that names the file, the line, what is wrong and what would be right
   */
  JointForces(const std::string& path, const Model<double>& model, double duration);

  /// \brief The nv forces at a time; valid until the next call.
  const VectorX<double>& at(double t);

  /// \brief The times of the lines (s), at which the forces have corners; none for constant forces.
  const std::vector<double>& times() const { return t_; }

private:
  std::vector<double> t_;             ///< empty for constant forces
  std::vector<VectorX<double>> tau_;  ///< one for each time
  VectorX<double> now_;
};

}  // namespace articulate::cli
