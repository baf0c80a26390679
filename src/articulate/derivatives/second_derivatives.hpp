/** \file
 *  \brief All second derivatives of inverse dynamics at once, in O(n d^2) for a tree of depth d.
 *
 *  - Chapter: \ref derivatives, \eq{ours,50} to \eq{ours,54}.
 */
#pragma once
#include <articulate/derivatives/subtree_changes.hpp>
#include <articulate/rnea/inverse_dynamics.hpp>

namespace articulate {

/// \brief For each answer, by its number, the nv x nv matrix of its second derivatives.
template <typename Scalar>
using Hessians = Indexed<MatrixX<Scalar>>;

/** \brief \f$\partial^2\tau/\partial q\partial q,\ \partial^2\tau/\partial q\partial\dot q,\
 *  \partial^2\tau/\partial\dot q\partial\dot q,\ \partial M/\partial q\f$ of a tree: the Hessians of its joint forces.
 *
 *  Also known as second-order derivatives of the RNEA (Pinocchio: ComputeRNEASecondOrderDerivatives).
 *
 *  Two changes meet behind the later of their joints. Everything there still moves as one rigid body, so that together
 *  they are again a twist and a generalised acceleration; and one term of the Newton-Euler equation is quadratic.
 *
 *  Derivatives with respect to q are along joint displacements, the first index first: of a ball or free joint to
 *  \f$T e^{[\delta_j]}e^{[\delta_k]}\f$ with its rate, the body twist, held. Two displacements of one such joint do not
 *  commute: there `dq_dq` is not symmetric.
 */
template <typename Scalar>
class InverseDynamicsSecondDerivatives : SubtreeChanges<Scalar> {
  using Base = SubtreeChanges<Scalar>;
  using Base::subtree_, Base::column_;

public:
  Hessians<Scalar> dq_dq;    ///< [i](j, k): \f$\partial^2\tau_i/\partial q_j\partial q_k\f$
  Hessians<Scalar> dq_dqd;   ///< [i](j, k): \f$\partial^2\tau_i/\partial q_j\partial\dot q_k\f$
  Hessians<Scalar> dqd_dqd;  ///< [i](j, k): \f$\partial^2\tau_i/\partial\dot q_j\partial\dot q_k\f$
  Hessians<Scalar> dq_dqdd;  ///< [i](j, k): \f$\partial^2\tau_i/\partial q_j\partial\ddot q_k\f$, that of \f$M_{ik}\f$

  explicit InverseDynamicsSecondDerivatives(const Model<Scalar>& model)
      : Base(model),
        dq_dq(model.nv(), MatrixX<Scalar>::Zero(model.nv(), model.nv())),
        dq_dqd(dq_dq),
        dqd_dqd(dq_dq),
        dq_dqdd(dq_dq),
        degree_(model.nv())
  {
    for (const Body<Scalar>& body : model.outward()) put_in_order(model, body);
    for (int k = 0; k < model.nv(); ++k)
      for (const auto* earlier : {&degree_[k].before, &degree_[k].beside})
        for (const int j : *earlier) degree_[j].from_here.push_back(k);
  }

  /** \brief Fill the Hessians.
   *  \param rnea  inverse dynamics, run at the state   \param qd, qdd  the nv rates and accelerations of that run
   *  \throws SizeError naming the argument, the length given and the length expected
   *  \throws StateError when inverse dynamics has not run
   */
  void operator()(const InverseDynamics<Scalar>& rnea, const VectorRef<Scalar>& qd, const VectorRef<Scalar>& qdd)
  {
    this->carry_out(rnea, qd, qdd);
    const Model<Scalar>& model = rnea.model();
    this->gather(model, rnea.F);
    for (int k = 0; k < model.nv(); ++k) set_changes(k);
    // [second-derivatives]
    for (const Body<Scalar>& body : model.outward())
      for (int k = body.v; k < body.v + body.nv; ++k) {
        const Degree& x = degree_[k];
        for (const int j : x.beside) {
          const Degree& u = degree_[j];
          fill(dq_dq, u.q, x.q, meet(u.q, x.q));
          fill(dq_dqd, u.q, x.qd, meet(u.q, x.qd));
          fill(dqd_dqd, u.qd, x.qd, {});  // parts of one twist, which has no bracket with itself
          fill(dq_dqdd, u.q, x.qdd, {});
        }
        for (const int j : x.before) {
          const Degree& u = degree_[j];
          fill(dq_dq, u.q, x.q, meet(u.q, x.q));
          fill(dq_dqd, u.q, x.qd, meet(u.q, x.qd));
          fill(dq_dqd, u.qd, x.q, meet(u.qd, x.q));
          fill(dqd_dqd, u.qd, x.qd, meet(u.qd, x.qd));
          fill(dq_dqdd, u.q, x.qdd, {});
          fill(dq_dqdd, u.qdd, x.q, meet(u.qdd, x.q));
        }
      }
    // Changes of different joints commute.
    for (int k = 0; k < model.nv(); ++k)
      for (const int j : degree_[k].before)
        for (auto* of : {&dq_dq, &dqd_dqd})
          for (MatrixX<Scalar>& H : *of) H(k, j) = H(j, k);
    // [second-derivatives]
  }

private:
  /// What moves everything behind a joint: \f$\partial V_i = c\f$, \f$\partial\dot V_i = g - [V_i, c]\f$.
  struct Motion {
    Twist<Scalar> c, g;
  };
  /// A coordinate, a rate or an acceleration of a degree of freedom.
  struct Change : Motion {
    int degree = 0;
    bool displaces = false;  // a coordinate does
    Wrench<Scalar> F;        // what the subtree needs more, seen from before the joint
  };
  /// A degree of freedom on its path from the base: those of a joint of several coordinates are in series, those of a
  /// ball or a free joint side by side.
  struct Degree {
    Indexed<int> before;     // on the path from the base, in this order
    Indexed<int> beside;     // and itself
    Indexed<int> from_here;  // beside and behind
    Change q, qd, qdd;
    typename Base::template Subtree<Scalar> subtree;
    typename Base::template Column<Scalar> column;
    Inertia<Scalar> displaced;  // how the inertia of the subtree changes when its frame is displaced along the degree
  };

  void put_in_order(const Model<Scalar>& model, const Body<Scalar>& body)
  {
    Indexed<int> before;
    if (body.parent != 0) {
      const Body<Scalar>& parent = model.body(body.parent);
      const Degree& last = degree_[parent.v + parent.nv - 1];
      before = last.before;
      before.insert(before.end(), last.beside.begin(), last.beside.end());
    }
    const bool side_by_side = body.kind == JointKind::ball || body.kind == JointKind::free;
    for (int k = body.v; k < body.v + body.nv; ++k) {
      degree_[k].before = before;
      if (side_by_side)
        for (int j = body.v; j < body.v + body.nv; ++j) degree_[k].beside.push_back(j);
      else
        degree_[k].beside = {k}, before.push_back(k);
    }
  }

  // [changes]
  /// What each variable of a degree of freedom does to everything behind it.
  void set_changes(int k)
  {
    Degree& degree = degree_[k];
    const auto& C = degree.subtree = subtree_(k);
    const auto& x = degree.column = column_(k);
    degree.q = {{x.c_q, x.g_q}, k, true, C.needs(x.c_q, x.g_q) - coad(x.J, x.F)};
    degree.qd = {{x.J, x.g_qd}, k, false, C.needs(x.J, x.g_qd)};
    degree.qdd = {{{}, x.J}, k, false, x.IJ};
    degree.displaced = coad(x.J, C.I);
  }
  // [changes]

  // [meet]
  /// What two changes do together, behind the later of their joints, that of x.
  Motion meet(const Change& u, const Change& x) const
  {
    const Twist<Scalar>& J = degree_[x.degree].column.J;
    if (!x.displaces) return {{}, ad(u.c, x.c)};
    return {ad(u.c, J), ad(u.g, J) + ad(u.c, x.c)};
  }

  /// All rows of one column of the Hessians: u first, then x.
  void fill(Hessians<Scalar>& H, const Change& u, const Change& x, const Motion& both)
  {
    const auto& C = degree_[x.degree].subtree;
    const int j = x.displaces && !u.displaces ? x.degree : u.degree, k = u.degree + x.degree - j;
    for (const int i : degree_[x.degree].from_here) {
      const Degree& row = degree_[i];
      H[i](j, k) = pairing(row.column.IJ, both.g) + inner(row.column.BJ, both.c.w) + pairing(row.displaced * u.c, x.c);
    }

    Wrench<Scalar> F = C.needs(both.c, both.g) - coad(u.c, C.I * x.c) - coad(x.c, C.I * u.c);
    if (x.displaces) F = F - coad(degree_[x.degree].column.J, C.needs(u.c, u.g));
    const Wrench<Scalar> displaced = u.displaces ? F - coad(degree_[u.degree].column.J, x.F) : F;
    const Indexed<int>& before = degree_[x.degree].before;
    const std::size_t before_u = degree_[u.degree].before.size();
    for (std::size_t l = 0; l < before.size(); ++l)
      H[before[l]](j, k) = pairing(l < before_u ? displaced : F, degree_[before[l]].column.J);
  }
  // [meet]

  Indexed<Degree> degree_;
};

/// \brief Second derivatives of what dynamics finds, by the number of the answer nv x nv each; the first index is of q where
/// there is one.
template <typename Scalar>
struct DynamicsHessians {
  Hessians<Scalar> q_q, q_qd, qd_qd, q_given;
};

/** \brief \f$\partial^2\tau/\partial q\partial q,\ \partial q\partial\dot q,\ \partial\dot q\partial\dot q\f$ and
 *  \f$\partial q\partial\ddot q\f$, which is \f$\partial M/\partial q\f$, in one line; see InverseDynamicsSecondDerivatives.
 *
 *  The arguments are those of inverse_dynamics().
 */
template <typename Scalar>
DynamicsHessians<Scalar> inverse_dynamics_hessians(const Model<Scalar>& model, VectorArgument<Scalar> q,
                                                   VectorArgument<Scalar> qd, VectorArgument<Scalar> qdd,
                                                   const ExternalWrenches<Scalar>& Fext = {})
{
  InverseDynamics<Scalar> rnea(model);
  rnea(q, qd, qdd, Fext);
  InverseDynamicsSecondDerivatives<Scalar> of(model);
  of(rnea, qd, qdd);
  return {of.dq_dq, of.dq_dqd, of.dqd_dqd, of.dq_dqdd};
}

}  // namespace articulate
