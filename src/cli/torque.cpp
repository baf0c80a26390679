#include "torque.hpp"
#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>
#include "columns.hpp"
#include "json_reader.hpp"

namespace articulate::cli {
namespace {

/// The time and the forces of a line of JSON.
class ForceLine : JsonReader {
public:
  ForceLine(const std::string& text, const std::string& source, const Model<double>& model)
      : JsonReader(text, source, model, "t and tau")
  {
    require_object(document_, "the line");
    refuse_unknown(document_, "the line", {"t", "tau"});
    for (const char* key : {"t", "tau"})
      if (!document_.contains(key)) refuse(std::string(key) + " is missing; a line has t and tau.");
  }

  VectorX<double> read() const
  {
    VectorX<double> entries(model_.nv() + 1);
    entries(0) = number(document_["t"], "t");
    entries.tail(model_.nv()) =
        numbers(document_["tau"], "tau", model_.nv(), "the joint forces in model order, those of a base first");
    return entries;
  }
};

/// The time and the forces of a line of a table.
VectorX<double> read_entries(const std::string& line, const std::string& source, int size)
{
  std::vector<double> found;
  std::istringstream text(line + ",");
  for (std::string entry; std::getline(text, entry, ',');) {
    const std::size_t first = entry.find_first_not_of(" \t"), last = entry.find_last_not_of(" \t");
    const std::string bare = first == std::string::npos ? "" : entry.substr(first, last + 1 - first);
    double x = 0;
    const auto [end, error] = std::from_chars(bare.data(), bare.data() + bare.size(), x);
    if (error != std::errc() || end != bare.data() + bare.size() || !std::isfinite(x))
      throw StateError(source + ": the entry '" + bare + "' is no finite number.");
    found.push_back(x);
  }
  if (static_cast<int>(found.size()) != size)
    throw StateError(source + ": it has " + detail::entries(found.size()) + ", but needs " + std::to_string(size) +
                     ", the time and a force for each rate.");
  return Eigen::Map<VectorX<double>>(found.data(), size);
}

}  // namespace

JointForces::JointForces(const std::string& path, const Model<double>& model, double duration)
    : now_(VectorX<double>::Zero(model.nv()))
{
  std::vector<std::string> names = rate_columns("tau", model);
  names.insert(names.begin(), "t");
  const std::string header = csv_header(names), counted = "t,tau[" + std::to_string(model.nv()) + "]";
  std::istringstream text(text_of_file(path));
  bool begun = false, json = false;
  std::string line;
  for (int number = 1; std::getline(text, line); ++number) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    const std::size_t first = line.find_first_not_of(" \t");
    if (first == std::string::npos) continue;
    const std::string source = path + ", line " + std::to_string(number);
    if (!begun) {
      begun = true;
      json = line[first] == '{';
      if (!json && line != header && line != counted)
        throw StateError(source + ": a table begins with the names of its columns, which are " + header +
                         ", or with their number, " + counted + ", for all in this order.");
      if (!json) continue;
    }
    const VectorX<double> entries =
        json ? ForceLine(line, source, model).read() : read_entries(line, source, model.nv() + 1);
    if (!t_.empty() && !(t_.back() < entries(0)))
      throw StateError(source + ": the time " + shown(entries(0)) + " s is not after " + shown(t_.back()) +
                       " s; times must increase.");
    t_.push_back(entries(0));
    tau_.push_back(entries.tail(model.nv()));
  }
  if (t_.empty()) throw StateError(path + ": it has no forces; it needs a line for each time.");
  if (t_.front() > 0 || t_.back() < duration)
    throw StateError(path + ": it tells the forces from " + shown(t_.front()) + " s to " + shown(t_.back()) +
                     " s, but the simulation needs them from 0 s to " + shown(duration) + " s.");
}

const VectorX<double>& JointForces::at(double t)
{
  if (t_.empty()) return now_;
  if (t_.size() == 1) return tau_.front();
  const auto later = std::upper_bound(t_.begin() + 1, t_.end() - 1, t);
  const std::size_t k = later - t_.begin();
  const double part = std::clamp((t - t_[k - 1]) / (t_[k] - t_[k - 1]), 0.0, 1.0);
  now_ = (1 - part) * tau_[k - 1] + part * tau_[k];
  return now_;
}

}  // namespace articulate::cli
