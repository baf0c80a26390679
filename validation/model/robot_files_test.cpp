/** \file
 *  \brief Do planar and floating joints of a file move as their names say, in the dynamics and in a state? What URDF is
 *  refused, and why?
 */
#include <boost/test/unit_test.hpp>
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <Eigen/Geometry>
#include <sstream>
#include <articulate/model/urdf.hpp>
#include <cli/state.hpp>
#include <says.hpp>
#include "same_numbers.hpp"

namespace {

using namespace articulate;
using namespace articulate::validation;

std::string inertial(double mass)
{
  return "<inertial><origin xyz=\"0.1 -0.2 0.05\" rpy=\"0.3 -0.2 2.9\"/><mass value=\"" + std::to_string(mass) +
         "\"/><inertia ixx=\"0.2\" ixy=\"0.01\" ixz=\"-0.02\" iyy=\"0.3\" iyz=\"0.015\" izz=\"0.25\"/></inertial>";
}

std::string joint(const std::string& name, const std::string& type, const std::string& parent, const std::string& child,
                  const std::string& place)
{
  return "<joint name=\"" + name + "\" type=\"" + type + "\"><parent link=\"" + parent + "\"/><child link=\"" + child +
         "\"/>" + place + "</joint>";
}

/// A slab that carries an arm.
const std::string slab_and_arm =
    "<link name=\"slab\">" + inertial(2.5) + "</link><link name=\"arm\">" + inertial(0.7) + "</link>" +
    joint("wrist", "revolute", "slab", "arm", "<origin xyz=\"0.2 0.1 -0.3\" rpy=\"-1 0.4 2\"/><axis xyz=\"1 2 -1\"/>");

const std::string origin = "<origin xyz=\"0.4 -0.3 0.2\" rpy=\"0.5 -0.6 0.7\"/>";

Mechanism robot(const std::string& inside)
{
  return parse_urdf("<robot name=\"r\"><link name=\"ground\">" + inertial(3) + "</link>" + inside + "</robot>", "text");
}

std::string refusal(const std::string& inside)
{
  try {
    robot(inside);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "accepted";
}

void check_same(const Answers& a, const Answers& b, const std::array<double, 3>& allowed)
{
  const std::array<double, 3> off = difference(a, b);
  for (int k = 0; k < 3; ++k) BOOST_TEST(off[k] <= allowed[k]);
  BOOST_TEST(a.tau.cwiseAbs().minCoeff() > 1e6 * allowed[0]);  // there is something to compare
}

std::string shown(const Eigen::Vector3d& x)
{
  std::ostringstream text;
  text.precision(17);
  text << "<axis xyz=\"" << x.transpose() << "\"/>";
  return text.str();
}

const std::vector<Eigen::Vector3d> normals{{0, 0, 1}, {1, 0, 0}, {0.3, -0.5, 0.9}, {0.2, 0.1, -0.7}};

}  // namespace

BOOST_AUTO_TEST_SUITE(robot_files)

/// In the plane normal to its axis: two slides and a turn, with links without mass between them.
BOOST_DATA_TEST_CASE(a_planar_joint_is_two_slides_in_its_plane_and_a_turn_about_its_normal,
                     boost::unit_test::data::xrange(4), k)
{
  const Eigen::Vector3d& normal = normals[k];
  const Eigen::Vector3d z = Eigen::Vector3d::UnitZ();
  Eigen::Quaterniond turn = Eigen::Quaterniond::FromTwoVectors(normal.z() < 0 ? -z : z, normal);
  if (normal.z() < 0) turn = turn * Eigen::Quaterniond(0, 1, 0, 0);  // half a turn about x
  const std::string across = shown(turn * Eigen::Vector3d::UnitX()), along = shown(turn * Eigen::Vector3d::UnitY());
  const Mechanism planar = robot(slab_and_arm + joint("glide", "planar", "ground", "slab", origin + shown(normal)));
  const Mechanism chain = robot(slab_and_arm + "<link name=\"first\"/><link name=\"second\"/>" +
                                joint("x", "prismatic", "ground", "first", origin + across) +
                                joint("y", "prismatic", "first", "second", along) +
                                joint("turn", "continuous", "second", "slab", shown(normal)));
  const Mechanism again = parse_urdf(urdf_text(planar), "again");
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Inputs in = Inputs::draw(planar, {}, seed);
    const auto answers = [&](Mechanism mechanism) {
      mechanism.gravity = in.mechanism.gravity;
      const Model<double> model(mechanism);
      return Answers(model, DrawnState(model, in));
    };
    const Answers here = answers(planar);
    check_same(here, answers(chain), rounding_of(in));
    check_same(here, answers(again), rounding_of(in));
  }
}

BOOST_AUTO_TEST_CASE(a_floating_joint_on_the_root_is_a_floating_base)
{
  const Mechanism carried =
      parse_urdf("<robot name=\"r\"><link name=\"world\"/>" + slab_and_arm +
                     joint("flight", "floating", "world", "slab", "<axis xyz=\"0 0 1\"/>" + origin) + "</robot>",
                 "text");
  const Mechanism alone = parse_urdf("<robot name=\"r\">" + slab_and_arm + "</robot>", "text");
  const Mechanism again = parse_urdf(urdf_text(carried), "again");
  const auto& at = carried.joints[1];
  const SE3<double> M{
      SO3<double>(Quaternion<double>{{at.quaternion[0], at.quaternion[1], at.quaternion[2]}, at.quaternion[3]}),
      {at.position[0], at.position[1], at.position[2]}};
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Inputs in = Inputs::draw(alone, {.floating_base = true}, seed);
    const Model<double> base(in.mechanism, in.options);
    const DrawnState x(base, in);
    DrawnState in_joint = x;  // the same pose, seen from the place of the joint
    const SE3<double> T = inverse(M) * SE3<double>{SO3<double>(Quaternion<double>{{x.q(3), x.q(4), x.q(5)}, x.q(6)}),
                                                   {x.q(0), x.q(1), x.q(2)}};
    const Eigen::Quaterniond turn(T.R.matrix.eigen());
    in_joint.q.head(7) << T.p[0], T.p[1], T.p[2], turn.coeffs();
    for (Mechanism mechanism : {carried, again}) {
      mechanism.gravity = in.mechanism.gravity;
      const Model<double> model(mechanism);
      BOOST_TEST(model.nq() == base.nq());
      check_same(Answers(base, x), Answers(model, in_joint), rounding_of(in));
    }
  }
}

/// By hand: the mass matrix and the weight of a point of mass m at the distance l from a hinge on a cart of mass M.
BOOST_AUTO_TEST_CASE(a_model_is_built_in_code)
{
  const double M = 3, m = 2, l = 0.5;
  // [built-in-code]
  Mechanism machine{.name = "cart", .source = "cart"};
  machine.links = {{.name = "rail"},
                   {.name = "cart", .mass = M, .inertia = {0.1, 0, 0, 0.1, 0, 0.1}},
                   {.name = "bob", .mass = m, .center_of_mass = {0, 0, -l}}};
  machine.joints = {
      {.name = "roll", .type = JointType::prismatic, .parent = "rail", .child = "cart", .axis = {1, 0, 0}},
      {.name = "swing", .type = JointType::revolute, .parent = "cart", .child = "bob", .axis = {0, 1, 0}}};
  const Model<double> model(machine);
  // [built-in-code]
  const double q = 0.7, c = std::cos(q), s = std::sin(q);
  const VectorX<double> at = (VectorX<double>(2) << 0.2, q).finished(), rest = VectorX<double>::Zero(2);
  const Eigen::Matrix2d by_hand{{M + m, -m * l * c}, {-m * l * c, m * l * l}};
  const Eigen::Vector2d weight{0, m * 9.81 * l * s};
  const double rounding = 100 * 2 * std::numeric_limits<double>::epsilon();
  BOOST_TEST((mass_matrix<double>(model, at) - by_hand).cwiseAbs().maxCoeff() <= rounding * by_hand.norm());
  BOOST_TEST((InverseDynamics<double>(model)(at, rest, rest) - weight).cwiseAbs().maxCoeff() <= rounding * 9.81 * m);
}

/// What another tool would have put in its place may be mass, or the whole joint.
BOOST_AUTO_TEST_CASE(an_element_of_another_namespace_is_refused_where_it_would_be_read)
{
  const auto link = [](const std::string& inside) { return "<link name=\"slab\">" + inside + "</link>"; };
  const auto hinge = [](const std::string& inside) { return joint("j", "revolute", "ground", "slab", inside); };
  for (const std::string& inside :
       {link("<xacro:cylinder_inertial mass=\"1\"/>") + hinge(""), link(inertial(1)) + hinge("<xacro:axis/>"),
        link("<inertial><xacro:mass/></inertial>") + hinge(""), link(inertial(1)) + "<xacro:arm/>" + hinge("")})
    BOOST_TEST(says(refusal(inside), {"text: <xacro:", "line 1", "expand"}), inside);
  BOOST_TEST(says(refusal(link(inertial(1)) + hinge("<drake:axis xyz=\"0 0 1\"/>")),
                  {"<drake:axis>", "line 1", "another namespace", "<joint>"}));
  BOOST_TEST(says(refusal(link("<inertial><xi:include href=\"a\"/></inertial>") + hinge("")), {"<xi:include>"}));
  for (const std::string& inside :
       {link(inertial(1) + "<visual><geometry><drake:capsule/></geometry></visual>") + hinge(""),
        link(inertial(1)) + "<drake:collision_filter_group/>" + hinge("")})
    BOOST_TEST(refusal(inside) == "accepted", inside);
}

BOOST_AUTO_TEST_CASE(a_limit_that_is_missing_is_named)
{
  const auto limit = [](const std::string& limits) {
    return refusal("<link name=\"slab\"/>" + joint("j", "revolute", "ground", "slab", "<limit " + limits + "/>"));
  };
  BOOST_TEST(limit("lower=\"1\"") ==
             "text: joint 'j' has <limit lower=\"1\"> and no upper limit, which is then 0 and below it; give both.");
  BOOST_TEST(limit("upper=\"-1\"") ==
             "text: joint 'j' has <limit upper=\"-1\"> and no lower limit, which is then 0 and above it; give both.");
  BOOST_TEST(says(limit("lower=\"1\" upper=\"-1\""), {"joint 'j'", "not below its upper one"}));
  for (const std::string one : {"lower=\"-1\"", "upper=\"1\"", "effort=\"1\""})
    BOOST_TEST(limit(one) == "accepted", one);
}

BOOST_AUTO_TEST_CASE(white_space_around_a_number_is_none_of_it)
{
  const std::string text =
      "<link name=\"slab\"><inertial><origin xyz=\"\t1 2 3 \"/><mass value=\" 2.5\n\"/><inertia ixx=\"1 \" "
      "ixy=\"0\" ixz=\"0\" iyy=\"1\t\" iyz=\"0\" izz=\"\n1\"/></inertial></link>" +
      joint("j", "revolute", "ground", "slab", "<dynamics damping=\"0.1 \"/>");
  const Mechanism read = robot(text);
  BOOST_TEST((read.joints.at(0).damping == 0.1 && read.links.at(1).mass == 2.5));
  BOOST_TEST(read.links[1].inertia == (std::array<double, 6>{1, 0, 0, 1, 0, 1}), boost::test_tools::per_element());
  BOOST_TEST(
      says(refusal("<link name=\"slab\"/>" + joint("j", "revolute", "ground", "slab", "<dynamics damping=\" \"/>")),
           {"joint 'j'", "damping", "not a finite number"}));
}

BOOST_AUTO_TEST_CASE(a_state_names_planar_and_floating_joints)
{
  const Model<double> model(robot(slab_and_arm + "<link name=\"kite\">" + inertial(0.3) + "</link>" +
                                  joint("glide", "planar", "ground", "slab", origin) +
                                  joint("flight", "floating", "arm", "kite", origin)));
  const cli::State state =
      cli::read_state(R"({"q": {"glide": [1, 2, 3], "wrist": 4, "flight": [5, 6, 7, 0.5, 0.5, -0.5, 0.5]},)"
                      R"( "qd": {"flight": [1, 2, 3, 4, 5, 6], "glide": [7, 8, 9], "wrist": 10}})",
                      "state", model);
  BOOST_TEST(state.q == (VectorX<double>(11) << 1, 2, 3, 4, 5, 6, 7, 0.5, 0.5, -0.5, 0.5).finished());
  BOOST_TEST(state.qd == (VectorX<double>(10) << 7, 8, 9, 10, 1, 2, 3, 4, 5, 6).finished());
  BOOST_CHECK_THROW(
      cli::read_state(R"({"q": {"glide": [1, 2], "wrist": 4, "flight": [0, 0, 0, 0, 0, 0, 1]}, "qd": {}})", "state",
                      model),
      StateError);
}

BOOST_AUTO_TEST_SUITE_END()
