#include <reference/case_file.hpp>
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>

namespace articulate::reference {
namespace {

constexpr const char* format = "articulate reference case 1";

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

/// A file on its way to a case: every step names where it is.
class Reader {
public:
  Reader(const Json& value, std::string place) : value_(value), place_(std::move(place)) {}

  Reader operator[](const std::string& key) const
  {
    if (!value_.is_object() || !value_.contains(key)) refuse("lacks the key '" + key + "'");
    return {value_.at(key), place_ + ": " + key};
  }
  std::vector<Reader> entries() const
  {
    if (!value_.is_array()) refuse("is no list");
    std::vector<Reader> list;
    for (std::size_t k = 0; k < value_.size(); ++k)
      list.emplace_back(value_[k], place_ + "[" + std::to_string(k) + "]");
    return list;
  }
  bool is_empty() const { return value_.empty(); }
  std::string text() const
  {
    if (!value_.is_string()) refuse("is no text");
    return value_.get<std::string>();
  }
  bool truth() const
  {
    if (!value_.is_boolean()) refuse("is neither true nor false");
    return value_.get<bool>();
  }
  /// A whole number from 0 to below a limit.
  int index(int limit) const
  {
    if (!value_.is_number_unsigned() || value_.get<std::uint64_t>() >= static_cast<std::uint64_t>(limit))
      refuse("is no whole number from 0 to " + std::to_string(limit - 1));
    return value_.get<int>();
  }
  double real() const
  {
    if (!value_.is_number()) refuse("is no number");
    return value_.get<double>();
  }
  /// What a name stands for.
  template <typename Names>
  auto one_of(const Names& names) const
  {
    const std::string given = text();
    for (const auto& [name, value] : names)
      if (given == name) return value;
    refuse("is '" + given + "', which is unknown");
  }
  /// A number in both its forms.
  double number() const { return same((*this)["decimal"], (*this)["hexadecimal"]); }
  std::vector<double> numbers() const
  {
    const auto decimal = (*this)["decimal"].entries(), hex = (*this)["hexadecimal"].entries();
    if (decimal.size() != hex.size()) refuse("has lists of different lengths in decimal and hexadecimal");
    std::vector<double> x;
    for (std::size_t k = 0; k < decimal.size(); ++k) x.push_back(same(decimal[k], hex[k]));
    return x;
  }
  template <std::size_t n>
  std::array<double, n> array() const
  {
    const std::vector<double> x = numbers();
    if (x.size() != n)
      refuse("has " + std::to_string(x.size()) + " numbers where " + std::to_string(n) + " are needed");
    std::array<double, n> y;
    std::copy(x.begin(), x.end(), y.begin());
    return y;
  }
  [[noreturn]] void refuse(const std::string& what) const { throw Error(place_ + " " + what + "."); }

private:
  static double same(const Reader& decimal, const Reader& hex)
  {
    const double x = decimal.real();
    const std::string text = hex.text();
    char* end = nullptr;
    const double y = std::strtod(text.c_str(), &end);
    if (text.empty() || *end != '\0') hex.refuse("is no number such as 0x1.8p-3");
    if (x != y) hex.refuse("is not the decimal number beside it, " + decimal.value_.dump());
    return x;
  }

  const Json& value_;
  std::string place_;
};

// --- machine and state ----------------------------------------------------------------------------------------------

constexpr std::pair<const char*, Turning> turnings[] = {
    {"none", Turning::none}, {"about_z", Turning::about_z}, {"universal", Turning::universal}, {"free", Turning::free}};

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

Mechanism read_machine(const Reader& file, const std::string& source)
{
  Mechanism machine;
  machine.name = file["name"].text();
  machine.source = source;
  machine.gravity = file["gravity"].array<3>();
  for (const Reader& link : file["links"].entries())
    machine.links.push_back({.name = link["name"].text(),
                             .mass = link["mass"].number(),
                             .center_of_mass = link["center_of_mass"].array<3>(),
                             .inertial_quaternion = link["inertial_quaternion_xyzw"].array<4>(),
                             .inertia = link["inertia_xx_xy_xz_yy_yz_zz"].array<6>()});
  for (const Reader& joint : file["joints"].entries()) {
    Joint read;
    read.name = joint["name"].text();
    read.type = joint["type"].one_of(joint_types);
    read.parent = joint["parent"].text(), read.child = joint["child"].text();
    read.position = joint["position"].array<3>();
    read.quaternion = joint["quaternion_xyzw"].array<4>();
    read.axis = joint["axis"].array<3>();
    read.pitch = joint["pitch"].number();
    machine.joints.push_back(read);
  }
  return machine;
}

Loop read_loop(const Reader& loop)
{
  const auto end = [](const Reader& end) -> Loop::End {
    return {end["link"].text(), end["position"].array<3>(), end["quaternion_xyzw"].array<4>()};
  };
  Loop read{loop["name"].text(), end(loop["first"]), end(loop["second"])};
  read.axis = loop["axis"].array<3>();
  const auto slides = loop["slides_along_xyz"].entries();
  if (slides.size() != 3) loop["slides_along_xyz"].refuse("is no list of three");
  for (std::size_t k = 0; k < 3; ++k) read.slides[k] = slides[k].truth();
  read.turning = loop["turning"].one_of(turnings);
  read.pitch = loop["pitch"].number();
  return read;
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
      "`configuration`, and those of qd have no meaning";
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
  return {{"format", format},
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

Case case_in_file(const Json& file, const std::string& source)
{
  const Reader reader(file, source);
  if (reader["format"].text() != format) reader["format"].refuse(std::string("is not '") + format + "'");
  const Reader state = reader["state"];
  const bool floating_base = reader["machine"]["floating_base"].truth();
  Inputs in{read_machine(reader["machine"], source),
            {floating_base, true},
            state["q"].numbers(),
            state["qd"].numbers(),
            state["qdd"].numbers(),
            state["tau"].numbers(),
            {},
            {},
            0};
  const Model<double> model(in.mechanism, in.options);
  const auto require_size = [&](const char* key, const std::vector<double>& x, int size) {
    if (static_cast<int>(x.size()) != size)
      state[key].refuse("has " + std::to_string(x.size()) + " numbers where the machine has " + std::to_string(size));
  };
  require_size("q", in.q, model.nq());
  require_size("qd", in.qd, model.nv());
  require_size("qdd", in.qdd, model.nv());
  require_size("tau", in.tau, model.nv());

  if (const Reader wrenches = state["external_wrenches"]; !wrenches.is_empty())
    for (const Link& link : in.mechanism.links) in.link_wrenches.push_back(wrenches[link.name].array<6>());
  Case one{reader["case"].text(), reader["tier"].text(), reader["title"].text(), {in, {}, {}}};
  for (const Reader& loop : reader["machine"]["loops"].entries()) one.problem.loops.push_back(read_loop(loop));
  for (const Reader& k : state["independent"].entries()) one.problem.independent.push_back(k.index(model.nv()));
  return one;
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
  const Reader answers = Reader(file, source)["answers"];
  for (const auto& [name, quantity] : file["answers"].items()) {
    const auto rows = answers[name]["double_digits"].entries();
    std::vector<double> digits;
    for (const Reader& row : rows)
      for (const Reader& entry : row.entries()) digits.push_back(entry.real());
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
