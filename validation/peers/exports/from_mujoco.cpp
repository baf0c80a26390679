/* What MuJoCo answers about states, as lines that `./articulate check` reads.

   from_mujoco MODEL.xml TIP [--as-is] < states.jsonl > theirs.jsonl

   The model is MJCF, or URDF without meshes, its joints hinges, slides and at most one free joint, in the order of the
   states. With --as-is states are handed over and numbers written as they come. Build it with libmujoco-dev:

   g++ -O2 -I/usr/include/eigen3 from_mujoco.cpp -o from_mujoco -lmujoco */
#include <mujoco/mujoco.h>
#include <Eigen/Geometry>
#include <iostream>
#include <nlohmann/json.hpp>

using Json = nlohmann::json;
using Eigen::Matrix3d, Eigen::MatrixXd, Eigen::Vector3d, Eigen::VectorXd;
using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Json rows(const MatrixXd& M)
{
  Json all = Json::array();
  for (const auto& row : M.rowwise()) all.push_back(std::vector<double>(row.begin(), row.end()));
  return all;
}
VectorXd vector(const std::vector<double>& x) { return VectorXd::Map(x.data(), static_cast<Eigen::Index>(x.size())); }

int main(int count, char** words)
{
  const bool as_is = count == 4 && std::string(words[3]) == "--as-is";
  char reason[1000] = "from_mujoco MODEL TIP [--as-is]";
  mjModel* m = count < 3 ? nullptr : mj_loadXML(words[1], nullptr, reason, sizeof reason);
  if (!m) return std::cerr << "from_mujoco: " << reason << '\n', 2;
  m->opt.disableflags |= mjDSBL_CONSTRAINT;           // neither contacts nor limits nor dry friction
  if (!as_is) m->opt.disableflags |= mjDSBL_PASSIVE;  // no damping: ours counts it --with damping
  mjData* d = mj_makeData(m);
  const bool floating = m->njnt > 0 && m->jnt_type[0] == mjJNT_FREE;
  const int n = m->nv, tip = mj_name2id(m, mjOBJ_BODY, words[2]);
  for (std::string line; std::getline(std::cin, line);) {
    const Json state = Json::parse(line);
    const VectorXd qd = vector(state["qd"]), qdd = vector(state["qdd"]);
    VectorXd q = vector(state["q"]);
    MatrixXd X = MatrixXd::Identity(n, n);  // their rates are X times ours
    VectorXd turning = VectorXd::Zero(n);   // and their accelerations this besides
    if (floating) {
      const auto base = state["base"].get<std::map<std::string, std::vector<double>>>();
      const VectorXd joints = q;
      q.resize(7 + joints.size());
      q << vector(base.at("position")), vector(base.at("quaternion_xyzw")), joints;
      // [conventions]
      // The quaternion's w comes first, the velocity of the origin in world axes comes before the body's turning.
      if (!as_is) {
        const Eigen::Quaterniond turn(q(6), q(3), q(4), q(5));
        const Matrix3d R = turn.toRotationMatrix();
        q.segment<4>(3) << turn.w(), turn.x(), turn.y(), turn.z();
        X.topLeftCorner<6, 6>() << Matrix3d::Zero(), R, Matrix3d::Identity(), Matrix3d::Zero();
        turning.head<3>() = R * Vector3d(qd.head<3>()).cross(Vector3d(qd.segment<3>(3)));
      }
      // [conventions]
    }
    if (state.contains("gravity")) std::copy_n(state["gravity"].get<std::vector<double>>().begin(), 3, m->opt.gravity);
    VectorXd::Map(d->qpos, m->nq) = q;
    VectorXd::Map(d->qvel, n) = X * qd;
    VectorXd::Map(d->qacc, n) = X * qdd + turning;
    mj_inverse(m, d);  // it also fills qM and qfrc_bias
    Rows M(n, n), translation(3, n), rotation(3, n);
    mj_fullM(m, M.data(), d->qM);
    mj_jacBody(m, d, translation.data(), rotation.data(), tip);
    MatrixXd J(6, n);
    if (as_is)
      J << translation, rotation;
    else
      J << rotation * X, translation * X;
    const VectorXd tau = X.transpose() * VectorXd::Map(d->qfrc_inverse, n);
    std::cout << Json{{"state", state},
                      {"answers",
                       {{"inverse_dynamics", std::vector<double>(tau.begin(), tau.end())},
                        {"mass_matrix", rows(X.transpose() * M * X)},
                        {std::string("jacobian:") + words[2], rows(J)}}}}
              << '\n';
  }
  mj_deleteData(d), mj_deleteModel(m);
}
