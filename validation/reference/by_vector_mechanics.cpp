#include <optional>
#include <reference/mechanics_state.hpp>

namespace articulate::reference {
namespace {

template <typename I>
using State = MechanicsState<I>;
template <typename I>
using Vector3 = MechanicsVector3<I>;
template <typename I>
using Vector6 = MechanicsVector6<I>;

/// A cut joint: a point of the second link, seen along directions of the first, in which it must not leave a point of that;
/// of a universal joint also a direction of the second link, which stays normal to one of the first.
template <typename I>
class Cut {
public:
  Cut(const Loop& loop, const Mechanism& mechanism)
      : first_(number(loop.first.link, mechanism)),
        second_(number(loop.second.link, mechanism)),
        first_point_(exactly<I>(loop.first.position)),
        second_point_(exactly<I>(loop.second.position))
  {
    const bool universal = loop.turning == Turning::universal;
    if ((loop.turning != Turning::free && !universal) || loop.axis != std::array<double, 3>{0, 0, 1})
      throw Unverified(
          "vector mechanics closes balls and universal joints, which may slide along their axes, and loop '" +
          loop.name + "' is neither.");
    if (universal) rows_.push_back({true, axis(loop.first, 0), axis(loop.second, 1)});
    for (int k = 0; k < 3; ++k)
      if (!loop.slides[static_cast<std::size_t>(k)]) rows_.push_back({false, axis(loop.first, k), Vector3<I>::Zero()});
  }

  std::size_t rows() const { return rows_.size(); }

  /// How far a demand is from being met, how fast that changes, and how that: in the machine's last motion.
  struct Slip {
    I way, rate, acceleration;
  };
  Slip slip(const witness::VectorNewtonEuler<I>& machine, std::size_t row) const
  {
    const Point a = point(machine, first_, first_point_), b = point(machine, second_, second_point_);
    const Carried n = carried(a, rows_[row].of_first);
    if (rows_[row].is_normal) return product(n, carried(b, rows_[row].of_second));
    return product(n, {b.p - a.p, b.v - a.v, b.a - a.a});
  }

private:
  static constexpr std::size_t world = -1;

  struct Row {
    bool is_normal;
    Vector3<I> of_first, of_second;
  };
  struct Point {
    Eigen::Matrix<I, 3, 3> axes = Eigen::Matrix<I, 3, 3>::Identity();
    Vector3<I> p, v = Vector3<I>::Zero(), a = v, w = v, alpha = v;
  };
  /// A vector and its derivatives with respect to time.
  struct Carried {
    Vector3<I> x, rate, acceleration;
  };

  static Slip product(const Carried& a, const Carried& b)
  {
    return {dot(a.x, b.x), dot(a.rate, b.x) + dot(a.x, b.rate),
            dot(a.acceleration, b.x) + I(2) * dot(a.rate, b.rate) + dot(a.x, b.acceleration)};
  }
  static Carried carried(const Point& link, const Vector3<I>& direction)
  {
    const Vector3<I> n = link.axes * direction, rate = cross(link.w, n);
    return {n, rate, cross(link.alpha, n) + cross(link.w, rate)};
  }
  static Vector3<I> axis(const Loop::End& end, int k)
  {
    const auto& [x, y, z, s] = end.quaternion;
    return turned<I>({I(x), I(y), I(z)}, I(s), Vector3<I>::Unit(k));
  }
  static std::size_t number(const std::string& link, const Mechanism& mechanism)
  {
    if (link.empty()) return world;
    for (std::size_t l = 0; l < mechanism.links.size(); ++l)
      if (mechanism.links[l].name == link) return l;
    throw Unverified("a loop names the link '" + link + "', which does not exist.");
  }
  static Point point(const witness::VectorNewtonEuler<I>& machine, std::size_t link, const Vector3<I>& r)
  {
    if (link == world) return {.p = r};
    const auto& body = machine.links[link];
    const Carried arm =
        carried({.axes = body.rotation, .w = body.angular_velocity, .alpha = body.angular_acceleration}, r);
    return {
        body.rotation,         body.position + arm.x,    body.velocity + arm.rate, body.acceleration + arm.acceleration,
        body.angular_velocity, body.angular_acceleration};
  }

  std::size_t first_, second_;
  Vector3<I> first_point_, second_point_;
  std::vector<Row> rows_;
};

/// The cuts together, row by row, at a state.
template <typename I>
struct Constraints {
  IntervalVector<I> ways, accelerations;  ///< the latter at no joint acceleration
  IntervalMatrix<I> A;                    ///< the rates of the ways for unit joint rates

  Constraints(State<I>& state, const std::vector<Cut<I>>& cuts, const IntervalVector<I>& qd)
  {
    Eigen::Index rows = 0;
    for (const Cut<I>& cut : cuts) rows += static_cast<Eigen::Index>(cut.rows());
    ways.resize(rows), accelerations.resize(rows), A.resize(rows, state.none.size());
    const auto for_each_row = [&](const auto& f) {
      Eigen::Index row = 0;
      for (const Cut<I>& cut : cuts)
        for (std::size_t k = 0; k < cut.rows(); ++k) f(row++, cut.slip(state.machine, k));
    };
    for (Eigen::Index j = 0; j < A.cols(); ++j) {
      state.forces(IntervalVector<I>::Unit(A.cols(), j), state.none);
      for_each_row([&](Eigen::Index row, const auto& slip) { A(row, j) = slip.rate; });
    }
    state.forces(qd, state.none);
    for_each_row([&](Eigen::Index row, const auto& slip) {
      ways(row) = slip.way;
      accelerations(row) = slip.acceleration;
    });
  }
};

/// The dependent coordinates and rates of closed loops, and the constraints there.
template <typename I>
Constraints<I> close(State<I>& state, const Problem& problem)
{
  using Vector = IntervalVector<I>;
  using Matrix = IntervalMatrix<I>;
  std::vector<Cut<I>> cuts;
  for (const Loop& loop : problem.loops) cuts.emplace_back(loop, problem.in.mechanism);
  const std::vector<int>&given = problem.independent, others = problem.dependent();
  int rows = 0;
  for (const Cut<I>& cut : cuts) rows += static_cast<int>(cut.rows());
  require_closable(problem, rows, static_cast<int>(state.none.size()));

  const auto at = [&](const Vector& y) -> Equations<I> {
    state.q(others) = y;
    const Constraints<I> here(state, cuts, state.none);
    return {here.ways, here.A(Eigen::all, others)};
  };
  const Vector near = state.q(others), found = verified_root<I>(at, near);
  state.q(others) = found;
  const Matrix A = Constraints<I>(state, cuts, state.none).A, A_given = A(Eigen::all, given);
  const Matrix A_others = A(Eigen::all, others);
  const Vector rates = state.qd(given);
  state.qd(others) = VerifiedSystem<I>(A_others).solution_of(-(A_given * rates));
  return {state, cuts, state.qd};
}

template <typename I>
Vector6<I> six(const Vector3<I>& angular, const Vector3<I>& linear)
{
  Vector6<I> x;
  x << angular, linear;
  return x;
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
    bias.row(l) = six<I>(link.angular_acceleration, link.acceleration).transpose();
  });
  state.forces(state.qd, state.qdd);
  for_each_link([&](Eigen::Index l, const auto& link) {
    for (int k = 0; k < 9; ++k) rotations(l, k) = link.rotation(k / 3, k % 3);
    positions.row(l) = link.position.transpose();
    // Along the link's axes; these turn, which takes w x v from the rate of v.
    const Vector3<I>&w = link.angular_velocity, &v = link.velocity, &alpha = link.angular_acceleration;
    const IntervalMatrix<I> to_link = link.rotation.transpose();
    twists.row(l) = six<I>(to_link * w, to_link * v).transpose();
    twist_rates.row(l) = six<I>(to_link * alpha, to_link * (link.acceleration - cross(w, v))).transpose();
    accelerations.row(l) = six<I>(alpha, link.acceleration).transpose();
    // Of the velocity v - w x p that the link's point at the world's origin has.
    const Vector3<I> at_origin = link.acceleration - cross(alpha, link.position) - cross(w, v);
    spatial.row(l) = six<I>(alpha, at_origin).transpose();
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
  answers["momentum"] = table(six<I>(machine.angular_momentum(), machine.linear_momentum()));
}

/// The machine as a whole, in its last motion: its centre of mass, and the momentum about that.
template <typename I>
struct Whole {
  Vector3<I> center, velocity, acceleration;
  Vector6<I> momentum, momentum_rate;
  Eigen::Matrix<I, 3, 3> inertia = Eigen::Matrix<I, 3, 3>::Zero();  ///< about the centre of mass

  explicit Whole(const witness::VectorNewtonEuler<I>& machine)
  {
    center = machine.center_of_mass();
    velocity = machine.linear_momentum() / machine.mass();
    Vector3<I> force = Vector3<I>::Zero(), moment = force;
    for (const auto& link : machine.links) {
      if (!link.moves) continue;
      const Vector3<I> arm = link.arm(), w = link.angular_velocity, alpha = link.angular_acceleration;
      const Vector3<I> center_acceleration = link.acceleration + cross(alpha, arm) + cross(w, cross(w, arm));
      const Vector3<I> needed = link.mass * center_acceleration, beside = link.center() - center;
      force += needed;
      moment += cross(beside, needed) + link.inertia_times(alpha) + cross(w, link.inertia_times(w));
      // Steiner.
      inertia += link.rotation * link.inertia * link.rotation.transpose();
      inertia += link.mass * (dot(beside, beside) * Eigen::Matrix<I, 3, 3>::Identity() - beside * beside.transpose());
    }
    acceleration = force / machine.mass();
    const Vector3<I> linear = machine.linear_momentum();
    momentum = six<I>(machine.angular_momentum() - cross(center, linear), linear);
    momentum_rate = six<I>(moment, force);
  }
};

template <typename I>
void add_centroidal(Answers& answers, State<I>& state)
{
  IntervalMatrix<I> J(3, state.none.size()), A(6, state.none.size());
  for (Eigen::Index j = 0; j < A.cols(); ++j) {
    state.forces(IntervalVector<I>::Unit(A.cols(), j), state.none);
    const Whole<I> unit(state.machine);
    J.col(j) = unit.velocity, A.col(j) = unit.momentum;
  }
  state.forces(state.qd, state.none);
  answers["centroidal_momentum_bias"] = table(Whole<I>(state.machine).momentum_rate);
  state.forces(state.qd, state.qdd);
  const Whole<I> whole(state.machine);
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
    J.col(j) = six<I>(w, v);
    body.col(j) = six<I>(to_link * w, to_link * v);
    spatial.col(j) = six<I>(w, v - cross(w, tip.position));
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
                                                                    const Constraints<I>& constraints,
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
  std::optional<Constraints<I>> constraints;
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
  add_kinematics(answers, state);
  add_centroidal(answers, state);
  add_tip(answers, state, M_inverse);
  add_exact_differences(answers, problem, state, motion, M_inverse);
  return answers;
}

template Answers by_vector_mechanics<mpfi>(const Problem&);
template Answers by_vector_mechanics<arb>(const Problem&);

}  // namespace articulate::reference
