/** \file
 *  \brief What a certified case asks: a machine in a state, in numbers of binary64.
 */
#pragma once
#include <string>
#include <vector>
#include <articulate/constrained/loop.hpp>
#include <models/inputs.hpp>

namespace articulate::reference {

using validation::Inputs;

/** \brief A machine in a state.
 *
 *  Where cut joints close loops, some coordinates are given with their rates, as many as the machine is free to move.
 *  The others are part of the answer: what q has in their places is only near it, what qd has there belongs to the rates before
 *  an impulse and to nothing else, and qdd is not read.
 */
struct Problem {
  Inputs in;
  std::vector<Loop> loops;
  std::vector<int> independent;  ///< coordinates; each of them is an entry of q and of qd

  /// \brief The others.
  std::vector<int> dependent() const;
  /// \brief Ball and floating joints have more coordinates than rates.
  bool has_quaternions() const { return in.q.size() != in.qd.size(); }
  /// \brief At most twenty rates: regressors are asked for, of trees first derivatives, too.
  bool is_small() const { return in.qd.size() <= 20; }
  /// \brief A tree of at most seven: second derivatives, too.
  bool is_tiny() const { return loops.empty() && in.qd.size() <= 7; }
  /// \brief Every number moved by an ulp, up or down.
  Problem nudged(std::uint64_t seed) const;
};

/// \brief A machine in a state: numbers of binary64, and nothing derived.
struct Case {
  std::string name;   ///< also of its file
  std::string tier;   ///< lower, average or higher
  std::string title;  ///< one line
  Problem problem;
};

}  // namespace articulate::reference
