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

/** \brief Regressors of small machines, and derivatives of small trees, from the forces of others: nothing is differentiated.
 *  \param motion     how it moves under the forces given
 *  \param M_inverse  what its accelerations are of a unit of each force
 */
template <typename I>
void add_exact_differences(Answers& answers, const Problem& problem, const MechanicsState<I>& state,
                           const IntervalVector<I>& motion, const IntervalMatrix<I>& M_inverse);

}  // namespace articulate::reference
