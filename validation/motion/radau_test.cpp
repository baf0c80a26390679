/** \file
 *  \brief Implicit steps: the equations that they solve, their order, and a stiff machine against its reduced equations.
 */
#include <boost/numeric/odeint/stepper/runge_kutta_fehlberg78.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <complex>
#include <random>
#include <articulate/aba/forward_dynamics.hpp>
#include <articulate/constrained/assembly.hpp>
#include <articulate/motion/closed_motion.hpp>
#include <articulate/motion/dormand_prince.hpp>
#include <articulate/motion/force_elements.hpp>
#include <articulate/motion/radau.hpp>
#include <articulate/motion/runge_kutta.hpp>
#include <models/closed_machines.hpp>
#include <models/models.hpp>
#include <motion/steps.hpp>

using namespace articulate;
using namespace articulate::validation::steps;

namespace {

const Settle<double> nothing = stay<double>;

VectorX<double> to_vector(const std::vector<double>& x)
{
  return Eigen::Map<const VectorX<double>>(x.data(), static_cast<Eigen::Index>(x.size()));
}

/// Of runs with steps that are halved the ends approach each other, on the group, by a 32nd each time.
template <typename Run>
void require_order_five(const Run& run, const Model<double>& model, int steps)
{
  std::vector<double> apart;
  VectorX<double> before = run(steps);
  for (int k = 0; k < 3; ++k) {
    const VectorX<double> after = run(steps *= 2);
    apart.push_back(largest(displacement(model, before, after)));
    before = after;
  }
  for (int k = 0; k < 2; ++k) {
    BOOST_TEST_MESSAGE("apart " << apart[k + 1] << ", log2 of the ratio " << std::log2(apart[k] / apart[k + 1]));
    BOOST_TEST(std::abs(std::log2(apart[k] / apart[k + 1]) - 5) < 0.5);
  }
}

/** The flyball governor of the IFToMM's problem A05: two rods with balls on a shaft that turns, and a slider on the
 *  shaft, which springs and dampers of 8e5 N/m and 4e4 N s/m tie to the middles of the rods.
 */
struct Governor {
  static constexpr double arm = 0.05, rod = 0.3, ball = 5, slider = 3, K = 8e5, C = 4e4, rest = 0.5, g = 9.81;
  static constexpr double across = 0.0250025, along = 5e-6, of_slider = 0.005;  // moments of inertia
  Mechanism mechanism;
  std::vector<ForceElement> springs;

  Governor()
  {
    const std::array<double, 4> turned{0, 0, 0, 1};
    const std::array<double, 6> of_rod{across, 0, 0, across, 0, along};
    mechanism.name = mechanism.source = "governor";
    mechanism.gravity = {0, 0, -g};
    mechanism.links = {{"ground"},
                       {"shaft", rod, {0, 0, 0.5}, turned, of_rod},
                       {"slider", slider, {}, turned, {of_slider, 0, 0, of_slider, 0, of_slider}}};
    mechanism.joints = {{"turn", JointType::continuous, "ground", "shaft"},
                        {"lift", JointType::prismatic, "shaft", "slider", {0, 0, 0.5}, turned, {0, 0, 1}}};
    for (const double side : {-1., 1.}) {
      const std::string name = side < 0 ? "left" : "right";
      mechanism.links.push_back({name + "_rod", rod, {0, 0, -0.5}, turned, of_rod});
      mechanism.links.push_back({name + "_ball", ball, {}, turned, {}});
      mechanism.joints.push_back(
          {name, JointType::continuous, "shaft", name + "_rod", {side * arm, 0, 1}, turned, {0, -side, 0}});
      mechanism.joints.push_back({name + "_tip", JointType::fixed, name + "_rod", name + "_ball", {0, 0, -1}});
      springs.push_back(
          SpringDamper{name + "_spring", {"slider", {side * arm, 0, 0}}, {name + "_rod", {0, 0, -0.5}}, K, C, rest});
    }
  }

  /// Turn of the shaft, lift of the slider, angle of both rods, and the rates of the last two.
  using Reduced = std::array<long double, 5>;

  /// Both rods swing alike, and the shaft keeps its angular momentum: two degrees are left, by hand.
  static void move(const Reduced& x, Reduced& rate, long double)
  {
    const long double sin = std::sin(x[2]), cos = std::cos(x[2]);
    const long double dz = 0.5L - 0.5L * cos - x[1], L = std::sqrt(0.25L * sin * sin + dz * dz);
    const long double L_angle = (0.25L * sin * cos + 0.5L * dz * sin) / L, L_lift = -dz / L;
    const long double pull = K * (L - rest) + C * (L_angle * x[4] + L_lift * x[3]);
    const long double swing = 2 * (rod * 0.25L + across + ball), weight = 2 * g * (0.5L * rod + ball);
    rate[0] = 2 * std::acos(-1.0L) * about_axis(std::acos(-1.0L) / 3) / about_axis(x[2]);
    rate[1] = x[3];
    rate[2] = x[4];
    rate[3] = -g - 2 * pull * L_lift / slider;
    rate[4] = (half_slope(x[2]) * rate[0] * rate[0] - weight * sin - 2 * pull * L_angle) / swing;
  }
  /// The moment of inertia about the shaft, and half of its derivative.
  static long double about_axis(long double angle)
  {
    const long double sin = std::sin(angle), cos = std::cos(angle), middle = arm + 0.5L * sin, tip = arm + sin;
    return along + of_slider + 2 * (rod * middle * middle + across * sin * sin + along * cos * cos + ball * tip * tip);
  }
  static long double half_slope(long double angle)
  {
    const long double sin = std::sin(angle), cos = std::cos(angle);
    return 2 * cos * (rod * (arm + 0.5L * sin) / 2 + (across - along) * sin + ball * (arm + sin));
  }

  /// Ten seconds from the start, at each tenth of a second: by steps that are short enough for an explicit method.
  static std::vector<Reduced> truth(int steps_per_tenth)
  {
    boost::numeric::odeint::runge_kutta_fehlberg78<Reduced, long double> stepper;
    Reduced x{0, 0, std::acos(-1.0L) / 3, 0, 0};
    std::vector<Reduced> found{x};
    for (int k = 1; k <= 100 * steps_per_tenth; ++k) {
      stepper.do_step(move, x, 0.0L, 0.1L / steps_per_tenth);
      if (k % steps_per_tenth == 0) found.push_back(x);
    }
    return found;
  }
};

/// The governor as the library has it.
struct GovernorMotion {
  const Governor governor;
  const Model<double> model{governor.mechanism};
  ForceElements<double> forces{model, governor.springs};
  ForwardDynamics<double> dynamics{model};
  VectorX<double> q = VectorX<double>::Zero(5), qd = VectorX<double>::Zero(5);
  int turn, lift, left, right;

  GovernorMotion()
  {
    q.resize(model.nq());
    qd.resize(model.nv());
    for (const JointSlot& joint : model.joints())
      (joint.name == "turn" ? turn : joint.name == "lift" ? lift : joint.name == "left" ? left : right) = joint.v;
    q.setZero();
    qd.setZero();
    q(left) = q(right) = pi<double>() / 3;
    qd(turn) = 2 * pi<double>();
  }

  const Law<double> law = [this](const VectorX<double>& q, const VectorX<double>& qd, double t) {
    forces(q, qd, t);
    return dynamics(q, qd, forces.tau, forces.Fext);
  };

  double error(const Governor::Reduced& truth) const
  {
    return std::max(
        {std::abs(static_cast<double>(q(turn) - truth[0])), std::abs(static_cast<double>(q(lift) - truth[1])),
         std::abs(static_cast<double>(q(left) - truth[2])), std::abs(static_cast<double>(q(right) - truth[2]))});
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(radau)

// The equations of a step.

/// The times at which (x^2 (x - 1)^3)'' is zero.
const Eigen::Vector3d times(0.4 - std::sqrt(0.06), 0.4 + std::sqrt(0.06), 1);

/// The integrals until these times of the parabolas that are one at one of them and zero at the other two.
Eigen::Matrix3d integrals()
{
  Eigen::Matrix3d powers, their_integrals;
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) {
      powers(i, k) = std::pow(times(i), k);
      their_integrals(i, k) = std::pow(times(i), k + 1) / (k + 1);
    }
  return their_integrals * powers.inverse();
}

/// One step, whose stages must be where the slopes at the stages lead.
void require_obedience(const Model<double>& model, const VectorX<double>& q, const VectorX<double>& qd,
                       const Law<double>& law, const Settle<double>& settle)
{
  const int n = model.nv();
  const double t = 0.2, h = 0.05;
  RadauMuntheKaas<double> radau(model);
  radau.attempt(q, qd, t, h, law, settle);
  const Eigen::Vector3d& c = times;
  const Eigen::Matrix3d A = integrals();
  MatrixX<double> theta(n, 3), gain(n, 3), w(n, 3), a(n, 3);
  for (int i = 0; i < 3; ++i) {
    VectorX<double> there, rates;
    radau.at(c(i), there, rates);
    theta.col(i) = displacement(model, q, there);
    gain.col(i) = rates - qd;
    settle(there, rates);
    a.col(i) = law(there, rates, t + c(i) * h);
    pull_back_rates(model, VectorX<double>(theta.col(i)), rates);
    w.col(i) = rates;
  }
  BOOST_TEST(largest(theta - h * w * A.transpose()) <= rounding<double>(n) * largest(theta));
  BOOST_TEST(largest(gain - h * a * A.transpose()) <= rounding<double>(n) * largest(gain));
}

BOOST_AUTO_TEST_CASE(the_polynomials_of_a_step_obey_the_equations_of_motion_at_three_times)
{
  const Model<double> model(validation::every_joint(), {.floating_base = true});
  const int n = model.nv();
  VectorX<double> delta(n), qd(n), tau(n);
  for (int k = 0; k < n; ++k) {
    delta(k) = 0.3 * std::sin(1 + 2.3 * k);
    qd(k) = 1.5 * std::sin(0.4 + 1.7 * k);
    tau(k) = std::sin(3 + 1.1 * k);
  }
  ForwardDynamics<double> dynamics(model);
  require_obedience(
      model, displaced(model, model.zero_coordinates(), delta), qd,
      [&](const VectorX<double>& q, const VectorX<double>& qd, double t) {
        return dynamics(q, qd, VectorX<double>(std::cos(9 * t) * tau));
      },
      nothing);

  const validation::ClosedMachine machine = validation::five_bar_with_pin();
  const Model<double> bars(machine.tree);
  ClosedMotion<double> closed(bars, machine.loops);
  const VectorX<double> q = Assembly<double>(bars, machine.loops).close(to_vector(machine.guess)), none = 0 * q;
  qd = VectorX<double>::LinSpaced(4, 1, 3);
  closed.project(q, qd);
  require_obedience(
      bars, q, qd,
      [&](const VectorX<double>& q, const VectorX<double>& qd, double) { return closed.accelerations(q, qd, none); },
      [&](VectorX<double>& q, VectorX<double>& qd) { closed.settle(q, qd); });
}

BOOST_AUTO_TEST_CASE(what_is_linear_is_multiplied_by_a_quotient_of_polynomials)
{
  // A swing of rate w that decays with d: q and qd are parts of e^{zt}, of which a step makes a quotient (Pade's).
  const Model<double> model(validation::five_bar());
  using Complex = std::complex<double>;
  const std::array<Complex, 4> z{Complex(-0.1, 0.3), Complex(-2, 30), Complex(-1e3, 1e5), Complex(-1, 1e7)};
  VectorX<double> q = VectorX<double>::Ones(4), qd(4);
  for (int k = 0; k < 4; ++k) qd(k) = z[k].real();
  RadauMuntheKaas<double> radau(model);
  const double h = 0.1;
  const Law<double> law = [&](const VectorX<double>& q, const VectorX<double>& qd, double) {
    VectorX<double> a(4);
    for (int k = 0; k < 4; ++k) a(k) = 2 * z[k].real() * qd(k) - std::norm(z[k]) * q(k);
    return a;
  };
  radau.step(q, qd, 0, h, law, nothing);
  Eigen::Matrix3d powers;
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) powers(i, k) = std::pow(times(i), k + 1);
  for (int k = 0; k < 4; ++k) {
    const Complex x = h * z[k];
    const Complex end = (1.0 + x * (0.4 + x / 20.0)) / (1.0 - x * (0.6 - x * (0.15 - x / 60.0)));
    BOOST_TEST(std::abs(q(k) - end.real()) <= rounding<double>(4));
    BOOST_TEST(std::abs(qd(k) - (z[k] * end).real()) <= rounding<double>(4) * std::abs(z[k]));
    // The cubic through the start and the stages has another slope at the start; a quarter of that, damped. Of the
    // derivatives in it differences leave half of the digits.
    const Eigen::Vector3cd gain =
        (Eigen::Matrix3cd::Identity() - x * integrals()).inverse().rowwise().sum() - Eigen::Vector3cd::Ones();
    const Complex estimate = (x - (powers.inverse() * gain)(0)) / 4.0 / (1.0 - x / 4.0);
    BOOST_TEST(std::abs(radau.displacement_error()(k) - estimate.real()) <= 100 * 0x1p-26);
    BOOST_TEST(std::abs(radau.rate_error()(k) - (z[k] * estimate).real()) <= 100 * 0x1p-26 * std::abs(z[k]));
  }
}

BOOST_AUTO_TEST_CASE(the_equations_of_all_stages_are_solved_together)
{
  const int n = 3, stages = 3;
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> number(-1, 1);
  const auto drawn = [&](int rows, int columns) {
    return MatrixX<double>(MatrixX<double>::NullaryExpr(rows, columns, [&] { return number(random); }));
  };
  std::vector<MatrixX<double>> K, D;
  for (int s = 0; s < stages; ++s) K.push_back(drawn(n, n)), D.push_back(drawn(n, n));
  const MatrixX<double> hA = 0.3 * drawn(stages, stages), x = drawn(n, stages), y = drawn(n, stages);
  LinearStages<double> equations;
  equations.factor(hA, K, D);
  MatrixX<double> theta = x, v = y, a(n, stages);
  equations.solve(theta, v);
  for (int s = 0; s < stages; ++s) a.col(s) = K[s] * theta.col(s) + D[s] * v.col(s);
  BOOST_TEST(largest(theta - v * hA.transpose() - x) <= rounding<double>(n * stages));
  BOOST_TEST(largest(v - a * hA.transpose() - y) <= rounding<double>(n * stages));
}

BOOST_AUTO_TEST_CASE(newtons_method_begins_with_rates_that_stay_and_takes_the_derivatives_of_the_stages_where_it_must)
{
  const Model<double> model(validation::five_bar());
  const VectorX<double> q = 1e-3 * VectorX<double>::LinSpaced(4, 0.2, 0.9);
  const VectorX<double> qd = 1e-3 * VectorX<double>::LinSpaced(4, -1, 2);
  // A spring that is slack until the start of the step, and then gets harder.
  const double t = 3, h = 0.1;
  std::vector<VectorX<double>> asked;
  const Law<double> law = [&](const VectorX<double>& place, const VectorX<double>&, double time) {
    asked.push_back(place);
    return VectorX<double>(time > t ? VectorX<double>(-1e5 * (time - t) * place) : VectorX<double>::Zero(4));
  };
  RadauMuntheKaas<double> radau(model);
  radau.attempt(q, qd, t, h, law, nothing);
  const std::size_t at_start = 1 + 2 * 4;
  for (std::size_t s = 0; s < 3; ++s)
    BOOST_TEST(largest(asked.at(at_start + s) - (q + times(static_cast<Eigen::Index>(s)) * h * qd)) <=
               rounding<double>(1));
  // The derivatives of the start lead astray, once and again; those at the stages lead to the end at once, up to the half
  // of the digits that differences leave.
  for (std::size_t s = 0; s < 3; ++s) {
    VectorX<double> there, rates;
    radau.at(times(static_cast<Eigen::Index>(s)), there, rates);
    BOOST_TEST(largest(asked.at(at_start + 3 + 3 + 3 * 2 * 4 + s) - there) <= 100 * 0x1p-26 * 1e5 * h * h);
  }
}

BOOST_AUTO_TEST_CASE(corrections_end_when_all_that_follow_are_rounding)
{
  // What the end of a step accelerates by, and the start knows nothing of, is corrected by the same part each time.
  const Model<double> model(validation::five_bar());
  const double h = 0.1, part = 0.45;
  for (int k = 0; k < 8; ++k) {
    const double rate = 1e-6 * std::pow(part, k / 8.0);
    int asked = 0;
    const Law<double> law = [&](const VectorX<double>&, const VectorX<double>& qd, double t) {
      ++asked;
      return VectorX<double>(t > 0.9 * h ? VectorX<double>(9 * part / h * qd)
                                         : VectorX<double>::Zero(4));  // 1/9 = A_33
    };
    RadauMuntheKaas<double> radau(model);
    radau.attempt(VectorX<double>::Zero(4), VectorX<double>::Constant(4, rate), 0, h, law, nothing);
    const int corrections = static_cast<int>(std::ceil(std::log(0x1p-53 * (1 - part) / rate) / std::log(part) - 1));
    BOOST_TEST(asked == 1 + 2 * 4 + 3 * corrections);
  }
}

BOOST_AUTO_TEST_CASE(as_many_corrections_lead_far_and_fast_as_a_thousandth_of_the_way)
{
  // Drag with the square of the rate; places and rates are multiplied by a power of two, that is without rounding.
  const Model<double> model(validation::five_bar());
  for (const double h : {0.125, 0.5}) {
    std::array<int, 3> asked{};
    for (int k = 0; k < 3; ++k) {
      const double size = k == 0 ? 8 : k == 1 ? 0x1p10 : 0x1p20;
      const Law<double> law = [&](const VectorX<double>&, const VectorX<double>& rates, double) {
        ++asked[k];
        return VectorX<double>(-1 / size * rates.cwiseProduct(rates));
      };
      VectorX<double> q = VectorX<double>::Zero(4), qd = size * VectorX<double>::LinSpaced(4, 1, 2);
      RadauMuntheKaas<double> radau(model);
      radau.step(q, qd, 0, h, law, nothing);
    }
    BOOST_TEST(asked[0] == asked[1]);
    BOOST_TEST(asked[0] == asked[2]);
  }
}

BOOST_AUTO_TEST_CASE(the_rival_is_the_end_less_the_estimate_and_the_rough_motion_meets_two_stages)
{
  const Model<double> model(validation::five_bar());
  VectorX<double> q = VectorX<double>::Ones(4), qd = VectorX<double>::LinSpaced(4, -1, 2), end = q, end_rates = qd,
                  rival, rival_rates;
  RadauMuntheKaas<double> radau(model);
  const Law<double> law = [&](const VectorX<double>& q, const VectorX<double>& qd, double) {
    return VectorX<double>(-100 * q - 2 * qd);
  };
  radau.step(end, end_rates, 0, 0.1, law, nothing);
  // The rival differs from the end by the estimate; the rough motion from the other nowhere but at the first stage.
  radau.rival(rival, rival_rates);
  BOOST_TEST(largest(end - radau.displacement_error() - rival) <= rounding<double>(4));
  BOOST_TEST(largest(end_rates - radau.rate_error() - rival_rates) <= rounding<double>(4) * 100);
  BOOST_TEST(largest(radau.displacement_error()) > 1e-5);
  BOOST_TEST(largest(radau.rate_error()) > 1e-5);
  VectorX<double> there, rates, roughly, rough_rates;
  for (const double part : {times(1), times(2)}) {
    radau.at(part, there, rates);
    radau.roughly_at(part, roughly, rough_rates);
    BOOST_TEST(largest(there - roughly) <= rounding<double>(4));
    BOOST_TEST(largest(rates - rough_rates) <= rounding<double>(4) * 100);
  }
  // It begins with the slopes of the start; the stencil is exact for polynomials of up to four powers.
  VectorX<double> slope = VectorX<double>::Zero(4), rate_slope = slope;
  for (const auto& [part, weight] : {std::pair{-0.5, 1.0}, {-0.25, -8.0}, {0.25, 8.0}, {0.5, -1.0}}) {
    radau.roughly_at(part, roughly, rough_rates);
    slope += weight / 3 * roughly;
    rate_slope += weight / 3 * rough_rates;
  }
  const double sum = 6 * rounding<double>(4);  // of the weights
  BOOST_TEST(largest(slope - 0.1 * qd) <= sum);
  BOOST_TEST(largest(rate_slope - 0.1 * law(q, qd, 0)) <= sum * 100);
}

BOOST_AUTO_TEST_CASE(what_newtons_method_cannot_solve_is_refused_and_changes_nothing)
{
  const Model<double> model(validation::five_bar());
  VectorX<double> q = VectorX<double>::Constant(4, 0.3), qd = VectorX<double>::Constant(4, 1);
  const VectorX<double> q0 = q, qd0 = qd;
  RadauMuntheKaas<double> radau(model);
  // It jumps, so that no rate at a stage is the right one.
  const Law<double> dry_friction = [](const VectorX<double>&, const VectorX<double>& qd, double) {
    return VectorX<double>(-10 * qd.cwiseSign());
  };
  std::string sentence;
  try {
    radau.step(q, qd, 0, 0.5, dry_friction, nothing);
  } catch (const StateError& error) {
    sentence = error.what();
  }
  BOOST_TEST(sentence ==
             "the equations of an implicit step of 0.5 s were not solved by 50 corrections; take a shorter step.");
  BOOST_TEST(q == q0);
  BOOST_TEST(qd == qd0);
}

BOOST_AUTO_TEST_CASE(a_five_bar_stays_closed_and_is_stepped_with_the_order_five)
{
  const validation::ClosedMachine machine = validation::five_bar_with_pin();
  const Model<double> model(machine.tree);
  const VectorX<double> none = VectorX<double>::Zero(model.nv());
  ClosedMotion<double> closed(model, machine.loops);
  VectorX<double> q0 = Assembly<double>(model, machine.loops).close(to_vector(machine.guess));
  VectorX<double> qd0 = VectorX<double>::LinSpaced(model.nv(), 1, 3);
  closed.project(q0, qd0);
  Loops<double> loops(model, machine.loops);
  const Law<double> law = [&](const VectorX<double>& q, const VectorX<double>& qd, double) {
    return closed.accelerations(q, qd, none);
  };
  const Settle<double> settle = [&](VectorX<double>& q, VectorX<double>& qd) { closed.settle(q, qd); };
  const auto run = [&](int steps) {
    VectorX<double> q = q0, qd = qd0;
    const double h = 0.25 / steps;
    closed.begin(q, qd, h);
    RadauMuntheKaas<double> radau(model);
    for (int k = 0; k < steps; ++k) {
      radau.step(q, qd, 0, h, law, settle);
      loops(q, qd);
      BOOST_TEST(largest(loops.violation) <= rounding<double>(model.nv()));
      BOOST_TEST(largest(loops.A * qd) <= rounding<double>(model.nv()) * std::max(1.0, largest(qd)));
    }
    return q;
  };
  require_order_five(run, model, 16);
}

// Stiff machines.

BOOST_AUTO_TEST_CASE(a_top_on_a_stiff_leg_is_stepped_on_the_group_with_the_order_five)
{
  Mechanism top;
  top.name = top.source = "top";
  top.links = {{"ground"}, {"top", 1.7, {0.2, -0.1, 0.3}, {0, 0, 0, 1}, {0.3, 0.02, -0.03, 0.4, 0.01, 0.5}}};
  top.joints = {{"flight", JointType::floating, "ground", "top"}};
  const Model<double> model(top);
  const std::vector<ForceElement> leg{SpringDamper{"leg", {}, {"top", {0.1, 0.2, -0.4}}, 4e4, 8e3, 0.5}};
  ForceElements<double> forces(model, leg);
  ForwardDynamics<double> dynamics(model);
  const VectorX<double> none = VectorX<double>::Zero(6);
  const Law<double> law = [&](const VectorX<double>& q, const VectorX<double>& qd, double t) {
    forces(q, qd, t);
    return dynamics(q, qd, forces.tau, forces.Fext);
  };
  VectorX<double> q(7), qd(6);
  q << 0.3, -0.5, 0.8, 0, 0, 0, 1;
  qd << 0.6, -0.9, 7, 0.1, 0.2, -0.1;
  // After a while the leg has nearly the length that its load gives it.
  RadauMuntheKaas<double> radau(model);
  for (int k = 0; k < 256; ++k) radau.step(q, qd, 0, 0x1p-10, law, nothing);
  const auto run = [&](int steps) {
    VectorX<double> now = q, rates = qd;
    for (int k = 0; k < steps; ++k) radau.step(now, rates, 0, 0.25 / steps, law, nothing);
    return now;
  };
  require_order_five(run, model, 16);
  // Explicit steps of the shortest of these lengths leave every place where the top can be.
  RungeKuttaMuntheKaas<double> explicit_steps(model);
  const auto explode = [&] {
    VectorX<double> now = q, rates = qd;
    for (int k = 0; k < 32; ++k) explicit_steps.step(now, rates, 0, 0x1p-9, law);
    if (!(largest(now) < 10)) throw StateError("gone");
  };
  BOOST_CHECK_THROW(explode(), StateError);
}

BOOST_AUTO_TEST_CASE(the_governor_follows_its_reduced_equations_for_ten_seconds)
{
  const auto truth = Governor::truth(2000), coarser = Governor::truth(1500);
  double of_truth = 0;
  for (std::size_t k = 0; k < truth.size(); ++k)
    for (int i = 0; i < 3; ++i)
      of_truth = std::max(of_truth, std::abs(static_cast<double>(truth[k][i] - coarser[k][i])));
  BOOST_TEST(of_truth < 1e-13);
  std::vector<double> errors;
  for (const int parts : {5, 10, 20}) {
    GovernorMotion motion;
    RadauMuntheKaas<double> radau(motion.model);
    errors.push_back(0);
    for (int k = 1; k <= 100 * parts; ++k) {
      radau.step(motion.q, motion.qd, 0, 0.1 / parts, motion.law, nothing);
      if (k % parts == 0) errors.back() = std::max(errors.back(), motion.error(truth[k / parts]));
    }
    BOOST_TEST_MESSAGE("step " << 0.1 / parts << " s: error " << errors.back());
  }
  BOOST_TEST(errors.back() < 1e-9);
  for (std::size_t k = 0; k + 1 < errors.size(); ++k)
    BOOST_TEST(std::abs(std::log2(errors[k] / errors[k + 1]) - 5) < 0.5);
  for (const double tolerance : {1e-4, 1e-6}) {
    GovernorMotion motion;
    AdaptiveMotion<double, RadauMuntheKaas<double>> adaptive(motion.model, motion.q, motion.qd, tolerance, 10);
    int steps = 0;
    while (adaptive.t < 10) {
      adaptive.step(motion.law, nothing, [](const VectorX<double>&, const VectorX<double>&, VectorX<double>&) {});
      ++steps;
    }
    motion.q = adaptive.q;
    BOOST_TEST_MESSAGE("tolerance " << tolerance << ": " << steps << " steps, error " << motion.error(truth.back()));
    BOOST_TEST(motion.error(truth.back()) < 10 * tolerance);
    BOOST_TEST(steps < 10 / 0.34e-3 / 10);  // a tenth of what explicit steps need to be stable
  }
  // The same as the classical method makes in a hundredth of a second: it leaves every place where a governor can be.
  GovernorMotion motion;
  RungeKuttaMuntheKaas<double> explicit_steps(motion.model);
  const auto ten_milliseconds = [&] {
    for (int k = 0; k < 10 && motion.q.allFinite(); ++k) explicit_steps.step(motion.q, motion.qd, 0, 1e-3, motion.law);
    if (!(largest(motion.q) < 10)) throw StateError("gone");
  };
  BOOST_CHECK_THROW(ten_milliseconds(), StateError);
}

BOOST_AUTO_TEST_SUITE_END()
