/* What DART answers about states, as lines that `./articulate check` reads.

   from_dart ROBOT.urdf TIP [--floating] [--as-is] < states.jsonl > theirs.jsonl

   With --as-is states are handed over and numbers written as they come. Build it with libdart-dev, libdart-utils-urdf-dev
   and libdart-external-ikfast-dev:

   g++ -O2 -I/usr/include/eigen3 from_dart.cpp -o from_dart -ldart-utils-urdf -ldart -lassimp -lfcl -lccd -loctomap */
#include <dart/dart.hpp>
#include <dart/utils/urdf/urdf.hpp>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <set>

using Json = nlohmann::json;
using Eigen::Matrix3d, Eigen::MatrixXd, Eigen::VectorXd;

Json rows(const MatrixXd& M)
{
  Json all = Json::array();
  for (const auto& row : M.rowwise()) all.push_back(std::vector<double>(row.begin(), row.end()));
  return all;
}
std::vector<double> list(const VectorXd& x) { return {x.begin(), x.end()}; }
VectorXd vector(const std::vector<double>& x) { return VectorXd::Map(x.data(), static_cast<Eigen::Index>(x.size())); }

int main(int count, char** words)
{
  const std::set<std::string> options(words + std::min(count, 3), words + count);
  const bool as_is = options.count("--as-is"), floating = options.count("--floating");
  dart::utils::DartLoader loader;
  const auto robot = count < 3 ? nullptr : loader.parseSkeleton(std::filesystem::absolute(words[1]).string());
  if (!robot || !robot->getBodyNode(words[2])) return std::cerr << "from_dart: there is no such robot or link\n", 2;
  if (!floating) robot->getRootBodyNode()->changeParentJointType<dart::dynamics::WeldJoint>();  // else it floats
  for (std::string line; std::getline(std::cin, line);) {
    const Json state = Json::parse(line);
    VectorXd q = vector(state["q"]);
    if (floating) {
      const auto base = state["base"].get<std::map<std::string, std::vector<double>>>();
      const VectorXd p = vector(base.at("position")), x = vector(base.at("quaternion_xyzw")), joints = q;
      q.resize(6 + joints.size());
      // [conventions]
      // The base's coordinates are a rotation vector and then the position; its velocity is the body twist, as ours is.
      const Eigen::Quaterniond turn(x(3), x(0), x(1), x(2));
      q << dart::math::logMap(turn.toRotationMatrix()), p, joints;
    }
    robot->setGravity(vector(state.value("gravity", std::vector<double>{0, 0, -9.81})));
    robot->setPositions(q);
    robot->setVelocities(vector(state["qd"]));
    robot->setAccelerations(vector(state["qdd"]));
    robot->computeInverseDynamics();  // external forces, damping and springs are asked for by its arguments
    const auto* tip = robot->getBodyNode(words[2]);
    MatrixXd J = MatrixXd::Zero(6, static_cast<Eigen::Index>(robot->getNumDofs()));
    const MatrixXd some = as_is ? tip->getJacobian() : tip->getWorldJacobian();  // the first is in the link's axes
    for (std::size_t k = 0; k < tip->getNumDependentGenCoords(); ++k)            // columns of other joints are left out
      J.col(static_cast<Eigen::Index>(tip->getDependentGenCoordIndex(k))) = some.col(static_cast<Eigen::Index>(k));
    // [conventions]
    std::cout << Json{{"state", state},
                      {"answers",
                       {{"inverse_dynamics", list(robot->getForces())},
                        {"mass_matrix", rows(robot->getMassMatrix())},
                        {"gravity_force", list(robot->getGravityForces())},
                        {"coriolis_force", list(robot->getCoriolisForces())},
                        {std::string("jacobian:") + words[2], rows(J)}}}}
              << '\n';
  }
}
