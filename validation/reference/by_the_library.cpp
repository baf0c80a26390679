#include <articulate/constrained/loops.hpp>
#include <articulate/lagrange/centroidal_momentum.hpp>
#include <articulate/lagrange/composite_body.hpp>
#include <articulate/model/space_motion.hpp>
#include <reference/library_state.hpp>

namespace articulate::reference {
namespace {

/// The dependent coordinates and rates of closed loops.
template <typename I>
void close(LibraryState<I>& state, Loops<I>& loops, const Problem& problem)
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
void add_kinematics(Answers& answers, const LibraryState<I>& state, const Mechanism& mechanism)
{
  const Model<I>& model = state.model;
  SpaceMotion<I> motion(model);
  motion(state.q, state.qd, state.qdd);

  const auto links = static_cast<Eigen::Index>(mechanism.links.size());
  MatrixX<I> rotations(links, 9), positions(links, 3), twists(links, 6), twist_rates(links, 6), accelerations(links, 6),
      spatial(links, 6), bias(links, 6);
  for (Eigen::Index l = 0; l < links; ++l) {
    const LinkFrame<I>& link = model.link(mechanism.links[static_cast<std::size_t>(l)].name);
    const SE3<I> X = motion.link_pose(link);
    for (int k = 0; k < 9; ++k) rotations(l, k) = X.R.matrix(k / 3, k % 3);
    for (int k = 0; k < 3; ++k) positions(l, k) = X.p[k];
    const auto six = [](const Twist<I>& V) -> Eigen::Matrix<I, 1, 6> { return coordinates(V).transpose(); };
    twists.row(l) = six(motion.link_twist(link));
    twist_rates.row(l) = six(motion.link_acceleration(link));
    accelerations.row(l) = six(motion.link_classical_acceleration(link, JacobianFrame::mixed));
    spatial.row(l) = six(motion.link_acceleration(link, JacobianFrame::world));
    bias.row(l) = six(motion.link_bias_acceleration(link, JacobianFrame::mixed));
  }
  answers["link_rotations"] = table(rotations);
  answers["link_positions"] = table(positions);
  answers["link_twists"] = table(twists);
  answers["link_twist_rates"] = table(twist_rates);
  answers["link_accelerations"] = table(accelerations);
  answers["link_spatial_accelerations"] = table(spatial);
  answers["link_bias_accelerations"] = table(bias);

  const auto one = [](const I& x) { return table(VectorX<I>::Constant(1, x)); };
  const I kinetic = motion.kinetic_energy(), potential = motion.potential_energy(model.gravity());
  answers["kinetic_energy"] = one(kinetic);
  answers["potential_energy"] = one(potential);
  answers["mechanical_energy"] = one(kinetic + potential);
  answers["momentum"] = table(coordinates(motion.momentum()));
}

/// How the machine moves as a whole.
template <typename I>
void add_centroidal(Answers& answers, const LibraryState<I>& state)
{
  CentroidalMomentum<I> whole(state.model);
  whole(state.q, state.qd);
  const Matrix3<I> inertia = whole.I.second_moment.matrix();
  answers["center_of_mass"] = table(whole.center.eigen());
  answers["center_of_mass_velocity"] = table(whole.velocity.eigen());
  answers["center_of_mass_acceleration"] = table(whole.acceleration(state.qdd).eigen());
  answers["center_of_mass_jacobian"] = table(whole.J());
  answers["centroidal_momentum"] = table(coordinates(whole.momentum));
  answers["centroidal_momentum_rate"] = table(coordinates(whole.momentum_rate(state.qdd)));
  answers["centroidal_momentum_matrix"] = table(whole.A);
  answers["centroidal_momentum_bias"] = table(coordinates(whole.bias));
  answers["centroidal_inertia"] = table(inertia.eigen());
}

/// How the last link moves with the joints, and gives way where somebody pushes.
template <typename I>
void add_tip(Answers& answers, const LibraryState<I>& state, const MatrixX<I>& M_inverse, const Mechanism& mechanism)
{
  ForwardKinematics<I> kinematics(state.model);
  kinematics(state.q, state.qd);
  const LinkFrame<I>& tip = state.model.link(mechanism.links.back().name);
  const MatrixX<I> J = kinematics.link_jacobian(tip, JacobianFrame::mixed), JM = J * M_inverse;
  answers["tip_jacobian"] = table(J);
  answers["tip_body_jacobian"] = table(kinematics.link_jacobian(tip));
  answers["tip_spatial_jacobian"] = table(kinematics.link_jacobian(tip, JacobianFrame::world));
  answers["tip_mobility"] = table(MatrixX<I>(JM * J.transpose()));
}

/// What a tree needs for accelerations, and does under forces. Returns how it does, and the inverse of M.
template <typename I>
std::pair<VectorX<I>, MatrixX<I>> add_dynamics(Answers& answers, const LibraryState<I>& state, const MatrixX<I>& M)
{
  InverseDynamics<I> inverse_dynamics(state.model);
  const auto forces = [&](const VectorX<I>& qdd) { return inverse_dynamics(state.q, state.qd, qdd, state.Fext); };
  answers["inverse_dynamics"] = table(forces(state.qdd));
  const VerifiedSystem<I> system(M);
  return {system.solution([&](const VectorX<I>& qdd) -> VectorX<I> { return state.tau - forces(qdd); }),
          system.inverse()};
}

/// What a machine with loops does under forces. Returns that, and what a unit of each force does.
template <typename I>
std::pair<VectorX<I>, MatrixX<I>> add_closed_dynamics(Answers& answers, const LibraryState<I>& state,
                                                      const Loops<I>& loops, const MatrixX<I>& M,
                                                      const VectorX<I>& bias)
{
  answers["configuration"] = table(state.q);
  answers["rates"] = table(state.qd);
  const ClosedSystem<I> system(M, loops.A);
  const ClosedMotion<I> motion = system.motion(state.tau - bias, -loops.Adot_qd);
  answers["constraint_forces"] = table(motion.constraint_forces);
  answers["multipliers"] = table(motion.multipliers);
  answers["loop_jacobian"] = table(loops.A);
  answers["loop_bias"] = table(loops.Adot_qd);
  const MatrixX<I> M_inverse = VerifiedSystem<I>(M).inverse(), AM = loops.A * M_inverse;
  answers["delassus_matrix"] = table(MatrixX<I>(AM * loops.A.transpose()));
  return {motion.qdd, system.mobility()};
}

}  // namespace

template <const IntervalLibrary& library>
Answers by_the_library(const Problem& problem)
{
  using I = Interval<library>;
  LibraryState<I> state(problem.in);
  const auto& [model, q, qd, qdd, tau, none, Fext] = state;
  Loops<I> loops(model, problem.loops);
  if (!problem.loops.empty()) close(state, loops, problem);

  Answers answers;
  InverseDynamics<I> inverse_dynamics(model);
  const MatrixX<I> M = CompositeBodies<I>(model)(q);
  const VectorX<I> bias = inverse_dynamics(q, qd, none, Fext);
  const VectorX<I> gravity = inverse_dynamics(q, none, none);
  inverse_dynamics.set_gravity({});
  answers["mass_matrix"] = table(M);
  answers["bias"] = table(bias);
  answers["gravity_force"] = table(gravity);
  answers["coriolis_force"] = table(inverse_dynamics(q, qd, none));
  const auto [motion, M_inverse] =
      problem.loops.empty() ? add_dynamics(answers, state, M) : add_closed_dynamics(answers, state, loops, M, bias);
  answers["forward_dynamics"] = table(motion);
  answers["inverse_mass_matrix"] = table(M_inverse);
  if (!problem.loops.empty()) state.qdd = motion;
  if (!problem.loops.empty()) add_impulse(answers, problem, state, M);
  add_kinematics(answers, state, problem.in.mechanism);
  add_centroidal(answers, state);
  add_tip(answers, state, M_inverse, problem.in.mechanism);
  add_derivatives(answers, problem, state, motion, M_inverse);
  return answers;
}

template Answers by_the_library<mpfi>(const Problem&);
template Answers by_the_library<arb>(const Problem&);

}  // namespace articulate::reference
