/** \file
 *  \brief Proofs of chapter higher_order: Ali, Gabellieri and Franchi, articulated bodies, forward and hybrid dynamics.
 */
#include <higher_order/runs.hpp>
#include <ledger/calculus.hpp>

namespace articulate::validation {
namespace {

/// (23) by dense blocks, the degrees of a joint together; those that are prescribed do not give way.
template <typename S>
std::vector<Matrix6<S>> articulated_inertias(const Specimen<S>& x, const TrueMotion<S>& m, const Partition& prescribed)
{
  std::vector<Matrix6<S>> MA;
  for (const auto& M : m.M) MA.push_back(M[0]);
  for (int i = x.bodies(); i > 0; --i) {
    const Body<S>& body = x.model.body(i);
    if (body.parent == 0) continue;
    MA[body.parent] += MA[i];
    std::vector<int> yields;
    for (int d = body.v; d < body.v + body.nv; ++d)
      if (!prescribed[d]) yields.push_back(d);
    if (yields.empty()) continue;
    MatrixX<S> s(6, yields.size());
    for (std::size_t k = 0; k < yields.size(); ++k) s.col(k) = coordinates(m.screws[yields[k]][0]);
    const MatrixX<S> U = MA[i] * s;
    MA[body.parent] -= U * solution<S>(MatrixX<S>(s.transpose() * U), MatrixX<S>(U.transpose()));
  }
  return MA;
}

/// What the parts of a body would weigh if no joint gave way.
template <typename S>
std::vector<Matrix6<S>> composite_inertias(const Specimen<S>& x, const TrueMotion<S>& m)
{
  return articulated_inertias(x, m, Partition(x.model.nv(), true));
}

/// \f$MX\f$ of all bodies.
template <typename S>
std::vector<Wrench<S>> answers(const Specimen<S>& x, const std::vector<Matrix6<S>>& M)
{
  return of_bodies(x, [&](int i) { return to_wrench(M[i] * coordinates(x.twist((6 * i) % 122))); });
}

/** \brief The lines of Algorithms 3 and 4 that gather biases, beside the wrenches of vector mechanics.
 *
 *  What a child hands on to its parent's bias is \f$b_i + M^A_i(S_i\tilde q_i + \beta_i)\f$ of the first degree of its
 *  joint, prescribed or not.
 *  \param clauses  whose these lines are
 */
template <typename S>
void add_biases(Sides<S>& sides, const Specimen<S>& x, const TrueMotion<S>& m, const SpatialForm<S>& form, int r,
                const std::vector<std::string>& clauses)
{
  const auto inertias = articulated_inertias(x, m, [&] {
    Partition prescribed;
    for (int d = 0; d < x.model.nv(); ++d) prescribed.push_back(form.is_prescribed(d));
    return prescribed;
  }());
  std::vector<Wrench<S>> gathered, hanging_rigidly, truth, size;
  for (int i = 1; i <= x.bodies(); ++i) {
    gathered.push_back(form.momentum_bias(i, r) - form.applied(i, r) - form.weight(i, r));
    truth.push_back(m.W[i][r] - to_wrench(inertias[i] * coordinates(m.V[i][r + 1])));
    size.push_back(m.W[i][r]);
  }
  hanging_rigidly = gathered;
  for (int i = 1; i <= x.bodies(); ++i)
    if (const int p = x.model.body(i).parent) {
      const int d = x.model.body(i).v;
      const Wrench<S> held = form.b[d] + form.MA[d] * form.beta[d];
      gathered[p - 1] += held + form.MA[d] * (form.q_tilde[d] * form.S(d, 0));
      hanging_rigidly[p - 1] += held;
    }
  sides.clause(clauses);
  sides.add(gathered, truth, size);
  sides.rival("a child hands on its bias as if its joint stood still",
              [&](auto& wrong) { wrong.add(hanging_rigidly, truth, size); });
}

/// (46) to (48), (53), (54), (66): what a joint lets through, in the orders given.
template <typename S>
void joints_that_give_way(const Specimen<S>& x, Sides<S>& sides, const std::vector<int>& orders)
{
  const TrueMotion<S>& m = x.template once<TrueMotion<S>>();
  const int n = x.model.nv();
  for (const int r : orders) {
    const SpatialForm<S> form = spatial_run(x, m, r, Partition(n, false));
    VectorX<S> torque(n), bias(n), rate(n), tilde(n), wrench(n), q_tilde(n), q_solved(n);
    VectorX<S> screws_at_rest(n), unbiased(n), low(n), before_turning(n),
        parent_at_rest(n);  // wrong
    std::vector<Twist<S>> beta(x.bodies()), left_over(beta), summed(beta), once(beta), twists;
    const Binomials<S> next_binomial(r + 1);
    for (int i = 1; i <= x.bodies(); ++i) {
      const int p = x.model.body(i).parent;
      twists.push_back(m.V[i][r + 1]);
      left_over[i - 1] = m.V[i][r + 1] - (p ? m.V[p][r + 1] : Twist<S>{});  // (66)
    }
    for (int d = 0; d < n; ++d) {
      const int i = form.body(d);
      const Twist<S>& s = m.screws[d][0];
      beta[i - 1] += form.beta[d];
      left_over[i - 1] = left_over[i - 1] - m.rates(d, r + 1) * s;
      for (int a = 1; a <= r + 1; ++a) {
        const Twist<S> term = m.rates(d, r + 1 - a) * m.screws[d][a];
        summed[i - 1] += next_binomial(r + 1, a) * term, once[i - 1] += term;
      }
      const Twist<S> before = form.before(d) < 0 ? Twist<S>{} : form.V(form.before(d), r + 1);
      // (46), (53): the torque is the projection of the wrench, and its derivatives are.
      const Twist<S> next = before + m.rates(d, r + 1) * s + form.beta[d];
      S lower(0), too_low(0);  // with (r over k), and with (r - 1 over k)
      const Binomials<S> binomial(r);
      for (int k = 0; k < r; ++k) {
        const S term = pairing(m.W[i][k], m.screws[d][r - k]);
        lower += binomial(r, k) * term, too_low += binomial(r - 1, k) * term;
      }
      bias(d) = lower;
      torque(d) = pairing(form.MA[d] * next + form.b[d], s) + lower;
      wrench(d) = pairing(m.W[i][r], s) + lower;
      screws_at_rest(d) = pairing(form.MA[d] * (next - form.beta[d]) + form.b[d], s) + lower;
      // (47), (54)
      const S held = pairing(form.MA[d] * (before + form.beta[d]) + form.b[d], s);
      rate(d) = (m.tau(d, r) - lower - held) / pairing(form.MA[d] * s, s);
      tilde(d) = form.q_tilde[d] - pairing(form.U[d], before) / form.D[d];
      parent_at_rest(d) = form.q_tilde[d] - pairing(form.U[d], next) / form.D[d];
      const Wrench<S> turning = form.MA[d] * form.beta[d];
      unbiased(d) = rate(d) + lower / form.D[d], low(d) = (lower - too_low) / form.D[d];
      before_turning(d) = rate(d) + pairing(turning, s) / form.D[d];
      q_tilde(d) = form.q_tilde[d];
      q_solved(d) = (m.tau(d, r) - lower - pairing(turning + form.b[d], s)) / form.D[d];
    }
    using Clauses = std::vector<std::string>;
    const VectorX<S> tau = m.tau.col(r), truth = m.rates.col(r + 1);
    if (r < 2) {
      sides.clause(r == 0 ? "ali:46/projection" : "ali:53");
      sides.add_by_unit(x.model, wrench, tau, bias);
      if (r == 0) {
        sides.rival("as the body pushes its parent",
                    [&](auto& wrong) { wrong.add_by_unit(x.model, VectorX<S>(-wrench), tau, bias); });
        sides.clause("ali:46/expanded");
        sides.rival("screws are constant, as in body frames",
                    [&](auto& wrong) { wrong.add_by_unit(x.model, screws_at_rest, tau, bias); });
      } else {
        sides.rival("the wrench is differentiated and the screw is not",
                    [&](auto& wrong) { wrong.add_by_unit(x.model, VectorX<S>(wrench - bias), tau, bias); });
      }
      sides.add_by_unit(x.model, torque, tau, bias);
    }
    sides.clause(r == 0   ? Clauses{"ali:47/solved", "ali:A3/joints"}
                 : r == 1 ? Clauses{"ali:54", "ali:A3/joints"}
                          : Clauses{"ali:A3/joints"});
    sides.add_by_unit(x.model, rate, truth);
    if (r == 0) {
      sides.clause("ali:47/solved");
      sides.rival("screws are constant, as in body frames",
                  [&](auto& wrong) { wrong.add_by_unit(x.model, before_turning, truth); });
    }
    if (r == 1) {
      sides.clause("ali:54");
      sides.rival("the wrench is differentiated and the screw is not",
                  [&](auto& wrong) { wrong.add_by_unit(x.model, unbiased, truth); });
    }
    sides.clause(r == 0 ? Clauses{"ali:47/short", "ali:A3/joints"} : Clauses{"ali:A3/joints"});
    sides.add_by_unit(x.model, tilde, truth);
    sides.rival("the next twist of the body for that of its parent",
                [&](auto& wrong) { wrong.add_by_unit(x.model, parent_at_rest, truth); });
    sides.clause("ali:A3/rates");
    sides.add_by_unit(x.model, q_tilde, q_solved, truth);
    if (r > 1)
      sides.rival("the binomials of the torque's bias are one order too low",
                  [&](auto& wrong) { wrong.add_by_unit(x.model, q_tilde, VectorX<S>(q_solved + low), truth); });
    sides.clause({"ali:66/difference", "ali:A3/twists"});
    add_beside(sides, beta, left_over, twists);
    sides.rival("nothing but the joint's own acceleration is added",
                [&](auto& wrong) { add_beside(wrong, std::vector<Twist<S>>(beta.size()), left_over, twists); });
    sides.clause("ali:66/sum");
    add_beside(sides, summed, left_over, twists);
    if (r == 1) sides.rival("without binomials", [&](auto& wrong) { add_beside(wrong, once, left_over, twists); });
  }
}

template <typename S>
void forward_dynamics(Registry<S>& r)
{
  r.identity({.name = "articulated_inertias_are_those_of_dense_blocks_and_of_body_frames_for_every_order",
              .keys = {"ali:23", "ali:49/inertia", "ali:A3/inertia"},
              .symbols = "SpatialForm::articulate SpatialForm::give_way SpatialForm::MA",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const TrueMotion<S>& m = x.template once<TrueMotion<S>>();
                    const SpatialForm<S> form = spatial_run(x, m, 0, Partition(x.model.nv(), false));
                    const auto dense = answers(x, articulated_inertias(x, m, Partition(x.model.nv(), false)));
                    const auto X = [&](int i) { return x.twist((6 * i) % 122); };
                    const auto MA = of_bodies(x, [&](int i) { return form.MA[form.last(i)] * X(i); });
                    sides.add(MA, dense);
                    sides.add(MA, of_bodies(x, [&](int i) {
                                const SE3<S>& C = x.kinematics.pose[i];
                                return coAdInv(C, x.forward.I_hat[i] * AdInv(C, X(i)));
                              }));
                    sides.rival("no joint gives way",
                                [&](auto& wrong) { wrong.add(answers(x, composite_inertias(x, m)), dense); });
                  },
              .applies = is_small});
  r.identity({.name = "the_articulated_inertia_of_a_floating_base_is_a_schur_complement_of_the_mass_matrix",
              .keys = {"ali:23"},
              .symbols = "SpatialForm::articulate SpatialForm::give_way",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const int n = x.model.nv() - 6;
                    const MatrixX<S> D = x.as_input(x.witness_mass_matrix());
                    MatrixX<S> schur = D.topLeftCorner(6, 6);
                    if (n > 0)
                      schur -= D.topRightCorner(6, n) * definite_solution<S>(MatrixX<S>(D.bottomRightCorner(n, n)),
                                                                             MatrixX<S>(D.bottomLeftCorner(n, 6)));
                    SpatialForm<S> form(x.model, 0, Partition(x.model.nv(), false));
                    form.rates.col(0) = x.qd;
                    form.run(x.q, {});
                    const SE3<S>& C = x.kinematics.pose[1];
                    const Twist<S> X = x.twist(0);
                    const Wrench<S> answer = coAd(C, form.MA[form.last(1)] * Ad(C, X));
                    sides.add(answer, to_wrench(schur * coordinates(X)));
                    sides.rival("the block of the base in the mass matrix, all joints locked", [&](auto& wrong) {
                      wrong.add(answer, to_wrench(Matrix6<S>(D.topLeftCorner(6, 6)) * coordinates(X)));
                    });
                  },
              .applies = [](const Model<double>& m) { return m.floating_base(); }});
  r.identity(
      {.name = "wrenches_are_affine_in_the_next_twist_with_the_articulated_inertia_in_every_order",
       .keys = {"ali:22", "ali:45/handle", "ali:45/child", "ali:48", "ali:51", "ali:55", "ali:49/bias", "ali:A3/bias",
                "ali:A3/wrenches"},
       .symbols = "SpatialForm::hybrid SpatialForm::articulate SpatialForm::b SpatialForm::MA "
                  "SpatialForm::momentum_bias SpatialForm::twist_bias",
       .method = "vector mechanics over series in time, to order 3",
       .sides =
           [](const Specimen<S>& x, Sides<S>& sides) {
             const TrueMotion<S>& m = x.template once<TrueMotion<S>>();
             for (int r = 0; r <= highest_order; ++r) {
               const SpatialForm<S> form = spatial_run(x, m, r, Partition(x.model.nv(), false));
               std::vector<Wrench<S>> affine, held, truth, found, balance, own, own_bias, pulled;
               for (int i = 1; i <= x.bodies(); ++i) {
                 const int d = form.last(i);
                 const Twist<S>& next = m.V[i][r + 1];
                 held.push_back(form.b[d]), truth.push_back(m.W[i][r]), found.push_back(form.W(d, r));
                 affine.push_back(form.MA[d] * next + form.b[d]);
                 own.push_back(form.M(i, 0) * next + form.b[d]);
                 const Wrench<S> bias = form.momentum_bias(i, r) - form.applied(i, r) - form.weight(i, r);
                 own_bias.push_back(form.MA[d] * next + bias);
                 balance.push_back(form.M(i, 0) * next + bias);
               }
               pulled = balance;
               for (int i = 1; i <= x.bodies(); ++i)  // a body by itself and what its children take
                 if (const int p = x.model.body(i).parent) {
                   balance[p - 1] += affine[i - 1];
                   pulled[p - 1] = pulled[p - 1] - affine[i - 1];
                 }
               using Clauses = std::vector<std::string>;
               Clauses line{"ali:22", "ali:A3/wrenches"};
               const Clauses at_order[] = {{"ali:45/child", "ali:48"}, {"ali:51", "ali:55"}};
               if (r < 2) line.insert(line.end(), at_order[r].begin(), at_order[r].end());
               sides.clause(line);
               sides.add(affine, truth, held);
               sides.add(found, truth, held);
               sides.rival("the inertia of the body itself", [&](auto& wrong) { wrong.add(own, truth, held); });
               sides.rival("the bias of the body itself", [&](auto& wrong) { wrong.add(own_bias, truth, held); });
               if (r == 0) {
                 sides.clause("ali:45/handle");
                 sides.add(balance, truth, held);
                 sides.rival("the child pushes as it is pushed", [&](auto& wrong) { wrong.add(pulled, truth, held); });
               }
               add_biases(sides, x, m, form, r,
                          r == 0 ? Clauses{"ali:49/bias", "ali:A3/bias"} : Clauses{"ali:A3/bias"});
             }
           },
       .applies = is_small});
  r.identity({.name = "a_floating_base_finds_its_next_twist_from_the_wrench_that_it_is_given",
              .keys = {"ali:50", "ali:56", "ali:A3/base"},
              .symbols = "SpatialForm::hybrid SpatialForm::articulate SpatialForm::b SpatialForm::MA",
              .method = "vector mechanics over series in time, to order 1",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const TrueMotion<S>& m = x.template once<TrueMotion<S>>();
                    for (const int r : {0, 1}) {
                      const SpatialForm<S> form = spatial_run(x, m, r, Partition(x.model.nv(), false));
                      const int base = form.last(1);
                      const Twist<S>& next = m.V[1][r + 1];
                      const Vector6<S> given = coordinates(m.W[1][r] - form.b[base]);
                      sides.clause({r == 0 ? "ali:50" : "ali:56", "ali:A3/base"});
                      sides.add(to_twist(Vector6<S>(inverted(form.MA[base].matrix()) * given)), next);
                      sides.add(form.V(base, r + 1), next);
                      sides.rival("all joints locked", [&](auto& wrong) {
                        wrong.add(to_twist(Vector6<S>(inverted(composite_inertias(x, m)[1]) * given)), next);
                      });
                    }
                  },
              .applies = [](const Model<double>& m) { return m.floating_base() && is_small(m); }});
  // Order by order, as each has less room for rounding than the next.
  r.identity({.name = "a_joint_gives_way_to_what_its_torque_leaves",
              .keys = {"ali:46/projection", "ali:46/expanded", "ali:47/solved", "ali:47/short", "ali:53", "ali:54",
                       "ali:66/difference", "ali:66/sum", "ali:A3/rates", "ali:A3/joints", "ali:A3/twists"},
              .symbols = "SpatialForm::hybrid SpatialForm::U SpatialForm::D SpatialForm::q_tilde SpatialForm::beta "
                         "SpatialForm::torque_bias SpatialForm::twist_bias",
              .method = "vector mechanics over series in time",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    joints_that_give_way(x, sides, {0, 1});
                  },
              .applies = is_small});
  r.identity({.name = "a_joint_gives_way_to_what_its_torque_leaves_in_order_two",
              .keys = {"ali:66/difference", "ali:66/sum", "ali:A3/rates", "ali:A3/joints", "ali:A3/twists"},
              .symbols = "SpatialForm::hybrid SpatialForm::U SpatialForm::D SpatialForm::q_tilde SpatialForm::beta "
                         "SpatialForm::torque_bias SpatialForm::twist_bias",
              .method = "vector mechanics over series in time",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) { joints_that_give_way(x, sides, {2}); },
              .applies = is_small});
  r.identity(
      {.name = "one_body_alone_needs_its_inertia_and_a_bias_of_its_own",
       .keys = {"ali:44/wrench", "ali:44/bias", "ali:52/bias", "ali:52/momentum", "ali:52/twist", "ali:51"},
       .symbols = "SpatialForm::momentum_bias SpatialForm::twist_bias SpatialForm::weight SpatialForm::apply",
       .method = "vector mechanics over series in time",
       .sides =
           [](const Specimen<S>& x, Sides<S>& sides) {
             const TrueMotion<S>& m = x.template once<TrueMotion<S>>();
             const SpatialForm<S> zero = spatial_run(x, m, 0, Partition(x.model.nv(), false));
             const SpatialForm<S> one = spatial_run(x, m, 1, Partition(x.model.nv(), false));
             std::vector<bool> is_parent(x.bodies() + 1);
             for (int i = 1; i <= x.bodies(); ++i) is_parent[x.model.body(i).parent] = true;
             const Twist<S> G{{}, x.gravity};
             std::vector<Wrench<S>> by44, by52, W0, W1, b0, b1, library0, library1, Pi_bias, library_Pi;
             std::vector<Wrench<S>> signed_bracket, unbiased, weight_at_rest, once, order_0;  // by the wrong forms
             std::vector<Twist<S>> beta, library_beta, beta_once;
             for (int i = 1; i <= x.bodies(); ++i) {
               if (is_parent[i]) continue;  // alone: nothing hangs on it
               const auto times = [&](int k, const Twist<S>& V) { return to_wrench(m.M[i][k] * coordinates(V)); };
               const auto& V = m.V[i];
               b0.push_back(-coad(V[0], times(0, V[0])) - m.applied[i][0] - times(0, G));  // (44)
               unbiased.push_back(times(0, V[1])), by44.push_back(unbiased.back() + b0.back());
               Pi_bias.push_back(times(2, V[0]) + S(2) * times(1, V[1]));     // (52)
               b1.push_back(Pi_bias.back() - m.applied[i][1] - times(1, G));  // (52)
               library_Pi.push_back(one.momentum_bias(i, 1)), once.push_back(Pi_bias.back() - times(1, V[1]));
               signed_bracket.push_back(b0.back() + S(2) * coad(V[0], times(0, V[0])));
               weight_at_rest.push_back(Pi_bias.back() - m.applied[i][1]);
               order_0.push_back(times(0, V[2]) + b0.back());
               by52.push_back(times(0, V[2]) + b1.back());  // (51)
               W0.push_back(m.W[i][0]), W1.push_back(m.W[i][1]);
               library0.push_back(zero.b[zero.last(i)]), library1.push_back(one.b[one.last(i)]);
             }
             for (int d = 0; d < x.model.nv(); ++d) {
               beta.push_back(S(2) * m.rates(d, 1) * m.screws[d][1] + m.rates(d, 0) * m.screws[d][2]);
               library_beta.push_back(one.beta[d]);
               beta_once.push_back(beta.back() - m.rates(d, 1) * m.screws[d][1]);
             }
             sides.clause("ali:44/wrench");
             sides.add(by44, W0, b0);
             sides.rival("nothing is needed but to change the twist",
                         [&](auto& wrong) { wrong.add(unbiased, W0, b0); });
             sides.clause("ali:44/bias");
             sides.add(library0, b0, W0);
             sides.rival("the transpose is taken for a signed bracket",
                         [&](auto& wrong) { wrong.add(signed_bracket, library0, W0); });
             sides.clause("ali:51");
             sides.add(by52, W1, b1);
             sides.rival("with the bias of the order below", [&](auto& wrong) { wrong.add(order_0, W1, b1); });
             sides.clause("ali:52/bias");
             sides.add(library1, b1, W1);
             sides.rival("a weight is constant", [&](auto& wrong) { wrong.add(library1, weight_at_rest, W1); });
             sides.clause("ali:52/momentum");
             sides.add(library_Pi, Pi_bias, W1);
             sides.rival("the mixed term is counted once", [&](auto& wrong) { wrong.add(library_Pi, once, W1); });
             sides.clause("ali:52/twist");
             add_beside(sides, library_beta, beta, TermSizes<S>(x, m).screws(2));
             sides.rival("the mixed term is counted once", [&](auto& wrong) {
               add_beside(wrong, library_beta, beta_once, TermSizes<S>(x, m).screws(2));
             });
           },
       .applies = is_small});
  r.identity({.name = "a_push_on_the_next_twist_is_answered_by_the_articulated_inertia_in_every_order",
              .keys = {"ali:L2", "ali:22"},
              .symbols = "SpatialForm::inverse",
              .method = "two motions of one machine; the difference of affine functions is exact",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    for (int r = 0; r <= highest_order; ++r) add_lemma_2(sides, x, r);
                  },
              .applies = is_small});
  r.identity({.name = "forward_dynamics_finds_the_derivatives_of_the_motion",
              .keys = {"ali:F3"},
              .symbols = "SpatialForm::hybrid SpatialForm::articulate BodyForm::complete HigherOrderDynamics",
              .method = "vector mechanics over series in time, to order 2; the spatial form to order 1",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const TrueMotion<S>& m = x.template once<TrueMotion<S>>();
                const int n = x.model.nv();
                const Partition none(n, false);
                const SpatialForm<S> spatial = spatial_run(x, m, 1, none);
                add_found<S>(sides, x, spatial.rates, spatial.tau, m);
                constexpr int r = 2;
                auto fast = HigherOrderDynamics<S>::forward(x.model, r);
                fast(x.q, x.qd, MatrixX<S>::Zero(n, r + 1), m.tau.leftCols(r + 1), m.Fext);
                MatrixX<S> rates(n, r + 2);
                rates << x.qd, fast.qdd();
                add_found<S>(sides, x, rates, fast.tau(), m);
                sides.rival("the wrench is differentiated and the screw is not", [&](auto& wrong) {
                  VectorX<S> found(spatial.rates.col(2));
                  for (int d = 0; d < n; ++d) found(d) += spatial.torque_bias(d, 1) / spatial.D[d];
                  wrong.add_by_unit(x.model, found, VectorX<S>(m.rates.col(2)));
                });
              }});
  r.identity({.name = "hybrid_dynamics_finds_what_it_was_not_told_in_every_order",
              .keys = {"ali:A4/given", "ali:A4/inertia", "ali:A4/bias", "ali:A4/wrenches", "ali:A4/torques"},
              .symbols = "SpatialForm::hybrid SpatialForm::articulate BodyForm::complete",
              .method = "vector mechanics over series in time, to order 2",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const TrueMotion<S>& m = x.template once<TrueMotion<S>>();
                for (const Partition& prescribed : {drawn_partition(x), tips_prescribed(x.model)}) {
                  constexpr int r = 2;  // the first order in which binomials tell
                  const SpatialForm<S> form = spatial_run(x, m, r, prescribed);
                  sides.clause({"ali:A4/given", "ali:A4/torques"});
                  add_found<S>(sides, x, form.rates, form.tau, m);
                  BodyForm<S> body(x.model, r, prescribed);
                  run(body, x, m, prescribed);
                  add_found<S>(sides, x, body.rates, body.tau, m);
                  const VectorX<S> rates = m.rates.col(r + 1), tau = m.tau.col(r);
                  sides.clause("ali:A4/given");
                  sides.rival("the wrench is differentiated and the screw is not", [&](auto& wrong) {
                    VectorX<S> other = rates;
                    for (int d = 0; d < x.model.nv(); ++d)
                      if (!prescribed[d]) other(d) += form.torque_bias(d, r) / form.D[d];
                    wrong.add_by_unit(x.model, other, rates);
                  });
                  sides.clause("ali:A4/torques");
                  sides.rival("the wrench is differentiated and the screw is not", [&](auto& wrong) {
                    VectorX<S> other = tau;
                    for (int d = 0; d < x.model.nv(); ++d)
                      if (prescribed[d]) other(d) -= form.torque_bias(d, r);
                    wrong.add_by_unit(x.model, other, tau);
                  });
                  sides.rival("the binomials are one order too low", [&](auto& wrong) {
                    VectorX<S> other = tau;
                    for (int d = 0; d < x.model.nv(); ++d)
                      if (prescribed[d]) other(d) -= pairing(form.W(d, 1), form.S(d, 1));
                    wrong.add_by_unit(x.model, other, tau);
                  });

                  if (members(prescribed, false).empty()) continue;  // Algorithm 2
                  const auto MA = of_bodies(x, [&](int i) { return form.MA[form.last(i)] * x.twist((6 * i) % 122); });
                  sides.clause("ali:A4/inertia");
                  sides.add(MA, answers(x, articulated_inertias(x, m, prescribed)));
                  sides.rival("prescribed joints give way, too", [&](auto& wrong) {
                    wrong.add(MA, answers(x, articulated_inertias(x, m, Partition(x.model.nv(), false))));
                  });
                  add_biases(sides, x, m, form, r, {"ali:A4/bias"});
                  std::vector<Wrench<S>> affine, truth, own, held;
                  for (int i = 1; i <= x.bodies(); ++i) {
                    const int d = form.last(i);
                    truth.push_back(m.W[i][r]), held.push_back(form.b[d]);
                    affine.push_back(form.MA[d] * m.V[i][r + 1] + form.b[d]);
                    own.push_back(form.M(i, 0) * m.V[i][r + 1] + form.b[d]);
                  }
                  sides.clause("ali:A4/wrenches");
                  sides.add(affine, truth, held);
                  sides.add(of_bodies(x, [&](int i) { return form.W(form.last(i), r); }), truth, held);
                  sides.rival("the inertia of the body itself", [&](auto& wrong) { wrong.add(own, truth, held); });
                }
              }});
  r.identity({.name = "a_floating_base_may_have_a_spatial_twist_or_a_wrench_about_the_origin",
              .keys = {"ali:A4/base-wrench", "ali:A4/base-twist"},
              .symbols = "SpatialForm SpatialForm::number_the_degrees SpatialForm::screws_and_inertias",
              .method = "vector mechanics over series in time, to order 1",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    constexpr int r = 1;
                    TrueMotion<S> m = x.template once<TrueMotion<S>>();
                    for (int k = 0; k <= highest_order + 1; ++k) {
                      for (int d = 0; d < 6; ++d) m.rates(d, k) = coordinates(m.V[1][k])(d);
                      if (k <= highest_order)
                        for (int d = 0; d < 6; ++d) m.tau(d, k) = coordinates(m.W[1][k])(d);
                    }
                    m.rates = x.as_input(m.rates);
                    Partition partition = drawn_partition(x);
                    for (const bool twist_given : {true, false})
                      for (const int joints : {0, 1, 2}) {  // prescribed: none, all, some
                        Partition prescribed(x.model.nv());
                        for (int d = 0; d < x.model.nv(); ++d)
                          prescribed[d] = d < 6 ? twist_given : joints == 2 ? bool(partition[d]) : joints == 1;
                        SpatialForm<S> form(x.model, r, prescribed, BaseTwist::spatial);
                        run(form, x, m, prescribed);
                        sides.clause(twist_given ? "ali:A4/base-wrench" : "ali:A4/base-twist");
                        for (int k = 0; k <= r; ++k) {
                          sides.add(to_twist(form.rates.col(k + 1).template head<6>()), m.V[1][k + 1]);
                          sides.add(to_wrench(form.tau.col(k).template head<6>()), m.W[1][k]);
                        }
                        if (joints != 0 || !twist_given) continue;
                        const int base = form.last(1);
                        const Twist<S>& next = m.V[1][r + 1];
                        sides.rival("all joints locked", [&](auto& wrong) {
                          const Matrix6<S> M = composite_inertias(x, m)[1];
                          wrong.add(to_wrench(M * coordinates(next)) + form.b[base], m.W[1][r]);
                        });
                        sides.clause("ali:A4/base-twist");
                        sides.rival("all joints locked", [&](auto& wrong) {
                          const Matrix6<S> M = composite_inertias(x, m)[1];
                          const Wrench<S> given = m.W[1][r] - form.b[base];
                          wrong.add(to_twist(Vector6<S>(inverted(M) * coordinates(given))), next);
                        });
                      }
                  },
              .applies = [](const Model<double>& m) { return m.floating_base() && is_small(m); }});
}

}  // namespace

template <typename S>
void higher_order_forward(Registry<S>& r)
{
  forward_dynamics(r);
}

template void higher_order_forward(Registry<ARTICULATE_PROOF_SCALAR>&);

}  // namespace articulate::validation
