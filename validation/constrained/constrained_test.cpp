/** \file
 *  \brief Closed loops by hand: a five-bar assembled, moved and driven, and what bad input is told.
 */
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <random>
#include <articulate/articulate.hpp>
#include <articulate/constrained/assembly.hpp>
#include <articulate/constrained/constrained_dynamics.hpp>
#include <constrained/compiled.hpp>
#include <models/models.hpp>
#include <says.hpp>

using namespace articulate;
using articulate::validation::says;

namespace {

const std::vector<Loop> pin{cut_joint("pin", JointType::revolute, {"left_tip"}, {"right_tip"})};

/// A plane five-bar of two cranks and two rods, seen in space: five rows of which two are independent.
struct FiveBar {
  const Model<double> model{validation::built_in_model("five_bar")};
  std::mt19937 generator{3};
  const int n = model.nv();
  VectorX<double> q, qd, tau;

  FiveBar()
  {
    Assembly<double> assembly(model, pin);
    q = assembly.close(drawn(2));
    qd = assembly.project(q, drawn(1));
    tau = drawn(5);
  }
  VectorX<double> drawn(double size)
  {
    std::uniform_real_distribution<double> uniform(-size, size);
    return VectorX<double>::NullaryExpr(n, [&] { return uniform(generator); });
  }
};

/// 100 n eps of the proofs, for numbers of size one.
double rounding(int n) { return 100 * n * 0x1p-53; }

template <typename Attempt>
std::string refusal(const Attempt& attempt)
{
  try {
    attempt();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was refused";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(constrained)

BOOST_AUTO_TEST_CASE(a_five_bar_closes_from_two_hundred_rough_guesses)
{
  FiveBar bar;
  Assembly<double> assembly(bar.model, pin);
  for (int guess = 0; guess < 200; ++guess) {
    const VectorX<double> q = assembly.close(bar.drawn(2));
    const VectorX<double> qd = assembly.project(q, bar.drawn(1));
    BOOST_TEST(largest(assembly.loops().violation) <= rounding(bar.n));
    BOOST_TEST(largest(assembly.loops().A * qd) <= rounding(bar.n));
  }
}

BOOST_AUTO_TEST_CASE(of_all_rates_that_keep_the_loop_closed_the_nearest_are_taken)
{
  FiveBar bar;
  Assembly<double> assembly(bar.model, pin);
  for (int draw = 0; draw < 20; ++draw) {
    const VectorX<double> wish = bar.drawn(1), other = assembly.project(bar.q, bar.drawn(1));
    const VectorX<double> qd = assembly.project(bar.q, wish);
    BOOST_TEST(std::abs((wish - qd).dot(other)) <= rounding(bar.n));
    BOOST_TEST(largest(assembly.project(bar.q, qd) - qd) <= rounding(bar.n));
  }
}

BOOST_AUTO_TEST_CASE(a_loop_that_is_nearly_stretched_does_not_fly_off)
{
  // Both bars of an arm nearly in one line, and the pin a little inward: the plain step turns them by f/A = 10^5 rad.
  Mechanism arm;
  arm.name = arm.source = "two bars of 1 m";
  arm.links = {{"ground"}};
  Joint joint{.type = JointType::revolute, .axis = {0, 0, 1}};
  for (const char* name : {"upper", "lower"}) {
    joint.parent = arm.links.back().name, joint.child = name, joint.name = std::string("joint of ") + name;
    arm.links.push_back({.name = name, .mass = 1, .center_of_mass = {0.5, 0, 0}, .inertia = {0.1, 0, 0, 0.1, 0, 0.1}});
    arm.joints.push_back(joint);
    joint.position = {1, 0, 0};
  }
  const Model<double> model(arm);
  const Loop nail{"nail", {"", {1.9, 0, 0}}, {"lower", {1, 0, 0}}, {0, 0, 1}, {false, true, true}, Turning::free};
  const VectorX<double> guess = Eigen::Vector2d(0, 1e-6), q = close_loops(model, {nail}, guess);
  // Any angles with cos a + cos(a + b) = 1.9 do; those of least displacement are within one radian.
  BOOST_TEST(std::abs(std::cos(q(0)) + std::cos(q(0) + q(1)) - 1.9) <= rounding(2));
  BOOST_TEST(largest(q - guess) <= 1);
}

BOOST_AUTO_TEST_CASE(held_cranks_stay_where_they_are)
{
  FiveBar bar;
  Assembly<double> assembly(bar.model, pin, {true, false, true, false});
  VectorX<double> guess = bar.q;
  guess(1) += 0.2, guess(3) -= 0.3;
  const VectorX<double> q = assembly.close(guess);
  BOOST_TEST(q(0) == guess(0));
  BOOST_TEST(q(2) == guess(2));
}

BOOST_AUTO_TEST_CASE(five_rows_of_which_two_are_independent_give_one_motion)
{
  FiveBar bar;
  Loops<double> loops(bar.model, pin);
  loops(bar.q, bar.qd);
  ConstrainedDynamics<double> system(bar.model, std::vector<bool>(bar.n, false), loops.rows());
  system(bar.q, bar.qd, VectorX<double>::Zero(bar.n), bar.tau, loops.A, loops.Adot_qd);
  BOOST_TEST(loops.rows() == 5);
  BOOST_TEST(system.rank() == 2);

  InverseDynamics<double> rnea(bar.model);
  const EquationsOfMotion<double> equations(rnea, bar.q, bar.qd);
  const VectorX<double> forces = bar.tau + loops.A.transpose() * system.lambda();
  const VectorX<double> needed = equations.M * system.qdd() + equations.b;
  BOOST_TEST(largest(needed - forces) <= rounding(bar.n) * largest(needed));
  BOOST_TEST(largest(loops.A * system.qdd() + loops.Adot_qd) <= rounding(bar.n) * largest(system.qdd()));
  // Of all multipliers the shortest: none of it is spent where it does nothing.
  const auto svd = Eigen::JacobiSVD<MatrixX<double>>(loops.A.transpose(), Eigen::ComputeFullV);
  BOOST_TEST(largest(svd.matrixV().rightCols(3).transpose() * system.lambda()) <=
             rounding(bar.n) * largest(system.lambda()));
}

BOOST_AUTO_TEST_CASE(two_motors_are_enough_three_press_against_each_other_one_is_refused)
{
  FiveBar bar;
  Loops<double> loops(bar.model, pin);
  loops(bar.q, bar.qd);
  ConstrainedDynamics<double> system(bar.model, std::vector<bool>(bar.n, false), loops.rows());
  system(bar.q, bar.qd, VectorX<double>::Zero(bar.n), bar.tau, loops.A, loops.Adot_qd);
  const VectorX<double> none = VectorX<double>::Zero(bar.n);
  const VectorX<double> tau_r = inverse_dynamics<double>(bar.model, bar.q, bar.qd, system.qdd());
  const auto solve = [&](const std::vector<bool>& actuated, Least least) {
    return constrained_inverse_dynamics<double>(tau_r, none, loops.A, actuated, least);
  };

  const auto two = solve({true, false, true, false}, Least::actuator_force);
  BOOST_TEST(two.unique);
  BOOST_TEST(two.rank_passive == 2);
  BOOST_TEST(largest(tau_r - two.tau - loops.A.transpose() * two.lambda) <= rounding(bar.n) * largest(tau_r));

  const auto three = solve({true, true, true, false}, Least::actuator_force);
  const auto gentle = solve({true, true, true, false}, Least::constraint_force);
  BOOST_TEST(!three.unique);
  BOOST_TEST(three.tau.norm() < two.tau.norm());
  BOOST_TEST(three.tau.norm() < gentle.tau.norm());
  BOOST_TEST(gentle.lambda.norm() < three.lambda.norm());
  BOOST_TEST(largest(tau_r - three.tau - loops.A.transpose() * three.lambda) <= rounding(bar.n) * largest(tau_r));

  BOOST_TEST(says(refusal([&] {
                    solve({true, false, false, false}, Least::actuator_force);
                  }),
                  {"cannot make the system move as prescribed", "to passive joints", "actuate more joints"}));
}

BOOST_AUTO_TEST_CASE(what_passive_joints_lack_is_judged_beside_all_forces_that_are_given)
{
  MatrixX<double> A(2, 3);
  A << 1, 2, -1, 0, 1, 3;
  const VectorX<double> none = VectorX<double>::Zero(3), spring = 0.1 * VectorX<double>::Unit(3, 2);
  // A machine at rest whose passive joint has a spring: the constraints hold it.
  for (const double small : {0.0, 1e-13, 1e-3}) {
    const VectorX<double> tau_r = small * VectorX<double>::Unit(3, 0);
    const auto forces = constrained_inverse_dynamics<double>(tau_r, spring, A, {true, true, false});
    BOOST_TEST(largest(tau_r - forces.tau - A.transpose() * forces.lambda) <= rounding(3) * 0.1);
  }
  // No constraint reaches the joint.
  const VectorX<double> large = 1e6 * VectorX<double>::Unit(3, 0) + spring;
  BOOST_TEST(
      says(refusal([&] {
             constrained_inverse_dynamics<double>(large, none, MatrixX<double>::Identity(1, 3), {true, true, false});
           }),
           {"the constraints leave 0.1 (N m or N) to passive joints"}));
}

BOOST_AUTO_TEST_CASE(driven_cranks_carry_the_rods_and_a_third_drive_contradicts_them)
{
  FiveBar bar;
  Loops<double> loops(bar.model, pin);
  loops(bar.q, bar.qd);
  VectorX<double> qdd = VectorX<double>::Zero(bar.n);
  qdd(0) = 1.3, qdd(2) = -0.7;
  ConstrainedDynamics<double> cranks(bar.model, {true, false, true, false}, loops.rows());
  cranks(bar.q, bar.qd, qdd, bar.tau, loops.A, loops.Adot_qd);
  BOOST_TEST(largest(cranks.contradiction()) <= rounding(bar.n) * largest(cranks.qdd()));
  BOOST_TEST(cranks.qdd()(0) == 1.3);

  qdd(1) = cranks.qdd()(1) + 0.5;
  ConstrainedDynamics<double> three(bar.model, {true, true, true, false}, loops.rows());
  three(bar.q, bar.qd, qdd, bar.tau, loops.A, loops.Adot_qd);
  BOOST_TEST(largest(three.contradiction()) > 0.01);
}

BOOST_AUTO_TEST_CASE(one_line_gives_the_numbers_of_the_class_bit_for_bit)
{
  FiveBar bar;
  const Model<double>& model = bar.model;
  const std::vector<bool> free(bar.n, false), cranks{true, false, true, false};
  const ExternalWrenches<double> Fext(model.bodies() + 1, Wrench<double>{{1, 2, 3}, {4, 5, 6}});
  // As arguments expressions of the same numbers: a half doubled is exact.
  const VectorX<double> guess = bar.drawn(2), rates = bar.drawn(1);
  BOOST_TEST(close_loops(model, pin, 2 * (guess / 2)) == Assembly<double>(model, pin).close(guess));
  BOOST_TEST(close_loops(model, pin, bar.q, cranks) == Assembly<double>(model, pin, cranks).close(bar.q));
  BOOST_TEST(project_rates(model, pin, bar.q, 2 * (rates / 2)) == Assembly<double>(model, pin).project(bar.q, rates));
  BOOST_TEST(project_rates(model, pin, bar.q, rates, cranks) ==
             Assembly<double>(model, pin, cranks).project(bar.q, rates));

  Loops<double> loops(model, pin);
  loops(bar.q, bar.qd);
  const VectorX<double> none = VectorX<double>::Zero(bar.n), qdd = bar.drawn(1);
  const auto require_same = [](const ConstrainedMotion<double>& one_line, const ConstrainedDynamics<double>& system) {
    BOOST_TEST(one_line.qdd == system.qdd());
    BOOST_TEST(one_line.tau == system.tau());
    BOOST_TEST(one_line.lambda == system.lambda());
    BOOST_TEST(one_line.contradiction == system.contradiction());
    BOOST_TEST(one_line.rank == system.rank());
  };
  ConstrainedDynamics<double> forward(model, free, loops.rows()), hybrid(model, cranks, loops.rows());
  forward(bar.q, bar.qd, none, bar.tau, loops.A, loops.Adot_qd, Fext);
  require_same(constrained_forward_dynamics(model, pin, bar.q, 2 * (bar.qd / 2), bar.tau, Fext), forward);
  hybrid(bar.q, bar.qd, qdd, bar.tau, loops.A, loops.Adot_qd, Fext);
  require_same(constrained_dynamics(model, pin, cranks, bar.q, bar.qd, 2 * (qdd / 2), bar.tau, Fext), hybrid);

  const VectorX<double> tau_r = inverse_dynamics(model, bar.q, bar.qd, hybrid.qdd(), Fext);
  for (const Least least : {Least::actuator_force, Least::constraint_force}) {
    const std::vector<bool> three{true, true, true, false};
    const auto forces = constrained_inverse_dynamics<double>(tau_r, bar.tau, loops.A, three, least);
    const auto one_line =
        constrained_inverse_dynamics(model, pin, three, bar.q, bar.qd, hybrid.qdd(), 2 * (bar.tau / 2), Fext, least);
    BOOST_TEST(one_line.tau == forces.tau);
    BOOST_TEST(one_line.lambda == forces.lambda);
    BOOST_TEST(one_line.rank_passive == forces.rank_passive);
    BOOST_TEST(one_line.unique == forces.unique);
  }

  ConstrainedDynamicsDerivative<double> of(model);
  const Parameter turning = Parameter::inertia(1, 9);
  of(hybrid, loops, bar.q, bar.qd, Fext, seeds_of(turning, hybrid.tree, bar.qd));
  const auto change =
      constrained_dynamics_derivative(model, pin, cranks, turning, bar.q, bar.qd, 2 * (qdd / 2), bar.tau, Fext);
  BOOST_TEST(change.dqdd == of.dqdd);
  BOOST_TEST(change.dtau == of.dtau);
  BOOST_TEST(change.dlambda == of.dlambda);
  BOOST_TEST(change.contradiction == of.contradiction);
  BOOST_TEST(change.dtau.norm() > 0);
}

BOOST_AUTO_TEST_CASE(a_system_that_has_not_run_says_so)
{
  FiveBar bar;
  Loops<double> loops(bar.model, pin);
  const Loops<double> still(bar.model, pin);
  loops(bar.q, bar.qd);
  ConstrainedDynamics<double> system(bar.model, std::vector<bool>(bar.n, false), loops.rows());
  VectorX<double> x = bar.tau, y = x, e = VectorX<double>::Zero(loops.rows()), lambda = e;
  ExternalWrenches<double> F(bar.model.bodies() + 1);
  const std::vector<Twist<double>> moved(bar.model.bodies() + 1);
  const auto sentence = [](const std::string& what) {
    return "there is no " + what + " before the first run; call the algorithm with a state first.";
  };
  const auto require_refusals = [&] {
    BOOST_TEST(refusal([&] { system.qdd(); }) == sentence("acceleration"));
    BOOST_TEST(refusal([&] { system.tau(); }) == sentence("joint force"));
    BOOST_TEST(refusal([&] { system.lambda(); }) == sentence("multiplier"));
    BOOST_TEST(refusal([&] { system.contradiction(); }) == sentence("contradiction"));
    BOOST_TEST(refusal([&] { system.rank(); }) == sentence("rank"));
    BOOST_TEST(refusal([&] { system.respond(x, y, e, lambda); }) == sentence("response"));
  };
  require_refusals();
  system.tree(bar.q, bar.qd, bar.qd, bar.tau);  // the tree alone knows nothing of the loops
  require_refusals();
  // Compilers differ in which of the two they ask first.
  const std::string refused = refusal([&] {
    ConstrainedDynamicsDerivative<double>(bar.model)(system, loops, bar.q, bar.qd, {}, Seeds<double>(bar.model));
  });
  BOOST_TEST((refused == sentence("multiplier") || refused == sentence("acceleration")));
  BOOST_TEST(refusal([&] { still.add_reactions(lambda, F); }) == sentence("reaction"));
  BOOST_TEST(refusal([&] { still.add_reaction_derivatives(lambda, moved, F); }) == sentence("reaction"));
  BOOST_TEST(refusal([&] { still.acceleration_derivative(system.tree, moved, moved, moved); }) ==
             sentence("change of the constraints"));
  system(bar.q, bar.qd, bar.qd, bar.tau, loops.A, loops.Adot_qd);
  BOOST_TEST(system.rank() == 2);
}

BOOST_AUTO_TEST_CASE(bad_loops_are_refused_by_name)
{
  FiveBar bar;
  const auto make = [&](const Loop& loop) { return refusal([&] { Loops<double>(bar.model, {loop}); }); };
  BOOST_TEST(says(make(cut_joint("bolt", JointType::fixed, {"left_rod"}, {"left_tip"})),
                  {"loop 'bolt'", "'left_rod' and 'left_tip'", "one rigid body"}));
  BOOST_TEST(says(make(cut_joint("pin", JointType::revolute, {"left_tip"}, {"middle"})), {"no link 'middle'"}));
  BOOST_TEST(says(refusal([] { cut_joint("air", JointType::floating, {"left_tip"}, {"right_tip"}); }),
                  {"loop 'air'", "constrains nothing"}));
  Loop nothing = pin[0];
  nothing.turning = Turning::free;
  nothing.slides = {true, true, true};
  BOOST_TEST(says(make(nothing), {"leaves all six directions free"}));

  const std::string one = bar.model.joints()[0].name, other = bar.model.joints()[1].name;
  const auto couple = [&](const std::string& joint, const Mimic& follows) {
    return make(coupled_joints("gear", joint, follows));
  };
  BOOST_TEST(says(couple("nobody", {one}), {"loop 'gear'", "couples the joint 'nobody'", "none of that name"}));
  BOOST_TEST(says(couple(one, {"nobody"}), {"couples the joint 'nobody'"}));
  BOOST_TEST(says(couple(one, {one}), {("loop 'gear' couples the joint '" + one + "' with itself").c_str()}));
  const double infinite = std::numeric_limits<double>::infinity();
  BOOST_TEST(says(couple(one, {other, infinite}), {"loop 'gear'", "multiplier", "not a finite number"}));
  BOOST_TEST(says(couple(one, {other, 1, -infinite}), {"loop 'gear'", "offset", "not a finite number"}));
  Mechanism ring = bar.model.mechanism();
  const auto named = [&](const std::string& name) -> Joint& {
    return *std::find_if(ring.joints.begin(), ring.joints.end(),
                         [&](const Joint& joint) { return joint.name == name; });
  };
  const auto is_fixed = [](const Joint& joint) { return joint.type == JointType::fixed; };
  const auto fixed = std::find_if(ring.joints.begin(), ring.joints.end(), is_fixed);
  BOOST_TEST_REQUIRE((fixed != ring.joints.end()));
  BOOST_TEST(says(couple(one, {fixed->name}), {("couples the joint '" + fixed->name + "', which is fixed").c_str()}));
  const Model<double> several(validation::built_in_model("mixed_tree"));
  for (const JointSlot& joint : several.joints())
    if (joint.nv == 3)
      BOOST_TEST(says(refusal([&] { Loops<double>(several, {coupled_joints("gear", joint.name, {"nobody"})}); }),
                      {("couples the joint '" + joint.name + "', which has 3 degrees of freedom").c_str()}));
  named(one).mimic = Mimic{other};
  BOOST_TEST(mimic_loops(ring).size() == 1u);
  named(other).mimic = Mimic{one, 2};
  BOOST_TEST(says(refusal([&] { mimic_loops(ring); }),
                  {("'" + one + "' mimics '" + other + "' mimics '" + one + "'").c_str()}));
  named(one).mimic = Mimic{one};
  BOOST_TEST(says(refusal([&] { mimic_loops(ring); }), {("'" + one + "' mimics '" + one + "', in a circle").c_str()}));

  const Loop far = cut_joint("pin", JointType::revolute, {"left_tip", {5, 0, 0}}, {"right_tip"});
  BOOST_TEST(says(refusal([&] { Assembly<double>(bar.model, {far}).close(bar.q); }),
                  {"loop 'pin' cannot be closed from this guess", "stays open by", "200 corrections"}));
  // Of two loops that stay open, the wider is named, wherever it stands.
  const Loop high{"peg", {"left_tip", {0, 0, 3}}, {"right_tip"}},
      higher{"hook", {"left_tip", {0, 0, 8}}, {"right_tip"}};
  BOOST_TEST(says(refusal([&] { Assembly<double>(bar.model, {high, higher}).close(bar.q); }), {"loop 'hook'"}));
  BOOST_TEST(says(refusal([&] { Assembly<double>(bar.model, {higher, high}).close(bar.q); }), {"loop 'hook'"}));
  BOOST_TEST(says(refusal([&] { Assembly<double>(bar.model, pin, {true}); }), {"held has 1 entry", "needs 4"}));
}

BOOST_AUTO_TEST_SUITE_END()
