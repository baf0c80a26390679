/** \file
 *  \brief Numbers that carry their rate: what the differentiation of an algorithm costs.
 */
#pragma once
#include <Eigen/Core>

namespace articulate::validation {

/// A number and its rate, which may be such numbers again.
template <typename Number>
struct WithRate {
  Number value, rate;

  WithRate(double x = 0) : value(x), rate(0) {}
  WithRate(const Number& value, const Number& rate) : value(value), rate(rate) {}
  friend WithRate operator+(const WithRate& a, const WithRate& b) { return {a.value + b.value, a.rate + b.rate}; }
  friend WithRate operator-(const WithRate& a, const WithRate& b) { return {a.value - b.value, a.rate - b.rate}; }
  friend WithRate operator-(const WithRate& a) { return {-a.value, -a.rate}; }
  friend WithRate operator*(const WithRate& a, const WithRate& b)
  {
    return {a.value * b.value, a.value * b.rate + a.rate * b.value};
  }
  friend WithRate operator/(const WithRate& a, const WithRate& b)
  {
    const Number quotient = a.value / b.value;
    return {quotient, (a.rate - quotient * b.rate) / b.value};
  }
  WithRate& operator+=(const WithRate& b) { return *this = *this + b; }
  WithRate& operator-=(const WithRate& b) { return *this = *this - b; }
  WithRate& operator*=(const WithRate& b) { return *this = *this * b; }
  WithRate& operator/=(const WithRate& b) { return *this = *this / b; }
  friend auto operator<=>(const WithRate& a, const WithRate& b) { return a.value <=> b.value; }
  friend bool operator==(const WithRate& a, const WithRate& b) { return a.value == b.value; }
  friend WithRate sin(const WithRate& a) { return {sin(a.value), cos(a.value) * a.rate}; }
  friend WithRate cos(const WithRate& a) { return {cos(a.value), -sin(a.value) * a.rate}; }
  friend WithRate sqrt(const WithRate& a)
  {
    const Number root = sqrt(a.value);
    return {root, a.rate / (root + root)};
  }
  friend WithRate atan(const WithRate& a) { return {atan(a.value), a.rate / (Number(1) + a.value * a.value)}; }
};

}  // namespace articulate::validation

namespace Eigen {

template <typename Number>
struct NumTraits<articulate::validation::WithRate<Number>> : GenericNumTraits<double> {
  using Real = articulate::validation::WithRate<Number>;
  using NonInteger = Real;
  using Nested = Real;
  enum { RequireInitialization = 1, ReadCost = 1, AddCost = 1, MulCost = 1 };
};

}  // namespace Eigen
