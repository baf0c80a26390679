/** \file
 *  \brief Proofs of chapter higher_order: Ali, Gabellieri and Franchi, articulated bodies, forward and hybrid dynamics.
 */
#include <higher_order/runs.hpp>
#include <ledger/calculus.hpp>

namespace articulate::validation {
namespace {

/// (23) by dense blocks, the degrees of a joint together.
template <typename S>
std::vector<Matrix6<S>> articulated_inertias(const Specimen<S>& x, const TrueMotion<S>& m)
{
  std::vector<Matrix6<S>> MA;
  for (const auto& M : m.M) MA.push_back(M[0]);
  for (int i = x.bodies(); i > 0; --i) {
    const Body<S>& body = x.model.body(i);
    if (body.parent == 0) continue;
    MatrixX<S> s(6, body.nv);
    for (int k = 0; k < body.nv; ++k) s.col(k) = coordinates(m.screws[body.v + k][0]);
    const MatrixX<S> U = MA[i] * s;
    MA[body.parent] += MA[i] - U * solution<S>(MatrixX<S>(s.transpose() * U), MatrixX<S>(U.transpose()));
  }
  return MA;
}

template <typename S>
void forward_dynamics(Registry<S>& r)
{
  r.identity({.name = "articulated_inertias_are_those_of_dense_blocks_and_of_body_frames_for_every_order",
              .keys = {"ali:23", "ali:49"},
              .symbols = "SpatialForm::articulate SpatialForm::give_way SpatialForm::MA",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const TrueMotion<S>& m = x.template once<TrueMotion<S>>();
                    const SpatialForm<S> form = spatial_run(x, m, 0, Partition(x.model.nv(), false));
                    const auto dense = articulated_inertias(x, m);
                    const auto X = [&](int i) { return x.twist((6 * i) % 122); };
                    const auto MA = of_bodies(x, [&](int i) { return form.MA[form.last(i)] * X(i); });
                    sides.add(MA, of_bodies(x, [&](int i) { return to_wrench(dense[i] * coordinates(X(i))); }));
                    sides.add(MA, of_bodies(x, [&](int i) {
                                const SE3<S>& C = x.kinematics.pose[i];
                                return coAdInv(C, x.forward.I_hat[i] * AdInv(C, X(i)));
                              }));
                  },
              .applies = is_small});
  r.identity({.name = "the_articulated_inertia_of_a_floating_base_is_a_schur_complement_of_the_mass_matrix",
              .keys = {"ali:23", "ali:50"},
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
                    sides.add(coAd(C, form.MA[form.last(1)] * Ad(C, X)), to_wrench(schur * coordinates(X)));
                  },
              .applies = [](const Model<double>& m) { return m.floating_base(); }});
  r.identity({.name = "wrenches_are_affine_in_the_next_twist_with_the_articulated_inertia_in_every_order",
              .keys = {"ali:22", "ali:45", "ali:48", "ali:51", "ali:55", "ali:50", "ali:56"},
              .symbols = "SpatialForm::hybrid SpatialForm::articulate SpatialForm::b SpatialForm::MA "
                         "SpatialForm::momentum_bias SpatialForm::twist_bias",
              .method = "vector mechanics over series in time, to order 3",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const TrueMotion<S>& m = x.template once<TrueMotion<S>>();
                    for (int r = 0; r <= highest_order; ++r) {
                      const SpatialForm<S> form = spatial_run(x, m, r, Partition(x.model.nv(), false));
                      std::vector<Wrench<S>> affine, held, truth, found, balance;
                      for (int i = 1; i <= x.bodies(); ++i) {
                        const int d = form.last(i);
                        held.push_back(form.b[d]), truth.push_back(m.W[i][r]), found.push_back(form.W(d, r));
                        affine.push_back(form.MA[d] * m.V[i][r + 1] + form.b[d]);  // (22)
                        balance.push_back(form.M(i, 0) * m.V[i][r + 1] + form.momentum_bias(i, r) - form.applied(i, r) -
                                          form.weight(i, r));
                      }
                      for (int i = 1; i <= x.bodies(); ++i)  // (45): a body by itself and what its children take
                        if (const int p = x.model.body(i).parent)
                          balance[p - 1] += form.MA[form.last(i)] * m.V[i][r + 1] + form.b[form.last(i)];
                      sides.add(affine, truth, held);
                      sides.add(found, truth, held);
                      sides.add(balance, truth, held);
                      // (50), (56): a base on a free joint finds its twist from what it is given.
                      if (!x.model.floating_base()) continue;
                      const int base = form.last(1);
                      const Vector6<S> given = coordinates(m.W[1][r] - form.b[base]);
                      const Vector6<S> next = inverted(form.MA[base].matrix()) * given;
                      sides.add(to_twist(next), m.V[1][r + 1]);
                    }
                  },
              .applies = is_small});
  r.identity({.name = "a_joint_gives_way_to_what_its_torque_leaves_in_every_order",
              .keys = {"ali:46", "ali:47", "ali:53", "ali:54", "ali:66", "ali:A3"},
              .symbols = "SpatialForm::hybrid SpatialForm::U SpatialForm::D SpatialForm::q_tilde SpatialForm::beta "
                         "SpatialForm::torque_bias SpatialForm::twist_bias",
              .method = "vector mechanics over series in time, to order 3",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const TrueMotion<S>& m = x.template once<TrueMotion<S>>();
                    const int n = x.model.nv();
                    for (int r = 0; r <= highest_order; ++r) {
                      const SpatialForm<S> form = spatial_run(x, m, r, Partition(n, false));
                      VectorX<S> torque(n), bias(n), rate(n), tilde(n);
                      std::vector<Twist<S>> beta(x.bodies()), left_over(beta), twists;
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
                        const Twist<S> before = form.before(d) < 0 ? Twist<S>{} : form.V(form.before(d), r + 1);
                        // (46), (53): the torque is the projection of the wrench, and its derivatives are.
                        const Twist<S> next = before + m.rates(d, r + 1) * s + form.beta[d];
                        S lower(0);
                        int binomial = 1;
                        for (int k = 0; k < r; ++k) {
                          lower += S(binomial) * pairing(m.W[i][k], m.screws[d][r - k]);
                          binomial = binomial * (r - k) / (k + 1);
                        }
                        bias(d) = lower;
                        torque(d) = pairing(form.MA[d] * next + form.b[d], s) + lower;
                        // (47), (54)
                        const S held = pairing(form.MA[d] * (before + form.beta[d]) + form.b[d], s);
                        rate(d) = (m.tau(d, r) - lower - held) / pairing(form.MA[d] * s, s);
                        tilde(d) = form.q_tilde[d] - pairing(form.U[d], before) / form.D[d];
                      }
                      const VectorX<S> tau = m.tau.col(r), truth = m.rates.col(r + 1);
                      sides.add_by_unit(x.model, torque, tau, bias);
                      sides.add_by_unit(x.model, rate, truth);
                      sides.add_by_unit(x.model, tilde, truth);
                      add_beside(sides, beta, left_over, twists);
                    }
                  },
              .applies = is_small});
  r.identity({.name = "one_body_alone_needs_its_inertia_and_a_bias_of_its_own",
              .keys = {"ali:44", "ali:52"},
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
                    std::vector<Wrench<S>> by44, by52, W0, W1, b0, b1, library0, library1;
                    std::vector<Twist<S>> beta, library_beta;
                    for (int i = 1; i <= x.bodies(); ++i) {
                      if (is_parent[i]) continue;  // alone: nothing hangs on it
                      const auto times = [&](int k, const Twist<S>& V) {
                        return to_wrench(m.M[i][k] * coordinates(V));
                      };
                      const auto& V = m.V[i];
                      b0.push_back(-coad(V[0], times(0, V[0])) - m.applied[i][0] - times(0, G));  // (44)
                      by44.push_back(times(0, V[1]) + b0.back());
                      b1.push_back(times(2, V[0]) + S(2) * times(1, V[1]) - m.applied[i][1] - times(1, G));  // (52)
                      by52.push_back(times(0, V[2]) + b1.back());                                            // (51)
                      W0.push_back(m.W[i][0]), W1.push_back(m.W[i][1]);
                      library0.push_back(zero.b[zero.last(i)]), library1.push_back(one.b[one.last(i)]);
                    }
                    for (int d = 0; d < x.model.nv(); ++d) {
                      beta.push_back(S(2) * m.rates(d, 1) * m.screws[d][1] + m.rates(d, 0) * m.screws[d][2]);
                      library_beta.push_back(one.beta[d]);
                    }
                    sides.add(by44, W0, b0);
                    sides.add(by52, W1, b1);
                    sides.add(library0, b0, W0);
                    sides.add(library1, b1, W1);
                    add_beside(sides, library_beta, beta, bracket_terms(m, one, 2));
                  },
              .applies = is_small});
  r.identity({.name = "a_push_on_the_next_twist_is_answered_by_the_articulated_inertia_in_every_order",
              .keys = {"ali:L2", "ali:22"},
              .symbols = "BodyForm::run SpatialForm::inverse",
              .method = "two motions of one machine; the difference of affine functions is exact",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    for (int r = 0; r <= highest_order; ++r) add_lemma_2(sides, x, r);
                  },
              .applies = is_small});
  r.identity({.name = "forward_dynamics_finds_the_derivatives_of_the_motion",
              .keys = {"ali:A3", "ali:F3"},
              .symbols = "SpatialForm::hybrid SpatialForm::articulate BodyForm::run BodyForm::complete "
                         "HigherOrderDynamics",
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
              }});
  r.identity({.name = "hybrid_dynamics_finds_what_it_was_not_told_in_every_order",
              .keys = {"ali:A4"},
              .symbols = "SpatialForm::hybrid SpatialForm::articulate BodyForm::run BodyForm::complete",
              .method = "vector mechanics over series in time, to order 1",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const TrueMotion<S>& m = x.template once<TrueMotion<S>>();
                for (const Partition& prescribed : {drawn_partition(x), tips_prescribed(x.model)}) {
                  const SpatialForm<S> spatial = spatial_run(x, m, 1, prescribed);
                  add_found<S>(sides, x, spatial.rates, spatial.tau, m);
                  BodyForm<S> body(x.model, 1, prescribed);
                  run(body, x, m, prescribed);
                  add_found<S>(sides, x, body.rates, body.tau, m);
                }
              }});
  r.identity({.name = "a_floating_base_may_have_a_spatial_twist_or_a_wrench_about_the_origin",
              .keys = {"ali:A2", "ali:A3", "ali:A4", "ali:50", "ali:56"},
              .symbols = "SpatialForm BaseTwist SpatialForm::number_the_degrees SpatialForm::screws_and_inertias",
              .method = "vector mechanics over series in time, to order 3",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
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
                        SpatialForm<S> form(x.model, highest_order, prescribed, BaseTwist::spatial);
                        run(form, x, m, prescribed);
                        add_found<S>(sides, x, form.rates, form.tau, m);
                      }
                  },
              .applies = [](const Model<double>& m) { return m.floating_base() && is_small(m); }});
  r.identity({.name = "forward_dynamics_gives_back_the_motion_of_inverse_dynamics_up_to_the_fifth_derivative",
              .keys = {"ali:F3"},
              .symbols = "BodyForm::run BodyForm::complete SpatialForm::hybrid SpatialForm::inverse",
              .method = "cross-check: forces by one form, the motion by the other",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    constexpr int r = 5;
                    const Partition all(x.model.nv(), true), none(x.model.nv(), false);
                    const WrenchDerivatives<S> Fext = drawn_wrenches(x, r);
                    const MatrixX<S> rates = drawn_rates(x, r + 2);
                    const auto there_and_back = [&](auto inverse, auto forward) {
                      inverse.rates = rates;
                      inverse.run(x.q, Fext);
                      forward.rates.col(0) = x.qd;
                      forward.tau = x.as_input(inverse.tau);
                      forward.run(x.q, Fext);
                      for (int k = 1; k <= r + 1; ++k)
                        sides.add_by_unit(x.model, VectorX<S>(forward.rates.col(k)), VectorX<S>(rates.col(k)));
                    };
                    there_and_back(SpatialForm<S>(x.model, r, all), BodyForm<S>(x.model, r, none));
                    there_and_back(BodyForm<S>(x.model, r, all), SpatialForm<S>(x.model, r, none));
                  },
              .applies = is_small});
}

}  // namespace

template <typename S>
void higher_order_forward(Registry<S>& r)
{
  forward_dynamics(r);
}

template void higher_order_forward(Registry<ARTICULATE_PROOF_SCALAR>&);

}  // namespace articulate::validation
