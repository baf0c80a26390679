/** \file
 *  \brief One rigid body in Python.
 */
#include "arrays.hpp"
#include <articulate/body/solids.hpp>
#include "pickle.hpp"

namespace articulate::python {
namespace {

using InertiaD = Inertia<double>;

InertiaD of_cloud(const Numbers& masses, const Numbers& points)
{
  require(masses, {masses.size()});
  require(points, {masses.size(), 3});
  std::vector<MassPoint<double>> cloud;
  for (py::ssize_t k = 0; k < masses.size(); ++k)
    cloud.push_back({masses[k], {points[3 * k], points[3 * k + 1], points[3 * k + 2]}});
  return InertiaD::of_cloud(cloud);
}

}  // namespace

void bind_body(py::module_& m)
{
  using namespace py::literals;
  py::class_<InertiaD> inertia(m, "Inertia",
                               "The ten numbers of a body in a frame: mass (kg), first moment (kg m) and second moment "
                               "about the frame's origin (kg m^2) (Kim 20).");
  pickle_by_arguments(inertia, {"mass", "first_moment", "second_moment"});
  inertia
      .def(py::init([](Number mass, const Vector3<double>& first_moment, const Symmetric3<double>& second_moment) {
             return InertiaD{mass, first_moment, second_moment};
           }),
           "mass"_a, "first_moment"_a, "second_moment"_a,
           "From mass, first moment m c (3,) and the symmetric integral of [r]^T [r] (3, 3).")
      .def_static(
          "about_center_of_mass",
          [](Number mass, const Vector3<double>& center, const Symmetric3<double>& rotation, const SO3<double>& R) {
            return InertiaD::about_center_of_mass(mass, center, rotation, R);
          },
          "mass"_a, "center"_a, "rotation"_a, "R"_a = SO3<double>(),
          "From mass, centre of mass (3,), m, and inertia (3, 3) about it in axes that R turns into the body frame "
          "(Kim 22).")
      .def_static("of_cloud", &of_cloud, "masses"_a, "points"_a,
                  "Of k points with masses (k,), kg, at points (k, 3), m, in the body frame (Kim 20).")
      .def_readonly("mass", &InertiaD::mass, "kg.")
      .def_property_readonly("first_moment", seen(&InertiaD::first_moment),
                             "The first moment m c, (3,), kg m; a read-only view.")
      .def_property_readonly(
          "second_moment", [](const InertiaD& I) { return array(I.second_moment.matrix()); },
          "The second moment, which is the rotational inertia about the frame's origin, (3, 3), kg m^2.")
      .def(
          "matrix", [](const InertiaD& I) { return array(I.matrix()); },
          "The matrix (6, 6), angular part first (Kim 20).")
      .def(
          "__add__", [](const InertiaD& I, const InertiaD& J) { return I + J; }, "other"_a, py::is_operator())
      .def(
          "__mul__", [](const InertiaD& I, const Twist<double>& V) { return I * V; }, "V"_a,
          "The momentum I V about the frame's origin (Kim 23).", py::is_operator())
      .def("__repr__", [](const py::object& I) {
        return py::str("Inertia(mass={}, first_moment={}, second_moment={})")
            .format(I.attr("mass"), I.attr("first_moment").attr("tolist")(), I.attr("second_moment").attr("tolist")());
      });

  m.def(
      "coAd", [](const SE3<double>& T, const InertiaD& I) { return coAd(T, I); }, "T"_a, "I"_a,
      "Ad*_T I Ad_T: the inertia seen from the frame of the same body whose pose in the old one is T (Kim 21).");
  m.def(
      "coad", [](const Twist<double>& J, const InertiaD& I) { return coad(J, I); }, "J"_a, "I"_a,
      "ad*_J I + I ad_J: how coAd(exp(J e), I) starts with e (Ours 50).");
  m.def(
      "kinetic_energy", [](const InertiaD& I, const Twist<double>& V) { return kinetic_energy(I, V); }, "I"_a, "V"_a,
      "V^T I V / 2 (J) (Kim 15).");
  m.def(
      "newton_euler",
      [](const InertiaD& I, const Twist<double>& V, const Twist<double>& Vdot) { return newton_euler(I, V, Vdot); },
      "I"_a, "V"_a, "Vdot"_a,
      "F = I Vdot - ad*_V I V: the wrench that a body needs for its motion, all in the body frame (Kim 31).");

  m.def(
      "body_regressor",
      [](const Twist<double>& V, const Twist<double>& Vdot) { return array(body_regressor(V, Vdot)); }, "V"_a, "Vdot"_a,
      "Y (6, 10) with newton_euler(I, V, Vdot) = Y pi for the ten numbers of any inertia: m, m c (3,), Ixx, Ixy, Ixz, "
      "Iyy, Iyz, Izz (Ours 46).");

  m.def(
      "solid_box", [](Number mass, Number a, Number b, Number c) { return solid_box<double>(mass, a, b, c); }, "mass"_a,
      "a"_a, "b"_a, "c"_a, "A homogeneous box with edges a, b, c (m) along x, y, z, about its centre.");
  m.def(
      "solid_ellipsoid",
      [](Number mass, Number a, Number b, Number c) { return solid_ellipsoid<double>(mass, a, b, c); }, "mass"_a, "a"_a,
      "b"_a, "c"_a, "A homogeneous ellipsoid with semi-axes a, b, c (m) along x, y, z, about its centre.");
  m.def(
      "solid_cylinder",
      [](Number mass, Number radius, Number length) { return solid_cylinder<double>(mass, radius, length); }, "mass"_a,
      "radius"_a, "length"_a, "A homogeneous cylinder about z (m), about its centre.");
  m.def(
      "thin_rod", [](Number mass, Number length) { return thin_rod<double>(mass, length); }, "mass"_a, "length"_a,
      "A thin rod along z (m), about its centre.");
}

}  // namespace articulate::python
