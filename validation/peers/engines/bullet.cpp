/* Bullet's btMultiBody in double precision, built by its interface. The frame of a link is its inertial frame: at the centre of
 * mass, along principal axes; as it is, along those to which Bullet's diagonalize() turns the axes of the file. The base's
 * rates are its angular velocity and the velocity of its centre of mass, in world axes; its rotation takes world axes to its
 * own. Gravity and wrenches are forces at centres of mass, in world axes. A ball's rates are in the principal axes of its link.
 * Debian's package has no inverse dynamics. */
#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <Eigen/Eigenvalues>
#include <memory>
#include <peers/engines/engine.hpp>
#include <peers/engines/robot.hpp>

namespace articulate::peers {

namespace {

using Eigen::Matrix3d, Eigen::MatrixXd, Eigen::Vector3d, Eigen::VectorXd;

btVector3 to(const Vector3d& x) { return {x[0], x[1], x[2]}; }
btQuaternion to(const Eigen::Quaterniond& q) { return {q.x(), q.y(), q.z(), q.w()}; }
Vector3d from(const btVector3& x) { return {x[0], x[1], x[2]}; }
Matrix3d from(const btMatrix3x3& R)
{
  Matrix3d M;
  for (int i = 0; i < 3; ++i) M.row(i) = from(R[i]).transpose();
  return M;
}

class Bullet : public Engine {
public:
  Bullet()
  {
    functions_ = {
        {"forward_dynamics", [this](auto&) { return forward_dynamics(); }},
        {"inverse_mass_matrix", [this](auto&) { return inverse_mass_matrix(); }},
        {"tip_jacobian", [this](auto&) { return jacobian(model_.links.back()); }},
        {"jacobian:", [this](auto& link) { return jacobian(link); }},
        {"link_positions", [this](auto&) { return of_links(3, [this](auto& link) { return origin(place(link)); }); }},
        {"link_rotations",
         [this](auto&) { return of_links(9, [this](auto& link) { return rows_of(rotation(place(link))); }); }},
        {"link_twists", [this](auto&) { return of_links(6, [this](auto& link) { return twist(place(link)); }); }},
    };
  }
  std::string name() const override { return "Bullet"; }
  std::string version() const override
  {
    return std::to_string(BT_BULLET_VERSION / 100) + "." + std::to_string(BT_BULLET_VERSION % 100);
  }

  void load(const Described& model) override
  {
    model_ = model;
    parts_ = parts_of_urdf(model.text);
    slots_ = slots_of(parts_, model.joints, model.floating_base);
    principal_.clear();
    std::vector<Vector3d> moments;
    for (const Part& part : parts_) {
      if (raw) {
        principal_.push_back(diagonalized(part));
        moments.push_back((principal_.back().transpose() * part.tensor * principal_.back()).diagonal());
        continue;
      }
      const Eigen::SelfAdjointEigenSolver<Matrix3d> solver(part.tensor);
      Matrix3d axes = solver.eigenvectors();
      if (axes.determinant() < 0) axes.col(0) *= -1;
      principal_.push_back(axes), moments.push_back(solver.eigenvalues());
    }
    const auto n = static_cast<int>(parts_.size()) - 1;
    body_ = std::make_unique<btMultiBody>(n, parts_[0].mass, to(moments[0]), !model.floating_base, false);
    for (int i = 0; i < n; ++i)
      add_link(i, parts_[static_cast<std::size_t>(i + 1)], to(moments[static_cast<std::size_t>(i + 1)]));
    body_->finalizeMultiDof();
    body_->setLinearDamping(0), body_->setAngularDamping(0);  // 0.04 unless told otherwise
    body_->setMaxCoordinateVelocity(1e300);                   // 100 unless told otherwise
  }

  void set(const Asked& state) override
  {
    state_ = state;
    unit_basis(6 + body_->getNumDofs());
    const int ours = static_cast<int>(state.qd.size());
    X_ = MatrixXd::Zero(X_.rows(), ours);
    const Part& root = parts_[0];
    const Matrix3d R = state.quaternion.toRotationMatrix();
    body_->setBasePos(to(Vector3d(state.position + R * root.center)));
    body_->setWorldToBaseRot(to(Eigen::Quaterniond(R * principal_[0]).conjugate()));
    if (model_.floating_base && raw) X_.topLeftCorner(6, 6).setIdentity();
    if (model_.floating_base && !raw) {
      const Vector3d w = state.qd.head<3>(), v = state.qd.segment<3>(3);
      Matrix3d c;
      c << 0, -root.center[2], root.center[1], root.center[2], 0, -root.center[0], -root.center[1], root.center[0], 0;
      X_.topLeftCorner(6, 6) << R, Matrix3d::Zero(), -R * c, R;
      turning_.segment<3>(3) = R * w.cross(v + w.cross(root.center));
    }
    for (const Slot& slot : slots_) place_joint(slot);
    const VectorXd theirs = rates(state.qd);
    body_->setBaseOmega(to(Vector3d(theirs.head<3>()))), body_->setBaseVel(to(Vector3d(theirs.segment<3>(3))));
    for (const Slot& slot : slots_) body_->setJointVelMultiDof(slot.part - 1, theirs.data() + 6 + dof(slot));
  }

private:
  static Matrix3d diagonalized(const Part& part)
  {
    const Matrix3d& I = part.tensor_in_file;
    btMatrix3x3 tensor(I(0, 0), I(0, 1), I(0, 2), I(1, 0), I(1, 1), I(1, 2), I(2, 0), I(2, 1), I(2, 2)), turn;
    tensor.diagonalize(turn, SIMD_EPSILON, 100);
    return part.axes * from(turn);
  }
  void add_link(int i, const Part& part, const btVector3& moments)
  {
    const Matrix3d& P = principal_[static_cast<std::size_t>(i + 1)];
    const Matrix3d& before = principal_[static_cast<std::size_t>(part.parent)];
    const Vector3d center = parts_[static_cast<std::size_t>(part.parent)].center;
    const btQuaternion turn = to(Eigen::Quaterniond(P.transpose() * part.pose.linear().transpose() * before));
    const btVector3 pivot = to(Vector3d(before.transpose() * (part.pose.translation() - center)));
    const btVector3 own = to(Vector3d(P.transpose() * part.center)), axis = to(Vector3d(P.transpose() * part.axis));
    const int parent = part.parent - 1;
    if (part.type == "fixed")
      body_->setupFixed(i, part.mass, moments, parent, turn, pivot, own);
    else if (part.type == "ball")
      body_->setupSpherical(i, part.mass, moments, parent, turn, pivot, own, true);
    else if (part.type == "prismatic")
      body_->setupPrismatic(i, part.mass, moments, parent, turn, axis, pivot, own, true);
    else if (part.type == "revolute" || part.type == "continuous")
      body_->setupRevolute(i, part.mass, moments, parent, turn, axis, pivot, own, true);
    else
      throw Cannot("btMultiBody has no joint like the " + part.type + " " + part.joint);
  }
  int dof(const Slot& slot) const { return body_->getLink(slot.part - 1).m_dofOffset; }
  void place_joint(const Slot& slot)
  {
    const int link = slot.part - 1, at = 6 + dof(slot);
    if (parts_[static_cast<std::size_t>(slot.part)].type != "ball") {
      const double q = state_.q[slot.q];
      body_->setJointPosMultiDof(link, &q);
      X_(at, slot.v) = 1;
      return;
    }
    const Matrix3d& P = principal_[static_cast<std::size_t>(slot.part)];
    const Eigen::Quaterniond given(state_.q[slot.q + 3], state_.q[slot.q], state_.q[slot.q + 1], state_.q[slot.q + 2]);
    const Vector3d turned = P.transpose() * given.vec();
    const double q[] = {turned[0], turned[1], turned[2], given.w()};
    body_->setJointPosMultiDof(link, q);
    if (raw)
      X_.block<3, 3>(at, slot.v).setIdentity();
    else
      X_.block<3, 3>(at, slot.v) = P.transpose();
  }

  int place(const std::string& link) const
  {
    for (std::size_t k = 0; k < parts_.size(); ++k)
      if (parts_[k].name == link) return static_cast<int>(k);
    throw Cannot("there is no link '" + link + "'");
  }
  const Part& part(int k) const { return parts_[static_cast<std::size_t>(k)]; }
  const Matrix3d& principal(int k) const { return principal_[static_cast<std::size_t>(k)]; }
  /// Of the inertial frame, in the world.
  Matrix3d turn_of_center(int k) const
  {
    const btMatrix3x3 one = btMatrix3x3::getIdentity();
    return k == 0 ? from(btMatrix3x3(body_->getWorldToBaseRot().inverse()))
                  : from(body_->localFrameToWorld(k - 1, one));
  }
  Matrix3d rotation(int k) const
  {
    return raw ? turn_of_center(k) : Matrix3d(turn_of_center(k) * principal(k).transpose());
  }
  Vector3d center(int k) const
  {
    return from(k == 0 ? body_->getBasePos() : body_->localPosToWorld(k - 1, btVector3(0, 0, 0)));
  }
  Vector3d origin(int k) const { return raw ? center(k) : Vector3d(center(k) - rotation(k) * part(k).center); }
  VectorXd twist(int k) const
  {
    std::vector<btVector3> w(parts_.size()), v(parts_.size());
    body_->compTreeLinkVelocities(w.data(), v.data());
    const Vector3d turning = from(w[static_cast<std::size_t>(k)]), moving = from(v[static_cast<std::size_t>(k)]);
    if (raw) return six(turning, moving);
    const Vector3d ours = principal(k) * turning;
    return six(ours, principal(k) * moving - ours.cross(part(k).center));
  }
  /// Of the link's origin; as it is, of its centre of mass, the linear half first.
  MatrixXd jacobian(const std::string& link)
  {
    const int k = place(link);
    MatrixXd J(6, X_.rows());
    VectorXd row(X_.rows());
    for (int i = 0; i < 6; ++i) {
      btVector3 angular(0, 0, 0), linear(0, 0, 0);
      (i < 3 ? angular : linear)[i % 3] = 1;
      body_->fillConstraintJacobianMultiDof(k - 1, to(origin(k)), angular, linear, row.data(), numbers_, vectors_,
                                            matrices_);
      J.row(i) = row.transpose();
    }
    return raw ? our_jacobian(J.bottomRows(3), J.topRows(3)) : our_jacobian(J.topRows(3), J.bottomRows(3));
  }

  /// The step of the articulated bodies; what it adds to the rates in a time that makes them negligible.
  VectorXd step(const VectorXd& tau)
  {
    const double time = 0x1p60;
    const VectorXd before = VectorXd::Map(body_->getVelocityVector(), X_.rows());
    body_->clearForcesAndTorques();
    body_->addBaseTorque(to(Vector3d(tau.head<3>()))), body_->addBaseForce(to(Vector3d(tau.segment<3>(3))));
    body_->addBaseForce(to(Vector3d(part(0).mass * state_.gravity)));
    for (int i = 0; i < body_->getNumLinks(); ++i)
      body_->addLinkForce(i, to(Vector3d(part(i + 1).mass * state_.gravity)));
    for (const Slot& slot : slots_) body_->addJointTorqueMultiDof(slot.part - 1, tau.data() + 6 + dof(slot));
    for (const auto& [link, F] : state_.wrenches) push(place(link), F.head<3>(), F.tail<3>());
    body_->computeAccelerationsArticulatedBodyAlgorithmMultiDof(time, numbers_, vectors_, matrices_, false, false,
                                                                false);
    const VectorXd after = VectorXd::Map(body_->getVelocityVector(), X_.rows());
    body_->setBaseOmega(to(Vector3d(before.head<3>()))), body_->setBaseVel(to(Vector3d(before.segment<3>(3))));
    for (const Slot& slot : slots_) body_->setJointVelMultiDof(slot.part - 1, before.data() + 6 + dof(slot));
    return (after - before) / time;
  }
  void push(int k, const Vector3d& first, const Vector3d& second)
  {
    const Matrix3d R = raw ? Matrix3d::Identity() : rotation(k);
    const Vector3d force = R * second;
    const btVector3 moment = to(raw ? first : Vector3d(R * (first - part(k).center.cross(second))));
    if (k == 0)
      body_->addBaseForce(to(force)), body_->addBaseTorque(moment);
    else
      body_->addLinkForce(k - 1, to(force)), body_->addLinkTorque(k - 1, moment);
  }
  /// The columns of what moves.
  MatrixXd moving(const MatrixXd& all) const
  {
    return model_.floating_base ? all : MatrixXd(all.bottomRows(all.rows() - 6));
  }
  MatrixXd inverse() const { return moving(X_).inverse(); }
  MatrixXd forward_dynamics()
  {
    if (state_.tau.size() == 0) throw Cannot("the state has no forces");
    VectorXd tau = VectorXd::Zero(X_.rows());
    tau.tail(moving(X_).rows()) = inverse().transpose() * state_.tau;
    return inverse() * moving(step(tau) - turning_);
  }
  MatrixXd inverse_mass_matrix()
  {
    step(VectorXd::Zero(X_.rows()));
    MatrixXd columns(X_.rows(), X_.rows());
    for (Eigen::Index k = 0; k < X_.rows(); ++k) {
      const VectorXd unit = VectorXd::Unit(X_.rows(), k);
      body_->calcAccelerationDeltasMultiDof(unit.data(), columns.col(k).data(), numbers_, vectors_);
    }
    const Eigen::Index n = moving(X_).rows();
    return inverse() * columns.bottomRightCorner(n, n) * inverse().transpose();
  }

  std::vector<Part> parts_;
  std::vector<Slot> slots_;
  std::vector<Matrix3d> principal_;  ///< principal axes in the link's
  std::unique_ptr<btMultiBody> body_;
  btAlignedObjectArray<btScalar> numbers_;
  btAlignedObjectArray<btVector3> vectors_;
  btAlignedObjectArray<btMatrix3x3> matrices_;
};

}  // namespace

}  // namespace articulate::peers

int main(int count, char** words)
{
  articulate::peers::Bullet engine;
  return articulate::peers::converse(engine, count, words);
}
