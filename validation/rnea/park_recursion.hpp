/** \file
 *  \brief Park's section 3 line by line with 6x6 matrices, as printed or corrected, and the chains on which it is run.
 */
#pragma once
#include <algorithm>
#include <ledger/specimen.hpp>

namespace articulate::validation {

/// \brief A serial chain of one-degree joints in motion, as section 3 has it.
template <typename S>
struct Chain {
  Mechanism mechanism;
  Model<S> model;
  VectorX<S> x, xd, xdd;

  explicit Chain(const Mechanism& links)
      : mechanism(links), model(Model<double>(links, {false, true})), x(model.nq()), xd(model.nv()), xdd(model.nv())
  {
  }

  /// \brief The joint forces by vector mechanics, with the weight or without.
  VectorX<S> witness_tau(const S& weight = S(1)) const
  {
    witness::VectorNewtonEuler<S> witness(mechanism, false);
    return witness.inverse_dynamics(x, xd, xdd, weight * model.gravity().eigen());
  }
};

/// \brief A robot's links on the way from its root to one of them; joints of several degrees are held at zero.
template <typename S>
Chain<S> path_to(const Specimen<S>& robot, std::string link)
{
  const Mechanism& whole = robot.inputs.mechanism;
  Mechanism path = whole;
  path.links = {whole.links[robot.mechanism_index(link)]};
  path.joints.clear();
  const auto leads_to = [&](const Joint& joint) { return joint.child == link; };
  for (auto joint = std::find_if(whole.joints.begin(), whole.joints.end(), leads_to); joint != whole.joints.end();
       joint = std::find_if(whole.joints.begin(), whole.joints.end(), leads_to)) {
    link = joint->parent;
    path.links.push_back(whole.links[robot.mechanism_index(link)]);
    path.joints.push_back(*joint);
    for (const JointSlot& slot : robot.model.joints())
      if (slot.name == joint->name && slot.nq > 1) path.joints.back().type = JointType::fixed;
  }

  Chain<S> chain(path);
  for (const JointSlot& own : chain.model.joints())
    for (const JointSlot& slot : robot.model.joints())
      if (slot.name == own.name)
        chain.x(own.q) = robot.q(slot.q), chain.xd(own.v) = robot.qd(slot.v), chain.xdd(own.v) = robot.qdd(slot.v);
  return chain;
}

/// \brief The paths to all tips of a robot, as far as there is a joint on them that moves.
template <typename S>
std::vector<Chain<S>> paths(const Specimen<S>& robot)
{
  std::vector<bool> carries(robot.bodies() + 1, false);
  for (int i = 1; i <= robot.bodies(); ++i) carries[robot.model.body(i).parent] = true;
  std::vector<Chain<S>> all;
  for (const JointSlot& slot : robot.model.joints()) {
    if (carries[slot.body]) continue;
    const auto& links = robot.model.links();
    const auto tip = std::find_if(links.begin(), links.end(), [&](const auto& l) { return l.body == slot.body; });
    const Chain<S> chain = path_to(robot, tip->name);
    if (chain.model.nv() > 0) all.push_back(chain);
  }
  return all;
}

/// \brief A hinge, a screw and a slide, all of whose numbers are drawn: some robots have too few joints to tell a slip.
template <typename S>
Chain<S> drawn_chain(const Specimen<S>& robot)
{
  const double* next = robot.inputs.free_numbers.data();
  const auto draw = [&](auto& numbers) {
    for (double& number : numbers) number = *next++;
  };
  Mechanism drawn;
  drawn.name = drawn.source = "drawn chain";
  drawn.gravity = robot.inputs.mechanism.gravity;
  drawn.links = {{.name = "root"}};
  for (const JointType type : {JointType::revolute, JointType::helical, JointType::prismatic}) {
    Link link{.name = "link_" + std::to_string(drawn.links.size()), .mass = 2 + *next++};
    draw(link.center_of_mass), draw(link.inertia);
    for (const int diagonal : {0, 3, 5}) link.inertia[diagonal] += 3;
    Joint joint{.name = "to_" + link.name, .type = type, .parent = drawn.links.back().name, .child = link.name};
    draw(joint.position), draw(joint.quaternion), draw(joint.axis);
    joint.pitch = *next++;
    drawn.links.push_back(link), drawn.joints.push_back(joint);
  }

  Chain<S> chain(drawn);
  for (int k = 0; k < chain.model.nv(); ++k) {
    chain.x(k) = S(*next++);
    chain.xd(k) = S(3) + S(*next++);  // never slow: brackets of velocities have to count
    chain.xdd(k) = S(*next++);
  }
  return chain;
}

/// \brief Which lines are taken as the print has them, or with a slip that tempts.
struct PrintedTerms {
  bool velocity = false;      ///< (24) with Ad_f in place of Ad_{f^-1}  (E-park-1)
  bool acceleration = false;  ///< (25), the carried acceleration likewise
  bool bracket = false;       ///< (25), the velocity in the bracket likewise
  bool force = false;         ///< (26) with Ad*_f in place of Ad*_{f^-1}
  bool own_velocity = false;  ///< (73), V_i in place of V_{i-1} in the bracket  (E-park-7)
  bool swapped = false;       ///< (25), the two sides of the bracket exchanged
  bool added = false;         ///< (26), the last term with a plus
  bool outer_axis = false;    ///< (27), the axis as the link before the joint sees it
};

template <typename S>
struct ParkRecursion {
  std::vector<Vector6<S>> V, Vdot, F;
  VectorX<S> tau;

  /// \param lift  how much of the weight the base's acceleration stands for: none in the printed (22)
  explicit ParkRecursion(const Chain<S>& chain, const PrintedTerms& printed = {}, const S& lift = S(1))
  {
    const int n = chain.model.nv();
    std::vector<Matrix6<S>> Ad(n + 2), AdInv(n + 2);
    std::vector<Vector6<S>> screw(n + 1);
    for (auto* six : {&V, &Vdot, &F}) six->assign(n + 2, Vector6<S>::Zero());  // (22)
    Vdot[0].template tail<3>() = -lift * chain.model.gravity().eigen();
    for (auto* matrix : {&Ad, &AdInv}) matrix->back().setIdentity();  // beyond the last joint nothing is carried
    for (int i = 1; i <= n; ++i) {
      const Body<S>& body = chain.model.body(i);
      const Twist<S> axis = JointJacobian<S>(body).column(0);
      const SE3<S> f = body.M * exp(axis, chain.x(i - 1));  // (23)
      Ad[i] = Ad_matrix(f), AdInv[i] = Ad_matrix(inverse(f));
      screw[i] = coordinates(axis);
      const Vector6<S> moved = screw[i] * chain.xd(i - 1);
      V[i] = (printed.velocity ? Ad : AdInv)[i] * V[i - 1] + moved;  // (24)
      const Vector6<S> carried = (printed.bracket ? Ad : AdInv)[i] * V[printed.own_velocity ? i : i - 1];
      Vdot[i] = screw[i] * chain.xdd(i - 1) + (printed.acceleration ? Ad : AdInv)[i] * Vdot[i - 1] +
                (printed.swapped ? ad(moved) * carried : ad(carried) * moved);  // (25)
    }
    tau.resize(n);
    for (int i = n; i >= 1; --i) {
      const Matrix6<S> J = chain.model.body(i).I.matrix();
      const Vector6<S> turning = ad(V[i]).transpose() * (J * V[i]);
      F[i] = (printed.force ? Ad : AdInv)[i + 1].transpose() * F[i + 1] + J * Vdot[i] +
             S(printed.added ? 1 : -1) * turning;  // (26)
      const Vector6<S> axis = printed.outer_axis ? Vector6<S>(Ad[i] * screw[i]) : screw[i];
      tau(i - 1) = axis.dot(F[i]);  // (27)
    }
  }

private:
  static Matrix6<S> ad(const Vector6<S>& V) { return ad_matrix(to_twist(V)); }
};

}  // namespace articulate::validation
