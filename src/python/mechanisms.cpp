/** \file
 *  \brief Machines with complex mechanisms in Python.
 */
#include <pybind11/pybind11.h>

namespace articulate::python {

void bind_hydraulic_manipulator(pybind11::module_& m);

void bind_mechanisms(pybind11::module_& m) { bind_hydraulic_manipulator(m); }

}  // namespace articulate::python
