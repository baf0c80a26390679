/** \file
 *  \brief Why skewness matters: the adaptive controller of Slotine and Li, with one Coriolis matrix and with another.
 *
 *  The robot follows a wave with masses that it does not know. With \f$s = \dot q - \dot q_r\f$, forces
 *  \f$\tau = Y\hat\pi - Ks\f$ and \f$\dot{\hat\pi} = -\Gamma Y^{\mathsf T}s\f$, the function
 *  \f$V = \tfrac12 s^{\mathsf T}Ms + \tfrac12\tilde\pi^{\mathsf T}\Gamma^{-1}\tilde\pi\f$ changes at
 *  \f$-s^{\mathsf T}Ks + \tfrac12 s^{\mathsf T}(\dot M - 2C)s\f$, where C is that of Y.
 */
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <vector>
#include <articulate/aba/forward_dynamics.hpp>
#include <articulate/lagrange/composite_body.hpp>
#include <articulate/lagrange/regressor.hpp>
#include <articulate/model/urdf.hpp>
#include <articulate/skew_symmetry/coriolis_matrix.hpp>
#include <models/models.hpp>

using namespace articulate;
using namespace articulate::validation;

namespace {

struct Gains {
  double damping;     ///< K over the diagonal of M (1/s)
  double stiffness;   ///< Lambda (1/s)
  double adaptation;  ///< Gamma over the squares of what parameters measure (1/J)
  double frequency;   ///< of the wave to follow (rad/s)
};

/// A robot of one-degree joints under the controller. Its state is (q, qd, the estimate, what damping has taken).
class Adaptive {
public:
  Adaptive(const Model<double>& model, CoriolisFamily family, const Gains& gains)
      : model_(&model),
        n_(model.nv()),
        gains_(gains),
        regressor_(model, family),
        coriolis_(model, family),
        dynamics_(model),
        bodies_(model),
        parameters_(inertial_parameters(model)),
        damping_(gains.damping * bodies_(model.zero_coordinates()).diagonal()),
        adaptation_(parameters_.size())
  {
    // Ten numbers of a body are m, m l, m l^2 in size; l is as an arm is long.
    const double l = 0.3;
    for (int p = 0; p < adaptation_.size(); ++p) {
      const double measure = parameters_(p - p % 10) * (p % 10 == 0 ? 1 : p % 10 < 4 ? l : l * l);
      adaptation_(p) = gains.adaptation * measure * measure;
    }
  }

  /// At rest, away from the wave, with half of every parameter.
  VectorX<double> start() const
  {
    VectorX<double> y = VectorX<double>::Zero(2 * n_ + parameters_.size() + 1);
    for (int k = 0; k < n_; ++k) y(k) = 0.3 * std::sin(1 + 2.0 * k);
    y.segment(2 * n_, parameters_.size()) = parameters_ / 2;
    return y;
  }

  VectorX<double> rate(double t, const VectorX<double>& y)
  {
    look(t, y);
    VectorX<double> rate(y.size());
    rate.head(n_) = y.segment(n_, n_);
    rate.segment(n_, n_) = qdd_;
    rate.segment(2 * n_, parameters_.size()) = estimate_rate_;
    rate(y.size() - 1) = taken();
    return rate;
  }

  /// V at a state.
  double lyapunov(double t, const VectorX<double>& y)
  {
    look(t, y);
    return (s_.dot(bodies_(q_) * s_) + error_.dot(error_.cwiseQuotient(adaptation_))) / 2;
  }

  /// The rate of V by its definition, with the rate of M by a complex step, and what the two terms of the proof say.
  struct Rates {
    double by_definition, damping, skewness, size;
  };
  Rates lyapunov_rate(double t, const VectorX<double>& y)
  {
    using Complex = std::complex<double>;
    look(t, y);
    const double h = 1e-100;
    const Model<Complex> complex(*model_);
    CompositeBodies<Complex> along(complex);
    const VectorX<Complex> further = q_.cast<Complex>() + Complex(0, h) * qd_.cast<Complex>();
    const MatrixX<double> M = bodies_(q_), Mdot = along(further).imag() / h;
    const double inertial = s_.dot(M * (qdd_ - qdd_r_)), turning = s_.dot(Mdot * s_) / 2;
    const double learning = error_.dot(estimate_rate_.cwiseQuotient(adaptation_));
    return {inertial + turning + learning, -taken(), turning - s_.dot(coriolis_(q_, qd_) * s_),
            std::abs(inertial) + std::abs(turning) + std::abs(learning)};
  }

  /// The largest distance from the wave (rad, m).
  double missed(double t, const VectorX<double>& y)
  {
    look(t, y);
    return distance_.cwiseAbs().maxCoeff();
  }

private:
  double taken() const { return s_.dot(damping_.cwiseProduct(s_)); }

  /// Everything at a state.
  void look(double t, const VectorX<double>& y)
  {
    q_ = y.head(n_), qd_ = y.segment(n_, n_);
    const VectorX<double> estimate = y.segment(2 * n_, parameters_.size());
    error_ = estimate - parameters_;
    VectorX<double> wave(n_), wave_rate(n_), wave_acceleration(n_);
    const double w = gains_.frequency;
    for (int k = 0; k < n_; ++k) {
      const double size = model_->rate_is_angular(k) ? 0.5 : 0.05, phase = w * t + 1.3 * k;
      wave(k) = size * std::sin(phase);
      wave_rate(k) = size * w * std::cos(phase);
      wave_acceleration(k) = -size * w * w * std::sin(phase);
    }
    distance_ = q_ - wave;
    const VectorX<double> qd_r = wave_rate - gains_.stiffness * distance_;
    qdd_r_ = wave_acceleration - gains_.stiffness * (qd_ - wave_rate);
    s_ = qd_ - qd_r;
    const MatrixX<double>& Y = regressor_(q_, qd_, qd_r, qdd_r_);
    estimate_rate_ = -adaptation_.cwiseProduct(Y.transpose() * s_);
    qdd_ = dynamics_(q_, qd_, Y * estimate - damping_.cwiseProduct(s_));
  }

  const Model<double>* model_;
  int n_;
  Gains gains_;
  Regressor<double> regressor_;
  CoriolisMatrix<double> coriolis_;
  ForwardDynamics<double> dynamics_;
  CompositeBodies<double> bodies_;
  VectorX<double> parameters_, damping_, adaptation_, q_, qd_, error_, distance_, qdd_r_, s_, estimate_rate_, qdd_;
};

struct Run {
  double first = 0;         ///< V at the start
  double highest_rise = 0;  ///< of V above any earlier value
  double drift = 0;         ///< how far V and what damping took were off their sum at the start
  double worst_rate = 0;    ///< by which the rate of V misses the proof's two terms, relative
  double skewness = 0;      ///< the largest share that skewness, or the lack of it, has in the rate of V
  double missed_first = 0, missed_last = 0;
};

/// Steps of Runge and Kutta, of fourth order.
Run follow(Adaptive& robot, double duration, int steps)
{
  const double h = duration / steps;
  VectorX<double> y = robot.start();
  Run run;
  run.first = robot.lyapunov(0, y), run.missed_first = robot.missed(0, y);
  double lowest = run.first;
  for (int step = 0; step < steps; ++step) {
    const double t = step * h;
    const VectorX<double> a = robot.rate(t, y), b = robot.rate(t + h / 2, y + h / 2 * a);
    const VectorX<double> c = robot.rate(t + h / 2, y + h / 2 * b), d = robot.rate(t + h, y + h * c);
    y += h / 6 * (a + 2 * b + 2 * c + d);
    const double V = robot.lyapunov(t + h, y);
    run.highest_rise = std::max(run.highest_rise, V - lowest);
    lowest = std::min(lowest, V);
    run.drift = std::max(run.drift, std::abs(V + y(y.size() - 1) - run.first));
    if (step % (steps / 20) == 0) {
      const auto rate = robot.lyapunov_rate(t + h, y);
      run.worst_rate =
          std::max(run.worst_rate, std::abs(rate.by_definition - rate.damping - rate.skewness) / rate.size);
      run.skewness = std::max(run.skewness, std::abs(rate.skewness) / rate.size);
    }
  }
  run.missed_last = robot.missed(duration, y);
  return run;
}

/// The robots: one with published masses, and one of the shared descriptions, if there is one.
std::vector<Mechanism> robots()
{
  std::vector<Mechanism> list{built_in_model("puma560")};
  const char* folder = std::getenv("ARTICULATE_ROBOTS");
  const std::filesystem::path file = std::filesystem::path(folder ? folder : "") / "panda.urdf";
  if (folder && std::filesystem::exists(file))
    list.push_back(read_urdf(file.string()));
  else
    std::cout << "SKIPPED half a test (adaptive_control): there is no panda.urdf in ARTICULATE_ROBOTS\n";
  return list;
}

constexpr double seconds = 2;
constexpr int steps = 1000;
constexpr Gains calm{20, 5, 0.5, 3};      // much damping, a slow wave
constexpr Gains hasty{0.1, 2, 0.05, 10};  // hardly any damping, a fast one

}  // namespace

BOOST_AUTO_TEST_SUITE(adaptive_control)

BOOST_AUTO_TEST_CASE(with_skewness_the_function_falls_by_what_damping_takes)
{
  for (const Mechanism& mechanism : robots()) {
    const Model<double> model(mechanism, {.accept_unphysical = true});
    for (const CoriolisFamily family :
         {CoriolisFamily::ploen, CoriolisFamily::bracket, CoriolisFamily::momentum, CoriolisFamily::christoffel}) {
      Adaptive robot(model, family, hasty);
      const Run coarse = follow(robot, seconds, steps), fine = follow(robot, seconds, 2 * steps);
      BOOST_TEST(fine.worst_rate < 1e-11);
      BOOST_TEST(fine.skewness < 1e-11);
      // What is off is the integrator's, and goes with the fourth power of its step, about.
      BOOST_TEST(coarse.drift < 1e-3 * coarse.first);
      BOOST_TEST(fine.drift < coarse.drift / 8);
      BOOST_TEST(coarse.highest_rise <= coarse.drift);
      BOOST_TEST(fine.highest_rise <= fine.drift);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_robot_of_unknown_masses_comes_to_its_wave)
{
  for (const Mechanism& mechanism : robots()) {
    const Model<double> model(mechanism, {.accept_unphysical = true});
    Adaptive robot(model, CoriolisFamily::christoffel, calm);
    const Run run = follow(robot, seconds, steps);
    BOOST_TEST(run.missed_last < run.missed_first / 3);
    BOOST_TEST(run.highest_rise <= run.drift);
  }
}

BOOST_AUTO_TEST_CASE(without_skewness_the_function_rises)
{
  for (const Mechanism& mechanism : robots()) {
    const Model<double> model(mechanism, {.accept_unphysical = true});
    Adaptive robot(model, CoriolisFamily::newton_euler, hasty);
    const Run coarse = follow(robot, seconds, steps), fine = follow(robot, seconds, 2 * steps);
    BOOST_TEST(fine.worst_rate < 1e-11);  // it is the term of the proof that does it,
    BOOST_TEST(fine.skewness > 0.1);
    BOOST_TEST(fine.highest_rise > 0.05 * fine.first);
    BOOST_TEST(std::abs(fine.highest_rise - coarse.highest_rise) < 1e-2 * fine.highest_rise);  // and not the step
  }
}

BOOST_AUTO_TEST_SUITE_END()
