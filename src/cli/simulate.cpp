#include "simulate.hpp"
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <charconv>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <sstream>
#include <articulate/motion/runge_kutta.hpp>
#include <articulate/motion/variational.hpp>
#include <articulate/model/kinematics.hpp>
#include "columns.hpp"
#include "constrained.hpp"
#include "json_reader.hpp"
#include "load.hpp"
#include "progress_bar.hpp"
#include "state.hpp"
#include "torque.hpp"

namespace articulate::cli {
namespace {

double length(const Vector3<double>& x) { return std::sqrt(inner(x, x)); }

// What is asked for.

bool ends_with(const std::string& text, std::initializer_list<const char*> endings)
{
  for (const char* ending : endings)
    if (text.ends_with(ending)) return true;
  return false;
}

/// Refuse options that cannot be meant.   \return how many steps fill the duration
long number_of_steps(const SimulateOptions& options)
{
  if (!(options.step > 0) || !std::isfinite(options.step))
    throw Error("--step is " + shown(options.step) + " where a positive number of seconds is needed.");
  if (!(options.duration >= 0) || !std::isfinite(options.duration))
    throw Error("--duration is " + shown(options.duration) + " where a number of seconds, not below 0, is needed.");
  if (options.every == 0) throw Error("--every is 0; it writes each step with 1, each tenth with 10.");
  // A quotient that is a whole number but for rounding is that number.
  const double steps = std::ceil(options.duration / options.step * (1 - 1e-12));
  if (steps > 1e9)
    throw Error("--duration " + shown(options.duration) + " by --step " + shown(options.step) + " makes " +
                shown(steps) + " steps, more than 1e+09; take a longer step.");
  if (options.output != "-" && !ends_with(options.output, {".csv", ".jsonl"}))
    throw Error(options.output + ": the name of a trajectory ends in .csv or .jsonl.");
  if (!options.plot.empty() && !ends_with(options.plot, {".svg", ".png", ".pdf"}))
    throw Error(options.plot + ": the name of a plot ends in .svg, .png or .pdf.");
  if (options.integrator == "variational" && (options.stabilisation == "none" || options.stabilisation == "rates"))
    throw Error("--stabilisation " + options.stabilisation +
                " is for rk4; a variational step closes the loops by its own equations.");
  return static_cast<long>(steps);
}

// What is measured.

/// The motion at a time.
struct Moment {
  double t;
  VectorX<double> q, qd;
  double kinetic_energy = 0, potential_energy = 0;
  Wrench<double> momentum{};
  double violation = 0, violation_rate = 0;

  double energy() const { return kinetic_energy + potential_energy; }
};

/// Looks at every step, and remembers the worst.
class Observer {
public:
  double energy = 0, linear = 0, angular = 0;  ///< the largest changes
  double violation = 0, violation_rate = 0;    ///< the largest of all times
  double first_energy = 0;

  Observer(const Model<double>& model, const std::vector<Loop>& loops, const Vector3<double>& gravity)
      : kinematics_(model), loops_(model, loops), gravity_(gravity)
  {
  }

  void look(Moment& now)
  {
    kinematics_(now.q, now.qd);
    now.kinetic_energy = kinematics_.kinetic_energy();
    now.potential_energy = kinematics_.potential_energy(gravity_);
    now.momentum = kinematics_.momentum();
    if (loops_.rows() > 0) {
      loops_(now.q, now.qd);
      now.violation = largest(loops_.violation);
      now.violation_rate = largest(loops_.A * now.qd);
    }
    if (!std::isfinite(now.energy())) throw StateError("the energy is no finite number any more.");
    if (!begun_) {
      first_energy = now.energy();
      first_momentum_ = now.momentum;
      begun_ = true;
    }
    energy = std::max(energy, std::abs(now.energy() - first_energy));
    linear = std::max(linear, length(now.momentum.f - first_momentum_.f));
    angular = std::max(angular, length(now.momentum.m - first_momentum_.m));
    violation = std::max(violation, now.violation);
    violation_rate = std::max(violation_rate, now.violation_rate);
  }

private:
  ForwardKinematics<double> kinematics_;
  Loops<double> loops_;
  Vector3<double> gravity_;
  Wrench<double> first_momentum_;
  bool begun_ = false;
};

// What moves it.

/// One of the two integrators, with forces and loops.
class Stepper {
public:
  Stepper(const Model<double>& model, const std::vector<Loop>& loops, const State& state, JointForces& forces,
          const SimulateOptions& options)
      : forces_(forces),
        Fext_(state.external_wrenches),
        variational_(options.integrator == "variational"),
        rates_(options.stabilisation != "none" && !loops.empty()),
        coordinates_(options.stabilisation != "rates" && rates_),
        runge_kutta_(model),
        symplectic_(model, loops),
        loops_(model, loops),
        system_(model, std::vector<bool>(model.nv(), false), loops_.rows()),
        assembly_(model, loops),
        none_(VectorX<double>::Zero(model.nv()))
  {
    symplectic_.set_gravity(state.gravity);
    system_.tree.set_gravity(state.gravity);
  }

  /// Close what is open, as far as that is wanted.
  void stabilise(VectorX<double>& q, VectorX<double>& qd)
  {
    if (coordinates_) q = assembly_.close(q);
    if (rates_) qd = assembly_.project(q, qd);
  }

  void step(VectorX<double>& q, VectorX<double>& qd, double t, double h)
  {
    if (variational_) {
      const VectorX<double> before = forces_.at(t);
      symplectic_.step(q, qd, h, before, forces_.at(t + h), Fext_);
      return;
    }
    const auto accelerations = [this](const VectorX<double>& q, const VectorX<double>& qd,
                                      double t) -> const VectorX<double>& {
      if (!q.allFinite() || !qd.allFinite()) throw StateError("the coordinates are no finite numbers any more.");
      loops_(q, qd);
      system_(q, qd, none_, forces_.at(t), loops_.A, loops_.Adot_qd, Fext_);
      return system_.qdd();
    };
    runge_kutta_.step(q, qd, t, h, accelerations);
    stabilise(q, qd);
  }

private:
  JointForces& forces_;
  const ExternalWrenches<double>& Fext_;
  bool variational_, rates_, coordinates_;
  RungeKuttaMuntheKaas<double> runge_kutta_;
  VariationalIntegrator<double> symplectic_;
  Loops<double> loops_;
  ConstrainedDynamics<double> system_;
  Assembly<double> assembly_;
  VectorX<double> none_;
};

// What is written.

/// The trajectory as text: a table, or an object a line.
class Record {
public:
  std::string text;

  Record(const Model<double>& model, bool loops, bool table) : model_(model), loops_(loops), table_(table) {}

  std::vector<std::string> columns() const
  {
    std::vector<std::string> names{"t"};
    const auto append = [&names](const std::vector<std::string>& more) {
      names.insert(names.end(), more.begin(), more.end());
    };
    append(coordinate_columns("q", model_));
    append(rate_columns("qd", model_));
    append({"kinetic_energy", "potential_energy", "energy"});
    append({"angular_momentum.x", "angular_momentum.y", "angular_momentum.z"});
    append({"linear_momentum.x", "linear_momentum.y", "linear_momentum.z"});
    if (loops_) append({"violation", "violation_rate"});
    return names;
  }

  void begin(const Json& description) { text = table_ ? csv_header(columns()) + "\n" : one_line(description); }

  void add(const Moment& now) { table_ ? add_numbers(now) : add_object(now); }

private:
  void add_object(const Moment& now)
  {
    Json row{{"t", now.t}, {"state", state_of(now)}};
    row["kinetic_energy"] = now.kinetic_energy;
    row["potential_energy"] = now.potential_energy;
    row["energy"] = now.energy();
    row["angular_momentum"] = numbers(now.momentum.m);
    row["linear_momentum"] = numbers(now.momentum.f);
    if (loops_) {
      row["violation"] = now.violation;
      row["violation_rate"] = now.violation_rate;
    }
    text += one_line(row);
  }

  void add_numbers(const Moment& now)
  {
    append(now.t);
    for (double x : now.q) append(x);
    for (double x : now.qd) append(x);
    for (double x : {now.kinetic_energy, now.potential_energy, now.energy()}) append(x);
    for (int k = 0; k < 3; ++k) append(now.momentum.m[k]);
    for (int k = 0; k < 3; ++k) append(now.momentum.f[k]);
    if (loops_)
      for (double x : {now.violation, now.violation_rate}) append(x);
    text.back() = '\n';
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

  /// The shortest decimal that reads back to the same double.
  void append(double x)
  {
    char digits[32];
    text.append(digits, std::to_chars(digits, digits + sizeof digits, x).ptr);
    text += ',';
  }

  const Model<double>& model_;
  bool loops_, table_;
};

Json description(const Model<double>& model, const SimulateOptions& options, const State& state, double h, long steps)
{
  Json words = conventions();
  words["rows"] =
      "a line for each time t, in s; its state can be given to compute, with the gravity above; energies in J; "
      "momentum about the world's "
      "origin, in world axes, angular in N m s and linear in N s";
  words["violation"] =
      "with loops: by how much a row of a loop is not met at most, in m or rad, and violation_rate how fast one opens";
  Json first{{"conventions", words}, {"warnings", model.warnings()}, {"model", model.mechanism().source}};
  if (state.qdd) first["warnings"].push_back("qdd of the state is not read: a simulation finds the accelerations.");
  first["joints"] = Json::array();
  for (const JointSlot& joint : joints_without_base(model)) first["joints"].push_back(joint.name);
  first["gravity"] = numbers(state.gravity);
  first["integrator"] = options.integrator;
  first["step"] = h;
  first["steps"] = steps;
  first["every"] = options.every;
  first["forces"] = !options.torque.empty() ? options.torque : (state.tau ? "tau of the state, held" : "none");
  if (!options.loops.file.empty()) {
    first["loops"] = options.loops.file;
    first["stabilisation"] = options.integrator == "variational" ? "within the step"
                             : options.stabilisation.empty()     ? "project"
                                                                 : options.stabilisation;
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

std::string text_of_state(const std::string& path)
{
  return path == "-" ? std::string(std::istreambuf_iterator<char>(std::cin), {}) : text_of_file(path);
}

void report(const Observer& seen, const Moment& last, const SimulateOptions& options, double h, long steps,
            double seconds)
{
  std::ostringstream text;
  text.precision(3);
  text << "simulate: " << steps << " steps of " << shown(h) << " s by " << options.integrator << ", done in " << seconds
       << " s\nenergy: " << shown(seen.first_energy) << " J at first, " << shown(last.energy())
       << " J at last, changed by at most " << seen.energy << " J\nmomentum: changed by at most " << seen.linear
       << " N s (linear) and " << seen.angular << " N m s (angular)\n";
  if (!options.loops.file.empty())
    text << "loops: open by at most " << seen.violation << " (m or rad), opening with at most " << seen.violation_rate
         << " (m/s or rad/s)\n";
  std::cerr << text.str();
}

}  // namespace

void simulate(const SimulateOptions& options)
{
  // Everything that can be refused is refused before the first step.
  const long steps = number_of_steps(options), every = static_cast<long>(options.every);
  const double h = steps > 0 ? options.duration / steps : options.step;
  const std::string file = options.output == "-" ? "" : options.output;
  require_distinct({{"--model", options.choice.model},
                    {"--state", options.state == "-" ? "" : options.state},
                    {"--loops", options.loops.file},
                    {"--torque", options.torque}},
                   {{"--output", file}, {"--plot", options.plot}});
  for (const std::string& path : {file, options.plot}) require_writable(path);
  const Model<double> model = load(options.choice);
  const std::string source = options.state == "-" ? "standard input" : options.state;
  State state = read_state(text_of_state(options.state), source, model);
  if (state.prescribed)
    throw StateError(source + ": prescribed is given, but a simulation finds all accelerations; leave it out.");
  if (state.derivatives)
    throw StateError(source + ": order is given, but a simulation finds all derivatives; leave it out.");
  if (state.tau && !options.torque.empty())
    throw StateError(source + ": tau is given, and --torque too; give one of them.");
  std::vector<Loop> loops;
  if (!options.loops.file.empty()) {
    loops = read_loops(options.loops.file, model).loops;
    ConstrainedCalculator(model, options.loops, false).close(state, source);
  }
  JointForces forces = options.torque.empty() ? JointForces(state.tau.value_or(VectorX<double>::Zero(model.nv())))
                                              : JointForces(options.torque, model, options.duration);
  Record record(model, !loops.empty(), file.ends_with(".csv"));
  const double entries = (steps / every + 2.0) * static_cast<double>(record.columns().size());
  if (entries > 5e7)
    throw Error("The trajectory would have " + shown(entries) +
                " numbers, more than 5e+07; write fewer rows by --every " +
                std::to_string(static_cast<long>(every * std::ceil(entries / 5e7))) + ".");
  record.begin(description(model, options, state, h, steps));

  Observer observer(model, loops, state.gravity);
  Stepper stepper(model, loops, state, forces, options);
  const ProgressBar progress;
  const auto start = std::chrono::steady_clock::now();
  Moment now{0, state.q, state.qd};
  for (long k = 0;; ++k) try {
      if (k == 0) stepper.stabilise(now.q, now.qd);
      if (k > 0) stepper.step(now.q, now.qd, now.t, h);
      now.t = steps > 0 ? options.duration * (static_cast<double>(k) / steps) : 0;
      observer.look(now);
      if (k % every == 0 || k == steps) record.add(now);
      if (k == steps) break;
      if (k % (steps / 1000 + 1) == 0)
        progress.show("t = " + shown(now.t) + " s", static_cast<int>(1000 * k / steps), 1000);
    } catch (const StateError& error) {
      progress.clear();
      throw StateError(source + ": the simulation stops after t = " + shown(now.t) + " s, where a shorter --step may " +
                       "help: " + error.what());
    }
  progress.clear();
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  write_text(record.text, file);
  report(observer, now, options, h, steps, seconds.count());
  if (!options.plot.empty()) draw(record.text, options.plot);
}

}  // namespace articulate::cli
