/** \file
 *  \brief Forward and hybrid dynamics of a tree with constraints, such as closed loops.
 *
 *  - Paper: Kim 2012, sections 3.2 and 3.3, \eq{kim,67} to \eq{kim,80}.
 *  - Chapter: \ref constrained
 */
#pragma once
#include <articulate/constrained/semidefinite.hpp>
#include <articulate/hybrid/hybrid_dynamics.hpp>

namespace articulate {

/** \brief \f$M\ddot q + b = \tau + A^{\mathsf T}\lambda,\ A\ddot q + \dot A\dot q = 0\f$, in O(n) + O(n m) + O(m^3).
 *
 *  The unconstrained motion by one run of the articulated bodies, the answer to each row of A by a short one that uses
 *  them again, then one small system for the multipliers. Rows may depend on each other: the acceleration is unique
 *  all the same, and the shortest of all multipliers is taken.
 */
template <typename Scalar>
class ConstrainedDynamics {
public:
  HybridDynamics<Scalar> tree;  ///< what the recursion saw of the unconstrained motion

  /** \brief Make the workspace.
   *  \param prescribed  nv flags: is the acceleration of this degree prescribed (set u), or its force (set v)?
   *  \param rows        m, the number of constraints
   *  \throws ModelError when a joint in v could move without moving any mass
   */
  ConstrainedDynamics(const Model<Scalar>& model, const std::vector<bool>& prescribed, int rows)
      : tree(model, prescribed),
        response_qdd_(MatrixX<Scalar>::Zero(model.nv(), rows)),
        response_tau_(response_qdd_),
        K_(MatrixX<Scalar>::Zero(rows, rows)),
        excess_(VectorX<Scalar>::Zero(rows)),
        lambda_(excess_),
        qdd_(VectorX<Scalar>::Zero(model.nv())),
        tau_(qdd_),
        solver_(rows)
  {
  }
  ConstrainedDynamics(Model<Scalar>&&, const std::vector<bool>&, int) = delete;  // the model must outlive the recursion

  /** \brief What completes the given motion and forces.
   *  \param q, qd    nq coordinates and nv rates, which meet the constraints
   *  \param qdd      nv accelerations, of which those in u are read
   *  \param tau      nv forces, of which those in v are read
   *  \param A        m x nv   \param Adot_qd  m numbers \f$\dot A\dot q\f$
   *  \param Fext     wrenches on the bodies, in body frames; empty for none
   *  \throws SizeError naming the argument, the length given and the length expected
   */
  void operator()(const VectorRef<Scalar>& q, const VectorRef<Scalar>& qd, const VectorRef<Scalar>& qdd,
                  const VectorRef<Scalar>& tau, const MatrixX<Scalar>& A, const VectorX<Scalar>& Adot_qd,
                  const ExternalWrenches<Scalar>& Fext = {})
  {
    detail::require_size("Adot_qd", Adot_qd, static_cast<int>(lambda_.size()));
    if (A.rows() != K_.rows()) throw SizeError("A (rows)", A.rows(), K_.rows());
    if (A.cols() != qdd_.size()) throw SizeError("A (columns)", A.cols(), qdd_.size());
    // [constrained]
    // The motion without constraints, and by how much it breaks them.
    tree(q, qd, qdd, tau, Fext);
    excess_ = Adot_qd;
    excess_.noalias() += A * tree.qdd();  // (76)

    // How the tree answers a unit of each constraint force: M_vv^{-1} A_v^T.
    response_qdd_.setZero();
    response_tau_ = A.transpose();
    for (int i = 0; i < A.rows(); ++i) tree.respond(response_tau_.col(i), response_qdd_.col(i));
    K_.noalias() = A * response_qdd_;

    // The constraint forces that take the excess away.
    solver_.factor(K_);
    lambda_ = -solver_.solve(excess_);  // (67), (74)

    // The motion with them: two solutions are added.
    qdd_ = tree.qdd();
    qdd_.noalias() += response_qdd_ * lambda_;  // (69), (80)
    tau_ = tree.tau();
    for (int j = 0; j < tau_.size(); ++j)
      if (tree.is_prescribed(j))
        for (int i = 0; i < A.rows(); ++i) tau_(j) += (response_tau_(j, i) - A(i, j)) * lambda_(i);  // (79)
    excess_.noalias() += K_ * lambda_;
    // [constrained]
  }

  const VectorX<Scalar>& qdd() const { return qdd_; }        ///< nv accelerations: those given in u, those found in v
  const VectorX<Scalar>& tau() const { return tau_; }        ///< nv forces: those given in v, those found in u
  const VectorX<Scalar>& lambda() const { return lambda_; }  ///< m multipliers, of least norm where they are not unique
  int rank() const { return solver_.rank(); }                ///< of \f$A_v\f$: how many rows are independent
  /// \brief m: what is left of \f$A\ddot q + \dot A\dot q\f$; not zero when the constraints contradict what is prescribed.
  const VectorX<Scalar>& contradiction() const { return excess_; }

private:
  MatrixX<Scalar> response_qdd_, response_tau_, K_;
  VectorX<Scalar> excess_, lambda_, qdd_, tau_;
  SemidefiniteSolver<Scalar> solver_;
};

}  // namespace articulate
