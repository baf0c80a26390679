/** \file
 *  \brief A working process: phases in which joints move by quintics, evenly, or so that a point goes along a line.
 *
 *  - Paper: Ma et al. 2021, section 7.
 *  - Chapter: \ref mechanisms
 */
#pragma once
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <vector>
#include <articulate/mechanisms/linkage.hpp>
#include <articulate/model/error.hpp>
#include <articulate/model/indexed.hpp>

namespace articulate {

namespace detail {

template <typename S>
std::array<S, 6> six_zeros()
{
  return {S(0), S(0), S(0), S(0), S(0), S(0)};
}

}  // namespace detail

/// \brief How the main chain of the manipulator moves at a time: theta_1 to theta_4 (rad), d_5 (m), theta_6 (rad).
template <typename S>
struct MainMotion {
  std::array<S, 6> q = detail::six_zeros<S>(), qd = q, qdd = q;
};

/// \brief A phase as plain data; it begins where the one before ended.
struct Phase {
  /// theta_1 to theta_4 (degrees), d_5 (mm), theta_6 (degrees); what is not said stays as it was.
  using Pose = std::array<std::optional<double>, 6>;
  enum class Law {
    quintic,  ///< the arms rest at both ends, with no acceleration there; the slewing body turns evenly
    even,     ///< constant rates
    descent   ///< the end of arm 2 goes straight down at constant speed, arms 3 and 4 hang vertically
  };
  std::string about;  ///< what happens
  double until;       ///< s
  Law law;
  Pose pose{};  ///< at the end; a descent has its own, and the phase before it ends where it begins
};

/// \brief What phases need besides: the way straight down, and what hangs on the end of arm 4.
struct ProcessData {
  Phase::Pose start;  ///< the first pose; what is not said is zero
  std::vector<Phase> phases;
  double arm_1, arm_2;          ///< lengths BC and CD (m)
  double descent_x, descent_z;  ///< where the end of arm 2 begins its descent, seen from B (m)
  double descent_speed;         ///< m/s
  double load, load_from;       ///< kg, and from which time on (s)
};

/** \brief The motion of the main chain in time.
 *
 *  Times are S as well, so that derivatives of the motion can be taken by any arithmetic. At the end of a phase its own
 *  motion is given; the next one's begins just after.
 */
template <typename S>
class WorkingProcess {
public:
  /** \brief Place the phases.
   *  \throws StateError when there is none, times do not rise, a pose is no number, or the line leaves the reach of the
   *                     arms
   */
  explicit WorkingProcess(const ProcessData& data) : data_(data)
  {
    if (data.phases.empty()) throw StateError("a working process needs at least one phase; none is given.");
    require_numbers("start", data.start);
    double before = 0;
    std::array<S, 6> from = in_units(data.start, detail::six_zeros<S>());
    for (const Phase& phase : data.phases) {
      if (!(phase.until > before))
        throw StateError("phase '" + phase.about + "' ends at " + std::to_string(phase.until) +
                         " s, not after the one before; the times of phases must rise.");
      require_numbers(phase.about, phase.pose);
      Leg leg{phase.law, S(before), S(phase.until), from, in_units(phase.pose, from)};
      if (phase.law == Phase::Law::descent) {
        leg.from = descent(S(0), from[0], from[4]).q;
        leg.to = descent(leg.end - leg.begin, from[0], from[4]).q;
        if (!legs_.empty()) legs_.back().to = leg.from;
      }
      from = leg.to, before = phase.until;
      legs_.push_back(leg);
    }
  }

  double duration() const { return data_.phases.back().until; }  ///< s
  const ProcessData& data() const { return data_; }
  /// \brief The phase of a time, the first being 0; at a change the one that ends.
  /// \throws StateError for a time outside of the process
  int phase(const S& t) const
  {
    require_within(t);
    int k = 0;
    while (k + 1 < static_cast<int>(legs_.size()) && comparable(t) > comparable(legs_[k].end)) ++k;
    return k;
  }

  /// \brief Refuse a time outside of the process.   \throws StateError
  void require_within(const S& t) const
  {
    if (!(comparable(t) >= 0 && comparable(t) <= comparable(S(duration()))))
      throw StateError("t is " + std::to_string(static_cast<double>(comparable(t))) +
                       " s, outside of the process, which lasts from 0 to " + std::to_string(duration()) + " s.");
  }

  /// \brief Coordinates, rates and accelerations at a time (s).   \throws StateError for a time outside of the process
  MainMotion<S> operator()(const S& t) const { return in_phase(phase(t), t); }

  /// \brief The same by the law of one phase, which holds at its ends and goes on beyond them.
  /// \throws StateError for a time that is no number
  MainMotion<S> in_phase(int phase, const S& t) const
  {
    if (!std::isfinite(static_cast<double>(comparable(t))))
      throw StateError("t is not a finite number; the process needs a time in seconds.");
    const Leg& leg = legs_.at(static_cast<std::size_t>(phase));
    if (leg.law == Phase::Law::descent) return descent(t - leg.begin, leg.from[0], leg.from[4]);
    // [laws]
    MainMotion<S> motion;
    const S T = leg.end - leg.begin, s = (t - leg.begin) / T;
    const S quintic = s * s * s * (S(10) - S(15) * s + S(6) * s * s);
    const S rate = S(30) * s * s * (S(1) - s) * (S(1) - s) / T;
    const S acceleration = S(60) * s * (S(1) - s) * (S(1) - S(2) * s) / (T * T);
    for (std::size_t k = 0; k < motion.q.size(); ++k) {
      const S way = leg.to[k] - leg.from[k];
      const bool even = leg.law == Phase::Law::even || k == 0;  // the slewing body always turns evenly
      motion.q[k] = leg.from[k] + way * (even ? s : quintic);
      motion.qd[k] = way * (even ? S(S(1) / T) : rate);
      motion.qdd[k] = way * (even ? S(0) : acceleration);
    }
    // [laws]
    return motion;
  }

private:
  struct Leg {
    Phase::Law law;
    S begin, end;
    std::array<S, 6> from, to;
  };

  static void require_numbers(const std::string& about, const Phase::Pose& pose)
  {
    for (std::size_t k = 0; k < pose.size(); ++k)
      if (pose[k] && !std::isfinite(*pose[k]))
        throw StateError("coordinate " + std::to_string(k + 1) + " of the pose of phase '" + about +
                         "' is not a finite number.");
  }

  static std::array<S, 6> in_units(const Phase::Pose& pose, std::array<S, 6> x)
  {
    for (std::size_t k = 0; k < pose.size(); ++k)
      if (pose[k]) x[k] = k == 4 ? S(*pose[k]) / S(1000) : S(*pose[k]) * pi<S>() / S(180);
    return x;
  }

  // [descent]
  /// The end of arm 2 is at a cos(alpha) + b cos(beta), and so on; alpha and beta are the elevations of arms 1 and 2.
  MainMotion<S> descent(const S& t, const S& theta_1, const S& d_5) const
  {
    using std::cos, std::sin;
    const S a(data_.arm_1), b(data_.arm_2), v(-data_.descent_speed);
    const planar::Point<S> D{S(data_.descent_x), S(data_.descent_z) + v * t};
    if (comparable(length(D)) >= comparable(S(a + b)))
      throw StateError("the descent leaves the reach of arms 1 and 2; let it begin nearer, or lengthen them.");
    const planar::Point<S> C = pin_of_two_bars({S(0), S(0)}, a, D, b, 1);  // the elbow above
    const S alpha = direction(C), beta = direction(D - C);
    const S det = sin(beta - alpha);
    // (x, z) of the end: its rate is (0, v), its acceleration zero.
    const S alpha_d = v * sin(beta) / (a * det), beta_d = -v * sin(alpha) / (b * det);
    const S x = a * cos(alpha) * alpha_d * alpha_d + b * cos(beta) * beta_d * beta_d;
    const S z = a * sin(alpha) * alpha_d * alpha_d + b * sin(beta) * beta_d * beta_d;
    const S alpha_dd = (cos(beta) * x + sin(beta) * z) / (a * det);
    const S beta_dd = -(cos(alpha) * x + sin(alpha) * z) / (b * det);
    const S vertical = -pi<S>() / S(2);
    return {{theta_1, alpha, beta - alpha, vertical - beta, d_5, S(0)},
            {S(0), alpha_d, beta_d - alpha_d, -beta_d, S(0), S(0)},
            {S(0), alpha_dd, beta_dd - alpha_dd, -beta_dd, S(0), S(0)}};
  }
  // [descent]

  ProcessData data_;
  Indexed<Leg> legs_;
};

}  // namespace articulate
