/** \file
 *  \brief The poses that screws give their bodies, several bodies at once.
 *
 *  - Paper: Park 1995, \eq{park,23}.
 *  - Chapter: \ref model; the lanes: \ref several_states
 */
#pragma once
#include <algorithm>
#include <articulate/model/joint.hpp>         // screw_pose
#include <articulate/model/model.hpp>         // Model: bodies outward
#include <articulate/model/side_by_side.hpp>  // several bodies at once

namespace articulate {

/// \brief The screws that carry the bodies of a model, side by side.
template <typename Scalar>
class ScrewPoses {
  using Lanes = SeveralOf<Scalar>;
  static constexpr int count = Lanes::count;

public:
  explicit ScrewPoses(const Model<Scalar>& model) : screws_(model.bodies()), coordinate_(count * screws_.size(), 0)
  {
    for (const Body<Scalar>& body : model.outward()) {
      if (body.kind != JointKind::screw) continue;
      const int lane = body.index - 1, b = lane / count;
      screws_.set(lane, {body.M, body.turn, body.slide});
      coordinate_[lane] = body.q;
      if (blocks_.empty() || blocks_.back() != b) blocks_.push_back(b);
    }
  }

  /** \brief \f$T_{\lambda(i),i}\f$ at the nq coordinates q.
   *  \param T  by body, index 0 is the world: written for those that a screw carries, and spoiled for others
   */
  void place(const VectorRef<Scalar>& q, Indexed<SE3<Scalar>>& T) const
  {
    const int bodies = static_cast<int>(T.size()) - 1;
    // [screws-several]
    for (const int b : blocks_) {
      const int first = count * b;  // body 1 is in lane 0
      const auto& [M, turn, slide] = screws_[b];
      const Several<Scalar> x = Lanes::gather(q.data(), &coordinate_[first]);
      const auto pose = screw_pose(M, sine_cosine(Several<Scalar>(turn * x)), Several<Scalar>(slide * x));
      Lanes::take_apart(pose, &T[first + 1], std::min(count, bodies - first));
    }
    // [screws-several]
  }

private:
  template <typename Number>
  struct Screw {
    SE3<Number> M;
    Number turn, slide;
  };
  SideBySide<Screw, Scalar> screws_;  // by body, from the first on
  Indexed<int> coordinate_;           // likewise, of other joints any
  Indexed<int> blocks_;               // which of several there is a screw in
};

}  // namespace articulate
