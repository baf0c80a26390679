/** \file
 *  \brief What the proofs of chapter higher_order compare with: a drawn motion, and what vector mechanics along it says of
 *  every body, with derivatives in time.
 */
#pragma once
#include <articulate/higher_order/higher_order_dynamics.hpp>
#include <ledger/registry.hpp>
#include <witnesses/motion_in_time.hpp>

namespace articulate::validation {

/// \brief The highest order of the proofs: forces up to their third derivative, joint rates up to their fourth.
inline constexpr int highest_order = 3;

/// \brief Joint rates and their derivatives, nv x columns: drawn, of the size of rates and accelerations.
template <typename S>
MatrixX<S> drawn_rates(const Specimen<S>& x, int columns);

/// \brief Wrench derivatives of order 0 to r on every body, in the body's frame: drawn.
template <typename S>
WrenchDerivatives<S> drawn_wrenches(const Specimen<S>& x, int r);

/// \brief The k-th derivative of the drawn wrench on a link, in the link's frame.
template <typename S>
Wrench<S> drawn_wrench(const Specimen<S>& x, const std::string& link, int k);

/** \brief A drawn motion by vector mechanics over series in time.
 *
 *  Quantities are by body, then by order; spatial, as in the paper: about the world's origin, in world axes. They are
 *  inputs of whatever uses them: moved by an ulp when the case is.
 */
template <typename S>
struct TrueMotion {
  template <typename Quantity>
  using ByBody = std::vector<std::vector<Quantity>>;

  MatrixX<S> rates;                      ///< column k is \f$\dot q^{(k)}\f$, up to k = 4
  WrenchDerivatives<S> Fext;             ///< up to order 3
  MatrixX<S> tau;                        ///< column k is \f$\tau^{(k)}\f$, up to k = 3
  ByBody<Matrix4<S>> pose;               ///< homogeneous matrices, up to order 4
  ByBody<Twist<S>> V, V_body;            ///< up to order 4; the second in the body's frame
  ByBody<Twist<S>> screws;               ///< by rate: \f$S_d^{(k)}\f$, up to order 4
  ByBody<Matrix6<S>> M;                  ///< up to order 4
  ByBody<Matrix6<S>> transport;          ///< \f$\Ad_C^{-\mathsf T}\f$, up to order 4
  ByBody<Wrench<S>> Pi;                  ///< up to order 4
  ByBody<Wrench<S>> W, applied, weight;  ///< up to order 3; W through the body's joint

  explicit TrueMotion(const Specimen<S>& x);
};

// Compiled once per scalar, in true_motion.cpp.
extern template struct TrueMotion<double>;
extern template struct TrueMotion<Fifty>;

}  // namespace articulate::validation

namespace articulate {

extern template class SpatialForm<double>;
extern template class SpatialForm<validation::Fifty>;
extern template class HigherOrderDynamics<double>;
extern template class HigherOrderDynamics<validation::Fifty>;

}  // namespace articulate
