/** \file
 *  \brief How easily does a machine give way where somebody pushes? \f$JM^{-1}J^{\mathsf T}\f$ without the mass matrix.
 *
 *  - Paper: Kim 2012, section 2.2: the articulated bodies of \eq{kim,49}; the factors are ours, \eq{ours,21}.
 *  - Chapter: \ref aba
 */
#pragma once
#include <algorithm>
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
  using Base::model_, Base::articulate_at, Base::gather;

public:
  using Base::pivot;

  /** \brief Make the workspace.
   *  \throws ModelError when a joint could move without moving any mass: the mass matrix would have no inverse
   */
  explicit Mobility(const Model<Scalar>& model)
      : Base(model, Indexed<bool>(model.nv(), false)), B_(pivot.size()), tau_(VectorX<Scalar>::Zero(model.nv()))
  {
  }

  /** \brief Find the articulated inertias at q.
   *  \param q  nq coordinates (rad, m; free joint: position, quaternion x y z w)
   *  \throws SizeError naming the argument, the length given and the length expected
   *  \throws StateError when a joint's articulated inertia vanishes at this q: its angles are singular, or numbers overflow
   */
  void operator()(const VectorRef<Scalar>& q) { articulate_at(q); }

  /** \brief \f$JM^{-1}J^{\mathsf T}\f$ at the q of the last run.
   *  \param J  m x nv   \return m x m, symmetric, in units of the rows times theirs over kg
   *  \throws SizeError when J has not a column for each rate   \throws StateError before the first run
   */
  MatrixX<Scalar> of(const MatrixX<Scalar>& J)
  {
    if (J.cols() != model_.nv()) throw SizeError("J (columns)", J.cols(), model_.nv());
    this->require_run("mobility");
    const int m = static_cast<int>(J.rows());
    // [mobility]
    // What is left of each row's forces at each degree, when all joints behind it have yielded.
    MatrixX<Scalar> left(m, model_.nv());
    VectorX<Scalar> rest(model_.nv());
    for (int r = 0; r < m; ++r) {
      std::fill(B_.begin(), B_.end(), Wrench<Scalar>{});
      tau_ = J.row(r);
      for (const Body<Scalar>& body : model_.inward()) gather(body, B_[body.index], tau_, rest, B_);
      left.row(r) = rest;
    }
    // Each degree answers what is left for it with its pivot.
    MatrixX<Scalar> answer = left;
    for (const Body<Scalar>& body : model_.outward())
      for (int k = 0; k < body.nv; ++k) answer.col(body.v + k) *= pivot[body.index].inverse(k);
    return answer * left.transpose();
    // [mobility]
  }

private:
  Indexed<Wrench<Scalar>> B_;  // by body: what the joints behind it pass on
  VectorX<Scalar> tau_;
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
