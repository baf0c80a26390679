/** \file
 *  \brief Binomials for the product rule of Leibniz, and derivatives of twists, wrenches and poses seen from elsewhere.
 *
 *  - Paper: Ali, Gabellieri and Franchi 2026, \eq{ali,6}, \eq{ali,20}, \eq{ali,68} to \eq{ali,70}.
 *  - Chapter: \ref higher_order
 */
#pragma once
#include <concepts>
#include <type_traits>
#include <vector>
#include <articulate/group/matrices.hpp>
#include <articulate/model/indexed.hpp>

namespace articulate {

/// \brief \f$\binom{n}{k}\f$ for all n up to a given one, by Pascal's triangle, and the product rule made with them.
template <typename Scalar>
class Binomials {
public:
  explicit Binomials(int largest) : row_(largest + 1)
  {
    for (int n = 0; n <= largest; ++n) {
      row_[n].resize(n + 1, Scalar(1));
      for (int k = 1; k < n; ++k) row_[n][k] = row_[n - 1][k - 1] + row_[n - 1][k];
    }
  }
  const Scalar& operator()(std::integral auto n, std::integral auto k) const { return row_[n][k]; }

  // [leibniz]
  /** \brief The k-th derivative of a product of two, \f$\sum_{l\le k}\binom kl a^{(l)}b^{(k-l)}\f$, term by term.
   *  \param add  from \f$\binom kl\f$ and l, adds a term to the sum
   */
  template <std::integral Index, typename Add>
  void leibniz(Index k, const Add& add) const
  {
    leibniz(k, 0, k, add);
  }
  /// \brief Of the terms those from `first` to `last`.
  template <std::integral Index, typename Add>
  void leibniz(Index k, std::type_identity_t<Index> first, std::type_identity_t<Index> last, const Add& add) const
  {
    for (Index l = first; l <= last; ++l) add((*this)(k, l), l);
  }
  // [leibniz]

private:
  Indexed<Indexed<Scalar>> row_;
};

// [pose-derivatives]
/** \brief \f$C, \dot C, \ldots, C^{(r+1)}\f$ as 4x4 matrices, from the spatial twist and its first r derivatives.
 *
 *  \f$C^{(r+1)} = \sum_{k=0}^r\binom rk\widehat{V^{(k)}}C^{(r-k)}\f$ \eq{ali,20}.
 */
template <typename Scalar>
std::vector<Matrix4<Scalar>> pose_derivatives(const SE3<Scalar>& C, const std::vector<Twist<Scalar>>& V)
{
  const Binomials<Scalar> binomial(static_cast<int>(V.size()));
  std::vector<Matrix4<Scalar>> derivative{matrix(C)};
  for (std::size_t r = 0; r < V.size(); ++r) {
    Matrix4<Scalar> sum = Matrix4<Scalar>::Zero();
    binomial.leibniz(r, [&](const Scalar& c, std::size_t k) { sum += c * (hat(V[k]) * derivative[r - k]); });
    derivative.push_back(sum);
  }
  return derivative;
}

/** \brief The other way: \f$V, \dot V, \ldots, V^{(r)}\f$ from the pose and its first r + 1 derivatives.
 *
 *  \f$\widehat{V^{(r)}} = \bigl(C^{(r+1)} - \sum_{k<r}\binom rk\widehat{V^{(k)}}C^{(r-k)}\bigr)C^{-1}\f$.
 */
template <typename Scalar>
std::vector<Twist<Scalar>> spatial_twists(const std::vector<Matrix4<Scalar>>& C)
{
  const Binomials<Scalar> binomial(static_cast<int>(C.size()));
  Matrix4<Scalar> C_inverse = Matrix4<Scalar>::Identity();
  C_inverse.template topLeftCorner<3, 3>() = C[0].template topLeftCorner<3, 3>().transpose();
  C_inverse.template topRightCorner<3, 1>() =
      -C_inverse.template topLeftCorner<3, 3>() * C[0].template topRightCorner<3, 1>();
  std::vector<Twist<Scalar>> V;
  for (std::size_t r = 0; r + 1 < C.size(); ++r) {
    Matrix4<Scalar> rest = C[r + 1];
    if (r > 0)
      binomial.leibniz(r, 0, r - 1, [&](const Scalar& c, std::size_t k) { rest -= c * (hat(V[k]) * C[r - k]); });
    V.push_back(vee(Matrix4<Scalar>(rest * C_inverse)));
  }
  return V;
}
// [pose-derivatives]

// [seen-from]
/** \brief Derivatives, up to the same order, of what is seen from another frame, from those seen from the present one.
 *
 *  With \f$Y = \Ad_C X\f$ and the body twist V of C, \f$\dot Y = \Ad_C(\dot X + [V, X])\f$; so the n-th derivative of Y is
 *  \f$\Ad_C\f$ of what n such steps make of X. The bracket says what X is and from where it is seen.
 *  \param X        \f$X, \dot X, \ldots\f$, component by component
 *  \param V        the twist and its derivatives, at least as many
 *  \param bracket  bilinear: \f$[V, X]\f$
 *  \return what remains to be carried over by \f$\Ad_C\f$ itself
 */
template <typename Scalar, typename Vector, typename Bracket>
std::vector<Vector> derivatives_along(std::vector<Vector> X, const std::vector<Twist<Scalar>>& V,
                                      const Bracket& bracket)
{
  const Binomials<Scalar> binomial(static_cast<int>(X.size()));
  std::vector<Vector> result;
  while (!X.empty()) {
    result.push_back(X[0]);
    std::vector<Vector> next(X.begin() + 1, X.end());
    for (std::size_t k = 0; k < next.size(); ++k)
      binomial.leibniz(k, [&](const Scalar& c, std::size_t l) { next[k] += c * bracket(V[l], X[k - l]); });
    X = next;
  }
  return result;
}

/// \brief Derivatives of the spatial twist of a pose C from those of its body twist.
template <typename Scalar>
std::vector<Twist<Scalar>> to_spatial(const SE3<Scalar>& C, const std::vector<Twist<Scalar>>& V)
{
  auto X = derivatives_along(V, V, [](const Twist<Scalar>& A, const Twist<Scalar>& B) { return ad(A, B); });
  for (Twist<Scalar>& one : X) one = Ad(C, one);
  return X;
}

/// \brief Derivatives of the body twist of a pose C from those of its spatial twist.
template <typename Scalar>
std::vector<Twist<Scalar>> to_body(const SE3<Scalar>& C, const std::vector<Twist<Scalar>>& V)
{
  auto X = derivatives_along(V, V, [](const Twist<Scalar>& A, const Twist<Scalar>& B) { return -ad(A, B); });
  for (Twist<Scalar>& one : X) one = AdInv(C, one);
  return X;
}

/// \brief Derivatives of a wrench about the inertial origin from those in the frame at C \eq{ali,69}; V is the body twist.
template <typename Scalar>
std::vector<Wrench<Scalar>> to_spatial(const SE3<Scalar>& C, const std::vector<Twist<Scalar>>& V,
                                       const std::vector<Wrench<Scalar>>& F)
{
  auto X = derivatives_along(F, V, [](const Twist<Scalar>& A, const Wrench<Scalar>& B) { return -coad(A, B); });
  for (Wrench<Scalar>& one : X) one = coAdInv(C, one);
  return X;
}

/// \brief Derivatives of a wrench in the frame at C from those about the inertial origin; V is the spatial twist.
template <typename Scalar>
std::vector<Wrench<Scalar>> to_body(const SE3<Scalar>& C, const std::vector<Twist<Scalar>>& V,
                                    const std::vector<Wrench<Scalar>>& F)
{
  auto X = derivatives_along(F, V, [](const Twist<Scalar>& A, const Wrench<Scalar>& B) { return coad(A, B); });
  for (Wrench<Scalar>& one : X) one = coAd(C, one);
  return X;
}
// [seen-from]

}  // namespace articulate
