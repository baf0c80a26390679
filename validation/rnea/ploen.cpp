/** \file
 *  \brief Proofs of chapter rnea: Ploen, sections 2.1, 2.2 and 3.1, \eq{ploen,4} to \eq{ploen,18}.
 *
 *  Ploen numbers a chain of joints of one degree each. On a tree his i-1 is the parent of body i, his i+1 each of its
 *  children; a joint of several degrees adds \f$\dot S_i\dot q_i\f$, which is zero for his.
 */
#include <ledger/calculus.hpp>
#include <ledger/registry.hpp>

namespace articulate::validation {
namespace {

template <typename S>
using Block3 = Eigen::Matrix<S, 3, 3>;

/// A 6x6 matrix by its four blocks.
template <typename S>
Matrix6<S> blocks(const Block3<S>& aa, const Block3<S>& al, const Block3<S>& la, const Block3<S>& ll)
{
  Matrix6<S> A;
  A << aa, al, la, ll;
  return A;
}
template <typename S>
Block3<S> bracket(const Vector3<S>& w)
{
  return skew(w).eigen();
}

/// r turned by a quaternion of any length, by Hamilton's products alone.
template <typename S>
Vector3<S> turned(const Quaternion<S>& q, const Vector3<S>& r)
{
  const S length2 = inner(q.v, q.v) + q.w * q.w;
  return S(1) / length2 * (q * Quaternion<S>{r, S(0)} * Quaternion<S>{-q.v, q.w}).v;
}

template <typename S>
void poses(Registry<S>& r)
{
  r.identity({.name = "a_pose_turns_points_as_its_quaternion_does_and_shifts_them",
              .keys = {"ploen:4"},
              .symbols = "SE3 SO3 matrix Quaternion",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const Quaternion<S> Theta{x.vector(0), x.number(3)};
                const Vector3<S> b = x.vector(4), point = x.vector(7);
                const Matrix4<S> X = matrix(x.pose(0));
                Matrix4<S> columns = Matrix4<S>::Identity();
                for (int k = 0; k < 3; ++k)
                  columns.col(k).template head<3>() =
                      turned(Theta, Vector3<S>(Eigen::Matrix<S, 3, 1>::Unit(k))).eigen();
                columns.col(3).template head<3>() = b.eigen();
                sides.add(X, columns);
                sides.add(x.pose(0) * point, turned(Theta, point) + b);
              }});
  r.identity({.name = "Ad_carries_the_twist_of_one_frame_on_a_body_to_another",
              .keys = {"ploen:5"},
              .symbols = "Ad Ad_matrix",
              .method = "series",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const SE3<S> X = x.pose(0), Y = x.pose(8);
                const Block3<S> Theta = X.R.matrix.eigen();
                const Matrix6<S> A = blocks<S>(Theta, Block3<S>::Zero(), bracket(X.p) * Theta, Theta);
                const Twist<S> V = x.twist(16);
                sides.add(Ad(X, V), to_twist(A * coordinates(V)));
                sides.add(Ad(inverse(X), V), to_twist(inverted(A) * coordinates(V)));
                sides.add(Ad_matrix(X) * Ad_matrix(Y), Ad_matrix(X * Y));

                // X_12 leads from the frame X on a body to the body's own: both twists are rates of poses.
                std::vector<Twist<S>> V1, V2_carried;
                for (int i = 1; i <= x.bodies(); ++i) {
                  const Matrix4<S> rate = inverted(matrix(X)) * inverted(derivative(x.along_motion().pose[i], 0)) *
                                          derivative(x.along_motion().pose[i], 1) * matrix(X);
                  V1.push_back(vee(rate)), V2_carried.push_back(Ad(inverse(X), x.kinematics.V[i]));
                }
                sides.add(V1, V2_carried);
              }});
  r.identity({.name = "the_brackets_are_the_rates_of_the_adjoint_maps",
              .keys = {"ploen:7", "ploen:8"},
              .symbols = "ad coad Ad coAd",
              .method = "series",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const Twist<S> xi = x.twist(0), y = x.twist(6);
                const Wrench<S> F = x.wrench(12);
                const Block3<S> w = bracket(xi.w), v = bracket(xi.v), zero = Block3<S>::Zero();
                const SE3<Series<S>> moving = exp(time_series<S>() * constant(xi));
                sides.add(ad(xi, y), derivative(Ad(moving, constant(y)), 1));
                sides.add(ad(xi, y), to_twist(blocks<S>(w, zero, v, w) * coordinates(y)));
                sides.add(coad(xi, F), derivative(coAd(moving, constant(F)), 1));
                sides.add(coad(xi, F), to_wrench(blocks<S>(-w, -v, zero, -w) * coordinates(F)));
                sides.add(pairing(coad(xi, F), y), pairing(F, ad(xi, y)), S(10));
              }});
}

/// The wrench of some forces seen from two frames: Ad*_{X_12} F_1, with the star as given, and F_2.
template <typename S, typename Star>
Sides<S> wrench_in_two_frames(const Specimen<S>& x, const Star& star)
{
  Sides<S> sides;
  const SE3<S> X = x.pose(0);
  Wrench<S> F1, F2;
  for (int k = 0; k < 3; ++k) {
    const Vector3<S> point = x.vector(8 + 6 * k), force = x.vector(11 + 6 * k);
    F1 += {cross(point, force), force};
    const Vector3<S> seen = inverse(X) * point, turned_force = inverse(X.R) * force;
    F2 += {cross(seen, turned_force), turned_force};
  }
  sides.add(star(X, F1), F2);
  return sides;
}

template <typename S>
void wrenches(Registry<S>& r)
{
  r.identity({.name = "Ad_star_carries_a_wrench_against_the_twists_and_keeps_its_power",
              .keys = {"ploen:6"},
              .symbols = "coAd pairing",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                sides.append(wrench_in_two_frames(x, [](const SE3<S>& X, const Wrench<S>& F) { return coAd(X, F); }));
                const SE3<S> X = x.pose(0);
                const Block3<S> Theta = X.R.matrix.eigen(), turn_back = Theta.transpose();
                const Wrench<S> F = x.wrench(8);
                const Matrix6<S> A =
                    blocks<S>(turn_back, turn_back * bracket(X.p).transpose(), Block3<S>::Zero(), turn_back);
                sides.add(coAd(X, F), to_wrench(A * coordinates(F)));
                const Twist<S> V2 = x.twist(16);
                sides.add(pairing(coAd(X, F), V2), pairing(F, Ad(X, V2)), S(10));
              }});
  // The print holds; its star is not Ali's, which is the inverse transpose.
  r.erratum({.id = "E-ploen-13",
             .keys = {"ploen:6"},
             .margin = 1e-3,
             .printed = {[](const Specimen<S>& x, Sides<S>& sides) {
               sides.append(wrench_in_two_frames(x, [](const SE3<S>& X, const Wrench<S>& F) {
                 return to_wrench(inverted(Ad_matrix(X)).transpose() * coordinates(F));
               }));
             }},
             .corrected = [](const Specimen<S>& x, Sides<S>& sides) {
               sides.append(wrench_in_two_frames(x, [](const SE3<S>& X, const Wrench<S>& F) {
                 return to_wrench(Ad_matrix(X).transpose() * coordinates(F));
               }));
             }});
}

/// \eq{ploen,10} and \eq{ploen,11} as they stand, with sines.
template <typename S>
Matrix4<S> exponential_of_a_unit_axis(const Twist<S>& screw, const S& phi)
{
  using std::cos, std::sin;
  const Block3<S> w = bracket(screw.w), one = Block3<S>::Identity();
  const Block3<S> A = phi * one + (S(1) - cos(phi)) * w + (phi - sin(phi)) * w * w;
  Matrix4<S> X = Matrix4<S>::Identity();
  X.template topLeftCorner<3, 3>() = one + sin(phi) * w + (S(1) - cos(phi)) * w * w;
  X.template topRightCorner<3, 1>() = A * screw.v.eigen();
  return X;
}

template <typename S>
Vector3<S> unit_vector(const Vector3<S>& a)
{
  using std::sqrt;
  return S(1) / S(sqrt(inner(a, a))) * a;
}

/// What a slide by q along a does, and what a turn by q about a does.
template <typename S>
SE3<S> slide(const Vector3<S>& a, const S& q)
{
  return {{}, q * a};
}
template <typename S>
SE3<S> turn(const Vector3<S>& a, const S& q)
{
  return {SO3<S>(quaternion_exp(q * a)), {}};
}

template <typename S>
void exponentials(Registry<S>& r)
{
  r.identity({.name = "the_exponential_of_a_screw_has_the_closed_form_of_a_unit_axis",
              .keys = {"ploen:10", "ploen:11"},
              .symbols = "exp Phi quaternion_exp",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const Vector3<S> w = unit_vector(x.vector(0)), v = x.vector(3);
                for (const S& phi : {S(3) * x.number(6), S(5), S(1) / S(1000), S(0), pi<S>()}) {
                  for (const Twist<S>& screw : {Twist<S>{w, v}, Twist<S>{{}, v}}) {
                    const Matrix4<S> closed_form = exponential_of_a_unit_axis(screw, phi);
                    sides.add(matrix(exp(phi * screw)), closed_form);
                    sides.add(matrix(exp(screw, phi)), closed_form);
                  }
                  sides.add(matrix(turn(w, phi)), exponential_of_a_unit_axis({w, {}}, phi));
                  sides.add(matrix(slide(v, phi)), exponential_of_a_unit_axis({{}, v}, phi));
                }
              }});
  const auto joint_of_the_slide = [](const Specimen<S>& x, bool prismatic) {
    Sides<S> sides;
    const Vector3<S> axis = unit_vector(x.vector(0));
    const S q = x.number(3) + S(2);
    sides.add(exp(prismatic ? Twist<S>{{}, axis} : Twist<S>{axis, {}}, q), slide(axis, q));
    return sides;
  };
  r.erratum({.id = "E-ploen-10",
             .keys = {"ploen:10", "ploen:11", "ploen:14"},
             .margin = 0.5,
             .printed = {[=](const Specimen<S>& x, Sides<S>& sides) { sides.append(joint_of_the_slide(x, false)); }},
             .corrected = [=](const Specimen<S>& x, Sides<S>& sides) {
               sides.append(joint_of_the_slide(x, true));
               const Vector3<S> axis = unit_vector(x.vector(0));
               sides.add(exp(Twist<S>{axis, {}}, x.number(3)), turn(axis, x.number(3)));
             }});
}

/// \f$f_{i-1,i} = M_i e^{S_iq_i}\f$, one exponential per coordinate; a ball or a free joint is given as a displacement.
template <typename S>
SE3<S> displacement(const Specimen<S>& x, int i)
{
  const Body<S>& body = x.model.body(i);
  const S* const q = x.q.data() + body.q;
  SE3<S> f = body.M;
  if (body.kind == JointKind::screw) return f * exp(q[0] * x.kinematics.S[i].column(0));
  if (body.kind == JointKind::chart) {
    for (int k = 0; k < body.nv; ++k) f = f * exp(q[k] * to_twist(Vector6<S>::Unit(body.directions[k])));
    return f;
  }
  const S* const xyzw = q + body.nq - 4;
  const SO3<S> Theta(Quaternion<S>{{xyzw[0], xyzw[1], xyzw[2]}, xyzw[3]});
  return f * SE3<S>{Theta, body.kind == JointKind::free ? Vector3<S>(q[0], q[1], q[2]) : Vector3<S>()};
}

/// The link that the joint of a body carries; the body's other links are fixed to it.
template <typename S>
const LinkFrame<S>& carried_link(const Model<S>& model, int i)
{
  const auto& links = model.links();
  return *std::find_if(links.begin(), links.end(), [i](const LinkFrame<S>& link) { return link.body == i; });
}

template <typename S>
void machines(Registry<S>& r)
{
  r.identity({.name = "links_are_placed_by_the_product_of_offsets_and_exponentials",
              .keys = {"ploen:9", "ploen:14"},
              .symbols = "Model::attach JointJacobian::place rotation_from_z exp",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const int N = x.bodies(), L = static_cast<int>(x.model.links().size());
                std::vector<SE3<S>> product(N + 1);
                MatrixX<S> joints(4, 4 * N), exponentials(4, 4 * N), turns(3, 3 * L), seen_turns(3, 3 * L);
                MatrixX<S> places(3, L), seen_places(3, L);
                for (int i = 1; i <= N; ++i) {
                  const SE3<S> f = displacement(x, i);
                  product[i] = product[x.model.body(i).parent] * f;
                  joints.template middleCols<4>(4 * i - 4) = matrix(x.kinematics.T[i]);
                  exponentials.template middleCols<4>(4 * i - 4) = matrix(f);
                }
                for (int l = 0; l < L; ++l) {
                  const LinkFrame<S>& link = x.model.links()[l];
                  const auto& seen = x.newton_euler().links[x.mechanism_index(link.name)];
                  const SE3<S> pose = product[link.body] * link.X;
                  turns.template middleCols<3>(3 * l) = pose.R.matrix.eigen(), places.col(l) = pose.p.eigen();
                  seen_turns.template middleCols<3>(3 * l) = seen.rotation, seen_places.col(l) = seen.position;
                }
                sides.add(joints, exponentials);
                sides.add(turns, seen_turns);
                sides.add(places, seen_places);
              }});
  r.identity(
      {.name = "the_inertia_matrix_is_built_from_mass_centre_and_central_inertia",
       .keys = {"ploen:12"},
       .symbols = "Inertia Model::attach",
       .method = "independent formulation",
       .sides = [](const Specimen<S>& x, Sides<S>& sides) {
         for (int i = 1; i <= x.bodies(); ++i) {
           // The links of the body as the description has them, in the frame of the body.
           struct Part {
             S m;
             Vector3<S> r;
             Block3<S> I;
           };
           std::vector<Part> parts;
           S m(0);
           Vector3<S> r;
           Block3<S> I = Block3<S>::Zero();
           for (const LinkFrame<S>& link : x.model.links()) {
             if (link.body != i) continue;
             const auto& seen = x.newton_euler().links[x.mechanism_index(link.name)];
             const Block3<S> R = link.X.R.matrix.eigen();
             parts.push_back({seen.mass, link.X * Vector3<S>(seen.center_of_mass), R * seen.inertia * R.transpose()});
             m += seen.mass, r += seen.mass * parts.back().r;
           }
           if (comparable(m) > 0) r = S(1) / m * r;
           for (const Part& part : parts) {  // Steiner, about the common centre
             const Vector3<S> d = part.r - r;
             const Block3<S> ddT = d.eigen() * d.eigen().transpose();
             I += part.I + part.m * (inner(d, d) * Block3<S>::Identity() - ddT);
           }
           const Block3<S> R = bracket(r);
           const Matrix6<S> J = blocks<S>(I - m * R * R, m * R, -m * R, m * Block3<S>::Identity()),
                            own = x.model.body(i).I.matrix();
           for (int row = 0; row < 6; row += 3)
             for (int column = 0; column < 6; column += 3)
               sides.add(own.template block<3, 3>(row, column), J.template block<3, 3>(row, column));
         }
       }});
}

/// The recursion \eq{ploen,13} to \eq{ploen,18} with 6x6 matrices; sign is that of the last term of \eq{ploen,17}.
template <typename S>
struct MatrixRecursion {
  std::vector<Vector6<S>> V, Vdot, F;
  VectorX<S> tau;

  explicit MatrixRecursion(const Specimen<S>& x, const S& sign = S(-1))
      : V(x.bodies() + 1, Vector6<S>::Zero()), Vdot(V), F(V), tau(x.model.nv())
  {
    const int N = x.bodies();
    std::vector<Matrix6<S>> back(N + 1);              // Ad_{f^{-1}}
    Vdot[0].template tail<3>() = -x.gravity.eigen();  // (13)
    for (const LinkFrame<S>& link : x.model.links())  // (13): F_{n+1}, behind each link
      F[link.body] -= inverted(Ad_matrix(link.X)).transpose() * coordinates(x.link_wrench(link.name));
    for (int i = 1; i <= N; ++i) {
      const Body<S>& body = x.model.body(i);
      const SE3<S> f = displacement(x, i);  // (14)
      back[i] = inverted(Ad_matrix(f));
      Vector6<S> Sqd = Vector6<S>::Zero(), Sqdd = coordinates(S_dot_qd(x, i));
      for (int k = 0; k < body.nv; ++k) {
        Sqd += x.qd(body.v + k) * coordinates(x.kinematics.S[i].column(k));
        Sqdd += x.qdd(body.v + k) * coordinates(x.kinematics.S[i].column(k));
      }
      V[i] = back[i] * V[body.parent] + Sqd;                                              // (15)
      Vdot[i] = Sqdd + back[i] * Vdot[body.parent] - ad(Sqd) * back[i] * V[body.parent];  // (16)
    }
    for (int i = N; i >= 1; --i) {
      const Body<S>& body = x.model.body(i);
      const Matrix6<S> J = body.I.matrix();
      F[i] += J * Vdot[i] + sign * ad(V[i]).transpose() * J * V[i];  // (17)
      F[body.parent] += back[i].transpose() * F[i];
      for (int k = 0; k < body.nv; ++k)
        tau(body.v + k) = (coordinates(x.kinematics.S[i].column(k)).transpose() * F[i]).value();  // (18)
    }
  }

private:
  static Matrix6<S> ad(const Vector6<S>& V)
  {
    const Block3<S> w = bracket(to_twist(V).w), v = bracket(to_twist(V).v);
    return blocks<S>(w, Block3<S>::Zero(), v, w);
  }
};

/// The wrenches through the joints, in the axes of the links that they carry, beside those of the witness.
template <typename S>
Sides<S> joint_wrenches(const Specimen<S>& x, const S& sign)
{
  const MatrixRecursion<S> ploen(x, sign);
  std::vector<Wrench<S>> carried, seen_wrenches;
  for (int i = 1; i <= x.bodies(); ++i) {
    const LinkFrame<S>& link = carried_link(x.model, i);
    const auto& seen = x.newton_euler().links[x.mechanism_index(link.name)];
    const Block3<S> turn_back = seen.rotation.transpose();
    carried.push_back(to_wrench(Ad_matrix(link.X).transpose() * ploen.F[i]));
    seen_wrenches.push_back({Vector3<S>(turn_back * seen.moment), Vector3<S>(turn_back * seen.force)});
  }
  Sides<S> sides;
  sides.add(carried, seen_wrenches);
  return sides;
}

template <typename S>
void recursion(Registry<S>& r)
{
  r.identity({.name = "a_base_in_given_motion_is_a_free_base_that_moves_so",
              .keys = {"ploen:13"},
              .symbols = "Recursion::V Recursion::Vdot InverseDynamics",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const Twist<S> V0 = x.twist(0), V0dot = x.twist(6);
                    InverseDynamics<S> rnea(x.model);
                    rnea.V[0] = V0, rnea.Vdot[0] += V0dot;

                    // The witness frees the root, at the world's origin, and moves it by its six rates.
                    witness::VectorNewtonEuler<S> freed(x.inputs.mechanism, true);
                    const int n = x.model.nv();
                    VectorX<S> q(freed.coordinates), qd(n + 6), qdd(n + 6);
                    q << VectorX<S>::Unit(7, 6), x.q;
                    qd << coordinates(V0), x.qd;
                    qdd << coordinates(V0dot), x.qdd;
                    std::vector<Vector6<S>> wrenches;
                    for (const Link& link : x.inputs.mechanism.links)
                      wrenches.push_back(coordinates(x.link_wrench(link.name)));
                    const VectorX<S> tau = freed.inverse_dynamics(q, qd, qdd, x.gravity.eigen(), wrenches).tail(n);
                    sides.add_by_unit(x.model, rnea(x.q, x.qd, x.qdd, x.Fext), tau);
                  },
              .applies = [](const Model<double>& model) { return !model.floating_base(); }});
  r.identity({.name = "velocity_and_acceleration_by_matrices_are_those_of_the_witness",
              .keys = {"ploen:15", "ploen:16"},
              .symbols = "Recursion::carry_velocity Recursion::carry_acceleration",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const MatrixRecursion<S> ploen(x);
                std::vector<Twist<S>> V, Vdot, seen_V, seen_Vdot, own_V, own_Vdot;
                for (int i = 1; i <= x.bodies(); ++i) {
                  own_V.push_back(x.inverse.V[i]), own_Vdot.push_back(x.inverse.Vdot[i]);
                  V.push_back(to_twist(ploen.V[i])), Vdot.push_back(to_twist(ploen.Vdot[i]));
                  // The witness has the acceleration of a point; the rate of v seen from the turning body lacks w x v.
                  const LinkFrame<S>& link = carried_link(x.model, i);
                  const auto& seen = x.newton_euler().links[x.mechanism_index(link.name)];
                  const Block3<S> turn_back = seen.rotation.transpose();
                  const Vector3<S> w(turn_back * seen.angular_velocity), v(turn_back * seen.velocity);
                  const Vector3<S> wdot(turn_back * seen.angular_acceleration);
                  const Vector3<S> a(turn_back * (seen.acceleration - x.gravity.eigen()));
                  seen_V.push_back(Ad(link.X, {w, v}));
                  seen_Vdot.push_back(Ad(link.X, {wdot, a - cross(w, v)}));
                }
                sides.add(own_V, V);
                sides.add(own_Vdot, Vdot);
                sides.add(V, seen_V);
                sides.add(Vdot, seen_Vdot);
              }});
  r.identity({.name = "joint_wrenches_and_torques_by_matrices_are_those_of_the_witness",
              .keys = {"ploen:17", "ploen:18"},
              .symbols = "InverseDynamics newton_euler coAdInv JointJacobian::project",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                sides.append(joint_wrenches(x, S(-1)));
                const MatrixRecursion<S> ploen(x);
                std::vector<Wrench<S>> F, own_F;
                for (int i = 1; i <= x.bodies(); ++i)
                  F.push_back(to_wrench(ploen.F[i])), own_F.push_back(x.inverse.F[i]);
                sides.add(own_F, F);
                sides.add_by_unit(x.model, x.inverse_tau, ploen.tau);
                sides.add_by_unit(x.model, ploen.tau, x.witness_tau());
              }});
  // What the scan lost: read as a plus, or as nothing.
  r.erratum({.id = "E-ploen-4",
             .keys = {"ploen:17"},
             .margin = 1e-6,
             .printed = {[](const Specimen<S>& x, Sides<S>& sides) { sides.append(joint_wrenches(x, S(1))); },
                         [](const Specimen<S>& x, Sides<S>& sides) { sides.append(joint_wrenches(x, S(0))); }},
             .corrected = [](const Specimen<S>& x, Sides<S>& sides) { sides.append(joint_wrenches(x, S(-1))); }});
}

}  // namespace

template <typename S>
void rnea_ploen(Registry<S>& r)
{
  poses(r);
  wrenches(r);
  exponentials(r);
  machines(r);
  recursion(r);
}

template void rnea_ploen(Registry<ARTICULATE_PROOF_SCALAR>&);

}  // namespace articulate::validation
