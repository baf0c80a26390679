/** \file
 *  \brief What a coordinate, a rate and an acceleration of a joint do to all bodies behind it, which move as one.
 *
 *  - Paper: Kim 2012, the end of section 4: most of the list \eq{kim,92} is zero for a coordinate or a rate.
 *  - Chapter: \ref derivatives
 */
#pragma once
#include <articulate/model/root_frame.hpp>
#include <articulate/model/side_by_side.hpp>  // several degrees of freedom at once

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
      : poses_(model),
        motion_(model.nv()),
        subtree_(model.nv()),
        column_(model.nv()),
        constant_(model.nv()),
        given_(model.nv()),
        carrier_(model.nv()),
        transmitted_(model.nv()),
        chart_(model.nv())
  {
    for (const Body<Scalar>& body : model.outward()) {
      has_charts_ = has_charts_ || body.kind == JointKind::chart;
      const JointJacobian<Scalar> S(body);
      for (int k = 0; k < body.nv; ++k) constant_.set(body.v + k, {body.I, S.column(k)});
    }
  }

  /// All bodies, each by itself, and all columns, seen from the frame of their root.
  void carry_out(const Recursion<Scalar>& r, const VectorRef<Scalar>& qd, const VectorRef<Scalar>& qdd)
  {
    const Model<Scalar>& model = r.model();
    detail::require_size("qd", qd, model.nv());
    detail::require_size("qdd", qdd, model.nv());
    r.require_run("motion to differentiate");
    run_sweep<Scalar>([&] {
      poses_.stand(r);
      change_all(r, qd, qdd);
    });
  }

  /// The same from where the bodies were placed.
  void change_all(const Recursion<Scalar>& r, const VectorRef<Scalar>& qd, const VectorRef<Scalar>& qdd)
  {
    lay_out(r, qd, qdd);
    // [jacobians-outward]
    // Everything is seen from one frame, several degrees of freedom at once, each with the body that it moves.
    for (int b = 0; b < column_.size(); ++b) {
      const auto& [I, S] = constant_[b];
      const auto& [X, V, Vdot] = given_[b];
      motion_[b] = {Ad(X, V), Ad(X, Vdot)};
      column_[b].J = Ad(X, S);
      subtree_[b].I = coAdInv(X, I);
      subtree_[b].set_bias(motion_[b].V);
    }
    carry(r);
    for (int b = 0; b < column_.size(); ++b) set_columns(b);
    // [jacobians-outward]
  }

  // [subtrees-gather]
  /// What is behind a body is behind its parent, too. F is, by body, the wrench that its joint transmits for that.
  void gather(const Model<Scalar>& model, const Indexed<Wrench<Scalar>>& F)
  {
    for (const Body<Scalar>& body : model.inward()) {
      if (body.parent != 0) subtree_.add(model.body(body.parent).v, body.v);
      for (int k = body.v; k < body.v + body.nv; ++k) transmitted_.set(k, F[body.index]);
    }
    for (const Body<Scalar>& body : model.outward())
      for (int k = body.v + 1; k < body.v + body.nv; ++k) subtree_.set(k, subtree_(body.v));
    for (int b = column_.size(); b-- > 0;) {
      auto& x = column_[b];
      x.F = coAdInv(given_[b].X, transmitted_[b]);
      x.IJ = subtree_[b].I * x.J;
      x.BJ = subtree_[b].bias_transposed(x.J);
    }
  }
  // [subtrees-gather]

  template <typename Number>
  struct Motion {
    Twist<Number> V, Vdot;
  };
  /// A body and all behind it, in the frame of all.
  template <typename Number>
  struct Subtree {
    Inertia<Number> I;
    Matrix3<Number> K;  // how the wrench that it needs changes with an angular velocity w: the moment by K w,
    Vector3<Number> f;  // the force by 2 w x f, where f is the momentum

    // [bias]
    /// \f$-\mathcal I\ad_V c - \ad^*_c\mathcal IV - \ad^*_V\mathcal Ic\f$ as a map of c: nothing depends on the linear half.
    void set_bias(const Twist<Number>& V)
    {
      const Matrix3<Number> A = cross(V.w, I.second_moment.matrix());
      const Wrench<Number> L = I * V;
      const Vector3<Number>& h = I.first_moment;
      K = A + transpose(A) - skew(I.second_moment * V.w) - Number(2) * cross(h, skew(V.v));
      f = L.f;
    }
    Wrench<Number> bias(const Vector3<Number>& w) const { return {K * w, Number(2) * cross(w, f)}; }
    /// The angular half of the transposed map; the linear half is zero.
    Vector3<Number> bias_transposed(const Twist<Number>& J) const
    {
      return transpose(K) * J.w + Number(2) * cross(f, J.v);
    }
    // [bias]
    /// What it needs more when its motion changes by c and g.
    Wrench<Number> needs(const Twist<Number>& c, const Twist<Number>& g) const { return I * g + bias(c.w); }
  };
  /// What the coordinate and the rate of a column do to the bodies behind, in the frame of all, and what these need.
  template <typename Number>
  struct Column {
    Twist<Number> J, c_q, g_q, g_qd;
    Wrench<Number> F, IJ;
    Vector3<Number> BJ;
  };

private:
  /// The inertia of the body that a degree of freedom moves, and its column, in the frame of the body.
  template <typename Number>
  struct Constant {
    Inertia<Number> I;
    Twist<Number> S;
  };
  /// Where that body is, and its motion in its own frame.
  template <typename Number>
  struct Given {
    SE3<Number> X;
    Twist<Number> V, Vdot;
  };
  /// What the degrees of freedom of a chart add to each other, in the frame of the body: sums over its columns.
  template <typename Number>
  struct Chart {
    Twist<Number> c_q, g_q, rate;
  };

  /// Lay side by side what is given, by degree of freedom.
  void lay_out(const Recursion<Scalar>& r, Rates<Scalar> qd, Rates<Scalar> qdd)
  {
    for (const Body<Scalar>& body : r.model().outward()) {
      const int i = body.index;
      for (int k = 0; k < body.nv; ++k) {
        given_.set(body.v + k, {poses_.X[i], r.V[i], r.Vdot[i]});
        if (r.S[i].is_constant()) continue;
        constant_.set(body.v + k, {body.I, r.S[i].column(k)});
        chart_.set(body.v + k, sums_over_chart(r, body, k, qd, qdd));
      }
    }
  }

  /// The motion of the body that carries each joint.
  void carry(const Recursion<Scalar>& r)
  {
    const Model<Scalar>& model = r.model();
    for (const Body<Scalar>& body : model.outward()) {
      const int i = body.index, parent = body.parent;
      const SE3<Scalar>& X = poses_.X[i];
      const Motion<Scalar> carrier = parent == 0
                                         ? Motion<Scalar>{Ad(X, AdInv(r.T[i], r.V[0])), Ad(X, AdInv(r.T[i], r.Vdot[0]))}
                                         : motion_(model.body(parent).v);
      for (int k = body.v; k < body.v + body.nv; ++k) carrier_.set(k, carrier);
    }
  }

  // [columns]
  /// What each degree of freedom of a joint does to its own body: lines of Table 5 with one entry of the list (92).
  void set_columns(int b)
  {
    const auto& [V_carrier, Vdot_carrier] = carrier_[b];
    auto& x = column_[b];
    x.c_q = ad(V_carrier, x.J);
    x.g_q = ad(Vdot_carrier, x.J);
    x.g_qd = ad(motion_[b].V, x.J);
    if (has_charts_) {
      const auto& X = given_[b].X;
      x.c_q += Ad(X, chart_[b].c_q);
      x.g_q += Ad(X, chart_[b].g_q);
      x.g_qd += Ad(X, chart_[b].rate);
    }
    x.g_q += ad(V_carrier, x.c_q);
    x.g_qd += x.c_q;
  }

  /// What the k-th degree of freedom of a joint whose S depends on its coordinates does to the others.
  Chart<Scalar> sums_over_chart(const Recursion<Scalar>& r, const Body<Scalar>& body, int k, Rates<Scalar> qd,
                                Rates<Scalar> qdd) const
  {
    const JointJacobian<Scalar>& S = r.S[body.index];
    Twist<Scalar> dS_qd, dS_qdd, dSdot_qd;
    for (int j = 0; j < body.nv; ++j) {
      dS_qd += qd(body)[j] * S.derivative(j, k);
      dS_qdd += qdd(body)[j] * S.derivative(j, k);
      dSdot_qd += qd(body)[j] * S.rate_derivative(j, k, qd(body));
    }
    return {dS_qd, dS_qdd + ad(r.V[body.index], dS_qd) + dSdot_qd, S.rate(k, qd(body))};
  }
  // [columns]

  bool has_charts_ = false;

protected:
  RootPoses<Scalar> poses_;
  SideBySide<Motion, Scalar> motion_;  // by rate, as all that follows: of the body that it moves
  SideBySide<Subtree, Scalar> subtree_;
  SideBySide<Column, Scalar> column_;

private:
  SideBySide<Constant, Scalar> constant_;
  SideBySide<Given, Scalar> given_;
  SideBySide<Motion, Scalar> carrier_;  // of the body before it
  SideBySide<Wrench, Scalar> transmitted_;
  SideBySide<Chart, Scalar> chart_;
};

}  // namespace articulate
