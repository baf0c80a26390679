/** \file
 *  \brief What a cut joint demands: against the tree that has this joint, along displacements, by hand.
 *
 *  Everything is asked in double, derivatives by complex steps, which have no truncation error. A motion with its
 *  multipliers solves one system of equations, [M, -A^T; A, 0], and so does its derivative: both are known to
 *  100 n eps of their size times the condition of that system.
 */
#include <boost/test/unit_test.hpp>
#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <random>
#include <articulate/articulate.hpp>
#include <constrained/compiled.hpp>
#include <models/closed_machines.hpp>
#include <models/unit.hpp>
#include <says.hpp>

using namespace articulate;
using namespace articulate::validation;

namespace {

using Complex = std::complex<double>;
using Flags = Indexed<bool>;

double largest(const VectorX<double>& x) { return x.size() == 0 ? 0 : x.cwiseAbs().maxCoeff(); }

std::mt19937 generator{19};
VectorX<double> drawn(int n, double size = 1)
{
  std::uniform_real_distribution<double> uniform(-size, size);
  return VectorX<double>::NullaryExpr(n, [&] { return uniform(generator); });
}

Wrench<double> drawn_wrench()
{
  const VectorX<double> x = drawn(6, 5);
  return {{x(0), x(1), x(2)}, {x(3), x(4), x(5)}};
}

/// A machine in a state that closes it.
struct Closed {
  std::string name;
  Model<double> model;
  std::vector<Loop> cuts;
  Flags leaders;  ///< nv: degrees that all others follow
  VectorX<double> q, qd;

  int n() const { return model.nv(); }
  Loops<double> loops() const
  {
    Loops<double> loops(model, cuts);
    loops(q, qd);
    return loops;
  }

  /// How much [M, -A^T; A, 0] magnifies a change in the degrees that are found, where it is not singular.
  double condition(const MatrixX<double>& A, const Flags& prescribed) const
  {
    const auto m = A.rows();
    MatrixX<double> K = MatrixX<double>::Zero(n() + m, n() + m);
    K.topLeftCorner(n(), n()) = mass_matrix<double>(model, q);
    K.bottomLeftCorner(m, n()) = A, K.topRightCorner(n(), m) = A.transpose();
    for (int k = 0; k < n(); ++k)
      if (prescribed[k]) K.row(k).setZero(), K.col(k).setZero();
    const Eigen::SelfAdjointEigenSolver<MatrixX<double>> solver(K, Eigen::EigenvaluesOnly);
    const VectorX<double> sizes = solver.eigenvalues().cwiseAbs();
    double condition = 1;
    for (const double size : sizes)
      if (size > rank_tolerance<double>(n()) * largest(sizes)) condition = std::max(condition, largest(sizes) / size);
    return condition;
  }
};

// --- A body that a joint holds to another one

const Loop::End seat_on_carrier{"carrier", {0.3, -0.2, 0.5}, unit({1, -2, 3, 6})};
const Loop::End seat_on_body{"body", {-0.1, 0.2, 0.15}, unit({2, 1, -1, 5})};
const std::array<double, 3> axis{0.2, -0.3, 0.9};
const double pitch = 0.15;
const JointType cut_types[] = {
    JointType::fixed,     JointType::revolute,    JointType::continuous, JointType::prismatic,  JointType::helical,
    JointType::universal, JointType::cylindrical, JointType::planar,     JointType::euler_ball, JointType::ball};

SE3<double> pose(const Loop::End& end)
{
  const auto& [x, y, z, w] = end.quaternion;
  return {SO3<double>(Quaternion<double>{{x, y, z}, w}), {end.position[0], end.position[1], end.position[2]}};
}

/// A carrier that moves freely, and a body; what joins them is left to the caller.
Mechanism two_bodies()
{
  Mechanism two;
  two.name = two.source = "two bodies";
  two.gravity = {1.2, -2.1, -9.3};
  two.links = {{"root"},
               {"carrier", 1.7, {0.1, 0.2, -0.1}, unit({1, 2, -1, 7}), {0.11, 0.02, -0.01, 0.14, 0.03, 0.09}},
               {"body", 0.9, {0.2, -0.1, 0.3}, unit({2, -1, 1, 8}), {0.05, -0.01, 0.01, 0.07, 0.02, 0.06}}};
  two.joints = {{"carriage", JointType::floating, "root", "carrier"}};
  return two;
}

/// Somewhere, whatever turns freely turned.
VectorX<double> drawn_position(const Model<double>& model)
{
  VectorX<double> upright = VectorX<double>::Zero(model.nq());
  for (const Body<double>& body : model.outward())
    if (body.nq > body.nv) upright(body.q + body.nq - 1) = 1;
  return displaced(model, upright, drawn(model.nv()));
}

/// The same two bodies: held together by a joint, and by loops that leave what the joint leaves.
struct Held {
  Model<double> tree;
  VectorX<double> q, qd;  // of the tree
  Closed cut;

  explicit Held(JointType type)
      : tree(with_joint(type)), q(drawn_position(tree)), qd(drawn(tree.nv())), cut(with_cut(type))
  {
  }

  static Model<double> with_joint(JointType type)
  {
    Mechanism two = two_bodies();
    two.links.insert(two.links.begin() + 2, Link{"hub"});
    two.joints.push_back(
        {"joint", type, "carrier", "hub", seat_on_carrier.position, seat_on_carrier.quaternion, axis, pitch});
    const SE3<double> seat = inverse(pose(seat_on_body));
    const auto& [x, y, z, w] = seat_on_body.quaternion;
    two.joints.push_back({"seat", JointType::fixed, "hub", "body", {seat.p[0], seat.p[1], seat.p[2]}, {-x, -y, -z, w}});
    return Model<double>(two);
  }
  Closed with_cut(JointType type) const
  {
    Mechanism two = two_bodies();
    two.joints.push_back({"flight", JointType::floating, "root", "body"});
    const Model<double> model(two);
    ForwardKinematics<double> place(tree);
    place(q, qd);
    VectorX<double> positions(14), twists(12);
    for (int k = 0; const char* link : {"carrier", "body"}) {
      const SE3<double> T = place.link_pose(tree.link(link));
      const Quaternion<double> turn = quaternion(T.R);
      positions.segment<7>(7 * k) << T.p[0], T.p[1], T.p[2], turn.v[0], turn.v[1], turn.v[2], turn.w;
      twists.segment<6>(6 * k) = coordinates(place.link_twist(tree.link(link)));
      ++k;
    }
    Flags leaders(12, false);
    std::fill_n(leaders.begin(), 6, true);
    return {"two bodies cut at joint type " + std::to_string(static_cast<int>(type)),
            model,
            {cut_joint("cut", type, seat_on_carrier, seat_on_body, axis, pitch)},
            leaders,
            positions,
            twists};
  }
};

/// Wrenches on the links, in their frames, as wrenches on the bodies.
ExternalWrenches<double> on_bodies(const Model<double>& model, const Wrench<double>& carrier,
                                   const Wrench<double>& body)
{
  ExternalWrenches<double> F(model.bodies() + 1);
  F[model.link("carrier").body] += coAdInv(model.link("carrier").X, carrier);
  F[model.link("body").body] += coAdInv(model.link("body").X, body);
  return F;
}

// --- Joints that follow each other

/// A tree of joints of all kinds on a free base, of which some of one degree are coupled, one of them to a follower.
struct Coupled {
  Mechanism mechanism = tree();
  Closed closed;
  MatrixX<double> E;  ///< nv x degrees: rates from those that lead

  Coupled() : closed(coupled()), E(MatrixX<double>::Zero(closed.n(), closed.n()))
  {
    for (int k = 0; k < closed.n(); ++k) E(k, k) = closed.leaders[k];
    for (const Joint& joint : mechanism.joints)
      if (joint.mimic) E.row(slot(joint.name).v) = joint.mimic->multiplier * E.row(slot(joint.mimic->joint).v);
    E = MatrixX<double>(E(Eigen::all, leading()));
  }

  std::vector<int> leading() const
  {
    std::vector<int> columns;
    for (int k = 0; k < closed.n(); ++k)
      if (closed.leaders[k]) columns.push_back(k);
    return columns;
  }
  JointSlot slot(const std::string& name) const { return slot_in(closed.model, name); }

private:
  static JointSlot slot_in(const Model<double>& model, const std::string& name)
  {
    return *std::find_if(model.joints().begin(), model.joints().end(),
                         [&](const JointSlot& one) { return one.name == name; });
  }
  static Mechanism tree()
  {
    Mechanism tree;
    tree.name = tree.source = "coupled joints";
    tree.gravity = {0.7, -1.9, -9.2};
    tree.links = {{"base", 2.1, {0.1, 0, -0.1}, unit({1, 2, -1, 7}), {0.21, 0.02, -0.01, 0.24, 0.03, 0.19}}};
    const auto add = [&](const std::string& name, JointType type, const std::string& parent,
                         const std::optional<Mimic>& mimic = {}) {
      const double k = static_cast<double>(tree.links.size());
      Joint joint{name, type, parent, name + "_link", {0.1 * k, -0.2, 0.3}, unit({1, -k, 2, 6}), {0.2, -0.3, 0.1 * k},
                  0.15};
      joint.mimic = mimic;
      tree.joints.push_back(joint);
      tree.links.push_back({joint.child,
                            0.4 + 0.1 * k,
                            {0.2, -0.1, 0.1 * k},
                            unit({k, -1, 1, 8}),
                            {0.05, -0.01, 0.01, 0.07, 0.02, 0.06}});
    };
    add("shoulder", JointType::revolute, "base");
    add("wrist", JointType::ball, "shoulder_link");
    add("thread", JointType::helical, "wrist_link", Mimic{"shoulder", -0.7, 0.2});
    add("rail", JointType::prismatic, "shoulder_link", Mimic{"thread", 0.3, -0.1});
    add("rack", JointType::prismatic, "base");
    add("pinion", JointType::continuous, "rack_link", Mimic{"rack", -4, 0.5});
    return tree;
  }
  Closed coupled() const
  {
    const Model<double> model(mechanism, {.floating_base = true});
    Closed at{mechanism.name,   model, mimic_loops(mechanism), Flags(model.nv(), true), drawn_position(model),
              drawn(model.nv())};
    for (const Joint& joint : mechanism.joints) {
      if (!joint.mimic) continue;
      const JointSlot follower = slot_in(model, joint.name), leader = slot_in(model, joint.mimic->joint);
      at.q(follower.q) = joint.mimic->multiplier * at.q(leader.q) + joint.mimic->offset;
      at.qd(follower.v) = joint.mimic->multiplier * at.qd(leader.v);
      at.leaders[follower.v] = false;
    }
    return at;
  }
};

// --- All machines

Closed assembled(const ClosedMachine& machine)
{
  const Model<double> model(machine.tree);
  Flags leaders(model.nv(), false);
  for (const JointSlot& joint : model.joints())
    if (std::find(machine.leaders.begin(), machine.leaders.end(), joint.name) != machine.leaders.end())
      std::fill_n(leaders.begin() + joint.v, joint.nv, true);
  Assembly<double> assembly(model, machine.loops);
  const VectorX<double> guess = Eigen::Map<const VectorX<double>>(machine.guess.data(), model.nq());
  const VectorX<double> q = assembly.close(displaced(model, guess, drawn(model.nv(), 0.05)));
  return {machine.name, model, machine.loops, leaders, q, assembly.project(q, drawn(model.nv()))};
}

std::vector<Closed> all_machines()
{
  std::vector<Closed> all;
  for (const ClosedMachine& machine : closed_machines()) all.push_back(assembled(machine));
  for (const JointType type : cut_types) all.push_back(Held(type).cut);
  all.push_back(Coupled().closed);
  return all;
}

const double h = 1e-100;
VectorX<Complex> step(const VectorX<double>& x, const VectorX<double>& dx)
{
  return x.cast<Complex>() + Complex(0, h) * dx.cast<Complex>();
}
VectorX<Complex> displaced(const Closed& at, const VectorX<double>& dq)
{
  return articulate::displaced(Model<Complex>(at.model), VectorX<Complex>(at.q.cast<Complex>()),
                               step(VectorX<double>::Zero(at.n()), dq));
}

/// The loops, displaced along the imaginary axis.
Loops<Complex> displaced_loops(const Closed& at, const VectorX<double>& dq, const VectorX<double>& dqd)
{
  Loops<Complex> loops(Model<Complex>(at.model), at.cuts);
  loops(displaced(at, dq), step(at.qd, dqd));
  return loops;
}

VectorX<double> coordinates_of(const ExternalWrenches<double>& F)
{
  VectorX<double> x(6 * static_cast<int>(F.size()));
  for (std::size_t i = 0; i < F.size(); ++i) x.segment<6>(static_cast<int>(6 * i)) = coordinates(F[i]);
  return x;
}

// --- Derivatives

/// Add to the seeds what a change of the coordinates and of the rates moves.
void add_motion(Seeds<double>& seeds, const Recursion<double>& at, const VectorX<double>& qd, const VectorX<double>& dq,
                const VectorX<double>& dqd)
{
  const auto add = [&](const Parameter& parameter, double size) {
    const Seeds<double> unit = seeds_of<double>(parameter, at, qd);
    for (std::size_t i = 0; i < seeds.dh.size(); ++i) seeds.dh[i] += size * unit.dh[i];
    for (std::size_t k = 0; k < seeds.dS.size(); ++k) {
      seeds.dS[k] += size * unit.dS[k];
      seeds.dSdot[k] += size * unit.dSdot[k];
    }
    seeds.dqd += size * unit.dqd;
  };
  for (int k = 0; k < qd.size(); ++k) {
    add(Parameter::coordinate(k), dq(k));
    add(Parameter::rate(k), dqd(k));
  }
}

/// Compare the derivative with a complex step, all that is given moving at once.
void check_derivative(const Closed& at, const Flags& prescribed)
{
  const int n = at.n();
  const Loops<double> loops = at.loops();
  const VectorX<double> qdd = drawn(n), tau = drawn(n, 5);
  const Vector3<double> gravity{2.1, -1.4, 7.7}, dgravity{-0.3, 0.6, 0.8};  // not the model's
  ExternalWrenches<double> Fext(at.model.bodies() + 1), dFext(Fext.size());
  for (std::size_t i = 1; i < Fext.size(); ++i) Fext[i] = drawn_wrench(), dFext[i] = drawn_wrench();
  ConstrainedDynamics<double> run(at.model, prescribed, loops.rows());
  run.tree.set_gravity(gravity);
  run(at.q, at.qd, qdd, tau, loops.A, loops.Adot_qd, Fext);

  VectorX<double> dq = drawn(n), dqd = drawn(n), dqdd = drawn(n), dtau = drawn(n);
  for (int k = 0; k < n; ++k) (prescribed[k] ? dtau : dqdd)(k) = 0;
  const VectorX<double> none = VectorX<double>::Zero(n);
  if (run.rank() > 0 && run.rank() < loops.rows()) {
    // Rows depend on each other only where the loops are closed: stay there.
    SemidefiniteSolver<double> solver(loops.rows());
    solver.factor(loops.A * loops.A.transpose());
    dq -= loops.A.transpose() * solver.solve(loops.A * dq);
    const MatrixX<double> dA = displaced_loops(at, dq, none).A.imag() / h;
    dqd -= loops.A.transpose() * solver.solve(loops.A * dqd + dA * at.qd);
  }

  Seeds<double> seeds(at.model);
  add_motion(seeds, run.tree, at.qd, dq, dqd);
  seeds.dqdd = dqdd, seeds.dtau = dtau, seeds.dFext = dFext, seeds.dVdot0 = {{}, -dgravity};
  ConstrainedDynamicsDerivative<double> found(at.model);
  found(run, loops, at.q, at.qd, Fext, seeds);

  const Loops<Complex> moved = displaced_loops(at, dq, dqd);
  Vector3<Complex> g;
  for (int k = 0; k < 3; ++k) g[k] = Complex(gravity[k], h * dgravity[k]);
  ExternalWrenches<Complex> F(Fext.size());
  for (std::size_t i = 0; i < F.size(); ++i)
    F[i] = to_wrench(Vector6<Complex>(step(coordinates(Fext[i]), coordinates(dFext[i]))));
  ConstrainedDynamics<Complex> expected(Model<Complex>(at.model), prescribed, loops.rows());
  expected.tree.set_gravity(g);
  expected(displaced(at, dq), step(at.qd, dqd), step(qdd, dqdd), step(tau, dtau), moved.A, moved.Adot_qd, F);

  const auto derivative = [](const VectorX<Complex>& x) { return VectorX<double>(x.imag() / h); };
  double size = 0;
  for (const VectorX<double>& x :
       {run.qdd(), run.tau(), run.lambda(), run.tree.qdd(), run.tree.tau(), derivative(expected.qdd()),
        derivative(expected.tau()), derivative(expected.lambda())})
    size = std::max(size, largest(x));
  const double most = rounding<double>(n) * at.condition(loops.A, prescribed) * size;
  BOOST_TEST_CONTEXT(at.name << ", rank " << run.rank() << ", at most " << most)
  {
    BOOST_TEST(largest(found.dqdd - derivative(expected.qdd())) <= most);
    BOOST_TEST(largest(found.dtau - derivative(expected.tau())) <= most);
    BOOST_TEST(largest(found.contradiction - derivative(expected.contradiction())) <= most);
    // Multipliers that are not unique carry the same.
    BOOST_TEST(largest(loops.A.transpose() * (found.dlambda - derivative(expected.lambda()))) <= most);
  }
}

/// The nearest displacement along which the loops stay closed, where their rows depend on each other: elsewhere they do not.
VectorX<double> kept_closed(const Loops<double>& loops, const VectorX<double>& dq)
{
  SemidefiniteSolver<double> solver(loops.rows());
  solver.factor(loops.A * loops.A.transpose());
  return solver.rank() == loops.rows() ? dq : VectorX<double>(dq - loops.A.transpose() * solver.solve(loops.A * dq));
}

/// Compare the derivatives of an impulse with a complex step of coordinates and rates at once.
void check_impulse(const Closed& at, double restitution)
{
  const int n = at.n();
  const Loops<double> loops = at.loops();
  const VectorX<double> before = drawn(n), dq = kept_closed(loops, drawn(n)), dbefore = drawn(n);
  LoopImpulseDerivative<double> found(at.model, at.cuts);
  found(at.q, before, restitution);
  LoopImpulse<Complex> expected(Model<Complex>(at.model), at.cuts);
  expected(displaced(at, dq), step(before, dbefore), Complex(restitution));

  const VectorX<double> dqd = expected.qd.imag() / h, dLambda = expected.Lambda.imag() / h;
  double size = 0;
  for (const VectorX<double>& x : {before, found.impulse.qd, found.impulse.Lambda, dqd, dLambda})
    size = std::max(size, largest(x));
  const double most = rounding<double>(n) * at.condition(loops.A, Flags(n, false)) * size;
  BOOST_TEST_CONTEXT(at.name << ", restitution " << restitution << ", at most " << most)
  {
    BOOST_TEST(largest(found.dqd_dq * dq + found.dqd_dbefore * dbefore - dqd) <= most);
    BOOST_TEST(largest(found.contradiction * dq) <= most);
    // What the loops lack when they come apart, and what of it is said not to be met, differ by what rates can meet.
    const VectorX<double> apart = drawn(n), sum = found.impulse.qd + restitution * before;
    const MatrixX<double> dA = displaced_loops(at, apart, VectorX<double>::Zero(n)).A.imag() / h;
    const VectorX<double> lacking = dA * sum, met = lacking - found.contradiction * apart;
    const Eigen::CompleteOrthogonalDecomposition<MatrixX<double>> rows(loops.A);
    BOOST_TEST(largest(met - loops.A * rows.solve(met)) <= most);
    // Impulses that are not unique carry the same.
    const VectorX<double> miss = found.dLambda_dq * dq + found.dLambda_dbefore * dbefore - dLambda;
    BOOST_TEST(largest(loops.A.transpose() * miss) <= most);
  }
}

// --- Far away

const std::array<double, 4> tilted = unit({1, -2, 2, 5});

/// Two bars on one ground, both turning about the z axis of a tilted frame: one on the spot of the pin, one far from it.
Closed far_pin(double distance, bool far_first)
{
  Mechanism bars;
  bars.name = bars.source = "two bars";
  bars.links = {{"ground"}, {"frame"}};
  bars.joints = {{"tilt", JointType::fixed, "ground", "frame", {}, tilted}};
  for (const char* bar : {"far", "near"}) {
    bars.links.push_back({.name = bar, .mass = 1, .inertia = {1, 0, 0, 1, 0, 1}});
    bars.joints.push_back({.name = bar, .type = JointType::revolute, .parent = "frame", .child = bar});
  }
  bars.joints.back().position = {0.75 * distance, -distance, 0};
  const Loop::End far{"far", {0.75 * distance, -distance, 0}}, near{"near"};
  return {"two bars",
          Model<double>(bars),
          {cut_joint("pin", JointType::revolute, far_first ? far : near, far_first ? near : far)},
          {true, true},
          VectorX<double>::Zero(2),
          VectorX<double>::Zero(2)};
}

/// Each test draws the same, whatever ran before it.
struct Drawing {
  Drawing() { generator.seed(19); }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(loops, Drawing)

BOOST_AUTO_TEST_CASE(a_joint_that_is_cut_leaves_and_transmits_what_the_joint_does)
{
  for (const JointType type : cut_types) {
    const Held held(type);
    const Closed& cut = held.cut;
    const Model<double>& tree = held.tree;
    const Wrench<double> on_carrier = drawn_wrench(), on_body = drawn_wrench();
    const VectorX<double> drive = drawn(6, 5);
    VectorX<double> tree_tau = VectorX<double>::Zero(tree.nv()), cut_tau = VectorX<double>::Zero(12);
    tree_tau.head<6>() = cut_tau.head<6>() = drive;

    const auto tree_Fext = on_bodies(tree, on_carrier, on_body), cut_Fext = on_bodies(cut.model, on_carrier, on_body);
    const VectorX<double> qdd = forward_dynamics(tree, held.q, held.qd, tree_tau, tree_Fext);
    Loops<double> loops = cut.loops();
    ConstrainedDynamics<double> run(cut.model, Flags(12, false), loops.rows());
    run(cut.q, cut.qd, VectorX<double>::Zero(12), cut_tau, loops.A, loops.Adot_qd, cut_Fext);
    const double most = rounding<double>(12) * cut.condition(loops.A, Flags(12, false)) *
                        std::max(largest(run.qdd()), std::max(largest(run.tree.qdd()), largest(run.lambda())));
    BOOST_TEST_CONTEXT(cut.name << ", at most " << most)
    {
      BOOST_TEST(loops.rows() == 6 - (tree.nv() - 6));
      BOOST_TEST(run.rank() == loops.rows());
      BOOST_TEST(loops.closed());
      BOOST_TEST(largest(loops.A * cut.qd) <= most);

      // The same accelerations of the links,
      InverseDynamics<double> of_tree(tree), of_cut(cut.model);
      of_tree(held.q, held.qd, qdd, tree_Fext);
      of_cut(cut.q, cut.qd, run.qdd(), cut_Fext);
      const auto acceleration = [](const InverseDynamics<double>& rnea, const char* link) {
        const LinkFrame<double>& frame = rnea.model().link(link);
        return VectorX<double>(coordinates(AdInv(frame.X, rnea.Vdot[frame.body])));
      };
      for (const char* link : {"carrier", "body"})
        BOOST_TEST(largest(acceleration(of_tree, link) - acceleration(of_cut, link)) <= most);

      // and the wrench that the body needs for it, opposite on the carrier.
      const LinkFrame<double>&carrier = cut.model.link("carrier"), &body = cut.model.link("body");
      ExternalWrenches<double> needed = of_cut.F, F(3);
      needed[0] = {};
      needed[carrier.body] += -to_wrench(Vector6<double>(drive));
      loops.add_reactions(run.lambda(), F);
      BOOST_TEST(largest(coordinates_of(F) - coordinates_of(needed)) <= most);
      const std::vector<Wrench<double>> reactions = loops.reactions(run.lambda());
      BOOST_TEST(reactions.size() == 1u);
      const Wrench<double> on_body_frame = coAdInv(body.X * pose(seat_on_body), reactions[0]);
      BOOST_TEST(largest(coordinates(on_body_frame - needed[body.body])) <= most);
    }
  }
}

BOOST_AUTO_TEST_CASE(coupled_joints_move_as_the_machine_without_the_coordinates_that_follow)
{
  const Coupled coupled;
  const Closed& at = coupled.closed;
  const Loops<double> loops = at.loops();
  BOOST_TEST(loops.rows() == 3);
  BOOST_TEST(loops.closed());
  const VectorX<double> tau = drawn(at.n(), 5);
  ExternalWrenches<double> Fext(at.model.bodies() + 1);
  for (std::size_t i = 1; i < Fext.size(); ++i) Fext[i] = drawn_wrench();
  ConstrainedDynamics<double> run(at.model, Flags(at.n(), false), loops.rows());
  run(at.q, at.qd, VectorX<double>::Zero(at.n()), tau, loops.A, loops.Adot_qd, Fext);
  BOOST_TEST(run.rank() == 3);

  // With qd = E y: E^T M E ydot = E^T (tau - bias), whatever couples the joints, for that does no work.
  const VectorX<double> bias = inverse_dynamics<double>(at.model, at.q, at.qd, VectorX<double>::Zero(at.n()), Fext);
  const MatrixX<double> reduced = coupled.E.transpose() * mass_matrix<double>(at.model, at.q) * coupled.E;
  const VectorX<double> expected = coupled.E * reduced.ldlt().solve(coupled.E.transpose() * (tau - bias));
  const double most = rounding<double>(at.n()) * at.condition(loops.A, Flags(at.n(), false)) *
                      std::max({largest(expected), largest(run.tree.qdd()), largest(run.lambda())});
  BOOST_TEST(largest(run.qdd() - expected) <= most);

  // The couplings as forces of joints, and as wrenches on the bodies that these carry and on their parents.
  const VectorX<double> needed = inverse_dynamics<double>(at.model, at.q, at.qd, run.qdd(), Fext);
  BOOST_TEST(largest(needed - tau - loops.A.transpose() * run.lambda()) <= most);
  ExternalWrenches<double> with_couplings = Fext;
  loops.add_reactions(run.lambda(), with_couplings);
  BOOST_TEST(largest(inverse_dynamics<double>(at.model, at.q, at.qd, run.qdd(), with_couplings) - tau) <= most);
  const std::vector<Wrench<double>> reactions = loops.reactions(run.lambda());
  BOOST_TEST_REQUIRE(reactions.size() == 3u);
  for (std::size_t k = 0; k < 3; ++k) {
    const std::string& joint = at.cuts[k].name;
    const Wrench<double> F = coAdInv(at.model.link(joint + "_link").X, reactions[k]);  // z along the axis
    const double lambda = run.lambda()(static_cast<int>(k));
    const bool is_length = joint == "rail";
    BOOST_TEST(loops.is_length(static_cast<int>(k)) == is_length);
    const Vector3<double> z{0, 0, lambda};
    BOOST_TEST(largest(coordinates(F - (is_length ? Wrench<double>{{}, z} : Wrench<double>{z, {}}))) <= most);
  }
}

BOOST_AUTO_TEST_CASE(couplings_are_closed_and_their_gap_is_of_coordinates)
{
  Coupled coupled;
  Closed& at = coupled.closed;
  const VectorX<double> closed = at.q;
  // Two turns further on the axis points the same way, but the gears do not.
  at.q(coupled.slot("pinion").q) += 4 * std::numbers::pi;
  at.q(coupled.slot("rail").q) -= 0.25;
  const Loops<double> open = at.loops();
  BOOST_TEST(!open.closed());
  VectorX<double> gap(3);
  gap << 0, -0.25, 4 * std::numbers::pi;
  for (int m = 0; m < 3; ++m) {
    BOOST_TEST(std::abs(open.violation(m) - gap(m)) <= open.rounding_of_row(m));
    const auto& [joint, follows] = *at.cuts[static_cast<std::size_t>(m)].coupling;
    const double terms = std::abs(follows.offset) + std::abs(at.q(coupled.slot(joint).q)) +
                         std::abs(follows.multiplier * at.q(coupled.slot(follows.joint).q));
    BOOST_TEST(open.rounding_of_row(m) == rounding<double>(at.n()) * terms,
               boost::test_tools::tolerance(8 * std::numeric_limits<double>::epsilon()));
  }

  Flags held = at.leaders;
  const VectorX<double> q = close_loops<double>(at.model, at.cuts, at.q, held);
  at.q = q;
  BOOST_TEST(at.loops().closed());
  for (int m = 0; m < 3; ++m) {
    const int k = coupled.slot(at.cuts[static_cast<std::size_t>(m)].name).q;
    BOOST_TEST(std::abs(q(k) - closed(k)) <= 2 * open.rounding_of_row(m));
  }
}

BOOST_AUTO_TEST_CASE(a_loop_of_numbers_that_are_none_is_refused_and_none_of_the_state_is_none_of_the_answer)
{
  const ClosedMachine good = five_bar_with_pin();
  const Model<double> model(good.tree);
  const auto refuses = [&](const char* sentence, const auto& change) {
    std::vector<Loop> loops = good.loops;
    change(loops[0]);
    try {
      Loops<double>(model, loops);
    } catch (const ModelError& error) {
      return says(error.what(), {loops[0].name.c_str(), sentence});
    }
    return false;
  };
  const double nan = std::nan("");
  BOOST_TEST(refuses("has the axis 0 0 0", [](Loop& loop) { loop.axis = {0, 0, 0}; }));
  BOOST_TEST(refuses("axis that is not a finite number", [&](Loop& loop) { loop.axis[1] = nan; }));
  BOOST_TEST(refuses("has the quaternion 0 0 0 0", [](Loop& loop) { loop.second.quaternion = {0, 0, 0, 0}; }));
  BOOST_TEST(refuses("rotation that is not a finite number", [&](Loop& loop) { loop.first.quaternion[3] = nan; }));
  BOOST_TEST(refuses("position that is not a finite number", [&](Loop& loop) { loop.second.position[0] = nan; }));
  BOOST_TEST(refuses("pitch that is not a finite number", [&](Loop& loop) { loop.pitch = nan; }));

  VectorX<double> q = VectorX<double>::Constant(model.nq(), 0.1), none = VectorX<double>::Zero(model.nv());
  q(0) = nan;
  Loops<double> loops(model, good.loops);
  loops(q, none);
  BOOST_TEST(!loops.A.array().isFinite().all());
  ExternalWrenches<double> too_few(1);
  BOOST_CHECK_THROW(loops.add_reactions(VectorX<double>::Zero(loops.rows()), too_few), SizeError);
}

BOOST_AUTO_TEST_CASE(a_coupling_at_coordinates_of_zero_may_miss_by_what_underflows)
{
  Mechanism arm = validation::built_in_model("park_2r");
  arm.joints[1].mimic = Mimic{arm.joints[0].name, 3};
  const Model<double> model(arm);
  const auto violation_is_rounding = [&](double at) {
    VectorX<double> q(2);
    q << at, 0;
    Loops<double> loops(model, mimic_loops(arm));
    loops(q, VectorX<double>::Zero(2));
    return loops.closed();
  };
  BOOST_TEST(violation_is_rounding(0));
  BOOST_TEST(violation_is_rounding(std::numeric_limits<double>::denorm_min()));
  BOOST_TEST(!violation_is_rounding(1e-300));
}

BOOST_AUTO_TEST_CASE(rows_are_the_rates_of_the_violation_and_change_as_they_say)
{
  for (const Closed& at : all_machines()) {
    const Loops<double> loops = at.loops();
    const VectorX<double> delta = drawn(at.n()), none = VectorX<double>::Zero(at.n());
    const VectorX<double> gap = displaced_loops(at, delta, none).violation.imag() / h;
    const MatrixX<double> dA = displaced_loops(at, at.qd, none).A.imag() / h;
    // Each is a sum of n products of a row, of a size with its derivative, and of rates.
    const double size = loops.A.cwiseAbs().maxCoeff() * delta.lpNorm<1>(), rates = at.qd.lpNorm<1>();
    BOOST_TEST_CONTEXT(at.name)
    {
      BOOST_TEST(largest(gap - loops.A * delta) <= rounding<double>(at.n()) * size);
      BOOST_TEST(largest(dA * at.qd - loops.Adot_qd) <=
                 rounding<double>(at.n()) * loops.A.cwiseAbs().maxCoeff() * rates * rates);
    }
  }
}

BOOST_AUTO_TEST_CASE(reactions_change_with_the_bodies_as_a_complex_step_says)
{
  for (const Closed& at : all_machines()) {
    Loops<double> loops = at.loops();
    const VectorX<double> delta = drawn(at.n()), lambda = drawn(loops.rows());
    const Loops<Complex> moved = displaced_loops(at, delta, VectorX<double>::Zero(at.n()));
    ExternalWrenches<Complex> F(at.model.bodies() + 1);
    moved.add_reactions(lambda.cast<Complex>(), F);
    // The bodies are displaced as rates of that size move them.
    Loops<double> along(at.model, at.cuts);
    along(at.q, delta);
    ExternalWrenches<double> dF(F.size());
    loops.add_reaction_derivatives(lambda, along.V, dF);
    VectorX<double> expected(6 * static_cast<int>(F.size()));
    for (std::size_t i = 0; i < F.size(); ++i)
      expected.segment<6>(static_cast<int>(6 * i)) = coordinates(F[i]).imag() / h;
    // Sums, over the rows, of products of multipliers, wrenches and displacements.
    double size = 0;
    for (const Wrench<double>& W : loops.reaction) size = std::max(size, largest(coordinates(W)));
    for (const Twist<double>& xi : along.V) size = std::max(size, largest(coordinates(xi)));
    BOOST_TEST_CONTEXT(at.name)
    {
      BOOST_TEST(largest(coordinates_of(dF) - expected) <= rounding<double>(at.n()) * size * lambda.lpNorm<1>());
      // A moment about the axis of a joint is one whatever the joint does.
      const bool coupled = at.cuts[0].coupling.has_value();
      BOOST_TEST((coupled ? largest(expected) <= rounding<double>(at.n()) * size : largest(expected) > 0.01));
    }
  }
}

BOOST_AUTO_TEST_CASE(motion_and_multipliers_change_as_a_complex_step_says)
{
  for (const Closed& at : all_machines())
    for (const Flags& prescribed : {Flags(at.n(), false), at.leaders, Flags(at.n(), true)})
      check_derivative(at, prescribed);
}

BOOST_AUTO_TEST_CASE(an_impulse_changes_as_a_complex_step_says)
{
  for (const Closed& at : all_machines())
    for (const double restitution : {0.0, 0.375}) check_impulse(at, restitution);
}

BOOST_AUTO_TEST_CASE(an_impulse_in_one_line_is_that_of_its_class)
{
  const Closed at = assembled(closed_machines().front());
  const VectorX<double> before = drawn(at.n());
  LoopImpulseDerivative<double> of(at.model, at.cuts);
  of(at.q, before, 0.375);
  const auto one_line = loop_impulse(at.model, at.cuts, at.q, 2 * (before / 2), 0.375);
  BOOST_TEST(one_line.qd == of.impulse.qd);
  BOOST_TEST(one_line.Lambda == of.impulse.Lambda);
  const auto derivatives = loop_impulse_jacobians(at.model, at.cuts, at.q, 2 * (before / 2), 0.375);
  BOOST_TEST((derivatives.qd_by_q == of.dqd_dq));
  BOOST_TEST((derivatives.qd_by_before == of.dqd_dbefore));
  BOOST_TEST((derivatives.Lambda_by_q == of.dLambda_dq));
  BOOST_TEST((derivatives.Lambda_by_before == of.dLambda_dbefore));

  // Where no restitution is given, there is none.
  of(at.q, before, 0);
  BOOST_TEST(loop_impulse(at.model, at.cuts, at.q, before).qd == of.impulse.qd);
  BOOST_TEST((loop_impulse_jacobians(at.model, at.cuts, at.q, before).qd_by_before == of.dqd_dbefore));
}

// --- Which rows are rounding, and which ranks are less

BOOST_AUTO_TEST_CASE(rounding_of_a_row_is_that_of_all_lengths_on_the_way_to_it)
{
  // Each length is a power of two of its own, so that each shows in the sum.
  Mechanism arms;
  arms.name = arms.source = "arms";
  arms.links = {{"ground"}};
  const auto attach = [&](const char* parent, const char* child, const std::array<double, 3>& position) {
    arms.links.push_back({.name = child, .mass = 1, .inertia = {1, 0, 0, 1, 0, 1}});
    arms.joints.push_back({child, JointType::revolute, parent, child, position});
  };
  attach("ground", "arm", {1, -2, 4});
  attach("ground", "upper", {-8, 16, 32});
  attach("upper", "lower", {64, -128, 256});
  const Model<double> model(arms);
  Loops<double> loops(model, {cut_joint("screw", JointType::helical, {"arm", {-512, 1024, 2048}},
                                        {"lower", {4096, 8192, -16384}}, {0, 0, 1}, -0.5)});
  loops(VectorX<double>::Zero(3), VectorX<double>::Zero(3));
  BOOST_TEST(loops.rows() == 5);
  for (const int turn : {0, 1}) BOOST_TEST(loops.rounding_of_row(turn) == rounding<double>(3));
  for (const int slide : {2, 3, 4}) BOOST_TEST(loops.rounding_of_row(slide) == rounding<double>(3) * 32767.5);
}

BOOST_AUTO_TEST_CASE(a_screw_may_turn_as_often_as_it_likes)
{
  // A nut on a slide and a screw on a hinge, along a tilted axis.
  Mechanism press;
  press.name = press.source = "press";
  press.links = {{"ground"}, {"frame"}};
  press.joints = {{"tilt", JointType::fixed, "ground", "frame", {}, tilted}};
  for (const auto& [child, type] : {std::pair{"nut", JointType::prismatic}, std::pair{"screw", JointType::revolute}}) {
    press.links.push_back({.name = child, .mass = 1, .inertia = {1, 0, 0, 1, 0, 1}});
    press.joints.push_back({child, type, "frame", child});
  }
  const Model<double> model(press);
  const double pitch = 0.01;
  const Loop thread = cut_joint("thread", JointType::helical, {"screw"}, {"nut"}, {0, 0, 1}, pitch);
  Loops<double> loops(model, {thread});
  Assembly<double> assembly(model, {thread}, {false, true});
  for (const double turn : {3.0, 3.3, -10.0, 1e3}) {
    VectorX<double> q(2), none = VectorX<double>::Zero(2);
    q << -pitch * turn, turn;
    loops(q, none);
    BOOST_TEST_CONTEXT("a turn of " << turn) BOOST_TEST(loops.closed());
    // The nearest thread counts, and a gap is a length along it.
    const VectorX<double> beside = q + VectorX<double>::Unit(2, 0) * pitch;
    loops(beside, none);
    BOOST_TEST(std::abs(loops.violation(4) - pitch) <= rounding<double>(2) * std::max(1.0, std::abs(turn)));
    BOOST_TEST(largest(assembly.close(beside) - q) <= rounding<double>(2) * std::max(1.0, std::abs(turn)));
  }
}

BOOST_AUTO_TEST_CASE(where_a_machine_stands_costs_its_loops_no_digit)
{
  Mechanism machine = five_bar_with_pin().tree;
  const Model<double> model(machine, {.floating_base = true});
  Loops<double> loops(model, five_bar_with_pin().loops);
  VectorX<double> q = model.zero_coordinates();
  for (int k = 7; k < model.nq(); ++k) q(k) = std::sin(k);
  const VectorX<double> qd = drawn(model.nv());
  loops(q, qd);
  const MatrixX<double> A = loops.A;
  const VectorX<double> Adot_qd = loops.Adot_qd, violation = loops.violation;
  for (int k = 0; k < 3; ++k) q(k) = std::ldexp(1.0, 20 + k);
  loops(q, qd);
  BOOST_TEST((loops.A == A));
  BOOST_TEST((loops.Adot_qd == Adot_qd));
  BOOST_TEST((loops.violation == violation));
}

/// Two points, each of which slides in the same tilted plane, meet.
ClosedMachine slides_in_a_plane()
{
  const SE3<double> plane = pose({"", {}, tilted});
  ClosedMachine machine;
  machine.name = machine.tree.name = machine.tree.source = "slides";
  machine.tree.links = {{"ground"}};
  for (const std::string slide : {"one", "other"})
    for (int k = 0; k < 2; ++k) {
      const Vector3<double> along = plane.R.matrix.column(k);
      const std::string parent = k == 0 ? "ground" : slide + "_0", child = slide + "_" + std::to_string(k);
      machine.tree.links.push_back({.name = child, .mass = 1, .inertia = {1, 0, 0, 1, 0, 1}});
      machine.tree.joints.push_back({.name = child,
                                     .type = JointType::prismatic,
                                     .parent = parent,
                                     .child = child,
                                     .axis = {along[0], along[1], along[2]}});
    }
  machine.loops = {cut_joint("pin", JointType::ball, {"one_1", {}, tilted}, {"other_1", {}, tilted})};
  machine.guess = {3, -2, 0.5, 7};  // far from closed, and there is no arm to compare the gap with
  return machine;
}

BOOST_AUTO_TEST_CASE(machines_close_alike_in_any_unit_of_length_bit_for_bit)
{
  // In a unit of which a metre has a power of two, every product is what it was but for its exponent.
  constexpr double unit = 1024;
  const auto longer = [](std::array<double, 3>& place) {
    for (double& x : place) x *= unit;
  };
  std::vector<ClosedMachine> machines = closed_machines();
  machines.push_back(slides_in_a_plane());
  for (ClosedMachine& machine : machines) {
    const Model<double> model(machine.tree);
    if (model.nq() != model.nv()) continue;  // a quaternion has no coordinate of each rate
    const auto in_unit = [&](VectorX<double> q) {
      for (int k = 0; k < q.size(); ++k)
        if (!model.rate_is_angular(k)) q(k) *= unit;
      return q;
    };
    const VectorX<double> guess = Eigen::Map<const VectorX<double>>(machine.guess.data(), model.nq()),
                          q = Assembly<double>(model, machine.loops).close(guess);
    for (auto& link : machine.tree.links) longer(link.center_of_mass);
    for (auto& joint : machine.tree.joints) longer(joint.position), joint.pitch *= unit;
    for (Loop& loop : machine.loops) longer(loop.first.position), longer(loop.second.position), loop.pitch *= unit;
    BOOST_TEST((Assembly<double>(Model<double>(machine.tree), machine.loops).close(in_unit(guess)) == in_unit(q)),
               machine.name);
  }
}

BOOST_AUTO_TEST_CASE(a_planar_loop_of_a_thousand_kilometres_has_two_rows)
{
  for (const bool far_first : {true, false}) {
    const Loops<double> loops = far_pin(1e6, far_first).loops();
    BOOST_TEST(loops.closed());
    BOOST_TEST(loops.rows() == 5);
    for (const int row : {0, 1, 4}) BOOST_TEST(loops.A.row(row).isZero(0));
    for (const int row : {2, 3}) BOOST_TEST(largest(loops.A.row(row).transpose()) > 0.1);
  }
}

BOOST_AUTO_TEST_CASE(two_slides_in_one_plane_have_two_rows)
{
  // All forces go through one point, so that no row has a moment.
  const ClosedMachine slides = slides_in_a_plane();
  Loops<double> loops(Model<double>(slides.tree), slides.loops);
  loops(VectorX<double>::Zero(4), VectorX<double>::Zero(4));
  BOOST_TEST(loops.A.row(2).isZero(0));
  for (const int row : {0, 1}) BOOST_TEST(largest(loops.A.row(row).transpose()) > 0.5);
}

BOOST_AUTO_TEST_CASE(a_cart_that_is_held_does_not_move)
{
  // Its one column is all ones where it is not zero.
  Mechanism cart;
  cart.name = cart.source = "cart";
  cart.links = {{"ground"}, {.name = "cart", .mass = 2, .inertia = {1, 0, 0, 1, 0, 1}}};
  cart.joints = {{"rail", JointType::prismatic, "ground", "cart"}};
  const VectorX<double> none = VectorX<double>::Zero(1), push = VectorX<double>::Constant(1, 5);
  const auto motion = constrained_forward_dynamics<double>(
      Model<double>(cart), {cut_joint("stop", JointType::ball, {"ground"}, {"cart"})}, none, none, push);
  BOOST_TEST(std::abs(motion.qdd(0)) <= rounding<double>(1) * 10);
  BOOST_TEST(std::abs(motion.lambda(2) - (2 * 9.81 - 5)) <= rounding<double>(1) * 20);
  BOOST_TEST(motion.rank == 1);
}

BOOST_AUTO_TEST_CASE(a_passive_joint_gets_the_force_that_is_given_bit_for_bit)
{
  const Closed at = assembled(five_bar_with_pin());
  const Loops<double> loops = at.loops();
  const VectorX<double> tau = drawn(4);
  const VectorX<double> qdd = constrained_forward_dynamics<double>(at.model, at.cuts, at.q, at.qd, tau).qdd;
  const auto forces = constrained_inverse_dynamics<double>(inverse_dynamics<double>(at.model, at.q, at.qd, qdd), tau,
                                                           loops.A, {true, false, true, false});
  for (const int passive : {1, 3}) BOOST_TEST(forces.tau(passive) == tau(passive));
  const double size = std::max(largest(tau), largest(loops.A.transpose() * forces.lambda));
  BOOST_TEST(largest(forces.tau - tau) <= rounding<double>(4) * at.condition(loops.A, Flags(4, false)) * size);

  // However large, it is one that the loop can carry; what rounding leaves of it is no force that is missing.
  const VectorX<double> needed = inverse_dynamics<double>(at.model, at.q, at.qd, qdd), given = 1e12 * tau;
  BOOST_CHECK_NO_THROW(constrained_inverse_dynamics<double>(needed, given, loops.A, {true, false, true, false}));
}

BOOST_AUTO_TEST_CASE(the_usual_answer_to_a_row_is_the_largest_yet)
{
  const Closed at = Held(JointType::fixed).cut;
  const Loops<double> loops = at.loops();
  ConstrainedDynamics<double> run(at.model, Flags(12, false), 6);
  const VectorX<double> none = VectorX<double>::Zero(12);
  run(at.q, at.qd, none, none, loops.A, loops.Adot_qd);
  const MatrixX<double> M = mass_matrix<double>(at.model, at.q);
  const VectorX<double> answers = (loops.A * M.ldlt().solve(loops.A.transpose())).diagonal();
  VectorX<double> usual = VectorX<double>::Zero(6);
  usual(4) = 1e9;
  BOOST_TEST(run.margin(usual) <= 1);
  BOOST_TEST(usual(4) == 1e9);
  usual(4) = answers(4);
  BOOST_TEST(largest(usual - answers) <=
             rounding<double>(12) * at.condition(loops.A, Flags(12, false)) * largest(answers));
}

BOOST_AUTO_TEST_CASE(the_margin_is_the_least_pivot_as_a_part_of_what_is_usual)
{
  SemidefiniteSolver<double> solver(2);
  solver.factor(Eigen::Vector2d(4, 9).asDiagonal());
  BOOST_TEST(solver.margin(Eigen::Vector2d(8, 3)) == 0.5);
  BOOST_TEST(solver.margin(Eigen::Vector2d(2, 36)) == 0.25);
}

BOOST_AUTO_TEST_CASE(a_rank_does_not_depend_on_units_and_what_rounding_left_is_none)
{
  const double small = 0x1p-200;
  SemidefiniteSolver<double> solver(2);
  const auto rank = [&](double first, double second) {
    solver.factor(Eigen::Vector2d(first, second).asDiagonal());
    return solver.rank();
  };
  BOOST_TEST(rank(small, 3 * small) == 2);
  BOOST_TEST(rank(1, 1e-12) == 2);
  // The square of 10^5 n eps is 5e-22.
  BOOST_TEST(rank(1, 1e-24) == 1);
  BOOST_TEST(rank(small, 1e-24 * small) == 1);

  const Indexed<bool> second{false, true};
  const auto left = [&](double a, double b) {
    MatrixX<double> A(1, 2);
    A << a, b;
    return chosen_columns(A, second)(0, 1);
  };
  BOOST_TEST(left(small, -small) == -small);
  BOOST_TEST(left(1, 1e-12) == 1e-12);
  BOOST_TEST(left(1, 1e-15) == 0);
}

BOOST_AUTO_TEST_CASE(of_all_solutions_of_a_system_of_rank_two_the_shortest_is_returned)
{
  const int n = 5;
  MatrixX<double> B(n, 2);
  B.col(0) = drawn(n), B.col(1) = drawn(n);
  const VectorX<double> b = B * drawn(2);
  SemidefiniteSolver<double> solver(n);
  solver.factor(B * B.transpose());
  BOOST_TEST(solver.rank() == 2);
  // K = B B^T has the pseudoinverse B (B^T B)^{-2} B^T, which loses the condition of B^T B twice.
  const Eigen::Matrix2d G = B.transpose() * B, inverse = G.inverse();
  const VectorX<double> shortest = B * (inverse * (inverse * (B.transpose() * b)));
  const double kappa = G.norm() * inverse.norm();
  BOOST_TEST(largest(solver.solve(b) - shortest) <= rounding<double>(n) * kappa * kappa * largest(shortest));
}

BOOST_AUTO_TEST_SUITE_END()
