/** \file
 *  \brief What all JSON texts about a model have in common: parsing, looking things up, and sentences that refuse.
 */
#pragma once
#include <articulate/model/model.hpp>
#include "output.hpp"  // Json

namespace articulate::cli {

/// \brief An open file.   \throws StateError when there is none, or it cannot be opened
std::ifstream file_to_read(const std::string& path);

/// \brief All that comes, which messages call `source`.   \throws StateError for more than largest_file
std::string text_of(std::istream& in, const std::string& source);

/// \brief The next line of what comes, without its end; false when nothing comes.   \throws StateError as text_of() does
bool next_line(std::istream& in, std::string& line, const std::string& source);

/// \brief The text of a file.   \throws StateError as file_to_read() and text_of() do
std::string text_of_file(const std::string& path);

/** \brief The value of a JSON text, in which no object has a key twice or more than 5000, and brackets are at most 64 deep.
 *  \param source   what messages call the text   \param content  what it must hold, for a text that holds nothing
 *  \param hint     what else to say of a text that breaks off
 *  \throws StateError in one sentence
 */
Json parse_json(const std::string& text, const std::string& source, const std::string& content,
                const std::string& hint = "");

/** \brief One JSON object about a model, and the means to read it.
 *
 *  Every member function refuses what cannot be meant by a StateError in one sentence: the source, the element, what it is
 *  and what would be right. `name` is what such a sentence calls a value.
 */
class JsonReader {
public:
  /// 'text', with anything that would break a line written as JSON writes it.
  static std::string quoted(const std::string& text);

protected:
  using Names = std::vector<std::string>;

  /** \brief Parse.
   *  \param source  what messages call the text   \param content  what it must hold, for a text that holds nothing
   *  \param hint    what else to say of a text that breaks off
   */
  JsonReader(const std::string& text, const std::string& source, const Model<double>& model, const std::string& content,
             const std::string& hint = "");
  /// What is parsed already.
  JsonReader(Json document, const std::string& source, const Model<double>& model);

  [[noreturn]] void refuse(const std::string& sentence) const { throw StateError(source_ + ": " + sentence); }

  void require_object(const Json& value, const std::string& name) const;
  void refuse_unknown(const Json& object, const std::string& name, const Names& known) const;

  double number(const Json& value, const std::string& name) const;
  /// An array of so many numbers; `meaning` says which.
  VectorX<double> numbers(const Json& value, const std::string& name, int size, const std::string& meaning) const;
  void require_unit(const Eigen::Vector4d& quaternion, const std::string& name) const;
  /// A text; `meaning` says which.
  std::string text(const Json& value, const std::string& name, const std::string& meaning) const;

  /// The value of a key that must be there; `reason` says why.
  const Json& required(const Json& object, const std::string& key, const std::string& name,
                       const std::string& reason) const;
  /// One of some words.
  template <typename Value>
  Value choice(const Json& given, const std::string& name,
               const std::vector<std::pair<std::string, Value>>& words) const
  {
    Names known;
    for (const auto& [word, value] : words) {
      if (given == word) return value;
      known.push_back(word);
    }
    refuse(name + " is " + shown(given) + " where one of these is needed: " + listed(known) + ".");
  }

  const LinkFrame<double>& link(const std::string& link, const std::string& name) const;
  /// A joint that moves; a floating base is called `base`.
  const JointSlot& joint(const std::string& joint, const std::string& name) const;
  /// An array of joint names, as nv flags; a floating base is called `base`.
  std::vector<bool> rates_of_joints(const Json& value, const std::string& name) const;

  static bool contains(const Names& names, const std::string& name);
  static std::string listed(const Names& names);
  /// A value as a message shows it.
  static std::string shown(const Json& value);

  const std::string source_;
  const Model<double>& model_;
  const Json document_;

private:
  std::string called(const JointSlot& joint) const
  {
    return model_.floating_base() && joint.v == 0 ? "base" : joint.name;
  }
};

}  // namespace articulate::cli
