#include <bench/peers.hpp>
#include <mujoco/mujoco.h>
#include <algorithm>
#include <limits>
#include <memory>
#include <sstream>
#include <stdexcept>

namespace articulate::validation {

namespace {

using Eigen::Quaterniond, Eigen::Vector3d;

std::string text(const Vector3d& x)
{
  std::ostringstream out;
  out.precision(std::numeric_limits<double>::max_digits10);
  out << '"' << x[0] << ' ' << x[1] << ' ' << x[2] << '"';
  return out.str();
}
std::string text(const Quaterniond& q)
{
  std::ostringstream out;
  out.precision(std::numeric_limits<double>::max_digits10);
  out << '"' << q.w() << ' ' << q.x() << ' ' << q.y() << ' ' << q.z() << '"';
  return out.str();
}
std::string text(double x)
{
  std::ostringstream out;
  out.precision(std::numeric_limits<double>::max_digits10);
  out << '"' << x << '"';
  return out.str();
}

/// The bodies that one carries, in MJCF: there they stand within it.
std::string children(const std::vector<Part>& parts, int parent)
{
  std::string all;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Part& part = parts[i];
    if (part.parent != parent) continue;
    const auto [moments, axes] = principal(part);
    all += "<body pos=" + text(part.pose.translation()) + " quat=" + text(Quaterniond(part.pose.linear())) +
           "><inertial pos=" + text(part.center) + " quat=" + text(Quaterniond(axes)) + " mass=" + text(part.mass) +
           " diaginertia=" + text(moments) + "/><joint type=\"" + (part.turns ? "hinge" : "slide") +
           "\" axis=\"0 0 1\"/>" + children(parts, static_cast<int>(i)) + "</body>";
  }
  return all;
}

/// Its reader of XML takes elements that stand in 100 others at most; two hold the bodies, and the last has parts.
constexpr int deepest = 97;

/// How many bodies stand within each other.
int depth(const std::vector<Part>& parts)
{
  std::vector<int> of;
  for (const Part& part : parts) of.push_back(part.parent < 0 ? 1 : of[static_cast<std::size_t>(part.parent)] + 1);
  return *std::max_element(of.begin(), of.end());
}

/// A model and its data.
struct Workspace {
  std::unique_ptr<mjModel, void (*)(mjModel*)> model{nullptr, mj_deleteModel};
  std::unique_ptr<mjData, void (*)(mjData*)> data{nullptr, mj_deleteData};
  Eigen::VectorXd found;
  Eigen::MatrixXd M;

  explicit Workspace(const Machine& machine)
  {
    const std::string xml = "<mujoco><compiler angle=\"radian\"/><option gravity=" + text(machine.gravity) +
                            "/><worldbody>" + children(machine.parts, -1) + "</worldbody></mujoco>";
    const auto files = std::make_unique<mjVFS>();
    mj_defaultVFS(files.get());
    mj_makeEmptyFileVFS(files.get(), "model.xml", static_cast<int>(xml.size()));
    std::copy(xml.begin(), xml.end(), static_cast<char*>(files->filedata[0]));
    char reason[1000] = "";
    model.reset(mj_loadXML("model.xml", files.get(), reason, sizeof reason));
    mj_deleteVFS(files.get());
    if (!model) throw std::runtime_error("MuJoCo does not read its model: " + std::string(reason));
    data.reset(mj_makeData(model.get()));
    found.resize(model->nv);
    M.resize(model->nv, model->nv);
  }

  void place(const State& state)
  {
    std::copy(state.q.begin(), state.q.end(), data->qpos);
    mj_kinematics(model.get(), data.get());
    mj_comPos(model.get(), data.get());
  }
  /// What recursive Newton-Euler needs beside the places.
  void move(const State& state)
  {
    std::copy(state.qd.begin(), state.qd.end(), data->qvel);
    mj_comVel(model.get(), data.get());
  }
};

std::vector<Contender> mujoco_contenders(const Machine& machine, const std::vector<State>& states)
{
  if (depth(machine.parts) > deepest) return {};
  const auto w = std::make_shared<Workspace>(machine);
  return {{"MuJoCo mj_rne", Problem::inverse,
           [w, &states](std::size_t k) -> Result {
             w->place(states[k]), w->move(states[k]);
             std::copy(states[k].qdd.begin(), states[k].qdd.end(), w->data->qacc);
             mj_rne(w->model.get(), w->data.get(), 1, w->found.data());
             return w->found;
           }},
          {"MuJoCo mj_crb, mj_factorM, mj_rne, mj_solveM", Problem::forward,
           [w, &states](std::size_t k) -> Result {
             w->place(states[k]), w->move(states[k]);
             mj_crb(w->model.get(), w->data.get());
             mj_factorM(w->model.get(), w->data.get());
             mj_rne(w->model.get(), w->data.get(), 0, w->data->qfrc_bias);
             w->found = states[k].tau - Eigen::VectorXd::Map(w->data->qfrc_bias, w->model->nv);
             mj_solveM(w->model.get(), w->data.get(), w->found.data(), w->found.data(), 1);
             return w->found;
           }},
          {"MuJoCo mj_crb, mj_fullM", Problem::mass, [w, &states](std::size_t k) -> Result {
             w->place(states[k]);
             mj_crb(w->model.get(), w->data.get());
             mj_fullM(w->model.get(), w->M.data(), w->data->qM);
             return w->M;
           }}};
}

}  // namespace

Peer mujoco()
{
  return {"MuJoCo " + std::string(mj_versionString()),
          "MuJoCo does not read chains of more than " + std::to_string(deepest) +
              " bodies, and is timed without contacts, limits and passive forces.",
          mujoco_contenders};
}

}  // namespace articulate::validation
