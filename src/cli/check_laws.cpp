#include "check_laws.hpp"
#include <algorithm>
#include <articulate/group/matrices.hpp>
#include <articulate/oracle/nudge.hpp>
#include <cmath>
#include <cstdio>
#include <limits>
#include <set>
#include "conversation.hpp"
#include "laws.hpp"
#include "load.hpp"
#include "tally.hpp"

namespace articulate::cli {
namespace {

// --- cases ----------------------------------------------------------------------------------------------------------

using Kept = std::array<std::vector<int>, 3>;

/// All that is drawn of a case.
struct Drawn {
  Draws machine, state, law;

  explicit Drawn(std::uint64_t seed) : machine(seed), state(seed + 1), law(seed + 2) {}
  explicit Drawn(const Kept& kept) : machine(kept[0]), state(kept[1]), law(kept[2]) {}
  Kept kept() const { return {machine.kept(), state.kept(), law.kept()}; }
};

std::array<double, 3> array_of(const Vector3<double>& x) { return {x[0], x[1], x[2]}; }
std::array<double, 4> array_of(const Quaternion<double>& q) { return {q.v[0], q.v[1], q.v[2], q.w}; }

/// Hinges and slides, which all engines know, one to four of them in a tree, on a base that is fixed or free.
Situation drawn_machine(Draws& draw)
{
  Situation drawn;
  Mechanism& machine = drawn.mechanism;
  machine.name = machine.source = "drawn";
  const int joints = 1 + draw.below(4);
  drawn.options.floating_base = draw.below(2);
  for (int k = 0; k <= joints; ++k) {
    Link link;
    link.name = k ? "link_" + std::to_string(k) : "base";
    link.mass = 1 + std::abs(draw.number(2));
    link.center_of_mass = array_of(draw.vector(0.25));
    link.inertial_quaternion = array_of(draw.quaternion());
    const double x = 0.125 + std::abs(draw.number(0.25)), y = 0.125 + std::abs(draw.number(0.25)),
                 z = 0.125 + std::abs(draw.number(0.25));  // second moments along the axes
    link.inertia = {y + z, 0, 0, x + z, 0, x + y};
    machine.links.push_back(link);
    if (k == 0) continue;
    Joint joint;
    joint.name = "joint_" + std::to_string(k);
    joint.type = draw.below(3) == 1 ? JointType::prismatic : JointType::continuous;
    joint.parent = machine.links[draw.below(k)].name, joint.child = link.name;
    joint.position = array_of(draw.vector(0.5));
    joint.quaternion = array_of(draw.quaternion());
    joint.axis = array_of(draw.vector(1));
    joint.axis[2] = 1 + std::abs(joint.axis[2]);
    machine.joints.push_back(joint);
  }
  return drawn;
}

/// The bodies of a model without what their joints have besides.
Situation bodies_of(const Model<double>& model)
{
  Situation bodies{model.mechanism(), model.options(), {}, {}};
  for (Joint& joint : bodies.mechanism.joints) {
    const Joint plain;
    joint.damping = joint.friction = joint.armature = 0;
    joint.lower = plain.lower, joint.upper = plain.upper;
    joint.mimic.reset();
  }
  return bodies;
}

/// Joint by joint, so that one that is left out takes no number from another.
void draw_state(Situation& drawn, Draws& draw)
{
  const Model<double> model = drawn.model();
  oracle::Question& x = drawn.state;
  for (int k = 0; k < 3; ++k) x.gravity[k] = draw.number(8);
  x.q = model.zero_coordinates();
  x.qd = x.qdd = x.tau = VectorX<double>::Zero(model.nv());
  for (const JointSlot& joint : model.joints()) {
    for (int k = 0; k < joint.nv; ++k) {
      const int v = joint.v + k;
      x.qd(v) = draw.number(2), x.qdd(v) = draw.number(4), x.tau(v) = draw.number(8);
    }
    if (joint.nq == joint.nv) {
      for (int k = 0; k < joint.nq; ++k) x.q(joint.q + k) = draw.number(joint.nq == 1 ? 2 : 1);
      continue;
    }
    const Quaternion<double> turn = draw.quaternion();
    x.q.segment(joint.q + joint.nq - 4, 4) << turn.v.eigen(), turn.w;
    if (joint.nq == 7) x.q.segment(joint.q, 3) = draw.vector(1).eigen();
  }
  for (const LinkFrame<double>& link : model.links())
    if (link.body > 0) {
      const Vector3<double> m = draw.vector(2), f = draw.vector(2);
      drawn.wrenches[link.name] = {m, f};
    }
}

// --- who is asked ---------------------------------------------------------------------------------------------------

oracle::Question question_of(const Situation& at, const Model<double>& model)
{
  oracle::Question question = at.state;
  question.external_wrenches = ExternalWrenches<double>(model.bodies() + 1);
  for (const auto& [name, F] : at.wrenches) {
    const LinkFrame<double>& link = model.link(name);
    question.external_wrenches[link.body] += coAdInv(link.X, F);
  }
  return question;
}

/// We, about a case whose numbers are all moved by a unit in their last place, otherwise each time; or not, for seed 0.
Ask ours(std::uint64_t seed, const std::set<std::string>& known)
{
  return [seed, known](const Situation& at, const Names& names) mutable {
    Model<double> model = at.model();
    oracle::Question question = question_of(at, model);
    if (seed) {
      ++seed;
      model = Model<double>(oracle::nudged(at.mechanism, seed), {at.options.floating_base, true});
      question = oracle::nudged(question, seed);
    }
    std::vector<std::string> asked;
    for (const std::string_view name : names)
      if (known.count(std::string(name)) && oracle::can_answer(*oracle::find_quantity(name), model, question))
        asked.emplace_back(name);
    return oracle::answers(model, question, asked);
  };
}

/// The engine at the other end.
class Theirs {
public:
  /// \param wanted  quantities; empty for all
  Theirs(const LawOptions& options, const std::set<std::string>& wanted)
      : conversation_(words_of(options.engine), options.limits)
  {
    for (const oracle::Quantity& quantity : oracle::quantities()) {
      const std::string name(quantity.name);
      if ((wanted.empty() || wanted.count(name)) && !conversation_.quantities_of({name}).empty()) known_.insert(name);
    }
  }

  const Json& engine() const { return conversation_.engine(); }
  /// The quantities that it may be asked for.
  const std::set<std::string>& known() const { return known_; }
  /// Why some question had no answer, the last time.
  const std::string& reason() const { return reason_; }
  bool has_given_up() const { return failures_ >= Conversation::patience; }
  /// What has been asked since begin().
  const std::vector<Situation>& asked() const { return situations_; }
  void begin() { situations_.clear(), reason_.clear(); }
  void stop() { conversation_.stop(); }

  oracle::Answers operator()(const Situation& at, const Names& names)
  {
    ++failures_;  // until it has answered
    const oracle::Answers answers = answered(at, names);
    failures_ = 0;
    return answers;
  }

private:
  oracle::Answers answered(const Situation& at, const Names& names)
  {
    const Model<double> model = at.model();
    Claim claim;
    claim.question = at.state;
    std::vector<std::string> asked;
    for (const std::string_view name : names)
      if (known_.count(std::string(name)) && oracle::can_answer(*oracle::find_quantity(name), model, claim.question))
        asked.emplace_back(name);
    if (asked.empty() || !give(model)) return {};
    situations_.push_back(at);
    Json wrenches = Json::object();
    for (const auto& [link, F] : at.wrenches) wrenches[link] = numbers(VectorX<double>(coordinates(F)));
    const auto answer = conversation_.answer(++number_, asked, state_of(claim.question, model, wrenches));
    if (const std::string* why = std::get_if<std::string>(&answer)) {
      reason_ = *why;
      return {};
    }
    read_answers(std::get<Json>(answer), "the engine", model, claim);
    if (!claim.cannot.empty()) reason_ = cleaned(claim.cannot.begin()->second, longest_quote);
    return claim.theirs;
  }

  /// Whether it has the model; it is told only of another one.
  bool give(const Model<double>& model)
  {
    const Json message = conversation_.message_of(model);
    if (message == told_) return is_read_;
    told_ = nullptr;  // an engine that fails has none
    is_read_ = false;
    if (message.is_null())
      reason_ = "the engine reads no format in which the model can be written";
    else if (const auto why = conversation_.model(message))
      reason_ = *why;
    else
      is_read_ = true;
    told_ = message;
    return is_read_;
  }

  Conversation conversation_;
  std::set<std::string> known_;
  std::vector<Situation> situations_;
  std::string reason_;
  int failures_ = 0;   ///< in a row
  Json told_ = false;  ///< the last model
  bool is_read_ = false;
  std::int64_t number_ = 0;
};

// --- judgement ------------------------------------------------------------------------------------------------------

/// A law that is not kept, and how.
struct Violation {
  std::string what, entry;
  double is, must_be, allowed;
  std::vector<Situation> asked;  ///< what the engine was asked, first as it was drawn
};

const oracle::Quantity& quantity_of(const Comparison& one) { return *oracle::find_quantity(one.quantity); }

oracle::Rounding size(const Comparison& one)
{
  const MatrixX<double> none = MatrixX<double>::Zero(one.is.rows(), one.is.cols());
  oracle::Rounding size = oracle::largest_change(quantity_of(one), none, one.is, one.model);
  oracle::add(size, oracle::largest_change(quantity_of(one), none, one.must_be, one.model));
  return size;
}

using Allowed = std::map<std::string, oracle::Rounding>;  ///< by what is compared

/** \brief What rounding may do to each difference of a law: 100 n eps kappa.
 *
 *  eps kappa is how far the same difference of our own answers moves when every number of every question is moved by a
 *  unit in its last place. It is at least eps times the largest number of that unit, or of the other with a lever as long
 *  as the machine: what is zero is often a sum of such.
 */
Allowed measured(const Law& law, const Situation& at, const Drawn& drawn, const std::set<std::string>& known)
{
  const auto told = [&](std::uint64_t seed) {
    Draws again(drawn.law.kept());
    return law.compare(at, again, ours(seed, known));
  };
  const std::vector<Comparison> still = told(0);
  std::map<std::string_view, double> largest;  // by units, without the levers
  const double length = oracle::reach(at.model(), at.state.q);
  for (const Comparison& one : still) {
    const oracle::Rounding entries = size(one), lever = oracle::levers(quantity_of(one), length);
    double& all = largest[quantity_of(one).unit];
    for (std::size_t k = 0; k < entries.size(); ++k) all = std::max(all, entries[k] / lever[k]);
  }
  Allowed allowed;
  for (std::uint64_t seed : {1u, 1001u, 2001u}) {
    const std::vector<Comparison> moved = told(seed);
    for (std::size_t k = 0; k < still.size(); ++k)
      oracle::add(allowed[still[k].what], oracle::largest_change(quantity_of(still[k]), still[k].is - still[k].must_be,
                                                                 moved[k].is - moved[k].must_be, still[k].model));
  }
  constexpr double eps = std::numeric_limits<double>::epsilon();
  const double factor = 100.0 * at.model().nv();
  for (const Comparison& one : still) {
    oracle::Rounding& bound = allowed[one.what];
    const oracle::Rounding lever = oracle::levers(quantity_of(one), length);
    for (std::size_t k = 0; k < bound.size(); ++k)
      bound[k] = factor * std::max(bound[k], eps * lever[k] * largest[quantity_of(one).unit]);
  }
  return allowed;
}

/// The entry of a comparison that misses most of what it may, if one does.
std::optional<Violation> violation(const Comparison& one, const oracle::Rounding& allowed)
{
  const oracle::Quantity& quantity = quantity_of(one);
  std::optional<Violation> worst;
  const MatrixX<std::size_t> group = oracle::unit_groups(quantity, one.is.rows(), one.is.cols(), one.model);
  double most = 0;
  for (int i = 0; i < one.is.rows(); ++i)
    for (int j = 0; j < one.is.cols(); ++j) {
      const double may = allowed[group(i, j)];
      const double misses = std::abs(one.is(i, j) - one.must_be(i, j));
      if (misses <= may || misses / may <= most) continue;
      most = misses / may;
      worst = Violation{one.what, entry_name(one.quantity, i, j, one.model), one.is(i, j), one.must_be(i, j), may, {}};
    }
  return worst;
}

/// Asks one law of an engine.
class Trial {
public:
  Trial(const Law& law, const std::optional<Situation>& given, Theirs& theirs)
      : law_(law), given_(given), theirs_(theirs)
  {
  }

  /// What is not kept in a case, or nothing.   \param what  look at this alone; empty for all that is not known yet
  std::optional<Violation> operator()(Drawn& drawn, const std::string& what = "")
  {
    Situation at = given_ ? *given_ : drawn_machine(drawn.machine);
    draw_state(at, drawn.state);
    theirs_.begin();
    const std::vector<Comparison> told = law_.compare(at, drawn.law, std::ref(theirs_));
    is_asked_ = !told.empty();
    std::optional<Allowed> allowed;
    for (const Comparison& one : told) {
      if (what.empty() ? known_.count(one.what) : one.what != what) continue;
      // With kappa = 1 most of them hold, and nothing need be measured.
      oracle::Rounding least = size(one);
      for (double& x : least) x *= 100 * std::numeric_limits<double>::epsilon() * at.model().nv();
      if (!violation(one, least)) continue;
      if (!allowed) allowed = measured(law_, at, drawn, theirs_.known());
      if (auto found = violation(one, (*allowed)[one.what])) {
        found->asked = theirs_.asked();
        return found;
      }
    }
    return {};
  }

  bool is_asked() const { return is_asked_; }

  /// The same violation with smaller numbers: zeros for as many as can be, then halves.
  Violation shrunk(Violation found, Kept kept)
  {
    known_.insert(found.what);
    int tries = 2000;
    const auto is_still_seen = [&](const Kept& tried) {
      if (--tries < 0) return false;
      Drawn smaller(tried);
      try {
        const auto seen = (*this)(smaller, found.what);
        if (!seen) return false;
        found = *seen, kept = tried;
        return true;
      } catch (const Error&) {
        return false;  // it fails otherwise
      }
    };
    for (bool is_smaller = true; is_smaller;) {
      is_smaller = false;
      for (std::size_t part = 0; part < kept.size(); ++part)
        for (std::size_t length = kept[part].size(); length > 0; length /= 2)
          for (std::size_t from = 0; from < kept[part].size(); from += length) {
            Kept tried = kept;
            const std::size_t to = std::min(from + length, tried[part].size());
            std::fill(&tried[part][from], &tried[part][0] + to, 0);
            if (tried != kept && is_still_seen(tried)) is_smaller = true;
          }
    }
    for (std::size_t part = 0; part < kept.size(); ++part)
      for (std::size_t k = 0; k < kept[part].size(); ++k)
        for (Kept tried = kept; (tried[part][k] /= 2) != 0 && is_still_seen(tried);) continue;
    return found;
  }

private:
  const Law& law_;
  const std::optional<Situation>& given_;
  Theirs& theirs_;
  std::set<std::string> known_;  ///< what is known not to hold
  bool is_asked_ = false;
};

// --- the report -----------------------------------------------------------------------------------------------------

/// How one law went.
struct Result {
  const Law& law;
  std::int64_t asked, failed;
  bool is_cut_short;  ///< as the engine fails
  std::vector<Violation> violations;
  std::string failure, reason;  ///< of the engine's last failure; why something was not answered

  std::string verdict() const
  {
    std::string names;
    for (const Violation& seen : violations) names += (names.empty() ? "" : ", ") + seen.what;
    if (!names.empty()) return "does not hold for " + names;
    if (asked > 0) return failed > 0 || is_cut_short ? "holds where there was an answer" : "holds";
    if (failed > 0 || is_cut_short) return "is not known: the engine fails";
    return "cannot be asked: it needs " + std::string(law.needs) + (reason.empty() ? "" : "; " + reason);
  }
};

std::string sentence(const Law& law, const Violation& seen)
{
  char numbers[128];
  std::snprintf(numbers, sizeof numbers, " is %.17g where it must be %.17g, and rounding explains no more than %.1e.",
                seen.is, seen.must_be, seen.allowed);
  return std::string(law.name) + " does not hold: " + std::string(law.words) + ", but " + seen.what + seen.entry +
         numbers;
}

/// A situation as the protocol sends it.
Json json_of(const Situation& at)
{
  const Model<double> model = at.model();
  Json wrenches = Json::object();
  for (const auto& [link, F] : at.wrenches)
    if (coordinates(F).any()) wrenches[link] = numbers(VectorX<double>(coordinates(F)));
  return {{"urdf", robot_text(model, "urdf")},
          {"floating_base", model.floating_base()},
          {"state", state_of(at.state, model, wrenches)}};
}

Json json_of(const Result& result)
{
  Json json{{"law", result.law.name},
            {"asked_in", result.asked},
            {"failed", result.failed},
            {"verdict", result.verdict()},
            {"violations", Json::array()}};
  for (const Violation& seen : result.violations) {
    Json questions = Json::array();
    for (const Situation& at : seen.asked) questions.push_back(json_of(at));
    json["violations"].push_back({{"of", seen.what}, {"sentence", sentence(result.law, seen)}, {"asked", questions}});
  }
  return json;
}

void print(const Result& result)
{
  std::printf("%-14s %8lld  %s\n", std::string(result.law.name).c_str(), static_cast<long long>(result.asked),
              result.verdict().c_str());
  std::fflush(stdout);
}

void print_violations(const Result& result)
{
  if (result.failed > 0)
    std::printf("\n%s: in %lld cases there was no answer, the last time because %s\n",
                std::string(result.law.name).c_str(), static_cast<long long>(result.failed), result.failure.c_str());
  for (const Violation& seen : result.violations)
    std::printf("\n%s\n  smallest state: %s\n", sentence(result.law, seen).c_str(),
                json_of(seen.asked.front())["state"].dump().c_str());
}

Result asked(const Law& law, const std::optional<Situation>& given, Theirs& theirs, std::int64_t draws,
             std::uint64_t seed)
{
  Result result{law, 0, 0, false, {}, "", ""};
  Trial trial(law, given, theirs);
  for (std::int64_t k = 0; k < draws && !theirs.has_given_up(); ++k) {
    Drawn drawn(seed + 3 * static_cast<std::uint64_t>(k));
    try {
      const auto found = trial(drawn);
      result.asked += trial.is_asked();
      if (found) result.violations.push_back(trial.shrunk(*found, drawn.kept()));
    } catch (const Error& broken) {
      ++result.failed, result.failure = broken.what();
    }
  }
  result.is_cut_short = theirs.has_given_up();
  result.reason = theirs.reason();
  return result;
}

}  // namespace

int check_laws(const LawOptions& options)
{
  require_distinct({{"--model", options.choice.model == "-" ? "" : options.choice.model}}, {{"--json", options.json}});
  require_writable(options.json);
  std::set<std::string> wanted_laws, wanted_quantities;
  for (const std::string& name : options.only) {
    const bool is_law = std::any_of(laws().begin(), laws().end(), [&](const Law& law) { return law.name == name; });
    const oracle::Quantity* quantity = oracle::find_quantity(name);
    if (!is_law && !quantity)
      throw Error("--only has '" + name + "', which is neither a law nor a quantity that `check --quantities` lists.");
    if (!is_law && quantity->per_link())
      throw Error("--only has '" + name + "', a quantity of each link, for which no law asks; give tip_jacobian.");
    (is_law ? wanted_laws : wanted_quantities).insert(name);
  }
  std::optional<Situation> given;
  if (!options.choice.model.empty()) given = bodies_of(load(options.choice));
  Theirs theirs(options, wanted_quantities);
  const Json& engine = theirs.engine();
  const std::string machines = given ? given->mechanism.name : "drawn machines";
  Json report{{"engine", {{"name", engine["name"]}, {"version", engine["version"]}, {"command", options.engine}}},
              {"machines", machines},
              {"draws", options.draws},
              {"seed", options.seed},
              {"laws", Json::array()}};
  std::printf("%s %s, %s, %lld draws of each law, seed %llu\n\n%-14s %8s\n", engine["name"].get<std::string>().c_str(),
              engine["version"].get<std::string>().c_str(), machines.c_str(), static_cast<long long>(options.draws),
              static_cast<unsigned long long>(options.seed), "law", "asked in");
  std::vector<Result> results;
  bool hold = true, any = false;
  for (const Law& law : laws()) {
    if (!wanted_laws.empty() && !wanted_laws.count(std::string(law.name))) continue;
    results.push_back(asked(law, given, theirs, options.draws, options.seed << 32));
    const Result& result = results.back();
    print(result);
    report["laws"].push_back(json_of(result));
    hold &= result.violations.empty() && result.failed == 0;
    any |= result.asked > 0;
  }
  for (const Result& result : results) print_violations(result);
  if (theirs.has_given_up())
    std::printf("\nThe engine failed %d times in a row and was not asked again.\n", Conversation::patience);
  theirs.stop();
  std::printf("\n%s\n", !any   ? "No law could be asked."
                        : hold ? "All laws that can be asked hold."
                               : "Not all laws hold.");
  if (!options.json.empty()) write_json(report, options.json);
  return hold && any ? 0 : 1;
}

}  // namespace articulate::cli
