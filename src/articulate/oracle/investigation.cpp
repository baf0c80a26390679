#include <articulate/oracle/investigation.hpp>
#include <articulate/oracle/nudge.hpp>
#include <articulate/oracle/wrenches.hpp>
#include <algorithm>
#include <iterator>

namespace articulate::oracle {
namespace {

/// Every so many of a list, its first among them.
template <typename T>
std::vector<T> some(const std::vector<T>& all, std::size_t count)
{
  if (all.size() <= count) return all;
  std::vector<T> chosen;
  for (std::size_t k = 0; k < count; ++k) chosen.push_back(all[k * all.size() / count]);
  return chosen;
}

/// How much work a quantity is, roughly.
int cost(const std::string& name)
{
  if (name.find("_by_q") != std::string::npos) return 3;
  if (name.ends_with("regressor") || is_coriolis_matrix(name)) return 2;
  return name.starts_with("link_") || name.starts_with("closed") || name.starts_with("constraint");
}

/// Whether it says nothing of a state that none comes before.
bool needs_before(const Product& product)
{
  return std::any_of(product.begin(), product.end(), [](const auto* one) { return one->needs_before; });
}

/// Digits that an explanation may lack, those that a fitted number has lost, and those that a wrong machine may cost.
constexpr double spare_digit = 1, lost_in_a_fit = 2, lost_by_a_machine = 3;

}  // namespace

std::string key_of(const Product& product)
{
  std::string key;
  for (const Hypothesis* one : product) key += (key.empty() ? "" : " + ") + one->key;
  return key;
}

bool explains_most(const std::set<Eigen::Index>& before, const std::set<Eigen::Index>& after)
{
  return 2 * after.size() < before.size() && std::includes(before.begin(), before.end(), after.begin(), after.end());
}

Investigation::Investigation(Machine machine, std::span<const Question> questions, std::span<const Answers> theirs)
    : machine_(std::move(machine)), model_(machine_.mechanism, machine_.options), questions_(questions)
{
  const Oracle oracle(model_);
  std::vector<State> good, bad;
  std::set<std::string> names, not_zero;
  for (std::size_t k = 0; k < questions.size(); ++k) {
    State state{k, {}, {}, {}};
    std::vector<std::string> asked;
    for (const auto& [name, table] : theirs[k]) {
      const Quantity* quantity = find_quantity(name);
      if (name == "coriolis_matrix" && theirs[k].count("coriolis_matrix times qd"))
        continue;  // it has many right answers
      if (!quantity || !can_answer(*quantity, model_, questions[k]) || !table.allFinite() ||
          shape(*quantity, model_) != std::pair{static_cast<int>(table.rows()), static_cast<int>(table.cols())})
        continue;
      asked.push_back(name);
      state.theirs[name] = table;
    }
    if (asked.empty()) continue;
    state.ours = oracle(questions[k], asked);
    if (const auto C = theirs[k].find("coriolis_matrix"); C != theirs[k].end() && !state.theirs.count(C->first))
      if (const auto of_product = state.ours.rounding.find("coriolis_matrix times qd");
          of_product != state.ours.rounding.end() && C->second.cols() == questions[k].qd.size())
        add(of_product->second, rounding_of_product(C->second, questions[k].qd, model_));
    bool misses = false;
    for (const std::string& name : asked) {
      const Score right = score(name, state.theirs[name], state.ours.values[name], state.ours.rounding[name], model_);
      state.scores[name] = right;
      least_attainable_ = std::min(least_attainable_, right.attainable);
      if (right.agrees()) continue;
      misses = true;
      missing_.insert(name);
    }
    names.insert(asked.begin(), asked.end());
    for (const std::string& name : asked)
      if (!state.theirs.at(name).isZero(0)) not_zero.insert(name);
    states_that_miss_ += misses;
    (misses ? bad : good).push_back(std::move(state));
  }
  std::set_difference(missing_.begin(), missing_.end(), not_zero.begin(), not_zero.end(),
                      std::inserter(all_zero_, all_zero_.end()));
  sample_ = some(bad, 5);
  for (State& state : some(good, 2)) sample_.push_back(std::move(state));
  // What misses digits comes first, and of that what is found quickly: it is what most hypotheses fail at.
  names_.assign(missing_.begin(), missing_.end());
  std::stable_sort(names_.begin(), names_.end(),
                   [](const std::string& a, const std::string& b) { return cost(a) < cost(b); });
  std::copy_if(names.begin(), names.end(), std::back_inserter(names_),
               [&](const std::string& name) { return !missing_.count(name); });
}

std::shared_ptr<const Model<double>> Investigation::model_of(std::span<const Hypothesis* const> product)
{
  std::string key;
  bool fitted = false;
  for (const Hypothesis* one : product)
    if (one->machine) key += one->key + "+", fitted = fitted || one->parameters > 0;
  if (const auto found = models_.find(key); !fitted && found != models_.end()) return found->second;
  Machine machine = machine_;
  for (const Hypothesis* one : product)
    if (one->machine) one->machine(machine);
  auto model = std::make_shared<const Model<double>>(machine.mechanism, machine.options);
  if (!fitted) models_[key] = model;
  return model;
}

// [layers]
/** A question passes the causes one after the other, and its answers come back the other way: each cause sees the machine
 *  and the state as those before it have made them, and not what a library behind it reads of them.
 */
std::optional<Investigation::Asked> Investigation::asked(const Product& product, const Question& question,
                                                         const Question* before)
{
  try {
    Asked asked{nullptr, question, before, &questions_.front(), question.qd};
    // The model as the first so many have made it.
    std::size_t entered = 0;
    const auto enter = [&](std::size_t count) {
      const auto more = std::span(product).subspan(entered, count - entered);
      const bool changes = std::any_of(more.begin(), more.end(), [](const auto* one) { return bool(one->machine); });
      entered = count;
      if (asked.model && !changes) return;
      auto model = model_of(std::span(product).first(count));
      if (changes) carry_wrenches(asked.question, asked.model ? *asked.model : model_, *model);
      asked.model = std::move(model);
    };
    for (std::size_t k = 0; k < product.size(); ++k) {
      const Hypothesis* one = product[k];
      if (one->needs_before && !before) return std::nullopt;
      const bool is_seen = one->answers && k + 1 < product.size();
      if (is_seen || one->question) enter(k + 1);
      if (one->question) {
        if (one->answers && asked.multiplier != asked.question.qd) {
          Question other = asked.question;
          other.qd = asked.multiplier;
          one->question(other, {*asked.model, question, before, asked.first});
          asked.multiplier = other.qd;
        }
        const bool are_one = asked.multiplier == asked.question.qd;
        one->question(asked.question, {*asked.model, question, before, asked.first});
        if (one->answers && are_one) asked.multiplier = asked.question.qd;
      }
      if (k + 1 < product.size()) {
        asked.seen.emplace_back();
        if (is_seen) asked.seen.back() = {asked.model, asked.question};
      }
    }
    enter(product.size());
    return asked;
  } catch (const Error&) {
    return std::nullopt;  // no such machine, or no such state
  }
}

std::optional<Investigation::Asked> Investigation::asked(const Product& product, const State& state)
{
  return asked(product, question(state), state.index > 0 ? &questions_[state.index - 1] : nullptr);
}

void Investigation::rewrite(const Product& product, const Asked& asked, Answers& answers)
{
  const Situation inside{*asked.model, asked.question, asked.before, asked.first};
  for (std::size_t k = product.size(); k-- > 0;) {
    if (!product[k]->answers) continue;
    if (k + 1 == product.size())
      product[k]->answers(answers, inside);
    else
      product[k]->answers(answers, {*asked.seen[k].first, asked.seen[k].second, asked.before, asked.first, &inside});
  }
}
// [layers]

/// Answers to what is asked, where rates multiply a C that may be of others.
Answers Investigation::answered(const Asked& asked, std::span<const std::string> names)
{
  Answers answers = oracle::answers(*asked.model, asked.question, names);
  if (const auto C = answers.find("coriolis_matrix times qd");
      C != answers.end() && asked.multiplier != asked.question.qd)
    C->second = answer({*asked.model, asked.question}, "coriolis_matrix") * asked.multiplier;
  return answers;
}

std::optional<Answers> Investigation::predicted(const Product& product, const Question& question,
                                                const Question* before, std::span<const std::string> names)
{
  const auto what = asked(product, question, before);
  if (!what) return std::nullopt;
  try {
    Answers answers = answered(*what, names);
    rewrite(product, *what, answers);
    return answers;
  } catch (const Error&) {
    return std::nullopt;
  }
}

// [first-look]
std::optional<Answers> Investigation::predicted(const Product& product, const State& state,
                                                std::span<const std::string> names)
{
  const auto what = asked(product, state);
  if (!what) return std::nullopt;
  try {
    // Most products fail at the first quantity of the first state. What they ask there is asked by many of them.
    const Hypothesis* asking = nullptr;
    int count = 0;
    for (const Hypothesis* one : product)
      if (one->machine || one->question) asking = one, ++count;
    Answers answers;
    const auto is_known = [&](const std::string& name) { return state.ours.values.count(name) > 0; };
    if (count == 0 && std::all_of(names.begin(), names.end(), is_known)) {
      for (const std::string& name : names) answers[name] = state.ours.values.at(name);
    } else if (count == 1 && names.size() == 1 && asking->parameters == 0 && &state == &sample_.front()) {
      const std::pair key{asking->key, names[0]};
      auto look = first_looks_.find(key);
      if (look == first_looks_.end()) look = first_looks_.emplace(key, answered(*what, names)[names[0]]).first;
      answers[names[0]] = look->second;
    } else {
      answers = answered(*what, names);
    }
    rewrite(product, *what, answers);
    return answers;
  } catch (const Error&) {
    return std::nullopt;
  }
}
// [first-look]

/// A wrong machine may be better or worse to compute with than the right one: its rounding is measured as ours is.
Rounding Investigation::rounding(const Product& product, const State& state, const std::string& name,
                                 const MatrixX<double>& value)
{
  Rounding rounding = state.ours.rounding.at(name);
  for (std::uint64_t seed = 1; seed <= 2; ++seed) {
    Machine machine = machine_;
    for (const Hypothesis* one : product)
      if (one->machine) one->machine(machine);
    machine.options.accept_unphysical = true;
    const Model<double> model(nudged(machine.mechanism, seed), machine.options);
    auto what = asked(product, nudged(question(state), seed), state.index > 0 ? &questions_[state.index - 1] : nullptr);
    if (!what) continue;
    Answers moved = answers(model, what->question, {&name, 1});
    rewrite(product, *what, moved);
    add(rounding, largest_change(*find_quantity(name), value, moved[name], model_));
  }
  return rounding;
}

/// Zeros alone speak for little, since there are many ways to make them: that they were not computed, or that one input was
/// not read.
bool Investigation::is_evidence(const Product& product, const std::string& name) const
{
  if (!all_zero_.count(name)) return true;
  const bool is_one_input = product.size() == 1 && product[0]->question && product[0]->parameters == 0;
  return is_one_input || std::any_of(product.begin(), product.end(), [](const auto* one) { return one->of_zeros; });
}

bool Investigation::agrees(const Product& product, const State& state, std::span<const std::string> names, bool& gains)
{
  const auto answers = predicted(product, state, names);
  if (!answers) return false;
  const bool fitted = std::any_of(product.begin(), product.end(), [](const auto* one) { return one->parameters > 0; });
  double own_spare = spare_digit;
  for (const Hypothesis* one : product) own_spare = std::max(own_spare, one->spare);
  for (const std::string& name : names) {
    const MatrixX<double>& value = answers->at(name);
    if (!value.allFinite()) return false;
    const double spare = fitted ? own_spare + lost_in_a_fit : own_spare;
    const MatrixX<double>& theirs = state.theirs.at(name);
    const Score &without = state.scores.at(name),
                with = score(name, theirs, value, state.ours.rounding.at(name), model_);
    double gain = without.missing() - with.missing();
    // A fit can make terms cancel until rounding is left: that has no digit in common with anything.
    if (fitted && !without.agrees())
      gain = std::min(gain, score(name, theirs, value, digits_of_double, model_).digits - without.digits);
    const double least = fitted ? least_gain_of_a_fit : least_gain;
    // What misses few digits cannot gain many: it has to agree, and another quantity to gain them.
    if (!without.agrees() && gain < least && (without.missing() > least + own_spare || with.missing() > own_spare))
      return false;
    gains = gains || (gain >= least && is_evidence(product, name));
    if (with.missing() <= spare) continue;
    // Only what is near is worth a measurement.
    if (with.missing() > spare + lost_by_a_machine) return false;
    if (score(name, theirs, value, rounding(product, state, name, value), model_).missing() > spare) return false;
  }
  return true;
}

bool Investigation::explains(const Product& product, const std::vector<std::string>& names)
{
  const auto skipped = [&](const State& state) { return needs_before(product) && state.index == 0; };
  bool gains = false;
  for (const bool first_only : {true, false})
    for (const State& state : sample_) {
      if (skipped(state)) continue;
      std::vector<std::string> given;
      for (const std::string& name : names)
        if (state.theirs.count(name)) given.push_back(name);
      if (given.empty()) continue;
      if (!agrees(product, state, first_only ? std::span(given).first(1) : std::span(given), gains)) return false;
      if (first_only) break;
    }
  return gains;
}

bool Investigation::explains_or_agrees(const Product& product, const std::string& name)
{
  bool gains = false;
  return std::all_of(sample_.begin(), sample_.end(), [&](const State& state) {
    return (needs_before(product) && state.index == 0) || !state.theirs.count(name) ||
           agrees(product, state, {&name, 1}, gains);
  });
}

double Investigation::worst_digits(const Product& product)
{
  Rows all;
  for (const State& state : sample_)
    for (const auto& [name, table] : state.theirs)
      if (missing_.count(name))
        for (Eigen::Index i = 0; i < table.rows(); ++i) all[name].insert(i);
  return worst_digits(product, all);
}

double Investigation::worst_digits(const Product& product, const Rows& rows)
{
  double worst = digits_of_double;
  for (const State& state : sample_) {
    std::vector<std::string> given;
    for (const auto& [name, of_name] : rows)
      if (state.theirs.count(name)) given.push_back(name);
    const auto answers = predicted(product, state, given);
    if (!answers) continue;
    for (const std::string& name : given) {
      MatrixX<double> theirs = answers->at(name);
      for (const Eigen::Index i : rows.at(name)) theirs.row(i) = state.theirs.at(name).row(i);
      worst = std::min(worst, score(name, theirs, answers->at(name), state.ours.rounding.at(name), model_).digits);
    }
  }
  return worst;
}

void Investigation::add_rows(Rows& rows, const State& state, const Answers& answers) const
{
  for (const auto& [name, value] : answers)
    if (missing_.count(name))
      rows[name].merge(rows_that_differ(name, state.theirs.at(name), value, state.ours.rounding.at(name), model_));
}

Investigation::Rows Investigation::rows_that_miss()
{
  Rows rows;
  for (const State& state : sample_) add_rows(rows, state, state.ours.values);
  return rows;
}

std::optional<Investigation::Rows> Investigation::rows_that_miss(const Product& product, const Rows& before)
{
  Rows rows;
  for (const std::string& name : missing_)
    if (const auto found = before.find(name); found != before.end() && !is_evidence(product, name))
      rows[name] = found->second;
    else
      rows[name];
  for (const State& state : sample_) {
    if (needs_before(product) && state.index == 0) continue;
    std::vector<std::string> given;
    for (const std::string& name : missing_)
      if (state.theirs.count(name)) given.push_back(name);
    const auto answers = predicted(product, state, given);
    if (!answers) return std::nullopt;
    add_rows(rows, state, *answers);
    if (std::none_of(before.begin(), before.end(),
                     [&](const auto& of) { return explains_most(of.second, rows[of.first]); }))
      return std::nullopt;
  }
  return rows;
}

std::set<std::string> Investigation::changed(const Product& product)
{
  std::set<std::string> names;
  int looked_at = 0;
  for (const State& state : sample_) {
    std::vector<std::string> given;
    for (const auto& [name, table] : state.theirs) given.push_back(name);
    const auto answers = predicted(product, state, given);
    if (!answers) continue;
    for (const std::string& name : given)
      if (!answers->at(name).allFinite() ||
          !score(name, answers->at(name), state.ours.values.at(name), state.ours.rounding.at(name), model_).agrees())
        names.insert(name);
    if (++looked_at == 2) break;
  }
  return names;
}

}  // namespace articulate::oracle
