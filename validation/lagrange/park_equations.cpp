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
              .keys = {"park:52", "park:55", "park:56", "park:57"},
              .symbols = "InertiaMetric::christoffel InertiaMetric::dm",
              .method = "independent formulation; 50 index tuples drawn above n = 8",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const ParkScrews<S> p = park_screws(x);
                    InertiaMetric<S> metric(x.model);
                    metric(x.q);
                    FlatPicture<S> points(x.inputs.mechanism, x.q);
                    const MatrixX<S> M = points.M();
                    Indexed<S> library(x.model, M), seen(x.model, M), s52(x.model, M), turned(x.model, M);
                    for (const Indices& t : tuples(x, p, 3, 8)) {
                      const int i = t[0], j = t[1], k = t[2];
                      const S own = metric.christoffel(i, j, k);
                      turned.add(t, own, metric.christoffel(j, i, k));
                      if (i > j && p.n <= 8) continue;  // the print says so by symmetry
                      const S printed = p.christoffel(i, j, k);
                      library.add(t, printed, own);
                      seen.add(t, printed, points.christoffel(i, j, k));
                      s52.add(t, own, (metric.dm(k, j, i) + metric.dm(k, i, j) - metric.dm(i, j, k)) / S(2));
                    }
                    for (const Indexed<S>& numbers : {library, seen, s52, turned}) numbers.into(sides);
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
                    const VectorX<S> library = metric.M() * x.qdd + metric.C(x.qd) * x.qd + weight;
                    sides.add_by_unit(x.model, library, seen);
                    CoriolisMatrix<S> coriolis(x.model);
                    const VectorX<S> filled = coriolis(x.q, x.qd) * x.qd + metric.M() * x.qdd + weight;
                    sides.add_by_unit(x.model, filled, seen);
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
              .keys = {"park:29", "park:52"},
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
                    VectorX<S> terms = VectorX<S>::Zero(qdd.size());  // they may all cancel
                    for (Eigen::Index k = 0; k < qdd.size(); ++k)
                      for (Eigen::Index j = 0; j < qdd.size(); ++j) terms(k) += magnitude(S(M(k, j) * qdd(j)));
                    sides.add_by_unit(x.model, pulled, bent, terms);
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
      if (read_literally == (k <= i ? 55 : k <= j ? 56 : 57)) {
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
  const auto corrected = [=](const Specimen<S>& x, Sides<S>& sides) {
    sides.append(on_chain(x, 0));
    const Chain<S> chain = drawn_chain(x);  // the direct sum of its links' metrics
    const ParkScrews<S> p(chain.mechanism, chain.model, chain.x);
    const ScrewMatrices<S> m(p);
    const MatrixX<S> J = m.L * m.A;
    sides.add_by_unit(chain.model, MatrixX<S>(J.transpose() * (m.D * J)), FlatPicture<S>(chain.mechanism, chain.x).M());
  };
  // The other slips are of notation: vectors of different lengths in (58), a product of metrics that is a sum in (65).
  r.erratum({.id = "E-park-10",
             .keys = {"park:55", "park:56", "park:57", "park:58", "park:59", "park:65"},
             .margin = 1e-6,
             .printed = {[=](const Specimen<S>& x, Sides<S>& sides) { sides.append(on_chain(x, 55)); },
                         [=](const Specimen<S>& x, Sides<S>& sides) { sides.append(on_chain(x, 56)); },
                         [=](const Specimen<S>& x, Sides<S>& sides) { sides.append(on_chain(x, 57)); }},
             .corrected = corrected});
}

/// \eq{park,58} and \eq{park,59}, with signs that stand before them.
template <typename S>
struct Weight {
  S U{0}, U_terms{0};
  VectorX<S> phi;

  Weight(const ParkScrews<S>& p, const Vector3<S>& g, const S& sign_U = S(-1), const S& sign_phi = S(-1))
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
      for (int k = i; k >= 0; k = p.carrier[k]) {
        const Column4 moved = e * (hat(p.Ad(i, p.after(k), p.A[k])) * (M * r));
        phi(k) += sign_phi * p.link[i].m * (g_tilde.transpose() * moved).value();
      }
    }
  }
};

template <typename S>
void weight(Registry<S>& r)
{
  r.identity(
      {.name = "weight_pulls_by_the_slope_of_the_potential_energy",
       .keys = {"park:58", "park:59"},
       .symbols = "ForwardKinematics::potential_energy EquationsOfMotion::gravity GlobalMatrices::phi ScrewSystem",
       .method = "independent formulation",
       .sides =
           [](const Specimen<S>& x, Sides<S>& sides) {
             const Weight<S> printed(park_screws(x), x.gravity);
             S U(0);
             for (const auto& link : x.newton_euler().links)
               if (link.moves) U -= link.mass * inner(x.gravity, Vector3<S>(link.center()));
             sides.add(printed.U, U, printed.U_terms);
             sides.add(x.kinematics.potential_energy(x.gravity), U, printed.U_terms);
             const VectorX<S> seen = witness_gravity(x);
             InverseDynamics<S> rnea(x.model);
             const EquationsOfMotion<S> library(rnea, x.q, x.qd);
             sides.add_by_unit(x.model, printed.phi, seen);
             sides.add_by_unit(x.model, library.gravity, seen);
             if (x.model.nv() <= 12) sides.add_by_unit(x.model, GlobalMatrices<S>(x.kinematics, x.qd).phi(), seen);
           },
       .applies = has_coordinates});

  struct Reading {
    bool no_weight = false;  // (22)
    int sign_U = -1, sign_phi = -1;
  };
  const auto reading = [](const Reading& printed) {
    return [printed](const Specimen<S>& x, Sides<S>& sides) {
      const Chain<S> chain = drawn_chain(x);
      InverseDynamics<S> recursion(chain.model);
      if (printed.no_weight) recursion.set_gravity({});
      sides.add_by_unit(chain.model, recursion(chain.x, chain.xd, chain.xdd), chain.witness_tau());

      const Weight<S> weight(ParkScrews<S>(chain.mechanism, chain.model, chain.x), chain.model.gravity(),
                             S(printed.sign_U), S(printed.sign_phi));
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
             .keys = {"park:22", "park:58", "park:59"},
             .margin = 1e-6,
             .printed = {reading({.no_weight = true}), reading({.sign_U = 1}), reading({.sign_phi = 1})},
             .corrected = reading({})});
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

/// Which entries of C are read as they are printed.
struct PrintedEntries {
  bool c11 = false, c12 = false, c21 = false, c21_sign = false;
};

/// The example of section 4.3.1, \eq{park,60} to \eq{park,64}.
template <typename S>
Sides<S> example(const Specimen<S>& x, const PrintedEntries& printed = {})
{
  Sides<S> sides;
  const Chain<S> chain = drawn_2r(x);
  const ParkScrews<S> p(chain.mechanism, chain.model, chain.x);
  const S xd1 = chain.xd(0), xd2 = chain.xd(1);
  const Twist<S>&A1 = p.A[0], &A2 = p.A[1];
  const auto Ad22 = [&](const Twist<S>& H) { return p.Ad(1, p.from(1), H); };
  const Twist<S> carried = Ad22(A1), moved = Ad22(ad(A1, A2));
  const S h = p.inner(1, moved, carried), e = p.inner(1, moved, A2);

  MatrixX<S> M(2, 2), C(2, 2);
  M(0, 0) = p.inner(0, A1, A1) + p.inner(1, carried, carried);
  M(0, 1) = M(1, 0) = p.inner(1, carried, A2);
  M(1, 1) = p.inner(1, A2, A2);                                                         // (60)
  C(0, 0) = printed.c11 ? S(h * xd1 * xd2) : S(h * xd2);                                // (61)
  C(0, 1) = printed.c12 ? S(h * xd1 * xd2 + e * xd2 * xd2) : S(h * xd1 + e * xd2);      // (62)
  C(1, 0) = printed.c21 ? S(h * xd1 * xd1) : S(printed.c21_sign ? h * xd1 : -h * xd1);  // (63)
  C(1, 1) = S(0);                                                                       // (64)

  witness::VectorNewtonEuler<S> witness(chain.mechanism, false);
  const Eigen::Matrix<S, 3, 1> no_weight = Eigen::Matrix<S, 3, 1>::Zero();
  const VectorX<S> none = VectorX<S>::Zero(2);
  const VectorX<S> tau = M * chain.xdd + C * chain.xd;
  sides.add(tau, witness.inverse_dynamics(chain.x, chain.xd, chain.xdd, no_weight));
  sides.add(VectorX<S>(C * chain.xd), witness.inverse_dynamics(chain.x, chain.xd, none, no_weight));
  FlatPicture<S> points(chain.mechanism, chain.x);
  sides.add(M, points.M());

  InertiaMetric<S> metric(chain.model);
  metric(chain.x);
  CoriolisMatrix<S> coriolis(chain.model);
  sides.add(C, metric.C(chain.xd));
  sides.add(C, coriolis(chain.x, chain.xd));
  MatrixX<S> skew = MatrixX<S>::Zero(2, 2);  // Mdot - 2C
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) skew(i, j) = points.dm(i, j, 0) * xd1 + points.dm(i, j, 1) * xd2 - S(2) * C(i, j);
  sides.add(skew, MatrixX<S>(-skew.transpose()), S(2) * (magnitude(C(0, 0)) + magnitude(C(0, 1))));
  return sides;
}

template <typename S>
void example_2r(Registry<S>& r)
{
  r.identity({.name = "two_hinges_in_general_position_have_four_entries_of_C_made_of_two_inner_products",
              .keys = {"park:60", "park:61", "park:62", "park:63", "park:64", "park:ex2R"},
              .symbols = "InertiaMetric::C CoriolisMatrix ScrewSystem",
              .method = "independent formulation; on two hinges drawn for each case",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) { sides.append(example(x)); }});
  const auto reading = [](const PrintedEntries& printed) {
    return [printed](const Specimen<S>& x, Sides<S>& sides) { sides.append(example(x, printed)); };
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
