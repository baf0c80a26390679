#include "verification.hpp"
#include <algorithm>
#include <cmath>
#include <ledger/long_robots.hpp>
#include <ledger/proof.hpp>
#include <models/models.hpp>

namespace articulate::cli {

using namespace validation;

namespace {

bool contains(const std::vector<std::string>& keys, const std::string& key)
{
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

Json number(double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); }

/// What an identity says of a row. A tolerance that is null is infinite: nothing could be measured.
Json to_json(const Outcome& outcome, const validation::Row& row)
{
  Json clauses = Json::object(), rivals = Json::array();
  for (const Clause& clause : row.clauses)
    if (const auto found = outcome.clauses.find(clause.key); found != outcome.clauses.end())
      clauses[clause.key] = name(found->second);
  for (const RivalOutcome& rival : outcome.rivals)
    if (rival.clauses.empty() || std::any_of(rival.clauses.begin(), rival.clauses.end(),
                                             [&](const std::string& key) { return clauses.contains(key); }))
      rivals.push_back({{"name", rival.name}, {"missed_by_tolerances", number(rival.missed_by)}});
  return {{"name", outcome.name},
          {"method", outcome.method},
          {"residual_double", number(outcome.residual_double)},
          {"tolerance_double", number(outcome.tolerance_double)},
          {"residual_50", number(outcome.residual_50)},
          {"tolerance_50", number(outcome.tolerance_50)},
          {"kappa", number(outcome.kappa)},
          {"clauses", clauses},
          {"rivals", rivals},
          {"passed", outcome.passed}};
}

bool proves(const Outcome& outcome, const validation::Row& row)
{
  return std::any_of(row.clauses.begin(), row.clauses.end(),
                     [&](const Clause& clause) { return contains(outcome.keys, clause.key); });
}

/// The figures of an erratum's proof, or its id and class alone where it was not measured, or not on this row.
Json erratum_json(const ErratumRow& row, const Proof& proof, const std::string& key = "")
{
  Json erratum = {{"id", row.id},
                  {"class", row.kind},
                  {"measured_on", Json::array()},
                  {"printed_residual", nullptr},
                  {"corrected_residual", nullptr}};
  for (const ErratumOutcome& outcome : proof.errata)
    if (outcome.id == row.id && outcome.corrected.applied && (key.empty() || contains(outcome.keys, key))) {
      erratum["measured_on"] = outcome.keys;
      erratum["printed_residual"] = number(outcome.printed_residual);
      erratum["corrected_residual"] = number(outcome.corrected.residual_double);
    }
  return erratum;
}

Json rows_json(const std::vector<validation::Row>& rows, const std::vector<ErratumRow>& errata, const Proof& proof)
{
  Json list = Json::array();
  for (const validation::Row& row : rows) {
    Json identities = Json::array();
    for (const Outcome& outcome : proof.outcomes)
      if (outcome.applied && proves(outcome, row)) identities.push_back(to_json(outcome, row));
    Json clauses = Json::array();
    for (const Clause& clause : row.clauses) clauses.push_back({{"key", clause.key}, {"says", clause.says}});
    Json erratum = nullptr;
    for (const ErratumRow& candidate : errata)
      if (!row.errata.empty() && candidate.id == row.errata.front()) erratum = erratum_json(candidate, proof, row.key);
    list.push_back({{"key", row.key},
                    {"paper", row.paper},
                    {"section", row.section},
                    {"kind", row.kind},
                    {"chapter", row.chapter},
                    {"ground", row.ground},
                    {"claim", name(row.claim)},
                    {"statement", row.statement},
                    {"clauses", clauses},
                    {"symbol", row.symbol == "-" ? Json(nullptr) : Json(row.symbol)},
                    {"status", name(status_of(row, proof))},
                    {"identities", identities},
                    {"erratum", erratum}});
  }
  return list;
}

}  // namespace

std::vector<Subject> subjects(const ModelChoice& choice)
{
  if (!choice.model.empty()) {
    const Model<double> model = load(choice);
    const auto entries = built_in_models();
    const bool built_in = std::any_of(entries.begin(), entries.end(), [&](const BuiltIn& entry) {
      return entry.name == choice.model && entry.floating_base == model.floating_base();
    });
    return {{choice.model, model.mechanism(), {model.floating_base(), choice.accept_unphysical}, built_in}};
  }
  std::vector<Subject> all;
  for (const BuiltIn& entry : built_in_models())
    all.push_back({entry.name, built_in_model(entry.name), {entry.floating_base || choice.floating_base, false}, true});
  return all;
}

int usual_states(const std::vector<Subject>& subjects)
{
  const auto is_large = [](const Subject& subject) { return subject.mechanism.links.size() > 60; };
  return std::ranges::any_of(subjects, is_large) ? 2 : 10;
}

int Count::of(Status status) const
{
  const auto found = by_status.find(status);
  return found == by_status.end() ? 0 : found->second;
}

Json Count::to_json() const
{
  Json counts{{"rows", rows}};
  for (const Status status : statuses) counts[name(status)] = of(status);
  return counts;
}

Counts::Counts(const std::vector<validation::Row>& rows, const Proof& proof)
{
  for (const validation::Row& row : rows)
    for (Count* count : {&chapters[row.chapter], &grounds[row.ground], &total}) count->add(status_of(row, proof));
}

Verification verified(const std::vector<Subject>& subjects, int states, std::uint64_t seed, const Listener& listener,
                      bool quick)
{
  Verification all{subjects, states, seed, {}, {}};
  std::vector<Proof> proofs;
  for (std::size_t m = 0; m < subjects.size(); ++m) {
    const Subject& subject = subjects[m];
    const Model<double> model(subject.mechanism, subject.options);
    for (const std::string& warning : model.warnings())
      all.warnings.push_back(subjects.size() == 1 ? warning : subject.name + ": " + warning);
    if (model.nv() > most_rates_in_full)
      all.warnings.push_back(subject.name + " has " + std::to_string(model.nv()) +
                             " joint rates; matrices with six rows for each body, second derivatives, and what asks "
                             "for every body behind every other are compared on models of at most " +
                             std::to_string(most_rates_in_full) + ".");
    const int before = static_cast<int>(m) * states, total = static_cast<int>(subjects.size()) * states;
    proofs.push_back(prove(subject.mechanism, subject.options, states, seed,
                           [&](int done, int) { listener.state(subject, before + done, total); },
                           {.errata = subject.built_in, .every_kappa = !quick}));
    listener.mechanism(subject, proofs.back());
  }
  all.proof = combined(proofs);
  return all;
}

Json to_json(const Verification& all)
{
  const std::vector<ErratumRow> errata = errata_rows();
  const Counts counts = all.counts();
  Json models = Json::array(), floating = Json::array(), errata_list = Json::array();
  for (const Subject& subject : all.subjects)
    models.push_back(subject.name), floating.push_back(subject.options.floating_base);
  for (const ErratumRow& row : errata) errata_list.push_back(erratum_json(row, all.proof));
  Json summary = counts.total.to_json();
  for (const auto& [ground, count] : counts.grounds) summary["by_ground"][ground] = count.to_json();
  const bool one = all.subjects.size() == 1;
  return {{"conventions", conventions()},
          {"warnings", all.warnings},
          {"model", one ? models[0] : models},
          {"floating_base", one ? floating[0] : floating},
          {"states", all.states},
          {"seed", all.seed},
          {"rows", rows_json(ledger_rows(), errata, all.proof)},
          {"errata", errata_list},
          {"summary", summary}};
}

}  // namespace articulate::cli
