/** \file
 *  \brief The library in double, its classes and what else has loops: a compiler reads all of it, not only what is called.
 */
#include <articulate/articulate.hpp>

namespace articulate {

template class Indexed<double>;
template class Model<double>;
template class JointJacobian<double>;
template class Recursion<double>;
template class RootPoses<double>;
template class RootFrame<double>;
template class SideBySide<Twist, double>;
template class SpaceMotion<double>;
template class ForwardKinematics<double>;
template class InverseDynamics<double>;
template struct EquationsOfMotion<double>;
template class Pivot<double>;
template class ArticulatedBodies<double>;
template class ForwardDynamics<double>;
template class HybridDynamics<double>;
template class InverseMassMatrix<double>;
template class Mobility<double>;
template class SemidefiniteSolver<double>;
template class Loops<double>;
template class Assembly<double>;
template class ConstrainedDynamics<double>;
template class RungeKuttaMuntheKaas<double>;
template class LagrangianDerivatives<double>;
template class VariationalIntegrator<double>;
template struct Seeds<double>;
template class InverseDynamicsDerivative<double>;
template class InverseDynamicsJacobians<double>;
template class HybridDynamicsDerivative<double>;
template class HybridDynamicsJacobians<double>;
template class LinkDerivatives<double>;
template class CentroidalDerivatives<double>;
template Indexed<MatrixX<double>> link_jacobian_derivatives(const ForwardKinematics<double>&, const LinkFrame<double>&,
                                                            JacobianFrame);
template class InverseDynamicsSecondDerivatives<double>;
template class HybridDynamicsSecondDerivatives<double>;
template class ConstrainedDynamicsDerivative<double>;
template class LoopImpulse<double>;
template class LoopImpulseDerivative<double>;
template class ForceElements<double>;
template class ForceElementsJacobians<double>;
template class CompositeBodies<double>;
template class ScrewSystem<double>;
template class InertiaMetric<double>;
template class Curvature<double>;
template struct GlobalMatrices<double>;
template class CentroidalMomentum<double>;
template class LagrangeEquations<double>;
template class EnergyRegressor<double>;
template class Regressor<double>;
template class CoriolisMatrix<double>;
template class ReferenceDynamics<double>;
template class Binomials<double>;
template class SpatialForm<double>;
template class TaylorRecursion<double>;
template class BodyForm<double>;
template class HigherOrderDynamics<double>;
template struct StackedMatrices<double>;
template class LoopMotion<double>;
template class WorkingProcess<double>;
template class HydraulicManipulator<double>;

using Pose = SE3<double>;
using Twists = std::vector<Twist<double>>;
using Wrenches = std::vector<Wrench<double>>;
using Numbers = VectorX<double>;
using Dense = MatrixX<double>;

template void displace(const Model<double>&, Numbers&, const Numbers&);
template Dense point_jacobian(const ForwardKinematics<double>&, const LinkFrame<double>&, const Vector3<double>&);
template ConstrainedForces<double> constrained_inverse_dynamics(const Numbers&, const Numbers&, const Dense&,
                                                                const std::vector<bool>&, Least);
template Dense operational_inertia(Mobility<double>&, const Dense&);
template Dense constrained_mobility(Mobility<double>&, const Dense&, const Dense&);
template void Parameter::add_to(Seeds<double>&, const Recursion<double>&, const VectorRef<double>&) const;
template void hold_in_space(Seeds<double>&, const Recursion<double>&, const ExternalWrenches<double>&);
template Numbers inertial_parameters(const Model<double>&);
template OffsetBehind<double> offset_behind(const OffsetsBetween<double>&);
template OffsetBefore<double> offset_before(const OffsetBehind<double>&);
template OffsetsBetween<double> offsets_between(const OffsetBehind<double>&, const std::vector<Pose>&);
template Pose pose(const OffsetsBetween<double>&, const Numbers&);
template Pose pose(const OffsetBehind<double>&, const Numbers&);
template Pose pose(const OffsetBefore<double>&, const Numbers&);
template OffsetBehind<double> offset_behind(const ScrewSystem<double>&, const LinkFrame<double>&);
template std::vector<Matrix4<double>> pose_derivatives(const Pose&, const Twists&);
template Twists spatial_twists(const std::vector<Matrix4<double>>&);
template Twists to_spatial(const Pose&, const Twists&);
template Twists to_body(const Pose&, const Twists&);
template Wrenches to_spatial(const Pose&, const Twists&, const Wrenches&);
template Wrenches to_body(const Pose&, const Twists&, const Wrenches&);
template Dense coriolis_matrix(const SpatialForm<double>&);
template std::vector<Pose> poses(const JointFrameChain<double>&, const Numbers&);
template JointFrameChain<double> joint_frames(const OffsetBehind<double>&, const double&);
template std::vector<Pose> poses(const DenavitHartenbergChain<double>&, const Numbers&);
template DenavitHartenbergChain<double> denavit_hartenberg(const JointFrameChain<double>&, DenavitHartenberg);

/// What takes quantities by body, or flags by rate, takes a std::vector or braces of them.
VectorX<double> of_the_standard_library(const Model<double>& model, const Numbers& q, const Numbers& qd)
{
  const Wrenches Fext(static_cast<std::size_t>(model.bodies()) + 1);
  const std::vector<Wrenches> derivatives(2, Fext);
  auto forward = HigherOrderDynamics<double>::forward(model, 1);
  forward(q, qd, Dense(qd), Dense(qd), derivatives);
  const std::vector<bool> held(2);
  const Indexed<double> one{1};
  return one[0] * one[0L] * one[0UL] * (inverse_dynamics(model, q, qd, qd, Fext) + bias_force(model, q, qd, {{}, {}})) +
         ForwardDynamics<double>(model)(q, qd, qd, Fext) + HybridDynamics<double>(model, {true, false}).qdd() +
         hybrid_dynamics(model, held, q, qd, qd, qd, {}).tau + LoopMotion<double>(model, {}, held).qd;
}

}  // namespace articulate
