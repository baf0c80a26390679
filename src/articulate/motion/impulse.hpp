/** \file
 *  \brief Impulses: how the rates of a machine jump when something closes at once, such as a joint at its stop.
 *
 *  - Chapter: \ref motion, \eq{ours,1} to \eq{ours,6}
 *  - Contacts push and never pull; friction is outside of this project.
 */
#pragma once
#include <algorithm>
#include <articulate/constrained/restitution.hpp>
#include <articulate/constrained/semidefinite.hpp>
#include <articulate/model/error.hpp>

namespace articulate {

/** \brief The x with \f$x \ge 0,\ w = Gx + b \ge 0,\ x^{\mathsf T}w = 0\f$ for \f$G = G^{\mathsf T} \ge 0\f$.
 *
 *  A linear complementarity problem, by the dual method of Goldfarb and Idnani: the row that is broken most is pushed as
 *  far as it needs, and rows that would have to pull on the way let go. Rows that depend on each other are never held
 *  together, so that G may have any rank; w is unique, x need not be.
 *
 *  What counts as zero is what rounding may leave. With \f$l_i^2 = G_{ii}\f$ an entry \f$G_{ik}\f$ is known to a part of
 *  \f$l_il_k\f$, so that \f$w_i\f$ is known to that part of \f$l_i\f$ times the length of all pushes. A row that depends on
 *  rows that are held is known no better than they are; and what is left of it beside them counts only above the root of
 *  that part.
 *  \param G  m x m   \param b  m numbers   \param slack  m: what rounding may have left of b
 *  \throws StateError where no x does it
 */
template <typename Scalar>
VectorX<Scalar> complementary(const MatrixX<Scalar>& G, const VectorX<Scalar>& b, const VectorX<Scalar>& slack)
{
  const int m = static_cast<int>(b.size());
  const Scalar part(rounding<Scalar>(m));
  const auto size = [](const auto& numbers) { return VectorX<Scalar>(numbers.unaryExpr(&magnitude<Scalar>)); };
  const VectorX<Scalar> l = size(G.diagonal()).cwiseSqrt();
  VectorX<Scalar> x = VectorX<Scalar>::Zero(m), w = b;
  Scalar pushed(0);
  Indexed<int> held;
  // Row i is pushed by one, and what is held yields so that its w stays.
  const auto push_of = [&](int i) {
    const int rank = static_cast<int>(held.size());
    SemidefiniteSolver<Scalar> solver(rank);
    solver.factor(MatrixX<Scalar>(G(held, held)), rank);
    VectorX<Scalar> d = VectorX<Scalar>::Unit(m, i);
    d(held) = -solver.solve(VectorX<Scalar>(G.col(i)(held)));
    return d;
  };
  for (;;) {
    const VectorX<Scalar> unknown = slack + part * pushed * l;
    int worst = -1;
    for (int i = 0; i < m; ++i) {
      if (worst >= 0 && comparable(w(i)) >= comparable(w(worst))) continue;
      if (comparable(w(i)) >= 0 || std::find(held.begin(), held.end(), i) != held.end()) continue;
      const Scalar of_all = size(push_of(i)).cwiseProduct(unknown).sum();
      if (comparable(w(i)) < -comparable(of_all)) worst = i;
    }
    if (worst < 0) return x;
    // [complementary]
    // Push the row; what is held yields along with it, and whatever would have to pull lets go first.
    for (bool met = false; !met;) {
      const VectorX<Scalar> d = push_of(worst);
      const Scalar slope = G.col(worst).cwiseProduct(d).sum(), length = l.cwiseProduct(size(d)).sum();
      const bool moves = comparable(slope) > comparable(Scalar(part * length * length));
      Scalar push = moves ? Scalar(-w(worst) / slope) : Scalar(std::numeric_limits<double>::infinity());
      auto first = held.end();
      for (auto one = held.begin(); one != held.end(); ++one) {
        if (!(comparable(d(*one)) < 0)) continue;
        const Scalar until = -x(*one) / d(*one);
        if (comparable(until) < comparable(push)) push = until, first = one;
      }
      met = first == held.end();
      if (met && !moves)
        throw StateError("stops that depend on each other demand what no motion can do; give them one restitution.");
      x += push * d;
      for (Scalar& one : x)
        if (comparable(one) < 0) one = Scalar(0);
      pushed += push * length;
      if (!met) {
        x(*first) = Scalar(0);
        held.erase(first);
      }
      w = b + G * x;
    }
    held.push_back(worst);
    // [complementary]
  }
}

/// \brief m: what rounding may leave of \f$J\dot q\f$. A rate that is zero is as good as the largest of the machine.
template <typename Scalar>
VectorX<Scalar> rounding_of_rates(const MatrixX<Scalar>& J, const VectorX<Scalar>& qd)
{
  Scalar largest(0);
  for (const Scalar& one : qd)
    if (comparable(magnitude(one)) > comparable(largest)) largest = magnitude(one);
  VectorX<Scalar> slack(J.rows());
  for (int i = 0; i < J.rows(); ++i) {
    slack(i) = Scalar(0);
    for (int k = 0; k < J.cols(); ++k)
      slack(i) += Scalar(rounding<Scalar>(static_cast<int>(J.cols()))) * magnitude(J(i, k)) * largest;
  }
  return slack;
}

/** \brief An impact: rates before and after it, the impulses of its rows, and the kinetic energy that it takes.
 *
 *  \f$M(\dot q^+ - \dot q^-) = J^{\mathsf T}\Lambda\f$ with \f$\Lambda \ge 0\f$, by Newton's law of restitution
 *  \f$J\dot q^+ \ge -e\,J\dot q^-\f$ in the rows that close. A row that opens takes no part, unless the impact is plastic
 *  throughout; if it is closed by the others, that is the next impact, at once. No impact adds kinetic energy.
 */
template <typename Scalar>
class Impact {
public:
  VectorX<Scalar> qd;      ///< nv rates after it
  VectorX<Scalar> Lambda;  ///< m impulses (N s, N m s), none negative
  Scalar lost{};           ///< kinetic energy (J), found from the impulses

  /// \brief How many impacts may follow at once; the last one is plastic.
  static constexpr int most = 100;

  /** \brief Let some rows meet.
   *  \param J       m x nv: the rate at which each gap opens is \f$J\dot q\f$
   *  \param e       m restitutions, from 0 (plastic) to 1
   *  \param before  nv rates, which keep all loops closed
   *  \param answer  called as `answer(tau)`, returns nv rates that nv joint impulses make of rest, loops kept closed
   *  \throws SizeError naming the argument, the length given and the length expected
   *  \throws StateError for a restitution that is none
   */
  template <typename Answer>
  void operator()(const MatrixX<Scalar>& J, const VectorX<Scalar>& e, const VectorX<Scalar>& before, Answer&& answer)
  {
    const int m = static_cast<int>(J.rows()), n = static_cast<int>(J.cols());
    detail::require_size("e", e, m);
    detail::require_size("before", before, n);
    for (int i = 0; i < m; ++i) detail::require_restitution(e(i));
    qd = before;
    Lambda = VectorX<Scalar>::Zero(m);
    lost = Scalar(0);
    MatrixX<Scalar> W(n, m);
    for (int i = 0; i < m; ++i) W.col(i) = answer(VectorX<Scalar>(J.row(i).transpose()));
    const MatrixX<Scalar> G = J * W;
    const VectorX<Scalar> slack = rounding_of_rates<Scalar>(J, before);
    // [impact]
    for (int again = 1; again <= most; ++again) {
      const VectorX<Scalar> u = J * qd;
      const bool plastic = again == most || (e.array() == Scalar(0)).all();
      Indexed<int> rows;
      bool closing = false;
      for (int i = 0; i < m; ++i) {
        if (plastic || comparable(u(i)) <= comparable(slack(i))) rows.push_back(i);
        closing = closing || comparable(u(i)) < -comparable(slack(i));
      }
      if (!closing) return;
      // Newton: a closing row opens at least with e times its rate, and pushes only if it opens no faster.
      VectorX<Scalar> target = VectorX<Scalar>::Zero(m);
      if (!plastic)
        for (const int i : rows)
          if (comparable(u(i)) < 0) target(i) = -e(i) * u(i);
      const VectorX<Scalar> impulse =
          complementary<Scalar>(G(rows, rows), VectorX<Scalar>(u - target)(rows), VectorX<Scalar>(slack(rows)));
      for (int k = 0; k < impulse.size(); ++k) {
        qd += W.col(rows[k]) * impulse(k);
        Lambda(rows[k]) += impulse(k);
      }
      const VectorX<Scalar> after = J * qd;
      for (int k = 0; k < impulse.size(); ++k) lost -= impulse(k) * (u(rows[k]) + after(rows[k])) / Scalar(2);
    }
    // [impact]
  }
};

}  // namespace articulate
