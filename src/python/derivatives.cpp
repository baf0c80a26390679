/** \file
 *  \brief Derivatives of the dynamics in Python.
 */
#include "recursion.hpp"
#include <articulate/aba/forward_dynamics.hpp>
#include <articulate/derivatives/centroidal_derivatives.hpp>
#include <articulate/derivatives/constrained_derivative.hpp>
#include <articulate/derivatives/hybrid_derivative.hpp>
#include <articulate/derivatives/hybrid_second_derivatives.hpp>
#include <articulate/derivatives/kinematic_hessian.hpp>
#include <articulate/derivatives/link_derivatives.hpp>
#include <articulate/derivatives/loop_impulse_derivative.hpp>
#include "choice.hpp"

namespace articulate::python {
namespace {

using ModelD = Model<double>;
using Three = std::tuple<Array, Array, Array>;
using Four = std::tuple<Array, Array, Array, Array>;

/// The state at which something is differentiated, refused where it does not fit the model.
struct At {
  VectorX<double> q, qd;
  ExternalWrenches<double> Fext;

  At(const ModelD& model, const Numbers& q_given, const Numbers& qd_given, const GivenWrenches& Fext_given)
      : q(configuration(model, q_given)), qd(vector(qd_given, "qd", model.nv())), Fext(on_bodies(model, Fext_given))
  {
  }
};

Array inverse_derivative(const ModelD& model, const Parameter& parameter, const Numbers& q, const Numbers& qd,
                         const Numbers& qdd, const GivenWrenches& Fext)
{
  const At at(model, q, qd, Fext);
  const VectorX<double> accelerations = vector(qdd, "qdd", model.nv());
  const VectorX<double> dtau = unlocked(linear(model), nullptr, [&] {
    return inverse_dynamics_derivative(model, parameter, at.q, at.qd, accelerations, at.Fext);
  });
  return finite_array(dtau, "dtau");
}

Array forward_derivative(const ModelD& model, const Parameter& parameter, const Numbers& q, const Numbers& qd,
                         const Numbers& tau, const GivenWrenches& Fext)
{
  const At at(model, q, qd, Fext);
  const VectorX<double> forces = vector(tau, "tau", model.nv());
  const VectorX<double> dqdd = unlocked(linear(model), nullptr, [&] {
    return forward_dynamics_derivative(model, parameter, at.q, at.qd, forces, at.Fext);
  });
  return finite_array(dqdd, "dqdd");
}

Three inverse_jacobians(const ModelD& model, const Numbers& q, const Numbers& qd, const Numbers& qdd,
                        const GivenWrenches& Fext)
{
  const At at(model, q, qd, Fext);
  const VectorX<double> accelerations = vector(qdd, "qdd", model.nv());
  const auto [dtau_dq, dtau_dqd, dtau_dqdd] = unlocked(quadratic(model), nullptr, [&] {
    return inverse_dynamics_jacobians(model, at.q, at.qd, accelerations, at.Fext);
  });
  return {finite_array(dtau_dq, "dtau_dq"), finite_array(dtau_dqd, "dtau_dqd"), finite_array(dtau_dqdd, "dtau_dqdd")};
}

Three forward_jacobians(const ModelD& model, const Numbers& q, const Numbers& qd, const Numbers& tau,
                        const GivenWrenches& Fext)
{
  const At at(model, q, qd, Fext);
  const VectorX<double> forces = vector(tau, "tau", model.nv());
  const auto [dqdd_dq, dqdd_dqd, dqdd_dtau] = unlocked(
      quadratic(model), nullptr, [&] { return forward_dynamics_jacobians(model, at.q, at.qd, forces, at.Fext); });
  return {finite_array(dqdd_dq, "dqdd_dq"), finite_array(dqdd_dqd, "dqdd_dqd"), finite_array(dqdd_dtau, "dqdd_dtau")};
}

Three hybrid_jacobians(const ModelD& model, const std::vector<bool>& prescribed, const Numbers& q, const Numbers& qd,
                       const Numbers& qdd, const Numbers& tau, const GivenWrenches& Fext)
{
  const At at(model, q, qd, Fext);
  const VectorX<double> accelerations = vector(qdd, "qdd", model.nv()), forces = vector(tau, "tau", model.nv());
  const auto [by_q, by_qd, by_given] = unlocked(quadratic(model), nullptr, [&] {
    return hybrid_dynamics_jacobians(model, prescribed, at.q, at.qd, accelerations, forces, at.Fext);
  });
  return {finite_array(by_q, "by_q"), finite_array(by_qd, "by_qd"), finite_array(by_given, "by_given")};
}

Three link_jacobians(const ModelD& model, const std::string& name, const Numbers& q, const Numbers& qd,
                     const Numbers& qdd, Choice<JacobianFrame> frame, const SE3<double>& offset)
{
  const At at(model, q, qd, {});
  const VectorX<double> accelerations = vector(qdd, "qdd", model.nv());
  const auto [twist_by_q, acceleration_by_q, acceleration_by_qd] = unlocked(linear(model), nullptr, [&] {
    return link_motion_jacobians(model, frame_on(model.link(name), offset), at.q, at.qd, accelerations, frame);
  });
  return {finite_array(twist_by_q, "twist_by_q"), finite_array(acceleration_by_q, "acceleration_by_q"),
          finite_array(acceleration_by_qd, "acceleration_by_qd")};
}

Three whole_jacobians(const ModelD& model, const Numbers& q, const Numbers& qd, const Numbers& qdd)
{
  const At at(model, q, qd, {});
  const VectorX<double> accelerations = vector(qdd, "qdd", model.nv());
  const auto [momentum_by_q, rate_by_q, rate_by_qd] =
      unlocked(linear(model), nullptr, [&] { return centroidal_jacobians(model, at.q, at.qd, accelerations); });
  return {finite_array(momentum_by_q, "momentum_by_q"), finite_array(rate_by_q, "rate_by_q"),
          finite_array(rate_by_qd, "rate_by_qd")};
}

/// (6, nv, nv): [i, k, j] is that of J[i, k] by q_j.
Array kinematic_hessian(const ModelD& model, const std::string& name, const Numbers& q, Choice<JacobianFrame> frame,
                        const SE3<double>& offset)
{
  const VectorX<double> coordinates = configuration(model, q);
  const Indexed<MatrixX<double>> H = unlocked(quadratic(model), nullptr, [&] {
    return link_jacobian_derivatives(model, frame_on(model.link(name), offset), coordinates, frame);
  });
  const py::ssize_t n = model.nv();
  Array all(std::vector<py::ssize_t>{6, n, n});
  for (py::ssize_t j = 0; j < n; ++j) {
    require_finite_result(H[j], "derivatives of the Jacobian");
    for (py::ssize_t i = 0; i < 6; ++i)
      for (py::ssize_t k = 0; k < n; ++k) all.mutable_at(i, k, j) = H[j](i, k);
  }
  return all;
}

/// (nv, nv, nv): by number, then by the two variables.
Array array_of(const Hessians<double>& H, const char* name)
{
  const py::ssize_t n = static_cast<py::ssize_t>(H.size());
  Array all(std::vector<py::ssize_t>{n, n, n});
  for (py::ssize_t i = 0; i < n; ++i) {
    require_finite_result(H[i], name);
    for (py::ssize_t j = 0; j < n; ++j)
      for (py::ssize_t k = 0; k < n; ++k) all.mutable_at(i, j, k) = H[i](j, k);
  }
  return all;
}

Four arrays_of(const DynamicsHessians<double>& of)
{
  return {array_of(of.q_q, "q_q"), array_of(of.q_qd, "q_qd"), array_of(of.qd_qd, "qd_qd"),
          array_of(of.q_given, "q_given")};
}

Four inverse_hessians(const ModelD& model, const Numbers& q, const Numbers& qd, const Numbers& qdd,
                      const GivenWrenches& Fext)
{
  const At at(model, q, qd, Fext);
  const VectorX<double> accelerations = vector(qdd, "qdd", model.nv());
  return arrays_of(unlocked(any_length(), nullptr,
                            [&] { return inverse_dynamics_hessians(model, at.q, at.qd, accelerations, at.Fext); }));
}

Four forward_hessians(const ModelD& model, const Numbers& q, const Numbers& qd, const Numbers& tau,
                      const GivenWrenches& Fext)
{
  const At at(model, q, qd, Fext);
  const VectorX<double> forces = vector(tau, "tau", model.nv());
  return arrays_of(
      unlocked(any_length(), nullptr, [&] { return forward_dynamics_hessians(model, at.q, at.qd, forces, at.Fext); }));
}

Four hybrid_hessians(const ModelD& model, const std::vector<bool>& prescribed, const Numbers& q, const Numbers& qd,
                     const Numbers& qdd, const Numbers& tau, const GivenWrenches& Fext)
{
  const At at(model, q, qd, Fext);
  const VectorX<double> accelerations = vector(qdd, "qdd", model.nv()), forces = vector(tau, "tau", model.nv());
  return arrays_of(unlocked(any_length(), nullptr, [&] {
    return hybrid_dynamics_hessians(model, prescribed, at.q, at.qd, accelerations, forces, at.Fext);
  }));
}

Four constrained_derivative(const ModelD& model, const std::vector<Loop>& loops, const std::vector<bool>& prescribed,
                            const Parameter& parameter, const Numbers& q, const Numbers& qd, const Numbers& qdd,
                            const Numbers& tau, const GivenWrenches& Fext)
{
  const At at(model, q, qd, Fext);
  const VectorX<double> accelerations = vector(qdd, "qdd", model.nv()), forces = vector(tau, "tau", model.nv());
  const auto [dqdd, dtau, dlambda, contradiction] = unlocked(quadratic(model), nullptr, [&] {
    return constrained_dynamics_derivative(model, loops, prescribed, parameter, at.q, at.qd, accelerations, forces,
                                           at.Fext);
  });
  return {finite_array(dqdd, "dqdd"), finite_array(dtau, "dtau"), finite_array(dlambda, "dlambda"),
          finite_array(contradiction, "contradiction")};
}

Four impulse_jacobians(const ModelD& model, const std::vector<Loop>& loops, const Numbers& q, const Numbers& before,
                       Number restitution)
{
  const VectorX<double> at = configuration(model, q), rates = vector(before, "before", model.nv());
  const auto [qd_by_q, qd_by_before, Lambda_by_q, Lambda_by_before] =
      unlocked(quadratic(model), nullptr, [&] { return loop_impulse_jacobians(model, loops, at, rates, restitution); });
  return {finite_array(qd_by_q, "qd_by_q"), finite_array(qd_by_before, "qd_by_before"),
          finite_array(Lambda_by_q, "Lambda_by_q"), finite_array(Lambda_by_before, "Lambda_by_before")};
}

}  // namespace

void bind_derivatives(py::module_& m)
{
  using namespace py::literals;
  py::class_<Parameter>(m, "Parameter",
                        "One number on which the dynamics depends, and what it moves; zero at the present state.")
      .def_static("coordinate", &Parameter::coordinate, "k"_a,
                  "The k-th joint displacement; of a ball or free joint along the tangent, rates held.")
      .def_static("rate", &Parameter::rate, "k"_a, "The k-th joint rate.")
      .def_static("acceleration", &Parameter::acceleration, "k"_a, "The k-th joint acceleration.")
      .def_static("force", &Parameter::force, "k"_a, "The k-th joint force.")
      .def_static("inertia", &Parameter::inertia, "body"_a, "component"_a,
                  "Of a body: 0 its mass, 1 to 3 the first moment, 4 to 9 xx xy xz yy yz zz about its frame's origin.")
      .def_static("placement_before", &Parameter::placement_before, "body"_a, "direction"_a,
                  "The joint of a body is displaced in the parent along one of six directions.")
      .def_static("placement_after", &Parameter::placement_after, "body"_a, "direction"_a,
                  "A body is displaced on its joint, its mass with it, along one of six directions.")
      .def_static("screw_axis", &Parameter::screw_axis, "body"_a, "direction"_a,
                  "The screws of a joint are displaced while the body at q = 0 stays.")
      .def_static("wrench_on_body", &Parameter::wrench_on_body, "body"_a, "component"_a,
                  "A wrench on a body along one of six components, in its frame.")
      .def_static("wrench_in_space", &Parameter::wrench_in_space, "body"_a, "component"_a,
                  "A wrench on a body, in world axes, about the world's origin.")
      .def_static("gravity", &Parameter::gravity, "axis"_a, "Gravity along an axis of the world (m/s^2).");

  m.def("inverse_dynamics_derivative", &inverse_derivative, "model"_a, "parameter"_a, "q"_a, "qd"_a, "qdd"_a,
        "Fext"_a = py::none(), "Kim's Table 5: d tau / dp (nv,) at q (nq,), qd (nv,), qdd (nv,).");
  m.def("forward_dynamics_derivative", &forward_derivative, "model"_a, "parameter"_a, "q"_a, "qd"_a, "tau"_a,
        "Fext"_a = py::none(), "Kim's Table 6: d qdd / dp (nv,) at q (nq,), qd (nv,), tau (nv,).");
  m.def("inverse_dynamics_jacobians", &inverse_jacobians, "model"_a, "q"_a, "qd"_a, "qdd"_a, "Fext"_a = py::none(),
        "d tau / d q, d qd, d qdd, each (nv, nv), in O(n d) for a tree of depth d; with respect to q along joint "
        "displacements, of a ball or free joint in its own frame with its rate, the body twist, held.");
  m.def("forward_dynamics_jacobians", &forward_jacobians, "model"_a, "q"_a, "qd"_a, "tau"_a, "Fext"_a = py::none(),
        "d qdd / d q, d qd, d tau, each (nv, nv); with respect to q as in inverse_dynamics_jacobians.");
  m.def("hybrid_dynamics_jacobians", &hybrid_jacobians, "model"_a, "prescribed"_a, "q"_a, "qd"_a, "qdd"_a, "tau"_a,
        "Fext"_a = py::none(),
        "The answer, forces where prescribed (nv,) is set and accelerations elsewhere, by q, qd and what is given: qdd "
        "where it is set, tau elsewhere. Each (nv, nv); with respect to q as in inverse_dynamics_jacobians.");
  m.def("link_motion_jacobians", &link_jacobians, "model"_a, "name"_a, "q"_a, "qd"_a, "qdd"_a,
        py::arg_v("frame", JacobianFrame::link, "JacobianFrame.link"), py::arg_v("offset", SE3<double>(), "SE3()"),
        "Of a link, or of another frame that it carries, whose pose is offset: its twist by q, its spatial "
        "acceleration by q and by qd, each (6, nv); its twist by qd and its acceleration by qdd are link_jacobian "
        "(Ours 56).");
  m.def(
      "link_jacobian_derivatives", &kinematic_hessian, "model"_a, "name"_a, "q"_a,
      py::arg_v("frame", JacobianFrame::link, "JacobianFrame.link"), py::arg_v("offset", SE3<double>(), "SE3()"),
      "Of a link, or of another frame that it carries, whose pose is offset: (6, nv, nv), [i, k, j] is the derivative "
      "of link_jacobian[i, k] by q_j, the kinematic Hessian (Ours 58).");
  m.def("centroidal_jacobians", &whole_jacobians, "model"_a, "q"_a, "qd"_a, "qdd"_a,
        "The momentum about the centre of mass, in world axes, moment first: this momentum by q, its rate by q and by "
        "qd, each (6, nv); the momentum by qd and its rate by qdd are centroidal_momentum_matrix (Ours 57).");
  m.def("inverse_dynamics_hessians", &inverse_hessians, "model"_a, "q"_a, "qd"_a, "qdd"_a, "Fext"_a = py::none(),
        "Second derivatives of tau, each (nv, nv, nv): [i, j, k] is that of tau[i] by q_j and q_k, by q_j and qd_k, by "
        "qd_j and qd_k, by q_j and qdd_k, which is that of the mass matrix. With respect to q as in "
        "inverse_dynamics_jacobians; two displacements of one ball or free joint do not commute, q_j comes first (Ours "
        "51, 52).");
  m.def("forward_dynamics_hessians", &forward_hessians, "model"_a, "q"_a, "qd"_a, "tau"_a, "Fext"_a = py::none(),
        "Second derivatives of qdd, each (nv, nv, nv): [i, j, k] is that of qdd[i] by q_j and q_k, by q_j and qd_k, by "
        "qd_j and qd_k, by q_j and tau_k, which is that of the inverse mass matrix (Ours 55).");
  m.def("hybrid_dynamics_hessians", &hybrid_hessians, "model"_a, "prescribed"_a, "q"_a, "qd"_a, "qdd"_a, "tau"_a,
        "Fext"_a = py::none(),
        "Second derivatives of the answer, forces where prescribed (nv,) is set and accelerations elsewhere, each (nv, "
        "nv, nv): by q and q, q and qd, qd and qd, q and what is given (Ours 55).");
  m.def("constrained_dynamics_derivative", &constrained_derivative, "model"_a, "loops"_a, "prescribed"_a, "parameter"_a,
        "q"_a, "qd"_a, "qdd"_a, "tau"_a, "Fext"_a = py::none(),
        "What ConstrainedDynamics answers with the rows of loops, by a parameter: d qdd (nv,), d tau (nv,), d lambda "
        "(m,), the shortest where it is not unique, and (m,) what of the constraints' change could not be met.");
  m.def(
      "loop_impulse_jacobians", &impulse_jacobians, "model"_a, "loops"_a, "q"_a, "before"_a, "restitution"_a = 0.0,
      "What loop_impulse answers, the rates by q and by the rates before, (nv, nv) each, and the impulses by both, (m, "
      "nv) each; with respect to q as in inverse_dynamics_jacobians (Ours 59).");
}

}  // namespace articulate::python
