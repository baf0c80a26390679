/** \file
 *  \brief From `--model NAME|FILE` to a model that every algorithm accepts.
 */
#pragma once
#include <articulate/model/model.hpp>
#include "model_choice.hpp"

namespace articulate::cli {

/** \brief The model of a choice.
 *
 *  A path that exists, a name that ends in `.urdf` or one with a slash in it is a file; all else is a built-in model.
 *  \throws ModelError for a mechanism that cannot be meant
 */
Model<double> load(const ModelChoice& choice);

}  // namespace articulate::cli
