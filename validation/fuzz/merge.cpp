/// A file of scores for `check merge`.
#include <cli/check.hpp>
#include "fuzz.hpp"

void articulate::fuzz::read(const std::string& text) { cli::merge_checks({file_of(text, ".jsonl")}, {}); }
