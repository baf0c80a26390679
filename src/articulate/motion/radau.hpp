/** \file
 *  \brief An implicit step in time, for stiff machines: Radau's method of three stages, on the group.
 *
 *  - Chapter: \ref motion
 *  - Type IIA of Ehle and Axelsson (1969) for vector spaces; the displacement within a step lives in one, as Munthe-Kaas
 *    showed. None of the five papers integrates.
 */
#pragma once
#include <algorithm>
#include <array>
#include <limits>
#include <vector>
#include <Eigen/LU>
#include <articulate/constrained/semidefinite.hpp>  // rank_tolerance
#include <articulate/motion/pull_back.hpp>          // and displace

namespace articulate {

/** \brief Linear equations of all stages of an implicit step, in which accelerations follow displacements and rates.
 *
 *  \f$\theta - v\,(hA)^{\mathsf T} = x\f$ and \f$v - a\,(hA)^{\mathsf T} = y\f$ with a column for each stage, and with
 *  \f$a_s = K_s\theta_s + D_sv_s\f$.
 */
template <typename Scalar>
class LinearStages {
public:
  /// \brief Factor.   \param hA  stages x stages (s)   \param K, D  of each stage, nv x nv (1/s^2, 1/s)
  void factor(const MatrixX<Scalar>& hA, std::vector<MatrixX<Scalar>> K, const std::vector<MatrixX<Scalar>>& D)
  {
    hA_ = hA;
    K_ = std::move(K);
    const int stages = static_cast<int>(K_.size()), n = static_cast<int>(K_[0].rows());
    // [radau-factor]
    // Equations for v alone, its columns one below the other.
    MatrixX<Scalar> left = MatrixX<Scalar>::Identity(stages * n, stages * n);
    for (int i = 0; i < stages; ++i)
      for (int k = 0; k < stages; ++k) {
        left.block(i * n, k * n, n, n) -= hA(i, k) * D[k];
        for (int j = 0; j < stages; ++j) left.block(i * n, k * n, n, n) -= hA(i, j) * hA(j, k) * K_[j];
      }
    lu_.compute(left);
    // [radau-factor]
  }

  /// \brief Solve.   \param x, y  nv x stages, replaced by \f$\theta\f$ and v
  void solve(MatrixX<Scalar>& x, MatrixX<Scalar>& y) const
  {
    // [radau-solve]
    for (int i = 0; i < hA_.rows(); ++i)
      for (int j = 0; j < hA_.rows(); ++j) y.col(i) += hA_(i, j) * (K_[j] * x.col(j));
    const VectorX<Scalar> v = lu_.solve(VectorX<Scalar>(y.reshaped()));
    y = v.reshaped(y.rows(), y.cols());
    x += y * hA_.transpose();
    // [radau-solve]
  }

private:
  MatrixX<Scalar> hA_;
  std::vector<MatrixX<Scalar>> K_;
  Eigen::PartialPivLU<MatrixX<Scalar>> lu_;
};

/** \brief Order 5, for motions that springs and dampers hold to their course much faster than they change it.
 *
 *  Displacement and rates within a step are polynomials of the third degree that obey the equations of motion at three
 *  times, the last of which is the end. What is damped fast is damped by steps of any length. Newton's method finds them;
 *  it wants derivatives of the accelerations, which are taken by differences: they decide how soon it ends, not where.
 *  It offers what DormandPrinceMuntheKaas offers, also to AdaptiveMotion.
 */
template <typename Scalar>
class RadauMuntheKaas {
public:
  static constexpr int order_of_estimate = 3;

  explicit RadauMuntheKaas(const Model<Scalar>& model)
      : model_(model),
        c_{root(4, -1, 10), root(4, 1, 10), Scalar(1)},
        A_(stages, stages),
        q0_(model.zero_coordinates()),
        moved_(q0_),
        qd0_(VectorX<Scalar>::Zero(model.nv())),
        rates_(qd0_),
        w0_(qd0_),
        a0_(qd0_),
        away_(qd0_),
        faster_(qd0_),
        theta_(MatrixX<Scalar>::Zero(model.nv(), stages)),
        gain_(theta_),
        w_(theta_),
        a_(theta_)
  {
    // [radau-table]
    // How much each stage takes of the slopes at all of them: what a parabola through these comes to until then.
    A_ << root(88, -7, 360), root(296, -169, 1800), root(-2, 3, 225),  //
        root(296, 169, 1800), root(88, 7, 360), root(-2, -3, 225),     //
        root(16, -1, 36), root(16, 1, 36), root(1, 0, 9);
    // [radau-table]
  }

  /** \brief One step.
   *  \param q, qd   nq coordinates and nv rates at the time t; on return those at t + h
   *  \param qdd     called as `qdd(q, qd, t)`, returns nv accelerations; smooth in all three
   *  \param settle  called as `settle(q, qd)`, brings a state back to those that are possible
   *  \throws StateError when Newton's method does not find the stages, and whatever qdd and settle throw; then q and qd
   *          are as they were
   */
  template <typename Acceleration, typename Settle>
  void step(VectorX<Scalar>& q, VectorX<Scalar>& qd, const Scalar& t, const Scalar& h, Acceleration&& qdd,
            Settle&& settle)
  {
    attempt(q, qd, t, h, qdd, settle);
    at(Scalar(1), moved_, rates_);
    settle(moved_, rates_);
    q = moved_;
    qd = rates_;
  }

  /// \brief Try a step of length h; the state itself stays as it is. For the rest see step().
  template <typename Acceleration, typename Settle>
  void attempt(const VectorX<Scalar>& q, const VectorX<Scalar>& qd, const Scalar& t, const Scalar& h,
               Acceleration&& qdd, Settle&& settle);

  /// \brief By how much the end may be displaced, nv numbers (rad, m).
  const VectorX<Scalar>& displacement_error() const { return away_; }
  /// \brief By how much its rates may be wrong, nv numbers (rad/s, m/s).
  const VectorX<Scalar>& rate_error() const { return faster_; }

  /** \brief The state at a part of the last step, to order 3; at 1 its end.
   *  \param part  from 0 to 1   \param q, qd  found; to be settled where that is needed
   */
  void at(const Scalar& part, VectorX<Scalar>& q, VectorX<Scalar>& qd) const
  {
    q = q0_;
    displace(model_, q, VectorX<Scalar>(part * mean_slope(part, theta_)));
    qd = qd0_ + part * mean_slope(part, gain_);
  }

  /// \brief The same with the slopes at the start, and without the first stage.
  void roughly_at(const Scalar& part, VectorX<Scalar>& q, VectorX<Scalar>& qd) const
  {
    // At the stages as before, and at the start, where what is left out counts.
    const Scalar rest = (Scalar(1) - part / c_[1]) * (Scalar(1) - part);
    q = q0_;
    displace(model_, q,
             VectorX<Scalar>(part * (mean_slope(part, theta_) + rest * (h_ * w0_ - mean_slope(Scalar(0), theta_)))));
    qd = qd0_ + part * (mean_slope(part, gain_) + rest * (h_ * a0_ - mean_slope(Scalar(0), gain_)));
  }

  /// \brief The end of the last step less what is estimated as its error.
  void rival(VectorX<Scalar>& q, VectorX<Scalar>& qd) const
  {
    at(Scalar(1), q, qd);
    displace(model_, q, VectorX<Scalar>(-away_));
    qd -= faster_;
  }

private:
  static constexpr int stages = 3;

  /// (a + b sqrt(6)) / c, in any scalar.
  static Scalar root(double a, double b, double c)
  {
    using std::sqrt;
    return (Scalar(a) + Scalar(b) * sqrt(Scalar(6))) / Scalar(c);
  }

  static bool is_finite(const MatrixX<Scalar>& x)
  {
    const double size = largest(x);
    return size - size == 0;
  }

  // [radau-between]
  /// p(s)/s of the polynomials p that are zero at the start and have the given values at the stages; at s = 0 their slope.
  VectorX<Scalar> mean_slope(const Scalar& s, const MatrixX<Scalar>& values) const
  {
    VectorX<Scalar> sum = VectorX<Scalar>::Zero(values.rows());
    for (int i = 0; i < stages; ++i) {
      Scalar part = Scalar(1) / c_[i];
      for (int j = 0; j < stages; ++j)
        if (j != i) part *= (s - c_[j]) / (c_[i] - c_[j]);
      sum += part * values.col(i);
    }
    return sum;
  }
  // [radau-between]

  // [radau-slopes]
  /// The state at a displacement and rates.
  template <typename Settle>
  void place(const VectorX<Scalar>& theta, const VectorX<Scalar>& qd, Settle&& settle, VectorX<Scalar>& q,
             VectorX<Scalar>& v)
  {
    q = q0_;
    displace(model_, q, theta);
    v = qd;
    settle(q, v);
  }

  /// How fast the displacement and the rates change there and then.
  template <typename Acceleration>
  void slopes(const VectorX<Scalar>& theta, const VectorX<Scalar>& q, const VectorX<Scalar>& v, const Scalar& t,
              Acceleration&& qdd, VectorX<Scalar>& w, VectorX<Scalar>& a)
  {
    a = qdd(q, v, t);
    w = v;
    pull_back_rates(model_, theta, w);
  }
  // [radau-slopes]

  /// The derivatives of the accelerations with respect to displacement and rates, where these have led to a.
  template <typename Acceleration, typename Settle>
  void differentiate(const VectorX<Scalar>& theta, const VectorX<Scalar>& qd, const VectorX<Scalar>& a, const Scalar& t,
                     Acceleration&& qdd, Settle&& settle, MatrixX<Scalar>& K, MatrixX<Scalar>& D)
  {
    // Half of the digits for the difference, half for what it makes.
    const int n = model_.nv(), digits = std::numeric_limits<Scalar>::digits;
    const double d = std::ldexp(1.0, -(digits > 0 ? digits : 53) / 2);
    const Scalar by(d), faster(d * std::max(1.0, largest(qd)));
    K.resize(n, n);
    D.resize(n, n);
    VectorX<Scalar> q, v;
    const auto accelerations = [&](const VectorX<Scalar>& near, const VectorX<Scalar>& rates) {
      place(near, rates, settle, q, v);
      return VectorX<Scalar>(qdd(q, v, t));
    };
    for (int k = 0; k < n; ++k) {
      K.col(k) = (accelerations(theta + by * VectorX<Scalar>::Unit(n, k), qd) - a) / by;
      D.col(k) = (accelerations(theta, qd + faster * VectorX<Scalar>::Unit(n, k)) - a) / faster;
    }
  }

  /// How far apart two states are; their rates beside the largest one.
  double distance(const VectorX<Scalar>& q, const VectorX<Scalar>& v, const VectorX<Scalar>& other_q,
                  const VectorX<Scalar>& other_v) const
  {
    const VectorX<Scalar> way = displacement(model_, q, other_q), gain = other_v - v;
    return std::max(largest(way) / std::max(1.0, largest(theta_)), largest(gain) / std::max(1.0, largest(v)));
  }

  [[noreturn]] static void refuse(const Scalar& h)
  {
    throw StateError("the equations of an implicit step of " + detail::shown(static_cast<double>(comparable(h))) +
                     " s were not solved by 50 corrections; take a shorter step.");
  }

  Model<Scalar> model_;
  std::array<Scalar, stages> c_;
  MatrixX<Scalar> A_;
  VectorX<Scalar> q0_, moved_, qd0_, rates_, w0_, a0_, away_, faster_;
  MatrixX<Scalar> theta_, gain_, w_, a_;
  Scalar h_{};
  LinearStages<Scalar> newton_, filter_;
};

template <typename Scalar>
template <typename Acceleration, typename Settle>
void RadauMuntheKaas<Scalar>::attempt(const VectorX<Scalar>& q, const VectorX<Scalar>& qd, const Scalar& t,
                                      const Scalar& h, Acceleration&& qdd, Settle&& settle)
{
  q0_ = q;
  qd0_ = qd;
  h_ = h;
  const VectorX<Scalar> none = VectorX<Scalar>::Zero(model_.nv());
  const MatrixX<Scalar> hA = h * A_;
  std::vector<MatrixX<Scalar>> K(1), D(1);
  slopes(none, q, qd, t, qdd, w0_, a0_);
  differentiate(none, qd, a0_, t, qdd, settle, K[0], D[0]);
  filter_.factor(MatrixX<Scalar>::Constant(1, 1, h / Scalar(4)), K, D);
  K.resize(stages, K[0]);
  D.resize(stages, D[0]);
  newton_.factor(hA, K, D);

  // [radau]
  // A first guess: rates that stay.
  std::array<VectorX<Scalar>, stages> now, now_v, next, next_v;
  gain_.setZero();
  for (int s = 0; s < stages; ++s) {
    theta_.col(s) = c_[s] * h * qd;
    place(theta_.col(s), qd, settle, now[s], now_v[s]);
  }
  double last = std::numeric_limits<double>::infinity();
  for (int correction = 1;; ++correction) {
    for (int s = 0; s < stages; ++s) {
      slopes(theta_.col(s), now[s], now_v[s], t + c_[s] * h, qdd, away_, faster_);
      w_.col(s) = away_;
      a_.col(s) = faster_;
    }
    // The slopes at the stages must lead to the stages; Newton's method corrects what they miss.
    MatrixX<Scalar> theta, gain;
    const auto correct = [&] {
      theta = w_ * hA.transpose() - theta_;
      gain = a_ * hA.transpose() - gain_;
      newton_.solve(theta, gain);
      theta += theta_;
      gain += gain_;
      if (!is_finite(theta) || !is_finite(gain)) refuse(h);
      double size = 0;
      for (int s = 0; s < stages; ++s) {
        place(theta.col(s), qd + gain.col(s), settle, next[s], next_v[s]);
        size = std::max(size, distance(now[s], now_v[s], next[s], next_v[s]));
      }
      return size;
    };
    double size = correct();
    // The derivatives at the start are good for most steps. Where they are not, those at the stages are.
    const bool only_rounding = size <= rank_tolerance<Scalar>(model_.nv());
    if (size > last / 2 && !only_rounding) {
      for (int s = 0; s < stages; ++s)
        differentiate(theta_.col(s), qd + gain_.col(s), a_.col(s), t + c_[s] * h, qdd, settle, K[s], D[s]);
      newton_.factor(hA, K, D);
      size = correct();
    }
    theta_.swap(theta);
    gain_.swap(gain);
    now.swap(next);
    now_v.swap(next_v);

    // Each correction is about the same part of the one before; what is still to come is the sum of all that follow.
    const double part = size / last, to_come = size * part / (1 - part);
    if (size == 0 || (correction > 1 && part < 1 && to_come <= rounding<Scalar>(1) / 100)) break;
    if (part >= 1 && only_rounding) break;
    if (correction == 50) refuse(h);
    last = size;
  }
  // [radau]

  // [radau-estimate]
  // At the start the polynomials have a slope that nobody has asked for.
  MatrixX<Scalar> away = (h * w0_ - mean_slope(Scalar(0), theta_)) / Scalar(4),
                  faster = (h * a0_ - mean_slope(Scalar(0), gain_)) / Scalar(4);
  filter_.solve(away, faster);
  away_ = away;
  faster_ = faster;
  // [radau-estimate]
}

}  // namespace articulate
