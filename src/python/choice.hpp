/** \file
 *  \brief Enumerations as arguments: a value, or its name.
 */
#pragma once
#include <pybind11/pybind11.h>
#include <string>
#include <articulate/model/error.hpp>

namespace articulate::python {

namespace py = pybind11;

/// \brief A value of an enumeration, as an argument: `frame=JacobianFrame.world` or `frame="world"`.
template <typename Enum>
struct Choice {
  Enum value{};
  operator Enum() const { return value; }
};

/// \brief The value of an enumeration that has this name.   \throws Error listing the names that there are
inline py::object value_of(const py::handle& enumeration, const py::str& name)
{
  const py::dict values = enumeration.attr("__members__");
  if (values.contains(name)) return values[name];
  throw Error("There is no " + enumeration.attr("__name__").cast<std::string>() + " '" + name.cast<std::string>() +
              "'; there are " + py::str(", ").attr("join")(values).cast<std::string>() + ".");
}

}  // namespace articulate::python

namespace pybind11::detail {

template <typename Enum>
struct type_caster<articulate::python::Choice<Enum>> {
  PYBIND11_TYPE_CASTER(articulate::python::Choice<Enum>,
                       const_name("Union[") + make_caster<Enum>::name + const_name(", str]"));

  bool load(handle source, bool convert)
  {
    object given = reinterpret_borrow<object>(source);
    if (isinstance<str>(given)) given = articulate::python::value_of(type::of<Enum>(), given);
    make_caster<Enum> caster;
    if (!caster.load(given, convert)) return false;
    value.value = cast_op<Enum>(caster);
    return true;
  }
};

}  // namespace pybind11::detail
