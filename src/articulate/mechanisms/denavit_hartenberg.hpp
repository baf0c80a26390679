/** \file
 *  \brief Tables of Denavit and Hartenberg, standard and modified, to and from joint frames.
 *
 *  - Paper: Ma, Zhong, Wang, Li 2021, section 3.1, which compares \eq{ma,21} with them.
 *  - Chapter: \ref mechanisms
 */
#pragma once
#include <articulate/mechanisms/joint_frames.hpp>

namespace articulate {

/** \brief Which of the two conventions a table follows. Nothing in a table tells.
 *
 *  They place the frame of link i at its two ends: the standard one on the axis of the next joint, the modified one on
 *  that of its own.
 */
enum class DenavitHartenberg {
  standard,  ///< distal: \f$R_z(\theta_i)\,D_z(d_i)\,D_x(a_i)\,R_x(\alpha_i)\f$
  modified   ///< proximal, Craig's: \f$R_x(\alpha_{i-1})\,D_x(a_{i-1})\,R_z(\theta_i)\,D_z(d_i)\f$
};

/// \brief A row of such a table. The joint's coordinate is added to theta if it turns, to d if it slides.
template <typename Scalar>
struct DenavitHartenbergRow {
  Scalar a = Scalar(0), alpha = Scalar(0), d = Scalar(0), theta = Scalar(0);  ///< m, rad, m, rad
  JointType type = JointType::revolute;                                       ///< revolute, continuous or prismatic
};

/// \brief A chain by its table.
template <typename Scalar>
struct DenavitHartenbergChain {
  DenavitHartenberg convention;
  SE3<Scalar> base;                                ///< the frame before the first row, in the world
  std::vector<DenavitHartenbergRow<Scalar>> rows;  ///< from the base outward
  SE3<Scalar> tip;                                 ///< in the frame of the last row
};

// [dh-pose]
/// \brief The frame of a row in that of the row before, at the joint's coordinate q (rad, m).
template <typename Scalar>
SE3<Scalar> pose(const DenavitHartenbergRow<Scalar>& row, DenavitHartenberg convention, const Scalar& q)
{
  const Vector3<Scalar> x{Scalar(1), Scalar(0), Scalar(0)}, z{Scalar(0), Scalar(0), Scalar(1)};
  const bool slides = row.type == JointType::prismatic;
  const Scalar theta = slides ? row.theta : Scalar(row.theta + q), d = slides ? Scalar(row.d + q) : row.d;
  const SE3<Scalar> about_z{exp(theta * z), d * z};
  const SE3<Scalar> about_x{exp(row.alpha * x), row.a * x};
  return convention == DenavitHartenberg::standard ? about_z * about_x : about_x * about_z;
}
// [dh-pose]

/** \brief All frames of a table in the world.
 *  \param q  one coordinate for each row (rad, m)
 *  \throws SizeError
 */
template <typename Scalar>
std::vector<SE3<Scalar>> poses(const DenavitHartenbergChain<Scalar>& chain, const VectorX<Scalar>& q)
{
  detail::require_size("q", q, static_cast<int>(chain.rows.size()));
  std::vector<SE3<Scalar>> all;
  for (const DenavitHartenbergRow<Scalar>& row : chain.rows)
    all.push_back((all.empty() ? chain.base : all.back()) * pose(row, chain.convention, Scalar(q(std::ssize(all)))));
  return all;
}

namespace detail {

/// \brief \f$D_x(a)\,R_x(\alpha)\f$ of a row.
template <typename Scalar>
SE3<Scalar> along_x(const DenavitHartenbergRow<Scalar>& row)
{
  const Vector3<Scalar> x{Scalar(1), Scalar(0), Scalar(0)};
  return {exp(row.alpha * x), row.a * x};
}

}  // namespace detail

// [dh-shift]
/** \brief The same chain by the other convention, or by its own.
 *
 *  The same numbers: a and alpha move by one row. From standard to modified the last pair goes into the tip, and the first
 *  one is zero; the other way the first goes into the base, and the last is zero.
 */
template <typename Scalar>
DenavitHartenbergChain<Scalar> by_convention(DenavitHartenbergChain<Scalar> chain, DenavitHartenberg convention)
{
  if (chain.convention == convention || chain.rows.empty()) {
    chain.convention = convention;
    return chain;
  }
  auto& rows = chain.rows;
  const std::size_t n = rows.size();
  if (convention == DenavitHartenberg::modified) {
    chain.tip = detail::along_x(rows[n - 1]) * chain.tip;
    for (std::size_t i = n - 1; i > 0; --i) rows[i].a = rows[i - 1].a, rows[i].alpha = rows[i - 1].alpha;
    rows[0].a = rows[0].alpha = Scalar(0);
  } else {
    chain.base = chain.base * detail::along_x(rows[0]);
    for (std::size_t i = 1; i < n; ++i) rows[i - 1].a = rows[i].a, rows[i - 1].alpha = rows[i].alpha;
    rows[n - 1].a = rows[n - 1].alpha = Scalar(0);
  }
  chain.convention = convention;
  return chain;
}
// [dh-shift]

// [dh-to-frames]
/** \brief A table as joint frames, which stand where the modified convention has them.
 *
 *  \f$R_x(\alpha)D_x(a)R_z(\theta)D_z(d)\f$ is \eq{ma,21} with the last translation seen from the frame before:
 *  \f$(a, b, d)_{\text{Ma}} = (a,\ -d\sin\alpha,\ d\cos\alpha)\f$.
 *  \throws ModelError naming a row whose joint neither turns nor slides
 */
template <typename Scalar>
JointFrameChain<Scalar> joint_frames(const DenavitHartenbergChain<Scalar>& chain)
{
  using std::cos, std::sin;
  const DenavitHartenbergChain<Scalar> modified = by_convention(chain, DenavitHartenberg::modified);
  JointFrameChain<Scalar> frames{modified.base, {}, modified.tip};
  for (const DenavitHartenbergRow<Scalar>& row : modified.rows) {
    const Vector3<Scalar> z{Scalar(0), Scalar(-sin(row.alpha)), Scalar(cos(row.alpha))};
    frames.joints.push_back({row.a, row.d * z[1], row.d * z[2], row.alpha, row.theta, row.type, z});
    detail::require_placed_joint(frames.joints.back(), "row " + std::to_string(frames.joints.size()));
  }
  return frames;
}
// [dh-to-frames]

// [dh-from-frames]
/** \brief Joint frames as a table. It has one number less for each joint, so that not all can be written so.
 *
 *  The x axis of the frame before has to meet the axis of each joint: it is their common normal. And a slide must go
 *  along z. If they do not, take `joint_frames(offset_behind(offsets_between(chain)))` first: it moves the frames along
 *  their axes.
 *  \throws ModelError naming a joint that no such table has, with what is off by how much
 */
template <typename Scalar>
DenavitHartenbergChain<Scalar> denavit_hartenberg(const JointFrameChain<Scalar>& chain, DenavitHartenberg convention)
{
  using std::cos, std::sin;
  const Scalar rounding = Scalar(64) * std::numeric_limits<Scalar>::epsilon();
  const auto number = [](const Scalar& x) { return std::to_string(static_cast<double>(comparable(x))); };
  DenavitHartenbergChain<Scalar> modified{DenavitHartenberg::modified, chain.base, {}, chain.tip};
  for (const JointFrame<Scalar>& joint : chain.joints) {
    const std::string which = "joint " + std::to_string(modified.rows.size() + 1);
    detail::require_placed_joint(joint, which);
    const Scalar c = cos(joint.alpha), s = sin(joint.alpha);
    const Scalar off = joint.b * c + joint.d * s;  // between the x axis of the frame before and the joint's axis
    const Scalar reach = Scalar(1) + magnitude(joint.a) + magnitude(joint.b) + magnitude(joint.d);
    if (comparable(magnitude(off)) > comparable(Scalar(rounding * reach)))
      throw ModelError(which + " has an axis that passes the x axis of the frame before at a distance of " +
                       number(magnitude(off)) +
                       " m; Denavit and Hartenberg's x goes along the common normal, which meets both axes. Move the "
                       "frames along their axes first: joint_frames(offset_behind(offsets_between(chain))).");
    const Vector3<Scalar> z{Scalar(0), -s, c}, slip = joint.slide - z;
    if (joint.type == JointType::prismatic && comparable(inner(slip, slip)) > comparable(Scalar(rounding * rounding)))
      throw ModelError(which + " slides along (" + number(joint.slide[0]) + ", " + number(joint.slide[1]) + ", " +
                       number(joint.slide[2]) +
                       ") of the frame before and not along its own z, as Denavit and Hartenberg's do; turn its frame "
                       "first: joint_frames(offset_behind(offsets_between(chain))).");
    modified.rows.push_back({joint.a, joint.alpha, joint.d * c - joint.b * s, joint.theta, joint.type});
  }
  return by_convention(modified, convention);
}
// [dh-from-frames]

}  // namespace articulate
