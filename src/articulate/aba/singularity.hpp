/** \file
 *  \brief What forward and hybrid dynamics refuse: a joint that moves no mass, and angles at which two axes coincide.
 *
 *  - Paper: Kim 2012, section 2.2, where \f$S_i^{\mathsf T}\hat{\mathcal I}_iS_i\f$ is taken to be invertible.
 *  - Chapter: \ref aba
 */
#pragma once
#include <articulate/aba/pivot.hpp>
#include <articulate/model/moved_mass.hpp>

namespace articulate {

/// \brief The pivots that count as zero, and the sentences that say so.
class SingularPivots {
public:
  /** \brief Find the bounds that the pivots of a model must exceed.
   *  \param prescribed  nv flags: degrees whose acceleration is prescribed; their pivots do not matter
   *  \throws ModelError when another can move without moving any mass
   */
  SingularPivots(const Model<double>& model, const std::vector<bool>& prescribed)
      : smallest_(moved_mass(model, prescribed)), prescribed_(prescribed.begin(), prescribed.end())
  {
  }

  /// \brief Refuse a state.   \throws StateError naming the joint whose pivot is zero or not a number, and the remedy
  template <typename Scalar>
  void refuse_in(const Model<Scalar>& model, const Indexed<Pivot<Scalar>>& pivot) const
  {
    // From the tips: a joint that moves nothing spoils the pivots of all joints before it.
    const auto& joints = model.joints();
    for (auto joint = joints.rbegin(); joint != joints.rend(); ++joint)
      for (int k = 0; k < joint->nv; ++k)
        if (!prescribed_[joint->v + k] && !(comparable(pivot[joint->body].d[k]) > smallest_[joint->v + k]))
          refuse(model, *joint, pivot[joint->body]);
  }

private:
  static Indexed<double> moved_mass(const Model<double>& model, const std::vector<bool>& prescribed)
  {
    detail::require_size("prescribed", prescribed, model.nv());
    const MovedMass moved = model.moved_mass(prescribed);
    if (moved.none < 0) return moved.rounding;
    throw ModelError(model.mechanism().source + ": joint '" + model.joint_of_rate(moved.none).name +
                     "' can move without moving any mass, so its acceleration is undefined; the links that it "
                     "carries need mass or inertia against it.");
  }

  template <typename Scalar>
  [[noreturn]] [[gnu::cold]] [[gnu::noinline]] void refuse(const Model<Scalar>& model, const JointSlot& joint,
                                                           const Pivot<Scalar>& pivot) const
  {
    const std::string where = model.mechanism().source + ": joint '" + joint.name + "' ";
    for (int k = 0; k < joint.nv; ++k) {
      if (prescribed_[joint.v + k]) continue;
      const auto rest = comparable(pivot.d[k]) - comparable(pivot.d[k]);
      if (!(rest == 0))
        throw StateError(where +
                         "has an articulated inertia that is not a finite number in this state; its coordinates "
                         "are too large for the scalar.");
    }
    if (model.body(joint.body).kind == JointKind::chart)
      throw StateError(where +
                       "is at a singularity of its coordinates, where two of its axes coincide and its "
                       "accelerations are undefined; turn the middle angle away from 90 degrees or use a joint "
                       "with a quaternion.");
    throw StateError(where +
                     "can move without moving any mass in this state, so its acceleration is undefined; choose "
                     "another state or give the links that it carries inertia against it.");
  }

  Indexed<double> smallest_;  // by rate: a pivot that is not above this is a singularity
  Indexed<char> prescribed_;  // by rate
};

}  // namespace articulate
