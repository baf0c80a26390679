/** \file
 *  \brief What is asked of a case, and who answers: formalisms that share nothing but the proof of solutions, each in two
 *         arithmetics.
 */
#pragma once
#include <map>
#include <string>
#include <vector>
#include <reference/enclosure.hpp>
#include <reference/interval.hpp>
#include <reference/problem.hpp>

namespace articulate::reference {

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

/// \brief Of the impulse with which all loops close at once.
inline constexpr double impulse_restitution = 0.5;

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
