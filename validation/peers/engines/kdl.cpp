/* Orocos KDL. It knows trees of one-DoF joints on a fixed base; matrices only of chains. Twists and wrenches have the linear
 * half first, gravity is a vector in the base, wrenches act on a segment at its origin and along its axes. */
#include <kdl/chaindynparam.hpp>
#include <kdl/chainfdsolver_recursive_newton_euler.hpp>
#include <kdl/treefksolverpos_recursive.hpp>
#include <kdl/treeidsolver_recursive_newton_euler.hpp>
#include <kdl/treejnttojacsolver.hpp>
#include <kdl_parser/kdl_parser.hpp>
#include <optional>
#include <peers/engines/engine.hpp>

namespace articulate::peers {

namespace {

class Kdl : public Engine {
public:
  Kdl()
  {
    functions_ = {
        {"inverse_dynamics", [this](auto&) { return ours(forces(given(state_.qdd, "qdd"), true, true)); }},
        {"bias", [this](auto&) { return ours(forces(zero(), true, true)); }},
        {"gravity_force",
         [this](auto&) {
           return ours(of_chain([&](auto& chain, auto& out) { chain.JntToGravity(theirs(state_.q), out); }));
         }},
        {"coriolis_force",
         [this](auto&) {
           return ours(of_chain(
               [&](auto& chain, auto& out) { chain.JntToCoriolis(theirs(state_.q), theirs(state_.qd), out); }));
         }},
        {"mass_matrix", [this](auto&) { return mass_matrix(); }},
        {"forward_dynamics", [this](auto&) { return forward_dynamics(); }},
        {"tip_jacobian", [this](auto&) { return jacobian(model_.links.back()); }},
        {"jacobian:", [this](auto& link) { return jacobian(link); }},
        {"link_positions",
         [this](auto&) { return poses(3, [](const KDL::Frame& T, auto row) { row << T.p.x(), T.p.y(), T.p.z(); }); }},
        {"link_rotations",
         [this](auto&) {
           return poses(9, [](const KDL::Frame& T, auto row) {
             for (int k = 0; k < 9; ++k) row[k] = T.M.data[k];
           });
         }},
    };
  }
  std::string name() const override { return "Orocos KDL"; }
  std::string version() const override { return "1.5.1"; }
  const Functions& functions() const override { return functions_; }

  void load(const Described& model) override
  {
    if (model.floating_base) throw Cannot("KDL knows no floating base");
    model_ = model;
    if (!kdl_parser::treeFromString(model.text, tree_)) throw Cannot("kdl_parser does not read this URDF");
    place_.clear();
    for (const std::string& joint : model.joints) place_.push_back(number_of(joint));
    chain_.reset();
    if (KDL::Chain chain; tree_.getChain(tree_.getRootSegment()->first, end_of_chain(), chain) &&
                          chain.getNrOfJoints() == tree_.getNrOfJoints())
      chain_ = chain;
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
  /// The segment behind the joint of the highest number: the end of the chain, if the tree is one.
  std::string end_of_chain() const
  {
    for (const auto& [name, element] : tree_.getSegments())
      if (element.q_nr + 1 == tree_.getNrOfJoints() && element.segment.getJoint().getType() != KDL::Joint::None)
        return name;
    return tree_.getRootSegment()->first;
  }

  KDL::JntArray theirs(const Eigen::VectorXd& x) const
  {
    KDL::JntArray y(tree_.getNrOfJoints());
    for (std::size_t k = 0; k < place_.size(); ++k) y(place_[k]) = x[static_cast<Eigen::Index>(k)];
    return y;
  }
  Eigen::VectorXd ours(const KDL::JntArray& y) const
  {
    Eigen::VectorXd x(static_cast<Eigen::Index>(place_.size()));
    for (std::size_t k = 0; k < place_.size(); ++k) x[static_cast<Eigen::Index>(k)] = y(place_[k]);
    return x;
  }
  Eigen::VectorXd zero() const { return Eigen::VectorXd::Zero(state_.q.size()); }
  static const Eigen::VectorXd& given(const Eigen::VectorXd& x, const char* name)
  {
    if (x.size() == 0) throw Cannot(std::string("the state has no ") + name);
    return x;
  }
  KDL::Vector gravity() const { return {state_.gravity[0], state_.gravity[1], state_.gravity[2]}; }
  static KDL::Wrench wrench(const Eigen::Matrix<double, 6, 1>& F)
  {
    return {KDL::Vector(F[3], F[4], F[5]), KDL::Vector(F[0], F[1], F[2])};
  }

  KDL::JntArray forces(const Eigen::VectorXd& qdd, bool moving, bool pushed) const
  {
    KDL::TreeIdSolver_RNE solver(tree_, gravity());
    KDL::WrenchMap pushes;
    if (pushed)
      for (const auto& [link, F] : state_.wrenches) pushes[link] = wrench(F);
    KDL::JntArray tau(tree_.getNrOfJoints());
    check(solver.CartToJnt(theirs(state_.q), theirs(moving ? state_.qd : zero()), theirs(qdd), pushes, tau));
    return tau;
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
  KDL::JntArray of_chain(const Function& function) const
  {
    KDL::ChainDynParam parameters(chain(), gravity());
    KDL::JntArray out(tree_.getNrOfJoints());
    function(parameters, out);
    return out;
  }
  Eigen::MatrixXd mass_matrix() const
  {
    KDL::ChainDynParam parameters(chain(), gravity());
    KDL::JntSpaceInertiaMatrix H(tree_.getNrOfJoints());
    check(parameters.JntToMass(theirs(state_.q), H));
    const Eigen::Index n = static_cast<Eigen::Index>(place_.size());
    Eigen::MatrixXd M(n, n);
    for (Eigen::Index i = 0; i < n; ++i)
      for (Eigen::Index j = 0; j < n; ++j)
        M(i, j) = H(place_[static_cast<std::size_t>(i)], place_[static_cast<std::size_t>(j)]);
    return M;
  }
  Eigen::MatrixXd forward_dynamics() const
  {
    KDL::ChainFdSolver_RNE solver(chain(), gravity());
    KDL::Wrenches pushes(chain().getNrOfSegments());
    for (unsigned k = 0; k < pushes.size(); ++k)
      if (const auto F = state_.wrenches.find(chain().getSegment(k).getName()); F != state_.wrenches.end())
        pushes[k] = wrench(F->second);
    KDL::JntArray qdd(tree_.getNrOfJoints());
    check(solver.CartToJnt(theirs(state_.q), theirs(state_.qd), theirs(given(state_.tau, "tau")), pushes, qdd));
    return ours(qdd);
  }
  /// KDL's is of the segment's origin and in the axes of the base, the linear half first.
  Eigen::MatrixXd jacobian(const std::string& link) const
  {
    KDL::TreeJntToJacSolver solver(tree_);
    KDL::Jacobian J(tree_.getNrOfJoints());
    check(solver.JntToJac(theirs(state_.q), J, link));
    Eigen::MatrixXd ours(6, static_cast<Eigen::Index>(place_.size()));
    for (std::size_t k = 0; k < place_.size(); ++k)
      ours.col(static_cast<Eigen::Index>(k)) << J.data.col(place_[k]).tail<3>(), J.data.col(place_[k]).head<3>();
    return ours;
  }
  template <typename Write>
  Eigen::MatrixXd poses(int columns, const Write& write) const
  {
    KDL::TreeFkSolverPos_recursive solver(tree_);
    Eigen::MatrixXd rows(static_cast<Eigen::Index>(model_.links.size()), columns);
    for (std::size_t k = 0; k < model_.links.size(); ++k) {
      KDL::Frame T;
      check(solver.JntToCart(theirs(state_.q), T, model_.links[k]));
      write(T, rows.row(static_cast<Eigen::Index>(k)));
    }
    return rows;
  }

  Functions functions_;
  Described model_;
  KDL::Tree tree_;
  std::optional<KDL::Chain> chain_;
  std::vector<unsigned> place_;
  Asked state_;
};

}  // namespace

}  // namespace articulate::peers

int main()
{
  articulate::peers::Kdl engine;
  return articulate::peers::converse(engine);
}
