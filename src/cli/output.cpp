#include "output.hpp"
#include <articulate/model/error.hpp>
#include <unistd.h>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>

namespace articulate::cli {
namespace {

namespace fs = std::filesystem;

/// The first text in it that JSON cannot hold, with a mark in place of what is not UTF-8; empty if there is none.
std::string foreign_text(const Json& value)
{
  const auto as_json = [](const std::string& text) {
    return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
  };
  const auto is_foreign = [&](const std::string& text) { return Json::parse(as_json(text)) != text; };
  if (value.is_string() && is_foreign(value)) return as_json(value);
  if (!value.is_structured()) return "";
  for (const auto& [key, entry] : value.items()) {
    if (value.is_object() && is_foreign(key)) return as_json(key);
    if (std::string found = foreign_text(entry); !found.empty()) return found;
  }
  return "";
}

[[noreturn]] void refuse_name(const Json& value)
{
  throw Error("The results hold a name or a path that is not UTF-8 text, as JSON must be, " + foreign_text(value) +
              "; rename it.");
}

/// Objects and lists of lists go over many lines, all else stays on one.
void put(std::ostream& out, const Json& value, int indent)
{
  const bool list = value.is_array();
  const auto holds = [](const Json& entry) { return entry.is_structured(); };
  if (value.empty() || !(value.is_object() || (list && std::any_of(value.begin(), value.end(), holds)))) {
    out << value;
    return;
  }
  const std::string margin(indent + 2, ' ');
  const char* separator = "\n";
  out << (list ? '[' : '{');
  for (auto entry = value.begin(); entry != value.end(); ++entry) {
    out << separator << margin;
    if (!list) out << Json(entry.key()) << ": ";
    put(out, *entry, indent + 2);
    separator = ",\n";
  }
  out << '\n' << std::string(indent, ' ') << (list ? ']' : '}');
}

using Write = std::function<void(std::ostream&)>;

/// Where a text goes before it is renamed: beside the file, a symbolic link stays one.
fs::path partial_of(const fs::path& target) { return target.string() + ".partial-" + std::to_string(getpid()); }
fs::path target_of(const fs::path& path)
{
  std::error_code ignored;
  return fs::weakly_canonical(path, ignored);
}

bool write_file(const Write& write, const fs::path& path)
{
  std::ofstream file(path, std::ios::binary);
  write(file);
  file.close();
  return file.good();
}

/// A device or a pipe: never to be replaced.
bool is_device(const fs::path& path)
{
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  return fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
}

[[noreturn]] void refuse_to_write(const std::string& path)
{
  throw Error(path + ": the file cannot be written; its folder must exist, be writable and have room.");
}

/// Write beside the file and rename, so that the file is the old one or the whole new one.
bool replace_file(const Write& write, const fs::path& path)
{
  std::error_code error, ignored;
  const fs::path target = target_of(path), partial = partial_of(target);
  try {
    if (write_file(write, partial)) {
      fs::rename(partial, target, error);
      if (!error) return true;
    }
  } catch (...) {
    fs::remove(partial, ignored);
    throw;
  }
  fs::remove(partial, ignored);
  return false;
}

void write_to(const Write& write, const std::string& path_or_empty)
{
  if (path_or_empty.empty()) {
    write(std::cout);
    return flush_standard_output();
  }
  require_writable(path_or_empty);
  if (!(is_device(path_or_empty) ? write_file(write, path_or_empty) : replace_file(write, path_or_empty)))
    refuse_to_write(path_or_empty);
}

/// Whether two paths lead to one file, which need not exist yet.
bool same_file(const std::string& a, const std::string& b)
{
  if (a.empty() || b.empty() || is_device(a) || is_device(b)) return false;
  std::error_code ignored;
  return target_of(a) == target_of(b) || fs::equivalent(a, b, ignored);
}

}  // namespace

Json numbers(const VectorX<double>& x) { return std::vector<double>(x.begin(), x.end()); }
Json numbers(const Vector3<double>& x) { return {x[0], x[1], x[2]}; }

Json rows(const MatrixX<double>& A)
{
  Json list = Json::array();
  for (int i = 0; i < A.rows(); ++i) list.push_back(numbers(VectorX<double>(A.row(i))));
  return list;
}

Json conventions()
{
  return {
      {"units", "SI: m, kg, s, rad, N, N m, J"},
      {"joint_order",
       "depth first from the root, the children of a link by joint name; with a floating base the arrays and matrices "
       "of rates, accelerations and forces start with its six"},
      {"layout",
       "for each joint the first entry and the number of its coordinates in q, and of its rates in qd, qdd, tau, "
       "counted from 0"},
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
      {"joints_of_several",
       "universal: turns about x, then the new y; cylindrical: turn about the axis, slide along it; planar: two "
       "slides, turn about the axis; euler_ball: turns about z, the new y, the newest x; euler_free: slides along x, "
       "y, z, then as euler_ball; ball: q = quaternion of the "
       "child in the joint's frame, rate = angular velocity and force = moment in the child's axes"},
      {"external_wrenches", "what the surroundings do to a link, (m, f) in the frame of the link"},
      {"gravity",
       "gravitational acceleration g in the world, (0, 0, -9.81) unless the model or the state gives another; it "
       "enters as the base acceleration (0, -g)"},
      {"equations_of_motion", "mass_matrix qdd + bias = tau"},
      {"bias", "inverse dynamics at zero acceleration, with gravity and the given external wrenches"},
      {"gravity_force", "inverse dynamics at rest, without external wrenches"},
      {"coriolis_force", "inverse dynamics at zero acceleration, without gravity and external wrenches"},
      {"kinetic_energy", "sum of V^T I V / 2"},
      {"potential_energy", "-sum of m g.c, zero when the center of mass is at the world's origin"},
      {"sums", "energies, mass, center of mass and momentum count the moving links, not those fixed to the world"},
  };
}

std::string one_line(const Json& value)
{
  try {
    return value.dump() + "\n";
  } catch (const Json::type_error&) {
    refuse_name(value);
  }
}

void flush_standard_output()
{
  if (!std::cout.flush()) throw Error("Standard output cannot be written; is its device full or closed?");
}

void require_writable(const std::string& path_or_empty)
{
  if (path_or_empty.empty() || is_device(path_or_empty)) return;
  if (fs::is_directory(path_or_empty)) throw Error(path_or_empty + ": this is a directory; give the path of a file.");
  const fs::path partial = partial_of(target_of(path_or_empty));
  std::error_code ignored;
  const bool good = write_file([](std::ostream&) {}, partial);
  fs::remove(partial, ignored);
  if (!good) refuse_to_write(path_or_empty);
}

void write_text(const std::string& text, const std::string& path_or_empty)
{
  write_to([&text](std::ostream& out) { out << text; }, path_or_empty);
}

GrowingText::GrowingText(const std::string& path_or_empty) : path_(path_or_empty)
{
  if (path_.empty()) return;
  require_writable(path_);
  if (!is_device(path_)) growing_ = partial_of(target_of(path_));
  file_.open(growing_.empty() ? path_ : growing_, std::ios::binary);
  if (!file_) refuse_to_write(path_);
}

GrowingText::~GrowingText()
{
  std::error_code ignored;
  if (!growing_.empty()) fs::remove(growing_, ignored);
}

void GrowingText::add(const std::string& text)
{
  if (path_.empty()) return write_text(text, "");
  if (!(file_ << text << std::flush)) refuse_to_write(path_);
}

std::string GrowingText::finish(bool complete)
{
  if (path_.empty() || growing_.empty()) return "";
  file_.close();
  const std::string name = complete ? target_of(path_).string() : path_ + ".partial";
  std::error_code error;
  if (file_.good()) fs::rename(growing_, name, error);
  if (!file_.good() || error) refuse_to_write(name);
  growing_.clear();
  return complete ? path_ : name;
}

void write_json(const Json& value, const std::string& path_or_empty)
{
  const auto write = [&value](std::ostream& out) {
    put(out, value, 0);
    out << '\n';
  };
  try {
    write_to(write, path_or_empty);
  } catch (const Json::type_error&) {
    refuse_name(value);
  }
}

void require_distinct(const std::vector<NamedFile>& inputs, const std::vector<NamedFile>& outputs)
{
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    const NamedFile& output = outputs[k];
    for (const NamedFile& input : inputs)
      if (same_file(input.path, output.path))
        throw Error(output.path + ": " + output.option + " would overwrite what " + input.option +
                    " reads; give it another name.");
    for (std::size_t other = 0; other < k; ++other)
      if (same_file(outputs[other].path, output.path))
        throw Error(output.path + ": " + output.option + " would overwrite what " + outputs[other].option +
                    " writes; give it another name.");
  }
}

}  // namespace articulate::cli
