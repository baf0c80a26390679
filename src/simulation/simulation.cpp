#include "simulation.hpp"
#include <algorithm>
#include <cmath>
#include <sstream>
#include <tuple>
#include <utility>
#include <articulate/model/kinematics.hpp>
#include <articulate/motion/closed_motion.hpp>
#include <articulate/motion/dormand_prince.hpp>
#include <articulate/motion/energy_balance.hpp>
#include <articulate/motion/force_elements.hpp>
#include <articulate/motion/radau.hpp>
#include <articulate/motion/runge_kutta.hpp>
#include <articulate/motion/stopped_motion.hpp>
#include <articulate/motion/variational.hpp>

namespace articulate {

using detail::shown;

namespace {

double length(const Vector3<double>& x) { return std::sqrt(inner(x, x)); }

// What is asked for.

/// An option as its user writes it; without a value its name.
class Option {
public:
  explicit Option(Speech speech) : python_(speech == Speech::python) {}

  std::string operator()(std::string name) const
  {
    if (!python_) return "--" + name;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
  }
  std::string operator()(const std::string& name, const std::string& value) const
  {
    return (*this)(name) + (python_ ? "=" : " ") + value;
  }
  std::string word(const std::string& name, const std::string& value) const
  {
    return (*this)(name, python_ ? "'" + value + "'" : value);
  }
  std::string flag(const std::string& name) const { return python_ ? (*this)(name, "True") : (*this)(name); }

private:
  bool python_;
};

void require_one_of(const std::string& option, const std::string& given, std::initializer_list<const char*> known)
{
  std::string list;
  for (const char* one : known) {
    if (given == one) return;
    list += (list.empty() ? "" : ", ") + std::string(one);
  }
  throw Error("There is no " + option + " '" + given + "'; there are " + list + ".");
}

/// Refuse more numbers than a memory or a disk should be filled with by a slip of a unit.
void require_few_numbers(const SimulatedMachine& machine, const SimulationOptions& options, long steps)
{
  const Option option(options.speech);
  const double every = static_cast<double>(options.every),
               columns = 12 + machine.model.nq() + machine.model.nv() + (machine.loops.empty() ? 0 : 2),
               entries = (std::floor(static_cast<double>(steps) / every) + 2) * columns;
  if (entries > 5e7)
    throw Error("The trajectory would have " + shown(entries) + " numbers, more than 5e+07; take fewer rows by " +
                option("every", std::to_string(static_cast<long>(every * std::ceil(entries / 5e7)))) + ".");
}

// What is measured.

/// Where joints without a stop leave the ranges that their descriptions give.
class Limits {
public:
  std::vector<PassedLimit> passed;

  explicit Limits(const SimulatedMachine& machine)
  {
    const auto is_stopped = [&](const std::string& joint) {
      return std::any_of(machine.stops.begin(), machine.stops.end(), [&](const Stop& stop) {
        const auto* range = std::get_if<JointStop>(&stop);
        return range && range->joint == joint;
      });
    };
    for (const JointSlot& slot : machine.model.joints())
      for (const Joint& joint : machine.model.mechanism().joints)
        if (joint.name == slot.name && slot.nv == 1 && !is_stopped(joint.name))
          ranges_.push_back({joint.name, slot.q, joint.lower, joint.upper});
  }

  void look(const Moment& now)
  {
    for (Range& range : ranges_) {
      tell(range.name, "lower", range.lower, now.q(range.q) < range.lower, range.passed_lower, now.t);
      tell(range.name, "upper", range.upper, now.q(range.q) > range.upper, range.passed_upper, now.t);
    }
  }

private:
  struct Range {
    std::string name;
    int q;
    double lower, upper;
    bool passed_lower = false, passed_upper = false;
  };

  void tell(const std::string& name, const char* which, double limit, bool beyond, bool& told, double t)
  {
    if (beyond && !std::exchange(told, true)) passed.push_back({name, which, limit, t});
  }

  std::vector<Range> ranges_;
};

/// Looks at every step, and remembers the worst.
class Observer {
public:
  explicit Observer(const SimulatedMachine& machine)
      : machine_(machine),
        kinematics_(machine.model),
        loops_(machine.model, machine.loops),
        elements_(machine.model, machine.elements),
        limits_(machine),
        bodies_(machine.model.bodies())
  {
  }

  void look(Moment& now)
  {
    measure(now);
    if (loops_.rows() > 0) {
      loops_(now.q, now.qd);
      now.violation = largest(loops_.violation);
      now.violation_rate = largest(loops_.A * now.qd);
    }
    if (!std::isfinite(now.energy())) throw StateError("the energy is no finite number any more.");
    limits_.look(now);
    if (looks_++ == 0) {
      account_.first_energy = now.energy();
      first_momentum_ = now.momentum;
    }
    const double given = power<double>(kinematics_, now.qd, machine_.forces(now.t), machine_.Fext);
    balance_.look(now.t, now.energy(), given + elements_.supplied());
    now.work = balance_.work();
    now.imbalance = balance_.imbalance();
    terms_ = std::max(terms_, now.kinetic_energy + std::abs(now.potential_energy) + std::abs(now.work));
    const auto grow = [](double& worst, double here) { worst = std::max(worst, here); };
    grow(account_.imbalance, std::abs(now.imbalance));
    grow(account_.energy, std::abs(now.energy() - account_.first_energy));
    grow(account_.linear, length(now.momentum.f - first_momentum_.f));
    grow(account_.angular, length(now.momentum.m - first_momentum_.m));
    grow(account_.violation, now.violation);
    grow(account_.violation_rate, now.violation_rate);
  }

  /// Impacts at the moment of the last look.
  void jump(double lost)
  {
    balance_.jump(lost);
    account_.lost += lost;
    terms_ = std::max(terms_, account_.lost);
  }
  void count_impact() { ++account_.impacts; }

  /// Learn from the same moment found in another way; a part of the difference of the energies is an error of the steps.
  void compare(Moment& now, Moment& other, double part)
  {
    measure(now);
    measure(other);
    errors_ += part * std::abs(other.energy() - now.energy());
  }

  /// By how much the energy may be out of balance: errors of the steps, of the work, and of rounding in each of them.
  double bound() const
  {
    const double u = std::ldexp(1.0, -53);
    return errors_ + balance_.doubt() + (rounding<double>(bodies_) + static_cast<double>(looks_) * u) * terms_;
  }

  SimulationAccount account() const
  {
    SimulationAccount all = account_;
    all.bound = bound();
    all.limits = limits_.passed;
    return all;
  }

private:
  void measure(Moment& now)
  {
    kinematics_(now.q, now.qd);
    elements_(kinematics_, now.q, now.qd, now.t);
    now.kinetic_energy = kinematics_.kinetic_energy() + elements_.rotor_energy(now.qd);
    now.potential_energy = kinematics_.potential_energy(machine_.gravity) + elements_.potential();
    now.momentum = kinematics_.momentum();
  }

  const SimulatedMachine& machine_;
  ForwardKinematics<double> kinematics_;
  Loops<double> loops_;
  ForceElements<double> elements_;
  EnergyBalance balance_;
  Limits limits_;
  SimulationAccount account_;
  Wrench<double> first_momentum_;
  int bodies_;
  long looks_ = 0;
  double terms_ = 0, errors_ = 0;
};

/// The times at which singular positions were passed: where the distance from them has a minimum that is as good as zero.
class SingularTimes {
public:
  std::vector<double> times;

  SingularTimes(const Model<double>& model, ClosedMotion<double>& closed) : model_(model), closed_(closed) {}

  /// After each step.
  void look(double t, const VectorX<double>& q, const VectorX<double>& qd)
  {
    if (closed_.rank() <= 0) return;
    points_.push_back({t, q, qd, closed_.distance_from_singular(q)});
    if (points_.size() < 3) return;
    if (points_[0].distance > points_[1].distance && points_[1].distance <= points_[2].distance) search();
    points_.erase(points_.begin());
  }

private:
  struct Point {
    double t;
    VectorX<double> q, qd;
    double distance;
  };

  /// By golden sections of the two steps that end at the last three points.
  void search()
  {
    const double golden = (std::sqrt(5.0) - 1) / 2;
    double from = points_[0].t, to = points_[2].t;
    double early = to - golden * (to - from), late = from + golden * (to - from);
    double at_early = distance(early), at_late = distance(late);
    for (int k = 0; k < 40; ++k) {
      if (std::min(at_early, at_late) < closed_.singular_distance()) {
        times.push_back(at_early < at_late ? early : late);
        return;
      }
      if (at_early < at_late) {
        to = std::exchange(late, early);
        at_late = at_early;
        at_early = distance(early = to - golden * (to - from));
      } else {
        from = std::exchange(early, late);
        at_early = at_late;
        at_late = distance(late = from + golden * (to - from));
      }
    }
  }

  /// At a time between two points, on the cubic that has their places and rates.
  double distance(double t)
  {
    const Point &start = t < points_[1].t ? points_[0] : points_[1], &end = t < points_[1].t ? points_[1] : points_[2];
    const double h = end.t - start.t, s = (t - start.t) / h, rest = 1 - s;
    const VectorX<double> way = displacement(model_, start.q, end.q);
    VectorX<double> rates = end.qd;
    pull_back_rates(model_, way, rates);
    const VectorX<double> theta = s * s * (3 - 2 * s) * way + h * s * rest * (rest * start.qd - s * rates);
    return closed_.distance_from_singular(displaced(model_, start.q, theta));
  }

  const Model<double>& model_;
  ClosedMotion<double>& closed_;
  std::vector<Point> points_;
};

// What moves it.

/// One of the integrators, with forces and loops.
class Stepper {
public:
  Stepper(const SimulatedMachine& machine, const SimulationOptions& options)
      : machine_(machine),
        elements_(machine.model, machine.elements),
        all_Fext_(machine.Fext),
        variational_(options.integrator == "variational"),
        implicit_(options.integrator == "radau"),
        pulled_(options.stabilisation == "baumgarte"),
        rates_(options.stabilisation == "rates"),
        coordinates_(options.stabilisation == "project"),
        runge_kutta_(machine.model),
        radau_(machine.model),
        symplectic_(machine.model, machine.loops),
        closed_(machine.model, machine.loops),
        stopped_(machine.model, closed_, machine.stops, options.tolerance)
  {
    symplectic_.set_gravity(machine.gravity);
    closed_.set_gravity(machine.gravity);
    symplectic_.set_armature(elements_.armature);
    closed_.set_armature(elements_.armature);
    if (!elements_.Fext.empty()) all_Fext_.resize(elements_.Fext.size());
  }

  /// How often forces were asked for.
  long evaluations() const { return evaluations_; }
  int order() const { return variational_ ? 2 : implicit_ ? 5 : 4; }
  ClosedMotion<double>& closed() { return closed_; }
  const StoppedMotion<double>& stopped() const { return stopped_; }

  /// Decide the rank of the loops, and close what is open, as far as that is wanted.
  void begin(VectorX<double>& q, VectorX<double>& qd, double h)
  {
    closed_.begin(q, qd, h);
    if (pulled_) closed_.set_pull(1 / h);
    settle(q, qd);
  }

  void step(VectorX<double>& q, VectorX<double>& qd, double t, double h)
  {
    if (variational_) {
      const VectorX<double> before = machine_.forces(t), after = machine_.forces(t + h);
      symplectic_.step_under(
          q, qd, t, h,
          [&](const Recursion<double>& moved, const VectorX<double>& at, const VectorX<double>& rates,
              double time) -> const VectorX<double>& {
            ++evaluations_;
            elements_(moved, at, rates, time);
            return all_tau_ = (time == t ? before : after) + elements_.joint_forces(moved);
          },
          machine_.Fext);
      return;
    }
    if (implicit_)
      radau_.step(q, qd, t, h, accelerations_, settle_);
    else
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

  /// What happens at once where steps that find their length begin.
  template <typename Pair>
  void begin(AdaptiveMotion<double, Pair>& motion)
  {
    stopped_.begin(motion, accelerations_);
  }

  /// A step that finds its length, and ends where something is met.
  template <typename Pair>
  void step(AdaptiveMotion<double, Pair>& motion)
  {
    closed_.set_step(motion.next_length());
    stopped_.step(motion, accelerations_, settle_,
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

  const SimulatedMachine& machine_;
  ForceElements<double> elements_;
  ExternalWrenches<double> all_Fext_;  ///< given ones and those of the elements
  VectorX<double> all_tau_;
  bool variational_, implicit_, pulled_, rates_, coordinates_;
  long evaluations_ = 0;
  double distance_ = 0;  ///< from a singular position, of the last that was looked at
  RungeKuttaMuntheKaas<double> runge_kutta_;
  RadauMuntheKaas<double> radau_;
  VariationalIntegrator<double> symplectic_;
  ClosedMotion<double> closed_;
  StoppedMotion<double> stopped_;
  const std::function<const VectorX<double>&(const VectorX<double>&, const VectorX<double>&, double)> accelerations_ =
      [this](const VectorX<double>& q, const VectorX<double>& qd, double t) -> const VectorX<double>& {
    require_finite(q, qd);
    ++evaluations_;
    return closed_.accelerations_under(q, qd, [&](const Recursion<double>& moved) {
      elements_(moved, q, qd, t);
      all_tau_ = machine_.forces(t) + elements_.tau;
      for (std::size_t i = 0; i < elements_.Fext.size(); ++i)
        all_Fext_[i] = machine_.Fext.empty() ? elements_.Fext[i] : machine_.Fext[i] + elements_.Fext[i];
      return std::tie(all_tau_, all_Fext_);
    });
  };
  const std::function<void(VectorX<double>&, VectorX<double>&)> settle_ =
      [this](VectorX<double>& q, VectorX<double>& qd) { settle(q, qd); };
};

// From the first step to the last.

class Simulation {
public:
  Simulation(const SimulatedMachine& machine, const SimulationOptions& options, const VectorX<double>& q,
             const VectorX<double>& qd, Onlooker& onlooker)
      : machine_(machine),
        options_(options),
        option_(options.speech),
        onlooker_(onlooker),
        steps_(number_of_steps(options)),
        every_(options.every),
        h_(steps_ > 0 ? options.duration / static_cast<double>(steps_) : options.step),
        observer_(machine),
        stepper_(machine, options),
        singular_(machine.model, stepper_.closed()),
        now_{0, q, qd}
  {
    require_few_numbers(machine, options, steps_);
  }

  SimulationAccount run()
  {
    try {
      stepper_.begin(now_.q, now_.qd, h_);
      observer_.look(now_);
      singular_.look(now_.t, now_.q, now_.qd);
      onlooker_.begin({h_, steps_, stepper_.closed().rank()});
      onlooker_.row(now_);
      if (options_.tolerance == 0)
        by_equal_steps();
      else if (options_.integrator == "radau")
        by_tolerance<RadauMuntheKaas<double>>();
      else
        by_tolerance<DormandPrinceMuntheKaas<double>>();
    } catch (const SizeError&) {
      throw;
    } catch (const StateError& error) {
      throw SimulationStopped(
          "the simulation stops after t = " + shown(now_.t) + " s, where " +
              (options_.tolerance > 0 ? "another " + option_("tolerance") : "a shorter " + option_("step")) +
              " may help: " + error.what(),
          now_.t, error.what(), account());
    }
    return account();
  }

private:
  SimulationAccount account() const
  {
    SimulationAccount all = observer_.account();
    all.steps = taken_;
    all.evaluations = stepper_.evaluations() - compared_;
    all.singular_positions = singular_.times;
    all.warning = warning_;
    return all;
  }

  void by_equal_steps()
  {
    Moment before = now_;
    for (long k = 1; k <= steps_; ++k) {
      Moment next = now_;
      stepper_.look_ahead(now_.q);
      stepper_.step(next.q, next.qd, now_.t, h_);
      next.t = time_of(k);
      singular_.look(next.t, next.q, next.qd);
      observer_.look(next);
      // Two of eight steps are made once more as one.
      if (k % 8 == 2) compare(next, before);
      if (k % 8 == 0) before = next;
      if (k % 2 == 0) require_balance(next);
      now_ = next;
      if (k % every_ == 0 || k == steps_) onlooker_.row(now_);
      end_step();
    }
  }

  template <typename Pair>
  void by_tolerance()
  {
    AdaptiveMotion<double, Pair> motion(machine_.model, now_.q, now_.qd, options_.tolerance, options_.duration);
    stepper_.begin(motion);
    tell_events();
    long k = 1;
    while (motion.t < options_.duration) {
      stepper_.step(motion);
      singular_.look(motion.t, motion.q, motion.qd);
      for (; k < steps_ && time_of(k) < motion.t; ++k) {
        if (k % every_ != 0) continue;
        Moment between{time_of(k), {}, {}};
        motion.at(between.t, between.q, between.qd);
        stepper_.settle(between.q, between.qd);
        observer_.look(between);
        onlooker_.row(between);
      }
      // How good the step was that was made, of which a part is left where something was met.
      Moment whole{motion.end_of_step(), {}, {}}, rival = whole;
      motion.at(whole.t, whole.q, whole.qd);
      stepper_.settle(whole.q, whole.qd);
      motion.rival(rival.q, rival.qd);
      observer_.compare(whole, rival, 1);
      if (!stepper_.stopped().events.empty()) {
        Moment met{motion.t, motion.q, stepper_.stopped().qd_before};
        observer_.look(met);
        tell_events();
      }
      Moment next{motion.t, motion.q, motion.qd};
      observer_.look(next);
      require_balance(next);
      now_ = next;
      if (k < steps_ && time_of(k) == now_.t && k++ % every_ == 0) onlooker_.row(now_);
      end_step();
    }
    if (steps_ > 0) onlooker_.row(now_);
  }

  /// Tell what was met at the moment of the last look, and what it took.
  void tell_events()
  {
    const StoppedMotion<double>& stopped = stepper_.stopped();
    if (stopped.events.empty()) return;
    observer_.jump(stopped.lost);
    for (const StopEvent<double>& one : stopped.events) {
      using Kind = StopEvent<double>;
      const char* what = one.kind == Kind::impact ? "impact" : one.kind == Kind::rest ? "rest" : "leave";
      if (one.kind == Kind::impact) observer_.count_impact();
      onlooker_.event({one.t, stopped.stops().name_of_row(one.row), what, one.impulse, one.before, one.after});
    }
  }

  double time_of(long k) const { return options_.duration * (static_cast<double>(k) / static_cast<double>(steps_)); }

  void end_step()
  {
    ++taken_;
    onlooker_.step(now_, now_.t / options_.duration);
  }

  /// What one step of twice the length makes of the last two, instead of eight.
  void compare(Moment& next, const Moment& before)
  {
    Moment other = before;
    const long evaluations = stepper_.evaluations();
    try {
      stepper_.step(other.q, other.qd, before.t, 2 * h_);
      observer_.compare(next, other, 4 / (std::ldexp(1.0, stepper_.order()) - 1));
    } catch (const StateError&) {
      // Too long a step tells nothing.
    }
    compared_ += stepper_.evaluations() - evaluations;
  }

  void require_balance(const Moment& moment)
  {
    if (std::abs(moment.imbalance) <= 100 * observer_.bound()) return;
    const std::string sentence = out_of_balance(moment);
    if (!options_.ignore_imbalance) throw StateError(sentence);
    if (warning_.empty()) warning_ = sentence;
  }

  std::string out_of_balance(const Moment& moment) const
  {
    std::ostringstream text;
    text.precision(3);
    text << "the energy is out of balance by " << moment.imbalance << " J at t = " << moment.t
         << " s, more than a hundred times what the steps are good for, " << observer_.bound() << " J; ";
    if (moment.violation > 1e-6)
      text << "the likely reason is that the loops are open, by " << moment.violation << " m or rad.";
    else if (!singular_.times.empty())
      text << "the likely reason is the singular position at t = " << singular_.times.back() << " s.";
    else
      text << "the likely reason is a motion too fast for the step, or forces that jump.";
    text << ' ' << option_.flag("ignore-imbalance") << " goes on.";
    return text.str();
  }

  const SimulatedMachine& machine_;
  const SimulationOptions& options_;
  const Option option_;
  Onlooker& onlooker_;
  const long steps_, every_;
  const double h_;
  Observer observer_;
  Stepper stepper_;
  SingularTimes singular_;
  Moment now_;
  long taken_ = 0, compared_ = 0;  // steps, and evaluations of those that were made for comparison
  std::string warning_;
};

}  // namespace

long number_of_steps(const SimulationOptions& options)
{
  const Option option(options.speech);
  if (!(options.step > 0) || !std::isfinite(options.step))
    throw Error(option("step") + " is " + shown(options.step) + " where a positive number of seconds is needed.");
  if (!(options.duration >= 0) || !std::isfinite(options.duration))
    throw Error(option("duration") + " is " + shown(options.duration) +
                " where a number of seconds, not below 0, is needed.");
  if (options.every < 1)
    throw Error(option("every") + " is " + std::to_string(options.every) +
                "; it takes each step with 1, each tenth with 10.");
  // A quotient that is a whole number but for rounding is that number.
  const double steps = std::ceil(options.duration / options.step * (1 - 1e-12));
  if (steps > 1e9)
    throw Error(option("duration") + " " + shown(options.duration) + " by " + option("step") + " " +
                shown(options.step) + " makes " + shown(steps) + " steps, more than 1e+09; take a longer step.");
  if (options.tolerance != 0 && !(options.tolerance > 0 && std::isfinite(options.tolerance)))
    throw Error(option("tolerance") + " is " + shown(options.tolerance) + " where a positive number is needed.");
  require_one_of("integrator", options.integrator, {"rk4", "radau", "variational"});
  require_one_of("stabilisation", options.stabilisation, {"none", "baumgarte", "rates", "project"});
  if (options.integrator == "variational" && options.tolerance != 0)
    throw Error(option("tolerance") +
                " is for rk4 and radau; the steps of a variational integrator are of one length.");
  if (options.integrator == "variational" && options.stabilisation != "project")
    throw Error(option.word("stabilisation", options.stabilisation) +
                " is for rk4 and radau; a variational step closes the loops by its own equations.");
  if (options.tolerance != 0 && options.stabilisation == "baumgarte")
    throw Error(option.word("stabilisation", "baumgarte") + " takes its constants from a step of one length; leave " +
                option("tolerance") + " out, or take project.");
  return static_cast<long>(steps);
}

SimulationAccount simulate(const SimulatedMachine& machine, const SimulationOptions& options, const VectorX<double>& q,
                           const VectorX<double>& qd, Onlooker& onlooker)
{
  if (!machine.stops.empty() && !(options.tolerance > 0))
    throw Error("Stops are met by steps that find their length; give " + Option(options.speech)("tolerance", "1e-9") +
                ", or another one.");
  return Simulation(machine, options, q, qd, onlooker).run();
}

}  // namespace articulate
