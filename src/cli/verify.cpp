#include "verify.hpp"
#include <unistd.h>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <ledger/ledger.hpp>
#include <models/models.hpp>
#include "output.hpp"

namespace articulate::cli {
namespace {

using namespace validation;
using json = Json;

struct Subject {
  std::string name;
  Mechanism mechanism;
  ModelOptions options;
};

std::vector<Subject> subjects(const ModelChoice& choice)
{
  if (!choice.model.empty()) {
    const Model<double> model = load(choice);
    return {{choice.model, model.mechanism(), {model.floating_base(), choice.accept_unphysical}}};
  }
  std::vector<Subject> all;
  for (const BuiltIn& entry : built_in_models())
    all.push_back({entry.name, built_in_model(entry.name), {entry.floating_base || choice.floating_base, false}});
  return all;
}

/// A bar on a terminal, nothing elsewhere.
class ProgressBar {
public:
  void show(const std::string& what, int done, int total) const
  {
    if (!terminal_) return;
    const int width = 40, filled = width * done / total;
    std::fprintf(stderr, "\r\033[K[%s%s] %s", std::string(filled, '#').c_str(),
                 std::string(width - filled, '.').c_str(), what.c_str());
  }
  void clear() const
  {
    if (terminal_) std::fprintf(stderr, "\r\033[K");
  }

private:
  bool terminal_ = isatty(STDERR_FILENO);
};

json number(double x) { return std::isfinite(x) ? json(x) : json(nullptr); }

json to_json(const Outcome& outcome)
{
  return {{"name", outcome.name},
          {"method", outcome.method},
          {"residual_double", number(outcome.residual_double)},
          {"tolerance_double", outcome.tolerance_double},
          {"residual_50", number(outcome.residual_50)},
          {"tolerance_50", outcome.tolerance_50},
          {"kappa", number(outcome.kappa)},
          {"passed", outcome.passed}};
}

/// The figures of an erratum's proof, or its id and class alone where it is not proved yet.
json erratum_json(const ErratumRow& row, const Proof& proof)
{
  json erratum = {{"id", row.id}, {"class", row.kind}, {"printed_residual", nullptr}, {"corrected_residual", nullptr}};
  for (const ErratumOutcome& outcome : proof.errata)
    if (outcome.id == row.id) {
      erratum["printed_residual"] = number(outcome.printed_residual);
      erratum["corrected_residual"] = number(outcome.corrected.residual_double);
    }
  return erratum;
}

json rows_json(const std::vector<Row>& rows, const std::vector<ErratumRow>& errata, const Proof& proof)
{
  json list = json::array();
  for (const Row& row : rows) {
    json identities = json::array();
    std::string symbol = row.symbol;
    for (const Outcome& outcome : proof.outcomes)
      if (outcome.applied && std::find(outcome.keys.begin(), outcome.keys.end(), row.key) != outcome.keys.end())
        identities.push_back(to_json(outcome));
    json erratum = nullptr;
    for (const ErratumRow& candidate : errata)
      if (!row.errata.empty() && candidate.id == row.errata.front()) erratum = erratum_json(candidate, proof);
    list.push_back({{"key", row.key},
                    {"paper", row.paper},
                    {"section", row.section},
                    {"kind", row.kind},
                    {"chapter", row.chapter},
                    {"provenance", row.provenance},
                    {"statement", row.statement},
                    {"symbol", symbol == "-" ? json(nullptr) : json(symbol)},
                    {"status", name(status_of(row, proof))},
                    {"identities", identities},
                    {"erratum", erratum}});
  }
  return list;
}

struct Count {
  std::map<Status, int> by_status;
  int rows = 0;
};

void print_chapter(const std::string& chapter, const Count& count, const Proof& proof)
{
  int applied = 0, failed = 0;
  double worst_double = 0, worst_50 = 0, kappa = 0;
  for (const Outcome& outcome : proof.outcomes) {
    if (outcome.chapter != chapter || !outcome.applied) continue;
    ++applied;
    failed += !outcome.passed;
    worst_double = std::max(worst_double, outcome.residual_double);
    worst_50 = std::max(worst_50, outcome.residual_50);
    kappa = std::max(kappa, outcome.kappa);
  }
  const auto of = [&](Status status) {
    const auto found = count.by_status.find(status);
    return found == count.by_status.end() ? 0 : found->second;
  };
  std::printf("  %-14s %3d rows: %3d verified, %3d open, %d failed", chapter.c_str(), count.rows, of(Status::verified),
              of(Status::open), of(Status::failed));
  if (applied)
    std::printf("; %2d identities, %d failed, worst residual %.0e in double, %.0e in 50 digits", applied, failed,
                worst_double, worst_50);
  std::printf("\n");
}

}  // namespace

int verify(const VerifyOptions& options)
{
  const auto start = std::chrono::steady_clock::now();
  if (options.states < 1) throw Error("--states is " + std::to_string(options.states) + "; it must be at least 1.");
  const std::vector<Row> rows = ledger_rows();
  const std::vector<ErratumRow> errata = errata_rows();
  const std::vector<Subject> all = subjects(options.choice);
  const bool built_in = options.choice.model.empty();
  const ProgressBar bar;

  std::vector<std::string> warnings;
  std::vector<Proof> proofs;
  json models = json::array();
  std::printf("seed %llu, %d random states on each of %zu model%s\n", static_cast<unsigned long long>(options.seed),
              options.states, all.size(), all.size() == 1 ? "" : "s");
  for (std::size_t m = 0; m < all.size(); ++m) {
    const Subject& subject = all[m];
    const Model<double> model(subject.mechanism, subject.options);
    warnings.insert(warnings.end(), model.warnings().begin(), model.warnings().end());
    models.push_back(subject.name);
    const int total = static_cast<int>(all.size()) * options.states;
    proofs.push_back(prove(subject.mechanism, subject.options, options.states, options.seed, [&](int done, int) {
      bar.show(subject.name, static_cast<int>(m) * options.states + done, total);
    }));
    for (const Outcome& outcome : proofs.back().outcomes)
      if (!outcome.passed) {
        bar.clear();
        std::printf("  FAILED on %s: %s: residual %.2e of at most %.2e in double, %.2e of at most %.2e in 50 digits\n",
                    subject.name.c_str(), outcome.name.c_str(), outcome.residual_double, outcome.tolerance_double,
                    outcome.residual_50, outcome.tolerance_50);
      }
  }
  bar.clear();
  const Proof proof = combined(proofs);

  // Chapters in the order of the book.
  std::map<std::string, Count> chapters;
  std::map<std::string, std::map<Status, int>> provenances;
  Count total;
  for (const Row& row : rows) {
    const Status status = status_of(row, proof);
    ++chapters[row.chapter].rows, ++chapters[row.chapter].by_status[status];
    ++total.rows, ++total.by_status[status], ++provenances[row.provenance][status];
  }
  for (const char* chapter : {"group", "body", "model", "rnea", "aba", "hybrid", "constrained", "derivatives",
                              "skew_symmetry", "higher_order", "lagrange", "mechanisms"})
    if (chapters.count(chapter)) print_chapter(chapter, chapters[chapter], proof);

  int failed_errata = 0;
  for (const ErratumOutcome& erratum : proof.errata) {
    const bool proved = erratum.corrected.passed && (erratum.printed_fails() || !built_in);
    failed_errata += !proved;
    std::printf("  erratum %-10s printed form misses by at least %.1e, corrected form holds to %.0e%s\n",
                erratum.id.c_str(), erratum.printed_residual, erratum.corrected.residual_double,
                proved ? "" : "  FAILED");
  }
  int failed_identities = 0;
  for (const Outcome& outcome : proof.outcomes) failed_identities += outcome.applied && !outcome.passed;
  for (const auto& [provenance, counts] : provenances) {
    int sum = 0, verified = 0;
    for (const auto& [status, count] : counts) sum += count, verified += status == Status::verified ? count : 0;
    std::printf("  provenance %-16s %3d of %3d rows verified\n", provenance.c_str(), verified, sum);
  }
  for (const std::string& warning : warnings) std::printf("  warning: %s\n", warning.c_str());
  const auto of = [&](Status status) { return total.by_status[status]; };
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::printf("%d rows: %d verified, %d open, %d not applicable, %d unrecoverable, %d failed (%.1f s)\n", total.rows,
              of(Status::verified), of(Status::open), of(Status::not_applicable), of(Status::unrecoverable),
              of(Status::failed), seconds);

  if (!options.json.empty()) {
    json errata_list = json::array();
    for (const ErratumRow& row : errata) errata_list.push_back(erratum_json(row, proof));
    write_json({{"conventions", conventions()},
                {"warnings", warnings},
                {"model", models.size() == 1 ? models[0] : models},
                {"floating_base", all.size() == 1 && all[0].options.floating_base},
                {"states", options.states},
                {"seed", options.seed},
                {"rows", rows_json(rows, errata, proof)},
                {"errata", errata_list},
                {"summary",
                 {{"rows", total.rows},
                  {"verified", of(Status::verified)},
                  {"open", of(Status::open)},
                  {"not_applicable", of(Status::not_applicable)},
                  {"unrecoverable", of(Status::unrecoverable)},
                  {"failed", of(Status::failed)}}}},
               options.json);
  }
  const bool sound = failed_identities == 0 && failed_errata == 0 && of(Status::failed) == 0;
  return sound && !(options.strict && of(Status::open) > 0) ? 0 : 1;
}

}  // namespace articulate::cli
