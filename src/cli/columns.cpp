#include "columns.hpp"

namespace articulate::cli {
namespace {

using Names = std::vector<std::string>;

/// The k-th part of a joint that has several.
std::string part(const JointSlot& joint, int k, bool rate)
{
  static const Names pose{"px", "py", "pz", "qx", "qy", "qz", "qw"}, twist{"ax", "ay", "az", "lx", "ly", "lz"};
  if (joint.type == JointType::floating) return rate ? twist[k] : pose[k];
  if (joint.type == JointType::ball) return rate ? twist[k] : pose[k + 3];
  return std::to_string(k);
}

Names columns(const std::string& quantity, const Model<double>& model, bool rate)
{
  Names names;
  for (const JointSlot& joint : model.joints()) {
    const int size = rate ? joint.nv : joint.nq;
    const std::string name = quantity + "." + (model.floating_base() && joint.v == 0 ? "base" : joint.name);
    for (int k = 0; k < size; ++k) names.push_back(size == 1 ? name : name + "." + part(joint, k, rate));
  }
  return names;
}

}  // namespace

Names coordinate_columns(const std::string& quantity, const Model<double>& model)
{
  return columns(quantity, model, false);
}

Names rate_columns(const std::string& quantity, const Model<double>& model) { return columns(quantity, model, true); }

std::string csv_header(const Names& names)
{
  std::string line;
  for (std::string name : names) {
    if (name.find_first_of(",\"\r\n") != std::string::npos) {
      for (std::size_t at = 0; (at = name.find('"', at)) != std::string::npos; at += 2) name.insert(at, "\"");
      name = "\"" + name + "\"";
    }
    line += (line.empty() ? "" : ",") + name;
  }
  return line;
}

}  // namespace articulate::cli
