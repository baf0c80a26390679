/** \file
 *  \brief The state of a problem in intervals as the library takes it: what its answers have in common.
 */
#pragma once
#include <articulate/group/matrices.hpp>  // coordinates
#include <articulate/model/model.hpp>
#include <articulate/rnea/inverse_dynamics.hpp>
#include <reference/answers.hpp>
#include <reference/verified.hpp>

namespace articulate::reference {

/// \brief The state as it is given, or closed.
template <typename I>
struct LibraryState {
  const Model<I> model;
  VectorX<I> q, qd, qdd;
  const VectorX<I> tau, none;
  ExternalWrenches<I> Fext;

  explicit LibraryState(const Inputs& in)
      : model(Model<double>(in.mechanism, {in.options.floating_base, true})),
        q(exactly<I>(in.q)),
        qd(exactly<I>(in.qd)),
        qdd(exactly<I>(in.qdd)),
        tau(exactly<I>(in.tau)),
        none(VectorX<I>::Zero(model.nv())),
        Fext(model.bodies() + 1)
  {
    for (std::size_t l = 0; l < in.link_wrenches.size(); ++l) {
      const auto& x = in.link_wrenches[l];
      const LinkFrame<I>& link = model.link(in.mechanism.links[l].name);
      Fext[link.body] += coAdInv(link.X, Wrench<I>{{I(x[0]), I(x[1]), I(x[2])}, {I(x[3]), I(x[4]), I(x[5])}});
    }
  }
};

/** \brief What all loops do when they close at once, and of small machines how that changes.
 *  \param M  the mass matrix
 */
template <typename I>
void add_impulse(Answers& answers, const Problem& problem, const LibraryState<I>& state, const MatrixX<I>& M);

/** \brief Regressors of small machines, and derivatives of small trees, by the library's recursions.
 *  \param motion     how it moves under the forces given
 *  \param M_inverse  what its accelerations are of a unit of each force
 */
template <typename I>
void add_derivatives(Answers& answers, const Problem& problem, const LibraryState<I>& state, const VectorX<I>& motion,
                     const MatrixX<I>& M_inverse);

}  // namespace articulate::reference
