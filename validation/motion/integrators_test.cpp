/** \file
 *  \brief Steps in time against closed forms, and what each of them keeps: order, energy, momentum, loops, area.
 */
#include <boost/math/special_functions/ellint_1.hpp>
#include <boost/math/special_functions/jacobi_elliptic.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <articulate/aba/forward_dynamics.hpp>
#include <articulate/constrained/assembly.hpp>
#include <articulate/motion/dormand_prince.hpp>
#include <articulate/motion/force_elements.hpp>
#include <articulate/motion/radau.hpp>
#include <articulate/motion/runge_kutta.hpp>
#include <articulate/motion/variational.hpp>
#include <articulate/model/kinematics.hpp>
#include <ledger/scalars.hpp>
#include <models/models.hpp>
#include <models/unit.hpp>

using namespace articulate;
using validation::Fifty;

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

template <typename S>
struct State {
  VectorX<S> q, qd;
};

/// A state in no special place, with numbers below the given sizes; balls and free joints turned too.
template <typename S>
State<S> drawn_state(const Model<S>& model, double place, double speed)
{
  VectorX<S> delta(model.nv()), qd(model.nv());
  for (int k = 0; k < model.nv(); ++k) {
    delta(k) = S(place * std::sin(1 + 2.3 * k));
    qd(k) = S(speed * std::sin(0.4 + 1.7 * k));
  }
  return {displaced(model, model.zero_coordinates(), delta), qd};
}

enum class Method { runge_kutta, variational, dormand_prince, radau };
int order_of(Method method) { return method == Method::runge_kutta ? 4 : method == Method::variational ? 2 : 5; }
constexpr auto all_methods = {Method::runge_kutta, Method::variational, Method::dormand_prince, Method::radau};

/// A machine on its way, by any method; constant joint forces and wrenches on the bodies, and force elements.
template <typename S>
struct Motion {
  const Model<S>& model;
  VectorX<S> tau = VectorX<S>::Zero(model.nv());
  ExternalWrenches<S> Fext;
  Vector3<S> gravity = model.gravity();
  std::vector<Loop> loops;
  std::vector<ForceElement> elements;

  State<S> operator()(Method method, State<S> x, S h, int steps) const
  {
    after_each(method, x, h, steps, [](const State<S>&) {});
    return x;
  }

  template <typename Look>
  void after_each(Method method, State<S>& x, S h, int steps, const Look& look) const
  {
    ForceElements<S> forces(model, elements);
    if (method == Method::variational) {
      VariationalIntegrator<S> integrator(model, loops);
      integrator.set_gravity(gravity);
      integrator.set_armature(forces.armature);
      for (int k = 0; k < steps; ++k) {
        if (elements.empty())
          integrator.step(x.q, x.qd, h, tau, tau, Fext);
        else
          integrator.step_under(
              x.q, x.qd, S(k) * h, h,
              [&](const Recursion<S>& moved, const VectorX<S>& q, const VectorX<S>& qd, const S& t) {
                forces(moved, q, qd, t);
                return VectorX<S>(tau + forces.joint_forces(moved));
              },
              Fext);
        look(x);
      }
      return;
    }
    Loops<S> closed(model, loops);
    ConstrainedDynamics<S> system(model, std::vector<bool>(model.nv(), false), closed.rows());
    system.tree.set_gravity(gravity);
    system.tree.set_armature(forces.armature);
    const auto accelerations = [&](const VectorX<S>& q, const VectorX<S>& qd, const S& t) {
      closed(q, qd);
      forces(closed, q, qd, t);
      const VectorX<S> all = tau + forces.joint_forces(closed);
      system(q, qd, tau, all, closed.A, closed.Adot_qd, Fext);
      return system.qdd();
    };
    RungeKuttaMuntheKaas<S> integrator(model);
    DormandPrinceMuntheKaas<S> pair(model);
    RadauMuntheKaas<S> radau(model);
    const auto nothing = [](VectorX<S>&, VectorX<S>&) {};
    for (int k = 0; k < steps; ++k) {
      if (method == Method::dormand_prince) {
        pair.attempt(x.q, x.qd, S(k) * h, h, accelerations, nothing);
        pair.at(S(1), x.q, x.qd);
      } else if (method == Method::radau) {
        radau.step(x.q, x.qd, S(k) * h, h, accelerations, nothing);
      } else {
        integrator.step(x.q, x.qd, S(k) * h, h, accelerations);
      }
      look(x);
    }
  }
};

/** The order is the whole number to which log2 of the ratios of the errors tends: the nearest one to the last, and the
 *  distances to it shrink. Of halved steps they are halved, or quartered by a symmetric method; three quarters is the
 *  middle between being halved and not shrinking.
 */
void require_order(const std::vector<double>& errors, int order)
{
  std::vector<double> distance;
  for (std::size_t k = 0; k + 1 < errors.size(); ++k) {
    const double ratio = std::log2(errors[k] / errors[k + 1]);
    BOOST_TEST_MESSAGE("error " << errors[k + 1] << ", log2 of the ratio " << ratio);
    distance.push_back(std::abs(ratio - order));
  }
  for (std::size_t k = 0; k + 1 < distance.size(); ++k) BOOST_TEST(distance[k + 1] <= 0.75 * distance[k]);
  BOOST_TEST(distance.back() < 0.5);
}

/// The same of the order 5, where errors of the next order may have the other sign, or rounding is near, so that the
/// ratios pass the order on their way: each is nearer to it than to the orders beside it.
void require_order(const std::vector<double>& errors, Method method)
{
  if (order_of(method) != 5) return require_order(errors, order_of(method));
  for (std::size_t k = 0; k + 1 < errors.size(); ++k) {
    BOOST_TEST_MESSAGE("error " << errors[k + 1] << ", log2 of the ratio " << std::log2(errors[k] / errors[k + 1]));
    BOOST_TEST(std::abs(std::log2(errors[k] / errors[k + 1]) - order_of(method)) < 0.5);
  }
}

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

/// One body on a free joint, with a centre of mass off its origin and two equal moments of inertia.
struct SymmetricTop {
  static constexpr double mass = 1.7, across = 0.3, along = 0.5;  // kg, kg m^2
  Mechanism mechanism;
  Vector3<Fifty> center{Fifty(0.2), Fifty(-0.1), Fifty(0.3)};
  SO3<Fifty> axes;  // of the inertia in the body

  SymmetricTop()
  {
    const auto turn = validation::unit({1, -2, 1, 6});
    mechanism.name = mechanism.source = "top";
    mechanism.links = {{"ground"}, {"top", mass, {0.2, -0.1, 0.3}, turn, {across, 0, 0, across, 0, along}}};
    mechanism.joints = {{"flight", JointType::floating, "ground", "top"}};
    mechanism.gravity = {1.7, -2.9, -9.2};
    axes = SO3<Fifty>(Quaternion<Fifty>{{Fifty(turn[0]), Fifty(turn[1]), Fifty(turn[2])}, Fifty(turn[3])});
  }

  /// The pose after a time: the axis goes round the angular momentum, the body round its axis, the centre falls.
  SE3<Fifty> pose(const SE3<Fifty>& start, const Twist<Fifty>& V, const Vector3<Fifty>& g, const Fifty& t) const
  {
    const Vector3<Fifty> w = inverse(axes) * V.w;
    const Fifty A(across), C(along), slip = (C - A) / A * w[2];
    const Vector3<Fifty> precession = start.R * (axes * Vector3<Fifty>{w[0], w[1], C / A * w[2]});
    const SO3<Fifty> own = axes * exp(Vector3<Fifty>{Fifty(0), Fifty(0), -t * slip}) * inverse(axes);
    const SO3<Fifty> R = exp(t * precession) * start.R * own;
    const Vector3<Fifty> velocity = start.R * (V.v + cross(V.w, center));
    return {R, start * center + t * velocity + t * t / Fifty(2) * g - R * center};
  }
};

/// A pendulum about a hinge that is turned about the vertical and stays level.
Mechanism pendulum(double m, double l, double J)
{
  Mechanism machine;
  machine.name = machine.source = "pendulum";
  machine.links = {{"ground"}, {"bob", m, {0, 0, -l}, {0, 0, 0, 1}, {J, 0, 0, J, 0, J}}};
  machine.joints = {{"hinge", JointType::continuous, "ground", "bob", {}, {0, 0, 0, 1}, {0.6, -0.8, 0}}};
  return machine;
}

/// A thing that flies, with a ball joint and a universal joint: both groups, and coordinates that bend.
Mechanism kite()
{
  Mechanism machine = SymmetricTop().mechanism;
  machine.name = machine.source = "kite";
  machine.links.push_back(
      {"arm", 0.8, {0.1, 0.05, -0.3}, validation::unit({2, 1, -1, 5}), {0.03, 0.002, -0.001, 0.04, 0.003, 0.02}});
  machine.links.push_back(
      {"tail", 0.5, {-0.07, 0.2, 0.06}, validation::unit({-1, 3, 1, 4}), {0.01, 0.001, 0.002, 0.008, -0.001, 0.012}});
  machine.joints.push_back(
      {"shoulder", JointType::ball, "top", "arm", {0.1, 0.2, -0.1}, validation::unit({1, 2, -3, 6})});
  machine.joints.push_back(
      {"wrist", JointType::universal, "arm", "tail", {0.05, 0, -0.4}, validation::unit({3, -1, 2, 5})});
  return machine;
}

/// What pulls at the kite and has a potential.
std::vector<ForceElement> springs()
{
  return {SpringDamper{"line", {"", {1, -0.5, 0.3}}, {"tail", {0.1, 0, 0.2}}, 40, 0, 0.7},
          SpringDamper{"strut", {"top", {0.2, 0.1, 0}}, {"tail", {}}, 25, 0, 0.2},
          JointSpring{"hinge", "wrist", 0, 3, 0, 0.2}, GravityField{"planet", 5, {3, 2, -4}}};
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

/// The methods that estimate their errors.
template <typename S>
using Pairs = std::tuple<DormandPrinceMuntheKaas<S>, RadauMuntheKaas<S>>;

}  // namespace

BOOST_AUTO_TEST_SUITE(integrators)

BOOST_AUTO_TEST_CASE(the_inverse_of_dexp_undoes_it_and_its_transpose_has_the_same_power)
{
  for (const double angle : {0.0, 1e-8, 0.3, 1.7, 3.14159, 5.0}) {
    const Fifty size(angle);
    const Twist<Fifty> xi{{Fifty(2) / 7 * size, Fifty(-3) / 7 * size, Fifty(6) / 7 * size},
                          {Fifty(0.7), Fifty(-1.1), Fifty(0.4)}};
    const Twist<Fifty> V{{Fifty(-0.9), Fifty(0.5), Fifty(0.8)}, {Fifty(0.3), Fifty(1.2), Fifty(-0.6)}};
    const Wrench<Fifty> F{{Fifty(0.2), Fifty(0.7), Fifty(-0.5)}, {Fifty(1.1), Fifty(-0.8), Fifty(0.9)}};
    const Twist<Fifty> back = dexp_inverse(xi, dexp(xi, V)) - V;
    BOOST_TEST(largest(coordinates(back)) <= rounding<Fifty>(6));
    const Fifty difference = pairing(codexp_inverse(xi, F), V) - pairing(F, dexp_inverse(xi, V));
    BOOST_TEST(std::abs(static_cast<double>(difference)) <= rounding<Fifty>(6));
  }
}

BOOST_AUTO_TEST_CASE(derivatives_of_the_lagrangian_are_those_of_the_energies)
{
  const Model<double> in_double(validation::every_joint(), {.floating_base = true});
  const Model<Fifty> model(in_double);
  const State<Fifty> x = drawn_state(model, 0.3, 0.5);
  LagrangianDerivatives<Fifty> found(model);
  found(x.q, x.qd);
  ForwardKinematics<Fifty> kinematics(model);
  const auto lagrangian = [&](const VectorX<Fifty>& q, const VectorX<Fifty>& qd) {
    kinematics(q, qd);
    return kinematics.kinetic_energy() - kinematics.potential_energy(model.gravity());
  };
  // Central differences of a step d are wrong by d^2 and by eps / d: least, and of the size d^2, at d = eps^(1/3).
  const Fifty d = ldexp(Fifty(1), -56);
  const double bound = 100 * model.nv() * std::ldexp(1.0, -112) * largest(found.force);
  for (int k = 0; k < model.nv(); ++k) {
    const VectorX<Fifty> way = d * VectorX<Fifty>::Unit(model.nv(), k), back = -way;
    const Fifty by_q =
        (lagrangian(displaced(model, x.q, way), x.qd) - lagrangian(displaced(model, x.q, back), x.qd)) / (2 * d);
    const Fifty by_qd = (lagrangian(x.q, x.qd + way) - lagrangian(x.q, x.qd - way)) / (2 * d);
    BOOST_TEST(std::abs(static_cast<double>(by_q - found.force(k))) <= bound);
    BOOST_TEST(std::abs(static_cast<double>(by_qd - found.momentum(k))) <= bound);
  }
}

BOOST_AUTO_TEST_CASE(a_thrown_top_follows_its_closed_form_with_the_order_of_the_method)
{
  const SymmetricTop top;
  const Model<double> in_double(top.mechanism);
  const Model<Fifty> model(in_double);
  State<Fifty> x{VectorX<Fifty>(7), VectorX<Fifty>(6)};
  x.q << Fifty(0.4), Fifty(-0.3), Fifty(0.9), Fifty(0.1), Fifty(-0.5), Fifty(0.7), Fifty(0.5);
  x.qd << Fifty(2.1), Fifty(-1.3), Fifty(3.2), Fifty(0.6), Fifty(-0.4), Fifty(1.5);
  const auto pose = [](const VectorX<Fifty>& q) {
    return SE3<Fifty>{SO3<Fifty>(Quaternion<Fifty>{{q(3), q(4), q(5)}, q(6)}), {q(0), q(1), q(2)}};
  };
  const Fifty time = Fifty(1) / 4;
  const SE3<Fifty> truth = top.pose(pose(x.q), to_twist(x.qd), model.gravity(), time);
  for (const Method method : all_methods) {
    std::vector<double> errors;
    for (const int steps : {16, 32, 64, 128}) {
      const State<Fifty> end = Motion<Fifty>{model}(method, x, time / steps, steps);
      errors.push_back(largest(coordinates(log(inverse(truth) * pose(end.q)))));
    }
    require_order(errors, method);
  }
}

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

BOOST_AUTO_TEST_CASE_TEMPLATE(between_the_ends_of_a_step_and_in_its_estimate_the_order_is_that_of_the_estimate, Pair,
                              Pairs<Fifty>)
{
  const SymmetricTop top;
  const Model<double> in_double(top.mechanism);
  const Model<Fifty> model(in_double);
  const State<Fifty> x = drawn_state(model, 0.3, 2);
  const VectorX<Fifty> none = VectorX<Fifty>::Zero(6);
  ForwardDynamics<Fifty> dynamics(model);
  const auto accelerations = [&](const VectorX<Fifty>& q, const VectorX<Fifty>& qd, const Fifty&) -> auto&
  {
    return dynamics(q, qd, none);
  };
  const auto nothing = [](VectorX<Fifty>&, VectorX<Fifty>&) {};
  // Of one step the errors are of the next order.
  constexpr int order = Pair::order_of_estimate + 1;
  std::vector<double> within, estimates, of_rival;
  for (const int parts : {16, 32, 64, 128}) {
    const Fifty h = Fifty(1) / parts, part = Fifty(3) / 8;
    Pair pair(model);
    pair.attempt(x.q, x.qd, Fifty(0), h, accelerations, nothing);
    State<Fifty> found, rival;
    pair.at(part, found.q, found.qd);
    pair.rival(rival.q, rival.qd);
    const State<Fifty> truth = Motion<Fifty>{model}(Method::dormand_prince, x, part * h / 16, 16);
    const State<Fifty> end = Motion<Fifty>{model}(Method::dormand_prince, x, h / 16, 16);
    within.push_back(largest(displacement(model, truth.q, found.q)));
    estimates.push_back(largest(pair.displacement_error()));
    of_rival.push_back(largest(displacement(model, end.q, rival.q)));
  }
  require_order(within, order);
  require_order(estimates, order);
  require_order(of_rival, order);
  BOOST_TEST(std::abs(estimates.back() / of_rival.back() - 1) < 0.1);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_pendulum_is_as_near_to_jacobi_as_the_tolerance_and_the_growth_of_errors_allow, Pair,
                              Pairs<double>)
{
  const double m = 1.3, l = 0.4, J = 0.07, g = 9.81, time = 5;
  const Model<double> model(pendulum(m, l, J));
  ForwardDynamics<double> dynamics(model);
  const VectorX<double> none = VectorX<double>::Zero(1);
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
      motion.step(
          [&](const VectorX<double>& q, const VectorX<double>& qd, double) -> auto& { return dynamics(q, qd, none); },
          [](VectorX<double>&, VectorX<double>&) {},
          [](const VectorX<double>&, const VectorX<double>&, VectorX<double>&) {});
      ++steps;
      State<double> inside;
      const double then = (start + motion.t) / 2;
      motion.at(then, inside.q, inside.qd);
      between = std::max(between, std::abs(inside.q(0) - angle(2.5, then)));
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

BOOST_AUTO_TEST_CASE(both_methods_tend_to_the_same_motion)
{
  const Model<double> model(validation::every_joint(), {.floating_base = true});
  const State<double> x = drawn_state(model, 0.3, 0.5);
  const Motion<double> motion{model};
  const State<double> truth = motion(Method::runge_kutta, x, 0x1p-10, 64);
  std::vector<double> errors;
  for (const int steps : {4, 8, 16, 32})
    errors.push_back(largest(motion(Method::variational, x, 0x1p-4 / steps, steps).qd - truth.qd));
  require_order(errors, 2);
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

BOOST_AUTO_TEST_CASE(a_variational_step_is_symplectic_under_springs_too)
{
  const Model<double> in_double(kite());
  const Model<Fifty> model(in_double);
  const int n = model.nv();
  const State<Fifty> x = drawn_state(model, 0.3, 0.5);
  Motion<Fifty> motion{model};
  motion.elements = springs();
  ForwardDynamics<Fifty> dynamics(model);
  LagrangianDerivatives<Fifty> legendre(model);
  legendre(x.q, x.qd);
  const VectorX<Fifty> p = legendre.momentum, none = VectorX<Fifty>::Zero(n);
  const Fifty h(0x1p-5), d = ldexp(Fifty(1), -56);

  // The end of a step as (displacement from a place, momentum), from the same at the start.
  const auto end = [&](Method method, const VectorX<Fifty>& way, const VectorX<Fifty>& more, const VectorX<Fifty>& from,
                       VectorX<Fifty>& away, VectorX<Fifty>& momentum) {
    State<Fifty> start{displaced(model, x.q, way), none};
    dynamics(start.q, none, none);
    VectorX<Fifty> rest = p + more;
    dynamics.respond(rest, start.qd);
    const State<Fifty> now = motion(method, start, h, 1);
    legendre(now.q, now.qd);
    momentum = legendre.momentum;
    for (int i = 1; i <= model.bodies(); ++i) {
      const Body<Fifty>& body = model.body(i);
      for (int k = 0; k < body.nv && body.nq == body.nv; ++k) away(body.v + k) = now.q(body.q + k) - from(body.q + k);
      if (body.nq == body.nv) continue;
      const SE3<Fifty> X = inverse(joint_pose(body, &from(body.q))) * joint_pose(body, &now.q(body.q));
      const Twist<Fifty> xi = log(X);
      for (int k = 0; k < body.nv; ++k) away(body.v + k) = (k < 3 ? xi.w : xi.v)[k % 3];
    }
  };
  // dp ^ dq in the frame that moves along: a ball and a free joint add the bracket of their displacements.
  const auto form = [&](const VectorX<Fifty>& momentum) {
    MatrixX<Fifty> Omega = MatrixX<Fifty>::Zero(2 * n, 2 * n);
    Omega.topRightCorner(n, n).setIdentity();
    Omega.bottomLeftCorner(n, n) = -MatrixX<Fifty>::Identity(n, n);
    for (int i = 1; i <= model.bodies(); ++i) {
      const Body<Fifty>& body = model.body(i);
      if (body.nq == body.nv) continue;
      const auto twist = [&](const VectorX<Fifty>& v, int at) { return detail::twist_of_joint(model.body(i), v); };
      for (int a = 0; a < body.nv; ++a)
        for (int b = 0; b < body.nv; ++b) {
          const VectorX<Fifty> ea = VectorX<Fifty>::Unit(n, body.v + a), eb = VectorX<Fifty>::Unit(n, body.v + b);
          const Twist<Fifty> mu = twist(momentum, 0);
          Omega(body.v + a, body.v + b) = pairing(Wrench<Fifty>{mu.w, mu.v}, ad(twist(ea, 0), twist(eb, 0)));
        }
    }
    return Omega;
  };
  for (const Method method : {Method::runge_kutta, Method::variational}) {
    const VectorX<Fifty> place = motion(method, x, h, 1).q;
    MatrixX<Fifty> jacobian(2 * n, 2 * n);
    VectorX<Fifty> away = none, momentum = none, away_back = none, momentum_back = none;
    for (int k = 0; k < 2 * n; ++k) {
      const VectorX<Fifty> unit = d * VectorX<Fifty>::Unit(n, k % n);
      end(method, k < n ? unit : none, k < n ? none : unit, place, away, momentum);
      end(method, k < n ? VectorX<Fifty>(-unit) : none, k < n ? none : VectorX<Fifty>(-unit), place, away_back,
          momentum_back);
      jacobian.col(k) << (away - away_back) / (2 * d), (momentum - momentum_back) / (2 * d);
    }
    end(method, none, none, place, away, momentum);
    const double miss = largest(jacobian.transpose() * form(momentum) * jacobian - form(p));
    // Central differences of a step d = eps^(1/3) have d^2 left; each enters a product with the largest entries.
    const double bound = 100 * 2 * n * std::ldexp(1.0, -112) * largest(jacobian) * largest(jacobian);
    BOOST_TEST_MESSAGE("symplectic to " << miss << ", bound " << bound);
    if (method == Method::variational)
      BOOST_TEST(miss <= bound);
    else
      BOOST_TEST(miss > 1e10 * bound);
  }
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
             "every_joint: the equations of a variational step of 0.500000 s were not solved by 100 "
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
