/** \file
 *  \brief The witnesses that are heavy to compile, each in one function, compiled once per scalar.
 *
 *  Of the library only the plain data of a robot is included, so that a change of its formulas does not compile them
 *  again.
 */
#pragma once
#include <Eigen/Core>
#include <vector>
#include <articulate/constrained/loop.hpp>  // Mechanism, Loop: links, joints and cut joints as plain numbers

namespace articulate::witness {

template <class S>
using Column = Eigen::Matrix<S, Eigen::Dynamic, 1>;

/// \brief Joint forces by Lagrange's equations of mass points; see Lagrange::inverse_dynamics.
template <class S>
Column<S> lagrange_tau(const Mechanism& mechanism, bool floating_base, const Column<S>& q, const Column<S>& qd,
                       const Column<S>& qdd, const Eigen::Matrix<S, 3, 1>& gravity,
                       const std::vector<Eigen::Matrix<S, 6, 1>>& external);

/// \brief The mass matrix of the same; see Lagrange::mass_matrix.
template <class S>
Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic> lagrange_mass_matrix(const Mechanism& mechanism, bool floating_base,
                                                                      const Column<S>& q);

/// \brief Joint accelerations of free bodies held together by multipliers; see MaximalCoordinates::forward_dynamics.
template <class S>
Column<S> maximal_qdd(const Mechanism& mechanism, bool floating_base, const Column<S>& q, const Column<S>& qd,
                      const Column<S>& tau, const Eigen::Matrix<S, 3, 1>& gravity,
                      const std::vector<Eigen::Matrix<S, 6, 1>>& external);

/// \brief The same with loops; see MaximalCoordinates::complete.
template <class S>
Column<S> complete_closed_motion(const Mechanism& mechanism, const std::vector<Loop>& loops, const Column<S>& q,
                                 const Column<S>& qd, Column<S>& qdd, Column<S>& tau,
                                 const std::vector<bool>& prescribed, const Eigen::Matrix<S, 3, 1>& gravity,
                                 const std::vector<Eigen::Matrix<S, 6, 1>>& external);

}  // namespace articulate::witness
