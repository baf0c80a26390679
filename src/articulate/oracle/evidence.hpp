/** \file
 *  \brief Do the equations that a fit has met say anything? Only those that could have contradicted it.
 *
 *  - Chapter: \ref diagnosis
 */
#pragma once
#include <functional>
#include <map>
#include <vector>
#include <articulate/oracle/answers.hpp>

namespace articulate::oracle {

/// \brief Whether two states differ in their accelerations and forces alone: they have one bias.
bool is_one_place(const Question& a, const Question& b);

/// \brief What some rows of a fit are, as the equation of motion has it: M qdd + c + g - J^T F = tau.
struct Origin {
  enum class Sum {
    motion,    ///< all of it, for some accelerations
    gravity,   ///< g alone
    coriolis,  ///< c alone
    inertia,   ///< a column of M
    beside     ///< no joint forces
  };
  Sum sum;
  Question x;                 ///< the motion that is asked for
  std::size_t state;          ///< the first one with the same coordinates, rates, gravity and wrenches
  Eigen::Index count;         ///< how many they are
  Eigen::Index column;        ///< of M
  MatrixX<double> undoing{};  ///< what makes joint forces of them again; empty where they are
};

/** \brief Equations A x = b of which none follows from others, whatever is wrong in a program with one equation of motion.
 *
 *  Such a program has the same error in its inverse dynamics, its bias and its forward dynamics, which are its equation
 *  for three accelerations. So one of them is kept, and of the others what they differ in: that is an error of M.
 */
struct Equations {
  MatrixX<double> A;
  VectorX<double> b, rounding;
  std::vector<std::size_t> state, table;  ///< of each of them: rows of one table are one quantity in one state
  std::vector<Origin::Sum> sum;
  std::map<std::size_t, Eigen::Index> repeated{};  ///< how many of a table follow from others, as M is symmetric
  Eigen::Index off_diagonal = 0;                   ///< entries beside the diagonal of M that no unknown reaches
};
Equations independent(const std::vector<Origin>& rows, const MatrixX<double>& A, const VectorX<double>& b,
                      const VectorX<double>& rounding);

/** \brief How far equations that a fit has met could have contradicted it.
 *
 *  What is right says of unknowns that they are zero, or that they make up for each other. What is wrong has to be met by
 *  the freedom that is left, and only as far as it is more than this freedom is it evidence.
 */
class Evidence {
public:
  /** \param most_roundings  what is wrong by less is right
   *  \param local           what forces on the only links that can be wrong make of the joint forces in a state, one column
   *                         for each; empty where all can be
   */
  Evidence(Equations equations, double most_roundings, const std::function<MatrixX<double>(std::size_t)>& local);

  /// \brief Whether what is wrong is so in two equations more than the unknowns that they determine, and half as many.
  bool could_have_failed(bool diagonal) const;
  /// \brief Whether two of these would be lost without the equations that a family of the unknowns reaches.
  bool tests(Eigen::Index first, Eigen::Index count) const;

private:
  Eigen::Index equations_in(const std::vector<Eigen::Index>& wrong) const;
  Eigen::Index rank_of(const std::vector<Eigen::Index>& wrong) const;

  Equations all_;
  std::function<MatrixX<double>(std::size_t)> local_;
  std::vector<Eigen::Index> wrong_;  ///< which equations are
  MatrixX<double> free_;             ///< what those of them do with the freedom that is left
  double least_;                     ///< what is smaller there is zero
};

}  // namespace articulate::oracle
