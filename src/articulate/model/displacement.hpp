/** \file
 *  \brief Moving coordinates along joint rates, which for a free joint is not an addition.
 *
 *  - Chapter: \ref model
 */
#pragma once
#include <articulate/model/model.hpp>

namespace articulate {

/** \brief The coordinates reached from q when every joint moves by its part of delta.
 *
 *  One-degree joints add; a free joint goes to \f$T e^{[\delta]}\f$, so that a curve \f$\delta(t) = \dot q t\f$ has the
 *  body twist \f$\dot q\f$ at t = 0.
 *  \param q      nq coordinates   \param delta  nv displacements (rad, m)
 *  \throws SizeError naming the argument, the length given and the length expected
 */
template <typename Scalar>
VectorX<Scalar> displaced(const Model<Scalar>& model, const VectorX<Scalar>& q, const VectorX<Scalar>& delta)
{
  if (q.size() != model.nq()) throw SizeError("q", q.size(), model.nq());
  if (delta.size() != model.nv()) throw SizeError("delta", delta.size(), model.nv());
  VectorX<Scalar> moved = q;
  for (int i = 1; i <= model.bodies(); ++i) {
    const Body<Scalar>& body = model.body(i);
    if (body.kind == JointKind::screw) {
      moved(body.q) += delta(body.v);
      continue;
    }
    const Quaternion<Scalar> orientation{{q(body.q + 3), q(body.q + 4), q(body.q + 5)}, q(body.q + 6)};
    const Twist<Scalar> step = to_twist(delta.segment(body.v, 6));
    const Vector3<Scalar> p = SO3<Scalar>(orientation) * exp(step).p;
    const Quaternion<Scalar> turned = orientation * quaternion_exp(step.w);
    for (int k = 0; k < 3; ++k) moved(body.q + k) += p[k], moved(body.q + 3 + k) = turned.v[k];
    moved(body.q + 6) = turned.w;
  }
  return moved;
}

}  // namespace articulate
