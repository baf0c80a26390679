/** \file
 *  \brief How many digits of somebody's table are right.
 *
 *  - Chapter: \ref oracle
 */
#pragma once
#include <set>
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

  double missing() const { return attainable - digits; }
  /// \brief All digits but one that can be had.
  bool agrees() const { return missing() <= 1; }
};

/** \brief Score a table.
 *
 *  Entries are compared in groups of one unit, each with the digits that rounding leaves to it. Entries of a group in which
 *  rounding leaves not one digit are zeros: how far theirs are from zero is counted in roundings. What is said is of the
 *  entry that misses most. Numbers between 0 and digits_of_double.
 *  \param rounding  of Reference
 */
Score score(const std::string& quantity, const MatrixX<double>& theirs, const MatrixX<double>& ours,
            const Rounding& rounding, const Model<double>& model);

/// \brief The rows, from 0, in which an entry misses more than one digit of those that score() gives it.
std::set<Eigen::Index> rows_that_differ(const std::string& quantity, const MatrixX<double>& theirs,
                                        const MatrixX<double>& ours, const Rounding& rounding,
                                        const Model<double>& model);

/** \brief The same where no rounding was measured, and all units have the same digits.
 *
 *  An entry counts as zero where it is below the root of a unit in the last place of the largest of the table.
 */
Score score(const std::string& quantity, const MatrixX<double>& theirs, const MatrixX<double>& ours, double attainable,
            const Model<double>& model);

}  // namespace articulate::oracle
