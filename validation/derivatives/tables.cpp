/** \file
 *  \brief Proofs of Kim's Tables 5, 6 and 7 and of the list \eq{kim,92}: against 6x6 matrices, and against the
 *  algorithms themselves in an arithmetic that carries derivatives.
 */
#include <ledger/registry.hpp>
#include <derivatives/table_seven.hpp>
#include <ledger/registry.hpp>

namespace articulate::validation {
namespace {

template <typename S>
std::vector<Twist<S>> twists(const std::vector<Vector6<S>>& table)
{
  std::vector<Twist<S>> list;
  for (const Vector6<S>& V : table) list.push_back(to_twist(V));
  return list;
}
/// Of the bodies: what the world carries is not in every table.
template <typename S>
std::vector<Wrench<S>> wrenches(const std::vector<Vector6<S>>& table)
{
  std::vector<Wrench<S>> list;
  for (std::size_t i = 1; i < table.size(); ++i) list.push_back(to_wrench(table[i]));
  return list;
}
template <typename S>
std::vector<Wrench<S>> moving(const std::vector<Wrench<S>>& all)
{
  return {all.begin() + 1, all.end()};
}

/// The size of the terms of dF that others may cancel: all of them, in a body that floats.
template <typename S>
std::vector<Wrench<S>> to_accelerate(const std::vector<Matrix6<S>>& I, const std::vector<Vector6<S>>& dVdot)
{
  std::vector<Wrench<S>> list;
  for (std::size_t i = 1; i < I.size(); ++i)
    list.push_back(to_wrench(Vector6<S>(I[i].cwiseAbs() * dVdot[i].cwiseAbs())));
  return list;
}

/// Every line of the library's Table 7 against the matrices.
template <typename S>
Sides<S> lines_of_seven(const Specimen<S>& x, const HybridDynamicsDerivative<S>& found, const TableSeven<S>& t,
                        const Partition& prescribed)
{
  Sides<S> sides;
  sides.add(found.dV, twists(t.dV));
  sides.add(found.deta, twists(t.deta));
  sides.add(found.dVdot, twists(t.dVdot));
  for (int i = 1; i <= x.bodies(); ++i) add_blocks(sides, found.dI_hat[i].matrix(), t.dI_hat[i], t.t.I_hat[i]);
  sides.add(moving(found.dB_hat), wrenches(t.dB_hat));
  sides.add(moving(found.dF), wrenches(t.dF), to_accelerate(t.t.I_hat, t.dVdot));
  add_answers(sides, x.model, prescribed, found, t.dtau, t.dqdd, t.t.forces(x.model), t.t.accelerations(x.model));
  return sides;
}

template <typename S>
void matrices(Registry<S>& r)
{
  r.identity({.name = "the_derivative_of_inverse_dynamics_is_table_five_with_matrices",
              .keys = {"kim:T5"},
              .symbols = "InverseDynamicsDerivative RecursionDerivative bias_derivative",
              .method = "cross-check",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const Seeds<S> seeds = seeds_along(drawn_direction(x), x.inverse, x.qd);
                InverseDynamicsDerivative<S> five(x.model);
                five(x.inverse, x.qd, x.qdd, seeds);
                const TableFive<S> t(x, seeds);
                sides.add(five.dV, twists(t.dV));
                sides.add(five.dVdot, twists(t.dVdot));
                sides.add(moving(five.dF), wrenches(t.dF), to_accelerate(t.t.I, t.dVdot));
                sides.add_by_unit(x.model, table_five(x, seeds), t.dtau, x.inverse_tau);
              }});
  r.identity({.name = "the_derivative_of_forward_dynamics_is_table_six_with_matrices",
              .keys = {"kim:T6"},
              .symbols = "HybridDynamicsDerivative RecursionDerivative bias_derivative Pivot::reduce",
              .method = "cross-check",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const Partition none(x.model.nv(), false);
                const Seeds<S> seeds = seeds_along(drawn_direction(x), x.forward, x.qd);
                sides.append(lines_of_seven(x, table_six(x, seeds), TableSeven<S>(x, none, seeds), none));
              }});
  r.identity({.name = "the_derivative_of_hybrid_dynamics_is_table_seven_with_matrices",
              .keys = {"kim:T7"},
              .symbols = "HybridDynamicsDerivative RecursionDerivative bias_derivative Pivot::reduce",
              .method = "cross-check",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const Partition prescribed = drawn_partition(x);
                const HybridDynamics<S> hybrid = hybrid_run(x, prescribed);
                const Seeds<S> seeds = seeds_along(drawn_direction(x), hybrid, x.qd);
                sides.append(
                    lines_of_seven(x, table_seven(x, hybrid, seeds), TableSeven<S>(x, prescribed, seeds), prescribed));
              }});
}

/// What the algorithms become along a direction against what the tables say.
template <typename S>
Sides<S> tables_along(const Specimen<S>& x, const Direction<S>& direction)
{
  Sides<S> sides;
  const Moved<Dual<S>> moved(x, direction, dual_parameter<S>());
  const Seeds<S> seeds = seeds_along(direction, x.inverse, x.qd);
  sides.add_by_unit(x.model, table_five(x, seeds), derivative(moved.inverse_dynamics(), 1), x.inverse_tau);
  sides.add_by_unit(x.model, table_six(x, seeds).dqdd(), derivative(moved.forward_dynamics(), 1), x.forward_qdd);
  const Partition prescribed = drawn_partition(x);
  const HybridDynamics<S> hybrid = hybrid_run(x, prescribed);
  const HybridDynamics<Dual<S>> exact = moved.hybrid_dynamics(prescribed);
  add_answers(sides, x.model, prescribed, table_seven(x, hybrid, seeds), derivative(exact.tau(), 1),
              derivative(exact.qdd(), 1), hybrid.tau(), hybrid.qdd());
  return sides;
}

/// The kinds of parameter in four groups: in 50 digits one by one would take too long. The sizes of the steps are drawn,
/// so that no wrong term is hidden by another; a complex step tries single parameters.
const std::vector<std::vector<Kind>> groups{
    {Kind::coordinate, Kind::rate},
    {Kind::acceleration, Kind::force, Kind::wrench_on_body, Kind::wrench_in_space, Kind::gravity, Kind::base_velocity,
     Kind::base_acceleration},
    {Kind::inertia},
    {Kind::placement_before, Kind::placement_after, Kind::screw_axis}};

template <typename S>
void exact_arithmetic(Registry<S>& r)
{
  r.identity({.name = "all_dynamics_change_with_every_parameter_as_the_tables_say",
              .keys = {"kim:T5", "kim:T6", "kim:T7"},
              .symbols = "Parameter Seeds InverseDynamicsDerivative HybridDynamicsDerivative",
              .method = "dual numbers",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                for (const std::vector<Kind>& several : groups)
                  sides.append(tables_along(x, drawn_direction(x, several)));
              }});
  r.identity({.name = "wrenches_that_stand_still_in_space_change_in_the_frames_of_displaced_bodies",
              .keys = {"kim:92"},
              .symbols = "hold_in_space",
              .method = "dual numbers",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const Direction<S> direction = drawn_direction(x, Kind::coordinate);
                const Moved<Dual<S>> moved(x, direction, dual_parameter<S>(), true);
                Seeds<S> seeds = seeds_along(direction, x.inverse, x.qd);
                hold_in_space(seeds, x.inverse, x.Fext);
                std::vector<Wrench<S>> exact(1);
                for (int i = 1; i <= x.bodies(); ++i) exact.push_back(derivative(moved.Fext[i], 1));
                sides.add(seeds.dFext, exact);
                sides.add_by_unit(x.model, table_five(x, seeds), derivative(moved.inverse_dynamics(), 1),
                                  x.inverse_tau);
              }});
  r.identity({.name = "the_list_of_seeds_is_what_a_direction_moves",
              .keys = {"kim:92", "kim:89"},
              .symbols = "Parameter::add_to Parameter::displace Seeds JointJacobian::rate_derivative",
              .method = "dual numbers",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const Direction<S> direction = drawn_direction(x);
                const Seeds<S> seeds = seeds_along(direction, x.inverse, x.qd);
                const Moved<Dual<S>> moved(x, direction, dual_parameter<S>());
                Recursion<Dual<S>> along(moved.model);
                std::vector<Twist<S>> dh(1), dS, dSdot;
                std::vector<Wrench<S>> dFext(1);
                for (int i = 1; i <= x.bodies(); ++i) {
                  const Body<Dual<S>>& body = moved.model.body(i);
                  const SE3<Dual<S>>& E = moved.displaced_by[i];
                  along.place(body, moved.q);
                  const SE3<Dual<S>> T = inverse(moved.displaced_by[body.parent]) * along.T[i] * E;
                  dh.push_back(vee(Matrix4<S>(matrix(inverse(x.inverse.T[i])) * derivative(T, 1))));
                  for (int k = 0; k < body.nv; ++k) {
                    dS.push_back(derivative(AdInv(E, along.S[i].column(k)), 1));
                    dSdot.push_back(derivative(AdInv(E, along.S[i].rate(k, moved.qd.data() + body.v)), 1));
                  }
                  add_blocks(sides, seeds.dI[i].matrix(), derivative(coAd(E, body.I).matrix(), 1),
                             x.model.body(i).I.matrix());
                  dFext.push_back(derivative(coAd(E, moved.Fext[i]), 1));
                }
                sides.add(seeds.dh, dh);
                sides.add(seeds.dS, dS);
                sides.add(seeds.dSdot, dSdot);
                sides.add(seeds.dFext, dFext);
                sides.add(seeds.dV0, derivative(moved.V0, 1));
                sides.add(seeds.dVdot0, derivative(moved.Vdot0, 1));
                sides.add_by_unit(x.model, seeds.dqd, derivative(moved.qd, 1));
                sides.add_by_unit(x.model, seeds.dqdd, derivative(moved.qdd, 1));
                sides.add_by_unit(x.model, seeds.dtau, derivative(moved.tau, 1));
              }});
}

template <typename S>
void errata_of_the_tables(Registry<S>& r)
{
  const auto three = [](const Specimen<S>& x, bool printed) {
    Sides<S> sides;
    sides.add_by_unit(x.model, TableThree<S>(x, {.acceleration = printed}).accelerations(x.model), x.witness_qdd());
    return sides;
  };
  const auto six = [](const Specimen<S>& x, bool printed) {
    Sides<S> sides;
    const Direction<S> direction = drawn_direction(x);
    const Seeds<S> seeds = seeds_along(direction, x.forward, x.qd);
    const TableSeven<S> t(x, Partition(x.model.nv(), false), seeds, printed);
    const Moved<Dual<S>> moved(x, direction, dual_parameter<S>());
    sides.add_by_unit(x.model, t.dqdd, derivative(moved.forward_dynamics(), 1), x.forward_qdd);
    return sides;
  };
  r.erratum({.id = "E-kim-3",
             .keys = {"kim:T3", "kim:T6"},
             .margin = 1e-6,
             .printed = {[=](const Specimen<S>& x, Sides<S>& sides) { sides.append(three(x, true)); },
                         [=](const Specimen<S>& x, Sides<S>& sides) { sides.append(six(x, true)); }},
             .corrected = [=](const Specimen<S>& x, Sides<S>& sides) {
               sides.append(three(x, false));
               sides.append(six(x, false));
             }});

  // (91) for parameters that are no coordinates: Table 5 with dh = 0 as printed, with the dh of the list as corrected.
  // They are of the last body, since nothing carries the first one and its dh may not matter.
  const auto geometry = [](const Specimen<S>& x, const std::vector<Kind>& several, bool printed) {
    Sides<S> sides;
    Direction<S> direction = drawn_direction(x, several);
    for (Step<S>& step : direction) step.index = x.bodies();
    const Moved<Dual<S>> moved(x, direction, dual_parameter<S>());
    Seeds<S> seeds = seeds_along(direction, x.inverse, x.qd);
    if (printed) seeds.dh.assign(seeds.dh.size(), {});
    sides.add_by_unit(x.model, table_five(x, seeds), derivative(moved.inverse_dynamics(), 1), x.inverse_tau);
    return sides;
  };
  r.erratum(
      {.id = "E-kim-10",
       .keys = {"kim:91", "kim:C2"},
       .margin = 1e-6,
       .printed = {
           [=](const Specimen<S>& x, Sides<S>& sides) { sides.append(geometry(x, {Kind::placement_before}, true)); },
           [=](const Specimen<S>& x, Sides<S>& sides) { sides.append(geometry(x, {Kind::placement_after}, true)); },
           [=](const Specimen<S>& x, Sides<S>& sides) { sides.append(geometry(x, {Kind::screw_axis}, true)); }},
       .corrected = [=](const Specimen<S>& x, Sides<S>& sides) {
         sides.append(geometry(x, {Kind::placement_before, Kind::placement_after, Kind::screw_axis}, false));
       }});

  // What the list (92) and the sentence on Table 6 leave out: the base's acceleration, and the rates.
  const auto gravity = [](const Specimen<S>& x, bool printed) {
    Sides<S> sides;
    const Direction<S> direction = drawn_direction(x, Kind::gravity);
    const Moved<Dual<S>> moved(x, direction, dual_parameter<S>());
    Seeds<S> seeds = seeds_along(direction, x.inverse, x.qd);
    if (printed) seeds.dVdot0 = {};
    sides.add_by_unit(x.model, table_five(x, seeds), derivative(moved.inverse_dynamics(), 1), x.inverse_tau);
    return sides;
  };
  const auto rates = [](const Specimen<S>& x, bool printed) {
    Sides<S> sides;
    const Direction<S> direction = drawn_direction(x, Kind::rate);
    const Moved<Dual<S>> moved(x, direction, dual_parameter<S>());
    Seeds<S> seeds = seeds_along(direction, x.forward, x.qd);
    if (printed) seeds.dqd.setZero();
    sides.add_by_unit(x.model, table_six(x, seeds).dqdd(), derivative(moved.forward_dynamics(), 1), x.forward_qdd);
    return sides;
  };
  r.erratum({.id = "E-kim-11",
             .keys = {"kim:92", "kim:T6"},
             .margin = 1e-6,
             .printed = {[=](const Specimen<S>& x, Sides<S>& sides) { sides.append(gravity(x, true)); },
                         [=](const Specimen<S>& x, Sides<S>& sides) { sides.append(rates(x, true)); }},
             .corrected = [=](const Specimen<S>& x, Sides<S>& sides) {
               sides.append(gravity(x, false));
               sides.append(rates(x, false));
             }});
}

}  // namespace

template <typename S>
void derivatives_tables(Registry<S>& r)
{
  matrices(r);
  exact_arithmetic(r);
  errata_of_the_tables(r);
}

template void derivatives_tables(Registry<ARTICULATE_PROOF_SCALAR>&);

}  // namespace articulate::validation
