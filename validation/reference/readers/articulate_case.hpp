/** \file
 *  \brief Read a certified case in double: needs C++17 and nlohmann's JSON library (https://json.nlohmann.me).
 *
 *      const articulate_case::Case puma("puma560.json");
 *      puma.input("/state/q"), puma.input("/machine/links/1/mass")[0], puma.answer("mass_matrix")[0][5]
 */
#pragma once
#include <charconv>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>
#include <nlohmann/json.hpp>

namespace articulate_case {

template <typename Entry>
using Rows = std::vector<std::vector<Entry>>;

/// The nearest double of a decimal text, or of a hexadecimal one such as -0x1.8p-3, in whatever locale.
inline double number(const std::string& text)
{
  const std::size_t sign = text.compare(0, 1, "-") == 0, base = text.compare(sign, 2, "0x") == 0 ? 2 : 0;
  const char *first = text.c_str() + sign + base, *last = text.c_str() + text.size();
  double x = 0;
  const auto read = std::from_chars(first, last, x, base ? std::chars_format::hex : std::chars_format::general);
  if (*first < '0' || *first > '9' || read.ec != std::errc() || read.ptr != last)
    throw std::runtime_error("'" + text + "' is no finite number of double precision");
  return sign ? -x : x;
}

struct Case {
  nlohmann::json file;

  explicit Case(const std::string& path) : file(nlohmann::json::parse(std::ifstream(path)))
  {
    if (file.at("format") != "articulate reference case 1") throw std::runtime_error(path + ": another format");
  }
  /// Numbers of the machine or the state, by their place in the file: exact, from hexadecimal; of one number a list of one.
  std::vector<double> input(const std::string& place) const
  {
    const auto& both = file.at(nlohmann::json::json_pointer(place));
    nlohmann::json texts = both.at("hexadecimal");
    if (texts.is_string()) texts = nlohmann::json::array({texts});
    std::vector<double> x;
    for (const std::string text : texts) x.push_back(number(text));
    if (x.size() != both.at("decimal").size()) throw std::runtime_error(place + " has two lengths");
    return x;
  }
  /// A quantity in rows, rounded to the nearest double.
  Rows<double> answer(const std::string& quantity) const { return numbers(quantity, "value"); }
  /// How far the right numbers are at most from the fifty digits in the file.
  Rows<double> radii(const std::string& quantity) const { return numbers(quantity, "radius"); }
  /// How many decimal digits, relative to the largest number of the quantity and unit, double can attain.
  Rows<double> digits(const std::string& quantity) const { return of(quantity).at("double_digits"); }
  Rows<std::string> units(const std::string& quantity) const { return of(quantity).at("unit"); }
  /// Which numbers are zero nearby, too.
  Rows<bool> exact_zero(const std::string& quantity) const { return of(quantity).at("exact_zero"); }

private:
  const nlohmann::json& of(const std::string& quantity) const { return file.at("answers").at(quantity); }
  Rows<double> numbers(const std::string& quantity, const char* key) const
  {
    Rows<double> rows;
    for (const auto& row : of(quantity).at(key)) {
      rows.emplace_back();
      for (const std::string text : row) rows.back().push_back(number(text));
    }
    return rows;
  }
};

}  // namespace articulate_case
