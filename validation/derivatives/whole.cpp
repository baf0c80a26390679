/** \file
 *  \brief Proofs of the derivatives of the motion as a whole, \eq{ours,57}.
 */
#include <articulate/derivatives/centroidal_derivatives.hpp>
#include <derivatives/direction.hpp>
#include <lagrange/moving_mass.hpp>
#include <model/carried_frames.hpp>

namespace articulate::validation {
namespace {

/// Of what size the terms are whose sums are the momentum, its rate and their changes, angular and linear: they may cancel.
template <typename S>
struct TermsOfWhole {
  Terms<S> h, hdot;
  Terms<S> displacement, rate;  // what the drawn steps of coordinates and of rates move, as twists

  TermsOfWhole(const Specimen<S>& x, const CentroidalMomentum<S>& whole, const VectorX<S>& q, const VectorX<S>& qd)
  {
    SpaceMotion<S> motion(x.model);
    motion(x.q, x.qd, x.qdd);
    for (const Body<S>& body : x.model.outward()) {
      const int i = body.index;
      const S arm = longest<S>(whole.places()[i].p.eigen());
      const auto add = [&](Terms<S>& sum, const Vector3<S>& turning, const Vector3<S>& straight, bool twist) {
        const S a = longest<S>(turning.eigen()), b = longest<S>(straight.eigen());
        sum = sum + (twist ? Terms<S>{a, b + arm * a} : Terms<S>{a + arm * b, b});
      };
      const Wrench<S> L = body.I * motion.V[i], F = newton_euler(body.I, motion.V[i], motion.Vdot[i]);
      add(h, L.m, L.f, false);
      add(hdot, F.m, F.f, false);
      for (int k = 0; k < body.nv; ++k) {
        const Twist<S> column = motion.S[i].column(k);
        const S by_q = magnitude(q(body.v + k)), by_qd = magnitude(qd(body.v + k));
        add(displacement, by_q * column.w, by_q * column.v, true);
        add(rate, by_qd * column.w, by_qd * column.v, true);
      }
    }
  }

  /// Of a wrench that is displaced.
  static Terms<S> displaced(const Terms<S>& by, const Terms<S>& F)
  {
    return {by.angular * F.angular + by.linear * F.linear, by.angular * F.linear};
  }
};

template <typename S>
void motion_as_a_whole(Registry<S>& r)
{
  r.identity(
      {.name = "the_momentum_of_the_whole_and_its_rate_change_with_coordinates_and_rates",
       .keys = {"ours:57/momentum", "ours:57/rate", "ours:57/faster"},
       .symbols = "CentroidalDerivatives SubtreeChanges CentroidalMomentum::places",
       .method = "dual numbers",
       .sides =
           [](const Specimen<S>& x, Sides<S>& sides) {
             CentroidalDerivatives<S> of(x.model);
             of(x.q, x.qd, x.qdd);
             VectorX<S> q(x.model.nv()), qd(x.model.nv());
             for (const Step<S>& step : drawn_direction(x, Kind::coordinate)) q(step.index) = step.size;
             for (const Step<S>& step : drawn_direction(x, Kind::rate)) qd(step.index) = step.size;
             const TermsOfWhole<S> terms(x, of.whole, q, qd);
             const auto moved = [&](Kind kind) {
               const Moved<Dual<S>> state(x, drawn_direction(x, kind), dual_parameter<S>());
               CentroidalMomentum<Dual<S>> whole(state.model);
               whole(state.q, state.qd);
               const Vector6<S> momentum = coordinates(derivative(whole.momentum, 1));
               const Vector6<S> bias = coordinates(derivative(whole.bias, 1));
               return std::pair{momentum, Vector6<S>(derivative(whole.A, 1) * x.qdd + bias)};
             };
             const auto [momentum, rate] = moved(Kind::coordinate);
             const auto rate_by_qd = moved(Kind::rate).second;
             const Vector3<S> center(of.whole.J() * q);  // how it is displaced
             const auto add = [&](const MatrixX<S>& by, const Vector6<S>& exact, const Wrench<S>& whole,
                                  const Terms<S>& beside) {
               const Vector6<S> change = by * q;
               add_six(sides, change, exact, beside);
               sides.rival("moments are about a point that is not displaced", [&](auto& wrong) {
                 Vector6<S> fixed = change;
                 fixed.template head<3>() += cross(center, whole.f).eigen();
                 add_six(wrong, fixed, exact, beside);
               });
             };
             sides.clause("ours:57/momentum");
             add(of.dh_dq, momentum, of.whole.momentum, terms.displaced(terms.displacement, terms.h));
             sides.clause("ours:57/rate");
             add(of.dhdot_dq, rate, of.whole.momentum_rate(x.qdd), terms.displaced(terms.displacement, terms.hdot));
             sides.clause("ours:57/faster");
             const Terms<S> beside = terms.displaced(terms.rate, terms.h);
             add_six(sides, Vector6<S>(of.dhdot_dqd * qd), rate_by_qd, beside);
             sides.rival("it is $\\dot A$, as if the momentum did not depend on q",
                         [&](auto& wrong) { add_six(wrong, Vector6<S>(of.whole.Adot * qd), rate_by_qd, beside); });
           },
       .applies = moves_mass});
  r.identity({.name = "the_rate_of_the_momentum_of_the_whole_is_made_of_its_derivatives",
              .keys = {"ours:57/time"},
              .symbols = "CentroidalDerivatives",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    CentroidalDerivatives<S> of(x.model);
                    of(x.q, x.qd, x.qdd);
                    const TermsOfWhole<S> terms(x, of.whole, x.qd, x.qdd);
                    // The wrenches on the roots, of bodies that nothing else pushes, about the centre of mass.
                    witness::VectorNewtonEuler<S> machine(x.inputs.mechanism, x.inputs.options.floating_base);
                    machine.inverse_dynamics(x.q, x.qd, x.qdd, Vector3<S>{}.eigen());
                    const Vector3<S> center(machine.center_of_mass());
                    Wrench<S> world;
                    for (const auto& link : machine.links) {
                      if (link.parent != witness::world) continue;
                      const Vector3<S> force(link.force), arm = Vector3<S>(link.position) - center;
                      world.f += force;
                      world.m += Vector3<S>(link.moment) + cross(arm, force);
                    }
                    const Vector6<S> exact = coordinates(world);
                    const Vector6<S> faster = of.whole.A * x.qdd;
                    const Terms<S> beside = terms.displaced(terms.displacement, terms.h) + terms.hdot;
                    add_six(sides, Vector6<S>(of.dh_dq * x.qd + faster), exact, beside);
                    sides.rival("the coordinates are held",
                                [&](auto& wrong) { add_six(wrong, faster, exact, beside); });
                  },
              .applies = moves_mass});
}

}  // namespace

template <typename S>
void derivatives_whole(Registry<S>& r)
{
  motion_as_a_whole(r);
}

template void derivatives_whole(Registry<ARTICULATE_PROOF_SCALAR>&);

}  // namespace articulate::validation
