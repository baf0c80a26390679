/** \file
 *  \brief Machines by joint frames in Python, with tables of Denavit and Hartenberg, and screws.
 */
#include "recursion.hpp"
#include <articulate/mechanisms/denavit_hartenberg.hpp>
#include "choice.hpp"
#include "mechanism.hpp"
#include "pickle.hpp"

namespace articulate::python {

void bind_hydraulic_manipulator(py::module_& m);

namespace {

using namespace py::literals;
using PoseD = SE3<double>;
using Frame = JointFrame<double>;
using Frames = JointFrameChain<double>;
using Row = DenavitHartenbergRow<double>;
using Table = DenavitHartenbergChain<double>;

/// All poses of a chain, for the coordinates that it has.
template <typename Chain>
std::vector<PoseD> poses_of(const Chain& chain, const Numbers& q, std::size_t joints)
{
  return poses(chain, VectorX<double>(vector(q, "q", static_cast<int>(joints))));
}

void bind_frames(py::module_& m)
{
  py::class_<Frame>(
      m, "JointFrame",
      "A joint by five numbers: go a, b, d (m) along x, y, z of the frame before, turn by alpha (rad) about "
      "x, then by theta about the new z (Ma 21).")
      .def(py::init([](Number a, Number b, Number d, Number alpha, Number theta, Choice<JointType> type,
                       const Vector3<double>& slide) {
             const Frame frame{a, b, d, alpha, theta, type, slide};
             detail::require_placed_joint(frame, "the joint");
             return frame;
           }),
           "a"_a = 0.0, "b"_a = 0.0, "d"_a = 0.0, "alpha"_a = 0.0, "theta"_a = 0.0, "type"_a = "revolute",
           "slide"_a = py::make_tuple(0.0, 0.0, 1.0),
           "A revolute or continuous joint turns about its own z and begins at theta; a prismatic one slides along "
           "`slide` (3,), of length 1, seen from the frame before. Raises ModelError.")
      .def_readonly("a", &Frame::a, "Along x of the frame before, m.")
      .def_readonly("b", &Frame::b, "Along y of the frame before, m.")
      .def_readonly("d", &Frame::d, "Along z of the frame before, m.")
      .def_readonly("alpha", &Frame::alpha, "About x of the frame before, rad.")
      .def_readonly("theta", &Frame::theta, "About the new z, where the joint's coordinate is zero, rad.")
      .def_readonly("type", &Frame::type, "Whether it turns or slides.")
      .def_property_readonly(
          "slide", [](const Frame& f) { return array(f.slide); }, "Of a prismatic joint, (3,), in the frame before.")
      .def(
          "pose", [](const Frame& f, Number q) { return pose<double>(f, q); }, "q"_a,
          "The frame in the one before, at the joint's coordinate q, rad or m (Ma 21).")
      .def(
          "screw", [](const Frame& f) { return screw(f); },
          "The body twist that a unit rate of the joint makes (Ma 24).")
      .def("__repr__", [](const Frame& f) {
        return py::str("JointFrame(a={}, b={}, d={}, alpha={}, theta={})").format(f.a, f.b, f.d, f.alpha, f.theta);
      });
  py::class_<Frames>(m, "JointFrameChain",
                     "Joint frames one after the other; what five numbers cannot say stands before the first joint and "
                     "behind the last.")
      .def(py::init([](const std::vector<Frame>& joints, const PoseD& base, const PoseD& tip) {
             return Frames{base, joints, tip};
           }),
           "joints"_a, "base"_a = PoseD(), "tip"_a = PoseD(),
           "From JointFrames from the base outward, the pose before the first in the world and the tip in the last.")
      .def_readonly("base", &Frames::base, "The frame before the first joint, in the world.")
      .def_readonly("joints", &Frames::joints, "The joint frames; copies.")
      .def_readonly("tip", &Frames::tip, "The tip in the frame of the last joint.")
      .def(
          "poses", [](const Frames& chain, const Numbers& q) { return poses_of(chain, q, chain.joints.size()); }, "q"_a,
          "All joint frames in the world at q (n,), rad, m (Ma 22). Raises SizeError, StateError.");
  py::class_<FramedLink>(m, "FramedLink", "A link of a machine made of joint frames, with the joint that carries it.")
      .def(py::init([](const std::string& joint, const Frame& frame, const std::string& parent, const Link& link) {
             return FramedLink{joint, frame, parent, link};
           }),
           "joint"_a, "frame"_a, "parent"_a, "link"_a,
           "The name of the joint, its frame in that of the link `parent`, and the Link that it carries.")
      .def_readonly("joint", &FramedLink::joint, "The name of the joint.")
      .def_readonly("frame", &FramedLink::frame, "From the frame of the parent.")
      .def_readonly("parent", &FramedLink::parent, "The name of the link that carries.")
      .def_readonly("link", &FramedLink::link, "The link that is carried.");
  m.def(
      "mechanism_of",
      [](const std::string& name, const Link& base, const std::vector<FramedLink>& links, const Numbers& gravity) {
        return Description(mechanism_of(name, base, links, numbers<3>(gravity)));
      },
      "name"_a, "base"_a, "links"_a, "gravity"_a = py::make_tuple(0.0, 0.0, -9.81),
      "A tree of joint frames as a mechanism: the Link that carries all others, and a FramedLink for each joint.");
  m.def(
      "offsets_between", [](const Frames& chain) { return offsets_between(chain); }, "chain"_a,
      "A chain of joint frames as screws with the offsets between them. Raises ModelError when there is no joint.");
  m.def(
      "joint_frames", [](const OffsetBehind<double>& form) { return joint_frames(form); }, "form"_a,
      "Joint frames on the axes of screws, along their common normals: a choice of many, such that denavit_hartenberg "
      "takes it. Raises ModelError for a screw that neither turns nor slides.");
}

void bind_tables(py::module_& m)
{
  py::enum_<DenavitHartenberg>(m, "DenavitHartenberg",
                               "Which of the two conventions a table follows; nothing in a table tells.")
      .value("standard", DenavitHartenberg::standard, "Distal: turn and slide along z, then along the new x.")
      .value("modified", DenavitHartenberg::modified, "Proximal, Craig's: along x first, then turn and slide along z.");
  py::class_<Row>(m, "DenavitHartenbergRow",
                  "A row of a table of Denavit and Hartenberg: a (m), alpha (rad), d (m), theta (rad).")
      .def(py::init([](Number a, Number alpha, Number d, Number theta, Choice<JointType> type) {
             return Row{a, alpha, d, theta, type};
           }),
           "a"_a = 0.0, "alpha"_a = 0.0, "d"_a = 0.0, "theta"_a = 0.0, "type"_a = "revolute",
           "The joint's coordinate is added to theta if it turns, to d if it is prismatic.")
      .def_readonly("a", &Row::a, "Along x, m.")
      .def_readonly("alpha", &Row::alpha, "About x, rad.")
      .def_readonly("d", &Row::d, "Along z, m.")
      .def_readonly("theta", &Row::theta, "About z, rad.")
      .def_readonly("type", &Row::type, "Whether the joint turns or slides.")
      .def(
          "pose",
          [](const Row& row, Choice<DenavitHartenberg> convention, Number q) {
            return pose<double>(row, convention, q);
          },
          "convention"_a, "q"_a, "The frame in that of the row before, at the joint's coordinate q, rad or m.")
      .def("__repr__", [](const Row& r) {
        return py::str("DenavitHartenbergRow(a={}, alpha={}, d={}, theta={})").format(r.a, r.alpha, r.d, r.theta);
      });
  py::class_<Table>(m, "DenavitHartenbergChain", "A chain by its table of Denavit and Hartenberg.")
      .def(py::init([](Choice<DenavitHartenberg> convention, const std::vector<Row>& rows, const PoseD& base,
                       const PoseD& tip) {
             return Table{convention, base, rows, tip};
           }),
           "convention"_a, "rows"_a, "base"_a = PoseD(), "tip"_a = PoseD(),
           "From the convention, the rows from the base outward, the pose before the first in the world and the tip in "
           "the last.")
      .def_readonly("convention", &Table::convention, "Which convention the rows follow.")
      .def_readonly("base", &Table::base, "The frame before the first row, in the world.")
      .def_readonly("rows", &Table::rows, "The rows; copies.")
      .def_readonly("tip", &Table::tip, "The tip in the frame of the last row.")
      .def(
          "poses", [](const Table& table, const Numbers& q) { return poses_of(table, q, table.rows.size()); }, "q"_a,
          "All frames in the world at q (n,), rad, m. Raises SizeError, StateError.")
      .def(
          "by_convention", [](const Table& table, Choice<DenavitHartenberg> c) { return by_convention(table, c); },
          "convention"_a, "The same chain by the given convention: a and alpha move by one row.");
  m.def(
      "joint_frames", [](const Table& table) { return joint_frames(table); }, "table"_a,
      "A table as joint frames, which stand where the modified convention has them.");
  m.def(
      "denavit_hartenberg",
      [](const Frames& chain, Choice<DenavitHartenberg> convention) { return denavit_hartenberg(chain, convention); },
      "chain"_a, "convention"_a,
      "Joint frames as a table. Raises ModelError naming a joint whose frame no such table has; "
      "joint_frames(offset_behind(offsets_between(chain))) has others, which one has.");
}

}  // namespace

void bind_mechanisms(py::module_& m)
{
  bind_frames(m);
  bind_tables(m);
  pickle_by_arguments(m.attr("JointFrame"), {"a", "b", "d", "alpha", "theta", "type", "slide"});
  pickle_by_arguments(m.attr("JointFrameChain"), {"joints", "base", "tip"});
  pickle_by_arguments(m.attr("FramedLink"), {"joint", "frame", "parent", "link"});
  pickle_by_arguments(m.attr("DenavitHartenbergRow"), {"a", "alpha", "d", "theta", "type"});
  pickle_by_arguments(m.attr("DenavitHartenbergChain"), {"convention", "rows", "base", "tip"});
  bind_hydraulic_manipulator(m);
}

}  // namespace articulate::python
