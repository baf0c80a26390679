/** \file
 *  \brief From a described mechanism to the plan of a tree: what carries what, in which order, or why it is not a tree.
 *
 *  Every structural error of a mechanism is raised here, in one sentence that names the source, the element, the reason
 *  and what would be right.
 *  - Chapter: \ref model
 */
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <articulate/model/error.hpp>
#include <articulate/model/mechanism.hpp>

namespace articulate {

/// \brief How a mechanism is to be read.
struct ModelOptions {
  bool floating_base = false;      ///< join the root link to the world by a free joint instead of fixing it
  bool accept_unphysical = false;  ///< turn the test of the pseudo-inertia into a warning
  JointDynamics dynamics{};        ///< what is used, so that no warning calls it ignored
};

/// \brief A mechanism whose links are known to form one tree, with its links in depth-first order.
struct Tree {
  Mechanism mechanism;
  ModelOptions options;
  struct Visit {
    int link;    ///< index in mechanism.links
    int joint;   ///< index in mechanism.joints of the joint that carries it, -1 for the root
    int parent;  ///< position in `visits` of the parent link, -1 for the root
  };
  Indexed<Visit> visits;  ///< depth first, the children of a link by joint name
};

namespace detail {

[[noreturn]] inline void refuse(const Mechanism& mechanism, const std::string& sentence)
{
  std::string text = mechanism.source + ": " + sentence;
  for (char& letter : text)  // names come from files: they must not break the line
    if (static_cast<unsigned char>(letter) < ' ') letter = ' ';
  throw ModelError(text);
}

inline void require_finite(const Mechanism& mechanism, const std::string& element, const char* quantity,
                           std::initializer_list<double> numbers)
{
  for (const double x : numbers)
    if (!std::isfinite(x)) refuse(mechanism, element + " has a " + quantity + " that is not a finite number.");
}

inline bool all_zero(std::initializer_list<double> numbers)
{
  return std::all_of(numbers.begin(), numbers.end(), [](double x) { return x == 0; });
}

/// \brief Which mimics are ignored, a sentence each.
inline std::vector<std::string> ignored_mimics(const Mechanism& mechanism, const JointDynamics& used)
{
  std::vector<std::string> sentences;
  for (const Joint& joint : mechanism.joints)
    if (joint.mimic && !(used.mimic && follows(joint)))
      sentences.push_back("joint '" + joint.name + "' " +
                          (follows(joint) ? "keeps a coordinate of its own" : "is fixed and has no coordinate") +
                          ": that it mimics joint '" + joint.mimic->joint + "' is ignored.");
  return sentences;
}

/// \brief What is ignored of the joints' own dynamics, in one sentence; none if nothing is.
inline std::vector<std::string> ignored_dynamics(const Mechanism& mechanism, const JointDynamics& used)
{
  struct Kind {
    const char* name;
    double Joint::*number;
    bool used, ignored;
  } kinds[] = {{"damping", &Joint::damping, used.damping, false},
               {"friction", &Joint::friction, used.friction, false},
               {"armature", &Joint::armature, used.armature, false}};
  std::vector<std::string> what, whose;
  for (const Joint& joint : mechanism.joints) {
    bool any = false;
    for (Kind& kind : kinds)
      if (!kind.used && joint.*kind.number != 0) any = kind.ignored = true;
    if (any) whose.push_back("'" + joint.name + "'");
  }
  if (whose.empty()) return {};
  for (const Kind& kind : kinds)
    if (kind.ignored) what.push_back(kind.name);
  std::string sentence = what[0];
  for (std::size_t k = 1; k < what.size(); ++k) sentence += (k + 1 < what.size() ? ", " : " and ") + what[k];
  sentence += whose.size() == 1 ? " of joint " : " of joints ";
  const std::size_t named = std::min<std::size_t>(whose.size(), 3);
  for (std::size_t k = 0; k < named; ++k) sentence += (k ? ", " : "") + whose[k];
  if (whose.size() > named) sentence += " and " + std::to_string(whose.size() - named) + " more";
  return {sentence + (what.size() == 1 ? " is ignored." : " are ignored.")};
}

inline void check_link(const Mechanism& mechanism, const Link& link)
{
  const std::string element = "link '" + link.name + "'";
  const auto& c = link.center_of_mass;
  const auto& q = link.inertial_quaternion;
  const auto& I = link.inertia;
  require_finite(mechanism, element, "mass", {link.mass});
  require_finite(mechanism, element, "centre of mass", {c[0], c[1], c[2]});
  require_finite(mechanism, element, "inertial rotation", {q[0], q[1], q[2], q[3]});
  require_finite(mechanism, element, "inertia", {I[0], I[1], I[2], I[3], I[4], I[5]});
  if (link.mass < 0) refuse(mechanism, element + " has a negative mass; a mass is zero or more.");
  if (link.mass > 0 && link.mass < std::numeric_limits<double>::min())
    refuse(mechanism, element +
                          " has a mass below 2.2e-308 kg, where a double has lost its digits; give zero for a link "
                          "without mass.");
  if (all_zero({q[0], q[1], q[2], q[3]}))
    refuse(mechanism, element + " has the inertial quaternion 0 0 0 0; a rotation has length one.");
}

inline void check_joint(const Mechanism& mechanism, const Joint& joint)
{
  const std::string element = "joint '" + joint.name + "'";
  const auto& p = joint.position;
  const auto& q = joint.quaternion;
  const auto& a = joint.axis;
  require_finite(mechanism, element, "position", {p[0], p[1], p[2]});
  require_finite(mechanism, element, "rotation", {q[0], q[1], q[2], q[3]});
  require_finite(mechanism, element, "pitch", {joint.pitch});
  require_finite(mechanism, element, "damping, friction or armature", {joint.damping, joint.friction, joint.armature});
  if (joint.mimic)
    require_finite(mechanism, element, "mimic with a multiplier or an offset",
                   {joint.mimic->multiplier, joint.mimic->offset});
  if (!(joint.lower <= joint.upper))
    refuse(mechanism,
           element + " has a lower limit that is not below its upper one; exchange them, or leave them out.");
  if (all_zero({q[0], q[1], q[2], q[3]}))
    refuse(mechanism, element + " has the quaternion 0 0 0 0; a rotation has length one.");
  if (!has_axis(joint.type)) return;
  require_finite(mechanism, element, "axis", {a[0], a[1], a[2]});
  if (all_zero({a[0], a[1], a[2]}))
    refuse(mechanism, element + " has the axis 0 0 0; a " +
                          (joint.type == JointType::prismatic ? "sliding" : "turning") +
                          " joint needs a direction of non-zero length.");
}

}  // namespace detail

/** \brief Check a mechanism and put its links in order.
 *  \throws ModelError for anything except one tree of sound links and joints
 */
inline Tree plan(const Mechanism& mechanism, const ModelOptions& options)
{
  using detail::refuse;
  if (mechanism.links.empty()) refuse(mechanism, "the mechanism has no link; it needs at least one.");
  detail::require_finite(mechanism, "the mechanism", "gravity",
                         {mechanism.gravity[0], mechanism.gravity[1], mechanism.gravity[2]});
  std::map<std::string, int> link_index;
  for (const Link& link : mechanism.links) {
    if (!link_index.emplace(link.name, static_cast<int>(link_index.size())).second)
      refuse(mechanism, "two links are called '" + link.name + "'; every link needs a name of its own.");
    detail::check_link(mechanism, link);
  }

  // What carries what: at most one joint per child, no joint from a link to itself.
  std::set<std::string> joint_names;
  Indexed<int> carrier(mechanism.links.size(), -1);
  Indexed<std::vector<int>> joints_of(mechanism.links.size());
  for (int j = 0; j < static_cast<int>(mechanism.joints.size()); ++j) {
    const Joint& joint = mechanism.joints[j];
    if (!joint_names.insert(joint.name).second)
      refuse(mechanism, "two joints are called '" + joint.name + "'; every joint needs a name of its own.");
    for (const std::string& end : {joint.parent, joint.child})
      if (!link_index.count(end))
        refuse(mechanism, "joint '" + joint.name + "' names the link '" + end +
                              "', which does not exist; both ends of a joint must be links of the mechanism.");
    if (joint.parent == joint.child)
      refuse(mechanism, "joint '" + joint.name + "' joins the link '" + joint.child +
                            "' to itself; a joint needs two different links.");
    detail::check_joint(mechanism, joint);
    int& above = carrier[link_index[joint.child]];
    if (above >= 0)
      refuse(mechanism, "link '" + joint.child + "' has two parents, through the joints '" +
                            mechanism.joints[above].name + "' and '" + joint.name +
                            "'; a tree carries each link by one joint.");
    above = j;
    joints_of[link_index[joint.parent]].push_back(j);
  }
  std::vector<int> roots;
  for (int l = 0; l < static_cast<int>(carrier.size()); ++l)
    if (carrier[l] < 0) roots.push_back(l);
  if (roots.empty())
    refuse(mechanism,
           "every link is carried by another, so the joints form a cycle without a root; a tree has one link that no "
           "joint carries.");
  if (roots.size() > 1)
    refuse(mechanism, "the links '" + mechanism.links[roots[0]].name + "' and '" + mechanism.links[roots[1]].name +
                          "' are both roots; a tree has one link that no joint carries.");

  // Depth first, children by joint name.
  Tree tree{mechanism, options, {}};
  for (auto& joints : joints_of)
    std::sort(joints.begin(), joints.end(),
              [&](int a, int b) { return mechanism.joints[a].name < mechanism.joints[b].name; });
  std::vector<Tree::Visit> pending{{roots[0], -1, -1}};
  while (!pending.empty()) {
    const Tree::Visit visit = pending.back();
    pending.pop_back();
    const int here = static_cast<int>(tree.visits.size());
    tree.visits.push_back(visit);
    const auto& joints = joints_of[visit.link];
    for (auto j = joints.rbegin(); j != joints.rend(); ++j)
      pending.push_back({link_index[mechanism.joints[*j].child], *j, here});
  }
  if (tree.visits.size() < mechanism.links.size()) {
    std::set<int> reached;
    for (const auto& visit : tree.visits) reached.insert(visit.link);
    for (int l = 0; l < static_cast<int>(mechanism.links.size()); ++l)
      if (!reached.count(l))
        refuse(mechanism, "link '" + mechanism.links[l].name +
                              "' hangs on a cycle of joints and cannot be reached from the root '" +
                              mechanism.links[roots[0]].name + "'; in a tree every link is carried from the root.");
  }
  return tree;
}

}  // namespace articulate
