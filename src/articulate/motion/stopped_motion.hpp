/** \file
 *  \brief A motion that runs into stops: it is followed to the time of each impact, and goes on from there.
 *
 *  - Chapter: \ref motion
 */
#pragma once
#include <articulate/motion/closed_motion.hpp>
#include <articulate/motion/dormand_prince.hpp>
#include <articulate/motion/impulse.hpp>
#include <articulate/motion/stops.hpp>

namespace articulate {

/// \brief What happened at a time to one row of the stops.
template <typename Scalar>
struct StopEvent {
  enum Kind {
    impact,  ///< it was met, and pushed
    rest,    ///< it is leaned on from now on
    leave    ///< it is leaned on no more
  } kind;
  Scalar t;
  int row;
  Scalar impulse{}, before{}, after{};  ///< of an impact: N s or N m s, and the rates of the gap, m/s or rad/s
};

/** \brief Adaptive steps of a machine between its stops.
 *
 *  Rows that are leaned on hold, as constraints that can push only. An impact whose rebound would not rise by the
 *  tolerance is plastic: so a bouncing that accumulates comes to rest.
 */
template <typename Scalar>
class StoppedMotion {
public:
  std::vector<StopEvent<Scalar>> events;  ///< at the end of the last step
  VectorX<Scalar> qd_before;              ///< nv rates there before the impacts
  Scalar lost{};                          ///< kinetic energy that they took (J)

  /** \brief Make the workspace.
   *  \param closed     the machine, whose motion has begun   \param tolerance  of the steps, see AdaptiveMotion
   *  \throws ModelError as Stops does
   */
  StoppedMotion(const Model<Scalar>& model, ClosedMotion<Scalar>& closed, const std::vector<Stop>& stops,
                const Scalar& tolerance)
      : stops_(model, stops), model_(model), closed_(closed), tolerance_(tolerance), leans_(stops_.rows(), false)
  {
  }

  const Stops<Scalar>& stops() const { return stops_; }
  /// \brief Whether a row is leaned on.
  bool is_leaned_on(int row) const { return leans_[row]; }

  /** \brief What happens at once where a motion begins; what leans on a stop from then on is put there, within rounding.
   *  \param free  called as `free(q, qd, t)`, returns the nv accelerations without any stop
   *  \throws StateError beyond a stop
   */
  template <typename Pair, typename Free>
  void begin(AdaptiveMotion<Scalar, Pair>& motion, Free&& free)
  {
    stops_(motion.q, motion.qd);
    for (int i = 0; i < stops_.rows(); ++i)
      if (comparable(stops_.width(i)) < -stops_.rounding_of_row(i)) {
        throw StateError("the motion begins beyond the stop '" + stops_.name_of_row(i) + "', by " +
                         detail::shown(-static_cast<double>(comparable(stops_.width(i)))) +
                         " (m or rad); begin within its range.");
      }
    meet(motion.t, motion.q, motion.qd, -1, free);
    lean(motion.q, motion.qd);
  }

  /** \brief One step, or the part of it up to what happens first.
   *  \param free, settle, keep_along  see AdaptiveMotion::step(), without any stop
   *  \throws StateError as they do; for a machine that meets a stop in a singular position; for events without an end
   */
  template <typename Pair, typename Free, typename Settle, typename KeepAlong>
  void step(AdaptiveMotion<Scalar, Pair>& motion, Free&& free, Settle&& settle, KeepAlong&& keep_along)
  {
    events.clear();
    lost = Scalar(0);
    const auto settled = [&](VectorX<Scalar>& q, VectorX<Scalar>& qd) {
      settle(q, qd);
      if (lean(q, qd)) settle(q, qd);
    };
    motion.step(
        [&](const VectorX<Scalar>& q, const VectorX<Scalar>& qd, const Scalar& t) { return held(q, qd, t, free); },
        settled, keep_along);
    const Scalar begin = motion.start_of_step(), end = motion.t;
    VectorX<Scalar> q, qd;
    const auto look = [&](const Scalar& t) {
      motion.at(t, q, qd);
      settled(q, qd);
      stops_(q, qd);
    };
    // The first of all rows: one that is met, or one that would have to pull.
    Scalar time = end;
    int row = -1;
    for (int i = 0; i < stops_.rows(); ++i) {
      const auto gap = [&](const Scalar& t) {
        look(t);
        return stops_.gap(i, qd);
      };
      std::optional<Scalar> when;
      if (!leans_[i])
        when = closing_time(begin, time, gap, Scalar(stops_.rounding_of_row(i)));
      else
        when = first_seen(begin, time, [&](const Scalar& t) { return pulls(i, t, look, q, qd, free); });
      if (when) time = *when, row = i;
    }
    if (row < 0) return;
    look(time);
    // What leaves and is met again does so at the next number at the earliest, of which a hundred are no time.
    if (comparable(time) > comparable(last_) + rounding<Scalar>(1) * comparable(end))
      at_once_ = 0, last_ = time;
    else if (++at_once_ > 100)
      throw StateError("the stop '" + stops_.name_of_row(row) +
                       "' is met and left without end at one time; give it the restitution 0.");
    const bool leaves = leans_[row];
    meet(time, q, qd, leaves ? -1 : row, free);
    motion.go_on_from(time, q, qd);
  }

private:
  /// The accelerations with the pushes of what is leaned on, which are in force_.
  template <typename Free>
  VectorX<Scalar> held(const VectorX<Scalar>& q, const VectorX<Scalar>& qd, const Scalar& t, Free&& free)
  {
    VectorX<Scalar> qdd = free(q, qd, t);
    rows_ = leaned_on();
    if (rows_.empty()) return qdd;
    stops_(q, qd);
    const MatrixX<Scalar> W = answers(q, rows_), J = stops_.J(rows_, Eigen::all), G = J * W;
    force_ = solution(G, VectorX<Scalar>(-(J * qdd + stops_.Jdot_qd(rows_))));
    pulls_ = -force_.cwiseProduct(G.diagonal()) - rounding_of_rates<Scalar>(J, qdd);
    return qdd + W * force_;
  }

  /// Bring what is leaned on back to its stop; false where nothing is.
  bool lean(VectorX<Scalar>& q, VectorX<Scalar>& qd)
  {
    const Indexed<int> rows = leaned_on();
    if (rows.empty()) return false;
    stops_(q, qd);
    const MatrixX<Scalar> W = answers(q, rows), J = stops_.J(rows, Eigen::all), G = J * W;
    displace(model_, q, VectorX<Scalar>(W * solution(G, VectorX<Scalar>(-stops_.width(rows)))));
    qd += W * solution(G, VectorX<Scalar>(-(J * qd)));
    return true;
  }

  template <typename Look, typename Free>
  bool pulls(int row, const Scalar& t, Look&& look, const VectorX<Scalar>& q, const VectorX<Scalar>& qd, Free&& free)
  {
    look(t);
    held(q, qd, t, free);
    const auto at = std::find(rows_.begin(), rows_.end(), row) - rows_.begin();
    return comparable(pulls_(at)) > 0;
  }

  /// The impact of a row with all that is in contact, and what is leaned on after it.
  template <typename Free>
  void meet(const Scalar& t, const VectorX<Scalar>& q, VectorX<Scalar>& qd, int hit, Free&& free)
  {
    qd_before = qd;
    stops_(q, qd);
    Indexed<int> touched;
    for (int i = 0; i < stops_.rows(); ++i)
      if (i == hit || leans_[i] || comparable(stops_.width(i)) <= stops_.rounding_of_row(i)) touched.push_back(i);
    const MatrixX<Scalar> J = stops_.J(touched, Eigen::all), W = answers(q, touched), G = J * W;
    const auto m = static_cast<Eigen::Index>(touched.size());
    VectorX<Scalar> e(m);
    for (Eigen::Index k = 0; k < m; ++k) e(k) = stops_.restitution(touched[k]);
    // [meet]
    // A rebound that would not rise by the tolerance under what presses is none.
    Impact<Scalar> impact;
    VectorX<Scalar> rate, qdd, presses;
    for (bool again = true; again;) {
      impact(J, e, qd_before,
             [&](const VectorX<Scalar>& tau) -> const VectorX<Scalar>& { return closed_.answer(q, tau); });
      stops_(q, impact.qd);
      rate = J * impact.qd;
      qdd = free(q, impact.qd, t);
      presses = -(J * qdd + stops_.Jdot_qd(touched));
      again = false;
      for (Eigen::Index k = 0; k < m; ++k) {
        const bool low =
            comparable(Scalar(rate(k) * rate(k))) <= comparable(Scalar(Scalar(2) * presses(k) * tolerance_));
        if (comparable(impact.Lambda(k)) > 0 && comparable(e(k)) > 0 && comparable(presses(k)) > 0 && low)
          e(k) = Scalar(0), again = true;
      }
    }
    // Of the rows that do not open those are leaned on that have to push.
    Indexed<int> still;
    const VectorX<Scalar> rounded = rounding_of_rates<Scalar>(J, qd_before), slack = rounding_of_rates<Scalar>(J, qdd);
    for (Eigen::Index k = 0; k < m; ++k)
      if (comparable(rate(k)) <=
          std::max(static_cast<double>(comparable(rounded(k))), stops_.rounding_of_row(touched[k])))
        still.push_back(static_cast<int>(k));
    const VectorX<Scalar> force = complementary<Scalar>(
        MatrixX<Scalar>(G(still, still)), VectorX<Scalar>(-presses(still)), VectorX<Scalar>(slack(still)));
    // [meet]
    qd = impact.qd;
    lost = impact.lost;
    tell(t, touched, impact, J, still, force);
  }

  /// Report what has changed, and remember what is leaned on.
  void tell(const Scalar& t, const Indexed<int>& touched, const Impact<Scalar>& impact, const MatrixX<Scalar>& J,
            const Indexed<int>& still, const VectorX<Scalar>& force)
  {
    const VectorX<Scalar> before = J * qd_before, after = J * impact.qd;
    Indexed<bool> leans(stops_.rows(), false);
    for (Eigen::Index k = 0; k < force.size(); ++k)
      if (comparable(force(k)) > 0) leans[touched[still[k]]] = true;
    using Event = StopEvent<Scalar>;
    for (Eigen::Index k = 0; k < before.size(); ++k)
      if (comparable(impact.Lambda(k)) > 0)
        events.push_back({Event::impact, t, touched[k], impact.Lambda(k), before(k), after(k)});
    for (const int i : touched)
      if (leans[i] != leans_[i]) events.push_back({leans[i] ? Event::rest : Event::leave, t, i});
    leans_ = leans;
  }

  Indexed<int> leaned_on() const
  {
    Indexed<int> rows;
    for (int i = 0; i < stops_.rows(); ++i)
      if (leans_[i]) rows.push_back(i);
    return rows;
  }
  MatrixX<Scalar> answers(const VectorX<Scalar>& q, const Indexed<int>& rows)
  {
    MatrixX<Scalar> W(model_.nv(), static_cast<Eigen::Index>(rows.size()));
    for (Eigen::Index k = 0; k < W.cols(); ++k)
      W.col(k) = closed_.answer(q, VectorX<Scalar>(stops_.J.row(rows[k]).transpose()));
    return W;
  }
  static VectorX<Scalar> solution(const MatrixX<Scalar>& G, const VectorX<Scalar>& b)
  {
    SemidefiniteSolver<Scalar> solver(static_cast<int>(b.size()));
    solver.factor(G);
    return solver.solve(b);
  }
  Stops<Scalar> stops_;
  Model<Scalar> model_;
  ClosedMotion<Scalar>& closed_;
  Scalar tolerance_, last_{-1};
  int at_once_ = 0;
  Indexed<bool> leans_;
  Indexed<int> rows_;              ///< those of force_
  VectorX<Scalar> force_, pulls_;  ///< the pushes, and by how much each would have to pull, beyond rounding
};

}  // namespace articulate
