/** \file
 *  \brief How many combinations of masses joint forces can tell, and that these are enough.
 */
#include <boost/test/unit_test.hpp>
#include <iostream>
#include <random>
#include <Eigen/QR>
#include <Eigen/SVD>
#include <articulate/lagrange/regressor.hpp>
#include <articulate/model/kinematics.hpp>
#include <models/models.hpp>
#include <witnesses/newton_euler.hpp>

using namespace articulate;
using namespace articulate::validation;

namespace {

struct State {
  VectorX<double> q, qd, qdd;
};

std::vector<State> drawn_states(const Model<double>& model, int count, unsigned seed)
{
  std::mt19937 engine(seed);
  std::uniform_real_distribution<double> number(-1, 1);
  const auto draw = [&](int n) {
    return VectorX<double>(VectorX<double>::NullaryExpr(n, [&] { return number(engine); }));
  };
  std::vector<State> states;
  for (int k = 0; k < count; ++k) states.push_back({3 * draw(model.nq()), 2 * draw(model.nv()), 5 * draw(model.nv())});
  return states;
}

/// Regressors of all states on top of each other.
MatrixX<double> stacked(const Model<double>& model, const std::vector<State>& states)
{
  Regressor<double> Y(model);
  MatrixX<double> W(model.nv() * states.size(), 10 * model.bodies());
  for (std::size_t k = 0; k < states.size(); ++k)
    W.middleRows(model.nv() * k, model.nv()) = Y(states[k].q, states[k].qd, states[k].qdd);
  return W;
}

/** \brief The same space without the regressor: forces of the witness on robots of which one link alone has mass.
 *
 *  Ten masses of a link make all others: a point at its origin, one on each axis, and six moments of inertia.
 */
MatrixX<double> of_single_masses(const Model<double>& model, const std::vector<State>& states)
{
  Mechanism bare = model.mechanism();
  for (Link& link : bare.links) link.mass = 0, link.center_of_mass = {}, link.inertia = {};
  MatrixX<double> W(model.nv() * states.size(), 10 * bare.links.size());
  for (std::size_t l = 0; l < bare.links.size(); ++l)
    for (int p = 0; p < 10; ++p) {
      Mechanism one = bare;
      Link& link = one.links[l];
      link.inertial_quaternion = {0, 0, 0, 1};
      if (p < 4) link.mass = 1;
      if (0 < p && p < 4) link.center_of_mass[p - 1] = 1;
      if (p >= 4) link.inertia[p - 4] = 1;
      witness::VectorNewtonEuler<double> witness(one, model.floating_base());
      for (std::size_t k = 0; k < states.size(); ++k)
        W.col(10 * l + p).segment(model.nv() * k, model.nv()) =
            witness.inverse_dynamics(states[k].q, states[k].qd, states[k].qdd, model.gravity().eigen());
    }
  return W;
}

/// Columns of length one, those that are zero left out; singular values between 1e-12 and 1e-3 would leave it open.
int rank_by_singular_values(const MatrixX<double>& W)
{
  MatrixX<double> unit = W;
  const double longest = W.colwise().norm().maxCoeff();
  for (Eigen::Index p = 0; p < W.cols(); ++p)
    unit.col(p) *= W.col(p).norm() > 1e-12 * longest ? 1 / W.col(p).norm() : 0;
  const VectorX<double> values = Eigen::JacobiSVD<MatrixX<double>>(unit).singularValues();
  int rank = 0;
  while (rank < values.size() && values(rank) > 1e-3) ++rank;
  BOOST_TEST_REQUIRE((rank == values.size() || values(rank) < 1e-12));
  return rank;
}

/// A built-in robot under another gravity.
Model<double> under(const char* name, const Vector3<double>& gravity)
{
  Mechanism mechanism = built_in_model(name);
  mechanism.gravity = {gravity[0], gravity[1], gravity[2]};
  return Model<double>(mechanism, {.accept_unphysical = true});
}

/// The axis of the first joint, in the world.
Vector3<double> first_axis(const char* name)
{
  const Model<double> model(built_in_model(name), {.accept_unphysical = true});
  ForwardKinematics<double> kinematics(model);
  kinematics(model.zero_coordinates(), VectorX<double>::Zero(model.nv()));
  return Ad(kinematics.pose[1], kinematics.S[1].column(0)).w;
}

/// A chain of hinges about the named axes of their frames, so that each is parallel or normal to the next.
Model<double> arm(const std::string& axes, const Vector3<double>& gravity)
{
  Mechanism chain{"arm", "arm", {{"0"}}, {}, {gravity[0], gravity[1], gravity[2]}, {}};
  for (std::size_t k = 0; k < axes.size(); ++k) {
    const std::string name = std::to_string(k + 1);
    const double d = 0.1 * static_cast<double>(k);
    chain.links.push_back({name, 1 + d, {0.2, d - 0.1, 0.3}, {0, 0, 0, 1}, {0.3, 0.02, -0.01, 0.4, 0.03, 0.5}});
    Joint joint{name, JointType::revolute, std::to_string(k), name};
    joint.position = {0.4 - d, 0.3, 0.2 + d};
    joint.axis = {axes[k] == 'x' ? 1. : 0., axes[k] == 'y' ? 1. : 0., axes[k] == 'z' ? 1. : 0.};
    chain.joints.push_back(joint);
  }
  return Model<double>(chain);
}

/// Counted three ways.
void require_rank(const Model<double>& model, int expected)
{
  const std::vector<State> states = drawn_states(model, 40, 3);
  const MatrixX<double> W = stacked(model, states);
  const BaseParameters base(W);
  BOOST_TEST(base.rank() == expected);
  BOOST_TEST(base.smallest_kept > 1e6 * base.largest_dropped);
  BOOST_TEST(rank_by_singular_values(W) == expected);
  BOOST_TEST(rank_by_singular_values(of_single_masses(model, states)) == expected);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(regressor)

BOOST_AUTO_TEST_CASE(the_puma_shows_36_combinations_of_its_60_parameters_and_two_more_when_it_is_tilted)
{
  const Vector3<double> axis = first_axis("puma560");
  require_rank(under("puma560", -9.81 * axis), 36);
  require_rank(under("puma560", {}), 34);
  require_rank(under("puma560", {1, 2, -9}), 38);
}

BOOST_AUTO_TEST_CASE(a_planar_arm_of_two_links_shows_six_combinations_and_four_without_weight)
{
  const Vector3<double> axis = first_axis("planar_arm:2");
  const Vector3<double> in_the_plane = cross(axis, Vector3<double>{1, 2, -3});
  require_rank(under("planar_arm:2", in_the_plane), 6);
  require_rank(under("planar_arm:2", {}), 4);
  require_rank(under("planar_arm:2", -9.81 * axis), 4);  // its bearings carry the weight
}

BOOST_AUTO_TEST_CASE(a_joint_shows_seven_combinations_less_four_for_each_at_the_base_whose_axes_are_parallel)
{
  for (const std::string axes : {"zx", "zxx", "zz", "zzx", "zzxy", "zzzx"}) BOOST_TEST_CONTEXT(axes)
    {
      const int parallel = static_cast<int>(std::min(axes.find_first_not_of('z'), axes.size()));
      const int all = 7 * static_cast<int>(axes.size()) - 4 * parallel;
      require_rank(arm(axes, {1, 2, -9}), all);
      require_rank(arm(axes, {0, 0, -9.81}), all - 2);
    }
}

BOOST_AUTO_TEST_CASE(base_parameters_can_be_measured_and_give_all_joint_forces)
{
  for (const char* name : {"ur5", "mixed_tree"}) {
    const Model<double> model(built_in_model(name), {.accept_unphysical = true});
    const int n = model.nv();
    const std::vector<State> seen = drawn_states(model, 60, 5), unseen = drawn_states(model, 20, 6);
    const MatrixX<double> W = stacked(model, seen), W_unseen = stacked(model, unseen);
    const BaseParameters base(W);
    BOOST_TEST(base.rank() < W.cols());
    const auto independent = [&](const MatrixX<double>& all) {
      MatrixX<double> some(all.rows(), base.rank());
      for (int b = 0; b < base.rank(); ++b) some.col(b) = all.col(base.columns[b]);
      return some;
    };
    const auto measured = [&](const std::vector<State>& states) {
      witness::VectorNewtonEuler<double> witness(model.mechanism(), false);
      VectorX<double> tau(n * states.size());
      for (std::size_t k = 0; k < states.size(); ++k)
        tau.segment(n * k, n) =
            witness.inverse_dynamics(states[k].q, states[k].qd, states[k].qdd, model.gravity().eigen());
      return tau;
    };
    const VectorX<double> tau = measured(unseen), by_groups = base.groups * inertial_parameters(model);
    BOOST_TEST((independent(W_unseen) * by_groups - tau).norm() < 1e-12 * tau.norm());
    // A fit to the forces alone finds the same numbers.
    const MatrixX<double> to_fit = independent(W);
    const VectorX<double> fitted = Eigen::ColPivHouseholderQR<MatrixX<double>>(to_fit).solve(measured(seen));
    BOOST_TEST((fitted - by_groups).norm() < 1e-10 * by_groups.norm());
    BOOST_TEST((independent(W_unseen) * fitted - tau).norm() < 1e-11 * tau.norm());
  }
}

/// W with m rows and n columns counts to 100 (m + n) units: both a column beside the longest and a pivot of unit columns.
BOOST_AUTO_TEST_CASE(what_counts_is_longer_than_its_rounding_errors)
{
  const double roundoff = 100 * (3 + 2) * std::numeric_limits<double>::epsilon();
  MatrixX<double> W = MatrixX<double>::Zero(3, 2);
  const auto base = [&](double x, double y) {
    W(0, 0) = 1, W(0, 1) = x, W(1, 1) = y;
    return BaseParameters(W);
  };
  BOOST_TEST(base(0, 0.9 * roundoff).rank() == 1);
  BOOST_TEST(base(0, 1.1 * roundoff).rank() == 2);
  const BaseParameters one = base(1, 0.9 * roundoff), two = base(1, 1.1 * roundoff);
  BOOST_TEST(one.rank() == 1);
  BOOST_TEST(std::abs(one.largest_dropped - 0.9 * roundoff) <= 0.01 * roundoff);
  BOOST_TEST(two.rank() == 2);
  BOOST_TEST(std::abs(two.smallest_kept - 1.1 * roundoff) <= 0.01 * roundoff);
  BOOST_TEST(two.largest_dropped == 0);
  const BaseParameters none(MatrixX<double>(MatrixX<double>::Zero(3, 2)));
  BOOST_TEST(none.rank() == 0);
  BOOST_TEST(none.smallest_kept == 0);
  BOOST_TEST(none.largest_dropped == 0);
}

BOOST_AUTO_TEST_SUITE_END()
