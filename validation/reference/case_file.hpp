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

/// \brief What the numbers of every file mean, in words.
Json conventions();

/// \brief The file of a case.
Json file_of(const Case& one, const std::vector<CertifiedQuantity>& quantities);

/** \brief What a file holds in few words: the machine, and of each quantity rows, columns and the digits of double.
 *  \throws Error in one sentence, as case_in_file() does
 */
Json catalogue_entry(const Json& file, const std::string& source);

/// \brief What of the answers in a file is not what is proved, one sentence each; none when all of it is.
std::vector<std::string> differences(const Json& file, const std::vector<CertifiedQuantity>& proved);

}  // namespace articulate::reference
