/** \file
 *  \brief The three forms of a chain as a product of exponentials, and the conversions between them and a model.
 *
 *  - Paper: Park 1995, section 2.4, \eq{park,12} to \eq{park,14}, and section 4, \eq{park,30}.
 *  - Chapter: \ref lagrange
 */
#pragma once
#include <articulate/lagrange/screw_system.hpp>

namespace articulate {

/** \brief \f$f = e^{P_1x_1}M_1\cdots e^{P_nx_n}M_n\f$: offsets between the joints, each screw in the preceding frame.
 *
 *  As many offsets as screws, and at least one of each.
 */
template <typename Scalar>
struct OffsetsBetween {
  Indexed<Twist<Scalar>> P;
  Indexed<SE3<Scalar>> M;
};

/// \brief \f$f = e^{A_1x_1}\cdots e^{A_nx_n}M\f$: all screws in the base frame.
template <typename Scalar>
struct OffsetBehind {
  Indexed<Twist<Scalar>> A;
  SE3<Scalar> M;
};

/// \brief \f$f = Me^{B_1x_1}\cdots e^{B_nx_n}\f$: all screws in the frame of the tip.
template <typename Scalar>
struct OffsetBefore {
  SE3<Scalar> M;
  Indexed<Twist<Scalar>> B;
};

// [three-forms]
/// \brief \f$A_k = \Ad_{M_1\cdots M_{k-1}}P_k\f$, \f$M = M_1\cdots M_n\f$ \eq{park,13}.
template <typename Scalar>
OffsetBehind<Scalar> offset_behind(const OffsetsBetween<Scalar>& form)
{
  OffsetBehind<Scalar> result;
  for (std::size_t k = 0; k < form.P.size(); ++k) {
    result.A.push_back(Ad(result.M, form.P[k]));
    result.M = result.M * form.M[k];
  }
  return result;
}

/// \brief \f$B_k = \Ad_{M^{-1}}A_k\f$ \eq{park,14}.
template <typename Scalar>
OffsetBefore<Scalar> offset_before(const OffsetBehind<Scalar>& form)
{
  OffsetBefore<Scalar> result{form.M, {}};
  for (const Twist<Scalar>& A : form.A) result.B.push_back(AdInv(form.M, A));
  return result;
}

/// \brief And back: \f$A_k = \Ad_MB_k\f$.
template <typename Scalar>
OffsetBehind<Scalar> offset_behind(const OffsetBefore<Scalar>& form)
{
  OffsetBehind<Scalar> result{{}, form.M};
  for (const Twist<Scalar>& B : form.B) result.A.push_back(Ad(form.M, B));
  return result;
}

/** \brief Back to offsets between the joints: all but the last are free to choose, and the last is what remains.
 *  \param offsets  \f$M_1, \ldots, M_{n-1}\f$
 */
template <typename Scalar>
OffsetsBetween<Scalar> offsets_between(const OffsetBehind<Scalar>& form, const std::vector<SE3<Scalar>>& offsets)
{
  OffsetsBetween<Scalar> result{{}, offsets};
  SE3<Scalar> before;
  for (std::size_t k = 0; k < form.A.size(); ++k) {
    result.P.push_back(AdInv(before, form.A[k]));
    if (k < offsets.size()) before = before * offsets[k];
  }
  result.M.push_back(inverse(before) * form.M);
  return result;
}
// [three-forms]

/// \brief The pose that a product of exponentials gives, in each form.
template <typename Scalar>
SE3<Scalar> pose(const OffsetsBetween<Scalar>& form, const VectorX<Scalar>& x)
{
  SE3<Scalar> f;
  for (int k = 0; k < std::ssize(form.P); ++k) f = f * exp(form.P[k], x(k)) * form.M[k];
  return f;
}
template <typename Scalar>
SE3<Scalar> pose(const OffsetBehind<Scalar>& form, const VectorX<Scalar>& x)
{
  SE3<Scalar> f;
  for (int k = 0; k < std::ssize(form.A); ++k) f = f * exp(form.A[k], x(k));
  return f * form.M;
}
template <typename Scalar>
SE3<Scalar> pose(const OffsetBefore<Scalar>& form, const VectorX<Scalar>& x)
{
  SE3<Scalar> f = form.M;
  for (int k = 0; k < std::ssize(form.B); ++k) f = f * exp(form.B[k], x(k));
  return f;
}

/// \brief The coordinates that carry a link, from the base outward.
template <typename Scalar>
Indexed<int> coordinates_before(const ScrewSystem<Scalar>& screws, const LinkFrame<Scalar>& link)
{
  Indexed<int> before;
  for (int k = screws.last[link.body]; k >= 0; k = screws.carrier[k]) before.insert(before.begin(), k);
  return before;
}

/// \brief A link of a model as a product of exponentials of the coordinates that carry it.
template <typename Scalar>
OffsetBehind<Scalar> offset_behind(const ScrewSystem<Scalar>& screws, const LinkFrame<Scalar>& link)
{
  OffsetBehind<Scalar> form{{}, screws.M[link.body] * link.X};
  for (const int k : coordinates_before(screws, link)) form.A.push_back(screws.A[k]);
  return form;
}

/** \brief A mechanism of one-DoF joints that has these screws: from screws back to a model.
 *
 *  Coordinates keep their order. At x = 0 all link frames have the axes of the base. A turn has its origin on the
 *  line of the screw, nearest to the base's origin; that of a slide has the origin of the coordinate before. A
 *  coordinate that is not the last of its body carries a link without mass.
 *  \throws ModelError naming a screw that is neither a turn (|w| = 1) nor a slide (w = 0, |v| = 1)
 */
inline Mechanism mechanism_of(const ScrewSystem<double>& screws, const std::array<double, 3>& gravity,
                              const std::string& source = "screws")
{
  Mechanism mechanism;
  mechanism.source = source;
  mechanism.gravity = gravity;
  Link base;
  base.name = "base";
  mechanism.links.push_back(base);
  const int n = screws.coordinates();
  Indexed<Vector3<double>> origin(n);
  for (int k = 0; k < n; ++k) {
    const Vector3<double>&w = screws.A[k].w, &v = screws.A[k].v;
    const double turn = std::sqrt(inner(w, w)), slide = std::sqrt(inner(v, v));
    const std::string number = std::to_string(1000000 + k + 1).substr(1);  // names sort as numbers do
    Joint joint;
    joint.name = "coordinate_" + number;
    joint.child = "link_" + number;
    joint.parent = screws.carrier[k] < 0 ? "base" : "link_" + std::to_string(1000000 + screws.carrier[k] + 1).substr(1);
    if (const std::string fault = detail::fault_of_screw(screws.A[k], k); !fault.empty())
      detail::refuse(mechanism, fault);
    if (turn != 0) {
      const double pitch = inner(w, v) / (turn * turn);
      origin[k] = 1 / (turn * turn) * cross(w, v);
      joint.type = std::abs(pitch) <= 1e-15 * slide ? JointType::revolute : JointType::helical;
      joint.pitch = joint.type == JointType::helical ? pitch : 0;
      joint.axis = {w[0], w[1], w[2]};
    } else {
      if (screws.carrier[k] >= 0) origin[k] = origin[screws.carrier[k]];
      joint.type = JointType::prismatic;
      joint.axis = {v[0], v[1], v[2]};
    }
    const Vector3<double> from = origin[k] - (screws.carrier[k] < 0 ? Vector3<double>{} : origin[screws.carrier[k]]);
    joint.position = {from[0], from[1], from[2]};
    mechanism.joints.push_back(joint);
    Link link;
    link.name = joint.child;
    mechanism.links.push_back(link);
  }
  for (std::size_t i = 1; i < screws.last.size(); ++i) {
    const int k = screws.last[i];
    Link& link = mechanism.links[k + 1];
    const Inertia<double> I = coAd(SE3<double>{{}, origin[k]}, screws.D[i]);
    link.mass = I.mass;
    Symmetric3<double> central = I.second_moment;
    if (I.mass > 0) {
      const Vector3<double> c = 1 / I.mass * I.first_moment;
      central = central - skew_products(I.mass / 2 * c, c);
      link.center_of_mass = {c[0], c[1], c[2]};
    }
    link.inertia = {central.xx, central.xy, central.xz, central.yy, central.yz, central.zz};
  }
  return mechanism;
}

}  // namespace articulate
