/** \file
 *  \brief What a new joint type has to pass: a slot against a slide and a hinge, and against a loop that it closes.
 *
 *  - Page: \ref joint_type
 */
#include <articulate/articulate.hpp>
#include <articulate/model/mjcf.hpp>
#include <algorithm>
#include <cstdio>
#include <limits>

using namespace articulate;

namespace {

// [slot-machines]
/// An arm with a slot in it; in the second form what the slot does is left to a slide and a hinge.
Mechanism arm(bool in_two_joints)
{
  Mechanism m;
  m.name = m.source = "an arm with a slot";
  m.gravity = {1.1, -2.3, -9.2};
  m.links = {{"ground"},
             {"beam", 2.3, {0.1, -0.2, 0.3}, {0.1, 0.5, -0.5, 0.7}, {0.11, 0.02, -0.01, 0.14, 0.03, 0.09}},
             {"pin", 0.9, {0.2, -0.1, 0.3}, {0.3, 0.1, 0.5, 0.8}, {0.05, -0.01, 0.01, 0.07, 0.02, 0.06}},
             {"tool", 0.6, {-0.1, 0.3, 0.2}, {0, 0, 0, 1}, {0.03, 0.01, 0, 0.04, -0.01, 0.05}}};
  const std::array<double, 3> place{0.3, -0.2, 0.5};
  const std::array<double, 4> turn{0.2, -0.4, 0.4, 0.8};
  m.joints = {{"shoulder", JointType::revolute, "ground", "beam", {0.1, 0.2, 0.7}, {0.5, 0.1, -0.1, 0.7}, {1, 2, -1}}};
  if (in_two_joints) {
    m.links.push_back({"slider"});  // has no mass
    m.joints.push_back({"slide", JointType::prismatic, "beam", "slider", place, turn, {1, 0, 0}});
    m.joints.push_back({"hinge", JointType::revolute, "slider", "pin", {}, {0, 0, 0, 1}, {0, 0, 1}});
  } else {
    m.joints.push_back({"slot", JointType::slot, "beam", "pin", place, turn});
  }
  m.joints.push_back({"wrist", JointType::revolute, "pin", "tool", {0.2, 0.4, -0.1}, {0.3, -0.2, 0.6, 0.7}, {0, 1, 1}});
  return m;
}
// [slot-machines]

/// Whether two results agree to 100 n eps times what they lose, of their largest number; says so if they do not.
bool agree(const char* what, const MatrixX<double>& ours, const MatrixX<double>& theirs, double condition = 1)
{
  const double n = static_cast<double>(ours.rows());
  const double bound = 100 * n * std::numeric_limits<double>::epsilon() * condition * theirs.cwiseAbs().maxCoeff();
  const double apart = (ours - theirs).cwiseAbs().maxCoeff();
  if (apart <= bound) return true;
  std::printf("%s: %.3g apart, at most %.3g\n", what, apart, bound);
  return false;
}

// [slot-tree]
/// The four coordinates are the same in both forms, so every answer has to be.
bool a_slot_is_a_slide_and_a_hinge()
{
  const Model<double> slot(arm(false)), pair(arm(true));
  const Eigen::Vector4d q(0.7, 0.25, -1.2, 0.4), qd(1.3, -0.6, 0.9, -1.7), qdd(0.5, 2.1, -0.8, 1.1);
  const MatrixX<double> M = mass_matrix(pair, q);
  const Eigen::JacobiSVD<MatrixX<double>> svd(M);
  const double condition = svd.singularValues()(0) / svd.singularValues()(3);
  bool good = agree("inverse dynamics", inverse_dynamics(slot, q, qd, qdd), inverse_dynamics(pair, q, qd, qdd));
  good &= agree("mass matrix", mass_matrix(slot, q), M);
  good &= agree("forward dynamics", forward_dynamics(slot, q, qd, qdd), forward_dynamics(pair, q, qd, qdd), condition);
  const auto by_slot = inverse_dynamics_jacobians(slot, q, qd, qdd),
             by_pair = inverse_dynamics_jacobians(pair, q, qd, qdd);
  good &= agree("derivatives with respect to q", by_slot.by_q, by_pair.by_q);
  good &= agree("derivatives with respect to qd", by_slot.by_qd, by_pair.by_qd);
  return good;
}
// [slot-tree]

// [slot-loop]
/// A pin that flies freely and is held by a slot that closes a loop: four rows, met wherever the slot can bring it.
bool a_slot_closes_a_loop()
{
  const std::array<double, 3> place{0.3, -0.2, 0.5};
  const std::array<double, 4> turn{0.2, -0.4, 0.4, 0.8};
  Mechanism held, loose;
  held.name = held.source = loose.name = loose.source = "a pin";
  held.links = loose.links = {{"ground"}, {"pin", 0.9, {0.2, -0.1, 0.3}, {0, 0, 0, 1}, {0.05, 0, 0, 0.07, 0, 0.06}}};
  held.joints = {{"slot", JointType::slot, "ground", "pin", place, turn}};
  loose.joints = {{"flight", JointType::floating, "ground", "pin"}};
  const Model<double> tree(held), cut(loose);

  const Eigen::Vector2d q(0.4, -0.9), qd(1.3, -0.6);
  ForwardKinematics<double> motion(tree);
  motion(q, qd);
  const SE3<double> T = motion.link_pose(tree.link("pin"));
  const Quaternion<double> orientation = quaternion(T.R);
  VectorX<double> flight(7);
  flight << T.p[0], T.p[1], T.p[2], orientation.v[0], orientation.v[1], orientation.v[2], orientation.w;

  Loops<double> loops(cut, {cut_joint("slot", JointType::slot, {"", place, turn}, {"pin"})});
  loops(flight, coordinates(motion.link_twist(tree.link("pin"))));
  const VectorX<double> rates = loops.A * coordinates(motion.link_twist(tree.link("pin")));
  const double bound = 400 * std::numeric_limits<double>::epsilon() * qd.cwiseAbs().maxCoeff();
  if (loops.rows() == 4 && loops.closed() && rates.cwiseAbs().maxCoeff() <= bound) return true;
  std::printf("the loop: %d rows, open by %.3g, moving by %.3g\n", loops.rows(), loops.violation.cwiseAbs().maxCoeff(),
              rates.cwiseAbs().maxCoeff());
  return false;
}
// [slot-loop]

// [slot-file]
/// Written as MJCF it is read as a slot; the joints that MuJoCo sees there, by other names, move as it does.
bool a_slot_is_read_as_it_was_written()
{
  std::string text = mjcf_text(arm(false));
  const Mechanism read = parse_mjcf(text, "the text of an arm");
  const auto is_slot = [](const Joint& joint) { return joint.name == "slot" && joint.type == JointType::slot; };
  for (const auto& [name, other] : {std::pair{"slot/1", "slide"}, {"slot/2", "hinge"}})
    text.replace(text.find(name), std::string(name).size(), other);
  const Model<double> slot(arm(false)), pair(parse_mjcf(text, "two joints"));
  const Eigen::Vector4d q(0.7, 0.25, -1.2, 0.4), qd(1.3, -0.6, 0.9, -1.7), qdd(0.5, 2.1, -0.8, 1.1);
  return std::any_of(read.joints.begin(), read.joints.end(), is_slot) &&
         agree("what was written", inverse_dynamics(pair, q, qd, qdd), inverse_dynamics(slot, q, qd, qdd));
}
// [slot-file]

}  // namespace

int main()
{
  const bool tree = a_slot_is_a_slide_and_a_hinge(), loop = a_slot_closes_a_loop(),
             file = a_slot_is_read_as_it_was_written();
  return tree && loop && file ? 0 : 1;
}
