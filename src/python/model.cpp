/** \file
 *  \brief Mechanisms, models, states and forward kinematics in Python.
 */
#include "recursion.hpp"
#include <articulate/model/displacement.hpp>
#include <articulate/model/kinematics.hpp>
#include <articulate/model/urdf.hpp>
#include <cli/load.hpp>
#include <ledger/specimen.hpp>
#include <models/models.hpp>
#include "mechanism.hpp"
#include "path.hpp"

namespace articulate::python {
namespace {

using namespace py::literals;
using ModelD = Model<double>;
using Frame = LinkFrame<double>;
using Moving = Body<double>;
using Kinematics = ForwardKinematics<double>;

constexpr std::pair<const char*, JointType> joint_types[] = {
    {"fixed", JointType::fixed},           {"revolute", JointType::revolute},     {"continuous", JointType::continuous},
    {"prismatic", JointType::prismatic},   {"helical", JointType::helical},       {"universal", JointType::universal},
    {"cylindrical", JointType::cylindrical}, {"planar", JointType::planar},       {"euler_ball", JointType::euler_ball},
    {"euler_free", JointType::euler_free}, {"ball", JointType::ball},             {"floating", JointType::floating}};

JointType joint_type(const std::variant<JointType, std::string>& given)
{
  if (const JointType* type = std::get_if<JointType>(&given)) return *type;
  std::string known;
  for (const auto& [name, type] : joint_types) {
    if (name == std::get<std::string>(given)) return type;
    known += (known.empty() ? "" : ", ") + std::string(name);
  }
  throw ModelError("There is no joint type '" + std::get<std::string>(given) + "'; there are " + known + ".");
}

template <std::size_t n>
std::array<double, n> numbers(const Numbers& x)
{
  require(x, {n});
  std::array<double, n> copy;
  std::copy(x.begin(), x.end(), copy.begin());
  return copy;
}

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

// --- descriptions ----------------------------------------------------------------------------------------------------

void bind_description(py::module_& m)
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

  py::class_<Joint> joint(m, "Joint", "A joint between two links; at q = 0 the child's frame is the joint's frame.");
  joint
      .def(py::init([](const std::string& name, const std::variant<JointType, std::string>& type,
                       const std::string& parent, const std::string& child, const Numbers& position,
                       const Numbers& quaternion, const Numbers& axis, Number pitch) {
             return Joint{name,  joint_type(type),    parent, child, numbers<3>(position), numbers<4>(quaternion),
                          numbers<3>(axis), pitch};
           }),
           "name"_a, "type"_a, "parent"_a, "child"_a, "position"_a = py::make_tuple(0.0, 0.0, 0.0),
           "quaternion"_a = py::make_tuple(0.0, 0.0, 0.0, 1.0), "axis"_a = py::make_tuple(0.0, 0.0, 1.0),
           "pitch"_a = 0.0,
           "A joint of a type (its name or a JointType) that carries the link `child` on the link `parent`. Position "
           "(3,), m, and quaternion x y z w are those of the joint's frame in the parent's; the axis (3,), any length "
           "but zero, is in the joint's frame; pitch (m/rad) is that of a helical joint.")
      .def_readwrite("name", &Joint::name, "Its name.")
      .def_property(
          "type", [](const Joint& j) { return j.type; },
          [](Joint& j, const std::variant<JointType, std::string>& type) { j.type = joint_type(type); },
          "What it lets its child do.")
      .def_readwrite("parent", &Joint::parent, "The link that carries.")
      .def_readwrite("child", &Joint::child, "The link that is carried.")
      .def_property(
          "pitch", [](const Joint& j) { return j.pitch; }, [](Joint& j, Number pitch) { j.pitch = pitch; },
          "Of a helical joint, m/rad.")
      .def("__repr__", [](const py::object& j) {
        return py::str("Joint({!r}, {!r}, {!r}, {!r})")
            .format(j.attr("name"), j.attr("type").attr("name"), j.attr("parent"), j.attr("child"));
      });
  bind_numbers(joint, "position", &Joint::position, &numbers<3>, "Of the joint's frame in the parent's, (3,), m.");
  bind_numbers(joint, "quaternion", &Joint::quaternion, &numbers<4>,
               "Of the joint's frame in the parent's, x y z w, (4,).");
  bind_numbers(joint, "axis", &Joint::axis, &numbers<3>, "In the joint's frame, (3,); any length but zero.");

  py::class_<Description> mechanism(m, "Mechanism",
                                    "Links and joints of a tree, as a file or a person describes them; nothing is "
                                    "checked before a Model is made of it.");
  mechanism
      .def(py::init([](const std::string& name, const ListOf<Link>& links, const ListOf<Joint>& joints,
                       const Numbers& gravity) {
             return Description{name, name, links, joints, numbers<3>(gravity), {}};
           }),
           "name"_a, "links"_a = ListOf<Link>(), "joints"_a = ListOf<Joint>(),
           "gravity"_a = py::make_tuple(0.0, 0.0, -9.81),
           "From lists of Link and Joint, and the gravitational acceleration (3,), m/s^2, in the world.")
      .def_readwrite("name", &Description::name, "Its name.")
      .def_readwrite("source", &Description::source, "The file or the built-in name, as messages call it.")
      .def_readwrite("links", &Description::links, "The links; the list may be changed.")
      .def_readwrite("joints", &Description::joints, "The joints; the list may be changed.")
      .def_readonly("warnings", &Description::warnings, "What the description said and the model ignores.")
      .def("__repr__", [](const Description& d) {
        return py::str("Mechanism({!r}, {} links, {} joints)").format(d.name, d.links.size(), d.joints.size());
      });
  bind_numbers(mechanism, "gravity", &Description::gravity, &numbers<3>,
               "Gravitational acceleration in the world, (3,), m/s^2.");

  m.def("read_urdf", [](const Path& path) { return Description(read_urdf(text(path))); }, "path"_a,
        "The mechanism in a URDF file. Raises ModelError.");
  m.def(
      "parse_urdf",
      [](const std::string& text, const std::string& source) { return Description(parse_urdf(text, source)); },
      "text"_a, "source"_a = "text", "The mechanism in a URDF text that messages call `source`. Raises ModelError.");
  using validation::BuiltIn;
  py::class_<BuiltIn>(m, "BuiltIn", "An entry of the list of built-in models; unpacks as name, summary, floating_base.")
      .def_readonly("name", &BuiltIn::name, "Its name.")
      .def_readonly("summary", &BuiltIn::summary, "What it is, its degrees of freedom, where its numbers come from.")
      .def_readonly("floating_base", &BuiltIn::floating_base, "Whether its root link is meant to move freely.")
      .def("__iter__", [](const BuiltIn& b) {
        return IteratorOf<py::object>(py::make_tuple(b.name, b.summary, b.floating_base));
      });
  m.def("built_in_models", &validation::built_in_models, "Every built-in model, in a fixed order.");
  m.def("built_in_model", [](const std::string& name) { return Description(validation::built_in_model(name)); },
        "name"_a,
        "The mechanism of a built-in model, or of planar_arm:LINKS, tree:BRANCHESxBODIES, random:SEED. Raises "
        "ModelError.");
}

// --- models ----------------------------------------------------------------------------------------------------------

/// What `--model` does; a base that is said to be fixed stays fixed.
ModelD load(const Path& name_or_path, std::optional<bool> floating_base, bool accept_unphysical)
{
  const ModelD model = cli::load({text(name_or_path), floating_base.value_or(false), accept_unphysical});
  if (floating_base && model.floating_base() != *floating_base)
    return ModelD(model.mechanism(), {*floating_base, accept_unphysical});
  return model;
}

const Moving& body(const ModelD& model, int i)
{
  if (i < 0 || i > model.bodies())
    throw py::index_error("There is no body " + std::to_string(i) + "; the model has the world, 0, and bodies 1 to " +
                          std::to_string(model.bodies()) + ".");
  return model.body(i);
}

void bind_model_parts(py::module_& m)
{
  py::enum_<JointKind>(m, "JointKind", "The kinds of joint that the sweeps tell apart.")
      .value("screw", JointKind::screw, "One coordinate: turn and slide along the body's own z axis.")
      .value("chart", JointKind::chart, "Several coordinates, one turn or slide after the other.")
      .value("ball", JointKind::ball, "The orientation itself is the coordinate, a quaternion.")
      .value("free", JointKind::free, "The pose itself is the coordinate: position, quaternion.");
  py::class_<JointSlot>(m, "JointSlot", "What a moving joint is called and where its numbers stand.")
      .def_readonly("name", &JointSlot::name, "Its name.")
      .def_readonly("type", &JointSlot::type, "Its type.")
      .def_readonly("body", &JointSlot::body, "The body that it carries.")
      .def_readonly("q", &JointSlot::q, "Its first entry in the coordinates.")
      .def_readonly("v", &JointSlot::v, "Its first entry in rates, accelerations and forces.")
      .def_readonly("nq", &JointSlot::nq, "How many coordinates it has.")
      .def_readonly("nv", &JointSlot::nv, "How many rates it has.")
      .def("__repr__", [](const py::object& slot) {
        return py::str("JointSlot({!r}, {!r}, body={})")
            .format(slot.attr("name"), slot.attr("type").attr("name"), slot.attr("body"));
      });
  py::class_<Frame>(m, "LinkFrame", "Where a link of the description is.")
      .def_readonly("name", &Frame::name, "Its name.")
      .def_readonly("body", &Frame::body, "The body of which it is part; 0 if it is fixed to the world.")
      .def_readonly("X", &Frame::X, "The link's frame seen from the frame of its body.")
      .def("__repr__",
           [](const Frame& frame) { return py::str("LinkFrame({!r}, body={})").format(frame.name, frame.body); });
  py::class_<Moving>(m, "Body",
                     "A moving body and the joint that carries it: T(q) = M e^(S q) (Park 23). Its frame is turned so "
                     "that the axis of a joint that has one is z.")
      .def_readonly("index", &Moving::index, "1 to N.")
      .def_readonly("parent", &Moving::parent, "The parent's index, smaller; 0 is the world.")
      .def_readonly("kind", &Moving::kind, "The kind of its joint.")
      .def_readonly("q", &Moving::q, "The first entry in the coordinates.")
      .def_readonly("v", &Moving::v, "The first entry in the rates.")
      .def_readonly("nq", &Moving::nq, "How many coordinates its joint has.")
      .def_readonly("nv", &Moving::nv, "How many rates its joint has.")
      .def_readonly("turn", &Moving::turn, "Of a screw S = (0, 0, turn; 0, 0, slide).")
      .def_readonly("slide", &Moving::slide, "Of a screw S = (0, 0, turn; 0, 0, slide).")
      .def_readonly("M", &Moving::M, "The joint's place in the parent's frame.")
      .def_readonly("I", &Moving::I, "The inertia in the body's frame, fixed links included.")
      .def("__repr__",
           [](const Moving& body) { return py::str("Body({}, parent={})").format(body.index, body.parent); });
}

void bind_model_itself(py::module_& m)
{
  py::class_<ModelD>(m, "Model", "A tree of bodies, checked once and never changed.")
      .def(py::init([](const Description& mechanism, bool floating_base, bool accept_unphysical) {
             return ModelD(mechanism.mechanism(), {floating_base, accept_unphysical});
           }),
           "mechanism"_a, "floating_base"_a = false, "accept_unphysical"_a = false,
           "Check a mechanism and make its model. Raises ModelError.")
      .def_static("load", &load, "name_or_path"_a, "floating_base"_a = py::none(), "accept_unphysical"_a = false,
                  "The model of a URDF file or of a built-in name, as --model of the command line takes it; without "
                  "floating_base a built-in model that is meant to float does. Raises ModelError.")
      .def_property_readonly("bodies", &ModelD::bodies, "N, the number of moving bodies.")
      .def_property_readonly("nq", &ModelD::nq, "The length of the coordinates q.")
      .def_property_readonly("nv", &ModelD::nv, "The length of rates, accelerations and forces.")
      .def_property_readonly("joints", [](const ModelD& model) { return model.joints(); },
                             "The moving joints in model order; the base's free joint first.")
      .def_property_readonly("links", [](const ModelD& model) { return model.links(); },
                             "The frames of the links, depth first.")
      .def_property_readonly("warnings", [](const ModelD& model) { return model.warnings(); },
                             "What the description said and the model ignores.")
      .def_property_readonly("gravity", [](const ModelD& model) { return array(model.gravity()); },
                             "Gravitational acceleration in the world, (3,), m/s^2.")
      .def_property_readonly("mechanism", [](const ModelD& model) { return Description(model.mechanism()); },
                             "The description of which it was made; a copy.")
      .def_property_readonly("floating_base", &ModelD::floating_base, "Whether the root link moves freely.")
      .def("zero_coordinates", [](const ModelD& model) { return array(model.zero_coordinates()); },
           "The coordinates (nq,) at which every joint is at zero; quaternions are 0 0 0 1.")
      .def("body", &body, "i"_a, py::return_value_policy::reference_internal, "Body i, 1 to N; 0 is the world.")
      .def("link", &ModelD::link, "name"_a, py::return_value_policy::reference_internal,
           "The frame of a link. Raises StateError when there is none of that name.")
      .def("__repr__", [](const ModelD& model) {
        return py::str("Model({!r}, bodies={}, nq={}, nv={})")
            .format(model.mechanism().name, model.bodies(), model.nq(), model.nv());
      });
  m.def(
      "displaced",
      [](const ModelD& model, const Numbers& q, const Numbers& delta) {
        return finite_array(displaced<double>(model, vector(q, "q", model.nq()), vector(delta, "delta", model.nv())),
                            "q");
      },
      "model"_a, "q"_a, "delta"_a,
      "The coordinates (nq,) reached from q (nq,) when every joint moves by its part of delta (nv,), rad or m; a free "
      "joint goes to T e^[delta].");
}

// --- states ----------------------------------------------------------------------------------------------------------

struct State {
  Array q, qd, qdd, tau, gravity;
  std::map<std::string, Array> Fext;
};

State random_state(const ModelD& model, std::uint64_t seed)
{
  const auto in = validation::Inputs::draw(model.mechanism(), {model.floating_base(), true}, seed);
  VectorX<double> q = validation::to_vector<double>(in.q);
  for (const JointSlot& joint : model.joints())
    if (joint.nq > joint.nv) q.segment(joint.q + joint.nq - 4, 4).normalize();
  State state{array(q), array(validation::to_vector<double>(in.qd)), array(validation::to_vector<double>(in.qdd)),
              array(validation::to_vector<double>(in.tau)), Array(3, in.mechanism.gravity.data()), {}};
  for (std::size_t l = 0; l < in.link_wrenches.size(); ++l)
    state.Fext[in.mechanism.links[l].name] = Array(6, in.link_wrenches[l].data());
  return state;
}

void bind_state(py::module_& m)
{
  py::class_<State>(m, "State", "A state of a model, with accelerations, forces and wrenches to go with it.")
      .def_readonly("q", &State::q, "Coordinates (nq,): rad, m; free joint: position, quaternion x y z w.")
      .def_readonly("qd", &State::qd, "Rates (nv,): rad/s, m/s; free joint: body twist.")
      .def_readonly("qdd", &State::qdd, "Accelerations (nv,): the component-wise derivative of qd.")
      .def_readonly("tau", &State::tau, "Joint forces (nv,): N m, N; free joint: wrench in the body frame.")
      .def_readonly("gravity", &State::gravity, "Gravitational acceleration in the world, (3,), m/s^2.")
      .def_readonly("Fext", &State::Fext, "By link the external wrench (6,) in the link's frame, N m and N.");
  m.def("random_state", &random_state, "model"_a, "seed"_a,
        "The numbers that the proofs draw from a seed, with quaternions of length one: the same on every machine.");
}

// --- recursions and kinematics ---------------------------------------------------------------------------------------

/// One field of all poses: a view that steps over the other.
Array rotations(const std::vector<SE3<double>>& poses, const py::object& owner)
{
  const py::ssize_t n = static_cast<py::ssize_t>(poses.size());
  return view(poses[0].R.R.e, {n, 3, 3}, {sizeof(SE3<double>), 3 * sizeof(double), sizeof(double)}, owner);
}
Array origins(const std::vector<SE3<double>>& poses, const py::object& owner)
{
  const py::ssize_t n = static_cast<py::ssize_t>(poses.size());
  return view(poses[0].p.e, {n, 3}, {sizeof(SE3<double>), sizeof(double)}, owner);
}

ListOf<Array> joint_jacobians(const Recursion<double>& recursion)
{
  ListOf<Array> all;
  for (const JointJacobian<double>& S : recursion.S) {
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
                "world. Views show the latest call and keep the recursion alive.")
      .def_property_readonly("T", [](const R& recursion) { return recursion.T; },
                             "The poses of the bodies in their parents' frames (Kim 35); copies.")
      .def_property_readonly("R", [](const py::object& self) { return rotations(self.cast<const R&>().T, self); },
                             "The rotations of T, (N + 1, 3, 3); a read-only view.")
      .def_property_readonly("p", [](const py::object& self) { return origins(self.cast<const R&>().T, self); },
                             "The origins of T, (N + 1, 3), m; a read-only view.")
      .def_property_readonly("S", &joint_jacobians, "The joint Jacobians S_i, each (6, nv_i); copies.")
      .def_property_readonly("V", seen(&R::V), "The body twists V_i, (N + 1, 6), rad/s, m/s (Kim 37); a read-only view.")
      .def_property_readonly("eta", seen(&R::eta),
                             "eta_i = ad_V S qd + Sdot qd, (N + 1, 6), rad/s^2, m/s^2; a read-only view.")
      .def_property_readonly("Vdot", seen(&R::Vdot),
                             "The derivatives of V, (N + 1, 6), the base's acceleration (0, -g) included, rad/s^2, "
                             "m/s^2 (Kim 41); a read-only view.")
      .def_property_readonly("model", [](const R& recursion) -> const ModelD& { return recursion.model(); },
                             py::return_value_policy::reference_internal, "The model.")
      .def("set_gravity", [](R& recursion, const Vector3<double>& g) { recursion.set_gravity(g); }, "g"_a,
           "Set the gravitational acceleration (3,), m/s^2, in the world, for the calls that follow.");
}

Wrench<double> momentum(const Kinematics& k) { return k.momentum(); }

Array center_of_mass(const Kinematics& k)
{
  const double mass = k.mass();
  if (!(mass > 0)) throw StateError(k.model().mechanism().source + ": no mass moves, so there is no centre of mass.");
  return array(1 / mass * k.mass_moment());
}

void bind_kinematics(py::module_& m)
{
  py::class_<Kinematics, Recursion<double>>(m, "ForwardKinematics",
                                            "Where the bodies are and how they move, in one sweep. Sums are over the "
                                            "moving bodies: a link that is fixed to the world does not count.")
      .def(py::init<const ModelD&>(), "model"_a, py::keep_alive<1, 2>(), "Make the workspace for a model.")
      .def(
          "__call__",
          [](Kinematics& k, const Numbers& q, const Numbers& qd) {
            k(vector(q, "q", k.model().nq()), vector(qd, "qd", k.model().nv()));
          },
          "q"_a, "qd"_a,
          "Place and move every body. q (nq,): coordinates (rad, m; free joint: position, quaternion x y z w). "
          "qd (nv,): rates (rad/s, m/s; free joint: body twist). Raises SizeError.")
      .def_property_readonly("poses", [](const Kinematics& k) { return k.pose; },
                             "The poses of the world, 0, and of the bodies 1 to N in the world (Park 67); copies.")
      .def("pose", [](const Kinematics& k, int i) { return body(k.model(), i), k.pose[i]; }, "i"_a,
           "The pose of body i in the world (Park 67); a copy.")
      .def("link_pose", [](const Kinematics& k, const std::string& name) { return k.link_pose(k.model().link(name)); },
           "name"_a, "The pose of a link in the world.")
      .def("link_twist",
           [](const Kinematics& k, const std::string& name) { return k.link_twist(k.model().link(name)); }, "name"_a,
           "The body twist of a link, in its own frame (Kim 11).")
      .def("link_jacobian",
           [](const Kinematics& k, const std::string& name) { return array(k.link_jacobian(k.model().link(name))); },
           "name"_a, "J (6, nv) with (twist of the link, in its own frame) = J qd.")
      .def("kinetic_energy", [](const Kinematics& k) { return k.kinetic_energy(); }, "Sum of V^T I V / 2 (J) (Kim 15).")
      .def(
          "potential_energy",
          [](const Kinematics& k, const std::optional<Vector3<double>>& gravity) {
            return k.potential_energy(gravity.value_or(k.model().gravity()));
          },
          "gravity"_a = py::none(),
          "-sum of m g.c (J), zero when the centre of mass is at the world's origin; g (3,) is the model's unless given.")
      .def("mass", [](const Kinematics& k) { return k.mass(); }, "The mass (kg) of the moving bodies.")
      .def("center_of_mass", &center_of_mass,
           "The common centre of mass (3,), m, in the world. Raises StateError when no mass moves.")
      .def("momentum", &momentum,
           "The momentum of the whole mechanism about the world's origin, in world axes, a Wrench (N m s, N s).");
}

}  // namespace

void bind_model(py::module_& m)
{
  bind_description(m);
  bind_model_parts(m);
  bind_model_itself(m);
  bind_state(m);
  bind_recursion(m);
  bind_kinematics(m);
}

}  // namespace articulate::python
