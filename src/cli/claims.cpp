#include "claims.hpp"
#include <articulate/constrained/loops.hpp>
#include <articulate/oracle/coriolis_families.hpp>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <limits>
#include <set>
#include "columns.hpp"
#include "json_reader.hpp"
#include "state.hpp"

namespace articulate::cli {
namespace {

namespace fs = std::filesystem;
using oracle::Axis;
using oracle::Quantity;

[[noreturn]] void refuse(const std::string& source, const std::string& sentence)
{
  throw StateError(source + ": " + sentence);
}

const Quantity& quantity_of(const std::string& name, const std::string& source, const Model<double>& model)
{
  const Quantity* quantity = oracle::find_quantity(name);
  if (!quantity)
    refuse(source, "the quantity " + JsonReader::quoted(name) +
                       " is unknown; `./articulate check --quantities` lists what there is.");
  if (quantity->per_link()) {
    const std::string link = name.substr(quantity->name.size());
    const auto& links = model.links();
    if (std::none_of(links.begin(), links.end(), [&](const LinkFrame<double>& one) { return one.name == link; }))
      refuse(source, name + " names the link " + JsonReader::quoted(link) + ", which the model has not.");
  }
  return *quantity;
}

bool is_of_joints(const Quantity& quantity)
{
  return (quantity.rows == Axis::forces || quantity.rows == Axis::rates) && quantity.columns == Axis::one;
}

// --- JSON -----------------------------------------------------------------------------------------------------------

/// Tables about a model, each from its JSON.
class TableReader : JsonReader {
public:
  TableReader(const std::string& source, const Model<double>& model) : JsonReader(Json(), source, model) {}

  MatrixX<double> table(const Json& given, const std::string& name, const Quantity& quantity) const
  {
    const auto [rows, columns] = oracle::shape(quantity, model_);
    if (given.is_number() && rows == 1 && columns == 1) return MatrixX<double>::Constant(1, 1, number(given, name));
    if (given.is_object() && is_of_joints(quantity)) return by_joint(given, name);
    if (!given.is_array()) refuse(name + " is " + shown(given) + " where " + needed(rows, columns) + " are needed.");
    if (columns == 1 && (given.empty() || !given.front().is_array()))
      return numbers(given, name, rows, std::string(quantity.words));
    if (rows == 1 && (given.empty() || !given.front().is_array()))
      return numbers(given, name, columns, std::string(quantity.words)).transpose();
    if (static_cast<int>(given.size()) != rows)
      refuse(name + " has " + std::to_string(given.size()) + " rows where " + needed(rows, columns) + " are needed.");
    MatrixX<double> x(rows, columns);
    for (int i = 0; i < rows; ++i)
      x.row(i) = numbers(given[i], name + "[" + std::to_string(i) + "]", columns, "one row of it").transpose();
    return x;
  }

  std::string reason(const Json& given, const std::string& name) const
  {
    return text(given["cannot"], name + ".cannot", "the reason in words");
  }

  MatrixX<double> list(const Json& given, const std::string& name, int size) const
  {
    return numbers(given, name, size, "one for each row of the loops");
  }

  using JsonReader::require_object;

private:
  static std::string needed(int rows, int columns)
  {
    if (columns == 1) return std::to_string(rows) + (rows == 1 ? " number" : " numbers");
    return std::to_string(rows) + " rows of " + std::to_string(columns) + " numbers";
  }

  MatrixX<double> by_joint(const Json& given, const std::string& name) const
  {
    VectorX<double> x(model_.nv());
    Names known;
    for (const JointSlot& slot : model_.joints()) {
      const std::string joint = model_.floating_base() && slot.v == 0 ? "base" : slot.name;
      known.push_back(joint);
      if (!given.contains(joint))
        refuse(name + " lacks the joint " + quoted(joint) + "; every joint that moves is needed.");
      const std::string element = name + "." + joint;
      if (slot.nv == 1)
        x(slot.v) = number(given[joint], element);
      else
        x.segment(slot.v, slot.nv) = numbers(given[joint], element, slot.nv, "one for each rate of the joint");
    }
    refuse_unknown(given, name, known);
    return x;
  }
};

/// One JSON object for each state.
class JsonClaims : public Claims {
public:
  JsonClaims(std::string source, const Model<double>& model, CutJoints loops)
      : source_(std::move(source)), model_(model), loops_(std::move(loops))
  {
  }

  Claim read(const Item& item) const override
  {
    const std::string place = source_ + ", " + item.place;
    if (item.is_too_long)
      refuse(place, "there are more than " + std::to_string(longest_line) + " bytes; a state needs far fewer.");
    return claim(parse_json(item.text, place, "state and answers"), place);
  }

protected:
  Claim claim(const Json& object, const std::string& place) const
  {
    const TableReader reader(place, model_);
    reader.require_object(object, "the line");
    for (const auto& [key, value] : object.items())
      if (key != "state" && key != "answers" && key != "name" && key != "message" && key != "number")
        refuse(place, "the key " + JsonReader::quoted(key) + " is unknown; known are 'state', 'answers', 'name'.");
    for (const char* key : {"state", "answers"})
      if (!object.contains(key)) refuse(place, std::string(key) + " is missing; a line needs state and answers.");
    Claim result;
    result.question = question_of(object["state"], place, model_, loops_);
    read_answers(object["answers"], place, model_, result);
    return result;
  }

  const std::string source_;
  const Model<double>& model_;
  const CutJoints loops_;
};

class JsonLines : public JsonClaims {
public:
  JsonLines(std::string source, const Model<double>& model, const CutJoints& loops, std::istream& in,
            std::unique_ptr<std::istream> owned)
      : JsonClaims(std::move(source), model, loops), owned_(std::move(owned)), lines_(in)
  {
  }
  std::optional<Item> next() override { return lines_.next(); }

private:
  std::unique_ptr<std::istream> owned_;
  LineReader lines_;
};

/// A document that is read whole.
class JsonDocument : public JsonClaims {
public:
  JsonDocument(std::string source, const Model<double>& model, const CutJoints& loops, const std::string& text)
      : JsonClaims(source, model, loops),
        document_(parse_json(text, source, "state and answers, or an array of such objects"))
  {
    if (document_.is_object()) document_ = Json::array({document_});
    if (!document_.is_array() || document_.empty())
      refuse(source, "there is no state; give an object with state and answers, or an array of them.");
  }

  std::optional<Item> next() override
  {
    if (at_ == document_.size()) return {};
    const std::size_t k = at_++;
    return Item{document_[k].dump(), "entry " + std::to_string(k)};
  }

private:
  Json document_;
  std::size_t at_ = 0;
};

// --- tables ---------------------------------------------------------------------------------------------------------

/// The cells of a line; quotes as in RFC 4180, without line breaks within them.
std::vector<std::string> cells(const std::string& line)
{
  std::vector<std::string> all(1);
  bool quoted = false;
  for (std::size_t k = 0; k < line.size(); ++k) {
    const char letter = line[k];
    if (letter == '"' && quoted && k + 1 < line.size() && line[k + 1] == '"')
      all.back() += line[++k];
    else if (letter == '"')
      quoted = !quoted;
    else if (letter == ',' && !quoted)
      all.emplace_back();
    else if (letter != '\r' && (quoted || (letter != ' ' && letter != '\t')))
      all.back() += letter;
  }
  return all;
}

/// A table with a header: `q[0]` or `q.JOINT`, answers likewise.
class Table : public Claims {
public:
  Table(std::string source, const Model<double>& model, std::istream& in, std::unique_ptr<std::istream> owned)
      : source_(std::move(source)), model_(model), owned_(std::move(owned)), lines_(in)
  {
    const std::optional<Item> header = lines_.next();
    if (!header) refuse(source_, "the table is empty; it needs a header and a line for each state.");
    if (header->is_too_long) refuse(source_, "the header has more than " + std::to_string(longest_line) + " bytes.");
    const bool has_mark = header->text.starts_with("\xef\xbb\xbf");  // by which spreadsheets mark UTF-8
    const std::vector<std::string> names = cells(header->text.substr(has_mark ? 3 : 0));
    // tau beside qdd is what inverse dynamics answered, unless the table answers forward dynamics.
    const auto has = [&](const std::string& quantity) {
      return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
        return name.starts_with(quantity + "[") || name.starts_with(quantity + ".");
      });
    };
    tau_is_answer_ = has("tau") && has("qdd") && !has("forward_dynamics") && !has("inverse_dynamics");
    for (const std::string& name : names) add_column(name);
    require_whole();
  }

  std::optional<Item> next() override { return lines_.next(); }

  Claim read(const Item& item) const override
  {
    const std::string place = source_ + ", " + item.place;
    if (item.is_too_long) refuse(place, "there are more than " + std::to_string(longest_line) + " bytes.");
    const std::vector<std::string> texts = cells(item.text);
    if (texts.size() != targets_.size())
      refuse(place, "there are " + std::to_string(texts.size()) + " cells where the header has " +
                        std::to_string(targets_.size()) + ".");
    Claim claim;
    oracle::Question& x = claim.question;
    x.q.resize(model_.nq()), x.qd.resize(model_.nv()), x.gravity = model_.gravity();
    if (given_.count("qdd")) x.qdd.resize(model_.nv());
    if (given_.count("tau")) x.tau.resize(model_.nv());
    VectorX<double> gravity(3);
    for (const auto& [name, shape] : answered_) claim.theirs[name].resize(shape.first, shape.second);
    for (std::size_t k = 0; k < texts.size(); ++k) {
      const Target& target = targets_[k];
      if (target.name.empty()) continue;
      double value = 0;
      const char *first = texts[k].data(), *last = first + texts[k].size();
      const auto [end, error] = std::from_chars(first + (texts[k].starts_with('+') ? 1 : 0), last, value);
      if (error != std::errc() || end != last || !std::isfinite(value))
        refuse(place, target.column + " is '" + texts[k].substr(0, 40) + "' where a finite number is needed.");
      if (!target.given)
        claim.theirs[target.name](target.row, target.column_of_table) = value;
      else
        (target.name == "q"     ? x.q
         : target.name == "qd"  ? x.qd
         : target.name == "qdd" ? x.qdd
         : target.name == "tau" ? x.tau
                                : gravity)(target.row) = value;
    }
    if (given_.count("gravity")) x.gravity = Vector3<double>(gravity);
    for (const JointSlot& joint : model_.joints())
      if (joint.nq > joint.nv && std::abs(x.q.segment(joint.q + joint.nq - 4, 4).stableNorm() - 1) > 1e-6)
        refuse(place, "the quaternion of " + JsonReader::quoted(joint.name) + " has not length 1, to within 1e-6.");
    return claim;
  }

private:
  struct Target {
    std::string column, name;  ///< name: of what it belongs to, empty for a column that is not read
    bool given = false;
    int row = 0, column_of_table = 0;
  };

  void add_column(const std::string& column)
  {
    Target target{column, "", false, 0, 0};
    if (column == "t" || column == "time" || column == "name") return targets_.push_back(target);
    const std::size_t end = column.find_first_of("[.");
    std::string name = column.substr(0, end), rest = end == std::string::npos ? "" : column.substr(end);
    if (name == "jacobian" || column.find(':') < end) {
      const std::size_t bracket = column.find('[');
      name = column.substr(0, bracket), rest = bracket == std::string::npos ? "" : column.substr(bracket);
    }
    if (name == "tau" && tau_is_answer_) name = "inverse_dynamics";
    const bool coordinates = name == "q";
    target.given = coordinates || name == "qd" || name == "qdd" || name == "tau" || name == "gravity";
    const Quantity* quantity = target.given ? nullptr : &quantity_of(name, source_ + ", header", model_);
    const auto [rows, columns] = quantity            ? oracle::shape(*quantity, model_)
                                 : coordinates       ? std::pair(model_.nq(), 1)
                                 : name == "gravity" ? std::pair(3, 1)
                                                     : std::pair(model_.nv(), 1);
    if (rest.starts_with('.')) {
      if (quantity ? !is_of_joints(*quantity) : name == "gravity")
        refuse(source_, "header: " + column + " names a joint, but " + name + " is not counted by joints.");
      const auto names = coordinates ? coordinate_columns(name, model_) : rate_columns(name, model_);
      const auto at = std::find(names.begin(), names.end(), name + rest);
      if (at == names.end())
        refuse(source_, "header: " + column + " names no joint that moves; there are " + listed(names) + ".");
      target.row = static_cast<int>(at - names.begin());
    } else {
      read_indices(column, rest, rows, columns, target);
    }
    target.name = name;
    if (!seen_.insert({name, target.row, target.column_of_table}).second)
      refuse(source_, "header: " + column + " is there a second time, perhaps by its other name; keep one of them.");
    if (target.given)
      given_[name] = rows;
    else
      answered_[name] = {rows, columns};
    targets_.push_back(target);
  }

  /// `[row]`, `[row][column]`, or nothing for a single number.
  void read_indices(const std::string& column, const std::string& rest, int rows, int columns, Target& target) const
  {
    std::vector<int> indices;
    const char *at = rest.data(), *end = at + rest.size();
    while (at != end) {
      int k = -1;
      const auto [after, error] = std::from_chars(at + 1, end, k);
      if (*at != '[' || error != std::errc() || after == end || *after != ']' || k < 0)
        refuse(source_, "header: " + column + " is no name such as q[0], qd.JOINT or mass_matrix[0][1].");
      indices.push_back(k), at = after + 1;
    }
    const bool flat = rows == 1 || columns == 1;
    const std::size_t wanted = rows * columns == 1 && rest.empty() ? 0 : flat ? 1 : 2;
    if (indices.size() == 2 && flat) indices = {columns == 1 ? indices[0] : indices[1]};
    if (indices.size() != wanted)
      refuse(source_, "header: " + column + " needs " + std::to_string(wanted) + " numbers in brackets.");
    if (wanted == 2)
      target.row = indices[0], target.column_of_table = indices[1];
    else if (wanted == 1)
      (columns == 1 ? target.row : target.column_of_table) = indices[0];
    if (target.row >= rows || target.column_of_table >= columns)
      refuse(source_, "header: " + column + " is beyond the model, which has " + std::to_string(rows) +
                          (columns > 1 ? " x " + std::to_string(columns) : "") + " there, counted from 0.");
  }

  /// All numbers of what is given at all.
  void require_whole() const
  {
    for (const char* needed : {"q", "qd"})
      if (!given_.count(needed))
        refuse(source_, std::string("the header lacks the columns of ") + needed + "; a state needs q and qd.");
    const auto count = [&](const std::string& name, int rows, int columns) {
      for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j)
          if (!seen_.count({name, i, j})) {
            std::string missing = name + "[" + std::to_string(i) + "]";
            if (columns > 1) missing += "[" + std::to_string(j) + "]";
            const auto names = name == "q" ? coordinate_columns(name, model_) : rate_columns(name, model_);
            if (columns == 1 && static_cast<int>(names.size()) == rows)
              missing += " (" + names[static_cast<std::size_t>(i)] + ")";
            refuse(source_, "the header lacks the column " + missing + "; what is given must be whole.");
          }
    };
    for (const auto& [name, rows] : given_) count(name, rows, 1);
    for (const auto& [name, shape] : answered_) count(name, shape.first, shape.second);
    if (answered_.empty())
      refuse(source_,
             "the header has no answer; give tau beside qdd, or columns of quantities such as inverse_dynamics[0].");
  }

  static std::string listed(const std::vector<std::string>& names)
  {
    std::string list;
    for (std::size_t k = 0; k < names.size() && k < 40; ++k) list += (k ? ", " : "") + names[k];
    return list + (names.size() > 40 ? " and so on" : "");
  }

  const std::string source_;
  const Model<double>& model_;
  std::unique_ptr<std::istream> owned_;
  LineReader lines_;
  bool tau_is_answer_ = false;
  std::vector<Target> targets_;
  std::set<std::tuple<std::string, int, int>> seen_;
  std::map<std::string, int> given_;
  std::map<std::string, std::pair<int, int>> answered_;
};

}  // namespace

// [multipliers]
namespace {

/// Multipliers of dependent rows are many, and of all of them the joint forces A^T lambda are the same.
MatrixX<double> force_of_multipliers(const Json& given, const std::string& source, const Model<double>& model,
                                     const Claim& claim)
{
  const oracle::Question& x = claim.question;
  if (!x.loops) refuse(source, "multipliers are answered, but the model has no loops; add --loops FILE.");
  if (claim.theirs.count("constraint_force"))
    refuse(source, "multipliers are answered beside constraint_force, which they are compared as; give one of them.");
  Loops<double> loops(model, *x.loops);
  loops(x.q, x.qd);
  return loops.A.transpose() * TableReader(source, model).list(given, "multipliers", loops.rows());
}

}  // namespace
// [multipliers]

void read_answers(const Json& answers, const std::string& source, const Model<double>& model, Claim& claim)
{
  const TableReader reader(source, model);
  reader.require_object(answers, "answers");
  for (const auto& [name, given] : answers.items()) {
    if (name == "multipliers") {  // after constraint_force, by the alphabet
      if (given.is_object() && given.contains("cannot")) {
        claim.cannot["constraint_force"] = reader.reason(given, name);
        continue;
      }
      claim.theirs["constraint_force"] = force_of_multipliers(given, source, model, claim);
      if (claim.question.tau.size() == 0) refuse(source, "multipliers are answered, but the state does not give tau.");
      continue;
    }
    const Quantity& quantity = quantity_of(name, source, model);
    if (given.is_object() && given.contains("cannot")) {
      claim.cannot[name] = reader.reason(given, name);
    } else if (name == "coriolis_matrix" && given.is_object()) {
      if (!given.contains("matrix"))
        refuse(source, "coriolis_matrix.matrix is missing; an object needs it, and family.");
      if (given.contains("family")) {
        if (!given["family"].is_string()) refuse(source, "coriolis_matrix.family is no name.");
        claim.coriolis_family = given["family"];
        try {
          coriolis_family(claim.coriolis_family);
        } catch (const Error& unknown) {
          refuse(source, std::string("coriolis_matrix.family: ") + unknown.what());
        }
      }
      claim.theirs[name] = reader.table(given["matrix"], name, quantity);
    } else {
      claim.theirs[name] = reader.table(given, name, quantity);
    }
    if (claim.theirs.count(name) && !oracle::can_answer(quantity, model, claim.question))
      refuse(source,
             name + (quantity.needs_loops ? " is answered, which needs tau in the state, and loops; add --loops FILE."
                     : quantity.needs_qdd ? " is answered, but the state does not give the qdd that it needs."
                                          : " is answered, but the state does not give the tau, or the model the "
                                            "mass, that it needs."));
  }
}

namespace {

void require_closed(const oracle::Question& x, const std::string& source, const Model<double>& model)
{
  constexpr double allowed = 1e-9;  // of numbers with ten decimals, as in compute
  Loops<double> loops(model, *x.loops);
  loops(x.q, x.qd);
  const VectorX<double> rates = loops.A * x.qd, terms = loops.A.cwiseAbs() * x.qd.cwiseAbs();
  const double largest = terms.size() ? std::max(1.0, terms.maxCoeff()) : 1.0;
  for (int row = 0; row < loops.rows(); ++row)
    for (const auto& [what, size] :
         {std::pair{"is open by ", std::abs(loops.violation(row))}, {"opens with ", std::abs(rates(row)) / largest}})
      if (!(size <= allowed)) {
        char number[32];
        std::snprintf(number, sizeof number, "%.3g", size);
        refuse(source, "loop '" + loops.name_of_row(row) + "' " + what + number +
                           " where 1e-09 is allowed; `compute --loops FILE --assemble` closes a state.");
      }
}

}  // namespace

oracle::Question question_of(const Json& state, const std::string& source, const Model<double>& model,
                             const CutJoints& loops)
{
  State read = state_from(state, source, model);
  oracle::Question question{read.q,
                            read.qd,
                            read.qdd.value_or(VectorX<double>()),
                            read.tau.value_or(VectorX<double>()),
                            read.gravity,
                            read.external_wrenches,
                            {},
                            loops};
  if (loops) require_closed(question, source, model);
  if (!state.contains("external_wrenches")) return question;
  for (const auto& [name, given] : state["external_wrenches"].items()) {
    const auto F = given.get<std::array<double, 6>>();
    const LinkFrame<double>& link = model.link(name);
    if (link.body > 0 && oracle::own_link(model, link.body).name != name)
      question.on_fixed_links[name] = {{F[0], F[1], F[2]}, {F[3], F[4], F[5]}};
  }
  return question;
}

std::optional<Item> LineReader::next()
{
  std::streambuf& buffer = *in_.rdbuf();
  Item item;
  for (;;) {
    item.text.clear(), item.is_too_long = false;
    int letter = buffer.sbumpc();
    if (letter == std::char_traits<char>::eof()) return {};
    for (; letter != '\n' && letter != std::char_traits<char>::eof(); letter = buffer.sbumpc())
      if (item.text.size() < longest_line)
        item.text.push_back(static_cast<char>(letter));
      else
        item.is_too_long = true;
    ++number_;
    if (item.text.find_first_not_of(" \t\r") != std::string::npos) break;
  }
  item.place = "line " + std::to_string(number_);
  return item;
}

std::unique_ptr<Claims> claims_of(const std::string& path, const Model<double>& model, const CutJoints& loops)
{
  const auto refuse_table = [&](const std::string& source) {
    if (loops) refuse(source, "a table has no room for loops; write a state and its answers as JSON on each line.");
  };
  if (path == "-") {
    const bool table = std::cin.peek() != '{';
    if (table) refuse_table("standard input");
    if (table) return std::make_unique<Table>("standard input", model, std::cin, nullptr);
    return std::make_unique<JsonLines>("standard input", model, loops, std::cin, nullptr);
  }
  std::error_code ignored;
  if (path.ends_with(".json")) {
    if (fs::is_regular_file(path, ignored) && fs::file_size(path, ignored) > largest_document)
      refuse(path, "a document of more than " + std::to_string(largest_document) +
                       " bytes is not read whole; write a line for each state, and call it .jsonl.");
    return std::make_unique<JsonDocument>(path, model, loops, text_of_file(path));
  }
  if (fs::is_directory(path, ignored)) refuse(path, "this is a directory; give the path of a file.");
  auto file = std::make_unique<std::ifstream>(path, std::ios::binary);
  if (!*file)
    refuse(path,
           fs::exists(path, ignored) ? "the file cannot be opened; check its permissions." : "there is no such file.");
  std::istream& in = *file;
  const bool is_table = path.ends_with(".csv") || (!path.ends_with(".jsonl") && in.peek() != '{');
  if (is_table) refuse_table(path);
  if (is_table) return std::make_unique<Table>(path, model, in, std::move(file));
  return std::make_unique<JsonLines>(path, model, loops, in, std::move(file));
}

}  // namespace articulate::cli
