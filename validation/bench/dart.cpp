#include <bench/peers.hpp>
#include <dart/dart.hpp>
#include <memory>

namespace articulate::validation {

namespace {

using namespace dart::dynamics;

template <typename JointType>
BodyNode* add(const SkeletonPtr& robot, BodyNode* parent, const Part& part)
{
  typename JointType::Properties properties;
  properties.mName = "joint of " + part.name;
  const auto [joint, body] =
      robot->createJointAndBodyNodePair<JointType>(parent, properties, BodyNode::AspectProperties(part.name));
  joint->setAxis(Eigen::Vector3d::UnitZ());
  joint->setTransformFromParentBodyNode(part.pose);
  body->setInertia(Inertia(part.mass, part.center, part.tensor));
  return body;
}

std::vector<Contender> dart_contenders(const Machine& machine, const std::vector<State>& states)
{
  struct Workspace {
    SkeletonPtr robot = Skeleton::create();
    Eigen::VectorXd found;
  };
  const auto w = std::make_shared<Workspace>();
  w->robot->setGravity(machine.gravity);
  std::vector<BodyNode*> bodies;
  for (const Part& part : machine.parts) {
    BodyNode* parent = part.parent < 0 ? nullptr : bodies[static_cast<std::size_t>(part.parent)];
    bodies.push_back(part.turns ? add<RevoluteJoint>(w->robot, parent, part)
                                : add<PrismaticJoint>(w->robot, parent, part));
  }
  return {{"DART computeInverseDynamics", Problem::inverse,
           [w, &states](std::size_t k) -> Result {
             w->robot->setPositions(states[k].q), w->robot->setVelocities(states[k].qd);
             w->robot->setAccelerations(states[k].qdd);
             w->robot->computeInverseDynamics();
             return w->found = w->robot->getForces();
           }},
          {"DART computeForwardDynamics", Problem::forward,
           [w, &states](std::size_t k) -> Result {
             w->robot->setPositions(states[k].q), w->robot->setVelocities(states[k].qd);
             w->robot->setForces(states[k].tau);
             w->robot->computeForwardDynamics();
             return w->found = w->robot->getAccelerations();
           }},
          {"DART getMassMatrix", Problem::mass, [w, &states](std::size_t k) -> Result {
             w->robot->setPositions(states[k].q);
             return w->robot->getMassMatrix();
           }}};
}

}  // namespace

Peer dart() { return {"DART " DART_VERSION, "", dart_contenders}; }

}  // namespace articulate::validation
