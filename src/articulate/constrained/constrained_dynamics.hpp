/** \file
 *  \brief Forward and hybrid dynamics of a tree with constraints, such as closed loops.
 *
 *  - Paper: Kim 2012, sections 3.2 and 3.3, \eq{kim,67} to \eq{kim,80}.
 *  - Chapter: \ref constrained
 */
#pragma once
#include <articulate/constrained/loops.hpp>
#include <articulate/constrained/semidefinite.hpp>
#include <articulate/hybrid/hybrid_dynamics.hpp>

namespace articulate {

/** \brief \f$M\ddot q + b = \tau + A^{\mathsf T}\lambda,\ A\ddot q + \dot A\dot q = 0\f$, in O(n) + O(n m) + O(m^3).
 *
 *  The unconstrained motion takes one run of ABA, the matrix of one small system for the multipliers takes
 *  half a response for each row of A, and one response to the constraint forces follows. Rows may be dependent: the
 *  acceleration is unique all the same, and the shortest of all multipliers is taken.
 */
template <typename Scalar>
class ConstrainedDynamics {
public:
  HybridDynamics<Scalar> tree;  ///< the recursion, run for the unconstrained motion

  /** \brief Make the workspace.
   *  \param prescribed  nv flags: is this acceleration prescribed (set u), or the force (set v)?
   *  \param rows        m, the number of constraints
   *  \throws ModelError when a joint in v could move without moving any mass
   */
  ConstrainedDynamics(const Model<Scalar>& model, const std::vector<bool>& prescribed, int rows)
      : tree(model, prescribed),
        A_(MatrixX<Scalar>::Zero(rows, model.nv())),
        A_v_(A_),
        K_(MatrixX<Scalar>::Zero(rows, rows)),
        X_(MatrixX<Scalar>::Zero(model.nv(), rows)),
        X_over_D_(X_),
        excess_(VectorX<Scalar>::Zero(rows)),
        lambda_(excess_),
        answers_(excess_),
        qdd_(VectorX<Scalar>::Zero(model.nv())),
        tau_(qdd_),
        constrained_(qdd_),
        pull_(qdd_),
        held_(qdd_),
        found_(prescribed),
        solver_(rows)
  {
    found_.flip();
  }

  /** \brief Take the rank of \f$A_v\f$ as known in all later runs; a negative one has it decided anew in each run.
   *
   *  A motion keeps its rank; off the closed positions, and where bars become aligned, the numbers suggest another one.
   */
  void hold_rank(int rank) { held_rank_ = rank; }

  /** \brief Find what completes the given motion and forces.
   *  \param q, qd    nq coordinates and nv rates, which meet the constraints
   *  \param qdd      nv accelerations, of which those in u are read
   *  \param tau      nv forces, of which those in v are read
   *  \param A        m x nv   \param Adot_qd  m numbers \f$\dot A\dot q\f$
   *  \param Fext     wrenches on the bodies, in body frames; empty for none
   *  \throws SizeError naming the argument, the length given and the length expected
   *  \throws StateError when a joint's articulated inertia vanishes at this q: its angles are singular, or numbers overflow
   */
  void operator()(const VectorRef<Scalar>& q, const VectorRef<Scalar>& qd, const VectorRef<Scalar>& qdd,
                  const VectorRef<Scalar>& tau, const MatrixX<Scalar>& A, const VectorX<Scalar>& Adot_qd,
                  const ExternalWrenches<Scalar>& Fext = {});

  /** \brief The same at the position of the last run, with other rates and forces: the responses to A are known.
   *  \throws SizeError as above; StateError before the first run
   */
  void again(const VectorRef<Scalar>& q, const VectorRef<Scalar>& qd, const VectorRef<Scalar>& qdd,
             const VectorRef<Scalar>& tau, const VectorX<Scalar>& Adot_qd, const ExternalWrenches<Scalar>& Fext = {})
  {
    first_run_.require("answer to the constraints");
    detail::require_size("Adot_qd", Adot_qd, static_cast<int>(A_.rows()));
    tree(q, qd, qdd, tau, Fext);
    complete(Adot_qd);
  }

  /** \brief What forces and accelerations would do alone, at rest, without gravity, at the q of the last run.
   *
   *  Solves \f$M\ddot q = \tau + A^{\mathsf T}\lambda,\ A\ddot q + e = 0\f$.
   *  \param tau  nv forces: given in v, found in u   \param qdd  nv accelerations: given in u, found in v
   *  \param e    m numbers; left with what could not be met   \param lambda  m multipliers, found
   *  \throws StateError before the first run
   */
  void respond(VectorX<Scalar>& tau, VectorX<Scalar>& qdd, VectorX<Scalar>& e, VectorX<Scalar>& lambda)
  {
    first_run_.require("response");
    detail::require_size("e", e, static_cast<int>(A_.rows()));
    tree.respond(tau, qdd);
    constrain(tau, qdd, e, lambda);
  }

  /// \brief nv accelerations: those given in u, those found in v.   \throws StateError before the first run
  const VectorX<Scalar>& qdd() const { return found("acceleration", qdd_); }
  /// \brief nv forces: those given in v, those found in u.   \throws StateError before the first run
  const VectorX<Scalar>& tau() const { return found("joint force", tau_); }
  /// \brief m multipliers, of least norm where they are not unique.   \throws StateError before the first run
  const VectorX<Scalar>& lambda() const { return found("multiplier", lambda_); }
  /** \brief m: what is left of \f$A\ddot q + \dot A\dot q\f$; not zero when the constraints contradict what is prescribed.
   *  \throws StateError before the first run
   */
  const VectorX<Scalar>& contradiction() const { return found("contradiction", excess_); }
  /// \brief Of \f$A_v\f$: how many rows are independent.   \throws StateError before the first run
  int rank() const
  {
    first_run_.require("rank");
    return solver_.rank();
  }
  /** \brief How far the rank is from dropping: the least part of a row that is independent of those before it, squared.
   *  \param usual  m: the largest response to each row so far; updated with that of the last run
   *  \throws StateError before the first run
   */
  double margin(VectorX<double>& usual) const
  {
    first_run_.require("margin of the rank");
    detail::require_size("usual", usual, static_cast<int>(A_.rows()));
    for (int i = 0; i < usual.size(); ++i)
      usual(i) = std::max(usual(i), static_cast<double>(comparable(Scalar(K_(i, i)))));
    return solver_.margin(usual);
  }

private:
  const VectorX<Scalar>& found(const char* what, const VectorX<Scalar>& x) const
  {
    first_run_.require(what);
    return x;
  }

  // [constrain]
  // The motion of the tree, and how the constraints change it.
  void complete(const VectorX<Scalar>& Adot_qd)
  {
    qdd_ = tree.qdd();
    tau_ = tree.tau();
    excess_ = Adot_qd;
    constrain(tau_, qdd_, excess_, lambda_);
  }

  // Add to a motion of the tree the constraint forces that it needs; e grows by what the constraints lack.
  void constrain(VectorX<Scalar>& tau, VectorX<Scalar>& qdd, VectorX<Scalar>& e, VectorX<Scalar>& lambda)
  {
    if (A_.rows() == 0) return;
    e.noalias() += A_ * qdd;     // A qdd_r + Adot qd
    lambda = -solver_.solve(e);  // (67), (76)
    pull_.noalias() = A_.transpose() * lambda;
    held_ = pull_;
    constrained_.setZero();
    tree.respond(held_, constrained_);  // (68), (78)
    qdd += constrained_;                // (69), (80)
    for (int j = 0; j < tau.size(); ++j)
      if (tree.is_prescribed(j)) tau(j) += held_(j) - pull_(j);  // (79)
    e.noalias() += A_ * constrained_;
  }
  // [constrain]

  MatrixX<Scalar> A_, A_v_, K_, X_, X_over_D_;
  VectorX<Scalar> excess_, lambda_, answers_, qdd_, tau_, constrained_, pull_, held_;
  Indexed<bool> found_;  ///< nv flags: those in v
  Indexed<int> asking_;  ///< rows that are not zero
  SemidefiniteSolver<Scalar> solver_;
  int held_rank_ = -1;
  detail::FirstRun first_run_;
};

template <typename Scalar>
void ConstrainedDynamics<Scalar>::operator()(const VectorRef<Scalar>& q, const VectorRef<Scalar>& qd,
                                             const VectorRef<Scalar>& qdd, const VectorRef<Scalar>& tau,
                                             const MatrixX<Scalar>& A, const VectorX<Scalar>& Adot_qd,
                                             const ExternalWrenches<Scalar>& Fext)
{
  detail::require_size("Adot_qd", Adot_qd, static_cast<int>(lambda_.size()));
  if (A.rows() != lambda_.size()) throw SizeError("A (rows)", A.rows(), lambda_.size());
  if (A.cols() != qdd_.size()) throw SizeError("A (columns)", A.cols(), qdd_.size());
  // [constrained]
  // The motion without constraints.
  tree(q, qd, qdd, tau, Fext);

  // A row of zeros requires nothing.
  A_ = A;
  choose_columns(A, found_, A_v_);
  asking_.clear();
  for (int i = 0; i < A.rows(); ++i)
    if (!(A_v_.row(i).array() == Scalar(0)).all()) asking_.push_back(i);

  // How the tree responds to each unit constraint force: A_v M_vv^{-1} A_v^T = X^T D^{-1} X, row by row to the diagonal.
  K_.setZero();
  for (int i = 0; i < static_cast<int>(asking_.size()); ++i) {
    pull_ = A_v_.row(asking_[i]);
    tree.reduce(pull_, X_.col(i), X_over_D_.col(i));
    answers_.head(i + 1).noalias() = X_over_D_.leftCols(i + 1).transpose() * X_.col(i);
    for (int j = 0; j <= i; ++j) K_(asking_[i], asking_[j]) = answers_(j);
  }
  if (held_rank_ < 0)
    solver_.factor(K_);
  else
    solver_.factor(K_, held_rank_);

  complete(Adot_qd);
  // [constrained]
  first_run_.done();
}

/// \brief All accelerations, forces and multipliers of a system with loops.
template <typename Scalar>
struct ConstrainedMotion {
  VectorX<Scalar> qdd, tau;       ///< nv each
  VectorX<Scalar> lambda;         ///< m multipliers (N, N m), of least norm where they are not unique
  VectorX<Scalar> contradiction;  ///< m: what is left of \f$A\ddot q + \dot A\dot q\f$
  int rank;                       ///< how many rows are independent where forces are given
};

/** \brief Hybrid dynamics with loops in one line \eq{kim,76}, \eq{kim,80}; see ConstrainedDynamics.
 *
 *  Arguments are those of hybrid_dynamics(); q and qd meet the loops, as those of close_loops() and project_rates() do.
 */
template <typename Scalar>
ConstrainedMotion<Scalar> constrained_dynamics(const Model<Scalar>& model, const std::vector<Loop>& loops,
                                               const std::vector<bool>& prescribed, VectorArgument<Scalar> q,
                                               VectorArgument<Scalar> qd, VectorArgument<Scalar> qdd,
                                               VectorArgument<Scalar> tau, const ExternalWrenches<Scalar>& Fext = {})
{
  Loops<Scalar> constraints(model, loops);
  constraints(q, qd);
  ConstrainedDynamics<Scalar> system(model, prescribed, constraints.rows());
  system(q, qd, qdd, tau, constraints.A, constraints.Adot_qd, Fext);
  return {system.qdd(), system.tau(), system.lambda(), system.contradiction(), system.rank()};
}

/// \brief Forward dynamics with loops in one line \eq{kim,67}, \eq{kim,69}: nothing is prescribed; see constrained_dynamics().
template <typename Scalar>
ConstrainedMotion<Scalar> constrained_forward_dynamics(const Model<Scalar>& model, const std::vector<Loop>& loops,
                                                       VectorArgument<Scalar> q, VectorArgument<Scalar> qd,
                                                       VectorArgument<Scalar> tau,
                                                       const ExternalWrenches<Scalar>& Fext = {})
{
  return constrained_dynamics(model, loops, std::vector<bool>(model.nv(), false), q, qd,
                              VectorX<Scalar>::Zero(model.nv()), tau, Fext);
}

}  // namespace articulate
