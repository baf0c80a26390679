/** \file
 *  \brief Solvers for flat spaces as peers: Boost.Odeint's Dormand and Prince, and SUNDIALS' CVODE for stiff equations.
 *
 *  Both see a state as a list of numbers, and know of no constraint but what is done to the list after a step.
 *  - Chapter: \ref motion
 */
#pragma once
#include <functional>
#include <vector>

namespace articulate::validation {

/// \brief An initial value problem in a flat space.
struct FlatProblem {
  using Numbers = std::vector<double>;
  std::function<void(const Numbers& y, Numbers& rates, double t)> rates;
  std::function<void(Numbers& y)> settle;  ///< brings a state back to where it should be, after each step; or none
  Numbers start;
  double duration;  ///< s
};

/** \brief The end, by Boost.Odeint's runge_kutta_dopri5 with its own control of the step.
 *  \param tolerance  relative, and absolute, of each step
 *  \throws whatever the rates throw
 */
std::vector<double> by_odeint(const FlatProblem& problem, double tolerance);

/** \brief The end, by CVODE's backward differentiation formulas with Jacobians by differences.
 *  \param tolerance  relative, and absolute, of each step
 *  \throws StateError where CVODE gives up, with its number for the reason
 */
std::vector<double> by_cvode(const FlatProblem& problem, double tolerance);

}  // namespace articulate::validation
