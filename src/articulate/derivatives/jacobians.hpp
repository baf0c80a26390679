/** \file
 *  \brief All first derivatives of inverse dynamics at once, in O(n d) for a tree of depth d.
 *
 *  - Paper: Kim 2012, the end of section 4: most of the list \eq{kim,92} is zero for a coordinate or a rate.
 *  - Chapter: \ref derivatives
 */
#pragma once
#include <articulate/model/root_frame.hpp>
#include <articulate/rnea/inverse_dynamics.hpp>

namespace articulate {

/** \brief \f$\partial\tau/\partial q,\ \partial\tau/\partial\dot q,\ \partial\tau/\partial\ddot q\f$ of a tree.
 *
 *  A coordinate or rate of joint k changes nothing before that joint, and what is behind it moves like one rigid body,
 *  with a twist c and a generalised acceleration g that are the same for all of it. So a subtree enters by sums only: its
 *  inertia, the wrench that it needs, and the twelve numbers of how that wrench changes with a twist.
 *
 *  Derivatives with respect to q are along joint displacements: of a ball or free joint to \f$T e^{[\delta]}\f$ with its
 *  rate, the body twist, held (left trivialisation).
 */
template <typename Scalar>
class InverseDynamicsJacobians {
public:
  MatrixX<Scalar> dtau_dq;    ///< nv x nv
  MatrixX<Scalar> dtau_dqd;   ///< nv x nv
  MatrixX<Scalar> dtau_dqdd;  ///< nv x nv: the mass matrix

  explicit InverseDynamicsJacobians(const Model<Scalar>& model)
      : dtau_dq(MatrixX<Scalar>::Zero(model.nv(), model.nv())),
        dtau_dqd(dtau_dq),
        dtau_dqdd(dtau_dq),
        root_(model),
        composite_(model.bodies() + 1),
        column_(model.nv())
  {
  }

  /** \brief Fill the three matrices.
   *  \param rnea  inverse dynamics, run at the state   \param qd, qdd  the nv rates and accelerations of that run
   *  \throws StateError when inverse dynamics has not run
   */
  void operator()(const InverseDynamics<Scalar>& rnea, const VectorRef<Scalar>& qd, const VectorRef<Scalar>& qdd)
  {
    const Model<Scalar>& model = rnea.model();
    detail::require_size("qd", qd, model.nv());
    detail::require_size("qdd", qdd, model.nv());
    rnea.require_run("motion to differentiate");
    const auto& [X, I, J] = root_;
    // [jacobians-outward]
    // Everything is seen from the frame of the root that carries it.
    for (const Body<Scalar>& body : model.outward()) {
      const int i = body.index;
      root_.place(body, rnea);
      Composite& C = composite_[i];
      C.V = Ad(X[i], rnea.V[i]);
      C.Vdot = Ad(X[i], rnea.Vdot[i]);
      C.F = coAdInv(X[i], rnea.F[i]);
      C.set_bias(I[i]);
      for (int k = 0; k < body.nv; ++k) set_column(rnea, body, k, qd, qdd);
    }
    // [jacobians-outward]
    // [jacobians-inward]
    for (const Body<Scalar>& body : model.inward()) {
      const int i = body.index, parent = body.parent;
      const Composite& C = composite_[i];
      for (int k = body.v; k < body.v + body.nv; ++k) {
        column_[k].IJ = I[i] * J[k];
        column_[k].BJ = C.bias_transposed(J[k]);
      }
      for (int k = body.v; k < body.v + body.nv; ++k) {
        const Column& x = column_[k];
        const Wrench<Scalar> by_q = I[i] * x.g_q + C.bias(x.c_q.w), by_qd = I[i] * x.g_qd + C.bias(J[k].w);
        for (int j = body.v; j < body.v + body.nv; ++j) {
          fill(j, k, by_q, by_qd);
          if (!rnea.S[i].is_constant())
            dtau_dq(j, k) += pairing(rnea.F[i], rnea.S[i].derivative(j - body.v, k - body.v));
        }
        const Wrench<Scalar> displaced = by_q - coad(J[k], C.F);
        for (const Body<Scalar>& a : model.way_to_base(parent))
          for (int j = a.v; j < a.v + a.nv; ++j) {
            fill(j, k, displaced, by_qd);
            fill_behind(k, j);
          }
      }
      root_.gather(body);
      if (parent != 0) composite_[parent].add(C);
    }
    // [jacobians-inward]
  }

private:
  /// A body and all behind it, in the root's frame.
  struct Composite {
    Twist<Scalar> V, Vdot;  // of the body
    Wrench<Scalar> F;       // of all
    Matrix3<Scalar> K;      // how the wrench changes with an angular velocity w: the moment by K w,
    Vector3<Scalar> f;      // the force by 2 w x f, where f is the momentum

    // [bias]
    /// \f$-\mathcal I\ad_V c - \ad^*_c\mathcal IV - \ad^*_V\mathcal Ic\f$ as a map of c: nothing depends on the linear half.
    void set_bias(const Inertia<Scalar>& I)
    {
      const Matrix3<Scalar> A = skew(V.w) * I.second_moment.matrix();
      const Wrench<Scalar> L = I * V;
      const Vector3<Scalar>& h = I.first_moment;
      K = A + transpose(A) - skew(I.second_moment * V.w) - Scalar(2) * (skew(h) * skew(V.v));
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
  /// What the coordinate and the rate of a column do to the bodies behind, in the root's frame.
  struct Column {
    Twist<Scalar> c_q, g_q, g_qd;
    Wrench<Scalar> IJ;
    Vector3<Scalar> BJ;
  };

  // [columns]
  /// What the k-th degree of a joint does to its own body: lines of Table 5 with one entry of the list (92).
  void set_column(const InverseDynamics<Scalar>& rnea, const Body<Scalar>& body, int k, Rates<Scalar> qd,
                  Rates<Scalar> qdd)
  {
    const int i = body.index, parent = body.parent;
    const JointJacobian<Scalar>& S = rnea.S[i];
    const SE3<Scalar>& X = root_.X[i];
    const Twist<Scalar>& J = root_.J[body.v + k];
    const Twist<Scalar> V_carried = parent == 0 ? AdInv(rnea.T[i], rnea.V[0]) : composite_[parent].V;
    const Twist<Scalar> Vdot_carried = parent == 0 ? AdInv(rnea.T[i], rnea.Vdot[0]) : composite_[parent].Vdot;
    Column& x = column_[body.v + k];
    x.c_q = ad(V_carried, J);
    x.g_qd = x.c_q + ad(composite_[i].V, J);
    x.g_q = ad(Vdot_carried, J);
    if (!S.is_constant()) {
      Twist<Scalar> dS_qd, dS_qdd, dSdot_qd;
      for (int j = 0; j < body.nv; ++j) {
        dS_qd += qd(body)[j] * S.derivative(j, k);
        dS_qdd += qdd(body)[j] * S.derivative(j, k);
        dSdot_qd += qd(body)[j] * S.rate_derivative(j, k, qd(body));
      }
      x.c_q += Ad(X, dS_qd);
      x.g_qd += Ad(X, dS_qd + S.rate(k, qd(body)));
      x.g_q += Ad(X, dS_qdd + ad(rnea.V[i], dS_qd) + dSdot_qd);
    }
    x.g_q += ad(V_carried, x.c_q);
  }
  // [columns]

  /// Row j, column k: the subtree of k changes by these wrenches, and joint j carries it.
  void fill(int j, int k, const Wrench<Scalar>& by_q, const Wrench<Scalar>& by_qd)
  {
    const Twist<Scalar>& J = root_.J[j];
    dtau_dq(j, k) = pairing(by_q, J);
    dtau_dqd(j, k) = pairing(by_qd, J);
    dtau_dqdd(j, k) = pairing(column_[k].IJ, J);
  }

  /// Row j, column k: joint k carries joint j, whose own subtree changes.
  void fill_behind(int j, int k)
  {
    const Column &row = column_[j], &x = column_[k];
    const Twist<Scalar>& J = root_.J[k];
    dtau_dq(j, k) = pairing(row.IJ, x.g_q) + inner(row.BJ, x.c_q.w);
    dtau_dqd(j, k) = pairing(row.IJ, x.g_qd) + inner(row.BJ, J.w);
    dtau_dqdd(j, k) = pairing(row.IJ, J);
  }

  RootFrame<Scalar> root_;
  Indexed<Composite> composite_;
  Indexed<Column> column_;
};

/// \brief First derivatives of what dynamics finds, nv x nv each: with respect to q, to qd, and to what is given beside them.
template <typename Scalar>
struct DynamicsJacobians {
  MatrixX<Scalar> by_q, by_qd, by_given;
};

/** \brief \f$\partial\tau/\partial q,\ \partial\tau/\partial\dot q,\ \partial\tau/\partial\ddot q = M\f$ in one line, from
 *  \eq{kim,92}; with respect to q along joint displacements, see InverseDynamicsJacobians.
 */
template <typename Scalar>
DynamicsJacobians<Scalar> inverse_dynamics_jacobians(const Model<Scalar>& model, VectorArgument<Scalar> q,
                                                     VectorArgument<Scalar> qd, VectorArgument<Scalar> qdd,
                                                     const ExternalWrenches<Scalar>& Fext = {})
{
  InverseDynamics<Scalar> rnea(model);
  rnea(q, qd, qdd, Fext);
  InverseDynamicsJacobians<Scalar> of(model);
  of(rnea, qd, qdd);
  return {of.dtau_dq, of.dtau_dqd, of.dtau_dqdd};
}

}  // namespace articulate
