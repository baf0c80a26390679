/** \file
 *  \brief Section 7 of Ali, Gabellieri and Franchi flies: round trip, rotors, and a controller that knows a derivative.
 */
#include <boost/test/unit_test.hpp>
#include <array>
#include <cmath>
#include <iomanip>
#include <iostream>
#include <random>
#include <articulate/aba/forward_dynamics.hpp>
#include <articulate/motion/runge_kutta.hpp>
#include <articulate/higher_order/higher_order_dynamics.hpp>
#include <articulate/lagrange/composite_body.hpp>
#include <ledger/scalars.hpp>
#include <models/aerial_manipulator.hpp>
#include <models/models.hpp>

using namespace articulate;
using namespace articulate::validation;

namespace {

constexpr int order = 5;
constexpr int samples = 1001;  // of Table 3
using PerOrder = std::array<double, order + 1>;

std::ostream& operator<<(std::ostream& out, const PerOrder& x)
{
  out << std::scientific << std::setprecision(1);
  for (const double one : x) out << ' ' << one;
  return out << std::defaultfloat;
}

// --- the round trip --------------------------------------------------------------------------------------------------

/// How far forward dynamics misses the motion that inverse dynamics was given; norms over the twelve degrees.
struct RoundTrip {
  PerOrder at_its_time{};  ///< the worst, relative to the motion at its time
  PerOrder at_most{};      ///< the worst, relative to the largest motion of this order in the flight
};

template <typename S, typename Form>
RoundTrip round_trip(int every)
{
  const Model<double> machine(aerial_manipulator(), {true, false});
  const Model<S> model(machine);
  const Flight<S> flight;
  auto inverse = HigherOrderDynamics<S, Form>::inverse(model, order);
  auto forward = HigherOrderDynamics<S, Form>::forward(model, order);
  const MatrixX<S> unknown = MatrixX<S>::Zero(model.nv(), order + 1);
  RoundTrip trip;
  PerOrder largest{}, missed{};
  for (int i = 0; i < samples; i += every) {
    const S t = S(i) / 100;
    const VectorX<S> q = flight.coordinates(t);
    const MatrixX<S> rates = flight.rates(t, order + 1), qdd = rates.rightCols(order + 1);
    inverse(q, rates.col(0), qdd, unknown);
    forward(q, rates.col(0), unknown, inverse.tau());
    for (int k = 0; k <= order; ++k) {
      const double size = static_cast<double>(S(qdd.col(k).norm()));
      const double miss = static_cast<double>(S((forward.qdd().col(k) - qdd.col(k)).norm()));
      trip.at_its_time[k] = std::max(trip.at_its_time[k], miss / size);
      largest[k] = std::max(largest[k], size), missed[k] = std::max(missed[k], miss);
    }
  }
  for (int k = 0; k <= order; ++k) trip.at_most[k] = missed[k] / largest[k];
  return trip;
}

/// How much the motion found changes when every force is moved by a rounding unit of double, in such units.
PerOrder growth_from_forces(int every)
{
  const Model<double> machine(aerial_manipulator(), {true, false});
  const Model<Fifty> model(machine);
  const Flight<Fifty> flight;
  auto inverse = HigherOrderDynamics<Fifty>::inverse(model, order), forward = inverse.forward(model, order);
  const MatrixX<Fifty> unknown = MatrixX<Fifty>::Zero(model.nv(), order + 1);
  const double unit = std::ldexp(1.0, -53);
  std::mt19937_64 signs(1);
  PerOrder kappa;
  kappa.fill(1);
  for (int i = 0; i < samples; i += every) {
    const Fifty t = Fifty(i) / 100;
    const VectorX<Fifty> q = flight.coordinates(t);
    const MatrixX<Fifty> rates = flight.rates(t, order + 1);
    inverse(q, rates.col(0), rates.rightCols(order + 1), unknown);
    MatrixX<Fifty> moved = inverse.tau();
    for (Fifty& x : moved.reshaped()) x += Fifty(signs() % 2 ? unit : -unit) * x;
    forward(q, rates.col(0), unknown, moved);
    for (int k = 0; k <= order; ++k) {
      const Fifty change = (forward.qdd().col(k) - rates.col(k + 1)).norm() / rates.col(k + 1).norm();
      kappa[k] = std::max(kappa[k], static_cast<double>(change) / unit);
    }
  }
  return kappa;
}

template <typename S, typename Form>
void require_round_trip(const char* name, const PerOrder& kappa, int every, double first, double last)
{
  const RoundTrip trip = round_trip<S, Form>(every);
  std::cout << name << "\n  of the motion at its time     " << trip.at_its_time << "\n  of the largest in the flight  "
            << trip.at_most << '\n';
  for (int k = 0; k <= order; ++k)
    BOOST_TEST(trip.at_its_time[k] <= 100 * 12 * static_cast<double>(unit_roundoff<S>()) * kappa[k],
               name << " misses order " << k << " by " << trip.at_its_time[k] << ", kappa " << kappa[k]);
  BOOST_TEST(trip.at_most.front() <= first);
  BOOST_TEST(trip.at_most.back() <= last);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(flight)

BOOST_AUTO_TEST_CASE(forward_dynamics_gives_back_the_flight_that_inverse_dynamics_was_given)
{
  const PerOrder kappa = growth_from_forces(100);
  std::cout << "Errors of the round trip, orders 0 to 5; kappa" << kappa << '\n';
  require_round_trip<double, BodyForm<double>>("body form, double", kappa, 1, 1e-11, 1e-7);
  require_round_trip<double, SpatialForm<double>>("spatial form, double", kappa, 1, 1e-11, 1e-7);
  require_round_trip<Fifty, BodyForm<Fifty>>("body form, 50 digits", kappa, 100, 1e-30, 1e-30);
  require_round_trip<Fifty, SpatialForm<Fifty>>("spatial form, 50 digits", kappa, 100, 1e-30, 1e-30);
}

BOOST_AUTO_TEST_CASE(a_lower_order_finds_the_same_forces)
{
  const Model<double> model(aerial_manipulator(), {true, false});
  const Flight<double> flight;
  for (const double t : {0.0, 1.0, 7.3}) {
    const MatrixX<double> rates = flight.rates(t, order + 1);
    MatrixX<double> highest;
    for (int r = order; r >= 1; --r) {  // order 0 alone is inverse dynamics of chapter rnea
      auto inverse = HigherOrderDynamics<double>::inverse(model, r);
      const MatrixX<double> qdd = rates.middleCols(1, r + 1);
      inverse(flight.coordinates(t), rates.col(0), qdd, 0 * qdd);
      if (r == order) highest = inverse.tau();
      BOOST_TEST((inverse.tau() == highest.leftCols(r + 1)), "order " << r << " at t = " << t);
    }
  }
}

BOOST_AUTO_TEST_CASE(the_rotors_carry_the_flight)
{
  const Model<double> model(aerial_manipulator(), {true, false});
  const Flight<double> flight;
  const Rotors<double> rotors;
  auto inverse = HigherOrderDynamics<double>::inverse(model, 0);
  const MatrixX<double> unknown = MatrixX<double>::Zero(model.nv(), 1);
  const Matrix6<double> A = rotors.allocation();
  double slowest = 1e9, fastest = 0;
  for (int i = 0; i < samples; ++i) {
    const double t = i * Flight<double>::step;
    const MatrixX<double> rates = flight.rates(t, 1);
    inverse(flight.coordinates(t), rates.col(0), rates.col(1), unknown);
    const Vector6<double> W = inverse.tau().topRows(6), u = rotors.speeds(to_wrench(W));
    slowest = std::min(slowest, u.minCoeff()), fastest = std::max(fastest, u.maxCoeff());
    const Vector6<double> terms = A.cwiseAbs() * u.cwiseAbs2();
    BOOST_TEST(((A * u.cwiseAbs2() - W).cwiseAbs().array() <= 100 * 6 * std::ldexp(1.0, -53) * terms.array()).all(),
               "at t = " << t);
  }
  std::cout << "Rotor speeds " << slowest << " to " << fastest << " rad/s\n";
  // All six turn, and together they carry the weight: 6 c_f u^2 cos(alpha) at their mean square is 4.3 kg times g.
  const double hover = std::sqrt(4.3 * 9.81 / (6 * rotors.thrust * std::cos(rotors.alpha)));
  BOOST_TEST(slowest > 0);
  BOOST_TEST(slowest < hover);
  BOOST_TEST(fastest > hover);
}

BOOST_AUTO_TEST_CASE(wrenches_that_rotors_cannot_make_are_refused)
{
  const auto says = [](const char* words) {
    return [words](const StateError& e) { return std::string(e.what()).find(words) != std::string::npos; };
  };
  const Wrench<double> weight{{}, {0, 0, 42.0}}, down{{}, {0, 0, -1.0}}, sideways{{}, {30.0, 0, 42.0}};
  Rotors<double> rotors;
  BOOST_CHECK_NO_THROW(rotors.speeds(weight));
  BOOST_CHECK_EXCEPTION(rotors.speeds(down), StateError, says("Rotor 1 would need a squared speed of -"));
  BOOST_CHECK_EXCEPTION(rotors.speeds(sideways), StateError, says("rad^2/s^2 where it can only push forward"));
  BOOST_CHECK_EXCEPTION(rotors.speeds({{}, {0, 0, std::nan("")}}), StateError, says("squared speed of nan"));
  rotors.alpha = 0;  // upright rotors push nowhere but up
  BOOST_CHECK_EXCEPTION(rotors.speeds(weight), StateError, says("wrenches of only 4 dimensions where 6 are needed"));
}

BOOST_AUTO_TEST_SUITE_END()

// --- the closed loop -------------------------------------------------------------------------------------------------

namespace {

/// Root mean squares of what is missed.
struct Missed {
  double place = 0, attitude = 0, joints = 0;  // m, rad, rad
};

/** The manipulator under a sampled controller, with actuators that lag: \f$T\dot\tau = \tau_c - \tau\f$.
 *
 *  The command is the force of the reference plus, with feed-forward, the time that it comes late times its derivative;
 *  plus a geometric PID controller on SE(3) and on the joints, \f$-M(3\omega\dot e + 3\omega^2e + \omega^3\int e)\f$.
 */
struct ControlledFlight {
  double bandwidth;        ///< omega, rad/s
  double lag;              ///< T, s
  bool feed_forward;       ///< whether the command knows the derivative of the forces
  double period = 0.005;   ///< of the controller, s; a command holds so long, so that it is late by half of it more
  double disturbance = 0;  ///< 1: 10 % of mass and inertia that the controller does not know, and gusts
  static constexpr double pace = 2;

  Missed fly() const
  {
    Mechanism real = aerial_manipulator();
    const Model<double> known(real, {true, false});
    for (Link& link : real.links) {
      link.mass *= 1 + 0.1 * disturbance;
      for (double& entry : link.inertia) entry *= 1 + 0.1 * disturbance;
    }
    const Model<double> plant(real, {true, false});
    const Flight<double> flight(pace);
    auto inverse_dynamics = HigherOrderDynamics<double>::inverse(known, 1);
    CompositeBodies<double> inertia(known);
    ForwardDynamics<double> forward_dynamics(plant);
    RungeKuttaMuntheKaas<double> integrator(plant);
    ExternalWrenches<double> gust(plant.bodies() + 1);
    const MatrixX<double> unknown = MatrixX<double>::Zero(12, 2);
    const double late = lag + period / 2;

    VectorX<double> q = flight.coordinates(0), qd = flight.rates(0, 0), tau, integral = VectorX<double>::Zero(12);
    Missed missed;
    const int periods = static_cast<int>(std::lround(flight.horizon / pace / period));
    int counted = 0;
    for (int i = 0; i < periods; ++i) {
      const double start = i * period;
      const VectorX<double> q_r = flight.coordinates(start);
      const MatrixX<double> rates = flight.rates(start, 2);
      inverse_dynamics(q_r, rates.col(0), rates.rightCols(2), unknown);
      if (i == 0) tau = inverse_dynamics.tau().col(0);

      // The actual frame of the base seen from that of the reference, and what is missed, in the actual frame.
      const SE3<double> E = inverse(pose(q_r)) * pose(q);
      const Matrix3<double>& R = E.R.matrix;
      const Vector3<double> turn{(R(2, 1) - R(1, 2)) / 2, (R(0, 2) - R(2, 0)) / 2, (R(1, 0) - R(0, 1)) / 2};
      VectorX<double> e(12), edot(12);
      e << coordinates(Twist<double>{turn, inverse(E.R) * E.p}), q.tail(6) - q_r.tail(6);
      edot << coordinates(to_twist(qd.head(6)) - AdInv(E, to_twist(rates.col(0).head(6)))),
          qd.tail(6) - rates.col(0).tail(6);
      if (start >= 1) {  // the first second is for finding the unknown mass
        missed.attitude += e.head(3).squaredNorm(), missed.place += e.segment(3, 3).squaredNorm();
        missed.joints += e.tail(6).squaredNorm();
        ++counted;
      }

      VectorX<double> command = inverse_dynamics.tau().col(0);
      if (feed_forward) command += late * inverse_dynamics.tau().col(1);
      const SE3<double> back{inverse(E.R), {}};  // forces keep their directions in space
      command.head(6) = coordinates(coAdInv(back, to_wrench(command.head(6))));
      const double w = bandwidth;
      command -= inertia(q_r) * (3 * w * edot + 3 * w * w * e + w * w * w * integral);
      integral += period * e;

      // Within a period the command holds, and the forces go to it exponentially.
      const VectorX<double> before = tau;
      const auto at = [&](double since) -> VectorX<double> {
        return command + std::exp(-since / lag) * (before - command);
      };
      for (int half = 0; half < 2; ++half)
        integrator.step(q, qd, half * period / 2, period / 2,
                        [&](const VectorX<double>& q, const VectorX<double>& qd, double since) -> VectorX<double> {
                          const double t = start + since;
                          const Vector3<double> m{0.02, 0.03 * std::sin(2 * t), -0.02};
                          const Vector3<double> f{0.6, -0.4 + 0.5 * std::sin(3 * t), 0.3};  // N, in inertial axes
                          const SO3<double> axes = inverse(pose(q).R);
                          gust[1] = disturbance * Wrench<double>{axes * m, axes * f};
                          return forward_dynamics(q, qd, at(since), gust);
                        });
      tau = at(period);
    }
    for (double* x : {&missed.place, &missed.attitude, &missed.joints}) *x = std::sqrt(*x / counted);
    return missed;
  }

  /// Over two flights with opposite disturbances, so that nothing cancels by chance.
  Missed fly_both_ways() const
  {
    ControlledFlight opposite = *this;
    opposite.disturbance = -disturbance;
    const Missed a = fly(), b = opposite.fly();
    const auto mean = [](double x, double y) { return std::hypot(x, y) / std::sqrt(2.0); };
    return {mean(a.place, b.place), mean(a.attitude, b.attitude), mean(a.joints, b.joints)};
  }

  static SE3<double> pose(const VectorX<double>& q)
  {
    return {SO3<double>(Quaternion<double>{{q(3), q(4), q(5)}, q(6)}), {q(0), q(1), q(2)}};
  }
};

std::array<double, 3> numbers(const Missed& x) { return {x.place, x.attitude, x.joints}; }

std::ostream& operator<<(std::ostream& out, const Missed& x)
{
  return out << std::setprecision(2) << x.place * 1000 << " mm, " << x.attitude * 1000 << " mrad, " << x.joints * 1000
             << " mrad" << std::setprecision(6);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(closed_loop)

BOOST_AUTO_TEST_CASE(what_the_lag_costs_is_what_the_derivative_saves)
{
  for (const auto& [bandwidth, lag] : {std::pair(4.0, 0.025), {4.0, 0.1}, {8.0, 0.05}}) {
    const ControlledFlight without{bandwidth, lag, false}, with{bandwidth, lag, true};
    const Missed by_lag = without.fly(), rest = with.fly();
    std::cout << "bandwidth " << bandwidth << " rad/s, lag " << lag << " s, nothing unknown\n  without  " << by_lag
              << "\n  with     " << rest << '\n';

    // Without, the forces are late by T + h/2, so the error is as from (T + h/2) tau'. With, the command of a period h
    // lacks T h/2 tau'' at first: the error is smaller by h/2 times how fast tau' changes, and vanishes with h.
    const ControlledFlight finer{bandwidth, lag, true, without.period / 2};
    const Missed halved = finer.fly();
    for (int k = 0; k < 3; ++k) {
      BOOST_TEST(numbers(rest)[k] < numbers(by_lag)[k] / 100);
      BOOST_TEST(std::abs(numbers(rest)[k] / numbers(halved)[k] - 2) < 0.2);
    }

    // The errors of lag and of disturbances add, so that over both signs of the latter their squares do.
    for (const double disturbance : {0.1, 1.0}) {
      ControlledFlight blind = without, knowing = with;
      blind.disturbance = knowing.disturbance = disturbance;
      const Missed more = blind.fly_both_ways(), less = knowing.fly_both_ways();
      std::cout << "  disturbance " << disturbance << "\n    without  " << more << "\n    with     " << less << '\n';
      for (int k = 0; k < 3; ++k) {
        BOOST_TEST(numbers(less)[k] < numbers(more)[k]);
        const double together = std::hypot(numbers(less)[k], numbers(by_lag)[k]);
        BOOST_TEST(std::abs(together / numbers(more)[k] - 1) < 0.1 * disturbance + 0.01);
      }
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
