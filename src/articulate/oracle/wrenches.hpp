/** \file
 *  \brief External wrenches of a question, asked of another model of the same links.
 *
 *  - Chapter: \ref oracle
 */
#pragma once
#include <articulate/oracle/answers.hpp>

namespace articulate::oracle {

/// \brief Write the wrenches of a question, which are on bodies, in the body frames of another model.
///
/// They are given on links, and stay what they are there. Body frames depend on axes, and on what is fixed to what.
void carry_wrenches(Question& question, const Model<double>& from, const Model<double>& to);

}  // namespace articulate::oracle
