/** \file
 *  \brief Forward dynamics in Python.
 */
#include "recursion.hpp"
#include <articulate/aba/forward_dynamics.hpp>
#include <articulate/aba/inverse_mass_matrix.hpp>
#include <articulate/aba/mobility.hpp>

namespace articulate::python {
namespace {

using ModelD = Model<double>;
using Bodies = ArticulatedBodies<double>;
using Aba = ForwardDynamics<double>;

Array accelerations(Aba& aba, const Numbers& q, const Numbers& qd, const Numbers& tau, const GivenWrenches& Fext)
{
  const ModelD& model = aba.model();
  const auto at = configuration(model, q), rates = vector(qd, "qd", model.nv()),
             forces = vector(tau, "tau", model.nv());
  const ExternalWrenches<double> wrenches = on_bodies(model, Fext);
  const VectorX<double> qdd =
      unlocked(linear(model), &aba, [&] { return VectorX<double>(aba(at, rates, forces, wrenches)); });
  return finite_array(qdd, "qdd");
}

/// The matrices of all bodies, (N + 1, 6, 6).
Array matrices(const Bodies& aba)
{
  ran(aba, "I_hat");
  Array all({static_cast<py::ssize_t>(aba.I_hat.size()), py::ssize_t(6), py::ssize_t(6)});
  double* entry = all.mutable_data();
  for (const ArticulatedInertia<double>& I : aba.I_hat) {
    const Matrix6<double> matrix = I.matrix();  // symmetric: its columns are its rows
    entry = std::copy_n(matrix.data(), matrix.size(), entry);
  }
  return all;
}

ListOf<Array> pivots(const Bodies& aba)
{
  ListOf<Array> all;
  for (const Pivot<double>& pivot : ran(aba, "pivot").pivot) all.append(Array(pivot.size, pivot.d));
  return all;
}

bool is_prescribed(const Bodies& bodies, int k)
{
  const int nv = bodies.model().nv();
  if (k < 0 || k >= nv)
    throw py::index_error("There is no degree of freedom " + std::to_string(k) + "; the model has 0 to " +
                          std::to_string(nv - 1) + ".");
  return bodies.is_prescribed(k);
}

std::tuple<Array, Array> respond(Bodies& bodies, const Numbers& tau, const Numbers& qdd)
{
  const int nv = bodies.model().nv();
  VectorX<double> forces = vector(tau, "tau", nv), accelerations = vector(qdd, "qdd", nv);
  unlocked(linear(bodies.model()), &bodies, [&] { bodies.respond(forces, accelerations); });
  return {finite_array(accelerations, "qdd"), finite_array(forces, "tau")};
}

Array inverse_at(InverseMassMatrix<double>& of, const Numbers& q)
{
  const auto at = configuration(of.model(), q);
  return finite_array(unlocked(quadratic(of.model()), &of, [&] { return MatrixX<double>(of(at)); }), "M^-1");
}

Array mobility_of(Mobility<double>& at, const Numbers& J)
{
  const MatrixX<double> rows = rows_of(J, "J", at.model().nv());
  return finite_array(unlocked(quadratic(at.model()), &at, [&] { return at.of(rows); }), "J M^-1 J^T");
}

void bind_inverses(py::module_& m)
{
  using namespace py::literals;
  const char* const of_mass =
      "M^-1 (nv, nv), symmetric, without M, in O(n^2). q (nq,): coordinates (rad, m; free joint: position, quaternion "
      "x y z w). Raises SizeError, and StateError where a joint's articulated inertia vanishes.";
  const std::initializer_list<const char*> of_a_motion{"V", "eta", "Vdot", "B_hat", "F"};
  const char* const of_rows =
      "J M^-1 J^T (m, m) for any rows J (m, nv): how fast each row begins to move when a unit of each force J^T f "
      "acts, from rest and without gravity. For a link's Jacobian the inverse of the operational-space inertia, for "
      "rows of loops or contacts the Delassus matrix.";
  py::class_<InverseMassMatrix<double>, Bodies> inverse(
      m, "InverseMassMatrix", "The inverse of the mass matrix by articulated bodies (Pinocchio's computeMinverse).");
  refuse_views(inverse, of_a_motion);
  inverse
      .def(py::init<const ModelD&>(), "model"_a, OthersRun(),
           "Make the workspace for a model. Raises ModelError when a joint could move without moving any mass.")
      .def("__call__", &inverse_at, "q"_a, of_mass);
  m.def(
      "inverse_mass_matrix",
      [](const ModelD& model, const Numbers& q) {
        InverseMassMatrix<double> of(model);
        return inverse_at(of, q);
      },
      "model"_a, "q"_a, of_mass);
  py::class_<Mobility<double>, Bodies> mobility(
      m, "Mobility", "How easily a machine gives way where it is pushed: J M^-1 J^T as a sum over the joints.");
  refuse_views(mobility, of_a_motion);
  mobility
      .def(py::init<const ModelD&>(), "model"_a, OthersRun(),
           "Make the workspace for a model. Raises ModelError when a joint could move without moving any mass.")
      .def(
          "__call__",
          [](Mobility<double>& at, const Numbers& q) {
            const auto where = configuration(at.model(), q);
            unlocked(linear(at.model()), &at, [&] { at(where); });
          },
          "q"_a, "Find the articulated inertias at q (nq,). Raises SizeError, StateError.")
      .def("of", &mobility_of, "J"_a, of_rows);
  m.def(
      "mobility",
      [](const ModelD& model, const Numbers& q, const Numbers& J) {
        const auto where = configuration(model, q);
        Mobility<double> at(model);
        unlocked(linear(model), nullptr, [&] { at(where); });
        return mobility_of(at, J);
      },
      "model"_a, "q"_a, "J"_a, of_rows);
}

}  // namespace

void bind_aba(py::module_& m)
{
  using namespace py::literals;
  const char* const arguments =
      "q (nq,): coordinates (rad, m; free joint: position, quaternion x y z w). qd (nv,): rates (rad/s, m/s; free "
      "joint: body twist). tau (nv,): joint forces (N m, N; free joint: wrench in the body frame). Fext: external "
      "wrenches, {link: (6,) in the link's frame} or (N + 1, 6) in body frames. Returns qdd (nv,), the component-wise "
      "derivative of qd. Raises SizeError, and StateError where a joint's articulated inertia vanishes.";
  py::class_<Bodies, Recursion<double>>(m, "ArticulatedBodies",
                                        "What forward and hybrid dynamics share: each body with all that hangs on it.")
      .def_property_readonly("I_hat", &matrices,
                             "The articulated inertias (N + 1, 6, 6) in body frames (Kim 43, 49); a copy.")
      .def_property_readonly("B_hat", seen(&Bodies::B_hat, "B_hat"),
                             "The articulated biases (N + 1, 6) in body frames, N m and N (Kim 50); a read-only view.")
      .def_property_readonly(
          "F", seen(&Bodies::F, "F"),
          "F_i = I_hat_i Vdot_i + B_hat_i (N + 1, 6) in body frames, N m and N (Kim 43); a read-only "
          "view. F[0] is not used.")
      .def_property_readonly("pivot", &pivots,
                             "For each body the pivots (nv_i,) of S^T I_hat S, column after column; a copy.")
      .def("is_prescribed", &is_prescribed, "k"_a, "Whether the acceleration of the k-th degree is prescribed (set u).")
      .def("respond", &respond, "tau"_a, "qdd"_a,
           "What forces and accelerations would do alone, at rest, without gravity, at the q of the last call: solves "
           "M qdd = tau. tau (nv,) is read in v, qdd (nv,) in u. Returns qdd (nv,) and tau (nv,), complete.");
  py::class_<Aba, Bodies>(m, "ForwardDynamics",
                          "Kim's Table 3: joint accelerations of a tree under given joint forces, in three "
                          "sweeps and O(n). What the recursion saw can be read after a call.")
      .def(py::init<const ModelD&>(), "model"_a, OthersRun(),
           "Make the workspace for a model. Raises ModelError when a joint could move without moving any mass.")
      .def("__call__", &accelerations, "q"_a, "qd"_a, "tau"_a, "Fext"_a = py::none(), arguments);
  m.def(
      "forward_dynamics",
      [](const ModelD& model, const Numbers& q, const Numbers& qd, const Numbers& tau, const GivenWrenches& Fext) {
        Aba aba(model);
        return accelerations(aba, q, qd, tau, Fext);
      },
      "model"_a, "q"_a, "qd"_a, "tau"_a, "Fext"_a = py::none(), arguments);
  bind_inverses(m);
}

}  // namespace articulate::python
