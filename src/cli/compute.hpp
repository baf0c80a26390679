/** \file
 *  \brief `compute`: everything that the library says about one state of a model, or about many, as JSON.
 */
#pragma once
#include <optional>
#include <string>
#include <vector>
#include "loop_options.hpp"
#include "model_choice.hpp"

namespace articulate::cli {

/// \brief The frames of Jacobians.
inline const std::vector<std::string> jacobian_frames{"link", "world", "mixed"};

/// \brief What `--only` can ask for: the keys of the output, and short names for what two of them hold.
inline const std::vector<std::string> result_names{"conventions",
                                                   "model",
                                                   "joints",
                                                   "layout",
                                                   "gravity",
                                                   "inverse_dynamics",
                                                   "tau",
                                                   "forward_dynamics",
                                                   "qdd",
                                                   "hybrid_dynamics",
                                                   "higher_order",
                                                   "derivatives",
                                                   "second_derivatives",
                                                   "mass_matrix",
                                                   "bias",
                                                   "gravity_force",
                                                   "coriolis_force",
                                                   "inverse_mass_matrix",
                                                   "mobilities",
                                                   "coriolis_matrix",
                                                   "christoffel",
                                                   "regressor",
                                                   "kinetic_energy",
                                                   "potential_energy",
                                                   "mechanical_energy",
                                                   "link_poses",
                                                   "link_twists",
                                                   "jacobians",
                                                   "link_accelerations",
                                                   "center_of_mass",
                                                   "total_mass",
                                                   "momentum",
                                                   "centroidal",
                                                   "force_elements",
                                                   "stops",
                                                   "constrained"};

/// \brief The options of `compute`.
struct ComputeOptions {
  ModelChoice choice;
  std::string state;  ///< a file with one state, or "-" for one state a line on standard input; see state.hpp
  std::string json;   ///< where the results go; empty for standard output
  bool inverse_inertia = false;     ///< whether the inverse of the mass matrix and mobilities are wanted
  bool centroidal = false;          ///< whether the momentum about the centre of mass is wanted
  bool derivatives = false;         ///< whether the Jacobians of the dynamics are wanted too
  bool second_derivatives = false;  ///< whether the Hessians of the dynamics are wanted too
  std::string coriolis;             ///< the family of the Coriolis matrix that is wanted; empty for none
  bool christoffel = false;         ///< whether the Christoffel symbols are wanted
  bool regressor = false;           ///< whether the regressor is wanted
  std::string frame;  ///< the frame of Jacobians with rates and of accelerations; empty for the link's, without these
  std::vector<std::string> only;  ///< of result_names what is wanted; empty for all
  LoopOptions loops;              ///< whether loops are closed
  std::optional<double> impulse;  ///< where they close at once: the restitution
};

/** \brief Compute and write.
 *
 *  One state gives one indented object. Lines of standard input are answered by a line each, in order, as soon as they
 *  are read; a state that cannot be meant is answered by an object with its `error`, and the next line by its results.
 *  \return the exit code: 0 when no line was refused
 *  \throws Error in one sentence: of the model, of the loops, of the one state, or of the output
 */
int compute(const ComputeOptions& options);

}  // namespace articulate::cli
