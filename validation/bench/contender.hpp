/** \file
 *  \brief An algorithm that takes part in a comparison of speed: what it is called, what it solves, how to run it.
 */
#pragma once
#include <functional>
#include <string>
#include <articulate/model/model.hpp>  // VectorX

namespace articulate::validation {

/// \brief A motion, the forces that belong to it, and the mass matrix there.
struct State {
  VectorX<double> q, qd, qdd, tau;
  MatrixX<double> M;
};

/// \brief The problems that are timed.
enum class Problem {
  inverse,  ///< tau from q, qd, qdd
  forward,  ///< qdd from q, qd, tau
  mass      ///< M from q
};

/// \brief A result where it stands: a column, or the mass matrix.
using Result = Eigen::Ref<const MatrixX<double>>;

/** \brief One algorithm of one library on one model, with its inputs already in its own types.
 *
 *  What is timed is one call of `run`: nothing is converted and nothing is allocated by us in it.
 */
struct Contender {
  std::string name;  ///< library, class and, in words, the algorithm
  Problem problem;
  std::function<Result(std::size_t)> run;  ///< solve the state of this number
};

/// \brief What is built on a recursion, timed with all that it needs in units of one run of that recursion.
struct Extension {
  std::string name;
  Problem problem;                         ///< of the recursion
  std::function<double(std::size_t)> run;  ///< for the state of this number; any entry of the result
};

}  // namespace articulate::validation
