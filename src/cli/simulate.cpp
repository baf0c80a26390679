#include "simulate.hpp"
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <charconv>
#include <csignal>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <functional>
#include <iostream>
#include <iterator>
#include <sstream>
#include <utility>
#include <articulate/model/kinematics.hpp>
#include <articulate/motion/closed_motion.hpp>
#include <articulate/motion/dormand_prince.hpp>
#include <articulate/motion/energy_balance.hpp>
#include <articulate/motion/runge_kutta.hpp>
#include <articulate/motion/variational.hpp>
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
  if (options.tolerance != 0 && !(options.tolerance > 0 && std::isfinite(options.tolerance)))
    throw Error("--tolerance is " + shown(options.tolerance) + " where a positive number is needed.");
  if (options.integrator == "variational" && options.tolerance != 0)
    throw Error("--tolerance is for rk4; the steps of a variational integrator are of one length.");
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
  double work = 0, imbalance = 0;

  double energy() const { return kinetic_energy + potential_energy; }
};

/// Looks at every step, and remembers the worst.
class Observer {
public:
  double energy = 0, linear = 0, angular = 0;  ///< the largest changes
  double imbalance = 0;                        ///< of energy, the largest that work does not explain
  double violation = 0, violation_rate = 0;    ///< the largest of all times
  double first_energy = 0;

  Observer(const Model<double>& model, const std::vector<Loop>& loops, const State& state, JointForces& forces,
           const std::vector<ForceElement>& elements)
      : kinematics_(model),
        loops_(model, loops),
        state_(state),
        forces_(forces),
        elements_(model, elements),
        bodies_(model.bodies())
  {
  }

  bool has_loops() const { return loops_.rows() > 0; }

  void look(Moment& now)
  {
    measure(now);
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
    const double given = power<double>(kinematics_, now.qd, forces_.at(now.t), state_.external_wrenches);
    balance_.look(now.t, now.energy(), given + elements_.supplied());
    now.work = balance_.work();
    now.imbalance = balance_.imbalance();
    terms_ = std::max(terms_, now.kinetic_energy + std::abs(now.potential_energy) + std::abs(now.work));
    ++looks_;
    imbalance = std::max(imbalance, std::abs(now.imbalance));
    energy = std::max(energy, std::abs(now.energy() - first_energy));
    linear = std::max(linear, length(now.momentum.f - first_momentum_.f));
    angular = std::max(angular, length(now.momentum.m - first_momentum_.m));
    violation = std::max(violation, now.violation);
    violation_rate = std::max(violation_rate, now.violation_rate);
  }

  /// Learn from the same moment found in another way; a part of the difference of the energies is an error of the steps.
  void compare(const Moment& now, Moment& other, double part)
  {
    measure(other);
    errors_ += part * std::abs(other.energy() - now.energy());
  }

  /// By how much the energy may be out of balance: errors of the steps, of the work, and of rounding in each of them.
  double bound() const
  {
    const double u = std::ldexp(1.0, -53);
    return errors_ + balance_.doubt() + (rounding<double>(bodies_) + static_cast<double>(looks_) * u) * terms_;
  }

private:
  void measure(Moment& now)
  {
    kinematics_(now.q, now.qd);
    elements_(kinematics_, now.q, now.qd, now.t);
    now.kinetic_energy = kinematics_.kinetic_energy() + elements_.rotor_energy(now.qd);
    now.potential_energy = kinematics_.potential_energy(state_.gravity) + elements_.potential();
    now.momentum = kinematics_.momentum();
  }

  ForwardKinematics<double> kinematics_;
  Loops<double> loops_;
  const State& state_;
  JointForces& forces_;
  ForceElements<double> elements_;
  EnergyBalance balance_;
  Wrench<double> first_momentum_;
  int bodies_;
  bool begun_ = false;
  long looks_ = 0;
  double terms_ = 0, errors_ = 0;
};

// What moves it.

/// One of the two integrators, with forces and loops.
class Stepper {
public:
  Stepper(const Model<double>& model, const std::vector<Loop>& loops, const State& state, JointForces& forces,
          const std::vector<ForceElement>& elements, const SimulateOptions& options)
      : forces_(forces),
        elements_(model, elements),
        Fext_(state.external_wrenches),
        all_Fext_(Fext_),
        variational_(options.integrator == "variational"),
        rates_(options.stabilisation != "none" && !loops.empty()),
        coordinates_(options.stabilisation != "rates" && rates_),
        runge_kutta_(model),
        symplectic_(model, loops),
        closed_(model, loops)
  {
    symplectic_.set_gravity(state.gravity);
    closed_.set_gravity(state.gravity);
    closed_.set_armature(elements_.armature);
    if (!elements_.Fext.empty()) all_Fext_.resize(elements_.Fext.size());
  }

  int order() const { return variational_ ? 2 : 4; }
  const ClosedMotion<double>& closed() const { return closed_; }

  /// Decide the rank of the loops, and close what is open, as far as that is wanted.
  void begin(VectorX<double>& q, VectorX<double>& qd, double h)
  {
    closed_.begin(q, qd, h);
    settle(q, qd);
  }

  void step(VectorX<double>& q, VectorX<double>& qd, double t, double h)
  {
    if (variational_) {
      const VectorX<double> before = forces_.at(t);
      symplectic_.step(q, qd, h, before, forces_.at(t + h), Fext_);
      return;
    }
    runge_kutta_.step(q, qd, t, h, accelerations_, settle_);
  }

  /// Refuse a singular position that lies within the next step, if a step does not pass it.
  void look_ahead(const VectorX<double>& q)
  {
    if (!variational_) return;
    const double distance = closed_.distance_from_singular(q), last = std::exchange(distance_, distance);
    if (distance < 1.5 * (last - distance))
      throw StateError("a singular position lies ahead, where the loops lose a part of their rank " +
                       std::to_string(closed_.rank()) + "; a variational step does not pass it, but rk4 does.");
  }

  /// A step that finds its length.
  void step(AdaptiveMotion<double>& motion)
  {
    closed_.set_step(motion.next_length());
    motion.step(accelerations_, settle_,
                [this](const VectorX<double>& q, const VectorX<double>& qd, VectorX<double>& x) {
                  if (coordinates_) closed_.keep_along(q, qd, x);
                });
  }

  void settle(VectorX<double>& q, VectorX<double>& qd)
  {
    require_finite(q, qd);
    if (coordinates_)
      closed_.settle(q, qd);
    else if (rates_)
      closed_.project(q, qd);
  }

private:
  static void require_finite(const VectorX<double>& q, const VectorX<double>& qd)
  {
    if (!q.allFinite() || !qd.allFinite()) throw StateError("the coordinates are no finite numbers any more.");
  }

  JointForces& forces_;
  ForceElements<double> elements_;
  const ExternalWrenches<double>& Fext_;
  ExternalWrenches<double> all_Fext_;  ///< given ones and those of the elements
  VectorX<double> all_tau_;
  bool variational_, rates_, coordinates_;
  double distance_ = 0;  ///< from a singular position, of the last that was looked at
  RungeKuttaMuntheKaas<double> runge_kutta_;
  VariationalIntegrator<double> symplectic_;
  ClosedMotion<double> closed_;
  const std::function<const VectorX<double>&(const VectorX<double>&, const VectorX<double>&, double)> accelerations_ =
      [this](const VectorX<double>& q, const VectorX<double>& qd, double t) -> const VectorX<double>& {
    require_finite(q, qd);
    elements_(q, qd, t);
    all_tau_ = forces_.at(t) + elements_.tau;
    for (std::size_t i = 0; i < elements_.Fext.size(); ++i)
      all_Fext_[i] = Fext_.empty() ? elements_.Fext[i] : Fext_[i] + elements_.Fext[i];
    return closed_.accelerations(q, qd, all_tau_, all_Fext_);
  };
  const std::function<void(VectorX<double>&, VectorX<double>&)> settle_ =
      [this](VectorX<double>& q, VectorX<double>& qd) { settle(q, qd); };
};

// What is written.

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

  std::string end(const Json& how) const { return (table_ ? "# " : "") + one_line({{"end", how}}); }

private:
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

Json description(const Model<double>& model, const SimulateOptions& options, const State& state,
                 const ClosedMotion<double>& closed, const std::vector<ForceElement>& elements, double h, long steps)
{
  Json words = conventions();
  words["rows"] =
      "a line for each time t, in s; its state can be given to compute, with the gravity above; energies in J; "
      "momentum about the world's "
      "origin, in world axes, angular in N m s and linear in N s";
  words["work"] =
      "what joint forces, wrenches on links and force elements without a potential have done since the start, in J, "
      "and imbalance, what the energy has gained without it";
  words["end"] = "the last line says how the simulation ended: complete, failed or interrupted, when, and why";
  words["violation"] =
      "with loops: by how much a row of a loop is not met at most, in m or rad, and violation_rate how fast one opens";
  Json first{{"conventions", words}, {"warnings", model.warnings()}, {"model", model.mechanism().source}};
  if (state.qdd) first["warnings"].push_back("qdd of the state is not read: a simulation finds the accelerations.");
  first["joints"] = Json::array();
  for (const JointSlot& joint : joints_without_base(model)) first["joints"].push_back(joint.name);
  first["gravity"] = numbers(state.gravity);
  first["integrator"] = options.tolerance > 0 ? "dormand-prince" : options.integrator;
  if (options.tolerance > 0) first["tolerance"] = options.tolerance;
  first["step"] = h;
  first["steps"] = steps;
  first["every"] = options.every;
  first["force_elements"] = elements.size();
  first["forces"] = !options.torque.empty() ? options.torque : (state.tau ? "tau of the state, held" : "none");
  if (closed.rows() > 0) {
    first["loops"] = options.loops.file;
    first["rank"] = closed.rank();
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

/// The times at which singular positions were passed: of a dozen steps in a row the first that met one.
class SingularTimes {
public:
  std::vector<double> times;

  void look(long met, double t)
  {
    if (met > before_ && since_ > 12) times.push_back(t);
    since_ = met > before_ ? 0 : since_ + 1;
    before_ = met;
  }

private:
  long before_ = 0, since_ = 13;
};

void report(const Observer& seen, const Moment& last, const SimulateOptions& options, const SingularTimes& singular,
            double h, long steps, long taken, double seconds)
{
  std::ostringstream text;
  text.precision(3);
  text << "simulate: ";
  if (options.tolerance > 0)
    text << taken << " steps by dormand-prince within " << shown(options.tolerance);
  else
    text << steps << " steps of " << shown(h) << " s by " << options.integrator;
  text << ", done in " << seconds << " s\nenergy: " << shown(seen.first_energy) << " J at first, "
       << shown(last.energy()) << " J at last, changed by at most " << seen.energy
       << " J\nbalance: work explains it but for at most " << seen.imbalance << " J; the steps are good for "
       << seen.bound() << " J\nmomentum: changed by at most " << seen.linear << " N s (linear) and " << seen.angular
       << " N m s (angular)\n";
  if (seen.has_loops())
    text << "loops: open by at most " << seen.violation << " (m or rad), opening with at most " << seen.violation_rate
         << " (m/s or rad/s)\n";
  if (!singular.times.empty())
    text << "singular positions: " << singular.times.size() << " passed, the first at t = " << shown(singular.times[0])
         << " s\n";
  std::cerr << text.str();
}

/// What one step of twice the length makes of the last two, instead of eight.
void compare(Observer& observer, Stepper& stepper, const Moment& now, const Moment& before, double h)
{
  Moment other = before;
  try {
    stepper.step(other.q, other.qd, before.t, 2 * h);
  } catch (const StateError&) {
    return;  // too long a step tells nothing
  }
  observer.compare(now, other, 4 / (std::ldexp(1.0, stepper.order()) - 1));
}

std::string out_of_balance(const Moment& now, double bound, const SingularTimes& singular)
{
  std::ostringstream text;
  text.precision(3);
  text << "the energy is out of balance by " << now.imbalance << " J at t = " << now.t
       << " s, more than a hundred times what the steps are good for, " << bound << " J; ";
  if (now.violation > 1e-6)
    text << "the likely reason is that the loops are open, by " << now.violation << " m or rad.";
  else if (!singular.times.empty())
    text << "the likely reason is the singular position at t = " << singular.times.back() << " s.";
  else
    text << "the likely reason is a motion too fast for the step, or forces that jump.";
  text << " --ignore-imbalance goes on.";
  return text.str();
}

std::string to_go(double t, double seconds, long step, long steps)
{
  const double left = step > 0 ? seconds * static_cast<double>(steps - step) / static_cast<double>(step) : 0;
  return "t = " + shown(t) + " s, " + shown(std::ceil(left)) + " s to go";
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
  const std::vector<ForceElement> elements = force_elements(model, options.choice, options.loops);
  if (!elements.empty() && options.integrator == "variational")
    throw Error(
        "--integrator variational takes no force elements: its forces are told for a time, not for a state; "
        "leave them out, or take rk4.");
  const LoopFile given = options.loops.file.empty() ? LoopFile{} : read_loops(options.loops.file, model);
  if (!given.loops.empty()) {
    loops = given.loops;
    const VectorX<double> wish = state.qd;
    ConstrainedCalculator(model, options.loops, false).close(state, source);
    // Where nothing is held the loops take from the rates what an impulse of theirs would.
    if (options.loops.assemble && given.held.empty()) {
      state.qd = wish;
      ClosedMotion<double>(model, loops).project(state.q, state.qd);
    }
  }
  JointForces forces = options.torque.empty() ? JointForces(state.tau.value_or(VectorX<double>::Zero(model.nv())))
                                              : JointForces(options.torque, model, options.duration);
  const Record record(model, !loops.empty(), file.ends_with(".csv"));
  const double entries = (steps / every + 2.0) * static_cast<double>(record.columns().size());
  if (entries > 5e7)
    throw Error("The trajectory would have " + shown(entries) +
                " numbers, more than 5e+07; write fewer rows by --every " +
                std::to_string(static_cast<long>(every * std::ceil(entries / 5e7))) + ".");

  Observer observer(model, loops, state, forces, elements);
  Stepper stepper(model, loops, state, forces, elements, options);
  GrowingText output(file);
  std::string drawn;
  const auto write = [&](const std::string& text) {
    output.add(text);
    if (!options.plot.empty()) drawn += text;
  };
  const ProgressBar progress;
  const Interrupt interrupt;
  SingularTimes singular;
  const auto start = std::chrono::steady_clock::now();
  const auto seconds = [start] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  Moment now{0, state.q, state.qd};
  long rows = 0;
  long adaptive_steps = 0;
  std::string failure;
  const auto time_of = [&](long k) { return steps > 0 ? options.duration * (static_cast<double>(k) / steps) : 0; };
  const auto add_row = [&](const Moment& moment) {
    if (rows++ == 0) write(record.head(description(model, options, state, stepper.closed(), elements, h, steps)));
    write(record.row(moment));
  };
  const auto require_balance = [&](const Moment& moment) {
    if (!(std::abs(moment.imbalance) > 100 * observer.bound())) return;
    const std::string sentence = out_of_balance(moment, observer.bound(), singular);
    if (!options.ignore_imbalance) throw StateError(sentence);
    if (failure.empty()) failure = sentence;
  };
  const auto go_on = [&](long k) {
    if (interrupt.caught()) throw StateError("it was interrupted.");
    if (k % (steps / 1000 + 1) == 0)
      progress.show(to_go(now.t, seconds(), k, steps), static_cast<int>(1000 * k / std::max(steps, 1L)), 1000);
  };
  const auto by_equal_steps = [&] {
    Moment before = now;
    for (long k = 1; k <= steps; ++k) {
      Moment next = now;
      stepper.look_ahead(now.q);
      stepper.step(next.q, next.qd, now.t, h);
      next.t = time_of(k);
      singular.look(stepper.closed().singular_positions(), next.t);
      observer.look(next);
      // Two of eight steps are made once more as one.
      if (k % 8 == 2) compare(observer, stepper, next, before, h);
      if (k % 8 == 0) before = next;
      if (k % 2 == 0) require_balance(next);
      now = next;
      if (k % every == 0 || k == steps) add_row(now);
      go_on(k);
    }
  };
  const auto by_tolerance = [&] {
    AdaptiveMotion<double> motion(model, now.q, now.qd, options.tolerance, options.duration);
    long k = 1;
    while (motion.t < options.duration) {
      stepper.step(motion);
      ++adaptive_steps;
      singular.look(stepper.closed().singular_positions(), motion.t);
      for (; k < steps && time_of(k) < motion.t; ++k) {
        if (k % every != 0) continue;
        Moment between{time_of(k), {}, {}};
        motion.at(between.t, between.q, between.qd);
        stepper.settle(between.q, between.qd);
        observer.look(between);
        add_row(between);
      }
      Moment next{motion.t, motion.q, motion.qd}, rival = next;
      observer.look(next);
      motion.rival(rival.q, rival.qd);
      observer.compare(next, rival, 1);
      require_balance(next);
      now = next;
      go_on(std::min(k, steps));
    }
    if (steps > 0) add_row(now);
  };
  try {
    stepper.begin(now.q, now.qd, h);
    observer.look(now);
    add_row(now);
    options.tolerance > 0 ? by_tolerance() : by_equal_steps();
  } catch (const StateError& error) {
    progress.clear();
    const bool interrupted = interrupt.caught();
    const std::string sentence = source + ": the simulation stops after t = " + shown(now.t) + " s" +
                                 (interrupted             ? ": "
                                  : options.tolerance > 0 ? ", where another --tolerance may help: "
                                                          : ", where a shorter --step may help: ") +
                                 error.what();
    if (rows == 0) throw StateError(sentence);
    write(record.end({{"how", interrupted ? "interrupted" : "failed"}, {"t", now.t}, {"reason", error.what()}}));
    const std::string left = output.finish(false);
    throw StateError(sentence + (left.empty() ? "" : " What was found until then is in " + left + "."));
  }
  progress.clear();
  Json end{{"how", "complete"}, {"t", now.t}, {"imbalance", observer.imbalance}, {"bound", observer.bound()}};
  if (!singular.times.empty()) end["singular_positions"] = singular.times;
  if (!failure.empty()) end["warning"] = failure;
  write(record.end(end));
  output.finish(true);
  report(observer, now, options, singular, h, steps, adaptive_steps, seconds());
  if (!failure.empty()) std::cerr << "warning: " << failure << "\n";
  if (!options.plot.empty()) draw(drawn, options.plot);
}

}  // namespace articulate::cli
