/** \file
 *  \brief Kim's Tables 5 and 7 line by line with 6x6 matrices; Table 6 is Table 7 with nothing prescribed.
 *
 *  Any one line can be taken wrongly, in the way in which it most easily is.
 */
#pragma once
#include <derivatives/direction.hpp>
#include <hybrid/table_four.hpp>

namespace articulate::validation {

/// \brief One slip in one line.
enum class DerivativeSlip {
  none,
  velocity,              ///< the parent's velocity is not turned with the frame: no -ad_dh Ad V
  acceleration,          ///< of Table 5: no S-dot dqd, as if the rate of S were that of a constant screw
  eta,                   ///< no dS-dot qd
  wrench,                ///< of Table 5: the child's wrench is not turned with its frame: no -ad*_dh F
  inertia,               ///< the child's inertia is turned on one side alone
  bias,                  ///< the child's bias is not turned
  psi,                   ///< dS^T I_hat S without its transpose
  pi,                    ///< both products without their transposes
  beta,                  ///< no dS Psi e
  joint_acceleration,    ///< no dPsi
  printed_acceleration,  ///< Table 6: the parent's dVdot is carried outward by Ad_T in place of Ad_{T^-1}  (E-kim-3)
  articulated_wrench,    ///< dI_hat Vdot has the inertia of the body alone
  held_beta,             ///< in u: no dS qdd
  held_acceleration,     ///< in u: no S dqdd
  force                  ///< no dS^T F
};

/// \brief A term of a line, or nothing where a slip forgets it.
template <typename Term>
Term term(const Term& whole, bool forgotten)
{
  return forgotten ? Term(0 * whole) : whole;
}

/// \brief The columns of a joint's dS as a matrix.
template <typename S>
SmallMatrix<S> joint_columns(const Body<S>& body, const std::vector<Twist<S>>& columns)
{
  SmallMatrix<S> matrix(6, body.nv);
  for (int k = 0; k < body.nv; ++k) matrix.col(k) = coordinates(columns[body.v + k]);
  return matrix;
}

/// \brief Table 5 on the run of inverse dynamics of a case.
template <typename S>
struct TableFive {
  const TableThree<S> t;  ///< for its lines outward
  std::vector<Vector6<S>> dV, dVdot, dF;
  VectorX<S> dtau;

  TableFive(const Specimen<S>& x, const Seeds<S>& seeds, DerivativeSlip slip = DerivativeSlip::none)
      : t(x), dV(x.bodies() + 1, Vector6<S>::Zero()), dVdot(dV), dF(dV), dtau(x.model.nv())
  {
    const auto matrix = [](const Twist<S>& V) { return ad_matrix(V); };
    dV[0] = coordinates(seeds.dV0);
    dVdot[0] = coordinates(seeds.dVdot0);
    for (int i = 1; i <= x.bodies(); ++i) {
      const Body<S>& body = x.model.body(i);
      const SmallMatrix<S> dS = joint_columns(body, seeds.dS), dSdot = joint_columns(body, seeds.dSdot);
      const SmallVector<S> qd = x.qd.segment(body.v, body.nv), qdd = x.qdd.segment(body.v, body.nv);
      const SmallVector<S> dqd = seeds.dqd.segment(body.v, body.nv), dqdd = seeds.dqdd.segment(body.v, body.nv);
      const Matrix6<S> A = t.A[i], dh = matrix(seeds.dh[i]);
      const Vector6<S> V = coordinates(x.inverse.V[body.parent]), Vdot = coordinates(x.inverse.Vdot[body.parent]);
      dV[i] = A * dV[body.parent] - term(dh * A * V, slip == DerivativeSlip::velocity) + dS * qd + t.Sj[i] * dqd;
      dVdot[i] = A * dVdot[body.parent] - dh * A * Vdot + dS * qdd + t.Sj[i] * dqdd +
                 matrix(to_twist(dV[i])) * t.Sj[i] * qd + matrix(x.inverse.V[i]) * (dS * qd + t.Sj[i] * dqd) +
                 dSdot * qd + term(rates(x, i) * dqd, slip == DerivativeSlip::acceleration);
    }
    for (int i = x.bodies(); i >= 1; --i) {
      const Body<S>& body = x.model.body(i);
      const Matrix6<S> dI = seeds.dI[i].matrix();
      const Vector6<S> V = coordinates(x.inverse.V[i]), F = coordinates(x.inverse.F[i]);
      dF[i] += dI * coordinates(x.inverse.Vdot[i]) + t.I[i] * dVdot[i] -
               matrix(to_twist(dV[i])).transpose() * t.I[i] * V -
               matrix(x.inverse.V[i]).transpose() * (dI * V + t.I[i] * dV[i]) - coordinates(seeds.dFext[i]);
      dtau.segment(body.v, body.nv) =
          term(joint_columns(body, seeds.dS).transpose() * F, slip == DerivativeSlip::force) +
          t.Sj[i].transpose() * dF[i];
      dF[body.parent] +=
          t.A[i].transpose() * (dF[i] - term(matrix(seeds.dh[i]).transpose() * F, slip == DerivativeSlip::wrench));
    }
  }

  /// \brief The columns of \f$\dot S_i\f$.
  static SmallMatrix<S> rates(const Specimen<S>& x, int i)
  {
    SmallMatrix<S> Sdot(6, x.model.body(i).nv);
    for (int k = 0; k < x.model.body(i).nv; ++k)
      Sdot.col(k) = coordinates(derivative(x.along_motion().S[i].column(k), 1));
    return Sdot;
  }
};

/// \brief Table 7, the columns of a joint divided into those in u and those in v. Table 6 is the case without u.
template <typename S>
struct TableSeven {
  const TableFour<S> t;
  std::vector<Matrix6<S>> dI_hat, dPi;
  std::vector<Vector6<S>> dV, deta, dB_hat, dbeta, dVdot, dF;
  VectorX<S> dtau, dqdd;

  TableSeven(const Specimen<S>& x, const Partition& prescribed, const Seeds<S>& seeds,
             DerivativeSlip slip = DerivativeSlip::none)
      : t(x, prescribed), dtau(seeds.dtau), dqdd(seeds.dqdd), slip_(slip)
  {
    const int N = x.bodies();
    for (auto* matrices : {&dI_hat, &dPi}) matrices->assign(N + 1, Matrix6<S>::Zero());
    for (auto* six : {&dV, &deta, &dB_hat, &dbeta, &dVdot, &dF}) six->assign(N + 1, Vector6<S>::Zero());
    dPsi_.resize(N + 1);
    dV[0] = coordinates(seeds.dV0);
    dVdot[0] = coordinates(seeds.dVdot0);
    for (int i = 1; i <= N; ++i) outward(x, seeds, i);
    for (int i = N; i >= 1; --i) inward(x, seeds, i);
    for (int i = 1; i <= N; ++i) release(x, seeds, i);
  }

private:
  static Matrix6<S> ad(const Vector6<S>& V) { return ad_matrix(to_twist(V)); }
  template <typename Term>
  Term unless(DerivativeSlip slip, const Term& whole) const
  {
    return term(whole, slip_ == slip);
  }
  /// X and its transpose, but for a slip.
  template <typename Matrix>
  Matrix both(const Matrix& X, DerivativeSlip forgotten) const
  {
    return X + unless(forgotten, Matrix(X.transpose()));
  }

  void outward(const Specimen<S>& x, const Seeds<S>& seeds, int i)
  {
    const Body<S>& body = x.model.body(i);
    const SmallMatrix<S> dS = joint_columns(body, seeds.dS), dSdot = joint_columns(body, seeds.dSdot);
    const SmallVector<S> dqd = seeds.dqd.segment(body.v, body.nv);
    const Vector6<S> turned = ad_matrix(seeds.dh[i]) * t.A[i] * t.V[body.parent];
    dV[i] = t.A[i] * dV[body.parent] - unless(DerivativeSlip::velocity, turned) + dS * t.qd[i] + t.Sj[i] * dqd;
    deta[i] = ad(dV[i]) * t.Sj[i] * t.qd[i] + ad(t.V[i]) * (dS * t.qd[i] + t.Sj[i] * dqd) +
              unless(DerivativeSlip::eta, dSdot * t.qd[i]) + TableFive<S>::rates(x, i) * dqd;
  }

  void inward(const Specimen<S>& x, const Seeds<S>& seeds, int i)
  {
    const Body<S>& body = x.model.body(i);
    const SmallMatrix<S>&Su = t.Su[i], &Sv = t.Sv[i], &Psi = t.Psi[i];
    const SmallMatrix<S> dS = joint_columns(body, seeds.dS), dSu = t.picked(dS, t.u[i]), dSv = t.picked(dS, t.v[i]);
    const Matrix6<S>&I = t.I_hat[i], dI_own = seeds.dI[i].matrix();
    dI_hat[i] += dI_own;
    dB_hat[i] += -ad(dV[i]).transpose() * t.I[i] * t.V[i] -
                 ad(t.V[i]).transpose() * (dI_own * t.V[i] + t.I[i] * dV[i]) - coordinates(seeds.dFext[i]);

    const SmallMatrix<S> once = dSv.transpose() * I * Sv;
    // Rounding here is what the difference below makes large.
    const SmallMatrix<S> dPsi =
        x.as_input(SmallMatrix<S>(-Psi * (Sv.transpose() * dI_hat[i] * Sv + both(once, DerivativeSlip::psi)) * Psi));
    dPsi_[i] = dPsi;
    dPi[i] = dI_hat[i] - (I * Sv * dPsi * Sv.transpose() * I +
                          both(Matrix6<S>(dI_hat[i] * Sv * Psi * Sv.transpose() * I), DerivativeSlip::pi) +
                          both(Matrix6<S>(I * dSv * Psi * Sv.transpose() * I), DerivativeSlip::pi));

    const Vector6<S> dheld = deta[i] + unless(DerivativeSlip::held_beta, dSu * t.picked(t.qdd[i], t.u[i])) +
                             Su * t.picked(SmallVector<S>(dqdd.segment(body.v, body.nv)), t.u[i]);
    const SmallVector<S> de = t.picked(SmallVector<S>(dtau.segment(body.v, body.nv)), t.v[i]) -
                              dSv.transpose() * (I * t.held[i] + t.B_hat[i]) -
                              Sv.transpose() * (dI_hat[i] * t.held[i] + I * dheld + dB_hat[i]);
    dbeta[i] = dB_hat[i] + dI_hat[i] * (t.held[i] + Sv * Psi * t.e[i]) +
               I * (dheld + (unless(DerivativeSlip::beta, dSv * Psi) + Sv * dPsi) * t.e[i] + Sv * Psi * de);

    const Matrix6<S> dh = ad_matrix(seeds.dh[i]);
    dI_hat[body.parent] +=
        t.A[i].transpose() * (dPi[i] - both(Matrix6<S>(t.Pi[i] * dh), DerivativeSlip::inertia)) * t.A[i];
    dB_hat[body.parent] += t.A[i].transpose() * (dbeta[i] - unless(DerivativeSlip::bias, dh.transpose() * t.beta[i]));
  }

  void release(const Specimen<S>& x, const Seeds<S>& seeds, int i)
  {
    const Body<S>& body = x.model.body(i);
    const SmallMatrix<S>&Sv = t.Sv[i], &Su = t.Su[i];
    const SmallMatrix<S> dS = joint_columns(body, seeds.dS), dSu = t.picked(dS, t.u[i]), dSv = t.picked(dS, t.v[i]);
    const Matrix6<S>& I = t.I_hat[i];
    const Vector6<S> carried = t.A[i] * t.Vdot[body.parent], turned = ad_matrix(seeds.dh[i]) * carried;
    const Vector6<S> dcarried = t.A[i] * dVdot[body.parent] - turned;
    SmallVector<S> dtau_i = dtau.segment(body.v, body.nv), dqdd_i = dqdd.segment(body.v, body.nv);

    // While those in v do not accelerate, the joint gives the body eta + S_u qdd_u; so for the derivatives.
    const Vector6<S> arriving = carried + t.held[i];
    const Vector6<S> darriving = dcarried + deta[i] + dSu * t.picked(t.qdd[i], t.u[i]) + Su * t.picked(dqdd_i, t.u[i]);
    const SmallVector<S> rest = t.picked(t.tau[i], t.v[i]) - Sv.transpose() * (I * arriving + t.B_hat[i]);
    const SmallVector<S> drest = t.picked(dtau_i, t.v[i]) - dSv.transpose() * (I * arriving + t.B_hat[i]) -
                                 Sv.transpose() * (dI_hat[i] * arriving + I * darriving + dB_hat[i]);
    t.place(dqdd_i, t.v[i],
            SmallVector<S>(unless(DerivativeSlip::joint_acceleration, dPsi_[i] * rest) + t.Psi[i] * drest));

    const Matrix6<S> carry = slip_ == DerivativeSlip::printed_acceleration ? inverted(t.A[i]) : t.A[i];
    const Vector6<S> by_joint =
        Sv * t.picked(dqdd_i, t.v[i]) + unless(DerivativeSlip::held_acceleration, Su * t.picked(dqdd_i, t.u[i]));
    dVdot[i] = carry * dVdot[body.parent] - turned + dS * t.qdd[i] + by_joint + deta[i];
    const Matrix6<S> dI = slip_ == DerivativeSlip::articulated_wrench ? seeds.dI[i].matrix() : dI_hat[i];
    dF[i] = dI * t.Vdot[i] + I * dVdot[i] + dB_hat[i];
    t.place(dtau_i, t.u[i],
            SmallVector<S>(unless(DerivativeSlip::force, dSu.transpose() * t.F[i]) + Su.transpose() * dF[i]));
    dtau.segment(body.v, body.nv) = dtau_i;
    dqdd.segment(body.v, body.nv) = dqdd_i;
  }

  std::vector<SmallMatrix<S>> dPsi_;
  DerivativeSlip slip_;
};

}  // namespace articulate::validation
