#include <boost/numeric/odeint.hpp>
#include <algorithm>
#include <peers/flat.hpp>

namespace articulate::validation {

std::vector<double> by_odeint(const FlatProblem& problem, double tolerance)
{
  using namespace boost::numeric::odeint;
  std::vector<double> y = problem.start;
  double t = 0, h = problem.duration / 1000;
  auto stepper = make_controlled(tolerance, tolerance, runge_kutta_dopri5<std::vector<double>>());
  while (t < problem.duration) {
    h = std::min(h, problem.duration - t);
    if (stepper.try_step(problem.rates, y, t, h) == fail || !problem.settle) continue;
    problem.settle(y);
    stepper.reset();  // the rates that it keeps are those of the state before
  }
  return y;
}

}  // namespace articulate::validation
