#include "state.hpp"
#include "output.hpp"  // Json
#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>

namespace articulate::cli {
namespace {

using Names = std::vector<std::string>;

/// 'text', with anything that would break a line written as JSON writes it.
std::string quoted(const std::string& text)
{
  std::string result = Json(text).dump();
  result.front() = result.back() = '\'';
  return result;
}

std::string listed(const Names& names)
{
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + quoted(name);
  return names.empty() ? "none" : list;
}

bool contains(const Names& names, const std::string& name)
{
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// A value as a message shows it.
std::string shown(const Json& value)
{
  return value.is_structured() ? std::string("an ") + value.type_name() : value.dump();
}

/// One text on its way to a state.
class StateReader {
public:
  StateReader(const std::string& text, const std::string& source, const Model<double>& model)
      : source_(source), model_(model), state_(parse(text)), base_(Json::object())
  {
    require_object(state_, "the state");
    refuse_unknown(state_, "the state",
                   {"q", "qd", "qdd", "tau", "base", "gravity", "external_wrenches", "prescribed"});
    if (model.floating_base()) base_ = base();
    if (!model.floating_base() && state_.contains("base"))
      refuse("base is given, but the base of the model is fixed; leave it out or add --floating-base.");
  }

  State read() const
  {
    State state;
    state.q = coordinates();
    state.qd = rates(required("qd"), "qd", "twist");
    state.qdd = optional_rates("qdd", "acceleration");
    state.tau = optional_rates("tau", "wrench");
    state.prescribed = prescribed();
    if (state.prescribed && !(state.qdd && state.tau))
      refuse(
          std::string(state.qdd ? "tau" : "qdd") +
          " is missing; where prescribed is given, hybrid dynamics reads accelerations from qdd and forces from tau.");
    state.gravity = model_.gravity();
    if (state_.contains("gravity"))
      state.gravity = Vector3<double>(numbers(state_["gravity"], "gravity", 3, "x y z in the world, in m/s^2"));
    state.external_wrenches = external_wrenches();
    return state;
  }

private:
  [[noreturn]] void refuse(const std::string& sentence) const { throw StateError(source_ + ": " + sentence); }

  // The text.

  Json parse(const std::string& text) const
  {
    if (text.find_first_not_of(" \t\r\n") == std::string::npos)
      refuse("the file is empty; it must hold one JSON object with q and qd.");
    try {
      std::vector<std::set<std::string>> keys;  // of the objects that are open
      return Json::parse(text, [&](int, Json::parse_event_t event, Json& value) {
        if (event == Json::parse_event_t::object_start) keys.emplace_back();
        if (event == Json::parse_event_t::object_end) keys.pop_back();
        if (event == Json::parse_event_t::key && !keys.back().insert(value).second)
          refuse("the key " + quoted(value) + " stands twice in one object; keep the one that is meant.");
        return true;
      });
    } catch (const Json::parse_error& error) {
      refuse_text(text, error.byte);
    } catch (const Json::out_of_range& error) {  // its message ends in the number, in quotes
      const std::string message = error.what();
      refuse("the number " + message.substr(message.find('\'')) + " is too large for double precision.");
    }
  }

  /// The place where JSON ends is the number of the last byte read, counted from one.
  [[noreturn]] void refuse_text(const std::string& text, std::size_t byte) const
  {
    const std::string before = text.substr(0, byte - 1);
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    const auto column = byte - (before.rfind('\n') + 1);  // npos + 1 is 0
    const std::string place = "line " + std::to_string(line) + ", column " + std::to_string(column);
    if (byte > text.size())
      refuse("the JSON text breaks off at " + place + "; close every bracket (with --state - a state is one line).");
    refuse("the text is not JSON at " + place +
           "; JSON has no NaN, no infinity, no comments and no comma after the last entry.");
  }

  // Its parts. `name` is what messages call a value.

  void require_object(const Json& value, const std::string& name) const
  {
    if (!value.is_object()) refuse(name + " is " + shown(value) + " where a JSON object is needed.");
  }

  void refuse_unknown(const Json& object, const std::string& name, const Names& known) const
  {
    for (const auto& [key, value] : object.items())
      if (!contains(known, key))
        refuse(name + " has the unknown key " + quoted(key) + "; known are " + listed(known) + ".");
  }

  const Json& required(const std::string& key) const
  {
    if (!state_.contains(key)) refuse(key + " is missing; a state needs q and qd.");
    return state_[key];
  }

  const Json& required_of_base(const std::string& key, const std::string& reason) const
  {
    if (!base_.contains(key)) refuse("base." + key + " is missing; " + reason + ".");
    return base_[key];
  }

  double number(const Json& value, const std::string& name) const
  {
    if (!value.is_number()) refuse(name + " is " + shown(value) + " where a finite number is needed.");
    return value.get<double>();
  }

  /// An array of so many numbers; `meaning` says which.
  VectorX<double> numbers(const Json& value, const std::string& name, int size, const std::string& meaning) const
  {
    const std::string count = std::to_string(size);
    if (!value.is_array())
      refuse(name + " is " + shown(value) + " where an array of " + count + " is needed: " + meaning + ".");
    if (static_cast<int>(value.size()) != size)
      refuse(name + " has " + std::to_string(value.size()) + " entries where it needs " + count + ": " + meaning + ".");
    VectorX<double> x(size);
    for (int k = 0; k < size; ++k) x(k) = number(value[k], name + "[" + std::to_string(k) + "]");
    return x;
  }

  const Json& base() const
  {
    if (!state_.contains("base"))
      refuse("base is missing; the base of the model floats and needs base with position and quaternion_xyzw.");
    require_object(state_["base"], "base");
    refuse_unknown(state_["base"], "base", {"position", "quaternion_xyzw", "twist", "acceleration", "wrench"});
    return state_["base"];
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
    if (state_.contains(name)) return rates(state_[name], name, base_key);
    if (base_.contains(base_key)) refuse("base." + base_key + " is given without " + name + "; give both or none.");
    return {};
  }

  /// By rate: does the joint stand in the list of those whose acceleration is prescribed?
  std::optional<std::vector<bool>> prescribed() const
  {
    if (!state_.contains("prescribed")) return {};
    const Json& given = state_["prescribed"];
    if (!given.is_array()) refuse("prescribed is " + shown(given) + " where an array of joint names is needed.");
    Names known;
    for (const JointSlot& joint : model_.joints()) known.push_back(name_in_state(joint));
    Names names;
    for (std::size_t k = 0; k < given.size(); ++k) {
      const std::string element = "prescribed[" + std::to_string(k) + "]";
      if (!given[k].is_string()) refuse(element + " is " + shown(given[k]) + " where the name of a joint is needed.");
      const std::string name = given[k];
      if (!contains(known, name))
        refuse(element + " names the joint " + quoted(name) + ", which does not move in the model; there are " +
               listed(known) + ".");
      if (contains(names, name)) refuse(element + " names " + quoted(name) + " a second time; once is enough.");
      names.push_back(name);
    }
    std::vector<bool> flags(model_.nv());
    for (const JointSlot& joint : model_.joints())
      std::fill_n(flags.begin() + joint.v, joint.nv, contains(names, name_in_state(joint)));
    return flags;
  }

  /// The floating base is called base, as in the rest of a state.
  std::string name_in_state(const JointSlot& joint) const
  {
    return model_.floating_base() && joint.v == 0 ? "base" : joint.name;
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

  void require_unit(const Eigen::Vector4d& quaternion, const std::string& name) const
  {
    const double length = quaternion.stableNorm();
    if (std::abs(length - 1) <= 1e-6) return;
    std::ostringstream text;
    text.precision(10);
    text << length;
    refuse(name + " has length " + text.str() + " where a rotation needs 1, to within 1e-6.");
  }

  ExternalWrenches<double> external_wrenches() const
  {
    ExternalWrenches<double> wrenches(model_.bodies() + 1);
    if (!state_.contains("external_wrenches")) return wrenches;
    const Json& given = state_["external_wrenches"];
    require_object(given, "external_wrenches");
    for (const auto& [name, value] : given.items()) {
      const LinkFrame<double>& link = link_of(name);
      const Wrench<double> F =
          to_wrench(numbers(value, "external_wrenches." + link.name, 6, "moment, then force, in the link's frame"));
      wrenches[link.body] += coAdInv(link.X, F);  // for a link fixed to the world nobody asks
    }
    return wrenches;
  }

  const LinkFrame<double>& link_of(const std::string& name) const
  {
    Names known;
    for (const LinkFrame<double>& link : model_.links()) {
      if (link.name == name) return link;
      known.push_back(link.name);
    }
    refuse("external_wrenches names the link " + quoted(name) + ", which does not exist; there are " + listed(known) +
           ".");
  }

  const std::string source_;
  const Model<double>& model_;
  const Json state_;
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
