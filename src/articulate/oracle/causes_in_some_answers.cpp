#include <articulate/oracle/hypothesis.hpp>
#include <cctype>
#include <optional>

namespace articulate::oracle {
namespace {

/// Kinds of quantities, as a key and as a sentence lists them.
std::string listed(const std::set<std::string>& names, const char* comma)
{
  std::set<std::string> kinds;
  for (const std::string& name : names) kinds.insert(kind_of(name));
  std::string text;
  for (const std::string& kind : kinds)
    text += (text.empty() ? "" : kind == *kinds.rbegin() ? (*comma == '_' ? "_and_" : " and ") : comma) + kind;
  return text;
}

std::string without_capital(std::string sentence)
{
  sentence[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(sentence[0])));
  return sentence;
}

}  // namespace

std::string kind_of(const std::string& quantity)
{
  return quantity == "tip_jacobian" || quantity.starts_with("jacobian:") ? "jacobians" : quantity;
}

Hypotheses causes_in_some_answers()
{
  struct Factor {
    const char *key, *words, *remedy;
    double factor;
  };
  static constexpr Factor factors[] = {
      {"factor/2", "they are twice ours.", "look for a term that is counted twice, or a half that is left out", 2},
      {"factor/0.5", "they are half of ours.", "look for a half that is counted once too often", 0.5},
      {"factor/1000", "they are 1000 times ours: a unit is taken for another.", "convert to SI units", 1000},
      {"factor/0.001", "they are a thousandth of ours: a unit is taken for another.", "convert to SI units", 0.001},
      {"sign/other", "they have the other sign.", "negate them", -1}};
  Hypotheses all;
  for (const Factor& factor : factors) {
    all.push_back({factor.key, factor.words, factor.remedy, {}, {}, [by = factor.factor](Answers& a, const Situation&) {
                     for (auto& [name, table] : a) table *= by;
                   }});
    all.back().of_some = true;
  }
  all.push_back({"matrix/inverted",
                 "they are the inverse of ours.",
                 "ask for the matrix itself",
                 {},
                 {},
                 [](Answers& a, const Situation& at) {
                   for (const auto& [name, other] :
                        {std::pair{"mass_matrix", "inverse_mass_matrix"}, {"inverse_mass_matrix", "mass_matrix"}})
                     if (a.count(name)) a[name] = answer(at, other);
                 }});
  all.back().of_some = true;
  return all;
}

// [limited]
Hypothesis limited(const Hypothesis& cause, const std::set<std::string>& names, const std::set<std::string>& others)
{
  Hypothesis some = cause;
  std::string key = cause.key;
  if (key.ends_with("_in_answers")) key.resize(key.size() - std::string("_in_answers").size());
  const bool but = !others.empty() && others.size() < names.size();
  some.key = key + (but ? "_but_not_in_" + listed(others, "_") : "_in_" + listed(names, "_"));
  some.sentence = (but ? "In all but " + listed(others, ", ") : "In " + listed(names, ", ") + " alone") + ": " +
                  without_capital(cause.sentence);
  some.machine = {};
  some.question = {};
  some.answers = [cause, names](Answers& a, const Situation& at) {
    Answers wrong;
    std::vector<std::string> given;
    for (const auto& [name, table] : a)
      if (names.count(name)) given.push_back(name), wrong[name] = table;
    if (given.empty()) return;
    // Their own machine and question, of these quantities only.
    Machine machine{at.model.mechanism(), at.model.options()};
    if (cause.machine) cause.machine(machine);
    std::optional<Model<double>> of_theirs;
    if (cause.machine) of_theirs.emplace(machine.mechanism, machine.options);
    const Model<double>& model = of_theirs ? *of_theirs : at.model;
    Question question = at.question;
    if (cause.question) cause.question(question, {model, at.question, at.before});
    if (cause.machine || cause.question) wrong = answers(model, question, given);
    if (cause.answers) cause.answers(wrong, {model, question, at.before});
    for (const std::string& name : given) a[name] = wrong.at(name);
  };
  return some;
}
// [limited]

}  // namespace articulate::oracle
