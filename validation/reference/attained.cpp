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

/// Where the loops of a file are closed, each coordinate as a number of binary64 and what it lacks; nothing of a tree.
std::vector<std::array<double, 2>> closed_at(const Json& file)
{
  std::vector<std::array<double, 2>> all;
  if (!file.at("answers").contains("configuration")) return all;
  for (const Json& row : file.at("answers").at("configuration").at("value")) {
    const mpq_class q = fraction(row.at(0).get<std::string>());
    all.push_back({q.get_d(), mpq_class(q - mpq_class(q.get_d())).get_d()});
  }
  return all;
}

/// The library, rounded by chance, a few times.
std::vector<LibraryAnswers<RandomlyRounded>> randomly_rounded(const Problem& problem,
                                                              const std::vector<std::array<double, 2>>& closed)
{
  std::vector<LibraryAnswers<RandomlyRounded>> all;
  for (int draw = 1; draw <= draws; ++draw) {
    RandomlyRounded::seed(draw);
    all.emplace_back(problem, closed);
  }
  return all;
}

/// What numbers of one unit have in common.
struct Group {
  double largest = 0, error = 0, deviation = 0, attainable = 16;

  /// Sixteen where nothing is lost.
  double digits(double part) const
  {
    return part > 0 ? std::min(16.0, -std::log10(part / (largest > 0 ? largest : 1))) : 16;
  }
};

double standard_deviation(const std::vector<double>& x)
{
  double mean = 0, squares = 0;
  for (const double one : x) mean += one / static_cast<double>(x.size());
  for (const double one : x) squares += (one - mean) * (one - mean);
  return std::sqrt(squares / static_cast<double>(x.size() - 1));
}

/// By its unit what is known of the numbers of a quantity, whose answers were drawn.
std::map<std::string, Group> groups(const Json& proved, const std::vector<MatrixX<RandomlyRounded>>& drawn)
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

/// The digits that a quantity has in one unit when one step alone is rounded.
double digits_left_by(Step step, const Problem& problem, const std::string& quantity, const std::string& unit,
                      const Json& proved)
{
  std::vector<MatrixX<RandomlyRounded>> drawn;
  for (int draw = 1; draw <= draws; ++draw) {
    RandomlyRounded::seed(draw);
    drawn.push_back(rounded_in(step, problem).at(quantity));
  }
  const Group group = groups(proved, drawn).at(unit);
  return group.digits(group.deviation / 2);
}

/// What loses the digits of a quantity that comes of one step; nothing of derivatives of accelerations, which come of three.
std::string cause_by_name(const std::string& quantity)
{
  const auto begins = [&](const char* word) { return quantity.rfind(word, 0) == 0; };
  if (begins("centroidal_momentum_rate") || quantity == "centroidal_momentum_bias") return "rates";
  if (begins("centroidal") || begins("center")) return "places";
  if (begins("inverse_dynamics_by") || begins("gravity_force_by")) return "forces";
  return begins("forward_dynamics_by") || quantity == "inverse_mass_matrix_by_q" ? "" : "inverse";
}

/// Say which step is to blame.
void find_cause(Attained& lacking, const Problem& problem, const std::string& unit, const Json& proved)
{
  lacking.cause = cause_by_name(lacking.quantity);
  if (!lacking.cause.empty()) return;
  for (const Step step : {Step::inverse, Step::forces, Step::product})
    lacking.alone.push_back(digits_left_by(step, problem, lacking.quantity, unit, proved));
  const double inverse = lacking.alone[0], forces = lacking.alone[1], product = lacking.alone[2];
  lacking.cause = product < lacking.attainable - 1 ? "product" : forces < inverse ? "forces" : "inverse";
}

}  // namespace

std::vector<Attained> attained(const Json& file, const std::string& source)
{
  const Problem problem = case_in_file(file, source).problem;
  const auto closed = closed_at(file);
  const LibraryAnswers<double> in_double(problem, closed);
  const auto rounded = randomly_rounded(problem, closed);
  std::vector<Attained> all;
  for (const auto& [quantity, proved] : file.at("answers").items()) {
    const auto found = in_double.answers.find(quantity);
    if (found == in_double.answers.end()) continue;
    std::vector<MatrixX<RandomlyRounded>> drawn;
    for (const auto& one : rounded) drawn.push_back(one.answers.at(quantity));
    auto by_unit = groups(proved, drawn);
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
      const Attained here{quantity, group.attainable, group.digits(group.deviation / 2), group.digits(group.error), "",
                          {}};
      if (here.is_explained() && !(worst.is_explained() && here.loss() > worst.loss())) continue;
      worst = here, its_unit = unit;
    }
    if (worst.loss() > 1) find_cause(worst, problem, its_unit, proved);
    all.push_back(worst);
  }
  return all;
}

}  // namespace articulate::reference
