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
#include <ledger/long_robots.hpp>

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

/// The same where the turn about x comes first, as Denavit and Hartenberg have it in Craig's form.
template <typename S>
Matrix4<S> turned_before_moved(const Vector3<S>& p, const S& alpha, const S& theta)
{
  const Vector3<S> none{};
  return literal_pose(none, alpha, S(0)) * literal_pose(p, S(0), theta);
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
       .symbols = "pose Model::Contents::add_body screw_pose ForwardKinematics",
       .method = "independent formulation",
       .sides = [](const Specimen<S>& x, Sides<S>& sides) {
         const Specimen<S> machine(manipulator(x));
         Matrix4<S> product = Matrix4<S>::Identity(), reversed = product;
         for (int i = 1; i <= machine.bodies(); ++i) {
           using std::atan, std::sqrt;
           const Joint& joint = machine.inputs.mechanism.joints[i - 1];
           // A mechanism keeps quaternions and directions in double; this is exactly what they say.
           const Vector3<S> p(Vector3<double>{joint.position[0], joint.position[1], joint.position[2]});
           const Vector3<S> way(Vector3<double>{joint.axis[0], joint.axis[1], joint.axis[2]});
           const S alpha = S(2) * S(atan(S(S(joint.quaternion[0]) / S(joint.quaternion[3])))), q = machine.q(i - 1);
           const Vector3<S> place = slides(i) ? Vector3<S>(p + q / S(sqrt(inner(way, way))) * way) : p;
           const Matrix4<S> T = literal_pose(place, alpha, slides(i) ? S(0) : q);
           product = (product * T).eval(), reversed = (T * reversed).eval();
           // The body of a slide is turned until z is its direction; its link is not.
           const LinkFrame<S>&before = machine.model.links()[i - 1], &link = machine.model.links()[i];
           const Matrix4<S> ours = matrix(inverse(before.X) * machine.kinematics.T[i] * link.X);
           sides.clause("ma:21");
           sides.add(ours, T);
           sides.rival("the turn about x comes before the translations",
                       [&](auto& wrong) { wrong.add(ours, turned_before_moved(place, alpha, slides(i) ? S(0) : q)); });
           sides.clause("ma:22");
           const Matrix4<S> carried = matrix(machine.kinematics.link_pose(link));
           sides.add(carried, product);
           sides.rival("the factors stand in the opposite order", [&](auto& wrong) { wrong.add(carried, reversed); });

           // The five numbers themselves, with an angle at which the joint begins.
           sides.clause("ma:21");
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
                std::vector<Twist<S>> recursion, first, first_rate, first_in_space, joint, relative, relative_in_parent;
                std::vector<Twist<S>> carried, carried_back;
                for (int i = 1; i <= x.bodies(); ++i) {
                  const Body<S>& body = x.model.body(i);
                  const auto& along = x.along_motion();
                  const Matrix4<S> T = derivative(along.T[i], 0), back = inverted(T);
                  if (body.parent == 0) {
                    const Matrix4<S> H_inverse = inverted(derivative(along.pose[i], 0)),
                                     Hdot = derivative(along.pose[i], 1);
                    first.push_back(x.inverse.V[i]);
                    first_rate.push_back(vee(Matrix4<S>(H_inverse * Hdot)));
                    first_in_space.push_back(vee(Matrix4<S>(Hdot * H_inverse)));
                  }
                  const Matrix4<S> Tdot = derivative(along.T[i], 1);
                  joint.push_back(x.inverse.S[i] * (x.qd.data() + body.v));
                  relative.push_back(vee(Matrix4<S>(back * Tdot)));
                  relative_in_parent.push_back(vee(Matrix4<S>(Tdot * back)));
                  const Matrix4<S> before = hat(seen_twist(x, body.parent));
                  recursion.push_back(x.inverse.V[i]);
                  carried.push_back(vee(Matrix4<S>(back * before * T)) + relative.back());
                  carried_back.push_back(vee(Matrix4<S>(T * before * back)) + relative.back());
                }
                sides.clause("ma:23");
                sides.add(first, first_rate);
                sides.rival("it is seen from space", [&](auto& wrong) { wrong.add(first, first_in_space); });
                sides.clause("ma:24");
                sides.add(joint, relative);
                sides.rival("it is seen from the component before",
                            [&](auto& wrong) { wrong.add(joint, relative_in_parent); });
                sides.clause("ma:25");
                sides.add(recursion, carried);
                sides.rival("Ad has the pose instead of its inverse",
                            [&](auto& wrong) { wrong.add(recursion, carried_back); });
              }});
  r.identity({.name = "the_space_velocity_holds_the_angular_velocity_and_moves_every_point_of_its_body",
              .keys = {"ma:26", "ma:27", "ma:29"},
              .symbols = "Ad hat ForwardKinematics SpaceMotion::space_velocity SpaceMotion::velocity",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const SpaceMotion<S>& library = x.template once<MotionFromSpace<S>>().at;
                std::vector<Twist<S>> carried, left, rates;
                // Space is seen from a frame in general position, lest an axis go through its origin.
                const SE3<S> space = x.pose(8);
                for (int i = 1; i <= x.bodies(); ++i) {
                  const Matrix4<S> T = matrix(space) * derivative(x.along_motion().pose[i], 0);
                  const Matrix4<S> Tdot = matrix(space) * derivative(x.along_motion().pose[i], 1);
                  carried.push_back(Ad(space * x.kinematics.pose[i], x.kinematics.V[i]));
                  left.push_back(x.kinematics.V[i]);
                  rates.push_back(vee(Matrix4<S>(Tdot * inverted(T))));
                }
                sides.clause("ma:26");
                sides.add(carried, rates);
                std::vector<Twist<S>> by_library, at_origin;
                for (const LinkFrame<S>& link : x.model.links()) {
                  if (link.body == 0) continue;
                  by_library.push_back(Ad(space, library.space_velocity(link)));
                  at_origin.push_back(rates[link.body - 1]);
                }
                sides.add(by_library, at_origin);
                sides.rival("the body velocity is left as it is", [&](auto& wrong) { wrong.add(left, rates); });

                std::vector<Twist<S>> turning, turning_in_body, turning_by_library, turning_witnessed;
                std::vector<Twist<S>> moving, moving_in_body, moving_by_library, moving_witnessed;
                for (const LinkFrame<S>& link : x.model.links()) {
                  const SeenPoint<S> point(x, seen(x, link));
                  const Twist<S> V = space_velocity(x, link.body), V_b = x.kinematics.V[link.body];
                  turning.push_back({V.w, {}}), turning_in_body.push_back({V_b.w, {}});
                  turning_by_library.push_back({library.angular_velocity(link), {}});
                  turning_witnessed.push_back({point.w, {}});
                  const Point<S> p = homogeneous(point.p);
                  moving.push_back({{}, Vector3<S>(Point<S>(hat(V) * p))});
                  moving_in_body.push_back({{}, Vector3<S>(Point<S>(hat(V_b) * p))});
                  moving_by_library.push_back({{}, library.velocity(link, x.vector(0))});
                  moving_witnessed.push_back({{}, point.v});
                }
                sides.clause("ma:27");
                sides.add(turning, turning_witnessed);
                sides.add(turning_by_library, turning_witnessed);
                sides.rival("it is taken from the body velocity",
                            [&](auto& wrong) { wrong.add(turning_in_body, turning_witnessed); });
                sides.clause("ma:29");
                sides.add(moving, moving_witnessed);
                sides.add(moving_by_library, moving_witnessed);
                sides.rival("the body velocity moves the point",
                            [&](auto& wrong) { wrong.add(moving_in_body, moving_witnessed); });
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

template <typename S>
void accelerations(Registry<S>& r)
{
  r.identity({.name = "accelerations_of_links_and_of_their_points_are_those_of_the_witness",
              .keys = {"ma:28/rate", "ma:28/sums", "ma:30"},
              .symbols = "Recursion::carry_acceleration JointJacobian::bracket SpaceMotion::acceleration",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const SpaceMotion<S>& library = x.template once<MotionFromSpace<S>>().at;
                const auto alpha = angular_accelerations(x, true), first_sum = angular_accelerations(x, false);
                std::vector<Twist<S>> turning, turning_by_first_sum, turning_by_library, turning_witnessed;
                std::vector<Twist<S>> moving, moving_without_square, moving_by_library, moving_witnessed;
                for (const LinkFrame<S>& link : x.model.links()) {
                  const SeenPoint<S> point(x, seen(x, link));
                  turning.push_back({alpha[link.body], {}});
                  turning_by_first_sum.push_back({first_sum[link.body], {}});
                  turning_by_library.push_back({library.angular_acceleration(link), {}});
                  turning_witnessed.push_back({point.alpha, {}});
                  moving.push_back({{}, point_acceleration(x, link.body, point.p, true)});
                  moving_without_square.push_back({{}, point_acceleration(x, link.body, point.p, false)});
                  moving_by_library.push_back({{}, library.acceleration(link, x.vector(0))});
                  moving_witnessed.push_back({{}, point.a});
                }
                std::vector<Twist<S>> own, summed, in_own_axes, rates;
                for (int i = 1; i <= x.bodies(); ++i) {
                  // The rate of R' R^T is R'' R^T + R' R'^T.
                  const auto R = [&](int k) -> Eigen::Matrix<S, 3, 3> {
                    return derivative(x.along_motion().pose[i], k).template topLeftCorner<3, 3>();
                  };
                  const Eigen::Matrix<S, 3, 3> W = R(2) * R(0).transpose() + R(1) * R(1).transpose();
                  rates.push_back({{W(2, 1), W(0, 2), W(1, 0)}, {}});
                  own.push_back({x.kinematics.pose[i].R * x.motion.Vdot[i].w, {}});
                  summed.push_back({alpha[i], {}}), in_own_axes.push_back({x.motion.Vdot[i].w, {}});
                }
                sides.clause("ma:28/rate");
                sides.add(turning_by_library, turning_witnessed);
                sides.add(own, rates);
                sides.rival("the rate of its components in axes of its own",
                            [&](auto& wrong) { wrong.add(in_own_axes, rates); });
                sides.clause("ma:28/sums");
                sides.add(turning, turning_witnessed);
                sides.add(summed, rates);
                sides.rival("the second sum is left out",
                            [&](auto& wrong) { wrong.add(turning_by_first_sum, turning_witnessed); });
                sides.clause("ma:30");
                sides.add(moving, moving_witnessed);
                sides.add(moving_by_library, moving_witnessed);
                sides.rival("the square is left out",
                            [&](auto& wrong) { wrong.add(moving_without_square, moving_witnessed); });
              }});
}

/// Column k of the Jacobians of a point of body i: what the k-th rate alone makes of it.
template <typename S>
struct Columns {
  MatrixX<S> Jv, Jw;  ///< \eq{ma,32}, \eq{ma,35}

  /// \param carried  by Ad into space, as they ought to be; else the screws stay as their own bodies see them
  Columns(const Specimen<S>& x, int i, const Vector3<S>& p, bool carried = true)
      : Jv(MatrixX<S>::Zero(3, x.model.nv())), Jw(MatrixX<S>::Zero(3, x.model.nv()))
  {
    for (; i > 0; i = x.model.body(i).parent) {
      const Body<S>& body = x.model.body(i);
      for (int k = 0; k < body.nv; ++k) {
        const Twist<S> xi = x.kinematics.S[i].column(k);
        const SE3<S> pose = carried ? x.kinematics.pose[i] : SE3<S>{};
        const Point<S> moved = hat(Ad(pose, xi)) * homogeneous(p);
        Jv.col(body.v + k) = moved.template head<3>();
        Jw.col(body.v + k) = (pose.R * xi.w).eigen();
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
              .keys = {"ma:32/columns", "ma:35"},
              .symbols = "point_jacobian angular_jacobian ForwardKinematics::link_jacobian JointJacobian::column",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const int n = x.model.nv(), L = static_cast<int>(x.model.links().size());
                    // Jv of all links, then Jw
                    MatrixX<S> literal(6 * L, n), own(literal), witnessed(literal), in_bodies(literal);
                    for (int l = 0; l < L; ++l) {
                      const LinkFrame<S>& link = x.model.links()[l];
                      const SeenPoint<S> point(x, seen(x, link));
                      const Columns<S> J(x, link.body, point.p);
                      const Columns<S> J_own(x, link.body, point.p, false);
                      literal.template middleRows<3>(3 * l) = J.Jv, literal.template middleRows<3>(3 * (L + l)) = J.Jw;
                      in_bodies.template middleRows<3>(3 * l) = J_own.Jv;
                      in_bodies.template middleRows<3>(3 * (L + l)) = J_own.Jw;
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
                    for (const bool linear : {true, false}) {
                      const auto part = [&](const MatrixX<S>& all) {
                        return MatrixX<S>(all.middleRows(linear ? 0 : 3 * L, 3 * L));
                      };
                      sides.clause(linear ? "ma:32/columns" : "ma:35");
                      for (const MatrixX<S>* side : {&literal, &own})
                        add_columns(sides, x.model, part(*side), part(witnessed));
                      sides.rival("the screws stay as their own bodies see them",
                                  [&](auto& wrong) { add_columns(wrong, x.model, part(in_bodies), part(witnessed)); });
                    }
                  },
              .applies = is_compared_in_full});
  r.identity({.name = "the_jacobian_of_a_point_is_its_derivative_by_the_coordinates",
              .keys = {"ma:32/derivative"},
              .symbols = "point_jacobian JointJacobian::column",
              .method = "series",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    using Line = Series<S>;
                    const int n = x.model.nv(), L = static_cast<int>(x.model.links().size());
                    const VectorX<Line> q = x.q.template cast<Line>(), at_rest = VectorX<Line>::Zero(n);
                    const Model<Line>& model = x.series_model();
                    ForwardKinematics<Line> displaced_bodies(model);
                    MatrixX<S> J(3 * L, n), derivatives(J), in_links(J);
                    for (int k = 0; k < n; ++k) {
                      const VectorX<Line> step = time_series<S>() * VectorX<Line>::Unit(n, k);
                      displaced_bodies(displaced<Line>(model, q, step), at_rest);
                      for (int l = 0; l < L; ++l) {
                        const SE3<Line> T = displaced_bodies.link_pose(model.links()[l]);
                        const Vector3<S> rate = derivative(T * constant(x.vector(0)), 1);
                        derivatives.col(k).template segment<3>(3 * l) = rate.eigen();
                        const Matrix4<S> now = derivative(T, 0);
                        in_links.col(k).template segment<3>(3 * l) =
                            now.template topLeftCorner<3, 3>().transpose() * rate.eigen();
                      }
                    }
                    for (int l = 0; l < L; ++l)
                      J.template middleRows<3>(3 * l) = point_jacobian(x.kinematics, x.model.links()[l], x.vector(0));
                    add_columns(sides, x.model, J, derivatives);
                    sides.rival("it is seen from the link",
                                [&](auto& wrong) { add_columns(wrong, x.model, J, in_links); });
                  },
              .applies = is_small});
  r.identity({.name = "every_point_and_every_turn_is_the_sum_of_what_the_joints_make",
              .keys = {"ma:31", "ma:33", "ma:34"},
              .symbols = "Ad JointJacobian::column ForwardKinematics",
              .method = "series",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                std::vector<Twist<S>> moving, moving_own, moving_witnessed, turning, turning_own, turning_witnessed;
                std::vector<Twist<S>> conjugated, conjugated_back, rates;
                for (const LinkFrame<S>& link : x.model.links()) {
                  const SeenPoint<S> point(x, seen(x, link));
                  const Columns<S> J(x, link.body, point.p), J_own(x, link.body, point.p, false);
                  moving.push_back({{}, Vector3<S>(J.Jv * x.qd)}), moving_witnessed.push_back({{}, point.v});
                  moving_own.push_back({{}, Vector3<S>(J_own.Jv * x.qd)});
                  turning.push_back({Vector3<S>(J.Jw * x.qd), {}}), turning_witnessed.push_back({point.w, {}});
                  turning_own.push_back({Vector3<S>(J_own.Jw * x.qd), {}});

                  // (33): the sum of the conjugated hats is the rate of the rotation, seen from space.
                  Matrix3<S> W, W_back;
                  for (int i = link.body; i > 0; i = x.model.body(i).parent)
                    for (int k = 0; k < x.model.body(i).nv; ++k) {
                      const Matrix3<S> R = x.kinematics.pose[i].R.matrix, hat_z = skew(x.kinematics.S[i].column(k).w);
                      const S rate = x.qd(x.model.body(i).v + k);
                      W = W + rate * (R * hat_z * transpose(R));
                      W_back = W_back + rate * (transpose(R) * hat_z * R);
                    }
                  const SE3<Series<S>>& along = x.along_motion().pose[link.body];
                  const auto R = derivative(along, 0), Rdot = derivative(along, 1);
                  const Eigen::Matrix<S, 3, 3> rate =
                      Rdot.template topLeftCorner<3, 3>() * R.template topLeftCorner<3, 3>().transpose();
                  const auto axis = [](const auto& M) -> Twist<S> { return {{M(2, 1), M(0, 2), M(1, 0)}, {}}; };
                  conjugated.push_back(axis(W)), conjugated_back.push_back(axis(W_back)), rates.push_back(axis(rate));
                }
                sides.clause("ma:31");
                sides.add(moving, moving_witnessed);
                sides.rival("the screws stay as their own bodies see them",
                            [&](auto& wrong) { wrong.add(moving_own, moving_witnessed); });
                sides.clause("ma:34");
                sides.add(turning, turning_witnessed);
                sides.rival("the axes stay as their own bodies see them",
                            [&](auto& wrong) { wrong.add(turning_own, turning_witnessed); });
                sides.clause("ma:33");
                sides.add(conjugated, rates);
                sides.rival("the transpose stands on the left",
                            [&](auto& wrong) { wrong.add(conjugated_back, rates); });
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
