/** \file
 *  \brief The three kinds of wrong input. Each message is one sentence: what, where, why, what would be right.
 */
#pragma once
#include <sstream>
#include <stdexcept>
#include <string>

namespace articulate {

/// \brief Anything that a user can correct.
struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};
/// \brief A mechanism that makes no sense: a loop, a zero axis, a negative mass.
struct ModelError : Error {
  using Error::Error;
};
/// \brief A state that does not fit its model or is not finite.
struct StateError : Error {
  using Error::Error;
};

namespace detail {

/// \brief "1 entry", "2 entries".
template <typename Count>
std::string entries(Count count)
{
  return std::to_string(count) + (count == 1 ? " entry" : " entries");
}

}  // namespace detail

/// \brief A vector of the wrong length.
struct SizeError : StateError {
  SizeError(const std::string& argument, long given, long expected)
      : StateError(argument + " has " + detail::entries(given) + " where the model needs " + std::to_string(expected) +
                   ".")
  {
  }
};

namespace detail {

/// \brief A number as a message shows it, to six digits.
inline std::string shown(double x)
{
  std::ostringstream text;
  text << x;
  return text.str();
}

/// \brief Refuse an argument of the wrong length.
template <typename Vector>
void require_size(const char* argument, const Vector& x, int expected)
{
  const long given = static_cast<long>(x.size());
  if (given != expected) throw SizeError(argument, given, expected);
}

/// \brief Whether an algorithm has run. Before that, an answer would come from an empty workspace, and is refused.
class FirstRun {
public:
  void done() { done_ = true; }
  void undone() { done_ = false; }  ///< what began was refused

  /// \throws StateError before the first run: what is missing
  void require(const char* what) const
  {
    if (!done_)
      throw StateError(std::string("there is no ") + what +
                       " before the first run; call the algorithm with a state first.");
  }

private:
  bool done_ = false;
};

}  // namespace detail

}  // namespace articulate
