/** \file
 *  \brief Proofs of chapter derivatives: Kim 2012, section 4.1, Lemma 3 and its corollaries, \eq{kim,81} to \eq{kim,91}.
 *
 *  The tables of section 4.2 are proved in tables.cpp, whole Jacobians and second derivatives in jacobians.cpp.
 */
#include <derivatives/direction.hpp>
#include <ledger/registry.hpp>
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
              }});
  r.identity(
      {.name = "every_step_of_the_proof_of_lemma_three_holds",
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

         const Matrix4<Series<S>> before = matrix(curve.T).lazyProduct(hat(curve.xi));
         const Matrix4<Series<S>> product = before.lazyProduct(matrix(inverse(curve.T)));
         sides.add(left, to_twist(Vector6<S>(dA * coordinates(xi) + A * coordinates(dxi))));                     // (82)
         sides.add(left, vee(derivative(product, 1)));                                                           // (83)
         sides.add(left, vee(Matrix4<S>(dT * X * back + T * dX * back + T * X * dback)));                        // (84)
         sides.add(left, vee(Matrix4<S>(dT * back * T * X * back - T * X * back * dT * back + T * dX * back)));  // (85)
         sides.add(left, ad(vee(Matrix4<S>(dT * back)), to_twist(Vector6<S>(A * coordinates(xi)))) +
                             to_twist(Vector6<S>(A * coordinates(dxi))));  // (86)
       }});
}

template <typename S>
void corollaries(Registry<S>& r)
{
  r.identity({.name = "a_joint_that_moves_turns_what_it_carries_by_the_displacement_of_its_body",
              .keys = {"kim:87", "kim:88", "kim:89", "kim:C1"},
              .symbols = "Parameter::add_to RecursionDerivative::carried_acceleration AdInv coAdInv ad coad",
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
                  const Matrix6<S> A = derivative(along, 0);
                  dh.push_back(vee(Matrix4<S>(derivative(inverse(T[i]), 0) * derivative(T[i], 1))));  // (89)
                  add_blocks(sides, derivative(along, 1), Matrix6<S>(-ad_matrix(dh[i]) * A), A);      // (87)
                  // (88), with the library's actions: any wrench, seen from the parent.
                  const Wrench<S>& F = x.inverse.F[i];
                  across.push_back(derivative(coAdInv(T[i], in_arithmetic<Dual<S>>(F)), 1));
                  turned.push_back(coAdInv(x.inverse.T[i], -coad(dh[i], F)));
                }
                sides.add(seeds.dh, dh);
                sides.add(across, turned);
              }});
  r.identity({.name = "a_coordinate_displaces_its_own_body_along_its_column_and_no_other",
              .keys = {"kim:90", "kim:91", "kim:C2"},
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
                  std::vector<Twist<S>> dh(1), columns(x.bodies() + 1);
                  for (int i = 1; i <= x.bodies(); ++i) {
                    const Body<S>& body = x.model.body(i);
                    const SE3<Series<S>> T = joint_pose(x.series_model().body(i), q.data() + body.q);
                    dh.push_back(vee(Matrix4<S>(derivative(inverse(T), 0) * derivative(T, 1))));
                    if (body.v <= k && k < body.v + body.nv) columns[i] = x.inverse.S[i].column(k - body.v);
                  }
                  sides.add(dh, columns);
                  sides.add(seeds.dh, columns);
                }
              }});
}

template <typename S>
void errata(Registry<S>& r)
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
  errata(r);
}

template void derivatives_identities(Registry<ARTICULATE_PROOF_SCALAR>&);

}  // namespace articulate::validation
