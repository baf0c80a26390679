/** \file
 *  \brief Results as JSON: the conventions in words, and files that are complete or not there.
 */
#pragma once
#include <fstream>
#include <string>
#include <vector>
#include <nlohmann/json.hpp>
#include <articulate/model/error.hpp>  // shown
#include <articulate/model/model.hpp>

namespace articulate::cli {

/// \brief JSON whose keys keep the order in which they were written; nlohmann::json converts to and from it.
using Json = nlohmann::ordered_json;

/// \brief A vector as an array, a matrix as an array of its rows.
Json numbers(const VectorX<double>& x);
Json numbers(const Vector3<double>& x);
Json rows(const MatrixX<double>& A);

using articulate::detail::shown;

/// \brief What the numbers of every output mean, in words.
Json conventions();

/** \brief The text of a value on one line. Its numbers read back to the same double.
 *  \throws Error when a name in it is not UTF-8
 */
std::string one_line(const Json& value);

/// \brief Send what was printed.   \throws Error when the device is full or closed
void flush_standard_output();

/** \brief Write a text to standard output, or to the file if the path is not empty.
 *
 *  A file is first written under another name beside its place and then renamed: it is never half there.
 *  \throws Error naming the file that cannot be written
 */
void write_text(const std::string& text, const std::string& path_or_empty);

/// \brief Find out before the work whether write_text() will be able to write there.   \throws Error as it does
void require_writable(const std::string& path_or_empty);

/** \brief A text that grows on standard output, or beside a file whose name it gets in the end.
 *
 *  What is not finished is removed.
 */
class GrowingText {
public:
  /// \brief Begin.   \param path_or_empty  see write_text()   \throws Error naming the file that cannot be written
  explicit GrowingText(const std::string& path_or_empty);
  ~GrowingText();
  GrowingText(const GrowingText&) = delete;
  GrowingText& operator=(const GrowingText&) = delete;

  /// \brief Write more.   \throws Error when the device is full or closed
  void add(const std::string& text);

  /** \brief Give the file its name: the one that was asked for, or this with `.partial` behind it.
   *  \return the name of the file; empty for standard output, and for a device
   *  \throws Error naming the file that cannot be written
   */
  std::string finish(bool complete);

private:
  const std::string path_;
  std::string growing_;  ///< the file in the meantime; empty for standard output, a device, or when it has its name
  std::ofstream file_;
};

/** \brief Write a value, indented by two spaces, lists without lists in them on one line each; see write_text().
 *
 *  It is written as it is read, without a copy of the whole text.
 *  \throws Error as write_text() does, and when a name in the value is not UTF-8
 */
void write_json(const Json& value, const std::string& path_or_empty);

/// \brief A file that an option names.
struct NamedFile {
  std::string option;  ///< such as --state
  std::string path;    ///< or empty for none
};

/** \brief Refuse to write to a file that is read, or to one file twice; devices and pipes are nobody's.
 *  \throws Error naming both options, also where a link hides that the files are one
 */
void require_distinct(const std::vector<NamedFile>& inputs, const std::vector<NamedFile>& outputs);

}  // namespace articulate::cli
