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

  explicit CompositeBodies(const Model<Scalar>& model)
      : Recursion<Scalar>(model), I(T.size()), M_(MatrixX<Scalar>::Zero(model.nv(), model.nv()))
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
    // [composite-bodies]
    for (const Body<Scalar>& body : model_.outward()) {
      place(body, q);
      I[body.index] = body.I;
    }
    for (const Body<Scalar>& body : model_.inward()) {
      const int i = body.index, parent = body.parent;
      for (int k = 0; k < body.nv; ++k) {
        const JointVector<Scalar> column(M_.col(body.v + k));
        Wrench<Scalar> F = I[i] * S[i].column(k);  // what a unit acceleration of this degree needs
        for (const Body<Scalar>& a : model_.way_to_base(i)) {
          column(a) = transpose(S[a.index]) * F;
          for (int j = a.v; j < a.v + a.nv; ++j) M_(body.v + k, j) = column(j);
          F = coAdInv(T[a.index], F);
        }
      }
      if (parent != 0) I[parent] = I[parent] + coAdInv(T[i], I[i]);
    }
    // [composite-bodies]
    return M_;
  }

private:
  MatrixX<Scalar> M_;
};

/// \brief The mass matrix in one line; see CompositeBodies.
template <typename Scalar>
MatrixX<Scalar> mass_matrix(const Model<Scalar>& model, VectorArgument<Scalar> q)
{
  return CompositeBodies<Scalar>(model)(q);
}

}  // namespace articulate
