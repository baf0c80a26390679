#include <bench/peers.hpp>
#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <memory>

namespace articulate::validation {

namespace {

using Eigen::Matrix3d, Eigen::Vector3d, Eigen::VectorXd;

btVector3 to(const Vector3d& x) { return {x[0], x[1], x[2]}; }
btQuaternion to(const Eigen::Quaterniond& q) { return {q.x(), q.y(), q.z(), q.w()}; }

/// The frame of a link is at its centre of mass, along principal axes.
struct Workspace {
  btMultiBody body;
  std::vector<btVector3> weights;
  VectorXd found;
  btAlignedObjectArray<btScalar> numbers;
  btAlignedObjectArray<btVector3> vectors;
  btAlignedObjectArray<btMatrix3x3> matrices;

  explicit Workspace(const Machine& machine)
      : body(static_cast<int>(machine.parts.size()), 1, btVector3(1, 1, 1), true, false), found(machine.parts.size())
  {
    for (std::size_t i = 0; i < machine.parts.size(); ++i) {
      const Part& part = machine.parts[i];
      const bool on_the_ground = part.parent < 0;
      const Part* parent = on_the_ground ? nullptr : &machine.parts[static_cast<std::size_t>(part.parent)];
      const auto [moments, P] = principal(part);
      const Matrix3d before = on_the_ground ? Matrix3d::Identity() : principal(*parent).axes;
      const Vector3d center = on_the_ground ? Vector3d::Zero() : parent->center;
      const btQuaternion turn = to(Eigen::Quaterniond(P.transpose() * part.pose.linear().transpose() * before));
      const btVector3 pivot = to(before.transpose() * (part.pose.translation() - center)),
                      own = to(P.transpose() * part.center), axis = to(Vector3d(P.row(2)));
      const auto setup = part.turns ? &btMultiBody::setupRevolute : &btMultiBody::setupPrismatic;
      (body.*setup)(static_cast<int>(i), part.mass, to(moments), part.parent, turn, axis, pivot, own, true);
      weights.push_back(to(part.mass * machine.gravity));
    }
    body.finalizeMultiDof();
    body.setLinearDamping(0), body.setAngularDamping(0);  // 0.04 unless told otherwise
    body.setMaxCoordinateVelocity(1e300);                 // 100 unless told otherwise
  }

  /// The step of the articulated bodies adds to the rates, in a time that makes them negligible.
  void solve(const State& state)
  {
    const double time = 0x1p60;
    body.clearForcesAndTorques();
    for (int i = 0; i < body.getNumLinks(); ++i) {
      body.setJointPos(i, state.q[i]), body.setJointVel(i, state.qd[i]);
      body.addJointTorque(i, state.tau[i]);
      body.addLinkForce(i, weights[static_cast<std::size_t>(i)]);
    }
    body.computeAccelerationsArticulatedBodyAlgorithmMultiDof(time, numbers, vectors, matrices, false, false, false);
    found = (VectorXd::Map(body.getVelocityVector() + 6, found.size()) - state.qd) / time;
  }
};

std::vector<Contender> bullet_contenders(const Machine& machine, const std::vector<State>& states)
{
  const auto w = std::make_shared<Workspace>(machine);
  return {{"Bullet btMultiBody", Problem::forward, [w, &states](std::size_t k) -> Result {
             w->solve(states[k]);
             return w->found;
           }}};
}

}  // namespace

Peer bullet()
{
  return {"Bullet " + std::to_string(BT_BULLET_VERSION / 100) + "." + std::to_string(BT_BULLET_VERSION % 100),
          "Bullet has forward dynamics only: Debian's package is without the headers of its inverse dynamics.",
          bullet_contenders};
}

}  // namespace articulate::validation
