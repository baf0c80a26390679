/** \file
 *  \brief Proofs of chapter rnea: the terms of the equations of motion and the energies by name, \eq{ours,29}.
 */
#include <ledger/calculus.hpp>
#include <ledger/registry.hpp>

namespace articulate::validation {
namespace {

template <typename S>
EquationsOfMotion<S> equations(const Specimen<S>& x)
{
  InverseDynamics<S> rnea(x.model);
  return {rnea, x.q, x.qd, x.Fext};
}

/// What the external wrenches do to the joints, link by link.
template <typename S>
VectorX<S> forces_of_wrenches(const Specimen<S>& x)
{
  VectorX<S> sum = VectorX<S>::Zero(x.model.nv());
  for (const LinkFrame<S>& link : x.model.links())
    sum += x.kinematics.link_jacobian(link).transpose() * coordinates(x.link_wrench(link.name));
  return sum;
}

template <typename S>
void terms(Registry<S>& r)
{
  r.identity({.name = "the_bias_is_of_rates_and_of_weight_less_what_the_surroundings_do",
              .keys = {"ours:29/coriolis", "ours:29/weight", "ours:29/sum"},
              .symbols = "EquationsOfMotion InverseDynamics::operator()",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const EquationsOfMotion<S> e = equations(x);
                const VectorX<S> rest = VectorX<S>::Zero(x.model.nv()), wrenches = forces_of_wrenches(x);
                witness::VectorNewtonEuler<S> machine(x.inputs.mechanism, x.inputs.options.floating_base);
                const VectorX<S> coriolis = machine.bias(x.q, x.qd, Vector3<S>{}.eigen());
                const VectorX<S> weight = machine.bias(x.q, rest, x.gravity.eigen());
                // Beside the forces of the whole motion, of which a term may be none.
                const VectorX<S> beside = x.inverse_tau.cwiseAbs() + e.b.cwiseAbs() + wrenches.cwiseAbs();
                sides.clause("ours:29/coriolis");
                sides.add_by_unit(x.model, e.coriolis, coriolis, beside);
                sides.rival("the weight is counted in", [&](auto& wrong) {
                  wrong.add_by_unit(x.model, VectorX<S>(e.b + wrenches), coriolis, beside);
                });
                sides.clause("ours:29/weight");
                sides.add_by_unit(x.model, e.gravity, weight, beside);
                sides.rival("bodies fall upward",
                            [&](auto& wrong) { wrong.add_by_unit(x.model, VectorX<S>(-e.gravity), weight, beside); });
                sides.clause("ours:29/sum");
                sides.add_by_unit(x.model, e.b, VectorX<S>(e.coriolis + e.gravity - wrenches), beside);
                sides.rival("the joints help the surroundings", [&](auto& wrong) {
                  wrong.add_by_unit(x.model, e.b, VectorX<S>(e.coriolis + e.gravity + wrenches), beside);
                });
              }});
  r.identity({.name = "the_mechanical_energy_grows_by_the_power_of_joints_and_surroundings",
              .keys = {"ours:29/energy"},
              .symbols = "ForwardKinematics::kinetic_energy ForwardKinematics::potential_energy",
              .method = "series",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const ForwardKinematics<Series<S>>& along = x.along_motion();
                const S kinetic = derivative(along.kinetic_energy(), 1);
                const S potential = derivative(along.potential_energy(constant(x.gravity)), 1);
                S power(0), terms(0);
                const auto add = [&](const S& part) { power += part, terms += magnitude(part); };
                for (int k = 0; k < x.model.nv(); ++k) add(x.inverse_tau(k) * x.qd(k));
                for (int i = 1; i <= x.bodies(); ++i) add(pairing(x.Fext[i], x.kinematics.V[i]));
                sides.add(S(kinetic + potential), power, terms);
                sides.rival("what falls gains energy", [&](auto& wrong) { wrong.add(kinetic, power, terms); });
              }});
}

}  // namespace

template <typename S>
void rnea_terms(Registry<S>& r)
{
  terms(r);
}

template void rnea_terms(Registry<ARTICULATE_PROOF_SCALAR>&);

}  // namespace articulate::validation
