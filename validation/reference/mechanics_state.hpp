/** \file
 *  \brief The state of a problem in intervals as vector mechanics takes it: what its answers have in common.
 */
#pragma once
#include <algorithm>
#include <reference/answers.hpp>
#include <reference/verified.hpp>
#include <witnesses/newton_euler.hpp>

namespace articulate::reference {

template <typename I>
using MechanicsVector3 = Eigen::Matrix<I, 3, 1>;
template <typename I>
using MechanicsVector6 = Eigen::Matrix<I, 6, 1>;

template <typename I>
MechanicsVector3<I> cross(const MechanicsVector3<I>& a, const MechanicsVector3<I>& b)
{
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
template <typename I>
I dot(const MechanicsVector3<I>& a, const MechanicsVector3<I>& b)
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
template <typename I>
MechanicsVector3<I> exactly(const std::array<double, 3>& x)
{
  return {I(x[0]), I(x[1]), I(x[2])};
}

/// \brief Six numbers of two vectors.
template <typename I>
MechanicsVector6<I> mechanics_six(const MechanicsVector3<I>& angular, const MechanicsVector3<I>& linear)
{
  MechanicsVector6<I> x;
  x << angular, linear;
  return x;
}

/// \brief A vector turned by the quaternion (u, s) of any length.
template <typename I>
MechanicsVector3<I> turned(const MechanicsVector3<I>& u, const I& s, const MechanicsVector3<I>& e)
{
  return e + I(2) / (dot(u, u) + s * s) * cross(u, cross(u, e) + s * e);
}

/// \brief The state as it is given, or closed.
template <typename I>
struct MechanicsState {
  using Vector = IntervalVector<I>;

  witness::VectorNewtonEuler<I> machine;
  Vector q, qd, qdd;
  const Vector tau, none;
  const MechanicsVector3<I> gravity;
  std::vector<MechanicsVector6<I>> wrenches;

  explicit MechanicsState(const Inputs& in)
      : machine(in.mechanism, in.options.floating_base),
        q(reference::exactly<I>(in.q)),
        qd(reference::exactly<I>(in.qd)),
        qdd(reference::exactly<I>(in.qdd)),
        tau(reference::exactly<I>(in.tau)),
        none(Vector::Zero(machine.rates)),
        gravity(exactly<I>(in.mechanism.gravity))
  {
    for (const auto& x : in.link_wrenches) wrenches.push_back(Eigen::Matrix<double, 6, 1>(x.data()).template cast<I>());
  }

  /// \brief The joint forces of a motion here, which sets everything in motion.
  Vector forces(const Vector& rates, const Vector& accelerations)
  {
    return machine.inverse_dynamics(q, rates, accelerations, gravity, wrenches);
  }
};

/// \brief The machine as a whole, in its last motion: its centre of mass, and the momentum about that.
template <typename I>
struct MechanicsWhole {
  MechanicsVector3<I> center, velocity, acceleration;
  MechanicsVector6<I> momentum, momentum_rate;
  Eigen::Matrix<I, 3, 3> inertia = Eigen::Matrix<I, 3, 3>::Zero();  ///< about the centre of mass

  explicit MechanicsWhole(const witness::VectorNewtonEuler<I>& machine)
  {
    center = machine.center_of_mass();
    velocity = machine.linear_momentum() / machine.mass();
    MechanicsVector3<I> force = MechanicsVector3<I>::Zero(), moment = force;
    for (const auto& link : machine.links) {
      if (!link.moves) continue;
      const MechanicsVector3<I> arm = link.arm(), w = link.angular_velocity, alpha = link.angular_acceleration;
      const MechanicsVector3<I> center_acceleration = link.acceleration + cross(alpha, arm) + cross(w, cross(w, arm));
      const MechanicsVector3<I> needed = link.mass * center_acceleration, beside = link.center() - center;
      force += needed;
      moment += cross(beside, needed) + link.inertia_times(alpha) + cross(w, link.inertia_times(w));
      // Steiner.
      inertia += link.rotation * link.inertia * link.rotation.transpose();
      inertia += link.mass * (dot(beside, beside) * Eigen::Matrix<I, 3, 3>::Identity() - beside * beside.transpose());
    }
    acceleration = force / machine.mass();
    const MechanicsVector3<I> linear = machine.linear_momentum();
    momentum = mechanics_six<I>(machine.angular_momentum() - cross(center, linear), linear);
    momentum_rate = mechanics_six<I>(moment, force);
  }
};

/// \brief The links that a joint with a freedom carries, in the order of their rates.
template <typename I>
std::vector<std::size_t> carried_links(const MechanicsState<I>& state)
{
  const auto& links = state.machine.links;
  std::vector<std::size_t> order;
  for (std::size_t l = 0; l < links.size(); ++l)
    if (links[l].joint != JointType::fixed) order.push_back(l);
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return links[a].first_rate < links[b].first_rate; });
  return order;
}

/** \brief What all loops do when they close at once, and of small machines how that changes.
 *  \param M  the mass matrix
 */
template <typename I>
void add_impulse(Answers& answers, const Problem& problem, const MechanicsState<I>& state, const IntervalMatrix<I>& M);

/** \brief Regressors of small machines, and derivatives of small trees, from the forces of others: nothing is differentiated.
 *  \param motion     how it moves under the forces given
 *  \param M_inverse  what its accelerations are of a unit of each force
 */
template <typename I>
void add_exact_differences(Answers& answers, const Problem& problem, const MechanicsState<I>& state,
                           const IntervalVector<I>& motion, const IntervalMatrix<I>& M_inverse);

}  // namespace articulate::reference
