/** \file
 *  \brief Motion under force elements against vector mechanics and closed forms, also in 50 digits.
 */
#include <articulate/aba/forward_dynamics.hpp>
#include <articulate/derivatives/hybrid_derivative.hpp>
#include <articulate/derivatives/hybrid_jacobians.hpp>
#include <articulate/model/kinematics.hpp>
#include <models/unit.hpp>
#include <motion/force_element_cases.hpp>
#include <witnesses/newton_euler.hpp>

using namespace articulate;
using namespace articulate::validation::force_cases;
using validation::Fifty;

BOOST_AUTO_TEST_SUITE(motion_under_force_elements)

// A law.

BOOST_AUTO_TEST_CASE(in_fifty_digits_too_along_a_motion)
{
  using Dual = validation::Dual<Fifty>;
  for (const bool floating : bases)
    for (const ForceElement& element : springs()) {
      const Model<double> plain = model_of(machine(), floating);
      const Model<Fifty> model(plain);
      const Model<Dual> moved(plain);
      const State<Fifty> x(model);
      VectorX<Dual> q = x.q.template cast<Dual>(), qd = x.qd.template cast<Dual>(), step(model.nv());
      for (int k = 0; k < model.nv(); ++k) step(k) = validation::dual_parameter<Fifty>() * Dual(x.qd(k));
      displace(moved, q, step);
      ForceElements<Dual> forces(moved, {element});
      forces(q, qd, Dual(x.t));
      ForceElements<Fifty> here(model, {element});
      here(x.q, x.qd, x.t);
      BOOST_TEST_CONTEXT(name_of(element))
      {
        require_equal<Fifty>(here.power(), Fifty(-validation::derivative(forces.potential(), 1)));
        require_equal<Fifty>(here.supplied(), Fifty(0));
      }
    }
}

// Vector mechanics.

/// The motion under springs and given forces as the witness sees it: forces at points, written out.
template <typename S>
void the_witness_finds_no_force_missing()
{
  using Witness = witness::VectorNewtonEuler<S>;
  using Vector3 = typename Witness::Vector3;
  using Vector6 = typename Witness::Vector6;
  for (const bool floating : bases) {
    const Mechanism mechanism = machine();
    const Model<S> model{model_of(mechanism, floating)};
    const State<S> x(model);
    const SpringDamper springs[] = {
        {"links", {"on_planar", {0.1, -0.2, 0.3}}, {"on_fixed", {0.2, 0.1, -0.1}}, 310, 23, 0.4},
        {"world", {"", {1.1, -0.7, 0.4}}, {"on_ball", {0.1, 0.1, 0.2}}, 90, 5, 0.6}};
    const std::array<double, 3> at{0.2, -0.3, 0.1}, push{7, -4, 9};
    ForceElements<S> forces(model, {springs[0], springs[1], AppliedForce{"in the link", {"on_planar", at}, push, true},
                                    AppliedForce{"in the world", {"on_fixed", at}, push}});
    forces(x.q, x.qd, x.t);
    ForwardDynamics<S> aba(model);
    const VectorX<S> qdd = aba(x.q, x.qd, forces.tau, forces.Fext);

    Witness newton_euler(mechanism, floating);
    const auto g = model.gravity();
    const Vector3 gravity(g[0], g[1], g[2]), none = Vector3::Zero();
    newton_euler.inverse_dynamics(x.q, x.qd, qdd, gravity);
    const auto index = [&](const std::string& link) {
      std::size_t k = 0;
      while (k < mechanism.links.size() && mechanism.links[k].name != link) ++k;
      return k;
    };
    const auto dot = [](const Vector3& a, const Vector3& b) { return S(a[0] * b[0] + a[1] * b[1] + a[2] * b[2]); };
    const auto cross = [](const Vector3& a, const Vector3& b) {
      return Vector3(a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]);
    };
    std::vector<Vector6> external(mechanism.links.size(), Vector6::Zero());
    const Vector3 lever{S(at[0]), S(at[1]), S(at[2])}, f_given{S(push[0]), S(push[1]), S(push[2])};
    for (const char* link : {"on_planar", "on_fixed"}) {
      const std::size_t k = index(link);
      const Vector3 f =
          k == index("on_planar") ? f_given : Vector3(newton_euler.links[k].rotation.transpose() * f_given);
      external[k].template head<3>() += cross(lever, f);
      external[k].template tail<3>() += f;
    }
    for (const SpringDamper& spring : springs) {
      Vector3 place[2], velocity[2], arm[2];
      const Attachment* ends[] = {&spring.first, &spring.second};
      for (int e = 0; e < 2; ++e) {
        const auto& p = ends[e]->position;
        arm[e] = place[e] = Vector3(S(p[0]), S(p[1]), S(p[2]));
        velocity[e] = none;
        if (ends[e]->link.empty()) continue;
        const auto& body = newton_euler.links[index(ends[e]->link)];
        arm[e] = body.rotation * arm[e];
        place[e] = body.position + arm[e];
        velocity[e] = body.velocity + cross(body.angular_velocity, arm[e]);
      }
      using std::sqrt;
      const Vector3 d = place[1] - place[0], v = velocity[1] - velocity[0];
      const S L = sqrt(dot(d, d)),
              tension = S(spring.stiffness) * (L - S(spring.rest_length)) + S(spring.damping) * dot(d, v) / L;
      for (int e = 0; e < 2; ++e) {
        if (ends[e]->link.empty()) continue;
        const std::size_t k = index(ends[e]->link);
        const Vector3 f = d * ((e == 0 ? tension : S(-tension)) / L);
        const auto& R = newton_euler.links[k].rotation;
        external[k].template head<3>() += R.transpose() * cross(arm[e], f);
        external[k].template tail<3>() += R.transpose() * f;
      }
    }
    const VectorX<S> left = newton_euler.inverse_dynamics(x.q, x.qd, qdd, gravity, external);
    const VectorX<S> without = newton_euler.inverse_dynamics(x.q, x.qd, qdd, gravity);
    BOOST_TEST(largest(without) > 1);
    BOOST_TEST(largest(left) <= bound<S>() * largest(without));
  }
}
BOOST_AUTO_TEST_CASE(motion_under_springs_is_that_of_vector_mechanics)
{
  the_witness_finds_no_force_missing<double>();
  the_witness_finds_no_force_missing<Fifty>();
}

// Closed forms.

BOOST_AUTO_TEST_CASE(a_torsion_pendulum_has_the_frequency_of_stiffness_over_inertia)
{
  const Model<Fifty> model{model_of(torsion_pendulum(), false)};
  ForceElements<Fifty> forces(model, {JointSpring{"wire", "wire", 0, 4, 0.6, 0}});
  ForwardDynamics<Fifty> aba(model);
  // x = exp(-s t) cos(w t) with s = c/2J, w^2 = k/J - s^2, where J = 0.02 + 2 0.3^2 of the stored numbers.
  const Fifty J = Fifty(0.02) + Fifty(2) * Fifty(0.3) * Fifty(0.3), s = Fifty(0.6) / (Fifty(2) * J);
  const Fifty w = sqrt(Fifty(4) / J - s * s);
  for (int k = 0; k < 5; ++k) {
    const Fifty t(0.37 * k), decay = exp(-s * t), c = decay * cos(w * t), sine = decay * sin(w * t);
    VectorX<Fifty> q(1), qd(1), qdd(1);
    q << c;
    qd << -s * c - w * sine;
    qdd << (s * s - w * w) * c + Fifty(2) * s * w * sine;
    forces(q, qd, t);
    require_equal<Fifty>(aba(q, qd, forces.tau, forces.Fext), qdd);
  }
}

BOOST_AUTO_TEST_CASE(two_masses_and_a_spring_swing_with_their_reduced_mass)
{
  const Model<Fifty> model{model_of(two_masses(3, 1), false)};
  ForceElements<Fifty> forces(model, {SpringDamper{"spring", {"left"}, {"right"}, 12, 0, 0.5}});
  ForwardDynamics<Fifty> aba(model);
  const Fifty w2 = Fifty(12) / (Fifty(3) * Fifty(1) / Fifty(4));
  for (const double stretch : {-0.2, 0.0, 0.3}) {
    VectorX<Fifty> q(2), qd(2);
    q << Fifty(0.1), Fifty(0.1) + Fifty(0.5) + Fifty(stretch);
    qd << Fifty(0.4), Fifty(-1.2);
    forces(q, qd, Fifty(0));
    const VectorX<Fifty> qdd = aba(q, qd, forces.tau, forces.Fext);
    require_equal<Fifty>(Fifty(qdd(1) - qdd(0)), Fifty(-w2 * (q(1) - q(0) - Fifty(0.5))));
    require_equal<Fifty>(Fifty(Fifty(3) * qdd(0) + qdd(1)), Fifty(0));
    require_equal<Fifty>(forces.power(), Fifty(Fifty(-12) * Fifty(q(1) - q(0) - Fifty(0.5)) * (qd(1) - qd(0))));
  }
}

BOOST_AUTO_TEST_CASE(a_planet_follows_its_ellipse_with_the_energy_of_its_axis)
{
  Mechanism planet;
  planet.name = planet.source = "planet";
  planet.links = {{"space"}, {"rock", 5, {0.2, -0.1, 0.3}, {0, 0, 0, 1}, {0.4, 0.02, 0, 0.5, 0.01, 0.3}}};
  planet.joints = {{"flight", JointType::floating, "space", "rock"}};
  planet.gravity = {0, 0, 0};
  const Model<Fifty> model{model_of(planet, false)};
  const std::array<double, 3> sun{0.7, 1.3, -0.4};
  const Fifty GM(40), a(3), e(0.5), n = sqrt(GM / (a * a * a)), b = a * sqrt(Fifty(1) - e * e);
  ForceElements<Fifty> forces(model, {GravityField{"sun", 40, sun}});
  ForwardDynamics<Fifty> aba(model);
  ForwardKinematics<Fifty> kinematics(model);
  const Vector3<Fifty> center{Fifty(0.2), Fifty(-0.1), Fifty(0.3)};
  for (const double anomaly : {0.0, 0.9, 2.4, 4.0}) {
    // Kepler: t = (E - e sin E)/n.
    const Fifty E(anomaly), Edot = n / (Fifty(1) - e * cos(E)), Edd = -e * sin(E) * Edot * Edot * Edot / n;
    const Vector3<Fifty> r{a * (cos(E) - e), b * sin(E), Fifty(0)};
    const Vector3<Fifty> v{-a * sin(E) * Edot, b * cos(E) * Edot, Fifty(0)};
    const Vector3<Fifty> acceleration{-a * (cos(E) * Edot * Edot + sin(E) * Edd),
                                      b * (cos(E) * Edd - sin(E) * Edot * Edot), Fifty(0)};
    // The rock does not turn, its axes are turned all the same.
    const auto turn = validation::unit({1, -2, 3, 5});
    const SO3<Fifty> R(Quaternion<Fifty>{{Fifty(turn[0]), Fifty(turn[1]), Fifty(turn[2])}, Fifty(turn[3])});
    const Vector3<Fifty> p = Vector3<Fifty>{Fifty(sun[0]), Fifty(sun[1]), Fifty(sun[2])} + r - R * center;
    VectorX<Fifty> q(7), qd = VectorX<Fifty>::Zero(6);
    for (int k = 0; k < 3; ++k) q(k) = p[k], qd(3 + k) = (inverse(R) * v)[k];
    for (int k = 0; k < 4; ++k) q(3 + k) = Fifty(turn[static_cast<std::size_t>(k)]);
    forces(q, qd, Fifty(0));
    const VectorX<Fifty> qdd = aba(q, qd, forces.tau, forces.Fext);
    const Vector3<Fifty> found = R * Vector3<Fifty>{qdd(3), qdd(4), qdd(5)};
    require_equal<Fifty>(found.eigen(), acceleration.eigen());
    require_equal<Fifty>(qdd.head(3), VectorX<Fifty>::Zero(3));
    kinematics(q, qd);
    require_equal<Fifty>(Fifty(kinematics.kinetic_energy() + forces.potential()),
                         Fifty(-GM * Fifty(5) / (Fifty(2) * a)));
  }
}

// Rotors.

template <typename S>
void rotors_add_to_the_diagonal_of_the_mass_matrix()
{
  for (const bool floating : bases) {
    const Model<S> model{model_of(machine(), floating)};
    const State<S> x(model);
    const int n = model.nv();
    VectorX<S> a(n), tau(n), given(n);
    for (int k = 0; k < n; ++k)
      a(k) = S(0.2 + 0.1 * k), tau(k) = S(3 * std::sin(1.0 + k)), given(k) = S(std::cos(2.0 * k));
    for (int k = 0; k < (floating ? 6 : 0); ++k) a(k) = S(0);
    InverseDynamics<S> rnea(model);
    const auto needed = [&](const VectorX<S>& qdd) { return VectorX<S>(rnea(x.q, x.qd, qdd) + a.cwiseProduct(qdd)); };
    ForwardDynamics<S> aba(model);
    aba.set_armature(a);
    require_equal<S>(needed(aba(x.q, x.qd, tau)), tau);

    // Every third acceleration is prescribed.
    std::vector<bool> prescribed(static_cast<std::size_t>(n));
    for (std::size_t k = 0; k < prescribed.size(); k += 3) prescribed[k] = true;
    HybridDynamics<S> hybrid(model, prescribed);
    hybrid.set_armature(a);
    hybrid(x.q, x.qd, given, tau);
    require_equal<S>(needed(hybrid.qdd()), hybrid.tau());
    VectorX<S> response_tau = tau, response_qdd = given;
    hybrid.respond(response_tau, response_qdd);
    VectorX<S> expected = a.cwiseProduct(response_qdd);
    rnea.set_gravity({});
    expected += rnea(x.q, VectorX<S>::Zero(n), response_qdd);
    require_equal<S>(response_tau, expected);

    // Its derivatives along single parameters are those of the Jacobians.
    HybridDynamicsJacobians<S> J(model);
    J(hybrid, x.q, x.qd, hybrid.qdd());
    HybridDynamicsDerivative<S> derivative(model);
    for (int k = 0; k < n; ++k) {
      const auto require_column = [&](const Parameter& parameter, const MatrixX<S>& by) {
        derivative(hybrid, x.qd, hybrid.qdd(), seeds_of(parameter, hybrid, x.qd));
        VectorX<S> column(n);
        for (int j = 0; j < n; ++j) column(j) = hybrid.is_prescribed(j) ? derivative.dtau()(j) : derivative.dqdd()(j);
        require_equal<S>(by.col(k), column);
      };
      require_column(Parameter::coordinate(k), J.by_q);
      require_column(Parameter::rate(k), J.by_qd);
      require_column(hybrid.is_prescribed(k) ? Parameter::acceleration(k) : Parameter::force(k), J.by_given);
    }
  }
}
BOOST_AUTO_TEST_CASE(a_rotor_stands_against_its_own_degree_alone)
{
  rotors_add_to_the_diagonal_of_the_mass_matrix<double>();
  rotors_add_to_the_diagonal_of_the_mass_matrix<Fifty>();
}

BOOST_AUTO_TEST_SUITE_END()
