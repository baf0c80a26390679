/** \file
 *  \brief Rates and momenta at a displaced place, as they look from where the displacement began.
 *
 *  - Chapter: \ref motion
 */
#pragma once
#include <articulate/motion/dexp_inverse.hpp>
#include <articulate/model/displacement.hpp>

namespace articulate {

namespace detail {

/// The twist of a ball or of a free joint in nv numbers; a ball turns only.
template <typename Scalar>
Twist<Scalar> twist_of_joint(const Body<Scalar>& body, const VectorX<Scalar>& x)
{
  Twist<Scalar> xi;
  for (int k = 0; k < body.nv; ++k) (k < 3 ? xi.w : xi.v)[k % 3] = x(body.v + k);
  return xi;
}

}  // namespace detail

/** \brief How a displacement grows with the rates at the displaced place: \f$\dot\theta = \text{dexp}_\theta^{-1}\dot q\f$.
 *
 *  For joints with coordinates of their own both are the same.
 *  \param theta  nv displacements (rad, m)   \param rates  nv rates there, replaced by \f$\dot\theta\f$
 */
template <typename Scalar>
void pull_back_rates(const Model<Scalar>& model, const VectorX<Scalar>& theta, VectorX<Scalar>& rates)
{
  for (const Body<Scalar>& body : model.outward()) {
    if (body.nq == body.nv) continue;
    const Twist<Scalar> back = dexp_inverse(detail::twist_of_joint(body, theta), detail::twist_of_joint(body, rates));
    for (int k = 0; k < body.nv; ++k) rates(body.v + k) = (k < 3 ? back.w : back.v)[k % 3];
  }
}

/** \brief The transpose of pull_back_rates(): momenta p are replaced by \f$\text{dexp}_\theta^{-\mathsf T}p\f$.
 *  \param theta  nv displacements (rad, m)   \param p  nv momenta or forces
 */
template <typename Scalar>
void pull_back_momenta(const Model<Scalar>& model, const VectorX<Scalar>& theta, VectorX<Scalar>& p)
{
  for (const Body<Scalar>& body : model.outward()) {
    if (body.nq == body.nv) continue;
    const Twist<Scalar> P = detail::twist_of_joint(body, p);
    const Wrench<Scalar> back = codexp_inverse(detail::twist_of_joint(body, theta), Wrench<Scalar>{P.w, P.v});
    for (int k = 0; k < body.nv; ++k) p(body.v + k) = (k < 3 ? back.m : back.f)[k % 3];
  }
}

/** \brief The displacement that leads from one place to another: displace() carries q to there by it.
 *  \param from, to  nq coordinates
 *  \return nv numbers; of a ball or a free joint the shortest way
 */
template <typename Scalar>
VectorX<Scalar> displacement(const Model<Scalar>& model, const VectorX<Scalar>& from, const VectorX<Scalar>& to)
{
  VectorX<Scalar> delta(model.nv());
  for (const Body<Scalar>& body : model.outward()) {
    if (body.nq == body.nv) {
      delta.segment(body.v, body.nv) = to.segment(body.q, body.nq) - from.segment(body.q, body.nq);
      continue;
    }
    const Twist<Scalar> xi = log(inverse(joint_pose(body, &from(body.q))) * joint_pose(body, &to(body.q)));
    for (int k = 0; k < body.nv; ++k) delta(body.v + k) = (k < 3 ? xi.w : xi.v)[k % 3];
  }
  return delta;
}

}  // namespace articulate
