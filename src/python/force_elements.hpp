/** \file
 *  \brief Force elements as arguments.
 */
#pragma once
#include <vector>
#include <articulate/motion/force_element.hpp>

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

}  // namespace articulate::python
