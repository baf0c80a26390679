/** \file
 *  \brief Inverse dynamics of a constrained system: which actuator forces make it move as prescribed?
 *
 *  - Paper: Kim 2012, section 3.1, \eq{kim,56} to \eq{kim,66}.
 *  - Chapter: \ref constrained
 */
#pragma once
#include <Eigen/SVD>
#include <articulate/constrained/loops.hpp>
#include <articulate/constrained/semidefinite.hpp>
#include <articulate/rnea/inverse_dynamics.hpp>

namespace articulate {

/// \brief What to keep small when there are more actuators than the motion needs.
enum class Least {
  actuator_force,   ///< \f$\lVert\tau_a\rVert\f$ \eq{kim,62}
  constraint_force  ///< \f$\lVert\lambda\rVert\f$, the first term of \eq{kim,59}
};

/// \brief Forces that make a constrained system move as prescribed.
template <typename Scalar>
struct ConstrainedForces {
  VectorX<Scalar> tau;     ///< nv joint forces: those of passive joints as given
  VectorX<Scalar> lambda;  ///< m multipliers
  int rank_passive;        ///< of \f$A_p\f$, the columns of passive joints
  bool unique;             ///< whether the actuator forces are the only ones
};

/** \brief Solve \f$\tau_r = \tau + A^{\mathsf T}\lambda\f$ \eq{kim,56} for the forces of the actuated joints and the multipliers.
 *
 *  Ranks decide what is possible, not counts (errata E-kim-7, E-kim-8): the constraints must supply the passive joints,
 *  \f$A_p^{\mathsf T}\lambda = \tau_{pr} - \tau_p\f$ \eq{kim,57}; whatever freedom the multipliers still have
 *  presses the actuators against each other.
 *  \param tau_r     nv: inverse dynamics of the tree in the prescribed motion   \param tau  nv: read at passive joints
 *  \param A         m x nv   \param actuated  nv flags
 *  \throws StateError when no actuator forces make the system move so: how much force the passive joints lack
 */
template <typename Scalar>
ConstrainedForces<Scalar> constrained_inverse_dynamics(const VectorX<Scalar>& tau_r, const VectorX<Scalar>& tau,
                                                       const MatrixX<Scalar>& A, const std::vector<bool>& actuated,
                                                       Least least = Least::actuator_force)
{
  const int n = static_cast<int>(tau_r.size()), m = static_cast<int>(A.rows());
  detail::require_size("tau", tau, n);
  detail::require_size("actuated", actuated, n);
  if (A.cols() != n) throw SizeError("A (columns)", A.cols(), n);
  Indexed<int> a, p;
  Indexed<bool> passive = actuated;
  passive.flip();
  for (int k = 0; k < n; ++k) (passive[k] ? p : a).push_back(k);
  // Of Eigen's algorithms for singular values the safest, and the quickest to compile.
  using SVD = Eigen::JacobiSVD<MatrixX<Scalar>, Eigen::FullPivHouseholderQRPreconditioner>;
  const auto decompose = [&](const MatrixX<Scalar>& matrix) {
    SVD svd(matrix, Eigen::ComputeFullU | Eigen::ComputeFullV);
    svd.setThreshold(Scalar(rank_tolerance<Scalar>(n)));
    return svd;
  };
  // [constrained-inverse]
  // The multipliers that supply the passive joints, and those that they do not feel: a basis N of the null space.
  VectorX<Scalar> lambda = VectorX<Scalar>::Zero(m);
  MatrixX<Scalar> N = MatrixX<Scalar>::Identity(m, m);
  int rank = 0;
  if (!p.empty() && m > 0) {
    const SVD ApT = decompose(chosen_columns(A, passive)(Eigen::all, p).transpose());
    rank = static_cast<int>(ApT.rank());
    lambda = ApT.solve(VectorX<Scalar>(tau_r(p) - tau(p)));  // (59), the first term
    N = ApT.matrixV().rightCols(m - rank);
  }
  VectorX<Scalar> rest = tau_r - A.transpose() * lambda;  // (60)

  // Of what is free to choose, the shortest actuator forces.
  const MatrixX<Scalar> AaTN = A(Eigen::all, a).transpose() * N;
  bool unique = true;
  if (AaTN.size() > 0) {
    const SVD presses = decompose(AaTN);
    unique = AaTN.norm() <= Scalar(rank_tolerance<Scalar>(n)) * A.norm();
    if (!unique && least == Least::actuator_force) {
      const VectorX<Scalar> s = presses.solve(VectorX<Scalar>(rest(a)));  // (64)
      lambda += N * s;                                                    // (63)
      rest = tau_r - A.transpose() * lambda;                              // (62)
    }
  }
  // [constrained-inverse]
  // Beside the largest force of all, to whose rounding the others are known.
  using std::abs, std::max;
  Scalar missing(0), scale(0);
  for (const int k : p) {
    missing = max(missing, Scalar(abs(Scalar(rest(k) - tau(k)))));
    scale = max(scale, Scalar(abs(tau(k))));
  }
  for (const Scalar& x : tau_r) scale = max(scale, Scalar(abs(x)));
  if (missing > Scalar(rank_tolerance<Scalar>(n)) * scale)
    throw StateError("the actuated joints cannot make the system move as prescribed: the constraints leave " +
                     detail::shown(static_cast<double>(missing)) +
                     " (N m or N) to passive joints; actuate more joints, or prescribe only the actuated ones and use "
                     "hybrid dynamics.");
  ConstrainedForces<Scalar> forces{rest, lambda, rank, unique};
  for (const int k : p) forces.tau(k) = tau(k);
  return forces;
}

/** \brief The forces that make a system with loops move as \f$(q, \dot q, \ddot q)\f$, in one line: \eq{kim,56}.
 *
 *  nq coordinates, nv rates and nv accelerations, which meet the loops; nv forces, read at passive joints.
 */
template <typename Scalar>
ConstrainedForces<Scalar> constrained_inverse_dynamics(const Model<Scalar>& model, const std::vector<Loop>& loops,
                                                       const std::vector<bool>& actuated, VectorArgument<Scalar> q,
                                                       VectorArgument<Scalar> qd, VectorArgument<Scalar> qdd,
                                                       VectorArgument<Scalar> tau,
                                                       const ExternalWrenches<Scalar>& Fext = {},
                                                       Least least = Least::actuator_force)
{
  Loops<Scalar> constraints(model, loops);
  constraints(q, qd);
  return constrained_inverse_dynamics<Scalar>(inverse_dynamics(model, q, qd, qdd, Fext), tau, constraints.A, actuated,
                                              least);
}

}  // namespace articulate
