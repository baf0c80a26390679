/** \file
 *  \brief Machines with loops: a tree, the joints that were cut to leave it, and roughly where it closes.
 *
 *  Plain data, as the built-in models are.
 *  - Paper: Kim 2012, section 3. Chapter: \ref constrained
 */
#pragma once
#include <vector>
#include <articulate/constrained/loop.hpp>
#include <articulate/mechanisms/working_process.hpp>  // ProcessData
#include <models/models.hpp>

namespace articulate::validation {

/// \brief A mechanism with loops. Its mobility, the number of degrees that are left to it, is that of its leaders.
struct ClosedMachine {
  std::string name;
  std::string summary;               ///< one line: what it is, where its numbers come from
  Mechanism tree;                    ///< with a fixed base
  std::vector<Loop> loops;           ///< the joints that were cut
  std::vector<double> guess;         ///< nq coordinates, roughly closed
  std::vector<std::string> motors;   ///< the joints that have one: just enough to move it, or more
  std::vector<std::string> leaders;  ///< joints that all others follow: as many degrees as the closed machine has
};

/// \brief Every machine below, in this order.
std::vector<ClosedMachine> closed_machines();

/// \brief The five-bar of the built-in models, with its pin: four joints, five rows of rank two.
ClosedMachine five_bar_with_pin();

/** \brief The same as the paper counts it: a rod is cut in two, which leaves five joints, and six rows of rank three.
 *
 *  The outer part of the rod, `right_tip`, hangs on the pin; so it needs a mass of its own.
 */
ClosedMachine five_bar_halved();

/** \brief Norton, Design of Machinery, example 4-1: ground 100, crank 40, coupler 120, rocker 80 mm.
 *
 *  At 40 degrees of the crank the coupler stands at 20.298 degrees and the rocker at 57.325.
 */
ClosedMachine four_bar();

/** \brief Hoeken's four-bar, whose coupler point goes straight for half a turn of the crank: 2, 1, 2.5 and 2.5 cranks.
 *
 *  The point is on the coupler's line, as far behind the rocker's pin as the crank's pin is before it: on `pen`.
 */
ClosedMachine hoeken();

/** \brief Bricard's orthogonal linkage of equal bars: six hinges, each at right angles to the next, cut through a bar.
 *
 *  Six joints and six rows should leave nothing free, but the rank is five. It holds only as long as the places of the
 *  hinges are exact. \f$(1 + \cos q_1)(1 + \cos q_2) = 1\f$, and the other angles are these two in turn.
 */
ClosedMachine bricard();

/// \brief The same, cut at its sixth hinge: five joints, five rows of rank four.
ClosedMachine bricard_at_a_hinge();

/// \brief A platform on six legs of universal joint, slide and ball: 21 joints, five balls cut.
ClosedMachine stewart_platform();

/// \brief The built-in `mixed_tree` with two loops that share joints: a universal joint and a ball to its root.
ClosedMachine two_loops();

/// \brief The built-in `quadruped` on the ground, its four feet on ball joints.
ClosedMachine standing_quadruped();

/** \brief The hydraulic manipulator of Ma et al. 2021 with its seven loops, the planes of all pins one: 20 joints, 35 rows.
 *  \param load  the mass that hangs on the end of arm 4 (kg)
 */
ClosedMachine hydraulic_manipulator(double load = 0);

/// \brief Its working process of eighty seconds; see the file for what is published and what is ours.
ProcessData working_process();

}  // namespace articulate::validation
