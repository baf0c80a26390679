#include <articulate/group/matrices.hpp>
#include <articulate/oracle/hypothesis.hpp>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace articulate::oracle {
namespace {

/// One of the vectors of a state.
struct Input {
  const char *key, *words;
  VectorX<double> Question::*of;
};
constexpr Input coordinates_of_joints{"q", "coordinates", &Question::q}, rates{"qd", "rates", &Question::qd},
    accelerations{"qdd", "accelerations", &Question::qdd}, joint_forces{"tau", "joint forces", &Question::tau};

Hypothesis in_the_state(std::string key, std::string sentence, std::string remedy,
                        std::function<void(Question&, const Situation&)> change)
{
  return {std::move(key), std::move(sentence), std::move(remedy), {}, std::move(change)};
}

// [one-input]
/// Some entries of the coordinates, and the same of rates, accelerations and forces; a free base's pose is none of them.
struct Entries {
  std::vector<int> q, v;

  const std::vector<int>& of(const Input& input) const { return input.of == &Question::q ? q : v; }
};
/// Those of the joints whose slot and degree of freedom meet a condition.
template <typename Condition>
Entries entries(const Model<double>& model, const Condition& condition)
{
  Entries found;
  for (const JointSlot& slot : model.joints())
    for (int k = 0; k < slot.nv; ++k)
      if (slot.nq == slot.nv && condition(slot, slot.v + k))
        found.q.push_back(slot.q + k), found.v.push_back(slot.v + k);
  return found;
}

void multiply(Question& x, const Input& input, const std::vector<int>& which, double factor)
{
  VectorX<double>& numbers = x.*input.of;
  for (const int k : which)
    if (numbers.size()) numbers(k) *= factor;
}

/// Each input alone in another unit of angle.
void add_units_of_angles(Hypotheses& all, const Model<double>& model)
{
  constexpr double degree = std::numbers::pi / 180;
  struct Unit {
    const char *key, *words;
    double factor;
    bool of_rates_only;
  };
  static constexpr Unit units[] = {
      {"read_in_degrees", "are read in degrees, and they are given in radians", degree, false},
      {"handed_over_in_degrees", "reach your library in degrees, and it reads radians", 1 / degree, false},
      {"read_in_rpm", "are read in revolutions per minute, and they are given in rad/s", std::numbers::pi / 30, true},
      {"handed_over_in_rpm", "reach your library in revolutions per minute, and it reads rad/s", 30 / std::numbers::pi,
       true}};
  const Entries angles = entries(model, [&](const JointSlot&, int v) { return model.rate_is_angular(v); });
  const Entries hinges = entries(model, [](const JointSlot& slot, int) {
    return slot.type == JointType::revolute || slot.type == JointType::continuous ||
           slot.type == JointType::universal || slot.type == JointType::euler_ball;
  });
  const auto add_for = [&](const Entries& which, bool is_all) {
    for (const Unit& unit : units)
      for (const Input& input : {coordinates_of_joints, rates, accelerations}) {
        if (unit.of_rates_only && input.of != &Question::qd) continue;
        if (input.of == &Question::q && unit.factor == degree && is_all) continue;  // units/degrees_in_q
        all.push_back(in_the_state(std::string("units/") + input.key + "_" + unit.key + (is_all ? "" : "_of_hinges"),
                                   std::string("The ") + input.words + " of " +
                                       (is_all ? "angles " : "joints that only turn ") + unit.words +
                                       "; all else is right.",
                                   std::string("convert ") + input.key + " to radians",
                                   [input, which = which.of(input), factor = unit.factor](
                                       Question& x, const Situation&) { multiply(x, input, which, factor); }));
      }
  };
  if (!angles.q.empty()) add_for(angles, true);
  if (!hinges.q.empty() && hinges.q != angles.q) {
    add_for(hinges, false);
    all.push_back(in_the_state(
        "units/degrees_of_hinges",
        "You read the angles, rates and accelerations of joints that only turn in degrees, not those of others.",
        "convert angles, angular rates and accelerations between degrees and radians",
        [hinges](Question& x, const Situation&) {
          for (const Input& input : {coordinates_of_joints, rates, accelerations})
            multiply(x, input, hinges.of(input), degree);
        }));
  }
  const Entries slides = entries(model, [](const JointSlot& slot, int) { return slot.type == JointType::prismatic; });
  for (const double factor : {1000.0, 0.001})
    if (!slides.q.empty())
      all.push_back(in_the_state(factor > 1 ? "units/slides_1000" : "units/slides_0.001",
                                 std::string("The numbers of sliding joints are 1000 times as ") +
                                     (factor > 1 ? "large" : "small") + ": mm are taken for m, or m for mm.",
                                 "convert the lengths of sliding joints to m",
                                 [slides, factor](Question& x, const Situation&) {
                                   for (const Input& input : {coordinates_of_joints, rates, accelerations})
                                     multiply(x, input, slides.of(input), factor);
                                 }));
}

/// Each input alone with the other sign, zero, or of the state before; two of them exchanged.
void add_inputs_by_themselves(Hypotheses& all, const Model<double>& model)
{
  const Entries of_joints = entries(model, [](const JointSlot&, int) { return true; });
  for (const Input& input : {coordinates_of_joints, rates, accelerations, joint_forces}) {
    std::vector<int> which = of_joints.q;
    if (input.of != &Question::q) {
      which.resize(static_cast<std::size_t>(model.nv()));
      for (int k = 0; k < model.nv(); ++k) which[static_cast<std::size_t>(k)] = k;
    }
    const std::string key = std::string("state/") + input.key, words = std::string("The ") + input.words;
    all.push_back(in_the_state(key + "_negated", words + " of all joints have the other sign; all else is right.",
                               std::string("negate ") + input.key + " before it is handed over",
                               [input, which](Question& x, const Situation&) { multiply(x, input, which, -1); }));
  }
  all.push_back(in_the_state(
      "state/coordinates_ignored", "Your machine stands in its zero position, with the rates that are given.",
      "hand q over before the algorithms run",
      [which = of_joints.q](Question& x, const Situation&) { multiply(x, coordinates_of_joints, which, 0); }));
  all.push_back(in_the_state("state/rates_and_accelerations_exchanged", "qd is read as qdd, and qdd as qd.",
                             "hand qd and qdd over in the order that your library has",
                             [](Question& x, const Situation&) {
                               if (x.qdd.size()) x.qd.swap(x.qdd);
                             }));
  for (const auto& [key, input] :
       {std::pair{"stale/accelerations", accelerations}, {"stale/joint_forces", joint_forces}}) {
    all.push_back(
        in_the_state(key, std::string("The ") + input.words + " are those of the state before, all else is new.",
                     std::string("update ") + input.key + ", too", [input = input](Question& x, const Situation& at) {
                       if (at.before && (at.before->*input.of).size()) x.*input.of = at.before->*input.of;
                     }));
    all.back().needs_before = true;
  }
}

// [rounded-inputs]
/// Inputs that were numbers of single precision on their way.
void add_inputs_in_single(Hypotheses& all)
{
  const auto round = [](auto&& numbers) {
    for (double& x : numbers) x = static_cast<double>(static_cast<float>(x));
  };
  const auto add = [&](const std::string& key, const std::string& words, std::vector<Input> inputs, bool forces_too) {
    all.push_back(in_the_state("precision/" + key + "_in_single",
                               words + " in single precision; the answers are computed in double precision.",
                               "keep the state in double precision all the way",
                               [inputs, forces_too, round](Question& x, const Situation& at) {
                                 for (const Input& input : inputs) round(x.*input.of);
                                 for (const JointSlot& slot : at.model.joints())
                                   if (slot.nq > slot.nv) x.q.segment<4>(slot.q + slot.nq - 4).normalize();
                                 if (!forces_too) return;
                                 Eigen::Vector3d g = x.gravity.eigen();
                                 round(g);
                                 x.gravity = {g(0), g(1), g(2)};
                                 for (Wrench<double>& F : x.external_wrenches) {
                                   Vector6<double> six = coordinates(F);
                                   round(six);
                                   F = {{six(0), six(1), six(2)}, {six(3), six(4), six(5)}};
                                 }
                               }));
    all.back().alone = true;
  };
  const std::vector<Input> every{coordinates_of_joints, rates, accelerations, joint_forces};
  add("state", "Coordinates, rates, accelerations and joint forces reach your library", every, false);
  add("state_and_forces", "The whole state, with gravity and external wrenches, reaches your library", every, true);
  for (const Input& input : every)
    add(input.key, std::string("The ") + input.words + " reach your library", {input}, false);
}
// [rounded-inputs]

/// Numbers of one joint: its sign, and where it counts from.
void add_single_joints(Hypotheses& all, const Model<double>& model)
{
  const auto add = [&](const std::string& key, const JointSlot& slot, const std::string& words, auto change) {
    all.push_back(in_the_state(key + ":" + slot.name,
                               "Of joint '" + slot.name + "' " + words + "; your answers are of ours.",
                               "compare the sign and the zero of this joint with the description",
                               [change](Question& x, const Situation&) { change(x); }));
    all.back().alone = true;
  };
  for (const JointSlot& slot : model.joints()) {
    if (slot.nq != 1 || slot.nv != 1) continue;
    const Entries one{{slot.q}, {slot.v}};
    for (const Input& input : {coordinates_of_joints, rates, accelerations})
      add(std::string("state/") + input.key + "_negated", slot, std::string(input.key) + " has the other sign",
          [input, one](Question& x) { multiply(x, input, one.of(input), -1); });
    add("state/motion_negated", slot, "q, qd and qdd have the other sign", [one](Question& x) {
      for (const Input& input : {coordinates_of_joints, rates, accelerations}) multiply(x, input, one.of(input), -1);
    });
    if (!model.rate_is_angular(slot.v)) continue;
    for (const int quarters : {1, -1, 2})
      add("state/zero_" + std::to_string(90 * quarters) + "_degrees_off", slot,
          "q counts from a place that is " + std::to_string(90 * quarters) + " degrees off",
          [q = slot.q, quarters](Question& x) { x.q(q) += quarters * std::numbers::pi / 2; });
  }
}

/// Joints of several angles whose numbers come in reverse order, and hinges whose angles count from the world.
void add_angles(Hypotheses& all, const Model<double>& model)
{
  std::vector<JointSlot> turns;
  for (const JointSlot& slot : model.joints())
    if (slot.type == JointType::euler_ball) turns.push_back(slot);
  if (!turns.empty())
    all.push_back(in_the_state("layout/angles_reversed",
                               "The three angles of ball joints are read in reverse order; your answers are in ours.",
                               "hand the angles over as z, y, x", [turns](Question& x, const Situation&) {
                                 for (const JointSlot& slot : turns) {
                                   x.q.segment<3>(slot.q).reverseInPlace(), x.qd.segment<3>(slot.v).reverseInPlace();
                                   if (x.qdd.size()) x.qdd.segment<3>(slot.v).reverseInPlace();
                                 }
                               }));
  struct Step {
    JointSlot inner, outer;
  };
  std::vector<Step> steps;  // from the tips
  for (const JointSlot& outer : model.joints())
    for (const JointSlot& inner : model.joints())
      if (outer.nv == 1 && inner.nv == 1 && outer.nq == 1 && model.body(outer.body).parent == inner.body &&
          model.rate_is_angular(outer.v) && model.rate_is_angular(inner.v))
        steps.insert(steps.begin(), {inner, outer});
  if (!steps.empty())
    all.push_back(in_the_state(
        "state/angles_absolute",
        "You read the angles of hinges as counted from the world, and they count from the link before.",
        "add up the angles along the chain, or hand them over as they are", [steps](Question& x, const Situation&) {
          for (const auto& [inner, outer] : steps) {
            x.q(outer.q) -= x.q(inner.q), x.qd(outer.v) -= x.qd(inner.v);
            if (x.qdd.size()) x.qdd(outer.v) -= x.qdd(inner.v);
          }
        }));
}

/// Where the base is, misread.
void add_places_of_the_base(Hypotheses& all, const Model<double>& model)
{
  if (!model.floating_base()) return;
  struct Place {
    const char *key, *words;
    Vector3<double> (*of)(const SO3<double>& R, const Vector3<double>& p);
  };
  static constexpr Place places[] = {
      {"negated", "has the other sign", [](const SO3<double>&, const Vector3<double>& p) { return -p; }},
      {"in_own_axes", "is taken along the base's own axes",
       [](const SO3<double>& R, const Vector3<double>& p) { return R * p; }},
      {"turned_back", "is turned by the inverse of the base's rotation",
       [](const SO3<double>& R, const Vector3<double>& p) { return inverse(R) * p; }},
      {"of_the_inverse", "is that of the world seen from the base",
       [](const SO3<double>& R, const Vector3<double>& p) { return -(inverse(R) * p); }}};
  for (const Place& place : places)
    all.push_back(in_the_state(std::string("state/base_position_") + place.key,
                               std::string("In your numbers the position of the base ") + place.words + ".",
                               "hand over the base's origin in world axes",
                               [of = place.of](Question& x, const Situation&) {
                                 const SO3<double> R(Quaternion<double>{{x.q(3), x.q(4), x.q(5)}, x.q(6)});
                                 x.q.head<3>() = of(R, {x.q(0), x.q(1), x.q(2)}).eigen();
                               }));
}
// [one-input]

}  // namespace

Hypotheses causes_in_one_input(const Model<double>& model)
{
  Hypotheses all;
  add_units_of_angles(all, model);
  add_inputs_by_themselves(all, model);
  add_inputs_in_single(all);
  add_single_joints(all, model);
  add_angles(all, model);
  add_places_of_the_base(all, model);
  return all;
}

}  // namespace articulate::oracle
