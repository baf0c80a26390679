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

/** \brief The lines of Tables 5 to 7 that lead outward: how the motion of each body changes.
 *
 *  Everything can be read afterwards; index 0 is the world.
 */
template <typename Scalar>
class RecursionDerivative {
public:
  std::vector<Twist<Scalar>> dV, deta, dVdot;  ///< of V, eta, Vdot, by body

  explicit RecursionDerivative(const Model<Scalar>& model) : dV(model.bodies() + 1), deta(dV.size()), dVdot(dV.size())
  {
  }

protected:
  // [derivative-outward]
  /// \f$\partial V_i\f$ and \f$\partial\eta_i\f$.
  void carry_velocity(const Body<Scalar>& body, const Recursion<Scalar>& r, const Scalar* qd, const Seeds<Scalar>& s)
  {
    const int i = body.index;
    const Twist<Scalar> dS_qd = sum(body, s.dS, qd), S_dqd = r.S[i] * (s.dqd.data() + body.v);
    const Twist<Scalar> S_qd = r.S[i] * (qd + body.v);
    dV[i] = AdInv(r.T[i], dV[body.parent]) - ad(s.dh[i], AdInv(r.T[i], r.V[body.parent])) + dS_qd + S_dqd;
    deta[i] = ad(dV[i], S_qd) + ad(r.V[i], dS_qd + S_dqd) + sum(body, s.dSdot, qd);
    for (int k = 0; k < body.nv; ++k) deta[i] += s.dqd(body.v + k) * r.S[i].rate(k, qd + body.v);
  }

  /// \f$\partial\dot V_i\f$.
  void carry_acceleration(const Body<Scalar>& body, const Recursion<Scalar>& r, const Scalar* qdd, const Scalar* dqdd,
                          const Seeds<Scalar>& s)
  {
    const int i = body.index;
    dVdot[i] = carried_acceleration(body, r, s) + sum(body, s.dS, qdd) + r.S[i] * (dqdd + body.v) + deta[i];
  }

  /// The derivative of \f$\Ad_{T^{-1}}\dot V_{\lambda(i)}\f$ \eq{kim,87}.
  Twist<Scalar> carried_acceleration(const Body<Scalar>& body, const Recursion<Scalar>& r, const Seeds<Scalar>& s) const
  {
    const int i = body.index;
    return AdInv(r.T[i], dVdot[body.parent]) - ad(s.dh[i], AdInv(r.T[i], r.Vdot[body.parent]));
  }
  // [derivative-outward]

  /// \f$\sum_k x_k\,\partial S_k\f$ over the columns of one joint.
  static Twist<Scalar> sum(const Body<Scalar>& body, const std::vector<Twist<Scalar>>& columns, const Scalar* x)
  {
    Twist<Scalar> all;
    for (int k = body.v; k < body.v + body.nv; ++k) all += x[k] * columns[k];
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
public:
  std::vector<Wrench<Scalar>> dF;  ///< by body

  explicit InverseDynamicsDerivative(const Model<Scalar>& model)
      : RecursionDerivative<Scalar>(model), dF(this->dV.size()), dtau_(VectorX<Scalar>::Zero(model.nv()))
  {
  }

  /** \brief \f$\partial\tau/\partial p\f$.
   *  \param rnea    inverse dynamics, run at the state   \param qd, qdd  the nv rates and accelerations of that run
   *  \param seeds   what p moves
   *  \return        nv numbers, the unit of a force by that of p
   */
  const VectorX<Scalar>& operator()(const InverseDynamics<Scalar>& rnea, const VectorRef<Scalar>& qd,
                                    const VectorRef<Scalar>& qdd, const Seeds<Scalar>& seeds)
  {
    const Model<Scalar>& model = rnea.model();
    detail::require_size("qd", qd, model.nv());
    detail::require_size("qdd", qdd, model.nv());
    // [table-five]
    this->dV[0] = seeds.dV0;
    this->dVdot[0] = seeds.dVdot0;
    for (int i = 1; i <= model.bodies(); ++i) {
      const Body<Scalar>& body = model.body(i);
      this->carry_velocity(body, rnea, qd.data(), seeds);
      this->carry_acceleration(body, rnea, qdd.data(), seeds.dqdd.data(), seeds);
      dF[i] = seeds.dI[i] * rnea.Vdot[i] + body.I * this->dVdot[i] +
              bias_derivative(body.I, seeds.dI[i], rnea.V[i], this->dV[i]) - seeds.dFext[i];
    }
    for (int i = model.bodies(); i >= 1; --i) {
      const Body<Scalar>& body = model.body(i);
      rnea.S[i].project(dF[i], dtau_.data() + body.v);
      for (int k = body.v; k < body.v + body.nv; ++k) dtau_(k) += pairing(rnea.F[i], seeds.dS[k]);
      dF[body.parent] += coAdInv(rnea.T[i], dF[i] - coad(seeds.dh[i], rnea.F[i]));  // (88)
    }
    // [table-five]
    return dtau_;
  }

private:
  VectorX<Scalar> dtau_;
};

}  // namespace articulate
