/** \file
 *  \brief Numbers that are only known to lie between two bounds, in either of two libraries: the scalars of certified cases.
 *
 *  Every operation answers an interval that holds the result for all numbers of its arguments. A formula that was written
 *  for numbers then encloses what it stands for, rounding included. What must not happen is a guess: a comparison that not
 *  all numbers of two intervals answer alike is refused, and so is a division by an interval that holds zero.
 *
 *  The libraries are MPFI and Arb. They share no line of rounding: MPFI keeps two bounds of MPFR's, Arb a midpoint and a
 *  radius. Both are reached through a table of their operations, filled in one file each: they are compiled once, and what
 *  includes this reads no header of theirs.
 */
#pragma once
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <type_traits>
#include <Eigen/Core>
#include <articulate/model/error.hpp>

namespace articulate::reference {

struct Enclosure;

/// \brief Binary digits to which both libraries round.
inline constexpr int interval_bits = 400;

/// \brief What no number can answer for all numbers of an interval.
struct Undecided : Error {
  using Error::Error;
};

/// \brief A library of intervals, as the operations that are asked of it.
struct IntervalLibrary {
  /// \brief Room for a number as the library lays it out.
  struct Number {
    alignas(void*) std::byte bytes[64];
  };

  const char* name;
  void (*begin)(Number& x);  ///< make it zero; its room holds nothing before
  void (*end)(Number& x);    ///< give back what it holds
  void (*copy)(Number& y, const Number& x);
  void (*exchange)(Number& x, Number& y);
  void (*set_integer)(Number& y, long x);
  void (*set_double)(Number& y, double x);  ///< exactly

  void (*add)(Number& z, const Number& x, const Number& y);
  void (*subtract)(Number& z, const Number& x, const Number& y);
  void (*multiply)(Number& z, const Number& x, const Number& y);
  void (*divide)(Number& z, const Number& x, const Number& y);  ///< y does not hold zero
  void (*negate)(Number& y, const Number& x);
  void (*magnitude)(Number& y, const Number& x);
  void (*root)(Number& y, const Number& x);  ///< x holds no negative number
  void (*sine)(Number& y, const Number& x);
  void (*cosine)(Number& y, const Number& x);
  void (*arc_tangent)(Number& y, const Number& x);

  bool (*below)(const Number& x, const Number& y);      ///< every number of x is less than every number of y
  bool (*not_above)(const Number& x, const Number& y);  ///< every number of x is at most every number of y
  bool (*within)(const Number& x, const Number& y);     ///< every number of x is one of y
  void (*middle)(Number& y, const Number& x);           ///< one number near the middle of x
  void (*ball)(Number& y, const Number& x);             ///< all numbers that are at most as far from zero as one of x
  double (*nearest)(const Number& x);                   ///< a double near the middle of x
  Enclosure (*enclosure)(const Number& x);              ///< its bounds as exact fractions; outward where they are none
};

extern const IntervalLibrary mpfi, arb;

/// \brief A number between two bounds; zero unless told otherwise.
template <const IntervalLibrary& library>
class Interval {
public:
  Interval() { library.begin(x_); }
  Interval(int x) : Interval(long(x)) {}
  Interval(long x) : Interval() { library.set_integer(x_, x); }
  Interval(double x) : Interval() { library.set_double(x_, x); }
  Interval(const Interval& y) : Interval() { library.copy(x_, y.x_); }
  Interval(Interval&& y) noexcept : Interval() { library.exchange(x_, y.x_); }
  ~Interval() { library.end(x_); }
  Interval& operator=(const Interval& y)
  {
    library.copy(x_, y.x_);
    return *this;
  }
  Interval& operator=(Interval&& y) noexcept
  {
    library.exchange(x_, y.x_);
    return *this;
  }

  /// \brief All numbers from a to b.
  static Interval between(const Interval& a, const Interval& b)
  {
    return (a + b) / Interval(2) + ball((b - a) / Interval(2));
  }

  explicit operator double() const { return library.nearest(x_); }

  Interval& operator+=(const Interval& y) { return into(*this, library.add, *this, y); }
  Interval& operator-=(const Interval& y) { return into(*this, library.subtract, *this, y); }
  Interval& operator*=(const Interval& y) { return into(*this, library.multiply, *this, y); }
  Interval& operator/=(const Interval& y) { return *this = *this / y; }

  friend Interval operator+(const Interval& x, const Interval& y) { return of(library.add, x, y); }
  friend Interval operator-(const Interval& x, const Interval& y) { return of(library.subtract, x, y); }
  friend Interval operator*(const Interval& x, const Interval& y) { return of(library.multiply, x, y); }
  /// \throws Undecided when y may be zero
  friend Interval operator/(const Interval& x, const Interval& y)
  {
    if (y.may_be_zero()) throw Undecided(std::string(library.name) + ": a divisor may be zero.");
    return of(library.divide, x, y);
  }
  friend Interval operator-(const Interval& x) { return of(library.negate, x); }
  friend Interval operator+(const Interval& x) { return x; }

  friend Interval abs(const Interval& x) { return of(library.magnitude, x); }
  friend Interval magnitude(const Interval& x) { return abs(x); }
  friend Interval nearly(const Interval& x) { return middle(x); }
  /// \throws Undecided when x may be negative
  friend Interval sqrt(const Interval& x)
  {
    if (!(x >= Interval(0))) throw Undecided(std::string(library.name) + ": a square root of a negative number.");
    return of(library.root, x);
  }
  friend Interval sin(const Interval& x) { return of(library.sine, x); }
  friend Interval cos(const Interval& x) { return of(library.cosine, x); }
  friend Interval atan(const Interval& x) { return of(library.arc_tangent, x); }

  /// \brief Comparisons: true or false for all numbers of both.   \throws Undecided when it is neither
  friend bool operator<(const Interval& x, const Interval& y)
  {
    return decided(library.below(x.x_, y.x_), library.not_above(y.x_, x.x_));
  }
  friend bool operator<=(const Interval& x, const Interval& y)
  {
    return decided(library.not_above(x.x_, y.x_), library.below(y.x_, x.x_));
  }
  friend bool operator>(const Interval& x, const Interval& y) { return y < x; }
  friend bool operator>=(const Interval& x, const Interval& y) { return y <= x; }
  friend bool operator==(const Interval& x, const Interval& y)
  {
    return decided(library.not_above(x.x_, y.x_) && library.not_above(y.x_, x.x_),
                   library.below(x.x_, y.x_) || library.below(y.x_, x.x_));
  }

  /// \brief Whether every number of x is one of y.
  friend bool lies_within(const Interval& x, const Interval& y) { return library.within(x.x_, y.x_); }
  /// \brief A number near the middle, alone.
  friend Interval middle(const Interval& x) { return of(library.middle, x); }
  /// \brief All numbers that are at most as far from zero as one of these.
  friend Interval ball(const Interval& x) { return of(library.ball, x); }
  friend Enclosure enclosure(const Interval& x) { return library.enclosure(x.x_); }

private:
  using Number = IntervalLibrary::Number;

  template <typename Operation, typename... Arguments>
  static Interval& into(Interval& y, const Operation& operation, const Arguments&... x)
  {
    operation(y.x_, x.x_...);
    return y;
  }
  template <typename Operation, typename... Arguments>
  static Interval of(const Operation& operation, const Arguments&... x)
  {
    Interval y;
    operation(y.x_, x.x_...);
    return y;
  }
  static bool decided(bool is_true, bool is_false)
  {
    if (!is_true && !is_false)
      throw Undecided(std::string(library.name) + ": two intervals that overlap cannot be compared.");
    return is_true;
  }
  bool may_be_zero() const
  {
    const Interval zero;
    return !library.below(x_, zero.x_) && !library.below(zero.x_, x_);
  }

  Number x_;
};

}  // namespace articulate::reference

namespace std {

template <const articulate::reference::IntervalLibrary& library>
class numeric_limits<articulate::reference::Interval<library>> {
  using Number = articulate::reference::Interval<library>;

public:
  static constexpr bool is_specialized = true, is_signed = true, is_integer = false, is_exact = false;
  static constexpr int radix = 2, digits = articulate::reference::interval_bits, digits10 = digits * 30103 / 100000;
  static Number epsilon() { return Number(ldexp(1.0, 1 - digits)); }
};

}  // namespace std

namespace Eigen {

template <const articulate::reference::IntervalLibrary& library>
struct NumTraits<articulate::reference::Interval<library>>
    : GenericNumTraits<articulate::reference::Interval<library>> {
  using Literal = double;
  enum { RequireInitialization = 1, ReadCost = 1, AddCost = 4, MulCost = 8 };
};

template <const articulate::reference::IntervalLibrary& library, typename Number, typename Operation>
requires std::is_arithmetic_v<Number>
struct ScalarBinaryOpTraits<articulate::reference::Interval<library>, Number, Operation> {
  using ReturnType = articulate::reference::Interval<library>;
};
template <const articulate::reference::IntervalLibrary& library, typename Number, typename Operation>
requires std::is_arithmetic_v<Number>
struct ScalarBinaryOpTraits<Number, articulate::reference::Interval<library>, Operation> {
  using ReturnType = articulate::reference::Interval<library>;
};

}  // namespace Eigen
