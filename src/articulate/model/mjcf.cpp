/** \file
 *  \brief MJCF read and written. MuJoCo merges, guesses and corrects; what is not known here is refused.
 */
#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <map>
#include <numbers>
#include <optional>
#include <set>
#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <articulate/model/bodies.hpp>  // rotation_from_z
#include <articulate/model/mjcf.hpp>
#include <articulate/model/tree.hpp>  // plan
#include <articulate/model/xml_reader.hpp>

namespace articulate {
namespace {

/// \brief One coordinate of a joint: a turn about an axis of the joint frame, or a slide along it.
struct Degree {
  bool turns;
  std::array<double, 3> axis;

  bool operator==(const Degree&) const = default;
};

constexpr std::array<double, 3> x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
constexpr JointType joints_of_several[] = {JointType::universal, JointType::cylindrical, JointType::planar,
                                           JointType::euler_ball, JointType::euler_free};

/// The degrees of a joint one after the other, as JointType has them; none for those without such an order.
std::vector<Degree> degrees(JointType type, const std::array<double, 3>& axis)
{
  switch (type) {
    case JointType::revolute:
    case JointType::continuous:
      return {{true, axis}};
    case JointType::prismatic:
      return {{false, axis}};
    case JointType::universal:
      return {{true, x}, {true, y}};
    case JointType::cylindrical:
      return {{true, axis}, {false, axis}};
    case JointType::planar: {
      const Matrix3<double> R = rotation_from_z(Vector3<double>{axis[0], axis[1], axis[2]}).matrix;
      return {{false, {R(0, 0), R(1, 0), R(2, 0)}}, {false, {R(0, 1), R(1, 1), R(2, 1)}}, {true, axis}};
    }
    case JointType::euler_ball:
      return {{true, z}, {true, y}, {true, x}};
    case JointType::euler_free:
      return {{false, x}, {false, y}, {false, z}, {true, z}, {true, y}, {true, x}};
    default:
      return {};
  }
}

bool has_dynamics(const Joint& joint) { return !detail::all_zero({joint.damping, joint.friction, joint.armature}); }

bool is_massless(const Link& link)
{
  const auto& I = link.inertia;
  return link.mass == 0 && detail::all_zero({I[0], I[1], I[2], I[3], I[4], I[5]});
}

/// \brief One text on its way to a mechanism.
class MjcfReader : detail::XmlReader {
public:
  explicit MjcfReader(const std::string& source_name) : XmlReader(source_name, "MJCF") {}

  Mechanism read(const std::string& xml_text)
  {
    const Element& mujoco = outermost(xml_text, "mujoco");
    mechanism_.name = mujoco.Attribute("model") ? attribute(mujoco, "the <mujoco>", "model") : "MuJoCo Model";
    require_children(mujoco, "the file", {"compiler", "option", "worldbody", "actuator", "custom", "equality"},
                     {"size", "visual", "statistic", "asset", "sensor", "keyframe", "contact"});
    if (const Element* compiler = child(mujoco, "the file", "compiler")) take(*compiler);
    if (const Element* option = child(mujoco, "the file", "option")) take_option(*option);
    if (const Element* custom = child(mujoco, "the file", "custom")) take_names_of_fixed_joints(*custom);
    if (const Element* actuator = child(mujoco, "the file", "actuator")) pass_over_motors(*actuator);
    const Element* equality = child(mujoco, "the file", "equality");
    if (equality) take_names_of_coupled_joints(*equality);
    take_world(required_child(mujoco, "the file", "worldbody"));
    if (equality) take_mimics(*equality);
    plan(mechanism_, {});
    return mechanism_;
  }

private:
  using Names = std::initializer_list<std::string_view>;

  static bool is_among(const std::string& name, const Names& names)
  {
    return std::find(names.begin(), names.end(), name) != names.end();
  }

  /// Refuse children that are neither read nor known to leave the motion as it is.
  void require_children(const Element& element, const std::string& owner, const Names& read, const Names& ignored) const
  {
    for (const Element* part = element.FirstChildElement(); part; part = part->NextSiblingElement())
      if (const std::string kind = part->Name(); !is_among(kind, read) && !is_among(kind, ignored))
        refuse(owner + " has a <" + kind + "> in line " + std::to_string(part->GetLineNum()) +
               ", which is not read and may change the motion; say it without.");
  }

  /// Refuse attributes likewise; those of the last list may be there as long as they are zero.
  void require_attributes(const Element& element, const std::string& owner, const Names& read, const Names& ignored,
                          const Names& zero) const
  {
    for (const auto* given = element.FirstAttribute(); given; given = given->Next()) {
      const std::string name = given->Name(), value = given->Value();
      if (is_among(name, read) || is_among(name, ignored)) continue;
      if (is_among(name, zero) && (value == "false" || nothing_but_zeros(value))) continue;
      refuse(owner + " has " + written(element, name, value) +
             ", which is not read and may change the motion; say it without.");
    }
  }

  void take(const Element& compiler)
  {
    const std::string owner = "the file";
    require_attributes(compiler, owner, {"angle", "coordinate", "inertiafromgeom", "settotalmass"},
                       {"autolimits", "meshdir", "texturedir", "assetdir", "strippath", "convexhull", "discardvisual",
                        "fitaabb", "fusestatic", "usethread", "eulerseq", "exactmeshinertia"},
                       {"boundmass", "boundinertia", "balanceinertia", "inertiagrouprange", "alignfree"});
    const auto says = [&](const char* name, const Names& good) {
      const char* given = compiler.Attribute(name);
      if (given && !is_among(given, good))
        refuse(owner + " has " + written(compiler, name, given) + ", which is not read; say it with '" +
               std::string(*good.begin()) + "'.");
      return std::string(given ? given : "");
    };
    in_degrees_ = says("angle", {"radian", "degree"}) != "radian";
    says("coordinate", {"local"});
    says("inertiafromgeom", {"false", "auto"});
    if (number_or_zero(compiler, owner, "settotalmass") > 0)
      refuse(owner + " has " + written(compiler, "settotalmass", compiler.Attribute("settotalmass")) +
             ", which is not read; give each body the mass that is meant.");
  }

  void take_option(const Element& option)
  {
    const std::string owner = "the file";
    require_attributes(option, owner, {"gravity"}, {"timestep",         "apirate",
                                                    "impratio",         "magnetic",
                                                    "o_margin",         "o_solref",
                                                    "o_solimp",         "o_friction",
                                                    "integrator",       "cone",
                                                    "jacobian",         "solver",
                                                    "collision",        "iterations",
                                                    "tolerance",        "ls_iterations",
                                                    "ls_tolerance",     "noslip_iterations",
                                                    "noslip_tolerance", "mpr_iterations",
                                                    "mpr_tolerance",    "ccd_iterations",
                                                    "ccd_tolerance",    "sdf_iterations",
                                                    "sdf_initpoints",   "actuatorgroupdisable"},
                       {"wind", "density", "viscosity"});
    require_children(option, owner, {"flag"}, {});
    if (const Element* flag = child(option, owner, "flag")) require_enabled(*flag, owner);
    if (option.Attribute("gravity")) mechanism_.gravity = three(option, owner, "gravity");
  }

  /// No flag may take away what is read elsewhere in the file; other flags steer MuJoCo's own steps.
  void require_enabled(const Element& flag, const std::string& owner) const
  {
    require_attributes(flag, owner, {"gravity", "passive", "damper", "frictionloss", "equality", "limit", "constraint"},
                       {"contact", "spring", "clampctrl", "warmstart", "filterparent", "actuation", "refsafe", "sensor",
                        "midphase", "eulerdamp", "nativeccd", "autoreset", "island", "override", "energy", "fwdinv",
                        "invdiscrete", "sensornoise", "multiccd"},
                       {});
    const std::pair<const char*, const char*> instead[] = {
        {"gravity", "give gravity=\"0 0 0\" in <option>"},
        {"passive", "leave out the damping of joints"},
        {"damper", "leave out the damping of joints"},
        {"frictionloss", "leave out the frictionloss of joints"},
        {"equality", "leave out <equality>"},
        {"limit", "leave out the range of joints"},
        {"constraint", "leave out <equality>, and the frictionloss and range of joints"}};
    for (const auto& [name, remedy] : instead)
      if (const char* value = flag.Attribute(name); value && value != std::string_view("enable"))
        refuse(owner + " has " + written(flag, name, value) + ", which is not read; " + remedy + ".");
  }

  void take_names_of_fixed_joints(const Element& custom)
  {
    for (const Element* text = custom.FirstChildElement("text"); text; text = text->NextSiblingElement("text"))
      if (const char* name = text->Attribute("name"), *data = text->Attribute("data"); name && data && *data)
        texts_[name] = data;
  }

  /// They have to stay joints of their own.
  void take_names_of_coupled_joints(const Element& equality)
  {
    for (const Element* part = equality.FirstChildElement("joint"); part; part = part->NextSiblingElement("joint"))
      for (const char* end : {"joint1", "joint2"})
        if (const char* name = part->Attribute(end)) coupled_.insert(name);
  }

  void pass_over_motors(const Element& actuator)
  {
    require_children(actuator, "the <actuator>", {"motor"}, {});
    if (actuator.FirstChildElement())
      mechanism_.warnings.push_back("the motors of <actuator> are ignored; forces of joints are given by a state.");
  }

  // Bodies.

  /// The ground is the root, unless it holds one body fixed in its origin.
  void take_world(const Element& world)
  {
    require_children(world, "the <worldbody>", {"body"}, {"geom", "site", "light", "camera"});
    const Element* only = world.FirstChildElement("body");
    const auto moves = [](const Element& body) {
      return body.FirstChildElement("joint") || body.FirstChildElement("freejoint");
    };
    if (only && !only->NextSiblingElement("body") && !moves(*only) && !only->Attribute("pos") &&
        !only->Attribute("quat"))
      return take_body(*only, "");
    mechanism_.links.push_back(Link{"world"});
    for (; only; only = only->NextSiblingElement("body")) take_body(*only, "world");
  }

  void take_body(const Element& element, const std::string& parent)
  {
    Link link;
    link.name = name_of(element);
    const std::string owner = "body '" + link.name + "'";
    require_attributes(element, owner, {"name", "pos", "quat"}, {"user"}, {"mocap", "gravcomp"});
    require_children(element, owner, {"inertial", "joint", "freejoint", "body", "geom"}, {"site", "light", "camera"});
    if (const Element* inertial = child(element, owner, "inertial"))
      take_inertial(*inertial, "the <inertial> of " + owner, link);
    else if (element.FirstChildElement("geom"))
      refuse(owner + " has a <geom> and no <inertial>, so that its inertia would be that of a shape; give <inertial>.");
    if (!parent.empty()) join(element, owner, parent, link.name);
    mechanism_.links.push_back(link);
    for (const Element* inner = element.FirstChildElement("body"); inner; inner = inner->NextSiblingElement("body"))
      take_body(*inner, link.name);
  }

  void take_inertial(const Element& inertial, const std::string& part, Link& link) const
  {
    require_attributes(inertial, part, {"pos", "quat", "mass", "diaginertia", "fullinertia"}, {}, {});
    link.center_of_mass = three(inertial, part, "pos");
    link.mass = number(inertial, part, "mass");
    if (inertial.Attribute("quat")) link.inertial_quaternion = quaternion(inertial, part);
    if (!inertial.Attribute("fullinertia")) {
      const std::array<double, 3> I = three(inertial, part, "diaginertia");
      link.inertia = {I[0], 0, 0, I[1], 0, I[2]};
      return;
    }
    if (inertial.Attribute("quat") || inertial.Attribute("diaginertia"))
      refuse(part + " has fullinertia beside quat or diaginertia; keep the one that is meant.");
    const std::vector<double> I = numbers(inertial, part, "fullinertia", 6);  // xx yy zz xy xz yz
    link.inertia = {I[0], I[3], I[4], I[1], I[5], I[2]};
  }

  // Joints.

  /// What carries a body: nothing, one joint, or several with massless links in between.
  void join(const Element& element, const std::string& owner, const std::string& parent, const std::string& child)
  {
    std::vector<Joint> joints;
    for (const Element* part = element.FirstChildElement(); part; part = part->NextSiblingElement())
      if (const std::string kind = part->Name(); kind == "joint" || kind == "freejoint")
        joints.push_back(joint(*part, kind == "freejoint"));
    const auto is_free = [](const Joint& one) { return one.type == JointType::floating; };
    const bool floats = std::any_of(joints.begin(), joints.end(), is_free);
    if (floats && (joints.size() > 1 || parent != "world"))
      refuse(owner + " has a free joint " + (joints.size() > 1 ? "beside another one" : "within another body") +
             "; only by itself, and on a body of the world, such a joint has a meaning.");
    if (joints.empty()) {
      const auto name = texts_.find("fixed/" + child);
      Joint fixed;
      fixed.name = name == texts_.end() ? child + "/fixed" : name->second;
      fixed.type = JointType::fixed;
      joints.push_back(fixed);
    }
    if (std::none_of(joints.begin(), joints.end(), [&](const Joint& one) { return coupled_.contains(one.name); }))
      if (const std::optional<Joint> one = joint_of_several(joints)) joints = {*one};
    if (!floats) {
      if (element.Attribute("pos")) joints[0].position = three(element, owner, "pos");
      if (element.Attribute("quat")) joints[0].quaternion = quaternion(element, owner);
    }
    std::string below = parent;
    for (std::size_t k = 0; k < joints.size(); ++k) {
      joints[k].parent = below;
      joints[k].child = below = k + 1 == joints.size() ? child : child + "/" + joints[k].name;
      if (below != child) mechanism_.links.push_back(Link{below});
      mechanism_.joints.push_back(joints[k]);
    }
  }

  Joint joint(const Element& element, bool free) const
  {
    Joint joint;
    joint.name = name_of(element);
    const std::string owner = "joint '" + joint.name + "'";
    require_attributes(element, owner,
                       {"name", "type", "axis", "damping", "frictionloss", "armature", "limited", "range"},
                       {"group", "margin", "user", "solreflimit", "solimplimit", "solreffriction", "solimpfriction",
                        "springref"},  // which needs a stiffness
                       {"pos", "stiffness", "ref", "springdamper", "align"});
    const std::string type = free ? "free" : element.Attribute("type") ? element.Attribute("type") : "hinge";
    const std::pair<const char*, JointType> types[] = {{"hinge", JointType::continuous},
                                                       {"slide", JointType::prismatic},
                                                       {"ball", JointType::ball},
                                                       {"free", JointType::floating}};
    const auto found = std::find_if(std::begin(types), std::end(types), [&](const auto& t) { return t.first == type; });
    if (found == std::end(types))
      refuse(owner + " has the unknown type '" + type + "'; known are hinge, slide, ball, free.");
    joint.type = found->second;
    if (has_axis(joint.type) && element.Attribute("axis")) joint.axis = three(element, owner, "axis");
    joint.damping = number_or_zero(element, owner, "damping");
    joint.friction = number_or_zero(element, owner, "frictionloss");
    joint.armature = number_or_zero(element, owner, "armature");
    if (has_axis(joint.type)) take_range(element, owner, joint);
    return joint;
  }

  /// A range without `limited` is one, as in MuJoCo since 2.3.
  void take_range(const Element& element, const std::string& owner, Joint& joint) const
  {
    const std::string limited = element.Attribute("limited") ? element.Attribute("limited") : "auto";
    if (limited == "false" || (limited == "auto" && !element.Attribute("range"))) return;
    const bool turns = joint.type == JointType::continuous;
    const double unit = turns && in_degrees_ ? std::numbers::pi / 180 : 1;
    const std::vector<double> range = numbers(element, owner, "range", 2);
    set_limits(joint, range[0], range[1], unit);
    if (turns) joint.type = JointType::revolute;
  }

  /// The joint with several degrees that the writer has written like this.
  static std::optional<Joint> joint_of_several(const std::vector<Joint>& parts)
  {
    const std::string& first = parts[0].name;
    if (parts.size() < 2 || !first.ends_with("/1")) return {};
    const std::string name = first.substr(0, first.size() - 2);
    std::vector<Degree> given;
    for (std::size_t k = 0; k < parts.size(); ++k) {
      const Joint& part = parts[k];
      if (part.name != name + "/" + std::to_string(k + 1) || has_dynamics(part) || std::isfinite(part.lower) ||
          part.type == JointType::ball)
        return {};
      given.push_back({part.type != JointType::prismatic, part.axis});
    }
    for (const JointType type : joints_of_several)
      if (given == degrees(type, given.back().axis)) {
        Joint joint;
        joint.name = name, joint.type = type;
        if (has_axis(type)) joint.axis = given.back().axis;
        return joint;
      }
    return {};
  }

  void take_mimics(const Element& equality)
  {
    require_children(equality, "the <equality>", {"joint"}, {});
    std::map<std::string, std::size_t> joints;  // of two of one name the first; the plan refuses them
    for (std::size_t k = 0; k < mechanism_.joints.size(); ++k)
      if (mechanism_.joints[k].type != JointType::fixed) joints.emplace(mechanism_.joints[k].name, k);
    for (const Element* part = equality.FirstChildElement(); part; part = part->NextSiblingElement()) {
      const std::string owner = "the <joint> of <equality> in line " + std::to_string(part->GetLineNum());
      require_attributes(*part, owner, {"joint1", "joint2", "polycoef"}, {"name", "class", "solref", "solimp"}, {});
      const std::string follower = attribute(*part, owner, "joint1");
      const auto at = joints.find(follower);
      if (at == joints.end()) refuse(owner + " couples the joint '" + follower + "', and there is none of that name.");
      Joint* const joint = &mechanism_.joints[at->second];
      if (joint->mimic) refuse(owner + " couples the joint '" + follower + "' a second time; one joint follows one.");
      joint->mimic = Mimic{attribute(*part, owner, "joint2")};
      if (!part->Attribute("polycoef")) continue;
      const std::vector<double> c = numbers(*part, owner, "polycoef", 5);
      if (!detail::all_zero({c[2], c[3], c[4]}))
        refuse(owner + " has " + written(*part, "polycoef", part->Attribute("polycoef")) +
               ", of more than the first degree, which is not read; only its first two numbers may be other than 0.");
      joint->mimic->offset = c[0], joint->mimic->multiplier = c[1];
    }
  }

  std::string name_of(const Element& element) const
  {
    const std::string kind = element.Name();
    return attribute(element, "the <" + kind + "> in line " + std::to_string(element.GetLineNum()), "name");
  }

  std::array<double, 3> three(const Element& element, const std::string& owner, const char* name) const
  {
    const std::vector<double> given = numbers(element, owner, name, 3);
    return {given[0], given[1], given[2]};
  }

  std::array<double, 4> quaternion(const Element& element, const std::string& owner) const
  {
    const std::vector<double> given = numbers(element, owner, "quat", 4);  // w x y z
    return {given[1], given[2], given[3], given[0]};
  }

  bool in_degrees_ = true;  ///< unless the file says otherwise
  std::map<std::string, std::string> texts_;
  std::set<std::string> coupled_;  ///< the names of joints that <equality> couples
};

/// \brief One mechanism on its way to a text.
class MjcfWriter : detail::XmlWriter {
public:
  MjcfWriter(const Tree& tree, bool floating_base)
      : tree_(tree), mechanism_(tree.mechanism), floating_base_(floating_base)
  {
  }

  /// What MuJoCo would not take as it is, a sentence each.
  const std::vector<std::string>& warnings() const { return warnings_; }

  std::string write()
  {
    open("mujoco", {{"model", mechanism_.name}});
    element("compiler", {{"angle", "radian"}, {"coordinate", "local"}});
    element("option", {{"gravity", numbers(mechanism_.gravity)}});
    write_names_of_fixed_joints();
    open("worldbody");
    const Link& root = mechanism_.links[tree_.visits[0].link];
    const bool is_ground = root.name == "world" && !floating_base_;
    if (is_ground && !is_massless(root))
      refuse("the link 'world' has mass, but MJCF's world has none; rename the link");
    std::vector<int> floating;  // on the world, beside the root
    if (is_ground)
      write_children(0, 1, floating);
    else
      write(0, 1, floating);
    for (const int k : floating) write(k, 1, floating);
    close();
    write_mimics();
    close();
    return text();
  }

private:
  [[noreturn]] void refuse(const std::string& reason) const { detail::refuse(mechanism_, reason + "."); }

  void write_names_of_fixed_joints()
  {
    const auto is_fixed = [](const Joint& joint) { return joint.type == JointType::fixed; };
    if (std::none_of(mechanism_.joints.begin(), mechanism_.joints.end(), is_fixed)) return;
    open("custom");
    for (const Joint& joint : mechanism_.joints)
      if (is_fixed(joint)) element("text", {{"name", "fixed/" + joint.child}, {"data", joint.name}});
    close();
  }

  void write_mimics()
  {
    const auto& joints = mechanism_.joints;
    for (const Joint& joint : joints)
      if (joint.mimic && !follows(joint))
        warnings_.push_back("joint '" + joint.name + "' is fixed; that it mimics joint '" + joint.mimic->joint +
                            "' is left out.");
    if (std::none_of(joints.begin(), joints.end(), follows)) return;
    open("equality");
    for (const Joint& joint : joints) {
      if (!follows(joint)) continue;
      for (const std::string& name : {joint.name, joint.mimic->joint})
        if (std::none_of(joints.begin(), joints.end(),
                         [&](const Joint& one) { return one.name == name && degrees(one.type, one.axis).size() == 1; }))
          refuse("joint '" + joint.name + "' mimics '" + joint.mimic->joint + "', and '" + name +
                 "' is no joint of one degree of freedom, as MJCF couples them; leave the mimic out");
      element("joint",
              {{"joint1", joint.name},
               {"joint2", joint.mimic->joint},
               {"polycoef", numbers(std::array{joint.mimic->offset, joint.mimic->multiplier, 0.0, 0.0, 0.0})}});
    }
    close();
  }

  /// A link, the joint that carries it, and all that it carries, at this depth of nested elements.
  void write(int visit, int depth, std::vector<int>& floating)
  {
    constexpr int deepest = TINYXML2_MAX_ELEMENT_DEPTH - 4;  // what a body holds lies deeper by one
    const auto [l, j, parent] = tree_.visits[visit];
    const Link& link = mechanism_.links[l];
    if (depth > deepest)
      refuse("link '" + link.name + "' is the end of a chain of more than " + std::to_string(deepest) +
             " links, and readers of XML let bodies stand no deeper in each other; write it as URDF");
    if (link.name == "world") refuse("a link is called 'world', as MJCF calls the ground; rename the link");
    const Joint* joint = j < 0 ? nullptr : &mechanism_.joints[j];
    open("body", place(link, joint));
    if (joint)
      write(*joint);
    else if (floating_base_)
      element("joint", {{"name", joint_name("floating_base")}, {"type", "free"}});
    write_inertial(link);
    write_children(visit, depth + 1, floating);
    close();
  }

  void write_children(int visit, int depth, std::vector<int>& floating)
  {
    for (int k = visit + 1; k < static_cast<int>(tree_.visits.size()); ++k) {
      if (tree_.visits[k].parent != visit) continue;
      const Joint& joint = mechanism_.joints[tree_.visits[k].joint];
      if (joint.type != JointType::floating) {
        write(k, depth, floating);
        continue;
      }
      if (visit != 0 || floating_base_ || joint.position != Joint{}.position || joint.quaternion != Joint{}.quaternion)
        refuse("joint '" + joint.name +
               "' is floating, which in MJCF counts from the origin of the world; let it join the root, in its origin");
      floating.push_back(k);
    }
  }

  Attributes place(const Link& link, const Joint* joint) const
  {
    Attributes attributes{{"name", link.name}};
    if (!joint || joint->type == JointType::floating) return attributes;
    attributes.push_back({"pos", numbers(joint->position)});
    attributes.push_back({"quat", real_first(joint->quaternion)});
    return attributes;
  }

  void write(const Joint& joint)
  {
    switch (joint.type) {
      case JointType::fixed:
        return;
      case JointType::helical:
        refuse("joint '" + joint.name + "' is helical, and MJCF has no screws; write it as URDF");
      case JointType::ball:
      case JointType::floating:
        require_no_dynamics(joint);
        return element("joint",
                       {{"name", joint_name(joint.name)}, {"type", joint.type == JointType::ball ? "ball" : "free"}});
      default:
        break;
    }
    const std::vector<Degree> all = degrees(joint.type, joint.axis);
    if (all.size() > 1) require_no_dynamics(joint);
    for (std::size_t k = 0; k < all.size(); ++k) {
      Attributes attributes{{"name", joint_name(joint.name + (all.size() > 1 ? "/" + std::to_string(k + 1) : ""))},
                            {"type", all[k].turns ? "hinge" : "slide"},
                            {"axis", numbers(all[k].axis)}};
      if (joint.lower == joint.upper)
        warnings_.push_back("joint '" + joint.name + "' has two equal limits, " + number(joint.lower) +
                            ", and MuJoCo takes no empty range; they are left out.");
      else if (std::isfinite(joint.lower) || std::isfinite(joint.upper)) {
        attributes.push_back({"limited", "true"});
        attributes.push_back({"range", numbers(std::array{std::max(joint.lower, -detail::no_limit),
                                                          std::min(joint.upper, detail::no_limit)})});
      }
      for (const auto& [name, value] :
           {std::pair{"damping", joint.damping}, {"frictionloss", joint.friction}, {"armature", joint.armature}})
        if (value != 0) attributes.push_back({name, number(value)});
      element("joint", attributes);
    }
  }

  void require_no_dynamics(const Joint& joint) const
  {
    if (has_dynamics(joint))
      refuse("joint '" + joint.name +
             "' has several degrees, and its damping, friction or armature does not say which one is meant; leave it "
             "out");
  }

  /// Two joints of one name would be refused; parts of joints get names that the description does not know.
  std::string joint_name(const std::string& name)
  {
    if (!joint_names_.insert(name).second)
      refuse("two joints of the MJCF file would be called '" + name + "'; rename the joint of that name");
    return name;
  }

  /// By its principal moments and axes, where it is not diagonal already.
  void write_inertial(const Link& link)
  {
    if (is_massless(link)) return;
    const auto& I = link.inertia;
    const auto& q = link.inertial_quaternion;
    std::array<double, 3> moments{I[0], I[3], I[5]};
    std::array<double, 4> axes = q;
    if (!detail::all_zero({I[1], I[2], I[4]})) {
      Eigen::Matrix3d tensor;
      tensor << I[0], I[1], I[2], I[1], I[3], I[4], I[2], I[4], I[5];
      const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> principal(tensor);
      Eigen::Matrix3d turn = principal.eigenvectors();
      turn.col(2) = turn.col(0).cross(turn.col(1));
      const Eigen::Quaterniond to_link =
          Eigen::Quaterniond(q[3], q[0], q[1], q[2]).normalized() * Eigen::Quaterniond(turn);
      axes = {to_link.x(), to_link.y(), to_link.z(), to_link.w()};
      for (int k = 0; k < 3; ++k) moments[static_cast<std::size_t>(k)] = principal.eigenvalues()[k];
    }
    element("inertial", {{"pos", numbers(link.center_of_mass)},
                         {"quat", real_first(axes)},
                         {"mass", number(link.mass)},
                         {"diaginertia", numbers(without_rounding(moments, link))}});
  }

  /// MuJoCo takes no moment below zero or above the sum of the other two. Only what rounding may have done is mended.
  std::array<double, 3> without_rounding(std::array<double, 3> moments, const Link& link)
  {
    const double rounding = 16 * std::numeric_limits<double>::epsilon() *
                            std::max({std::abs(moments[0]), std::abs(moments[1]), std::abs(moments[2])});
    for (double& moment : moments)
      if (moment < 0 && moment >= -rounding) moment = 0;
    std::array<double*, 3> sorted{&moments[0], &moments[1], &moments[2]};
    std::sort(sorted.begin(), sorted.end(), [](const double* a, const double* b) { return *a < *b; });
    const double least = *sorted[0], others = least + *sorted[1];
    double& most = *sorted[2];
    if (most > others && most - others <= rounding) most = others;
    if (least < 0 || most > others)
      warnings_.push_back("link '" + link.name + "' has the principal moments of inertia " + numbers(moments) +
                          ", which no distribution of mass has; they are written, but MuJoCo refuses them, or changes "
                          "them with balanceinertia.");
    return moments;
  }

  /// MJCF has w x y z.
  static std::string real_first(const std::array<double, 4>& q) { return numbers(std::array{q[3], q[0], q[1], q[2]}); }

  const Tree& tree_;
  const Mechanism& mechanism_;
  const bool floating_base_;
  std::set<std::string> joint_names_;
  std::vector<std::string> warnings_;
};

}  // namespace

std::string mjcf_text(const Mechanism& mechanism, bool floating_base, std::vector<std::string>* warnings)
{
  const Tree tree = plan(mechanism, {});
  MjcfWriter writer(tree, floating_base);
  const std::string text = writer.write();
  if (warnings) warnings->insert(warnings->end(), writer.warnings().begin(), writer.warnings().end());
  return text;
}

Mechanism parse_mjcf(const std::string& xml_text, const std::string& source_name)
{
  return MjcfReader(source_name).read(xml_text);
}

Mechanism read_mjcf(const std::string& path) { return parse_mjcf(detail::text_of_robot_file(path, "MJCF"), path); }

}  // namespace articulate
