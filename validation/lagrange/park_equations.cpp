/** \file
 *  \brief Proofs of chapter lagrange: Park 1995, section 4.3, the equations of motion, \eq{park,55} to \eq{park,64}.
 */
#include <articulate/lagrange/inertia_metric.hpp>
#include <articulate/skew_symmetry/coriolis_matrix.hpp>
#include <lagrange/park_tuples.hpp>
#include <ledger/calculus.hpp>
#include <rnea/park_recursion.hpp>
#include <skew_symmetry/compared_with.hpp>

namespace articulate::validation {
namespace {

template <typename S>
void coriolis(Registry<S>& r)
{
  r.identity({.name = "christoffel_symbols_are_sums_of_brackets_in_three_cases_and_accelerations_of_points",
              .keys = {"park:52/formula", "park:52/symmetric", "park:55", "park:56", "park:57"},
              .symbols = "InertiaMetric::christoffel InertiaMetric::dm",
              .method = "independent formulation; 50 index tuples drawn above n = 8",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const ParkScrews<S> p = park_screws(x);
                    InertiaMetric<S> metric(x.model);
                    metric(x.q);
                    FlatPicture<S> points(x.inputs.mechanism, x.q);
                    const Indexed<S> none(x.model, points.M());
                    Indexed<S> s52(none), s52_mixed(none), turned(none), last_turned(none);
                    Indexed<S> s56_at_first(none), s57_at_second(none);  // where the case before has the symbol
                    // By equation: the print beside the library and beside the points; and its neighbour in its place.
                    std::vector<Indexed<S>> library(3, none), seen(3, none), neighbour(3, none);
                    for (const Indices& t : tuples(x, p, 3, 8)) {
                      const int i = t[0], j = t[1], k = t[2];
                      const S own = metric.christoffel(i, j, k);
                      const S by_i = metric.dm(k, j, i), by_j = metric.dm(k, i, j), by_k = metric.dm(i, j, k);
                      turned.add(t, own, (by_j + by_i - metric.dm(j, i, k)) / S(2));  // (52) of j, i, k
                      last_turned.add(t, own, metric.christoffel(i, k, j));
                      if (i > j && p.n <= 8) continue;  // the print says so by symmetry
                      const int equation = p.equation(std::min(i, j), std::max(i, j), k);
                      const S printed = p.christoffel(i, j, k), of_points = points.christoffel(i, j, k);
                      library[equation - 55].add(t, printed, own);
                      seen[equation - 55].add(t, printed, of_points);
                      neighbour[equation - 55].add(t, p.christoffel(i, j, k, equation == 56 ? 57 : 56), of_points);
                      if (k == std::min(i, j)) s56_at_first.add(t, p.christoffel(i, j, k, 56), of_points);
                      if (k == std::max(i, j)) s57_at_second.add(t, p.christoffel(i, j, k, 57), of_points);
                      s52.add(t, of_points, (by_i + by_j - by_k) / S(2));
                      s52_mixed.add(t, of_points, (by_i - by_j + by_k) / S(2));
                    }
                    for (int e = 0; e < 3; ++e) {
                      sides.clause({"park:" + std::to_string(55 + e)});
                      library[e].into(sides), seen[e].into(sides);
                      sides.rival("the formula of the case beside it", [&](auto& wrong) { neighbour[e].into(wrong); });
                    }
                    sides.clause("park:56");
                    s56_at_first.into(sides);
                    sides.clause("park:57");
                    s57_at_second.into(sides);
                    sides.clause("park:52/formula");
                    s52.into(sides);
                    sides.rival("the minus before another derivative", [&](auto& wrong) { s52_mixed.into(wrong); });
                    sides.clause("park:52/symmetric");
                    turned.into(sides);
                    sides.rival("in the last two indices", [&](auto& wrong) { last_turned.into(wrong); });
                  },
              .applies = has_coordinates});
  r.identity({.name = "torques_are_mass_times_acceleration_symbols_times_rates_and_the_pull_of_weight",
              .keys = {"park:29"},
              .symbols = "InertiaMetric::m InertiaMetric::christoffel InertiaMetric::C InertiaMetric::M",
              .method = "independent formulation; the printed symbols up to n = 8",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const ParkScrews<S> p = park_screws(x);
                    const int n = p.n;
                    InertiaMetric<S> metric(x.model);
                    metric(x.q);
                    const VectorX<S> seen = witness_forces<S>(x, x.qd, x.qdd, x.gravity);
                    const VectorX<S> weight = witness_gravity(x);
                    const MatrixX<S> M = metric.M(), C = metric.C(x.qd);
                    sides.add_by_unit(x.model, VectorX<S>(M * x.qdd + C * x.qd + weight), seen);
                    CoriolisMatrix<S> coriolis(x.model);
                    const VectorX<S> filled = coriolis(x.q, x.qd) * x.qd + M * x.qdd + weight;
                    sides.add_by_unit(x.model, filled, seen);
                    sides.rival("weight on the other side", [&](auto& wrong) {
                      wrong.add_by_unit(x.model, VectorX<S>(M * x.qdd + C * x.qd - weight), seen);
                    });
                    sides.rival("the first index of the symbols is the lowered one", [&](auto& wrong) {
                      VectorX<S> other = M * x.qdd + weight;
                      for (int k = 0; k < n; ++k)
                        for (int j = 0; j < n; ++j)
                          for (int i = 0; i < n; ++i) other(k) += metric.christoffel(k, i, j) * x.qd(i) * x.qd(j);
                      wrong.add_by_unit(x.model, other, seen);
                    });
                    if (n > 8) return;
                    VectorX<S> printed = weight;
                    for (int k = 0; k < n; ++k)
                      for (int j = 0; j < n; ++j) {
                        printed(k) += p.m(k, j) * x.qdd(j);
                        for (int i = 0; i <= j; ++i)
                          printed(k) += S(i == j ? 1 : 2) * p.christoffel(i, j, k) * x.qd(i) * x.qd(j);
                      }
                    sides.add_by_unit(x.model, printed, seen);
                  },
              .applies = has_few_coordinates});
  r.identity({.name = "motions_without_forces_and_weight_are_geodesics_of_the_mass_matrix",
              .keys = {"park:29", "park:52/formula"},
              .symbols = "InertiaMetric::C ForwardDynamics",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    InertiaMetric<S> metric(x.model);
                    metric(x.q);
                    ForwardDynamics<S> forward(x.model);
                    forward.set_gravity({});
                    const VectorX<S> qdd = forward(x.q, x.qd, VectorX<S>::Zero(x.model.nv()));
                    const MatrixX<S>& M = x.witness_mass_matrix();
                    const VectorX<S> pulled = M * x.as_input(qdd), bent = -(metric.C(x.qd) * x.qd);
                    // All may cancel: what accelerates, and what a body that turns makes of momenta.
                    using std::sqrt;
                    S turning(0);
                    for (const Twist<S>& V : x.kinematics.V) turning = std::max(turning, S(sqrt(inner(V.w, V.w))));
                    VectorX<S> terms = VectorX<S>::Zero(qdd.size());
                    for (Eigen::Index k = 0; k < qdd.size(); ++k)
                      for (Eigen::Index j = 0; j < qdd.size(); ++j)
                        terms(k) += magnitude(S(M(k, j) * qdd(j))) + magnitude(S(M(k, j) * x.qd(j))) * turning;
                    sides.add_by_unit(x.model, pulled, bent, terms);
                    sides.rival("bent the other way",
                                [&](auto& wrong) { wrong.add_by_unit(x.model, pulled, VectorX<S>(-bent), terms); });
                  },
              .applies = has_few_coordinates});

  // (55) to (57) as operator precedence has them: the sum is over the first product alone, the others have l = n.
  const auto on_chain = [](const Specimen<S>& x, int read_literally) {
    Sides<S> sides;
    const Chain<S> chain = drawn_chain(x);
    const ParkScrews<S> p(chain.mechanism, chain.model, chain.x);
    FlatPicture<S> points(chain.mechanism, chain.x);
    Indexed<S> numbers(chain.model, points.M());
    for (const Indices& t : tuples(x, p, 3, 3)) {
      const int i = t[0], j = t[1], k = t[2];
      if (i > j) continue;
      S symbol = p.christoffel(i, j, k);
      if (read_literally == p.equation(i, j, k)) {
        const auto at_end = p.terms(i, j, k, p.n - 1);
        symbol = S(0);
        for (int l = std::max(j, k); l < p.n; ++l) symbol += p.terms(i, j, k, l)[0];
        symbol = symbol / S(2) + at_end[1] + at_end[2];
      }
      numbers.add(t, symbol, points.christoffel(i, j, k));
    }
    numbers.into(sides);
    return sides;
  };
  r.erratum({.id = "E-park-10",
             .keys = {"park:55", "park:56", "park:57"},
             .margin = 1e-6,
             .printed = {[=](const Specimen<S>& x, Sides<S>& sides) { sides.append(on_chain(x, 55)); },
                         [=](const Specimen<S>& x, Sides<S>& sides) { sides.append(on_chain(x, 56)); },
                         [=](const Specimen<S>& x, Sides<S>& sides) { sides.append(on_chain(x, 57)); }},
             .corrected = [=](const Specimen<S>& x, Sides<S>& sides) { sides.append(on_chain(x, 0)); }});
}

/// \eq{park,58} and \eq{park,59}, with signs that stand before them; the sum over the links from k on, or over all.
template <typename S>
struct Weight {
  S U{0}, U_terms{0};
  VectorX<S> phi;

  Weight(const ParkScrews<S>& p, const Vector3<S>& g, const S& sign_U = S(-1), const S& sign_phi = S(-1),
         bool all_links = false)
      : phi(VectorX<S>::Zero(p.n))
  {
    using Column4 = Eigen::Matrix<S, 4, 1>;
    const Column4 r = Column4::Unit(3), g_tilde(g[0], g[1], g[2], S(0));
    for (int i = 0; i < p.n; ++i) {
      if (p.link[i].m == S(0)) continue;
      const Matrix4<S> e = matrix(p.displacement(i)), M = matrix(p.link[i].M);
      const Column4 center = e * (M * r);
      U += sign_U * p.link[i].m * (g_tilde.transpose() * center).value();
      U_terms += p.link[i].m * length(g) * length(Vector3<S>{center(0), center(1), center(2)});
      for (int k = 0; k < p.n; ++k) {
        if (!all_links && !p.is_before(k, i)) continue;
        const Column4 moved = e * (hat(p.Ad(i, p.after(k), p.A[k])) * (M * r));
        phi(k) += sign_phi * p.link[i].m * (g_tilde.transpose() * moved).value();
      }
    }
  }
};

/// The derivative of U along a line x + t u: the heights of the centres of mass.
template <typename S>
S slope(const ParkScrews<S>& p, const Vector3<S>& g, const VectorX<S>& u)
{
  std::vector<SE3<Series<S>>> e(p.n);
  S slope(0);
  for (int i = 0; i < p.n; ++i) {
    const Series<S> at = Series<S>(S(p.x(i))) + time_series<S>() * u(i);
    const SE3<Series<S>> own = exp(constant(p.A[i]), at);
    e[i] = p.carrier[i] < 0 ? own : SE3<Series<S>>(e[p.carrier[i]] * own);
    if (p.link[i].m != S(0)) slope -= p.link[i].m * inner(g, derivative(e[i] * constant(p.link[i].M.p), 1));
  }
  return slope;
}

template <typename S>
void weight(Registry<S>& r)
{
  r.identity({.name = "weight_pulls_by_the_slope_of_the_potential_energy",
              .keys = {"park:58", "park:59/slope", "park:59/sum"},
              .symbols = "ForwardKinematics::potential_energy EquationsOfMotion::gravity GlobalMatrices::phi",
              .method = "independent formulation; the slope by series, along each coordinate up to n = 12",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const ParkScrews<S> p = park_screws(x);
                    const Weight<S> printed(p, x.gravity);
                    S U(0);
                    for (const auto& link : x.newton_euler().links)
                      if (link.moves) U -= link.mass * inner(x.gravity, Vector3<S>(link.center()));
                    sides.clause("park:58");
                    sides.add(printed.U, U, printed.U_terms);
                    sides.add(x.kinematics.potential_energy(x.gravity), U, printed.U_terms);
                    sides.rival("the printed sign",
                                [&](auto& wrong) { wrong.add(Weight<S>(p, x.gravity, S(1)).U, U, printed.U_terms); });

                    const VectorX<S> seen = witness_gravity(x);
                    InverseDynamics<S> rnea(x.model);
                    const EquationsOfMotion<S> library(rnea, x.q, x.qd);
                    sides.clause("park:59/sum");
                    sides.add_by_unit(x.model, printed.phi, seen);
                    sides.add_by_unit(x.model, library.gravity, seen);
                    if (x.model.nv() <= 12)
                      sides.add_by_unit(x.model, GlobalMatrices<S>(x.kinematics, x.qd).phi(), seen);
                    sides.rival("the printed sign", [&](auto& wrong) {
                      wrong.add_by_unit(x.model, Weight<S>(p, x.gravity, S(-1), S(1)).phi, seen);
                    });
                    sides.rival("the sum over all links", [&](auto& wrong) {
                      wrong.add_by_unit(x.model, Weight<S>(p, x.gravity, S(-1), S(-1), true).phi, seen);
                    });

                    sides.clause("park:59/slope");
                    const std::string other_sign = "the force that weight exerts, in place of the one that holds it";
                    if (x.model.nv() <= 12) {
                      VectorX<S> slopes(p.n);
                      for (int k = 0; k < p.n; ++k)
                        slopes(k) = slope(p, x.gravity, VectorX<S>(VectorX<S>::Unit(p.n, k)));
                      sides.add_by_unit(x.model, slopes, seen);
                      sides.rival(other_sign,
                                  [&](auto& wrong) { wrong.add_by_unit(x.model, VectorX<S>(-slopes), seen); });
                    } else {  // along one line
                      S along(0), terms(0);
                      for (int k = 0; k < p.n; ++k)
                        along += seen(k) * x.qd(k), terms += magnitude(S(seen(k) * x.qd(k)));
                      const S moved = slope(p, x.gravity, x.qd);
                      sides.add(moved, along, terms);
                      sides.rival(other_sign, [&](auto& wrong) { wrong.add(-moved, along, terms); });
                    }
                  },
              .applies = has_coordinates});

  const auto reading = [](int sign_U, int sign_phi) {
    return [sign_U, sign_phi](const Specimen<S>& x, Sides<S>& sides) {
      const Chain<S> chain = drawn_chain(x);
      const Weight<S> weight(ParkScrews<S>(chain.mechanism, chain.model, chain.x), chain.model.gravity(), S(sign_U),
                             S(sign_phi));
      witness::VectorNewtonEuler<S> at_rest(chain.mechanism, false);
      const VectorX<S> none = VectorX<S>::Zero(3);
      const auto g = chain.model.gravity().eigen();
      sides.add_by_unit(chain.model, weight.phi, at_rest.inverse_dynamics(chain.x, none, none, g));
      S U(0);
      for (const auto& link : at_rest.links)
        if (link.moves) U -= link.mass * inner(chain.model.gravity(), Vector3<S>(link.center()));
      sides.add(weight.U, U, weight.U_terms);
    };
  };
  r.erratum({.id = "E-park-9",
             .keys = {"park:58", "park:59"},
             .margin = 1e-6,
             .printed = {reading(1, -1), reading(-1, 1)},
             .corrected = reading(-1, -1)});
}

/// Two hinges in general position, all of whose numbers are drawn.
template <typename S>
Chain<S> drawn_2r(const Specimen<S>& x)
{
  const Chain<S> three = drawn_chain(x);
  Mechanism machine = three.mechanism;
  machine.links.resize(3), machine.joints.resize(2);
  machine.joints[1].type = JointType::revolute, machine.joints[1].pitch = 0;
  Chain<S> two(machine);
  two.x = three.x.head(2), two.xd = three.xd.head(2), two.xdd = three.xdd.head(2);
  return two;
}

/// Which entries of C are read as they are printed, or otherwise wrong.
struct PrintedEntries {
  bool c11 = false, c12 = false, c21 = false, c21_sign = false;
  bool e_below = false;    ///< the term with e in the second row
  bool uncarried = false;  ///< (60) with the first screw as at x = 0
};

/// The example of section 4.3.1, \eq{park,60} to \eq{park,64}: two hinges, drawn for each case.
template <typename S>
struct Example {
  Chain<S> chain;
  MatrixX<S> M, C;

  explicit Example(const Specimen<S>& x, const PrintedEntries& printed = {}) : chain(drawn_2r(x)), M(2, 2), C(2, 2)
  {
    const ParkScrews<S> p(chain.mechanism, chain.model, chain.x);
    const S xd1 = chain.xd(0), xd2 = chain.xd(1);
    const Twist<S>&A1 = p.A[0], &A2 = p.A[1];
    const auto Ad22 = [&](const Twist<S>& H) { return p.Ad(1, p.from(1), H); };
    const Twist<S> carried = printed.uncarried ? A1 : Ad22(A1), moved = Ad22(ad(A1, A2));
    const S h = p.inner(1, moved, carried), e = p.inner(1, moved, A2);

    M(0, 0) = p.inner(0, A1, A1) + p.inner(1, carried, carried);
    M(0, 1) = M(1, 0) = p.inner(1, carried, A2);
    M(1, 1) = p.inner(1, A2, A2);                                                         // (60)
    C(0, 0) = printed.c11 ? S(h * xd1 * xd2) : S(h * xd2);                                // (61)
    C(0, 1) = printed.c12 ? S(h * xd1 * xd2 + e * xd2 * xd2) : S(h * xd1 + e * xd2);      // (62)
    C(1, 0) = printed.c21 ? S(h * xd1 * xd1) : S(printed.c21_sign ? h * xd1 : -h * xd1);  // (63)
    C(1, 1) = printed.e_below ? S(e * xd2) : S(0);                                        // (64)
    if (printed.e_below) C(0, 1) = h * xd1;
  }

  void add_mass(Sides<S>& sides) const { sides.add(M, FlatPicture<S>(chain.mechanism, chain.x).M()); }
  /// One entry of C beside accelerations of points, or all; entries may vanish beside the largest.
  void add_entries(Sides<S>& sides, int row = -1, int column = -1) const
  {
    FlatPicture<S> points(chain.mechanism, chain.x);
    InertiaMetric<S> metric(chain.model);
    metric(chain.x);
    const MatrixX<S> by_library = metric.C(chain.xd);
    MatrixX<S> by_points(2, 2);
    for (int k = 0; k < 2; ++k)
      for (int j = 0; j < 2; ++j)
        by_points(k, j) = points.christoffel(0, j, k) * chain.xd(0) + points.christoffel(1, j, k) * chain.xd(1);
    const S size = magnitude(C(0, 0)) + magnitude(C(0, 1));
    if (row < 0) {
      sides.add(C, by_points), sides.add(C, by_library);
      CoriolisMatrix<S> coriolis(chain.model);
      sides.add(C, coriolis(chain.x, chain.xd));
      MatrixX<S> skew(2, 2);  // Mdot - 2C
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j)
          skew(i, j) = points.dm(i, j, 0) * chain.xd(0) + points.dm(i, j, 1) * chain.xd(1) - S(2) * C(i, j);
      sides.add(skew, MatrixX<S>(-skew.transpose()), S(2) * size);
    } else {
      sides.add(C(row, column), by_points(row, column), size);
      sides.add(C(row, column), by_library(row, column), size);
    }
  }
  void add_torques(Sides<S>& sides) const
  {
    witness::VectorNewtonEuler<S> witness(chain.mechanism, false);
    const Eigen::Matrix<S, 3, 1> no_weight = Eigen::Matrix<S, 3, 1>::Zero();
    const VectorX<S> none = VectorX<S>::Zero(2);
    const VectorX<S> tau = M * chain.xdd + C * chain.xd;
    sides.add(tau, witness.inverse_dynamics(chain.x, chain.xd, chain.xdd, no_weight));
    sides.add(VectorX<S>(C * chain.xd), witness.inverse_dynamics(chain.x, chain.xd, none, no_weight));
  }
  void add_all(Sides<S>& sides) const { add_mass(sides), add_entries(sides), add_torques(sides); }
};

template <typename S>
void example_2r(Registry<S>& r)
{
  r.identity({.name = "two_hinges_in_general_position_have_four_entries_of_C_made_of_two_inner_products",
              .keys = {"park:60", "park:61", "park:62", "park:63", "park:64", "park:ex2R/torque", "park:ex2R/entries"},
              .symbols = "InertiaMetric::C CoriolisMatrix",
              .method = "independent formulation; on two hinges drawn for each case",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const Example<S> example(x);
                sides.clause("park:60");
                example.add_mass(sides);
                sides.rival("the first screw as at x = 0",
                            [&](auto& wrong) { Example<S>(x, {.uncarried = true}).add_mass(wrong); });
                const auto entry = [&](const char* clause, int row, int column, const std::string& slip,
                                       const PrintedEntries& printed) {
                  sides.clause(clause);
                  example.add_entries(sides, row, column);
                  sides.rival(slip, [&](auto& wrong) { Example<S>(x, printed).add_entries(wrong, row, column); });
                };
                entry("park:61", 0, 0, "one rate too many, as printed", {.c11 = true});
                entry("park:62", 0, 1, "one rate too many, as printed", {.c12 = true});
                entry("park:63", 1, 0, "one rate too many, as printed", {.c21 = true});
                sides.rival("the printed sign",
                            [&](auto& wrong) { Example<S>(x, {.c21_sign = true}).add_entries(wrong, 1, 0); });
                entry("park:64", 1, 1, "the term with e in the second row", {.e_below = true});
                sides.clause("park:ex2R/entries");
                example.add_entries(sides);
                sides.rival("the printed sign of the third",
                            [&](auto& wrong) { Example<S>(x, {.c21_sign = true}).add_entries(wrong); });
                sides.clause("park:ex2R/torque");
                example.add_torques(sides);
                sides.rival("the printed entries, multiplied by the rates", [&](auto& wrong) {
                  Example<S>(x, {.c11 = true, .c12 = true, .c21 = true}).add_torques(wrong);
                });
              }});
  const auto reading = [](const PrintedEntries& printed) {
    return [printed](const Specimen<S>& x, Sides<S>& sides) { Example<S>(x, printed).add_all(sides); };
  };
  // The last: the entries as products already, where only the sign of the third is wrong.
  r.erratum(
      {.id = "E-park-6",
       .keys = {"park:61", "park:62", "park:63", "park:ex2R"},
       .margin = 1e-6,
       .printed = {reading({.c11 = true}), reading({.c12 = true}), reading({.c21 = true}), reading({.c21_sign = true})},
       .corrected = reading({})});
}

}  // namespace

template <typename S>
void lagrange_park_equations(Registry<S>& r)
{
  coriolis(r);
  weight(r);
  example_2r(r);
}

template void lagrange_park_equations(Registry<ARTICULATE_PROOF_SCALAR>&);

}  // namespace articulate::validation
