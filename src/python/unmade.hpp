/** \file
 *  \brief Objects of which Python has made the shell alone: `Model.__new__(Model)`.
 */
#pragma once
#include <pybind11/pybind11.h>
#include <cstddef>

namespace articulate::python {

namespace py = pybind11;

[[noreturn]] inline void* refuse_unmade(std::size_t)
{
  throw py::type_error(
      "An object whose __init__() has not run is given where a complete one is needed; call its class to make one.");
}

/// Where such an object is read pybind11 asks the class for memory, and would show what happens to stand there.
inline void refuse_unmade_objects(const py::module_& m)
{
  for (const auto& [name, member] : m.attr("__dict__").cast<py::dict>())
    if (py::isinstance<py::type>(member))
      if (auto* const known = py::detail::get_type_info(reinterpret_cast<PyTypeObject*>(member.ptr())))
        known->operator_new = &refuse_unmade;
}

}  // namespace articulate::python
