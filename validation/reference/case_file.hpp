/** \file
 *  \brief A certified case as a JSON file: inputs in binary64, answers in decimal digits, conventions in words.
 *
 *  case.schema.json says what stands where. The bytes depend on the inputs alone: what is printed of an enclosure are the
 *  digits of the number in it.
 */
#pragma once
#include <string>
#include <vector>
#include <cli/output.hpp>  // Json, write_json
#include <reference/case_reader.hpp>
#include <reference/cases.hpp>
#include <reference/certified.hpp>

namespace articulate::reference {

using cli::Json;

/// \brief What the set is called, and its version: another one whenever a byte of a file is another.
inline constexpr const char* set_name = "Articulate reference data of rigid body dynamics";
inline constexpr const char* set_version = "0.2.0";
inline constexpr const char* set_licence = "BSD-3-Clause";

/// \brief Name, version and licence of the set, as every file of it has them.
Json set();

/// \brief What the numbers of every file mean, in words: a file is understood without anything else.
Json conventions();

/// \brief The file of a case.
Json file_of(const Case& one, const std::vector<CertifiedQuantity>& quantities);

/** \brief What a file holds in few words: the machine, and of each quantity rows, columns and the digits of double.
 *  \throws Error in one sentence, as case_in_file() does
 */
Json catalogue_entry(const Json& file, const std::string& source);

/// \brief What becomes of a file that is held against what its inputs prove.
struct Verdict {
  bool is_of_the_set = false;  ///< by its name; else a case of somebody's own
  std::size_t asked = 0,
              proved = 0;  ///< numbers of the file that somebody can prove, and those that are proved as they are
  std::vector<std::string> missing{};  ///< quantities that a file which does not claim to be of this version lacks
  std::vector<std::string>
      wrong{};  ///< all else that would not be generated so, a sentence each: also a word, a name, a key
};

/** \brief Hold the whole of a file against what would be generated from its inputs; a case of the set also against its inputs.
 *  \throws Error in one sentence, as case_in_file() does
 */
Verdict verdict_on(const Json& file, const std::string& source, const std::vector<CertifiedQuantity>& proved);

}  // namespace articulate::reference
