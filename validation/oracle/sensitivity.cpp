/** \file
 *  \brief How far each cause moves the answers to the certified cases: which cases would notice it, and which are blind.
 *
 *  usage: articulate-oracle-sensitivity FOLDER
 *
 *  FOLDER is what `articulate reference generate FOLDER` has made. Loops are left open, and causes that are seen in loops
 *  alone are left out. So that there is something to misread, every joint is given an armature, a damping and a friction,
 *  and the last one a mimic of the first, all of which ours ignores; the state before is a machine at rest at the zero of
 *  its coordinates. That C is of the family that ours is of is no cause.
 */
#include <cli/output.hpp>
#include <oracle/specimen.hpp>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>

namespace {

using namespace articulate;
using namespace articulate::oracle;
using Json = cli::Json;

template <std::size_t n>
std::array<double, n> numbers(const Json& value)
{
  return value.at("decimal").get<std::array<double, n>>();
}
VectorX<double> vector(const Json& value)
{
  const auto x = value.at("decimal").get<std::vector<double>>();
  return Eigen::Map<const VectorX<double>>(x.data(), static_cast<Eigen::Index>(x.size()));
}

Machine machine_of(const Json& given)
{
  Machine machine;
  Mechanism& mechanism = machine.mechanism;
  mechanism.name = mechanism.source = given.at("name");
  mechanism.gravity = numbers<3>(given.at("gravity"));
  for (const Json& link : given.at("links"))
    mechanism.links.push_back({link.at("name"), link.at("mass").at("decimal"), numbers<3>(link.at("center_of_mass")),
                               numbers<4>(link.at("inertial_quaternion_xyzw")),
                               numbers<6>(link.at("inertia_xx_xy_xz_yy_yz_zz"))});
  std::vector<Joint*> single;
  for (const Json& joint : given.at("joints")) {
    Joint made;
    made.name = joint.at("name"), made.parent = joint.at("parent"), made.child = joint.at("child");
    for (const auto& [name, type] : joint_types)
      if (joint.at("type") == name) made.type = type;
    made.position = numbers<3>(joint.at("position")), made.quaternion = numbers<4>(joint.at("quaternion_xyzw"));
    made.axis = numbers<3>(joint.at("axis")), made.pitch = joint.at("pitch").at("decimal");
    made.armature = 0.1, made.damping = 0.2, made.friction = 0.3;
    mechanism.joints.push_back(made);
  }
  for (Joint& joint : mechanism.joints)
    if (has_axis(joint.type) && joint.type != JointType::cylindrical && joint.type != JointType::planar)
      single.push_back(&joint);
  if (single.size() > 1) single.back()->mimic = Mimic{single.front()->name, 0.7, 0.1};
  machine.options = {given.at("floating_base"), true, {}};
  return machine;
}

Question question_of(const Json& state, const Model<double>& model)
{
  Question x{vector(state.at("q")),   vector(state.at("qd")), vector(state.at("qdd")),
             vector(state.at("tau")), model.gravity(),        ExternalWrenches<double>(model.bodies() + 1)};
  for (const auto& [name, wrench] : state.at("external_wrenches").items()) {
    const auto F = numbers<6>(wrench);
    const LinkFrame<double>& link = model.link(name);
    const Wrench<double> on_link{{F[0], F[1], F[2]}, {F[3], F[4], F[5]}};
    x.external_wrenches[link.body] += coAdInv(link.X, on_link);
    if (link.body > 0 && own_link(model, link.body).name != name) x.on_fixed_links[name] = on_link;
  }
  return x;
}

/// By cause the digits that it takes from the quantity of which it takes most.
std::map<std::string, double> moved(const Machine& machine, const Question& question)
{
  const Model<double> model(machine.mechanism, machine.options);
  const VectorX<double> none = VectorX<double>::Zero(model.nv());
  const Question questions[] = {{model.zero_coordinates(), none, none, none, question.gravity, {}}, question};
  std::vector<std::string> names;
  for (const Quantity& quantity : quantities()) {
    const bool large = quantity.columns == Axis::parameters || quantity.name.find("_by_q") != std::string_view::npos;
    const bool charted = quantity.name != "coriolis_matrix" || model.nq() == model.nv();
    if (!quantity.per_link() && charted && can_answer(quantity, model, question) && (!large || model.nv() <= 20))
      names.emplace_back(quantity.name);
  }
  const Reference ours = reference(model, question, names);
  const Answers theirs[] = {{}, ours.values};
  Investigation of(machine, questions, theirs);
  std::map<std::string, double> digits;
  for (const Hypotheses& some :
       {causes_in_the_state(model), causes_in_the_machine(machine), causes_in_the_answers(model, names)})
    for (const Hypothesis& cause : some) {
      if (cause.alone) continue;  // of one joint or link among many
      if (cause.key == "coriolis_matrix/christoffel") continue;
      if (cause.key.starts_with("mimic/multiplier") && !cause.key.ends_with("followed")) continue;  // of loops
      double& most = digits[cause.key.starts_with("direction/") ? "direction/JOINT" : cause.key];
      const auto answers = of.predicted({&cause}, questions[1], &questions[0], names);
      for (const std::string& name : names) {
        if (!answers) continue;  // no such machine: it would be noticed at once
        const double attainable = ours.digits.at(name);
        most =
            std::max(most, attainable - score(name, answers->at(name), ours.values.at(name), attainable, model).digits);
      }
      if (!answers) most = digits_of_double;
    }
  return digits;
}

}  // namespace

int main(int count, char** words)
{
  if (count != 2) {
    std::cerr << "usage: articulate-oracle-sensitivity FOLDER\n";
    return 2;
  }
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(words[1]))
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::map<std::string, std::map<std::string, double>> cases;
  std::set<std::string> causes;
  for (const auto& file : files) {
    std::ifstream text(file);
    const Json given = Json::parse(text);
    if (!given.contains("machine")) continue;
    const Machine machine = machine_of(given.at("machine"));
    const Model<double> model(machine.mechanism, machine.options);
    const auto digits = moved(machine, question_of(given.at("state"), model));
    for (const auto& [cause, most] : digits) causes.insert(cause);
    cases[given.at("case")] = digits;
  }
  Json told{{"command", "articulate-oracle-sensitivity FOLDER, of articulate reference generate FOLDER"},
            {"digits",
             "by how many digits the cause in a column moves the quantity that it moves most; null: the machine has "
             "nothing to misread so; below 1 the case is blind"},
            {"causes", causes}};
  Json rows = Json::object(), blind_cases = Json::object(), blind = Json::array();
  for (const auto& [name, digits] : cases) {
    Json row = Json::array(), unseen = Json::array();
    for (const std::string& cause : causes) {
      const auto found = digits.find(cause);
      row.push_back(found == digits.end() ? Json(nullptr) : Json(std::round(10 * found->second) / 10));
      if (found != digits.end() && found->second < 1) unseen.push_back(cause);
    }
    rows[name] = row;
    blind_cases[name] = unseen;
  }
  for (const std::string& cause : causes)
    if (std::none_of(cases.begin(), cases.end(), [&](const auto& one) {
          const auto found = one.second.find(cause);
          return found != one.second.end() && found->second >= 1;
        }))
      blind.push_back(cause);
  told["the_set_is_blind_to"] = blind;
  told["blind_to"] = blind_cases;
  // A line for each case.
  std::string text = told.dump();
  text.back() = ',';
  text += "\n\"cases\":{";
  for (const auto& [name, row] : rows.items())
    text += (text.back() == '{' ? "\n\"" : ",\n\"") + name + "\":" + row.dump();
  std::cout << text << "}}\n";
  std::cerr << cases.size() << " cases, " << causes.size() << " causes, the set is blind to " << blind.dump() << '\n';
  return blind.empty() ? 0 : 1;
}
