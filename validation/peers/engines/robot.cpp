#include <peers/engines/robot.hpp>
#include <tinyxml2.h>
#include <algorithm>
#include <map>
#include <peers/engines/engine.hpp>
#include <sstream>

namespace articulate::peers {

namespace {

using tinyxml2::XMLElement;

std::string word(const XMLElement* element, const char* name)
{
  const char* text = element ? element->Attribute(name) : nullptr;
  return text ? text : "";
}

Eigen::Vector3d three(const XMLElement* element, const char* name, const Eigen::Vector3d& otherwise)
{
  const std::string text = word(element, name);
  if (text.empty()) return otherwise;
  std::istringstream numbers(text);
  Eigen::Vector3d x;
  for (double& entry : x) numbers >> entry;
  return x;
}

Eigen::Isometry3d pose_of(const XMLElement* origin)
{
  const Eigen::Vector3d p = three(origin, "xyz", Eigen::Vector3d::Zero()),
                        r = three(origin, "rpy", Eigen::Vector3d::Zero());
  using Turn = Eigen::AngleAxisd;
  Eigen::Isometry3d T = Eigen::Isometry3d::Identity();
  T.linear() = (Turn(r[2], Eigen::Vector3d::UnitZ()) * Turn(r[1], Eigen::Vector3d::UnitY()) *
                Turn(r[0], Eigen::Vector3d::UnitX()))
                   .toRotationMatrix();
  T.translation() = p;
  return T;
}

void read_inertia(const XMLElement& link, Part& part)
{
  const XMLElement* inertial = link.FirstChildElement("inertial");
  if (!inertial) return;
  const XMLElement* I = inertial->FirstChildElement("inertia");
  const XMLElement* mass = inertial->FirstChildElement("mass");
  if (!I || !mass) throw Cannot("the inertia of " + part.name + " is not whole");
  const auto entry = [&](const char* name) { return I->DoubleAttribute(name); };
  const Eigen::Isometry3d T = pose_of(inertial->FirstChildElement("origin"));
  Eigen::Matrix3d tensor;
  tensor << entry("ixx"), entry("ixy"), entry("ixz"),  //
      entry("ixy"), entry("iyy"), entry("iyz"),        //
      entry("ixz"), entry("iyz"), entry("izz");
  part.mass = mass->DoubleAttribute("value");
  part.center = T.translation();
  part.axes = T.linear(), part.tensor_in_file = tensor;
  part.tensor = T.linear() * tensor * T.linear().transpose();
}

}  // namespace

Freedom freedom_of(const std::string& type)
{
  static const std::map<std::string, Freedom> known{
      {"fixed", {0, 0}},      {"revolute", {1, 1}},  {"continuous", {1, 1}},  {"prismatic", {1, 1}},
      {"helical", {1, 1}},    {"universal", {2, 2}}, {"cylindrical", {2, 2}}, {"planar", {3, 3}},
      {"euler_ball", {3, 3}}, {"ball", {4, 3}},      {"floating", {7, 6}},    {"euler_free", {6, 6}}};
  const auto at = known.find(type);
  if (at == known.end()) throw Cannot("joints of type " + type + " are unknown here");
  return at->second;
}

std::vector<Part> parts_of_urdf(const std::string& text)
{
  tinyxml2::XMLDocument document;
  document.Parse(text.c_str());
  const XMLElement* robot = document.FirstChildElement("robot");
  if (!robot) throw Cannot("the text is no URDF");
  std::map<std::string, const XMLElement*> carried;  // joints by their children
  std::vector<const XMLElement*> waiting;
  for (auto* joint = robot->FirstChildElement("joint"); joint; joint = joint->NextSiblingElement("joint"))
    carried[word(joint->FirstChildElement("child"), "link")] = joint;
  for (auto* link = robot->FirstChildElement("link"); link; link = link->NextSiblingElement("link"))
    waiting.push_back(link);
  std::vector<Part> parts;
  std::map<std::string, int> places;
  while (!waiting.empty()) {
    const std::size_t before = waiting.size();
    waiting.erase(std::remove_if(waiting.begin(), waiting.end(),
                                 [&](const XMLElement* link) {
                                   Part part;
                                   part.name = word(link, "name");
                                   if (const auto at = carried.find(part.name); at != carried.end()) {
                                     const XMLElement *joint = at->second, *axis = joint->FirstChildElement("axis");
                                     const auto parent = places.find(word(joint->FirstChildElement("parent"), "link"));
                                     if (parent == places.end()) return false;
                                     part.parent = parent->second;
                                     part.joint = word(joint, "name"), part.type = word(joint, "type");
                                     part.pose = pose_of(joint->FirstChildElement("origin"));
                                     part.axis = three(axis, "xyz", Eigen::Vector3d::UnitX()).normalized();
                                     if (axis) part.pitch = axis->DoubleAttribute("pitch");
                                   }
                                   read_inertia(*link, part);
                                   places[part.name] = static_cast<int>(parts.size());
                                   parts.push_back(part);
                                   return true;
                                 }),
                  waiting.end());
    if (waiting.size() == before) throw Cannot("the links of this URDF are no tree");
  }
  return parts;
}

std::vector<Slot> slots_of(const std::vector<Part>& parts, const std::vector<std::string>& joints, bool floating_base)
{
  std::vector<Slot> slots;
  int q = 0, v = floating_base ? 6 : 0;
  for (const std::string& joint : joints) {
    const auto at = std::find_if(parts.begin(), parts.end(), [&](const Part& part) { return part.joint == joint; });
    if (at == parts.end()) throw Cannot("there is no joint '" + joint + "' in the URDF");
    slots.push_back({static_cast<int>(at - parts.begin()), q, v});
    const Freedom freedom = freedom_of(at->type);
    q += freedom.coordinates, v += freedom.rates;
  }
  return slots;
}

}  // namespace articulate::peers
