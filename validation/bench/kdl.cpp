#include <bench/kdl.hpp>
#include <kdl/chaindynparam.hpp>
#include <kdl/chainfdsolver_recursive_newton_euler.hpp>
#include <kdl/chainhdsolver_vereshchagin.hpp>
#include <kdl/chainidsolver_recursive_newton_euler.hpp>
#include <kdl/treeidsolver_recursive_newton_euler.hpp>
#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <stdexcept>

namespace articulate::validation {

namespace {

/// The link or joint of a name that is known to exist.
template <typename Element>
const Element& find(const std::vector<Element>& elements, const std::string& name)
{
  return *std::find_if(elements.begin(), elements.end(), [&](const Element& e) { return e.name == name; });
}

KDL::Vector to_vector(const std::array<double, 3>& x) { return {x[0], x[1], x[2]}; }

KDL::Rotation to_rotation(const std::array<double, 4>& q)
{
  const double norm = std::hypot(std::hypot(q[0], q[1]), std::hypot(q[2], q[3]));
  return KDL::Rotation::Quaternion(q[0] / norm, q[1] / norm, q[2] / norm, q[3] / norm);
}

/// A link's inertia in its own frame: KDL turns an inertia without moving it, then the centre of mass is set.
KDL::RigidBodyInertia to_inertia(const Link& link)
{
  const auto& I = link.inertia;
  const KDL::RigidBodyInertia untilted(0, {}, KDL::RotationalInertia(I[0], I[3], I[5], I[1], I[2], I[4]));
  const KDL::RigidBodyInertia tilted = KDL::Frame(to_rotation(link.inertial_quaternion)) * untilted;
  return KDL::RigidBodyInertia(link.mass, to_vector(link.center_of_mass), tilted.getRotationalInertia());
}

/** A tree of KDL segments, one for each moving joint: links behind fixed joints are merged, as in our model, so that
 *  both libraries carry the same number of bodies. Joints are added in our order, which KDL takes for its coordinates.
 */
class TreeBuilder {
public:
  KDL::Tree tree{"world"};

  explicit TreeBuilder(const Model<double>& model) : mechanism_(model.mechanism())
  {
    if (model.floating_base()) throw ModelError(mechanism_.source + ": KDL has no floating base.");
    const auto child_of_a_joint = [this](const Link& link) {
      return std::any_of(mechanism_.joints.begin(), mechanism_.joints.end(),
                         [&](const Joint& joint) { return joint.child == link.name; });
    };
    merge(std::find_if_not(mechanism_.links.begin(), mechanism_.links.end(), child_of_a_joint)->name, "world", {});
    for (const JointSlot& slot : model.joints()) add(find(mechanism_.joints, slot.name));
  }

private:
  /// Where a link is: the segment that carries it, and its frame seen from that segment's.
  struct Place {
    std::string segment;
    KDL::Frame frame;
  };

  static KDL::Frame joint_frame(const Joint& joint)
  {
    return {to_rotation(joint.quaternion), to_vector(joint.position)};
  }

  /// Place a link and all that is fixed to it.   \return their common inertia in the segment's frame
  KDL::RigidBodyInertia merge(const std::string& link, const std::string& segment, const KDL::Frame& frame)
  {
    places_[link] = {segment, frame};
    KDL::RigidBodyInertia sum = frame * to_inertia(find(mechanism_.links, link));
    for (const Joint& joint : mechanism_.joints)
      if (joint.type == JointType::fixed && joint.parent == link)
        sum = sum + merge(joint.child, segment, frame * joint_frame(joint));
    return sum;
  }

  /// A KDL joint is described in the parent's frame, and the segment's frame at q = 0 is the joint frame.
  void add(const Joint& joint)
  {
    const bool turns = joint.type == JointType::revolute || joint.type == JointType::continuous;
    if (!turns && joint.type != JointType::prismatic)
      throw ModelError(mechanism_.source + ": KDL has no joint of the type of '" + joint.name + "'.");
    const Place parent = places_.at(joint.parent);
    const KDL::Frame frame = parent.frame * joint_frame(joint);
    const KDL::Joint moving(joint.name, frame.p, frame.M * to_vector(joint.axis),
                            turns ? KDL::Joint::RotAxis : KDL::Joint::TransAxis);
    const KDL::RigidBodyInertia inertia = merge(joint.child, joint.child, {});
    tree.addSegment(KDL::Segment(joint.child, moving, frame, inertia), parent.segment);
  }

  const Mechanism& mechanism_;
  std::map<std::string, Place> places_;
};

/// Everything that the solvers refer to: KDL's keep references to the tree, the chain and each other's data.
struct Workspace {
  struct Inputs {
    KDL::JntArray q, qd, qdd, tau;
  };

  KDL::Tree tree;
  KDL::Chain chain;
  std::vector<Inputs> inputs;
  KDL::JntArray result, unused, beta{1};
  KDL::JntSpaceInertiaMatrix mass_matrix;
  KDL::WrenchMap no_wrench_by_name;
  KDL::Wrenches no_wrenches;
  KDL::Jacobian no_direction{1};

  Workspace(const Model<double>& model, const std::vector<State>& states)
      : tree(TreeBuilder(model).tree), result(model.nv()), unused(model.nv()), mass_matrix(model.nv())
  {
    for (const State& state : states)
      inputs.push_back({to_array(state.q), to_array(state.qd), to_array(state.qdd), to_array(state.tau)});
    no_direction.data.setZero();
  }

  static KDL::JntArray to_array(const VectorX<double>& x)
  {
    KDL::JntArray y(x.size());
    y.data = x;
    return y;
  }
};

void require_success(int error)
{
  if (error != KDL::SolverI::E_NOERROR) throw std::runtime_error("KDL refuses: error " + std::to_string(error) + ".");
}

}  // namespace

std::vector<Contender> kdl_contenders(const Model<double>& model, const std::vector<State>& states)
{
  const auto work = std::make_shared<Workspace>(model, states);
  const KDL::Vector gravity = to_vector(model.mechanism().gravity);
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

  for (int i = 1; i <= model.bodies(); ++i)
    if (model.body(i).parent != i - 1) return contenders;
  const Joint& last = find(model.mechanism().joints, model.joints().back().name);
  if (!work->tree.getChain("world", last.child, work->chain)) throw std::runtime_error("KDL finds no chain.");
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

}  // namespace articulate::validation
