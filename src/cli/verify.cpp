#include "verify.hpp"
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <set>
#include <string>
#include "html.hpp"
#include "progress_bar.hpp"
#include "verification.hpp"

namespace articulate::cli {
namespace {

using namespace validation;

/// "72 verified, 396 open, 0 failed"; what may be zero without saying anything is left out.
std::string in_words(const Count& count)
{
  std::string words;
  for (const Status status : statuses) {
    const bool always = status == Status::verified || status == Status::open || status == Status::failed;
    if (!always && count.of(status) == 0) continue;
    std::string word = name(status);
    std::replace(word.begin(), word.end(), '_', ' ');
    words += (words.empty() ? "" : ", ") + std::to_string(count.of(status)) + " " + word;
  }
  return words;
}

std::string number(double x)
{
  char text[16];
  std::snprintf(text, sizeof text, "%.2e", x);
  return text;
}

std::string failure(const std::string& what, const Outcome& outcome)
{
  if (std::isinf(outcome.tolerance_50))
    return what + ": what is compared is nothing but rounding, which 50 digits cannot tell from an error (residual " +
           number(outcome.residual_double) + " in double, " + number(outcome.residual_50) + " in 50 digits)";
  return what + ": residual " + number(outcome.residual_double) + " of at most " + number(outcome.tolerance_double) +
         " in double, " + number(outcome.residual_50) + " of at most " + number(outcome.tolerance_50) + " in 50 digits";
}

/// What makes the exit code 1, a line each.
std::vector<std::string> failures(const Subject& subject, const Proof& proof)
{
  std::vector<std::string> lines;
  for (const Outcome& outcome : proof.outcomes)
    if (!outcome.passed) lines.push_back(failure(outcome.name + " on " + subject.name, outcome));
  for (const ErratumOutcome& erratum : proof.errata)
    if (!erratum.corrected.passed)
      lines.push_back(failure("the corrected form of " + erratum.id + " on " + subject.name, erratum.corrected));
    else if (!erratum.printed_fails())
      lines.push_back("the printed form of " + erratum.id + " on " + subject.name + " misses by " +
                      number(erratum.printed_residual) + " where it must miss by " + number(erratum.margin));
  return lines;
}

/// Identities of which double says nothing on some state: neither passed nor failed there.
void print_unmeasured(const Subject& subject, const Proof& proof)
{
  for (const Outcome& outcome : proof.outcomes)
    if (std::any_of(outcome.clauses.begin(), outcome.clauses.end(),
                    [](const auto& clause) { return clause.second == Verdict::not_measurable; }))
      std::printf(
          "  not measurable on %s: %s: so ill-conditioned that double has no digit left, while 50 digits hold\n",
          subject.name.c_str(), outcome.name.c_str());
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
  std::printf("  %-14s %3d rows: %s", chapter.c_str(), count.rows, in_words(count).c_str());
  if (applied)
    std::printf("; %2d identities, %d failed, worst residual %.0e in double, %.0e in 50 digits", applied, failed,
                worst_double, worst_50);
  std::printf("\n");
}

/// A remark is no error of the print: its wrong form is one that a reader may be tempted to write.
void print_erratum(const ErratumOutcome& erratum, bool is_remark)
{
  std::printf("  %s %-10s %s form misses by at least %.1e, right form holds to %.0e\n",
              is_remark ? "remark " : "erratum", erratum.id.c_str(), is_remark ? "tempting" : "printed",
              erratum.printed_residual, erratum.corrected.residual_double);
}

}  // namespace

int verify(const VerifyOptions& options)
{
  const auto start = std::chrono::steady_clock::now();
  check(options);
  const std::vector<Subject> all = subjects(options.choice);
  const bool complete = options.choice.model.empty();  // only the built-in models together exercise every row
  const int states = options.states.value_or(usual_states(all));
  std::printf("seed %llu, %d random states on each of %zu model%s\n", static_cast<unsigned long long>(options.seed),
              states, all.size(), all.size() == 1 ? "" : "s");
  const ProgressBar bar;
  std::vector<std::string> wrong;
  const Verification verification =
      verified(all, states, options.seed,
               {[&](const Subject& subject, int done, int total) { bar.show(subject.name, done, total); },
                [&](const Subject& subject, const Proof& proof) {
                  bar.clear();
                  print_unmeasured(subject, proof);
                  for (const std::string& line : failures(subject, proof)) wrong.push_back("FAILED: " + line);
                }},
               options.quick);
  const Proof& proof = verification.proof;
  const Counts counts = verification.counts();

  for (const char* chapter : {"group", "body", "model", "rnea", "aba", "hybrid", "constrained", "derivatives",
                              "lagrange", "skew_symmetry", "motion", "higher_order", "mechanisms"})
    if (const auto found = counts.chapters.find(chapter); found != counts.chapters.end())
      print_chapter(chapter, found->second, proof);
  std::set<std::string> remarks;
  for (const ErratumRow& row : errata_rows())
    if (row.kind == "remark") remarks.insert(row.id);
  for (const ErratumOutcome& erratum : proof.errata)
    if (erratum.corrected.applied) print_erratum(erratum, remarks.count(erratum.id) > 0);
  for (const auto& [ground, count] : counts.grounds)
    std::printf("  ground %-16s %3d rows: %s\n", ground.c_str(), count.rows, in_words(count).c_str());
  for (const std::string& warning : verification.warnings) std::printf("  warning: %s\n", warning.c_str());
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::printf("%d rows: %s (%.1f s)\n", counts.total.rows, in_words(counts.total).c_str(), seconds);
  if (options.strict && complete)
    for (const std::string& gap : gaps(ledger_rows(), proof)) wrong.push_back("MISSING: " + gap);
  if (options.strict && counts.total.of(Status::open) > 0)
    wrong.push_back("MISSING: " + std::to_string(counts.total.of(Status::open)) + " rows are open");
  for (const std::string& line : wrong) std::printf("%s\n", line.c_str());
  if (std::fflush(stdout) != 0) throw Error("Standard output cannot be written; is its device full or closed?");

  if (!options.json.empty() || !options.html.empty()) {
    const Json ledger = to_json(verification);
    if (!options.json.empty()) write_json(ledger, options.json);
    if (!options.html.empty()) write_text(html_page(ledger), options.html);
  }
  return wrong.empty() ? 0 : 1;
}

}  // namespace articulate::cli
