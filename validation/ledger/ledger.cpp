#include <ledger/ledger.hpp>
#include <ledger/tables.hpp>
#include <algorithm>
#include <sstream>

namespace articulate::validation {
namespace {

std::vector<std::string> split(const std::string& line, char separator)
{
  std::vector<std::string> parts;
  std::stringstream stream(line);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

/// The lines of a table after its header, as cells.
std::vector<std::vector<std::string>> table(const std::string& name, std::size_t columns)
{
  const char* const text = table_text(name);
  if (!text) throw Error("The ledger's table " + name + " was missing when this program was built.");
  std::istringstream file(text);
  std::vector<std::vector<std::string>> cells;
  std::string line;
  std::getline(file, line);
  for (int number = 2; std::getline(file, line); ++number) {
    cells.push_back(split(line, '\t'));
    if (cells.back().size() != columns)
      throw Error("The ledger's table " + name + " has " + std::to_string(cells.back().size()) + " columns in line " +
                  std::to_string(number) + " where " + std::to_string(columns) + " are expected.");
  }
  return cells;
}

std::vector<std::string> list(const std::string& cell)
{
  return cell == "-" ? std::vector<std::string>{} : split(cell, ',');
}

bool contains(const std::vector<std::string>& keys, const std::string& key)
{
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

constexpr std::pair<Claim, const char*> claims[] = {{Claim::statement, "statement"},
                                                    {Claim::definition, "definition"},
                                                    {Claim::setting, "setting"},
                                                    {Claim::published, "published"},
                                                    {Claim::lost, "lost"}};

Claim claim_of(const std::string& key, const std::string& word)
{
  for (const auto& [claim, name] : claims)
    if (word == name) return claim;
  throw Error("Row " + key + " of the ledger claims '" + word +
              "'; a row is a statement, a definition, a setting, a published number or lost.");
}

/// What proofs say of one clause: the last word of all identities that name it.
struct ClauseState {
  bool named = false, compared = false;
  Verdict verdict = Verdict::not_measurable;

  ClauseState(const std::string& key, const Proof& proof)
  {
    for (const Outcome& outcome : proof.outcomes) {
      named = named || contains(outcome.keys, key);
      const auto found = outcome.clauses.find(key);
      if (found == outcome.clauses.end()) continue;
      compared = true;
      verdict = std::max(verdict, found->second);
    }
  }
};

/// Whether a rival of an identity guards a clause of it: it is tagged so, or neither it nor the comparison is.
bool guards(const RivalOutcome& rival, const Outcome& outcome, const std::string& clause)
{
  if (!contains(outcome.keys, clause)) return false;
  if (!rival.clauses.empty()) return contains(rival.clauses, clause);
  return std::none_of(outcome.rivals.begin(), outcome.rivals.end(),
                      [&](const RivalOutcome& other) { return contains(other.clauses, clause); });
}

bool is_guarded(const std::string& clause, const Proof& proof)
{
  return std::any_of(proof.outcomes.begin(), proof.outcomes.end(), [&](const Outcome& outcome) {
    return std::any_of(outcome.rivals.begin(), outcome.rivals.end(),
                       [&](const RivalOutcome& rival) { return rival.misses() && guards(rival, outcome, clause); });
  });
}

}  // namespace

const std::vector<Status> statuses{
    Status::verified,      Status::definition, Status::setting,        Status::reproduced,     Status::not_reproduced,
    Status::unrecoverable, Status::open,       Status::not_applicable, Status::not_measurable, Status::failed};

std::vector<Row> ledger_rows()
{
  std::vector<Row> rows;
  const auto clauses = table("clauses.tsv", 3);
  std::size_t clauses_taken = 0;
  for (const std::string paper : {"kim", "park", "ploen", "ali", "ma", "ours"})
    for (const auto& cell : table(paper + ".tsv", 10)) {
      rows.push_back({cell[0],
                      paper,
                      cell[1],
                      cell[2],
                      claim_of(cell[0], cell[3]),
                      cell[4],
                      cell[5],
                      cell[6],
                      cell[7],
                      cell[9],
                      list(cell[8]),
                      {}});
      for (const auto& clause : clauses)
        if (clause[0] == cell[0]) rows.back().clauses.push_back({cell[0] + "/" + clause[1], clause[2]});
      clauses_taken += rows.back().clauses.size();
      if (rows.back().clauses.empty()) rows.back().clauses.push_back({cell[0], ""});
    }
  if (clauses_taken != clauses.size())
    throw Error("The ledger's table clauses.tsv has " + std::to_string(clauses.size() - clauses_taken) +
                " lines whose key is that of no row.");
  return rows;
}

std::vector<ErratumRow> errata_rows()
{
  std::vector<ErratumRow> rows;
  for (const char* name : {"errata-kim-park.tsv", "errata-ploen-ali-ma.tsv"})
    for (const auto& cell : table(name, 6))
      rows.push_back({cell[0], cell[2], cell[3], cell[4], cell[5], list(cell[1])});
  return rows;
}

const char* name(Status status)
{
  switch (status) {
    case Status::verified:
      return "verified";
    case Status::definition:
      return "definition";
    case Status::setting:
      return "setting";
    case Status::reproduced:
      return "reproduced";
    case Status::not_reproduced:
      return "not_reproduced";
    case Status::unrecoverable:
      return "unrecoverable";
    case Status::open:
      return "open";
    case Status::not_applicable:
      return "not_applicable";
    case Status::not_measurable:
      return "not_measurable";
    case Status::failed:
      return "failed";
  }
  return "";
}

const char* name(Claim claim)
{
  for (const auto& [one, name] : claims)
    if (one == claim) return name;
  return "";
}

const char* name(Verdict verdict)
{
  switch (verdict) {
    case Verdict::not_measurable:
      return "not_measurable";
    case Verdict::held:
      return "held";
    case Verdict::missed:
      return "missed";
    case Verdict::failed:
      return "failed";
  }
  return "";
}

Status status_of(const Row& row, const Proof& proof)
{
  if (row.claim == Claim::lost) return Status::unrecoverable;
  bool named = true, compared = true, measurable = true;
  Verdict last = Verdict::not_measurable;
  for (const Clause& clause : row.clauses) {
    const ClauseState state(clause.key, proof);
    named = named && state.named;
    compared = compared && state.compared;
    measurable = measurable && state.verdict != Verdict::not_measurable;
    last = std::max(last, state.verdict);
  }
  if (last == Verdict::failed) return Status::failed;
  if (last == Verdict::missed) return Status::not_reproduced;
  if (row.claim == Claim::definition) return Status::definition;
  if (!named) return Status::open;
  if (!compared) return Status::not_applicable;
  if (!measurable) return Status::not_measurable;
  if (row.claim == Claim::setting) return Status::setting;
  return row.claim == Claim::published ? Status::reproduced : Status::verified;
}

std::vector<std::string> gaps(const std::vector<Row>& rows, const Proof& proof, const std::set<std::string>& chapters)
{
  std::vector<std::string> missing;
  std::map<std::string, Claim> claim_of_clause;
  for (const Row& row : rows)
    for (const Clause& clause : row.clauses) {
      claim_of_clause[clause.key] = row.claim;
      if (row.claim == Claim::lost || row.claim == Claim::definition) continue;
      if (!chapters.empty() && !chapters.count(row.chapter)) continue;
      const ClauseState state(clause.key, proof);
      if (!state.named)
        missing.push_back(clause.key + ": no identity names it");
      else if (!state.compared)
        missing.push_back(clause.key + ": its identities compare nothing for it");
      else if (state.verdict == Verdict::missed && row.claim != Claim::published)
        missing.push_back(clause.key + ": misses a printed number, and its row claims none");
      else if (row.claim == Claim::statement && !is_guarded(clause.key, proof))
        missing.push_back(clause.key + ": no rival of it misses");
    }
  for (const Outcome& outcome : proof.outcomes) {
    const auto told = [&](const std::string& text) { missing.push_back("'" + outcome.name + "' " + text); };
    bool states = false;
    for (const std::string& key : outcome.keys) {
      const auto found = claim_of_clause.find(key);
      if (found == claim_of_clause.end())
        told("names " + key + ", which is no clause");
      else
        states = states || found->second == Claim::statement;
    }
    if (states && outcome.applied && outcome.rivals.empty()) told("has no rival");
    for (const auto& [key, verdict] : outcome.clauses)
      if (!contains(outcome.keys, key)) told("compares for " + key + ", which is not among its keys");
    for (const RivalOutcome& rival : outcome.rivals) {
      for (const std::string& key : rival.clauses)
        if (!contains(outcome.keys, key)) told("has a rival of " + key + ", which is not among its keys");
      if (!rival.misses())
        told("has a rival that misses by no more than " + std::to_string(rival.missed_by) +
             " tolerances: " + rival.name);
    }
  }
  return missing;
}

}  // namespace articulate::validation
