/// An MJCF file; what is read is also written where MJCF can say it, and that must be read again.
#include <articulate/model/mjcf.hpp>
#include "fuzz.hpp"

void articulate::fuzz::read(const std::string& text)
{
  const Mechanism mechanism = parse_mjcf(text, "the file");
  accept(mechanism);
  const std::string written = mjcf_text(mechanism);
  [&]() noexcept { parse_mjcf(written, "what was written"); }();
}
