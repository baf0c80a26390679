/** \file
 *  \brief Derivatives of the dynamics in Python.
 */
#include "recursion.hpp"
#include <articulate/aba/forward_dynamics.hpp>
#include <articulate/derivatives/constrained_derivative.hpp>
#include <articulate/derivatives/hybrid_derivative.hpp>
#include <articulate/derivatives/hybrid_jacobians.hpp>

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

/// What a parameter moves, alone.
Seeds<double> seeds_of(const Parameter& parameter, const Recursion<double>& r, const VectorX<double>& qd)
{
  Seeds<double> seeds(r.model());
  parameter.add_to<double>(seeds, r, qd);
  return seeds;
}

Array inverse_derivative(const ModelD& model, const Parameter& parameter, const Numbers& q, const Numbers& qd,
                         const Numbers& qdd, const GivenWrenches& Fext)
{
  const At at(model, q, qd, Fext);
  const VectorX<double> accelerations = vector(qdd, "qdd", model.nv());
  const VectorX<double> dtau = unlocked(linear(model), nullptr, [&] {
    InverseDynamics<double> rnea(model);
    rnea(at.q, at.qd, accelerations, at.Fext);
    InverseDynamicsDerivative<double> derivative(model);
    return VectorX<double>(derivative(rnea, at.qd, accelerations, seeds_of(parameter, rnea, at.qd)));
  });
  return finite_array(dtau, "dtau");
}

Array forward_derivative(const ModelD& model, const Parameter& parameter, const Numbers& q, const Numbers& qd,
                         const Numbers& tau, const GivenWrenches& Fext)
{
  const At at(model, q, qd, Fext);
  const VectorX<double> forces = vector(tau, "tau", model.nv());
  const VectorX<double> dqdd = unlocked(linear(model), nullptr, [&] {
    ForwardDynamics<double> aba(model);
    const VectorX<double> qdd = aba(at.q, at.qd, forces, at.Fext);
    HybridDynamicsDerivative<double> derivative(model);
    derivative(aba, at.qd, qdd, seeds_of(parameter, aba, at.qd));
    return VectorX<double>(derivative.dqdd());
  });
  return finite_array(dqdd, "dqdd");
}

Three inverse_jacobians(const ModelD& model, const Numbers& q, const Numbers& qd, const Numbers& qdd,
                        const GivenWrenches& Fext)
{
  const At at(model, q, qd, Fext);
  const VectorX<double> accelerations = vector(qdd, "qdd", model.nv());
  InverseDynamicsJacobians<double> J(model);
  unlocked(quadratic(model), nullptr, [&] {
    InverseDynamics<double> rnea(model);
    rnea(at.q, at.qd, accelerations, at.Fext);
    J(rnea, at.qd, accelerations);
  });
  return {finite_array(J.dtau_dq, "dtau_dq"), finite_array(J.dtau_dqd, "dtau_dqd"),
          finite_array(J.dtau_dqdd, "dtau_dqdd")};
}

Three forward_jacobians(const ModelD& model, const Numbers& q, const Numbers& qd, const Numbers& tau,
                        const GivenWrenches& Fext)
{
  const At at(model, q, qd, Fext);
  const VectorX<double> forces = vector(tau, "tau", model.nv());
  HybridDynamicsJacobians<double> J(model);
  unlocked(quadratic(model), nullptr, [&] {
    ForwardDynamics<double> aba(model);
    const VectorX<double> qdd = aba(at.q, at.qd, forces, at.Fext);
    J(aba, at.q, at.qd, qdd, at.Fext);
  });
  return {finite_array(J.by_q, "dqdd_dq"), finite_array(J.by_qd, "dqdd_dqd"), finite_array(J.by_given, "dqdd_dtau")};
}

Three hybrid_jacobians(const ModelD& model, const std::vector<bool>& prescribed, const Numbers& q, const Numbers& qd,
                       const Numbers& qdd, const Numbers& tau, const GivenWrenches& Fext)
{
  const At at(model, q, qd, Fext);
  const VectorX<double> accelerations = vector(qdd, "qdd", model.nv()), forces = vector(tau, "tau", model.nv());
  HybridDynamicsJacobians<double> J(model);
  unlocked(quadratic(model), nullptr, [&] {
    HybridDynamics<double> hybrid(model, prescribed);
    hybrid(at.q, at.qd, accelerations, forces, at.Fext);
    J(hybrid, at.q, at.qd, hybrid.qdd(), at.Fext);
  });
  return {finite_array(J.by_q, "by_q"), finite_array(J.by_qd, "by_qd"), finite_array(J.by_given, "by_given")};
}

Four constrained_derivative(const ModelD& model, const std::vector<Loop>& loops, const std::vector<bool>& prescribed,
                            const Parameter& parameter, const Numbers& q, const Numbers& qd, const Numbers& qdd,
                            const Numbers& tau, const GivenWrenches& Fext)
{
  const At at(model, q, qd, Fext);
  const VectorX<double> accelerations = vector(qdd, "qdd", model.nv()), forces = vector(tau, "tau", model.nv());
  ConstrainedDynamicsDerivative<double> derivative(model);
  unlocked(quadratic(model), nullptr, [&] {
    Loops<double> closed(model, loops);
    closed(at.q, at.qd);
    ConstrainedDynamics<double> run(model, prescribed, closed.rows());
    run(at.q, at.qd, accelerations, forces, closed.A, closed.Adot_qd, at.Fext);
    derivative(run, closed, at.q, at.qd, at.Fext, seeds_of(parameter, run.tree, at.qd));
  });
  return {finite_array(derivative.dqdd, "dqdd"), finite_array(derivative.dtau, "dtau"),
          finite_array(derivative.dlambda, "dlambda"), finite_array(derivative.contradiction, "contradiction")};
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
  m.def("constrained_dynamics_derivative", &constrained_derivative, "model"_a, "loops"_a, "prescribed"_a, "parameter"_a,
        "q"_a, "qd"_a, "qdd"_a, "tau"_a, "Fext"_a = py::none(),
        "What ConstrainedDynamics answers with the rows of loops, by a parameter: d qdd (nv,), d tau (nv,), d lambda "
        "(m,), the shortest where it is not unique, and (m,) what of the constraints' change could not be met.");
}

}  // namespace articulate::python
