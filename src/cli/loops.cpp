#include "loops.hpp"
#include <algorithm>
#include <cmath>
#include <map>
#include "json_reader.hpp"

namespace articulate::cli {
namespace {

/// The types of joints that a loop may name: a ball without angles, for a cut joint has no coordinates, and none that
/// leaves all free.
std::vector<std::pair<std::string, JointType>> types_that_close()
{
  std::vector<std::pair<std::string, JointType>> types;
  for (const auto& [name, type] : joint_types)
    if (type != JointType::euler_ball && type != JointType::euler_free && type != JointType::floating)
      types.emplace_back(name, type);
  return types;
}

const std::vector<std::pair<std::string, Turning>> turnings{
    {"none", Turning::none}, {"about_z", Turning::about_z}, {"universal", Turning::universal}, {"free", Turning::free}};

const std::vector<std::pair<std::string, int>> axes{{"x", 0}, {"y", 1}, {"z", 2}};

const std::vector<std::pair<std::string, Least>> leasts{{"actuator_force", Least::actuator_force},
                                                        {"constraint_force", Least::constraint_force}};

/// One text on its way to loops.
class LoopReader : JsonReader {
public:
  LoopReader(const std::string& path, const Model<double>& model)
      : JsonReader(text_of_file(path), path, model, "a list of loops, of forces, or of stops")
  {
    require_object(document_, "the loop file");
    refuse_unknown(document_, "the loop file", {"loops", "forces", "stops", "actuated", "least", "held"});
  }

  LoopFile read(bool loops_needed) const
  {
    LoopFile file;
    if (loops_needed) require_something();
    if (document_.contains("loops")) read_loops(document_["loops"], file);
    if (document_.contains("actuated")) file.actuated = rates_of_joints(document_["actuated"], "actuated");
    if (document_.contains("held")) file.held = rates_of_joints(document_["held"], "held");
    if (document_.contains("least")) {
      if (!file.actuated) refuse("least is given without actuated; it chooses between motors, so name these too.");
      file.least = choice(document_["least"], "least", leasts);
    }
    return file;
  }

private:
  /// One list that is not empty.
  void require_something() const
  {
    std::string empty;
    for (const char* list : {"loops", "forces", "stops"}) {
      if (!document_.contains(list)) continue;
      if (const Json& given = document_[list]; !given.is_array() || !given.empty()) return;
      if (empty.empty()) empty = list;
    }
    if (empty.empty()) required(document_, "loops", "", "a loop file holds a list of loops");
    refuse(empty + " is empty; a tree without loops, forces and stops needs no loop file.");
  }

  void read_loops(const Json& given, LoopFile& file) const
  {
    if (!given.is_array()) refuse("loops is " + shown(given) + " where an array of loops is needed.");
    std::map<std::string, std::size_t> names;
    for (std::size_t k = 0; k < given.size(); ++k) {
      const std::string name = "loops[" + std::to_string(k) + "]";
      file.loops.push_back(loop(given[k], name));
      if (const auto [other, is_new] = names.emplace(file.loops[k].name, k); !is_new)
        refuse(name + ".name is " + quoted(other->first) + ", as that of loops[" + std::to_string(other->second) +
               "]; every loop needs a name of its own.");
    }
    try {
      const Loops<double> accepted(model_, file.loops);
    } catch (const ModelError& error) {
      refuse(error.what());
    }
  }

  Loop loop(const Json& given, const std::string& name) const
  {
    require_object(given, name);
    refuse_unknown(given, name, {"name", "first", "second", "axis", "joint", "pitch", "slides", "turns", "coupling"});
    Loop loop;
    loop.name = text(required(given, "name", name, "messages and results call a loop by it"), name + ".name", "a text");
    const auto is_control = [](unsigned char letter) { return letter < ' '; };
    if (loop.name.empty() || std::any_of(loop.name.begin(), loop.name.end(), is_control))
      refuse(name + ".name is " + quoted(loop.name) + " where a text on one line is needed.");
    if (given.contains("coupling")) {
      if (given.size() > 2)
        refuse(name + " has a coupling and more than that and its name; leave out one or the other.");
      return coupled_joints(loop.name, given["coupling"], name + ".coupling");
    }
    const std::string both = "a loop joins a first and a second link";
    loop.first = end(required(given, "first", name, both), name + ".first");
    loop.second = end(required(given, "second", name, both), name + ".second");
    if (given.contains("axis")) loop.axis = axis(given["axis"], name + ".axis");

    const bool by_hand = given.contains("slides") || given.contains("turns");
    if (given.contains("joint") && by_hand)
      refuse(name + " has a joint and says by hand what is free; leave out joint, or slides and turns.");
    if (given.contains("joint")) return cut(given, name, loop);
    if (!by_hand) refuse(name + " does not say what it leaves free; it needs joint, or slides and turns.");
    if (given.contains("pitch")) refuse(name + ".pitch is given, but only the joint 'helical' has one; leave it out.");
    set_slides(required(given, "slides", name, "next to turns it lists the free ones of 'x', 'y', 'z'"),
               name + ".slides", loop);
    loop.turning = choice(required(given, "turns", name, "next to slides it says how the second frame may turn"),
                          name + ".turns", turnings);
    return loop;
  }

  Loop coupled_joints(const std::string& loop, const Json& given, const std::string& name) const
  {
    require_object(given, name);
    refuse_unknown(given, name, {"joint", "follows", "multiplier", "offset"});
    const std::string both = "a coupling is between two joints";
    const auto joint = [&](const char* key) {
      return text(required(given, key, name, both), name + "." + key, "the name of a joint");
    };
    Mimic follows{joint("follows")};
    if (given.contains("multiplier")) follows.multiplier = number(given["multiplier"], name + ".multiplier");
    if (given.contains("offset")) follows.offset = number(given["offset"], name + ".offset");
    return articulate::coupled_joints(loop, joint("joint"), follows);
  }

  /// The loop that a joint of a type closes.
  Loop cut(const Json& given, const std::string& name, const Loop& loop) const
  {
    const JointType type = choice(given["joint"], name + ".joint", types_that_close());
    const std::string joint = given["joint"];
    if (given.contains("axis") && !has_axis(type))
      refuse(name + ".axis is given, but the joint " + quoted(joint) + " has none; leave it out.");
    if (type != JointType::helical) {
      if (given.contains("pitch"))
        refuse(name + ".pitch is given, but only the joint 'helical' has one; leave it out.");
      return cut_joint(loop.name, type, loop.first, loop.second, loop.axis);
    }
    const Json& pitch = required(given, "pitch", name, "the joint 'helical' slides by it, in m per rad");
    return cut_joint(loop.name, type, loop.first, loop.second, loop.axis, number(pitch, name + ".pitch"));
  }

  void set_slides(const Json& given, const std::string& name, Loop& loop) const
  {
    if (!given.is_array()) refuse(name + " is " + shown(given) + " where an array of 'x', 'y', 'z' is needed.");
    for (std::size_t k = 0; k < given.size(); ++k) {
      const std::string element = name + "[" + std::to_string(k) + "]";
      bool& slides = loop.slides[choice(given[k], element, axes)];
      if (slides) refuse(element + " is " + shown(given[k]) + " a second time; once is enough.");
      slides = true;
    }
  }

  Loop::End end(const Json& given, const std::string& name) const
  {
    require_object(given, name);
    refuse_unknown(given, name, {"link", "position", "quaternion_xyzw"});
    Loop::End end;
    const Json& on = required(given, "link", name, "a loop is cut between frames on two links");
    end.link = link(text(on, name + ".link", "the name of a link"), name + ".link").name;
    if (given.contains("position")) {
      const VectorX<double> p = numbers(given["position"], name + ".position", 3, "x y z in the link's frame, in m");
      std::copy_n(p.begin(), 3, end.position.begin());
    }
    if (given.contains("quaternion_xyzw")) {
      const VectorX<double> x = numbers(given["quaternion_xyzw"], name + ".quaternion_xyzw", 4, "x y z w");
      require_unit(x, name + ".quaternion_xyzw");
      std::copy_n(x.begin(), 4, end.quaternion.begin());
    }
    return end;
  }

  std::array<double, 3> axis(const Json& given, const std::string& name) const
  {
    const VectorX<double> x = numbers(given, name, 3, "x y z in either frame");
    if (x.isZero(0)) refuse(name + " is 0 0 0 where a direction of non-zero length is needed.");
    return {x(0), x(1), x(2)};
  }
};

// And back.

template <typename Value>
const std::string& word(const std::vector<std::pair<std::string, Value>>& words, const Value& value)
{
  return std::find_if(words.begin(), words.end(), [&](const auto& one) { return one.second == value; })->first;
}

Json written(const Loop::End& end, const Model<double>& model)
{
  if (end.link.empty() && model.floating_base())
    throw StateError("an end of a loop is in the world, but no link of a model with a floating base is fixed to it.");
  Json text{{"link", end.link.empty() ? model.links()[0].name : end.link}};  // whose frame is that of the world
  if (end.position != Loop::End{}.position) text["position"] = end.position;
  if (end.quaternion != Loop::End{}.quaternion) {
    Eigen::Vector4d x(end.quaternion.data());
    if (std::abs(x.stableNorm() - 1) > 1e-6) x.stableNormalize();  // a file has rotations of length one
    text["quaternion_xyzw"] = numbers(VectorX<double>(x));
  }
  return text;
}

bool leaves_the_same_free(const Loop& a, const Loop& b)
{
  return a.axis == b.axis && a.slides == b.slides && a.turning == b.turning && a.pitch == b.pitch;
}

Json written(const Loop& loop, const Model<double>& model)
{
  if (loop.coupling) {
    const auto& [joint, follows] = *loop.coupling;
    return {{"name", loop.name},
            {"coupling",
             {{"joint", joint},
              {"follows", follows.joint},
              {"multiplier", follows.multiplier},
              {"offset", follows.offset}}}};
  }
  Json text{{"name", loop.name}, {"first", written(loop.first, model)}, {"second", written(loop.second, model)}};
  if (loop.axis != Loop{}.axis) text["axis"] = loop.axis;
  for (const auto& [name, type] : types_that_close())
    if (leaves_the_same_free(cut_joint(loop.name, type, loop.first, loop.second, loop.axis, loop.pitch), loop)) {
      text["joint"] = name;
      if (type == JointType::helical) text["pitch"] = loop.pitch;
      return text;
    }
  if (loop.pitch != 0)
    throw StateError("loop '" + loop.name + "' has a pitch beside slides, which a loop file cannot say.");
  text["slides"] = Json::array();
  for (const auto& [name, k] : axes)
    if (loop.slides[k]) text["slides"].push_back(name);
  text["turns"] = word(turnings, loop.turning);
  return text;
}

/// The joints whose rates have flags; a floating base is called `base`.
Json joints_of_rates(const std::vector<bool>& flags, const std::string& key, const Model<double>& model)
{
  if (static_cast<int>(flags.size()) != model.nv()) throw SizeError(key, flags.size(), model.nv());
  Json names = Json::array();
  for (const JointSlot& joint : model.joints()) {
    const auto begin = flags.begin() + joint.v, end = begin + joint.nv;
    if (std::find(begin, end, true) == end) continue;
    if (std::find(begin, end, false) != end)
      throw StateError(key + " names a part of joint '" + joint.name + "', but a loop file names whole joints.");
    names.push_back(model.floating_base() && joint.v == 0 ? "base" : joint.name);
  }
  return names;
}

}  // namespace

Json written(const LoopFile& file, const Model<double>& model)
{
  Json text = Json::object();
  for (const Loop& loop : file.loops) text["loops"].push_back(written(loop, model));
  if (file.actuated) {
    text["actuated"] = joints_of_rates(*file.actuated, "actuated", model);
    text["least"] = word(leasts, file.least);
  }
  if (!file.held.empty()) text["held"] = joints_of_rates(file.held, "held", model);
  return text;
}

LoopFile all_loops(const Model<double>& model, const ModelChoice& choice, const LoopOptions& options)
{
  const bool mimics = choice.dynamics().mimic;
  LoopFile file = options.file.empty() ? LoopFile{} : read_loops(options.file, model, !mimics);
  if (!mimics) return file;
  const std::size_t given = file.loops.size();
  for (const Loop& mimic : mimic_loops(model.mechanism())) {
    for (std::size_t k = 0; k < given; ++k)
      if (file.loops[k].name == mimic.name)
        throw StateError(options.file + ": loops[" + std::to_string(k) + "].name is '" + mimic.name +
                         "', as the joint whose mimic --with makes a loop of; give it another name.");
    file.loops.push_back(mimic);
  }
  try {
    const Loops<double> accepted(model, file.loops);
  } catch (const ModelError& refused) {
    throw ModelError(model.mechanism().source + ": " + refused.what());
  }
  return file;
}

LoopFile read_loops(const std::string& path, const Model<double>& model, bool loops_needed)
{
  return LoopReader(path, model).read(loops_needed);
}

}  // namespace articulate::cli
