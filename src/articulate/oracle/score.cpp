#include <articulate/oracle/score.hpp>
#include <array>
#include <cmath>
#include <cstdio>

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

Score score(const std::string& quantity, const MatrixX<double>& theirs, const MatrixX<double>& ours, double attainable,
            const Model<double>& model)
{
  const Quantity* known = find_quantity(quantity);
  if (!known) throw StateError("'" + quantity + "' is no quantity that is known here; `quantities` lists them.");
  Score result;
  result.attainable = attainable;
  if (theirs.rows() != ours.rows() || theirs.cols() != ours.cols()) {
    result.verdict = "differs: the table is " + std::to_string(theirs.rows()) + " x " + std::to_string(theirs.cols()) +
                     " and should be " + std::to_string(ours.rows()) + " x " + std::to_string(ours.cols());
    return result;
  }
  const auto group = [&](Eigen::Index i, Eigen::Index j) {
    return 3 * unit_class(known->rows, static_cast<int>(i), model) +
           unit_class(known->columns, static_cast<int>(j), model);
  };
  // The largest of each group is the measure of its entries; what is far below the largest of all counts as zero.
  std::array<double, 9> largest{};
  double of_all = 0;
  for (Eigen::Index i = 0; i < ours.rows(); ++i)
    for (Eigen::Index j = 0; j < ours.cols(); ++j) {
      double& of_group = largest[static_cast<std::size_t>(group(i, j))];
      of_group = std::max(of_group, std::abs(ours(i, j)));
      of_all = std::max(of_all, of_group);
    }
  const double least = of_all > 0 ? 1.5e-8 * of_all : 1;
  double worst = -1;
  for (Eigen::Index i = 0; i < ours.rows(); ++i)
    for (Eigen::Index j = 0; j < ours.cols(); ++j) {
      double error =
          std::abs(theirs(i, j) - ours(i, j)) / std::max(largest[static_cast<std::size_t>(group(i, j))], least);
      if (!std::isfinite(error)) error = std::numeric_limits<double>::infinity();
      if (error <= worst) continue;
      worst = error;
      result.row = static_cast<int>(i), result.column = static_cast<int>(j);
      result.theirs = theirs(i, j), result.ours = ours(i, j);
    }
  result.digits = worst >= 1 ? 0 : worst > 0 ? std::min(-std::log10(worst), digits_of_double) : digits_of_double;
  result.verdict = words(result);
  return result;
}

}  // namespace articulate::oracle
