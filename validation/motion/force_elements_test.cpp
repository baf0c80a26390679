/** \file
 *  \brief Force elements by their potentials, by complex step and by hand, and what of them is refused.
 */
#include <articulate/derivatives/hybrid_jacobians.hpp>
#include <articulate/model/kinematics.hpp>
#include <articulate/motion/force_jacobians.hpp>
#include <articulate/motion/joint_dynamics.hpp>
#include <motion/force_element_cases.hpp>
#include <rounding.hpp>

using namespace articulate;
using namespace articulate::validation::force_cases;
using validation::copies_agree;
using validation::Fifty;

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
  BOOST_TEST(copies_agree(alone.joint_forces(), sharing.joint_forces(kinematics)));
  BOOST_TEST(copies_agree(alone.power(), sharing.power()));
}

// By hand.

BOOST_AUTO_TEST_CASE(friction_reaches_seven_tenths_at_its_width)
{
  const Model<double> model = model_of(torsion_pendulum(), false);
  const VectorX<double> q = VectorX<double>::Zero(1);
  for (const auto& [friction, width] : {std::pair{JointFriction{"dry", "wire", 0, 0, 2, 0.1}, 0.1},
                                        {JointFriction{"what nothing is said of", "wire", 0, 0, 2}, 0.001}}) {
    ForceElements<double> forces(model, {friction});
    const auto at_rate = [&](double rate) {
      forces(q, VectorX<double>::Constant(1, rate), 0);
      return forces.tau(0);
    };
    BOOST_TEST(at_rate(0) == 0);
    BOOST_TEST(std::abs(at_rate(width) + 2 / std::sqrt(2)) < 1e-15);
    BOOST_TEST(std::abs(at_rate(-10 * width) - 20 / std::sqrt(101)) < 1e-15);
  }
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
             "damping, friction and armature of joint 'wire' are ignored.");
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
  require_told(told([&] { wrong(q, qd, 0); }), {"'short'", "1 entry", "2"});
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
  // The derivative is divided by the cube of the width.
  for (const double width : {1e-200, 0x1p-341, 0x1p342, 1e200})
    require_told(refusal(JointFriction{"s", "revolute", 0, 1, 1, width}), {"'s'", "width", "cube", "2.9e-103"});
  for (const double width : {0x1p-340, 0x1p341})
    BOOST_TEST(refusal(JointFriction{"s", "revolute", 0, 1, 1, width}) == "nothing");
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
