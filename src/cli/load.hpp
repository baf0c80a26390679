/** \file
 *  \brief From `--model NAME|FILE` to a model that every algorithm accepts.
 */
#pragma once
#include <string>
#include <articulate/model/model.hpp>

namespace articulate::cli {

/// \brief The model as the user names it.
struct ModelChoice {
  std::string model;               ///< a URDF file or the name of a built-in model
  bool floating_base = false;      ///< free the root link; a built-in model may ask for it by itself
  bool accept_unphysical = false;  ///< warn of an impossible inertia instead of refusing it
};

/** \brief The model of a choice.
 *
 *  A path that exists, a name that ends in `.urdf` or one with a slash in it is a file; all else is a built-in model.
 *  \throws ModelError for anything that the model or forward dynamics cannot work with
 */
Model<double> load(const ModelChoice& choice);

}  // namespace articulate::cli
