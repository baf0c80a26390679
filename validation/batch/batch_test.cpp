/** \file
 *  \brief Many states at once give what the algorithms for one state give, in every width that this processor runs.
 */
#include <boost/test/unit_test.hpp>
#include <array>
#include <cmath>
#include <functional>
#include <random>
#include <articulate/aba/forward_dynamics.hpp>
#include <articulate/batch/batch.hpp>
#include <articulate/batch/lanes.hpp>
#include <articulate/derivatives/hybrid_jacobians.hpp>
#include <articulate/group/matrices.hpp>  // to_wrench
#include <articulate/higher_order/taylor_recursion.hpp>
#include <articulate/model/recursion.hpp>
#include <models/models.hpp>
#include <says.hpp>

using namespace articulate;
using articulate::validation::built_in_model;
using articulate::validation::says;

namespace articulate::validation {
BatchLanes lanes_of_headers();
}

namespace {

/// Those of the library, and those that a program has which takes the headers alone.
std::vector<BatchLanes> all_lanes()
{
  std::vector<BatchLanes> lanes = lanes_of_this_processor();
  lanes.push_back(validation::lanes_of_headers());
  return lanes;
}

using Matrix = MatrixX<double>;
using Vector = VectorX<double>;

struct States {
  Matrix q, qd, qdd, tau, Fext;
};

States draw(const Model<double>& model, int count, unsigned seed, int order = 0)
{
  std::mt19937_64 engine(seed);
  const auto matrix = [&](int rows, double half) {
    return Matrix::NullaryExpr(rows, count, [&] { return std::uniform_real_distribution<double>(-half, half)(engine); })
        .eval();
  };
  const int derivatives = order + 1;
  return {matrix(model.nq(), 3), matrix(model.nv(), 1), matrix(model.nv() * derivatives, 1),
          matrix(model.nv() * derivatives, 1), matrix(6 * (model.bodies() + 1) * derivatives, 1)};
}

/// Motion and forces of one state.
struct Given {
  Vector q, qd, qdd, tau, wrench_numbers;

  std::array<Vector*, 5> all() { return {&q, &qd, &qdd, &tau, &wrench_numbers}; }
  ExternalWrenches<double> Fext() const
  {
    ExternalWrenches<double> wrenches;
    for (int i = 0; i < wrench_numbers.size(); i += 6) wrenches.push_back(to_wrench(wrench_numbers.segment<6>(i)));
    return wrenches;
  }
};

/// One algorithm for one state: a column.
using Single = std::function<Vector(const Given&)>;

/// Whether an error says this.
auto tells(const char* piece)
{
  return [piece](const std::exception& error) { return says(error.what(), {piece}); };
}

double largest_entry(const Matrix& x) { return x.size() == 0 ? 0 : x.cwiseAbs().maxCoeff(); }

/** The largest difference of a batch from single states as a part of 100 n eps kappa of the result. kappa is how much a
 *  relative move of the inputs grows; they are moved by 2^-26 of themselves, where truncation and rounding weigh alike, four
 *  times, and again while they differ by more, as in the ledger: each move shows a part of what kappa is.
 */
double disagreement(const States& s, const Matrix& batch, const Single& single)
{
  std::mt19937_64 engine(2);
  double worst = 0;
  for (int k = 0; k < batch.cols(); ++k) {
    const Given given{s.q.col(k), s.qd.col(k), s.qdd.col(k), s.tau.col(k), s.Fext.col(k)};
    const Vector expected = single(given);
    const double size = largest_entry(expected), difference = largest_entry(batch.col(k) - expected);
    double kappa = 1, part = 0;
    for (int move = 0; move < 4 || (move < 16 && part > 1); ++move) {
      Given moved = given;
      for (Vector* x : moved.all())
        for (double& entry : *x) entry *= 1 + (engine() >> 63 ? 0x1p-26 : -0x1p-26);
      kappa = std::max(kappa, largest_entry(single(moved) - expected) / size * 0x1p26);
      const double n = static_cast<double>(s.qd.rows());
      part = difference / (100 * n * std::numeric_limits<double>::epsilon() * kappa * size);
    }
    if (!(part <= worst)) worst = part;
  }
  return worst;
}

void compare_all(const Model<double>& model, const BatchLanes& lanes, int count, int threads)
{
  const int n = model.nv();
  const States s = draw(model, count, 7);
  Batch batch(model, threads, lanes);

  Matrix tau(n, count);
  InverseDynamics<double> rnea(model);
  batch.inverse_dynamics(s.q, s.qd, s.qdd, tau);
  BOOST_TEST(disagreement(s, tau, [&](const Given& x) { return Vector(rnea(x.q, x.qd, x.qdd)); }) <= 1);
  batch.inverse_dynamics(s.q, s.qd, s.qdd, tau, s.Fext);
  BOOST_TEST(disagreement(s, tau, [&](const Given& x) { return Vector(rnea(x.q, x.qd, x.qdd, x.Fext())); }) <= 1);

  Matrix M(n * n, count);
  batch.mass_matrix(s.q, M);
  CompositeBodies<double> composite(model);
  BOOST_TEST(disagreement(s, M, [&](const Given& x) { return Vector(composite(x.q).reshaped()); }) <= 1);

  Matrix energies(2, count);
  batch.energies(s.q, s.qd, energies);
  ForwardKinematics<double> kinematics(model);
  BOOST_TEST(disagreement(s, energies, [&](const Given& x) {
               kinematics(x.q, x.qd);
               return Vector{{kinematics.kinetic_energy(), kinematics.potential_energy(model.gravity())}};
             }) <= 1);

  Matrix by_q(n * n, count), by_qd(n * n, count), by_given(n * n, count);
  const auto compare_jacobians = [&](const auto& jacobians) {
    const auto part = [&](auto matrix) {
      return [&jacobians, matrix](const Given& x) { return Vector((jacobians(x).*matrix).reshaped()); };
    };
    BOOST_TEST(disagreement(s, by_q, part(&DynamicsJacobians<double>::by_q)) <= 1);
    BOOST_TEST(disagreement(s, by_qd, part(&DynamicsJacobians<double>::by_qd)) <= 1);
    BOOST_TEST(disagreement(s, by_given, part(&DynamicsJacobians<double>::by_given)) <= 1);
  };
  batch.inverse_dynamics_jacobians(s.q, s.qd, s.qdd, by_q, by_qd, by_given, s.Fext);
  compare_jacobians([&](const Given& x) { return inverse_dynamics_jacobians(model, x.q, x.qd, x.qdd, x.Fext()); });

  if (model.joint_that_moves_no_mass()) {
    BOOST_CHECK_EXCEPTION(batch.forward_dynamics(s.q, s.qd, s.tau, tau), ModelError, tells("without moving any mass"));
    return;
  }
  Matrix qdd(n, count);
  ForwardDynamics<double> aba(model);
  batch.forward_dynamics(s.q, s.qd, s.tau, qdd);
  BOOST_TEST(disagreement(s, qdd, [&](const Given& x) { return Vector(aba(x.q, x.qd, x.tau)); }) <= 1);
  batch.forward_dynamics(s.q, s.qd, s.tau, qdd, s.Fext);
  BOOST_TEST(disagreement(s, qdd, [&](const Given& x) { return Vector(aba(x.q, x.qd, x.tau, x.Fext())); }) <= 1);

  batch.forward_dynamics_jacobians(s.q, s.qd, s.tau, by_q, by_qd, by_given, s.Fext);
  compare_jacobians([&](const Given& x) { return forward_dynamics_jacobians(model, x.q, x.qd, x.tau, x.Fext()); });

  std::vector<bool> prescribed(n);
  for (int k = 0; k < n; ++k) prescribed[k] = k % 3 == 1;
  batch.hybrid_dynamics(prescribed, s.q, s.qd, s.qdd, s.tau, qdd, tau, s.Fext);
  HybridDynamics<double> hybrid(model, prescribed);
  Matrix both(2 * n, count);
  both << qdd, tau;
  BOOST_TEST(disagreement(s, both, [&](const Given& x) {
               hybrid(x.q, x.qd, x.qdd, x.tau, x.Fext());
               Vector answer(2 * n);
               answer << hybrid.qdd(), hybrid.tau();
               return answer;
             }) <= 1);
}

/// The matrices of Hessians, one after the other.
Vector in_one_column(const Hessians<double>& H)
{
  const int n = static_cast<int>(H.size());
  Vector column(n * n * n);
  for (int i = 0; i < n; ++i) column.segment(i * n * n, n * n) = H[i].reshaped();
  return column;
}

void compare_hessians(const Model<double>& model, const BatchLanes& lanes, int count, int threads)
{
  const int n = model.nv();
  const States s = draw(model, count, 7);
  Batch batch(model, threads, lanes);
  Matrix q_q(n * n * n, count), q_qd = q_q, qd_qd = q_q, q_given = q_q;
  const auto compare = [&](const auto& hessians) {
    const auto part = [&](auto list) {
      return [&hessians, list](const Given& x) { return in_one_column(hessians(x).*list); };
    };
    BOOST_TEST(disagreement(s, q_q, part(&DynamicsHessians<double>::q_q)) <= 1);
    BOOST_TEST(disagreement(s, q_qd, part(&DynamicsHessians<double>::q_qd)) <= 1);
    BOOST_TEST(disagreement(s, qd_qd, part(&DynamicsHessians<double>::qd_qd)) <= 1);
    BOOST_TEST(disagreement(s, q_given, part(&DynamicsHessians<double>::q_given)) <= 1);
  };
  batch.inverse_dynamics_hessians(s.q, s.qd, s.qdd, q_q, q_qd, qd_qd, q_given, s.Fext);
  compare([&](const Given& x) { return inverse_dynamics_hessians(model, x.q, x.qd, x.qdd, x.Fext()); });
  batch.forward_dynamics_hessians(s.q, s.qd, s.tau, q_q, q_qd, qd_qd, q_given, s.Fext);
  compare([&](const Given& x) { return forward_dynamics_hessians(model, x.q, x.qd, x.tau, x.Fext()); });
}

void compare_orders(const Model<double>& model, const BatchLanes& lanes, int count, int threads, int order)
{
  const int n = model.nv(), links = model.bodies() + 1;
  const States s = draw(model, count, 7, order);
  Batch batch(model, threads, lanes);
  std::vector<bool> prescribed(n);
  for (int k = 0; k < n; ++k) prescribed[k] = k % 3 == 1;
  HigherOrderDynamics<double> dynamics(model, order, prescribed);
  Matrix qdd(n * (order + 1), count), tau = qdd;
  for (const bool pushed : {false, true}) {
    batch.higher_order_dynamics(order, prescribed, s.q, s.qd, s.qdd, s.tau, qdd, tau, pushed ? s.Fext : Matrix());
    Matrix both(qdd.rows() + tau.rows(), count);
    both << qdd, tau;
    BOOST_TEST(disagreement(s, both, [&](const Given& x) {
                 WrenchDerivatives<double> Fext;
                 const ExternalWrenches<double> all = x.Fext();
                 for (int k = 0; pushed && k <= order; ++k)
                   Fext.emplace_back(all.begin() + k * links, all.begin() + (k + 1) * links);
                 dynamics(x.q, x.qd, x.qdd.reshaped(n, order + 1), x.tau.reshaped(n, order + 1), Fext);
                 Vector answer(both.rows());
                 answer << dynamics.qdd().reshaped(), dynamics.tau().reshaped();
                 return answer;
               }) <= 1);
  }
}

/// Nine states, in one of which two axes of a ball joint coincide.
States with_a_singular_one(const Model<double>& model, int singular)
{
  States s = draw(model, 9, 3);
  for (const JointSlot& joint : model.joints())
    if (joint.type == JointType::euler_ball) s.q(joint.q + 1, singular) = std::acos(0.0);
  return s;
}

/// Take out a column.
void without(int k, Matrix& x)
{
  const Matrix after = x.rightCols(x.cols() - k - 1);
  x.conservativeResize(Eigen::NoChange, x.cols() - 1);
  x.rightCols(after.cols()) = after;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(batch)

BOOST_AUTO_TEST_CASE(a_batch_agrees_with_single_states_on_every_built_in_model)
{
  for (const auto& built_in : articulate::validation::built_in_models()) {
    const Model<double> model(built_in_model(built_in.name), {.floating_base = built_in.floating_base});
    for (const BatchLanes& lanes : all_lanes())
      BOOST_TEST_CONTEXT(built_in.name << ", " << lanes.count << " lanes") compare_all(model, lanes, 5, 1);
  }
}

BOOST_AUTO_TEST_CASE(any_number_of_states_and_threads_will_do)
{
  for (const char* name : {"every_joint", "random:3", "random:8", "random:17", "tree:3x4"})
    for (const bool floating : {false, true}) {
      const Model<double> model(built_in_model(name), {.floating_base = floating});
      for (const int count : {0, 1, 3, 4, 9})
        for (const BatchLanes& lanes : all_lanes())
          BOOST_TEST_CONTEXT(name << ", " << count << " states, " << lanes.count << " lanes")
      compare_all(model, lanes, count, 1 + count % 3);
    }
}

/// Whatever the threads are, packs are the same, and so is each bit.
BOOST_AUTO_TEST_CASE(each_state_is_solved_however_many_threads_share_them)
{
  const Model<double> model(built_in_model("park_2r"));
  for (const BatchLanes& lanes : all_lanes()) {
    const int most = 5 * lanes.count + 1;
    const States s = draw(model, most, 7);
    Batch alone(model, 1, lanes);
    Matrix right(2, most);
    alone.inverse_dynamics(s.q, s.qd, s.qdd, right);
    for (int threads = 2; threads <= 9; ++threads) {
      Batch batch(model, threads, lanes);
      for (int count = 0; count <= most; ++count) {
        Matrix tau = Matrix::Constant(2, count, std::nan(""));
        batch.inverse_dynamics(s.q.leftCols(count), s.qd.leftCols(count), s.qdd.leftCols(count), tau);
        BOOST_TEST((tau == right.leftCols(count)),
                   count << " states in " << lanes.count << " lanes, " << threads << " threads");
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(second_derivatives_and_those_in_time_agree_with_single_states)
{
  for (const char* name : {"park_2r", "mixed_tree", "random:3", "tree:2x2"})
    for (const bool floating : {false, true}) {
      const Model<double> model(built_in_model(name), {.floating_base = floating});
      for (const int count : {0, 1, 3, 9})
        for (const BatchLanes& lanes : all_lanes())
          BOOST_TEST_CONTEXT(name << ", " << count << " states, " << lanes.count << " lanes")
          {
            compare_hessians(model, lanes, count, 1 + count % 3);
            for (const int order : {0, 1, 4}) compare_orders(model, lanes, count, 1 + count % 3, order);
          }
    }
}

BOOST_AUTO_TEST_CASE(a_state_that_is_refused_is_named_and_leaves_the_others)
{
  const Model<double> model(built_in_model("mixed_tree"));
  const int n = model.nv(), singular = 6;
  const States s = with_a_singular_one(model, singular);
  ForwardDynamics<double> aba(model);
  for (const BatchLanes& lanes : all_lanes()) {
    Batch batch(model, 2, lanes);
    Matrix qdd = Matrix::Zero(n, 9);
    BOOST_CHECK_EXCEPTION(batch.forward_dynamics(s.q, s.qd, s.tau, qdd), BatchError, [&](const BatchError& error) {
      return error.refused.size() == 1 && error.refused[0].state == singular &&
             says(error.what(), {"state 6: ", "singularity of its coordinates"});
    });
    BOOST_TEST(qdd.col(singular).array().isNaN().all());
    States others = s;
    for (Matrix* x : {&others.q, &others.qd, &others.qdd, &others.tau, &others.Fext, &qdd}) without(singular, *x);
    BOOST_TEST(disagreement(others, qdd, [&](const Given& x) { return Vector(aba(x.q, x.qd, x.tau)); }) <= 1);
  }
}

BOOST_AUTO_TEST_CASE(sizes_and_threads_that_do_not_fit_are_refused)
{
  const Model<double> model(built_in_model("park_2r"));
  Matrix two = Matrix::Zero(2, 5), three = Matrix::Zero(3, 5), short_of_one = Matrix::Zero(2, 4);
  Batch batch(model, 1, widest_lanes());
  BOOST_CHECK_EXCEPTION(batch.inverse_dynamics(three, two, two, two), SizeError,
                        tells("q (rows) has 3 entries where the model needs 2."));
  BOOST_CHECK_EXCEPTION(batch.inverse_dynamics(two, short_of_one, two, two), SizeError,
                        tells("qd (states) has 4 entries"));
  BOOST_CHECK_EXCEPTION(batch.mass_matrix(two, two), SizeError, tells("M (rows) has 2 entries"));
  BOOST_CHECK_EXCEPTION(batch.inverse_dynamics(two, two, two, two, three), SizeError,
                        tells("Fext (rows) has 3 entries where the model needs 18."));
  BOOST_CHECK_EXCEPTION(batch.forward_dynamics(two, two, two, two, Matrix::Zero(18, 4)), SizeError,
                        tells("Fext (states) has 4 entries"));
  BOOST_CHECK_EXCEPTION(batch.forward_dynamics_jacobians(two, two, two, two, two, two), SizeError,
                        tells("dqdd_dq (rows) has 2 entries where the model needs 4."));
  BOOST_CHECK_EXCEPTION(batch.inverse_dynamics_hessians(two, two, two, two, two, two, two), SizeError,
                        tells("dq_dq (rows) has 2 entries where the model needs 8."));
  const std::vector<bool> free(2, false);
  BOOST_CHECK_EXCEPTION(batch.higher_order_dynamics(1, free, two, two, two, two, two, two), SizeError,
                        tells("qdd (rows) has 2 entries where the model needs 4."));
  BOOST_CHECK_EXCEPTION(batch.higher_order_dynamics(0, {true}, two, two, two, two, two, two), SizeError,
                        tells("prescribed has 1 entry where the model needs 2."));
  BOOST_CHECK_EXCEPTION(batch.higher_order_dynamics(-1, free, two, two, two, two, two, two), StateError,
                        tells("order is -1 where 0 or more is needed."));
  BOOST_CHECK_EXCEPTION(Batch(model, 0), Error, tells("0 threads"));
  BOOST_CHECK_NO_THROW(Batch(model.with({})));
  BOOST_CHECK_EXCEPTION(Batch(model.with({model.body(1)})), ModelError, tells("changed by Model::with"));
}

BOOST_AUTO_TEST_CASE(sine_and_cosine_are_off_by_less_than_1_1_units_in_the_last_place)
{
  // long double has eleven bits more, or sixty.
  std::mt19937_64 engine(11);
  const auto unit = [&] { return std::uniform_real_distribution<double>(-1, 1)(engine); };
  const auto units_off = [](double y, long double truth) {
    int exponent;
    std::frexp(static_cast<double>(truth), &exponent);
    return static_cast<double>(std::ldexp(std::abs(y - truth), 53 - exponent));
  };
  double worst = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    const double tiny = std::ldexp(unit(), -trial % 300), of_quarter = std::floor(unit() * 6e5) * 1.5707963267948966;
    Pack<4> x(4 * unit());
    x.set(1, unit() * 0x1p20), x.set(2, tiny), x.set(3, std::nextafter(of_quarter, trial % 2 ? 1e9 : -1e9));
    const Pack<4> s = sin(x), c = cos(x);
    for (int l = 0; l < 4; ++l) {
      const long double angle = x[l];
      worst = std::max({worst, units_off(s[l], std::sin(angle)), units_off(c[l], std::cos(angle))});
    }
  }
  BOOST_TEST(worst < 0.8);
  // What r loses by rounding is added again; what is left are the last sum and the digits of pi/2 that no part holds. They
  // weigh most next to its multiples, so that all of these below 2^20 are asked for.
  for (int k = 1;; ++k) {
    const double near = static_cast<double>(k * std::acos(0.0L));
    Pack<4> x(near);
    x.set(1, std::nextafter(near, 0)), x.set(2, std::nextafter(near, 1e9));
    if (x[2] >= 0x1p20) break;
    const Pack<4> s = sin(x), c = cos(x);
    for (int l = 0; l < 3; ++l) {
      const long double angle = x[l];
      worst = std::max(worst, k % 2 == 0 ? units_off(s[l], std::sin(angle)) : units_off(c[l], std::cos(angle)));
    }
  }
  BOOST_TEST(worst < 1.1);
  BOOST_TEST(worst > 0.5);  // or nothing was compared

  Pack<4> x(0.5);
  x.set(2, 1e15);
  BOOST_TEST(sin(x)[2] == std::sin(1e15));
  BOOST_TEST(units_off(cos(x)[1], std::cos(0.5L)) < 1.1);
  x.set(2, std::nan(""));
  BOOST_TEST(std::isnan(sin(x)[2]));
}

BOOST_AUTO_TEST_CASE(screws_place_several_bodies_as_each_joint_places_its_own)
{
  for (const bool floating : {false, true})
    for (const char* name : {"planar_arm:1", "planar_arm:4", "planar_arm:9", "screw_arm", "cardan_mast", "humanoid"}) {
      const Model<double> model(built_in_model(name), {.floating_base = floating});
      Vector q(model.nq());
      for (int k = 0; k < q.size(); ++k) q(k) = k % 4 == 3 ? 1e15 : 0.3 * k - 2;  // one angle in four far away
      Recursion<double> all(model);
      all.place(q);
      for (const Body<double>& body : model.outward()) {
        const SE3<double> T = all.T[body.index], alone = joint_pose(body, q.data() + body.q);
        // Two sines, each known to 1.1 units in the last place, by the entries of two unit vectors; two roundings each.
        const double units = std::sqrt(2.0) * 2.2 + 2, few = units * std::numeric_limits<double>::epsilon();
        for (int k = 0; k < 9; ++k) BOOST_TEST(std::abs(T.R.matrix.e[k] - alone.R.matrix.e[k]) <= few);
        for (int k = 0; k < 3; ++k) BOOST_TEST(std::abs(T.p[k] - alone.p[k]) <= few * std::abs(alone.p[k]));
      }
    }
}

BOOST_AUTO_TEST_CASE(lanes_that_disagree_have_no_common_answer)
{
  Pack<4> x(1.0);
  BOOST_TEST((x > 0.0));
  BOOST_TEST(!(x < 0.0));
  x.set(3, -1);
  BOOST_CHECK_THROW(static_cast<void>(x > 0.0), LanesDisagree);
}

BOOST_AUTO_TEST_CASE(a_constant_is_kept_once_only_where_all_lanes_have_it)
{
  BOOST_TEST(static_cast<double>(Pack<4>(0.1)) == 0.1);
  const Model<Pack<4>> model(Model<double>(built_in_model("planar_arm:1")));
  BOOST_CHECK_NO_THROW(TaylorRecursion<Pack<4>>(model, 1, false));
  const auto other_in_one_lane = [&](auto&& constant_of) {
    Body<Pack<4>> body = model.body(1);
    Pack<4>& constant = constant_of(body);
    constant.set(2, constant[2] + 1);
    return model.with({body});
  };
  const std::function<Pack<4>&(Body<Pack<4>>&)> constants[] = {
      [](Body<Pack<4>>& body) -> Pack<4>& { return body.turn; },
      [](Body<Pack<4>>& body) -> Pack<4>& { return body.M.p[1]; },
      [](Body<Pack<4>>& body) -> Pack<4>& { return body.M.R.matrix(2, 0); },
      [](Body<Pack<4>>& body) -> Pack<4>& { return body.I.mass; },
      [](Body<Pack<4>>& body) -> Pack<4>& { return body.I.first_moment[2]; },
      [](Body<Pack<4>>& body) -> Pack<4>& { return body.I.second_moment.yz; }};
  for (const auto& constant_of : constants)
    BOOST_CHECK_THROW(TaylorRecursion<Pack<4>>(other_in_one_lane(constant_of), 1, false), LanesDisagree);
}

BOOST_AUTO_TEST_SUITE_END()
