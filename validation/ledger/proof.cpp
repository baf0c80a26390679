#include <ledger/proof.hpp>
#include <algorithm>
#include <cmath>

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

/// Evaluate one comparison on a case and keep the figures of its worst group.
template <typename InDouble, typename InFifty>
void judge(Outcome& outcome, const Case& state, const InDouble& in_double, const InFifty& in_fifty)
{
  const Sides<Fifty> sides = in_fifty(state.in_fifty);
  const std::vector<double> kappa = growth(sides, in_fifty(state.moved));
  const std::vector<double> kappa_again = growth(sides, in_fifty(state.moved_again));
  const std::vector<double> r_double = residuals(in_double(state.in_double));
  const std::vector<Fifty> r_fifty = residuals(sides);
  outcome.applied = outcome.applied || !kappa.empty();
  double worst = outcome.tolerance_double > 0 ? std::max(outcome.residual_double / outcome.tolerance_double,
                                                         outcome.residual_50 / outcome.tolerance_50)
                                              : -1;
  for (std::size_t g = 0; g < kappa.size(); ++g) {
    const double k = std::max(kappa[g], kappa_again[g]), fifty = static_cast<double>(r_fifty[g]);
    const double t_double = tolerance(state.n, unit_roundoff<double>(), k, 1e-11);
    const double t_fifty = tolerance(state.n, static_cast<double>(unit_roundoff<Fifty>()), k, 1e-44);
    const double ratio = std::max(r_double[g] / t_double, fifty / t_fifty);
    outcome.passed = outcome.passed && r_double[g] <= t_double && fifty <= t_fifty;
    if (ratio <= worst) continue;
    worst = ratio;
    outcome.residual_double = r_double[g], outcome.tolerance_double = t_double;
    outcome.residual_50 = fifty, outcome.tolerance_50 = t_fifty;
    outcome.kappa = k;
  }
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

Proof prove(const Mechanism& mechanism, const ModelOptions& options, int states, std::uint64_t seed,
            const Progress& progress, const std::string& only)
{
  const auto& in_double = Registry<double>::instance();
  const auto& in_fifty = Registry<Fifty>::instance();
  const Model<double> model(mechanism, {options.floating_base, true});
  Proof proof;
  for (const auto& [chapter, identity] : in_double.identities)
    proof.outcomes.push_back({chapter, identity.name, identity.method, identity.symbols, identity.keys});
  for (const auto& erratum : in_double.errata) {
    proof.errata.push_back({erratum.id, erratum.keys, erratum.margin, INFINITY, {}});
    proof.errata.back().corrected.name = erratum.id;
  }
  for (int s = 0; s < states; ++s) {
    const std::uint64_t state_seed = seed * 1000003 + s;  // neighbouring seeds share no state
    const Case state(Inputs::draw(mechanism, options, state_seed), state_seed);
    for (std::size_t k = 0; k < proof.outcomes.size(); ++k)
      if ((only.empty() || only == proof.outcomes[k].chapter) && in_double.identities[k].identity.applies(model))
        judge(proof.outcomes[k], state, in_double.identities[k].identity.sides, in_fifty.identities[k].identity.sides);
    for (std::size_t k = 0; k < proof.errata.size() && only.empty(); ++k) {
      judge(proof.errata[k].corrected, state, in_double.errata[k].corrected, in_fifty.errata[k].corrected);
      for (const auto& printed : in_double.errata[k].printed) {
        double worst = 0;
        for (const double r : residuals(printed(state.in_double))) worst = std::max(worst, r);
        proof.errata[k].printed_residual = std::min(proof.errata[k].printed_residual, worst);
      }
    }
    if (progress) progress(s + 1, states);
  }
  return proof;
}

}  // namespace articulate::validation
