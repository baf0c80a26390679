/** \file
 *  \brief The elimination of one joint: \f$S^{\mathsf T}\hat{\mathcal I}S = L D L^{\mathsf T}\f$, column by column.
 *
 *  - Paper: Kim 2012, section 2.2: \f$\Psi_i = (S_i^{\mathsf T}\hat{\mathcal I}_i S_i)^{-1}\f$ in \eq{kim,T3}.
 *  - Chapter: \ref aba
 */
#pragma once
#include <articulate/aba/articulated_inertia.hpp>
#include <articulate/model/recursion.hpp>

namespace articulate {

/** \brief The factors of \f$S^{\mathsf T}\hat{\mathcal I}S\f$ for a joint of up to six degrees.
 *
 *  The degrees are eliminated one after the other, each as if it were a joint of its own: nothing is squared, no matrix
 *  is inverted, and a joint of one degree costs one division.
 */
template <typename Scalar>
class Pivot {
public:
  int size = 0;
  Scalar d[6];  ///< the pivots: what each degree has to move when the ones after it give way

  // [eliminate]
  /** \brief Factor, and reduce \f$U = \hat{\mathcal I}S\f$ and \f$u\f$ to \f$U L^{-\mathsf T}\f$ and \f$L^{-1}u\f$.
   *  \param S the joint   \param U its columns times the articulated inertia   \param u one number per column
   */
  void eliminate(const JointJacobian<Scalar>& S, Wrench<Scalar>* U, Scalar* u)
  {
    size = S.columns();
    for (int k = 0; k < size; ++k) {
      Scalar row[6];
      S.project(U[k], row);
      d[k] = row[k];
      inverse_[k] = Scalar(1) / d[k];
      for (int i = k + 1; i < size; ++i) {
        l_[i][k] = row[i] * inverse_[k];
        U[i] = U[i] - l_[i][k] * U[k];
        u[i] -= l_[i][k] * u[k];
      }
    }
  }

  /// \brief \f$\Pi = \hat{\mathcal I} - U\Psi U^{\mathsf T}\f$ and \f$\beta = \beta + U\Psi u\f$ with the reduced U, u.
  void give_way(const Wrench<Scalar>* U, const Scalar* u, ArticulatedInertia<Scalar>& Pi, Wrench<Scalar>& beta) const
  {
    for (int k = 0; k < size; ++k) {
      Pi = Pi.without(inverse_[k], U[k]);
      beta += inverse_[k] * u[k] * U[k];
    }
  }

  /// \brief \f$x \leftarrow L^{-\mathsf T}D^{-1}x\f$: the joint's accelerations from the reduced right side.
  void solve(Scalar* x) const
  {
    for (int k = size; k-- > 0;) {
      x[k] *= inverse_[k];
      for (int i = k + 1; i < size; ++i) x[k] -= l_[i][k] * x[i];
    }
  }
  // [eliminate]

private:
  Scalar inverse_[6], l_[6][5];
};

}  // namespace articulate
