/** \file
 *  \brief Proofs of chapter higher_order: Ali, Gabellieri and Franchi, kinematics and inverse dynamics of any order.
 */
#include <higher_order/runs.hpp>
#include <ledger/calculus.hpp>

namespace articulate::validation {
namespace {

template <typename S>
void kinematics(Registry<S>& r)
{
  r.identity({.name = "screws_and_twists_have_the_derivatives_of_the_motion",
              .keys = {"ali:A1"},
              .symbols = "SpatialForm::place SpatialForm::kinematics SpatialForm::screws_and_inertias "
                         "SpatialForm::twists CrossProducts::ad Binomials",
              .method = "vector mechanics over series in time, to order 4",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const TrueMotion<S>& m = x.template once<TrueMotion<S>>();
                SpatialForm<S> form(x.model, highest_order, Partition(x.model.nv(), true));
                form.rates = m.rates;
                form.place(x.q);
                for (int k = 0; k <= highest_order + 1; ++k) {
                  form.kinematics(k);
                  sides.add(of_bodies(x, [&](int i) { return form.V(form.last(i), k); }),
                            of_bodies(x, [&](int i) { return m.V[i][k]; }));
                  add_beside(sides, of_degrees(x, [&](int d) { return form.S(d, k); }),
                             of_degrees(x, [&](int d) { return m.screws[d][k]; }), bracket_terms(m, form, k));
                }
              }});
  r.identity({.name = "a_pose_and_its_spatial_twist_have_each_others_derivatives",
              .keys = {"ali:20"},
              .symbols = "pose_derivatives spatial_twists Binomials",
              .method = "vector mechanics over series in time, to order 4",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const TrueMotion<S>& m = x.template once<TrueMotion<S>>();
                    const int i = x.bodies();  // the last: the base's pose tells no slip on some robots
                    const std::vector<Twist<S>> V(m.V[i].begin(), m.V[i].end() - 1);
                    const auto derivatives = pose_derivatives(x.kinematics.pose[i], V);
                    const auto twists = spatial_twists(m.pose[i]);
                    for (int k = 0; k <= highest_order + 1; ++k)
                      for (const int rows : {0, 3}) {  // of a turn, of a place
                        const int columns = rows == 0 ? 3 : 1;
                        sides.add(derivatives[k].block(0, rows, 3, columns), m.pose[i][k].block(0, rows, 3, columns));
                      }
                    for (int k = 0; k <= highest_order; ++k) sides.add(twists[k], m.V[i][k]);
                  },
              .applies = is_small});
  r.identity({.name = "derivatives_of_twists_and_wrenches_are_carried_between_body_and_space",
              .keys = {"ali:6", "ali:67", "ali:68", "ali:69"},
              .symbols = "to_spatial to_body derivatives_along",
              .method = "vector mechanics over series in time, to order 4",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const TrueMotion<S>& m = x.template once<TrueMotion<S>>();
                    const int i = x.bodies();
                    const SE3<S>& C = x.kinematics.pose[i];
                    std::vector<Wrench<S>> F, W;
                    for (int k = 0; k <= highest_order; ++k) F.push_back(m.Fext[k][i]), W.push_back(m.applied[i][k]);
                    const auto V = to_spatial(C, m.V_body[i]), V_body = to_body(C, m.V[i]);
                    const auto to_W = to_spatial(C, m.V_body[i], F), to_F = to_body(C, m.V[i], W);
                    for (int k = 0; k <= highest_order + 1; ++k) {
                      sides.add(V[k], m.V[i][k]);
                      sides.add(V_body[k], m.V_body[i][k]);
                    }
                    for (int k = 0; k <= highest_order; ++k) {
                      sides.add(to_W[k], W[k]);
                      sides.add(to_F[k], F[k]);
                    }
                  },
              .applies = is_small});
}

template <typename S>
void inverse_dynamics(Registry<S>& r)
{
  r.identity(
      {.name = "inertias_momenta_and_weights_seen_from_space_have_the_derivatives_of_the_motion",
       .keys = {"ali:59", "ali:60", "ali:61", "ali:62", "ali:63", "ali:64", "ali:65"},
       .symbols = "SpatialForm::place SpatialForm::screws_and_inertias SpatialForm::momentum_rate "
                  "SpatialForm::momentum_bias SpatialForm::weight CrossProducts::add_both CrossProducts::complete "
                  "CrossProducts::add_coad WrenchMap",
       .method = "vector mechanics over series in time, to order 4",
       .sides = [](const Specimen<S>& x, Sides<S>& sides) {
         const TrueMotion<S>& m = x.template once<TrueMotion<S>>();
         SpatialForm<S> form = inverse_run(x, m);
         for (int k = 0; k <= highest_order + 1; ++k) {
           const auto X = [&](int i) { return x.twist((6 * i) % 122); };
           // The terms of (61) and (62), which may cancel.
           std::vector<Wrench<S>> of_M, of_Pi;
           const Binomials<S> binomial(k);
           for (int i = 1; i <= x.bodies(); ++i)
             for (int l = 0; l <= k; ++l) {
               of_Pi.push_back(binomial(k, l) * to_wrench(m.M[i][k - l] * coordinates(m.V[i][l])));
               if (l < k)
                 of_M.push_back(binomial(k - 1, l) * coad(m.V[i][l], to_wrench(m.M[i][k - 1 - l] * coordinates(X(i)))));
             }
           sides.add(of_bodies(x, [&](int i) { return form.M(i, k) * X(i); }),
                     of_bodies(x, [&](int i) { return to_wrench(m.M[i][k] * coordinates(X(i))); }), of_M);
           const auto Pi = of_bodies(x, [&](int i) { return m.Pi[i][k]; });
           sides.add(of_bodies(x, [&](int i) { return form.momentum_rate(i, k); }), Pi, of_Pi);
           if (k == 0) continue;
           sides.add(of_bodies(x, [&](int i) { return form.momentum_bias(i, k - 1); }),
                     of_bodies(x,
                               [&](int i) {
                                 return m.Pi[i][k] - to_wrench(m.M[i][0] * coordinates(m.V[i][k]));  // (65)
                               }),
                     of_Pi);
           // The weight does not change but for where it acts: of its force rounding is left.
           const auto moved = [&](int i) { return coad(m.V[i][k - 1], m.weight[i][0]); };
           if (k <= highest_order)
             sides.add(of_bodies(x, [&](int i) { return form.weight(i, k); }),
                       of_bodies(x, [&](int i) { return m.weight[i][k]; }), of_bodies(x, moved));
         }
         sides.add(of_bodies(x, [&](int i) { return form.weight(i, 0); }),
                   of_bodies(x, [&](int i) { return m.weight[i][0]; }));
       }});
  r.identity(
      {.name = "wrenches_given_in_turning_frames_have_the_derivatives_of_the_motion",
       .keys = {"ali:67", "ali:68", "ali:69", "ali:70"},
       .symbols = "SpatialForm::apply SpatialForm::transport CrossProducts::add_coad WrenchMap",
       .method = "vector mechanics over series in time, to order 3",
       .sides =
           [](const Specimen<S>& x, Sides<S>& sides) {
             const TrueMotion<S>& m = x.template once<TrueMotion<S>>();
             const SpatialForm<S> form = inverse_run(x, m);
             for (int k = 0; k <= highest_order; ++k) {
               sides.add(of_bodies(x, [&](int i) { return form.applied(i, k); }),
                         of_bodies(x, [&](int i) { return m.applied[i][k]; }));
               sides.add(of_bodies(x, [&](int i) { return form.transport(i, k) * m.Fext[0][i]; }),
                         of_bodies(x, [&](int i) { return to_wrench(m.transport[i][k] * coordinates(m.Fext[0][i])); }));
             }
             // (68), written out
             sides.add(of_bodies(x,
                                 [&](int i) {
                                   const SE3<S>& C = x.kinematics.pose[i];
                                   return coAdInv(C, m.Fext[1][i]) - coad(m.V[i][0], coAdInv(C, m.Fext[0][i]));
                                 }),
                       of_bodies(x, [&](int i) { return form.applied(i, 1); }));
           },
       .applies = is_small});
  r.identity({.name = "the_wrenches_on_every_body_add_up_to_the_rate_of_its_momentum_in_every_order",
              .keys = {"ali:57", "ali:58", "ali:A2"},
              .symbols = "SpatialForm::inverse SpatialForm::W SpatialForm::momentum_rate",
              .method = "vector mechanics over series in time, to order 3",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const TrueMotion<S>& m = x.template once<TrueMotion<S>>();
                const SpatialForm<S> form = inverse_run(x, m);
                for (int k = 0; k <= highest_order; ++k) {
                  std::vector<Wrench<S>> total, W;
                  for (int i = 1; i <= x.bodies(); ++i) {
                    W.push_back(form.W(form.last(i), k));
                    total.push_back(W.back() + m.applied[i][k] + m.weight[i][k]);
                  }
                  for (int i = 1; i <= x.bodies(); ++i)
                    if (const int p = x.model.body(i).parent) total[p - 1] = total[p - 1] - W[i - 1];
                  sides.add(total, of_bodies(x, [&](int i) { return m.Pi[i][k + 1]; }), W);
                  sides.add(W, of_bodies(x, [&](int i) { return m.W[i][k]; }));
                }
              }});
  r.identity({.name = "joint_forces_have_the_derivatives_of_the_motion",
              .keys = {"ali:A2"},
              .symbols = "SpatialForm::inverse SpatialForm::run SpatialForm::torque_bias BodyForm::run "
                         "HigherOrderDynamics",
              .method = "vector mechanics over series in time, to order 3",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const TrueMotion<S>& m = x.template once<TrueMotion<S>>();
                const int n = x.model.nv();
                auto fast = HigherOrderDynamics<S>::inverse(x.model, highest_order);
                fast(x.q, x.qd, m.rates.rightCols(highest_order + 1), MatrixX<S>::Zero(n, highest_order + 1), m.Fext);
                add_found<S>(sides, x, m.rates, fast.tau(), m);
                add_found<S>(sides, x, m.rates, inverse_run(x, m).tau, m);
              }});
  r.identity({.name = "both_forms_find_the_same_forces_of_every_order",
              .keys = {"ali:A2", "ali:69"},
              .symbols = "SpatialForm::inverse SpatialForm::apply BodyForm::run",
              .method = "cross-check, to order 5",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    constexpr int r = 5;
                    const Partition all(x.model.nv(), true);
                    SpatialForm<S> spatial(x.model, r, all);
                    BodyForm<S> body(x.model, r, all);
                    spatial.rates = body.rates = drawn_rates(x, r + 2);
                    const WrenchDerivatives<S> Fext = drawn_wrenches(x, r);
                    spatial.run(x.q, Fext), body.run(x.q, Fext);
                    for (int k = 0; k <= r; ++k)
                      sides.add_by_unit(x.model, VectorX<S>(spatial.tau.col(k)), VectorX<S>(body.tau.col(k)));
                  },
              .applies = is_small});
}

}  // namespace

template <typename S>
void higher_order_identities(Registry<S>& r)
{
  kinematics(r);
  inverse_dynamics(r);
}

template void higher_order_identities(Registry<ARTICULATE_PROOF_SCALAR>&);

}  // namespace articulate::validation
