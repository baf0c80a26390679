/** \file
 *  \brief Impacts against closed forms: times, heights, momentum, energy, and what leans on a stop.
 */
#include <boost/math/special_functions/ellint_1.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numbers>
#include <random>
#include <articulate/lagrange/composite_body.hpp>
#include <articulate/model/kinematics.hpp>
#include <articulate/model/urdf.hpp>
#include <articulate/motion/stopped_motion.hpp>
#include <models/models.hpp>
#include <models/unit.hpp>

using namespace articulate;

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
using Event = StopEvent<double>;

Link body(const std::string& name, double mass, const std::array<double, 3>& center = {}, double moment = 0)
{
  return {name, mass, center, {0, 0, 0, 1}, {moment, 0, 0, moment, 0, moment}};
}

Joint slide(const std::string& name, const std::string& child, const std::array<double, 3>& axis)
{
  return {name, JointType::prismatic, "ground", child, {}, {0, 0, 0, 1}, axis};
}

Mechanism mechanism(const std::string& name, std::vector<Link> links, std::vector<Joint> joints)
{
  Mechanism m;
  m.name = m.source = name;
  m.links = {{"ground"}};
  for (const Link& link : links) m.links.push_back(link);
  m.joints = joints;
  return m;
}

/// A machine among its stops, and all that happens to it.
struct Run {
  Model<double> model;
  std::vector<Loop> loops;
  std::vector<Stop> stops;
  double tolerance = 1e-9;
  std::function<VectorX<double>(double)> tau = [this](double) { return VectorX<double>::Zero(model.nv()); };
  std::vector<Event> events{};
  double lost = 0;
  VectorX<double> q{}, qd{};

  void operator()(const VectorX<double>& start, const VectorX<double>& rates, double time)
  {
    ClosedMotion<double> closed(model, loops);
    StoppedMotion<double> stopped(model, closed, stops, tolerance);
    AdaptiveMotion<double> motion(model, start, rates, tolerance, time);
    const auto free = [&](const VectorX<double>& place, const VectorX<double>& speed, double t) {
      return closed.accelerations(place, speed, tau(t));
    };
    closed.begin(start, rates, time / 100);
    stopped.begin(motion, free);
    const auto keep = [&] {
      events.insert(events.end(), stopped.events.begin(), stopped.events.end());
      lost += stopped.lost;
    };
    for (keep(); motion.t < time; keep()) {
      closed.set_step(motion.next_length());
      stopped.step(
          motion, free, [&](VectorX<double>& place, VectorX<double>& speed) { closed.settle(place, speed); },
          [&](const VectorX<double>& place, const VectorX<double>& speed, VectorX<double>& x) {
            closed.keep_along(place, speed, x);
          });
    }
    q = motion.q, qd = motion.qd;
  }
};

VectorX<double> numbers(std::initializer_list<double> x)
{
  VectorX<double> y(static_cast<Eigen::Index>(x.size()));
  std::copy(x.begin(), x.end(), y.begin());
  return y;
}

template <typename Error, typename Function>
std::string refusal(const Function& f)
{
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

const double g = 9.81;

/// When a gap of that width and that rate closes between a and b.
template <typename Width, typename Rate>
std::optional<double> closes(double a, double b, const Width& width, const Rate& rate)
{
  return closing_time(
      a, b,
      [&](double t) {
        return Gap<double>{width(t), rate(t)};
      },
      1e-15);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(impacts)

BOOST_AUTO_TEST_CASE(a_ball_bounces_to_the_square_of_its_restitution_and_comes_to_rest_when_its_bounces_add_up)
{
  const double e = 0.5, height = 1.3, fall = std::sqrt(2 * height / g), tolerance = 1e-9;
  Run ball{Model<double>(mechanism("ball", {body("ball", 1.5, {}, 1)}, {slide("z", "ball", {0, 0, 1})})),
           {},
           {JointStop{"floor", "z", 0, 0.2, infinite, e}},
           tolerance};
  ball(numbers({0.2 + height}), numbers({0}), 3);
  // A parabola is exact in every step. Times are rounded, and what is rounded of a place is one of time by the speed.
  double t = fall, speed = g * fall;
  const double sum = fall * (1 + 2 * e / (1 - e));
  std::size_t k = 0;
  for (; ball.events[k].kind == Event::impact && ball.events[k].after != 0; ++k) {
    const double rounded = rounding<double>(1) * (sum + (0.2 + height) / speed);
    BOOST_TEST(std::abs(ball.events[k].t - t) <= rounded);
    BOOST_TEST(std::abs(ball.events[k].before + speed) <= g * rounded);
    BOOST_TEST(std::abs(ball.events[k].after - e * speed) <= g * rounded);
    BOOST_TEST(std::abs(ball.events[k].impulse - 1.5 * (1 + e) * speed) <= 1.5 * g * rounded);
    speed *= e;
    t += 2 * speed / g;
    // Bounces go on as long as they rise by the tolerance.
    BOOST_TEST(speed * speed / (2 * g) > tolerance);
  }
  BOOST_TEST(k == std::floor(std::log(height / tolerance) / std::log(1 / (e * e))));
  // What is left out lasts no longer than bounces of one tolerance, all together.
  BOOST_REQUIRE(k + 2 == ball.events.size());
  BOOST_TEST((ball.events.back().kind == Event::rest));
  BOOST_TEST(std::abs(ball.events.back().t - sum) <= 2 * std::sqrt(2 * tolerance / g) / (1 - e));
  BOOST_TEST(std::abs(ball.q(0) - 0.2) <= rounding<double>(1));
  BOOST_TEST(ball.qd(0) == 0.0);
  BOOST_TEST(std::abs(ball.lost - 1.5 * g * height) <= 1.5 * g * rounding<double>(1) * (1.5 + height));
}

BOOST_AUTO_TEST_CASE(a_ball_between_elastic_walls_meets_them_as_often_as_its_speed_says)
{
  Run ball{Model<double>(mechanism("ball", {body("ball", 1.5, {}, 1)}, {slide("x", "ball", {1, 0, 0})})),
           {},
           {JointStop{"walls", "x", 0, 0, 0.1, 1}}};
  ball(numbers({0.05}), numbers({1}), 12);
  BOOST_REQUIRE(ball.events.size() == 120);
  for (std::size_t k = 0; k < 120; ++k)
    BOOST_TEST(std::abs(ball.events[k].t - (0.05 + 0.1 * static_cast<double>(k))) <=
               static_cast<double>(k + 1) * rounding<double>(1));
}

BOOST_AUTO_TEST_CASE(a_pendulum_between_its_stops_is_as_late_as_jacobi_says)
{
  // A point at the end of a rod, let go at rest; its stop is where it hangs.
  const double length = 0.8, angle = 2.1, e = 0.7, tolerance = 1e-10;
  const auto quarter = [&](double from) { return std::sqrt(length / g) * boost::math::ellint_1(std::sin(from / 2)); };
  Mechanism swing = mechanism("swing", {body("rod", 2.3, {0, 0, -length})},
                              {{"hinge", JointType::continuous, "ground", "rod", {}, {0, 0, 0, 1}, {0, 1, 0}}});
  Run run{Model<double>(swing), {}, {JointStop{"wall", "hinge", 0, 0, infinite, e}}, tolerance};
  run(numbers({angle}), numbers({0}), 3);
  BOOST_REQUIRE(run.events.size() >= 3);
  double t = quarter(angle), speed = 2 * std::sqrt(g / length) * std::sin(angle / 2);
  for (std::size_t k = 0; k < 3; ++k) {
    // An error of the place is one of the time by the speed, and of later times by how the quarters change with the
    // height; 10 tolerances are allowed, as in all tests of adaptive steps.
    const double swings = 2 * std::asin(e * speed / 2 / std::sqrt(g / length));
    const double late = std::abs(quarter(swings + 1e-6) - quarter(swings)) / 1e-6;
    BOOST_TEST(std::abs(run.events[k].t - t) <= 10 * tolerance * (1 + static_cast<double>(k) * late) / speed);
    BOOST_TEST(std::abs(run.events[k].before + speed) <= 10 * tolerance * std::max(1.0, speed));
    speed *= e;
    t += 2 * quarter(swings);
  }
  // The account of the impacts is that of the heights.
  double energy = 2.3 * g * length * (1 - std::cos(angle)), gone = 0;
  for (const Event& event : run.events)
    if (event.kind == Event::impact) gone += (1 - e * e) * energy, energy *= e * e;
  BOOST_TEST(std::abs(run.lost - gone) <= 10 * tolerance * 2.3 * length * length * 10);
}

BOOST_AUTO_TEST_CASE(blocks_of_3_and_1_kg_share_their_momentum_as_their_restitution_says)
{
  const Model<double> model(mechanism("blocks", {body("large", 3, {}, 1), body("small", 1, {}, 1)},
                                      {slide("a", "large", {1, 0, 0}), slide("b", "small", {1, 0, 0})}));
  for (const double e : {0.0, 0.5, 1.0}) {
    Run run{model, {}, {PlaneStop{"faces", {"large", {0.1, 0, 0}}, {"small", {-0.1, 0, 0}}, {-1, 0, 0}, e}}};
    run(numbers({0, 1}), numbers({8, 0}), 0.2);
    BOOST_REQUIRE(run.events.size() >= 1);
    BOOST_TEST(std::abs(run.events[0].t - 0.1) <= rounding<double>(2));
    const VectorX<double> truth = numbers({6 - 2 * e, 6 + 6 * e});  // (6, 6) glued, (4, 12) elastic
    BOOST_TEST(largest(run.qd - truth) <= 8 * rounding<double>(2));
    BOOST_TEST(std::abs(run.lost - (1 - e * e) * 24) <= 96 * rounding<double>(2));
  }
}

BOOST_AUTO_TEST_CASE(two_pendulums_collide_as_points_on_a_line)
{
  const double length = 0.6, m = 3, M = 1, e = 0.8;
  const auto arm = [&](const std::string& name, double mass) { return body(name, mass, {0, 0, -length}); };
  const auto hinge = [](const std::string& name, const std::string& child, double x) {
    return Joint{name, JointType::continuous, "ground", child, {x, 0, 0}, {0, 0, 0, 1}, {0, 1, 0}};
  };
  // The points hang 0.1 m apart, and touch when the first one hangs.
  Run run{Model<double>(mechanism("cradle", {arm("first", m), arm("second", M)},
                                  {hinge("h1", "first", 0), hinge("h2", "second", 0.1)})),
          {},
          {PlaneStop{"balls", {"first", {0.05, 0, -length}}, {"second", {-0.05, 0, -length}}, {-1, 0, 0}, e}},
          1e-11};
  run(numbers({0.9, 0}), numbers({0, 0}), 0.6);
  BOOST_REQUIRE(run.events.size() >= 1);
  const double speed = std::sqrt(2 * g * length * (1 - std::cos(0.9)));
  BOOST_TEST(std::abs(run.events[0].before + speed) <= 1e-10 * std::max(1.0, speed));
  BOOST_TEST(std::abs(run.events[0].impulse - m * M / (m + M) * (1 + e) * speed) <= 1e-10 * speed);
  // What each takes with it.
  const double first = (m - e * M) / (m + M) * speed, second = m * (1 + e) / (m + M) * speed;
  BOOST_TEST(std::abs(run.events[0].after - (second - first)) <= 1e-10 * speed);
}

BOOST_AUTO_TEST_CASE(a_rod_that_falls_flat_on_its_end_is_met_with_a_quarter_of_its_mass)
{
  // Free in the plane; the table is in the world.
  const double length = 1.4, mass = 2, v = 3, e = 0.4;
  Mechanism rod = mechanism(
      "rod", {{"rod", mass, {}, {0, 0, 0, 1}, {0, 0, 0, mass * length * length / 12, 0, mass * length * length / 12}}},
      {{"free", JointType::planar, "ground", "rod", {}, {0, 0, 0, 1}, {0, 1, 0}}});
  rod.gravity = {0, 0, 0};
  const Model<double> model(rod);
  Run run{model, {}, {PlaneStop{"table", {"rod", {length / 2, 0, 0}}, {"", {7, 3, 0}}, {0, 0, 2}, e}}};
  ForwardKinematics<double> kinematics(model);
  // Which of the two slides is along z, and which way it goes.
  kinematics(numbers({0, 0, 0}), numbers({0, 1, 0}));
  const double up = kinematics.link_twist(model.link("rod")).v[2], right = std::abs(up);
  const int z = right > 0.5 ? 1 : 0;
  VectorX<double> unit = VectorX<double>::Zero(3);
  unit(z) = 1;
  kinematics(numbers({0, 0, 0}), unit);
  const double sign = kinematics.link_twist(model.link("rod")).v[2];
  run(0.3 * sign * unit, -v * sign * unit, 0.12);
  BOOST_REQUIRE(run.events.size() == 1);
  BOOST_TEST(std::abs(run.events[0].t - 0.1) <= rounding<double>(3));
  BOOST_TEST(std::abs(run.events[0].impulse - (1 + e) * mass * v / 4) <= mass * v * rounding<double>(3));
  BOOST_TEST(std::abs(sign * run.qd(z) - (-v + (1 + e) * v / 4)) <= v * rounding<double>(3));
  BOOST_TEST(std::abs(std::abs(run.qd(2)) - (1 + e) * v * 1.5 / length) <= 3 * v * rounding<double>(3));
}

/// Two bars of unlike masses side by side with a coupler: one pendulum, if the loop is kept.
struct FourBar {
  static constexpr double length = 0.7, between = 0.9;
  double inertia = 0, moment = 0;
  Mechanism machine = mechanism("four_bar", {}, {});
  std::vector<Loop> loops;

  FourBar()
  {
    for (int k = 0; k < 2; ++k) {
      const double m = 1.1 + 0.6 * k, c = 0.3 + 0.05 * k, J = 0.04 + 0.01 * k;
      const std::string bar = k == 0 ? "left" : "right";
      machine.links.push_back(body(bar, m, {c, 0, 0}, J));
      machine.joints.push_back({bar + "_foot", JointType::continuous, "ground", bar, {between * k, 0, 0}});
      inertia += J + m * c * c, moment += m * c;
    }
    machine.links.push_back(body("coupler", 0.8, {0.4, 0, 0}, 0.05));
    machine.joints.push_back({"top", JointType::continuous, "left", "coupler", {length, 0, 0}});
    loops.push_back(cut_joint("pin", JointType::revolute, {"coupler", {between, 0, 0}}, {"right", {length, 0, 0}}));
    inertia += 0.8 * length * length, moment += 0.8 * length;
    machine.gravity = {0, -g, 0};
  }
  VectorX<double> follow(const Model<double>& model, double bars) const
  {
    VectorX<double> x(model.nv());
    for (const JointSlot& joint : model.joints()) x(joint.v) = joint.name == "top" ? -bars : bars;
    return x;
  }
};

BOOST_AUTO_TEST_CASE(a_four_bar_meets_a_stop_of_one_bar_as_the_pendulum_does_that_it_is)
{
  const FourBar four_bar;
  const double start = 1.2, end = 0.4, e = 0.6, tolerance = 1e-11;
  Run run{Model<double>(four_bar.machine),
          four_bar.loops,
          {JointStop{"block", "right_foot", 0, end, infinite, e}},
          tolerance};
  run(four_bar.follow(run.model, start), four_bar.follow(run.model, 0), 0.9);
  BOOST_REQUIRE(!run.events.empty());
  // The reduced equation: the speed by the energy, the time by a quadrature in the square root of the height.
  const double ratio = 2 * g * four_bar.moment / four_bar.inertia;
  const double speed = std::sqrt(ratio * (std::sin(start) - std::sin(end)));
  double time = 0;
  const int parts = 4000;  // angle = start - s^2 has no singular end; Simpson's rule
  const double width = std::sqrt(start - end) / parts;
  for (int k = 0; k <= parts; ++k) {
    const double s = k * width;
    const double rate = k == 0 ? 2 / std::sqrt(ratio * std::cos(start))
                               : 2 * s / std::sqrt(ratio * (std::sin(start) - std::sin(start - s * s)));
    time += rate * (k == 0 || k == parts ? 1 : k % 2 ? 4 : 2) * width / 3;
  }
  BOOST_TEST(std::abs(run.events[0].t - time) <= 10 * tolerance / speed);
  BOOST_TEST(std::abs(run.events[0].before + speed) <= 10 * tolerance * std::max(1.0, speed));
  BOOST_TEST(std::abs(run.events[0].after - e * speed) <= 10 * tolerance * std::max(1.0, speed));
  // The stop feels the whole machine, not the bar that it meets.
  BOOST_TEST(std::abs(run.events[0].impulse - (1 + e) * four_bar.inertia * speed) <= 100 * tolerance);
  BOOST_TEST(std::abs(run.lost - [&] {
               double gone = 0;
               for (const Event& event : run.events)
                 gone += four_bar.inertia / 2 * (event.before * event.before - event.after * event.after);
               return gone;
             }()) <= 100 * tolerance);
}

BOOST_AUTO_TEST_CASE(no_impact_adds_energy_pulls_or_closes_a_gap)
{
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> number(-1, 1);
  for (const char* name : {"park_2r", "forked_arm", "every_joint", "tree:3x4"}) {
    const Model<double> model(validation::built_in_model(name));
    const int n = model.nv();
    for (int trial = 0; trial < 25; ++trial) {
      VectorX<double> delta(n), qd(n);
      for (int k = 0; k < n; ++k) delta(k) = number(random), qd(k) = 3 * number(random);
      const VectorX<double> q = displaced(model, model.zero_coordinates(), delta);
      // More rows than some of these have degrees, two of them the same.
      const int rows = 1 + trial % 5;
      MatrixX<double> J(rows, n);
      VectorX<double> e(rows);
      for (int i = 0; i < rows; ++i) {
        for (int k = 0; k < n; ++k) J(i, k) = number(random);
        e(i) = trial % 3 == 0 ? 0 : std::abs(number(random));
      }
      if (rows > 3) J.row(3) = 2 * J.row(1);
      ClosedMotion<double> closed(model, {});
      const MatrixX<double> M = mass_matrix(model, q);
      Impact<double> impact;
      impact(J, e, qd, [&](const VectorX<double>& tau) { return closed.answer(q, tau); });
      const double before = qd.dot(M * qd) / 2, after = impact.qd.dot(M * impact.qd) / 2;
      // A condition of 1000 is allowed for, as in every rank.
      const double bound = rank_tolerance<double>(n);
      BOOST_TEST(after <= before * (1 + bound));
      BOOST_TEST(impact.lost >= -bound * before);
      BOOST_TEST(std::abs(before - after - impact.lost) <= bound * before);
      const VectorX<double> opens = J * impact.qd;
      const double size = largest(J.cwiseAbs() * (qd.cwiseAbs() + impact.qd.cwiseAbs()));
      for (int i = 0; i < rows; ++i) {
        BOOST_TEST(impact.Lambda(i) >= 0);
        BOOST_TEST(opens(i) >= -bound * size);
      }
      BOOST_TEST(largest(M * (impact.qd - qd) - J.transpose() * impact.Lambda) <=
                 bound * largest(M.cwiseAbs() * (qd.cwiseAbs() + impact.qd.cwiseAbs())));
    }
  }
}

BOOST_AUTO_TEST_CASE(the_hundredth_impact_at_once_is_plastic)
{
  // A block of 4 kg at 2 m/s between two elastic stops that leave it no play: 99 times it turns round, then it stands.
  const double mass = 4, speed = 2;
  const MatrixX<double> J = (MatrixX<double>(2, 1) << 1, -1).finished();
  Impact<double> impact;
  impact(J, VectorX<double>::Ones(2), VectorX<double>::Constant(1, speed),
         [&](const VectorX<double>& tau) { return VectorX<double>(tau / mass); });
  BOOST_TEST(impact.Lambda(1) == 50 * 2 * mass * speed);
  BOOST_TEST(impact.Lambda(0) == 49 * 2 * mass * speed + mass * speed);
  BOOST_TEST(impact.qd(0) == 0);
  BOOST_TEST(impact.lost == mass * speed * speed / 2);
}

BOOST_AUTO_TEST_CASE(what_is_leaned_on_is_left_when_the_push_ends_and_not_before)
{
  // A block on ice is pressed against a wall by cos t, and drawn away from a quarter turn on.
  Mechanism ice = mechanism("ice", {body("block", 2, {}, 1)}, {slide("x", "block", {1, 0, 0})});
  ice.gravity = {0, 0, 0};
  Run run{Model<double>(ice), {}, {JointStop{"wall", "x", 0, 0.4, infinite, 0.3}}, 1e-11};
  run.tau = [](double t) { return VectorX<double>::Constant(1, -std::cos(t)); };
  run(numbers({0.4}), numbers({0}), 3);
  BOOST_REQUIRE(run.events.size() == 2);
  BOOST_TEST((run.events[0].kind == Event::rest && run.events[1].kind == Event::leave));
  BOOST_TEST(run.events[0].t == 0.0);
  const double free = std::numbers::pi / 2;
  BOOST_TEST(std::abs(run.events[1].t - free) <= rounding<double>(1) * 3);
  // x'' = -cos t / 2 from there: x = 0.4 + (cos t + t - pi/2) / 2.
  BOOST_TEST(std::abs(run.q(0) - (0.4 + (std::cos(3) + 3 - free) / 2)) <= 10 * run.tolerance);
  BOOST_TEST(run.lost == 0.0);
}

BOOST_AUTO_TEST_CASE(a_stop_is_left_within_a_step_at_whose_end_it_would_be_pressed_again)
{
  // A block on ice is pressed against a wall but for a while about t = 0.6 s. At rest it makes no error, so that one step
  // goes from 0.31 s to the end.
  Mechanism ice = mechanism("ice", {body("block", 2, {}, 1)}, {slide("x", "block", {1, 0, 0})});
  ice.gravity = {0, 0, 0};
  Run run{Model<double>(ice), {}, {JointStop{"wall", "x", 0, 0, infinite, 0}}};
  run.tau = [](double t) { return numbers({2 * std::exp(-std::pow((t - 0.6) / 0.1, 2)) - 1}); };
  run(numbers({0}), numbers({0}), 1);
  BOOST_REQUIRE(run.events.size() >= 2);
  BOOST_TEST((run.events[0].kind == Event::rest && run.events[1].kind == Event::leave));
  // When it is zero, later by the slack of a pull: 100 eps of an acceleration below 1 m/s^2, which grows by 17 m/s^3.
  BOOST_TEST(std::abs(run.events[1].t - (0.6 - 0.1 * std::sqrt(std::log(2.0)))) <= 1e-12);
}

BOOST_AUTO_TEST_CASE(a_stop_that_is_met_and_left_without_end_at_one_time_is_refused_and_one_at_many_times_is_not)
{
  // A block on ice is pressed against a wall by a law that answers otherwise when it is asked twice: from some times on it
  // pulls while the block moves, and presses when the stop asks whether it holds. So the block is to leave, and stays.
  Mechanism ice = mechanism("ice", {body("block", 2, {}, 1)}, {slide("x", "block", {1, 0, 0})});
  ice.gravity = {0, 0, 0};
  const Model<double> model(ice);
  const double tolerance = 1e-9, unasked = std::numeric_limits<double>::quiet_NaN();
  /// How often it is met, if at each of these times so often.
  const auto met = [&](const std::vector<double>& times, int often) {
    int count = 0;
    ClosedMotion<double> closed(model, {});
    StoppedMotion<double> stopped(model, closed, {JointStop{"wall", "x", 0, 0, infinite, 0}}, tolerance);
    AdaptiveMotion<double> motion(model, numbers({0}), numbers({0}), tolerance, 1);
    const auto law = [&](const VectorX<double>& q, const VectorX<double>& qd, double t) {
      const auto come = std::count_if(times.begin(), times.end(), [&](double time) { return t >= time; });
      const bool pulls = std::isnan(stopped.qd_before(0)) && count < often * come;
      return closed.accelerations(q, qd, numbers({pulls ? 1.0 : -1.0}));
    };
    closed.begin(motion.q, motion.qd, 0.01);
    stopped.begin(motion, law);
    const std::string said = refusal<StateError>([&] {
      while (motion.t < 1) {
        stopped.qd_before = numbers({unasked});
        closed.set_step(motion.next_length());
        stopped.step(
            motion, law, [&](VectorX<double>& q, VectorX<double>& qd) { closed.settle(q, qd); },
            [&](const VectorX<double>& q, const VectorX<double>& qd, VectorX<double>& x) {
              closed.keep_along(q, qd, x);
            });
        count += std::isnan(stopped.qd_before(0)) ? 0 : 1;
      }
    });
    return std::pair(count, said);
  };
  const auto [passed, none] = met({0.25, 0.5, 0.75}, 60);
  BOOST_TEST(passed == 3 * 60);
  BOOST_TEST(none == "");
  const auto [seen, said] = met({0.25}, 300);
  BOOST_TEST(seen == 101);
  BOOST_TEST(said.find("the stop 'wall.lower' is met and left without end at one time") != std::string::npos, said);
}

BOOST_AUTO_TEST_CASE(a_hand_that_rests_on_its_stops_is_quiet)
{
  // All fingers fall from the middle of their ranges. A joint at rest is as good as the fastest one, not as its own rate.
  const Mechanism hand = validation::built_in_model("mimic_hand");
  const Model<double> model(hand);
  VectorX<double> middle(model.nq());
  for (const JointSlot& slot : model.joints())
    for (const Joint& joint : hand.joints)
      if (joint.name == slot.name) middle(slot.q) = std::isfinite(joint.lower) ? (joint.lower + joint.upper) / 2 : 0.3;
  for (const double e : {0.0, 0.3}) {
    Run run{model, {}, joint_stops(hand, e), 1e-7};
    run(middle, VectorX<double>::Zero(model.nv()), 1);
    // From falls of a radian and less a row bounces up to the tolerance some seven times, of its own or of another's.
    BOOST_TEST(run.events.size() <= 20u * 2 * static_cast<unsigned>(model.nv()));
    BOOST_TEST(run.events.size() >= 1u);
  }
}

BOOST_AUTO_TEST_CASE(gaps_that_touch_or_close_twice_within_a_step_are_found)
{
  const auto near = [](const std::optional<double>& t, double truth) { return t && std::abs(*t - truth) <= 0x1p-50; };
  // Twice between two looks, 0.01 apart; at a double root; not at all, by 1e-9.
  const auto bowl = [&](double depth) {
    return closes(
        0, 1, [=](double t) { return (t - 0.4) * (t - 0.4) - depth; }, [](double t) { return 2 * (t - 0.4); });
  };
  BOOST_TEST(near(bowl(0.005 * 0.005), 0.395));
  BOOST_TEST(near(bowl(0), 0.4));
  BOOST_TEST(!bowl(-1e-9));
  // Left behind at the start, as after an impact, it closes once: after the flight, or not within the step.
  const auto flight = [&](double speed) {
    return closes(
        0, 1, [=](double t) { return speed * t - 4.905 * t * t; }, [=](double t) { return speed - 9.81 * t; });
  };
  BOOST_TEST(near(flight(0.5), 0.5 / 4.905));
  BOOST_TEST(near(flight(4), 4 / 4.905));
  BOOST_TEST(!flight(6));
  BOOST_TEST(near(flight(-1), 0));
  // Of three roots the first.
  BOOST_TEST(near(closes(
                      0, 3, [](double t) { return std::cos(std::numbers::pi * t); },
                      [](double t) { return -std::numbers::pi * std::sin(std::numbers::pi * t); }),
                  0.5));
}

/// Which condition of a plastic impact of unit masses is missed, beyond rounding and a condition of 1000.
std::string missed(const MatrixX<double>& J, const VectorX<double>& qd)
{
  const MatrixX<double> G = J * J.transpose();
  const VectorX<double> b = J * qd, l = G.diagonal().cwiseSqrt();
  VectorX<double> x;
  const std::string refused =
      refusal<StateError>([&] { x = complementary<double>(G, b, rounding_of_rates<double>(J, qd)); });
  if (!refused.empty()) return refused;  // although rest is a solution
  const VectorX<double> w = J * (qd + J.transpose() * x);
  for (int i = 0; i < b.size(); ++i) {
    const double bound = rank_tolerance<double>(static_cast<int>(b.size())) * (std::abs(b(i)) + l(i) * l.dot(x));
    if (!(x(i) >= 0)) return "a row pulls";
    if (!(w(i) >= -bound)) return "a row closes";
    if (x(i) > 0 && !(w(i) <= bound)) return "a row pushes and opens";
  }
  return "";
}

BOOST_AUTO_TEST_CASE(what_complements_each_other_does_so_to_rounding)
{
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> number(-1, 1);
  const auto drawn = [&](int rows, int columns) {
    return MatrixX<double>(MatrixX<double>::NullaryExpr(rows, columns, [&] { return number(random); }));
  };
  // Up to eight stops of four degrees of freedom: rows let go while others are pushed, and some nearly depend on others.
  for (int trial = 0; trial < 4000; ++trial) {
    const MatrixX<double> J = drawn(2 + trial % 7, 4);
    BOOST_TEST(missed(J, drawn(4, 1)) == "");
  }
  // Up to four more stops than degrees, each with a unit of its own.
  for (int trial = 0; trial < 700; ++trial) {
    const int n = 6 + trial % 7, m = n + trial / 7 % 5;
    const VectorX<double> units = (14 * drawn(m, 1)).array().exp();
    BOOST_TEST(missed(units.asDiagonal() * drawn(m, n), drawn(n, 1)) == "");
  }
  // Whole numbers: rows depend on each other, and several have to let go at once.
  for (int trial = 0; trial < 2000; ++trial) {
    const int n = 2 + trial % 4;
    MatrixX<double> J = (1.5 * drawn(3 + trial / 4 % 7, n)).array().round();
    BOOST_TEST(missed(J, (2 * drawn(n, 1)).array().round().matrix()) == "");
  }
  // A row that is against all others, and asks for more: no other row helps.
  for (int trial = 0; trial < 400; ++trial) {
    const int against = 1 + trial % 4;
    MatrixX<double> J = drawn(5, 6);
    J.row(4) = -drawn(1, against).cwiseAbs() * J.topRows(against);
    const VectorX<double> b = -drawn(5, 1).cwiseAbs();
    BOOST_TEST(refusal<StateError>([&] { complementary<double>(J * J.transpose(), b, VectorX<double>::Zero(5)); }) ==
               "stops that depend on each other demand what no motion can do; give them one restitution.");
  }
  // What rounding may have left is not pushed, and what is more is.
  for (int trial = 0; trial < 100; ++trial) {
    const MatrixX<double> J = drawn(3, 4), G = J * J.transpose();
    const VectorX<double> slack = 1e-20 * drawn(3, 1).cwiseAbs();
    BOOST_TEST(complementary<double>(G, VectorX<double>(-0.9 * slack), slack).isZero(0));
    BOOST_TEST(!complementary<double>(G, VectorX<double>(-1.1 * slack), slack).isZero(0));
  }
  // Two rows have to let go at one time; the second one is at right angles to what is pushed, and stays where it is.
  for (int trial = 0; trial < 400; ++trial) {
    MatrixX<double> J(3, 4);
    J << 1, 1, 0, 0, -1, 0, 1, 0, -1, 1, 2, 1;
    VectorX<double> units = VectorX<double>::Ones(3) + 0.1 * drawn(3, 1), b(3);
    units(2) /= 8;
    b << 0, -3, -8;
    J = units.asDiagonal() * J;
    const VectorX<double> x = complementary<double>(J * J.transpose(), units.cwiseProduct(b), VectorX<double>::Zero(3));
    BOOST_TEST(x.minCoeff() >= 0);
  }
  // Two rows hold all, a third one depends on them: it is met, up to rounding, and not pushed.
  for (int trial = 0; trial < 400; ++trial) {
    MatrixX<double> J = drawn(2, 2).replicate(2, 1).topRows(3);
    const double first = 0.5 + std::abs(number(random)), second = 0.5 + std::abs(number(random));
    J.row(2) = first * J.row(0) - second * J.row(1);
    const MatrixX<double> G = J * J.transpose();
    VectorX<double> truth = VectorX<double>::Zero(3);
    truth.head(2) << std::abs(number(random)), std::abs(number(random));
    const VectorX<double> b = -G * truth;
    // The row that is broken most is pushed, then the other one of the two, if it is broken more than the third.
    const int worst = b(0) < b(1) ? 0 : 1;
    const VectorX<double> w = b - b(worst) / G(worst, worst) * G.col(worst);
    if (b(2) < b(worst) || w(1 - worst) >= std::min(0.0, w(2)) || std::abs(J.topRows(2).determinant()) < 0.1) continue;
    BOOST_TEST(complementary<double>(G, b, VectorX<double>::Zero(3))(2) == 0);
  }
  // A stop that is hit first and has nothing left to do when another one is held.
  for (int trial = 0; trial < 100; ++trial) {
    const double size = 3 + number(random), angle = number(random);
    MatrixX<double> J(2, 2);
    J << size, 0, std::cos(angle), std::sin(angle);
    const MatrixX<double> G = J * J.transpose();
    const double push = 1.5 + number(random);
    const VectorX<double> x = complementary<double>(G, VectorX<double>(-G.col(1) * push), VectorX<double>::Zero(2));
    BOOST_TEST(x(0) >= 0);
    BOOST_TEST(x(0) <= rank_tolerance<double>(2) * push);
    BOOST_TEST(std::abs(x(1) - push) <= rank_tolerance<double>(2) * push);
  }
}

BOOST_AUTO_TEST_CASE(what_rounding_may_leave_of_a_rate_is_a_part_of_the_largest)
{
  MatrixX<double> J(2, 3);
  J << 1, -2, 0.5, 0, 0, -4;
  const double part = rounding<double>(3);
  for (const VectorX<double>& qd : {numbers({0.1, -3, 2}), numbers({0.01, 0.02, -0.03})}) {
    const VectorX<double> truth = part * largest(qd) * numbers({3.5, 4});
    BOOST_TEST(largest(rounding_of_rates<double>(J, qd) - truth) <= part * largest(truth));
  }
}

BOOST_AUTO_TEST_CASE(the_first_of_several_touches_is_found_where_a_look_falls)
{
  const auto near = [](const std::optional<double>& t, double truth) { return t && std::abs(*t - truth) <= 1e-12; };
  // Narrowest at two times, at the one shut, at the other open: the integral of (t - first) (t - widest) (t - second).
  const auto two = [&](double first, double widest, double second, double shut) {
    const double s1 = first + widest + second, s2 = first * widest + first * second + widest * second,
                 s3 = first * widest * second;
    const auto rise = [=](double t) { return t * (t * (t * (t / 4 - s1 / 3) + s2 / 2) - s3); };
    return closes(
        0, 1, [=](double t) { return rise(t) - rise(shut) - 1e-6; },
        [=](double t) { return (t - first) * (t - widest) * (t - second); });
  };
  const auto first = two(0.1, 0.48, 0.8, 0.1), second = two(0.2, 0.52, 0.9, 0.9);
  BOOST_TEST((first && *first > 0.09 && *first < 0.1));
  BOOST_TEST((second && *second > 0.89 && *second < 0.9));
  // It begins where there is no gap, opens, and touches once between two looks.
  const auto bounce = [&](double touch) {  // t (t - touch)^2
    return closes(
        0, 1, [=](double t) { return t * (t - touch) * (t - touch); },
        [=](double t) { return (t - touch) * (3 * t - touch); });
  };
  BOOST_TEST(near(bounce(0.6), 0.6));
  // A start that is not zero.
  BOOST_TEST(near(closes(
                      2, 3, [](double t) { return 2 - t; }, [](double) { return -1.0; }),
                  2));
}

BOOST_AUTO_TEST_CASE(what_holds_only_between_two_looks_or_outside_is_not_seen)
{
  // From 2 to 3 in four parts, and to the number at which it begins to hold.
  const auto seen = [](const auto& holds) { return first_seen(2.0, 3.0, holds); };
  for (const double begin : {2.1, 2.6}) {
    const auto after_the_past = seen([&](double t) { return t < 1 || t >= begin; });
    BOOST_TEST((after_the_past && *after_the_past == begin));
  }
  const auto after_a_moment = seen([](double t) { return (2.3 < t && t < 2.4) || t >= 2.6; });
  BOOST_TEST((after_a_moment && *after_a_moment == 2.6));
  BOOST_TEST(!seen([](double t) { return t < 2 || t > 3; }));
}

BOOST_AUTO_TEST_CASE(the_rows_of_ranges_are_those_of_their_degrees)
{
  const Model<double> model(validation::built_in_model("every_joint"));
  const int n = model.nv();
  VectorX<double> delta(n), qd(n);
  for (int k = 0; k < n; ++k) delta(k) = 0.3 * std::sin(1 + 2.3 * k), qd(k) = std::sin(2 + k);
  const VectorX<double> q = displaced(model, model.zero_coordinates(), delta);
  for (const JointSlot& slot : model.joints())
    for (int degree = 0; slot.nq == slot.nv && degree < slot.nv; ++degree) {
      Stops<double> stops(model, {JointStop{"s", slot.name, degree, -2, 3}});
      stops(q, qd);
      const double place = q(slot.q + degree), rate = qd(slot.v + degree);
      BOOST_TEST(stops.rows() == 2);
      BOOST_TEST(stops.gap(0, qd).width == place + 2);
      BOOST_TEST(stops.gap(1, qd).width == 3 - place);
      BOOST_TEST(stops.gap(0, qd).rate == rate);
      BOOST_TEST(stops.gap(1, qd).rate == -rate);
    }
}

/// A rod that floats in the plane, its lower end above a smooth floor: z is the height of its middle.
struct Rod {
  static constexpr double half = 0.7, J = 0.6, of_z = 2.5, of_x = 3.2;
  Run run{Model<double>([] {
            Mechanism rod = mechanism(
                "rod",
                {body("sledge", of_x - of_z, {}, 0.1), body("lift", 0.5, {}, 0.1), body("rod", of_z - 0.5, {}, J)},
                {slide("x", "sledge", {1, 0, 0}),
                 slide("z", "lift", {0, 0, 1}),
                 {"turn", JointType::continuous, "lift", "rod", {}, {0, 0, 0, 1}, {0, 1, 0}}});
            rod.joints[1].parent = "sledge";
            return rod;
          }()),
          {},
          {PlaneStop{"floor", {"rod", {0, 0, -half}}, {""}, {0, 0, 1}, 0}},
          1e-11};

  /// From the floor at an angle, its lower end keeping its height.
  void operator()(double angle, double spin, double time)
  {
    run(numbers({0, half * std::cos(angle), angle}), numbers({0.4, -half * std::sin(angle) * spin, spin}), time);
  }
};

BOOST_AUTO_TEST_CASE(a_rod_slides_down_on_a_smooth_floor_with_the_energy_it_has)
{
  const double start = 0.3;
  for (const double tolerance : {1e-6, 1e-11}) {
    Rod rod;
    rod.run.tolerance = tolerance;
    rod(start, 0, 0.5);
    const double x = rod.run.q(0), z = rod.run.q(1), angle = rod.run.q(2), spin = rod.run.qd(2);
    BOOST_REQUIRE(rod.run.events.size() == 1);
    BOOST_TEST((rod.run.events[0].kind == Event::rest));
    BOOST_TEST((angle > 0.6 && angle < 1.5));
    // Nothing draws it aside; its end keeps to the floor, to rounding.
    BOOST_TEST(std::abs(x - 0.2) <= 10 * tolerance);
    BOOST_TEST(std::abs(z - Rod::half * std::cos(angle)) <= rounding<double>(3));
    BOOST_TEST(std::abs(rod.run.qd(1) + Rod::half * std::sin(angle) * spin) <= rounding<double>(3) * spin);
    const double falls = Rod::of_z * g * Rod::half * (std::cos(start) - std::cos(angle));
    const double inertia = Rod::J + Rod::of_z * std::pow(Rod::half * std::sin(angle), 2);
    BOOST_TEST(std::abs(inertia / 2 * spin * spin - falls) <= 10 * tolerance * (inertia * spin * spin + falls));
  }
}

BOOST_AUTO_TEST_CASE(a_rod_whose_end_turns_up_faster_than_it_falls_leaves_the_floor)
{
  Rod rod;
  const double start = 0.3, spin = 5, time = 0.05;
  BOOST_TEST(spin * spin * Rod::half * std::cos(start) > g);
  rod(start, spin, time);
  BOOST_TEST(rod.run.events.empty());
  const double lift = -Rod::half * std::sin(start) * spin;
  BOOST_TEST(std::abs(rod.run.q(1) - (Rod::half * std::cos(start) + lift * time - g / 2 * time * time)) <= 1e-10);
  BOOST_TEST(std::abs(rod.run.qd(2) - spin) <= 1e-10);
}

BOOST_AUTO_TEST_CASE(blocks_that_are_drawn_alike_lean_on_each_other_as_long_as_anything_presses)
{
  // What presses fades until the rest is rounding, which neither is a pull nor lets go.
  Mechanism ice = mechanism("ice", {body("large", 3, {}, 1), body("small", 1, {}, 1)},
                            {slide("a", "large", {1, 0, 0}), slide("b", "small", {1, 0, 0})});
  ice.gravity = {0, 0, 0};
  Run run{Model<double>(ice), {}, {PlaneStop{"faces", {"large"}, {"small"}, {-1, 0, 0}, 0}}, 1e-9};
  run.tau = [](double t) {
    const double drawn = 0.1 + std::sin(40 * t), press = std::exp(-60 * t);
    return numbers({3 * drawn + press, drawn});
  };
  run(numbers({0, 0}), numbers({0, 0}), 1);
  BOOST_REQUIRE(run.events.size() == 1);
  BOOST_TEST((run.events[0].kind == Event::rest));
  BOOST_TEST(std::abs(run.q(0) - run.q(1)) <= rounding<double>(2));
  BOOST_TEST(std::abs(run.qd(0) - run.qd(1)) <= rounding<double>(2));
}

BOOST_AUTO_TEST_CASE(limits_of_a_description_are_stops_when_they_are_asked_for)
{
  const std::string text = R"(<robot name="r"><link name="a"/><link name="b"/><link name="c"/><link name="d"/>
    <joint name="j" type="revolute"><parent link="a"/><child link="b"/><limit lower="-0.5" upper="1.5" effort="1"/></joint>
    <joint name="k" type="prismatic"><parent link="b"/><child link="c"/><limit upper="0.2"/></joint>
    <joint name="l" type="revolute"><parent link="c"/><child link="d"/><limit effort="3" velocity="1"/></joint></robot>)";
  const Mechanism robot = parse_urdf(text, "r.urdf");
  const std::vector<Stop> stops = joint_stops(robot, 0.25);
  BOOST_REQUIRE(stops.size() == 2);
  const auto& j = std::get<JointStop>(stops[0]);
  const auto& k = std::get<JointStop>(stops[1]);
  BOOST_TEST((j.joint == "j" && j.lower == -0.5 && j.upper == 1.5 && j.restitution == 0.25));
  BOOST_TEST((k.joint == "k" && k.lower == 0 && k.upper == 0.2));
  std::string exchanged = text;
  exchanged.replace(exchanged.find("-0.5"), 4, "2.50");
  BOOST_TEST(refusal<ModelError>([&] { Model<double>(parse_urdf(exchanged, "r.urdf")); }) ==
             "r.urdf: joint 'j' has a lower limit that is not below its upper one; exchange them, or leave them out.");
}

BOOST_AUTO_TEST_CASE(stops_that_cannot_be_meant_are_refused)
{
  const Model<double> model(validation::built_in_model("every_joint"));
  const auto said = [&](const Stop& stop) { return refusal<ModelError>([&] { Stops<double>(model, {stop}); }); };
  std::string ball, hinge, link;
  for (const JointSlot& joint : model.joints()) {
    if (joint.type == JointType::ball) ball = joint.name;
    if (joint.type == JointType::revolute) hinge = joint.name;
  }
  link = model.links().back().name;
  const std::string stop = "every_joint: the stop 's' ";
  BOOST_TEST(said(JointStop{"s", "nobody", 0, 0, 1}) ==
             stop + "names the joint 'nobody', which does not move in the model.");
  BOOST_TEST(said(JointStop{"s", hinge, 1, 0, 1}) ==
             stop + "names degree 1 of the joint '" + hinge + "', which has 1, counted from 0.");
  BOOST_TEST(said(JointStop{"s", ball, 0, 0, 1}) ==
             stop + "ends the range of the joint '" + ball + "', whose orientation is a quaternion and has none.");
  BOOST_TEST(said(JointStop{"s", hinge, 0, 1, 1}) == stop + "has a lower end that is not below its upper one.");
  BOOST_TEST(said(JointStop{"s", hinge}) ==
             stop + "has neither a lower nor an upper end, so that it stops nothing; give one.");
  for (const double e : {-0.1, 1.1, std::nan("")})
    BOOST_TEST(said(JointStop{"s", hinge, 0, 0, 1, e}) ==
               stop + "has a restitution that is not from 0, plastic, to 1, elastic.");
  BOOST_TEST(said(PlaneStop{"s", {"nobody"}, {""}}) == stop + "names the link 'nobody', which does not exist.");
  BOOST_TEST(said(PlaneStop{"s", {link}, {link}}) ==
             stop + "has its point and its plane on one rigid body; it needs two that move against each other.");
  BOOST_TEST(said(PlaneStop{"s", {link}, {""}, {0, 0, 0}}) ==
             stop + "has the normal 0 0 0; a plane needs a direction of non-zero length.");
  BOOST_TEST(said(PlaneStop{"s", {link, {infinite, 0, 0}}, {""}}) ==
             stop + "has a position that is not a finite number.");
  const Mechanism lift = mechanism("lift", {body("cage", 1, {}, 1)}, {slide("z", "cage", {0, 0, 1})});
  Run beyond{Model<double>(lift), {}, {JointStop{"floor", "z", 0, 0, infinite}}};
  BOOST_TEST(refusal<StateError>([&] { beyond(numbers({-0.25}), numbers({0}), 1); }) ==
             "the motion begins beyond the stop 'floor.lower', by 0.25 (m or rad); begin within its range.");
  Impact<double> impact;
  BOOST_TEST(refusal<StateError>([&] {
               impact(MatrixX<double>::Ones(1, 1), numbers({2}), numbers({-1}),
                      [](const VectorX<double>& tau) { return tau; });
             }) == "a restitution is from 0, plastic, to 1, elastic.");
}

BOOST_AUTO_TEST_SUITE_END()
