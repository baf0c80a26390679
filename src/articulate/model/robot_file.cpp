#include <algorithm>
#include <articulate/model/mjcf.hpp>
#include <articulate/model/robot_file.hpp>
#include <articulate/model/tree.hpp>  // all_zero
#include <articulate/model/urdf.hpp>
#include <articulate/model/xml_reader.hpp>

namespace articulate {

Mechanism parse_robot(const std::string& xml_text, const std::string& source_name)
{
  return detail::outermost_element(xml_text) == "mujoco" ? parse_mjcf(xml_text, source_name)
                                                         : parse_urdf(xml_text, source_name);
}

Mechanism read_robot(const std::string& path)
{
  return parse_robot(detail::text_of_robot_file(path, "URDF or MJCF"), path);
}

bool take_floating_base(Mechanism& mechanism)
{
  Indexed<Link>& links = mechanism.links;
  Indexed<Joint>& joints = mechanism.joints;
  const auto ground = std::find_if(links.begin(), links.end(), [](const Link& link) { return link.name == "world"; });
  const auto on_ground = [](const Joint& joint) { return joint.parent == "world" || joint.child == "world"; };
  const auto base = std::find_if(joints.begin(), joints.end(), on_ground);
  if (ground == links.end() || base == joints.end() || std::count_if(base, joints.end(), on_ground) > 1) return false;
  const Joint as_written{"floating_base", JointType::floating, "world", base->child};
  const auto& I = ground->inertia;
  if (base->name != as_written.name || base->type != as_written.type || base->parent != as_written.parent ||
      base->position != as_written.position || base->quaternion != as_written.quaternion || base->mimic ||
      !detail::all_zero({base->damping, base->friction, base->armature}) ||
      !detail::all_zero({ground->mass, I[0], I[1], I[2], I[3], I[4], I[5]}))
    return false;
  links.erase(ground), joints.erase(base);
  return true;
}

}  // namespace articulate
