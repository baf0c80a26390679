#include "forces.hpp"
#include <algorithm>
#include <cmath>
#include <map>
#include <articulate/motion/joint_dynamics.hpp>
#include <articulate/motion/stops.hpp>
#include "json_reader.hpp"

namespace articulate::cli {
namespace {

/// One text on its way to force elements.
class ForceReader : JsonReader {
public:
  ForceReader(const std::string& path, const Model<double>& model)
      : JsonReader(text_of_file(path), path, model, "a list of loops, of forces, or of stops")
  {
    require_object(document_, "the loop file");
  }

  std::vector<ForceElement> read() const
  {
    return list<ForceElement>("forces", "force element", &ForceReader::element,
                              [this](const auto& one) { const ForceElements<double> accepted(model_, one); });
  }
  std::vector<Stop> read_stops() const
  {
    return list<Stop>("stops", "stop", &ForceReader::stop,
                      [this](const auto& one) { const Stops<double> accepted(model_, one); });
  }

private:
  using Reading = ForceElement (ForceReader::*)(const Json&, const std::string&) const;

  /// All elements under a key, each tried alone.
  template <typename Element, typename Try>
  std::vector<Element> list(const std::string& key, const std::string& kind,
                            Element (ForceReader::*one)(const Json&, const std::string&) const,
                            const Try& attempt) const
  {
    std::vector<Element> elements;
    if (!document_.contains(key)) return elements;
    const Json& given = document_[key];
    if (!given.is_array()) refuse(key + " is " + shown(given) + " where an array of " + kind + "s is needed.");
    std::map<std::string, std::size_t> names;
    for (std::size_t k = 0; k < given.size(); ++k) {
      const std::string name = key + "[" + std::to_string(k) + "]";
      elements.push_back((this->*one)(given[k], name));
      if (const auto [other, is_new] = names.emplace(name_of(elements[k]), k); !is_new)
        refuse(name + ".name is " + quoted(other->first) + ", as that of " + key + "[" + std::to_string(other->second) +
               "]; every " + kind + " needs a name of its own.");
      try {
        attempt(std::vector<Element>{elements[k]});
      } catch (const ModelError& error) {
        refuse(name + ": " + error.what());
      }
    }
    return elements;
  }

  Stop stop(const Json& given, const std::string& name) const
  {
    require_object(given, name);
    const Json& type = required(given, "type", name, "it says what kind of stop this is");
    const bool plane = choice<bool>(type, name + ".type", {{"joint", false}, {"plane", true}});
    const double restitution =
        number(required(given, "restitution", name, "from 0, plastic, to 1, elastic"), name + ".restitution");
    if (plane) {
      refuse_unknown(given, name, {"name", "type", "restitution", "point", "plane", "normal"});
      PlaneStop stop{name_in(given, name)};
      stop.point = end(required(given, "point", name, "it is what the plane stops"), name + ".point");
      stop.plane = end(required(given, "plane", name, "any point of the plane"), name + ".plane");
      if (given.contains("normal"))
        stop.normal = point(given["normal"], name + ".normal", "x y z in the axes of the plane's link");
      stop.restitution = restitution;
      return stop;
    }
    refuse_unknown(given, name, {"name", "type", "restitution", "joint", "degree", "lower", "upper"});
    JointStop stop{name_in(given, name)};
    set_joint(given, name, stop);
    stop.lower = number_in(given, "lower", name, stop.lower);
    stop.upper = number_in(given, "upper", name, stop.upper);
    stop.restitution = restitution;
    return stop;
  }

  ForceElement element(const Json& given, const std::string& name) const
  {
    static const std::vector<std::pair<std::string, Reading>> types{{"spring", &ForceReader::spring},
                                                                    {"joint_spring", &ForceReader::joint_spring},
                                                                    {"friction", &ForceReader::friction},
                                                                    {"force", &ForceReader::force},
                                                                    {"joint_force", &ForceReader::joint_force},
                                                                    {"rotor", &ForceReader::rotor},
                                                                    {"gravity_field", &ForceReader::gravity_field}};
    require_object(given, name);
    const Json& type = required(given, "type", name, "it says what kind of force element this is");
    const Reading reading = choice(type, name + ".type", types);
    ForceElement element = (this->*reading)(given, name);
    std::visit([&](auto& one) { one.name = name_in(given, name); }, element);
    return element;
  }

  ForceElement spring(const Json& given, const std::string& name) const
  {
    refuse_unknown(given, name, {"name", "type", "first", "second", "stiffness", "damping", "rest_length"});
    SpringDamper spring;
    spring.first = end(required(given, "first", name, "a spring has two ends"), name + ".first");
    spring.second = end(required(given, "second", name, "a spring has two ends"), name + ".second");
    require_any(given, name, {"stiffness", "damping"});
    spring.stiffness = number_in(given, "stiffness", name);
    spring.damping = number_in(given, "damping", name);
    spring.rest_length = number_in(given, "rest_length", name);
    return spring;
  }

  ForceElement joint_spring(const Json& given, const std::string& name) const
  {
    refuse_unknown(given, name, {"name", "type", "joint", "degree", "stiffness", "damping", "rest"});
    JointSpring spring;
    set_joint(given, name, spring);
    require_any(given, name, {"stiffness", "damping"});
    spring.stiffness = number_in(given, "stiffness", name);
    spring.damping = number_in(given, "damping", name);
    spring.rest = number_in(given, "rest", name);
    return spring;
  }

  ForceElement friction(const Json& given, const std::string& name) const
  {
    refuse_unknown(given, name, {"name", "type", "joint", "degree", "viscous", "coulomb", "width"});
    JointFriction friction;
    set_joint(given, name, friction);
    require_any(given, name, {"viscous", "coulomb"});
    friction.viscous = number_in(given, "viscous", name);
    friction.coulomb = number_in(given, "coulomb", name);
    friction.width = number_in(given, "width", name, friction.width);
    return friction;
  }

  ForceElement force(const Json& given, const std::string& name) const
  {
    refuse_unknown(given, name, {"name", "type", "at", "axes", "force", "table"});
    AppliedForce force;
    force.at = end(required(given, "at", name, "a force acts at a point of a link"), name + ".at");
    if (given.contains("axes"))
      force.in_link = choice<bool>(given["axes"], name + ".axes", {{"world", false}, {"link", true}});
    force.force = in_time<3>(given, name, "x y z in N");
    return force;
  }

  ForceElement joint_force(const Json& given, const std::string& name) const
  {
    refuse_unknown(given, name, {"name", "type", "joint", "degree", "force", "table"});
    AppliedJointForce force;
    set_joint(given, name, force);
    force.force = in_time<1>(given, name, "the force in N m or N");
    return force;
  }

  ForceElement rotor(const Json& given, const std::string& name) const
  {
    refuse_unknown(given, name, {"name", "type", "joint", "degree", "inertia"});
    RotorInertia rotor;
    set_joint(given, name, rotor);
    rotor.inertia = number(required(given, "inertia", name, "that of the rotor, times the square of the gear ratio"),
                           name + ".inertia");
    return rotor;
  }

  ForceElement gravity_field(const Json& given, const std::string& name) const
  {
    refuse_unknown(given, name, {"name", "type", "strength", "center"});
    GravityField field;
    field.strength =
        number(required(given, "strength", name, "the gravitational constant times the attracting mass, in m^3/s^2"),
               name + ".strength");
    if (given.contains("center")) field.center = point(given["center"], name + ".center", "x y z in the world, in m");
    return field;
  }

  // Their parts.

  std::string name_in(const Json& given, const std::string& name) const
  {
    const std::string found =
        text(required(given, "name", name, "every force element has one"), name + ".name", "a name");
    if (found.empty()) refuse(name + ".name is empty; give it one that says what it is.");
    return found;
  }

  double number_in(const Json& given, const char* key, const std::string& name, double unless_given = 0) const
  {
    return given.contains(key) ? number(given[key], name + "." + key) : unless_given;
  }

  /// An element of which everything is left out does nothing.
  void require_any(const Json& given, const std::string& name, const Names& keys) const
  {
    if (std::none_of(keys.begin(), keys.end(), [&](const std::string& key) { return given.contains(key); }))
      refuse(name + " has none of " + listed(keys) + ", so that it does nothing; give one.");
  }

  std::array<double, 3> point(const Json& given, const std::string& name, const std::string& meaning) const
  {
    const VectorX<double> x = numbers(given, name, 3, meaning);
    return {x(0), x(1), x(2)};
  }

  Attachment end(const Json& given, const std::string& name) const
  {
    require_object(given, name);
    refuse_unknown(given, name, {"link", "position", "world"});
    if (given.contains("world")) {
      if (given.contains("link") || given.contains("position"))
        refuse(name + " has world beside link or position; it is a point of the one or of the other.");
      return {"", point(given["world"], name + ".world", "x y z in the world, in m")};
    }
    const Json& on = required(given, "link", name, "an end is a point of a link, or has the key world");
    Attachment at{link(text(on, name + ".link", "the name of a link"), name + ".link").name};
    if (given.contains("position"))
      at.position = point(given["position"], name + ".position", "x y z in the link's frame, in m");
    return at;
  }

  template <typename Element>
  void set_joint(const Json& given, const std::string& name, Element& element) const
  {
    const Json& joint_name = required(given, "joint", name, "the name of the joint on which it acts");
    const JointSlot& slot = joint(text(joint_name, name + ".joint", "the name of a joint"), name + ".joint");
    element.joint = slot.name;
    if (!given.contains("degree")) {
      if (slot.nv > 1)
        refuse(name + ".degree is missing; the joint " + shown(joint_name) + " has " + std::to_string(slot.nv) +
               " degrees, counted from 0.");
      return;
    }
    const Json& degree = given["degree"];
    if (!degree.is_number_integer() || degree < 0 || degree >= slot.nv)
      refuse(name + ".degree is " + shown(degree) + " where a whole number from 0 to " + std::to_string(slot.nv - 1) +
             " is needed.");
    element.degree = degree;
  }

  template <std::size_t n>
  TimeTable<n> in_time(const Json& given, const std::string& name, const std::string& meaning) const
  {
    if (given.contains("force") == given.contains("table"))
      refuse(name + " needs either force, for one that is constant, or table, for one that changes with time.");
    TimeTable<n> table;
    const auto add = [&](double t, const VectorX<double>& x) {
      table.times.push_back(t);
      std::copy_n(x.begin(), n, table.values.emplace_back().begin());
    };
    if (given.contains("force")) {
      const std::string place = name + ".force";
      add(0, n == 1 ? VectorX<double>::Constant(1, number(n == 1 ? given["force"] : Json(0), place))
                    : numbers(given["force"], place, n, meaning));
      return table;
    }
    const Json& rows = given["table"];
    if (!rows.is_array() || rows.empty())
      refuse(name + ".table is " + (rows.is_array() ? "empty" : shown(rows)) +
             " where an array of rows is needed, each the time in s and " + meaning + ".");
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const VectorX<double> row =
          numbers(rows[k], name + ".table[" + std::to_string(k) + "]", n + 1, "the time in s and " + meaning);
      add(row(0), row.tail(n));
    }
    return table;
  }
};

// And back.

Json written(const Attachment& end)
{
  if (end.link.empty()) return {{"world", end.position}};
  return {{"link", end.link}, {"position", end.position}};
}

/// One number, or a list of them.
template <std::size_t n>
Json written(const std::array<double, n>& x)
{
  return n == 1 ? Json(x[0]) : Json(x);
}

template <std::size_t n>
void write_in_time(const TimeTable<n>& force, Json& text)
{
  if (force.times.size() == 1) {
    text["force"] = written(force.values[0]);
    return;
  }
  for (std::size_t k = 0; k < force.times.size(); ++k) {
    Json row = Json::array({force.times[k]});
    for (const double x : force.values[k]) row.push_back(x);
    text["table"].push_back(row);
  }
}

/// One force element or stop on its way to text.
class ForceWriter {
public:
  explicit ForceWriter(const Model<double>& model) : model_(model) {}

  Json operator()(const SpringDamper& spring) const
  {
    return {{"name", spring.name},
            {"type", "spring"},
            {"first", written(spring.first)},
            {"second", written(spring.second)},
            {"stiffness", spring.stiffness},
            {"damping", spring.damping},
            {"rest_length", spring.rest_length}};
  }
  Json operator()(const JointSpring& spring) const
  {
    Json text = on_joint(spring, "joint_spring");
    text.update({{"stiffness", spring.stiffness}, {"damping", spring.damping}, {"rest", spring.rest}});
    return text;
  }
  Json operator()(const JointFriction& friction) const
  {
    Json text = on_joint(friction, "friction");
    text.update({{"viscous", friction.viscous}, {"coulomb", friction.coulomb}, {"width", friction.width}});
    return text;
  }
  Json operator()(const AppliedForce& force) const
  {
    Json text{
        {"name", force.name}, {"type", "force"}, {"at", written(force.at)}, {"axes", force.in_link ? "link" : "world"}};
    write_in_time(force.force, text);
    return text;
  }
  Json operator()(const AppliedJointForce& force) const
  {
    Json text = on_joint(force, "joint_force");
    write_in_time(force.force, text);
    return text;
  }
  Json operator()(const RotorInertia& rotor) const
  {
    Json text = on_joint(rotor, "rotor");
    text["inertia"] = rotor.inertia;
    return text;
  }
  Json operator()(const GravityField& field) const
  {
    return {{"name", field.name}, {"type", "gravity_field"}, {"strength", field.strength}, {"center", field.center}};
  }
  Json operator()(const UserLaw& law) const
  {
    throw StateError("the force element '" + law.name + "' is a law of your own, which no file holds; leave it out.");
  }
  Json operator()(const JointStop& stop) const
  {
    Json text = on_joint(stop, "joint");
    if (std::isfinite(stop.lower)) text["lower"] = stop.lower;
    if (std::isfinite(stop.upper)) text["upper"] = stop.upper;
    text["restitution"] = stop.restitution;
    return text;
  }
  Json operator()(const PlaneStop& stop) const
  {
    return {{"name", stop.name},
            {"type", "plane"},
            {"point", written(stop.point)},
            {"plane", written(stop.plane)},
            {"normal", stop.normal},
            {"restitution", stop.restitution}};
  }

private:
  template <typename Element>
  Json on_joint(const Element& element, const char* type) const
  {
    const bool base = model_.floating_base() && element.joint == model_.joints()[0].name;
    return {
        {"name", element.name}, {"type", type}, {"joint", base ? "base" : element.joint}, {"degree", element.degree}};
  }

  const Model<double>& model_;
};

}  // namespace

Json written(const ForceElement& element, const Model<double>& model)
{
  return std::visit(ForceWriter(model), element);
}

Json written(const Stop& stop, const Model<double>& model) { return std::visit(ForceWriter(model), stop); }

std::vector<ForceElement> read_forces(const std::string& path, const Model<double>& model)
{
  return ForceReader(path, model).read();
}

std::vector<Stop> read_stops(const std::string& path, const Model<double>& model)
{
  return ForceReader(path, model).read_stops();
}

std::vector<ForceElement> force_elements(const Model<double>& model, const ModelChoice& choice,
                                         const LoopOptions& loops)
{
  std::vector<ForceElement> elements = joint_dynamics(model.mechanism(), choice.dynamics(), choice.friction_width);
  if (!loops.file.empty())
    for (const ForceElement& element : read_forces(loops.file, model)) {
      for (const ForceElement& other : elements)
        if (name_of(element) == name_of(other))
          throw StateError(loops.file + ": a force element is called '" + name_of(element) +
                           "', as one that --with makes; give it another name.");
      elements.push_back(element);
    }
  const ForceElements<double> accepted(model, elements);
  return elements;
}

ForcesInState::ForcesInState(const Model<double>& model, const std::vector<ForceElement>& elements)
    : joint_forces(VectorX<double>::Zero(model.nv())),
      elements_(elements),
      forces_(model, elements),
      jacobians_(model),
      qd_(joint_forces)
{
}

void ForcesInState::operator()(const VectorX<double>& q, const VectorX<double>& qd)
{
  if (empty()) return;
  qd_ = qd;
  forces_(q, qd, 0);
  joint_forces = forces_.joint_forces();
}

const ForceElementsJacobians<double>& ForcesInState::jacobians()
{
  jacobians_(forces_, forces_.motion, qd_, 0);
  return jacobians_;
}

Json ForcesInState::report() const
{
  Json elements;
  for (int k = 0; k < forces_.size(); ++k) {
    const ElementEnergy<double>& energy = forces_.energy(k);
    elements[name_of(elements_[static_cast<std::size_t>(k)])] = {
        {"potential_energy", energy.potential}, {"power", energy.power}, {"supplied", energy.supplied}};
  }
  return {{"conventions",
           {{"time", "t = 0 s"},
            {"joint_forces",
             "what all elements do to the motion, as joint forces; they act beside tau and external_wrenches in "
             "forward, hybrid and constrained dynamics, and inverse_dynamics.tau and bias are less by them"},
            {"armature",
             "inertias of rotors; they are on the diagonal of mass_matrix, and rotor_energy is not in "
             "kinetic_energy"},
            {"power",
             "in W, of all forces of an element; supplied is that of its forces without a potential, and the "
             "difference is minus the rate of potential_energy, which is in J and not in potential_energy of "
             "gravity"}}},
          {"joint_forces", numbers(joint_forces)},
          {"armature", numbers(forces_.armature)},
          {"rotor_energy", forces_.rotor_energy(qd_)},
          {"potential_energy", forces_.potential()},
          {"power", forces_.power()},
          {"supplied", forces_.supplied()},
          {"elements", elements}};
}

bool ForcesInState::has_field() const
{
  return std::any_of(elements_.begin(), elements_.end(),
                     [](const ForceElement& element) { return std::holds_alternative<GravityField>(element); });
}

}  // namespace articulate::cli
