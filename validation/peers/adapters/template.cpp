/* An engine in C++: replace what asks the library by your own, and run

   g++ -O2 -std=c++20 -I src -I /usr/include/eigen3 validation/peers/adapters/template.cpp \\
     build/release/src/articulate/model/libarticulate-urdf.a -lurdfdom_model -ltinyxml2 -lconsole_bridge -o engine
   ./articulate check --engine ./engine --model ur5 --state states.jsonl

   with nlohmann-json3-dev. It answers states of fixed bases without external wrenches. */
#include <articulate/articulate.hpp>
#include <articulate/model/robot_file.hpp>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>

using nlohmann::json;

Eigen::VectorXd vector(const json& list)
{
  const auto x = list.get<std::vector<double>>();
  return Eigen::VectorXd::Map(x.data(), static_cast<Eigen::Index>(x.size()));
}

int main()
{
  std::optional<articulate::Model<double>> model;
  for (std::string line; std::getline(std::cin, line);) {
    const json message = json::parse(line);
    json reply{{"message", message["message"]}};
    if (message["message"] == "start") {
      reply.update({{"name", "template"}, {"version", "1"}, {"formats", {"urdf", "mjcf"}}, {"quantities", {"bias"}}});
    } else if (message["message"] == "model" && message["floating_base"] == true) {
      reply["cannot"] = "this template reads no floating base";
    } else if (message["message"] == "model") {
      model.emplace(articulate::parse_robot(message["text"], "the model"));
    } else if (message["message"] == "state") {
      const json& state = message["state"];
      articulate::InverseDynamics<double> rnea(*model);
      rnea.set_gravity({state["gravity"][0], state["gravity"][1], state["gravity"][2]});
      reply.update({{"message", "answer"}, {"number", message["number"]}});
      if (state.contains("external_wrenches")) {
        reply["cannot"] = "this template knows no external wrenches";
      } else {
        const auto q = vector(state["q"]), qd = vector(state["qd"]);
        const Eigen::VectorXd bias = rnea(q, qd, Eigen::VectorXd::Zero(qd.size()));
        reply["answers"]["bias"] = std::vector<double>(bias.begin(), bias.end());
      }
    } else {
      break;  // stop
    }
    std::cout << reply.dump() << std::endl;
  }
}
