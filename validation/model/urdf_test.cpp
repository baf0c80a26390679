/** \file
 *  \brief Does the URDF reader keep every number, and refuse in one sentence what it must not guess?
 *
 *  Each file in `bad_urdf` holds one fault; the table says what the refusal must mention, whoever refuses: the reader,
 *  the Model, or, where a part could move without moving any mass, ForwardDynamics.
 */
#include <boost/test/unit_test.hpp>
#include <boost/test/data/test_case.hpp>
#include <console_bridge/console.h>
#include <urdf_parser/urdf_parser.h>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <random>
#include <sstream>
#include <articulate/aba/forward_dynamics.hpp>
#include <articulate/model/urdf.hpp>
#include <articulate/rnea/inverse_dynamics.hpp>

namespace {

using namespace articulate;
namespace fs = std::filesystem;

const fs::path here = fs::path(__FILE__).parent_path();

struct BadFile {
  std::string name;
  std::vector<std::string> says;  ///< pieces of text that the refusal must contain
};
std::ostream& operator<<(std::ostream& out, const BadFile& bad) { return out << bad.name; }

const std::vector<BadFile> bad_files{
    // The file.
    {"empty", {"the file is empty", "<robot>"}},
    {"not_xml", {"line 1", "not XML"}},
    {"unclosed_tag", {"line 4", "not XML", "MISMATCHED_ELEMENT"}},
    {"no_robot", {"not one <robot>"}},
    {"two_robots", {"not one <robot>"}},
    {"robot_without_name", {"<robot name=\"...\">", "fill it in"}},
    {"no_links", {"no link", "at least one"}},
    {"xacro", {"<xacro:arm>", "expand"}},
    {"version_2", {"'bad'", "version", "1.0"}},
    // What XML can hide.
    {"doctype", {"line 2", "<!DOCTYPE ...>", "entities", "leave"}},
    {"doctype_of_another_file", {"line 2", "<!DOCTYPE ...>", "other files"}},
    {"entity", {"line 5", "'&arm;'", "write what it stands for"}},
    {"include", {"line 4", "<include>", "no other file is read"}},
    {"xi_include", {"line 4", "<xi:include>", "no other file is read"}},
    {"too_deep", {"line 4", "more than 99 elements", "no deeper"}},
    // Names.
    {"link_without_name", {"line 4", "<link name=\"...\">"}},
    {"joint_without_name", {"line 11", "<joint name=\"...\">"}},
    {"duplicate_link", {"two links", "'arm'"}},
    {"duplicate_joint", {"two joints", "'shoulder'"}},
    // The tree.
    {"unknown_parent", {"joint 'shoulder'", "'torso'"}},
    {"unknown_child", {"joint 'shoulder'", "'wing'"}},
    {"missing_parent", {"joint 'shoulder'", "no <parent>"}},
    {"missing_child", {"joint 'shoulder'", "no <child>"}},
    {"parent_without_link", {"joint 'shoulder'", "<parent link=\"...\">"}},
    {"two_parent_elements", {"joint 'shoulder'", "more than one <parent>"}},
    {"two_roots", {"'base'", "'hand'", "root"}},
    {"two_parents", {"link 'arm'", "two parents", "'shoulder'", "'hinge'"}},
    {"loop", {"link 'hand'", "two parents", "'wrist'", "'closure'"}},
    {"cycle", {"cycle", "'arm'"}},
    {"cycle_without_root", {"cycle", "root"}},
    {"self_joint", {"joint 'shoulder'", "'arm'", "itself"}},
    // Joints.
    {"unknown_type", {"joint 'shoulder'", "'elastic'", "revolute", "ball"}},
    {"helical_without_axis", {"joint 'shoulder'", "no <axis>"}},
    {"helical_without_pitch", {"joint 'shoulder'", "<axis pitch=\"...\">"}},
    {"nan_pitch", {"joint 'shoulder'", "<axis pitch", "'nan'"}},
    {"pitch_of_cylindrical", {"joint 'shoulder'", "pitch", "'helical'"}},
    {"axis_of_ball", {"joint 'shoulder'", "<axis>", "leave it out"}},
    {"missing_type", {"joint 'shoulder'", "<joint type=\"...\">"}},
    {"zero_axis", {"joint 'shoulder'", "axis", "0 0 0"}},
    {"axis_without_xyz", {"joint 'shoulder'", "<axis xyz=\"...\">"}},
    {"two_axes", {"joint 'shoulder'", "more than one <axis>"}},
    {"nan_number", {"joint 'shoulder'", "<origin xyz", "'NaN'", "finite"}},
    {"infinite_number", {"joint 'shoulder'", "<origin xyz", "'inf'", "finite"}},
    {"overflowing_number", {"joint 'shoulder'", "<origin xyz", "'1e999'", "finite"}},
    {"comma_number", {"joint 'shoulder'", "<origin xyz", "'1,5'", "1.5"}},
    {"empty_number", {"joint 'shoulder'", "<origin xyz"}},
    {"wrong_count_xyz", {"joint 'shoulder'", "<origin xyz=\"0.1 0.2\">", "three numbers", "has 2"}},
    {"wrong_count_rpy", {"joint 'shoulder'", "<origin rpy", "three numbers", "has 4"}},
    {"wrong_count_axis", {"joint 'shoulder'", "<axis xyz", "three numbers", "has 1"}},
    {"unknown_origin_attribute", {"joint 'shoulder'", "quat_xyzw", "rpy"}},
    {"mimic_without_joint", {"joint 'shoulder'", "<mimic joint=\"...\">"}},
    {"nan_damping", {"joint 'shoulder'", "<dynamics damping", "'NaN'"}},
    // Links.
    {"missing_mass", {"link 'arm'", "no <mass>"}},
    {"missing_mass_value", {"link 'arm'", "<mass value=\"...\">"}},
    {"nan_mass", {"link 'arm'", "<mass value", "'nan'"}},
    {"negative_mass", {"link 'arm'", "negative mass"}},
    {"missing_inertia", {"link 'arm'", "no <inertia>"}},
    {"incomplete_inertia", {"link 'arm'", "<inertia iyz=\"...\">"}},
    {"comma_inertia", {"link 'arm'", "<inertia iyy", "'0,03'"}},
    {"nan_inertial_rotation", {"link 'arm'", "<origin rpy", "'NaN'"}},
    {"two_inertials", {"link 'arm'", "more than one <inertial>"}},
    {"unphysical_inertia", {"'arm'", "inertia", "--accept-unphysical"}},
    {"massless_leaf", {"joint 'wrist'", "without moving any mass"}},
};

/// What the chain from file to forward dynamics says against a file; nothing when it accepts it.
std::string refusal(const fs::path& path)
{
  try {
    const Model<double> model(read_urdf(path.string()));
    const ForwardDynamics<double> accepted(model);
    return "";
  } catch (const ModelError& error) {
    return error.what();
  }
}

void check_sentence(const std::string& text, const std::string& source, const std::vector<std::string>& pieces)
{
  BOOST_TEST_CONTEXT("the refusal is: " << text)
  {
    BOOST_TEST(text.rfind(source + ": ", 0) == 0, "it begins with the file");
    for (const std::string& piece : pieces)
      BOOST_TEST(text.find(piece, source.size()) != std::string::npos, "it mentions " << piece);
    BOOST_TEST((text.size() && text.back() == '.'), "it ends in a full stop");
    BOOST_TEST(text.find(". ", source.size()) == std::string::npos, "it is one sentence");
    BOOST_TEST(text.find('\n') == std::string::npos, "it is one line");
  }
}

std::string robot(const std::string& inside) { return "<robot name=\"r\">" + inside + "</robot>"; }

/// A base, a link called arm with this inside, and a joint called shoulder with that inside, of the given type.
std::string arm_robot(const std::string& in_link, const std::string& type, const std::string& in_joint)
{
  return robot("<link name=\"base\"/><link name=\"arm\">" + in_link + "</link><joint name=\"shoulder\" type=\"" + type +
               "\"><parent link=\"base\"/><child link=\"arm\"/>" + in_joint + "</joint>");
}

const std::string inertial =
    "<inertial><origin xyz=\"0.1 -2e-3 +.5\" rpy=\"0.3 -0.2 2.9\"/><mass value=\"2.5\"/>"
    "<inertia ixx=\"0.02\" ixy=\"0.001\" ixz=\"-0.002\" iyy=\"0.03\" iyz=\"0.0015\" izz=\"0.025\"/></inertial>";

/// The unit quaternion, up to sign, must turn as yaw about z after pitch about y after roll about x.
void check_rotation(const std::array<double, 4>& q, double roll, double pitch, double yaw)
{
  using V = Vector3<double>;
  const SO3<double> expected = exp(V{0.0, 0.0, yaw}) * exp(V{0.0, pitch, 0.0}) * exp(V{roll, 0.0, 0.0});
  const SO3<double> read(Quaternion<double>{{q[0], q[1], q[2]}, q[3]});
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      BOOST_TEST(
          std::abs(read.matrix(i, j) - expected.matrix(i, j)) < 1e-15,
          "entry " << i << " " << j << ": " << read.matrix(i, j) << " where " << expected.matrix(i, j) << " is right");
}

/// Turns std::cerr and std::cout aside while it lives.
class Overheard {
public:
  Overheard() : cerr_(std::cerr.rdbuf(text_.rdbuf())), cout_(std::cout.rdbuf(text_.rdbuf())) {}
  ~Overheard() { std::cerr.rdbuf(cerr_), std::cout.rdbuf(cout_); }
  std::string text() const { return text_.str(); }

private:
  std::ostringstream text_;
  std::streambuf *cerr_, *cout_;
};

}  // namespace

BOOST_DATA_TEST_CASE(a_bad_file_is_refused_in_one_sentence, boost::unit_test::data::make(bad_files), bad)
{
  const fs::path path = here / "bad_urdf" / (bad.name + ".urdf");
  check_sentence(refusal(path), path.string(), bad.says);
}

BOOST_AUTO_TEST_CASE(every_bad_file_is_in_the_table)
{
  std::size_t files = 0;
  for (const auto& entry : fs::directory_iterator(here / "bad_urdf")) {
    const std::string name = entry.path().stem().string();
    const auto is_it = [&](const BadFile& bad) { return bad.name == name; };
    BOOST_TEST(std::any_of(bad_files.begin(), bad_files.end(), is_it), name << " is not in the table");
    ++files;
  }
  BOOST_TEST(files == bad_files.size());
}

BOOST_AUTO_TEST_CASE(what_is_no_file_is_refused)
{
  check_sentence(refusal("nowhere/robot.urdf"), "nowhere/robot.urdf", {"no such file"});
  check_sentence(refusal(here), here.string(), {"directory", "URDF file"});
}

BOOST_AUTO_TEST_CASE(a_text_that_never_ends_or_holds_a_zero_is_refused)
{
  const auto told = [](const std::string& text) {
    try {
      parse_urdf(text, "text");
    } catch (const ModelError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::string small = robot("<link name=\"base\"/>");
  check_sentence(told(small + std::string(100'000'000, ' ')), "text", {"more than 100 MB"});
  check_sentence(told("\n" + small + '\0' + small), "text", {"line 2", "zero byte", "UTF-8"});
  for (const std::string number : {"#0", "#00", "#x0", "#", "#x110000", "#4294967296", "#-1"})
    check_sentence(told(robot("<link name=\"j&" + number + ";x\"/>")), "text", {"'&" + number + ";'", "XML"});
  if (fs::exists("/dev/zero")) check_sentence(refusal("/dev/zero"), "/dev/zero", {"more than 100 MB"});
}

/// What a comment, a section of characters or an instruction holds is no declaration.
BOOST_AUTO_TEST_CASE(what_only_looks_like_a_declaration_is_read)
{
  const std::string before = "<?xml version=\"1.0\"?><?tool <!ENTITY a \"b\"> &a;?><!-- <!DOCTYPE robot> &a; -->";
  const std::string inside = "<note><![CDATA[<!DOCTYPE robot> &a;]]> a & b </note><link name=\"base\"/>";
  const Mechanism read = parse_urdf(before + robot(inside), "text");
  BOOST_TEST(read.links.at(0).name == "base");
}

/// Nothing is looked for under a path that a file names.
BOOST_AUTO_TEST_CASE(no_path_is_followed)
{
  const std::string mesh =
      "<visual><geometry><mesh filename=\"file:///dev/zero\"/></geometry></visual><gazebo><include>"
      "<uri>model://none</uri></include></gazebo>";
  BOOST_TEST(parse_urdf(arm_robot(inertial + mesh, "revolute", ""), "text").links.size() == 2u);
}

BOOST_AUTO_TEST_CASE(numbers_stay_as_they_are_written)
{
  const Mechanism read = parse_urdf(
      arm_robot(inertial, "revolute", "<origin xyz=\"1 2  3\" rpy=\"-1.1 0.7 3\"/><axis xyz=\"0 3 -4\"/>"), "text");
  BOOST_TEST(read.name == "r");
  BOOST_TEST(read.source == "text");
  BOOST_TEST(read.warnings.empty());

  const Link& arm = read.links.at(1);
  BOOST_TEST(arm.mass == 2.5);
  BOOST_TEST(arm.center_of_mass == (std::array<double, 3>{0.1, -2e-3, 0.5}), boost::test_tools::per_element());
  BOOST_TEST(arm.inertia == (std::array<double, 6>{0.02, 0.001, -0.002, 0.03, 0.0015, 0.025}),
             boost::test_tools::per_element());
  check_rotation(arm.inertial_quaternion, 0.3, -0.2, 2.9);

  const Joint& shoulder = read.joints.at(0);
  BOOST_TEST(shoulder.position == (std::array<double, 3>{1, 2, 3}), boost::test_tools::per_element());
  BOOST_TEST(shoulder.axis == (std::array<double, 3>{0, 3, -4}), boost::test_tools::per_element());
  check_rotation(shoulder.quaternion, -1.1, 0.7, 3);
}

BOOST_AUTO_TEST_CASE(tabs_and_line_breaks_separate_numbers_as_spaces_do)
{
  const auto joint_of = [](const std::string& gap) {
    const std::string words = "<origin xyz=\"1" + gap + "2" + gap + "3\" rpy=\"0.1" + gap + "0.2" + gap + "0.3" + gap +
                              "\"/><axis xyz=\"" + gap + "0" + gap + "3" + gap + "-4\"/>";
    return parse_urdf(arm_robot("", "revolute", words), "text").joints.at(0);
  };
  const Joint expected = joint_of(" ");
  for (const std::string gap : {"\t", "\n", "\r\n", " \n\t "}) {
    const Joint joint = joint_of(gap);
    BOOST_TEST(joint.position == expected.position, boost::test_tools::per_element());
    BOOST_TEST(joint.quaternion == expected.quaternion, boost::test_tools::per_element());
    BOOST_TEST(joint.axis == expected.axis, boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(what_is_left_out_has_the_value_that_urdf_gives_it)
{
  const Mechanism read = parse_urdf(arm_robot("", "continuous", ""), "text");
  const Link& arm = read.links.at(1);
  BOOST_TEST(arm.mass == 0);
  BOOST_TEST(arm.inertia == (std::array<double, 6>{}), boost::test_tools::per_element());
  const Joint& shoulder = read.joints.at(0);
  BOOST_TEST(shoulder.axis == (std::array<double, 3>{1, 0, 0}), boost::test_tools::per_element());
  BOOST_TEST(shoulder.position == (std::array<double, 3>{}), boost::test_tools::per_element());
  BOOST_TEST(shoulder.quaternion == (std::array<double, 4>{0, 0, 0, 1}), boost::test_tools::per_element());
  BOOST_TEST(read.gravity == (std::array<double, 3>{0, 0, -9.81}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(links_and_joints_keep_the_order_of_the_file)
{
  const auto link = [](const std::string& name) { return "<link name=\"" + name + "\"/>"; };
  const auto joint = [](const std::string& name, const std::string& parent, const std::string& child) {
    return "<joint name=\"" + name + "\" type=\"fixed\"><parent link=\"" + parent + "\"/><child link=\"" + child +
           "\"/></joint>";
  };
  const Mechanism read =
      parse_urdf(robot(joint("z", "m", "a") + link("z") + link("a") + joint("a", "z", "m") + link("m")), "text");
  BOOST_TEST(read.links.at(0).name == "z");
  BOOST_TEST(read.links.at(1).name == "a");
  BOOST_TEST(read.links.at(2).name == "m");
  BOOST_TEST(read.joints.at(0).name == "z");
  BOOST_TEST(read.joints.at(1).name == "a");
  BOOST_TEST(read.joints.at(1).parent == "z");
  BOOST_TEST(read.joints.at(1).child == "m");
}

BOOST_AUTO_TEST_CASE(each_type_of_joint_is_known)
{
  for (const auto& [name, type] : joint_types) {
    const std::string axis = type == JointType::helical ? "<axis xyz=\"0 0 1\" pitch=\"0.02\"/>" : "";
    BOOST_TEST((parse_urdf(arm_robot(inertial, name, axis), "text").joints.at(0).type == type), name);
  }
}

/// The same numbers from a file and from hand give the same forces, bit for bit.
BOOST_AUTO_TEST_CASE(joints_that_only_we_know_are_those_made_by_hand)
{
  const std::string origin = "<origin xyz=\"0.1 -0.2 0.3\" rpy=\"0.4 -0.3 0.7\"/>";
  for (const auto& [name, type] : joint_types) {
    const std::string axis = has_axis(type) ? "<axis xyz=\"0.3 -0.5 0.9\"" : "";
    const std::string pitch = type == JointType::helical ? " pitch=\"-0.035\"" : "";
    const Mechanism read =
        parse_urdf(arm_robot(inertial, name, origin + axis + pitch + (axis.empty() ? "" : "/>")), "text");
    Mechanism made = parse_urdf(arm_robot(inertial, "fixed", origin), "text");
    made.joints.at(0).type = type;
    if (has_axis(type)) made.joints.at(0).axis = {0.3, -0.5, 0.9};
    if (type == JointType::helical) made.joints.at(0).pitch = -0.035;

    const Model<double> a(read), b(made);
    BOOST_REQUIRE(a.nv() == b.nv());
    VectorX<double> q = a.zero_coordinates(), qd(a.nv()), qdd(a.nv());
    for (int k = 0; k < a.nv(); ++k) {
      if (a.nq() == a.nv()) q(k) = 0.3 - 0.2 * k;
      qd(k) = 0.7 + 0.3 * k, qdd(k) = 1.1 - 0.6 * k;
    }
    if (a.nq() > a.nv()) q.tail(4) << 0.5, -0.1, 0.5, 0.7;
    const VectorX<double> forces = InverseDynamics<double>(a)(q, qd, qdd);
    BOOST_TEST(forces == InverseDynamics<double>(b)(q, qd, qdd), name);
    BOOST_TEST((forces.size() == 0 || forces.cwiseAbs().minCoeff() > 0), name);
  }
}

BOOST_AUTO_TEST_CASE(what_is_written_is_read_again)
{
  Mechanism made;
  made.name = "a <robot> & \"more\"";
  made.links.push_back(Link{"base"});
  double x = 0.1;
  const auto next = [&x] { return x = 3.7 * x * (1 - x); };
  for (const auto& [name, type] : joint_types) {
    Link link{name, 1 + next(), {next(), -next(), 1e-7 * next()}, {next(), -next(), next(), next()}};
    link.inertia = {1 + next(), 0.1 * next(), -0.1 * next(), 1 + next(), 0.1 * next(), 1 + next()};
    Joint joint{name, type, made.links.back().name, name, {next(), next(), -next()}, {next(), next(), next(), -next()}};
    if (has_axis(type)) joint.axis = {next(), -next(), 1e300 * next()};
    if (type == JointType::helical) joint.pitch = -next();
    joint.damping = next(), joint.friction = next(), joint.armature = next();
    if (type == JointType::prismatic) joint.lower = -next(), joint.upper = next();
    if (type == JointType::revolute) joint.upper = next();                                   // and no lower one
    if (type == JointType::universal) joint.quaternion = {-0.3429, 0.9394, 0.3429, 0.9394};  // a pitch of 90 degrees
    made.links.push_back(link), made.joints.push_back(joint);
  }
  const Mechanism read = parse_urdf(urdf_text(made), "text");
  BOOST_TEST(read.name == made.name);
  const auto same_rotation = [](const std::array<double, 4>& a, const std::array<double, 4>& b) {
    const auto matrix = [](const std::array<double, 4>& q) {
      return SO3<double>(Quaternion<double>{{q[0], q[1], q[2]}, q[3]}).matrix.eigen();
    };
    // Three angles with sines and cosines, and a quaternion, of which each is rounded a few times.
    return (matrix(a) - matrix(b)).cwiseAbs().maxCoeff() <= 20 * std::numeric_limits<double>::epsilon();
  };
  for (std::size_t k = 0; k < made.links.size(); ++k) {
    const Link &a = read.links[k], &b = made.links[k];
    BOOST_TEST((a.name == b.name && a.mass == b.mass && a.center_of_mass == b.center_of_mass));
    BOOST_TEST((a.inertia == b.inertia && same_rotation(a.inertial_quaternion, b.inertial_quaternion)));
  }
  for (std::size_t k = 0; k < made.joints.size(); ++k) {
    const Joint &a = read.joints[k], &b = made.joints[k];
    BOOST_TEST((a.name == b.name && a.type == b.type && a.parent == b.parent && a.child == b.child), b.name);
    BOOST_TEST((a.position == b.position && same_rotation(a.quaternion, b.quaternion)), b.name);
    BOOST_TEST((!has_axis(b.type) || a.axis == b.axis), b.name);
    BOOST_TEST((a.pitch == b.pitch && a.upper == b.upper && a.lower == b.lower), b.name);
    BOOST_TEST((a.damping == b.damping && a.friction == b.friction && a.armature == b.armature), b.name);
  }
}

/// Limits as they are, of either kind of hinge, and of each type that urdfdom knows; it refuses a file that lacks any.
BOOST_AUTO_TEST_CASE(urdfdom_reads_what_is_written)
{
  constexpr double none = std::numeric_limits<double>::infinity(), largest = std::numeric_limits<double>::max();
  Mechanism every;
  every.name = "every";
  every.links.push_back(Link{"base"});
  for (const JointType type : {JointType::fixed, JointType::revolute, JointType::continuous, JointType::prismatic,
                               JointType::planar, JointType::floating})
    for (const auto& [lower, upper] : {std::pair{-none, none}, {-0.5, 1.25}, {-none, 0.75}, {-0.25, none}}) {
      const std::string name = "j" + std::to_string(every.joints.size());
      Joint joint{name, type, every.links.back().name, name};
      joint.damping = 0.1;
      if (has_axis(type) && type != JointType::planar) joint.lower = lower, joint.upper = upper;
      every.links.push_back(Link{name}), every.joints.push_back(joint);
    }
  for (const Mechanism& mechanism : {every, read_urdf((here / ".." / "models" / "ur5.urdf").string()),
                                     read_urdf((here / ".." / "models" / "panda.urdf").string())}) {
    const std::string text = urdf_text(mechanism);
    const urdf::ModelInterfaceSharedPtr found = urdf::parseURDF(text);
    BOOST_TEST_REQUIRE(found, mechanism.name);
    BOOST_TEST(found->joints_.size() == mechanism.joints.size());
    const Mechanism again = parse_urdf(text, "text");
    for (std::size_t k = 0; k < mechanism.joints.size(); ++k) {
      const Joint &given = mechanism.joints[k], &ours = again.joints[k];
      const urdf::Joint& theirs = *found->getJoint(given.name);
      BOOST_TEST_CONTEXT(mechanism.name << ": " << given.name)
      {
        const bool limited = given.lower != -none || given.upper != none;
        if (given.type == JointType::revolute || given.type == JointType::continuous) {
          BOOST_TEST(theirs.type == (limited ? urdf::Joint::REVOLUTE : urdf::Joint::CONTINUOUS));
          BOOST_TEST((ours.type == (limited ? JointType::revolute : JointType::continuous)));
        } else
          BOOST_TEST((ours.type == given.type));
        BOOST_TEST((ours.lower == given.lower && ours.upper == given.upper));
        if (!limited && given.type != JointType::prismatic) continue;
        BOOST_TEST_REQUIRE(theirs.limits);
        BOOST_TEST(theirs.limits->lower == (given.lower == -none ? -largest : given.lower));
        BOOST_TEST(theirs.limits->upper == (given.upper == none ? largest : given.upper));
        BOOST_TEST((theirs.limits->effort == largest && theirs.limits->velocity == largest));  // no force is too large
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(urdfdom_refuses_the_types_that_only_we_know)
{
  const console_bridge::LogLevel level = console_bridge::getLogLevel();
  console_bridge::setLogLevel(console_bridge::CONSOLE_BRIDGE_LOG_NONE);
  for (const std::string type : {"helical", "universal", "cylindrical", "ball", "euler_ball", "euler_free"})
    BOOST_TEST(!urdf::parseURDF(arm_robot(inertial, type, "")), type);
  BOOST_TEST(urdf::parseURDF(arm_robot(inertial, "continuous", "")));
  console_bridge::setLogLevel(level);
}

BOOST_AUTO_TEST_CASE(a_joint_without_axis_may_have_one_of_length_zero)
{
  for (const std::string type : {"fixed", "floating"})
    BOOST_CHECK_NO_THROW(Model<double>(parse_urdf(arm_robot(inertial, type, "<axis xyz=\"0 0 0\"/>"), "text")));
}

BOOST_AUTO_TEST_CASE(what_the_dynamics_do_not_need_cannot_spoil_a_file)
{
  const std::string text = arm_robot(
      "<visual/><visual><geometry><ball/></geometry><material/></visual><collision><origin xyz=\"?\"/></collision>" +
          inertial + "<sensor/>",
      "revolute", "<limit effort=\"strong\"/><safety_controller/><calibration rising=\"?\"/><dynamics/>");
  const std::size_t inside = text.find("<link");
  const Mechanism read = parse_urdf(
      text.substr(0, inside) + "<material/><gazebo><link/></gazebo><transmission><joint/></transmission><!-- -->" +
          text.substr(inside),
      "text");
  BOOST_TEST(read.links.size() == 2u);
  BOOST_TEST(read.links.at(1).mass == 2.5);
  BOOST_TEST(read.warnings.empty());
}

BOOST_AUTO_TEST_CASE(what_is_ignored_is_said)
{
  const Mechanism mimic = parse_urdf(arm_robot(inertial, "prismatic", "<mimic joint=\"thumb\"/>"), "text");
  BOOST_TEST(mimic.warnings.empty());
  BOOST_TEST(Model<double>(mimic).warnings() ==
                 std::vector<std::string>{
                     "joint 'shoulder' keeps a coordinate of its own: that it mimics joint 'thumb' is ignored."},
             boost::test_tools::per_element());
  BOOST_TEST(Model<double>(mimic, {.dynamics = {.mimic = true}}).warnings().empty());

  const Mechanism still =
      parse_urdf(arm_robot(inertial, "revolute", "<dynamics damping=\"0\" friction=\"0.0\"/>"), "text");
  BOOST_TEST(still.warnings.empty());

  std::string chain = "<link name=\"l0\"/>";
  for (int k = 1; k <= 5; ++k) {
    const std::string n = std::to_string(k), below = std::to_string(k - 1);
    chain += "<link name=\"l" + n + "\"/><joint name=\"j" + n + "\" type=\"continuous\"><parent link=\"l" + below +
             "\"/><child link=\"l" + n + "\"/><dynamics " + (k % 2 ? "damping" : "friction") + "=\"0.1\"/></joint>";
  }
  const Mechanism damped = parse_urdf(robot(chain), "text");
  BOOST_TEST(damped.warnings.empty());
  const auto first_warning = [&](const JointDynamics& used) {
    return Model<double>(damped, {.dynamics = used}).warnings().front();
  };
  BOOST_TEST(first_warning({}) == "damping and friction of joints 'j1', 'j2', 'j3' and 2 more are ignored.");
  BOOST_TEST(first_warning({.damping = true}) == "friction of joints 'j2', 'j4' is ignored.");
  BOOST_TEST(first_warning({.damping = true, .friction = true}).find("ignored") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(what_a_joint_mimics_is_read_and_written)
{
  const auto read = [](const std::string& with) {
    return parse_urdf(arm_robot(inertial, "prismatic", "<mimic joint=\"thumb\" " + with + "/>"), "text");
  };
  const auto check = [](const Mechanism& mechanism, double multiplier, double offset) {
    BOOST_TEST_REQUIRE(mechanism.joints.at(0).mimic.has_value());
    const Mimic& mimic = *mechanism.joints.at(0).mimic;
    BOOST_TEST((mimic.joint == "thumb" && mimic.multiplier == multiplier && mimic.offset == offset));
  };
  check(read(""), 1, 0);
  check(read("offset=\"0.25\""), 1, 0.25);
  const Mechanism both = read("multiplier=\"-0.1\" offset=\"-3\"");
  check(both, -0.1, -3);
  check(parse_urdf(urdf_text(both), "text"), -0.1, -3);
  BOOST_TEST(!parse_urdf(arm_robot(inertial, "prismatic", ""), "text").joints.at(0).mimic.has_value());
  for (const std::string bad : {"multiplier=\"fast\"", "offset=\"1 2\"", "multiplier=\"\"", "offset=\"nan\""})
    BOOST_CHECK_THROW(read(bad), ModelError);
  Mechanism wrong = both;
  wrong.joints.at(0).mimic->offset = std::numeric_limits<double>::infinity();
  BOOST_CHECK_THROW(Model<double>{wrong}, ModelError);
}

BOOST_AUTO_TEST_CASE(names_may_hold_any_sign)
{
  const Mechanism read = parse_urdf(robot("<link name=\"a&amp;b &lt;&quot;&apos;> \u00e9&#x4e2d;\"/>"), "text");
  BOOST_TEST(read.links.at(0).name == "a&b <\"'> \u00e9\u4e2d");
}

BOOST_AUTO_TEST_CASE(urdfdom_does_not_speak_to_the_user)
{
  console_bridge::OutputHandler* const before = console_bridge::getOutputHandler();
  std::string said;
  {
    const Overheard overheard;
    for (const BadFile& bad : bad_files) refusal(here / "bad_urdf" / (bad.name + ".urdf"));
    said = overheard.text();
  }
  BOOST_TEST(said == "");
  BOOST_TEST(console_bridge::getOutputHandler() == before);
}

BOOST_AUTO_TEST_CASE(a_file_cut_short_is_refused)
{
  const std::string whole = arm_robot(inertial, "revolute", "<axis xyz=\"0 0 1\"/>");
  for (std::size_t size = 0; size < whole.size(); ++size)
    BOOST_CHECK_THROW(parse_urdf(whole.substr(0, size), "text"), ModelError);
}

BOOST_DATA_TEST_CASE(a_damaged_file_is_read_or_refused, boost::unit_test::data::xrange(20), seed)
{
  const std::string whole = arm_robot(inertial, "revolute", "<axis xyz=\"0 0 1\"/><mimic joint=\"elbow\"/>");
  std::mt19937 random(seed);
  for (int k = 0; k < 100; ++k) {
    std::string damaged = whole;
    for (int hits = 1 + random() % 4; hits > 0; --hits) {
      const std::size_t place = random() % damaged.size();
      if (random() % 2)
        damaged[place] = static_cast<char>(random() % 256);
      else
        damaged.erase(place, random() % 8);
    }
    try {
      parse_urdf(damaged, "text");
    } catch (const ModelError& error) {
      BOOST_TEST(std::string(error.what()).rfind("text: ", 0) == 0);
    }
  }
}

BOOST_AUTO_TEST_CASE(every_shared_robot_reads)
{
  const char* given = std::getenv("ARTICULATE_ROBOTS");
  const fs::path folder = given ? fs::path(given) : here / "../../../shared/robots";
  if (!fs::is_directory(folder)) {
    std::cout << "SKIPPED 1 test (every_shared_robot_reads): there is no folder " << folder.string()
              << "; set ARTICULATE_ROBOTS to one with URDF files." << std::endl;
    return;
  }
  int robots = 0;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".urdf") continue;
    BOOST_TEST_CONTEXT(entry.path().string())
    {
      const Model<double> model(read_urdf(entry.path().string()));
      BOOST_TEST(model.bodies() > 0);
    }
    ++robots;
  }
  BOOST_TEST(robots > 0, "the folder holds no URDF file");
  std::cout << "read " << robots << " shared robots" << std::endl;
}
