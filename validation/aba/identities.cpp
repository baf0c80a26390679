/** \file
 *  \brief Proofs of chapter aba: Kim 2012, section 2.2, \eq{kim,43} to \eq{kim,50} and Table 3.
 *
 *  The errata of Table 3 are proved with the later tables that repeat its slips: E-kim-4 in chapter hybrid, E-kim-3 in
 *  chapter derivatives.
 */
#include <aba/table_three.hpp>
#include <ledger/registry.hpp>

namespace articulate::validation {
namespace {

/// A quantity of every body of a literal table, angular and linear parts apart.
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

/// The blocks of a 6x6 map from twists to wrenches have different units: compare them one by one.
template <typename S>
void add_blocks(Sides<S>& sides, const Matrix6<S>& left, const Matrix6<S>& right)
{
  for (int i = 0; i < 6; i += 3)
    for (int j = 0; j < 6; j += 3) sides.add(left.template block<3, 3>(i, j), right.template block<3, 3>(i, j));
}

template <typename S>
void table(Registry<S>& r)
{
  r.identity({.name = "articulated_inertia_and_bias_are_those_of_the_matrix_formulas",
              .keys = {"kim:49", "kim:50"},
              .symbols = "ForwardDynamics::articulate ArticulatedInertia coAdInv Pivot",
              .method = "cross-check",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const TableThree<S> t(x);
                for (int i = 1; i <= x.bodies(); ++i) {
                  // (49), (50) written out, child by child
                  Matrix6<S> I_hat = t.I[i];
                  const Matrix6<S> adV = ad_matrix(x.forward.V[i]);
                  Vector6<S> B_hat = -adV.transpose() * t.I[i] * t.V[i] - t.Fext[i];
                  for (int k = i + 1; k <= x.bodies(); ++k) {
                    if (t.parent[k] != i) continue;
                    const SmallMatrix<S> IS = t.I_hat[k] * t.Sj[k];
                    const SmallMatrix<S> pivot = t.Sj[k].transpose() * IS;
                    const SmallMatrix<S> Psi = inverted(pivot);
                    const Vector6<S> eta = t.eta[k];
                    const Vector6<S> held = t.B_hat[k] + t.I_hat[k] * eta;
                    I_hat += t.A[k].transpose() * (t.I_hat[k] - IS * Psi * IS.transpose()) * t.A[k];
                    B_hat += t.A[k].transpose() *
                             (held + IS * Psi * (t.tau[k] - IS.transpose() * eta - t.Sj[k].transpose() * t.B_hat[k]));
                  }
                  add_blocks(sides, x.forward.I_hat[i].matrix(), I_hat);
                  sides.add(x.forward.B_hat[i], to_wrench(B_hat));
                }
              }});
  r.identity({.name = "an_articulated_body_answers_an_acceleration_with_a_wrench",
              .keys = {"kim:43", "kim:44", "kim:48"},
              .symbols = "ForwardDynamics::release ForwardDynamics::F ArticulatedInertia::operator*",
              .method = "cross-check",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                // The wrenches of Table 2 in the motion that Table 3 found: no articulated inertia in them.
                InverseDynamics<S> rnea(x.model);
                rnea(x.q, x.qd, x.forward_qdd, x.Fext);
                std::vector<Vector6<S>> s43, s44;
                for (int i = 0; i <= x.bodies(); ++i) {
                  if (i == 0) {
                    s43.push_back({}), s44.push_back({});
                    continue;
                  }
                  const Body<S>& body = x.model.body(i);
                  const Matrix6<S> I_hat = x.forward.I_hat[i].matrix();
                  const Vector6<S> B_hat = coordinates(x.forward.B_hat[i]);
                  const Twist<S> Sqd = x.forward.S[i] * (x.qd.data() + body.v);
                  const Twist<S> Sqdd = x.forward.S[i] * (x.forward_qdd.data() + body.v);
                  const Twist<S> carried = AdInv(rnea.T[i], rnea.Vdot[body.parent]);
                  s43.push_back(I_hat * coordinates(rnea.Vdot[i]) + B_hat);
                  s44.push_back(I_hat * coordinates(carried + ad(rnea.V[i], Sqd) + S_dot_qd(x, i) + Sqdd) + B_hat);
                }
                sides.add(moving(x.forward.F), moving(rnea.F));
                sides.add(wrenches(s43), moving(rnea.F));
                sides.add(wrenches(s44), moving(rnea.F));
              }});
  r.identity({.name = "each_joint_accelerates_as_its_force_exceeds_what_its_body_asks",
              .keys = {"kim:45"},
              .symbols = "ForwardDynamics::release Pivot::solve",
              .method = "cross-check",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const TableThree<S> t(x);
                VectorX<S> literal(x.model.nv());
                for (int i = 1; i <= x.bodies(); ++i) {
                  const Body<S>& body = x.model.body(i);
                  const Vector6<S> carried = t.A[i] * coordinates(x.forward.Vdot[body.parent]);
                  const Vector6<S> eta = t.eta[i];
                  const Matrix6<S> I_hat = x.forward.I_hat[i].matrix();
                  const SmallMatrix<S> pivot = t.Sj[i].transpose() * I_hat * t.Sj[i];
                  literal.segment(body.v, body.nv) =
                      inverted(pivot) * (t.tau[i] - t.Sj[i].transpose() * I_hat * (carried + eta) -
                                         t.Sj[i].transpose() * coordinates(x.forward.B_hat[i]));
                }
                sides.add_by_unit(x.model, x.forward_qdd, literal);
              }});
  r.identity({.name = "the_parent_balances_its_articulated_children",
              .keys = {"kim:46", "kim:47"},
              .symbols = "ForwardDynamics::articulate ForwardDynamics::F",
              .method = "cross-check",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                std::vector<Wrench<S>> s46, s47;
                for (int l = 1; l <= x.bodies(); ++l) {
                  const Inertia<S>& I = x.model.body(l).I;
                  const Wrench<S> own = articulate::newton_euler(I, x.forward.V[l], x.forward.Vdot[l]) - x.Fext[l];
                  Vector6<S> from_children = Vector6<S>::Zero(), articulated = from_children;
                  for (int k = l + 1; k <= x.bodies(); ++k) {
                    const Body<S>& child = x.model.body(k);
                    if (child.parent != l) continue;
                    const Matrix6<S> A = Ad_matrix(inverse(x.forward.T[k]));
                    const Twist<S> Sqd = x.forward.S[k] * (x.qd.data() + child.v);
                    const Twist<S> Sqdd = x.forward.S[k] * (x.forward_qdd.data() + child.v);
                    const Vector6<S> Vdot = A * coordinates(x.forward.Vdot[l]) +
                                            coordinates(ad(x.forward.V[k], Sqd) + S_dot_qd(x, k) + Sqdd);
                    from_children += A.transpose() * coordinates(x.forward.F[k]);
                    articulated +=
                        A.transpose() * (x.forward.I_hat[k].matrix() * Vdot + coordinates(x.forward.B_hat[k]));
                  }
                  s46.push_back(own + to_wrench(from_children));
                  s47.push_back(own + to_wrench(articulated));
                }
                sides.add(moving(x.forward.F), s46);
                sides.add(moving(x.forward.F), s47);
              }});
  r.identity({.name = "forward_dynamics_is_table_three_with_matrices",
              .keys = {"kim:T3"},
              .symbols = "ForwardDynamics Pivot::eliminate",
              .method = "cross-check",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                sides.add_by_unit(x.model, x.forward_qdd, TableThree<S>(x).accelerations(x.model));
              }});
  r.identity({.name = "forward_dynamics_solves_the_equations_of_motion_of_the_witness",
              .keys = {"kim:T3", "kim:32"},
              .symbols = "ForwardDynamics Pivot ArticulatedInertia",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                sides.add_by_unit(x.model, x.forward_qdd, x.witness_qdd());
              }});
  r.identity({.name = "forward_dynamics_is_that_of_free_bodies_held_by_multipliers",
              .keys = {"kim:T3"},
              .symbols = "ForwardDynamics Pivot JointJacobian",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x,
                          Sides<S>& sides) { sides.add_by_unit(x.model, x.forward_qdd, x.maximal_qdd()); },
              .applies = is_small});
  r.identity({.name = "forward_dynamics_undoes_inverse_dynamics",
              .keys = {"kim:T2", "kim:T3"},
              .symbols = "ForwardDynamics InverseDynamics",
              .method = "cross-check",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                ForwardDynamics<S> aba(x.model);
                sides.add_by_unit(x.model, aba(x.q, x.qd, x.as_input(x.inverse_tau), x.Fext), x.qdd);
              }});
}

}  // namespace

template <typename S>
void aba_identities(Registry<S>& r)
{
  table(r);
}

template void aba_identities(Registry<ARTICULATE_PROOF_SCALAR>&);

}  // namespace articulate::validation
