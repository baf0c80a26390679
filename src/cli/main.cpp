/** \file
 *  \brief The command line: verify, compute, models.
 */
#include <CLI/CLI.hpp>
#include <articulate/model/error.hpp>
#include <models/models.hpp>
#include "compute.hpp"
#include "verify.hpp"

namespace {

using namespace articulate::cli;

void add_model_options(CLI::App& command, ModelChoice& choice)
{
  command.add_option("--model", choice.model, "a built-in model (see `models`) or a URDF file");
  command.add_flag("--floating-base", choice.floating_base, "join the root link to the world by a free joint");
  command.add_flag("--accept-unphysical", choice.accept_unphysical,
                   "warn instead of refusing an inertia that no mass distribution has");
}

void list_models()
{
  for (const auto& entry : articulate::validation::built_in_models())
    std::printf("%-14s %s\n", entry.name.c_str(), entry.summary.c_str());
  std::printf("families: planar_arm:LINKS, tree:BRANCHESxBODIES, random:SEED; or a URDF file\n");
}

}  // namespace

int main(int argc, char** argv)
{
  CLI::App app("Articulated rigid body dynamics, proved number by number", "articulate");
  app.require_subcommand(1);
  app.set_version_flag("--version", "articulate " ARTICULATE_VERSION);

  VerifyOptions verify_options;
  CLI::App* verify_command = app.add_subcommand("verify", "prove every identity on a robot or on all built-in models");
  add_model_options(*verify_command, verify_options.choice);
  verify_command->add_option("--states", verify_options.states, "random states per model")->capture_default_str();
  verify_command->add_option("--seed", verify_options.seed, "what the states are drawn from")->capture_default_str();
  verify_command->add_option("--json", verify_options.json, "write the ledger with all residuals to a file");
  verify_command->add_flag("--strict", verify_options.strict, "fail on open rows too");

  ComputeOptions compute_options;
  CLI::App* compute_command = app.add_subcommand("compute", "dynamics of a model in a state, as JSON");
  add_model_options(*compute_command, compute_options.choice);
  compute_command->get_option("--model")->required();
  compute_command->add_option("--state", compute_options.state, "a JSON file, or - for one state per line of input")
      ->required();
  compute_command->add_option("--json", compute_options.json, "write to a file instead of standard output");

  app.add_subcommand("models", "list the built-in models");
  CLI11_PARSE(app, argc, argv);
  try {
    if (verify_command->parsed()) return verify(verify_options);
    if (compute_command->parsed()) {
      compute(compute_options);
      return 0;
    }
    list_models();
    return 0;
  } catch (const articulate::Error& error) {
    std::fflush(stdout);
    std::fprintf(stderr, "articulate: %s\n", error.what());
    return 1;
  }
}
