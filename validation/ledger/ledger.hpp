/** \file
 *  \brief The ledger: every numbered equation of the five papers, and what the proofs say of it.
 */
#pragma once
#include <ledger/proof.hpp>

namespace articulate::validation {

/// \brief A row of `validation/ledger/{kim,park,ploen,ali,ma}.tsv`.
struct Row {
  std::string key, paper, section, kind, statement, chapter, symbol, provenance, note;
  std::vector<std::string> errata;  ///< ids, empty when the print is right
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
enum class Status { verified, open, not_applicable, unrecoverable, failed };
const char* name(Status status);

/** \brief What proofs say of a row.
 *
 *  verified: some identity names it, applied and held, none failed; not_applicable: its identities do not apply to this
 *  robot; unrecoverable: nobody can know what was printed; open: no identity names it yet.
 */
Status status_of(const Row& row, const Proof& proof);

}  // namespace articulate::validation
