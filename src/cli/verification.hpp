/** \file
 *  \brief The proof of the ledger on some mechanisms, and its JSON: what `verify` finds, before anybody prints it.
 */
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>
#include <ledger/ledger.hpp>
#include "load.hpp"
#include "output.hpp"  // Json

namespace articulate::cli {

/// \brief A mechanism on which identities are proved.
struct Subject {
  std::string name;
  Mechanism mechanism;
  ModelOptions options;
  bool built_in = false;
};

/// \brief The model of a choice, or without one all built-in models.
std::vector<Subject> subjects(const ModelChoice& choice);

/// \brief In how many states of each to prove unless told: 10, with more than 60 links 2, which compare as many numbers.
int usual_states(const std::vector<Subject>& subjects);

/// \brief How many rows there are of each status, in some part of the ledger.
struct Count {
  std::map<validation::Status, int> by_status;
  int rows = 0;

  void add(validation::Status status) { ++rows, ++by_status[status]; }
  int of(validation::Status status) const;
  Json to_json() const;
};

struct Counts {
  std::map<std::string, Count> chapters, grounds;
  Count total;

  Counts(const std::vector<validation::Row>& rows, const validation::Proof& proof);
};

/// \brief What was proved, and what became of it.
struct Verification {
  std::vector<Subject> subjects;
  int states;
  std::uint64_t seed;
  std::vector<std::string> warnings;  ///< of the models; with the model's name where there are several
  validation::Proof proof;            ///< of all mechanisms as one

  Counts counts() const { return Counts(validation::ledger_rows(), proof); }
};

/// \brief Who wants to hear of the work while it goes on. What they throw ends it.
struct Listener {
  /// after each state: the mechanism, the states done and to do over all mechanisms
  std::function<void(const Subject&, int, int)> state = [](const Subject&, int, int) {};
  /// after each mechanism
  std::function<void(const Subject&, const validation::Proof&)> mechanism = [](const Subject&,
                                                                               const validation::Proof&) {};
};

/** \brief Prove every identity on each mechanism, one after the other, and the errata on built-in models.
 *  \param subjects at least one   \param states of each, at least one   \param seed from which they are drawn
 *  \param quick measure kappa only where a comparison does not hold with kappa = 1
 *  \throws ModelError for a mechanism that cannot be meant
 */
Verification verified(const std::vector<Subject>& subjects, int states, std::uint64_t seed, const Listener& listener,
                      bool quick = false);

/// \brief What `verify --json` writes.
Json to_json(const Verification& verification);

}  // namespace articulate::cli
