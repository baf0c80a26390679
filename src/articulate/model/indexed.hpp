/** \file
 *  \brief Quantities with an index, as the formulas write them: \f$V_i\f$ of body i, \f$\tau_k\f$ of rate k.
 *
 *  - Chapter: \ref model
 */
#pragma once
#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

namespace articulate {

/** \brief A std::vector that is indexed as bodies and rates are: with a sign, as a parent may be -1 and as Eigen does.
 *
 *  Here, and nowhere else, such an index becomes the unsigned one of the standard library. The rest is std::vector's; a
 *  std::vector of the same elements, or of what becomes them, is taken in its place.
 */
template <typename T>
class Indexed : public std::vector<T> {
  using Base = std::vector<T>;
  // Programs that only describe a mechanism, such as a peer's, may be C++17: no concepts here.
  template <typename Integer>
  using if_integral = std::enable_if_t<std::is_integral_v<Integer>>;
  template <typename Other>
  using if_convertible = std::enable_if_t<std::is_convertible_v<const Other&, T>>;

public:
  using Base::Base;
  Indexed() = default;
  Indexed(Base elements) : Base(std::move(elements)) {}
  template <typename Other, typename = if_convertible<Other>>
  Indexed(const std::vector<Other>& elements) : Base(elements.begin(), elements.end())
  {
  }
  template <typename Count, typename = if_integral<Count>>
  explicit Indexed(Count count) : Base(unsigned_of(count))
  {
  }
  template <typename Count, typename = if_integral<Count>>
  Indexed(Count count, const T& element) : Base(unsigned_of(count), element)
  {
  }

  template <typename Index, typename = if_integral<Index>>
  typename Base::reference operator[](Index i)
  {
    return Base::operator[](unsigned_of(i));
  }
  template <typename Index, typename = if_integral<Index>>
  typename Base::const_reference operator[](Index i) const
  {
    return Base::operator[](unsigned_of(i));
  }

  template <typename Count, typename... Element>
  void resize(Count count, const Element&... element)
  {
    Base::resize(unsigned_of(count), element...);
  }

private:
  template <typename Integer>
  static constexpr std::size_t unsigned_of(Integer i)
  {
    return static_cast<std::size_t>(i);
  }
};

}  // namespace articulate
