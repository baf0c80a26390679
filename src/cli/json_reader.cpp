#include "json_reader.hpp"
#include <articulate/model/robot_file.hpp>  // largest_file
#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

namespace articulate::cli {

std::ifstream file_to_read(const std::string& path)
{
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    throw StateError(path + ": this is a directory; give the path of a file.");
  if (!std::filesystem::exists(path, ignored)) throw StateError(path + ": there is no such file.");
  std::ifstream file(path, std::ios::binary);
  if (!file) throw StateError(path + ": the file cannot be opened; check its permissions.");
  return file;
}

namespace {

void require_an_end(const std::string& text, const std::string& source)
{
  if (text.size() > largest_file)
    throw StateError(source + ": there are more than " + std::to_string(largest_file / 1'000'000) +
                     " MB; a text of that size is not read.");
}

}  // namespace

std::string text_of(std::istream& in, const std::string& source)
{
  std::string text;
  std::array<char, 65536> part;
  while (in.read(part.data(), part.size()).gcount() > 0) {
    text.append(part.data(), static_cast<std::size_t>(in.gcount()));
    require_an_end(text, source);
  }
  return text;
}

bool next_line(std::istream& in, std::string& line, const std::string& source)
{
  line.clear();
  std::array<char, 65536> part;
  while (in.getline(part.data(), part.size()).fail() && in.gcount() > 0) {  // the line is longer than the part
    line.append(part.data(), static_cast<std::size_t>(in.gcount()));
    require_an_end(line, source);
    in.clear();
  }
  const auto last = static_cast<std::size_t>(in.gcount());  // with the line break, unless the text ends without one
  line.append(part.data(), last - (last > 0 && !in.eof() ? 1 : 0));
  return last > 0 || !line.empty();
}

std::string text_of_file(const std::string& path)
{
  std::ifstream file = file_to_read(path);
  return text_of(file, path);
}

namespace {

[[noreturn]] void refuse(const std::string& source, const std::string& sentence)
{
  throw StateError(source + ": " + sentence);
}

/// The place where JSON ends is the number of the last byte read, counted from one.
[[noreturn]] void refuse_text(const std::string& text, const std::string& source, std::size_t byte,
                              const std::string& hint)
{
  const std::string before = text.substr(0, byte - 1);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const auto column = byte - (before.rfind('\n') + 1);  // npos + 1 is 0
  const std::string place = "line " + std::to_string(line) + ", column " + std::to_string(column);
  if (byte > text.size()) refuse(source, "the JSON text breaks off at " + place + "; close every bracket" + hint + ".");
  refuse(source, "the text is not JSON at " + place +
                     "; JSON has no NaN, no infinity, no comments and no comma after the last entry.");
}

/// Goes through a text before it is parsed, in a time and memory that grow as the text does. The parser's own callback would
/// look at all of a list again after each of its objects, and its objects, whose order is kept, at all keys for each.
class Structure : public nlohmann::json_sax<Json> {
public:
  explicit Structure(const std::string& source) : source_(source) {}

  bool start_object(std::size_t) override { return open(); }
  bool start_array(std::size_t) override { return open(); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(std::string& key) override
  {
    constexpr std::size_t most = 5000;
    std::set<std::string>& known = keys_.back();
    if (!known.insert(key).second)
      refuse(source_,
             "the key " + JsonReader::quoted(key) + " stands twice in one object; keep the one that is meant.");
    if (known.size() > most)
      refuse(source_, "an object has more than " + std::to_string(most) + " keys; give such numbers as an array.");
    return true;
  }

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(std::int64_t) override { return true; }
  bool number_unsigned(std::uint64_t) override { return true; }
  bool number_float(double, const std::string&) override { return true; }
  bool string(std::string&) override { return true; }
  bool binary(Json::binary_t&) override { return true; }
  /// The parser says it better, at the same place.
  bool parse_error(std::size_t, const std::string&, const Json::exception&) override { return false; }

private:
  bool open()
  {
    constexpr std::size_t deepest = 64;
    if (keys_.size() == deepest)
      refuse(source_, "the brackets are more than " + std::to_string(deepest) + " deep; nothing that is meant is.");
    keys_.emplace_back();
    return true;
  }
  bool close()
  {
    keys_.pop_back();
    return true;
  }

  const std::string& source_;
  std::vector<std::set<std::string>> keys_;  ///< of all that is open; of a list none
};

}  // namespace

Json parse_json(const std::string& text, const std::string& source, const std::string& content, const std::string& hint)
{
  if (text.find_first_not_of(" \t\r\n") == std::string::npos)
    refuse(source, "the file is empty; it must hold one JSON object with " + content + ".");
  try {
    Structure structure(source);
    Json::sax_parse(text, &structure);
    return Json::parse(text);
  } catch (const Json::parse_error& error) {
    refuse_text(text, source, error.byte, hint);
  } catch (const Json::out_of_range& error) {  // its message ends in the number, in quotes
    const std::string message = error.what();
    refuse(source, "the number " + message.substr(message.find('\'')) + " is too large for double precision.");
  }
}

JsonReader::JsonReader(const std::string& text, const std::string& source, const Model<double>& model,
                       const std::string& content, const std::string& hint)
    : JsonReader(parse_json(text, source, content, hint), source, model)
{
}

JsonReader::JsonReader(Json document, const std::string& source, const Model<double>& model)
    : source_(source), model_(model), document_(std::move(document))
{
}

// Its parts.

void JsonReader::require_object(const Json& value, const std::string& name) const
{
  if (!value.is_object()) refuse(name + " is " + shown(value) + " where a JSON object is needed.");
}

void JsonReader::refuse_unknown(const Json& object, const std::string& name, const Names& known) const
{
  for (const auto& [key, value] : object.items())
    if (!contains(known, key))
      refuse(name + " has the unknown key " + quoted(key) + "; known are " + listed(known) + ".");
}

double JsonReader::number(const Json& value, const std::string& name) const
{
  if (!value.is_number()) refuse(name + " is " + shown(value) + " where a finite number is needed.");
  return value.get<double>();
}

VectorX<double> JsonReader::numbers(const Json& value, const std::string& name, int size,
                                    const std::string& meaning) const
{
  const std::string count = std::to_string(size);
  if (!value.is_array())
    refuse(name + " is " + shown(value) + " where an array of " + count + " is needed: " + meaning + ".");
  if (static_cast<int>(value.size()) != size)
    refuse(name + " has " + detail::entries(value.size()) + " where it needs " + count + ": " + meaning + ".");
  VectorX<double> x(size);
  for (int k = 0; k < size; ++k) x(k) = number(value[k], name + "[" + std::to_string(k) + "]");
  return x;
}

void JsonReader::require_unit(const Eigen::Vector4d& quaternion, const std::string& name) const
{
  const double length = quaternion.stableNorm();
  if (std::abs(length - 1) <= 1e-6) return;
  std::ostringstream text;
  text.precision(10);
  text << length;
  refuse(name + " has length " + text.str() + " where a rotation needs 1, to within 1e-6.");
}

std::string JsonReader::text(const Json& value, const std::string& name, const std::string& meaning) const
{
  if (!value.is_string()) refuse(name + " is " + shown(value) + " where " + meaning + " is needed.");
  return value;
}

const Json& JsonReader::required(const Json& object, const std::string& key, const std::string& name,
                                 const std::string& reason) const
{
  if (!object.contains(key)) refuse((name.empty() ? key : name + "." + key) + " is missing; " + reason + ".");
  return object[key];
}

// The model.

const LinkFrame<double>& JsonReader::link(const std::string& link, const std::string& name) const
{
  Names known;
  for (const LinkFrame<double>& one : model_.links()) {
    if (one.name == link) return one;
    known.push_back(one.name);
  }
  refuse(name + " names the link " + quoted(link) + ", which does not exist; there are " + listed(known) + ".");
}

const JointSlot& JsonReader::joint(const std::string& joint, const std::string& name) const
{
  Names known;
  const JointSlot* found = nullptr;
  for (const JointSlot& one : model_.joints()) {
    if (called(one) == joint) {
      if (found)
        refuse(name + " names " + quoted(joint) + ", which is both the floating base and a joint; rename the joint.");
      found = &one;
    }
    known.push_back(called(one));
  }
  if (found) return *found;
  refuse(name + " names the joint " + quoted(joint) + ", which does not move in the model; there are " + listed(known) +
         ".");
}

std::vector<bool> JsonReader::rates_of_joints(const Json& value, const std::string& name) const
{
  if (!value.is_array()) refuse(name + " is " + shown(value) + " where an array of joint names is needed.");
  std::vector<bool> flags(model_.nv());
  for (std::size_t k = 0; k < value.size(); ++k) {
    const std::string element = name + "[" + std::to_string(k) + "]";
    const JointSlot& slot = joint(text(value[k], element, "the name of a joint"), element);
    if (flags[slot.v]) refuse(element + " names " + quoted(called(slot)) + " a second time; once is enough.");
    std::fill_n(flags.begin() + slot.v, slot.nv, true);
  }
  return flags;
}

// Words.

std::string JsonReader::quoted(const std::string& text)
{
  std::string result = Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);  // names may be no UTF-8
  result.front() = result.back() = '\'';
  return result;
}

bool JsonReader::contains(const Names& names, const std::string& name)
{
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string JsonReader::listed(const Names& names)
{
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + quoted(name);
  return names.empty() ? "none" : list;
}

std::string JsonReader::shown(const Json& value)
{
  return value.is_structured() ? std::string("an ") + value.type_name() : value.dump();
}

}  // namespace articulate::cli
