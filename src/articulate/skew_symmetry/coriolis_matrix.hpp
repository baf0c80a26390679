/** \file
 *  \brief The Coriolis matrix of a mechanism, in any family, filled by two sweeps.
 *
 *  - Paper: Ploen, section 5, \eq{ploen,37} and Proposition 2, \eq{ploen,P2}; the recursion is ours.
 *  - Chapter: \ref skew_symmetry
 */
#pragma once
#include <articulate/model/recursion.hpp>
#include <articulate/skew_symmetry/coriolis.hpp>

namespace articulate {

/** \brief \f$C(q,\dot q)\f$ with \f$C\dot q\f$ the Coriolis and centrifugal forces, in O(n d) for a tree of depth d.
 *
 *  Seen from one frame, that of the root that carries them, all bodies behind a joint share its column J and the rate
 *  \f$\dot J\f$ of that column. So a subtree enters by two sums: its inertia, and the matrix that takes J to a wrench.
 *
 *  With ball and free joints \f$\dot q\f$ are their body twists; C is then that of the covariant derivative in this
 *  moving frame (Hamel), and skew-symmetry holds as everywhere.
 */
template <typename Scalar>
class CoriolisMatrix : public Recursion<Scalar> {
public:
  explicit CoriolisMatrix(const Model<Scalar>& model, CoriolisFamily family = CoriolisFamily::christoffel)
      : Recursion<Scalar>(model),
        family_(family),
        C_(MatrixX<Scalar>::Zero(model.nv(), model.nv())),
        composite_(model.bodies() + 1),
        column_(model.nv())
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
    const Model<Scalar>& model = this->model();
    detail::require_size("q", q, model.nq());
    detail::require_size("qd", qd, model.nv());
    // [coriolis-outward]
    // The columns, their rates and what each body alone contributes, seen from the root.
    for (int i = 1; i <= model.bodies(); ++i) {
      const Body<Scalar>& body = model.body(i);
      this->place(body, q.data());
      this->carry_velocity(body, qd.data());
      Composite& c = composite_[i];
      c.X = body.parent == 0 ? SE3<Scalar>{} : composite_[body.parent].X * this->T[i];
      c.I = coAd(inverse(c.X), body.I);
      const Twist<Scalar> V = Ad(c.X, this->V[i]);
      for (int k = 0; k < 6; ++k) {
        const Twist<Scalar> W = to_twist(Vector6<Scalar>(Vector6<Scalar>::Unit(k)));
        c.B.col(k) = coordinates(seen_from_root(body, V, W) - c.I * ad(V, W));
      }
      for (int k = 0; k < body.nv; ++k) {
        Column& x = column_[body.v + k];
        x.J = this->S[i].column_seen_from(c.X, k);
        x.Jdot = ad(V, x.J);
        if (!this->S[i].is_constant()) x.Jdot += Ad(c.X, this->S[i].rate(k, qd.data() + body.v));
      }
    }
    // [coriolis-outward]
    // [coriolis-inward]
    // A joint meets every joint before it with all that is behind itself.
    for (int i = model.bodies(); i >= 1; --i) {
      const Body<Scalar>& body = model.body(i);
      const Composite& c = composite_[i];
      for (int k = body.v; k < body.v + body.nv; ++k) {
        const Column& x = column_[k];
        const Wrench<Scalar> needed = c.I * x.Jdot + to_wrench(c.B * coordinates(x.J));
        const Wrench<Scalar> IJ = c.I * x.J, BJ = to_wrench(c.B.transpose() * coordinates(x.J));
        for (int a = i; a > 0; a = model.body(a).parent)
          for (int j = model.body(a).v; j < model.body(a).v + model.body(a).nv; ++j) {
            C_(j, k) = pairing(needed, column_[j].J);
            if (a != i) C_(k, j) = pairing(IJ, column_[j].Jdot) + pairing(BJ, column_[j].J);
          }
      }
      if (body.parent != 0) composite_[body.parent].add(c);
    }
    // [coriolis-inward]
    return C_;
  }

private:
  /// A body and all behind it, in the root's frame.
  struct Composite {
    SE3<Scalar> X;
    Inertia<Scalar> I;
    Matrix6<Scalar> B;  ///< the sum of \f$\bar C_i - \mathcal I_i\ad_{V_i}\f$

    void add(const Composite& child)
    {
      I = I + child.I;
      B += child.B;
    }
  };
  struct Column {
    Twist<Scalar> J, Jdot;
  };

  /// The Coriolis matrix of a body times W, where the root sees both, and V. Only Ploen's needs the body's own frame.
  Wrench<Scalar> seen_from_root(const Body<Scalar>& body, const Twist<Scalar>& V, const Twist<Scalar>& W) const
  {
    const Composite& c = composite_[body.index];
    if (family_ != CoriolisFamily::ploen) return coriolis_wrench(family_, c.I, V, W);
    return coAdInv(c.X, coriolis_wrench(family_, body.I, this->V[body.index], AdInv(c.X, W)));
  }

  CoriolisFamily family_;
  MatrixX<Scalar> C_;
  std::vector<Composite> composite_;
  std::vector<Column> column_;
};

}  // namespace articulate
