/** \file
 *  \brief A number that counts how often numbers of its kind are multiplied or divided.
 */
#pragma once
#include <cmath>
#include <Eigen/Core>

namespace articulate::validation {

/// \brief A double whose products and quotients are counted.
struct Counted {
  double x = 0;
  inline static long products = 0;

  Counted() = default;
  explicit Counted(double value) : x(value) {}

  Counted operator-() const { return Counted(-x); }
  Counted& operator+=(const Counted& b) { return x += b.x, *this; }
  Counted& operator-=(const Counted& b) { return x -= b.x, *this; }
  Counted& operator*=(const Counted& b) { return ++products, x *= b.x, *this; }
  Counted& operator/=(const Counted& b) { return ++products, x /= b.x, *this; }
  friend Counted operator+(Counted a, const Counted& b) { return a += b; }
  friend Counted operator-(Counted a, const Counted& b) { return a -= b; }
  friend Counted operator*(Counted a, const Counted& b) { return a *= b; }
  friend Counted operator/(Counted a, const Counted& b) { return a /= b; }
  friend auto operator<=>(const Counted& a, const Counted& b) { return a.x <=> b.x; }
  friend auto operator<=>(const Counted& a, double b) { return a.x <=> b; }
  friend bool operator==(const Counted& a, const Counted& b) { return a.x == b.x; }
  friend bool operator==(const Counted& a, double b) { return a.x == b; }
  friend Counted sin(const Counted& a) { return Counted(std::sin(a.x)); }
  friend Counted cos(const Counted& a) { return Counted(std::cos(a.x)); }
  friend Counted sqrt(const Counted& a) { return Counted(std::sqrt(a.x)); }
  friend Counted abs(const Counted& a) { return Counted(std::abs(a.x)); }
};

}  // namespace articulate::validation

namespace Eigen {

template <>
struct NumTraits<articulate::validation::Counted> : NumTraits<double> {
  using Real = articulate::validation::Counted;
  using NonInteger = Real;
  using Nested = Real;
  using Literal = Real;
};

}  // namespace Eigen
