#include "output.hpp"
#include <articulate/model/error.hpp>
#include <unistd.h>
#include <filesystem>
#include <fstream>
#include <iostream>

namespace articulate::cli {
namespace {

namespace fs = std::filesystem;

std::string text_of(const Json& value, int indent)
{
  try {
    return value.dump(indent) + "\n";
  } catch (const Json::type_error&) {
    throw Error("The results hold a name or a path that is not UTF-8 text, as JSON must be; rename it.");
  }
}

bool write_file(const std::string& text, const fs::path& path)
{
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  return file.good();
}

/// Write beside the file and rename, so that the file is the old one or the whole new one.
bool replace_file(const std::string& text, const fs::path& path)
{
  std::error_code error, ignored;
  const fs::path target = fs::weakly_canonical(path, ignored);  // a symbolic link stays
  const fs::path partial = target.string() + ".partial-" + std::to_string(getpid());
  if (write_file(text, partial)) {
    fs::rename(partial, target, error);
    if (!error) return true;
  }
  fs::remove(partial, ignored);
  return false;
}

}  // namespace

Json conventions()
{
  return {
      {"units", "SI: m, kg, s, rad, N, N m, J"},
      {"joint_order",
       "depth first from the root, the children of a link by joint name; with a floating base the arrays and matrices "
       "of rates, accelerations and forces start with its six"},
      {"poses",
       "rotation R, whose columns are the axes of the link in the world, and position p, its origin in the world"},
      {"quaternions", "x y z w, of length one; as a result with w >= 0"},
      {"twists",
       "body twists V = T^-1 dT/dt = (w, v): angular velocity, then velocity of the frame's origin, in the frame's own "
       "axes"},
      {"wrenches", "(m, f): moment about the frame's origin, then force, in the frame's own axes"},
      {"floating_base",
       "q = (position, quaternion x y z w), rate = body twist (w, v), acceleration = its derivative component by "
       "component, force = wrench (m, f) in the body frame; so too for every free joint"},
      {"external_wrenches", "what the surroundings do to a link, (m, f) in the frame of the link"},
      {"gravity",
       "gravitational acceleration g in the world, (0, 0, -9.81) unless the model or the state gives another; it "
       "enters "
       "as the base acceleration (0, -g)"},
      {"equations_of_motion", "mass_matrix qdd + bias = tau"},
      {"bias", "inverse dynamics at zero acceleration, with gravity and the given external wrenches"},
      {"gravity_force", "inverse dynamics at rest, without external wrenches"},
      {"kinetic_energy", "sum of V^T I V / 2"},
      {"potential_energy", "-sum of m g.c, zero when the center of mass is at the world's origin"},
      {"sums", "energies, mass, center of mass and momentum count the moving links, not those fixed to the world"},
  };
}

std::string one_line(const Json& value) { return text_of(value, -1); }
std::string indented(const Json& value) { return text_of(value, 2); }

void write_text(const std::string& text, const std::string& path_or_empty)
{
  if (path_or_empty.empty()) {
    std::cout << text << std::flush;
    if (!std::cout) throw Error("Standard output cannot be written; is its device full or closed?");
    return;
  }
  std::error_code ignored;
  const fs::file_status status = fs::status(path_or_empty, ignored);
  if (fs::is_directory(status)) throw Error(path_or_empty + ": this is a directory; give the path of a file.");
  const bool is_device = fs::exists(status) && !fs::is_regular_file(status);  // or a pipe: never to be replaced
  if (!(is_device ? write_file(text, path_or_empty) : replace_file(text, path_or_empty)))
    throw Error(path_or_empty + ": the file cannot be written; its folder must exist, be writable and have room.");
}

void write_json(const Json& value, const std::string& path_or_empty) { write_text(indented(value), path_or_empty); }

}  // namespace articulate::cli
