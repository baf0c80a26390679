#include <optional>
#include <reference/mechanics_cuts.hpp>

namespace articulate::reference {
namespace {

template <typename I>
using State = MechanicsState<I>;
template <typename I>
using Vector3 = MechanicsVector3<I>;
template <typename I>
using Vector6 = MechanicsVector6<I>;

/// The dependent coordinates and rates of closed loops, and the constraints there.
template <typename I>
MechanicsConstraints<I> close(State<I>& state, const Problem& problem)
{
  using Vector = IntervalVector<I>;
  using Matrix = IntervalMatrix<I>;
  const std::vector<MechanicsCut<I>> cuts = cuts_of<I>(problem);
  const std::vector<int>&given = problem.independent, others = problem.dependent();
  int rows = 0;
  for (const MechanicsCut<I>& cut : cuts) rows += static_cast<int>(cut.rows());
  require_closable(problem, rows, static_cast<int>(state.none.size()));

  const auto at = [&](const Vector& y) -> Equations<I> {
    state.q(others) = y;
    const MechanicsConstraints<I> here(state, cuts, state.none);
    return {here.ways, here.A(Eigen::all, others)};
  };
  const Vector near = state.q(others), found = verified_root<I>(at, near);
  state.q(others) = found;
  const Matrix A = MechanicsConstraints<I>(state, cuts, state.none).A, A_given = A(Eigen::all, given);
  const Matrix A_others = A(Eigen::all, others);
  const Vector rates = state.qd(given);
  state.qd(others) = VerifiedSystem<I>(A_others).solution_of(-(A_given * rates));
  return {state, cuts, state.qd};
}

/// Where the links are and how they move, link by link in the order of the mechanism.
template <typename I>
void add_kinematics(Answers& answers, State<I>& state)
{
  auto& machine = state.machine;
  const auto links = static_cast<Eigen::Index>(machine.links.size());
  IntervalMatrix<I> rotations(links, 9), positions(links, 3), twists(links, 6), twist_rates(links, 6),
      accelerations(links, 6), spatial(links, 6), bias(links, 6);
  const auto for_each_link = [&](const auto& f) {
    for (Eigen::Index l = 0; l < links; ++l) f(l, machine.links[static_cast<std::size_t>(l)]);
  };
  state.forces(state.qd, state.none);
  for_each_link([&](Eigen::Index l, const auto& link) {
    bias.row(l) = mechanics_six<I>(link.angular_acceleration, link.acceleration).transpose();
  });
  state.forces(state.qd, state.qdd);
  for_each_link([&](Eigen::Index l, const auto& link) {
    for (int k = 0; k < 9; ++k) rotations(l, k) = link.rotation(k / 3, k % 3);
    positions.row(l) = link.position.transpose();
    // Along the link's axes; these turn, which takes w x v from the rate of v.
    const Vector3<I>&w = link.angular_velocity, &v = link.velocity, &alpha = link.angular_acceleration;
    const IntervalMatrix<I> to_link = link.rotation.transpose();
    twists.row(l) = mechanics_six<I>(to_link * w, to_link * v).transpose();
    twist_rates.row(l) = mechanics_six<I>(to_link * alpha, to_link * (link.acceleration - cross(w, v))).transpose();
    accelerations.row(l) = mechanics_six<I>(alpha, link.acceleration).transpose();
    // Of the velocity v - w x p that the link's point at the world's origin has.
    const Vector3<I> at_origin = link.acceleration - cross(alpha, link.position) - cross(w, v);
    spatial.row(l) = mechanics_six<I>(alpha, at_origin).transpose();
  });
  answers["link_rotations"] = table(rotations);
  answers["link_positions"] = table(positions);
  answers["link_twists"] = table(twists);
  answers["link_twist_rates"] = table(twist_rates);
  answers["link_accelerations"] = table(accelerations);
  answers["link_spatial_accelerations"] = table(spatial);
  answers["link_bias_accelerations"] = table(bias);

  const auto one = [](const I& x) { return table(IntervalVector<I>::Constant(1, x)); };
  const I kinetic = machine.kinetic_energy(), potential = machine.potential_energy(state.gravity);
  answers["kinetic_energy"] = one(kinetic);
  answers["potential_energy"] = one(potential);
  answers["mechanical_energy"] = one(kinetic + potential);
  answers["momentum"] = table(mechanics_six<I>(machine.angular_momentum(), machine.linear_momentum()));
}

template <typename I>
void add_centroidal(Answers& answers, State<I>& state)
{
  IntervalMatrix<I> J(3, state.none.size()), A(6, state.none.size());
  for (Eigen::Index j = 0; j < A.cols(); ++j) {
    state.forces(IntervalVector<I>::Unit(A.cols(), j), state.none);
    const MechanicsWhole<I> unit(state.machine);
    J.col(j) = unit.velocity, A.col(j) = unit.momentum;
  }
  state.forces(state.qd, state.none);
  answers["centroidal_momentum_bias"] = table(MechanicsWhole<I>(state.machine).momentum_rate);
  state.forces(state.qd, state.qdd);
  const MechanicsWhole<I> whole(state.machine);
  answers["center_of_mass"] = table(whole.center);
  answers["center_of_mass_velocity"] = table(whole.velocity);
  answers["center_of_mass_acceleration"] = table(whole.acceleration);
  answers["center_of_mass_jacobian"] = table(J);
  answers["centroidal_momentum"] = table(whole.momentum);
  answers["centroidal_momentum_rate"] = table(whole.momentum_rate);
  answers["centroidal_momentum_matrix"] = table(A);
  answers["centroidal_inertia"] = table(whole.inertia);
}

/// How the last link moves with the joints, and gives way where somebody pushes.
template <typename I>
void add_tip(Answers& answers, State<I>& state, const IntervalMatrix<I>& M_inverse)
{
  const Eigen::Index n = state.none.size();
  IntervalMatrix<I> J(6, n), body(6, n), spatial(6, n);
  for (Eigen::Index j = 0; j < n; ++j) {
    state.forces(IntervalVector<I>::Unit(n, j), state.none);
    const auto& tip = state.machine.links.back();
    const Vector3<I>&w = tip.angular_velocity, &v = tip.velocity;
    const IntervalMatrix<I> to_link = tip.rotation.transpose();
    J.col(j) = mechanics_six<I>(w, v);
    body.col(j) = mechanics_six<I>(to_link * w, to_link * v);
    spatial.col(j) = mechanics_six<I>(w, v - cross(w, tip.position));
  }
  answers["tip_jacobian"] = table(J);
  answers["tip_body_jacobian"] = table(body);
  answers["tip_spatial_jacobian"] = table(spatial);
  answers["tip_mobility"] = table(J * M_inverse * J.transpose());
}

/// What a tree needs for accelerations, and does under forces. Returns how it does, and the inverse of M.
template <typename I>
std::pair<IntervalVector<I>, IntervalMatrix<I>> add_dynamics(Answers& answers, State<I>& state,
                                                             const IntervalMatrix<I>& M)
{
  using Vector = IntervalVector<I>;
  answers["inverse_dynamics"] = table(state.forces(state.qd, state.qdd));
  const VerifiedSystem<I> system(M);
  return {system.solution([&](const Vector& x) -> Vector { return state.tau - state.forces(state.qd, x); }),
          system.inverse()};
}

/// What a machine with loops does under forces. Returns that, and what a unit of each force does.
template <typename I>
std::pair<IntervalVector<I>, IntervalMatrix<I>> add_closed_dynamics(Answers& answers, const State<I>& state,
                                                                    const MechanicsConstraints<I>& constraints,
                                                                    const IntervalMatrix<I>& M,
                                                                    const IntervalVector<I>& bias)
{
  answers["configuration"] = table(state.q);
  answers["rates"] = table(state.qd);
  const ClosedSystem<I> system(M, constraints.A);
  const ClosedMotion<I> motion = system.motion(state.tau - bias, -constraints.accelerations);
  answers["constraint_forces"] = table(motion.constraint_forces);
  answers["multipliers"] = table(motion.multipliers);
  answers["loop_jacobian"] = table(constraints.A);
  answers["loop_bias"] = table(constraints.accelerations);
  answers["delassus_matrix"] = table(constraints.A * VerifiedSystem<I>(M).inverse() * constraints.A.transpose());
  return {motion.qdd, system.mobility()};
}

}  // namespace

template <const IntervalLibrary& library>
Answers by_vector_mechanics(const Problem& problem)
{
  using I = Interval<library>;
  State<I> state(problem.in);
  std::optional<MechanicsConstraints<I>> constraints;
  if (!problem.loops.empty()) constraints = close(state, problem);

  Answers answers;
  const IntervalMatrix<I> M = state.machine.mass_matrix(state.q);
  const IntervalVector<I> bias = state.forces(state.qd, state.none);
  answers["mass_matrix"] = table(M);
  answers["bias"] = table(bias);
  answers["gravity_force"] = table(state.machine.bias(state.q, state.none, state.gravity));
  answers["coriolis_force"] = table(state.machine.bias(state.q, state.qd, Vector3<I>::Zero()));
  const auto [motion, M_inverse] =
      constraints ? add_closed_dynamics(answers, state, *constraints, M, bias) : add_dynamics(answers, state, M);
  answers["forward_dynamics"] = table(motion);
  answers["inverse_mass_matrix"] = table(M_inverse);
  if (constraints) state.qdd = motion;
  if (!problem.loops.empty()) add_impulse(answers, problem, state, M);
  add_kinematics(answers, state);
  add_centroidal(answers, state);
  add_tip(answers, state, M_inverse);
  add_exact_differences(answers, problem, state, motion, M_inverse);
  return answers;
}

template Answers by_vector_mechanics<mpfi>(const Problem&);
template Answers by_vector_mechanics<arb>(const Problem&);

}  // namespace articulate::reference
