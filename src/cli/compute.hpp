/** \file
 *  \brief `compute`: everything that the library says about one state of a model, or about many, as JSON.
 */
#pragma once
#include "constrained.hpp"
#include "load.hpp"
#include <articulate/model/kinematics.hpp>
#include <articulate/skew_symmetry/coriolis.hpp>
#include <string>
#include <utility>
#include <vector>

namespace articulate::cli {

/// \brief What the families of Coriolis matrices are called, and the frames of Jacobians.
inline const std::vector<std::pair<std::string, CoriolisFamily>> coriolis_families{
    {"newton_euler", CoriolisFamily::newton_euler},
    {"ploen", CoriolisFamily::ploen},
    {"bracket", CoriolisFamily::bracket},
    {"momentum", CoriolisFamily::momentum},
    {"christoffel", CoriolisFamily::christoffel}};
inline const std::vector<std::pair<std::string, JacobianFrame>> jacobian_frames{
    {"link", JacobianFrame::link}, {"world", JacobianFrame::world}, {"mixed", JacobianFrame::mixed}};

/// \brief The options of `compute`.
struct ComputeOptions {
  ModelChoice choice;
  std::string state;         ///< a file with one state, or "-" for one state a line on standard input; see state.hpp
  std::string json;          ///< where the results go; empty for standard output
  bool derivatives = false;  ///< whether the Jacobians of the dynamics are wanted too
  std::string coriolis;      ///< the family of the Coriolis matrix that is wanted; empty for none
  bool christoffel = false;  ///< whether the Christoffel symbols are wanted
  bool regressor = false;    ///< whether the regressor is wanted
  std::string frame;         ///< the frame of Jacobians with rates; empty for the link's, without rates
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
