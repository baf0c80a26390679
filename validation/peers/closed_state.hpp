/** \file
 *  \brief A machine with loops in a closed state, and what chapter 07 says of its motion: one side of a comparison.
 *
 *  Compiled once for all peers.
 *  - Chapters: \ref constrained, \ref mechanisms
 */
#pragma once
#include <functional>
#include <string>
#include <vector>
#include <articulate/model/model.hpp>
#include <models/closed_machines.hpp>

namespace articulate::validation {

using Vector = VectorX<double>;

inline std::vector<double> plain(const Vector& x) { return {x.begin(), x.end()}; }
inline Vector to_vector(const std::vector<double>& x)
{
  return Eigen::Map<const Vector>(x.data(), static_cast<Eigen::Index>(x.size()));
}

/// \brief Coordinates, rates, accelerations and forces of all joints.
struct Motion {
  Vector q, qd, qdd, tau;
};

/// \brief A machine near its guess, closed, among drawn rates and forces.
class ClosedState {
public:
  const ClosedMachine machine;
  const Model<double> model;
  std::vector<std::string> joints;  ///< in the order of the coordinates
  std::vector<bool> motors;         ///< nv flags
  Vector q, qd, tau;

  /// \brief Draw and close it.   \param speed, force  how large rates (rad/s, m/s) and forces (N m, N) are
  ClosedState(const ClosedMachine& of, int seed, double speed, double force);

  /// \brief Accelerations, and how large those of the tree without its loops are, which loops correct.
  struct Accelerations {
    Vector qdd;
    double size;
  };
  /// \brief Forward dynamics; on request as if there were no \f$\dot A\dot q\f$.
  Accelerations move(const Vector& at_q, const Vector& at_qd, const Vector& under_tau,
                     bool with_rate_of_A = true) const;

  /** \brief How all joints follow those that lead, and which forces these need: projection, hybrid dynamics.
   *  \param leading  nv flags   \param at_q  closed   \param rates, accelerations  nv, read where leading
   */
  Motion follow(const std::vector<bool>& leading, const Vector& at_q, const Vector& rates,
                const Vector& accelerations) const;

  /** \brief What the motors do to all joints, with the loops closed from q.
   *  \param inputs  values, rates and accelerations of the motors, one after the other
   */
  Motion drive(const Vector& inputs) const;

  /// \brief Where constant forces have moved the machine after a while: steps of Runge, Kutta and Munthe-Kaas.
  Motion fall(double duration, int steps) const;
};

/** \brief How much larger the answer's change is, relative to a size, than that of its inputs.
 *
 *  At least one; of two moves the worse.
 */
double growth(const Vector& inputs, const std::function<Vector(const Vector&)>& answer, double size);

}  // namespace articulate::validation
