/** \file
 *  \brief Plain values of Python that can be pickled and copied: they are made again from what they show.
 */
#pragma once
#include <pybind11/pybind11.h>
#include <initializer_list>
#include <string>
#include <vector>

namespace articulate::python {

namespace py = pybind11;

/** \brief Let objects of a class be pickled and copied, through its own constructor.
 *  \param arguments the attributes that the constructor takes, in its order
 */
inline void pickle_by_arguments(const py::object& class_, std::initializer_list<const char*> arguments)
{
  const std::vector<std::string> names(arguments.begin(), arguments.end());
  class_.attr("__reduce__") = py::cpp_function(
      [names](const py::object& self) {
        py::tuple values(names.size());
        for (std::size_t k = 0; k < names.size(); ++k) values[k] = self.attr(names[k].c_str());
        return py::make_tuple(py::type::of(self), values);
      },
      py::name("__reduce__"), py::is_method(class_), "How pickle and copy make it again.");
}

}  // namespace articulate::python
