/** \file
 *  \brief Scores of many states, counted by quantity: sums that do not depend on the order, so that parts can be joined.
 */
#pragma once
#include <array>
#include <functional>
#include <articulate/oracle/score.hpp>
#include <map>
#include <set>
#include <string>
#include "claims.hpp"

namespace articulate::cli {

/// \brief A score, and what its worst entry is called.
struct Outcome {
  oracle::Score score;
  bool is_measured = true;  ///< whether attainable was, or only is at most what a double holds
  std::string entry;        ///< such as `[3] (elbow)`
};

/// \brief What an entry is called, such as `[3] (elbow)`; empty for a quantity of one number, and for row -1.
std::string entry_name(const std::string& quantity, int row, int column, const Model<double>& model);

/// \brief The scores of one quantity.
struct Tally {
  std::int64_t states = 0, lacking = 0, cannot = 0;  ///< scored; of these without the digits; not answered
  std::array<std::int64_t, 17> digits{};             ///< states by whole digits
  double least_attainable = oracle::digits_of_double;
  struct Worst {
    double missing = -1, digits = 0, attainable = 0;  ///< missing: -1 for none yet
    double theirs = 0, ours = 0;
    std::string entry, verdict, place;
    std::int64_t state = 0;
  } worst;             ///< where most is missing, and of equals the first state
  std::string reason;  ///< why the first that was not answered was not

  void add(const Outcome& outcome, std::int64_t state, const std::string& place);
  void merge(const Tally& other);
  /// \brief The whole digits that half of the states have.
  int median() const;
};

/// \brief The scores of all quantities.
struct Tallies {
  std::map<std::string, Tally> quantities;
  std::map<std::string, std::int64_t> notes;     ///< what is to be said besides, and of how many states
  std::int64_t states = 0, refused = 0;          ///< all; of these not to be meant
  std::map<std::int64_t, std::string> refusals;  ///< of the first of them, by state

  void refuse(std::int64_t state, const std::string& sentence);
  void merge(const Tallies& other);
  bool agrees() const;
};

/** \brief A number of states or of chunks in a file that others may have changed.
 *  \throws Error for anything but a whole number from 0 to 2^40, of which sums are whole numbers, too
 */
std::int64_t count_of(const Json& json, const std::string& source);

/// \brief As JSON, and back.   \throws Error for JSON that is none of a tally
Json json_of(const Tallies& tallies);
Tallies tallies_of(const Json& json, const std::string& source);

/// \brief The tables of a claim that have one right answer: beside a Coriolis matrix its force C qd, or instead of it its
/// family's C.
oracle::Answers unique_answers(const Claim& claim);

/** \brief Scores claims about one model. */
class Examiner {
public:
  explicit Examiner(const Model<double>& model);
  const Model<double>& model() const { return oracle_.model(); }

  /** \brief Score a claim.
   *  \param measure  whether to measure what a quantity can attain even where nothing is missing
   *  \param notes  what is to be said besides, counted
   *  \throws StateError for a state without finite answers
   */
  std::map<std::string, Outcome> operator()(const Claim& claim, const std::function<bool(const std::string&)>& measure,
                                            std::map<std::string, std::int64_t>& notes) const;

private:
  Outcome outcome(const std::string& quantity, const MatrixX<double>& theirs, const MatrixX<double>& ours,
                  const oracle::Rounding& rounding) const;
  void score_coriolis_matrix(const Claim& claim, std::map<std::string, Outcome>& outcomes,
                             std::map<std::string, std::int64_t>& notes) const;

  oracle::Oracle oracle_;
};

}  // namespace articulate::cli
