/** \file
 *  \brief The derivative of inverse dynamics along any parameter.
 *
 *  - Paper: Kim 2012, section 4, Table 5, from \eq{kim,81} to \eq{kim,92}.
 *  - Chapter: \ref derivatives
 */
#pragma once
#include <articulate/derivatives/seeds.hpp>
#include <articulate/rnea/inverse_dynamics.hpp>

namespace articulate {

/** \brief The lines of the outward sweep of Tables 5 to 7: how the motion of each body changes.
 *
 *  Everything can be read afterwards; index 0 is the world.
 */
template <typename Scalar>
class RecursionDerivative {
public:
  Indexed<Twist<Scalar>> dV, deta, dVdot;  ///< of V, eta, Vdot, by body

  explicit RecursionDerivative(const Model<Scalar>& model) : dV(model.bodies() + 1), deta(dV.size()), dVdot(dV.size())
  {
  }

protected:
  // [derivative-outward]
  /// \f$\partial V_i\f$ and \f$\partial\eta_i\f$.
  void carry_velocity(const Body<Scalar>& body, const Recursion<Scalar>& r, Rates<Scalar> qd, const Seeds<Scalar>& s)
  {
    const int i = body.index;
    const Rates<Scalar> dqd(s.dqd);
    const Twist<Scalar> changed = sum(body, s.dS, qd) + r.S[i] * dqd(body);  // the derivative of S qd
    dV[i] = AdInv(r.T[i], dV[body.parent]) - ad(s.dh[i], AdInv(r.T[i], r.V[body.parent])) + changed;
    deta[i] = ad(dV[i], r.S[i] * qd(body)) + ad(r.V[i], changed) + sum(body, s.dSdot, qd);
    for (int k = 0; k < body.nv; ++k) deta[i] += dqd(body)[k] * r.S[i].rate(k, qd(body));
  }

  /// \f$\partial\dot V_i\f$.
  void carry_acceleration(const Body<Scalar>& body, const Recursion<Scalar>& r, Rates<Scalar> qdd, Rates<Scalar> dqdd,
                          const Seeds<Scalar>& s)
  {
    const int i = body.index;
    dVdot[i] = carried_acceleration(body, r, s) + sum(body, s.dS, qdd) + deta[i] + r.S[i] * dqdd(body);
  }

  /// The derivative of \f$\Ad_{T^{-1}}\dot V_{\lambda(i)}\f$ \eq{kim,87}.
  Twist<Scalar> carried_acceleration(const Body<Scalar>& body, const Recursion<Scalar>& r, const Seeds<Scalar>& s) const
  {
    const int i = body.index;
    return AdInv(r.T[i], dVdot[body.parent]) - ad(s.dh[i], AdInv(r.T[i], r.Vdot[body.parent]));
  }
  // [derivative-outward]

  /// \f$\sum_k x_k\,\partial S_k\f$ over the columns of one joint.
  static Twist<Scalar> sum(const Body<Scalar>& body, const Indexed<Twist<Scalar>>& columns, Rates<Scalar> x)
  {
    Twist<Scalar> all;
    for (int k = body.v; k < body.v + body.nv; ++k) all += x(k) * columns[k];
    return all;
  }
};

/// \brief \f$\partial(\mathcal I V)\f$-like changes of \f$-\ad^*_V\mathcal I V\f$: shared by Tables 5, 6 and 7.
template <typename Scalar>
Wrench<Scalar> bias_derivative(const Inertia<Scalar>& I, const Inertia<Scalar>& dI, const Twist<Scalar>& V,
                               const Twist<Scalar>& dV)
{
  return -coad(dV, I * V) - coad(V, dI * V + I * dV);
}

/** \brief Kim's Table 5: how the joint forces change with a parameter, in two sweeps and O(n).
 *
 *  Owns its workspace: a call allocates nothing.
 */
template <typename Scalar>
class InverseDynamicsDerivative : public RecursionDerivative<Scalar> {
  using Base = RecursionDerivative<Scalar>;
  using Base::carry_velocity, Base::carry_acceleration;

public:
  using Base::dV, Base::dVdot;

  Indexed<Wrench<Scalar>> dF;  ///< by body

  explicit InverseDynamicsDerivative(const Model<Scalar>& model)
      : Base(model), dF(dV.size()), dtau_(VectorX<Scalar>::Zero(model.nv()))
  {
  }

  /** \brief \f$\partial\tau/\partial p\f$.
   *  \param rnea    inverse dynamics, run at the state   \param qd, qdd  the nv rates and accelerations of that run
   *  \param seeds   what p moves
   *  \return        nv numbers, the unit of a force by that of p
   *  \throws StateError when inverse dynamics has not run
   */
  const VectorX<Scalar>& operator()(const InverseDynamics<Scalar>& rnea, const VectorRef<Scalar>& qd,
                                    const VectorRef<Scalar>& qdd, const Seeds<Scalar>& seeds)
  {
    const Model<Scalar>& model = rnea.model();
    detail::require_size("qd", qd, model.nv());
    detail::require_size("qdd", qdd, model.nv());
    rnea.require_run("motion to differentiate");
    // [table-five]
    dV[0] = seeds.dV0;
    dVdot[0] = seeds.dVdot0;
    for (const Body<Scalar>& body : model.outward()) {
      const int i = body.index;
      carry_velocity(body, rnea, qd, seeds);
      carry_acceleration(body, rnea, qdd, seeds.dqdd, seeds);
      dF[i] = seeds.dI[i] * rnea.Vdot[i] + body.I * dVdot[i] + bias_derivative(body.I, seeds.dI[i], rnea.V[i], dV[i]) -
              seeds.dFext[i];
    }
    dF[0] = {};
    const JointVector<Scalar> dtau(dtau_);
    for (const Body<Scalar>& body : model.inward()) {
      const int i = body.index, parent = body.parent;
      dtau(body) = transpose(rnea.S[i]) * dF[i];
      for (int k = body.v; k < body.v + body.nv; ++k) dtau(k) += pairing(rnea.F[i], seeds.dS[k]);
      dF[parent] += coAdInv(rnea.T[i], dF[i] - coad(seeds.dh[i], rnea.F[i]));  // (88)
    }
    // [table-five]
    return dtau_;
  }

private:
  VectorX<Scalar> dtau_;
};

/** \brief \f$\partial\tau/\partial p\f$ in one line, nv numbers: the unit of a force by that of p (Kim's Table 5).
 *
 *  The other arguments are those of inverse_dynamics(); see InverseDynamicsDerivative.
 */
template <typename Scalar>
VectorX<Scalar> inverse_dynamics_derivative(const Model<Scalar>& model, const Parameter& parameter,
                                            VectorArgument<Scalar> q, VectorArgument<Scalar> qd,
                                            VectorArgument<Scalar> qdd, const ExternalWrenches<Scalar>& Fext = {})
{
  InverseDynamics<Scalar> rnea(model);
  rnea(q, qd, qdd, Fext);
  return InverseDynamicsDerivative<Scalar>(model)(rnea, qd, qdd, seeds_of(parameter, rnea, qd));
}

}  // namespace articulate
