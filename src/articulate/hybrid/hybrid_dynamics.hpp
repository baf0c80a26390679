/** \file
 *  \brief Recursive hybrid dynamics: some accelerations are known and some forces; what are the others?
 *
 *  - Paper: Kim 2012, section 2.3, \eq{kim,33}, \eq{kim,34}, \eq{kim,51} to \eq{kim,53}, Tables 1 and 4.
 *  - Chapter: \ref hybrid
 */
#pragma once
#include <articulate/aba/articulated_bodies.hpp>  // the sweeps

namespace articulate {

/** \brief Kim's Table 4: forces where the acceleration is prescribed, accelerations where the force is, in O(n).
 *
 *  The two sets are fixed once, for every degree of freedom, when the workspace is made. With nothing prescribed this is
 *  forward dynamics, with everything prescribed inverse dynamics. A call allocates nothing; what the recursion saw can
 *  be read afterwards.
 */
template <typename Scalar>
class HybridDynamics : public ArticulatedBodies<Scalar> {
  using Base = ArticulatedBodies<Scalar>;
  using Base::model_;

public:
  using Base::F;

  /** \brief Make the workspace.
   *  \param prescribed  nv flags: is the acceleration of this degree prescribed (set u), or its force (set v)?
   *  \throws SizeError for the wrong number of flags
   *  \throws ModelError when a joint in v could move without moving any mass: its acceleration would be undefined
   */
  HybridDynamics(const Model<Scalar>& model, const std::vector<bool>& prescribed)
      : ArticulatedBodies<Scalar>(model, prescribed),
        tau_(VectorX<Scalar>::Zero(model.nv())),
        qdd_(VectorX<Scalar>::Zero(model.nv()))
  {
  }

  /** \brief What completes the given motion and forces.
   *  \param q    nq coordinates (rad, m; free joint: position, quaternion x y z w)
   *  \param qd   nv joint rates (rad/s, m/s; free joint: body twist); not the numbers that qdd() or tau() of this object hold
   *  \param qdd  nv joint accelerations, of which those in u are read
   *  \param tau  nv joint forces (N m, N; free joint: wrench in the body frame), of which those in v are read
   *  \param Fext external wrenches on the bodies, in body frames (N m, N); empty for none
   *  \throws SizeError naming the argument, the length given and the length expected
   *  \throws StateError when a joint's articulated inertia vanishes at this q: its angles are singular, or numbers overflow
   */
  void operator()(const VectorRef<Scalar>& q, const VectorRef<Scalar>& qd, const VectorRef<Scalar>& qdd,
                  const VectorRef<Scalar>& tau, const ExternalWrenches<Scalar>& Fext = {})
  {
    detail::require_size("q", q, model_.nq());
    detail::require_size("qd", qd, model_.nv());
    detail::require_size("qdd", qdd, model_.nv());
    detail::require_size("tau", tau, model_.nv());
    // [hybrid]
    // Copy accelerations and forces as if all were known; the sweeps replace those that are not.
    qdd_ = qdd;
    tau_ = tau;
    this->sweep(q, qd, tau_, qdd_, Fext);
    for (const Body<Scalar>& body : model_.outward()) this->forces_of_prescribed(body, F[body.index], qdd_, tau_);
    // [hybrid]
  }

  /// \brief nv accelerations: those given in u, those found in v.   \throws StateError before the first run
  const VectorX<Scalar>& qdd() const
  {
    this->require_run("acceleration");
    return qdd_;
  }
  /// \brief nv forces: those given in v, those found in u.   \throws StateError before the first run
  const VectorX<Scalar>& tau() const
  {
    this->require_run("joint force");
    return tau_;
  }

private:
  VectorX<Scalar> tau_, qdd_;
};

/// \brief All accelerations and all forces of a motion.
template <typename Scalar>
struct MotionAndForces {
  VectorX<Scalar> qdd, tau;  ///< nv each
};

/// \brief Hybrid dynamics in one line; see HybridDynamics.
template <typename Scalar>
MotionAndForces<Scalar> hybrid_dynamics(const Model<Scalar>& model, const std::vector<bool>& prescribed,
                                        VectorArgument<Scalar> q, VectorArgument<Scalar> qd, VectorArgument<Scalar> qdd,
                                        VectorArgument<Scalar> tau, WrenchesArgument<Scalar> Fext = {})
{
  HybridDynamics<Scalar> dynamics(model, prescribed);
  dynamics(q, qd, qdd, tau, Fext);
  return {dynamics.qdd(), dynamics.tau()};
}

}  // namespace articulate
