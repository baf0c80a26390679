#include <bench/peers.hpp>
#include <kdl/chaindynparam.hpp>
#include <kdl/chainfdsolver_recursive_newton_euler.hpp>
#include <kdl/chainhdsolver_vereshchagin.hpp>
#include <kdl/chainidsolver_recursive_newton_euler.hpp>
#include <kdl/config.h>
#include <kdl/treeidsolver_recursive_newton_euler.hpp>
#include <algorithm>
#include <memory>
#include <stdexcept>

namespace articulate::validation {

namespace {

KDL::Vector to_vector(const Eigen::Vector3d& x) { return {x[0], x[1], x[2]}; }

/// A KDL joint is described in the parent's frame, and the segment's frame at q = 0 is the joint frame.
KDL::Segment to_segment(const Part& part)
{
  const Eigen::Matrix3d R = part.pose.linear(), I = part.tensor;
  const KDL::Frame frame(KDL::Rotation(to_vector(R.col(0)), to_vector(R.col(1)), to_vector(R.col(2))),
                         to_vector(part.pose.translation()));
  const KDL::Joint joint(part.name, frame.p, frame.M.UnitZ(), part.turns ? KDL::Joint::RotAxis : KDL::Joint::TransAxis);
  const KDL::RotationalInertia central(I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2));
  return KDL::Segment(part.name, joint, frame, KDL::RigidBodyInertia(part.mass, to_vector(part.center), central));
}

/// Everything that the solvers refer to: KDL's keep references to the tree, the chain and each other's data.
struct Workspace {
  struct Inputs {
    KDL::JntArray q, qd, qdd, tau;
  };

  KDL::Tree tree{"world"};
  KDL::Chain chain;
  std::vector<Inputs> inputs;
  KDL::JntArray result, unused, beta{1};
  KDL::JntSpaceInertiaMatrix mass_matrix;
  KDL::WrenchMap no_wrench_by_name;
  KDL::Wrenches no_wrenches;
  KDL::Jacobian no_direction{1};

  Workspace(const Machine& machine, const std::vector<State>& states)
  {
    const auto n = static_cast<unsigned>(machine.parts.size());
    for (const Part& part : machine.parts)
      tree.addSegment(to_segment(part),
                      part.parent < 0 ? "world" : machine.parts[static_cast<std::size_t>(part.parent)].name);
    result = unused = KDL::JntArray(n);
    mass_matrix = KDL::JntSpaceInertiaMatrix(static_cast<int>(n));
    for (const State& state : states)
      inputs.push_back({to_array(state.q), to_array(state.qd), to_array(state.qdd), to_array(state.tau)});
    no_direction.data.setZero();
  }

  static KDL::JntArray to_array(const Eigen::VectorXd& x)
  {
    KDL::JntArray y(static_cast<unsigned>(x.size()));
    y.data = x;
    return y;
  }
};

void require_success(int error)
{
  if (error != KDL::SolverI::E_NOERROR) throw std::runtime_error("KDL refuses: error " + std::to_string(error) + ".");
}

std::vector<Contender> kdl_contenders(const Machine& machine, const std::vector<State>& states)
{
  const auto work = std::make_shared<Workspace>(machine, states);
  const KDL::Vector gravity = to_vector(machine.gravity);
  std::vector<Contender> contenders;
  /// Add a solver whose call takes the inputs of a state and writes to work->result.
  const auto add = [&](const char* name, Problem problem, auto solver, auto call) {
    contenders.push_back({name, problem, [work, solver, call](std::size_t k) -> Result {
                            require_success(call(*solver, work->inputs[k]));
                            return work->result.data;
                          }});
  };
  using Inputs = const Workspace::Inputs&;

  add("KDL TreeIdSolver_RNE", Problem::inverse, std::make_shared<KDL::TreeIdSolver_RNE>(work->tree, gravity),
      [w = work.get()](KDL::TreeIdSolver_RNE& solver, Inputs in) {
        return solver.CartToJnt(in.q, in.qd, in.qdd, w->no_wrench_by_name, w->result);
      });

  for (std::size_t i = 0; i < machine.parts.size(); ++i)
    if (machine.parts[i].parent != static_cast<int>(i) - 1) return contenders;
  if (!work->tree.getChain("world", machine.parts.back().name, work->chain))
    throw std::runtime_error("KDL finds no chain.");
  work->no_wrenches.resize(work->chain.getNrOfSegments());

  add("KDL ChainIdSolver_RNE", Problem::inverse, std::make_shared<KDL::ChainIdSolver_RNE>(work->chain, gravity),
      [w = work.get()](KDL::ChainIdSolver_RNE& solver, Inputs in) {
        return solver.CartToJnt(in.q, in.qd, in.qdd, w->no_wrenches, w->result);
      });
  add("KDL ChainFdSolver_RNE", Problem::forward, std::make_shared<KDL::ChainFdSolver_RNE>(work->chain, gravity),
      [w = work.get()](KDL::ChainFdSolver_RNE& solver, Inputs in) {
        return solver.CartToJnt(in.q, in.qd, in.tau, w->no_wrenches, w->result);
      });
  const auto dynamics = std::make_shared<KDL::ChainDynParam>(work->chain, gravity);
  contenders.push_back({"KDL ChainDynParam::JntToMass", Problem::mass, [work, dynamics](std::size_t k) -> Result {
                          require_success(dynamics->JntToMass(work->inputs[k].q, work->mass_matrix));
                          return work->mass_matrix.data;
                        }});
  // Here gravity is the acceleration of the base, of the opposite sign.
  add("KDL ChainHdSolver_Vereshchagin", Problem::forward,
      std::make_shared<KDL::ChainHdSolver_Vereshchagin>(work->chain, KDL::Twist(-gravity, KDL::Vector::Zero()), 1),
      [w = work.get()](KDL::ChainHdSolver_Vereshchagin& solver, Inputs in) {
        return solver.CartToJnt(in.q, in.qd, w->result, w->no_direction, w->beta, w->no_wrenches, in.tau, w->unused);
      });
  return contenders;
}

}  // namespace

Peer kdl()
{
  return {"KDL " KDL_VERSION_STRING, "KDL has no floating base, and of trees it has inverse dynamics only.",
          kdl_contenders};
}

}  // namespace articulate::validation
