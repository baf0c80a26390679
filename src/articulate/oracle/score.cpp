#include <articulate/oracle/score.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <tuple>

namespace articulate::oracle {
namespace {

std::string words(const Score& score)
{
  if (!std::isfinite(score.theirs)) return "an entry is not a finite number";
  if (score.agrees() && score.attainable < 12)
    return "agrees: " + one_decimal(score.digits) + " digits, and arithmetic in double can have no more than " +
           one_decimal(score.attainable) + " in this state";
  if (score.agrees()) return "agrees: " + one_decimal(score.digits) + " digits";
  return "differs: " + one_decimal(score.digits) + " digits of the " + one_decimal(score.attainable) +
         " that can be had";
}

}  // namespace

std::string one_decimal(double digits)
{
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", digits);
  return text;
}

namespace {

/// What errors of a group are measured against, and how many digits it has.
struct Measure {
  double size = 0, attainable = digits_of_double;

  double digits(double error) const
  {
    const double part = error / size;
    if (error == 0) return digits_of_double;
    return part < 1 ? std::min(-std::log10(part), digits_of_double) : 0;  // also of what is not finite
  }
};
using Measures = std::array<Measure, std::tuple_size_v<Rounding>>;

const Quantity& known_quantity(const std::string& name)
{
  if (const Quantity* known = find_quantity(name)) return *known;
  throw StateError("'" + name + "' is no quantity that is known here; `quantities` lists them.");
}

Rounding largest_entries(const Quantity& quantity, const MatrixX<double>& ours, const Model<double>& model)
{
  return largest_change(quantity, MatrixX<double>::Zero(ours.rows(), ours.cols()), ours, model);
}

Score scored(const std::string& name, const MatrixX<double>& theirs, const MatrixX<double>& ours,
             const Measures& measures, const Model<double>& model)
{
  const Quantity& quantity = *find_quantity(name);
  Score result;
  result.attainable = digits_of_double;
  for (const Measure& measure : measures) result.attainable = std::min(result.attainable, measure.attainable);
  if (theirs.rows() != ours.rows() || theirs.cols() != ours.cols()) {
    result.verdict = "differs: the table is " + std::to_string(theirs.rows()) + " x " + std::to_string(theirs.cols()) +
                     " and should be " + std::to_string(ours.rows()) + " x " + std::to_string(ours.cols());
    return result;
  }
  const double can_be_had = result.attainable;
  double most = -std::numeric_limits<double>::infinity(), least_digits = digits_of_double;
  const MatrixX<std::size_t> group = unit_groups(quantity, ours.rows(), ours.cols(), model);
  for (int i = 0; i < ours.rows(); ++i)
    for (int j = 0; j < ours.cols(); ++j) {
      const Measure& measure = measures[group(i, j)];
      const double digits = measure.digits(std::abs(theirs(i, j) - ours(i, j)));
      least_digits = std::min(least_digits, digits);
      if (measure.attainable - digits <= most) continue;
      most = measure.attainable - digits;
      result.digits = digits, result.attainable = measure.attainable;
      result.row = i, result.column = j;
      result.theirs = theirs(i, j), result.ours = ours(i, j);
    }
  // Of a table that agrees the whole is told: its fewest digits, and the fewest that can be had.
  if (result.agrees()) result.digits = least_digits, result.attainable = can_be_had;
  result.verdict = words(result);
  return result;
}

Measures measured(const Rounding& largest, bool all_zero, const Rounding& rounding)
{
  constexpr double eps = std::numeric_limits<double>::epsilon();
  Measures measures;
  for (std::size_t k = 0; k < measures.size(); ++k) {
    const double least = std::max(rounding[k], eps * largest[k]);
    if (!std::isfinite(least))
      measures[k] = {largest[k], 0};
    else if (largest[k] > 10 * least)
      measures[k] = {largest[k], std::min(-std::log10(least / largest[k]), digits_of_double)};
    else  // not a digit is left: these are zeros; where even rounding leaves all alone, of the size of a unit
      measures[k] = {all_zero && least == 0 ? 1 : least / eps, digits_of_double};
  }
  return measures;
}

}  // namespace

Score score(const std::string& quantity, const MatrixX<double>& theirs, const MatrixX<double>& ours,
            const Rounding& rounding, const Model<double>& model)
{
  const Rounding largest = largest_entries(known_quantity(quantity), ours, model);
  return scored(quantity, theirs, ours, measured(largest, ours.isZero(0), rounding), model);
}

std::set<Eigen::Index> rows_that_differ(const std::string& quantity, const MatrixX<double>& theirs,
                                        const MatrixX<double>& ours, const Rounding& rounding,
                                        const Model<double>& model)
{
  // By what both reach: a cause that makes some numbers of a unit large makes no others right.
  const Rounding of_theirs = largest_entries(known_quantity(quantity), theirs, model);
  Rounding largest = largest_entries(known_quantity(quantity), ours, model);
  for (std::size_t k = 0; k < largest.size(); ++k) largest[k] = std::min(largest[k], of_theirs[k]);
  const Measures measures = measured(largest, ours.isZero(0), rounding);
  const auto group = unit_groups(*find_quantity(quantity), ours.rows(), ours.cols(), model);
  std::set<Eigen::Index> rows;
  for (Eigen::Index i = 0; i < ours.rows(); ++i)
    for (Eigen::Index j = 0; j < ours.cols(); ++j) {
      const Measure& measure = measures[group(i, j)];
      if (measure.attainable - measure.digits(std::abs(theirs(i, j) - ours(i, j))) > 1) rows.insert(i);
    }
  return rows;
}

Score score(const std::string& quantity, const MatrixX<double>& theirs, const MatrixX<double>& ours, double attainable,
            const Model<double>& model)
{
  const Rounding largest = largest_entries(known_quantity(quantity), ours, model);
  const double of_all = *std::max_element(largest.begin(), largest.end());
  const double least = of_all > 0 ? std::sqrt(std::numeric_limits<double>::epsilon()) * of_all : 1;
  Measures measures;
  for (std::size_t k = 0; k < measures.size(); ++k) measures[k] = {std::max(largest[k], least), attainable};
  return scored(quantity, theirs, ours, measures, model);
}

}  // namespace articulate::oracle
