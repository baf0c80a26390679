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

/// Of what size the products are that a power is the sum of.
template <typename S>
S power_terms(const Wrench<S>& F, const Twist<S>& V)
{
  const Vector6<S> f = coordinates(F), v = coordinates(V);
  S sum(0);
  for (int k = 0; k < 6; ++k) sum += magnitude(S(f(k) * v(k)));
  return sum;
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
              .keys = {"ploen:4/matrix", "ploen:4/rotation"},
              .symbols = "SE3 SO3 matrix Quaternion",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const Quaternion<S> Theta{x.vector(0), x.number(3)};
                const Vector3<S> b = x.vector(4), point = x.vector(7);
                const Matrix4<S> X = matrix(x.pose(0));
                const auto columns = [&](const Quaternion<S>& turn) {
                  Matrix4<S> all = Matrix4<S>::Identity();
                  for (int k = 0; k < 3; ++k)
                    all.col(k).template head<3>() = turned(turn, Vector3<S>(Eigen::Matrix<S, 3, 1>::Unit(k))).eigen();
                  all.col(3).template head<3>() = b.eigen();
                  return all;
                };
                sides.clause("ploen:4/matrix");
                sides.add(X, columns(Theta));
                sides.add(x.pose(0) * point, turned(Theta, point) + b);
                sides.rival("the pose turns the other way", [&](auto& wrong) {
                  wrong.add(X, columns(Quaternion<S>{-Theta.v, Theta.w}));
                });
                sides.rival("the shift is turned, too",
                            [&](auto& wrong) { wrong.add(x.pose(0) * point, turned(Theta, point + b)); });

                sides.clause("ploen:4/rotation");
                const auto is_rotation = [](auto& to, const Block3<S>& R) {
                  to.add(Block3<S>(R.transpose() * R), Block3<S>(Block3<S>::Identity()));
                  const auto axis = [&](int k) { return Vector3<S>(R(0, k), R(1, k), R(2, k)); };
                  to.add(inner(cross(axis(0), axis(1)), axis(2)), S(1));
                };
                const Block3<S> R = X.template topLeftCorner<3, 3>();
                is_rotation(sides, R);
                const S length2 = inner(Theta.v, Theta.v) + Theta.w * Theta.w;
                sides.rival("the quaternion is not brought to length one",
                            [&](auto& wrong) { is_rotation(wrong, Block3<S>(length2 * R)); });
                sides.rival("three orthogonal axes of a left hand", [&](auto& wrong) {
                  Block3<S> mirrored = R;
                  mirrored.col(2) = -mirrored.col(2);
                  is_rotation(wrong, mirrored);
                });
              }});
  r.identity({.name = "Ad_carries_the_twist_of_one_frame_on_a_body_to_another",
              .keys = {"ploen:5/matrix", "ploen:5/inverse", "ploen:5/product", "ploen:5/frames"},
              .symbols = "Ad Ad_matrix",
              .method = "series",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const SE3<S> X = x.pose(0), Y = x.pose(8);
                const Block3<S> Theta = X.R.matrix.eigen();
                const Matrix6<S> A = blocks<S>(Theta, Block3<S>::Zero(), bracket(X.p) * Theta, Theta);
                const Twist<S> V = x.twist(16);
                sides.clause("ploen:5/matrix");
                sides.add(Ad(X, V), to_twist(A * coordinates(V)));
                sides.rival("[b] stands behind Theta", [&](auto& wrong) {
                  const Matrix6<S> B = blocks<S>(Theta, Block3<S>::Zero(), Theta * bracket(X.p), Theta);
                  wrong.add(Ad(X, V), to_twist(B * coordinates(V)));
                });
                sides.clause("ploen:5/inverse");
                sides.add(Ad(inverse(X), V), to_twist(inverted(A) * coordinates(V)));
                sides.rival("the inverse is the transpose, as that of a rotation", [&](auto& wrong) {
                  wrong.add(Ad(inverse(X), V), to_twist(A.transpose() * coordinates(V)));
                });
                sides.clause("ploen:5/product");
                sides.add(Ad_matrix(X) * Ad_matrix(Y), Ad_matrix(X * Y));
                sides.rival("the order of the product is reversed",
                            [&](auto& wrong) { wrong.add(Ad_matrix(X) * Ad_matrix(Y), Ad_matrix(Y * X)); });

                // X_12 leads from the frame X on a body to the body's own: both twists are rates of poses.
                std::vector<Twist<S>> V1, V2_carried, V2_back;
                for (int i = 1; i <= x.bodies(); ++i) {
                  const Matrix4<S> rate = inverted(matrix(X)) * inverted(derivative(x.along_motion().pose[i], 0)) *
                                          derivative(x.along_motion().pose[i], 1) * matrix(X);
                  V1.push_back(vee(rate)), V2_carried.push_back(Ad(inverse(X), x.kinematics.V[i]));
                  V2_back.push_back(Ad(X, x.kinematics.V[i]));
                }
                sides.clause("ploen:5/frames");
                sides.add(V1, V2_carried);
                sides.rival("the pose of the first frame in the second is taken",
                            [&](auto& wrong) { wrong.add(V1, V2_back); });
              }});
  r.identity({.name = "the_brackets_are_the_rates_of_the_adjoint_maps",
              .keys = {"ploen:7/commutator", "ploen:7/matrix", "ploen:8/transpose", "ploen:8/matrix"},
              .symbols = "ad coad Ad coAd",
              .method = "series",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const Twist<S> xi = x.twist(0), y = x.twist(6);
                const Wrench<S> F = x.wrench(12);
                const Block3<S> w = bracket(xi.w), v = bracket(xi.v), zero = Block3<S>::Zero();
                const SE3<Series<S>> moving = exp(time_series<S>() * constant(xi));
                sides.clause("ploen:7/commutator");
                const Matrix4<S> X = hat(xi), Y = hat(y);
                sides.add(ad(xi, y), vee(Matrix4<S>(X * Y - Y * X)));
                sides.add(ad(xi, y), derivative(Ad(moving, constant(y)), 1));
                sides.rival("the commutator is taken the other way round",
                            [&](auto& wrong) { wrong.add(ad(xi, y), vee(Matrix4<S>(Y * X - X * Y))); });
                sides.clause("ploen:7/matrix");
                sides.add(ad(xi, y), to_twist(blocks<S>(w, zero, v, w) * coordinates(y)));
                sides.rival("[v] stands above the diagonal", [&](auto& wrong) {
                  wrong.add(ad(xi, y), to_twist(blocks<S>(w, v, zero, w) * coordinates(y)));
                });
                sides.clause("ploen:8/transpose");
                sides.add(coad(xi, F), derivative(coAd(moving, constant(F)), 1));
                sides.add(pairing(coad(xi, F), y), pairing(F, ad(xi, y)), power_terms(F, ad(xi, y)));
                sides.rival("the star is an inverse transpose",
                            [&](auto& wrong) { wrong.add(coad(xi, F), derivative(coAdInv(moving, constant(F)), 1)); });
                sides.clause("ploen:8/matrix");
                sides.add(coad(xi, F), to_wrench(blocks<S>(-w, -v, zero, -w) * coordinates(F)));
                sides.rival("each block is transposed where it stands", [&](auto& wrong) {
                  wrong.add(coad(xi, F), to_wrench(blocks<S>(-w, zero, -v, -w) * coordinates(F)));
                });
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
void wrench_laws(Registry<S>& r)
{
  r.identity({.name = "Ad_star_carries_a_wrench_against_the_twists_and_keeps_its_power",
              .keys = {"ploen:6/frames", "ploen:6/matrix", "ploen:6/transpose"},
              .symbols = "coAd pairing",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                sides.clause("ploen:6/frames");
                sides.append(wrench_in_two_frames(x, [](const SE3<S>& X, const Wrench<S>& F) { return coAd(X, F); }));
                sides.rival("the star is an inverse transpose", [&](auto& wrong) {
                  wrong.append(
                      wrench_in_two_frames(x, [](const SE3<S>& X, const Wrench<S>& F) { return coAdInv(X, F); }));
                });
                const SE3<S> X = x.pose(0);
                const Block3<S> Theta = X.R.matrix.eigen(), turn_back = Theta.transpose(), b = bracket(X.p);
                const Wrench<S> F = x.wrench(8);
                const auto by_blocks = [&](const Block3<S>& arm) {
                  const Matrix6<S> A = blocks<S>(turn_back, turn_back * arm, Block3<S>::Zero(), turn_back);
                  return to_wrench(A * coordinates(F));
                };
                sides.clause("ploen:6/matrix");
                sides.add(coAd(X, F), by_blocks(b.transpose()));
                sides.rival("[b] is not transposed", [&](auto& wrong) { wrong.add(coAd(X, F), by_blocks(b)); });
                const Twist<S> V2 = x.twist(16);
                sides.clause("ploen:6/transpose");
                sides.add(pairing(coAd(X, F), V2), pairing(F, Ad(X, V2)), power_terms(F, Ad(X, V2)));
                sides.rival("the star is an inverse transpose", [&](auto& wrong) {
                  wrong.add(pairing(coAdInv(X, F), V2), pairing(F, Ad(X, V2)), power_terms(F, Ad(X, V2)));
                });
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

/// The sum of all powers of a 4x4 matrix over their factorials, and the largest number in its terms.
template <typename S>
struct PowerSeries {
  Matrix4<S> sum = Matrix4<S>::Identity();
  S largest{1};

  explicit PowerSeries(const Matrix4<S>& A)
  {
    Matrix4<S> term = sum;
    for (int k = 1; k <= 100; ++k) {
      term = term * A / S(k);
      sum = sum + term;
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
          if (magnitude(term(i, j)) > largest) largest = magnitude(term(i, j));
    }
  }
};

/// \eq{ploen,10}, the second half: a turn about a unit axis.
template <typename S>
Block3<S> turn_about_a_unit_axis(const Vector3<S>& axis, const S& phi)
{
  using std::cos, std::sin;
  const Block3<S> w = bracket(axis);
  return Block3<S>::Identity() + sin(phi) * w + (S(1) - cos(phi)) * w * w;
}
/// The matrix A of \eq{ploen,11} by the two numbers that depend on the angle.
template <typename S>
Block3<S> shift_matrix(const Vector3<S>& axis, const S& phi, const S& once, const S& twice)
{
  const Block3<S> w = bracket(axis);
  return phi * Block3<S>::Identity() + once * w + twice * w * w;
}
template <typename S>
Block3<S> shift_of_a_unit_axis(const Vector3<S>& axis, const S& phi)
{
  using std::cos, std::sin;
  return shift_matrix(axis, phi, S(S(1) - cos(phi)), S(phi - sin(phi)));
}
/// \eq{ploen,10}, the first half, with a turn and what multiplies v.
template <typename S>
Matrix4<S> displacement(const Block3<S>& turn, const Block3<S>& A, const Vector3<S>& v)
{
  Matrix4<S> X = Matrix4<S>::Identity();
  X.template topLeftCorner<3, 3>() = turn;
  X.template topRightCorner<3, 1>() = A * v.eigen();
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
              .keys = {"ploen:10/matrix", "ploen:10/turn", "ploen:11/A", "ploen:11/slide"},
              .symbols = "exp Phi quaternion_exp",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                using std::cos, std::sin;
                const Vector3<S> w = unit_vector(x.vector(0)), v = x.vector(3);
                for (const S& phi : {S(3) * x.number(6), S(5), S(1) / S(1000), S(0), pi<S>()}) {
                  const Twist<S> screw{w, v};
                  const PowerSeries<S> powers(phi * hat(screw));
                  const Block3<S> R = turn_about_a_unit_axis(w, phi), A = shift_of_a_unit_axis(w, phi);
                  sides.clause("ploen:10/matrix");
                  sides.add(powers.sum, displacement(R, A, v), powers.largest);
                  for (const Matrix4<S>& known : {matrix(exp(phi * screw)), matrix(exp(screw, phi))})
                    sides.add(known, displacement(R, A, v));
                  sides.rival("v is not turned on its way", [&](auto& wrong) {
                    wrong.add(powers.sum, displacement<S>(R, phi * Block3<S>::Identity(), v));
                  });
                  sides.clause("ploen:10/turn");
                  const Block3<S> turned = powers.sum.template topLeftCorner<3, 3>();
                  sides.add(turned, R, powers.largest);
                  sides.add(turn(w, phi).R.matrix.eigen(), R);
                  sides.rival("the turn goes the other way",
                              [&](auto& wrong) { wrong.add(turned, turn_about_a_unit_axis(w, S(-phi))); });
                  sides.clause("ploen:11/A");
                  const Eigen::Matrix<S, 3, 1> shifted = powers.sum.template topRightCorner<3, 1>();
                  sides.add(shifted, Eigen::Matrix<S, 3, 1>(A * v.eigen()), powers.largest);
                  sides.rival("the factors of [w] and of its square are exchanged", [&](auto& wrong) {
                    const Block3<S> B = shift_matrix(w, phi, S(phi - sin(phi)), S(S(1) - cos(phi)));
                    wrong.add(shifted, Eigen::Matrix<S, 3, 1>(B * v.eigen()));
                  });
                  sides.clause("ploen:11/slide");
                  const Twist<S> sliding{{}, v}, turning{v, {}};
                  const Block3<S> one = Block3<S>::Identity();
                  for (const Matrix4<S>& known :
                       {matrix(exp(phi * sliding)), matrix(exp(sliding, phi)), matrix(slide(v, phi))})
                    sides.add(known, displacement<S>(one, phi * one, v));
                  sides.rival("the slide's axis stands where that of a turn does", [&](auto& wrong) {
                    wrong.add(matrix(exp(phi * turning)), displacement<S>(one, phi * one, v));
                  });
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

/// \f$e^{S_iq_i}\f$, one exponential per coordinate; a ball or a free joint is given as a displacement.
template <typename S>
SE3<S> joint_motion(const Specimen<S>& x, int i)
{
  const Body<S>& body = x.model.body(i);
  const S* const q = x.q.data() + body.q;
  if (body.kind == JointKind::screw) return exp(q[0] * x.kinematics.S[i].column(0));
  SE3<S> motion;
  if (body.kind == JointKind::chart) {
    for (int k = 0; k < body.nv; ++k) motion = motion * exp(q[k] * to_twist(Vector6<S>::Unit(body.directions[k])));
    return motion;
  }
  const S* const xyzw = q + body.nq - 4;
  const SO3<S> Theta(Quaternion<S>{{xyzw[0], xyzw[1], xyzw[2]}, xyzw[3]});
  return {Theta, body.kind == JointKind::free ? Vector3<S>(q[0], q[1], q[2]) : Vector3<S>()};
}
/// \f$f_{i-1,i} = M_i e^{S_iq_i}\f$, of each body; or the exponential before the offset.
template <typename S>
std::vector<SE3<S>> displacements(const Specimen<S>& x, bool offset_first = true)
{
  std::vector<SE3<S>> f(x.bodies() + 1);
  for (int i = 1; i <= x.bodies(); ++i) {
    const SE3<S>& M = x.model.body(i).M;
    f[i] = offset_first ? M * joint_motion(x, i) : joint_motion(x, i) * M;
  }
  return f;
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
              .symbols = "Model::Contents::add_body screw_pose rotation_from_z exp",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const auto joints = [&](const std::vector<SE3<S>>& f) {
                  MatrixX<S> all(4, 4 * x.bodies());
                  for (int i = 1; i <= x.bodies(); ++i) all.template middleCols<4>(4 * i - 4) = matrix(f[i]);
                  return all;
                };
                const std::vector<SE3<S>> f = displacements(x);
                sides.clause("ploen:14");
                sides.add(joints(x.kinematics.T), joints(f));
                const std::string slip = "the exponential stands before the offset";
                sides.rival(slip,
                            [&](auto& wrong) { wrong.add(joints(x.kinematics.T), joints(displacements(x, false))); });

                const auto links_placed = [&](auto& to, const std::vector<SE3<S>>& f) {
                  const int L = static_cast<int>(x.model.links().size());
                  std::vector<SE3<S>> product(f.size());
                  for (int i = 1; i <= x.bodies(); ++i) product[i] = product[x.model.body(i).parent] * f[i];
                  MatrixX<S> turns(3, 3 * L), seen_turns(3, 3 * L), places(3, L), seen_places(3, L);
                  for (int l = 0; l < L; ++l) {
                    const LinkFrame<S>& link = x.model.links()[l];
                    const auto& seen = x.newton_euler().links[x.mechanism_index(link.name)];
                    const SE3<S> pose = product[link.body] * link.X;
                    turns.template middleCols<3>(3 * l) = pose.R.matrix.eigen(), places.col(l) = pose.p.eigen();
                    seen_turns.template middleCols<3>(3 * l) = seen.rotation, seen_places.col(l) = seen.position;
                  }
                  to.add(turns, seen_turns);
                  to.add(places, seen_places);
                };
                sides.clause("ploen:9");
                links_placed(sides, f);
                sides.rival(slip, [&](auto& wrong) { links_placed(wrong, displacements(x, false)); });
              }});
  r.identity(
      {.name = "the_inertia_matrix_is_built_from_mass_centre_and_central_inertia",
       .keys = {"ploen:12"},
       .symbols = "Inertia Model::Contents::attach",
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
           const Matrix6<S> own = x.model.body(i).I.matrix();
           const auto compare = [&](auto& to, const Block3<S>& moment, const Block3<S>& coupling) {
             const Matrix6<S> J = blocks<S>(moment, coupling, coupling.transpose(), m * Block3<S>::Identity());
             for (int row = 0; row < 6; row += 3)
               for (int column = 0; column < 6; column += 3)
                 to.add(own.template block<3, 3>(row, column), J.template block<3, 3>(row, column));
           };
           compare(sides, I - m * R * R, m * R);
           sides.rival("the square of [r] is added", [&](auto& wrong) { compare(wrong, I + m * R * R, m * R); });
           sides.rival("[r] and its transpose are exchanged",
                       [&](auto& wrong) { compare(wrong, I - m * R * R, -m * R); });
         }
       }});
}

/// What one may get wrong in a line of the recursion.
struct Slips {
  int tip = -1;               ///< (13), the sign of \f$F_{n+1}\f$ beside the loads behind a link
  bool velocity = false;      ///< (15) with Ad_f in place of Ad_{f^-1}
  bool acceleration = false;  ///< (16) likewise
  int bracket = -1;           ///< (16), the sign of the last term
  bool force = false;         ///< (17) with Ad*_f in place of Ad*_{f^-1}
  int turning = -1;           ///< (17), the sign of the last term
  bool before_joint = false;  ///< (18) with the wrench as the frame before the joint sees it
};

/// The recursion \eq{ploen,13} to \eq{ploen,18} with 6x6 matrices.
template <typename S>
struct MatrixRecursion {
  std::vector<Vector6<S>> V, Vdot, F;
  VectorX<S> tau;

  explicit MatrixRecursion(const Specimen<S>& x, const Slips& slips = {})
      : V(x.bodies() + 1, Vector6<S>::Zero()), Vdot(V), F(V), tau(x.model.nv())
  {
    const int N = x.bodies();
    std::vector<Matrix6<S>> forth(N + 1), back(N + 1);  // Ad_f, Ad_{f^{-1}}
    Vdot[0].template tail<3>() = -x.gravity.eigen();    // (13)
    for (const LinkFrame<S>& link : x.model.links())    // (13): F_{n+1}, behind each link
      F[link.body] = F[link.body] +
                     S(slips.tip) * (inverted(Ad_matrix(link.X)).transpose() * coordinates(x.link_wrench(link.name)));
    const std::vector<SE3<S>> f = displacements(x);  // (14)
    for (int i = 1; i <= N; ++i) {
      const Body<S>& body = x.model.body(i);
      forth[i] = Ad_matrix(f[i]);
      back[i] = inverted(forth[i]);
      back[i].template topRightCorner<3, 3>().setZero();  // rounding: no linear velocity becomes an angular one
      Vector6<S> Sqd = Vector6<S>::Zero(), Sqdd = coordinates(S_dot_qd(x, i));
      for (int k = 0; k < body.nv; ++k) {
        Sqd += x.qd(body.v + k) * coordinates(x.kinematics.S[i].column(k));
        Sqdd += x.qdd(body.v + k) * coordinates(x.kinematics.S[i].column(k));
      }
      V[i] = (slips.velocity ? forth : back)[i] * V[body.parent] + Sqd;  // (15)
      Vdot[i] = Sqdd + (slips.acceleration ? forth : back)[i] * Vdot[body.parent] +
                S(slips.bracket) * (ad(Sqd) * (back[i] * V[body.parent]));  // (16)
    }
    for (int i = N; i >= 1; --i) {
      const Body<S>& body = x.model.body(i);
      const Matrix6<S> J = body.I.matrix();
      F[i] += J * Vdot[i] + S(slips.turning) * (ad(V[i]).transpose() * (J * V[i]));  // (17)
      F[body.parent] += (slips.force ? forth : back)[i].transpose() * F[i];
      const Vector6<S> seen = slips.before_joint ? Vector6<S>(back[i].transpose() * F[i]) : F[i];
      for (int k = 0; k < body.nv; ++k)
        tau(body.v + k) = (coordinates(x.kinematics.S[i].column(k)).transpose() * seen).value();  // (18)
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
Sides<S> joint_wrenches(const Specimen<S>& x, const Slips& slips = {})
{
  const MatrixRecursion<S> ploen(x, slips);
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
std::vector<Twist<S>> of_bodies(const std::vector<Vector6<S>>& six)
{
  std::vector<Twist<S>> twists;
  for (std::size_t i = 1; i < six.size(); ++i) twists.push_back(to_twist(six[i]));
  return twists;
}

template <typename S>
void recursion_of_ploen(Registry<S>& r)
{
  r.identity({.name = "a_base_in_given_motion_is_a_free_base_that_moves_so",
              .keys = {"ploen:13/velocity", "ploen:13/acceleration"},
              .symbols = "Recursion::V Recursion::Vdot InverseDynamics",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const Twist<S> V0 = x.twist(0), V0dot = x.twist(6);
                    const auto by_recursion = [&](const Twist<S>& velocity, const Twist<S>& acceleration) {
                      InverseDynamics<S> rnea(x.model);
                      rnea.V[0] = velocity, rnea.Vdot[0] += acceleration;
                      return VectorX<S>(rnea(x.q, x.qd, x.qdd, x.Fext));
                    };

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
                    sides.add_by_unit(x.model, by_recursion(V0, V0dot), tau);
                    sides.clause("ploen:13/velocity");
                    sides.rival("the base accelerates from rest",
                                [&](auto& wrong) { wrong.add_by_unit(x.model, by_recursion({}, V0dot), tau); });
                    sides.clause("ploen:13/acceleration");
                    sides.rival("the acceleration of the base's origin is taken for the rate of v", [&](auto& wrong) {
                      const Twist<S> of_origin{V0dot.w, V0dot.v + cross(V0.w, V0.v)};
                      wrong.add_by_unit(x.model, by_recursion(V0, of_origin), tau);
                    });
                  },
              .applies = [](const Model<double>& model) { return !model.floating_base(); }});
  r.identity({.name = "velocity_and_acceleration_by_matrices_are_those_of_the_witness",
              .keys = {"ploen:15", "ploen:16"},
              .symbols = "Recursion::carry_velocity Recursion::carry_acceleration",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const MatrixRecursion<S> ploen(x);
                std::vector<Twist<S>> seen_V, seen_Vdot, own_V, own_Vdot;
                for (int i = 1; i <= x.bodies(); ++i) {
                  own_V.push_back(x.inverse.V[i]), own_Vdot.push_back(x.inverse.Vdot[i]);
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
                sides.clause("ploen:15");
                sides.add(own_V, of_bodies(ploen.V));
                sides.add(of_bodies(ploen.V), seen_V);
                sides.rival("the inverse in the subscript is lost", [&](auto& wrong) {
                  wrong.add(of_bodies(MatrixRecursion<S>(x, {.velocity = true}).V), seen_V);
                });
                sides.clause("ploen:16");
                sides.add(own_Vdot, of_bodies(ploen.Vdot));
                sides.add(of_bodies(ploen.Vdot), seen_Vdot);
                sides.rival("the inverse in the subscript is lost", [&](auto& wrong) {
                  wrong.add(of_bodies(MatrixRecursion<S>(x, {.acceleration = true}).Vdot), seen_Vdot);
                });
                sides.rival("the bracket is added", [&](auto& wrong) {
                  wrong.add(of_bodies(MatrixRecursion<S>(x, {.bracket = 1}).Vdot), seen_Vdot);
                });
              }});
  r.identity({.name = "joint_wrenches_and_torques_by_matrices_are_those_of_the_witness",
              .keys = {"ploen:13/tip", "ploen:17", "ploen:18"},
              .symbols = "InverseDynamics newton_euler coAdInv JointJacobian::project",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const MatrixRecursion<S> ploen(x);
                std::vector<Wrench<S>> F, own_F;
                for (int i = 1; i <= x.bodies(); ++i)
                  F.push_back(to_wrench(ploen.F[i])), own_F.push_back(x.inverse.F[i]);
                sides.clause({"ploen:13/tip", "ploen:17"});
                sides.append(joint_wrenches(x));
                sides.add(own_F, F);
                sides.clause("ploen:13/tip");
                sides.rival("what the tip meets is given as what meets the tip",
                            [&](auto& wrong) { wrong.append(joint_wrenches(x, {.tip = 1})); });
                sides.clause("ploen:17");
                sides.rival("the inverse in the subscript is lost",
                            [&](auto& wrong) { wrong.append(joint_wrenches(x, {.force = true})); });
                sides.rival("the last term is added",
                            [&](auto& wrong) { wrong.append(joint_wrenches(x, {.turning = 1})); });
                sides.clause("ploen:18");
                sides.add_by_unit(x.model, x.inverse_tau, ploen.tau);
                sides.add_by_unit(x.model, ploen.tau, x.witness_tau());
                sides.rival("the wrench is taken as the frame before the joint sees it", [&](auto& wrong) {
                  wrong.add_by_unit(x.model, MatrixRecursion<S>(x, {.before_joint = true}).tau, x.witness_tau());
                });
              }});
  // What the scan lost: read as a plus, or as nothing.
  r.erratum(
      {.id = "E-ploen-4",
       .keys = {"ploen:17"},
       .margin = 1e-6,
       .printed = {[](const Specimen<S>& x, Sides<S>& sides) { sides.append(joint_wrenches(x, {.turning = 1})); },
                   [](const Specimen<S>& x, Sides<S>& sides) { sides.append(joint_wrenches(x, {.turning = 0})); }},
       .corrected = [](const Specimen<S>& x, Sides<S>& sides) { sides.append(joint_wrenches(x)); }});
}

}  // namespace

template <typename S>
void rnea_ploen(Registry<S>& r)
{
  poses(r);
  wrench_laws(r);
  exponentials(r);
  machines(r);
  recursion_of_ploen(r);
}

template void rnea_ploen(Registry<ARTICULATE_PROOF_SCALAR>&);

}  // namespace articulate::validation
