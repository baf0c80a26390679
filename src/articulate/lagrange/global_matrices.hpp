/** \file
 *  \brief The Newton-Euler recursion as a handful of large matrices, and the equations of motion as their products.
 *
 *  - Papers: Ploen, sections 3.2, 4 and 5, \eq{ploen,19} to \eq{ploen,29}, \eq{ploen,36} to \eq{ploen,38}; Park 1995,
 *    \eq{park,47} to \eq{park,51}.
 *  - Chapter: \ref lagrange
 *  - For reading and for proofs: the recursions compute the same in O(n).
 */
#pragma once
#include <articulate/model/recursion.hpp>
#include <articulate/skew_symmetry/coriolis.hpp>

namespace articulate {

/** \brief The block matrices of a tree of N bodies with n rates, at a state; blocks by body, in model order.
 *
 *  As printed they are those of a chain of one-DoF joints. Three changes extend them to any tree: block (i,
 *  parent of i) instead of (i, i-1) in \f$\Gamma\f$; blocks \f$S_i\f$ with one column per degree of freedom; and
 *  \f$\dot S\f$, where these columns move.
 */
template <typename Scalar>
struct GlobalMatrices {
  MatrixX<Scalar> S;       ///< 6N x n, block diagonal
  MatrixX<Scalar> Sdot;    ///< its rate, zero for one-DoF joints
  MatrixX<Scalar> Gamma;   ///< 6N x 6N: \f$\Ad_{f_{\lambda(i),i}^{-1}}\f$ in block (i, parent of i)
  MatrixX<Scalar> G;       ///< \f$(1-\Gamma)^{-1}\f$: \f$\Ad_{f_{j,i}^{-1}}\f$ where body j carries body i
  MatrixX<Scalar> J;       ///< 6N x 6N: the inertias
  MatrixX<Scalar> ad_Sqd;  ///< 6N x 6N: \f$-\ad_{S_i\dot q_i}\f$, the minus sign inside
  MatrixX<Scalar> P_0;     ///< 6N x 6: the base's twist into the bodies that it carries

  /// \brief The matrices of the state (q, qd) at which a recursion was run.   \throws StateError if it was not
  GlobalMatrices(const Recursion<Scalar>& r, const VectorX<Scalar>& qd) : r_(&r)
  {
    const Model<Scalar>& model = r.model();
    const int N = model.bodies(), n = model.nv();
    detail::require_size("qd", qd, n);
    r.require_run("state for matrices");
    S = Sdot = MatrixX<Scalar>::Zero(6 * N, n);
    Gamma = J = ad_Sqd = MatrixX<Scalar>::Zero(6 * N, 6 * N);
    P_0 = MatrixX<Scalar>::Zero(6 * N, 6);
    for (int i = 1; i <= N; ++i) {
      const Body<Scalar>& body = model.body(i);
      const int row = 6 * (i - 1);
      const JointSegment<const Scalar> rates = Rates<Scalar>(qd)(body);
      for (int k = 0; k < body.nv; ++k) {
        S.col(body.v + k).template segment<6>(row) = coordinates(r.S[i].column(k));
        Sdot.col(body.v + k).template segment<6>(row) = coordinates(r.S[i].rate(k, rates));
      }
      const Matrix6<Scalar> carried = Ad_matrix(inverse(r.T[i]));
      if (body.parent == 0)
        P_0.template middleRows<6>(row) = carried;
      else
        Gamma.template block<6, 6>(row, 6 * (body.parent - 1)) = carried;
      J.template block<6, 6>(row, row) = body.I.matrix();
      ad_Sqd.template block<6, 6>(row, row) = -ad_matrix(Twist<Scalar>(r.S[i] * rates));
    }
    // [nilpotent]
    // G = 1 + Gamma + Gamma^2 + ... by Horner, G = 1 + Gamma G: each row follows from that of the parent.
    G = MatrixX<Scalar>::Identity(6 * N, 6 * N);
    for (int i = 1; i <= N; ++i)
      if (const int parent = model.body(i).parent; parent != 0) {
        const Matrix6<Scalar> carried = Gamma.template block<6, 6>(6 * (i - 1), 6 * (parent - 1));
        G.middleRows(6 * (i - 1), 6) += carried * G.middleRows(6 * (parent - 1), 6);
      }
    // [nilpotent]
  }

  // [closed-forms]
  /// \brief GS, 6N x n: all body Jacobians, stacked; \f$V = GS\dot q\f$ \eq{ploen,19}.
  MatrixX<Scalar> GS() const { return G * S; }

  /// \brief \f$\dot G = G\ad_{S\dot q}\Gamma G\f$ \eq{ploen,27}.
  MatrixX<Scalar> Gdot() const { return G * (ad_Sqd * (Gamma * G)); }

  /// \brief The rate of GS, by the product rule.
  MatrixX<Scalar> GS_rate() const { return G * (ad_Sqd * (Gamma * GS()) + Sdot); }

  /// \brief \f$M = S^{\mathsf T}G^{\mathsf T}JGS\f$ \eq{ploen,24}, \eq{park,51}.
  MatrixX<Scalar> M() const { return GS().transpose() * (J * GS()); }

  /// \brief \f$\dot M\f$ by the product rule \eq{ploen,28}, with the rate of S where there is one.
  MatrixX<Scalar> Mdot() const
  {
    const MatrixX<Scalar> half = GS_rate().transpose() * (J * GS());
    return half + half.transpose();
  }

  /// \brief The block diagonal matrix of the bodies' Coriolis matrices: \f$\ad^*_VJ\f$ or \f$\bar C\f$.
  MatrixX<Scalar> C_bar(CoriolisFamily family) const
  {
    MatrixX<Scalar> C = MatrixX<Scalar>::Zero(J.rows(), J.cols());
    for (int i = 1; i <= r_->model().bodies(); ++i)
      C.template block<6, 6>(6 * (i - 1), 6 * (i - 1)) = coriolis_matrix(family, r_->model().body(i).I, r_->V[i]);
    return C;
  }

  /// \brief \f$C = S^{\mathsf T}G^{\mathsf T}(JG\ad_{S\dot q}\Gamma + \bar C)GS\f$ \eq{ploen,25}, \eq{ploen,37}.
  MatrixX<Scalar> C(CoriolisFamily family) const { return GS().transpose() * (J * GS_rate() + C_bar(family) * GS()); }

  /// \brief \f$\phi = S^{\mathsf T}G^{\mathsf T}JGP_0\dot V_0\f$ \eq{ploen,26}, \eq{ploen,38}.
  VectorX<Scalar> phi() const { return S.transpose() * (G.transpose() * (J * (G * (P_0 * coordinates(r_->Vdot[0]))))); }
  // [closed-forms]

private:
  const Recursion<Scalar>* r_;
};

}  // namespace articulate
