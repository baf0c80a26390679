/** \file
 *  \brief The Python module without proofs: errors first, then chapter by chapter.
 */
#include <pybind11/pybind11.h>
#include <string>
#include <articulate/model/error.hpp>

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

/// The exceptions of the library under their own names, each below the one that it is below in C++.
void bind_errors(py::module_& m)
{
  const auto error = py::register_exception<Error>(m, "Error", PyExc_ValueError);
  error.attr("__doc__") = "Anything that a user can mend; the text is one sentence.";
  const py::exception<ModelError> model_error(m, "ModelError", error);
  model_error.attr("__doc__") = "A mechanism that cannot be meant: a loop, a zero axis, a negative mass.";
  static PyObject* const type = py::object(model_error).release().ptr();  // as long as there are translators
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      std::rethrow_exception(thrown);
    } catch (const ModelError& refused) {
      PyErr_SetString(type, in_python(refused.what()).c_str());
    }
  });
  const auto state_error = py::register_exception<StateError>(m, "StateError", error);
  state_error.attr("__doc__") = "A state that does not fit its model or is not finite.";
  const auto size_error = py::register_exception<SizeError>(m, "SizeError", state_error);
  size_error.attr("__doc__") = "A vector of the wrong length.";
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
  m.attr("__name__") = own_name;
}

}  // namespace articulate::python
