/** \file
 *  \brief Quantities with an index, as the formulas write them: \f$V_i\f$ of body i, \f$\tau_k\f$ of rate k.
 *
 *  - Chapter: \ref model
 */
#pragma once
#include <concepts>
#include <cstddef>
#include <utility>
#include <vector>

namespace articulate {

/** \brief A std::vector that is counted as bodies and rates are: with a sign, as a parent may be -1 and as Eigen does it.
 *
 *  Here, and nowhere else, such an index becomes the unsigned one of the standard library. All else is std::vector's; a
 *  std::vector of the same elements, or of what becomes them, is taken in its place.
 */
template <typename T>
class Indexed : public std::vector<T> {
  using Base = std::vector<T>;

public:
  using Base::Base;
  Indexed() = default;
  Indexed(Base elements) : Base(std::move(elements)) {}
  template <typename Other>
  requires std::convertible_to<const Other&, T> Indexed(const std::vector<Other>& elements)
      : Base(elements.begin(), elements.end())
  {
  }
  template <std::integral Count>
  explicit Indexed(Count count) : Base(unsigned_of(count))
  {
  }
  template <std::integral Count>
  Indexed(Count count, const T& element) : Base(unsigned_of(count), element)
  {
  }

  typename Base::reference operator[](std::integral auto i) { return Base::operator[](unsigned_of(i)); }
  typename Base::const_reference operator[](std::integral auto i) const { return Base::operator[](unsigned_of(i)); }

  template <typename... Element>
  void resize(std::integral auto count, const Element&... element)
  {
    Base::resize(unsigned_of(count), element...);
  }

private:
  static constexpr std::size_t unsigned_of(std::integral auto i) { return static_cast<std::size_t>(i); }
};

}  // namespace articulate
