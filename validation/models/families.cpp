// Mechanisms of any size: numbers by rule, or drawn from a seed. Every number is ours.
#include <models/models.hpp>
#include <models/unit.hpp>
#include <articulate/model/error.hpp>
#include <random>

namespace articulate::validation {

namespace {

void require_size(const std::string& what, long number)
{
  constexpr long most = 10000;
  if (number < 1 || number > most)
    throw ModelError(what + " can be 1 to " + std::to_string(most) + ", not " + std::to_string(number) + ".");
}

}  // namespace

Mechanism planar_arm(int links)
{
  require_size("The links of a planar arm", links);
  Mechanism arm;
  arm.name = arm.source = "planar_arm:" + std::to_string(links);
  arm.gravity = {3.1, 0.8, -9.27};
  arm.links = {{"base", 6.0, {0.02, 0.03, 0.09}, unit({1, 2, 0, 8}), {0.11, 0.01, -0.02, 0.13, 0.01, 0.09}}};
  // The plane is the x z plane, tilted by the first joint; the others may turn and shift only so that all axes stay y.
  Joint joint;
  joint.type = JointType::revolute;
  joint.position = {0.1, -0.05, 0.2};
  joint.quaternion = unit({2, 3, -1, 9});
  joint.axis = {0, 1, 0};
  for (int i = 1; i <= links; ++i) {
    const double length = 0.6 / (1 + 0.1 * i), mass = 3 / (1 + 0.2 * i), scale = mass * length * length;
    joint.name = "joint_" + std::to_string(i);
    joint.parent = arm.links.back().name;
    joint.child = "link_" + std::to_string(i);
    arm.joints.push_back(joint);
    arm.links.push_back(
        {.name = joint.child,
         .mass = mass,
         .center_of_mass = {0.45 * length, 0.04 - 0.03 * (i % 3), 0.08 * length},
         .inertial_quaternion = unit({1, -2, 1, 6}),
         .inertia = {0.02 * scale, 0.004 * scale, -0.006 * scale, 0.09 * scale, 0.003 * scale, 0.085 * scale}});
    joint.position = {length, 0.06 - 0.05 * (i % 2), -0.07 * length};
    joint.quaternion = unit({0, i % 3 - 0.8, 0, 5});
  }
  return arm;
}

Mechanism branching_tree(int branches, int bodies_per_branch)
{
  require_size("The branches of a tree", branches);
  require_size("The bodies of a branch", bodies_per_branch);
  require_size("The bodies of a tree", static_cast<long>(branches) * bodies_per_branch);
  Mechanism tree;
  tree.name = tree.source = "tree:" + std::to_string(branches) + "x" + std::to_string(bodies_per_branch);
  tree.gravity = {-2.4, 2.0, -9.3};
  tree.links = {{"base", 8.0, {0.01, -0.04, 0.12}, unit({-1, 1, 2, 7}), {0.16, 0.02, 0.01, 0.14, -0.02, 0.19}}};
  for (int b = 1; b <= branches; ++b)
    for (int k = 1; k <= bodies_per_branch; ++k) {
      const std::string branch = "branch_" + std::to_string(b);
      const double mass = 2.0 / (1 + 0.2 * b + 0.3 * k);
      Joint joint;
      joint.type = JointType::revolute;
      joint.name = branch + "_joint_" + std::to_string(k);
      joint.parent = k > 1 ? tree.links.back().name : b > 1 ? "branch_1_body_1" : "base";
      joint.child = branch + "_body_" + std::to_string(k);
      joint.position = {0.3 - 0.03 * k, 0.2 * (b % 3 - 1.1), 0.1 + 0.04 * ((b + k) % 4)};
      joint.quaternion = unit({0.3 * (b % 4 - 1.7), 0.4 * (k % 3 - 0.8), 0.5, 3});
      joint.axis = {(b + k) % 3 - 0.8, (b + 2 * k) % 3 - 1.2, 0.7};
      tree.joints.push_back(joint);
      tree.links.push_back(
          {.name = joint.child,
           .mass = mass,
           .center_of_mass = {0.14 - 0.02 * (b % 2), 0.05 * (k % 3 - 0.7), 0.06},
           .inertial_quaternion = unit({1.0 * (b % 3), -1, 1.0 * (k % 4), 4}),
           .inertia = {0.011 * mass, 0.002 * mass, -0.003 * mass, 0.014 * mass, 0.001 * mass, 0.017 * mass}});
    }
  return tree;
}

namespace {

/// Numbers from a seed. The engine is fixed by the C++ standard, its distributions are not; sums, products, quotients and
/// roots are rounded alike everywhere, sines and logarithms are not.
class Draw {
public:
  explicit Draw(std::uint64_t seed) : engine_(seed) {}

  double between(double low, double high)
  {
    return low + (high - low) * static_cast<double>(engine_() >> 11) * 0x1p-53;  // 53 bits
  }
  std::size_t below(std::size_t count) { return static_cast<std::size_t>(between(0, static_cast<double>(count))); }

  std::array<double, 3> in_box(double half)
  {
    return {between(-half, half), between(-half, half), between(-half, half)};
  }

  /// Uniform in the ball of radius 1, away from its centre: a direction of some length.
  std::array<double, 3> direction()
  {
    for (;;) {
      const auto x = in_box(1);
      const double square = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
      if (0.1 < square && square < 1) return x;
    }
  }

  std::array<double, 4> rotation()
  {
    for (;;) {
      const std::array<double, 4> q{between(-1, 1), between(-1, 1), between(-1, 1), between(-1, 1)};
      const double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
      if (0.1 < square && square < 1) return unit(q);
    }
  }

  /// A full inertia that a body can have: its second moments are those of six points and a small ball.
  Link link(const std::string& name)
  {
    Link link{name, between(0.5, 5), in_box(0.3), rotation(), {}};
    auto& [xx, xy, xz, yy, yz, zz] = link.inertia;
    xx = yy = zz = 1e-3 * link.mass;
    for (int point = 0; point < 6; ++point) {
      const double mass = link.mass / 6;
      const auto [x, y, z] = in_box(0.25);
      xx += mass * (y * y + z * z);
      yy += mass * (x * x + z * z);
      zz += mass * (x * x + y * y);
      xy -= mass * x * y;
      xz -= mass * x * z;
      yz -= mass * y * z;
    }
    return link;
  }

  /// Gravity of 9.81 m/s^2 in some direction.
  std::array<double, 3> gravity()
  {
    const auto down = direction();
    const double weight = 9.81 / std::sqrt(down[0] * down[0] + down[1] * down[1] + down[2] * down[2]);
    return {weight * down[0], weight * down[1], weight * down[2]};
  }

  /// One of the types that are left, which is then no longer there.
  JointType taken_from(std::vector<JointType>& types)
  {
    const auto type = types.begin() + static_cast<std::ptrdiff_t>(below(types.size()));
    const JointType taken = *type;
    types.erase(type);
    return taken;
  }

  /// Let a new link hang on another one.
  void attach(Mechanism& tree, JointType type, const std::string& parent, const std::string& child)
  {
    tree.links.push_back(link(child));
    tree.joints.push_back({"to_" + child, type, parent, child, in_box(0.4), rotation(), direction(),
                           type == JointType::helical ? between(-0.2, 0.2) : 0});
  }

private:
  std::mt19937_64 engine_;
};

}  // namespace

Mechanism random_tree(std::uint64_t seed, int joints, bool inner_free_joint)
{
  require_size("The moving joints of a random tree", joints);
  Draw draw(seed);
  Mechanism tree;
  tree.name = tree.source = "random:" + std::to_string(seed);
  tree.gravity = draw.gravity();
  const auto attach = [&](JointType type, const std::string& parent, const std::string& child) {
    draw.attach(tree, type, parent, child);
  };

  // What stands: a root with a bracket. On it, if wanted, a link that moves freely and carries all that follows.
  tree.links.push_back(draw.link("root"));
  attach(JointType::fixed, "root", "bracket");
  if (inner_free_joint) attach(JointType::floating, "root", "hull");
  const std::size_t first = inner_free_joint ? tree.links.size() - 1 : 0;

  // What moves: each body hangs on the last one or on any before; here and there another is fixed to one of them. No
  // type of joint comes again before all have come.
  std::vector<JointType> types;
  const auto any_link = [&] { return tree.links[first + draw.below(tree.links.size() - first)].name; };
  for (int i = 1; i <= joints; ++i) {
    const std::string parent = draw.below(2) == 0 ? tree.links.back().name : any_link();
    if (types.empty())
      types = {JointType::revolute,   JointType::continuous,  JointType::prismatic, JointType::helical,
               JointType::universal,  JointType::cylindrical, JointType::planar,    JointType::euler_ball,
               JointType::euler_free, JointType::ball,        JointType::floating};
    attach(draw.taken_from(types), parent, "body_" + std::to_string(i));
    if (draw.below(3) == 0) attach(JointType::fixed, any_link(), "fitting_" + std::to_string(i));
  }
  return tree;
}

Mechanism random_chain(std::uint64_t seed, int joints)
{
  require_size("The joints of a random chain", joints);
  Draw draw(seed);
  Mechanism chain;
  chain.name = chain.source = "random_chain:" + std::to_string(seed);
  chain.gravity = draw.gravity();
  chain.links.push_back(draw.link("root"));
  std::vector<JointType> types;
  for (int i = 1; i <= joints; ++i) {
    if (types.empty()) types = {JointType::revolute, JointType::continuous, JointType::prismatic, JointType::helical};
    const std::string parent = chain.links.back().name;
    draw.attach(chain, draw.taken_from(types), parent, "body_" + std::to_string(i));
  }
  return chain;
}

}  // namespace articulate::validation
