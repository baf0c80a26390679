#include "verify.hpp"
#include <chrono>
#include <cstdio>
#include "html.hpp"
#include "progress_bar.hpp"
#include "verification.hpp"

namespace articulate::cli {
namespace {

using namespace validation;

/// "72 verified, 396 open, ..."; what may be zero without saying anything is left out.
std::string in_words(const Count& count, bool all)
{
  const auto part = [&](Status status, const char* word) { return std::to_string(count.of(status)) + " " + word; };
  std::string words = part(Status::verified, "verified") + ", " + part(Status::open, "open");
  if (all || count.of(Status::not_applicable)) words += ", " + part(Status::not_applicable, "not applicable");
  if (all || count.of(Status::unrecoverable)) words += ", " + part(Status::unrecoverable, "unrecoverable");
  return words + ", " + part(Status::failed, "failed");
}

void print_failures(const Subject& subject, const Proof& proof)
{
  for (const Outcome& outcome : proof.outcomes)
    if (!outcome.passed)
      std::printf("  FAILED on %s: %s: residual %.2e of at most %.2e in double, %.2e of at most %.2e in 50 digits\n",
                  subject.name.c_str(), outcome.name.c_str(), outcome.residual_double, outcome.tolerance_double,
                  outcome.residual_50, outcome.tolerance_50);
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
  std::printf("  %-14s %3d rows: %s", chapter.c_str(), count.rows, in_words(count, false).c_str());
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

}  // namespace

int verify(const VerifyOptions& options)
{
  const auto start = std::chrono::steady_clock::now();
  check(options);
  const std::vector<Subject> all = subjects(options.choice);
  const bool built_in = options.choice.model.empty();
  std::printf("seed %llu, %d random states on each of %zu model%s\n", static_cast<unsigned long long>(options.seed),
              options.states, all.size(), all.size() == 1 ? "" : "s");
  const ProgressBar bar;
  const Verification verification =
      verified(all, options.states, options.seed,
               {[&](const Subject& subject, int done, int total) { bar.show(subject.name, done, total); },
                [&](const Subject& subject, const Proof& proof) { bar.clear(), print_failures(subject, proof); }});
  const Proof& proof = verification.proof;
  const Counts counts = verification.counts();

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
  for (const std::string& warning : verification.warnings) std::printf("  warning: %s\n", warning.c_str());
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::printf("%d rows: %s (%.1f s)\n", counts.total.rows, in_words(counts.total, true).c_str(), seconds);
  if (std::fflush(stdout) != 0) throw Error("Standard output cannot be written; is its device full or closed?");

  if (!options.json.empty() || !options.html.empty()) {
    const Json ledger = to_json(verification);
    if (!options.json.empty()) write_json(ledger, options.json);
    if (!options.html.empty()) write_text(html_page(ledger), options.html);
  }
  return sound && !(options.strict && counts.total.of(Status::open) > 0) ? 0 : 1;
}

}  // namespace articulate::cli
