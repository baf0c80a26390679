/** \file
 *  \brief How closed loops are treated, as the options say it.
 */
#pragma once
#include <string>

namespace articulate::cli {

/// \brief How the loops of a model are to be treated.
struct LoopOptions {
  std::string file;       ///< empty for a tree
  bool assemble = false;  ///< take the state for a guess and close it
  /** \brief How far a state may be from closed, in m and rad, m/s and rad/s, m/s^2 and rad/s^2.
   *
   *  For numbers written with ten decimals. Where rates and accelerations are large, it counts beside the terms that
   *  should cancel.
   */
  double closed_within = 1e-9;
};

}  // namespace articulate::cli
