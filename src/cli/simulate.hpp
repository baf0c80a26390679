/** \file
 *  \brief `simulate`: a motion in time, with its energy and momentum, as a table or as JSON lines.
 */
#pragma once
#include <cstdint>
#include <string>
#include "loop_options.hpp"
#include "model_choice.hpp"

namespace articulate::cli {

/// \brief The options of `simulate`.
struct SimulateOptions {
  ModelChoice choice;
  std::string state;               ///< a file with one state, or "-" for standard input; its tau is held
  LoopOptions loops;               ///< whether loops are closed
  double duration = 0;             ///< s
  double step = 1e-3;              ///< s; made a little shorter where no whole number of steps fills the duration
  double tolerance = 0;            ///< of adaptive steps, over the whole duration; 0 for steps of one length
  std::uint64_t every = 1;         ///< each so many-th step is written, and the last one
  std::string integrator = "rk4";  ///< or "variational"
  std::string stabilisation;       ///< of loops: "none", "rates", or "project", which is meant when empty
  std::string torque;              ///< a torque file, see torque.hpp; empty for none
  bool ignore_imbalance = false;   ///< go on where the energy is not what forces have made of it
  std::string output = "-";        ///< a name in .csv or .jsonl, or "-" for JSON lines on standard output
  std::string plot;                ///< where the picture goes, .svg, .png or .pdf; empty for none
};

/** \brief Simulate and write.
 *
 *  The trajectory is written as it comes, and its last line says how it ended. A file has its name when it is complete;
 *  what a run that fails or is interrupted has found is left under the name with `.partial` behind it. A summary goes to
 *  standard error: by how much energy and momentum have changed, what of that forces explain, how far the loops were open.
 *  \throws Error in one sentence: of the model, of the state, of the loops, of the forces, of a time at which the motion
 *  cannot go on or its energy does not balance, of an interrupt, or of the output
 */
void simulate(const SimulateOptions& options);

}  // namespace articulate::cli
