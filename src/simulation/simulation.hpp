/** \file
 *  \brief A motion in time from the first step to the last, with the account of its energy.
 *
 *  What the command line and Python share: they differ in what they do with each moment, and in how they call options.
 *
 *  - Chapter: \ref motion
 */
#pragma once
#include <functional>
#include <articulate/constrained/loop.hpp>
#include <articulate/model/model.hpp>
#include <articulate/motion/force_element.hpp>
#include <articulate/motion/stop.hpp>

namespace articulate {

/// \brief How sentences call an option: `--step` on the command line, `step` in Python.
enum class Speech { command_line, python };

/// \brief How a simulation goes.
struct SimulationOptions {
  double duration = 0;             ///< s
  double step = 1e-3;              ///< s; made a little shorter where no whole number of steps fills the duration
  double tolerance = 0;            ///< of adaptive steps, over the whole duration; 0 for steps of one length
  long every = 1;                  ///< each so many-th step is told, and the last one
  std::string integrator = "rk4";  ///< or "radau", for stiff machines, or "variational"
  std::string stabilisation = "project";  ///< of loops, but for variational: "none", "baumgarte", "rates", or "project"
  bool ignore_imbalance = false;          ///< go on where the energy is not what forces have made of it
  Speech speech = Speech::command_line;
};

/// \brief What moves, and what acts on it.
struct SimulatedMachine {
  Model<double> model;
  std::vector<Loop> loops;
  std::vector<ForceElement> elements;
  Vector3<double> gravity;                                 ///< m/s^2, in the world
  ExternalWrenches<double> Fext;                           ///< held, in body frames; empty for none
  std::function<const VectorX<double>&(double t)> forces;  ///< nv joint forces at a time, valid until the next call
  std::vector<Stop> stops{};                               ///< met by steps that find their length
  /** \brief Times (s) at which `forces` may have corners: adaptive steps end there.
   *
   *  Those of the tables of force elements are known. What is not told here, such as a pulse that a program computes,
   *  may lie between all stages of a step that is longer, and then no one sees it.
   */
  std::vector<double> corners{};
};

/// \brief The motion at a time.
struct Moment {
  double t;  ///< s
  VectorX<double> q, qd;
  double kinetic_energy = 0, potential_energy = 0;  ///< J
  Wrench<double> momentum{};                        ///< about the world's origin, in world axes (N m s, N s)
  double violation = 0, violation_rate = 0;         ///< by how much a row of a loop is open at most, and opens (m, rad)
  double work = 0;                                  ///< of all forces without a potential since the start (J)
  double imbalance = 0;                             ///< what the energy has gained without it (J)

  double energy() const { return kinetic_energy + potential_energy; }
};

/// \brief What is known when the first step begins.
struct SimulationCourse {
  double step;  ///< s, of rows where steps find their own length
  long steps;   ///< of that length
  int rank;     ///< of the loops
};

/// \brief What happened to a stop at a time.
struct SimulationEvent {
  double t;                                   ///< s
  std::string stop;                           ///< for a range with its end, as in `elbow.upper`
  std::string what;                           ///< "impact", "rest" where it is leaned on, "leave" where no more
  double impulse = 0, before = 0, after = 0;  ///< of an impact: N s or N m s, and rates of the gap, m/s or rad/s
};

/// \brief A joint that has left the range that its description gives, for the first time.
struct PassedLimit {
  std::string joint, which;  ///< which: "lower" or "upper"
  double limit, t;           ///< rad or m; s
};

/// \brief What is known when the last step has ended.
struct SimulationAccount {
  double first_energy = 0;                     ///< J
  double energy = 0, linear = 0, angular = 0;  ///< the largest changes of energy and momentum
  double imbalance = 0;                        ///< of energy, the largest that work does not explain (J)
  double bound = 0;                            ///< for how much of it the errors of the steps can answer (J)
  double violation = 0, violation_rate = 0;    ///< of loops, the largest of all times
  long steps = 0;                              ///< that were made
  long evaluations = 0;                        ///< of the forces, by these steps and those that were rejected
  std::vector<double> singular_positions;      ///< the times at which one was passed (s)
  std::string warning;                         ///< where an imbalance was ignored, the first
  long impacts = 0;                            ///< on stops
  double lost = 0;                             ///< kinetic energy that they took (J)
  std::vector<PassedLimit> limits;             ///< without a stop
  long corners_inside = 0;                     ///< of forces, inside steps of one length
};

/// \brief Looks on while a simulation runs; what it throws ends the run.
class Onlooker {
public:
  virtual ~Onlooker() = default;
  virtual void begin(const SimulationCourse&) {}
  /// \brief A moment that was asked for.
  virtual void row(const Moment& now) = 0;
  /// \brief Something met a stop, or leans on it, or leaves it; rows before that time have been told.
  virtual void event(const SimulationEvent&) {}
  /// \brief After every step.   \param part  of the duration
  virtual void step(const Moment&, double /*part*/) {}
};

/// \brief A motion that cannot go on.
struct SimulationStopped : StateError {
  double t;                   ///< of the last good moment (s)
  std::string reason;         ///< the sentence without the time
  SimulationAccount account;  ///< until then

  SimulationStopped(const std::string& sentence, double time, std::string why, SimulationAccount until)
      : StateError(sentence), t(time), reason(std::move(why)), account(std::move(until))
  {
  }
};

/// \brief Refuse options that cannot be meant.   \return how many steps fill the duration   \throws Error
long number_of_steps(const SimulationOptions& options);

/** \brief Run.
 *  \param q, qd     nq coordinates and nv rates at the time 0
 *  \throws Error for options that cannot be meant, before the first step
 *  \throws SimulationStopped when the motion cannot go on, or its energy does not balance
 *  \throws SizeError from forces of the wrong length, and whatever forces and onlooker throw
 */
SimulationAccount simulate(const SimulatedMachine& machine, const SimulationOptions& options, const VectorX<double>& q,
                           const VectorX<double>& qd, Onlooker& onlooker);

}  // namespace articulate
