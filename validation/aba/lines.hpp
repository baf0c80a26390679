/** \file
 *  \brief The lines of Kim's Tables 3 and 4 as the library has them: what it keeps in factors is multiplied out.
 */
#pragma once
#include <articulate/aba/articulated_bodies.hpp>
#include <ledger/linear_systems.hpp>
#include <ledger/sides.hpp>
#include <ledger/specimen.hpp>

namespace articulate::validation {

/// \brief The degrees of a joint in v, whose force is given, or those in u.
template <typename S>
std::vector<int> degrees(const ArticulatedBodies<S>& bodies, const Body<S>& body, bool in_u)
{
  std::vector<int> columns;
  for (int k = 0; k < body.nv; ++k)
    if (bodies.is_prescribed(body.v + k) == in_u) columns.push_back(k);
  return columns;
}

/// \brief \f$\Psi_i\f$ of the degrees in v, from the factors that the library keeps.
template <typename S>
SmallMatrix<S> Psi_of(const ArticulatedBodies<S>& bodies, const Body<S>& body)
{
  const Pivot<S>& pivot = bodies.pivot[body.index];
  const std::vector<int> v = degrees(bodies, body, false);
  SmallMatrix<S> Psi(v.size(), v.size());
  for (std::size_t j = 0; j < v.size(); ++j) {
    S column[6] = {S(0), S(0), S(0), S(0), S(0), S(0)};
    column[v[j]] = S(1);
    pivot.pass_on(Wrench<S>{}, &bodies.U[body.v], column);
    pivot.solve(column);
    for (std::size_t k = 0; k < v.size(); ++k) Psi(k, j) = column[v[k]];
  }
  return Psi;
}

/// \brief \f$\Pi_i\f$, what the library hands to the parent.
template <typename S>
Matrix6<S> Pi_of(const ArticulatedBodies<S>& bodies, const Body<S>& body)
{
  return bodies.pivot[body.index].give_way(bodies.I_hat[body.index], &bodies.U[body.v]).matrix();
}

/// \brief \f$\beta_i\f$.   \param qdd  the prescribed accelerations are read
template <typename S>
Wrench<S> beta_of(const ArticulatedBodies<S>& bodies, const Body<S>& body, const VectorX<S>& qdd)
{
  const int i = body.index;
  Twist<S> held = bodies.eta[i];
  for (const int k : degrees(bodies, body, true)) held += qdd(body.v + k) * bodies.S[i].column(k);
  Wrench<S> beta = bodies.I_hat[i] * held + bodies.B_hat[i];
  for (const int k : degrees(bodies, body, false))
    beta += bodies.pivot[i].inverse(k) * bodies.u[body.v + k] * bodies.U[body.v + k];
  return beta;
}

/// \brief The blocks of a 6x6 map from twists to wrenches have different units: compare them one by one.
/// \param beside  the map of which both are what is left when something was subtracted
template <typename S>
void add_by_block(Sides<S>& sides, const Matrix6<S>& left, const Matrix6<S>& right,
                  const Matrix6<S>& beside = Matrix6<S>::Zero())
{
  for (int i = 0; i < 6; i += 3)
    for (int j = 0; j < 6; j += 3) {
      S scale(0);
      for (int k = 0; k < 9; ++k) {
        const S size = magnitude(beside(i + k / 3, j + k % 3));
        if (size > scale) scale = size;
      }
      sides.add(left.template block<3, 3>(i, j), right.template block<3, 3>(i, j), scale);
    }
}

/// \brief A quantity of every body, without the world's.
template <typename Quantity>
std::vector<Quantity> moving(const std::vector<Quantity>& all)
{
  return {all.begin() + 1, all.end()};
}
template <typename S>
std::vector<Wrench<S>> wrenches(const std::vector<Vector6<S>>& table)
{
  std::vector<Wrench<S>> list;
  for (std::size_t i = 1; i < table.size(); ++i) list.push_back(to_wrench(table[i]));
  return list;
}
/// \param first  0 where the world's, the base's motion, is a line of its own
template <typename S>
std::vector<Twist<S>> twists(const std::vector<Vector6<S>>& table, std::size_t first = 1)
{
  std::vector<Twist<S>> list;
  for (std::size_t i = first; i < table.size(); ++i) list.push_back(to_twist(table[i]));
  return list;
}

/// \brief \f$\eta_i\f$ of all bodies. Where all axes are parallel the brackets are rounding beside their terms.
template <typename S>
void add_eta(Sides<S>& sides, const Specimen<S>& x, const std::vector<Twist<S>>& left,
             const std::vector<Twist<S>>& right)
{
  const auto size = [](const Vector3<S>& a) { return magnitude(a[0]) + magnitude(a[1]) + magnitude(a[2]); };
  const int n = static_cast<int>(left.size());
  VectorX<S> w[2] = {VectorX<S>(3 * n), VectorX<S>(3 * n)}, v[2] = {VectorX<S>(3 * n), VectorX<S>(3 * n)};
  S angular(0), linear(0);
  for (int i = 0; i < n; ++i) {
    const Body<S>& body = x.model.body(i + 1);
    const Twist<S> V = x.kinematics.V[i + 1], own = x.kinematics.S[i + 1] * (x.qd.data() + body.v);
    const S turn = size(V.w) * size(own.w), slide = size(V.w) * size(own.v) + size(V.v) * size(own.w);
    if (turn > angular) angular = turn;
    if (slide > linear) linear = slide;
    for (int k = 0; k < 3; ++k) {
      w[0](3 * i + k) = left[i].w[k], w[1](3 * i + k) = right[i].w[k];
      v[0](3 * i + k) = left[i].v[k], v[1](3 * i + k) = right[i].v[k];
    }
  }
  sides.add(w[0], w[1], angular);
  sides.add(v[0], v[1], linear);
}

}  // namespace articulate::validation
