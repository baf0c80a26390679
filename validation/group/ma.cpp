/** \file
 *  \brief Proofs of chapter group: Ma 2021, section 2, \eq{ma,1} to \eq{ma,20}.
 */
#include <ledger/calculus.hpp>
#include <ledger/registry.hpp>

namespace articulate::validation {
namespace {

template <typename S>
using Block3 = Eigen::Matrix<S, 3, 3>;

template <typename S>
Block3<S> rotation_part(const Matrix4<S>& H)
{
  return H.template topLeftCorner<3, 3>();
}
template <typename S>
Vector3<S> translation_part(const Matrix4<S>& H)
{
  return Vector3<S>(H.template topRightCorner<3, 1>());
}

/// The hat of so(3), entry by entry \eq{ma,6}.
template <typename S>
Block3<S> hat3(const Vector3<S>& w)
{
  Block3<S> W;
  W << S(0), -w[2], w[1], w[2], S(0), -w[0], -w[1], w[0], S(0);
  return W;
}
template <typename S>
Vector3<S> vee3(const Block3<S>& W)
{
  return {W(2, 1), W(0, 2), W(1, 0)};
}

/// r turned by a quaternion of any length, by Hamilton's products alone.
template <typename S>
Vector3<S> turned(const Quaternion<S>& q, const Vector3<S>& r)
{
  const S length2 = inner(q.v, q.v) + q.w * q.w;
  return S(1) / length2 * (q * Quaternion<S>{r, S(0)} * Quaternion<S>{-q.v, q.w}).v;
}

template <typename S>
SE3<Series<S>> at_rest(const SE3<S>& T)
{
  SE3<Series<S>> same;
  for (int k = 0; k < 9; ++k) same.R.matrix.e[k] = Series<S>(T.R.matrix.e[k]);
  same.p = constant(T.p);
  return same;
}

/// \f$T(t) = T_0\,e^{\hat\xi + t\hat\eta}\f$ from the free numbers, and its velocities by the differential of exp.
template <typename S>
struct MovingPose {
  SE3<S> start;
  Twist<S> xi, eta;
  SE3<Series<S>> T;
  Matrix4<S> H, Hdot, H_inverse;

  explicit MovingPose(const Specimen<S>& x)
      : start(x.pose(0)),
        xi(x.twist(8)),
        eta(x.twist(14)),
        T(at_rest(start) * exp(constant(xi) + time_series<S>() * constant(eta))),
        H(derivative(T, 0)),
        Hdot(derivative(T, 1)),
        H_inverse(inverted(H))
  {
  }
  Twist<S> body_velocity() const { return dexp(xi, eta); }
  /// With \f$E = e^{\hat\xi}\f$: \f$\dot E E^{-1} = -E\,\tfrac{d}{dt}E^{-1}\f$, and \f$E^{-1} = e^{-\hat\xi}\f$.
  Twist<S> space_velocity() const { return Ad(start, dexp(-xi, eta)); }
};

template <typename S>
void the_group(Registry<S>& r)
{
  r.identity({.name = "the_hat_is_the_velocity_of_the_exponential_at_the_identity",
              .keys = {"ma:1/linear", "ma:1/inverse", "ma:6/hat", "ma:6/vee", "ma:13"},
              .symbols = "hat vee skew exp",
              .method = "series",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const Twist<S> V = x.twist(0), U = x.twist(6);
                const S a = x.number(12);
                const Series<S> t = time_series<S>();
                const Matrix4<S> starting = derivative(exp(t * constant(V)), 1),
                                 other = derivative(exp(t * constant(U)), 1);
                sides.clause("ma:1/linear");
                sides.add(hat(a * V + U), a * starting + other);
                sides.rival("the corner keeps the 1 of a homogeneous matrix", [&](auto& wrong) {
                  Matrix4<S> corner = Matrix4<S>::Zero();
                  corner(3, 3) = S(1);
                  wrong.add(hat(a * V + U) + corner, a * (starting + corner) + other + corner);
                });
                sides.clause("ma:1/inverse");
                sides.add(vee(starting), V);
                sides.rival("the matrix is read by rows",
                            [&](auto& wrong) { wrong.add(vee(Matrix4<S>(starting.transpose())), V); });

                sides.clause("ma:6/hat");
                sides.add(rotation_part(starting), hat3(V.w));
                sides.add(skew(V.w).eigen(), hat3(V.w));
                sides.rival("the signs are those of the transpose",
                            [&](auto& wrong) { wrong.add(rotation_part(starting), Block3<S>(hat3(V.w).transpose())); });
                sides.clause("ma:6/vee");
                sides.add(vee3(rotation_part(starting)), V.w);
                sides.add(vee(starting).w, V.w);
                sides.rival("the entries above the diagonal are read", [&](auto& wrong) {
                  const Block3<S> W = rotation_part(starting);
                  wrong.add(Vector3<S>{W(1, 2), W(2, 0), W(0, 1)}, V.w);
                });

                sides.clause("ma:13");
                sides.add(hat(V), starting);
                sides.add(translation_part(starting), V.v);
                sides.rival("the two halves change places", [&](auto& wrong) {
                  wrong.add(hat(Twist<S>{V.v, V.w}), starting);
                });
              }});
  r.identity({.name = "translating_from_the_left_keeps_the_body_velocity_and_from_the_right_the_space_velocity",
              .keys = {"ma:2", "ma:3", "ma:4"},
              .symbols = "SE3 dexp",
              .method = "series",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const MovingPose<S> moving(x);
                const SE3<S> g = x.pose(24);
                const Matrix4<S> left = derivative(at_rest(g) * moving.T, 1);
                const Matrix4<S> right = derivative(moving.T * at_rest(g), 1);
                const Matrix4<S> back = inverted(matrix(g));
                sides.clause("ma:2");
                sides.add(matrix(g * moving.start), matrix(g) * matrix(moving.start));
                sides.rival("it is translated from the right", [&](auto& wrong) {
                  wrong.add(matrix(g * moving.start), matrix(moving.start) * matrix(g));
                });
                sides.clause("ma:3");
                sides.add(moving.H_inverse * back * left, hat(moving.body_velocity()));
                sides.rival("the inverse stands on the right", [&](auto& wrong) {
                  wrong.add(left * moving.H_inverse * back, hat(moving.body_velocity()));
                });
                sides.clause("ma:4");
                sides.add(right * back * moving.H_inverse, hat(moving.space_velocity()));
                sides.rival("the inverse stands on the left", [&](auto& wrong) {
                  wrong.add(back * moving.H_inverse * right, hat(moving.space_velocity()));
                });
              }});
  r.identity({.name = "Ad_is_the_velocity_of_a_conjugated_exponential",
              .keys = {"ma:5", "ma:14", "ma:15"},
              .symbols = "Ad Ad_matrix",
              .method = "series",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const SE3<S> T = x.pose(0);
                const Twist<S> V = x.twist(8);
                const SE3<Series<S>> along = exp(time_series<S>() * constant(V));
                const Matrix4<S> carried = derivative(at_rest(T) * along * at_rest(inverse(T)), 1);
                sides.clause("ma:5");
                sides.add(hat(Ad(T, V)), carried);
                sides.rival("the pose is that of the other frame",
                            [&](auto& wrong) { wrong.add(hat(Ad(inverse(T), V)), carried); });
                sides.clause("ma:14");
                sides.add(hat(Ad(T, V)), matrix(T) * hat(V) * inverted(matrix(T)));
                sides.rival("the inverse stands on the left",
                            [&](auto& wrong) { wrong.add(hat(Ad(T, V)), inverted(matrix(T)) * hat(V) * matrix(T)); });
                sides.clause("ma:15");
                Matrix6<S> A, upper;
                const Block3<S> R = T.R.matrix.eigen(), pR = hat3(T.p) * R, none = Block3<S>::Zero();
                A << R, none, pR, R;
                sides.add(to_twist(A * coordinates(V)), vee(carried));
                sides.add(Ad_matrix(T), A);
                sides.rival("the arm stands in the upper corner, as for wrenches", [&](auto& wrong) {
                  upper << R, pR, none, R;
                  wrong.add(to_twist(upper * coordinates(V)), vee(carried));
                });
              }});
}

template <typename S>
void rotations(Registry<S>& r)
{
  r.identity(
      {.name = "angular_velocities_of_a_matrix_are_those_of_its_quaternion",
       .keys = {"ma:7/adjoint", "ma:7/turned", "ma:8", "ma:9", "ma:10"},
       .symbols = "SO3 Quaternion quaternion_exp dexp exp",
       .method = "series",
       .sides = [](const Specimen<S>& x, Sides<S>& sides) {
         // One motion twice: e^{w + t w'} as a quaternion, and as a matrix.
         const Vector3<S> start = x.vector(0), rate = x.vector(3);
         const Vector3<Series<S>> along = constant(start) + time_series<S>() * constant(rate);
         const Quaternion<Series<S>> moving = quaternion_exp(along);
         const Quaternion<S> q{derivative(moving.v, 0), derivative(moving.w, 0)};
         const Quaternion<S> qdot{derivative(moving.v, 1), derivative(moving.w, 1)}, back{-q.v, q.w};
         const Vector3<S> w_b = S(2) * (back * qdot).v, w_s = S(2) * (qdot * back).v;

         const SE3<Series<S>> pose{exp(along), {}};
         const Block3<S> R = rotation_part(derivative(pose, 0)), Rdot = rotation_part(derivative(pose, 1));
         sides.clause("ma:8");
         sides.add(Block3<S>(R.transpose() * Rdot), hat3(w_b));
         sides.add(dexp(start, rate), w_b);
         sides.rival("the transpose is that of the rate",
                     [&](auto& wrong) { wrong.add(Block3<S>(Rdot.transpose() * R), hat3(w_b)); });
         sides.clause("ma:9");
         sides.add(Block3<S>(Rdot * R.transpose()), hat3(w_s));
         sides.rival("the transpose is that of the rate",
                     [&](auto& wrong) { wrong.add(Block3<S>(R * Rdot.transpose()), hat3(w_s)); });
         sides.clause("ma:10");
         sides.add(exp(start) * w_b, w_s);
         sides.rival("it is turned back", [&](auto& wrong) { wrong.add(inverse(exp(start)) * w_b, w_s); });

         const Block3<S> conjugated = R * hat3(w_b) * R.transpose();
         sides.clause("ma:7/adjoint");
         const Twist<S> turning{w_b, {}};
         sides.add(rotation_part(hat(Ad(SE3<S>{exp(start), {}}, turning))), conjugated);
         sides.rival("the transpose stands on the left", [&](auto& wrong) {
           wrong.add(rotation_part(hat(Ad(SE3<S>{exp(start), {}}, turning))), Block3<S>(R.transpose() * hat3(w_b) * R));
         });
         sides.clause("ma:7/turned");
         sides.add(conjugated, hat3(turned(q, w_b)));
         sides.rival("it is turned back", [&](auto& wrong) { wrong.add(conjugated, hat3(turned(back, w_b))); });
       }});
  r.identity({.name = "the_exponential_of_a_unit_axis_turns_as_its_quaternion_does",
              .keys = {"ma:11"},
              .symbols = "exp Phi quaternion_exp",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                using std::cos, std::sin, std::sqrt;
                const Vector3<S> direction = x.vector(0),
                                 axis = S(1) / S(sqrt(inner(direction, direction))) * direction;
                const Block3<S> W = hat3(axis);
                for (const S& theta : {S(3) * x.number(3), S(5), S(1) / S(1000), S(0), pi<S>()}) {
                  const Block3<S> closed_form = Block3<S>::Identity() + sin(theta) * W + (S(1) - cos(theta)) * W * W;
                  const S half = theta / S(2);
                  Block3<S> columns;
                  for (int k = 0; k < 3; ++k)
                    columns.col(k) =
                        turned(Quaternion<S>{sin(half) * axis, cos(half)}, Vector3<S>(Eigen::Matrix<S, 3, 1>::Unit(k)))
                            .eigen();
                  sides.add(closed_form, columns);
                  sides.rival("the frame is turned instead of the vector", [&](auto& wrong) {
                    wrong.add(Block3<S>(Block3<S>::Identity() - sin(theta) * W + (S(1) - cos(theta)) * W * W), columns);
                  });
                  sides.add(exp(theta * axis).matrix.eigen(), closed_form);
                  sides.add(SO3<S>(quaternion_exp(theta * axis)).matrix.eigen(), closed_form);
                }
              }});
}

/// A screw motion as geometry has it: turn about the axis through the point w x v, and slide along it by the pitch.
template <typename S>
SE3<S> screw_motion(const Twist<S>& screw, const S& theta)
{
  using std::cos, std::sin;
  const Vector3<S> on_axis = cross(screw.w, screw.v);
  const S pitch = inner(screw.w, screw.v), half = theta / S(2);
  const Quaternion<S> q{sin(half) * screw.w, cos(half)};
  return {SO3<S>(q), on_axis - turned(q, on_axis) + pitch * theta * screw.w};
}

template <typename S>
void rigid_motions(Registry<S>& r)
{
  r.identity({.name = "a_homogeneous_matrix_moves_points_by_its_quaternion_and_its_inverse_moves_them_back",
              .keys = {"ma:12/points", "ma:12/orthogonal", "ma:12/right-handed"},
              .symbols = "SO3 matrix inverse",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const Quaternion<S> q{x.vector(0), x.number(3)};
                const Vector3<S> p = x.vector(4), point = x.vector(7);
                Eigen::Matrix<S, 4, 1> inside, outside;
                inside << point.eigen(), S(1);
                outside << (turned(q, point) + p).eigen(), S(1);
                const SE3<S> T = x.pose(0);
                sides.clause("ma:12/points");
                sides.add(matrix(T) * inside, outside);
                sides.add(matrix(inverse(T)) * outside, inside);
                sides.rival("it is moved before it is turned", [&](auto& wrong) {
                  Eigen::Matrix<S, 4, 1> other;
                  other << turned(q, point + p).eigen(), S(1);
                  wrong.add(matrix(T) * inside, other);
                });
                const Block3<S> R = rotation_part(matrix(T)), one = Block3<S>::Identity();
                sides.clause("ma:12/orthogonal");
                sides.add(Block3<S>(R.transpose() * R), one);
                sides.rival("the quaternion keeps its length", [&](auto& wrong) {
                  const Block3<S> longer = (inner(q.v, q.v) + q.w * q.w) * R;
                  wrong.add(Block3<S>(longer.transpose() * longer), one);
                });
                const auto axis = [&](int k) { return Vector3<S>(Eigen::Matrix<S, 3, 1>(R.col(k))); };
                sides.clause("ma:12/right-handed");
                sides.add(inner(axis(0), cross(axis(1), axis(2))), S(1));
                sides.rival("the axes are those of the left hand",
                            [&](auto& wrong) { wrong.add(inner(axis(0), cross(axis(2), axis(1))), S(1)); });
              }});
  r.identity({.name = "body_and_space_velocity_are_the_rate_of_the_pose_from_either_side",
              .keys = {"ma:16/matrix", "ma:16/angular", "ma:16/linear", "ma:17/matrix", "ma:17/angular", "ma:17/linear",
                       "ma:18", "ma:19"},
              .symbols = "dexp Ad hat vee",
              .method = "series",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const MovingPose<S> moving(x);
                const Matrix4<S> body = moving.H_inverse * moving.Hdot, space = moving.Hdot * moving.H_inverse;
                const Block3<S> R = rotation_part(moving.H), Rdot = rotation_part(moving.Hdot);
                const Vector3<S> p = translation_part(moving.H), pdot = translation_part(moving.Hdot);
                const Vector3<S> w_b = vee3(Block3<S>(R.transpose() * Rdot)),
                                 w_s = vee3(Block3<S>(Rdot * R.transpose()));
                const Vector3<S> v_b(R.transpose() * pdot.eigen());
                const Twist<S> V_b = moving.body_velocity(), V_s = moving.space_velocity();
                sides.clause("ma:16/matrix");
                sides.add(hat(V_b), body);
                sides.rival("the inverse stands on the right", [&](auto& wrong) { wrong.add(hat(V_b), space); });
                sides.clause("ma:16/angular");
                sides.add(V_b.w, w_b);
                sides.rival("the transpose stands on the right", [&](auto& wrong) { wrong.add(V_b.w, w_s); });
                sides.clause("ma:16/linear");
                sides.add(V_b.v, v_b);
                sides.rival("it is left in the axes of space", [&](auto& wrong) { wrong.add(V_b.v, pdot); });

                sides.clause("ma:17/matrix");
                sides.add(hat(V_s), space);
                sides.rival("the inverse stands on the left", [&](auto& wrong) { wrong.add(hat(V_s), body); });
                sides.clause("ma:17/angular");
                sides.add(V_s.w, w_s);
                sides.rival("the transpose stands on the left", [&](auto& wrong) { wrong.add(V_s.w, w_b); });
                sides.clause("ma:17/linear");
                sides.add(V_s.v, pdot - cross(w_s, p));
                sides.rival("it is the velocity of the body's origin", [&](auto& wrong) { wrong.add(V_s.v, pdot); });

                sides.clause("ma:18");
                sides.add(moving.H * hat(V_b) * moving.H_inverse, space);
                sides.rival("the inverse stands on the left",
                            [&](auto& wrong) { wrong.add(moving.H_inverse * hat(V_b) * moving.H, space); });
                sides.clause("ma:19");
                const SE3<S> T = moving.start * exp(moving.xi);
                sides.add(Ad(T, V_b), vee(space));
                sides.rival("the arm is forgotten", [&](auto& wrong) {
                  wrong.add(Twist<S>{T.R * V_b.w, T.R * V_b.v}, vee(space));
                });
              }});
  r.identity({.name = "the_exponential_of_a_twist_is_a_screw_motion",
              .keys = {"ma:20/turn", "ma:20/slide"},
              .symbols = "exp Phi",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                using std::cos, std::sin, std::sqrt;
                const Vector3<S> direction = x.vector(0), v = x.vector(3);
                const Twist<S> screw{S(1) / S(sqrt(inner(direction, direction))) * direction, v};
                const Block3<S> W = hat3(screw.w), one = Block3<S>::Identity();
                // From the origin to the axis and back: terms of that size make the small slide of a small turn.
                const S reach = sqrt(inner(v, v));
                for (const S& theta : {S(3) * x.number(6), S(5), S(1) / S(1000), S(0), pi<S>()}) {
                  const Block3<S> turn = one + sin(theta) * W + (S(1) - cos(theta)) * W * W;
                  const Vector3<S> slide((theta * one + (S(1) - cos(theta)) * W + (theta - sin(theta)) * W * W) *
                                         v.eigen());
                  const SE3<S> geometric = screw_motion(screw, theta);
                  sides.clause("ma:20/turn");
                  sides.add(turn, geometric.R.matrix.eigen());
                  sides.rival("the frame is turned instead of the body",
                              [&](auto& wrong) { wrong.add(Block3<S>(turn.transpose()), geometric.R.matrix.eigen()); });
                  sides.clause("ma:20/slide");
                  sides.add(slide, geometric.p, reach);
                  sides.rival("it slides straight on", [&](auto& wrong) { wrong.add(theta * v, geometric.p, reach); });
                  for (const SE3<S>& ours : {exp(theta * screw), exp(screw, theta)}) {
                    sides.clause("ma:20/turn");
                    sides.add(ours.R.matrix.eigen(), turn);
                    sides.clause("ma:20/slide");
                    sides.add(ours.p, slide, reach);
                  }
                }
              }});
}

}  // namespace

template <typename S>
void group_ma(Registry<S>& r)
{
  the_group(r);
  rotations(r);
  rigid_motions(r);
}

template void group_ma(Registry<ARTICULATE_PROOF_SCALAR>&);

}  // namespace articulate::validation
