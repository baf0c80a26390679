/** \file
 *  \brief A number that counts what is done with it.
 *
 *  - Chapters: \ref derivatives, \ref higher_order
 */
#pragma once
#include <cmath>
#include <compare>
#include <articulate/model/model.hpp>

namespace articulate::validation {

/// \brief A double that counts what is done with it.
struct Counted {
  double value;
  static inline thread_local long products = 0, divisions = 0, sums = 0;  // states are proved side by side

  Counted(double x = 0) : value(x) {}
  friend Counted operator+(Counted a, Counted b) { return ++sums, a.value + b.value; }
  friend Counted operator-(Counted a, Counted b) { return ++sums, a.value - b.value; }
  friend Counted operator*(Counted a, Counted b) { return ++products, a.value * b.value; }
  friend Counted operator/(Counted a, Counted b) { return ++divisions, a.value / b.value; }
  friend Counted operator-(Counted a) { return -a.value; }
  Counted& operator+=(Counted b) { return *this = *this + b; }
  Counted& operator-=(Counted b) { return *this = *this - b; }
  Counted& operator*=(Counted b) { return *this = *this * b; }
  Counted& operator/=(Counted b) { return *this = *this / b; }
  friend auto operator<=>(Counted a, Counted b) { return a.value <=> b.value; }
  friend bool operator==(Counted a, Counted b) { return a.value == b.value; }
  friend Counted sin(Counted a) { return std::sin(a.value); }
  friend Counted cos(Counted a) { return std::cos(a.value); }
  friend Counted sqrt(Counted a) { return std::sqrt(a.value); }
  friend Counted atan(Counted a) { return std::atan(a.value); }
};

/// \brief How many of each a run takes.
struct Operations {
  long products, divisions, sums;
  bool operator==(const Operations&) const = default;
};

template <typename Run>
Operations operations(const Run& run)
{
  const Operations before{Counted::products, Counted::divisions, Counted::sums};
  run();
  return {Counted::products - before.products, Counted::divisions - before.divisions, Counted::sums - before.sums};
}

/// \brief How many multiplications and divisions a run takes.
template <typename Run>
long count(const Run& run)
{
  const Operations all = operations(run);
  return all.products + all.divisions;
}

/// \brief Every coordinate is 0.5, but all quaternions are 0 0 0 1.
template <typename Number>
VectorX<Number> some_coordinates(const Model<Number>& model)
{
  VectorX<Number> q = model.zero_coordinates();
  for (int i = 1; i <= model.bodies(); ++i)
    if (const Body<Number>& body = model.body(i); body.nq == body.nv)
      for (int k = 0; k < body.nq; ++k) q(body.q + k) = 0.5;
  return q;
}

}  // namespace articulate::validation

/// \cond
namespace Eigen {

template <>
struct NumTraits<articulate::validation::Counted> : GenericNumTraits<double> {
  using Real = articulate::validation::Counted;
  using NonInteger = Real;
  using Nested = Real;
  enum { RequireInitialization = 1, ReadCost = 1, AddCost = 1, MulCost = 1 };
};

}  // namespace Eigen
/// \endcond
