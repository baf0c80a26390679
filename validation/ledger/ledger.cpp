#include <ledger/ledger.hpp>
#include <ledger/tables.hpp>
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

bool names(const std::vector<std::string>& keys, const std::string& key)
{
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

}  // namespace

std::vector<Row> ledger_rows()
{
  std::vector<Row> rows;
  for (const std::string paper : {"kim", "park", "ploen", "ali", "ma"})
    for (const auto& cell : table(paper + ".tsv", 9))
      rows.push_back({cell[0], paper, cell[1], cell[2], cell[3], cell[4], cell[5], cell[6], cell[8], list(cell[7])});
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
    case Status::open:
      return "open";
    case Status::not_applicable:
      return "not_applicable";
    case Status::unrecoverable:
      return "unrecoverable";
    case Status::failed:
      return "failed";
  }
  return "";
}

Status status_of(const Row& row, const Proof& proof)
{
  bool named = false, applied = false, failed = false;
  for (const Outcome& outcome : proof.outcomes) {
    if (!names(outcome.keys, row.key)) continue;
    named = true;
    applied = applied || outcome.applied;
    failed = failed || (outcome.applied && !outcome.passed);
  }
  if (failed) return Status::failed;
  if (applied) return Status::verified;
  if (named) return Status::not_applicable;
  return row.provenance == "unrecoverable" ? Status::unrecoverable : Status::open;
}

}  // namespace articulate::validation
