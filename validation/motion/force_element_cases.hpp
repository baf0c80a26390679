/** \file
 *  \brief Machines, force elements and states on which force elements are tried, and what their tests compare by.
 *
 *  Bounds are the ledger's for well-conditioned states: 1e-11 in double and 1e-44 in 50 digits, of the largest number.
 */
#pragma once
#include <boost/test/unit_test.hpp>
#include <complex>
#include <articulate/model/displacement.hpp>
#include <articulate/motion/force_elements.hpp>
#include <ledger/scalars.hpp>
#include <models/models.hpp>

namespace articulate::validation::force_cases {

using Complex = std::complex<double>;

template <typename S>
double bound()
{
  return std::is_same_v<S, Fifty> ? 1e-44 : 1e-11;
}

/// Entry by entry, beside the largest.
template <typename S, typename A, typename B>
void require_equal(const Eigen::MatrixBase<A>& a, const Eigen::MatrixBase<B>& b)
{
  const double size = std::max({1.0, largest(a), largest(b)});
  BOOST_TEST(largest((a - b).eval()) <= bound<S>() * size);
}
template <typename S>
void require_equal(const S& a, const S& b)
{
  require_equal<S>(VectorX<S>::Constant(1, a), VectorX<S>::Constant(1, b));
}

/// A state in no special place, the same numbers in every scalar.
template <typename S>
struct State {
  VectorX<S> q, qd;
  S t{0.3};

  explicit State(const Model<S>& model, double seed = 0)
  {
    VectorX<S> delta(model.nv());
    qd.resize(model.nv());
    for (int k = 0; k < model.nv(); ++k) {
      delta(k) = S(0.7 * std::sin(1 + 2.3 * k + seed));
      qd(k) = S(1.5 * std::sin(0.4 + 1.7 * k + seed));
    }
    q = displaced(model, model.zero_coordinates(), delta);
  }

  /// In complex numbers, moved by ih along the displacement delta and the change of rates.
  std::pair<VectorX<Complex>, VectorX<Complex>> moved(const Model<Complex>& model, double h,
                                                      const VectorX<double>& delta,
                                                      const VectorX<double>& delta_qd) const
  {
    const VectorX<Complex> step = Complex(0, h) * delta.template cast<Complex>();
    return {displaced(model, VectorX<Complex>(q.template cast<Complex>()), step),
            qd.template cast<Complex>() + Complex(0, h) * delta_qd.template cast<Complex>()};
  }
};

inline Mechanism machine() { return every_joint(); }

/// What has a potential, and nothing besides.
inline std::vector<ForceElement> springs()
{
  return {SpringDamper{"far", {"on_planar", {0.1, -0.2, 0.3}}, {"on_prismatic", {0.2, 0.1, -0.1}}, 310, 0, 0.4},
          SpringDamper{"near", {"on_revolute", {0.3, 0.2, -0.1}}, {"on_universal", {-0.2, 0.1, 0.2}}, 170, 0, 0.25},
          SpringDamper{"to the world", {"", {1.1, -0.7, 0.4}}, {"on_ball", {0.1, 0.1, 0.2}}, 90, 0, 0.6},
          SpringDamper{"without length", {"on_euler_free", {0.1, 0, 0.2}}, {"", {-0.5, 0.9, 1.3}}, 120, 0, 0},
          JointSpring{"hinge", "revolute", 0, 45, 0, 0.2},
          JointSpring{"screw", "helical", 0, 33, 0, -0.4},
          JointSpring{"second of three", "euler_ball", 1, 21, 0, 0.1},
          JointSpring{"slide", "cylindrical", 1, 260, 0, 0.05},
          GravityField{"planet", 14.3, {2.1, -3.2, 1.7}}};
}

/// What has none, and springs with what goes with them.
inline std::vector<ForceElement> losses()
{
  return {SpringDamper{"damped", {"on_planar", {0.1, -0.2, 0.3}}, {"on_helical", {0.2, 0.1, -0.1}}, 310, 23, 0.4},
          SpringDamper{"damper", {"on_revolute", {0.3, 0.2, -0.1}}, {"on_continuous", {-0.2, 0.1, 0.2}}, 0, 17, 0},
          SpringDamper{"to the world", {"on_ball", {0.1, 0.1, 0.2}}, {"", {1.1, -0.7, 0.4}}, 90, 5, 0.6},
          JointSpring{"hinge", "revolute", 0, 45, 3.5, 0.2},
          JointSpring{"ball", "ball", 2, 0, 1.5},
          JointFriction{"dry", "prismatic", 0, 0.7, 2.6, 0.3},
          JointFriction{"flight", "floating", 4, 0.2, 0.4, 0.1},
          AppliedForce{"thrust", {"on_floating", {0.2, -0.1, 0.3}}, {{0, 1}, {{{3, -2, 5}}, {{1, 4, -6}}}}, true},
          AppliedForce{"pull", {"on_fixed", {0.3, 0.1, 0}}, {{2, 7, -4}}},
          AppliedJointForce{"drive", "planar", 1, {{-1, 0.5, 2}, {{{1.5}}, {{-0.5}}, {{2}}}}}};
}

template <typename S>
VectorX<S> forces_of(const Model<S>& model, const std::vector<ForceElement>& elements, const VectorX<S>& q,
                     const VectorX<S>& qd, const S& t)
{
  ForceElements<S> forces(model, elements);
  forces(q, qd, t);
  return forces.joint_forces();
}

inline const std::vector<bool> bases{false, true};

inline Model<double> model_of(const Mechanism& mechanism, bool floating)
{
  return Model<double>(mechanism, {floating});
}

/// The sentence of an error.
template <typename Function>
std::string told(const Function& f)
{
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing";
}

inline void require_told(const std::string& sentence, std::initializer_list<const char*> pieces)
{
  for (const char* piece : pieces)
    BOOST_TEST(sentence.find(piece) != std::string::npos, "'" << piece << "' in: " << sentence);
  BOOST_TEST(sentence.back() == '.');
}

/// A bob of 2 kg at a rod's end that turns about the vertical.
inline Mechanism torsion_pendulum()
{
  Mechanism machine;
  machine.name = machine.source = "torsion_pendulum";
  machine.links = {{"ground"}, {"bob", 2, {0.3, 0, 0}, {0, 0, 0, 1}, {0.01, 0, 0, 0.01, 0, 0.02}}};
  machine.joints = {{"wire", JointType::continuous, "ground", "bob"}};
  return machine;
}

/// Two bodies on one rail.
inline Mechanism two_masses(double m1, double m2)
{
  Mechanism machine;
  machine.name = machine.source = "two_masses";
  machine.links = {{"ground"}, {"left", m1}, {"right", m2}};
  for (int k = 1; k < 3; ++k) {
    const std::string& name = machine.links[k].name;
    machine.joints.push_back({"slide_" + name, JointType::prismatic, "ground", name, {}, {0, 0, 0, 1}, {1, 0, 0}});
  }
  return machine;
}

}  // namespace articulate::validation::force_cases
