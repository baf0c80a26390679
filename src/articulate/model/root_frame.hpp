/** \file
 *  \brief A tree seen from its roots: there, all bodies behind a joint share its columns, and a subtree enters by sums.
 *
 *  - Paper: Kim 2012, \eq{kim,21}; Park 1995, \eq{park,40}.
 *  - Chapter: \ref model
 */
#pragma once
#include <articulate/model/recursion.hpp>

namespace articulate {

/** \brief Every body and every column of S, in the frame of the root that carries it.
 *
 *  It is the root's own frame, not the world's: the digits then do not depend on where the mechanism stands.
 */
template <typename Scalar>
class RootFrame {
public:
  Indexed<SE3<Scalar>> X;      ///< the body
  Indexed<Inertia<Scalar>> I;  ///< its inertia, and after `gather` that of everything behind it
  Indexed<Twist<Scalar>> J;    ///< by rate: the columns of its joint

  explicit RootFrame(const Model<Scalar>& model) : X(model.bodies() + 1), I(X.size()), J(model.nv()) {}

  // [root-frame]
  /// \brief A body that the recursion has placed.
  void place(const Body<Scalar>& body, const Recursion<Scalar>& r)
  {
    const int i = body.index, parent = body.parent;
    X[i] = parent == 0 ? SE3<Scalar>{} : X[parent] * r.T[i];
    I[i] = coAdInv(X[i], body.I);
    for (int k = 0; k < body.nv; ++k) J[body.v + k] = r.S[i].column_seen_from(X[i], k);
  }

  /// \brief How the k-th column of a body's joint changes, at the given rates, as the body moves with V, seen from here.
  Twist<Scalar> column_rate(const Body<Scalar>& body, int k, const Recursion<Scalar>& r, const Twist<Scalar>& V,
                            Rates<Scalar> qd) const
  {
    const int i = body.index;
    const Twist<Scalar> carried = ad(V, J[body.v + k]);
    return r.S[i].is_constant() ? carried : carried + Ad(X[i], r.S[i].rate(k, qd(body)));
  }

  /// \brief Everything behind the body is behind its parent, too.
  void gather(const Body<Scalar>& body)
  {
    if (body.parent != 0) I[body.parent] = I[body.parent] + I[body.index];
  }
  // [root-frame]
};

}  // namespace articulate
