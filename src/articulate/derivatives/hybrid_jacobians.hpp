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
        inverse_(model),
        E_(by_q),
        e_(model.nv()),
        behind_(model.bodies() + 1)
  {
    for (const Body<Scalar>& body : model.inward()) {
      behind_[body.index] = std::max(behind_[body.index], body.v + body.nv);
      behind_[body.parent] = std::max(behind_[body.parent], behind_[body.index]);
    }
  }

  /** \brief Fill the three matrices.
   *  \param dynamics    forward or hybrid dynamics, run at the state; its articulated inertias and its wrenches are used
   *  \param q, qd, qdd  the nq coordinates and nv rates of that run, and all nv accelerations after it
   *  \throws StateError when the dynamics has not run
   */
  void operator()(ArticulatedBodies<Scalar>& dynamics, const VectorRef<Scalar>& q, const VectorRef<Scalar>& qd,
                  const VectorRef<Scalar>& qdd)
  {
    dynamics.require_run("motion to differentiate");
    detail::require_size("q", q, dynamics.model().nq());
    inverse_(dynamics, dynamics.F, qd, qdd);
    run_sweep<Scalar>([&] { respond(dynamics); });
    chain(dynamics, inverse_.dtau_dq, by_q);
    chain(dynamics, inverse_.dtau_dqd, by_qd);
  }

private:
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
    // What adds up is symmetric: the half below the diagonal is enough.
    for (const Body<Scalar>& body : model.outward()) {
      const int v = body.v, end = behind_[body.index];
      for (int a = v; a < v + body.nv; ++a) {
        e_.segment(v, end - v) = E_.row(a).segment(v, end - v).transpose();
        const auto add_to_column = [&](int k, const Scalar& c) {
          for (int j = k; j < end; ++j) by_given.coeffRef(j, k) += c * e_.coeff(j);
        };
        if (dynamics.is_prescribed(a))
          add_to_column(a, Scalar(1));
        else
          for (int k = v; k < end; ++k) add_to_column(k, dynamics.pivot[body.index].inverse(a - v) * e_(k));
      }
    }
    by_given.template triangularView<Eigen::StrictlyUpper>() = by_given.transpose();
    // The force at a prescribed joint is the opposite of what the joint feels.
    for (int j = 0; j < model.nv(); ++j)
      if (dynamics.is_prescribed(j)) by_given.row(j) = -by_given.row(j);
  }
  // [hybrid-jacobians]

  // [chain]
  /// What inverse dynamics gains at held accelerations stays in the forces in u; in v it is an excess force.
  void chain(const ArticulatedBodies<Scalar>& dynamics, MatrixX<Scalar>& gain, MatrixX<Scalar>& by)
  {
    by.setZero();
    for (int j = 0; j < gain.rows(); ++j)
      if (dynamics.is_prescribed(j)) by.row(j).swap(gain.row(j));
    by.noalias() -= by_given * gain;
  }
  // [chain]

  InverseDynamicsJacobians<Scalar> inverse_;
  MatrixX<Scalar> E_;    // column k: what each joint feels of a unit given at k; nothing if it does not carry k
  VectorX<Scalar> e_;    // a row of it
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
  of(aba, q, qd, qdd);
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
  of(dynamics, q, qd, dynamics.qdd());
  return {of.by_q, of.by_qd, of.by_given};
}

}  // namespace articulate
