#include <reference/answers.hpp>
#include <articulate/constrained/loops.hpp>
#include <articulate/lagrange/composite_body.hpp>
#include <articulate/model/kinematics.hpp>
#include <articulate/rnea/inverse_dynamics.hpp>
#include <reference/verified.hpp>

namespace articulate::reference {
namespace {

template <typename I>
VectorX<I> six(const Vector3<I>& angular, const Vector3<I>& linear)
{
  VectorX<I> x(6);
  for (int k = 0; k < 3; ++k) x(k) = angular[k], x(3 + k) = linear[k];
  return x;
}

/// The state in intervals: as it is given, or closed.
template <typename I>
struct State {
  const Model<I> model;
  VectorX<I> q, qd;
  const VectorX<I> qdd, tau, none;
  ExternalWrenches<I> Fext;

  explicit State(const Inputs& in)
      : model(Model<double>(in.mechanism, {in.options.floating_base, true})),
        q(exactly<I>(in.q)),
        qd(exactly<I>(in.qd)),
        qdd(exactly<I>(in.qdd)),
        tau(exactly<I>(in.tau)),
        none(VectorX<I>::Zero(model.nv())),
        Fext(model.bodies() + 1)
  {
    for (std::size_t l = 0; l < in.link_wrenches.size(); ++l) {
      const auto& x = in.link_wrenches[l];
      const LinkFrame<I>& link = model.link(in.mechanism.links[l].name);
      Fext[link.body] += coAdInv(link.X, Wrench<I>{{I(x[0]), I(x[1]), I(x[2])}, {I(x[3]), I(x[4]), I(x[5])}});
    }
  }
};

/// The dependent coordinates and rates of closed loops.
template <typename I>
void close(State<I>& state, Loops<I>& loops, const Problem& problem)
{
  const std::vector<int>&given = problem.independent, others = problem.dependent();
  require_closable(problem, loops.rows(), state.model.nv());
  const auto at = [&](const VectorX<I>& y) -> Equations<I> {
    state.q(others) = y;
    loops(state.q, state.none);
    return {loops.violation, loops.A(Eigen::all, others)};
  };
  const VectorX<I> near = state.q(others), found = verified_root<I>(at, near);
  state.q(others) = found;
  loops(state.q, state.none);
  const MatrixX<I> A_given = loops.A(Eigen::all, given), A_others = loops.A(Eigen::all, others);
  const VectorX<I> rates = state.qd(given);
  state.qd(others) = VerifiedSystem<I>(A_others).solution_of(-(A_given * rates));
  loops(state.q, state.qd);
}

/// Where the links are and how they move, link by link in the order of the mechanism.
template <typename I>
void add_kinematics(Answers& answers, const State<I>& state, const VectorX<I>& qdd, const Mechanism& mechanism)
{
  const Model<I>& model = state.model;
  ForwardKinematics<I> kinematics(model);
  kinematics(state.q, state.qd);
  kinematics.set_gravity({});  // true accelerations
  for (const Body<I>& body : model.outward()) kinematics.carry_acceleration(body, qdd);

  const auto links = static_cast<Eigen::Index>(mechanism.links.size());
  MatrixX<I> rotations(links, 9), positions(links, 3), twists(links, 6), twist_rates(links, 6);
  for (Eigen::Index l = 0; l < links; ++l) {
    const LinkFrame<I>& link = model.link(mechanism.links[l].name);
    const SE3<I> X = kinematics.link_pose(link);
    const Twist<I> V = kinematics.link_twist(link), Vdot = AdInv(link.X, kinematics.Vdot[link.body]);
    for (int k = 0; k < 9; ++k) rotations(l, k) = X.R.matrix(k / 3, k % 3);
    for (int k = 0; k < 3; ++k) positions(l, k) = X.p[k];
    twists.row(l) = six(V.w, V.v).transpose();
    twist_rates.row(l) = six(Vdot.w, Vdot.v).transpose();
  }
  answers["link_rotations"] = table(rotations);
  answers["link_positions"] = table(positions);
  answers["link_twists"] = table(twists);
  answers["link_twist_rates"] = table(twist_rates);

  answers["kinetic_energy"] = table(VectorX<I>::Constant(1, kinematics.kinetic_energy()));
  answers["potential_energy"] = table(VectorX<I>::Constant(1, kinematics.potential_energy(model.gravity())));
  answers["center_of_mass"] = table((I(1) / kinematics.mass() * kinematics.mass_moment()).eigen());
  const Wrench<I> momentum = kinematics.momentum();
  answers["momentum"] = table(six(momentum.m, momentum.f));
}

/// What a tree does under forces, and needs for accelerations.
template <typename I>
void add_dynamics(Answers& answers, const State<I>& state, InverseDynamics<I>& inverse_dynamics, const MatrixX<I>& M)
{
  const auto& [model, q, qd, qdd, tau, none, Fext] = state;
  answers["inverse_dynamics"] = table(inverse_dynamics(q, qd, qdd, Fext));
  const VerifiedSystem<I> system(M);
  answers["forward_dynamics"] =
      table(system.solution([&](const VectorX<I>& x) -> VectorX<I> { return tau - inverse_dynamics(q, qd, x, Fext); }));
  MatrixX<I> M_inverse(M.rows(), M.rows());
  for (int k = 0; k < M.rows(); ++k) M_inverse.col(k) = system.solution_of(VectorX<I>::Unit(M.rows(), k));
  answers["inverse_mass_matrix"] = table(M_inverse);
}

/// What a machine with loops does under forces. Returns its accelerations.
template <typename I>
VectorX<I> add_closed_dynamics(Answers& answers, const State<I>& state, const Loops<I>& loops, const MatrixX<I>& M,
                               const VectorX<I>& bias)
{
  answers["configuration"] = table(state.q);
  answers["rates"] = table(state.qd);
  const ClosedMotion<I> motion(M, loops.A, VectorX<I>(state.tau - bias), -loops.Adot_qd);
  answers["forward_dynamics"] = table(motion.qdd);
  answers["constraint_forces"] = table(motion.constraint_forces);
  return motion.qdd;
}

}  // namespace

template <const IntervalLibrary& library>
Answers by_the_library(const Problem& problem)
{
  using I = Interval<library>;
  State<I> state(problem.in);
  Loops<I> loops(state.model, problem.loops);
  if (!problem.loops.empty()) close(state, loops, problem);

  Answers answers;
  InverseDynamics<I> inverse_dynamics(state.model);
  const MatrixX<I> M = CompositeBodies<I>(state.model)(state.q);
  const VectorX<I> bias = inverse_dynamics(state.q, state.qd, state.none, state.Fext);
  answers["mass_matrix"] = table(M);
  answers["bias"] = table(bias);
  answers["gravity_force"] = table(inverse_dynamics(state.q, state.none, state.none));
  VectorX<I> qdd = state.qdd;
  if (problem.loops.empty())
    add_dynamics(answers, state, inverse_dynamics, M);
  else
    qdd = add_closed_dynamics(answers, state, loops, M, bias);
  add_kinematics(answers, state, qdd, problem.in.mechanism);
  return answers;
}

template Answers by_the_library<mpfi>(const Problem&);
template Answers by_the_library<arb>(const Problem&);

}  // namespace articulate::reference
