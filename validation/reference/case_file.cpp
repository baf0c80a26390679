#include <reference/case_file.hpp>
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>

namespace articulate::reference {
namespace {

// --- numbers of binary64 --------------------------------------------------------------------------------------------

std::string hexadecimal(double x)
{
  char text[40];
  const auto end = std::to_chars(text, text + sizeof text, std::abs(x), std::chars_format::hex);
  return (std::signbit(x) ? "-0x" : "0x") + std::string(text, end.ptr);
}

template <typename Numbers>
Json inputs(const Numbers& x)
{
  Json hex = Json::array(), decimal = Json::array();
  for (const double one : x) hex.push_back(hexadecimal(one)), decimal.push_back(one);
  return {{"decimal", decimal}, {"hexadecimal", hex}};
}
Json input(double x) { return {{"decimal", x}, {"hexadecimal", hexadecimal(x)}}; }

// --- machine and state ----------------------------------------------------------------------------------------------

template <typename Names, typename Value>
const char* name_in(const Names& names, Value value)
{
  for (const auto& [name, known] : names)
    if (known == value) return name;
  return "";
}

Json end(const Loop::End& end)
{
  return {{"link", end.link}, {"position", inputs(end.position)}, {"quaternion_xyzw", inputs(end.quaternion)}};
}

Json machine(const Mechanism& mechanism, bool floating_base, const std::vector<Loop>& loops)
{
  Json links = Json::array(), joints = Json::array(), cuts = Json::array();
  for (const Link& link : mechanism.links)
    links.push_back({{"name", link.name},
                     {"mass", input(link.mass)},
                     {"center_of_mass", inputs(link.center_of_mass)},
                     {"inertial_quaternion_xyzw", inputs(link.inertial_quaternion)},
                     {"inertia_xx_xy_xz_yy_yz_zz", inputs(link.inertia)}});
  for (const Joint& joint : mechanism.joints)
    joints.push_back({{"name", joint.name},
                      {"type", name_in(joint_types, joint.type)},
                      {"parent", joint.parent},
                      {"child", joint.child},
                      {"position", inputs(joint.position)},
                      {"quaternion_xyzw", inputs(joint.quaternion)},
                      {"axis", inputs(joint.axis)},
                      {"pitch", input(joint.pitch)}});
  for (const Loop& loop : loops)
    cuts.push_back({{"name", loop.name},
                    {"first", end(loop.first)},
                    {"second", end(loop.second)},
                    {"axis", inputs(loop.axis)},
                    {"slides_along_xyz", loop.slides},
                    {"turning", name_in(turnings, loop.turning)},
                    {"pitch", input(loop.pitch)}});
  return {{"name", mechanism.name},
          {"floating_base", floating_base},
          {"gravity", inputs(mechanism.gravity)},
          {"links", links},
          {"joints", joints},
          {"loops", cuts}};
}

/// What stands on each number of an answer, row by row.
template <typename Entry>
Json rows(const CertifiedQuantity& quantity, const Entry& entry)
{
  Json list = Json::array();
  for (int i = 0, k = 0; i < quantity.rows; ++i) {
    Json row = Json::array();
    for (int j = 0; j < quantity.columns; ++j) row.push_back(entry(quantity.numbers[static_cast<std::size_t>(k++)]));
    list.push_back(row);
  }
  return list;
}

// --- a file held against another --------------------------------------------------------------------------------------

/// A value in few words.
std::string brief(const Json& value)
{
  constexpr std::size_t longest = 150;
  const std::string text = value.dump(-1, ' ', true);
  return text.size() > longest ? text.substr(0, longest) + " ..." : text;
}

/// What in one value is not as in the other, a sentence for each place.
void compare(const Json& theirs, const Json& ours, const std::string& place, std::vector<std::string>& found)
{
  const auto below = [&](const std::string& key) { return place.empty() ? key : place + "/" + key; };
  if (theirs.is_object() && ours.is_object()) {
    for (const auto& [key, value] : ours.items()) {
      if (!theirs.contains(key))
        found.push_back(below(key) + " is missing");
      else if (key != "hexadecimal")  // which was read as the decimal number beside it
        compare(theirs[key], value, below(key), found);
    }
    for (const auto& [key, value] : theirs.items())
      if (!ours.contains(key)) found.push_back(below(key) + " is not asked for");
  } else if (theirs.is_array() && ours.is_array() && theirs.size() == ours.size()) {
    for (std::size_t k = 0; k < ours.size(); ++k) compare(theirs[k], ours[k], below(std::to_string(k)), found);
  } else if (theirs != ours) {
    const bool is_answer = place.starts_with("answers/") && !place.ends_with("/words");
    found.push_back(place + " is " + brief(theirs) + " where " + brief(ours) + (is_answer ? " is proved" : " belongs"));
  }
}

/// How many numbers of a quantity are the same in all that is said of them.
std::size_t count_same(const Json& theirs, const Json& ours)
{
  std::size_t count = 0;
  for (std::size_t i = 0; i < ours["value"].size(); ++i)
    for (std::size_t j = 0; j < ours["value"][i].size(); ++j) {
      const std::string entry = "/" + std::to_string(i) + "/" + std::to_string(j);
      count += std::all_of(ours.items().begin(), ours.items().end(), [&](const auto& property) {
        const Json::json_pointer place("/" + property.key() + entry);
        return property.key() == "words" || (theirs.contains(place) && theirs[place] == ours[place]);
      });
    }
  return count;
}

}  // namespace

Json conventions()
{
  return {
      {"units", "SI: m, kg, s, rad, N, N m, J"},
      {"inputs",
       "numbers of binary64, exact, each in decimal and in hexadecimal; axes and quaternions are directions of any "
       "length except zero, which is divided out"},
      {"world",
       "the frame of the link that is no joint's child, the root; with floating_base the frame in which q gives the "
       "pose of the root"},
      {"order_of_coordinates",
       "q, qd, qdd, tau, and the rows and columns of answers that belong to them, go through the joints depth first "
       "from the root, the children of a link in the order of the bytes of their joints' names, and not in the order "
       "of `joints`; with floating_base those of the root come first; fixed joints have none"},
      {"order_of_links", "rows of links are in the order of `links`, and the last link is the last one there"},
      {"order_of_loops", "rows of loops are in the order of `loops`"},
      {"poses",
       "rotation R, whose columns are the axes of the link in the world, and position p, its origin in the world"},
      {"quaternions",
       "x y z w; a quaternion of a frame in another turns components in the former into components in the latter"},
      {"twists",
       "body twists V = T^-1 dT/dt = (w, v): angular velocity, then velocity of the frame's origin, in the frame's own "
       "axes"},
      {"wrenches", "(m, f): moment about the frame's origin, then force, in the frame's own axes"},
      {"links",
       "center_of_mass in the link's frame; inertia_xx_xy_xz_yy_yz_zz is the inertia matrix about the centre of mass, "
       "with xy = -integral of x y dm, in axes whose orientation in the link's frame is inertial_quaternion_xyzw"},
      {"joints",
       "position and quaternion_xyzw are those of the joint's frame in the frame of the parent; axis is in the joint's "
       "frame; at q = 0 (of quaternions 0 0 0 1) the frame of the child is the joint's frame, and q moves it from "
       "there"},
      {"joint_types",
       "fixed: no motion; revolute and continuous: turn about the axis; prismatic: slide along the axis; helical: turn "
       "by q about the axis and slide by pitch q along it; universal: turns about x, then the new y; cylindrical: turn "
       "about the axis, slide along it; planar: two slides, turn about the axis; euler_ball: turns about z, the new y, "
       "the newest x; euler_free: slides along x, y, z of the joint's frame, then turns as of euler_ball; ball: q = "
       "quaternion of the child in the joint's frame, rate = angular velocity and force = moment in the child's axes; "
       "floating: as floating_base; axis has no meaning for the types whose words do not name it"},
      {"planar",
       "the slides are along x and y of the joint's frame after the shortest rotation that takes z to the axis, and "
       "the turn comes after them; if the axis points down (z < 0), x and y make a half turn about x first, and then "
       "the shortest rotation that takes -z to the axis"},
      {"pitch", "m per rad, of helical joints alone; of all others it is 0"},
      {"floating_base",
       "q = (position, quaternion x y z w), rate = body twist (w, v), acceleration = its derivative component by "
       "component, force = wrench (m, f) in the body frame; so too for every floating joint"},
      {"loops",
       "a joint that was cut: first and second are frames of two links, with position and quaternion_xyzw in the "
       "link's frame, and an empty name for the world; the z axes of both are turned to axis, which is given in either "
       "frame, by the shortest rotation; with axis 0 0 1 nothing is turned; pitch is 0"},
      {"slides_along_xyz",
       "true where the origin of the second frame is free to move along this axis of the first frame, false where its "
       "coordinate there must be zero"},
      {"turning",
       "how the second frame may turn in the first: none: not at all; about_z: the z axes stay parallel; universal: "
       "the x axis of the first stays normal to the y axis of the second; free: freely"},
      {"independent",
       "with loops, the entries of q and qd that are given, counted from 0; what the others of q are is near the "
       "answer `configuration`, and those of qd belong to the rates before an impulse and to nothing else"},
      {"external_wrenches",
       "what the surroundings do to a link, (m, f) in the frame of the link; none where no link is named"},
      {"gravity", "gravitational acceleration g in the world; it enters as the base acceleration (0, -g)"},
      {"equations_of_motion",
       "mass_matrix qdd + bias = tau; with loops mass_matrix qdd + bias = tau + A^T lambda and A qdd + A-dot qd = 0"},
      {"bias", "inverse dynamics at zero acceleration, with gravity and the given external wrenches"},
      {"gravity_force", "inverse dynamics at rest, without external wrenches"},
      {"coriolis_force", "inverse dynamics at zero acceleration, without gravity and external wrenches"},
      {"kinetic_energy", "sum of V^T I V / 2"},
      {"potential_energy", "-sum of m g.c, zero when the centre of mass is at the world's origin"},
      {"sums", "energies, mass, centre of mass and momentum count the moving links, not those fixed to the world"},
      {"value", "a decimal number that is at most `radius` from the number asked for; this is proved"},
      {"exact_zero",
       "true where the number is proved to be zero here and in eight machines and states nearby, the draws of "
       "`condition`; inputs that are 0 stay 0 in them, so the number may differ from 0 where such an input does"},
      {"condition",
       "an estimate: by how many units of 2^-52 of the largest number of the quantity with the same unit the number "
       "moves when every input that is not 0, but for axis and pitch of loops, is moved to the next number of "
       "binary64, up or down; the largest of eight draws"},
      {"double_digits",
       "an estimate, and no bound, of the decimal digits, relative to the same, that arithmetic in binary64 can "
       "attain: the largest condition of the quantity with the same unit decides, as turning a vector mixes its "
       "components"},
  };
}

Json set() { return {{"name", set_name}, {"version", set_version}, {"licence", set_licence}}; }

Json file_of(const Case& one, const std::vector<CertifiedQuantity>& quantities)
{
  const Inputs& in = one.problem.in;
  Json wrenches = Json::object();
  for (std::size_t l = 0; l < in.link_wrenches.size(); ++l)
    wrenches[in.mechanism.links[l].name] = inputs(in.link_wrenches[l]);
  Json answers = Json::object();
  for (const CertifiedQuantity& quantity : quantities)
    answers[quantity.name] = {{"words", quantity.words},
                              {"unit", rows(quantity, [](const auto& x) { return x.unit; })},
                              {"value", rows(quantity, [](const auto& x) { return x.value; })},
                              {"radius", rows(quantity, [](const auto& x) { return x.radius; })},
                              {"exact_zero", rows(quantity, [](const auto& x) { return x.exact_zero; })},
                              {"condition", rows(quantity, [](const auto& x) { return x.condition; })},
                              {"double_digits", rows(quantity, [](const auto& x) { return x.double_digits; })}};
  return {{"format", case_format},
          {"set", set()},
          {"case", one.name},
          {"tier", one.tier},
          {"title", one.title},
          {"conventions", conventions()},
          {"machine", machine(in.mechanism, in.options.floating_base, one.problem.loops)},
          {"state",
           {{"q", inputs(in.q)},
            {"qd", inputs(in.qd)},
            {"qdd", inputs(in.qdd)},
            {"tau", inputs(in.tau)},
            {"independent", one.problem.independent},
            {"external_wrenches", wrenches}}},
          {"answers", answers}};
}

Json catalogue_entry(const Json& file, const std::string& source)
{
  const Case one = case_in_file(file, source);
  const Mechanism& machine = one.problem.in.mechanism;
  const Model<double> model(machine, one.problem.in.options);
  Json joints = Json::array(), loops = Json::array(), quantities = Json::object();
  for (const Joint& joint : machine.joints)
    joints.push_back({joint.name, name_in(joint_types, joint.type), joint.parent, joint.child});
  for (const Loop& loop : one.problem.loops)
    loops.push_back({loop.name, name_in(turnings, loop.turning), loop.first.link, loop.second.link});

  std::size_t numbers = 0;
  const CaseReader answers = CaseReader(file, source)["answers"];
  for (const auto& [name, quantity] : file["answers"].items()) {
    const auto rows = answers[name]["double_digits"].entries();
    std::vector<double> digits;
    for (const CaseReader& row : rows)
      for (const CaseReader& entry : row.entries()) digits.push_back(entry.real());
    if (digits.empty()) answers[name].refuse("is empty");
    std::sort(digits.begin(), digits.end());
    numbers += digits.size();
    quantities[name] = {rows.size(), digits.size() / rows.size(), digits.front(), digits[(digits.size() - 1) / 2]};
  }
  return {{"case", one.name},
          {"tier", one.tier},
          {"title", one.title},
          {"machine", machine.name},
          {"floating_base", one.problem.in.options.floating_base},
          {"bodies", model.bodies()},
          {"nq", model.nq()},
          {"nv", model.nv()},
          {"joints", joints},
          {"loops", loops},
          {"numbers", numbers},
          {"quantities", quantities}};
}

Verdict verdict_on(const Json& file, const std::string& source, const std::vector<CertifiedQuantity>& proved)
{
  const Case given = case_in_file(file, source);
  const std::vector<Case> known = cases();
  const auto same = std::find_if(known.begin(), known.end(), [&](const Case& one) { return one.name == given.name; });
  Verdict verdict{.is_of_the_set = same != known.end()};
  Json ours = file_of(verdict.is_of_the_set ? *same : given, proved);
  if (!verdict.is_of_the_set) ours.erase("set");
  const Json& theirs = CaseReader(file, source)["answers"].object();

  // What a file of this version lacks is wrong; others may ask for less.
  const bool is_of_this_version = file.contains("set") && file["set"] == set();
  for (const CertifiedQuantity& quantity : proved)
    if (theirs.contains(quantity.name)) {
      verdict.asked += quantity.numbers.size();
      verdict.proved += count_same(theirs[quantity.name], ours["answers"][quantity.name]);
    } else if (!is_of_this_version) {
      verdict.missing.push_back(quantity.name);
      ours["answers"].erase(quantity.name);
    }
  compare(file, ours, "", verdict.wrong);
  return verdict;
}

}  // namespace articulate::reference
