#include <models/models.hpp>
#include <models/urdf_texts.hpp>
#include <articulate/model/error.hpp>
#include <articulate/model/urdf.hpp>  // parse_urdf
#include <charconv>
#include <functional>
#include <optional>

namespace articulate::validation {

namespace {

struct Entry {
  BuiltIn about;
  std::function<Mechanism()> make;  ///< empty: read from the URDF file of this name
};

const std::vector<Entry>& entries()
{
  static const std::vector<Entry> list{
      {{"park_2r", "2R arm of Park 1995, section 4.3.1: 2 joints in general position; numbers ours", false}, park_2r},
      {{"cart_pendulum", "pendulum on a cart on an inclined rail: 2 joints, a slide and a hinge; numbers ours", false},
       cart_pendulum},
      {{"screw_arm", "arm of two screws, a slide and a hinge: 4 joints; numbers ours", false}, screw_arm},
      {{"planar_arm:4", "chain of 4 parallel hinges, one of planar_arm:LINKS; numbers ours", false},
       [] { return planar_arm(4); }},
      {{"tree:3x4", "3 branches of 4 bodies, 12 hinges, one of tree:BRANCHESxBODIES; numbers ours", false},
       [] { return branching_tree(3, 4); }},
      {{"cardan_mast",
        "telescopic mast on a universal joint, whose cross has no mass, with a vane: 4 joints; numbers ours", false},
       {}},
      {{"mimic_hand", "hand whose second finger and thumb mimic the first: 5 joints, all independent; numbers ours",
        false},
       {}},
      {{"forked_arm", "slide and two arms on a turning column, with a point mass and a rod: 6 joints; numbers ours",
        false},
       {}},
      {{"drone_arm", "drone with four pods, an arm and a camera: 4 joints and a floating base; numbers ours", true},
       {}},
      {{"five_bar",
        "two arms of two bars on one ground, a planar five-bar once their tips coincide: 4 joints; numbers ours",
        false},
       five_bar},
      {{"mixed_tree",
        "tree of 6 joints, revolute, universal, ball with three angles and prismatic: 10 degrees of freedom; numbers "
        "ours",
        false},
       mixed_tree},
      {{"every_joint", "tree with one joint of each of the 12 types: 29 degrees of freedom; numbers ours", false},
       every_joint},
      {{"aerial_manipulator",
        "multirotor with two arms after Ali, Gabellieri and Franchi 2026: 6 joints and a floating base; their tree, "
        "numbers ours",
        true},
       aerial_manipulator},
      {{"quadruped", "walker on four legs, with a mast: 12 joints and a floating base; numbers ours", true}, quadruped},
      {{"humanoid", "walker on two legs, with a mallet in its right hand: 29 joints and a floating base; numbers ours",
        true},
       humanoid},
      {{"puma560",
        "PUMA 560: 6 hinges; Armstrong, Khatib and Burdick 1986 as tabulated in petercorke/robotics-toolbox-matlab, "
        "without rotors, one moment of link 3 from its other table; pedestal, mass and two moments of link 1 ours",
        false},
       puma560},
      {{"ur5", "Universal Robots UR5: 6 hinges; ur5_robot.urdf of ur_description in example-robot-data", false}, {}},
      {{"hydraulic_manipulator",
        "manipulator on five cylinders after Ma, Zhong, Wang and Li 2021, its seven loops open: 20 joints; numbers "
        "ours",
        false},
       {}},
      {{"panda",
        "Franka Panda with its hand: 7 hinges, 2 slides; panda.urdf of franka_description in example-robot-data",
        false},
       {}},
  };
  return list;
}

/// The number that is all of the text.
template <typename Number>
std::optional<Number> number(const std::string& text)
{
  Number value{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end) return {};
  return value;
}

/// What follows the prefix, if the name starts with it.
std::optional<std::string> after(const std::string& prefix, const std::string& name)
{
  if (name.rfind(prefix, 0) != 0) return {};
  return name.substr(prefix.size());
}

/// A member of a family, if the name is well formed.
std::optional<Mechanism> member_of_a_family(const std::string& name)
{
  if (const auto links = after("planar_arm:", name))
    if (const auto n = number<int>(*links)) return planar_arm(*n);
  if (const auto size = after("tree:", name)) {
    const auto cross = size->find('x');
    if (cross == std::string::npos) return {};
    const auto branches = number<int>(size->substr(0, cross)), bodies = number<int>(size->substr(cross + 1));
    if (branches && bodies) return branching_tree(*branches, *bodies);
  }
  if (const auto seed = after("random:", name))
    if (const auto s = number<std::uint64_t>(*seed)) return random_tree(*s, 2 + static_cast<int>(*s % 9), false);
  if (const auto seed = after("random_chain:", name))
    if (const auto s = number<std::uint64_t>(*seed)) return random_chain(*s, 2 + static_cast<int>(*s % 9));
  return {};
}

}  // namespace

std::vector<BuiltIn> built_in_models()
{
  std::vector<BuiltIn> list;
  for (const Entry& entry : entries()) list.push_back(entry.about);
  return list;
}

Mechanism built_in_model(const std::string& name)
{
  for (const Entry& entry : entries())
    if (entry.about.name == name) return entry.make ? entry.make() : parse_urdf(urdf_text(name), name);
  if (const auto member = member_of_a_family(name)) return *member;

  std::string known;
  for (const Entry& entry : entries()) known += entry.about.name + ", ";
  throw ModelError(
      "There is no built-in model '" + name + "'; there are " + known +
      "and the families planar_arm:LINKS, tree:BRANCHESxBODIES, random:SEED and random_chain:SEED, a whole "
      "number from 0 to 2^64 - 1.");
}

}  // namespace articulate::validation
