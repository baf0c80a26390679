/** \file
 *  \brief Models and states in Python.
 */
#include "recursion.hpp"
#include <articulate/model/displacement.hpp>
#include <articulate/model/robot_file.hpp>
#include <cli/load.hpp>
#include <models/inputs.hpp>
#include "mechanism.hpp"
#include "path.hpp"
#include "pickle.hpp"
#include "state.hpp"

namespace articulate::python {
namespace {

using namespace py::literals;
using ModelD = Model<double>;
using FrameOfLink = LinkFrame<double>;
using Moving = Body<double>;

/// What `--model` does; a base that is said to be fixed stays fixed.
ModelD load(const Path& name_or_path, std::optional<bool> floating_base, bool accept_unphysical)
{
  const std::string name = text(name_or_path);
  if (name == "-")
    throw ModelError("-: standard input is read by the command line alone; give its text to Model.parse.");
  return unlocked(any_length(), nullptr, [&] {
    const ModelD model = cli::load({name, floating_base.value_or(false), accept_unphysical});
    if (floating_base && model.floating_base() != *floating_base)
      return ModelD(model.mechanism(), {*floating_base, accept_unphysical});
    return model;
  });
}

ModelD parse(const std::string& robot, const std::string& source, std::optional<bool> floating_base,
             bool accept_unphysical)
{
  return unlocked(any_length(), nullptr, [&] {
    Mechanism mechanism = parse_robot(robot, source);
    const bool floats = take_floating_base(mechanism);
    return ModelD(mechanism, {floating_base.value_or(floats), accept_unphysical});
  });
}

ModelD make(const Description& description, bool floating_base, bool accept_unphysical)
{
  const Mechanism mechanism = description.mechanism();
  return unlocked({20.0 * static_cast<double>(mechanism.links.size())}, nullptr, [&] {
    return ModelD(mechanism, {floating_base, accept_unphysical});
  });
}

/// A model that exists was accepted when it was made.
py::tuple how_to_make(const py::object& self)
{
  const auto& model = self.cast<const ModelD&>();
  return py::make_tuple(Description(model.mechanism()), model.floating_base(), true);
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
  py::class_<FrameOfLink>(m, "LinkFrame", "Where a link of the description is.")
      .def_readonly("name", &FrameOfLink::name, "Its name.")
      .def_readonly("body", &FrameOfLink::body, "The body of which it is part; 0 if it is fixed to the world.")
      .def_readonly("X", &FrameOfLink::X, "The link's frame seen from the frame of its body.")
      .def("__repr__",
           [](const FrameOfLink& frame) { return py::str("LinkFrame({!r}, body={})").format(frame.name, frame.body); });
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

/// The model itself, for it never changes; of a class below another object, without what that class has added.
py::object bare_copy(const py::object& self)
{
  const py::type type = py::type::of(self);
  if (type.is(py::type::of<ModelD>())) return self;
  const py::object other = type.attr("__new__")(type);
  other.attr("__setstate__")(py::make_tuple(how_to_make(self), py::none()));
  return other;
}

py::object flat_copy(const py::object& self)
{
  const py::object other = bare_copy(self);
  if (!other.is(self)) add_to(other, added_to(self));
  return other;
}

py::object deep_copy(const py::object& self, const py::object& memo)
{
  const py::object other = bare_copy(self);
  memo[py::module_::import("builtins").attr("id")(self)] = other;  // for what leads back to it
  if (!other.is(self)) add_to(other, py::module_::import("copy").attr("deepcopy")(added_to(self), memo));
  return other;
}

void bind_model_itself(py::module_& m)
{
  py::class_<ModelD> model_class(m, "Model", "A tree of bodies, checked once and never changed.");
  pickle_by_values(model_class, &how_to_make);
  model_class
      .def(py::init(&make), "mechanism"_a, "floating_base"_a = false, "accept_unphysical"_a = false,
           "Check a mechanism and make its model. Raises ModelError.")
      .def_static(
          "load", &load, "name_or_path"_a, "floating_base"_a = py::none(), "accept_unphysical"_a = false,
          "The model of a URDF or MJCF file or of a built-in name, as --model of the command line takes it; without "
          "floating_base a built-in model that is meant to float does, and a file in which write_mjcf says so. Raises "
          "ModelError.")
      .def_static("parse", &parse, "text"_a, "source"_a = "text", "floating_base"_a = py::none(),
                  "accept_unphysical"_a = false,
                  "The model of a URDF or MJCF text, which messages call `source`; without floating_base one floats "
                  "in which mjcf_text says so. Raises ModelError.")
      .def_property_readonly("bodies", &ModelD::bodies, "N, the number of moving bodies.")
      .def_property_readonly("nq", &ModelD::nq, "The length of the coordinates q.")
      .def_property_readonly("nv", &ModelD::nv, "The length of rates, accelerations and forces.")
      .def_property_readonly(
          "joints", [](const ModelD& model) { return model.joints(); },
          "The moving joints in model order; the base's free joint first.")
      .def_property_readonly(
          "links", [](const ModelD& model) { return model.links(); }, "The frames of the links, depth first.")
      .def_property_readonly(
          "warnings", [](const ModelD& model) { return model.warnings(); },
          "What the description said and the model ignores.")
      .def_property_readonly(
          "gravity", [](const ModelD& model) { return array(model.gravity()); },
          "Gravitational acceleration in the world, (3,), m/s^2.")
      .def_property_readonly(
          "mechanism", [](const ModelD& model) { return Description(model.mechanism()); },
          "The description of which it was made; a copy.")
      .def_property_readonly("floating_base", &ModelD::floating_base, "Whether the root link moves freely.")
      .def(
          "zero_coordinates", [](const ModelD& model) { return array(model.zero_coordinates()); },
          "The coordinates (nq,) at which every joint is at zero; quaternions are 0 0 0 1.")
      .def("body", &body, "i"_a, py::return_value_policy::reference_internal, "Body i, 1 to N; 0 is the world.")
      .def("link", &ModelD::link, "name"_a, py::return_value_policy::reference_internal,
           "The frame of a link. Raises StateError when there is none of that name.")
      .def("__copy__", &flat_copy, "Itself, for it never changes; of a class below, another object of that class.")
      .def("__deepcopy__", &deep_copy, "memo"_a, "The same, with copies of what a class below has added.")
      .def("__repr__", [](const ModelD& model) {
        return py::str("Model({!r}, bodies={}, nq={}, nv={})")
            .format(model.mechanism().name, model.bodies(), model.nq(), model.nv());
      });
  m.def(
      "displaced",
      [](const ModelD& model, const Numbers& q, const Numbers& delta) {
        const auto at = configuration(model, q), way = vector(delta, "delta", model.nv());
        return finite_array(unlocked(linear(model), nullptr, [&] { return displaced<double>(model, at, way); }), "q");
      },
      "model"_a, "q"_a, "delta"_a,
      "The coordinates (nq,) reached from q (nq,) when every joint moves by its part of delta (nv,), rad or m; a free "
      "joint goes to T e^[delta].");
}

using Some = std::optional<Numbers>;

/// A copy of what is given, or as many zeros.
Array copied(const Some& x, const char* name, py::ssize_t size)
{
  return array(x ? VectorX<double>(vector(*x, name, static_cast<int>(size))) : VectorX<double>::Zero(size));
}

State state(const Numbers& q, const Some& qd, const Some& qdd, const Some& tau, const Some& gravity,
            const std::map<std::string, Numbers>& Fext)
{
  py::ssize_t nv = q.size();
  for (const Some& given : {tau, qdd, qd})
    if (given) nv = given->size();
  std::map<std::string, Array> wrenches;
  for (const auto& [link, wrench] : Fext) wrenches[link] = copied(wrench, ("Fext['" + link + "']").c_str(), 6);
  return {copied(q, "q", q.size()),
          copied(qd, "qd", nv),
          copied(qdd, "qdd", nv),
          copied(tau, "tau", nv),
          gravity ? std::optional(copied(gravity, "gravity", 3)) : std::nullopt,
          wrenches};
}

/// What made it, in full precision.
py::str shown(const py::object& state)
{
  const auto list = [](const py::handle& x) {
    return x.is_none() ? py::object(py::none()) : py::object(x.attr("tolist")());
  };
  py::dict wrenches;
  for (const auto& [link, wrench] : state.attr("Fext").cast<py::dict>()) wrenches[link] = list(wrench);
  return py::str("State(q={}, qd={}, qdd={}, tau={}, gravity={}, Fext={})")
      .format(list(state.attr("q")), list(state.attr("qd")), list(state.attr("qdd")), list(state.attr("tau")),
              list(state.attr("gravity")), wrenches);
}

VectorX<double> vector_of(const std::vector<double>& x)
{
  return Eigen::Map<const VectorX<double>>(x.data(), static_cast<Eigen::Index>(x.size()));
}

State random_state(const ModelD& model, std::uint64_t seed)
{
  const auto in = unlocked({20.0 * model.bodies()}, nullptr, [&] {
    return validation::Inputs::draw(model.mechanism(), {model.floating_base(), true}, seed);
  });
  VectorX<double> q = vector_of(in.q);
  for (const JointSlot& joint : model.joints())
    if (joint.nq > joint.nv) q.segment(joint.q + joint.nq - 4, 4).normalize();
  std::map<std::string, Array> Fext;
  for (std::size_t l = 0; l < in.link_wrenches.size(); ++l)
    Fext[in.mechanism.links[l].name] = Array(6, in.link_wrenches[l].data());
  return {array(q),
          array(vector_of(in.qd)),
          array(vector_of(in.qdd)),
          array(vector_of(in.tau)),
          Array(3, in.mechanism.gravity.data()),
          Fext};
}

void bind_state(py::module_& m)
{
  py::class_<State> state_class(m, "State",
                                "A state of a model, with accelerations, forces and wrenches to go with it; its arrays "
                                "are read-only, and q.copy() can be changed.");
  pickle_by_arguments(state_class, {"q", "qd", "qdd", "tau", "gravity", "Fext"});
  state_class
      .def(py::init(&state), "q"_a, "qd"_a = py::none(), "qdd"_a = py::none(), "tau"_a = py::none(),
           "gravity"_a = py::none(), "Fext"_a = py::dict(),
           "From coordinates q (nq,), rates qd (nv,), accelerations qdd (nv,), joint forces tau (nv,), gravity (3,), "
           "m/s^2, and wrenches (6,) by the names of links; copies. Of qd, qdd and tau those that are missing are "
           "zero, as many as there are of the others; with q alone as many as it has, which is right where no joint "
           "has a quaternion. Raises SizeError, StateError.")
      .def_readonly("q", &State::q, "Coordinates (nq,): rad, m; free joint: position, quaternion x y z w.")
      .def_readonly("qd", &State::qd, "Rates (nv,): rad/s, m/s; free joint: body twist.")
      .def_readonly("qdd", &State::qdd, "Accelerations (nv,): the component-wise derivative of qd.")
      .def_readonly("tau", &State::tau, "Joint forces (nv,): N m, N; free joint: wrench in the body frame.")
      .def_readonly("gravity", &State::gravity,
                    "Gravitational acceleration in the world, (3,), m/s^2; None where that of the model is meant.")
      .def_readonly("Fext", &State::Fext, "By link the external wrench (6,) in the link's frame, N m and N.")
      .def("__repr__", &shown);
  m.def("random_state", &random_state, "model"_a, "seed"_a,
        "The numbers that the proofs draw from a seed, with quaternions of length one: the same on every machine.");
}

}  // namespace

void bind_model(py::module_& m)
{
  bind_mechanism(m);
  bind_model_parts(m);
  bind_model_itself(m);
  bind_state(m);
  bind_recursions(m);
}

}  // namespace articulate::python
