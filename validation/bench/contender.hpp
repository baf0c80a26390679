/** \file
 *  \brief An algorithm that takes part in a comparison of speed: what it is called, what it solves, how to run it; and the
 *  machine that all libraries build for themselves.
 *
 *  C++17, which is as far as the headers of some of them go.
 */
#pragma once
#include <functional>
#include <string>
#include <vector>
#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>

namespace articulate::validation {

/// \brief A motion, the forces that belong to it, and the mass matrix there.
struct State {
  Eigen::VectorXd q, qd, qdd, tau;
  Eigen::MatrixXd M;
};

/// \brief The problems that are timed.
enum class Problem {
  inverse,  ///< tau from q, qd, qdd
  forward,  ///< qdd from q, qd, tau
  mass      ///< M from q
};

/// \brief A result where it stands: a column, or the mass matrix.
using Result = Eigen::Ref<const Eigen::MatrixXd>;

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

/// \brief A body, what is fixed to it included, and its joint: a hinge about the z axis of its frame, or a slide along it.
struct Part {
  std::string name;
  int parent;  ///< its place in the list of all, -1 for the world; parents come first
  bool turns;
  Eigen::Isometry3d pose;  ///< of its frame at q = 0, in the parent's frame (m)
  double mass;             ///< kg
  Eigen::Vector3d center;  ///< of mass, in its frame (m)
  Eigen::Matrix3d tensor;  ///< about the centre of mass, in the axes of its frame (kg m^2)
};

/// \brief The same bodies for every library, one coordinate each, on a fixed base.
struct Machine {
  std::vector<Part> parts;
  Eigen::Vector3d gravity;  ///< m/s^2, in the world
};

/// \brief Central inertias of a part and the axes that they belong to.
struct PrincipalInertia {
  Eigen::Vector3d moments;
  Eigen::Matrix3d axes;  ///< a rotation: its columns, in the frame of the part
};
inline PrincipalInertia principal(const Part& part)
{
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(part.tensor);
  Eigen::Matrix3d axes = solver.eigenvectors();
  if (axes.determinant() < 0) axes.col(0) *= -1;
  return {solver.eigenvalues(), axes};
}

}  // namespace articulate::validation
