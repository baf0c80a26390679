/** \file
 *  \brief Links, joints and mechanisms in Python: made there, read from URDF, or built in.
 */
#include "mechanism.hpp"
#include <articulate/model/mjcf.hpp>
#include <articulate/model/robot_file.hpp>
#include <articulate/model/urdf.hpp>
#include <cli/output.hpp>  // write_text
#include <models/models.hpp>
#include "choice.hpp"
#include "path.hpp"
#include "pickle.hpp"
#include "unlocked.hpp"

namespace articulate::python {
namespace {

using namespace py::literals;

/// The six numbers of an inertia, also from its matrix.
std::array<double, 6> inertia(const Numbers& x)
{
  if (x.array.ndim() != 2) return numbers<6>(x);
  const Symmetric3<double> I = py::cast<Symmetric3<double>>(x.array);
  return {I.xx, I.xy, I.xz, I.yy, I.yz, I.zz};
}

/// A property that is an array of n numbers: seen as a view, set as a whole.
template <typename Class, std::size_t n>
void bind_numbers(py::class_<Class>& class_, const char* name, std::array<double, n> Class::*member,
                  std::array<double, n> (*read)(const Numbers&), const char* doc)
{
  class_.def_property(
      name,
      [member](const py::object& self) {
        return view((self.cast<const Class&>().*member).data(), {n}, {sizeof(double)}, self);
      },
      [member, read](Class& self, const Numbers& x) { self.*member = read(x); }, doc);
}

}  // namespace

void bind_mechanism(py::module_& m)
{
  py::enum_<JointType> type(m, "JointType", "What a joint lets its child do; see Joint.");
  for (const auto& [name, value] : joint_types) type.value(name, value);

  py::class_<Link> link(m, "Link", "A rigid link in its own frame.");
  link.def(py::init([](const std::string& name, Number mass, const Numbers& center_of_mass, const Numbers& I,
                       const Numbers& inertial_quaternion) {
             return Link{name, mass, numbers<3>(center_of_mass), numbers<4>(inertial_quaternion), inertia(I)};
           }),
           "name"_a, "mass"_a = 0.0, "center_of_mass"_a = py::make_tuple(0.0, 0.0, 0.0),
           "inertia"_a = py::make_tuple(0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
           "inertial_quaternion"_a = py::make_tuple(0.0, 0.0, 0.0, 1.0),
           "From mass (kg), centre of mass (3,), m, inertia about it (kg m^2) as xx xy xz yy yz zz or (3, 3), and the "
           "axes of the inertia as a quaternion x y z w, all in the link's frame.")
      .def_readwrite("name", &Link::name, "Its name.")
      .def_property(
          "mass", [](const Link& l) { return l.mass; }, [](Link& l, Number mass) { l.mass = mass; }, "kg.")
      .def("__repr__", [](const Link& l) { return py::str("Link({!r}, mass={})").format(l.name, l.mass); });
  bind_numbers(link, "center_of_mass", &Link::center_of_mass, &numbers<3>, "(3,), m, in the link's frame.");
  bind_numbers(link, "inertia", &Link::inertia, &inertia,
               "xx xy xz yy yz zz about the centre of mass, (6,), kg m^2; may be set from (3, 3).");
  bind_numbers(link, "inertial_quaternion", &Link::inertial_quaternion, &numbers<4>,
               "The axes of the inertia in the link's frame, x y z w, (4,).");

  pickle_by_arguments(link, {"name", "mass", "center_of_mass", "inertia", "inertial_quaternion"});

  py::class_<Mimic> mimic(m, "Mimic", "What a coordinate follows: q = multiplier q_joint + offset.");
  mimic
      .def(py::init([](const std::string& joint, Number multiplier, Number offset) {
             return Mimic{joint, multiplier, offset};
           }),
           "joint"_a, "multiplier"_a = 1.0, "offset"_a = 0.0,
           "The name of the joint that leads, so much per rad or m of it, and so much (rad, m) beside.")
      .def_readonly("joint", &Mimic::joint, "The joint that leads.")
      .def_readonly("multiplier", &Mimic::multiplier, "In the unit of the one per unit of the other.")
      .def_readonly("offset", &Mimic::offset, "rad, m.")
      .def("__repr__", [](const py::object& x) {
        return py::str("Mimic({!r}, {!r}, {!r})").format(x.attr("joint"), x.attr("multiplier"), x.attr("offset"));
      });
  pickle_by_arguments(mimic, {"joint", "multiplier", "offset"});

  py::class_<Joint> joint(m, "Joint", "A joint between two links; at q = 0 the child's frame is the joint's frame.");
  joint
      .def(py::init([](const std::string& name, Choice<JointType> type, const std::string& parent,
                       const std::string& child, const Numbers& position, const Numbers& quaternion,
                       const Numbers& axis, Number pitch, Number damping, Number friction, Number armature,
                       double lower, double upper, const std::optional<Mimic>& mimic) {
             return Joint{name,
                          type,
                          parent,
                          child,
                          numbers<3>(position),
                          numbers<4>(quaternion),
                          numbers<3>(axis),
                          pitch,
                          damping,
                          friction,
                          armature,
                          lower,
                          upper,
                          mimic};
           }),
           "name"_a, "type"_a, "parent"_a, "child"_a, "position"_a = py::make_tuple(0.0, 0.0, 0.0),
           "quaternion"_a = py::make_tuple(0.0, 0.0, 0.0, 1.0), "axis"_a = py::make_tuple(0.0, 0.0, 1.0),
           "pitch"_a = 0.0, "damping"_a = 0.0, "friction"_a = 0.0, "armature"_a = 0.0, "lower"_a = Joint{}.lower,
           "upper"_a = Joint{}.upper, "mimic"_a = py::none(),
           "A joint of a type (its name or a JointType) that carries the link `child` on the link `parent`. Position "
           "(3,), m, and quaternion x y z w are those of the joint's frame in the parent's; the axis (3,), any length "
           "but zero, is in the joint's frame; pitch (m/rad) is that of a helical joint. Damping (N m s/rad, N s/m), "
           "friction (N m, N) and armature (kg m^2, kg) are no part of the dynamics, nor are the limits lower and "
           "upper (rad, m), infinite where there is none, nor what it mimics, a Mimic or None; see mimic_loops.")
      .def_readwrite("name", &Joint::name, "Its name.")
      .def_property(
          "type", [](const Joint& j) { return j.type; }, [](Joint& j, Choice<JointType> type) { j.type = type; },
          "What it lets its child do.")
      .def_readwrite("parent", &Joint::parent, "The link that carries.")
      .def_readwrite("child", &Joint::child, "The link that is carried.")
      .def_property(
          "pitch", [](const Joint& j) { return j.pitch; }, [](Joint& j, Number pitch) { j.pitch = pitch; },
          "Of a helical joint, m/rad.")
      .def_property(
          "damping", [](const Joint& j) { return j.damping; }, [](Joint& j, Number x) { j.damping = x; },
          "N m s/rad, N s/m; not in the dynamics.")
      .def_property(
          "friction", [](const Joint& j) { return j.friction; }, [](Joint& j, Number x) { j.friction = x; },
          "N m, N; not in the dynamics.")
      .def_property(
          "armature", [](const Joint& j) { return j.armature; }, [](Joint& j, Number x) { j.armature = x; },
          "What a geared rotor adds to the joint's inertia, kg m^2, kg; not in the dynamics.")
      .def_property(
          "lower", [](const Joint& j) { return j.lower; }, [](Joint& j, double x) { j.lower = x; },
          "Where its coordinate is said to end, rad or m; not in the dynamics.")
      .def_property(
          "upper", [](const Joint& j) { return j.upper; }, [](Joint& j, double x) { j.upper = x; },
          "The other end, rad or m; not in the dynamics.")
      .def_property(
          "mimic", [](const Joint& j) { return j.mimic; },
          [](Joint& j, const std::optional<Mimic>& mimic) { j.mimic = mimic; },
          "What it follows, a copy, or None; not in the dynamics.")
      .def("__repr__", [](const py::object& j) {
        return py::str("Joint({!r}, {!r}, {!r}, {!r})")
            .format(j.attr("name"), j.attr("type").attr("name"), j.attr("parent"), j.attr("child"));
      });
  bind_numbers(joint, "position", &Joint::position, &numbers<3>, "Of the joint's frame in the parent's, (3,), m.");
  bind_numbers(joint, "quaternion", &Joint::quaternion, &numbers<4>,
               "Of the joint's frame in the parent's, x y z w, (4,).");
  bind_numbers(joint, "axis", &Joint::axis, &numbers<3>, "In the joint's frame, (3,); any length but zero.");

  pickle_by_arguments(joint, {"name", "type", "parent", "child", "position", "quaternion", "axis", "pitch", "damping",
                              "friction", "armature", "lower", "upper", "mimic"});

  py::class_<Description> mechanism(m, "Mechanism",
                                    "Links and joints of a tree, as a file or a person describes them; nothing is "
                                    "checked before a Model is made of it.");
  mechanism
      .def(py::init(
               [](const std::string& name, const ListOf<Link>& links, const ListOf<Joint>& joints,
                  const Numbers& gravity) { return Description{name, name, links, joints, numbers<3>(gravity), {}}; }),
           "name"_a, "links"_a = ListOf<Link>(), "joints"_a = ListOf<Joint>(),
           "gravity"_a = py::make_tuple(0.0, 0.0, -9.81),
           "From lists of Link and Joint, and the gravitational acceleration (3,), m/s^2, in the world.")
      .def_readwrite("name", &Description::name, "Its name.")
      .def_readwrite("source", &Description::source, "The file or the built-in name, as messages call it.")
      .def_readwrite("links", &Description::links, "The links; the list may be changed.")
      .def_readwrite("joints", &Description::joints, "The joints; the list may be changed.")
      .def_readonly("warnings", &Description::warnings, "What the description said and the model ignores.")
      .def(py::pickle(
          [](const py::object& self) {
            const auto& d = self.cast<const Description&>();
            return py::make_tuple(d.name, d.source, d.links, d.joints, d.gravity, d.warnings, added_to(self));
          },
          [](const py::tuple& d) {
            const py::object added = d[6];
            return std::pair(Description(d[0].cast<std::string>(), d[1].cast<std::string>(), d[2].cast<ListOf<Link>>(),
                                         d[3].cast<ListOf<Joint>>(), d[4].cast<std::array<double, 3>>(),
                                         d[5].cast<std::vector<std::string>>()),
                             added.is_none() ? py::dict() : py::dict(added.attr("copy")()));
          }))
      .def("__repr__", [](const Description& d) {
        return py::str("Mechanism({!r}, {} links, {} joints)").format(d.name, d.links.size(), d.joints.size());
      });
  bind_numbers(mechanism, "gravity", &Description::gravity, &numbers<3>,
               "Gravitational acceleration in the world, (3,), m/s^2.");

  m.def(
      "read_urdf",
      [](const Path& path) {
        return Description(unlocked(any_length(), nullptr, [&] { return read_urdf(text(path)); }));
      },
      "path"_a, "The mechanism in a URDF file. Raises ModelError.");
  m.def(
      "parse_urdf",
      [](const std::string& text, const std::string& source) {
        return Description(unlocked(any_length(), nullptr, [&] { return parse_urdf(text, source); }));
      },
      "text"_a, "source"_a = "text", "The mechanism in a URDF text that messages call `source`. Raises ModelError.");
  m.def(
      "read_mjcf",
      [](const Path& path) {
        return Description(unlocked(any_length(), nullptr, [&] { return read_mjcf(text(path)); }));
      },
      "path"_a,
      "The mechanism in an MJCF file, the format of MuJoCo, as far as write_mjcf uses it. Raises ModelError.");
  m.def(
      "parse_mjcf",
      [](const std::string& text, const std::string& source) {
        return Description(unlocked(any_length(), nullptr, [&] { return parse_mjcf(text, source); }));
      },
      "text"_a, "source"_a = "text", "The mechanism in an MJCF text that messages call `source`. Raises ModelError.");
  m.def(
      "read_robot",
      [](const Path& path) {
        return Description(unlocked(any_length(), nullptr, [&] { return read_robot(text(path)); }));
      },
      "path"_a, "The mechanism in a URDF or MJCF file, as its outermost element says. Raises ModelError.");
  m.def(
      "parse_robot",
      [](const std::string& text, const std::string& source) {
        return Description(unlocked(any_length(), nullptr, [&] { return parse_robot(text, source); }));
      },
      "text"_a, "source"_a = "text",
      "The mechanism in a URDF or MJCF text that messages call `source`, as its outermost element says. Raises "
      "ModelError.");
  m.def(
      "urdf_text",
      [](const Description& description, bool floating_base) {
        const Mechanism mechanism = description.mechanism();
        return unlocked(any_length(), nullptr, [&] { return urdf_text(mechanism, floating_base); });
      },
      "mechanism"_a, "floating_base"_a = false, "What write_urdf writes. Raises ModelError.");
  m.def(
      "mjcf_text",
      [](const Description& description, bool floating_base) {
        const Mechanism mechanism = description.mechanism();
        return unlocked(any_length(), nullptr, [&] { return mjcf_text(mechanism, floating_base); });
      },
      "mechanism"_a, "floating_base"_a = false, "What write_mjcf writes. Raises ModelError.");
  m.def(
      "write_mjcf",
      [](const Path& path, const Description& description, bool floating_base) {
        const Mechanism mechanism = description.mechanism();
        unlocked(any_length(), nullptr, [&] { cli::write_text(mjcf_text(mechanism, floating_base), text(path)); });
      },
      "path"_a, "mechanism"_a, "floating_base"_a = false,
      "Write a mechanism as an MJCF file that read_mjcf reads and MuJoCo computes alike, complete or not at all; "
      "floating_base lets its root link move freely. Raises ModelError for what is no tree and for what MJCF cannot "
      "say, such as a helical joint, Error for a file that cannot be written.");
  m.def(
      "write_urdf",
      [](const Path& path, const Description& description, bool floating_base) {
        const Mechanism mechanism = description.mechanism();
        unlocked(any_length(), nullptr, [&] { cli::write_text(urdf_text(mechanism, floating_base), text(path)); });
      },
      "path"_a, "mechanism"_a, "floating_base"_a = false,
      "Write a mechanism as a URDF file that read_urdf reads, complete or not at all; floating_base lets its root link "
      "move freely, by a link and a joint in front of it. Gravity is not part of URDF. Raises ModelError for what is "
      "no tree, Error for a file that cannot be written.");
  using validation::BuiltIn;
  py::class_<BuiltIn>(m, "BuiltIn", "An entry of the list of built-in models; unpacks as name, summary, floating_base.")
      .def_readonly("name", &BuiltIn::name, "Its name.")
      .def_readonly("summary", &BuiltIn::summary, "What it is, its degrees of freedom, where its numbers come from.")
      .def_readonly("floating_base", &BuiltIn::floating_base, "Whether its root link is meant to move freely.")
      .def("__iter__",
           [](const BuiltIn& b) { return IteratorOf<py::object>(py::make_tuple(b.name, b.summary, b.floating_base)); });
  m.def("built_in_models", &validation::built_in_models, "Every built-in model, in a fixed order.");
  m.def(
      "built_in_model",
      [](const std::string& name) {
        return Description(unlocked(any_length(), nullptr, [&] { return validation::built_in_model(name); }));
      },
      "name"_a,
      "The mechanism of a built-in model, or of planar_arm:LINKS, tree:BRANCHESxBODIES, random:SEED. Raises "
      "ModelError.");
}

}  // namespace articulate::python
