/** \file
 *  \brief Proofs of chapter lagrange: Park 1995, Propositions 1 and 2, \eq{park,51} to \eq{park,54}.
 */
#include <articulate/lagrange/composite_body.hpp>
#include <articulate/lagrange/inertia_metric.hpp>
#include <articulate/lagrange/screw_system.hpp>
#include <lagrange/park_tuples.hpp>
#include <ledger/calculus.hpp>
#include <rnea/park_recursion.hpp>

namespace articulate::validation {
namespace {

/// \f$\Ad_j^i(B)\f$ along the line x + t u.
template <typename S>
Twist<Series<S>> along_line(const ParkScrews<S>& p, const VectorX<S>& u, int j, Upper i, const Twist<S>& B)
{
  SE3<Series<S>> product;
  for (; j != i.before; j = p.carrier[j]) {
    const Series<S> back = Series<S>(S(-p.x(j))) - time_series<S>() * u(j);
    product = product * exp(constant(p.A[j]), back);
  }
  return Ad(product, constant(B));
}

/// The same by the library: what it carries along lines through a case.
template <typename S>
class LibraryLines {
public:
  explicit LibraryLines(const Specimen<S>& x) : screws_(x.series_model()), x_(x.q) {}

  Twist<Series<S>> operator()(const VectorX<S>& u, int j, Upper i, const Twist<S>& B) const
  {
    VectorX<Series<S>> at(x_.size());
    for (Eigen::Index k = 0; k < x_.size(); ++k) at(k) = x_(k) + time_series<S>() * u(k);
    return screws_.carried(constant(B), i.before, j, at);
  }

private:
  ScrewSystem<Series<S>> screws_;
  VectorX<S> x_;
};

/// \f$\partial_l\partial_k\Ad_j^i(B)\f$ from second derivatives along three lines.
template <typename S, typename Lines>
Twist<S> second_derivative(const Lines& lines, int n, int l, int k, int j, Upper i, const Twist<S>& B)
{
  const auto along = [&](const VectorX<S>& u) { return derivative(lines(u, j, i, B), 2); };
  const VectorX<S> e_k = VectorX<S>::Unit(n, k), e_l = VectorX<S>::Unit(n, l);
  return S(1) / S(2) * (along(e_k + e_l) - along(e_k) - along(e_l));
}

/// Derivatives of maps by formulas, and by series beside them. Each brings its map along: what vanishes is rounding to it.
template <typename S>
struct Derivatives {
  std::vector<Twist<S>> formula, series;

  void add(const Twist<S>& map, const Twist<S>& by_formula, const Twist<S>& by_series)
  {
    formula.push_back(map), formula.push_back(by_formula);
    series.push_back(map), series.push_back(by_series);
  }
  void into(Sides<S>& sides) const { sides.add(formula, series); }
};

/// Proposition 2 on index tuples (i, k, l, j) of a chain beside series.
template <typename S>
void add_proposition_2(Sides<S>& sides, const Specimen<S>& x, const ParkScrews<S>& p, bool as_printed)
{
  Derivatives<S> all;
  const auto lines = [&](const VectorX<S>& u, int j, Upper i, const Twist<S>& B) { return along_line(p, u, j, i, B); };
  for (const Indices& t : tuples(x, p, 4, 3)) {
    const int i = t[0], k = t[1], l = t[2], j = t[3];
    if (!p.is_before(i, j)) continue;
    const Twist<S> B = x.twist(5 * (i + j) % 100);
    all.add(p.Ad(j, p.from(i), B), p.second_derivative(l, k, j, p.from(i), B, as_printed),
            second_derivative<S>(lines, p.n, l, k, j, p.from(i), B));
  }
  all.into(sides);
}

/// Three coordinates, or all, to differentiate by: on the way to one that is drawn as far as there are so many.
template <typename S>
Indices drawn_coordinates(const Specimen<S>& x, const ParkScrews<S>& p)
{
  Indices few;
  for (const Indices& tuple : tuples(x, p, 3, 3)) {
    for (const int k : tuple)
      if (few.size() < 3 && std::find(few.begin(), few.end(), k) == few.end()) few.push_back(k);
  }
  std::sort(few.begin(), few.end());
  return few;
}

/// The mass matrix along lines of configurations, by composite bodies over series.
template <typename S>
class MovedMassMatrix {
public:
  explicit MovedMassMatrix(const Specimen<S>& x)
      : x_(&x), composite_(x.series_model()), n_(x.model.nv()), second_(n_ * n_)
  {
  }

  MatrixX<S> first(int k) { return along(VectorX<S>::Unit(n_, k), 1); }
  const MatrixX<S>& second(int k, int l)
  {
    MatrixX<S>& result = second_[std::min(k, l) * n_ + std::max(k, l)];
    if (result.size() == 0) {
      result =
          along(VectorX<S>::Unit(n_, k) + (k == l ? VectorX<S>(VectorX<S>::Zero(n_)) : VectorX<S>::Unit(n_, l)), 2);
      if (k != l) result = MatrixX<S>((result - second(k, k) - second(l, l)) / S(2));
    }
    return result;
  }

private:
  MatrixX<S> along(const VectorX<S>& u, int order)
  {
    VectorX<Series<S>> q(n_);
    for (int k = 0; k < n_; ++k) q(k) = x_->q(k) + time_series<S>() * u(k);
    const MatrixX<Series<S>>& M = composite_(q);
    MatrixX<S> result(n_, n_);
    for (int i = 0; i < n_; ++i)
      for (int j = 0; j < n_; ++j) result(i, j) = derivative(M(i, j), order);
    return result;
  }

  const Specimen<S>* x_;
  CompositeBodies<Series<S>> composite_;
  int n_;
  std::vector<MatrixX<S>> second_;
};

template <typename S>
void derivatives(Registry<S>& r)
{
  r.identity({.name = "a_coordinate_moves_what_is_carried_past_it_by_one_bracket",
              .keys = {"park:53/inside", "park:P1/inside", "park:53/otherwise", "park:P1/otherwise"},
              .symbols = "ScrewSystem::carried ad Ad exp",
              .method = "series; 50 index tuples drawn above n = 6",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const ParkScrews<S> p = park_screws(x);
                    const LibraryLines<S> lines(x);
                    Derivatives<S> inside, swapped, at_the_base, outside, everywhere;
                    for (const Indices& t : tuples(x, p, 3, 6)) {
                      const int i = t[0], k = t[1], j = t[2];
                      if (!p.is_before(i, j)) continue;
                      const Twist<S> B = x.twist(5 * (i + j) % 100), map = p.Ad(j, p.from(i), B);
                      const auto moved = lines(VectorX<S>(VectorX<S>::Unit(p.n, k)), j, p.from(i), B);
                      const Twist<S> own = derivative(moved, 0), rate = derivative(moved, 1);
                      Derivatives<S>& of_case = p.passes(k, j, p.from(i)) ? inside : outside;
                      of_case.formula.push_back(map), of_case.series.push_back(own);
                      of_case.add(map, p.derivative(k, j, p.from(i), B), rate);
                      if (&of_case == &outside) {
                        everywhere.add(map, p.bracket(k, j, p.from(i), B), rate);
                      } else {
                        swapped.add(map, S(-1) * p.bracket(k, j, p.from(i), B), rate);
                        at_the_base.add(map, ad(map, p.A[k]), rate);
                      }
                    }
                    sides.clause({"park:53/inside", "park:P1/inside"});
                    inside.into(sides);
                    sides.rival("the sides of the bracket exchanged", [&](auto& wrong) { swapped.into(wrong); });
                    sides.rival("the bracket with the screw as at x = 0",
                                [&](auto& wrong) { at_the_base.into(wrong); });
                    sides.clause({"park:53/otherwise", "park:P1/otherwise"});
                    outside.into(sides);
                    sides.rival("the bracket for every coordinate", [&](auto& wrong) { everywhere.into(wrong); });
                  },
              .applies = has_coordinates});
  r.identity({.name = "two_coordinates_move_what_is_carried_past_them_by_two_brackets_the_nearer_one_first",
              .keys = {"park:54/l-last", "park:P2/l-last", "park:54/k-last", "park:P2/k-last", "park:54/otherwise",
                       "park:P2/otherwise"},
              .symbols = "ScrewSystem::carried ad Ad exp",
              .method = "series; 50 index tuples drawn above n = 3",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const ParkScrews<S> p = park_screws(x);
                    const LibraryLines<S> lines(x);
                    Derivatives<S> l_last, l_last_printed, k_last, k_last_printed, outside, everywhere;
                    for (const Indices& t : tuples(x, p, 4, 3)) {
                      const int i = t[0], k = t[1], l = t[2], j = t[3];
                      if (!p.is_before(i, j)) continue;
                      const Upper from = p.from(i);
                      const Twist<S> B = x.twist(5 * (i + j) % 100), map = p.Ad(j, from, B);
                      const Twist<S> formula = p.second_derivative(l, k, j, from, B);
                      const Twist<S> series = second_derivative<S>(lines, p.n, l, k, j, from, B);
                      if (!p.passes(k, j, from) || !p.passes(l, j, from)) {
                        outside.add(map, formula, series);
                        everywhere.add(map, p.brackets(l, k, j, from, B), series);
                        continue;
                      }
                      const Twist<S> printed = p.second_derivative(l, k, j, from, B, true);
                      if (k <= l) l_last.add(map, formula, series), l_last_printed.add(map, printed, series);
                      if (l <= k) k_last.add(map, formula, series), k_last_printed.add(map, printed, series);
                    }
                    sides.clause({"park:54/l-last", "park:P2/l-last"});
                    l_last.into(sides);
                    sides.rival("the other condition, as printed", [&](auto& wrong) { l_last_printed.into(wrong); });
                    sides.clause({"park:54/k-last", "park:P2/k-last"});
                    k_last.into(sides);
                    sides.rival("the other condition, as printed", [&](auto& wrong) { k_last_printed.into(wrong); });
                    sides.clause({"park:54/otherwise", "park:P2/otherwise"});
                    outside.into(sides);
                    sides.rival("the brackets for all coordinates", [&](auto& wrong) { everywhere.into(wrong); });
                  },
              .applies = has_coordinates});
  r.identity({.name = "derivatives_of_the_mass_matrix_are_brackets_under_the_inertia_behind_the_last_of_them",
              .keys = {"park:52/formula", "park:53/inside", "park:P1/inside", "park:54/l-last", "park:54/k-last",
                       "park:P2/l-last", "park:P2/k-last"},
              .symbols = "InertiaMetric::dm InertiaMetric::ddm InertiaMetric::dchristoffel",
              .method = "series and independent formulation; by three coordinates drawn above n = 3",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const int n = x.model.nv();
                    InertiaMetric<S> metric(x.model);
                    metric(x.q);
                    const MatrixX<S> M = metric.M();
                    FlatPicture<S> points(x.inputs.mechanism, x.q);
                    MovedMassMatrix<S> moved(x);
                    // The second of each pair: with an index of the matrix and one of the derivatives exchanged.
                    Indexed<S> first(x.model, M), first_mixed(first), seen(first), second(first), second_mixed(first),
                        symbols(first), symbols_mixed(first);
                    const Indices few = drawn_coordinates(x, park_screws(x));
                    for (const int k : few) {
                      const MatrixX<S> dM = moved.first(k);
                      for (int i = 0; i < n; ++i)
                        for (int j = 0; j < n; ++j) {
                          first.add({i, j, k}, metric.dm(i, j, k), dM(i, j));
                          first_mixed.add({i, j, k}, metric.dm(i, k, j), dM(i, j));
                          if (i <= j) seen.add({i, j, k}, metric.dm(i, j, k), points.dm(i, j, k));
                        }
                    }
                    for (const int k : few)
                      for (const int l : few)
                        for (int i = 0; i < n; ++i)
                          for (int j = 0; j <= i; ++j) {
                            const S ddM = moved.second(k, l)(i, j);
                            second.add({i, j, k, l}, metric.ddm(i, j, k, l), ddM);
                            second_mixed.add({i, j, k, l}, metric.ddm(i, k, j, l), ddM);
                          }
                    for (const int i : few)
                      for (const int j : few)
                        for (const int k : few)
                          for (const int l : few) {  // (52), differentiated
                            const S rate =
                                (moved.second(i, l)(k, j) + moved.second(j, l)(k, i) - moved.second(k, l)(i, j)) / S(2);
                            symbols.add({i, j, k, l}, metric.dchristoffel(i, j, k, l), rate);
                            symbols_mixed.add({i, j, k, l}, metric.dchristoffel(k, j, i, l), rate);
                          }
                    sides.clause({"park:53/inside", "park:P1/inside"});
                    first.into(sides), seen.into(sides);
                    sides.rival("by an index of the matrix", [&](auto& wrong) { first_mixed.into(wrong); });
                    sides.clause({"park:54/l-last", "park:54/k-last", "park:P2/l-last", "park:P2/k-last"});
                    second.into(sides);
                    sides.rival("by an index of the matrix", [&](auto& wrong) { second_mixed.into(wrong); });
                    sides.clause("park:52/formula");
                    symbols.into(sides);
                    sides.rival("the lowered index in front", [&](auto& wrong) { symbols_mixed.into(wrong); });
                  },
              .applies = has_few_coordinates});

  const auto on_chain = [](const Specimen<S>& x, bool as_printed) {
    Sides<S> sides;
    const Chain<S> chain = drawn_chain(x);
    const ParkScrews<S> p(chain.mechanism, chain.model, chain.x);
    add_proposition_2(sides, x, p, as_printed);
    return sides;
  };
  r.erratum({.id = "E-park-5",
             .keys = {"park:54", "park:P2"},
             .margin = 1e-2,
             .printed = {[=](const Specimen<S>& x, Sides<S>& sides) { sides.append(on_chain(x, true)); }},
             .corrected = [=](const Specimen<S>& x, Sides<S>& sides) { sides.append(on_chain(x, false)); }});
}

}  // namespace

template <typename S>
void lagrange_park_derivatives(Registry<S>& r)
{
  derivatives(r);
}

template void lagrange_park_derivatives(Registry<ARTICULATE_PROOF_SCALAR>&);

}  // namespace articulate::validation
