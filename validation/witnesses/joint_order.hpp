/** \file
 *  \brief In which order a mechanism lists its joints, and where each joint's numbers stand: what all witnesses share.
 *
 *  - Joints: depth first, those of one link in the byte order of their names, fixed ones included.
 *  - A floating base is a floating joint from the world to the root and comes first; else the root is fixed.
 */
#pragma once
#include <algorithm>
#include <cstddef>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>
#include <articulate/model/mechanism.hpp>  // Mechanism: links and joints as plain numbers

namespace articulate::witness {

inline constexpr std::size_t world = -1;  ///< the parent of the root

/// \brief A link and the joint that carries it.
struct Carried {
  std::size_t link, parent;  ///< in the order of the mechanism
  Joint joint;
  int q, qd;  ///< where the coordinates of the joint start, and its rates
};

/// \brief How many coordinates and how many rates a joint has.
inline std::pair<int, int> freedoms(JointType type)
{
  switch (type) {
    case JointType::fixed:
      return {0, 0};
    case JointType::universal:
    case JointType::cylindrical:
      return {2, 2};
    case JointType::planar:
    case JointType::euler_ball:
      return {3, 3};
    case JointType::ball:
      return {4, 3};
    case JointType::euler_free:
      return {6, 6};
    case JointType::floating:
      return {7, 6};
    default:
      return {1, 1};
  }
}

/// \brief All links of a tree, each after its parent.
class JointOrder {
public:
  std::vector<Carried> links;
  int coordinates = 0, rates = 0;  ///< length of q; of qd, of qdd and of the joint forces

  JointOrder(Mechanism mechanism, bool floating_base)
  {
    std::sort(mechanism.joints.begin(), mechanism.joints.end(), [](auto& a, auto& b) { return a.name < b.name; });
    for (const Link& link : mechanism.links) number_.emplace(link.name, number_.size());

    // The root is the link that is nobody's child.
    auto roots = number_;
    for (const Joint& joint : mechanism.joints) roots.erase(joint.child);
    const std::size_t count = mechanism.links.size();
    if (roots.size() == 1 && number_.size() == count && mechanism.joints.size() + 1 == count) {
      Joint base;
      base.type = floating_base ? JointType::floating : JointType::fixed;
      base.child = roots.begin()->first;
      attach(mechanism, base, world);
    }
    if (count == 0 || links.size() != count)
      throw std::invalid_argument("the links and joints of '" + mechanism.name + "' are not a tree");
  }

private:
  // Adds the child of a joint and all beyond it; a joint's numbers start where those before it have ended.
  void attach(const Mechanism& mechanism, const Joint& joint, std::size_t parent)
  {
    const std::size_t link = number_.at(joint.child);
    links.push_back({link, parent, joint, coordinates, rates});
    const auto [nq, nv] = freedoms(joint.type);
    coordinates += nq, rates += nv;
    for (const Joint& next : mechanism.joints)
      if (next.parent == joint.child) attach(mechanism, next, link);
  }

  std::map<std::string, std::size_t> number_;  // of a link, by name
};

}  // namespace articulate::witness
