/** \file
 *  \brief How the motion and the constraint forces of a system with loops change with a parameter.
 *
 *  - Paper: Kim 2012, sections 3.2, 3.3 and 4: \eq{kim,70}, \eq{kim,71} differentiated with Table 5.
 *  - Chapter: \ref derivatives
 */
#pragma once
#include <utility>
#include <articulate/constrained/constrained_dynamics.hpp>
#include <articulate/constrained/loops.hpp>
#include <articulate/derivatives/inverse_derivative.hpp>

namespace articulate {

/** \brief \f$\partial(\ddot q_v, \tau_u, \lambda)/\partial p\f$ of a tree with closed loops.
 *
 *  At held accelerations and multipliers, Table 5 with the constraint forces as external wrenches tells what the equation
 *  of motion gains, and the relative motion of the loops what the constraints gain. The unknown changes offset both:
 *  one more response of the system that was just solved. With dependent rows, the shortest change of multipliers
 *  is taken.
 */
template <typename Scalar>
class ConstrainedDynamicsDerivative {
public:
  VectorX<Scalar> dqdd;           ///< nv: those given in u, those found in v
  VectorX<Scalar> dtau;           ///< nv: those given in v, those found in u
  VectorX<Scalar> dlambda;        ///< m
  VectorX<Scalar> contradiction;  ///< m: what of the constraints' change could not be met

  explicit ConstrainedDynamicsDerivative(const Model<Scalar>& model) : rnea_(model), inverse_(model) {}

  /** \brief The derivative along p.
   *  \param run    constrained dynamics, run at the state with A and Adot_qd of `loops`
   *  \param loops  evaluated at the state
   *  \param q, qd  the nq coordinates and nv rates   \param Fext  the external wrenches of the run
   *  \param seeds  what p moves, of dqdd in u only and of dtau in v only
   *  \throws StateError when one of the two has not run
   */
  void operator()(ConstrainedDynamics<Scalar>& run, const Loops<Scalar>& loops, const VectorRef<Scalar>& q,
                  const VectorRef<Scalar>& qd, const ExternalWrenches<Scalar>& Fext, Seeds<Scalar> seeds)
  {
    (*this)(run, loops, q, qd, run.qdd(), run.lambda(), Fext, std::move(seeds));
  }

  /** \brief The same at other accelerations, with the multipliers that meet the constraints there.
   *
   *  The left sides of the equations are those of the run; the forces that are given may be others.
   *  \param qdd  nv accelerations   \param lambda  m multipliers
   */
  void operator()(ConstrainedDynamics<Scalar>& run, const Loops<Scalar>& loops, const VectorRef<Scalar>& q,
                  const VectorRef<Scalar>& qd, const VectorRef<Scalar>& qdd, const VectorRef<Scalar>& lambda,
                  const ExternalWrenches<Scalar>& Fext, Seeds<Scalar> seeds)
  {
    const Model<Scalar>& model = rnea_.model();
    if (!Fext.empty()) detail::require_size("Fext", Fext, model.bodies() + 1);
    dqdd = seeds.dqdd;
    dtau = seeds.dtau;
    // [constrained-derivative]
    // The constraint forces as wrenches on the bodies, carried along where the bodies are displaced.
    ExternalWrenches<Scalar> F = Fext;
    F.resize(model.bodies() + 1);
    loops.add_reactions(lambda, F);
    rnea_.Vdot[0] = run.tree.Vdot[0];
    rnea_(q, qd, qdd, F);
    Indexed<Twist<Scalar>> displacement(model.bodies() + 1);
    for (const Body<Scalar>& body : model.outward())
      displacement[body.index] = AdInv(rnea_.T[body.index], displacement[body.parent]) + seeds.dh[body.index];
    loops.add_reaction_derivatives(lambda, displacement, seeds.dFext);

    // What the equations gain at held accelerations and multipliers, and the changes that compensate it.
    seeds.dqdd.setZero();
    const VectorX<Scalar> gain = inverse_(rnea_, qd, qdd, seeds);
    contradiction = loops.acceleration_derivative(rnea_, inverse_.dV, inverse_.dVdot, displacement);
    dtau -= gain;
    dlambda.resize(contradiction.size());
    run.respond(dtau, dqdd, contradiction, dlambda);
    for (int k = 0; k < model.nv(); ++k)
      dtau(k) = run.tree.is_prescribed(k) ? Scalar(dtau(k) + gain(k)) : seeds.dtau(k);
    // [constrained-derivative]
  }

private:
  InverseDynamics<Scalar> rnea_;
  InverseDynamicsDerivative<Scalar> inverse_;
};

/// \brief How all accelerations, forces and multipliers of a system with loops change with a parameter.
template <typename Scalar>
struct ConstrainedMotionDerivative {
  VectorX<Scalar> dqdd, dtau;     ///< nv each
  VectorX<Scalar> dlambda;        ///< m, the shortest where it is not unique
  VectorX<Scalar> contradiction;  ///< m: what of the constraints' change could not be met
};

/** \brief \f$\partial(\ddot q, \tau, \lambda)/\partial p\f$ of \eq{kim,70}, \eq{kim,71} in one line.
 *
 *  The other arguments are those of constrained_dynamics(); see ConstrainedDynamicsDerivative.
 */
template <typename Scalar>
ConstrainedMotionDerivative<Scalar> constrained_dynamics_derivative(
    const Model<Scalar>& model, const std::vector<Loop>& loops, const std::vector<bool>& prescribed,
    const Parameter& parameter, VectorArgument<Scalar> q, VectorArgument<Scalar> qd, VectorArgument<Scalar> qdd,
    VectorArgument<Scalar> tau, const ExternalWrenches<Scalar>& Fext = {})
{
  Loops<Scalar> constraints(model, loops);
  constraints(q, qd);
  ConstrainedDynamics<Scalar> run(model, prescribed, constraints.rows());
  run(q, qd, qdd, tau, constraints.A, constraints.Adot_qd, Fext);
  ConstrainedDynamicsDerivative<Scalar> of(model);
  of(run, constraints, q, qd, Fext, seeds_of(parameter, run.tree, qd));
  return {of.dqdd, of.dtau, of.dlambda, of.contradiction};
}

}  // namespace articulate
