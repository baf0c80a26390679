#include <articulate/derivatives/hybrid_second_derivatives.hpp>
#include <articulate/derivatives/jacobians.hpp>
#include <articulate/derivatives/link_derivatives.hpp>
#include <articulate/derivatives/second_derivatives.hpp>
#include <articulate/lagrange/regressor.hpp>
#include <articulate/skew_symmetry/coriolis_matrix.hpp>
#include <reference/library_state.hpp>

namespace articulate::reference {
namespace {

/// What forces and energies are linear in: the ten numbers of every body.
template <typename I>
void add_regressors(Answers& answers, const LibraryState<I>& state, const Mechanism& mechanism)
{
  const auto& [model, q, qd, qdd, tau, none, Fext] = state;
  Regressor<I> regressor(model);
  answers["torque_regressor"] = table(regressor(q, qd, qdd));
  answers["kinetic_energy_regressor"] = table(MatrixX<I>(regressor.kinetic().transpose()));
  answers["potential_energy_regressor"] = table(MatrixX<I>(regressor.potential().transpose()));
  answers["gravity_regressor"] = table(regressor.at_rest(q));
  InverseDynamics<I> inverse_dynamics(model);
  inverse_dynamics(q, qd, qdd);
  answers["tip_regressor"] = table(link_regressor(inverse_dynamics, model.link(mechanism.links.back().name)));
}

/// How the Jacobian of the last link changes.
template <typename I>
void add_tip_rates(Answers& answers, const LibraryState<I>& state, const Mechanism& mechanism)
{
  ForwardKinematics<I> kinematics(state.model);
  kinematics(state.q, state.qd);
  const LinkFrame<I>& tip = state.model.link(mechanism.links.back().name);
  const auto rate = [&](JacobianFrame frame) { return table(kinematics.link_jacobian_rate(tip, state.qd, frame)); };
  answers["tip_jacobian_rate"] = rate(JacobianFrame::mixed);
  answers["tip_body_jacobian_rate"] = rate(JacobianFrame::link);
  answers["tip_spatial_jacobian_rate"] = rate(JacobianFrame::world);
}

/// What the motion of the last link changes with.
template <typename I>
void add_tip_derivatives(Answers& answers, const LibraryState<I>& state, const Mechanism& mechanism)
{
  const LinkFrame<I>& tip = state.model.link(mechanism.links.back().name);
  const LinkMotionJacobians<I> by = link_motion_jacobians<I>(state.model, tip, state.q, state.qd, state.qdd);
  answers["tip_twist_by_q"] = table(by.twist_by_q);
  answers["tip_twist_rate_by_q"] = table(by.acceleration_by_q);
  answers["tip_twist_rate_by_qd"] = table(by.acceleration_by_qd);
}

/// What the forces of a motion change with.
template <typename I>
InverseDynamicsJacobians<I> jacobians(const LibraryState<I>& state, const VectorX<I>& qd, const VectorX<I>& qdd,
                                      const ExternalWrenches<I>& Fext)
{
  InverseDynamics<I> inverse_dynamics(state.model);
  inverse_dynamics(state.q, qd, qdd, Fext);
  InverseDynamicsJacobians<I> by(state.model);
  by(inverse_dynamics, qd, qdd);
  return by;
}

template <typename I>
void add_first_derivatives(Answers& answers, const LibraryState<I>& state, const VectorX<I>& motion,
                           const MatrixX<I>& M_inverse)
{
  const InverseDynamicsJacobians<I> given = jacobians(state, state.qd, state.qdd, state.Fext);
  answers["inverse_dynamics_by_q"] = table(given.dtau_dq);
  answers["inverse_dynamics_by_qd"] = table(given.dtau_dqd);
  answers["gravity_force_by_q"] = table(jacobians<I>(state, state.none, state.none, {}).dtau_dq);
  const InverseDynamicsJacobians<I> here = jacobians(state, state.qd, motion, state.Fext);
  answers["forward_dynamics_by_q"] = table(MatrixX<I>(-(M_inverse * here.dtau_dq)));
  answers["forward_dynamics_by_qd"] = table(MatrixX<I>(-(M_inverse * here.dtau_dqd)));
}

/// By the number of the force a block of rows.
template <typename I>
Table stacked(const Hessians<I>& all)
{
  const auto n = static_cast<Eigen::Index>(all.size());
  MatrixX<I> rows(n * n, n);
  for (Eigen::Index i = 0; i < n; ++i) rows.middleRows(n * i, n) = all[i];
  return table(rows);
}

template <typename I>
void add_second_derivatives(Answers& answers, const LibraryState<I>& state)
{
  InverseDynamics<I> inverse_dynamics(state.model);
  inverse_dynamics(state.q, state.qd, state.qdd, state.Fext);
  InverseDynamicsSecondDerivatives<I> second(state.model);
  second(inverse_dynamics, state.qd, state.qdd);
  answers["inverse_dynamics_by_q_q"] = stacked<I>(second.dq_dq);
  answers["inverse_dynamics_by_q_qd"] = stacked<I>(second.dq_dqd);
  answers["inverse_dynamics_by_qd_qd"] = stacked<I>(second.dqd_dqd);
  answers["mass_matrix_by_q"] = stacked<I>(second.dq_dqdd);
  const DynamicsHessians<I> motion =
      forward_dynamics_hessians<I>(state.model, state.q, state.qd, state.tau, state.Fext);
  answers["forward_dynamics_by_q_q"] = stacked<I>(motion.q_q);
  answers["forward_dynamics_by_q_qd"] = stacked<I>(motion.q_qd);
  answers["forward_dynamics_by_qd_qd"] = stacked<I>(motion.qd_qd);
  answers["inverse_mass_matrix_by_q"] = stacked<I>(motion.q_given);
}

}  // namespace

template <typename I>
void add_derivatives(Answers& answers, const Problem& problem, const LibraryState<I>& state, const VectorX<I>& motion,
                     const MatrixX<I>& M_inverse)
{
  if (!problem.is_small()) return;
  add_regressors(answers, state, problem.in.mechanism);
  add_tip_rates(answers, state, problem.in.mechanism);
  if (!problem.has_quaternions())
    answers["coriolis_matrix"] = table(coriolis_matrix<I>(state.model, state.q, state.qd));
  if (problem.loops.empty()) {
    add_tip_derivatives(answers, state, problem.in.mechanism);
    add_first_derivatives(answers, state, motion, M_inverse);
  }
  if (problem.is_tiny()) add_second_derivatives(answers, state);
}

template void add_derivatives(Answers&, const Problem&, const LibraryState<Interval<mpfi>>&,
                              const VectorX<Interval<mpfi>>&, const MatrixX<Interval<mpfi>>&);
template void add_derivatives(Answers&, const Problem&, const LibraryState<Interval<arb>>&,
                              const VectorX<Interval<arb>>&, const MatrixX<Interval<arb>>&);

}  // namespace articulate::reference
