/** \file
 *  \brief Proofs of chapter lagrange: Ma 2021, section 4, \eq{ma,36} to \eq{ma,40}.
 *
 *  Each derivative of an energy, which the library makes of brackets, beside that of the energy itself in an arithmetic
 *  that carries derivatives; and the equations as a whole beside forces and accelerations.
 */
#include <articulate/lagrange/lagrange_equations.hpp>
#include <ledger/calculus.hpp>
#include <skew_symmetry/compared_with.hpp>

namespace articulate::validation {
namespace {

/// Lagrange's equations of a case, run once.
template <typename S>
struct LagrangeCase {
  LagrangeEquations<S> at;
  VectorX<S> Q;

  explicit LagrangeCase(const Specimen<S>& x) : at(x.model), Q(at(x.q, x.qd, x.qdd)) {}
};

/// The energies of a case in series arithmetic: moved along a direction of the coordinates, with rates that may move.
template <typename S>
class EnergiesAlong {
public:
  explicit EnergiesAlong(const Specimen<S>& x) : gravity_(x.gravity), q_(x.q), bodies_(x.series_model()) {}

  /// \param step  nv displacements   \param rate  nv rates, both as series
  void operator()(const VectorX<Series<S>>& step, const VectorX<Series<S>>& rate)
  {
    bodies_(displaced<Series<S>>(bodies_.model(), q_.template cast<Series<S>>(), step), rate);
  }
  Series<S> kinetic() const { return bodies_.kinetic_energy(); }
  Series<S> potential() const { return bodies_.potential_energy(constant(gravity_)); }

private:
  Vector3<S> gravity_;
  VectorX<S> q_;
  ForwardKinematics<Series<S>> bodies_;
};

template <typename S>
void energies_of_bodies(Registry<S>& r)
{
  r.identity({.name = "the_energies_by_centres_of_mass_are_those_of_the_witness",
              .keys = {"ma:37", "ma:38", "ma:39", "ma:40"},
              .symbols = "koenig_energy LagrangeEquations ForwardKinematics::potential_energy",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const LagrangeEquations<S>& lagrange = x.template once<LagrangeCase<S>>().at;
                sides.add(lagrange.E, x.newton_euler().kinetic_energy());
                const S highest = largest<S>(x.gravity.eigen()) * largest<S>(x.kinematics.mass_moment().eigen());
                sides.add(lagrange.U, x.newton_euler().potential_energy(x.gravity.eigen()), highest);
              }});
}

template <typename S>
void derivatives_of_energies(Registry<S>& r)
{
  r.identity({.name = "brackets_of_twists_are_the_derivatives_of_the_energies",
              .keys = {"ma:36", "ma:39"},
              .symbols = "LagrangeEquations::differentiate",
              .method = "series",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const LagrangeEquations<S>& lagrange = x.template once<LagrangeCase<S>>().at;
                    const int n = x.model.nv();
                    const Series<S> t = time_series<S>();
                    EnergiesAlong<S> energies(x);
                    VectorX<Series<S>> along(n), rate(n);
                    for (int k = 0; k < n; ++k) {
                      along(k) = t * x.qd(k) + t * t * S(x.qdd(k) / S(2));
                      rate(k) = x.qd(k) + t * x.qdd(k);
                    }
                    const VectorX<Series<S>> qd = x.qd.template cast<Series<S>>();
                    VectorX<S> momentum(n), momentum_rate(n), dE(n), dU(n);
                    for (int k = 0; k < n; ++k) {
                      const VectorX<Series<S>> one = VectorX<Series<S>>::Unit(n, k);
                      energies(t * one, qd);
                      dE(k) = derivative(energies.kinetic(), 1), dU(k) = derivative(energies.potential(), 1);
                      // E is quadratic in the rates: half a difference of two is the derivative, here along the motion.
                      energies(along, rate + one);
                      const Series<S> more = energies.kinetic();
                      energies(along, rate - one);
                      const Series<S> p = (more - energies.kinetic()) / S(2);
                      momentum(k) = derivative(p, 0), momentum_rate(k) = derivative(p, 1);
                    }
                    const VectorX<S> terms = coriolis_terms(x, x.qd);
                    sides.add_by_unit(x.model, lagrange.dE_dqd, momentum);
                    sides.add_by_unit(x.model, lagrange.dE_dqd_rate, momentum_rate, terms);
                    sides.add_by_unit(x.model, lagrange.dE_dq, dE, terms);
                    sides.add_by_unit(x.model, lagrange.dU_dq, dU);
                  },
              .applies = is_small});
}

template <typename S>
void joint_forces(Registry<S>& r)
{
  r.identity({.name = "lagranges_equations_need_the_joint_forces_of_newton_and_euler",
              .keys = {"ma:36"},
              .symbols = "LagrangeEquations",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const VectorX<S>& Q = x.template once<LagrangeCase<S>>().Q;
                sides.add_by_unit(x.model, Q, witness_forces<S>(x, x.qd, x.qdd, x.gravity));
                InverseDynamics<S> unloaded(x.model);
                sides.add_by_unit(x.model, Q, unloaded(x.q, x.qd, x.qdd));
              }});
}

}  // namespace

template <typename S>
void lagrange_ma(Registry<S>& r)
{
  energies_of_bodies(r);
  derivatives_of_energies(r);
  joint_forces(r);
}

template void lagrange_ma(Registry<ARTICULATE_PROOF_SCALAR>&);

}  // namespace articulate::validation
