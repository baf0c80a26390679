/** \file
 *  \brief Machines by joint frames: three translations and two turns from each joint to the next; and as screws.
 *
 *  - Paper: Ma, Zhong, Wang, Li 2021, section 3.1, \eq{ma,21}, \eq{ma,22}.
 *  - Chapter: \ref mechanisms
 */
#pragma once
#include <articulate/lagrange/product_of_exponentials.hpp>  // OffsetsBetween, OffsetBehind
#include <articulate/model/recursion.hpp>                   // require_size

namespace articulate {

// [joint-frame]
/** \brief A joint after \eq{ma,21}: go a, b, d along x, y, z of the frame before, turn by alpha about x, then by theta
 *  about the new z.
 *
 *  A joint that turns does it about its own z: theta is where it begins. One that slides keeps theta and is carried along
 *  `slide`, which is seen from the frame before and has length 1.
 */
template <typename Scalar>
struct JointFrame {
  Scalar a = Scalar(0), b = Scalar(0), d = Scalar(0);  ///< m
  Scalar alpha = Scalar(0), theta = Scalar(0);         ///< rad
  JointType type = JointType::revolute;                ///< revolute, continuous or prismatic
  Vector3<Scalar> slide{Scalar(0), Scalar(0), Scalar(1)};
};

/// \brief \f${}^{i-1}T_i\f$ at the joint's coordinate q (rad, m) \eq{ma,21}.
template <typename Scalar>
SE3<Scalar> pose(const JointFrame<Scalar>& joint, const Scalar& q)
{
  const Vector3<Scalar> x{Scalar(1), Scalar(0), Scalar(0)}, z{Scalar(0), Scalar(0), Scalar(1)},
      p{joint.a, joint.b, joint.d};
  const bool slides = joint.type == JointType::prismatic;
  const Scalar theta = slides ? joint.theta : joint.theta + q;
  return {exp(joint.alpha * x) * exp(theta * z), slides ? p + q * joint.slide : p};
}

/// \brief \f$\xi_i\f$: the body twist that a unit rate of the joint makes, (0,0,1; 0) or (0; slide) \eq{ma,24}.
template <typename Scalar>
Twist<Scalar> screw(const JointFrame<Scalar>& joint)
{
  if (joint.type != JointType::prismatic) return {{Scalar(0), Scalar(0), Scalar(1)}, {}};
  return {{}, inverse(pose(joint, Scalar(0)).R) * joint.slide};
}
// [joint-frame]

/// \brief A chain of joint frames; what the five numbers cannot say stands before the first joint and behind the last.
template <typename Scalar>
struct JointFrameChain {
  SE3<Scalar> base;                        ///< the frame before the first joint, in the world
  std::vector<JointFrame<Scalar>> joints;  ///< from the base outward
  SE3<Scalar> tip;                         ///< in the frame of the last joint
};

/** \brief \f${}^0T_1, \ldots, {}^0T_n\f$: all joint frames in the world \eq{ma,22}.
 *  \param q  one coordinate for each joint (rad, m)
 *  \throws SizeError
 */
template <typename Scalar>
std::vector<SE3<Scalar>> poses(const JointFrameChain<Scalar>& chain, const VectorX<Scalar>& q)
{
  detail::require_size("q", q, static_cast<int>(chain.joints.size()));
  std::vector<SE3<Scalar>> all;
  for (const JointFrame<Scalar>& joint : chain.joints)
    all.push_back((all.empty() ? chain.base : all.back()) * pose(joint, Scalar(q(std::ssize(all)))));
  return all;
}

namespace detail {

/// \brief What any axis needs, of joints that five numbers place.
template <typename Scalar>
void require_placed_joint(const JointFrame<Scalar>& joint, const std::string& which)
{
  const bool slides = joint.type == JointType::prismatic;
  if (!slides && joint.type != JointType::revolute && joint.type != JointType::continuous)
    throw ModelError(which +
                     " neither turns nor slides; a joint frame is that of a revolute, continuous or prismatic joint.");
  for (const Scalar& x : {joint.a, joint.b, joint.d, joint.alpha, joint.theta})
    if (!std::isfinite(static_cast<double>(comparable(x))))
      throw ModelError(which + " has a length or an angle that is not a finite number.");
  if (!slides) return;
  using std::sqrt;
  const Scalar length = sqrt(inner(joint.slide, joint.slide));
  if (!(comparable(magnitude(Scalar(length - Scalar(1)))) <= 1e-12))
    throw ModelError(which + " slides along a direction of length " +
                     std::to_string(static_cast<double>(comparable(length))) + "; a direction has length 1.");
}

}  // namespace detail

// [to-screws]
/** \brief A chain as screws with the offsets between them: \f${}^{i-1}T_i = M_ie^{\xi_iq_i} = e^{\Ad_{M_i}\xi_iq_i}M_i\f$.
 *
 *  `offset_behind` brings all screws to the base, `offset_before` to the tip.
 *  \throws ModelError when there is no joint, or one that neither turns nor slides
 */
template <typename Scalar>
OffsetsBetween<Scalar> offsets_between(const JointFrameChain<Scalar>& chain)
{
  if (chain.joints.empty()) throw ModelError("the chain has no joint, so that it has no screw; it needs at least one.");
  OffsetsBetween<Scalar> form;
  SE3<Scalar> before = chain.base;
  for (const JointFrame<Scalar>& joint : chain.joints) {
    detail::require_placed_joint(joint, "joint " + std::to_string(form.P.size() + 1));
    const SE3<Scalar> M = before * pose(joint, Scalar(0));
    form.P.push_back(Ad(M, screw(joint)));
    form.M.push_back(M);
    before = {};
  }
  form.M.back() = form.M.back() * chain.tip;
  return form;
}
// [to-screws]

/** \brief The way back: joint frames on the axes of screws in the base frame, along their common normals.
 *
 *  The frames that Denavit and Hartenberg want; so `denavit_hartenberg` takes the result as it is. Screws leave a choice:
 *  - Frame k has z along screw k and x along the common normal from axis k to the next; its origin is the foot of it.
 *  - Where two axes are parallel there are many normals: it is the one through the origin that the axis before would
 *    give. Where they coincide x stays, and so does the origin.
 *  - A slide has a direction and no place: its axis goes through the origin before it.
 *  - The first frame at rest is the base of the chain, and its five numbers are zero; the last one keeps the x before it.
 *  \param form      turns, |w| = 1 and w.v = 0, and slides, w = 0 and |v| = 1
 *  \param parallel  axes count as parallel when the sine of their angle is at most this
 *  \throws ModelError naming a screw that neither turns nor slides
 */
template <typename Scalar>
JointFrameChain<Scalar> joint_frames(const OffsetBehind<Scalar>& form,
                                     const Scalar& parallel = Scalar(64) * std::numeric_limits<Scalar>::epsilon())
{
  using std::atan2, std::sqrt;
  const auto length = [](const Vector3<Scalar>& x) -> Scalar { return sqrt(inner(x, x)); };
  const int n = static_cast<int>(form.A.size());
  if (n == 0) throw ModelError("there is no screw, so that no axis can have a frame; a chain needs at least one.");

  // Every axis: its direction, and the point of it that is nearest to the base.
  Indexed<Vector3<Scalar>> z(n), point(n);
  Indexed<bool> slides(n);
  for (int k = 0; k < n; ++k) {
    const Twist<Scalar>& A = form.A[k];
    const Scalar turn = length(A.w), pitch = inner(A.w, A.v), speed = length(A.v);
    slides[k] = comparable(turn) == 0;
    const bool unit = comparable(magnitude(Scalar((slides[k] ? speed : turn) - Scalar(1)))) <= 1e-12;
    if (!unit || comparable(magnitude(pitch)) > comparable(Scalar(parallel * (Scalar(1) + speed))))
      throw ModelError("screw " + std::to_string(k + 1) +
                       " neither turns nor slides; |w| = 1 and w.v = 0 make a turn, w = 0 and |v| = 1 a slide.");
    z[k] = slides[k] ? A.v : A.w;
    if (!slides[k]) point[k] = cross(A.w, A.v);
  }

  // Every frame at rest: x along the normal to the next axis, the origin at its foot.
  Indexed<Vector3<Scalar>> x(n), origin(n);
  x[0] = rotation_from_z(z[0]).matrix.column(0);  // where nothing comes before
  for (int k = 0; k < n; ++k) {
    if (k > 0) {
      if (slides[k]) point[k] = origin[k - 1];
      // The foot on this axis of the normal before.
      origin[k] = point[k] + inner(z[k], origin[k - 1] - point[k]) * z[k];
      x[k] = x[k - 1];
    } else {
      origin[k] = point[k];
    }
    if (k + 1 == n) break;
    const Vector3<Scalar> normal = cross(z[k], z[k + 1]);
    const Scalar sine = length(normal);
    if (comparable(sine) > comparable(parallel)) {
      x[k] = Scalar(1) / sine * normal;
      if (!slides[k + 1]) {  // go along z until only the normal is between the axes
        const Vector3<Scalar> way = point[k + 1] - origin[k];
        origin[k] = origin[k] + inner(cross(way, z[k + 1]), normal) / (sine * sine) * z[k];
      }
    } else if (!slides[k + 1]) {
      const Vector3<Scalar> way = point[k + 1] - origin[k], across = way - inner(z[k], way) * z[k];
      const Scalar distance = length(across);
      if (comparable(distance) > comparable(Scalar(parallel * (Scalar(1) + length(way)))))
        x[k] = Scalar(1) / distance * across;
    }
  }

  // The five numbers of each frame, seen from the one before.
  const auto frame = [&](int k) {
    return SE3<Scalar>{SO3<Scalar>(Matrix3<Scalar>::of_columns(x[k], cross(z[k], x[k]), z[k])), origin[k]};
  };
  JointFrameChain<Scalar> chain;
  chain.base = frame(0);
  for (int k = 0; k < n; ++k) {
    const int before = k > 0 ? k - 1 : 0;
    const SO3<Scalar> seen = inverse(frame(before).R);
    const Vector3<Scalar> p = seen * (origin[k] - origin[before]), own = seen * z[k];
    JointFrame<Scalar> joint{p[0], p[1], p[2], atan2(Scalar(Scalar(0) - own[1]), own[2])};
    joint.theta = atan2(inner(cross(x[before], x[k]), z[k]), inner(x[before], x[k]));
    joint.type = slides[k] ? JointType::prismatic : JointType::revolute;
    joint.slide = own;
    chain.joints.push_back(joint);
  }
  chain.tip = inverse(frame(n - 1)) * form.M;
  return chain;
}

/// \brief A link of a machine that is made of joint frames, with the joint that carries it.
struct FramedLink {
  std::string joint;         ///< its name
  JointFrame<double> frame;  ///< from the frame of the parent
  std::string parent;        ///< the name of the link that carries
  Link link;                 ///< in the frame of its joint
};

// [mechanism-of-frames]
/** \brief A tree of joint frames as a mechanism, from which a Model is made.
 *
 *  Angles become quaternions in double; a Model in another scalar has these quaternions' angles.
 *  \param base  the link that carries all others
 *  \throws ModelError naming a joint that neither turns nor slides; what else cannot be meant the Model refuses
 */
inline Mechanism mechanism_of(const std::string& name, const Link& base, const std::vector<FramedLink>& links,
                              const std::array<double, 3>& gravity = {0, 0, -9.81})
{
  Mechanism mechanism{name, name, {base}, {}, gravity, {}};
  for (const FramedLink& one : links) {
    const JointFrame<double>& frame = one.frame;
    detail::require_placed_joint(frame, name + ": joint '" + one.joint + "'");
    const Quaternion<double> turn =
        quaternion_exp(Vector3<double>{frame.alpha, 0, 0}) * quaternion_exp(Vector3<double>{0, 0, frame.theta});
    const Twist<double> xi = screw(frame);
    const Vector3<double>& axis = frame.type == JointType::prismatic ? xi.v : xi.w;
    mechanism.joints.push_back({one.joint,
                                frame.type,
                                one.parent,
                                one.link.name,
                                {frame.a, frame.b, frame.d},
                                {turn.v[0], turn.v[1], turn.v[2], turn.w},
                                {axis[0], axis[1], axis[2]}});
    mechanism.links.push_back(one.link);
  }
  return mechanism;
}
// [mechanism-of-frames]

}  // namespace articulate
