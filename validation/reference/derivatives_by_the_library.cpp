#include <algorithm>
#include <articulate/constrained/loops.hpp>
#include <articulate/derivatives/centroidal_derivatives.hpp>
#include <articulate/derivatives/hybrid_second_derivatives.hpp>
#include <articulate/derivatives/inverse_derivative.hpp>
#include <articulate/derivatives/jacobians.hpp>
#include <articulate/derivatives/kinematic_hessian.hpp>
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

/// How the Jacobian of the last link changes with the coordinates: row nv i + j is row i of its derivative with respect to q_j.
template <typename I>
void add_tip_hessians(Answers& answers, const LibraryState<I>& state, const Mechanism& mechanism)
{
  ForwardKinematics<I> kinematics(state.model);
  kinematics(state.q, state.qd);
  const LinkFrame<I>& tip = state.model.link(mechanism.links.back().name);
  const auto stacked = [&](JacobianFrame frame) {
    const Indexed<MatrixX<I>> by = link_jacobian_derivatives(kinematics, tip, frame);
    const int n = state.model.nv();
    MatrixX<I> rows(6 * n, n);
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < n; ++j) rows.row(n * i + j) = by[j].row(i);
    return table(rows);
  };
  answers["tip_jacobian_by_q"] = stacked(JacobianFrame::mixed);
  answers["tip_body_jacobian_by_q"] = stacked(JacobianFrame::link);
  answers["tip_spatial_jacobian_by_q"] = stacked(JacobianFrame::world);
}

/// What the momentum of the whole, and the rate of this momentum, change with.
template <typename I>
void add_centroidal_derivatives(Answers& answers, const LibraryState<I>& state)
{
  const Model<I>& model = state.model;
  CentroidalJacobians<I> by = centroidal_jacobians<I>(model, state.q, state.qd, state.qdd);
  // A slide that nothing turns and that carries the whole changes neither: zeros, for which the recursion has terms that
  // cancel.
  const Body<I>& base = model.outward().front();
  const bool carries_all = std::ranges::count(model.outward(), 0, &Body<I>::parent) == 1;
  for (int k = base.v; carries_all && k < base.v + base.nv; ++k) {
    if (model.rate_is_angular(k) && base.kind != JointKind::free) break;
    if (model.rate_is_angular(k)) continue;
    by.momentum_by_q.col(k).setZero();
    by.rate_by_q.col(k).setZero();
  }
  answers["centroidal_momentum_by_q"] = table(by.momentum_by_q);
  answers["centroidal_momentum_rate_by_q"] = table(by.rate_by_q);
  answers["centroidal_momentum_rate_by_qd"] = table(by.rate_by_qd);
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

/** What the equations of an impulse gain when a coordinate is displaced, with all else held: the sum y of the rates, and the
 *  sizes of the impulses. The machine is at rest, and has y as accelerations; see LoopImpulseDerivative.
 */
template <typename I>
class ImpulseGain {
public:
  VectorX<I> of_forces, of_rows;

  ImpulseGain(const LibraryState<I>& state, const Loops<I>& loops, const VectorX<I>& y, const VectorX<I>& impulses)
      : state_(state), loops_(loops), y_(y), impulses_(impulses), rnea_(state.model), derivative_(state.model)
  {
    rnea_.set_gravity({});
    ExternalWrenches<I> F(state.model.bodies() + 1);
    loops.add_reactions(impulses, F);
    rnea_(state.q, state.none, y, F);
  }

  void along(int coordinate)
  {
    Seeds<I> seeds = seeds_of<I>(Parameter::coordinate(coordinate), rnea_, state_.none);
    Indexed<Twist<I>> displacement(state_.model.bodies() + 1);
    for (const Body<I>& body : state_.model.outward())
      displacement[body.index] = AdInv(rnea_.T[body.index], displacement[body.parent]) + seeds.dh[body.index];
    loops_.add_reaction_derivatives(impulses_, displacement, seeds.dFext);
    of_forces = derivative_(rnea_, state_.none, y_, seeds);
    of_rows = loops_.acceleration_derivative(rnea_, derivative_.dV, derivative_.dVdot, displacement);
  }

private:
  const LibraryState<I>& state_;
  const Loops<I>& loops_;
  const VectorX<I>&y_, &impulses_;
  InverseDynamics<I> rnea_;
  InverseDynamicsDerivative<I> derivative_;
};

/// How the momentum of the same rates changes when the machine is displaced.
template <typename I>
MatrixX<I> momentum_by_q(const LibraryState<I>& state, const VectorX<I>& rates)
{
  InverseDynamics<I> at_rest(state.model);
  at_rest.set_gravity({});
  at_rest(state.q, state.none, rates);
  InverseDynamicsJacobians<I> by(state.model);
  by(at_rest, state.none, rates);
  return by.dtau_dq;
}

}  // namespace

template <typename I>
void add_impulse(Answers& answers, const Problem& problem, const LibraryState<I>& state, const MatrixX<I>& M)
{
  Loops<I> loops(state.model, problem.loops);
  loops(state.q, state.none);
  const ClosedSystem<I> system(M, loops.A);
  const VectorX<I> before = exactly<I>(problem.in.qd);
  const I restitution(impulse_restitution), all_of_it = I(1) + restitution;
  const ClosedMotion<I> jump = system.motion(state.none, -all_of_it * (loops.A * before));
  answers["impulse_rates"] = table(VectorX<I>(before + jump.qdd));
  answers["loop_impulses"] = table(jump.multipliers);
  answers["joint_impulses"] = table(jump.constraint_forces);
  if (!problem.is_small()) return;

  const Eigen::Index n = before.size(), m = jump.multipliers.size();
  const VectorX<I> y = before + jump.qdd + restitution * before;
  const MatrixX<I> momentum = momentum_by_q(state, before);
  ImpulseGain<I> gain(state, loops, y, jump.multipliers);
  MatrixX<I> rates_by_q(n, n), rates_by_qd(n, n), impulses_by_q(m, n), impulses_by_qd(m, n);
  for (Eigen::Index k = 0; k < n; ++k) {
    gain.along(static_cast<int>(k));
    const ClosedMotion<I> by_q = system.motion(all_of_it * momentum.col(k) - gain.of_forces, -gain.of_rows);
    rates_by_q.col(k) = by_q.qdd, impulses_by_q.col(k) = by_q.multipliers;
    const ClosedMotion<I> by_qd = system.motion(state.none, -all_of_it * loops.A.col(k));
    rates_by_qd.col(k) = VectorX<I>::Unit(n, k) + by_qd.qdd, impulses_by_qd.col(k) = by_qd.multipliers;
  }
  answers["impulse_rates_by_q"] = table(rates_by_q);
  answers["impulse_rates_by_qd"] = table(rates_by_qd);
  answers["loop_impulses_by_q"] = table(impulses_by_q);
  answers["loop_impulses_by_qd"] = table(impulses_by_qd);
}

template <typename I>
void add_derivatives(Answers& answers, const Problem& problem, const LibraryState<I>& state, const VectorX<I>& motion,
                     const MatrixX<I>& M_inverse)
{
  if (!problem.is_small()) return;
  add_regressors(answers, state, problem.in.mechanism);
  add_tip_rates(answers, state, problem.in.mechanism);
  add_tip_hessians(answers, state, problem.in.mechanism);
  if (!problem.has_quaternions())
    answers["coriolis_matrix"] = table(coriolis_matrix<I>(state.model, state.q, state.qd));
  if (problem.loops.empty()) {
    add_tip_derivatives(answers, state, problem.in.mechanism);
    add_centroidal_derivatives(answers, state);
    add_first_derivatives(answers, state, motion, M_inverse);
  }
  if (problem.is_tiny()) add_second_derivatives(answers, state);
}

template void add_impulse(Answers&, const Problem&, const LibraryState<Interval<mpfi>>&,
                          const MatrixX<Interval<mpfi>>&);
template void add_impulse(Answers&, const Problem&, const LibraryState<Interval<arb>>&, const MatrixX<Interval<arb>>&);
template void add_derivatives(Answers&, const Problem&, const LibraryState<Interval<mpfi>>&,
                              const VectorX<Interval<mpfi>>&, const MatrixX<Interval<mpfi>>&);
template void add_derivatives(Answers&, const Problem&, const LibraryState<Interval<arb>>&,
                              const VectorX<Interval<arb>>&, const MatrixX<Interval<arb>>&);

}  // namespace articulate::reference
