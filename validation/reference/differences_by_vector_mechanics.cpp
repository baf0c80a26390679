#include <reference/mechanics_cuts.hpp>

namespace articulate::reference {
namespace {

template <typename I>
using State = MechanicsState<I>;
template <typename I>
using Vector = IntervalVector<I>;
template <typename I>
using Matrix = IntervalMatrix<I>;

// --- derivatives ----------------------------------------------------------------------------------------------------

/// A rate as what it does to the link that its joint carries: of a chain the k-th turn or slide, of a ball or a floating
/// joint a turn about the k-th of the link's own axes, or a slide along the one three places before.
template <typename I>
class Degree {
public:
  Degree(const State<I>& state, std::size_t link, std::size_t k) : link_(link), k_(k)
  {
    const auto& body = state.machine.links[link];
    is_chained_ = !body.chain.empty();
    turns = is_chained_ ? !body.chain[k].turn.isZero(0) : k < 3;
    slides = is_chained_ ? !body.chain[k].slide.isZero(0) : k >= 3;
  }

  bool turns, slides;  ///< a screw does both

  /// \brief Turn what the joint carries further by an angle; a screw does not advance.
  void turn(State<I>& state, const I& angle) const
  {
    auto& body = state.machine.links[link_];
    if (is_chained_) {
      state.q[coordinate(state)] += angle;
      if (slides) shift(state, -angle);
      return;
    }
    // The product of two quaternions.
    auto h = state.q.template segment<4>(body.first_coordinate + (body.joint == JointType::floating ? 3 : 0));
    const I s = h[3], half_cosine = cos(angle / I(2));
    const MechanicsVector3<I> u = h.template head<3>(), half_sine = sin(angle / I(2)) * axis(k_);
    h[3] = s * half_cosine - dot(u, half_sine);
    h.template head<3>() = s * half_sine + half_cosine * u + cross(u, half_sine);
  }

  /// \brief Slide it, by so much as it does while the coordinate grows by x.
  void slide(State<I>& state, const I& x) const
  {
    if (is_chained_ && turns) return shift(state, x);
    if (is_chained_) {
      state.q[coordinate(state)] += x;
      return;
    }
    const auto& body = state.machine.links[link_];
    const MechanicsVector3<I> u = state.q.template segment<3>(body.first_coordinate + 3), e = axis(k_ - 3);
    const I s = state.q[body.first_coordinate + 6];
    const MechanicsVector3<I> way = x * turned(u, s, e);
    for (int i = 0; i < 3; ++i) state.q[body.first_coordinate + i] += way[i];
  }

private:
  static MechanicsVector3<I> axis(std::size_t k) { return MechanicsVector3<I>::Unit(static_cast<Eigen::Index>(k)); }
  Eigen::Index coordinate(const State<I>& state) const
  {
    return state.machine.links[link_].first_coordinate + static_cast<Eigen::Index>(k_);
  }
  /// A screw is the whole chain of its joint, and so begins where the joint does.
  void shift(State<I>& state, const I& x) const
  {
    auto& body = state.machine.links[link_];
    const MechanicsVector3<I> way = body.joint_place.rotation * (x * body.chain[k_].slide);
    body.joint_place.position += way;
  }

  std::size_t link_, k_;
  bool is_chained_;
};

template <typename I>
std::vector<Degree<I>> degrees(const State<I>& state)
{
  std::vector<Degree<I>> all;
  for (const std::size_t l : carried_links(state)) {
    const auto& body = state.machine.links[l];
    const std::size_t rates = !body.chain.empty() ? body.chain.size() : body.joint == JointType::ball ? 3 : 6;
    for (std::size_t k = 0; k < rates; ++k) all.emplace_back(state, l, k);
  }
  return all;
}

/** The derivative of f along a degree, by values of f: exact, for what f has of an angle x and of a way is known.
 *
 *  Kinetic and potential energy are sums of squares of what is linear in the entries of a turn, and at most quadratic in
 *  a slide; so are all forces, which are made of them. With \f$D(a) = \tfrac12(f(x+a) - f(x-a))\f$,
 *  \f$f = a_0 + a_1\cos x + b_1\sin x + a_2\cos 2x + b_2\sin 2x\f$ has
 *  \f$f' = 2D(\pi/4) + (1 - \sqrt2)D(\pi/2)\f$, and a quadratic \f$f' = D(1)\f$.
 */
template <typename I, typename Function>
Matrix<I> slope(const State<I>& at, const Degree<I>& degree, const Function& f)
{
  const auto difference = [&](auto move, const I& a) -> Matrix<I> {
    State<I> forth = at, back = at;
    (degree.*move)(forth, a), (degree.*move)(back, -a);
    const Matrix<I> ahead = f(forth), behind = f(back);
    return (ahead - behind) / I(2);
  };
  const I eighth = atan(I(1));
  if (!degree.turns) return difference(&Degree<I>::slide, I(1));
  const Matrix<I> turned =
      I(2) * difference(&Degree<I>::turn, eighth) + (I(1) - sqrt(I(2))) * difference(&Degree<I>::turn, I(2) * eighth);
  return degree.slides ? turned + difference(&Degree<I>::slide, I(1)) : turned;
}

template <typename I>
Vector<I> forces(State<I>& state)
{
  return state.forces(state.qd, state.qdd);
}

/// The columns of a matrix by the slopes of a vector.
template <typename I, typename Function>
Matrix<I> by_q(const State<I>& state, const Function& f)
{
  const auto all = degrees(state);
  Matrix<I> J;
  for (std::size_t k = 0; k < all.size(); ++k) {
    const Vector<I> column = slope(state, all[k], f);
    if (k == 0) J.resize(column.size(), static_cast<Eigen::Index>(all.size()));
    J.col(static_cast<Eigen::Index>(k)) = column;
  }
  return J;
}

/// The same with respect to the rates: in them forces and accelerations are quadratic, so that differences are exact.
template <typename I, typename Function>
Matrix<I> by_qd(State<I> state, const Function& f)
{
  const Vector<I> qd = state.qd;
  Matrix<I> J;
  for (Eigen::Index k = 0; k < qd.size(); ++k) {
    const Vector<I> unit = Vector<I>::Unit(qd.size(), k);
    state.qd = qd + unit;
    const Vector<I> ahead = f(state);
    state.qd = qd - unit;
    const Vector<I> behind = f(state);
    if (k == 0) J.resize(ahead.size(), qd.size());
    J.col(k) = (ahead - behind) / I(2);
  }
  return J;
}

template <typename I>
void add_first_derivatives(Answers& answers, State<I> state, const Vector<I>& motion, const Matrix<I>& M_inverse)
{
  answers["inverse_dynamics_by_q"] = table(by_q(state, forces<I>));
  answers["inverse_dynamics_by_qd"] = table(by_qd(state, forces<I>));
  const auto weight = [](State<I>& at) { return at.machine.bias(at.q, at.none, at.gravity); };
  answers["gravity_force_by_q"] = table(by_q(state, weight));
  state.qdd = motion;
  answers["forward_dynamics_by_q"] = table(-(M_inverse * by_q(state, forces<I>)));
  answers["forward_dynamics_by_qd"] = table(-(M_inverse * by_qd(state, forces<I>)));
}

/// Derivatives of a matrix, or of a vector with respect to two things: by the number of the first a matrix.
template <typename I>
using Slopes = std::vector<Matrix<I>>;

template <typename I, typename Function>
Slopes<I> matrix_by_q(const State<I>& state, const Function& f)
{
  Slopes<I> slopes;
  for (const Degree<I>& degree : degrees(state)) slopes.push_back(slope(state, degree, f));
  return slopes;
}

/// Row n i + j is row i of the j-th matrix.
template <typename I>
Table stacked(const Slopes<I>& slopes)
{
  const auto n = static_cast<Eigen::Index>(slopes.size());
  Matrix<I> rows(n * n, n);
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < n; ++j) rows.row(n * i + j) = slopes[static_cast<std::size_t>(j)].row(i);
  return table(rows);
}

/// Second derivatives of the forces of a motion, and the first of the mass matrix.
template <typename I>
struct SecondDerivatives {
  Slopes<I> by_q_q, by_q_qd, by_qd_qd, of_M;

  explicit SecondDerivatives(State<I> state)
      : by_q_q(matrix_by_q(state, [](State<I>& at) { return by_q(at, forces<I>); })),
        by_q_qd(matrix_by_q(state, [](State<I>& at) { return by_qd(at, forces<I>); })),
        of_M(matrix_by_q(state, [](State<I>& at) { return at.machine.mass_matrix(at.q); }))
  {
    const Eigen::Index n = state.none.size();
    const auto with = [&](const Vector<I>& more) -> Vector<I> { return state.forces(state.qd + more, state.qdd); };
    for (Eigen::Index j = 0; j < n; ++j) {
      Matrix<I> slopes(n, n);
      for (Eigen::Index k = 0; k < n; ++k) {
        const Vector<I> e_j = Vector<I>::Unit(n, j), e_k = Vector<I>::Unit(n, k);
        slopes.col(k) = with(e_j + e_k) - with(e_j) - with(e_k) + with(state.none);
      }
      by_qd_qd.push_back(slopes);
    }
  }
};

template <typename I>
void add_second_derivatives(Answers& answers, State<I> state, const Vector<I>& motion, const Matrix<I>& M_inverse)
{
  const SecondDerivatives<I> given(state);
  answers["inverse_dynamics_by_q_q"] = stacked<I>(given.by_q_q);
  answers["inverse_dynamics_by_q_qd"] = stacked<I>(given.by_q_qd);
  answers["inverse_dynamics_by_qd_qd"] = stacked<I>(given.by_qd_qd);
  answers["mass_matrix_by_q"] = stacked<I>(given.of_M);

  // Forces that stay the same: M times the second derivatives makes up for all else.
  state.qdd = motion;
  SecondDerivatives<I> here(state);
  const Matrix<I> by_coordinates = -(M_inverse * by_q(state, forces<I>));
  const Matrix<I> by_rates = -(M_inverse * by_qd(state, forces<I>));
  const std::size_t n = here.of_M.size();
  for (std::size_t j = 0; j < n; ++j) {
    const auto column = static_cast<Eigen::Index>(j);
    Matrix<I> crossed = here.of_M[j] * by_coordinates;
    for (std::size_t k = 0; k < n; ++k)
      crossed.col(static_cast<Eigen::Index>(k)) += here.of_M[k] * by_coordinates.col(column);
    here.by_q_q[j] = -(M_inverse * (here.by_q_q[j] + crossed));
    here.by_q_qd[j] = -(M_inverse * (here.by_q_qd[j] + here.of_M[j] * by_rates));
    here.by_qd_qd[j] = -(M_inverse * here.by_qd_qd[j]);
  }
  for (Matrix<I>& of_inverse : here.of_M) of_inverse = -(M_inverse * of_inverse * M_inverse);
  answers["forward_dynamics_by_q_q"] = stacked<I>(here.by_q_q);
  answers["forward_dynamics_by_q_qd"] = stacked<I>(here.by_q_qd);
  answers["forward_dynamics_by_qd_qd"] = stacked<I>(here.by_qd_qd);
  answers["inverse_mass_matrix_by_q"] = stacked<I>(here.of_M);
}

// --- the last link --------------------------------------------------------------------------------------------------

/// Six numbers of the last link for unit rates: in world axes, in its own, and with the velocity of the world's origin.
template <typename I>
Matrix<I> tip_jacobians(State<I>& state)
{
  const Eigen::Index n = state.none.size();
  Matrix<I> all(18, n);
  for (Eigen::Index j = 0; j < n; ++j) {
    state.forces(Vector<I>::Unit(n, j), state.none);
    const auto& tip = state.machine.links.back();
    const MechanicsVector3<I>&w = tip.angular_velocity, &v = tip.velocity;
    const Matrix<I> to_link = tip.rotation.transpose();
    all.col(j) << w, v, to_link * w, to_link * v, w, v - cross(w, tip.position);
  }
  return all;
}

/// The Jacobian changes with the coordinates, and these with time.
template <typename I>
void add_tip_rates(Answers& answers, const State<I>& state)
{
  const Slopes<I> slopes = matrix_by_q(state, tip_jacobians<I>);
  const Eigen::Index n = state.none.size();
  Matrix<I> rate = Matrix<I>::Zero(18, n), rows(18 * n, n);
  for (Eigen::Index j = 0; j < n; ++j) {
    const Matrix<I>& slope = slopes[static_cast<std::size_t>(j)];
    rate += state.qd[j] * slope;
    for (Eigen::Index i = 0; i < 18; ++i) rows.row(n * i + j) = slope.row(i);
  }
  answers["tip_jacobian_rate"] = table(rate.topRows(6));
  answers["tip_body_jacobian_rate"] = table(rate.middleRows(6, 6));
  answers["tip_spatial_jacobian_rate"] = table(rate.bottomRows(6));
  answers["tip_jacobian_by_q"] = table(rows.topRows(6 * n));
  answers["tip_body_jacobian_by_q"] = table(rows.middleRows(6 * n, 6 * n));
  answers["tip_spatial_jacobian_by_q"] = table(rows.bottomRows(6 * n));
}

/// The twist of the last link in its own axes, and the rate of its numbers.
template <typename I>
Vector<I> tip_motion(State<I>& state)
{
  state.forces(state.qd, state.qdd);
  const auto& tip = state.machine.links.back();
  const MechanicsVector3<I>&w = tip.angular_velocity, &v = tip.velocity;
  const Matrix<I> to_link = tip.rotation.transpose();
  Vector<I> motion(12);
  motion << to_link * w, to_link * v, to_link * tip.angular_acceleration, to_link * (tip.acceleration - cross(w, v));
  return motion;
}

/// Derivatives of six numbers and of their rates, which follow them in what is differentiated.
template <typename I, typename Motion>
void add_derivatives(Answers& answers, const State<I>& state, const std::string& name, const Motion& motion)
{
  const Matrix<I> by_coordinates = by_q(state, motion);
  answers[name + "_by_q"] = table(by_coordinates.topRows(6));
  answers[name + "_rate_by_q"] = table(by_coordinates.bottomRows(6));
  answers[name + "_rate_by_qd"] = table(by_qd(state, motion).bottomRows(6));
}

// --- the machine as a whole -----------------------------------------------------------------------------------------

/// The momentum about the centre of mass, and its rate: of degree two in all, as forces are.
template <typename I>
Vector<I> motion_of_the_whole(State<I>& state)
{
  state.forces(state.qd, state.qdd);
  const MechanicsWhole<I> whole(state.machine);
  Vector<I> motion(12);
  motion << whole.momentum, whole.momentum_rate;
  return motion;
}

// --- regressors -----------------------------------------------------------------------------------------------------

/** f of machines in which all inertia is one number of one link, a column for each number.
 *
 *  A moment of mass is that of a unit mass which lies on an axis, less what else this mass is.
 */
template <typename I, typename Function>
Matrix<I> by_parameters(State<I> state, std::size_t link, const Function& f)
{
  using Vector3 = MechanicsVector3<I>;
  for (auto& body : state.machine.links) body.mass = I(0), body.center_of_mass.setZero(), body.inertia.setZero();
  auto& body = state.machine.links[link];
  const auto of_mass_at = [&](const Vector3& place) -> Vector<I> {
    body.mass = I(1), body.center_of_mass = place;
    const Vector<I> y = f(state);
    body.mass = I(0), body.center_of_mass.setZero();
    return y;
  };
  const auto of_moment = [&](int i, int j) -> Vector<I> {
    body.inertia(i, j) = body.inertia(j, i) = I(1);
    const Vector<I> y = f(state);
    body.inertia.setZero();
    return y;
  };
  const Vector<I> mass = of_mass_at(Vector3::Zero());
  const Vector<I> xx = of_moment(0, 0), yy = of_moment(1, 1), zz = of_moment(2, 2);
  const Vector<I> all[] = {mass,
                           of_mass_at(Vector3::UnitX()) - mass - yy - zz,
                           of_mass_at(Vector3::UnitY()) - mass - zz - xx,
                           of_mass_at(Vector3::UnitZ()) - mass - xx - yy,
                           xx,
                           of_moment(0, 1),
                           of_moment(0, 2),
                           yy,
                           of_moment(1, 2),
                           zz};
  Matrix<I> columns(mass.size(), 10);
  for (int p = 0; p < 10; ++p) columns.col(p) = all[p];
  return columns;
}

template <typename I>
void add_regressors(Answers& answers, State<I> state)
{
  state.wrenches.clear();
  const std::vector<std::size_t> bodies = carried_links(state);
  // Forces of the motion, forces at rest, kinetic and potential energy.
  const Eigen::Index n = state.none.size();
  Matrix<I> all(2 * n + 2, 10 * static_cast<Eigen::Index>(bodies.size()));
  for (std::size_t b = 0; b < bodies.size(); ++b)
    all.middleCols(10 * static_cast<Eigen::Index>(b), 10) = by_parameters(state, bodies[b], [&](State<I>& at) {
      Vector<I> y(2 * n + 2);
      const Vector<I> at_rest = at.machine.bias(at.q, at.none, at.gravity), moving = forces(at);
      y << moving, at_rest, at.machine.kinetic_energy(), at.machine.potential_energy(at.gravity);
      return y;
    });
  answers["torque_regressor"] = table(all.topRows(n));
  answers["gravity_regressor"] = table(all.middleRows(n, n));
  answers["kinetic_energy_regressor"] = table(all.row(2 * n));
  answers["potential_energy_regressor"] = table(all.row(2 * n + 1));

  const std::size_t tip = state.machine.links.size() - 1;
  answers["tip_regressor"] = table(by_parameters(state, tip, [&](State<I>& at) {
    forces(at);
    const auto& link = at.machine.links[tip];
    const Matrix<I> to_link = link.rotation.transpose();
    Vector<I> wrench(6);
    wrench << to_link * link.moment, to_link * link.force;
    return wrench;
  }));
}

// --- impulses -------------------------------------------------------------------------------------------------------

/// The rows of the loops below the mass matrix: of degree two, since each is a product of what two links carry.
template <typename I>
Matrix<I> masses_and_rows(State<I>& state, const std::vector<MechanicsCut<I>>& cuts)
{
  const Matrix<I> M = state.machine.mass_matrix(state.q), A = MechanicsConstraints<I>(state, cuts, state.none).A;
  Matrix<I> both(M.rows() + A.rows(), M.cols());
  both << M, A;
  return both;
}

}  // namespace

template <typename I>
void add_impulse(Answers& answers, const Problem& problem, const MechanicsState<I>& at, const IntervalMatrix<I>& M)
{
  State<I> state = at;
  const std::vector<MechanicsCut<I>> cuts = cuts_of<I>(problem);
  const Matrix<I> A = MechanicsConstraints<I>(state, cuts, state.none).A;
  const ClosedSystem<I> system(M, A);
  const Vector<I> before = exactly<I>(problem.in.qd), lacking = I(1 + impulse_restitution) * before;
  const ClosedMotion<I> jump = system.motion(state.none, -(A * lacking));
  answers["impulse_rates"] = table(before + jump.qdd);
  answers["loop_impulses"] = table(jump.multipliers);
  answers["joint_impulses"] = table(jump.constraint_forces);
  if (!problem.is_small()) return;

  // M jump = A^T impulses and A (jump + lacking) = 0 stay true when a coordinate changes.
  const Eigen::Index n = M.rows(), m = A.rows();
  const Slopes<I> slopes = matrix_by_q(state, [&](State<I>& there) { return masses_and_rows(there, cuts); });
  Matrix<I> rates_by_q(n, n), rates_by_qd = Matrix<I>::Identity(n, n), impulses_by_q(m, n), impulses_by_qd(m, n);
  for (Eigen::Index k = 0; k < n; ++k) {
    const Matrix<I>& slope = slopes[static_cast<std::size_t>(k)];
    const Matrix<I> of_M = slope.topRows(n), of_A = slope.bottomRows(m);
    const ClosedMotion<I> by_q =
        system.motion(of_A.transpose() * jump.multipliers - of_M * jump.qdd, -(of_A * (jump.qdd + lacking)));
    rates_by_q.col(k) = by_q.qdd, impulses_by_q.col(k) = by_q.multipliers;
    const ClosedMotion<I> by_qd = system.motion(state.none, I(-1 - impulse_restitution) * A.col(k));
    rates_by_qd.col(k) += by_qd.qdd, impulses_by_qd.col(k) = by_qd.multipliers;
  }
  answers["impulse_rates_by_q"] = table(rates_by_q);
  answers["impulse_rates_by_qd"] = table(rates_by_qd);
  answers["loop_impulses_by_q"] = table(impulses_by_q);
  answers["loop_impulses_by_qd"] = table(impulses_by_qd);
}

template <typename I>
void add_exact_differences(Answers& answers, const Problem& problem, const MechanicsState<I>& state,
                           const IntervalVector<I>& motion, const IntervalMatrix<I>& M_inverse)
{
  if (!problem.is_small()) return;
  add_regressors(answers, state);
  add_tip_rates(answers, state);
  if (!problem.has_quaternions()) {
    // Coriolis forces are quadratic in the rates, and their matrix is that of the quadratic form, which is symmetric.
    const auto coriolis = [](State<I>& at) { return at.machine.bias(at.q, at.qd, MechanicsVector3<I>::Zero()); };
    answers["coriolis_matrix"] = table(by_qd(state, coriolis) / I(2));
  }
  if (problem.loops.empty()) {
    add_derivatives(answers, state, "tip_twist", tip_motion<I>);
    add_derivatives(answers, state, "centroidal_momentum", motion_of_the_whole<I>);
    add_first_derivatives(answers, state, motion, M_inverse);
  }
  if (problem.is_tiny()) add_second_derivatives(answers, state, motion, M_inverse);
}

template void add_impulse(Answers&, const Problem&, const MechanicsState<Interval<mpfi>>&,
                          const IntervalMatrix<Interval<mpfi>>&);
template void add_impulse(Answers&, const Problem&, const MechanicsState<Interval<arb>>&,
                          const IntervalMatrix<Interval<arb>>&);
template void add_exact_differences(Answers&, const Problem&, const MechanicsState<Interval<mpfi>>&,
                                    const IntervalVector<Interval<mpfi>>&, const IntervalMatrix<Interval<mpfi>>&);
template void add_exact_differences(Answers&, const Problem&, const MechanicsState<Interval<arb>>&,
                                    const IntervalVector<Interval<arb>>&, const IntervalMatrix<Interval<arb>>&);

}  // namespace articulate::reference
