/** \file
 *  \brief Machines with loops in motion: singular positions, spare rows, projections, against reduced models.
 */
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <functional>
#include <articulate/lagrange/composite_body.hpp>
#include <articulate/model/kinematics.hpp>
#include <articulate/motion/closed_motion.hpp>
#include <articulate/motion/dormand_prince.hpp>
#include <articulate/motion/energy_balance.hpp>
#include <articulate/motion/runge_kutta.hpp>
#include <articulate/rnea/inverse_dynamics.hpp>
#include <models/closed_machines.hpp>
#include <models/models.hpp>
#include <models/unit.hpp>

using namespace articulate;

namespace {

constexpr double rounding_unit = 0x1p-53;

/** Bars that stay parallel, side by side in a tilted plane, joined by couplers: all move as one pendulum. When the bars
 *  lie along the ground, they and the couplers are in one line, and half of the rank is lost.
 */
struct Parallelograms {
  static constexpr int count = 2;
  static constexpr double length = 0.7, between = 0.9;
  Mechanism mechanism;
  std::vector<Loop> loops;
  double inertia = 0, moment = 0;  // of the pendulum: kg m^2, kg m

  Parallelograms()
  {
    mechanism.name = mechanism.source = "parallelograms";
    mechanism.gravity = {2.3, -7.1, -5.2};
    mechanism.links = {{"ground"}};
    for (int k = 0; k <= count; ++k) {
      const double m = 1.1 + 0.3 * k, c = 0.3 + 0.05 * k, J = 0.04 + 0.01 * k;
      const std::string bar = "bar_" + std::to_string(k);
      mechanism.links.push_back({bar, m, {c, 0, 0}, {0, 0, 0, 1}, {0.01, 0, 0, J, 0, J}});
      mechanism.joints.push_back({"foot_" + std::to_string(k), JointType::continuous, "ground", bar, foot(k), tilt()});
      inertia += J + m * c * c;
      moment += m * c;
    }
    for (int k = 0; k < count; ++k) {
      const double m = 0.8 - 0.2 * k;
      const std::string coupler = "coupler_" + std::to_string(k);
      mechanism.links.push_back({coupler, m, {0.4, 0, 0}, {0, 0, 0, 1}, {0.01, 0, 0, 0.05, 0, 0.05}});
      mechanism.joints.push_back(
          {"top_" + std::to_string(k), JointType::continuous, "bar_" + std::to_string(k), coupler, {length, 0, 0}});
      Loop::End first{coupler}, second{"bar_" + std::to_string(k + 1)};
      first.position = {between, 0, 0};
      second.position = {length, 0, 0};
      loops.push_back(cut_joint("pin_" + std::to_string(k), JointType::revolute, first, second));
      inertia += m * length * length;
      moment += m * length;
    }
  }

  static std::array<double, 4> tilt() { return validation::unit({1, -2, 3, 5}); }
  static SO3<double> plane()
  {
    const auto e = tilt();
    return SO3<double>(Quaternion<double>{{e[0], e[1], e[2]}, e[3]});
  }
  static std::array<double, 3> foot(int k)
  {
    const Vector3<double> p = plane() * Vector3<double>{between * k, 0, 0};
    return {p[0], p[1], p[2]};
  }

  /// Of the pendulum, at an angle from the line of the ground.
  template <typename S>
  S acceleration(S angle) const
  {
    const Vector3<double> g = inverse(plane()) * Vector3<double>{2.3, -7.1, -5.2};
    return S(moment / inertia) * (S(g[1]) * std::cos(angle) - S(g[0]) * std::sin(angle));
  }

  /// Coordinates or rates of the joints, from the angle of the bars or its rate.
  VectorX<double> follow(const Model<double>& model, double bars) const
  {
    VectorX<double> x(model.nv());
    for (const JointSlot& joint : model.joints()) x(joint.v) = joint.name[0] == 'f' ? bars : -bars;
    return x;
  }

  /// The pendulum by the classical method, at the end of each so many-th step.
  template <typename S>
  std::vector<S> swing(S angle, S rate, S h, long steps, long every) const
  {
    std::vector<S> found{angle};
    for (long k = 1; k <= steps; ++k) {
      const S k1 = rate, l1 = acceleration(angle), k2 = rate + h / 2 * l1, l2 = acceleration(angle + h / 2 * k1);
      const S k3 = rate + h / 2 * l2, l3 = acceleration(angle + h / 2 * k2), k4 = rate + h * l3;
      const S l4 = acceleration(angle + h * k3);
      angle += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
      rate += h / 6 * (l1 + 2 * l2 + 2 * l3 + l4);
      if (k % every == 0) found.push_back(angle);
    }
    return found;
  }
};

/// Runge-Kutta steps of a closed machine without any forces but gravity; look(q, qd) after each.
void run(ClosedMotion<double>& closed, const Model<double>& model, VectorX<double>& q, VectorX<double>& qd, double h,
         long steps, const std::function<void()>& look)
{
  RungeKuttaMuntheKaas<double> runge_kutta(model);
  const VectorX<double> none = VectorX<double>::Zero(model.nv());
  closed.begin(q, qd, h);
  for (long k = 0; k < steps; ++k) {
    runge_kutta.step(
        q, qd, 0.0, h,
        [&](const VectorX<double>& q, const VectorX<double>& qd, double) -> const VectorX<double>& {
          return closed.accelerations(q, qd, none);
        },
        [&](VectorX<double>& q, VectorX<double>& qd) { closed.settle(q, qd); });
    look();
  }
}

double energy(ForwardKinematics<double>& kinematics, const Model<double>& model, const VectorX<double>& q,
              const VectorX<double>& qd)
{
  kinematics(q, qd);
  return kinematics.kinetic_energy() + kinematics.potential_energy(model.gravity());
}

/// The part of rates that moves the bars, in the metric of the masses.
VectorX<double> along_the_bars(const Parallelograms& machine, const Model<double>& model, const VectorX<double>& q,
                               const VectorX<double>& x)
{
  const VectorX<double> bars = machine.follow(model, 1), momentum = mass_matrix(model, q) * bars;
  return momentum.dot(x) / momentum.dot(bars) * bars;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(closed_motion)

BOOST_AUTO_TEST_CASE(parallel_bars_pass_the_line_of_the_ground_as_the_pendulum_does_that_they_are)
{
  const Parallelograms machine;
  const Model<double> model(machine.mechanism);
  const double start = 1.9, rate = -6, time = 2;
  for (const double h : {4e-3, 1e-3, 2.5e-4}) {
    const long steps = std::lround(time / h);
    const auto truth = machine.swing<long double>(start, rate, static_cast<long double>(h) / 8, 8 * steps, 8);
    const auto reduced = machine.swing<double>(start, rate, h, steps, 1);
    ClosedMotion<double> closed(model, machine.loops);
    VectorX<double> q = machine.follow(model, start), qd = machine.follow(model, rate);
    double error = 0, of_reduced = 0;
    std::size_t k = 0;
    int at_line = 0;
    run(closed, model, q, qd, h, steps, [&] {
      ++k;
      const double angle = static_cast<double>(truth[k]);
      error = std::max(error, largest(q - machine.follow(model, angle)));
      of_reduced = std::max(of_reduced, std::abs(reduced[k] - angle));
      at_line += std::sin(static_cast<double>(truth[k - 1])) * std::sin(angle) <= 0;
    });
    BOOST_TEST_MESSAGE("h " << h << ": error " << error << ", of the pendulum " << of_reduced << ", lines " << at_line);
    BOOST_TEST(error <= std::max(1e-9, 10 * of_reduced));
    BOOST_TEST(at_line >= 4);
    BOOST_TEST(closed.rank() == 2 * machine.count);
    BOOST_TEST(closed.singular_positions() > 0);
  }
}

BOOST_AUTO_TEST_CASE(adaptive_steps_pass_the_line_of_the_ground_within_their_tolerance)
{
  const Parallelograms machine;
  const Model<double> model(machine.mechanism);
  const VectorX<double> none = VectorX<double>::Zero(model.nv());
  const double start = 1.9, rate = -6, time = 2;
  const auto end = [&](long double more) {
    return static_cast<double>(machine.swing<long double>(start + more, rate, time / 16000.0L, 16000, 16000).back());
  };
  const double growth = std::abs(end(1e-6L) - end(0)) / 1e-6;
  for (const double tolerance : {1e-5, 1e-8, 1e-11}) {
    ClosedMotion<double> closed(model, machine.loops);
    AdaptiveMotion<double> motion(model, machine.follow(model, start), machine.follow(model, rate), tolerance, time);
    closed.begin(motion.q, motion.qd, motion.next_length());
    while (motion.t < time) {
      closed.set_step(motion.next_length());
      motion.step(
          [&](const VectorX<double>& q, const VectorX<double>& qd, double) -> auto& {
            return closed.accelerations(q, qd, none);
          },
          [&](VectorX<double>& q, VectorX<double>& qd) { closed.settle(q, qd); },
          [&](const VectorX<double>& q, const VectorX<double>& qd, VectorX<double>& x) {
            closed.keep_along(q, qd, x);
          });
    }
    const double error = largest(motion.q - machine.follow(model, end(0)));
    BOOST_TEST_MESSAGE("tolerance " << tolerance << ", error " << error << ", growth " << growth << ", met "
                                    << closed.singular_positions());
    BOOST_TEST(error <= 10 * tolerance * std::max(1.0, growth));
  }
}

BOOST_AUTO_TEST_CASE(in_the_line_of_the_ground_the_rank_and_the_accelerations_are_those_of_the_motion)
{
  const Parallelograms machine;
  const Model<double> model(machine.mechanism);
  const VectorX<double> none = VectorX<double>::Zero(model.nv());
  const VectorX<double> q = machine.follow(model, 0), qd = machine.follow(model, 2.5);
  ClosedMotion<double> closed(model, machine.loops);
  closed.begin(q, qd, 1e-3);
  BOOST_TEST(closed.rank() == 2 * machine.count);
  const VectorX<double> truth = machine.follow(model, machine.acceleration(0.0));
  const VectorX<double> qdd = closed.accelerations(q, qd, none);
  // At the distance x = eps^(1/6) a gap of eps turns the direction of the motion by eps / x^2, and what changes that
  // direction is off by eps / x^3. Along the motion, in the metric of the masses, this counts as a square.
  const double size = 100 * model.nv() * largest(truth), bound = size * std::pow(rounding_unit, 1.0 / 2);
  const VectorX<double> momentum = mass_matrix(model, q) * qd;
  const double along = std::abs(momentum.dot(qdd - truth)) / momentum.lpNorm<1>();
  BOOST_TEST_MESSAGE("off by " << largest(qdd - truth) << ", along the motion by " << along);
  BOOST_TEST(largest(qdd - truth) <= bound);
  BOOST_TEST(along <= size * std::pow(rounding_unit, 2.0 / 3));

  // Where the rank is taken as it is found there, the motion is another one.
  Loops<double> loops(model, machine.loops);
  loops(q, qd);
  ConstrainedDynamics<double> there(model, std::vector<bool>(model.nv(), false), loops.rows());
  there(q, qd, none, none, loops.A, loops.Adot_qd);
  BOOST_TEST(there.rank() == machine.count);
  BOOST_TEST(largest(there.qdd() - truth) > 1e3 * bound);
}

BOOST_AUTO_TEST_CASE(rates_and_errors_are_projected_along_the_motion_also_in_the_line_of_the_ground)
{
  const Parallelograms machine;
  const Model<double> model(machine.mechanism);
  VectorX<double> more(model.nv());
  for (int k = 0; k < model.nv(); ++k) more(k) = 0.3 * std::sin(1 + 2.3 * k);
  for (const double angle : {0.0, 0.8}) {
    const VectorX<double> q = machine.follow(model, angle), qd = machine.follow(model, 2.5) + more;
    const VectorX<double> truth = along_the_bars(machine, model, q, qd), rest = along_the_bars(machine, model, q, more);
    // In the line half of the digits are left, see below.
    const double bound = angle == 0 ? 100 * model.nv() * std::sqrt(rounding_unit) : rank_tolerance<double>(model.nv());
    ClosedMotion<double> closed(model, machine.loops);
    closed.begin(q, truth, 1e-3);
    VectorX<double> place = q, rates = qd, projected = qd, error = more;
    closed.settle(place, rates);
    BOOST_TEST(largest(place - q) <= bound);
    BOOST_TEST(largest(rates - truth) <= bound * 3);
    // Opened by a little that moves no bar, the machine comes back, but for what is of second order.
    const VectorX<double> off = 1e-4 * (more - rest);
    place = q + off;
    closed.settle(place, rates);
    BOOST_TEST(largest(place - q) <= bound + off.squaredNorm());
    BOOST_TEST(largest(off) > 3 * (bound + off.squaredNorm()));
    closed.project(q, projected);
    BOOST_TEST(largest(projected - truth) <= bound * 3);
    closed.keep_along(q, truth, error);
    BOOST_TEST(largest(error - rest) <= bound);
    BOOST_TEST((closed.singular_positions() > 0) == (angle == 0));
  }
}

BOOST_AUTO_TEST_CASE(how_far_a_position_is_from_the_line_of_the_ground_tells_where_a_limit_is_taken)
{
  const Parallelograms machine;
  const Model<double> model(machine.mechanism);
  const VectorX<double> none = VectorX<double>::Zero(model.nv()), qd = machine.follow(model, 2.5);
  ClosedMotion<double> closed(model, machine.loops);
  closed.begin(machine.follow(model, 1.2), qd, 1e-4);
  const auto distance = [&](double angle) { return closed.distance_from_singular(machine.follow(model, angle)); };
  BOOST_TEST(std::abs(distance(std::acos(-1.0) / 2) - 1) <= 0.2);
  BOOST_TEST(distance(0) == 0);
  BOOST_TEST(std::abs(distance(2e-3) / distance(1e-3) - 2) < 0.01);
  BOOST_TEST(std::abs(ClosedMotion<double>::singular_distance() - std::pow(rounding_unit, 1.0 / 6)) <= rounding_unit);
  for (const double angle : {1e-4, 1e-3, 3e-3, 0.01, 0.03, 0.1}) {
    const bool near = distance(angle) <= ClosedMotion<double>::singular_distance();
    const long before = closed.singular_positions();
    closed.accelerations(machine.follow(model, angle), qd, none);
    BOOST_TEST((closed.singular_positions() > before) == near);
  }
  // A motion that begins anew measures anew, but for what it has learned of the rows.
  for (const double angle : {0.15, std::acos(-1.0) / 2}) {
    ClosedMotion<double> fresh(model, machine.loops);
    for (ClosedMotion<double>* one : {&closed, &fresh}) one->begin(machine.follow(model, angle), qd, 1e-4);
    const VectorX<double> beside = machine.follow(model, angle + 0.1);
    BOOST_TEST(std::abs(closed.distance_from_singular(beside) - fresh.distance_from_singular(beside)) <= 2e-3);
  }
}

BOOST_AUTO_TEST_CASE(the_rank_is_found_at_any_rate_and_with_any_step)
{
  const Parallelograms machine;
  const Model<double> model(machine.mechanism);
  const VectorX<double> none = VectorX<double>::Zero(model.nv()), q = machine.follow(model, 0);
  for (const double rate : {1e-6, 2.5, 400.0}) {
    ClosedMotion<double> closed(model, machine.loops);
    closed.begin(q, machine.follow(model, rate), 1e-3);
    BOOST_TEST(closed.rank() == 2 * machine.count);
  }
  // Steps that find their length may be far too long for a limit.
  ClosedMotion<double> closed(model, machine.loops);
  const VectorX<double> qd = machine.follow(model, 2.5);
  closed.begin(q, qd, 0.06);
  const VectorX<double> truth = machine.follow(model, machine.acceleration(0.0)),
                        qdd = closed.accelerations(q, qd, none);
  BOOST_TEST(largest(qdd - truth) <= 100 * std::pow(0.0625, 6) * largest(truth));  // it leaves out the sixth power
}

BOOST_AUTO_TEST_CASE(what_is_remembered_of_a_position_is_not_said_of_another)
{
  const validation::ClosedMachine machine = validation::five_bar_with_pin();
  const Model<double> model(machine.tree);
  const VectorX<double> none = VectorX<double>::Zero(4);
  const VectorX<double> q = Eigen::Map<const VectorX<double>>(machine.guess.data(), 4),
                        qd = VectorX<double>::LinSpaced(4, -1, 1);
  ClosedMotion<double> closed(model, machine.loops), fresh(model, machine.loops);
  closed.accelerations(q, qd, none);
  const VectorX<double> mirrored = closed.accelerations(-q, qd, none);
  BOOST_TEST(largest(mirrored - fresh.accelerations(-q, qd, none)) == 0);
}

BOOST_AUTO_TEST_CASE(a_loop_that_no_small_correction_closes_is_named_and_leaves_nothing_behind)
{
  const Parallelograms machine;
  const Model<double> model(machine.mechanism);
  ClosedMotion<double> closed(model, machine.loops), fresh(model, machine.loops);
  const VectorX<double> q = machine.follow(model, 0.9), push = VectorX<double>::LinSpaced(model.nv(), -1, 2);
  closed.begin(q, machine.follow(model, 1), 1e-3);
  fresh.begin(q, machine.follow(model, 1), 1e-3);
  for (const int joint : {1, 3}) {
    VectorX<double> open = q, rates = machine.follow(model, 1);
    open(joint) += 2;
    std::string sentence;
    try {
      closed.settle(open, rates);
    } catch (const StateError& error) {
      sentence = error.what();
    }
    Loops<double> loops(model, machine.loops);
    loops(open, rates);
    int worst = 0;
    const double gap = loops.violation.cwiseAbs().maxCoeff(&worst);
    BOOST_TEST(sentence == "loop '" + loops.name_of_row(worst) + "' was opened by " + detail::shown(gap) +
                               " (m or rad), and no small correction with the rank 4 closes it again; take a shorter "
                               "step.");
    BOOST_TEST(worst > 0);
    BOOST_TEST(largest(closed.answer(q, push) - fresh.answer(q, push)) <= rounding<double>(model.nv()));
  }
}

BOOST_AUTO_TEST_CASE(at_rest_in_the_line_of_the_ground_many_motions_begin)
{
  const Parallelograms machine;
  const Model<double> model(machine.mechanism);
  ClosedMotion<double> closed(model, machine.loops);
  std::string sentence;
  try {
    closed.begin(machine.follow(model, 0), machine.follow(model, 0), 1e-3);
  } catch (const StateError& error) {
    sentence = error.what();
  }
  BOOST_TEST(sentence ==
             "this position is singular: the loops have the rank 4 beside it and a lower one here, and at these rates "
             "the motion does not leave it; begin where the machine moves.");
}

BOOST_AUTO_TEST_CASE(glued_blocks_share_their_momentum)
{
  Mechanism blocks;
  blocks.name = blocks.source = "blocks";
  blocks.links = {
      {"ice"}, {"large", 3, {}, {0, 0, 0, 1}, {1, 0, 0, 1, 0, 1}}, {"small", 1, {}, {0, 0, 0, 1}, {1, 0, 0, 1, 0, 1}}};
  blocks.joints = {{"a", JointType::prismatic, "ice", "large", {}, {0, 0, 0, 1}, {1, 0, 0}},
                   {"b", JointType::prismatic, "ice", "small", {}, {0, 0, 0, 1}, {1, 0, 0}}};
  const Model<double> model(blocks);
  ClosedMotion<double> closed(model, {cut_joint("glue", JointType::fixed, {"large"}, {"small"})});
  VectorX<double> q(2), qd(2);
  q << 0.4, 0;
  qd << 8, 0;
  closed.settle(q, qd);
  BOOST_TEST(largest(qd - VectorX<double>::Constant(2, 6)) <= rounding<double>(2) * 8);
  BOOST_TEST(largest(q - VectorX<double>::Constant(2, 0.3)) <= rounding<double>(2));
}

BOOST_AUTO_TEST_CASE(what_a_projection_takes_from_the_rates_is_an_impulse_of_the_loops)
{
  for (const validation::ClosedMachine& machine : validation::closed_machines()) {
    const Model<double> model(machine.tree);
    VectorX<double> q = Assembly<double>(model, machine.loops)
                            .close(Eigen::Map<const VectorX<double>>(machine.guess.data(), model.nq()));
    VectorX<double> wish(model.nv());
    for (int k = 0; k < model.nv(); ++k) wish(k) = std::sin(1 + 2.3 * k);
    VectorX<double> qd = wish;
    ClosedMotion<double> closed(model, machine.loops);
    closed.project(q, qd);
    Loops<double> loops(model, machine.loops);
    loops(q, qd);
    const MatrixX<double> M = mass_matrix(model, q);
    // A condition of 1000 is allowed for, as in every rank.
    const double bound = rank_tolerance<double>(model.nv());
    BOOST_TEST(largest(loops.A * qd) <= bound);
    BOOST_TEST(std::abs(qd.dot(M * (wish - qd))) <= bound * wish.dot(M * wish), machine.name);
    BOOST_TEST(qd.dot(M * qd) < wish.dot(M * wish));
  }
}

BOOST_AUTO_TEST_CASE(a_ring_with_a_spare_row_turns_without_a_stage_that_invents_a_rank)
{
  const validation::ClosedMachine machine = validation::bricard_at_a_hinge();
  const Model<double> model(machine.tree);
  Assembly<double> assembly(model, machine.loops);
  VectorX<double> q = assembly.close(Eigen::Map<const VectorX<double>>(machine.guess.data(), model.nq()));
  VectorX<double> qd(model.nv());
  for (int k = 0; k < model.nv(); ++k) qd(k) = std::sin(1 + 2.3 * k);
  qd = assembly.project(q, qd);
  ForwardKinematics<double> kinematics(model);
  const double before = energy(kinematics, model, q, qd);
  ClosedMotion<double> closed(model, machine.loops);
  Loops<double> loops(model, machine.loops);
  double error = 0;
  run(closed, model, q, qd, 1e-3, 2000, [&] {
    error = std::max(error, std::abs(energy(kinematics, model, q, qd) - before));
    loops(q, qd);
    BOOST_REQUIRE(loops.closed());
    BOOST_REQUIRE_NO_THROW(assembly.close(q));  // what is closed can be closed
  });
  BOOST_TEST_MESSAGE("energy " << before << " J, changed by " << error);
  BOOST_TEST(closed.rank() == 4);
  BOOST_TEST(error <= 1e-6);  // with five rows it jumps by hundreds
}

BOOST_AUTO_TEST_CASE(the_account_of_energy_finds_work_that_was_done_and_work_that_was_not)
{
  // E = sin t has the power cos t; the cubic through four times is wrong by their fifth power in each step.
  for (const double h : {0.1, 0.05}) {
    EnergyBalance right, wrong;
    for (int k = 0; k * h <= 2; ++k) {
      const double t = k * h + (k % 3 == 0 ? 0.1 * h : 0);  // the times need not be even
      right.look(t, 7 + std::sin(t), std::cos(t));
      right.look(t, 7 + std::sin(t), std::cos(t));  // what is looked at twice counts once
      wrong.look(t, 7 + std::sin(t), std::cos(t) + 0.02);
      BOOST_TEST(std::abs(right.imbalance()) <= right.doubt() + 100 * rounding_unit * 8);
    }
    BOOST_TEST(std::abs(right.imbalance()) <= h * h * h * h);
    BOOST_TEST(std::abs(wrong.imbalance()) > wrong.doubt());
  }
}

BOOST_AUTO_TEST_CASE(a_power_that_jumps_is_in_the_doubt)
{
  // It acts from just after the start, or from anywhere within an interval.
  for (const double jump : {1e-9, 0.3, 7.5, 8.01, 9.99, 14.0}) {
    EnergyBalance balance;
    for (int t = 0; t <= 30; ++t) {
      const double power = t < jump ? 0 : 2;
      balance.look(t, power * (t - jump), power);
    }
    BOOST_TEST(std::abs(balance.imbalance()) <= balance.doubt() + 100 * rounding_unit * 60);
  }
}

BOOST_AUTO_TEST_CASE(the_power_of_wrenches_is_that_of_the_joint_forces_that_they_are)
{
  const Model<double> model(validation::built_in_model("every_joint"));
  const int n = model.nv();
  VectorX<double> delta(n), qd(n), tau(n);
  for (int k = 0; k < n; ++k) delta(k) = 0.3 * std::sin(1 + 2.3 * k), qd(k) = std::sin(2 + k), tau(k) = std::cos(3 * k);
  const VectorX<double> q = displaced(model, model.zero_coordinates(), delta), none = VectorX<double>::Zero(n);
  ExternalWrenches<double> Fext(model.bodies() + 1);
  for (int i = 1; i <= model.bodies(); ++i) Fext[i] = {{0.3 * i, -0.2, 0.5}, {1.1, 0.4 * i, -0.7}};
  InverseDynamics<double> rnea(model);
  const VectorX<double> alone = rnea(q, qd, none), with = rnea(q, qd, none, Fext);
  ForwardKinematics<double> motion(model);
  motion(q, qd);
  const double truth = (tau + alone - with).dot(qd);
  BOOST_TEST(std::abs(power<double>(motion, qd, tau, Fext) - truth) <= rounding<double>(n) * largest(with) * n);
  BOOST_TEST(std::abs(power<double>(motion, qd, tau) - tau.dot(qd)) <= rounding<double>(n) * n);
}

BOOST_AUTO_TEST_CASE(the_account_goes_on_after_an_impact)
{
  // The power 1 + t^2, from 7 J and from what an impact has left of them; 1/2 J come from nowhere.
  const auto work = [](double t) { return t + t * t * t / 3; };
  EnergyBalance balance;
  double before = 7, doubt = 0, start = 0;
  const double bound = 100 * rounding_unit * 400;
  for (const double taken : {2.0, 0.0}) {
    for (int k = 0; k <= 9; ++k) {
      balance.look(start + k, before + work(k) + 0.5 * (k > 0), 1 + k * k);
      BOOST_TEST(balance.settled() == (k >= 6));
      // The line through every other of four times is 1 + 2t, of which the intervals have 2/3, 2/3 and 4/3 too much or too
      // little; the parabola through every other of more is right.
      if (k == 3) doubt += 8.0 / 3;
      if (k >= 3) BOOST_TEST(std::abs(balance.doubt() - doubt) <= bound);
      if (k >= 3) BOOST_TEST(std::abs(balance.work() - (before - 7 + work(k))) <= bound);
      if (k >= 3) BOOST_TEST(std::abs(balance.imbalance() - 0.5) <= bound);
    }
    balance.jump(taken);
    BOOST_TEST(!balance.settled());
    start += 9;
    before += work(9) - taken;
  }
  BOOST_TEST(std::abs(balance.work() - (before - 7)) <= bound);
  BOOST_TEST(std::abs(balance.doubt() - doubt) <= bound);
}

BOOST_AUTO_TEST_CASE(a_gap_that_is_pulled_closes_as_what_is_critically_damped)
{
  const validation::ClosedMachine machine = validation::five_bar_with_pin();
  const Model<double> model(machine.tree);
  const VectorX<double> none = VectorX<double>::Zero(4);
  VectorX<double> q0 = Assembly<double>(model, machine.loops)
                           .close(Eigen::Map<const VectorX<double>>(machine.guess.data(), 4)),
                  qd0(4);
  q0(1) += 0.02;
  qd0 << 0.3, -0.5, 0.7, 0.2;
  Loops<double> loops(model, machine.loops);
  loops(q0, qd0);
  const VectorX<double> gap = loops.violation, opening = loops.A * qd0;
  const double p = 20, time = 0.125;
  std::vector<double> errors;
  for (const int steps : {32, 64, 128}) {
    ClosedMotion<double> closed(model, machine.loops);
    closed.set_pull(p);
    RungeKuttaMuntheKaas<double> runge_kutta(model);
    VectorX<double> q = q0, qd = qd0;
    for (int k = 0; k < steps; ++k)
      runge_kutta.step(q, qd, 0.0, time / steps, [&](const VectorX<double>& q, const VectorX<double>& qd, double) {
        return VectorX<double>(closed.accelerations(q, qd, none));
      });
    loops(q, qd);
    errors.push_back(largest(loops.violation - std::exp(-p * time) * (gap + time * (opening + p * gap))));
  }
  BOOST_TEST(largest(gap) > 1e-3);
  for (std::size_t k = 0; k + 1 < errors.size(); ++k) {
    BOOST_TEST_MESSAGE("error " << errors[k + 1] << ", log2 of the ratio " << std::log2(errors[k] / errors[k + 1]));
    BOOST_TEST(std::abs(std::log2(errors[k] / errors[k + 1]) - 4) < 0.5);
  }
}

BOOST_AUTO_TEST_SUITE_END()
