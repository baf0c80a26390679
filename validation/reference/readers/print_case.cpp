// Every input and every answer that the reader finds in a file, a line each.
#include "articulate_case.hpp"
#include <cstdio>

int main(int, char** arguments)
try {
  const articulate_case::Case one(arguments[1]);
  const auto print = [](const std::string& name, const std::vector<double>& numbers) {
    std::printf("%s", name.c_str());
    for (const double x : numbers) std::printf(" %a", x);
    std::printf("\n");
  };
  for (const char* key : {"q", "qd", "qdd", "tau"}) print(key, one.input("/state/" + std::string(key)));
  for (std::size_t l = 0; l < one.file["machine"]["links"].size(); ++l)
    print("mass", one.input("/machine/links/" + std::to_string(l) + "/mass"));
  for (const auto& [name, answer] : one.file["answers"].items()) {
    for (const auto& row : one.answer(name)) print(name, row);
    for (const auto& row : one.digits(name)) print(name + " digits", row);
    for (const auto& row : one.radii(name)) print(name + " radii", row);
    for (const auto& row : one.exact_zero(name)) print(name + " exact_zero", {row.begin(), row.end()});
    for (const auto& row : one.units(name)) {
      std::printf("%s units", name.c_str());
      for (const std::string& unit : row) std::printf("|%s", unit.c_str());
      std::printf("\n");
    }
  }
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
