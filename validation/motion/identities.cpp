/** \file
 *  \brief Proofs of chapter motion: impulses, \eq{ours,1} to \eq{ours,6}.
 *
 *  The mass matrix is that of mass points, by the witness that differentiates their energy; rows of stops and loops are
 *  drawn with each state. What an impact makes of them is solved again densely, and by trying all choices of rows.
 */
#include <algorithm>
#include <optional>
#include <articulate/motion/impulse.hpp>
#include <constrained/compiled.hpp>
#include <constrained/drawn_constraints.hpp>
#include <ledger/registry.hpp>
#include <witnesses/compiled.hpp>

namespace articulate::validation {
namespace {

bool has_three(const Model<double>& m) { return is_small(m) && m.nv() >= 3; }

/// The mass matrix by mass points, which takes long in 50 digits.
template <typename S>
struct MassMatrix {
  MatrixX<S> M;
  explicit MassMatrix(const Specimen<S>& x)
      : M(witness::lagrange_mass_matrix<S>(x.inputs.mechanism, x.inputs.options.floating_base, x.q))
  {
  }
};

/// A machine that is struck in some rows, beside one row of loops.
template <typename S>
struct Struck {
  MatrixX<S> M, A, J;
  VectorX<S> e, qd;  ///< restitutions; rates before, which keep the loops closed
  DrawnConstraints<S> loops;
  ConstrainedDynamics<S> run;
  Impact<S> impact;

  /// \param restitution  of all rows; if none is given, each has one that is drawn
  Struck(const Specimen<S>& x, int rows, const std::optional<S>& restitution = {})
      : M(x.as_input(x.template once<MassMatrix<S>>().M)),
        J(rows, x.model.nv()),
        e(rows),
        loops(x, 1),
        run(constrained_run(x, Partition(x.model.nv(), false), loops))
  {
    A = loops.A;
    const VectorX<S> push = definite_solution(M, VectorX<S>(A.transpose()));
    qd = x.qd - push * (inner_product<S>(A.row(0), x.qd) / inner_product<S>(A.row(0), push));
    for (int i = 0; i < rows; ++i) {
      for (int k = 0; k < x.model.nv(); ++k) J(i, k) = x.number((31 * i + 5 * k + 11) % 128);
      if (inner_product<S>(J.row(i), qd) > S(0)) J.row(i) *= S(-1);  // they close
      e(i) = restitution ? *restitution : S(magnitude(x.number(i + 40)));
    }
    impact(J, e, qd, [&](const VectorX<S>& tau) { return answer(tau); });
  }

  VectorX<S> answer(VectorX<S> tau)
  {
    VectorX<S> rates = VectorX<S>::Zero(tau.size()), miss = VectorX<S>::Zero(A.rows()), lambda = miss;
    run.respond(tau, rates, miss, lambda);
    return rates;
  }

  /// What impulses make of rates by the dense mass matrix, loops kept closed.
  MatrixX<S> dense_answer(const MatrixX<S>& tau) const
  {
    const MatrixX<S> free = definite_solution(M, tau), push = definite_solution(M, MatrixX<S>(A.transpose()));
    return free - push * definite_solution(MatrixX<S>(A * push), MatrixX<S>(A * free));
  }
  MatrixX<S> G() const { return J * dense_answer(MatrixX<S>(J.transpose())); }
  VectorX<S> before() const { return J * qd; }
  VectorX<S> after() const { return J * impact.qd; }
  S energy(const VectorX<S>& rates) const { return inner_product<S>(rates, M * rates) / S(2); }
  /// An entry of M is an inner product of two motions, whose terms may cancel: of what it is made their lengths tell.
  VectorX<S> lengths() const { return M.diagonal().cwiseSqrt(); }
  /// What the loops push with: as far as it takes beside an impulse of the rows.
  S of_loops(const VectorX<S>& jump, const VectorX<S>& push) const
  {
    const VectorX<S> a = A.row(0), rest = jump - push;
    return inner_product<S>(a, rest) / inner_product<S>(a, a);
  }
  /// How long are the rates of which those after are made: those before, and what each impulse would add if it were
  /// alone. Where rows press against each other, or against the loops, these are large and cancel.
  S length() const
  {
    const S by_loops = of_loops(VectorX<S>(M * (impact.qd - qd)), VectorX<S>(J.transpose() * impact.Lambda));
    VectorX<S> rates = qd.cwiseAbs() + definite_solution(M, VectorX<S>(A.row(0).transpose() * by_loops)).cwiseAbs();
    for (int i = 0; i < J.rows(); ++i)
      rates += definite_solution(M, VectorX<S>(J.row(i).transpose() * impact.Lambda(i))).cwiseAbs();
    return inner_product<S>(lengths(), rates);
  }
  /// Of which energies are made, so that their small differences count as rounding.
  S energy_terms() const { return length() * length() / S(2); }
};

/// The momentum that comes, against impulses of the rows and of the loops.
template <typename S>
void add_jump(Sides<S>& sides, const Struck<S>& s, const MatrixX<S>& M, const VectorX<S>& Lambda)
{
  const VectorX<S> jump = M * (s.impact.qd - s.qd), push = s.J.transpose() * Lambda;
  const VectorX<S> a = s.A.row(0);
  const S by_loops = s.of_loops(jump, push);
  const VectorX<S> terms = s.lengths() * s.length() + a.cwiseAbs() * magnitude(by_loops);
  for (int k = 0; k < jump.size(); ++k) sides.add(jump(k), S(push(k) + a(k) * by_loops), terms(k));
}

/// All choices of rows, tried one after the other: the impulses of the one that neither closes nor pulls.
template <typename S>
VectorX<S> by_trial(const MatrixX<S>& G, const VectorX<S>& u, const VectorX<S>& e)
{
  const int m = static_cast<int>(u.size());
  for (int choice = 1; choice < 1 << m; ++choice) {
    std::vector<int> rows;
    for (int i = 0; i < m; ++i)
      if (choice >> i & 1) rows.push_back(i);
    const VectorX<S> wanted = -(VectorX<S>::Ones(m) + e).cwiseProduct(u);
    VectorX<S> Lambda = VectorX<S>::Zero(m);
    const VectorX<S> found = definite_solution(MatrixX<S>(G(rows, rows)), VectorX<S>(wanted(rows)));
    for (std::size_t k = 0; k < rows.size(); ++k) Lambda(rows[k]) = found(k);
    const VectorX<S> after = G * Lambda;
    bool right = true;
    for (int i = 0; i < m; ++i) {
      const bool pushes = choice >> i & 1;
      right = right && (pushes ? Lambda(i) >= S(0) : after(i) >= wanted(i));
    }
    if (right) return Lambda;
  }
  return VectorX<S>::Constant(m, S(std::numeric_limits<double>::quiet_NaN()));
}

template <typename S>
void one_row(Registry<S>& r)
{
  r.identity({.name = "an_impulse_changes_the_momentum_of_mass_points_and_opens_no_loop",
              .keys = {"ours:1/jump", "ours:1/loops"},
              .symbols = "Impact::operator() ArticulatedBodies::respond",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    for (const int rows : {1, 2}) {
                      const Struck<S> s(x, rows);
                      sides.clause("ours:1/jump");
                      add_jump(sides, s, s.M, s.impact.Lambda);
                      sides.rival("the impulse pulls",
                                  [&](auto& wrong) { add_jump(wrong, s, s.M, VectorX<S>(-s.impact.Lambda)); });
                      sides.rival("distances are Euclidean: all masses are one", [&](auto& wrong) {
                        const MatrixX<S> one = MatrixX<S>::Identity(x.model.nv(), x.model.nv());
                        add_jump(wrong, s, one, s.impact.Lambda);
                      });
                      sides.clause("ours:1/loops");
                      const VectorX<S> terms = s.A.cwiseAbs() * (s.qd.cwiseAbs() + s.impact.qd.cwiseAbs());
                      sides.add(inner_product<S>(s.A.row(0), s.impact.qd), S(0), terms(0));
                      sides.rival("the loops are told after the impact", [&](auto& wrong) {
                        const VectorX<S> push = s.J.transpose() * s.impact.Lambda, free = definite_solution(s.M, push);
                        wrong.add(inner_product<S>(s.A.row(0), VectorX<S>(s.qd + free)), S(0), terms(0));
                      });
                    }
                  },
              .applies = has_three});
  r.identity({.name = "a_large_force_for_a_short_time_is_an_impulse",
              .keys = {"ours:1/limit"},
              .symbols = "Impact::operator() ConstrainedDynamics::operator()",
              .method = "cross-check",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    Struck<S> s(x, 1);
                    const VectorX<S> jump = s.impact.qd - s.qd, slow = s.run.qdd();
                    // The answer to forces is affine: the limit is there at every time that they act.
                    const S time = S(1) / S(1024);
                    const auto forced = [&](const VectorX<S>& impulse) {
                      const VectorX<S> push = s.J.transpose() * impulse / time;
                      s.run(x.q, x.qd, x.qdd, VectorX<S>(x.tau + push), s.A, s.loops.Adot_qd, x.Fext);
                      return VectorX<S>(time * (s.run.qdd() - slow));
                    };
                    const VectorX<S> beside = s.qd.cwiseAbs() + time * slow.cwiseAbs();
                    sides.add_by_unit(x.model, jump, forced(s.impact.Lambda), beside);
                    sides.rival("the force acts on the way in only, without its rebound", [&](auto& wrong) {
                      wrong.add_by_unit(x.model, jump, forced(VectorX<S>(s.impact.Lambda / (S(1) + s.e(0)))), beside);
                    });
                  },
              .applies = has_three});
  r.identity({.name = "one_row_opens_with_its_restitution_times_the_rate_at_which_it_closed",
              .keys = {"ours:2"},
              .symbols = "Impact::operator()",
              .method = "closed form",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    for (const std::optional<S>& e : {std::optional<S>(), std::optional<S>(0), std::optional<S>(1)}) {
                      const Struck<S> s(x, 1, e);
                      const VectorX<S> terms = s.J.cwiseAbs() * (s.qd.cwiseAbs() + s.impact.qd.cwiseAbs());
                      sides.add(s.after()(0), S(-s.e(0) * s.before()(0)), terms(0));
                      if (s.e(0) == S(0)) continue;  // what does not rebound has no sign
                      sides.rival("the rate keeps its sign",
                                  [&](auto& wrong) { wrong.add(s.after()(0), S(s.e(0) * s.before()(0)), terms(0)); });
                    }
                  },
              .applies = has_three});
}

template <typename S>
void energies_of_impacts(Registry<S>& r)
{
  r.identity({.name = "the_impulse_is_the_rate_times_the_mass_that_the_row_feels",
              .keys = {"ours:3"},
              .symbols = "Impact::operator() ArticulatedBodies::respond",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const Struck<S> s(x, 1);
                    const S felt = S(1) / s.G()(0, 0), change = -(S(1) + s.e(0)) * s.before()(0);
                    sides.add(s.impact.Lambda(0), S(felt * change));
                    sides.rival("the loops are forgotten", [&](auto& wrong) {
                      const VectorX<S> row = s.J.row(0);
                      wrong.add(s.impact.Lambda(0), S(change / inner_product<S>(row, definite_solution(s.M, row))));
                    });
                    sides.rival("the rebound needs no impulse",
                                [&](auto& wrong) { wrong.add(s.impact.Lambda(0), S(-felt * s.before()(0))); });
                  },
              .applies = has_three});
  r.identity({.name = "an_impact_takes_what_carnot_says",
              .keys = {"ours:4/restitution", "ours:4/carnot"},
              .symbols = "Impact::operator()",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const Struck<S> s(x, 1);
                    const S e = s.e(0), u = s.before()(0), felt = S(1) / s.G()(0, 0);
                    const S gone = s.energy(s.qd) - s.energy(s.impact.qd), terms = s.energy_terms();
                    sides.clause("ours:4/restitution");
                    sides.add(gone, S((S(1) - e * e) * felt * u * u / S(2)), terms);
                    sides.add(s.impact.lost, S((S(1) - e * e) * felt * u * u / S(2)), terms);
                    sides.rival("of the rate only 1 - e is lost", [&](auto& wrong) {
                      wrong.add(gone, S((S(1) - e) * (S(1) - e) * felt * u * u / S(2)), terms);
                    });
                    sides.clause("ours:4/carnot");
                    const S of_change = s.energy(VectorX<S>(s.impact.qd - s.qd));
                    sides.add(gone, S((S(1) - e) / (S(1) + e) * of_change), terms);
                    sides.rival("the impact is taken as plastic",
                                [&](auto& wrong) { wrong.add(gone, of_change, terms); });
                  },
              .applies = has_three});
}

template <typename S>
void several_rows(Registry<S>& r)
{
  r.identity(
      {.name = "of_several_rows_those_push_that_must_and_none_pulls",
       .keys = {"ours:5/impulses", "ours:5/rates"},
       .symbols = "complementary Impact::operator()",
       .method = "independent formulation",
       .sides =
           [](const Specimen<S>& x, Sides<S>& sides) {
             // Of two rows that come from different sides one may open at once: more rows, more choices.
             const Struck<S> s(x, 2);
             const MatrixX<S> G = x.as_input(s.G());
             const VectorX<S> u = s.before(), Lambda = by_trial<S>(G, u, s.e);
             const VectorX<S> all = definite_solution(G, VectorX<S>(-(VectorX<S>::Ones(2) + s.e).cwiseProduct(u)));
             sides.clause("ours:5/impulses");
             sides.add(s.impact.Lambda, Lambda, largest_entry<S>(all));
             sides.rival("rows may pull", [&](auto& wrong) { wrong.add(s.impact.Lambda, all); });
             sides.clause("ours:5/rates");
             const VectorX<S> after = s.after();
             // Rows that press against each other push with more than what is left of it.
             const VectorX<S> terms = s.J.cwiseAbs() * (s.qd.cwiseAbs() + s.impact.qd.cwiseAbs()) +
                                      G.cwiseAbs() * s.impact.Lambda.cwiseAbs();
             // The product of what it pushes with and what it leaves too fast with.
             const auto add = [&](auto& some, const VectorX<S>& impulses, const VectorX<S>& rates) {
               for (int i = 0; i < 2; ++i)
                 some.add(S(impulses(i) * (rates(i) + s.e(i) * u(i))), S(0), S(largest_entry<S>(all) * terms(i)));
             };
             add(sides, s.impact.Lambda, after);
             sides.rival("one row at a time, each with its own mass", [&](auto& wrong) {
               VectorX<S> alone(2);
               for (int i = 0; i < 2; ++i) alone(i) = -(S(1) + s.e(i)) * u(i) / G(i, i);
               const VectorX<S> then = u + G * alone;
               add(wrong, alone, then);
             });
           },
       .applies = has_three});
  r.identity({.name = "the_work_of_impulses_is_that_of_their_mean_rates",
              .keys = {"ours:6"},
              .symbols = "Impact::operator() complementary",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const Struck<S> s(x, 2);
                    const S gained = s.energy(s.impact.qd) - s.energy(s.qd), terms = s.energy_terms();
                    const VectorX<S> u = s.before(), after = s.after();
                    sides.add(gained, S(inner_product<S>(s.impact.Lambda, u + after) / S(2)), terms);
                    sides.add(gained, S(-s.impact.lost), terms);
                    sides.rival("the rates before are taken for the mean ones",
                                [&](auto& wrong) { wrong.add(gained, inner_product<S>(s.impact.Lambda, u), terms); });
                  },
              .applies = has_three});
}

}  // namespace

template <typename S>
void motion_identities(Registry<S>& r)
{
  one_row(r);
  energies_of_impacts(r);
  several_rows(r);
}

template void motion_identities(Registry<ARTICULATE_PROOF_SCALAR>&);

}  // namespace articulate::validation
