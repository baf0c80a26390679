/** \file
 *  \brief Energies, the first moment of mass and the wrench of one body are linear in the inertial parameters.
 *
 *  - Paper: Park 1995, section 4.1, after \eq{park,44}; \eq{ours,46}, \eq{ours,47} and \eq{ours,49}.
 *  - Chapter: \ref lagrange
 */
#pragma once
#include <articulate/lagrange/inertial_parameters.hpp>
#include <articulate/model/kinematics.hpp>

namespace articulate {

/** \brief The rows with \f$T = y_T\pi\f$, \f$U = y_U\pi\f$ and \f$\sum m c = Y_c\pi\f$, for the parameters \f$\pi\f$ of
 *  `inertial_parameters`.
 *
 *  Pinocchio: computeKineticEnergyRegressor, computePotentialEnergyRegressor; its computeStaticRegressor is \f$Y_c\f$ over the
 *  whole mass, without the columns of zeros.
 */
template <typename Scalar>
class EnergyRegressor : public ForwardKinematics<Scalar> {
  using Base = ForwardKinematics<Scalar>;
  using Base::model_;

public:
  using Base::V, Base::pose;

  explicit EnergyRegressor(const Model<Scalar>& model)
      : Base(model),
        unit_(unit_inertias(model)),
        kinetic_(VectorX<Scalar>::Zero(10 * model.bodies())),
        mass_moment_(MatrixX<Scalar>::Zero(3, 10 * model.bodies()))
  {
  }

  /** \brief Fill the rows.
   *  \param q   nq coordinates (rad, m; free joint: position, quaternion x y z w)
   *  \param qd  nv joint rates (rad/s, m/s; free joint: body twist)
   *  \throws SizeError naming the argument, the length given and the length expected
   */
  void operator()(const VectorRef<Scalar>& q, const VectorRef<Scalar>& qd)
  {
    Base::operator()(q, qd);
    // [energy-regressor]
    for (const Body<Scalar>& body : model_.outward())
      for (int column = 10 * (body.index - 1); column < 10 * body.index; ++column) {
        const Inertia<Scalar>& E = unit_[column];
        kinetic_(column) = articulate::kinetic_energy(E, V[body.index]);
        mass_moment_.col(column) = articulate::mass_moment(pose[body.index], E).eigen();
      }
    // [energy-regressor]
  }

  /// \brief 10 N: \f$y_T\f$ (J by the units of the parameters) \eq{ours,47}.   \throws StateError before the first run
  const VectorX<Scalar>& kinetic() const
  {
    this->require_run("row of the kinetic energy");
    return kinetic_;
  }
  /// \brief 10 N: \f$y_U = -g^{\mathsf T}Y_c\f$, zero at the world's origin \eq{ours,47}.   \throws StateError before the first run
  VectorX<Scalar> potential(const Vector3<Scalar>& gravity) const
  {
    return -(mass_moment_rows().transpose() * gravity.eigen());
  }
  /// \brief 3 x 10 N: \f$Y_c\f$, in the world \eq{ours,47}.   \throws StateError before the first run
  const MatrixX<Scalar>& mass_moment_rows() const
  {
    this->require_run("rows of the moment of mass");
    return mass_moment_;
  }

private:
  Indexed<Inertia<Scalar>> unit_;
  VectorX<Scalar> kinetic_;
  MatrixX<Scalar> mass_moment_;
};

// [link-regressor]
/** \brief Y, 6 x 10: the wrench that the body of a link needs for its motion, about the origin and along the axes of the
 *  link, is \f$Y\pi\f$ with the ten numbers \f$\pi\f$ of the body, links fixed to it included, in the same frame \eq{ours,46}.
 *
 *  What the body carries does not count. Gravity is included after a run of inverse, forward or hybrid dynamics, but not
 *  after SpaceMotion. Pinocchio: jointBodyRegressor, frameBodyRegressor.
 *  \param at  one of these four: other recursions carry no accelerations, or not those of the motion
 *  \throws StateError when the recursion has not run
 */
template <typename Scalar>
Eigen::Matrix<Scalar, 6, 10> link_regressor(const Recursion<Scalar>& at, const LinkFrame<Scalar>& link)
{
  at.require_run("regressor of a link");
  return body_regressor(AdInv(link.X, at.V[link.body]), AdInv(link.X, at.Vdot[link.body]));
}
// [link-regressor]

/// \brief The row of the kinetic energy in one line, 10 N; see EnergyRegressor.
template <typename Scalar>
VectorX<Scalar> kinetic_energy_regressor(const Model<Scalar>& model, VectorArgument<Scalar> q,
                                         VectorArgument<Scalar> qd)
{
  EnergyRegressor<Scalar> energies(model);
  energies(q, qd);
  return energies.kinetic();
}

/// \brief The row of the potential energy in the model's own gravity in one line, 10 N; see EnergyRegressor.
template <typename Scalar>
VectorX<Scalar> potential_energy_regressor(const Model<Scalar>& model, VectorArgument<Scalar> q)
{
  EnergyRegressor<Scalar> energies(model);
  energies(q, VectorX<Scalar>::Zero(model.nv()));
  return energies.potential(model.gravity());
}

/// \brief The rows of the moment of mass in one line, 3 x 10 N (kg m by the units of the parameters); see EnergyRegressor.
template <typename Scalar>
MatrixX<Scalar> mass_moment_regressor(const Model<Scalar>& model, VectorArgument<Scalar> q)
{
  EnergyRegressor<Scalar> energies(model);
  energies(q, VectorX<Scalar>::Zero(model.nv()));
  return energies.mass_moment_rows();
}

}  // namespace articulate
