/** \file
 *  \brief Proofs of chapters model and rnea: frames that links carry, how their twists change, and accelerations,
 *  \eq{ours,40} to \eq{ours,45}.
 *
 *  The second sides are those of vector mechanics along the motion, as series in time: the screws of the joints in world
 *  axes, and the poses of the frames. A drawn frame is fixed to each of a few links.
 */
#include <articulate/model/space_motion.hpp>
#include <ledger/registry.hpp>
#include <witnesses/motion_in_time.hpp>

namespace articulate::validation {
namespace {

constexpr JacobianFrame three_frames[] = {JacobianFrame::link, JacobianFrame::world, JacobianFrame::mixed};

/// The clause of a row that speaks of a frame.
std::string clause_of(const char* row, JacobianFrame frame)
{
  const char* const names[] = {"/link", "/world", "/mixed"};
  return row + std::string(names[static_cast<int>(frame)]);
}
/// The frame for which another is taken by mistake.
JacobianFrame mistaken(JacobianFrame frame) { return three_frames[(static_cast<int>(frame) + 1) % 3]; }

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
};

template <typename S>
S longest(const Eigen::Matrix<S, 3, 1>& a)
{
  S size(0);
  for (int k = 0; k < 3; ++k)
    if (magnitude(a[k]) > size) size = magnitude(a[k]);
  return size;
}

/// How fast columns change that move with a twist, each by a factor.
template <typename S>
Terms<S> terms_of_rate(const MatrixX<S>& J, const Vector6<S>& V, const VectorX<S>& factor)
{
  const S w = longest<S>(V.template head<3>()), v = longest<S>(V.template tail<3>());
  Terms<S> terms;
  for (int k = 0; k < J.cols(); ++k) {
    const S Jw = longest<S>(J.col(k).template head<3>()), Jv = longest<S>(J.col(k).template tail<3>());
    terms.angular += w * Jw * magnitude(factor(k)), terms.linear += (w * Jv + v * Jw) * magnitude(factor(k));
  }
  return terms;
}
template <typename S>
Terms<S> terms_of_product(const MatrixX<S>& J, const VectorX<S>& factor)
{
  Terms<S> terms;
  for (int k = 0; k < J.cols(); ++k) {
    terms.angular += longest<S>(J.col(k).template head<3>()) * magnitude(factor(k));
    terms.linear += longest<S>(J.col(k).template tail<3>()) * magnitude(factor(k));
  }
  return terms;
}

/// Six rows, beside terms.
template <typename S, typename Left, typename Right>
void add_six(Sides<S>& sides, const Left& left, const Right& right, const Terms<S>& terms)
{
  sides.add(left.template topRows<3>(), right.template topRows<3>(), terms.angular);
  sides.add(left.template bottomRows<3>(), right.template bottomRows<3>(), terms.linear);
}

/// The columns of a Jacobian about angles, then those along lengths.
template <typename S>
void add_jacobian(Sides<S>& sides, const Model<S>& model, const MatrixX<S>& left, const MatrixX<S>& right,
                  const std::function<Terms<S>(const VectorX<S>&)>& terms)
{
  for (const bool angular : {true, false}) {
    std::vector<int> columns;
    VectorX<S> factor = VectorX<S>::Zero(model.nv());
    for (int k = 0; k < model.nv(); ++k)
      if (model.rate_is_angular(k) == angular) columns.push_back(k), factor(k) = S(1);
    if (columns.empty()) continue;
    const MatrixX<S> some = left(Eigen::all, columns), others = right(Eigen::all, columns);
    add_six(sides, some, others, terms(factor));
  }
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

template <typename S>
void jacobians_of_frames(Registry<S>& r)
{
  r.identity({.name = "the_jacobian_of_a_frame_has_the_screws_of_its_joints_in_its_columns",
              .keys = {"ours:40/link", "ours:40/world", "ours:40/mixed"},
              .symbols = "ForwardKinematics::link_jacobian ForwardKinematics::seen_from frame_on",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                for (const CarriedFrame<S>& at : carried_frames(x))
                  for (const JacobianFrame from : three_frames) {
                    const MatrixX<S> J = at.jacobian(from, x.model.nv(), false);
                    const auto terms = [&](const VectorX<S>& factor) { return terms_of_product(J, factor); };
                    sides.clause({clause_of("ours:40", from)});
                    add_jacobian<S>(sides, x.model, x.kinematics.link_jacobian(at.frame, from), J, terms);
                    sides.rival("from another of the three frames", [&](auto& wrong) {
                      add_jacobian<S>(wrong, x.model, x.kinematics.link_jacobian(at.frame, mistaken(from)), J, terms);
                    });
                  }
              }});
  r.identity({.name = "the_rate_of_a_jacobian_is_that_of_the_screws_in_its_columns",
              .keys = {"ours:41/link", "ours:41/world", "ours:41/mixed"},
              .symbols = "ForwardKinematics::link_jacobian_rate ForwardKinematics::against",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                for (const CarriedFrame<S>& at : carried_frames(x))
                  for (const JacobianFrame from : three_frames) {
                    const MatrixX<S> J = at.jacobian(from, x.model.nv(), false);
                    const MatrixX<S> Jdot = at.jacobian(from, x.model.nv(), true);
                    const Vector6<S> V = seen_in(from, at.pose, at.twist).now;
                    const auto terms = [&](const VectorX<S>& factor) { return terms_of_rate(J, V, factor); };
                    sides.clause({clause_of("ours:41", from)});
                    add_jacobian<S>(sides, x.model, x.kinematics.link_jacobian_rate(at.frame, x.qd, from), Jdot, terms);
                    sides.rival("from another of the three frames", [&](auto& wrong) {
                      add_jacobian<S>(wrong, x.model, x.kinematics.link_jacobian_rate(at.frame, x.qd, mistaken(from)),
                                      Jdot, terms);
                    });
                  }
              }});
  r.identity({.name = "the_bias_acceleration_is_the_rate_of_the_jacobian_times_the_rates",
              .keys = {"ours:42/link", "ours:42/world", "ours:42/mixed"},
              .symbols = "ForwardKinematics::link_bias_acceleration ForwardKinematics::rate_of_twist",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                for (const CarriedFrame<S>& at : carried_frames(x))
                  for (const JacobianFrame from : three_frames) {
                    const MatrixX<S> J = at.jacobian(from, x.model.nv(), false);
                    const Vector6<S> product = at.jacobian(from, x.model.nv(), true) * x.qd;
                    const Terms<S> terms = terms_of_rate<S>(J, seen_in(from, at.pose, at.twist).now, x.qd);
                    sides.clause({clause_of("ours:42", from)});
                    add_six(sides, coordinates(x.kinematics.link_bias_acceleration(at.frame, from)), product, terms);
                    sides.rival("from another of the three frames", [&](auto& wrong) {
                      add_six(wrong, coordinates(x.kinematics.link_bias_acceleration(at.frame, mistaken(from))),
                              product, terms);
                    });
                  }
              }});
}

/// Something of a frame against what is seen of it, in the terms of an acceleration.
template <typename S, typename Found, typename Wrong, typename Seen>
void add_accelerations(Sides<S>& sides, const Specimen<S>& x, const char* row, const std::string& rival,
                       const Found& found, const Wrong& mistake, const Seen& seen)
{
  SpaceMotion<S> motion(x.model);
  motion(x.q, x.qd, x.qdd);
  for (const CarriedFrame<S>& at : carried_frames(x))
    for (const JacobianFrame from : three_frames) {
      const MatrixX<S> J = at.jacobian(from, x.model.nv(), false);
      const Vector6<S> V = seen_in(from, at.pose, at.twist).now;
      const Terms<S> driven = terms_of_product(J, x.qdd), turned = terms_of_rate(J, V, x.qd);
      const Terms<S> terms{driven.angular + turned.angular, driven.linear + turned.linear};
      sides.clause({clause_of(row, from)});
      add_six(sides, coordinates(found(motion, at.frame, from)), seen(at, from), terms);
      sides.rival(rival, [&](auto& wrong) {
        add_six(wrong, coordinates(mistake(motion, at.frame, from)), seen(at, from), terms);
      });
    }
}

template <typename S>
void accelerations_of_frames(Registry<S>& r)
{
  using Motion = SpaceMotion<S>;
  using Frame = LinkFrame<S>;
  const auto spatial = [](const Motion& m, const Frame& f, JacobianFrame from) { return m.link_acceleration(f, from); };
  const auto classical = [](const Motion& m, const Frame& f, JacobianFrame from) {
    return m.link_classical_acceleration(f, from);
  };
  r.identity({.name = "a_spatial_acceleration_is_the_rate_of_the_body_twist_and_is_seen_as_a_twist_is",
              .keys = {"ours:43/link", "ours:43/world", "ours:43/mixed"},
              .symbols = "SpaceMotion::link_acceleration ForwardKinematics::seen_from",
              .method = "independent formulation",
              .sides = [=](const Specimen<S>& x, Sides<S>& sides) {
                add_accelerations(sides, x, "ours:43", "it is taken for that of a point", spatial, classical,
                                  [](const auto& at, JacobianFrame from) { return at.spatial_acceleration(from); });
              }});
  r.identity({.name = "a_classical_acceleration_is_the_second_derivative_of_a_place",
              .keys = {"ours:44/link", "ours:44/world", "ours:44/mixed"},
              .symbols = "SpaceMotion::link_classical_acceleration ForwardKinematics::link_twist",
              .method = "independent formulation",
              .sides = [=](const Specimen<S>& x, Sides<S>& sides) {
                add_accelerations(sides, x, "ours:44", "it is taken for the spatial one", classical, spatial,
                                  [](const auto& at, JacobianFrame from) { return at.classical_acceleration(from); });
              }});
  r.identity({.name = "the_rate_of_a_twist_is_spatial_in_two_frames_and_classical_in_the_third",
              .keys = {"ours:45/link", "ours:45/world", "ours:45/mixed"},
              .symbols = "SpaceMotion::link_twist_rate ForwardKinematics::rate_of_twist",
              .method = "independent formulation",
              .sides = [=](const Specimen<S>& x, Sides<S>& sides) {
                const auto rate = [](const Motion& m, const Frame& f, JacobianFrame from) {
                  return m.link_twist_rate(f, from);
                };
                const auto of_the_others = [=](const Motion& m, const Frame& f, JacobianFrame from) {
                  return from == JacobianFrame::mixed ? spatial(m, f, from) : classical(m, f, from);
                };
                add_accelerations(
                    sides, x, "ours:45", "spatial and classical are exchanged", rate, of_the_others,
                    [](const auto& at, JacobianFrame from) { return seen_in(from, at.pose, at.twist).rate; });
              }});
}

}  // namespace

template <typename S>
void model_frames(Registry<S>& r)
{
  jacobians_of_frames(r);
  accelerations_of_frames(r);
}

template void model_frames(Registry<ARTICULATE_PROOF_SCALAR>&);

}  // namespace articulate::validation
