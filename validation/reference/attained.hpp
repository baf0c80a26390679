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
  double attainable;          ///< that the inputs allow: `double_digits`
  double of_algorithm;        ///< that the library's algorithm is expected to have when every operation is rounded
  double in_double;           ///< that its answer has
  std::string cause;          ///< where the algorithm lacks more than one digit: which part of the way loses them
  std::vector<double> alone;  ///< that are left when one part alone is rounded: each Step, or places and motion

  /// \brief Whether the library lacks no more than one digit of what rounding leaves its algorithm.
  bool is_explained() const { return in_double >= of_algorithm - 1; }
  /// \brief How many digits the algorithm lacks.
  double loss() const { return attainable - of_algorithm; }
};

/** \brief The digits of every answer that users ask the library for, of those in a file; with loops those of the impulse.
 *
 *  The library answers eight times with every operation rounded up or down at random. Rounding to nearest has half their
 *  standard deviation, and that is what the algorithm is expected to be wrong by, whatever it computes.
 *  Where more than one digit is lacking the cause is the part of the way whose rounding alone loses most of them. Derivatives
 *  of accelerations have three, see Step, and the product is to blame where it alone loses one digit. Accelerations and
 *  impulses, mobilities and the inverse of the mass matrix have one, the inverse. All else has two: what depends on the
 *  coordinates alone (places), and what depends on rates or accelerations, too (motion). If neither of them by itself
 *  costs a digit more than the other, it is the sum.
 *  \throws Error in one sentence, as case_in_file() does
 */
std::vector<Attained> attained(const Json& file, const std::string& source);

}  // namespace articulate::reference
