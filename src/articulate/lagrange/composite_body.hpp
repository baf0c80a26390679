/** \file
 *  \brief The mass matrix by composite bodies: each joint moves everything behind it as one rigid body (CRBA).
 *
 *  - Papers: Park 1995, \eq{park,40}; Ploen, \eq{ploen,24}. The recursion sums the same terms from the tips inward.
 *  - Chapter: \ref lagrange
 */
#pragma once
#include <articulate/model/recursion.hpp>

namespace articulate {

/** \brief The mass matrix of a tree in O(n d), d its depth. */
template <typename Scalar>
class CompositeBodies : public Recursion<Scalar> {
  using Base = Recursion<Scalar>;
  using Base::model_;

public:
  using Base::T, Base::S, Base::place;

  Indexed<Inertia<Scalar>> I;  ///< of body i and everything behind it as one rigid body, in its frame
  Indexed<Wrench<Scalar>> F;  ///< by rate: what a unit acceleration of that degree needs, in the frame nearest the base

  explicit CompositeBodies(const Model<Scalar>& model)
      : Recursion<Scalar>(model),
        I(T.size()),
        F(model.nv()),
        M_(MatrixX<Scalar>::Zero(model.nv(), model.nv())),
        end_(ends_of_subtrees(model))
  {
  }

  /** \brief The mass matrix.
   *  \param q  nq coordinates (rad, m; free joint: position, quaternion x y z w)
   *  \return   nv x nv, symmetric (kg m^2, kg m, kg)
   *  \throws SizeError naming the argument, the length given and the length expected
   */
  const MatrixX<Scalar>& operator()(const VectorRef<Scalar>& q)
  {
    detail::require_size("q", q, model_.nq());
    run_sweep<Scalar>([&] { place_and_gather(q); });
    return M_;
  }

private:
  void place_and_gather(const VectorRef<Scalar>& q)
  {
    // [composite-bodies]
    place(q);
    for (const Body<Scalar>& body : model_.outward()) I[body.index] = body.I;
    this->inward([&](const Body<Scalar>& body) {
      const int i = body.index, parent = body.parent;
      for (int k = 0; k < S[i].columns(); ++k) F[body.v + k] = S[i].column(I[i], k);
      for (int k = body.v; k < end_[i]; ++k) {
        const JointVector<Scalar> column(&M_.coeffRef(0, k));
        column(body) = transpose(S[i]) * F[k];
        for (int j = body.v; j < body.v + S[i].columns(); ++j) M_.coeffRef(k, j) = column(j);
        if (parent != 0) F[k] = coAdInv(T[i], F[k]);
      }
      if (parent != 0) I[parent] = I[parent] + coAdInv(T[i], I[i]);
    });
    // [composite-bodies]
  }

  MatrixX<Scalar> M_;
  Indexed<int> end_;  // by body: where the rates of all that it carries end
};

/// \brief The mass matrix in one line; see CompositeBodies.
template <typename Scalar>
MatrixX<Scalar> mass_matrix(const Model<Scalar>& model, VectorArgument<Scalar> q)
{
  return CompositeBodies<Scalar>(model)(q);
}

}  // namespace articulate
