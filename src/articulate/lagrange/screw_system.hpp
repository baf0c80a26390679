/** \file
 *  \brief A mechanism as constant screws in one frame: every coordinate turns or slides about a line of the base.
 *
 *  - Paper: Park 1995, sections 2.4, 4 and 4.1, \eq{park,12} to \eq{park,14}, \eq{park,30} to \eq{park,46}.
 *  - Chapter: \ref lagrange
 */
#pragma once
#include <articulate/model/joint.hpp>
#include <articulate/model/model.hpp>

namespace articulate {

/** \brief The screws of a tree at x = 0, all seen from the base, and what they carry.
 *
 *  As printed it is a chain of one-degree joints. A joint of several coordinates is a product of exponentials, which is a
 *  chain of one-degree joints whose first bodies have no mass: so there is one screw per coordinate. In a tree "j is
 *  before i" means that coordinate j carries coordinate i. Ball and free joints without coordinates have no such screws.
 */
template <typename Scalar>
class ScrewSystem {
public:
  Indexed<Twist<Scalar>> A;    ///< \f$A_k\f$, one per coordinate, in the base frame at x = 0
  Indexed<int> carrier;        ///< the coordinate before the k-th, -1 at the base
  Indexed<int> last;           ///< the last coordinate of body i (index 0, the world, is not used)
  Indexed<SE3<Scalar>> M;      ///< \f$M_i\f$, the pose of body i at x = 0
  Indexed<Inertia<Scalar>> D;  ///< \f$\mathcal D_i\f$, body i about the base's origin at x = 0 \eq{park,44}

  /// \brief The screws of a model.   \throws ModelError naming a ball or free joint, which has no coordinates
  explicit ScrewSystem(const Model<Scalar>& model) : A(model.nv()), carrier(model.nv())
  {
    // [screws-of-model]
    last.assign(1, -1);
    M.resize(1), D.resize(1);
    const VectorX<Scalar> zero = VectorX<Scalar>::Zero(model.nq());
    for (const Body<Scalar>& body : model.outward()) {
      const int i = body.index;
      require_coordinates(model, body);
      JointJacobian<Scalar> S(body);
      M.push_back(M[body.parent] * S.place(body, zero.data()));
      D.push_back(coAdInv(M[i], body.I));
      for (int k = 0; k < body.nv; ++k) {
        A[body.v + k] = Ad(M[i], S.column(k));
        carrier[body.v + k] = k == 0 ? last[body.parent] : body.v + k - 1;
      }
      last.push_back(body.v + body.nv - 1);
    }
    // [screws-of-model]
  }

  int coordinates() const { return static_cast<int>(A.size()); }

  /// \brief Whether coordinate j is on the way from the base to coordinate i, itself included.
  bool carries(int j, int i) const
  {
    while (i > j) i = carrier[i];
    return i == j;
  }

  // [screw-poses]
  /// \brief \f$e^{A_1x_1}\cdots e^{A_kx_k}\f$ over the coordinates before the k-th and itself; k = -1 gives the identity.
  SE3<Scalar> displacement(int k, const VectorX<Scalar>& x) const
  {
    SE3<Scalar> e;
    for (; k >= 0; k = carrier[k]) e = exp(A[k], x(k)) * e;
    return e;
  }

  /// \brief \f$f_i = e^{A_1x_1}\cdots e^{A_ix_i}M_i\f$: the pose of body i \eq{park,31}.
  SE3<Scalar> pose(int i, const VectorX<Scalar>& x) const { return displacement(last[i], x) * M[i]; }

  /** \brief \f$\Ad_j^{i+1}(H)\f$: H, seen from behind coordinate i, as it is seen from behind coordinate j \eq{park,37}.
   *
   *  \f$i+1\f$ is the next coordinate on the way to j; i = -1 is the base. Where j does not come after i, it is H itself.
   */
  Twist<Scalar> carried(const Twist<Scalar>& H, int i, int j, const VectorX<Scalar>& x) const
  {
    if (i >= 0 && !carries(i, j)) return H;
    SE3<Scalar> e;
    for (; j != i; j = carrier[j]) e = exp(A[j], x(j)) * e;
    return AdInv(e, H);
  }
  // [screw-poses]

private:
  static void require_coordinates(const Model<Scalar>& model, const Body<Scalar>& body)
  {
    if (body.kind == JointKind::screw || body.kind == JointKind::chart) return;
    for (const JointSlot& joint : model.joints())
      if (joint.body == body.index)
        detail::refuse(model.mechanism(), "joint '" + joint.name +
                                              "' has an orientation and no coordinates, so that it is no product of "
                                              "exponentials of constant screws; give it three angles.");
  }
};

}  // namespace articulate
