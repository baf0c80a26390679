/** \file
 *  \brief Lagrange's equations in Python: closed forms, screws, the metric of the kinetic energy, regressors.
 */
#include "recursion.hpp"
#include <articulate/lagrange/centroidal_momentum.hpp>
#include <articulate/lagrange/composite_body.hpp>
#include <articulate/lagrange/global_matrices.hpp>
#include <articulate/lagrange/inertia_metric.hpp>
#include <articulate/lagrange/lagrange_equations.hpp>
#include <articulate/lagrange/product_of_exponentials.hpp>
#include <articulate/lagrange/regressor.hpp>
#include <articulate/model/kinematics.hpp>
#include "choice.hpp"
#include "mechanism.hpp"
#include "pickle.hpp"

namespace articulate::python {

void bind_coriolis_family(py::module_& m);  // of the chapter skew_symmetry, which comes later

namespace {

using namespace py::literals;
using ModelD = Model<double>;
using Metric = InertiaMetric<double>;
using Screws = ScrewSystem<double>;
using TwistD = Twist<double>;
using PoseD = SE3<double>;

py::arg_v family_argument() { return {"family", CoriolisFamily::christoffel, "CoriolisFamily.christoffel"}; }

/// One of n things counted from first on, or Python's IndexError.
int checked(int k, const char* what, int first, int n)
{
  if (k < first || k >= first + n)
    throw py::index_error("There is no " + std::string(what) + " " + std::to_string(k) +
                          (n > 0 ? "; there are " + std::to_string(first) + " to " + std::to_string(first + n - 1) + "."
                                 : "; there are none."));
  return k;
}

// --- closed forms ----------------------------------------------------------------------------------------------------

/// The large matrices with the recursion that they read.
struct Global {
  ForwardKinematics<double> state;
  std::optional<GlobalMatrices<double>> matrices;

  Global(const ModelD& model, const Numbers& q, const Numbers& qd) : state(model)
  {
    const VectorX<double> at = configuration(model, q), rates = vector(qd, "qd", model.nv());
    unlocked(any_length(), nullptr, [&] {
      state(at, rates);
      matrices.emplace(state, rates);
    });
  }
  Global(const Global&) = delete;
};

/// A property that is a copy of a matrix.
auto copied(MatrixX<double> GlobalMatrices<double>::*member, const char* name)
{
  return py::cpp_function([member, name](const Global& g) { return finite_array((*g.matrices).*member, name); });
}
/// A method that multiplies matrices.
template <typename Matrix>
auto product(Matrix (GlobalMatrices<double>::*method)() const, const char* name)
{
  return [method, name](const Global& g) {
    return finite_array(unlocked(any_length(), nullptr, [&] { return ((*g.matrices).*method)(); }), name);
  };
}

void bind_closed_forms(py::module_& m)
{
  using G = GlobalMatrices<double>;
  m.def(
      "composite_mass_matrix",
      [](const ModelD& model, const Numbers& q) {
        const auto at = configuration(model, q);
        CompositeBodies<double> bodies(model);
        return finite_array(unlocked(quadratic(model), nullptr, [&] { return MatrixX<double>(bodies(at)); }), "M");
      },
      "model"_a, "q"_a,
      "The mass matrix, (nv, nv), at q (nq,) by composite bodies: each joint moves all behind it as one rigid body "
      "(Park 40).");
  py::class_<Global>(m, "GlobalMatrices",
                     "The recursion of Newton and Euler as a handful of large matrices at a state, for reading and for "
                     "proofs; blocks by body, in model order (Ploen 19 to 29, 36 to 38). All are copies.")
      .def(py::init<const ModelD&, const Numbers&, const Numbers&>(), "model"_a, "q"_a, "qd"_a,
           "At q (nq,): coordinates (rad, m; free joint: position, quaternion x y z w), and qd (nv,): rates (rad/s, "
           "m/s; free joint: body twist). Raises SizeError, StateError.")
      .def_property_readonly("S", copied(&G::S, "S"), "(6 N, nv), block diagonal: the joint Jacobians.")
      .def_property_readonly("Sdot", copied(&G::Sdot, "Sdot"),
                             "(6 N, nv): the rate of S, zero for joints of one degree.")
      .def_property_readonly(
          "Gamma", copied(&G::Gamma, "Gamma"),
          "(6 N, 6 N): Ad of the inverse of the body's pose in its parent, in block (i, parent of i).")
      .def_property_readonly("G", copied(&G::G, "G"), "(6 N, 6 N): (1 - Gamma)^-1.")
      .def_property_readonly("J", copied(&G::J, "J"), "(6 N, 6 N), block diagonal: the inertias.")
      .def_property_readonly("ad_Sqd", copied(&G::ad_Sqd, "ad_Sqd"),
                             "(6 N, 6 N), block diagonal: -ad of S_i qd_i, the minus sign inside.")
      .def_property_readonly("P_0", copied(&G::P_0, "P_0"),
                             "(6 N, 6): the base's twist into the bodies that it carries.")
      .def("GS", product(&G::GS, "GS"), "G S, (6 N, nv): all body Jacobians, one on top of the other (Ploen 19).")
      .def("GS_rate", product(&G::GS_rate, "GS_rate"), "The rate of GS, (6 N, nv).")
      .def("Gdot", product(&G::Gdot, "Gdot"), "The rate of G, (6 N, 6 N): G ad_Sqd Gamma G (Ploen 27).")
      .def("M", product(&G::M, "M"), "The mass matrix, (nv, nv): S^T G^T J G S (Ploen 24, Park 51).")
      .def("Mdot", product(&G::Mdot, "Mdot"), "Its rate, (nv, nv), by the product rule (Ploen 28).")
      .def(
          "C_bar",
          [](const Global& g, Choice<CoriolisFamily> family) {
            return finite_array(g.matrices->C_bar(family), "C_bar");
          },
          family_argument(), "(6 N, 6 N), block diagonal: the Coriolis matrices of the bodies.")
      .def(
          "C",
          [](const Global& g, Choice<CoriolisFamily> family) {
            return finite_array(unlocked(any_length(), nullptr, [&] { return g.matrices->C(family); }), "C");
          },
          family_argument(), "The Coriolis matrix, (nv, nv): S^T G^T (J G ad_Sqd Gamma + C_bar) G S (Ploen 25, 37).")
      .def("phi", product(&G::phi, "phi"), "The gravity force, (nv,) (Ploen 26, 38).");
}

// --- screws ----------------------------------------------------------------------------------------------------------

/// Screws of which exp(screw, x) may be taken.
const std::vector<TwistD>& units(const std::vector<TwistD>& screws)
{
  for (std::size_t k = 0; k < screws.size(); ++k) {
    const double turn = std::sqrt(inner(screws[k].w, screws[k].w));
    if (turn != 0 && !(std::abs(turn - 1) <= 1e-6))
      throw Error("Screw " + std::to_string(k) + " has |w| = " + std::to_string(turn) + " where 1 or 0 is needed.");
  }
  return screws;
}

/// A form whose offsets and screws are as many as they must be.
void require_as_many(std::size_t offsets, std::size_t expected)
{
  if (offsets != expected)
    throw Error(std::to_string(offsets) + " offsets are given where the form needs " + std::to_string(expected) + ".");
}

template <typename Form>
auto pose_of(Indexed<TwistD> Form::*screws)
{
  return [screws](const Form& form, const Numbers& x) {
    return pose<double>(form, VectorX<double>(vector(x, "x", static_cast<int>((form.*screws).size()))));
  };
}

const LinkFrame<double>& of_same_model(const Screws& screws, const LinkFrame<double>& link)
{
  checked(link.body, "body", 0, static_cast<int>(screws.last.size()));
  return link;
}

/// The entry k of an array of matrices, (n, rows, columns).
template <int rows, int columns>
Eigen::Matrix<double, rows, columns> matrix_of(const Numbers& x, py::ssize_t k)
{
  return Eigen::Map<const Eigen::Matrix<double, rows, columns, Eigen::RowMajor>>(x.begin() + k * rows * columns);
}

/// Refuse an array of another shape; sizes of -1 are free.
void require_shape(const Numbers& x, const char* name, const std::vector<py::ssize_t>& needed, const char* in_words)
{
  const std::vector<py::ssize_t> shape = x.shape();
  bool right = shape.size() == needed.size();
  for (std::size_t k = 0; right && k < shape.size(); ++k) right = needed[k] < 0 || shape[k] == needed[k];
  if (!right) throw Error(std::string(name) + " has the shape " + text(shape) + " where " + in_words + " is needed.");
  require_finite(x, name);
}

Screws of_lists(const Numbers& Mlist, const Numbers& Slist, const Numbers& Glist)
{
  require_shape(Mlist, "Mlist", {-1, 4, 4}, "(n, 4, 4) or (n + 1, 4, 4)");
  require_shape(Slist, "Slist", {6, -1}, "(6, n), a screw in each column,");
  require_shape(Glist, "Glist", {-1, 6, 6}, "(n, 6, 6)");
  std::vector<PoseD> M;
  for (py::ssize_t k = 0; k < Mlist.shape()[0]; ++k) {
    const Eigen::Matrix4d T = matrix_of<4, 4>(Mlist, k);
    if (T.row(3) != Eigen::RowVector4d(0, 0, 0, 1))
      throw Error("Mlist[" + std::to_string(k) + "] is no pose; its last row must be 0 0 0 1.");
    const Eigen::Matrix3d R = T.topLeftCorner(3, 3);
    const Eigen::Vector3d at = T.topRightCorner(3, 1);
    M.push_back(py::type::of<PoseD>()(array(R), array(at)).cast<PoseD>());
  }
  std::vector<TwistD> S;
  const py::ssize_t n = Slist.shape()[1];
  for (py::ssize_t k = 0; k < n; ++k) {
    const auto entry = [&](int row) { return Slist[row * n + k]; };
    S.push_back({{entry(0), entry(1), entry(2)}, {entry(3), entry(4), entry(5)}});
  }
  std::vector<Matrix6<double>> G;
  for (py::ssize_t k = 0; k < Glist.shape()[0]; ++k) G.push_back(matrix_of<6, 6>(Glist, k));
  return Screws::of_lists(M, S, G);
}

void bind_screws(py::module_& m)
{
  py::class_<Screws>(m, "ScrewSystem",
                     "The constant screws of a tree at x = 0, all seen from the base, one for each coordinate "
                     "(Park 30 to 46). Lists are copies.")
      .def(py::init<const ModelD&>(), "model"_a, OthersRun(),
           "The screws of a model. Raises ModelError for a ball or free joint, which has no coordinates.")
      .def_static("of_lists", &of_lists, "Mlist"_a, "Slist"_a, "Glist"_a,
                  "A chain by the lists of Lynch and Park, Modern Robotics, chapter 8, at x = 0: Mlist (n, 4, 4), link "
                  "frames each in the one before, that of a tip may follow; Slist (6, n), screws in the base frame; "
                  "Glist (n, 6, 6), spatial inertias in the link frames (kg m^2, kg m, kg); angular parts first. "
                  "mechanism_of makes a mechanism of it. Raises Error naming the entry that cannot be meant.")
      .def_readonly("A", &Screws::A, "A_k, one Twist per coordinate, in the base frame.")
      .def_readonly("carrier", &Screws::carrier, "The coordinate before the k-th, -1 at the base.")
      .def_readonly("last", &Screws::last, "The last coordinate of body i; entry 0, the world, is -1.")
      .def_readonly("M", &Screws::M, "M_i, the pose of body i at x = 0; entry 0 is the world.")
      .def_readonly("D", &Screws::D, "D_i, the inertia of body i about the base's origin at x = 0 (Park 44).")
      .def_property_readonly("coordinates", &Screws::coordinates, "n, how many coordinates there are.")
      .def(
          "carries",
          [](const Screws& s, int j, int i) {
            return s.carries(checked(j, "coordinate", 0, s.coordinates()),
                             checked(i, "coordinate", 0, s.coordinates()));
          },
          "j"_a, "i"_a, "Whether coordinate j is on the way from the base to coordinate i, itself included.")
      .def(
          "displacement",
          [](const Screws& s, int k, const Numbers& x) {
            return s.displacement(checked(k, "coordinate", -1, s.coordinates() + 1), vector(x, "x", s.coordinates()));
          },
          "k"_a, "x"_a,
          "The product of exponentials e^(A x) over the coordinates that carry the k-th and itself, at x (n,), rad, m; "
          "k = -1 gives the identity.")
      .def(
          "pose",
          [](const Screws& s, int i, const Numbers& x) {
            return s.pose(checked(i, "body", 0, static_cast<int>(s.last.size())), vector(x, "x", s.coordinates()));
          },
          "i"_a, "x"_a, "The pose of body i in the world at x (n,), rad, m (Park 31).")
      .def(
          "carried",
          [](const Screws& s, const TwistD& H, int i, int j, const Numbers& x) {
            return s.carried(H, checked(i, "coordinate", -1, s.coordinates() + 1),
                             checked(j, "coordinate", -1, s.coordinates() + 1), vector(x, "x", s.coordinates()));
          },
          "H"_a, "i"_a, "j"_a, "x"_a,
          "H, seen from behind coordinate i, as it is seen from behind coordinate j at x (n,), rad, m; -1 is the base; "
          "where j does not come after i, it is H itself (Park 37).");
  m.def(
      "mechanism_of",
      [](const Screws& screws, const Numbers& gravity, const std::string& source) {
        return Description(mechanism_of(screws, numbers<3>(gravity), source));
      },
      "screws"_a, "gravity"_a = py::make_tuple(0.0, 0.0, -9.81), "source"_a = "screws",
      "A mechanism of one-degree joints that has these screws, with gravity (3,), m/s^2; messages call it `source`.");
}

void bind_products(py::module_& m)
{
  using Between = OffsetsBetween<double>;
  using Behind = OffsetBehind<double>;
  using Before = OffsetBefore<double>;
  py::class_<Between>(m, "OffsetsBetween",
                      "f = e^(P_1 x_1) M_1 ... e^(P_n x_n) M_n: offsets between the joints (Park 12).")
      .def(py::init([](const std::vector<TwistD>& P, const std::vector<PoseD>& M) {
             require_as_many(M.size(), P.size());
             return Between{units(P), M};
           }),
           "P"_a, "M"_a, "From as many screws, with |w| = 1 or 0, as poses.")
      .def_readonly("P", &Between::P, "The screws, each in the frame before it; copies.")
      .def_readonly("M", &Between::M, "The offsets; copies.")
      .def("pose", pose_of(&Between::P), "x"_a, "The pose f at x (n,), rad, m.");
  py::class_<Behind>(m, "OffsetBehind", "f = e^(A_1 x_1) ... e^(A_n x_n) M: all screws in the base frame (Park 13).")
      .def(py::init([](const std::vector<TwistD>& A, const PoseD& M) {
             return Behind{units(A), M};
           }),
           "A"_a, "M"_a = PoseD(), "From screws with |w| = 1 or 0, and the pose at x = 0.")
      .def_readonly("A", &Behind::A, "The screws in the base frame; copies.")
      .def_readonly("M", &Behind::M, "The pose at x = 0.")
      .def("pose", pose_of(&Behind::A), "x"_a, "The pose f at x (n,), rad, m.");
  py::class_<Before>(m, "OffsetBefore", "f = M e^(B_1 x_1) ... e^(B_n x_n): all screws in the tip's frame (Park 14).")
      .def(py::init([](const PoseD& M, const std::vector<TwistD>& B) {
             return Before{M, units(B)};
           }),
           "M"_a, "B"_a, "From the pose at x = 0, and screws with |w| = 1 or 0.")
      .def_readonly("M", &Before::M, "The pose at x = 0.")
      .def_readonly("B", &Before::B, "The screws in the frame of the tip; copies.")
      .def("pose", pose_of(&Before::B), "x"_a, "The pose f at x (n,), rad, m.");
  m.def(
      "offset_behind", [](const Between& form) { return offset_behind(form); }, "form"_a,
      "A_k = Ad of M_1 ... M_(k-1) on P_k, M = M_1 ... M_n (Park 13).");
  m.def(
      "offset_behind", [](const Before& form) { return offset_behind(form); }, "form"_a, "A_k = Ad_M B_k.");
  m.def(
      "offset_behind",
      [](const Screws& screws, const LinkFrame<double>& link) {
        return offset_behind(screws, of_same_model(screws, link));
      },
      "screws"_a, "link"_a, "A link of a model as a product of exponentials of the coordinates that carry it.");
  m.def(
      "offset_before", [](const Behind& form) { return offset_before(form); }, "form"_a,
      "B_k = Ad_(M^-1) A_k (Park 14).");
  m.def(
      "offsets_between",
      [](const Behind& form, const std::vector<PoseD>& offsets) {
        if (form.A.empty()) throw Error("The form has no screws, so there is nothing for offsets to be between.");
        require_as_many(offsets.size(), form.A.size() - 1);
        return offsets_between(form, offsets);
      },
      "form"_a, "offsets"_a,
      "Offsets between the joints, which may be chosen: all n - 1 but the last, whose place is what remains.");
  m.def(
      "coordinates_before",
      [](const Screws& screws, const LinkFrame<double>& link) {
        return coordinates_before(screws, of_same_model(screws, link));
      },
      "screws"_a, "link"_a, "The coordinates that carry a link, from the base outward.");
}

// --- the metric ------------------------------------------------------------------------------------------------------

int coordinate(const Metric& metric, int k) { return checked(k, "coordinate", 0, metric.dimension()); }

Array symbols(const Metric& metric)
{
  const int n = metric.dimension();
  Array all(std::vector<py::ssize_t>{n, n, n});
  double* number = all.mutable_data();
  unlocked({1.0 * n * n * n}, &metric, [&] {
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        for (int k = 0; k < n; ++k) *number++ = finite(metric.christoffel(i, j, k), "christoffel");
  });
  return all;
}

/// A curvature with a metric of its own, which stays where it is.
struct CurvatureThere {
  const Metric metric;
  const Curvature<double> curvature;

  explicit CurvatureThere(const Metric& m) : metric(positive(m)), curvature(metric) {}
  CurvatureThere(const CurvatureThere&) = delete;

private:
  static const Metric& positive(const Metric& m)
  {
    if (Eigen::LLT<MatrixX<double>>(m.M()).info() != Eigen::Success)
      throw StateError(
          m.model().mechanism().source +
          ": the mass matrix is not positive definite here, so there is no curvature; call the metric at a "
          "regular configuration first.");
    return m;
  }
};

void bind_metric(py::module_& m)
{
  py::class_<Metric, Recursion<double>> metric(
      m, "InertiaMetric",
      "The mass matrix as a metric at the configuration of the latest call: its derivatives and Christoffel symbols, "
      "by "
      "brackets of screws (Park 52 to 57). Coordinates count from 0; an index that there is not raises IndexError.");
  refuse_views(metric, {"V", "eta", "Vdot"});
  metric
      .def(py::init<const ModelD&>(), "model"_a, OthersRun(),
           "Make the workspace for a model. Raises ModelError for a ball or free joint, which has no coordinates.")
      .def(
          "__call__",
          [](Metric& g, const Numbers& q) {
            const auto at = configuration(g.model(), q);
            unlocked(quadratic(g.model()), &g, [&] { g(at); });
          },
          "q"_a, "Go to the coordinates q (nq,), rad, m. Raises SizeError, StateError.")
      .def_property_readonly("dimension", &Metric::dimension, "n, how many coordinates there are.")
      .def(
          "m", [](const Metric& g, int i, int j) { return finite(g.m(coordinate(g, i), coordinate(g, j)), "m"); },
          "i"_a, "j"_a, "An entry of the mass matrix (kg m^2, kg m, kg) (Park 40).")
      .def(
          "dm",
          [](const Metric& g, int i, int j, int k) {
            return finite(g.dm(coordinate(g, i), coordinate(g, j), coordinate(g, k)), "dm");
          },
          "i"_a, "j"_a, "k"_a, "Its derivative by coordinate k (Park 53).")
      .def(
          "ddm",
          [](const Metric& g, int i, int j, int k, int l) {
            return finite(g.ddm(coordinate(g, i), coordinate(g, j), coordinate(g, k), coordinate(g, l)), "ddm");
          },
          "i"_a, "j"_a, "k"_a, "l"_a, "Its derivative by coordinates k and l (Park 54).")
      .def(
          "christoffel",
          [](const Metric& g, int i, int j, int k) {
            return finite(g.christoffel(coordinate(g, i), coordinate(g, j), coordinate(g, k)), "christoffel");
          },
          "i"_a, "j"_a, "k"_a,
          "The symbol of the first kind, (d_i m_kj + d_j m_ki - d_k m_ij) / 2: its last index is the lowered one "
          "(Park 52, 55 to 57).")
      .def(
          "dchristoffel",
          [](const Metric& g, int i, int j, int k, int l) {
            return finite(g.dchristoffel(coordinate(g, i), coordinate(g, j), coordinate(g, k), coordinate(g, l)),
                          "dchristoffel");
          },
          "i"_a, "j"_a, "k"_a, "l"_a, "The derivative of christoffel(i, j, k) by coordinate l.")
      .def("christoffel_symbols", &symbols, "All symbols of the first kind, (n, n, n): entry [i, j, k] as christoffel.")
      .def(
          "M",
          [](const Metric& g) {
            return finite_array(unlocked(quadratic(g.model()), &g, [&] { return MatrixX<double>(g.M()); }), "M");
          },
          "The mass matrix, (n, n).")
      .def(
          "C",
          [](const Metric& g, const Numbers& xd) {
            const auto rates = vector(xd, "xd", g.dimension());
            return finite_array(unlocked(any_length(), &g, [&] { return MatrixX<double>(g.C(rates)); }), "C");
          },
          "xd"_a,
          "The Coriolis matrix, (n, n), of the rates xd (n,): C_kj = sum of christoffel(i, j, k) xd_i (Ploen 2).");
  py::class_<CurvatureThere>(
      m, "Curvature",
      "The curvature of a metric at the configuration where the metric is now (Park 65, 66); what "
      "the metric does later does not change it.")
      .def(py::init([](const Metric& metric) {
             return unlocked(any_length(), &metric, [&] { return std::make_unique<CurvatureThere>(metric); });
           }),
           "metric"_a, "Raises StateError where the mass matrix is not positive definite.")
      .def(
          "__call__",
          [](const CurvatureThere& R, int i, int j, int k, int l) {
            const Metric& g = R.metric;
            return finite(R.curvature(coordinate(g, i), coordinate(g, j), coordinate(g, k), coordinate(g, l)), "R");
          },
          "i"_a, "j"_a, "k"_a, "l"_a, "R_ijkl, all indices down, positive on spheres: R(0, 1, 0, 1) > 0 (Park 66).")
      .def(
          "christoffel",
          [](const CurvatureThere& R, int i, int j) {
            return finite_array(R.curvature.christoffel(coordinate(R.metric, i), coordinate(R.metric, j)),
                                "christoffel");
          },
          "i"_a, "j"_a, "The symbols of the second kind, (n,), of i and j for each upper index.")
      .def(
          "sectional",
          [](const CurvatureThere& R, const Numbers& u, const Numbers& v) {
            const int n = R.metric.dimension();
            const auto first = vector(u, "u", n), second = vector(v, "v", n);
            return finite(unlocked(any_length(), nullptr, [&] { return R.curvature.sectional(first, second); }),
                          "sectional");
          },
          "u"_a, "v"_a,
          "The curvature (1/(J s^2)) of the plane of the directions u (n,) and v (n,). Raises StateError when they "
          "span "
          "none.");
}

// --- energies --------------------------------------------------------------------------------------------------------

using Lagrange = LagrangeEquations<double>;

/// A property that is a copy of a vector.
auto copied(VectorX<double> Lagrange::*member, const char* name)
{
  return py::cpp_function([member, name](const Lagrange& l) {
    l.require_run(name);
    return finite_array(l.*member, name);
  });
}

/// A property that is a number.
auto energy(double Lagrange::*member, const char* name)
{
  return py::cpp_function([member, name](const Lagrange& l) {
    l.require_run(name);
    return finite(l.*member, name);
  });
}

void bind_energies(py::module_& m)
{
  m.def(
      "koenig_energy",
      [](const Inertia<double>& I, const TwistD& V) { return finite(koenig_energy(I, V), "koenig_energy"); }, "I"_a,
      "V"_a, "The kinetic energy (J) of a body: of its centre of mass, and of its turning about it (Ma 37).");
  py::class_<Lagrange, Recursion<double>>(
      m, "LagrangeEquations",
      "Lagrange's equations as they stand: energies of the bodies, and their derivatives by brackets of twists (Ma 36 "
      "to "
      "40). They can be read after a call, one number for each rate; copies.")
      .def(py::init<const ModelD&>(), "model"_a, OthersRun(), "Make the workspace for a model.")
      .def(
          "__call__",
          [](Lagrange& l, const Numbers& q, const Numbers& qd, const Numbers& qdd) {
            const ModelD& model = l.model();
            const auto at = configuration(model, q), rates = vector(qd, "qd", model.nv()),
                       accelerations = vector(qdd, "qdd", model.nv());
            return finite_array(
                unlocked(quadratic(model), &l, [&] { return VectorX<double>(l(at, rates, accelerations)); }), "Q");
          },
          "q"_a, "qd"_a, "qdd"_a,
          "The joint forces Q (nv,) of a motion (N m, N; free joint: wrench in the body frame). q (nq,): coordinates "
          "(rad, m; free joint: position, quaternion x y z w). qd (nv,): rates. qdd (nv,): accelerations. Raises "
          "SizeError, StateError.")
      .def(
          "set_gravity", [](Lagrange& l, const Vector3<double>& g) { l.set_gravity(g); }, "g"_a,
          "Set the gravitational acceleration (3,), m/s^2, in the world, for the calls that follow.")
      .def_property_readonly("E", energy(&Lagrange::E, "kinetic energy"), "The kinetic energy, J (Ma 37).")
      .def_property_readonly("U", energy(&Lagrange::U, "potential energy"), "The potential energy, J (Ma 38).")
      .def_property_readonly("dE_dqd", copied(&Lagrange::dE_dqd, "dE_dqd"), "(nv,): the momentum of each coordinate.")
      .def_property_readonly("dE_dqd_rate", copied(&Lagrange::dE_dqd_rate, "dE_dqd_rate"), "(nv,): its rate.")
      .def_property_readonly("dE_dq", copied(&Lagrange::dE_dq, "dE_dq"),
                             "(nv,): the derivatives of E along the motions that the rates make.")
      .def_property_readonly("dU_dq", copied(&Lagrange::dU_dq, "dU_dq"), "(nv,): the derivatives of U likewise.")
      .def_property_readonly("hamel", copied(&Lagrange::hamel, "hamel"),
                             "(nv,): what comes on top where rates are no derivatives of coordinates; else zero.");
}

// --- regressors ------------------------------------------------------------------------------------------------------

using RegressorD = Regressor<double>;

Array regressor(RegressorD& Y, const Numbers& q, const Numbers& qd, const Numbers& qdd)
{
  const ModelD& model = Y.model();
  const auto at = configuration(model, q), rates = vector(qd, "qd", model.nv()),
             accelerations = vector(qdd, "qdd", model.nv());
  return finite_array(unlocked(quadratic(model), &Y, [&] { return MatrixX<double>(Y(at, rates, accelerations)); }),
                      "Y");
}

Array reference_regressor(RegressorD& Y, const Numbers& q, const Numbers& qd, const Numbers& qd_r, const Numbers& qdd_r)
{
  const ModelD& model = Y.model();
  const auto at = configuration(model, q), rates = vector(qd, "qd", model.nv()),
             reference = vector(qd_r, "qd_r", model.nv()), change = vector(qdd_r, "qdd_r", model.nv());
  return finite_array(unlocked(quadratic(model), &Y, [&] { return MatrixX<double>(Y(at, rates, reference, change)); }),
                      "Y");
}

/// Regressors on top of each other.
MatrixX<double> stacked(const Numbers& W)
{
  if (W.array.ndim() != 2 || W.size() == 0)
    throw StateError("W has the shape " + text(W.shape()) + " where a matrix of stacked regressors is needed.");
  require_finite(W, "W");
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Eigen::Map<const Rows> all(W.begin(), W.array.shape(0), W.array.shape(1));
  require_finite_result(all.colwise().norm(), "|W|");
  return all;
}

using Energies = EnergyRegressor<double>;

void bind_energy_regressors(py::module_& m)
{
  py::class_<Energies, ForwardKinematics<double>>(
      m, "EnergyRegressor",
      "Energies and the moment of mass are linear in the inertial parameters: rows for the latest call (Ours 47).")
      .def(py::init<const ModelD&>(), "model"_a, OthersRun(), "Make the workspace for a model.")
      .def(
          "__call__",
          [](Energies& Y, const Numbers& q, const Numbers& qd) {
            const auto at = configuration(Y.model(), q), rates = vector(qd, "qd", Y.model().nv());
            unlocked(linear(Y.model()), &Y, [&] { Y(at, rates); });
          },
          "q"_a, "qd"_a,
          "Fill the rows. q (nq,): coordinates (rad, m; free joint: position, quaternion x y z w). qd (nv,): rates "
          "(rad/s, m/s; free joint: body twist). Raises SizeError, StateError.")
      .def_property_readonly(
          "kinetic", [](const Energies& Y) { return finite_array(Y.kinetic(), "kinetic"); },
          "The row (10 N,) with T = row . inertial_parameters (J); a copy.")
      .def(
          "potential",
          [](const Energies& Y, const std::optional<Vector3<double>>& gravity) {
            return finite_array(Y.potential(gravity.value_or(Y.model().gravity())), "potential");
          },
          "gravity"_a = py::none(),
          "The row (10 N,) with U = row . inertial_parameters (J), zero at the world's origin; g (3,) is the model's "
          "unless given.")
      .def_property_readonly(
          "mass_moment_rows", [](const Energies& Y) { return finite_array(Y.mass_moment_rows(), "mass_moment_rows"); },
          "The rows (3, 10 N) with mass times centre of mass = rows @ inertial_parameters (kg m), in the world; a "
          "copy.");
  m.def(
      "kinetic_energy_regressor",
      [](const ModelD& model, const Numbers& q, const Numbers& qd) {
        return finite_array(kinetic_energy_regressor(model, configuration(model, q), vector(qd, "qd", model.nv())),
                            "Y");
      },
      "model"_a, "q"_a, "qd"_a, "The row (10 N,) with T = row . inertial_parameters (J) (Ours 47).");
  m.def(
      "potential_energy_regressor",
      [](const ModelD& model, const Numbers& q) {
        return finite_array(potential_energy_regressor(model, configuration(model, q)), "Y");
      },
      "model"_a, "q"_a, "The row (10 N,) with U = row . inertial_parameters (J) (Ours 47).");
  m.def(
      "mass_moment_regressor",
      [](const ModelD& model, const Numbers& q) {
        return finite_array(mass_moment_regressor(model, configuration(model, q)), "Y");
      },
      "model"_a, "q"_a,
      "The rows (3, 10 N) with mass times centre of mass = rows @ inertial_parameters (kg m), in the world (Ours 47).");
}

/// Of a recursion that carries the accelerations of a motion.
template <typename Accelerated>
void bind_link_regressor(py::module_& m)
{
  m.def(
      "link_regressor",
      [](const Accelerated& at, const std::string& name, const PoseD& offset) {
        return finite_array(link_regressor(at, frame_on(at.model().link(name), offset)), "Y");
      },
      "at"_a, "name"_a, py::arg_v("offset", PoseD(), "SE3()"),
      "Y (6, 10): the wrench that the body of a link needs for its motion, without what it carries, is Y times its ten "
      "numbers, all in the frame of the link, or in another one that it carries, whose pose is offset. After a call of "
      "InverseDynamics, ForwardDynamics or HybridDynamics with gravity, of SpaceMotion without (Ours 46). Other "
      "recursions do not carry the accelerations of a motion and are not taken. Raises StateError.");
}

void bind_regressors(py::module_& m)
{
  const char* const motion =
      "Y (nv, 10 N) with M qdd + C qd + phi = Y inertial_parameters. q (nq,): coordinates (rad, m; free joint: "
      "position, "
      "quaternion x y z w). qd (nv,): rates (rad/s, m/s; free joint: body twist). qdd (nv,): accelerations.";
  const char* const reference =
      "Y (nv, 10 N) with M qdd_r + C(q, qd) qd_r + phi = Y inertial_parameters: what adaptive control needs. q (nq,), "
      "qd "
      "(nv,) as without reference; qd_r (nv,): reference rates; qdd_r (nv,): their derivative in time.";
  py::class_<RegressorD, Recursion<double>> regressor_class(
      m, "Regressor",
      "Joint forces are linear in the inertial parameters: Y with tau = Y pi, and "
      "likewise both energies (Park, section 4.1).");
  refuse_views(regressor_class, {"Vdot"});
  regressor_class
      .def(py::init<const ModelD&, Choice<CoriolisFamily>>(), "model"_a, family_argument(), OthersRun(),
           "Make the workspace for a model. The family matters only with reference rates of their own.")
      .def("__call__", &regressor, "q"_a, "qd"_a, "qdd"_a, motion)
      .def("__call__", &reference_regressor, "q"_a, "qd"_a, "qd_r"_a, "qdd_r"_a, reference)
      .def(
          "at_rest",
          [](RegressorD& Y, const Numbers& q) {
            const auto at = configuration(Y.model(), q);
            return finite_array(unlocked(quadratic(Y.model()), &Y, [&] { return MatrixX<double>(Y.at_rest(at)); }),
                                "Y");
          },
          "q"_a, "Y (nv, 10 N) with gravity force = Y inertial_parameters at q (nq,): the static regressor (Ours 48).")
      .def_property_readonly(
          "kinetic", [](const RegressorD& Y) { return finite_array(Y.kinetic(), "kinetic"); },
          "The row (10 N,) with T = row . inertial_parameters (J), at the state of the latest call; a copy.")
      .def_property_readonly(
          "potential", [](const RegressorD& Y) { return finite_array(Y.potential(), "potential"); },
          "The row (10 N,) with U = row . inertial_parameters (J), zero at the world's origin; a copy.");
  m.def(
      "regressor",
      [](const ModelD& model, const Numbers& q, const Numbers& qd, const Numbers& qdd) {
        RegressorD Y(model);
        return regressor(Y, q, qd, qdd);
      },
      "model"_a, "q"_a, "qd"_a, "qdd"_a, motion);
  m.def(
      "regressor",
      [](const ModelD& model, const Numbers& q, const Numbers& qd, const Numbers& qd_r, const Numbers& qdd_r,
         Choice<CoriolisFamily> family) {
        RegressorD Y(model, family);
        return reference_regressor(Y, q, qd, qd_r, qdd_r);
      },
      "model"_a, "q"_a, "qd"_a, "qd_r"_a, "qdd_r"_a, family_argument(), reference);
  m.def(
      "static_regressor",
      [](const ModelD& model, const Numbers& q) {
        const auto at = configuration(model, q);
        return finite_array(unlocked(quadratic(model), nullptr, [&] { return static_regressor(model, at); }), "Y");
      },
      "model"_a, "q"_a,
      "Y (nv, 10 N) with gravity force = Y inertial_parameters at q (nq,), in the model's own gravity (Ours 48).");
  bind_link_regressor<InverseDynamics<double>>(m);
  bind_link_regressor<ArticulatedBodies<double>>(m);
  bind_link_regressor<SpaceMotion<double>>(m);
  m.def(
      "inertial_parameters",
      [](const ModelD& model) {
        return array(unlocked(linear(model), nullptr, [&] { return inertial_parameters(model); }));
      },
      "model"_a,
      "m, m c (3), Ixx, Ixy, Ixz, Iyy, Iyz, Izz about the frame's origin (kg, kg m, kg m^2), body after body, (10 N,): "
      "of "
      "the body, links fixed to it included, in the frame of the link that its joint carries.");
  py::class_<BaseParameters<double>>(
      m, "BaseParameters", "Which combinations of parameters a set of measurements determines, by QR with pivoting.")
      .def(py::init([](const Numbers& W) {
             const MatrixX<double> rows = stacked(W);
             return unlocked(any_length(), nullptr, [&] { return BaseParameters<double>(rows); });
           }),
           "W"_a, "W (rows, 10 N): any number of regressors on top of each other, from states that excite all motions.")
      .def_property_readonly("rank", &BaseParameters<double>::rank, "How many combinations there are.")
      .def_readonly("columns", &BaseParameters<double>::columns,
                    "The parameters that stand for their groups, in the order of their choice.")
      .def_property_readonly(
          "groups", [](const BaseParameters<double>& b) { return array(b.groups); },
          "(rank, 10 N): base parameters = groups @ inertial_parameters.")
      .def_readonly("smallest_kept", &BaseParameters<double>::smallest_kept,
                    "The last pivot that counted, of columns of length 1.")
      .def_readonly("largest_dropped", &BaseParameters<double>::largest_dropped, "The first that did not.");
}

// --- the motion as a whole -------------------------------------------------------------------------------------------

using Whole = CentroidalMomentum<double>;

void go(Whole& whole, const Numbers& q, const Numbers& qd)
{
  const auto at = configuration(whole.model(), q), rates = vector(qd, "qd", whole.model().nv());
  unlocked(linear(whole.model()), &whole, [&] { whole(at, rates); });
  require_finite_result(whole.Adot, "Adot");
}

/// The whole at rest: what depends on the coordinates alone.
Whole at_rest(const ModelD& model, const Numbers& q)
{
  Whole whole(model);
  const auto at = configuration(model, q);
  unlocked(linear(model), nullptr, [&] { whole(at, VectorX<double>::Zero(model.nv())); });
  return whole;
}

/// The same, or the refusal of what has not run.
const Whole& ran(const Whole& whole)
{
  whole.require_run("motion as a whole");
  return whole;
}

void bind_whole(py::module_& m)
{
  const char* const place = "The centre of mass of the moving bodies, (3,), m, in the world.";
  const char* const matrix =
      "The centroidal momentum matrix A (6, nv): A qd is the momentum about the centre of mass, in world axes, moment "
      "first.";
  const char* const jacobian = "The Jacobian of the centre of mass (3, nv): its velocity in world axes is J qd.";
  py::class_<Whole, Recursion<double>> whole_class(
      m, "CentroidalMomentum",
      "The motion of a mechanism as a whole: its centre of mass, and its momentum about that, in world axes, moment "
      "first (Orin and Goswami; Pinocchio's ccrba and dccrba have the linear part first). Arrays are copies.");
  refuse_views(whole_class, {"V", "eta", "Vdot"});
  whole_class
      .def(py::init<const ModelD&>(), "model"_a, OthersRun(),
           "Make the workspace for a model. Raises ModelError when no mass moves.")
      .def("__call__", &go, "q"_a, "qd"_a,
           "Find all of it at q (nq,): coordinates (rad, m; free joint: position, quaternion x y z w), qd (nv,): rates "
           "(rad/s, m/s; free joint: body twist). Raises SizeError, StateError.")
      .def_readonly("mass", &Whole::mass, "The mass (kg) of the moving bodies.")
      .def_property_readonly(
          "center", [](const Whole& whole) { return array(ran(whole).center); }, place)
      .def_property_readonly(
          "velocity", [](const Whole& whole) { return finite_array(ran(whole).velocity.eigen(), "velocity"); },
          "Of the centre of mass, (3,), m/s.")
      .def_property_readonly(
          "I", [](const Whole& whole) { return ran(whole).I; },
          "The centroidal composite inertia: all bodies as one, about the centre of mass, an Inertia.")
      .def_property_readonly(
          "A", [](const Whole& whole) { return array(ran(whole).A); }, matrix)
      .def_property_readonly(
          "Adot", [](const Whole& whole) { return array(ran(whole).Adot); }, "The derivative of A in time, (6, nv).")
      .def_property_readonly(
          "momentum", [](const Whole& whole) { return finite(ran(whole).momentum, "momentum"); },
          "A qd, a Wrench (N m s, N s).")
      .def_property_readonly(
          "bias", [](const Whole& whole) { return finite(ran(whole).bias, "bias"); }, "Adot qd, a Wrench (N m, N).")
      .def(
          "J", [](const Whole& whole) { return array(whole.J()); }, jacobian)
      .def(
          "Jdot", [](const Whole& whole) { return finite_array(whole.Jdot(), "Jdot"); },
          "The derivative of J in time, (3, nv).")
      .def(
          "momentum_rate",
          [](const Whole& whole, const Numbers& qdd) {
            return finite(whole.momentum_rate(vector(qdd, "qdd", whole.model().nv())), "momentum_rate");
          },
          "qdd"_a,
          "A qdd + Adot qd, a Wrench: what the surroundings must put on the mechanism, weight included, for the "
          "accelerations qdd (nv,).")
      .def(
          "acceleration",
          [](const Whole& whole, const Numbers& qdd) {
            return finite_array(whole.acceleration(vector(qdd, "qdd", whole.model().nv())).eigen(), "acceleration");
          },
          "qdd"_a, "Of the centre of mass, (3,), m/s^2, for the accelerations qdd (nv,).");
  m.def(
      "centroidal_momentum_matrix", [](const ModelD& model, const Numbers& q) { return array(at_rest(model, q).A); },
      "model"_a, "q"_a, matrix);
  m.def(
      "centroidal_momentum",
      [](const ModelD& model, const Numbers& q, const Numbers& qd) {
        Whole whole(model);
        go(whole, q, qd);
        return finite(whole.momentum, "momentum");
      },
      "model"_a, "q"_a, "qd"_a,
      "The momentum about the centre of mass in world axes, a Wrench (N m s, N s), at q (nq,) with rates qd (nv,).");
  m.def(
      "center_of_mass", [](const ModelD& model, const Numbers& q) { return array(at_rest(model, q).center); },
      "model"_a, "q"_a, place);
  m.def(
      "center_of_mass_jacobian", [](const ModelD& model, const Numbers& q) { return array(at_rest(model, q).J()); },
      "model"_a, "q"_a, jacobian);
}

}  // namespace

void bind_lagrange(py::module_& m)
{
  bind_coriolis_family(m);
  bind_closed_forms(m);
  bind_screws(m);
  bind_products(m);
  pickle_by_arguments(m.attr("OffsetsBetween"), {"P", "M"});
  pickle_by_arguments(m.attr("OffsetBehind"), {"A", "M"});
  pickle_by_arguments(m.attr("OffsetBefore"), {"M", "B"});
  bind_metric(m);
  bind_energies(m);
  bind_whole(m);
  bind_energy_regressors(m);
  bind_regressors(m);
}

}  // namespace articulate::python
