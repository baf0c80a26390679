/** \file
 *  \brief Proofs of chapter higher_order: the first orders of Ali, Gabellieri and Franchi written out, and the errata.
 */
#include <higher_order/runs.hpp>
#include <ledger/calculus.hpp>

namespace articulate::validation {
namespace {

template <typename S>
void written_out(Registry<S>& r)
{
  r.identity(
      {.name = "the_first_orders_written_out_with_matrices_are_the_algorithms",
       .keys = {"ali:T5/kinematics", "ali:T5/inverse-0", "ali:T5/inverse-1", "ali:T5/backward-0", "ali:T5/backward-1",
                "ali:T5/forward-0", "ali:T5/forward-1"},
       .symbols = "SpatialForm::kinematics SpatialForm::screws_and_inertias SpatialForm::inverse "
                  "SpatialForm::articulate SpatialForm::hybrid",
       .method = "independent formulation",
       .sides = [](const Specimen<S>& x, Sides<S>& sides) {
         const int n = x.model.nv(), N = x.bodies();
         const MatrixX<S> rates = drawn_rates(x, 4);
         const WrenchDerivatives<S> Fext = drawn_wrenches(x, 1);
         SpatialForm<S> form(x.model, 2, Partition(n, true));
         form.rates = rates;
         form.run(x.q, Fext);

         // Kinematics, k = 0 to 3. A screw rides on the body that its degree moves; those of a joint without a
         // chart on the last.
         using Six = Vector6<S>;
         std::vector<std::array<Six, 4>> s(n), V(n);
         std::array<std::vector<Twist<S>>, 4> own_V, V_k, constant_screws;
         for (int i = 1; i <= N; ++i) {
           const Body<S>& body = x.model.body(i);
           const bool together = body.nq != body.nv;
           for (int k = 0; k < 4; ++k) {
             if (together)  // constant in the body: found for all degrees before their sum
               for (int d = body.v; d < body.v + body.nv; ++d) s[d][k] = coordinates(form.S(d, k));
             for (int d = body.v; d < body.v + body.nv; ++d) {
               const auto ad = [&](int l) { return ad_matrix(to_twist(V[d][l])); };
               if (!together)
                 s[d][k] = k == 0   ? coordinates(form.S(d, 0))
                           : k == 1 ? Six(ad(0) * s[d][0])
                           : k == 2 ? Six(ad(1) * s[d][0] + ad(0) * s[d][1])
                                    : Six(ad(2) * s[d][0] + S(2) * ad(1) * s[d][1] + ad(0) * s[d][2]);
               const auto q = [&](int l) { return rates(d, l); };
               Six sum = form.before(d) < 0 ? Six(Six::Zero()) : V[form.before(d)][k];
               if (k == 0) sum += s[d][0] * q(0);
               if (k == 1) sum += s[d][0] * q(1) + s[d][1] * q(0);
               if (k == 2) sum += s[d][0] * q(2) + S(2) * s[d][1] * q(1) + s[d][2] * q(0);
               if (k == 3) sum += s[d][0] * q(3) + S(3) * s[d][1] * q(2) + S(3) * s[d][2] * q(1) + s[d][3] * q(0);
               V[d][k] = sum;
             }
             own_V[k].push_back(to_twist(V[form.last(i)][k]));
             V_k[k].push_back(form.V(form.last(i), k));
             Six slid = form.before(body.v) < 0 ? Six(Six::Zero()) : V[form.before(body.v)][k];
             for (int d = body.v; d < body.v + body.nv; ++d) slid += s[d][0] * rates(d, k);
             constant_screws[k].push_back(to_twist(slid));
           }
         }
         sides.clause("ali:T5/kinematics");
         for (int k = 0; k < 4; ++k) {
           sides.add(V_k[k], own_V[k]);
           sides.rival("screws are constant, as in body frames",
                       [&](auto& wrong) { wrong.add(V_k[k], constant_screws[k]); });
         }

         // What each body alone needs, r = 0 and 1, and the part of it that knows no new twist.
         std::vector<std::array<Six, 2>> alone(N + 1), own_bias(N + 1);
         std::vector<Matrix6<S>> M_own(N + 1);
         std::vector<Six> gyroscopic(N + 1), turned(N + 1);
         const Six G = coordinates(Twist<S>{{}, x.gravity});
         for (int i = 1; i <= N; ++i) {
           const auto& [V0, V1, V2, V3] = V[form.last(i)];
           const Matrix6<S> A = Ad_matrix(inverse(x.kinematics.pose[i])), a = ad_matrix(to_twist(V0));
           const Matrix6<S> adot = ad_matrix(to_twist(V1)), aT = a.transpose(), AT = A.transpose();
           // Far from the world's origin rounding makes of this what no body has.
           const Matrix6<S> M = x.as_input(Matrix6<S>(AT * x.model.body(i).I.matrix() * A));
           const Matrix6<S> M1 = -(M * a + aT * M);
           const Matrix6<S> M2 = -(M1 * a + aT * M1 + M * adot + adot.transpose() * M);
           const Six F0 = coordinates(Fext[0][i]), F1 = coordinates(Fext[1][i]);
           M_own[i] = M, gyroscopic[i] = aT * (M * V0), turned[i] = S(2) * M1 * V1;
           own_bias[i][0] = -gyroscopic[i] - AT * F0 - M * G;
           own_bias[i][1] = turned[i] + M2 * V0 - (AT * F1 - aT * (AT * F0)) - M1 * G;
           alone[i][0] = M * V1 + own_bias[i][0], alone[i][1] = M * V2 + own_bias[i][1];
         }
         const auto pair = [](const Six& a, const Six& b) { return S((a.transpose() * b)(0)); };

         // Inverse dynamics.
         std::vector<std::array<Six, 2>> W(alone), slipped(alone);
         VectorX<S> tau(n), tau_rate(n), size(n), tau_slipped(n), rate_slipped(n);
         for (int i = N; i > 0; --i) {
           const Body<S>& body = x.model.body(i);
           slipped[i][0] += S(2) * gyroscopic[i], slipped[i][1] += -turned[i] / S(2);
           for (int k = 0; k < 2 && body.parent != 0; ++k) {
             W[body.parent][k] += W[i][k];
             slipped[body.parent][k] += slipped[i][k];
           }
           for (int d = body.v; d < body.v + body.nv; ++d) {
             tau(d) = pair(s[d][0], W[i][0]), tau_slipped(d) = pair(s[d][0], slipped[i][0]);
             size(d) = pair(s[d][0], W[i][1]);
             tau_rate(d) = pair(s[d][1], W[i][0]) + size(d);
             rate_slipped(d) = pair(s[d][1], W[i][0]) + pair(s[d][0], slipped[i][1]);
           }
         }
         const VectorX<S> tau_0 = form.tau.col(0), tau_1 = form.tau.col(1);
         sides.clause("ali:T5/inverse-0");
         sides.add_by_unit(x.model, tau, tau_0);
         sides.rival("the transpose is taken for a signed bracket",
                     [&](auto& wrong) { wrong.add_by_unit(x.model, tau_slipped, tau_0); });
         sides.clause("ali:T5/inverse-1");
         sides.add_by_unit(x.model, tau_rate, tau_1, size);
         sides.rival("the mixed term of the momentum is counted once",
                     [&](auto& wrong) { wrong.add_by_unit(x.model, rate_slipped, tau_1, size); });

         // Forward dynamics, inward and outward, beside Algorithm 3 of these orders.
         std::vector<Matrix6<S>> MA(n);
         std::vector<Six> U(n);
         VectorX<S> D(n);
         const MatrixX<S> given = x.as_input(MatrixX<S>(form.tau.leftCols(2)));
         std::vector<std::array<Six, 2>> next(n), through(n);
         for (const int r : {0, 1}) {
           SpatialForm<S> forward(x.model, r, Partition(n, false));
           forward.rates.col(0) = rates.col(0), forward.tau = MatrixX<S>(given.leftCols(r + 1));
           forward.run(x.q, Fext);
           std::vector<Six> b(n), beta(n), own(n);
           VectorX<S> q_tilde(n), found(n), bias(n);
           for (int d = 0; d < n; ++d) {
             const int i = form.body(d);
             if (r == 0) MA[d] = form.has_mass(d) ? M_own[i] : Matrix6<S>(Matrix6<S>::Zero());
             b[d] = own[d] = form.has_mass(d) ? own_bias[i][r] : Six(Six::Zero());
             beta[d] = r == 0 ? Six(s[d][1] * rates(d, 0)) : Six(S(2) * s[d][1] * rates(d, 1) + s[d][2] * rates(d, 0));
           }
           for (int d = n; d-- > 0;) {
             if (r == 0) U[d] = MA[d] * s[d][0], D(d) = pair(s[d][0], U[d]);
             const Six held = MA[d] * beta[d] + b[d];
             bias(d) = r == 0 ? S(0) : pair(s[d][1], through[d][0]);
             q_tilde(d) = (given(d, r) - bias(d) - pair(s[d][0], held)) / D(d);
             const int before = form.before(d);
             if (before < 0) continue;
             if (r == 0) MA[before] += MA[d] - U[d] * U[d].transpose() / D(d);
             b[before] += held + U[d] * q_tilde(d);
           }
           std::vector<Wrench<S>> b_d, b_found, b_own, W_d, W_found;
           for (int d = 0; d < n; ++d) {
             const int before = form.before(d);
             const Six V_p = before < 0 ? Six(Six::Zero()) : next[before][r];
             found(d) = q_tilde(d) - pair(U[d], V_p) / D(d);
             next[d][r] = V_p + beta[d] + s[d][0] * found(d);
             through[d][r] = MA[d] * next[d][r] + b[d];
             b_d.push_back(to_wrench(b[d])), b_found.push_back(forward.b[d]), b_own.push_back(to_wrench(own[d]));
             W_d.push_back(to_wrench(through[d][r])), W_found.push_back(forward.W(d, r));
           }
           const VectorX<S> truth = rates.col(r + 1);
           VectorX<S> library(n);
           for (int d = 0; d < n; ++d) library(d) = forward.q_tilde[d];
           sides.clause(r == 0 ? "ali:T5/backward-0" : "ali:T5/backward-1");
           sides.add(b_d, b_found, W_found);
           sides.add_by_unit(x.model, q_tilde, library, truth);
           if (r == 0)
             sides.rival("the bias of the body itself", [&](auto& wrong) { wrong.add(b_own, b_found, W_found); });
           else
             sides.rival("the wrench is differentiated and the screw is not", [&](auto& wrong) {
               VectorX<S> other(q_tilde);
               for (int d = 0; d < n; ++d) other(d) += bias(d) / D(d);
               wrong.add_by_unit(x.model, other, library, truth);
             });
           sides.clause(r == 0 ? "ali:T5/forward-0" : "ali:T5/forward-1");
           sides.add_by_unit(x.model, found, truth);
           sides.add_by_unit(x.model, VectorX<S>(forward.rates.col(r + 1)), found);
           sides.add(W_d, W_found);
           sides.rival("the next twist of the parent is forgotten",
                       [&](auto& wrong) { wrong.add_by_unit(x.model, q_tilde, truth); });
         }
       }});
}

template <typename S>
void errata(Registry<S>& r)
{
  // The tempting binomial, in one order: the lower ones are as they ought to be, and order 2 is the first to tell.
  const auto with_binomial = [](const Specimen<S>& x, int order, bool printed) {
    Sides<S> sides;
    const int n = x.model.nv();
    const Partition all(n, true), none(n, false);
    const WrenchDerivatives<S> Fext = drawn_wrenches(x, order);
    SpatialForm<S> inverse(x.model, order, all), forward(x.model, order, none);
    inverse.rates = drawn_rates(x, order + 2);
    inverse.run(x.q, Fext);
    MatrixX<S> tau = inverse.tau;
    const Binomials<S> binomial(order);
    for (int d = 0; d < n && printed; ++d)  // as if what the sum lacks had been in the force
      for (int k = 0; k < order; ++k)
        tau(d, order) +=
            (binomial(order, k) - binomial(order - 1, k)) * pairing(inverse.W(d, k), inverse.S(d, order - k));
    forward.rates.col(0) = x.qd;
    forward.tau = x.as_input(tau);
    forward.run(x.q, Fext);
    for (int k = printed ? order : 0; k <= order; ++k)
      sides.add_by_unit(x.model, VectorX<S>(forward.rates.col(k + 1)), VectorX<S>(inverse.rates.col(k + 1)));
    return sides;
  };
  r.erratum({.id = "E-ali-1",
             .keys = {"ali:A3", "ali:A4"},
             .margin = 1e-3,
             .printed = {[=](const Specimen<S>& x, Sides<S>& sides) { sides.append(with_binomial(x, 2, true)); },
                         [=](const Specimen<S>& x, Sides<S>& sides) { sides.append(with_binomial(x, 3, true)); }},
             .corrected = [=](const Specimen<S>& x, Sides<S>& sides) { sides.append(with_binomial(x, 2, false)); }});
  // Read as constancy in time, the articulated inertia would be the same a little later.
  r.erratum({.id = "E-ali-4",
             .keys = {"ali:22", "ali:23", "ali:L2"},
             .margin = 1e-4,
             .printed = {[](const Specimen<S>& x, Sides<S>& sides) {
               const VectorX<S> q_later = displaced(x.model, x.q, VectorX<S>(x.qd / S(10)));
               SpatialForm<S> now(x.model, 0, Partition(x.model.nv(), false)), later(now);
               now.place(x.q), now.articulate();
               later.place(q_later), later.articulate();
               const auto answers = [&](const SpatialForm<S>& form) {
                 return of_bodies(x, [&](int i) { return form.MA[form.last(i)] * x.twist((6 * i) % 122); });
               };
               sides.add(answers(later), answers(now));
             }},
             .corrected = [](const Specimen<S>& x, Sides<S>& sides) { add_lemma_2(sides, x, 1); }});
  // The wrench from a body to its parent has the other sign.
  const auto balance = [](const Specimen<S>& x, const S& sign) {
    Sides<S> sides;
    SpatialForm<S> form(x.model, 0, Partition(x.model.nv(), true));
    form.rates = drawn_rates(x, 2);
    form.run(x.q, {x.Fext});
    const auto W = of_bodies(x, [&](int i) { return sign * form.W(form.last(i), 0); });
    std::vector<Wrench<S>> total, rate;
    for (int i = 1; i <= x.bodies(); ++i) {
      const SE3<S>& C = x.kinematics.pose[i];
      const SE3<Series<S>>& C_t = x.along_motion().pose[i];
      const Wrench<S> weight = x.model.body(i).I * AdInv(C, Twist<S>{{}, x.gravity});
      total.push_back(W[i - 1] + coAdInv(C, x.Fext[i] + weight));
      if (const int p = x.model.body(i).parent) total[p - 1] = total[p - 1] - W[i - 1];
      rate.push_back(derivative(coAdInv(C_t, x.series_model().body(i).I * x.along_motion().V[i]), 1));
    }
    sides.add(total, rate, W);
    return sides;
  };
  r.erratum({.id = "E-ali-5",
             .keys = {"ali:A2", "ali:58"},
             .margin = 1e-2,
             .printed = {[=](const Specimen<S>& x, Sides<S>& sides) { sides.append(balance(x, S(-1))); }},
             .corrected = [=](const Specimen<S>& x, Sides<S>& sides) { sides.append(balance(x, S(1))); }});
  // The print holds; what one may expect, that it does not matter where the inertial origin is, does not hold of digits.
  const auto seen_from = [](const Specimen<S>& x, const Vector3<S>& place) {
    Sides<S> sides;
    std::vector<Body<S>> roots;
    for (Body<S> body : x.model.outward()) {
      if (body.parent != 0) continue;
      body.M.p += place;
      roots.push_back(body);
    }
    const Model<S> there = x.model.with(roots);
    const int r = highest_order;
    const Partition all(x.model.nv(), true);
    SpatialForm<S> spatial(there, r, all);
    BodyForm<S> body(x.model, r, all);
    spatial.rates = body.rates = drawn_rates(x, r + 2);
    const WrenchDerivatives<S> Fext = drawn_wrenches(x, r);
    spatial.run(x.q, Fext), body.run(x.q, Fext);
    for (int k = 0; k <= r; ++k)
      sides.add_by_unit(x.model, VectorX<S>(spatial.tau.col(k)), VectorX<S>(body.tau.col(k)));
    return sides;
  };
  r.erratum({.id = "E-ali-8",
             .keys = {"ali:F3"},
             .margin = 1e-9,
             .printed = {[=](const Specimen<S>& x, Sides<S>& sides) {
               sides.append(seen_from(x, S(1000000) * Vector3<S>{S(1), S(1), S(1)}));
             }},
             .corrected = [=](const Specimen<S>& x, Sides<S>& sides) { sides.append(seen_from(x, x.vector(0))); }});
}

}  // namespace

template <typename S>
void higher_order_written_out(Registry<S>& r)
{
  written_out(r);
  errata(r);
}

template void higher_order_written_out(Registry<ARTICULATE_PROOF_SCALAR>&);

}  // namespace articulate::validation
