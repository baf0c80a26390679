/** \file
 *  \brief Accelerations and what they change with, step by step, with the rounding of one step alone.
 *
 *  The library's own classes, called one after the other as its functions call them. Which step is to blame for digits
 *  that are lacking is found by rounding it and no other (see RandomlyRounded).
 */
#pragma once
#include <articulate/derivatives/hybrid_second_derivatives.hpp>
#include <reference/answers.hpp>
#include <reference/randomly_rounded.hpp>

namespace articulate::reference {

/// \brief On the way to derivatives of accelerations.
enum class Step {
  inverse,  ///< articulated bodies, and how all joints respond to a force at one: the inverse of the mass matrix
  forces,   ///< the derivatives of inverse dynamics
  product   ///< of the first with the second
};

/** \brief Derivatives of the accelerations of a tree, when one step is rounded up or down at random.
 *  \return  first derivatives, and second ones of trees of at most seven rates, by the name of the quantity
 */
std::map<std::string, MatrixX<RandomlyRounded>> rounded_in(Step step, const Problem& problem);

}  // namespace articulate::reference
