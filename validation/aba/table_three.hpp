/** \file
 *  \brief Kim's Table 3 line by line with 6x6 matrices, as printed or corrected: an independent reading of the page.
 */
#pragma once
#include <ledger/calculus.hpp>
#include <ledger/linear_systems.hpp>

namespace articulate::validation {

/// \brief Up to 6x6, on the stack.
template <typename S>
using SmallVector = Eigen::Matrix<S, Eigen::Dynamic, 1, 0, 6, 1>;

/// \brief Which lines are taken as the print has them.
struct PrintedLines {
  bool acceleration = false;  ///< Vdot with Ad_T in place of Ad_{T^-1}  (E-kim-3)
  bool inertia = false;       ///< I_hat with Ad^{-1}_{T^-1} in place of Ad*_{T^-1}  (E-kim-4)
  bool bias = false;          ///< B_hat with Ad*^{-1}_{T^-1} in place of Ad*_{T^-1}  (E-kim-4)
};

/// \brief One tempting wrong line of Tables 3 and 4: the accelerations and forces that come of it have to miss.
enum class Slip {
  none,
  velocity,         ///< the parent's twist carried the other way
  eta,              ///< the bracket with its arguments exchanged
  bias,             ///< the dual bracket added
  psi,              ///< the body's own inertia in place of the articulated one
  pi,               ///< the joint does not give way
  beta,             ///< the velocity terms left out
  acceleration,     ///< the bias added
  motion,           ///< the parent's acceleration carried the other way: E-kim-3
  force,            ///< the body's own inertia in place of the articulated one
  prescribed_pi,    ///< a prescribed joint gives way
  prescribed_beta,  ///< the prescribed acceleration left out
  torque            ///< the wrench projected in the parent's frame
};

template <typename S>
struct TableThree {
  std::vector<Matrix6<S>> A, I, I_hat, Pi;  ///< A = Ad_{T^-1}
  std::vector<Vector6<S>> V, eta, B_hat, beta, Vdot, F, Fext;
  std::vector<SmallMatrix<S>> Sj, Psi;
  std::vector<SmallVector<S>> qd, qdd, tau;  ///< joint by joint
  std::vector<int> parent;

  explicit TableThree(const Specimen<S>& x, const PrintedLines& printed = {}, Slip slip = Slip::none)
  {
    const int N = x.bodies();
    for (auto* six : {&V, &eta, &B_hat, &beta, &Vdot, &F, &Fext}) six->assign(N + 1, Vector6<S>::Zero());
    for (auto* matrix : {&A, &I, &I_hat, &Pi}) matrix->assign(N + 1, Matrix6<S>::Zero());
    for (auto* joint : {&Sj, &Psi}) joint->resize(N + 1);
    for (auto* joint : {&qd, &qdd, &tau}) joint->resize(N + 1);
    parent.resize(N + 1);
    Vdot[0].template tail<3>() = -x.gravity.eigen();
    for (int i = 1; i <= N; ++i) {
      const Body<S>& body = x.model.body(i);
      parent[i] = body.parent;
      A[i] = Ad_matrix(inverse(joint_pose(body, x.q.data() + body.q)));
      I[i] = body.I.matrix();
      Fext[i] = coordinates(x.Fext[i]);
      Sj[i].resize(6, body.nv);
      for (int k = 0; k < body.nv; ++k) Sj[i].col(k) = coordinates(x.kinematics.S[i].column(k));
      qd[i] = x.qd.segment(body.v, body.nv);
      tau[i] = x.tau.segment(body.v, body.nv);
      V[i] = (slip == Slip::velocity ? inverted(A[i]) : A[i]) * V[parent[i]] + Sj[i] * qd[i];
      const Vector6<S> bracket = ad(V[i]) * Sj[i] * qd[i];
      eta[i] = (slip == Slip::eta ? -bracket : bracket) + coordinates(S_dot_qd(x, i));
    }
    for (int i = N; i >= 1; --i) {
      I_hat[i] += I[i];
      const Vector6<S> gyroscopic = ad(V[i]).transpose() * I[i] * V[i];
      B_hat[i] += (slip == Slip::bias ? gyroscopic : -gyroscopic) - Fext[i];
      const SmallMatrix<S> pivot = Sj[i].transpose() * (slip == Slip::psi ? I[i] : I_hat[i]) * Sj[i];
      Psi[i] = inverted(pivot);
      Pi[i] = I_hat[i];
      if (slip != Slip::pi) Pi[i] -= I_hat[i] * Sj[i] * Psi[i] * Sj[i].transpose() * I_hat[i];
      const Vector6<S> held = slip == Slip::beta ? Vector6<S>::Zero() : eta[i];
      beta[i] =
          B_hat[i] + I_hat[i] * (held + Sj[i] * Psi[i] * (tau[i] - Sj[i].transpose() * (I_hat[i] * eta[i] + B_hat[i])));
      const Matrix6<S> star = A[i].transpose(), inverse_Ad = inverted(A[i]), inverse_star = inverse_Ad.transpose();
      I_hat[parent[i]] += (printed.inertia ? inverse_Ad : star) * Pi[i] * A[i];
      B_hat[parent[i]] += (printed.bias ? inverse_star : star) * beta[i];
    }
    for (int i = 1; i <= N; ++i) {
      const Matrix6<S> carry = printed.acceleration || slip == Slip::motion ? inverted(A[i]) : A[i];
      const SmallVector<S> bias = Sj[i].transpose() * (slip == Slip::acceleration ? -B_hat[i] : B_hat[i]);
      qdd[i] = Psi[i] * (tau[i] - Sj[i].transpose() * I_hat[i] * (A[i] * Vdot[parent[i]] + eta[i]) - bias);
      Vdot[i] = carry * Vdot[parent[i]] + Sj[i] * qdd[i] + eta[i];
      F[i] = (slip == Slip::force ? I[i] : I_hat[i]) * Vdot[i] + B_hat[i];
    }
  }

  /// \brief All joint accelerations in model order.
  VectorX<S> accelerations(const Model<S>& model) const
  {
    VectorX<S> all(model.nv());
    for (int i = 1; i <= model.bodies(); ++i) all.segment(model.body(i).v, model.body(i).nv) = qdd[i];
    return all;
  }

protected:
  static Matrix6<S> ad(const Vector6<S>& V) { return ad_matrix(to_twist(V)); }
};

}  // namespace articulate::validation
