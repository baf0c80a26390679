/** \file
 *  \brief Other libraries as they take part in the comparison: each builds the same machine by its own interface.
 *
 *  Their headers stay behind this one, so that their code is compiled once and with the flags of their packages, whatever
 *  flags ours is timed with. Of a library that offers several steps, those are taken that the problem needs and no more.
 */
#pragma once
#include <bench/contender.hpp>

namespace articulate::validation {

/// \brief A library that is installed.
struct Peer {
  std::string name;    ///< with its version
  std::string cannot;  ///< a sentence about what is not compared; may be empty
  /** \brief What it offers for a machine, ready to run on the given states, which must stay. */
  std::vector<Contender> (*contenders)(const Machine& machine, const std::vector<State>& states);
};

/** \brief Orocos KDL.
 *
 *  Inverse dynamics: TreeIdSolver_RNE and, for a chain, ChainIdSolver_RNE, both recursive Newton-Euler, O(n).
 *  Mass matrix, for a chain only: ChainDynParam, composite bodies, O(n^2).
 *  Forward dynamics, for a chain only:
 *  - ChainFdSolver_RNE: composite-body mass matrix, O(n^2), bias by recursive Newton-Euler, and a dense
 *    \f$LDL^{\mathsf T}\f$, O(n^3);
 *  - ChainHdSolver_Vereshchagin: articulated bodies, O(n), with a constraint on the tip whose direction is zero, as its
 *    documentation advises for plain forward dynamics.
 */
Peer kdl();
/// \brief DART: recursive Newton-Euler and articulated bodies, O(n); the mass matrix by columns, O(n^2).
Peer dart();
/// \brief MuJoCo: recursive Newton-Euler, O(n), and composite bodies with a sparse \f$L^{\mathsf T}DL\f$, O(n d^2).
Peer mujoco();
/// \brief Bullet: articulated bodies, O(n), by btMultiBody.
Peer bullet();
/// \brief Simbody: recursive Newton-Euler and articulated bodies, O(n); the mass matrix by columns, O(n^2).
Peer simbody();

}  // namespace articulate::validation
