/** \file
 *  \brief Orocos KDL 1.5 as a peer: the same mechanism, built from the same numbers, solved by each of its algorithms.
 *
 *  KDL's headers stay behind this one, so that its code is compiled once and with its package's flags, whatever flags
 *  ours is timed with.
 */
#pragma once
#include <vector>
#include <bench/contender.hpp>  // Contender, State

namespace articulate::validation {

/** \brief The algorithms that KDL offers for a model, ready to run on the given states.
 *
 *  Inverse dynamics: TreeIdSolver_RNE and, for a chain, ChainIdSolver_RNE, both recursive Newton-Euler, O(n).
 *  Mass matrix, for a chain only: ChainDynParam, composite bodies, O(n^2).
 *  Forward dynamics, for a chain only:
 *  - ChainFdSolver_RNE: composite-body mass matrix, O(n^2), bias by recursive Newton-Euler, and a dense
 *    \f$LDL^{\mathsf T}\f$, O(n^3);
 *  - ChainHdSolver_Vereshchagin: articulated bodies, O(n), with a constraint on the tip whose direction is zero, as its
 *    documentation advises for plain forward dynamics.
 *  \throws ModelError for a floating base or a joint that is not fixed, revolute, continuous or prismatic
 */
std::vector<Contender> kdl_contenders(const Model<double>& model, const std::vector<State>& states);

}  // namespace articulate::validation
