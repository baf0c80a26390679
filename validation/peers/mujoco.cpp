#include <peers/mujoco.hpp>
#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <mujoco/mujoco.h>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <sstream>
#include <utility>

namespace articulate::validation {

namespace {

/// The description of a tree in MuJoCo's own format.
class Description {
public:
  Description(const Mechanism& tree, const std::vector<Loop>& loops, double impedance, int ties,
              const std::vector<Spring>& springs)
      : tree_(tree), springs_(springs)
  {
    text_.precision(17);
    text_ << "<mujoco><compiler angle='radian'/><option gravity='";
    write(tree.gravity) << "' solver='Newton' tolerance='0' jacobian='dense'/><worldbody>";
    for (const Link& link : tree.links)
      if (std::none_of(tree.joints.begin(), tree.joints.end(), [&](const Joint& j) { return j.child == link.name; }))
        add(link, nullptr);
    add_sites("");
    text_ << "</worldbody><tendon>";
    for (std::size_t k = 0; k < springs.size(); ++k)
      text_ << "<spatial stiffness='" << springs[k].stiffness << "' damping='" << springs[k].damping
            << "' springlength='" << springs[k].rest_length << "'><site site='first_" << k << "'/><site site='second_"
            << k << "'/></spatial>";
    text_ << "</tendon><equality>";
    for (const Loop& loop : loops) {
      if (loop.turning != Turning::about_z || loop.pitch != 0 || loop.slides != std::array<bool, 3>{})
        throw ModelError("loop '" + loop.name + "' is no hinge; only hinges are closed in MuJoCo here.");
      for (int tie = 0; tie < ties; ++tie)
        text_ << "<connect body1='" << loop.first.link << "' body2='" << loop.second.link << "' anchor='0 0 0' solimp='"
              << impedance << ' ' << impedance << " 1'/>";
    }
    text_ << "</equality></mujoco>";
  }
  std::string text() const { return text_.str(); }

  static Eigen::Quaterniond turn(const std::array<double, 4>& q)
  {
    return Eigen::Quaterniond(q[3], q[0], q[1], q[2]).normalized();
  }

private:
  std::ostream& write(const std::array<double, 3>& x) { return text_ << x[0] << ' ' << x[1] << ' ' << x[2]; }
  std::ostream& write(const Eigen::Quaterniond& q)
  {
    return text_ << q.w() << ' ' << q.x() << ' ' << q.y() << ' ' << q.z();
  }
  /// A link, the joint that carries it, and all that it carries.
  void add(const Link& link, const Joint* joint)
  {
    text_ << "<body name='" << link.name << "' pos='";
    write(joint ? joint->position : std::array<double, 3>{}) << "' quat='";
    write(joint ? turn(joint->quaternion) : Eigen::Quaterniond::Identity()) << "'>";
    if (joint && joint->type != JointType::fixed) add(*joint);
    if (link.mass > 0) add_inertia(link);
    add_sites(link.name);
    for (const Joint& next : tree_.joints)
      if (next.parent == link.name)
        add(*std::find_if(tree_.links.begin(), tree_.links.end(), [&](const Link& l) { return l.name == next.child; }),
            &next);
    text_ << "</body>";
  }

  /// The ends of springs on a link, or in the world.
  void add_sites(const std::string& link)
  {
    for (std::size_t k = 0; k < springs_.size(); ++k)
      for (const auto& [name, end] : {std::pair{"first_", &springs_[k].first}, {"second_", &springs_[k].second}})
        if (end->link == link) {
          text_ << "<site name='" << name << k << "' pos='";
          write(end->position) << "'/>";
        }
  }

  void add(const Joint& joint)
  {
    const bool turns = joint.type == JointType::revolute || joint.type == JointType::continuous;
    if (!turns && joint.type != JointType::prismatic)
      throw ModelError(tree_.source + ": joint '" + joint.name +
                       "' is no hinge, no slide and not fixed; only these are made in MuJoCo here.");
    text_ << "<joint name='" << joint.name << "' type='" << (turns ? "hinge" : "slide") << "' axis='";
    write(joint.axis) << "'/>";
  }

  /// MuJoCo would find principal axes to nine digits only.
  void add_inertia(const Link& link)
  {
    const auto& I = link.inertia;
    Eigen::Matrix3d tensor;
    tensor << I[0], I[1], I[2], I[1], I[3], I[4], I[2], I[4], I[5];
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> principal(tensor);
    Eigen::Matrix3d axes = principal.eigenvectors();
    axes.col(2) = axes.col(0).cross(axes.col(1));
    text_ << "<inertial mass='" << link.mass << "' pos='";
    write(link.center_of_mass) << "' quat='";
    write(turn(link.inertial_quaternion) * Eigen::Quaterniond(axes)) << "' diaginertia='";
    const Eigen::Vector3d moments = principal.eigenvalues();
    const auto seen = [](double moment) { return std::max(moment, 1e-14); };  // it refuses points and thin rods
    write({seen(moments[0]), seen(moments[1]), seen(moments[2])}) << "'/>";
  }

  const Mechanism& tree_;
  const std::vector<Spring>& springs_;
  std::ostringstream text_;
};

}  // namespace

struct MujocoMachine::Engine {
  std::unique_ptr<mjModel, void (*)(mjModel*)> model{nullptr, mj_deleteModel};
  std::unique_ptr<mjData, void (*)(mjData*)> data{nullptr, mj_deleteData};
  std::vector<int> joints;

  Engine(const Mechanism& tree, const std::vector<Loop>& loops, const std::vector<std::string>& order, double impedance,
         double across, const std::vector<Spring>& springs)
  {
    const std::size_t ties = across == 0 ? 1 : 2;
    const std::string text = Description(tree, loops, impedance, static_cast<int>(ties), springs).text();
    const auto files = std::make_unique<mjVFS>();
    mj_defaultVFS(files.get());
    mj_makeEmptyFileVFS(files.get(), "machine.xml", static_cast<int>(text.size()));
    std::memcpy(files->filedata[0], text.data(), text.size());
    char reason[1000] = "";
    model.reset(mj_loadXML("machine.xml", files.get(), reason, sizeof reason));
    mj_deleteVFS(files.get());
    if (!model) throw ModelError(tree.source + ": MuJoCo refuses the machine: " + reason);

    // It takes for closed what is together at zero: say where the two points are.
    for (std::size_t l = 0; l < ties * loops.size(); ++l) {
      const Loop& loop = loops[l / ties];
      mjtNum* points = model->eq_data + mjNEQDATA * l;
      for (const Loop::End* end : {&loop.first, &loop.second}) {
        const Eigen::Vector3d along =
            Description::turn(end->quaternion) * Eigen::Vector3d(loop.axis.data()).normalized();
        for (int k = 0; k < 3; ++k) *points++ = end->position[k] + (l % ties == 0 ? 0 : across) * along(k);
      }
    }
    for (const std::string& name : order) {
      joints.push_back(mj_name2id(model.get(), mjOBJ_JOINT, name.c_str()));
      if (joints.back() < 0) throw ModelError(tree.source + ": there is no moving joint '" + name + "'.");
    }
    if (static_cast<int>(joints.size()) != model->njnt)
      throw ModelError(tree.source + ": the order of the coordinates must name every moving joint once.");
    data.reset(mj_makeData(model.get()));
  }

  void set(const std::vector<double>& q, const std::vector<double>& qd, const std::vector<double>& tau) const
  {
    for (const auto& [name, x] : {std::pair{"q", &q}, {"qd", &qd}, {"tau", &tau}})
      if (x->size() != joints.size())
        throw SizeError(name, static_cast<int>(x->size()), static_cast<int>(joints.size()));
    for (std::size_t k = 0; k < joints.size(); ++k) {
      const int dof = model->jnt_dofadr[joints[k]];
      data->qpos[model->jnt_qposadr[joints[k]]] = q[k];
      data->qvel[dof] = qd[k];
      data->qfrc_applied[dof] = tau[k];
    }
  }
};

MujocoMachine::MujocoMachine(const Mechanism& tree, const std::vector<Loop>& loops,
                             const std::vector<std::string>& joints, double impedance, double across,
                             const std::vector<Spring>& springs)
    : engine_(std::make_unique<Engine>(tree, loops, joints, impedance, across, springs))
{
}
MujocoMachine::~MujocoMachine() = default;

std::vector<double> MujocoMachine::move(const std::vector<double>& q, const std::vector<double>& qd,
                                        const std::vector<double>& tau, double step, long steps, bool stiff)
{
  const Engine& e = *engine_;
  e.model->opt.timestep = step;
  e.model->opt.integrator = mjINT_RK4;
  for (int l = 0; l < e.model->neq; ++l) e.model->eq_solref[mjNREF * l] = stiff ? 2 * step : 0.02;
  mj_resetData(e.model.get(), e.data.get());
  e.set(q, qd, tau);
  for (long k = 0; k < steps; ++k) mj_step(e.model.get(), e.data.get());
  if (e.data->warning[mjWARN_BADQPOS].number + e.data->warning[mjWARN_BADQVEL].number +
          e.data->warning[mjWARN_BADQACC].number >
      0)
    throw StateError("MuJoCo's motion does not stay finite.");
  std::vector<double> end;
  for (const int joint : e.joints) end.push_back(e.data->qpos[e.model->jnt_qposadr[joint]]);
  return end;
}

std::vector<double> MujocoMachine::accelerations(const std::vector<double>& q, const std::vector<double>& qd,
                                                 const std::vector<double>& tau)
{
  const Engine& e = *engine_;
  e.set(q, qd, tau);
  mj_forward(e.model.get(), e.data.get());
  std::vector<double> qdd;
  for (const int joint : e.joints) {
    qdd.push_back(e.data->qacc[e.model->jnt_dofadr[joint]]);
    if (!std::isfinite(qdd.back())) throw StateError("MuJoCo finds an acceleration that is not finite.");
  }
  return qdd;
}

}  // namespace articulate::validation
