/** \file
 *  \brief Proofs of chapter derivatives: Kim 2012, section 4.1, Lemma 3 and its corollaries, \eq{kim,81} to \eq{kim,91}.
 *
 *  The tables of section 4.2 are proved in tables.cpp, whole Jacobians and second derivatives in jacobians.cpp.
 */
#include <derivatives/direction.hpp>
#include <ledger/registry.hpp>

namespace articulate::validation {
namespace {

/// The blocks of an adjoint, which have different units; the fourth is zero.
template <typename S>
void add_adjoints(Sides<S>& sides, const Matrix6<S>& left, const Matrix6<S>& right)
{
  add_blocks(sides, left, right, Matrix6<S>(Matrix6<S>::Zero()));
}

/// A pose that depends on p in no special way, and a twist.
template <typename S>
struct DrawnCurve {
  SE3<Series<S>> T;
  Twist<Series<S>> xi;

  explicit DrawnCurve(const Specimen<S>& x)
  {
    const Series<S> p = time_series<S>();
    const SO3<Series<S>> R(Quaternion<Series<S>>{constant(x.vector(0)), Series<S>(x.number(3))});
    T = SE3<Series<S>>{R, constant(x.vector(4))} * exp(p * constant(x.twist(8)) + p * p * constant(x.twist(14)));
    xi = constant(x.twist(20)) + p * constant(x.twist(26));
  }
};

/// \f$T_{\lambda(i),i}\f$ along everything at once, in the frames of the paper.
template <typename S>
std::vector<SE3<Dual<S>>> joints_along(const Moved<Dual<S>>& moved)
{
  std::vector<SE3<Dual<S>>> T(1);
  for (int i = 1; i <= moved.model.bodies(); ++i) {
    const Body<Dual<S>>& body = moved.model.body(i);
    T.push_back(inverse(moved.displaced_by[body.parent]) * joint_pose(body, moved.q.data() + body.q) *
                moved.displaced_by[i]);
  }
  return T;
}

template <typename S>
void lemma(Registry<S>& r)
{
  r.identity({.name = "a_pose_that_moves_turns_its_adjoint_by_its_velocity",
              .keys = {"kim:81", "kim:L3"},
              .symbols = "Ad_matrix ad_matrix",
              .method = "series",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const SE3<Series<S>> T = DrawnCurve<S>(x).T;
                const Matrix4<S> velocity = derivative(T, 1) * derivative(inverse(T), 0);
                const Matrix6<S> dAd = derivative(Ad_matrix(T), 1), Ad = derivative(Ad_matrix(T), 0);
                add_adjoints(sides, dAd, Matrix6<S>(ad_matrix(vee(velocity)) * Ad));
                sides.rival("the velocity is seen from the moving frame, as $T^{-1}\\,\\partial T$", [&](auto& wrong) {
                  const Matrix4<S> seen_from_it = derivative(inverse(T), 0) * derivative(T, 1);
                  add_adjoints(wrong, dAd, Matrix6<S>(ad_matrix(vee(seen_from_it)) * Ad));
                });
              }});
  r.identity({.name = "every_step_of_the_proof_of_lemma_three_holds",
              .keys = {"kim:82", "kim:83", "kim:84", "kim:85", "kim:86"},
              .symbols = "Ad ad hat vee",
              .method = "series",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const DrawnCurve<S> curve(x);
                const Matrix4<S> T = derivative(curve.T, 0), dT = derivative(curve.T, 1);
                const Matrix4<S> back = derivative(inverse(curve.T), 0), dback = derivative(inverse(curve.T), 1);
                const Twist<S> xi = derivative(curve.xi, 0), dxi = derivative(curve.xi, 1);
                const Matrix4<S> X = hat(xi), dX = hat(dxi);
                const Matrix6<S> A = derivative(Ad_matrix(curve.T), 0), dA = derivative(Ad_matrix(curve.T), 1);
                const Twist<S> left = derivative(articulate::Ad(curve.T, curve.xi), 1);
                const auto product = [&](const SE3<Series<S>>& first, const SE3<Series<S>>& last) {
                  const Matrix4<Series<S>> before = matrix(first).lazyProduct(hat(curve.xi));
                  return vee(derivative(Matrix4<Series<S>>(before.lazyProduct(matrix(last))), 1));
                };

                sides.clause("kim:82");
                sides.add(left, to_twist(Vector6<S>(dA * coordinates(xi) + A * coordinates(dxi))));
                sides.rival("the twist is taken to be constant",
                            [&](auto& wrong) { wrong.add(left, to_twist(Vector6<S>(dA * coordinates(xi)))); });
                sides.clause("kim:83");
                sides.add(left, product(curve.T, inverse(curve.T)));
                sides.rival("the inverse stands on the other side",
                            [&](auto& wrong) { wrong.add(left, product(inverse(curve.T), curve.T)); });
                sides.clause("kim:84");
                const Matrix4<S> two_terms = dT * X * back + T * dX * back;
                sides.add(left, vee(Matrix4<S>(two_terms + T * X * dback)));
                sides.rival("the inverse is not differentiated", [&](auto& wrong) { wrong.add(left, vee(two_terms)); });
                sides.clause("kim:85");
                const Matrix4<S> outer = dT * back * T * X * back + T * dX * back, inner = T * X * back * dT * back;
                sides.add(left, vee(Matrix4<S>(outer - inner)));
                sides.rival("the derivative of the inverse has no minus sign",
                            [&](auto& wrong) { wrong.add(left, vee(Matrix4<S>(outer + inner))); });
                sides.clause("kim:86");
                const Twist<S> velocity = vee(Matrix4<S>(dT * back)), moved = to_twist(Vector6<S>(A * coordinates(xi)));
                const Twist<S> changed = to_twist(Vector6<S>(A * coordinates(dxi)));
                sides.add(left, ad(velocity, moved) + changed);
                sides.rival("the bracket has its factors exchanged",
                            [&](auto& wrong) { wrong.add(left, ad(moved, velocity) + changed); });
              }});
}

/// The drawn parameters that move no joint's frames, and those that move the frames of one body's joint alone.
template <typename S>
Direction<S> without_geometry(const Specimen<S>& x)
{
  return drawn_direction(x, {Kind::rate, Kind::acceleration, Kind::force, Kind::inertia, Kind::wrench_on_body,
                             Kind::wrench_in_space, Kind::gravity, Kind::base_velocity, Kind::base_acceleration});
}
template <typename S>
Direction<S> geometry_of_one(const Specimen<S>& x)
{
  Direction<S> direction = drawn_direction(x, {Kind::placement_before, Kind::placement_after, Kind::screw_axis});
  for (Step<S>& step : direction) step.index = direction.front().index;
  return direction;
}

/// \f$T_{\lambda(i),i}^{-1}\,\partial T_{\lambda(i),i}\f$ by dual numbers.
template <typename S>
Matrix4<S> body_velocity(const SE3<Dual<S>>& T)
{
  return derivative(inverse(T), 0) * derivative(T, 1);
}

template <typename S>
void corollaries(Registry<S>& r)
{
  r.identity({.name = "a_joint_that_moves_turns_what_it_carries_by_the_displacement_of_its_body",
              .keys = {"kim:87", "kim:88", "kim:89/product", "kim:89/twist", "kim:C1/twists", "kim:C1/wrenches",
                       "kim:C1/displacement"},
              .symbols = "Parameter::add_to AdInv coAdInv coad",
              .method = "dual numbers",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const Direction<S> direction = drawn_direction(x);
                const Moved<Dual<S>> moved(x, direction, dual_parameter<S>());
                const Seeds<S> seeds = seeds_along(direction, x.inverse, x.qd);
                const auto T = joints_along<S>(moved);
                std::vector<Twist<S>> dh(1);
                std::vector<Wrench<S>> across(1), turned(1);
                for (int i = 1; i <= x.bodies(); ++i) {
                  const Matrix6<Dual<S>> along = Ad_matrix(inverse(T[i]));
                  const Matrix6<S> A = derivative(along, 0), dA = derivative(along, 1);
                  const Matrix4<S> product = body_velocity<S>(T[i]);
                  dh.push_back(vee(product));
                  sides.clause("kim:89/twist");
                  const Matrix4<S> in_the_algebra = hat(dh[i]);
                  sides.add(product, in_the_algebra);
                  sides.rival("$T^{-1}\\,\\partial T^{-1}$, as in the printed list of symbols", [&](auto& wrong) {
                    const Matrix4<S> slipped = derivative(inverse(T[i]), 0) * derivative(inverse(T[i]), 1);
                    const Matrix4<S> twist = hat(vee(slipped));
                    wrong.add(slipped, twist);
                  });
                  sides.clause({"kim:87", "kim:C1/twists"});
                  add_blocks(sides, dA, Matrix6<S>(-ad_matrix(dh[i]) * A), A);
                  sides.rival("the factors are exchanged",
                              [&](auto& wrong) { add_blocks(wrong, dA, Matrix6<S>(-A * ad_matrix(dh[i])), A); });
                  // With the library's actions: any wrench, seen from the parent.
                  const Wrench<S>& F = x.inverse.F[i];
                  across.push_back(derivative(coAdInv(T[i], in_arithmetic<Dual<S>>(F)), 1));
                  turned.push_back(coAdInv(x.inverse.T[i], -coad(dh[i], F)));
                }
                sides.clause({"kim:89/product", "kim:C1/displacement"});
                sides.add(seeds.dh, dh);
                sides.rival("$\\partial T\\,T^{-1}$, the displacement seen from the parent", [&](auto& wrong) {
                  std::vector<Twist<S>> from_parent(1);
                  for (int i = 1; i <= x.bodies(); ++i) from_parent.push_back(Ad(x.inverse.T[i], dh[i]));
                  wrong.add(seeds.dh, from_parent);
                });
                sides.clause({"kim:88", "kim:C1/wrenches"});
                sides.add(across, turned);
                sides.rival("the factors are exchanged", [&](auto& wrong) {
                  std::vector<Wrench<S>> exchanged(1);
                  for (int i = 1; i <= x.bodies(); ++i)
                    exchanged.push_back(-coad(dh[i], coAdInv(x.inverse.T[i], x.inverse.F[i])));
                  wrong.add(across, exchanged);
                });
              }});
  r.identity({.name = "a_coordinate_displaces_its_own_body_along_its_column_and_no_other",
              .keys = {"kim:90", "kim:91", "kim:C2/coordinate", "kim:C2/independent"},
              .symbols = "Parameter::coordinate Parameter::add_to JointJacobian::column",
              .method = "dual numbers",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                // Of many coordinates a dozen or so, evenly spread.
                const int stride = 1 + x.model.nv() / 12;
                for (int k = x.inputs.free_numbers[0] > 0 ? stride / 2 : 0; k < x.model.nv(); k += stride) {
                  const Direction<S> direction{{Kind::coordinate, k, 0, S(1)}};
                  const Seeds<S> seeds = seeds_along(direction, x.inverse, x.qd);
                  VectorX<Series<S>> step = VectorX<Series<S>>::Zero(x.model.nv());
                  step(k) = time_series<S>();
                  const VectorX<Series<S>> q =
                      displaced<Series<S>>(x.series_model(), x.q.template cast<Series<S>>(), step);
                  std::vector<Twist<S>> others, others_by_seeds;
                  Twist<S> own, own_by_seeds, column, from_parent;
                  for (int i = 1; i <= x.bodies(); ++i) {
                    const Body<S>& body = x.model.body(i);
                    const SE3<Series<S>> T = joint_pose(x.series_model().body(i), q.data() + body.q);
                    const Twist<S> dh = vee(Matrix4<S>(derivative(inverse(T), 0) * derivative(T, 1)));
                    if (body.v <= k && k < body.v + body.nv) {
                      own = dh, own_by_seeds = seeds.dh[i], column = x.inverse.S[i].column(k - body.v);
                      from_parent = Ad(x.inverse.T[i], column);
                    } else {
                      others.push_back(dh), others_by_seeds.push_back(seeds.dh[i]);
                    }
                  }
                  sides.clause({"kim:90", "kim:C2/coordinate"});
                  sides.add(own, column);
                  sides.add(own_by_seeds, column);
                  sides.rival("the column is seen from the parent", [&](auto& wrong) { wrong.add(own, from_parent); });
                  sides.clause({"kim:91", "kim:C2/independent"});
                  sides.add(others, std::vector<Twist<S>>(others.size()));
                  sides.add(others_by_seeds, std::vector<Twist<S>>(others.size()));
                }
              }});
  r.identity({.name = "what_does_not_move_a_joint_displaces_nothing_and_lengths_and_axes_do",
              .keys = {"kim:91", "kim:C2/independent"},
              .symbols = "Parameter::add_to Parameter::displace",
              .method = "dual numbers",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const auto displacements = [&](const Direction<S>& direction) {
                  const Moved<Dual<S>> moved(x, direction, dual_parameter<S>());
                  std::vector<Twist<S>> dh(1);
                  const auto T = joints_along<S>(moved);
                  for (int i = 1; i <= x.bodies(); ++i) dh.push_back(vee(body_velocity<S>(T[i])));
                  return dh;
                };
                // Inertias, gravity, wrenches, the base, rates, accelerations and forces; then the joints beside one displaced.
                const std::vector<Twist<S>> none(x.bodies() + 1);
                const Direction<S> still = without_geometry(x), one = geometry_of_one(x);
                sides.add(displacements(still), none);
                sides.add(seeds_along(still, x.inverse, x.qd).dh, none);
                const std::vector<Twist<S>> exact = displacements(one), found = seeds_along(one, x.inverse, x.qd).dh;
                const int own = one.front().index;
                const auto own_alone = [&](const std::vector<Twist<S>>& all) {
                  std::vector<Twist<S>> list = none;
                  list[own] = all[own];
                  return list;
                };
                sides.add(exact, own_alone(exact));
                sides.add(found, own_alone(found));
                sides.add(found, exact);
                sides.rival("a length, an offset or an axis is no coordinate, and displaces nothing, as printed",
                            [&](auto& wrong) { wrong.add(found, none); });
              }});
}

template <typename S>
void errata_of_the_lemmas(Registry<S>& r)
{
  // (88) as printed, and its right side read as the derivative of the inverse map, on a pose of no special kind.
  const auto equation_88 = [](const Specimen<S>& x, bool printed) {
    Sides<S> sides;
    const SE3<Series<S>> T = DrawnCurve<S>(x).T;
    const Matrix6<S> star = derivative(Ad_matrix(T), 0).transpose();
    const Matrix6<S> dstar = derivative(Ad_matrix(T), 1).transpose();
    const Matrix6<S> inverse_star = derivative(Ad_matrix(inverse(T)), 0).transpose();
    const Matrix6<S> dinverse_star = derivative(Ad_matrix(inverse(T)), 1).transpose();
    const Matrix6<S> adh = ad_matrix(vee(Matrix4<S>(derivative(inverse(T), 0) * derivative(T, 1)))).transpose();
    if (printed) {
      add_adjoints(sides, dstar, Matrix6<S>(-star * adh));
    } else {
      add_adjoints(sides, dinverse_star, Matrix6<S>(-inverse_star * adh));
      add_adjoints(sides, dstar, Matrix6<S>(adh * star));
    }
    return sides;
  };
  r.erratum({.id = "E-kim-6",
             .keys = {"kim:88", "kim:C1"},
             .margin = 1e-2,
             .printed = {[=](const Specimen<S>& x, Sides<S>& sides) { sides.append(equation_88(x, true)); }},
             .corrected = [=](const Specimen<S>& x, Sides<S>& sides) { sides.append(equation_88(x, false)); }});
}

}  // namespace

template <typename S>
void derivatives_identities(Registry<S>& r)
{
  lemma(r);
  corollaries(r);
  errata_of_the_lemmas(r);
}

template void derivatives_identities(Registry<ARTICULATE_PROOF_SCALAR>&);

}  // namespace articulate::validation
