#include <peers/engines/engine.hpp>
#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

namespace articulate::peers {

namespace {

using nlohmann::json;

Eigen::VectorXd vector(const json& object, const char* key)
{
  if (!object.contains(key)) return {};
  const auto numbers = object[key].get<std::vector<double>>();
  return Eigen::VectorXd::Map(numbers.data(), static_cast<Eigen::Index>(numbers.size()));
}

Loop::End end(const json& given)
{
  return {given["link"], given.value("position", Loop::End{}.position),
          given.value("quaternion_xyzw", Loop::End{}.quaternion)};
}

/// A loop as a loop file describes it.
Loop loop(const json& given)
{
  const std::string name = given["name"];
  if (given.contains("coupling")) {
    const json& coupling = given["coupling"];
    return coupled_joints(name, coupling["joint"],
                          {coupling["follows"], coupling.value("multiplier", 1.0), coupling.value("offset", 0.0)});
  }
  const Loop::End first = end(given["first"]), second = end(given["second"]);
  const auto axis = given.value("axis", Loop{}.axis);
  if (given.contains("joint")) {
    const auto type = std::find_if(std::begin(joint_types), std::end(joint_types),
                                   [&](const auto& known) { return given["joint"] == known.first; });
    return cut_joint(name, type->second, first, second, axis, given.value("pitch", 0.0));
  }
  static const std::map<std::string, Turning> turnings{{"none", Turning::none},
                                                       {"about_z", Turning::about_z},
                                                       {"universal", Turning::universal},
                                                       {"free", Turning::free}};
  Loop loop{name, first, second, axis};
  loop.turning = turnings.at(given["turns"]);
  for (const std::string along : given["slides"]) loop.slides[along[0] - 'x'] = true;
  return loop;
}

Described described(const json& message)
{
  Described model{message["name"],
                  message["text"],
                  message["floating_base"],
                  vector(message, "gravity"),
                  message["joints"],
                  message["links"],
                  {}};
  if (message.contains("loops"))
    for (const json& given : message["loops"]) model.loops.push_back(loop(given));
  return model;
}

Asked asked(const json& state)
{
  Asked a{vector(state, "q"), vector(state, "qd"), vector(state, "qdd"), vector(state, "tau"),
          vector(state, "gravity")};
  if (state.contains("base")) {
    a.position = vector(state["base"], "position");
    const Eigen::VectorXd q = vector(state["base"], "quaternion_xyzw");
    a.quaternion = Eigen::Quaterniond(q[3], q[0], q[1], q[2]);
  }
  if (state.contains("external_wrenches"))
    for (const auto& [link, numbers] : state["external_wrenches"].items())
      a.wrenches[link] = vector(state["external_wrenches"], link.c_str());
  return a;
}

/// A column is a list, all else a list of rows, and a single number a number.
json table(const Eigen::MatrixXd& m)
{
  if (m.size() == 1) return m(0, 0);
  const auto list = [](const auto& row) { return std::vector<double>(row.begin(), row.end()); };
  if (m.cols() == 1) return list(m.col(0));
  json rows = json::array();
  for (Eigen::Index i = 0; i < m.rows(); ++i) rows.push_back(list(m.row(i)));
  return rows;
}

json answer(const Engine& engine, const std::string& quantity)
{
  const std::size_t colon = quantity.find(':');
  const std::string name = quantity.substr(0, colon == std::string::npos ? colon : colon + 1);
  const auto found = engine.functions().find(name);
  if (found == engine.functions().end()) return {{"cannot", engine.name() + " has no function for it"}};
  try {
    return table(found->second(colon == std::string::npos ? "" : quantity.substr(colon + 1)));
  } catch (const std::exception& why) {  // Cannot, or what the library throws
    return {{"cannot", why.what()}};
  }
}

json reply(Engine& engine, const json& message)
{
  const std::string what = message["message"];
  try {
    if (what == "start") {
      std::vector<std::string> quantities;
      for (const auto& [name, function] : engine.functions()) quantities.push_back(name);
      return {{"message", "start"},           {"name", engine.name() + (engine.raw ? ", as it is" : "")},
              {"version", engine.version()},  {"quantities", quantities},
              {"formats", {engine.format()}}, {"loops", engine.closes_loops()}};
    }
    if (what == "model") {
      engine.load(described(message));
      return {{"message", "model"}};
    }
    engine.set(asked(message["state"]));
    json answers;
    for (const std::string quantity : message["quantities"]) answers[quantity] = answer(engine, quantity);
    return {{"message", "answer"}, {"number", message["number"]}, {"answers", answers}};
  } catch (const std::exception& why) {  // Cannot, or what the library throws
    json refusal{{"message", what == "state" ? "answer" : what}, {"cannot", why.what()}};
    if (what == "state") refusal["number"] = message["number"];
    return refusal;
  }
}

}  // namespace

Eigen::VectorXd Engine::accelerations() const
{
  if (state_.qdd.size() == 0) throw Cannot("the state has no accelerations");
  return X_ * state_.qdd + turning_;
}

Eigen::VectorXd Engine::forces() const
{
  if (state_.tau.size() == 0) throw Cannot("the state has no forces");
  return X_.transpose().inverse() * state_.tau;
}

Eigen::MatrixXd Engine::our_inverse_mass_matrix(const Eigen::MatrixXd& theirs) const
{
  const Eigen::MatrixXd back = X_.inverse();
  return back * theirs * back.transpose();
}

Eigen::MatrixXd Engine::our_jacobian(const Eigen::MatrixXd& angular, const Eigen::MatrixXd& linear) const
{
  Eigen::MatrixXd J(6, X_.cols());
  J << angular * X_, linear * X_;
  return J;
}

Eigen::MatrixXd Engine::of_links(int columns, const std::function<Eigen::VectorXd(const std::string&)>& row) const
{
  Eigen::MatrixXd rows(static_cast<Eigen::Index>(model_.links.size()), columns);
  Eigen::Index k = 0;
  for (const std::string& link : model_.links) rows.row(k++) = row(link).transpose();
  return rows;
}

void Engine::unit_basis(Eigen::Index rates)
{
  X_ = Eigen::MatrixXd::Identity(rates, rates);
  turning_ = Eigen::VectorXd::Zero(rates);
}

Eigen::VectorXd rows_of(const Eigen::Matrix3d& R)
{
  Eigen::VectorXd entries(9);
  entries << R.row(0).transpose(), R.row(1).transpose(), R.row(2).transpose();
  return entries;
}

Eigen::VectorXd six(const Eigen::Vector3d& first, const Eigen::Vector3d& second)
{
  Eigen::VectorXd both(6);
  both << first, second;
  return both;
}

int converse(Engine& engine, int count, char** words)
{
  engine.raw = count == 2 && std::string(words[1]) == "--raw";
  if (count > 1 && !engine.raw) {
    std::cerr << engine.name() << ": the only option is --raw, for answers in the engine's own conventions\n";
    return 2;
  }
  // Some libraries print their messages on standard output, where only answers may stand.
  std::ostream answers(std::cout.rdbuf(std::cerr.rdbuf()));
  for (std::string line; std::getline(std::cin, line);) {
    const json message = json::parse(line);
    if (message["message"] == "stop") break;
    answers << reply(engine, message).dump() << std::endl;
  }
  return 0;
}

}  // namespace articulate::peers
