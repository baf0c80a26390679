/** \file
 *  \brief The library's answers to a case as a user asks for them, in any scalar.
 */
#pragma once
#include <array>
#include <map>
#include <string>
#include <articulate/aba/forward_dynamics.hpp>
#include <articulate/aba/inverse_mass_matrix.hpp>
#include <articulate/aba/mobility.hpp>
#include <articulate/derivatives/centroidal_derivatives.hpp>
#include <articulate/derivatives/hybrid_second_derivatives.hpp>
#include <articulate/derivatives/kinematic_hessian.hpp>
#include <articulate/derivatives/link_derivatives.hpp>
#include <articulate/derivatives/loop_impulse_derivative.hpp>
#include <articulate/group/matrices.hpp>
#include <articulate/lagrange/centroidal_momentum.hpp>
#include <articulate/lagrange/composite_body.hpp>
#include <articulate/lagrange/regressor.hpp>
#include <articulate/skew_symmetry/coriolis_matrix.hpp>
#include <reference/answers.hpp>

namespace articulate::reference {

/// \brief Rates or accelerations, and a scalar that tells the motion from the places (see RandomlyRounded) is told so.
template <typename Scalar>
VectorX<Scalar> moving(VectorX<Scalar> x)
{
  if constexpr (requires(Scalar y) { y.set_moving(); })
    for (Scalar& y : x) y.set_moving();
  return x;
}

/** \brief What a user asks the library for: of a tree everything, of a machine with loops the impulse. */
template <typename Scalar>
class LibraryAnswers {
public:
  std::map<std::string, MatrixX<Scalar>> answers;

  /** \brief Answer.
   *  \param closed  where the loops are closed, each coordinate as two numbers whose sum is rounded
   */
  explicit LibraryAnswers(const Problem& problem, const std::vector<std::array<double, 2>>& closed = {})
      : in_(problem.in),
        model_(Model<double>(in_.mechanism, {in_.options.floating_base, true})),
        q_(exactly<Scalar>(in_.q)),
        qd_(moving(exactly<Scalar>(in_.qd))),
        qdd_(moving(exactly<Scalar>(in_.qdd))),
        tau_(exactly<Scalar>(in_.tau)),
        Fext_(model_.bodies() + 1)
  {
    for (std::size_t l = 0; l < in_.link_wrenches.size(); ++l) {
      const auto& x = in_.link_wrenches[l];
      const LinkFrame<Scalar>& link = model_.link(in_.mechanism.links[l].name);
      Fext_[link.body] += coAdInv(link.X, Wrench<Scalar>{{Scalar(x[0]), Scalar(x[1]), Scalar(x[2])},
                                                         {Scalar(x[3]), Scalar(x[4]), Scalar(x[5])}});
    }
    if (!problem.loops.empty()) {
      for (std::size_t k = 0; k < closed.size(); ++k)
        q_(static_cast<Eigen::Index>(k)) = Scalar(closed[k][0]) + Scalar(closed[k][1]);
      add_impulse(problem);
      return;
    }
    add_dynamics();
    add_links();
    add_whole();
    if (problem.is_small()) add_small();
    if (!problem.has_quaternions()) answers["coriolis_matrix"] = coriolis_matrix(model_, q_, qd_);
    if (problem.is_tiny()) add_tiny();
    // The newest come last: roundings at random are drawn in the order of the answers, and those of the others stay the same.
    if (problem.is_small()) add_derivatives_of_the_whole(), add_tip_hessians();
  }

private:
  static MatrixX<Scalar> one(Scalar x) { return MatrixX<Scalar>::Constant(1, 1, x); }
  const LinkFrame<Scalar>& tip() const { return model_.link(in_.mechanism.links.back().name); }

  void add_dynamics()
  {
    answers["inverse_dynamics"] = inverse_dynamics(model_, q_, qd_, qdd_, Fext_);
    answers["forward_dynamics"] = forward_dynamics(model_, q_, qd_, tau_, Fext_);
    answers["bias"] = bias_force(model_, q_, qd_, Fext_);
    answers["gravity_force"] = gravity_force(model_, q_);
    answers["coriolis_force"] = coriolis_force(model_, q_, qd_);
    answers["mass_matrix"] = mass_matrix(model_, q_);
    answers["inverse_mass_matrix"] = inverse_mass_matrix(model_, q_);
    answers["kinetic_energy"] = one(kinetic_energy(model_, q_, qd_));
    answers["potential_energy"] = one(potential_energy(model_, q_));
    answers["mechanical_energy"] = one(mechanical_energy(model_, q_, qd_));
  }

  void add_links()
  {
    SpaceMotion<Scalar> motion(model_);
    motion(q_, qd_, qdd_);
    const auto links = static_cast<Eigen::Index>(in_.mechanism.links.size());
    const auto for_each = [&](const char* name, int columns, const auto& f) {
      MatrixX<Scalar> rows(links, columns);
      for (Eigen::Index l = 0; l < links; ++l)
        rows.row(l) = f(model_.link(in_.mechanism.links[static_cast<std::size_t>(l)].name)).transpose();
      answers[name] = rows;
    };
    for_each("link_positions", 3, [&](const auto& link) { return motion.link_pose(link).p.eigen(); });
    for_each("link_twists", 6, [&](const auto& link) { return coordinates(motion.link_twist(link)); });
    for_each("link_twist_rates", 6, [&](const auto& link) { return coordinates(motion.link_acceleration(link)); });
    for_each("link_accelerations", 6, [&](const auto& link) {
      return coordinates(motion.link_classical_acceleration(link, JacobianFrame::mixed));
    });
    for_each("link_spatial_accelerations", 6,
             [&](const auto& link) { return coordinates(motion.link_acceleration(link, JacobianFrame::world)); });
    for_each("link_bias_accelerations", 6,
             [&](const auto& link) { return coordinates(motion.link_bias_acceleration(link, JacobianFrame::mixed)); });
    const MatrixX<Scalar> J = motion.link_jacobian(tip(), JacobianFrame::mixed);
    answers["tip_jacobian"] = J;
    answers["tip_body_jacobian"] = motion.link_jacobian(tip());
    answers["tip_spatial_jacobian"] = motion.link_jacobian(tip(), JacobianFrame::world);
    answers["tip_mobility"] = mobility(model_, q_, J);
    if (in_.qd.size() > 20) return;
    answers["tip_jacobian_rate"] = motion.link_jacobian_rate(tip(), qd_, JacobianFrame::mixed);
    answers["tip_body_jacobian_rate"] = motion.link_jacobian_rate(tip(), qd_);
    answers["tip_spatial_jacobian_rate"] = motion.link_jacobian_rate(tip(), qd_, JacobianFrame::world);
  }

  void add_impulse(const Problem& problem)
  {
    LoopImpulseDerivative<Scalar> of(model_, problem.loops);
    of(q_, qd_, Scalar(impulse_restitution));
    answers["impulse_rates"] = of.impulse.qd;
    answers["loop_impulses"] = of.impulse.Lambda;
    answers["joint_impulses"] = of.impulse.loops.A.transpose() * of.impulse.Lambda;
    if (!problem.is_small()) return;
    answers["impulse_rates_by_q"] = of.dqd_dq;
    answers["impulse_rates_by_qd"] = of.dqd_dbefore;
    answers["loop_impulses_by_q"] = of.dLambda_dq;
    answers["loop_impulses_by_qd"] = of.dLambda_dbefore;
  }

  void add_whole()
  {
    CentroidalMomentum<Scalar> whole(model_);
    whole(q_, qd_);
    answers["center_of_mass"] = whole.center.eigen();
    answers["center_of_mass_velocity"] = whole.velocity.eigen();
    answers["center_of_mass_acceleration"] = whole.acceleration(qdd_).eigen();
    answers["center_of_mass_jacobian"] = whole.J();
    answers["centroidal_momentum"] = coordinates(whole.momentum);
    answers["centroidal_momentum_rate"] = coordinates(whole.momentum_rate(qdd_));
    answers["centroidal_momentum_matrix"] = whole.A;
    answers["centroidal_momentum_bias"] = coordinates(whole.bias);
    answers["centroidal_inertia"] = whole.I.second_moment.matrix().eigen();
  }

  void add_small()
  {
    Regressor<Scalar> regressor(model_);
    answers["torque_regressor"] = regressor(q_, qd_, qdd_);
    answers["kinetic_energy_regressor"] = regressor.kinetic().transpose();
    answers["potential_energy_regressor"] = regressor.potential().transpose();
    answers["gravity_regressor"] = static_regressor(model_, q_);
    const auto given = inverse_dynamics_jacobians(model_, q_, qd_, qdd_, Fext_);
    answers["inverse_dynamics_by_q"] = given.by_q;
    answers["inverse_dynamics_by_qd"] = given.by_qd;
    const auto motion = forward_dynamics_jacobians(model_, q_, qd_, tau_, Fext_);
    answers["forward_dynamics_by_q"] = motion.by_q;
    answers["forward_dynamics_by_qd"] = motion.by_qd;
    const auto link = link_motion_jacobians(model_, tip(), q_, qd_, qdd_);
    answers["tip_twist_by_q"] = link.twist_by_q;
    answers["tip_twist_rate_by_q"] = link.acceleration_by_q;
    answers["tip_twist_rate_by_qd"] = link.acceleration_by_qd;
  }

  void add_derivatives_of_the_whole()
  {
    const auto whole = centroidal_jacobians<Scalar>(model_, q_, qd_, qdd_);
    answers["centroidal_momentum_by_q"] = whole.momentum_by_q;
    answers["centroidal_momentum_rate_by_q"] = whole.rate_by_q;
    answers["centroidal_momentum_rate_by_qd"] = whole.rate_by_qd;
  }

  /// Row nv i + j is row i of the derivative of the Jacobian with respect to the j-th coordinate.
  MatrixX<Scalar> tip_hessian(JacobianFrame frame) const
  {
    const Indexed<MatrixX<Scalar>> by = link_jacobian_derivatives<Scalar>(model_, tip(), q_, frame);
    const int n = model_.nv();
    MatrixX<Scalar> rows(6 * n, n);
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < n; ++j) rows.row(n * i + j) = by[j].row(i);
    return rows;
  }

  void add_tip_hessians()
  {
    answers["tip_jacobian_by_q"] = tip_hessian(JacobianFrame::mixed);
    answers["tip_body_jacobian_by_q"] = tip_hessian(JacobianFrame::link);
    answers["tip_spatial_jacobian_by_q"] = tip_hessian(JacobianFrame::world);
  }

  void add_tiny()
  {
    const auto stacked = [](const Hessians<Scalar>& all) {
      const auto n = static_cast<Eigen::Index>(all.size());
      MatrixX<Scalar> rows(n * n, n);
      for (Eigen::Index i = 0; i < n; ++i) rows.middleRows(n * i, n) = all[i];
      return rows;
    };
    const auto given = inverse_dynamics_hessians(model_, q_, qd_, qdd_, Fext_);
    answers["inverse_dynamics_by_q_q"] = stacked(given.q_q);
    answers["inverse_dynamics_by_q_qd"] = stacked(given.q_qd);
    answers["inverse_dynamics_by_qd_qd"] = stacked(given.qd_qd);
    answers["mass_matrix_by_q"] = stacked(given.q_given);
    const auto motion = forward_dynamics_hessians(model_, q_, qd_, tau_, Fext_);
    answers["forward_dynamics_by_q_q"] = stacked(motion.q_q);
    answers["forward_dynamics_by_q_qd"] = stacked(motion.q_qd);
    answers["forward_dynamics_by_qd_qd"] = stacked(motion.qd_qd);
    answers["inverse_mass_matrix_by_q"] = stacked(motion.q_given);
  }

  const Inputs& in_;
  const Model<Scalar> model_;
  VectorX<Scalar> q_;
  const VectorX<Scalar> qd_, qdd_, tau_;
  ExternalWrenches<Scalar> Fext_;
};

}  // namespace articulate::reference
