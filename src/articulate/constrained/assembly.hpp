/** \file
 *  \brief Closing loops: coordinates and rates that meet the constraints, from a rough guess.
 *
 *  - Paper: Kim 2012, section 3, where a consistent state is assumed.
 *  - Chapter: \ref constrained
 */
#pragma once
#include <algorithm>
#include <articulate/constrained/loops.hpp>
#include <articulate/constrained/semidefinite.hpp>
#include <articulate/model/displacement.hpp>

namespace articulate {

/** \brief Newton's method on the group, and the projection of rates.
 *
 *  Each correction is \f$-A^{\mathsf T}(A A^{\mathsf T} + \mu 1)^{+}f\f$ in whatever is not held: the shortest one,
 *  damped by \f$\mu = \lVert f\rVert^2\f$ as long as the loops are open (Levenberg and Marquardt). So no correction is longer
 *  than 1/2: it has the length \f$\sigma\lVert f\rVert/(\sigma^2 + \mu) \le \lVert f\rVert/(2\sqrt\mu)\f$ at most, whatever the
 *  singular values \f$\sigma\f$ of A are. And the damping vanishes fast enough to leave the convergence quadratic.
 *
 *  Angles and lengths are added up here, so all lengths are counted in one that the machine has itself, and a machine of
 *  kilometres closes as one of millimetres does: in the largest arm by which a turn moves a cut, or in the widest gap if
 *  that is larger.
 */
template <typename Scalar>
class Assembly {
public:
  /** \brief Make the workspace.
   *  \param held  nv flags: degrees of freedom that must not move, such as driven joints; empty for none
   */
  Assembly(const Model<Scalar>& model, const std::vector<Loop>& loops, std::vector<bool> held = {})
      : loops_(model, loops), moving_(std::move(held)), solver_(loops_.rows())
  {
    if (moving_.empty()) moving_ = Indexed<bool>(model.nv(), false);
    detail::require_size("held", moving_, model.nv());
    moving_.flip();
    for (int k = 0; k < model.nv(); ++k) slides_.push_back(!model.rate_is_angular(k));
  }

  /** \brief Coordinates near q at which all loops close, to rounding.
   *  \throws StateError when they do not: which loop is worst, and by how much
   */
  VectorX<Scalar> close(VectorX<Scalar> q)
  {
    const VectorX<Scalar> at_rest = VectorX<Scalar>::Zero(loops_.model().nv());
    // What is closed gets one correction more, which leaves nothing but rounding.
    bool closed = false;
    for (int iteration = 0; iteration < 200; ++iteration) {
      loops_(q, at_rest);
      if (closed && loops_.closed()) return q;
      closed = loops_.closed();
      q = displaced(loops_.model(), q, VectorX<Scalar>(-damped_correction()));
    }
    int worst = 0;
    for (int row = 1; row < loops_.rows(); ++row)
      if (abs(loops_.violation(row)) > abs(loops_.violation(worst))) worst = row;
    throw StateError("loop '" + loops_.name_of_row(worst) + "' cannot be closed from this guess: it stays open by " +
                     detail::shown(abs(loops_.violation(worst))) +
                     " (m or rad) after 200 corrections; start nearer to a closed position, or let more joints move.");
  }

  /// \brief The rates nearest to qd that keep the loops closed at q.
  VectorX<Scalar> project(const VectorX<Scalar>& q, const VectorX<Scalar>& qd)
  {
    loops_(q, qd);
    return qd - shortest(loops_.A, loops_.A * qd, Scalar(0));
  }

  /// \brief The constraints at the state of the last call.
  const Loops<Scalar>& loops() const { return loops_; }

private:
  static double abs(const Scalar& x) { return std::abs(static_cast<double>(comparable(x))); }

  /// The length in which others are counted (m).
  double unit_of_length() const
  {
    double unit = 0;
    for (int row = 0; row < loops_.rows(); ++row) {
      if (!loops_.is_length(row)) continue;
      unit = std::max(unit, abs(loops_.violation(row)));
      for (int k = 0; k < loops_.A.cols(); ++k)
        if (!slides_[k]) unit = std::max(unit, abs(loops_.A(row, k)));
    }
    return unit > 0 ? unit : 1;
  }

  /// What the open loops ask for.
  VectorX<Scalar> damped_correction()
  {
    const Scalar unit(unit_of_length());
    MatrixX<Scalar> A = loops_.A;
    VectorX<Scalar> f = loops_.violation;
    for (int row = 0; row < loops_.rows(); ++row)
      if (loops_.is_length(row)) A.row(row) /= unit, f(row) /= unit;
    for (int k = 0; k < A.cols(); ++k)
      if (slides_[k]) A.col(k) *= unit;
    VectorX<Scalar> x = shortest(A, f, f.cwiseProduct(f).sum());
    for (int k = 0; k < A.cols(); ++k)
      if (slides_[k]) x(k) *= unit;
    return x;
  }

  /// The shortest x in the degrees that may move with A x = b; with damping, shorter where A is nearly singular.
  VectorX<Scalar> shortest(const MatrixX<Scalar>& rows, const VectorX<Scalar>& b, const Scalar& damping)
  {
    const MatrixX<Scalar> A = chosen_columns(rows, moving_);
    MatrixX<Scalar> K = A * A.transpose();
    K.diagonal().array() += damping;
    solver_.factor(K);
    return A.transpose() * solver_.solve(b);
  }

  Loops<Scalar> loops_;
  Indexed<bool> moving_;  ///< nv flags: not held
  Indexed<bool> slides_;  ///< nv flags: a length
  SemidefiniteSolver<Scalar> solver_;
};

/// \brief nq coordinates near q at which all loops close, in one line; nv flags tell what is held, see Assembly.
template <typename Scalar>
VectorX<Scalar> close_loops(const Model<Scalar>& model, const std::vector<Loop>& loops, VectorArgument<Scalar> q,
                            const std::vector<bool>& held = {})
{
  return Assembly<Scalar>(model, loops, held).close(q);
}

/// \brief The nv rates nearest to qd that keep the loops closed at q, \f$A\dot q = 0\f$ \eq{kim,55}, in one line; see Assembly.
template <typename Scalar>
VectorX<Scalar> project_rates(const Model<Scalar>& model, const std::vector<Loop>& loops, VectorArgument<Scalar> q,
                              VectorArgument<Scalar> qd, const std::vector<bool>& held = {})
{
  return Assembly<Scalar>(model, loops, held).project(q, qd);
}

}  // namespace articulate
