/** \file
 *  \brief Proofs of chapter lagrange: Park 1995, Propositions 1 and 2, \eq{park,51} to \eq{park,54}.
 */
#include <articulate/lagrange/composite_body.hpp>
#include <articulate/lagrange/inertia_metric.hpp>
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

/// \f$\partial_l\partial_k\Ad_j^i(B)\f$ from second derivatives along three lines.
template <typename S>
Twist<S> second_derivative(const ParkScrews<S>& p, int l, int k, int j, Upper i, const Twist<S>& B)
{
  const auto along = [&](const VectorX<S>& u) { return derivative(along_line(p, u, j, i, B), 2); };
  const VectorX<S> e_k = VectorX<S>::Unit(p.n, k), e_l = VectorX<S>::Unit(p.n, l);
  return S(1) / S(2) * (along(e_k + e_l) - along(e_k) - along(e_l));
}

/// Proposition 2 on index tuples (i, k, l, j) beside series.
template <typename S>
void add_proposition_2(Sides<S>& sides, const Specimen<S>& x, const ParkScrews<S>& p, const std::vector<Indices>& all,
                       bool as_printed)
{
  std::vector<Twist<S>> by_brackets, by_series;
  for (const Indices& t : all) {
    const int i = t[0], k = t[1], l = t[2], j = t[3];
    if (!p.is_before(i, j)) continue;
    const Twist<S> B = x.twist(5 * (i + j) % 100);
    // The map itself comes along, for derivatives that vanish are rounding beside it.
    by_brackets.push_back(p.Ad(j, p.from(i), B));
    by_series.push_back(derivative(along_line(p, VectorX<S>(VectorX<S>::Zero(p.n)), j, p.from(i), B), 0));
    by_brackets.push_back(p.second_derivative(l, k, j, p.from(i), B, as_printed));
    by_series.push_back(second_derivative(p, l, k, j, p.from(i), B));
  }
  sides.add(by_brackets, by_series);
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
              .keys = {"park:53", "park:P1"},
              .symbols = "ad Ad exp ScrewSystem",
              .method = "series; 50 index tuples drawn above n = 6",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const ParkScrews<S> p = park_screws(x);
                    std::vector<Twist<S>> by_brackets, by_series;
                    for (const Indices& t : tuples(x, p, 3, 6)) {
                      const int i = t[0], k = t[1], j = t[2];
                      if (!p.is_before(i, j)) continue;
                      const Twist<S> B = x.twist(5 * (i + j) % 100);
                      const auto moved = along_line(p, VectorX<S>(VectorX<S>::Unit(p.n, k)), j, p.from(i), B);
                      by_brackets.push_back(p.Ad(j, p.from(i), B)), by_series.push_back(derivative(moved, 0));
                      by_brackets.push_back(p.derivative(k, j, p.from(i), B)),
                          by_series.push_back(derivative(moved, 1));
                    }
                    sides.add(by_brackets, by_series);
                  },
              .applies = has_coordinates});
  r.identity({.name = "two_coordinates_move_what_is_carried_past_them_by_two_brackets_the_nearer_one_first",
              .keys = {"park:54", "park:P2"},
              .symbols = "ad Ad exp ScrewSystem",
              .method = "series; 50 index tuples drawn above n = 3",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const ParkScrews<S> p = park_screws(x);
                    add_proposition_2(sides, x, p, tuples(x, p, 4, 3), false);
                  },
              .applies = has_coordinates});
  r.identity({.name = "derivatives_of_the_mass_matrix_are_brackets_under_the_inertia_behind_the_last_of_them",
              .keys = {"park:52", "park:53", "park:54", "park:P1", "park:P2"},
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
                    Indexed<S> first(x.model, M), seen(x.model, M), second(x.model, M), symbols(x.model, M);
                    const Indices few = drawn_coordinates(x, park_screws(x));
                    for (const int k : few) {
                      const MatrixX<S> dM = moved.first(k);
                      for (int i = 0; i < n; ++i)
                        for (int j = 0; j < n; ++j) {
                          first.add({i, j, k}, metric.dm(i, j, k), dM(i, j));
                          if (i <= j) seen.add({i, j, k}, metric.dm(i, j, k), points.dm(i, j, k));
                        }
                    }
                    for (const int k : few)
                      for (const int l : few)
                        for (int i = 0; i < n; ++i)
                          for (int j = 0; j <= i; ++j)
                            second.add({i, j, k, l}, metric.ddm(i, j, k, l), moved.second(k, l)(i, j));
                    for (const int i : few)
                      for (const int j : few)
                        for (const int k : few)
                          for (const int l : few)  // (52), differentiated
                            symbols.add(
                                {i, j, k, l}, metric.dchristoffel(i, j, k, l),
                                (moved.second(i, l)(k, j) + moved.second(j, l)(k, i) - moved.second(k, l)(i, j)) /
                                    S(2));
                    for (const Indexed<S>& numbers : {first, seen, second, symbols}) numbers.into(sides);
                  },
              .applies = has_few_coordinates});

  const auto on_chain = [](const Specimen<S>& x, bool as_printed) {
    Sides<S> sides;
    const Chain<S> chain = drawn_chain(x);
    const ParkScrews<S> p(chain.mechanism, chain.model, chain.x);
    add_proposition_2(sides, x, p, tuples(x, p, 4, 3), as_printed);
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
