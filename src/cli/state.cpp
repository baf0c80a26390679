#include "state.hpp"
#include "json_reader.hpp"

namespace articulate::cli {
namespace {

/// One text on its way to a state.
class StateReader : JsonReader {
public:
  StateReader(const std::string& text, const std::string& source, const Model<double>& model)
      : StateReader(parse_json(text, source, "q and qd", " (with --state - a state is one line)"), source, model)
  {
  }

  StateReader(Json document, const std::string& source, const Model<double>& model)
      : JsonReader(std::move(document), source, model), base_(Json::object())
  {
    require_object(document_, "the state");
    refuse_unknown(
        document_, "the state",
        {"q", "qd", "qdd", "tau", "base", "gravity", "external_wrenches", "prescribed", "order", "q_derivatives",
         "base_twist_derivatives", "tau_derivatives", "base_wrench_derivatives", "wrench_derivatives"});
    if (model.floating_base()) base_ = base();
    if (!model.floating_base() && document_.contains("base"))
      refuse("base is given, but the base of the model is fixed; leave it out or add --floating-base.");
  }

  State read() const
  {
    State state;
    state.q = coordinates();
    state.qd = rates(required("qd"), "qd", entry_of_base("twist"), "base.twist");
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
    state.external_wrenches = ExternalWrenches<double>(model_.bodies() + 1);
    if (document_.contains("external_wrenches"))
      state.external_wrenches = wrenches(document_["external_wrenches"], "external_wrenches");
    if (document_.contains("order"))
      state.derivatives = derivatives(state);
    else
      for (const char* key : {"q_derivatives", "base_twist_derivatives", "tau_derivatives", "base_wrench_derivatives",
                              "wrench_derivatives"})
        if (document_.contains(key))
          refuse(std::string("order is missing; with ") + key + " a state must say how many derivatives it gives.");
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

  const Json* entry_of_base(const std::string& key) const { return base_.contains(key) ? &base_[key] : nullptr; }

  /// Rates, accelerations or forces; of a floating base they stand first in an array, or by themselves in `six`.
  VectorX<double> rates(const Json& given, const std::string& name, const Json* six, const std::string& six_name) const
  {
    require_form(given, name);
    if (given.is_array() && six)
      refuse(six_name + " is given twice, since the array " + name + " starts with it; leave it out or give " + name +
             " as an object by joint name.");
    if (given.is_array())
      return numbers(given, name, model_.nv(),
                     model_.floating_base() ? "the base's six, then those of the joints in model order"
                                            : "those of the joints in model order");
    VectorX<double> x(model_.nv());
    if (model_.floating_base()) {
      if (!six) refuse(six_name + " is missing; where " + name + " is an object, the base's six stand there.");
      x.head(6) = numbers(*six, six_name, 6, "angular, then linear, in the base's frame");
    }
    for (const JointSlot& joint : joints_without_base(model_))
      x.segment(joint.v, joint.nv) = numbers_of_joint(given, name, joint, joint.nv);
    return x;
  }

  std::optional<VectorX<double>> optional_rates(const std::string& name, const std::string& base_key) const
  {
    const Json* const six = entry_of_base(base_key);
    if (document_.contains(name)) return rates(document_[name], name, six, "base." + base_key);
    if (six) refuse("base." + base_key + " is given without " + name + "; give both or none.");
    return {};
  }

  // Derivatives in time.

  StateDerivatives derivatives(const State& state) const
  {
    const Json& given = document_["order"];
    const std::string needed = " where a whole number from 0 to " + std::to_string(largest_order) + " is needed.";
    if (!given.is_number_integer()) refuse("order is " + shown(given) + needed);
    if (given < 0 || given > largest_order) refuse("order is " + given.dump() + needed);
    StateDerivatives result{given.get<int>(), {}, {}, {}};
    const int r = result.order;
    result.qdd = table("q_derivatives", "base_twist_derivatives", "qdd", state.qdd.has_value(), r);
    result.tau = table("tau_derivatives", "base_wrench_derivatives", "tau", state.tau.has_value(), r);
    if (state.prescribed && !(result.qdd && result.tau))
      refuse(std::string(result.qdd ? "tau_derivatives" : "q_derivatives") +
             " is missing; where prescribed is given, hybrid dynamics of order " + std::to_string(r) +
             " reads the derivatives of both.");
    if (!result.qdd && !result.tau)
      refuse("order is " + std::to_string(r) + ", but neither " +
             (r == 0 ? "qdd nor tau is given" : "q_derivatives nor tau_derivatives is given") +
             "; give the first for inverse dynamics or the second for forward dynamics.");
    if (document_.contains("wrench_derivatives")) {
      const Json& list = list_of_derivatives("wrench_derivatives", "external_wrenches", r);
      for (int k = 0; k < r; ++k) result.external_wrenches.push_back(wrenches(list[k], entry("wrench_derivatives", k)));
    }
    return result;
  }

  /// What continues qdd or tau; of order 0 there is nothing to add to them.
  std::optional<MatrixX<double>> table(const std::string& name, const std::string& base_name,
                                       const std::string& continued, bool is_given, int order) const
  {
    if (document_.contains(base_name) && !model_.floating_base())
      refuse(base_name + " is given, but the base of the model is fixed; leave it out or add --floating-base.");
    if (!document_.contains(name)) {
      if (document_.contains(base_name)) refuse(base_name + " is given without " + name + "; give both or none.");
      if (is_given && order == 0) return MatrixX<double>(model_.nv(), 0);
      return {};
    }
    if (!is_given) refuse(continued + " is missing; " + name + " continues it with its derivatives.");
    const Json& list = list_of_derivatives(name, continued, order);
    const Json* const sixes = document_.contains(base_name)
                                  ? &list_of_derivatives(base_name, "the base's part of " + continued, order)
                                  : nullptr;
    MatrixX<double> x(model_.nv(), order);
    for (int k = 0; k < order; ++k)
      x.col(k) = rates(list[k], entry(name, k), sixes ? &(*sixes)[k] : nullptr, entry(base_name, k));
    return x;
  }

  const Json& list_of_derivatives(const std::string& name, const std::string& continued, int order) const
  {
    const Json& list = document_[name];
    const std::string meaning = ": entry k is the derivative of order k + 1 of " + continued + ", counted from 0.";
    const std::string count = std::to_string(order);
    if (!list.is_array()) refuse(name + " is " + shown(list) + " where an array of " + count + " is needed" + meaning);
    if (static_cast<int>(list.size()) != order)
      refuse(name + " has " + detail::entries(list.size()) + " where order " + count + " needs " + count + meaning);
    return list;
  }

  static std::string entry(const std::string& name, int k) { return name + "[" + std::to_string(k) + "]"; }

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

  /// Wrenches by link name.
  ExternalWrenches<double> wrenches(const Json& given, const std::string& name) const
  {
    ExternalWrenches<double> F(model_.bodies() + 1);
    require_object(given, name);
    for (const auto& [on, value] : given.items()) {
      const LinkFrame<double>& frame = link(on, name);
      F[frame.body] +=  // for a link fixed to the world nobody asks
          coAdInv(frame.X, to_wrench(numbers(value, name + "." + on, 6, "moment, then force, in the link's frame")));
    }
    return F;
  }

  /// Beyond it factorials leave double precision, and long before it digits are gone.
  static constexpr int largest_order = 100;

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

State state_from(const Json& object, const std::string& source, const Model<double>& model)
{
  return StateReader(object, source, model).read();
}

}  // namespace articulate::cli
