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
    const Kept kept{missing, claim, state == last_ + 1 ? before_ : nullptr, place};
    before_ = std::move(claim), last_ = state;
    if (first_.size() < some) return first_.push_back(kept);
    if (missing == 0 || !kept.before || (worst_.size() == some && missing <= worst_.back().missing)) return;
    const auto after =
        std::find_if(worst_.begin(), worst_.end(), [&](const Kept& other) { return other.missing < missing; });
    worst_.insert(after, kept);
    if (worst_.size() > some) worst_.pop_back();
  }

  bool is_bad() const
  {
    return !worst_.empty() ||
           std::any_of(first_.begin(), first_.end(), [](const Kept& kept) { return kept.missing > 0; });
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
    one.diagnosis = oracle::diagnose(model.mechanism(), model.options(), questions, theirs, one.places);
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

void add(Tallies& scores, const Claim& claim, const std::map<std::string, Outcome>& outcomes, std::int64_t state,
         const std::string& place)
{
  for (const auto& [name, outcome] : outcomes) scores.quantities[name].add(outcome, state, place);
  for (const auto& [name, reason] : claim.cannot) {
    Tally& tally = scores.quantities[name];
    ++tally.cannot;
    if (tally.reason.empty() || reason < tally.reason) tally.reason = reason;
  }
}

/// The outcomes of a claim. What refuses it says at what place.
std::map<std::string, Outcome> outcomes_of(const Claim& claim, const Examiner& examiner, const std::string& place,
                                           std::int64_t state, Tallies& scores)
{
  try {
    return examiner(claim, measuring(state, scores), scores.notes);
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
  }

  Json description_of_engine() const
  {
    Json words;
    for (const char* key : {"name", "version", "conventions"})
      if (conversation_.engine().contains(key)) words[key] = conversation_.engine()[key];
    words["command"] = options_.engine;
    return words;
  }

  /// The quantities to ask about a state.
  std::vector<std::string> quantities(const Model<double>& model, const oracle::Question& question) const
  {
    std::vector<std::string> names;
    for (const oracle::Quantity& quantity : oracle::quantities()) {
      std::string name(quantity.name);
      if (quantity.per_link()) name += model.mechanism().links.back().name;
      const auto is_wanted = [&](const std::string& wanted) { return wanted == name || wanted == quantity.name; };
      if (!options_.only.empty() && std::none_of(options_.only.begin(), options_.only.end(), is_wanted)) continue;
      if (quantity.needs_loops && !conversation_.closes_loops()) continue;
      if (oracle::can_answer(quantity, model, question)) names.push_back(name);
    }
    return conversation_.quantities_of(names);
  }

  /// Ask, and read the answer into the claim.
  void ask(const Model<double>& model, std::int64_t state, const Json& given, const std::string& place, Claim& claim)
  {
    const std::vector<std::string> names = quantities(model, claim.question);
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

  const CheckOptions options_;
  Conversation conversation_;
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
      ask(model, state, state_of(claim.question, model, wrenches), source, claim);
      const auto outcomes = outcomes_of(claim, examiner_, source, state, scores);
      add(scores, claim, outcomes, state, item.place);
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
      ask(one.model(), state, given, item.place, claim);
      const auto outcomes = one.outcomes(claim);
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

std::unique_ptr<Campaign> campaign_of(const CheckOptions& options)
{
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
