/** \file
 *  \brief Steps in time against closed forms, and what each of them keeps: order, energy, momentum, loops.
 */
#include <boost/math/special_functions/ellint_1.hpp>
#include <boost/math/special_functions/jacobi_elliptic.hpp>
#include <complex>
#include <articulate/aba/forward_dynamics.hpp>
#include <articulate/constrained/assembly.hpp>
#include <articulate/model/kinematics.hpp>
#include <models/models.hpp>
#include <motion/steps.hpp>

using namespace articulate;
using namespace articulate::validation::steps;

namespace {
long allocations = 0;
}  // namespace

// Vectors allocate by new; Eigen by malloc, which the linker hands over to this.
extern "C" void* __real_malloc(std::size_t size);
extern "C" void* __wrap_malloc(std::size_t size)
{
  ++allocations;
  return __real_malloc(size);
}

namespace {

/// How far apart two runs end, each by its own halved steps: the differences shrink as the errors do.
template <typename S>
std::vector<double> differences(const Motion<S>& motion, Method method, const State<S>& x, S time, int steps,
                                int halvings)
{
  std::vector<double> sizes;
  State<S> before = motion(method, x, time / S(steps), steps);
  for (int k = 0; k < halvings; ++k) {
    steps *= 2;
    const State<S> after = motion(method, x, time / S(steps), steps);
    sizes.push_back(std::max(largest(displacement(motion.model, before.q, after.q)), largest(after.qd - before.qd)));
    before = after;
  }
  return sizes;
}

/// A pendulum about a hinge that is turned about the vertical and stays level.
Mechanism pendulum(double m, double l, double J)
{
  Mechanism machine;
  machine.name = machine.source = "pendulum";
  machine.links = {{"ground"}, {"bob", m, {0, 0, -l}, {0, 0, 0, 1}, {J, 0, 0, J, 0, J}}};
  machine.joints = {{"hinge", JointType::continuous, "ground", "bob", {}, {0, 0, 0, 1}, {0.6, -0.8, 0}}};
  return machine;
}

const std::vector<Loop> pin{cut_joint("pin", JointType::revolute, {"left_tip"}, {"right_tip"})};

/// The five-bar of the chapter in its crank state.
template <typename S>
State<S> crank_state(const Model<S>& model)
{
  VectorX<S> q(4), qd(4);
  q << S(0.3), S(0.6), S(0.9), S(1.2);
  qd << S(1), S(0), S(1), S(0);
  Assembly<S> assembly(model, pin, {true, false, true, false});
  q = assembly.close(q);
  return {q, assembly.project(q, qd)};
}

template <typename S>
S energy(const Model<S>& model, const State<S>& x)
{
  ForwardKinematics<S> kinematics(model);
  kinematics(x.q, x.qd);
  return kinematics.kinetic_energy() + kinematics.potential_energy(model.gravity());
}

/// The largest error of the energy in the first and in the second half of a run.
std::pair<double, double> energy_errors(const Motion<double>& motion, Method method, State<double> x, double h,
                                        int steps)
{
  const double start = energy(motion.model, x);
  double half[2] = {0, 0};
  int k = 0;
  motion.after_each(method, x, h, steps, [&](const State<double>& now) {
    double& worst = half[2 * k++ / steps];
    worst = std::max(worst, std::abs(energy(motion.model, now) - start));
  });
  return {half[0], half[1]};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(integrators)

BOOST_AUTO_TEST_CASE(a_pendulum_follows_jacobi_with_the_order_of_the_method)
{
  const double m = 1.3, l = 0.4, J = 0.07, g = 9.81, amplitude = 2.5, time = 2;
  const Model<double> model(pendulum(m, l, J));
  const double k = std::sin(amplitude / 2), rate = std::sqrt(m * g * l / (J + m * l * l));
  const double truth = 2 * std::asin(k * boost::math::jacobi_sn(k, rate * time + boost::math::ellint_1(k)));
  const State<double> x{VectorX<double>::Constant(1, amplitude), VectorX<double>::Zero(1)};
  for (const Method method : all_methods) {
    std::vector<double> errors;
    for (const int steps : {128, 256, 512, 1024})
      errors.push_back(std::abs(Motion<double>{model}(method, x, time / steps, steps).q(0) - truth));
    require_order(errors, method);
  }
}

BOOST_AUTO_TEST_CASE(every_joint_on_a_free_base_under_forces_is_stepped_with_the_order_of_the_method)
{
  const Model<double> model(validation::every_joint(), {.floating_base = true});
  const State<double> x = drawn_state(model, 0.3, 0.5);
  Motion<double> motion{model};
  for (int k = 0; k < model.nv(); ++k) motion.tau(k) = std::sin(3 + 1.1 * k);
  motion.Fext.resize(model.bodies() + 1);
  motion.Fext[3] = {{0.3, -0.2, 0.5}, {1.1, 0.4, -0.7}};
  for (const Method method : all_methods) require_order(differences<double>(motion, method, x, 0.125, 8, 3), method);
}

BOOST_AUTO_TEST_CASE(a_kite_under_springs_dampers_and_rotors_is_stepped_with_the_order_of_the_method)
{
  const Model<double> model(kite());
  const State<double> x = drawn_state(model, 0.3, 0.5);
  Motion<double> motion{model};
  motion.elements = springs();
  motion.elements.push_back(
      SpringDamper{"damper", {"", {0.5, 1, 2}}, {"arm", {0, 0.1, -0.2}}, 10, 3, 0.4});  // kicks and turns it
  motion.elements.push_back(JointFriction{"ball", "shoulder", 1, 0.2, 0.05, 0.5});
  motion.elements.push_back(
      AppliedForce{"push", {"tail", {0, 0.2, 0.1}}, TimeTable<3>({0, 1}, {{0, 1, 2}, {3, 1, -1}})});
  motion.elements.push_back(RotorInertia{"rotor", "wrist", 1, 0.02});
  motion.elements.push_back(UserLaw{"drag", [](const VectorX<double>&, const VectorX<double>& qd, double t) {
                                      return VectorX<double>(-0.1 * (1 + t) * qd);
                                    }});
  for (const Method method : all_methods) require_order(differences<double>(motion, method, x, 0.125, 32, 3), method);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_pendulum_is_as_near_to_jacobi_as_the_tolerance_and_the_growth_of_errors_allow, Pair,
                              Pairs<double>)
{
  const double m = 1.3, l = 0.4, J = 0.07, g = 9.81, time = 5;
  const Model<double> model(pendulum(m, l, J));
  ForwardDynamics<double> dynamics(model);
  const VectorX<double> none = VectorX<double>::Zero(1);
  const Law<double> law = [&](const VectorX<double>& q, const VectorX<double>& qd, double) {
    return dynamics(q, qd, none);
  };
  const Settle<double> nothing = stay<double>;
  const auto angle = [&](double amplitude, double t) {
    const double k = std::sin(amplitude / 2), rate = std::sqrt(m * g * l / (J + m * l * l));
    return 2 * std::asin(k * boost::math::jacobi_sn(k, rate * t + boost::math::ellint_1(k)));
  };
  const double growth = std::abs(angle(2.5 + 1e-6, time) - angle(2.5, time)) / 1e-6;
  long before = 0;
  for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-10, 1e-12}) {
    AdaptiveMotion<double, Pair> motion(model, VectorX<double>::Constant(1, 2.5), none, tolerance, time);
    long steps = 0;
    double between = 0;
    while (motion.t < time) {
      const double start = motion.t;
      const VectorX<double> begun = motion.q;
      motion.step(law, nothing, [](const VectorX<double>&, const VectorX<double>&, VectorX<double>&) {});
      ++steps;
      State<double> inside;
      const double then = (start + motion.t) / 2;
      motion.at(then, inside.q, inside.qd);
      between = std::max(between, std::abs(inside.q(0) - angle(2.5, then)));
      motion.roughly_at(start, inside.q, inside.qd);
      BOOST_TEST(inside.q == begun);
      motion.roughly_at(motion.t, inside.q, inside.qd);
      BOOST_TEST(largest(inside.q - motion.q) <= 10 * rounding<double>(1));
    }
    const double error = std::abs(motion.q(0) - angle(2.5, time));
    BOOST_TEST_MESSAGE("tolerance " << tolerance << ": " << steps << " steps, error " << error << ", between "
                                    << between << ", growth " << growth);
    const double of_rounding = static_cast<double>(steps) * rounding<double>(1);
    BOOST_TEST(motion.t == time);
    BOOST_TEST(error <= 10 * std::max(1.0, growth) * tolerance + of_rounding);
    BOOST_TEST(between <= 10 * std::max(1.0, growth) * tolerance + of_rounding);
    // Where a step may use what rounding takes, it gets no shorter.
    BOOST_TEST((steps > before || tolerance / static_cast<double>(steps) <= rounding<double>(1)));
    before = steps;
  }
}

BOOST_AUTO_TEST_CASE(what_is_linear_is_multiplied_by_polynomials_of_the_orders_five_and_four)
{
  // A swing of rate w that grows with d: q and qd are parts of e^{zt}, of which a step keeps the first powers.
  const Model<double> model(validation::five_bar());
  using Complex = std::complex<double>;
  const std::array<Complex, 4> z{Complex(-1, 3), Complex(-2, 8), Complex(5, -7), Complex(1, 10)};
  VectorX<double> q = VectorX<double>::Ones(4), qd(4), rival, rival_rates;
  for (int k = 0; k < 4; ++k) qd(k) = z[k].real();
  const double h = 0.1;
  DormandPrinceMuntheKaas<double> pair(model);
  const Law<double> law = [&](const VectorX<double>& q, const VectorX<double>& qd, double) {
    VectorX<double> a(4);
    for (int k = 0; k < 4; ++k) a(k) = 2 * z[k].real() * qd(k) - std::norm(z[k]) * q(k);
    return a;
  };
  pair.attempt(q, qd, 0, h, law, stay<double>);
  // The rough motion has the slopes of both ends; the stencil is exact for polynomials of up to four powers.
  VectorX<double> end, end_rates, roughly, rough_rates;
  pair.at(1, end, end_rates);
  for (const double at : {0.0, 1.0}) {
    VectorX<double> slope = VectorX<double>::Zero(4), rate_slope = slope;
    for (const auto& [part, weight] : {std::pair{-0.5, 1.0}, {-0.25, -8.0}, {0.25, 8.0}, {0.5, -1.0}}) {
      pair.roughly_at(at + part, roughly, rough_rates);
      slope += weight / 3 * roughly;
      rate_slope += weight / 3 * rough_rates;
    }
    const VectorX<double>&place = at == 0 ? q : end, &rates = at == 0 ? qd : end_rates;
    pair.roughly_at(at, roughly, rough_rates);
    const double bound = 6 * rounding<double>(4);  // 6: the sum of the weights
    BOOST_TEST(largest(roughly - place) <= bound);
    BOOST_TEST(largest(rough_rates - rates) <= bound * 100);
    BOOST_TEST(largest(slope - h * rates) <= bound);
    BOOST_TEST(largest(rate_slope - h * law(place, rates, 0)) <= bound * 100);
  }
  pair.at(1, q, qd);
  pair.rival(rival, rival_rates);
  for (int k = 0; k < 4; ++k) {
    const Complex x = h * z[k], four = 1.0 + x * (1.0 + x / 2.0 * (1.0 + x / 3.0 * (1.0 + x / 4.0))),
                  x5 = std::pow(x, 5);
    const Complex end = four + x5 * (1.0 / 120 + x / 600.0);
    const Complex other = four + x5 * (1097.0 / 120000 + x * (161.0 / 120000 + x / 24000.0));
    const double bound = rounding<double>(4), faster = bound * std::abs(z[k]);
    BOOST_TEST(std::abs(q(k) - end.real()) <= bound);
    BOOST_TEST(std::abs(qd(k) - (z[k] * end).real()) <= faster);
    BOOST_TEST(std::abs(rival(k) - other.real()) <= bound);
    BOOST_TEST(std::abs(rival_rates(k) - (z[k] * other).real()) <= faster);
    BOOST_TEST(std::abs(pair.displacement_error()(k) - (end - other).real()) <= bound);
    BOOST_TEST(std::abs(pair.rate_error()(k) - (z[k] * (end - other)).real()) <= faster);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(the_length_of_a_step_follows_the_error_of_the_one_before, Pair, Pairs<double>)
{
  // One acceleration, a, and errors that are made up.
  const Model<double> model(pendulum(1.3, 0.4, 0.07));
  const double a = 2, v = 3, tolerance = 1e-6, duration = 5, p = Pair::order_of_estimate;
  const Law<double> law = [&](const VectorX<double>&, const VectorX<double>&, double) {
    return VectorX<double>::Constant(1, a);
  };
  AdaptiveMotion<double, Pair> motion(model, VectorX<double>::Zero(1), VectorX<double>::Constant(1, v), tolerance,
                                      duration);
  const auto near = [](double x, double truth) { return std::abs(x - truth) <= rounding<double>(1) * std::abs(truth); };
  const auto allowed = [&](double h) { return tolerance * h / duration; };
  // What is estimated at each try: of the place, of the rate; where and how fast the end was then.
  std::vector<double> errors, places, rates;
  const auto step = [&](std::vector<double> made_up) {
    errors = std::move(made_up);
    places.clear(), rates.clear();
    motion.step(law, Settle<double>(stay<double>),
                [&](const VectorX<double>& q, const VectorX<double>& qd, VectorX<double>& x) {
                  x(0) = errors.at(places.size());
                  places.push_back(q(0)), rates.push_back(qd(0));
                });
    BOOST_TEST(places.size() == errors.size());
  };
  BOOST_TEST(motion.next_length() == duration / 100);

  // Sixteen times too much in the place; then half of what is allowed in the rate, which counts beside the rate.
  const double h0 = duration / 100, h1 = 0.9 * std::pow(16, -1 / p) * h0;
  step({-16 * allowed(h0), 0, 0, -allowed(h1) / 2 * (v + a * h1)});
  BOOST_TEST(near(motion.t, h1));
  BOOST_TEST(near(motion.q(0), v * h1 + a * h1 * h1 / 2));
  BOOST_TEST(near(places[1], v * h0 + a * h0 * h0 / 2));
  BOOST_TEST(near(places[3], motion.q(0)));
  BOOST_TEST(near(rates[3], v + a * h1));
  const double h2 = 0.9 * std::pow(0.5, -1 / p) * h1;
  BOOST_TEST(near(motion.next_length(), h2));

  // A tenth of what is allowed in the place; a step grows to five times its length at most.
  step({allowed(h2) / 10, 0});
  BOOST_TEST(motion.start_of_step() == h1);
  BOOST_TEST(near(motion.end_of_step(), h1 + h2));
  BOOST_TEST(near(motion.next_length(), 0.9 * std::pow(0.1, -1 / p) * h2));
  const double h3 = motion.next_length();
  step({0, allowed(h3) * 1e-6});
  BOOST_TEST(near(motion.next_length(), 5 * h3));

  // What is left is the last step.
  motion.go_on_from(4.5, motion.q, motion.qd);
  motion.go_on_from(duration - h3, motion.q, motion.qd);
  BOOST_TEST(near(motion.next_length(), h3));
  step({0, 0});
  BOOST_TEST(motion.t == duration);
}

BOOST_AUTO_TEST_CASE(both_methods_tend_to_the_same_motion)
{
  const Model<double> model(validation::every_joint(), {.floating_base = true});
  const State<double> x = drawn_state(model, 0.3, 0.5);
  Motion<double> motion{model};
  motion.Fext.resize(model.bodies() + 1);
  motion.Fext[3] = {{0.3, -0.2, 0.5}, {1.1, 0.4, -0.7}};
  for (const double k : {0.0, 1.0}) {
    if (k > 0)
      motion.elements = {UserLaw{"drag", [](const VectorX<double>&, const VectorX<double>& qd, double t) {
                                   return VectorX<double>(-0.5 * (1 + t) * qd);
                                 }}};
    const State<double> truth = motion(Method::runge_kutta, x, 0x1p-10, 64);
    std::vector<double> errors;
    for (const int steps : {4, 8, 16, 32})
      errors.push_back(largest(motion(Method::variational, x, 0x1p-4 / steps, steps).qd - truth.qd));
    require_order(errors, 2);
  }
}

BOOST_AUTO_TEST_CASE(what_keeps_its_rates_is_stepped_without_a_correction)
{
  const Model<double> model(pendulum(1.3, 0, 0.07));
  VariationalIntegrator<double> integrator(model);
  VectorX<double> q = VectorX<double>::Constant(1, 0.3), qd = VectorX<double>::Constant(1, 0.7);
  int asked = 0;
  integrator.step_under(q, qd, 0.0, 0.25,
                        [&](const Recursion<double>&, const VectorX<double>&, const VectorX<double>&, double) {
                          ++asked;
                          return VectorX<double>::Zero(1);
                        });
  BOOST_TEST(asked == 2);  // at both ends
  BOOST_TEST(std::abs(q(0) - 0.475) <= rounding<double>(1));
}

BOOST_AUTO_TEST_CASE(variational_steps_are_undone_by_those_of_the_opposite_length)
{
  const Model<double> model(validation::every_joint(), {.floating_base = true});
  const State<double> x = drawn_state(model, 0.3, 0.5);
  const Motion<double> motion{model};
  const double h = 0x1p-5;
  const int steps = 8;
  const auto distance = [](const State<double>& a, const State<double>& b) {
    return std::max(largest(a.q - b.q), largest(a.qd - b.qd));
  };
  const auto there_and_back = [&](Method method) {
    return distance(motion(method, motion(method, x, h, steps), -h, steps), x);
  };
  // What a rounding at the turning point grows to on the way back is measured, in a direction of no symmetry.
  const State<double> end = motion(Method::variational, x, h, steps);
  State<double> moved = end;
  for (int k = 0; k < model.nv(); ++k) moved.qd(k) += 1e-10 * std::cos(k);
  const double kappa =
      distance(motion(Method::variational, moved, -h, steps), motion(Method::variational, end, -h, steps)) / 1e-10;
  const double bound = rounding<double>(model.nv()) * std::max(1.0, kappa) * largest(x.qd);
  BOOST_TEST_MESSAGE("kappa " << kappa << ", variational " << there_and_back(Method::variational) << ", bound " << bound
                              << ", Runge-Kutta " << there_and_back(Method::runge_kutta));
  BOOST_TEST(there_and_back(Method::variational) <= bound);
  BOOST_TEST(there_and_back(Method::runge_kutta) > bound);
}

BOOST_AUTO_TEST_CASE(a_robot_in_free_space_keeps_its_momentum_to_rounding_by_variational_steps_only)
{
  const Model<double> model(validation::every_joint(), {.floating_base = true});
  const State<double> x = drawn_state(model, 0.3, 0.5);
  Motion<double> motion{model};
  motion.gravity = {};
  const int steps = 200;
  ForwardKinematics<double> kinematics(model);
  const auto momentum = [&](const State<double>& now) {
    kinematics(now.q, now.qd);
    return VectorX<double>(coordinates(kinematics.momentum()));
  };
  const VectorX<double> before = momentum(x);
  const auto change = [&](Method method) { return largest(momentum(motion(method, x, 0x1p-7, steps)) - before); };
  BOOST_TEST(change(Method::variational) <= steps * rounding<double>(model.nv()) * largest(before));
  BOOST_TEST(change(Method::runge_kutta) > steps * rounding<double>(model.nv()) * largest(before));
}

BOOST_AUTO_TEST_CASE(the_error_of_the_energy_stays_by_variational_steps_and_grows_by_the_others)
{
  // An error that grows in proportion to the time doubles from the first half to the second; one that stays does not.
  const Model<double> model(pendulum(1.3, 0.4, 0.07));
  const State<double> x{VectorX<double>::Constant(1, 2.5), VectorX<double>::Zero(1)};
  const auto [first, second] = energy_errors({model}, Method::variational, x, 0x1p-6, 20000);
  BOOST_TEST(second < std::sqrt(2.0) * first);
  const auto [early, late] = energy_errors({model}, Method::runge_kutta, x, 0x1p-6, 20000);
  BOOST_TEST(late > std::sqrt(2.0) * early);
}

BOOST_AUTO_TEST_CASE(a_five_bar_stays_closed_by_variational_steps_and_drifts_by_the_others)
{
  const Model<double> model(validation::five_bar());
  const State<double> start = crank_state(model);
  Motion<double> motion{model};
  motion.loops = pin;
  Loops<double> loops(model, pin);
  for (const Method method : {Method::runge_kutta, Method::variational}) {
    State<double> x = start;
    double open = 0, opening = 0, fastest = 1;
    motion.after_each(method, x, 0.002, 1000, [&](const State<double>& now) {
      loops(now.q, now.qd);
      open = std::max(open, largest(loops.violation));
      opening = std::max(opening, largest(loops.A * now.qd));
      fastest = std::max(fastest, largest(now.qd));
    });
    BOOST_TEST_MESSAGE("open by " << open << ", opening with " << opening);
    const double bound = rounding<double>(model.nv());
    BOOST_TEST((open <= bound) == (method == Method::variational));
    BOOST_TEST((opening <= bound * fastest) == (method == Method::variational));
  }
}

BOOST_AUTO_TEST_CASE(short_steps_leave_no_loop_opening)
{
  const Model<double> model(validation::five_bar());
  Motion<double> motion{model};
  motion.loops = pin;
  Loops<double> loops(model, pin);
  State<double> x = crank_state(model);
  double opening = 0;
  motion.after_each(Method::variational, x, 0x1p-20, 20, [&](const State<double>& now) {
    loops(now.q, now.qd);
    opening = std::max(opening, largest(loops.A * now.qd));
  });
  BOOST_TEST(opening <= rounding<double>(model.nv()));
}

BOOST_AUTO_TEST_CASE(a_five_bar_is_stepped_with_the_order_of_the_method)
{
  const Model<double> model(validation::five_bar());
  Motion<double> motion{model};
  motion.loops = pin;
  const SpringDamper spring{"spring", {"", {0.2, 0.3, -0.1}}, {"left_tip", {0.1, 0, 0}}, 50, 4, 0.3};
  for (const std::vector<ForceElement>& elements : {std::vector<ForceElement>{}, {spring}})
    for (const Method method : {Method::runge_kutta, Method::variational}) {
      motion.elements = elements;
      require_order(differences<double>(motion, method, crank_state(model), 0.125, 16, 4), order_of(method));
    }
}

BOOST_AUTO_TEST_CASE(a_step_that_is_too_long_is_refused_and_changes_nothing)
{
  const Model<double> model(validation::every_joint());
  State<double> x = drawn_state(model, 0.3, 20);
  const State<double> before = x;
  VariationalIntegrator<double> integrator(model);
  const VectorX<double> none = VectorX<double>::Zero(model.nv());
  std::string sentence;
  try {
    integrator.step(x.q, x.qd, 0.5, none, none);
  } catch (const StateError& error) {
    sentence = error.what();
  }
  BOOST_TEST(sentence ==
             "every_joint: the equations of a variational step of 0.5 s were not solved by 100 "
             "corrections; take a shorter step.");
  BOOST_TEST(x.q == before.q);
  BOOST_TEST(x.qd == before.qd);
}

BOOST_AUTO_TEST_CASE(a_step_of_a_tree_allocates_nothing)
{
  const Model<double> model(validation::every_joint(), {.floating_base = true});
  State<double> x = drawn_state(model, 0.3, 0.5);
  const VectorX<double> none = VectorX<double>::Zero(model.nv());
  RungeKuttaMuntheKaas<double> runge_kutta(model);
  VariationalIntegrator<double> variational(model);
  ForwardDynamics<double> dynamics(model);
  const LinkFrame<double>& tip = model.links().back();
  ForceElements<double> spring(model, {SpringDamper{"spring", {"", {1, 2, 3}}, {tip.name}, 30, 2, 0.1}});
  const long before = allocations;
  runge_kutta.step(
      x.q, x.qd, 0.0, 0x1p-7, [&](const VectorX<double>& q, const VectorX<double>& qd, double) -> auto& {
        return dynamics(q, qd, none);
      });
  variational.step(x.q, x.qd, 0x1p-7, none, none);
  variational.step_under(
      x.q, x.qd, 0.0, 0x1p-7,
      [&](const Recursion<double>& moved, const VectorX<double>& q, const VectorX<double>& qd, double t) -> auto& {
        spring(moved, q, qd, t);
        return spring.joint_forces(moved);
      });
  const long after = allocations;
  BOOST_TEST(after == before);
}

BOOST_AUTO_TEST_SUITE_END()
