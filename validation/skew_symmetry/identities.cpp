/** \file
 *  \brief Proofs of chapter skew_symmetry: Ploen, section 5, \eq{ploen,30} to \eq{ploen,35}, \eq{ploen,37} and both
 *  propositions, and what holds for every family of Coriolis matrices.
 */
#include <articulate/lagrange/global_matrices.hpp>
#include <articulate/skew_symmetry/coriolis_matrix.hpp>
#include <articulate/skew_symmetry/reference_dynamics.hpp>
#include <ledger/calculus.hpp>
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

  /// The matrix of Proposition 1.
  Matrix6<S> C_bar(const Vector3<S>& turn) const
  {
    const Block w = skew(turn).eigen();
    Matrix6<S> C;
    C << w * I_bar + I_bar * w, m * r * w, -m * w * r, m * w;
    return C;
  }
};

/// \f$-\ad^*_VIV\f$ as the rate at which a momentum at rest changes for who moves with V.
template <typename S>
Wrench<S> carried_past(const Twist<S>& V, const Wrench<S>& momentum)
{
  return derivative(coAdInv(exp(time_series<S>() * constant(V)), constant(momentum)), 1);
}

/// Something of every body.
template <typename S, typename Function>
auto of_bodies(const Specimen<S>& x, const Function& f)
{
  std::vector<decltype(f(x.model.body(1), x.kinematics.V[1]))> all;
  for (int i = 1; i <= x.bodies(); ++i) all.push_back(f(x.model.body(i), x.kinematics.V[i]));
  return all;
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
              .keys = {"ploen:30"},
              .symbols = "coriolis_wrench",
              .method = "series",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                std::vector<Wrench<S>> rate, recursion, matrices;
                for (int i = 1; i <= x.bodies(); ++i) {
                  const Inertia<S>& J = x.model.body(i).I;
                  const Model<Series<S>>& model = x.series_model();
                  const SE3<Series<S>>& pose = x.along_motion().pose[i];
                  const Wrench<S> in_space =
                      derivative(Wrench<Series<S>>(coAdInv(pose, model.body(i).I * x.along_motion().V[i])), 1);
                  rate.push_back(coAd(x.kinematics.pose[i], in_space));
                  const Twist<S> V = x.motion.V[i], Vdot = x.motion.Vdot[i];
                  recursion.push_back(J * Vdot + coriolis_wrench(CoriolisFamily::newton_euler, J, V, V));
                  matrices.push_back(to_wrench(Vector6<S>(J.matrix() * coordinates(Vdot) -
                                                          ad_matrix(V).transpose() * J.matrix() * coordinates(V))));
                }
                sides.add(recursion, rate);
                sides.add(matrices, rate);
              }});
  r.identity({.name = "every_step_to_the_skew_matrix_of_a_body_keeps_its_wrench",
              .keys = {"ploen:31", "ploen:32", "ploen:33", "ploen:34", "ploen:P1"},
              .symbols = "coriolis_wrench coriolis_matrix",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                using Block = typename PloenBody<S>::Block;
                std::vector<Wrench<S>> truth, s31, s32, s33, s34, own;
                std::vector<Matrix6<S>> C_bar, minus_transpose, own_matrix;
                for (int i = 1; i <= x.bodies(); ++i) {
                  const Inertia<S>& J = x.model.body(i).I;
                  const PloenBody<S> body(J);
                  const Twist<S> V = x.kinematics.V[i];
                  const Vector6<S> six = coordinates(V);
                  const Eigen::Matrix<S, 3, 1> w = V.w.eigen(), v = V.v.eigen();
                  const Block W = skew(V.w).eigen(), U = skew(V.v).eigen();
                  const S& m = body.m;
                  truth.push_back(carried_past(V, J * V));

                  Matrix6<S> brackets;
                  brackets << W, U, Block::Zero(), W;
                  Matrix6<S> inertia;  // (12)
                  inertia << body.I - m * body.r * body.r, m * body.r, -m * body.r, m * Block::Identity();
                  s31.push_back(to_wrench(Vector6<S>(brackets * (inertia * six))));  // (31)
                  Vector6<S> y;
                  y.template tail<3>() = -m * W * body.r * w + m * W * v;
                  y.template head<3>() = W * body.I_bar * w + m * W * body.r * v - m * U * body.r * w + m * U * v;
                  s32.push_back(to_wrench(y));  // (32)
                  y.template head<3>() = W * body.I_bar * w + m * body.r * W * v + body.I_bar * W * w;
                  s33.push_back(to_wrench(y));  // (33)
                  C_bar.push_back(body.C_bar(V.w));
                  s34.push_back(to_wrench(Vector6<S>(C_bar.back() * six)));  // (34)

                  minus_transpose.push_back(-C_bar.back().transpose());
                  own_matrix.push_back(coriolis_matrix(CoriolisFamily::ploen, J, V));
                  own.push_back(coriolis_wrench(CoriolisFamily::ploen, J, V, V));
                }
                for (const auto& step : {s31, s32, s33, s34, own}) sides.add(step, truth);
                add_maps(sides, C_bar, minus_transpose);  // Proposition 1
                add_maps(sides, own_matrix, C_bar);
                // What (33) uses.
                const Vector3<S> a = x.vector(0), b = x.vector(3), c = x.vector(6);
                sides.add(cross(a, cross(b, c)) + cross(b, cross(c, a)), -cross(c, cross(a, b)), S(1));
              }});
  r.identity(
      {.name = "every_family_gives_a_body_the_same_wrench_by_a_matrix_of_its_own",
       .keys = {"ploen:P1"},
       .symbols = "coriolis_wrench coriolis_matrix",
       .method = "series",
       .sides = [](const Specimen<S>& x, Sides<S>& sides) {
         const auto truth = of_bodies(x, [](const auto& body, const auto& V) { return carried_past(V, body.I * V); });
         for (const CoriolisFamily family : families) {
           sides.add(of_bodies(x, [=](const auto& b, const auto& V) { return coriolis_wrench(family, b.I, V, V); }),
                     truth);
           // The matrix acts on any twist as the wrench says.
           std::vector<Wrench<S>> by_matrix, by_wrench;
           for (int i = 1; i <= x.bodies(); ++i) {
             const Body<S>& body = x.model.body(i);
             const Twist<S> V = x.kinematics.V[i], W = drawn(x, body);
             by_matrix.push_back(to_wrench(Vector6<S>(coriolis_matrix(family, body.I, V) * coordinates(W))));
             by_wrench.push_back(coriolis_wrench(family, body.I, V, W));
           }
           sides.add(by_matrix, by_wrench, truth);
         }
       }});
  r.identity({.name = "what_the_newton_euler_matrix_lacks_in_skewness_is_the_rate_of_the_inertia_in_space",
              .keys = {"ploen:30", "ploen:P1"},
              .symbols = "coriolis_matrix is_admissible",
              .method = "series",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                for (const CoriolisFamily family : families) {
                  const auto C =
                      of_bodies(x, [=](const auto& b, const auto& V) { return coriolis_matrix(family, b.I, V); });
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
                  add_maps(sides, C, rate_less_transpose);
                }
              }});
  r.identity({.name = "the_christoffel_family_has_no_torsion",
              .keys = {"ploen:2"},
              .symbols = "coriolis_wrench",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                // C(V)W - C(W)V = I [V, W]; the mean of two families that have some, of opposite signs, by definition.
                std::vector<Wrench<S>> torsion, bracket, own, mean, terms;
                for (int i = 1; i <= x.bodies(); ++i) {
                  const Inertia<S>& I = x.model.body(i).I;
                  const Twist<S> V = x.kinematics.V[i], W = drawn(x, x.model.body(i));
                  const auto C = [&](CoriolisFamily f) { return coriolis_wrench(f, I, V, W); };
                  torsion.push_back(C(CoriolisFamily::christoffel) -
                                    coriolis_wrench(CoriolisFamily::christoffel, I, W, V));
                  bracket.push_back(I * ad(V, W));
                  own.push_back(C(CoriolisFamily::christoffel));
                  mean.push_back(S(1) / S(2) * (C(CoriolisFamily::bracket) + C(CoriolisFamily::momentum)));
                  terms.push_back(coriolis_terms(I, V, W));
                }
                sides.add(torsion, bracket, terms);
                sides.add(own, mean, terms);
              }});
  r.identity({.name = "another_frame_on_the_body_changes_ploens_matrix_by_the_half_trace_of_the_inertia_and_no_other",
              .keys = {"ploen:P1"},
              .symbols = "coriolis_wrench coAd",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const SE3<S> X = x.pose(0);
                const Matrix6<S> A = Ad_matrix(X), A_inverse = inverted(A);
                for (const CoriolisFamily family : families) {
                  std::vector<Wrench<S>> there, carried, terms;
                  for (int i = 1; i <= x.bodies(); ++i) {
                    const Inertia<S>& I = x.model.body(i).I;
                    const Twist<S> V = x.kinematics.V[i], W = drawn(x, x.model.body(i));
                    const Inertia<S> I_there = coAd(X, I);
                    const Twist<S> V_there = to_twist(Vector6<S>(A_inverse * coordinates(V)));
                    const Twist<S> W_there = to_twist(Vector6<S>(A_inverse * coordinates(W)));
                    there.push_back(coriolis_wrench(family, I_there, V_there, W_there));
                    Wrench<S> wrench =
                        to_wrench(Vector6<S>(A.transpose() * coordinates(coriolis_wrench(family, I, V, W))));
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
                }
              }});
}

template <typename S>
void mechanisms(Registry<S>& r)
{
  r.identity({.name = "every_family_gives_the_same_coriolis_forces",
              .keys = {"ploen:1", "ploen:35"},
              .symbols = "CoriolisMatrix",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const VectorX<S> seen = witness_coriolis(x), terms = coriolis_terms(x, x.qd);
                for (const CoriolisFamily family : families) {
                  CoriolisMatrix<S> C(x.model, family);
                  sides.add_by_unit(x.model, VectorX<S>(C(x.q, x.qd) * x.qd), seen, terms);
                }
              }});
  r.identity({.name = "the_mass_matrix_changes_at_the_sum_of_C_and_its_transpose",
              .keys = {"ploen:P2", "ploen:2"},
              .symbols = "CoriolisMatrix is_admissible",
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
              }});
  r.identity({.name = "the_true_rates_meet_no_power_in_M_dot_less_twice_C",
              .keys = {"ploen:29", "ploen:P2"},
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
              }});
  r.identity(
      {.name = "a_reference_rate_needs_M_C_and_the_weight_and_no_matrix",
       .keys = {"ploen:35"},
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
           // With the true rates it is inverse dynamics.
           sides.add_by_unit(x.model, reference(x.q, x.qd, x.qd, qdd_r), VectorX<S>(inertial + true_forces + weight));
         }
       }});
}

/// All bodies' frames moved along their joints' axes, which leaves every screw as it is.
template <typename S>
Model<S> with_frames_shifted(const Specimen<S>& x)
{
  Model<S> model(x.model);
  const auto shift = [&](int i) { return SE3<S>{{}, {S(0), S(0), i == 0 ? S(0) : x.number(i % 128)}}; };
  for (int i = 1; i <= x.bodies(); ++i) {
    Body<S> body = model.body(i);
    body.M = inverse(shift(body.parent)) * body.M * shift(i);
    body.I = coAd(shift(i), body.I);
    model = model.with(body);
  }
  return model;
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
                      MatrixX<S> expected = before(x.q, x.qd);
                      if (family == CoriolisFamily::ploen) expected += added;
                      add_rates_of_mass<S>(sides, x.model, mass.M, turning, after(x.q, x.qd), expected);
                    }
                  },
              .applies = has_screws_only});
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
              .keys = {"ploen:35"},
              .symbols = "GlobalMatrices GlobalMatrices::phi",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                // M qdd + C qd + phi, from the right: no product of two matrices.
                const GlobalMatrices<S> m(x.inverse, x.qd);
                const VectorX<S> V = m.G * (m.S * x.qd);
                const VectorX<S> Vdot = m.G * (m.S * x.qdd + m.ad_Sqd * (m.Gamma * V) + m.Sdot * x.qd);
                VectorX<S> F = m.J * Vdot;
                for (int i = 1; i <= x.bodies(); ++i)
                  F.template segment<6>(6 * i - 6) +=
                      PloenBody<S>(x.model.body(i).I).C_bar(x.inverse.V[i].w) * V.template segment<6>(6 * i - 6);
                const VectorX<S> tau = m.S.transpose() * (m.G.transpose() * F) + m.phi();
                sides.add_by_unit(x.model, tau, witness_forces<S>(x, x.qd, x.qdd, x.gravity));
              }});
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
                  },
              .applies = has_few_bodies});
  r.identity({.name = "M_dot_less_twice_C_is_skew_by_matrices_alone",
              .keys = {"ploen:P2"},
              .symbols = "GlobalMatrices::G GlobalMatrices::ad_Sqd GlobalMatrices::Sdot",
              .method = "dual numbers",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const ClosedForms<S> f = modified(x.inverse, x.qd);
                    const MassAlong<S> mass(x);
                    const S turning = fastest_turn(x.kinematics);
                    const MatrixX<S> K = mass.rate - S(2) * f.C;
                    const MatrixX<S> by_N = f.N - f.N.transpose() - S(2) * (f.GS.transpose() * (f.C_bar * f.GS));
                    add_rates_of_mass<S>(sides, x.model, mass.M, turning, K, by_N);
                    add_rates_of_mass<S>(sides, x.model, mass.M, turning, K, -K.transpose());
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
