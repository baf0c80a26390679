/** \file
 *  \brief What the proofs of chapters skew_symmetry and lagrange compare with: the mass matrix along the motion by dual
 *  numbers, forces by the witness; and how matrices of mixed units are compared.
 */
#pragma once
#include <articulate/lagrange/composite_body.hpp>
#include <articulate/lagrange/global_matrices.hpp>
#include <articulate/skew_symmetry/coriolis_matrix.hpp>
#include <articulate/skew_symmetry/reference_dynamics.hpp>
#include <ledger/calculus.hpp>
#include <ledger/registry.hpp>
#include <rnea/park_recursion.hpp>  // drawn_chain

namespace articulate::validation {

/// \brief Whether a model is small enough for products of matrices of six rows a body, which are slow in 50 digits.
inline bool has_few_bodies(const Model<double>& model) { return model.bodies() > 0 && model.bodies() <= 8; }

inline constexpr CoriolisFamily families[] = {CoriolisFamily::newton_euler, CoriolisFamily::ploen,
                                              CoriolisFamily::bracket, CoriolisFamily::momentum,
                                              CoriolisFamily::christoffel};

/// \brief The mass matrix and its derivative along a direction, through the composite bodies.
template <typename S>
struct MassAlong {
  MatrixX<S> M, rate;

  MassAlong(const Model<S>& model, const VectorX<S>& q, const VectorX<S>& direction);
  explicit MassAlong(const Specimen<S>& x) : MassAlong(x.model, x.q, x.qd) {}
};

/// \brief A drawn chain in motion: some robots are too simple to tell a slip.
template <typename S>
struct DrawnMotion {
  Chain<S> chain;
  InverseDynamics<S> motion;

  explicit DrawnMotion(const Specimen<S>& x) : chain(drawn_chain(x)), motion(chain.model)
  {
    motion(chain.x, chain.xd, chain.xdd);
  }
};

/// \brief \eq{ploen,25} or \eq{ploen,37}, and the N of \eq{ploen,29}, by matrices alone.
template <typename S>
struct ClosedForms {
  GlobalMatrices<S> m;
  MatrixX<S> GS, C_bar, C, N;

  /// \param body_matrix  the 6x6 Coriolis matrix of body i
  template <typename BodyMatrix>
  ClosedForms(const Recursion<S>& motion, const VectorX<S>& qd, const BodyMatrix& body_matrix)
      : m(motion, qd), GS(m.G * m.S), C_bar(MatrixX<S>::Zero(m.J.rows(), m.J.cols()))
  {
    for (int i = 1; i <= motion.model().bodies(); ++i)
      C_bar.template block<6, 6>(6 * i - 6, 6 * i - 6) = body_matrix(i);
    const MatrixX<S> JGS = m.J * GS, GS_rate = m.G * (m.ad_Sqd * (m.Gamma * GS) + m.Sdot);
    N = GS_rate.transpose() * JGS;
    C = JGS.transpose() * GS_rate + GS.transpose() * (C_bar * GS);
  }
};

/// \brief \f$-\ad^*_VIV\f$ as the rate at which a momentum at rest changes for one who moves with V.
template <typename S>
Wrench<S> carried_past(const Twist<S>& V, const Wrench<S>& momentum)
{
  return derivative(coAdInv(exp(time_series<S>() * constant(V)), constant(momentum)), 1);
}

/// \brief Of what size the terms of the wrench are: the moment of a body that only slides is of v x mv, which vanishes.
template <typename S>
Wrench<S> terms_past(const Twist<S>& V, const Wrench<S>& momentum)
{
  using std::sqrt;
  const auto length = [](const Vector3<S>& a) { return S(sqrt(inner(a, a))); };
  const S w = length(V.w), v = length(V.v), L = length(momentum.m), p = length(momentum.f);
  return {{w * L + v * p, S(0), S(0)}, {w * p, S(0), S(0)}};
}

/// \brief Joint forces by the witness without loads on the links.
template <typename S>
VectorX<S> witness_forces(const Specimen<S>& x, const VectorX<S>& qd, const VectorX<S>& qdd, const Vector3<S>& gravity)
{
  witness::VectorNewtonEuler<S> witness(x.inputs.mechanism, x.inputs.options.floating_base);
  return witness.inverse_dynamics(x.q, qd, qdd, gravity.eigen());
}
/// \brief \f$C\dot q\f$: those of a motion without acceleration and weight.
template <typename S>
VectorX<S> witness_coriolis(const Specimen<S>& x)
{
  return witness_forces<S>(x, x.qd, VectorX<S>::Zero(x.model.nv()), {});
}
/// \brief \f$\phi\f$: those at rest.
template <typename S>
VectorX<S> witness_gravity(const Specimen<S>& x)
{
  const VectorX<S> rest = VectorX<S>::Zero(x.model.nv());
  return witness_forces<S>(x, rest, rest, x.gravity);
}

/// \brief The largest of the entries.
template <typename S, typename Derived>
S largest(const Eigen::MatrixBase<Derived>& x)
{
  S found(0);
  for (Eigen::Index j = 0; j < x.cols(); ++j)
    for (Eigen::Index i = 0; i < x.rows(); ++i)
      if (magnitude(S(x(i, j))) > found) found = magnitude(S(x(i, j)));
  return found;
}

/// \brief The fastest turn of a body about an axis of its frame (rad/s).
template <typename S>
S fastest_turn(const Recursion<S>& motion)
{
  S found(0);
  for (const Twist<S>& V : motion.V) found = std::max(found, largest<S>(V.w.eigen()));
  return found;
}

/// \brief Of what size the terms of Coriolis forces are: all may cancel, and then rounding beside these is left.
template <typename S>
VectorX<S> coriolis_terms(const Specimen<S>& x, const VectorX<S>& rates)
{
  CompositeBodies<S> M(x.model);
  return fastest_turn(x.kinematics) * (M(x.q).cwiseAbs() * rates.cwiseAbs());
}

/// \brief The same of one body at twists V and W: products of the lengths of their halves and its momenta's.
template <typename S>
Wrench<S> coriolis_terms(const Inertia<S>& I, const Twist<S>& V, const Twist<S>& W)
{
  Wrench<S> sum;
  for (const auto& [A, B] : {std::pair{V, W}, std::pair{W, V}}) {
    const Wrench<S> L = I * B;
    sum.m[0] += largest<S>(A.w.eigen()) * largest<S>(L.m.eigen()) + largest<S>(A.v.eigen()) * largest<S>(L.f.eigen());
    sum.f[0] += largest<S>(A.w.eigen()) * largest<S>(L.f.eigen());
  }
  return sum;
}

/** \brief Matrices with the units of \f$\dot M\f$, block by block of one unit.
 *
 *  A block may vanish, where all that moves are slides: what is left is rounding beside the mass matrix and the turning.
 *  \param turning  how fast (rad/s)
 */
template <typename S>
void add_rates_of_mass(Sides<S>& sides, const Model<S>& model, const MatrixX<S>& M, const S& turning,
                       const MatrixX<S>& left, const MatrixX<S>& right)
{
  using std::sqrt;
  std::vector<int> of[2];
  S mass[2]{S(0), S(0)};
  for (int k = 0; k < model.nv(); ++k) {
    of[model.rate_is_angular(k)].push_back(k);
    mass[model.rate_is_angular(k)] = std::max(mass[model.rate_is_angular(k)], S(M(k, k)));
  }
  for (const int row : {0, 1})
    for (const int column : {0, 1})
      if (!of[row].empty() && !of[column].empty())
        sides.add(left(of[row], of[column]), right(of[row], of[column]),
                  S(turning * sqrt(S(mass[row] * mass[column]))));
}

/// \brief Maps from twists to wrenches, one for each body: blocks of one unit; mixed ones may vanish beside the others.
template <typename S>
void add_maps(Sides<S>& sides, const std::vector<Matrix6<S>>& left, const std::vector<Matrix6<S>>& right)
{
  using std::sqrt;
  const int N = static_cast<int>(left.size());
  const auto block = [N](const std::vector<Matrix6<S>>& maps, int row, int column) {
    MatrixX<S> all(3, 3 * N);
    for (int i = 0; i < N; ++i) all.template middleCols<3>(3 * i) = maps[i].template block<3, 3>(3 * row, 3 * column);
    return all;
  };
  S size[2];
  for (const int k : {0, 1}) {
    size[k] = std::max(largest<S>(block(left, k, k)), largest<S>(block(right, k, k)));
    sides.add(block(left, k, k), block(right, k, k));
  }
  for (const int k : {0, 1}) sides.add(block(left, k, 1 - k), block(right, k, 1 - k), S(sqrt(S(size[0] * size[1]))));
}

// Compiled once per scalar, in compared_with.cpp.
extern template struct MassAlong<double>;
extern template struct MassAlong<Fifty>;

}  // namespace articulate::validation

namespace articulate {

extern template struct GlobalMatrices<double>;
extern template struct GlobalMatrices<validation::Fifty>;
extern template class CompositeBodies<double>;
extern template class CompositeBodies<validation::Fifty>;
extern template class CoriolisMatrix<double>;
extern template class CoriolisMatrix<validation::Fifty>;
extern template class ReferenceDynamics<double>;
extern template class ReferenceDynamics<validation::Fifty>;

}  // namespace articulate
