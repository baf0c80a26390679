/** \file
 *  \brief Proofs of chapter hybrid: Kim 2012, section 2.3, \eq{kim,33}, \eq{kim,34}, \eq{kim,51} to \eq{kim,53}, Tables 1
 *  and 4.
 *
 *  Each state draws a partition of its own; \eq{kim,33} is written with the mass matrix and bias of the witness.
 */
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

template <typename S>
void add_blocks(Sides<S>& sides, const Matrix6<S>& left, const Matrix6<S>& right)
{
  for (int i = 0; i < 6; i += 3)
    for (int j = 0; j < 6; j += 3) sides.add(left.template block<3, 3>(i, j), right.template block<3, 3>(i, j));
}

/// What was asked for: the forces in u and the accelerations in v, each beside zeros.
template <typename S>
void add_answers(Sides<S>& sides, const Model<S>& model, const Partition& prescribed, const HybridDynamics<S>& found,
                 const VectorX<S>& tau, const VectorX<S>& qdd)
{
  sides.add_by_unit(model, part(found.tau(), prescribed, true), part(tau, prescribed, true));
  sides.add_by_unit(model, part(found.qdd(), prescribed, false), part(qdd, prescribed, false));
}

template <typename S>
void equations_of_motion(Registry<S>& r)
{
  r.identity({.name = "hybrid_dynamics_completes_the_equations_of_motion_of_the_witness",
              .keys = {"kim:33", "kim:T4"},
              .symbols = "HybridDynamics ArticulatedBodies::sweep Pivot",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const HybridDynamics<S> hybrid = hybrid_run(x, drawn_partition(x));
                sides.add_by_unit(
                    x.model,
                    VectorX<S>(x.as_input(x.witness_mass_matrix()) * hybrid.qdd() + x.as_input(x.witness_bias())),
                    hybrid.tau());
              }});
  r.identity({.name = "hybrid_dynamics_is_the_solution_of_its_dense_blocks",
              .keys = {"kim:33", "kim:34"},
              .symbols = "HybridDynamics ArticulatedBodies::release ArticulatedBodies::prescribed_part",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const Partition prescribed = drawn_partition(x);
                const std::vector<int> u = members(prescribed, true), v = members(prescribed, false);
                const MatrixX<S> M = x.as_input(x.witness_mass_matrix());
                const VectorX<S> b = x.as_input(x.witness_bias());
                VectorX<S> qdd = x.qdd;
                const VectorX<S> qdd_v = accelerations_in_v(block(M, v, v), block(M, v, u),
                                                            VectorX<S>(block(x.tau, v) - block(b, v)), block(x.qdd, u));
                for (std::size_t k = 0; k < v.size(); ++k) qdd(v[k]) = qdd_v(k);
                add_answers(sides, x.model, prescribed, hybrid_run(x, prescribed), VectorX<S>(M * qdd + b), qdd);
              }});
  r.identity({.name = "inverse_and_forward_dynamics_are_the_extremes_of_hybrid_dynamics",
              .keys = {"kim:T1"},
              .symbols = "HybridDynamics ArticulatedBodies::sweep ArticulatedBodies::forces_of_prescribed",
              .method = "cross-check",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                sides.add_by_unit(x.model, hybrid_run(x, Partition(x.model.nv(), true)).tau(), x.inverse_tau);
                sides.add_by_unit(x.model, hybrid_run(x, Partition(x.model.nv(), false)).qdd(), x.witness_qdd());
              }});
  r.identity({.name = "hybrid_dynamics_finds_what_it_was_not_told",
              .keys = {"kim:T1", "kim:T4"},
              .symbols = "HybridDynamics",
              .method = "cross-check",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const Partition prescribed = drawn_partition(x);
                HybridDynamics<S> hybrid(x.model, prescribed);
                const VectorX<S> given = x.as_input(x.inverse_tau);
                hybrid(x.q, x.qd, part(x.qdd, prescribed, true), part(given, prescribed, false), x.Fext);
                add_answers(sides, x.model, prescribed, hybrid, x.inverse_tau, x.qdd);
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
              }});
}

template <typename S>
void table(Registry<S>& r)
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
                std::vector<Wrench<S>> held, s51, balanced;
                for (int i = 1; i <= x.bodies(); ++i) {
                  held.push_back(hybrid.F[i]);
                  s51.push_back(hybrid.I_hat[i] * rnea.Vdot[i] + hybrid.B_hat[i]);
                  balanced.push_back(rnea.F[i]);
                }
                sides.add(held, balanced);
                sides.add(s51, balanced);
              }});
  r.identity({.name = "what_a_prescribed_joint_carries_reaches_its_parent_whole",
              .keys = {"kim:52", "kim:53"},
              .symbols = "ArticulatedBodies::articulate ArticulatedBodies::gather Pivot::give_way Pivot::pass_on",
              .method = "cross-check",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const Partition prescribed = drawn_partition(x);
                const HybridDynamics<S> hybrid = hybrid_run(x, prescribed);
                const TableFour<S> t(x, prescribed);
                for (int i = 1; i <= x.bodies(); ++i) {
                  add_blocks(sides, hybrid.I_hat[i].matrix(), t.I_hat[i]);
                  sides.add(hybrid.B_hat[i], to_wrench(t.B_hat[i]));
                }
              }});
  r.identity({.name = "hybrid_dynamics_is_table_four_with_matrices",
              .keys = {"kim:T4"},
              .symbols = "HybridDynamics Pivot::eliminate",
              .method = "cross-check",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                for (const Partition& prescribed : {drawn_partition(x), tips_prescribed(x.model)}) {
                  const TableFour<S> t(x, prescribed);
                  const HybridDynamics<S> hybrid = hybrid_run(x, prescribed);
                  sides.add_by_unit(x.model, hybrid.tau(), t.forces(x.model));
                  sides.add_by_unit(x.model, hybrid.qdd(), t.accelerations(x.model));
                }
              }});
}

template <typename S>
void errata(Registry<S>& r)
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
  table(r);
  errata(r);
}

template void hybrid_identities(Registry<ARTICULATE_PROOF_SCALAR>&);

}  // namespace articulate::validation
