/** \file
 *  \brief MuJoCo 2.2 as a peer, whose constraints are soft: loops that give way a little.
 *
 *  - Chapter: \ref mechanisms
 */
#pragma once
#include <memory>
#include <string>
#include <vector>
#include <articulate/constrained/loop.hpp>
#include <articulate/model/mechanism.hpp>
#include <peers/spring.hpp>

namespace articulate::validation {

/** \brief A machine of hinges and slides in MuJoCo, each loop closed by tying its two points to each other.
 *
 *  MuJoCo does not demand \f$A\ddot q + \dot A\dot q = 0\f$. At a closed state it takes the \f$\ddot q\f$ that makes
 *  \f$\frac12(\ddot q-\ddot q_r)^{\mathsf T}M(\ddot q-\ddot q_r)+\frac12(A\ddot q)^{\mathsf T}R^{-1}A\ddot q\f$ least, with
 *  R proportional to (1 - d) / d for an impedance d. There is no \f$\dot A\dot q\f$: its integrator lets loops open and
 *  pulls them together again.
 */
class MujocoMachine {
public:
  /** \brief Build the model.
   *  \param joints     the order of coordinates, rates, accelerations and forces: each moving joint once
   *  \param impedance  d, at most 0.9999
   *  \param across     where it is not 0, each loop is tied at two points, so far away on its axis (m)
   *  \param springs    become tendons
   *  \throws ModelError for a joint that is no hinge and no slide, for a loop that is no hinge, and for what MuJoCo refuses
   */
  MujocoMachine(const Mechanism& tree, const std::vector<Loop>& loops, const std::vector<std::string>& joints,
                double impedance, double across = 0, const std::vector<Spring>& springs = {});
  ~MujocoMachine();

  /** \brief Forward dynamics at a closed state, under forces at all joints (N m, N).
   *  \throws SizeError naming the argument
   */
  std::vector<double> accelerations(const std::vector<double>& q, const std::vector<double>& qd,
                                    const std::vector<double>& tau);

  /** \brief Where steps of the classic Runge and Kutta of one length lead under constant forces: the coordinates.
   *  \param stiff  loops pull themselves together within two steps, the fastest that MuJoCo takes, in place of its usual
   *                0.02 s
   *  \throws StateError when it does not stay finite
   */
  std::vector<double> move(const std::vector<double>& q, const std::vector<double>& qd, const std::vector<double>& tau,
                           double step, long steps, bool stiff);

private:
  struct Engine;
  std::unique_ptr<Engine> engine_;
};

}  // namespace articulate::validation
