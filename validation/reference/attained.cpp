#include <reference/attained.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <reference/library_answers.hpp>
#include <reference/steps.hpp>

namespace articulate::reference {
namespace {

constexpr int draws = 8;

/// Where loops are closed, each coordinate as a number of binary64 and what it lacks; nothing of a tree.
using Closed = std::vector<std::array<double, 2>>;

Closed closed_at(const Json& file)
{
  Closed all;
  if (!file.at("answers").contains("configuration")) return all;
  for (const Json& row : file.at("answers").at("configuration").at("value")) {
    const mpq_class q = fraction(row.at(0).get<std::string>());
    all.push_back({q.get_d(), mpq_class(q - mpq_class(q.get_d())).get_d()});
  }
  return all;
}

using Answer = MatrixX<RandomlyRounded>;

/// What is drawn a few times, by the name of the quantity.
std::map<std::string, std::vector<Answer>> drawn(const auto& answers)
{
  std::map<std::string, std::vector<Answer>> all;
  for (int draw = 1; draw <= draws; ++draw) {
    RandomlyRounded::seed(draw);
    for (const auto& [quantity, answer] : answers()) all[quantity].push_back(answer);
  }
  return all;
}

/// The library's answers, of which these operations are rounded by chance.
std::map<std::string, Answer> rounded_in(Rounded operations, const Problem& problem, const Closed& closed)
{
  RandomlyRounded::rounded = operations;
  auto answers = LibraryAnswers<RandomlyRounded>(problem, closed).answers;
  RandomlyRounded::rounded = Rounded::all;
  return answers;
}

/// What numbers of one unit have in common.
struct Group {
  double largest = 0, error = 0, deviation = 0, attainable = 16;

  /// Sixteen where nothing is lost.
  double digits(double part) const
  {
    return part > 0 ? std::min(16.0, -std::log10(part / (largest > 0 ? largest : 1))) : 16;
  }
  double of_algorithm() const { return digits(deviation / 2); }
};

double standard_deviation(const std::vector<double>& x)
{
  double mean = 0, squares = 0;
  for (const double one : x) mean += one / static_cast<double>(x.size());
  for (const double one : x) squares += (one - mean) * (one - mean);
  return std::sqrt(squares / static_cast<double>(x.size() - 1));
}

/// By its unit what is known of the numbers of a quantity, whose answers were drawn.
std::map<std::string, Group> groups(const Json& proved, const std::vector<Answer>& drawn)
{
  std::map<std::string, Group> all;
  for (Eigen::Index i = 0; i < drawn[0].rows(); ++i)
    for (Eigen::Index j = 0; j < drawn[0].cols(); ++j) {
      const auto row = static_cast<std::size_t>(i), column = static_cast<std::size_t>(j);
      Group& group = all[proved.at("unit").at(row).at(column).get<std::string>()];
      std::vector<double> numbers;
      for (const auto& one : drawn) numbers.push_back(static_cast<double>(one(i, j)));
      group.largest =
          std::max(group.largest, std::abs(fraction(proved.at("value").at(row).at(column).get<std::string>()).get_d()));
      group.deviation = std::max(group.deviation, standard_deviation(numbers));
      group.attainable = proved.at("double_digits").at(row).at(column).get<double>();
    }
  return all;
}

/// Whether a quantity comes of the inverse of the mass matrix, in one step.
bool is_of_inverse(const std::string& quantity)
{
  return quantity == "forward_dynamics" || quantity == "inverse_mass_matrix" || quantity == "tip_mobility" ||
         quantity.find("impulse") != std::string::npos;
}

/// Whether a quantity comes of the three steps of rounded_in().
bool is_of_three_steps(const std::string& quantity)
{
  return quantity.rfind("forward_dynamics_by", 0) == 0 || quantity == "inverse_mass_matrix_by_q";
}

/// Say which part of the way is to blame, by rounding it and no other.
void find_cause(Attained& lacking, const Problem& problem, const Closed& closed, const std::string& unit,
                const Json& proved)
{
  if (is_of_inverse(lacking.quantity)) {
    lacking.cause = "inverse";
    return;
  }
  const auto digits_left_by = [&](const auto& answers) {
    return groups(proved, drawn(answers).at(lacking.quantity)).at(unit).of_algorithm();
  };
  if (is_of_three_steps(lacking.quantity)) {
    for (const Step step : {Step::inverse, Step::forces, Step::product})
      lacking.alone.push_back(digits_left_by([&] { return rounded_in(step, problem); }));
    const double inverse = lacking.alone[0], forces = lacking.alone[1], product = lacking.alone[2];
    lacking.cause = product < lacking.attainable - 1 ? "product" : forces < inverse ? "forces" : "inverse";
    return;
  }
  for (const Rounded part : {Rounded::places, Rounded::motion})
    lacking.alone.push_back(digits_left_by([&] { return rounded_in(part, problem, closed); }));
  const double places = lacking.alone[0], motion = lacking.alone[1];
  lacking.cause = places < motion - 1 ? "places" : motion < places - 1 ? "motion" : "sum";
}

}  // namespace

std::vector<Attained> attained(const Json& file, const std::string& source)
{
  const Problem problem = case_in_file(file, source).problem;
  const auto closed = closed_at(file);
  const LibraryAnswers<double> in_double(problem, closed);
  const auto rounded = drawn([&] { return rounded_in(Rounded::all, problem, closed); });
  std::vector<Attained> all;
  for (const auto& [quantity, proved] : file.at("answers").items()) {
    const auto found = in_double.answers.find(quantity);
    if (found == in_double.answers.end()) continue;
    auto by_unit = groups(proved, rounded.at(quantity));
    for (Eigen::Index i = 0; i < found->second.rows(); ++i)
      for (Eigen::Index j = 0; j < found->second.cols(); ++j) {
        const auto row = static_cast<std::size_t>(i), column = static_cast<std::size_t>(j);
        const mpq_class value = fraction(proved.at("value").at(row).at(column).get<std::string>());
        Group& group = by_unit[proved.at("unit").at(row).at(column).get<std::string>()];
        group.error = std::max(group.error, mpq_class(abs(mpq_class(found->second(i, j)) - value)).get_d());
      }
    Attained worst{quantity, 16, 16, 16, "", {}};
    std::string its_unit;
    for (const auto& [unit, group] : by_unit) {
      const Attained here{quantity, group.attainable, group.of_algorithm(), group.digits(group.error), "", {}};
      if (here.is_explained() && !(worst.is_explained() && here.loss() > worst.loss())) continue;
      worst = here, its_unit = unit;
    }
    if (worst.loss() > 1) find_cause(worst, problem, closed, its_unit, proved);
    all.push_back(worst);
  }
  return all;
}

}  // namespace articulate::reference
