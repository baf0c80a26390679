/** \file
 *  \brief The mechanisms on which every identity is proved.
 *
 *  Robots with published numbers, small machines of our own that are special in no way, and families of any size. A
 *  mechanism is plain data, so nothing here knows the algorithms that it is meant to try.
 *  - Chapter: \ref model
 */
#pragma once
#include <cstdint>
#include <string>
#include <vector>
#include <articulate/model/mechanism.hpp>  // Mechanism

namespace articulate::validation {

/// \brief An entry of the list of built-in models.
struct BuiltIn {
  std::string name;
  std::string summary;  ///< one line: what it is, its degrees of freedom, where its numbers come from
  bool floating_base;   ///< the root link is meant to move freely
};

/// \brief Every built-in model, in a fixed order; of the families one instance each.
std::vector<BuiltIn> built_in_models();

/** \brief The mechanism of a name in the list, or of `planar_arm:LINKS`, `tree:BRANCHESxBODIES`, `random:SEED`,
 *  `random_chain:SEED`.
 *
 *  The random ones have 2 + SEED mod 9 moving joints and a fixed base.
 *  \throws ModelError naming the model that does not exist and those that do, or the size that a family cannot have
 */
Mechanism built_in_model(const std::string& name);

/// \brief Park 1995, section 4.3.1: two revolute joints in general position, general inertias.
Mechanism park_2r();

/// \brief The PUMA 560 after Armstrong, Khatib and Burdick, made physical; see the file for what is ours.
Mechanism puma560();

/// \brief Two screws, a slide and a hinge in a row.
Mechanism screw_arm();

/// \brief A pendulum on a cart on an inclined rail.
Mechanism cart_pendulum();

/// \brief Two arms of two bars on one ground: a planar five-bar once its links left_tip and right_tip coincide.
Mechanism five_bar();

/// \brief Six bodies on revolute, universal, prismatic and ball (three angles) joints: the tree of our errata of Kim.
Mechanism mixed_tree();

/// \brief One joint of every type, fixed ones too.
Mechanism every_joint();

/// \brief A multirotor with two arms after Ali, Gabellieri and Franchi 2026; see the file for what is ours.
Mechanism aerial_manipulator();

/// \brief A walker on four legs of three hinges, with a mast.
Mechanism quadruped();

/// \brief A walker on two legs, with two arms, a waist, a neck and a mallet in its right hand.
Mechanism humanoid();

/// \brief A chain whose axes are all parallel: revolute joints, links of decreasing size, bodies out of the plane.
Mechanism planar_arm(int links);

/** \brief A tree of equally long branches of revolute joints.
 *
 *  The first body of the first branch carries all other branches, so that no two branches move independently.
 */
Mechanism branching_tree(int branches, int bodies_per_branch);

/** \brief A tree drawn from a seed, the same on every platform.
 *  \param joints            the number of moving joints, the one of the next parameter not counted
 *  \param inner_free_joint  let all that moves be carried by one more floating joint on the root; it lies inside the
 *                           tree when the root itself is given a free base
 *
 *  Parents, joint types, places, axes, masses and inertias are drawn. The first eleven joints have the eleven types
 *  that move, and so have each eleven after them. Some links hang on others by fixed joints, one of them on the world.
 */
Mechanism random_tree(std::uint64_t seed, int joints, bool inner_free_joint);

/** \brief A chain of one-DoF joints drawn from a seed, the same on every platform.
 *
 *  Each body hangs on the one before. The joints are revolute, continuous, prismatic or helical, of each four all four;
 *  places, axes, masses and inertias are drawn as those of random_tree().
 */
Mechanism random_chain(std::uint64_t seed, int joints);

}  // namespace articulate::validation
