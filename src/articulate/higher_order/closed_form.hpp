/** \file
 *  \brief The equations of motion and their first derivative in time as a handful of large matrices in spatial axes.
 *
 *  - Paper: Ali, Gabellieri and Franchi 2026, section 4, Table 2, Proposition 1, Lemma 1, \eq{ali,10} to \eq{ali,19},
 *    \eq{ali,21}, and appendices A and B, \eq{ali,32} to \eq{ali,40}.
 *  - Chapter: \ref higher_order
 *  - For reading and for proofs: the recursions compute the same in O(n).
 */
#pragma once
#include <articulate/higher_order/spatial_form.hpp>

namespace articulate {

/** \brief Table 2: what Algorithm 1 knows of all N bodies of a tree, one on top of the other, and what follows from it.
 *
 *  Twists of all bodies are seen from one frame, so nothing has to be carried from body to body: P holds ones and zeros.
 *  A joint of several degrees has a block \f$S_j\f$ of as many columns, each with the rate that its degree gives it. The
 *  base of the paper is the free joint of a `SpatialForm` with `BaseTwist::spatial`; its block of S is \f$I_6\f$, which
 *  does not change.
 */
template <typename Scalar>
struct StackedMatrices {
  MatrixX<Scalar> P;               ///< 6N x 6N: \f$I_6\f$ in block (j, i) if i is j or carries it; Ch is its transpose
  MatrixX<Scalar> S, Sdot, Sddot;  ///< 6N x n, block diagonal
  MatrixX<Scalar> J, Jdot, Jddot;  ///< 6N x n: \f$PS\f$, \f$P\dot S\f$, \f$P\ddot S\f$
  MatrixX<Scalar> M, Mdot, Mddot;  ///< 6N x 6N, block diagonal
  MatrixX<Scalar> ad_V, ad_Vdot;   ///< 6N x 6N, block diagonal
  VectorX<Scalar> nu, nudot;       ///< n rates and their derivatives
  VectorX<Scalar> V, Vdot;         ///< 6N
  VectorX<Scalar> W_app, W_app_dot;  ///< 6N
  VectorX<Scalar> G_bar;             ///< 6N: gravity, once for each body

  /** \brief The matrices of the state in which Algorithm 1 was run.
   *  \throws StateError if it was run for order 0: derivatives of the equations of motion need order 1; if it was not run
   */
  explicit StackedMatrices(const SpatialForm<Scalar>& form)
  {
    if (form.order() < 1) throw StateError("The recursion has order 0 where closed forms need order 1 or more.");
    form.require_run("state for matrices");
    const Model<Scalar>& model = form.model();
    const int N = model.bodies(), n = model.nv();
    S = Sdot = Sddot = MatrixX<Scalar>::Zero(6 * N, n);
    M = Mdot = Mddot = ad_V = ad_Vdot = MatrixX<Scalar>::Zero(6 * N, 6 * N);
    W_app = W_app_dot = G_bar = VectorX<Scalar>::Zero(6 * N);
    // [stacked-blocks]
    for (int j = 1; j <= N; ++j) {
      const int row = 6 * (j - 1);
      for (int d = model.body(j).v; d < model.body(j).v + model.body(j).nv; ++d) {
        S.col(d).template segment<6>(row) = coordinates(form.S(d, 0));
        Sdot.col(d).template segment<6>(row) = coordinates(form.S(d, 1));
        Sddot.col(d).template segment<6>(row) = coordinates(form.S(d, 2));
      }
      const Matrix6<Scalar> M_j = form.M(j, 0).matrix();
      const Matrix6<Scalar> ad_V_j = ad_matrix(form.V(form.last(j), 0)), ad_Vdot_j = ad_matrix(form.V(form.last(j), 1));
      const Matrix6<Scalar> Mdot_j = -(M_j * ad_V_j + ad_V_j.transpose() * M_j);
      const Matrix6<Scalar> Mddot_j = -(Mdot_j * ad_V_j + ad_V_j.transpose() * Mdot_j +  //
                                        M_j * ad_Vdot_j + ad_Vdot_j.transpose() * M_j);  // (16)
      M.template block<6, 6>(row, row) = M_j;
      Mdot.template block<6, 6>(row, row) = Mdot_j;
      Mddot.template block<6, 6>(row, row) = Mddot_j;
      ad_V.template block<6, 6>(row, row) = ad_V_j;
      ad_Vdot.template block<6, 6>(row, row) = ad_Vdot_j;
      W_app.template segment<6>(row) = coordinates(form.applied(j, 0));
      W_app_dot.template segment<6>(row) = coordinates(form.applied(j, 1));
      G_bar.template segment<3>(row + 3) = form.gravity().v.eigen();
    }
    P = carried(model, MatrixX<Scalar>::Identity(6 * N, 6 * N));
    J = carried(model, S), Jdot = carried(model, Sdot), Jddot = carried(model, Sddot);
    nu = form.rates.col(0), nudot = form.rates.col(1);
    V = J * nu;                    // (33)
    Vdot = J * nudot + Jdot * nu;  // (34)
    // [stacked-blocks]
  }

  // [equations-of-motion]
  /// \brief The mass matrix \f$D = J^{\mathsf T}MJ\f$ \eq{ali,11}.
  MatrixX<Scalar> D() const { return J.transpose() * (M * J); }

  /// \brief Coriolis and centrifugal forces \f$c = J^{\mathsf T}(M\dot J\nu - \ad_V^{\mathsf T}MV)\f$ \eq{ali,12}.
  VectorX<Scalar> c() const { return J.transpose() * (M * (Jdot * nu) - ad_V.transpose() * (M * V)); }

  /// \brief What weight takes, \f$g = -J^{\mathsf T}M\bar G\f$ \eq{ali,13}.
  VectorX<Scalar> g() const { return -(J.transpose() * (M * G_bar)); }

  /// \brief What external wrenches give, \f$Q_{\mathrm{ext}} = J^{\mathsf T}W_{\mathrm{app}}\f$ \eq{ali,13}.
  VectorX<Scalar> Q_ext() const { return J.transpose() * W_app; }

  /// \brief The forces \f$Q = D\dot\nu + c + g - Q_{\mathrm{ext}}\f$ \eq{ali,10}.
  VectorX<Scalar> Q() const { return D() * nudot + c() + g() - Q_ext(); }

  /// \brief The Coriolis matrix \f$C = J^{\mathsf T}(M\dot J - \ad_V^{\mathsf T}MJ)\f$ \eq{ali,21}; \f$\dot D - 2C\f$ is skew.
  MatrixX<Scalar> C() const { return J.transpose() * (M * Jdot - ad_V.transpose() * (M * J)); }
  // [equations-of-motion]

  // [first-derivative]
  /// \brief \f$\dot D\f$ by the product rule \eq{ali,17}.
  MatrixX<Scalar> Ddot() const
  {
    return Jdot.transpose() * (M * J) + J.transpose() * (Mdot * J) + J.transpose() * (M * Jdot);
  }

  /// \brief \f$\dot C\f$ by the product rule on \eq{ali,21}.
  MatrixX<Scalar> Cdot() const
  {
    const MatrixX<Scalar> MJ = M * J, MJ_rate = Mdot * J + M * Jdot;
    return Jdot.transpose() * (M * Jdot - ad_V.transpose() * MJ) +
           J.transpose() * (Mdot * Jdot + M * Jddot - ad_Vdot.transpose() * MJ - ad_V.transpose() * MJ_rate);
  }

  /// \brief \f$c_1 = (\dot D + C)\dot\nu + \dot C\nu\f$, what \f$\dot Q\f$ has of lower derivatives \eq{ali,15}.
  VectorX<Scalar> c1() const
  {
    return Jdot.transpose() * (M * Vdot + Mdot * V) +
           J.transpose() * (M * (Scalar(2) * (Jdot * nudot) + Jddot * nu) + Scalar(2) * (Mdot * Vdot) + Mddot * V);
  }

  /// \brief \f$\dot g = -(\dot J^{\mathsf T}M + J^{\mathsf T}\dot M)\bar G\f$ \eq{ali,18}.
  VectorX<Scalar> gdot() const { return -(Jdot.transpose() * (M * G_bar) + J.transpose() * (Mdot * G_bar)); }

  /// \brief \f$\dot Q_{\mathrm{ext}} = \dot J^{\mathsf T}W_{\mathrm{app}} + J^{\mathsf T}\dot W_{\mathrm{app}}\f$ \eq{ali,19}.
  VectorX<Scalar> Q_ext_dot() const { return Jdot.transpose() * W_app + J.transpose() * W_app_dot; }

  /** \brief The rate of the forces, \f$\dot Q = D\ddot\nu + c_1 + \dot g - \dot Q_{\mathrm{ext}}\f$ \eq{ali,14}.
   *  \throws SizeError for the wrong number of second derivatives
   */
  VectorX<Scalar> Qdot(const VectorRef<Scalar>& nuddot) const
  {
    detail::require_size("nuddot", nuddot, static_cast<int>(nu.size()));
    return D() * nuddot + c1() + gdot() - Q_ext_dot();
  }
  // [first-derivative]

private:
  // [stacked-carried]
  /// PX, in one sweep: the rows of a body are its parent's and its own.
  static MatrixX<Scalar> carried(const Model<Scalar>& model, MatrixX<Scalar> X)
  {
    for (int j = 1; j <= model.bodies(); ++j)
      if (const int parent = model.body(j).parent; parent != 0)
        X.middleRows(6 * (j - 1), 6) += X.middleRows(6 * (parent - 1), 6);
    return X;
  }
  // [stacked-carried]
};

// [transform-free-coriolis]
/** \brief C of \eq{ali,21} without its large matrices and without a single change of frame, in O(n d) for depth d.
 *
 *  \f$C_{ij} = S_i^{\mathsf T}(M^c_k\dot S_j - B^c_kS_j)\f$, k the later of the degrees i and j if one lies behind the other,
 *  else 0. \f$M^c\f$ and \f$B^c\f$ are sums of \f$M\f$ and \f$\ad_V^{\mathsf T}M\f$ over all that the degree moves; as all is
 *  seen from the same frame, they are plain sums.
 *  \param form  in which Algorithm 1 was run
 *  \return nv x nv, for the rates of the form
 *  \throws StateError when it was not
 */
template <typename Scalar>
MatrixX<Scalar> coriolis_matrix(const SpatialForm<Scalar>& form)
{
  form.require_run("Coriolis matrix");
  const int n = form.model().nv();
  MatrixX<Scalar> C = MatrixX<Scalar>::Zero(n, n);
  Indexed<InertiaMap<Scalar>> M(n), B(n);
  for (int k = n; k-- > 0;) {
    if (form.has_mass(k)) {
      M[k] += form.M(form.body(k), 0);
      CrossProducts<Scalar>::add_coad(B[k], Scalar(1), form.V(k, 0), form.M(form.body(k), 0));
    }
    const auto needed = [&](int j) { return M[k] * form.S(j, 1) - B[k] * form.S(j, 0); };
    const Wrench<Scalar> needed_by_k = needed(k);
    for (int i = k; i >= 0; i = form.before(i)) {
      C(i, k) = pairing(needed_by_k, form.S(i, 0));
      C(k, i) = pairing(needed(i), form.S(k, 0));
    }
    if (const int before = form.before(k); before >= 0) M[before] += M[k], B[before] += B[k];
  }
  return C;
}
// [transform-free-coriolis]

}  // namespace articulate
