/// A file of numbers for `check`: a document where it begins with a list, else lines of JSON or a table; with loops where
/// it says multipliers.
#include <cli/claims.hpp>
#include <cli/tally.hpp>
#include <articulate/constrained/loop.hpp>
#include "fuzz.hpp"

void articulate::fuzz::read(const std::string& text)
{
  static const cli::Examiner fixed(machine(false)), floating(machine(true));
  static const auto coupled =
      std::make_shared<const std::vector<Loop>>(std::vector<Loop>{coupled_joints("gear", "slide", Mimic{"hinge"})});
  const cli::Examiner& examiner = text.find("base") == std::string::npos ? fixed : floating;
  const cli::CutJoints loops = text.find("multipliers") == std::string::npos ? nullptr : coupled;
  const auto claims = cli::claims_of(file_of(text, text.starts_with('[') ? ".json" : ""), examiner.model(), loops);
  std::map<std::string, std::int64_t> notes;
  while (const std::optional<cli::Item> item = claims->next()) try {
      examiner(
          claims->read(*item), [](const std::string&) { return false; }, notes);
    } catch (const StateError&) {
      // A line that is refused is counted, and the next one read.
    }
}
