/** \file
 *  \brief One rigid body: ten numbers that turn a twist into a momentum, and the law of its motion.
 *
 *  - Papers: Kim 2012, sections 1.3 and 1.5, \eq{kim,14} to \eq{kim,24}, \eq{kim,30}, \eq{kim,31}; Park 1995, \eq{park,21}.
 *  - Chapter: \ref body
 */
#pragma once
#include <articulate/group/matrices.hpp>    // Twist, Wrench, coad; Matrix6 for formulas
#include <articulate/group/row_matrix.hpp>  // turned, in double

namespace articulate {

// [skew-products]
/// \brief \f$[a]^{\mathsf T}[b] + [b]^{\mathsf T}[a] = 2\,(a\cdot b)\,1 - a b^{\mathsf T} - b a^{\mathsf T}\f$.
template <typename Scalar>
inline Symmetric3<Scalar> skew_products(const Vector3<Scalar>& a, const Vector3<Scalar>& b)
{
  const Scalar x = a[0] * b[0], y = a[1] * b[1], z = a[2] * b[2];
  return {Scalar(2) * (y + z), -(a[0] * b[1] + a[1] * b[0]), -(a[0] * b[2] + a[2] * b[0]),
          Scalar(2) * (x + z), -(a[1] * b[2] + a[2] * b[1]), Scalar(2) * (x + y)};
}

/// \brief \f$R A R^{\mathsf T}\f$.
template <typename Scalar>
inline Matrix3<Scalar> turned(const SO3<Scalar>& R, const Matrix3<Scalar>& a)
{
  return R.matrix * a * transpose(R.matrix);
}
template <typename Scalar>
inline Symmetric3<Scalar> turned(const SO3<Scalar>& R, const Symmetric3<Scalar>& a)
{
  const Matrix3<Scalar> Ra = R.matrix * a.matrix();
  const Vector3<Scalar> x = R.matrix.row(0), y = R.matrix.row(1), z = R.matrix.row(2);
  return {inner(Ra.row(0), x), inner(Ra.row(0), y), inner(Ra.row(0), z),
          inner(Ra.row(1), y), inner(Ra.row(1), z), inner(Ra.row(2), z)};
}
// [skew-products]

/// \brief A point of mass (kg) at a position (m) in the body frame.
template <typename Scalar>
struct MassPoint {
  Scalar mass;
  Vector3<Scalar> r;
};

/** \brief The inertia of a body in a frame: mass, first and second moments about the frame's origin.
 *
 *  These are the ten numbers of the matrix \eq{kim,20},
 *  \f$\mathcal I = \begin{bmatrix}\int[r]^{\mathsf T}[r] & \int[r]\\ \int[r]^{\mathsf T} & m\,1\end{bmatrix}\f$.
 *  Units kg, kg m, kg m^2.
 */
template <typename Scalar>
struct Inertia {
  Scalar mass = Scalar(0);
  Vector3<Scalar> first_moment;      ///< \f$\int r\,dm = m\,c\f$
  Symmetric3<Scalar> second_moment;  ///< \f$\int [r]^{\mathsf T}[r]\,dm\f$

  // [about-center-of-mass]
  /// \brief From mass, centre of mass (m) and inertia about it, in axes that R turns into the body frame \eq{kim,22}.
  static Inertia about_center_of_mass(const Scalar& mass, const Vector3<Scalar>& center,
                                      const Symmetric3<Scalar>& central, const SO3<Scalar>& R = {})
  {
    return {mass, mass * center, turned(R, central) + skew_products(mass / Scalar(2) * center, center)};
  }
  // [about-center-of-mass]

  /// \brief One point \eq{kim,20}.
  static Inertia of(const MassPoint<Scalar>& point) { return about_center_of_mass(point.mass, point.r, {}); }

  /// \brief A cloud of points: any range of MassPoint.
  template <typename Range>
  static Inertia of_cloud(const Range& points)
  {
    Inertia sum;
    for (const MassPoint<Scalar>& point : points) sum = sum + of(point);
    return sum;
  }

  /// \brief The inertia whose k-th number is one: mass, first moment, then xx xy xz yy yz zz.
  static Inertia basis(int k)
  {
    Inertia one;
    Symmetric3<Scalar>& J = one.second_moment;
    Scalar* const numbers[] = {
        &one.mass, &one.first_moment[0], &one.first_moment[1], &one.first_moment[2], &J.xx, &J.xy, &J.xz, &J.yy, &J.yz,
        &J.zz};
    *numbers[k] = Scalar(1);
    return one;
  }

  friend Inertia operator+(const Inertia& a, const Inertia& b)
  {
    return {a.mass + b.mass, a.first_moment + b.first_moment, a.second_moment + b.second_moment};
  }

  // [momentum]
  /// \brief \f$L = \mathcal I V\f$, the momentum about the frame's origin \eq{kim,23}.
  friend Wrench<Scalar> operator*(const Inertia& I, const Twist<Scalar>& V)
  {
    return {I.second_moment * V.w + cross(I.first_moment, V.v), I.mass * V.v - cross(I.first_moment, V.w)};
  }
  // [momentum]

  /// \brief The momentum of a unit turn about z, and that of a unit slide along it.
  Wrench<Scalar> about_z() const
  {
    return {{second_moment.xz, second_moment.yz, second_moment.zz}, {-first_moment[1], first_moment[0], Scalar(0)}};
  }
  Wrench<Scalar> along_z() const
  {
    return {{first_moment[1], -first_moment[0], Scalar(0)}, {Scalar(0), Scalar(0), mass}};
  }

  /// \brief The 6x6 matrix \eq{kim,20}.
  Matrix6<Scalar> matrix() const
  {
    const Matrix3<Scalar> J = second_moment.matrix(), H = skew(first_moment);
    Matrix6<Scalar> I = Matrix6<Scalar>::Zero();
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) I(i, j) = J(i, j), I(i, j + 3) = H(i, j), I(i + 3, j) = H(j, i);
      I(i + 3, i + 3) = mass;
    }
    return I;
  }
};

// [transform]
/** \brief \f$\Ad^*_T\, \mathcal I\, \Ad_T\f$: the inertia seen from another frame of the same body \eq{kim,21}.
 *
 *  T is the pose of the new frame in the old one. Shift the origin by p, then turn the axes by \f$R^{\mathsf T}\f$.
 */
template <typename Scalar>
inline Inertia<Scalar> coAd(const SE3<Scalar>& T, const Inertia<Scalar>& I)
{
  const SO3<Scalar> Rt = inverse(T.R);
  const Vector3<Scalar> first_moment = I.first_moment - I.mass * T.p;
  const Symmetric3<Scalar> second_moment =
      I.second_moment + skew_products(-T.p, Scalar(1) / Scalar(2) * (I.first_moment + first_moment));
  return {I.mass, Rt * first_moment, turned(Rt, second_moment)};
}

/// \brief The inverse map: the inertia seen from the frame in which T is given. Turn the axes, then shift the origin by -p.
template <typename Scalar>
inline Inertia<Scalar> coAdInv(const SE3<Scalar>& T, const Inertia<Scalar>& I)
{
  const Vector3<Scalar> turned_moment = T.R * I.first_moment, first_moment = turned_moment + I.mass * T.p;
  return {I.mass, first_moment,
          turned(T.R, I.second_moment) + skew_products(T.p, Scalar(1) / Scalar(2) * (turned_moment + first_moment))};
}
// [transform]

// [displaced-inertia]
/// \brief \f$\ad^*_J\,\mathcal I + \mathcal I\ad_J\f$: how \f$\Ad^*_T\,\mathcal I\Ad_T\f$ starts along \f$T = e^{[J]\epsilon}\f$.
template <typename Scalar>
inline Inertia<Scalar> coad(const Twist<Scalar>& J, const Inertia<Scalar>& I)
{
  const Matrix3<Scalar> turning = skew(J.w) * I.second_moment.matrix();
  return {Scalar(0), -cross(J.w, I.first_moment) - I.mass * J.v,
          skew_products(-J.v, I.first_moment) - Symmetric3<Scalar>::upper(turning + transpose(turning))};
}
// [displaced-inertia]

/// \brief \f$m\,c\f$ (kg m) in the frame in which the body has the pose T.
template <typename Scalar>
inline Vector3<Scalar> mass_moment(const SE3<Scalar>& T, const Inertia<Scalar>& I)
{
  return T.R * I.first_moment + I.mass * T.p;
}

/// \brief \f$\tfrac12 V^{\mathsf T}\mathcal I V\f$ (J) \eq{kim,15}.
template <typename Scalar>
inline Scalar kinetic_energy(const Inertia<Scalar>& I, const Twist<Scalar>& V)
{
  return pairing(I * V, V) / Scalar(2);
}

// [newton-euler]
/** \brief \f$F = \mathcal I\dot V - \ad^*_V \mathcal I V\f$: the wrench that a body needs for its motion \eq{kim,31}.
 *
 *  All in the body frame; Vdot is the component-wise derivative of V.
 */
template <typename Scalar>
inline Wrench<Scalar> newton_euler(const Inertia<Scalar>& I, const Twist<Scalar>& V, const Twist<Scalar>& Vdot)
{
  return I * Vdot - coad(V, I * V);
}
// [newton-euler]

// [body-regressor]
/** \brief Y, 6 x 10, with \f$\mathcal I\dot V - \ad^*_V\mathcal IV = Y\pi\f$ for the ten numbers \f$\pi\f$ of any inertia
 *  \eq{ours,46}.
 *
 *  Columns in the order of Inertia::basis: m, m c, then xx xy xz yy yz zz about the frame's origin. Pinocchio: bodyRegressor.
 */
template <typename Scalar>
Eigen::Matrix<Scalar, 6, 10> body_regressor(const Twist<Scalar>& V, const Twist<Scalar>& Vdot)
{
  Eigen::Matrix<Scalar, 6, 10> Y;
  for (int p = 0; p < 10; ++p) Y.col(p) = coordinates(newton_euler(Inertia<Scalar>::basis(p), V, Vdot));
  return Y;
}
// [body-regressor]

}  // namespace articulate
