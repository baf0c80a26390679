/** \file
 *  \brief `compute`: everything that the library says about one state of a model, or about many, as JSON.
 */
#pragma once
#include "constrained.hpp"
#include "load.hpp"
#include <string>

namespace articulate::cli {

/// \brief The options of `compute`.
struct ComputeOptions {
  ModelChoice choice;
  std::string state;         ///< a file with one state, or "-" for one state a line on standard input; see state.hpp
  std::string json;          ///< where the results go; empty for standard output
  bool derivatives = false;  ///< whether the Jacobians of the dynamics are wanted too
  LoopOptions loops;         ///< whether loops are closed
};

/** \brief Compute and write.
 *
 *  One state gives one indented object; lines of standard input give a line each, in order. Nothing is written unless
 *  every state is sound.
 *  \throws Error in one sentence: of the model, of the loops, of a state (with its line), or of the output
 */
void compute(const ComputeOptions& options);

}  // namespace articulate::cli
