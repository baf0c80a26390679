#include <articulate/oracle/hypothesis.hpp>
#include <articulate/oracle/wrenches.hpp>
#include <cctype>
#include <cmath>
#include <numbers>
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

// [printed]
/// Tables that are printed with few digits.
void add_few_digits(Hypotheses& all)
{
  const auto add = [&](const std::string& key, const std::string& words, auto round) {
    all.push_back({"precision/" + key,
                   "These are ours, printed " + words + ": no digit beyond is wrong.",
                   "print 17 significant digits",
                   {},
                   {},
                   [round](Answers& a, const Situation&) {
                     for (auto& [name, table] : a) table = MatrixX<double>(table.unaryExpr(round));
                   }});
    all.back().of_some = true;
  };
  add("single", "in single precision", [](double x) { return static_cast<double>(static_cast<float>(x)); });
  for (int digits = 5; digits <= 10; ++digits)
    add("significant_digits_" + std::to_string(digits), "with " + std::to_string(digits) + " significant digits",
        [digits](double x) {
          if (x == 0) return x;
          const int shift = digits - 1 - static_cast<int>(std::floor(std::log10(std::abs(x))));
          const double unit = std::pow(10.0, std::abs(shift));
          return shift >= 0 ? std::round(x * unit) / unit : std::round(x / unit) * unit;
        });
  for (int digits = 3; digits <= 10; ++digits)
    add("decimals_" + std::to_string(digits), "with " + std::to_string(digits) + " decimals", [digits](double x) {
      const double unit = std::pow(10.0, digits);
      return std::round(x * unit) / unit;
    });
}
// [printed]

}  // namespace

std::string kind_of(const std::string& quantity)
{
  return quantity == "tip_jacobian" || quantity.starts_with("jacobian:") ? "jacobians" : quantity;
}

Hypothesis all_zero()
{
  Hypothesis zeros{"answers/all_zero",
                   "all numbers are zero, because they were not computed or not copied.",
                   "look where these numbers are computed, and whether they reach the place that is printed",
                   {},
                   {},
                   [](Answers& a, const Situation&) {
                     for (auto& [name, table] : a) table.setZero();
                   }};
  zeros.of_some = zeros.of_zeros = true;
  return zeros;
}

Hypotheses causes_in_some_answers()
{
  struct Factor {
    const char *key, *words, *remedy;
    double factor;
    bool of_joints = false;  ///< not of a free base
  };
  constexpr double degree = std::numbers::pi / 180;
  static constexpr Factor factors[] = {
      {"factor/2", "they are twice ours.", "look for a term that is counted twice, or a half that is left out", 2},
      {"factor/0.5", "they are half of ours.", "look for a half that is counted once too often", 0.5},
      {"factor/1000", "they are 1000 times ours: a unit is taken for another.", "convert to SI units", 1000},
      {"factor/0.001", "they are a thousandth of ours: a unit is taken for another.", "convert to SI units", 0.001},
      {"factor/180_over_pi", "they are in degrees, and ours in radians.", "convert to radians", 1 / degree},
      {"factor/pi_over_180", "they are per degree, and ours per radian.", "convert to radians", degree},
      {"factor/9.80665", "they are 9.80665 times ours: kgf are taken for N.", "convert to N", 9.80665},
      {"factor/1_over_9.80665", "they are ours over 9.80665: they are in kgf.", "convert to N", 1 / 9.80665},
      {"factor/9.81", "they are 9.81 times ours: the size of gravity counts once too often.", "leave out g", 9.81},
      {"factor/1_over_9.81", "they are ours over 9.81: the size of gravity is left out.", "multiply by g", 1 / 9.81},
      {"factor/gear_50", "those of the joints are on the motors' side of gears 1:50.", "multiply by 50", 0.02, true},
      {"factor/gear_80", "those of the joints are on the motors' side of gears 1:80.", "multiply by 80", 0.0125, true},
      {"factor/gear_100", "those of the joints are on the motors' side of gears 1:100.", "multiply by 100", 0.01, true},
      {"factor/gear_120", "those of the joints are on the motors' side of gears 1:120.", "multiply by 120", 1.0 / 120,
       true},
      {"factor/gear_160", "those of the joints are on the motors' side of gears 1:160.", "multiply by 160", 1.0 / 160,
       true},
      {"sign/other", "they have the other sign.", "negate them", -1}};
  Hypotheses all;
  for (const Factor& factor : factors) {
    all.push_back({factor.key,
                   factor.words,
                   factor.remedy,
                   {},
                   {},
                   [by = factor.factor, of_joints = factor.of_joints](Answers& a, const Situation& at) {
                     for (auto& [name, table] : a) {
                       const Axis rows = find_quantity(name)->rows;
                       const bool is_by_joint = rows == Axis::forces || rows == Axis::rates;
                       const int first = of_joints && is_by_joint && at.model.floating_base() ? 6 : 0;
                       table.bottomRows(table.rows() - first) *= by;
                     }
                   }});
    all.back().of_some = true;
  }
  // [angular-halves]
  for (const bool degrees : {true, false}) {
    all.push_back({std::string("factor/") + (degrees ? "180_over_pi" : "pi_over_180") + "_of_angular_halves",
                   degrees
                       ? "their angular halves are in degrees, and ours in radians."
                       : "their angular halves are ours divided by 57.3: they were taken for degrees once too often.",
                   "convert the angular half of each six numbers to radians",
                   {},
                   {},
                   [by = degrees ? 1 / degree : degree](Answers& a, const Situation&) {
                     for (auto& [name, table] : a) {
                       const Quantity& quantity = *find_quantity(name);
                       if (quantity.columns == Axis::twist) table.leftCols(3) *= by;
                       if (quantity.rows == Axis::twist) table.topRows(3) *= by;
                     }
                   }});
    all.back().of_some = true;
  }
  // [angular-halves]
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
  add_few_digits(all);
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
    if (cause.machine) carry_wrenches(question, at.model, model);
    if (cause.question) cause.question(question, {model, at.question, at.before, at.first});
    if (cause.machine || cause.question) wrong = answers(model, question, given);
    if (const auto C = wrong.find("coriolis_matrix times qd");
        C != wrong.end() && !cause.answers && question.qd != at.question.qd)
      C->second = answer({model, question}, "coriolis_matrix") * at.question.qd;
    if (cause.answers) cause.answers(wrong, {model, question, at.before, at.first});
    for (const std::string& name : given) a[name] = wrong.at(name);
  };
  return some;
}
// [limited]

}  // namespace articulate::oracle
