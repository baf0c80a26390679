/** \file
 *  \brief Inverse dynamics in Python.
 */
#include "recursion.hpp"
#include <articulate/rnea/inverse_dynamics.hpp>
#include <articulate/model/space_motion.hpp>
#include "choice.hpp"

namespace articulate::python {
namespace {

using ModelD = Model<double>;
using Rnea = InverseDynamics<double>;
using Equations = EquationsOfMotion<double>;

Array joint_forces(Rnea& rnea, const Numbers& q, const Numbers& qd, const Numbers& qdd, const GivenWrenches& Fext)
{
  const ModelD& model = rnea.model();
  const auto at = configuration(model, q), rates = vector(qd, "qd", model.nv()),
             accelerations = vector(qdd, "qdd", model.nv());
  const ExternalWrenches<double> wrenches = on_bodies(model, Fext);
  const VectorX<double> tau =
      unlocked(linear(model), &rnea, [&] { return VectorX<double>(rnea(at, rates, accelerations, wrenches)); });
  return finite_array(tau, "tau");
}

Equations equations_of_motion(const ModelD& model, const Numbers& q, const Numbers& qd, const GivenWrenches& Fext)
{
  const auto at = configuration(model, q), rates = vector(qd, "qd", model.nv());
  const ExternalWrenches<double> wrenches = on_bodies(model, Fext);
  const Equations equations = unlocked(quadratic(model), nullptr, [&] {
    Rnea rnea(model);
    return Equations(rnea, at, rates, wrenches);
  });
  require_finite_result(equations.M, "M");
  require_finite_result(equations.b, "b");
  return equations;
}

void bind_space_motion(py::module_& m)
{
  using namespace py::literals;
  using Motion = SpaceMotion<double>;
  using Kinematics = ForwardKinematics<double>;
  using Point = Vector3<double>;
  const auto of_link = [](auto method) {
    return [method](const Motion& x, const std::string& name) {
      return finite((x.*method)(x.model().link(name)), "of the link");
    };
  };
  const auto vector_of_link = [](Point (Motion::*method)(const LinkFrame<double>&) const) {
    return [method](const Motion& x, const std::string& name) {
      return finite_array((x.*method)(x.model().link(name)).eigen(), "of the link");
    };
  };
  const auto of_point = [](Point (Motion::*method)(const LinkFrame<double>&, const Point&) const) {
    return [method](const Motion& x, const std::string& name, const Point& point) {
      return finite_array((x.*method)(x.model().link(name), point).eigen(), "of the point");
    };
  };
  const auto in_frame = [](Twist<double> (Motion::*method)(const LinkFrame<double>&, JacobianFrame) const) {
    return [method](const Motion& x, const std::string& name, Choice<JacobianFrame> frame, const SE3<double>& offset) {
      return finite((x.*method)(frame_on(x.model().link(name), offset), frame), "of the link");
    };
  };
  const py::arg_v frame("frame", JacobianFrame::link, "JacobianFrame.link"), offset("offset", SE3<double>(), "SE3()");
  py::class_<Motion, Recursion<double>>(
      m, "SpaceMotion",
      "The motion of a tree seen from the world, with true accelerations: gravity does not "
      "enter, unless set_gravity makes the base accelerate. A point (3,), m, is given in the "
      "frame of its link, which carries it.")
      .def(py::init<const ModelD&>(), "model"_a, OthersRun(), "Make the workspace for a model.")
      .def(
          "__call__",
          [](Motion& x, const Numbers& q, const Numbers& qd, const Numbers& qdd) {
            const ModelD& model = x.model();
            const auto at = configuration(model, q), rates = vector(qd, "qd", model.nv()),
                       accelerations = vector(qdd, "qdd", model.nv());
            unlocked(linear(model), &x, [&] { x(at, rates, accelerations); });
          },
          "q"_a, "qd"_a, "qdd"_a,
          "Place, move and accelerate every body. q (nq,): coordinates (rad, m; free joint: position, quaternion x y z "
          "w). qd (nv,): rates. qdd (nv,): accelerations. Raises SizeError, StateError.")
      .def(
          "link_acceleration", in_frame(&Motion::link_acceleration), "name"_a, frame, offset,
          "The spatial acceleration of a link, as a twist: the rate of its body twist, seen as the twist is (Ours 43). "
          "offset: the pose in the link of another frame that it carries.")
      .def("link_classical_acceleration", in_frame(&Motion::link_classical_acceleration), "name"_a, frame, offset,
           "The angular acceleration, and that of the point of the link at the origin of the frame, as a twist (Ours "
           "44).")
      .def("link_twist_rate", in_frame(&Motion::link_twist_rate), "name"_a, frame, offset,
           "J qdd + Jdot qd with link_jacobian in that frame, as a twist (Ours 45).")
      .def("space_velocity", of_link(&Motion::space_velocity), "name"_a,
           "The spatial twist of a link: angular velocity, and velocity of the point at the world's origin (Ma 26).")
      .def("space_acceleration", of_link(&Motion::space_acceleration), "name"_a, "The derivative of space_velocity.")
      .def("angular_velocity", vector_of_link(&Motion::angular_velocity), "name"_a,
           "The angular velocity of a link, (3,), rad/s (Ma 27).")
      .def("angular_acceleration", vector_of_link(&Motion::angular_acceleration), "name"_a,
           "Its angular acceleration, (3,), rad/s^2 (Ma 28).")
      .def("velocity", of_point(&Motion::velocity), "name"_a, "point"_a,
           "The velocity of a point of a link, (3,), m/s (Ma 29).")
      .def("acceleration", of_point(&Motion::acceleration), "name"_a, "point"_a,
           "The acceleration of a point of a link, (3,), m/s^2 (Ma 30).");
  m.def(
      "point_jacobian",
      [](const Kinematics& at, const std::string& name, const Point& point) {
        return array(
            unlocked(linear(at.model()), &at, [&] { return point_jacobian(at, at.model().link(name), point); }));
      },
      "at"_a, "name"_a, "point"_a,
      "J (3, nv): the velocity of a point of a link, given in its frame, is J qd in world axes (Ma 32).");
  m.def(
      "angular_jacobian",
      [](const Kinematics& at, const std::string& name) {
        return array(unlocked(linear(at.model()), &at, [&] { return angular_jacobian(at, at.model().link(name)); }));
      },
      "at"_a, "name"_a, "J (3, nv): the angular velocity of a link is J qd in world axes (Ma 35).");
}

}  // namespace

void bind_rnea(py::module_& m)
{
  using namespace py::literals;
  bind_space_motion(m);
  const char* const arguments =
      "q (nq,): coordinates (rad, m; free joint: position, quaternion x y z w). qd (nv,): rates (rad/s, m/s; free "
      "joint: body twist). qdd (nv,): accelerations, the component-wise derivative of qd. Fext: external wrenches, "
      "{link: (6,) in the link's frame} or (N + 1, 6) in body frames. Returns tau (nv,) (N m, N; free joint: wrench in "
      "the body frame). Raises SizeError, StateError.";
  py::class_<Rnea, Recursion<double>>(m, "InverseDynamics",
                                      "Kim's Table 2: joint forces of a tree in prescribed motion, in two sweeps and "
                                      "O(n). What the recursion saw can be read after a call.")
      .def(py::init<const ModelD&>(), "model"_a, OthersRun(), "Make the workspace for a model.")
      .def("__call__", &joint_forces, "q"_a, "qd"_a, "qdd"_a, "Fext"_a = py::none(), arguments)
      .def_property_readonly("F", seen(&Rnea::F, "F"),
                             "F_i (N + 1, 6): from parent to body i through its joint, in the frame of body i, N m and "
                             "N; F[0] is what the world carries (Kim 42). A read-only view.");
  m.def(
      "inverse_dynamics",
      [](const ModelD& model, const Numbers& q, const Numbers& qd, const Numbers& qdd, const GivenWrenches& Fext) {
        Rnea rnea(model);
        return joint_forces(rnea, q, qd, qdd, Fext);
      },
      "model"_a, "q"_a, "qd"_a, "qdd"_a, "Fext"_a = py::none(), arguments);

  py::class_<Equations>(m, "EquationsOfMotion", "The terms of M qdd + b = tau (Kim 32); unpacks as M, b, gravity.")
      .def_property_readonly(
          "M", [](const Equations& e) { return array(e.M); }, "The mass matrix, (nv, nv).")
      .def_property_readonly(
          "b", [](const Equations& e) { return array(e.b); },
          "The bias (nv,): inverse dynamics at zero acceleration, with gravity and external wrenches.")
      .def_property_readonly(
          "gravity", [](const Equations& e) { return array(e.gravity); },
          "The part of b (nv,) that a body at rest needs, without external wrenches.")
      .def_property_readonly(
          "coriolis", [](const Equations& e) { return array(e.coriolis); },
          "The part of b (nv,) that the rates need, without gravity and external wrenches.")
      .def("__iter__", [](const Equations& e) {
        return IteratorOf<Array>(py::make_tuple(array(e.M), array(e.b), array(e.gravity)));
      });
  m.def("equations_of_motion", &equations_of_motion, "model"_a, "q"_a, "qd"_a, "Fext"_a = py::none(),
        "The terms of M qdd + b = tau at q (nq,), qd (nv,), read off inverse dynamics column by column (Kim 32).");
  m.def(
      "gravity_force",
      [](const ModelD& model, const Numbers& q) {
        const auto at = configuration(model, q);
        return finite_array(unlocked(linear(model), nullptr, [&] { return gravity_force<double>(model, at); }), "tau");
      },
      "model"_a, "q"_a, "The joint forces (nv,) that hold the mechanism at rest at q (nq,) against its weight.");
  m.def(
      "coriolis_force",
      [](const ModelD& model, const Numbers& q, const Numbers& qd) {
        const auto at = configuration(model, q), rates = vector(qd, "qd", model.nv());
        return finite_array(unlocked(linear(model), nullptr, [&] { return coriolis_force<double>(model, at, rates); }),
                            "tau");
      },
      "model"_a, "q"_a, "qd"_a,
      "C qd (nv,): the joint forces that Coriolis and centrifugal effects need at q (nq,), qd (nv,), without weight.");
  m.def(
      "mechanical_energy",
      [](const ModelD& model, const Numbers& q, const Numbers& qd) {
        const auto at = configuration(model, q), rates = vector(qd, "qd", model.nv());
        return finite(unlocked(linear(model), nullptr, [&] { return mechanical_energy<double>(model, at, rates); }),
                      "energy");
      },
      "model"_a, "q"_a, "qd"_a, "Kinetic and potential energy (J) at q (nq,), qd (nv,), in the model's own gravity.");
  m.def(
      "mass_matrix",
      [](const ModelD& model, const Numbers& q) {
        const auto at = configuration(model, q);
        const MatrixX<double> M = unlocked(quadratic(model), nullptr, [&] {
          Rnea rnea(model);
          return Equations(rnea, at, VectorX<double>::Zero(model.nv())).M;
        });
        return finite_array(M, "M");
      },
      "model"_a, "q"_a, "The mass matrix M(q), (nv, nv), of the coordinates q (nq,).");
}

}  // namespace articulate::python
