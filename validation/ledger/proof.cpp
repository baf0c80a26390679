#include <ledger/proof.hpp>
#include <algorithm>
#include <cmath>
#include <deque>
#include <future>
#include <thread>
#include <ledger/random_rounding.hpp>

namespace articulate::validation {
namespace {

/// One state in the precisions that a proof needs.
class Case {
public:
  const Specimen<double> in_double;
  const Specimen<Fifty> in_fifty;
  const int n;

  Case(const Inputs& inputs, std::uint64_t seed)
      : in_double(inputs), in_fifty(inputs), n(std::max(1, in_double.model.nv())), seed_(seed)
  {
  }

  /// kappa of each group for the k-th time: of moved inputs where k is even, of steps rounded at random where it is odd.
  std::vector<double> growth_of(const Sides<Fifty>& sides, const Comparison<Fifty>& comparison, std::uint64_t k) const
  {
    const std::uint64_t seed = most_moves * seed_ + k + 1;
    if (k % 2 == 0) {
      while (moved_.size() <= k / 2) moved_.emplace_back(in_fifty.inputs.nudged(seed));
      return growth(sides, comparison.of(moved_[k / 2]), unit_roundoff<double>());
    }
    const RandomRounding rounding(seed);
    while (rounded_.size() <= k / 2) rounded_.emplace_back(in_fifty.inputs);
    return growth(sides, comparison.of(rounded_[k / 2]), static_cast<double>(unit_roundoff<Fifty>()));
  }

private:
  std::uint64_t seed_;
  mutable std::deque<Specimen<Fifty>> moved_, rounded_;
};

/// What one group of numbers may be off by, in the two precisions.
struct Tolerances {
  double in_double, in_fifty;

  Tolerances(const Sides<Fifty>::Group& group, int n, double kappa)
      : in_double(tolerance(n, unit_roundoff<double>(), kappa, 1e-11)),
        in_fifty(tolerance(n, static_cast<double>(unit_roundoff<Fifty>()), kappa, 1e-44))
  {
    if (group.within > 0)  // a print is as good as its last digit, whatever the condition
      in_double = in_fifty = group.within / static_cast<double>(scale_of(group));
  }
};

/// One comparison on a case: what each of its groups is off by in both precisions, and what it may be off by.
class Measured {
public:
  const Sides<double> sides_double;
  const Sides<Fifty> sides;
  const std::vector<double> r_double;
  const std::vector<Fifty> r_fifty;

  Measured(const Outcome& outcome, const Case& state, const Comparison<double>& in_double,
           const Comparison<Fifty>& in_fifty, bool every_kappa)
      : sides_double(in_double.of(state.in_double)),
        sides(in_fifty.of(state.in_fifty)),
        r_double(residuals(sides_double)),
        r_fifty(residuals(sides)),
        n_(state.n),
        growth_(size(), 1.0)
  {
    if (r_double.size() != r_fifty.size())
      throw Error("'" + outcome.name + "' compares " + std::to_string(r_double.size()) + " groups in double and " +
                  std::to_string(r_fifty.size()) + " in 50 digits; what it compares must not depend on the scalar.");
    if (!every_kappa && !fails()) return;
    if (std::ranges::none_of(sides.groups(), &Sides<Fifty>::Group::has_condition)) return;
    measure_growth(
        size(), [&](std::uint64_t k) { return state.growth_of(sides, in_fifty, k); }, growth_,
        [&] { return !fails(); });
  }

  std::size_t size() const { return r_double.size(); }
  double fifty(std::size_t g) const { return static_cast<double>(r_fifty[g]); }
  double kappa(std::size_t g) const { return growth_[g]; }
  Tolerances may_be(std::size_t g) const { return {sides.groups()[g], n_, kappa(g)}; }

  Verdict verdict(std::size_t g) const
  {
    const Tolerances most = may_be(g);
    const bool holds = r_double[g] <= most.in_double && fifty(g) <= most.in_fifty;
    const bool told = std::isfinite(most.in_fifty) || fifty(g) == 0;  // what 50 digits cannot tell is no proof
    if (!holds || !told) return sides.groups()[g].within > 0 ? Verdict::missed : Verdict::failed;
    return std::isfinite(most.in_double) || r_double[g] == 0 ? Verdict::held : Verdict::not_measurable;
  }

private:
  bool fails() const
  {
    for (std::size_t g = 0; g < size(); ++g)
      if (verdict(g) == Verdict::failed) return true;
    return false;
  }

  int n_;
  std::vector<double> growth_;
};

/// Evaluate one comparison on a case and keep the figures of its worst group.
void judge(Outcome& outcome, const Case& state, const Comparison<double>& in_double, const Comparison<Fifty>& in_fifty,
           bool every_kappa)
{
  const Measured it(outcome, state, in_double, in_fifty, every_kappa);
  double worst = outcome.nearness();
  std::vector<double> tolerances;
  for (std::size_t g = 0; g < it.size(); ++g) {
    const Tolerances may_be = it.may_be(g);
    const Verdict verdict = it.verdict(g);
    for (const std::string& clause : it.sides.clauses_of(it.sides.groups()[g], outcome.keys))
      outcome.note(clause, verdict);
    outcome.applied = true;
    outcome.passed = outcome.passed && verdict != Verdict::failed;
    tolerances.push_back(may_be.in_double);
    const double near = nearness(it.r_double[g], may_be.in_double, it.fifty(g), may_be.in_fifty);
    if (near <= worst) continue;
    worst = near;
    outcome.residual_double = it.r_double[g], outcome.tolerance_double = may_be.in_double;
    outcome.residual_50 = it.fifty(g), outcome.tolerance_50 = may_be.in_fifty;
    outcome.kappa = it.kappa(g);
  }
  outcome.note_rivals(it.sides_double, tolerances);
}

/// All identities and errata, not evaluated yet.
Proof nothing_yet()
{
  Proof proof;
  for (const auto& [chapter, identity] : Registry<double>::instance().identities)
    proof.outcomes.push_back({chapter, identity.name, identity.method, identity.symbols, identity.keys});
  for (const auto& erratum : Registry<double>::instance().errata) {
    proof.errata.push_back({erratum.id, erratum.keys, erratum.margin, INFINITY, {}});
    proof.errata.back().corrected.name = erratum.id;
  }
  return proof;
}

/// A proof in one state.
Proof proof_at(const Inputs& inputs, std::uint64_t seed, const Scope& scope)
{
  const auto& in_double = Registry<double>::instance();
  const auto& in_fifty = Registry<Fifty>::instance();
  const Model<double> model(inputs.mechanism, {inputs.options.floating_base, true});
  const Case state(inputs, seed);
  Proof proof = nothing_yet();
  for (std::size_t k = 0; k < proof.outcomes.size(); ++k)
    if ((scope.chapters.empty() || scope.chapters.count(proof.outcomes[k].chapter)) &&
        in_double.identities[k].identity.applies(model))
      judge(proof.outcomes[k], state, in_double.identities[k].identity.sides, in_fifty.identities[k].identity.sides,
            scope.every_kappa);
  const bool with_errata = scope.errata && scope.chapters.empty() && model.bodies() > 0;
  for (std::size_t k = 0; k < proof.errata.size() && with_errata; ++k) {
    judge(proof.errata[k].corrected, state, in_double.errata[k].corrected, in_fifty.errata[k].corrected,
          scope.every_kappa);
    for (const auto& printed : in_double.errata[k].printed) {
      double worst = 0;
      for (const double r : residuals(printed.of(state.in_double).groups())) worst = std::max(worst, r);
      proof.errata[k].printed_residual = std::min(proof.errata[k].printed_residual, worst);
    }
  }
  return proof;
}

}  // namespace

std::vector<double> growth(const Sides<Fifty>& at, const Sides<Fifty>& moved, double unit)
{
  std::vector<double> kappa;
  for (std::size_t g = 0; g < at.groups().size(); ++g) {
    const auto &a = at.groups()[g], &b = moved.groups()[g];
    const Fifty scale = scale_of(a);
    Fifty change(0);
    for (std::size_t k = 0; k < a.left.size(); ++k)
      change = std::max({change, magnitude(Fifty(a.left[k] - b.left[k])), magnitude(Fifty(a.right[k] - b.right[k]))});
    kappa.push_back(change == 0 ? 1.0 : std::max(1.0, static_cast<double>(change / scale) / unit));
  }
  return kappa;
}

void measure_growth(std::size_t groups, const std::function<std::vector<double>(std::uint64_t k)>& growth,
                    std::vector<double>& largest, const std::function<bool()>& is_enough)
{
  largest.assign(groups, 1.0);
  for (std::uint64_t k = 0; k < least_moves || (k < most_moves && !is_enough()); ++k) {
    const std::vector<double> grown = growth(k);
    for (std::size_t g = 0; g < groups; ++g) largest[g] = std::max(largest[g], grown[g]);
  }
}

double tolerance(int n, double eps, double kappa, double cap)
{
  if (!(n * eps * kappa <= 1e-3)) return INFINITY;
  const double derived = 100 * n * eps * kappa;
  return kappa < 1e3 ? std::min(derived, cap) : derived;
}

Proof prove(const Mechanism& mechanism, const ModelOptions& options, int states, std::uint64_t seed,
            const Progress& progress, const Scope& scope)
{
  std::vector<Proof> proofs{nothing_yet()};
  std::deque<std::future<Proof>> under_way;
  const std::size_t processors = std::max(1u, std::thread::hardware_concurrency());
  for (int started = 0, done = 0; done < states;) {
    for (; started < states && under_way.size() < processors; ++started) {
      const std::uint64_t state_seed = seed * 1000003 + started;  // neighbouring seeds share no state
      under_way.push_back(std::async(std::launch::async, [&, state_seed] {
        return proof_at(Inputs::draw(mechanism, options, state_seed), state_seed, scope);
      }));
    }
    proofs.push_back(under_way.front().get());
    under_way.pop_front();
    ++done;
    if (progress) progress(done, states);
  }
  return combined(proofs);
}

}  // namespace articulate::validation
