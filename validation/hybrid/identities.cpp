/** \file
 *  \brief Proofs of chapter hybrid: Kim 2012, section 2.3, \eq{kim,33}, \eq{kim,34}, \eq{kim,51} to \eq{kim,53}, Tables 1
 *  and 4.
 *
 *  Each state draws a partition of its own; \eq{kim,33} is written with the mass matrix and bias of the witness.
 */
#include <aba/lines.hpp>
#include <hybrid/table_four.hpp>
#include <ledger/registry.hpp>

namespace articulate::validation {
namespace {

/// A matrix of some rows and columns of another.
template <typename S>
MatrixX<S> block(const MatrixX<S>& M, const std::vector<int>& rows, const std::vector<int>& columns)
{
  MatrixX<S> some(rows.size(), columns.size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < columns.size(); ++j) some(i, j) = M(rows[i], columns[j]);
  return some;
}
template <typename S>
VectorX<S> block(const VectorX<S>& b, const std::vector<int>& rows)
{
  VectorX<S> some(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) some(i) = b(rows[i]);
  return some;
}

/// (34), with any block in the place of M_vu.
template <typename S>
VectorX<S> accelerations_in_v(const MatrixX<S>& Mvv, const MatrixX<S>& Mvu, const VectorX<S>& force,
                              const VectorX<S>& qdd_u)
{
  const VectorX<S> rest = force - Mvu * qdd_u;
  return rest.size() ? definite_solution(Mvv, rest) : rest;
}

/// What was asked for: the forces in u and the accelerations in v, each beside zeros.
template <typename S>
void add_answers(Sides<S>& sides, const Model<S>& model, const Partition& prescribed, const HybridDynamics<S>& found,
                 const VectorX<S>& tau, const VectorX<S>& qdd)
{
  sides.add_by_unit(model, part(found.tau(), prescribed, true), part(tau, prescribed, true));
  sides.add_by_unit(model, part(found.qdd(), prescribed, false), part(qdd, prescribed, false));
}

/// The other set.
inline Partition exchanged(Partition prescribed)
{
  prescribed.flip();
  return prescribed;
}

/// The numbers of u before those of v.
template <typename S>
VectorX<S> sorted(const VectorX<S>& all, const Partition& prescribed)
{
  std::vector<int> order = members(prescribed, true);
  for (const int k : members(prescribed, false)) order.push_back(k);
  return block(all, order);
}

template <typename S>
void equations_of_motion(Registry<S>& r)
{
  r.identity({.name = "hybrid_dynamics_completes_the_equations_of_motion_of_the_witness",
              .keys = {"kim:33", "kim:T4/acceleration", "kim:T4/torque"},
              .symbols = "HybridDynamics ArticulatedBodies::sweep Pivot",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const Partition prescribed = drawn_partition(x);
                const HybridDynamics<S> hybrid = hybrid_run(x, prescribed);
                const MatrixX<S> M = x.as_input(x.witness_mass_matrix());
                const VectorX<S> b = x.as_input(x.witness_bias());
                sides.add_by_unit(x.model, VectorX<S>(M * hybrid.qdd() + b), hybrid.tau());
                sides.clause("kim:33");
                sides.rival("u comes first in the vectors, and M keeps the order of the joints", [&](auto& wrong) {
                  wrong.add_by_unit(x.model, VectorX<S>(M * sorted(hybrid.qdd(), prescribed) + sorted(b, prescribed)),
                                    sorted(hybrid.tau(), prescribed));
                });
                sides.clause({"kim:T4/acceleration", "kim:T4/torque"});
                sides.rival("the bias stands on the other side", [&](auto& wrong) {
                  wrong.add_by_unit(x.model, VectorX<S>(M * hybrid.qdd() - b), hybrid.tau());
                });
              }});
  r.identity({.name = "hybrid_dynamics_is_the_solution_of_its_dense_blocks",
              .keys = {"kim:33", "kim:34/acceleration", "kim:34/blocks"},
              .symbols = "HybridDynamics ArticulatedBodies::release ArticulatedBodies::prescribed_part",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const Partition prescribed = drawn_partition(x);
                const std::vector<int> u = members(prescribed, true), v = members(prescribed, false);
                const MatrixX<S> M = x.as_input(x.witness_mass_matrix());
                const VectorX<S> b = x.as_input(x.witness_bias());
                const HybridDynamics<S> hybrid = hybrid_run(x, prescribed);
                const VectorX<S> force = block(x.tau, v) - block(b, v), qdd_u = block(x.qdd, u);
                const auto completed = [&](const VectorX<S>& qdd_v) {
                  VectorX<S> qdd = x.qdd;
                  for (std::size_t k = 0; k < v.size(); ++k) qdd(v[k]) = qdd_v(k);
                  return qdd;
                };
                const VectorX<S> qdd = completed(accelerations_in_v(block(M, v, v), block(M, v, u), force, qdd_u));
                sides.clause({"kim:33", "kim:34/acceleration"});
                add_answers(sides, x.model, prescribed, hybrid, VectorX<S>(M * qdd + b), qdd);
                sides.rival("the prescribed accelerations ask nothing of the others", [&](auto& wrong) {
                  const VectorX<S> none = VectorX<S>::Zero(u.size());
                  const VectorX<S> alone = completed(accelerations_in_v(block(M, v, v), block(M, v, u), force, none));
                  add_answers(wrong, x.model, prescribed, hybrid, VectorX<S>(M * alone + b), alone);
                });
                sides.rival("the block of the inverse is taken for the inverse of the block", [&](auto& wrong) {
                  const MatrixX<S> inverse = definite_solution(M, MatrixX<S>(MatrixX<S>::Identity(M.rows(), M.cols())));
                  const VectorX<S> loose = completed(block(inverse, v, v) * (force - block(M, v, u) * qdd_u));
                  add_answers(wrong, x.model, prescribed, hybrid, VectorX<S>(M * loose + b), loose);
                });

                // As many in u as in v, so that the blocks have one shape.
                InverseDynamics<S> rnea(x.model);
                const MatrixX<S> ours = EquationsOfMotion<S>(rnea, x.q, x.qd, x.Fext).M;
                std::vector<int> even, odd;
                for (int k = 0; k + 1 < x.model.nv(); k += 2) even.push_back(k), odd.push_back(k + 1);
                const MatrixX<S> Muv = block(x.witness_mass_matrix(), even, odd), Mvu = block(ours, odd, even);
                S scale(0);  // of M, of which the blocks between the sets may be a small part
                for (int j = 0; j < x.model.nv(); ++j)
                  for (int k = 0; k < x.model.nv(); ++k)
                    if (magnitude(ours(j, k)) > scale) scale = magnitude(ours(j, k));
                sides.clause("kim:34/blocks");
                sides.add(Mvu, MatrixX<S>(Muv.transpose()), scale);
                sides.rival("both blocks are one", [&](auto& wrong) { wrong.add(Mvu, Muv, scale); });
              }});
  r.identity({.name = "inverse_and_forward_dynamics_are_the_extremes_of_hybrid_dynamics",
              .keys = {"kim:T1/inverse", "kim:T1/forward"},
              .symbols = "HybridDynamics ArticulatedBodies::sweep ArticulatedBodies::forces_of_prescribed",
              .method = "cross-check",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const HybridDynamics<S> all = hybrid_run(x, Partition(x.model.nv(), true));
                const HybridDynamics<S> none = hybrid_run(x, Partition(x.model.nv(), false));
                sides.clause("kim:T1/inverse");
                sides.add_by_unit(x.model, all.tau(), x.inverse_tau);
                sides.rival("with nothing prescribed it is inverse dynamics",
                            [&](auto& wrong) { wrong.add_by_unit(x.model, none.tau(), x.inverse_tau); });
                sides.clause("kim:T1/forward");
                sides.add_by_unit(x.model, none.qdd(), x.witness_qdd());
                sides.rival("with everything prescribed it is forward dynamics",
                            [&](auto& wrong) { wrong.add_by_unit(x.model, all.qdd(), x.witness_qdd()); });
              }});
  r.identity({.name = "hybrid_dynamics_finds_what_it_was_not_told",
              .keys = {"kim:T1/hybrid", "kim:T4/acceleration", "kim:T4/torque"},
              .symbols = "HybridDynamics",
              .method = "cross-check",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const Partition prescribed = drawn_partition(x);
                const VectorX<S> given = x.as_input(x.inverse_tau);
                const auto found = [&](const Partition& in_u) {
                  HybridDynamics<S> hybrid(x.model, in_u);
                  hybrid(x.q, x.qd, part(x.qdd, prescribed, true), part(given, prescribed, false), x.Fext);
                  return hybrid;
                };
                add_answers(sides, x.model, prescribed, found(prescribed), x.inverse_tau, x.qdd);
                sides.rival("the sets change places", [&](auto& wrong) {
                  add_answers(wrong, x.model, prescribed, found(exchanged(prescribed)), x.inverse_tau, x.qdd);
                });
              }});
  r.identity({.name = "forces_and_accelerations_alone_answer_each_other_by_the_mass_matrix",
              .keys = {"kim:33"},
              .symbols = "ArticulatedBodies::respond ArticulatedBodies::gather ArticulatedBodies::release",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const Partition prescribed = drawn_partition(x);
                HybridDynamics<S> hybrid = hybrid_run(x, prescribed);
                const VectorX<S> force = x.as_input(VectorX<S>(x.as_input(x.witness_mass_matrix()) * x.qdd));
                VectorX<S> tau = part(force, prescribed, false), qdd = part(x.qdd, prescribed, true);
                hybrid.respond(tau, qdd);
                sides.add_by_unit(x.model, tau, force);
                sides.add_by_unit(x.model, qdd, x.qdd);
                sides.rival("the bias is part of the answer", [&](auto& wrong) {
                  wrong.add_by_unit(x.model, tau, VectorX<S>(force + x.witness_bias()));
                });
              }});
}

/// Each line of Table 4 beside the library's own, and what a slip in it would make of the answers.
template <typename S>
void add_table_four(Sides<S>& sides, const Specimen<S>& x, const Partition& prescribed)
{
  const TableFour<S> t(x, prescribed);
  const HybridDynamics<S> hybrid = hybrid_run(x, prescribed);
  const auto rival = [&](const char* name, const PrintedHybridLines& printed, Slip slip) {
    sides.rival(name, [&](auto& wrong) {
      const TableFour<S> other(x, prescribed, printed, slip);
      add_answers(wrong, x.model, prescribed, hybrid, other.forces(x.model), other.accelerations(x.model));
    });
  };
  sides.clause("kim:T4/velocity");
  sides.add(moving(hybrid.V), twists(t.V));
  rival("the parent's twist is carried the other way", {}, Slip::velocity);
  sides.clause("kim:T4/eta");
  add_eta(sides, x, moving(hybrid.eta), twists(t.eta));
  rival("the joint's twist acts on the body's", {}, Slip::eta);
  sides.clause("kim:T4/bias");
  sides.add(moving(hybrid.B_hat), wrenches(t.B_hat));
  rival("the dual bracket is added", {}, Slip::bias);
  rival("the children's biases are carried as printed", {.bias = true}, Slip::none);
  std::vector<Wrench<S>> held, given, held_as_written, given_as_written, terms = moving(hybrid.F);
  for (int i = 1; i <= x.bodies(); ++i) {
    const Body<S>& body = x.model.body(i);
    const Matrix6<S> I_hat = hybrid.I_hat[i].matrix();
    const bool is_held = t.v[i].empty();
    sides.clause("kim:T4/inertia");
    add_by_block(sides, I_hat, t.I_hat[i]);
    sides.clause("kim:T4/psi");
    sides.add(Psi_of(hybrid, body), t.Psi[i]);
    sides.clause(is_held ? "kim:T4/prescribed-pi" : "kim:T4/pi");
    add_by_block(sides, Pi_of(hybrid, body), t.Pi[i], I_hat);
    (is_held ? held : given).push_back(beta_of(hybrid, body, x.qdd));
    (is_held ? held_as_written : given_as_written).push_back(to_wrench(t.beta[i]));
    terms.push_back(hybrid.I_hat[i] * hybrid.eta[i]), terms.push_back(hybrid.B_hat[i]);
  }
  sides.clause("kim:T4/inertia");
  rival("the children's inertias are carried as printed", {.inertia = true}, Slip::none);
  sides.clause("kim:T4/psi");
  rival("the joint moves its own body alone", {}, Slip::psi);
  sides.clause("kim:T4/prescribed-pi");
  rival("prescribed joints give way", {}, Slip::prescribed_pi);
  sides.clause("kim:T4/pi");
  rival("no joint gives way", {}, Slip::pi);
  sides.clause("kim:T4/prescribed-beta");
  sides.add(held, held_as_written, terms);
  rival("the prescribed accelerations ask for no force", {}, Slip::prescribed_beta);
  sides.clause("kim:T4/beta");
  sides.add(given, given_as_written, terms);
  rival("the velocity terms are not passed on", {}, Slip::beta);
  sides.clause("kim:T4/acceleration");
  sides.add_by_unit(x.model, hybrid.qdd(), t.accelerations(x.model));
  rival("the bias helps the joints", {}, Slip::acceleration);
  sides.clause("kim:T4/motion");
  sides.add(moving(hybrid.Vdot), twists(t.Vdot));
  rival("the parent's acceleration is carried the other way", {}, Slip::motion);
  sides.clause("kim:T4/force");
  sides.add(moving(hybrid.F), wrenches(t.F));
  rival("the bodies' own inertias answer", {}, Slip::force);
  sides.clause("kim:T4/torque");
  sides.add_by_unit(x.model, hybrid.tau(), t.forces(x.model));
  rival("the wrench meets S in the parent's frame", {}, Slip::torque);
}

/// (52) and (53) of one body, child by child: each joint is in u or in v as a whole.
template <typename S>
struct ArticulatedInBothSets {
  Matrix6<S> I_hat;
  Vector6<S> B_hat;

  ArticulatedInBothSets(const Specimen<S>& x, const HybridDynamics<S>& hybrid, const TableFour<S>& t, int l,
                        const PrintedHybridLines& printed = {}, Slip slip = Slip::none)
      : I_hat(t.I[l]), B_hat(-t.Fext[l])
  {
    B_hat -= ad_matrix(to_twist(t.V[l])).transpose() * t.I[l] * t.V[l];
    for (std::size_t k = l + 1; k < t.parent.size(); ++k) {
      if (t.parent[k] != l) continue;
      const bool in_u = t.v[k].empty();
      const Matrix6<S> I_k = hybrid.I_hat[k].matrix(), star = t.A[k].transpose();
      const Vector6<S> B_k = coordinates(hybrid.B_hat[k]), eta = t.eta[k];
      const SmallMatrix<S> IS = I_k * t.Sj[k];
      const SmallMatrix<S> pivot = t.Sj[k].transpose() * IS;
      const SmallMatrix<S> Psi = x.as_input(inverted(pivot));  // its rounding is what a difference makes large
      const SmallMatrix<S> IS_Psi = IS * Psi;
      Matrix6<S> left = I_k;
      if (in_u ? slip == Slip::prescribed_pi : slip != Slip::pi) left -= IS_Psi * IS.transpose();
      const bool inverse = in_u && printed.held_inertia;
      I_hat += star * left * (inverse ? Matrix6<S>(inverted(t.A[k])) : t.A[k]);
      Vector6<S> passed = B_k;
      if (in_u || slip != Slip::beta) passed += I_k * eta;
      if (!in_u)
        passed += IS_Psi * (t.tau[k] - IS.transpose() * eta - t.Sj[k].transpose() * B_k);
      else if (slip != Slip::prescribed_beta)
        passed += IS * t.qdd[k];
      B_hat += star * passed;
    }
  }
};

template <typename S>
void table_four(Registry<S>& r)
{
  r.identity({.name = "a_body_with_prescribed_joints_behind_it_answers_an_acceleration_with_a_wrench",
              .keys = {"kim:51"},
              .symbols = "ArticulatedBodies::F ArticulatedInertia",
              .method = "cross-check",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                // The wrenches of Table 2 in the motion that Table 4 completed: no articulated inertia in them.
                const HybridDynamics<S> hybrid = hybrid_run(x, drawn_partition(x));
                InverseDynamics<S> rnea(x.model);
                rnea(x.q, x.qd, hybrid.qdd(), x.Fext);
                std::vector<Wrench<S>> held, s51, of_free, balanced;
                for (int i = 1; i <= x.bodies(); ++i) {
                  held.push_back(hybrid.F[i]);
                  s51.push_back(hybrid.I_hat[i] * rnea.Vdot[i] + hybrid.B_hat[i]);
                  of_free.push_back(x.forward.I_hat[i] * rnea.Vdot[i] + x.forward.B_hat[i]);
                  balanced.push_back(rnea.F[i]);
                }
                sides.add(held, balanced);
                sides.add(s51, balanced);
                sides.rival("inertia and bias are those of (49) and (50)",
                            [&](auto& wrong) { wrong.add(of_free, balanced); });
              }});
  r.identity({.name = "what_a_prescribed_joint_carries_reaches_its_parent_whole",
              .keys = {"kim:52/prescribed", "kim:52/given", "kim:53/prescribed", "kim:53/given", "kim:53/eta"},
              .symbols = "ArticulatedBodies::articulate ArticulatedBodies::gather Pivot::give_way Pivot::pass_on",
              .method = "cross-check",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const Partition prescribed = drawn_joints(x);
                const HybridDynamics<S> hybrid = hybrid_run(x, prescribed);
                const TableFour<S> t(x, prescribed);
                using Written = ArticulatedInBothSets<S>;
                const auto inertias = [&](auto& to, const PrintedHybridLines& printed, Slip slip) {
                  for (int i = 1; i <= x.bodies(); ++i)
                    add_by_block(to, hybrid.I_hat[i].matrix(), Written(x, hybrid, t, i, printed, slip).I_hat);
                };
                const auto biases = [&](auto& to, Slip slip) {
                  std::vector<Wrench<S>> written;
                  for (int i = 1; i <= x.bodies(); ++i)
                    written.push_back(to_wrench(Written(x, hybrid, t, i, {}, slip).B_hat));
                  to.add(moving(hybrid.B_hat), written);
                };
                sides.clause({"kim:52/prescribed", "kim:52/given"});
                inertias(sides, {}, Slip::none);
                sides.clause({"kim:53/prescribed", "kim:53/given"});
                biases(sides, Slip::none);
                sides.clause({"kim:52/prescribed", "kim:52/given", "kim:53/prescribed", "kim:53/given"});
                add_other_accelerations(sides, x, prescribed, [&](int i) { return Written(x, hybrid, t, i); });
                sides.clause("kim:52/prescribed");
                sides.rival("prescribed joints give way",
                            [&](auto& wrong) { inertias(wrong, {}, Slip::prescribed_pi); });
                sides.rival("the right factor is inverted, as printed",
                            [&](auto& wrong) { inertias(wrong, {.held_inertia = true}, Slip::none); });
                sides.clause("kim:52/given");
                sides.rival("no joint gives way", [&](auto& wrong) { inertias(wrong, {}, Slip::pi); });
                sides.clause("kim:53/prescribed");
                sides.rival("the prescribed accelerations ask for no force",
                            [&](auto& wrong) { biases(wrong, Slip::prescribed_beta); });
                sides.clause("kim:53/given");
                sides.rival("the velocity terms are not passed on", [&](auto& wrong) { biases(wrong, Slip::beta); });
                sides.clause("kim:53/eta");
                add_eta(sides, x, moving(hybrid.eta), twists(t.eta));
                sides.rival("the joint's twist acts on the body's", [&](auto& wrong) {
                  add_eta(wrong, x, moving(hybrid.eta), twists(TableFour<S>(x, prescribed, {}, Slip::eta).eta));
                });
              }});
  r.identity({.name = "hybrid_dynamics_is_table_four_with_matrices",
              .keys = {"kim:T4/velocity", "kim:T4/eta", "kim:T4/inertia", "kim:T4/bias", "kim:T4/prescribed-pi",
                       "kim:T4/prescribed-beta", "kim:T4/psi", "kim:T4/pi", "kim:T4/beta", "kim:T4/acceleration",
                       "kim:T4/motion", "kim:T4/force", "kim:T4/torque"},
              .symbols = "HybridDynamics Pivot::eliminate",
              .method = "cross-check",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const Partition drawn = drawn_partition(x);
                for (const Partition& prescribed : {drawn, exchanged(drawn), tips_prescribed(x.model)})
                  add_table_four(sides, x, prescribed);
              }});
}

template <typename S>
void errata_of_hybrid_dynamics(Registry<S>& r)
{
  const auto three = [](const Specimen<S>& x, const PrintedLines& printed) {
    Sides<S> sides;
    sides.add_by_unit(x.model, TableThree<S>(x, printed).accelerations(x.model), x.witness_qdd());
    return sides;
  };
  const auto four = [](const Specimen<S>& x, const PrintedHybridLines& printed) {
    Sides<S> sides;
    const Partition tips = tips_prescribed(x.model);
    const HybridDynamics<S> hybrid = hybrid_run(x, tips);
    const TableFour<S> t(x, tips, printed);
    add_answers(sides, x.model, tips, hybrid, t.forces(x.model), t.accelerations(x.model));
    return sides;
  };
  r.erratum({.id = "E-kim-4",
             .keys = {"kim:T3", "kim:T4"},
             .margin = 1e-6,
             .printed = {[=](const Specimen<S>& x, Sides<S>& sides) { sides.append(three(x, {.inertia = true})); },
                         [=](const Specimen<S>& x, Sides<S>& sides) { sides.append(three(x, {.bias = true})); },
                         [=](const Specimen<S>& x, Sides<S>& sides) { sides.append(four(x, {.inertia = true})); },
                         [=](const Specimen<S>& x, Sides<S>& sides) { sides.append(four(x, {.bias = true})); }},
             .corrected = [=](const Specimen<S>& x, Sides<S>& sides) {
               sides.append(three(x, {}));
               sides.append(four(x, {}));
             }});
  r.erratum({.id = "E-kim-5",
             .keys = {"kim:52"},
             .margin = 1e-6,
             .printed = {[=](const Specimen<S>& x, Sides<S>& sides) { sides.append(four(x, {.held_inertia = true})); }},
             .corrected = [=](const Specimen<S>& x, Sides<S>& sides) { sides.append(four(x, {})); }});
}

}  // namespace

template <typename S>
void hybrid_identities(Registry<S>& r)
{
  equations_of_motion(r);
  table_four(r);
  errata_of_hybrid_dynamics(r);
}

template void hybrid_identities(Registry<ARTICULATE_PROOF_SCALAR>&);

}  // namespace articulate::validation
