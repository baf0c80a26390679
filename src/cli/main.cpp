/** \file
 *  \brief The command line: compute, simulate and models, without a proof in the program; verify is another one.
 */
#include <unistd.h>
#include <filesystem>
#include <iomanip>
#include <iostream>
#include <articulate/oracle/coriolis_families.hpp>
#include <models/models.hpp>
#include "command_line.hpp"
#include "compute.hpp"
#include "load.hpp"
#include "output.hpp"
#include "simulate.hpp"

namespace {

using namespace articulate::cli;

void add_loop_options(CLI::App& command, LoopOptions& loops)
{
  command
      .add_option("--loops", loops.file,
                  "a JSON file of joints that close loops of the model, and of its force elements")
      ->check(not_empty);
  command.add_flag("--assemble", loops.assemble, "take the state for a guess, and close the loops first");
  command.add_option("--closed-within", loops.closed_within, "how far from closed a state may be, in SI units")
      ->check(not_negative)
      ->capture_default_str();
}

void add_dynamics_options(CLI::App& command, ModelChoice& choice)
{
  CLI::Option* with = command.add_option("--with", choice.with,
                                         "what the model says of its joints and is ignored otherwise, separated by "
                                         "commas: damping, friction, armature, and mimic, which couples joints");
  with->delimiter(',')->check(CLI::IsMember({"damping", "friction", "armature", "mimic"}));
  command
      .add_option("--friction-width", choice.friction_width,
                  "the rate, in rad/s or m/s, at which 71 % of the friction of --with is reached")
      ->check(positive)
      ->capture_default_str()
      ->needs(with);
}

void add_compute_options(CLI::App& command, ComputeOptions& options)
{
  add_model_options(command, options.choice);
  add_dynamics_options(command, options.choice);
  command
      .add_option("--state", options.state,
                  "a JSON file, or - for one state per line of input, each answered by a line at once")
      ->check(not_empty);
  command.add_option("--json", options.json, "write to a file instead of standard output")->check(not_empty);
  command
      .add_option(
          "--only", options.only,
          "these results alone, and warnings: keys of the output, separated by commas; tau is inverse_dynamics, "
          "qdd forward_dynamics")
      ->delimiter(',')
      ->check(CLI::IsMember(result_names));
  command.add_flag("--inverse-inertia", options.inverse_inertia,
                   "add the inverse of the mass matrix, how each link gives way to wrenches, and how loops do");
  command.add_flag("--centroidal", options.centroidal,
                   "add the momentum about the centre of mass, its matrix and its rate");
  command.add_flag(
      "--derivatives", options.derivatives,
      "add the Jacobians of inverse, forward and hybrid dynamics, and of what --centroidal, --frame and --impulse add");
  command.add_flag("--second-derivatives", options.second_derivatives, "add their Hessians");
  command.add_option("--coriolis", options.coriolis, "add the Coriolis matrix of this family")
      ->check(CLI::IsMember(articulate::coriolis_families));
  command.add_flag("--christoffel", options.christoffel, "add the Christoffel symbols of the mass matrix");
  command.add_flag("--regressor", options.regressor,
                   "add the matrices by which forces and energies depend on the inertial parameters");
  command
      .add_option("--frame", options.frame,
                  "add the rates of Jacobians and the accelerations of links, all in this frame")
      ->check(CLI::IsMember(jacobian_frames));
  add_loop_options(command, options.loops);
  command
      .add_option("--impulse", options.impulse,
                  "let the loops close at once, with this restitution from 0 to 1; qd of a state are the rates before")
      ->check(CLI::Range(0.0, 1.0));
}

constexpr const char* state_keys =
    R"(A STATE is a JSON object. Lists are arrays in model order or objects by joint name.
  q, qd              coordinates (rad, m) and rates; needed
  qdd                accelerations, for inverse dynamics
  tau                joint forces (N m, N), for forward dynamics
  base               of a floating base: position, quaternion_xyzw; where the lists are objects also twist,
                     acceleration, wrench, six numbers each, which otherwise stand first in qd, qdd, tau
  gravity            three numbers in the world, (0, 0, -9.81) or the model's own unless given
  external_wrenches  by link name six numbers, moment then force, in the frame of the link
  prescribed         names of joints whose qdd hybrid dynamics reads; of the others it reads tau
  order              with q_derivatives, tau_derivatives, base_twist_derivatives, base_wrench_derivatives,
                     wrench_derivatives: so many derivatives in time of qdd, tau, external_wrenches
With --state - a line that makes no sense is answered with {"error": ...}, and the final exit code is 1.
A joint that moves no mass leaves forward_dynamics out, and warnings name it.
chapters/conventions.md says more.
)";

void add_simulation_options(CLI::App& command, SimulateOptions& options)
{
  articulate::SimulationOptions& how = options.simulation;
  command.add_option("--duration", how.duration, "how long, in s");
  command.add_option("--step", how.step, "of the integrator, in s; shorter where steps do not fill the duration")
      ->capture_default_str();
  command.add_option(
      "--tolerance", how.tolerance,
      "let rk4 (then Dormand and Prince's pair) or radau find its steps, so that their errors stay below this, in rad "
      "and m over the whole duration; then --step is the time between rows");
  command.add_option("--every", how.every, "write each so many-th step, and the last one")
      ->check(whole_number)
      ->capture_default_str();
  command
      .add_option("--integrator", how.integrator,
                  "rk4: Runge-Kutta-Munthe-Kaas; radau: implicit, for stiff machines; variational: symplectic")
      ->check(CLI::IsMember({"rk4", "radau", "variational"}))
      ->capture_default_str();
  add_loop_options(command, options.loops);
  command
      .add_option(
          "--stabilisation", how.stabilisation,
          "what rk4 and radau project after each step, so that loops stay closed: none, rates, or project, which is "
          "coordinates too; or baumgarte, by which accelerations close them")
      ->capture_default_str()
      ->check(CLI::IsMember({"none", "baumgarte", "rates", "project"}));
  command
      .add_option("--torque", options.torque,
                  "a table of joint forces in time, CSV or JSON lines: t and nv forces; with --tolerance, steps end at "
                  "its rows")
      ->check(not_empty);
  command.add_option("--stops", options.stops,
                     "joints meet stops at the limits of their descriptions, with this restitution: 0 plastic, 1 "
                     "elastic; with --tolerance. Without it a joint that leaves its range is reported at the end");
  command.add_flag("--ignore-imbalance", how.ignore_imbalance,
                   "only warn where the energy changes by more than forces and the error of the steps explain");
  command.add_option("--output", options.output, "a file in .csv or .jsonl; - for JSON lines on standard output")
      ->check(not_empty)
      ->capture_default_str();
  command.add_option("--plot", options.plot, "draw it too, as .svg, .png or .pdf")->check(not_empty);
}

void list_models()
{
  for (const auto& entry : articulate::validation::built_in_models())
    std::cout << std::left << std::setw(18) << entry.name << ' ' << entry.summary << '\n';
  std::cout << "families: planar_arm:LINKS, tree:BRANCHESxBODIES, random:SEED, "
               "random_chain:SEED (one-DoF joints); or a URDF or MJCF file\n";
  flush_standard_output();
}

/// Which model to write, how and where; no format for a list of all.
struct ExportOptions {
  ModelChoice choice;
  std::string format, output;
};

void add_export_options(CLI::App& command, ExportOptions& options)
{
  CLI::Option* format =
      command.add_option("--export", options.format, "write the model of --model in this format instead")
          ->check(CLI::IsMember(robot_formats));
  add_model_options(command, options.choice);
  format->needs(command.get_option("--model"));
  for (const char* name : {"--model", "--floating-base", "--accept-unphysical"})
    command.get_option(name)->needs(format);
  command.add_option("--output", options.output, "a file instead of standard output")->check(not_empty)->needs(format);
}

void export_model(const ExportOptions& options)
{
  articulate::cli::require_distinct({{"--model", options.choice.model == "-" ? "" : options.choice.model}},
                                    {{"--output", options.output}});
  const articulate::Model<double> model = load(options.choice);
  const articulate::Mechanism& mechanism = model.mechanism();
  std::vector<std::string> warnings;
  articulate::cli::write_text(file_text(model, options.format, &warnings), options.output);
  for (const std::string& warning : warnings) std::cerr << "warning: " << mechanism.source << ": " << warning << "\n";
  if (options.format == "urdf" && mechanism.gravity != articulate::Mechanism{}.gravity)
    std::cerr << "warning: URDF has no gravity, and " << mechanism.name
              << " has its own; a state for this file has to give \"gravity\": "
              << articulate::cli::Json(mechanism.gravity) << ".\n";
}

/// An option that must be there; it is missed after all that is given has been found to be known.
void require(const char* option, bool given)
{
  if (!given) throw CLI::RequiredError(option);
}

/// What is said of loops needs loops.
void require_loops(const CLI::App& command, const ModelChoice& choice, const LoopOptions& loops)
{
  if (!loops.file.empty() || choice.dynamics().mimic) return;
  for (const char* option : {"--assemble", "--closed-within", "--stabilisation"})
    if (const CLI::Option* known = command.get_option_no_throw(option); known && known->count() > 0)
      throw CLI::RequiresError(option, "--loops, or --with mimic");
}

/// The proofs are another program, beside this one: go on there.   \return only to say that it is missing
int prove(const std::vector<std::string>& arguments)
{
  const std::string program =
      (std::filesystem::read_symlink("/proc/self/exe").parent_path() / "articulate-verify").string();
  std::vector<char*> pointers{const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments) pointers.push_back(const_cast<char*>(argument.c_str()));
  pointers.push_back(nullptr);
  execv(program.c_str(), pointers.data());
  throw articulate::Error(program + ": the program of the proofs is missing; `./articulate verify` builds it.");
}

}  // namespace

int main(int argc, char** argv)
{
  CLI::App app("Articulated rigid body dynamics, proved number by number", "articulate");
  app.require_subcommand(1);
  app.set_version_flag("--version", "articulate " ARTICULATE_VERSION);

  VerifyOptions verify_options;
  bool check_only = false;
  CLI::App* verify_command = app.add_subcommand("verify", "prove every identity on a robot or on all built-in models");
  add_verify_options(*verify_command, verify_options);
  verify_command->add_flag("--check-only", check_only, "stop before the proofs: are the options and the model sound?");

  ComputeOptions compute_options;
  CLI::App* compute_command = app.add_subcommand("compute", "dynamics of a model in a state, as JSON");
  add_compute_options(*compute_command, compute_options);
  compute_command->footer(state_keys);

  SimulateOptions simulate_options;
  CLI::App* simulate_command = app.add_subcommand("simulate", "a motion in time, as JSON lines or as a table");
  add_model_options(*simulate_command, simulate_options.choice);
  add_dynamics_options(*simulate_command, simulate_options.choice);
  simulate_command->add_option("--state", simulate_options.state, "a JSON file, or - for standard input")
      ->check(not_empty);
  add_simulation_options(*simulate_command, simulate_options);
  simulate_command->footer(
      "Of the state q and qd are the beginning; tau and external_wrenches act unchanged all the time.\n"
      "`articulate compute --help` lists its keys.\n");

  ExportOptions export_options;
  CLI::App* models_command = app.add_subcommand("models", "list the built-in models, or write a model as a file");
  add_export_options(*models_command, export_options);
  return run(app, argc, argv, [&] {
    if (verify_command->parsed()) {
      check(verify_options);
      return check_only ? 0 : prove({argv + 1, argv + argc});
    }
    if (compute_command->parsed()) {
      require("--model", !compute_options.choice.model.empty());
      require("--state", !compute_options.state.empty());
      require_loops(*compute_command, compute_options.choice, compute_options.loops);
      return compute(compute_options);
    }
    if (simulate_command->parsed()) {
      require("--model", !simulate_options.choice.model.empty());
      require("--state", !simulate_options.state.empty());
      require("--duration", simulate_command->count("--duration") > 0);
      if (simulate_command->count("--tolerance") > 0 && simulate_options.simulation.tolerance == 0)
        throw articulate::Error("--tolerance is 0 where a positive number is needed.");
      require_loops(*simulate_command, simulate_options.choice, simulate_options.loops);
      simulate(simulate_options);
      return 0;
    }
    if (models_command->count("--export") > 0) {
      export_model(export_options);
      return 0;
    }
    list_models();
    return 0;
  });
}
