/** \file
 *  \brief A tree seen from one frame: there, all bodies behind a joint share its columns, and a subtree enters by sums.
 *
 *  - Paper: Kim 2012, \eq{kim,21}; Park 1995, \eq{park,40}.
 *  - Chapter: \ref model
 */
#pragma once
#include <articulate/model/recursion.hpp>

namespace articulate {

/** \brief The poses of all bodies in one frame for all that a root carries.
 *
 *  It has the axes of the root, and its origin in the body with which the trunk ends: where the tree first branches, of a
 *  chain in its tip. Seen from the world's origin the digits would depend on where the mechanism stands; seen from the
 *  root's a light hand would lose those of its moments, which are small differences there of large ones.
 */
template <typename Scalar>
class RootPoses {
public:
  Indexed<SE3<Scalar>> X;  ///< the body

  explicit RootPoses(const Model<Scalar>& model) : X(model.bodies() + 1), next_(X.size(), 0), on_trunk_(next_)
  {
    for (const Body<Scalar>& body : model.outward()) ++next_[body.parent];
    for (const Body<Scalar>& body : model.outward())
      on_trunk_[body.index] = body.parent == 0 || (on_trunk_[body.parent] && next_[body.parent] == 1);
  }

  // [stand]
  /// \brief Where all bodies are that the recursion has placed.
  void stand(const Recursion<Scalar>& r)
  {
    for (const Body<Scalar>& body : r.model().outward()) {
      const int i = body.index, parent = body.parent;
      X[i].R = parent == 0 ? SO3<Scalar>{} : X[parent].R * r.T[i].R;
    }
    // Places are counted from the end of the trunk, along it inward, elsewhere outward.
    for (const Body<Scalar>& body : r.model().inward()) {
      const int i = body.index;
      if (on_trunk_[i]) X[i].p = next_[i] == 1 ? X[i + 1].p - X[i].R * r.T[i + 1].p : Vector3<Scalar>{};
    }
    for (const Body<Scalar>& body : r.model().outward())
      if (!on_trunk_[body.index]) X[body.index].p = X[body.parent] * r.T[body.index].p;
  }
  // [stand]

private:
  Indexed<int> next_, on_trunk_;  // by body: how many are next to it outward; whether nothing before it branches
};

/// \brief Every body and every column of S, seen from the frame of RootPoses.
template <typename Scalar>
class RootFrame : public RootPoses<Scalar> {
  using Base = RootPoses<Scalar>;

public:
  using Base::X;
  Indexed<Inertia<Scalar>> I;  ///< the body's inertia, and after `gather` that of everything behind it
  Indexed<Twist<Scalar>> J;    ///< by rate: the columns of its joint

  explicit RootFrame(const Model<Scalar>& model) : Base(model), I(X.size()), J(model.nv()) {}

  // [root-frame]
  /// \brief A body by itself.
  void place(const Body<Scalar>& body, const Recursion<Scalar>& r)
  {
    const int i = body.index;
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
