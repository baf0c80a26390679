/** \file
 *  \brief Somebody's numbers, state by state: from JSON, JSON lines or a table.
 *
 *  chapters/protocol.md describes the formats. No text is parsed before its length is known to be allowed, and a stream is
 *  read in memory that does not grow.
 */
#pragma once
#include <articulate/oracle/answers.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include "output.hpp"  // Json

namespace articulate::cli {

/// \brief The longest line of an input, and the largest file that is read whole.
inline constexpr std::size_t longest_line = std::size_t(1) << 23, largest_document = std::size_t(1) << 25;

/// \brief What somebody says about a state.
struct Claim {
  oracle::Question question;
  oracle::Answers theirs;
  std::map<std::string, std::string> cannot;  ///< quantities that were not answered, with the reason
  std::string coriolis_family;                ///< of coriolis_matrix, if it is named
};

/** \brief Tables from the object `answers`: by the name of the quantity numbers, a list, a list of rows, or of forces and
 *  accelerations an object by joint name; or an object with `cannot`.
 *
 *  `coriolis_matrix` may be an object with `matrix` and `family`.
 *  \throws StateError in one sentence that names `source` and the quantity
 */
void read_answers(const Json& answers, const std::string& source, const Model<double>& model, Claim& claim);

using CutJoints = std::shared_ptr<const std::vector<Loop>>;  ///< of a machine with loops; none for a tree

/** \brief A state as read_state() reads it, as a question.
 *  \throws StateError where the state has the loops open
 */
oracle::Question question_of(const Json& state, const std::string& source, const Model<double>& model,
                             const CutJoints& loops = {});

/// \brief The text of a state, of which lines come one after the other.
struct Item {
  std::string text, place;  ///< place: what messages call it, such as "line 12"
  bool is_too_long = false;
};

/// \brief Lines of at most longest_line bytes; what is longer is skipped as it is read.
class LineReader {
public:
  /// \param in  stays the caller's
  explicit LineReader(std::istream& in) : in_(in) {}
  /// \brief The next line that is not blank.
  std::optional<Item> next();

private:
  std::istream& in_;
  std::int64_t number_ = 0;
};

/// \brief Claims, one after the other.
class Claims {
public:
  virtual ~Claims() = default;
  /// \brief The next text, not looked into yet.
  virtual std::optional<Item> next() = 0;
  /// \brief What it says.   \throws StateError in one sentence
  virtual Claim read(const Item& item) const = 0;
};

/** \brief The claims of a file, or of standard input.
 *
 *  `.csv` is a table, `.json` one object or an array of them, anything else JSON lines; `-` and other names are a table if
 *  they do not start with a brace.
 *  \throws StateError for what cannot be opened, a document that is no JSON, the header of a table
 */
std::unique_ptr<Claims> claims_of(const std::string& path, const Model<double>& model, const CutJoints& loops = {});

}  // namespace articulate::cli
