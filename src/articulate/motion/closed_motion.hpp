/** \file
 *  \brief A machine with loops in motion: on one branch of its closed positions, and through those that are singular.
 *
 *  - Chapter: \ref motion
 */
#pragma once
#include <tuple>
#include <articulate/constrained/assembly.hpp>
#include <articulate/constrained/constrained_dynamics.hpp>
#include <articulate/motion/pull_back.hpp>  // and displacement

namespace articulate {

/** \brief Coordinates, rates and accelerations of a motion with loops, from one small matrix \f$AM^{-1}A^{\mathsf T}\f$.
 *
 *  The rank of A is decided once, where the motion begins, and held. Corrections are the shortest in the metric of the
 *  mass matrix: those of rates are what an impulse of the constraints would do, and add no energy. Where the rank is
 *  lost for an instant the motion has a limit all the same, which is taken from both sides.
 */
template <typename Scalar>
class ClosedMotion {
public:
  /** \brief Make the workspace.
   *  \throws ModelError for a joint that moves no mass, or for a loop as Loops does
   */
  ClosedMotion(const Model<Scalar>& model, const std::vector<Loop>& loops)
      : model_(model),
        assembly_(model, loops),
        loops_(model, loops),
        system_(model, Indexed<bool>(model.nv(), false), loops_.rows()),
        usual_(VectorX<double>::Constant(loops_.rows(), std::numeric_limits<double>::min())),
        none_(VectorX<Scalar>::Zero(model.nv())),
        no_row_(VectorX<Scalar>::Zero(loops_.rows())),
        asked_(no_row_),
        qdd_(none_),
        idle_(none_),
        change_(none_),
        miss_(no_row_),
        lambda_(no_row_)
  {
  }

  /// \brief Gravity (m/s^2, world frame).
  void set_gravity(const Vector3<Scalar>& g) { system_.tree.set_gravity(g); }

  /// \brief Inertias of rotors, nv (kg m^2, kg), see ForceElements.
  void set_armature(const VectorRef<Scalar>& armature) { system_.tree.set_armature(armature); }

  /** \brief Decide the rank where a motion begins: the largest of those there, a little before, and a little after.
   *  \param q, qd  nq coordinates and nv rates, which meet the loops   \param h  the length of a step (s)
   *  \throws StateError at rest in a singular position, where more than one motion begins
   */
  void begin(const VectorX<Scalar>& q, const VectorX<Scalar>& qd, const Scalar& h);

  /// \brief The length (s) of the steps to come: so far apart are the points of a limit, or farther where they must be.
  void set_step(const Scalar& h) { step_ = h; }

  /** \brief Let accelerations close what is open: a gap f then follows \f$\ddot f + 2p\dot f + p^2f = 0\f$ (Baumgarte).
   *  \param p  how fast (1/s); 0, as long as nothing is said, leaves a gap to itself
   */
  void set_pull(const Scalar& p) { pull_ = p; }

  /// \brief The rank of A that is held; negative before begin(), when it is decided anew each time.
  int rank() const { return held_; }
  int rows() const { return loops_.rows(); }  ///< of all loops

  /// \brief How many singular positions were met by the calls below.
  long singular_positions() const { return singular_positions_; }

  /// \brief Nearer to a singular position than this, see distance_from_singular(), all that is wanted is a limit.
  static double singular_distance() { return std::sqrt(regular_part()); }

  /// \brief How far a position is from one that is singular, as a part of the farthest so far.
  double distance_from_singular(const VectorX<Scalar>& q)
  {
    run(q, none_, none_, {});
    return held_ <= 0 ? 1 : system_.rank() < held_ ? 0 : std::sqrt(system_.margin(usual_) / widest_);
  }

  /// \brief The nearest state at which the loops are closed and no rate opens them, in the metric of the masses.
  void settle(VectorX<Scalar>& q, VectorX<Scalar>& qd)
  {
    if (loops_.rows() == 0) return;
    const VectorX<Scalar> q0 = q, qd0 = qd;
    if (settle_beside(q, qd)) return;
    const int n = model_.nv();
    const VectorX<Scalar> both = limit(q0, qd0, [&](const VectorX<Scalar>& near, const VectorX<Scalar>& near_qd) {
      VectorX<Scalar> value(2 * n);
      value << displacement(model_, q0, near), near_qd;
      return value;
    });
    q = displaced(model_, q0, VectorX<Scalar>(both.head(n)));
    qd = both.tail(n);
  }

  /// \brief The nearest rates that open no loop, in the metric of the masses.
  void project(const VectorX<Scalar>& q, VectorX<Scalar>& qd)
  {
    if (loops_.rows() == 0) return;
    if (run(q, none_, none_, {}))
      remove_opening(qd);
    else
      qd = limit(q, qd, [](const VectorX<Scalar>&, const VectorX<Scalar>& near_qd) { return near_qd; });
  }

  /** \brief Of a small change of the state the part that no projection takes away.
   *  \param q, qd  nq coordinates and nv rates, which meet the loops
   *  \param x      nv displacements or changes of rates, replaced by that part
   */
  void keep_along(const VectorX<Scalar>& q, const VectorX<Scalar>& qd, VectorX<Scalar>& x)
  {
    if (loops_.rows() == 0) return;
    const auto part = [&](const VectorX<Scalar>&, const VectorX<Scalar>&) {
      VectorX<Scalar> kept = x;
      remove_opening(kept);
      return kept;
    };
    x = run(q, none_, none_, {}) ? part(q, qd) : limit(q, qd, part);
  }

  /** \brief The accelerations that keep the loops closed.
   *  \param q, qd  nq coordinates and nv rates, which meet the loops
   *  \param tau    nv joint forces   \param Fext  wrenches on the bodies, in body frames; empty for none
   */
  const VectorX<Scalar>& accelerations(const VectorX<Scalar>& q, const VectorX<Scalar>& qd,
                                       const VectorRef<Scalar>& tau, const ExternalWrenches<Scalar>& Fext = {})
  {
    return accelerations_under(q, qd, [&](const Recursion<Scalar>&) { return std::tie(tau, Fext); });
  }

  /** \brief The same under forces that depend on the state.
   *  \param forces  called as `forces(moved)`, with all bodies placed and moved; returns a pair of joint forces and
   *                 wrenches on the bodies
   */
  template <typename Forces>
  const VectorX<Scalar>& accelerations_under(const VectorX<Scalar>& q, const VectorX<Scalar>& qd, Forces&& forces)
  {
    loops_(q, qd);
    const auto given = forces(loops_);
    const VectorRef<Scalar>& tau = std::get<0>(given);
    const ExternalWrenches<Scalar>& Fext = std::get<1>(given);
    if (run_here(q, qd, tau, Fext)) return qdd_ = system_.qdd();
    for (int k = 0; k < 2; ++k)  // the second time from what the first has found
      qdd_ = limit(q, qd, [&](const VectorX<Scalar>& near, const VectorX<Scalar>& near_qd) {
        run(near, near_qd, tau, Fext);
        return system_.qdd();
      });
    return qdd_;
  }

  /** \brief The nv rates that nv joint impulses make of rest at q, the loops kept closed.
   *  \throws StateError in a singular position
   */
  const VectorX<Scalar>& answer(const VectorX<Scalar>& q, const VectorX<Scalar>& tau)
  {
    if (!run(q, none_, none_, {}))
      throw StateError(
          "something is met in a singular position of the loops, where what an impulse does is not known.");
    idle_ = tau;
    change_.setZero();
    miss_ = no_row_;
    system_.respond(idle_, change_, miss_, lambda_);
    return change_;
  }

private:
  /// What part of the usual margin, a square, a position must have to be regular. At a distance x from a singular one
  /// rounding is eps / x in the direction of the motion; limit() leaves out x^6. With x = eps^(1/6) both are small.
  static double regular_part()
  {
    const int digits = std::numeric_limits<Scalar>::digits;
    return std::pow(2.0, -(digits > 0 ? digits : 53) / 3.0);
  }

  /// The dynamics at a state; false where the rank that is held is lost, or nearly.
  bool run(const VectorX<Scalar>& q, const VectorX<Scalar>& qd, const VectorRef<Scalar>& tau,
           const ExternalWrenches<Scalar>& Fext)
  {
    loops_(q, qd);
    return run_here(q, qd, tau, Fext);
  }
  bool run_here(const VectorX<Scalar>& q, const VectorX<Scalar>& qd, const VectorRef<Scalar>& tau,
                const ExternalWrenches<Scalar>& Fext)
  {
    // [baumgarte]
    asked_ = loops_.Adot_qd;
    if (comparable(pull_) > 0) asked_ += Scalar(2) * pull_ * (loops_.A * qd) + pull_ * pull_ * loops_.violation;
    // [baumgarte]
    if (place_.size() > 0 && q == place_) {
      system_.again(q, qd, none_, tau, asked_, Fext);
      return regular_;
    }
    place_.resize(0);
    system_(q, qd, none_, tau, loops_.A, asked_, Fext);
    place_ = q;
    return regular_ = is_regular();
  }
  bool is_regular()
  {
    if (held_ <= 0) return true;
    const double margin = system_.rank() < held_ ? 0 : system_.margin(usual_);
    widest_ = std::max(widest_, margin);
    return margin > regular_part() * widest_;
  }

  // [settle]
  // Newton's method with the matrix of the start, then the rates with that of the end; false beside a singular position.
  bool settle_beside(VectorX<Scalar>& q, VectorX<Scalar>& qd)
  {
    if (!run(q, none_, none_, {})) return false;
    bool closed = false;
    for (int iteration = 0; !closed || !loops_.closed(); ++iteration) {
      closed = loops_.closed();
      if (iteration == 50) refuse_open();
      respond(loops_.violation);
      displace(model_, q, change_);
      loops_(q, none_);
    }
    if (!run_here(q, none_, none_, {})) return false;
    remove_opening(qd);
    return true;
  }

  // change = -M^{-1} A^T (A M^{-1} A^T)^+ miss, at the position of the last run.
  void respond(const VectorX<Scalar>& miss)
  {
    idle_.setZero();
    change_.setZero();
    miss_ = miss;
    system_.respond(idle_, change_, miss_, lambda_);
  }
  void remove_opening(VectorX<Scalar>& qd)
  {
    for (int k = 0; k < 2; ++k) {  // the second time for what rounding has left
      respond(loops_.A * qd);
      qd += change_;
    }
  }
  // [settle]

  // [limit]
  // Of something that changes smoothly along the motion: its value here, from three points before and three after.
  template <typename Value>
  VectorX<Scalar> limit(const VectorX<Scalar>& q, const VectorX<Scalar>& qd, const Value& value)
  {
    static constexpr int weight[] = {15, -6, 1};  // over 20
    ++singular_positions_;
    const VectorX<Scalar> qdd = qdd_;
    // Steps that find their length may be too long for it.
    const double reach = 3 * largest(step_ * qd);
    for (Scalar spacing = reach > 0.0625 ? Scalar(0.0625 / reach) * step_ : step_;; spacing *= Scalar(2)) {
      if (!(largest(qd) > 0 && 3 * largest(spacing * qd) < 0.5)) refuse_singular();
      VectorX<Scalar> sum;
      bool regular = true;
      for (int k = -3; k <= 3 && regular; ++k) {
        if (k == 0) continue;
        const Scalar dt = Scalar(k) * spacing;
        VectorX<Scalar> near = displaced(model_, q, VectorX<Scalar>(dt * qd + dt * dt / Scalar(2) * qdd));
        VectorX<Scalar> near_qd = qd + dt * qdd;
        regular = settle_beside(near, near_qd);
        if (!regular) continue;
        const VectorX<Scalar> part = Scalar(weight[std::abs(k) - 1]) / Scalar(20) * value(near, near_qd);
        sum = sum.size() == 0 ? part : VectorX<Scalar>(sum + part);
      }
      if (regular) return sum;
    }
  }
  // [limit]

  [[noreturn]] void refuse_open() const
  {
    int worst = 0;
    for (int row = 1; row < loops_.rows(); ++row)
      if (comparable(magnitude(loops_.violation(row))) > comparable(magnitude(loops_.violation(worst)))) worst = row;
    const double gap = static_cast<double>(comparable(magnitude(loops_.violation(worst))));
    throw StateError("loop '" + loops_.name_of_row(worst) + "' was opened by " + detail::shown(gap) +
                     " (m or rad), and no small correction with the rank " + std::to_string(held_) +
                     " closes it again; take a shorter step.");
  }
  [[noreturn]] void refuse_singular() const
  {
    throw StateError("this position is singular: the loops have the rank " + std::to_string(held_) +
                     " beside it and a lower one here, and at these rates the motion does not leave it; "
                     "begin where the machine moves.");
  }

  Model<Scalar> model_;
  Assembly<Scalar> assembly_;
  Loops<Scalar> loops_;
  ConstrainedDynamics<Scalar> system_;
  VectorX<double> usual_;  ///< of each row, how easily it was answered at most
  double widest_ = 0;      ///< the largest margin of the rank so far
  VectorX<Scalar> place_;  ///< where the last run was
  bool regular_ = true;    ///< and whether the rank is held there
  int held_ = -1;
  long singular_positions_ = 0;
  Scalar step_{}, pull_{};
  VectorX<Scalar> none_, no_row_, asked_, qdd_, idle_, change_, miss_, lambda_;
};

template <typename Scalar>
void ClosedMotion<Scalar>::begin(const VectorX<Scalar>& q, const VectorX<Scalar>& qd, const Scalar& h)
{
  step_ = h;
  held_ = -1;
  widest_ = 0;
  system_.hold_rank(-1);
  place_.resize(0);
  run(q, qd, none_, {});
  qdd_ = system_.qdd();
  const int here = system_.rank();
  int rank = here;
  const bool at_rest = largest(qd) == 0;
  const VectorX<Scalar> along = at_rest ? qdd_ : qd;
  std::vector<VectorX<Scalar>> places;
  for (const double way : {-0.1, 0.1}) {
    if (largest(along) == 0) break;
    try {
      places.push_back(assembly_.close(displaced(model_, q, VectorX<Scalar>(Scalar(way / largest(along)) * along))));
      run(places.back(), none_, none_, {});
      rank = std::max(rank, system_.rank());
    } catch (const StateError&) {
      continue;  // the branch ends before
    }
  }
  held_ = rank;
  system_.hold_rank(rank);
  for (const VectorX<Scalar>& place : places) {
    place_.resize(0);
    run(place, none_, none_, {});
  }
  place_.resize(0);
  if (at_rest && here < rank) refuse_singular();
}

}  // namespace articulate
