/** \file
 *  \brief The inverse of the mass matrix, without the mass matrix: how each joint responds to a force at any other.
 *
 *  - Paper: Kim 2012, section 2.2: the articulated bodies of \eq{kim,49}; the rest is ours, \eq{ours,20}.
 *  - Chapter: \ref aba
 */
#pragma once
#include <articulate/aba/articulated_bodies.hpp>

namespace articulate {

/** \brief \f$M^{-1}\f$ of a tree in \f$O(n^2)\f$, as many steps as it has entries \eq{ours,20}.
 *
 *  Column k is the acceleration by a unit force at degree k, from rest, without gravity: in along the path to the base,
 *  where the joints yield, and out to the joints before k; the rest of the column is known by symmetry. With armature it
 *  is the inverse of the mass matrix with the inertias of the rotors. Pinocchio's `computeMinverse`.
 */
template <typename Scalar>
class InverseMassMatrix : public ArticulatedBodies<Scalar> {
  using Base = ArticulatedBodies<Scalar>;
  using Base::model_, Base::articulate_at, Base::pass_to_base, Base::release;

public:
  using Base::T, Base::S;

  /** \brief Make the workspace.
   *  \throws ModelError when a joint could move without moving any mass: the mass matrix would have no inverse
   */
  explicit InverseMassMatrix(const Model<Scalar>& model)
      : Base(model, Indexed<bool>(model.nv(), false)),
        M_inverse_(MatrixX<Scalar>::Zero(model.nv(), model.nv())),
        tau_(VectorX<Scalar>::Zero(model.nv())),
        rest_(tau_),
        qdd_(tau_),
        A_(T.size())
  {
  }

  /** \brief The inverse of the mass matrix.
   *  \param q  nq coordinates (rad, m; free joint: position, quaternion x y z w)
   *  \return   nv x nv, symmetric (1/(kg m^2), 1/(kg m), 1/kg)
   *  \throws SizeError naming the argument, the length given and the length expected
   *  \throws StateError when a joint's articulated inertia vanishes at this q: its angles are singular, or numbers overflow
   */
  const MatrixX<Scalar>& operator()(const VectorRef<Scalar>& q)
  {
    articulate_at(q);
    run_sweep<Scalar>([&] {
      for (const Body<Scalar>& body : model_.outward())
        for (int k = body.v; k < body.v + body.nv; ++k) respond_to(body, k);
    });
    return M_inverse_;
  }

private:
  // [inverse-mass-matrix]
  /// A unit force at the degree k of a body, and what all degrees up to k do.
  void respond_to(const Body<Scalar>& body, int k)
  {
    tau_(k) = Scalar(1);
    rest_.head(body.v).setZero();
    pass_to_base(body, {}, tau_, rest_);
    tau_(k) = Scalar(0);
    for (int i = 1; i <= body.index; ++i) {
      const Body<Scalar>& a = model_.body(i);
      A_[i] = release(a, AdInv(T[i], A_[a.parent]), rest_, qdd_);
    }
    for (int j = 0; j <= k; ++j) M_inverse_(j, k) = M_inverse_(k, j) = qdd_(j);
  }
  // [inverse-mass-matrix]

  MatrixX<Scalar> M_inverse_;
  VectorX<Scalar> tau_, rest_, qdd_;
  Indexed<Twist<Scalar>> A_;  // by body: its acceleration
};

/// \brief The inverse of the mass matrix in one line; see InverseMassMatrix.
template <typename Scalar>
MatrixX<Scalar> inverse_mass_matrix(const Model<Scalar>& model, VectorArgument<Scalar> q)
{
  return InverseMassMatrix<Scalar>(model)(q);
}

}  // namespace articulate
