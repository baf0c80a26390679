/* MuJoCo, which reads MJCF. Quaternions have w first; a free joint's rates are the velocity of its origin in world axes and the
 * angular velocity in the body's own, a ball's are in the child's axes. Contacts, limits, dry friction and passive forces are
 * switched off. Wrenches act at the centre of mass, in world axes, force first. */
#include <mujoco/mujoco.h>
#include <algorithm>
#include <iomanip>
#include <memory>
#include <peers/engines/engine.hpp>
#include <sstream>

namespace articulate::peers {

namespace {

using Eigen::Matrix3d, Eigen::MatrixXd, Eigen::Vector3d, Eigen::VectorXd;
using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

class Mujoco : public Engine {
public:
  Mujoco()
  {
    mju_user_warning = [](const char*) {};  // else it writes a file where it was started
    functions_ = {
        {"inverse_dynamics",
         [this](auto&) {
           invert();
           return our_forces(VectorXd::Map(d_->qfrc_inverse, m_->nv) - pushes());
         }},
        {"forward_dynamics",
         [this](auto&) {
           move(false);
           return our_accelerations(VectorXd::Map(d_->qacc, m_->nv));
         }},
        {"closed_forward_dynamics",
         [this](auto&) {
           move(true);
           return our_accelerations(VectorXd::Map(d_->qacc, m_->nv));
         }},
        {"constraint_force",
         [this](auto&) {
           move(true);
           return our_forces(VectorXd::Map(d_->qfrc_constraint, m_->nv));
         }},
        {"mass_matrix",
         [this](auto&) {
           Rows M(m_->nv, m_->nv);
           mj_fullM(m_.get(), M.data(), d_->qM);
           return our_mass_matrix(M);
         }},
        {"inverse_mass_matrix",
         [this](auto&) {
           const Rows one = Rows::Identity(m_->nv, m_->nv);
           Rows inverse(m_->nv, m_->nv);
           mj_solveM(m_.get(), d_.get(), inverse.data(), one.data(), m_->nv);
           return our_inverse_mass_matrix(inverse);
         }},
        {"bias", [this](auto&) { return our_forces(force(true, true) - pushes()); }},
        {"gravity_force", [this](auto&) { return our_forces(force(true, false)); }},
        {"coriolis_force", [this](auto&) { return our_forces(force(false, true)); }},
        {"kinetic_energy", [this](auto&) { return number(d_->energy[1]); }},
        {"potential_energy", [this](auto&) { return number(d_->energy[0]); }},
        {"center_of_mass", [this](auto&) { return Vector3d::Map(d_->subtree_com); }},
        {"center_of_mass_velocity", [this](auto&) { return Vector3d::Map(d_->subtree_linvel); }},
        {"center_of_mass_jacobian",
         [this](auto&) {
           Rows J(3, m_->nv);
           mj_jacSubtreeCom(m_.get(), d_.get(), J.data(), 0);
           return MatrixXd(J * X_);
         }},
        {"centroidal_momentum", [this](auto&) { return six(Vector3d::Map(d_->subtree_angmom), momentum()); }},
        {"momentum",
         [this](auto&) {
           return six(Vector3d::Map(d_->subtree_angmom) + Vector3d::Map(d_->subtree_com).cross(momentum()), momentum());
         }},
        {"tip_jacobian", [this](auto&) { return jacobian(model_.links.back()); }},
        {"jacobian:", [this](auto& link) { return jacobian(link); }},
        {"link_positions",
         [this](auto&) {
           return of_links(3, [this](auto& link) { return Vector3d::Map(d_->xpos + 3 * body(link)); });
         }},
        {"link_rotations",
         [this](auto&) {
           return of_links(9,
                           [this](auto& link) { return Eigen::Matrix<double, 9, 1>::Map(d_->xmat + 9 * body(link)); });
         }},
        {"link_twists",
         [this](auto&) {
           return of_links(6, [this](auto& link) {
             Eigen::Matrix<double, 6, 1> V;
             mj_objectVelocity(m_.get(), d_.get(), mjOBJ_XBODY, body(link), V.data(), 1);
             return V;
           });
         }},
        {"link_accelerations", [this](auto&) { return accelerations_of_links(); }},
    };
  }
  std::string name() const override { return "MuJoCo"; }
  std::string version() const override { return mj_versionString(); }
  std::string format() const override { return "mjcf"; }
  bool closes_loops() const override { return true; }

  void load(const Described& model) override
  {
    model_ = model;
    const std::string text = with_loops(model);
    const auto files = std::make_unique<mjVFS>();
    mj_defaultVFS(files.get());
    mj_makeEmptyFileVFS(files.get(), "model.xml", static_cast<int>(text.size()));
    std::copy(text.begin(), text.end(), static_cast<char*>(files->filedata[0]));
    char reason[1000] = "";
    m_.reset(mj_loadXML("model.xml", files.get(), reason, sizeof reason));
    mj_deleteVFS(files.get());
    if (!m_) throw Cannot("MuJoCo does not read this MJCF: " + std::string(reason));
    m_->opt.disableflags |= mjDSBL_CONSTRAINT | mjDSBL_PASSIVE | mjDSBL_CONTACT | mjDSBL_LIMIT | mjDSBL_FRICTIONLOSS;
    m_->opt.tolerance = 0;
    m_->opt.enableflags |= mjENBL_ENERGY;
    d_.reset(mj_makeData(m_.get()));
    // Energies and momenta of what is welded to the world are not asked for.
    for (int b = 1; b < m_->nbody && !raw; ++b)
      if (m_->body_weldid[b] == 0) m_->body_mass[b] = 0;
    mj_setConst(m_.get(), d_.get());
    place_points();
  }

  void set(const Asked& state) override
  {
    state_ = state;
    unit_basis(m_->nv);
    VectorXd q(m_->nq);
    int at = 0;
    if (model_.floating_base) {
      const Eigen::Quaterniond& turn = state.quaternion;
      q.head<3>() = state.position;
      if (raw)
        q.segment<4>(3) = turn.coeffs();
      else
        q.segment<4>(3) << turn.w(), turn.vec();
      at = 7;
    }
    if (!raw) X_.setZero();
    if (model_.floating_base && !raw) {
      const Matrix3d R = state.quaternion.toRotationMatrix();
      X_.topLeftCorner<6, 6>() << Matrix3d::Zero(), R, Matrix3d::Identity(), Matrix3d::Zero();
      turning_.head<3>() = R * Vector3d(state.qd.head<3>()).cross(Vector3d(state.qd.segment<3>(3)));
    }
    if (raw)
      q.tail(q.size() - at) = state.q;
    else
      place_joints(q);
    VectorXd::Map(d_->qpos, m_->nq) = q;
    VectorXd::Map(d_->qvel, m_->nv) = rates(state.qd);
    Vector3d::Map(m_->opt.gravity) = state.gravity;
    mj_forward(m_.get(), d_.get());
    mj_subtreeVel(m_.get(), d_.get());
  }

private:
  /// Points of a loop that are held together: one of a ball, two on the axis of a hinge.
  static int points_of(const Loop& loop) { return loop.coupling ? 0 : loop.turning == Turning::free ? 1 : 2; }
  /// The file, and equality constraints as hard as MuJoCo makes them.
  static std::string with_loops(const Described& model)
  {
    const std::string hard = "solimp='0.9999 0.9999 1'/>";
    std::ostringstream all;
    all << std::setprecision(17) << "<equality>";
    for (const Loop& loop : model.loops) {
      const bool turns = loop.turning == Turning::free || loop.turning == Turning::about_z;
      if (!loop.coupling && (!turns || loop.pitch != 0 || loop.slides != std::array<bool, 3>{}))
        throw Cannot("MuJoCo has constraints for balls and hinges, and none like the loop " + loop.name);
      for (int k = 0; k < points_of(loop); ++k)
        all << "<connect body1='" << loop.first.link << "' body2='" << loop.second.link << "' anchor='0 0 0' " << hard;
      if (loop.coupling)
        all << "<joint joint1='" << loop.coupling->joint << "' joint2='" << loop.coupling->follows.joint
            << "' polycoef='" << loop.coupling->follows.offset << ' ' << loop.coupling->follows.multiplier << " 0 0 0' "
            << hard;
    }
    all << "</equality>";
    std::string text = model.text;
    return text.insert(text.rfind("</mujoco>"), all.str());
  }
  /// MuJoCo takes for closed what is together at zero, last in mj_setConst(): say where the points are in both bodies.
  void place_points()
  {
    mjtNum* place = m_->eq_data;
    for (const Loop& loop : model_.loops) {
      for (int k = 0; k < points_of(loop); ++k, place += mjNEQDATA)
        for (const auto& [end, at] : {std::pair{&loop.first, place}, {&loop.second, place + 3}})
          Vector3d::Map(at) =
              Vector3d(end->position.data()) +
              k * (Eigen::Quaterniond(end->quaternion.data()).normalized() * Vector3d(loop.axis.data()).normalized());
      if (loop.coupling) place += mjNEQDATA;
    }
  }
  /// Under all forces, with the loops closed or the tree alone.
  void move(bool closed)
  {
    if (closed) m_->opt.disableflags &= ~mjDSBL_CONSTRAINT;
    VectorXd::Map(d_->qfrc_applied, m_->nv) = forces() + pushes();
    mj_forward(m_.get(), d_.get());
    VectorXd::Map(d_->qfrc_applied, m_->nv).setZero();
    m_->opt.disableflags |= mjDSBL_CONSTRAINT;
  }
  /// The joints' coordinates and rates where MuJoCo has them. One of several angles is several hinges: joint/1, joint/2, ...
  void place_joints(VectorXd& q)
  {
    int from_q = 0, from_v = model_.floating_base ? 6 : 0;
    for (const std::string& name : model_.joints) {
      const int joint = mj_name2id(m_.get(), mjOBJ_JOINT, name.c_str());
      if (joint >= 0 && m_->jnt_type[joint] == mjJNT_BALL) {
        const int to = m_->jnt_qposadr[joint];
        q[to] = state_.q[from_q + 3];
        q.segment<3>(to + 1) = state_.q.segment<3>(from_q);
        X_.block<3, 3>(m_->jnt_dofadr[joint], from_v).setIdentity();
        from_q += 4, from_v += 3;
        continue;
      }
      std::vector<int> hinges;
      if (joint >= 0) hinges.push_back(joint);
      for (int k = 1, one; joint < 0 && (one = part(name, k)) >= 0; ++k) hinges.push_back(one);
      if (hinges.empty()) throw Cannot("MuJoCo has no joint '" + name + "'");
      for (const int one : hinges) {
        q[m_->jnt_qposadr[one]] = state_.q[from_q++];
        X_(m_->jnt_dofadr[one], from_v++) = 1;
      }
    }
  }
  int part(const std::string& joint, int k) const
  {
    return mj_name2id(m_.get(), mjOBJ_JOINT, (joint + "/" + std::to_string(k)).c_str());
  }

  int body(const std::string& link) const
  {
    const int body = mj_name2id(m_.get(), mjOBJ_BODY, link.c_str());
    if (body < 0) throw Cannot("MuJoCo has no body '" + link + "'");
    return body;
  }
  static MatrixXd number(double x) { return MatrixXd::Constant(1, 1, x); }
  Vector3d momentum() const { return m_->body_subtreemass[0] * Vector3d::Map(d_->subtree_linvel); }

  void invert()
  {
    VectorXd::Map(d_->qacc, m_->nv) = accelerations();
    mj_inverse(m_.get(), d_.get());
  }
  /// Forces on the joints of the wrenches.
  VectorXd pushes() const
  {
    VectorXd sum = VectorXd::Zero(m_->nv);
    for (const auto& [link, F] : state_.wrenches) {
      const int b = body(link);
      const Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> R(d_->xmat + 9 * b);
      const Vector3d moment = raw ? Vector3d(F.tail<3>()) : Vector3d(R * F.head<3>());
      const Vector3d push = raw ? Vector3d(F.head<3>()) : Vector3d(R * F.tail<3>());
      mj_applyFT(m_.get(), d_.get(), push.data(), moment.data(), (raw ? d_->xipos : d_->xpos) + 3 * b, b, sum.data());
    }
    return sum;
  }
  /// What holds ours without acceleration, with or without gravity, moving or at rest; `turning` is theirs then.
  VectorXd force(bool weighs, bool moves)
  {
    const Vector3d g = Vector3d::Map(m_->opt.gravity);
    const VectorXd qd = VectorXd::Map(d_->qvel, m_->nv);
    if (!weighs) Vector3d::Map(m_->opt.gravity).setZero();
    if (!moves) VectorXd::Map(d_->qvel, m_->nv).setZero();
    mj_fwdVelocity(m_.get(), d_.get());
    VectorXd tau = VectorXd::Zero(m_->nv);
    if (moves) mj_mulM(m_.get(), d_.get(), tau.data(), turning_.data());
    tau += VectorXd::Map(d_->qfrc_bias, m_->nv);
    Vector3d::Map(m_->opt.gravity) = g;
    VectorXd::Map(d_->qvel, m_->nv) = qd;
    mj_fwdVelocity(m_.get(), d_.get());
    return tau;
  }
  /// Of the body's origin and in world axes, in two parts.
  MatrixXd jacobian(const std::string& link)
  {
    Rows linear(3, m_->nv), angular(3, m_->nv);
    mj_jacBody(m_.get(), d_.get(), linear.data(), angular.data(), body(link));
    return raw ? our_jacobian(linear, angular) : our_jacobian(angular, linear);
  }
  /// MuJoCo's are those that an accelerometer shows: the world accelerates upwards.
  MatrixXd accelerations_of_links()
  {
    invert();
    mj_rnePostConstraint(m_.get(), d_.get());
    return of_links(6, [this](auto& link) {
      Eigen::Matrix<double, 6, 1> A;
      mj_objectAcceleration(m_.get(), d_.get(), mjOBJ_XBODY, body(link), A.data(), 0);
      if (!raw) A.template tail<3>() += state_.gravity;
      return A;
    });
  }

  std::unique_ptr<mjModel, void (*)(mjModel*)> m_{nullptr, mj_deleteModel};
  std::unique_ptr<mjData, void (*)(mjData*)> d_{nullptr, mj_deleteData};
};

}  // namespace

}  // namespace articulate::peers

int main(int count, char** words)
{
  articulate::peers::Mujoco engine;
  return articulate::peers::converse(engine, count, words);
}
