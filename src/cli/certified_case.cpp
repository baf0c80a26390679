#include "certified_case.hpp"
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include "conversation.hpp"

namespace articulate::cli {

CertifiedCase::CertifiedCase(const Json& file, const std::string& source)
    : case_(reference::case_in_file(file, source)), model_(case_.problem.in.mechanism, case_.problem.in.options)
{
  const std::vector<double>& q = case_.problem.in.q;
  const double length = oracle::reach(model_, VectorX<double>::Map(q.data(), static_cast<Eigen::Index>(q.size())));
  const reference::CaseReader answers = reference::CaseReader(file, source)["answers"];
  for (const auto& [name, answer] : file["answers"].items()) {
    const oracle::Quantity* quantity = oracle::find_quantity(name);
    if (!quantity) continue;
    const auto [rows, columns] = oracle::shape(*quantity, model_);
    Certified certified{MatrixX<double>(rows, columns), {}};
    MatrixX<double> attainable(rows, columns);
    const reference::CaseReader given = answers[name];
    const auto values = given["value"].entries(), digits = given["double_digits"].entries();
    const auto require_size = [&](std::size_t size, int needed) {
      if (static_cast<int>(size) != needed)
        given.refuse("has " + std::to_string(size) + " entries where " + std::to_string(needed) + " are needed");
    };
    require_size(values.size(), rows), require_size(digits.size(), rows);
    for (int i = 0; i < rows; ++i) {
      const auto row = values[static_cast<std::size_t>(i)].entries(),
                 row_digits = digits[static_cast<std::size_t>(i)].entries();
      require_size(row.size(), columns), require_size(row_digits.size(), columns);
      for (int j = 0; j < columns; ++j) {
        certified.value(i, j) = std::strtod(row[static_cast<std::size_t>(j)].text().c_str(), nullptr);
        attainable(i, j) = row_digits[static_cast<std::size_t>(j)].real();
      }
    }
    const MatrixX<double> none = MatrixX<double>::Zero(rows, columns);
    const oracle::Rounding largest = oracle::largest_change(*quantity, none, certified.value, model_);
    const MatrixX<std::size_t> unit = oracle::unit_groups(*quantity, rows, columns, model_);
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < columns; ++j) {
        double& lost = certified.rounding[unit(i, j)];
        lost = std::max(lost, std::pow(10, -attainable(i, j)) * largest[unit(i, j)]);
      }
    oracle::widen_for_zeros(certified.rounding, *quantity, largest, length);
    answers_[name] = certified;
  }
}

Json CertifiedCase::state() const
{
  const auto& in = case_.problem.in;
  const auto vector = [](const std::vector<double>& x) {
    return VectorX<double>(VectorX<double>::Map(x.data(), static_cast<Eigen::Index>(x.size())));
  };
  Json wrenches = Json::object();
  for (std::size_t l = 0; l < in.link_wrenches.size(); ++l)
    wrenches[in.mechanism.links[static_cast<int>(l)].name] = in.link_wrenches[l];
  return state_of({vector(in.q), vector(in.qd), vector(in.qdd), vector(in.tau), model_.gravity(), {}}, model_,
                  wrenches);
}

std::map<std::string, Outcome> CertifiedCase::outcomes(const Claim& claim) const
{
  std::map<std::string, Outcome> all;
  for (const auto& [name, theirs] : claim.theirs)
    if (const auto at = answers_.find(name); at != answers_.end()) {
      const oracle::Score score = oracle::score(name, theirs, at->second.value, at->second.rounding, model_);
      all[name] = {score, true, score.agrees() ? "" : entry_name(name, score.row, score.column, model_)};
    }
  return all;
}

}  // namespace articulate::cli
