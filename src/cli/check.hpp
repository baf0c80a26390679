/** \file
 *  \brief `check`: somebody's numbers, or a program that is asked for them, held against ours.
 *
 *  chapters/protocol.md describes what is read and written.
 */
#pragma once
#include <cstdint>
#include <string>
#include <vector>
#include "engine.hpp"
#include "loop_options.hpp"
#include "model_choice.hpp"

namespace articulate::cli {

/// \brief Where reports go; empty for nowhere.
struct ReportFiles {
  std::string json, junit, html;
};

/// \brief What is checked, against what, and how it is said.
struct CheckOptions {
  ModelChoice choice;
  LoopOptions loops;               ///< the loop file of a machine with loops
  std::string theirs;              ///< a file, or - for standard input; empty with an engine
  std::string engine;              ///< a command, see words_of()
  std::vector<std::string> cases;  ///< certified cases: files, or folders of them
  std::string state;               ///< states for the engine, one per line: a file or -; empty for random ones
  std::int64_t states = 100;       ///< random states
  std::uint64_t seed = 1;          ///< what they are drawn from
  std::vector<std::string> only;   ///< quantities to ask for; empty for all that the engine has
  EngineLimits limits;
  std::string shard = "1/1";  ///< I/N: the I-th of N parts, counted from 1
  std::int64_t chunk = 0;     ///< states that are done together; 0 for 1,000, of cases 1
  std::string output;         ///< where scores grow chunk by chunk, and are taken up again
  bool diagnose = true;       ///< explain what is missing
  bool next_state = false;    ///< print the state that tells apart what these do not
  ReportFiles reports;
};

/** \brief Check, print a table and a verdict.
 *  \return 0 when all digits that can be had are there, 1 when not
 *  \throws Error for bad input, in one sentence
 */
int check(const CheckOptions& options);

/** \brief Join what shards have written, in any order; a chunk that comes twice counts once.
 *  \return as check(); 1 also while chunks are missing
 *  \throws Error for files of different campaigns
 */
int merge_checks(const std::vector<std::string>& files, const ReportFiles& reports);

/// \brief A table of all quantities of the protocol.
std::string quantities_text();

}  // namespace articulate::cli
