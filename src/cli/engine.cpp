#include "engine.hpp"
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include "output.hpp"  // Json

namespace articulate::cli {
namespace {

constexpr std::size_t kept_of_errors = 2000;

/// A signal that asks us to end; 0 for none.
volatile std::sig_atomic_t asked_to_end = 0;

/// An engine is ended before we are.
void heed_signals()
{
  struct sigaction heed {};
  heed.sa_handler = [](int signal) { asked_to_end = signal; };
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaction(signal, &heed, nullptr);
  signal(SIGPIPE, SIG_IGN);
}

struct Process {
  pid_t id, parent;
  std::size_t megabytes;
};

/// All processes of the machine that we may look at.
std::vector<Process> processes()
{
  std::vector<Process> all;
  const double page = static_cast<double>(sysconf(_SC_PAGESIZE));
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", ignored)) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    std::ifstream file(entry.path() / "stat");
    std::string text;
    std::getline(file, text, '\0');
    const auto after_name = text.rfind(')');
    if (after_name == std::string::npos) continue;
    std::istringstream rest(text.substr(after_name + 1));
    std::string state;
    pid_t parent = 0;
    rest >> state >> parent;
    std::size_t pages = 0, resident = 0;
    std::ifstream(entry.path() / "statm") >> pages >> resident;
    all.push_back({std::stoi(name), parent, static_cast<std::size_t>(static_cast<double>(resident) * page / 1e6)});
  }
  return all;
}

/// Those that descend from us: the engine is our only child, and its orphans become ours.
std::vector<Process> descendants()
{
  const std::vector<Process> all = processes();
  std::vector<Process> family;
  const auto add_children = [&](pid_t parent) {
    for (const Process& one : all)
      if (one.parent == parent) family.push_back(one);
  };
  add_children(getpid());
  for (std::size_t k = 0; k < family.size(); ++k) add_children(family[k].id);
  return family;
}

void close_if_open(int& descriptor)
{
  if (descriptor >= 0) ::close(descriptor);
  descriptor = -1;
}

std::string number(double x)
{
  std::ostringstream text;
  text << x;
  return text.str();
}

/// In the child: nothing but calls that are safe between fork and exec.
[[noreturn]] void become(char* const* arguments, const int (&ends)[3], int report, std::size_t megabytes, pid_t us)
{
  setsid();
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != us) _exit(127);
  for (int k = 0; k < 3; ++k) dup2(ends[k], k);
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  if (megabytes > 0) {
    const rlim_t bytes = static_cast<rlim_t>(megabytes) << 20;
    const rlimit memory{bytes, bytes};
    setrlimit(RLIMIT_AS, &memory);
  }
  for (const int signal : {SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGXFSZ}) std::signal(signal, SIG_DFL);
  execvp(arguments[0], arguments);
  const int why = errno;
  [[maybe_unused]] const ssize_t written = ::write(report, &why, sizeof why);
  _exit(127);
}

}  // namespace

std::string cleaned(const std::string& text, std::size_t most)
{
  std::size_t end = std::min(most, text.size());
  while (end > 0 && end < text.size() && (text[end] & 0xc0) == 0x80) --end;  // within a character
  const std::string in_json = Json(text.substr(0, end)).dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string safe = Json::parse(in_json).get<std::string>();
  for (std::size_t k = 0; k < safe.size(); ++k) {
    const auto byte = static_cast<unsigned char>(safe[k]);
    if (byte < ' ' || byte == 0x7f) safe[k] = ' ';
    // U+0080 to U+009F, of which one does what escape and a bracket do.
    if (byte == 0xc2 && static_cast<unsigned char>(safe[k + 1]) < 0xa0) safe[k] = safe[k + 1] = ' ';
  }
  return end < text.size() ? safe + " ..." : safe;
}

std::vector<std::string> words_of(const std::string& command)
{
  std::vector<std::string> words;
  bool within = false;  // a word
  char quote = 0;
  for (std::size_t k = 0; k < command.size(); ++k) {
    const char letter = command[k];
    if (!quote && (letter == ' ' || letter == '\t')) {
      within = false;
      continue;
    }
    if (!within) words.emplace_back();
    within = true;
    if (letter == quote)
      quote = 0;
    else if (!quote && (letter == '\'' || letter == '"'))
      quote = letter;
    else if (letter == '\\' && quote != '\'' && k + 1 < command.size())
      words.back() += command[++k];
    else
      words.back() += letter;
  }
  if (quote)
    throw Error("--engine: the command has a quote " + std::string(1, quote) + " that does not end; close it.");
  if (words.empty()) throw Error("--engine: the command is empty; give a program and its arguments.");
  return words;
}

Engine::Engine(std::vector<std::string> words, EngineLimits limits) : words_(std::move(words)), limits_(limits)
{
  heed_signals();
  // What outlives its parent becomes a child of ours, and is found and ended by its descent.
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  int in[2], out[2], error[2], report[2];
  for (int* pair : {in, out, error, report})
    if (pipe2(pair, O_CLOEXEC) != 0)
      throw EngineError("The engine cannot be started: " + std::string(std::strerror(errno)) + ".");
  std::vector<char*> arguments;
  for (const std::string& word : words_) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const pid_t us = getpid();
  child_ = fork();
  if (child_ == 0) become(arguments.data(), {in[0], out[1], error[1]}, report[1], limits_.megabytes, us);
  for (int end : {in[0], out[1], error[1], report[1]}) ::close(end);
  input_ = in[1], output_ = out[0], errors_ = error[0];
  for (int end : {input_, output_, errors_}) fcntl(end, F_SETFL, O_NONBLOCK);
  int why = child_ < 0 ? errno : 0;
  const ssize_t got = child_ < 0 ? 0 : ::read(report[0], &why, sizeof why);
  ::close(report[0]);
  if (child_ < 0 || got == sizeof why) {
    end();
    throw EngineError("The engine '" + words_.front() + "' cannot be started: " + std::strerror(why) +
                      "; give the path of a program that may be run.");
  }
}

Engine::~Engine()
{
  end();
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_DFL);
  if (asked_to_end) raise(asked_to_end);
}

std::string Engine::ask(const std::string& line)
{
  if (child_ < 0) throw EngineError("The engine has ended.");
  const auto deadline =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(limits_.seconds));
  write(line, deadline);
  return read_line(deadline);
}

void Engine::stop(const std::string& line)
{
  if (child_ < 0) return;
  const auto deadline =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(limits_.seconds));
  try {
    write(line, deadline);
    close_if_open(input_);
    while (Clock::now() < deadline && waitpid(child_, nullptr, WNOHANG) == 0)
      wait_for_events(0, Clock::now() + std::chrono::milliseconds(10));
  } catch (const EngineError&) {
    // It went before it was told to: there is nothing left to ask.
  }
  end();
}

void Engine::write(const std::string& line, Clock::time_point deadline)
{
  for (std::size_t done = 0; done < line.size();) {
    const ssize_t count = ::write(input_, line.data() + done, line.size() - done);
    if (count > 0) {
      done += static_cast<std::size_t>(count);
      continue;
    }
    if (count < 0 && errno != EAGAIN && errno != EINTR) fail(end_and_say_how());
    if (!wait_for_events(POLLOUT, deadline))
      fail("the engine read nothing for " + number(limits_.seconds) + " s, and was ended");
  }
}

std::string Engine::read_line(Clock::time_point deadline)
{
  for (std::size_t searched = 0;;) {
    const std::size_t at = read_.find('\n', searched);
    if (at != std::string::npos && at <= limits_.line) {
      std::string line = read_.substr(0, at);
      read_.erase(0, at + 1);
      return line;
    }
    searched = read_.size();
    if (searched > limits_.line)
      fail("the engine wrote a line of more than " + std::to_string(limits_.line) + " bytes, and was ended");
    char buffer[65536];
    const ssize_t count = ::read(output_, buffer, sizeof buffer);
    if (count > 0) {
      read_.append(buffer, static_cast<std::size_t>(count));
      continue;
    }
    if (count == 0 || (errno != EAGAIN && errno != EINTR)) fail(end_and_say_how());
    if (!wait_for_events(POLLIN, deadline))
      fail("the engine did not answer within " + number(limits_.seconds) + " s, and was ended");
  }
}

/// Wait for the pipe that is wanted, look after the others meanwhile.   \return false when the time is over
bool Engine::wait_for_events(short wanted, Clock::time_point deadline)
{
  auto next_look = Clock::now() + std::chrono::milliseconds(50);
  for (;;) {
    if (asked_to_end) {
      end();
      signal(asked_to_end, SIG_DFL);
      raise(asked_to_end);
    }
    const auto now = Clock::now();
    if (now >= deadline) return false;
    if (now >= next_look) {
      require_modest();
      next_look = now + std::chrono::milliseconds(50);
    }
    pollfd events[] = {{wanted == POLLOUT ? input_ : wanted == POLLIN ? output_ : -1, wanted, 0}, {errors_, POLLIN, 0}};
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(std::min(deadline, next_look) - now).count();
    poll(events, 2, static_cast<int>(std::max<long>(left, 1)));
    if (events[1].revents) drain_errors();
    if (events[0].revents) return true;
  }
}

void Engine::drain_errors()
{
  char buffer[65536];
  const ssize_t count = ::read(errors_, buffer, sizeof buffer);
  if (count > 0) {
    said_.append(buffer, static_cast<std::size_t>(count));
    if (said_.size() > kept_of_errors) said_.erase(0, said_.size() - kept_of_errors);
  } else if (count == 0) {
    close_if_open(errors_);
  }
}

/// Its processes, and what memory they have together.
void Engine::require_modest()
{
  const std::vector<Process> family = descendants();
  std::size_t megabytes = 0;
  for (const Process& one : family) megabytes += one.megabytes;
  if (static_cast<int>(family.size()) > limits_.processes)
    fail("the engine had more than " + std::to_string(limits_.processes) + " processes, and was ended with them");
  if (limits_.megabytes > 0 && megabytes > limits_.megabytes)
    fail("the engine took more than " + std::to_string(limits_.megabytes) + " MB, and was ended");
}

void Engine::fail(const std::string& sentence)
{
  end();
  throw EngineError(sentence + ".");
}

/// The sentence of an engine that closed its pipes, with the last line that it said on its standard error.
std::string Engine::end_and_say_how()
{
  int status = 0;
  pid_t done = 0;
  for (int tries = 0; tries < 50 && (done = waitpid(child_, &status, WNOHANG)) == 0; ++tries)
    wait_for_events(0, Clock::now() + std::chrono::milliseconds(10));
  if (errors_ >= 0) drain_errors();
  std::string how = "closed its output";
  if (done > 0 && WIFEXITED(status)) how = "ended by itself with exit code " + std::to_string(WEXITSTATUS(status));
  if (done > 0 && WIFSIGNALED(status))
    how = "was ended by signal " + std::to_string(WTERMSIG(status)) + " (" + strsignal(WTERMSIG(status)) + ")";
  std::istringstream lines(said_);
  std::string line, last;
  while (std::getline(lines, line))
    if (line.find_first_not_of(" \t\r") != std::string::npos) last = line;
  last = cleaned(last, longest_quote);
  while (last.ends_with('.')) last.pop_back();
  return "the engine " + how + " instead of answering" + (last.empty() ? "" : "; the last that it said is: " + last);
}

/// End the session, and what left it: orphans become ours.
void Engine::end()
{
  if (child_ > 0) {
    kill(-child_, SIGKILL);
    kill(child_, SIGKILL);
    for (auto left = descendants(); !left.empty(); left = descendants()) {
      for (const Process& one : left) kill(one.id, SIGKILL);
      usleep(1000);
      while (waitpid(-1, nullptr, WNOHANG) > 0) continue;
    }
    child_ = -1;
  }
  close_if_open(input_), close_if_open(output_), close_if_open(errors_);
  read_.clear();
}

}  // namespace articulate::cli
