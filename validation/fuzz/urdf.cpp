/// A URDF file; what is read is also written, and that must be read again.
#include <articulate/model/urdf.hpp>
#include "fuzz.hpp"

void articulate::fuzz::read(const std::string& text)
{
  const Mechanism mechanism = parse_urdf(text, "the file");
  accept(mechanism);
  const std::string written = urdf_text(mechanism);
  [&]() noexcept { parse_urdf(written, "what was written"); }();
}
