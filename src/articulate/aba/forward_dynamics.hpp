/** \file
 *  \brief Recursive forward dynamics: which accelerations do these joint forces produce?
 *
 *  - Paper: Kim 2012, section 2.2, Table 3, from \eq{kim,43} to \eq{kim,50}.
 *  - Chapter: \ref aba
 */
#pragma once
#include <articulate/aba/articulated_bodies.hpp>  // the sweeps

namespace articulate {

/** \brief ABA, Kim's Table 3: joint accelerations of a tree under given joint forces, in three sweeps and O(n).
 *
 *  Owns its workspace: a call allocates nothing. What the recursion saw can be read afterwards.
 */
template <typename Scalar>
class ForwardDynamics : public ArticulatedBodies<Scalar> {
  using Base = ArticulatedBodies<Scalar>;
  using Base::model_;

public:
  /** \brief Make the workspace.
   *  \throws ModelError when a joint could move without moving any mass: its acceleration would be undefined
   */
  explicit ForwardDynamics(const Model<Scalar>& model)
      : ArticulatedBodies<Scalar>(model, Indexed<bool>(model.nv(), false)), qdd_(VectorX<Scalar>::Zero(model.nv()))
  {
  }

  /** \brief Joint accelerations for the given forces.
   *  \param q    nq coordinates (rad, m; free joint: position, quaternion x y z w)
   *  \param qd   nv joint rates (rad/s, m/s; free joint: body twist)
   *  \param tau  nv joint forces (N m, N; free joint: wrench in the body frame)
   *  \param Fext external wrenches on the bodies, in body frames (N m, N); empty for none
   *  \return     nv joint accelerations, the component-wise derivative of qd
   *  \throws SizeError naming the argument, the length given and the length expected
   *  \throws StateError when a joint's articulated inertia vanishes at this q: its angles are singular, or numbers overflow
   */
  const VectorX<Scalar>& operator()(const VectorRef<Scalar>& q, const VectorRef<Scalar>& qd,
                                    const VectorRef<Scalar>& tau, const ExternalWrenches<Scalar>& Fext = {})
  {
    detail::require_size("q", q, model_.nq());
    detail::require_size("qd", qd, model_.nv());
    detail::require_size("tau", tau, model_.nv());
    this->sweep(q, qd, tau, qdd_, Fext);
    return qdd_;
  }

private:
  VectorX<Scalar> qdd_;
};

/// \brief Forward dynamics in one line; see ForwardDynamics.
template <typename Scalar>
VectorX<Scalar> forward_dynamics(const Model<Scalar>& model, VectorArgument<Scalar> q, VectorArgument<Scalar> qd,
                                 VectorArgument<Scalar> tau, WrenchesArgument<Scalar> Fext = {})
{
  return ForwardDynamics<Scalar>(model)(q, qd, tau, Fext);
}

}  // namespace articulate
