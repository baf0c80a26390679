#include <optional>
#include <reference/answers.hpp>
#include <reference/verified.hpp>
#include <witnesses/newton_euler.hpp>

namespace articulate::reference {
namespace {

template <typename I>
using Vector3 = Eigen::Matrix<I, 3, 1>;
template <typename I>
using Vector6 = Eigen::Matrix<I, 6, 1>;

template <typename I>
Vector3<I> cross(const Vector3<I>& a, const Vector3<I>& b)
{
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
template <typename I>
I dot(const Vector3<I>& a, const Vector3<I>& b)
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
template <typename I>
Vector3<I> exactly(const std::array<double, 3>& x)
{
  return {I(x[0]), I(x[1]), I(x[2])};
}

/// The state in intervals: as it is given, or closed.
template <typename I>
struct State {
  using Vector = IntervalVector<I>;

  witness::VectorNewtonEuler<I> machine;
  Vector q, qd;
  const Vector qdd, tau, none;
  const Vector3<I> gravity;
  std::vector<Vector6<I>> wrenches;

  explicit State(const Inputs& in)
      : machine(in.mechanism, in.options.floating_base),
        q(reference::exactly<I>(in.q)),
        qd(reference::exactly<I>(in.qd)),
        qdd(reference::exactly<I>(in.qdd)),
        tau(reference::exactly<I>(in.tau)),
        none(Vector::Zero(machine.rates)),
        gravity(exactly<I>(in.mechanism.gravity))
  {
    for (const auto& x : in.link_wrenches) wrenches.push_back(Eigen::Matrix<double, 6, 1>(x.data()).template cast<I>());
  }

  /// Set everything in motion.
  void move(const Vector& rates, const Vector& accelerations)
  {
    machine.inverse_dynamics(q, rates, accelerations, gravity);
  }
};

/// A cut joint that turns freely: a point of the second link, seen along directions of the first, in which it must not
/// leave a point of that.
template <typename I>
class Cut {
public:
  Cut(const Loop& loop, const Mechanism& mechanism)
      : first_(number(loop.first.link, mechanism)),
        second_(number(loop.second.link, mechanism)),
        first_point_(exactly<I>(loop.first.position)),
        second_point_(exactly<I>(loop.second.position))
  {
    const bool may_slide = loop.slides[0] || loop.slides[1], on_a_line = loop.slides[2];
    const bool along_z =
        loop.axis == std::array<double, 3>{0, 0, 1} && loop.first.quaternion == std::array<double, 4>{0, 0, 0, 1};
    if (loop.turning != Turning::free || may_slide || (on_a_line && !along_z))
      throw Unverified("vector mechanics closes balls and points on a line along z, and loop '" + loop.name +
                       "' is neither.");
    for (int k = 0; k < (on_a_line ? 2 : 3); ++k) directions_.push_back(Vector3<I>::Unit(k));
  }

  int rows() const { return static_cast<int>(directions_.size()); }

  /// How far the points are apart along a direction, how fast that changes, and how that: in the machine's last motion.
  struct Slip {
    I way, rate, acceleration;
  };
  Slip slip(const witness::VectorNewtonEuler<I>& machine, int row) const
  {
    const Point a = point(machine, first_, first_point_), b = point(machine, second_, second_point_);
    const Vector3<I> way = b.p - a.p, rate = b.v - a.v;
    const Vector3<I> n = a.axes * directions_[row], n_rate = cross(a.w, n);
    const Vector3<I> n_acceleration = cross(a.alpha, n) + cross(a.w, n_rate);
    return {dot(n, way), dot(n, rate) + dot(n_rate, way),
            dot(n, Vector3<I>(b.a - a.a)) + I(2) * dot(n_rate, rate) + dot(n_acceleration, way)};
  }

private:
  static constexpr std::size_t world = -1;

  struct Point {
    Eigen::Matrix<I, 3, 3> axes = Eigen::Matrix<I, 3, 3>::Identity();
    Vector3<I> p, v = Vector3<I>::Zero(), a = v, w = v, alpha = v;
  };

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
    const Vector3<I> arm = body.rotation * r, w = body.angular_velocity, turning = cross(w, arm);
    return {body.rotation,
            body.position + arm,
            body.velocity + turning,
            body.acceleration + cross(Vector3<I>(body.angular_acceleration), arm) + cross(w, turning),
            w,
            body.angular_acceleration};
  }

  std::size_t first_, second_;
  Vector3<I> first_point_, second_point_;
  std::vector<Vector3<I>> directions_;
};

/// The cuts together, row by row, at a state.
template <typename I>
struct Constraints {
  IntervalVector<I> ways, accelerations;  ///< the latter at no joint acceleration
  IntervalMatrix<I> A;                    ///< the rates of the ways for unit joint rates

  Constraints(State<I>& state, const std::vector<Cut<I>>& cuts, const IntervalVector<I>& qd)
  {
    Eigen::Index rows = 0;
    for (const Cut<I>& cut : cuts) rows += cut.rows();
    ways.resize(rows), accelerations.resize(rows), A.resize(rows, state.none.size());
    const auto for_each_row = [&](const auto& f) {
      Eigen::Index row = 0;
      for (const Cut<I>& cut : cuts)
        for (int k = 0; k < cut.rows(); ++k) f(row++, cut.slip(state.machine, k));
    };
    for (Eigen::Index j = 0; j < A.cols(); ++j) {
      state.move(IntervalVector<I>::Unit(A.cols(), j), state.none);
      for_each_row([&](Eigen::Index row, const auto& slip) { A(row, j) = slip.rate; });
    }
    state.move(qd, state.none);
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
  for (const Cut<I>& cut : cuts) rows += cut.rows();
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

/// Where the links are and how they move, link by link in the order of the mechanism.
template <typename I>
void add_kinematics(Answers& answers, const State<I>& state)
{
  const auto& machine = state.machine;
  const auto links = static_cast<Eigen::Index>(machine.links.size());
  IntervalMatrix<I> rotations(links, 9), positions(links, 3), twists(links, 6), twist_rates(links, 6);
  for (Eigen::Index l = 0; l < links; ++l) {
    const auto& link = machine.links[static_cast<std::size_t>(l)];
    for (int k = 0; k < 9; ++k) rotations(l, k) = link.rotation(k / 3, k % 3);
    positions.row(l) = link.position.transpose();
    // Along the link's axes; these turn, which takes w x v from the rate of v.
    const Vector3<I>&w = link.angular_velocity, &v = link.velocity;
    const auto six = [&](const Vector3<I>& angular, const Vector3<I>& linear) {
      Vector6<I> x;
      x << link.rotation.transpose() * angular, link.rotation.transpose() * linear;
      return x;
    };
    twists.row(l) = six(w, v).transpose();
    twist_rates.row(l) = six(link.angular_acceleration, link.acceleration - cross(w, v)).transpose();
  }
  answers["link_rotations"] = table(rotations);
  answers["link_positions"] = table(positions);
  answers["link_twists"] = table(twists);
  answers["link_twist_rates"] = table(twist_rates);

  answers["kinetic_energy"] = table(IntervalVector<I>::Constant(1, machine.kinetic_energy()));
  answers["potential_energy"] = table(IntervalVector<I>::Constant(1, machine.potential_energy(state.gravity)));
  answers["center_of_mass"] = table(machine.center_of_mass());
  Vector6<I> momentum;
  momentum << machine.angular_momentum(), machine.linear_momentum();
  answers["momentum"] = table(momentum);
}

/// What a tree does under forces, and needs for accelerations.
template <typename I>
void add_dynamics(Answers& answers, State<I>& state, const IntervalMatrix<I>& M)
{
  using Vector = IntervalVector<I>;
  auto& [machine, q, qd, qdd, tau, none, gravity, wrenches] = state;
  answers["inverse_dynamics"] = table(machine.inverse_dynamics(q, qd, qdd, gravity, wrenches));
  const VerifiedSystem<I> system(M);
  answers["forward_dynamics"] = table(system.solution(
      [&](const Vector& x) -> Vector { return tau - machine.inverse_dynamics(q, qd, x, gravity, wrenches); }));
  IntervalMatrix<I> M_inverse(M.rows(), M.rows());
  for (Eigen::Index k = 0; k < M.rows(); ++k) M_inverse.col(k) = system.solution_of(Vector::Unit(M.rows(), k));
  answers["inverse_mass_matrix"] = table(M_inverse);
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
  const IntervalVector<I> bias = state.machine.bias(state.q, state.qd, state.gravity, state.wrenches);
  answers["mass_matrix"] = table(M);
  answers["bias"] = table(bias);
  answers["gravity_force"] = table(state.machine.bias(state.q, state.none, state.gravity));
  IntervalVector<I> qdd = state.qdd;
  if (!constraints) {
    add_dynamics(answers, state, M);
  } else {
    answers["configuration"] = table(state.q);
    answers["rates"] = table(state.qd);
    const ClosedMotion<I> motion(M, constraints->A, IntervalVector<I>(state.tau - bias), -constraints->accelerations);
    answers["forward_dynamics"] = table(motion.qdd);
    answers["constraint_forces"] = table(motion.constraint_forces);
    qdd = motion.qdd;
  }
  state.move(state.qd, qdd);
  add_kinematics(answers, state);
  return answers;
}

template Answers by_vector_mechanics<mpfi>(const Problem&);
template Answers by_vector_mechanics<arb>(const Problem&);

}  // namespace articulate::reference
