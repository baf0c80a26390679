/** \file
 *  \brief Frames that links carry, as vector mechanics sees them along the motion: series in time of the screws of the
 *  joints in world axes, and of the poses of the frames. A drawn frame is fixed to each of a few links.
 */
#pragma once
#include <articulate/model/space_motion.hpp>
#include <ledger/registry.hpp>
#include <witnesses/motion_in_time.hpp>

namespace articulate::validation {

inline constexpr JacobianFrame three_frames[] = {JacobianFrame::link, JacobianFrame::world, JacobianFrame::mixed};

/// The clause of a row that speaks of a frame.
inline std::string clause_of(const char* row, JacobianFrame frame)
{
  const char* const names[] = {"/link", "/world", "/mixed"};
  return row + std::string(names[static_cast<int>(frame)]);
}
/// The frame for which another is taken by mistake.
inline JacobianFrame mistaken(JacobianFrame frame) { return three_frames[(static_cast<int>(frame) + 1) % 3]; }

template <typename S>
S longest(const Eigen::Matrix<S, 3, 1>& a)
{
  S size(0);
  for (int k = 0; k < 3; ++k)
    if (magnitude(a[k]) > size) size = magnitude(a[k]);
  return size;
}

/// How far from the world's origin something is that turns and is seen from there. What its turning adds to the linear half
/// of a twist cancels if the axis passes through that origin, and leaves rounding.
template <typename S>
S lever_of(const Eigen::Matrix<S, 3, 1>& place, JacobianFrame from)
{
  return from == JacobianFrame::world ? longest<S>(place) : S(0);
}

/// Six numbers and their rate.
template <typename S>
struct InMotion {
  Vector6<S> now, rate;
};

/// A motion about the world's origin, in world axes, seen from one of the three frames of what moves with the pose.
template <typename S>
InMotion<S> seen_in(JacobianFrame frame, const witness::InTime<Matrix4<S>>& pose,
                    const witness::InTime<Vector6<S>>& motion)
{
  if (frame == JacobianFrame::world) return {motion[0], motion[1]};
  using Three = Eigen::Matrix<S, 3, 1>;
  const auto cross3 = [](const Three& a, const Three& b) {
    return Three(a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]);
  };
  Three w[2], v[2], p[2];
  for (int k = 0; k < 2; ++k)
    w[k] = motion[k].template head<3>(), v[k] = motion[k].template tail<3>(), p[k] = pose[k].template block<3, 1>(0, 3);
  const Three at = v[0] + cross3(w[0], p[0]), at_rate = v[1] + cross3(w[1], p[0]) + cross3(w[0], p[1]);
  InMotion<S> mixed;
  mixed.now << w[0], at;
  mixed.rate << w[1], at_rate;
  if (frame == JacobianFrame::mixed) return mixed;
  // In axes that turn.
  const Eigen::Matrix<S, 3, 3> R = pose[0].template topLeftCorner<3, 3>(),
                               Rdot = pose[1].template topLeftCorner<3, 3>();
  const Eigen::Matrix<S, 3, 3> back = R.transpose(), back_rate = Rdot.transpose();
  InMotion<S> own;
  own.now << Three(back * w[0]), Three(back * at);
  own.rate << Three(back_rate * w[0] + back * w[1]), Three(back_rate * at + back * at_rate);
  return own;
}

/// The robot by vector mechanics over series in time.
template <typename S>
struct SeenInTime {
  witness::MotionInTime<S> motion;

  explicit SeenInTime(const Specimen<S>& x)
  {
    MatrixX<S> rates = MatrixX<S>::Zero(x.model.nv(), witness::derivatives_in_time);
    rates.col(0) = x.qd, rates.col(1) = x.qdd;
    motion = witness::motion_in_time<S>(x.inputs.mechanism, x.inputs.options.floating_base, x.q, rates,
                                        x.gravity.eigen(), {});
  }
};

/// A drawn frame on a link, and what vector mechanics sees of it.
template <typename S>
struct CarriedFrame {
  LinkFrame<S> frame;
  witness::InTime<Matrix4<S>> pose;
  witness::InTime<Vector6<S>> twist;
  std::vector<std::pair<int, witness::InTime<Vector6<S>>>> columns;  ///< by rate

  CarriedFrame(const Specimen<S>& x, const LinkFrame<S>& link, int drawn) : frame(frame_on(link, x.pose(drawn)))
  {
    const auto& motion = x.template once<SeenInTime<S>>().motion;
    const auto& seen = motion.links[x.mechanism_index(link.name)];
    const Matrix4<S> offset = matrix(x.pose(drawn));
    for (int k = 0; k < witness::derivatives_in_time; ++k) pose[k] = seen.pose[k] * offset;
    twist = seen.twist;
    for (const Body<S>& body : x.model.way_to_base(link.body))
      for (int k = body.v; k < body.v + body.nv; ++k) columns.push_back({k, motion.screws[k]});
  }

  S lever(JacobianFrame from) const { return lever_of<S>(pose[0].template block<3, 1>(0, 3), from); }
  /// The Jacobian from one of the three frames, or its rate.
  MatrixX<S> jacobian(JacobianFrame from, int nv, bool rate) const
  {
    MatrixX<S> J = MatrixX<S>::Zero(6, nv);
    for (const auto& [k, screw] : columns) {
      const InMotion<S> column = seen_in(from, pose, screw);
      J.col(k) = rate ? column.rate : column.now;
    }
    return J;
  }
  /// What moves is a body: its spatial acceleration, and that of its point at the origin of the frame.
  Vector6<S> spatial_acceleration(JacobianFrame from) const
  {
    if (from != JacobianFrame::mixed) return seen_in(from, pose, twist).rate;
    const Vector6<S> own = seen_in(JacobianFrame::link, pose, twist).rate;
    return turned(own);
  }
  Vector6<S> classical_acceleration(JacobianFrame from) const
  {
    const Eigen::Matrix<S, 3, 3> R = pose[0].template topLeftCorner<3, 3>();
    Eigen::Matrix<S, 4, 1> point = Eigen::Matrix<S, 4, 1>::Unit(3);  // of the link, in the frame
    if (from == JacobianFrame::world) point.template head<3>() = -(R.transpose() * pose[0].template block<3, 1>(0, 3));
    const Eigen::Matrix<S, 4, 1> acceleration = pose[2] * point;
    const Eigen::Matrix<S, 3, 1> turning = twist[1].template head<3>(), moving = acceleration.template head<3>();
    Vector6<S> A;
    if (from == JacobianFrame::link)
      A << Eigen::Matrix<S, 3, 1>(R.transpose() * turning), Eigen::Matrix<S, 3, 1>(R.transpose() * moving);
    else
      A << turning, moving;
    return A;
  }

private:
  Vector6<S> turned(const Vector6<S>& own) const
  {
    const Eigen::Matrix<S, 3, 3> R = pose[0].template topLeftCorner<3, 3>();
    const Eigen::Matrix<S, 3, 1> w = own.template head<3>(), v = own.template tail<3>();
    Vector6<S> A;
    A << Eigen::Matrix<S, 3, 1>(R * w), Eigen::Matrix<S, 3, 1>(R * v);
    return A;
  }
};

/// Of what size the terms are of which a Jacobian, its rate and an acceleration are made, angular and linear.
template <typename S>
struct Terms {
  S angular{0}, linear{0};

  friend Terms operator+(const Terms& a, const Terms& b) { return {a.angular + b.angular, a.linear + b.linear}; }
};

template <typename S>
Terms<S> terms_of(const Vector6<S>& V, const S& lever = S(0))
{
  const S angular = longest<S>(V.template head<3>());
  return {angular, longest<S>(V.template tail<3>()) + lever * angular};
}
template <typename S>
Terms<S> terms_of_bracket(const Terms<S>& a, const Terms<S>& b)
{
  return {a.angular * b.angular, a.angular * b.linear + a.linear * b.angular};
}
template <typename S>
Terms<S> terms_of_product(const MatrixX<S>& J, const VectorX<S>& factor, const S& lever = S(0))
{
  Terms<S> terms;
  for (int k = 0; k < J.cols(); ++k) {
    const Terms<S> column = terms_of<S>(J.col(k), lever);
    terms.angular += column.angular * magnitude(factor(k)), terms.linear += column.linear * magnitude(factor(k));
  }
  return terms;
}
/// How fast columns change that move with a twist, each by a factor.
template <typename S>
Terms<S> terms_of_rate(const MatrixX<S>& J, const Vector6<S>& V, const VectorX<S>& factor, const S& lever = S(0))
{
  return terms_of_bracket(terms_of(V, lever), terms_of_product(J, factor, lever));
}

/// Six rows, beside terms.
template <typename S, typename Left, typename Right>
void add_six(Sides<S>& sides, const Left& left, const Right& right, const Terms<S>& terms)
{
  sides.add(left.template topRows<3>(), right.template topRows<3>(), terms.angular);
  sides.add(left.template bottomRows<3>(), right.template bottomRows<3>(), terms.linear);
}

/// The last links, on which most joints act: two, or all that there are.
template <typename S>
std::vector<CarriedFrame<S>> carried_frames(const Specimen<S>& x)
{
  std::vector<CarriedFrame<S>> frames;
  for (auto link = x.model.links().rbegin(); link != x.model.links().rend() && frames.size() < 2; ++link)
    if (link->body != 0) frames.emplace_back(x, *link, 11 * static_cast<int>(frames.size()));
  return frames;
}

}  // namespace articulate::validation
