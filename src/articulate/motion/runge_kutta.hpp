/** \file
 *  \brief A step in time by the method of Runge and Kutta, made to stay on the group by Munthe-Kaas.
 *
 *  - Chapter: \ref motion
 *  - Published by Munthe-Kaas in 1998; none of the five papers integrates.
 */
#pragma once
#include <articulate/motion/pull_back.hpp>  // and displace

namespace articulate {

/** \brief Order 4, for any accelerations: of a tree, of a machine with loops, of anything else on the same coordinates.
 *
 *  Within a step \f$q(t) = q_0\,e^{\theta(t)}\f$, with joints that add as the special case. The equation for
 *  \f$\theta\f$ lives in a vector space, and the classical method with its four stages solves it. Owns its workspace: a
 *  step allocates nothing.
 */
template <typename Scalar>
class RungeKuttaMuntheKaas {
public:
  explicit RungeKuttaMuntheKaas(const Model<Scalar>& model)
      : model_(model),
        moved_(model.zero_coordinates()),
        theta_(VectorX<Scalar>::Zero(model.nv())),
        w_(theta_),
        a_(theta_),
        sum_theta_(theta_),
        sum_qd_(theta_),
        rates_(theta_)
  {
  }

  /** \brief One step.
   *  \param q, qd  nq coordinates and nv rates at the time t; on return those at t + h
   *  \param qdd    called as `qdd(q, qd, t)`, returns nv accelerations: the component-wise derivative of qd
   *  \throws whatever qdd throws; then q and qd are as they were
   */
  template <typename Acceleration>
  void step(VectorX<Scalar>& q, VectorX<Scalar>& qd, const Scalar& t, const Scalar& h, Acceleration&& qdd)
  {
    step(q, qd, t, h, qdd, [](VectorX<Scalar>&, VectorX<Scalar>&) {});
  }

  /** \brief One step of a machine whose states are a part of all: each stage, and the end, is brought back to it.
   *  \param settle  called as `settle(q, qd)`, changes both; where nothing has to be changed it changes nothing
   */
  template <typename Acceleration, typename Settle>
  void step(VectorX<Scalar>& q, VectorX<Scalar>& qd, const Scalar& t, const Scalar& h, Acceleration&& qdd,
            Settle&& settle)
  {
    // [rkmk]
    // How far each stage goes, and with which weight it counts.
    const Scalar stage[] = {Scalar(0), h / Scalar(2), h / Scalar(2), h};
    const Scalar weight[] = {h / Scalar(6), h / Scalar(3), h / Scalar(3), h / Scalar(6)};
    w_.setZero();
    a_.setZero();
    sum_theta_.setZero();
    sum_qd_.setZero();
    for (int s = 0; s < 4; ++s) {
      // From the start along what the stage before has found.
      theta_ = stage[s] * w_;
      rates_ = qd + stage[s] * a_;
      moved_ = q;
      displace(model_, moved_, theta_);
      if (s > 0) settle(moved_, rates_);
      a_ = qdd(moved_, rates_, t + stage[s]);
      // How fast theta must change there for the body to move with these rates.
      w_ = rates_;
      pull_back_rates(model_, theta_, w_);
      sum_theta_ += weight[s] * w_;
      sum_qd_ += weight[s] * a_;
    }
    moved_ = q;
    displace(model_, moved_, sum_theta_);
    rates_ = qd + sum_qd_;
    settle(moved_, rates_);
    q = moved_;
    qd = rates_;
    // [rkmk]
  }

private:
  Model<Scalar> model_;
  VectorX<Scalar> moved_, theta_, w_, a_, sum_theta_, sum_qd_, rates_;
};

}  // namespace articulate
