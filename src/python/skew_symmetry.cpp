/** \file
 *  \brief Coriolis matrices in Python: of a body, of a mechanism, and dynamics with a reference rate.
 */
#include "choice.hpp"
#include "recursion.hpp"
#include <articulate/skew_symmetry/coriolis_matrix.hpp>
#include <articulate/skew_symmetry/reference_dynamics.hpp>

namespace articulate::python {
void bind_coriolis_family(py::module_& m)
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

void bind_skew_symmetry(py::module_& m)
{
  using namespace py::literals;
  using ModelD = Model<double>;
  const py::arg_v family("family", CoriolisFamily::christoffel, "CoriolisFamily.christoffel");
  m.def(
      "is_admissible", [](Choice<CoriolisFamily> family) { return is_admissible(family); }, "family"_a,
      "Whether Mdot - 2 C is skew-symmetric with this family.");
  m.def(
      "coriolis_wrench",
      [](const Inertia<double>& I, const Twist<double>& V, const Twist<double>& W, Choice<CoriolisFamily> family) {
        return coriolis_wrench(family, I, V, W);
      },
      "I"_a, "V"_a, "W"_a, family,
      "The Coriolis matrix of a body that moves with V, times W, in the body frame; with W = V it is -ad*_V I V in "
      "every family (Ploen 30 to 34, Proposition 1).");
  m.def(
      "body_coriolis_matrix",
      [](const Inertia<double>& I, const Twist<double>& V, Choice<CoriolisFamily> family) {
        return finite_array(coriolis_matrix<double>(family, I, V), "C");
      },
      "I"_a, "V"_a, family, "The matrix (6, 6) of coriolis_wrench as a map of W, angular part first.");
  m.def(
      "coriolis_matrix",
      [](const ModelD& model, const Numbers& q, const Numbers& qd, Choice<CoriolisFamily> family) {
        const auto at = configuration(model, q), rates = vector(qd, "qd", model.nv());
        CoriolisMatrix<double> C(model, family);
        return finite_array(unlocked(quadratic(model), nullptr, [&] { return MatrixX<double>(C(at, rates)); }), "C");
      },
      "model"_a, "q"_a, "qd"_a, family,
      "C(q, qd), (nv, nv), with C qd the Coriolis and centrifugal forces, in O(n d) for a tree of depth d. q (nq,): "
      "coordinates (rad, m; free joint: position, quaternion x y z w). qd (nv,): rates (rad/s, m/s; free joint: body "
      "twist) (Ploen 37).");
  m.def(
      "coriolis_product",
      [](const ModelD& model, const Numbers& q, const Numbers& qd, const Numbers& qd_r, Choice<CoriolisFamily> family) {
        const auto at = configuration(model, q), rates = vector(qd, "qd", model.nv()),
                   reference = vector(qd_r, "qd_r", model.nv());
        ReferenceDynamics<double> dynamics(model, family);
        return finite_array(unlocked(linear(model), nullptr,
                                     [&] { return VectorX<double>(dynamics.coriolis_product(at, rates, reference)); }),
                            "C qd_r");
      },
      "model"_a, "q"_a, "qd"_a, "qd_r"_a, family,
      "C(q, qd) qd_r, (nv,), in O(n), without C. q (nq,), qd (nv,) as in coriolis_matrix; qd_r (nv,): reference "
      "rates.");
  m.def(
      "reference_dynamics",
      [](const ModelD& model, const Numbers& q, const Numbers& qd, const Numbers& qd_r, const Numbers& qdd_r,
         Choice<CoriolisFamily> family) {
        const auto at = configuration(model, q), rates = vector(qd, "qd", model.nv()),
                   reference = vector(qd_r, "qd_r", model.nv()), change = vector(qdd_r, "qdd_r", model.nv());
        ReferenceDynamics<double> dynamics(model, family);
        return finite_array(
            unlocked(linear(model), nullptr, [&] { return VectorX<double>(dynamics(at, rates, reference, change)); }),
            "tau");
      },
      "model"_a, "q"_a, "qd"_a, "qd_r"_a, "qdd_r"_a, family,
      "M qdd_r + C(q, qd) qd_r + phi, (nv,) (N m, N; free joint: wrench in the body frame), in O(n) (Ploen 35). q "
      "(nq,), "
      "qd (nv,) as in coriolis_matrix; qd_r (nv,): reference rates; qdd_r (nv,): their derivative in time.");
}

}  // namespace articulate::python
