/** \file
 *  \brief A mechanism whose links and joints are Python's own, so that they can be changed one by one.
 */
#pragma once
#include "arrays.hpp"
#include <articulate/model/mechanism.hpp>

namespace articulate::python {

/// \brief A Mechanism with Python's lists in place of vectors: an element taken from them stays the same object.
struct Description {
  std::string name, source;
  ListOf<Link> links;
  ListOf<Joint> joints;
  std::array<double, 3> gravity;
  std::vector<std::string> warnings;

  Description(const std::string& name, const std::string& source, const ListOf<Link>& links,
              const ListOf<Joint>& joints, const std::array<double, 3>& gravity,
              const std::vector<std::string>& warnings)
      : name(name), source(source), links(links), joints(joints), gravity(gravity), warnings(warnings)
  {
  }
  explicit Description(const Mechanism& m)
      : Description(m.name, m.source, ListOf<Link>(m.links), ListOf<Joint>(m.joints), m.gravity, m.warnings)
  {
  }

  Mechanism mechanism() const
  {
    return {name, source, elements(links, "links", "Link"), elements(joints, "joints", "Joint"), gravity, warnings};
  }

private:
  template <typename T>
  static std::vector<T> elements(const ListOf<T>& list, const char* what, const char* type)
  {
    std::vector<T> all;
    for (const py::handle element : list) {
      if (!py::isinstance<T>(element))
        throw py::type_error(std::string("The list ") + what + " holds " + py::repr(element).cast<std::string>() +
                             " where a " + type + " is needed.");
      all.push_back(element.cast<T>());
    }
    return all;
  }
};

void bind_mechanism(py::module_& m);

}  // namespace articulate::python
