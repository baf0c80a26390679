/** \file
 *  \brief From `--model NAME|FILE` to a model that every algorithm accepts.
 */
#pragma once
#include <articulate/model/model.hpp>
#include "model_choice.hpp"

namespace articulate::cli {

/** \brief The model of a choice.
 *
 *  A path that exists, a name that ends in `.urdf` or `.xml` or one with a slash in it is a file, URDF or MJCF as its
 *  outermost element says; `-` is such a text on standard input; all else is a built-in model. The floating base that
 *  robot_text() writes in a file is one again, see take_floating_base().
 *  \throws ModelError for a mechanism that cannot be meant
 */
Model<double> load(const ModelChoice& choice);

/// \brief Refuse to read both model and state from standard input.   \throws Error
void require_one_standard_input(const ModelChoice& choice, const std::string& state);

/// \brief The file formats in which a model can be written.
inline const std::vector<std::string> robot_formats{"urdf", "mjcf"};

/** \brief The text of a model in one of robot_formats, from which load() makes it again.
 *
 *  Gravity is said in MJCF alone.
 *  \param warnings  takes what mjcf_text() warns of, unless it is null
 *  \throws ModelError for what the format cannot say
 */
std::string file_text(const Model<double>& model, const std::string& format,
                      std::vector<std::string>* warnings = nullptr);

/// \brief The same for an engine, which is told of a floating base beside the text: it is left out of URDF.
std::string robot_text(const Model<double>& model, const std::string& format);

}  // namespace articulate::cli
