/** \file
 *  \brief The motion of a mechanism as a whole: its centre of mass, and its momentum about this point.
 *
 *  - Paper: Ploen, \eq{ploen,24}, whose mass matrix has the same momenta of composite bodies; the rest is ours,
 *    \eq{ours,25} to \eq{ours,28}.
 *  - Chapter: \ref lagrange
 */
#pragma once
#include <articulate/model/root_frame.hpp>

namespace articulate {

/** \brief Centroidal dynamics: \f$h = A\dot q\f$, \f$\dot h = A\ddot q + \dot A\dot q\f$, in O(n).
 *
 *  Momentum is about the centre of mass of all moving bodies, in the axes of the world, moment first. A rate \f$\dot q_k\f$
 *  alone moves all behind its joint as one rigid body, whose momentum is column k of A, the centroidal momentum matrix
 *  of Orin and Goswami; Pinocchio's `ccrba` and `dccrba` (which have the linear part first), MuJoCo's `mj_angmomMat`. Its
 *  lower half divided by the mass is the Jacobian of the centre of mass. The twists of the recursion are seen from a frame
 *  that moves along with the centre of mass, and does not turn.
 */
template <typename Scalar>
class CentroidalMomentum : public Recursion<Scalar> {
  using Base = Recursion<Scalar>;
  using Base::model_;

public:
  using Base::T, Base::V, Base::eta, Base::Vdot, Base::place, Base::carry_velocity;

  Scalar mass = Scalar(0);   ///< of all moving bodies (kg)
  Vector3<Scalar> center;    ///< the centre of mass, in the world (m) \eq{ours,25}
  Vector3<Scalar> velocity;  ///< of the centre of mass (m/s)
  Inertia<Scalar> I;         ///< of all bodies as one, about the centre of mass, in world axes \eq{ours,28}
  MatrixX<Scalar> A;         ///< 6 x nv: the momentum of a unit rate \eq{ours,26}
  MatrixX<Scalar> Adot;      ///< 6 x nv: its derivative in time \eq{ours,27}
  Wrench<Scalar> momentum;   ///< \f$h = A\dot q\f$ (kg m^2/s, kg m/s)
  Wrench<Scalar> bias;       ///< \f$\dot A\dot q\f$ (N m, N)

  /** \brief Make the workspace.
   *  \throws ModelError when no body that moves has mass
   */
  explicit CentroidalMomentum(const Model<Scalar>& model)
      : Base(model),
        A(MatrixX<Scalar>::Zero(6, model.nv())),
        Adot(A),
        root_(model),
        I_rate_(model.bodies() + 1),
        J_rate_(model.nv())
  {
    for (const Body<Scalar>& body : model.outward()) mass += body.I.mass;
    if (!(comparable(mass) > 0))
      throw ModelError(model.mechanism().source + ": no mass moves, so there is no centre of mass.");
  }

  /** \brief Find all of it at a state.
   *  \param q   nq coordinates (rad, m; free joint: position, quaternion x y z w)
   *  \param qd  nv joint rates (rad/s, m/s; free joint: body twist)
   *  \return    A
   *  \throws SizeError naming the argument, the length given and the length expected
   */
  const MatrixX<Scalar>& operator()(const VectorRef<Scalar>& q, const VectorRef<Scalar>& qd)
  {
    detail::require_size("q", q, model_.nq());
    detail::require_size("qd", qd, model_.nv());
    V[0] = Vdot[0] = {};  // the momentum is asked for with qd and qdd alone
    place(q);
    for (const Body<Scalar>& body : model_.outward()) carry_velocity(body, qd);
    root_.stand(*this);
    see_from_center();
    // [centroidal-composites]
    // What is behind each joint as one rigid body, and how that changes: seen from the centre of mass, which moves along.
    V[0] = {{}, -velocity};
    for (const Body<Scalar>& body : model_.outward()) {
      const int i = body.index;
      carry_velocity(body, qd);
      Vdot[i] = AdInv(T[i], Vdot[body.parent]) + eta[i];
      root_.place(body, *this);
      const Twist<Scalar> V_seen = Ad(root_.X[i], V[i]);
      I_rate_[i] = coad(-V_seen, root_.I[i]);
      for (int k = 0; k < body.nv; ++k) J_rate_[body.v + k] = root_.column_rate(body, k, *this, V_seen, qd);
    }
    I = {};
    for (const Body<Scalar>& body : model_.inward()) {
      const int i = body.index;
      root_.gather(body);
      if (body.parent == 0)
        I = I + root_.I[i];
      else
        I_rate_[body.parent] = I_rate_[body.parent] + I_rate_[i];
    }
    I.first_moment = {};  // but for rounding it is
    // [centroidal-composites]
    // [centroidal-momentum]
    // The momentum of each unit rate.
    momentum = bias = {};
    for (const Body<Scalar>& body : model_.outward()) {
      const int i = body.index;
      for (int k = body.v; k < body.v + body.nv; ++k) {
        const Wrench<Scalar> a = root_.I[i] * root_.J[k];
        const Wrench<Scalar> a_rate = root_.I[i] * J_rate_[k] + I_rate_[i] * root_.J[k];
        A.col(k) = coordinates(a);
        Adot.col(k) = coordinates(a_rate);
        momentum += qd(k) * a;
      }
      bias += coAdInv(root_.X[i], newton_euler(body.I, V[i], Vdot[i]));
    }
    // [centroidal-momentum]
    return A;
  }

  /// \brief By body: where it is, seen from the centre of mass along the axes of the world.
  const Indexed<SE3<Scalar>>& places() const
  {
    this->require_run("centroidal momentum");
    return root_.X;
  }
  /// \brief 3 x nv: the velocity of the centre of mass is J qd.
  MatrixX<Scalar> J() const { return of_center(A); }
  /// \brief Its derivative in time.
  MatrixX<Scalar> Jdot() const { return of_center(Adot); }

  /** \brief \f$\dot h = A\ddot q + \dot A\dot q\f$: the wrench, weight included, that the surroundings must put on it (N m, N).
   *  \param qdd  nv joint accelerations
   *  \throws SizeError naming the argument, the length given and the length expected
   *  \throws StateError before the first run
   */
  Wrench<Scalar> momentum_rate(const VectorRef<Scalar>& qdd) const
  {
    detail::require_size("qdd", qdd, model_.nv());
    this->require_run("centroidal momentum");
    return to_wrench(Vector6<Scalar>(A * qdd)) + bias;
  }
  /// \brief The acceleration of the centre of mass (m/s^2); takes and refuses what momentum_rate() does.
  Vector3<Scalar> acceleration(const VectorRef<Scalar>& qdd) const { return Scalar(1) / mass * momentum_rate(qdd).f; }

private:
  // [centre-of-mass]
  /// Find the centre of mass and its velocity, and all bodies seen from there, along the axes of the world. Places are first
  /// counted from the frame of the first root, so that no digit is lost where the mechanism is far from the world's origin.
  void see_from_center()
  {
    const Vector3<Scalar> first = beside_first_root(1).p;
    SE3<Scalar> frame;
    Vector3<Scalar> moment, moving;
    for (const Body<Scalar>& body : model_.outward()) {
      SE3<Scalar>& X = root_.X[body.index];
      if (body.parent == 0) frame = beside_first_root(body.index);
      X = SE3<Scalar>{frame.R, frame.p - first} * X;
      moment += mass_moment(X, body.I);
      moving += X.R * (body.I * V[body.index]).f;
    }
    const Vector3<Scalar> arm = Scalar(1) / mass * moment;
    for (const Body<Scalar>& body : model_.outward()) root_.X[body.index].p = root_.X[body.index].p - arm;
    center = T[1].p + (first + arm);
    velocity = Scalar(1) / mass * moving;
  }

  /// The frame in which a root sees what it carries.
  SE3<Scalar> beside_first_root(int root) const
  {
    return SE3<Scalar>{T[root].R, T[root].p - T[1].p} * inverse(root_.X[root]);
  }
  // [centre-of-mass]

  MatrixX<Scalar> of_center(const MatrixX<Scalar>& momenta) const
  {
    this->require_run("Jacobian of the centre of mass");
    return momenta.template bottomRows<3>() / mass;
  }

  RootFrame<Scalar> root_;
  Indexed<Inertia<Scalar>> I_rate_;  // by body: how the inertia with all behind changes
  Indexed<Twist<Scalar>> J_rate_;    // by rate: how the column changes
};

/// \brief The centroidal momentum matrix in one line, 6 x nv (kg m^2, kg m); see CentroidalMomentum.
template <typename Scalar>
MatrixX<Scalar> centroidal_momentum_matrix(const Model<Scalar>& model, VectorArgument<Scalar> q)
{
  return CentroidalMomentum<Scalar>(model)(q, VectorX<Scalar>::Zero(model.nv()));
}

/// \brief The momentum about the centre of mass in world axes, in one line; see CentroidalMomentum.
template <typename Scalar>
Wrench<Scalar> centroidal_momentum(const Model<Scalar>& model, VectorArgument<Scalar> q, VectorArgument<Scalar> qd)
{
  CentroidalMomentum<Scalar> whole(model);
  whole(q, qd);
  return whole.momentum;
}

/// \brief The centre of mass of the moving bodies in the world (m), in one line; see CentroidalMomentum.
template <typename Scalar>
Vector3<Scalar> center_of_mass(const Model<Scalar>& model, VectorArgument<Scalar> q)
{
  CentroidalMomentum<Scalar> whole(model);
  whole(q, VectorX<Scalar>::Zero(model.nv()));
  return whole.center;
}

/// \brief The Jacobian of the centre of mass in one line, 3 x nv: its velocity in world axes is J qd; see CentroidalMomentum.
template <typename Scalar>
MatrixX<Scalar> center_of_mass_jacobian(const Model<Scalar>& model, VectorArgument<Scalar> q)
{
  CentroidalMomentum<Scalar> whole(model);
  whole(q, VectorX<Scalar>::Zero(model.nv()));
  return whole.J();
}

}  // namespace articulate
