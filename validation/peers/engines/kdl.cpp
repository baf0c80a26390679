/* Orocos KDL. It knows trees of one-DoF joints on a fixed base; matrices only of chains. Twists and wrenches have the linear
 * half first, gravity is a vector in the base, wrenches act on a segment at its origin and along its axes. */
#include <kdl/config.h>
#include <kdl/chaindynparam.hpp>
#include <kdl/chainfdsolver_recursive_newton_euler.hpp>
#include <kdl/chainfksolvervel_recursive.hpp>
#include <kdl/treefksolverpos_recursive.hpp>
#include <kdl/treeidsolver_recursive_newton_euler.hpp>
#include <kdl/treejnttojacsolver.hpp>
#include <kdl_parser/kdl_parser.hpp>
#include <optional>
#include <peers/engines/engine.hpp>
#include <peers/engines/robot.hpp>
#include <set>

namespace articulate::peers {

namespace {

class Kdl : public Engine {
public:
  Kdl()
  {
    functions_ = {
        {"inverse_dynamics", [this](auto&) { return our_forces(forces_of(accelerations())); }},
        {"bias", [this](auto&) { return our_forces(forces_of(0 * turning_)); }},
        {"gravity_force",
         [this](auto&) { return of_chain([&](auto& terms, auto& out) { return terms.JntToGravity(q(), out); }); }},
        {"coriolis_force",
         [this](auto&) {
           return of_chain(
               [&](auto& terms, auto& out) { return terms.JntToCoriolis(q(), array(rates(state_.qd)), out); });
         }},
        {"mass_matrix", [this](auto&) { return mass_matrix(); }},
        {"forward_dynamics", [this](auto&) { return forward_dynamics(); }},
        {"tip_jacobian", [this](auto&) { return jacobian(model_.links.back()); }},
        {"jacobian:", [this](auto& link) { return jacobian(link); }},
        {"link_positions",
         [this](auto&) {
           return of_links(3,
                           [this](auto& link) -> Eigen::VectorXd { return Eigen::Vector3d::Map(pose(link).p.data); });
         }},
        {"link_rotations",
         [this](auto&) {  // KDL keeps them row by row
           return of_links(9, [this](auto& link) -> Eigen::VectorXd {
             return Eigen::Matrix<double, 9, 1>::Map(pose(link).M.data);
           });
         }},
        {"link_twists", [this](auto&) { return of_links(6, [this](auto& link) { return twist(link); }); }},
    };
  }
  std::string name() const override { return "Orocos KDL"; }
  std::string version() const override { return KDL_VERSION_STRING; }

  void load(const Described& model) override
  {
    if (model.floating_base) throw Cannot("KDL has no floating base");
    // kdl_parser crashes on what urdfdom refuses.
    for (const Part& part : parts_of_urdf(model.text))
      if (part.parent >= 0 && part.type != "fixed" && (freedom_of(part.type).rates != 1 || part.type == "helical"))
        throw Cannot("KDL has hinges and slides, and " + part.joint + " is " + part.type);
    model_ = model;
    if (!kdl_parser::treeFromString(model.text, tree_)) throw Cannot("kdl_parser does not read this URDF");
    unit_basis(static_cast<Eigen::Index>(model.joints.size()));
    if (!raw) X_.setZero();
    for (std::size_t k = 0; k < model.joints.size() && !raw; ++k)
      X_(number_of(model.joints[k]), static_cast<Eigen::Index>(k)) = 1;
    find_chain();
  }

  void set(const Asked& state) override { state_ = state; }

private:
  /// The number that KDL gives to a joint.
  unsigned number_of(const std::string& joint) const
  {
    for (const auto& [name, element] : tree_.getSegments())
      if (element.segment.getJoint().getName() == joint && element.segment.getJoint().getType() != KDL::Joint::None)
        return element.q_nr;
    throw Cannot("KDL has no joint '" + joint + "'");
  }
  KDL::Chain way_to(const std::string& segment) const
  {
    KDL::Chain chain;
    tree_.getChain(tree_.getRootSegment()->first, segment, chain);
    return chain;
  }
  /// Of the chains that have all joints the longest, if nothing that moves and is not in it has a mass.
  void find_chain()
  {
    chain_.reset(), left_out_.clear();
    for (const auto& [name, element] : tree_.getSegments())
      if (const KDL::Chain chain = way_to(name); chain.getNrOfJoints() == tree_.getNrOfJoints() &&
                                                 (!chain_ || chain.getNrOfSegments() > chain_->getNrOfSegments()))
        chain_ = chain;
    if (!chain_) return;
    std::set<std::string> inside;
    for (const KDL::Segment& segment : chain_->segments) inside.insert(segment.getName());
    for (const auto& [name, element] : tree_.getSegments()) {
      if (inside.count(name) || way_to(name).getNrOfJoints() == 0) continue;
      left_out_.insert(name);
      if (element.segment.getInertia().getMass() > 0) return chain_.reset();
    }
  }

  static KDL::JntArray array(const Eigen::VectorXd& x)
  {
    KDL::JntArray y(static_cast<unsigned>(x.size()));
    y.data = x;
    return y;
  }
  KDL::JntArray q() const { return array(X_ * state_.q); }
  KDL::JntArray none() const { return KDL::JntArray(tree_.getNrOfJoints()); }
  KDL::Vector gravity() const { return {state_.gravity[0], state_.gravity[1], state_.gravity[2]}; }
  /// A wrench as the protocol sends it; as it is, its first three are a force.
  KDL::Wrench wrench(const Eigen::Matrix<double, 6, 1>& F) const
  {
    const KDL::Vector first(F[0], F[1], F[2]), second(F[3], F[4], F[5]);
    return raw ? KDL::Wrench(first, second) : KDL::Wrench(second, first);
  }

  Eigen::VectorXd forces_of(const Eigen::VectorXd& qdd) const
  {
    KDL::TreeIdSolver_RNE solver(tree_, gravity());
    KDL::WrenchMap pushes;
    for (const auto& [link, F] : state_.wrenches) pushes[link] = wrench(F);
    KDL::JntArray tau = none();
    check(solver.CartToJnt(q(), array(rates(state_.qd)), array(qdd), pushes, tau));
    return tau.data;
  }
  static void check(int error)
  {
    if (error < 0) throw Cannot("KDL answers with its error " + std::to_string(error));
  }
  const KDL::Chain& chain() const
  {
    if (!chain_) throw Cannot("KDL has it for chains only, and this is a tree");
    return *chain_;
  }
  template <typename Function>
  Eigen::MatrixXd of_chain(const Function& function) const
  {
    KDL::ChainDynParam terms(chain(), gravity());
    KDL::JntArray out = none();
    check(function(terms, out));
    return our_forces(out.data);
  }
  Eigen::MatrixXd mass_matrix() const
  {
    KDL::ChainDynParam terms(chain(), gravity());
    KDL::JntSpaceInertiaMatrix H(tree_.getNrOfJoints());
    check(terms.JntToMass(q(), H));
    return our_mass_matrix(H.data);
  }
  Eigen::MatrixXd forward_dynamics() const
  {
    KDL::ChainFdSolver_RNE solver(chain(), gravity());
    KDL::Wrenches pushes(chain().getNrOfSegments());
    for (unsigned k = 0; k < pushes.size(); ++k)
      if (const auto F = state_.wrenches.find(chain().getSegment(k).getName()); F != state_.wrenches.end())
        pushes[k] = wrench(F->second);
    for (const auto& [link, F] : state_.wrenches)
      if (left_out_.count(link))
        throw Cannot("KDL has it for chains only, and a wrench acts on " + link + " beside it");
    KDL::JntArray qdd = none();
    check(solver.CartToJnt(q(), array(rates(state_.qd)), array(forces()), pushes, qdd));
    return our_accelerations(qdd.data);
  }
  /// Of the segment's origin and in the axes of the base, the linear half first.
  Eigen::MatrixXd jacobian(const std::string& link) const
  {
    KDL::TreeJntToJacSolver solver(tree_);
    KDL::Jacobian J(tree_.getNrOfJoints());
    check(solver.JntToJac(q(), J, link));
    return raw ? Eigen::MatrixXd(J.data) : our_jacobian(J.data.bottomRows(3), J.data.topRows(3));
  }
  KDL::Frame pose(const std::string& link) const
  {
    KDL::Frame T;
    check(KDL::TreeFkSolverPos_recursive(tree_).JntToCart(q(), T, link));
    return T;
  }

  /// Of the chain to the segment; of its origin and in the axes of the base, the linear half first.
  Eigen::VectorXd twist(const std::string& link) const
  {
    const KDL::Chain chain = way_to(link);
    const KDL::JntArray all_q = q(), all_qd = array(rates(state_.qd));
    KDL::JntArrayVel motion(chain.getNrOfJoints());
    unsigned k = 0;
    for (const KDL::Segment& segment : chain.segments)
      if (segment.getJoint().getType() != KDL::Joint::None) {
        const unsigned number = number_of(segment.getJoint().getName());
        motion.q(k) = all_q(number), motion.qdot(k++) = all_qd(number);
      }
    KDL::FrameVel T;
    check(KDL::ChainFkSolverVel_recursive(chain).JntToCart(motion, T));
    const KDL::Twist V = raw ? T.GetTwist() : T.GetFrame().M.Inverse() * T.GetTwist();
    const Eigen::Vector3d linear = Eigen::Vector3d::Map(V.vel.data), angular = Eigen::Vector3d::Map(V.rot.data);
    return raw ? six(linear, angular) : six(angular, linear);
  }

  KDL::Tree tree_;
  std::optional<KDL::Chain> chain_;
  std::set<std::string> left_out_;  ///< what moves and is not in the chain
};

}  // namespace

}  // namespace articulate::peers

int main(int count, char** words)
{
  articulate::peers::Kdl engine;
  return articulate::peers::converse(engine, count, words);
}
