#include "load.hpp"
#include <articulate/model/urdf.hpp>
#include <models/models.hpp>
#include <filesystem>

namespace articulate::cli {
namespace {

bool is_file(const std::string& name)
{
  std::error_code ignored;
  return name.ends_with(".urdf") || name.find('/') != std::string::npos || std::filesystem::exists(name, ignored);
}

/// Whether a built-in model is one whose root link moves freely.
bool floats(const std::string& name)
{
  for (const validation::BuiltIn& built_in : validation::built_in_models())
    if (built_in.name == name) return built_in.floating_base;
  return false;
}

}  // namespace

Model<double> load(const ModelChoice& choice)
{
  const bool from_file = is_file(choice.model);
  const Mechanism mechanism = from_file ? read_urdf(choice.model) : validation::built_in_model(choice.model);
  ModelOptions options;
  options.floating_base = choice.floating_base || (!from_file && floats(choice.model));
  options.accept_unphysical = choice.accept_unphysical;
  options.dynamics = choice.dynamics();
  return Model<double>(mechanism, options);
}

}  // namespace articulate::cli
