#include "tally.hpp"
#include <articulate/oracle/coriolis_families.hpp>
#include <articulate/skew_symmetry/coriolis_matrix.hpp>
#include <algorithm>
#include <cmath>
#include "json_reader.hpp"

namespace articulate::cli {
namespace {

constexpr std::size_t kept_refusals = 10;

std::string place_in(oracle::Axis axis, int index, const Model<double>& model)
{
  static const char* const angular_linear[] = {"angular x", "angular y", "angular z",
                                               "linear x",  "linear y",  "linear z"};
  static const char* const moment_force[] = {"moment x", "moment y", "moment z", "force x", "force y", "force z"};
  static const char* const parameters[] = {"mass", "m c_x", "m c_y", "m c_z", "I_xx",
                                           "I_xy", "I_xz",  "I_yy",  "I_yz",  "I_zz"};
  const auto link_of_body = [&](int body) -> std::string {
    for (const LinkFrame<double>& link : model.links())
      if (link.body == body) return link.name;
    return "";
  };
  switch (axis) {
    case oracle::Axis::forces:
    case oracle::Axis::rates:
    case oracle::Axis::by_rates:
    case oracle::Axis::by_forces:
    case oracle::Axis::by_displacement:
      for (const JointSlot& joint : model.joints())
        if (index >= joint.v && index < joint.v + joint.nv)
          return (model.floating_base() && joint.v == 0 ? std::string("base") : joint.name) +
                 (joint.nv == 1   ? ""
                  : joint.nv == 6 ? std::string(", ") + angular_linear[index - joint.v]
                                  : ", " + std::to_string(index - joint.v));
      return "";
    case oracle::Axis::space:
      return std::string(1, "xyz"[index]);
    case oracle::Axis::twist:
      return angular_linear[index];
    case oracle::Axis::wrench:
      return moment_force[index];
    case oracle::Axis::links:
      return model.mechanism().links[index].name;
    case oracle::Axis::parameters:
      return link_of_body(index / 10 + 1) + " " + parameters[index % 10];
    default:
      return "";
  }
}

bool is_worse(const Tally::Worst& a, const Tally::Worst& b)
{
  return a.missing > b.missing || (a.missing == b.missing && a.missing >= 0 && a.state < b.state);
}

// --- JSON -----------------------------------------------------------------------------------------------------------

Json json_of(const Tally& tally)
{
  Json json{{"states", tally.states}, {"lacking", tally.lacking}, {"cannot", tally.cannot}};
  if (tally.cannot) json["reason"] = tally.reason;
  json["states_by_whole_digits"] = tally.digits;
  json["least_attainable"] = tally.least_attainable;
  if (const Tally::Worst& worst = tally.worst; worst.missing >= 0)
    json["worst"] = {{"missing", worst.missing}, {"digits", worst.digits}, {"attainable", worst.attainable},
                     {"entry", worst.entry},     {"theirs", worst.theirs}, {"ours", worst.ours},
                     {"state", worst.state},     {"place", worst.place},   {"verdict", worst.verdict}};
  return json;
}

Tally tally_of(const Json& json, const std::string& source)
{
  Tally tally;
  const auto count = [&](const char* key) { return count_of(json.at(key), source); };
  tally.states = count("states"), tally.lacking = count("lacking"), tally.cannot = count("cannot");
  tally.reason = json.value("reason", "");
  for (std::size_t k = 0; k < tally.digits.size(); ++k)
    tally.digits[k] = count_of(json.at("states_by_whole_digits").at(k), source);
  tally.least_attainable = json.at("least_attainable");
  if (json.contains("worst")) {
    const Json& worst = json["worst"];
    const auto number = [&](const char* key) { return worst.at(key).is_null() ? NAN : worst.at(key).get<double>(); };
    tally.worst = {worst.at("missing"), number("digits"),  number("attainable"),
                   number("theirs"),    number("ours"),    worst.at("entry"),
                   worst.at("verdict"), worst.at("place"), count_of(worst.at("state"), source)};
  }
  return tally;
}

}  // namespace

std::string entry_name(const std::string& name_of_quantity, int row, int column, const Model<double>& model)
{
  if (row < 0) return "";
  const oracle::Quantity& quantity = *oracle::find_quantity(name_of_quantity);
  const bool one_row = quantity.rows == oracle::Axis::one, one_column = quantity.columns == oracle::Axis::one;
  std::string name, words;
  for (const auto& [axis, index] : {std::pair(quantity.rows, row), std::pair(quantity.columns, column)}) {
    if (axis == oracle::Axis::one) continue;
    name += "[" + std::to_string(index) + "]";
    const std::string place = place_in(axis, index, model);
    if (!place.empty()) words += (words.empty() ? "" : "; ") + place;
  }
  return one_row && one_column ? "" : name + (words.empty() ? "" : " (" + words + ")");
}

void Tally::add(const Outcome& outcome, std::int64_t state, const std::string& place)
{
  const oracle::Score& score = outcome.score;
  ++states;
  ++digits[static_cast<std::size_t>(std::clamp(score.digits, 0.0, 16.0))];
  if (!score.agrees()) ++lacking;
  if (!outcome.is_measured) return;
  least_attainable = std::min(least_attainable, score.attainable);
  const Worst here{std::max(score.attainable - score.digits, 0.0),
                   score.digits,
                   score.attainable,
                   score.theirs,
                   score.ours,
                   outcome.entry,
                   score.verdict,
                   place,
                   state};
  if (is_worse(here, worst)) worst = here;
}

void Tally::merge(const Tally& other)
{
  if (reason.empty() || (!other.reason.empty() && other.reason < reason)) reason = other.reason;
  states += other.states, lacking += other.lacking, cannot += other.cannot;
  for (std::size_t k = 0; k < digits.size(); ++k) digits[k] += other.digits[k];
  least_attainable = std::min(least_attainable, other.least_attainable);
  if (is_worse(other.worst, worst)) worst = other.worst;
}

int Tally::median() const
{
  std::int64_t below = 0;
  for (int k = 0; k < static_cast<int>(digits.size()); ++k)
    if (below += digits[static_cast<std::size_t>(k)]; 2 * below >= states) return k;
  return 0;
}

void Tallies::refuse(std::int64_t state, const std::string& sentence)
{
  ++refused;
  refusals[state] = sentence;
  if (refusals.size() > kept_refusals) refusals.erase(std::prev(refusals.end()));
}

void Tallies::merge(const Tallies& other)
{
  for (const auto& [name, tally] : other.quantities) quantities[name].merge(tally);
  for (const auto& [note, count] : other.notes) notes[note] += count;
  states += other.states, refused += other.refused;
  refusals.insert(other.refusals.begin(), other.refusals.end());
  while (refusals.size() > kept_refusals) refusals.erase(std::prev(refusals.end()));
}

bool Tallies::agrees() const
{
  bool anything = false;
  for (const auto& [name, tally] : quantities) {
    if (tally.lacking > 0) return false;
    anything |= tally.states > 0;
  }
  return anything && refused == 0;
}

Json json_of(const Tallies& tallies)
{
  Json json{{"states", tallies.states}, {"refused", tallies.refused}};
  json["refusals"] = Json::array();
  for (const auto& [state, sentence] : tallies.refusals)
    json["refusals"].push_back({{"state", state}, {"sentence", sentence}});
  json["notes"] = Json::object();
  for (const auto& [note, count] : tallies.notes) json["notes"][note] = count;
  json["quantities"] = Json::object();
  for (const auto& [name, tally] : tallies.quantities) json["quantities"][name] = json_of(tally);
  return json;
}

std::int64_t count_of(const Json& json, const std::string& source)
{
  constexpr std::uint64_t largest = std::uint64_t(1) << 40;
  if (!json.is_number_unsigned() || json.get<std::uint64_t>() > largest)
    throw Error(source +
                ": a number of states or of chunks is no whole number from 0 to 2^40; give the files that `check "
                "--output` wrote.");
  return json;
}

Tallies tallies_of(const Json& json, const std::string& source)
{
  try {
    Tallies tallies;
    tallies.states = count_of(json.at("states"), source), tallies.refused = count_of(json.at("refused"), source);
    for (const Json& one : json.at("refusals"))
      tallies.refusals[count_of(one.at("state"), source)] = one.at("sentence");
    for (const auto& [note, count] : json.at("notes").items()) tallies.notes[note] = count_of(count, source);
    for (const auto& [name, tally] : json.at("quantities").items()) tallies.quantities[name] = tally_of(tally, source);
    return tallies;
  } catch (const Json::exception&) {
    throw Error(source + ": these are no scores as `check --output` writes them; give the files that it wrote.");
  }
}

// --- scores ---------------------------------------------------------------------------------------------------------

oracle::Answers unique_answers(const Claim& claim)
{
  oracle::Answers tables = claim.theirs;
  const auto C = tables.find("coriolis_matrix");
  if (C == tables.end()) return tables;
  if (claim.coriolis_family.empty()) {
    // A table of its own, since a coriolis_force that is given beside it may be another one. The matrix says how far its
    // entries bear the product.
    tables["coriolis_matrix times qd"] = C->second * claim.question.qd;
    return tables;
  }
  tables["coriolis_matrix (" + claim.coriolis_family + ")"] = C->second;
  tables.erase("coriolis_matrix");
  return tables;
}

Examiner::Examiner(const Model<double>& model) : oracle_(model) {}

Outcome Examiner::outcome(const std::string& quantity, const MatrixX<double>& theirs, const MatrixX<double>& ours,
                          const oracle::Rounding& rounding) const
{
  Outcome result{oracle::score(quantity, theirs, ours, rounding, model()), true, ""};
  if (!result.score.agrees()) result.entry = entry_name(quantity, result.score.row, result.score.column, model());
  return result;
}

std::map<std::string, Outcome> Examiner::operator()(const Claim& claim,
                                                    const std::function<bool(const std::string&)>& measure,
                                                    std::map<std::string, std::int64_t>& notes) const
{
  std::vector<std::string> names;
  for (const auto& [name, table] : claim.theirs)
    if (name != "coriolis_matrix") names.push_back(name);
  oracle::Answers ours = oracle::answers(model(), claim.question, names);
  for (const auto& [name, table] : ours)
    if (!table.allFinite())
      throw StateError(name + " of this state is not finite; some number is too large for double precision.");

  // What cannot lack a digit needs no measure of what is attainable; every one of these is an evaluation.
  std::map<std::string, Outcome> outcomes;
  std::vector<std::string> doubtful;
  for (const std::string& name : names) {
    Outcome& one = outcomes[name] = outcome(name, claim.theirs.at(name), ours.at(name), oracle::Rounding{});
    one.is_measured = false;
    if (measure(name) || !one.score.agrees()) doubtful.push_back(name);
  }
  if (!doubtful.empty()) {
    const oracle::Reference reference = oracle_(claim.question, doubtful);
    for (const std::string& name : doubtful)
      outcomes[name] = outcome(name, claim.theirs.at(name), reference.values.at(name), reference.rounding.at(name));
  }
  if (claim.theirs.count("coriolis_matrix")) score_coriolis_matrix(claim, outcomes, notes);
  return outcomes;
}

/// C is not unique: what counts is C qd, unless the family is named.
void Examiner::score_coriolis_matrix(const Claim& claim, std::map<std::string, Outcome>& outcomes,
                                     std::map<std::string, std::int64_t>& notes) const
{
  const std::string matrix = "coriolis_matrix", product = matrix + " times qd";
  const MatrixX<double>& C = claim.theirs.at(matrix);
  const std::vector<std::string> names{matrix, product};
  const oracle::Reference reference = oracle_(claim.question, names);
  const oracle::Rounding& rounding = reference.rounding.at(matrix);
  const VectorX<double>&q = claim.question.q, &qd = claim.question.qd;
  if (!claim.coriolis_family.empty()) {
    const MatrixX<double> ours = coriolis_matrix(model(), q, qd, coriolis_family(claim.coriolis_family));
    outcomes[matrix + " (" + claim.coriolis_family + ")"] = outcome(matrix, C, ours, rounding);
    return;
  }
  oracle::Rounding of_product = reference.rounding.at(product);
  oracle::add(of_product, oracle::rounding_of_product(C, qd, model()));
  outcomes[product] = outcome(product, C * qd, reference.values.at(product), of_product);
  const auto agrees = [&](const MatrixX<double>& theirs, const MatrixX<double>& ours) {
    return oracle::score(matrix, theirs, ours, rounding, model()).agrees();
  };
  const MatrixX<double>& christoffel = reference.values.at(matrix);
  const MatrixX<double> Mdot = christoffel + christoffel.transpose(), sum = C + C.transpose();
  ++notes[std::string("coriolis_matrix: dM/dt - 2 C is ") + (agrees(sum, Mdot) ? "" : "not ") + "skew-symmetric"];
  std::string families;
  for (const auto& [name, family] : coriolis_families)
    if (agrees(C, coriolis_matrix(model(), q, qd, family)))
      families += (families.empty() ? "" : " and ") + std::string(name);
  ++notes["coriolis_matrix: it is " + (families.empty() ? "of none of the known families" : "that of " + families)];
}

}  // namespace articulate::cli
