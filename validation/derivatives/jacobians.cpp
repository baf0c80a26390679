/** \file
 *  \brief Proofs of whole Jacobians and of second derivatives: Kim 2012, the end of section 4.
 *
 *  A Jacobian is multiplied by a drawn direction, in which every column takes part, and compared with the table along
 *  that direction; on small models column by column too.
 */
#include <algorithm>
#include <articulate/derivatives/hybrid_jacobians.hpp>
#include <derivatives/direction.hpp>
#include <ledger/registry.hpp>

namespace articulate::validation {
namespace {

/// The state, and the accelerations in u and forces in v that are given.
template <typename S>
Direction<S> hybrid_direction(const Specimen<S>& x, const Partition& prescribed)
{
  Direction<S> direction = drawn_direction(x, {Kind::coordinate, Kind::rate, Kind::force});
  for (Step<S>& step : direction)
    if (step.kind == Kind::force && prescribed[step.index]) step.kind = Kind::acceleration;
  return direction;
}

/// What answers: the forces in u, the accelerations in v.
template <typename S>
VectorX<S> answers(const Partition& prescribed, const VectorX<S>& tau, const VectorX<S>& qdd)
{
  return part(tau, prescribed, true) + part(qdd, prescribed, false);
}

/// Forces and accelerations stand in one vector: each by unit, beside those that are differentiated.
template <typename S>
void add_mixed(Sides<S>& sides, const Model<S>& model, const Partition& prescribed, const VectorX<S>& left,
               const VectorX<S>& right, const VectorX<S>& tau, const VectorX<S>& qdd)
{
  for (const bool of_u : {true, false})
    sides.add_by_unit(model, part(left, prescribed, of_u), part(right, prescribed, of_u), of_u ? tau : qdd);
}

/// Hybrid dynamics with its Jacobians.
template <typename S>
struct DifferentiatedRun {
  Partition prescribed;
  HybridDynamics<S> hybrid;
  HybridDynamicsJacobians<S> J;

  DifferentiatedRun(const Specimen<S>& x, const Partition& prescribed)
      : prescribed(prescribed), hybrid(hybrid_run(x, prescribed)), J(x.model)
  {
    J(hybrid, x.q, x.qd, hybrid.qdd());
  }
};
/// Of forward dynamics: nothing is prescribed.
template <typename S>
struct ForwardRun : DifferentiatedRun<S> {
  explicit ForwardRun(const Specimen<S>& x) : DifferentiatedRun<S>(x, Partition(x.model.nv(), false)) {}
};

/// The three Jacobians of hybrid dynamics, along drawn directions, against Table 7 and against dual numbers.
template <typename S>
void add_hybrid_jacobians(Sides<S>& sides, const Specimen<S>& x, const DifferentiatedRun<S>& run)
{
  const Partition& prescribed = run.prescribed;
  const auto& hybrid = run.hybrid;
  const auto& J = run.J;
  const Direction<S> direction = hybrid_direction(x, prescribed);
  const VectorX<S> along_q = sizes(x.model, direction, {Kind::coordinate});
  const VectorX<S> rest = J.by_qd * sizes(x.model, direction, {Kind::rate}) +
                          J.by_given * sizes(x.model, direction, {Kind::acceleration, Kind::force});
  const VectorX<S> found = J.by_q * along_q + rest;
  const auto add = [&](const VectorX<S>& dtau, const VectorX<S>& dqdd) {
    add_mixed(sides, x.model, prescribed, found, answers(prescribed, dtau, dqdd), hybrid.tau(), hybrid.qdd());
  };
  const auto seven = table_seven(x, hybrid, seeds_along(direction, hybrid, x.qd));
  add(seven.dtau(), seven.dqdd());
  const Moved<Dual<S>> moved(x, direction, dual_parameter<S>());
  const HybridDynamics<Dual<S>> exact = moved.hybrid_dynamics(prescribed);
  add(derivative(exact.tau(), 1), derivative(exact.qdd(), 1));
  sides.rival("rows are taken for columns", [&](auto& wrong) {
    add_mixed(wrong, x.model, prescribed, VectorX<S>(J.by_q.transpose() * along_q + rest),
              answers(prescribed, seven.dtau(), seven.dqdd()), hybrid.tau(), hybrid.qdd());
  });
}

template <typename S>
void first(Registry<S>& r)
{
  r.identity({.name = "the_jacobians_of_inverse_dynamics_are_table_five_along_every_direction",
              .keys = {"kim:T5/force", "kim:92/enough"},
              .symbols = "InverseDynamicsJacobians",
              .method = "dual numbers",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                InverseDynamicsJacobians<S> J(x.model);
                J(x.inverse, x.qd, x.qdd);
                const Direction<S> direction = drawn_direction(x, {Kind::coordinate, Kind::rate, Kind::acceleration});
                const VectorX<S> along_q = sizes(x.model, direction, {Kind::coordinate});
                const VectorX<S> rest = J.dtau_dqd * sizes(x.model, direction, {Kind::rate}) +
                                        J.dtau_dqdd * sizes(x.model, direction, {Kind::acceleration});
                const VectorX<S> found = J.dtau_dq * along_q + rest;
                const Moved<Dual<S>> moved(x, direction, dual_parameter<S>());
                sides.add_by_unit(x.model, found, table_five(x, seeds_along(direction, x.inverse, x.qd)),
                                  x.inverse_tau);
                const VectorX<S> exact = derivative(moved.inverse_dynamics(), 1);
                sides.add_by_unit(x.model, found, exact, x.inverse_tau);
                sides.rival("rows are taken for columns", [&](auto& wrong) {
                  wrong.add_by_unit(x.model, VectorX<S>(J.dtau_dq.transpose() * along_q + rest), exact, x.inverse_tau);
                });
                sides.add_by_unit(x.model, J.dtau_dqdd, x.witness_mass_matrix());
              }});
  r.identity({.name = "every_column_of_the_jacobians_of_inverse_dynamics_is_table_five",
              .keys = {"kim:T5/force", "kim:92/enough"},
              .symbols = "InverseDynamicsJacobians::meet InverseDynamicsJacobians::meet_within",
              .method = "cross-check",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    InverseDynamicsJacobians<S> J(x.model);
                    J(x.inverse, x.qd, x.qdd);
                    const std::pair<Kind, const MatrixX<S>&> matrices[] = {
                        {Kind::coordinate, J.dtau_dq}, {Kind::rate, J.dtau_dqd}, {Kind::acceleration, J.dtau_dqdd}};
                    for (const auto& one : matrices)
                      for (int k = 0; k < x.model.nv(); ++k) {
                        const Direction<S> direction{{one.first, k, 0, S(1)}};
                        const VectorX<S> column = table_five(x, seeds_along(direction, x.inverse, x.qd));
                        sides.add_by_unit(x.model, VectorX<S>(one.second.col(k)), column, x.inverse_tau);
                        sides.rival("rows are taken for columns", [&](auto& wrong) {
                          wrong.add_by_unit(x.model, VectorX<S>(one.second.row(k).transpose()), column, x.inverse_tau);
                        });
                      }
                  },
              .applies = is_small});
  r.identity({.name = "the_jacobians_of_forward_dynamics_are_table_six_along_every_direction",
              .keys = {"kim:T6/joint-acceleration"},
              .symbols = "HybridDynamicsJacobians InverseDynamicsJacobians ArticulatedBodies::respond",
              .method = "dual numbers",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                add_hybrid_jacobians<S>(sides, x, x.template once<ForwardRun<S>>());
              }});
  r.identity({.name = "the_jacobians_of_hybrid_dynamics_are_table_seven_along_every_direction",
              .keys = {"kim:T7/joint-acceleration", "kim:T7/held-force"},
              .symbols = "HybridDynamicsJacobians InverseDynamicsJacobians ArticulatedBodies::respond",
              .method = "dual numbers",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                add_hybrid_jacobians<S>(sides, x, {x, drawn_partition(x)});
              }});
  r.identity({.name = "what_a_force_accelerates_undoes_what_an_acceleration_costs",
              .keys = {"kim:T6/joint-acceleration"},
              .symbols = "HybridDynamicsJacobians ArticulatedBodies::respond",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const MatrixX<S>& by_force = x.template once<ForwardRun<S>>().J.by_given;
                const VectorX<S> force = x.as_input(VectorX<S>(x.as_input(x.witness_mass_matrix()) * x.qdd));
                sides.add_by_unit(x.model, VectorX<S>(by_force * force), x.qdd);
                sides.rival("the forces of rest and velocity are counted, too", [&](auto& wrong) {
                  wrong.add_by_unit(x.model, VectorX<S>(by_force * (force + x.witness_bias())), x.qdd);
                });
              }});
}

/// All that moves along a line of its own, which a table can be asked for at every point of it.
const std::vector<Kind> state{Kind::coordinate, Kind::rate, Kind::acceleration, Kind::force};

template <typename S>
void second(Registry<S>& r)
{
  r.identity({.name = "table_five_along_a_motion_is_the_second_derivative_of_inverse_dynamics",
              .keys = {"kim:T5/force"},
              .symbols = "InverseDynamicsDerivative Parameter::add_to",
              .method = "dual numbers",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const Direction<S> direction = drawn_direction(x, state);
                    const Moved<Series<S>> moved(x, direction, time_series<S>());
                    InverseDynamics<Series<S>> rnea(moved.model);
                    rnea.Vdot[0] = moved.Vdot0;
                    const VectorX<Series<S>> tau = rnea(moved.q, moved.qd, moved.qdd, moved.Fext);
                    InverseDynamicsDerivative<Series<S>> five(moved.model);
                    const VectorX<Series<S>> dtau =
                        five(rnea, moved.qd, moved.qdd, seeds_along<Series<S>>(direction, rnea, moved.qd));
                    sides.add_by_unit(x.model, derivative(dtau, 0), derivative(tau, 1), x.inverse_tau);
                    sides.add_by_unit(x.model, derivative(dtau, 1), derivative(tau, 2), x.inverse_tau);
                    sides.rival("a coefficient of the series is taken for the derivative", [&](auto& wrong) {
                      wrong.add_by_unit(x.model, derivative(dtau, 1), VectorX<S>(derivative(tau, 2) / S(2)),
                                        x.inverse_tau);
                    });
                  },
              .applies = is_small});
  r.identity({.name = "table_seven_along_a_motion_is_the_second_derivative_of_hybrid_dynamics",
              .keys = {"kim:T6/joint-acceleration", "kim:T7/joint-acceleration", "kim:T7/held-force"},
              .symbols = "HybridDynamicsDerivative Parameter::add_to",
              .method = "dual numbers",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const Partition prescribed = drawn_partition(x);
                    const Direction<S> direction = drawn_direction(x, state);
                    const Moved<Series<S>> moved(x, direction, time_series<S>());
                    const HybridDynamics<Series<S>> hybrid = moved.hybrid_dynamics(prescribed);
                    HybridDynamicsDerivative<Series<S>> seven(moved.model);
                    seven(hybrid, moved.qd, hybrid.qdd(), seeds_along<Series<S>>(direction, hybrid, moved.qd));
                    const VectorX<S> found =
                        answers(prescribed, derivative(seven.dtau(), 1), derivative(seven.dqdd(), 1));
                    const VectorX<S> second =
                        answers(prescribed, derivative(hybrid.tau(), 2), derivative(hybrid.qdd(), 2));
                    const VectorX<S> tau = derivative(hybrid.tau(), 0), qdd = derivative(hybrid.qdd(), 0);
                    add_mixed(sides, x.model, prescribed, found, second, tau, qdd);
                    sides.rival("a coefficient of the series is taken for the derivative", [&](auto& wrong) {
                      add_mixed(wrong, x.model, prescribed, found, VectorX<S>(second / S(2)), tau, qdd);
                    });
                  },
              .applies = is_small});
}

}  // namespace

template <typename S>
void derivatives_jacobians(Registry<S>& r)
{
  first(r);
  second(r);
}

template void derivatives_jacobians(Registry<ARTICULATE_PROOF_SCALAR>&);

}  // namespace articulate::validation
