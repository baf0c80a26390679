/** \file
 *  \brief Kim's Table 4 line by line with 6x6 matrices, as printed or corrected: an independent reading of the page.
 */
#pragma once
#include <aba/table_three.hpp>
#include <hybrid/partition.hpp>

namespace articulate::validation {

/// \brief Which lines are taken as the print has them.
struct PrintedHybridLines {
  bool inertia = false;       ///< I_hat with Ad^{-1}_{T^-1} in place of Ad*_{T^-1}  (E-kim-4)
  bool bias = false;          ///< B_hat with Ad^{-1}_{T^-1} in place of Ad*_{T^-1}  (E-kim-4)
  bool held_inertia = false;  ///< (52): the sum over u with Ad^{-1}_{T^-1} on the right  (E-kim-5)
};

/** \brief Table 4, the columns of a joint divided into those in u and those in v.
 *
 *  The paper has whole joints only; a joint with both is read as one in v whose eta holds what its degrees in u add.
 *  The lines outward are those of Table 3.
 */
template <typename S>
struct TableFour : TableThree<S> {
  using TableThree<S>::A, TableThree<S>::I, TableThree<S>::I_hat, TableThree<S>::Pi, TableThree<S>::Psi;
  using TableThree<S>::V, TableThree<S>::Vdot, TableThree<S>::B_hat, TableThree<S>::beta, TableThree<S>::F;
  using TableThree<S>::eta, TableThree<S>::Sj, TableThree<S>::qdd, TableThree<S>::tau, TableThree<S>::parent;

  std::vector<std::vector<int>> u, v;  ///< columns of each joint
  std::vector<SmallMatrix<S>> Su, Sv;
  std::vector<Vector6<S>> held;   ///< eta + S_u qdd_u
  std::vector<SmallVector<S>> e;  ///< tau_v - S_v^T (I_hat held + B_hat)

  TableFour(const Specimen<S>& x, const Partition& prescribed, const PrintedHybridLines& printed = {},
            Slip slip = Slip::none)
      : TableThree<S>(x, {}, slip),
        u(x.bodies() + 1),
        v(u.size()),
        Su(u.size()),
        Sv(u.size()),
        held(u.size()),
        e(u.size())
  {
    for (int i = 1; i <= x.bodies(); ++i) divide(x, prescribed, i);
    I_hat.assign(u.size(), Matrix6<S>::Zero());
    B_hat.assign(u.size(), Vector6<S>::Zero());
    for (int i = x.bodies(); i >= 1; --i) {
      I_hat[i] += I[i];
      const Vector6<S> gyroscopic = this->ad(V[i]).transpose() * I[i] * V[i];
      B_hat[i] += (slip == Slip::bias ? gyroscopic : -gyroscopic) - this->Fext[i];
      e[i] = picked(tau[i], v[i]) - Sv[i].transpose() * (I_hat[i] * held[i] + B_hat[i]);
      Psi[i] = inverted(SmallMatrix<S>(Sv[i].transpose() * (slip == Slip::psi ? I[i] : I_hat[i]) * Sv[i]));
      const bool is_held = v[i].empty();
      const bool yields = slip == Slip::prescribed_pi && is_held;
      const SmallMatrix<S> IS = I_hat[i] * (yields ? Su[i] : Sv[i]);
      Pi[i] = I_hat[i];
      if (slip != Slip::pi)
        Pi[i] -= IS * (yields ? inverted(SmallMatrix<S>(Su[i].transpose() * IS)) : Psi[i]) * IS.transpose();
      Vector6<S> passed = held[i];
      if (slip == Slip::beta && !is_held) passed -= eta[i];
      if (slip == Slip::prescribed_beta && is_held) passed = eta[i];
      beta[i] = B_hat[i] + I_hat[i] * (passed + Sv[i] * Psi[i] * e[i]);
      const Matrix6<S> star = A[i].transpose(), inverse_Ad = inverted(A[i]);
      I_hat[parent[i]] +=
          (printed.inertia ? inverse_Ad : star) * Pi[i] * (printed.held_inertia && is_held ? inverse_Ad : A[i]);
      B_hat[parent[i]] += (printed.bias ? inverse_Ad : star) * beta[i];
    }
    for (int i = 1; i <= x.bodies(); ++i) {
      const Vector6<S> carried = A[i] * Vdot[parent[i]];
      const SmallVector<S> bias = Sv[i].transpose() * (slip == Slip::acceleration ? -B_hat[i] : B_hat[i]);
      place(qdd[i], v[i], Psi[i] * (picked(tau[i], v[i]) - Sv[i].transpose() * I_hat[i] * (carried + held[i]) - bias));
      Vdot[i] = (slip == Slip::motion ? inverted(A[i]) * Vdot[parent[i]] : carried) + Sj[i] * qdd[i] + eta[i];
      F[i] = (slip == Slip::force ? I[i] : I_hat[i]) * Vdot[i] + B_hat[i];
      place(tau[i], u[i], Su[i].transpose() * (slip == Slip::torque ? A[i].transpose() * F[i] : F[i]));
    }
  }

  /// \brief All joint forces in model order.
  VectorX<S> forces(const Model<S>& model) const
  {
    VectorX<S> all(model.nv());
    for (int i = 1; i <= model.bodies(); ++i) all.segment(model.body(i).v, model.body(i).nv) = tau[i];
    return all;
  }

  static SmallVector<S> picked(const SmallVector<S>& all, const std::vector<int>& which)
  {
    SmallVector<S> some(which.size());
    for (std::size_t k = 0; k < which.size(); ++k) some(k) = all(which[k]);
    return some;
  }
  static SmallMatrix<S> picked(const SmallMatrix<S>& all, const std::vector<int>& which)
  {
    SmallMatrix<S> some(6, which.size());
    for (std::size_t k = 0; k < which.size(); ++k) some.col(k) = all.col(which[k]);
    return some;
  }
  static void place(SmallVector<S>& all, const std::vector<int>& which, const SmallVector<S>& some)
  {
    for (std::size_t k = 0; k < which.size(); ++k) all(which[k]) = some(k);
  }

private:
  void divide(const Specimen<S>& x, const Partition& prescribed, int i)
  {
    const Body<S>& body = x.model.body(i);
    for (int k = 0; k < body.nv; ++k) (prescribed[body.v + k] ? u : v)[i].push_back(k);
    Su[i] = picked(Sj[i], u[i]);
    Sv[i] = picked(Sj[i], v[i]);
    qdd[i] = x.qdd.segment(body.v, body.nv);
    held[i] = eta[i] + Su[i] * picked(qdd[i], u[i]);
  }
};

}  // namespace articulate::validation
