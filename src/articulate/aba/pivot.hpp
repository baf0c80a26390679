/** \file
 *  \brief The elimination of one joint: \f$S^{\mathsf T}\hat{\mathcal I}S = L D L^{\mathsf T}\f$, column by column.
 *
 *  - Paper: Kim 2012, section 2.2: \f$\Psi_i = (S_i^{\mathsf T}\hat{\mathcal I}_i S_i)^{-1}\f$ in \eq{kim,T3}.
 *  - Chapter: \ref aba
 */
#pragma once
#include <type_traits>
#include <articulate/aba/articulated_inertia.hpp>
#include <articulate/model/recursion.hpp>

namespace articulate {

/** \brief The factors of \f$S^{\mathsf T}\hat{\mathcal I}S\f$ for a joint with up to six degrees of freedom.
 *
 *  The degrees are eliminated one after the other, each as if it were a joint of its own: nothing is squared, no matrix
 *  is inverted, and a one-DoF joint costs one division. A degree whose acceleration is prescribed does not give
 *  way: it is left out. The rotor of a motor, seen through its gear, adds to the pivot alone: it resists its own
 *  degree and nothing else.
 */
template <typename Scalar>
class Pivot {
public:
  int size = 0;
  bool prescribed[6] = {};  ///< the degrees that do not give way
  Scalar armature[6] = {Scalar(0), Scalar(0), Scalar(0),
                        Scalar(0), Scalar(0), Scalar(0)};  ///< what rotors add to the inertia of each degree
  Scalar d[6] = {};  ///< the pivots: what each degree must move when the ones after it give way

  // [eliminate]
  /// \brief Factor, and reduce \f$U = \hat{\mathcal I}S\f$ to \f$U L^{-\mathsf T}\f$.
  void eliminate(const JointJacobian<Scalar>& S, const ArticulatedInertia<Scalar>& I_hat, Wrench<Scalar>* U)
  {
    size = S.columns();
    for (int k = 0; k < size; ++k)
      if (!prescribed[k]) U[k] = S.column(I_hat, k);
    for (int k = 0; k < size; ++k) {
      if (prescribed[k]) continue;
      Scalar row[6];
      JointSegment<Scalar>{row} = transpose(S) * U[k];
      d[k] = row[k] + armature[k];
      inverse_[k] = Scalar(1) / d[k];
      for (int i = k + 1; i < size; ++i) {
        if (prescribed[i]) continue;
        l_[i][k] = row[i] * inverse_[k];
        U[i] = U[i] - l_[i][k] * U[k];
      }
    }
  }

  /// \brief \f$\Pi = \hat{\mathcal I} - U\Psi U^{\mathsf T}\f$ with the reduced U: what is left when the joint gives way.
  ArticulatedInertia<Scalar> give_way(ArticulatedInertia<Scalar> I_hat, const Wrench<Scalar>* U) const
  {
    for (int k = 0; k < size; ++k)
      if (!prescribed[k]) I_hat = I_hat.without(inverse_[k], U[k]);
    return I_hat;
  }

  /** \brief \f$u \leftarrow L^{-1}u\f$; returns \f$\beta = \text{held} + U\Psi u\f$, the wrench that the joint passes on.
   *  \tparam Number  of u and of what is held: Scalar, or several of them side by side
   */
  template <typename Number = Scalar, typename Held, typename Vector>
  Held pass_on(Held held, const Vector* U, std::type_identity_t<JointSegment<Number>> u) const
  {
    for (int k = 0; k < size; ++k) {
      if (prescribed[k]) continue;
      for (int i = k + 1; i < size; ++i)
        if (!prescribed[i]) u[i] -= Number(l_[i][k]) * u[k];
      held += Number(inverse_[k]) * u[k] * Held(U[k]);
    }
    return held;
  }

  /// \brief \f$x \leftarrow L^{-\mathsf T}D^{-1}x\f$: the joint's accelerations from the reduced right side.
  void solve(JointSegment<Scalar> x) const { solve(x, size); }
  /// \brief The same, where the compiler may know how many degrees there are.
  void solve(JointSegment<Scalar> x, int degrees) const
  {
    for (int k = degrees; k-- > 0;) {
      if (prescribed[k]) continue;
      x[k] *= inverse_[k];
      for (int i = k + 1; i < degrees; ++i)
        if (!prescribed[i]) x[k] -= l_[i][k] * x[i];
    }
  }
  // [eliminate]

  /// \brief \f$X \leftarrow X L^{-\mathsf T}\f$ for nv columns X, as U was reduced.
  template <typename Column>
  void reduce(Column* X) const
  {
    for (int k = 0; k < size; ++k)
      for (int i = k + 1; i < size; ++i)
        if (!prescribed[k] && !prescribed[i]) X[i] = X[i] - l_[i][k] * X[k];
  }
  const Scalar& inverse(int k) const { return inverse_[k]; }  ///< of the k-th pivot

private:
  Scalar inverse_[6], l_[6][5];
};

}  // namespace articulate
