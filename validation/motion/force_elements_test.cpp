/** \file
 *  \brief Force elements by their potentials, by complex step, by closed forms and against vector mechanics.
 *
 *  Bounds are the ledger's for well-conditioned states: 1e-11 in double and 1e-44 in 50 digits, of the largest number.
 */
#include <boost/test/unit_test.hpp>
#include <complex>
#include <articulate/aba/forward_dynamics.hpp>
#include <articulate/derivatives/hybrid_derivative.hpp>
#include <articulate/derivatives/hybrid_jacobians.hpp>
#include <articulate/lagrange/composite_body.hpp>
#include <articulate/model/displacement.hpp>
#include <articulate/model/kinematics.hpp>
#include <articulate/motion/force_jacobians.hpp>
#include <articulate/motion/joint_dynamics.hpp>
#include <ledger/scalars.hpp>
#include <models/models.hpp>
#include <models/unit.hpp>
#include <witnesses/newton_euler.hpp>

using namespace articulate;
using validation::Fifty;
using Complex = std::complex<double>;

namespace {

template <typename S>
double bound()
{
  return std::is_same_v<S, Fifty> ? 1e-44 : 1e-11;
}

/// Entry by entry, beside the largest.
template <typename S, typename A, typename B>
void require_equal(const Eigen::MatrixBase<A>& a, const Eigen::MatrixBase<B>& b)
{
  const double size = std::max({1.0, largest(a), largest(b)});
  BOOST_TEST(largest((a - b).eval()) <= bound<S>() * size);
}
template <typename S>
void require_equal(const S& a, const S& b)
{
  require_equal<S>(VectorX<S>::Constant(1, a), VectorX<S>::Constant(1, b));
}

/// A state in no special place, the same numbers in every scalar.
template <typename S>
struct State {
  VectorX<S> q, qd;
  S t{0.3};

  explicit State(const Model<S>& model, double seed = 0)
  {
    VectorX<S> delta(model.nv());
    qd.resize(model.nv());
    for (int k = 0; k < model.nv(); ++k) {
      delta(k) = S(0.7 * std::sin(1 + 2.3 * k + seed));
      qd(k) = S(1.5 * std::sin(0.4 + 1.7 * k + seed));
    }
    q = displaced(model, model.zero_coordinates(), delta);
  }

  /// In complex numbers, moved by ih along the displacement delta and the change of rates.
  std::pair<VectorX<Complex>, VectorX<Complex>> moved(const Model<Complex>& model, double h,
                                                      const VectorX<double>& delta,
                                                      const VectorX<double>& delta_qd) const
  {
    const VectorX<Complex> step = Complex(0, h) * delta.template cast<Complex>();
    return {displaced(model, VectorX<Complex>(q.template cast<Complex>()), step),
            qd.template cast<Complex>() + Complex(0, h) * delta_qd.template cast<Complex>()};
  }
};

Mechanism machine() { return validation::every_joint(); }

/// What has a potential, and nothing besides.
std::vector<ForceElement> springs()
{
  return {SpringDamper{"far", {"on_planar", {0.1, -0.2, 0.3}}, {"on_prismatic", {0.2, 0.1, -0.1}}, 310, 0, 0.4},
          SpringDamper{"near", {"on_revolute", {0.3, 0.2, -0.1}}, {"on_universal", {-0.2, 0.1, 0.2}}, 170, 0, 0.25},
          SpringDamper{"to the world", {"", {1.1, -0.7, 0.4}}, {"on_ball", {0.1, 0.1, 0.2}}, 90, 0, 0.6},
          SpringDamper{"without length", {"on_euler_free", {0.1, 0, 0.2}}, {"", {-0.5, 0.9, 1.3}}, 120, 0, 0},
          JointSpring{"hinge", "revolute", 0, 45, 0, 0.2},
          JointSpring{"screw", "helical", 0, 33, 0, -0.4},
          JointSpring{"second of three", "euler_ball", 1, 21, 0, 0.1},
          JointSpring{"slide", "cylindrical", 1, 260, 0, 0.05},
          GravityField{"planet", 14.3, {2.1, -3.2, 1.7}}};
}

/// What has none, and springs with what goes with them.
std::vector<ForceElement> losses()
{
  return {SpringDamper{"damped", {"on_planar", {0.1, -0.2, 0.3}}, {"on_helical", {0.2, 0.1, -0.1}}, 310, 23, 0.4},
          SpringDamper{"damper", {"on_revolute", {0.3, 0.2, -0.1}}, {"on_continuous", {-0.2, 0.1, 0.2}}, 0, 17, 0},
          SpringDamper{"to the world", {"on_ball", {0.1, 0.1, 0.2}}, {"", {1.1, -0.7, 0.4}}, 90, 5, 0.6},
          JointSpring{"hinge", "revolute", 0, 45, 3.5, 0.2},
          JointSpring{"ball", "ball", 2, 0, 1.5},
          JointFriction{"dry", "prismatic", 0, 0.7, 2.6, 0.3},
          JointFriction{"flight", "floating", 4, 0.2, 0.4, 0.1},
          AppliedForce{"thrust", {"on_floating", {0.2, -0.1, 0.3}}, {{0, 1}, {{{3, -2, 5}}, {{1, 4, -6}}}}, true},
          AppliedForce{"pull", {"on_fixed", {0.3, 0.1, 0}}, {{2, 7, -4}}},
          AppliedJointForce{"drive", "planar", 1, {{-1, 0.5, 2}, {{{1.5}}, {{-0.5}}, {{2}}}}}};
}

template <typename S>
VectorX<S> forces_of(const Model<S>& model, const std::vector<ForceElement>& elements, const VectorX<S>& q,
                     const VectorX<S>& qd, const S& t)
{
  ForceElements<S> forces(model, elements);
  forces(q, qd, t);
  return forces.joint_forces();
}

const std::vector<bool> bases{false, true};

Model<double> model_of(const Mechanism& mechanism, bool floating) { return Model<double>(mechanism, {floating}); }

/// The sentence of an error.
template <typename Function>
std::string told(const Function& f)
{
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing";
}

void require_told(const std::string& sentence, std::initializer_list<const char*> pieces)
{
  for (const char* piece : pieces)
    BOOST_TEST(sentence.find(piece) != std::string::npos, "'" << piece << "' in: " << sentence);
  BOOST_TEST(sentence.back() == '.');
}

}  // namespace

BOOST_AUTO_TEST_SUITE(force_elements)

// Laws.

BOOST_AUTO_TEST_CASE(a_force_is_minus_the_gradient_of_its_potential)
{
  constexpr double h = 1e-100;
  for (const bool floating : bases)
    for (const ForceElement& element : springs()) {
      const Model<double> model = model_of(machine(), floating);
      const Model<Complex> moved(model);
      const State<double> x(model);
      ForceElements<Complex> forces(moved, {element});
      VectorX<double> gradient(model.nv());
      for (int k = 0; k < model.nv(); ++k) {
        const auto [q, qd] = x.moved(moved, h, VectorX<double>::Unit(model.nv(), k), VectorX<double>::Zero(model.nv()));
        forces(q, qd, Complex(x.t));
        gradient(k) = forces.potential().imag() / h;
      }
      BOOST_TEST_CONTEXT(name_of(element))
      {
        BOOST_TEST(largest(gradient) > 0.1);
        require_equal<double>(forces_of(model, {element}, x.q, x.qd, x.t), -gradient);
      }
    }
}

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

BOOST_AUTO_TEST_CASE(power_is_what_is_supplied_less_the_rate_of_the_potential)
{
  constexpr double h = 1e-100;
  std::vector<ForceElement> all = springs();
  for (const ForceElement& element : losses()) all.push_back(element);
  for (const bool floating : bases)
    for (const ForceElement& element : all) {
      const Model<double> model = model_of(machine(), floating);
      const Model<Complex> complex(model);
      const State<double> x(model);
      ForceElements<double> forces(model, {element});
      forces(x.q, x.qd, x.t);
      ForceElements<Complex> moved(complex, {element});
      const auto [q, qd] = x.moved(complex, h, x.qd, VectorX<double>::Zero(model.nv()));
      moved(q, qd, Complex(x.t));
      BOOST_TEST_CONTEXT(name_of(element))
      {
        BOOST_TEST(std::abs(forces.power()) > 0.01);
        require_equal<double>(forces.power(), forces.supplied() - moved.potential().imag() / h);
        require_equal<double>(forces.power(), forces.joint_forces().dot(x.qd));
      }
    }
}

BOOST_AUTO_TEST_CASE(dampers_and_friction_only_take)
{
  const Model<double> model = model_of(machine(), true);
  for (double seed = 0; seed < 20; ++seed) {
    const State<double> x(model, seed);
    for (const ForceElement& element : losses()) {
      if (std::holds_alternative<AppliedForce>(element) || std::holds_alternative<AppliedJointForce>(element)) continue;
      ForceElements<double> forces(model, {element});
      forces(x.q, x.qd, x.t);
      BOOST_TEST(forces.supplied() < 0);
    }
  }
}

BOOST_AUTO_TEST_CASE(what_acts_between_two_links_moves_neither_the_whole_nor_turns_it)
{
  const Model<double> model = model_of(machine(), true);
  const State<double> x(model);
  const VectorX<double> Q = forces_of(model, {losses()[0]}, x.q, x.qd, x.t);
  BOOST_TEST(largest(Q) > 1);
  BOOST_TEST(largest(Q.head(6)) <= 1e-13 * largest(Q));
}

// Derivatives.

BOOST_AUTO_TEST_CASE(jacobians_agree_with_the_complex_step_at_every_configuration)
{
  constexpr double h = 1e-100;
  std::vector<ForceElement> all = springs();
  for (const ForceElement& element : losses()) all.push_back(element);
  for (const bool floating : bases)
    for (double seed = 0; seed < 3; ++seed)
      for (std::size_t e = 0; e <= all.size(); ++e) {  // each, and all at once
        const std::vector<ForceElement> elements = e < all.size() ? std::vector{all[e]} : all;
        const Model<double> model = model_of(machine(), floating);
        const Model<Complex> complex(model);
        const State<double> x(model, seed);
        const int n = model.nv();
        MatrixX<double> by_q(n, n), by_qd(n, n);
        const VectorX<double> none = VectorX<double>::Zero(n);
        for (int k = 0; k < n; ++k) {
          const VectorX<double> one = VectorX<double>::Unit(n, k);
          const auto [q, rates] = x.moved(complex, h, one, none);
          by_q.col(k) = forces_of<Complex>(complex, elements, q, rates, x.t).imag() / h;
          const auto [place, qd] = x.moved(complex, h, none, one);
          by_qd.col(k) = forces_of<Complex>(complex, elements, place, qd, x.t).imag() / h;
        }
        ForceElements<double> forces(model, elements);
        forces(x.q, x.qd, x.t);
        ForwardKinematics<double> moved(model);
        moved(x.q, x.qd);
        ForceElementsJacobians<double> jacobians(model);
        jacobians(forces, moved, x.qd, x.t);
        BOOST_TEST_CONTEXT((e < all.size() ? name_of(all[e]) : "all"))
        {
          require_equal<double>(jacobians.dQ_dq, by_q);
          require_equal<double>(jacobians.dQ_dqd, by_qd);
        }
      }
}

BOOST_AUTO_TEST_CASE(jacobians_of_forward_and_hybrid_dynamics_take_them_as_what_given_forces_gain)
{
  constexpr double h = 1e-100;
  std::vector<ForceElement> elements = losses();
  elements.push_back(RotorInertia{"rotor", "revolute", 0, 0.7});
  for (const bool floating : bases)
    for (const int every : {1000, 3}) {  // nothing is prescribed but the first, or every third acceleration
      const Model<double> model = model_of(machine(), floating);
      const Model<Complex> complex(model);
      const State<double> x(model);
      const int n = model.nv();
      std::vector<bool> prescribed(static_cast<std::size_t>(n));
      for (std::size_t k = 0; k < prescribed.size(); k += static_cast<std::size_t>(every)) prescribed[k] = true;
      // Accelerations where forces are given, and what the motors have to add where accelerations are.
      const auto unknowns = [&]<typename S>(const Model<S>& in, const VectorX<S>& q, const VectorX<S>& qd) {
        ForceElements<S> forces(in, elements);
        HybridDynamics<S> hybrid(in, prescribed);
        hybrid.set_armature(forces.armature);
        forces(q, qd, S(x.t));
        hybrid(q, qd, VectorX<S>::Constant(n, S(0.4)), forces.tau, forces.Fext);
        VectorX<S> found = hybrid.qdd();
        for (int j = 0; j < n; ++j)
          if (hybrid.is_prescribed(j)) found(j) = hybrid.tau()(j) - forces.tau(j);
        return found;
      };
      MatrixX<double> by_q(n, n), by_qd(n, n);
      for (int k = 0; k < n; ++k) {
        const VectorX<double> one = VectorX<double>::Unit(n, k), none = VectorX<double>::Zero(n);
        const auto [q, rates] = x.moved(complex, h, one, none);
        by_q.col(k) = unknowns(complex, q, rates).imag() / h;
        const auto [place, qd] = x.moved(complex, h, none, one);
        by_qd.col(k) = unknowns(complex, place, qd).imag() / h;
      }
      ForceElements<double> forces(model, elements);
      forces(x.q, x.qd, x.t);
      HybridDynamics<double> hybrid(model, prescribed);
      hybrid.set_armature(forces.armature);
      hybrid(x.q, x.qd, VectorX<double>::Constant(n, 0.4), forces.joint_forces());
      HybridDynamicsJacobians<double> J(model);
      J(hybrid, x.q, x.qd, hybrid.qdd());
      ForceElementsJacobians<double> gain(model);
      gain(forces, hybrid, x.qd, x.t);
      add_force_derivatives(hybrid, gain.dQ_dq, J.by_given, J.by_q);
      add_force_derivatives(hybrid, gain.dQ_dqd, J.by_given, J.by_qd);
      require_equal<double>(J.by_q, by_q);
      require_equal<double>(J.by_qd, by_qd);
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

BOOST_AUTO_TEST_CASE(a_spring_within_a_satellite_has_the_same_digits_in_orbit)
{
  const Model<double> model = model_of(machine(), true);
  const State<double> x(model);
  const SpringDamper spring{"s", {"on_planar", {0.1, -0.2, 0.3}}, {"on_fixed", {0.2, 0.1, -0.1}}, 310, 23, 0.4};
  VectorX<double> in_orbit = x.q;
  in_orbit.head(3) += Eigen::Vector3d(3e6, -5e6, 4e6);
  require_equal<double>(forces_of<double>(model, {spring}, in_orbit, x.qd, 0),
                        forces_of<double>(model, {spring}, x.q, x.qd, 0));
}

BOOST_AUTO_TEST_CASE(a_recursion_that_has_run_may_be_shared)
{
  const Model<double> model = model_of(machine(), true);
  const State<double> x(model);
  std::vector<ForceElement> all = springs();
  for (const ForceElement& element : losses()) all.push_back(element);
  ForceElements<double> alone(model, all), sharing(model, all);
  ForwardKinematics<double> kinematics(model);
  kinematics(x.q, x.qd);
  alone(x.q, x.qd, x.t);
  sharing(kinematics, x.q, x.qd, x.t);
  BOOST_TEST(largest(VectorX<double>(alone.joint_forces() - sharing.joint_forces(kinematics))) == 0);
  BOOST_TEST(alone.power() == sharing.power());
}

// Closed forms.

/// A bob of 2 kg at a rod's end that turns about the vertical.
Mechanism torsion_pendulum()
{
  Mechanism machine;
  machine.name = machine.source = "torsion_pendulum";
  machine.links = {{"ground"}, {"bob", 2, {0.3, 0, 0}, {0, 0, 0, 1}, {0.01, 0, 0, 0.01, 0, 0.02}}};
  machine.joints = {{"wire", JointType::continuous, "ground", "bob"}};
  return machine;
}

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

/// Two bodies on one rail.
Mechanism two_masses(double m1, double m2)
{
  Mechanism machine;
  machine.name = machine.source = "two_masses";
  machine.links = {{"ground"}, {"left", m1}, {"right", m2}};
  for (int k = 1; k < 3; ++k) {
    const std::string& name = machine.links[k].name;
    machine.joints.push_back({"slide_" + name, JointType::prismatic, "ground", name, {}, {0, 0, 0, 1}, {1, 0, 0}});
  }
  return machine;
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

BOOST_AUTO_TEST_CASE(friction_reaches_seven_tenths_at_its_width)
{
  const Model<double> model = model_of(torsion_pendulum(), false);
  ForceElements<double> forces(model, {JointFriction{"dry", "wire", 0, 0, 2, 0.1}});
  const VectorX<double> q = VectorX<double>::Zero(1);
  const auto at_rate = [&](double rate) {
    forces(q, VectorX<double>::Constant(1, rate), 0);
    return forces.tau(0);
  };
  BOOST_TEST(at_rate(0) == 0);
  BOOST_TEST(std::abs(at_rate(0.1) + 2 / std::sqrt(2)) < 1e-15);
  BOOST_TEST(std::abs(at_rate(-1) - 20 / std::sqrt(101)) < 1e-15);
}

BOOST_AUTO_TEST_CASE(a_table_is_followed_linearly_and_held_outside)
{
  const Model<double> model = model_of(torsion_pendulum(), false);
  ForceElements<double> forces(model, {AppliedJointForce{"drive", "wire", 0, {{1, 2, 4}, {{{5}}, {{7}}, {{1}}}}}});
  const VectorX<double> q = VectorX<double>::Zero(1);
  for (const auto& [t, force] :
       {std::pair{0.0, 5.0}, {1.0, 5.0}, {1.25, 5.5}, {2.0, 7.0}, {3.0, 4.0}, {4.0, 1.0}, {9.0, 1.0}}) {
    forces(q, q, t);
    BOOST_TEST(forces.tau(0) == force);
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

BOOST_AUTO_TEST_CASE(rotors_of_one_degree_add_and_have_their_energy)
{
  const Model<double> model = model_of(torsion_pendulum(), false);
  ForceElements<double> forces(model, {RotorInertia{"motor", "wire", 0, 0.3}, RotorInertia{"gear", "wire", 0, 0.2}});
  BOOST_TEST(forces.armature(0) == 0.5);
  BOOST_TEST(forces.rotor_energy(VectorX<double>::Constant(1, 4)) == 4);
  BOOST_TEST(forces.Fext.empty());
}

// Machines of the literature.

/// Andrews' mechanism at the start of its motion: the pull that the test set's equations give, as K3 feels it.
BOOST_AUTO_TEST_CASE(the_spring_of_andrews_pulls_as_the_test_set_says)
{
  Mechanism andrews;
  andrews.name = andrews.source = "andrews";
  andrews.links = {{"ground"},
                   {"K3", 0.02373, {0.01874, 0.01043, 0}, {0, 0, 0, 1}, {2.6275e-6, 0, 0, 2.6275e-6, 0, 5.255e-6}}};
  andrews.joints = {{"gamma", JointType::continuous, "ground", "K3", {-0.03635, 0.03273, 0}}};
  const Model<double> model = model_of(andrews, false);
  ForceElements<double> forces(
      model, {SpringDamper{"spring", {"K3", {0.02, -0.018, 0}}, {"", {0.014, 0.072, 0}}, 4530, 0, 0.07785}});
  forces(VectorX<double>::Constant(1, 0.45527981916307037), VectorX<double>::Zero(1), 0);
  const double given[] = {-3.00420485721335, -92.00278511774468, -67.4077362546973};
  const Wrench<double>& F = forces.Fext[1];
  BOOST_TEST(std::abs(F.m[2] - given[0]) < 1e-12);
  // The benchmark's numbers are those of a wrench in K3's axes that pulls towards the world's point.
  BOOST_TEST(std::abs(F.f[0] - given[1]) < 1e-11);
  BOOST_TEST(std::abs(F.f[1] - given[2]) < 1e-11);
}

// What a description says of its joints.

BOOST_AUTO_TEST_CASE(the_dynamics_of_joints_are_elements_where_they_are_asked_for)
{
  Mechanism mechanism = torsion_pendulum();
  Joint& wire = mechanism.joints[0];
  wire.damping = 0.7, wire.friction = 0.2, wire.armature = 0.05;
  BOOST_TEST(joint_dynamics(mechanism, {}).empty());
  BOOST_TEST(Model<double>(mechanism).warnings().front() ==
             "damping, friction and armature are ignored: <dynamics> of joint 'wire'.");
  const JointDynamics all{true, true, true};
  const Model<double> model(mechanism, {.dynamics = all});
  BOOST_TEST(model.warnings().empty());
  const std::vector<ForceElement> elements = joint_dynamics(mechanism, all, 0.25);
  BOOST_TEST(elements.size() == 3u);
  BOOST_TEST(name_of(elements[1]) == "wire.friction");
  ForceElements<double> forces(model, elements);
  forces(VectorX<double>::Zero(1), VectorX<double>::Constant(1, 0.25), 0);
  BOOST_TEST(std::abs(forces.tau(0) + 0.7 * 0.25 + 0.2 / std::sqrt(2)) < 1e-15);
  BOOST_TEST(forces.armature(0) == 0.05);
  wire.type = JointType::planar;
  require_told(told([&] { joint_dynamics(mechanism, all); }), {"torsion_pendulum", "'wire'", "several degrees"});
}

// A user's law.

BOOST_AUTO_TEST_CASE(a_user_s_law_is_asked_with_the_state_and_its_power_is_counted)
{
  const Model<double> model = model_of(two_masses(3, 1), false);
  ForceElements<double> forces(model,
                               {UserLaw{"cubic", [](const VectorX<double>& q, const VectorX<double>& qd, double t) {
                                          return VectorX<double>(-q.cwiseProduct(q).cwiseProduct(q) - t * qd);
                                        }}});
  VectorX<double> q(2), qd(2);
  q << 2, -1;
  qd << 0.5, 3;
  forces(q, qd, 2);
  BOOST_TEST(forces.tau(0) == -9);
  BOOST_TEST(forces.tau(1) == -5);
  BOOST_TEST(forces.power() == -19.5);
  BOOST_TEST(forces.supplied() == -19.5);
  ForwardKinematics<double> moved(model);
  moved(q, qd);
  ForceElementsJacobians<double> jacobians(model);
  require_told(told([&] { jacobians(forces, moved, qd, 0); }), {"'cubic'", "derivatives"});
  require_told(told([&] {
                 ForceElements<Fifty>(Model<Fifty>(model),
                                      {UserLaw{"cubic", [](const auto& x, const auto&, double) { return x; }}});
               }),
               {"two_masses", "'cubic'", "no other scalar"});
  ForceElements<double> wrong(
      model, {UserLaw{"short", [](const auto&, const auto&, double) { return VectorX<double>::Zero(1).eval(); }}});
  require_told(told([&] { wrong(q, qd, 0); }), {"'short'", "1 entries", "2"});
}

// What cannot be meant.

BOOST_AUTO_TEST_CASE(what_cannot_be_meant_is_refused_in_a_sentence)
{
  const Model<double> model = model_of(machine(), true);
  const auto refusal = [&](const ForceElement& element) {
    return told([&] { ForceElements<double>(model, {element}); });
  };
  const Attachment here{"on_ball"}, there{"on_planar"};
  const double nan = std::numeric_limits<double>::quiet_NaN();
  require_told(refusal(SpringDamper{"s", {"nobody"}, there}), {"every_joint", "'s'", "'nobody'"});
  require_told(refusal(SpringDamper{"s", here, there, -1}), {"'s'", "negative stiffness"});
  require_told(refusal(SpringDamper{"s", here, there, 1, -1}), {"'s'", "negative damping"});
  require_told(refusal(SpringDamper{"s", here, there, 1, 0, -1}), {"'s'", "negative rest length"});
  require_told(refusal(SpringDamper{"s", here, there, nan}), {"'s'", "stiffness", "finite"});
  require_told(refusal(SpringDamper{"s", {"on_ball", {nan, 0, 0}}, there, 1}), {"'s'", "position", "finite"});
  require_told(refusal(SpringDamper{"s", here, {"on_ball", {1, 0, 0}}, 1}), {"'s'", "one rigid body"});
  require_told(refusal(SpringDamper{"s", {"on_universal"}, {"on_fixed"}, 1}), {"'s'", "one rigid body"});
  require_told(refusal(JointSpring{"s", "nowhere"}), {"'s'", "'nowhere'"});
  require_told(refusal(JointSpring{"s", "fixed"}), {"'s'", "'fixed'", "does not move"});
  require_told(refusal(JointSpring{"s", "planar", 3, 1}), {"'s'", "degree 3", "'planar'", "3"});
  require_told(refusal(JointSpring{"s", "planar", -1, 1}), {"'s'", "degree -1"});
  require_told(refusal(JointSpring{"s", "ball", 0, 1}), {"'s'", "'ball'", "quaternion"});
  require_told(refusal(JointFriction{"s", "revolute", 0, 1, 1, 0}), {"'s'", "width", "above 0"});
  require_told(refusal(RotorInertia{"s", "floating", 0, 1}), {"'s'", "'floating'", "quaternion"});
  require_told(refusal(AppliedForce{"s", {}, {{1, 2, 3}}}), {"'s'", "world"});
  require_told(refusal(AppliedForce{"s", here, {}}), {"'s'", "0 values at 0 times"});
  require_told(refusal(AppliedJointForce{"s", "revolute", 0, {{1, 1}, {{{0}}, {{0}}}}}), {"'s'", "do not increase"});
  require_told(refusal(GravityField{"s", -3}), {"'s'", "negative strength"});
  require_told(refusal(UserLaw{"s", {}}), {"'s'", "without a function"});

  const Model<double> rail = model_of(two_masses(3, 1), false);
  const VectorX<double> none = VectorX<double>::Zero(2);
  ForceElements<double> spring(rail, {SpringDamper{"s", {"left"}, {"right"}, 1, 0, 0.5}});
  require_told(told([&] { spring(none, none, 0); }), {"'s'", "coincide", "direction"});
  ForceElements<double> slack(rail, {SpringDamper{"s", {"left"}, {"right"}, 1, 0, 0}});
  slack(none, none, 0);
  BOOST_TEST(slack.potential() == 0);
  ForceElements<double> field(rail, {GravityField{"s", 1}});
  require_told(told([&] { field(none, none, 0); }), {"'s'", "infinite"});
  require_told(told([&] { spring(VectorX<double>::Zero(3), none, 0); }), {"q has 3 entries", "2"});
}

BOOST_AUTO_TEST_SUITE_END()
