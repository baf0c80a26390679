/** \file
 *  \brief The derivative of forward and of hybrid dynamics along any parameter.
 *
 *  - Paper: Kim 2012, section 4, Tables 6 and 7.
 *  - Chapter: \ref derivatives
 *  - One line of the printed Table 6 is corrected: erratum E-kim-3.
 */
#pragma once
#include <articulate/aba/forward_dynamics.hpp>
#include <articulate/derivatives/inverse_derivative.hpp>  // the lines outward
#include <articulate/hybrid/hybrid_dynamics.hpp>

namespace articulate {

/** \brief Kim's Table 7, of which Table 6 is the case that nothing is prescribed: three sweeps and O(n).
 *
 *  \f$\Psi\f$ is never differentiated as a matrix. The joint's equation is \f$\tau_v = S_v^{\mathsf T}F\f$; it is differentiated and
 *  solved for the unknown accelerations with the pivots that are known. Owns its workspace: a call allocates nothing.
 */
template <typename Scalar>
class HybridDynamicsDerivative : public RecursionDerivative<Scalar> {
  using Base = RecursionDerivative<Scalar>;
  using Base::carry_velocity, Base::carry_acceleration;

public:
  using Base::dV, Base::deta, Base::dVdot;

  Indexed<ArticulatedInertia<Scalar>> dI_hat;  ///< by body
  Indexed<Wrench<Scalar>> dB_hat, dF;          ///< by body

  explicit HybridDynamicsDerivative(const Model<Scalar>& model)
      : Base(model),
        dI_hat(dV.size()),
        dB_hat(dV.size()),
        dF(dV.size()),
        dtau_(VectorX<Scalar>::Zero(model.nv())),
        dqdd_(dtau_)
  {
  }

  /** \brief \f$\partial\tau_u/\partial p\f$ and \f$\partial\ddot q_v/\partial p\f$.
   *  \param dynamics  forward or hybrid dynamics, run at the state
   *  \param qd, qdd   the nv rates of that run, and all nv accelerations after it
   *  \param seeds     what p moves, of dqdd in u only and of dtau in v only
   *  \throws StateError when the dynamics has not run
   */
  void operator()(const ArticulatedBodies<Scalar>& dynamics, const VectorRef<Scalar>& qd, const VectorRef<Scalar>& qdd,
                  const Seeds<Scalar>& seeds)
  {
    const Model<Scalar>& model = dynamics.model();
    detail::require_size("qd", qd, model.nv());
    detail::require_size("qdd", qdd, model.nv());
    dynamics.require_run("motion to differentiate");
    dtau_ = seeds.dtau;
    dqdd_ = seeds.dqdd;
    // [table-seven]
    dV[0] = seeds.dV0;
    dVdot[0] = seeds.dVdot0;
    for (const Body<Scalar>& body : model.outward()) {
      const int i = body.index;
      carry_velocity(body, dynamics, qd, seeds);
      dI_hat[i] = seeds.dI[i];
      dB_hat[i] = bias_derivative(body.I, seeds.dI[i], dynamics.V[i], dV[i]) - seeds.dFext[i];
    }
    for (const Body<Scalar>& body : model.inward()) gather(body, dynamics, qdd, seeds);
    for (const Body<Scalar>& body : model.outward()) release(body, dynamics, qdd, seeds);
    // [table-seven]
    first_run_.done();
  }

  /// \brief nv: those given in u, those found in v.   \throws StateError before the first run
  const VectorX<Scalar>& dqdd() const
  {
    first_run_.require("derivative of the accelerations");
    return dqdd_;
  }
  /// \brief nv: those given in v, those found in u.   \throws StateError before the first run
  const VectorX<Scalar>& dtau() const
  {
    first_run_.require("derivative of the joint forces");
    return dtau_;
  }

private:
  // [derivative-gather]
  /// Pass the derivatives of the remaining inertia and bias on to the parent.
  void gather(const Body<Scalar>& body, const ArticulatedBodies<Scalar>& d, Rates<Scalar> qdd, const Seeds<Scalar>& s)
  {
    const int i = body.index;
    if (body.parent == 0) return;
    const Pivot<Scalar>& pivot = d.pivot[i];

    // Columns S_v L^{-T}, for which S^T I_hat S is the diagonal of pivots.
    Twist<Scalar> S[6], dS[6];
    for (int k = 0; k < body.nv; ++k) S[k] = d.S[i].column(k), dS[k] = s.dS[body.v + k];
    pivot.reduce(S);
    pivot.reduce(dS);

    // The acceleration of the body if its parent has none, and the wrench that it then passes on.
    Twist<Scalar> a = d.eta[i], da = deta[i];
    for (int k = 0; k < body.nv; ++k) {
      const Scalar x = pivot.prescribed[k] ? qdd(body.v + k) : Scalar(d.u[body.v + k] * pivot.inverse(k));
      a += x * S[k];
      da += x * dS[k];
      if (pivot.prescribed[k]) da += dqdd_(body.v + k) * S[k];
    }
    const Wrench<Scalar> beta = d.I_hat[i] * a + d.B_hat[i];
    Wrench<Scalar> dbeta = dI_hat[i] * a + d.I_hat[i] * da + dB_hat[i];

    Scalar de[6];  // reduced as u was
    for (int k = 0; k < body.nv; ++k) de[k] = dtau_(body.v + k);
    pivot.reduce(de);
    ArticulatedInertia<Scalar> Pi = d.I_hat[i], dPi = dI_hat[i];
    Wrench<Scalar> dU[6];
    for (int k = 0; k < body.nv; ++k) dU[k] = dI_hat[i] * S[k] + d.I_hat[i] * dS[k];
    const Wrench<Scalar> dheld = dbeta;
    for (int k = 0; k < body.nv; ++k) {
      if (pivot.prescribed[k]) continue;
      const Wrench<Scalar>& U = d.U[body.v + k];
      const Scalar x = pivot.inverse(k) * (de[k] - pairing(beta, dS[k]) - pairing(dheld, S[k]));
      dbeta += x * U;
      Pi = Pi.without(pivot.inverse(k), U);
      Wrench<Scalar> W = pivot.inverse(k) * dU[k];
      for (int l = 0; l < body.nv; ++l) {
        if (pivot.prescribed[l]) continue;
        const Scalar dK = pairing(dU[k], S[l]) + pairing(d.U[body.v + k], dS[l]);
        W = W - dK * pivot.inverse(k) * pivot.inverse(l) / Scalar(2) * d.U[body.v + l];
      }
      dPi = dPi.without(W, U);
    }
    dI_hat[body.parent] += coAdInv(d.T[i], dPi - coad(s.dh[i], Pi));
    dB_hat[body.parent] += coAdInv(d.T[i], dbeta - coad(s.dh[i], beta));
  }
  // [derivative-gather]

  // [derivative-release]
  void release(const Body<Scalar>& body, const ArticulatedBodies<Scalar>& d, Rates<Scalar> qdd, const Seeds<Scalar>& s)
  {
    const int i = body.index;
    const Pivot<Scalar>& pivot = d.pivot[i];
    for (int k = 0; k < body.nv; ++k)
      if (!pivot.prescribed[k]) dqdd_(body.v + k) = Scalar(0);
    carry_acceleration(body, d, qdd, dqdd_, s);
    dF[i] = dI_hat[i] * d.Vdot[i] + d.I_hat[i] * dVdot[i] + dB_hat[i];  // while those in v do not accelerate

    Scalar x[6];
    for (int k = 0; k < body.nv; ++k)
      x[k] = dtau_(body.v + k) - pairing(d.F[i], s.dS[body.v + k]) - pairing(dF[i], d.S[i].column(k));
    pivot.reduce(x);
    pivot.solve(x);
    for (int k = 0; k < body.nv; ++k)
      if (!pivot.prescribed[k]) dqdd_(body.v + k) = x[k];
    for (int k = 0; k < body.nv; ++k) {
      if (pivot.prescribed[k]) continue;
      dVdot[i] += x[k] * d.S[i].column(k);
      dF[i] += d.I_hat[i] * (x[k] * d.S[i].column(k));
    }
    for (int k = 0; k < body.nv; ++k)
      if (pivot.prescribed[k])
        dtau_(body.v + k) = pairing(dF[i], d.S[i].column(k)) + pairing(d.F[i], s.dS[body.v + k]) +
                            pivot.armature[k] * dqdd_(body.v + k);
  }
  // [derivative-release]

  VectorX<Scalar> dtau_, dqdd_;
  detail::FirstRun first_run_;
};

/** \brief \f$\partial\ddot q/\partial p\f$ in one line, nv numbers: the unit of an acceleration by that of p (Kim's Table 6).
 *
 *  The other arguments are those of forward_dynamics(); see HybridDynamicsDerivative.
 */
template <typename Scalar>
VectorX<Scalar> forward_dynamics_derivative(const Model<Scalar>& model, const Parameter& parameter,
                                            VectorArgument<Scalar> q, VectorArgument<Scalar> qd,
                                            VectorArgument<Scalar> tau, const ExternalWrenches<Scalar>& Fext = {})
{
  ForwardDynamics<Scalar> aba(model);
  const VectorX<Scalar> qdd = aba(q, qd, tau, Fext);
  HybridDynamicsDerivative<Scalar> derivative(model);
  derivative(aba, qd, qdd, seeds_of(parameter, aba, qd));
  return derivative.dqdd();
}

/** \brief \f$\partial(\ddot q, \tau)/\partial p\f$ in one line, nv numbers each (Kim's Table 7).
 *
 *  The other arguments are those of hybrid_dynamics(); see HybridDynamicsDerivative.
 */
template <typename Scalar>
MotionAndForces<Scalar> hybrid_dynamics_derivative(const Model<Scalar>& model, const std::vector<bool>& prescribed,
                                                   const Parameter& parameter, VectorArgument<Scalar> q,
                                                   VectorArgument<Scalar> qd, VectorArgument<Scalar> qdd,
                                                   VectorArgument<Scalar> tau,
                                                   const ExternalWrenches<Scalar>& Fext = {})
{
  HybridDynamics<Scalar> dynamics(model, prescribed);
  dynamics(q, qd, qdd, tau, Fext);
  HybridDynamicsDerivative<Scalar> derivative(model);
  derivative(dynamics, qd, dynamics.qdd(), seeds_of(parameter, dynamics, qd));
  return {derivative.dqdd(), derivative.dtau()};
}

}  // namespace articulate
