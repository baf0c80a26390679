/** \file
 *  \brief Mechanisms for the tests of the witnesses: links and joints in one line, and trees with nothing special.
 */
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <random>
#include <string>
#include <utility>
#include <articulate/model/mechanism.hpp>

namespace articulate::witness {

inline Link body(std::string name, double mass, std::array<double, 3> center, std::array<double, 6> inertia)
{
  return {std::move(name), mass, center, {0, 0, 0, 1}, inertia};
}

inline Joint joint(std::string name, JointType type, std::string parent, std::string child)
{
  Joint j;
  j.name = std::move(name), j.type = type, j.parent = std::move(parent), j.child = std::move(child);
  return j;
}

/// \brief Numbers in (-1, 1), the same on every machine.
struct RandomNumbers {
  std::mt19937_64 bits;
  explicit RandomNumbers(unsigned seed) : bits(seed) {}
  double operator()() { return double(std::int64_t(bits() >> 11) - (1LL << 52)) / double(1LL << 52); }
  template <std::size_t n>
  std::array<double, n> numbers()
  {
    std::array<double, n> a;
    for (auto& x : a) x = (*this)();
    return a;
  }
};

/** \brief A tree with joints of as many types as asked for, all twelve at most.
 *
 *  Besides, a link without mass carries a heavy one, and another one, at a tip, is fixed to its parent: the mass matrix
 *  is regular all the same.
 */
inline Mechanism random_tree(RandomNumbers& random, std::size_t types)
{
  const JointType all[] = {JointType::fixed,       JointType::universal, JointType::revolute,   JointType::planar,
                           JointType::prismatic,   JointType::ball,      JointType::helical,    JointType::euler_free,
                           JointType::cylindrical, JointType::floating,  JointType::continuous, JointType::euler_ball};
  Mechanism m;
  const auto grow = [&](JointType type, std::string parent, bool heavy) {
    const std::size_t i = m.links.size();
    m.links.push_back(body("link" + std::to_string(i), 0, {}, {}));
    if (heavy) {
      const auto s = random.numbers<6>();
      m.links[i].mass = 2 + random();
      m.links[i].center_of_mass = random.numbers<3>();
      m.links[i].inertial_quaternion = random.numbers<4>();
      m.links[i].inertia = {2 + s[0], s[1] / 2, s[2] / 2, 2.5 + s[3], s[4] / 2, 3 + s[5]};
    }
    if (i == 0) return;
    auto j = joint("joint" + std::to_string(i * 7 % 17), type, parent, m.links[i].name);
    j.position = random.numbers<3>(), j.quaternion = random.numbers<4>(), j.axis = random.numbers<3>();
    j.pitch = random();
    m.joints.push_back(j);
  };
  const auto any_link = [&] { return "link" + std::to_string(random.bits() % m.links.size()); };
  const std::size_t first = random.bits() % std::size(all);
  grow(JointType::fixed, "", true);
  for (std::size_t k = 0; k < types; ++k) grow(all[(first + k) % std::size(all)], any_link(), true);
  grow(JointType::fixed, any_link(), false);
  grow(JointType::revolute, any_link(), false);
  grow(JointType::cylindrical, m.links.back().name, true);
  std::shuffle(m.links.begin(), m.links.end(), random.bits);
  std::shuffle(m.joints.begin(), m.joints.end(), random.bits);
  return m;
}

}  // namespace articulate::witness
