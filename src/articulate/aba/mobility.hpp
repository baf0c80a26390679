/** \file
 *  \brief How easily does a machine give way to a push? \f$JM^{-1}J^{\mathsf T}\f$ without the mass matrix.
 *
 *  - Paper: Kim 2012, section 2.2: the articulated bodies of \eq{kim,49}; the factors are ours, \eq{ours,21}.
 *  - Chapter: \ref aba
 */
#pragma once
#include <articulate/aba/articulated_bodies.hpp>

namespace articulate {

/** \brief \f$JM^{-1}J^{\mathsf T}\f$ for any rows J, each O(n), as a sum of squares over the joints \eq{ours,21}.
 *
 *  A row of J, as forces on the joints, is the force whose power is that row times the rates: a unit force at the tip, a
 *  moment on a link, the reaction of a closed loop. Entry (r, s) is how fast row r begins to move, from rest and without
 *  gravity, when a unit of force s acts. For the Jacobian of a link it is the inverse of the operational-space inertia
 *  (Khatib's \f$\Lambda\f$), for the rows of loops or contacts the Delassus matrix (MuJoCo's `efc_AR` before it is
 *  regularised).
 */
template <typename Scalar>
class Mobility : public ArticulatedBodies<Scalar> {
  using Base = ArticulatedBodies<Scalar>;
  using Base::model_, Base::articulate_at;

public:
  using Base::reduce;

  /** \brief Make the workspace.
   *  \throws ModelError when a joint could move without moving any mass: the mass matrix would have no inverse
   */
  explicit Mobility(const Model<Scalar>& model) : Base(model, Indexed<bool>(model.nv(), false)) {}

  /** \brief Find the articulated inertias at q.
   *  \param q  nq coordinates (rad, m; free joint: position, quaternion x y z w)
   *  \throws SizeError naming the argument, the length given and the length expected
   *  \throws StateError when a joint's articulated inertia vanishes at this q: its angles are singular, or numbers overflow
   */
  void operator()(const VectorRef<Scalar>& q) { articulate_at(q); }

  /** \brief \f$JM^{-1}J^{\mathsf T}\f$ at the q of the last run.
   *  \param J  m x nv   \return m x m, symmetric, in the units of two rows over kg
   *  \throws SizeError when J does not have a column for each rate   \throws StateError before the first run
   */
  MatrixX<Scalar> of(const MatrixX<Scalar>& J)
  {
    if (J.cols() != model_.nv()) throw SizeError("J (columns)", J.cols(), model_.nv());
    this->require_run("mobility");
    const int m = static_cast<int>(J.rows());
    // [mobility]
    // What is left of each row's forces at each degree, when all joints behind it have yielded; and over the pivots.
    MatrixX<Scalar> left(model_.nv(), m), answer(left);
    for (int r = 0; r < m; ++r) reduce(J.row(r).transpose(), left.col(r), answer.col(r));
    return answer.transpose() * left;
    // [mobility]
  }
};

/// \brief \f$JM^{-1}J^{\mathsf T}\f$ of any rows J, m x nv, in one line; see Mobility.
template <typename Scalar>
MatrixX<Scalar> mobility(const Model<Scalar>& model, VectorArgument<Scalar> q, MatrixArgument<Scalar> J)
{
  Mobility<Scalar> machine(model);
  machine(q);
  return machine.of(J);
}

}  // namespace articulate
