/** \file
 *  \brief Whether a refusal or a warning says what it has to.
 */
#pragma once
#include <boost/test/unit_test.hpp>
#include <initializer_list>
#include <string>

namespace articulate::validation {

/// \brief Whether a sentence is one line that holds all these pieces.
inline bool says(const std::string& sentence, std::initializer_list<const char*> pieces)
{
  bool all = sentence.find('\n') == std::string::npos;
  for (const char* piece : pieces) all = all && sentence.find(piece) != std::string::npos;
  if (!all) BOOST_TEST_MESSAGE("the sentence was: " << sentence);
  return all;
}

}  // namespace articulate::validation
