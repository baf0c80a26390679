/** \file
 *  \brief The machines and states of the certified cases, in three tiers. All of them are ours: the files may be handed on.
 *
 *  - lower: machines whose equations fill a line; see second_reader.py.
 *  - average: machines that people use.
 *  - higher: machines and states that cost digits.
 */
#pragma once
#include <array>
#include <string>
#include <vector>
#include <reference/answers.hpp>

namespace articulate::reference {

inline constexpr std::array<const char*, 3> tiers{"lower", "average", "higher"};

/// \brief Every case of the set, in the order in which it is listed.
std::vector<Case> cases();

/// \brief The case of a name.   \throws Error naming it and those that there are
Case case_of(const std::string& name);

/// \brief A quantity, and how many cases of each tier answer it.
struct Coverage {
  std::string quantity;
  std::array<int, tiers.size()> cases{};
};

/// \brief The table of quantities and tiers.
std::vector<Coverage> coverage();

}  // namespace articulate::reference
