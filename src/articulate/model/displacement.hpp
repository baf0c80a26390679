/** \file
 *  \brief Moving coordinates along joint rates, which for a free joint is not an addition.
 *
 *  - Chapters: \ref model, and for what changes along the way \ref constrained
 */
#pragma once
#include <articulate/group/dexp_inverse.hpp>
#include <articulate/group/matrices.hpp>  // to_twist
#include <articulate/model/model.hpp>

namespace articulate {

/** \brief Move q to where every joint goes by its part of delta; allocates nothing.
 *
 *  Joints with coordinates of their own add; a free joint, and a ball likewise, goes to \f$T e^{[\delta]}\f$, so that a
 *  curve \f$\delta(t) = \dot q t\f$ has the body twist \f$\dot q\f$ at t = 0.
 *  \param q      nq coordinates   \param delta  nv displacements (rad, m)
 *  \throws SizeError naming the argument, the length given and the length expected
 */
template <typename Scalar>
void displace(const Model<Scalar>& model, VectorX<Scalar>& q, const VectorX<Scalar>& delta)
{
  if (q.size() != model.nq()) throw SizeError("q", q.size(), model.nq());
  if (delta.size() != model.nv()) throw SizeError("delta", delta.size(), model.nv());
  for (int i = 1; i <= model.bodies(); ++i) {
    const Body<Scalar>& body = model.body(i);
    if (body.nq == body.nv) {
      q.segment(body.q, body.nq) += delta.segment(body.v, body.nv);
      continue;
    }
    const int at = body.q + body.nq - 4;  // the quaternion
    const Quaternion<Scalar> orientation{{q(at), q(at + 1), q(at + 2)}, q(at + 3)};
    const Vector3<Scalar> w{delta(body.v), delta(body.v + 1), delta(body.v + 2)};
    const Quaternion<Scalar> turned = orientation * quaternion_exp(w);
    for (int k = 0; k < 3; ++k) q(at + k) = turned.v[k];
    q(at + 3) = turned.w;
    if (body.kind != JointKind::free) continue;
    const Vector3<Scalar> p = SO3<Scalar>(orientation) * exp(to_twist(delta.segment(body.v, 6))).p;
    for (int k = 0; k < 3; ++k) q(body.q + k) += p[k];
  }
}

/// \brief The coordinates reached from q by displace().
template <typename Scalar>
VectorX<Scalar> displaced(const Model<Scalar>& model, VectorX<Scalar> q, const VectorX<Scalar>& delta)
{
  displace(model, q, delta);
  return q;
}

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

/** \brief How a displacement grows: from the rates at the displaced place to \f$\dot\theta = \text{dexp}_\theta^{-1}\,\dot q\f$.
 *
 *  For joints with coordinates of their own both are the same.
 *  \param theta  nv displacements (rad, m)   \param rates  nv rates there, replaced by \f$\dot\theta\f$
 */
template <typename Scalar>
void pull_back_rates(const Model<Scalar>& model, const VectorX<Scalar>& theta, VectorX<Scalar>& rates)
{
  for (int i = 1; i <= model.bodies(); ++i) {
    const Body<Scalar>& body = model.body(i);
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
  for (int i = 1; i <= model.bodies(); ++i) {
    const Body<Scalar>& body = model.body(i);
    if (body.nq == body.nv) continue;
    const Twist<Scalar> P = detail::twist_of_joint(body, p);
    const Wrench<Scalar> back = codexp_inverse(detail::twist_of_joint(body, theta), Wrench<Scalar>{P.w, P.v});
    for (int k = 0; k < body.nv; ++k) p(body.v + k) = (k < 3 ? back.m : back.f)[k % 3];
  }
}

}  // namespace articulate
