/** \file
 *  \brief JSON as the values of Python.
 */
#pragma once
#include <pybind11/pybind11.h>
#include <cli/output.hpp>  // Json

namespace articulate::python {

namespace py = pybind11;
using cli::Json;

/// \brief The same value in Python: what json.loads makes of its text.
inline py::object to_python(const Json& value)
{
  if (value.is_object()) {
    py::dict dict;
    for (const auto& [key, entry] : value.items()) dict[py::str(key)] = to_python(entry);
    return dict;
  }
  if (value.is_array()) {
    py::list list;
    for (const Json& entry : value) list.append(to_python(entry));
    return list;
  }
  if (value.is_string()) return py::str(value.get<std::string>());
  if (value.is_boolean()) return py::bool_(value.get<bool>());
  if (value.is_number_float()) return py::float_(value.get<double>());
  if (value.is_number_unsigned()) return py::int_(value.get<std::uint64_t>());
  if (value.is_number()) return py::int_(value.get<std::int64_t>());
  return py::none();
}

}  // namespace articulate::python
