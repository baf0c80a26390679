/** \file
 *  \brief Proofs of chapter aba: Kim 2012, section 2.2, \eq{kim,43} to \eq{kim,50} and Table 3.
 *
 *  The errata of Table 3 are proved with the later tables that repeat its slips: E-kim-4 in chapter hybrid, E-kim-3 in
 *  chapter derivatives.
 */
#include <aba/lines.hpp>
#include <aba/table_three.hpp>
#include <hybrid/partition.hpp>
#include <ledger/registry.hpp>

namespace articulate::validation {
namespace {

/// (49) and (50) of one body, child by child.
template <typename S>
struct Articulated {
  Matrix6<S> I_hat;
  Vector6<S> B_hat;

  Articulated(const TableThree<S>& t, int i, Slip slip = Slip::none) : I_hat(t.I[i])
  {
    const Vector6<S> gyroscopic = ad_matrix(to_twist(t.V[i])).transpose() * t.I[i] * t.V[i];
    B_hat = (slip == Slip::bias ? gyroscopic : -gyroscopic) - t.Fext[i];
    for (std::size_t k = i + 1; k < t.parent.size(); ++k) {
      if (t.parent[k] != i) continue;
      const SmallMatrix<S> IS = t.I_hat[k] * t.Sj[k];
      const SmallMatrix<S> pivot = t.Sj[k].transpose() * IS;
      const SmallMatrix<S> Psi = inverted(pivot);
      const Vector6<S> eta = t.eta[k];
      const Vector6<S> held = slip == Slip::beta ? t.B_hat[k] : t.B_hat[k] + t.I_hat[k] * eta;
      const SmallVector<S> rest = t.tau[k] - IS.transpose() * eta - t.Sj[k].transpose() * t.B_hat[k];
      Matrix6<S> left = t.I_hat[k];
      if (slip != Slip::pi) left -= IS * Psi * IS.transpose();
      I_hat += t.A[k].transpose() * left * t.A[k];
      B_hat += t.A[k].transpose() * (held + IS * Psi * rest);
    }
  }
};

template <typename S>
void articulated_bodies(Registry<S>& r)
{
  r.identity(
      {.name = "articulated_inertia_and_bias_are_those_of_the_matrix_formulas",
       .keys = {"kim:49", "kim:50/bias", "kim:50/eta"},
       .symbols = "ArticulatedBodies::articulate ArticulatedInertia coAdInv Pivot",
       .method = "cross-check",
       .sides = [](const Specimen<S>& x, Sides<S>& sides) {
         const TableThree<S> t(x);
         for (int i = 1; i <= x.bodies(); ++i) {
           const Articulated<S> written(t, i);
           const Matrix6<S> I_hat = x.forward.I_hat[i].matrix();
           const Wrench<S> B_hat = x.forward.B_hat[i];
           sides.clause("kim:49");
           add_by_block(sides, I_hat, written.I_hat);
           sides.rival("the children's joints do not give way",
                       [&](auto& wrong) { add_by_block(wrong, I_hat, Articulated<S>(t, i, Slip::pi).I_hat); });
           sides.clause("kim:50/bias");
           sides.add(B_hat, to_wrench(written.B_hat));
           sides.rival("the dual bracket is added",
                       [&](auto& wrong) { wrong.add(B_hat, to_wrench(Articulated<S>(t, i, Slip::bias).B_hat)); });
           sides.rival("the children's inertias do not meet the velocity terms",
                       [&](auto& wrong) { wrong.add(B_hat, to_wrench(Articulated<S>(t, i, Slip::beta).B_hat)); });
         }
         sides.clause({"kim:49", "kim:50/bias"});
         add_other_accelerations(sides, x, Partition(x.model.nv(), false), [&](int i) { return Articulated<S>(t, i); });
         sides.clause("kim:50/eta");
         add_eta(sides, x, moving(x.forward.eta), twists(t.eta));
         sides.rival("the joint's twist acts on the body's", [&](auto& wrong) {
           add_eta(wrong, x, moving(x.forward.eta), twists(TableThree<S>(x, {}, Slip::eta).eta));
         });
       }});
  r.identity({.name = "an_articulated_body_answers_an_acceleration_with_a_wrench",
              .keys = {"kim:43", "kim:44", "kim:48"},
              .symbols = "ArticulatedBodies::release ForwardDynamics::F ArticulatedInertia::operator*",
              .method = "cross-check",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                // The wrenches of Table 2 in the motion that Table 3 found: no articulated inertia in them.
                InverseDynamics<S> rnea(x.model);
                rnea(x.q, x.qd, x.forward_qdd, x.Fext);
                const std::vector<Wrench<S>> F = moving(rnea.F);
                std::vector<Wrench<S>> s43, s44, subtracted, without_eta, of_parents, s48, alone;
                for (int i = 1; i <= x.bodies(); ++i) {
                  const Body<S>& body = x.model.body(i);
                  const ArticulatedInertia<S>& I_hat = x.forward.I_hat[i];
                  const Wrench<S> B_hat = x.forward.B_hat[i];
                  const Twist<S> Sqd = x.forward.S[i] * (x.qd.data() + body.v);
                  const Twist<S> Sqdd = x.forward.S[i] * (x.forward_qdd.data() + body.v);
                  const Twist<S> carried = AdInv(rnea.T[i], rnea.Vdot[body.parent]);
                  const Vector6<S> s41 = coordinates(carried + ad(rnea.V[i], Sqd) + S_dot_qd(x, i) + Sqdd);
                  s43.push_back(I_hat * rnea.Vdot[i] + B_hat);
                  subtracted.push_back(I_hat * rnea.Vdot[i] - B_hat);
                  s44.push_back(to_wrench(I_hat.matrix() * s41) + B_hat);
                  without_eta.push_back(I_hat * (carried + Sqdd) + B_hat);
                }
                for (int l = 1; l <= x.bodies(); ++l) {
                  bool carries = false;
                  for (int k = l + 1; k <= x.bodies(); ++k) carries = carries || x.model.body(k).parent == l;
                  if (!carries) continue;
                  of_parents.push_back(rnea.F[l]);
                  s48.push_back(s43[l - 1]);
                  alone.push_back(x.model.body(l).I * rnea.Vdot[l] + x.forward.B_hat[l]);
                }
                sides.clause("kim:43");
                sides.add(moving(x.forward.F), F);
                sides.add(s43, F);
                sides.rival("the bias is subtracted", [&](auto& wrong) { wrong.add(subtracted, F); });
                sides.clause("kim:44");
                sides.add(s44, F);
                sides.rival("the velocity terms are left out", [&](auto& wrong) { wrong.add(without_eta, F); });
                sides.clause("kim:48");
                sides.add(s48, of_parents);
                sides.rival("the parent's own inertia answers", [&](auto& wrong) { wrong.add(alone, of_parents); });
              }});
  r.identity({.name = "each_joint_accelerates_as_its_force_exceeds_what_its_body_asks",
              .keys = {"kim:45"},
              .symbols = "ArticulatedBodies::release Pivot::solve",
              .method = "cross-check",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const TableThree<S> t(x);
                const auto accelerations = [&](const S& sign) {
                  VectorX<S> literal(x.model.nv());
                  for (int i = 1; i <= x.bodies(); ++i) {
                    const Body<S>& body = x.model.body(i);
                    const Vector6<S> carried = t.A[i] * coordinates(x.forward.Vdot[body.parent]);
                    const Vector6<S> eta = t.eta[i];
                    const Matrix6<S> I_hat = x.forward.I_hat[i].matrix();
                    const SmallMatrix<S> pivot = t.Sj[i].transpose() * I_hat * t.Sj[i];
                    literal.segment(body.v, body.nv) =
                        inverted(pivot) * (t.tau[i] - t.Sj[i].transpose() * I_hat * (carried + eta) -
                                           sign * t.Sj[i].transpose() * coordinates(x.forward.B_hat[i]));
                  }
                  return literal;
                };
                sides.add_by_unit(x.model, x.forward_qdd, accelerations(S(1)));
                sides.rival("the bias helps the joint",
                            [&](auto& wrong) { wrong.add_by_unit(x.model, x.forward_qdd, accelerations(S(-1))); });
              }});
  r.identity({.name = "the_parent_balances_its_articulated_children",
              .keys = {"kim:46", "kim:47"},
              .symbols = "ArticulatedBodies::articulate ForwardDynamics::F",
              .method = "cross-check",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                std::vector<Wrench<S>> s46, s47, other_way, locked;
                for (int l = 1; l <= x.bodies(); ++l) {
                  const Inertia<S>& I = x.model.body(l).I;
                  const Wrench<S> own = articulate::newton_euler(I, x.forward.V[l], x.forward.Vdot[l]) - x.Fext[l];
                  for (auto* sum : {&s46, &s47, &other_way, &locked}) sum->push_back(own);
                  for (int k = l + 1; k <= x.bodies(); ++k) {
                    const Body<S>& child = x.model.body(k);
                    if (child.parent != l) continue;
                    const SE3<S>& T = x.forward.T[k];
                    const Matrix6<S> A = Ad_matrix(inverse(T)), star = A.transpose();
                    const Matrix6<S> I_hat = x.forward.I_hat[k].matrix();
                    const Vector6<S> B_hat = coordinates(x.forward.B_hat[k]), F = coordinates(x.forward.F[k]);
                    const Twist<S> Sqd = x.forward.S[k] * (x.qd.data() + child.v);
                    const Twist<S> Sqdd = x.forward.S[k] * (x.forward_qdd.data() + child.v);
                    const Vector6<S> held =
                        A * coordinates(x.forward.Vdot[l]) + coordinates(ad(x.forward.V[k], Sqd) + S_dot_qd(x, k));
                    s46[l - 1] += to_wrench(star * F);
                    other_way[l - 1] += to_wrench(Ad_matrix(T).transpose() * F);
                    s47[l - 1] += to_wrench(star * (I_hat * (held + coordinates(Sqdd)) + B_hat));
                    locked[l - 1] += to_wrench(star * (I_hat * held + B_hat));
                  }
                }
                sides.clause("kim:46");
                sides.add(moving(x.forward.F), s46);
                sides.rival("the children's wrenches are carried the way that twists go",
                            [&](auto& wrong) { wrong.add(moving(x.forward.F), other_way); });
                sides.clause("kim:47");
                sides.add(moving(x.forward.F), s47);
                sides.rival("the children's joints do not accelerate",
                            [&](auto& wrong) { wrong.add(moving(x.forward.F), locked); });
              }});
}

template <typename S>
void table(Registry<S>& r)
{
  r.identity(
      {.name = "forward_dynamics_is_table_three_with_matrices",
       .keys = {"kim:T3/velocity", "kim:T3/eta", "kim:T3/inertia", "kim:T3/bias", "kim:T3/psi", "kim:T3/pi",
                "kim:T3/beta", "kim:T3/acceleration", "kim:T3/motion", "kim:T3/force"},
       .symbols = "ForwardDynamics Pivot::eliminate",
       .method = "cross-check",
       .sides = [](const Specimen<S>& x, Sides<S>& sides) {
         const TableThree<S> t(x);
         const ForwardDynamics<S>& aba = x.forward;
         // Each line beside the library's own, and the accelerations that a slip in it would give.
         const auto missed = [&](auto& wrong, const PrintedLines& printed, Slip slip) {
           wrong.add_by_unit(x.model, TableThree<S>(x, printed, slip).accelerations(x.model), x.witness_qdd());
         };
         sides.clause("kim:T3/velocity");
         sides.add(moving(aba.V), twists(t.V));
         sides.rival("the parent's twist is carried the other way",
                     [&](auto& wrong) { missed(wrong, {}, Slip::velocity); });
         sides.clause("kim:T3/eta");
         add_eta(sides, x, moving(aba.eta), twists(t.eta));
         sides.rival("the joint's twist acts on the body's", [&](auto& wrong) { missed(wrong, {}, Slip::eta); });
         sides.clause("kim:T3/bias");
         sides.add(moving(aba.B_hat), wrenches(t.B_hat));
         sides.rival("the dual bracket is added", [&](auto& wrong) { missed(wrong, {}, Slip::bias); });
         sides.rival("the children's biases are carried as printed",
                     [&](auto& wrong) { missed(wrong, {.bias = true}, Slip::none); });
         std::vector<Wrench<S>> betas, terms = moving(aba.F);
         for (int i = 1; i <= x.bodies(); ++i) {
           const Body<S>& body = x.model.body(i);
           const Matrix6<S> I_hat = aba.I_hat[i].matrix();
           sides.clause("kim:T3/inertia");
           add_by_block(sides, I_hat, t.I_hat[i]);
           sides.clause("kim:T3/psi");
           sides.add(Psi_of(aba, body), t.Psi[i]);
           sides.clause("kim:T3/pi");
           add_by_block(sides, Pi_of(aba, body), t.Pi[i], I_hat);
           betas.push_back(beta_of(aba, body, x.forward_qdd));
           terms.push_back(aba.I_hat[i] * aba.eta[i]), terms.push_back(aba.B_hat[i]);
         }
         sides.clause("kim:T3/inertia");
         sides.rival("the children's inertias are carried as printed",
                     [&](auto& wrong) { missed(wrong, {.inertia = true}, Slip::none); });
         sides.clause("kim:T3/psi");
         sides.rival("the joint moves its own body alone", [&](auto& wrong) { missed(wrong, {}, Slip::psi); });
         sides.clause("kim:T3/pi");
         sides.rival("the joint does not give way", [&](auto& wrong) { missed(wrong, {}, Slip::pi); });
         sides.clause("kim:T3/beta");
         sides.add(betas, wrenches(t.beta), terms);
         sides.rival("the velocity terms are not passed on", [&](auto& wrong) { missed(wrong, {}, Slip::beta); });
         sides.clause("kim:T3/acceleration");
         sides.add_by_unit(x.model, x.forward_qdd, t.accelerations(x.model));
         sides.rival("the bias helps the joint", [&](auto& wrong) { missed(wrong, {}, Slip::acceleration); });
         sides.clause("kim:T3/motion");
         sides.add(moving(aba.Vdot), twists(t.Vdot));
         sides.rival("the parent's acceleration is carried the other way, as printed",
                     [&](auto& wrong) { missed(wrong, {}, Slip::motion); });
         sides.clause("kim:T3/force");
         sides.add(moving(aba.F), wrenches(t.F));
         sides.rival("the body's own inertia answers",
                     [&](auto& wrong) { wrong.add(moving(aba.F), wrenches(TableThree<S>(x, {}, Slip::force).F)); });
       }});
  r.identity({.name = "forward_dynamics_solves_the_equations_of_motion_of_the_witness",
              .keys = {"kim:T3/acceleration", "kim:32/sum"},
              .symbols = "ForwardDynamics Pivot ArticulatedInertia",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                sides.add_by_unit(x.model, x.forward_qdd, x.witness_qdd());
                sides.rival("the bias helps the joints", [&](auto& wrong) {
                  const VectorX<S> helped =
                      definite_solution(x.witness_mass_matrix(), VectorX<S>(x.tau + x.witness_bias()));
                  wrong.add_by_unit(x.model, helped, x.witness_qdd());
                });
              }});
  r.identity({.name = "forward_dynamics_is_that_of_free_bodies_held_by_multipliers",
              .keys = {"kim:T3/acceleration"},
              .symbols = "ForwardDynamics Pivot JointJacobian",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const VectorX<S> held = x.maximal_qdd();
                    sides.add_by_unit(x.model, x.forward_qdd, held);
                    sides.rival("the bodies have no weight", [&](auto& wrong) {
                      ForwardDynamics<S> aba(x.model);
                      aba.set_gravity({});
                      wrong.add_by_unit(x.model, aba(x.q, x.qd, x.tau, x.Fext), held);
                    });
                  },
              .applies = is_small});
  r.identity({.name = "forward_dynamics_undoes_inverse_dynamics",
              .keys = {"kim:T2/torque", "kim:T3/acceleration"},
              .symbols = "ForwardDynamics InverseDynamics",
              .method = "cross-check",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                ForwardDynamics<S> aba(x.model);
                const VectorX<S> tau = x.as_input(x.inverse_tau);
                sides.add_by_unit(x.model, aba(x.q, x.qd, tau, x.Fext), x.qdd);
                sides.rival("one of them alone is told of the external wrenches",
                            [&](auto& wrong) { wrong.add_by_unit(x.model, aba(x.q, x.qd, tau), x.qdd); });
              }});
}

}  // namespace

template <typename S>
void aba_identities(Registry<S>& r)
{
  articulated_bodies(r);
  table(r);
}

template void aba_identities(Registry<ARTICULATE_PROOF_SCALAR>&);

}  // namespace articulate::validation
