/** \file
 *  \brief Force elements and stops as arguments.
 */
#pragma once
#include <algorithm>
#include <vector>
#include <articulate/motion/force_element.hpp>
#include <articulate/motion/stop.hpp>

namespace articulate::python {

/// \brief One element; pybind11 would take a variant apart.
struct Element {
  ForceElement element;
};

inline std::vector<ForceElement> plain(const std::vector<Element>& elements)
{
  std::vector<ForceElement> all;
  for (const Element& one : elements) all.push_back(one.element);
  return all;
}

/// \brief Whether one of them is a law that is written in Python.
inline bool call_python(const std::vector<Element>& elements)
{
  return std::any_of(elements.begin(), elements.end(),
                     [](const Element& one) { return std::holds_alternative<UserLaw>(one.element); });
}

/// \brief One stop, for the same reason.
struct StopElement {
  Stop stop;
};

inline std::vector<Stop> plain(const std::vector<StopElement>& stops)
{
  std::vector<Stop> all;
  for (const StopElement& one : stops) all.push_back(one.stop);
  return all;
}

}  // namespace articulate::python
