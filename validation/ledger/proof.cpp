#include <ledger/proof.hpp>
#include <algorithm>
#include <cmath>
#include <deque>
#include <future>
#include <thread>

namespace articulate::validation {
namespace {

/// One state in the precisions that a proof needs.
struct Case {
  Specimen<double> in_double;
  Specimen<Fifty> in_fifty, moved, moved_again;
  int n;

  Case(const Inputs& inputs, std::uint64_t seed)
      : in_double(inputs),
        in_fifty(inputs),
        moved(inputs.nudged(2 * seed + 1)),
        moved_again(inputs.nudged(2 * seed + 2)),
        n(std::max(1, in_double.model.nv()))
  {
  }
};

/** How many numbers belong to each joint rate in what is compared: in chapter higher_order derivatives of orders 0 to 5.
 *
 *  Each is made from those below it, with their rounding; kappa, which moves the inputs alone, does not see that.
 */
int orders(const Outcome& outcome)
{
  return outcome.chapter == "higher_order" || outcome.name.starts_with("E-ali-") ? 6 : 1;
}

/// Evaluate one comparison on a case and keep the figures of its worst group.
void judge(Outcome& outcome, const Case& state, const Comparison<double>& in_double, const Comparison<Fifty>& in_fifty)
{
  const Sides<Fifty> sides = in_fifty.of(state.in_fifty);
  const std::vector<double> kappa = growth(sides, in_fifty.of(state.moved));
  const std::vector<double> kappa_again = growth(sides, in_fifty.of(state.moved_again));
  const std::vector<double> r_double = residuals(in_double.of(state.in_double));
  const std::vector<Fifty> r_fifty = residuals(sides);
  outcome.applied = outcome.applied || !kappa.empty();
  double worst = outcome.tolerance_double > 0 ? std::max(outcome.residual_double / outcome.tolerance_double,
                                                         outcome.residual_50 / outcome.tolerance_50)
                                              : -1;
  for (std::size_t g = 0; g < kappa.size(); ++g) {
    const double k = std::max(kappa[g], kappa_again[g]), fifty = static_cast<double>(r_fifty[g]);
    const int m = orders(outcome);
    const double t_double = tolerance(state.n * m, unit_roundoff<double>(), k, m * 1e-11);
    const double t_fifty = tolerance(state.n * m, static_cast<double>(unit_roundoff<Fifty>()), k, m * 1e-44);
    const double ratio = std::max(r_double[g] / t_double, fifty / t_fifty);
    outcome.passed = outcome.passed && r_double[g] <= t_double && fifty <= t_fifty;
    if (ratio <= worst) continue;
    worst = ratio;
    outcome.residual_double = r_double[g], outcome.tolerance_double = t_double;
    outcome.residual_50 = fifty, outcome.tolerance_50 = t_fifty;
    outcome.kappa = k;
  }
}

/// Take over the figures of the worse of two outcomes of one identity.
void take_worse(Outcome& worst, const Outcome& other)
{
  if (!other.applied) return;
  const auto ratio = [](const Outcome& o) {
    const double r = std::max(o.residual_double / o.tolerance_double, o.residual_50 / o.tolerance_50);
    return o.applied ? (std::isnan(r) ? INFINITY : r) : -1;
  };
  const bool passed = (worst.passed || !worst.applied) && other.passed;
  if (ratio(other) > ratio(worst)) worst = other;
  worst.applied = true;
  worst.passed = passed;
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
Proof proof_at(const Inputs& inputs, std::uint64_t seed, const std::set<std::string>& only)
{
  const auto& in_double = Registry<double>::instance();
  const auto& in_fifty = Registry<Fifty>::instance();
  const Model<double> model(inputs.mechanism, {inputs.options.floating_base, true});
  const Case state(inputs, seed);
  Proof proof = nothing_yet();
  for (std::size_t k = 0; k < proof.outcomes.size(); ++k)
    if ((only.empty() || only.count(proof.outcomes[k].chapter)) && in_double.identities[k].identity.applies(model))
      judge(proof.outcomes[k], state, in_double.identities[k].identity.sides, in_fifty.identities[k].identity.sides);
  const bool with_errata = only.empty() && model.bodies() > 0;
  for (std::size_t k = 0; k < proof.errata.size() && with_errata; ++k) {
    judge(proof.errata[k].corrected, state, in_double.errata[k].corrected, in_fifty.errata[k].corrected);
    for (const auto& printed : in_double.errata[k].printed) {
      double worst = 0;
      for (const double r : residuals(printed.of(state.in_double))) worst = std::max(worst, r);
      proof.errata[k].printed_residual = std::min(proof.errata[k].printed_residual, worst);
    }
  }
  return proof;
}

}  // namespace

std::vector<double> growth(const Sides<Fifty>& at, const Sides<Fifty>& moved)
{
  std::vector<double> kappa;
  for (std::size_t g = 0; g < at.groups().size(); ++g) {
    const auto &a = at.groups()[g], &b = moved.groups()[g];
    Fifty change(0), scale = a.scale;
    for (std::size_t k = 0; k < a.left.size(); ++k) {
      change = std::max({change, magnitude(Fifty(a.left[k] - b.left[k])), magnitude(Fifty(a.right[k] - b.right[k]))});
      scale = std::max({scale, magnitude(a.left[k]), magnitude(a.right[k])});
    }
    kappa.push_back(change == 0 ? 1.0 : std::max(1.0, static_cast<double>(change / scale) / unit_roundoff<double>()));
  }
  return kappa;
}

double tolerance(int n, double eps, double kappa, double cap)
{
  const double derived = 100 * n * eps * kappa;
  return kappa < 1e3 ? std::min(derived, cap) : derived;
}

Proof combined(const std::vector<Proof>& proofs)
{
  Proof all = proofs.front();
  for (std::size_t p = 1; p < proofs.size(); ++p) {
    for (std::size_t k = 0; k < all.outcomes.size(); ++k) take_worse(all.outcomes[k], proofs[p].outcomes[k]);
    for (std::size_t k = 0; k < all.errata.size(); ++k) {
      take_worse(all.errata[k].corrected, proofs[p].errata[k].corrected);
      all.errata[k].printed_residual = std::min(all.errata[k].printed_residual, proofs[p].errata[k].printed_residual);
    }
  }
  return all;
}

Proof prove(const Mechanism& mechanism, const ModelOptions& options, int states, std::uint64_t seed,
            const Progress& progress, const std::set<std::string>& only)
{
  std::vector<Proof> proofs{nothing_yet()};
  std::deque<std::future<Proof>> under_way;
  const std::size_t processors = std::max(1u, std::thread::hardware_concurrency());
  for (int started = 0, done = 0; done < states;) {
    for (; started < states && under_way.size() < processors; ++started) {
      const std::uint64_t state_seed = seed * 1000003 + started;  // neighbouring seeds share no state
      under_way.push_back(std::async(std::launch::async, [&, state_seed] {
        return proof_at(Inputs::draw(mechanism, options, state_seed), state_seed, only);
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
