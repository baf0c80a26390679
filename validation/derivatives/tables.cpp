/** \file
 *  \brief Proofs of Kim's Tables 5, 6 and 7 and of the list \eq{kim,92}: against 6x6 matrices, and against the
 *  algorithms themselves in an arithmetic that carries derivatives.
 */
#include <algorithm>
#include <optional>
#include <aba/lines.hpp>
#include <derivatives/table_seven.hpp>
#include <ledger/beside.hpp>
#include <ledger/registry.hpp>

namespace articulate::validation {
namespace {

/// The size of the terms of dF that others may cancel: all of them, in a body that floats.
template <typename S>
std::vector<Wrench<S>> to_accelerate(const std::vector<Matrix6<S>>& I, const std::vector<Vector6<S>>& dVdot)
{
  std::vector<Wrench<S>> list;
  for (std::size_t i = 1; i < I.size(); ++i)
    list.push_back(to_wrench(Vector6<S>(I[i].cwiseAbs() * dVdot[i].cwiseAbs())));
  return list;
}

/// The size of the terms of what the joints feel: of a wrench on each body, and of their forces themselves.
template <typename S>
VectorX<S> felt(const Recursion<S>& r, const std::vector<Wrench<S>>& terms, const VectorX<S>& tau)
{
  VectorX<S> size = tau.cwiseAbs();
  for (const Body<S>& body : r.model().outward())
    for (int k = 0; k < body.nv; ++k) {
      const Vector6<S> s = coordinates(r.S[body.index].column(k)), F = coordinates(terms[body.index - 1]);
      size(body.v + k) += inner_product(VectorX<S>(s.cwiseAbs()), VectorX<S>(F.cwiseAbs()));
    }
  return size;
}

/// Those of some bodies.
template <typename Vector>
std::vector<Vector> of(const std::vector<int>& bodies, const std::vector<Vector>& all)
{
  std::vector<Vector> some;
  for (const int i : bodies) some.push_back(all[i]);
  return some;
}
/// Of a list that holds no world.
template <typename S>
std::vector<Wrench<S>> of_moving(const std::vector<int>& bodies, const std::vector<Wrench<S>>& all)
{
  std::vector<Wrench<S>> some;
  for (const int i : bodies) some.push_back(all[i - 1]);
  return some;
}

/// Bodies whose joint is in u as a whole, or all others: those whose lines are the ones of v.
template <typename S>
std::vector<int> bodies_of(const Model<S>& model, const Partition& prescribed, bool held)
{
  std::vector<int> list;
  for (int i = 1; i <= model.bodies(); ++i) {
    bool whole = true;
    for (int k = model.body(i).v; k < model.body(i).v + model.body(i).nv; ++k) whole = whole && prescribed[k];
    if (whole == held) list.push_back(i);
  }
  return list;
}

/// Some clauses of a table.
template <typename... Names>
std::vector<std::string> lines(const std::string& table, const Names&... names)
{
  return {table + "/" + names...};
}

template <typename S>
void add_inertias(Sides<S>& sides, const HybridDynamicsDerivative<S>& found, const TableSeven<S>& t)
{
  for (std::size_t i = 1; i < t.dI_hat.size(); ++i)
    add_blocks(sides, found.dI_hat[i].matrix(), t.dI_hat[i], t.t.I_hat[i]);
}

/// How large what bodies are given by their parents may be: its linear half holds p x w, and that may cancel to nothing.
template <typename S>
std::vector<Twist<S>> carried(const Specimen<S>& x, const std::vector<int>& bodies, const std::vector<Twist<S>>& all)
{
  const auto size = [](const Vector3<S>& a) { return magnitude(a[0]) + magnitude(a[1]) + magnitude(a[2]); };
  std::vector<Twist<S>> list;
  for (const int i : bodies) {
    const Twist<S>& V = all[x.model.body(i).parent];
    const S turn = size(V.w), slide = size(V.v) + size(x.kinematics.T[i].p) * turn;
    list.push_back({{turn, S(0), S(0)}, {slide, S(0), S(0)}});
  }
  return list;
}

/// Every line of the library's Table 6 or 7 against the matrices; each line's rival is the page with one slip in it.
template <typename S>
void add_lines(Sides<S>& sides, const Specimen<S>& x, const std::string& table,
               const HybridDynamicsDerivative<S>& found, const Partition& prescribed, const Seeds<S>& seeds)
{
  const TableSeven<S> t(x, prescribed, seeds);
  const auto with = [&](DerivativeSlip slip) { return TableSeven<S>(x, prescribed, seeds, slip); };
  const bool seven = table == "kim:T7";

  sides.clause(lines(table, "velocity"));
  sides.add(found.dV, twists(t.dV, 0));
  sides.rival("the parent's velocity is not turned with the frame",
              [&](auto& wrong) { wrong.add(found.dV, twists(with(DerivativeSlip::velocity).dV, 0)); });
  sides.clause(lines(table, "eta"));
  sides.add(found.deta, twists(t.deta, 0));
  sides.rival("the rate of the screws does not change",
              [&](auto& wrong) { wrong.add(found.deta, twists(with(DerivativeSlip::eta).deta, 0)); });

  // What a joint leaves of inertia and bias is seen at its parent.
  sides.clause(seven ? lines(table, "inertia", "psi", "pi", "held-pi") : lines(table, "inertia", "psi", "pi"));
  add_inertias(sides, found, t);
  const auto inertias = [&](const char* line, const char* name, DerivativeSlip slip) {
    sides.clause(lines(table, line));
    sides.rival(name, [&](auto& wrong) { add_inertias(wrong, found, with(slip)); });
  };
  inertias("inertia", "the child's inertia is turned on one side alone", DerivativeSlip::inertia);
  inertias("psi", "a product without its transpose", DerivativeSlip::psi);
  inertias("pi", "two products without their transposes", DerivativeSlip::pi);
  if (seven) {
    sides.clause(lines(table, "held-pi"));
    sides.rival("the joints in u give way, too", [&](auto& wrong) {
      add_inertias(wrong, found, TableSeven<S>(x, Partition(prescribed.size(), false), seeds));
    });
  }
  sides.clause(seven ? lines(table, "bias", "beta", "held-beta") : lines(table, "bias", "beta"));
  sides.add(moving(found.dB_hat), wrenches(t.dB_hat));
  const auto biases = [&](const char* line, const char* name, DerivativeSlip slip) {
    sides.clause(lines(table, line));
    sides.rival(name, [&](auto& wrong) { wrong.add(moving(found.dB_hat), wrenches(with(slip).dB_hat)); });
  };
  biases("bias", "what the child passes on is not turned with its frame", DerivativeSlip::bias);
  biases("beta", "the screws through which the joint gives way do not change", DerivativeSlip::beta);
  if (seven) biases("held-beta", "the screws along which the joint is held do not change", DerivativeSlip::held_beta);

  const std::vector<Wrench<S>> terms = to_accelerate(t.t.I_hat, t.dVdot);
  const auto outward = [&](const std::string& kind, bool held, DerivativeSlip slip, const char* name) {
    const std::vector<int> bodies = bodies_of(x.model, prescribed, held);
    sides.clause(lines(table, kind + "acceleration"));
    const std::vector<Twist<S>> given = carried(x, bodies, found.dVdot);
    add_beside(sides, of(bodies, found.dVdot), of(bodies, twists(t.dVdot, 0)), given);
    sides.rival(name, [&](auto& wrong) {
      add_beside(wrong, of(bodies, found.dVdot), of(bodies, twists(with(slip).dVdot, 0)), given);
    });
    sides.clause(lines(table, kind + "wrench"));
    sides.add(of(bodies, found.dF), of_moving(bodies, wrenches(t.dF)), of_moving(bodies, terms));
    sides.rival("the inertia is that of the body alone", [&](auto& wrong) {
      wrong.add(of(bodies, found.dF), of_moving(bodies, wrenches(with(DerivativeSlip::articulated_wrench).dF)),
                of_moving(bodies, terms));
    });
  };
  outward("", false, DerivativeSlip::printed_acceleration, "carried outward by $\\Ad_T$, as printed in Table 6");
  if (seven)
    outward("held-", true, DerivativeSlip::held_acceleration, "the given derivative of the acceleration is forgotten");

  sides.clause(lines(table, "joint-acceleration"));
  const VectorX<S> tau = felt(x.inverse, terms, t.t.forces(x.model)), qdd = t.t.accelerations(x.model);
  const auto in = [&](const VectorX<S>& all, bool of_u) { return part(all, prescribed, of_u); };
  sides.add_by_unit(x.model, in(found.dqdd(), false), in(t.dqdd, false), qdd);
  sides.rival("the joint gives way as before", [&](auto& wrong) {
    wrong.add_by_unit(x.model, in(found.dqdd(), false), in(with(DerivativeSlip::joint_acceleration).dqdd, false), qdd);
  });
  if (seven) {
    sides.clause(lines(table, "held-force"));
    sides.add_by_unit(x.model, in(found.dtau(), true), in(t.dtau, true), tau);
    sides.rival("the screws that feel the wrench do not change", [&](auto& wrong) {
      wrong.add_by_unit(x.model, in(found.dtau(), true), in(with(DerivativeSlip::force).dtau, true), tau);
    });
  }
}

/// The keys of a table's lines.
inline std::vector<std::string> keys_of_six()
{
  return lines("kim:T6", "velocity", "eta", "inertia", "bias", "psi", "pi", "beta", "joint-acceleration",
               "acceleration", "wrench");
}
inline std::vector<std::string> keys_of_seven()
{
  return lines("kim:T7", "velocity", "eta", "inertia", "bias", "held-pi", "held-beta", "held-acceleration",
               "held-wrench", "held-force", "psi", "pi", "beta", "joint-acceleration", "acceleration", "wrench");
}
inline std::vector<std::string> keys_of_five()
{
  return lines("kim:T5", "velocity", "acceleration", "wrench", "force");
}

template <typename S>
void matrices(Registry<S>& r)
{
  r.identity({.name = "the_derivative_of_inverse_dynamics_is_table_five_with_matrices",
              .keys = keys_of_five(),
              .symbols = "InverseDynamicsDerivative RecursionDerivative bias_derivative",
              .method = "cross-check",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const Seeds<S> seeds = seeds_along(drawn_direction(x), x.inverse, x.qd);
                InverseDynamicsDerivative<S> five(x.model);
                const VectorX<S> dtau = five(x.inverse, x.qd, x.qdd, seeds);
                const TableFive<S> t(x, seeds);
                const auto with = [&](DerivativeSlip slip) { return TableFive<S>(x, seeds, slip); };
                sides.clause("kim:T5/velocity");
                sides.add(five.dV, twists(t.dV, 0));
                sides.rival("the parent's velocity is not turned with the frame",
                            [&](auto& wrong) { wrong.add(five.dV, twists(with(DerivativeSlip::velocity).dV, 0)); });
                sides.clause("kim:T5/acceleration");
                sides.add(five.dVdot, twists(t.dVdot, 0));
                sides.rival("the rate of the screws is forgotten", [&](auto& wrong) {
                  wrong.add(five.dVdot, twists(with(DerivativeSlip::acceleration).dVdot, 0));
                });
                sides.clause("kim:T5/wrench");
                const std::vector<Wrench<S>> terms = to_accelerate(t.t.I, t.dVdot);
                sides.add(moving(five.dF), wrenches(t.dF), terms);
                sides.rival("what the child needs is not turned with its frame", [&](auto& wrong) {
                  wrong.add(moving(five.dF), wrenches(with(DerivativeSlip::wrench).dF), terms);
                });
                sides.clause("kim:T5/force");
                sides.add_by_unit(x.model, dtau, t.dtau, x.inverse_tau);
                sides.rival("the screws that feel the wrench do not change", [&](auto& wrong) {
                  wrong.add_by_unit(x.model, dtau, with(DerivativeSlip::force).dtau, x.inverse_tau);
                });
              }});
  r.identity({.name = "the_derivative_of_forward_dynamics_is_table_six_with_matrices",
              .keys = keys_of_six(),
              .symbols = "HybridDynamicsDerivative RecursionDerivative bias_derivative Pivot::reduce",
              .method = "cross-check",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const Seeds<S> seeds = seeds_along(drawn_direction(x), x.forward, x.qd);
                add_lines(sides, x, "kim:T6", table_six(x, seeds), Partition(x.model.nv(), false), seeds);
              }});
  r.identity({.name = "the_derivative_of_hybrid_dynamics_is_table_seven_with_matrices",
              .keys = keys_of_seven(),
              .symbols = "HybridDynamicsDerivative RecursionDerivative bias_derivative Pivot::reduce",
              .method = "cross-check",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const Partition prescribed = drawn_partition(x);
                const HybridDynamics<S> hybrid = hybrid_run(x, prescribed);
                const Seeds<S> seeds = seeds_along(drawn_direction(x), hybrid, x.qd);
                add_lines(sides, x, "kim:T7", table_seven(x, hybrid, seeds), prescribed, seeds);
              }});
}

/// What of the list the paper prints: nothing of the base.
template <typename S>
Seeds<S> without_base(Seeds<S> seeds)
{
  seeds.dV0 = seeds.dVdot0 = {};
  return seeds;
}

/// What the recursion of hybrid dynamics sees, along a direction, in the frames of the paper, which move.
template <typename S>
void add_recursion(Sides<S>& sides, const std::string& table, const HybridDynamics<S>& hybrid,
                   const HybridDynamics<Dual<S>>& exact, const std::vector<SE3<Dual<S>>>& displaced_by,
                   const HybridDynamicsDerivative<S>& found)
{
  std::vector<Twist<S>> dV, deta, dVdot, found_dV, found_deta, found_dVdot;
  std::vector<Wrench<S>> dB_hat, dF, biases, terms;
  for (std::size_t i = 1; i < displaced_by.size(); ++i) {
    const SE3<Dual<S>>& E = displaced_by[i];
    dV.push_back(derivative(AdInv(E, exact.V[i]), 1));
    deta.push_back(derivative(AdInv(E, exact.eta[i]), 1));
    dVdot.push_back(derivative(AdInv(E, exact.Vdot[i]), 1));
    dB_hat.push_back(derivative(coAd(E, exact.B_hat[i]), 1));
    dF.push_back(derivative(coAd(E, exact.F[i]), 1));
    found_dV.push_back(found.dV[i]), found_deta.push_back(found.deta[i]), found_dVdot.push_back(found.dVdot[i]);
    biases.push_back(hybrid.B_hat[i]);
    terms.push_back(
        to_wrench(Vector6<S>(hybrid.I_hat[i].matrix().cwiseAbs() * coordinates(found.dVdot[i]).cwiseAbs())));
  }
  const bool seven = table == "kim:T7";
  sides.clause(lines(table, "velocity"));
  sides.add(found_dV, dV);
  sides.clause(lines(table, "eta"));
  sides.add(found_deta, deta);
  sides.clause(seven ? lines(table, "acceleration", "held-acceleration") : lines(table, "acceleration"));
  add_beside(sides, found_dVdot, dVdot, {hybrid.Vdot.begin() + 1, hybrid.Vdot.end()});
  sides.clause(seven ? lines(table, "inertia", "psi", "pi", "held-pi") : lines(table, "inertia", "psi", "pi"));
  for (std::size_t i = 1; i < displaced_by.size(); ++i)
    add_blocks(sides, found.dI_hat[i].matrix(),
               derivative(coAdInv(inverse(displaced_by[i]), exact.I_hat[i]).matrix(), 1), hybrid.I_hat[i].matrix());
  sides.clause(seven ? lines(table, "bias", "beta", "held-beta") : lines(table, "bias", "beta"));
  sides.add(moving(found.dB_hat), dB_hat, biases);
  sides.clause(seven ? lines(table, "wrench", "held-wrench") : lines(table, "wrench"));
  sides.add(moving(found.dF), dF, terms);
}

/// The same of inverse dynamics and Table 5.
template <typename S>
void add_recursion(Sides<S>& sides, const Specimen<S>& x, const InverseDynamics<Dual<S>>& exact,
                   const std::vector<SE3<Dual<S>>>& displaced_by, const InverseDynamicsDerivative<S>& found)
{
  std::vector<Twist<S>> dV, dVdot;
  std::vector<Wrench<S>> dF, terms = moving(x.inverse.F);
  for (int i = 1; i <= x.bodies(); ++i) {
    const SE3<Dual<S>>& E = displaced_by[i];
    dV.push_back(derivative(AdInv(E, exact.V[i]), 1));
    dVdot.push_back(derivative(AdInv(E, exact.Vdot[i]), 1));
    dF.push_back(derivative(coAd(E, exact.F[i]), 1));
    const Vector6<S> size = x.model.body(i).I.matrix().cwiseAbs() * coordinates(found.dVdot[i]).cwiseAbs();
    terms.push_back(to_wrench(size));
  }
  sides.clause("kim:T5/velocity");
  add_beside(sides, moving(found.dV), dV, moving(x.inverse.V));
  sides.clause("kim:T5/acceleration");
  add_beside(sides, moving(found.dVdot), dVdot, moving(x.inverse.Vdot));
  sides.clause("kim:T5/wrench");
  sides.add(moving(found.dF), dF, terms);
}

/// What the algorithms become along a direction against what the tables say.
template <typename S>
void add_tables_along(Sides<S>& sides, const Specimen<S>& x, const std::vector<Kind>& several)
{
  const Direction<S> direction = drawn_direction(x, several);
  const Moved<Dual<S>> moved(x, direction, dual_parameter<S>());
  const Seeds<S> seeds = seeds_along(direction, x.inverse, x.qd);
  InverseDynamics<Dual<S>> exact_rnea(moved.model);
  const VectorX<S> exact_tau = derivative(moved.inverse_dynamics(exact_rnea), 1);
  InverseDynamicsDerivative<S> five(x.model);
  const VectorX<S> dtau = five(x.inverse, x.qd, x.qdd, seeds);
  add_recursion(sides, x, exact_rnea, moved.displaced_by, five);
  sides.clause({"kim:T5/force", "kim:92/enough"});
  sides.add_by_unit(x.model, dtau, exact_tau, x.inverse_tau);
  if (std::find(several.begin(), several.end(), Kind::gravity) != several.end())
    sides.rival("the printed list, without the base", [&](auto& wrong) {
      wrong.add_by_unit(x.model, table_five(x, without_base(seeds)), exact_tau, x.inverse_tau);
    });
  for (const bool some_prescribed : {false, true}) {
    const Partition prescribed = some_prescribed ? drawn_partition(x) : Partition(x.model.nv(), false);
    const std::string table = some_prescribed ? "kim:T7" : "kim:T6";
    const HybridDynamics<S> hybrid = hybrid_run(x, prescribed);
    const HybridDynamics<Dual<S>> exact = moved.hybrid_dynamics(prescribed);
    const HybridDynamicsDerivative<S> found = table_seven(x, hybrid, seeds);
    std::vector<std::string> answers = lines(table, "joint-acceleration");
    if (some_prescribed) answers.push_back(table + "/held-force");
    answers.push_back("kim:92/enough");
    sides.clause(answers);
    add_answers(sides, x.model, prescribed, found, derivative(exact.tau(), 1), derivative(exact.qdd(), 1), hybrid.tau(),
                hybrid.qdd());
    add_recursion(sides, table, hybrid, exact, moved.displaced_by, found);
  }
}

/// The kinds of parameter in four groups: in 50 digits one by one would take too long. The sizes of the steps are drawn,
/// so that no wrong term is hidden by another; a complex step tries single parameters.
const std::vector<std::vector<Kind>> groups{
    {Kind::coordinate, Kind::rate},
    {Kind::acceleration, Kind::force, Kind::wrench_on_body, Kind::wrench_in_space, Kind::gravity, Kind::base_velocity,
     Kind::base_acceleration},
    {Kind::inertia},
    {Kind::placement_before, Kind::placement_after, Kind::screw_axis}};

/// A direction without the steps of some kind, or with these steps of another kind.
template <typename S>
Direction<S> with_kind(Direction<S> direction, Kind kind, std::optional<Kind> other = {})
{
  Direction<S> changed;
  for (Step<S> step : direction) {
    if (step.kind == kind && !other) continue;
    if (step.kind == kind) step.kind = *other;
    changed.push_back(step);
  }
  return changed;
}

/// What the list holds, by dual numbers.
template <typename S>
struct ExactSeeds {
  std::vector<Twist<S>> dh, dS, dSdot;
  std::vector<Wrench<S>> dFext;
  std::vector<Matrix6<S>> dI;

  ExactSeeds(const Specimen<S>& x, const Moved<Dual<S>>& moved) : dh(1), dFext(1), dI(1)
  {
    Recursion<Dual<S>> along(moved.model);
    along.place(moved.q);
    for (int i = 1; i <= x.bodies(); ++i) {
      const Body<Dual<S>>& body = moved.model.body(i);
      const SE3<Dual<S>>& E = moved.displaced_by[i];
      const SE3<Dual<S>> T = inverse(moved.displaced_by[body.parent]) * along.T[i] * E;
      dh.push_back(vee(Matrix4<S>(matrix(inverse(x.inverse.T[i])) * derivative(T, 1))));
      for (int k = 0; k < body.nv; ++k) {
        dS.push_back(derivative(AdInv(E, along.S[i].column(k)), 1));
        dSdot.push_back(derivative(AdInv(E, along.S[i].rate(k, moved.qd.data() + body.v)), 1));
      }
      dI.push_back(derivative(coAd(E, body.I).matrix(), 1));
      dFext.push_back(derivative(coAd(E, moved.Fext[i]), 1));
    }
  }
};

template <typename S>
void exact_arithmetic(Registry<S>& r)
{
  std::vector<std::string> keys = keys_of_six();
  for (const std::string& key : keys_of_seven()) keys.push_back(key);
  for (const std::string& key : keys_of_five()) keys.push_back(key);
  keys.push_back("kim:92/enough");
  r.identity({.name = "all_dynamics_change_with_every_parameter_as_the_tables_say",
              .keys = keys,
              .symbols = "Parameter InverseDynamicsDerivative HybridDynamicsDerivative",
              .method = "dual numbers",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                for (const std::vector<Kind>& several : groups) add_tables_along(sides, x, several);
              }});
  r.identity({.name = "wrenches_that_stand_still_in_space_change_in_the_frames_of_displaced_bodies",
              .keys = {"kim:92/wrenches"},
              .symbols = "hold_in_space",
              .method = "dual numbers",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const Direction<S> direction = drawn_direction(x, Kind::coordinate);
                const Moved<Dual<S>> moved(x, direction, dual_parameter<S>(), true);
                const Seeds<S> carried = seeds_along(direction, x.inverse, x.qd);
                Seeds<S> seeds = carried;
                hold_in_space(seeds, x.inverse, x.Fext);
                std::vector<Wrench<S>> exact(1);
                for (int i = 1; i <= x.bodies(); ++i) exact.push_back(derivative(moved.Fext[i], 1));
                const VectorX<S> exact_tau = derivative(moved.inverse_dynamics(), 1);
                sides.add(seeds.dFext, exact);
                sides.add_by_unit(x.model, table_five(x, seeds), exact_tau, x.inverse_tau);
                sides.rival("the wrenches go with the bodies", [&](auto& wrong) {
                  wrong.add(carried.dFext, exact);
                  wrong.add_by_unit(x.model, table_five(x, carried), exact_tau, x.inverse_tau);
                });
              }});
  r.identity(
      {.name = "the_list_of_seeds_is_what_a_direction_moves",
       .keys = {"kim:92/screws", "kim:92/rates", "kim:92/wrenches", "kim:92/inertias", "kim:92/displacement",
                "kim:92/base", "kim:92/given", "kim:89/product", "kim:T5/displacement", "kim:T6/displacement",
                "kim:T7/displacement"},
       .symbols = "Parameter::add_to Parameter::displace JointJacobian::rate_derivative",
       .method = "dual numbers",
       .sides = [](const Specimen<S>& x, Sides<S>& sides) {
         const Direction<S> direction = drawn_direction(x);
         const auto seeds_of = [&](const Direction<S>& along) { return seeds_along(along, x.inverse, x.qd); };
         const Seeds<S> seeds = seeds_of(direction);
         const Moved<Dual<S>> moved(x, direction, dual_parameter<S>());
         const ExactSeeds<S> exact(x, moved);

         sides.clause({"kim:92/displacement", "kim:89/product", "kim:T5/displacement", "kim:T6/displacement",
                       "kim:T7/displacement"});
         sides.add(seeds.dh, exact.dh);
         sides.rival("displacements are seen from the parent", [&](auto& wrong) {
           std::vector<Twist<S>> from_parent(1);
           for (int i = 1; i <= x.bodies(); ++i) from_parent.push_back(Ad(x.inverse.T[i], exact.dh[i]));
           wrong.add(seeds.dh, from_parent);
         });
         sides.clause("kim:92/screws");
         sides.add(seeds.dS, exact.dS);
         sides.rival("the screws are not seen from the displaced body", [&](auto& wrong) {
           wrong.add(seeds_of(with_kind(direction, Kind::placement_after, Kind::placement_before)).dS, exact.dS);
         });
         sides.clause("kim:92/rates");
         sides.add(seeds.dSdot, exact.dSdot);
         sides.rival("the rate of the screws does not depend on the joint rates",
                     [&](auto& wrong) { wrong.add(seeds_of(with_kind(direction, Kind::rate)).dSdot, exact.dSdot); });
         sides.clause("kim:92/wrenches");
         sides.add(seeds.dFext, exact.dFext);
         sides.rival("wrenches given in space are taken for wrenches in the body's frame", [&](auto& wrong) {
           wrong.add(seeds_of(with_kind(direction, Kind::wrench_in_space, Kind::wrench_on_body)).dFext, exact.dFext);
         });
         sides.clause("kim:92/inertias");
         for (int i = 1; i <= x.bodies(); ++i)
           add_blocks(sides, seeds.dI[i].matrix(), exact.dI[i], x.model.body(i).I.matrix());
         sides.rival("the blocks of the first moment are exchanged", [&](auto& wrong) {
           for (int i = 1; i <= x.bodies(); ++i) {
             Inertia<S> exchanged = seeds.dI[i];
             exchanged.first_moment = -exchanged.first_moment;
             add_blocks(wrong, exchanged.matrix(), exact.dI[i], x.model.body(i).I.matrix());
           }
         });
         sides.clause("kim:92/base");
         sides.add(seeds.dV0, derivative(moved.V0, 1));
         sides.add(seeds.dVdot0, derivative(moved.Vdot0, 1));
         sides.rival("the base falls with gravity", [&](auto& wrong) {
           Direction<S> downward = direction;
           for (Step<S>& step : downward)
             if (step.kind == Kind::gravity) step.size = -step.size;
           wrong.add(seeds_of(downward).dVdot0, derivative(moved.Vdot0, 1));
         });
         sides.clause("kim:92/given");
         const VectorX<S> dqd = derivative(moved.qd, 1);
         sides.add_by_unit(x.model, seeds.dqd, dqd);
         sides.add_by_unit(x.model, seeds.dqdd, derivative(moved.qdd, 1));
         sides.add_by_unit(x.model, seeds.dtau, derivative(moved.tau, 1));
         sides.rival("the rates are not given, as in the printed sentence on Table 6", [&](auto& wrong) {
           wrong.add_by_unit(x.model, seeds_of(with_kind(direction, Kind::rate)).dqd, dqd);
         });
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
    const TableSeven<S> t(x, Partition(x.model.nv(), false), seeds,
                          printed ? DerivativeSlip::printed_acceleration : DerivativeSlip::none);
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
    const Seeds<S> seeds = seeds_along(direction, x.inverse, x.qd);
    sides.add_by_unit(x.model, table_five(x, printed ? without_base(seeds) : seeds),
                      derivative(moved.inverse_dynamics(), 1), x.inverse_tau);
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

  // The sentence on Table 7: given are the derivatives of the accelerations in v, which the table finds, or of those in u.
  const auto given = [](const Specimen<S>& x, bool printed) {
    Sides<S> sides;
    Partition prescribed(x.model.nv());
    for (int k = 0; k < x.model.nv(); k += 2) prescribed[k] = true;
    const Direction<S> direction = drawn_direction(x, Kind::acceleration);
    const HybridDynamics<S> hybrid = hybrid_run(x, prescribed);
    const Moved<Dual<S>> moved(x, direction, dual_parameter<S>());
    const HybridDynamics<Dual<S>> exact = moved.hybrid_dynamics(prescribed);
    Seeds<S> seeds = seeds_along(direction, hybrid, x.qd);
    seeds.dqdd = part(seeds.dqdd, prescribed, !printed);
    add_answers(sides, x.model, prescribed, table_seven(x, hybrid, seeds), derivative(exact.tau(), 1),
                derivative(exact.qdd(), 1), hybrid.tau(), hybrid.qdd());
    return sides;
  };
  r.erratum({.id = "E-kim-13",
             .keys = {"kim:T7"},
             .margin = 1e-6,
             .printed = {[=](const Specimen<S>& x, Sides<S>& sides) { sides.append(given(x, true)); }},
             .corrected = [=](const Specimen<S>& x, Sides<S>& sides) { sides.append(given(x, false)); }});
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
