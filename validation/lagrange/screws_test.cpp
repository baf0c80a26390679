/** \file
 *  \brief Screws and models: the way from a tree to its screws and back to a tree, and from printed lists.
 */
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <limits>
#include <articulate/lagrange/product_of_exponentials.hpp>
#include <articulate/lagrange/regressor.hpp>
#include <articulate/model/kinematics.hpp>
#include <articulate/rnea/inverse_dynamics.hpp>
#include <models/inputs.hpp>
#include <models/models.hpp>
#include <says.hpp>

using namespace articulate;
using namespace articulate::validation;
namespace data = boost::unit_test::data;

namespace {

using Vector = VectorX<double>;

constexpr double roundoff = std::numeric_limits<double>::epsilon() / 2;

Vector numbers(const std::vector<double>& x) { return Eigen::Map<const Vector>(x.data(), std::ssize(x)); }

double length(const Vector3<double>& x) { return std::sqrt(inner(x, x)); }

/** \brief Whether two models need the same torques in a drawn state.
 *
 *  To 100 n units in the last place of what no term of a torque exceeds: no point is farther than the reach from anything,
 *  what turns or slides does it at no more than the sum of all rates, and mass, first and second moments all press.
 */
void require_equal_torques(const Model<double>& one, const Model<double>& other, const Inputs& inputs)
{
  BOOST_TEST_REQUIRE(other.nv() == one.nv());
  const Vector q = numbers(inputs.q), qd = numbers(inputs.qd), qdd = numbers(inputs.qdd);
  double reach = 1 + q.cwiseAbs().sum();
  for (const Twist<double>& A : ScrewSystem<double>(one).A) reach += length(A.v);
  const double rates = qd.cwiseAbs().sum(), acceleration = 10 + qdd.cwiseAbs().sum() + rates * rates;
  const double most = reach * reach * acceleration * inertial_parameters(one).cwiseAbs().sum();
  const Vector difference = inverse_dynamics(other, q, qd, qdd) - inverse_dynamics(one, q, qd, qdd);
  BOOST_TEST(largest(difference) <= 100 * one.nv() * roundoff * most);
}

/// The lists of the UR5 as Lynch and Park print them, Modern Robotics, chapter 8.
struct Ur5Lists {
  std::vector<SE3<double>> M;
  std::vector<Twist<double>> S{{{0, 0, 1}, {0, 0, 0}},
                               {{0, 1, 0}, {-0.089159, 0, 0}},
                               {{0, 1, 0}, {-0.089159, 0, 0.425}},
                               {{0, 1, 0}, {-0.089159, 0, 0.81725}},
                               {{0, 0, -1}, {-0.10915, 0.81725, 0}},
                               {{0, 1, 0}, {0.005491, 0, 0.81725}}};
  std::vector<Matrix6<double>> G;

  Ur5Lists()
  {
    const SO3<double> straight, quarter(Matrix3<double>{{0, 0, 1, 0, 1, 0, -1, 0, 0}}),
        up(Matrix3<double>{{1, 0, 0, 0, 0, 1, 0, -1, 0}});
    M = {{straight, {0, 0, 0.089159}}, {quarter, {0.28, 0.13585, 0}}, {straight, {0, -0.1197, 0.395}},
         {quarter, {0, 0, 0.14225}},   {straight, {0, 0.093, 0}},     {straight, {0, 0, 0.09465}},
         {up, {0, 0.0823, 0}}};
    const double printed[][3] = {{0.010267495893, 0.00666, 3.7},    {0.22689067591, 0.0151074, 8.393},
                                 {0.049443313556, 0.004095, 2.275}, {0.111172755531, 0.21942, 1.219},
                                 {0.111172755531, 0.21942, 1.219},  {0.0171364731454, 0.033822, 0.1879}};
    for (const auto& [across, along, mass] : printed) {
      Matrix6<double> one = Matrix6<double>::Zero();
      one.diagonal() << across, across, along, mass, mass, mass;
      G.push_back(one);
    }
  }
};

/// The three lists of a chain of one-degree joints, in the frames of its bodies.
struct Lists {
  std::vector<SE3<double>> M;
  std::vector<Twist<double>> S;
  std::vector<Matrix6<double>> G;

  explicit Lists(const Model<double>& model)
  {
    const ScrewSystem<double> screws(model);
    S = screws.A;
    for (int i = 1; i <= model.bodies(); ++i) {
      M.push_back(inverse(screws.M[i - 1]) * screws.M[i]);
      G.push_back(model.body(i).I.matrix());
    }
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(screws)

BOOST_DATA_TEST_CASE(a_mechanism_made_of_screws_needs_the_same_torques_as,
                     data::make({"park_2r", "screw_arm", "tree:3x4", "cardan_mast", "mixed_tree", "puma560", "panda"}),
                     name)
{
  const Inputs inputs = Inputs::draw(built_in_model(name), {}, 5);
  const Model<double> model(inputs.mechanism), back(mechanism_of(ScrewSystem<double>(model), inputs.mechanism.gravity));
  for (const JointSlot& joint : back.joints()) BOOST_TEST(joint.nv == 1);
  require_equal_torques(model, back, inputs);
}

/// At x = 0: axes as the base has them; a turn about a line through its frame's origin, a slide from where it starts.
BOOST_DATA_TEST_CASE(frames_of_a_mechanism_made_of_screws_stand_on_their_lines,
                     data::make({"screw_arm", "mixed_tree", "puma560", "panda"}), name)
{
  const ScrewSystem<double> screws{Model<double>(built_in_model(name))};
  const Model<double> back(mechanism_of(screws, {0, 0, -9.81}));
  ForwardKinematics<double> kinematics(back);
  kinematics(back.zero_coordinates(), Vector::Zero(back.nv()));
  const auto frame = [&](int k) {
    return k < 0 ? SE3<double>{} : kinematics.link_pose(back.link(back.mechanism().links[k + 1].name));
  };
  double reach = 1;
  for (const Twist<double>& A : screws.A) reach += length(A.v);
  const double most = 100 * screws.coordinates() * roundoff * reach;
  for (int k = 0; k < screws.coordinates(); ++k) {
    const auto& [w, v] = screws.A[k];
    const SE3<double> at = frame(k);
    const Joint& joint = back.mechanism().joints[k];
    BOOST_TEST(largest(at.R.matrix.eigen() - Matrix3<double>::identity().eigen()) <= most);
    if (length(w) == 0) {
      BOOST_TEST((joint.type == JointType::prismatic));
      BOOST_TEST(length(at.p - frame(screws.carrier[k]).p) <= most);
      continue;
    }
    const double pitch = inner(w, v);
    const bool slides = std::abs(pitch) > most;
    BOOST_TEST((joint.type == (slides ? JointType::helical : JointType::revolute)));
    BOOST_TEST(std::abs(joint.pitch - (slides ? pitch : 0)) <= most);
    BOOST_TEST(length(v - cross(at.p, w) - pitch * w) <= most);
    BOOST_TEST(std::abs(inner(at.p, w)) <= most);
  }
}

/// A turn may miss its length of one by 1e-12: its line and its pitch are the same.
BOOST_AUTO_TEST_CASE(the_line_of_a_screw_does_not_depend_on_its_length)
{
  ScrewSystem<double> screws{Model<double>(built_in_model("park_2r"))};
  const Vector3<double> w = (1 + 5e-13) * Vector3<double>{0.48, 0.6, 0.64}, p{0.6, -0.48, 0}, v = cross(p, w) + 0.2 * w;
  screws.A[0] = {w, v};
  const Joint joint = mechanism_of(screws, {}).joints[0];
  const auto& [x, y, z] = joint.position;
  BOOST_TEST(length(Vector3<double>{x, y, z} - p) <= 100 * roundoff);
  BOOST_TEST(std::abs(joint.pitch - 0.2) <= 100 * roundoff);
}

BOOST_DATA_TEST_CASE(the_lists_of_a_chain_give_its_screws, data::make({"screw_arm", "puma560", "ur5"}), name)
{
  const Model<double> model(built_in_model(name));
  const ScrewSystem<double> screws(model);
  Lists lists(model);
  // Half of the digits make an inertia; the lower half of a matrix says nothing more.
  for (Matrix6<double>& G : lists.G)
    for (int j = 0; j < 6; ++j)
      for (int i = j + 1; i < 6; ++i) G(i, j) += std::ldexp(G.cwiseAbs().maxCoeff(), -28);
  const auto chain = ScrewSystem<double>::of_lists(lists.M, lists.S, lists.G);
  BOOST_TEST_REQUIRE(chain.coordinates() == screws.coordinates());
  for (int k = 0; k < screws.coordinates(); ++k) {
    BOOST_TEST(chain.carrier[k] == k - 1);
    BOOST_TEST(chain.last[k + 1] == k);
    BOOST_TEST((length(chain.A[k].w - screws.A[k].w) == 0 && length(chain.A[k].v - screws.A[k].v) == 0));
    const Matrix6<double> D = screws.D[k + 1].matrix();
    BOOST_TEST(largest(chain.D[k + 1].matrix() - D) <= 100 * screws.coordinates() * roundoff * largest(D));
  }
}

BOOST_AUTO_TEST_CASE(the_lists_of_lynch_and_park_give_the_forces_of_the_urdf_file)
{
  const Ur5Lists lists;
  Mechanism file = built_in_model("ur5");
  for (Joint& joint : file.joints)
    if (std::abs(joint.quaternion[1]) > 0.1) joint.quaternion = {0, 1, 0, 1};  // of which the file has twelve digits
  const Inputs inputs = Inputs::draw(file, {}, 7);
  const Model<double> chain(
      mechanism_of(ScrewSystem<double>::of_lists(lists.M, lists.S, lists.G), inputs.mechanism.gravity));
  require_equal_torques(Model<double>(inputs.mechanism), chain, inputs);
}

BOOST_AUTO_TEST_CASE(lists_that_make_no_chain_are_refused)
{
  const auto refused = [](const Ur5Lists& lists, std::initializer_list<const char*> pieces) {
    BOOST_CHECK_EXCEPTION(ScrewSystem<double>::of_lists(lists.M, lists.S, lists.G), Error,
                          [&](const auto& e) { return says(e.what(), pieces); });
  };
  Ur5Lists lists;
  lists.M.pop_back();
  BOOST_CHECK_NO_THROW(ScrewSystem<double>::of_lists(lists.M, lists.S, lists.G));
  lists.M.pop_back();
  refused(lists, {"5 poses, 6 screws and 6 inertias"});
  lists = {};
  lists.S[2].w = {0, 0.9, 0};
  refused(lists, {"screw 3", "0.9"});
  lists = {};
  lists.G[1](0, 1) = 0.01;
  refused(lists, {"G[1]", "spatial inertia"});
  lists = {};
  lists.G[4](4, 4) = 1;
  refused(lists, {"G[4]", "spatial inertia"});
  lists = {};
  lists.G[5](3, 2) = std::nan("");
  refused(lists, {"G[5]", "spatial inertia"});
}

BOOST_AUTO_TEST_CASE(screws_that_no_joint_has_are_refused)
{
  ScrewSystem<double> screws{Model<double>(built_in_model("park_2r"))};
  screws.A[1] = {{0, 0, 0.5}, {1, 0, 0}};
  BOOST_CHECK_EXCEPTION(mechanism_of(screws, {0, 0, -9.81}, "drawing"), ModelError, [](const auto& e) {
    return says(e.what(),
                {"drawing", "screw 2", "0.5", "a turn has angular length 1, a slide has 0 and linear length 1"});
  });
}

BOOST_AUTO_TEST_SUITE_END()
