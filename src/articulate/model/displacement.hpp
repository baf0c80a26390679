/** \file
 *  \brief Moving coordinates along joint rates, which for a free joint is not an addition.
 *
 *  - Chapter: \ref model
 */
#pragma once
#include <articulate/group/matrices.hpp>  // to_twist
#include <articulate/model/model.hpp>

namespace articulate {

/** \brief Move every joint of q by its part of delta; allocates nothing.
 *
 *  Joints with coordinates of their own add; a free joint, and likewise a ball, goes to \f$T e^{[\delta]}\f$, so that a
 *  curve \f$\delta(t) = \dot q t\f$ has the body twist \f$\dot q\f$ at t = 0.
 *  \param q      nq coordinates   \param delta  nv displacements (rad, m)
 *  \throws SizeError naming the argument, the length given and the length expected
 */
template <typename Scalar>
void displace(const Model<Scalar>& model, VectorX<Scalar>& q, const VectorX<Scalar>& delta)
{
  if (q.size() != model.nq()) throw SizeError("q", q.size(), model.nq());
  if (delta.size() != model.nv()) throw SizeError("delta", delta.size(), model.nv());
  for (const Body<Scalar>& body : model.outward()) {
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

}  // namespace articulate
