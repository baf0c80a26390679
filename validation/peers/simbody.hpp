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
#include <peers/spring.hpp>

namespace articulate::validation {

/// \brief How a motor moves its joint: value, rate and acceleration (rad or m, s) at a time (s).
using Drive = std::function<std::array<double, 3>(double)>;

/// \brief Place, velocity and acceleration of a point, in the world frame (m, s).
struct PointMotion {
  std::array<double, 3> p, v, a;
};

/// \brief How many constraints a loop becomes in Simbody.
enum class Closing {
  in_a_plane,  ///< two: of the five demands of a hinge those that a plane loop does not meet by itself
  in_space     ///< all of them: three of a point, and one or two of angles
};

/** \brief A machine of hinges, slides and free joints in Simbody, its loops closed by rigid constraints.
 *
 *  The tree becomes mobilised bodies. Each hinge of a plane loop becomes two constraints, each of which holds a point in a
 *  plane. To demand the other three again would change no motion and no motor, and only leave it to the engine which of
 *  many reactions it finds.
 */
class SimbodyMachine {
public:
  static constexpr double closure = 1e-13;  ///< loops are left open by no more (m)

  /** \brief Build the system.
   *  \param joints  the order of coordinates, rates, accelerations and forces: each moving joint once
   *  \param motors  the joints that have one, in the order of drives
   *  \throws ModelError for a joint of another type, an unknown or missing joint; in a plane, for a loop that is not a
   *          hinge or not plane; in space, for a loop that slides
   */
  SimbodyMachine(const Mechanism& tree, const std::vector<Loop>& loops, const std::vector<std::string>& joints,
                 const std::vector<std::string>& motors, Closing closing = Closing::in_a_plane,
                 const std::vector<Spring>& springs = {});
  ~SimbodyMachine();

  /** \brief Take the machine as it is and apply constant forces to it: forward dynamics.
   *  \param q, qd  coordinates and rates that meet the loops; of a free joint as in Model
   *  \param tau    forces at all joints (N m, N); none at free joints, which have no place here
   *  \throws SizeError naming the argument, as drive() does
   */
  void apply_forces(const std::vector<double>& q, const std::vector<double>& qd, const std::vector<double>& tau);

  /// \brief Hold the error of a step below `accuracy`, and loops below a tenth of it, in place of the values of advance().
  void set_accuracy(double accuracy);
  /// \brief How often the integrator has asked for accelerations.
  long evaluations() const;

  /** \brief Let all motors follow their drives, from a time on: loops are closed and rates found by the engine.
   *  \param drives  one for each motor   \param guess  coordinates, roughly closed
   */
  void drive(const std::vector<Drive>& drives, double t, const std::vector<double>& guess);

  /** \brief Integrate from the time of drive(), or from 0 after apply_forces(), up to a later one.
   *
   *  By Merson's method of order 4, the error of a step held below 1e-10, the loops below `closure`.
   */
  void advance(double t);

  // All at the state of the last call, in the order of the joints, without free ones.
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
