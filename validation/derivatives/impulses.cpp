/** \file
 *  \brief Proofs of impulses of loops and of their derivatives, \eq{ours,59}.
 *
 *  The loop is a contact without friction that may pull: a point of a link on a plane or on a line that stands in the
 *  world. Its rows are independent of each other on every robot, and leave the machine some motion.
 */
#include <articulate/derivatives/loop_impulse_derivative.hpp>
#include <articulate/lagrange/composite_body.hpp>
#include <constrained/drawn_constraints.hpp>
#include <derivatives/direction.hpp>
#include <ledger/long_robots.hpp>

namespace articulate::validation {
namespace {

/// The link that most rates move, and how many do.
template <typename S>
std::pair<std::string, int> link_that_moves_most(const Model<S>& model)
{
  std::pair<std::string, int> best{"", 0};
  for (const LinkFrame<S>& link : model.links()) {
    int rates = 0;
    for (const Body<S>& body : model.way_to_base(link.body)) rates += body.nv;
    if (rates > best.second) best = {link.name, rates};
  }
  return best;
}

/// A point of this link meets a plane; a line, where a third rate moves it.
template <typename S>
std::vector<Loop> drawn_contact(const Specimen<S>& x)
{
  const auto [link, rates] = link_that_moves_most(x.model);
  const double* number = &x.inputs.free_numbers[60];
  Loop contact{
      "contact", {"", {}, {number[0], number[1], number[2], number[3]}}, {link, {number[4], number[5], number[6]}}};
  contact.slides = {true, rates < 3, false};
  contact.turning = Turning::free;
  return {contact};
}

/// From a half to 1, so that it is seen if it is forgotten.
template <typename S>
S drawn_restitution(const Specimen<S>& x)
{
  return (S(1) + x.number(90) * x.number(90)) / S(2);
}

bool meets_a_contact(const Model<double>& model)
{
  return is_compared_in_full(model) && link_that_moves_most(model).second > 1;
}

/// How rates and impulses change along a direction.
template <typename S>
struct Change {
  VectorX<S> qd, Lambda;
};

template <typename S>
void derivatives_of_impulses(Registry<S>& r)
{
  r.identity(
      {.name = "rates_and_impulses_of_a_contact_change_with_the_state_before_it",
       .keys = {"ours:59/rates", "ours:59/impulses", "ours:59/before"},
       .symbols = "LoopImpulseDerivative ConstrainedDynamicsDerivative Loops::acceleration_derivative "
                  "Loops::add_reaction_derivatives InverseDynamicsJacobians",
       .method = "dual numbers",
       .sides =
           [](const Specimen<S>& x, Sides<S>& sides) {
             const std::vector<Loop> contact = drawn_contact(x);
             const S e = drawn_restitution(x);
             LoopImpulseDerivative<S> of(x.model, contact);
             of(x.q, x.qd, e);
             const auto moved = [&](Kind kind, const S& restitution) {
               const Moved<Dual<S>> state(x, drawn_direction(x, kind), dual_parameter<S>());
               LoopImpulse<Dual<S>> along(state.model, contact);
               along(state.q, state.qd, Dual<S>(restitution));
               return Change<S>{derivative(along.qd, 1), derivative(along.Lambda, 1)};
             };
             const auto add_rates = [&](Sides<S>& both, const Change<S>& found, const Change<S>& exact) {
               both.add_by_unit(x.model, found.qd, exact.qd, of.impulse.qd);
             };
             const auto add_impulses = [&](Sides<S>& both, const Change<S>& found, const Change<S>& exact) {
               both.add(found.Lambda, exact.Lambda, largest_entry<S>(of.impulse.Lambda));
             };
             const VectorX<S> q = steps_of(x, Kind::coordinate), qd = steps_of(x, Kind::rate);
             const Change<S> found{of.dqd_dq * q, of.dLambda_dq * q}, exact = moved(Kind::coordinate, e);

             // What a change of the momentum before does, like a change of forces.
             const VectorX<S> none = VectorX<S>::Zero(x.model.nv());
             InverseDynamics<S> rnea(x.model);
             rnea.set_gravity({});
             rnea(x.q, none, x.qd);
             InverseDynamicsJacobians<S> momentum(x.model);
             momentum(rnea, none, x.qd);
             VectorX<S> change = momentum.dtau_dq * q, rates = none, met = VectorX<S>::Zero(of.impulse.loops.rows()),
                        impulses = met;
             change *= S(1) + e;
             of.impulse.system.respond(change, rates, met, impulses);
             const Change<S> held{found.qd - rates, found.Lambda - impulses};

             sides.clause("ours:59/rates");
             add_rates(sides, found, exact);
             sides.rival("the momentum before is held", [&](auto& wrong) { add_rates(wrong, held, exact); });
             sides.clause("ours:59/impulses");
             add_impulses(sides, found, exact);
             sides.rival("the momentum before is held", [&](auto& wrong) { add_impulses(wrong, held, exact); });

             sides.clause("ours:59/before");
             LoopImpulseDerivative<S> plastic(x.model, contact);
             plastic(x.q, x.qd);
             const Change<S> faster{of.dqd_dbefore * qd, of.dLambda_dbefore * qd}, exactly = moved(Kind::rate, e);
             const Change<S> forgotten{plastic.dqd_dbefore * qd, plastic.dLambda_dbefore * qd};
             add_rates(sides, faster, exactly);
             add_impulses(sides, faster, exactly);
             // Where none is given, there is none.
             const Change<S> exactly_plastic = moved(Kind::rate, S(0));
             add_rates(sides, forgotten, exactly_plastic);
             add_impulses(sides, forgotten, exactly_plastic);
             sides.rival("the restitution is forgotten", [&](auto& wrong) {
               add_rates(wrong, forgotten, exactly);
               add_impulses(wrong, forgotten, exactly);
             });
           },
       .applies = meets_a_contact});
}

template <typename S>
void impulses(Registry<S>& r)
{
  r.identity({.name = "an_impulse_of_a_contact_changes_momenta_as_forces_change_accelerations",
              .keys = {"ours:59/momenta", "ours:59/rows"},
              .symbols = "LoopImpulse ConstrainedDynamics",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const S e = drawn_restitution(x);
                    LoopImpulse<S> impulse(x.model, drawn_contact(x)), plastic(x.model, drawn_contact(x));
                    impulse(x.q, x.qd, e);
                    plastic(x.q, x.qd);
                    const MatrixX<S>& A = impulse.loops.A;
                    const VectorX<S> sizes = impulse.qd.cwiseAbs() + x.qd.cwiseAbs();
                    const VectorX<S> momenta = mass_matrix<S>(x.model, x.q).cwiseAbs() * sizes;
                    const VectorX<S> speeds = A.cwiseAbs() * sizes, force = A.transpose() * impulse.Lambda;
                    // Momenta are what vector mechanics calls joint forces, at rest, without weight, for rates as
                    // accelerations.
                    witness::VectorNewtonEuler<S> machine(x.inputs.mechanism, x.inputs.options.floating_base);
                    const VectorX<S> rest = VectorX<S>::Zero(x.model.nv());
                    const auto add_momenta = [&](Sides<S>& both, const VectorX<S>& after) {
                      const VectorX<S> jump = after - x.qd;
                      const VectorX<S> change = machine.inverse_dynamics(x.q, rest, jump, Vector3<S>{}.eigen());
                      for (int k = 0; k < change.size(); ++k) both.add(change(k), force(k), momenta(k));
                    };
                    const auto add_rows = [&](Sides<S>& both, const VectorX<S>& after, const S& restitution) {
                      const VectorX<S> opening = A * after, closing = A * x.qd;
                      for (int i = 0; i < opening.size(); ++i)
                        both.add(opening(i), S(-restitution * closing(i)), speeds(i));
                    };
                    sides.clause("ours:59/momenta");
                    add_momenta(sides, impulse.qd);
                    sides.rival("the restitution is forgotten", [&](auto& wrong) { add_momenta(wrong, plastic.qd); });
                    sides.clause("ours:59/rows");
                    add_rows(sides, impulse.qd, e);
                    add_rows(sides, plastic.qd, S(0));  // where none is given
                    sides.rival("the restitution is forgotten", [&](auto& wrong) { add_rows(wrong, plastic.qd, e); });
                  },
              .applies = meets_a_contact});
}

}  // namespace

template <typename S>
void derivatives_impulses(Registry<S>& r)
{
  impulses(r);
  derivatives_of_impulses(r);
}

template void derivatives_impulses(Registry<ARTICULATE_PROOF_SCALAR>&);

}  // namespace articulate::validation
