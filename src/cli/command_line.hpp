/** \file
 *  \brief What the programs of the command line have in common: options, and what becomes of errors.
 */
#pragma once
#include <CLI/CLI.hpp>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <new>
#include <string>
#include <articulate/model/error.hpp>
#include "model_choice.hpp"
#include "output.hpp"  // flush_standard_output
#include "verify_options.hpp"

namespace articulate::cli {

/// A whole number from 0 to 2^63 - 1: what CLI11 would wrap around is refused.
inline const CLI::Validator whole_number(
    [](const std::string& text) {
      const bool digits = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
      return digits && text.size() <= 18 ? std::string() : "'" + text + "' is no whole number from 0 to 10^18 - 1";
    },
    "NUMBER");

/// An unset shell variable is no name.
inline const CLI::Validator not_empty(
    [](const std::string& text) {
      return text.empty() ? std::string("it is empty; give a name or a path") : std::string();
    },
    "TEXT");

inline const CLI::Validator not_negative(
    [](const std::string& text) {
      char* end = nullptr;
      const double x = std::strtod(text.c_str(), &end);
      const bool good = end != text.c_str() && *end == 0 && x >= 0 && std::isfinite(x);
      return good ? std::string() : "'" + text + "' is no finite number from 0 on";
    },
    "NUMBER");

inline const CLI::Validator positive(
    [](const std::string& text) {
      const std::string refusal = not_negative(text);
      return refusal.empty() && std::strtod(text.c_str(), nullptr) == 0 ? "'" + text + "' is not above 0" : refusal;
    },
    "NUMBER");

inline void add_model_options(CLI::App& command, ModelChoice& choice)
{
  command
      .add_option("--model", choice.model,
                  "a built-in model (see `models`), a URDF or MJCF file, or - for one on standard input")
      ->check(not_empty);
  command.add_flag("--floating-base", choice.floating_base, "join the root link to the world by a free joint");
  command.add_flag("--accept-unphysical", choice.accept_unphysical,
                   "warn instead of refusing an inertia that no mass distribution has");
}

inline void add_verify_options(CLI::App& command, VerifyOptions& options)
{
  add_model_options(command, options.choice);
  command.add_option("--states", options.states, "random states per model")
      ->check(whole_number)
      ->default_str("10, or 2 for a model of more than 60 links");
  command.add_option("--seed", options.seed, "what the states are drawn from")
      ->check(whole_number)
      ->capture_default_str();
  command.add_option("--json", options.json, "write the ledger with all residuals to a file")->check(not_empty);
  command.add_option("--html", options.html, "write the same as a page to look at")->check(not_empty);
  command.add_flag(
      "--quick", options.quick,
      "measure how much a comparison multiplies rounding (its kappa) only where it does not hold with kappa = 1");
  command.add_flag("--strict", options.strict, "fail on open rows too, and without --model on all that is missing");
}

/// CLI11 would miss a subcommand before it says that a word is none.
inline void require_subcommand(const CLI::App& app, const std::string& word)
{
  std::string known;
  for (const CLI::App* one : app.get_subcommands(nullptr)) {
    if (one->check_name(word)) return;
    known += (known.empty() ? "" : ", ") + one->get_name();
  }
  throw CLI::ParseError("The subcommand '" + word + "' is unknown, known are " + known, CLI::ExitCodes::ExtrasError);
}

/// Work, unless only --help or --version is asked for.
inline int parse_and_work(CLI::App& app, int argc, char** argv, const std::function<int()>& work)
{
  try {
    if (argc > 1 && *argv[1] != '-') require_subcommand(app, argv[1]);
    app.parse(argc, argv);
  } catch (const CLI::Success& asked) {
    const int code = app.exit(asked);
    flush_standard_output();
    return code;
  }
  return work();
}

/// \brief Parse and work.   \return the exit code: that of the work, 1 for an error in it, 2 for options that are none
inline int run(CLI::App& app, int argc, char** argv, const std::function<int()>& work)
{
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is told by the write that fails
  try {
    return parse_and_work(app, argc, argv, work);
  } catch (const CLI::ParseError& error) {
    const std::string asked = app.get_subcommands().empty() ? "" : app.get_subcommands().front()->get_name() + " ";
    std::fprintf(stderr, "articulate: %s; `./articulate %s--help` lists what there is.\n", error.what(), asked.c_str());
    return 2;
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr,
                 "articulate: There is not enough memory for what was read; give a smaller model, or fewer numbers.\n");
    return 1;
  } catch (const articulate::Error& error) {
    std::fflush(stdout);
    std::fprintf(stderr, "articulate: %s\n", error.what());
    return 1;
  }
}

}  // namespace articulate::cli
