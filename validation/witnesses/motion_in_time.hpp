/** \file
 *  \brief Vector mechanics along a motion: what it says of every link, with derivatives in time.
 *
 *  The plain witness in the arithmetic of truncated series: it knows no bracket, no adjoint, no product rule of Leibniz.
 *  Of the library only the plain data of a robot is included.
 */
#pragma once
#include <Eigen/Core>
#include <array>
#include <vector>
#include <articulate/model/mechanism.hpp>

namespace articulate::witness {

/// \brief As many derivatives as are found: of poses and twists up to the fourth, of forces up to the third.
inline constexpr int derivatives_in_time = 5;

/// \brief A quantity and its derivatives.
template <class Quantity>
using InTime = std::array<Quantity, derivatives_in_time>;

/** \brief A link in motion; twists and wrenches are about the world's origin, in world axes, (w, v) and (moment, force).
 *
 *  Entry 4 of a wrench means nothing, but for the momentum.
 */
template <class S>
struct LinkInTime {
  using Matrix4 = Eigen::Matrix<S, 4, 4>;
  using Matrix6 = Eigen::Matrix<S, 6, 6>;
  using Vector6 = Eigen::Matrix<S, 6, 1>;
  InTime<Matrix4> pose;
  InTime<Vector6> twist, momentum;
  InTime<Vector6> twist_in_link;  ///< of the link's origin, in the link's axes
  InTime<Vector6> joint_wrench;   ///< what acts on the link through its joint
  InTime<Vector6> weight, applied;
  InTime<Matrix6> inertia;    ///< twist to momentum
  InTime<Matrix6> transport;  ///< takes a wrench from the link's axes and origin to the world's
};

/// \brief A robot in motion.
template <class S>
struct MotionInTime {
  std::vector<LinkInTime<S>> links;                      ///< in the order of the mechanism
  std::vector<InTime<Eigen::Matrix<S, 6, 1>>> screws;    ///< by rate: the twist of its joint at rate one
  Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic> tau;  ///< by rate and order
};

/** \brief Follow a motion.
 *  \param q         coordinates as VectorNewtonEuler has them
 *  \param rates     by rate, column k is the k-th derivative of qd at t = 0
 *  \param gravity   in world axes
 *  \param external  by order, then by link, in the link's axes
 */
template <class S>
MotionInTime<S> motion_in_time(const Mechanism& mechanism, bool floating_base,
                               const Eigen::Matrix<S, Eigen::Dynamic, 1>& q,
                               const Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic>& rates,
                               const Eigen::Matrix<S, 3, 1>& gravity,
                               const std::vector<std::vector<Eigen::Matrix<S, 6, 1>>>& external);

}  // namespace articulate::witness
