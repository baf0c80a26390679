/** \file
 *  \brief Dynamics of any order in Python.
 */
#include <articulate/higher_order/higher_order_dynamics.hpp>
#include "recursion.hpp"

namespace articulate::python {
namespace {

using ModelD = Model<double>;
using SE3D = SE3<double>;
using InBodyForm = HigherOrderDynamics<double>;
using InSpatialForm = HigherOrderDynamics<double, SpatialForm<double>>;
using ManyWrenches = std::optional<std::vector<GivenWrenches>>;

/// Either form, and the model that it moves.
struct HigherOrder {
  ModelD model;
  std::variant<InBodyForm, InSpatialForm> form;

  int order() const
  {
    return std::visit([](const auto& dynamics) { return dynamics.order(); }, form);
  }
};

HigherOrder make(const ModelD& model, int order, const std::vector<bool>& prescribed, const std::string& form)
{
  if (form == "body") return {model, InBodyForm(model, order, prescribed)};
  if (form == "spatial") return {model, InSpatialForm(model, order, prescribed)};
  throw StateError("form is '" + form + "' where 'body' or 'spatial' is needed.");
}

/// Numbers by rows, as many rows as there are in one given shape.
MatrixX<double> table(const Numbers& x, const char* name, py::ssize_t rows, py::ssize_t columns)
{
  const std::vector<py::ssize_t> shape{rows, columns};
  if (x.shape() != shape)
    throw StateError(std::string(name) + " has the shape " + text(x.shape()) + " where " + text(shape) + " is needed.");
  require_finite(x, name);
  return Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(x.begin(), rows,
                                                                                                  columns);
}

std::tuple<Array, Array> complete_derivatives(HigherOrder& dynamics, const Numbers& q, const Numbers& qd,
                                              const Numbers& qdd, const Numbers& tau, const ManyWrenches& Fext)
{
  const ModelD& model = dynamics.model;
  const int nv = model.nv(), columns = dynamics.order() + 1;
  const VectorX<double> at = configuration(model, q), rates = vector(qd, "qd", nv);
  const MatrixX<double> motion = table(qdd, "qdd", nv, columns), forces = table(tau, "tau", nv, columns);
  WrenchDerivatives<double> wrenches;
  if (Fext && Fext->size() > static_cast<std::size_t>(columns))
    throw StateError("Fext has " + detail::entries(Fext->size()) + " where order " + std::to_string(dynamics.order()) +
                     " has at most " + std::to_string(columns) + ", the wrenches and their derivatives.");
  if (Fext)
    for (const GivenWrenches& derivative : *Fext)
      wrenches.push_back(derivative ? on_bodies(model, derivative) : ExternalWrenches<double>(model.bodies() + 1));
  return std::visit(
      [&](auto& in_form) -> std::tuple<Array, Array> {
        MatrixX<double> accelerations, complete_forces;
        unlocked({linear(model).steps * columns * columns}, &dynamics, [&] {
          in_form(at, rates, motion, forces, wrenches);
          accelerations = in_form.qdd(), complete_forces = in_form.tau();
        });
        return {finite_array(accelerations, "qdd"), finite_array(complete_forces, "tau")};
      },
      dynamics.form);
}

/// Derivatives of a twist or a wrench, a row each.
template <typename Six>
std::vector<Six> derivatives(const Numbers& x, const char* name)
{
  const MatrixX<double> rows = table(x, name, x.array.ndim() ? x.array.shape(0) : 0, 6);
  std::vector<Six> list;
  for (Eigen::Index k = 0; k < rows.rows(); ++k)
    list.push_back({{rows(k, 0), rows(k, 1), rows(k, 2)}, {rows(k, 3), rows(k, 4), rows(k, 5)}});
  return list;
}

template <typename Six>
Array by_rows(const std::vector<Six>& list)
{
  MatrixX<double> rows(list.size(), 6);
  for (std::size_t k = 0; k < list.size(); ++k) rows.row(k) = coordinates(list[k]).transpose();
  return finite_array(rows, "derivatives");
}

std::vector<Twist<double>> twists(const Numbers& V) { return derivatives<Twist<double>>(V, "V"); }

/// Wrenches, and no fewer derivatives of the twist.
std::vector<Wrench<double>> wrenches(const Numbers& F, const std::vector<Twist<double>>& V)
{
  const std::vector<Wrench<double>> list = derivatives<Wrench<double>>(F, "F");
  if (list.size() > V.size() + 1)
    throw SizeError("V (rows)", static_cast<long>(V.size()), static_cast<long>(list.size()) - 1);
  return list;
}

Array matrices_of(const SE3D& C, const Numbers& V)
{
  const std::vector<Matrix4<double>> list = pose_derivatives(C, twists(V));
  Array stack({static_cast<py::ssize_t>(list.size()), py::ssize_t(4), py::ssize_t(4)});
  for (std::size_t k = 0; k < list.size(); ++k)
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) stack.mutable_at(k, i, j) = list[k](i, j);
  return stack;
}

Array spatial_twists_of(const Numbers& C)
{
  const std::vector<py::ssize_t> shape = C.shape();
  if (shape.size() != 3 || shape[0] < 1 || shape[1] != 4 || shape[2] != 4)
    throw StateError("C has the shape " + text(shape) + " where (k + 1, 4, 4) is needed.");
  require_finite(C, "C");
  std::vector<Matrix4<double>> list;
  for (py::ssize_t k = 0; k < shape[0]; ++k)
    list.push_back(Eigen::Map<const Eigen::Matrix<double, 4, 4, Eigen::RowMajor>>(C.begin() + 16 * k));
  return by_rows(spatial_twists(list));
}

}  // namespace

void bind_higher_order(py::module_& m)
{
  using namespace py::literals;
  py::class_<HigherOrder>(m, "HigherOrderDynamics",
                          "Derivatives of any order r in time of inverse, forward and hybrid dynamics (Ali, Gabellieri "
                          "and Franchi 2026, Algorithms 2 to 4).")
      .def(py::init(&make), "model"_a, "order"_a, "prescribed"_a, "form"_a = "body", OthersRun(),
           "Make the workspace for the order r. prescribed (nv,): is the motion of this degree prescribed, or its "
           "force? form: 'body', by series of body twists, or 'spatial', as the paper has it; near the "
           "world's origin both give the same numbers, the first faster; the second sees all from there, and loses "
           "digits with the distance. Raises SizeError, StateError, and ModelError when a joint whose force is given "
           "could move without moving any mass.")
      .def_static(
          "inverse",
          [](const ModelD& model, int order, const std::string& form) {
            return make(model, order, std::vector<bool>(model.nv(), true), form);
          },
          "model"_a, "order"_a, "form"_a = "body", "Algorithm 2: all motion is prescribed.")
      .def_static(
          "forward",
          [](const ModelD& model, int order, const std::string& form) {
            return make(model, order, std::vector<bool>(model.nv(), false), form);
          },
          "model"_a, "order"_a, "form"_a = "body", "Algorithm 3: all forces are given.")
      .def("__call__", &complete_derivatives, "q"_a, "qd"_a, "qdd"_a, "tau"_a, "Fext"_a = py::none(),
           "q (nq,), qd (nv,): coordinates and rates. qdd (nv, r + 1): accelerations and their derivatives, of which "
           "the rows of prescribed degrees are read. tau (nv, r + 1): joint forces and their derivatives, of which the "
           "other rows are read. Fext: external wrenches and their derivatives, a list whose entries are {link: (6,) "
           "in the link's frame} or (N + 1, 6) in body frames; those that are missing are zero. Returns qdd and tau, "
           "complete.")
      .def(
          "set_gravity",
          [](HigherOrder& dynamics, const Vector3<double>& g) {
            std::visit([&](auto& in_form) { in_form.set_gravity(g); }, dynamics.form);
          },
          "gravity"_a, "Gravity (3,), m/s^2, in place of the model's own.")
      .def_property_readonly("order", &HigherOrder::order, "r: forces are known to this derivative.");

  m.def("pose_derivatives", &matrices_of, "C"_a, "V"_a,
        "The 4x4 matrix of a pose and its k first derivatives (k + 1, 4, 4), from its spatial twist and the "
        "derivatives of "
        "that, V (k, 6) (Ali 20).");
  m.def(
      "spatial_twists", &spatial_twists_of, "C"_a,
      "The spatial twist of a pose and its derivatives (k, 6), from the 4x4 matrix and its derivatives C (k + 1, 4, 4) "
      "(Ali 20).");
  m.def(
      "to_spatial", [](const SE3D& C, const Numbers& V) { return by_rows(to_spatial(C, twists(V))); }, "C"_a, "V"_a,
      "Derivatives of the spatial twist of a pose, a row each, from those of its body twist V (k, 6).");
  m.def(
      "to_spatial",
      [](const SE3D& C, const Numbers& V, const Numbers& F) {
        const std::vector<Twist<double>> V_rows = twists(V);
        return by_rows(to_spatial(C, V_rows, wrenches(F, V_rows)));
      },
      "C"_a, "V"_a, "F"_a,
      "Derivatives of a wrench about the inertial origin, a row each, from those in the frame at C, F (k, 6); V "
      "are "
      "those of the body twist, at least k - 1 rows.");
  m.def(
      "to_body", [](const SE3D& C, const Numbers& V) { return by_rows(to_body(C, twists(V))); }, "C"_a, "V"_a,
      "Derivatives of the body twist of a pose, a row each, from those of its spatial twist V (k, 6).");
  m.def(
      "to_body",
      [](const SE3D& C, const Numbers& V, const Numbers& F) {
        const std::vector<Twist<double>> V_rows = twists(V);
        return by_rows(to_body(C, V_rows, wrenches(F, V_rows)));
      },
      "C"_a, "V"_a, "F"_a,
      "Derivatives of a wrench in the frame at C, a row each, from those about the inertial origin, F (k, 6); V "
      "are "
      "those of the spatial twist, at least k - 1 rows.");
}

}  // namespace articulate::python
