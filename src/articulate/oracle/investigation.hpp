/** \file
 *  \brief Somebody's numbers beside what hypotheses predict.
 *
 *  - Chapter: \ref oracle
 */
#pragma once
#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <articulate/oracle/hypothesis.hpp>
#include <articulate/oracle/score.hpp>

namespace articulate::oracle {

/// \brief Digits that an explanation has to gain at least.
inline constexpr double least_gain = 2, least_gain_of_a_fit = 3;

/// \brief Hypotheses that act together: the first is nearest to the one who asks.
using Product = std::vector<const Hypothesis*>;

/// \brief The keys of a product, joined by a plus sign.
std::string key_of(const Product& product);

/// \brief Whether rows that miss digits are fewer than half of what they were, and none that was right.
bool explains_most(const std::set<Eigen::Index>& before, const std::set<Eigen::Index>& after);

/** \brief The states that are looked at, and what is given in them. */
class Investigation {
public:
  /// \brief What is known of one state.
  struct State {
    std::size_t index;  ///< among all
    Answers theirs;     ///< what can be compared
    Reference ours;
    std::map<std::string, Score> scores;
  };

  Investigation(Machine machine, std::span<const Question> questions, std::span<const Answers> theirs);

  const Machine& machine() const { return machine_; }
  const Model<double>& model() const { return model_; }
  /// \brief The states of the sample: of those that miss digits up to five, of those that do not up to two.
  const std::vector<State>& sample() const { return sample_; }
  const Question& question(const State& state) const { return questions_[state.index]; }
  /// \brief Names of quantities that are given somewhere, and those of them that miss digits.
  const std::vector<std::string>& names() const { return names_; }
  const std::set<std::string>& missing() const { return missing_; }
  /// \brief Those that miss digits because all their numbers are zero, in all states.
  const std::set<std::string>& all_zero() const { return all_zero_; }
  std::size_t states_that_miss() const { return states_that_miss_; }
  /// \brief Whether a state is one of them.
  static bool misses(const State& state)
  {
    return std::any_of(state.scores.begin(), state.scores.end(), [](const auto& one) { return !one.second.agrees(); });
  }
  double least_attainable() const { return least_attainable_; }

  /// \brief The model of a product and the question that it answers; nothing where it has none, or asks for a state before.
  struct Asked {
    std::shared_ptr<const Model<double>> model;
    Question question;
    const Question *before, *first;
    /// What multiplies a C that is given: the state's rates, in a basis that answers have, too, where there is one.
    VectorX<double> multiplier;
    /// What each cause of the product sees that has others behind it: it is asked before they are.
    std::vector<std::pair<std::shared_ptr<const Model<double>>, Question>> seen{};
  };
  std::optional<Asked> asked(const Product& product, const State& state);
  /// \brief What it makes of answers.
  static void rewrite(const Product& product, const Asked& asked, Answers& answers);
  /// \brief What it predicts of some quantities.
  std::optional<Answers> predicted(const Product& product, const State& state, std::span<const std::string> names);
  /// \brief The same of any question, which may have one before.
  std::optional<Answers> predicted(const Product& product, const Question& question, const Question* before,
                                   std::span<const std::string> names);

  /// \brief Whether every quantity in every state has the digits that can be had but for one; fitted numbers lose two more.
  bool explains(const Product& product) { return explains(product, names_); }
  /// \brief The same of some of the quantities; those that miss digits come first.
  bool explains(const Product& product, const std::vector<std::string>& names);
  /// \brief Whether one quantity has these digits in every state, also where it had them before.
  bool explains_or_agrees(const Product& product, const std::string& name);
  /// \brief The digits of the worst quantity that missed some, with a product or without.
  double worst_digits(const Product& product);
  /// \brief Rows of tables, from 0, by quantity.
  using Rows = std::map<std::string, std::set<Eigen::Index>>;
  /// \brief Of the quantities that missed digits the rows that miss some in a state.
  Rows rows_that_miss();
  /** \brief The rows that do so with a product.
   *  \param before  those without; nothing is told where it explains most of the rows of no quantity, or has no answer
   */
  std::optional<Rows> rows_that_miss(const Product& product, const Rows& before);
  /// \brief The digits of the worst of some rows.
  double worst_digits(const Product& product, const Rows& rows);
  /// \brief Which quantities it changes.
  std::set<std::string> changed(const Product& product);

private:
  std::shared_ptr<const Model<double>> model_of(std::span<const Hypothesis* const> product);
  std::optional<Asked> asked(const Product& product, const Question& question, const Question* before);
  static Answers answered(const Asked& asked, std::span<const std::string> names);
  /// Whether some quantities have their digits; `gains` becomes true where one has many that it had not.
  bool agrees(const Product& product, const State& state, std::span<const std::string> names, bool& gains);
  /// Whether it speaks for a product that a quantity agrees with it.
  bool is_evidence(const Product& product, const std::string& name) const;
  void add_rows(Rows& rows, const State& state, const Answers& answers) const;
  Rounding rounding(const Product& product, const State& state, const std::string& name, const MatrixX<double>& value);

  Machine machine_;
  Model<double> model_;
  std::span<const Question> questions_;
  std::vector<State> sample_;
  std::vector<std::string> names_;
  std::set<std::string> missing_, all_zero_;
  std::size_t states_that_miss_ = 0;
  double least_attainable_ = digits_of_double;
  std::map<std::string, std::shared_ptr<const Model<double>>> models_;
  /// Of the first state, by key and quantity: what a hypothesis that changes the machine or the question answers.
  std::map<std::pair<std::string, std::string>, MatrixX<double>> first_looks_;
};

/** \brief Hypotheses whose numbers are fitted to what a product leaves unexplained, and mistakes in single links.
 *  \param names  the quantities that are looked at
 */
Hypotheses fitted_causes(Investigation& investigation, const Product& product, const std::vector<std::string>& names);
/// \brief Hypotheses of answers whose order or numbers are fitted to what a product makes of ours.
Hypotheses fitted_answers(Investigation& investigation, const Product& product, const std::vector<std::string>& names);
/// \brief Pairs of hypotheses whose numbers are fitted together, one after the other.
std::vector<std::pair<Hypothesis, Hypothesis>> pairs_of_fitted_causes(Investigation& investigation);

}  // namespace articulate::oracle
