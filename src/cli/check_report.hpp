/** \file
 *  \brief What `check` says of its scores: a table in text, JSON, JUnit's XML, a page with pictures.
 */
#pragma once
#include <articulate/oracle/diagnose.hpp>
#include <string>
#include <vector>
#include "check.hpp"
#include "tally.hpp"

namespace articulate::cli {

/// \brief A diagnosis, and of what.
struct Explained {
  std::string about;  ///< the model
  oracle::Diagnosis diagnosis;
  std::vector<std::string> places;  ///< of the states that were given to diagnose()
  std::string next_state;           ///< as JSON, empty for none
};

/// \brief All that a run found out.
struct CheckReport {
  Json campaign;  ///< what was checked, in words and numbers
  Tallies scores;
  std::vector<Explained> explained;
  std::vector<std::string> remarks;  ///< sentences: what was not asked, what is missing

  std::string verdict() const;
};

/// \brief The table and the verdict, for a terminal.
std::string text_of(const CheckReport& report);
Json json_of(const CheckReport& report);

/// \brief Write the files that are asked for.   \throws Error naming a file that cannot be written
void write_reports(const CheckReport& report, const ReportFiles& files);

}  // namespace articulate::cli
