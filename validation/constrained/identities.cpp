/** \file
 *  \brief Proofs of chapter constrained: Kim 2012, section 3, \eq{kim,54}, \eq{kim,55} and \eq{kim,67} to \eq{kim,80}.
 *
 *  Mass matrix and bias are those of the witness, which knows no recursion; the rows of A are drawn with each state, and
 *  loops are differentiated along the motion. Inverse dynamics is in inverse.cpp, with the errata of the section.
 */
#include <algorithm>
#include <constrained/compiled.hpp>
#include <constrained/drawn_constraints.hpp>
#include <ledger/calculus.hpp>
#include <ledger/registry.hpp>

namespace articulate::validation {
namespace {

/// In a model of one degree no constraint leaves a motion.
bool has_two(const Model<double>& m) { return is_small(m) && m.nv() >= 2; }

/// Rows that the degrees in v can meet and that leave one of them free: at most three.
template <typename S>
DrawnConstraints<S> constraints_on(const Specimen<S>& x, int degrees)
{
  return DrawnConstraints<S>(x, std::clamp(degrees - 1, 0, 3));
}

/// Row by row: \f$M\ddot q + b\f$, by the witness, against given forces, beside the size of the terms.
template <typename S>
void add_motion(Sides<S>& sides, const Specimen<S>& x, const VectorX<S>& qdd, const VectorX<S>& force,
                const VectorX<S>& terms)
{
  const MatrixX<S>& M = x.witness_mass_matrix();
  const VectorX<S> inertial = M * qdd, size = M.cwiseAbs() * qdd.cwiseAbs() + terms;
  for (int k = 0; k < x.model.nv(); ++k) sides.add(S(inertial(k) + x.witness_bias()(k)), force(k), size(k));
}

/// \f$M\ddot q + b\f$ of a run against its joint forces and a constraint force.
template <typename S>
void add_motion(Sides<S>& sides, const Specimen<S>& x, const ConstrainedDynamics<S>& run, const DrawnConstraints<S>& c,
                const VectorX<S>& constraint)
{
  add_motion(sides, x, run.qdd(), VectorX<S>(run.tau() + constraint),
             VectorX<S>(c.A.transpose().cwiseAbs() * run.lambda().cwiseAbs() +
                        x.witness_mass_matrix().cwiseAbs() * run.tree.qdd().cwiseAbs()));
}

/// What the rows make of some accelerations against minus \f$\dot A\dot q\f$, beside the accelerations of a run.
template <typename S>
void add_constraint(Sides<S>& sides, const ConstrainedDynamics<S>& run, const DrawnConstraints<S>& c,
                    const VectorX<S>& qdd, const VectorX<S>& Adot_qd)
{
  const VectorX<S> rate = c.A * qdd;
  const VectorX<S> of_rows = c.A.cwiseAbs() * (run.qdd().cwiseAbs() + run.tree.qdd().cwiseAbs());
  for (int i = 0; i < rate.size(); ++i) sides.add(rate(i), S(-Adot_qd(i)), of_rows(i));
}

/// What a cut joint or a coupling forbids, carried along a motion: its first derivatives against the rows.
template <typename S>
void rows_along_a_motion(Sides<S>& sides, const Specimen<S>& x, const std::vector<Loop>& cut)
{
  Loops<S> loops(x.model, cut);
  loops(x.q, x.qd);
  // The same along a motion through this state, in an arithmetic that carries derivatives.
  const Series<S> t = time_series<S>();
  const Model<Series<S>>& model = x.series_model();
  VectorX<Series<S>> delta(x.model.nv()), q(x.model.nq()), qd(x.model.nv());
  for (int k = 0; k < q.size(); ++k) q(k) = Series<S>(x.q(k));
  for (int k = 0; k < qd.size(); ++k) delta(k) = t * x.qd(k), qd(k) = x.qd(k) + t * x.qdd(k);
  Loops<Series<S>> moving(model, cut);
  moving(displaced(model, q, delta), qd);
  VectorX<S> f_dot(loops.rows()), rate_of_rate(loops.rows());
  for (int i = 0; i < loops.rows(); ++i) {
    Series<S> rate(0);
    for (int k = 0; k < qd.size(); ++k) rate += moving.A(i, k) * qd(k);
    f_dot(i) = derivative(moving.violation(i), 1);
    rate_of_rate(i) = derivative(rate, 1);
  }
  // Beside the motion of the bodies, of which a row may see next to nothing.
  S speed(0), acceleration(0);
  for (int i = 1; i <= x.bodies(); ++i) {
    speed = std::max(speed, largest_entry<S>(coordinates(loops.V[i])));
    acceleration = std::max(
        {acceleration, largest_entry<S>(coordinates(loops.Vdot[i])), largest_entry<S>(coordinates(x.motion.Vdot[i]))});
  }
  sides.clause("kim:55/jacobian");
  sides.add(VectorX<S>(loops.A * x.qd), f_dot, speed);
  sides.rival("the ends of the loop are exchanged", [&](auto& wrong) {
    std::vector<Loop> other = cut;
    std::swap(other[0].first, other[0].second);
    if (auto& coupling = other[0].coupling) std::swap(coupling->joint, coupling->follows.joint);
    Loops<S> exchanged(x.model, other);
    exchanged(x.q, x.qd);
    wrong.add(VectorX<S>(exchanged.A * x.qd), f_dot, speed);
  });
  sides.clause("kim:55/rate");
  const VectorX<S> by_acceleration = loops.A * x.qdd;
  const S beside = acceleration + speed * speed;
  sides.add(VectorX<S>(by_acceleration + loops.Adot_qd), rate_of_rate, beside);
  sides.rival("the rows are taken to stay as they are, without $\\dot A\\dot q$",
              [&](auto& wrong) { wrong.add(by_acceleration, rate_of_rate, beside); });
}

template <typename S>
void loops(Registry<S>& r)
{
  r.identity({.name = "rows_of_a_cut_joint_are_the_rate_of_what_it_forbids",
              .keys = {"kim:55/jacobian", "kim:55/rate"},
              .symbols = "Loops::operator() Loops::along Loops::add_columns Loops::violation_of",
              .method = "series",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const Model<double> model(x.inputs.mechanism, x.inputs.options);
                    for (const JointType type : {JointType::revolute, JointType::cylindrical, JointType::universal,
                                                 JointType::planar, JointType::ball})
                      rows_along_a_motion(sides, x, drawn_loop(x.inputs, model, type));
                    if (const std::vector<Loop> coupling = drawn_coupling(x.inputs, model); !coupling.empty())
                      rows_along_a_motion(sides, x, coupling);
                  },
              .applies = [](const Model<double>& m) { return m.bodies() > 1; }});
  r.identity({.name = "multipliers_are_wrenches_at_the_cut_joint",
              .keys = {"kim:54"},
              .symbols = "Loops::add_reactions Loops::add_columns",
              .method = "cross-check",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const Model<double> model(x.inputs.mechanism, x.inputs.options);
                    std::vector<Loop> cut = drawn_loop(x.inputs, model, JointType::universal);
                    for (const Loop& coupling : drawn_coupling(x.inputs, model)) cut.push_back(coupling);
                    Loops<S> loops(x.model, cut);
                    loops(x.q, x.qd);
                    VectorX<S> lambda(loops.rows());
                    for (int i = 0; i < lambda.size(); ++i) lambda(i) = x.number(90 + i);
                    // As wrenches on the bodies they change the joint forces of inverse dynamics by -A^T lambda.
                    ExternalWrenches<S> F = x.Fext;
                    loops.add_reactions(lambda, F);
                    InverseDynamics<S> rnea(x.model);
                    const VectorX<S> tau = rnea(x.q, x.qd, x.qdd, F), constraint = loops.A.transpose() * lambda;
                    sides.add_by_unit(x.model, VectorX<S>(tau + constraint), x.inverse_tau);
                    sides.rival("the constraint force stands on the side of the inertia", [&](auto& wrong) {
                      wrong.add_by_unit(x.model, VectorX<S>(tau - constraint), x.inverse_tau);
                    });
                  },
              .applies = [](const Model<double>& m) { return m.bodies() > 1; }});
}

/// The second line of (68) or (78): M times what the constraints add to the accelerations, against what they add to forces.
template <typename S>
void add_constrained_part(Sides<S>& sides, const Specimen<S>& x, const ConstrainedDynamics<S>& run,
                          const DrawnConstraints<S>& c, const VectorX<S>& constraint)
{
  const MatrixX<S> M = x.witness_mass_matrix(), size = M.cwiseAbs();
  const VectorX<S> inertial = M * (run.qdd() - run.tree.qdd()), added = run.tau() - run.tree.tau();
  const VectorX<S> terms = size * (run.qdd().cwiseAbs() + run.tree.qdd().cwiseAbs()) + run.tau().cwiseAbs() +
                           run.tree.tau().cwiseAbs() + c.A.transpose().cwiseAbs() * run.lambda().cwiseAbs();
  for (int k = 0; k < x.model.nv(); ++k) sides.add(inertial(k), S(added(k) + constraint(k)), terms(k));
}

/// Both lines of (68), or of (78), each with its own clause; the second one's stays current.
template <typename S>
void add_both_parts(Sides<S>& sides, const Specimen<S>& x, const ConstrainedDynamics<S>& run,
                    const DrawnConstraints<S>& c, const std::string& row)
{
  const VectorX<S> tau = run.tree.tau(), qdd = run.tree.qdd(), zero = VectorX<S>::Zero(x.model.nv());
  sides.clause({row + "free"});
  add_motion(sides, x, qdd, tau, zero);
  sides.rival("weight and velocities are forgotten",
              [&](auto& wrong) { add_motion(wrong, x, qdd, VectorX<S>(tau + x.witness_bias()), zero); });
  sides.clause({row + "constrained"});
  add_constrained_part(sides, x, run, c, VectorX<S>(c.A.transpose() * run.lambda()));
}

template <typename S>
void forward(Registry<S>& r)
{
  r.identity({.name = "constrained_forward_dynamics_solves_motion_and_constraints_together",
              .keys = {"kim:54", "kim:55/kept"},
              .symbols = "ConstrainedDynamics SemidefiniteSolver ArticulatedBodies::respond",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const DrawnConstraints<S> c = constraints_on(x, x.model.nv());
                    const ConstrainedDynamics<S> run = constrained_run(x, Partition(x.model.nv(), false), c);
                    const VectorX<S> constraint = c.A.transpose() * run.lambda();
                    sides.clause("kim:54");
                    add_motion(sides, x, run, c, constraint);
                    sides.rival("the constraint force stands on the side of the inertia",
                                [&](auto& wrong) { add_motion(wrong, x, run, c, VectorX<S>(-constraint)); });
                    sides.clause("kim:55/kept");
                    add_constraint(sides, run, c, run.qdd(), c.Adot_qd);
                    sides.rival("$\\dot A\\dot q$ has the other sign",
                                [&](auto& wrong) { add_constraint(wrong, run, c, run.qdd(), VectorX<S>(-c.Adot_qd)); });
                  },
              .applies = has_two});
  r.identity({.name = "constraint_forces_take_away_what_the_free_motion_breaks",
              .keys = {"kim:67/multipliers", "kim:67/free", "kim:69"},
              .symbols = "ConstrainedDynamics::constrain SemidefiniteSolver ArticulatedBodies::reduce",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const DrawnConstraints<S> c = constraints_on(x, x.model.nv());
                    const ConstrainedDynamics<S> run = constrained_run(x, Partition(x.model.nv(), false), c);
                    const MatrixX<S> M = x.as_input(x.witness_mass_matrix());
                    const VectorX<S> b = x.witness_bias();
                    const VectorX<S> qdd_r = definite_solution(M, x.as_input(VectorX<S>(x.tau - b)));
                    const MatrixX<S> AMA =
                        x.as_input(MatrixX<S>(c.A * definite_solution(M, MatrixX<S>(c.A.transpose()))));
                    const auto multipliers = [&](const VectorX<S>& excess) {
                      return VectorX<S>(-definite_solution(AMA, x.as_input(excess)));
                    };
                    const VectorX<S> lambda = multipliers(VectorX<S>(c.A * qdd_r + c.Adot_qd));
                    const VectorX<S> qdd_c = definite_solution(M, VectorX<S>(c.A.transpose() * lambda));  // (68)
                    sides.clause("kim:67/multipliers");
                    sides.add(run.lambda(), lambda);
                    sides.rival("what the velocities break is forgotten",
                                [&](auto& wrong) { wrong.add(run.lambda(), multipliers(VectorX<S>(c.A * qdd_r))); });
                    sides.clause("kim:67/free");
                    sides.add_by_unit(x.model, run.tree.qdd(), qdd_r);
                    sides.rival("weight and velocities are forgotten", [&](auto& wrong) {
                      wrong.add_by_unit(x.model, run.tree.qdd(), definite_solution(M, x.tau));
                    });
                    sides.clause("kim:69");
                    sides.add_by_unit(x.model, run.qdd(), VectorX<S>(qdd_r + qdd_c));
                    sides.rival("weight and velocities are counted in both parts", [&](auto& wrong) {
                      const VectorX<S> twice = definite_solution(M, VectorX<S>(c.A.transpose() * lambda - b));
                      wrong.add_by_unit(x.model, run.qdd(), VectorX<S>(qdd_r + twice));
                    });
                  },
              .applies = has_two});
  r.identity({.name = "the_free_and_the_constrained_part_each_obey_an_equation_of_motion",
              .keys = {"kim:68/free", "kim:68/constrained"},
              .symbols = "ConstrainedDynamics::constrain ArticulatedBodies::respond",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const DrawnConstraints<S> c = constraints_on(x, x.model.nv());
                    const ConstrainedDynamics<S> run = constrained_run(x, Partition(x.model.nv(), false), c);
                    add_both_parts(sides, x, run, c, "kim:68/");
                    sides.rival("weight and velocities are counted in this part, too", [&](auto& wrong) {
                      const VectorX<S> qdd_c = run.qdd() - run.tree.qdd();
                      add_motion(wrong, x, qdd_c, VectorX<S>(c.A.transpose() * run.lambda()),
                                 VectorX<S>(x.witness_mass_matrix().cwiseAbs() * run.qdd().cwiseAbs()));
                    });
                  },
              .applies = has_two});
}

/// The blocks of section 3.3, by the witness.
template <typename S>
struct HybridBlocks {
  std::vector<int> u, v;
  MatrixX<S> Mvu, Mvv, Au, Av, AvT;
  VectorX<S> bv, qdd_u, tau_v;

  HybridBlocks(const Specimen<S>& x, const Partition& prescribed, const DrawnConstraints<S>& c)
      : u(members(prescribed, true)), v(members(prescribed, false))
  {
    const MatrixX<S> M = x.as_input(x.witness_mass_matrix());
    const VectorX<S> b = x.as_input(x.witness_bias());
    Mvu = M(v, u), Mvv = M(v, v);
    Au = columns(c.A, u), Av = columns(c.A, v), AvT = Av.transpose();
    bv = b(v), qdd_u = x.qdd(u), tau_v = x.tau(v);
  }
  VectorX<S> loosened(const VectorX<S>& force) const { return definite_solution(Mvv, force); }
  /// Accelerations in v beside those given in u, in model order.
  VectorX<S> with(const VectorX<S>& qdd_v, const Specimen<S>& x) const
  {
    VectorX<S> qdd = x.qdd;
    for (std::size_t k = 0; k < v.size(); ++k) qdd(v[k]) = qdd_v(k);
    return qdd;
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

/// All but two degrees, which are spread.
inline Partition all_but_two(int n)
{
  Partition chosen(n, true);
  for (int k = 0; k < 2; ++k) chosen[(2 * k + 1) % n] = false;
  if (n == 2) chosen[0] = false;
  return chosen;
}

/// A row for each loose degree, of which it asks most: rows in no special direction can be dependent but for 1e-6, and
/// what is then left of K is less than double keeps.
template <typename S>
DrawnConstraints<S> one_for_each(const Specimen<S>& x, const std::vector<int>& loose)
{
  DrawnConstraints<S> c(x, static_cast<int>(loose.size()));
  for (int i = 0; i < c.A.rows(); ++i) c.A(i, loose[i]) += 3;
  return c;
}

/// Equations (72) to (77), line by line.
template <typename S>
void multipliers_by_blocks(Sides<S>& sides, const Specimen<S>& x, const Partition& prescribed,
                           const DrawnConstraints<S>& c, const std::string& count)
{
  const ConstrainedDynamics<S> run = constrained_run(x, prescribed, c);
  const HybridBlocks<S> h(x, prescribed, c);
  const VectorX<S> free = h.tau_v - h.bv, driven = free - h.Mvu * h.qdd_u;
  const VectorX<S> qdd_rv = h.loosened(driven), by_u = h.Au * h.qdd_u;
  const MatrixX<S> AMA = x.as_input(MatrixX<S>(h.Av * definite_solution(h.Mvv, h.AvT)));
  const auto multipliers = [&](const MatrixX<S>& K, const VectorX<S>& excess) {
    return VectorX<S>(-definite_solution(K, x.as_input(excess)));
  };
  const VectorX<S> excess = by_u + h.Av * qdd_rv + c.Adot_qd, rows = AMA * run.lambda();
  const S terms = largest_entry<S>(AMA.cwiseAbs() * run.lambda().cwiseAbs() + by_u.cwiseAbs() + c.Adot_qd.cwiseAbs());

  sides.clause("kim:73");
  sides.add(rows, VectorX<S>(-excess), terms);
  sides.rival("what the prescribed accelerations do to the other joints is forgotten",
              [&](auto& wrong) { wrong.add(rows, VectorX<S>(-(by_u + h.Av * h.loosened(free) + c.Adot_qd)), terms); });
  sides.clause({"kim:74/" + count});
  sides.add(run.lambda(), multipliers(AMA, excess));
  sides.rival("$M_{vv}$ is not inverted",
              [&](auto& wrong) { wrong.add(run.lambda(), multipliers(MatrixX<S>(h.Av * (h.Mvv * h.AvT)), excess)); });
  sides.clause({"kim:75"});
  const VectorX<S> found_rv = x.as_input(VectorX<S>(run.tree.qdd()(h.v)));
  sides.add(run.lambda(), multipliers(AMA, VectorX<S>(by_u + h.Av * found_rv + c.Adot_qd)));
  sides.rival("what the rows see of the prescribed accelerations is forgotten",
              [&](auto& wrong) { wrong.add(run.lambda(), multipliers(AMA, VectorX<S>(h.Av * found_rv + c.Adot_qd))); });
  sides.clause({"kim:76/multipliers"});
  sides.add(run.lambda(), multipliers(AMA, VectorX<S>(c.A * x.as_input(run.tree.qdd()) + c.Adot_qd)));
  sides.rival("the free motion is that of forward dynamics, with all joints loose", [&](auto& wrong) {
    wrong.add(run.lambda(), multipliers(AMA, VectorX<S>(c.A * x.forward_qdd + c.Adot_qd)));
  });
  sides.clause({"kim:76/free", "kim:77"});
  sides.add_by_unit(x.model, run.tree.qdd(), h.with(qdd_rv, x));
  sides.rival("$M_{vu}\\ddot q_u$ is forgotten",
              [&](auto& wrong) { wrong.add_by_unit(x.model, run.tree.qdd(), h.with(h.loosened(free), x)); });
  sides.clause("kim:72/acceleration");
  const VectorX<S> constraint = h.AvT * x.as_input(run.lambda());
  sides.add_by_unit(x.model, run.qdd(), h.with(h.loosened(VectorX<S>(driven + constraint)), x));
  sides.rival("the constraint force has the other sign", [&](auto& wrong) {
    wrong.add_by_unit(x.model, run.qdd(), h.with(h.loosened(VectorX<S>(driven - constraint)), x));
  });
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
                    const ConstrainedDynamics<S> run = constrained_run(x, prescribed, c);
                    const VectorX<S> constraint = c.A.transpose() * run.lambda();
                    sides.clause("kim:70");
                    add_motion(sides, x, run, c, constraint);
                    sides.rival("the constraint force acts on the joints in v alone", [&](auto& wrong) {
                      add_motion(wrong, x, run, c, part(constraint, prescribed, false));
                    });
                    sides.clause("kim:71");
                    add_constraint(sides, run, c, run.qdd(), c.Adot_qd);
                    sides.rival("the prescribed accelerations are forgotten", [&](auto& wrong) {
                      add_constraint(wrong, run, c, part(run.qdd(), prescribed, false), c.Adot_qd);
                    });
                  },
              .applies = has_two});
  r.identity({.name = "multipliers_of_hybrid_dynamics_follow_from_the_blocks_of_v",
              .keys = {"kim:72/acceleration", "kim:73", "kim:74/fewer", "kim:75", "kim:76/multipliers", "kim:76/free",
                       "kim:77"},
              .symbols = "ConstrainedDynamics::constrain HybridDynamics ArticulatedBodies::reduce",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const Partition prescribed = loose_partition(x);
                    multipliers_by_blocks(sides, x, prescribed,
                                          constraints_on(x, static_cast<int>(members(prescribed, false).size())),
                                          "fewer");
                  },
              .applies = has_two});
  r.identity({.name = "as_many_constraints_as_loose_degrees_leave_one_set_of_multipliers",
              .keys = {"kim:72/acceleration", "kim:73", "kim:74/as-many", "kim:75", "kim:76/multipliers", "kim:76/free",
                       "kim:77"},
              .symbols = "ConstrainedDynamics::constrain HybridDynamics ArticulatedBodies::reduce",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const Partition prescribed = all_but_two(x.model.nv());
                    multipliers_by_blocks(sides, x, prescribed, one_for_each(x, members(prescribed, false)), "as-many");
                  },
              .applies = has_two});
  r.identity({.name = "the_lower_left_block_of_the_mass_matrix_is_the_upper_right_one_transposed",
              .keys = {"kim:72/transpose"},
              .symbols = "ArticulatedBodies::respond",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    // Column by column, with everything prescribed: the library's, against the rows of the witness's.
                    const int n = x.model.nv(), half = n / 2;
                    HybridDynamics<S> held = hybrid_run(x, Partition(n, true));
                    MatrixX<S> M(n, n);
                    for (int k = 0; k < n; ++k) {
                      VectorX<S> tau = VectorX<S>::Zero(n), qdd = VectorX<S>::Unit(n, k);
                      held.respond(tau, qdd);
                      M.col(k) = tau;
                    }
                    const MatrixX<S> transposed = x.witness_mass_matrix().transpose();
                    sides.add_by_unit(x.model, M, transposed);
                    sides.rival("the upper-right block stands in both places", [&](auto& wrong) {
                      MatrixX<S> printed = M;
                      for (int i = 0; i < half; ++i)
                        for (int j = 0; j < half; ++j) printed(half + i, j) = M(i, half + j);
                      wrong.add_by_unit(x.model, printed, transposed);
                    });
                  },
              .applies = has_two});
  r.identity({.name = "hybrid_dynamics_is_the_sum_of_a_free_and_a_constrained_answer",
              .keys = {"kim:78/free", "kim:78/constrained", "kim:79", "kim:80"},
              .symbols = "ConstrainedDynamics::constrain ArticulatedBodies::respond",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const Partition prescribed = loose_partition(x);
                    const DrawnConstraints<S> c =
                        constraints_on(x, static_cast<int>(members(prescribed, false).size()));
                    const ConstrainedDynamics<S> run = constrained_run(x, prescribed, c);
                    add_both_parts(sides, x, run, c, "kim:78/");
                    sides.rival("what the constraints do to the joints in u is forgotten", [&](auto& wrong) {
                      add_constrained_part(wrong, x, run, c,
                                           part(VectorX<S>(c.A.transpose() * run.lambda()), prescribed, false));
                    });

                    const HybridBlocks<S> h(x, prescribed, c);
                    const HybridDynamics<S> free = hybrid_run(x, prescribed);
                    const VectorX<S> lambda = x.as_input(run.lambda());
                    const VectorX<S> carried = h.AvT * lambda, qdd_vc = h.loosened(carried);
                    const VectorX<S> tau_uc = h.Mvu.transpose() * qdd_vc, taken = h.Au.transpose() * lambda;
                    const auto with = [&](VectorX<S> all, const std::vector<int>& of, const VectorX<S>& more) {
                      for (std::size_t k = 0; k < of.size(); ++k) all(of[k]) += more(k);
                      return all;
                    };
                    // Both answers of a light wrist are large where the constraints hold it.
                    const VectorX<S> taus =
                        with(free.tau().cwiseAbs(), h.u, VectorX<S>(tau_uc.cwiseAbs() + taken.cwiseAbs()));
                    const VectorX<S> qdds = with(free.qdd().cwiseAbs(), h.v, VectorX<S>(qdd_vc.cwiseAbs()));
                    sides.clause("kim:79");
                    sides.add_by_unit(x.model, run.tau(), with(free.tau(), h.u, VectorX<S>(tau_uc - taken)), taus);
                    sides.rival("the tilde is overlooked", [&](auto& wrong) {
                      wrong.add_by_unit(x.model, run.tau(), with(free.tau(), h.u, tau_uc), taus);
                    });
                    sides.clause("kim:80");
                    sides.add_by_unit(x.model, run.qdd(), with(free.qdd(), h.v, qdd_vc), qdds);
                    sides.rival("weight and velocities are counted in both parts", [&](auto& wrong) {
                      const VectorX<S> twice = h.loosened(VectorX<S>(carried - h.bv));
                      wrong.add_by_unit(x.model, run.qdd(), with(free.qdd(), h.v, twice), qdds);
                    });
                  },
              .applies = has_two});
}

}  // namespace

template <typename S>
void constrained_identities(Registry<S>& r)
{
  loops(r);
  forward(r);
  hybrid(r);
}

template void constrained_identities(Registry<ARTICULATE_PROOF_SCALAR>&);

}  // namespace articulate::validation
