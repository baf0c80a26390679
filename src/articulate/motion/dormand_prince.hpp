/** \file
 *  \brief Steps in time that find their own length: Dormand and Prince's pair of methods, on the group.
 *
 *  - Chapter: \ref motion
 *  - Published in 1980 for vector spaces; the displacement within a step lives in one, as Munthe-Kaas showed.
 */
#pragma once
#include <algorithm>
#include <array>
#include <vector>
#include <articulate/constrained/semidefinite.hpp>  // rounding
#include <articulate/motion/pull_back.hpp>          // and displacement

namespace articulate {

/** \brief Order 5, with an error that is estimated by a solution of order 4, and the motion between the ends of a step.
 *
 *  The same as RungeKuttaMuntheKaas with seven stages. The estimate is a displacement of the end and a change of its
 *  rates, so that it means the same for all orientations.
 */
template <typename Scalar>
class DormandPrinceMuntheKaas {
public:
  static constexpr int order_of_estimate = 4;

  explicit DormandPrinceMuntheKaas(const Model<Scalar>& model)
      : model_(model),
        q0_(model.zero_coordinates()),
        moved_(q0_),
        qd0_(VectorX<Scalar>::Zero(model.nv())),
        rates_(qd0_),
        theta_(qd0_),
        way_(qd0_),
        gain_(qd0_)
  {
    w_.fill(qd0_);
    a_.fill(qd0_);
  }

  /** \brief Try a step of length h; the state itself stays as it is.
   *  \param q, qd   nq coordinates and nv rates at the time t
   *  \param qdd     called as `qdd(q, qd, t)`, returns nv accelerations
   *  \param settle  called as `settle(q, qd)`, brings a state back to those that are possible
   */
  template <typename Acceleration, typename Settle>
  void attempt(const VectorX<Scalar>& q, const VectorX<Scalar>& qd, const Scalar& t, const Scalar& h,
               Acceleration&& qdd, Settle&& settle);

  /// \brief By how much the end may be displaced, nv numbers (rad, m).
  VectorX<Scalar> displacement_error() const { return error_of(w_); }
  /// \brief By how much its rates may be wrong, nv numbers (rad/s, m/s).
  VectorX<Scalar> rate_error() const { return error_of(a_); }

  /** \brief The state at a part of the last step, to order 4; at 1 its end.
   *  \param part  from 0 to 1   \param q, qd  found; to be settled where that is needed
   */
  void at(const Scalar& part, VectorX<Scalar>& q, VectorX<Scalar>& qd) const
  {
    q = q0_;
    displace(model_, q, between(part, way_, w_));
    qd = qd0_ + between(part, gain_, a_);
  }

  /// \brief The same by the slopes at both ends alone, to order 3.
  void roughly_at(const Scalar& part, VectorX<Scalar>& q, VectorX<Scalar>& qd) const
  {
    q = q0_;
    displace(model_, q, cubic(part, way_, w_));
    qd = qd0_ + cubic(part, gain_, a_);
  }

  /// \brief The end of the last step as the method of order 4 has it.
  void rival(VectorX<Scalar>& q, VectorX<Scalar>& qd) const
  {
    at(Scalar(1), q, qd);
    displace(model_, q, VectorX<Scalar>(-error_of(w_)));
    qd -= error_of(a_);
  }

private:
  using Stages = std::array<VectorX<Scalar>, 7>;
  static constexpr int stages = 7;

  /// A fraction of whole numbers, in any scalar.
  static Scalar ratio(double a, double b) { return Scalar(a) / Scalar(b); }

  VectorX<Scalar> error_of(const Stages& k) const
  {
    return h_ * (ratio(71, 57600) * k[0] - ratio(71, 16695) * k[2] + ratio(71, 1920) * k[3] -
                 ratio(17253, 339200) * k[4] + ratio(22, 525) * k[5] - ratio(1, 40) * k[6]);
  }

  /// What has been gained at a part of the step, from the whole gain and the stages.
  VectorX<Scalar> between(const Scalar& s, const VectorX<Scalar>& whole, const Stages& k) const
  {
    const VectorX<Scalar> more =
        h_ * (ratio(-12715105075, 11282082432) * k[0] + ratio(87487479700, 32700410799) * k[2] +
              ratio(-10690763975, 1880347072) * k[3] + ratio(701980252875, 199316789632) * k[4] +
              ratio(-1453857185, 822651844) * k[5] + ratio(69997945, 29380423) * k[6]);
    const Scalar inside = s * (Scalar(1) - s);
    return cubic(s, whole, k) + inside * inside * more;
  }

  /// The same from the slopes at both ends alone.
  VectorX<Scalar> cubic(const Scalar& s, const VectorX<Scalar>& whole, const Stages& k) const
  {
    const VectorX<Scalar> at_start = h_ * k[0] - whole, at_end = whole - h_ * k[6] - at_start;
    return s * (whole + (Scalar(1) - s) * (at_start + s * at_end));
  }

  Model<Scalar> model_;
  VectorX<Scalar> q0_, moved_, qd0_, rates_, theta_, way_, gain_;
  Stages w_, a_;
  Scalar h_{};
};

template <typename Scalar>
template <typename Acceleration, typename Settle>
void DormandPrinceMuntheKaas<Scalar>::attempt(const VectorX<Scalar>& q, const VectorX<Scalar>& qd, const Scalar& t,
                                              const Scalar& h, Acceleration&& qdd, Settle&& settle)
{
  // [dormand-prince]
  // When each stage is, and how much of the stages before it takes; the last one is the end of the step.
  const Scalar when[stages] = {Scalar(0), ratio(1, 5), ratio(3, 10), ratio(4, 5), ratio(8, 9), Scalar(1), Scalar(1)};
  const Scalar part[stages][stages - 1] = {
      {},
      {ratio(1, 5)},
      {ratio(3, 40), ratio(9, 40)},
      {ratio(44, 45), ratio(-56, 15), ratio(32, 9)},
      {ratio(19372, 6561), ratio(-25360, 2187), ratio(64448, 6561), ratio(-212, 729)},
      {ratio(9017, 3168), ratio(-355, 33), ratio(46732, 5247), ratio(49, 176), ratio(-5103, 18656)},
      {ratio(35, 384), Scalar(0), ratio(500, 1113), ratio(125, 192), ratio(-2187, 6784), ratio(11, 84)}};
  q0_ = q;
  qd0_ = qd;
  h_ = h;
  for (int s = 0; s < stages; ++s) {
    theta_.setZero();
    rates_ = qd;
    for (int before = 0; before < s; ++before) {
      theta_ += h * part[s][before] * w_[before];
      rates_ += h * part[s][before] * a_[before];
    }
    moved_ = q;
    displace(model_, moved_, theta_);
    if (s > 0) settle(moved_, rates_);
    a_[s] = qdd(moved_, rates_, t + when[s] * h);
    w_[s] = rates_;
    pull_back_rates(model_, theta_, w_[s]);
  }
  way_ = displacement(model_, q, moved_);
  gain_ = rates_ - qd;
  // [dormand-prince]
}

/** \brief A motion by steps of any length, whose errors together stay below a tolerance, as far as they do not grow.
 *
 *  Of the tolerance each step may use the part that it has of the duration. Owns the state at the end of the last step.
 *  \tparam Pair  the method with its estimate: this one, or RadauMuntheKaas for stiff machines
 */
template <typename Scalar, typename Pair = DormandPrinceMuntheKaas<Scalar>>
class AdaptiveMotion {
public:
  VectorX<Scalar> q, qd;  ///< nq coordinates and nv rates now
  Scalar t{};             ///< s

  /** \brief Begin at the time 0.
   *  \param tolerance  of displacements (rad, m), and of rates beside the largest one, over the whole duration (s)
   */
  AdaptiveMotion(const Model<Scalar>& model, const VectorX<Scalar>& start, const VectorX<Scalar>& start_rates,
                 const Scalar& tolerance, const Scalar& duration)
      : q(start), qd(start_rates), pair_(model), tolerance_(tolerance), duration_(duration), h_(duration / Scalar(100))
  {
  }

  /** \brief Let steps end at these times, too: where forces have a corner, or begin, which no stage may see.
   *  \param times  s, increasing
   */
  void end_steps_at(const std::vector<double>& times) { corners_ = times; }

  /// \brief The length of the next step (s), if it is not found too long.
  Scalar next_length() const
  {
    const Scalar rest = latest_end() - t;
    return comparable(h_) < comparable(rest) ? h_ : rest;
  }

  /** \brief One step, not beyond the duration or a corner; see DormandPrinceMuntheKaas::attempt().
   *  \param keep_along  called as `keep_along(q, qd, x)`, leaves of an error x what settle cannot remove
   *  \throws StateError when no step is short enough
   */
  template <typename Acceleration, typename Settle, typename KeepAlong>
  void step(Acceleration&& qdd, Settle&& settle, KeepAlong&& keep_along)
  {
    for (;;) {
      const Scalar latest = latest_end();
      const bool last = comparable(t + h_ * Scalar(1.01)) >= comparable(latest);
      const Scalar h = last ? Scalar(latest - t) : h_;
      double error = std::numeric_limits<double>::infinity();
      try {
        pair_.attempt(q, qd, t, h, qdd, settle);
        error = error_of_step(h, keep_along);
      } catch (const StateError&) {
        if (!shorter(h, 0.2)) throw;
        continue;
      }
      // An estimate of order p shrinks as h^(p + 1), and what a step may use of the tolerance as h.
      const double factor = std::clamp(0.9 * std::pow(error, -1.0 / Pair::order_of_estimate), 0.2, 5.0);
      if (!(error <= 1)) {
        if (!shorter(h, error > 1 ? std::min(factor, 0.9) : 0.2)) refuse();
        continue;
      }
      start_ = t;
      length_ = h;
      t = last ? latest : Scalar(t + h);
      pair_.at(Scalar(1), q, qd);
      settle(q, qd);
      if (!last) h_ = Scalar(factor) * h;
      return;
    }
  }

  /// \brief The state at a time within the last step, to the order of the estimate.
  void at(const Scalar& time, VectorX<Scalar>& there, VectorX<Scalar>& rates) const
  {
    pair_.at((time - start_) / length_, there, rates);
  }

  /// \brief The same found in a rougher way: what both have in common is right.
  void roughly_at(const Scalar& time, VectorX<Scalar>& there, VectorX<Scalar>& rates) const
  {
    pair_.roughly_at((time - start_) / length_, there, rates);
  }

  /// \brief The end of the last step less what is estimated as its error.
  void rival(VectorX<Scalar>& there, VectorX<Scalar>& rates) const { pair_.rival(there, rates); }

  const Scalar& start_of_step() const { return start_; }           ///< when the last step began (s)
  Scalar end_of_step() const { return Scalar(start_ + length_); }  ///< when it ended, as it was made (s)

  /** \brief Go on from a time within the last step, with another state there.
   *
   *  What at() says of that step before this time stays true.
   */
  void go_on_from(const Scalar& time, const VectorX<Scalar>& there, const VectorX<Scalar>& rates)
  {
    t = time;
    q = there;
    qd = rates;
  }

private:
  /// As a part of what the step may use of the tolerance.
  template <typename KeepAlong>
  double error_of_step(const Scalar& h, KeepAlong&& keep_along) const
  {
    VectorX<Scalar> end, rates, away = pair_.displacement_error(), faster = pair_.rate_error();
    pair_.at(Scalar(1), end, rates);
    keep_along(end, rates, away);
    keep_along(end, rates, faster);
    // No step is better than its rounding.
    const double allowed =
        std::max(static_cast<double>(comparable(Scalar(tolerance_ * h / duration_))), rounding<Scalar>(1));
    return std::max(largest(away) / allowed, largest(faster) / (allowed * std::max(1.0, largest(rates))));
  }

  /// Where the next step ends at the latest.
  Scalar latest_end() const
  {
    const auto next = std::upper_bound(corners_.begin(), corners_.end(), static_cast<double>(comparable(t)));
    return next != corners_.end() && *next < comparable(duration_) ? Scalar(*next) : duration_;
  }

  /// Whether a step shorter than one of length h still changes the time.
  bool shorter(const Scalar& h, double factor)
  {
    h_ = Scalar(factor) * h;
    return comparable(h_) > comparable(duration_) * rounding<Scalar>(1);
  }
  [[noreturn]] void refuse() const
  {
    throw StateError("no step is short enough for this tolerance; take a larger one.");
  }

  Pair pair_;
  std::vector<double> corners_;
  Scalar tolerance_, duration_, h_, start_{}, length_{};
};

}  // namespace articulate
