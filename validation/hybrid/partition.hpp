/** \file
 *  \brief Which accelerations are prescribed: the partitions on which hybrid dynamics is proved.
 */
#pragma once
#include <algorithm>
#include <cstdint>
#include <articulate/hybrid/hybrid_dynamics.hpp>
#include <articulate/rnea/inverse_dynamics.hpp>
#include <ledger/sides.hpp>
#include <ledger/specimen.hpp>

namespace articulate::validation {

/// \brief By rate: is its acceleration prescribed?
using Partition = std::vector<bool>;

/// \brief A partition drawn with the case, degree by degree: it may divide a joint.
template <typename S>
Partition drawn_partition(const Specimen<S>& x)
{
  Partition prescribed;
  for (int k = 0; k < x.model.nv(); ++k) prescribed.push_back(x.number((k + 40) % 128) > 0);
  return prescribed;
}

/// \brief A partition drawn joint by joint, as the paper's are.
template <typename S>
Partition drawn_joints(const Specimen<S>& x)
{
  Partition prescribed = drawn_partition(x);
  for (int i = 1; i <= x.bodies(); ++i)
    for (int k = 0; k < x.model.body(i).nv; ++k)
      prescribed[x.model.body(i).v + k] = bool(prescribed[x.model.body(i).v]);
  return prescribed;
}

/// \brief The joints of all bodies without children are prescribed, as whole joints, and no others.
template <typename S>
Partition tips_prescribed(const Model<S>& model)
{
  std::vector<bool> is_parent(model.bodies() + 1);
  for (int i = 1; i <= model.bodies(); ++i) is_parent[model.body(i).parent] = true;
  Partition prescribed(model.nv());
  for (int i = 1; i <= model.bodies(); ++i)
    for (int k = 0; k < model.body(i).nv; ++k) prescribed[model.body(i).v + k] = !is_parent[i];
  return prescribed;
}

/// \brief The rates in u, or those in v.
inline std::vector<int> members(const Partition& prescribed, bool of_u)
{
  std::vector<int> rates;
  for (int k = 0; k < static_cast<int>(prescribed.size()); ++k)
    if (prescribed[k] == of_u) rates.push_back(k);
  return rates;
}

/// \brief The vector with zeros where the numbers are of the other set.
template <typename S>
VectorX<S> part(const VectorX<S>& all, const Partition& prescribed, bool of_u)
{
  VectorX<S> some = VectorX<S>::Zero(all.size());
  for (const int k : members(prescribed, of_u)) some(k) = all(k);
  return some;
}

/// \brief Hybrid dynamics run on a case.
template <typename S>
HybridDynamics<S> hybrid_run(const Specimen<S>& x, const Partition& prescribed)
{
  HybridDynamics<S> hybrid(x.model, prescribed);
  hybrid(x.q, x.qd, x.qdd, x.tau, x.Fext);
  return hybrid;
}

/** \brief Hold articulated inertias and biases to what they promise of any acceleration: of the bodies at some depths.
 *
 *  The base and the joints as far as such a body accelerate as drawn, those behind it as they are given or as they must:
 *  of this motion its inertia and bias know nothing. The wrenches are those of Table 2, without either in them.
 *  \param written  of a body: its \f$\hat{\mathcal I}\f$ and \f$\hat{\mathcal B}\f$ by some formula
 */
template <typename S, typename Written>
void add_other_accelerations(Sides<S>& sides, const Specimen<S>& x, const Partition& prescribed, const Written& written)
{
  std::vector<int> depth(x.bodies() + 1, 0);
  for (int i = 1; i <= x.bodies(); ++i) depth[i] = depth[x.model.body(i).parent] + 1;
  const int deepest = *std::max_element(depth.begin(), depth.end()), step = (deepest + 2) / 3;
  const int drawn = static_cast<int>(std::uint64_t(1e6 * (1 + x.inputs.free_numbers.front())) % std::max(1, step));
  for (int held = 1 + drawn; held <= deepest; held += step) {
    Partition given = prescribed;
    VectorX<S> qdd = x.qdd;
    for (int i = 1; i <= x.bodies(); ++i)
      for (int k = x.model.body(i).v; depth[i] <= held && k < x.model.body(i).v + x.model.body(i).nv; ++k)
        given[k] = true, qdd(k) = x.number((7 * k + held) % 128);
    HybridDynamics<S> hybrid(x.model, given);
    InverseDynamics<S> rnea(x.model);
    hybrid.Vdot[0] = rnea.Vdot[0] = x.twist(held % 100);
    hybrid(x.q, x.qd, qdd, x.tau, x.Fext);
    rnea(x.q, x.qd, x.as_input(hybrid.qdd()), x.Fext);
    std::vector<Wrench<S>> answers, seen, terms;
    for (int i = 1; i <= x.bodies(); ++i) {
      if (depth[i] != held) continue;
      const auto body = written(i);
      const Vector6<S> accelerated = body.I_hat * coordinates(rnea.Vdot[i]);
      answers.push_back(to_wrench(Vector6<S>(accelerated + body.B_hat))), seen.push_back(rnea.F[i]);
      terms.push_back(to_wrench(accelerated)), terms.push_back(to_wrench(body.B_hat));
    }
    sides.add(answers, seen, terms);
  }
}

}  // namespace articulate::validation
