/* What Orocos KDL answers about states of a chain, as lines that `./articulate check` reads.

   from_kdl ROBOT.urdf TIP [--as-is] < states.jsonl > theirs.jsonl

   With --as-is its numbers are written as they come. Build it with liborocos-kdl-dev and libkdl-parser-dev:

   g++ -O2 -I/usr/include/eigen3 from_kdl.cpp -o from_kdl -lkdl_parser -lorocos-kdl */
#include <kdl/chaindynparam.hpp>
#include <kdl/chainidsolver_recursive_newton_euler.hpp>
#include <kdl/chainjnttojacsolver.hpp>
#include <kdl_parser/kdl_parser.hpp>
#include <iostream>
#include <nlohmann/json.hpp>

using Json = nlohmann::json;

KDL::JntArray array(const Json& list)
{
  KDL::JntArray x(static_cast<unsigned>(list.size()));
  for (unsigned i = 0; i < x.rows(); ++i) x(i) = list[i];
  return x;
}
std::vector<double> list(const KDL::JntArray& x) { return {x.data.data(), x.data.data() + x.rows()}; }
Json rows(const Eigen::MatrixXd& M)
{
  Json all = Json::array();
  for (const auto& row : M.rowwise()) all.push_back(std::vector<double>(row.begin(), row.end()));
  return all;
}

int main(int count, char** words)
{
  const bool as_is = count == 4 && std::string(words[3]) == "--as-is";
  KDL::Tree tree;
  KDL::Chain chain;
  if (count < 3 || !kdl_parser::treeFromFile(words[1], tree) ||
      !tree.getChain(tree.getRootSegment()->first, words[2], chain))
    return std::cerr << "from_kdl: there is no such chain\n", 2;
  const unsigned n = chain.getNrOfJoints();
  for (std::string line; std::getline(std::cin, line);) {
    const Json state = Json::parse(line);
    // [conventions]
    // The gravity that acts, in the root's axes. KDL would take (0, 0, 9.81) without a word.
    const Json g = state.value("gravity", Json{0, 0, -9.81});
    const KDL::Vector gravity(g[0], g[1], g[2]);
    const KDL::JntArray q = array(state["q"]), qd = array(state["qd"]), qdd = array(state["qdd"]);
    KDL::JntArray tau(n), weight(n), coriolis(n);
    KDL::JntSpaceInertiaMatrix M(n);
    KDL::Jacobian J(n);
    KDL::ChainIdSolver_RNE(chain, gravity).CartToJnt(q, qd, qdd, KDL::Wrenches(chain.getNrOfSegments()), tau);
    KDL::ChainDynParam terms(chain, gravity);
    terms.JntToMass(q, M), terms.JntToGravity(q, weight), terms.JntToCoriolis(q, qd, coriolis);
    KDL::ChainJntToJacSolver(chain).JntToJac(q, J);
    Eigen::MatrixXd of_tip = J.data;  // linear first
    if (!as_is) of_tip << J.data.bottomRows(3), J.data.topRows(3);
    // [conventions]
    std::cout << Json{{"state", state},
                      {"answers",
                       {{"inverse_dynamics", list(tau)},
                        {"mass_matrix", rows(M.data)},
                        {"gravity_force", list(weight)},
                        {"coriolis_force", list(coriolis)},
                        {std::string("jacobian:") + words[2], rows(of_tip)}}}}
              << '\n';
  }
}
