#include <articulate/oracle/hypothesis.hpp>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <optional>
#include <set>

namespace articulate::oracle {
namespace {

using Matrix = Eigen::Matrix3d;

Matrix tensor(const std::array<double, 6>& I)
{
  Matrix J;
  J << I[0], I[1], I[2], I[1], I[3], I[4], I[2], I[4], I[5];
  return J;
}
std::array<double, 6> six_of(const Matrix& J) { return {J(0, 0), J(0, 1), J(0, 2), J(1, 1), J(1, 2), J(2, 2)}; }

Matrix rotation(const std::array<double, 4>& q)
{
  return SO3<double>(Quaternion<double>{{q[0], q[1], q[2]}, q[3]}).matrix.eigen();
}

/// What the tensor gains when it is moved from the centre of mass to the origin, in the axes of the tensor.
Matrix steiner(const Link& link)
{
  const Eigen::Vector3d c = rotation(link.inertial_quaternion).transpose() *
                            Eigen::Vector3d(link.center_of_mass[0], link.center_of_mass[1], link.center_of_mass[2]);
  return link.mass * (c.squaredNorm() * Matrix::Identity() - c * c.transpose());
}

using Four = std::array<double, 4>;
using Three = std::array<double, 3>;
using SO3d = SO3<double>;

Four numbers(const Quaternion<double>& q) { return {q.v[0], q.v[1], q.v[2], q.w}; }
SO3d turn(const Four& q) { return SO3d(Quaternion<double>{{q[0], q[1], q[2]}, q[3]}); }
Three turned(const SO3d& R, const Three& p)
{
  const Vector3<double> x = R * Vector3<double>{p[0], p[1], p[2]};
  return {x[0], x[1], x[2]};
}

// [roll-pitch-yaw]
/// Angles that are six decimals but for some error become these.   \return whether all are
bool take_decimals(Three& angles, double error)
{
  bool all = true;
  for (double& angle : angles) {
    const double decimal = std::round(1e6 * angle) / 1e6;
    if (std::abs(angle - decimal) < error)
      angle = decimal;
    else
      all = false;
  }
  return all;
}
/** Roll, pitch and yaw of a rotation; the yaw is zero where the pitch is a quarter turn.
 *
 *  Near there roll and yaw lose digits, which the decimals of a file give back; and a pitch may be past a quarter turn, as
 *  1.5708 is, which only such decimals tell.
 */
Three roll_pitch_yaw(const Four& q)
{
  const Matrix R = rotation(q);
  const double cosine = std::hypot(R(2, 1), R(2, 2)), pitch = std::atan2(-R(2, 0), cosine);
  if (cosine < 1e-9) return {std::atan2(-R(1, 2), R(1, 1)), pitch, 0};
  Three angles{std::atan2(R(2, 1), R(2, 2)), pitch, std::atan2(R(1, 0), R(0, 0))};
  if (cosine > 1e-3) return angles;
  const auto opposite = [](double angle) { return angle > 0 ? angle - std::numbers::pi : angle + std::numbers::pi; };
  Three past{opposite(angles[0]), std::copysign(std::numbers::pi, pitch) - pitch, opposite(angles[2])};
  const double error = 1e-15 / cosine;
  return !take_decimals(angles, error) && take_decimals(past, error) ? past : angles;
}
SO3d about(int axis, double angle)
{
  Vector3<double> w{};
  w[axis] = angle;
  return exp(w);
}
/// Its three turns in the other order.
Four in_reverse_order(const Four& q)
{
  const auto [roll, pitch, yaw] = roll_pitch_yaw(q);
  return numbers(quaternion(about(0, roll) * about(1, pitch) * about(2, yaw)));
}
/// Its three angles taken for degrees.
Four in_degrees(const Four& q)
{
  auto [roll, pitch, yaw] = roll_pitch_yaw(q);
  for (double* angle : {&roll, &pitch, &yaw}) *angle *= std::numbers::pi / 180;
  return numbers(quaternion(about(2, yaw) * about(1, pitch) * about(0, roll)));
}
// [roll-pitch-yaw]

/// Six numbers of a tensor in another order: at each of our places, which of them is read.
void reorder_tensor(Link& link, const std::array<std::size_t, 6>& from)
{
  const std::array<double, 6> was = link.inertia;
  for (std::size_t k = 0; k < 6; ++k) link.inertia[k] = was[from[k]];
}

const InertiaMistake mistakes[] = {
    {"rotation_dropped", "the rotation of the inertial frame is dropped",
     "turn the tensor into the link's axes, R I R^T with the R of <inertial><origin rpy>, before it is handed over",
     [](Link& link) {
       link.inertial_quaternion = {0, 0, 0, 1};
     }},
    {"rotation_transposed", "the rotation of the inertial frame is used the other way round",
     "use R I R^T, not R^T I R, with the R of <inertial><origin rpy>",
     [](Link& link) {
       for (int k = 0; k < 3; ++k) link.inertial_quaternion[static_cast<std::size_t>(k)] *= -1;
     }},
    {"products_negated", "the products of inertia have the other sign",
     "write I_xy = -(sum of m x y): products are the entries of the matrix",
     [](Link& link) {
       for (const std::size_t k : {1u, 2u, 4u}) link.inertia[k] *= -1;
     }},
    {"products_dropped", "only the diagonal of the tensor is used", "hand over all six moments and products of inertia",
     [](Link& link) {
       for (const std::size_t k : {1u, 2u, 4u}) link.inertia[k] = 0;
     }},
    {"center_of_mass_at_origin", "the centre of mass is put at the link's origin",
     "hand over <inertial><origin xyz> as the centre of mass", [](Link& link) { link.center_of_mass = {}; }},
    {"about_origin", "the tensor is read as one about the link's origin, and it is one about the centre of mass",
     "move the tensor by m (c^2 1 - c c^T) before it is handed over",
     [](Link& link) { link.inertia = six_of(tensor(link.inertia) - steiner(link)); }},
    {"moved_twice", "the tensor is moved to the link's origin and then read as one about the centre of mass",
     "hand over the tensor about the centre of mass, as URDF gives it",
     [](Link& link) { link.inertia = six_of(tensor(link.inertia) + steiner(link)); }},
    {"tensor_unused", "the tensor is not used: the mass is a point", "hand over the tensor of inertia, too",
     [](Link& link) { link.inertia = {}; }},
    {"rpy_reversed", "roll, pitch and yaw of the inertial frame are applied in reverse order",
     "turn by R_z(yaw) R_y(pitch) R_x(roll)",
     [](Link& link) { link.inertial_quaternion = in_reverse_order(link.inertial_quaternion); }},
    {"rpy_in_degrees", "the angles of the inertial frame are taken for degrees", "read rpy in radians",
     [](Link& link) { link.inertial_quaternion = in_degrees(link.inertial_quaternion); }},
    {"center_of_mass_turned", "the centre of mass is taken along the axes of the inertial frame",
     "leave <inertial><origin xyz> in the axes of the link",
     [](Link& link) { link.center_of_mass = turned(turn(link.inertial_quaternion), link.center_of_mass); }},
    {"center_of_mass_negated", "the centre of mass has the other sign",
     "hand over the centre of mass seen from the origin",
     [](Link& link) {
       for (double& x : link.center_of_mass) x = -x;
     }},
    {"center_of_mass_in_mm", "the centre of mass is taken for one in mm", "hand over the centre of mass in m",
     [](Link& link) {
       for (double& x : link.center_of_mass) x *= 0.001;
     }},
    {"read_as_xx_yy_zz_xy_xz_yz", "xx xy xz yy yz zz are read as xx yy zz xy xz yz",
     "name the six numbers of the tensor",
     [](Link& link) {
       reorder_tensor(link, {0, 3, 4, 1, 5, 2});
     }},
    {"read_as_xx_yy_zz_yz_xz_xy", "xx xy xz yy yz zz are read as xx yy zz yz xz xy",
     "name the six numbers of the tensor",
     [](Link& link) {
       reorder_tensor(link, {0, 5, 4, 1, 3, 2});
     }},
    {"read_as_xx_xy_yy_xz_yz_zz", "xx xy xz yy yz zz are read as xx xy yy xz yz zz",
     "name the six numbers of the tensor",
     [](Link& link) {
       reorder_tensor(link, {0, 1, 3, 2, 4, 5});
     }},
    {"principal_moments", "the principal moments are used without their axes", "hand over the products of inertia, too",
     [](Link& link) {
       const Eigen::Vector3d I = Eigen::SelfAdjointEigenSolver<Matrix>(tensor(link.inertia)).eigenvalues();
       link.inertia = {I(0), 0, 0, I(1), 0, I(2)};
     }},
    {"tensor_doubled", "the tensor counts twice", "hand over the tensor as the description gives it",
     [](Link& link) {
       for (double& x : link.inertia) x *= 2;
     }},
    {"mass_lost", "mass and tensor are lost", "add the inertia of this link to that of the link which carries it",
     [](Link& link) {
       link.mass = 0;
       link.inertia = {};
     }},
};

/// The links that hang on others by fixed joints.
std::set<std::string> fixed_links(const Mechanism& mechanism)
{
  std::set<std::string> names;
  for (const Joint& joint : mechanism.joints)
    if (joint.type == JointType::fixed) names.insert(joint.child);
  return names;
}

struct JointNumber {
  const char *name, *where;
  double Joint::*value;
  bool JointDynamics::*used;
};
constexpr JointNumber joint_numbers[] = {
    {"armature", "on the diagonal of the mass matrix", &Joint::armature, &JointDynamics::armature},
    {"damping", "times the rate among the joint forces", &Joint::damping, &JointDynamics::damping},
    {"friction", "with the sign of the rate among the joint forces", &Joint::friction, &JointDynamics::friction}};

void add_joint_dynamics(Hypotheses& all, const Machine& machine)
{
  const char* const times[] = {"not at all", "once", "twice", "with the other sign"};
  constexpr int reversed = 3;
  for (const auto& [name, where, value, used] : joint_numbers) {
    const bool any = std::any_of(machine.mechanism.joints.begin(), machine.mechanism.joints.end(),
                                 [value = value](const Joint& joint) { return joint.*value != 0; });
    const int ours = any && machine.options.dynamics.*used;
    for (int count = 0; any && count <= reversed; ++count) {
      if (count == ours) continue;
      all.push_back(
          {std::string(name) + "/counted_" +
               std::array{"never", "once", "twice", "negated"}[static_cast<std::size_t>(count)],
           "Your numbers count the " + std::string(name) + " of the joints " + times[count] + " (" + where +
               "), and ours " + times[ours] + ".",
           std::string("set the ") + name + " of the joints to what the description says, and add it " + times[ours],
           [count, value = value, used = used](Machine& m) {
             for (Joint& joint : m.mechanism.joints) joint.*value *= count == reversed ? -1 : count;
             m.options.dynamics.*used = true;
           }});
      // Anyone who counts what we do not has a law of friction of their own: the sign of the rate, or a smooth one as ours.
      if (value != &Joint::friction || ours || !count) continue;
      Hypothesis smooth = all.back();
      smooth.key += "_smoothly";
      smooth.sentence.replace(smooth.sentence.find("with the sign"), 13, "smoothed around the sign");
      all.back().question = [](Question& x, const Situation&) { x.friction_width = 0; };
      all.push_back(std::move(smooth));
    }
    if (value != &Joint::friction || !ours) continue;
    all.push_back({"friction/sharp",
                   "Your friction jumps where a rate changes its sign, and ours does so smoothly.",
                   "ask ours with --friction-width 0, or smooth yours",
                   {},
                   [](Question& x, const Situation&) { x.friction_width = 0; }});
    all.push_back({"friction/smooth",
                   "Your friction is smoothed over 0.001 rad/s or m/s, as compute does, and ours is not.",
                   "ask ours with --friction-width 0.001",
                   {},
                   [](Question& x, const Situation&) { x.friction_width = JointFriction{}.width; }});
  }
}

void add_units(Hypotheses& all)
{
  struct Unit {
    const char *key, *words;
    double mass, length, inertia;
  };
  constexpr double pound = 0.45359237;
  static constexpr Unit units[] = {
      {"units/masses_1000", "masses and tensors are 1000 times as large", 1000, 1, 1000},
      {"units/masses_0.001", "masses and tensors are 1000 times as small", 0.001, 1, 0.001},
      {"units/lengths_1000", "lengths are 1000 times as large", 1, 1000, 1},
      {"units/lengths_0.001", "lengths are 1000 times as small", 1, 0.001, 1},
      {"units/masses_alone_1000", "masses are 1000 times as large, and tensors right", 1000, 1, 1},
      {"units/masses_alone_0.001", "masses are 1000 times as small, and tensors right", 0.001, 1, 1},
      {"units/pounds_read_as_kg", "masses and tensors are 2.2046 times as large", 1 / pound, 1, 1 / pound},
      {"units/kg_read_as_pounds", "masses and tensors are 2.2046 times as small", pound, 1, pound},
      {"units/inches", "lengths are 0.0254 of what they are", 1, 0.0254, 1},
      {"units/tensors_1000", "tensors of inertia are 1000 times as large", 1, 1, 1000},
      {"units/tensors_0.001", "tensors of inertia are 1000 times as small", 1, 1, 0.001},
      {"units/tensors_10000", "tensors of inertia are 1e4 times as large", 1, 1, 1e4},
      {"units/tensors_0.0001", "tensors of inertia are 1e4 times as small", 1, 1, 1e-4},
      {"units/tensors_1000000", "tensors of inertia are 1e6 times as large", 1, 1, 1e6},
      {"units/tensors_0.000001", "tensors of inertia are 1e6 times as small", 1, 1, 1e-6}};
  for (const Unit& unit : units)
    all.push_back({unit.key, std::string("In your model ") + unit.words + ": a unit is taken for another.",
                   "convert to kg, m and kg m^2 where the model is made", [unit](Machine& m) {
                     for (Link& link : m.mechanism.links) {
                       link.mass *= unit.mass;
                       for (double& x : link.center_of_mass) x *= unit.length;
                       for (double& x : link.inertia) x *= unit.inertia;
                     }
                     for (Joint& joint : m.mechanism.joints)
                       for (double& x : joint.position) x *= unit.length;
                   }});
}

// [joints]
/// A mistake in reading where a joint stands.
struct OriginMistake {
  const char *key, *words, *remedy;
  void (*make)(Joint&);
};
constexpr OriginMistake origin_mistakes[] = {
    {"rotation_dropped", "the rotation of the joint's origin is dropped", "use <origin rpy>, too",
     [](Joint& joint) {
       joint.quaternion = {0, 0, 0, 1};
     }},
    {"rotation_transposed", "the rotation of the joint's origin is used the other way round",
     "turn by R = R_z(yaw) R_y(pitch) R_x(roll), which takes axes of the child to those of the parent",
     [](Joint& joint) {
       for (std::size_t k = 0; k < 3; ++k) joint.quaternion[k] *= -1;
     }},
    {"rpy_reversed", "roll, pitch and yaw of the joint's origin are applied in reverse order",
     "turn by R_z(yaw) R_y(pitch) R_x(roll)",
     [](Joint& joint) { joint.quaternion = in_reverse_order(joint.quaternion); }},
    {"rpy_in_degrees", "the angles of the joint's origin are taken for degrees", "read rpy in radians",
     [](Joint& joint) { joint.quaternion = in_degrees(joint.quaternion); }},
    {"position_dropped", "the offset of the joint's origin is dropped", "use <origin xyz>, too",
     [](Joint& joint) { joint.position = {}; }},
    {"origin_dropped", "the joint's origin is dropped", "use <origin xyz rpy>",
     [](Joint& joint) {
       joint.position = {};
       joint.quaternion = {0, 0, 0, 1};
     }},
    {"position_turned", "the offset of the joint's origin is taken along the turned axes",
     "slide by xyz in the axes of the parent, and turn then",
     [](Joint& joint) { joint.position = turned(turn(joint.quaternion), joint.position); }}};

struct AxisMistake {
  const char *key, *words;
  Three (*of)(const Joint&);
};
constexpr AxisMistake axis_mistakes[] = {
    {"axes_x", "all axes are x, URDF's default",
     [](const Joint&) {
       return Three{1, 0, 0};
     }},
    {"axes_z", "all axes are z",
     [](const Joint&) {
       return Three{0, 0, 1};
     }},
    {"axes_of_the_parent", "axes are read in the frame of the parent, and they are given in that of the joint",
     [](const Joint& joint) { return turned(inverse(turn(joint.quaternion)), joint.axis); }}};

/// Whether a mistake is one for a joint.
bool changes(const std::function<void(Joint&)>& make, const Joint& joint)
{
  constexpr double visible = 1e-9;
  Joint wrong = joint;
  make(wrong);
  const auto far = [](const auto& a, const auto& b) {
    double most = 0;
    for (std::size_t k = 0; k < a.size(); ++k) most = std::max(most, std::abs(a[k] - b[k]));
    return most > visible;
  };
  const Four same = wrong.quaternion, negative{-same[0], -same[1], -same[2], -same[3]};
  return (far(same, joint.quaternion) && far(negative, joint.quaternion)) || far(wrong.position, joint.position) ||
         far(wrong.axis, joint.axis) || wrong.pitch != joint.pitch;
}

void add_joints(Hypotheses& all, const Machine& machine)
{
  const Indexed<Joint>& joints = machine.mechanism.joints;
  const auto add = [&](const std::string& key, const std::string& words, const std::string& remedy, bool alone,
                       const std::function<bool(const Joint&)>& is_meant, const std::function<void(Joint&)>& make) {
    // What changes no joint is no cause.
    if (std::none_of(joints.begin(), joints.end(),
                     [&](const Joint& joint) { return is_meant(joint) && changes(make, joint); }))
      return;
    // To drop a place is another mistake than to drop half of it only where it has both halves.
    const auto some_change = [&](const auto& half) {
      return std::any_of(joints.begin(), joints.end(),
                         [&](const Joint& joint) { return is_meant(joint) && changes(half, joint); });
    };
    if (key.starts_with("joints/origin_dropped") &&
        (!some_change([](Joint& joint) { joint.position = {}; }) || !some_change([](Joint& joint) {
          joint.quaternion = {0, 0, 0, 1};
        })))
      return;
    all.push_back({key, words, remedy, [is_meant, make](Machine& m) {
                     for (Joint& joint : m.mechanism.joints)
                       if (is_meant(joint)) make(joint);
                   }});
    all.back().alone = alone;
  };
  const auto any = [](const Joint&) { return true; };
  const auto moves = [](const Joint& joint) { return joint.type != JointType::fixed; };
  for (const OriginMistake& mistake : origin_mistakes) {
    const std::string key = std::string("joints/") + mistake.key;
    add(key, std::string("Of all joints ") + mistake.words + ".", mistake.remedy, false, any, mistake.make);
    if (std::any_of(joints.begin(), joints.end(),
                    [&](const Joint& joint) { return !moves(joint) && changes(mistake.make, joint); })) {
      add(key + "_of_moving_joints", std::string("Of all joints that move ") + mistake.words + ".", mistake.remedy,
          false, moves, mistake.make);
      add(key + "_of_fixed_joints", std::string("Of all fixed joints ") + mistake.words + ".", mistake.remedy, true,
          std::not_fn(moves), mistake.make);
    }
    const auto meant =
        std::count_if(joints.begin(), joints.end(), [&](const Joint& joint) { return changes(mistake.make, joint); });
    if (meant > 1)
      for (const Joint& one : joints)
        add(
            key + ":" + one.name, "Of joint '" + one.name + "' " + mistake.words + ".", mistake.remedy, true,
            [name = one.name](const Joint& joint) { return joint.name == name; }, mistake.make);
  }
  std::set<std::string> children;
  for (const Joint& joint : joints) children.insert(joint.child);
  add(
      "joints/mounting_ignored", "The rotations of the joints that stand on the root are dropped.",
      "use <origin rpy> of the joints that stand on the root, too", false,
      [children](const Joint& joint) { return !children.count(joint.parent); }, origin_mistakes[0].make);
  const auto has_one_axis = [](const Joint& joint) { return has_axis(joint.type); };
  const auto has_one_degree = [](const Joint& joint) {
    return joint.type == JointType::revolute || joint.type == JointType::continuous ||
           joint.type == JointType::prismatic || joint.type == JointType::helical;
  };
  const bool differ = std::any_of(joints.begin(), joints.end(),
                                  [&](const Joint& joint) { return has_one_axis(joint) && !has_one_degree(joint); });
  for (const AxisMistake& mistake : axis_mistakes) {
    const auto change = [of = mistake.of](Joint& joint) { joint.axis = of(joint); };
    const std::string remedy = "read <axis xyz> in the frame of the joint";
    add(std::string("joints/") + mistake.key, std::string("In your model ") + mistake.words + ".", remedy, false,
        has_one_axis, change);
    if (differ)
      add(std::string("joints/") + mistake.key + "_of_one_degree",
          std::string("In your model, of joints with one degree of freedom, ") + mistake.words + ".", remedy, false,
          has_one_degree, change);
  }
  for (const bool per_turn : {true, false})
    add(per_turn ? "joints/pitch_per_turn" : "joints/pitch_per_radian",
        std::string("The pitch of screws is taken per ") +
            (per_turn ? "turn, and it is given per radian." : "radian times a turn: it is 2 pi times as large."),
        "give the pitch in m/rad", false, any,
        [per_turn](Joint& joint) { joint.pitch *= per_turn ? 0.5 / std::numbers::pi : 2 * std::numbers::pi; });
}
// [joints]

// [links]
/// Data of links that are those of other links, or in another place.
void add_links(Hypotheses& all, const Machine& machine)
{
  const Model<double> model(machine.mechanism, machine.options);
  std::vector<std::size_t> massive, moving;
  const Indexed<Link>& links = machine.mechanism.links;
  for (std::size_t k = 0; k < links.size(); ++k)
    if (links[k].mass > 0) {
      massive.push_back(k);
      if (model.link(links[k].name).body > 0) moving.push_back(k);
    }
  const auto shifted = [&](const std::vector<std::size_t>& which, const std::string& key, const std::string& words) {
    for (const bool before : {true, false})
      if (which.size() > 1)
        all.push_back(
            {"inertia/of_the_" + key + (before ? "_before" : "_after"),
             "Each " + words + " has the inertia of the one " + (before ? "before" : "after") + " it in the file.",
             "hand inertias over by the name of their link", [which, before](Machine& m) {
               const Indexed<Link> given = m.mechanism.links;
               const std::size_t count = which.size();
               for (std::size_t k = 0; k < count; ++k) {
                 Link& link = m.mechanism.links[which[k]];
                 const std::string name = link.name;
                 link = given[which[(k + (before ? count - 1 : 1)) % count]];
                 link.name = name;
               }
             }});
  };
  shifted(massive, "link", "link");
  if (moving != massive) shifted(moving, "moving_link", "link that moves");
  std::map<std::string, Joint> fixed;  // by the link that it carries
  for (const Joint& joint : machine.mechanism.joints)
    if (joint.type == JointType::fixed) fixed[joint.child] = joint;
  if (!fixed.empty())
    all.push_back({"inertia/fixed_links_not_moved",
                   "Links that hang on others by fixed joints are merged with them as if the joints had no offset.",
                   "move the inertia of fixed links by the placement of the fixed joint", [fixed](Machine& m) {
                     for (Link& link : m.mechanism.links) {
                       const auto found = fixed.find(link.name);
                       if (found == fixed.end()) continue;
                       const SO3d back = inverse(turn(found->second.quaternion));
                       Three c = link.center_of_mass;
                       for (std::size_t k = 0; k < 3; ++k) c[k] -= found->second.position[k];
                       link.center_of_mass = turned(back, c);
                       link.inertial_quaternion = numbers(quaternion(back * turn(link.inertial_quaternion)));
                     }
                   }});
}
// [links]

// [denavit-hartenberg]
/// The numbers of a place that is R_x(alpha) D_x(a) R_z(theta) D_z(d) or in the other order.
struct TableRow {
  double alpha, a, theta, d;
};
bool turns_about_z(const Joint& joint)
{
  const bool turns = joint.type == JointType::revolute || joint.type == JointType::continuous;
  return turns && joint.axis[0] == 0 && joint.axis[1] == 0 && joint.axis[2] > 0;
}
/// Those of the first order; nothing where it is none.
std::optional<TableRow> modified_row(const Joint& joint)
{
  const Matrix R = rotation(joint.quaternion);
  const double alpha = std::atan2(-R(1, 2), R(2, 2)), theta = std::atan2(-R(0, 1), R(0, 0));
  const auto& p = joint.position;
  const double across = p[1] * std::cos(alpha) + p[2] * std::sin(alpha);
  if (std::abs(R(0, 2)) > 1e-12 || std::abs(across) > 1e-12) return std::nullopt;
  return TableRow{alpha, p[0], theta, p[2] * std::cos(alpha) - p[1] * std::sin(alpha)};
}
/// \f$R_z(\theta)D_z(d)D_x(a)R_x(\alpha)\f$.
SE3<double> standard_pose(const TableRow& row)
{
  const Vector3<double> x{1, 0, 0}, z{0, 0, 1};
  return SE3<double>{exp(row.theta * z), row.d * z} * SE3<double>{exp(row.alpha * x), row.a * x};
}

/// Those of the other order.
std::optional<TableRow> standard_row(const Joint& joint)
{
  const Matrix R = rotation(joint.quaternion);
  const double alpha = std::atan2(R(2, 1), R(2, 2)), theta = std::atan2(R(1, 0), R(0, 0));
  const auto& p = joint.position;
  const double across = p[1] * std::cos(theta) - p[0] * std::sin(theta);
  if (std::abs(R(2, 0)) > 1e-12 || std::abs(across) > 1e-12) return std::nullopt;
  return TableRow{alpha, p[0] * std::cos(theta) + p[1] * std::sin(theta), theta, p[2]};
}
/// \f$R_x(\alpha)D_x(a)R_z(\theta)D_z(d)\f$.
SE3<double> modified_pose(const TableRow& row)
{
  const Vector3<double> x{1, 0, 0}, z{0, 0, 1};
  return SE3<double>{exp(row.alpha * x), row.a * x} * SE3<double>{exp(row.theta * z), row.d * z};
}

/// A row that is needed, which another cause may have taken away.
TableRow needed(const std::optional<TableRow>& row)
{
  if (!row) throw StateError("a joint has no row in a table of Denavit and Hartenberg");
  return *row;
}
SE3<double> place_of(const Joint& joint)
{
  return {turn(joint.quaternion), {joint.position[0], joint.position[1], joint.position[2]}};
}
void put(Joint& joint, const SE3<double>& place)
{
  joint.position = {place.p[0], place.p[1], place.p[2]};
  joint.quaternion = numbers(quaternion(place.R));
}
/// The mass of a link elsewhere in its frame.
void move_mass(Mechanism& mechanism, const std::string& name, const SE3<double>& X)
{
  for (Link& link : mechanism.links) {
    if (link.name != name) continue;
    const Vector3<double> c =
        X * Vector3<double>{link.center_of_mass[0], link.center_of_mass[1], link.center_of_mass[2]};
    link.center_of_mass = {c[0], c[1], c[2]};
    link.inertial_quaternion = numbers(quaternion(X.R * turn(link.inertial_quaternion)));
  }
}

/// A chain of joint frames as modified tables have them, read as standard tables: the pose behind a joint follows it.
void read_as_standard(Mechanism& mechanism, bool with_masses)
{
  SE3<double> behind{};
  for (Joint& joint : mechanism.joints) {
    if (joint.type == JointType::fixed) {
      put(joint, behind * place_of(joint));
      continue;
    }
    const SE3<double> place = behind;
    behind = standard_pose(needed(modified_row(joint)));
    put(joint, place);
    if (with_masses) move_mass(mechanism, joint.child, behind);
  }
}
/// The same the other way round: the pose that follows a joint comes before it.
void read_as_modified(Mechanism& mechanism, bool with_masses)
{
  Indexed<Joint>& joints = mechanism.joints;
  for (std::size_t k = 0; k + 1 < joints.size(); ++k) {
    const SE3<double> behind = place_of(joints[k + 1]), mount = k == 0 ? place_of(joints[k]) : SE3<double>{};
    put(joints[k], mount * modified_pose(needed(standard_row(joints[k + 1]))));
    if (with_masses) move_mass(mechanism, joints[k].child, inverse(behind));
  }
  put(joints[joints.size() - 1], {});
}
// [denavit-hartenberg]

/// One chain of hinges about their z axes, in the order of the file, at whose end a link may be fixed.
bool is_chain_of_a_table(const Indexed<Joint>& joints)
{
  for (std::size_t k = 0; k < joints.size(); ++k) {
    const bool is_flange = joints[k].type == JointType::fixed && k + 1 == joints.size();
    if ((!is_flange && !turns_about_z(joints[k])) || (k > 0 && joints[k].parent != joints[k - 1].child)) return false;
  }
  return joints.size() >= 2;
}

void add_denavit_hartenberg(Hypotheses& all, const Machine& machine)
{
  const Indexed<Joint>& joints = machine.mechanism.joints;
  if (!is_chain_of_a_table(joints)) return;
  const std::size_t last = joints.size() - 1;
  const bool has_flange = joints[last].type == JointType::fixed;
  bool is_modified = true, is_standard = has_flange;
  for (std::size_t k = 0; k <= last; ++k) {
    is_modified = is_modified && ((has_flange && k == last) || modified_row(joints[k]));
    is_standard = is_standard && (k == 0 || standard_row(joints[k]));
  }
  struct Reading {
    const char *key, *words, *remedy;
    bool is_meant;
    void (*read)(Mechanism&, bool);
  };
  const Reading readings[] = {{"standard",
                               "The table of Denavit and Hartenberg is a modified one (Craig's), and you read it as a "
                               "standard one: a and alpha "
                               "act behind their joint instead of before it",
                               "read the table as R_x(alpha) D_x(a) R_z(theta) D_z(d)", is_modified, read_as_standard},
                              {"modified",
                               "The table of Denavit and Hartenberg is a standard one, and you read it as a modified "
                               "one (Craig's): a and alpha "
                               "act before their joint instead of behind it",
                               "read the table as R_z(theta) D_z(d) D_x(a) R_x(alpha)", is_standard, read_as_modified}};
  for (const Reading& reading : readings)
    for (const bool with_masses : {true, false})
      if (reading.is_meant)
        all.push_back({std::string("denavit_hartenberg/") + reading.key + (with_masses ? "" : "_without_masses"),
                       std::string(reading.words) +
                           (with_masses ? "." : "; masses stay where they are in the frames of the joints."),
                       reading.remedy,
                       [read = reading.read, with_masses](Machine& m) { read(m.mechanism, with_masses); }});
}

}  // namespace

std::span<const InertiaMistake> inertia_mistakes() { return mistakes; }

Hypotheses causes_in_the_machine(const Machine& machine)
{
  Hypotheses all;
  for (const InertiaMistake& mistake : mistakes) {
    if (mistake.key == "mass_lost") continue;
    all.push_back({"inertia/" + mistake.key, "In all links " + mistake.words + ".", mistake.remedy,
                   [make = mistake.make](Machine& m) {
                     m.options.accept_unphysical = true;
                     for (Link& link : m.mechanism.links) make(link);
                   }});
  }
  if (const std::set<std::string> fixed = fixed_links(machine.mechanism); !fixed.empty())
    all.push_back({"inertia/fixed_links_lost", "The masses of links that hang on others by fixed joints are lost.",
                   "add the inertia of fixed links to that of the links which carry them", [fixed](Machine& m) {
                     for (Link& link : m.mechanism.links)
                       if (fixed.count(link.name)) link.mass = 0, link.inertia = {};
                   }});
  add_links(all, machine);
  add_joints(all, machine);
  add_joint_dynamics(all, machine);
  add_units(all);
  add_denavit_hartenberg(all, machine);
  return all;
}

}  // namespace articulate::oracle
