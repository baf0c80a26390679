/** \file
 *  \brief Products with \f$\ad_V\f$ as they are printed: dense 6x6 matrices. What SpatialForm is measured against.
 *
 *  - Paper: Ali, Gabellieri and Franchi 2026, \eq{ali,61}, \eq{ali,70}.
 *  - Chapter: \ref higher_order
 */
#pragma once
#include <articulate/higher_order/spatial_form.hpp>

namespace articulate::validation {

/// \brief The policy of SpatialForm that multiplies matrices where `CrossProducts` lets \f$\ad_V\f$ act.
template <typename Scalar>
struct DenseProducts {
  static Twist<Scalar> ad(const Twist<Scalar>& V, const Twist<Scalar>& X)
  {
    return to_twist(Vector6<Scalar>(ad_matrix(V) * coordinates(X)));
  }
  template <typename From>
  static void add_coad(WrenchMap<From>& A, const Scalar& c, const Twist<Scalar>& V, const WrenchMap<From>& X)
  {
    A += WrenchMap<From>::of(c * (ad_matrix(V).transpose() * X.matrix()));
  }
  static void add_both(InertiaMap<Scalar>& A, const Scalar& c, const Twist<Scalar>& V, const InertiaMap<Scalar>& X)
  {
    const Matrix6<Scalar> M = X.matrix(), ad_V = ad_matrix(V);
    A += InertiaMap<Scalar>::of(c * (M * ad_V + ad_V.transpose() * M));
  }
  static void complete(InertiaMap<Scalar>&) {}  // nothing was left out
};

}  // namespace articulate::validation
