#include <reference/answers.hpp>
#include <reference/verified.hpp>
#include <witnesses/lagrange.hpp>

namespace articulate::reference {

template <const IntervalLibrary& library>
Answers by_mass_points(const Problem& problem)
{
  using I = Interval<library>;
  using Vector = IntervalVector<I>;
  const Inputs& in = problem.in;
  if (!problem.loops.empty() || in.qd.size() > 12) return {};  // its cost grows with the cube of the rates
  const witness::Lagrange<I> machine(in.mechanism, in.options.floating_base);
  const Vector q = exactly<I>(in.q), qd = exactly<I>(in.qd), qdd = exactly<I>(in.qdd);
  const auto& g = in.mechanism.gravity;
  const Eigen::Matrix<I, 3, 1> gravity{I(g[0]), I(g[1]), I(g[2])};
  std::vector<Eigen::Matrix<I, 6, 1>> wrenches;
  for (const auto& x : in.link_wrenches) wrenches.push_back(Eigen::Matrix<double, 6, 1>(x.data()).template cast<I>());

  Answers answers;
  answers["inverse_dynamics"] = table(machine.inverse_dynamics(q, qd, qdd, gravity, wrenches));
  answers["bias"] = table(machine.bias(q, qd, gravity, wrenches));
  answers["gravity_force"] = table(machine.bias(q, Vector::Zero(qd.size()), gravity));
  answers["mass_matrix"] = table(machine.mass_matrix(q));
  return answers;
}

template Answers by_mass_points<mpfi>(const Problem&);
template Answers by_mass_points<arb>(const Problem&);

}  // namespace articulate::reference
