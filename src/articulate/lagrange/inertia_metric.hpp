/** \file
 *  \brief The mass matrix as a metric: its derivatives, Christoffel symbols and curvature, all by brackets of screws.
 *
 *  - Paper: Park 1995, sections 4.2, 4.4 and 5, \eq{park,52} to \eq{park,57}, Propositions 1 and 2, \eq{park,65},
 *    \eq{park,66}.
 *  - Chapter: \ref lagrange
 */
#pragma once
#include <articulate/model/root_frame.hpp>
#include <Eigen/Cholesky>

namespace articulate {

/** \brief The kinetic energy metric of a tree at a configuration.
 *
 *  Seen from one frame, coordinates are screws \f$J_k\f$. A coordinate k moves the
 *  screw of a later one, j, by \f$[J_k, J_j]\f$, and all that is behind it as one rigid body. So every derivative is a sum
 *  of brackets of screws under the inertia of what is behind the last of them. Coordinates that do not lie on one way
 *  from the base to a tip have no bodies in common, and give zero.
 *
 *  Coordinates are needed: a ball or free joint without a chart is refused.
 */
template <typename Scalar>
class InertiaMetric : public Recursion<Scalar> {
  using Base = Recursion<Scalar>;
  using Base::model_;

public:
  using Base::place;
  /// \throws ModelError naming a ball or free joint, which has no coordinates
  explicit InertiaMetric(const Model<Scalar>& model)
      : Base(model), root_(model), body_(model.nv()), carries_(model.nv(), Indexed<bool>(model.nv(), false))
  {
    for (const JointSlot& joint : model.joints())
      if (joint.nq != joint.nv)
        detail::refuse(model.mechanism(), "joint '" + joint.name +
                                              "' has an orientation and no coordinates by which to differentiate; give "
                                              "it three angles.");
    for (const Body<Scalar>& body : model.outward())
      for (int k = body.v; k < body.v + body.nv; ++k) {
        body_[k] = body.index;
        for (const Body<Scalar>& a : model.way_to_base(body.index))
          for (int j = a.v; j < a.v + a.nv && j <= k; ++j) carries_[j][k] = true;
      }
  }

  int dimension() const { return static_cast<int>(body_.size()); }

  /** \brief Go to a configuration.
   *  \param q  nq coordinates (rad, m)
   *  \throws SizeError naming the argument, the length given and the length expected
   */
  void operator()(const VectorRef<Scalar>& q)
  {
    detail::require_size("q", q, model_.nq());
    place(q);
    root_.stand(*this);
    for (const Body<Scalar>& body : model_.outward()) root_.place(body, *this);
    for (const Body<Scalar>& body : model_.inward()) root_.gather(body);
  }

  // [metric]
  /// \brief \f$m_{ij} = \langle J_i, J_j\rangle\f$ \eq{park,40}: rad, m as coordinates give kg m^2, kg m, kg.
  Scalar m(int i, int j) const { return product(J(i), J(j), behind({i, j})); }

  /// \brief \f$\partial m_{ij}/\partial x_k\f$ by Proposition 1 \eq{park,53}.
  Scalar dm(int i, int j, int k) const
  {
    const int d = behind({i, j, k});
    return product(D(k, i), J(j), d) + product(J(i), D(k, j), d);
  }

  /// \brief \f$\partial^2m_{ij}/\partial x_k\partial x_l\f$ by Proposition 2 \eq{park,54}.
  Scalar ddm(int i, int j, int k, int l) const
  {
    const int d = behind({i, j, k, l});
    return product(D(l, k, i), J(j), d) + product(D(k, i), D(l, j), d) + product(D(l, i), D(k, j), d) +
           product(J(i), D(l, k, j), d);
  }
  // [metric]

  // [christoffel]
  /** \brief \f$\Gamma_{ijk}\f$ of the first kind, its last index the lowered one, by brackets \eq{park,55} to \eq{park,57}.
   *
   *  The paper's three cases are one formula when all screws are seen from one frame.
   */
  Scalar christoffel(int i, int j, int k) const
  {
    const int first = std::min(i, j), second = std::max(i, j), d = behind({i, j, k});
    const Twist<Scalar>&Ji = J(first), &Jj = J(second), &Jk = J(k);
    return (product(ad(Jk, Ji), Jj, d) + product(ad(Jk, Jj), Ji, d) + product(ad(Ji, Jj), Jk, d)) / Scalar(2);
  }
  // [christoffel]

  /// \brief \f$\partial\Gamma_{ijk}/\partial x_l\f$: the definition \eq{park,52}, differentiated.
  Scalar dchristoffel(int i, int j, int k, int l) const
  {
    return (ddm(k, j, i, l) + ddm(k, i, j, l) - ddm(i, j, k, l)) / Scalar(2);
  }

  /// \brief The mass matrix, n x n.
  MatrixX<Scalar> M() const
  {
    const int n = dimension();
    MatrixX<Scalar> M(n, n);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j <= i; ++j) M(i, j) = M(j, i) = m(i, j);
    return M;
  }

  /// \brief \f$C_{kj} = \sum_i\Gamma_{ijk}\dot x_i\f$, n x n \eq{ploen,2}.
  MatrixX<Scalar> C(const VectorRef<Scalar>& xd) const
  {
    const int n = dimension();
    detail::require_size("xd", xd, n);
    MatrixX<Scalar> C = MatrixX<Scalar>::Zero(n, n);
    for (int k = 0; k < n; ++k)
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) C(k, j) += christoffel(i, j, k) * xd(i);
    return C;
  }

private:
  const Twist<Scalar>& J(int k) const { return root_.J[k]; }

  // [screw-derivatives]
  /// \f$\partial_kJ_i\f$, as a body behind both sees it: coordinate k moves it only if it comes after i.
  Twist<Scalar> D(int k, int i) const { return i < k ? ad(J(i), J(k)) : Twist<Scalar>{}; }
  /// \f$\partial_l\partial_kJ_i\f$: the inner bracket is with the one nearer to i.
  Twist<Scalar> D(int l, int k, int i) const
  {
    const int near = std::min(k, l), far = std::max(k, l);
    return i < near ? ad(ad(J(i), J(near)), J(far)) : Twist<Scalar>{};
  }
  // [screw-derivatives]

  /// The body of the last of these coordinates, if all of them carry it; 0, which has no inertia, if not.
  int behind(std::initializer_list<int> coordinates) const
  {
    this->require_run("metric");
    const int last = std::max(coordinates);
    for (const int k : coordinates)
      if (!carries_[k][last]) return 0;
    return body_[last];
  }

  /// The inner product of two screws under the inertia of body i and everything behind it.
  Scalar product(const Twist<Scalar>& a, const Twist<Scalar>& b, int i) const
  {
    return i == 0 ? Scalar(0) : pairing(root_.I[i] * a, b);
  }

  RootFrame<Scalar> root_;  // inertias with all behind
  Indexed<int> body_;
  Indexed<Indexed<bool>> carries_;
};

/** \brief The curvature of a metric at a configuration: what makes force-free motions part or meet.
 *
 *  Holds the mass matrix, factored, and all symbols: n^3 numbers.
 */
template <typename Scalar>
class Curvature {
public:
  explicit Curvature(const InertiaMetric<Scalar>& metric)
      : metric_(metric), M_(metric.M()), raised_(metric.dimension() * metric.dimension())
  {
    const int n = metric.dimension();
    const Eigen::LLT<MatrixX<Scalar>> factored(M_);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j <= i; ++j) {
        VectorX<Scalar> lowered(n);
        for (int k = 0; k < n; ++k) lowered(k) = metric.christoffel(i, j, k);
        raised_[i * n + j] = raised_[j * n + i] = factored.solve(lowered);
      }
  }

  /// \brief \f$\Gamma_{ij}^k\f$, symbols of the second kind, for all k.
  const VectorX<Scalar>& christoffel(int i, int j) const { return raised_[i * metric_.dimension() + j]; }

  // [curvature]
  /// \brief \f$R_{ijkl}\f$ \eq{park,66}, positive on spheres: \f$R_{1212} > 0\f$.
  Scalar operator()(int i, int j, int k, int l) const
  {
    Scalar R = metric_.dchristoffel(j, l, i, k) - metric_.dchristoffel(j, k, i, l);
    for (int r = 0; r < metric_.dimension(); ++r)
      R += metric_.christoffel(i, l, r) * christoffel(j, k)(r) - metric_.christoffel(i, k, r) * christoffel(j, l)(r);
    return R;
  }

  /** \brief The curvature of the plane of two directions, \f$R(u,v,u,v)/(|u|^2|v|^2 - \langle u,v\rangle^2)\f$ (1/J s^2).
   *  \throws SizeError naming the argument, the length given and the length expected
   *  \throws StateError when the directions span no plane
   */
  Scalar sectional(const VectorRef<Scalar>& u, const VectorRef<Scalar>& v) const
  {
    const int n = metric_.dimension();
    detail::require_size("u", u, n);
    detail::require_size("v", v, n);
    Scalar R(0);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < i; ++j)
        for (int k = 0; k < n; ++k)
          for (int l = 0; l < k; ++l)
            R += (*this)(i, j, k, l) * (u(i) * v(j) - u(j) * v(i)) * (u(k) * v(l) - u(l) * v(k));
    const VectorX<Scalar> Mu = M_ * u, Mv = M_ * v;
    Scalar uu(0), uv(0), vv(0);
    for (int k = 0; k < n; ++k) uu += u(k) * Mu(k), uv += u(k) * Mv(k), vv += v(k) * Mv(k);
    const Scalar area = uu * vv - uv * uv;
    if (!(comparable(area) > comparable(Scalar(uu * vv * std::numeric_limits<double>::epsilon()))))
      throw StateError("sectional curvature: the two directions span no plane; give independent ones.");
    return R / area;
  }
  // [curvature]

private:
  InertiaMetric<Scalar> metric_;
  MatrixX<Scalar> M_;
  Indexed<VectorX<Scalar>> raised_;
};

/** \brief The curvature (1/J s^2) of the plane of two directions at a configuration in one line \eq{park,66}; see Curvature.
 *
 *  nq coordinates; n = nv numbers for each direction.
 */
template <typename Scalar>
Scalar sectional_curvature(const Model<Scalar>& model, VectorArgument<Scalar> q, VectorArgument<Scalar> u,
                           VectorArgument<Scalar> v)
{
  InertiaMetric<Scalar> metric(model);
  metric(q);
  return Curvature<Scalar>(metric).sectional(u, v);
}

}  // namespace articulate
