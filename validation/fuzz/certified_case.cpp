/// The file of a certified case, and the state that an engine is given of it.
#include <cli/certified_case.hpp>
#include <cli/claims.hpp>
#include <cli/json_reader.hpp>
#include "fuzz.hpp"

void articulate::fuzz::read(const std::string& text)
{
  const cli::CertifiedCase one(cli::parse_json(text, "the file", "a certified case"), "the file");
  cli::question_of(one.state(), "the file", one.model(), one.loops());
}
