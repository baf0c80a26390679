/** \file
 *  \brief The inertia of a body with everything that hangs on it by joints that give way.
 *
 *  - Papers: Kim 2012, section 2.2, \eq{kim,43}, \eq{kim,49}.
 *  - Chapter: \ref aba
 */
#pragma once
#include <articulate/body/inertia.hpp>

namespace articulate {

/** \brief A symmetric map from twists to wrenches, \f$\begin{bmatrix}A & B\\ B^{\mathsf T} & C\end{bmatrix}\f$: 21 numbers.
 *
 *  Unlike a body's inertia it has no single mass: pushed in different directions, an arm resists differently.
 */
template <typename Scalar>
struct ArticulatedInertia {
  Symmetric3<Scalar> A;
  Matrix3<Scalar> B;
  Symmetric3<Scalar> C;

  ArticulatedInertia() = default;
  ArticulatedInertia(const Symmetric3<Scalar>& a, const Matrix3<Scalar>& b, const Symmetric3<Scalar>& c)
      : A(a), B(b), C(c)
  {
  }
  ArticulatedInertia(const Inertia<Scalar>& I)
      : A(I.second_moment), B(skew(I.first_moment)), C{I.mass, Scalar(0), Scalar(0), I.mass, Scalar(0), I.mass}
  {
  }

  ArticulatedInertia& operator=(const Inertia<Scalar>& I)
  {
    A = I.second_moment;
    B = skew(I.first_moment);
    C = {I.mass, Scalar(0), Scalar(0), I.mass, Scalar(0), I.mass};
    return *this;
  }

  friend Wrench<Scalar> operator*(const ArticulatedInertia& I, const Twist<Scalar>& V)
  {
    return {I.A * V.w + I.B * V.v, transpose(I.B) * V.w + I.C * V.v};
  }
  friend ArticulatedInertia operator-(const ArticulatedInertia& a, const ArticulatedInertia& b)
  {
    return {a.A - b.A, a.B - b.B, a.C - b.C};
  }
  friend ArticulatedInertia operator+(const ArticulatedInertia& a, const ArticulatedInertia& b)
  {
    return {a.A + b.A, a.B + b.B, a.C + b.C};
  }

  /// \brief The wrench of a unit turn about z, and that of a unit slide along it.
  Wrench<Scalar> about_z() const { return {{A.xz, A.yz, A.zz}, B.row(2)}; }
  Wrench<Scalar> along_z() const { return {B.column(2), {C.xz, C.yz, C.zz}}; }

  ArticulatedInertia& operator+=(const ArticulatedInertia& b)
  {
    A = A + b.A;
    B = B + b.B;
    C = C + b.C;
    return *this;
  }

  // [without]
  /// \brief \f$\hat{\mathcal I} - k\, U U^{\mathsf T}\f$: what is left when one direction has given way.
  ArticulatedInertia without(const Scalar& k, const Wrench<Scalar>& U) const
  {
    const Vector3<Scalar> m = -k * U.m, f = -k * U.f;
    return {A + Symmetric3<Scalar>::upper(outer(m, U.m)), B + outer(m, U.f),
            C + Symmetric3<Scalar>::upper(outer(f, U.f))};
  }

  /// \brief \f$\hat{\mathcal I} - w u^{\mathsf T} - u w^{\mathsf T}\f$.
  ArticulatedInertia without(const Wrench<Scalar>& w, const Wrench<Scalar>& u) const
  {
    return {A + Symmetric3<Scalar>::upper(-(outer(w.m, u.m) + outer(u.m, w.m))), B - outer(w.m, u.f) - outer(u.m, w.f),
            C + Symmetric3<Scalar>::upper(-(outer(w.f, u.f) + outer(u.f, w.f)))};
  }
  // [without]

  /// \brief The 6x6 matrix.
  Matrix6<Scalar> matrix() const
  {
    const Matrix3<Scalar> a = A.matrix(), c = C.matrix();
    Matrix6<Scalar> I;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        I(i, j) = a(i, j), I(i, j + 3) = B(i, j), I(i + 3, j) = B(j, i), I(i + 3, j + 3) = c(i, j);
    return I;
  }
};

// [congruence]
/** \brief \f$\Ad^*_{T^{-1}}\, \hat{\mathcal I}\, \Ad_{T^{-1}}\f$: the same map seen from the frame in which T is given.
 *
 *  Turn the blocks, then move the origin by -p.
 */
template <typename Scalar>
inline ArticulatedInertia<Scalar> coAdInv(const SE3<Scalar>& T, const ArticulatedInertia<Scalar>& I)
{
  const Matrix3<Scalar>& R = T.R.matrix;
  const Symmetric3<Scalar> C = turned(T.R, I.C);
  const Matrix3<Scalar> turned_B = R * I.B * transpose(R), B = turned_B + cross(T.p, C.matrix());
  const Matrix3<Scalar> shift = cross(T.p, transpose(B)) + transpose(cross(T.p, transpose(turned_B)));
  return {turned(T.R, I.A) + Symmetric3<Scalar>::upper(shift), B, C};
}
// [congruence]

// [displaced-articulated-inertia]
/** \brief \f$\ad^*_h\,\hat{\mathcal I} + \hat{\mathcal I}\ad_h\f$: how the map changes when it is seen from a frame
 *  displaced along h.
 */
template <typename Scalar>
inline ArticulatedInertia<Scalar> coad(const Twist<Scalar>& h, const ArticulatedInertia<Scalar>& I)
{
  const Matrix3<Scalar> W = skew(h.w), U = skew(h.v), AW = I.A.matrix() * W + I.B * U, CW = I.C.matrix() * W;
  return {Symmetric3<Scalar>::upper(AW + transpose(AW)), I.B * W - W * I.B - U * I.C.matrix(),
          Symmetric3<Scalar>::upper(CW + transpose(CW))};
}
// [displaced-articulated-inertia]

}  // namespace articulate
