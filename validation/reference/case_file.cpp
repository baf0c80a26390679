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

}  // namespace

Json conventions()
{
  Json words = cli::conventions();
  words["inputs"] =
      "numbers of binary64, exact, each in decimal and in hexadecimal; axes and quaternions are directions: their "
      "lengths, one up to the rounding of binary64, are divided out";
  words["independent"] =
      "with loops, the entries of q and qd that are given, counted from 0; what the others of q are is near the answer "
      "`configuration`, and those of qd belong to the rates before an impulse and to nothing else";
  words["value"] = "a decimal number that is at most `radius` from the number asked for; this is proved";
  words["exact_zero"] = "the number is zero here and in all states and machines nearby";
  words["condition"] =
      "by how many units of 2^-52 of the largest number of the quantity with the same unit the number moves when every "
      "input is moved to the next number of binary64, up or down; the largest of eight draws";
  words["double_digits"] =
      "the decimal digits, relative to the same, that arithmetic in binary64 can attain: the largest condition of the "
      "quantity with the same unit decides, as turning a vector mixes its components";
  return words;
}

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

std::vector<std::string> differences(const Json& file, const std::vector<CertifiedQuantity>& proved)
{
  const Json ours = file_of({}, proved)["answers"];
  if (!file.contains("answers") || !file["answers"].is_object()) return {"there are no answers"};
  const Json& theirs = file["answers"];
  std::vector<std::string> found;
  for (const auto& [name, quantity] : theirs.items())
    if (!ours.contains(name)) found.push_back(name + " is no quantity that is known here");
  for (const auto& [name, quantity] : ours.items()) {
    if (!theirs.contains(name)) {
      found.push_back(name + " is missing");
      continue;
    }
    const Json flat_ours = quantity.flatten(), flat_theirs = theirs[name].flatten();
    for (const auto& [path, x] : flat_ours.items())
      if (!flat_theirs.contains(path))
        found.push_back(name + path + " is missing");
      else if (flat_theirs[path] != x)
        found.push_back(name + path + " is " + flat_theirs[path].dump() + " where " + x.dump() + " is proved");
    for (const auto& [path, x] : flat_theirs.items())
      if (!flat_ours.contains(path)) found.push_back(name + path + " is not asked for");
  }
  return found;
}

}  // namespace articulate::reference
