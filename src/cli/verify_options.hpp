/** \file
 *  \brief The options of `verify`, which can be checked without the proofs.
 */
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include "model_choice.hpp"

namespace articulate::cli {

/// \brief The options of `verify`.
struct VerifyOptions {
  ModelChoice choice;         ///< without a model: all built-in ones
  std::optional<int> states;  ///< of each model; without: 10, on more than 60 links 2
  std::uint64_t seed = 1;
  std::string json;     ///< path, or empty
  std::string html;     ///< path, or empty
  bool quick = false;   ///< measure kappa only where a comparison does not hold with kappa = 1
  bool strict = false;  ///< open rows count as failures; of all built-in models, gaps too
};

/** \brief Refuse what `verify` cannot work with, before anything is proved.
 *  \throws Error of the options, of the outputs, or of the model, which must have forward dynamics
 */
void check(const VerifyOptions& options);

}  // namespace articulate::cli
