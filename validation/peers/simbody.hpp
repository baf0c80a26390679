/** \file
 *  \brief Simbody 3.7 as a peer: the same machine, its loops included, built from the same numbers and moved in time.
 *
 *  Simbody's headers do not compile as C++20 and stay behind this one, which has plain data only.
 *  - Paper: Ma 2021, section 7, where the other engine is ADAMS.
 *  - Chapter: \ref mechanisms
 */
#pragma once
#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>
#include <articulate/constrained/loop.hpp>
#include <articulate/model/mechanism.hpp>

namespace articulate::validation {

/// \brief How a motor moves its joint: value, rate and acceleration (rad or m, s) at a time (s).
using Drive = std::function<std::array<double, 3>(double)>;

/// \brief Place, velocity and acceleration of a point, in the world frame (m, s).
struct PointMotion {
  std::array<double, 3> p, v, a;
};

/** \brief A machine of hinges and slides in Simbody, its loops closed by rigid constraints.
 *
 *  The tree becomes mobilised bodies. Each loop becomes two constraints, each of which holds a point in a plane: of the
 *  five demands of a hinge these are the two that a plane loop does not meet by itself. To demand the other three again
 *  would change no motion and no motor, and only leave it to the engine which of many reactions it finds.
 */
class SimbodyMachine {
public:
  static constexpr double closure = 1e-13;  ///< loops are left open by no more (m)

  /** \brief Build the system.
   *  \param joints  the order of coordinates, rates, accelerations and forces: each moving joint once
   *  \param motors  the joints that have one, in the order of drives
   *  \throws ModelError for a joint that is no hinge and no slide, a loop that is not a hinge or not plane, or an unknown
   *          or missing joint
   */
  SimbodyMachine(const Mechanism& tree, const std::vector<Loop>& loops, const std::vector<std::string>& joints,
                 const std::vector<std::string>& motors);
  ~SimbodyMachine();

  /** \brief Take the machine as it is and apply constant forces to it: forward dynamics.
   *  \param q, qd  coordinates and rates that meet the loops   \param tau  forces at all joints (N m, N)
   *  \throws SizeError naming the argument, as drive() does
   */
  void apply_forces(const std::vector<double>& q, const std::vector<double>& qd, const std::vector<double>& tau);

  /** \brief Let all motors follow their drives, from a time on: loops are closed and rates found by the engine.
   *  \param drives  one for each motor   \param guess  coordinates, roughly closed
   */
  void drive(const std::vector<Drive>& drives, double t, const std::vector<double>& guess);

  /** \brief Integrate from the time of drive(), or from 0 after apply_forces(), up to a later one.
   *
   *  By Merson's method of order 4, the error of a step held below 1e-10, the loops below `closure`.
   */
  void advance(double t);

  // All at the state of the last call, in the order of the joints.
  std::vector<double> q() const, qd() const, qdd() const;
  std::vector<double> motor_forces() const;  ///< what the motors need to follow their drives (N m, N)
  /// \brief How a point of a link moves; its place is given in the link's frame.
  PointMotion point(const std::string& link, const std::array<double, 3>& place) const;

private:
  struct Engine;
  std::unique_ptr<Engine> engine_;
};

/** \brief The natural cubic spline through samples, which also tells its first two derivatives.
 *  \param x  increasing, at least four   \param y  as many
 */
Drive cubic_spline(const std::vector<double>& x, const std::vector<double>& y);

}  // namespace articulate::validation
