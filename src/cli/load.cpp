#include "load.hpp"
#include <articulate/model/mjcf.hpp>
#include <articulate/model/robot_file.hpp>
#include <articulate/model/urdf.hpp>
#include <models/models.hpp>
#include <filesystem>
#include <iostream>
#include "json_reader.hpp"  // text_of

namespace articulate::cli {
namespace {

bool is_file(const std::string& name)
{
  std::error_code ignored;
  return name.ends_with(".urdf") || name.ends_with(".xml") || name.find('/') != std::string::npos ||
         std::filesystem::exists(name, ignored);
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
  const bool from_input = choice.model == "-", from_file = !from_input && is_file(choice.model);
  Mechanism mechanism = from_input  ? parse_robot(text_of(std::cin, "standard input"), "standard input")
                        : from_file ? read_robot(choice.model)
                                    : validation::built_in_model(choice.model);
  ModelOptions options;
  const bool floats_by_itself = from_input || from_file ? take_floating_base(mechanism) : floats(choice.model);
  options.floating_base = choice.floating_base || floats_by_itself;
  options.accept_unphysical = choice.accept_unphysical;
  options.dynamics = choice.dynamics();
  return Model<double>(mechanism, options);
}

void require_one_standard_input(const ModelChoice& choice, const std::string& state)
{
  if (choice.model == "-" && state == "-")
    throw Error("--model - and --state - both ask for standard input; give one of them as a file.");
}

std::string file_text(const Model<double>& model, const std::string& format, std::vector<std::string>* warnings)
{
  return format == "urdf" ? urdf_text(model.mechanism(), model.floating_base())
                          : mjcf_text(model.mechanism(), model.floating_base(), warnings);
}

std::string robot_text(const Model<double>& model, const std::string& format)
{
  return format == "urdf" ? urdf_text(model.mechanism()) : file_text(model, format);
}

}  // namespace articulate::cli
