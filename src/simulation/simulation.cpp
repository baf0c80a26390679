#include "simulation.hpp"
#include <algorithm>
#include <cmath>
#include <limits>
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

/// The times at which forces may have corners (s), increasing: between the rows of a table they are linear.
std::vector<double> corners_of(const SimulatedMachine& machine)
{
  std::vector<double> times = machine.corners;
  for (const ForceElement& element : machine.elements)
    std::visit(
        [&](const auto& one) {
          if constexpr (requires { one.force.times; })
            times.insert(times.end(), one.force.times.begin(), one.force.times.end());
        },
        element);
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
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
      opening_ = loops_.A * now.qd;
      now.violation_rate = largest(opening_);
      fastest_ = std::max(fastest_, largest(now.qd));
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

  /// Impacts at the moment of the last look, or a corner of the forces, where nothing is lost.
  void jump(double lost)
  {
    balance_.jump(lost);
    account_.lost += lost;
    terms_ = std::max(terms_, account_.lost);
  }
  void count_impact() { ++account_.impacts; }

  /// By how much the energy differs at the same moment found in another way.
  double difference(Moment now, Moment other)
  {
    measure(now);
    measure(other);
    return std::abs(other.energy() - now.energy());
  }

  /// By how much the imbalance may be wrong: by errors of the work, and by rounding of each step and of its energy.
  double doubt() const { return balance_.doubt() + static_cast<double>(looks_) * rounding_of_energy(); }
  double rounding_of_energy() const { return rounding<double>(bodies_) * terms_; }
  double terms() const { return terms_; }  ///< what the energy is the sum of at most, by magnitude (J)

  /** Whether loops are open at the last look, or open there, by more than rounding.
   *  \param gain  rates that have cancelled within the step, besides the largest that were seen: at rest all are rounding
   */
  bool is_open(double gain) const
  {
    const VectorX<double> rates = VectorX<double>::Constant(loops_.A.cols(), fastest_ + gain);
    const VectorX<double> slack = rounding_of_rates<double>(loops_.A, rates);
    // What a problem of condition 1000 leaves of rounding, as where ranks are decided.
    for (int row = 0; row < loops_.rows(); ++row)
      if (std::abs(loops_.violation(row)) > 1e3 * loops_.rounding_of_row(row) ||
          std::abs(opening_(row)) > 1e3 * slack(row))
        return true;
    return false;
  }

  /// Whether what is known of the work at the beginning is final.
  bool settled() const { return balance_.settled(); }
  long looks() const { return looks_; }

  SimulationAccount account() const
  {
    SimulationAccount all = account_;
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
  VectorX<double> opening_;  ///< of each row of the loops, at the last look
  double fastest_ = 0;       ///< the largest rate so far
  double terms_ = 0;
};

/// What the steps may have made of the energy: as much as it changes where the steps are twice as long.
class StepErrors {
public:
  /// Whether two steps with this defect of the energy are no worse than those that were made again last.
  bool explain(double defect) const { return defect <= of_two_; }

  /// What was learned from two steps: by how much the energy differs where they are made in another length.
  void learn(double difference) { of_two_ = difference; }

  /// And how their own defect compares with it, which shows the order.
  void compare(double defect, double difference)
  {
    if (defect == 0) return;
    ++compared_;
    defects_ += defect;
    differences_ += difference;
  }

  void count() { sum_ += of_two_; }                                            ///< two steps, or the one at the end
  void count(double difference) { sum_ += difference; }                        ///< a step with an estimate of its own
  void pass(double difference) { passing_ = std::max(passing_, difference); }  ///< an error that no later moment has

  double sum() const { return sum_ + passing_; }
  double of_two() const { return of_two_; }  ///< the last two steps

  /// One step of twice the length has 2^p times the defect of the two; infinite, as long as all is rounding.
  double order() const
  {
    return compared_ > 0 ? std::log2(1 + differences_ / defects_) : std::numeric_limits<double>::infinity();
  }
  long compared() const { return compared_; }

private:
  double of_two_ = 0, sum_ = 0, passing_ = 0, defects_ = 0, differences_ = 0;
  long compared_ = 0;
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
        model_(machine.model.with_rotors(elements_.armature)),
        all_Fext_(machine.Fext),
        variational_(options.integrator == "variational"),
        implicit_(options.integrator == "radau"),
        pulled_(options.stabilisation == "baumgarte"),
        rates_(options.stabilisation == "rates"),
        coordinates_(options.stabilisation == "project"),
        runge_kutta_(model_),
        radau_(model_),
        symplectic_(model_, machine.loops),
        closed_(model_, machine.loops),
        free_(model_, {}),
        stopped_(model_, closed_, machine.stops, options.tolerance)
  {
    symplectic_.set_gravity(machine.gravity);
    closed_.set_gravity(machine.gravity);
    free_.set_gravity(machine.gravity);
    symplectic_.set_armature(elements_.armature);
    closed_.set_armature(elements_.armature);
    free_.set_armature(elements_.armature);
    if (!elements_.Fext.empty()) all_Fext_.resize(elements_.Fext.size());
  }

  /// The order of steps of one length; of implicit ones that which they have in stiff motions too.
  int least_order() const { return variational_ ? 2 : implicit_ ? 3 : 4; }

  /// Beyond which product of its length and its rate a step makes grow what should settle or swing.
  double stable_until() const
  {
    return passes_over_stiffness() ? std::numeric_limits<double>::infinity() : variational_ ? 2 : 2.78;
  }
  bool passes_over_stiffness() const { return implicit_; }
  bool is_symplectic() const { return variational_; }

  /// The largest rate (1/s) at which a small change of a state settles or swings, by the power method; 0 where that is
  /// less than ten times as fast as the machine moves.
  double stiff_rate(const VectorX<double>& q, const VectorX<double>& qd)
  {
    const Eigen::Index n = qd.size();
    const double d = std::ldexp(1.0, -26);
    const int rounds = 40;
    double sum = 0, own = 0;
    try {
      const VectorX<double> here = accelerations_(q, qd, 0);
      own = std::max(largest(qd), std::sqrt(largest(here)));
      VectorX<double> x = VectorX<double>::LinSpaced(2 * n, 1, 2), y(2 * n);
      for (int k = 0; k < rounds; ++k) {
        x /= x.norm();
        y << x.tail(n),
            (accelerations_(displaced(machine_.model, q, VectorX<double>(d * x.head(n))), qd + d * x.tail(n), 0) -
             here) /
                d;
        if (k >= rounds / 2) sum += std::log(y.norm());
        x = y;
      }
    } catch (const StateError&) {
      return 0;
    }
    const double rate = std::exp(sum / (rounds / 2));
    return rate > 10 * own ? rate : 0;
  }

  /// The largest acceleration that there would be without loops.
  double free_acceleration(const VectorX<double>& q, const VectorX<double>& qd, double t)
  {
    return largest(accelerations_of(free_, q, qd, t));
  }

  /// Whether steps end where no loop is open or opens.
  bool closes() const { return variational_ || coordinates_; }

  /// Whether the loops have lost a part of their rank, or nearly.
  bool is_singular(const VectorX<double>& q)
  {
    return closed_.rank() > 0 && closed_.distance_from_singular(q) < closed_.singular_distance();
  }

  /// How often forces were asked for.
  long evaluations() const { return evaluations_; }
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
    const bool is_here = closed_.rank() > 0 && distance < closed_.singular_distance();
    if (is_here || distance < 1.5 * (last - distance))
      throw StateError(std::string("a singular position ") + (is_here ? "is here" : "lies ahead") +
                       ", where the loops lose a part of their rank " + std::to_string(closed_.rank()) +
                       "; a variational step does not pass it, but rk4 does.");
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
  const VectorX<double>& accelerations_of(ClosedMotion<double>& motion, const VectorX<double>& q,
                                          const VectorX<double>& qd, double t)
  {
    require_finite(q, qd);
    ++evaluations_;
    return motion.accelerations_under(q, qd, [&](const Recursion<double>& moved) {
      elements_(moved, q, qd, t);
      all_tau_ = machine_.forces(t) + elements_.tau;
      for (std::size_t i = 0; i < elements_.Fext.size(); ++i)
        all_Fext_[i] = machine_.Fext.empty() ? elements_.Fext[i] : machine_.Fext[i] + elements_.Fext[i];
      return std::tie(all_tau_, all_Fext_);
    });
  }

  static void require_finite(const VectorX<double>& q, const VectorX<double>& qd)
  {
    if (!q.allFinite() || !qd.allFinite()) throw StateError("the coordinates are no finite numbers any more.");
  }

  const SimulatedMachine& machine_;
  ForceElements<double> elements_;
  Model<double> model_;                ///< with the rotors of the elements
  ExternalWrenches<double> all_Fext_;  ///< given ones and those of the elements
  VectorX<double> all_tau_;
  bool variational_, implicit_, pulled_, rates_, coordinates_;
  long evaluations_ = 0;
  double distance_ = 0;  ///< from a singular position, of the last that was looked at
  RungeKuttaMuntheKaas<double> runge_kutta_;
  RadauMuntheKaas<double> radau_;
  VariationalIntegrator<double> symplectic_;
  ClosedMotion<double> closed_, free_;  ///< with the loops, and without
  StoppedMotion<double> stopped_;
  const std::function<const VectorX<double>&(const VectorX<double>&, const VectorX<double>&, double)> accelerations_ =
      [this](const VectorX<double>& q, const VectorX<double>& qd, double t) -> const VectorX<double>& {
    return accelerations_of(closed_, q, qd, t);
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
        corners_(corners_of(machine)),
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
      if (options_.tolerance == 0)
        by_equal_steps();
      else if (options_.integrator == "radau")
        by_tolerance<RadauMuntheKaas<double>>();
      else
        by_tolerance<DormandPrinceMuntheKaas<double>>();
    } catch (const SizeError&) {
      throw;
    } catch (const Untrusted& error) {
      stop(error.what());
    } catch (const StateError& error) {
      stop(error.what() + hint(error.what()));
    }
    return account();
  }

private:
  struct Untrusted : StateError {
    using StateError::StateError;
  };

  [[noreturn]] void stop(const std::string& why) const
  {
    throw SimulationStopped(
        "the simulation stops after t = " + shown(now_.t) + " s, where " +
            (options_.tolerance > 0 ? "another " + option_("tolerance") : "a shorter " + option_("step")) +
            " may help: " + why,
        now_.t, why, account());
  }

  SimulationAccount account() const
  {
    SimulationAccount all = observer_.account();
    all.bound = bound();
    all.steps = taken_;
    all.evaluations = stepper_.evaluations() - compared_;
    all.singular_positions = singular_.times;
    all.warning = warning_;
    all.corners_inside = corners_inside();
    return all;
  }

  /// How many corners of forces lie inside steps of one length, beyond rounding.
  long corners_inside() const
  {
    if (options_.tolerance > 0) return 0;
    return std::count_if(corners_.begin(), corners_.end(), [&](double t) {
      const double k = t / h_;
      return 0 < t && t < options_.duration && std::abs(k - std::round(k)) > rounding<double>(1) * k;
    });
  }

  void look_first()
  {
    observer_.look(now_);
    singular_.look(now_.t, now_.q, now_.qd);
    first_ = now_;
    onlooker_.begin({h_, steps_, stepper_.closed().rank()});
  }

  void by_equal_steps()
  {
    look_first();
    onlooker_.row(now_);
    Moment before = now_;
    for (long k = 1; k <= steps_; ++k) {
      Moment next = now_;
      stepper_.look_ahead(now_.q);
      stepper_.step(next.q, next.qd, now_.t, h_);
      next.t = time_of(k);
      singular_.look(next.t, next.q, next.qd);
      observer_.look(next);
      if (k == 1) errors_.count(unseen(next));
      if (k % 2 == 0 || k == steps_) {
        judge(before, next, k);
        require_trust(next, k == steps_);
        before = next;
      }
      now_ = next;
      if (k % every_ == 0 || k == steps_) onlooker_.row(now_);
      end_step();
    }
  }

  bool is_corner(double t) const { return std::binary_search(corners_.begin(), corners_.end(), t); }

  /// Look at a time within the last step.
  template <typename Pair>
  Moment look_between(const AdaptiveMotion<double, Pair>& motion, double t)
  {
    Moment between{t, {}, {}}, rough = between;
    motion.at(t, between.q, between.qd);
    motion.roughly_at(t, rough.q, rough.qd);
    const double roughly = observer_.difference(between, rough);
    stepper_.settle(between.q, between.qd);
    errors_.pass(roughly + of_opening(between));
    observer_.look(between);
    return between;
  }

  template <typename Pair>
  void by_tolerance()
  {
    AdaptiveMotion<double, Pair> motion(machine_.model, now_.q, now_.qd, options_.tolerance, options_.duration);
    motion.end_steps_at(corners_);
    // The account begins with the rates before the first impacts, the rows with those after them.
    stepper_.begin(motion);
    now_.q = motion.q;
    look_first();
    if (!stepper_.stopped().events.empty()) {
      tell_events();
      now_.qd = motion.qd;
      observer_.look(now_);
    }
    onlooker_.row(now_);
    long k = 1;
    while (motion.t < options_.duration) {
      stepper_.step(motion);
      singular_.look(motion.t, motion.q, motion.qd);
      // Behind a corner of the power only looks behind it count, of which a step has to give enough.
      const double start = motion.start_of_step();
      for (int part = 1; part <= 4; ++part) {
        const double until = part < 4 ? start + (motion.t - start) * part / 4 : motion.t;
        for (; k < steps_ && time_of(k) < until; ++k)
          if (k % every_ == 0) onlooker_.row(look_between(motion, time_of(k)));
        if (part < 4 && is_corner(start)) look_between(motion, until);
      }
      // How good the step was that was made, of which a part is left where something was met.
      Moment whole{motion.end_of_step(), {}, {}}, rival = whole;
      motion.at(whole.t, whole.q, whole.qd);
      stepper_.settle(whole.q, whole.qd);
      motion.rival(rival.q, rival.qd);
      errors_.count(observer_.difference(whole, rival));
      if (!stepper_.stopped().events.empty()) {
        Moment met{motion.t, motion.q, stepper_.stopped().qd_before};
        observer_.look(met);
        tell_events();
      }
      Moment next{motion.t, motion.q, motion.qd};
      observer_.look(next);
      if (is_corner(next.t)) {
        observer_.jump(0);
        observer_.look(next);
      }
      errors_.pass(of_opening(next));
      require_trust(next, motion.t == options_.duration);
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
    if (stopped.lost < -observer_.rounding_of_energy())
      refuse("impacts at t = " + shown(stopped.events.front().t) + " s add " + shown(-stopped.lost) +
             " J, where none can; the likely reason is a restitution above 1");
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

  /// Learn from the last two steps, or from one at the end, what steps of another length make of the energy.
  void judge(const Moment& before, const Moment& next, long k)
  {
    // What the account has seen of their errors, and what it cannot have seen.
    const double doubt = observer_.doubt(), unsure = doubt - std::exchange(doubt_, doubt);
    const double defect =
        std::max(0.0, std::abs(next.imbalance - before.imbalance) - unsure - observer_.rounding_of_energy());
    const bool alone = k % 2 == 1;
    const long evaluations = stepper_.evaluations();
    if (k % 8 == 2 || alone || !errors_.explain(defect)) {
      double found = -1;
      Moment other = before;
      if (!alone && make(other, 1, 2 * h_)) {
        found = observer_.difference(next, other);
        if (!(found <= observer_.terms()))
          found = -1;  // too long a step tells nothing
        else if (observer_.settled())
          errors_.compare(defect, found);
      }
      // Half of the error is left where steps are half as long.
      if (found < defect && make(other = before, alone ? 2 : 4, h_ / 2))
        found = std::max(found, 2 * observer_.difference(next, other));
      if (found >= 0) errors_.learn(found);
    }
    errors_.count();
    const bool in_question = errors_.order() < least_order() && order_ < least_order() && examined_ < 3;
    if (in_question && (k == steps_ || (k % 8 == 2 && errors_.compared() >= 8))) {
      ++examined_;
      order_ = std::max(order_, order_after(before));
    }
    compared_ += stepper_.evaluations() - evaluations;
  }

  /// What an implicit step that begins beside a stiff equilibrium has passed over: it settles within the first step, and
  /// no state shows its work, which is at most what that step has changed.
  double unseen(const Moment& next)
  {
    const bool passes = stepper_.passes_over_stiffness() && h_ * stiff_rate() > 1;
    return passes ? std::abs(next.energy() - first_.energy()) : 0;
  }

  /// By how much the energy would change if loops were closed that may be open.
  double of_opening(const Moment& now)
  {
    if (stepper_.closes() || stepper_.closed().rank() <= 0) return 0;
    Moment closed = now;
    try {
      stepper_.closed().settle(closed.q, closed.qd);
    } catch (const StateError&) {
      return 0;
    }
    return observer_.difference(now, closed);
  }

  /// Make steps of another length; false where they cannot be made.
  bool make(Moment& moment, int steps, double h)
  {
    try {
      for (int k = 0; k < steps; ++k) stepper_.step(moment.q, moment.qd, moment.t + k * h, h);
      return true;
    } catch (const StateError&) {
      return false;
    }
  }

  /// The best order that two steps show, made as one, two, four and more; infinite where all is rounding.
  double order_after(const Moment& before)
  {
    const double infinity = std::numeric_limits<double>::infinity();
    double best = -infinity, wider = 0;
    Moment rough = before;
    for (int steps = 1; steps <= 64; steps *= 2) {
      Moment fine = before;
      if (!make(fine, steps, 2 * h_ / steps)) break;
      const double way = largest(displacement(machine_.model, rough.q, fine.q)) / h_;
      const double apart = std::max(way, largest(fine.qd - rough.qd));
      if (apart <= rank_tolerance<double>(machine_.model.nv()) * std::max(1 / h_, largest(fine.qd))) break;
      if (steps > 2) best = std::max(best, std::log2(wider / apart));
      wider = apart;
      rough = fine;
    }
    return best > -infinity ? best : infinity;
  }

  double least_order() const { return stepper_.least_order() - 0.5; }
  double bound() const { return errors_.sum() + observer_.doubt(); }

  /// Refuse a motion whose account does not hold.
  void require_trust(const Moment& now, bool at_end)
  {
    const std::string doubt = what_is_wrong(now, at_end);
    if (doubt.empty()) {
      sound_ = observer_.looks();
      return;
    }
    // Where the power jumps the doubt comes some looks later.
    if (!at_end && observer_.looks() - sound_ < static_cast<long>(EnergyBalance::window)) return;
    refuse(doubt + "; the likely reason is " + likely_reason(now));
  }

  void refuse(const std::string& objection)
  {
    const std::string sentence = objection + ". " + option_.flag("ignore-imbalance") + " goes on.";
    if (!options_.ignore_imbalance) throw Untrusted(sentence);
    if (warning_.empty()) warning_ = sentence;
  }

  /// A sentence without its end, or nothing.
  std::string what_is_wrong(const Moment& now, bool at_end)
  {
    std::ostringstream text;
    text.precision(3);
    const double imbalance = at_end ? observer_.account().imbalance : std::abs(now.imbalance);
    // Errors of symplectic steps swing and do not add up.
    const double good_for = stepper_.is_symplectic() ? errors_.of_two() : bound();
    if (!(imbalance <= bound()))
      text << "the energy is out of balance by " << imbalance << " J at t = " << now.t
           << " s, more than what the steps are good for, " << bound() << " J";
    else if (!(std::max(2 * imbalance, good_for) <= observer_.terms()))
      text << "the energy is wrong by " << imbalance << " J at t = " << now.t << " s, the steps are good for "
           << good_for << " J, and all energies are " << observer_.terms() << " J";
    else if (order_ < least_order() && (examined_ == 3 || (examined_ > 0 && at_end)))
      text << "steps of this length and of parts of it show the order " << order_ << " at t = " << now.t
           << " s, instead of " << stepper_.least_order();
    else if (stepper_.closes() && opens(now) && !stepper_.is_singular(now.q))
      text << "the loops are open by " << now.violation << " (m or rad) and open at " << now.violation_rate
           << " (m/s or rad/s) at t = " << now.t << " s, and should not after a step that closes them";
    return text.str();
  }

  /// Whether the last step has left loops open. It adds to the rates what would be gained without loops, and what the
  /// loops take of it; of both together rounding is left.
  bool opens(const Moment& now)
  {
    if (!observer_.is_open(0)) return false;
    const long evaluations = stepper_.evaluations();
    const double gain = (now.t - now_.t) * stepper_.free_acceleration(now.q, now.qd, now.t);
    compared_ += stepper_.evaluations() - evaluations;
    return observer_.is_open(gain);
  }

  std::string likely_reason(const Moment& now)
  {
    if (now.violation > 1e-6) return "that the loops are open, by " + shown(now.violation) + " m or rad";
    if (!singular_.times.empty()) return "the singular position at t = " + shown(singular_.times.back()) + " s";
    const std::string stiff = stiffness();
    if (!stiff.empty()) return stiff;
    const double rate = stiff_rate();
    if (h_ * rate > 1)
      return "that something settles within " + shown(1 / rate) + " s, between two states, where its work is not seen";
    return "a motion too fast for the step, or forces that jump";
  }

  /// Where the machine begins, is there something that steps of this length make grow? Nothing, if not.
  std::string stiffness()
  {
    const double rate = stiff_rate();
    if (!(h_ * rate > stepper_.stable_until())) return {};
    std::ostringstream text;
    text.precision(2);
    text << "stiffness: something settles within " << 1 / rate << " s, which steps of more than "
         << stepper_.stable_until() / rate << " s make grow; " << option_.word("integrator", "radau") << " does not";
    return text.str();
  }

  /// As the stepper finds it where the machine begins; 0 for steps that find their length.
  double stiff_rate()
  {
    const long evaluations = stepper_.evaluations();
    const double rate = options_.tolerance > 0 ? 0 : stepper_.stiff_rate(first_.q, first_.qd);
    compared_ += stepper_.evaluations() - evaluations;
    return rate;
  }

  /// What may be added to a refusal that does not know it.
  std::string hint(const std::string& refusal)
  {
    if (refusal.find("singular") != std::string::npos) return {};
    const std::string why =
        stepper_.is_singular(now_.q) ? "the singular position in which the machine stands" : stiffness();
    return why.empty() ? why : " The likely reason is " + why + ".";
  }

  const SimulatedMachine& machine_;
  const SimulationOptions& options_;
  const Option option_;
  Onlooker& onlooker_;
  const long steps_, every_;
  const double h_;
  const std::vector<double> corners_;
  Observer observer_;
  Stepper stepper_;
  SingularTimes singular_;
  StepErrors errors_;
  long sound_ = 0;    ///< the last look at which nothing was wrong
  double doubt_ = 0;  ///< of the account, when steps were judged last
  int examined_ = 0;  ///< how often the order was in question
  double order_ = 0;  ///< the best that steps have shown then
  Moment now_, first_;
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
  constexpr double unit = std::numeric_limits<double>::epsilon();
  if (options.tolerance != 0 && options.tolerance < unit)
    throw Error(option("tolerance") + " is " + shown(options.tolerance) + ", but numbers in double are rounded by " +
                shown(unit) + ", and errors of steps cannot stay below that; take a larger one.");
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
