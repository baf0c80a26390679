#include <peers/engines/engine.hpp>
#include <iostream>

namespace articulate::peers {

namespace {

Eigen::VectorXd vector(const json& object, const char* key)
{
  if (!object.contains(key)) return {};
  const auto numbers = object[key].get<std::vector<double>>();
  return Eigen::VectorXd::Map(numbers.data(), static_cast<Eigen::Index>(numbers.size()));
}

Described described(const json& message)
{
  return {message["name"],   message["text"], message["floating_base"], vector(message, "gravity"),
          message["joints"], message["links"]};
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
  } catch (const Cannot& why) {
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
      return {{"message", "start"},       {"name", engine.name()},        {"version", engine.version()},
              {"quantities", quantities}, {"formats", {engine.format()}}, {"conventions", engine.conventions()}};
    }
    if (what == "model") {
      engine.load(described(message));
      return {{"message", "model"}};
    }
    engine.set(asked(message["state"]));
    json answers;
    for (const std::string quantity : message["quantities"]) answers[quantity] = answer(engine, quantity);
    return {{"message", "answer"}, {"number", message["number"]}, {"answers", answers}};
  } catch (const Cannot& why) {
    json refusal{{"message", what == "state" ? "answer" : what}, {"cannot", why.what()}};
    if (what == "state") refusal["number"] = message["number"];
    return refusal;
  }
}

}  // namespace

int converse(Engine& engine)
{
  for (std::string line; std::getline(std::cin, line);) {
    const json message = json::parse(line);
    if (message["message"] == "stop") break;
    std::cout << reply(engine, message).dump() << std::endl;
  }
  return 0;
}

}  // namespace articulate::peers
