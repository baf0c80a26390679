/** \file
 *  \brief What the readers of robot files share: XML in which nothing is hidden, and the form of names and numbers.
 *
 *  - Chapter: \ref model
 *  - A text must be complete in itself: no entities are declared or replaced, nothing is included, and no path to
 *    another file is followed. A text that needs them is refused, as is one too large or too deep to be held.
 *  - For the sources of the component `urdf`, which a program uses through urdf.hpp.
 */
#pragma once
#include <limits>
#include <string>
#include <vector>
#include <tinyxml2.h>
#include <articulate/model/mechanism.hpp>

namespace articulate::detail {

/// \brief What stands for no limit in a file, and the negative of it for none below; neither format has infinity.
inline constexpr double no_limit = std::numeric_limits<double>::max();

/// \brief The name of the outermost element of a text, empty where there is none.
std::string outermost_element(const std::string& xml_text);

/** \brief The text of a robot file.
 *  \param format  what it should be, for messages: URDF, MJCF
 *  \throws ModelError for a directory, for a file that does not exist or cannot be read, and for more than 100 MB
 */
std::string text_of_robot_file(const std::string& path, const std::string& format);

/** \brief One text on its way to a mechanism.
 *
 *  All of it refuses, by a ModelError in one sentence, a file that lacks what it must say: which element of which owner,
 *  and what would be right.
 */
class XmlReader {
public:
  XmlReader(const XmlReader&) = delete;
  XmlReader& operator=(const XmlReader&) = delete;

protected:
  using Element = tinyxml2::XMLElement;

  XmlReader(const std::string& source_name, const std::string& format) : format_(format)
  {
    mechanism_.source = source_name;
  }
  ~XmlReader() = default;

  [[noreturn]] void refuse(const std::string& sentence) const;

  /// The one outermost element, which must have that name.
  Element& outermost(const std::string& xml_text, const std::string& name);

  /// The text of an attribute that must be there and must not be empty.
  std::string attribute(const Element& element, const std::string& owner, const char* name) const;

  /// The one child of that name, or none.
  const Element* child(const Element& element, const std::string& owner, const char* name) const;
  const Element& required_child(const Element& element, const std::string& owner, const char* name) const;

  /// The attribute must be this many finite numbers, separated by white space.
  std::vector<double> numbers(const Element& element, const std::string& owner, const char* name,
                              std::size_t count) const;
  /// The attribute must be one finite number and nothing else but white space around it.
  double number(const Element& element, const std::string& owner, const char* name) const;
  /// An attribute that may be left out.
  double number_or_zero(const Element& element, const std::string& owner, const char* name) const;

  /// Whether a text is nothing but zeros, however they are written.
  static bool nothing_but_zeros(const std::string& text);

  /// Limits as a file has them, in this unit.
  static void set_limits(Joint& joint, double lower, double upper, double unit = 1);

  /// An element as a message shows it.
  static std::string written(const Element& element, const std::string& name, const std::string& value);

  Mechanism mechanism_;
  tinyxml2::XMLDocument document_;

private:
  void require_plain(const std::string& xml_text) const;
  [[noreturn]] void refuse_number(const std::string& owner, const std::string& place, const std::string& word) const;

  std::string format_;
};

/// \brief Elements with attributes, one after the other or within each other, as a text.
class XmlWriter {
protected:
  struct Attribute {
    const char* name;
    std::string value;
  };
  using Attributes = std::vector<Attribute>;

  void open(const char* name, const Attributes& attributes = {});
  void close() { text_.CloseElement(); }
  void element(const char* name, const Attributes& attributes);
  std::string text() const { return text_.CStr(); }

  /// The fewest digits that are read back as the same double.
  static std::string number(double x);
  template <std::size_t n>
  static std::string numbers(const std::array<double, n>& x)
  {
    std::string words;
    for (const double one : x) words += (words.empty() ? "" : " ") + number(one);
    return words;
  }

private:
  tinyxml2::XMLPrinter text_;
};

}  // namespace articulate::detail
