/** \file
 *  \brief The Coriolis matrix of one body, and why there are many: all give the same wrench, not all are skew-symmetric.
 *
 *  - Papers: Ploen, section 5, \eq{ploen,30} to \eq{ploen,34} and Proposition 1, \eq{ploen,P1}; the families that are not
 *    in the paper are ours.
 *  - Chapter: \ref skew_symmetry
 */
#pragma once
#include <articulate/body/inertia.hpp>  // Inertia, Twist, coad

namespace articulate {

/** \brief How the wrench \f$-\ad^*_V\mathcal I V\f$ of a body is written as a matrix times V.
 *
 *  All but the first are skew-symmetric, and make \f$\dot M - 2C\f$ so for the mechanism.
 */
enum class CoriolisFamily {
  newton_euler,  ///< \f$-\ad^*_V\mathcal I\f$ \eq{ploen,30}: the recursion as it is; not admissible
  ploen,         ///< \f$\bar C\f$ of Proposition 1 \eq{ploen,P1}; depends on where the frames' origins are
  bracket,       ///< \f$\mathcal I\ad_V - \ad_V^{\mathsf T}\mathcal I\f$
  momentum,      ///< \f$W \mapsto -\ad^*_W\mathcal I V\f$
  christoffel    ///< that of the Christoffel symbols \eq{ploen,2}: each point moves with W and is turned with V
};

/// \brief Whether \f$\dot M - 2C\f$ is skew-symmetric.
inline bool is_admissible(CoriolisFamily family) { return family != CoriolisFamily::newton_euler; }

// [coriolis-wrench]
/** \brief The Coriolis matrix of a body that moves with V, times W: a wrench in the body frame.
 *
 *  Linear in the inertia, in V and in W. With W = V it is \f$-\ad^*_V\mathcal IV\f$ in every family.
 */
template <typename Scalar>
Wrench<Scalar> coriolis_wrench(CoriolisFamily family, const Inertia<Scalar>& I, const Twist<Scalar>& V,
                               const Twist<Scalar>& W)
{
  switch (family) {
    case CoriolisFamily::newton_euler:
      return -coad(V, I * W);  // (30)
    case CoriolisFamily::ploen:
      return {cross(V.w, I.second_moment * W.w) + I.second_moment * cross(V.w, W.w) +
                  cross(I.first_moment, cross(V.w, W.v)),
              I.mass * cross(V.w, W.v) - cross(V.w, cross(I.first_moment, W.w))};  // Proposition 1
    case CoriolisFamily::bracket:
      return I * ad(V, W) - coad(V, I * W);
    case CoriolisFamily::momentum:
      return -coad(W, I * V);
    default: {
      const Symmetric3<Scalar>& J = I.second_moment;
      const Scalar half_trace = (J.xx + J.yy + J.zz) / Scalar(2);
      return {half_trace * cross(V.w, W.w) - cross(J * V.w, W.w) + cross(I.first_moment, cross(V.w, W.v)),
              I.mass * cross(V.w, W.v) - cross(V.w, cross(I.first_moment, W.w))};
    }
  }
}
// [coriolis-wrench]

/// \brief The 6x6 matrix of `coriolis_wrench`, as a map of W.
template <typename Scalar>
Matrix6<Scalar> coriolis_matrix(CoriolisFamily family, const Inertia<Scalar>& I, const Twist<Scalar>& V)
{
  Matrix6<Scalar> C;
  for (int k = 0; k < 6; ++k)
    C.col(k) = coordinates(coriolis_wrench(family, I, V, to_twist(Vector6<Scalar>(Vector6<Scalar>::Unit(k)))));
  return C;
}

}  // namespace articulate
