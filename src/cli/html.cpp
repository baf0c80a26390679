#include "html.hpp"
#include <cstdio>
#include <map>

namespace articulate::cli {
namespace {

std::string escaped(const std::string& text)
{
  std::string safe;
  for (const char letter : text) switch (letter) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      default:
        safe += letter;
    }
  return safe;
}

std::string text_of(const Json& value)
{
  if (value.is_string()) return escaped(value.get<std::string>());
  if (value.is_null()) return "not finite";
  if (!value.is_number_float()) return escaped(value.dump());
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.1e", value.get<double>());
  return digits;
}

std::string cell(const std::string& inside, const std::string& attributes = "")
{
  return "<td" + (attributes.empty() ? "" : " " + attributes) + ">" + inside + "</td>";
}

std::string identities(const Json& row)
{
  std::string list;
  for (const Json& identity : row["identities"])
    list += "<p>" + text_of(identity["name"]) + " <small>(" + text_of(identity["method"]) + ")</small><br>" +
            text_of(identity["residual_double"]) + " of " + text_of(identity["tolerance_double"]) + " in double, " +
            text_of(identity["residual_50"]) + " of " + text_of(identity["tolerance_50"]) + " in 50 digits, &kappa; " +
            text_of(identity["kappa"]) + (identity["passed"] ? "" : " <b>failed</b>") + "</p>";
  if (const Json& erratum = row["erratum"]; !erratum.is_null()) {
    const bool is_remark = erratum["class"] == "remark";
    list += (is_remark ? "<p>remark " : "<p>erratum ") + text_of(erratum["id"]) + " <small>(" +
            text_of(erratum["class"]) + ")</small>";
    if (!erratum["printed_residual"].is_null())
      list += (is_remark ? "<br>tempting" : "<br>printed") + std::string(" form misses by ") +
              text_of(erratum["printed_residual"]) + ", right form holds to " + text_of(erratum["corrected_residual"]);
    list += "</p>";
  }
  return list;
}

constexpr const char* head = R"(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Articulate: the ledger</title><style>
body { font: 15px/1.45 sans-serif; max-width: 75em; margin: 2em auto; padding: 0 1em; color: #222; }
table { border-collapse: collapse; width: 100%; } td, th { border-bottom: 1px solid #ddd; padding: .4em .6em; text-align: left; vertical-align: top; }
p { margin: 0 0 .4em; } code { font-size: 85%; overflow-wrap: anywhere; } small { color: #666; }
.verified, .reproduced { background: #e2f3e2; } .failed { background: #f7c6c6; } .open, .not_reproduced { background: #fff6da; }
.unrecoverable, .not_applicable, .not_measurable, .definition, .setting { background: #eee; }
</style></head><body><h1>The ledger</h1>
)";

}  // namespace

std::string html_page(const Json& ledger)
{
  std::string page = head;
  page += "<p>Model " + text_of(ledger["model"]) + ", " + text_of(ledger["states"]) + " random states, seed " +
          text_of(ledger["seed"]) + ".</p><p>";
  for (const auto& [name, count] : ledger["summary"].items())
    if (count.is_number()) page += escaped(name) + " " + text_of(count) + "&ensp;";
  page += "</p>\n";
  for (const Json& warning : ledger["warnings"]) page += "<p>Warning: " + text_of(warning) + "</p>\n";

  // The rows stand paper by paper; the page goes chapter by chapter, in the order in which they come first.
  std::vector<std::string> order;
  std::map<std::string, std::string> chapters;
  for (const Json& row : ledger["rows"]) {
    const std::string chapter = row["chapter"], status = row["status"];
    if (!chapters.count(chapter)) order.push_back(chapter);
    chapters[chapter] += "<tr>" + cell(text_of(row["key"])) +
                         cell(escaped(status), "class=\"" + escaped(status) + "\"") +
                         cell("<code>" + text_of(row["statement"]) + "</code>") + cell(identities(row)) + "</tr>\n";
  }
  for (const std::string& chapter : order)
    page += "<h2>" + escaped(chapter) +
            "</h2>\n<table><tr><th>row</th><th>status</th><th>statement (LaTeX)</th><th>what was measured</th></tr>\n" +
            chapters[chapter] + "</table>\n";
  page += "<h2>Conventions</h2>\n<table>";
  for (const auto& [name, meaning] : ledger["conventions"].items())
    page += "<tr>" + cell(escaped(name)) + cell(text_of(meaning)) + "</tr>\n";
  return page + "</table></body></html>\n";
}

}  // namespace articulate::cli
