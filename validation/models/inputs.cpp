#include <models/inputs.hpp>
#include <articulate/model/model.hpp>
#include <cmath>
#include <random>

namespace articulate::validation {
namespace {

/// Uniform in (-1, 1), the same on every machine.
class Draw {
public:
  explicit Draw(std::uint64_t seed) : engine_(seed) {}
  double operator()() { return (static_cast<double>(engine_() >> 11) + 0.5) / 4503599627370496.0 - 1.0; }
  std::vector<double> many(int count, double size)
  {
    std::vector<double> x(count);
    for (double& number : x) number = size * (*this)();
    return x;
  }

private:
  std::mt19937_64 engine_;
};

/// How far from zero a coordinate is drawn: quaternions and positions 1, slides 0.3 m, turns 3 rad, but the second of
/// three turns 1.2 rad, for the axes of the others coincide at a quarter turn.
double coordinate_range(const Model<double>& model, const Body<double>& body, int k)
{
  if (body.nq > body.nv) return 1;
  if (!model.rate_is_angular(body.v + k)) return 0.3;
  const bool middle = body.kind == JointKind::chart && body.nv >= 3 && body.directions[k] == 1;
  return middle ? 1.2 : 3;
}

}  // namespace

Inputs Inputs::draw(const Mechanism& mechanism, const ModelOptions& options, std::uint64_t seed)
{
  Draw draw(seed);
  Inputs in{mechanism, options, {}, {}, {}, {}, {}, {}, 0};
  const Model<double> model(mechanism, {options.floating_base, true});

  // Gravity of the mechanism's own strength, in no special direction.
  auto& g = in.mechanism.gravity;
  const double strength = std::hypot(g[0], g[1], g[2]);
  const std::vector<double> direction = draw.many(3, 1);
  for (int k = 0; k < 3; ++k)
    g[k] = (strength > 0 ? strength : 9.81) * direction[k] / std::hypot(direction[0], direction[1], direction[2]);

  for (int i = 1; i <= model.bodies(); ++i) {
    const Body<double>& body = model.body(i);
    for (int k = 0; k < body.nq; ++k) in.q.push_back(coordinate_range(model, body, k) * draw());
  }
  in.qd = draw.many(model.nv(), 2);
  in.qdd = draw.many(model.nv(), 5);
  in.tau = draw.many(model.nv(), 20);
  for (std::size_t l = 0; l < mechanism.links.size(); ++l) {
    std::array<double, 6> wrench;
    for (double& x : wrench) x = 3 * draw();
    in.link_wrenches.push_back(wrench);
  }
  in.free_numbers = draw.many(128, 1);
  return in;
}

Inputs Inputs::nudged(std::uint64_t seed) const
{
  Draw draw(seed);
  const auto nudge = [&](auto& numbers) {
    for (double& x : numbers)
      if (x != 0) x = std::nextafter(x, draw() < 0 ? -INFINITY : INFINITY);
  };
  Inputs moved = *this;
  moved.nudge = seed;
  for (Link& link : moved.mechanism.links) {
    std::array<double, 1> mass{link.mass};
    nudge(mass), nudge(link.center_of_mass), nudge(link.inertial_quaternion), nudge(link.inertia);
    link.mass = mass[0];
  }
  for (Joint& joint : moved.mechanism.joints) {
    std::array<double, 1> pitch{joint.pitch};
    nudge(pitch), nudge(joint.position), nudge(joint.quaternion), nudge(joint.axis);
    joint.pitch = pitch[0];
  }
  nudge(moved.mechanism.gravity);
  nudge(moved.q), nudge(moved.qd), nudge(moved.qdd), nudge(moved.tau), nudge(moved.free_numbers);
  for (auto& wrench : moved.link_wrenches) nudge(wrench);
  return moved;
}

}  // namespace articulate::validation
