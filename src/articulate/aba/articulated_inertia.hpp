/** \file
 *  \brief The inertia of a body with everything that hangs on it by joints that give way.
 *
 *  - Papers: Kim 2012, section 2.2, \eq{kim,43}, \eq{kim,49}.
 *  - Chapter: \ref aba
 */
#pragma once
#include <articulate/body/inertia.hpp>
#include <articulate/group/row_matrix.hpp>

namespace articulate {

namespace detail {

/// What the blocks of an articulated inertia are made of: in double, whole rows.
template <typename Scalar>
struct Blocks {
  using Row = Vector3<Scalar>;
  using Square = Matrix3<Scalar>;
  using Symmetric = Symmetric3<Scalar>;
};
template <>
struct Blocks<double> {
  using Row = Row3;
  using Square = RowMatrix3;
  using Symmetric = SymmetricRows3;
};

}  // namespace detail

/** \brief A symmetric map from twists to wrenches, \f$\begin{bmatrix}A & B\\ B^{\mathsf T} & C\end{bmatrix}\f$: 21 numbers.
 *
 *  Unlike a body's inertia it has no single mass: pushed in different directions, an arm resists differently. In double its
 *  blocks are whole rows, 27 numbers, see SymmetricRows3.
 */
template <typename Scalar>
struct ArticulatedInertia {
  using Row = typename detail::Blocks<Scalar>::Row;
  using Square = typename detail::Blocks<Scalar>::Square;
  using Symmetric = typename detail::Blocks<Scalar>::Symmetric;

  Symmetric A;
  Square B;
  Symmetric C;

  ArticulatedInertia() = default;
  ArticulatedInertia(const Symmetric& a, const Square& b, const Symmetric& c) : A(a), B(b), C(c) {}
  ArticulatedInertia(const Inertia<Scalar>& I)
      : A(I.second_moment), B(skew(I.first_moment)), C(Symmetric3<Scalar>::diagonal(I.mass))
  {
  }

  ArticulatedInertia& operator=(const Inertia<Scalar>& I)
  {
    A = I.second_moment;
    B = skew(I.first_moment);
    C = Symmetric3<Scalar>::diagonal(I.mass);
    return *this;
  }

  friend Wrench<Scalar> operator*(const ArticulatedInertia& I, const Twist<Scalar>& V)
  {
    return {V.w * I.A + V.v * transpose(I.B), V.w * I.B + V.v * I.C};  // transposed, as A and C are symmetric
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
  Wrench<Scalar> about_z() const { return {A.row(2), B.row(2)}; }
  Wrench<Scalar> along_z() const { return {B.column(2), C.row(2)}; }

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
    const Row Um = U.m, Uf = U.f;
    return {A + Symmetric::upper(outer(m, Um)), B + outer(m, Uf), C + Symmetric::upper(outer(f, Uf))};
  }

  /// \brief \f$\hat{\mathcal I} - w u^{\mathsf T} - u w^{\mathsf T}\f$.
  ArticulatedInertia without(const Wrench<Scalar>& w, const Wrench<Scalar>& u) const
  {
    const Row wm = w.m, wf = w.f, um = u.m, uf = u.f;
    return {A - Symmetric::upper(outer(w.m, um) + outer(u.m, wm)), B - outer(w.m, uf) - outer(u.m, wf),
            C - Symmetric::upper(outer(w.f, uf) + outer(u.f, wf))};
  }
  // [without]

  /// \brief The 6x6 matrix.
  Matrix6<Scalar> matrix() const
  {
    const Symmetric3<Scalar> upper_left = A, lower_right = C;
    const Matrix3<Scalar> a = upper_left.matrix(), b = B, c = lower_right.matrix();
    Matrix6<Scalar> I;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        I(i, j) = a(i, j), I(i, j + 3) = b(i, j), I(i + 3, j) = b(j, i), I(i + 3, j + 3) = c(i, j);
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
  using Square = typename ArticulatedInertia<Scalar>::Square;
  using Symmetric = typename ArticulatedInertia<Scalar>::Symmetric;
  const Symmetric C = turned(T.R, I.C);
  const Square turned_B = turned(T.R, I.B), B = turned_B + cross(T.p, C.matrix());
  const Square shift = cross(T.p, transpose(B)) + transpose(cross(T.p, transpose(turned_B)));
  return {turned(T.R, I.A) + Symmetric::upper(shift), B, C};
}
// [congruence]

// [displaced-articulated-inertia]
/** \brief \f$\ad^*_h\,\hat{\mathcal I} + \hat{\mathcal I}\ad_h\f$: how the map changes when it is seen from a frame
 *  displaced along h.
 */
template <typename Scalar>
inline ArticulatedInertia<Scalar> coad(const Twist<Scalar>& h, const ArticulatedInertia<Scalar>& I)
{
  const Symmetric3<Scalar> A = I.A, C = I.C;
  const Matrix3<Scalar> B = I.B, W = skew(h.w), U = skew(h.v), AW = A.matrix() * W + B * U, CW = C.matrix() * W;
  return {Symmetric3<Scalar>::upper(AW + transpose(AW)), B * W - W * B - U * C.matrix(),
          Symmetric3<Scalar>::upper(CW + transpose(CW))};
}
// [displaced-articulated-inertia]

}  // namespace articulate
