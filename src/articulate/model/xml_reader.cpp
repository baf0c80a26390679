/** \file
 *  \brief What the readers of robot files share. tinyxml2 ends a text at a zero byte, takes a declaration for one element
 *  and leaves a reference to an entity as it stands; so all three are looked for before it reads.
 */
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <urdf_model/utils.h>
#include <articulate/model/robot_file.hpp>  // largest_file
#include <articulate/model/tree.hpp>        // detail::refuse
#include <articulate/model/xml_reader.hpp>

namespace articulate::detail {
namespace {

constexpr std::string_view white_space = " \t\r\n";

/// The end, behind its closing, of what begins here with an opening; the end of the text if it is not closed.
std::size_t behind(std::string_view text, std::size_t begin, std::string_view closing)
{
  const std::size_t end = text.find(closing, begin);
  return end == text.npos ? text.size() : end + closing.size();
}

constexpr int most_attributes = 100;  // of one element; tinyxml2 compares each with all before it

/// \brief A tag as tinyxml2 sees it: quotes hide what they hold.
struct Tag {
  std::size_t end;  ///< behind its `>`, or of the text
  int attributes;
};

Tag tag_at(std::string_view text, std::size_t begin)
{
  int attributes = 0;
  for (std::size_t at = begin; (at = text.find_first_of("=\"'>", at)) != text.npos;) {
    const char mark = text[at++];
    if (mark == '>') return {at, attributes};
    if (mark == '=')
      ++attributes;
    else
      at = behind(text, at, {&mark, 1});
  }
  return {text.size(), attributes};
}

std::string line_of(std::string_view text, std::size_t place)
{
  return "line " +
         std::to_string(1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(place), '\n'));
}

/// Whether a number such as 65 or x41 is that of a character. Beyond, tinyxml2 ends the text, or leaves the character out.
bool is_character(std::string_view number)
{
  const bool hexadecimal = number.starts_with('x');
  if (hexadecimal) number.remove_prefix(1);
  std::uint32_t value = 0;
  const char* const last = number.data() + number.size();
  const auto [end, error] = std::from_chars(number.data(), last, value, hexadecimal ? 16 : 10);
  return error == std::errc() && end == last && value > 0 && value <= 0x10ffff;
}

/// What white space separates.
std::vector<std::string> words(const std::string& text)
{
  std::vector<std::string> found;
  for (std::size_t begin = 0; (begin = text.find_first_not_of(white_space, begin)) != text.npos;) {
    const std::size_t end = std::min(text.find_first_of(white_space, begin), text.size());
    found.push_back(text.substr(begin, end - begin));
    begin = end;
  }
  return found;
}

bool is_number(const std::string& word)
{
  try {
    return std::isfinite(urdf::strToDouble(word.c_str()));
  } catch (const std::runtime_error&) {
    return false;
  }
}

}  // namespace

std::string outermost_element(const std::string& xml_text)
{
  const std::string_view text = xml_text;
  for (std::size_t at = 0; (at = text.find('<', at)) != text.npos;) {
    const std::string_view rest = text.substr(at);
    if (rest.starts_with("<!--"))
      at = behind(text, at + 4, "-->");
    else if (rest.starts_with("<?"))
      at = behind(text, at + 2, "?>");
    else
      return std::string(rest.substr(1, rest.find_first_of(" \t\r\n/>", 1) - 1));
  }
  return "";
}

std::string text_of_robot_file(const std::string& path, const std::string& format)
{
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    throw ModelError(path + ": this is a directory; give the path of a " + format + " file.");
  if (!std::filesystem::exists(path, ignored)) throw ModelError(path + ": there is no such file.");
  std::ifstream file(path, std::ios::binary);
  if (!file) throw ModelError(path + ": the file cannot be opened; check its permissions.");
  std::string text;
  std::array<char, 65536> part;
  while (text.size() <= largest_file && file.read(part.data(), part.size()).gcount() > 0)
    text.append(part.data(), static_cast<std::size_t>(file.gcount()));
  return text;
}

void XmlReader::refuse(const std::string& sentence) const { detail::refuse(mechanism_, sentence); }

/// What tinyxml2 would pass over in silence.
void XmlReader::require_plain(const std::string& xml_text) const
{
  const std::string_view text = xml_text;
  if (text.size() > largest_file)
    refuse("the file has more than " + std::to_string(largest_file / 1'000'000) + " MB; a " + format_ +
           " file of that size is not read.");
  if (const std::size_t zero = text.find('\0'); zero != text.npos)
    refuse(line_of(text, zero) + " holds a zero byte, which XML cannot; save the file as UTF-8.");
  std::size_t end_of_tag = 0;
  for (std::size_t at = 0; (at = text.find_first_of("<&", at)) != text.npos;) {
    const std::string_view rest = text.substr(at);
    if (rest.starts_with("<") && at < end_of_tag)
      ++at;
    else if (rest.starts_with("<!--"))
      at = behind(text, at + 4, "-->");
    else if (rest.starts_with("<![CDATA["))
      at = behind(text, at + 9, "]]>");
    else if (rest.starts_with("<?"))
      at = behind(text, at + 2, "?>");
    else if (rest.starts_with("<!"))
      refuse(line_of(text, at) +
             " declares a document type, by which entities and other files could come in; leave <!" +
             std::string(rest.substr(2, rest.find_first_of(" \t\r\n>", 2) - 2)) + " ...> out.");
    else if (rest.starts_with("<")) {
      const Tag tag = tag_at(text, at);
      if (tag.attributes > most_attributes)
        refuse(line_of(text, at) + " begins an element of more than " + std::to_string(most_attributes) +
               " attributes; a " + format_ + " file needs far fewer.");
      end_of_tag = tag.end;
      ++at;
    } else {
      const std::size_t end = rest.find_first_of(";<>&\"' \t\r\n", 1);
      const std::string_view name = rest.substr(1, (end == rest.npos ? rest.size() : end) - 1);
      if (end != rest.npos && rest[end] == ';' && name.starts_with('#') && !is_character(name.substr(1)))
        refuse(line_of(text, at) + " refers to the character '&" + std::string(name) +
               ";', and XML has none of that number; write the character itself, in UTF-8.");
      const auto known = {"lt", "gt", "amp", "quot", "apos"};
      if (end != rest.npos && rest[end] == ';' && !name.empty() && !name.starts_with('#') &&
          std::find(known.begin(), known.end(), name) == known.end())
        refuse(line_of(text, at) + " refers to the entity '&" + std::string(name) +
               ";', and entities are not read; write what it stands for.");
      ++at;
    }
  }
}

XmlReader::Element& XmlReader::outermost(const std::string& xml_text, const std::string& name)
{
  const std::string holds = "a " + format_ + " file";
  if (xml_text.find_first_not_of(white_space) == std::string::npos)
    refuse("the file is empty; " + holds + " holds one <" + name + "> element.");
  require_plain(xml_text);
  const tinyxml2::XMLError error = document_.Parse(xml_text.data(), xml_text.size());
  const std::string line = "line " + std::to_string(document_.ErrorLineNum());
  if (error == tinyxml2::XML_ELEMENT_DEPTH_EXCEEDED)
    refuse(line + " lies in more than " + std::to_string(TINYXML2_MAX_ELEMENT_DEPTH - 1) +
           " elements within each other; " + holds + " may nest no deeper.");
  if (error != tinyxml2::XML_SUCCESS)
    refuse(line + " is not XML (" + document_.ErrorName() + "); " + holds + " is XML with one <" + name + "> element.");
  Element* found = document_.RootElement();
  if (!found || found->Name() != name || found->NextSiblingElement())
    refuse("the outermost element is not one <" + name + ">; " + holds + " holds exactly that.");
  return *found;
}

std::string XmlReader::attribute(const Element& element, const std::string& owner, const char* name) const
{
  const char* text = element.Attribute(name);
  if (!text || !*text) refuse(owner + " lacks a value for " + written(element, name, "...") + "; fill it in.");
  return text;
}

const XmlReader::Element* XmlReader::child(const Element& element, const std::string& owner, const char* name) const
{
  const Element* found = element.FirstChildElement(name);
  if (found && found->NextSiblingElement(name))
    refuse(owner + " has more than one <" + name + ">; keep the one that is meant.");
  return found;
}

const XmlReader::Element& XmlReader::required_child(const Element& element, const std::string& owner,
                                                    const char* name) const
{
  const Element* found = child(element, owner, name);
  if (!found) refuse(owner + " has no <" + name + ">; it needs one.");
  return *found;
}

std::vector<double> XmlReader::numbers(const Element& element, const std::string& owner, const char* name,
                                       std::size_t count) const
{
  const std::string text = attribute(element, owner, name);
  std::vector<double> found;
  for (const std::string& word : words(text)) {
    if (!is_number(word)) refuse_number(owner, written(element, name, text), word);
    found.push_back(urdf::strToDouble(word.c_str()));
  }
  static constexpr const char* counts[] = {
      "", "one number", "two numbers", "three numbers", "four numbers", "five numbers", "six numbers"};
  if (found.size() != count)
    refuse(owner + " has " + written(element, name, text) + ", which needs " + counts[count] +
           ", separated by spaces, and has " + std::to_string(found.size()) + ".");
  return found;
}

double XmlReader::number(const Element& element, const std::string& owner, const char* name) const
{
  const std::string text = attribute(element, owner, name);
  const std::vector<std::string> found = words(text);
  if (found.size() != 1 || !is_number(found[0])) refuse_number(owner, written(element, name, text), text);
  return urdf::strToDouble(found[0].c_str());
}

double XmlReader::number_or_zero(const Element& element, const std::string& owner, const char* name) const
{
  return element.Attribute(name) ? number(element, owner, name) : 0;
}

bool XmlReader::nothing_but_zeros(const std::string& text)
{
  const std::vector<std::string> found = words(text);
  return std::all_of(found.begin(), found.end(),
                     [](const std::string& word) { return is_number(word) && urdf::strToDouble(word.c_str()) == 0; });
}

void XmlReader::set_limits(Joint& joint, double lower, double upper, double unit)
{
  if (lower > -no_limit) joint.lower = unit * lower;
  if (upper < no_limit) joint.upper = unit * upper;
}

void XmlReader::refuse_number(const std::string& owner, const std::string& place, const std::string& word) const
{
  refuse(owner + " has " + place + ", where '" + word + "' is not a finite number; write numbers like 1.5 or -2e-3.");
}

std::string XmlReader::written(const Element& element, const std::string& name, const std::string& value)
{
  return std::string("<") + element.Name() + " " + name + "=\"" + value + "\">";
}

void XmlWriter::open(const char* name, const Attributes& attributes)
{
  text_.OpenElement(name);
  for (const auto& [key, value] : attributes) text_.PushAttribute(key, value.c_str());
}

void XmlWriter::element(const char* name, const Attributes& attributes)
{
  open(name, attributes);
  close();
}

std::string XmlWriter::number(double x)
{
  std::array<char, 32> digits;
  return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), x).ptr};
}

}  // namespace articulate::detail
