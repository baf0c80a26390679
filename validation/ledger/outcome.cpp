#include <ledger/outcome.hpp>
#include <algorithm>
#include <cmath>

namespace articulate::validation {

double nearness(double residual_double, double tolerance_double, double residual_50, double tolerance_50)
{
  const double ratio = std::max(residual_double / tolerance_double, residual_50 / tolerance_50);
  const bool cannot_be_told = std::isinf(tolerance_50) && residual_50 != 0;
  return cannot_be_told || std::isnan(residual_double) || std::isnan(residual_50) ? INFINITY : ratio;
}

void Outcome::note(const std::string& clause, Verdict verdict)
{
  Verdict& known = clauses.emplace(clause, verdict).first->second;
  known = std::max(known, verdict);
}

void Outcome::note_rivals(const Sides<double>& sides, const std::vector<double>& tolerances)
{
  for (const auto& rival : sides.rivals()) {
    const auto denied = [&](const std::string& clause) {
      return std::ranges::find(rival.clauses, clause) != rival.clauses.end();
    };
    const auto widest_of_first = [&](std::size_t groups) {
      double widest = 0;
      for (std::size_t g = 0; g < groups; ++g)
        if (rival.clauses.empty() || std::ranges::any_of(sides.clauses_of(sides.groups()[g], keys), denied))
          widest = std::max(widest, tolerances[g]);
      return widest;
    };
    const double before = widest_of_first(rival.after),
                 widest = before > 0 ? before : widest_of_first(tolerances.size());
    RivalOutcome one{rival.name, rival.clauses};
    for (const double residual : residuals(rival.groups))
      if (std::isfinite(residual) && widest > 0) one.missed_by = std::max(one.missed_by, residual / widest);
    note(one);
  }
}

void Outcome::note(const RivalOutcome& one)
{
  for (RivalOutcome& known : rivals)
    if (known.name == one.name && known.clauses == one.clauses) {
      known.missed_by = std::max(known.missed_by, one.missed_by);
      return;
    }
  rivals.push_back(one);
}

double Outcome::nearness() const
{
  return applied ? validation::nearness(residual_double, tolerance_double, residual_50, tolerance_50) : -1;
}

void Outcome::join(const Outcome& other)
{
  if (!other.applied) return;
  Outcome both = other.nearness() > nearness() ? other : *this;
  both.applied = true;
  both.passed = passed && other.passed;
  both.clauses = clauses;
  for (const auto& [clause, verdict] : other.clauses) both.note(clause, verdict);
  both.rivals = rivals;
  for (const RivalOutcome& one : other.rivals) both.note(one);
  *this = std::move(both);
}

Proof combined(const std::vector<Proof>& proofs)
{
  Proof all = proofs.front();
  for (std::size_t p = 1; p < proofs.size(); ++p) {
    for (std::size_t k = 0; k < all.outcomes.size(); ++k) all.outcomes[k].join(proofs[p].outcomes[k]);
    for (std::size_t k = 0; k < all.errata.size(); ++k) {
      all.errata[k].corrected.join(proofs[p].errata[k].corrected);
      all.errata[k].printed_residual = std::min(all.errata[k].printed_residual, proofs[p].errata[k].printed_residual);
    }
  }
  return all;
}

}  // namespace articulate::validation
