/** \file
 *  \brief Read a certified case in double: needs nlohmann's JSON library (https://json.nlohmann.me), and nothing else.
 *
 *      const articulate_case::Case puma("puma560.json");
 *      puma.input("/state/q"), puma.input("/machine/links/1/mass")[0], puma.answer("mass_matrix")[0][5]
 */
#pragma once
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>
#include <nlohmann/json.hpp>

namespace articulate_case {

using Rows = std::vector<std::vector<double>>;

struct Case {
  nlohmann::json file;

  explicit Case(const std::string& path) : file(nlohmann::json::parse(std::ifstream(path)))
  {
    if (file.at("format") != "articulate reference case 1") throw std::runtime_error(path + ": another format");
  }
  /// Numbers of the machine or the state, by their place in the file: exact, from hexadecimal; of one number a list of one.
  std::vector<double> input(const std::string& place) const
  {
    nlohmann::json texts = file.at(nlohmann::json::json_pointer(place)).at("hexadecimal");
    if (texts.is_string()) texts = nlohmann::json::array({texts});
    std::vector<double> x;
    for (const std::string& text : texts) x.push_back(std::strtod(text.c_str(), nullptr));
    return x;
  }
  /// A quantity in rows, rounded to the nearest double.
  Rows answer(const std::string& quantity) const
  {
    Rows rows;
    for (const auto& row : file.at("answers").at(quantity).at("value")) {
      rows.emplace_back();
      for (const std::string& text : row) rows.back().push_back(std::strtod(text.c_str(), nullptr));
    }
    return rows;
  }
  /// How many decimal digits, relative to the largest number of the quantity and unit, double can attain.
  Rows digits(const std::string& quantity) const { return file.at("answers").at(quantity).at("double_digits"); }
};

}  // namespace articulate_case
