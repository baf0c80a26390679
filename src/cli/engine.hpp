/** \file
 *  \brief Another program that answers line by line, held within limits: a child that may hang, flood, fork or die.
 */
#pragma once
#include <sys/types.h>
#include <chrono>
#include <cstddef>
#include <string>
#include <vector>
#include <articulate/model/error.hpp>

namespace articulate::cli {

/// \brief An engine that broke a limit, or that is gone. Its process and all that it started have ended by then.
struct EngineError : Error {
  using Error::Error;
};

/** \brief Somebody's text as a terminal may show it: on one line, and with nothing in it that steers the terminal.
 *
 *  Control characters become blanks; what is not UTF-8 gets a mark in its place.
 *  \param most  bytes; of a longer text the beginning, with dots behind it
 */
std::string cleaned(const std::string& text, std::size_t most = std::string::npos);

/// \brief Bytes of a sentence of somebody else's, as far as we quote it.
inline constexpr std::size_t longest_quote = 300;

/** \brief A command as its words, without a shell.
 *
 *  Words are separated by blanks. Within '…' every character stands for itself; within "…" and outside a backslash takes
 *  the next character as it is. Nothing else is special: no variable, no pattern, no redirection.
 *  \throws Error for a quote that does not end, and for no word at all
 */
std::vector<std::string> words_of(const std::string& command);

/// \brief What an engine may take.
struct EngineLimits {
  double seconds = 10;                      ///< for one answer
  std::size_t megabytes = 4096;             ///< of memory, all its processes together; 0 for no limit
  std::size_t line = std::size_t(1) << 23;  ///< bytes of an answer
  int processes = 64;                       ///< that it may be
};

/** \brief A child process that reads and writes lines.
 *
 *  It leads a session of its own, starts without a shell and dies with us. What it says on its standard error is drained,
 *  and the last of it quoted when it dies.
 */
class Engine {
public:
  /// \brief Start it.   \throws EngineError when there is no such program
  Engine(std::vector<std::string> words, EngineLimits limits);
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  /** \brief Write a line, and read one.
   *  \param line  with its end of line   \return the answer without one; at most EngineLimits::line bytes
   *  \throws EngineError naming the limit that was broken; the engine has ended
   */
  std::string ask(const std::string& line);

  /// \brief Write a last line, wait for its end for as long as an answer may take, then end what is left.
  void stop(const std::string& line);

private:
  using Clock = std::chrono::steady_clock;

  void require_modest();
  void write(const std::string& line, Clock::time_point deadline);
  std::string read_line(Clock::time_point deadline);
  bool wait_for_events(short wanted, Clock::time_point deadline);
  void drain_errors();
  [[noreturn]] void fail(const std::string& sentence);
  std::string end_and_say_how();
  void end();

  const std::vector<std::string> words_;
  const EngineLimits limits_;
  pid_t child_ = -1;
  int input_ = -1, output_ = -1, errors_ = -1;  ///< ends of pipes: its input, output, standard error
  std::string read_, said_;                     ///< what it wrote and is not used yet; the end of its standard error
};

}  // namespace articulate::cli
