/** \file
 *  \brief The ledger: every numbered equation of the five papers, our own rows, and what the proofs say of each.
 */
#pragma once
#include <set>
#include <ledger/outcome.hpp>

namespace articulate::validation {

/// \brief A part of a row's statement that can be right or wrong by itself.
struct Clause {
  std::string key;   ///< as in ali:49/bias; the row's own key where it has one clause
  std::string says;  ///< in words and LaTeX; empty where it is the row's statement
};

/** \brief What a row claims, which decides what can be said of it.
 *
 *  statement: it could be false, and is proved; definition: there is nothing to prove; setting: a parameter of an
 *  experiment, compared with the model's or the program's; published: a number of the paper, met within the rounding of
 *  its print or not; lost: nobody can know what was printed.
 */
enum class Claim { statement, definition, setting, published, lost };

/// \brief A row of `validation/ledger/{kim,park,ploen,ali,ma,ours}.tsv`, with its lines of `clauses.tsv`.
struct Row {
  std::string key, paper, section, kind;
  Claim claim;
  std::string statement, chapter, symbol, ground, note;
  std::vector<std::string> errata;  ///< ids, empty when the print is right
  std::vector<Clause> clauses;      ///< at least one
};

/// \brief A row of the errata tables: what is printed, what is right, and whose slip it is.
struct ErratumRow {
  std::string id, kind, printed, corrected, reason;
  std::vector<std::string> keys;
};

/// \brief All rows, paper by paper.   \throws Error when a table is missing or a line has not its columns
std::vector<Row> ledger_rows();
std::vector<ErratumRow> errata_rows();

/// \brief The status of a row after some proofs.
enum class Status {
  verified,
  definition,
  setting,
  reproduced,
  not_reproduced,
  unrecoverable,
  open,
  not_applicable,
  not_measurable,
  failed
};
/// \brief All of them, in the order in which they are counted.
extern const std::vector<Status> statuses;
const char* name(Status status);
const char* name(Claim claim);
const char* name(Verdict verdict);

/** \brief What proofs say of a row, all of whose clauses count.
 *
 *  verified, setting, reproduced (by what the row claims): something was compared for each clause, and held; failed:
 *  something did not; not_reproduced: a number that the paper prints is not ours; not_measurable: double could not have told;
 *  not_applicable: the identities of some clause do not apply to this robot; open: no identity names some clause yet;
 *  definition, unrecoverable: by what the row claims.
 */
Status status_of(const Row& row, const Proof& proof);

/** \brief What is missing before every row has earned its word; empty when nothing is. Of the built-in models together.
 *
 *  Clauses that no identity names or nothing was compared for, names of clauses that do not exist, statements without a
 *  rival that misses, identities without a rival, rivals that do not miss.
 *  \param chapters of the rows that are asked for; empty for all
 */
std::vector<std::string> gaps(const std::vector<Row>& rows, const Proof& proof,
                              const std::set<std::string>& chapters = {});

}  // namespace articulate::validation
