/** \file
 *  \brief Reading the file of a certified case, its machine and its state, without the arithmetics that prove it.
 */
#pragma once
#include <array>
#include <string>
#include <utility>
#include <vector>
#include <cli/output.hpp>  // Json
#include <reference/problem.hpp>

namespace articulate::reference {

using cli::Json;

/// \brief What the key `format` of a file says.
inline constexpr const char* case_format = "articulate reference case 1";

/// \brief What kinds of turning of a loop are called.
inline constexpr std::pair<const char*, Turning> turnings[] = {
    {"none", Turning::none}, {"about_z", Turning::about_z}, {"universal", Turning::universal}, {"free", Turning::free}};

/// \brief A file on its way to a case: every step names where it is.
class CaseReader {
public:
  CaseReader(const Json& value, std::string place) : value_(value), place_(std::move(place)) {}

  CaseReader operator[](const std::string& key) const
  {
    if (!value_.is_object() || !value_.contains(key)) refuse("lacks the key '" + key + "'");
    return {value_.at(key), place_ + ": " + key};
  }
  std::vector<CaseReader> entries() const
  {
    if (!value_.is_array()) refuse("is no list");
    std::vector<CaseReader> list;
    for (std::size_t k = 0; k < value_.size(); ++k)
      list.emplace_back(value_[k], place_ + "[" + std::to_string(k) + "]");
    return list;
  }
  const Json& object() const
  {
    if (!value_.is_object()) refuse("is no object");
    return value_;
  }
  std::string text() const
  {
    if (!value_.is_string()) refuse("is no text");
    return value_.get<std::string>();
  }
  bool truth() const
  {
    if (!value_.is_boolean()) refuse("is neither true nor false");
    return value_.get<bool>();
  }
  /// A whole number from 0 to below a limit.
  int index(int limit) const
  {
    if (!value_.is_number_unsigned() || value_.get<std::uint64_t>() >= static_cast<std::uint64_t>(limit))
      refuse("is no whole number from 0 to " + std::to_string(limit - 1));
    return value_.get<int>();
  }
  double real() const
  {
    if (!value_.is_number()) refuse("is no number");
    return value_.get<double>();
  }
  /// What a name stands for.
  template <typename Names>
  auto one_of(const Names& names) const
  {
    const std::string given = text();
    for (const auto& [name, value] : names)
      if (given == name) return value;
    refuse("is '" + given + "', which is unknown");
  }
  /// A number in both its forms.
  double number() const { return same((*this)["decimal"], (*this)["hexadecimal"]); }
  std::vector<double> numbers() const
  {
    const auto decimal = (*this)["decimal"].entries(), hex = (*this)["hexadecimal"].entries();
    if (decimal.size() != hex.size()) refuse("has lists of different lengths in decimal and hexadecimal");
    std::vector<double> x;
    for (std::size_t k = 0; k < decimal.size(); ++k) x.push_back(same(decimal[k], hex[k]));
    return x;
  }
  template <std::size_t n>
  std::array<double, n> array() const
  {
    const std::vector<double> x = numbers();
    if (x.size() != n)
      refuse("has " + std::to_string(x.size()) + " numbers where " + std::to_string(n) + " are needed");
    std::array<double, n> y;
    std::copy(x.begin(), x.end(), y.begin());
    return y;
  }
  [[noreturn]] void refuse(const std::string& what) const { throw Error(place_ + " " + what + "."); }

private:
  static double same(const CaseReader& decimal, const CaseReader& hex);

  const Json& value_;
  std::string place_;
};

/** \brief Read the machine and the state of a file; its answers are not looked at.
 *  \param source  what messages call the file
 *  \throws Error in one sentence: what is missing, or no number, or whose hexadecimal and decimal forms differ
 */
Case case_in_file(const Json& file, const std::string& source);

}  // namespace articulate::reference
