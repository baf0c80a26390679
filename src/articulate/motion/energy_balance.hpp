/** \file
 *  \brief Where the energy of a motion comes from: the work of all that acts, counted beside the steps.
 *
 *  - Chapter: \ref motion
 */
#pragma once
#include <algorithm>
#include <cmath>
#include <vector>
#include <articulate/constrained/semidefinite.hpp>  // rounding
#include <articulate/model/kinematics.hpp>

namespace articulate {

// [power]
/** \brief The power of joint forces and of wrenches on the bodies (W).
 *  \param motion  at the state   \param qd, tau  nv rates and joint forces there
 *  \param Fext    wrenches on the bodies, in body frames; empty for none
 */
template <typename Scalar>
Scalar power(const ForwardKinematics<Scalar>& motion, const VectorRef<Scalar>& qd, const VectorRef<Scalar>& tau,
             const ExternalWrenches<Scalar>& Fext = {})
{
  Scalar sum(0);
  for (int k = 0; k < qd.size(); ++k) sum += tau(k) * qd(k);
  for (std::size_t i = 0; i < Fext.size(); ++i) sum += pairing(Fext[i], motion.V[i]);
  return sum;
}
// [power]

/** \brief The energy that a motion has, less what it had and what forces have done: zero, if the motion is right.
 *
 *  It looks at the states that a stepper has accepted and knows nothing of how they were found. The power is integrated
 *  as the cubic through the last four times; what the cubic through every other time would say tells how good that is.
 */
class EnergyBalance {
public:
  // [look]
  /** \brief Look at the next state.
   *  \param t       time (s), later than before   \param energy  kinetic and potential (J)
   *  \param power   of all forces that are no part of the potential (W)
   */
  void look(double t, double energy, double power)
  {
    if (!begun_) first_ = energy;
    begun_ = true;
    energy_ = energy;
    // From two times that are one but for rounding no slope can be told.
    if (!points_.empty() && !(t - points_.back().t > rounding<double>(1) * t)) return;
    points_.push_back({t, power});
    // The first intervals wait for all points, and are doubtful until then.
    const bool waited = settled();
    if (!waited) work_ = 0;
    if (points_.size() > window) points_.erase(points_.begin());
    const std::size_t size = points_.size();
    double doubt = waited ? doubt_ : 0;
    for (std::size_t k = waited ? size - 1 : 1; k < size; ++k) {
      const std::size_t last = std::min(size - 1, std::max<std::size_t>(k, 3)), from = last < 3 ? 0 : last - 3;
      const double done = integral(from, last, 1, k);
      work_ += done;
      doubt += std::abs(done - integral(0, size - 1, 2, k));
    }
    // What an early look has shown was as doubtful as this; only a first straight line is doubted far too much.
    doubt_ = size <= 3 ? doubt : std::max(doubt_, doubt);
    settled_ = size == window;
  }

  /// \brief Whether what was done so far will not be corrected by later points.
  bool settled() const { return settled_; }
  // [look]

  /** \brief An impact takes energy at the time of the last look, and the power may jump; the next look is just after it.
   *  \param lost  J, found from the impulses
   */
  void jump(double lost)
  {
    work_before_ += work_ - lost;
    doubt_before_ += doubt_;
    work_ = doubt_ = 0;
    points_.clear();
    settled_ = false;
  }

  double work() const { return work_before_ + work_; }            ///< done so far, less what impacts took (J)
  double imbalance() const { return energy_ - first_ - work(); }  ///< what it does not explain (J)
  double doubt() const { return doubt_before_ + doubt_; }         ///< by how much the work may be wrong (J)

  /// \brief So many looks it takes until what is known of the work and of the doubt in it is final.
  static constexpr std::size_t window = 7;  // every other of which are four

private:
  struct Point {
    double t, power;
  };

  // [integral]
  /// Over the interval that ends at point k, of the cubic, or less, through some points. Gauss's rule with two is exact.
  double integral(std::size_t from, std::size_t to, std::size_t every, std::size_t k) const
  {
    const double middle = (points_[k - 1].t + points_[k].t) / 2, half = (points_[k].t - points_[k - 1].t) / 2;
    const double gauss = half / std::sqrt(3.0);
    return half * (value(from, to, every, middle - gauss) + value(from, to, every, middle + gauss));
  }
  double value(std::size_t from, std::size_t to, std::size_t every, double t) const
  {
    double sum = 0;
    for (std::size_t i = from; i <= to; i += every) {
      double part = points_[i].power;
      for (std::size_t j = from; j <= to; j += every)
        if (j != i) part *= (t - points_[j].t) / (points_[i].t - points_[j].t);
      sum += part;
    }
    return sum;
  }
  // [integral]

  std::vector<Point> points_;
  bool begun_ = false, settled_ = false;
  double first_ = 0, energy_ = 0, work_ = 0, doubt_ = 0, work_before_ = 0, doubt_before_ = 0;
};

}  // namespace articulate
