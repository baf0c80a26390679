#include "simulate.hpp"
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <charconv>
#include <csignal>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <sstream>
#include <utility>
#include <articulate/motion/closed_motion.hpp>
#include <articulate/motion/force_elements.hpp>
#include "columns.hpp"
#include "constrained.hpp"
#include "forces.hpp"
#include "json_reader.hpp"
#include "load.hpp"
#include "progress_bar.hpp"
#include "state.hpp"
#include "torque.hpp"

namespace articulate::cli {
namespace {

bool ends_with(const std::string& text, std::initializer_list<const char*> endings)
{
  for (const char* ending : endings)
    if (text.ends_with(ending)) return true;
  return false;
}

/// Refuse names of files that say nothing of what is to be written.
void require_endings(const SimulateOptions& options)
{
  if (options.output != "-" && !ends_with(options.output, {".csv", ".jsonl"}))
    throw Error(options.output + ": the name of a trajectory ends in .csv or .jsonl.");
  if (!options.plot.empty() && !ends_with(options.plot, {".svg", ".png", ".pdf"}))
    throw Error(options.plot + ": the name of a plot ends in .svg, .png or .pdf.");
}

/// The method by its name; rk4 has another one for steps that find their length.
std::string method_of(const SimulationOptions& how)
{
  return how.tolerance > 0 && how.integrator == "rk4" ? "dormand-prince" : how.integrator;
}

/// The trajectory as text: a table, or an object a line.
class Record {
public:
  Record(const Model<double>& model, bool loops, bool table) : model_(model), loops_(loops), table_(table) {}

  std::vector<std::string> columns() const
  {
    std::vector<std::string> names{"t"};
    const auto append = [&names](const std::vector<std::string>& more) {
      names.insert(names.end(), more.begin(), more.end());
    };
    append(coordinate_columns("q", model_));
    append(rate_columns("qd", model_));
    append({"kinetic_energy", "potential_energy", "energy", "work", "imbalance"});
    append({"angular_momentum.x", "angular_momentum.y", "angular_momentum.z"});
    append({"linear_momentum.x", "linear_momentum.y", "linear_momentum.z"});
    if (loops_) append({"violation", "violation_rate"});
    return names;
  }

  std::string head(const Json& description) const
  {
    return table_ ? csv_header(columns()) + "\n" : one_line(description);
  }

  std::string row(const Moment& now) const { return table_ ? numbers_of(now) : one_line(object(now)); }

  std::string event(const SimulationEvent& one) const
  {
    Json event{{"t", one.t}, {"what", one.what}, {"stop", one.stop}};
    if (one.what == "impact") {
      event["impulse"] = one.impulse;
      event["rates"] = {one.before, one.after};
    }
    return remark({{"event", event}});
  }

  std::string end(const Json& how) const { return remark({{"end", how}}); }

private:
  /// A line that is no row.
  std::string remark(const Json& json) const { return (table_ ? "# " : "") + one_line(json); }

  Json object(const Moment& now) const
  {
    Json row{{"t", now.t}, {"state", state_of(now)}};
    row["kinetic_energy"] = now.kinetic_energy;
    row["potential_energy"] = now.potential_energy;
    row["energy"] = now.energy();
    row["work"] = now.work;
    row["imbalance"] = now.imbalance;
    row["angular_momentum"] = numbers(now.momentum.m);
    row["linear_momentum"] = numbers(now.momentum.f);
    if (loops_) {
      row["violation"] = now.violation;
      row["violation_rate"] = now.violation_rate;
    }
    return row;
  }

  std::string numbers_of(const Moment& now) const
  {
    std::string text;
    // The shortest decimal that reads back to the same double.
    const auto append = [&text](double x) {
      char digits[32];
      text.append(digits, std::to_chars(digits, digits + sizeof digits, x).ptr);
      text += ',';
    };
    append(now.t);
    for (double x : now.q) append(x);
    for (double x : now.qd) append(x);
    for (double x : {now.kinetic_energy, now.potential_energy, now.energy(), now.work, now.imbalance}) append(x);
    for (int k = 0; k < 3; ++k) append(now.momentum.m[k]);
    for (int k = 0; k < 3; ++k) append(now.momentum.f[k]);
    if (loops_)
      for (double x : {now.violation, now.violation_rate}) append(x);
    text.back() = '\n';
    return text;
  }

  /// As `compute` takes it.
  Json state_of(const Moment& now) const
  {
    Json state;
    const int base = model_.floating_base() ? 7 : 0;
    if (base > 0)
      state["base"] = {{"position", numbers(VectorX<double>(now.q.head(3)))},
                       {"quaternion_xyzw", numbers(VectorX<double>(now.q.segment(3, 4)))}};
    state["q"] = numbers(VectorX<double>(now.q.tail(model_.nq() - base)));
    state["qd"] = numbers(now.qd);
    return state;
  }

  const Model<double>& model_;
  bool loops_, table_;
};

Json description(const SimulatedMachine& machine, const SimulateOptions& options, const State& state,
                 const SimulationCourse& course)
{
  const Model<double>& model = machine.model;
  Json words = conventions();
  words["rows"] =
      "a line for each time t, in s; its state can be given to compute, with the gravity above; energies in J; "
      "momentum about the world's "
      "origin, in world axes, angular in N m s and linear in N s";
  words["work"] =
      "what joint forces, wrenches on links and force elements without a potential have done since the start, in J, "
      "and imbalance, what the energy has gained without it";
  words["event"] =
      "with stops: a line where one is met (impact: its impulse in N s or N m s, and the rates of the gap before and "
      "after), leaned on (rest) or left (leave)";
  words["end"] = "the last line says how the simulation ended: complete, failed or interrupted, when, and why";
  words["violation"] =
      "with loops: by how much a row of a loop is not met at most, in m or rad, and violation_rate how fast one opens";
  Json first{{"conventions", words}, {"warnings", model.warnings()}, {"model", model.mechanism().source}};
  if (state.qdd) first["warnings"].push_back("qdd of the state is not read: a simulation finds the accelerations.");
  first["joints"] = Json::array();
  for (const JointSlot& joint : joints_without_base(model)) first["joints"].push_back(joint.name);
  first["gravity"] = numbers(state.gravity);
  const SimulationOptions& how = options.simulation;
  first["integrator"] = method_of(how);
  if (how.tolerance > 0) first["tolerance"] = how.tolerance;
  first["step"] = course.step;
  first["steps"] = course.steps;
  first["every"] = how.every;
  first["force_elements"] = machine.elements.size();
  if (!machine.stops.empty()) first["stops"] = machine.stops.size();
  first["forces"] = !options.torque.empty() ? options.torque : (state.tau ? "tau of the state, held" : "none");
  if (!machine.loops.empty()) {
    std::string source = options.loops.file;
    if (options.choice.dynamics().mimic) source += source.empty() ? "--with mimic" : " and --with mimic";
    first["loops"] = source;
    first["rank"] = course.rank;
    first["stabilisation"] = how.integrator == "variational" ? "within the step" : how.stabilisation;
  }
  return first;
}

/// Let Python draw what the text says.
void draw(const std::string& text, const std::string& path)
{
  const std::filesystem::path folder = std::filesystem::temp_directory_path();
  std::string trajectory = (folder / "articulate-trajectory-XXXXXX").string();
  const int file = mkstemp(trajectory.data());
  if (file < 0) throw Error(folder.string() + ": no file can be made there for the plot; is it full?");
  close(file);
  write_text(text, trajectory);
  const std::filesystem::path programs = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  std::string python = "/usr/bin/python3",
              script = (programs / ARTICULATE_SHARE "/plot_trajectory.py").lexically_normal();
  std::string no_cache = "-B", target = path;
  char* arguments[] = {python.data(), no_cache.data(), script.data(), trajectory.data(), target.data(), nullptr};
  pid_t child;
  int status = 1;
  if (posix_spawn(&child, python.c_str(), nullptr, nullptr, arguments, environ) == 0) waitpid(child, &status, 0);
  std::filesystem::remove(trajectory);
  if (status != 0)
    throw Error(path + ": the plot was not drawn; it needs " + python + " with numpy and matplotlib, and " + script +
                ".");
}

std::vector<Stop> stops_of(const Model<double>& model, const SimulateOptions& options)
{
  std::vector<Stop> stops;
  if (!options.loops.file.empty()) stops = read_stops(options.loops.file, model);
  if (!options.stops) return stops;
  if (!(*options.stops >= 0 && *options.stops <= 1))
    throw Error("--stops is " + shown(*options.stops) +
                " where a restitution from 0, plastic, to 1, elastic, is needed.");
  if (!(options.simulation.tolerance > 0))
    throw Error("--stops is for steps that find their length; give --tolerance 1e-9, or another one.");
  const std::vector<Stop> of_limits = joint_stops(model.mechanism(), *options.stops);
  if (of_limits.empty())
    throw Error(model.mechanism().source + ": no joint has limits, so that --stops stops nothing; leave it out.");
  stops.insert(stops.end(), of_limits.begin(), of_limits.end());
  return stops;
}

std::string text_of_state(const std::string& path)
{
  return path == "-" ? text_of(std::cin, "standard input") : text_of_file(path);
}

/// An interrupt is noticed between two steps.
class Interrupt {
public:
  Interrupt()
  {
    for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, [](int which) { caught_ = which; });
  }
  ~Interrupt()
  {
    for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, SIG_DFL);
  }
  bool caught() const { return caught_ != 0; }

private:
  static inline volatile std::sig_atomic_t caught_ = 0;
};

/// The run was interrupted at a time.
struct Interrupted {
  double t;
};

/// Writes the rows as they come, tells how far the run is, and notices an interrupt.
class Writer : public Onlooker {
public:
  Writer(const SimulatedMachine& machine, const SimulateOptions& options, const State& state)
      : machine_(machine),
        options_(options),
        state_(state),
        file_(options.output == "-" ? "" : options.output),
        record_(machine.model, !machine.loops.empty(), file_.ends_with(".csv")),
        output_(file_)
  {
  }

  bool has_begun() const { return begun_; }
  const SimulationCourse& course() const { return course_; }
  const Moment& last() const { return last_; }

  void begin(const SimulationCourse& course) override
  {
    course_ = course;
    begun_ = true;
    write(record_.head(description(machine_, options_, state_, course)));
  }
  void row(const Moment& now) override { write(record_.row(last_ = now)); }
  void event(const SimulationEvent& one) override { write(record_.event(one)); }
  void step(const Moment& now, double part) override
  {
    if (interrupt_.caught()) throw Interrupted{now.t};
    const int done = static_cast<int>(1000 * part);
    if (done > std::exchange(shown_, done))
      progress_.show("t = " + shown(now.t) + " s, " + shown(std::ceil(seconds() * (1 / part - 1))) + " s to go", done,
                     1000);
  }

  /// The last line.   \return the file in which all of it is; empty for standard output
  std::string end(const Json& how, bool complete)
  {
    progress_.clear();
    write(record_.end(how));
    return output_.finish(complete);
  }
  void plot() const
  {
    if (!options_.plot.empty()) draw(drawn_, options_.plot);
  }
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

private:
  void write(const std::string& text)
  {
    output_.add(text);
    if (!options_.plot.empty()) drawn_ += text;
  }

  const SimulatedMachine& machine_;
  const SimulateOptions& options_;
  const State& state_;
  const std::string file_;
  const Record record_;
  GrowingText output_;
  std::string drawn_;
  const ProgressBar progress_;
  const Interrupt interrupt_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  SimulationCourse course_{};
  Moment last_{};
  bool begun_ = false;
  int shown_ = 0;
};

void report(const SimulationAccount& account, const Writer& writer, const SimulatedMachine& machine,
            const SimulationOptions& options)
{
  std::ostringstream text;
  text.precision(3);
  text << "simulate: " << account.steps << " steps ";
  if (options.tolerance > 0)
    text << "by " << method_of(options) << " within " << shown(options.tolerance);
  else
    text << "of " << shown(writer.course().step) << " s by " << options.integrator;
  text << ", done in " << writer.seconds() << " s\nenergy: " << shown(account.first_energy) << " J at first, "
       << shown(writer.last().energy()) << " J at last, changed by at most " << account.energy
       << " J\nbalance: work explains it to within " << account.imbalance << " J; the bound for these steps is "
       << account.bound << " J\nmomentum: changed by at most " << account.linear << " N s (linear) and "
       << account.angular << " N m s (angular)\n";
  if (!machine.loops.empty())
    text << "loops: open by at most " << account.violation << " (m or rad), opening with at most "
         << account.violation_rate << " (m/s or rad/s)\n";
  if (!account.singular_positions.empty())
    text << "singular positions: " << account.singular_positions.size()
         << " passed, the first at t = " << shown(account.singular_positions[0]) << " s\n";
  if (!machine.stops.empty()) text << "stops: " << account.impacts << " impacts, which took " << account.lost << " J\n";
  for (const PassedLimit& one : account.limits)
    text << "warning: joint '" << one.joint << "' passes its " << one.which << " limit " << shown(one.limit)
         << " by t = " << shown(one.t) << " s; nothing holds it there, --stops would.\n";
  if (account.corners_inside > 0)
    text << "warning: forces from tables have " << account.corners_inside
         << " rows inside a step, where a corner costs accuracy; --tolerance ends a step at each of them.\n";
  if (!account.warning.empty()) text << "warning: " << account.warning << "\n";
  std::cerr << text.str();
}

}  // namespace

void simulate(const SimulateOptions& options)
{
  // Everything that can be refused is refused before the first step.
  number_of_steps(options.simulation);
  require_endings(options);
  const std::string file = options.output == "-" ? "" : options.output;
  require_distinct({{"--model", options.choice.model},
                    {"--state", options.state == "-" ? "" : options.state},
                    {"--loops", options.loops.file},
                    {"--torque", options.torque}},
                   {{"--output", file}, {"--plot", options.plot}});
  for (const std::string& path : {file, options.plot}) require_writable(path);
  require_one_standard_input(options.choice, options.state);
  const Model<double> model = load(options.choice);
  const std::string source = options.state == "-" ? "standard input" : options.state;
  State state = read_state(text_of_state(options.state), source, model);
  if (state.prescribed)
    throw StateError(source + ": prescribed is given, but a simulation finds all accelerations; leave it out.");
  if (state.derivatives)
    throw StateError(source + ": order is given, but a simulation finds all derivatives; leave it out.");
  if (state.tau && !options.torque.empty())
    throw StateError(source + ": tau is given, and --torque too; give one of them.");
  const std::vector<ForceElement> elements = force_elements(model, options.choice, options.loops);
  const LoopFile given = all_loops(model, options.choice, options.loops);
  if (!given.loops.empty()) {
    const VectorX<double> wish = state.qd;
    ConstrainedCalculator(model, given, options.loops, false).close(state, source);
    // Where nothing is held the loops take from the rates what an impulse of theirs would.
    if (options.loops.assemble && given.held.empty()) {
      state.qd = wish;
      const VectorX<double> armature = ForceElements<double>(model, elements).armature;
      ClosedMotion<double> closed(model.with_rotors(armature), given.loops);
      closed.set_armature(armature);
      closed.project(state.q, state.qd);
    }
  }
  JointForces forces = options.torque.empty() ? JointForces(state.tau.value_or(VectorX<double>::Zero(model.nv())))
                                              : JointForces(options.torque, model, options.simulation.duration);
  const SimulatedMachine machine{model,
                                 given.loops,
                                 elements,
                                 state.gravity,
                                 state.external_wrenches,
                                 [&](double t) -> const VectorX<double>& { return forces.at(t); },
                                 stops_of(model, options),
                                 forces.times()};
  Writer writer(machine, options, state);
  const auto stop = [&](const std::string& sentence, const char* how, double t, const std::string& reason) {
    const std::string left = writer.end({{"how", how}, {"t", t}, {"reason", reason}}, false);
    throw StateError(source + ": " + sentence + (left.empty() ? "" : " What was found until then is in " + left + "."));
  };
  try {
    const SimulationAccount account = articulate::simulate(machine, options.simulation, state.q, state.qd, writer);
    Json end{{"how", "complete"}, {"t", writer.last().t}, {"imbalance", account.imbalance}, {"bound", account.bound}};
    end["evaluations"] = account.evaluations;
    if (!account.singular_positions.empty()) end["singular_positions"] = account.singular_positions;
    if (!machine.stops.empty()) end["impacts"] = account.impacts, end["lost"] = account.lost;
    for (const PassedLimit& one : account.limits)
      end["limits"].push_back({{"joint", one.joint}, {"limit", one.which}, {"value", one.limit}, {"t", one.t}});
    if (!account.warning.empty()) end["warning"] = account.warning;
    writer.end(end, true);
    report(account, writer, machine, options.simulation);
    writer.plot();
  } catch (const SimulationStopped& stopped) {
    if (!writer.has_begun()) throw StateError(source + ": " + stopped.what());
    stop(stopped.what(), "failed", stopped.t, stopped.reason);
  } catch (const Interrupted& interrupted) {
    const std::string reason = "it was interrupted.";
    stop("the simulation stops after t = " + shown(interrupted.t) + " s: " + reason, "interrupted", interrupted.t,
         reason);
  }
}

}  // namespace articulate::cli
