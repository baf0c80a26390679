/** \file
 *  \brief Proofs of chapter constrained: Kim 2012, section 3.1, \eq{kim,56} to \eq{kim,66}, and the errata of section 3.
 *
 *  Pseudoinverses and null spaces are made by hand: by the normal equations, and by a square part that is solved.
 */
#include <algorithm>
#include <array>
#include <Eigen/LU>
#include <constrained/compiled.hpp>
#include <constrained/drawn_constraints.hpp>
#include <ledger/registry.hpp>

namespace articulate::validation {
namespace {

/// The x with B x nearest to b, for a B of full column rank.
template <typename S>
VectorX<S> nearest(const Specimen<S>& x, const MatrixX<S>& B, const VectorX<S>& b)
{
  return solution(x.as_input(MatrixX<S>(B.transpose() * B)), VectorX<S>(B.transpose() * b));
}
/// The shortest x with B x = b, for a B of full row rank.
template <typename S>
VectorX<S> shortest(const Specimen<S>& x, const MatrixX<S>& B, const VectorX<S>& b)
{
  return B.transpose() * solution(x.as_input(MatrixX<S>(B * B.transpose())), b);
}
/// A basis of the null space of B, of full row rank: the first unknowns make up for each of the others.
template <typename S>
MatrixX<S> null_space(const Specimen<S>& x, const MatrixX<S>& B)
{
  const int rank = static_cast<int>(B.rows()), rest = static_cast<int>(B.cols()) - rank;
  MatrixX<S> N(rank + rest, rest);
  N.topRows(rank) = -solution(MatrixX<S>(B.leftCols(rank)), MatrixX<S>(B.rightCols(rest)));
  N.bottomRows(rest) = MatrixX<S>::Identity(rest, rest);
  return x.as_input(N);
}

/// The minimum of the actuator forces by the paper's formulas, on numbers alone.
template <typename S>
struct LeastForces {
  VectorX<S> least, rest;  ///< the shortest multipliers, and what the actuators then have to do
  MatrixX<S> N, AN;
  VectorX<S> s, lambda, tau_a;

  /// \param B  the independent rows of A_p^T, and what they have to carry   \param columns  how many N may have
  LeastForces(const Specimen<S>& x, const MatrixX<S>& AaT, const VectorX<S>& tau_ar, const MatrixX<S>& B,
              const VectorX<S>& carried, int columns)
      : least(shortest(x, B, carried)), rest(tau_ar - AaT * least), N(null_space(x, B).leftCols(columns)), AN(AaT * N)
  {
    s = nearest(x, AN, rest);  // (64)
    lambda = least + N * s;    // (63)
    tau_a = rest - AN * s;     // (62)
  }
};

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
  MatrixX<S> B;        ///< the independent rows of A_p^T
  VectorX<S> carried;  ///< what they have to carry

  /** m constraints and n_p passive joints.
   *  \param dependent  whether the constraints see the second passive joint twice as they see the first, and no passive
   *                    joint needs what they cannot give
   */
  InverseCase(const Specimen<S>& x, int m, int passive, bool dependent = false)
      : actuated(all_but(passive, x.model.nv())), c(x, m), tau_r(x.as_input(x.inverse_tau)), tau(x.tau)
  {
    for (int k = 0; k < x.model.nv(); ++k) (actuated[k] ? a : p).push_back(k);
    if (dependent) {
      c.A.col(p[1]) = S(2) * c.A.col(p[0]);
      tau(p[1]) = tau_r(p[1]) - S(2) * (tau_r(p[0]) - tau(p[0]));
    }
    ApT = columns(c.A, p).transpose();
    AaT = columns(c.A, a).transpose();
    const int independent = dependent ? 1 : passive;
    B = ApT.topRows(independent);
    carried = VectorX<S>((tau_r - tau)(p)).head(independent);
  }
  ConstrainedForces<S> solve(Least least) const
  {
    return constrained_inverse_dynamics<S>(tau_r, tau, c.A, actuated, least);
  }
  /// \brief Forces of the actuators beside the given ones of the passive joints, in model order.
  VectorX<S> with(const VectorX<S>& tau_a) const
  {
    VectorX<S> all = tau;
    for (std::size_t i = 0; i < a.size(); ++i) all(a[i]) = tau_a(i);
    return all;
  }
  LeastForces<S> by_formulas(const Specimen<S>& x, int columns) const
  {
    return LeastForces<S>(x, AaT, tau_r(a), B, carried, columns);
  }
  /// \brief Row by row: the motion needs the joint forces and the constraint force, by the witness.
  void add_motion_with(Sides<S>& sides, const Specimen<S>& x, const VectorX<S>& forces, const VectorX<S>& lambda,
                       const std::vector<int>& rows) const
  {
    const VectorX<S> needed = x.witness_mass_matrix() * x.qdd + x.witness_bias();
    const VectorX<S> given = forces + c.A.transpose() * lambda;
    const VectorX<S> terms = x.witness_mass_matrix().cwiseAbs() * x.qdd.cwiseAbs() + forces.cwiseAbs() +
                             c.A.transpose().cwiseAbs() * lambda.cwiseAbs();
    for (const int k : rows) sides.add(needed(k), given(k), terms(k));
  }
};

bool has_four(const Model<double>& m) { return is_small(m) && m.nv() >= 4; }
bool has_five(const Model<double>& m) { return is_small(m) && m.nv() >= 5; }

template <typename S>
void without_choice(Registry<S>& r)
{
  r.identity({.name = "as_many_constraints_as_passive_joints_leave_no_choice",
              .keys = {"kim:56/actuated", "kim:56/passive", "kim:56/free", "kim:57", "kim:58", "kim:60"},
              .symbols = "constrained_inverse_dynamics InverseDynamics",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const InverseCase<S> k(x, 2, 2);
                    const ConstrainedForces<S> f = k.solve(Least::actuator_force);
                    const VectorX<S> opposite = -f.lambda, carried = (k.tau_r - k.tau)(k.p);
                    sides.clause("kim:56/actuated");
                    k.add_motion_with(sides, x, f.tau, f.lambda, k.a);
                    sides.rival("the constraint force has the other sign",
                                [&](auto& wrong) { k.add_motion_with(wrong, x, f.tau, opposite, k.a); });
                    sides.clause("kim:56/passive");
                    k.add_motion_with(sides, x, f.tau, f.lambda, k.p);
                    sides.rival("the constraint force has the other sign",
                                [&](auto& wrong) { k.add_motion_with(wrong, x, f.tau, opposite, k.p); });
                    sides.clause("kim:56/free");
                    const VectorX<S> inertial = x.witness_mass_matrix() * x.qdd;
                    sides.add_by_unit(x.model, x.inverse_tau, VectorX<S>(inertial + x.witness_bias()));
                    sides.rival("weight and velocities are forgotten",
                                [&](auto& wrong) { wrong.add_by_unit(x.model, x.inverse_tau, inertial); });

                    const VectorX<S> lambda = solution(k.ApT, carried);
                    const VectorX<S> transposed = solution(MatrixX<S>(k.ApT.transpose()), carried);
                    sides.clause("kim:57");
                    sides.add(f.lambda, lambda);
                    sides.rival("$A_p$ is not transposed", [&](auto& wrong) { wrong.add(f.lambda, transposed); });
                    sides.clause("kim:58");
                    const VectorX<S> tau_ar = k.tau_r(k.a);
                    sides.add_by_unit(x.model, f.tau, k.with(VectorX<S>(tau_ar - k.AaT * lambda)));
                    sides.rival("$A_p$ is not transposed", [&](auto& wrong) {
                      wrong.add_by_unit(x.model, f.tau, k.with(VectorX<S>(tau_ar - k.AaT * transposed)));
                    });
                    sides.clause("kim:60");
                    k.add_motion_with(sides, x, k.with(VectorX<S>(tau_ar - k.AaT * lambda)), lambda, k.a);
                    sides.rival("the constraint force is added", [&](auto& wrong) {
                      k.add_motion_with(wrong, x, k.with(VectorX<S>(tau_ar + k.AaT * lambda)), lambda, k.a);
                    });
                  },
              .applies = has_four});
}

/// (59) to (61): with the shortest multipliers, and with any others.
template <typename S>
void choice_of_multipliers(Sides<S>& sides, const Specimen<S>& x)
{
  const InverseCase<S> k(x, std::min(4, x.model.nv() - 1), 2);
  const int rank = 2, free = static_cast<int>(k.c.A.rows()) - rank;
  const ConstrainedForces<S> f = k.solve(Least::constraint_force), other = k.solve(Least::actuator_force);
  sides.clause("kim:57");
  for (const VectorX<S>& lambda : {f.lambda, other.lambda}) {
    const VectorX<S> given = k.ApT * lambda, terms = k.ApT.cwiseAbs() * lambda.cwiseAbs();
    for (int i = 0; i < rank; ++i) sides.add(given(i), k.carried(i), terms(i));
    sides.rival("the passive joints are given too much", [&](auto& wrong) {
      for (int i = 0; i < rank; ++i) wrong.add(given(i), S(-k.carried(i)), terms(i));
    });
  }
  const VectorX<S> least = shortest(x, k.B, k.carried), tau_ar = k.tau_r(k.a);
  sides.clause("kim:59/shortest");
  sides.add(f.lambda, least);
  sides.rival("the first multipliers do it alone", [&](auto& wrong) {
    VectorX<S> basic = VectorX<S>::Zero(k.c.A.rows());
    basic.head(rank) = solution(MatrixX<S>(k.B.leftCols(rank)), k.carried);
    wrong.add(f.lambda, basic);
  });
  const auto forces = [&](const VectorX<S>& lambda) { return k.with(VectorX<S>(tau_ar - k.AaT * lambda)); };
  sides.clause("kim:60");
  k.add_motion_with(sides, x, forces(other.lambda), other.lambda, k.a);
  sides.rival("the constraint force is added",
              [&](auto& wrong) { k.add_motion_with(wrong, x, forces(VectorX<S>(-other.lambda)), other.lambda, k.a); });
  sides.clause("kim:61/shortest");
  sides.add_by_unit(x.model, f.tau, forces(least));
  sides.rival("the minus sign that the reading lost",
              [&](auto& wrong) { wrong.add_by_unit(x.model, f.tau, forces(VectorX<S>(-least))); });

  // Whatever the part in the null space, the constraints carry the passive joints and the motion is the prescribed one;
  const MatrixX<S> N = null_space(x, k.B);
  VectorX<S> s(free);
  for (int i = 0; i < free; ++i) s(i) = x.number(100 + i);
  const VectorX<S> any = least + N * s;
  const auto unsigned_basis = [&] {  // of B_1 X = +B_2, a slip of one sign
    MatrixX<S> slipped = N;
    slipped.topRows(rank) = MatrixX<S>(-N.topRows(rank));
    return slipped;
  };
  sides.clause("kim:59/any");
  k.add_motion_with(sides, x, k.with(tau_ar), any, k.p);
  sides.rival("the basis has a wrong sign", [&](auto& wrong) {
    k.add_motion_with(wrong, x, k.with(tau_ar), VectorX<S>(least + unsigned_basis() * s), k.p);
  });
  sides.clause("kim:61/any");
  k.add_motion_with(sides, x, forces(any), any, k.a);
  k.add_motion_with(sides, x, forces(any), any, k.p);
  sides.rival("the actuators are told of the first term alone",
              [&](auto& wrong) { k.add_motion_with(wrong, x, forces(least), any, k.a); });
  // and there are no others: multipliers drawn freely differ from the shortest that carry the same by such a part.
  sides.clause("kim:59/all");
  VectorX<S> drawn(k.c.A.rows());
  for (int i = 0; i < drawn.size(); ++i) drawn(i) = x.number(110 + i);
  const VectorX<S> difference = drawn - shortest(x, k.B, VectorX<S>(k.B * drawn));
  const VectorX<S> inside = N * nearest(x, N, difference);
  sides.add(difference, inside, largest_entry<S>(drawn));
  sides.rival("the basis has a wrong sign", [&](auto& wrong) {
    const MatrixX<S> slipped = unsigned_basis();
    wrong.add(difference, VectorX<S>(slipped * nearest(x, slipped, difference)), largest_entry<S>(drawn));
  });
}

/// (62) to (64), against the library and against the conditions for a minimum.
template <typename S>
void least_actuator_forces(Sides<S>& sides, const Specimen<S>& x, const InverseCase<S>& k)
{
  const int rank = static_cast<int>(k.B.rows()), m = static_cast<int>(k.c.A.rows());
  const ConstrainedForces<S> f = k.solve(Least::actuator_force);
  const LeastForces<S> found = k.by_formulas(x, m - rank);
  const VectorX<S> tau_ar = k.tau_r(k.a);
  sides.clause("kim:63");
  sides.add(f.lambda, found.lambda);
  sides.rival("the part in the null space has the other sign",
              [&](auto& wrong) { wrong.add(f.lambda, VectorX<S>(found.least - found.N * found.s)); });
  sides.clause("kim:64");
  const VectorX<S> s = nearest(x, found.N, VectorX<S>(f.lambda - found.least));
  sides.add(s, found.s);
  sides.rival("what the shortest multipliers do to the actuators is forgotten",
              [&](auto& wrong) { wrong.add(s, nearest(x, found.AN, tau_ar)); });
  sides.clause("kim:62/formula");
  sides.add_by_unit(x.model, f.tau, k.with(found.tau_a));
  sides.rival("the projection is forgotten, which leaves the least constraint force",
              [&](auto& wrong) { wrong.add_by_unit(x.model, f.tau, k.with(found.rest)); });
  // The shortest forces among those for which the constraints carry the passive joints: a multiplier for each of these.
  sides.clause("kim:62/least");
  const MatrixX<S> Aa = k.AaT.transpose(), normal = Aa * k.AaT;
  MatrixX<S> both = MatrixX<S>::Zero(m + rank, m + rank);
  both.topLeftCorner(m, m) = normal;
  both.topRightCorner(m, rank) = k.B.transpose();
  both.bottomLeftCorner(rank, m) = k.B;
  VectorX<S> right(m + rank);
  right.head(m) = Aa * tau_ar;
  right.tail(rank) = k.carried;
  const VectorX<S> lambda = solution(x.as_input(both), right).head(m);
  sides.add_by_unit(x.model, f.tau, k.with(VectorX<S>(tau_ar - k.AaT * lambda)));
  sides.rival("nothing is asked of the passive joints", [&](auto& wrong) {
    const VectorX<S> unasked = solution(normal, VectorX<S>(right.head(m)));
    wrong.add_by_unit(x.model, f.tau, k.with(VectorX<S>(tau_ar - k.AaT * unasked)));
  });
}

template <typename S>
void with_a_choice(Registry<S>& r)
{
  r.identity(
      {.name = "more_constraints_than_passive_joints_leave_a_choice_of_multipliers",
       .keys = {"kim:57", "kim:59/shortest", "kim:59/any", "kim:59/all", "kim:60", "kim:61/shortest", "kim:61/any"},
       .symbols = "constrained_inverse_dynamics",
       .method = "independent formulation",
       .sides = [](const Specimen<S>& x, Sides<S>& sides) { choice_of_multipliers(sides, x); },
       .applies = has_four});
  r.identity({.name = "the_shortest_actuator_forces_use_the_null_space_of_the_passive_columns",
              .keys = {"kim:62/formula", "kim:62/least", "kim:63", "kim:64"},
              .symbols = "constrained_inverse_dynamics",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    least_actuator_forces(sides, x, InverseCase<S>(x, std::min(4, x.model.nv() - 1), 2));
                  },
              .applies = has_four});
  r.identity({.name = "where_passive_columns_depend_on_each_other_the_rank_counts_the_null_space",
              .keys = {"kim:62/basis", "kim:62/formula", "kim:62/least", "kim:63", "kim:64"},
              .symbols = "constrained_inverse_dynamics",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const int m = std::min(4, x.model.nv() - 2), passive = 2;
                    const InverseCase<S> k(x, m, passive, true);
                    least_actuator_forces(sides, x, k);
                    sides.clause("kim:62/basis");
                    const ConstrainedForces<S> f = k.solve(Least::actuator_force);
                    sides.add_by_unit(x.model, f.tau, k.with(k.by_formulas(x, m - f.rank_passive).tau_a));
                    sides.rival("$N$ has $m - n_p$ columns, as printed", [&](auto& wrong) {
                      wrong.add_by_unit(x.model, f.tau, k.with(k.by_formulas(x, m - passive).tau_a));
                    });
                  },
              .applies = has_five});
  r.identity({.name = "with_all_joints_actuated_the_constraints_take_what_they_can",
              .keys = {"kim:65", "kim:66/pseudoinverse", "kim:66/normal"},
              .symbols = "constrained_inverse_dynamics",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const InverseCase<S> k(x, 2, 0);
                    const ConstrainedForces<S> f = k.solve(Least::actuator_force);
                    const MatrixX<S> AT = k.c.A.transpose();
                    const auto left = [&](const VectorX<S>& lambda) { return VectorX<S>(k.tau_r - AT * lambda); };
                    sides.clause("kim:66/normal");
                    const MatrixX<S> AAT = x.as_input(MatrixX<S>(k.c.A * AT));
                    const VectorX<S> seen = k.c.A * k.tau_r, lambda = solution(AAT, seen);
                    sides.add(f.lambda, lambda);
                    const auto weighed = [&] {
                      const MatrixX<S>& M = x.witness_mass_matrix();
                      return solution(MatrixX<S>(k.c.A * definite_solution(M, AT)),
                                      VectorX<S>(k.c.A * definite_solution(M, k.tau_r)));
                    };
                    sides.rival("weighed by the inertias, as in forward dynamics",
                                [&](auto& wrong) { wrong.add(f.lambda, weighed()); });
                    // The pseudoinverse leaves what no row sees: no other multipliers leave less.
                    sides.clause("kim:66/pseudoinverse");
                    const S terms = largest_entry<S>(k.c.A.cwiseAbs() * (AT.cwiseAbs() * f.lambda.cwiseAbs()));
                    sides.add(seen, VectorX<S>(k.c.A * (AT * f.lambda)), terms);
                    sides.rival("weighed by the inertias, as in forward dynamics",
                                [&](auto& wrong) { wrong.add(seen, VectorX<S>(k.c.A * (AT * weighed())), terms); });
                    sides.clause("kim:65");
                    sides.add_by_unit(x.model, f.tau, left(lambda));
                    k.add_motion_with(sides, x, left(lambda), lambda, k.a);
                    sides.rival("the constraint force is added",
                                [&](auto& wrong) { wrong.add_by_unit(x.model, f.tau, left(VectorX<S>(-lambda))); });
                  },
              .applies = has_four});
}

/// Numbers that belong to no robot: m rows and eight columns, the last of which depend on each other or not.
template <typename S>
struct DrawnMatrix {
  MatrixX<S> A;

  DrawnMatrix(const Specimen<S>& x, int m, bool dependent) : A(m, 8)
  {
    for (int i = 0; i < m; ++i)
      for (int k = 0; k < 8; ++k) A(i, k) = x.number(8 * i + k);
    if (dependent) A.col(7) = S(2) * A.col(6);
  }
};

/// The rank of B, and the part of b that no combination of its columns makes, beside the terms.
template <typename S>
struct Decomposed {
  Eigen::FullPivLU<MatrixX<S>> B;

  explicit Decomposed(const MatrixX<S>& matrix) : B(matrix.rows(), matrix.cols())
  {
    B.setThreshold(S(rank_tolerance<S>(8)));
    B.compute(matrix);
  }
  void add_rank(Sides<S>& sides, int rank) const { sides.add(S(static_cast<int>(B.rank())), S(rank)); }
  static void add_solution(Sides<S>& sides, const MatrixX<S>& matrix, const VectorX<S>& b)
  {
    const VectorX<S> x = Decomposed(matrix).B.solve(b), made = matrix * x;
    sides.add(made, b, largest_entry<S>(matrix.cwiseAbs() * x.cwiseAbs()));
  }
};

/** Multipliers that carry the passive joints, whatever these need: (57) with m constraints and n_p passive joints.
 */
template <typename S>
Sides<S> passive_joints_are_carried(const Specimen<S>& x, int m, int passive, bool dependent)
{
  Sides<S> sides;
  const DrawnMatrix<S> drawn(x, m, dependent);
  const MatrixX<S> ApT = drawn.A.rightCols(passive).transpose();
  if (!dependent) Decomposed<S>(ApT).add_rank(sides, passive);
  VectorX<S> needed(passive);
  for (int k = 0; k < passive; ++k) needed(k) = x.number(40 + k);
  Decomposed<S>::add_solution(sides, ApT, needed);
  return sides;
}

/// Section 3.3 on numbers that belong to no robot: three degrees in u, three in v, on which all blocks conform.
template <typename S>
struct DrawnHybrid {
  MatrixX<S> M{6, 6}, A{2, 6};
  VectorX<S> qdd{6}, b{6}, lambda{2}, tau, Adot_qd;
  MatrixX<S> Mvv, Muv, Mvu, Au, Av, AvT, AMA;  ///< AMA: A_v M_vv^{-1} A_v^T

  /// \param dependent  whether the columns of v have rank 1, while A has rank 2
  explicit DrawnHybrid(const Specimen<S>& x, bool dependent = false)
  {
    MatrixX<S> G(6, 6);
    for (int i = 0; i < 6; ++i) {
      for (int j = 0; j < 6; ++j) G(i, j) = x.number(6 * i + j);
      qdd(i) = x.number(36 + i), b(i) = x.number(42 + i);
      for (int row = 0; row < 2; ++row) A(row, i) = x.number(48 + 6 * row + i);
    }
    if (dependent) A.row(1).tail(3) = S(2) * A.row(0).tail(3);
    for (int row = 0; row < 2; ++row) lambda(row) = x.number(60 + row);
    M = MatrixX<S>::Identity(6, 6) + G * G.transpose();
    tau = M * qdd + b - A.transpose() * lambda;  // (70)
    Adot_qd = -(A * qdd);                        // (71)
    Mvv = x.as_input(MatrixX<S>(M.bottomRightCorner(3, 3))), Muv = M.topRightCorner(3, 3),
    Mvu = M.bottomLeftCorner(3, 3);
    Au = A.leftCols(3), Av = A.rightCols(3), AvT = Av.transpose();
    AMA = x.as_input(MatrixX<S>(Av * definite_solution(Mvv, AvT)));
  }
  VectorX<S> loosened(const VectorX<S>& force) const { return definite_solution(Mvv, force); }

  /// One of (34), (72), (73), (74) and (77), with one block or the other.
  void add(Sides<S>& sides, int equation, const MatrixX<S>& block) const
  {
    const VectorX<S> qdd_u = qdd.head(3), qdd_v = qdd.tail(3), bv = b.tail(3), felt = block * qdd_u;
    const VectorX<S> tau_v = tau.tail(3), constraint = AvT * lambda, driven = tau_v - bv - felt;
    const VectorX<S> excess = Au * qdd_u + Av * loosened(driven) + Adot_qd;
    if (equation == 34)  // without constraints the forces are others
      sides.add(loosened(VectorX<S>(tau_v + constraint - bv - felt)), qdd_v);
    if (equation == 72) sides.add(loosened(VectorX<S>(driven + constraint)), qdd_v);
    if (equation == 73) sides.add(VectorX<S>(AMA * lambda), VectorX<S>(-excess));
    if (equation == 74) sides.add(VectorX<S>(-definite_solution(AMA, excess)), lambda);
    if (equation == 77) sides.add(loosened(driven), VectorX<S>(qdd_v - loosened(constraint)));
  }
};

/// (73) has an answer whatever the right side: for other velocities than those that go with these accelerations.
template <typename S>
Sides<S> multipliers_exist(const Specimen<S>& x, bool dependent)
{
  Sides<S> sides;
  const DrawnHybrid<S> h(x, dependent);
  if (!dependent) Decomposed<S>(h.Av).add_rank(sides, 2);
  const VectorX<S> qdd_u = h.qdd.head(3), tau_v = h.tau.tail(3), bv = h.b.tail(3);
  VectorX<S> excess = h.Au * qdd_u + h.Av * h.loosened(VectorX<S>(tau_v - bv - h.Mvu * qdd_u));
  for (int row = 0; row < 2; ++row) excess(row) += x.number(64 + row);
  Decomposed<S>::add_solution(sides, h.AMA, VectorX<S>(-excess));
  return sides;
}

/// (62) where three passive columns have rank 2 and the passive joints need what the constraints can give.
template <typename S>
Sides<S> least_forces_of_drawn_numbers(const Specimen<S>& x, bool by_rank)
{
  Sides<S> sides;
  const DrawnMatrix<S> drawn(x, 4, true);
  const std::vector<bool> actuated{true, true, true, true, true, false, false, false};
  VectorX<S> z(4), tau_r(8);
  for (int i = 0; i < 4; ++i) z(i) = x.number(40 + i);
  for (int i = 0; i < 5; ++i) tau_r(i) = x.number(44 + i);
  tau_r.tail(3) = drawn.A.rightCols(3).transpose() * z;
  const ConstrainedForces<S> f =
      constrained_inverse_dynamics<S>(tau_r, VectorX<S>::Zero(8), drawn.A, actuated, Least::actuator_force);
  const MatrixX<S> AaT = drawn.A.leftCols(5).transpose(), B = drawn.A.middleCols(5, 2).transpose();
  const LeastForces<S> found(x, AaT, tau_r.head(5), B, tau_r.segment(5, 2), by_rank ? 4 - f.rank_passive : 4 - 3);
  sides.add(VectorX<S>(f.tau.head(5)), found.tau_a);
  return sides;
}

template <typename S>
void errata_of_inverse_dynamics(Registry<S>& r)
{
  // The printed block in one equation alone.
  const auto block = [](int equation) {
    return [=](const Specimen<S>& x, Sides<S>& sides) {
      const DrawnHybrid<S> h(x);
      h.add(sides, equation, h.Muv);
    };
  };
  r.erratum({.id = "E-kim-2",
             .keys = {"kim:34", "kim:72", "kim:73", "kim:74", "kim:77"},
             .margin = 1e-6,
             .printed = {block(34), block(72), block(73), block(74), block(77)},
             .corrected = [](const Specimen<S>& x, Sides<S>& sides) {
               const DrawnHybrid<S> h(x);
               for (const int equation : {34, 72, 73, 74, 77}) h.add(sides, equation, h.Mvu);
             }});
  // m = n_p, m > n_p, and m at most n_v: of full rank is A each time, and the block that has to be only when corrected.
  r.erratum({.id = "E-kim-7",
             .keys = {"kim:57", "kim:58", "kim:59", "kim:61", "kim:62", "kim:63", "kim:64", "kim:73", "kim:74",
                      "kim:75", "kim:76"},
             .margin = 1e-6,
             .printed = {
                 [](const Specimen<S>& x, Sides<S>& sides) { sides.append(passive_joints_are_carried(x, 4, 4, true)); },
                 [](const Specimen<S>& x, Sides<S>& sides) { sides.append(passive_joints_are_carried(x, 4, 2, true)); },
                 [](const Specimen<S>& x, Sides<S>& sides) { sides.append(multipliers_exist(x, true)); }},
             .corrected = [](const Specimen<S>& x, Sides<S>& sides) {
               for (const bool dependent : {false, true}) {
                 for (const int m : {4, 2}) Decomposed<S>(DrawnMatrix<S>(x, m, dependent).A).add_rank(sides, m);
                 Decomposed<S>(DrawnHybrid<S>(x, dependent).A).add_rank(sides, 2);
               }
               sides.append(passive_joints_are_carried(x, 4, 4, false));
               sides.append(passive_joints_are_carried(x, 4, 2, false));
               sides.append(multipliers_exist(x, false));
             }});
  r.erratum({.id = "E-kim-8",
             .keys = {"kim:62", "kim:63", "kim:64"},
             .margin = 1e-6,
             .printed = {[](const Specimen<S>& x, Sides<S>& sides) {
               sides.append(least_forces_of_drawn_numbers(x, false));
             }},
             .corrected = [](const Specimen<S>& x, Sides<S>& sides) {
               sides.append(least_forces_of_drawn_numbers(x, true));
             }});
}

}  // namespace

template <typename S>
void constrained_inverse(Registry<S>& r)
{
  without_choice(r);
  with_a_choice(r);
  errata_of_inverse_dynamics(r);
}

template void constrained_inverse(Registry<ARTICULATE_PROOF_SCALAR>&);

}  // namespace articulate::validation
