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

namespace detail {

/// \brief Why the k-th of some twists is not the screw of a joint; empty if it is.
template <typename Scalar>
std::string fault_of_screw(const Twist<Scalar>& A, int k)
{
  using std::sqrt;
  const auto length = [](const Vector3<Scalar>& x) { return static_cast<double>(comparable(sqrt(inner(x, x)))); };
  const double turn = length(A.w), slide = length(A.v);
  if (std::abs(turn - 1) < 1e-12 || (turn == 0 && std::abs(slide - 1) < 1e-12)) return "";
  return "screw " + std::to_string(k + 1) + " has an angular part of length " + std::to_string(turn) +
         " and a linear part of length " + std::to_string(slide) +
         "; a turn has angular length 1, a slide has 0 and linear length 1.";
}

/// \brief The inertia whose 6x6 matrix this is.   \throws Error when there is none, to half of the digits
template <typename Scalar>
Inertia<Scalar> inertia_of_matrix(const Matrix6<Scalar>& G, std::size_t k)
{
  const Inertia<Scalar> I{G(5, 5), {G(2, 4), G(0, 5), G(1, 3)}, {G(0, 0), G(0, 1), G(0, 2), G(1, 1), G(1, 2), G(2, 2)}};
  if (!(largest(G - I.matrix()) <= std::ldexp(largest(G), -26)))
    throw Error(
        "G[" + std::to_string(k) +
        "] is no spatial inertia; that of a body is [J, m [c]; -m [c], m 1] with a symmetric J, angular part first.");
  return I;
}

}  // namespace detail

/** \brief The screws of a tree at x = 0, all seen from the base, and what they carry.
 *
 *  As printed it is a chain of one-DoF joints. A joint of several coordinates is a product of exponentials, which is a
 *  chain of one-DoF joints whose first bodies have no mass: so there is one screw per coordinate. In a tree "j is
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
  explicit ScrewSystem(const Model<Scalar>& model) : ScrewSystem()
  {
    A.resize(model.nv()), carrier.resize(model.nv());
    // [screws-of-model]
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

  /** \brief A chain of one-DoF joints from the three lists of Lynch and Park, *Modern Robotics*, chapter 8.
   *  \param Mlist  link frame i in link frame i - 1 (the base for the first) at x = 0, n of them; that of a tip, which
   *                carries nothing, may follow
   *  \param Slist  the n screws in the base frame at x = 0, angular part first
   *  \param Glist  the n spatial inertias in their link frames, angular part first (kg m^2, kg m, kg)
   *  \throws Error naming the list and the entry: other lengths, no screw of a joint, no inertia of a body
   */
  static ScrewSystem of_lists(const std::vector<SE3<Scalar>>& Mlist, const std::vector<Twist<Scalar>>& Slist,
                              const std::vector<Matrix6<Scalar>>& Glist)
  {
    const std::size_t n = Slist.size();
    if (Glist.size() != n || (Mlist.size() != n && Mlist.size() != n + 1))
      throw Error("the lists have " + std::to_string(Mlist.size()) + " poses, " + std::to_string(n) + " screws and " +
                  std::to_string(Glist.size()) +
                  " inertias; a chain needs as many of each, and may have one pose more, that of its tip.");
    ScrewSystem chain;
    for (std::size_t k = 0; k < n; ++k) {
      if (const std::string fault = detail::fault_of_screw(Slist[k], static_cast<int>(k)); !fault.empty())
        throw Error(fault);
      chain.A.push_back(Slist[k]);
      chain.carrier.push_back(static_cast<int>(k) - 1);
      chain.last.push_back(static_cast<int>(k));
      chain.M.push_back(chain.M.back() * Mlist[k]);
      chain.D.push_back(coAdInv(chain.M.back(), detail::inertia_of_matrix(Glist[k], k)));
    }
    return chain;
  }

  int coordinates() const { return static_cast<int>(A.size()); }

  /// \brief Whether coordinate j is on the path from the base to coordinate i, itself included.
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
   *  \f$i+1\f$ is the next coordinate towards j; i = -1 is the base. Where j does not come after i, it is H itself.
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
  ScrewSystem() : last{-1}, M(1), D(1) {}

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
