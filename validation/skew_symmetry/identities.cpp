/** \file
 *  \brief Proofs of chapter skew_symmetry: Ploen, section 5, \eq{ploen,30} to \eq{ploen,35}, \eq{ploen,37} and both
 *  propositions, and what holds for every family of Coriolis matrices.
 */
#include <articulate/lagrange/global_matrices.hpp>
#include <articulate/skew_symmetry/coriolis_matrix.hpp>
#include <articulate/skew_symmetry/reference_dynamics.hpp>
#include <ledger/calculus.hpp>
#include <ledger/long_robots.hpp>
#include <skew_symmetry/compared_with.hpp>

namespace articulate::validation {
namespace {

/// What a body is in the paper: mass, centre of mass, inertia about it, and the matrix of Proposition 1 made of them.
template <typename S>
struct PloenBody {
  using Block = Eigen::Matrix<S, 3, 3>;
  S m;
  Block r, I, I_bar;  ///< \f$[r]\f$, \f$I\f$, \f$\bar I\f$

  /// \param sign  of \f$m[r]^2\f$ in \f$\bar I\f$
  explicit PloenBody(const Inertia<S>& J, const S& sign = S(-1)) : m(J.mass)
  {
    r = skew(comparable(m) > 0 ? S(1) / m * J.first_moment : Vector3<S>()).eigen();
    I = J.second_moment.matrix().eigen() + m * r * r;
    I_bar = I + sign * m * r * r;
  }

  /// \f$J\f$ \eq{ploen,12}.
  Matrix6<S> J() const
  {
    Matrix6<S> J;
    J << I - m * r * r, m * r, -m * r, m * Block::Identity();
    return J;
  }
  /// The matrix that (32) suggests, where no zero is added: not skew.
  Matrix6<S> without_the_zero(const Vector3<S>& turn) const
  {
    Matrix6<S> C = C_bar(turn);
    C.template topLeftCorner<3, 3>() = skew(turn).eigen() * I_bar;
    return C;
  }
  /// The matrix of Proposition 1.
  Matrix6<S> C_bar(const Vector3<S>& turn) const
  {
    const Block w = skew(turn).eigen();
    Matrix6<S> C;
    C << w * I_bar + I_bar * w, m * r * w, -m * w * r, m * w;
    return C;
  }
};

/// Something of every body.
template <typename S, typename Function>
auto of_bodies(const Specimen<S>& x, const Function& f)
{
  std::vector<decltype(f(x.model.body(1), x.kinematics.V[1]))> all;
  for (int i = 1; i <= x.bodies(); ++i) all.push_back(f(x.model.body(i), x.kinematics.V[i]));
  return all;
}

template <typename S>
std::vector<Matrix6<S>> minus_transposed(const std::vector<Matrix6<S>>& maps)
{
  std::vector<Matrix6<S>> all;
  for (const Matrix6<S>& map : maps) all.push_back(-map.transpose());
  return all;
}

template <typename S>
Wrench<S> product(const Matrix6<S>& C, const Twist<S>& V)
{
  return to_wrench(Vector6<S>(C * coordinates(V)));
}

/// What goes into each body through its joint and out through the next ones, where a wrench is carried back as given.
template <typename S, typename Carry>
std::vector<Wrench<S>> left_in_the_body(const InverseDynamics<S>& motion, const Carry& back)
{
  std::vector<Wrench<S>> left(motion.F.begin() + 1, motion.F.end());
  for (int i = 1; i <= motion.model().bodies(); ++i)
    if (const int parent = motion.model().body(i).parent; parent > 0)
      left[parent - 1] = left[parent - 1] - back(motion.T[i], motion.F[i]);
  return left;
}

/// A drawn twist for each body.
template <typename S>
Twist<S> drawn(const Specimen<S>& x, const Body<S>& body)
{
  return x.twist((6 * body.index) % 120);
}

template <typename S>
void one_body(Registry<S>& r)
{
  r.identity({.name = "force_on_a_body_is_the_rate_of_its_momentum_in_space",
              .keys = {"ploen:30/body", "ploen:30/matrix"},
              .symbols = "coriolis_wrench InverseDynamics",
              .method = "series",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                std::vector<Wrench<S>> rate, recursion, matrices, starless;
                for (int i = 1; i <= x.bodies(); ++i) {
                  const Inertia<S>& J = x.model.body(i).I;
                  const Model<Series<S>>& model = x.series_model();
                  const SE3<Series<S>>& pose = x.along_motion().pose[i];
                  const Wrench<S> in_space =
                      derivative(Wrench<Series<S>>(coAdInv(pose, model.body(i).I * x.along_motion().V[i])), 1);
                  rate.push_back(coAd(x.kinematics.pose[i], in_space));
                  const Twist<S> V = x.motion.V[i], Vdot = x.motion.Vdot[i];
                  recursion.push_back(J * Vdot + coriolis_wrench(CoriolisFamily::newton_euler, J, V, V));
                  const Vector6<S> JVdot = J.matrix() * coordinates(Vdot);
                  const Vector6<S> L = J.matrix() * coordinates(V);
                  matrices.push_back(to_wrench(Vector6<S>(JVdot - ad_matrix(V).transpose() * L)));
                  starless.push_back(to_wrench(Vector6<S>(JVdot - ad_matrix(V) * L)));
                }
                sides.clause("ploen:30/matrix");
                sides.add(recursion, rate);
                sides.add(matrices, rate);
                sides.rival("the star is lost", [&](auto& wrong) { wrong.add(starless, rate); });

                InverseDynamics<S> weightless(x.model);
                weightless.set_gravity({});
                weightless(x.q, x.qd, x.qdd);
                const auto wrench_back = [](const SE3<S>& f, const Wrench<S>& F) { return coAdInv(f, F); };
                sides.clause("ploen:30/body");
                sides.add(left_in_the_body(weightless, wrench_back), rate, weightless.F);
                sides.rival("the inverse in the subscript is lost", [&](auto& wrong) {
                  const auto lost = [](const SE3<S>& f, const Wrench<S>& F) { return coAd(f, F); };
                  wrong.add(left_in_the_body(weightless, lost), rate, weightless.F);
                });
              }});
  r.identity(
      {.name = "every_step_to_the_skew_matrix_of_a_body_keeps_its_wrench",
       .keys = {"ploen:31/dual", "ploen:31/matrix", "ploen:32", "ploen:33/wrench", "ploen:33/Jacobi", "ploen:34",
                "ploen:P1/wrench", "ploen:P1/inertia", "ploen:P1/skew", "ploen:P1/matrix"},
       .symbols = "coriolis_wrench coriolis_matrix",
       .method = "independent formulation",
       .sides = [](const Specimen<S>& x, Sides<S>& sides) {
         using Block = typename PloenBody<S>::Block;
         using Column = Eigen::Matrix<S, 3, 1>;
         const auto truth = of_bodies(x, [](const auto& body, const auto& V) { return carried_past(V, body.I * V); });
         const auto terms = of_bodies(x, [](const auto& body, const auto& V) { return terms_past(V, body.I * V); });
         // By a matrix of Ploen's numbers of a body and its twist.
         const auto by_matrix = [&](const auto& matrix) {
           return of_bodies(
               x, [&](const auto& body, const auto& V) { return product<S>(matrix(PloenBody<S>(body.I), V), V); });
         };
         // By a moment; the force is the same in (32) and (33).
         const auto by_moment = [&](const auto& moment) {
           return of_bodies(x, [&](const auto& b, const auto& V) {
             const PloenBody<S> body(b.I);
             const Block W = skew(V.w).eigen(), U = skew(V.v).eigen();
             const Column w = V.w.eigen(), v = V.v.eigen();
             Vector6<S> y;
             y.template head<3>() = moment(body, W, U, w, v);
             y.template tail<3>() = body.m * (W * v) - body.m * (W * (body.r * w));
             return to_wrench(y);
           });
         };

         const auto brackets = [](const PloenBody<S>& body, const Twist<S>& V) {
           const Block W = skew(V.w).eigen(), U = skew(V.v).eigen();
           Matrix6<S> A;
           A << W, U, Block::Zero(), W;
           return Matrix6<S>(A * body.J());
         };
         const auto by_dual = [&](const S& sign) {
           return of_bodies(x, [&](const auto& body, const auto& V) { return sign * coad(V, body.I * V); });
         };
         sides.clause("ploen:31/dual");
         sides.add(by_dual(S(-1)), truth, terms);
         sides.rival("no sign goes with the dual", [&](auto& wrong) { wrong.add(by_dual(S(1)), truth); });
         sides.clause("ploen:31/matrix");
         sides.add(by_matrix(brackets), truth, terms);
         sides.rival("[v] stands below the diagonal", [&](auto& wrong) {
           const auto below = [](const PloenBody<S>& body, const Twist<S>& V) {
             return Matrix6<S>(ad_matrix(V) * body.J());
           };
           wrong.add(by_matrix(below), truth);
         });

         // (32), and its third term with another sign
         const auto expanded = [](const S& sign) {
           return [sign](const PloenBody<S>& b, const Block& W, const Block& U, const Column& w, const Column& v) {
             return Column(W * (b.I_bar * w) + b.m * (W * (b.r * v)) + sign * b.m * (U * (b.r * w)) + b.m * (U * v));
           };
         };
         sides.clause("ploen:32");
         sides.add(by_moment(expanded(S(-1))), truth, terms);
         sides.rival("the brackets of v and r are added",
                     [&](auto& wrong) { wrong.add(by_moment(expanded(S(1))), truth); });

         // (33), and the Jacobi identity with another sign
         const auto joined = [](const S& sign) {
           return [sign](const PloenBody<S>& b, const Block& W, const Block&, const Column& w, const Column& v) {
             return Column(W * (b.I_bar * w) + sign * b.m * (b.r * (W * v)) + b.I_bar * (W * w));
           };
         };
         sides.clause("ploen:33/wrench");
         sides.add(by_moment(joined(S(1))), truth, terms);
         sides.rival("the two brackets make a negative one",
                     [&](auto& wrong) { wrong.add(by_moment(joined(S(-1))), truth); });
         const Vector3<S> a = x.vector(0), b = x.vector(3), c = x.vector(6);
         const Vector3<S> two = cross(a, cross(b, c)) + cross(b, cross(c, a)), third = cross(c, cross(a, b));
         const S size = largest<S>(a.eigen()) * largest<S>(b.eigen()) * largest<S>(c.eigen());
         sides.clause("ploen:33/Jacobi");
         sides.add(two, -third, size);
         sides.rival("the sum of two brackets is the third", [&](auto& wrong) { wrong.add(two, third, size); });

         const auto C_bar = [](const PloenBody<S>& body, const Twist<S>& V) { return body.C_bar(V.w); };
         sides.clause("ploen:34");
         sides.add(by_matrix(C_bar), truth, terms);
         sides.rival("the brackets of r and the turning stay in the order of (32)", [&](auto& wrong) {
           const auto other_order = [](const PloenBody<S>& body, const Twist<S>& V) {
             Matrix6<S> C = body.C_bar(V.w);
             C.template topRightCorner<3, 3>() = body.m * (skew(V.w).eigen() * body.r);
             return C;
           };
           wrong.add(by_matrix(other_order), truth);
         });

         sides.clause({"ploen:P1/wrench", "ploen:P1/inertia"});
         sides.add(of_bodies(x, [](const auto& body,
                                   const auto& V) { return coriolis_wrench(CoriolisFamily::ploen, body.I, V, V); }),
                   truth, terms);
         sides.add(by_matrix(C_bar), truth, terms);
         sides.clause("ploen:P1/inertia");
         sides.rival("the square of [r] is added", [&](auto& wrong) {
           wrong.add(of_bodies(x, [](const auto& body,
                                     const auto& V) { return product<S>(PloenBody<S>(body.I, S(1)).C_bar(V.w), V); }),
                     truth);
         });
         sides.clause("ploen:P1/wrench");
         sides.rival("the star is lost", [&](auto& wrong) {
           const auto starless = [](const PloenBody<S>& body, const Twist<S>& V) {
             return Matrix6<S>(-(ad_matrix(V) * body.J()));
           };
           wrong.add(by_matrix(starless), truth);
         });

         const auto matrices = [&](const auto& matrix) {
           return of_bodies(x, [&](const auto& body, const auto& V) { return matrix(PloenBody<S>(body.I), V); });
         };
         const auto own = of_bodies(
             x, [](const auto& body, const auto& V) { return coriolis_matrix(CoriolisFamily::ploen, body.I, V); });
         sides.clause("ploen:P1/skew");
         add_maps(sides, own, minus_transposed<S>(own));
         sides.rival("no zero is added", [&](auto& wrong) {
           const auto C =
               matrices([](const PloenBody<S>& body, const Twist<S>& V) { return body.without_the_zero(V.w); });
           add_maps(wrong, C, minus_transposed<S>(C));
         });
         sides.clause("ploen:P1/matrix");
         add_maps(sides, own, matrices(C_bar));
         sides.rival("another skew matrix with the same product", [&](auto& wrong) {
           const auto bracket = of_bodies(
               x, [](const auto& body, const auto& V) { return coriolis_matrix(CoriolisFamily::bracket, body.I, V); });
           add_maps(wrong, bracket, matrices(C_bar));
         });
       }});
  r.identity(
      {.name = "every_family_gives_a_body_the_same_wrench_by_a_matrix_of_its_own",
       .keys = {"ploen:P1/wrench", "ploen:P1/matrix"},
       .symbols = "coriolis_wrench coriolis_matrix",
       .method = "series",
       .sides = [](const Specimen<S>& x, Sides<S>& sides) {
         const auto truth = of_bodies(x, [](const auto& body, const auto& V) { return carried_past(V, body.I * V); });
         const auto terms = of_bodies(x, [](const auto& body, const auto& V) { return terms_past(V, body.I * V); });
         for (const CoriolisFamily family : families) {
           sides.clause("ploen:P1/wrench");
           sides.add(of_bodies(x, [=](const auto& b, const auto& V) { return coriolis_wrench(family, b.I, V, V); }),
                     truth, terms);
           sides.rival("the transpose of the matrix is taken", [&](auto& wrong) {
             wrong.add(of_bodies(x,
                                 [=](const auto& b, const auto& V) {
                                   return product<S>(coriolis_matrix(family, b.I, V).transpose(), V);
                                 }),
                       truth);
           });
           // The matrix acts on any twist as the wrench says.
           std::vector<Wrench<S>> by_matrix, by_wrench, with_V;
           for (int i = 1; i <= x.bodies(); ++i) {
             const Body<S>& body = x.model.body(i);
             const Twist<S> V = x.kinematics.V[i], W = drawn(x, body);
             by_matrix.push_back(product<S>(coriolis_matrix(family, body.I, V), W));
             by_wrench.push_back(coriolis_wrench(family, body.I, V, W));
             with_V.push_back(coriolis_wrench(family, body.I, W, V));
           }
           sides.clause("ploen:P1/matrix");
           sides.add(by_matrix, by_wrench, truth);
           sides.rival("the twists of the body and of the reference are exchanged",
                       [&](auto& wrong) { wrong.add(by_matrix, with_V, truth); });
         }
       }});
  r.identity(
      {.name = "what_the_newton_euler_matrix_lacks_in_skewness_is_the_rate_of_the_inertia_in_space",
       .keys = {"ploen:30/not-skew", "ploen:P1/skew"},
       .symbols = "coriolis_matrix",
       .method = "series",
       .sides = [](const Specimen<S>& x, Sides<S>& sides) {
         for (const CoriolisFamily family : families) {
           const auto C = of_bodies(x, [=](const auto& b, const auto& V) { return coriolis_matrix(family, b.I, V); });
           std::vector<Matrix6<S>> rate_less_transpose;
           for (int i = 1; i <= x.bodies(); ++i) {
             Matrix6<S> rate = Matrix6<S>::Zero();
             if (!is_admissible(family)) {
               const SE3<Series<S>> back = exp(-time_series<S>() * constant(x.kinematics.V[i]));
               const Matrix6<Series<S>> seen = coAd(back, x.series_model().body(i).I).matrix();
               for (int j = 0; j < 6; ++j)
                 for (int k = 0; k < 6; ++k) rate(j, k) = derivative(seen(j, k), 1);
             }
             rate_less_transpose.push_back(rate - C[i - 1].transpose());
           }
           sides.clause(is_admissible(family) ? "ploen:P1/skew" : "ploen:30/not-skew");
           add_maps(sides, C, rate_less_transpose);
           if (!is_admissible(family))
             sides.rival("it is skew-symmetric", [&](auto& wrong) { add_maps(wrong, C, minus_transposed<S>(C)); });
         }
         sides.clause("ploen:P1/skew");
         sides.rival("no zero is added", [&](auto& wrong) {
           const auto C =
               of_bodies(x, [](const auto& b, const auto& V) { return PloenBody<S>(b.I).without_the_zero(V.w); });
           add_maps(wrong, C, minus_transposed<S>(C));
         });
       }});
  r.identity({.name = "the_christoffel_family_has_no_torsion",
              .keys = {"ploen:2/sum"},
              .symbols = "coriolis_wrench",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                // C(V)W - C(W)V = I [V, W]; the mean of two families that have some, of opposite signs, by definition.
                std::vector<Wrench<S>> torsion, of_ploens, bracket, own, mean, terms;
                for (int i = 1; i <= x.bodies(); ++i) {
                  const Inertia<S>& I = x.model.body(i).I;
                  const Twist<S> V = x.kinematics.V[i], W = drawn(x, x.model.body(i));
                  const auto C = [&](CoriolisFamily f) { return coriolis_wrench(f, I, V, W); };
                  torsion.push_back(C(CoriolisFamily::christoffel) -
                                    coriolis_wrench(CoriolisFamily::christoffel, I, W, V));
                  of_ploens.push_back(C(CoriolisFamily::ploen) - coriolis_wrench(CoriolisFamily::ploen, I, W, V));
                  bracket.push_back(I * ad(V, W));
                  own.push_back(C(CoriolisFamily::christoffel));
                  mean.push_back(S(1) / S(2) * (C(CoriolisFamily::bracket) + C(CoriolisFamily::momentum)));
                  terms.push_back(coriolis_terms(I, V, W));
                }
                sides.add(torsion, bracket, terms);
                sides.add(own, mean, terms);
                sides.rival("the matrix of Proposition 1 has none either",
                            [&](auto& wrong) { wrong.add(of_ploens, bracket, terms); });
              }});
  r.identity(
      {.name = "another_frame_on_the_body_changes_ploens_matrix_by_the_half_trace_of_the_inertia_and_no_other",
       .keys = {"ploen:P1/matrix"},
       .symbols = "coriolis_wrench coAd",
       .method = "independent formulation",
       .sides = [](const Specimen<S>& x, Sides<S>& sides) {
         const SE3<S> X = x.pose(0);
         const Matrix6<S> A = Ad_matrix(X), A_inverse = inverted(A);
         for (const CoriolisFamily family : families) {
           std::vector<Wrench<S>> there, carried, unchanged, terms;
           for (int i = 1; i <= x.bodies(); ++i) {
             const Inertia<S>& I = x.model.body(i).I;
             const Twist<S> V = x.kinematics.V[i], W = drawn(x, x.model.body(i));
             const Inertia<S> I_there = coAd(X, I);
             const Twist<S> V_there = to_twist(Vector6<S>(A_inverse * coordinates(V)));
             const Twist<S> W_there = to_twist(Vector6<S>(A_inverse * coordinates(W)));
             there.push_back(coriolis_wrench(family, I_there, V_there, W_there));
             Wrench<S> wrench = to_wrench(Vector6<S>(A.transpose() * coordinates(coriolis_wrench(family, I, V, W))));
             unchanged.push_back(wrench);
             // m |p|^2 - 2 p . (m r), the change of the integral of |r|^2 over the mass
             const S change = inner(X.p, I.mass * X.p - S(2) * I.first_moment);
             if (family == CoriolisFamily::ploen) wrench.m = wrench.m + change * cross(V_there.w, W_there.w);
             carried.push_back(wrench);
             terms.push_back(coriolis_terms(I_there, V_there, W_there));
             if (family != CoriolisFamily::ploen) continue;
             const auto half_trace = [](const Inertia<S>& J) {
               return (J.second_moment.xx + J.second_moment.yy + J.second_moment.zz) / S(2);
             };
             sides.add(half_trace(I_there), S(half_trace(I) + change));
           }
           sides.add(there, carried, terms);
           if (family == CoriolisFamily::ploen)
             sides.rival("it does not depend on the frame", [&](auto& wrong) { wrong.add(there, unchanged, terms); });
         }
       }});
}

template <typename S>
void mechanisms(Registry<S>& r)
{
  r.identity({.name = "every_family_gives_the_same_coriolis_forces",
              .keys = {"ploen:1/product", "ploen:35/equation"},
              .symbols = "CoriolisMatrix",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const VectorX<S> seen = witness_coriolis(x), terms = coriolis_terms(x, x.qd);
                sides.clause({"ploen:1/product", "ploen:35/equation"});
                for (const CoriolisFamily family : families) {
                  CoriolisMatrix<S> C(x.model, family);
                  const MatrixX<S>& at = C(x.q, x.qd);
                  sides.add_by_unit(x.model, VectorX<S>(at * x.qd), seen, terms);
                  sides.rival("the rates meet the first index", [&](auto& wrong) {
                    wrong.add_by_unit(x.model, VectorX<S>(at.transpose() * x.qd), seen, terms);
                  });
                }
                sides.clause("ploen:1/product");
                sides.rival("other rates have the same product with every matrix, too", [&](auto& wrong) {
                  const VectorX<S> other = x.tau / S(10);
                  CoriolisMatrix<S> one(x.model, CoriolisFamily::ploen), another(x.model, CoriolisFamily::christoffel);
                  wrong.add_by_unit(x.model, VectorX<S>(one(x.q, x.qd) * other), VectorX<S>(another(x.q, x.qd) * other),
                                    terms);
                });
              }});
  r.identity({.name = "the_mass_matrix_changes_at_the_sum_of_C_and_its_transpose",
              .keys = {"ploen:P2/skew", "ploen:2/skew"},
              .symbols = "CoriolisMatrix",
              .method = "dual numbers",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const MassAlong<S> mass(x);
                const S turning = fastest_turn(x.kinematics);
                for (const CoriolisFamily family : families) {
                  if (!is_admissible(family)) continue;
                  CoriolisMatrix<S> C(x.model, family);
                  const MatrixX<S>& at = C(x.q, x.qd);
                  add_rates_of_mass<S>(sides, x.model, mass.M, turning, mass.rate, at + at.transpose());
                }
                sides.rival("the matrix of the recursion as it is does so, too", [&](auto& wrong) {
                  CoriolisMatrix<S> C(x.model, CoriolisFamily::newton_euler);
                  const MatrixX<S>& at = C(x.q, x.qd);
                  add_rates_of_mass<S>(wrong, x.model, mass.M, turning, mass.rate, at + at.transpose());
                });
              }});
  r.identity({.name = "the_true_rates_meet_no_power_in_M_dot_less_twice_C",
              .keys = {"ploen:1/power"},
              .symbols = "CoriolisMatrix",
              .method = "dual numbers",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const MassAlong<S> mass(x);
                const S power = inner_product<S>(x.qd, mass.rate * x.qd);
                const S beside = fastest_turn(x.kinematics) * inner_product<S>(x.qd, mass.M * x.qd);
                for (const CoriolisFamily family : families) {
                  CoriolisMatrix<S> C(x.model, family);
                  sides.add(power, S(2) * inner_product<S>(x.qd, C(x.q, x.qd) * x.qd), beside);
                }
                sides.rival("other rates than the true ones meet none, whatever the matrix", [&](auto& wrong) {
                  const VectorX<S> s = x.tau / S(10);
                  CoriolisMatrix<S> C(x.model, CoriolisFamily::newton_euler);
                  wrong.add(inner_product<S>(s, mass.rate * s), S(2) * inner_product<S>(s, C(x.q, x.qd) * s),
                            S(fastest_turn(x.kinematics) * inner_product<S>(s, mass.M * s)));
                });
              }});
  r.identity(
      {.name = "a_reference_rate_needs_M_C_and_the_weight_and_no_matrix",
       .keys = {"ploen:35/recursion"},
       .symbols = "ReferenceDynamics ReferenceMotion::carry CoriolisMatrix",
       .method = "independent formulation",
       .sides = [](const Specimen<S>& x, Sides<S>& sides) {
         const VectorX<S> qd_r = x.tau / S(10), &qdd_r = x.qdd;
         const VectorX<S> inertial = witness_forces<S>(x, VectorX<S>::Zero(x.model.nv()), qdd_r, Vector3<S>());
         const VectorX<S> weight = witness_gravity(x), true_forces = witness_coriolis(x);
         const VectorX<S> terms = coriolis_terms(x, qd_r);
         for (const CoriolisFamily family : families) {
           ReferenceDynamics<S> reference(x.model, family);
           CoriolisMatrix<S> C(x.model, family);
           const VectorX<S> product = C(x.q, x.qd) * qd_r;
           sides.add_by_unit(x.model, reference.coriolis_product(x.q, x.qd, qd_r), product, terms);
           sides.add_by_unit(x.model, reference(x.q, x.qd, qd_r, qdd_r), VectorX<S>(inertial + product + weight));
           sides.rival("the true rates and those of the reference are exchanged", [&](auto& wrong) {
             const VectorX<S> exchanged = C(x.q, qd_r) * x.qd;
             wrong.add_by_unit(x.model, reference.coriolis_product(x.q, x.qd, qd_r), exchanged, terms);
           });
           // With the true rates it is inverse dynamics.
           sides.add_by_unit(x.model, reference(x.q, x.qd, x.qd, qdd_r), VectorX<S>(inertial + true_forces + weight));
         }
       }});
}

/// All bodies' frames moved along their joints' axes, which leaves every screw as it is.
template <typename S>
Model<S> with_frames_shifted(const Specimen<S>& x)
{
  const auto shift = [&](int i) { return SE3<S>{{}, {S(0), S(0), i == 0 ? S(0) : x.number(i % 128)}}; };
  std::vector<Body<S>> shifted;
  for (Body<S> body : x.model.outward()) {
    body.M = inverse(shift(body.parent)) * body.M * shift(body.index);
    body.I = coAd(shift(body.index), body.I);
    shifted.push_back(body);
  }
  return x.model.with(shifted);
}

bool has_screws_only(const Model<double>& model)
{
  for (int i = 1; i <= model.bodies(); ++i)
    if (model.body(i).kind != JointKind::screw) return false;
  return model.bodies() > 0;
}

template <typename S>
void frames(Registry<S>& r)
{
  r.identity({.name = "where_link_frames_are_changes_ploens_C_of_a_mechanism_and_no_other",
              .keys = {"ploen:37"},
              .symbols = "CoriolisMatrix coriolis_wrench",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const Model<S> shifted = with_frames_shifted(x);
                    // Each body adds what its turning makes of the change of its half trace.
                    const int n = x.model.nv();
                    MatrixX<S> added = MatrixX<S>::Zero(n, n);
                    std::vector<Vector3<S>> axis(n);  // of each joint, in the world
                    for (int i = 1; i <= x.bodies(); ++i) {
                      const SE3<S>& pose = x.kinematics.pose[i];
                      const Inertia<S>&I = x.model.body(i).I, &J = shifted.body(i).I;
                      const S change = (J.second_moment.xx + J.second_moment.yy + J.second_moment.zz -
                                        I.second_moment.xx - I.second_moment.yy - I.second_moment.zz) /
                                       S(2);
                      const Vector3<S> w = pose.R * x.kinematics.V[i].w;
                      axis[x.model.body(i).v] = pose.R * x.kinematics.S[i].column(0).w;
                      for (int a = i; a > 0; a = x.model.body(a).parent)
                        for (int b = i; b > 0; b = x.model.body(b).parent) {
                          const int j = x.model.body(a).v, k = x.model.body(b).v;
                          added(j, k) += change * inner(axis[j], cross(w, axis[k]));
                        }
                    }
                    const MassAlong<S> mass(x);
                    const S turning = fastest_turn(x.kinematics);
                    for (const CoriolisFamily family : families) {
                      CoriolisMatrix<S> before(x.model, family), after(shifted, family);
                      const MatrixX<S> unchanged = before(x.q, x.qd);
                      MatrixX<S> expected = unchanged;
                      if (family == CoriolisFamily::ploen) expected += added;
                      add_rates_of_mass<S>(sides, x.model, mass.M, turning, after(x.q, x.qd), expected);
                      if (family == CoriolisFamily::ploen)
                        sides.rival("it does not depend on the frames", [&](auto& wrong) {
                          add_rates_of_mass<S>(wrong, x.model, mass.M, turning, after(x.q, x.qd), unchanged);
                        });
                    }
                  },
              .applies = [](const Model<double>& m) { return has_screws_only(m) && is_compared_in_full(m); }});
}

/// The closed forms with block diagonals of Proposition 1.
template <typename S>
ClosedForms<S> modified(const Recursion<S>& motion, const VectorX<S>& qd)
{
  return {motion, qd, [&](int i) { return PloenBody<S>(motion.model().body(i).I).C_bar(motion.V[i].w); }};
}

template <typename S>
void modified_forms(Registry<S>& r)
{
  r.identity({.name = "the_modified_recursion_is_the_equation_of_motion_by_global_matrices",
              .keys = {"ploen:35/equation"},
              .symbols = "GlobalMatrices GlobalMatrices::phi",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    // M qdd + C qd + phi, from the right: no product of two matrices.
                    const GlobalMatrices<S> m(x.inverse, x.qd);
                    const VectorX<S> V = m.G * (m.S * x.qd);
                    const VectorX<S> Vdot = m.G * (m.S * x.qdd + m.ad_Sqd * (m.Gamma * V) + m.Sdot * x.qd);
                    const auto tau = [&](const S& sign) {  // of m [r]^2
                      VectorX<S> F = m.J * Vdot;
                      for (int i = 1; i <= x.bodies(); ++i)
                        F.template segment<6>(6 * i - 6) +=
                            PloenBody<S>(x.model.body(i).I, sign).C_bar(x.inverse.V[i].w) *
                            V.template segment<6>(6 * i - 6);
                      return VectorX<S>(m.S.transpose() * (m.G.transpose() * F) + m.phi());
                    };
                    const VectorX<S> seen = witness_forces<S>(x, x.qd, x.qdd, x.gravity);
                    sides.add_by_unit(x.model, tau(S(-1)), seen);
                    sides.rival("the square of [r] is added in the bodies' matrices",
                                [&](auto& wrong) { wrong.add_by_unit(x.model, tau(S(1)), seen); });
                  },
              .applies = is_compared_in_full});
  r.identity({.name = "C_of_proposition_one_by_global_matrices_is_that_of_the_recursion",
              .keys = {"ploen:37"},
              .symbols = "GlobalMatrices::C CoriolisMatrix coriolis_matrix",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const ClosedForms<S> forms = modified(x.inverse, x.qd);
                    const MassAlong<S> mass(x);
                    const S turning = fastest_turn(x.kinematics);
                    CoriolisMatrix<S> recursion(x.model, CoriolisFamily::ploen);
                    add_rates_of_mass<S>(sides, x.model, mass.M, turning, recursion(x.q, x.qd), forms.C);
                    for (const CoriolisFamily family : families) {
                      CoriolisMatrix<S> C(x.model, family);
                      add_rates_of_mass<S>(sides, x.model, mass.M, turning, C(x.q, x.qd), forms.m.C(family));
                    }
                    sides.rival("the bodies' matrices are those of the recursion as it is", [&](auto& wrong) {
                      add_rates_of_mass<S>(wrong, x.model, mass.M, turning, recursion(x.q, x.qd),
                                           forms.m.C(CoriolisFamily::newton_euler));
                    });
                  },
              .applies = has_few_bodies});
  r.identity({.name = "M_dot_less_twice_C_is_skew_by_matrices_alone",
              .keys = {"ploen:P2/skew", "ploen:P2/difference", "ploen:P2/bodies"},
              .symbols = "GlobalMatrices::G GlobalMatrices::ad_Sqd GlobalMatrices::Sdot",
              .method = "dual numbers",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const ClosedForms<S> f = modified(x.inverse, x.qd);
                    const MassAlong<S> mass(x);
                    const S turning = fastest_turn(x.kinematics);
                    const MatrixX<S> K = mass.rate - S(2) * f.C;
                    const MatrixX<S> of_bodies = f.GS.transpose() * (f.C_bar * f.GS);
                    const MatrixX<S> skew_part = f.N - f.N.transpose();
                    sides.clause("ploen:P2/difference");
                    add_rates_of_mass<S>(sides, x.model, mass.M, turning, K, skew_part - S(2) * of_bodies);
                    sides.rival("the factor two of the last term is lost", [&](auto& wrong) {
                      add_rates_of_mass<S>(wrong, x.model, mass.M, turning, K, skew_part - of_bodies);
                    });
                    const MatrixX<S> as_it_is = f.m.C_bar(CoriolisFamily::newton_euler);
                    sides.clause("ploen:P2/skew");
                    add_rates_of_mass<S>(sides, x.model, mass.M, turning, K, -K.transpose());
                    sides.rival("the bodies' matrices are those of the recursion as it is", [&](auto& wrong) {
                      const MatrixX<S> other = K + S(2) * of_bodies - S(2) * (f.GS.transpose() * (as_it_is * f.GS));
                      add_rates_of_mass<S>(wrong, x.model, mass.M, turning, other, -other.transpose());
                    });
                    const auto blocks = [&](const MatrixX<S>& diagonal) {
                      std::vector<Matrix6<S>> all;
                      for (int i = 1; i <= x.bodies(); ++i)
                        all.push_back(diagonal.template block<6, 6>(6 * i - 6, 6 * i - 6));
                      return all;
                    };
                    sides.clause("ploen:P2/bodies");
                    const auto C_bar = blocks(f.m.C_bar(CoriolisFamily::ploen));
                    add_maps(sides, C_bar, blocks(f.C_bar));
                    add_maps(sides, C_bar, minus_transposed<S>(C_bar));
                    sides.rival("those of the recursion as it is are skew-symmetric, too", [&](auto& wrong) {
                      add_maps(wrong, blocks(as_it_is), minus_transposed<S>(blocks(as_it_is)));
                    });
                  },
              .applies = has_few_bodies});
}

/// \f$C_iV_i\f$ of the last body of a drawn chain by some matrix, and the wrench that its momentum asks for.
template <typename S, typename Matrix>
Sides<S> wrench_of_the_last_body(const Specimen<S>& x, const Matrix& matrix)
{
  const DrawnMotion<S> drawn(x);
  const Twist<S> V = drawn.motion.V.back();
  const Inertia<S> J = drawn.chain.model.body(drawn.chain.model.bodies()).I;
  Sides<S> sides;
  sides.add(to_wrench(Vector6<S>(matrix(J, V) * coordinates(V))), carried_past(V, J * V));
  return sides;
}

template <typename S>
void errata(Registry<S>& r)
{
  // The transpose stands on a line of its own in the scan; without it the mass matrix would change at twice C.
  const auto rate = [](const Specimen<S>& x, bool printed) {
    Sides<S> sides;
    const DrawnMotion<S> drawn(x);
    const Chain<S>& chain = drawn.chain;
    const MassAlong<S> mass(chain.model, chain.x, chain.xd);
    const MatrixX<S> K = mass.rate - S(2) * modified(drawn.motion, chain.xd).C;
    add_rates_of_mass<S>(sides, chain.model, mass.M, fastest_turn(drawn.motion), K,
                         printed ? MatrixX<S>(-K) : MatrixX<S>(-K.transpose()));
    return sides;
  };
  r.erratum({.id = "E-ploen-2",
             .keys = {"ploen:P2"},
             .margin = 1e-2,
             .printed = {[=](const Specimen<S>& x, Sides<S>& sides) { sides.append(rate(x, true)); }},
             .corrected = [=](const Specimen<S>& x, Sides<S>& sides) { sides.append(rate(x, false)); }});
  // The star is lost.
  r.erratum({.id = "E-ploen-3",
             .keys = {"ploen:30", "ploen:P1"},
             .margin = 1e-2,
             .printed = {[](const Specimen<S>& x, Sides<S>& sides) {
               sides.append(wrench_of_the_last_body(
                   x, [](const Inertia<S>& J, const Twist<S>& V) { return Matrix6<S>(-ad_matrix(V) * J.matrix()); }));
             }},
             .corrected = [](const Specimen<S>& x, Sides<S>& sides) {
               sides.append(wrench_of_the_last_body(x, [](const Inertia<S>& J, const Twist<S>& V) {
                 return Matrix6<S>(-ad_matrix(V).transpose() * J.matrix());
               }));
             }});
  // The print holds; the plus sign that one may expect does not.
  const auto with_sign = [](const S& sign) {
    return [sign](const Inertia<S>& J, const Twist<S>& V) { return PloenBody<S>(J, sign).C_bar(V.w); };
  };
  r.erratum({.id = "E-ploen-8",
             .keys = {"ploen:P1"},
             .margin = 1e-5,
             .printed = {[=](const Specimen<S>& x, Sides<S>& sides) {
               sides.append(wrench_of_the_last_body(x, with_sign(S(1))));
             }},
             .corrected = [=](const Specimen<S>& x, Sides<S>& sides) {
               sides.append(wrench_of_the_last_body(x, with_sign(S(-1))));
             }});
  // The print holds; what one may read into it, that no other matrix is skew and gives the product, does not.
  const auto another = [](const Inertia<S>& J, const Twist<S>& V) {
    return Matrix6<S>(J.matrix() * ad_matrix(V) - ad_matrix(V).transpose() * J.matrix());
  };
  r.erratum({.id = "E-ploen-12",
             .keys = {"ploen:P1"},
             .margin = 1e-2,
             .printed = {[=](const Specimen<S>& x, Sides<S>& sides) {
               const DrawnMotion<S> drawn(x);
               const Twist<S> V = drawn.motion.V.back();
               const Inertia<S> J = drawn.chain.model.body(drawn.chain.model.bodies()).I;
               add_maps<S>(sides, {another(J, V)}, {PloenBody<S>(J).C_bar(V.w)});
             }},
             .corrected = [=](const Specimen<S>& x, Sides<S>& sides) {
               sides.append(wrench_of_the_last_body(x, another));
               const DrawnMotion<S> drawn(x);
               const Matrix6<S> C =
                   another(drawn.chain.model.body(drawn.chain.model.bodies()).I, drawn.motion.V.back());
               add_maps<S>(sides, {C}, {Matrix6<S>(-C.transpose())});
             }});
}

}  // namespace

template <typename S>
void skew_symmetry_identities(Registry<S>& r)
{
  one_body(r);
  mechanisms(r);
  frames(r);
  modified_forms(r);
  errata(r);
}

template void skew_symmetry_identities(Registry<ARTICULATE_PROOF_SCALAR>&);

}  // namespace articulate::validation
