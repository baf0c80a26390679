/** \file
 *  \brief Proofs of chapters model and rnea: Ma 2021, section 3, \eq{ma,21} to \eq{ma,35}.
 *
 *  Ma follows a chain of turns and slides. On a tree the sums run from the base to the body, and a joint of several
 *  coordinates counts as that many joints, one behind the other.
 */
#include <articulate/mechanisms/joint_frames.hpp>
#include <articulate/model/space_motion.hpp>
#include <ledger/calculus.hpp>
#include <ledger/registry.hpp>

namespace articulate::validation {
namespace {

template <typename S>
using Point = Eigen::Matrix<S, 4, 1>;

template <typename S>
Point<S> homogeneous(const Vector3<S>& p)
{
  return {p[0], p[1], p[2], S(1)};
}

// Six joints as the manipulator of section 5 has them, with free numbers for all that is lost. Each takes eight:
// a, b, d; s and c with alpha = 2 arctan(s/c), or a direction; q, qd, qdd.
constexpr int manipulator_joints = 6;
constexpr int numbers_of_a_joint = 8;
constexpr bool slides(int joint) { return joint == 5; }

/// \f${}^{i-1}T_i\f$ after \eq{ma,21}: three translations, a turn about x, then the turn about z.
template <typename S>
Matrix4<S> literal_pose(const Vector3<S>& p, const S& alpha, const S& theta)
{
  using std::cos, std::sin;
  const S ca = cos(alpha), sa = sin(alpha), ct = cos(theta), st = sin(theta), one(1), none(0);
  Matrix4<S> translation = Matrix4<S>::Identity(), about_x, about_z;
  translation.col(3) = homogeneous(p);
  about_x << one, none, none, none, none, ca, -sa, none, none, sa, ca, none, none, none, none, one;
  about_z << ct, -st, none, none, st, ct, none, none, none, none, one, none, none, none, none, one;
  return translation * about_x * about_z;
}

/// The i-th of the six joint frames, of free numbers.
template <typename S>
JointFrame<double> joint_frame(const Specimen<S>& x, int i)
{
  const auto number = [&](int k) { return x.inputs.free_numbers.at(numbers_of_a_joint * (i - 1) + k); };
  JointFrame<double> frame{number(0), number(1), number(2)};
  if (slides(i)) {
    const Vector3<double> way{number(3), number(4), number(7)};
    frame.type = JointType::prismatic, frame.slide = 1 / std::sqrt(inner(way, way)) * way;
  } else {
    frame.alpha = 2 * std::atan(number(3) / number(4));
  }
  return frame;
}

/// The six joints as a mechanism in a state.
template <typename S>
Inputs manipulator(const Specimen<S>& x)
{
  Inputs in{{}, {}, {}, {}, {}, {}, {}, x.inputs.free_numbers, x.inputs.nudge};
  std::vector<FramedLink> links;
  for (int i = 1; i <= manipulator_joints; ++i) {
    const auto number = [&](int k) { return x.inputs.free_numbers.at(numbers_of_a_joint * (i - 1) + k); };
    links.push_back({"joint " + std::to_string(i),
                     joint_frame(x, i),
                     std::to_string(i - 1),
                     {std::to_string(i), 1, {}, {0, 0, 0, 1}, {1, 0, 0, 1, 0, 1}}});
    in.q.push_back(number(5)), in.qd.push_back(number(6)), in.qdd.push_back(number(7)), in.tau.push_back(0);
  }
  in.mechanism = mechanism_of("manipulator", Link{"0"}, links);
  in.link_wrenches.assign(in.mechanism.links.size(), {});
  return in;
}

template <typename S>
void placement(Registry<S>& r)
{
  r.identity(
      {.name = "a_joint_is_three_translations_a_turn_about_x_and_a_turn_about_z",
       .keys = {"ma:21", "ma:22"},
       .symbols = "pose(JointFrame) mechanism_of Model::attach JointJacobian::place ForwardKinematics",
       .method = "independent formulation",
       .sides = [](const Specimen<S>& x, Sides<S>& sides) {
         const Specimen<S> machine(manipulator(x));
         Matrix4<S> product = Matrix4<S>::Identity();
         for (int i = 1; i <= machine.bodies(); ++i) {
           using std::atan, std::sqrt;
           const Joint& joint = machine.inputs.mechanism.joints[i - 1];
           // A mechanism keeps quaternions and directions in double; this is exactly what they say.
           const Vector3<S> p(Vector3<double>{joint.position[0], joint.position[1], joint.position[2]});
           const Vector3<S> way(Vector3<double>{joint.axis[0], joint.axis[1], joint.axis[2]});
           const S alpha = S(2) * S(atan(S(S(joint.quaternion[0]) / S(joint.quaternion[3])))), q = machine.q(i - 1);
           const Matrix4<S> T = slides(i)
                                    ? literal_pose(Vector3<S>(p + q / S(sqrt(inner(way, way))) * way), alpha, S(0))
                                    : literal_pose(p, alpha, q);
           product = (product * T).eval();
           // The body of a slide is turned until z is its direction; its link is not.
           const LinkFrame<S>&before = machine.model.links()[i - 1], &link = machine.model.links()[i];
           sides.add(matrix(inverse(before.X) * machine.kinematics.T[i] * link.X), T);  // (21)
           sides.add(matrix(machine.kinematics.link_pose(link)), product);              // (22)

           // The five numbers themselves, with an angle at which the joint begins.
           JointFrame<S> frame{p[0], p[1], p[2], S(3) * x.number(i), S(3) * x.number(i + 8)};
           sides.add(matrix(pose(frame, q)), literal_pose(p, frame.alpha, S(frame.theta + q)));
           frame.type = JointType::prismatic, frame.slide = x.vector(i);
           sides.add(matrix(pose(frame, q)), literal_pose(Vector3<S>(p + q * frame.slide), frame.alpha, frame.theta));
         }
       }});
}

/// How the witness sees the link of a frame of the model.
template <typename S>
const auto& seen(const Specimen<S>& x, const LinkFrame<S>& link)
{
  return x.newton_euler().links[x.mechanism_index(link.name)];
}

/// A point of a link in motion, in general position in the link and seen by the witness, in world axes.
template <typename S>
struct SeenPoint {
  Vector3<S> w, alpha, p, v, a;

  template <typename Link>
  SeenPoint(const Specimen<S>& x, const Link& link) : w(link.angular_velocity), alpha(link.angular_acceleration)
  {
    const Vector3<S> arm(link.rotation * x.vector(0).eigen());
    p = Vector3<S>(link.position) + arm;
    v = Vector3<S>(link.velocity) + cross(w, arm);
    a = Vector3<S>(link.acceleration) + cross(alpha, arm) + cross(w, cross(w, arm));
  }
};

/// The body twist of body i according to the witness, from any of its links.
template <typename S>
Twist<S> seen_twist(const Specimen<S>& x, int i)
{
  if (i == 0) return {};
  const auto& links = x.model.links();
  const auto link = std::find_if(links.begin(), links.end(), [i](const auto& frame) { return frame.body == i; });
  const auto& body = seen(x, *link);
  return Ad(link->X, Twist<S>{Vector3<S>(body.rotation.transpose() * body.angular_velocity),
                              Vector3<S>(body.rotation.transpose() * body.velocity)});
}

template <typename S>
Twist<S> space_velocity(const Specimen<S>& x, int i)
{
  return Ad(x.kinematics.pose[i], x.kinematics.V[i]);
}

/// The motion of a case seen from space, by the library.
template <typename S>
struct MotionFromSpace {
  SpaceMotion<S> at;

  explicit MotionFromSpace(const Specimen<S>& x) : at(x.model) { at(x.q, x.qd, x.qdd); }
};

template <typename S>
void velocities(Registry<S>& r)
{
  r.identity({.name = "a_body_moves_with_its_parent_and_by_the_rate_of_its_relative_pose",
              .keys = {"ma:23", "ma:24", "ma:25"},
              .symbols = "Recursion::carry_velocity AdInv JointJacobian",
              .method = "series",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                std::vector<Twist<S>> recursion, first, first_rate, joint, relative, carried;
                for (int i = 1; i <= x.bodies(); ++i) {
                  const Body<S>& body = x.model.body(i);
                  const auto& along = x.along_motion();
                  const Matrix4<S> T = derivative(along.T[i], 0), back = inverted(T);
                  if (body.parent == 0) {  // (23)
                    first.push_back(x.inverse.V[i]);
                    first_rate.push_back(vee(Matrix4<S>(inverted(derivative(along.pose[i], 0)) *  //
                                                        derivative(along.pose[i], 1))));
                  }
                  joint.push_back(x.inverse.S[i] * (x.qd.data() + body.v));  // (24)
                  relative.push_back(vee(Matrix4<S>(back * derivative(along.T[i], 1))));
                  recursion.push_back(x.inverse.V[i]);  // (25)
                  carried.push_back(vee(Matrix4<S>(back * hat(seen_twist(x, body.parent)) * T)) + relative.back());
                }
                sides.add(first, first_rate);
                sides.add(joint, relative);
                sides.add(recursion, carried);
              }});
  r.identity({.name = "the_space_velocity_holds_the_angular_velocity_and_moves_every_point_of_its_body",
              .keys = {"ma:26", "ma:27", "ma:29"},
              .symbols = "Ad hat ForwardKinematics SpaceMotion::space_velocity SpaceMotion::velocity",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const SpaceMotion<S>& library = x.template once<MotionFromSpace<S>>().at;
                std::vector<Twist<S>> carried, rates, own, by_library, witnessed;
                // Space is seen from a frame in general position, lest an axis go through its origin.
                const SE3<S> space = x.pose(8);
                for (int i = 1; i <= x.bodies(); ++i) {
                  const Matrix4<S> T = matrix(space) * derivative(x.along_motion().pose[i], 0);
                  const Matrix4<S> Tdot = matrix(space) * derivative(x.along_motion().pose[i], 1);
                  carried.push_back(Ad(space * x.kinematics.pose[i], x.kinematics.V[i]));  // (26)
                  rates.push_back(vee(Matrix4<S>(Tdot * inverted(T))));
                }
                for (const LinkFrame<S>& link : x.model.links()) {
                  const SeenPoint<S> point(x, seen(x, link));
                  const Twist<S> V = space_velocity(x, link.body);
                  const Point<S> moved = hat(V) * homogeneous(point.p);  // (29)
                  own.push_back({V.w, Vector3<S>(moved)});               // (27)
                  by_library.push_back({library.angular_velocity(link), library.velocity(link, x.vector(0))});
                  witnessed.push_back({point.w, point.v});
                }
                sides.add(carried, rates);
                sides.add(own, witnessed);
                sides.add(by_library, witnessed);
              }});
}

/// \f$\alpha_i\f$ of every body after \eq{ma,28}, with or without the second sum.
template <typename S>
std::vector<Vector3<S>> angular_accelerations(const Specimen<S>& x, bool second_sum)
{
  std::vector<Vector3<S>> w(x.bodies() + 1), alpha(w);
  for (int i = 1; i <= x.bodies(); ++i) {
    const Body<S>& body = x.model.body(i);
    w[i] = w[body.parent], alpha[i] = alpha[body.parent];
    const auto axis = [&](int k) { return x.kinematics.pose[i].R * x.kinematics.S[i].column(k).w; };
    // The axes of a quaternion's rates are all fixed in the body itself.
    const bool own_axes = body.nq > body.nv;
    for (int k = 0; own_axes && k < body.nv; ++k) w[i] += x.qd(body.v + k) * axis(k);
    for (int k = 0; k < body.nv; ++k) {
      if (!own_axes) w[i] += x.qd(body.v + k) * axis(k);
      alpha[i] += x.qdd(body.v + k) * axis(k);
      if (second_sum) alpha[i] += x.qd(body.v + k) * cross(w[i], axis(k));
    }
  }
  return alpha;
}

/// The acceleration of a point of a link after \eq{ma,30}, with or without the square.
template <typename S>
Vector3<S> point_acceleration(const Specimen<S>& x, int i, const Vector3<S>& p, bool square)
{
  // The rate of Ad_T V is Ad_T of the rate of V, for ad_V V = 0.
  Matrix4<S> A = hat(Ad(x.kinematics.pose[i], x.motion.Vdot[i]));
  const Matrix4<S> V = hat(space_velocity(x, i));
  if (square) A += V * V;
  return Vector3<S>(Point<S>(A * homogeneous(p)));
}

/// Angular acceleration of each link and acceleration of a point of it, beside the witness.
template <typename S>
Sides<S> accelerations_of_links(const Specimen<S>& x, bool second_sum, bool square)
{
  std::vector<Twist<S>> own, witnessed;
  const auto alpha = angular_accelerations(x, second_sum);
  for (const LinkFrame<S>& link : x.model.links()) {
    const SeenPoint<S> point(x, seen(x, link));
    own.push_back({alpha[link.body], point_acceleration(x, link.body, point.p, square)});
    witnessed.push_back({point.alpha, point.a});
  }
  Sides<S> sides;
  sides.add(own, witnessed);
  return sides;
}

template <typename S>
void accelerations(Registry<S>& r)
{
  r.identity({.name = "accelerations_of_links_and_of_their_points_are_those_of_the_witness",
              .keys = {"ma:28", "ma:30"},
              .symbols = "Recursion::carry_acceleration JointJacobian::bracket SpaceMotion::acceleration",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                sides.append(accelerations_of_links(x, true, true));
                const auto alpha = angular_accelerations(x, true);
                std::vector<Twist<S>> own, summed;
                for (int i = 1; i <= x.bodies(); ++i) {
                  own.push_back({x.kinematics.pose[i].R * x.motion.Vdot[i].w, {}});
                  summed.push_back({alpha[i], {}});
                }
                sides.add(own, summed);
                const SpaceMotion<S>& library = x.template once<MotionFromSpace<S>>().at;
                std::vector<Twist<S>> by_library, witnessed;
                for (const LinkFrame<S>& link : x.model.links()) {
                  const SeenPoint<S> point(x, seen(x, link));
                  by_library.push_back({library.angular_acceleration(link), library.acceleration(link, x.vector(0))});
                  witnessed.push_back({point.alpha, point.a});
                }
                sides.add(by_library, witnessed);
              }});
  // On the six joints: between parallel axes the second sum is zero.
  const auto on_the_manipulator = [](bool second_sum, bool square) {
    return [=](const Specimen<S>& x, Sides<S>& sides) {
      sides.append(accelerations_of_links(Specimen<S>(manipulator(x)), second_sum, square));
    };
  };
  r.erratum({.id = "E-ma-8",
             .keys = {"ma:28", "ma:30"},
             .margin = 1e-6,
             .printed = {on_the_manipulator(false, true), on_the_manipulator(true, false)},
             .corrected = on_the_manipulator(true, true)});
}

/// Column k of the Jacobians of a point of body i: what the k-th rate alone makes of it.
template <typename S>
struct Columns {
  MatrixX<S> Jv, Jw;  ///< \eq{ma,32}, \eq{ma,35}

  Columns(const Specimen<S>& x, int i, const Vector3<S>& p)
      : Jv(MatrixX<S>::Zero(3, x.model.nv())), Jw(MatrixX<S>::Zero(3, x.model.nv()))
  {
    for (; i > 0; i = x.model.body(i).parent) {
      const Body<S>& body = x.model.body(i);
      for (int k = 0; k < body.nv; ++k) {
        const Twist<S> xi = x.kinematics.S[i].column(k);
        const Point<S> moved = hat(Ad(x.kinematics.pose[i], xi)) * homogeneous(p);
        Jv.col(body.v + k) = moved.template head<3>();
        Jw.col(body.v + k) = (x.kinematics.pose[i].R * xi.w).eigen();
      }
    }
  }
};

/// Numbers about angles and about lengths are of different units: two groups.
template <typename S>
void add_columns(Sides<S>& sides, const Model<S>& model, const MatrixX<S>& left, const MatrixX<S>& right)
{
  for (const bool angular : {true, false}) {
    MatrixX<S> a(left.rows(), 0), b(a);
    for (int k = 0; k < model.nv(); ++k) {
      if (model.rate_is_angular(k) != angular) continue;
      a.conservativeResize(Eigen::NoChange, a.cols() + 1), b.conservativeResize(Eigen::NoChange, b.cols() + 1);
      a.col(a.cols() - 1) = left.col(k), b.col(b.cols() - 1) = right.col(k);
    }
    sides.add(a, b);
  }
}

template <typename S>
void jacobians(Registry<S>& r)
{
  r.identity({.name = "the_columns_of_the_jacobians_are_the_motions_by_one_rate_alone",
              .keys = {"ma:32", "ma:35"},
              .symbols = "point_jacobian angular_jacobian ForwardKinematics::link_jacobian JointJacobian::column",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const int n = x.model.nv(), L = static_cast<int>(x.model.links().size());
                MatrixX<S> literal(6 * L, n), own(6 * L, n), witnessed(6 * L, n);  // Jv of all links, then Jw
                for (int l = 0; l < L; ++l) {
                  const LinkFrame<S>& link = x.model.links()[l];
                  const SeenPoint<S> point(x, seen(x, link));
                  const Columns<S> J(x, link.body, point.p);
                  literal.template middleRows<3>(3 * l) = J.Jv, literal.template middleRows<3>(3 * (L + l)) = J.Jw;
                  own.template middleRows<3>(3 * l) = point_jacobian(x.kinematics, link, x.vector(0));
                  own.template middleRows<3>(3 * (L + l)) = angular_jacobian(x.kinematics, link);
                }
                witness::VectorNewtonEuler<S> machine(x.inputs.mechanism, x.inputs.options.floating_base);
                for (int k = 0; k < n; ++k) {
                  machine.inverse_dynamics(x.q, VectorX<S>::Unit(n, k), VectorX<S>::Zero(n), x.gravity.eigen());
                  for (int l = 0; l < L; ++l) {
                    const SeenPoint<S> point(x, machine.links[x.mechanism_index(x.model.links()[l].name)]);
                    witnessed.col(k).template segment<3>(3 * l) = point.v.eigen();
                    witnessed.col(k).template segment<3>(3 * (L + l)) = point.w.eigen();
                  }
                }
                for (const MatrixX<S>* side : {&literal, &own}) {
                  add_columns(sides, x.model, MatrixX<S>(side->topRows(3 * L)), MatrixX<S>(witnessed.topRows(3 * L)));
                  add_columns(sides, x.model, MatrixX<S>(side->bottomRows(3 * L)),
                              MatrixX<S>(witnessed.bottomRows(3 * L)));
                }
              }});
  r.identity({.name = "every_point_and_every_turn_is_the_sum_of_what_the_joints_make",
              .keys = {"ma:31", "ma:33", "ma:34"},
              .symbols = "Ad JointJacobian::column ForwardKinematics",
              .method = "series",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                std::vector<Twist<S>> summed, witnessed, turned, rates;
                for (const LinkFrame<S>& link : x.model.links()) {
                  const SeenPoint<S> point(x, seen(x, link));
                  const Columns<S> J(x, link.body, point.p);
                  summed.push_back({Vector3<S>(J.Jw * x.qd), Vector3<S>(J.Jv * x.qd)});  // (34), (31)
                  witnessed.push_back({point.w, point.v});

                  // (33): the sum of the conjugated hats is the rate of the rotation, seen from space.
                  Matrix3<S> W;
                  for (int i = link.body; i > 0; i = x.model.body(i).parent)
                    for (int k = 0; k < x.model.body(i).nv; ++k) {
                      const Matrix3<S> R = x.kinematics.pose[i].R.matrix, hat_z = skew(x.kinematics.S[i].column(k).w);
                      W = W + x.qd(x.model.body(i).v + k) * (R * hat_z * transpose(R));
                    }
                  const SE3<Series<S>>& along = x.along_motion().pose[link.body];
                  const auto R = derivative(along, 0), Rdot = derivative(along, 1);
                  const Eigen::Matrix<S, 3, 3> rate =
                      Rdot.template topLeftCorner<3, 3>() * R.template topLeftCorner<3, 3>().transpose();
                  turned.push_back({{W(2, 1), W(0, 2), W(1, 0)}, {}});
                  rates.push_back({{rate(2, 1), rate(0, 2), rate(1, 0)}, {}});
                }
                sides.add(summed, witnessed);
                sides.add(turned, rates);
              }});
}

}  // namespace

template <typename S>
void model_ma(Registry<S>& r)
{
  placement(r);
  velocities(r);
  accelerations(r);
  jacobians(r);
}

template void model_ma(Registry<ARTICULATE_PROOF_SCALAR>&);

}  // namespace articulate::validation
