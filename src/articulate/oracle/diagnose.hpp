/** \file
 *  \brief Whose number is wrong, and why: the one cause, the product of two, or what a library does its own way, that explains
 *  all digits that are missing.
 *
 *  - Chapter: \ref oracle
 */
#pragma once
#include <optional>
#include <articulate/oracle/answers.hpp>

namespace articulate::oracle {

/// \brief A cause that explains what is missing.
struct Finding {
  std::string cause;     ///< a short key, such as `base_velocity/world_linear_first`; of one link `inertia/...:LINK`
  std::string sentence;  ///< what a person would write to a mailing list
  std::string remedy;    ///< the line of the export script that is to be changed
  double digits_before = 0, digits_after = 0;    ///< of the worst quantity, without and with the cause
  std::vector<std::string> indistinguishable{};  ///< causes that explain the same numbers as well
};

/// \brief What the numbers bear, and no more.
struct Diagnosis {
  std::vector<Finding> findings;       ///< one, or two that act together; none on agreement
  bool unexplained = false;            ///< digits are missing that nothing explains; a finding is then of a part
  std::string words;                   ///< all of it, in sentences
  std::vector<std::size_t> sample;     ///< which states were looked at, from 0
  std::optional<Question> next_state;  ///< tells apart what these states do not
};

/** \brief Explain somebody's numbers.
 *
 *  A cause transforms the question, the mechanism or our answers; it explains when every quantity that is given has the
 *  digits that can be had, but for one, in every state of the sample.
 *  \param mechanism, options  of our model
 *  \param questions  the states
 *  \param theirs     of each the tables; quantities that we do not know, or whose shape is not ours, are left out
 *  \param places     what the states are called; state 1, state 2 and so on if there are no names
 *  \param all_that_miss  in how many states digits are missing, where these are only some of them
 *  \throws StateError when there are not as many answers as questions, or names of some states only
 */
Diagnosis diagnose(const Mechanism& mechanism, const ModelOptions& options, std::span<const Question> questions,
                   std::span<const Answers> theirs, std::span<const std::string> places = {},
                   std::size_t all_that_miss = 0);

/// \brief The keys of all causes that diagnose() knows, but for the links, joints and quantities that they name.
std::vector<std::string> causes();

}  // namespace articulate::oracle
