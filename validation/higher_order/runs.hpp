/** \file
 *  \brief Runs of the forms of higher-order dynamics on the true motion, and what they found beside what is true.
 *
 *  What is true comes from vector mechanics over series in time (true_motion.hpp), which knows neither brackets nor
 *  binomials. Quantities of each order in time are compared by themselves, for they have units of their own.
 */
#pragma once
#include <articulate/lagrange/composite_body.hpp>
#include <higher_order/true_motion.hpp>
#include <hybrid/partition.hpp>
#include <ledger/beside.hpp>

namespace articulate::validation {

/// Something of every body, of the world nothing.
template <typename S, typename Function>
auto of_bodies(const Specimen<S>& x, const Function& f)
{
  std::vector<decltype(f(1))> all;
  for (int i = 1; i <= x.bodies(); ++i) all.push_back(f(i));
  return all;
}
template <typename S, typename Function>
auto of_degrees(const Specimen<S>& x, const Function& f)
{
  std::vector<decltype(f(0))> all;
  for (int d = 0; d < x.model.nv(); ++d) all.push_back(f(d));
  return all;
}

/// A run of a form of higher-order dynamics on the true motion: what is not prescribed has the true forces.
template <typename S, typename Form>
void run(Form& form, const Specimen<S>& x, const TrueMotion<S>& m, const Partition& prescribed)
{
  const int r = static_cast<int>(form.tau.cols()) - 1;
  const MatrixX<S> tau = m.tau;
  form.rates.col(0) = m.rates.col(0);
  for (int d = 0; d < x.model.nv(); ++d) {
    if (prescribed[d])
      form.rates.row(d) = m.rates.row(d).head(r + 2);
    else
      form.tau.row(d) = tau.row(d).head(r + 1);
  }
  form.run(x.q, m.Fext);
}
template <typename S>
SpatialForm<S> spatial_run(const Specimen<S>& x, const TrueMotion<S>& m, int r, const Partition& prescribed)
{
  SpatialForm<S> form(x.model, r, prescribed);
  run(form, x, m, prescribed);
  return form;
}
/// Algorithm 2 on the true motion.
template <typename S>
SpatialForm<S> inverse_run(const Specimen<S>& x, const TrueMotion<S>& m)
{
  return spatial_run(x, m, highest_order, Partition(x.model.nv(), true));
}

/// What a form found beside what is true, order by order.
template <typename S>
void add_found(Sides<S>& sides, const Specimen<S>& x, const MatrixX<S>& rates, const MatrixX<S>& tau,
               const TrueMotion<S>& m)
{
  CompositeBodies<S> composite(x.model);
  const MatrixX<S> M = composite(x.q).cwiseAbs();
  for (int k = 0; k < tau.cols(); ++k) {
    const VectorX<S> inertial = M * m.rates.col(k + 1).cwiseAbs();  // some forces are left of these
    sides.add_by_unit(x.model, VectorX<S>(tau.col(k)), VectorX<S>(m.tau.col(k)), inertial);
    sides.add_by_unit(x.model, VectorX<S>(rates.col(k + 1)), VectorX<S>(m.rates.col(k + 1)));
  }
}

/** How large the terms are of which screws and twists are made, order by order, as (|w|, 0, 0; |v|, 0, 0).
 *
 *  Brackets may vanish, as in a plane, and so may sums along a chain; what rounds are their terms, and the terms of these.
 */
template <typename S>
class TermSizes {
public:
  TermSizes(const Specimen<S>& x, const TrueMotion<S>& m)
      : screws_(m.screws.size(), std::vector<Twist<S>>(highest_order + 2)),
        twists_(x.bodies() + 1, std::vector<Twist<S>>(highest_order + 2))
  {
    const Binomials<S> binomial(highest_order + 2);
    for (int k = 0; k <= highest_order + 1; ++k)
      for (int i = 1; i <= x.bodies(); ++i) {
        const Body<S>& body = x.model.body(i);
        Twist<S>& V = twists_[i][k];
        V = larger(twists_[body.parent][k], norms(m.V[i][k]));
        for (int d = body.v; d < body.v + body.nv; ++d) {
          Twist<S>& s = screws_[d][k];
          s = norms(m.screws[d][k]);
          for (int l = 0; l < k; ++l) s = larger(s, binomial(k - 1, l) * bracket(twists_[i][l], screws_[d][k - 1 - l]));
          for (int l = 0; l <= k; ++l) V = larger(V, binomial(k, l) * S(magnitude(m.rates(d, k - l))) * screws_[d][l]);
        }
      }
  }
  std::vector<Twist<S>> screws(int k) const { return of_order(screws_, k); }
  std::vector<Twist<S>> twists(int k) const { return of_order(twists_, k); }

private:
  using BySource = std::vector<std::vector<Twist<S>>>;

  static S norm(const Vector3<S>& a)
  {
    using std::sqrt;
    return sqrt(inner(a, a));
  }
  static Twist<S> size(const S& w, const S& v) { return {{w, S(0), S(0)}, {v, S(0), S(0)}}; }
  static Twist<S> norms(const Twist<S>& V) { return size(norm(V.w), norm(V.v)); }
  static Twist<S> larger(const Twist<S>& a, const Twist<S>& b)
  {
    return size(std::max(a.w[0], b.w[0]), std::max(a.v[0], b.v[0]));
  }
  static Twist<S> bracket(const Twist<S>& a, const Twist<S>& b)
  {
    return size(a.w[0] * b.w[0], a.w[0] * b.v[0] + a.v[0] * b.w[0]);
  }
  static std::vector<Twist<S>> of_order(const BySource& all, int k)
  {
    std::vector<Twist<S>> sizes;
    for (const auto& one : all) sizes.push_back(one[k]);
    return sizes;
  }

  BySource screws_, twists_;
};

/// Of what size the terms of the forces are, by degree and order.
template <typename S>
MatrixX<S> force_terms(const Specimen<S>& x, const SpatialForm<S>& form)
{
  MatrixX<S> terms = form.tau.cwiseAbs();
  for (const Body<S>& body : x.model.outward())
    for (int d = body.v; d < body.v + body.nv; ++d)
      for (int r = 0; r < terms.cols(); ++r)
        terms(d, r) += force_terms_about<S>(
            x.kinematics.pose[body.index].p, r, [&](int k) { return form.W(d, k); },
            [&](int k) { return form.S(d, k); });
  return terms;
}

/// What a body transmits and how it moves, with the terms of which that is a sum.
template <typename S>
struct Pushed {
  Wrench<S> W;
  Twist<S> V;
  std::vector<Wrench<S>> terms;
};

/// \f$W_j^{(r)}\f$ and \f$V_j^{(r+1)}\f$ of a body, where the motion of all that is not behind it is prescribed, with
/// top derivatives pushed at will, and the forces behind it are given.
template <typename S>
Pushed<S> pushed(const Specimen<S>& x, int j, int r, const S& push)
{
  Partition prescribed(x.model.nv(), true);
  for (int i = j + 1; i <= x.bodies(); ++i) {
    int a = i;
    while (a > j) a = x.model.body(a).parent;
    for (int k = 0; k < x.model.body(i).nv; ++k) prescribed[x.model.body(i).v + k] = a != j;
  }
  const WrenchDerivatives<S> Fext = drawn_wrenches(x, r);
  BodyForm<S> hybrid(x.model, r, prescribed);
  hybrid.rates = drawn_rates(x, r + 2);
  for (int k = 0; k <= r; ++k) hybrid.tau.col(k) = x.tau;
  for (int d = 0; d < x.model.nv(); ++d) hybrid.rates(d, r + 1) += push * x.number((3 * d + 5) % 128);
  hybrid.run(x.q, Fext);
  // What the joint transmits, by Algorithm 2: it knows no articulated inertia.
  SpatialForm<S> inverse(x.model, r, Partition(x.model.nv(), true));
  inverse.rates = hybrid.rates;
  inverse.run(x.q, Fext);
  const int d = inverse.last(j);
  Pushed<S> found{inverse.W(d, r), inverse.V(d, r + 1), {}};
  const Binomials<S> binomial(r + 1);
  for (int i = 1; i <= x.bodies(); ++i)
    for (int l = 0; l <= r + 1; ++l)
      found.terms.push_back(binomial(r + 1, l) * (inverse.M(i, r + 1 - l) * inverse.V(inverse.last(i), l)));
  return found;
}

/// Lemma 2 on a body in the middle of the tree: to a change of \f$V_j^{(r+1)}\f$ it answers with \f$M^A_j\f$ times it.
template <typename S>
void add_lemma_2(Sides<S>& sides, const Specimen<S>& x, int r)
{
  const int j = (x.bodies() + 1) / 2;
  const auto [W0, V0, terms] = pushed(x, j, r, S(0));
  // A push as large as what it is added to; the differences are right to the rounding of what they are made of.
  S largest(1);
  for (int k = 0; k < 3; ++k) largest = std::max({largest, S(magnitude(V0.w[k])), S(magnitude(V0.v[k]))});
  const auto [W1, V1, more] = pushed(x, j, r, largest);
  const SE3<S>& C = x.kinematics.pose[j];
  const auto answer = [&](const Twist<S>& V) { return coAdInv(C, x.forward.I_hat[j] * AdInv(C, V)); };
  const Twist<S> push = AdInv(C, V1 - V0);
  const std::vector<Wrench<S>> change{W1 - W0};
  std::vector<Wrench<S>> size{W0, W1, answer(V0), answer(V1)};
  for (const auto* part : {&terms, &more}) size.insert(size.end(), part->begin(), part->end());
  sides.add(change, std::vector{answer(V1 - V0)}, size);
  sides.rival("the inertia of the body itself",
              [&](auto& wrong) { wrong.add(change, std::vector{coAdInv(C, x.model.body(j).I * push)}, size); });
}

}  // namespace articulate::validation
