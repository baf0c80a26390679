/** \file
 *  \brief Can bodies and rotors have the numbers that a fit has found? As far as the numbers that it leaves open allow it.
 *
 *  - Chapter: \ref diagnosis
 */
#pragma once
#include <functional>
#include <articulate/oracle/answers.hpp>

namespace articulate::oracle {

/** \brief Which changes of some unknowns are possible: those that a convex cone leaves room for.
 *
 *  Lengths are measured in coordinates s of the unknowns, x = units * s, in which the nearest possible ones are known.
 */
struct PossibleChanges {
  MatrixX<double> units;
  std::function<VectorX<double>(const VectorX<double>&)> nearest;
};

/// \brief Every change is possible.
PossibleChanges any_change(Eigen::Index count);
/** \brief Those with which the ten numbers of a body are still those of masses: its pseudo-inertia has no negative eigenvalue.
 *  \param own  the ten numbers now; if masses do not have these either, every change is possible
 */
PossibleChanges changes_of_a_body(const Eigen::Matrix<double, 10, 1>& own);
/// \brief Those with which numbers that cannot be negative, such as armatures, are not.
PossibleChanges changes_of_rotors(const VectorX<double>& own);

/// \brief Directions, orthonormal columns, in which unknowns can be changed and nothing that they make changes.
MatrixX<double> left_open(const MatrixX<double>& A);

/** \brief Whether some unknowns are impossible, whatever those are that A leaves open.
 *
 *  Nearest points are looked for in turn among the possible changes and among those that make the same A x. Where they
 *  stay apart, what lies between them is a form that every body has positive, and that all solutions have negative.
 *  \param A         what a unit of each unknown makes
 *  \param is_seen   whether something that unknowns make is more than rounding
 */
bool is_impossible(const VectorX<double>& x, const MatrixX<double>& A, const PossibleChanges& changes,
                   const std::function<bool(const VectorX<double>&)>& is_seen);

/// \brief The possible changes of two families of unknowns, one after the other.
PossibleChanges of_both(const PossibleChanges& a, const PossibleChanges& b);

}  // namespace articulate::oracle
