/** \file
 *  \brief What a fuzzer feeds: each target is one file that defines read(), and a folder of texts in corpus/.
 *
 *  A text may be refused by an exception of ours. Anything else is a finding: another exception, a failed assertion, what
 *  a sanitizer reports, a leak, more time or memory than fuzz.py allows.
 */
#pragma once
#include <string>
#include <articulate/model/model.hpp>

namespace articulate::fuzz {

/// \brief Read a text as a user's file or line would be read.   \throws Error for a text that cannot be meant
void read(const std::string& text);

/// \brief The machine that texts are about: a hinge, a slide and a ball, with a fixed base or a floating one.
const Model<double>& machine(bool floating_base);

/// \brief Make a model of what a file said.   \throws ModelError for what no model can be
void accept(const Mechanism& mechanism);

/// \brief The path of a file with this text, until the next call.   \param suffix  by which its kind is told
std::string file_of(const std::string& text, const std::string& suffix);

}  // namespace articulate::fuzz
