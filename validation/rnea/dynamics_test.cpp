/** \file
 *  \brief Inverse and forward dynamics by hand, what bad input is told, and that no algorithm takes from the heap.
 */
#include <boost/test/unit_test.hpp>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <new>
#include <random>
#include <articulate/articulate.hpp>
#include <says.hpp>

using namespace articulate;
using articulate::validation::says;

namespace {

std::size_t allocations = 0;

}  // namespace

// Vectors allocate by new; Eigen by malloc, which the linker hands over to this.
extern "C" void* __real_malloc(std::size_t size);
extern "C" void* __wrap_malloc(std::size_t size)
{
  ++allocations;
  return __real_malloc(size);
}
void* operator new(std::size_t size)
{
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace {

/// A pendulum about y: mass m at distance l below the joint, inertia about y of its own.
Mechanism pendulum(double m, double l, double J)
{
  Mechanism mechanism;
  mechanism.name = mechanism.source = "pendulum";
  mechanism.links = {{"world"}, {"bob", m, {0, 0, -l}, {0, 0, 0, 1}, {J, 0, 0, J, 0, J}}};
  mechanism.joints = {{"hinge", JointType::revolute, "world", "bob", {}, {0, 0, 0, 1}, {0, 1, 0}, 0}};
  return mechanism;
}

Mechanism chain(int n)
{
  Mechanism m;
  m.name = m.source = "chain";
  m.links = {{"l0", 1, {}, {0, 0, 0, 1}, {1, 0, 0, 1, 0, 1}}};
  for (int i = 1; i <= n; ++i) {
    const std::string name = "l" + std::to_string(i), parent = "l" + std::to_string(i - 1);
    m.links.push_back({name, 1 + 0.1 * i, {0.1, 0.2, -0.1 * i}, {0.2, 0.1, 0.3, 0.9}, {0.3, 0.01, 0, 0.4, 0.02, 0.5}});
    m.joints.push_back({"j" + std::to_string(i),
                        i % 3 ? JointType::revolute : JointType::helical,
                        parent,
                        name,
                        {0.2, -0.1, 0.3},
                        {0.1, 0.4, -0.2, 0.8},
                        {0.3, -0.5, 0.6},
                        0.2});
  }
  return m;
}

VectorX<double> ramp(int n, double start, double step)
{
  VectorX<double> x(n);
  for (int k = 0; k < n; ++k) x(k) = start + step * k;
  return x;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(dynamics)

BOOST_AUTO_TEST_CASE(a_pendulum_obeys_its_textbook_equation)
{
  const double m = 1.7, l = 0.6, J = 0.05, g = 9.81;
  const Model<double> model(pendulum(m, l, J));
  const VectorX<double> q = ramp(1, 0.8, 0), qd = ramp(1, -1.3, 0), qdd = ramp(1, 2.1, 0);
  const double torque = (J + m * l * l) * qdd(0) + m * g * l * std::sin(q(0));
  BOOST_TEST(std::abs(inverse_dynamics(model, q, qd, qdd)(0) - torque) < 1e-14);
  ForwardDynamics<double> aba(model);
  BOOST_TEST(std::abs(aba(q, qd, ramp(1, torque, 0))(0) - qdd(0)) < 1e-14);
}

BOOST_AUTO_TEST_CASE(a_free_body_falls_with_gravity_and_keeps_its_spin_momentum)
{
  Mechanism stone = pendulum(2, 0.3, 0.1);
  stone.joints.clear();
  stone.links.erase(stone.links.begin());
  const Model<double> model(stone, {.floating_base = true});
  ForwardDynamics<double> aba(model);
  const VectorX<double> rest = VectorX<double>::Zero(6);
  const VectorX<double> fall = aba(model.zero_coordinates(), rest, rest);
  for (int k = 0; k < 6; ++k) BOOST_TEST(std::abs(fall(k) - (k == 5 ? -9.81 : 0)) < 1e-14);
  // What it answers a wrench with is its own inertia about the frame of its link, 0.3 m above the centre of mass.
  Matrix6<double> inertia = Matrix6<double>::Zero();
  inertia.diagonal() << 0.1 + 2 * 0.09, 0.1 + 2 * 0.09, 0.1, 2, 2, 2;
  inertia(0, 4) = inertia(4, 0) = 2 * 0.3, inertia(1, 3) = inertia(3, 1) = -2 * 0.3;
  const MatrixX<double> Lambda = operational_inertia(model, model.link("bob"), model.zero_coordinates());
  BOOST_TEST((Lambda - inertia).cwiseAbs().maxCoeff() < 1e-14);
}

BOOST_AUTO_TEST_CASE(an_external_wrench_replaces_the_joint_force_that_balances_it)
{
  const Model<double> model(pendulum(1.7, 0.6, 0.05));
  const VectorX<double> zero = VectorX<double>::Zero(1);
  InverseDynamics<double> rnea(model);
  // The joint turns about the body's z axis: an external moment about it of 3 N m leaves 3 N m less to do.
  const ExternalWrenches<double> push{{}, {{0, 0, 3}, {0, 0, 0}}};
  const double alone = rnea(zero, zero, zero)(0);
  BOOST_TEST(std::abs(rnea(zero, zero, zero, push)(0) - (alone - 3)) < 1e-15);
}

BOOST_AUTO_TEST_CASE(the_world_carries_the_weight_and_every_run_anew)
{
  const Model<double> model(pendulum(1.7, 0.6, 0.05));
  const VectorX<double> zero = VectorX<double>::Zero(1);
  InverseDynamics<double> rnea(model);
  for (int run = 0; run < 2; ++run) {
    rnea(zero, zero, zero);
    const double weight = 1.7 * 9.81, expected[] = {0, 0, weight};
    for (int k = 0; k < 3; ++k) BOOST_TEST(std::abs(rnea.F[0].f[k] - expected[k]) < 100 * 0x1p-53 * weight);
  }
}

BOOST_AUTO_TEST_CASE(gravity_may_be_another_than_the_model_has)
{
  Mechanism moved = chain(5);
  const Model<double> model(moved);
  moved.gravity = {1.3, -2.4, 0.7};
  const Model<double> there(moved);
  const Vector3<double> g{1.3, -2.4, 0.7};
  const VectorX<double> q = ramp(5, 0.3, 0.2), qd = ramp(5, -0.4, 0.3), qdd = ramp(5, 0.9, -0.5);
  InverseDynamics<double> inverse(model), inverse_there(there);
  inverse.set_gravity(g);
  BOOST_TEST((inverse(q, qd, qdd) - inverse_there(q, qd, qdd)).norm() == 0);
  LagrangeEquations<double> lagrange(model), lagrange_there(there);
  lagrange.set_gravity(g);
  BOOST_TEST((lagrange(q, qd, qdd) - lagrange_there(q, qd, qdd)).norm() == 0);
  ForwardDynamics<double> forward(model), forward_there(there);
  forward.set_gravity(g);
  BOOST_TEST((forward(q, qd, qdd) - forward_there(q, qd, qdd)).norm() == 0);
}

BOOST_AUTO_TEST_CASE(the_energy_of_a_regressor_is_that_of_a_machine_whose_base_moves)
{
  const Model<double> model(chain(3));
  const VectorX<double> q = ramp(3, 0.3, 0.2), qd = ramp(3, 1, -0.3);
  Regressor<double> regressor(model);
  ForwardKinematics<double> kinematics(model);
  regressor.V[0] = kinematics.V[0] = {{0.3, -0.2, 0.5}, {1, 2, -1}};
  regressor(q, qd, qd);
  kinematics(q, qd);
  const double energy = kinematics.kinetic_energy();
  BOOST_TEST(std::abs(regressor.kinetic().dot(inertial_parameters(model)) - energy) < 1e-13 * energy);
}

BOOST_AUTO_TEST_CASE(displacement_of_a_free_body_follows_its_body_twist)
{
  Mechanism stone = pendulum(2, 0.3, 0.1);
  const Model<double> model(stone, {.floating_base = true});
  VectorX<double> q = model.zero_coordinates();
  q.head(7) << 0.1, 0.2, 0.3, 0.5, -0.5, 0.5, 0.5;
  VectorX<double> step = VectorX<double>::Zero(model.nv());
  step(3) = 2;  // along the body's own x axis, which this quaternion turns
  const SO3<double> R(Quaternion<double>{{0.5, -0.5, 0.5}, 0.5});
  const VectorX<double> moved = displaced(model, q, step);
  for (int k = 0; k < 3; ++k) BOOST_TEST(std::abs(moved(k) - (q(k) + 2 * R.matrix(k, 0))) < 1e-15);
  const VectorX<double> short_step = VectorX<double>::Zero(2);
  BOOST_CHECK_THROW(displaced(model, q, short_step), SizeError);
}

BOOST_AUTO_TEST_CASE(nothing_is_allocated_after_construction)
{
  for (const bool floating : {false, true}) {
    const Model<double> model(chain(12), {.floating_base = floating});
    InverseDynamics<double> rnea(model);
    ForwardDynamics<double> aba(model);
    ForwardKinematics<double> kinematics(model);
    std::vector<bool> every_third(model.nv());
    for (int k = 0; k < model.nv(); k += 3) every_third[k] = true;
    HybridDynamics<double> hybrid(model, every_third);
    InverseDynamicsDerivative<double> inverse_derivative(model);
    HybridDynamicsDerivative<double> hybrid_derivative(model);
    InverseDynamicsJacobians<double> inverse_jacobians(model);
    HybridDynamicsJacobians<double> hybrid_jacobians(model);
    Seeds<double> seeds(model);
    InverseMassMatrix<double> inverse_mass(model);
    CentroidalMomentum<double> whole(model);
    InverseDynamicsSecondDerivatives<double> hessians(model);
    HigherOrderDynamics<double> third_order(model, 3, every_third);
    HigherOrderDynamics<double, SpatialForm<double>> third_order_as_printed(model, 3, every_third);
    VectorX<double> q = model.zero_coordinates();
    q += ramp(model.nq(), 0.1, 0.05);
    const VectorX<double> qd = ramp(model.nv(), 0.3, -0.1), qdd = ramp(model.nv(), -0.2, 0.15);
    const ExternalWrenches<double> Fext(model.bodies() + 1, Wrench<double>{{1, 2, 3}, {4, 5, 6}});
    const MatrixX<double> table = MatrixX<double>::Constant(model.nv(), 4, 0.2);
    const WrenchDerivatives<double> wrenches(4, Fext);
    const std::size_t before = allocations;
    kinematics(q, qd);
    const VectorX<double>& tau = rnea(q, qd, qdd, Fext);
    const VectorX<double>& solved = aba(q, qd, tau, Fext);
    hybrid(q, qd, qdd, tau, Fext);
    for (const Parameter& p : {Parameter::coordinate(2), Parameter::screw_axis(3, 1), Parameter::wrench_in_space(4, 0)})
      p.add_to<double>(seeds, hybrid, qd);
    inverse_derivative(rnea, qd, qdd, seeds);
    hybrid_derivative(hybrid, qd, hybrid.qdd(), seeds);
    inverse_jacobians(rnea, qd, qdd);
    hybrid_jacobians(hybrid, q, qd, hybrid.qdd());
    hessians(rnea, qd, qdd);
    inverse_mass(q);
    whole(q, qd);
    third_order(q, qd, table, table, wrenches);
    third_order_as_printed(q, qd, table, table, wrenches);
    BOOST_TEST(allocations == before);
    BOOST_TEST((solved - qdd).cwiseAbs().maxCoeff() < 1e-11);
  }
}

/// Two blocks on ice, 3 kg and 1 kg; the small one on a slide of the large one, or on the ice as well.
Mechanism blocks(bool in_a_row)
{
  Mechanism m;
  m.name = m.source = "blocks";
  m.links = {{"ice"}, {"large", 3}, {"small", 1}};
  const auto slide = [](const char* name, const char* on) {
    return Joint{name, JointType::prismatic, on, name, {}, {0, 0, 0, 1}, {1, 0, 0}, 0};
  };
  m.joints = {slide("large", "ice"), slide("small", in_a_row ? "ice" : "large")};
  return m;
}

BOOST_AUTO_TEST_CASE(blocks_on_ice_give_way_as_the_chapters_say)
{
  const VectorX<double> q = ramp(2, 0.1, 0.2);
  const Model<double> stacked(blocks(false));
  MatrixX<double> expected(2, 2);
  expected << 1.0 / 3, -1.0 / 3, -1.0 / 3, 4.0 / 3;
  BOOST_TEST((inverse_mass_matrix(stacked, q) - expected).cwiseAbs().maxCoeff() < 1e-15);
  BOOST_TEST((mobility(stacked, q, MatrixX<double>::Identity(2, 2)) - expected).cwiseAbs().maxCoeff() < 1e-15);
  InverseMassMatrix<double> with_rotors(stacked);
  with_rotors.set_armature(ramp(2, 2, 1));  // M + diag(2, 3) = (6, 1; 1, 4)
  expected << 4.0 / 23, -1.0 / 23, -1.0 / 23, 6.0 / 23;
  BOOST_TEST((with_rotors(q) - expected).cwiseAbs().maxCoeff() < 1e-15);

  const Model<double> row(blocks(true));
  const std::vector<Loop> glue{cut_joint("glue", JointType::fixed, {"large"}, {"small"})};
  BOOST_TEST(std::abs(delassus_matrix(row, glue, q)(3, 3) - 4.0 / 3) < 1e-15);
  Mobility<double> at(row);
  at(q);
  MatrixX<double> handle(1, 2), gap(1, 2);
  handle << 1, 0;
  gap << -1, 1;
  BOOST_TEST(std::abs(operational_inertia(at, handle)(0, 0) - 3) < 1e-15);
  BOOST_TEST(std::abs(constrained_mobility(at, handle, gap)(0, 0) - 1.0 / 4) < 1e-15);
  MatrixX<double> twice(2, 2);
  twice << -1, 1, 2, -2;  // the same glue, in two rows
  BOOST_TEST(std::abs(constrained_mobility(at, handle, twice)(0, 0) - 1.0 / 4) < 1e-15);
  BOOST_CHECK_EXCEPTION(operational_inertia(at, twice), StateError, [](const auto& e) {
    return says(e.what(), {"blocks", "of 2 directions only 1", "not finite", "the mobility"});
  });
  BOOST_CHECK_EXCEPTION(at.of(MatrixX<double>::Ones(1, 3)), SizeError, [](const auto& e) {
    return says(e.what(), {"J (columns) has 3", "model needs 2"});
  });
}

BOOST_AUTO_TEST_CASE(the_momentum_about_the_centre_of_mass_does_not_depend_on_where_the_robot_is)
{
  const Model<double> model(chain(5), {.floating_base = true});
  VectorX<double> q = model.zero_coordinates();
  q.tail(5) = ramp(5, 0.3, 0.2);
  const VectorX<double> qd = ramp(model.nv(), 0.3, -0.1);
  CentroidalMomentum<double> here(model), far(model);
  here(q, qd);
  q.head(3) << 1000, -2000, 500;
  far(q, qd);
  // Not by one bit, and every run is anew, whatever gravity is.
  BOOST_TEST((coordinates(here.momentum) == coordinates(far.momentum)));
  far.set_gravity(model.gravity());
  far(q, qd);
  BOOST_TEST((coordinates(here.momentum) == coordinates(far.momentum)));
  BOOST_TEST((coordinates(here.bias) == coordinates(far.bias)));
  BOOST_TEST((here.I.matrix() == far.I.matrix()));
  for (int k = 0; k < 3; ++k) BOOST_TEST(here.I.first_moment[k] == 0);
  BOOST_TEST((here.A == far.A));
  BOOST_TEST((here.Adot == far.Adot));
  const Vector3<double> way = far.center - here.center;
  BOOST_TEST(std::abs(way[0] - 1000) + std::abs(way[1] + 2000) + std::abs(way[2] - 500) < 1e-12);
  const Model<double> ghost(pendulum(0, 0, 0));
  BOOST_CHECK_EXCEPTION(CentroidalMomentum<double>{ghost}, ModelError, [](const auto& e) {
    return says(e.what(), {"pendulum", "no mass moves"});
  });
}

BOOST_AUTO_TEST_CASE(how_a_point_moves_does_not_depend_on_where_the_robot_is)
{
  const Model<double> model(chain(5), {.floating_base = true});
  const LinkFrame<double>& tip = model.links().back();
  const Vector3<double> point{0.3, -0.2, 0.1};
  VectorX<double> q = model.zero_coordinates();
  q.tail(5) = ramp(5, 0.3, 0.2);
  const VectorX<double> qd = ramp(model.nv(), 0.3, -0.1), qdd = ramp(model.nv(), -0.2, 0.4);
  SpaceMotion<double> here(model), far(model);
  here(q, qd, qdd);
  q.head(3) << 0x1p20, -0x1p21, 0x1p19;
  far(q, qd, qdd);
  // Not by one bit.
  for (int k = 0; k < 3; ++k) {
    BOOST_TEST(here.velocity(tip, point)[k] == far.velocity(tip, point)[k]);
    BOOST_TEST(here.acceleration(tip, point)[k] == far.acceleration(tip, point)[k]);
  }
  BOOST_TEST((point_jacobian(here, tip, point) == point_jacobian(far, tip, point)));
}

BOOST_AUTO_TEST_CASE(a_vector_of_the_wrong_length_is_named)
{
  const Model<double> model(chain(3));
  InverseDynamics<double> rnea(model);
  ForwardDynamics<double> aba(model);
  const VectorX<double> good = VectorX<double>::Zero(3), bad = VectorX<double>::Zero(4);
  const ExternalWrenches<double> few(2);
  const auto names = [](const char* argument) {
    return [argument](const SizeError& e) { return says(e.what(), {argument, "entries where the model needs"}); };
  };
  BOOST_CHECK_EXCEPTION(rnea(bad, good, good), SizeError, names("q has 4"));
  BOOST_CHECK_EXCEPTION(rnea(good, bad, good), SizeError, names("qd has 4"));
  BOOST_CHECK_EXCEPTION(rnea(good, good, bad), SizeError, names("qdd has 4"));
  BOOST_CHECK_EXCEPTION(rnea(good, good, good, few), SizeError, names("Fext has 2"));
  BOOST_CHECK_EXCEPTION(aba(bad, good, good), SizeError, names("q has 4"));
  BOOST_CHECK_EXCEPTION(aba(good, bad, good), SizeError, names("qd has 4"));
  BOOST_CHECK_EXCEPTION(aba(good, good, bad), SizeError, names("tau has 4"));
  BOOST_CHECK_EXCEPTION(aba(good, good, good, few), SizeError, names("Fext has 2"));
}

BOOST_AUTO_TEST_CASE(one_line_per_algorithm_takes_any_expression_of_eigen)
{
  const Model<double> model(chain(4));
  const int n = model.nv();
  const VectorX<double> q = ramp(n, 0.3, 0.2), qd = ramp(n, 1, -0.3), zero = VectorX<double>::Zero(n);
  const VectorX<double> b = inverse_dynamics(model, 2 * q, qd, VectorX<double>::Zero(n));
  BOOST_TEST((bias_force(model, 2 * q, qd + zero) - b).norm() == 0);
  BOOST_TEST((gravity_force(model, q + q) - inverse_dynamics(model, 2 * q, zero, 0 * q)).norm() < 1e-12);
  const MatrixX<double> M = mass_matrix(model, 2 * q);
  const VectorX<double> qdd = forward_dynamics(model, 2 * q, qd, b + M * qd);
  BOOST_TEST((qdd - qd).norm() < 1e-11);
  const auto both = hybrid_dynamics(model, {true, false, true, false}, 2 * q, qd, qd + zero, b + M * qd);
  BOOST_TEST((both.qdd - qd).norm() < 1e-11);
  BOOST_TEST((both.tau - b - M * qd).norm() < 1e-10);
  const MatrixX<double> C = coriolis_matrix(model, 2 * q, qd);
  BOOST_TEST((C * qd + gravity_force(model, 2 * q) - b).norm() < 1e-11);
  BOOST_TEST((reference_dynamics(model, 2 * q, qd, qd, 0 * q) - b).norm() < 1e-11);
  BOOST_TEST((regressor(model, 2 * q, qd, 0 * q) * inertial_parameters(model) - b).norm() < 1e-10);
  BOOST_TEST((static_regressor(model, q + q) * inertial_parameters(model) - gravity_force(model, 2 * q)).norm() <
             1e-10);
  const CoriolisFamily ploen = CoriolisFamily::ploen;
  BOOST_TEST(
      (regressor(model, 2 * q, qd, q + q, 3 * qd, ploen) == Regressor<double>(model, ploen)(2 * q, qd, 2 * q, 3 * qd)));
  BOOST_TEST(coriolis_product(model, 2 * q, qd, q + q, ploen) ==
             ReferenceDynamics<double>(model, ploen).coriolis_product(2 * q, qd, 2 * q));
  ReferenceDynamics<double> heavy(model, ploen);
  const VectorX<double> before = heavy(q, qd, qd, qd);
  BOOST_CHECK_THROW(heavy.coriolis_product(q, qd, VectorX<double>::Zero(1)), SizeError);
  BOOST_TEST((heavy(q, qd, qd, qd) == before));  // gravity is still there
  InverseDynamics<double> rnea(model);
  const ExternalWrenches<double> Fext(n + 1, Wrench<double>{{1, 2, 3}, {4, 5, 6}});
  const EquationsOfMotion<double> terms = equations_of_motion(model, 2 * q, qd + zero, Fext),
                                  same(rnea, 2 * q, qd, Fext);
  BOOST_TEST((terms.M == same.M));
  BOOST_TEST(terms.b == same.b);
  BOOST_TEST(terms.gravity == same.gravity);
  BOOST_TEST(terms.coriolis == same.coriolis);
  BOOST_TEST((coriolis_force(model, 2 * q, qd + zero) - C * qd).norm() < 1e-11);
  BOOST_TEST((inverse_mass_matrix(model, q + q) * M - MatrixX<double>::Identity(n, n)).norm() < 1e-12);
  BOOST_TEST(std::abs(kinetic_energy(model, 2 * q, qd) - 0.5 * qd.dot(M * qd)) < 1e-12);
  // The rates of energy and place along qd, by a complex step.
  using Complex = std::complex<double>;
  constexpr double h = 1e-30;
  const Model<Complex> complex_model(model);
  VectorX<Complex> along(n);
  for (int k = 0; k < n; ++k) along(k) = Complex(2 * q(k), h * qd(k));
  const double energy_rate = potential_energy(complex_model, along).imag() / h;
  BOOST_TEST(std::abs(energy_rate - qd.dot(gravity_force(model, 2 * q))) < 1e-12);
  const MatrixX<double> J = link_jacobian(model, model.links().back(), 2 * q, JacobianFrame::mixed);
  const Vector3<Complex> place = link_pose(complex_model, complex_model.links().back(), along).p;
  for (int k = 0; k < 3; ++k) BOOST_TEST(std::abs(place[k].imag() / h - (J * qd)(3 + k)) < 1e-12);
  const LinkFrame<double>& tip = model.links().back();
  const MatrixX<double> J_world = link_jacobian(model, tip, 2 * q, JacobianFrame::world),
                        J_rate = link_jacobian_rate(model, tip, 2 * q, qd, JacobianFrame::world);
  BOOST_TEST((coordinates(link_twist(model, tip, 2 * q, qd + zero, JacobianFrame::world)) - J_world * qd).norm() <
             1e-12);
  BOOST_TEST((coordinates(link_bias_acceleration(model, tip, 2 * q, qd, JacobianFrame::world)) - J_rate * qd).norm() <
             1e-11);
  BOOST_TEST((coordinates(link_acceleration(model, tip, 2 * q, qd, q + q, JacobianFrame::world)) - J_world * (2 * q) -
              J_rate * qd)
                 .norm() < 1e-11);
  const Twist<double> spatial = link_acceleration(model, tip, 2 * q, qd, q, JacobianFrame::mixed),
                      twist = link_twist(model, tip, 2 * q, qd, JacobianFrame::mixed),
                      classical =
                          link_classical_acceleration(model, tip, 2 * q, qd, 0.5 * (2 * q), JacobianFrame::mixed);
  BOOST_TEST((coordinates(classical) - coordinates(spatial)).head(3).norm() == 0);
  BOOST_TEST(((classical.v - spatial.v - cross(twist.w, twist.v)).eigen()).norm() < 1e-13);
  BOOST_TEST(coordinates(classical).norm() > 1);
  BOOST_TEST(std::abs(kinetic_energy_regressor(model, 2 * q, qd).dot(inertial_parameters(model)) -
                      kinetic_energy(model, q + q, qd)) < 1e-12);
  BOOST_TEST(std::abs(potential_energy_regressor(model, 2 * q).dot(inertial_parameters(model)) -
                      potential_energy(model, q + q)) < 1e-11);
  BOOST_TEST((mobility(model, 2 * q, J) - J * inverse_mass_matrix(model, 2 * q) * J.transpose()).norm() < 1e-11);
  // As a whole, too.
  CentroidalMomentum<double> whole(model);
  whole(2 * q, qd);
  const Vector3<Complex> center = center_of_mass(complex_model, along);
  const VectorX<double> moment = mass_moment_regressor(model, 2 * q) * inertial_parameters(model);
  for (int k = 0; k < 3; ++k) BOOST_TEST(std::abs(moment(k) - whole.mass * whole.center[k]) < 1e-12);
  for (int k = 0; k < 3; ++k) BOOST_TEST(std::abs(center[k].imag() / h - whole.velocity[k]) < 1e-13);
  const MatrixX<Complex> A = centroidal_momentum_matrix(complex_model, along);
  BOOST_TEST((A.imag() / h - whole.Adot).norm() < 1e-12);
  BOOST_TEST((centroidal_momentum_matrix(model, q + q) == whole.A));
  BOOST_TEST((center_of_mass_jacobian(model, 2 * q) - whole.J()).norm() == 0);
  BOOST_TEST(inner(centroidal_momentum(model, 2 * q, qd).f, whole.momentum.f) > 0);
  BOOST_TEST(std::abs(mechanical_energy(model, 2 * q, qd) - kinetic_energy(model, 2 * q, qd) -
                      potential_energy(model, q + q)) < 1e-12);
}

BOOST_AUTO_TEST_CASE(an_algorithm_keeps_the_model_that_it_was_made_of)
{
  const VectorX<double> q = VectorX<double>::Constant(1, 0.7), none = VectorX<double>::Zero(1);
  const auto model = [] { return Model<double>(pendulum(2, 0.5, 0)); };
  InverseDynamics<double> rnea(model());
  ForwardDynamics<double> aba(model());
  RungeKuttaMuntheKaas<double> integrator(model());
  LagrangianDerivatives<double> lagrangian(model());
  Assembly<double> assembly(model(), {});
  const double tau = rnea(q, none, none)(0);
  BOOST_TEST(std::abs(tau - 2 * 9.81 * 0.5 * std::sin(0.7)) < 1e-12);
  BOOST_TEST(std::abs(aba(q, none, VectorX<double>::Constant(1, tau))(0)) < 1e-12);
  lagrangian(q, none);
  BOOST_TEST(std::abs(lagrangian.force(0) + tau) < 1e-12);
  BOOST_TEST(assembly.close(q) == q);
  VectorX<double> at = q, rate = none;
  integrator.step(at, rate, 0.0, 0.1, [&](const auto&, const auto&, double) { return VectorX<double>::Ones(1); });
  BOOST_TEST(std::abs(rate(0) - 0.1) < 1e-15);
}

BOOST_AUTO_TEST_CASE(an_algorithm_that_has_not_run_says_so)
{
  const Model<double> model(chain(3));
  const auto says_so = [](const char* what, const auto& ask) {
    try {
      ask();
    } catch (const StateError& error) {
      return says(error.what(), {"there is no", what, "before the first run"});
    }
    return false;
  };
  const ForwardKinematics<double> kinematics(model);
  const LinkFrame<double>& tip = model.links().back();
  BOOST_TEST(says_so("Jacobian", [&] { kinematics.link_jacobian(tip); }));
  BOOST_TEST(says_so("pose", [&] { kinematics.link_pose(tip); }));
  BOOST_TEST(says_so("twist", [&] { kinematics.link_twist(tip); }));
  BOOST_TEST(says_so("twist", [&] { kinematics.link_jacobian_rate(tip, ramp(3, 1, 1)); }));
  BOOST_TEST(says_so("acceleration of a link", [&] { kinematics.link_bias_acceleration(tip); }));
  BOOST_TEST(says_so("regressor of a link", [&] { link_regressor(kinematics, tip); }));
  BOOST_TEST(says_so("energy", [&] { kinematics.kinetic_energy(); }));
  const SpaceMotion<double> motion(model);
  BOOST_TEST(says_so("twist of a link", [&] { motion.space_velocity(tip); }));
  BOOST_TEST(says_so("twist of a link", [&] { motion.angular_velocity(tip); }));
  BOOST_TEST(says_so("acceleration of a link", [&] { motion.space_acceleration(tip); }));
  BOOST_TEST(says_so("velocity of a point", [&] { motion.velocity(tip, {}); }));
  BOOST_TEST(says_so("acceleration of a point", [&] { motion.acceleration(tip, {}); }));
  BOOST_TEST(says_so("moment of mass", [&] { kinematics.potential_energy(model.gravity()); }));
  BOOST_TEST(says_so("momentum", [&] { kinematics.momentum(); }));
  HybridDynamics<double> hybrid(model, {true, false, false});
  BOOST_TEST(says_so("acceleration", [&] { hybrid.qdd(); }));
  BOOST_TEST(says_so("force", [&] { hybrid.tau(); }));
  VectorX<double> x = ramp(3, 1, 1), y = x;
  BOOST_TEST(says_so("response", [&] { hybrid.respond(x, y); }));
  const InertiaMetric<double> metric(model);
  BOOST_TEST(says_so("metric", [&] { metric.M(); }));
  BOOST_TEST(says_so("metric", [&] { metric.dm(0, 1, 2); }));
  BOOST_TEST(says_so("metric", [&] { metric.ddm(0, 1, 2, 2); }));
  BOOST_TEST(says_so("metric", [&] { metric.christoffel(0, 1, 2); }));
  BOOST_TEST(says_so("metric", [&] { metric.dchristoffel(0, 1, 2, 2); }));
  BOOST_TEST(says_so("metric", [&] { metric.C(x); }));
  BOOST_TEST(says_so("metric", [&] { Curvature<double>{metric}; }));
  Mobility<double> mobility(model);
  BOOST_TEST(says_so("mobility", [&] { mobility.of(MatrixX<double>::Ones(1, 3)); }));
  const CentroidalMomentum<double> whole(model);
  BOOST_TEST(says_so("Jacobian of the centre of mass", [&] { whole.J(); }));
  BOOST_TEST(says_so("centroidal momentum", [&] { whole.acceleration(x); }));
  const Regressor<double> regressor(model);
  BOOST_TEST(says_so("row of the kinetic energy", [&] { regressor.kinetic(); }));
  BOOST_TEST(says_so("row of the potential energy", [&] { regressor.potential(); }));
  BOOST_TEST(says_so("matrices", [&] { GlobalMatrices<double>(kinematics, x); }));
  ForwardKinematics<double> afterwards(model);
  afterwards(x, x);
  BOOST_CHECK_NO_THROW(afterwards.link_jacobian(tip));
  BOOST_CHECK_NO_THROW(GlobalMatrices<double>(afterwards, x));
}

BOOST_AUTO_TEST_CASE(where_nothing_moves_there_is_nothing_to_run)
{
  Mechanism rock = pendulum(2, 0.3, 0.1);
  rock.joints.clear();
  rock.links.erase(rock.links.begin());
  const Model<double> model(rock);
  BOOST_REQUIRE(model.bodies() == 0);
  const ForwardKinematics<double> kinematics(model);
  BOOST_TEST(kinematics.kinetic_energy() == 0);
}

BOOST_AUTO_TEST_CASE(a_joint_that_moves_no_mass_forbids_forward_dynamics_and_nothing_else)
{
  Mechanism hand = pendulum(2, 0.5, 0.1);
  hand.links.push_back({"finger"});
  hand.joints.push_back({"knuckle", JointType::revolute, "bob", "finger", {}, {0, 0, 0, 1}, {1, 0, 0}, 0});
  const Model<double> model(hand);
  BOOST_REQUIRE(model.joint_that_moves_no_mass());
  BOOST_TEST(model.joint_that_moves_no_mass()->name == "knuckle");
  BOOST_REQUIRE(model.warnings().size() == 1);
  BOOST_TEST(says(model.warnings()[0], {"joint 'knuckle'", "without moving any mass", "no forward dynamics"}));
  BOOST_TEST(Model<std::complex<double>>(model).joint_that_moves_no_mass()->name == "knuckle");

  const VectorX<double> q = ramp(2, 0.4, 0.3), qd = ramp(2, 1, -0.5), qdd = ramp(2, 0.2, 0.6);
  const VectorX<double> tau = InverseDynamics<double>(model)(q, qd, qdd);
  BOOST_TEST(std::abs(tau(1)) < 1e-15);
  const VectorX<double> alone =
      InverseDynamics<double>(Model<double>(pendulum(2, 0.5, 0.1)))(q.head(1), qd.head(1), qdd.head(1));
  BOOST_TEST(std::abs(tau(0) - alone(0)) < 1e-12);
  BOOST_TEST(CompositeBodies<double>(model)(q)(1, 1) == 0);
  ForwardKinematics<double> kinematics(model);
  kinematics(q, qd);
  BOOST_TEST(std::abs(kinematics.kinetic_energy() - 0.5 * (2 * 0.25 + 0.1)) < 1e-12);
  // With its acceleration prescribed the joint asks for nothing.
  HybridDynamics<double> hybrid(model, {false, true});
  hybrid(q, qd, qdd, tau);
  BOOST_TEST(std::abs(hybrid.qdd()(0) - qdd(0)) < 1e-12);
  try {
    ForwardDynamics<double>{model};
    BOOST_ERROR("forward dynamics was accepted");
  } catch (const ModelError& error) {
    BOOST_TEST(says(error.what(), {"joint 'knuckle'", "can move without moving any mass"}));
  }
  BOOST_TEST(!Model<double>(pendulum(2, 0.5, 0.1)).joint_that_moves_no_mass());
}

BOOST_AUTO_TEST_CASE(more_joints_than_one_body_has_freedoms_forbid_forward_dynamics)
{
  // Small pivots behind the one that should be zero make what rounding leaves of it large.
  const Link weight{"arm", 1, {0, 5, 0}, {0, 0, 0, 1}, {0.01, 0, 0, 0.01, 0, 0.01}};
  Mechanism lever;
  lever.name = lever.source = "lever";
  lever.links = {{"base"}, weight};
  lever.joints = {{"hinge", JointType::revolute, "base", "arm", {0.1, 0.2, 0.3}, {0, 0, 0, 1}, {0, 1, 1}, 0}};
  ModelOptions free;
  free.floating_base = true;
  BOOST_TEST(!Model<double>(lever).joint_that_moves_no_mass());
  BOOST_TEST(Model<double>(lever, free).joint_that_moves_no_mass());

  for (const int hinges : {5, 7, 8}) {
    Mechanism snake;
    snake.name = snake.source = "snake";
    for (int i = 0; i < hinges; ++i) {
      const double angle = 1.7 * i;
      snake.links.push_back({std::to_string(i)});
      snake.joints.push_back({"joint" + std::to_string(i),
                              JointType::revolute,
                              std::to_string(i),
                              i + 1 < hinges ? std::to_string(i + 1) : "arm",
                              {0.3, 0.2 * i, -0.4},
                              {0, 0, 0, 1},
                              {std::sin(angle), std::cos(angle), std::sin(3 * angle)},
                              0});
    }
    snake.links.push_back(weight);
    BOOST_TEST(static_cast<bool>(Model<double>(snake).joint_that_moves_no_mass()) == (hinges > 6));
  }
}

BOOST_AUTO_TEST_CASE(a_joint_that_moves_a_rotor_alone_moves_mass)
{
  Mechanism hand = pendulum(2, 0.5, 0.1);
  hand.links.push_back({"finger"});
  hand.joints.push_back({"knuckle", JointType::revolute, "bob", "finger", {}, {0, 0, 0, 1}, {1, 0, 0}, 0});
  const VectorX<double> armature = ramp(2, 0.02, 0.03), none = VectorX<double>::Zero(2);
  const Model<double> described(hand), geared = described.with_rotors(armature);
  BOOST_TEST(described.joint_that_moves_no_mass());
  BOOST_TEST(!geared.joint_that_moves_no_mass());
  BOOST_TEST(geared.warnings().empty());
  BOOST_TEST(!Model<std::complex<double>>(geared).joint_that_moves_no_mass());
  const Model<double> bare = geared.with_rotors(none);
  BOOST_TEST(bare.joint_that_moves_no_mass()->name == "knuckle");
  BOOST_TEST(bare.warnings() == described.warnings(), boost::test_tools::per_element());
  BOOST_CHECK_THROW(described.with_rotors(ramp(3, 1, 1)), SizeError);

  const VectorX<double> q = ramp(2, 0.4, 0.3), qd = ramp(2, 1, -0.5), tau = ramp(2, 0.2, 0.6);
  ForwardDynamics<double> aba(geared);
  aba.set_armature(armature);
  const VectorX<double> qdd = aba(q, qd, tau);
  const VectorX<double> felt = InverseDynamics<double>(described)(q, qd, qdd) + armature.cwiseProduct(qdd);
  BOOST_TEST((felt - tau).cwiseAbs().maxCoeff() < 1e-12);
  // A rotor is not forgotten in silence.
  ForwardDynamics<double> forgetful(geared);
  BOOST_CHECK_EXCEPTION(forgetful(q, qd, tau), StateError, [](const auto& e) {
    return says(e.what(), {"'knuckle'", "without moving any mass in this state"});
  });

  // Those of the description count where they are used, and only of joints that have one degree.
  hand.joints.back().armature = 0.02;
  BOOST_TEST(Model<double>(hand).joint_that_moves_no_mass());
  ModelOptions used;
  used.dynamics.armature = true;
  BOOST_TEST(!Model<double>(hand, used).joint_that_moves_no_mass());
  hand.joints.back().type = JointType::ball;
  BOOST_TEST(Model<double>(hand, used).joint_that_moves_no_mass());
}

BOOST_AUTO_TEST_CASE(whether_a_joint_moves_mass_does_not_depend_on_the_size_of_the_machine)
{
  // Hinges and slides in general directions, drawn; with mass on every link, or on the last one alone.
  std::mt19937_64 random(7);
  const auto number = [&] { return 2 * std::generate_canonical<double, 53>(random) - 1; };
  int refused = 0;
  for (int trial = 0; trial < 80; ++trial) {
    const int n = 2 + trial % 9;
    const bool last_alone = trial % 2 == 1;
    Mechanism chain;
    chain.name = chain.source = "chain";
    chain.links = {{"0"}};
    for (int i = 1; i <= n; ++i) {
      const bool has_mass = i == n || !last_alone;
      chain.links.push_back({std::to_string(i)});
      Link& link = chain.links.back();
      if (has_mass) link.mass = 1 + i, link.inertia = {0.02, 0.001, 0.002, 0.03, 0.003, 0.025};
      if (has_mass) link.center_of_mass = {number(), number(), number()};
      chain.joints.push_back({std::to_string(i),
                              random() % 3 ? JointType::revolute : JointType::prismatic,
                              std::to_string(i - 1),
                              std::to_string(i),
                              {number(), number(), number()},
                              {0, 0, 0, 1},
                              {number(), number(), number()},
                              0});
    }
    VectorX<double> q(n), tau(n);
    for (int k = 0; k < n; ++k) q(k) = number(), tau(k) = number();
    const VectorX<double> rest = VectorX<double>::Zero(n);
    const Model<double> model(chain);
    const JointSlot* none = model.joint_that_moves_no_mass();
    refused += none != nullptr;
    // One body moves in six directions, and slides move it in three.
    const auto slides = std::count_if(chain.joints.begin(), chain.joints.end(),
                                      [](const Joint& joint) { return joint.type == JointType::prismatic; });
    BOOST_TEST((none != nullptr) == (last_alone && (n > 6 || slides > 3)));
    chain.gravity = {0, 0, 0};
    const auto qdd_of = [&](const Mechanism& machine, const VectorX<double>& at, const VectorX<double>& forces) {
      return ForwardDynamics<double>(Model<double>(machine))(at, rest, forces);
    };
    const VectorX<double> qdd = none ? rest : VectorX<double>(qdd_of(chain, q, tau));
    // Powers of two: not a bit may differ.
    for (const double size : {0x1p-30, 0x1p-20, 0x1p10}) {
      Mechanism other = chain;
      for (Link& link : other.links) {
        for (double& x : link.center_of_mass) x *= size;
        for (double& x : link.inertia) x *= size * size;
      }
      for (Joint& joint : other.joints)
        for (double& x : joint.position) x *= size;
      const Model<double> scaled(other);
      const JointSlot* there = scaled.joint_that_moves_no_mass();
      BOOST_TEST_REQUIRE((there ? there->name : "") == (none ? none->name : ""), "trial " << trial << " at " << size);
      if (none) continue;
      VectorX<double> scale(n);
      for (int k = 0; k < n; ++k) scale(k) = model.rate_is_angular(k) ? 1 : size;
      const VectorX<double> found = qdd_of(other, q.cwiseProduct(scale), size * size * tau.cwiseQuotient(scale));
      BOOST_TEST((found - qdd.cwiseProduct(scale)).cwiseAbs().maxCoeff() == 0, "trial " << trial << " at " << size);
    }
  }
  BOOST_TEST(refused > 10);
}

BOOST_AUTO_TEST_CASE(a_long_chain_is_not_taken_for_one_without_mass)
{
  // Behind its first joint lies a mass whose inertia, locked, is 10^13 times what the joint moves when all give way.
  Mechanism rope;
  rope.name = rope.source = "rope";
  rope.links = {{"0"}};
  for (int i = 1; i <= 20000; ++i) {
    rope.links.push_back({std::to_string(i), 1, {0, 0, -0.5}, {0, 0, 0, 1}, {0.08, 0, 0, 0.08, 0, 0.01}});
    rope.joints.push_back({std::to_string(i),
                           JointType::revolute,
                           std::to_string(i - 1),
                           std::to_string(i),
                           {0, 0, i == 1 ? 0.0 : -1.0},
                           {0, 0, 0, 1},
                           {0, 1, 0},
                           0});
  }
  const Model<double> model(rope);
  BOOST_TEST(!model.joint_that_moves_no_mass());
  BOOST_TEST(model.warnings().empty());
  const VectorX<double> none = VectorX<double>::Zero(model.nv());
  const VectorX<double> qdd = ForwardDynamics<double>(model)(none, none, none);  // it hangs straight down
  BOOST_TEST(qdd.cwiseAbs().maxCoeff() < 1e-9);
}

BOOST_AUTO_TEST_CASE(two_parallel_axes_of_a_massless_link_are_refused_where_they_meet)
{
  // shaft -[yaw about z]- ring (massless) -[pitch about x, then turned]- rotor: regular until both axes are parallel.
  Mechanism gimbal;
  gimbal.name = gimbal.source = "gimbal";
  gimbal.links = {{"shaft"}, {"ring"}, {"cage"}, {"rotor", 1, {0, 0, 0}, {0, 0, 0, 1}, {0.1, 0, 0, 0.2, 0, 0.25}}};
  gimbal.joints = {{"first", JointType::revolute, "shaft", "ring", {}, {0, 0, 0, 1}, {0, 0, 1}, 0},
                   {"second", JointType::revolute, "ring", "cage", {}, {0, 0, 0, 1}, {1, 0, 0}, 0},
                   {"third", JointType::revolute, "cage", "rotor", {}, {0, 0, 0, 1}, {0, 0, 1}, 0}};
  const Model<double> model(gimbal);
  ForwardDynamics<double> aba(model);
  VectorX<double> q = ramp(3, 0.4, 0.3);
  const VectorX<double> zero = VectorX<double>::Zero(3);
  BOOST_CHECK_NO_THROW(aba(q, zero, zero));
  q(1) = 0;  // first and third axis coincide
  BOOST_CHECK_EXCEPTION(aba(q, zero, zero), StateError, [](const auto& e) {
    return says(e.what(), {"gimbal", "'first'", "without moving any mass"});
  });
}

BOOST_AUTO_TEST_SUITE_END()
