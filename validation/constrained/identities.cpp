/** \file
 *  \brief Proofs of chapter constrained: Kim 2012, section 3, \eq{kim,54} to \eq{kim,80}.
 *
 *  Mass matrix and bias are those of the witness, which knows no recursion; the rows of A are drawn with each state, and
 *  loops are differentiated along the motion.
 */
#include <Eigen/QR>
#include <constrained/compiled.hpp>
#include <constrained/drawn_constraints.hpp>
#include <ledger/calculus.hpp>
#include <ledger/registry.hpp>

namespace articulate::validation {
namespace {

/// In a model of one degree no constraint leaves a motion.
bool has_two(const Model<double>& m) { return is_small(m) && m.nv() >= 2; }

/// Rows that the degrees in v can meet and that leave one of them free: at most three. (With none left free the motion is
/// what the rows say, and (67) reaches it through the inertias with the digits that their condition leaves.)
template <typename S>
DrawnConstraints<S> constraints_on(const Specimen<S>& x, int degrees)
{
  return DrawnConstraints<S>(x, std::clamp(degrees - 1, 0, 3));
}

/// The largest entry.
template <typename S, typename Derived>
S size(const Eigen::MatrixBase<Derived>& x)
{
  S largest(0);
  for (const S& one : x.reshaped())
    if (magnitude(one) > largest) largest = magnitude(one);
  return largest;
}

/// Both equations that a solution has to meet, with the mass matrix and bias of the witness, beside the size of their terms.
template <typename S>
Sides<S> both_equations(const Specimen<S>& x, const ConstrainedDynamics<S>& run, const DrawnConstraints<S>& c)
{
  Sides<S> sides;
  const MatrixX<S>& M = x.witness_mass_matrix();
  const VectorX<S> inertial = M * run.qdd(), constraint = c.A.transpose() * run.lambda();
  const VectorX<S> terms = M.cwiseAbs() * run.qdd().cwiseAbs() + c.A.transpose().cwiseAbs() * run.lambda().cwiseAbs() +
                           M.cwiseAbs() * run.tree.qdd().cwiseAbs();
  for (int k = 0; k < x.model.nv(); ++k)
    sides.add(S(inertial(k) + x.witness_bias()(k)), S(run.tau()(k) + constraint(k)), terms(k));
  const VectorX<S> rate = c.A * run.qdd();
  const VectorX<S> of_rows = c.A.cwiseAbs() * (run.qdd().cwiseAbs() + run.tree.qdd().cwiseAbs());
  for (int i = 0; i < rate.size(); ++i) sides.add(rate(i), S(-c.Adot_qd(i)), of_rows(i));
  return sides;
}

/// What a cut joint forbids, carried along the motion: its first derivatives against the rows.
template <typename S>
Sides<S> rows_along_the_motion(const Specimen<S>& x, JointType type)
{
  Sides<S> sides;
  const std::vector<Loop> cut = drawn_loop(x.inputs, Model<double>(x.inputs.mechanism, x.inputs.options), type);
  Loops<S> loops(x.model, cut);
  loops(x.q, x.qd);
  // The same along the motion through this state, in an arithmetic that carries derivatives.
  const Series<S> t = time_series<S>();
  const Model<Series<S>>& model = x.series_model();
  VectorX<Series<S>> delta(x.model.nv()), q(x.model.nq()), qd(x.model.nv());
  for (int k = 0; k < q.size(); ++k) q(k) = Series<S>(x.q(k));
  for (int k = 0; k < qd.size(); ++k) delta(k) = t * x.qd(k), qd(k) = Series<S>(x.qd(k));
  Loops<Series<S>> moving(model, cut);
  moving(displaced(model, q, delta), qd);
  VectorX<S> f_dot(loops.rows()), A_dot_qd(loops.rows());
  for (int i = 0; i < loops.rows(); ++i) {
    Series<S> rate(0);
    for (int k = 0; k < qd.size(); ++k) rate += moving.A(i, k) * qd(k);
    f_dot(i) = derivative(moving.violation(i), 1);
    A_dot_qd(i) = derivative(rate, 1);
  }
  // Beside the motion of the bodies, of which a row may see next to nothing.
  S speed(0), acceleration(0);
  for (int i = 1; i <= x.bodies(); ++i) {
    speed = std::max(speed, size<S>(coordinates(loops.V[i])));
    acceleration = std::max(acceleration, size<S>(coordinates(loops.Vdot[i])));
  }
  sides.add(VectorX<S>(loops.A * x.qd), f_dot, speed);
  sides.add(loops.Adot_qd, A_dot_qd, S(acceleration + speed * speed));
  return sides;
}

template <typename S>
void loops(Registry<S>& r)
{
  r.identity({.name = "rows_of_a_cut_joint_are_the_rate_of_what_it_forbids",
              .keys = {"kim:55"},
              .symbols = "Loops::operator() Loops::along Loops::add_columns Loops::violation_of",
              .method = "series",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    for (const JointType type : {JointType::revolute, JointType::cylindrical, JointType::universal,
                                                 JointType::planar, JointType::ball})
                      sides.append(rows_along_the_motion(x, type));
                  },
              .applies = [](const Model<double>& m) { return m.bodies() > 1; }});
  r.identity({.name = "multipliers_are_wrenches_at_the_cut_joint",
              .keys = {"kim:54"},
              .symbols = "Loops::add_reactions Loops::add_columns",
              .method = "cross-check",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    Loops<S> loops(x.model, drawn_loop(x.inputs, Model<double>(x.inputs.mechanism, x.inputs.options),
                                                       JointType::universal));
                    loops(x.q, x.qd);
                    VectorX<S> lambda(loops.rows());
                    for (int i = 0; i < lambda.size(); ++i) lambda(i) = x.number(90 + i);
                    // As wrenches on the bodies they change the joint forces of inverse dynamics by -A^T lambda.
                    ExternalWrenches<S> F = x.Fext;
                    loops.add_reactions(lambda, F);
                    InverseDynamics<S> rnea(x.model);
                    const VectorX<S> tau = rnea(x.q, x.qd, x.qdd, F);
                    sides.add_by_unit(x.model, VectorX<S>(tau + loops.A.transpose() * lambda), x.inverse_tau);
                  },
              .applies = [](const Model<double>& m) { return m.bodies() > 1; }});
}

template <typename S>
void forward(Registry<S>& r)
{
  r.identity({.name = "constrained_forward_dynamics_solves_motion_and_constraints_together",
              .keys = {"kim:54", "kim:55"},
              .symbols = "ConstrainedDynamics SemidefiniteSolver ArticulatedBodies::respond",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const DrawnConstraints<S> c = constraints_on(x, x.model.nv());
                    sides.append(both_equations(x, constrained_run(x, Partition(x.model.nv(), false), c), c));
                  },
              .applies = has_two});
  r.identity({.name = "constraint_forces_take_away_what_the_free_motion_breaks",
              .keys = {"kim:67", "kim:68", "kim:69"},
              .symbols = "ConstrainedDynamics::constrain SemidefiniteSolver ArticulatedBodies::respond",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const DrawnConstraints<S> c = constraints_on(x, x.model.nv());
                    const ConstrainedDynamics<S> run = constrained_run(x, Partition(x.model.nv(), false), c);
                    const MatrixX<S> M = x.as_input(x.witness_mass_matrix());
                    const VectorX<S> qdd_r = definite_solution(M, x.as_input(VectorX<S>(x.tau - x.witness_bias())));
                    const MatrixX<S> AMA = c.A * definite_solution(M, MatrixX<S>(c.A.transpose()));
                    const VectorX<S> lambda =
                        -definite_solution(x.as_input(AMA), x.as_input(VectorX<S>(c.A * qdd_r + c.Adot_qd)));  // (67)
                    const VectorX<S> qdd_c = definite_solution(M, VectorX<S>(c.A.transpose() * lambda));       // (68)
                    sides.add(run.lambda(), lambda);
                    sides.add_by_unit(x.model, run.qdd(), VectorX<S>(qdd_r + qdd_c));  // (69)
                  },
              .applies = has_two});
}

/// The blocks of section 3.3, by the witness.
template <typename S>
struct HybridBlocks {
  std::vector<int> u, v;
  MatrixX<S> Muu, Mvu, Mvv, Au, Av;
  VectorX<S> bu, bv, qdd_u, tau_v;

  HybridBlocks(const Specimen<S>& x, const Partition& prescribed, const DrawnConstraints<S>& c)
      : u(members(prescribed, true)), v(members(prescribed, false))
  {
    const MatrixX<S> M = x.as_input(x.witness_mass_matrix());
    const VectorX<S> b = x.as_input(x.witness_bias());
    Muu = M(u, u), Mvu = M(v, u), Mvv = M(v, v);
    Au = columns(c.A, u), Av = columns(c.A, v);
    bu = b(u), bv = b(v), qdd_u = x.qdd(u), tau_v = x.tau(v);
  }
};

/// A partition that leaves at least three degrees, or all, in v.
template <typename S>
Partition loose_partition(const Specimen<S>& x)
{
  Partition prescribed = drawn_partition(x);
  for (int k = 0; k < x.model.nv() && members(prescribed, false).size() < 3; ++k) prescribed[k] = false;
  return prescribed;
}

template <typename S>
void hybrid(Registry<S>& r)
{
  r.identity({.name = "constrained_hybrid_dynamics_solves_motion_and_constraints_together",
              .keys = {"kim:70", "kim:71"},
              .symbols = "ConstrainedDynamics SemidefiniteSolver ArticulatedBodies::respond",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const Partition prescribed = loose_partition(x);
                    const DrawnConstraints<S> c =
                        constraints_on(x, static_cast<int>(members(prescribed, false).size()));
                    sides.append(both_equations(x, constrained_run(x, prescribed, c), c));
                  },
              .applies = has_two});
  r.identity(
      {.name = "multipliers_of_hybrid_dynamics_follow_from_the_blocks_of_v",
       .keys = {"kim:72", "kim:73", "kim:74", "kim:75", "kim:76", "kim:77"},
       .symbols = "ConstrainedDynamics::constrain HybridDynamics ArticulatedBodies::respond",
       .method = "independent formulation",
       .sides =
           [](const Specimen<S>& x, Sides<S>& sides) {
             const Partition prescribed = loose_partition(x);
             const DrawnConstraints<S> c = constraints_on(x, static_cast<int>(members(prescribed, false).size()));
             const ConstrainedDynamics<S> run = constrained_run(x, prescribed, c);
             const HybridBlocks<S> h(x, prescribed, c);
             const VectorX<S> qdd_rv = definite_solution(h.Mvv, VectorX<S>(h.tau_v - h.bv - h.Mvu * h.qdd_u));  // (77)
             const MatrixX<S> AMA = h.Av * definite_solution(h.Mvv, MatrixX<S>(h.Av.transpose()));
             const VectorX<S> excess = h.Au * h.qdd_u + h.Av * qdd_rv + c.Adot_qd;
             const VectorX<S> lambda = -definite_solution(x.as_input(AMA), x.as_input(excess));  // (73) to (75)
             sides.add(run.lambda(), lambda);
             sides.add(VectorX<S>(c.A * run.tree.qdd() + c.Adot_qd), excess);  // (76): A qdd_r
             const VectorX<S> qdd_v = qdd_rv + definite_solution(h.Mvv, VectorX<S>(h.Av.transpose() * lambda));  // (72)
             VectorX<S> qdd = x.qdd;
             for (std::size_t k = 0; k < h.v.size(); ++k) qdd(h.v[k]) = qdd_v(k);
             sides.add_by_unit(x.model, run.qdd(), qdd);
           },
       .applies = has_two});
  r.identity({.name = "hybrid_dynamics_is_the_sum_of_a_free_and_a_constrained_answer",
              .keys = {"kim:78", "kim:79", "kim:80"},
              .symbols = "ConstrainedDynamics::constrain ArticulatedBodies::respond",
              .method = "cross-check",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const Partition prescribed = loose_partition(x);
                    const DrawnConstraints<S> c =
                        constraints_on(x, static_cast<int>(members(prescribed, false).size()));
                    const ConstrainedDynamics<S> run = constrained_run(x, prescribed, c);
                    const HybridBlocks<S> h(x, prescribed, c);
                    const VectorX<S> carried = h.Av.transpose() * run.lambda();  // A_v^T lambda
                    const VectorX<S> qdd_vc = definite_solution(h.Mvv, carried);
                    const VectorX<S> tau_uc =
                        h.Mvu.transpose() * qdd_vc - h.Au.transpose() * run.lambda();  // with its tilde
                    const HybridDynamics<S> free = hybrid_run(x, prescribed);
                    VectorX<S> qdd = free.qdd(), tau = free.tau();
                    for (std::size_t k = 0; k < h.v.size(); ++k) qdd(h.v[k]) += qdd_vc(k);
                    for (std::size_t k = 0; k < h.u.size(); ++k) tau(h.u[k]) += tau_uc(k);
                    sides.add_by_unit(x.model, run.qdd(), qdd);
                    sides.add_by_unit(x.model, run.tau(), tau);
                  },
              .applies = has_two});
}

/// All joints but the given number of passive ones are actuated; the passive ones are spread.
inline std::vector<bool> all_but(int passive, int n)
{
  std::vector<bool> actuated(n, true);
  for (int k = 0; k < passive; ++k) actuated[(2 * k + 1) % n] = false;
  return actuated;
}

template <typename S>
struct InverseCase {
  std::vector<int> a, p;
  std::vector<bool> actuated;
  DrawnConstraints<S> c;
  VectorX<S> tau_r, tau;
  MatrixX<S> ApT, AaT;

  /// m constraints and n_p passive joints
  InverseCase(const Specimen<S>& x, int m, int passive)
      : actuated(all_but(passive, x.model.nv())), c(x, m), tau_r(x.as_input(x.inverse_tau)), tau(x.tau)
  {
    for (int k = 0; k < x.model.nv(); ++k) (actuated[k] ? a : p).push_back(k);
    ApT = columns(c.A, p).transpose();
    AaT = columns(c.A, a).transpose();
  }
  ConstrainedForces<S> solve(Least least) const
  {
    return constrained_inverse_dynamics<S>(tau_r, tau, c.A, actuated, least);
  }
};

/// The shortest x with B x = b, for a B of full row rank.
template <typename S>
VectorX<S> shortest(const Specimen<S>& x, const MatrixX<S>& B, const VectorX<S>& b)
{
  return B.transpose() * solution(x.as_input(MatrixX<S>(B * B.transpose())), b);
}
/// The x with B x nearest to b, for a B of full column rank.
template <typename S>
VectorX<S> nearest(const Specimen<S>& x, const MatrixX<S>& B, const VectorX<S>& b)
{
  return solution(x.as_input(MatrixX<S>(B.transpose() * B)), VectorX<S>(B.transpose() * b));
}

bool has_four(const Model<double>& m) { return is_small(m) && m.nv() >= 4; }

template <typename S>
void inverse(Registry<S>& r)
{
  r.identity({.name = "as_many_constraints_as_passive_joints_leave_no_choice",
              .keys = {"kim:56", "kim:57", "kim:58", "kim:60"},
              .symbols = "constrained_inverse_dynamics",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const InverseCase<S> k(x, 2, 2);
                    const ConstrainedForces<S> f = k.solve(Least::actuator_force);
                    const VectorX<S> lambda = solution(k.ApT, VectorX<S>((k.tau_r - k.tau)(k.p)));  // (57)
                    sides.add(f.lambda, lambda);
                    VectorX<S> tau = k.tau;
                    const VectorX<S> tau_a = k.tau_r(k.a) - k.AaT * lambda;  // (58)
                    for (std::size_t i = 0; i < k.a.size(); ++i) tau(k.a[i]) = tau_a(i);
                    sides.add_by_unit(x.model, f.tau, tau);
                    sides.add_by_unit(x.model, VectorX<S>(f.tau + k.c.A.transpose() * f.lambda), k.tau_r);  // (56)
                  },
              .applies = has_four});
  r.identity({.name = "more_constraints_than_passive_joints_leave_the_shortest_constraint_force",
              .keys = {"kim:59", "kim:60", "kim:61"},
              .symbols = "constrained_inverse_dynamics",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const InverseCase<S> k(x, 3, 1);
                    const ConstrainedForces<S> f = k.solve(Least::constraint_force);
                    const VectorX<S> lambda = shortest(x, k.ApT, VectorX<S>((k.tau_r - k.tau)(k.p)));  // (59)
                    sides.add(f.lambda, lambda);
                    sides.add_by_unit(x.model, f.tau, VectorX<S>(k.tau_r - k.c.A.transpose() * lambda));  // (60), (61)
                  },
              .applies = has_four});
  r.identity({.name = "the_shortest_actuator_forces_use_the_null_space_of_the_passive_columns",
              .keys = {"kim:62", "kim:63", "kim:64"},
              .symbols = "constrained_inverse_dynamics",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const InverseCase<S> k(x, 3, 1);
                    const ConstrainedForces<S> f = k.solve(Least::actuator_force);
                    // A basis of the null space of the one row A_p^T, by hand.
                    MatrixX<S> N(3, 2);
                    N << k.ApT(0, 1), k.ApT(0, 2), -k.ApT(0, 0), S(0), S(0), -k.ApT(0, 0);
                    const VectorX<S> least = shortest(x, k.ApT, VectorX<S>((k.tau_r - k.tau)(k.p)));
                    const VectorX<S> rest = k.tau_r(k.a) - k.AaT * least;
                    const MatrixX<S> AN = k.AaT * N;
                    const VectorX<S> s = nearest(x, AN, rest);       // (64)
                    sides.add(f.lambda, VectorX<S>(least + N * s));  // (63)
                    VectorX<S> tau = k.tau;
                    const VectorX<S> tau_a = rest - AN * s;  // (62)
                    for (std::size_t i = 0; i < k.a.size(); ++i) tau(k.a[i]) = tau_a(i);
                    sides.add_by_unit(x.model, f.tau, tau);
                  },
              .applies = has_four});
  r.identity({.name = "with_all_joints_actuated_the_constraints_take_what_they_can",
              .keys = {"kim:65", "kim:66"},
              .symbols = "constrained_inverse_dynamics",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const InverseCase<S> k(x, 2, 0);
                    const ConstrainedForces<S> f = k.solve(Least::actuator_force);
                    const MatrixX<S> AAT = k.c.A * k.c.A.transpose();
                    const VectorX<S> lambda = solution(x.as_input(AAT), VectorX<S>(k.c.A * k.tau_r));  // (66)
                    sides.add(f.lambda, lambda);
                    sides.add_by_unit(x.model, f.tau, VectorX<S>(k.tau_r - k.c.A.transpose() * lambda));  // (65)
                  },
              .applies = has_four});
}

/// Numbers that belong to no robot: m rows and n columns, of which the last passive ones are dependent or not.
template <typename S>
struct DrawnMatrix {
  MatrixX<S> A, Ap;

  DrawnMatrix(const Specimen<S>& x, int m, int passive, bool dependent) : A(m, 8)
  {
    for (int i = 0; i < m; ++i)
      for (int k = 0; k < 8; ++k) A(i, k) = x.number(8 * i + k);
    if (dependent) A.col(7) = S(2) * A.col(6);
    Ap = A.rightCols(passive);
  }
  /// The part of b that no combination of the rows of B makes, beside nothing.
  static Sides<S> misses(const MatrixX<S>& B, const VectorX<S>& b)
  {
    Sides<S> sides;
    Eigen::CompleteOrthogonalDecomposition<MatrixX<S>> shortest(B.rows(), B.cols());
    shortest.setThreshold(S(rank_tolerance<S>(8)));
    const VectorX<S> solution = shortest.compute(B).solve(b), made = B * solution;
    sides.add(made, b, size<S>(B.cwiseAbs() * solution.cwiseAbs()));
    return sides;
  }
};

template <typename S>
Sides<S> passive_joints_are_carried(const Specimen<S>& x, bool dependent)
{
  const DrawnMatrix<S> drawn(x, 4, 4, dependent);
  VectorX<S> right(4);
  right << x.number(40), x.number(41), x.number(42), x.number(43);
  return DrawnMatrix<S>::misses(drawn.Ap.transpose(), right);  // (57)
}

/// (73) with the unit matrix for \f$M_{vv}^{-1}\f$.
template <typename S>
Sides<S> multipliers_exist(const Specimen<S>& x, bool dependent)
{
  const DrawnMatrix<S> drawn(x, 2, 2, dependent);
  VectorX<S> right(2);
  right << x.number(44), x.number(45);
  return DrawnMatrix<S>::misses(drawn.Ap * drawn.Ap.transpose(), right);
}

template <typename S>
void errata(Registry<S>& r)
{
  r.erratum(
      {.id = "E-kim-7",
       .keys = {"kim:57", "kim:58", "kim:59", "kim:61", "kim:62", "kim:63", "kim:64", "kim:73", "kim:74", "kim:75",
                "kim:76"},
       .margin = 1e-6,
       .printed = {[](const Specimen<S>& x, Sides<S>& sides) { sides.append(passive_joints_are_carried(x, true)); },
                   [](const Specimen<S>& x, Sides<S>& sides) { sides.append(multipliers_exist(x, true)); }},
       .corrected = [](const Specimen<S>& x, Sides<S>& sides) { sides.append(passive_joints_are_carried(x, false)); }});
  // A has rank 4, and three passive columns of rank 2: the null space of A_p^T has two dimensions, not 4 - 3.
  const auto dimension_of_the_null_space = [](const Specimen<S>& x, bool by_rank) {
    Sides<S> sides;
    const DrawnMatrix<S> drawn(x, 4, 3, true);
    const std::vector<bool> actuated{true, true, true, true, true, false, false, false};
    const VectorX<S> tau_r = drawn.A.transpose() * x.vector(50)[0] * VectorX<S>::Ones(4);
    const ConstrainedForces<S> f =
        constrained_inverse_dynamics<S>(tau_r, VectorX<S>::Zero(8), drawn.A, actuated, Least::constraint_force);
    Eigen::CompleteOrthogonalDecomposition<MatrixX<S>> ApT(drawn.Ap.cols(), drawn.Ap.rows());
    ApT.setThreshold(S(rank_tolerance<S>(8)));
    const auto null_space = ApT.compute(drawn.Ap.transpose()).dimensionOfKernel();
    sides.add(S(by_rank ? 4 - f.rank_passive : 4 - 3), S(static_cast<int>(null_space)));
    return sides;
  };
  r.erratum(
      {.id = "E-kim-8",
       .keys = {"kim:62", "kim:63", "kim:64"},
       .margin = 0.4,
       .printed = {[=](const Specimen<S>& x, Sides<S>& sides) { sides.append(dimension_of_the_null_space(x, false)); }},
       .corrected = [=](const Specimen<S>& x, Sides<S>& sides) {
         sides.append(dimension_of_the_null_space(x, true));
       }});
  // With the Jacobian of a link in the place of the matrix of the constraints.
  const auto constraint_force = [](const Specimen<S>& x, bool jacobian) {
    Sides<S> sides;
    const DrawnConstraints<S> c = constraints_on(x, x.model.nv());
    const ConstrainedDynamics<S> run = constrained_run(x, Partition(x.model.nv(), false), c);
    const MatrixX<S> J = x.kinematics.link_jacobian(x.model.links().back());
    const MatrixX<S> A = jacobian ? MatrixX<S>(J.topRows(c.A.rows())) : c.A;
    const VectorX<S> left = x.witness_mass_matrix() * run.qdd() + x.witness_bias();
    sides.add_by_unit(x.model, left, VectorX<S>(x.tau + A.transpose() * run.lambda()));
    return sides;
  };
  r.erratum({.id = "E-kim-9",
             .keys = {"kim:54"},
             .margin = 1e-6,
             .printed = {[=](const Specimen<S>& x, Sides<S>& sides) { sides.append(constraint_force(x, true)); }},
             .corrected = [=](const Specimen<S>& x, Sides<S>& sides) { sides.append(constraint_force(x, false)); }});
}

}  // namespace

template <typename S>
void constrained_identities(Registry<S>& r)
{
  loops(r);
  forward(r);
  hybrid(r);
  inverse(r);
  errata(r);
}

template void constrained_identities(Registry<ARTICULATE_PROOF_SCALAR>&);

}  // namespace articulate::validation
