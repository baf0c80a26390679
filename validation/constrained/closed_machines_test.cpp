/** \file
 *  \brief Machines that close, against bodies that know nothing of each other, textbooks' closed forms, and themselves.
 *
 *  Everything is asked in double and in 50 digits. The tolerance is the ledger's, 100 n eps kappa; a case is moved by an
 *  ulp in everything but the places of joints without which an overconstrained loop would not move at all.
 */
#include <boost/test/unit_test.hpp>
#include <Eigen/SVD>
#include <map>
#include <random>
#include <articulate/articulate.hpp>
#include <articulate/constrained/assembly.hpp>
#include <articulate/constrained/constrained_dynamics.hpp>
#include <constrained/compiled.hpp>
#include <ledger/proof.hpp>
#include <models/closed_machines.hpp>
#include <witnesses/compiled.hpp>

using namespace articulate;
using namespace articulate::validation;

namespace {

/// 100 n eps of the proofs, for numbers of size one.
double rounding(int n) { return 100 * n * unit_roundoff<double>(); }

/// A machine with all of its lengths this many times as long.
ClosedMachine enlarged(ClosedMachine machine, double factor)
{
  const auto enlarge = [factor](auto& lengths) {
    for (double& x : lengths) x *= factor;
  };
  for (Link& link : machine.tree.links) {
    enlarge(link.center_of_mass);
    enlarge(link.inertia), enlarge(link.inertia);
  }
  for (Joint& joint : machine.tree.joints) {
    enlarge(joint.position);
    joint.pitch *= factor;
  }
  for (Loop& loop : machine.loops) {
    enlarge(loop.first.position), enlarge(loop.second.position);
    loop.pitch *= factor;
  }
  return machine;
}

/// The coordinates of a machine that is so many times as large.
VectorX<double> enlarged(const Model<double>& model, VectorX<double> q, double factor)
{
  for (const Body<double>& body : model.outward())
    for (int k = 0; k < body.nq; ++k) {
      const bool is_of_quaternion = body.nq > body.nv && k >= body.nq - 4;
      if (!is_of_quaternion && (body.kind == JointKind::free || !model.rate_is_angular(body.v + k)))
        q(body.q + k) *= factor;
    }
  return q;
}

/// A machine in a state that closes it, among forces in no special direction.
template <typename S>
struct Closed {
  const ClosedMachine& machine;
  const Inputs in;
  const Model<S> model;
  const Vector3<S> gravity;
  Loops<S> loops;
  VectorX<S> q, qd, qdd, tau;
  ExternalWrenches<S> Fext;               ///< on the bodies
  std::vector<Vector6<S>> link_wrenches;  ///< the same on the links, in the order of the mechanism

  Closed(const ClosedMachine& of, const Inputs& inputs)
      : machine(of),
        in(inputs),
        model(Model<double>(in.mechanism)),
        gravity(model.gravity()),
        loops(model, machine.loops),
        qdd(to_vector<S>(in.qdd)),
        tau(to_vector<S>(in.tau)),
        Fext(model.bodies() + 1)
  {
    Assembly<S> assembly(model, machine.loops);
    q = assembly.close(to_vector<S>(in.q));
    qd = assembly.project(q, to_vector<S>(in.qd));
    loops(q, qd);
    if (in.nudge != 0) move_state();
    for (std::size_t l = 0; l < in.mechanism.links.size(); ++l) {
      const auto& x = in.link_wrenches[l];
      const Wrench<S> F{{S(x[0]), S(x[1]), S(x[2])}, {S(x[3]), S(x[4]), S(x[5])}};
      const LinkFrame<S>& link = model.link(in.mechanism.links[l].name);
      Fext[link.body] += coAdInv(link.X, F);
      link_wrenches.push_back(coordinates(F));
    }
  }

  /// Take another state, which closes it too.
  void stand_at(const VectorX<S>& other_q, const VectorX<S>& other_qd)
  {
    q = other_q, qd = other_qd;
    loops(q, qd);
  }

  /// A state is an input of all that follows, and is moved by an ulp with the rest, unless that locks the machine.
  void move_state()
  {
    std::mt19937_64 signs(in.nudge);
    const VectorX<S> closed_q = q, closed_qd = qd;
    const int rank = rank_of_A();
    for (VectorX<S>* x : {&q, &qd})
      for (S& number : *x) number += S(signs() % 2 ? unit_roundoff<double>() : -unit_roundoff<double>()) * number;
    loops(q, qd);
    if (rank_of_A() > rank) stand_at(closed_q, closed_qd);
  }
  int rank_of_A() const
  {
    SemidefiniteSolver<S> solver(loops.rows());
    solver.factor(loops.A * loops.A.transpose());
    return solver.rank();
  }

  /// The rates of some joints.
  std::vector<bool> flags(const std::vector<std::string>& joints) const
  {
    std::vector<bool> flags(model.nv(), false);
    for (const JointSlot& joint : model.joints())
      if (std::find(joints.begin(), joints.end(), joint.name) != joints.end())
        std::fill_n(flags.begin() + joint.v, joint.nv, true);
    return flags;
  }
  int mobility() const
  {
    const std::vector<bool> leading = flags(machine.leaders);
    return static_cast<int>(std::count(leading.begin(), leading.end(), true));
  }

  ConstrainedDynamics<S> run(const std::vector<bool>& prescribed, const VectorX<S>& given_qdd) const
  {
    ConstrainedDynamics<S> run(model, prescribed, loops.rows());
    run(q, qd, given_qdd, tau, loops.A, loops.Adot_qd, Fext);
    return run;
  }

  /// What multipliers stand for at each cut joint: a wrench on the second link about the second frame, in world axes.
  VectorX<S> transmitted(const VectorX<S>& lambda) const
  {
    ForwardKinematics<S> place(model);
    place(q, qd);
    VectorX<S> wrenches(6 * machine.loops.size());
    int at = 0;
    for (const Loop& loop : machine.loops) {
      const auto& [x, y, z, w] = loop.second.quaternion;
      const SO3<S> R = place.link_pose(model.link(loop.second.link)).R *
                       SO3<S>(Quaternion<S>{{S(x), S(y), S(z)}, S(w)}) *
                       rotation_from_z(Vector3<S>{S(loop.axis[0]), S(loop.axis[1]), S(loop.axis[2])});
      Wrench<S> W;
      for (int row = 0; row < loops.rows(); ++row)
        if (loops.name_of_row(row) == loop.name) W += lambda(row) * loops.reaction[row];
      wrenches.template segment<6>(at) = coordinates(Wrench<S>{R * W.m, R * W.f});
      at += 6;
    }
    return wrenches;
  }
};

/// The inputs of a case: a guess near the machine's own, and drawn numbers.
Inputs drawn(const ClosedMachine& machine, std::uint64_t seed)
{
  Inputs in = Inputs::draw(machine.tree, {}, seed);
  in.q = machine.guess;
  for (std::size_t k = 0; k < in.q.size(); ++k) in.q[k] += 0.05 * in.free_numbers[k];
  return in;
}

/// Two sides must be equal in double and in 50 digits, by the growth of a change of the inputs.
void judge(const std::string& what, int n, const Sides<double>& in_double, const Sides<Fifty>& in_fifty,
           const Sides<Fifty>& moved, const Sides<Fifty>& moved_again)
{
  const std::vector<double> kappa = growth(in_fifty, moved), again = growth(in_fifty, moved_again);
  const std::vector<double> r_double = residuals(in_double);
  const std::vector<Fifty> r_fifty = residuals(in_fifty);
  BOOST_TEST_REQUIRE(r_double.size() == kappa.size());
  for (std::size_t g = 0; g < kappa.size(); ++g) {
    const double k = std::max(kappa[g], again[g]);
    BOOST_TEST_CONTEXT(what << ", group " << g << ", kappa " << k)
    {
      BOOST_TEST(r_double[g] <= tolerance(n, unit_roundoff<double>(), k, 1e-11));
      BOOST_TEST(static_cast<double>(r_fifty[g]) <=
                 tolerance(n, static_cast<double>(unit_roundoff<Fifty>()), k, 1e-44));
    }
  }
}

/// A machine in a drawn state, in the precisions that a proof needs.
struct Case {
  Closed<double> in_double;
  Closed<Fifty> in_fifty, moved, moved_again;

  Case(const ClosedMachine& machine, std::uint64_t seed) : Case(machine, drawn(machine, seed), static_cast<int>(seed))
  {
  }

  template <typename Compare>
  void check(const std::string& what, const Compare& sides) const
  {
    judge(in_double.machine.name + ": " + what, in_double.model.nv(), sides(in_double), sides(in_fifty), sides(moved),
          sides(moved_again));
  }

private:
  Case(const ClosedMachine& machine, const Inputs& in, int seed)
      : in_double(machine, in),
        in_fifty(machine, in),
        moved(machine, nudged(in, 2 * seed + 1)),
        moved_again(machine, nudged(in, 2 * seed + 2))
  {
  }
  Inputs nudged(const Inputs& in, int seed) const
  {
    Inputs moved = in.nudged(seed);
    const bool overconstrained = in_double.loops.rows() + in_double.mobility() > in_double.model.nv();
    if (overconstrained) moved.mechanism.joints = in.mechanism.joints;
    return moved;
  }
};

/// The same motion by free bodies: accelerations, forces, and what the cut joints transmit in least norm.
template <typename S>
Sides<S> witnessed(const Closed<S>& x, const ConstrainedDynamics<S>& run, const std::vector<bool>& prescribed)
{
  Sides<S> sides;
  VectorX<S> qdd = run.qdd(), tau = x.tau;
  const VectorX<S> wrenches = witness::complete_closed_motion<S>(x.in.mechanism, x.machine.loops, x.q, x.qd, qdd, tau,
                                                                 prescribed, x.gravity.eigen(), x.link_wrenches);
  sides.add_by_unit(x.model, run.qdd(), qdd, run.tree.qdd());  // what is found by correcting the motion of the tree
  sides.add_by_unit(x.model, run.tau(), tau, run.tree.tau());
  sides.add(x.transmitted(run.lambda()), wrenches);  // moments and forces in one, as their norm takes them
  return sides;
}

/// What is left of both equations, with mass matrix and bias of vector mechanics, beside the largest of their terms.
double kkt_residual(const Closed<double>& x, const ConstrainedDynamics<double>& run)
{
  Inputs in = x.in;
  in.q.assign(x.q.begin(), x.q.end()), in.qd.assign(x.qd.begin(), x.qd.end());
  const Specimen<double> state(in);
  const MatrixX<double>&M = state.witness_mass_matrix(), &A = x.loops.A;
  const VectorX<double> carried = A.transpose() * run.lambda();
  const VectorX<double> motion = M * run.qdd() + state.witness_bias() - run.tau() - carried;
  const VectorX<double> closing = A * run.qdd() + x.loops.Adot_qd;
  const VectorX<double> accelerations = run.qdd().cwiseAbs() + run.tree.qdd().cwiseAbs();
  return std::max(largest(motion) / largest(M.cwiseAbs() * accelerations + carried.cwiseAbs()),
                  largest(closing) / largest(A.cwiseAbs() * accelerations));
}

/// A motion x(t) = x + v t + a t^2 / 2 of the first joint.
struct Crank {
  double x, v, a;
  int nudge_seed = 0;
  Crank nudged(int seed) const
  {
    const auto nudge = [&](double number, int bit) { return std::nextafter(number, seed & bit ? 10 : -10); };
    return {nudge(x, 1), nudge(v, 2), nudge(a, 4), seed};
  }
  /// What the library has found is an input of its next step: moved by an ulp when the crank is.
  template <typename S>
  VectorX<S> as_input(VectorX<S> found) const
  {
    std::mt19937 signs(static_cast<unsigned>(nudge_seed));
    if (nudge_seed != 0)
      for (S& one : found) one += S(signs() % 2 ? unit_roundoff<double>() : -unit_roundoff<double>()) * one;
    return found;
  }
};

/// Coordinates, rates and accelerations of a machine of one degree by the library, and by the closed form of a textbook,
/// which tells all coordinates from the first.
template <typename S, typename ClosedForm>
Sides<S> followers(const ClosedMachine& machine, const Crank& crank, const ClosedForm& closed_form)
{
  const Series<S> t = time_series<S>();
  const std::vector<Series<S>> expected =
      closed_form(Series<S>(Series<S>(S(crank.x)) + S(crank.v) * t + S(crank.a / 2) * t * t));
  const Model<S> model{Model<double>(machine.tree)};
  const int n = model.nv();
  VectorX<S> values(n), rates(n), accelerations(n), guess(n), wish = VectorX<S>::Zero(n), given = wish;
  for (int k = 0; k < n; ++k) {
    values(k) = derivative(expected[k], 0), rates(k) = derivative(expected[k], 1);
    accelerations(k) = derivative(expected[k], 2);
    guess(k) = k == 0 ? S(crank.x) : S(values(k) + S(0.1));
  }
  wish(0) = S(crank.v), given(0) = S(crank.a);

  std::vector<bool> first(n, false);
  first[0] = true;
  Assembly<S> assembly(model, machine.loops, first);
  const VectorX<S> q = crank.as_input(assembly.close(guess)), qd = crank.as_input(assembly.project(q, wish));
  Loops<S> loops(model, machine.loops);
  loops(q, qd);
  ConstrainedDynamics<S> run(model, first, loops.rows());
  run(q, qd, given, VectorX<S>::Zero(n), loops.A, loops.Adot_qd);
  Sides<S> sides;
  sides.add(q, values);
  sides.add(qd, rates);
  sides.add(run.qdd(), accelerations);
  return sides;
}

/// Freudenstein's equation for the angles of coupler and rocker of an open four-bar, as in Norton's book.
struct FourBar {
  double d, a, b, c;  // ground, crank, coupler, rocker
  template <typename T>
  std::vector<T> operator()(const T& crank) const
  {
    using std::sqrt, std::cos, std::sin, std::atan;
    using S = typename T::root_type;
    const S d(this->d), a(this->a), b(this->b), c(this->c);
    const auto root = [](const T& A, const T& B, const T& C) {  // the angle of tan(x/2) with A tan^2 + B tan + C = 0
      return T(S(2) * atan(T(S(2) * C / (sqrt(T(B * B - S(4) * A * C)) - B))));
    };
    const S K1 = d / a, K2 = d / c, K3 = (a * a - b * b + c * c + d * d) / (2 * a * c), K4 = d / b,
            K5 = (c * c - d * d - a * a - b * b) / (2 * a * b);
    const T x = cos(crank), y = T(S(-2) * sin(crank));
    const T rocker = root(T(x * (S(1) - K2) - K1 + K3), y, T(K1 - (K2 + S(1)) * x + K3));
    const T coupler = root(T(x * (S(1) + K4) - K1 + K5), y, T(K1 + (K4 - S(1)) * x + K5));
    return {crank, T(coupler - crank), rocker};
  }
};

/// The angles of Bricard's orthogonal linkage of equal bars.
struct Bricard {
  template <typename T>
  std::vector<T> operator()(const T& x) const
  {
    using std::acos, std::cos;
    using S = typename T::root_type;
    const T y = acos(T(S(1) / (S(1) + cos(x)) - S(1)));
    return {x, y, x, y, x, y};
  }
};

template <typename ClosedForm>
void check_followers(const ClosedMachine& machine, const Crank& crank, const ClosedForm& closed_form)
{
  judge(machine.name + " at " + std::to_string(crank.x), static_cast<int>(machine.guess.size()),
        followers<double>(machine, crank, closed_form), followers<Fifty>(machine, crank, closed_form),
        followers<Fifty>(machine, crank.nudged(1), closed_form),
        followers<Fifty>(machine, crank.nudged(6), closed_form));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(closed_machines)

BOOST_AUTO_TEST_CASE(free_bodies_move_and_push_alike)
{
  for (const ClosedMachine& machine : validation::closed_machines())
    for (const int seed : {1, 2}) {
      const Case state(machine, seed);
      const Closed<double>& x = state.in_double;
      const std::vector<bool> none(x.model.nv(), false), leaders = x.flags(machine.leaders);
      std::vector<bool> all_but_one(x.model.nv(), true);
      all_but_one.back() = false;

      // Forces given; leaders prescribed; nearly all prescribed, as the forces would move them.
      const auto forward = [&](const auto& y) { return y.run(none, y.qdd); };
      const auto hybrid = [&](const auto& y) { return y.run(leaders, y.qdd); };
      const auto redundant = [&](const auto& y) { return y.run(all_but_one, forward(y).qdd()); };
      state.check("forces given", [&](const auto& y) { return witnessed(y, forward(y), none); });
      state.check("leaders prescribed", [&](const auto& y) { return witnessed(y, hybrid(y), leaders); });
      state.check("nearly all prescribed", [&](const auto& y) { return witnessed(y, redundant(y), all_but_one); });
      BOOST_TEST(kkt_residual(x, forward(x)) <= 1e-12, machine.name);
      BOOST_TEST(kkt_residual(x, hybrid(x)) <= 1e-12, machine.name);
    }
}

BOOST_AUTO_TEST_CASE(ranks_tell_the_mobility_and_counts_do_not)
{
  // The table of chapter 07: joint rates, rows, rank, mobility, motors.
  const std::map<std::string, std::array<int, 5>> table{{"five_bar", {4, 5, 2, 2, 2}},
                                                        {"five_bar_halved", {5, 6, 3, 2, 2}},
                                                        {"four_bar", {3, 5, 2, 1, 1}},
                                                        {"hoeken", {3, 5, 2, 1, 1}},
                                                        {"bricard", {6, 6, 5, 1, 1}},
                                                        {"bricard_at_a_hinge", {5, 5, 4, 1, 1}},
                                                        {"stewart_platform", {21, 15, 15, 6, 6}},
                                                        {"two_loops", {10, 7, 7, 3, 4}},
                                                        {"standing_quadruped", {18, 12, 12, 6, 12}}};
  for (const ClosedMachine& machine : validation::closed_machines()) {
    const Case state(machine, 3);
    const auto& x = state.in_double;
    const auto& [n, rows, rank, mobility, motors] = table.at(machine.name);
    const std::vector<bool> driven = x.flags(machine.motors);
    BOOST_TEST_CONTEXT(machine.name)
    {
      BOOST_TEST(x.model.nv() == n);
      BOOST_TEST(x.loops.rows() == rows);
      BOOST_TEST(x.rank_of_A() == rank);
      BOOST_TEST(state.in_fifty.rank_of_A() == rank);
      BOOST_TEST(x.mobility() == mobility);
      BOOST_TEST(n - rank == mobility);
      BOOST_TEST(std::count(driven.begin(), driven.end(), true) == motors);

      // Enough motors for any motion; forces are unique if there is not one too many.
      const VectorX<double> tau_r =
          InverseDynamics<double>(x.model)(x.q, x.qd, x.run(std::vector<bool>(n, false), x.qdd).qdd(), x.Fext);
      const auto forces = constrained_inverse_dynamics<double>(tau_r, VectorX<double>::Zero(n), x.loops.A, driven);
      BOOST_TEST(forces.unique == (motors == mobility));
      BOOST_TEST(forces.rank_passive == n - motors);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_machine_closes_alike_at_every_size)
{
  // Powers of two: not a bit may differ.
  for (const ClosedMachine& machine : validation::closed_machines()) {
    const Model<double> model(machine.tree);
    const VectorX<double> guess = to_vector<double>(machine.guess);
    const VectorX<double> q = close_loops<double>(model, machine.loops, guess);
    for (const double size : {0x1p-20, 0x1p-10, 0x1p10, 0x1p20}) {
      const ClosedMachine other = enlarged(machine, size);
      const VectorX<double> found =
          close_loops<double>(Model<double>(other.tree), other.loops, enlarged(model, guess, size));
      BOOST_TEST((found - enlarged(model, q, size)).cwiseAbs().maxCoeff() == 0, machine.name << " at " << size);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_bar_one_millimetre_longer_locks_bricards_linkage)
{
  ClosedMachine machine = validation::bricard();
  const auto close = [&] {
    const Model<double> model(machine.tree);
    Assembly<double> assembly(model, machine.loops);
    const VectorX<double> q = assembly.close(to_vector<double>(machine.guess));
    Eigen::JacobiSVD<MatrixX<double>> svd(assembly.loops().A);
    return std::pair{q, VectorX<double>(svd.singularValues())};
  };
  BOOST_TEST(close().second(5) <= rounding(6));
  machine.tree.joints[3].position[0] += 1e-3;
  // What closes is a frame: every other hinge stretched, the others near 120 degrees, and no singular value is rounding.
  const auto [q, singular] = close();
  for (const int k : {0, 2, 4}) BOOST_TEST(std::abs(q(k)) <= 1e-12);
  for (const int k : {1, 3, 5}) BOOST_TEST(std::abs(q(k) - 2.094) <= 0.005);
  BOOST_TEST(singular(5) >= 1e-4);
  // A shorter way off is too little to be found out from the middle of the motion, and too much to close there.
  machine.tree.joints[3].position[0] -= 1e-3 - 1e-6;
  BOOST_CHECK_EXCEPTION(close(), StateError, [](const StateError& error) {
    return std::string(error.what()).find("e-07 (m or rad)") != std::string::npos;
  });
}

BOOST_AUTO_TEST_CASE(Adot_qd_is_what_differences_of_50_digits_say)
{
  for (const ClosedMachine& machine : validation::closed_machines()) {
    const Case state(machine, 7);
    const Closed<double>& x = state.in_double;
    const VectorX<Fifty> q = x.q.cast<Fifty>(), qd = x.qd.cast<Fifty>();
    Loops<Fifty> moving(state.in_fifty.model, machine.loops);
    const auto rate = [&](const Fifty& time) -> VectorX<Fifty> {
      moving(displaced(state.in_fifty.model, q, VectorX<Fifty>(time * qd)), qd);
      return moving.A * qd;
    };
    const Fifty h("1e-12");  // off by h^2, far below the digits of double
    const VectorX<double> differences = VectorX<Fifty>((rate(h) - rate(-h)) / (2 * h)).cast<double>();
    double acceleration = 0;
    for (const Twist<double>& V : x.loops.Vdot) acceleration = std::max(acceleration, largest(coordinates(V)));
    BOOST_TEST(largest(differences) > 0.01 * acceleration);
    BOOST_TEST(largest(x.loops.Adot_qd - differences) <= rounding(x.model.nv()) * acceleration, machine.name);
  }
}

BOOST_AUTO_TEST_CASE(four_bars_move_as_freudensteins_equation_says)
{
  for (int k = 0; k < 8; ++k) {
    const Crank crank{0.3 + 0.75 * k, 1.3 - 0.4 * k, 2.1 * k - 5};
    check_followers(validation::four_bar(), crank, FourBar{0.1, 0.04, 0.12, 0.08});
    check_followers(hoeken(), crank, FourBar{0.125, 0.0625, 0.15625, 0.15625});
  }
}

BOOST_AUTO_TEST_CASE(a_published_four_bar_stands_where_its_author_says)
{
  const double degree = 0.017453292519943295;
  const ClosedMachine machine = validation::four_bar();
  const Model<double> model(machine.tree);
  Assembly<double> assembly(model, machine.loops, {true, false, false});
  VectorX<double> guess = to_vector<double>(machine.guess);
  guess(0) = 40 * degree;
  const VectorX<double> q = assembly.close(guess) / degree;
  BOOST_TEST(std::abs(q(0) + q(1) - 20.298) <= 0.0005);
  BOOST_TEST(std::abs(q(2) - 57.325) <= 0.0005);
}

BOOST_AUTO_TEST_CASE(a_point_of_hoekens_coupler_goes_straight_for_half_a_turn)
{
  // The pins of the coupler and the pen are equally far from the rocker's pin, and so is the rocker's foot: by Thales the
  // pen is seen from there at a right angle to the crank's pin.
  const ClosedMachine machine = hoeken();
  const Model<double> model(machine.tree);
  Assembly<double> assembly(model, machine.loops, {true, false, false});
  ForwardKinematics<double> place(model);
  const auto pen = [&](double crank) {
    VectorX<double> guess(3);
    for (int k = 0; k < 3; ++k)
      guess(k) = FourBar{0.125, 0.0625, 0.15625, 0.15625}(Dual<double>(crank))[k].derivative(0);
    place(assembly.close(guess), VectorX<double>::Zero(3));
    const SE3<double> seen = inverse(place.link_pose(model.link("ground"))) * place.link_pose(model.link("pen"));
    return Vector3<double>((1 / 0.0625) * seen.p);  // in cranks
  };
  const double quarter = std::acos(0.0), high = std::acos(-0.625);
  for (int k = 0; k <= 40; ++k) {
    const double crank = quarter * (1 + k / 20.0), c = std::cos(crank), s = std::sin(crank);
    const double stretch = std::sqrt((20 + 4 * c) / (5 - 4 * c));
    const Vector3<double> p = pen(crank);
    BOOST_TEST(std::abs(p[0] - (2 + stretch * s)) <= rounding(3) * 5);
    BOOST_TEST(std::abs(p[1] - stretch * (2 - c)) <= rounding(3) * 5);
    BOOST_TEST(p[1] >= 4 - rounding(3) * 4);
    BOOST_TEST(p[1] <= std::sqrt(16.078125) + rounding(3) * 4);
  }
  BOOST_TEST(std::abs(pen(high)[1] - std::sqrt(16.078125)) <= rounding(3) * 4);
  BOOST_TEST(std::abs(pen(quarter)[0] - pen(3 * quarter)[0] - 4) <= rounding(3) * 4);
}

BOOST_AUTO_TEST_CASE(bricards_hinges_obey_their_closed_form_wherever_it_is_cut)
{
  for (int k = 0; k < 6; ++k) {
    const Crank crank{-1.9 + 0.75 * k, 1.3 - 0.4 * k, 2.1 * k - 5};
    check_followers(validation::bricard(), crank, Bricard());
    check_followers(bricard_at_a_hinge(), crank, Bricard());
  }
}

/// The halved five-bar with its rod made whole: the joint `pin` gives way to the fixed joint behind the rod.
Inputs made_whole(Inputs in)
{
  in.mechanism.joints.back() = five_bar().joints.back();
  for (auto* numbers : {&in.q, &in.qd, &in.qdd, &in.tau}) numbers->erase(numbers->begin() + 2);
  in.nudge = 0;
  return in;
}
const std::vector<int> common{0, 1, 3, 4};  // joints that both have

BOOST_AUTO_TEST_CASE(a_five_bar_moves_alike_cut_at_a_pin_or_through_a_rod)
{
  const ClosedMachine halved = five_bar_halved(), pinned = five_bar_with_pin();
  const auto compare = [&]<typename S>(const Closed<S>& rod) {
    Closed<S> pin(pinned, made_whole(rod.in));
    pin.stand_at(rod.q(common), rod.qd(common));
    VectorX<S> tau = rod.tau;
    tau(2) = S(0);

    Sides<S> sides;
    for (const auto& joints : {std::vector<std::string>{}, halved.leaders}) {
      ConstrainedDynamics<S> run(rod.model, rod.flags(joints), rod.loops.rows());
      run(rod.q, rod.qd, rod.qdd, tau, rod.loops.A, rod.loops.Adot_qd, rod.Fext);
      const ConstrainedDynamics<S> same = pin.run(pin.flags(joints), pin.qdd);
      sides.add(VectorX<S>(run.qdd()(common)), same.qdd());
      sides.add(VectorX<S>(run.tau()(common)), same.tau());
    }
    return sides;
  };
  for (const int seed : {3, 4}) Case(halved, seed).check("cut at the pin", compare);
}

BOOST_AUTO_TEST_CASE(one_motor_is_refused_two_are_unique_three_have_a_choice)
{
  const ClosedMachine machine = five_bar_halved();
  const Case state(machine, 5);
  const Closed<double>& x = state.in_double;
  const int n = x.model.nv();
  const VectorX<double> qdd = x.run(std::vector<bool>(n, false), x.qdd).qdd();
  const VectorX<double> tau_r = InverseDynamics<double>(x.model)(x.q, x.qd, qdd, x.Fext);
  const VectorX<double> none = VectorX<double>::Zero(n);
  const MatrixX<double>& A = x.loops.A;
  const auto solve = [&](const std::vector<bool>& motors, Least least) {
    return constrained_inverse_dynamics<double>(tau_r, none, A, motors, least);
  };
  const double tolerance = 100 * rounding(n) * largest(tau_r);

  BOOST_CHECK_THROW(solve({true, false, false, false, false}, Least::actuator_force), StateError);
  const auto two = solve({true, false, false, true, false}, Least::actuator_force);
  BOOST_TEST(two.unique);
  BOOST_TEST(two.rank_passive == 3);
  BOOST_TEST(largest(tau_r - two.tau - A.transpose() * two.lambda) <= tolerance);

  // The printed form of (59) and (62) with a basis N of the null space of the block of the passive joints.
  const std::vector<int> a{0, 1, 3}, p{2, 4};
  const MatrixX<double> Aa = A(Eigen::all, a), Ap = A(Eigen::all, p);
  Eigen::JacobiSVD<MatrixX<double>> svd(Ap.transpose(), Eigen::ComputeFullU | Eigen::ComputeFullV);
  svd.setThreshold(1e-8);
  const VectorX<double> least = svd.solve(VectorX<double>(tau_r(p)));
  const MatrixX<double> N = svd.matrixV().rightCols(A.rows() - 2), B = Aa.transpose() * N;
  Eigen::JacobiSVD<MatrixX<double>> presses(B, Eigen::ComputeFullU | Eigen::ComputeFullV);
  presses.setThreshold(1e-8);
  const VectorX<double> rest = tau_r(a) - Aa.transpose() * least;
  const VectorX<double> shortest = rest - B * presses.solve(rest);

  const auto motors = solve({true, true, false, true, false}, Least::actuator_force);
  const auto gentle = solve({true, true, false, true, false}, Least::constraint_force);
  BOOST_TEST(!motors.unique);
  BOOST_TEST(largest(motors.tau(a) - shortest) <= tolerance);
  BOOST_TEST(largest(gentle.tau(a) - rest) <= tolerance);
  BOOST_TEST(largest(gentle.lambda - least) <= tolerance);
  // Nothing that the loop leaves open makes either shorter; and each pays for it in the other.
  BOOST_TEST(largest(B.transpose() * motors.tau(a)) <= tolerance);
  BOOST_TEST(largest(N.transpose() * gentle.lambda) <= tolerance);
  BOOST_TEST(motors.tau.norm() < gentle.tau.norm());
  BOOST_TEST(motors.tau.norm() < two.tau.norm());
  BOOST_TEST(gentle.lambda.norm() < motors.lambda.norm());

  // Where the loop is cut is nothing to the motors; but the constraint force is another one at the pin than in the rod.
  const ClosedMachine pinned = five_bar_with_pin();
  Closed<double> pin(pinned, made_whole(x.in));
  pin.stand_at(x.q(common), x.qd(common));
  const VectorX<double> tau_r_pin = InverseDynamics<double>(pin.model)(pin.q, pin.qd, qdd(common), pin.Fext);
  const auto at_pin = [&](Least least) {
    return constrained_inverse_dynamics<double>(tau_r_pin, none(common), pin.loops.A, {true, true, true, false}, least);
  };
  BOOST_TEST(largest(at_pin(Least::actuator_force).tau - motors.tau(common)) <= tolerance);
  BOOST_TEST(largest(at_pin(Least::constraint_force).tau - gentle.tau(common)) > 0.01 * largest(gentle.tau));
}

BOOST_AUTO_TEST_SUITE_END()
