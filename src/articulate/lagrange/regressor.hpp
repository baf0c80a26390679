/** \file
 *  \brief Joint forces are linear in masses, first moments and moments of inertia: the regressor, and what it determines.
 *
 *  - Papers: Park 1995, section 4.1, after \eq{park,44} (ten numbers per link, linear); the adaptive controller that
 *    Ploen's introduction is about. The recursion is ours.
 *  - Chapter: \ref lagrange
 */
#pragma once
#include <articulate/lagrange/energy_regressor.hpp>
#include <articulate/skew_symmetry/reference_dynamics.hpp>
#include <Eigen/QR>

namespace articulate {

/** \brief \f$Y\f$ with \f$\tau = Y\pi\f$ for all inertial parameters \f$\pi\f$ of a tree, recursively.
 *
 *  Pinocchio: computeJointTorqueRegressor.
 *  A column is the recursion's result for a mechanism in which one number of one body is one and all others are zero:
 *  only that body needs a wrench, which is passed on to the base unchanged.
 */
template <typename Scalar>
class Regressor : public ReferenceMotion<Scalar> {
  using Base = ReferenceMotion<Scalar>;
  using Base::model_;

public:
  using Base::T, Base::S, Base::V, Base::Vdot, Base::V_r, Base::Vdot_r, Base::place;

  /// \param family  how Coriolis forces are split; matters only with a reference rate of its own
  explicit Regressor(const Model<Scalar>& model, CoriolisFamily family = CoriolisFamily::christoffel)
      : Base(model),
        family_(family),
        unit_(unit_inertias(model)),
        energies_(model),
        Y_(MatrixX<Scalar>::Zero(model.nv(), 10 * model.bodies()))
  {
  }

  /** \brief Y with \f$M\ddot q + C\dot q + \phi = Y\pi\f$.
   *  \param q    nq coordinates (rad, m; free joint: position, quaternion x y z w)
   *  \param qd   nv joint rates     \param qdd  nv joint accelerations
   *  \return     nv x 10 N; columns in the order of `inertial_parameters`
   *  \throws SizeError naming the argument, the length given and the length expected
   */
  const MatrixX<Scalar>& operator()(const VectorRef<Scalar>& q, const VectorRef<Scalar>& qd,
                                    const VectorRef<Scalar>& qdd)
  {
    return (*this)(q, qd, qd, qdd);
  }

  /** \brief Y with \f$M\ddot q_r + C(q,\dot q)\dot q_r + \phi = Y\pi\f$: what adaptive control needs.
   *  \param qd_r   nv reference rates     \param qdd_r  nv, their derivative in time; all else as above
   */
  const MatrixX<Scalar>& operator()(const VectorRef<Scalar>& q, const VectorRef<Scalar>& qd,
                                    const VectorRef<Scalar>& qd_r, const VectorRef<Scalar>& qdd_r)
  {
    this->require_sizes(q, qd, qd_r, qdd_r);
    run_sweep<Scalar>([&] {
      // [regressor]
      place(q);
      for (const Body<Scalar>& body : model_.outward()) {
        const int i = body.index;
        this->carry(body, qd, qd_r, qdd_r);
        for (int p = 0; p < 10; ++p) {
          const Inertia<Scalar>& E = unit_[10 * (i - 1) + p];
          Wrench<Scalar> F = E * Vdot_r[i] + coriolis_wrench(family_, E, V[i], V_r[i]);
          const int column = 10 * (i - 1) + p;
          const JointVector<Scalar> y(Y_.col(column));
          for (const Body<Scalar>& a : model_.way_to_base(i)) {
            y(a) = transpose(S[a.index]) * F;
            F = coAdInv(T[a.index], F);
          }
        }
      }
      // [regressor]
    });
    energies_.V[0] = V[0];
    energies_(q, qd);
    return Y_;
  }

  // [static-regressor]
  /** \brief Y with \f$\phi = Y\pi\f$, the forces that hold the mechanism at rest \eq{ours,48}.
   *
   *  Only mass and first moment of each body count: six of its ten columns are zero.
   */
  const MatrixX<Scalar>& at_rest(const VectorRef<Scalar>& q)
  {
    const VectorX<Scalar> rest = VectorX<Scalar>::Zero(model_.nv());
    return (*this)(q, rest, rest);
  }
  // [static-regressor]

  /// \brief The row with \f$T = y_T\pi\f$, 10 N, at the state of the latest run.   \throws StateError before the first
  const VectorX<Scalar>& kinetic() const
  {
    this->require_run("row of the kinetic energy");
    return energies_.kinetic();
  }
  /// \brief The row with \f$U = y_U\pi\f$, 10 N, zero at the world's origin.   \throws StateError before the first run
  VectorX<Scalar> potential() const
  {
    this->require_run("row of the potential energy");
    return energies_.potential(-Vdot[0].v);
  }

private:
  CoriolisFamily family_;
  Indexed<Inertia<Scalar>> unit_;
  EnergyRegressor<Scalar> energies_;
  MatrixX<Scalar> Y_;
};

/** \brief Which combinations of parameters a set of measurements determines.
 *
 *  Columns of the stacked regressors are scaled to length one, so that units do not matter, and factored with pivoting:
 *  those that are combinations of the columns chosen before them add nothing.
 */
template <typename Scalar>
struct BaseParameters {
  Indexed<int> columns;       ///< the parameters that represent their groups, in the order of their choice
  MatrixX<Scalar> groups;     ///< rank x parameters: base parameters = groups * pi
  Scalar smallest_kept{0};    ///< the last pivot that counted, of columns of length one; zero if none did
  Scalar largest_dropped{0};  ///< the first that did not; zero if every pivot did

  int rank() const { return static_cast<int>(columns.size()); }

  /** \brief By rank-revealing QR.
   *  \param W  any number of stacked regressors, from states that excite all motions
   *  \throws StateError when W has no entries or one that is not finite
   */
  explicit BaseParameters(const MatrixX<Scalar>& W)
  {
    // [base-parameters]
    if (W.size() == 0 || !W.allFinite())
      throw StateError(
          "base parameters: the stacked regressors have no entries, or one that is not finite; give at "
          "least one regressor of a model that moves, at a finite state.");
    const Eigen::Index parameters = W.cols();
    VectorX<Scalar> length(parameters);
    for (Eigen::Index p = 0; p < parameters; ++p) length(p) = W.col(p).norm();
    const Scalar largest = length.maxCoeff();
    const Scalar roundoff = Scalar(100 * (W.rows() + parameters)) * std::numeric_limits<Scalar>::epsilon();
    MatrixX<Scalar> unit = W;
    for (Eigen::Index p = 0; p < parameters; ++p)
      if (length(p) > roundoff * largest)
        unit.col(p) /= length(p);
      else
        unit.col(p).setZero();
    const Eigen::ColPivHouseholderQR<MatrixX<Scalar>> qr(unit);
    const VectorX<Scalar> pivots = qr.matrixQR().diagonal().cwiseAbs();
    int rank = 0;
    while (rank < pivots.size() && pivots(rank) > roundoff) ++rank;
    if (rank > 0) smallest_kept = pivots(rank - 1);
    if (rank < pivots.size()) largest_dropped = pivots(rank);

    // W pi = Q [R_1 R_2] P pi = Q R_1 (pi_1 + R_1^{-1} R_2 pi_2).
    const auto& order = qr.colsPermutation().indices();
    const MatrixX<Scalar> R = qr.matrixQR().topRows(rank).template triangularView<Eigen::Upper>();
    const MatrixX<Scalar> combined = R.leftCols(rank).template triangularView<Eigen::Upper>().solve(MatrixX<Scalar>(R));
    groups = MatrixX<Scalar>::Zero(rank, parameters);
    for (Eigen::Index p = 0; p < parameters; ++p)
      for (int b = 0; b < rank; ++b) groups(b, order(p)) = combined(b, p) * length(order(p)) / length(order(b));
    for (int b = 0; b < rank; ++b) columns.push_back(order(b));
    // [base-parameters]
  }
};

/// \brief The regressor in one line; see Regressor.
template <typename Scalar>
MatrixX<Scalar> regressor(const Model<Scalar>& model, VectorArgument<Scalar> q, VectorArgument<Scalar> qd,
                          VectorArgument<Scalar> qdd)
{
  return Regressor<Scalar>(model)(q, qd, qdd);
}

/// \brief The regressor of a mechanism at rest in one line, nv x 10 N, for gravity_force(); see Regressor::at_rest.
template <typename Scalar>
MatrixX<Scalar> static_regressor(const Model<Scalar>& model, VectorArgument<Scalar> q)
{
  return Regressor<Scalar>(model).at_rest(q);
}

/// \brief The regressor of a reference motion in one line, nv x 10 N; see Regressor.
template <typename Scalar>
MatrixX<Scalar> regressor(const Model<Scalar>& model, VectorArgument<Scalar> q, VectorArgument<Scalar> qd,
                          VectorArgument<Scalar> qd_r, VectorArgument<Scalar> qdd_r,
                          CoriolisFamily family = CoriolisFamily::christoffel)
{
  return Regressor<Scalar>(model, family)(q, qd, qd_r, qdd_r);
}

}  // namespace articulate
