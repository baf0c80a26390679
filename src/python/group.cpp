/** \file
 *  \brief Poses, rotations, twists and wrenches in Python.
 */
#include "arrays.hpp"
#include <articulate/group/matrices.hpp>
#include "pickle.hpp"

namespace articulate::python {
namespace {

using Rotation = SO3<double>;
using Pose = SE3<double>;
using TwistD = Twist<double>;
using WrenchD = Wrench<double>;

/// The largest entry by which a product of matrices misses 1, or a length misses 1, of what somebody typed.
constexpr double typed = 1e-6;

/// A matrix that is meant to be a rotation.
Rotation rotation(const Matrix3<double>& R)
{
  const Eigen::Matrix3d a = R.eigen();
  const double off = (a.transpose() * a - Eigen::Matrix3d::Identity()).cwiseAbs().maxCoeff();
  if (!(off <= typed))
    throw Error("R is no rotation: R^T R differs from 1 by " + std::to_string(off) + " where 1e-6 is allowed.");
  if (a.determinant() < 0) throw Error("R is no rotation: it mirrors, for its determinant is -1.");
  return Rotation(R);
}

Rotation rotation_of_quaternion(const Numbers& x)
{
  require(x, {4});
  if (std::all_of(x.begin(), x.end(), [](double number) { return number == 0; }))
    throw Error("The quaternion 0 0 0 0 is no rotation; one has length one.");
  // Times a power of two, so that squares neither overflow nor vanish.
  double largest = 0;
  for (const double number : x) largest = std::max(largest, std::abs(number));
  const auto scaled = [exponent = std::ilogb(largest)](double number) { return std::scalbn(number, -exponent); };
  return Rotation(Quaternion<double>{{scaled(x[0]), scaled(x[1]), scaled(x[2])}, scaled(x[3])});
}

Pose exp_of_screw(const TwistD& screw, Number q)
{
  const double length = std::sqrt(inner(screw.w, screw.w));
  if (length != 0 && !(std::abs(length - 1) <= typed))
    throw Error("The screw has |w| = " + std::to_string(length) +
                " where 1 or 0 is needed; exp(q * twist) takes any twist.");
  return exp(screw, q.value);
}

/// What twists and wrenches have in common: a vector space, six numbers, and no place in numpy's arithmetic.
template <typename Six, typename Class>
void bind_six(Class& six, const std::string& parts)
{
  using namespace py::literals;
  six.def(
         "__add__", [](const Six& a, const Six& b) { return a + b; }, "other"_a, py::is_operator())
      .def(
          "__sub__", [](const Six& a, const Six& b) { return a - b; }, "other"_a, py::is_operator())
      .def("__neg__", [](const Six& a) { return -a; })
      .def(
          "__mul__", [](const Six& a, Number s) { return s.value * a; }, "scalar"_a, py::is_operator())
      .def(
          "__rmul__", [](const Six& a, Number s) { return s.value * a; }, "scalar"_a, py::is_operator())
      .def(
          "__array__",
          [](const Six& a, const py::object& dtype) -> py::array {
            return dtype.is_none() ? py::array(array(coordinates(a)))
                                   : py::array(array(coordinates(a)).attr("astype")(dtype));
          },
          "dtype"_a = py::none(), ("The six numbers " + parts + ", shape (6,).").c_str());
  six.attr("__array_priority__") = 1.0;  // a numpy number times a twist is a twist
}

}  // namespace

void bind_group(py::module_& m)
{
  using namespace py::literals;
  py::class_<Rotation> so3(m, "SO3", "A rotation: the columns of R are the axes of the turned frame (Kim 1).");
  so3.def(py::init<>(), "The identity.")
      .def(py::init(&rotation), "R"_a, "From a matrix (3, 3) with R^T R = 1 to within 1e-6 and determinant 1.")
      .def_static("from_quaternion", &rotation_of_quaternion, "quaternion"_a,
                  "From a quaternion x y z w, shape (4,), of any length but zero.")
      .def_property_readonly("R", seen(&Rotation::matrix), "The matrix, (3, 3); a read-only view.")
      .def(
          "__mul__", [](const Rotation& a, const Rotation& b) { return a * b; }, "other"_a, py::is_operator())
      .def(
          "__mul__", [](const Rotation& a, const Vector3<double>& r) { return array(a * r); }, "r"_a,
          "R r: the coordinates (3,) in the outer frame of a vector given in the inner one.", py::is_operator())
      .def("__repr__",
           [](const py::object& self) { return py::str("SO3({})").format(self.attr("R").attr("tolist")()); });

  pickle_by_arguments(so3, {"R"});

  py::class_<Pose> se3(m, "SE3", "A pose: rotation R and origin p (m) of one frame seen from another (Kim 3).");
  se3.def(py::init([](const Rotation& R, const Vector3<double>& p) {
            return Pose{R, p};
          }),
          "R"_a = Rotation(), "p"_a = py::make_tuple(0.0, 0.0, 0.0),
          "From a rotation and an origin (3,), m; the identity by default.")
      .def(py::init([](const Matrix3<double>& R, const Vector3<double>& p) {
             return Pose{rotation(R), p};
           }),
           "R"_a, "p"_a = py::make_tuple(0.0, 0.0, 0.0), "From a rotation matrix (3, 3) and an origin (3,), m.")
      .def_property_readonly(
          "R", [](const py::object& self) { return view(self.cast<const Pose&>().R.matrix, self); },
          "The rotation matrix, (3, 3); a read-only view.")
      .def_property_readonly("p", seen(&Pose::p), "The origin, (3,), m; a read-only view.")
      .def(
          "matrix", [](const Pose& T) { return array(matrix(T)); }, "The homogeneous matrix, (4, 4) (Kim 3).")
      .def(
          "__mul__", [](const Pose& a, const Pose& b) { return a * b; }, "other"_a, py::is_operator())
      .def(
          "__mul__", [](const Pose& a, const Vector3<double>& r) { return array(a * r); }, "r"_a,
          "The coordinates (3,) in the outer frame of a point given in the inner one, m.", py::is_operator())
      .def("__repr__", [](const py::object& self) {
        return py::str("SE3(R={}, p={})").format(self.attr("R").attr("tolist")(), self.attr("p").attr("tolist")());
      });

  pickle_by_arguments(se3, {"R", "p"});

  py::class_<TwistD> twist(
      m, "Twist", "An element of se(3): angular velocity w (rad/s), velocity v of the frame's origin (m/s) (Kim 10).");
  twist
      .def(py::init([](const Vector3<double>& w, const Vector3<double>& v) {
             return TwistD{w, v};
           }),
           "w"_a = py::make_tuple(0.0, 0.0, 0.0), "v"_a = py::make_tuple(0.0, 0.0, 0.0), "From w (3,) and v (3,).")
      .def_static(
          "from_array", [](const Numbers& x) { return to_twist(six(x)); }, "x"_a, "From (w, v), shape (6,).")
      .def_property_readonly("w", seen(&TwistD::w), "The angular part, (3,), rad/s; a read-only view.")
      .def_property_readonly("v", seen(&TwistD::v), "The linear part, (3,), m/s; a read-only view.")
      .def("__repr__", [](const py::object& self) {
        return py::str("Twist(w={}, v={})").format(self.attr("w").attr("tolist")(), self.attr("v").attr("tolist")());
      });
  bind_six<TwistD>(twist, "(w, v)");
  pickle_by_arguments(twist, {"w", "v"});

  py::class_<WrenchD> wrench(
      m, "Wrench",
      "An element of se(3)*: moment m about the frame's origin (N m), force f (N) (Kim 12); or a momentum.");
  wrench
      .def(py::init([](const Vector3<double>& m, const Vector3<double>& f) {
             return WrenchD{m, f};
           }),
           "m"_a = py::make_tuple(0.0, 0.0, 0.0), "f"_a = py::make_tuple(0.0, 0.0, 0.0), "From m (3,) and f (3,).")
      .def_static(
          "from_array", [](const Numbers& x) { return to_wrench(six(x)); }, "x"_a, "From (m, f), shape (6,).")
      .def_property_readonly("m", seen(&WrenchD::m), "The moment, (3,), N m; a read-only view.")
      .def_property_readonly("f", seen(&WrenchD::f), "The force, (3,), N; a read-only view.")
      .def("__repr__", [](const py::object& self) {
        return py::str("Wrench(m={}, f={})").format(self.attr("m").attr("tolist")(), self.attr("f").attr("tolist")());
      });
  bind_six<WrenchD>(wrench, "(m, f)");
  pickle_by_arguments(wrench, {"m", "f"});

  m.def(
      "to_twist", [](const Numbers& x) { return to_twist(six(x)); }, "x"_a, "The twist with the numbers (w, v), (6,).");
  m.def(
      "to_wrench", [](const Numbers& x) { return to_wrench(six(x)); }, "x"_a,
      "The wrench with the numbers (m, f), (6,).");
  m.def(
      "coordinates", [](const TwistD& V) { return array(coordinates(V)); }, "V"_a, "The six numbers (w, v), (6,).");
  m.def(
      "coordinates", [](const WrenchD& F) { return array(coordinates(F)); }, "F"_a, "The six numbers (m, f), (6,).");

  m.def(
      "inverse", [](const Rotation& R) { return inverse(R); }, "R"_a, "R^-1 = R^T (Kim 2).");
  m.def(
      "inverse", [](const Pose& T) { return inverse(T); }, "T"_a, "T^-1 = (R^T, -R^T p) (Kim 4).");
  m.def(
      "wrench_of_force", [](const Vector3<double>& r, const Vector3<double>& f) { return wrench_of_force(r, f); },
      "r"_a, "f"_a, "The wrench (r x f, f) of a force f (3,), N, that acts at the point r (3,), m (Kim 12).");
  m.def(
      "pairing", [](const WrenchD& F, const TwistD& V) { return pairing(F, V); }, "F"_a, "V"_a,
      "F^T V (W): the power of a wrench on a twist of the same frame.");

  m.def(
      "Ad", [](const Pose& T, const TwistD& V) { return Ad(T, V); }, "T"_a, "V"_a,
      "Ad_T V: the twist seen from the frame in which T is given (Kim 7).");
  m.def(
      "AdInv", [](const Pose& T, const TwistD& V) { return AdInv(T, V); }, "T"_a, "V"_a,
      "Ad_{T^-1} V: the twist seen from the inner frame (Kim 11).");
  m.def(
      "coAd", [](const Pose& T, const WrenchD& F) { return coAd(T, F); }, "T"_a, "F"_a,
      "Ad*_T F = Ad_T^T F: the wrench seen from the inner frame (Kim 8, 13).");
  m.def(
      "coAdInv", [](const Pose& T, const WrenchD& F) { return coAdInv(T, F); }, "T"_a, "F"_a,
      "Ad*_{T^-1} F: a wrench of the inner frame seen from the outer one.");
  m.def(
      "ad", [](const TwistD& V, const TwistD& X) { return ad(V, X); }, "V"_a, "X"_a,
      "ad_V X = [V, X], the Lie bracket (Kim 27).");
  m.def(
      "coad", [](const TwistD& V, const WrenchD& F) { return coad(V, F); }, "V"_a, "F"_a,
      "ad*_V F = ad_V^T F (Kim 29).");

  m.def(
      "exp", [](const TwistD& xi) { return exp(xi); }, "xi"_a, "e^[xi] of any twist, an SE3 (Park 15).");
  m.def("exp", &exp_of_screw, "screw"_a, "q"_a,
        "e^([screw] q) of a screw with |w| = 1 (turn or helix) or w = 0 (slide), an SE3 (Park 15 to 17).");
  m.def(
      "exp", [](const Vector3<double>& w) { return exp(w); }, "w"_a,
      "e^[w] of a rotation vector w (3,), rad, an SO3 (Park 16).");
  m.def(
      "log", [](const Rotation& R) { return array(log(R)); }, "R"_a,
      "The rotation vector w (3,), rad, with e^[w] = R and |w| <= pi.");
  m.def(
      "log", [](const Pose& T) { return log(T); }, "T"_a, "The twist xi with e^[xi] = T and |w| <= pi.");
  m.def(
      "dexp", [](const TwistD& xi, const TwistD& xidot) { return dexp(xi, xidot); }, "xi"_a, "xidot"_a,
      "The body twist T^-1 dT/dt of T = e^[xi(t)].");
  m.def(
      "dexp", [](const Vector3<double>& w, const Vector3<double>& wdot) { return array(dexp(w, wdot)); }, "w"_a,
      "wdot"_a, "The angular velocity (3,), rad/s, in the turned frame, of R = e^[w(t)].");
  m.def(
      "quaternion",
      [](const Rotation& R) {
        const Quaternion<double> q = quaternion(R);
        return array(Eigen::Vector4d(q.v[0], q.v[1], q.v[2], q.w));
      },
      "R"_a, "The unit quaternion x y z w with w >= 0, (4,).");

  m.def(
      "skew", [](const Vector3<double>& w) { return array(skew(w)); }, "w"_a,
      "[w], (3, 3), with [w] x = w x x (Kim 5).");
  m.def(
      "hat", [](const TwistD& V) { return array(hat(V)); }, "V"_a, "The matrix of a twist, (4, 4) (Kim 5).");
  m.def(
      "vee", [](const Numbers& H) { return vee<double>(matrix<4, 4>(H)); }, "H"_a,
      "The twist of a matrix (4, 4) in se(3), the inverse of hat.");
  m.def(
      "Ad_matrix", [](const Pose& T) { return array(Ad_matrix(T)); }, "T"_a,
      "The matrix of Ad_T, (6, 6) (Kim 7); that of Ad*_T is its transpose.");
  m.def(
      "ad_matrix", [](const TwistD& V) { return array(ad_matrix(V)); }, "V"_a,
      "The matrix of ad_V, (6, 6) (Kim 27); that of ad*_V is its transpose.");
}

}  // namespace articulate::python
