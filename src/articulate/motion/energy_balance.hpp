/** \file
 *  \brief Where the energy of a motion comes from: the work of all that acts, counted beside the steps.
 *
 *  - Chapter: \ref motion
 */
#pragma once
#include <algorithm>
#include <cmath>
#include <vector>
#include <articulate/model/kinematics.hpp>

namespace articulate {

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

/** \brief The energy that a motion has, less what it had and what forces have done: zero, if the motion is right.
 *
 *  It looks at the states that a stepper has accepted and knows nothing of how they were found. The power is integrated
 *  as the cubic through the last four times; what the parabola through the last three would say tells how good that is.
 */
class EnergyBalance {
public:
  /** \brief Look at the next state.
   *  \param t       time (s), later than before   \param energy  kinetic and potential (J)
   *  \param power   of all forces that are no part of the potential (W)
   */
  void look(double t, double energy, double power)
  {
    if (!begun_) first_ = energy;
    begun_ = true;
    energy_ = energy;
    if (!points_.empty() && !(t > points_.back().t)) return;
    points_.push_back({t, power});
    if (points_.size() > 4) points_.erase(points_.begin());
    // The first intervals wait for the fourth point.
    if (++looks_ <= 4) work_ = doubt_ = 0;
    const std::size_t last = points_.size() - 1;
    for (std::size_t k = looks_ <= 4 ? 1 : last; k <= last; ++k) {
      const double done = integral(0, last, k);
      work_ += done;
      // The same with a point less, at the end where it is farther.
      doubt_ += std::abs(done - (k == 1 ? integral(0, last - 1, k) : integral(1, last, k)));
    }
  }

  /** \brief An impact takes energy at the time of the last look, and the power may jump; the next look is just after it.
   *  \param lost  J, found from the impulses
   */
  void jump(double lost)
  {
    work_before_ += work_ - lost;
    doubt_before_ += doubt_;
    work_ = doubt_ = 0;
    points_.clear();
    looks_ = 0;
  }

  double work() const { return work_before_ + work_; }            ///< done so far, less what impacts took (J)
  double imbalance() const { return energy_ - first_ - work(); }  ///< what it does not explain (J)
  double doubt() const { return doubt_before_ + doubt_; }         ///< by how much the work may be wrong (J)

private:
  struct Point {
    double t, power;
  };

  /// Over the interval that ends at point k, of the polynomial through some points. Gauss's rule with two is exact.
  double integral(std::size_t from, std::size_t to, std::size_t k) const
  {
    const double middle = (points_[k - 1].t + points_[k].t) / 2, half = (points_[k].t - points_[k - 1].t) / 2;
    const double gauss = half / std::sqrt(3.0);
    return half * (value(from, to, middle - gauss) + value(from, to, middle + gauss));
  }
  double value(std::size_t from, std::size_t to, double t) const
  {
    double sum = 0;
    for (std::size_t i = from; i <= to; ++i) {
      double part = points_[i].power;
      for (std::size_t j = from; j <= to; ++j)
        if (j != i) part *= (t - points_[j].t) / (points_[i].t - points_[j].t);
      sum += part;
    }
    return sum;
  }

  std::vector<Point> points_;
  long looks_ = 0;  ///< since the last jump, as work_ and doubt_
  bool begun_ = false;
  double first_ = 0, energy_ = 0, work_ = 0, doubt_ = 0, work_before_ = 0, doubt_before_ = 0;
};

}  // namespace articulate
