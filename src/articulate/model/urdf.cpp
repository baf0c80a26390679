/** \file
 *  \brief The URDF reader: finds in the XML what urdfdom would drop, mend or guess.
 *
 *  urdfdom keeps one of two parents, accepts cycles, takes the first of two equal elements, reads a malformed inertia as
 *  zeros and sorts everything by name. So the XML is read twice: here for names, structure and the form of every
 *  number, then by urdfdom for the numbers, from a copy that holds nothing else.
 */
#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <set>
#include <console_bridge/console.h>
#include <urdf_parser/urdf_parser.h>
#include <articulate/group/so3.hpp>
#include <articulate/model/tree.hpp>  // plan
#include <articulate/model/urdf.hpp>
#include <articulate/model/xml_reader.hpp>

namespace articulate {
namespace {

/// \brief Takes the place of the console while urdfdom works, and keeps the first error.
class SilentConsole : public console_bridge::OutputHandler {
public:
  SilentConsole() : before_(console_bridge::getOutputHandler()) { console_bridge::useOutputHandler(this); }
  ~SilentConsole() override
  {
    console_bridge::useOutputHandler(before_);
    console_bridge::useOutputHandler(before_);  // twice: the bridge remembers the last but one, which must not be this
  }
  SilentConsole(const SilentConsole&) = delete;
  SilentConsole& operator=(const SilentConsole&) = delete;

  void log(const std::string& text, console_bridge::LogLevel level, const char*, int) override
  {
    if (level >= console_bridge::CONSOLE_BRIDGE_LOG_ERROR && first_error_.empty()) first_error_ = text;
  }
  const std::string& first_error() const { return first_error_; }

private:
  console_bridge::OutputHandler* before_;
  std::string first_error_;
};

/// \brief One text on its way to a mechanism.
class UrdfReader : detail::XmlReader {
public:
  explicit UrdfReader(const std::string& source_name) : XmlReader(source_name, "URDF") {}

  Mechanism read(const std::string& xml_text)
  {
    Element& robot = outermost(xml_text, "robot");
    mechanism_.name = attribute(robot, "the <robot>", "name");
    separate_by_spaces(robot);
    refuse_foreign(robot);
    for (const Element* element = robot.FirstChildElement(); element; element = element->NextSiblingElement()) {
      const std::string kind = element->Name();
      if (kind == "link") take_link(*element);
      if (kind == "joint") take_joint(*element);
    }
    const Tree tree = plan(mechanism_, {});  // names and structure, before urdfdom mends them in silence
    keep_what_is_read(robot, mechanism_.links[tree.visits[0].link].name);
    fill_numbers(robot);
    return mechanism_;
  }

private:
  // The XML: names, structure and the form of numbers.

  /// What asks for another file, in the robot and wherever its links and joints are read, and what is no URDF there.
  void refuse_foreign(const Element& element) const
  {
    static const std::set<std::string> read{"link",   "joint", "inertial", "origin", "mass",     "inertia",
                                            "parent", "child", "axis",     "limit",  "dynamics", "mimic"};
    for (const Element* part = element.FirstChildElement(); part; part = part->NextSiblingElement()) {
      const std::string kind = part->Name(), line = "line " + std::to_string(part->GetLineNum());
      if (kind == "include" || kind.ends_with(":include"))
        refuse(line + " asks by <" + kind +
               "> for another file, and no other file is read; put its text in the place of the element.");
      if (kind.starts_with("xacro:"))
        refuse("<" + kind + "> in " + line + " is xacro, not URDF; expand the file with xacro first.");
      if (kind.find(':') != kind.npos && &element != document_.RootElement())
        refuse("<" + kind + "> in " + line + " is of another namespace and may say anything of its <" + element.Name() +
               ">; say it in URDF, or leave it out.");
      if (read.contains(kind)) refuse_foreign(*part);
    }
  }

  /// White space of any kind may stand between numbers and around them, as in XML; urdfdom knows only spaces between.
  static void separate_by_spaces(Element& element)
  {
    for (const char* name : {"xyz", "rpy", "value", "ixx", "ixy", "ixz", "iyy", "iyz", "izz"})
      if (const char* const given = element.Attribute(name)) {
        std::string spaced = given;
        for (char& letter : spaced)
          if (letter == '\t' || letter == '\n' || letter == '\r') letter = ' ';
        spaced.erase(spaced.find_last_not_of(' ') + 1);
        element.SetAttribute(name, spaced.c_str());
      }
    for (Element* child = element.FirstChildElement(); child; child = child->NextSiblingElement())
      separate_by_spaces(*child);
  }

  void take_link(const Element& element)
  {
    Link link;
    link.name = name_of(element);
    const std::string owner = "link '" + link.name + "'";
    if (const Element* inertial = child(element, owner, "inertial")) {
      const std::string part = "the <inertial> of " + owner;
      check_origin(*inertial, part);
      number(required_child(*inertial, part, "mass"), part, "value");
      const Element& inertia = required_child(*inertial, part, "inertia");
      for (const char* entry : {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"}) number(inertia, part, entry);
    }
    mechanism_.links.push_back(link);
  }

  void take_joint(const Element& element)
  {
    Joint joint;
    joint.name = name_of(element);
    const std::string owner = "joint '" + joint.name + "'";
    joint.type = joint_type(attribute(element, owner, "type"), owner);
    joint.parent = attribute(required_child(element, owner, "parent"), owner, "link");
    joint.child = attribute(required_child(element, owner, "child"), owner, "link");
    check_origin(element, owner);
    if (joint.type == JointType::helical) joint.pitch = number(required_child(element, owner, "axis"), owner, "pitch");
    if (const Element* axis = child(element, owner, "axis")) check_axis(*axis, owner, joint.type);
    if (const Element* mimic = child(element, owner, "mimic"))
      joint.mimic = Mimic{attribute(*mimic, owner, "joint"),
                          mimic->Attribute("multiplier") ? number(*mimic, owner, "multiplier") : 1,
                          number_or_zero(*mimic, owner, "offset")};
    if (const Element* dynamics = child(element, owner, "dynamics")) {
      joint.damping = number_or_zero(*dynamics, owner, "damping");
      joint.friction = number_or_zero(*dynamics, owner, "friction");
      joint.armature = number_or_zero(*dynamics, owner, "armature");
    }
    const bool has_limits =
        joint.type == JointType::revolute || joint.type == JointType::prismatic || joint.type == JointType::helical;
    if (const Element* limit = has_limits ? child(element, owner, "limit") : nullptr;
        limit && (limit->Attribute("lower") || limit->Attribute("upper")))
      take_limits(*limit, owner, joint);
    mechanism_.joints.push_back(joint);
  }

  void take_limits(const Element& limit, const std::string& owner, Joint& joint) const
  {
    const double lower = number_or_zero(limit, owner, "lower"), upper = number_or_zero(limit, owner, "upper");
    const char *const low = limit.Attribute("lower"), *const high = limit.Attribute("upper");
    if (lower > upper && !(low && high))
      refuse(owner + " has " + (low ? written(limit, "lower", low) : written(limit, "upper", high)) + " and no " +
             (low ? "upper" : "lower") + " limit, which is then 0 and " + (low ? "below" : "above") +
             " it; give both.");
    set_limits(joint, lower, upper);
  }

  /// Fixed and floating joints may have an axis, as exporters write it.
  void check_axis(const Element& axis, const std::string& owner, JointType type) const
  {
    if (has_axis(type))
      numbers(axis, owner, "xyz", 3);
    else if (type != JointType::fixed && type != JointType::floating)
      refuse(owner + " has an <axis>, but turns about the axes of its frame; leave it out and turn <origin>.");
    if (axis.Attribute("pitch") && type != JointType::helical)
      refuse(owner + " has a pitch, but only the type 'helical' has one; leave it out.");
  }

  JointType joint_type(const std::string& type, const std::string& owner) const
  {
    std::string known;
    for (const auto& [name, value] : joint_types) {
      if (type == name) return value;
      known += (known.empty() ? "" : ", ") + std::string(name);
    }
    refuse(owner + " has the unknown type '" + type + "'; known are " + known + ".");
  }

  std::string name_of(const Element& element) const
  {
    const std::string kind = element.Name();
    return attribute(element, "the <" + kind + "> in line " + std::to_string(element.GetLineNum()), "name");
  }

  void check_origin(const Element& element, const std::string& owner) const
  {
    const Element* origin = child(element, owner, "origin");
    if (!origin) return;
    for (const auto* given = origin->FirstAttribute(); given; given = given->Next()) {
      const std::string name = given->Name();
      if (name != "xyz" && name != "rpy")
        refuse(owner + " has " + written(*origin, name, given->Value()) +
               ", which is not read; give xyz in metres and rpy in radians.");
      numbers(*origin, owner, name.c_str(), 3);
    }
  }

  // urdfdom: the numbers.

  /// Keep of the robot only what fill_numbers() reads, so that nothing else can make urdfdom refuse it. All links hang on
  /// the root, since urdfdom takes a chain apart by recursion, and a long one would need more than there is of the stack.
  void keep_what_is_read(Element& robot, const std::string& root) const
  {
    keep_children(robot, {"link", "joint"});
    for (Element* link = robot.FirstChildElement("link"); link; link = link->NextSiblingElement("link"))
      keep_children(*link, {"inertial"});
    auto type = mechanism_.joints.begin();
    for (Element* joint = robot.FirstChildElement("joint"); joint; joint = joint->NextSiblingElement("joint")) {
      keep_children(*joint, {"origin", "parent", "child", "axis"});
      joint->FirstChildElement("parent")->SetAttribute("link", root.c_str());
      joint->SetAttribute("type", has_axis((type++)->type) ? "continuous" : "fixed");  // with an axis, or without
    }
  }

  static void keep_children(Element& element, std::initializer_list<std::string> names)
  {
    for (tinyxml2::XMLNode* node = element.FirstChild(); node;) {
      tinyxml2::XMLNode* next = node->NextSibling();
      if (!node->ToElement() || std::find(names.begin(), names.end(), node->Value()) == names.end())
        element.DeleteChild(node);
      node = next;
    }
  }

  void fill_numbers(const Element& robot)
  {
    tinyxml2::XMLPrinter printer;
    robot.Accept(&printer);
    SilentConsole console;
    const urdf::ModelInterfaceSharedPtr model = urdf::parseURDF(printer.CStr());
    if (!model || !console.first_error().empty())
      refuse("urdfdom cannot read the robot '" + mechanism_.name + "': " + console.first_error() + ".");
    for (Link& link : mechanism_.links) fill(link, model->getLink(link.name));
    for (Joint& joint : mechanism_.joints) fill(joint, model->getJoint(joint.name));
  }

  void fill(Link& link, const urdf::LinkConstSharedPtr& found) const
  {
    if (!found) refuse("urdfdom cannot read the name of link '" + link.name + "'; use plain letters.");
    if (!found->inertial) return;
    const urdf::Inertial& inertial = *found->inertial;
    link.mass = inertial.mass;
    link.center_of_mass = vector(inertial.origin.position);
    link.inertial_quaternion = quaternion(inertial.origin.rotation);
    link.inertia = {inertial.ixx, inertial.ixy, inertial.ixz, inertial.iyy, inertial.iyz, inertial.izz};
  }

  void fill(Joint& joint, const urdf::JointConstSharedPtr& found) const
  {
    if (!found) refuse("urdfdom cannot read the name of joint '" + joint.name + "'; use plain letters.");
    joint.position = vector(found->parent_to_joint_origin_transform.position);
    joint.quaternion = quaternion(found->parent_to_joint_origin_transform.rotation);
    if (has_axis(joint.type)) joint.axis = vector(found->axis);
  }

  static std::array<double, 3> vector(const urdf::Vector3& v) { return {v.x, v.y, v.z}; }
  static std::array<double, 4> quaternion(const urdf::Rotation& r) { return {r.x, r.y, r.z, r.w}; }
};

/// \brief One mechanism on its way to a text.
class UrdfWriter : detail::XmlWriter {
public:
  std::string write(const Mechanism& mechanism)
  {
    open("robot", {{"name", mechanism.name}});
    for (const Link& link : mechanism.links) write(link);
    for (const Joint& joint : mechanism.joints) write(joint);
    close();
    return text();
  }

private:
  void write(const Link& link)
  {
    open("link", {{"name", link.name}});
    const auto& I = link.inertia;
    if (link.mass != 0 || !detail::all_zero({I[0], I[1], I[2], I[3], I[4], I[5]})) {
      open("inertial");
      write_origin(link.center_of_mass, link.inertial_quaternion);
      element("mass", {{"value", number(link.mass)}});
      element("inertia", {{"ixx", number(I[0])},
                          {"ixy", number(I[1])},
                          {"ixz", number(I[2])},
                          {"iyy", number(I[3])},
                          {"iyz", number(I[4])},
                          {"izz", number(I[5])}});
      close();
    }
    close();
  }

  void write(const Joint& joint)
  {
    const bool limited = std::isfinite(joint.lower) || std::isfinite(joint.upper);
    open("joint", {{"name", joint.name}, {"type", type_name(joint.type, limited)}});
    element("parent", {{"link", joint.parent}});
    element("child", {{"link", joint.child}});
    write_origin(joint.position, joint.quaternion);
    if (joint.type == JointType::helical)
      element("axis", {{"xyz", numbers(joint.axis)}, {"pitch", number(joint.pitch)}});
    else if (has_axis(joint.type))
      element("axis", {{"xyz", numbers(joint.axis)}});
    if (limited || joint.type == JointType::prismatic)  // a slide must have limits, and limits all four numbers
      element("limit", {{"lower", number(std::max(joint.lower, -detail::no_limit))},
                        {"upper", number(std::min(joint.upper, detail::no_limit))},
                        {"effort", number(detail::no_limit)},
                        {"velocity", number(detail::no_limit)}});
    if (!detail::all_zero({joint.damping, joint.friction, joint.armature}))
      element("dynamics", {{"damping", number(joint.damping)},
                           {"friction", number(joint.friction)},
                           {"armature", number(joint.armature)}});
    if (joint.mimic)
      element("mimic", {{"joint", joint.mimic->joint},
                        {"multiplier", number(joint.mimic->multiplier)},
                        {"offset", number(joint.mimic->offset)}});
    close();
  }

  /// A hinge with limits is revolute in URDF, and one without is continuous.
  static const char* type_name(JointType type, bool limited)
  {
    if (type == JointType::revolute || type == JointType::continuous)
      type = limited ? JointType::revolute : JointType::continuous;
    const auto is_it = [&](const auto& one) { return one.second == type; };
    return std::find_if(std::begin(joint_types), std::end(joint_types), is_it)->first;
  }

  /// Yaw about z, after pitch about y, after roll about x; roll is what is left, also where it turns as yaw does.
  void write_origin(const std::array<double, 3>& position, const std::array<double, 4>& quaternion)
  {
    const Matrix3<double> R =
        SO3<double>(Quaternion<double>{{quaternion[0], quaternion[1], quaternion[2]}, quaternion[3]}).matrix;
    const double pitch = std::atan2(-R(2, 0), std::hypot(R(0, 0), R(1, 0)));
    const double yaw = std::atan2(R(1, 0), R(0, 0)), s = std::sin(yaw), c = std::cos(yaw);
    const double roll = std::atan2(s * R(0, 2) - c * R(1, 2), c * R(1, 1) - s * R(0, 1));
    element("origin", {{"xyz", numbers(position)}, {"rpy", numbers(std::array{roll, pitch, yaw})}});
  }
};

}  // namespace

std::string urdf_text(const Mechanism& mechanism, bool floating_base)
{
  const Tree tree = plan(mechanism, {});
  if (!floating_base) return UrdfWriter().write(mechanism);
  Mechanism grounded = mechanism;
  const Joint base{"floating_base", JointType::floating, "world", mechanism.links[tree.visits[0].link].name};
  for (const Link& link : mechanism.links)
    if (link.name == base.parent)
      detail::refuse(mechanism, "a link is called 'world', as the ground under a floating base is; rename the link.");
  for (const Joint& joint : mechanism.joints)
    if (joint.name == base.name)
      detail::refuse(mechanism, "a joint is called 'floating_base', as that of the base is; rename the joint.");
  grounded.links.insert(grounded.links.begin(), Link{base.parent});
  grounded.joints.insert(grounded.joints.begin(), base);
  return UrdfWriter().write(grounded);
}

Mechanism parse_urdf(const std::string& xml_text, const std::string& source_name)
{
  return UrdfReader(source_name).read(xml_text);
}

Mechanism read_urdf(const std::string& path) { return parse_urdf(detail::text_of_robot_file(path, "URDF"), path); }

}  // namespace articulate
