/** \file
 *  \brief What every recursion shows in Python, and forward kinematics, which is nothing else.
 */
#include "recursion.hpp"
#include <articulate/model/kinematics.hpp>
#include "choice.hpp"

namespace articulate::python {
namespace {

using namespace py::literals;
using ModelD = Model<double>;
using Kinematics = ForwardKinematics<double>;

/// One field of all poses: a view that steps over the other.
Array rotations(const std::vector<SE3<double>>& poses, const py::object& owner)
{
  const py::ssize_t n = static_cast<py::ssize_t>(poses.size());
  return view(poses[0].R.matrix.e, {n, 3, 3}, {sizeof(SE3<double>), 3 * sizeof(double), sizeof(double)}, owner);
}
Array origins(const std::vector<SE3<double>>& poses, const py::object& owner)
{
  const py::ssize_t n = static_cast<py::ssize_t>(poses.size());
  return view(poses[0].p.e, {n, 3}, {sizeof(SE3<double>), sizeof(double)}, owner);
}

ListOf<Array> joint_jacobians(const Recursion<double>& recursion)
{
  ListOf<Array> all;
  for (const JointJacobian<double>& S : ran(recursion, "S").S) {
    MatrixX<double> columns(6, S.columns());
    for (int k = 0; k < S.columns(); ++k) columns.col(k) = coordinates(S.column(k));
    all.append(array(columns));
  }
  return all;
}

void bind_recursion(py::module_& m)
{
  using R = Recursion<double>;
  py::class_<R>(m, "Recursion",
                "What a recursion knows of each body on its way out. Entry i is body i in its own frame, entry 0 the "
                "world. Views show the latest call and keep the recursion alive; before the first call StateError is "
                "raised. What an algorithm does not compute it does not show either: AttributeError.")
      .def_property_readonly(
          "T", [](const R& recursion) { return ran(recursion, "T").T; },
          "The poses of the bodies in their parents' frames (Kim 35); copies.")
      .def_property_readonly(
          "R", [](const py::object& self) { return rotations(ran(self.cast<const R&>(), "R").T, self); },
          "The rotations of T, (N + 1, 3, 3); a read-only view.")
      .def_property_readonly(
          "p", [](const py::object& self) { return origins(ran(self.cast<const R&>(), "p").T, self); },
          "The origins of T, (N + 1, 3), m; a read-only view.")
      .def_property_readonly("S", &joint_jacobians, "The joint Jacobians S_i, each (6, nv_i); copies.")
      .def_property_readonly("V", seen(&R::V, "V"),
                             "The body twists V_i, (N + 1, 6), rad/s, m/s (Kim 37); a read-only view.")
      .def_property_readonly("eta", seen(&R::eta, "eta"),
                             "eta_i = ad_V S qd + Sdot qd, (N + 1, 6), rad/s^2, m/s^2; a read-only view.")
      .def_property_readonly("Vdot", seen(&R::Vdot, "Vdot"),
                             "The derivatives of V, (N + 1, 6), the base's acceleration (0, -g) included, rad/s^2, "
                             "m/s^2 (Kim 41); a read-only view.")
      .def_property_readonly(
          "model", [](const R& recursion) -> const ModelD& { return recursion.model(); },
          py::return_value_policy::reference_internal, "The model.")
      .def(
          "set_gravity", [](R& recursion, const Vector3<double>& g) { recursion.set_gravity(g); }, "g"_a,
          "Set the gravitational acceleration (3,), m/s^2, in the world, for the calls that follow.");
}

Wrench<double> momentum(const Kinematics& k) { return finite(k.momentum(), "momentum"); }

Array center_of_mass(const Kinematics& k)
{
  const double mass = k.mass();
  if (!(mass > 0)) throw StateError(k.model().mechanism().source + ": no mass moves, so there is no centre of mass.");
  return array(1 / mass * k.mass_moment());
}

void bind_kinematics(py::module_& m)
{
  py::enum_<JacobianFrame>(m, "JacobianFrame", "From where the twist of a link is seen.")
      .value("link", JacobianFrame::link, "The link's own: its body twist.")
      .value("world", JacobianFrame::world,
             "The world's: its spatial twist, with the velocity of the point at the world's origin.")
      .value("mixed", JacobianFrame::mixed, "The world's axes, and the velocity of the link's own origin.");
  const py::arg_v frame("frame", JacobianFrame::link, "JacobianFrame.link");
  const py::arg_v offset("offset", SE3<double>(), "SE3()");
  py::class_<Kinematics, Recursion<double>> kinematics(
      m, "ForwardKinematics",
      "Where the bodies are and how they move, in one sweep. Sums are over the "
      "moving bodies: a link that is fixed to the world does not count.");
  refuse_views(kinematics, {"Vdot"});
  kinematics.def(py::init<const ModelD&>(), "model"_a, OthersRun(), "Make the workspace for a model.")
      .def(
          "__call__",
          [](Kinematics& k, const Numbers& q, const Numbers& qd) {
            const auto at = configuration(k.model(), q), rates = vector(qd, "qd", k.model().nv());
            unlocked(linear(k.model()), &k, [&] { k(at, rates); });
          },
          "q"_a, "qd"_a,
          "Place and move every body. q (nq,): coordinates (rad, m; free joint: position, quaternion x y z w). "
          "qd (nv,): rates (rad/s, m/s; free joint: body twist). Raises SizeError, StateError.")
      .def_property_readonly(
          "poses", [](const Kinematics& k) { return ran(k, "poses").pose; },
          "The poses of the world, 0, and of the bodies 1 to N in the world (Park 67); copies.")
      .def(
          "pose", [](const Kinematics& k, int i) { return body(k.model(), i), ran(k, "pose").pose[i]; }, "i"_a,
          "The pose of body i in the world (Park 67); a copy.")
      .def(
          "link_pose", [](const Kinematics& k, const std::string& name) { return k.link_pose(k.model().link(name)); },
          "name"_a, "The pose of a link in the world.")
      .def(
          "link_twist",
          [](const Kinematics& k, const std::string& name, Choice<JacobianFrame> frame, const SE3<double>& offset) {
            return finite(k.link_twist(frame_on(k.model().link(name), offset), frame), "link_twist");
          },
          "name"_a, frame, offset, "The twist of a link: its body twist, or seen from another frame (Kim 11).")
      .def(
          "link_jacobian",
          [](const Kinematics& k, const std::string& name, Choice<JacobianFrame> frame, const SE3<double>& offset) {
            return array(unlocked(linear(k.model()), &k,
                                  [&] { return k.link_jacobian(frame_on(k.model().link(name), offset), frame); }));
          },
          "name"_a, frame, offset,
          "J (6, nv) with (twist of the link, in the frame asked for) = J qd (Ours 40). offset: the pose in the link "
          "of "
          "another frame that it carries.")
      .def(
          "link_jacobian_rate",
          [](const Kinematics& k, const std::string& name, const Numbers& qd, Choice<JacobianFrame> frame,
             const SE3<double>& offset) {
            const auto rates = vector(qd, "qd", k.model().nv());
            return finite_array(
                unlocked(linear(k.model()), &k,
                         [&] { return k.link_jacobian_rate(frame_on(k.model().link(name), offset), rates, frame); }),
                "Jdot");
          },
          "name"_a, "qd"_a, frame, offset,
          "The rate of link_jacobian, (6, nv); qd (nv,) are the rates of the latest call (Ours 41).")
      .def(
          "link_bias_acceleration",
          [](const Kinematics& k, const std::string& name, Choice<JacobianFrame> frame, const SE3<double>& offset) {
            return finite(k.link_bias_acceleration(frame_on(k.model().link(name), offset), frame),
                          "link_bias_acceleration");
          },
          "name"_a, frame, offset, "Jdot qd of link_jacobian, as a twist (Ours 42).")
      .def(
          "kinetic_energy", [](const Kinematics& k) { return finite(k.kinetic_energy(), "kinetic_energy"); },
          "Sum of V^T I V / 2 (J) (Kim 15).")
      .def(
          "potential_energy",
          [](const Kinematics& k, const std::optional<Vector3<double>>& gravity) {
            return finite(k.potential_energy(gravity.value_or(k.model().gravity())), "potential_energy");
          },
          "gravity"_a = py::none(),
          "-sum of m g.c (J), zero when the centre of mass is at the world's origin; g (3,) is the model's unless "
          "given.")
      .def(
          "mass", [](const Kinematics& k) { return k.mass(); }, "The mass (kg) of the moving bodies.")
      .def("center_of_mass", &center_of_mass,
           "The common centre of mass (3,), m, in the world. Raises StateError when no mass moves.")
      .def("momentum", &momentum,
           "The momentum of the whole mechanism about the world's origin, in world axes, a Wrench (N m s, N s).");
}

}  // namespace

void bind_recursions(py::module_& m)
{
  bind_recursion(m);
  bind_kinematics(m);
}

}  // namespace articulate::python
