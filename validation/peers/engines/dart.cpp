/* DART, which reads URDF; joints that URDF does not know are put in place of fixed ones. A base has a rotation vector and a
 * position for coordinates and a body twist for rates, angular first; a ball has a rotation vector, and rates in the child's
 * axes. Jacobians have columns for the joints on the way to a link. */
#include <dart/dart.hpp>
#include <dart/utils/urdf/urdf.hpp>
#include <peers/engines/engine.hpp>
#include <peers/engines/robot.hpp>

namespace articulate::peers {

namespace {

using Eigen::Matrix3d, Eigen::MatrixXd, Eigen::Vector3d, Eigen::VectorXd;
using namespace dart::dynamics;

class Dart : public Engine {
public:
  Dart()
  {
    functions_ = {
        {"inverse_dynamics", [this](auto&) { return inverse_dynamics(accelerations()); }},
        {"forward_dynamics",
         [this](auto&) {
           robot_->setForces(forces());
           robot_->computeForwardDynamics();
           return our_accelerations(robot_->getAccelerations());
         }},
        {"mass_matrix", [this](auto&) { return our_mass_matrix(robot_->getMassMatrix()); }},
        {"inverse_mass_matrix", [this](auto&) { return our_inverse_mass_matrix(robot_->getInvMassMatrix()); }},
        {"bias",
         [this](auto&) { return our_forces(robot_->getCoriolisAndGravityForces() - robot_->getExternalForces()); }},
        {"gravity_force", [this](auto&) { return our_forces(robot_->getGravityForces()); }},
        {"coriolis_force", [this](auto&) { return our_forces(robot_->getCoriolisForces()); }},
        {"kinetic_energy", [this](auto&) { return number(robot_->computeKineticEnergy()); }},
        {"potential_energy",
         [this](auto&) {
           double sum = 0;
           for (const BodyNode* body : counted_) sum += body->computePotentialEnergy(state_.gravity);
           return number(sum);
         }},
        {"center_of_mass", [this](auto&) { return mean([](const BodyNode* body) { return body->getCOM(); }); }},
        {"center_of_mass_velocity",
         [this](auto&) { return mean([](const BodyNode* body) { return body->getCOMLinearVelocity(); }); }},
        {"center_of_mass_jacobian",
         [this](auto&) { return MatrixXd(robot_->getCOMLinearJacobian() * X_ * (robot_->getMass() / mass())); }},
        {"momentum", [this](auto&) { return momentum(Vector3d::Zero()); }},
        {"centroidal_momentum",
         [this](auto&) { return momentum(mean([](const BodyNode* body) { return body->getCOM(); })); }},
        {"tip_jacobian", [this](auto&) { return jacobian(model_.links.back()); }},
        {"jacobian:", [this](auto& link) { return jacobian(link); }},
        {"link_positions",
         [this](auto&) {
           return of_links(3, [this](auto& link) { return node(link)->getWorldTransform().translation(); });
         }},
        {"link_rotations",
         [this](auto&) {
           return of_links(9, [this](auto& link) { return rows_of(node(link)->getWorldTransform().linear()); });
         }},
        {"link_twists",
         [this](auto&) { return of_links(6, [this](auto& link) { return node(link)->getSpatialVelocity(); }); }},
        {"link_twist_rates",
         [this](auto&) {
           robot_->setAccelerations(accelerations());
           return of_links(6, [this](auto& link) { return node(link)->getSpatialAcceleration(); });
         }},
        {"link_accelerations",
         [this](auto&) {
           robot_->setAccelerations(accelerations());
           return of_links(6, [this](auto& link) {
             return six(node(link)->getAngularAcceleration(), node(link)->getLinearAcceleration());
           });
         }},
    };
  }
  std::string name() const override { return "DART"; }
  std::string version() const override { return DART_VERSION; }

  void load(const Described& model) override
  {
    model_ = model;
    parts_ = parts_of_urdf(model.text);
    slots_ = slots_of(parts_, model.joints, model.floating_base);
    std::string text = model.text;
    for (const char* type :
         {"universal", "euler_ball", "ball", "helical", "floating", "planar", "cylindrical", "euler_free"})
      for (std::size_t at; (at = text.find("type=\"" + std::string(type) + '"')) != std::string::npos;)
        text.replace(at, std::string(type).size() + 7, "type=\"fixed\"");
    // A link without an inertia in the file weighs 1 kg unless told otherwise.
    dart::utils::DartLoader::Options options;
    options.mDefaultInertia = Inertia(0, Vector3d::Zero(), Matrix3d::Zero());
    robot_ = dart::utils::DartLoader(options).parseSkeletonString(text, dart::common::Uri());
    if (!robot_) throw Cannot("DART does not read this URDF");
    if (!model.floating_base) robot_->getRootBodyNode()->changeParentJointType<WeldJoint>();  // else it floats
    for (const Slot& slot : slots_) put_joint(parts_[static_cast<std::size_t>(slot.part)]);
    counted_.clear();
    for (const BodyNode* body : robot_->getBodyNodes())
      if (raw || body->getNumDependentGenCoords() > 0) counted_.push_back(body);
  }

  void set(const Asked& state) override
  {
    state_ = state;
    unit_basis(static_cast<Eigen::Index>(robot_->getNumDofs()));
    if (!raw) X_.setZero();
    VectorXd q(X_.rows());
    if (model_.floating_base) {
      q.head<6>() << dart::math::logMap(state.quaternion.toRotationMatrix()), state.position;
      X_.topLeftCorner<6, 6>().setIdentity();
    }
    for (const Slot& slot : slots_) {
      const std::string& name = parts_[static_cast<std::size_t>(slot.part)].joint;
      const auto* joint = robot_->getJoint(name);
      const auto n = static_cast<Eigen::Index>(joint->getNumDofs());
      const auto to = raw ? slot.v : static_cast<Eigen::Index>(joint->getIndexInSkeleton(0));
      X_.block(to, slot.v, n, n).setIdentity();
      const auto log = [&](const VectorXd& x) {
        return dart::math::logMap(Eigen::Quaterniond(x[3], x[0], x[1], x[2]).toRotationMatrix());
      };
      if (parts_[static_cast<std::size_t>(slot.part)].type == "ball")
        q.segment<3>(to) = log(state.q.segment<4>(slot.q));
      else if (parts_[static_cast<std::size_t>(slot.part)].type == "floating")
        q.segment<6>(to) << log(state.q.segment<4>(slot.q + 3)), state.q.segment<3>(slot.q);
      else
        q.segment(to, n) = state.q.segment(slot.q, n);
    }
    robot_->setGravity(state.gravity);
    robot_->setPositions(q);
    robot_->setVelocities(rates(state.qd));
    robot_->clearExternalForces();
    for (const auto& [link, F] :
         state.wrenches) {  // by default the force is in world axes, and acts at the link's origin
      node(link)->addExtTorque(F.head<3>(), !raw);
      node(link)->addExtForce(F.tail<3>(), Vector3d::Zero(), !raw);
    }
  }

private:
  /// In place of a joint that was read as a fixed one.
  template <typename Type>
  Type* put(const Part& part)
  {
    BodyNode* body = robot_->getBodyNode(part.name);
    const Eigen::Isometry3d here = body->getParentJoint()->getTransformFromParentBodyNode();
    Type* joint = body->changeParentJointType<Type>();
    joint->setTransformFromParentBodyNode(here), joint->setName(part.joint);
    return joint;
  }
  void put_joint(const Part& part)
  {
    if (part.type == "ball") {
      put<BallJoint>(part);
    } else if (part.type == "floating") {
      put<FreeJoint>(part);
    } else if (part.type == "universal") {
      auto* joint = put<UniversalJoint>(part);
      joint->setAxis1(Vector3d::UnitX()), joint->setAxis2(Vector3d::UnitY());
    } else if (part.type == "euler_ball") {
      put<EulerJoint>(part)->setAxisOrder(EulerJoint::AxisOrder::ZYX);
    } else if (part.type == "helical") {
      auto* joint = put<ScrewJoint>(part);
      joint->setAxis(part.axis), joint->setPitch(part.pitch * dart::math::constantsd::two_pi());  // m a turn
    } else if (freedom_of(part.type).rates != 1) {
      throw Cannot("DART has no joint like the " + part.type + " " + part.joint);
    }
  }

  BodyNode* node(const std::string& link) const
  {
    BodyNode* body = robot_->getBodyNode(link);
    if (!body) throw Cannot("DART has no body '" + link + "'");
    return body;
  }
  static MatrixXd number(double x) { return MatrixXd::Constant(1, 1, x); }
  MatrixXd inverse_dynamics(const VectorXd& qdd)
  {
    robot_->setAccelerations(qdd);
    robot_->computeInverseDynamics(true);  // with external forces, which it ignores unless it is told
    return our_forces(robot_->getForces());
  }
  double mass() const
  {
    double sum = 0;
    for (const BodyNode* body : counted_) sum += body->getMass();
    return sum;
  }
  /// Over the bodies, by their masses.
  template <typename Function>
  Vector3d mean(const Function& of) const
  {
    Vector3d sum = Vector3d::Zero();
    for (const BodyNode* body : counted_) sum += body->getMass() * of(body);
    return sum / mass();
  }
  /// DART has those of bodies: in the body's axes, and about a point that is given in them.
  MatrixXd momentum(const Vector3d& about) const
  {
    Vector3d angular = Vector3d::Zero(), linear = Vector3d::Zero();
    for (const BodyNode* body : counted_) {
      const Eigen::Isometry3d& T = body->getWorldTransform();
      const Vector3d p = T.linear() * body->getLinearMomentum();
      angular += T.linear() * const_cast<BodyNode*>(body)->getAngularMomentum() + (T.translation() - about).cross(p);
      linear += p;
    }
    return six(angular, linear);
  }
  MatrixXd jacobian(const std::string& link) const
  {
    const BodyNode* body = node(link);
    const MatrixXd some = raw ? MatrixXd(body->getJacobian()) : MatrixXd(body->getWorldJacobian());
    MatrixXd J = MatrixXd::Zero(6, X_.rows());
    for (std::size_t k = 0; k < body->getNumDependentGenCoords(); ++k)
      J.col(static_cast<Eigen::Index>(body->getDependentGenCoordIndex(k))) = some.col(static_cast<Eigen::Index>(k));
    return our_jacobian(J.topRows(3), J.bottomRows(3));
  }

  SkeletonPtr robot_;
  std::vector<Part> parts_;
  std::vector<Slot> slots_;
  std::vector<const BodyNode*> counted_;  ///< in sums over bodies: those that move; as it is, all
};

}  // namespace

}  // namespace articulate::peers

int main(int count, char** words)
{
  articulate::peers::Dart engine;
  return articulate::peers::converse(engine, count, words);
}
