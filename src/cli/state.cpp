#include "state.hpp"
#include "json_reader.hpp"

namespace articulate::cli {
namespace {

/// One text on its way to a state.
class StateReader : JsonReader {
public:
  StateReader(const std::string& text, const std::string& source, const Model<double>& model)
      : JsonReader(text, source, model, "q and qd", " (with --state - a state is one line)"), base_(Json::object())
  {
    require_object(document_, "the state");
    refuse_unknown(document_, "the state",
                   {"q", "qd", "qdd", "tau", "base", "gravity", "external_wrenches", "prescribed"});
    if (model.floating_base()) base_ = base();
    if (!model.floating_base() && document_.contains("base"))
      refuse("base is given, but the base of the model is fixed; leave it out or add --floating-base.");
  }

  State read() const
  {
    State state;
    state.q = coordinates();
    state.qd = rates(required("qd"), "qd", "twist");
    state.qdd = optional_rates("qdd", "acceleration");
    state.tau = optional_rates("tau", "wrench");
    if (document_.contains("prescribed")) state.prescribed = rates_of_joints(document_["prescribed"], "prescribed");
    if (state.prescribed && !(state.qdd && state.tau))
      refuse(
          std::string(state.qdd ? "tau" : "qdd") +
          " is missing; where prescribed is given, hybrid dynamics reads accelerations from qdd and forces from tau.");
    state.gravity = model_.gravity();
    if (document_.contains("gravity"))
      state.gravity = Vector3<double>(numbers(document_["gravity"], "gravity", 3, "x y z in the world, in m/s^2"));
    state.external_wrenches = external_wrenches();
    return state;
  }

private:
  const Json& required(const std::string& key) const
  {
    if (!document_.contains(key)) refuse(key + " is missing; a state needs q and qd.");
    return document_[key];
  }

  const Json& required_of_base(const std::string& key, const std::string& reason) const
  {
    if (!base_.contains(key)) refuse("base." + key + " is missing; " + reason + ".");
    return base_[key];
  }

  const Json& base() const
  {
    if (!document_.contains("base"))
      refuse("base is missing; the base of the model floats and needs base with position and quaternion_xyzw.");
    require_object(document_["base"], "base");
    refuse_unknown(document_["base"], "base", {"position", "quaternion_xyzw", "twist", "acceleration", "wrench"});
    return document_["base"];
  }

  VectorX<double> coordinates() const
  {
    VectorX<double> q(model_.nq());
    if (model_.floating_base()) {
      const std::string reason = "the base of the model floats";
      q.head(3) = numbers(required_of_base("position", reason), "base.position", 3, "x y z in the world, in m");
      q.segment(3, 4) = numbers(required_of_base("quaternion_xyzw", reason), "base.quaternion_xyzw", 4, "x y z w");
      require_unit(q.segment(3, 4), "base.quaternion_xyzw");
    }
    const Json& given = required("q");
    require_form(given, "q");
    const int joints = model_.nq() - (model_.floating_base() ? 7 : 0);
    if (given.is_array())
      q.tail(joints) = numbers(given, "q", joints, "those of the joints, without the base, in model order");
    else
      for (const JointSlot& joint : joints_without_base(model_))
        q.segment(joint.q, joint.nq) = numbers_of_joint(given, "q", joint, joint.nq);
    for (const JointSlot& joint : joints_without_base(model_))
      if (joint.nq > joint.nv)  // the last four are a quaternion
        require_unit(q.segment(joint.q + joint.nq - 4, 4), "the quaternion of joint " + quoted(joint.name) + " in q");
    return q;
  }

  /// Rates, accelerations or forces; of a floating base they stand first in an array, or under `base_key` in base.
  VectorX<double> rates(const Json& given, const std::string& name, const std::string& base_key) const
  {
    require_form(given, name);
    if (given.is_array() && base_.contains(base_key))
      refuse("base." + base_key + " is given twice, since the array " + name +
             " starts with it; leave it out or give " + name + " as an object by joint name.");
    if (given.is_array())
      return numbers(given, name, model_.nv(),
                     model_.floating_base() ? "the base's six, then those of the joints in model order"
                                            : "those of the joints in model order");
    VectorX<double> x(model_.nv());
    if (model_.floating_base()) {
      const Json& six = required_of_base(base_key, "where " + name + " is an object, the base's six stand there");
      x.head(6) = numbers(six, "base." + base_key, 6, "angular, then linear, in the base's frame");
    }
    for (const JointSlot& joint : joints_without_base(model_))
      x.segment(joint.v, joint.nv) = numbers_of_joint(given, name, joint, joint.nv);
    return x;
  }

  std::optional<VectorX<double>> optional_rates(const std::string& name, const std::string& base_key) const
  {
    if (document_.contains(name)) return rates(document_[name], name, base_key);
    if (base_.contains(base_key)) refuse("base." + base_key + " is given without " + name + "; give both or none.");
    return {};
  }

  /// An array in model order, or an object that names no strange joint.
  void require_form(const Json& given, const std::string& name) const
  {
    if (given.is_array()) return;
    if (!given.is_object())
      refuse(name + " is " + shown(given) + " where an array in model order or an object by joint name is needed.");
    Names known;
    for (const JointSlot& joint : joints_without_base(model_)) known.push_back(joint.name);
    for (const auto& [key, value] : given.items())
      if (!contains(known, key))
        refuse(name + " names the joint " + quoted(key) + ", which does not move in the model; there are " +
               listed(known) + ".");
  }

  VectorX<double> numbers_of_joint(const Json& object, const std::string& name, const JointSlot& joint, int size) const
  {
    if (!object.contains(joint.name))
      refuse(name + " lacks the joint " + quoted(joint.name) + "; an object must name every joint that moves.");
    const Json& value = object[joint.name];
    const std::string element = name + "." + joint.name;
    if (size == 1) return VectorX<double>::Constant(1, number(value, element));
    return numbers(value, element, size, meaning_of_numbers(joint, size));
  }

  /// What the numbers of a joint of several are, for a message.
  static const char* meaning_of_numbers(const JointSlot& joint, int size)
  {
    switch (joint.type) {
      case JointType::floating:
        return size == 7 ? "position, then quaternion x y z w" : "angular, then linear";
      case JointType::ball:
        return size == 4 ? "the quaternion x y z w" : "about x, y and z of the child";
      default:
        return "one for each coordinate of the joint";
    }
  }

  ExternalWrenches<double> external_wrenches() const
  {
    ExternalWrenches<double> wrenches(model_.bodies() + 1);
    if (!document_.contains("external_wrenches")) return wrenches;
    const Json& given = document_["external_wrenches"];
    require_object(given, "external_wrenches");
    for (const auto& [name, value] : given.items()) {
      const LinkFrame<double>& on = link(name, "external_wrenches");
      const Wrench<double> F =
          to_wrench(numbers(value, "external_wrenches." + name, 6, "moment, then force, in the link's frame"));
      wrenches[on.body] += coAdInv(on.X, F);  // for a link fixed to the world nobody asks
    }
    return wrenches;
  }

  Json base_;  ///< empty for a fixed base
};

}  // namespace

std::span<const JointSlot> joints_without_base(const Model<double>& model)
{
  return std::span(model.joints()).subspan(model.floating_base() ? 1 : 0);
}

State read_state(const std::string& text, const std::string& source, const Model<double>& model)
{
  return StateReader(text, source, model).read();
}

}  // namespace articulate::cli
