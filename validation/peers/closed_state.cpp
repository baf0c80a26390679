#include <peers/closed_state.hpp>
#include <algorithm>
#include <random>
#include <articulate/constrained/assembly.hpp>
#include <articulate/constrained/constrained_dynamics.hpp>
#include <articulate/motion/runge_kutta.hpp>

namespace articulate::validation {

ClosedState::ClosedState(const ClosedMachine& of, int seed, double speed, double force)
    : machine(of), model(machine.tree), motors(model.nv(), false)
{
  std::mt19937_64 random(seed);
  const auto drawn = [&](double size) {
    Vector x(model.nv());
    for (double& one : x) one = size * (2.0 * random() / static_cast<double>(std::mt19937_64::max()) - 1);
    return x;
  };
  for (const JointSlot& joint : model.joints()) {
    joints.push_back(joint.name);
    motors[joint.v] = std::count(machine.motors.begin(), machine.motors.end(), joint.name) > 0;
  }
  Assembly<double> assembly(model, machine.loops);
  q = assembly.close(to_vector(machine.guess) + drawn(0.02));
  qd = assembly.project(q, drawn(speed));
  tau = drawn(force);
}

ClosedState::Accelerations ClosedState::move(const Vector& at_q, const Vector& at_qd, const Vector& under_tau,
                                             bool with_rate_of_A) const
{
  Loops<double> loops(model, machine.loops);
  loops(at_q, at_qd);
  if (!with_rate_of_A) loops.Adot_qd.setZero();
  ConstrainedDynamics<double> run(model, std::vector<bool>(model.nv(), false), loops.rows());
  run(at_q, at_qd, Vector::Zero(model.nv()), under_tau, loops.A, loops.Adot_qd);
  return {run.qdd(), largest(run.tree.qdd())};
}

Motion ClosedState::follow(const std::vector<bool>& leading, const Vector& at_q, const Vector& rates,
                           const Vector& accelerations) const
{
  Assembly<double> assembly(model, machine.loops, leading);
  Vector wish = Vector::Zero(model.nv());
  for (int k = 0; k < model.nv(); ++k)
    if (leading[k]) wish(k) = rates(k);
  const Vector at_qd = assembly.project(at_q, wish);
  Loops<double> loops(model, machine.loops);
  loops(at_q, at_qd);
  ConstrainedDynamics<double> run(model, leading, loops.rows());
  run(at_q, at_qd, accelerations, Vector::Zero(model.nv()), loops.A, loops.Adot_qd);
  return {at_q, at_qd, run.qdd(), run.tau()};
}

Motion ClosedState::drive(const Vector& inputs) const
{
  Vector at_q = q, rates = Vector::Zero(model.nv()), accelerations = rates;
  int at = 0;
  for (Vector* part : {&at_q, &rates, &accelerations})
    for (int k = 0; k < model.nv(); ++k)
      if (motors[k]) (*part)(k) = inputs(at++);
  return follow(motors, Assembly<double>(model, machine.loops, motors).close(at_q), rates, accelerations);
}

Motion ClosedState::fall(double duration, int steps) const
{
  Motion x{q, qd, Vector::Zero(model.nv()), tau};
  Loops<double> loops(model, machine.loops);
  ConstrainedDynamics<double> run(model, std::vector<bool>(model.nv(), false), loops.rows());
  RungeKuttaMuntheKaas<double> method(model);
  for (int k = 0; k < steps; ++k)
    method.step(x.q, x.qd, duration * k / steps, duration / steps,
                [&](const Vector& at_q, const Vector& at_qd, double) -> const Vector& {
                  loops(at_q, at_qd);
                  run(at_q, at_qd, x.qdd, tau, loops.A, loops.Adot_qd);
                  return run.qdd();
                });
  x.qdd = run.qdd();
  return x;
}

double growth(const Vector& inputs, const std::function<Vector(const Vector&)>& answer, double size)
{
  const double moved =
      0x1p-26;  // the root of the rounding: the change is still linear, and half of its digits are seen
  const Vector unmoved = answer(inputs);
  double worst = 1;
  for (const unsigned seed : {1, 2}) {
    std::mt19937_64 signs(seed);
    Vector other = inputs;
    for (double& x : other) x += signs() % 2 ? moved * x : -moved * x;
    worst = std::max(worst, largest(answer(other) - unmoved) / size / moved);
  }
  return worst;
}

}  // namespace articulate::validation
