/** \file
 *  \brief What is asked of a case, and who answers: formalisms that share nothing but the proof of solutions, each in two
 *         arithmetics.
 */
#pragma once
#include <map>
#include <string>
#include <vector>
#include <articulate/constrained/loop.hpp>
#include <models/inputs.hpp>
#include <reference/enclosure.hpp>
#include <reference/interval.hpp>

namespace articulate::reference {

using validation::Inputs;

/** \brief A machine in a state.
 *
 *  Where cut joints close loops, some coordinates are given with their rates, as many as the machine is free to move.
 *  The others are part of the answer: what q has in their places is only near it, and what qd and qdd have is not read.
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

/// \brief Enclosed numbers, row by row.
struct Table {
  int rows, columns;
  std::vector<Enclosure> entries;
};

/// \brief By the name of the quantity.
using Answers = std::map<std::string, Table>;

/// \brief A matrix of intervals as a table.
template <typename Matrix>
Table table(const Matrix& A)
{
  Table answer{static_cast<int>(A.rows()), static_cast<int>(A.cols()), {}};
  for (Eigen::Index i = 0; i < A.rows(); ++i)
    for (Eigen::Index j = 0; j < A.cols(); ++j) answer.entries.push_back(enclosure(A(i, j)));
  return answer;
}

/// \brief Inputs are numbers of binary64: exact in every arithmetic.
template <typename I>
Eigen::Matrix<I, Eigen::Dynamic, 1> exactly(const std::vector<double>& x)
{
  Eigen::Matrix<I, Eigen::Dynamic, 1> y(static_cast<Eigen::Index>(x.size()));
  for (std::size_t k = 0; k < x.size(); ++k) y(static_cast<Eigen::Index>(k)) = I(x[k]);
  return y;
}

/** \brief Refuse loops whose rows are not as many as the dependent coordinates, or no functions of the state that
 *  Krawczyk's test can use.   \throws Unverified
 *  \param rows  of the loops   \param rates  of the machine
 */
void require_closable(const Problem& problem, int rows, int rates);

/** \brief By the library's own headers: twists and wrenches in body frames, composite bodies.
 *  \throws Undecided, Unverified
 */
template <const IntervalLibrary& library>
Answers by_the_library(const Problem& problem);

/** \brief By vector mechanics along the world's axes, from the plain description of the mechanism; see VectorNewtonEuler.
 *  \throws Undecided, Unverified
 */
template <const IntervalLibrary& library>
Answers by_vector_mechanics(const Problem& problem);

/** \brief The forces of trees of up to twelve rates, by Lagrange's equations of mass points; see witness::Lagrange.
 *  \throws Undecided
 */
template <const IntervalLibrary& library>
Answers by_mass_points(const Problem& problem);

}  // namespace articulate::reference
