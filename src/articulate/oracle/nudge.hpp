/** \file
 *  \brief Every number moved by a unit in its last place, up or down: what a double cannot tell apart.
 *
 *  - Chapter: \ref oracle
 */
#pragma once
#include <cstdint>
#include <articulate/oracle/answers.hpp>

namespace articulate::oracle {

/// \brief The mechanism with masses, inertias, places and axes moved; zeros stay.
Mechanism nudged(const Mechanism& mechanism, std::uint64_t seed);

/// \brief The question with all its numbers moved; zeros stay.
Question nudged(const Question& question, std::uint64_t seed);

}  // namespace articulate::oracle
