/** \file
 *  \brief Which identities notice which break? Every identity is judged alone, on a library that holds all breaks.
 *
 *  usage: judge --list         one line per identity: what it is, chapter, name, symbols, keys
 *         judge SECONDS <FILE  one line per number in the file: the number, a letter per identity, seconds
 *
 *  The letters: h holds, f fails, t throws or is not finite, c crashes, e does not end within SECONDS of processor time,
 *  - does not apply. The corrected form of each erratum is judged after the identities, in the same way.
 *
 *  Each break is made in a child process that starts from nothing. Where an identity ends its process, another goes on
 *  without it.
 */
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <articulate/mutant.hpp>
#include <ledger/registry.hpp>
#include <mutation/cases.hpp>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace articulate::validation {
namespace {

constexpr int most = 4096, preparing = -1;
constexpr rlim_t memory = rlim_t(4) << 30;  // bytes

/// What parent and child both see.
struct Board {
  char verdict[most];
  int doing;
};

struct Judged {
  std::string chapter, name, symbols;
  std::vector<std::string> keys;
  const Comparison<double>* sides;
  const std::function<bool(const Model<double>&)>* applies;
  const char* what;
};

std::vector<Judged> all()
{
  const auto& registry = Registry<double>::instance();
  std::vector<Judged> list;
  for (const auto& [chapter, one] : registry.identities)
    list.push_back({chapter, one.name, one.symbols, one.keys, &one.sides, &one.applies, "identity"});
  for (const auto& one : registry.errata)
    list.push_back({one.chapter, "the corrected form of " + one.id, "", one.keys, &one.corrected, nullptr, "erratum"});
  return list;
}

double bound_of(const std::string& chapter)
{
  return chapter == "higher_order" ? ARTICULATE_HIGHER_ORDER_BOUND : ARTICULATE_BOUND;
}

bool is_open(char verdict) { return verdict == '-' || verdict == 'h'; }

/// Says why an identity does not hold where nothing is broken.
char explained(char verdict, const Judged& one, const std::string& reason)
{
  if (mutant == 0) std::fprintf(stderr, "%s: %s\n", one.name.c_str(), reason.c_str());
  return verdict;
}

char verdict_on(const Judged& one, const Specimen<double>& specimen)
{
  try {
    if (one.applies && !(*one.applies)(specimen.model)) return '-';
    const Sides<double> sides = one.sides->of(specimen);
    const auto worst = residuals(sides);
    for (std::size_t g = 0; g < worst.size(); ++g) {
      if (!std::isfinite(worst[g])) return explained('t', one, "not finite");
      const auto& group = sides.groups()[g];
      const double bound = group.within > 0 ? group.within / scale_of(group) : bound_of(one.chapter);
      if (worst[g] > bound) return explained('f', one, "residual " + std::to_string(worst[g] / bound) + " bounds");
    }
    return worst.empty() ? '-' : 'h';
  } catch (const std::exception& refusal) {
    return explained('t', one, refusal.what());
  }
}

void judge_all(const std::vector<Judged>& list, Board& board)
{
  board.doing = preparing;
  const auto close_open = [&] {
    for (std::size_t k = 0; k < list.size(); ++k)
      if (is_open(board.verdict[k])) board.verdict[k] = 't';
  };
  try {
    for (const Case& on : cases())
      for (int state = 0; state < states; ++state) {
        board.doing = preparing;
        const Specimen<double> specimen(Inputs::draw(on.mechanism, {on.floating_base}, state));
        for (std::size_t k = 0; k < list.size(); ++k) {
          if (!is_open(board.verdict[k])) continue;
          board.doing = static_cast<int>(k);
          const char verdict = verdict_on(list[k], specimen);
          if (verdict != '-') board.verdict[k] = verdict;
        }
      }
  } catch (const std::exception&) {
    close_open();
  }
}

void limit(int resource, rlim_t most_of_it)
{
  const rlimit limits{most_of_it, most_of_it};
  setrlimit(resource, &limits);
}

/// Judges one break to the end, by as many processes as it takes.
void judge(unsigned number, rlim_t seconds, const std::vector<Judged>& list, Board& board)
{
  std::memset(board.verdict, '-', list.size());
  double used = 0;
  for (bool ended = false; !ended;) {
    const pid_t child = fork();
    if (child == 0) {
      limit(RLIMIT_CPU, seconds);
      limit(RLIMIT_AS, memory);
      limit(RLIMIT_CORE, 0);
      mutant = number;
      judge_all(list, board);
      _exit(0);
    }
    int status = 0;
    rusage usage{};
    wait4(child, &status, 0, &usage);
    used += double(usage.ru_utime.tv_sec) + 1e-6 * double(usage.ru_utime.tv_usec);
    ended = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (ended) break;
    const bool endless = WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL);
    const char verdict = endless ? 'e' : 'c';
    if (board.doing != preparing) {
      board.verdict[board.doing] = verdict;
    } else {
      for (std::size_t k = 0; k < list.size(); ++k)
        if (is_open(board.verdict[k])) board.verdict[k] = verdict;
      ended = true;
    }
  }
  std::printf("%u\t%.*s\t%.2f\n", number, static_cast<int>(list.size()), board.verdict, used);
  std::fflush(stdout);
}

std::string joined(const std::vector<std::string>& words)
{
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ",") + word;
  return text;
}

int run(int argc, char** argv)
{
  const std::vector<Judged> list = all();
  if (argc != 2 || list.size() > most) return 2;
  if (std::strcmp(argv[1], "--list") == 0) {
    for (const Judged& one : list)
      std::printf("%s\t%s\t%s\t%s\t%s\n", one.what, one.chapter.c_str(), one.name.c_str(), one.symbols.c_str(),
                  joined(one.keys).c_str());
    return 0;
  }
  void* const shared = mmap(nullptr, sizeof(Board), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) return 2;
  auto& board = *new (shared) Board{};
  unsigned number = 0;
  while (std::scanf("%u", &number) == 1) judge(number, std::strtoul(argv[1], nullptr, 10), list, board);
  return 0;
}

}  // namespace
}  // namespace articulate::validation

int main(int argc, char** argv) { return articulate::validation::run(argc, argv); }
