/** \file
 *  \brief `simulate`: a motion in time, with its energy and momentum, as a table or as JSON lines.
 */
#pragma once
#include <optional>
#include <string>
#include <simulation/simulation.hpp>
#include "loop_options.hpp"
#include "model_choice.hpp"

namespace articulate::cli {

/// \brief The options of `simulate`.
struct SimulateOptions {
  ModelChoice choice;
  std::string state;  ///< a file with one state, or "-" for standard input; its tau is held
  SimulationOptions simulation;
  LoopOptions loops;            ///< whether loops are closed
  std::optional<double> stops;  ///< the restitution of stops at the limits of joints, where they are asked for
  std::string torque;           ///< a torque file, see torque.hpp; empty for none
  std::string output = "-";     ///< a name in .csv or .jsonl, or "-" for JSON lines on standard output
  std::string plot;             ///< where the picture goes, .svg, .png or .pdf; empty for none
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
