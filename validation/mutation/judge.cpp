/** \file
 *  \brief Which identities and tests notice which break? Each is judged alone, on a library that holds all breaks.
 *
 *  usage: judge --list               one line per judge: what it is, chapter, name, symbols, keys
 *         judge BREAKS <FILE         one line per number in the file: the number, a letter per judge, seconds
 *
 *  BREAKS is how many there are. The letters: h holds, m misses a rounded print and nothing else, f fails, t throws or
 *  is not finite, c crashes, e takes twenty times as long as on the sound library, p holds where it is asked, but some
 *  case cannot be prepared for it, - does not apply or never passes the break. The judges are the identities, the
 *  corrected forms of the errata, and, where none of these notices, the test cases of what is no identity of a state, the
 *  quickest first, until one of them notices.
 *
 *  First the sound library is watched: what an identity passes on a case that is made for it alone. A break that it does
 *  not pass cannot change it, and it is not asked. Each break is made in a child process that starts from nothing. Where
 *  an identity ends its process, another goes on without it.
 */
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <new>
#include <optional>
#include <string_view>
#include <articulate/mutant.hpp>
#include <boost/test/framework.hpp>
#include <boost/test/results_collector.hpp>
#include <boost/test/tree/test_case_template.hpp>
#include <boost/test/tree/traverse.hpp>
#include <boost/test/tree/visitor.hpp>
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
  int doing;          // the judge that is asked, or preparing
  std::size_t at;     // the place where it is asked
  bool barred[most];  // the places that cannot be prepared
};

struct Judged {
  std::string chapter, name, symbols;
  std::vector<std::string> keys;
  const char* what;
  const Comparison<double>* sides = nullptr;
  const std::function<bool(const Model<double>&)>* applies = nullptr;
  boost::unit_test::test_unit_id test = boost::unit_test::INV_TEST_UNIT_ID;
};

/// All test cases that are linked with this, but those that count allocations: each file of them replaces malloc.
struct Tests : boost::unit_test::test_tree_visitor {
  std::vector<Judged> list;

  void visit(const boost::unit_test::test_case& one) override
  {
    if (one.p_name.get().find("allocat") != std::string::npos) return;
    const std::string file(one.p_file_name.begin(), one.p_file_name.end());
    const std::size_t name = file.rfind('/'), folder = file.rfind('/', name - 1);
    list.push_back({file.substr(folder + 1, name - folder - 1), one.full_name(), "", {}, "test"});
    list.back().test = one.p_id;
  }
};

std::vector<Judged> all()
{
  const auto& registry = Registry<double>::instance();
  std::vector<Judged> list;
  for (const auto& [chapter, one] : registry.identities)
    list.push_back({chapter, one.name, one.symbols, one.keys, "identity", &one.sides, &one.applies});
  for (const auto& one : registry.errata)
    list.push_back({one.chapter, "the corrected form of " + one.id, "", one.keys, "erratum", &one.corrected});
  Tests tests;
  boost::unit_test::traverse_test_tree(boost::unit_test::framework::master_test_suite(), tests, true);
  list.insert(list.end(), tests.list.begin(), tests.list.end());
  return list;
}

double bound_of(const std::string& chapter)
{
  return chapter == "higher_order" ? ARTICULATE_HIGHER_ORDER_BOUND : ARTICULATE_BOUND;
}

/// From what says least to what is final.
constexpr std::string_view weaker = "-hmp";
bool is_open(char verdict) { return weaker.find(verdict) != weaker.npos; }
char graver(char before, char now)
{
  return is_open(before) && (!is_open(now) || weaker.find(now) > weaker.find(before)) ? now : before;
}

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
    char verdict = worst.empty() ? '-' : 'h';
    for (std::size_t g = 0; g < worst.size(); ++g) {
      if (!std::isfinite(worst[g])) return explained('t', one, "not finite");
      const auto& group = sides.groups()[g];
      if (group.within > 0) {
        if (worst[g] > group.within / scale_of(group)) verdict = 'm';
      } else if (const double bound = bound_of(one.chapter); worst[g] > bound) {
        return explained('f', one, "residual " + std::to_string(worst[g] / bound) + " bounds");
      }
    }
    return verdict;
  } catch (const std::exception& refusal) {
    return explained('t', one, refusal.what());
  }
}

char verdict_of_test(const Judged& one)
{
  boost::unit_test::framework::run(one.test, false);
  return boost::unit_test::results_collector.results(one.test).passed() ? 'h' : explained('f', one, "a test fails");
}

/// Where judges are asked: an identity on every case in every state, a test once, at the end.
struct Place {
  const Case* on = nullptr;  ///< none for tests
  int state = 0;

  Specimen<double> specimen() const
  {
    return Specimen<double>(Inputs::draw(on->mechanism, {on->floating_base}, state));
  }
};

std::vector<Place> places()
{
  static const std::vector<Case> list = cases();
  std::vector<Place> all;
  for (const Case& on : list)
    for (int state = 0; state < states; ++state) all.push_back({&on, state});
  all.push_back({});
  return all;
}

double processor_time()
{
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

/// Which break is passed where by which judge, and how long that takes: all of it in memory that processes share.
class Reach {
public:
  Reach(std::size_t places, std::size_t judges, std::size_t breaks) : judges_(judges), breaks_(breaks)
  {
    const std::size_t rows = places * (judges + 1);
    passed_ = static_cast<unsigned char*>(shared(rows * (breaks + 1)));
    seconds_ = static_cast<double*>(shared(rows * sizeof(double)));
  }

  /// Runs a function and notes what it passes; judge: that of the number, or the last for the case itself.
  template <typename Function>
  void watch(std::size_t place, std::size_t judge, const Function& run)
  {
    const std::size_t row = place * (judges_ + 1) + judge;
    const double start = processor_time();
    reached = passed_ + row * (breaks_ + 1);
    run();
    reached = nullptr;
    seconds_[row] = processor_time() - start;
  }

  bool passes(std::size_t place, std::size_t judge, unsigned number) const
  {
    return number == 0 || passed_[(place * (judges_ + 1) + judge) * (breaks_ + 1) + number];
  }
  double seconds(std::size_t place, std::size_t judge) const { return seconds_[place * (judges_ + 1) + judge]; }

  static void* shared(std::size_t bytes)
  {
    void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    return memory;
  }

private:
  std::size_t judges_, breaks_;
  unsigned char* passed_;
  double* seconds_;
};

/// Watches one judge at a place, or the preparation of its case.
void watch_at(std::size_t p, const Place& place, std::size_t k, const std::vector<Judged>& list, Reach& reach)
{
  if (k == list.size()) {
    if (place.on) reach.watch(p, k, [&] { place.specimen(); });
  } else if (list[k].sides && place.on) {
    const Specimen<double> specimen = place.specimen();
    reach.watch(p, k, [&] { verdict_on(list[k], specimen); });
  } else if (!list[k].sides && !place.on) {
    reach.watch(p, k, [&] { verdict_of_test(list[k]); });
  }
}

/// Watches the sound library, each judge in a process of its own: what judges share is made anew for each of them.
bool watch_all(const std::vector<Judged>& list, Reach& reach)
{
  const std::vector<Place> where = places();
  for (std::size_t k = 0; k <= list.size(); ++k) {
    if (fork() == 0) {
      for (std::size_t p = 0; p < where.size(); ++p) watch_at(p, where[p], k, list, reach);
      _exit(0);
    }
    int status = 0;
    wait(&status);
    if (status != 0) return false;
  }
  return true;
}

/// Which judges are asked at a place: those that pass the break, or all where the case itself passes it.
std::vector<std::size_t> asked(const std::vector<Judged>& list, const Place& place, std::size_t p, const Reach& reach,
                               unsigned number)
{
  std::vector<std::size_t> judges;
  const bool in_case = place.on && reach.passes(p, list.size(), number);
  for (std::size_t k = 0; k < list.size(); ++k)
    if (bool(list[k].sides) == bool(place.on) && (in_case || reach.passes(p, k, number))) judges.push_back(k);
  return judges;
}

void limit(int resource, rlim_t most_of_it)
{
  const rlimit limits{most_of_it, most_of_it};
  setrlimit(resource, &limits);
}

/// The process may go on for twenty times as long as the sound library takes for what comes next.
void allow(double sound)
{
  constexpr double patience = 20, least = 2;
  rlimit limits{};
  getrlimit(RLIMIT_CPU, &limits);
  limits.rlim_cur = static_cast<rlim_t>(processor_time() + least + patience * sound);
  setrlimit(RLIMIT_CPU, &limits);
}

/// A case that cannot be prepared shows the break, but none of those who were to be asked has noticed it.
void bar(std::size_t place, const std::vector<std::size_t>& judges, Board& board)
{
  board.barred[place] = true;
  for (const std::size_t k : judges) board.verdict[k] = graver(board.verdict[k], 'p');
}

void judge_all(const std::vector<Judged>& list, const Reach& reach, Board& board)
{
  const std::vector<Place> where = places();
  for (std::size_t p = 0; p < where.size(); ++p) {
    std::vector<std::size_t> judges = asked(list, where[p], p, reach, mutant);
    const bool seen = std::any_of(board.verdict, board.verdict + list.size(), [](char v) { return !is_open(v); });
    if (board.barred[p] || judges.empty() || (!where[p].on && seen)) continue;
    if (!where[p].on)
      std::sort(judges.begin(), judges.end(),
                [&](std::size_t a, std::size_t b) { return reach.seconds(p, a) < reach.seconds(p, b); });
    board.doing = preparing;
    board.at = p;
    try {
      allow(reach.seconds(p, list.size()));
      std::optional<Specimen<double>> specimen;
      if (where[p].on)
        specimen.emplace(Inputs::draw(where[p].on->mechanism, {where[p].on->floating_base}, where[p].state));
      for (const std::size_t k : judges) {
        if (!is_open(board.verdict[k])) continue;
        board.doing = static_cast<int>(k);
        allow(reach.seconds(p, k));
        const char verdict = specimen ? verdict_on(list[k], *specimen) : verdict_of_test(list[k]);
        board.verdict[k] = graver(board.verdict[k], verdict);
        if (!specimen && !is_open(verdict)) break;
      }
    } catch (const std::exception&) {
      bar(p, judges, board);
    }
  }
}

/// Judges one break to the end, by as many processes as it takes.
void judge(unsigned number, const std::vector<Judged>& list, const Reach& reach, Board& board)
{
  board = {};
  std::memset(board.verdict, '-', list.size());
  const std::vector<Place> where = places();
  double used = 0;
  for (bool ended = false; !ended;) {
    const pid_t child = fork();
    if (child == 0) {
      limit(RLIMIT_AS, memory);
      limit(RLIMIT_CORE, 0);
      mutant = number;
      judge_all(list, reach, board);
      _exit(0);
    }
    int status = 0;
    rusage usage{};
    wait4(child, &status, 0, &usage);
    used += double(usage.ru_utime.tv_sec) + 1e-6 * double(usage.ru_utime.tv_usec);
    ended = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (ended) break;
    const bool endless = WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL);
    if (board.doing != preparing) {
      board.verdict[board.doing] = endless ? 'e' : 'c';
    } else {
      bar(board.at, asked(list, where[board.at], board.at, reach, number), board);
      ended = endless;
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
  char program[] = "judge", quiet[] = "--log_level=nothing", silent[] = "--report_level=no",
       bare[] = "--catch_system_errors=no";
  char* options[] = {program, quiet, silent, bare, nullptr};
  boost::unit_test::framework::init([] { return true; }, 4, options);
  boost::unit_test::framework::finalize_setup_phase();
  const std::vector<Judged> list = all();
  if (argc != 2 || list.size() > most) return 2;
  if (std::strcmp(argv[1], "--list") == 0) {
    for (const Judged& one : list)
      std::printf("%s\t%s\t%s\t%s\t%s\n", one.what, one.chapter.c_str(), one.name.c_str(), one.symbols.c_str(),
                  joined(one.keys).c_str());
    return 0;
  }
  Reach reach(places().size(), list.size(), std::strtoul(argv[1], nullptr, 10));
  auto& board = *new (Reach::shared(sizeof(Board))) Board{};
  if (!watch_all(list, reach)) return 3;
  unsigned number = 0;
  while (std::scanf("%u", &number) == 1) judge(number, list, reach, board);
  return 0;
}

}  // namespace
}  // namespace articulate::validation

int main(int argc, char** argv) { return articulate::validation::run(argc, argv); }
