#include "check_report.hpp"
#include <algorithm>
#include <cstdio>

namespace articulate::cli {
namespace {

std::string one_decimal(double x)
{
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", x);
  return text;
}

std::string counted(std::int64_t number, const char* one, const char* many)
{
  return std::to_string(number) + " " + (number == 1 ? one : many);
}

/// For XML and HTML; characters that neither may hold are left out.
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
        if (static_cast<unsigned char>(letter) >= ' ' || letter == '\n') safe += letter;
    }
  return safe;
}

/// Rows of cells, as wide as they need; all but the last column padded.
std::string aligned(std::vector<std::vector<std::string>> rows)
{
  for (auto& row : rows)
    for (std::string& cell : row) cell = cleaned(cell);
  std::vector<std::size_t> width(rows.front().size());
  for (const auto& row : rows)
    for (std::size_t k = 0; k < row.size(); ++k) width[k] = std::max(width[k], row[k].size());
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t k = 0; k < row.size(); ++k)
      line += row[k] + (k + 1 < row.size() ? std::string(width[k] - row[k].size() + 2, ' ') : "");
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

std::string verdict_of(const std::string& quantity, const Tally& tally)
{
  if (tally.states == 0) return "not answered: " + tally.reason;
  std::string verdict = tally.lacking == 0 ? "agrees" : "differs";
  if (tally.lacking > 0 && tally.lacking < tally.states)
    verdict += " in " + std::to_string(tally.lacking) + " of " + counted(tally.states, "state", "states");
  if (tally.cannot == 0) return verdict;
  return verdict + "; in " + counted(tally.cannot, "state", "states") + " not answered" +
         (quantity.ends_with(':') ? " for some links: " : ": ") + tally.reason;
}

std::string with_digits(double x, int digits)
{
  char text[32];
  std::snprintf(text, sizeof text, "%.*g", digits, x);
  return text;
}

std::string worst_in_words(const std::string& quantity, const Tally::Worst& worst)
{
  // As many digits as tell the two apart; seventeen tell any two.
  std::string theirs, ours;
  for (int digits = 9; digits <= 17 && theirs == ours; ++digits)
    theirs = with_digits(worst.theirs, digits), ours = with_digits(worst.ours, digits);
  return cleaned(quantity + worst.entry + " is " + theirs + " where ours is " + ours + ", in " + worst.place);
}

std::vector<std::vector<std::string>> table(const Tallies& scores)
{
  std::vector<std::vector<std::string>> rows{{"quantity", "states", "digits", "of", "median", "verdict"}};
  for (const auto& [name, tally] : scores.quantities) {
    const bool known = tally.worst.missing >= 0;
    rows.push_back({name, std::to_string(tally.states), known ? one_decimal(tally.worst.digits) : "",
                    known ? one_decimal(tally.worst.attainable) : "",
                    tally.states ? std::to_string(tally.median()) : "", verdict_of(name, tally)});
  }
  return rows;
}

std::string words_of_diagnosis(const Explained& one)
{
  std::string text;
  const oracle::Diagnosis& diagnosis = one.diagnosis;
  if (!diagnosis.words.empty()) text += diagnosis.words + "\n";
  for (const oracle::Finding& finding : diagnosis.findings) {
    text += "  cause: " + finding.cause + " (" + one_decimal(finding.digits_before) + " digits, with it " +
            one_decimal(finding.digits_after) + ")\n";
    if (!finding.remedy.empty()) text += "  remedy: " + finding.remedy + "\n";
    if (!finding.indistinguishable.empty()) {
      text += "  these states do not tell it from:";
      for (const std::string& other : finding.indistinguishable) text += " " + other;
      text += "\n";
    }
  }
  return text;
}

Json json_of(const Explained& one)
{
  Json findings = Json::array();
  for (const oracle::Finding& finding : one.diagnosis.findings)
    findings.push_back({{"cause", finding.cause},
                        {"sentence", finding.sentence},
                        {"remedy", finding.remedy},
                        {"digits_before", finding.digits_before},
                        {"digits_after", finding.digits_after},
                        {"indistinguishable", finding.indistinguishable}});
  Json json{{"about", one.about},
            {"words", one.diagnosis.words},
            {"unexplained", one.diagnosis.unexplained},
            {"findings", findings}};
  json["states"] = Json::array();
  for (const std::size_t k : one.diagnosis.sample)
    if (k < one.places.size()) json["states"].push_back(one.places[k]);
  if (!one.next_state.empty()) json["next_state"] = Json::parse(one.next_state);
  return json;
}

// --- JUnit ----------------------------------------------------------------------------------------------------------

std::string junit(const CheckReport& report)
{
  std::string cases;
  int failures = 0, skipped = 0;
  const auto add = [&](const std::string& name, const std::string& inside) {
    cases += "  <testcase classname=\"articulate.check\" name=\"" + escaped(name) + "\"" +
             (inside.empty() ? "/>\n" : ">" + inside + "</testcase>\n");
  };
  for (const auto& [name, tally] : report.scores.quantities) {
    std::string inside;
    if (tally.states == 0) {
      ++skipped;
      inside = "<skipped message=\"" + escaped(tally.reason) + "\"/>";
    } else if (tally.lacking > 0) {
      ++failures;
      inside = "<failure message=\"" +
               escaped(verdict_of(name, tally) + ": " + one_decimal(tally.worst.digits) + " digits of " +
                       one_decimal(tally.worst.attainable)) +
               "\">" + escaped(worst_in_words(name, tally.worst));
      for (const Explained& one : report.explained) inside += "\n" + escaped(words_of_diagnosis(one));
      inside += "</failure>";
    }
    add(name, inside);
  }
  if (report.scores.refused > 0) {
    ++failures;
    std::string sentences;
    for (const auto& [state, sentence] : report.scores.refusals) sentences += escaped(sentence) + "\n";
    add("every state can be meant",
        "<failure message=\"" + std::to_string(report.scores.refused) + " refused\">" + sentences + "</failure>");
  }
  const auto tests = report.scores.quantities.size() + (report.scores.refused > 0 ? 1 : 0);
  const std::string counts = "tests=\"" + std::to_string(tests) + "\" failures=\"" + std::to_string(failures) +
                             "\" skipped=\"" + std::to_string(skipped) + "\"";
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites " + counts + ">\n<testsuite name=\"" +
         escaped(report.campaign.value("model", "")) + "\" " + counts + ">\n" + cases + "</testsuite>\n</testsuites>\n";
}

// --- a page ---------------------------------------------------------------------------------------------------------

/// How many states have so many digits, as columns; the last is full precision.
std::string histogram(const Tally& tally)
{
  constexpr int width = 16, height = 40;
  std::int64_t most = 1;
  for (const std::int64_t count : tally.digits) most = std::max(most, count);
  std::string bars;
  for (int k = 0; k <= 16; ++k) {
    const std::int64_t count = tally.digits[static_cast<std::size_t>(k)];
    if (count == 0) continue;
    const int tall = std::max(2, static_cast<int>(height * (static_cast<double>(count) / static_cast<double>(most))));
    bars += "<rect x=\"" + std::to_string(k * width) + "\" y=\"" + std::to_string(height - tall) + "\" width=\"" +
            std::to_string(width - 2) + "\" height=\"" + std::to_string(tall) + "\" class=\"" +
            (tally.lacking ? "bad" : "good") + "\"><title>" + counted(count, "state has ", "states have ") +
            std::to_string(k) + " digits</title></rect>";
  }
  std::string ticks;
  for (int k = 0; k <= 16; k += 4)
    ticks += "<text x=\"" + std::to_string(k * width) + "\" y=\"" + std::to_string(height + 11) + "\">" +
             std::to_string(k) + "</text>";
  return "<svg role=\"img\" aria-label=\"states by digits\" width=\"" + std::to_string(17 * width) + "\" height=\"" +
         std::to_string(height + 14) + "\"><line x1=\"0\" x2=\"" + std::to_string(17 * width) + "\" y1=\"" +
         std::to_string(height) + "\" y2=\"" + std::to_string(height) + "\"/>" + bars + ticks + "</svg>";
}

/// What is there of what could be, as two bars.
std::string digits_bar(const Tally& tally)
{
  if (tally.worst.missing < 0) return "";
  const auto pixels = [](double digits) {
    return std::to_string(digits > 0 ? static_cast<int>(std::min(10 * digits, 160.0)) : 0);
  };
  return "<svg role=\"img\" aria-label=\"" + one_decimal(tally.worst.digits) + " digits of " +
         one_decimal(tally.worst.attainable) + "\" width=\"160\" height=\"14\"><rect class=\"room\" width=\"" +
         pixels(tally.worst.attainable) + "\" height=\"14\"/><rect class=\"" + (tally.lacking ? "bad" : "good") +
         "\" y=\"3\" width=\"" + pixels(tally.worst.digits) + "\" height=\"8\"/></svg>";
}

constexpr const char* head = R"(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Articulate: check</title><style>
body { font: 15px/1.45 sans-serif; max-width: 75em; margin: 2em auto; padding: 0 1em; color: #222; background: #fff; }
table { border-collapse: collapse; width: 100%; } td, th { border-bottom: 1px solid #ddd; padding: .4em .6em; text-align: left; vertical-align: top; }
svg text { font-size: 10px; fill: #555; } svg line { stroke: #999; } .good { fill: #2f7d4f; } .bad { fill: #b3261e; } .room { fill: #ddd; }
pre { white-space: pre-wrap; background: #f6f6f6; padding: .8em; }
</style></head><body>
)";

std::string page(const CheckReport& report)
{
  std::string text = head;
  text += "<h1>" + escaped(report.verdict()) + "</h1>\n<table>";
  for (const auto& [key, value] : report.campaign.items())
    text += "<tr><th>" + escaped(key) + "</th><td>" +
            escaped(value.is_string() ? value.get<std::string>() : value.dump()) + "</td></tr>";
  text +=
      "</table>\n<h2>Digits</h2>\n<table><tr><th>quantity</th><th>states</th><th>digits at the worst, of those that "
      "can be "
      "had</th><th>states by digits</th><th>verdict</th><th>worst entry</th></tr>\n";
  for (const auto& [name, tally] : report.scores.quantities)
    text += "<tr><td>" + escaped(name) + "</td><td>" + std::to_string(tally.states) + "</td><td>" + digits_bar(tally) +
            (tally.worst.missing < 0
                 ? ""
                 : " " + one_decimal(tally.worst.digits) + " of " + one_decimal(tally.worst.attainable)) +
            "</td><td>" + (tally.states ? histogram(tally) : "") + "</td><td>" + escaped(verdict_of(name, tally)) +
            "</td><td>" + (tally.lacking ? escaped(worst_in_words(name, tally.worst)) : "") + "</td></tr>\n";
  text += "</table>\n";
  if (!report.explained.empty()) text += "<h2>Why</h2>\n";
  for (const Explained& one : report.explained)
    text += "<pre>" + escaped(one.about + "\n" + words_of_diagnosis(one)) + "</pre>\n";
  std::string sentences;
  for (const auto& [note, count] : report.scores.notes)
    sentences += "<li>" + escaped(note) + " (" + counted(count, "state", "states") + ")</li>";
  for (const auto& [state, sentence] : report.scores.refusals) sentences += "<li>" + escaped(sentence) + "</li>";
  for (const std::string& remark : report.remarks) sentences += "<li>" + escaped(remark) + "</li>";
  if (!sentences.empty()) text += "<h2>Besides</h2>\n<ul>" + sentences + "</ul>\n";
  return text + "</body></html>\n";
}

}  // namespace

std::string CheckReport::verdict() const
{
  std::int64_t scored = 0, lacking = 0;
  for (const auto& [name, tally] : scores.quantities) scored += tally.states > 0, lacking += tally.lacking > 0;
  if (scored == 0) return "Nothing could be compared.";
  std::string text = lacking == 0 ? "All digits that double precision can have are there, within one."
                                  : std::to_string(lacking) + " of " + counted(scored, "quantity ", "quantities ") +
                                        (lacking == 1 ? "differs." : "differ.");
  if (scores.refused > 0)
    text += " " + std::to_string(scores.refused) + " of " + counted(scores.states, "state ", "states ") +
            (scores.refused == 1 ? "is refused." : "are refused.");
  return text;
}

std::string text_of(const CheckReport& report)
{
  std::string text;
  if (!report.scores.quantities.empty()) text += aligned(table(report.scores)) + "\n";
  for (const auto& [name, tally] : report.scores.quantities)
    if (tally.lacking > 0) text += worst_in_words(name, tally.worst) + "\n";
  for (const auto& [note, count] : report.scores.notes)
    text += cleaned(note) + " (" + counted(count, "state", "states") + ")\n";
  for (const auto& [state, sentence] : report.scores.refusals) text += "refused: " + cleaned(sentence) + "\n";
  if (const auto told = static_cast<std::int64_t>(report.scores.refusals.size()); report.scores.refused > told)
    text += "and " + std::to_string(report.scores.refused - told) + " more\n";
  for (const std::string& remark : report.remarks) text += remark + "\n";
  text += report.verdict() + "\n";
  for (const Explained& one : report.explained) {
    text += "\n" + (report.explained.size() > 1 ? one.about + ":\n" : "") + words_of_diagnosis(one);
    if (!one.next_state.empty()) text += "next state: " + one.next_state;
  }
  return text;
}

Json json_of(const CheckReport& report)
{
  Json json{{"format", "articulate check report 1"}, {"campaign", report.campaign},
            {"agrees", report.scores.agrees()},      {"verdict", report.verdict()},
            {"scores", json_of(report.scores)},      {"remarks", report.remarks}};
  json["diagnoses"] = Json::array();
  for (const Explained& one : report.explained) json["diagnoses"].push_back(json_of(one));
  return json;
}

void write_reports(const CheckReport& report, const ReportFiles& files)
{
  if (!files.json.empty()) write_json(json_of(report), files.json);
  if (!files.junit.empty()) write_text(junit(report), files.junit);
  if (!files.html.empty()) write_text(page(report), files.html);
}

}  // namespace articulate::cli
