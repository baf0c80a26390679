#include "certified_case.hpp"
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include "conversation.hpp"

namespace articulate::cli {

namespace {

/// What a certified quantity is called in the protocol: a case with loops has its dynamics with all loops closed.
std::string name_in_protocol(const std::string& certified, bool has_loops)
{
  if (!has_loops) return certified;
  if (certified == "forward_dynamics") return "closed_forward_dynamics";
  if (certified == "constraint_forces") return "constraint_force";
  return certified == "inverse_mass_matrix" ? "" : certified;  // the protocol has that of the tree
}

VectorX<double> vector(const std::vector<double>& x)
{
  return VectorX<double>::Map(x.data(), static_cast<Eigen::Index>(x.size()));
}

double nearest_double(const reference::CaseReader& certified) { return std::strtod(certified.text().c_str(), nullptr); }

void require_size(const reference::CaseReader& given, std::size_t size, int needed)
{
  if (static_cast<int>(size) != needed)
    given.refuse("has " + detail::entries(size) + " where " + std::to_string(needed) + " are needed");
}

VectorX<double> column(const reference::CaseReader& certified, int size)
{
  std::vector<double> x;
  for (const reference::CaseReader& row : certified["value"].entries())
    for (const reference::CaseReader& entry : row.entries()) x.push_back(nearest_double(entry));
  require_size(certified, x.size(), size);
  return vector(x);
}

}  // namespace

CertifiedCase::CertifiedCase(const Json& file, const std::string& source)
    : case_(reference::case_in_file(file, source)),
      model_(case_.problem.in.mechanism, case_.problem.in.options),
      loops_(case_.problem.loops.empty() ? nullptr : std::make_shared<const std::vector<Loop>>(case_.problem.loops)),
      q_(vector(case_.problem.in.q)),
      qd_(vector(case_.problem.in.qd))
{
  const reference::CaseReader answers = reference::CaseReader(file, source)["answers"];
  if (loops_) {
    q_ = column(answers["configuration"], model_.nq());
    qd_ = column(answers["rates"], model_.nv());
  }
  const double length = oracle::reach(model_, q_);
  for (const auto& [name, answer] : file["answers"].items()) {
    const std::string known = name_in_protocol(name, loops_ != nullptr);
    const oracle::Quantity* quantity = oracle::find_quantity(known);
    if (!quantity) continue;
    const auto [rows, columns] = oracle::shape(*quantity, model_);
    Certified certified{MatrixX<double>(rows, columns), {}};
    MatrixX<double> attainable(rows, columns);
    const reference::CaseReader given = answers[name];
    const auto values = given["value"].entries(), digits = given["double_digits"].entries();
    require_size(given, values.size(), rows), require_size(given, digits.size(), rows);
    for (int i = 0; i < rows; ++i) {
      const auto row = values[static_cast<std::size_t>(i)].entries(),
                 row_digits = digits[static_cast<std::size_t>(i)].entries();
      require_size(given, row.size(), columns), require_size(given, row_digits.size(), columns);
      for (int j = 0; j < columns; ++j) {
        certified.value(i, j) = nearest_double(row[static_cast<std::size_t>(j)]);
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
    answers_[known] = certified;
  }
}

Json CertifiedCase::state() const
{
  const auto& in = case_.problem.in;
  Json wrenches = Json::object();
  for (std::size_t l = 0; l < in.link_wrenches.size(); ++l)
    wrenches[in.mechanism.links[static_cast<int>(l)].name] = in.link_wrenches[l];
  const VectorX<double> qdd = loops_ ? VectorX<double>() : vector(in.qdd);  // with loops it is an answer
  return state_of({q_, qd_, qdd, vector(in.tau), model_.gravity(), {}}, model_, wrenches);
}

std::map<std::string, Outcome> CertifiedCase::outcomes(const Claim& claim) const
{
  // The certified state is no number of binary64 where loops close it: what rounding it moves is measured.
  oracle::Reference rounded;
  if (loops_) {
    std::vector<std::string> names;
    for (const auto& [name, theirs] : claim.theirs)
      if (answers_.count(name)) names.push_back(name);
    rounded = oracle::reference(model_, claim.question, names);
  }
  std::map<std::string, Outcome> all;
  for (const auto& [name, theirs] : claim.theirs)
    if (const auto at = answers_.find(name); at != answers_.end()) {
      oracle::Rounding rounding = at->second.rounding;
      if (loops_) oracle::add(rounding, rounded.rounding.at(name));
      const oracle::Score score = oracle::score(name, theirs, at->second.value, rounding, model_);
      all[name] = {score, true, score.agrees() ? "" : entry_name(name, score.row, score.column, model_)};
    }
  return all;
}

}  // namespace articulate::cli
