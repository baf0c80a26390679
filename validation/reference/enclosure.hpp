/** \file
 *  \brief Two exact fractions that enclose a number, and the decimal digits that they leave no doubt about.
 */
#pragma once
#include <gmpxx.h>
#include <algorithm>
#include <string>

namespace articulate::reference {

/// \brief A number of which it is proved that it lies between two fractions; both when they are equal.
struct Enclosure {
  mpq_class lower, upper;

  bool is_point() const { return lower == upper; }
  bool holds(const mpq_class& x) const { return lower <= x && x <= upper; }
  mpq_class width() const { return upper - lower; }
  /// \brief The largest absolute value in it.
  mpq_class magnitude() const { return std::max<mpq_class>(abs(lower), abs(upper)); }
};

/// \brief Whether there is a number in both; if so it becomes the first, what both leave.
bool intersect(Enclosure& x, const Enclosure& y);

/// \brief \f$10^k\f$.
mpq_class power_of_ten(long k);

/// \brief The k with \f$10^k \le x < 10^{k+1}\f$.   \param x  positive
long decimal_exponent(const mpq_class& x);

/** \brief The multiple of \f$10^k\f$ next to all numbers of an enclosure, as a decimal number: -1.2345e-6.
 *
 *  Half a step is rounded to an even digit; so is an enclosure that holds it, for the number in it is most likely this
 *  half. What is printed is less than \f$10^k\f$ from every number of the enclosure, and does not depend on how much
 *  wider than its number the enclosure is.
 *  \throws Error when the enclosure is wider than half of \f$10^k\f$
 */
std::string decimal(const Enclosure& x, long k);

/// \brief The fraction that a decimal number is.   \throws Error when it is no decimal number
mpq_class fraction(const std::string& decimal);

}  // namespace articulate::reference
