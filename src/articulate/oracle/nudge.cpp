#include <articulate/oracle/nudge.hpp>
#include <cmath>
#include <limits>
#include <random>

namespace articulate::oracle {
namespace {

/// Up or down by one bit of a generator that is the same everywhere.
class Mover {
public:
  explicit Mover(std::uint64_t seed) : bits_(seed) {}
  void operator()(double& x)
  {
    const double end =
        (bits_() & 1) ? std::numeric_limits<double>::infinity() : -std::numeric_limits<double>::infinity();
    if (x != 0 && std::isfinite(x)) x = std::nextafter(x, end);
  }
  template <typename Range>
  void each(Range& numbers)
  {
    for (double& x : numbers) (*this)(x);
  }
  void each(Vector3<double>& v)
  {
    for (int k = 0; k < 3; ++k) (*this)(v[k]);
  }

private:
  std::mt19937_64 bits_;
};

}  // namespace

Mechanism nudged(const Mechanism& mechanism, std::uint64_t seed)
{
  Mechanism other = mechanism;
  Mover move(seed);
  for (Link& link : other.links) {
    move(link.mass);
    move.each(link.center_of_mass);
    move.each(link.inertial_quaternion);
    move.each(link.inertia);
  }
  for (Joint& joint : other.joints) {
    move.each(joint.position);
    move.each(joint.quaternion);
    move.each(joint.axis);
    for (double* x : {&joint.pitch, &joint.damping, &joint.friction, &joint.armature}) move(*x);
  }
  return other;
}

Question nudged(const Question& question, std::uint64_t seed)
{
  Question other = question;
  Mover move(seed + 0x9e3779b97f4a7c15u);
  for (VectorX<double>* x : {&other.q, &other.qd, &other.qdd, &other.tau}) move.each(*x);
  move.each(other.gravity);
  for (Wrench<double>& F : other.external_wrenches) {
    move.each(F.m);
    move.each(F.f);
  }
  for (auto& [link, F] : other.on_fixed_links) {
    move.each(F.m);
    move.each(F.f);
  }
  return other;
}

}  // namespace articulate::oracle
