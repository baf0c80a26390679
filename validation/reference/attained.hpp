/** \file
 *  \brief What the library attains in double, beside the digits that the problem allows and those that its rounding does.
 */
#pragma once
#include <string>
#include <vector>
#include <reference/case_file.hpp>

namespace articulate::reference {

/// \brief Decimal digits of a quantity, relative to its largest number with the same unit; of the unit that lacks most.
struct Attained {
  std::string quantity;
  double attainable;    ///< that the inputs allow: `double_digits`
  double of_algorithm;  ///< that the library's algorithm is expected to have when every operation is rounded
  double in_double;     ///< that its answer has
  std::string cause;    ///< where the algorithm lacks more than one digit: which step loses them
  std::vector<double>
      alone;  ///< that are left when one step alone is rounded, by Step; of derivatives of accelerations

  /// \brief Whether the library lacks no more than one digit of what rounding leaves its algorithm.
  bool is_explained() const { return in_double >= of_algorithm - 1; }
  /// \brief How many digits the algorithm lacks.
  double loss() const { return attainable - of_algorithm; }
};

/** \brief The digits of every answer that users ask the library for, of those in a file; with loops those of the impulse.
 *
 *  The library answers eight times with every operation rounded up or down at random. Rounding to nearest has half their
 *  standard deviation, and that is what the algorithm is expected to be wrong by, whatever it computes.
 *  Where more than one digit is lacking the cause is the step whose rounding alone loses most of them, see Step; the product
 *  where it alone loses one. Of quantities of one step the cause is known by their name.
 *  \throws Error in one sentence, as case_in_file() does
 */
std::vector<Attained> attained(const Json& file, const std::string& source);

}  // namespace articulate::reference
