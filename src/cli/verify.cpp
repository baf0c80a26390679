#include "verify.hpp"
#include <unistd.h>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <ledger/ledger.hpp>
#include <models/models.hpp>
#include "html.hpp"

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

bool contains(const std::vector<std::string>& keys, const std::string& key)
{
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

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

/// The figures of an erratum's proof, or its id and class alone where it is not proved yet, or not on this row.
json erratum_json(const ErratumRow& row, const Proof& proof, const std::string& key = "")
{
  json erratum = {{"id", row.id},
                  {"class", row.kind},
                  {"measured_on", json::array()},
                  {"printed_residual", nullptr},
                  {"corrected_residual", nullptr}};
  for (const ErratumOutcome& outcome : proof.errata)
    if (outcome.id == row.id && (key.empty() || contains(outcome.keys, key))) {
      erratum["measured_on"] = outcome.keys;
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
      if (outcome.applied && contains(outcome.keys, row.key)) identities.push_back(to_json(outcome));
    json erratum = nullptr;
    for (const ErratumRow& candidate : errata)
      if (!row.errata.empty() && candidate.id == row.errata.front()) erratum = erratum_json(candidate, proof, row.key);
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

/// How many rows there are of each status, in some part of the ledger.
struct Count {
  std::map<Status, int> by_status;
  int rows = 0;

  void add(Status status) { ++rows, ++by_status[status]; }
  int of(Status status) const
  {
    const auto found = by_status.find(status);
    return found == by_status.end() ? 0 : found->second;
  }
  json to_json() const
  {
    json counts{{"rows", rows}};
    for (const Status status :
         {Status::verified, Status::open, Status::not_applicable, Status::unrecoverable, Status::failed})
      counts[name(status)] = of(status);
    return counts;
  }
  /// "72 verified, 396 open, ..."; what may be zero without saying anything is left out.
  std::string in_words(bool all) const
  {
    std::string words =
        std::to_string(of(Status::verified)) + " verified, " + std::to_string(of(Status::open)) + " open";
    if (all || of(Status::not_applicable))
      words += ", " + std::to_string(of(Status::not_applicable)) + " not applicable";
    if (all || of(Status::unrecoverable)) words += ", " + std::to_string(of(Status::unrecoverable)) + " unrecoverable";
    return words + ", " + std::to_string(of(Status::failed)) + " failed";
  }
};

struct Counts {
  std::map<std::string, Count> chapters, provenances;
  Count total;

  Counts(const std::vector<Row>& rows, const Proof& proof)
  {
    for (const Row& row : rows)
      for (Count* count : {&chapters[row.chapter], &provenances[row.provenance], &total})
        count->add(status_of(row, proof));
  }
};

/// All proofs, model by model; what fails is said at once.
std::vector<Proof> prove_all(const std::vector<Subject>& all, int states, std::uint64_t seed,
                             std::vector<std::string>& warnings)
{
  const ProgressBar bar;
  std::vector<Proof> proofs;
  for (std::size_t m = 0; m < all.size(); ++m) {
    const Subject& subject = all[m];
    const Model<double> model(subject.mechanism, subject.options);
    for (const std::string& warning : model.warnings())
      warnings.push_back(all.size() == 1 ? warning : subject.name + ": " + warning);
    const int total = static_cast<int>(all.size()) * states;
    proofs.push_back(prove(subject.mechanism, subject.options, states, seed,
                           [&](int done, int) { bar.show(subject.name, static_cast<int>(m) * states + done, total); }));
    bar.clear();
    for (const Outcome& outcome : proofs.back().outcomes)
      if (!outcome.passed)
        std::printf("  FAILED on %s: %s: residual %.2e of at most %.2e in double, %.2e of at most %.2e in 50 digits\n",
                    subject.name.c_str(), outcome.name.c_str(), outcome.residual_double, outcome.tolerance_double,
                    outcome.residual_50, outcome.tolerance_50);
  }
  return proofs;
}

void print_chapter(const std::string& chapter, const Count& count, const Proof& proof)
{
  int applied = 0, failed = 0;
  double worst_double = 0, worst_50 = 0;
  for (const Outcome& outcome : proof.outcomes) {
    if (outcome.chapter != chapter || !outcome.applied) continue;
    ++applied;
    failed += !outcome.passed;
    worst_double = std::max(worst_double, outcome.residual_double);
    worst_50 = std::max(worst_50, outcome.residual_50);
  }
  std::printf("  %-14s %3d rows: %s", chapter.c_str(), count.rows, count.in_words(false).c_str());
  if (applied)
    std::printf("; %2d identities, %d failed, worst residual %.0e in double, %.0e in 50 digits", applied, failed,
                worst_double, worst_50);
  std::printf("\n");
}

/// Whether an erratum is proved: on a robot of the user's the printed form may happen to be right.
bool print_erratum(const ErratumOutcome& erratum, bool built_in)
{
  const bool proved = erratum.corrected.passed && (erratum.printed_fails() || !built_in);
  const std::string id = erratum.id;
  if (erratum.printed_fails() || built_in)
    std::printf("  erratum %-10s printed form misses by at least %.1e", id.c_str(), erratum.printed_residual);
  else
    std::printf("  erratum %-10s printed form does not show its slip on this robot", id.c_str());
  std::printf(", corrected form holds to %.0e%s\n", erratum.corrected.residual_double, proved ? "" : "  FAILED");
  return proved;
}

json to_json(const VerifyOptions& options, const std::vector<Subject>& all, const std::vector<std::string>& warnings,
             const Counts& counts, const Proof& proof)
{
  const std::vector<ErratumRow> errata = errata_rows();
  json models = json::array(), floating = json::array(), errata_list = json::array();
  for (const Subject& subject : all) models.push_back(subject.name), floating.push_back(subject.options.floating_base);
  for (const ErratumRow& row : errata) errata_list.push_back(erratum_json(row, proof));
  json summary = counts.total.to_json();
  for (const auto& [provenance, count] : counts.provenances) summary["by_provenance"][provenance] = count.to_json();
  return {{"conventions", conventions()},
          {"warnings", warnings},
          {"model", all.size() == 1 ? models[0] : models},
          {"floating_base", all.size() == 1 ? floating[0] : floating},
          {"states", options.states},
          {"seed", options.seed},
          {"rows", rows_json(ledger_rows(), errata, proof)},
          {"errata", errata_list},
          {"summary", summary}};
}

}  // namespace

int verify(const VerifyOptions& options)
{
  const auto start = std::chrono::steady_clock::now();
  if (options.states < 1) throw Error("--states is " + std::to_string(options.states) + "; it must be at least 1.");
  require_writable(options.json);
  require_writable(options.html);
  const std::vector<Subject> all = subjects(options.choice);
  const bool built_in = options.choice.model.empty();
  std::printf("seed %llu, %d random states on each of %zu model%s\n", static_cast<unsigned long long>(options.seed),
              options.states, all.size(), all.size() == 1 ? "" : "s");
  std::vector<std::string> warnings;
  const Proof proof = combined(prove_all(all, options.states, options.seed, warnings));
  const Counts counts(ledger_rows(), proof);

  for (const char* chapter : {"group", "body", "model", "rnea", "aba", "hybrid", "constrained", "derivatives",
                              "skew_symmetry", "higher_order", "lagrange", "mechanisms"})
    if (const auto found = counts.chapters.find(chapter); found != counts.chapters.end())
      print_chapter(chapter, found->second, proof);
  bool sound = counts.total.of(Status::failed) == 0;
  for (const ErratumOutcome& erratum : proof.errata) sound = print_erratum(erratum, built_in) && sound;
  for (const Outcome& outcome : proof.outcomes) sound = sound && (outcome.passed || !outcome.applied);
  for (const auto& [provenance, count] : counts.provenances)
    std::printf("  provenance %-16s %3d of %3d rows verified\n", provenance.c_str(), count.of(Status::verified),
                count.rows);
  for (const std::string& warning : warnings) std::printf("  warning: %s\n", warning.c_str());
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::printf("%d rows: %s (%.1f s)\n", counts.total.rows, counts.total.in_words(true).c_str(), seconds);
  if (std::fflush(stdout) != 0) throw Error("Standard output cannot be written; is its device full or closed?");

  if (!options.json.empty() || !options.html.empty()) {
    const json ledger = to_json(options, all, warnings, counts, proof);
    if (!options.json.empty()) write_json(ledger, options.json);
    if (!options.html.empty()) write_text(html_page(ledger), options.html);
  }
  return sound && !(options.strict && counts.total.of(Status::open) > 0) ? 0 : 1;
}

}  // namespace articulate::cli
