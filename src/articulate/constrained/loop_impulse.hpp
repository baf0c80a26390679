/** \file
 *  \brief How the rates jump when loops close at once: a gripper that locks, a foot that lands and stays.
 *
 *  - Chapter: \ref derivatives, \eq{ours,59}; the impulses of \eq{ours,1} and \eq{ours,2}, in rows that hold in both
 *    directions.
 */
#pragma once
#include <type_traits>
#include <articulate/constrained/constrained_dynamics.hpp>
#include <articulate/constrained/restitution.hpp>

namespace articulate {

/** \brief \f$M(\dot q^+ - \dot q^-) = A^{\mathsf T}\Lambda,\ A(\dot q^+ + e\,\dot q^-) = 0\f$: rates before and after an impulse.
 *
 *  All rows of the loops take part, and may pull; rows that only push are those of Impact. Where rows depend on each other
 *  the rates are unique all the same, and the shortest of all impulses is taken. Pinocchio: impulseDynamics; RBDL:
 *  ComputeConstraintImpulsesDirect.
 */
template <typename Scalar>
class LoopImpulse {
public:
  Loops<Scalar> loops;                 ///< at rest, at the coordinates of the latest call
  ConstrainedDynamics<Scalar> system;  ///< at rest there, without gravity: its accelerations are the jump
  VectorX<Scalar> qd;                  ///< nv rates after the impulse
  VectorX<Scalar> Lambda;              ///< m impulses (N s, N m s)

  /** \brief Make the workspace.
   *  \throws ModelError for loops that make no sense, see Loops, and when a joint could move without moving any mass
   */
  LoopImpulse(const Model<Scalar>& model, const std::vector<Loop>& closing)
      : loops(model, closing),
        system(model, std::vector<bool>(static_cast<std::size_t>(model.nv()), false), loops.rows()),
        qd(VectorX<Scalar>::Zero(model.nv())),
        Lambda(VectorX<Scalar>::Zero(loops.rows()))
  {
    system.tree.set_gravity({});
  }

  /** \brief Let the loops close.
   *  \param q            nq coordinates   \param before  nv rates, which need not keep the loops closed
   *  \param restitution  from 0 (plastic) to 1 (elastic)
   *  \throws SizeError naming the argument, the length given and the length expected
   *  \throws StateError for a restitution that is none
   */
  void operator()(const VectorRef<Scalar>& q, const VectorRef<Scalar>& before, const Scalar& restitution = Scalar(0))
  {
    detail::require_size("before", before, loops.model().nv());
    detail::require_restitution(restitution);
    const VectorX<Scalar> none = VectorX<Scalar>::Zero(loops.model().nv());
    // [loop-impulse]
    // The rates jump as the accelerations of a machine at rest would, if its rows lacked that much.
    loops(q, none);
    qd = before;
    VectorX<Scalar> lacking = loops.A * qd;
    lacking *= Scalar(1) + restitution;
    system(q, none, none, none, loops.A, lacking);
    qd += system.qdd();
    Lambda = system.lambda();
    // [loop-impulse]
  }
};

/// \brief The rates after an impulse, and the impulse itself.
template <typename Scalar>
struct ImpulseOfLoops {
  VectorX<Scalar> qd;      ///< nv
  VectorX<Scalar> Lambda;  ///< m, the shortest where it is not unique
};

/// \brief Rates and impulses when loops close at once, in one line; see LoopImpulse.
template <typename Scalar>
ImpulseOfLoops<Scalar> loop_impulse(const Model<Scalar>& model, const std::vector<Loop>& loops,
                                    VectorArgument<Scalar> q, VectorArgument<Scalar> before,
                                    const std::type_identity_t<Scalar>& restitution = Scalar(0))
{
  LoopImpulse<Scalar> impulse(model, loops);
  impulse(q, before, restitution);
  return {impulse.qd, impulse.Lambda};
}

}  // namespace articulate
