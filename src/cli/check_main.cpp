/** \file
 *  \brief The program `check`: what other libraries say, held against ours; without a proof, and soon built.
 */
#include <models/models.hpp>
#include "check.hpp"
#include "check_laws.hpp"
#include "command_line.hpp"

namespace {

using namespace articulate::cli;

void add_reports(CLI::App& command, ReportFiles& files)
{
  command.add_option("--json", files.json, "write the report as JSON")->check(not_empty);
  command.add_option("--junit", files.junit, "write it as JUnit's XML, for continuous integration")->check(not_empty);
  command.add_option("--html", files.html, "write it as a page with pictures")->check(not_empty);
}

void add_check_options(CLI::App& command, CheckOptions& options)
{
  CLI::Option* theirs = command
                            .add_option("theirs", options.theirs,
                                        "numbers that exist: a file in .csv, .json, or JSON lines, or - for a stream")
                            ->check(not_empty);
  CLI::Option* engine = command
                            .add_option("--engine", options.engine,
                                        "the command of a program that is asked; it is started without a shell")
                            ->check(not_empty)
                            ->excludes(theirs);
  add_model_options(command, options.choice);
  CLI::Option* with =
      command
          .add_option("--with", options.choice.with,
                      "what the model says of its joints and is ignored otherwise: damping, friction, armature; mimic")
          ->delimiter(',')
          ->check(CLI::IsMember({"damping", "friction", "armature", "mimic"}));
  command
      .add_option(
          "--friction-width", options.choice.friction_width,
          "the rate, in rad/s or m/s, at which 71 % of the friction of --with is reached, as in compute; 0 for "
          "friction that jumps where the rate changes its sign")
      ->check(not_negative)
      ->capture_default_str()
      ->needs(with);
  CLI::Option* loops =
      command.add_option("--loops", options.loops.file, "the loops of the machine, as compute reads them")
          ->check(not_empty);
  command.add_option("--cases", options.cases, "certified cases, files or a folder of them, for the engine")
      ->needs(engine)
      ->excludes(loops)
      ->check(not_empty);
  CLI::Option* state =
      command.add_option("--state", options.state, "states for the engine, one per line: a file, or -")
          ->needs(engine)
          ->check(not_empty);
  command.add_option("--states", options.states, "random states for the engine")
      ->needs(engine)
      ->excludes(state)
      ->check(CLI::Range(std::int64_t(1), std::int64_t(1) << 40))
      ->capture_default_str();
  command.add_option("--seed", options.seed, "what they are drawn from")
      ->needs(engine)
      ->check(whole_number)
      ->capture_default_str();
  command
      .add_option("--only", options.only,
                  "quantities to ask for, separated by commas, see --quantities; with --laws also laws")
      ->needs(engine)
      ->delimiter(',');
  command.add_option("--seconds", options.limits.seconds, "how long an engine may take for an answer")
      ->needs(engine)
      ->check(positive)
      ->capture_default_str();
  command.add_option("--memory", options.limits.megabytes, "how many MB it may use; 0 for any")
      ->needs(engine)
      ->check(whole_number)
      ->capture_default_str();
  command.add_option("--shard", options.shard, "do the I-th of N parts, given as I/N")->capture_default_str();
  command.add_option("--chunk", options.chunk, "states that are done together, when 1,000 are too many")
      ->check(CLI::Range(std::int64_t(1), std::int64_t(1) << 40));
  command
      .add_option("--output", options.output,
                  "a file of scores that grows chunk by chunk; a run that was interrupted goes on with it, and `check "
                  "merge` joins those of shards")
      ->check(not_empty);
  CLI::Option* diagnose = command.add_flag("--diagnose", options.diagnose,
                                           "say why digits are missing, which is done unless it is left out");
  command
      .add_flag_callback(
          "--no-diagnose", [&options] { options.diagnose = false; }, "leave it out")
      ->excludes(diagnose);
  command.add_flag("--next-state", options.next_state, "print a state that tells apart what these do not");
  add_reports(command, options.reports);
}

void add_law_options(CLI::App& command, bool& are_asked, std::int64_t& draws)
{
  CLI::Option* laws =
      command
          .add_flag(
              "--laws", are_asked,
              "ask the engine whether it keeps laws that need no reference, about the model, or without one about "
              "machines that are drawn, too")
          ->needs(command.get_option("--engine"));
  command.add_option("--draws", draws, "how many cases are drawn for each law")
      ->needs(laws)
      ->check(CLI::Range(std::int64_t(1), std::int64_t(1) << 31))
      ->capture_default_str();
  for (const char* other : {"--with", "--friction-width", "--loops", "--cases", "--state", "--states", "--shard",
                            "--chunk", "--output", "--diagnose", "--no-diagnose", "--next-state", "--junit", "--html"})
    laws->excludes(command.get_option(other));
}

constexpr const char* footer = R"(`check merge FILE...` joins what shards wrote with --output.
The exit code is 0 when all digits are there that double precision can have, within one, or all laws hold; 1 when not; 2
for bad input.
chapters/protocol.md describes files, streams and engines.
)";

}  // namespace

int main(int argc, char** argv)
{
  std::ios::sync_with_stdio(false);
  CLI::App app("Articulated rigid body dynamics, proved number by number", "articulate");
  app.require_subcommand(1);

  CheckOptions options;
  bool laws = false, quantities = false;
  std::int64_t draws = 100;
  CLI::App* check_command = app.add_subcommand("check", "hold somebody's numbers, or a program, against ours");
  add_check_options(*check_command, options);
  add_law_options(*check_command, laws, draws);
  check_command->add_flag("--quantities", quantities, "list what can be checked");
  check_command->footer(footer);
  check_command->require_subcommand(0, 1);

  std::vector<std::string> shards;
  ReportFiles reports;
  CLI::App* merge_command = check_command->add_subcommand("merge", "join the scores of shards");
  merge_command->add_option("files", shards, "files that `check --output` wrote")->required()->check(not_empty);
  add_reports(*merge_command, reports);

  return run(app, argc, argv, [&] {
    try {
      if (merge_command->parsed()) return merge_checks(shards, reports);
      if (quantities) {
        write_text(quantities_text(), "");
        return 0;
      }
      if (laws)
        return check_laws(
            {options.choice, options.engine, options.only, draws, options.seed, options.limits, options.reports.json});
      if (options.theirs.empty() && options.engine.empty())
        throw CLI::RequiredError("A file of numbers, - for a stream, or --engine");
      if (options.cases.empty() && options.choice.model.empty()) throw CLI::RequiredError("--model");
      return check(options);
    } catch (const articulate::Error& bad_input) {
      std::fflush(stdout);
      std::fprintf(stderr, "articulate: %s\n", bad_input.what());
      return 2;
    }
  });
}
