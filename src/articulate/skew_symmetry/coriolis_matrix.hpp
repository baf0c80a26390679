/** \file
 *  \brief The Coriolis matrix of a mechanism, in any family, computed in two sweeps.
 *
 *  - Paper: Ploen, section 5, \eq{ploen,37} and Proposition 2, \eq{ploen,P2}; the recursion is ours.
 *  - Chapter: \ref skew_symmetry
 */
#pragma once
#include <articulate/model/root_frame.hpp>
#include <articulate/skew_symmetry/coriolis.hpp>

namespace articulate {

/** \brief \f$C(q,\dot q)\f$ with \f$C\dot q\f$ the Coriolis and centrifugal forces, in O(n d) for a tree of depth d.
 *
 *  Seen from one frame, all bodies behind a joint share its column J and the rate
 *  \f$\dot J\f$ of that column. So a subtree enters by two sums: its inertia, and the matrix that takes J to a wrench.
 *
 *  With ball and free joints \f$\dot q\f$ are their body twists; C is then that of the covariant derivative in this
 *  moving frame (Hamel), and skew symmetry holds as everywhere.
 */
template <typename Scalar>
class CoriolisMatrix : public Recursion<Scalar> {
  using Base = Recursion<Scalar>;
  using Base::model_;

public:
  using Base::S, Base::V, Base::place, Base::carry_velocity;

  explicit CoriolisMatrix(const Model<Scalar>& model, CoriolisFamily family = CoriolisFamily::christoffel)
      : Base(model),
        family_(family),
        C_(MatrixX<Scalar>::Zero(model.nv(), model.nv())),
        root_(model),
        B_(model.bodies() + 1),
        Jdot_(model.nv())
  {
  }

  CoriolisFamily family() const { return family_; }

  /** \brief Fill the matrix.
   *  \param q   nq coordinates (rad, m; free joint: position, quaternion x y z w)
   *  \param qd  nv joint rates (rad/s, m/s; free joint: body twist)
   *  \return    nv x nv
   *  \throws SizeError naming the argument, the length given and the length expected
   */
  const MatrixX<Scalar>& operator()(const VectorRef<Scalar>& q, const VectorRef<Scalar>& qd)
  {
    detail::require_size("q", q, model_.nq());
    detail::require_size("qd", qd, model_.nv());
    const auto& X = root_.X;
    const auto& I = root_.I;
    const auto& J = root_.J;
    run_sweep<Scalar>([&] {
      // [coriolis-outward]
      // The columns, their rates and what each body alone contributes, seen from one frame.
      place(q);
      for (const Body<Scalar>& body : model_.outward()) carry_velocity(body, qd);
      root_.stand(*this);
      for (const Body<Scalar>& body : model_.outward()) {
        const int i = body.index;
        root_.place(body, *this);
        const Twist<Scalar> V_seen = Ad(X[i], V[i]);
        for (int k = 0; k < 6; ++k) {
          const Twist<Scalar> W = to_twist(Vector6<Scalar>(Vector6<Scalar>::Unit(k)));
          B_[i].col(k) = coordinates(seen_from_there(body, V_seen, W) - I[i] * ad(V_seen, W));
        }
        for (int k = 0; k < body.nv; ++k) Jdot_[body.v + k] = root_.column_rate(body, k, *this, V_seen, qd);
      }
      // [coriolis-outward]
      // [coriolis-inward]
      // A joint meets every joint before it, with everything behind itself.
      for (const Body<Scalar>& body : model_.inward()) {
        const int i = body.index, parent = body.parent;
        for (int k = body.v; k < body.v + body.nv; ++k) {
          const Wrench<Scalar> needed = I[i] * Jdot_[k] + to_wrench(B_[i] * coordinates(J[k]));
          const Wrench<Scalar> IJ = I[i] * J[k], BJ = to_wrench(B_[i].transpose() * coordinates(J[k]));
          for (const Body<Scalar>& a : model_.way_to_base(i))
            for (int j = a.v; j < a.v + a.nv; ++j) {
              C_(j, k) = pairing(needed, J[j]);
              if (a.index != i) C_(k, j) = pairing(IJ, Jdot_[j]) + pairing(BJ, J[j]);
            }
        }
        root_.gather(body);
        if (parent != 0) B_[parent] += B_[i];
      }
      // [coriolis-inward]
    });
    return C_;
  }

private:
  /// The Coriolis matrix of a body times W, both seen from the frame of all, as V is. Only Ploen's needs the body's own frame.
  Wrench<Scalar> seen_from_there(const Body<Scalar>& body, const Twist<Scalar>& V_seen, const Twist<Scalar>& W) const
  {
    const int i = body.index;
    if (family_ != CoriolisFamily::ploen) return coriolis_wrench(family_, root_.I[i], V_seen, W);
    return coAdInv(root_.X[i], coriolis_wrench(family_, body.I, V[i], AdInv(root_.X[i], W)));
  }

  CoriolisFamily family_;
  MatrixX<Scalar> C_;
  RootFrame<Scalar> root_;
  Indexed<Matrix6<Scalar>> B_;   // by body: the sum of C_i - I_i ad_{V_i} over all behind it
  Indexed<Twist<Scalar>> Jdot_;  // by rate: how the column changes
};

/// \brief The Coriolis matrix in one line; see CoriolisMatrix.
template <typename Scalar>
MatrixX<Scalar> coriolis_matrix(const Model<Scalar>& model, VectorArgument<Scalar> q, VectorArgument<Scalar> qd,
                                CoriolisFamily family = CoriolisFamily::christoffel)
{
  return CoriolisMatrix<Scalar>(model, family)(q, qd);
}

}  // namespace articulate
