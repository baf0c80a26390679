/** \file
 *  \brief The program of the certified cases: make them, prove them again, list and count them, say in short what they hold,
 *         and hold the library in double against them.
 */
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <CLI/CLI.hpp>
#include <cli/json_reader.hpp>
#include <reference/attained.hpp>

namespace {

using namespace articulate;
using namespace articulate::reference;

/// The fewest digits that an enclosure fixes, for the eye: how far the proof is from failing.
double fewest_digits(const std::vector<CertifiedQuantity>& quantities)
{
  double fewest = INFINITY;
  for (const CertifiedQuantity& quantity : quantities)
    for (const CertifiedNumber& number : quantity.numbers) fewest = std::min(fewest, number.enclosed_digits);
  return fewest;
}

std::size_t count(const std::vector<CertifiedQuantity>& quantities)
{
  std::size_t sum = 0;
  for (const CertifiedQuantity& quantity : quantities) sum += quantity.numbers.size();
  return sum;
}

/// What the folder holds, who made it, and how it is to be read.
Json manifest()
{
  Json list = Json::array();
  for (const Case& one : cases())
    list.push_back({{"case", one.name}, {"tier", one.tier}, {"title", one.title}, {"file", one.name + ".json"}});
  return {{"format", "articulate reference set 1"},
          {"name", set_name},
          {"version", set_version},
          {"licence", set_licence},
          {"made_by", "./articulate reference generate FOLDER"},
          {"proved_by", "./articulate reference check FOLDER/CASE.json"},
          {"sums", "SHA256SUMS, for sha256sum --check"},
          {"conventions", conventions()},
          {"cases", list}};
}

void generate(const std::string& folder, std::vector<std::string> names)
{
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed)
    throw Error(folder + ": the folder cannot be made, " + failed.message() + "; give one where files may be written.");
  if (names.empty()) {
    for (const Case& one : cases()) names.push_back(one.name);
    cli::write_json(manifest(), folder + "/manifest.json");
  }
  for (const std::string& name : names) {
    const Case one = case_of(name);
    const auto quantities = certified(name, one.problem);
    cli::write_json(file_of(one, quantities), folder + "/" + name + ".json");
    std::cerr << name << ": " << count(quantities) << " numbers, enclosed to " << fewest_digits(quantities)
              << " digits or more\n";
  }
}

Json read(const std::string& path)
{
  const std::string text = cli::text_of_file(path);
  if (text.starts_with("\xef\xbb\xbf"))
    throw Error(path + ": the file begins with a byte order mark; write it in UTF-8 without one.");
  return cli::parse_json(text, path, "a certified case");
}

/// Prove a file again, and say what of it is not as it would be generated.
bool check(const std::string& path)
{
  const Json file = read(path);
  const Case given = case_in_file(file, path);
  const Verdict verdict = verdict_on(file, path, certified(path, given.problem));
  for (const std::string& sentence : verdict.wrong) std::cerr << path << ": " << sentence << ".\n";
  if (!verdict.missing.empty()) {
    std::cout << path << ": it has fewer quantities than the set " << set_version << ", not";
    for (const std::string& name : verdict.missing) std::cout << " " << name;
    std::cout << "\n";
  }
  const bool all_right = verdict.wrong.empty();
  std::cout << path << ": " << (verdict.proved == verdict.asked ? "all " : std::to_string(verdict.proved) + " of ")
            << verdict.asked << " numbers are proved again; ";
  if (!all_right)
    std::cout << "entries that are not as they would be generated: " << verdict.wrong.size();
  else if (!verdict.is_of_the_set)
    std::cout << "the set has no case '" << given.name << "', so name, tier and title are its owner's";
  else if (!verdict.missing.empty())
    std::cout << "the other quantities are those of case '" << given.name << "'";
  else
    std::cout << "the file holds case '" << given.name << "' of the set " << set_version;
  std::cout << "\n";
  return all_right;
}

/// Every file, whatever became of those before it.
bool check(const std::vector<std::string>& paths)
{
  bool all_right = true;
  for (const std::string& path : paths) {
    try {
      all_right = check(path) && all_right;
    } catch (const Error& error) {
      std::cerr << "articulate reference: " << error.what() << "\n";
      all_right = false;
    }
  }
  return all_right;
}

/// The sums beside some files, by the name of the file.
std::map<std::string, std::string> sums_in(const std::string& folder)
{
  const std::string path = folder + "/SHA256SUMS";
  std::ifstream file(path);
  if (!file) throw Error(path + ": the file cannot be read; sha256sum in the folder makes it.");
  std::map<std::string, std::string> sums;
  for (std::string sum, name; file >> sum >> name;) sums[name] = sum;
  return sums;
}

/// What a folder with all files holds, in few words.
Json catalogue(const std::string& folder)
{
  std::map<std::string, std::string> sums = sums_in(folder);
  Json list = Json::array();
  for (const Case& one : cases()) {
    const std::string name = one.name + ".json";
    if (!sums.contains(name)) throw Error(folder + "/SHA256SUMS: the sum of " + name + " is missing.");
    Json entry = catalogue_entry(read(folder + "/" + name), name);
    entry["sha256"] = sums[name];
    list.push_back(entry);
  }
  return {{"format", "articulate reference catalogue 1"},
          {"version", set_version},
          {"joints", {"name", "type", "parent link", "child link"}},
          {"loops", {"name", "turning", "first link", "second link"}},
          {"quantities", {"rows", "columns", "least double_digits", "median double_digits"}},
          {"cases", list}};
}

double to_a_tenth(double x) { return std::round(10 * x) / 10; }

/// Where the library's algorithms lack more than one digit of those that double can attain; false when it lacks more.
bool print_attained(const std::vector<std::string>& paths)
{
  bool all_explained = true;
  Json losses = Json::object();
  for (const std::string& path : paths) {
    const Json file = read(path);
    const Case one = case_in_file(file, path);
    Json lacking = Json::object();
    for (const Attained& found : attained(file, path)) {
      if (found.loss() > 1) {
        Json& entry = lacking[found.quantity] = {found.attainable, to_a_tenth(found.of_algorithm),
                                                 to_a_tenth(found.in_double), found.cause};
        for (const double digits : found.alone) entry.push_back(to_a_tenth(digits));
      }
      if (found.is_explained()) continue;
      all_explained = false;
      std::cerr << path << ": " << found.quantity << " has " << found.in_double
                << " digits in double, where rounding leaves its algorithm " << found.of_algorithm << ".\n";
    }
    if (!lacking.empty()) losses[one.name] = lacking;
  }
  cli::write_json(
      {{"format", "articulate reference losses 2"},
       {"digits",
        {"that double can attain", "that rounding leaves the algorithm", "measured in double", "where they are lost",
         "when the inverse alone is rounded, or the places", "the forces, or the motion", "the product"}},
       {"lacking_more_than_one", losses}},
      "");
  return all_explained;
}

/// How many cases of each tier answer a quantity.
void print_table()
{
  std::cout << "quantity";
  for (const char* tier : tiers) std::cout << "\t" << tier;
  std::cout << "\n";
  for (const Coverage& row : coverage()) {
    std::cout << row.quantity;
    for (const int count : row.cases) std::cout << "\t" << count;
    std::cout << "\n";
  }
}

}  // namespace

int main(int argc, char** argv)
{
  CLI::App app("Cases of rigid body dynamics with certified digits", "articulate reference");
  app.require_subcommand(1);
  std::string folder;
  std::vector<std::string> names, paths;
  CLI::App* generating = app.add_subcommand("generate", "prove the cases and write a file for each");
  generating->add_option("folder", folder, "where the files go")->required();
  generating->add_option("--case", names, "these cases only");
  CLI::App* checking =
      app.add_subcommand("check", "hold all of some files against what is generated from the inputs in them");
  checking->add_option("file", paths, "files of cases")->required();
  CLI::App* listing = app.add_subcommand("list", "list the cases: name, tier, what it is");
  CLI::App* cataloguing = app.add_subcommand("catalogue", "say in short what the files of all cases hold, as JSON");
  cataloguing->add_option("folder", folder, "where the files are, and their sums in SHA256SUMS")->required();
  CLI::App* attaining = app.add_subcommand("attained", "hold the library in double against files, as JSON");
  attaining->add_option("file", paths, "files of cases")->required();
  CLI::App* tabling = app.add_subcommand("table", "count the cases of each tier that answer a quantity");
  app.footer(
      "Two more are the script's: ./articulate reference check --tenth SEED makes and proves eight cases that are "
      "drawn, "
      "and ./articulate reference pack makes the archive that is handed on.");
  CLI11_PARSE(app, argc, argv);
  try {
    if (*generating) generate(folder, names);
    if (*checking) return check(paths) ? 0 : 1;
    if (*listing)
      for (const Case& one : cases()) std::cout << one.name << "\t" << one.tier << "\t" << one.title << "\n";
    if (*cataloguing) cli::write_json(catalogue(folder), "");
    if (*attaining) return print_attained(paths) ? 0 : 1;
    if (*tabling) print_table();
    return 0;
  } catch (const Error& error) {
    std::cerr << "articulate reference: " << error.what() << "\n";
    return 1;
  }
}
