/** \file
 *  \brief All first derivatives of inverse dynamics at once, in O(n d) for a tree of depth d.
 *
 *  - Paper: Kim 2012, the end of section 4: most of the list \eq{kim,92} is zero for a coordinate or a rate.
 *  - Chapter: \ref derivatives
 */
#pragma once
#include <articulate/derivatives/subtree_changes.hpp>
#include <articulate/rnea/inverse_dynamics.hpp>

namespace articulate {

/** \brief \f$\partial\tau/\partial q,\ \partial\tau/\partial\dot q,\ \partial\tau/\partial\ddot q\f$ of a tree.
 *
 *  Derivatives with respect to q are along joint displacements: of a ball or free joint to \f$T e^{[\delta]}\f$ with its
 *  rate, the body twist, held (left trivialisation).
 */
template <typename Scalar>
class InverseDynamicsJacobians : SubtreeChanges<Scalar> {
  using Base = SubtreeChanges<Scalar>;
  using Base::root_, Base::composite_, Base::column_;
  using typename Base::Column, typename Base::Composite;

public:
  MatrixX<Scalar> dtau_dq;    ///< nv x nv
  MatrixX<Scalar> dtau_dqd;   ///< nv x nv
  MatrixX<Scalar> dtau_dqdd;  ///< nv x nv: the mass matrix

  explicit InverseDynamicsJacobians(const Model<Scalar>& model)
      : Base(model),
        dtau_dq(MatrixX<Scalar>::Zero(model.nv(), model.nv())),
        dtau_dqd(dtau_dq),
        dtau_dqdd(dtau_dq),
        before_(model.nv())
  {
    for (const Body<Scalar>& body : model.outward()) {
      const Body<Scalar>& carrier = model.body(body.parent);
      for (int k = body.v; k < body.v + body.nv; ++k) before_[k] = k > body.v ? k - 1 : carrier.v + carrier.nv - 1;
    }
  }

  /** \brief Fill the three matrices.
   *  \param rnea  inverse dynamics, run at the state   \param qd, qdd  the nv rates and accelerations of that run
   *  \throws StateError when inverse dynamics has not run
   */
  void operator()(const InverseDynamics<Scalar>& rnea, const VectorRef<Scalar>& qd, const VectorRef<Scalar>& qdd)
  {
    (*this)(rnea, rnea.F, qd, qdd);
  }

  /** \brief The same from any recursion that has carried velocity and acceleration out.
   *  \param F  by body: the wrench that its joint transmits
   */
  void operator()(const Recursion<Scalar>& r, const Indexed<Wrench<Scalar>>& F, const VectorRef<Scalar>& qd,
                  const VectorRef<Scalar>& qdd)
  {
    this->carry_out(r, qd, qdd);
    run_sweep<Scalar>([&] { gather_rows(r, F); });
  }

private:
  void gather_rows(const Recursion<Scalar>& r, const Indexed<Wrench<Scalar>>& F)
  {
    const Model<Scalar>& model = r.model();
    const auto& I = root_.I;
    const auto& J = root_.J;
    // [jacobians-inward]
    for (const Body<Scalar>& body : model.inward()) {
      const int i = body.index;
      const Composite& C = composite_[i];
      this->prepare_rows(body, F[i]);
      for (int k = body.v; k < body.v + body.nv; ++k) {
        const Column& x = column_[k];
        const Wrench<Scalar> by_q = I[i] * x.g_q + C.bias(x.c_q.w), by_qd = I[i] * x.g_qd + C.bias(J[k].w);
        for (int j = body.v; j < body.v + body.nv; ++j) {
          fill(j, k, by_q, by_qd);
          if (!r.S[i].is_constant()) dtau_dq(j, k) += pairing(F[i], r.S[i].derivative(j - body.v, k - body.v));
          dtau_dqdd(j, k) = pairing(x.IJ, J[j]);
        }
        const Wrench<Scalar> displaced = by_q - coad(J[k], C.F);
        const int before = before_[body.v];
        for (int j = before; j >= 0; j = before_[j]) fill(j, k, displaced, by_qd);
        fill_behind(k, before, x.IJ, x.BJ);
      }
      this->gather(body);
    }
    // [jacobians-inward]
  }

  /// Row j, column k: the subtree of k changes by these wrenches, and joint j carries it.
  void fill(int j, int k, const Wrench<Scalar>& by_q, const Wrench<Scalar>& by_qd)
  {
    const Twist<Scalar>& J = root_.J[j];
    dtau_dq.coeffRef(j, k) = pairing(by_q, J);
    dtau_dqd.coeffRef(j, k) = pairing(by_qd, J);
  }

  /// Row j, column k and all before k: joint k carries joint j, whose own subtree changes; and so in M, which is symmetric.
  /// IJ and BJ, those of j, are copies that remain in registers.
  void fill_behind(int j, int k, const Wrench<Scalar> IJ, const Vector3<Scalar> BJ)
  {
    for (; k >= 0; k = before_[k]) {
      const Column& x = column_[k];
      const Twist<Scalar>& J = root_.J[k];
      dtau_dq.coeffRef(j, k) = pairing(IJ, x.g_q) + inner(BJ, x.c_q.w);
      dtau_dqd.coeffRef(j, k) = pairing(IJ, x.g_qd) + inner(BJ, J.w);
      dtau_dqdd.coeffRef(j, k) = dtau_dqdd.coeffRef(k, j) = pairing(IJ, J);
    }
  }

  Indexed<int> before_;  // by rate: the next on the way to the base; -1 if there is none
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
