/** \file
 *  \brief Does a mechanism survive its way through MJCF, and is refused what would be read as another one?
 */
#include <boost/test/unit_test.hpp>
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <limits>
#include <regex>
#include <articulate/constrained/loop.hpp>
#include <articulate/model/mjcf.hpp>
#include <articulate/model/robot_file.hpp>
#include <articulate/model/urdf.hpp>
#include <models/models.hpp>
#include <says.hpp>
#include "same_numbers.hpp"

namespace {

using namespace articulate;
using namespace articulate::validation;

struct Case {
  std::string name;
  bool floating_base;
};
std::ostream& operator<<(std::ostream& out, const Case& one) { return out << one.name; }

std::vector<Case> cases()
{
  std::vector<Case> all;
  for (const BuiltIn& one : built_in_models()) all.push_back({one.name, one.floating_base});
  for (int seed = 0; seed < 20; ++seed) all.push_back({"random:" + std::to_string(seed), seed % 3 == 0});
  return all;
}

/// What MJCF cannot say becomes what it can.
Mechanism sayable(Mechanism mechanism)
{
  for (Joint& joint : mechanism.joints) {
    if (joint.type == JointType::helical) joint.type = JointType::revolute;
    if (joint.type == JointType::floating) joint.type = JointType::ball;
  }
  return mechanism;
}

void check_same(const Inputs& in, const Mechanism& mechanism, bool floating_base)
{
  const Model<double> original(in.mechanism, in.options), other(mechanism, {floating_base, true});
  BOOST_TEST_REQUIRE(original.joints().size() == other.joints().size());
  for (std::size_t j = 0; j < original.joints().size(); ++j) {
    const JointSlot &a = original.joints()[j], &b = other.joints()[j];
    BOOST_TEST(a.name == b.name);
    BOOST_TEST((a.nq == b.nq && a.nv == b.nv));
  }
  const DrawnState x(original, in);
  const std::array<double, 3> off = difference(Answers(original, x), Answers(other, x)), allowed = rounding_of(in);
  for (int k = 0; k < 3; ++k) BOOST_TEST(off[k] <= allowed[k]);
}

std::string file(const std::string& inside, const std::string& before = "<compiler angle=\"radian\"/>")
{
  return "<mujoco model=\"m\">" + before + "<worldbody>" + inside + "</worldbody></mujoco>";
}

const std::string inertial = "<inertial pos=\"0.1 0.2 0.3\" mass=\"2\" diaginertia=\"0.3 0.4 0.5\"/>";

std::string body(const std::string& joints, const std::string& inside = "")
{
  return "<body name=\"b\" pos=\"1 2 3\" quat=\"0.5 -0.5 0.1 0.7\">" + joints + inertial + inside + "</body>";
}

std::string refusal(const std::string& text)
{
  try {
    parse_mjcf(text, "text");
  } catch (const ModelError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(mjcf)

BOOST_DATA_TEST_CASE(a_model_written_as_urdf_and_as_mjcf_has_the_same_numbers, boost::unit_test::data::make(cases()),
                     one)
{
  const Mechanism original = built_in_model(one.name);
  const auto is_unsayable = [](const Joint& j) {
    return j.type == JointType::helical || j.type == JointType::floating;
  };
  if (std::any_of(original.joints.begin(), original.joints.end(), is_unsayable))
    BOOST_CHECK_THROW(mjcf_text(original), ModelError);
  else
    BOOST_CHECK_NO_THROW(mjcf_text(original));

  const Mechanism mechanism = sayable(original);
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const Inputs in = Inputs::draw(mechanism, {one.floating_base, true}, seed);
    const Mechanism from_mjcf = parse_robot(mjcf_text(in.mechanism, one.floating_base), "text");
    BOOST_TEST(from_mjcf.gravity == in.mechanism.gravity, boost::test_tools::per_element());
    check_same(in, from_mjcf, false);
    Mechanism from_urdf = parse_robot(urdf_text(in.mechanism), "text");
    from_urdf.gravity = in.mechanism.gravity;
    check_same(in, from_urdf, one.floating_base);

    // Of each other, and of what is read of them.
    check_same(in, parse_mjcf(mjcf_text(from_mjcf), "text"), false);
    if (!one.floating_base) check_same(in, parse_mjcf(mjcf_text(from_urdf), "text"), false);
  }
}

BOOST_AUTO_TEST_CASE(what_is_written_is_read_again)
{
  for (const Mechanism& original : {sayable(every_joint()), built_in_model("panda"), built_in_model("mimic_hand")}) {
    const Mechanism read = parse_mjcf(mjcf_text(original), "text");
    BOOST_TEST(read.name == original.name);
    BOOST_TEST_REQUIRE((read.links.size() == original.links.size() && read.joints.size() == original.joints.size()));
    for (const Joint& a : original.joints) {
      const auto b =
          std::find_if(read.joints.begin(), read.joints.end(), [&](const Joint& j) { return j.name == a.name; });
      BOOST_TEST_REQUIRE((b != read.joints.end()), a.name);
      const bool hinge = a.type == JointType::revolute || a.type == JointType::continuous;
      BOOST_TEST((hinge ? b->type == (std::isfinite(a.upper) ? JointType::revolute : JointType::continuous)
                        : b->type == a.type),
                 a.name);
      BOOST_TEST((a.parent == b->parent && a.child == b->child), a.name);
      BOOST_TEST((a.position == b->position && a.quaternion == b->quaternion), a.name);
      BOOST_TEST((!has_axis(a.type) || a.axis == b->axis), a.name);
      BOOST_TEST((a.damping == b->damping && a.friction == b->friction && a.armature == b->armature), a.name);
      BOOST_TEST((a.lower == b->lower && a.upper == b->upper), a.name);
      BOOST_TEST_REQUIRE(a.mimic.has_value() == b->mimic.has_value(), a.name);
      if (a.mimic)
        BOOST_TEST((a.mimic->joint == b->mimic->joint && a.mimic->multiplier == b->mimic->multiplier &&
                    a.mimic->offset == b->mimic->offset),
                   a.name);
    }
  }
}

/// A floating base is a joint in MJCF; the base for which it stands can be had again, and the text with it.
BOOST_AUTO_TEST_CASE(a_floating_base_that_is_written_is_one_again)
{
  int tried = 0;
  for (const BuiltIn& one : built_in_models()) {
    if (!one.floating_base) continue;
    const Mechanism original = built_in_model(one.name);
    Mechanism read = parse_mjcf(mjcf_text(original, true), "text");
    BOOST_TEST((read.joints.at(0).name == "floating_base" && read.joints.at(0).type == JointType::floating));
    BOOST_TEST_REQUIRE(take_floating_base(read), one.name);
    BOOST_TEST((read.links.size() == original.links.size() && read.joints.size() == original.joints.size()));
    const Model<double> before(original, {true, true}), after(read, {true, true});
    BOOST_TEST_REQUIRE(before.links().size() == after.links().size());
    for (std::size_t l = 0; l < before.links().size(); ++l) BOOST_TEST(before.links()[l].name == after.links()[l].name);
    for (std::size_t j = 0; j < before.joints().size(); ++j)
      BOOST_TEST(before.joints()[j].name == after.joints()[j].name);
    BOOST_TEST(!take_floating_base(read), one.name);
    ++tried;
  }
  BOOST_TEST(tried > 2);
}

BOOST_AUTO_TEST_CASE(a_joint_that_is_no_written_base_stays_a_joint)
{
  const Mechanism base = parse_mjcf(file(body("<joint name=\"floating_base\" type=\"free\"/>")), "text");
  const auto stays = [&](const auto& change) {
    Mechanism other = base;
    change(other);
    const std::size_t links = other.links.size(), joints = other.joints.size();
    return !take_floating_base(other) && other.links.size() == links && other.joints.size() == joints;
  };
  BOOST_TEST(!stays([](Mechanism&) {}));
  BOOST_TEST(stays([](Mechanism& m) { m.joints[0].name = "root"; }), "of another name");
  BOOST_TEST(stays([](Mechanism& m) { m.joints[0].type = JointType::ball; }), "of another type");
  BOOST_TEST(stays([](Mechanism& m) { m.joints[0].position[1] = 1; }), "elsewhere");
  BOOST_TEST(stays([](Mechanism& m) { m.joints[0].quaternion = {1, 0, 0, 0}; }), "turned");
  BOOST_TEST(stays([](Mechanism& m) { m.joints[0].damping = 0.1; }), "damped");
  BOOST_TEST(stays([](Mechanism& m) { m.links[0].mass = 1; }), "on a ground with mass");
  BOOST_TEST(stays([](Mechanism& m) { m.links[0].name = m.joints[0].parent = "earth"; }), "on another ground");
  const auto stand_beside = [](Mechanism& m) {
    m.links.push_back(Link{"post"});
    m.joints.push_back(Joint{"weld", JointType::fixed, "world", "post"});
  };
  BOOST_TEST(stays(stand_beside), "beside another one");
}

/// Without the names that the writer gives they are a chain, which moves alike.
BOOST_AUTO_TEST_CASE(other_joints_in_one_body_are_a_chain)
{
  const auto with_names = [](const std::string& a, const std::string& b, const std::string& c) {
    const auto joint = [](const std::string& name, const std::string& rest) {
      return "<joint name=\"" + name + "\" " + rest + "/>";
    };
    return parse_mjcf(file(body(joint(a, "axis=\"0 0 1\"") + joint(b, "axis=\"0 1 0\"") + joint(c, "axis=\"1 0 0\""))),
                      "text");
  };
  const Mechanism one = with_names("j/1", "j/2", "j/3"), chain = with_names("a", "b", "c");
  BOOST_TEST_REQUIRE(one.joints.size() == 1u);
  BOOST_TEST((one.joints[0].type == JointType::euler_ball && one.joints[0].name == "j"));
  BOOST_TEST_REQUIRE(chain.joints.size() == 3u);
  BOOST_TEST(chain.joints[1].parent == "b/a");
  BOOST_TEST(chain.joints[2].child == "b");
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    Inputs in = Inputs::draw(one, {}, seed);
    in.link_wrenches.clear();
    Mechanism other = chain;
    other.gravity = in.mechanism.gravity;
    const Model<double> a(in.mechanism), b(other);
    const DrawnState x(a, in);
    const std::array<double, 3> off = difference(Answers(a, x), Answers(b, x)), allowed = rounding_of(in);
    for (int k = 0; k < 3; ++k) BOOST_TEST(off[k] <= allowed[k]);
  }
}

/// A joint of several degrees is what MuJoCo makes of its parts: one joint after the other.
BOOST_AUTO_TEST_CASE(the_parts_of_a_joint_make_the_same_motion_as_a_chain)
{
  const Mechanism whole = sayable(every_joint());
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    Inputs in = Inputs::draw(whole, {}, seed);
    const std::string text = std::regex_replace(mjcf_text(in.mechanism), std::regex("/([1-6])\""), ".$1\"");
    const Mechanism chain = parse_mjcf(text, "text");
    BOOST_TEST(chain.joints.size() > whole.joints.size() + 10);
    const Model<double> a(in.mechanism), b(chain);
    const DrawnState x(a, in);
    const std::array<double, 3> off = difference(Answers(a, x), Answers(b, x)), allowed = rounding_of(in);
    for (int k = 0; k < 3; ++k) BOOST_TEST(off[k] <= allowed[k]);
  }
}

BOOST_AUTO_TEST_CASE(a_free_body_counts_from_the_origin_of_the_world)
{
  const Mechanism read = parse_mjcf(file(body("<freejoint name=\"f\"/>")), "text");
  BOOST_TEST((read.joints.at(0).type == JointType::floating && read.joints[0].parent == "world"));
  BOOST_TEST(read.joints[0].position == (std::array<double, 3>{}), boost::test_tools::per_element());
  BOOST_TEST(read.joints[0].quaternion == (std::array<double, 4>{0, 0, 0, 1}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(numbers_of_a_file_are_where_they_belong)
{
  const Mechanism read = parse_mjcf(
      file(body("<joint name=\"j\" axis=\"0 3 4\" range=\"-90 45\" damping=\"0.1\" frictionloss=\"0.2\" "
                "armature=\"0.3\"/><site/>",
                "<geom type=\"box\"/><body name=\"c\"><joint name=\"s\" type=\"slide\" limited=\"true\" range=\"1 2\"/>"
                "<inertial pos=\"0 0 1\" mass=\"3\" fullinertia=\"1 2 3 0.1 0.2 0.3\"/></body>") +
               "<light/><geom type=\"plane\"/>",
           "<option gravity=\"1 2 3\" timestep=\"0.01\"/><asset><mesh file=\"/dev/zero\"/></asset>"
           "<actuator><motor joint=\"j\"/></actuator>"),
      "text");
  BOOST_TEST_REQUIRE((read.links.size() == 3u && read.joints.size() == 2u));
  BOOST_TEST(read.links[0].name == "world");
  BOOST_TEST(read.gravity == (std::array<double, 3>{1, 2, 3}), boost::test_tools::per_element());
  const Joint &j = read.joints[0], &s = read.joints[1];
  BOOST_TEST((j.type == JointType::revolute && j.parent == "world" && j.child == "b"));
  BOOST_TEST(j.position == (std::array<double, 3>{1, 2, 3}), boost::test_tools::per_element());
  BOOST_TEST(j.quaternion == (std::array<double, 4>{-0.5, 0.1, 0.7, 0.5}), boost::test_tools::per_element());
  BOOST_TEST(j.axis == (std::array<double, 3>{0, 3, 4}), boost::test_tools::per_element());
  BOOST_TEST((j.damping == 0.1 && j.friction == 0.2 && j.armature == 0.3));
  BOOST_TEST(j.lower == -std::acos(-1.) / 2);  // MJCF counts in degrees unless told otherwise
  BOOST_TEST((s.type == JointType::prismatic && s.lower == 1 && s.upper == 2));
  BOOST_TEST(read.links[2].inertia == (std::array<double, 6>{1, 0.1, 0.2, 2, 0.3, 3}),
             boost::test_tools::per_element());
  BOOST_TEST_REQUIRE(read.warnings.size() == 1u);
  BOOST_TEST(says(read.warnings[0], {"motors", "ignored"}));
}

BOOST_AUTO_TEST_CASE(what_would_be_another_machine_is_refused)
{
  const std::string hinge = "<joint name=\"j\"/>";
  BOOST_TEST(refusal(file(body(hinge))) == "accepted");
  const auto joint = [](const std::string& with) { return file(body("<joint name=\"j\" " + with + "/>")); };
  for (const std::string harmless :
       {"stiffness=\"0\"", "pos=\"0 0 0.0\"", "pos=\"0 0 -0\"", "pos=\"0e0 +0 .0\"", "group=\"3\"", "ref=\"0\"",
        "ref=\"-0\"", "springref=\"0.1\"", "damping=\"1 \"", "damping=\" 1\""})
    BOOST_TEST(refusal(joint(harmless)) == "accepted", harmless);
  BOOST_TEST(says(refusal(joint("pos=\"0 0 zero\"")), {"joint 'j'", "pos=\"0 0 zero\""}));
  BOOST_TEST(says(refusal(joint("damping=\"1 2\"")), {"joint 'j'", "'1 2'"}));
  BOOST_TEST(says(refusal(joint("stiffness=\"3\"")), {"text: joint 'j'", "<joint stiffness=\"3\">", "not read"}));
  BOOST_TEST(says(refusal(joint("stiffness=\"3\" springref=\"0.1\"")), {"joint 'j'", "stiffness"}));
  BOOST_TEST(says(refusal(joint("ref=\"0.1\"")), {"joint 'j'", "ref=\"0.1\""}));
  BOOST_TEST(says(refusal(joint("pos=\"0 0 1\"")), {"joint 'j'", "pos=\"0 0 1\""}));
  BOOST_TEST(says(refusal(joint("class=\"arm\"")), {"joint 'j'", "class"}));
  BOOST_TEST(says(refusal(joint("type=\"screw\"")), {"joint 'j'", "'screw'", "hinge, slide, ball, free"}));
  BOOST_TEST(says(refusal(joint("limited=\"true\"")), {"joint 'j'", "<joint range=\"...\">"}));
  BOOST_TEST(says(refusal(joint("axis=\"0 0 0\"")), {"joint 'j'", "axis 0 0 0"}));
  BOOST_TEST(says(refusal(file(body("<joint/>"))), {"<joint> in line 1", "name"}));
  BOOST_TEST(says(refusal(file(body(hinge + hinge))), {"two joints are called 'j'"}));
  BOOST_TEST(says(refusal(file(body("<freejoint name=\"f\"/>" + hinge))), {"body 'b'", "free joint beside"}));
  BOOST_TEST(says(refusal(file(body(hinge, "<body name=\"c\"><freejoint name=\"f\"/></body>"))),
                  {"body 'c'", "within another body"}));

  const auto in_body = [&](const std::string& attributes, const std::string& inside) {
    return file("<body name=\"b\" " + attributes + ">" + hinge + inside + "</body>");
  };
  BOOST_TEST(says(refusal(in_body("euler=\"0 0 90\"", inertial)), {"body 'b'", "euler"}));
  BOOST_TEST(says(refusal(in_body("gravcomp=\"1\"", inertial)), {"body 'b'", "gravcomp"}));
  BOOST_TEST(says(refusal(in_body("quat=\"1 0 0\"", inertial)), {"body 'b'", "four numbers", "has 3"}));
  BOOST_TEST(says(refusal(in_body("quat=\"0 0 0 0\"", inertial)), {"joint 'j'", "quaternion 0 0 0 0"}));
  BOOST_TEST(says(refusal(in_body("childclass=\"a\"", inertial)), {"body 'b'", "childclass"}));
  BOOST_TEST(says(refusal(in_body("", "<geom size=\"1\"/>")), {"body 'b'", "<geom>", "<inertial>"}));
  BOOST_TEST(says(refusal(in_body("", "<inertial pos=\"0 0 0\" mass=\"1\"/>")), {"body 'b'", "diaginertia"}));
  BOOST_TEST(
      says(refusal(in_body("", "<inertial pos=\"0 0 0\" mass=\"1\" quat=\"1 0 0 0\" fullinertia=\"1 1 1 0 0 0\"/>")),
           {"body 'b'", "fullinertia beside quat"}));
  BOOST_TEST(says(refusal(in_body("", "<inertial mass=\"1\" diaginertia=\"1 1 1\"/>")), {"body 'b'", "<inertial pos"}));

  const auto in_file = [&](const std::string& section) { return file(body(hinge), section); };
  BOOST_TEST(refusal(in_file("<option wind=\"0 0 0\"><flag contact=\"disable\"/></option>")) == "accepted");
  BOOST_TEST(says(refusal(in_file("<option density=\"1.2\"/>")), {"density"}));
  const auto flag = [&](const std::string& attribute) {
    return refusal(in_file("<option><flag " + attribute + "/></option>"));
  };
  BOOST_TEST(says(flag("gravity=\"disable\""), {"flag gravity", "0 0 0"}));
  BOOST_TEST(says(flag("passive=\"disable\""), {"flag passive", "damping"}));
  BOOST_TEST(says(flag("frictionloss=\"disable\""), {"flag frictionloss", "leave out"}));
  BOOST_TEST(says(flag("equality=\"disable\""), {"flag equality", "leave out <equality>"}));
  BOOST_TEST(says(flag("limit=\"disable\""), {"flag limit", "range"}));
  BOOST_TEST(says(flag("constraint=\"disable\""), {"flag constraint", "<equality>", "frictionloss", "range"}));
  BOOST_TEST(says(flag("passive=\"Disable\""), {"flag passive=\"Disable\""}));
  BOOST_TEST(says(flag("pasive=\"disable\""), {"flag pasive", "not read"}));
  BOOST_TEST(flag("passive=\"enable\" actuation=\"disable\" energy=\"enable\"") == "accepted");
  BOOST_TEST(says(refusal(in_file("<compiler coordinate=\"global\"/>")), {"coordinate", "'local'"}));
  BOOST_TEST(says(refusal(in_file("<compiler inertiafromgeom=\"true\"/>")), {"inertiafromgeom", "'false'"}));
  BOOST_TEST(says(refusal(in_file("<compiler settotalmass=\"3\"/>")), {"settotalmass"}));
  BOOST_TEST(refusal(in_file("<compiler settotalmass=\"-1\" alignfree=\"false\"/>")) == "accepted");
  BOOST_TEST(says(refusal(in_file("<compiler alignfree=\"true\"/>")), {"alignfree"}));
  const auto free = [&](const std::string& align) {
    return refusal(file(body("<freejoint name=\"f\" align=\"" + align + "\"/>")));
  };
  BOOST_TEST(free("false") == "accepted");
  BOOST_TEST(says(free("true"), {"joint 'f'", "align=\"true\""}));
  BOOST_TEST(says(refusal(in_file("<compiler boundmass=\"0.1\"/>")), {"boundmass"}));
  for (const std::string section : {"default", "include", "tendon", "extension", "deformable"})
    BOOST_TEST(says(refusal(in_file("<" + section + "/>")), {"the file", ("<" + section + ">").c_str(), "line 1"}));
  BOOST_TEST(says(refusal(in_file("<actuator><position joint=\"j\"/></actuator>")), {"<position>"}));
  const auto equal = [&](const std::string& element) {
    return refusal(file(body(hinge, "<body name=\"c\"><joint name=\"k\"/>" + std::string(inertial) + "</body>"),
                        "<equality>" + element + "</equality>"));
  };
  BOOST_TEST(equal("<joint joint1=\"j\" joint2=\"k\" polycoef=\"0 2 0 0 0\" solref=\"0.1 1\"/>") == "accepted");
  BOOST_TEST(says(equal("<joint joint1=\"j\" joint2=\"k\" polycoef=\"0 2 0.5 0 0\"/>"), {"polycoef", "first degree"}));
  BOOST_TEST(says(equal("<joint joint1=\"j\" joint2=\"k\" active=\"false\"/>"), {"active"}));
  BOOST_TEST(says(equal("<joint joint1=\"j\"/>"), {"<joint joint2=\"...\">"}));
  BOOST_TEST(says(equal("<joint joint1=\"l\" joint2=\"k\"/>"), {"'l'", "none of that name"}));
  BOOST_TEST(
      says(equal("<joint joint1=\"j\" joint2=\"k\"/><joint joint1=\"j\" joint2=\"k\"/>"), {"'j' a second time"}));
  BOOST_TEST(says(equal("<weld body1=\"b\"/>"), {"<weld>"}));
  const std::string welded = body(hinge, "<body name=\"w\">" + std::string(inertial) + "</body>");
  BOOST_TEST(says(refusal(file(welded, "<equality><joint joint1=\"w/fixed\" joint2=\"j\"/></equality>")),
                  {"'w/fixed'", "none of that name"}));
  BOOST_TEST(says(refusal("<mujoco/>"), {"no <worldbody>"}));
  BOOST_TEST(says(refusal("<!DOCTYPE mujoco>" + in_file("")), {"<!DOCTYPE ...>"}));
}

/// Joints that would be one joint of two degrees if the file coupled neither of them.
BOOST_AUTO_TEST_CASE(joints_that_are_coupled_stay_joints_of_their_own)
{
  const std::string two = body("<joint name=\"a/1\" axis=\"1 0 0\"/><joint name=\"a/2\" axis=\"0 1 0\"/>");
  BOOST_TEST_REQUIRE(parse_mjcf(file(two), "text").joints.size() == 1u);
  const Mechanism read = parse_mjcf(
      file(two, "<equality><joint joint1=\"a/2\" joint2=\"a/1\" polycoef=\"1 2 0 0 0\"/></equality>"), "text");
  BOOST_TEST_REQUIRE(read.joints.size() == 2u);
  BOOST_TEST((read.joints[0].name == "a/1" && !read.joints[0].mimic));
  BOOST_TEST_REQUIRE((read.joints[1].name == "a/2" && read.joints[1].mimic));
  const Mimic& mimic = *read.joints[1].mimic;
  BOOST_TEST((mimic.joint == "a/1" && mimic.offset == 1 && mimic.multiplier == 2));
}

BOOST_AUTO_TEST_CASE(one_limit_needs_no_other)
{
  constexpr double none = std::numeric_limits<double>::infinity();
  for (const auto& [lower, upper] : {std::pair{-none, 1.5}, {-0.5, none}}) {
    Mechanism arm = park_2r();
    arm.joints[0].lower = lower, arm.joints[0].upper = upper;
    for (const std::string& text : {mjcf_text(arm), urdf_text(arm)}) {
      const Mechanism read = parse_robot(text, "text");
      BOOST_TEST((read.joints[0].lower == lower && read.joints[0].upper == upper));
    }
  }
  // In degrees, too.
  const std::string largest = "1.7976931348623157e308";
  const Mechanism read =
      parse_mjcf(file(body("<joint name=\"j\" limited=\"true\" range=\"-" + largest + " 90\"/>"), ""), "text");
  BOOST_TEST((read.joints[0].lower == -none && read.joints[0].upper == std::acos(-1.) / 2));
}

/// What the text says is what was meant, or a sentence says what it is not.
BOOST_AUTO_TEST_CASE(what_mujoco_would_refuse_is_mended_or_told)
{
  using Warnings = std::vector<std::string>;
  const auto moments = [](const std::array<double, 3>& given, Warnings& warnings) {
    Mechanism arm = park_2r();
    arm.links[1].inertia = {given[0], 0, 0, given[1], 0, given[2]};
    const auto& I = parse_mjcf(mjcf_text(arm, false, &warnings), "text").links[1].inertia;
    return std::array{I[0], I[3], I[5]};
  };
  const double eps = std::numeric_limits<double>::epsilon();
  Warnings warnings;
  BOOST_TEST((moments({1, 2, 2.5}, warnings) == std::array{1., 2., 2.5}));
  BOOST_TEST((moments({1, 2, 3 + 4 * eps}, warnings) == std::array{1., 2., 3.}));
  BOOST_TEST((moments({2 + 4 * eps, 1, 1}, warnings) == std::array{2., 1., 1.}));
  BOOST_TEST((moments({-eps, 1, 1}, warnings) == std::array{0., 1., 1.}));
  BOOST_TEST(warnings.empty());
  for (const std::array<double, 3>& impossible : {std::array{1., 1., 2 + 1e-12}, {-1e-12, 1., 1.}, {-1., -1., -1.}}) {
    warnings.clear();
    BOOST_TEST((moments(impossible, warnings) == impossible));
    BOOST_TEST_REQUIRE(warnings.size() == 1u);
    BOOST_TEST(says(warnings[0], {"link '", "no distribution of mass", "MuJoCo refuses"}));
  }
  // Of a tensor with products of inertia, whose axes are found with rounding.
  Mechanism line = park_2r();
  line.links[1].inertia = {1e-6, 1e-6, 1e-6, 1e-6, 1e-6, 1e-6};
  warnings.clear();
  BOOST_TEST(mjcf_text(line, false, &warnings).find("diaginertia=\"-") == std::string::npos);
  BOOST_TEST_REQUIRE(warnings.size() == 1u);
  BOOST_TEST(says(warnings[0], {("link '" + line.links[1].name + "'").c_str()}));

  Mechanism stuck = park_2r();
  stuck.joints[0].lower = stuck.joints[0].upper = 0.25;
  warnings.clear();
  const std::string text = mjcf_text(stuck, false, &warnings);
  BOOST_TEST(text.find("range") == std::string::npos);
  BOOST_TEST(text.find("limited") == std::string::npos);
  BOOST_TEST_REQUIRE(warnings.size() == 1u);
  BOOST_TEST(says(warnings[0], {("joint '" + stuck.joints[0].name + "'").c_str(), "0.25", "left out"}));
}

BOOST_AUTO_TEST_CASE(what_a_fixed_joint_mimics_is_ignored_everywhere)
{
  Mechanism hand = built_in_model("mimic_hand");
  const std::size_t before = mimic_loops(hand).size();
  const auto follower = std::find_if(hand.joints.begin(), hand.joints.end(), follows);
  BOOST_TEST_REQUIRE((follower != hand.joints.end()));
  follower->type = JointType::fixed;
  BOOST_TEST(mimic_loops(hand).size() == before - 1);
  for (const bool used : {false, true}) {
    const std::vector<std::string> told = Model<double>(hand, {.dynamics = {.mimic = used}}).warnings();
    const auto of_a_mimic = [](const std::string& warning) { return says(warning, {"mimics"}); };
    BOOST_TEST(std::size_t(std::count_if(told.begin(), told.end(), of_a_mimic)) == (used ? 1 : before));
    BOOST_TEST(std::count(told.begin(), told.end(),
                          "joint '" + follower->name + "' is fixed and has no coordinate: that it mimics joint '" +
                              follower->mimic->joint + "' is ignored.") == 1);
  }
  std::vector<std::string> warnings;
  const Mechanism read = parse_mjcf(mjcf_text(hand, false, &warnings), "text");
  BOOST_TEST(std::size_t(std::count_if(read.joints.begin(), read.joints.end(), follows)) == before - 1);
  BOOST_TEST_REQUIRE(warnings.size() == 1u);
  BOOST_TEST(says(warnings[0], {("joint '" + follower->name + "' is fixed").c_str(), "left out"}));
}

BOOST_AUTO_TEST_CASE(what_is_ignored_of_a_joint_is_said_without_the_words_of_another_format)
{
  const Mechanism read = parse_mjcf(file(body("<joint name=\"j\" damping=\"0.7\" armature=\"0.1\"/>")), "text");
  const std::vector<std::string> told = Model<double>(read).warnings();
  BOOST_TEST_REQUIRE(told.size() == 1u);
  BOOST_TEST(told[0] == "damping and armature of joint 'j' are ignored.");
}

BOOST_AUTO_TEST_CASE(what_mjcf_cannot_say_is_refused)
{
  const auto told = [](const Mechanism& mechanism, bool floating_base = false) {
    try {
      mjcf_text(mechanism, floating_base);
    } catch (const ModelError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  BOOST_TEST(says(told(screw_arm()), {"screw_arm: joint", "helical", "URDF"}));

  Mechanism m = sayable(every_joint());
  for (Joint& joint : m.joints)
    if (joint.type == JointType::planar) joint.damping = 1;
  BOOST_TEST(says(told(m), {"several degrees", "leave it out"}));

  m = park_2r();
  m.links[0].name = m.joints[0].parent = "world";
  m.links[0].mass = 0, m.links[0].inertia = {};
  BOOST_TEST(told(m) == "accepted");
  BOOST_TEST(says(told(m, true), {"called 'world'", "rename"}));
  m.joints[0].type = JointType::floating;
  BOOST_TEST(says(told(m), {m.joints[0].name.c_str(), "origin"}));
  m.joints[0].position = {}, m.joints[0].quaternion = {0, 0, 0, 1};
  BOOST_TEST(told(m) == "accepted");
  m.links[0].mass = 1;
  BOOST_TEST(says(told(m), {"'world' has mass", "rename"}));

  m = built_in_model("mimic_hand");
  for (Joint& joint : m.joints)
    if (joint.mimic) joint.mimic->joint = "nobody";
  BOOST_TEST(says(told(m), {"mimics 'nobody', and 'nobody' is no joint of one degree", "leave the mimic out"}));

  m = sayable(every_joint());
  const auto of_several = [](const Joint& j) { return j.type == JointType::universal; };
  const std::string taken = std::find_if(m.joints.begin(), m.joints.end(), of_several)->name + "/2";
  std::find_if(m.joints.begin(), m.joints.end(), [](const Joint& j) { return j.type == JointType::prismatic; })->name =
      taken;
  BOOST_TEST(says(told(m), {taken.c_str(), "rename"}));

  // As deep as can be read, and one deeper.
  int longest = 0;
  for (int links = 90; links < 100; ++links)
    if (told(planar_arm(links)) == "accepted") {
      BOOST_CHECK_NO_THROW(parse_mjcf(mjcf_text(planar_arm(links)), "text"));
      longest = links;
    } else {
      BOOST_TEST(says(told(planar_arm(links)), {"chain of more than", "URDF"}));
    }
  BOOST_TEST(longest > 90);
  BOOST_TEST(longest < 99);
}

BOOST_AUTO_TEST_CASE(the_outermost_element_tells_the_format)
{
  BOOST_TEST(parse_robot("<?xml version=\"1.0\"?><!-- <robot> -->" + file(body("")), "text").links.size() == 2u);
  BOOST_TEST(parse_robot("<!-- <mujoco> --><robot name=\"r\"><link name=\"l\"/></robot>", "text").links.size() == 1u);
  for (const std::string nothing : {"", "no XML", "<", "<!-- <mujoco>"})
    BOOST_CHECK_THROW(parse_robot(nothing, "text"), ModelError);
}

BOOST_AUTO_TEST_SUITE_END()
