/** \file
 *  \brief Force elements and stops as arguments.
 */
#pragma once
#include <algorithm>
#include <vector>
#include <articulate/motion/force_element.hpp>
#include <articulate/motion/stop.hpp>

namespace articulate::python {

/// \brief A variant that Python gets whole; pybind11 would take it apart.
template <typename Variant>
struct Whole {
  Variant value;
};

using Element = Whole<ForceElement>;
using StopElement = Whole<Stop>;

template <typename Variant>
std::vector<Variant> plain(const std::vector<Whole<Variant>>& wholes)
{
  std::vector<Variant> all;
  for (const Whole<Variant>& one : wholes) all.push_back(one.value);
  return all;
}

/// \brief Whether one of them is a law that is written in Python.
inline bool call_python(const std::vector<Element>& elements)
{
  return std::any_of(elements.begin(), elements.end(),
                     [](const Element& one) { return std::holds_alternative<UserLaw>(one.value); });
}

}  // namespace articulate::python
