/** \file
 *  \brief All first derivatives of forward and of hybrid dynamics at once.
 *
 *  - Paper: Kim 2012, section 4; the inverse of the mass matrix is never formed, see \eq{kim,34}.
 *  - Chapter: \ref derivatives
 */
#pragma once
#include <algorithm>
#include <articulate/aba/forward_dynamics.hpp>
#include <articulate/derivatives/jacobians.hpp>
#include <articulate/hybrid/hybrid_dynamics.hpp>

namespace articulate {

/** \brief \f$\partial(\tau_u, \ddot q_v)\f$ with respect to \f$q, \dot q\f$ and what is given, from half a response per column.
 *
 *  The equation of motion \f$\tau = \text{ID}(q, \dot q, \ddot q)\f$ holds along every change, so what inverse dynamics gains
 *  at held accelerations must be compensated by the unknown ones. The responses are those of ABA, from their inward halves.
 *  Rows of u are forces, rows of v accelerations; the columns of the last matrix likewise: accelerations given in u,
 *  forces given in v. With nothing prescribed these are the Jacobians of forward dynamics.
 *  Derivatives with respect to q are along joint displacements, as in InverseDynamicsJacobians.
 */
template <typename Scalar>
class HybridDynamicsJacobians {
public:
  MatrixX<Scalar> by_q, by_qd, by_given;  ///< nv x nv each

  explicit HybridDynamicsJacobians(const Model<Scalar>& model)
      : by_q(MatrixX<Scalar>::Zero(model.nv(), model.nv())),
        by_qd(by_q),
        by_given(by_q),
        F_(model.bodies() + 1),
        inverse_(model),
        tau_(VectorX<Scalar>::Zero(model.nv())),
        E_(by_q),
        e_(model.nv()),
        gain_v_(by_q),
        behind_(model.bodies() + 1)
  {
    for (const Body<Scalar>& body : model.inward()) {
      behind_[body.index] = std::max(behind_[body.index], body.v + body.nv);
      behind_[body.parent] = std::max(behind_[body.parent], behind_[body.index]);
    }
  }

  /** \brief Fill the three matrices.
   *  \param dynamics    forward or hybrid dynamics, run at the state; its articulated inertias are used
   *  \param q, qd, qdd  the nq coordinates and nv rates of that run, and all nv accelerations after it
   *  \param Fext        the external wrenches of that run
   *  \throws StateError when the dynamics has not run
   */
  void operator()(ArticulatedBodies<Scalar>& dynamics, const VectorRef<Scalar>& q, const VectorRef<Scalar>& qd,
                  const VectorRef<Scalar>& qdd, const ExternalWrenches<Scalar>& Fext = {})
  {
    dynamics.require_run("motion to differentiate");
    detail::require_size("q", q, dynamics.model().nq());
    if (!Fext.empty()) detail::require_size("Fext", Fext, dynamics.model().bodies() + 1);
    run_sweep<Scalar>([&] { transmit(dynamics, Fext); });
    inverse_(dynamics, F_, qd, qdd);
    run_sweep<Scalar>([&] { respond(dynamics); });
    chain(dynamics, inverse_.dtau_dq, by_q);
    chain(dynamics, inverse_.dtau_dqd, by_qd);
  }

private:
  /// The wrenches that the joints transmit, from what each body needs for its motion.
  void transmit(const ArticulatedBodies<Scalar>& dynamics, const ExternalWrenches<Scalar>& Fext)
  {
    std::fill(F_.begin(), F_.end(), Wrench<Scalar>{});
    for (const Body<Scalar>& body : dynamics.model().inward()) {
      const int i = body.index;
      F_[i] += newton_euler(body.I, dynamics.V[i], dynamics.Vdot[i]);  // (31)
      if (!Fext.empty()) F_[i] = F_[i] - Fext[i];
      dynamics.gather_force(body, F_, tau_);  // what the motors bear is known
    }
  }

  // [hybrid-jacobians]
  /** \brief How the unknowns respond to a unit of each given quantity.
   *
   *  Two quantities meet at the joints that carry both: where a joint yields by the product of what it feels of them
   *  \eq{ours,21}, where it does not, if it is the joint of one of them, by what that feels of the other.
   */
  void respond(ArticulatedBodies<Scalar>& dynamics)
  {
    const Model<Scalar>& model = dynamics.model();
    for (const Body<Scalar>& body : model.outward())
      for (int k = body.v; k < body.v + body.nv; ++k) dynamics.feel(body, k, E_.col(k));
    by_given.setZero();
    for (const Body<Scalar>& body : model.outward()) {
      const int v = body.v, end = behind_[body.index], m = end - v;
      for (int a = v; a < v + body.nv; ++a) {
        auto e = e_.segment(v, m);
        e = E_.row(a).segment(v, m).transpose();
        if (!dynamics.is_prescribed(a)) {
          by_given.block(v, v, m, m).noalias() += e * (dynamics.pivot[body.index].inverse(a - v) * e).transpose();
          continue;
        }
        const auto behind = e_.segment(a + 1, end - a - 1);
        by_given(a, a) += e_(a);
        by_given.col(a).segment(a + 1, end - a - 1) += behind;
        by_given.row(a).segment(a + 1, end - a - 1) += behind.transpose();
      }
    }
    // The force at a prescribed joint is the opposite of what the joint feels.
    for (int j = 0; j < model.nv(); ++j)
      if (dynamics.is_prescribed(j)) by_given.row(j) = -by_given.row(j);
  }
  // [hybrid-jacobians]

  // [chain]
  /// What inverse dynamics gains at held accelerations stays in the forces in u; in v it is an excess force.
  void chain(const ArticulatedBodies<Scalar>& dynamics, const MatrixX<Scalar>& gain, MatrixX<Scalar>& by)
  {
    gain_v_ = gain;
    by.setZero();
    for (int j = 0; j < gain.rows(); ++j)
      if (dynamics.is_prescribed(j)) {
        by.row(j) = gain.row(j);
        gain_v_.row(j).setZero();
      }
    by.noalias() -= by_given * gain_v_;
  }
  // [chain]

  Indexed<Wrench<Scalar>> F_;  // by body: what its joint transmits
  InverseDynamicsJacobians<Scalar> inverse_;
  VectorX<Scalar> tau_;
  MatrixX<Scalar> E_;  // column k: what each joint feels of a unit given at k; nothing if it does not carry k
  VectorX<Scalar> e_;  // a row of it
  MatrixX<Scalar> gain_v_;
  Indexed<int> behind_;  // by body: where the degrees of what it carries, which follow its own, end
};

/** \brief \f$\partial\ddot q/\partial q,\ \partial\ddot q/\partial\dot q,\ \partial\ddot q/\partial\tau = M^{-1}\f$ in one line, by
 *  \eq{kim,34}; with respect to q along joint displacements, see HybridDynamicsJacobians.
 */
template <typename Scalar>
DynamicsJacobians<Scalar> forward_dynamics_jacobians(const Model<Scalar>& model, VectorArgument<Scalar> q,
                                                     VectorArgument<Scalar> qd, VectorArgument<Scalar> tau,
                                                     const ExternalWrenches<Scalar>& Fext = {})
{
  ForwardDynamics<Scalar> aba(model);
  const VectorX<Scalar> qdd = aba(q, qd, tau, Fext);
  HybridDynamicsJacobians<Scalar> of(model);
  of(aba, q, qd, qdd, Fext);
  return {of.by_q, of.by_qd, of.by_given};
}

/** \brief First derivatives of what hybrid dynamics finds, \f$\tau_u\f$ and \f$\ddot q_v\f$, in one line: rows of u are forces,
 *  columns of u in `by_given` accelerations; see HybridDynamicsJacobians.
 */
template <typename Scalar>
DynamicsJacobians<Scalar> hybrid_dynamics_jacobians(const Model<Scalar>& model, const std::vector<bool>& prescribed,
                                                    VectorArgument<Scalar> q, VectorArgument<Scalar> qd,
                                                    VectorArgument<Scalar> qdd, VectorArgument<Scalar> tau,
                                                    const ExternalWrenches<Scalar>& Fext = {})
{
  HybridDynamics<Scalar> dynamics(model, prescribed);
  dynamics(q, qd, qdd, tau, Fext);
  HybridDynamicsJacobians<Scalar> of(model);
  of(dynamics, q, qd, dynamics.qdd(), Fext);
  return {of.by_q, of.by_qd, of.by_given};
}

}  // namespace articulate
