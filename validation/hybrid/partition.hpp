/** \file
 *  \brief Which accelerations are prescribed: the partitions on which hybrid dynamics is proved.
 */
#pragma once
#include <articulate/hybrid/hybrid_dynamics.hpp>
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

}  // namespace articulate::validation
