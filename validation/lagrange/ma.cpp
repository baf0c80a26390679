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

/// The centre of mass of a body in its frame; none where it has no mass.
template <typename S>
Vector3<S> center_of(const Inertia<S>& I)
{
  return comparable(I.mass) == 0 ? Vector3<S>{} : S(1) / I.mass * I.first_moment;
}

/// The sums of Koenig and of weights as they come out if the frame's origin is taken for the centre of mass.
template <typename S>
struct EnergiesByOrigins {
  S kinetic{0}, potential{0};

  explicit EnergiesByOrigins(const Specimen<S>& x)
  {
    for (int i = 1; i <= x.bodies(); ++i) {
      const Inertia<S>& I = x.model.body(i).I;
      const Twist<S>& V = x.kinematics.V[i];
      const Symmetric3<S> I_c = I.second_moment - skew_products(I.mass / S(2) * center_of(I), center_of(I));
      kinetic += (I.mass * inner(V.v, V.v) + inner(V.w, I_c * V.w)) / S(2);
      potential -= I.mass * inner(x.gravity, x.kinematics.pose[i].p);
    }
  }
};

template <typename S>
void energies_of_bodies(Registry<S>& r)
{
  r.identity({.name = "the_energies_by_centres_of_mass_are_those_of_the_witness",
              .keys = {"ma:37", "ma:38"},
              .symbols = "koenig_energy LagrangeEquations ForwardKinematics::potential_energy",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const LagrangeEquations<S>& lagrange = x.template once<LagrangeCase<S>>().at;
                const S E = x.newton_euler().kinetic_energy(), U = x.newton_euler().potential_energy(x.gravity.eigen());
                const EnergiesByOrigins<S> by_origins(x);
                sides.clause("ma:37");
                sides.add(lagrange.E, E);
                sides.rival("the origin of the frame moves for the centre of mass",
                            [&](auto& wrong) { wrong.add(by_origins.kinetic, E); });
                const S highest = largest<S>(x.gravity.eigen()) * largest<S>(x.kinematics.mass_moment().eigen());
                sides.clause("ma:38");
                sides.add(lagrange.U, U, highest);
                sides.rival("the weight hangs on the origin of the frame",
                            [&](auto& wrong) { wrong.add(by_origins.potential, U, highest); });
              }});
  r.identity({.name = "centres_of_mass_and_bodies_move_in_their_own_frames_as_the_witness_sees_it",
              .keys = {"ma:39", "ma:40"},
              .symbols = "LagrangeEquations ForwardKinematics",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const LagrangeEquations<S>& lagrange = x.template once<LagrangeCase<S>>().at;
                std::vector<Vector3<S>> momentum(x.bodies() + 1), turning(momentum);
                for (const LinkFrame<S>& link : x.model.links()) {
                  const auto& seen = x.newton_euler().links[x.mechanism_index(link.name)];
                  momentum[link.body] += seen.mass * Vector3<S>(seen.center_velocity());
                  turning[link.body] = Vector3<S>(seen.angular_velocity);
                }
                std::vector<Twist<S>> own, of_origins, witnessed, own_turning, witnessed_turning, left_in_space;
                for (int i = 1; i <= x.bodies(); ++i) {
                  const Twist<S>& V = lagrange.V[i];
                  const Inertia<S>& I = x.model.body(i).I;
                  const auto seen_from_body = [&](const Vector3<S>& a) { return inverse(x.kinematics.pose[i].R) * a; };
                  own_turning.push_back({V.w, {}});
                  witnessed_turning.push_back({seen_from_body(turning[i]), {}});
                  left_in_space.push_back({turning[i], {}});
                  if (comparable(I.mass) == 0) continue;
                  own.push_back({{}, V.v + cross(V.w, center_of(I))}), of_origins.push_back({{}, V.v});
                  witnessed.push_back({{}, seen_from_body(S(1) / I.mass * momentum[i])});
                }
                sides.clause("ma:39");
                sides.add(own, witnessed);
                sides.rival("the origin of the frame moves for the centre of mass",
                            [&](auto& wrong) { wrong.add(of_origins, witnessed); });
                sides.clause("ma:40");
                sides.add(own_turning, witnessed_turning);
                sides.rival("it is left in the axes of space",
                            [&](auto& wrong) { wrong.add(own_turning, left_in_space); });
              }});
}

template <typename S>
void derivatives_of_energies(Registry<S>& r)
{
  r.identity({.name = "brackets_of_twists_are_the_derivatives_of_the_energies",
              .keys = {"ma:36"},
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
                    sides.rival("the mass matrix is held while its momentum changes", [&](auto& wrong) {
                      LagrangeEquations<S> held(x.model);
                      held(x.q, x.qdd, x.qdd);
                      wrong.add_by_unit(x.model, held.dE_dqd, momentum_rate);
                    });
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
                const LagrangeEquations<S>& lagrange = x.template once<LagrangeCase<S>>().at;
                const VectorX<S> witnessed = witness_forces<S>(x, x.qd, x.qdd, x.gravity);
                sides.add_by_unit(x.model, Q, witnessed);
                sides.rival("the derivative of the kinetic energy by the coordinates is forgotten", [&](auto& wrong) {
                  wrong.add_by_unit(x.model, VectorX<S>(Q + lagrange.dE_dq), witnessed);
                });
                sides.rival("potential energy falls with height", [&](auto& wrong) {
                  wrong.add_by_unit(x.model, VectorX<S>(Q - S(2) * lagrange.dU_dq), witnessed);
                });
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
