/** \file
 *  \brief The command line: verify, compute, simulate, models.
 */
#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdlib>
#include <new>
#include <articulate/model/error.hpp>
#include <models/models.hpp>
#include "compute.hpp"
#include "simulate.hpp"
#include "verify.hpp"

namespace {

using namespace articulate::cli;

/// A whole number from 0 to 2^63 - 1: what CLI11 would wrap around is refused.
const CLI::Validator whole_number(
    [](const std::string& text) {
      const bool digits = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
      return digits && text.size() <= 18 ? std::string() : "'" + text + "' is no whole number from 0 to 10^18 - 1";
    },
    "NUMBER");

/// An unset shell variable is no name.
const CLI::Validator not_empty(
    [](const std::string& text) {
      return text.empty() ? std::string("it is empty; give a name or a path") : std::string();
    },
    "TEXT");

const CLI::Validator not_negative(
    [](const std::string& text) {
      char* end = nullptr;
      const double x = std::strtod(text.c_str(), &end);
      const bool good = end != text.c_str() && *end == 0 && x >= 0 && std::isfinite(x);
      return good ? std::string() : "'" + text + "' is no finite number from 0 on";
    },
    "NUMBER");

/// The names in a table of options.
template <typename Table>
std::vector<std::string> names(const Table& table)
{
  std::vector<std::string> all;
  for (const auto& [name, value] : table) all.push_back(name);
  return all;
}

void add_model_options(CLI::App& command, ModelChoice& choice)
{
  command.add_option("--model", choice.model, "a built-in model (see `models`) or a URDF file")->check(not_empty);
  command.add_flag("--floating-base", choice.floating_base, "join the root link to the world by a free joint");
  command.add_flag("--accept-unphysical", choice.accept_unphysical,
                   "warn instead of refusing an inertia that no mass distribution has");
}

void add_loop_options(CLI::App& command, LoopOptions& loops)
{
  CLI::Option* file = command.add_option("--loops", loops.file, "a JSON file of joints that close loops of the model");
  file->check(not_empty);
  command.add_flag("--assemble", loops.assemble, "take the state for a guess, and close the loops first")->needs(file);
  command.add_option("--closed-within", loops.closed_within, "how far from closed a state may be, in SI units")
      ->check(not_negative)
      ->capture_default_str()
      ->needs(file);
}

void add_simulation_options(CLI::App& command, SimulateOptions& options)
{
  command.add_option("--duration", options.duration, "how long, in s")->required();
  command.add_option("--step", options.step, "of the integrator, in s; shorter where steps do not fill the duration")
      ->capture_default_str();
  command.add_option("--every", options.every, "write each so many-th step, and the last one")
      ->check(whole_number)
      ->capture_default_str();
  command.add_option("--integrator", options.integrator, "rk4: Runge-Kutta-Munthe-Kaas; variational: symplectic")
      ->check(CLI::IsMember({"rk4", "variational"}))
      ->capture_default_str();
  add_loop_options(command, options.loops);
  command
      .add_option("--stabilisation", options.stabilisation,
                  "what rk4 projects after each step, so that loops stay closed: none, rates, or project, which is "
                  "coordinates too and meant if nothing is said")
      ->check(CLI::IsMember({"none", "rates", "project"}))
      ->needs(command.get_option("--loops"));
  command.add_option("--torque", options.torque, "a table of joint forces in time, CSV or JSON lines: t and nv forces")
      ->check(not_empty);
  command.add_option("--output", options.output, "a file in .csv or .jsonl; - for JSON lines on standard output")
      ->check(not_empty)
      ->capture_default_str();
  command.add_option("--plot", options.plot, "draw it too, as .svg, .png or .pdf")->check(not_empty);
}

void list_models()
{
  for (const auto& entry : articulate::validation::built_in_models())
    std::printf("%-18s %s\n", entry.name.c_str(), entry.summary.c_str());
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
  verify_command->add_option("--states", verify_options.states, "random states per model")
      ->check(whole_number)
      ->capture_default_str();
  verify_command->add_option("--seed", verify_options.seed, "what the states are drawn from")
      ->check(whole_number)
      ->capture_default_str();
  verify_command->add_option("--json", verify_options.json, "write the ledger with all residuals to a file")
      ->check(not_empty);
  verify_command->add_option("--html", verify_options.html, "write the same as a page to look at")->check(not_empty);
  verify_command->add_flag("--strict", verify_options.strict, "fail on open rows too");

  ComputeOptions compute_options;
  CLI::App* compute_command = app.add_subcommand("compute", "dynamics of a model in a state, as JSON");
  add_model_options(*compute_command, compute_options.choice);
  compute_command->get_option("--model")->required();
  compute_command->add_option("--state", compute_options.state, "a JSON file, or - for one state per line of input")
      ->check(not_empty)
      ->required();
  compute_command->add_option("--json", compute_options.json, "write to a file instead of standard output")
      ->check(not_empty);

  compute_command->add_flag("--derivatives", compute_options.derivatives,
                            "add the Jacobians of inverse, forward and hybrid dynamics");
  compute_command->add_option("--coriolis", compute_options.coriolis, "add the Coriolis matrix of this family")
      ->check(CLI::IsMember(names(coriolis_families)));
  compute_command->add_flag("--christoffel", compute_options.christoffel,
                            "add the Christoffel symbols of the mass matrix");
  compute_command->add_flag("--regressor", compute_options.regressor,
                            "add the matrix by which joint forces depend on the inertial parameters");
  compute_command->add_option("--frame", compute_options.frame, "add the rates of Jacobians, both in this frame")
      ->check(CLI::IsMember(names(jacobian_frames)));
  add_loop_options(*compute_command, compute_options.loops);

  SimulateOptions simulate_options;
  CLI::App* simulate_command = app.add_subcommand("simulate", "a motion in time, as JSON lines or as a table");
  add_model_options(*simulate_command, simulate_options.choice);
  simulate_command->get_option("--model")->required();
  simulate_command->add_option("--state", simulate_options.state, "a JSON file, or - for standard input")
      ->check(not_empty)
      ->required();
  add_simulation_options(*simulate_command, simulate_options);

  app.add_subcommand("models", "list the built-in models");
  try {
    app.parse(argc, argv);
    if (verify_command->parsed()) return verify(verify_options);
    if (compute_command->parsed()) {
      compute(compute_options);
      return 0;
    }
    if (simulate_command->parsed()) {
      simulate(simulate_options);
      return 0;
    }
    list_models();
    if (std::fflush(stdout) != 0) throw articulate::Error("Standard output cannot be written; is its device full?");
    return 0;
  } catch (const CLI::Success& asked) {
    return app.exit(asked);  // --help, --version
  } catch (const CLI::ParseError& error) {
    std::fprintf(stderr, "articulate: %s; `./articulate SUBCOMMAND --help` lists what there is.\n", error.what());
    return 2;
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "articulate: There is not enough memory for this model; it needs a smaller one.\n");
    return 1;
  } catch (const articulate::Error& error) {
    std::fflush(stdout);
    std::fprintf(stderr, "articulate: %s\n", error.what());
    return 1;
  }
}
