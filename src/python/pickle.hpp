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

/// \brief What a class of Python below ours has added to an object, or None.
inline py::object added_to(const py::object& self) { return py::getattr(self, "__dict__", py::none()); }
inline void add_to(const py::object& self, const py::object& added)
{
  if (!added.is_none()) self.attr("__dict__").attr("update")(added);
}

/** \brief Let objects of a class be pickled and copied, through its own constructor.
 *  \param values what the constructor takes, a tuple, of an object
 *
 *  An object of a class below this one keeps its class and what it has been given. The constructor of that class, which
 *  may take other arguments, is not called.
 */
template <typename Values>
void pickle_by_values(const py::object& class_, Values values)
{
  const py::handle own = class_;  // which lives as long as its functions
  class_.attr("__reduce__") = py::cpp_function(
      [own, values](const py::object& self) {
        const py::type type = py::type::of(self);
        const py::tuple arguments = values(self);
        if (type.is(own)) return py::make_tuple(type, arguments);
        return py::make_tuple(py::module_::import("copyreg").attr("__newobj__"), py::make_tuple(type),
                              py::make_tuple(arguments, added_to(self)));
      },
      py::name("__reduce__"), py::is_method(class_), "How pickle and copy make it again.");
  class_.attr("__setstate__") = py::cpp_function(
      [own](const py::object& self, const py::tuple& state) {
        own.attr("__init__")(self, *py::tuple(state[0]));
        add_to(self, state[1]);
      },
      py::name("__setstate__"), py::is_method(class_), "How pickle and copy make an object of a class below again.");
}

/** \brief The same, of values that the object shows.
 *  \param arguments the attributes that the constructor takes, in its order
 */
inline void pickle_by_arguments(const py::object& class_, std::initializer_list<const char*> arguments)
{
  const std::vector<std::string> names(arguments.begin(), arguments.end());
  pickle_by_values(class_, [names](const py::object& self) {
    py::tuple values(names.size());
    for (std::size_t k = 0; k < names.size(); ++k) values[k] = self.attr(names[k].c_str());
    return values;
  });
}

}  // namespace articulate::python
