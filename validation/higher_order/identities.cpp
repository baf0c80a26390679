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
  r.identity(
      {.name = "screws_and_twists_have_the_derivatives_of_the_motion",
       .keys = {"ali:A1/screws", "ali:A1/twists", "ali:A1/screw-derivatives", "ali:A1/twist-derivatives"},
       .symbols = "SpatialForm::place SpatialForm::kinematics SpatialForm::screws_and_inertias "
                  "SpatialForm::twists CrossProducts::ad Binomials",
       .method = "vector mechanics over series in time, to order 4",
       .sides = [](const Specimen<S>& x, Sides<S>& sides) {
         const TrueMotion<S>& m = x.template once<TrueMotion<S>>();
         SpatialForm<S> form(x.model, highest_order, Partition(x.model.nv(), true));
         form.rates = m.rates;
         form.place(x.q);
         const TermSizes<S> sizes(x, m);
         for (int k = 0; k <= highest_order + 1; ++k) {
           form.kinematics(k);
           const auto V = of_bodies(x, [&](int i) { return m.V[i][k]; });
           sides.clause(k == 0 ? "ali:A1/twists" : "ali:A1/twist-derivatives");
           add_beside(sides, of_bodies(x, [&](int i) { return form.V(form.last(i), k); }), V, sizes.twists(k));
           if (k == 0)
             sides.rival("a parent's twist is carried on to its child, as body twists are", [&](auto& wrong) {
               wrong.add(of_bodies(x,
                                   [&](int i) {
                                     const int p = x.model.body(i).parent;
                                     const Twist<S> V_p = p == 0 ? Twist<S>{} : m.V[p][0];
                                     return m.V[i][0] - V_p + AdInv(x.model.body(i).M, V_p);
                                   }),
                         V);
             });
           else
             sides.rival("screws are taken to be constant, as in body frames", [&](auto& wrong) {
               wrong.add(of_bodies(x,
                                   [&](int i) {
                                     const int p = x.model.body(i).parent, first = x.model.body(i).v;
                                     Twist<S> sum = p == 0 ? Twist<S>{} : m.V[p][k];
                                     for (int d = first; d <= form.last(i); ++d) sum += m.rates(d, k) * m.screws[d][0];
                                     return sum;
                                   }),
                         V);
             });
           const auto screws = of_degrees(x, [&](int d) { return m.screws[d][k]; });
           sides.clause(k == 0 ? "ali:A1/screws" : "ali:A1/screw-derivatives");
           add_beside(sides, of_degrees(x, [&](int d) { return form.S(d, k); }), screws, sizes.screws(k));
           if (k == 0)
             sides.rival("screws are carried from home by the pose of the body, its home in it", [&](auto& wrong) {
               SpatialForm<S> at_home(form);
               at_home.place(x.model.zero_coordinates());
               wrong.add(of_degrees(x, [&](int d) { return Ad(form.C[form.body(d)], at_home.S(d, 0)); }), screws);
             });
           else
             sides.rival("the twist that turns the screw is not differentiated", [&](auto& wrong) {
               wrong.add(
                   of_degrees(x, [&](int d) { return ad(form.V(form.last(form.body(d)), 0), m.screws[d][k - 1]); }),
                   screws);
             });
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
                        // A place on an axis that stands still does not move: two terms cancel.
                        const S beside = rows == 3 && k > 0 ? S(V[k - 1].v.eigen().cwiseAbs().maxCoeff()) : S(0);
                        sides.add(derivatives[k].block(0, rows, 3, columns), m.pose[i][k].block(0, rows, 3, columns),
                                  beside);
                      }
                    for (int k = 0; k <= highest_order; ++k) sides.add(twists[k], m.V[i][k]);
                    sides.rival("the twist stands on the right, as a body twist does",
                                [&](auto& wrong) { wrong.add(Matrix4<S>(m.pose[i][0] * hat(V[0])), m.pose[i][1]); });
                    sides.rival("the twist is not differentiated",
                                [&](auto& wrong) { wrong.add(Matrix4<S>(hat(V[0]) * m.pose[i][1]), m.pose[i][2]); });
                  },
              .applies = is_small});
  r.identity({.name = "derivatives_of_twists_and_wrenches_are_carried_between_body_and_space",
              .keys = {"ali:6/forth", "ali:6/inverse", "ali:69"},
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
                      sides.clause("ali:6/forth");
                      sides.add(V[k], m.V[i][k]);
                      sides.rival("carried as if the frame stood still",
                                  [&](auto& wrong) { wrong.add(Ad(C, m.V_body[i][k]), m.V[i][k]); });
                      sides.clause("ali:6/inverse");
                      // A body that turns about an axis through its origin does not slide: the terms of v cancel.
                      const std::vector<Twist<S>> right{m.V_body[i][k]}, terms{m.V[i][k]};
                      add_beside(sides, {V_body[k]}, right, terms);
                      sides.rival("carried as if the frame stood still",
                                  [&](auto& wrong) { add_beside(wrong, {AdInv(C, m.V[i][k])}, right, terms); });
                    }
                    sides.clause("ali:69");
                    for (int k = 0; k <= highest_order; ++k) {
                      sides.add(to_W[k], W[k]);
                      sides.add(to_F[k], F[k]);
                      sides.rival("carried as if the frame stood still",
                                  [&](auto& wrong) { wrong.add(coAdInv(C, F[k]), W[k]); });
                    }
                  },
              .applies = is_small});
}

/// The spatial acceleration of a body that nothing holds and nothing pushes, at rest in a drawn pose.
template <typename S>
Twist<S> acceleration_of_what_is_let_go(const Specimen<S>& x)
{
  Mechanism stone;
  stone.links = {{"stone", 3, {2, -1, 1}, {0.1, 0.5, 0.5, 0.7}, {5, 1, 0, 6, 1, 7}}};
  const Model<S> model(Model<double>(stone, {.floating_base = true}));
  SpatialForm<S> form(model, 0, Partition(6, false));
  form.set_gravity(x.gravity);
  VectorX<S> q(7);
  q << x.vector(0).eigen(), x.vector(3).eigen(), S(2) + x.number(6);
  form.run(q, {});
  return form.V(form.last(1), 1);
}

template <typename S>
void inverse_dynamics(Registry<S>& r)
{
  r.identity(
      {.name = "inertias_momenta_and_weights_seen_from_space_have_the_derivatives_of_the_motion",
       .keys = {"ali:59", "ali:60", "ali:61", "ali:62", "ali:63/weight", "ali:63/gravity", "ali:64",
                "ali:65/difference", "ali:65/sum"},
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
           const auto times_M = [&](int i, int order, const Twist<S>& Y) {
             return to_wrench(m.M[i][order] * coordinates(Y));
           };
           const auto MX = of_bodies(x, [&](int i) { return times_M(i, k, X(i)); });
           sides.clause(k == 0 ? "ali:60" : "ali:61");
           sides.add(of_bodies(x, [&](int i) { return form.M(i, k) * X(i); }), MX, of_M);
           if (k == 0)
             sides.rival("the pose is not inverted", [&](auto& wrong) {
               wrong.add(of_bodies(x, [&](int i) { return coAd(form.C[i], x.model.body(i).I) * X(i); }), MX);
             });
           if (k == 1)
             sides.rival("the bracket enters with the same sign from both sides, as in a commutator", [&](auto& wrong) {
               wrong.add(of_bodies(x,
                                   [&](int i) {
                                     const Twist<S>& V = m.V[i][0];
                                     return coad(V, times_M(i, 0, X(i))) - times_M(i, 0, ad(V, X(i)));
                                   }),
                         MX, of_M);
             });
           if (k == 2)
             sides.rival("the twist is not differentiated", [&](auto& wrong) {
               wrong.add(of_bodies(x,
                                   [&](int i) {
                                     const Twist<S>& V = m.V[i][0];
                                     return -coad(V, times_M(i, 1, X(i))) - times_M(i, 1, ad(V, X(i)));
                                   }),
                         MX, of_M);
             });
           const auto Pi = of_bodies(x, [&](int i) { return m.Pi[i][k]; });
           sides.clause(k == 0 ? "ali:59" : "ali:62");
           sides.add(of_bodies(x, [&](int i) { return form.momentum_rate(i, k); }), Pi, of_Pi);
           if (k == 0)
             sides.rival("about the body's own origin, in its own axes", [&](auto& wrong) {
               wrong.add(of_bodies(x, [&](int i) { return x.model.body(i).I * m.V_body[i][0]; }), Pi);
             });
           else
             sides.rival("the inertia is constant, as in the body's own frame", [&](auto& wrong) {
               wrong.add(of_bodies(x, [&](int i) { return times_M(i, 0, m.V[i][k]); }), Pi, of_Pi);
             });
           if (k == 0) continue;
           const auto bias = of_bodies(x, [&](int i) { return m.Pi[i][k] - times_M(i, 0, m.V[i][k]); });
           const auto summed = [&](int order) {  // with the binomials of an order
             const Binomials<S> over(order);
             return of_bodies(x, [&](int i) {
               Wrench<S> sum;
               for (int l = 0; l < k; ++l) sum += (l <= order ? over(order, l) : S(0)) * times_M(i, k - l, m.V[i][l]);
               return sum;
             });
           };
           sides.clause("ali:65/difference");
           sides.add(of_bodies(x, [&](int i) { return form.momentum_bias(i, k - 1); }), bias, of_Pi);
           if (k == 1)
             sides.rival("nothing is taken off", [&](auto& wrong) {
               wrong.add(of_bodies(x, [&](int i) { return form.momentum_bias(i, 0); }), Pi, of_Pi);
             });
           sides.clause("ali:65/sum");
           sides.add(summed(k), bias, of_Pi);
           if (k == 2)
             sides.rival("the binomials are one order too low",
                         [&](auto& wrong) { wrong.add(summed(1), bias, of_Pi); });
           // The weight does not change but for where it acts: of its force rounding is left.
           const auto moved = [&](int i) { return coad(m.V[i][k - 1], m.weight[i][0]); };
           if (k > highest_order) continue;
           const auto weight = of_bodies(x, [&](int i) { return m.weight[i][k]; });
           sides.clause("ali:64");
           sides.add(of_bodies(x, [&](int i) { return form.weight(i, k); }), weight, of_bodies(x, moved));
           sides.rival("a weight is constant", [&](auto& wrong) {
             wrong.add(std::vector<Wrench<S>>(weight.size()), weight, of_bodies(x, moved));
           });
         }
         const auto weight = of_bodies(x, [&](int i) { return m.weight[i][0]; });
         sides.clause("ali:63/weight");
         sides.add(of_bodies(x, [&](int i) { return form.weight(i, 0); }), weight);
         sides.rival("its moment about the origin is left out", [&](auto& wrong) {
           wrong.add(of_bodies(x, [&](int i) { return Wrench<S>{{}, m.weight[i][0].f}; }), weight);
         });
         sides.clause("ali:63/gravity");
         const Twist<S> dropped = acceleration_of_what_is_let_go(x);
         sides.add(dropped.v, x.gravity);
         sides.add(dropped.w, form.gravity().w, S(x.gravity.eigen().cwiseAbs().maxCoeff()));  // it does not turn
         sides.rival("the acceleration of the ground", [&](auto& wrong) { wrong.add(dropped.v, -x.gravity); });
       }});
  r.identity({.name = "wrenches_given_in_turning_frames_have_the_derivatives_of_the_motion",
              .keys = {"ali:3/wrenches", "ali:67", "ali:68", "ali:69", "ali:70"},
              .symbols = "SpatialForm::apply SpatialForm::transport CrossProducts::add_coad WrenchMap",
              .method = "vector mechanics over series in time, to order 3",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const TrueMotion<S>& m = x.template once<TrueMotion<S>>();
                    const SpatialForm<S> form = inverse_run(x, m);
                    const auto at_rest = [&](int i, int k) { return coAdInv(x.kinematics.pose[i], m.Fext[k][i]); };
                    const auto turned = [&](int i) { return coad(m.V[i][0], at_rest(i, 0)); };
                    for (int k = 0; k <= highest_order; ++k) {
                      const auto applied = of_bodies(x, [&](int i) { return m.applied[i][k]; });
                      if (k == 0)
                        sides.clause({"ali:3/wrenches", "ali:67"});
                      else
                        sides.clause("ali:69");
                      sides.add(of_bodies(x, [&](int i) { return form.applied(i, k); }), applied);
                      if (k == 0)
                        sides.rival("carried by the transpose, which is not inverted", [&](auto& wrong) {
                          wrong.add(of_bodies(x, [&](int i) { return coAd(form.C[i], m.Fext[0][i]); }), applied);
                        });
                      else
                        sides.rival("carried as if the body stood still", [&](auto& wrong) {
                          wrong.add(of_bodies(x, [&](int i) { return at_rest(i, k); }), applied);
                        });
                      const auto carried =
                          of_bodies(x, [&](int i) { return to_wrench(m.transport[i][k] * coordinates(m.Fext[0][i])); });
                      sides.clause("ali:70");
                      sides.add(of_bodies(x, [&](int i) { return form.transport(i, k) * m.Fext[0][i]; }), carried);
                      if (k == 1)
                        sides.rival("the bracket of a spatial twist stands on the right", [&](auto& wrong) {
                          wrong.add(
                              of_bodies(x, [&](int i) { return -coAdInv(form.C[i], coad(m.V[i][0], m.Fext[0][i])); }),
                              carried);
                        });
                    }
                    const auto rate = of_bodies(x, [&](int i) { return m.applied[i][1]; });
                    sides.clause("ali:68");
                    sides.add(of_bodies(x, [&](int i) { return at_rest(i, 1) - turned(i); }), rate);
                    sides.add(of_bodies(x, [&](int i) { return form.applied(i, 1); }), rate);
                    sides.rival("the transpose is taken for a signed bracket", [&](auto& wrong) {
                      wrong.add(of_bodies(x, [&](int i) { return at_rest(i, 1) + turned(i); }), rate);
                    });
                  },
              .applies = is_small});
  r.identity({.name = "the_wrenches_on_every_body_add_up_to_the_rate_of_its_momentum_in_every_order",
              .keys = {"ali:57", "ali:58/balance", "ali:58/base", "ali:A2/wrenches", "ali:A2/base"},
              .symbols = "SpatialForm::inverse SpatialForm::W SpatialForm::momentum_rate",
              .method = "vector mechanics over series in time, to order 3",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const TrueMotion<S>& m = x.template once<TrueMotion<S>>();
                const SpatialForm<S> form = inverse_run(x, m);
                for (int k = 0; k <= highest_order; ++k) {
                  std::vector<Wrench<S>> total, W, pulled;
                  Wrench<S> whole;  // what changes the momentum of all bodies together: their joints cancel
                  for (int i = 1; i <= x.bodies(); ++i) {
                    W.push_back(form.W(form.last(i), k));
                    total.push_back(W.back() + m.applied[i][k] + m.weight[i][k]);
                    whole = whole + m.Pi[i][k + 1] - m.applied[i][k] - m.weight[i][k];
                  }
                  pulled = total;
                  for (int i = 1; i <= x.bodies(); ++i)
                    if (const int p = x.model.body(i).parent) {
                      total[p - 1] = total[p - 1] - W[i - 1];
                      pulled[p - 1] += W[i - 1];
                    }
                  const auto Pi_rate = of_bodies(x, [&](int i) { return m.Pi[i][k + 1]; });
                  sides.clause("ali:57");
                  sides.add(total, Pi_rate, W);
                  sides.rival("mass times acceleration, without the gyroscopic wrench", [&](auto& wrong) {
                    wrong.add(total,
                              of_bodies(x, [&](int i) { return to_wrench(m.M[i][0] * coordinates(m.V[i][k + 1])); }),
                              W);
                  });
                  sides.clause({"ali:58/balance", "ali:A2/wrenches"});
                  sides.add(total, Pi_rate, W);
                  sides.add(W, of_bodies(x, [&](int i) { return m.W[i][k]; }));
                  sides.rival("children push as they are pushed", [&](auto& wrong) { wrong.add(pulled, Pi_rate, W); });
                  if (!x.model.floating_base()) continue;
                  sides.clause({"ali:58/base", "ali:A2/base"});
                  sides.add(std::vector{form.W(form.last(1), k)}, std::vector{whole}, W);
                  sides.rival("nothing stands in for the joint that a floating base does not have",
                              [&](auto& wrong) { wrong.add(std::vector<Wrench<S>>(1), std::vector{whole}, W); });
                  sides.rival("the propellers carry the base alone", [&](auto& wrong) {
                    const Wrench<S> alone = m.Pi[1][k + 1] - m.applied[1][k] - m.weight[1][k];
                    wrong.add(std::vector{form.W(form.last(1), k)}, std::vector{alone}, W);
                  });
                }
              }});
  r.identity({.name = "joint_forces_have_the_derivatives_of_the_motion",
              .keys = {"ali:A2/torques"},
              .symbols = "SpatialForm::inverse SpatialForm::run SpatialForm::torque_bias HigherOrderDynamics",
              .method = "vector mechanics over series in time, to order 3",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const TrueMotion<S>& m = x.template once<TrueMotion<S>>();
                const int n = x.model.nv();
                auto fast = HigherOrderDynamics<S>::inverse(x.model, highest_order);
                fast(x.q, x.qd, m.rates.rightCols(highest_order + 1), MatrixX<S>::Zero(n, highest_order + 1), m.Fext);
                add_found<S>(sides, x, m.rates, fast.tau(), m);
                const SpatialForm<S> form = inverse_run(x, m);
                add_found<S>(sides, x, m.rates, form.tau, m);
                sides.rival("the wrench is differentiated and the screw is not", [&](auto& wrong) {
                  VectorX<S> tau(n);
                  for (int d = 0; d < n; ++d) tau(d) = pairing(form.W(d, 1), form.S(d, 0));
                  wrong.add_by_unit(x.model, tau, VectorX<S>(m.tau.col(1)));
                });
                sides.rival("the binomials are one order too low", [&](auto& wrong) {
                  VectorX<S> tau(n);
                  for (int d = 0; d < n; ++d) tau(d) = form.tau(d, 2) - pairing(form.W(d, 1), form.S(d, 1));
                  wrong.add_by_unit(x.model, tau, VectorX<S>(m.tau.col(2)));
                });
              }});
  r.identity({.name = "both_forms_find_the_same_forces_of_every_order",
              .keys = {"ali:A2/torques"},
              .symbols = "SpatialForm::inverse SpatialForm::apply",
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
                    const MatrixX<S> terms = force_terms(x, spatial);
                    for (int k = 0; k <= r; ++k)
                      sides.add_by_unit(x.model, VectorX<S>(spatial.tau.col(k)), VectorX<S>(body.tau.col(k)),
                                        VectorX<S>(terms.col(k)));
                    sides.rival("the derivatives of the wrenches on the bodies are forgotten", [&](auto& wrong) {
                      SpatialForm<S> other(x.model, 1, all);
                      other.rates = MatrixX<S>(spatial.rates.leftCols(3));
                      other.run(x.q, {Fext[0]});
                      wrong.add_by_unit(x.model, VectorX<S>(other.tau.col(1)), VectorX<S>(body.tau.col(1)));
                    });
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
