#include "fuzz.hpp"
#include <unistd.h>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <articulate/model/urdf.hpp>

namespace articulate::fuzz {
namespace {

/// A folder of this process, removed at its end.
class Folder {
public:
  Folder() { std::filesystem::create_directory(path); }
  ~Folder()
  {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("articulate-fuzz-" + std::to_string(getpid()));
};

}  // namespace

const Model<double>& machine(bool floating_base)
{
  static const Mechanism mechanism = read_urdf(ARTICULATE_FUZZ_MACHINE);
  static const Model<double> fixed(mechanism, {}), floating(mechanism, {.floating_base = true});
  return floating_base ? floating : fixed;
}

void accept(const Mechanism& mechanism) { const Model<double> model(mechanism, {.accept_unphysical = true}); }

std::string file_of(const std::string& text, const std::string& suffix)
{
  static const Folder folder;
  const std::filesystem::path path = folder.path / ("text" + suffix);
  std::ofstream file(path, std::ios::binary);
  file << text << std::flush;
  if (!file) std::abort();
  return path;
}

}  // namespace articulate::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
  try {
    articulate::fuzz::read({reinterpret_cast<const char*>(data), size});
  } catch (const articulate::Error&) {
    // Refused in a sentence, as it has to be.
  }
  return 0;
}
