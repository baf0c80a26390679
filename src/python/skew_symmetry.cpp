/** \file
 *  \brief Coriolis matrices in Python: of a body, of a mechanism, and dynamics with a reference rate.
 */
#include "recursion.hpp"
#include <articulate/skew_symmetry/coriolis_matrix.hpp>
#include <articulate/skew_symmetry/reference_dynamics.hpp>

namespace articulate::python {
namespace {

using ModelD = Model<double>;

void bind_family(py::module_& m)
{
  py::enum_<CoriolisFamily>(m, "CoriolisFamily",
                            "How the wrench -ad*_V I V of a body is written as a matrix times V; all but newton_euler "
                            "make Mdot - 2 C skew-symmetric.")
      .value("newton_euler", CoriolisFamily::newton_euler, "-ad*_V I, the recursion as it is (Ploen 30).")
      .value("ploen", CoriolisFamily::ploen, "That of Proposition 1; depends on where the frames' origins are.")
      .value("bracket", CoriolisFamily::bracket, "I ad_V - ad_V^T I.")
      .value("momentum", CoriolisFamily::momentum, "W -> -ad*_W I V.")
      .value("christoffel", CoriolisFamily::christoffel,
             "The mean of bracket and momentum, which gives the Christoffel symbols (Ploen 2).");
}

}  // namespace

void bind_skew_symmetry(py::module_& m)
{
  using namespace py::literals;
  bind_family(m);
  const py::arg_v family("family", CoriolisFamily::christoffel, "CoriolisFamily.christoffel");
  m.def("is_admissible", &is_admissible, "family"_a, "Whether Mdot - 2 C is skew-symmetric with this family.");
  m.def(
      "coriolis_wrench",
      [](const Inertia<double>& I, const Twist<double>& V, const Twist<double>& W, CoriolisFamily family) {
        return coriolis_wrench(family, I, V, W);
      },
      "I"_a, "V"_a, "W"_a, family,
      "The Coriolis matrix of a body that moves with V, times W, in the body frame; with W = V it is -ad*_V I V in "
      "every family (Ploen 30 to 34, Proposition 1).");
  m.def(
      "body_coriolis_matrix",
      [](const Inertia<double>& I, const Twist<double>& V, CoriolisFamily family) {
        return finite_array(coriolis_matrix(family, I, V), "C");
      },
      "I"_a, "V"_a, family, "The matrix (6, 6) of coriolis_wrench as a map of W, angular part first.");
  m.def(
      "coriolis_matrix",
      [](const ModelD& model, const Numbers& q, const Numbers& qd, CoriolisFamily family) {
        CoriolisMatrix<double> C(model, family);
        return finite_array(C(vector(q, "q", model.nq()), vector(qd, "qd", model.nv())), "C");
      },
      "model"_a, "q"_a, "qd"_a, family,
      "C(q, qd), (nv, nv), with C qd the Coriolis and centrifugal forces, in O(n d) for a tree of depth d. q (nq,): "
      "coordinates (rad, m; free joint: position, quaternion x y z w). qd (nv,): rates (rad/s, m/s; free joint: body "
      "twist) (Ploen 37).");
  m.def(
      "coriolis_product",
      [](const ModelD& model, const Numbers& q, const Numbers& qd, const Numbers& qd_r, CoriolisFamily family) {
        ReferenceDynamics<double> dynamics(model, family);
        return finite_array(dynamics.coriolis_product(vector(q, "q", model.nq()), vector(qd, "qd", model.nv()),
                                                      vector(qd_r, "qd_r", model.nv())),
                            "C qd_r");
      },
      "model"_a, "q"_a, "qd"_a, "qd_r"_a, family,
      "C(q, qd) qd_r, (nv,), in O(n), without C. q (nq,), qd (nv,) as in coriolis_matrix; qd_r (nv,): reference "
      "rates.");
  m.def(
      "reference_dynamics",
      [](const ModelD& model, const Numbers& q, const Numbers& qd, const Numbers& qd_r, const Numbers& qdd_r,
         CoriolisFamily family) {
        ReferenceDynamics<double> dynamics(model, family);
        return finite_array(dynamics(vector(q, "q", model.nq()), vector(qd, "qd", model.nv()),
                                     vector(qd_r, "qd_r", model.nv()), vector(qdd_r, "qdd_r", model.nv())),
                            "tau");
      },
      "model"_a, "q"_a, "qd"_a, "qd_r"_a, "qdd_r"_a, family,
      "M qdd_r + C(q, qd) qd_r + phi, (nv,) (N m, N; free joint: wrench in the body frame), in O(n) (Ploen 35). q "
      "(nq,), "
      "qd (nv,) as in coriolis_matrix; qd_r (nv,): reference rates; qdd_r (nv,): their derivative in time.");
}

}  // namespace articulate::python
