/** \file
 *  \brief Comparisons whose outcome is known, drawn and diagnosed; and those of a script, read from standard input.
 *
 *  usage: articulate-oracle-campaign draw nothing|noise|one|two COUNT FIRST_SEED [torques]
 *         articulate-oracle-campaign diagnose
 *
 *  Each line of the output is an object. `diagnose` reads a line for each comparison: `model` the text of a robot file or
 *  a name, `floating_base`, `states` as `compute` reads them, `answers` tables by quantity for each state.
 */
#include <cli/claims.hpp>
#include <cli/load.hpp>
#include <cli/output.hpp>
#include <oracle/specimen.hpp>
#include <articulate/model/robot_file.hpp>
#include <models/models.hpp>
#include <chrono>
#include <iostream>

namespace {

using namespace articulate;
using namespace articulate::oracle;
using Json = cli::Json;

Json told(const Diagnosis& diagnosis)
{
  Json causes = Json::array(), others = Json::array();
  for (const Finding& finding : diagnosis.findings) {
    causes.push_back(finding.cause);
    for (const std::string& other : finding.indistinguishable) others.push_back(other);
  }
  return {{"causes", causes},
          {"indistinguishable", others},
          {"unexplained", diagnosis.unexplained},
          {"next_state", diagnosis.next_state.has_value()},
          {"words", diagnosis.words}};
}

const char* word(Outcome outcome)
{
  static const char* const words[] = {"named", "in_class", "wrong", "unexplained", "agreement"};
  return words[static_cast<int>(outcome)];
}

int draw(const std::string& what, int count, std::uint64_t seed, bool torques_only)
{
  const std::map<std::string, Hidden> kinds{
      {"nothing", Hidden::nothing}, {"noise", Hidden::noise}, {"one", Hidden::one}, {"two", Hidden::two}};
  const std::vector<std::string> models = campaign_models();
  for (int k = 0; k < count; ++k, ++seed) {
    const Specimen made = specimen(models[seed % models.size()], kinds.at(what), torques_only, seed);
    const auto start = std::chrono::steady_clock::now();
    const Diagnosis diagnosis = diagnose(made.machine.mechanism, made.machine.options, made.questions, made.theirs);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    Json line{{"seed", seed},
              {"model", made.model},
              {"hidden", made.causes},
              {"outcome", word(judged(diagnosis, made.causes))}};
    line.update(told(diagnosis));
    line["seconds"] = seconds;
    Json names = Json::array();
    for (const auto& [name, table] : made.theirs[0]) names.push_back(name);
    line["given"] = names;
    line["states"] = made.questions.size();
    std::cout << line.dump() << std::endl;
  }
  return 0;
}

MatrixX<double> matrix(const Json& rows)
{
  MatrixX<double> table(static_cast<Eigen::Index>(rows.size()), static_cast<Eigen::Index>(rows.at(0).size()));
  for (Eigen::Index i = 0; i < table.rows(); ++i)
    for (Eigen::Index j = 0; j < table.cols(); ++j)
      table(i, j) = rows.at(static_cast<std::size_t>(i)).at(static_cast<std::size_t>(j)).get<double>();
  return table;
}

int diagnose_lines()
{
  for (std::string line; std::getline(std::cin, line);) {
    const Json given = Json::parse(line);
    const std::string text = given.at("model");
    const Mechanism mechanism =
        text.starts_with("<") ? parse_robot(text, "campaign") : validation::built_in_model(text);
    const ModelOptions options{given.at("floating_base").get<bool>(), false, {}};
    const Model<double> model(mechanism, options);
    std::vector<Question> questions;
    std::vector<Answers> theirs;
    for (const Json& state : given.at("states")) questions.push_back(cli::question_of(state, "campaign", model));
    for (const Json& tables : given.at("answers")) {
      theirs.emplace_back();
      for (const auto& [name, rows] : tables.items()) theirs.back()[name] = matrix(rows);
    }
    std::cout << told(diagnose(mechanism, options, questions, theirs)).dump() << std::endl;
  }
  return 0;
}

}  // namespace

int main(int count, char** words)
{
  const std::vector<std::string> given(words + 1, words + count);
  try {
    if (given.size() == 1 && given[0] == "diagnose") return diagnose_lines();
    if (given.size() >= 4 && given[0] == "draw")
      return draw(given[1], std::stoi(given[2]), std::stoull(given[3]), given.size() > 4 && given[4] == "torques");
  } catch (const std::exception& error) {
    std::cerr << "articulate-oracle-campaign: " << error.what() << '\n';
    return 1;
  }
  std::cerr << "usage: articulate-oracle-campaign draw nothing|noise|one|two COUNT FIRST_SEED [torques]\n"
               "       articulate-oracle-campaign diagnose\n";
  return 2;
}
