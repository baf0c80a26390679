/** \file
 *  \brief Proofs of chapter constrained: inertias felt through a handle and through loops, \eq{ours,22} to \eq{ours,24}.
 *
 *  The mass matrix is that of the witness, and all solutions on the other side are dense; wrenches are put on a link in
 *  forward dynamics.
 */
#include <algorithm>
#include <articulate/constrained/operational_inertia.hpp>
#include <constrained/compiled.hpp>
#include <constrained/drawn_constraints.hpp>
#include <ledger/registry.hpp>

namespace articulate::validation {
namespace {

bool has_two_rates(const Model<double>& m) { return m.bodies() > 0 && m.nv() >= 2; }
bool can_close_a_loop(const Model<double>& m) { return m.bodies() > 1; }

template <typename S>
MatrixX<S> drawn_rows(const Specimen<S>& x, int rows)
{
  MatrixX<S> J(rows, x.model.nv());
  for (int i = 0; i < rows; ++i)
    for (int k = 0; k < x.model.nv(); ++k) J(i, k) = x.number((43 * i + 5 * k + 17) % 128);
  return J;
}

/// \f$JM^{-1}K^{\mathsf T}\f$ by the witness's mass matrix and a dense solution.
template <typename S>
MatrixX<S> dense_mobility(const Specimen<S>& x, const MatrixX<S>& J, const MatrixX<S>& K)
{
  return J * definite_solution(x.as_input(x.witness_mass_matrix()), MatrixX<S>(K.transpose()));
}

/// How the acceleration of a link changes when a wrench is put on it, in its own frame, by forward dynamics.
template <typename S>
Twist<S> answer_to_wrench(const Specimen<S>& x, const LinkFrame<S>& link, const Wrench<S>& F)
{
  ExternalWrenches<S> pushed = x.Fext;
  pushed[link.body] += coAdInv(link.X, F);
  ForwardDynamics<S> aba(x.model);
  aba(x.q, x.qd, x.tau, pushed);
  return AdInv(link.X, aba.Vdot[link.body] - x.forward.Vdot[link.body]);
}

/// A Delassus matrix, turns and slides of a loop apart; mixed entries beside the root of both.
template <typename S>
void add_rows_by_unit(Sides<S>& sides, const Loops<S>& loops, const MatrixX<S>& left, const MatrixX<S>& right)
{
  const auto slides = [&](int m) { return loops.row(m).kind == Loops<S>::Row::slide; };
  S largest[2] = {S(0), S(0)};
  for (int i = 0; i < right.rows(); ++i) largest[slides(i)] = std::max(largest[slides(i)], magnitude(right(i, i)));
  using std::sqrt;
  for (int i = 0; i < right.rows(); ++i)
    for (int j = 0; j < right.rows(); ++j)
      sides.add(left(i, j), right(i, j), S(sqrt(S(largest[slides(i)] * largest[slides(j)]))));
}

template <typename S>
void handle(Registry<S>& r)
{
  r.identity({.name = "the_operational_inertia_undoes_the_mobility_of_its_rows",
              .keys = {"ours:22/inverse"},
              .symbols = "operational_inertia Mobility::of",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const int m = std::min(3, x.model.nv() - 1);
                    const MatrixX<S> J = drawn_rows(x, m), K = x.as_input(dense_mobility(x, J, J));
                    Mobility<S> at(x.model);
                    at(x.q);
                    const MatrixX<S> ours = operational_inertia(at, J);
                    const MatrixX<S> dense = definite_solution(K, MatrixX<S>(MatrixX<S>::Identity(m, m)));
                    sides.add(ours, dense);
                    sides.rival("the mass matrix is projected, not its inverse", [&](auto& wrong) {
                      const MatrixX<S> JJ = definite_solution(MatrixX<S>(J * J.transpose()), J);
                      wrong.add(MatrixX<S>(JJ * x.witness_mass_matrix() * JJ.transpose()), dense);
                    });
                  },
              .applies = has_two_rates});
  r.identity({.name = "a_wrench_accelerates_the_link_by_its_mobility",
              .keys = {"ours:22/wrench"},
              .symbols = "Mobility::of ArticulatedBodies::reduce",
              .method = "cross-check",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const auto carried = [&](const LinkFrame<S>& link) { return link.body == x.bodies(); };
                const auto& links = x.model.links();
                const LinkFrame<S>& link = *std::find_if(links.begin(), links.end(), carried);
                const Wrench<S> F = x.wrench(30);
                Mobility<S> at(x.model);
                at(x.q);
                const MatrixX<S> J = x.kinematics.link_jacobian(link), K = at.of(J);
                const Twist<S> answer = answer_to_wrench(x, link, F);
                // The answer is a difference of two accelerations.
                const Twist<S> before = AdInv(link.X, x.forward.Vdot[link.body]);
                S turns(0), slides(0);
                for (const Twist<S>& A : {before, before + answer})
                  for (int k = 0; k < 3; ++k) {
                    turns = std::max(turns, magnitude(A.w[k]));
                    slides = std::max(slides, magnitude(A.v[k]));
                  }
                const auto compare = [&](auto& to, const VectorX<S>& moved) {
                  const Twist<S> V = to_twist(moved);
                  to.add(answer.w, V.w, turns);
                  to.add(answer.v, V.v, slides);
                };
                compare(sides, K * coordinates(F));
                sides.rival("moments and forces answer apart", [&](auto& wrong) {
                  MatrixX<S> apart = K;
                  apart.topRightCorner(3, 3).setZero(), apart.bottomLeftCorner(3, 3).setZero();
                  compare(wrong, apart * coordinates(F));
                });
              }});
}

template <typename S>
void loops_felt(Registry<S>& r)
{
  r.identity({.name = "the_delassus_matrix_is_what_the_mass_matrix_makes_of_the_rows_of_a_loop",
              .keys = {"ours:23/matrix"},
              .symbols = "delassus_matrix Mobility::of",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const Model<double> model(x.inputs.mechanism, x.inputs.options);
                    for (const JointType type : {JointType::ball, JointType::cylindrical}) {
                      const std::vector<Loop> cut = drawn_loop(x.inputs, model, type);
                      Loops<S> loops(x.model, cut);
                      loops(x.q, x.qd);
                      const MatrixX<S> A = x.as_input(loops.A);
                      const MatrixX<S> ours = delassus_matrix(x.model, cut, x.q), dense = dense_mobility(x, A, A);
                      add_rows_by_unit(sides, loops, ours, dense);
                      sides.rival("all masses are one", [&](auto& wrong) {
                        add_rows_by_unit(wrong, loops, MatrixX<S>(A * A.transpose()), dense);
                      });
                    }
                  },
              .applies = can_close_a_loop});
  r.identity({.name = "the_delassus_matrix_turns_multipliers_into_what_the_free_motion_breaks",
              .keys = {"ours:23/multipliers"},
              .symbols = "ConstrainedDynamics::constrain ArticulatedBodies::reduce",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const DrawnConstraints<S> c(x, std::min(3, x.model.nv() - 1));
                    const ConstrainedDynamics<S> run = constrained_run(x, Partition(x.model.nv(), false), c);
                    // The mass matrix and the free motion of the witness: the library divided by its own Delta.
                    const MatrixX<S> Delta = x.as_input(dense_mobility(x, c.A, c.A));
                    const VectorX<S> free = x.as_input(x.witness_qdd());
                    const VectorX<S> closing = Delta * run.lambda(), excess = c.A * free + c.Adot_qd;
                    const VectorX<S> terms = Delta.cwiseAbs() * run.lambda().cwiseAbs() +
                                             c.A.cwiseAbs() * free.cwiseAbs() + c.Adot_qd.cwiseAbs();
                    sides.add(closing, VectorX<S>(-excess), terms.maxCoeff());
                    sides.rival("the multipliers open what is open",
                                [&](auto& wrong) { wrong.add(closing, excess, terms.maxCoeff()); });
                  },
              .applies = has_two_rates});
  r.identity({.name = "loops_take_from_a_mobility_what_they_hold",
              .keys = {"ours:24/matrix", "ours:24/held"},
              .symbols = "constrained_mobility Mobility::of",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const DrawnConstraints<S> c(x, std::min(3, x.model.nv() - 1));
                    const MatrixX<S> J = drawn_rows(x, 2);
                    Mobility<S> at(x.model);
                    at(x.q);
                    const MatrixX<S> ours = constrained_mobility(at, J, c.A);
                    const MatrixX<S> free = dense_mobility(x, J, J), across = dense_mobility(x, J, c.A);
                    const MatrixX<S> Delta = x.as_input(dense_mobility(x, c.A, c.A));
                    const MatrixX<S> taken = across * definite_solution(Delta, MatrixX<S>(across.transpose()));
                    sides.clause("ours:24/matrix");
                    sides.add(ours, MatrixX<S>(free - taken), free.cwiseAbs().maxCoeff());
                    sides.rival("the loops are forgotten",
                                [&](auto& wrong) { wrong.add(free, MatrixX<S>(free - taken)); });
                    sides.clause("ours:24/held");
                    const int m = static_cast<int>(c.A.rows());
                    const MatrixX<S> held = constrained_mobility(at, c.A, c.A), none = MatrixX<S>::Zero(m, m);
                    sides.add(held, none, Delta.cwiseAbs().maxCoeff());
                    sides.rival("the loops give way",
                                [&](auto& wrong) { wrong.add(Delta, none, Delta.cwiseAbs().maxCoeff()); });
                  },
              .applies = has_two_rates});
}

}  // namespace

template <typename S>
void constrained_operational(Registry<S>& r)
{
  handle(r);
  loops_felt(r);
}

template void constrained_operational(Registry<ARTICULATE_PROOF_SCALAR>&);

}  // namespace articulate::validation
