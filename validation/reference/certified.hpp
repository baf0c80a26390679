/** \file
 *  \brief From four answers to one that is certified, with what each number is worth.
 *
 *  A number is certified when its enclosures by all formalisms in both arithmetics have a part in common, and each of
 *  them fixes fifty digits relative to the largest number of its quantity and unit. What is not, is refused by name.
 */
#pragma once
#include <span>
#include <string>
#include <vector>
#include <articulate/model/model.hpp>
#include <reference/answers.hpp>

namespace articulate::reference {

/// \brief Digits that are printed, relative to the largest number of a quantity and unit.
inline constexpr int printed_digits = 50;

/// \brief What was asked for and cannot be certified.
struct Uncertified : Error {
  using Error::Error;
};

/// \brief A number and what is proved of it.
struct CertifiedNumber {
  std::string value;       ///< decimal
  std::string radius;      ///< decimal: the number is at most so far from the value
  std::string unit;        ///< in SI
  bool exact_zero;         ///< zero in this state and in all next to it: the machine makes it so
  double condition;        ///< relative to the largest of its quantity and unit, in ulps for an ulp of every input
  double double_digits;    ///< how many, relative to the same, double precision can attain in all that have its unit
  double enclosed_digits;  ///< how many the enclosure fixes; depends on the libraries' versions, so it is in no file
};

/// \brief A quantity of a case, row by row.
struct CertifiedQuantity {
  std::string name, words;
  int rows, columns;
  std::vector<CertifiedNumber> numbers;
};

/// \brief One who answers, and what a message calls this.
struct Proof {
  const char* words;
  Answers (*answers)(const Problem&);
  bool answers_all;
};

/// \brief All formalisms in both arithmetics.
inline constexpr Proof all_proofs[] = {{"the library in MPFI", by_the_library<mpfi>, true},
                                       {"the library in Arb", by_the_library<arb>, true},
                                       {"vector mechanics in MPFI", by_vector_mechanics<mpfi>, true},
                                       {"vector mechanics in Arb", by_vector_mechanics<arb>, true},
                                       {"mass points in MPFI", by_mass_points<mpfi>, false},
                                       {"mass points in Arb", by_mass_points<arb>, false}};

/// \brief The names of all quantities, in the order in which they are listed.
std::vector<std::string> all_quantities();

/// \brief Whether a quantity is part of the answer to a problem.
bool is_asked(const std::string& quantity, const Problem& problem);

/** \brief What all proofs of a problem leave together.
 *  \throws Uncertified naming the case, the quantity and the number on which a proof disagrees with those before it or
 *          that it encloses too widely, or the quantity that it leaves out
 */
Answers agreed(const std::string& name, const Problem& problem, std::span<const Proof> proofs = all_proofs);

/** \brief Everything that the set says of a machine in a state.
 *  \throws Uncertified as agreed() does
 */
std::vector<CertifiedQuantity> certified(const std::string& name, const Problem& problem);

}  // namespace articulate::reference
