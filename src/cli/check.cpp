#include "check.hpp"
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <set>
#include <sstream>
#include <articulate/constrained/assembly.hpp>
#include <articulate/model/robot_file.hpp>
#include <models/inputs.hpp>
#include "certified_case.hpp"
#include "check_report.hpp"
#include "conversation.hpp"
#include "json_reader.hpp"
#include "load.hpp"
#include "loops.hpp"

namespace articulate::cli {
namespace {

namespace fs = std::filesystem;

// --- parts of a campaign --------------------------------------------------------------------------------------------

/// FNV-1a in 64 bits: tells inputs apart that differ by accident.
class Fingerprint {
public:
  void add(std::string_view text)
  {
    for (const char letter : text) hash_ = (hash_ ^ static_cast<unsigned char>(letter)) * 0x100000001b3u;
    hash_ = (hash_ ^ 0xff) * 0x100000001b3u;  // ends a text
  }
  std::string text() const
  {
    char digits[17];
    std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(hash_));
    return digits;
  }

private:
  std::uint64_t hash_ = 0xcbf29ce484222325u;
};

struct Shard {
  std::int64_t part = 1, parts = 1;

  explicit Shard(const std::string& text)
  {
    const char *first = text.data(), *last = first + text.size();
    const auto [slash, error] = std::from_chars(first, last, part);
    const bool has_slash = error == std::errc() && slash != last && *slash == '/';
    const auto [end, second] =
        has_slash ? std::from_chars(slash + 1, last, parts) : std::from_chars_result{last, error};
    if (!has_slash || second != std::errc() || end != last || part < 1 || part > parts)
      throw Error("--shard is '" + text + "' where I/N is needed, a part from 1 to N of N parts.");
  }
  bool has(std::int64_t chunk) const { return chunk % parts == part - 1; }
};

/// A few states to be explained: the first of all, and those in which most is missing; each with the one before it, whose
/// answers may be given once more.
class Sample {
public:
  void add(std::shared_ptr<const Claim> claim, const std::map<std::string, Outcome>& outcomes, std::int64_t state,
           const std::string& place)
  {
    double missing = 0;
    for (const auto& [name, outcome] : outcomes)
      if (!outcome.score.agrees()) missing = std::max(missing, outcome.score.attainable - outcome.score.digits);
    bad_ += missing > 0;
    const Kept kept{missing, claim, state == last_ + 1 ? before_ : nullptr, place};
    before_ = std::move(claim), last_ = state;
    if (first_.size() < some) return first_.push_back(kept);
    if (missing == 0 || !kept.before || (worst_.size() == some && missing <= worst_.back().missing)) return;
    const auto after =
        std::find_if(worst_.begin(), worst_.end(), [&](const Kept& other) { return other.missing < missing; });
    worst_.insert(after, kept);
    if (worst_.size() > some) worst_.pop_back();
  }

  /// Is one of the states that are looked at a bad one?
  bool is_bad() const
  {
    return !worst_.empty() || std::ranges::any_of(first_, [](const Kept& kept) { return kept.missing > 0; });
  }

  Explained explain(const Model<double>& model, bool next_state) const
  {
    std::vector<oracle::Question> questions;
    std::vector<oracle::Answers> theirs;
    Explained one;
    one.about = model.mechanism().source;
    const Claim* last = nullptr;
    for (const auto* list : {&first_, &worst_})
      for (const Kept& kept : *list) {
        if (kept.before && kept.before.get() != last) {
          questions.push_back(kept.before->question);
          theirs.emplace_back();
          one.places.push_back("before " + kept.place);
        }
        questions.push_back(kept.claim->question);
        theirs.push_back(unique_answers(*kept.claim));
        one.places.push_back(kept.place);
        last = kept.claim.get();
      }
    one.diagnosis = oracle::diagnose(model.mechanism(), model.options(), questions, theirs, one.places, bad_);
    if (next_state && one.diagnosis.next_state)
      one.next_state = one_line(state_of(*one.diagnosis.next_state, model, nullptr));
    return one;
  }

private:
  static constexpr std::size_t some = 6;
  struct Kept {
    double missing;
    std::shared_ptr<const Claim> claim, before;
    std::string place;
  };
  std::vector<Kept> first_, worst_;
  std::size_t bad_ = 0;  // how many there are in all
  std::shared_ptr<const Claim> before_;
  std::int64_t last_ = -1;
};

/// What is checked, item by item.
class Campaign {
public:
  virtual ~Campaign() = default;
  virtual Json description() const = 0;
  virtual std::int64_t chunk() const { return 1000; }
  virtual std::optional<Item> next() = 0;
  virtual void evaluate(const Item& item, std::int64_t state, Tallies& scores) = 0;
  virtual std::vector<Explained> explain(bool next_state) const = 0;
  virtual std::vector<std::string> remarks() { return {}; }
  /// Whether to go on makes no sense.
  virtual bool has_given_up() const { return false; }
};

/// What is attainable is measured in the first state of a chunk that answers, and every so many states.
std::function<bool(const std::string&)> measuring(std::int64_t state, const Tallies& chunk)
{
  constexpr std::int64_t every = 64;
  return [state, &chunk](const std::string& quantity) {
    const auto at = chunk.quantities.find(quantity);
    return state % every == 0 || at == chunk.quantities.end() || at->second.worst.missing < 0;
  };
}

/// In which row of the report an answer is counted.
using Row = std::function<std::string(const std::string& name)>;

std::string own_row(const std::string& name) { return name; }

double missing(const Outcome& outcome) { return std::max(outcome.score.attainable - outcome.score.digits, 0.0); }

/// Of the answers of each row the one in which most is missing, and its name in front of its entry.
std::map<std::string, Outcome> by_row(const std::map<std::string, Outcome>& outcomes, const Row& row)
{
  const auto is_worse = [](const Outcome& one, const Outcome& other) {
    if (one.score.agrees() != other.score.agrees()) return !one.score.agrees();
    if (one.is_measured != other.is_measured) return one.is_measured;
    if (missing(one) != missing(other)) return missing(one) > missing(other);
    return one.score.digits < other.score.digits;
  };
  std::map<std::string, Outcome> rows;
  for (const auto& [name, outcome] : outcomes) {
    const std::string its_row = row(name);
    Outcome one = outcome;
    if (!one.entry.empty()) one.entry.insert(0, name, its_row.size());
    const auto [at, is_first] = rows.insert({its_row, one});
    if (!is_first && is_worse(one, at->second)) at->second = one;
  }
  return rows;
}

void add(Tallies& scores, const Claim& claim, const std::map<std::string, Outcome>& outcomes, std::int64_t state,
         const std::string& place, const Row& row = own_row)
{
  for (const auto& [name, outcome] : by_row(outcomes, row)) scores.quantities[name].add(outcome, state, place);
  std::map<std::string, std::string> reasons;
  for (const auto& [name, given] : claim.cannot) reasons.insert({row(name), cleaned(given, longest_quote)});
  for (const auto& [name, reason] : reasons) {
    Tally& tally = scores.quantities[name];
    ++tally.cannot;
    if (tally.reason.empty() || reason < tally.reason) tally.reason = reason;
  }
}

/// The outcomes of a claim. What refuses it says at what place.
std::map<std::string, Outcome> outcomes_of(const Claim& claim, const Examiner& examiner, const std::string& place,
                                           std::int64_t state, Tallies& scores, const Row& row = own_row)
{
  const auto measure = [&, of_row = measuring(state, scores)](const std::string& name) { return of_row(row(name)); };
  try {
    return examiner(claim, measure, scores.notes);
  } catch (const StateError& refused) {
    throw StateError(place + ": " + refused.what());
  }
}

/// What messages call an input.
std::string source_of(const std::string& path) { return path == "-" ? "standard input" : path; }

/// The loops of the file, or those that mimics make; none for a tree.
CutJoints loops_of(const CheckOptions& options, const Model<double>& model)
{
  if (options.loops.file.empty() && !options.choice.dynamics().mimic) return {};
  return std::make_shared<const std::vector<Loop>>(all_loops(model, options.choice, options.loops).loops);
}

/// The model of the options and its loops, in words and by what they say as files.
Json description_of(const Model<double>& model, const CutJoints& loops, const ModelChoice& choice)
{
  Fingerprint text;
  try {
    text.add(robot_text(model, "mjcf"));
  } catch (const ModelError&) {
    text.add(model.mechanism().name);  // MJCF cannot say it: its name has to do
  }
  for (const std::string& with : choice.with) text.add(with);
  if (choice.dynamics().friction) text.add(Json(choice.friction_width).dump());
  Json words{
      {"model", model.mechanism().name}, {"floating_base", model.floating_base()}, {"model_fingerprint", text.text()}};
  if (!loops) return words;
  LoopFile file;
  file.loops = *loops;
  Fingerprint text_of_loops;
  text_of_loops.add(written(file, model).dump());
  words["loops"] = std::to_string(loops->size());
  words["loops_fingerprint"] = text_of_loops.text();
  return words;
}

// --- numbers that exist ---------------------------------------------------------------------------------------------

class Numbers : public Campaign {
public:
  explicit Numbers(const CheckOptions& options)
      : choice_(options.choice),
        theirs_(options.theirs),
        examiner_(load(options.choice)),
        loops_(loops_of(options, examiner_.model())),
        claims_(claims_of(options.theirs, examiner_.model(), loops_))
  {
  }

  Json description() const override
  {
    Json words = description_of(examiner_.model(), loops_, choice_);
    words["numbers"] = theirs_ == "-" ? "standard input" : fs::path(theirs_).filename().string();
    return words;
  }
  std::optional<Item> next() override { return claims_->next(); }

  void evaluate(const Item& item, std::int64_t state, Tallies& scores) override
  {
    try {
      Claim read = claims_->read(item);
      read.question.friction_width = choice_.friction_width;
      const auto claim = std::make_shared<const Claim>(std::move(read));
      const auto outcomes = outcomes_of(*claim, examiner_, source_of(theirs_) + ", " + item.place, state, scores);
      add(scores, *claim, outcomes, state, item.place);
      sample_.add(claim, outcomes, state, item.place);
    } catch (const StateError& refused) {
      scores.refuse(state, refused.what());
    }
  }

  std::vector<Explained> explain(bool next_state) const override
  {
    if (!sample_.is_bad()) return {};
    return {sample_.explain(examiner_.model(), next_state)};
  }

private:
  const ModelChoice choice_;
  const std::string theirs_;
  const Examiner examiner_;
  const CutJoints loops_;
  const std::unique_ptr<Claims> claims_;
  Sample sample_;
};

// --- an engine ------------------------------------------------------------------------------------------------------

/// What both kinds of questions to an engine have in common.
class Asking : public Campaign {
public:
  bool has_given_up() const override { return conversation_.has_given_up(); }

  std::vector<std::string> remarks() override
  {
    std::vector<std::string> all;
    if (has_given_up())
      all.push_back("The engine failed " + std::to_string(Conversation::patience) +
                    " times in a row and was not asked again; the chunk that it was in is not counted as done.");
    conversation_.stop();
    return all;
  }

protected:
  explicit Asking(const CheckOptions& options)
      : options_(options), conversation_(words_of(options.engine), options.limits)
  {
    for (const std::string& name : listed()) named_.insert(name);
    named_.insert(options.only.begin(), options.only.end());
  }

  /** \brief Find out what the engine is asked for: of what it lists what is wanted.
   *  \param links  of which a quantity of single links is asked
   *  \throws Error if this is nothing
   */
  void choose(const std::vector<std::string>& links)
  {
    // Take of each quantity that the protocol has what is wanted and listed.
    std::set<std::string> known, chosen;
    for (const oracle::Quantity& quantity : oracle::quantities()) {
      const std::string name(quantity.name);
      std::vector<std::string> names{name};
      if (quantity.per_link()) {
        names.clear();
        for (const std::string& link : links) names.push_back(name + link);
      }
      known.insert(name);
      known.insert(names.begin(), names.end());
      std::erase_if(names, [&](const std::string& one) { return !is_wanted(one) && !is_wanted(name); });
      names = conversation_.quantities_of(names);
      if (names.empty()) continue;
      chosen.insert(name);
      chosen.insert(names.begin(), names.end());
      asked_.push_back({&quantity, names});
    }
    if (asked_.empty())
      throw Error("The engine lists " +
                  (options_.only.empty() ? "no quantity that it can be asked for here"
                                         : "none of " + enumerated(options_.only) + ", which --only names") +
                  "; it lists " + enumerated(listed()) + ".");
    // Say what is listed and unknown, or wanted and not listed.
    std::vector<std::string> unknown;
    for (const std::string& name : listed())
      if (!known.count(name) && !(links.empty() && oracle::find_quantity(name))) unknown.push_back(name);
    if (!unknown.empty())
      notes_.push_back("the engine lists " + enumerated(unknown) + ", which " +
                       (unknown.size() == 1 ? "is no quantity" : "are no quantities") + " of this model");
    for (const std::string& name : options_.only)
      if (!chosen.count(name)) notes_.push_back(name + " is not asked: the engine does not list it");
  }

  /// A row of the report for each name that the engine lists or that is wanted; another one for all other links.
  std::string row(const std::string& name) const
  {
    const oracle::Quantity* quantity = oracle::find_quantity(name);
    return quantity && quantity->per_link() && !named_.count(name) ? std::string(quantity->name) : name;
  }

  /// Of the links that share a row leave one to be explained: the last that lacks digits, or the last of all.
  void keep_one_link(Claim& claim, const std::map<std::string, Outcome>& outcomes) const
  {
    for (const auto& [quantity, names] : asked_) {
      std::string kept;
      for (const std::string& name : names)
        if (row(name) != name && outcomes.count(name) &&
            (kept.empty() || !outcomes.at(name).score.agrees() || outcomes.at(kept).score.agrees()))
          kept = name;
      const auto is_beside = [&, of = quantity](const auto& answer) {
        return of->per_link() && row(answer.first) == of->name && answer.first != kept;
      };
      std::erase_if(claim.theirs, is_beside);
    }
  }

  Json description_of_engine() const
  {
    Json words;
    for (const char* key : {"name", "version", "conventions"})
      if (conversation_.engine().contains(key)) words[key] = conversation_.engine()[key];
    words["command"] = options_.engine;
    return words;
  }

  /// The quantities to ask about a state; notes say what is left out.
  std::vector<std::string> quantities(const Model<double>& model, std::int64_t state, const oracle::Question& question,
                                      std::map<std::string, std::int64_t>& notes) const
  {
    for (const std::string& note : notes_) ++notes[note];
    std::vector<std::string> names;
    for (const auto& [quantity, all] : asked_) {
      const std::string name(quantity->name);
      if (quantity->needs_loops && question.loops && !conversation_.closes_loops()) continue;  // a note says so
      if (!oracle::can_answer(*quantity, model, question)) {
        if (!options_.only.empty()) ++notes[name + " is not asked: " + needs(*quantity)];
        continue;
      }
      const std::size_t count = std::min(all.size(), links_at_once);
      for (std::size_t k = 0; k < count; ++k)
        names.push_back(all[(static_cast<std::size_t>(state) * count + k) % all.size()]);
      if (count < all.size())
        ++notes[name + " is asked for " + std::to_string(count) + " links in each state, for all " +
                std::to_string(all.size()) + " in " + std::to_string((all.size() + count - 1) / count) + " states"];
    }
    return names;
  }

  /// Ask, and read the answer into the claim.
  void ask(const Model<double>& model, std::int64_t state, const Json& given, const std::string& place, Claim& claim,
           std::map<std::string, std::int64_t>& notes)
  {
    const std::vector<std::string> names = quantities(model, state, claim.question, notes);
    if (names.empty()) throw StateError(place + ": the engine computes nothing of what this state gives.");
    std::variant<Json, std::string> answer;
    try {
      answer = conversation_.answer(state, names, given);
    } catch (const Error& broken) {
      throw StateError(place + ": " + broken.what());
    }
    if (const std::string* reason = std::get_if<std::string>(&answer)) {
      for (const std::string& name : names) claim.cannot[name] = *reason;
      return;
    }
    read_answers(std::get<Json>(answer), place, model, claim);
    for (const std::string& name : names)
      if (!claim.theirs.count(name) && !claim.cannot.count(name))
        throw StateError(place + ": " + name + " is asked for and promised at the start, but the answer lacks it.");
  }

  bool is_wanted(const std::string& name) const
  {
    return options_.only.empty() || std::find(options_.only.begin(), options_.only.end(), name) != options_.only.end();
  }

  const CheckOptions options_;
  Conversation conversation_;

private:
  /// What a state or a model lacks where can_answer() is false.
  static std::string needs(const oracle::Quantity& quantity)
  {
    if (quantity.needs_loops) return "it needs tau, loops, and a mass that every joint moves";
    if (quantity.needs_qdd) return "it needs qdd, and a mass that moves";
    return quantity.needs_tau ? "it needs tau, and a mass that every joint moves" : "it needs a mass that moves";
  }

  /// Some names in a sentence, the first of many.
  static std::string enumerated(const std::vector<std::string>& names)
  {
    constexpr std::size_t most = 8;
    std::string text;
    for (std::size_t k = 0; k < std::min(names.size(), most); ++k)
      text += (k == 0 ? "" : k + 1 == names.size() ? " and " : ", ") + JsonReader::quoted(cleaned(names[k], 60));
    return names.size() > most ? text + " and " + std::to_string(names.size() - most) + " more" : text;
  }

  std::vector<std::string> listed() const { return conversation_.engine()["quantities"]; }

  static constexpr std::size_t links_at_once = 32;  ///< with 1,000 joints these are 4 MB of the 8 MiB of an answer
  struct Chosen {
    const oracle::Quantity* quantity;
    std::vector<std::string> names;  ///< one, or of each link
  };
  std::vector<Chosen> asked_;
  std::set<std::string> named_;     ///< what the engine lists, and what is wanted
  std::vector<std::string> notes_;  ///< of each state: what is not asked
};

/// States of one model.
class States : public Asking {
public:
  explicit States(const CheckOptions& options)
      : Asking(options), examiner_(load(options.choice)), loops_(loops_of(options, examiner_.model()))
  {
    if (!options.state.empty() && options.state != "-") {
      file_.open(options.state, std::ios::binary);
      if (!file_) throw Error(options.state + ": the file cannot be opened; give a file with a state on each line.");
    }
    if (!options.state.empty()) lines_.emplace(options.state == "-" ? std::cin : file_);
    std::vector<std::string> links;
    for (const Link& link : examiner_.model().mechanism().links) links.push_back(link.name);
    require_links(options.only, links);
    choose(links);
    const std::string& name = options.choice.model;
    std::error_code ignored;
    std::string text, format;
    if (fs::is_regular_file(name, ignored)) {
      text = text_of_file(name);
      format = text.find("<mujoco") != std::string::npos ? "mjcf" : "urdf";
      Mechanism written = parse_robot(text, name);
      if (format == "urdf" && take_floating_base(written)) format.clear();  // in URDF the engine is told of it beside
    }
    const Json message = conversation_.message_of(examiner_.model(), loops_, text, format);
    if (message.is_null())
      throw Error("The engine reads no format in which this model can be written; its start lists them.");
    if (const auto reason = conversation_.model(message)) throw Error("The engine cannot read the model: " + *reason);
  }

  Json description() const override
  {
    Json words = description_of(examiner_.model(), loops_, options_.choice);
    words["engine"] = description_of_engine();
    if (lines_)
      words["states"] = options_.state == "-" ? "standard input" : fs::path(options_.state).filename().string();
    else
      words["states"] = std::to_string(options_.states) + " random, seed " + std::to_string(options_.seed);
    return words;
  }

  std::optional<Item> next() override
  {
    if (lines_) return lines_->next();
    if (given_ == options_.states) return {};
    ++given_;
    for (int failures = 0;; ++failures) {
      const std::string place = "random state " + std::to_string(drawn_);
      try {
        return Item{drawn_state(options_.seed + static_cast<std::uint64_t>(drawn_++)).dump(), place};
      } catch (const StateError& open) {
        if (failures == patience)
          throw Error(place + ": " + open.what() + " Nor could the " + std::to_string(patience) +
                      " before it; give states with --state.");
      }
    }
  }

  void evaluate(const Item& item, std::int64_t state, Tallies& scores) override
  {
    const Model<double>& model = examiner_.model();
    const std::string source = lines_ ? source_of(options_.state) + ", " + item.place : item.place;
    try {
      if (item.is_too_long)
        throw StateError(source + ": there are more than " + std::to_string(longest_line) + " bytes.");
      const Json given = parse_json(item.text, source, "q and qd");
      Claim claim;
      claim.question = question_of(given, source, model, loops_);
      claim.question.friction_width = options_.choice.friction_width;
      const Json wrenches = given.contains("external_wrenches") ? given["external_wrenches"] : Json();
      if (loops_ && !conversation_.closes_loops())
        ++scores.notes
              ["closed_forward_dynamics and constraint_force are not asked: the engine does not say at the start "
               "that it can be told of loops"];
      ask(model, state, state_of(claim.question, model, wrenches), source, claim, scores.notes);
      const Row its_row = [this](const std::string& quantity) { return row(quantity); };
      const auto outcomes = outcomes_of(claim, examiner_, source, state, scores, its_row);
      add(scores, claim, outcomes, state, item.place, its_row);
      keep_one_link(claim, outcomes);
      sample_.add(std::make_shared<const Claim>(std::move(claim)), outcomes, state, item.place);
    } catch (const StateError& refused) {
      scores.refuse(state, refused.what());
    }
  }

  std::vector<Explained> explain(bool next_state) const override
  {
    if (!sample_.is_bad()) return {};
    return {sample_.explain(examiner_.model(), next_state)};
  }

private:
  /// That what is wanted of a link is wanted of one that there is.
  static void require_links(const std::vector<std::string>& only, const std::vector<std::string>& links)
  {
    for (const std::string& name : only) {
      const oracle::Quantity& quantity = *oracle::find_quantity(name);
      const std::string link = name.substr(quantity.name.size());
      if (quantity.per_link() && !link.empty() && std::find(links.begin(), links.end(), link) == links.end())
        throw Error("--only has " + JsonReader::quoted(name) +
                    ", but the model has no such link; give one of its links, or " +
                    JsonReader::quoted(std::string(quantity.name)) + " for all.");
    }
  }

  /// A state as a STATE, with the loops closed from where it is drawn.   \throws StateError where they cannot be
  Json drawn_state(std::uint64_t seed) const
  {
    const Model<double>& model = examiner_.model();
    const auto in = validation::Inputs::draw(model.mechanism(), model.options(), seed);
    const auto vector = [](const std::vector<double>& x) {
      return VectorX<double>::Map(x.data(), static_cast<Eigen::Index>(x.size()));
    };
    const std::array<double, 3>& g = in.mechanism.gravity;
    Json wrenches = Json::object();
    for (std::size_t l = 0; l < in.link_wrenches.size(); ++l)
      wrenches[in.mechanism.links[static_cast<int>(l)].name] = in.link_wrenches[l];
    VectorX<double> q = vector(in.q), qd = vector(in.qd);
    for (const JointSlot& joint : model.joints())
      if (joint.nq > joint.nv) q.segment(joint.q + joint.nq - 4, 4).normalize();
    if (loops_) {
      Assembly<double> assembly(model, *loops_);
      q = assembly.close(q);
      qd = assembly.project(q, qd);
    }
    return state_of({q, qd, vector(in.qdd), vector(in.tau), {g[0], g[1], g[2]}, {}}, model, wrenches);
  }

  static constexpr int patience = 100;  ///< draws in a row whose loops cannot be closed
  const Examiner examiner_;
  const CutJoints loops_;
  std::ifstream file_;
  std::optional<LineReader> lines_;
  std::int64_t given_ = 0, drawn_ = 0;
  Sample sample_;
};

/// Certified cases, each a model in a state.
class Cases : public Asking {
public:
  explicit Cases(const CheckOptions& options) : Asking(options)
  {
    for (const std::string& path : options.cases) {
      std::error_code ignored;
      if (!fs::is_directory(path, ignored)) {
        files_.push_back(path);
        continue;
      }
      const std::size_t before = files_.size();
      for (const auto& entry : fs::directory_iterator(path, ignored))
        if (entry.path().extension() == ".json" && entry.path().filename() != "manifest.json")
          files_.push_back(entry.path());
      if (files_.size() == before)
        throw Error(path + ": there is no case in this folder; `./articulate reference generate` makes them.");
    }
    std::sort(files_.begin(), files_.end());
    for (const std::string& name : options.only)
      if (oracle::find_quantity(name)->per_link())
        throw Error("--only has " + JsonReader::quoted(name) + ", of which there are no certified numbers; " +
                    "tip_jacobian is that of the last link.");
    choose({});
  }

  Json description() const override
  {
    return {
        {"model", "certified cases"}, {"cases", std::to_string(files_.size())}, {"engine", description_of_engine()}};
  }
  std::int64_t chunk() const override { return 1; }

  std::optional<Item> next() override
  {
    if (at_ == files_.size()) return {};
    const std::string& path = files_[at_++];
    return Item{text_of_file(path), fs::path(path).filename().string()};
  }

  void evaluate(const Item& item, std::int64_t state, Tallies& scores) override
  {
    try {
      const CertifiedCase one(parse_json(item.text, item.place, "a certified case"), item.place);
      if (one.loops() && !conversation_.closes_loops()) {
        ++scores.notes["cases with loops, which the engine cannot be told of"];
        return;
      }
      if (const auto reason = give(one, item.place)) {
        ++scores.notes["cases whose model the engine cannot read: " + *reason];
        return;
      }
      Claim claim;
      const Json given = one.state();
      claim.question = question_of(given, item.place, one.model(), one.loops());
      ask(one.model(), state, given, item.place, claim, scores.notes);
      const auto outcomes = one.outcomes(claim);
      for (const std::string& name : options_.only)
        if (claim.theirs.count(name) && !outcomes.count(name)) ++scores.notes[name + " is not certified in each case"];
      add(scores, claim, outcomes, state, item.place);
      Sample sample;
      sample.add(std::make_shared<const Claim>(std::move(claim)), outcomes, state, item.place);
      if (sample.is_bad() && bad_.size() < 3) bad_.emplace_back(one.model(), sample);
    } catch (const Error& refused) {
      scores.refuse(state, refused.what());
    }
  }

  std::vector<Explained> explain(bool next_state) const override
  {
    std::vector<Explained> all;
    for (const auto& [model, sample] : bad_) all.push_back(sample.explain(model, next_state));
    return all;
  }

private:
  /// Give the engine a model.   \return why it cannot read it, or nothing
  std::optional<std::string> give(const CertifiedCase& one, const std::string& place)
  {
    const Json message = conversation_.message_of(one.model(), one.loops());
    if (message.is_null()) return "it reads no format in which the model can be written";
    try {
      return conversation_.model(message);
    } catch (const Error& broken) {
      throw StateError(place + ": " + broken.what());
    }
  }

  std::vector<std::string> files_;
  std::size_t at_ = 0;
  std::vector<std::pair<Model<double>, Sample>> bad_;  ///< the first cases with digits missing
};

/// That what is wanted is in the protocol.
void require_quantities(const std::vector<std::string>& only)
{
  const auto all = oracle::quantities();
  for (const std::string& name : only)
    if (std::none_of(all.begin(), all.end(), [&](const oracle::Quantity& quantity) {
          return quantity.per_link() ? name.starts_with(quantity.name) : name == quantity.name;
        }))
      throw Error("--only has " + JsonReader::quoted(name) + ", which is no quantity that `check --quantities` lists.");
}

std::unique_ptr<Campaign> campaign_of(const CheckOptions& options)
{
  require_quantities(options.only);
  if (options.engine.empty()) return std::make_unique<Numbers>(options);
  if (options.cases.empty()) return std::make_unique<States>(options);
  return std::make_unique<Cases>(options);
}

// --- the file that grows --------------------------------------------------------------------------------------------

constexpr const char* journal_format = "articulate check scores 1";

/// A chunk that is done: its number, what its states were, their scores.
struct Done {
  std::string input;
  Json scores;
};

/// What a file written by --output holds.
struct Journal {
  Json campaign;
  std::map<std::int64_t, Done> chunks;
  std::optional<std::int64_t> states;  ///< of all shards, once the input has ended
  std::size_t whole = 0;               ///< bytes up to the end of the last whole line
};

/// Of two records of a chunk the same one, in whatever order they come.
void keep(std::map<std::int64_t, Done>& chunks, std::int64_t number, const Done& done, const std::string& source)
{
  const auto [at, is_new] = chunks.insert({number, done});
  if (is_new) return;
  if (at->second.input != done.input)
    throw Error(source + ": chunk " + std::to_string(number) +
                " is of other states than in a file before; join only shards of one input.");
  if (done.scores.dump() < at->second.scores.dump()) at->second = done;
}

[[noreturn]] void refuse_foreign(const std::string& path)
{
  throw Error(path + ": this is no file that `check --output` wrote; give another name.");
}

/// One line of a file written by --output, of which the first describes the campaign.
void read_line(const Json& line, const std::string& source, Journal& journal)
{
  if (journal.campaign.is_null()) {
    if (line.at("format") != journal_format) throw Error(source + ": the format is not '" + journal_format + "'.");
    journal.campaign = line.at("campaign");
    const std::int64_t size = count_of(journal.campaign.at("states_per_chunk"), source);
    if (size == 0 || !journal.campaign.at("model").is_string())
      throw Error(source + ": the campaign has no states in a chunk, or no model; give what `check --output` wrote.");
  } else if (line.contains("end")) {
    journal.states = count_of(line.at("end"), source);
  } else {
    keep(journal.chunks, count_of(line.at("chunk"), source), {line.at("input"), line.at("scores")}, source);
  }
}

/// Reads line by line: a file of another kind is refused before it fills the memory.
Journal read_journal(const std::string& path)
{
  std::ifstream file = file_to_read(path);
  Journal journal;
  std::vector<char> buffer(longest_line);
  for (std::int64_t number = 1; file.getline(buffer.data(), longest_line) && !file.eof(); ++number) {
    journal.whole += static_cast<std::size_t>(file.gcount());
    const std::string source = path + ", line " + std::to_string(number);
    Json line;
    try {
      line = parse_json({buffer.data(), static_cast<std::size_t>(file.gcount()) - 1}, source, "what --output wrote");
    } catch (const StateError&) {
      if (journal.campaign.is_null()) refuse_foreign(path);
      throw;
    }
    try {
      read_line(line, source, journal);
    } catch (const Json::exception&) {
      if (journal.campaign.is_null()) refuse_foreign(path);
      throw Error(source + ": this is no line that `check --output` wrote.");
    }
  }
  if (!file.eof()) refuse_foreign(path);  // no line is that long
  // An interruption may have torn the last line, whose chunk is done again; of the first one something has to be known.
  const std::string_view torn(buffer.data(), static_cast<std::size_t>(file.gcount()));
  const std::string begin = "{\"format\":" + Json(journal_format).dump() + ",";
  if (journal.campaign.is_null() && !torn.starts_with(begin) && !begin.starts_with(torn)) refuse_foreign(path);
  return journal;
}

/// The file that grows chunk by chunk; nothing when its path is empty.
class Output {
public:
  Output(const std::string& path, const Json& campaign) : path_(path)
  {
    if (path_.empty()) return;
    std::error_code ignored;
    if (fs::exists(path_, ignored) && !fs::is_regular_file(path_, ignored))
      throw Error(path_ + ": this is a folder, a device or a pipe, which cannot be read again later; name a file.");
    // Two runs of one shard take turns: the second finds what the first has done.
    lock_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (lock_ < 0) refuse();
    flock(lock_, LOCK_EX);
    if (fs::file_size(path_, ignored) > 0) {
      known_ = read_journal(path_);
      if (!known_.campaign.is_null() && known_.campaign != campaign)
        throw Error(path_ +
                    ": the file is of another campaign, whose scores would be mixed with these; give another name.");
      fs::resize_file(path_, known_.whole, ignored);
    }
    file_.open(path_, std::ios::binary | std::ios::app);
    if (known_.campaign.is_null()) add({{"format", journal_format}, {"campaign", campaign}});
    if (!file_) refuse();
  }

  ~Output()
  {
    if (lock_ >= 0) ::close(lock_);
  }
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  const Done* known(std::int64_t chunk) const
  {
    const auto at = known_.chunks.find(chunk);
    return at == known_.chunks.end() ? nullptr : &at->second;
  }
  void add_chunk(std::int64_t chunk, const std::string& input, const Tallies& scores)
  {
    if (!path_.empty()) add({{"chunk", chunk}, {"input", input}, {"scores", json_of(scores)}});
  }
  void end(std::int64_t states)
  {
    if (!path_.empty() && known_.states != states) add({{"end", states}});
  }

private:
  [[noreturn]] void refuse() const
  {
    throw Error(path_ + ": the file cannot be written; its folder must exist, be writable and have room.");
  }
  void add(const Json& line)
  {
    file_ << one_line(line) << std::flush;
    if (!file_) refuse();
  }

  const std::string path_;
  int lock_ = -1;
  Journal known_;
  std::ofstream file_;
};

/// Find out before the work whether the reports can be written, and over nothing that is read.
void require_places(std::vector<NamedFile> inputs, const ReportFiles& files, const std::string& output)
{
  for (NamedFile& input : inputs)
    if (input.path == "-") input.path = "";
  require_distinct(inputs,
                   {{"--json", files.json}, {"--junit", files.junit}, {"--html", files.html}, {"--output", output}});
  for (const std::string& path : {files.json, files.junit, files.html}) require_writable(path);
}

bool lacks_digits(const Tallies& scores)
{
  return std::any_of(scores.quantities.begin(), scores.quantities.end(),
                     [](const auto& quantity) { return quantity.second.lacking > 0; });
}

int conclude(const CheckReport& report, const ReportFiles& files, bool is_complete)
{
  write_reports(report, files);
  write_text(text_of(report), "");
  return report.scores.agrees() && is_complete ? 0 : 1;
}

}  // namespace

int check(const CheckOptions& options)
{
  const Shard shard(options.shard);
  for (const std::string& stream : {options.theirs, options.state}) require_one_standard_input(options.choice, stream);
  require_places({{"--model", options.choice.model},
                  {"--loops", options.loops.file},
                  {"the file of numbers", options.theirs},
                  {"--state", options.state}},
                 options.reports, options.output);
  const std::unique_ptr<Campaign> campaign = campaign_of(options);
  const std::int64_t size = options.chunk > 0 ? options.chunk : campaign->chunk();
  CheckReport report;
  report.campaign = campaign->description();
  report.campaign["states_per_chunk"] = size;
  Output output(options.output, report.campaign);

  std::int64_t state = 0;
  Tallies chunk;
  Fingerprint input;
  const auto finish_chunk = [&](std::int64_t number) {
    if (!shard.has(number)) return;
    if (const Done* done = output.known(number)) {
      if (done->input != input.text())
        throw Error(options.output + ": the states of chunk " + std::to_string(number) +
                    " have changed since; give another name.");
      chunk = tallies_of(done->scores, options.output);
    } else {
      output.add_chunk(number, input.text(), chunk);
    }
    report.scores.merge(chunk);
  };
  std::optional<Item> item;
  for (; !campaign->has_given_up() && (item = campaign->next()); ++state) {
    const std::int64_t number = state / size;
    if (state % size == 0) {
      if (state > 0) finish_chunk(number - 1);
      chunk = {}, input = {};
    }
    input.add(item->text);
    if (!shard.has(number) || output.known(number)) continue;
    ++chunk.states;
    campaign->evaluate(*item, state, chunk);
  }
  if (state == 0)
    throw Error(source_of(options.engine.empty() ? options.theirs : options.state) +
                ": there is no state; give at least one.");
  const bool is_whole = !campaign->has_given_up();
  if (is_whole) finish_chunk((state - 1) / size);
  if (!is_whole) report.scores.merge(chunk);
  if (is_whole) output.end(state);
  report.remarks = campaign->remarks();
  if (options.diagnose) report.explained = campaign->explain(options.next_state);
  if (options.diagnose && report.explained.empty() && lacks_digits(report.scores))
    report.remarks.push_back(
        "What is missing was found in another run; check its states once more to have it explained.");
  if (report.scores.states > 0 && report.scores.refused == report.scores.states && options.engine.empty())
    throw Error(
        report.scores.refusals.begin()->second +
        (report.scores.refused > 1 ? " (and all others of " + std::to_string(report.scores.refused) + ")" : ""));
  return conclude(report, options.reports, is_whole);
}

int merge_checks(const std::vector<std::string>& files, const ReportFiles& reports)
{
  std::vector<NamedFile> inputs;
  for (const std::string& path : files) inputs.push_back({"merge", path});
  require_places(inputs, reports, "");
  CheckReport report;
  std::map<std::int64_t, Done> chunks;
  std::optional<std::int64_t> states;
  for (const std::string& path : files) {
    const Journal journal = read_journal(path);
    if (journal.campaign.is_null()) throw Error(path + ": the file is empty; give what `check --output` wrote.");
    if (report.campaign.is_null()) report.campaign = journal.campaign;
    if (report.campaign != journal.campaign)
      throw Error(path + ": this is another campaign than that of " + files.front() + "; join only shards of one.");
    if (states && journal.states && *states != *journal.states)
      throw Error(path + ": its input had " + std::to_string(*journal.states) + " states, that of a file before " +
                  std::to_string(*states) + "; join only shards of one input.");
    if (journal.states) states = journal.states;
    for (const auto& [number, done] : journal.chunks) keep(chunks, number, done, path);
  }
  for (const auto& [number, done] : chunks)
    report.scores.merge(tallies_of(done.scores, "chunk " + std::to_string(number)));
  const std::int64_t size = report.campaign.at("states_per_chunk");
  const std::int64_t wanted = states ? (*states + size - 1) / size : 0;
  std::int64_t missing = wanted, first_missing = 0;
  for (const auto& [number, done] : chunks) {
    if (number < wanted) --missing;
    if (number == first_missing) ++first_missing;
  }
  if (!states) report.remarks.push_back("No shard has seen the end of the input yet; scores may be missing.");
  if (missing > 0)
    report.remarks.push_back(std::to_string(missing) + " chunks are missing, the first of them is " +
                             std::to_string(first_missing) + "; run their shards, or go on with them.");
  return conclude(report, reports, states && missing == 0);
}

std::string quantities_text()
{
  std::string text;
  for (const oracle::Quantity& quantity : oracle::quantities())
    text += std::string(quantity.name) + (quantity.per_link() ? "LINK" : "") + " [" + std::string(quantity.unit) +
            "]: " + std::string(quantity.words) +
            (quantity.needs_loops ? "; needs tau and --loops"
             : quantity.needs_qdd ? "; needs qdd"
             : quantity.needs_tau ? "; needs tau"
                                  : "") +
            "\n";
  return text;
}

}  // namespace articulate::cli
