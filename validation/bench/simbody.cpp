#include <bench/peers.hpp>
#include <Simbody.h>
#include <memory>

namespace articulate::validation {

namespace {

using SimTK::MobilizedBody, SimTK::SpatialVec, SimTK::Stage, SimTK::Vec3;

Vec3 to(const Eigen::Vector3d& x) { return {x[0], x[1], x[2]}; }
SimTK::Transform to(const Eigen::Isometry3d& T)
{
  const Eigen::Quaterniond q(T.linear());
  return {SimTK::Rotation(SimTK::Quaternion(q.w(), q.x(), q.y(), q.z())), to(Eigen::Vector3d(T.translation()))};
}

struct Workspace {
  SimTK::MultibodySystem system;
  SimTK::SimbodyMatterSubsystem matter{system};
  std::vector<MobilizedBody> bodies;
  std::vector<Vec3> centers, weights;
  SimTK::State state;
  SimTK::Vector tau, qdd, found;
  SimTK::Matrix M;
  SimTK::Vector_<SpatialVec> forces, accelerations;
  Eigen::VectorXd ours;
  Eigen::MatrixXd our_M;

  explicit Workspace(const Machine& machine)
  {
    for (const Part& part : machine.parts) {
      MobilizedBody& parent = part.parent < 0 ? matter.updGround() : bodies[static_cast<std::size_t>(part.parent)];
      const Eigen::Matrix3d& I = part.tensor;
      const SimTK::Inertia central(I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2));
      const SimTK::Body::Rigid body(
          {part.mass, to(part.center), central.shiftFromMassCenter(to(part.center), part.mass)});
      // A hinge turns about z, and a slide goes along x, of its frames.
      const SimTK::Transform along(SimTK::Rotation(SimTK::UnitVec3(0, 0, 1), SimTK::XAxis)), X = to(part.pose);
      if (part.turns)
        bodies.push_back(MobilizedBody::Pin(parent, X, body, {}));
      else
        bodies.push_back(MobilizedBody::Slider(parent, X * along, body, along));
      centers.push_back(to(part.center)), weights.push_back(to(part.mass * machine.gravity));
    }
    state = system.realizeTopology();
    const auto n = static_cast<int>(bodies.size());
    tau.resize(n), qdd.resize(n), ours.resize(n), our_M.resize(n, n);
    forces.resize(matter.getNumBodies());
  }

  /// Where a body's coordinate stands: Simbody counts them level by level.
  int place(std::size_t i) const { return bodies[i].getFirstUIndex(state); }
  void put(const Eigen::VectorXd& x, SimTK::Vector& theirs) const
  {
    for (std::size_t i = 0; i < bodies.size(); ++i) theirs[place(i)] = x[static_cast<Eigen::Index>(i)];
  }
  Result take(const SimTK::Vector& theirs)
  {
    for (std::size_t i = 0; i < bodies.size(); ++i) ours[static_cast<Eigen::Index>(i)] = theirs[place(i)];
    return ours;
  }
  void move(const State& given, Stage stage)
  {
    put(given.q, state.updQ()), put(given.qd, state.updU());
    system.realize(state, stage);
    forces.setToZero();
    for (std::size_t i = 0; i < bodies.size(); ++i)
      matter.addInStationForce(state, bodies[i].getMobilizedBodyIndex(), centers[i], weights[i], forces);
  }
};

std::vector<Contender> simbody_contenders(const Machine& machine, const std::vector<State>& states)
{
  const auto w = std::make_shared<Workspace>(machine);
  return {{"Simbody calcResidualForce", Problem::inverse,
           [w, &states](std::size_t k) -> Result {
             w->move(states[k], Stage::Velocity);
             w->put(states[k].qdd, w->qdd);
             w->matter.calcResidualForceIgnoringConstraints(w->state, SimTK::Vector(), w->forces, w->qdd, w->found);
             return w->take(w->found);
           }},
          {"Simbody calcAcceleration", Problem::forward,
           [w, &states](std::size_t k) -> Result {
             w->move(states[k], Stage::Dynamics);
             w->put(states[k].tau, w->tau);
             w->matter.calcAccelerationIgnoringConstraints(w->state, w->tau, w->forces, w->found, w->accelerations);
             return w->take(w->found);
           }},
          {"Simbody calcM", Problem::mass, [w, &states](std::size_t k) -> Result {
             w->put(states[k].q, w->state.updQ());
             w->system.realize(w->state, Stage::Position);
             w->matter.calcM(w->state, w->M);
             for (std::size_t j = 0; j < w->bodies.size(); ++j)
               for (std::size_t i = 0; i < w->bodies.size(); ++i)
                 w->our_M(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = w->M(w->place(i), w->place(j));
             return w->our_M;
           }}};
}

}  // namespace

Peer simbody()
{
  int major, minor, build;
  SimTK_version_simbody(&major, &minor, &build);
  return {"Simbody " + std::to_string(major) + "." + std::to_string(minor), "", simbody_contenders};
}

}  // namespace articulate::validation
