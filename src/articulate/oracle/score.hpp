/** \file
 *  \brief How many digits of somebody's table are right.
 *
 *  - Chapter: \ref oracle
 */
#pragma once
#include <articulate/oracle/answers.hpp>

namespace articulate::oracle {

/// \brief What a double holds: -log10 of 2^-52.
inline constexpr double digits_of_double = 15.65355977452702;

/// \brief Digits as messages write them, with one decimal.
std::string one_decimal(double digits);

/** \brief The log relative error of a table, as NIST's of statistical software, beside what could be had. */
struct Score {
  double digits = 0;      ///< -log10 of the largest error, relative to the largest of our entries with the same unit
  double attainable = 0;  ///< what double precision allows
  int row = -1, column = -1;    ///< of the worst entry, from 0; -1 where the shape is not ours
  double theirs = 0, ours = 0;  ///< the worst entry
  std::string verdict;          ///< in words

  /// \brief All digits but one that can be had.
  bool agrees() const { return digits >= attainable - 1; }
};

/** \brief Score a table.
 *
 *  Entries are compared in groups of one unit; an entry counts as zero where it is below 1.5e-8 of the largest of the
 *  table. Numbers between 0 and digits_of_double.
 *  \param attainable  digits of Reference
 */
Score score(const std::string& quantity, const MatrixX<double>& theirs, const MatrixX<double>& ours, double attainable,
            const Model<double>& model);

}  // namespace articulate::oracle
