#include <articulate/oracle/hypothesis.hpp>
#include <array>
#include <cmath>
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
  const char* const times[] = {"not at all", "once", "twice"};
  for (const auto& [name, where, value, used] : joint_numbers) {
    const bool any = std::any_of(machine.mechanism.joints.begin(), machine.mechanism.joints.end(),
                                 [value = value](const Joint& joint) { return joint.*value != 0; });
    const int ours = any && machine.options.dynamics.*used;
    for (int count = 0; any && count <= 2; ++count) {
      if (count == ours) continue;
      all.push_back(
          {std::string(name) + "/counted_" + std::array{"never", "once", "twice"}[static_cast<std::size_t>(count)],
           "Your numbers count the " + std::string(name) + " of the joints " + times[count] + " (" + where +
               "), and ours " + times[ours] + ".",
           std::string("set the ") + name + " of the joints to what the description says, and add it " + times[ours],
           [count, value = value, used = used](Machine& m) {
             for (Joint& joint : m.mechanism.joints) joint.*value *= count;
             m.options.dynamics.*used = true;
           }});
    }
  }
}

void add_units(Hypotheses& all)
{
  struct Unit {
    const char *key, *words;
    double mass, length, inertia;
  };
  static constexpr Unit units[] = {
      {"units/masses_1000", "masses and tensors are 1000 times as large", 1000, 1, 1000},
      {"units/masses_0.001", "masses and tensors are 1000 times as small", 0.001, 1, 0.001},
      {"units/lengths_1000", "lengths are 1000 times as large", 1, 1000, 1},
      {"units/lengths_0.001", "lengths are 1000 times as small", 1, 0.001, 1},
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

// [denavit-hartenberg]
/// The numbers of a place that is R_x(alpha) D_x(a) R_z(theta) D_z(d); nothing where it is none.
struct ModifiedRow {
  double alpha, a, theta, d;
};
std::optional<ModifiedRow> modified_row(const Joint& joint)
{
  const Matrix R = rotation(joint.quaternion);
  const double alpha = std::atan2(-R(1, 2), R(2, 2)), theta = std::atan2(-R(0, 1), R(0, 0));
  const auto& p = joint.position;
  const double across = p[1] * std::cos(alpha) + p[2] * std::sin(alpha);
  const bool turns = joint.type == JointType::revolute || joint.type == JointType::continuous;
  const bool along_z = joint.axis[0] == 0 && joint.axis[1] == 0 && joint.axis[2] > 0;
  if (!turns || !along_z || std::abs(R(0, 2)) > 1e-12 || std::abs(across) > 1e-12) return std::nullopt;
  return ModifiedRow{alpha, p[0], theta, p[2] * std::cos(alpha) - p[1] * std::sin(alpha)};
}
/// \f$R_z(\theta)D_z(d)D_x(a)R_x(\alpha)\f$.
SE3<double> standard_pose(const ModifiedRow& row)
{
  const Vector3<double> x{1, 0, 0}, z{0, 0, 1};
  return SE3<double>{exp(row.theta * z), row.d * z} * SE3<double>{exp(row.alpha * x), row.a * x};
}
std::array<double, 4> numbers(const Quaternion<double>& q) { return {q.v[0], q.v[1], q.v[2], q.w}; }

/// A chain of joint frames as modified tables have them, read as standard tables: the pose behind a joint follows it.
void read_as_standard(Machine& machine)
{
  Mechanism& mechanism = machine.mechanism;
  std::map<std::string, SE3<double>> behind;  // by link: its frame, seen from the one that its joint turns
  for (Joint& joint : mechanism.joints) {
    const SE3<double> place = behind.count(joint.parent) ? behind[joint.parent] : SE3<double>{};
    behind[joint.child] = standard_pose(*modified_row(joint));
    joint.position = {place.p[0], place.p[1], place.p[2]};
    joint.quaternion = numbers(quaternion(place.R));
  }
  for (Link& link : mechanism.links) {
    const auto found = behind.find(link.name);
    if (found == behind.end()) continue;
    const auto& [R, p] = found->second;
    const auto& [x, y, z, w] = link.inertial_quaternion;
    const Vector3<double> c =
        found->second * Vector3<double>{link.center_of_mass[0], link.center_of_mass[1], link.center_of_mass[2]};
    link.center_of_mass = {c[0], c[1], c[2]};
    link.inertial_quaternion = numbers(quaternion(R * SO3<double>(Quaternion<double>{{x, y, z}, w})));
  }
}
// [denavit-hartenberg]

void add_denavit_hartenberg(Hypotheses& all, const Machine& machine)
{
  const Indexed<Joint>& joints = machine.mechanism.joints;
  std::string tip;  // one chain, in order
  for (const Joint& joint : joints) {
    if (!modified_row(joint) || (!tip.empty() && joint.parent != tip)) return;
    tip = joint.child;
  }
  if (joints.size() < 2) return;
  all.push_back(
      {"denavit_hartenberg/standard",
       "The table of Denavit and Hartenberg is a modified one (Craig's), and you read it as a standard one: a "
       "and alpha act behind their joint instead of before it.",
       "read the table as R_x(alpha) D_x(a) R_z(theta) D_z(d)", read_as_standard});
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
  add_joint_dynamics(all, machine);
  add_units(all);
  add_denavit_hartenberg(all, machine);
  return all;
}

}  // namespace articulate::oracle
