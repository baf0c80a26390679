/** \file
 *  \brief Many states at once in Python: arrays of states in, arrays of results out.
 */
#include "recursion.hpp"
#include <articulate/batch/batch.hpp>
#include <articulate/batch/lanes.hpp>

namespace articulate::python {
namespace {

using ModelD = Model<double>;
using StateRows = Eigen::Map<const MatrixX<double>>;
using RefusedRows = std::vector<BatchError::Refused>;

/// What the caller gives to be told which rows were refused.
struct RefusedInto : py::dict {
  using py::dict::dict;
};

}  // namespace
}  // namespace articulate::python

template <>
struct pybind11::detail::handle_type_name<articulate::python::RefusedInto> {
  static constexpr auto name = const_name("Dict[int, str]");
};

namespace articulate::python {
namespace {

bool rows_are_finite(const StateRows& x) { return (x.array() * 0).sum() == 0; }

/** \brief A state for each row: its columns, where the caller keeps them.
 *  \throws StateError naming argument, row and column
 */
StateRows state_rows(const Numbers& x, const char* name, int columns)
{
  const std::vector<py::ssize_t> shape = x.shape();
  if (shape.size() != 2 || shape[1] != columns)
    throw StateError(std::string(name) + " has the shape " + text(shape) + " where (N, " + std::to_string(columns) +
                     ") is needed, a row for each state.");
  const StateRows given(x.begin(), columns, shape[0]);
  if (!rows_are_finite(given))
    for (py::ssize_t k = 0; k < x.size(); ++k)
      if (!std::isfinite(x[k]))
        throw StateError(std::string(name) + "[" + std::to_string(k / columns) + ", " + std::to_string(k % columns) +
                         "] is " + std::to_string(x[k]) + " where a finite number is needed.");
  return given;
}

/// \brief The coordinates of all states.   \throws StateError, also for a quaternion that is no rotation
StateRows configuration_rows(const ModelD& model, const Numbers& q)
{
  const StateRows given = state_rows(q, "q", model.nq());
  for (const JointSlot& joint : model.joints()) {
    if (joint.nq == joint.nv) continue;
    const int first = joint.q + joint.nq - 4;
    for (Eigen::Index k = 0; k < given.cols(); ++k)
      if (!(given.col(k).segment<4>(first).squaredNorm() > 0))
        throw StateError("The quaternion of joint '" + joint.name + "' in q, from q[" + std::to_string(k) + ", " +
                         std::to_string(first) + "] on, has length zero and is no rotation; one has length one.");
  }
  return given;
}

/// An array of results, and where they are written.
struct ResultRows {
  Array array;
  Eigen::Map<MatrixX<double>> columns;
  const char* name;

  ResultRows(const char* of, Eigen::Index states, const std::vector<py::ssize_t>& shape)
      : array(whole(states, shape)), columns(array.mutable_data(), states ? array.size() / states : 0, states), name(of)
  {
  }

private:
  static std::vector<py::ssize_t> whole(Eigen::Index states, std::vector<py::ssize_t> shape)
  {
    shape.insert(shape.begin(), states);
    return shape;
  }
};

/// Compute while others run; what is refused, or is not finite, is raised or goes to the caller's dictionary.
template <typename Compute>
void run_batch(Batch& batch, Eigen::Index states, const std::optional<RefusedInto>& refused,
               std::initializer_list<ResultRows*> all, const Compute& compute)
{
  if (states == 0) return;
  RefusedRows found = unlocked({1.0 * batch.model().bodies() * static_cast<double>(states)}, &batch, [&] {
    try {
      compute();
    } catch (const BatchError& error) {
      return error.refused;
    }
    return RefusedRows();
  });
  for (const ResultRows* results : all) {
    if (rows_are_finite(StateRows(results->array.data(), results->columns.rows(), states))) continue;
    const auto known = found;
    for (Eigen::Index k = 0; k < states; ++k)
      if (!results->columns.col(k).allFinite() &&
          std::none_of(known.begin(), known.end(), [&](const auto& one) { return one.state == k; }))
        found.push_back({k, std::string("the result ") + results->name +
                                " is not finite; some number of the state is too large for double precision."});
  }
  if (found.empty()) return;
  if (!refused) throw BatchError(std::move(found));
  for (const auto& [state, sentence] : found) (*refused)[py::int_(state)] = sentence;
}

/// The wrenches of all states, or none.   \throws StateError
StateRows wrench_rows(const ModelD& model, const std::optional<Numbers>& Fext)
{
  if (!Fext) return {nullptr, 0, 0};
  const std::vector<py::ssize_t> shape = Fext->shape();
  const int bodies = model.bodies() + 1;
  if (shape.size() != 3 || shape[1] != bodies || shape[2] != 6)
    throw StateError("Fext has the shape " + text(shape) + " where (N, " + std::to_string(bodies) +
                     ", 6) is needed, a row for each state, and in it one for the world and each body.");
  const StateRows given(Fext->begin(), 6 * bodies, shape[0]);
  if (!rows_are_finite(given)) require_finite(*Fext, "Fext");
  return given;
}

/// Accelerations give forces, or forces accelerations.
using Dynamics = void (Batch::*)(const Batch::States&, const Batch::States&, const Batch::States&, Batch::Results,
                                 const Batch::States&);

Array dynamics_of_rows(Batch& batch, Dynamics dynamics, const Numbers& q, const Numbers& qd, const Numbers& given,
                       const char* its_name, const char* wanted, const std::optional<RefusedInto>& refused,
                       const std::optional<Numbers>& Fext)
{
  const ModelD& model = batch.model();
  const StateRows at = configuration_rows(model, q), rates = state_rows(qd, "qd", model.nv()),
                  known = state_rows(given, its_name, model.nv()), wrenches = wrench_rows(model, Fext);
  ResultRows found(wanted, at.cols(), {model.nv()});
  run_batch(batch, at.cols(), refused, {&found}, [&] { (batch.*dynamics)(at, rates, known, found.columns, wrenches); });
  return found.array;
}

Array inverse_dynamics_of_rows(Batch& batch, const Numbers& q, const Numbers& qd, const Numbers& qdd,
                               const std::optional<RefusedInto>& refused, const std::optional<Numbers>& Fext)
{
  return dynamics_of_rows(batch, &Batch::inverse_dynamics, q, qd, qdd, "qdd", "tau", refused, Fext);
}

Array forward_dynamics_of_rows(Batch& batch, const Numbers& q, const Numbers& qd, const Numbers& tau,
                               const std::optional<RefusedInto>& refused, const std::optional<Numbers>& Fext)
{
  return dynamics_of_rows(batch, &Batch::forward_dynamics, q, qd, tau, "tau", "qdd", refused, Fext);
}

std::tuple<Array, Array> hybrid_dynamics_of_rows(Batch& batch, const std::vector<bool>& prescribed, const Numbers& q,
                                                 const Numbers& qd, const Numbers& qdd, const Numbers& tau,
                                                 const std::optional<RefusedInto>& refused,
                                                 const std::optional<Numbers>& Fext)
{
  const ModelD& model = batch.model();
  const StateRows at = configuration_rows(model, q), rates = state_rows(qd, "qd", model.nv()),
                  wrenches = wrench_rows(model, Fext), accelerations = state_rows(qdd, "qdd", model.nv()),
                  forces = state_rows(tau, "tau", model.nv());
  ResultRows all_qdd("qdd", at.cols(), {model.nv()}), all_tau("tau", at.cols(), {model.nv()});
  run_batch(batch, at.cols(), refused, {&all_qdd, &all_tau}, [&] {
    batch.hybrid_dynamics(prescribed, at, rates, accelerations, forces, all_qdd.columns, all_tau.columns, wrenches);
  });
  return {all_qdd.array, all_tau.array};
}

/// Derivatives of what accelerations or forces give, as many as there are names: an array for each state, whose last two axes
/// are rows and columns.
template <typename Derivatives, std::size_t count>
auto derivatives_of_rows(Batch& batch, Derivatives derivatives, const Numbers& q, const Numbers& qd,
                         const Numbers& given, const char* its_name, const std::array<const char*, count>& names,
                         std::size_t axes, const std::optional<RefusedInto>& refused,
                         const std::optional<Numbers>& Fext)
{
  const ModelD& model = batch.model();
  const int n = model.nv();
  const StateRows at = configuration_rows(model, q), rates = state_rows(qd, "qd", n),
                  known = state_rows(given, its_name, n), wrenches = wrench_rows(model, Fext);
  const std::vector<py::ssize_t> shape(axes, n);
  return [&]<std::size_t... k>(std::index_sequence<k...>)
  {
    std::array<ResultRows, count> found{ResultRows(names[k], at.cols(), shape)...};
    run_batch(batch, at.cols(), refused, {&found[k]...},
              [&] { (batch.*derivatives)(at, rates, known, found[k].columns..., wrenches); });
    // Matrices were written column by column.
    return std::tuple(Array(found[k].array.attr("swapaxes")(-2, -1))...);
  }
  (std::make_index_sequence<count>());
}

using ThreeMatrices = std::tuple<Array, Array, Array>;
using FourHessians = std::tuple<Array, Array, Array, Array>;
constexpr std::array second_derivatives{"q_q", "q_qd", "qd_qd", "q_given"};

FourHessians inverse_hessians_of_rows(Batch& batch, const Numbers& q, const Numbers& qd, const Numbers& qdd,
                                      const std::optional<RefusedInto>& refused, const std::optional<Numbers>& Fext)
{
  return derivatives_of_rows(batch, &Batch::inverse_dynamics_hessians, q, qd, qdd, "qdd", second_derivatives, 3,
                             refused, Fext);
}

FourHessians forward_hessians_of_rows(Batch& batch, const Numbers& q, const Numbers& qd, const Numbers& tau,
                                      const std::optional<RefusedInto>& refused, const std::optional<Numbers>& Fext)
{
  return derivatives_of_rows(batch, &Batch::forward_dynamics_hessians, q, qd, tau, "tau", second_derivatives, 3,
                             refused, Fext);
}

/** \brief A table for each state, a row for each degree and a column for each derivative, as a batch reads it: derivative
 *  after derivative.   \throws StateError naming the argument, its shape or the number that is not finite
 */
MatrixX<double> tables_of_rows(const Numbers& x, const char* name, int degrees, py::ssize_t derivatives)
{
  const std::vector<py::ssize_t> shape = x.shape();
  if (shape.size() != 3 || shape[1] != degrees || shape[2] != derivatives)
    throw StateError(std::string(name) + " has the shape " + text(shape) + " where (N, " + std::to_string(degrees) +
                     ", " + std::to_string(derivatives) + ") is needed, a table for each state.");
  require_finite(x, name);
  MatrixX<double> columns(degrees * derivatives, shape[0]);
  for (py::ssize_t state = 0; state < shape[0]; ++state)
    columns.col(state).reshaped(degrees, derivatives) =
        StateRows(x.begin() + state * columns.rows(), derivatives, degrees).transpose();
  return columns;
}

/// The wrenches of all states and their derivatives, or none.   \throws StateError
StateRows wrench_tables(const ModelD& model, const std::optional<Numbers>& Fext, py::ssize_t derivatives)
{
  if (!Fext) return {nullptr, 0, 0};
  const std::vector<py::ssize_t> shape = Fext->shape();
  const int bodies = model.bodies() + 1;
  if (shape.size() != 4 || shape[1] != derivatives || shape[2] != bodies || shape[3] != 6)
    throw StateError("Fext has the shape " + text(shape) + " where (N, " + std::to_string(derivatives) + ", " +
                     std::to_string(bodies) +
                     ", 6) is needed: for each state the wrenches and their derivatives, and in "
                     "each of them one for the world and each body.");
  require_finite(*Fext, "Fext");
  return {Fext->begin(), derivatives * bodies * 6, shape[0]};
}

std::tuple<Array, Array> higher_order_of_rows(Batch& batch, const std::vector<bool>& prescribed, const Numbers& q,
                                              const Numbers& qd, const Numbers& qdd, const Numbers& tau,
                                              const std::optional<RefusedInto>& refused,
                                              const std::optional<Numbers>& Fext)
{
  const ModelD& model = batch.model();
  const int n = model.nv();
  detail::require_size("prescribed", prescribed, n);
  const py::ssize_t derivatives = qdd.array.ndim() == 3 && qdd.array.shape(2) > 0 ? qdd.array.shape(2) : 1;
  const StateRows at = configuration_rows(model, q), rates = state_rows(qd, "qd", n);
  const MatrixX<double> motion = tables_of_rows(qdd, "qdd", n, derivatives),
                        forces = tables_of_rows(tau, "tau", n, derivatives);
  const StateRows wrenches = wrench_tables(model, Fext, derivatives);
  ResultRows all_qdd("qdd", at.cols(), {derivatives, n}), all_tau("tau", at.cols(), {derivatives, n});
  run_batch(batch, at.cols(), refused, {&all_qdd, &all_tau}, [&] {
    batch.higher_order_dynamics(static_cast<int>(derivatives) - 1, prescribed, at, rates, motion, forces,
                                all_qdd.columns, all_tau.columns, wrenches);
  });
  const auto by_degree = [](const ResultRows& x) { return Array(x.array.attr("swapaxes")(1, 2)); };
  return {by_degree(all_qdd), by_degree(all_tau)};
}

ThreeMatrices inverse_jacobians_of_rows(Batch& batch, const Numbers& q, const Numbers& qd, const Numbers& qdd,
                                        const std::optional<RefusedInto>& refused, const std::optional<Numbers>& Fext)
{
  return derivatives_of_rows(batch, &Batch::inverse_dynamics_jacobians, q, qd, qdd, "qdd",
                             std::array{"dtau_dq", "dtau_dqd", "dtau_dqdd"}, 2, refused, Fext);
}

ThreeMatrices forward_jacobians_of_rows(Batch& batch, const Numbers& q, const Numbers& qd, const Numbers& tau,
                                        const std::optional<RefusedInto>& refused, const std::optional<Numbers>& Fext)
{
  return derivatives_of_rows(batch, &Batch::forward_dynamics_jacobians, q, qd, tau, "tau",
                             std::array{"dqdd_dq", "dqdd_dqd", "dqdd_dtau"}, 2, refused, Fext);
}

Array mass_matrix_of_rows(Batch& batch, const Numbers& q, const std::optional<RefusedInto>& refused)
{
  const ModelD& model = batch.model();
  const StateRows at = configuration_rows(model, q);
  ResultRows M("M", at.cols(), {model.nv(), model.nv()});
  run_batch(batch, at.cols(), refused, {&M}, [&] { batch.mass_matrix(at, M.columns); });
  return M.array;
}

Array energies_of_rows(Batch& batch, const Numbers& q, const Numbers& qd, const std::optional<RefusedInto>& refused)
{
  const ModelD& model = batch.model();
  const StateRows at = configuration_rows(model, q), rates = state_rows(qd, "qd", model.nv());
  ResultRows both("energies", at.cols(), {2});
  run_batch(batch, at.cols(), refused, {&both}, [&] { batch.energies(at, rates, both.columns); });
  return both.array;
}

}  // namespace

void bind_batch(py::module_& m)
{
  using namespace py::literals;
  const py::arg_v refused("refused", py::none()), Fext("Fext", py::none());
  py::class_<Batch>(
      m, "Batch",
      "Many states of one model in one call, a row for each state; the processor computes as many side by "
      "side as it has lanes. Fext (N, bodies + 1, 6): external wrenches in body frames, the world's first, which are "
      "not read. Armature is not taken. States that are refused raise "
      "StateError, which names the first of them; or, if a dict is given as `refused`, it receives {row: "
      "sentence}, and the results of these rows are NaN. Numbers that are not finite and quaternions of length zero "
      "are "
      "refused before, in any case. Other threads run meanwhile.")
      .def(py::init([](const ModelD& model, int threads) { return new Batch(model, threads, widest_lanes()); }),
           "model"_a, "threads"_a = 1, OthersRun(),
           "Make the workspace. threads: how many share the states of a call, at least 1. Raises Error.")
      .def_property_readonly("lanes", &Batch::lanes,
                             "How many states the processor computes side by side: 1, 2, 4 or 8.")
      .def_property_readonly("threads", &Batch::threads, "How many threads share the states of a call.")
      .def("inverse_dynamics", &inverse_dynamics_of_rows, "q"_a, "qd"_a, "qdd"_a, refused, Fext,
           "q (N, nq): coordinates (rad, m; free joint: position, quaternion x y z w). qd (N, nv): rates (rad/s, m/s; "
           "free joint: body twist). qdd (N, nv): accelerations. Returns tau (N, nv) (N m, N). Raises SizeError, "
           "StateError.")
      .def("forward_dynamics", &forward_dynamics_of_rows, "q"_a, "qd"_a, "tau"_a, refused, Fext,
           "q (N, nq), qd (N, nv): coordinates and rates. tau (N, nv): joint forces (N m, N). Returns qdd (N, nv) "
           "(rad/s^2, m/s^2). Raises ModelError, SizeError, StateError.")
      .def("hybrid_dynamics", &hybrid_dynamics_of_rows, "prescribed"_a, "q"_a, "qd"_a, "qdd"_a, "tau"_a, refused, Fext,
           "prescribed (nv,): is the acceleration of this degree prescribed, or its force? q (N, nq), qd, qdd, tau "
           "(N, nv), of which what is given is read. Returns qdd and tau (N, nv), complete. Raises ModelError, "
           "SizeError, StateError.")
      .def("inverse_dynamics_jacobians", &inverse_jacobians_of_rows, "q"_a, "qd"_a, "qdd"_a, refused, Fext,
           "q (N, nq), qd, qdd (N, nv): coordinates, rates, accelerations. Returns the derivatives of tau with "
           "respect to q (along joint displacements), qd and qdd, (N, nv, nv) each. Raises SizeError, StateError.")
      .def("forward_dynamics_jacobians", &forward_jacobians_of_rows, "q"_a, "qd"_a, "tau"_a, refused, Fext,
           "q (N, nq), qd, tau (N, nv): coordinates, rates, joint forces. Returns the derivatives of qdd with "
           "respect to q (along joint displacements), qd and tau, (N, nv, nv) each. Raises ModelError, SizeError, "
           "StateError.")
      .def("inverse_dynamics_hessians", &inverse_hessians_of_rows, "q"_a, "qd"_a, "qdd"_a, refused, Fext,
           "q (N, nq), qd, qdd (N, nv): coordinates, rates, accelerations. Returns the second derivatives of tau, "
           "(N, nv, nv, nv) each: [state, i, j, k] as inverse_dynamics_hessians has [i, j, k]. Raises SizeError, "
           "StateError.")
      .def("forward_dynamics_hessians", &forward_hessians_of_rows, "q"_a, "qd"_a, "tau"_a, refused, Fext,
           "q (N, nq), qd, tau (N, nv): coordinates, rates, joint forces. Returns the second derivatives of qdd, "
           "(N, nv, nv, nv) each: [state, i, j, k] as forward_dynamics_hessians has [i, j, k]. Raises ModelError, "
           "SizeError, StateError.")
      .def(
          "higher_order_dynamics", &higher_order_of_rows, "prescribed"_a, "q"_a, "qd"_a, "qdd"_a, "tau"_a, refused,
          Fext,
          "prescribed (nv,): is the motion of this degree prescribed, or its force? q (N, nq), qd (N, nv): coordinates "
          "and rates. qdd, tau (N, nv, r + 1): accelerations and joint forces with their derivatives in time, of which "
          "what is given is read. Fext (N, r + 1, bodies + 1, 6): external wrenches with theirs. Returns qdd and tau "
          "(N, nv, r + 1), complete; see HigherOrderDynamics. Raises ModelError, SizeError, StateError.")
      .def("mass_matrix", &mass_matrix_of_rows, "q"_a, refused,
           "q (N, nq): coordinates. Returns M (N, nv, nv) (kg m^2, kg m, kg). Raises SizeError, StateError.")
      .def("energies", &energies_of_rows, "q"_a, "qd"_a, refused,
           "q (N, nq), qd (N, nv): coordinates and rates. Returns kinetic and potential energy (N, 2) (J) in the "
           "model's own gravity. Raises SizeError, StateError.");
}

}  // namespace articulate::python
