#include <articulate/model/mjcf.hpp>
#include <articulate/model/robot_file.hpp>
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

}  // namespace articulate
