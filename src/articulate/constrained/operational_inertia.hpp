/** \file
 *  \brief How heavy is a link, felt through a handle on it, and a machine, felt through its loops?
 *
 *  - Paper: Kim 2012, section 3.2, \eq{kim,67}, where \f$AM^{-1}A^{\mathsf T}\f$ stands; the rest is ours, \eq{ours,22} to
 *    \eq{ours,24}.
 *  - Chapter: \ref constrained
 */
#pragma once
#include <articulate/aba/mobility.hpp>
#include <articulate/constrained/loops.hpp>
#include <articulate/constrained/semidefinite.hpp>
#include <articulate/model/kinematics.hpp>  // link_jacobian

namespace articulate {

// [operational-inertia]
/** \brief \f$\Lambda = (JM^{-1}J^{\mathsf T})^{-1}\f$ for any rows J: the inertia that a hand feels when it moves them.
 *  \param at  the mobility, run at a configuration   \param J  m x nv   \return m x m, symmetric
 *  \throws StateError when the rows cannot all be moved at will, so that the inertia is not finite
 */
template <typename Scalar>
MatrixX<Scalar> operational_inertia(Mobility<Scalar>& at, const MatrixX<Scalar>& J)
{
  const int m = static_cast<int>(J.rows());
  SemidefiniteSolver<Scalar> solver(m);
  solver.factor(at.of(J));
  if (solver.rank() < m)
    throw StateError(at.model().mechanism().source + ": of " + std::to_string(m) + " directions only " +
                     std::to_string(solver.rank()) +
                     " can be moved at will in this state, so that the operational-space inertia is not finite; take "
                     "fewer directions, or its inverse, the mobility.");
  MatrixX<Scalar> Lambda(m, m);
  for (int k = 0; k < m; ++k) Lambda.col(k) = solver.solve(VectorX<Scalar>::Unit(m, k));
  return Lambda;
}

/** \brief \f$JM_A^{-1}J^{\mathsf T}\f$: the mobility of rows J while the constraints A hold \eq{ours,24}.
 *
 *  \f$M_A^{-1} = M^{-1} - M^{-1}A^{\mathsf T}(AM^{-1}A^{\mathsf T})^{-1}AM^{-1}\f$; rows of A may depend on each other.
 *  \param at  the mobility, run at a configuration   \param J  m x nv   \param A  rows x nv   \return m x m, symmetric
 */
template <typename Scalar>
MatrixX<Scalar> constrained_mobility(Mobility<Scalar>& at, const MatrixX<Scalar>& J, const MatrixX<Scalar>& A)
{
  const int m = static_cast<int>(J.rows()), rows = static_cast<int>(A.rows());
  MatrixX<Scalar> both(m + rows, J.cols());
  both.topRows(m) = J;
  both.bottomRows(rows) = A;
  const MatrixX<Scalar> free = at.of(both);  // J M^-1 J^T, J M^-1 A^T; A M^-1 J^T, A M^-1 A^T
  SemidefiniteSolver<Scalar> solver(rows);
  solver.factor(free.bottomRightCorner(rows, rows));
  MatrixX<Scalar> constrained = free.topLeftCorner(m, m);
  for (int k = 0; k < m; ++k)
    constrained.col(k) -= free.topRightCorner(m, rows) * solver.solve(free.bottomLeftCorner(rows, m).col(k));
  return constrained;
}
// [operational-inertia]

/** \brief The operational-space inertia of a link in one line, 6 x 6 (kg m^2, kg m, kg); Khatib's \f$\Lambda\f$ \eq{ours,22}.
 *
 *  \f$\Lambda\dot V\f$ is the wrench that gives the link this acceleration, from rest and without gravity, in the frame
 *  asked for; the joints follow.
 *  \throws StateError when the link cannot be moved in all six directions: mobility() of its Jacobian is always finite
 */
template <typename Scalar>
MatrixX<Scalar> operational_inertia(const Model<Scalar>& model, const LinkFrame<Scalar>& link, VectorArgument<Scalar> q,
                                    JacobianFrame frame = JacobianFrame::link)
{
  Mobility<Scalar> at(model);
  at(q);
  return operational_inertia(at, link_jacobian(model, link, q, frame));
}

/** \brief The Delassus matrix \f$AM^{-1}A^{\mathsf T}\f$ of loops in one line, m x m \eq{ours,23}; see Mobility.
 *
 *  How fast each row opens when a unit of each multiplier acts; constrained dynamics divides by it \eq{kim,67}.
 */
template <typename Scalar>
MatrixX<Scalar> delassus_matrix(const Model<Scalar>& model, const std::vector<Loop>& loops, VectorArgument<Scalar> q)
{
  Loops<Scalar> constraints(model, loops);
  constraints(q, VectorX<Scalar>::Zero(model.nv()));
  return mobility(model, q, constraints.A);
}

}  // namespace articulate
