/** \file
 *  \brief The mass matrix by composite bodies: each joint moves all behind it as one rigid body.
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
public:
  std::vector<Inertia<Scalar>> I;  ///< of body i and all behind it, rigid as they stand, in its frame

  explicit CompositeBodies(const Model<Scalar>& model)
      : Recursion<Scalar>(model), I(this->T.size()), M_(MatrixX<Scalar>::Zero(model.nv(), model.nv()))
  {
  }

  /** \brief The mass matrix.
   *  \param q  nq coordinates (rad, m; free joint: position, quaternion x y z w)
   *  \return   nv x nv, symmetric (kg m^2, kg m, kg)
   *  \throws SizeError naming the argument, the length given and the length expected
   */
  const MatrixX<Scalar>& operator()(const VectorRef<Scalar>& q)
  {
    const Model<Scalar>& model = this->model();
    detail::require_size("q", q, model.nq());
    // [composite-bodies]
    for (int i = 1; i <= model.bodies(); ++i) {
      this->place(model.body(i), q.data());
      I[i] = model.body(i).I;
    }
    for (int i = model.bodies(); i >= 1; --i) {
      const Body<Scalar>& body = model.body(i);
      for (int k = 0; k < body.nv; ++k) {
        Wrench<Scalar> F = I[i] * this->S[i].column(k);  // what a unit acceleration of this degree needs
        for (int a = i; a > 0; a = model.body(a).parent) {
          const int v = model.body(a).v;
          this->S[a].project(F, M_.col(body.v + k).data() + v);
          M_.row(body.v + k).segment(v, model.body(a).nv) = M_.col(body.v + k).segment(v, model.body(a).nv).transpose();
          F = coAdInv(this->T[a], F);
        }
      }
      if (body.parent != 0) I[body.parent] = I[body.parent] + coAd(inverse(this->T[i]), I[i]);
    }
    // [composite-bodies]
    return M_;
  }

private:
  MatrixX<Scalar> M_;
};

}  // namespace articulate
