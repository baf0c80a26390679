/* Simbody, built by its interface, for it reads no URDF. A hinge turns about z and a slide goes along x of its frames. Of a free
 * joint the quaternion stands before the position, w first, and both halves of its velocity are in the axes of the frame that
 * it is joined to; so is a ball's. Loops are closed by rigid constraints. Forces are arguments of its functions: gravity is
 * added here as a wrench on each body. Compile it as C++17 and without NDEBUG. */
#include <Simbody.h>
#include <memory>
#include <peers/engines/engine.hpp>
#include <peers/engines/robot.hpp>

namespace articulate::peers {

namespace {

using Eigen::Matrix3d, Eigen::MatrixXd, Eigen::Vector3d, Eigen::VectorXd;
using SimTK::MobilizedBody, SimTK::SpatialVec, SimTK::Stage, SimTK::Vec3;

Vec3 to(const Vector3d& x) { return {x[0], x[1], x[2]}; }
SimTK::Rotation to(const Matrix3d& R)
{
  const Eigen::Quaterniond q(R);
  return SimTK::Rotation(SimTK::Quaternion(q.w(), q.x(), q.y(), q.z()));
}
SimTK::Vector to(const VectorXd& x) { return SimTK::Vector(static_cast<int>(x.size()), x.data()); }
Vector3d from(const Vec3& x) { return {x[0], x[1], x[2]}; }
VectorXd from(const SimTK::Vector& x) { return VectorXd::Map(&x[0], x.size()); }
VectorXd from(const SpatialVec& x) { return six(from(x[0]), from(x[1])); }
Matrix3d from(const SimTK::Rotation& R)
{
  Matrix3d M;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) M(i, j) = R.asMat33()(i, j);
  return M;
}
MatrixXd from(const SimTK::Matrix& A)
{
  MatrixXd M(A.nrow(), A.ncol());
  for (int i = 0; i < A.nrow(); ++i)
    for (int j = 0; j < A.ncol(); ++j) M(i, j) = A(i, j);
  return M;
}

/// A machine as Simbody has it; it is made anew for each model.
struct Machine {
  SimTK::MultibodySystem system;
  SimTK::SimbodyMatterSubsystem matter{system};
  SimTK::GeneralForceSubsystem forces{system};
  SimTK::Force::Gravity weight{forces, matter, Vec3(0, 0, -1)};
  SimTK::Force::DiscreteForces applied{forces, matter};
  std::vector<MobilizedBody> bodies;
  SimTK::State state;
};

class Simbody : public Engine {
public:
  Simbody()
  {
    functions_ = {
        {"inverse_dynamics", [this](auto&) { return our_forces(residual(accelerations(), true, true)); }},
        {"bias", [this](auto&) { return our_forces(residual(turning_, true, true)); }},
        {"gravity_force",
         [this](auto&) {
           SimTK::Vector weight;
           machine_->matter.multiplyBySystemJacobianTranspose(state(), pushes(true, false), weight);
           return our_forces(-from(weight));
         }},
        {"coriolis_force", [this](auto&) { return our_forces(residual(turning_, false, false)); }},
        {"forward_dynamics", [this](auto&) { return forward_dynamics(); }},
        {"closed_forward_dynamics", [this](auto&) { return our_accelerations(from(moved().getUDot())); }},
        {"constraint_force",
         [this](auto&) {  // M udot + G^T lambda = f
           const SimTK::State s = moved();
           SimTK::Vector force;
           machine_->matter.multiplyByGTranspose(s, s.getMultipliers(), force);
           return our_forces(-from(force));
         }},
        {"mass_matrix",
         [this](auto&) {
           SimTK::Matrix M;
           machine_->matter.calcM(state(), M);
           return our_mass_matrix(from(M));
         }},
        {"inverse_mass_matrix",
         [this](auto&) {
           SimTK::Matrix M;
           machine_->matter.calcMInv(state(), M);
           return our_inverse_mass_matrix(from(M));
         }},
        {"kinetic_energy", [this](auto&) { return number(machine_->matter.calcKineticEnergy(state())); }},
        {"potential_energy", [this](auto&) { return number(machine_->weight.getPotentialEnergy(state())); }},
        {"center_of_mass",
         [this](auto&) { return from(machine_->matter.calcSystemMassCenterLocationInGround(state())); }},
        {"center_of_mass_velocity",
         [this](auto&) { return from(machine_->matter.calcSystemMassCenterVelocityInGround(state())); }},
        {"momentum", [this](auto&) { return from(machine_->matter.calcSystemMomentumAboutGroundOrigin(state())); }},
        {"centroidal_momentum", [this](auto&) { return from(machine_->matter.calcSystemCentralMomentum(state())); }},
        {"tip_jacobian", [this](auto&) { return jacobian(model_.links.back()); }},
        {"jacobian:", [this](auto& link) { return jacobian(link); }},
        {"link_positions",
         [this](auto&) {
           return of_links(3, [this](auto& link) { return from(body(link).getBodyOriginLocation(state())); });
         }},
        {"link_rotations",
         [this](auto&) {
           return of_links(9, [this](auto& link) { return rows_of(from(body(link).getBodyRotation(state()))); });
         }},
        {"link_twists",
         [this](auto&) {
           return of_links(6, [this](auto& link) {
             const SpatialVec& V = body(link).getBodyVelocity(state());
             if (raw) return from(V);  // in Ground's axes
             const Matrix3d R = from(body(link).getBodyRotation(state()));
             return six(R.transpose() * from(V[0]), R.transpose() * from(V[1]));
           });
         }},
        {"link_accelerations",
         [this](auto&) {
           SimTK::Vector_<SpatialVec> all;
           machine_->matter.calcBodyAccelerationFromUDot(state(), to(accelerations()), all);
           return of_links(6, [this, &all](auto& link) { return from(all[body(link).getMobilizedBodyIndex()]); });
         }},
    };
  }
  std::string name() const override { return "Simbody"; }
  std::string version() const override
  {
    int major, minor, build;
    SimTK_version_simbody(&major, &minor, &build);
    return std::to_string(major) + "." + std::to_string(minor);
  }

  bool closes_loops() const override { return true; }

  void load(const Described& model) override
  {
    model_ = model;
    parts_ = parts_of_urdf(model.text);
    slots_ = slots_of(parts_, model.joints, model.floating_base);
    machine_ = std::make_unique<Machine>();
    for (const Part& part : parts_) machine_->bodies.push_back(joined(part));
    for (const Loop& loop : model.loops) close(loop);
    machine_->state = machine_->system.realizeTopology();
  }

  void set(const Asked& given) override
  {
    state_ = given;
    SimTK::State& s = machine_->state;
    unit_basis(s.getNU());
    if (!raw) X_.setZero();
    if (model_.floating_base) place(0, six_and_one(given.position, given.quaternion), 0);
    for (const Slot& slot : slots_)
      place(slot.part,
            given.q.segment(slot.q, freedom_of(parts_[static_cast<std::size_t>(slot.part)].type).coordinates), slot.v);
    machine_->weight.setGravityVector(s, to(given.gravity));
    s.updU() = to(rates(given.qd));
    machine_->system.realize(s, Stage::Dynamics);
  }

private:
  MobilizedBody joined(const Part& part)
  {
    const bool is_root = part.parent < 0;
    MobilizedBody parent =
        is_root ? machine_->matter.Ground() : machine_->bodies[static_cast<std::size_t>(part.parent)];
    // What is welded to Ground has its energy and its mass counted: it is left out.
    const bool is_still =
        is_root ? !model_.floating_base : part.type == "fixed" && still_[static_cast<std::size_t>(part.parent)];
    if (is_root) still_.clear();
    still_.push_back(is_still);
    SimTK::MassProperties mass(0, Vec3(0), SimTK::Inertia(0));
    if (!is_still || raw) {
      const Matrix3d& I = part.tensor;
      const SimTK::Inertia central(I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2));
      mass = {part.mass, to(part.center), central.shiftFromMassCenter(to(part.center), part.mass)};
    }
    const SimTK::Body::Rigid body(mass);
    const SimTK::Transform X(to(Matrix3d(part.pose.linear())), to(Vector3d(part.pose.translation()))), none;
    const std::string type = is_root ? (model_.floating_base ? "floating" : "fixed") : part.type;
    const auto along = [&](int axis) {
      return SimTK::Transform(SimTK::Rotation(SimTK::UnitVec3(to(part.axis)), SimTK::CoordinateAxis(axis)));
    };
    if (type == "fixed") return MobilizedBody::Weld(parent, X, body, none);
    if (type == "floating") return MobilizedBody::Free(parent, X, body, none);
    if (type == "ball") return MobilizedBody::Ball(parent, X, body, none);
    if (type == "universal") return MobilizedBody::Universal(parent, X, body, none);
    if (type == "prismatic") return MobilizedBody::Slider(parent, X * along(0), body, along(0));
    if (type == "cylindrical") return MobilizedBody::Cylinder(parent, X * along(2), body, along(2));
    if (type == "helical") return MobilizedBody::Screw(parent, X * along(2), body, along(2), part.pitch);
    if (type == "revolute" || type == "continuous") return MobilizedBody::Pin(parent, X * along(2), body, along(2));
    throw Cannot("Simbody has no joint that is built here like the " + part.type + " " + part.joint);
  }

  /// The frame of an end in its link, z along the axis or against it: turned the shortest way, as a loop file means x and y.
  static SimTK::Transform frame(const Loop& loop, const Loop::End& end)
  {
    const Vector3d axis(loop.axis.data());
    const auto turn = Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitZ(), axis.z() < 0 ? -axis : axis);
    const Eigen::Quaterniond axes = Eigen::Quaterniond(end.quaternion.data()).normalized() * turn;
    return {to(axes.toRotationMatrix()), to(Vector3d(end.position.data()))};
  }
  void close(const Loop& loop)
  {
    using SimTK::Constraint, SimTK::CoordinateAxis;
    if (loop.coupling) return couple(loop.coupling->joint, loop.coupling->follows);
    if (loop.pitch != 0) throw Cannot("Simbody has no constraint like a screw");
    MobilizedBody &first = body(loop.first.link), &second = body(loop.second.link);
    const SimTK::Transform X1 = frame(loop, loop.first), X2 = frame(loop, loop.second);
    const auto keep_normal = [&](int one, int other) {
      Constraint::ConstantAngle(first, X1.R()(CoordinateAxis(one)), second, X2.R()(CoordinateAxis(other)),
                                SimTK::Pi / 2);
    };
    if (loop.slides == std::array<bool, 3>{}) {
      Constraint::Ball(first, X1.p(), second, X2.p());
    } else {
      for (int k = 0; k < 3; ++k)
        if (const SimTK::UnitVec3 normal = X1.R()(CoordinateAxis(k)); !loop.slides[static_cast<std::size_t>(k)])
          Constraint::PointInPlane(first, normal, dot(X1.p(), normal), second, X2.p());
    }
    if (loop.turning == Turning::none) Constraint::ConstantOrientation(first, X1.R(), second, X2.R());
    if (loop.turning == Turning::about_z) keep_normal(0, 2), keep_normal(1, 2);
    if (loop.turning == Turning::universal) keep_normal(0, 1);
  }
  /// q_i - c q_j - o = 0
  void couple(const std::string& joint, const Mimic& follows)
  {
    const auto moved_by = [this](const std::string& name) {
      for (std::size_t k = 0; k < parts_.size(); ++k)
        if (parts_[k].joint == name) return machine_->bodies[k].getMobilizedBodyIndex();
      throw Cannot("there is no joint '" + name + "'");
    };
    const SimTK::MobilizerQIndex only(0);
    SimTK::Constraint::CoordinateCoupler(
        machine_->matter, new SimTK::Function::Linear(to(VectorXd(Vector3d(1, -follows.multiplier, -follows.offset)))),
        std::vector{moved_by(joint), moved_by(follows.joint)}, std::vector{only, only});
  }
  /// The state with all forces on the machine, accelerations and multipliers found.
  SimTK::State moved() const
  {
    SimTK::State s = state();
    machine_->applied.setAllMobilityForces(s, to(forces()));
    machine_->applied.setAllBodyForces(s, pushes(false, true));
    machine_->system.realize(s, Stage::Acceleration);
    return s;
  }

  static VectorXd six_and_one(const Vector3d& p, const Eigen::Quaterniond& turn)
  {
    VectorXd q(7);
    q << p, turn.coeffs();
    return q;
  }
  /// Coordinates of a joint, ours or of the base, whose rates begin at v.
  void place(int k, const VectorXd& q, int v)
  {
    SimTK::State& s = machine_->state;
    const MobilizedBody& body = machine_->bodies[static_cast<std::size_t>(k)];
    const int to_q = body.getFirstQIndex(s), to_v = raw ? v : static_cast<int>(body.getFirstUIndex(s));
    SimTK::Vector& all = s.updQ();
    if (body.getNumU(s) < 3) {
      for (int i = 0; i < static_cast<int>(q.size()); ++i) all[to_q + i] = q[i], X_(to_v + i, v + i) = 1;
      return;
    }
    const Eigen::Index turn = q.size() - 4;  // of the quaternion x y z w
    for (int i = 0; i < 4; ++i) all[to_q + i] = q[turn + (i + 3) % 4];
    for (int i = 0; i < turn; ++i) all[to_q + 4 + i] = q[i];
    if (raw) return;
    const Matrix3d R = Eigen::Quaterniond(q[turn + 3], q[turn], q[turn + 1], q[turn + 2]).toRotationMatrix();
    X_.block<3, 3>(to_v, v) = R;
    if (turn == 0) return;
    X_.block<3, 3>(to_v + 3, v + 3) = R;
    const Vector3d w = state_.qd.segment<3>(v), moving = state_.qd.segment<3>(v + 3);
    turning_.segment<3>(to_v + 3) = R * w.cross(moving);
  }

  const SimTK::State& state() const { return machine_->state; }
  static MatrixXd number(double x) { return MatrixXd::Constant(1, 1, x); }
  MobilizedBody& body(const std::string& link) const
  {
    for (std::size_t k = 0; k < parts_.size(); ++k)
      if (parts_[k].name == link) return machine_->bodies[k];
    throw Cannot("there is no link '" + link + "'");
  }

  SimTK::Vector_<SpatialVec> pushes(bool weighs, bool pushed) const
  {
    SimTK::Vector_<SpatialVec> all(machine_->matter.getNumBodies(), SpatialVec(Vec3(0), Vec3(0)));
    if (weighs) all += machine_->system.getRigidBodyForces(state(), Stage::Dynamics);
    if (pushed)
      for (const auto& [link, F] : state_.wrenches) {
        const SimTK::Rotation R = raw ? SimTK::Rotation() : body(link).getBodyRotation(state());
        all[body(link).getMobilizedBodyIndex()] +=
            SpatialVec(R * to(Vector3d(F.head<3>())), R * to(Vector3d(F.tail<3>())));
      }
    return all;
  }
  VectorXd residual(const VectorXd& qdd, bool weighs, bool pushed) const
  {
    SimTK::Vector tau;
    machine_->matter.calcResidualForceIgnoringConstraints(state(), SimTK::Vector(), pushes(weighs, pushed), to(qdd),
                                                          tau);
    return from(tau);
  }
  MatrixXd forward_dynamics() const
  {
    SimTK::Vector qdd;
    SimTK::Vector_<SpatialVec> of_bodies;
    machine_->matter.calcAccelerationIgnoringConstraints(state(), to(forces()), pushes(true, true), qdd, of_bodies);
    return our_accelerations(from(qdd));
  }
  MatrixXd jacobian(const std::string& link) const
  {
    SimTK::Matrix J;
    machine_->matter.calcFrameJacobian(state(), body(link).getMobilizedBodyIndex(), Vec3(0), J);
    const MatrixXd all = from(J);
    return our_jacobian(all.topRows(3), all.bottomRows(3));
  }

  std::vector<Part> parts_;
  std::vector<Slot> slots_;
  std::vector<bool> still_;  ///< what does not move
  std::unique_ptr<Machine> machine_;
};

}  // namespace

}  // namespace articulate::peers

int main(int count, char** words)
{
  articulate::peers::Simbody engine;
  return articulate::peers::converse(engine, count, words);
}
