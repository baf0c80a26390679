/** \file
 *  \brief How far a long run has come.
 */
#pragma once
#include <unistd.h>
#include <cstdio>
#include <string>

namespace articulate::cli {

/// \brief A bar on a terminal, nothing elsewhere.
class ProgressBar {
public:
  void show(const std::string& what, int done, int total) const
  {
    if (!terminal_) return;
    const int width = 40, filled = width * done / total;
    std::fprintf(stderr, "\r\033[K[%s%s] %s", std::string(filled, '#').c_str(),
                 std::string(width - filled, '.').c_str(), what.c_str());
  }
  void clear() const
  {
    if (terminal_) std::fprintf(stderr, "\r\033[K");
  }

private:
  bool terminal_ = isatty(STDERR_FILENO);
};

}  // namespace articulate::cli
