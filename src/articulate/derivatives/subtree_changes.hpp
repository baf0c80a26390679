/** \file
 *  \brief What a coordinate, a rate and an acceleration of a joint do to all bodies behind it, which move as one.
 *
 *  - Paper: Kim 2012, the end of section 4: most of the list \eq{kim,92} is zero for a coordinate or a rate.
 *  - Chapter: \ref derivatives
 */
#pragma once
#include <articulate/model/root_frame.hpp>

namespace articulate {

/** \brief The subtrees of a tree in motion, and how each degree of freedom changes their motion.
 *
 *  A coordinate or rate of joint k changes nothing before that joint, and all behind it moves like one rigid body,
 *  with a twist c and a generalised acceleration g that are the same for all of it: \f$\partial V_i = c\f$ and
 *  \f$\partial\dot V_i = g - [V_i, c]\f$. So a subtree enters only by sums: its inertia, the wrench that it needs, and the
 *  twelve numbers of how that wrench changes with a twist.
 */
template <typename Scalar>
class SubtreeChanges {
protected:
  explicit SubtreeChanges(const Model<Scalar>& model)
      : root_(model), composite_(model.bodies() + 1), column_(model.nv())
  {
  }

  /// All bodies, each by itself, and all columns, seen from the frame of their root.
  void carry_out(const Recursion<Scalar>& r, const VectorRef<Scalar>& qd, const VectorRef<Scalar>& qdd)
  {
    const Model<Scalar>& model = r.model();
    detail::require_size("qd", qd, model.nv());
    detail::require_size("qdd", qdd, model.nv());
    r.require_run("motion to differentiate");
    run_sweep<Scalar>([&] {
      root_.stand(r);
      change_all(r, qd, qdd);
    });
  }

  /// The same from where the bodies were placed.
  void change_all(const Recursion<Scalar>& r, const VectorRef<Scalar>& qd, const VectorRef<Scalar>& qdd)
  {
    const auto& X = root_.X;
    // [jacobians-outward]
    // Everything is seen from one frame.
    for (const Body<Scalar>& body : r.model().outward()) {
      const int i = body.index;
      root_.place(body, r);
      Composite& C = composite_[i];
      C.V = Ad(X[i], r.V[i]);
      C.Vdot = Ad(X[i], r.Vdot[i]);
      C.set_bias(root_.I[i]);
      for (int k = 0; k < body.nv; ++k) set_column(r, body, k, qd, qdd);
    }
    // [jacobians-outward]
  }

  /// The rows of a body with everything behind it, for whose motion its joint transmits F.
  void prepare_rows(const Body<Scalar>& body, const Wrench<Scalar>& F)
  {
    const int i = body.index;
    composite_[i].F = coAdInv(root_.X[i], F);
    for (int k = body.v; k < body.v + body.nv; ++k) {
      column_[k].IJ = root_.I[i] * root_.J[k];
      column_[k].BJ = composite_[i].bias_transposed(root_.J[k]);
    }
  }

  /// What is behind the body is behind its parent, too.
  void gather(const Body<Scalar>& body)
  {
    root_.gather(body);
    if (body.parent != 0) composite_[body.parent].add(composite_[body.index]);
  }

  /// A body and all behind it, in the frame of all.
  struct Composite {
    Twist<Scalar> V, Vdot;  // of the body
    Wrench<Scalar> F;       // of all
    Matrix3<Scalar> K;      // how the wrench changes with an angular velocity w: the moment by K w,
    Vector3<Scalar> f;      // the force by 2 w x f, where f is the momentum

    // [bias]
    /// \f$-\mathcal I\ad_V c - \ad^*_c\mathcal IV - \ad^*_V\mathcal Ic\f$ as a map of c: nothing depends on the linear half.
    void set_bias(const Inertia<Scalar>& I)
    {
      const Matrix3<Scalar> A = cross(V.w, I.second_moment.matrix());
      const Wrench<Scalar> L = I * V;
      const Vector3<Scalar>& h = I.first_moment;
      K = A + transpose(A) - skew(I.second_moment * V.w) - Scalar(2) * cross(h, skew(V.v));
      f = L.f;
    }
    Wrench<Scalar> bias(const Vector3<Scalar>& w) const { return {K * w, Scalar(2) * cross(w, f)}; }
    /// The angular half of the transposed map; the linear half is zero.
    Vector3<Scalar> bias_transposed(const Twist<Scalar>& J) const
    {
      return transpose(K) * J.w + Scalar(2) * cross(f, J.v);
    }
    // [bias]
    void add(const Composite& child)
    {
      K = K + child.K;
      f += child.f;
    }
  };
  /// What the coordinate and the rate of a column do to the bodies behind, in the frame of all.
  struct Column {
    Twist<Scalar> c_q, g_q, g_qd;
    Wrench<Scalar> IJ;
    Vector3<Scalar> BJ;
  };

  // [columns]
  /// What the k-th degree of freedom of a joint does to its own body: lines of Table 5 with one entry of the list (92).
  void set_column(const Recursion<Scalar>& r, const Body<Scalar>& body, int k, Rates<Scalar> qd, Rates<Scalar> qdd)
  {
    const int i = body.index, parent = body.parent;
    const JointJacobian<Scalar>& S = r.S[i];
    const SE3<Scalar>& X = root_.X[i];
    const Twist<Scalar>& J = root_.J[body.v + k];
    const Twist<Scalar> V_carried = parent == 0 ? Ad(X, AdInv(r.T[i], r.V[0])) : composite_[parent].V;
    const Twist<Scalar> Vdot_carried = parent == 0 ? Ad(X, AdInv(r.T[i], r.Vdot[0])) : composite_[parent].Vdot;
    Column& x = column_[body.v + k];
    x.c_q = ad(V_carried, J);
    x.g_q = ad(Vdot_carried, J);
    if (!S.is_constant()) {
      Twist<Scalar> dS_qd, dS_qdd, dSdot_qd;
      for (int j = 0; j < body.nv; ++j) {
        dS_qd += qd(body)[j] * S.derivative(j, k);
        dS_qdd += qdd(body)[j] * S.derivative(j, k);
        dSdot_qd += qd(body)[j] * S.rate_derivative(j, k, qd(body));
      }
      x.c_q += Ad(X, dS_qd);
      x.g_q += Ad(X, dS_qdd + ad(r.V[i], dS_qd) + dSdot_qd);
    }
    x.g_q += ad(V_carried, x.c_q);
    x.g_qd = x.c_q + root_.column_rate(body, k, r, composite_[i].V, qd);
  }
  // [columns]

  RootFrame<Scalar> root_;
  Indexed<Composite> composite_;
  Indexed<Column> column_;
};

}  // namespace articulate
