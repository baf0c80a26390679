#include <reference/attained.hpp>
#include <algorithm>
#include <cmath>
#include <map>
#include <reference/library_answers.hpp>
#include <reference/randomly_rounded.hpp>

namespace articulate::reference {
namespace {

constexpr int draws = 8;

/// The library, rounded by chance, a few times.
std::vector<LibraryAnswers<RandomlyRounded>> randomly_rounded(const Problem& problem)
{
  std::vector<LibraryAnswers<RandomlyRounded>> all;
  for (int draw = 1; draw <= draws; ++draw) {
    RandomlyRounded::seed(draw);
    all.emplace_back(problem);
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

}  // namespace

std::vector<Attained> attained(const Json& file, const std::string& source)
{
  const Problem problem = case_in_file(file, source).problem;
  const LibraryAnswers<double> in_double(problem);
  const auto rounded = randomly_rounded(problem);
  std::vector<Attained> all;
  for (const auto& [quantity, proved] : file.at("answers").items()) {
    const auto found = in_double.answers.find(quantity);
    if (found == in_double.answers.end()) continue;
    std::map<std::string, Group> groups;
    for (Eigen::Index i = 0; i < found->second.rows(); ++i)
      for (Eigen::Index j = 0; j < found->second.cols(); ++j) {
        const auto row = static_cast<std::size_t>(i), column = static_cast<std::size_t>(j);
        const mpq_class value = fraction(proved.at("value").at(row).at(column).get<std::string>());
        std::vector<double> drawn;
        for (const auto& one : rounded) drawn.push_back(static_cast<double>(one.answers.at(quantity)(i, j)));
        Group& group = groups[proved.at("unit").at(row).at(column).get<std::string>()];
        group.largest = std::max(group.largest, std::abs(value.get_d()));
        group.error = std::max(group.error, mpq_class(abs(mpq_class(found->second(i, j)) - value)).get_d());
        group.deviation = std::max(group.deviation, standard_deviation(drawn));
        group.attainable = proved.at("double_digits").at(row).at(column).get<double>();
      }
    Attained worst{quantity, 16, 16, 16};
    for (const auto& [unit, group] : groups) {
      const Attained here{quantity, group.attainable, group.digits(group.deviation / 2), group.digits(group.error)};
      if (!here.is_explained()) worst = here;
      if (worst.is_explained() && here.loss() > worst.loss()) worst = here;
    }
    all.push_back(worst);
  }
  return all;
}

}  // namespace articulate::reference
