/** \file
 *  \brief Hybrid dynamics in Python.
 */
#include "recursion.hpp"
#include <articulate/hybrid/hybrid_dynamics.hpp>

namespace articulate::python {
namespace {

using ModelD = Model<double>;
using Hybrid = HybridDynamics<double>;

std::tuple<Array, Array> complete(Hybrid& hybrid, const Numbers& q, const Numbers& qd, const Numbers& qdd,
                                  const Numbers& tau, const GivenWrenches& Fext)
{
  const ModelD& model = hybrid.model();
  const auto at = configuration(model, q), rates = vector(qd, "qd", model.nv()),
             given_qdd = vector(qdd, "qdd", model.nv()), given_tau = vector(tau, "tau", model.nv());
  const ExternalWrenches<double> wrenches = on_bodies(model, Fext);
  VectorX<double> accelerations, forces;
  unlocked(linear(model), &hybrid, [&] {
    hybrid(at, rates, given_qdd, given_tau, wrenches);
    accelerations = hybrid.qdd(), forces = hybrid.tau();
  });
  return {finite_array(accelerations, "qdd"), finite_array(forces, "tau")};
}

}  // namespace

void bind_hybrid(py::module_& m)
{
  using namespace py::literals;
  py::class_<Hybrid, ArticulatedBodies<double>>(m, "HybridDynamics",
                                                "Kim's Table 4: forces where the acceleration is prescribed (set u), "
                                                "accelerations where the force is (set v), in "
                                                "O(n). What the recursion saw can be read after a call.")
      .def(py::init<const ModelD&, const std::vector<bool>&>(), "model"_a, "prescribed"_a, OthersRun(),
           "Make the workspace. prescribed (nv,): is the acceleration of this degree prescribed? Raises SizeError, and "
           "ModelError when a joint in v could move without moving any mass.")
      .def("__call__", &complete, "q"_a, "qd"_a, "qdd"_a, "tau"_a, "Fext"_a = py::none(),
           "q (nq,), qd (nv,): coordinates and rates. qdd (nv,): accelerations, of which those in u are read. tau "
           "(nv,): "
           "joint forces, of which those in v are read. Fext: external wrenches, {link: (6,) in the link's frame} or "
           "(N + 1, 6) in body frames. Returns qdd (nv,) and tau (nv,), complete.");
  bind_batch(m);
}

}  // namespace articulate::python
