/** \file
 *  \brief The Python module without proofs: errors first, then chapter by chapter.
 */
#include <pybind11/pybind11.h>
#include <string>
#include <articulate/model/error.hpp>
#include "unmade.hpp"

namespace articulate::python {

namespace py = pybind11;

void bind_chapters(py::module_& m);

namespace {

/// What the command line calls an option is an argument here.
std::string in_python(std::string sentence)
{
  const std::string option = "--accept-unphysical";
  const auto at = sentence.find(option);
  return at == std::string::npos ? sentence : sentence.replace(at, option.size(), "accept_unphysical=True");
}

/// Raise; what is no UTF-8 in the sentence is part of a path, and stands there as os.fsdecode() has it.
void raise(PyObject* type, const std::string& sentence)
{
  const auto text = py::reinterpret_steal<py::object>(
      PyUnicode_DecodeUTF8(sentence.data(), static_cast<py::ssize_t>(sentence.size()), "surrogateescape"));
  if (text) PyErr_SetObject(type, text.ptr());
}

/// An exception of the library under its own name, below the one that it is below in C++.
template <typename Exception>
py::object bind_error(py::module_& m, const char* name, const py::handle& base, const char* words)
{
  const py::exception<Exception> bound(m, name, base);
  bound.attr("__doc__") = words;
  static PyObject* const type = py::object(bound).release().ptr();  // as long as there are translators
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      std::rethrow_exception(thrown);
    } catch (const Exception& refused) {
      raise(type, in_python(refused.what()));
    }
  });
  return bound;
}

void bind_errors(py::module_& m)
{
  const py::object error =
      bind_error<Error>(m, "Error", PyExc_ValueError, "Anything that a user can mend; the text is one sentence.");
  bind_error<ModelError>(m, "ModelError", error,
                         "A mechanism that cannot be meant: a loop, a zero axis, a negative mass.");
  const py::object state_error =
      bind_error<StateError>(m, "StateError", error, "A state that does not fit its model or is not finite.");
  bind_error<SizeError>(m, "SizeError", state_error, "A vector of the wrong length.");
}

}  // namespace

PYBIND11_MODULE(_articulate, m)
{
  m.doc() = "The compiled part of articulate.";
  const py::object own_name = m.attr("__name__");
  m.attr("__name__") = "articulate";  // what users import is where the names say that they are
  m.attr("__version__") = ARTICULATE_VERSION;
  bind_errors(m);
  bind_chapters(m);
  refuse_unmade_objects(m);
  m.attr("__name__") = own_name;
}

}  // namespace articulate::python
